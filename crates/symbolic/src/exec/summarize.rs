//! Summarises a procedure: runs it from the start, and writes down how its paths end.

use super::Executor;
use super::guide::Choices;
use super::target::Thrown;
use crate::abstraction::Abstraction;
use crate::config::{Config, Stopped};
use crate::ending::{Exit, Final, Gap};
use crate::inputs::Inputs;
use crate::inputs::types::InputType;
use crate::merge;
use crate::path::{Paths, StepKind};
use crate::stack::on_a_large_stack;
use crate::state::{Memory, State};
use crate::summary::{Carried, Cut, Summary, Unsupported};
use crate::value::{SymValue, ref_number};
use ir::{ProcId, Program, Span};
use smt::{Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Summarises a procedure.
pub fn summarize(
    terms: &mut Terms,
    program: &Program,
    procedure: ProcId,
    inputs: &Inputs,
    config: &Config,
) -> Result<Summary, Stopped> {
    summarize_hiding(terms, program, procedure, inputs, config, &Abstraction::nothing())
}

/// Summarises a procedure without looking into some of its statements. Runs on a large stack.
pub fn summarize_hiding(
    terms: &mut Terms,
    program: &Program,
    procedure: ProcId,
    inputs: &Inputs,
    config: &Config,
    hidden: &Abstraction,
) -> Result<Summary, Stopped> {
    on_a_large_stack(|| Executor::new(terms, program, inputs, config, hidden).run(procedure).0)
}

impl Executor<'_> {
    /// The summary, and what a guide chose on the way.
    pub(crate) fn run(mut self, procedure: ProcId) -> (Result<Summary, Stopped>, Option<Choices>) {
        let summary = self.summarize(procedure);
        (summary, self.choices)
    }

    fn summarize(&mut self, procedure: ProcId) -> Result<Summary, Stopped> {
        let start = self.initial_state(procedure);
        let memory = start.memory.clone();
        let args = self.arguments(procedure);
        let frame = self.frame(procedure, Paths::ROOT).expect("the first call should be within every bound");
        match self.program.procedure(procedure).body.is_some() {
            true => self.run_root(start, frame, args)?,
            false => self.run_external(start, procedure, &args),
        }
        let finals = std::mem::take(&mut self.finals);
        let joined = merge::join(self.terms, &mut self.paths, finals, Paths::ROOT, true, StepKind::Branch);
        let all = joined.expect("every run should end in some way");
        Ok(self.account(procedure, all, memory))
    }

    fn run_external(&mut self, state: State, procedure: ProcId, args: &[SymValue]) {
        let result = self.program.procedure(procedure).result.as_ref();
        let zero: Vec<SymValue> = result.iter().map(|ty| self.zero(ty)).collect();
        let state = State { locals: Rc::new(zero), ..state };
        let local = result.map(|_| ir::LocalId(0));
        let state = self.call_external(state, local, procedure, args);
        self.end_normally(state);
    }

    pub(crate) fn end_normally(&mut self, state: State) {
        let ending = Final::new(self.terms, state.path, Exit::Returned);
        let result = state.locals.first().cloned();
        self.finals.push(Final { memory: Some(state.memory), result, ..ending });
    }

    pub(crate) fn end_in_error(&mut self, thrown: Thrown) {
        let Thrown { state, error, carried } = thrown;
        let exit = Exit::Failed(self.program.error(error).to_owned());
        let ending = Final::new(self.terms, state.path, exit);
        self.finals.push(Final { memory: Some(state.memory), thrown: Some(carried), ..ending });
    }

    /// Where messages count, runs that end in an error without a known one have no meaning for us.
    fn unknown_messages(
        &mut self,
        endings: &BTreeMap<Option<String>, Term>,
        thrown: Option<Carried>,
    ) -> Vec<Unsupported> {
        let Some(Carried { is_known, .. }) = thrown.filter(|_| self.config.errors.messages) else {
            return Vec::new();
        };
        let mut gaps = Vec::new();
        for (error, guard) in endings {
            if let Some(error) = error
                && ir::message_of_check(error).is_none()
            {
                let is_unknown = self.terms.not(is_known);
                let guard = self.terms.and(&[*guard, is_unknown]);
                if guard != self.terms.bool(false) {
                    let what = format!("the message of a `{error}` that the language or the library made");
                    gaps.push(Unsupported { guard, what, span: Span::NOWHERE });
                }
            }
        }
        gaps
    }

    /// Writes the summary. `initial` stands in where no run ends with a memory that matters.
    fn account(&mut self, procedure: ProcId, all: Final, initial: Rc<Memory>) -> Summary {
        let memory = all.memory.unwrap_or(initial);
        let never = self.terms.bool(false);
        let mut ended = ref_number(self.terms, 0, self.config.numbers);
        let mut endings = BTreeMap::new();
        let (mut excluded, mut diverged, mut cut, mut unsupported) = (never, never, Vec::new(), Vec::new());
        for (exit, guard) in all.exits {
            if guard == never {
                continue;
            }
            match exit {
                Exit::Returned => {
                    endings.insert(None, guard);
                }
                Exit::Failed(name) => {
                    let code = self.inputs.errors.get(&name).copied().unwrap_or(0);
                    let code = ref_number(self.terms, code, self.config.numbers);
                    ended = self.terms.ite(guard, code, ended);
                    endings.insert(Some(name), guard);
                }
                Exit::Excluded => excluded = guard,
                Exit::Diverged => diverged = guard,
                Exit::Gap(place) => match self.gaps[place].clone() {
                    Gap::Cut { kind, span, procedure } => {
                        cut.push(Cut { guard, what: kind, span, procedure })
                    }
                    Gap::Unsupported { what, span } => unsupported.push(Unsupported { guard, what, span }),
                },
            }
        }
        let thrown = all.thrown.as_ref().and_then(Carried::of);
        unsupported.extend(self.unknown_messages(&endings, thrown));
        let error_fields = endings.keys().flatten().map(|error| {
            let regions = self.program.error_fields(error).into_iter();
            (error.clone(), regions.map(|region| self.program.region(region).name.clone()).collect())
        });
        let error_fields = error_fields.collect();
        let notes = std::mem::take(&mut self.notes);
        let result_type = self.program.procedure(procedure).result.as_ref();
        let named = |(global, value): (&ir::Global, &SymValue)| (global.name.clone(), value.clone());
        let globals = self.program.globals.iter().zip(&memory.globals);
        let globals = globals.filter(|(global, _)| !global.constant).map(named);
        let absent_globals = self.absent.globals.iter().cloned().zip(memory.absent_globals.iter().cloned());
        let regions = self.program.regions.iter().zip(&memory.regions);
        let regions = regions.map(|(region, cells)| (region.name.clone(), cells.clone()));
        let absent_regions = self.absent.regions.iter().cloned().zip(memory.absent_regions.iter().cloned());
        Summary {
            ended,
            endings,
            result: all.result,
            result_type: result_type.map(|ty| InputType::of(ty, self.program, &self.inputs.shape_table)),
            thrown,
            error_fields,
            globals: globals.chain(absent_globals).collect(),
            heap: regions.chain(absent_regions).collect(),
            lengths: memory.lengths,
            shapes: memory.shapes,
            allocated: memory.allocated,
            written: memory.written,
            world: memory.world,
            escaped: (*memory.escaped).clone(),
            excluded,
            diverged,
            open_ended: self.open_ended,
            cut,
            unsupported,
            hidden: std::mem::take(&mut self.hidden_uses),
            loops: std::mem::take(&mut self.loop_uses),
            abstractions: notes.abstractions.into_iter().collect(),
            assumptions: notes.assumptions,
            assumption_texts: notes.texts.into_iter().collect(),
        }
    }
}
