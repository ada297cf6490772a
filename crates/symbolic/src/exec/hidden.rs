//! Steps over hidden statements: all that they may change becomes a function of all that they may read.
//! Over-approximating, as `hidden` says.

use super::target::Thrown;
use super::{Executor, Halt};
use crate::abstraction::{HiddenCall, HiddenUse, Instead};
use crate::iteration::LoopShape;
use crate::path::{Paths, StepKind};
use crate::state::State;
use crate::value::{SortTree, SymValue, ref_number, ref_sort};
use ir::{Interface, LocalId, ProcId, Stmt, WayOut};
use smt::{Sort, Term};
use std::rc::Rc;

type Step = Result<Option<State>, Halt>;

/// The symbols of one use, as they are made.
struct Symbols<'n> {
    name: &'n str,
    args: Vec<Term>,
    made: Vec<Term>,
}

impl Executor<'_> {
    pub(super) fn step_over(&mut self, state: State, stmts: &[Stmt], instead: &Instead) -> Step {
        match instead {
            Instead::Nothing => {
                self.open_ended |= self.code_facts.may_not_end(self.program, stmts);
                Ok(Some(state))
            }
            Instead::Loop { number, name, peeled, places, written, prints, ways_out } => {
                let procedure = self.frames.last().map_or(ProcId(0), |frame| frame.procedure);
                let [stmt] = stmts else { panic!("a loop that is stepped over should be one statement") };
                let shape = LoopShape {
                    program: self.program,
                    procedure,
                    stmt,
                    places: places.clone(),
                    written: written.clone(),
                    prints: prints.clone(),
                    ways_out: ways_out.clone(),
                };
                self.step_over_loop(state, &shape, *number, name, *peeled)
            }
            Instead::Return { name } => {
                let mut symbols = Symbols { name, args: Vec::new(), made: Vec::new() };
                self.return_unknown(state, &mut symbols);
                Ok(None)
            }
            Instead::Symbols { name, interface } => {
                let ends = !self.code_facts.may_not_end(self.program, stmts);
                self.replace(state, name, interface, ends)
            }
        }
    }

    /// A call of a hidden procedure: the result, too, is a function of what goes in.
    pub(super) fn call_hidden(
        &mut self,
        state: State,
        local: Option<LocalId>,
        callee: ProcId,
        values: &[SymValue],
        hidden: &HiddenCall,
    ) -> Step {
        let mut state = state;
        self.before_hidden(&mut state, &hidden.interface);
        let mut args: Vec<Term> = values.iter().flat_map(SymValue::leaves).collect();
        args.extend(goes_in(&state, &hidden.interface));
        let mut symbols = Symbols { name: &hidden.name, args, made: Vec::new() };
        let result = self.program.procedure(callee).result.as_ref();
        let result = result.map(|ty| SortTree::of(ty, self.config.numbers));
        let result = result
            .map(|sorts| sorts.build("result", &mut |part, sort| self.symbol(&mut symbols, part, sort)));
        // Calls are hidden because they are recursive.
        let state = self.may_diverge(state, &mut symbols);
        if let (Some(result), true) = (&result, is_pure(&hidden.interface)) {
            self.unfold(&state, callee, values, result)?;
        }
        let Some(mut state) = self.change(state, &mut symbols, &hidden.interface)? else { return Ok(None) };
        if let (Some(local), Some(result)) = (local, result) {
            *state.local_mut(local.index()) = result;
        }
        Ok(Some(state))
    }

    /// Says of a hidden call what its body, with the calls in it hidden, returns: base cases show that way.
    fn unfold(
        &mut self,
        state: &State,
        callee: ProcId,
        values: &[SymValue],
        result: &SymValue,
    ) -> Result<(), Halt> {
        if self.unfolding {
            return Ok(());
        }
        let Some(frame) = self.frame(callee, state.path) else { return Ok(()) };
        // The body is run on the side: how it ends is not how this run ends.
        let finals = std::mem::take(&mut self.finals);
        let before = self.watch();
        self.unfolding = true;
        let called = self.run_body(state.clone(), frame, values.to_vec());
        self.unfolding = false;
        self.finals = finals;
        self.forget_escapes(before);
        if let Some(returned) = called?.returned
            && let Some(value) = returned.locals.first()
        {
            let mut parts = self.paths.conditions(Paths::ROOT, returned.path);
            let premise = self.terms.and(&parts);
            parts.clear();
            for (symbol, leaf) in result.leaves().into_iter().zip(value.leaves()) {
                parts.push(self.terms.eq(symbol, leaf));
            }
            let same = self.terms.and(&parts);
            let fact = self.terms.implies(premise, same);
            self.notes.assume(self.terms, fact);
        }
        Ok(())
    }

    fn replace(&mut self, mut state: State, name: &str, interface: &Interface, ends: bool) -> Step {
        self.before_hidden(&mut state, interface);
        let mut symbols = Symbols { name, args: goes_in(&state, interface), made: Vec::new() };
        if !ends {
            state = self.may_diverge(state, &mut symbols);
        }
        self.change(state, &mut symbols, interface)
    }

    /// Unknown code in what is hidden may write to the streams after all that was written before.
    fn before_hidden(&mut self, state: &mut State, interface: &Interface) {
        if interface.calls_out {
            self.show_written(state);
        }
    }

    /// Splits off the runs on which hidden code does not end: that, too, is a function of what goes in.
    fn may_diverge(&mut self, mut state: State, symbols: &mut Symbols<'_>) -> State {
        if !self.config.total {
            self.open_ended = true;
            return state;
        }
        let diverges = self.symbol(symbols, "diverges", &Sort::Bool);
        state.path = self.diverge(state.path, diverges);
        state
    }

    /// Gives new values to all that may change, and leaves on all ways out.
    fn change(&mut self, mut state: State, symbols: &mut Symbols<'_>, interface: &Interface) -> Step {
        for (place, local) in interface.outputs.iter().enumerate() {
            let before = state.locals[local.index()].clone();
            *state.local_mut(local.index()) = self.changed(symbols, &format!("local{place}"), &before);
        }
        for (place, global) in interface.written_globals.iter().enumerate() {
            let before = state.memory.globals[global.index()].clone();
            let after = self.changed(symbols, &format!("global{place}"), &before);
            state.memory_mut().globals[global.index()] = after;
        }
        for (place, region) in interface.written_regions.iter().enumerate() {
            let before = state.memory.regions[region.index()].clone();
            let after = self.changed(symbols, &format!("region{place}"), &before);
            state.memory_mut().regions[region.index()] = after;
        }
        if interface.frees {
            for place in 0..state.memory.lengths.len() {
                let sort = self.terms.sort_of(state.memory.lengths[place]).clone();
                let after = self.symbol(symbols, &format!("lengths{place}"), &sort);
                state.memory_mut().lengths[place] = after;
            }
        }
        for stream in &interface.prints {
            let written = self.symbol(symbols, &format!("written{}", stream.index()), &Sort::Text);
            state.write(self.terms, *stream, written);
        }
        if interface.calls_out {
            let sort = self.terms.sort_of(state.memory.world).clone();
            state.memory_mut().world = self.symbol(symbols, "world", &sort);
            state.let_all_escape();
        }
        let after = self.leave(state, symbols, &interface.ways_out);
        self.hidden_uses
            .push(HiddenUse { name: symbols.name.to_owned(), symbols: std::mem::take(&mut symbols.made) });
        after
    }

    /// Sends the state on all ways out; what is left goes on after the statements.
    fn leave(&mut self, mut state: State, symbols: &mut Symbols<'_>, ways_out: &[WayOut]) -> Step {
        if ways_out.is_empty() {
            return Ok(Some(state));
        }
        let numbers = self.config.numbers;
        let ended = self.symbol(symbols, "ended", &ref_sort(numbers));
        for (code, way) in (1..).zip(ways_out) {
            let leaving = self.leaving(&mut state, *way, ended, code);
            match way {
                WayOut::Error(error) => {
                    let sorts = SortTree::of(&self.program.carried, numbers);
                    let carried = sorts.build("carried", &mut |part, sort| self.symbol(symbols, part, sort));
                    self.send_thrown(Thrown { state: leaving, error: *error, carried });
                }
                WayOut::Break(label) => {
                    self.jump_out(leaving, *label)?;
                }
                WayOut::Continue(label) => {
                    self.jump_back(leaving, *label)?;
                }
                WayOut::Return => self.return_unknown(leaving, symbols),
            }
        }
        Ok(Some(state))
    }

    /// The state that takes a way out, where hidden code ended with its code; the other one goes on elsewhere.
    pub(super) fn leaving(&mut self, state: &mut State, way: WayOut, ended: Term, code: u32) -> State {
        let code = ref_number(self.terms, code, self.config.numbers);
        let here = self.terms.eq(ended, code);
        let elsewhere = self.terms.not(here);
        let kind = if matches!(way, WayOut::Error(_)) { StepKind::Check } else { StepKind::Branch };
        let mut leaving = state.clone();
        leaving.path = self.paths.extend(state.path, here, kind);
        state.path = self.paths.extend(state.path, elsewhere, kind);
        leaving
    }

    fn return_unknown(&mut self, mut state: State, symbols: &mut Symbols<'_>) {
        let result = self.frames.last().and_then(|frame| {
            let ty = self.program.procedure(frame.procedure).result.as_ref()?;
            Some(SortTree::of(ty, self.config.numbers))
        });
        let result =
            result.map(|sorts| sorts.build("result", &mut |part, sort| self.symbol(symbols, part, sort)));
        state.locals = Rc::new(result.into_iter().collect());
        self.send_returned(state);
    }

    /// A value of the same sorts of which only the name and what goes in are known.
    fn changed(&mut self, symbols: &mut Symbols<'_>, part: &str, before: &SymValue) -> SymValue {
        let mut place = 0;
        before.map(&mut |leaf| {
            place += 1;
            let sort = self.terms.sort_of(leaf).clone();
            self.symbol(symbols, &format!("{part}.{place}"), &sort)
        })
    }

    fn symbol(&mut self, symbols: &mut Symbols<'_>, part: &str, sort: &Sort) -> Term {
        let name = format!("{}.{part}", symbols.name);
        let term = self.notes.unknown(self.terms, &name, &symbols.args, sort);
        symbols.made.push(term);
        term
    }
}

/// Whether a call does nothing but give a result.
fn is_pure(interface: &Interface) -> bool {
    interface.written_globals.is_empty()
        && interface.written_regions.is_empty()
        && interface.ways_out.is_empty()
        && !interface.frees
        && interface.prints.is_empty()
        && !interface.calls_out
}

/// The terms that the hidden statements may depend on, in an order that is the same in both versions.
fn goes_in(state: &State, interface: &Interface) -> Vec<Term> {
    let memory = &state.memory;
    let locals = interface.inputs.iter().map(|local| &state.locals[local.index()]);
    let globals = interface.globals.iter().map(|global| &memory.globals[global.index()]);
    let regions = interface.regions.iter().map(|region| &memory.regions[region.index()]);
    let mut args: Vec<Term> = locals.chain(globals).chain(regions).flat_map(SymValue::leaves).collect();
    if interface.asks_objects {
        args.extend(memory.lengths);
        args.push(memory.shapes);
    }
    if interface.calls_out {
        args.push(memory.world);
    }
    args
}
