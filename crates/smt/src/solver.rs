//! Puts questions to a solver process and reads its answers.
//!
//! Only here is a process started. It speaks SMT-LIB over pipes, stays warm between questions, is
//! killed when the check is killed or a flag is raised, and started again for the next question.
//! What ends a search is the solver's own count of steps, which is charged to the budget of whoever asks.

mod allocations;
mod answer;
mod attempt;
mod counting;
mod find;
mod horn;
mod model;
mod process;
mod read_term;
mod sexpr;
mod spawn;
mod stop_flag;

pub use answer::{Answer, SolverError, UnknownReason};
pub use find::{find_solver, solver_version};
pub use horn::{HornAnswer, solve_horn};
pub use model::Model;
pub use spawn::let_others_go_first;
pub use stop_flag::StopFlag;

use crate::print::{Encoding, Query};
use crate::terms::{Term, Terms};
use answer::Failure;
use attempt::{Attempt, Method, QUICK_STEPS};
use budget::{Budget, Kill, Rate, Steps};
use model::Request;
use process::Process;
use sexpr::SExpr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Which solver to run, and how much memory it may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverConfig {
    pub program: PathBuf,
    pub memory_mb: u64,
}

/// How much work one answer may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The solver gets no more steps than are left here, and is killed when the check is. What it did is charged.
    pub budget: Budget,
    /// The solver is killed when this is raised.
    pub stop: StopFlag,
    /// Fewer steps than the budget has.
    pub steps: Option<Steps>,
    pub encoding: Encoding,
}

impl Limits {
    /// The steps for one attempt; at least one, since none means no limit to the solver.
    fn steps(&self, at_most: Steps) -> Steps {
        let most = self.steps.unwrap_or(Steps::MAX).min(at_most);
        self.budget.left().min(most).min(MOST_STEPS).max(Steps::new(1))
    }
}

/// What the solver's option can say.
const MOST_STEPS: Steps = Steps::new(u32::MAX as u64);

/// A solver process that is asked one question after the other.
///
/// Answers depend on the questions asked before only in what they cost and which model they
/// choose; `forget` makes them independent of those.
#[derive(Debug)]
pub struct Solver {
    config: SolverConfig,
    process: Option<Process>,
    /// Whether the process has a step limit that can be set for each question.
    counts_steps: bool,
    state: State,
    restarts: u64,
}

/// What the process has been told and must be rid of before the next question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing: it is still to be started.
    ToStart,
    /// A question on top of an empty context.
    Pushed,
    /// Assertions at the bottom.
    Used,
}

impl Solver {
    /// Starts the process and sees that it is a solver.
    pub fn start(config: SolverConfig) -> Result<Solver, SolverError> {
        let mut solver =
            Solver { config, process: None, counts_steps: false, state: State::ToStart, restarts: 0 };
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
        if query.rounds() {
            // The incremental attempt costs half a second here and proves next to nothing.
            return self.attempt(terms, query, wanted, limits, Attempt::whole(Method::Chosen, query));
        }
        if attempt::is_heavy(query) {
            return self.ask_whole(terms, query, wanted, limits);
        }
        let answer = self.attempt(terms, query, wanted, limits, Attempt::Incremental)?;
        let more_to_do = limits.steps.is_none_or(|steps| steps > QUICK_STEPS) && !limits.budget.is_over();
        match more_to_do && answer.is_open() {
            true => self.ask_whole(terms, query, wanted, limits),
            false => Ok(answer),
        }
    }

    /// Puts a question in an empty context, by one method after the other: each but the last gets half of the steps.
    fn ask_whole(
        &mut self,
        terms: &Terms,
        query: &Query,
        wanted: &[Term],
        limits: &Limits,
    ) -> Result<Answer, SolverError> {
        let methods = if self.counts_steps { attempt::methods(query.fragment()) } else { &[Method::Chosen] };
        let (&last, others) = methods.split_last().expect("there should be a method for every question");
        for &method in others {
            let half = Limits { steps: Some(limits.steps(Steps::MAX) / 2), ..limits.clone() };
            let answer = self.attempt(terms, query, wanted, &half, Attempt::whole(method, query))?;
            if !answer.is_open() || limits.budget.is_over() {
                return Ok(answer);
            }
        }
        self.attempt(terms, query, wanted, limits, Attempt::whole(last, query))
    }

    /// Asks about a script of declarations and assertions that was written before; *sat* comes without values.
    pub fn ask_script(&mut self, script: &str, limits: &Limits) -> Result<Answer, SolverError> {
        self.ensure_running()?;
        let mut text = self.cleaning(Attempt::Whole(Method::Chosen));
        let steps = limits.steps(Steps::MAX);
        text.push_str(&self.limiting(Attempt::Whole(Method::Chosen), steps));
        self.state = State::Used;
        text.push_str(&format!("{script}(check-sat)\n"));
        let replies = match self.counts_steps {
            true => self.converse(&text, limits),
            false => self.converse_for(&text, steps, limits),
        };
        let answer =
            replies.and_then(|replies| self.conclude(&replies, limits, |_| Ok(Model::without_values())));
        self.settle(answer)
    }

    fn attempt(
        &mut self,
        terms: &Terms,
        query: &Query,
        wanted: &[Term],
        limits: &Limits,
        attempt: Attempt,
    ) -> Result<Answer, SolverError> {
        if self.counts_steps && matches!(attempt, Attempt::Alone(_)) {
            (self.process, self.state) = (None, State::ToStart);
        }
        self.ensure_running()?;
        let mut text = self.cleaning(attempt);
        let steps = limits.steps(attempt.most_steps());
        text.push_str(&self.limiting(attempt, steps));
        match attempt {
            Attempt::Incremental => {
                text.push_str("(push 1)\n");
                self.state = State::Pushed;
            }
            Attempt::Whole(_) | Attempt::Alone(_) => self.state = State::Used,
        }
        let request = Request::of_query(wanted, query);
        let started = Instant::now();
        let answer = self.search(&text, query, attempt, steps, limits).and_then(|replies| {
            self.conclude(&replies, limits, |solver| solver.values(terms, &request, limits))
        });
        if !self.counts_steps {
            let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            limits.budget.spend(Steps::of_milliseconds(milliseconds));
        }
        self.settle(answer)
    }

    /// Puts the question and charges what the search took, as the solver counts it.
    fn search(
        &mut self,
        start: &str,
        query: &Query,
        attempt: Attempt,
        steps: Steps,
        limits: &Limits,
    ) -> Result<Vec<SExpr>, Failure> {
        let bytes = query.text().len() as u64;
        limits.budget.spend(Steps::new(Rate::QUESTION + bytes * Rate::BYTE_OF_QUESTION));
        if !self.counts_steps {
            return self.converse_for(&format!("{start}{}(check-sat)\n", query.text()), steps, limits);
        }
        let count = counting::STEPS_SO_FAR;
        let text = format!("{start}{count}{}{}{count}", query.text(), attempt.command());
        let replies = match self.converse(&text, limits) {
            Err(Failure::Allocations) => {
                // Its count is lost with it.
                limits.budget.spend(steps);
                return Err(Failure::Allocations);
            }
            replies => replies?,
        };
        match replies.as_slice() {
            [before, answer, after] => {
                limits.budget.spend(counting::steps(after).saturating_sub(counting::steps(before)));
                Ok(vec![answer.clone()])
            }
            other => Err(Failure::Protocol(sexpr::to_text(other))),
        }
    }

    /// The commands that limit the next search.
    fn limiting(&self, attempt: Attempt, steps: Steps) -> String {
        if !self.counts_steps {
            return String::new();
        }
        let allocations = match attempt {
            Attempt::Alone(_) => allocations::limit(steps),
            Attempt::Incremental | Attempt::Whole(_) => allocations::NO_LIMIT.to_owned(),
        };
        format!("(set-option :rlimit {})\n{allocations}", steps.get())
    }

    /// The commands that bring the process back to an empty context.
    fn cleaning(&mut self, attempt: Attempt) -> String {
        match self.state {
            State::Pushed if attempt == Attempt::Incremental => "(pop 1)\n".to_owned(),
            State::ToStart | State::Pushed | State::Used => format!("(reset)\n{}", self.preamble()),
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
        self.exchange(text, limits.budget.kill(), &limits.stop)
    }

    /// The same with a solver that does not count steps: the clock stops it after about as much work.
    fn converse_for(&mut self, text: &str, steps: Steps, limits: &Limits) -> Result<Vec<SExpr>, Failure> {
        let time = Duration::from_millis(steps.get() / Rate::PER_MILLISECOND + 1);
        let left = limits.budget.kill().time_left().unwrap_or(Duration::MAX);
        match Instant::now().checked_add(time.min(left)) {
            Some(end) => self.exchange(text, &Kill::at(end), &limits.stop),
            None => self.exchange(text, limits.budget.kill(), &limits.stop),
        }
    }

    fn exchange(&mut self, text: &str, kill: &Kill, stop: &StopFlag) -> Result<Vec<SExpr>, Failure> {
        let process = self.process.as_mut().expect("the solver should be running");
        let output = process.exchange(text, kill, stop)?;
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
            Failure::Killed | Failure::Stopped => Ok(Answer::Unknown(UnknownReason::Killed)),
            Failure::Memory => Ok(Answer::Unknown(UnknownReason::Memory)),
            Failure::Allocations => Ok(Answer::Unknown(UnknownReason::Steps)),
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
        let is_restart = self.process.take().is_some() || self.state != State::ToStart;
        self.restarts += u64::from(is_restart);
        let find::Started { process, counts_steps } = find::start(&self.config)?;
        (self.process, self.counts_steps) = (Some(process), counts_steps);
        // It was asked something on a running context, and keeps to the methods for those until a reset.
        self.state = State::Used;
        Ok(())
    }

    /// The options that hold for all questions.
    fn preamble(&self) -> &'static str {
        if self.counts_steps { "" } else { find::PREAMBLE }
    }
}
