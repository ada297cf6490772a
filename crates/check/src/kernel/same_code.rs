//! Equivalent because the code is the same: after normalisation, callees included.
//!
//! Exact when it says yes; says nothing about code that differs.
//! Code that a front end could not lower is the same only where its text is, with that of everything that it names.

use ir::{Pair, Subject};

/// Says that two procedures were compared and have the same code.
pub(crate) struct SameCode(());

/// Whether both procedures, with all that they call, are the same code.
pub(crate) fn identical(pair: Pair<Subject<'_>>) -> Option<SameCode> {
    let pair = pair.map(|subject| (subject.program, subject.procedure));
    ir::same_code(pair).then_some(SameCode(()))
}

/// Whether both procedures, as they were lowered, have the same text, with all that they name.
pub(crate) fn same_text(pair: Pair<Subject<'_>>) -> Option<SameCode> {
    let names = pair.map(|subject| &subject.procedure().name);
    let is_same = |subject: Subject<'_>, name: &String| subject.program.same_text.contains(name);
    let both = is_same(pair.old, names.old) && is_same(pair.new, names.new);
    (names.old == names.new && both).then_some(SameCode(()))
}
