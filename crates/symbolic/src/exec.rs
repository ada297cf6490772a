//! Runs structured statements on symbolic states, one state for all paths that meet.
//!
//! Exact up to the bound: what is cut short is an ending of its own, with the condition under which it is reached.
//! Where states leave a statement other than by its end they wait at their target: the label, call or handler that
//! they go to, or the end of the whole run.

mod branch;
mod call;
mod cells;
mod eval;
mod forever;
mod guide;
mod hidden;
mod loops;
mod outside;
mod simple;
mod start;
mod stepping;
mod summarize;
mod target;

use budget::{Rate, Steps};

use crate::abstraction::{Abstraction, HiddenRun, HiddenUse};
use crate::code_facts::CodeFacts;
use crate::config::{Config, Stopped};
use crate::ending::{Final, Gap};
use crate::heap::KnownObjects;
use crate::inputs::Inputs;
use crate::iteration::LoopUse;
use crate::merge;
use crate::notes::Notes;
use crate::path::{PathId, Paths, StepKind};
use crate::stack::is_nearly_full;
use crate::state::{Escaped, State};
use crate::summary::CutKind;
use crate::value::SymValue;
use eval::NoMeaning;
use guide::Choices;
use ir::{Program, RegionId, Span, Stmt, StmtKind};
use outside::Absent;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Term, TermWork, Terms, Value};
use std::rc::Rc;
use target::{Escapes, Frame, Target};

pub use guide::{Followed, Guide, NotFollowed, follow};
pub use outside::unknown_code;
pub use stepping::iteration;
pub use summarize::{summarize, summarize_hiding};

/// Statements inside statements and calls inside calls beyond this are cut, so that no stack overflows.
const MOST_NESTED: u32 = 10_000;
/// Numbers with more bits than this are not computed with: loops and recursions that multiply make them grow and grow.
const MOST_BITS: u64 = 20_000;

/// Where the run goes on, if it does.
pub(crate) type Flow = Result<Option<State>, Stopped>;

/// One procedure being run.
pub(crate) struct Executor<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) program: &'a Program,
    pub(crate) inputs: &'a Inputs,
    pub(crate) config: &'a Config,
    /// What is charged to the budget so far.
    charged: TermWork,
    pub(crate) notes: Notes,
    pub(crate) paths: Paths,
    pub(crate) known: KnownObjects,
    /// The regions as they are at the start, without what is known of constant static objects.
    pub(crate) initial_regions: Vec<SymValue>,
    pub(crate) assumed_cells: FxHashSet<(RegionId, Term, Option<Term>)>,
    /// Regions of references as code that is not there left them, with the allocated objects that these may lead to.
    pub(crate) outside_cells: FxHashMap<Term, Rc<Escaped>>,
    pub(crate) absent: Absent,
    /// How runs ended.
    pub(crate) finals: Vec<Final>,
    /// What was cut short or has no meaning; endings refer to these by their place.
    pub(crate) gaps: Vec<Gap>,
    /// What is not looked into, and where that was.
    hidden: &'a Abstraction<'a>,
    pub(crate) hidden_uses: Vec<HiddenUse>,
    pub(crate) loop_uses: Vec<LoopUse>,
    /// Whether something was stepped over that may not end, and nothing says when.
    pub(crate) open_ended: bool,
    code_facts: CodeFacts,
    /// What chooses the way, if only one path is followed; its state then stands at the root of the paths.
    pub(crate) choices: Option<Choices>,
    /// What tells apart the symbols of loops in this run from those in others.
    pub(crate) scope: String,
    /// Whether the body of a hidden call is being run on the side.
    unfolding: bool,
    /// Whether another iteration of a loop is being run on the side.
    looking_ahead: bool,
    targets: Vec<Target>,
    frames: Vec<Frame>,
    escapes: Escapes,
    depth: u32,
}

/// A statement that ends without a state to go on from.
enum Halt {
    Stopped(Stopped),
    NoMeaning(String),
}

impl From<Stopped> for Halt {
    fn from(stopped: Stopped) -> Halt {
        Halt::Stopped(stopped)
    }
}

impl From<NoMeaning> for Halt {
    fn from(NoMeaning(what): NoMeaning) -> Halt {
        Halt::NoMeaning(what)
    }
}

impl<'a> Executor<'a> {
    pub(crate) fn new(
        terms: &'a mut Terms,
        program: &'a Program,
        inputs: &'a Inputs,
        config: &'a Config,
        hidden: &'a Abstraction<'a>,
    ) -> Executor<'a> {
        let paths = Paths::new(terms);
        let numbers = config.numbers;
        let initial_regions =
            program.regions.iter().map(|region| Inputs::region_cells(terms, region, numbers)).collect();
        let charged = terms.work();
        Executor {
            terms,
            program,
            inputs,
            config,
            charged,
            notes: Notes::default(),
            paths,
            known: KnownObjects::default(),
            initial_regions,
            assumed_cells: FxHashSet::default(),
            outside_cells: FxHashMap::default(),
            absent: Absent::of(program, inputs),
            finals: Vec::new(),
            gaps: Vec::new(),
            hidden,
            hidden_uses: Vec::new(),
            loop_uses: Vec::new(),
            open_ended: false,
            code_facts: CodeFacts::default(),
            choices: None,
            scope: String::new(),
            unfolding: false,
            looking_ahead: false,
            targets: Vec::new(),
            frames: Vec::new(),
            escapes: Escapes::default(),
            depth: 0,
        }
    }

    /// Runs statements one after the other.
    pub(crate) fn block(&mut self, block: &[Stmt], state: State) -> Flow {
        self.depth += 1;
        let mut state = Some(state);
        let mut rest = block;
        while let [stmt, after @ ..] = rest {
            let Some(before) = state else { break };
            // A loop at its bound runs only its header, which may end inside of what is hidden.
            let hidden = self.hidden.at(rest).filter(|run| run.length <= rest.len());
            (state, rest) = match hidden {
                Some(run) => (self.hidden_run(run, before, &rest[..run.length])?, &rest[run.length..]),
                None => (self.statement(stmt, before)?, after),
            };
        }
        self.depth -= 1;
        Ok(state)
    }

    fn hidden_run(&mut self, run: &HiddenRun, state: State, stmts: &[Stmt]) -> Flow {
        let path = state.path;
        match self.step_over(state, stmts, &run.instead) {
            Ok(state) => Ok(state),
            Err(Halt::Stopped(stopped)) => Err(stopped),
            Err(Halt::NoMeaning(what)) => {
                let span = stmts.first().map_or(Span::NOWHERE, |stmt| stmt.span);
                self.unsupported(path, what, span);
                Ok(None)
            }
        }
    }

    fn statement(&mut self, stmt: &Stmt, state: State) -> Flow {
        if self.terms.len() > self.config.max_terms {
            return Err(Stopped::TooLarge);
        }
        self.charge();
        if self.config.budget.is_over() || self.config.stop.is_raised() {
            return Err(Stopped::UsedUp);
        }
        if let Some(choices) = &mut self.choices {
            choices.visit(stmt.span);
        }
        let path = state.path;
        if self.depth > MOST_NESTED || is_nearly_full() {
            self.cut(path, CutKind::Nesting, stmt.span);
            return Ok(None);
        }
        match self.dispatch(stmt, state) {
            Ok(state) => Ok(state),
            Err(Halt::Stopped(stopped)) => Err(stopped),
            // Expressions are evaluated before a statement has any effect, so that all of the path ends here.
            Err(Halt::NoMeaning(what)) => {
                self.unsupported(path, what, stmt.span);
                Ok(None)
            }
        }
    }

    /// Charges a statement, and the terms and the long arithmetic since the one before.
    fn charge(&mut self) {
        let work = self.terms.work();
        let terms = work.terms.saturating_sub(self.charged.terms) * Rate::TERM;
        let digits =
            work.long_arithmetic.saturating_sub(self.charged.long_arithmetic) * Rate::LONG_ARITHMETIC;
        self.charged = work;
        self.config.budget.spend(Steps::new(Rate::STATEMENT + terms + digits));
    }

    fn dispatch(&mut self, stmt: &Stmt, state: State) -> Result<Option<State>, Halt> {
        match &stmt.kind {
            StmtKind::Assign { local, value } => self.assign(state, *local, value),
            StmtKind::AssignGlobal { global, value } => self.assign_global(state, *global, value),
            StmtKind::Store { region, object, index, value } => {
                self.write_cell(state, *region, object, index.as_ref(), value)
            }
            StmtKind::New { local, shape, length, unwritten: _ } => {
                self.allocate(state, *local, *shape, length.as_ref())
            }
            StmtKind::Free { object } => self.free(state, object),
            StmtKind::If { condition, then, otherwise } => self.branch(state, condition, then, otherwise),
            StmtKind::Loop { label, body } => Ok(self.repeat(state, *label, body, stmt.span)?),
            StmtKind::Scope { label, body } => Ok(self.scope(state, *label, body)?),
            StmtKind::Break(label) => self.jump_out(state, *label),
            StmtKind::Continue(label) => self.jump_back(state, *label),
            StmtKind::Return(value) => self.give_back(state, value.as_ref()),
            StmtKind::Call { local, callee, args } => self.call(state, *local, *callee, args, stmt.span),
            StmtKind::Throw { error, message } => self.throw(state, *error, message.as_ref()),
            StmtKind::Try { body, catches } => Ok(self.try_catch(state, body, catches)?),
            StmtKind::Check { condition, error } | StmtKind::Assert { condition, error } => {
                self.check(state, condition, *error)
            }
            StmtKind::Assume { condition } => self.assume(state, condition),
            StmtKind::Print { stream, text } => self.print(state, *stream, text),
            StmtKind::Unsupported { what } => {
                self.unsupported(state.path, what.clone(), stmt.span);
                Ok(None)
            }
        }
    }

    /// Gives up where a number has become too large to go on with.
    fn bounded(&self, value: SymValue) -> Result<SymValue, Halt> {
        let bits = |leaf: Term| match self.terms.as_const(leaf) {
            Some(Value::Int(number)) => number.bits(),
            Some(Value::Real(number)) => number.numer().bits() + number.denom().bits(),
            _ => 0,
        };
        match value.leaves().into_iter().all(|leaf| bits(leaf) <= MOST_BITS) {
            true => Ok(value),
            false => Err(Halt::Stopped(Stopped::TooLarge)),
        }
    }

    /// Joins the states in which a construct that began at `entry` can go on.
    fn join(&mut self, states: Vec<State>, entry: PathId, left: target::Left) -> Option<State> {
        let kind = if left.by_jump { StepKind::Branch } else { StepKind::Check };
        merge::join(self.terms, &mut self.paths, states, entry, !left.at_all(), kind)
    }

    /// Ends a path because a bound was reached.
    fn cut(&mut self, path: PathId, kind: CutKind, span: Span) {
        let procedure = match self.frames.last() {
            Some(frame) => self.program.procedure(frame.procedure).name.clone(),
            None => String::new(),
        };
        self.end_in_gap(path, Gap::Cut { kind, span, procedure });
    }

    /// Ends a path because what comes next has no meaning for us.
    fn unsupported(&mut self, path: PathId, what: String, span: Span) {
        self.end_in_gap(path, Gap::Unsupported { what, span });
    }

    fn end_in_gap(&mut self, path: PathId, gap: Gap) {
        let place = self.gaps.iter().position(|known| *known == gap).unwrap_or_else(|| {
            self.gaps.push(gap);
            self.gaps.len() - 1
        });
        let ending = Final::in_gap(self.terms, path, place);
        self.finals.push(ending);
        self.escapes.fail(0);
    }
}
