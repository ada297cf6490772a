//! Coupled loops as Horn clauses: one unknown predicate for each, over both states and what came before.
//!
//! ```text
//! start     what came before, both get to the loops     =>  P(states at the entry)
//! kept      P(states), both go on                       =>  P(states after)
//! agree     P(states), they do not do the same          =>  false
//! the end   P(states), both leave, and then differ      =>  false
//! ```
//!
//! A predicate carries all that is needed later, so that each clause uses one predicate only: that of the loop that
//! ended last, or of the loop around. Over-approximating, as `facts` is; and nothing rests on it, because relations
//! that come from here are proved again as all relations are.

use std::collections::{BTreeMap, BTreeSet};

use ir::Side;
use smt::{Application, BvOp, Clause, Definition, HornQuery, Op, Sort, Term, Terms};

use crate::LoopProduct;
use crate::postcondition::same_texts;
use query::conjuncts;

/// The clauses of all loops, and what the arguments of each loop's predicate are.
pub struct LoopClauses {
    pub query: HornQuery,
    arguments: Vec<Vec<Term>>,
}

/// What is known at some point: the predicate of a loop, and conditions.
#[derive(Clone)]
struct Known {
    predicate: Option<usize>,
    conditions: Vec<Term>,
}

/// A clause before it is known what the arguments are: the head binds the states of its loop.
struct Draft {
    known: Known,
    head: Option<(usize, BTreeMap<Term, Term>)>,
}

impl LoopProduct<'_> {
    /// The clauses that say that the versions never do the `wrong` things after their loops, nor disagree in them.
    pub fn clauses(&mut self, wrong: &[Term]) -> LoopClauses {
        let mut drafts = Vec::new();
        for place in 0..self.loops.len() {
            drafts.extend(self.drafts_of(place));
        }
        for known in self.known_before(None, self.loops.len()) {
            for &wrong in wrong {
                drafts.push(Draft { known: known.and(&[wrong]), head: None });
            }
        }
        let no = self.terms.bool(false);
        drafts.retain(|draft| !draft.known.conditions.contains(&no));
        let arguments = self.arguments(&drafts);
        let predicates = arguments.iter().map(|args| self.sorts(args)).collect();
        let clauses = drafts.iter().map(|draft| self.clause(draft, &arguments)).collect();
        LoopClauses { query: HornQuery { predicates, clauses }, arguments }
    }

    /// Takes the definitions of the predicates for the relations of the loops.
    pub fn take_relations(&mut self, clauses: &LoopClauses, definitions: &[Definition]) {
        for (place, definition) in definitions.iter().enumerate() {
            let relation = definition.at(self.terms, &clauses.arguments[place]);
            let found = conjuncts(self.terms, relation);
            let equal = found.iter().filter_map(|it| at_its_limit(self.terms, *it)).collect::<Vec<_>>();
            self.loops[place].invariants = found.into_iter().chain(equal).collect();
        }
    }

    fn drafts_of(&mut self, place: usize) -> Vec<Draft> {
        let (uses, iterations) = (self.loops[place].uses.clone(), self.loops[place].iterations.clone());
        let mut drafts = Vec::new();
        let entry = self.binding(place, &uses.old.entry, &uses.new.entry);
        for known in self.known_before(self.loops[place].parent, place) {
            let known = known.and(&[uses.old.reached, uses.new.reached]);
            drafts.push(Draft { known, head: Some((place, entry.clone())) });
        }
        let after = self.binding(place, &iterations.old.after, &iterations.new.after);
        let disagreement = self.disagreement(place);
        for known in self.known_before(Some(place), self.loops.len()) {
            let goes_on = known.and(&[iterations.old.goes_on, iterations.new.goes_on]);
            drafts.push(Draft { known: goes_on, head: Some((place, after.clone())) });
            drafts.push(Draft { known: known.and(&[disagreement]), head: None });
        }
        drafts
    }

    /// What may be known before a loop inside another one or at the top, or at the end if there is none so far:
    /// one case for each loop that may have been the last one that both versions got to.
    fn known_before(&mut self, parent: Option<usize>, place: usize) -> Vec<Known> {
        let ended: Vec<usize> = (0..place).filter(|it| self.loops[*it].parent == parent).collect();
        let mut cases = Vec::new();
        let mut skipped: Vec<Term> = Vec::new();
        for &last in ended.iter().rev() {
            let mut conditions = self.left_together(last);
            conditions.extend(&skipped);
            cases.push(Known { predicate: Some(last), conditions });
            skipped.extend(self.not_together(last));
        }
        let mut conditions = match parent {
            Some(parent) => self.iteration_assumptions(parent),
            None => self.assumptions.clone(),
        };
        conditions.extend(skipped);
        cases.push(Known { predicate: parent, conditions });
        cases
    }

    /// Both versions got to the loop and have left it from the states that its variables stand for.
    fn left_together(&mut self, place: usize) -> Vec<Term> {
        let (uses, iterations) = (self.loops[place].uses.clone(), self.loops[place].iterations.clone());
        let mut known = self.iteration_assumptions(place);
        for (iteration, loop_use) in [(&iterations.old, &uses.old), (&iterations.new, &uses.new)] {
            known.extend([loop_use.reached, iteration.leaves]);
            known.extend(self.ends_as(iteration, loop_use));
        }
        known.extend(same_texts(self.terms, uses.old.written, uses.new.written));
        known
    }

    /// Not both versions got to the loop: all that is known is what it leaves behind if it is left at once.
    fn not_together(&mut self, place: usize) -> Vec<Term> {
        let uses = self.loops[place].uses.as_ref().map(|it| it.reached);
        let together = self.terms.and(&[uses.old, uses.new]);
        let mut known = vec![self.terms.not(together)];
        for side in self.sides_left_at_once(place) {
            let fact = self.left_at_once(place, side);
            known.push(fact);
        }
        known
    }

    fn iteration_assumptions(&self, place: usize) -> Vec<Term> {
        let iterations = &self.loops[place].iterations;
        [Side::Old, Side::New].iter().flat_map(|side| iterations.get(*side).assumptions.clone()).collect()
    }

    /// What each predicate has to speak of: all that a clause needs which uses it, as far as it may.
    fn arguments(&mut self, drafts: &[Draft]) -> Vec<Vec<Term>> {
        let vocabularies: Vec<BTreeSet<Term>> =
            (0..self.loops.len()).map(|place| self.vocabulary(place)).collect();
        let mut found: Vec<BTreeSet<Term>> = vec![BTreeSet::new(); self.loops.len()];
        loop {
            let before: usize = found.iter().map(BTreeSet::len).sum();
            for draft in drafts {
                let Some(used) = draft.known.predicate else { continue };
                let mut roots = draft.known.conditions.clone();
                if let Some((head, binding)) = &draft.head {
                    roots.extend(found[*head].iter().map(|arg| binding.get(arg).unwrap_or(arg)));
                }
                let inside = self.terms.reachable(&roots);
                let needed = inside.into_iter().filter(|term| vocabularies[used].contains(term));
                let sayable = needed.filter(|term| HornQuery::can_speak_of(self.terms.sort_of(*term)));
                found[used].extend(sayable);
            }
            if found.iter().map(BTreeSet::len).sum::<usize>() == before {
                return found.into_iter().map(|args| args.into_iter().collect()).collect();
            }
        }
    }

    fn clause(&mut self, draft: &Draft, arguments: &[Vec<Term>]) -> Clause {
        let uses =
            draft.known.predicate.map(|used| Application { predicate: used, args: arguments[used].clone() });
        let head = draft.head.as_ref().map(|(predicate, binding)| {
            let args = arguments[*predicate].iter().map(|arg| *binding.get(arg).unwrap_or(arg)).collect();
            Application { predicate: *predicate, args }
        });
        let mut conditions = draft.known.conditions.clone();
        if let Some(used) = &uses {
            // What holds of the inputs need not be learnt, where it is about what is spoken of anyway.
            let spoken: BTreeSet<Term> = used.args.iter().copied().collect();
            let about = |it: &&Term| self.terms.variables(**it).is_subset(&spoken);
            conditions.extend(self.assumptions.iter().filter(about).copied().collect::<Vec<_>>());
        }
        Clause { uses: uses.into_iter().collect(), conditions, head }
    }

    fn sorts(&self, terms: &[Term]) -> Vec<Sort> {
        terms.iter().map(|term| self.terms.sort_of(*term).clone()).collect()
    }
}

impl Known {
    fn and(&self, conditions: &[Term]) -> Known {
        let mut all = self.clone();
        all.conditions.extend(conditions);
        all
    }
}

/// The equality that an order may be one half of: the Horn engine says equalities with two orders.
fn at_its_limit(terms: &mut Terms, relation: Term) -> Option<Term> {
    let (op, args) = (terms.op(relation).clone(), terms.args(relation).to_vec());
    match (op, args.as_slice()) {
        (Op::Le, [low, high]) => Some(terms.eq(*low, *high)),
        (Op::BvCmp(_), [low, high]) => {
            let one = terms.bv(1, terms.width_of(*low));
            let next = terms.bv_op(BvOp::Add, *low, one);
            Some(terms.eq(next, *high))
        }
        (Op::Not, [inner]) => match (terms.op(*inner).clone(), terms.args(*inner).to_vec().as_slice()) {
            (Op::Le, [low, high]) if *terms.sort_of(*low) == Sort::Int => {
                let one = terms.int(1);
                let next = terms.add(&[*high, one]);
                Some(terms.eq(*low, next))
            }
            (Op::BvCmp(_), [low, high]) => Some(terms.eq(*low, *high)),
            _ => None,
        },
        _ => None,
    }
}
