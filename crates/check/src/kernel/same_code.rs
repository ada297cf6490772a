//! Equivalent because the code is the same: after normalisation, callees included.
//!
//! Exact when it says yes; says nothing about code that differs.

use ir::{Pair, Subject};

/// Says that two procedures were compared and have the same code.
pub(crate) struct SameCode(());

/// Whether both procedures, with all that they call, are the same code.
pub(crate) fn identical(pair: Pair<Subject<'_>>) -> Option<SameCode> {
    let pair = pair.map(|subject| (subject.program, subject.procedure));
    ir::same_code(pair).then_some(SameCode(()))
}
