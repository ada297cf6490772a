//! Loops, iteration by iteration. Exact up to the bound; the paths that need more are cut, and told, unless they
//! go on forever.

use super::target::{ExitTest, Target};
use super::{Executor, Flow};
use crate::state::State;
use ir::{Block, Expr, LabelId, LocalId, Span, Stmt, StmtKind};
use smt::Term;

impl Executor<'_> {
    pub(super) fn repeat(&mut self, state: State, label: LabelId, body: &Block, span: Span) -> Flow {
        let entry = state.path;
        let before = self.watch();
        let inside = self.targets.len();
        self.targets.push(Target::Break { label, states: Vec::new(), exit: ExitTest::default() });
        let (mut counted, mut total) = (0, 0);
        let mut next = Some(state);
        while let Some(state) = next {
            if counted >= self.config.bound || total >= self.config.concrete_limit {
                // Those paths that leave the loop before anything else happens need no further iteration.
                let forever = self.goes_on_forever(&state, label, body)?;
                let (end, _) = self.iteration(&body[..header_length(body, label)], state, label)?;
                if let Some(state) = end {
                    self.cut_unless(state.path, forever, span);
                }
                break;
            }
            let end;
            (end, counted, total) = match self.iteration(body, state, label)? {
                (end, true) => (end, counted + 1, total + 1),
                (end, false) => (end, counted, total + 1),
            };
            next = end;
        }
        let Some(Target::Break { states, .. }) = self.targets.pop() else {
            panic!("a loop should end inside of itself")
        };
        let left = self.left(before, inside);
        Ok(self.join(states, entry, left))
    }

    /// One run through the body: the state that goes on with the next one, and whether it depends on the inputs
    /// that there is a next one.
    pub(super) fn iteration(
        &mut self,
        body: &[Stmt],
        state: State,
        label: LabelId,
    ) -> Result<(Option<State>, bool), crate::Stopped> {
        let entry = state.path;
        let before = self.watch();
        let inside = self.targets.len();
        let ways_out = self.ways_out();
        if let Some(Target::Break { exit, .. }) = self.targets.last_mut() {
            exit.decided = false;
        }
        self.targets.push(Target::Continue { label, states: Vec::new() });
        let end = self.block(body, state)?;
        let Some(Target::Continue { mut states, .. }) = self.targets.pop() else {
            panic!("an iteration should end inside of itself")
        };
        states.extend(end);
        let left = self.left(before, inside);
        let ends_by_itself = matches!(self.targets.last(), Some(Target::Break { exit, .. }) if exit.decided);
        let next = self.join(states, entry, left);
        // A guided run does not see what leaves on other paths, only that it could.
        let could_leave = left.by_jump || self.ways_out() > ways_out;
        Ok((next, could_leave && !ends_by_itself))
    }

    /// Notes that a test was decided without taking the way that leaves a loop, on other values than the last time.
    pub(super) fn note_exit_test(&mut self, state: &State, condition: &Expr, not_taken: &[Stmt]) {
        let Some(Stmt { kind: StmtKind::Break(to), .. }) = not_taken.last() else { return };
        let mut locals = Vec::new();
        collect_locals(condition, &mut locals);
        let operands: Vec<Term> =
            locals.iter().flat_map(|local| state.locals[local.index()].leaves()).collect();
        let address = std::ptr::from_ref(condition).addr();
        let place = self.target_place(|target| matches!(target, Target::Break { label, .. } if label == to));
        let Some(Target::Break { exit, .. }) = place.map(|place| &mut self.targets[place]) else { return };
        match exit.operands.iter_mut().find(|(known, _)| *known == address) {
            Some((_, last)) if *last == operands => {}
            Some((_, last)) => {
                *last = operands;
                exit.decided = true;
            }
            None => {
                exit.decided |= !operands.is_empty();
                exit.operands.push((address, operands));
            }
        }
    }
}

/// How many statements from the start it takes to the first one that can leave the loop.
fn header_length(body: &[Stmt], label: LabelId) -> usize {
    let leaves = |stmt: &Stmt| {
        let StmtKind::If { condition: _, then, otherwise } = &stmt.kind else { return false };
        [then, otherwise].iter().any(|block| block.iter().any(|stmt| stmt.kind == StmtKind::Break(label)))
    };
    body.iter().position(leaves).map_or(0, |place| place + 1)
}

fn collect_locals(expr: &Expr, locals: &mut Vec<LocalId>) {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        if let Expr::Local(local) = expr {
            locals.push(*local);
        }
        open.extend(ir::children(expr));
    }
}
