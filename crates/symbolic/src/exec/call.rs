//! Calls: bodies are run in place; procedures without a body are unknown functions, the same in both versions.

use super::target::{Frame, Target, Thrown};
use super::{Executor, Halt};
use crate::path::PathId;
use crate::state::State;
use crate::summary::CutKind;
use crate::value::SymValue;
use ir::{Expr, LocalId, ProcId, Span};
use std::rc::Rc;

type Step = Result<Option<State>, Halt>;

/// What came out of a call.
pub(crate) struct Called {
    /// The locals of the state are the result alone.
    pub(crate) returned: Option<State>,
    pub(super) thrown: Vec<Thrown>,
}

impl Executor<'_> {
    pub(super) fn call(
        &mut self,
        state: State,
        local: Option<LocalId>,
        callee: ProcId,
        args: &[Expr],
        span: Span,
    ) -> Step {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let value = self.eval(&state, arg)?;
            values.push(self.bounded(value)?);
        }
        let hidden = self.hidden;
        if let Some(hidden) = hidden.call(callee) {
            return self.call_hidden(state, local, callee, &values, hidden);
        }
        if self.program.procedure(callee).body.is_none() {
            return Ok(Some(self.call_external(state, local, callee, &values)));
        }
        let Some(frame) = self.frame(callee, state.path) else {
            self.cut(state.path, CutKind::Recursion, span);
            return Ok(None);
        };
        let callers_locals = state.locals.clone();
        let entry = state.path;
        let before = self.watch();
        let inside = self.targets.len();
        let called = self.run_body(state, frame, values)?;
        for mut thrown in called.thrown {
            thrown.state.locals = callers_locals.clone();
            self.send_thrown(thrown);
        }
        let left = self.left(before, inside);
        let states: Vec<State> = called.returned.into_iter().collect();
        let Some(mut state) = self.join(states, entry, left) else { return Ok(None) };
        let result = state.locals.first().cloned();
        state.locals = callers_locals;
        if let (Some(local), Some(result)) = (local, result) {
            *state.local_mut(local.index()) = result;
        }
        Ok(Some(state))
    }

    /// Runs a procedure from its start. `values` are the arguments.
    pub(crate) fn run_body(
        &mut self,
        mut state: State,
        frame: Frame,
        values: Vec<SymValue>,
    ) -> Result<Called, crate::Stopped> {
        let procedure = self.program.procedure(frame.procedure);
        let mut locals = values;
        locals.truncate(procedure.params);
        for local in &procedure.locals[locals.len()..] {
            let zero = self.zero(&local.ty);
            locals.push(zero);
        }
        state.locals = Rc::new(locals);
        let entry = state.path;
        let ways_out = self.ways_out();
        self.frames.push(frame);
        self.targets.push(Target::Call { returned: Vec::new(), thrown: Vec::new() });
        let body = procedure.body.as_deref().unwrap_or_default();
        if let Some(mut end) = self.block(body, state)? {
            // A function that falls off its end gives zero.
            end.locals = Rc::new(procedure.result.iter().map(|ty| self.zero(ty)).collect());
            if let Some(Target::Call { returned, .. }) = self.targets.last_mut() {
                returned.push(end);
            }
        }
        let Some(Target::Call { returned, thrown }) = self.targets.pop() else {
            panic!("a call should end inside of itself")
        };
        self.frames.pop();
        self.set_ways_out(ways_out);
        let kind = crate::path::StepKind::Branch;
        let returned = crate::merge::join(self.terms, &mut self.paths, returned, entry, false, kind);
        Ok(Called { returned, thrown })
    }

    /// Runs the procedure that is summarised: how it ends is how the run ends.
    pub(crate) fn run_root(
        &mut self,
        state: State,
        frame: Frame,
        args: Vec<SymValue>,
    ) -> Result<(), crate::Stopped> {
        let called = self.run_body(state, frame, args)?;
        if let Some(state) = called.returned {
            self.end_normally(state);
        }
        for thrown in called.thrown {
            self.end_in_error(thrown);
        }
        Ok(())
    }

    /// A call of a procedure, unless it would be one recursion too many.
    pub(crate) fn frame(&self, procedure: ProcId, entry: PathId) -> Option<Frame> {
        let branches = self.paths.branches(entry) + self.guided_branches();
        let outer = self.frames.iter().rev().find(|frame| frame.procedure == procedure);
        let Some(outer) = outer else { return Some(Frame { procedure, branches, counted: 0, total: 0 }) };
        let depends_on_inputs = branches > outer.branches;
        let counted = outer.counted + u32::from(depends_on_inputs);
        let total = outer.total + 1;
        let goes_on = counted <= self.config.bound && total <= self.config.concrete_limit;
        goes_on.then_some(Frame { procedure, branches, counted, total })
    }

    pub(super) fn give_back(&mut self, mut state: State, value: Option<&Expr>) -> Step {
        let result = match value {
            Some(value) => {
                let value = self.eval(&state, value)?;
                vec![self.bounded(value)?]
            }
            None => Vec::new(),
        };
        state.locals = Rc::new(result);
        self.send_returned(state);
        Ok(None)
    }

    /// Sends a state, whose locals are the result alone, to the end of the call.
    pub(super) fn send_returned(&mut self, state: State) {
        let place = self.targets.iter().rposition(|target| matches!(target, Target::Call { .. }));
        let Some(place) = place else { panic!("a run should be inside of a call") };
        if let Target::Call { returned, .. } = &mut self.targets[place] {
            returned.push(state);
        }
        self.escapes.jump(place);
    }
}
