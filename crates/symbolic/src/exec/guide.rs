//! Follows one path of a procedure instead of all: where a run can go on in several ways, chosen values say in which.
//!
//! Exact on the inputs that go this way: [`Followed::taken`] has all that was decided, and where it holds the summary
//! is that of [`crate::summarize`]. Elsewhere it says nothing. The values only choose; that they choose oddly costs
//! time, never truth.

use super::Executor;
use crate::abstraction::Abstraction;
use crate::config::{Config, Stopped};
use crate::inputs::Inputs;
use crate::path::StepKind;
use crate::stack::on_a_large_stack;
use crate::summary::Summary;
use ir::{ProcId, Program, Span, Stmt, StmtKind};
use rustc_hash::FxHashMap;
use smt::{Assignment, Term, Terms, Value};
use std::collections::BTreeSet;

/// What chooses the path.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// Values of the inputs, and of unknown functions as far as they are known.
    pub values: Assignment,
    /// Conditions that hold on the path, whatever the values say.
    pub given: Vec<Term>,
    /// Whether variables without a value get any, rather than leave the condition undecided.
    pub guesses: bool,
}

/// One path, from the start to its end.
#[derive(Clone, Debug)]
pub struct Followed {
    pub summary: Summary,
    /// What was decided on the way, in order: the condition of the path. What was given is not repeated.
    pub taken: Vec<Term>,
    /// The statements on the way, by their places in the source.
    pub visited: BTreeSet<Span>,
}

/// Why a path was not followed to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotFollowed {
    /// The guide does not say whether this condition holds; `taken` led there.
    Undecided {
        condition: Term,
        taken: Vec<Term>,
        /// Where the condition is asked for, and the statements on the way there.
        at: Span,
        visited: BTreeSet<Span>,
    },
    Stopped(Stopped),
}

/// Follows a procedure along the path that the guide chooses.
pub fn follow(
    terms: &mut Terms,
    program: &Program,
    procedure: ProcId,
    inputs: &Inputs,
    config: &Config,
    guide: &Guide,
) -> Result<Followed, NotFollowed> {
    let hidden = Abstraction::nothing();
    on_a_large_stack(|| {
        let mut executor = Executor::new(terms, program, inputs, config, &hidden);
        executor.choices = Some(Choices::of(executor.terms, guide));
        let (summary, choices) = executor.run(procedure);
        let Choices { taken, undecided, here, visited, .. } =
            choices.expect("a guided run should stay guided");
        match (summary, undecided) {
            (_, Some(condition)) => Err(NotFollowed::Undecided { condition, taken, at: here, visited }),
            (Ok(summary), None) => Ok(Followed { summary, taken, visited }),
            (Err(stopped), None) => Err(NotFollowed::Stopped(stopped)),
        }
    })
}

/// What a guided run has decided so far.
#[derive(Debug)]
pub(crate) struct Choices {
    values: Assignment,
    guesses: bool,
    decided: FxHashMap<Term, bool>,
    taken: Vec<Term>,
    undecided: Option<Term>,
    /// The statement that runs, and all that ran.
    here: Span,
    visited: BTreeSet<Span>,
    /// How many decisions were between ways to go on.
    pub(crate) branches: u32,
    /// How many of them could have left what runs now other than by its end.
    pub(crate) ways_out: u32,
}

impl Choices {
    fn of(terms: &mut Terms, guide: &Guide) -> Choices {
        let mut choices = Choices {
            values: guide.values.clone(),
            guesses: guide.guesses,
            decided: FxHashMap::default(),
            taken: Vec::new(),
            undecided: None,
            here: Span::NOWHERE,
            visited: BTreeSet::new(),
            branches: 0,
            ways_out: 0,
        };
        for &condition in &guide.given {
            choices.remember(terms, condition, true);
        }
        choices
    }

    /// Notes that a statement runs.
    pub(crate) fn visit(&mut self, at: Span) {
        self.here = at;
        self.visited.insert(at);
    }

    /// Whether a condition holds on the path, if that was decided before.
    pub(crate) fn known(&self, condition: Term) -> Option<bool> {
        self.decided.get(&condition).copied()
    }

    fn remember(&mut self, terms: &mut Terms, condition: Term, value: bool) {
        let opposite = terms.not(condition);
        self.decided.insert(condition, value);
        self.decided.insert(opposite, !value);
    }

    fn choose(&mut self, terms: &mut Terms, condition: Term) -> Result<bool, Stopped> {
        let mut value = terms.evaluate(condition, &self.values);
        if value.is_none() && self.guesses && self.fill_in(terms, condition) {
            value = terms.evaluate(condition, &self.values);
        }
        let Some(Value::Bool(value)) = value else {
            self.undecided = Some(condition);
            return Err(Stopped::Undecided);
        };
        self.remember(terms, condition, value);
        let holds = if value { condition } else { terms.not(condition) };
        self.taken.push(holds);
        Ok(value)
    }
}

impl Choices {
    /// Gives variables without a value some value; says whether there were any.
    fn fill_in(&mut self, terms: &Terms, condition: Term) -> bool {
        let before = self.values.variables.len();
        for variable in terms.variables(condition) {
            let name = terms.name(variable).expect("a variable should have a name");
            if !self.values.variables.contains_key(name) {
                self.values.variables.insert(name.to_owned(), Value::default_of(terms.sort_of(variable)));
            }
        }
        self.values.variables.len() > before
    }
}

impl Executor<'_> {
    /// The truth of a condition on a path: known, or chosen by the guide. `None` if the run goes both ways.
    pub(crate) fn decide(
        &mut self,
        path: crate::path::PathId,
        condition: Term,
        kind: StepKind,
    ) -> Result<Option<bool>, Stopped> {
        if let Some(value) = self.known_truth(path, condition) {
            return Ok(Some(value));
        }
        let Some(choices) = &mut self.choices else { return Ok(None) };
        choices.branches += u32::from(kind == StepKind::Branch);
        choices.choose(self.terms, condition).map(Some)
    }

    /// The truth of a condition that is literal, or that was decided before.
    pub(crate) fn known_truth(&mut self, path: crate::path::PathId, condition: Term) -> Option<bool> {
        let known = self.paths.decide(self.terms, path, condition);
        known.or_else(|| self.choices.as_ref()?.known(condition))
    }

    /// How many branches the guide chose between.
    pub(crate) fn guided_branches(&self) -> u32 {
        self.choices.as_ref().map_or(0, |choices| choices.branches)
    }

    /// How many of the guide's choices could have left what runs now.
    pub(crate) fn ways_out(&self) -> u32 {
        self.choices.as_ref().map_or(0, |choices| choices.ways_out)
    }

    /// Notes that the guide chose between these. Where one of them jumps, the other might have stayed.
    pub(crate) fn note_choice(&mut self, blocks: [&[Stmt]; 2]) {
        if let Some(choices) = &mut self.choices
            && blocks.into_iter().any(jumps)
        {
            choices.ways_out += 1;
        }
    }

    /// Forgets ways out that were inside of a call: they do not leave the caller's loops.
    pub(crate) fn set_ways_out(&mut self, count: u32) {
        if let Some(choices) = &mut self.choices {
            choices.ways_out = count;
        }
    }
}

fn jumps(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| {
        matches!(stmt.kind, StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(_))
            || ir::blocks(&stmt.kind).into_iter().any(|inner| jumps(inner))
    })
}
