//! What the real languages did.

/// The results of running compiled programs, in the order in which these were given.
#[derive(Default)]
pub(crate) struct RealRuns {
    /// A line for each input, as the harness writes it; none for programs that did not compile.
    pub(crate) results: Vec<Vec<String>>,
    /// Programs that the compiler rejected, and what it said.
    pub(crate) rejected: Vec<(String, String)>,
}
