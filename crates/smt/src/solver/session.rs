//! Many questions about one growing set of assertions, in one solver context.

use super::answer::{Answer, SolverError};
use super::model::Request;
use super::{Limits, Solver, State};
use crate::op::Op;
use crate::print::{Encoder, Encoding};
use crate::terms::{Term, Terms};

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
    /// Whether the process was told anything by this session.
    begun: bool,
    /// Whether the assumptions of the last question are still on top.
    pushed: bool,
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
            begun: false,
            pushed: false,
        }
    }
}

impl Session<'_> {
    /// Adds an assertion for all questions to come.
    pub fn assert(&mut self, terms: &Terms, assertion: Term) {
        let mut text = String::new();
        self.encoder.prepare(terms, &[assertion], &mut text);
        self.write_assertion(terms, assertion, &mut text);
        self.said.push_str(&text);
    }

    /// Asks whether the assertions and these assumptions can all hold.
    ///
    /// What is learnt under assumptions that are boolean variables, or negations of such, is kept
    /// for later questions: switch definitions on and off with those. Other assumptions are
    /// asserted for the one question and forgotten with what they led to, which for many different
    /// ones is faster (0.1 ms against 1 ms each after a thousand).
    ///
    /// The encoding of the limits is not looked at: the session has its own.
    pub fn check_assuming(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        wanted: &[Term],
        limits: &Limits,
    ) -> Result<Answer, SolverError> {
        let roots: Vec<Term> = assumptions.iter().chain(wanted).copied().collect();
        self.encoder.prepare(terms, &roots, &mut self.said);
        self.solver.ensure_running()?;
        let mut text = self.catching_up();
        if self.solver.counts_steps() {
            text.push_str(&format!("(set-option :rlimit {})\n", limits.steps.unwrap_or(0)));
        }
        text.push_str("(push 1)\n");
        let (literals, others): (Vec<Term>, Vec<Term>) =
            assumptions.iter().partition(|&&term| is_literal(terms, term));
        for term in others {
            self.write_assertion(terms, term, &mut text);
        }
        text.push_str("(check-sat-assuming (");
        for term in literals {
            self.encoder.write(terms, term, &mut text);
            text.push(' ');
        }
        text.push_str("))\n");
        self.pushed = true;
        self.solver.state = State::Used;
        let answer = self.solver.converse(&text, limits).and_then(|replies| {
            let encoder = &self.encoder;
            self.solver.conclude(&replies, limits, |solver| {
                let request = Request::of(terms, wanted, encoder);
                solver.values(terms, &request, limits)
            })
        });
        self.solver.settle(answer)
    }

    /// The commands that tell the process what it does not know yet.
    fn catching_up(&mut self) -> String {
        let mut text = String::new();
        if !self.begun || self.solver.state == State::Clean {
            if self.solver.state != State::Clean {
                text.push_str("(reset)\n");
                text.push_str(&self.solver.preamble());
            }
            (self.told, self.pushed, self.begun) = (0, false, true);
        }
        if self.pushed {
            text.push_str("(pop 1)\n");
        }
        text.push_str(&self.said[self.told..]);
        self.told = self.said.len();
        text
    }

    fn write_assertion(&self, terms: &Terms, term: Term, out: &mut String) {
        out.push_str("(assert ");
        self.encoder.write(terms, term, out);
        out.push_str(")\n");
    }
}

/// Whether a term is a boolean variable or the negation of one.
fn is_literal(terms: &Terms, term: Term) -> bool {
    match terms.op(term) {
        Op::Var(_) => true,
        Op::Not => matches!(terms.op(terms.args(term)[0]), Op::Var(_)),
        _ => false,
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.solver.forget();
    }
}
