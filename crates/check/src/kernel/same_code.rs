//! Equivalent because the code is the same: after normalisation, callees included.
//!
//! Exact when it says yes; says nothing about code that differs.
//! Code that a front end could not lower is the same only where its text is, with that of everything that it names.

use std::collections::BTreeSet;

use ir::{Pair, Subject};

/// Says that two procedures were compared and have the same code.
pub(crate) struct SameCode(());

/// Whether both procedures, with all that they call, are the same code.
pub(crate) fn identical(pair: Pair<Subject<'_>>) -> Option<SameCode> {
    let pair = pair.map(|subject| (subject.program, subject.procedure));
    ir::same_code(pair).then_some(SameCode(()))
}

/// Whether both procedures are one of those whose text, with that of all that they name, is the same in both versions.
/// The caller vouches that these are the procedures as they were lowered.
pub(crate) fn same_text(pair: Pair<Subject<'_>>, unchanged: &BTreeSet<String>) -> Option<SameCode> {
    let names = pair.map(|subject| &subject.procedure().name);
    (names.old == names.new && unchanged.contains(names.new)).then_some(SameCode(()))
}
