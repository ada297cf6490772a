//! The number models: which numbers a program computes with.

/// The number model; `docs/ir.md` has the meaning of both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Numbers {
    /// The machine's own: integers that wrap around, IEEE floats.
    Machine,
    /// Those of the papers: unbounded integers and reals.
    Math,
}

impl Numbers {
    pub fn name(self) -> &'static str {
        match self {
            Numbers::Machine => "machine",
            Numbers::Math => "math",
        }
    }
}
