//! Many questions about one growing set of assertions, in one solver context.

use super::answer::{Answer, SolverError};
use super::model::Model;
use super::{Limits, Solver, State};
use crate::print::{Encoder, Encoding};
use crate::terms::{Term, Terms};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// A solver context: assertions stay, assumptions hold for one question each.
///
/// What the solver learns for one question serves the next ones. A session begins in an empty
/// context, so that its answers depend on nothing asked before it.
#[derive(Debug)]
pub struct Session<'s> {
    solver: &'s mut Solver,
    encoder: Encoder,
    /// All that was said, to say it again should the process have to be started anew.
    said: String,
    /// How much of that the running process was told.
    told: usize,
    /// The literals that stand for assumptions.
    proxies: FxHashMap<Term, String>,
}

impl Solver {
    /// Opens a session. Floats are encoded the same way for all of its questions.
    pub fn session(&mut self, encoding: Encoding) -> Session<'_> {
        self.forget();
        Session {
            solver: self,
            encoder: Encoder::new(encoding),
            said: String::new(),
            told: 0,
            proxies: FxHashMap::default(),
        }
    }
}

impl Session<'_> {
    /// Adds an assertion for all questions to come.
    pub fn assert(&mut self, terms: &Terms, assertion: Term) {
        self.encoder.prepare(terms, &[assertion], &mut self.said);
        self.said.push_str("(assert ");
        self.encoder.write(terms, assertion, &mut self.said);
        self.said.push_str(")\n");
    }

    /// Asks whether the assertions and these assumptions can all hold.
    ///
    /// The encoding of the limits is not looked at: the session has its own.
    pub fn check_assuming(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        wanted: &[Term],
        limits: &Limits,
    ) -> Result<Answer, SolverError> {
        let proxies: Vec<String> = assumptions.iter().map(|&term| self.proxy(terms, term)).collect();
        self.encoder.prepare(terms, wanted, &mut self.said);
        self.solver.ensure_running()?;
        let mut text = String::new();
        if self.solver.state != State::Used || self.told == 0 {
            // The process is a new one, or was used for something else before this session.
            if self.solver.state != State::Clean {
                text.push_str("(reset)\n");
                text.push_str(&self.solver.preamble());
            }
            self.told = 0;
        }
        if self.solver.counts_steps() {
            text.push_str(&format!("(set-option :rlimit {})\n", limits.steps.unwrap_or(0)));
        }
        text.push_str(&self.said[self.told..]);
        text.push_str(&format!("(check-sat-assuming ({}))\n", proxies.join(" ")));
        self.told = self.said.len();
        self.solver.state = State::Used;
        let answer = self.solver.converse(&text, limits.deadline).and_then(|replies| {
            let (encoder, deadline) = (&self.encoder, limits.deadline);
            self.solver
                .conclude(&replies, deadline, |solver| read_values(solver, encoder, terms, wanted, deadline))
        });
        let answer = self.solver.settle(answer);
        if self.solver.process.is_none() {
            self.told = 0;
        }
        answer
    }

    /// The literal that implies an assumption.
    fn proxy(&mut self, terms: &Terms, assumption: Term) -> String {
        if let Some(proxy) = self.proxies.get(&assumption) {
            return proxy.clone();
        }
        let proxy = format!("assume!{}", self.proxies.len());
        self.encoder.prepare(terms, &[assumption], &mut self.said);
        self.said.push_str(&format!("(declare-fun {proxy} () Bool)\n(assert (=> {proxy} "));
        self.encoder.write(terms, assumption, &mut self.said);
        self.said.push_str("))\n");
        self.proxies.insert(assumption, proxy.clone());
        proxy
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.solver.forget();
    }
}

fn read_values(
    solver: &mut Solver,
    encoder: &Encoder,
    terms: &Terms,
    wanted: &[Term],
    deadline: Instant,
) -> Result<Model, super::Failure> {
    let exact = encoder.approximated().is_empty();
    let literals = encoder.text_literals();
    if wanted.is_empty() {
        return Ok(Model::empty(exact));
    }
    let mut text = "(get-value (".to_owned();
    for &term in wanted {
        encoder.write(terms, term, &mut text);
        text.push(' ');
    }
    for (_, symbol) in literals {
        text.push_str(symbol);
        text.push(' ');
    }
    text.push_str("))\n");
    let replies = solver.converse(&text, deadline)?;
    let model = Model::read(terms, wanted, literals, &replies, exact);
    model.ok_or_else(|| super::Failure::Protocol(super::sexpr::to_text(&replies)))
}
