//! Atoms: the predicates on inputs that conditions are made of, in the words of the source.

use ir::{Pair, ProcId};

/// A predicate on the inputs of a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// An expression that could stand where the body of the procedure begins.
    pub text: String,
    pub negation: String,
    /// Of two atoms that explain the same, the cheaper one is chosen.
    pub cost: u32,
}

impl Atom {
    /// An atom of the usual cost.
    pub fn plain(text: &str, negation: &str) -> Atom {
        Atom { text: text.to_owned(), negation: negation.to_owned(), cost: 10 }
    }
}

/// The atoms of a pair, each with its procedures in both versions.
#[derive(Clone, Copy, Debug)]
pub struct Atoms<'a> {
    pub atoms: &'a [Atom],
    pub procedures: &'a [Pair<ProcId>],
}

/// Whether an atom holds for an input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Holds {
    Yes,
    No,
    /// Its evaluation fails, as that of `a[0] > 0` does where `a` is null.
    Fails,
}

impl From<bool> for Holds {
    fn from(is_so: bool) -> Holds {
        if is_so { Holds::Yes } else { Holds::No }
    }
}
