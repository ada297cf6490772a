//! Questions as objects, and the tokens that say what their answers have shown.
//!
//! A question says itself under which conditions it is met. Who asks cannot choose what the answer means: a
//! `Refuted<Q>` comes only from asking a `Q`, and each kind of question keeps to itself how its objects are made.

use smt::{Model, Term};

/// A question to the solver: do some values of the variables meet all conditions?
pub trait Question {
    /// What it is called in traces and proofs.
    const NAME: &'static str;
    /// Whether a proof may rest on its refutation.
    const PROVES: bool = true;

    fn conditions(&self) -> &[Term];
}

/// Says that no values meet a question.
pub struct Refuted<Q> {
    question: Q,
    by_simplification: bool,
}

impl<Q> Refuted<Q> {
    pub(crate) fn new(question: Q, by_simplification: bool) -> Refuted<Q> {
        Refuted { question, by_simplification }
    }

    pub fn question(&self) -> &Q {
        &self.question
    }

    /// Whether the simplifier refuted it, without a solver.
    pub fn by_simplification(&self) -> bool {
        self.by_simplification
    }

    /// The same where the solver was asked about parts of the question before.
    pub fn with_solver(self) -> Refuted<Q> {
        Refuted { by_simplification: false, ..self }
    }
}

/// What became of a question.
pub enum Asked<Q> {
    Refuted(Refuted<Q>),
    /// Some values meet it, if uninterpreted symbols are read as they like.
    Counterexample(Model),
    GaveUp(GaveUp),
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GaveUp {
    /// The work that may be done is used up.
    UsedUp,
    /// The solver gave up, in its words.
    Solver(String),
    /// The solver died or could not be started.
    Failed(String),
}

/// The question whether premises can hold and a conclusion not: refuted, the premises entail the conclusion.
pub struct Violation {
    conditions: Vec<Term>,
}

impl Violation {
    /// The premises, together with the negation of the conclusion.
    pub fn of(conditions: Vec<Term>) -> Violation {
        Violation { conditions }
    }
}

impl Question for Violation {
    const NAME: &'static str = "violation";

    fn conditions(&self) -> &[Term] {
        &self.conditions
    }
}
