//! Puts questions to a solver process and reads its answers.
//!
//! Only here is a process started. It speaks SMT-LIB over pipes, stays warm between questions, is
//! killed when a deadline passes or a flag is raised, and started again for the next question.

mod answer;
mod find;
mod horn;
mod model;
mod process;
mod read_term;
mod session;
mod sexpr;
mod spawn;
mod stop_flag;

pub use answer::{Answer, SolverError, UnknownReason};
pub use find::{find_solver, solver_version};
pub use horn::solve_horn;
pub use model::Model;
pub use session::Session;
pub use spawn::let_others_go_first;
pub use stop_flag::StopFlag;

use crate::print::{Encoding, Query};
use crate::terms::{Term, Terms};
use answer::Failure;
use model::Request;
use process::Process;
use sexpr::SExpr;
use std::path::PathBuf;
use std::time::Instant;

/// Which solver to run, and how much memory it may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverConfig {
    pub program: PathBuf,
    pub memory_mb: u64,
}

/// How long to look for one answer.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The solver is killed at this time.
    pub deadline: Instant,
    /// The solver is killed when this is raised.
    pub stop: StopFlag,
    /// The solver's own count of steps (Z3's `rlimit`), which does not depend on the machine's load.
    pub steps: Option<u64>,
    pub encoding: Encoding,
}

/// Steps for the first, incremental attempt. It answers easy questions in a fraction of the time
/// that a fresh context costs (0.1 ms against 3 ms), but has the weaker methods.
const QUICK_STEPS: u64 = 50_000;

/// A solver process that is asked one question after the other.
///
/// Answers depend on the questions asked before only in what they cost and which model they
/// choose; `forget` makes them independent of those.
#[derive(Debug)]
pub struct Solver {
    config: SolverConfig,
    process: Option<Process>,
    state: State,
    restarts: u64,
}

/// What the process has been told and must be rid of before the next question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing.
    Clean,
    /// A question on top of an empty context.
    Pushed,
    /// Assertions at the bottom.
    Used,
}

impl Solver {
    /// Starts the process and sees that it is a solver.
    pub fn start(config: SolverConfig) -> Result<Solver, SolverError> {
        let mut solver = Solver { config, process: None, state: State::Clean, restarts: 0 };
        solver.ensure_running()?;
        Ok(solver)
    }

    /// The process's number, while it runs.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// How often the process had to be started again.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// Forgets all questions, so that the next answers are those of a new process.
    pub fn forget(&mut self) {
        self.state = State::Used;
    }

    /// Asks whether the assertions can all hold; on *sat*, with the values of the wanted terms.
    pub fn check(
        &mut self,
        terms: &Terms,
        assertions: &[Term],
        wanted: &[Term],
        limits: &Limits,
    ) -> Result<Answer, SolverError> {
        if assertions.iter().any(|&assertion| terms.as_bool(assertion) == Some(false)) {
            return Ok(Answer::Unsat);
        }
        let query = Query::new(terms, assertions, wanted, limits.encoding);
        self.ask(terms, &query, wanted, limits)
    }

    /// `check` on a question that was written before, for the same wanted terms.
    pub fn ask(
        &mut self,
        terms: &Terms,
        query: &Query,
        wanted: &[Term],
        limits: &Limits,
    ) -> Result<Answer, SolverError> {
        let whole = Attempt::Whole { steps: limits.steps };
        if query.rounds() {
            // The incremental attempt costs half a second here and proves next to nothing.
            return self.attempt(terms, query, wanted, limits, whole);
        }
        let quick = limits.steps.map_or(QUICK_STEPS, |steps| steps.min(QUICK_STEPS));
        let answer = self.attempt(terms, query, wanted, limits, Attempt::Incremental { steps: quick })?;
        let more_to_do = limits.steps.is_none_or(|steps| steps > quick);
        match answer {
            Answer::Unknown(UnknownReason::Steps | UnknownReason::Incomplete(_)) if more_to_do => {
                self.attempt(terms, query, wanted, limits, whole)
            }
            answer => Ok(answer),
        }
    }

    fn attempt(
        &mut self,
        terms: &Terms,
        query: &Query,
        wanted: &[Term],
        limits: &Limits,
        attempt: Attempt,
    ) -> Result<Answer, SolverError> {
        self.ensure_running()?;
        let mut text = self.cleaning(attempt);
        if self.counts_steps() {
            // 0 stands for no limit.
            let steps = attempt.steps().unwrap_or(0);
            text.push_str(&format!("(set-option :rlimit {steps})\n"));
        }
        if let Attempt::Incremental { .. } = attempt {
            text.push_str("(push 1)\n");
            self.state = State::Pushed;
        } else {
            self.state = State::Used;
        }
        text.push_str(query.text());
        text.push_str("(check-sat)\n");
        let request = Request::of_query(wanted, query);
        let answer = self.converse(&text, limits).and_then(|replies| {
            self.conclude(&replies, limits, |solver| solver.values(terms, &request, limits))
        });
        self.settle(answer)
    }

    /// The commands that bring the process back to an empty context.
    fn cleaning(&mut self, attempt: Attempt) -> String {
        let whole = matches!(attempt, Attempt::Whole { .. });
        match self.state {
            State::Clean => String::new(),
            State::Pushed if !whole => "(pop 1)\n".to_owned(),
            State::Pushed | State::Used => format!("(reset)\n{}", self.preamble()),
        }
    }

    /// Reads the answer to `(check-sat)`; `model` is called on *sat*.
    fn conclude(
        &mut self,
        replies: &[SExpr],
        limits: &Limits,
        model: impl FnOnce(&mut Solver) -> Result<Model, Failure>,
    ) -> Result<Answer, Failure> {
        match replies {
            [SExpr::Atom(word)] if word == "sat" => Ok(Answer::Sat(model(self)?)),
            [SExpr::Atom(word)] if word == "unsat" => Ok(Answer::Unsat),
            [SExpr::Atom(word)] if word == "unknown" => {
                let reason = self.converse("(get-info :reason-unknown)\n", limits)?;
                Ok(Answer::Unknown(answer::reason_for_unknown(&reason)))
            }
            other => Err(Failure::Protocol(sexpr::to_text(other))),
        }
    }

    /// Asks for values after *sat*.
    fn values(&mut self, terms: &Terms, request: &Request, limits: &Limits) -> Result<Model, Failure> {
        let replies = match request.command() {
            Some(command) => self.converse(&command, limits)?,
            None => Vec::new(),
        };
        request.read(terms, &replies).ok_or_else(|| Failure::Protocol(sexpr::to_text(&replies)))
    }

    /// Sends commands and reads the replies; an error among them is a failure.
    fn converse(&mut self, text: &str, limits: &Limits) -> Result<Vec<SExpr>, Failure> {
        let process = self.process.as_mut().expect("the solver should be running");
        let output = process.exchange(text, limits.deadline, &limits.stop)?;
        let replies = sexpr::parse(&output).ok_or_else(|| Failure::Protocol(output.clone()))?;
        match replies.iter().find(|reply| reply.is_error()) {
            Some(error) if sexpr::to_text(std::slice::from_ref(error)).contains("out of memory") => {
                Err(Failure::Memory)
            }
            Some(error) => Err(Failure::Protocol(sexpr::to_text(std::slice::from_ref(error)))),
            None => Ok(replies),
        }
    }

    /// Turns failures into answers or errors; what failed is killed, for its state is not known.
    fn settle(&mut self, answer: Result<Answer, Failure>) -> Result<Answer, SolverError> {
        let failure = match answer {
            Ok(answer) => return Ok(answer),
            Err(failure) => failure,
        };
        // Dropping it kills it and waits for it.
        self.process = None;
        match failure {
            Failure::Deadline | Failure::Stopped => Ok(Answer::Unknown(UnknownReason::Time)),
            Failure::Memory => Ok(Answer::Unknown(UnknownReason::Memory)),
            Failure::Died(how) => Err(SolverError::Died { program: self.config.program.clone(), how }),
            Failure::Protocol(text) => Err(SolverError::Protocol { text: answer::quoted(&text) }),
            Failure::Io(error) => {
                Err(SolverError::Died { program: self.config.program.clone(), how: error.to_string() })
            }
        }
    }

    /// Starts the process if it does not run (any more).
    fn ensure_running(&mut self) -> Result<(), SolverError> {
        if self.process.as_mut().is_some_and(|process| process.is_alive()) {
            return Ok(());
        }
        let is_restart = self.process.take().is_some() || self.state != State::Clean;
        self.restarts += u64::from(is_restart);
        let process = find::start(&self.config, &self.preamble())?;
        self.process = Some(process);
        self.state = State::Clean;
        Ok(())
    }

    /// Whether the solver has a step limit that can be set for each question.
    fn counts_steps(&self) -> bool {
        find::is_z3(&self.config.program)
    }

    /// The options that hold for all questions.
    fn preamble(&self) -> String {
        if self.counts_steps() {
            return String::new();
        }
        "(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic ALL)\n".to_owned()
    }
}

/// The two ways to put a question.
#[derive(Clone, Copy, Debug)]
enum Attempt {
    /// On top of the running context: cheap.
    Incremental { steps: u64 },
    /// In an empty context, where the solver chooses its methods by looking at all of it.
    Whole { steps: Option<u64> },
}

impl Attempt {
    fn steps(self) -> Option<u64> {
        match self {
            Attempt::Incremental { steps } => Some(steps),
            Attempt::Whole { steps } => steps,
        }
    }
}
