//! Statements that choose where the run goes on: conditionals, jumps, checks and handlers.

use super::target::{Target, Thrown};
use super::{Executor, Flow, Halt};
use crate::path::StepKind;
use crate::state::State;
use ir::{Block, Catch, CatchKind, ErrorId, Expr, LabelId};

type Step = Result<Option<State>, Halt>;

impl Executor<'_> {
    pub(super) fn branch(
        &mut self,
        mut state: State,
        condition: &Expr,
        then: &Block,
        otherwise: &Block,
    ) -> Step {
        let test = self.eval_scalar(&state, condition)?;
        let chosen_before = self.guided_branches();
        if let Some(value) = self.decide(state.path, test, StepKind::Branch)? {
            let (taken, other) = if value { (then, otherwise) } else { (otherwise, then) };
            match self.guided_branches() == chosen_before {
                true => self.note_exit_test(&state, condition, other),
                false => self.note_choice([then, otherwise]),
            }
            return Ok(self.block(taken, state)?);
        }
        let entry = state.path;
        let opposite = self.terms.not(test);
        let before = self.watch();
        let inside = self.targets.len();
        let mut other = state.clone();
        state.path = self.paths.extend(entry, test, StepKind::Branch);
        let after_then = self.block(then, state)?;
        other.path = self.paths.extend(entry, opposite, StepKind::Branch);
        let after_otherwise = self.block(otherwise, other)?;
        let left = self.left(before, inside);
        let states = after_then.into_iter().chain(after_otherwise).collect();
        Ok(self.join(states, entry, left))
    }

    pub(super) fn scope(&mut self, state: State, label: LabelId, body: &Block) -> Flow {
        let entry = state.path;
        let before = self.watch();
        let inside = self.targets.len();
        self.targets.push(Target::Break { label, states: Vec::new(), exit: Default::default() });
        let end = self.block(body, state)?;
        let Some(Target::Break { mut states, .. }) = self.targets.pop() else {
            panic!("a scope should end inside of itself")
        };
        states.extend(end);
        let left = self.left(before, inside);
        Ok(self.join(states, entry, left))
    }

    pub(super) fn jump_out(&mut self, state: State, to: LabelId) -> Step {
        let place = self.target_place(|target| matches!(target, Target::Break { label, .. } if *label == to));
        self.jump_to(place, state)
    }

    pub(super) fn jump_back(&mut self, state: State, to: LabelId) -> Step {
        let place =
            self.target_place(|target| matches!(target, Target::Continue { label, .. } if *label == to));
        self.jump_to(place, state)
    }

    fn jump_to(&mut self, place: Option<usize>, state: State) -> Step {
        let Some(place) = place else {
            return Err(Halt::NoMeaning(
                "a jump that breaks a rule of the IR (to no enclosing label)".to_owned(),
            ));
        };
        if let Target::Break { states, .. } | Target::Continue { states, .. } = &mut self.targets[place] {
            states.push(state);
        }
        self.escapes.jump(place);
        Ok(None)
    }

    pub(super) fn check(&mut self, mut state: State, condition: &Expr, error: ErrorId) -> Step {
        let condition = self.eval_scalar(&state, condition)?;
        let carried = self.zero(&self.program.carried);
        match self.decide(state.path, condition, StepKind::Check)? {
            Some(true) => return Ok(Some(state)),
            Some(false) => {
                self.send_thrown(Thrown { state, error, carried });
                return Ok(None);
            }
            None => {}
        }
        let opposite = self.terms.not(condition);
        let mut failed = state.clone();
        failed.path = self.paths.extend(state.path, opposite, StepKind::Check);
        self.send_thrown(Thrown { state: failed, error, carried });
        state.path = self.paths.extend(state.path, condition, StepKind::Check);
        Ok(Some(state))
    }

    pub(super) fn throw(&mut self, state: State, error: ErrorId, message: Option<&Expr>) -> Step {
        let carried = match message {
            Some(message) => self.eval(&state, message)?,
            None => self.zero(&self.program.carried),
        };
        self.send_thrown(Thrown { state, error, carried });
        Ok(None)
    }

    pub(super) fn try_catch(&mut self, state: State, body: &Block, catches: &[Catch]) -> Flow {
        let entry = state.path;
        let before = self.watch();
        let inside = self.targets.len();
        self.targets.push(Target::Try { thrown: Vec::new() });
        let end = self.block(body, state)?;
        let Some(Target::Try { mut thrown }) = self.targets.pop() else {
            panic!("a try should end inside of itself")
        };
        let mut states: Vec<State> = end.into_iter().collect();
        for catch in catches {
            let caught;
            (caught, thrown) =
                thrown.into_iter().partition(|thrown| catches_error(&catch.kind, thrown.error));
            if let Some(state) = self.join_caught(caught, catch)
                && let Some(state) = self.block(&catch.body, state)?
            {
                states.push(state);
            }
        }
        for thrown in thrown {
            self.send_thrown(thrown);
        }
        let left = self.left(before, inside);
        Ok(self.join(states, entry, left))
    }

    fn join_caught(&mut self, caught: Vec<Thrown>, catch: &Catch) -> Option<State> {
        let states: Vec<State> = caught
            .into_iter()
            .map(|Thrown { mut state, carried, .. }| {
                if let Some(local) = catch.message {
                    *state.local_mut(local.index()) = carried;
                }
                state
            })
            .collect();
        // Most often not all of the paths into the `try` end in this handler.
        let entry = states.first()?.path;
        crate::merge::join(self.terms, &mut self.paths, states, entry, false, StepKind::Branch)
    }
}

fn catches_error(kind: &CatchKind, error: ErrorId) -> bool {
    match kind {
        CatchKind::Any => true,
        CatchKind::Errors(errors) => errors.contains(&error),
    }
}
