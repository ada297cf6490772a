//! What the code itself says about loops, computed once for each place: both are asked for at every use.
//! Exact copies of what `ir` says.

use ir::{Place, Program, Stmt};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Answers by the address of the first statement and the number of statements: the program is borrowed all the time.
#[derive(Debug, Default)]
pub(crate) struct CodeFacts {
    slices: FxHashMap<(usize, usize), Rc<BTreeSet<Place>>>,
    endless: FxHashMap<(usize, usize), bool>,
}

impl CodeFacts {
    /// See [`ir::control_slice`].
    pub(crate) fn control_slice(&mut self, program: &Program, body: &[Stmt]) -> Rc<BTreeSet<Place>> {
        let slice = self.slices.entry(key(body)).or_insert_with(|| Rc::new(ir::control_slice(program, body)));
        slice.clone()
    }

    /// See [`ir::may_not_end`].
    pub(crate) fn may_not_end(&mut self, program: &Program, statements: &[Stmt]) -> bool {
        *self.endless.entry(key(statements)).or_insert_with(|| ir::may_not_end(program, statements))
    }
}

fn key(statements: &[Stmt]) -> (usize, usize) {
    (statements.as_ptr().addr(), statements.len())
}
