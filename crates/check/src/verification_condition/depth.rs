//! How much effort a search makes.

/// How much a search does beyond the first question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    /// Candidates that are run before the search ends as spurious.
    pub(super) candidates: u32,
    /// How parts are merged when the question is hard, in this order.
    pub(super) merges: &'static [Merge],
    /// Whether the IEEE meaning of floats is asked for when symbols are not enough.
    pub(super) ieee: bool,
}

/// Which parts of a hard question are proved equal first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Merge {
    /// Those that stand in the same place.
    InPlace,
    /// Those that have the same values on random inputs.
    Alike,
}

impl Depth {
    pub(crate) const FULL: Depth =
        Depth { candidates: 6, merges: &[Merge::InPlace, Merge::Alike], ieee: true };
    /// One question after the other, as the papers' tools ask them.
    pub(crate) const PLAIN: Depth = Depth { candidates: 6, merges: &[], ieee: true };
    /// For questions in which code is hidden: a spurious candidate more likely comes from there.
    pub(crate) const SHALLOW: Depth = Depth { candidates: 1, merges: &[], ieee: false };
    /// For versions of whose loops only relations are known: random values hardly ever meet these.
    pub(crate) const COUPLED: Depth = Depth { candidates: 1, merges: &[Merge::InPlace], ieee: false };
}
