//! Loops in lockstep: relations between the two states that hold before every iteration, found and proved.
//!
//! Both versions run their loops side by side. Candidates for relations come from runs of the iterations on random
//! inputs; those that do not hold at the start, or are not kept by an iteration, are dropped until the rest is
//! inductive (Houdini). If the loops then always go on together and leave the same way, what they leave behind is
//! related by what was proved, for any number of iterations.
//! Over-approximating: after the loops only these relations are known, for runs on which both loops end.
//!
//! Where runs that do not end are told apart, loops that go on together also go on forever together; one that stands
//! alone needs a proof that it ends (`ranking`), or else nothing is known of whether it does.

mod candidates;
mod clauses;
mod facts;
mod guarded;
mod houdini;
mod numbers;
mod order;
mod pace;
mod passed_tests;
mod powers;
mod ranking;
mod residues;
mod reversed;
mod rhythm;
mod scope;
mod simulation;
mod solved;
mod traces;
mod waiting;
mod widths;
mod words;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use ir::{Pair, Side};
use smt::{Term, Terms};
use symbolic::{Iteration, LoopShape, LoopUse};

use crate::question::Asker;
use crate::relevance::Reach;
use crate::verdict::LoopRelations;

use houdini::Together;

pub(crate) use facts::same_texts;
pub(crate) use pace::{cut, from_state, is_quiet, several};
pub(crate) use rhythm::Rhythm;
pub(crate) use traces::{Earlier, Steps, Traces};

/// What the names of the variables of a loop's state begin with.
pub(crate) const STATE: &str = "state of loop ";

/// Two loops that run side by side, or one alone: then the other one does nothing, as often.
pub(crate) struct CoupledLoop {
    /// Which iterations are side by side.
    pub(crate) steps: Steps,
    /// The versions that have the loop.
    pub(crate) sides: Vec<Side>,
    /// What one iteration of each does, unmodified parts of the state already replaced by what they are.
    pub(crate) iterations: Pair<Iteration>,
    /// Where the loops are used: inside of which other one, or at the top.
    pub(crate) parent: Option<usize>,
    pub(crate) uses: Pair<LoopUse>,
    /// Relations over the variables of both states that may hold before every iteration.
    pub(crate) relations: Vec<Term>,
    /// Whether it stands alone and was proved to end.
    pub(crate) ends: bool,
    /// Whether the loop that is done waits for the other one: then they need not end alike.
    pub(crate) waits: bool,
    /// The conditions under which each of two loops that wait is done.
    pub(crate) done: Vec<Term>,
    /// Whether one of the loops is only followed for a part of its iterations.
    pub(crate) part: Part,
}

/// For how long two loops are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    /// The loop of this version stops where the other one leaves: its state then is no way out of it.
    Start(Side),
    /// One of them went on where it stopped.
    Rest,
}

impl CoupledLoop {
    /// `None` if no version uses the loop.
    pub(crate) fn new(
        terms: &mut Terms,
        parent: Option<usize>,
        steps: Steps,
        iterations: Pair<Option<Iteration>>,
        uses: Pair<Option<LoopUse>>,
    ) -> Option<CoupledLoop> {
        let sides = [Side::Old, Side::New].into_iter().filter(|side| uses.get(*side).is_some()).collect();
        let (iterations, uses) = match (iterations, uses) {
            (Pair { old: Some(old), new: Some(new) }, Pair { old: Some(old_use), new: Some(new_use) }) => {
                (Pair { old, new }, Pair { old: old_use, new: new_use })
            }
            (Pair { old: Some(old), .. }, Pair { old: Some(old_use), .. }) => {
                let (new, new_use) = shadow(terms, &old, &old_use);
                (Pair { old, new }, Pair { old: old_use, new: new_use })
            }
            (Pair { new: Some(new), .. }, Pair { new: Some(new_use), .. }) => {
                let (old, old_use) = shadow(terms, &new, &new_use);
                (Pair { old, new }, Pair { old: old_use, new: new_use })
            }
            _ => return None,
        };
        Some(CoupledLoop {
            steps,
            sides,
            iterations,
            parent,
            uses,
            relations: Vec::new(),
            ends: false,
            waits: false,
            done: Vec::new(),
            part: Part::Whole,
        })
    }

    /// The loops themselves, in the versions that have them.
    fn shape<'s, 'a>(&self, shapes: &'s [Pair<Option<LoopShape<'a>>>]) -> Pair<Option<&'s LoopShape<'a>>> {
        let has = |side: Side| self.sides.contains(&side);
        Pair {
            old: shapes[self.uses.old.number].old.as_ref().filter(|_| has(Side::Old)),
            new: shapes[self.uses.new.number].new.as_ref().filter(|_| has(Side::New)),
        }
    }
}

/// A loop without a state that goes on as often as another one and prints the same.
fn shadow(terms: &mut Terms, iteration: &Iteration, loop_use: &LoopUse) -> (Iteration, LoopUse) {
    let (yes, no) = (terms.bool(true), terms.bool(false));
    let shadow = Iteration {
        elements: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        at_end: Vec::new(),
        result: Vec::new(),
        unfinished: no,
        assumptions: Vec::new(),
        inner: Vec::new(),
        ..iteration.clone()
    };
    let shadow_use =
        LoopUse { reached: yes, entry: Vec::new(), exit: Vec::new(), result: Vec::new(), ..loop_use.clone() };
    (shadow, shadow_use)
}

/// What coupling has shown.
pub(crate) struct Proved {
    /// Facts about what the loops at the top leave behind.
    pub(crate) facts: Vec<Term>,
    /// The relations, for people.
    pub(crate) relations: Vec<LoopRelations>,
    /// What iterations take for granted, in words.
    pub(crate) assumptions: Vec<String>,
}

/// How products and quotients are reasoned about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    /// They are symbols: relations that hold whatever they are, are found much faster. Relations may speak of products.
    Symbols,
    /// They have their meaning, and relations are without products that the versions do not compute: the solver would
    /// have to compute with bits.
    Exact,
    /// They have their meaning, and relations may speak of them.
    ExactProducts,
}

impl Arithmetic {
    fn is_exact(self) -> bool {
        self != Arithmetic::Symbols
    }
}

/// All coupled loops of a pair.
pub(crate) struct Coupling<'t> {
    pub(crate) terms: &'t mut Terms,
    pub(crate) loops: Vec<CoupledLoop>,
    /// The variables that stand for inputs.
    pub(crate) inputs: BTreeSet<Term>,
    /// What holds of the inputs.
    pub(crate) assumptions: Vec<Term>,
    /// The terms of the parameters that are scalars, in order, up to the first that is none.
    pub(crate) arguments: Vec<Term>,
    /// What the loops were seen to do, if nothing is peeled.
    pub(crate) traces: Option<&'t Traces>,
    pub(crate) arithmetic: Arithmetic,
    /// How far away the loops are whose facts count where one is looked at.
    pub(crate) reach: Reach,
    /// Set where facts did not count for that.
    pub(crate) left_out: &'t Cell<bool>,
    /// Conditions that were refuted together: they come again when relations of other loops were dropped.
    pub(crate) refuted: BTreeSet<Vec<Term>>,
    pub(crate) budget: budget::Budget,
}

impl Coupling<'_> {
    /// Guesses relations, and leaves those that hold at the start; `None` if there is no time for that.
    pub(crate) fn guess(&mut self, asker: &mut Asker<'_>) -> Option<()> {
        self.find_candidates();
        self.stay_in_scope();
        (0..self.loops.len()).try_for_each(|place| self.drop_what_does_not_start(place, asker).map(|_| ()))
    }

    /// What is known after the loops if all relations hold that were guessed. If that is not enough, what is proved of
    /// them is not either.
    pub(crate) fn known_if_all_hold(&mut self) -> Vec<Term> {
        let mut known = self.assumptions.clone();
        known.extend(self.facts_within(None));
        known
    }

    /// What the loops at the top leave behind, if all loops could be coupled by the relations that were guessed.
    pub(crate) fn prove_relations(
        mut self,
        shapes: &[Pair<Option<LoopShape<'_>>>],
        asker: &mut Asker<'_>,
    ) -> Option<Proved> {
        self.stay_in_scope();
        self.drop_what_is_not_inductive(asker)?;
        self.prove_that_loops_alone_end(asker);
        let agree = (0..self.loops.len()).all(|place| self.are_together(place, asker) == Together::Yes);
        if !agree {
            return None;
        }
        let facts = self.facts_within(None);
        let words = self.in_words(shapes);
        let relations = self.loops.iter().zip(words).map(|(coupled, relations)| {
            let shape = coupled.shape(shapes);
            LoopRelations { spans: shape.map(|shape| shape.map(|shape| shape.stmt.span)), relations }
        });
        let relations = relations.collect();
        let iterations = self.loops.iter().flat_map(|it| [&it.iterations.old, &it.iterations.new]);
        let assumptions = iterations.flat_map(|iteration| iteration.assumption_texts.clone()).collect();
        Some(Proved { facts, relations, assumptions })
    }

    /// Leaves the relations that speak only of what they may.
    fn stay_in_scope(&mut self) {
        for place in 0..self.loops.len() {
            let scope = self.scope(place);
            let relations = std::mem::take(&mut self.loops[place].relations);
            let in_scope = relations.into_iter().filter(|it| self.is_in_scope(*it, &scope));
            self.loops[place].relations = in_scope.collect();
        }
    }

    /// Replaces variables of both states.
    fn at(&mut self, term: Term, variables: &BTreeMap<Term, Term>) -> Term {
        self.terms.substitute(term, variables)
    }

    /// What the variables of a loop's states become: given the terms of both states.
    fn binding(&self, place: usize, old: &[Term], new: &[Term]) -> BTreeMap<Term, Term> {
        let Pair { old: a, new: b } =
            self.loops[place].iterations.as_ref().map(|iteration| &iteration.before);
        let bound = a.iter().zip(old).chain(b.iter().zip(new));
        bound.filter(|(variable, _)| self.is_state_of(place, **variable)).map(|(v, t)| (*v, *t)).collect()
    }

    /// Whether a term is a variable of this loop's state: those of a loop around it are not.
    fn is_state_of(&self, place: usize, term: Term) -> bool {
        let rest = self.terms.name(term).and_then(|name| name.strip_prefix(STATE));
        rest.and_then(|rest| rest.split_once('.')).is_some_and(|(number, _)| number == place.to_string())
    }

    /// Whether a term is a variable of a loop's state: what a loop does not change is not.
    fn is_state(&self, term: Term) -> bool {
        self.terms.name(term).is_some_and(|name| name.starts_with(STATE))
    }
}
