//! The product of the loops of a pair: which run side by side, and the coupling invariants that are proved of them.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use ir::{Pair, Side};
use smt::{Term, Terms};
use symbolic::{Iteration, LoopShape, LoopUse};

use query::{Client, Reach};

use crate::proved::{Fact, Failure, LoopInvariants, Proved};
use crate::traces::{IterationPairs, Traces};

/// Whether two loops stay in lockstep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lockstep {
    Kept,
    /// They leave it from some states on which all invariants hold.
    Broken,
    Unknown,
}

/// Two loops that run side by side, or one alone: then the other one does nothing, as often.
pub struct ProductLoop {
    /// Which iterations are side by side.
    pub(crate) iteration_pairs: IterationPairs,
    /// The versions that have the loop.
    pub sides: Vec<Side>,
    /// What one iteration of each does, unmodified parts of the state already replaced by what they are.
    pub iterations: Pair<Iteration>,
    /// Where the loops are used: inside which other one, or at the top.
    pub parent: Option<usize>,
    pub uses: Pair<LoopUse>,
    /// Relations over the variables of both states that may hold before every iteration.
    pub(crate) invariants: Vec<Term>,
    /// Whether it stands alone and was proved to end.
    pub(crate) ends: bool,
    /// Whether the loops stutter: then they need not end alike.
    pub(crate) stutters: bool,
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

impl ProductLoop {
    /// `None` if no version uses the loop.
    pub(crate) fn new(
        terms: &mut Terms,
        parent: Option<usize>,
        iteration_pairs: IterationPairs,
        iterations: Pair<Option<Iteration>>,
        uses: Pair<Option<LoopUse>>,
    ) -> Option<ProductLoop> {
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
        Some(ProductLoop {
            iteration_pairs,
            sides,
            iterations,
            parent,
            uses,
            invariants: Vec::new(),
            ends: false,
            stutters: false,
            done: Vec::new(),
            part: Part::Whole,
        })
    }

    /// Whether a term is a variable of the state of one of the loops.
    fn has_variable(&self, term: Term) -> bool {
        let Pair { old, new } = &self.iterations;
        old.variables.contains(&term) || new.variables.contains(&term)
    }

    /// The loops themselves, in the versions that have them.
    pub(crate) fn shape<'s, 'a>(
        &self,
        shapes: &'s [Pair<Option<LoopShape<'a>>>],
    ) -> Pair<Option<&'s LoopShape<'a>>> {
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

/// How products and quotients are reasoned about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// They are symbols. Invariants that hold for all meanings are found much faster, and may speak of products.
    Symbols,
    /// They have their meaning. Invariants speak only of products that the versions compute: others are hard for the
    /// solver.
    Exact,
    /// They have their meaning, and relations may speak of them.
    ExactProducts,
}

impl Arithmetic {
    pub(crate) fn is_exact(self) -> bool {
        self != Arithmetic::Symbols
    }
}

/// Questions that were refuted of the loops of a pair; at first none.
#[derive(Default)]
pub struct Refutations(pub(crate) BTreeSet<Vec<Term>>);

/// All loops of a pair, side by side.
pub struct LoopProduct<'t> {
    pub terms: &'t mut Terms,
    pub loops: Vec<ProductLoop>,
    /// The variables that stand for inputs.
    pub inputs: BTreeSet<Term>,
    /// What holds of the inputs.
    pub assumptions: Vec<Term>,
    /// The terms of the parameters that are scalars, in order, up to the first that is none.
    pub arguments: Vec<Term>,
    /// What the loops were seen to do, if nothing is peeled.
    pub traces: Option<&'t Traces>,
    pub arithmetic: Arithmetic,
    /// How far the cone of influence of a question reaches.
    pub reach: Reach,
    /// Set where premises beyond the reach were left out.
    pub left_out: &'t Cell<bool>,
    /// Questions that were refuted: they come again when candidates of other loops were dropped.
    pub refuted: Refutations,
    pub budget: budget::Budget,
}

impl LoopProduct<'_> {
    /// Guesses invariants, and leaves those that hold at the start.
    pub fn guess(&mut self, client: &mut Client) -> Result<(), Failure> {
        self.find_candidates();
        self.stay_in_vocabulary();
        for place in 0..self.loops.len() {
            let count = self.loops[place].invariants.len();
            self.drop_without_initiation(place, client).ok_or(Failure::UsedUp)?;
            tracing::debug!(target: "invariants", product_loop = place, count, start = self.loops[place].invariants.len());
        }
        Ok(())
    }

    /// What is known after the loops if all candidates are invariants. The proved ones say no more.
    pub fn known_if_all_hold(&mut self) -> Vec<Term> {
        let mut known = self.assumptions.clone();
        known.extend(self.postconditions(None));
        known
    }

    /// What the loops at the top leave behind, if the candidates keep all loops together.
    pub fn prove(
        mut self,
        shapes: &[Pair<Option<LoopShape<'_>>>],
        client: &mut Client,
    ) -> Result<Proved, Failure> {
        self.stay_in_vocabulary();
        self.drop_not_inductive(client)?;
        self.prove_that_loops_alone_end(client);
        for place in 0..self.loops.len() {
            match self.lockstep(place, client) {
                Lockstep::Kept => {}
                Lockstep::Broken => return Err(Failure::InvariantsTooWeak),
                Lockstep::Unknown => return Err(Failure::UsedUp),
            }
        }
        let facts = self.postconditions(None).into_iter().map(Fact::proved).collect();
        let words = self.in_words(shapes);
        let invariants = self.loops.iter().zip(words).map(|(product_loop, invariants)| {
            let shape = product_loop.shape(shapes);
            LoopInvariants { spans: shape.map(|shape| shape.map(|shape| shape.stmt.span)), invariants }
        });
        let invariants: Vec<LoopInvariants> = invariants.collect();
        for (product_loop, found) in invariants.iter().enumerate() {
            tracing::debug!(target: "invariants", product_loop, proved = found.invariants.join("; "));
        }
        let iterations = self.loops.iter().flat_map(|it| [&it.iterations.old, &it.iterations.new]);
        let assumptions = iterations.flat_map(|iteration| iteration.assumption_texts.clone()).collect();
        Ok(Proved { facts, invariants, assumptions })
    }

    /// Leaves the candidates that speak only of what they may.
    fn stay_in_vocabulary(&mut self) {
        for place in 0..self.loops.len() {
            let vocabulary = self.vocabulary(place);
            let relations = std::mem::take(&mut self.loops[place].invariants);
            let in_vocabulary = relations.into_iter().filter(|it| self.is_in_vocabulary(*it, &vocabulary));
            self.loops[place].invariants = in_vocabulary.collect();
        }
    }

    /// Replaces variables of both states.
    pub(crate) fn at(&mut self, term: Term, variables: &BTreeMap<Term, Term>) -> Term {
        self.terms.substitute(term, variables)
    }

    /// What the variables of a loop's states become: given the terms of both states.
    pub(crate) fn binding(&self, place: usize, old: &[Term], new: &[Term]) -> BTreeMap<Term, Term> {
        let Pair { old: a, new: b } =
            self.loops[place].iterations.as_ref().map(|iteration| &iteration.before);
        let bound = a.iter().zip(old).chain(b.iter().zip(new));
        bound.filter(|(variable, _)| self.is_state_of(place, **variable)).map(|(v, t)| (*v, *t)).collect()
    }

    /// Whether a term is a variable of this loop's state: those of a loop around it are not.
    pub(crate) fn is_state_of(&self, place: usize, term: Term) -> bool {
        self.loops[place].has_variable(term)
    }

    /// Whether a term is a variable of a loop's state: what a loop does not change is not.
    pub(crate) fn is_state(&self, term: Term) -> bool {
        self.loops.iter().any(|product_loop| product_loop.has_variable(term))
    }
}
