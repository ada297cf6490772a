//! Loops from any state: one iteration of them, and stepping over them.

use super::target::{ExitTest, Target, Thrown};
use super::{Executor, Halt};
use crate::abstraction::Abstraction;
use crate::config::{Config, Stopped};
use crate::ending::{Exit, Final};
use crate::inputs::Inputs;
use crate::iteration::{Element, Iteration, LoopShape, LoopUse, StatePlace};
use crate::merge::{self, Mergeable};
use crate::path::{PathId, Paths, StepKind};
use crate::stack::on_a_large_stack;
use crate::state::{Escaped, State};
use crate::value::{SortTree, SymValue, ref_number, ref_sort};
use ir::WayOut;
use smt::{Sort, Term, Terms};
use std::rc::Rc;

/// A state that has left a loop.
struct Left {
    /// The code of the way out: 0 for the end of the loop.
    code: u32,
    state: State,
    result: Vec<Term>,
    returned: bool,
}

/// One iteration of a loop. The variables of the state begin with `prefix`.
pub fn iteration(
    terms: &mut Terms,
    shape: &LoopShape<'_>,
    prefix: &str,
    inputs: &Inputs,
    config: &Config,
    hidden: &Abstraction,
) -> Result<Iteration, Stopped> {
    on_a_large_stack(|| {
        Executor::new(terms, shape.program, inputs, config, hidden).one_iteration(shape, prefix)
    })
}

impl Executor<'_> {
    /// Runs one iteration from a state of variables.
    pub(crate) fn one_iteration(mut self, shape: &LoopShape<'_>, prefix: &str) -> Result<Iteration, Stopped> {
        self.scope = format!("{prefix}.");
        let mut state = self.initial_state(shape.procedure);
        state.memory_mut().escaped = Rc::new(Escaped::anything());
        let locals = &self.program.procedure(shape.procedure).locals;
        let zeros: Vec<SymValue> = locals.iter().map(|local| self.zero(&local.ty)).collect();
        state.locals = Rc::new(zeros);
        let (elements, before) = self.variables(&mut state, shape, prefix);
        let frame =
            self.frame(shape.procedure, Paths::ROOT).expect("the first call should be within every bound");
        let label = shape.label();
        self.frames.push(frame);
        self.targets.push(Target::Call { returned: Vec::new(), thrown: Vec::new() });
        self.targets.push(Target::Break { label, states: Vec::new(), exit: ExitTest::default() });
        self.targets.push(Target::Continue { label, states: Vec::new() });
        let end = self.block(shape.body(), state)?;
        let Some(Target::Continue { states: mut next, .. }) = self.targets.pop() else {
            panic!("an iteration")
        };
        let Some(Target::Break { states: broken, .. }) = self.targets.pop() else { panic!("a loop") };
        let Some(Target::Call { returned, thrown }) = self.targets.pop() else { panic!("a call") };
        next.extend(end);
        let end_of_loop = |state| Left { code: 0, state, result: Vec::new(), returned: false };
        let mut left: Vec<Left> = broken.into_iter().map(end_of_loop).collect();
        for state in returned {
            let code = self.way_code(WayOut::Return);
            let result = state.locals.iter().flat_map(SymValue::leaves).collect();
            left.push(Left { code, state, result, returned: true });
        }
        for Thrown { state, error, .. } in thrown {
            let code = self.way_code(WayOut::Error(error));
            left.push(Left { code, state, result: Vec::new(), returned: false });
        }
        Ok(self.tell(shape, elements, before, next, left))
    }

    /// Fresh variables for the state of a loop.
    fn variables(
        &mut self,
        state: &mut State,
        shape: &LoopShape<'_>,
        prefix: &str,
    ) -> (Vec<Element>, Vec<Term>) {
        let (mut elements, mut variables) = (Vec::new(), Vec::new());
        for place in &shape.places {
            let value = place_value(state, *place);
            let mut leaf = 0;
            let fresh = value.map(&mut |term| {
                let sort = self.terms.sort_of(term).clone();
                let variable = self.terms.var(&format!("{prefix}.{}", variables.len()), &sort);
                elements.push(Element { place: *place, leaf, sort });
                variables.push(variable);
                leaf += 1;
                variable
            });
            set_place(state, *place, fresh);
        }
        (elements, variables)
    }

    /// Writes down what an iteration does.
    fn tell(
        mut self,
        shape: &LoopShape<'_>,
        elements: Vec<Element>,
        before: Vec<Term>,
        next: Vec<State>,
        left: Vec<Left>,
    ) -> Iteration {
        let never = self.terms.bool(false);
        let nothing = self.terms.text(&[]);
        let numbers = self.config.numbers;
        let (mut goes_on, mut after, mut written) = (never, before.clone(), [nothing; 2]);
        let next = merge::join(self.terms, &mut self.paths, next, Paths::ROOT, false, StepKind::Branch);
        if let Some(state) = next {
            goes_on = self.reached(state.path);
            after = state_terms(&state, shape);
            written = state.memory.written;
        }
        let zero = ref_number(self.terms, 0, numbers);
        let (mut leaves, mut ended, mut at_end, mut result) = (never, zero, before.clone(), Vec::new());
        for Left { code, state, result: value, returned } in left {
            let here = self.reached(state.path);
            let code = ref_number(self.terms, code, numbers);
            let there = match returned {
                true => state_terms_after_return(&state, &elements, &before),
                false => state_terms(&state, shape),
            };
            let terms = &mut *self.terms;
            leaves = terms.or(&[leaves, here]);
            ended = terms.ite(here, code, ended);
            at_end = there.iter().zip(&at_end).map(|(new, old)| terms.ite(here, *new, *old)).collect();
            for (written, there) in written.iter_mut().zip(state.memory.written) {
                *written = terms.ite(here, there, *written);
            }
            if result.is_empty() {
                result = value;
            } else if !value.is_empty() {
                result = value.iter().zip(&result).map(|(new, old)| terms.ite(here, *new, *old)).collect();
            }
        }
        let finals = std::mem::take(&mut self.finals);
        // Under partial equivalence a run that does not end is as good as unfinished.
        let told_apart = |ending: &&Final| !self.config.total || !ending.exits.contains_key(&Exit::Diverged);
        let gaps: Vec<Final> = finals.iter().filter(told_apart).cloned().collect();
        let gaps: Vec<Term> = gaps.iter().map(|ending| self.reached(ending.path())).collect();
        let unfinished = self.terms.or(&gaps);
        Iteration {
            elements,
            variables: before.iter().copied().collect(),
            before,
            goes_on,
            after,
            leaves,
            ended,
            at_end,
            result,
            written,
            unfinished,
            assumptions: self.notes.assumptions,
            assumption_texts: self.notes.texts.into_iter().collect(),
            inner: self.loop_uses,
        }
    }

    /// The code of a way out, the same in both versions; undefined behaviour of C is one way.
    fn way_code(&self, way: WayOut) -> u32 {
        match way {
            WayOut::Return => 1,
            WayOut::Error(error) if ir::is_undefined(self.program.error(error)) => 2,
            WayOut::Error(error) => {
                3 + self.inputs.errors.get(self.program.error(error)).copied().unwrap_or(0)
            }
            WayOut::Break(_) | WayOut::Continue(_) => {
                panic!("a loop that is stepped over should not jump further")
            }
        }
    }

    /// The condition of a path.
    fn reached(&mut self, path: PathId) -> Term {
        let conditions = self.paths.conditions(Paths::ROOT, path);
        self.terms.and(&conditions)
    }

    /// Steps over a loop after some iterations: what it leaves behind are symbols of its own.
    pub(super) fn step_over_loop(
        &mut self,
        state: State,
        shape: &LoopShape<'_>,
        number: usize,
        name: &str,
        peeled: u32,
    ) -> Result<Option<State>, Halt> {
        let entry = state.path;
        let before = self.watch();
        let inside = self.targets.len();
        let label = shape.label();
        self.targets.push(Target::Break { label, states: Vec::new(), exit: ExitTest::default() });
        let mut next = Some(state);
        for _ in 0..peeled {
            let Some(state) = next else { break };
            (next, _) = self.iteration(shape.body(), state, label)?;
        }
        let after = next.and_then(|state| self.loop_symbols(state, shape, number, name));
        let Some(Target::Break { mut states, .. }) = self.targets.pop() else {
            panic!("a loop should end inside of itself")
        };
        states.extend(after);
        let left = self.left(before, inside);
        Ok(self.join(states, entry, left))
    }

    fn loop_symbols(
        &mut self,
        mut state: State,
        shape: &LoopShape<'_>,
        number: usize,
        name: &str,
    ) -> Option<State> {
        let numbers = self.config.numbers;
        if shape.places.contains(&StatePlace::World) {
            self.show_written(&mut state);
        }
        let entry = state_terms(&state, shape);
        let reached = self.reached(state.path);
        let use_number = self.loop_uses.len();
        let name = format!("{name}.{}{use_number}", self.scope);
        let diverges = match self.config.total {
            true => Some(self.notes.unknown(self.terms, &format!("{name}.diverges"), &[], &Sort::Bool)),
            false => None,
        };
        match diverges {
            Some(diverges) => state.path = self.diverge(state.path, diverges),
            None => self.open_ended = true,
        }
        let mut exit = Vec::new();
        for place in &shape.places {
            let value = place_value(&state, *place);
            if !shape.written.contains(place) {
                exit.extend(value.leaves());
                continue;
            }
            let changed = value.map(&mut |term| {
                let sort = self.terms.sort_of(term).clone();
                let symbol =
                    self.notes.unknown(self.terms, &format!("{name}.exit{}", exit.len()), &[], &sort);
                exit.push(symbol);
                symbol
            });
            set_place(&mut state, *place, changed);
        }
        if shape.places.contains(&StatePlace::World) {
            state.let_all_escape();
        }
        let ended = self.notes.unknown(self.terms, &format!("{name}.ended"), &[], &ref_sort(numbers));
        let mut written = [self.terms.text(&[]); 2];
        for stream in &shape.prints {
            let name = format!("{name}.written{}", stream.index());
            let text = self.notes.unknown(self.terms, &name, &[], &Sort::Text);
            written[stream.index()] = text;
            state.write(self.terms, *stream, text);
        }
        let mut result = Vec::new();
        for way in &shape.ways_out {
            let code = self.way_code(*way);
            let mut leaving = self.leaving(&mut state, *way, ended, code);
            match way {
                WayOut::Error(error) => {
                    let sorts = SortTree::of(&self.program.carried, numbers);
                    let carried = sorts.build(&format!("{name}.carried"), &mut |name, sort| {
                        self.notes.unknown(self.terms, name, &[], sort)
                    });
                    self.send_thrown(Thrown { state: leaving, error: *error, carried });
                }
                WayOut::Return => {
                    let ty = self.program.procedure(shape.procedure).result.clone();
                    let sorts = ty.map(|ty| SortTree::of(&ty, numbers));
                    let value = sorts.map(|sorts| {
                        sorts.build(&format!("{name}.result"), &mut |name, sort| {
                            self.notes.unknown(self.terms, name, &[], sort)
                        })
                    });
                    result = value.iter().flat_map(SymValue::leaves).collect();
                    leaving.locals = Rc::new(value.into_iter().collect());
                    self.send_returned(leaving);
                }
                WayOut::Break(_) | WayOut::Continue(_) => {
                    panic!("a loop that is stepped over should not jump further")
                }
            }
        }
        self.loop_uses.push(LoopUse { number, reached, entry, exit, diverges, ended, result, written });
        Some(state)
    }
}

fn place_value(state: &State, place: StatePlace) -> SymValue {
    match place {
        StatePlace::Local(local) => state.locals[local.index()].clone(),
        StatePlace::Global(global) => state.memory.globals[global.index()].clone(),
        StatePlace::Region(region) => state.memory.regions[region.index()].clone(),
        StatePlace::World => SymValue::Scalar(state.memory.world),
    }
}

fn set_place(state: &mut State, place: StatePlace, value: SymValue) {
    match place {
        StatePlace::Local(local) => *state.local_mut(local.index()) = value,
        StatePlace::Global(global) => state.memory_mut().globals[global.index()] = value,
        StatePlace::Region(region) => state.memory_mut().regions[region.index()] = value,
        StatePlace::World => {
            if let SymValue::Scalar(world) = value {
                state.memory_mut().world = world;
            }
        }
    }
}

/// The terms of a loop's state, in the order of its elements.
fn state_terms(state: &State, shape: &LoopShape<'_>) -> Vec<Term> {
    shape.places.iter().flat_map(|place| place_value(state, *place).leaves()).collect()
}

/// The same where the procedure has returned: its locals are gone, and do not matter.
fn state_terms_after_return(state: &State, elements: &[Element], before: &[Term]) -> Vec<Term> {
    let outlives = |place: StatePlace| !matches!(place, StatePlace::Local(_));
    let at = elements.iter().zip(before).map(|(element, before)| match outlives(element.place) {
        true => place_value(state, element.place).leaves()[element.leaf],
        false => *before,
    });
    at.collect()
}
