//! Drops candidates until the rest holds at the start and is kept by every iteration.

use std::collections::{BTreeMap, BTreeSet};

use budget::{Budget, Steps};
use smt::{Floats, Term, Value};

use crate::equalities::solve_equalities;
use crate::product::Lockstep;
use crate::proved::Failure;
use crate::{LoopProduct, ProductLoop};
use query::with_symbols;
use query::{Asked, Client, Violation};
use query::{Reach, relevant};

/// The work for one question, if there is as much.
const LEAST: Steps = Steps::of_milliseconds(750);
const MOST: Steps = Steps::of_seconds(4);
/// The least for one that can be asked in parts.
const LEAST_IN_PARTS: Steps = Steps::of_milliseconds(450);
/// Rounds of dropping; beyond these the search is given up.
const MOST_ROUNDS: usize = 60;

impl LoopProduct<'_> {
    /// Leaves an inductive set of candidates for every loop. Fails if loops leave lockstep although all candidates hold
    /// that are left: fewer candidates do not help.
    pub(crate) fn drop_not_inductive(&mut self, client: &mut Client) -> Result<(), Failure> {
        for round in 0..MOST_ROUNDS {
            let mark = client.mark();
            if (0..self.loops.len()).any(|place| self.cannot_stay_in_lockstep(place, client)) {
                return Err(Failure::NotInLockstep);
            }
            let mut changed = false;
            for place in 0..self.loops.len() {
                changed |= self.drop_without_initiation(place, client).ok_or(Failure::UsedUp)?;
                changed |= self.drop_without_consecution(place, client).ok_or(Failure::UsedUp)?;
                let left = self.loops[place].invariants.len();
                tracing::debug!(target: "invariants", round, product_loop = place, left, changed);
            }
            if !changed {
                return Ok(());
            }
            // What was proved rests on candidates that are dropped now.
            client.strike_out_since(mark);
        }
        Err(Failure::UsedUp)
    }

    /// Drops the candidates that need not hold before the first iteration; says whether there were any.
    pub(crate) fn drop_without_initiation(&mut self, place: usize, client: &mut Client) -> Option<bool> {
        let uses = self.loops[place].uses.clone();
        let parent = self.loops[place].parent;
        let mut known = match parent {
            Some(parent) => self.context(parent),
            None => self.assumptions.clone(),
        };
        known.extend(self.postconditions_before(parent, place));
        let here = [uses.old.reached, uses.new.reached];
        let variables = self.binding(place, &uses.old.entry, &uses.new.entry);
        self.drop_refuted(place, known, here, &variables, client)
    }

    /// Drops the candidates that an iteration need not keep; says whether there were any.
    fn drop_without_consecution(&mut self, place: usize, client: &mut Client) -> Option<bool> {
        let iterations = self.loops[place].iterations.clone();
        let mut known = self.context(place);
        known.extend(self.postconditions(Some(place)));
        let here = [iterations.old.goes_on, iterations.new.goes_on];
        let variables = self.binding(place, &iterations.old.after, &iterations.new.after);
        self.drop_refuted(place, known, here, &variables, client)
    }

    /// Drops the candidates of a loop that need not hold in the states that it gets to `here`.
    fn drop_refuted(
        &mut self,
        place: usize,
        known: Vec<Term>,
        here: [Term; 2],
        variables: &BTreeMap<Term, Term>,
        client: &mut Client,
    ) -> Option<bool> {
        let relations = self.loops[place].invariants.clone();
        let wanted: Vec<Term> = relations.iter().map(|relation| self.at(*relation, variables)).collect();
        let about: Vec<Term> = wanted.iter().chain(&here).copied().collect();
        let known = self.relevant(&known, &about);
        let (known, wanted) = self.prepared(known, here, &wanted);
        let distinct: BTreeSet<Term> = wanted.iter().copied().collect();
        let holding = self.holding(&known, distinct.into_iter().collect(), client)?;
        let mut is_kept = wanted.iter().map(|term| holding.contains(term));
        self.loops[place].invariants.retain(|_| is_kept.next().unwrap_or(false));
        if tracing::enabled!(target: "invariants", tracing::Level::DEBUG) {
            let question = client.statistics.solver_calls;
            for dropped in relations.iter().filter(|it| !self.loops[place].invariants.contains(it)) {
                let dropped = self.terms.print(*dropped);
                tracing::debug!(target: "invariants", product_loop = place, dropped, question);
            }
        }
        Some(self.loops[place].invariants.len() < relations.len())
    }

    /// The premises in the cone of influence of a question, up to the reach.
    fn relevant(&self, known: &[Term], about: &[Term]) -> Vec<Term> {
        let found = relevant(self.terms, &self.inputs, known, about, self.reach);
        if self.reach == Reach::Near && !self.left_out.get() {
            let all = relevant(self.terms, &self.inputs, known, about, Reach::All);
            self.left_out.set(all.len() > found.len());
        }
        found
    }

    /// The premises and what is wanted, with known values substituted.
    fn prepared(&mut self, mut known: Vec<Term>, here: [Term; 2], wanted: &[Term]) -> (Vec<Term>, Vec<Term>) {
        known.extend(here);
        let values = solve_equalities(self.terms, &known);
        let known = self.terms.substitute_all(&known, &values);
        let wanted = self.terms.substitute_all(wanted, &values);
        self.as_exact_as_wanted(&known, &wanted)
    }

    /// Those of the wanted terms that hold wherever the known ones do, as far as the solver can tell. Where all together
    /// are too hard, each is asked for alone: that is often easier.
    fn holding(
        &mut self,
        known: &[Term],
        mut wanted: Vec<Term>,
        client: &mut Client,
    ) -> Option<BTreeSet<Term>> {
        loop {
            let all = self.terms.and(&wanted);
            let mut conditions = known.to_vec();
            conditions.push(self.terms.not(all));
            if wanted.is_empty() || self.is_refuted(&conditions, client) {
                return Some(wanted.into_iter().collect());
            }
            if self.budget.is_over() || client.is_stopped() {
                return None;
            }
            let given_up = client.given_up();
            let asked = self.ask_for_all(&conditions, &wanted, client);
            if let Asked::Refuted(_) = asked {
                self.refuted.0.insert(conditions);
                return Some(wanted.into_iter().collect());
            }
            let count = wanted.len();
            if let Asked::Counterexample(model) = asked {
                wanted.retain(|term| model.value(*term) != Some(&Value::Bool(false)));
            }
            match wanted.len() {
                still if still < count => {}
                1 => return Some(BTreeSet::new()),
                _ => {
                    client.excuse(given_up);
                    let mut holding = BTreeSet::new();
                    for term in wanted {
                        holding.extend(self.holding(known, vec![term], client)?);
                    }
                    if holding.len() == count {
                        self.refuted.0.insert(conditions);
                    }
                    return Some(holding);
                }
            }
        }
    }

    fn ask_for_all(&mut self, conditions: &[Term], wanted: &[Term], client: &mut Client) -> Asked<Violation> {
        let soon = self.soon();
        let half = soon.at_most((soon.left() / 2).max(LEAST_IN_PARTS));
        let budget = if wanted.len() > 1 { half } else { soon };
        let violation = Violation::of(conditions.to_vec());
        match self.arithmetic.is_exact() || wanted.len() == 1 {
            true => client.ask(self.terms, violation, wanted, Floats::Symbols, &budget),
            false => client.ask_exactly(self.terms, violation, wanted, Floats::Symbols, &budget),
        }
    }

    /// Conditions and relations with symbols for products and quotients, unless these have their meaning.
    fn as_exact_as_wanted(&mut self, known: &[Term], wanted: &[Term]) -> (Vec<Term>, Vec<Term>) {
        let mut all = known.to_vec();
        all.extend(wanted);
        if !self.arithmetic.is_exact()
            && let Some(mut all) = with_symbols(self.terms, &all)
        {
            let wanted = all.split_off(known.len());
            return (all, wanted);
        }
        (known.to_vec(), wanted.to_vec())
    }

    /// Whether two loops leave lockstep, whichever of their candidates are kept.
    fn cannot_stay_in_lockstep(&mut self, place: usize, client: &mut Client) -> bool {
        // Whether loops inside others that stand alone end is not known yet.
        let is_alone = |inner: &ProductLoop| inner.parent.is_some() && inner.sides.len() < 2;
        !self.loops.iter().any(is_alone) && self.lockstep(place, client) == Lockstep::Broken
    }

    /// Whether the loops always go on together, and leave together in the same way, if their relations hold.
    pub(crate) fn lockstep(&mut self, place: usize, client: &mut Client) -> Lockstep {
        let mut known = self.context(place);
        known.extend(self.postconditions(Some(place)));
        let disagreement = self.disagreement(place);
        let yes = self.terms.bool(true);
        let known = self.relevant(&known, &[disagreement]);
        let (known, _) = self.prepared(known, [disagreement, yes], &[]);
        if self.is_refuted(&known, client) {
            return Lockstep::Kept;
        }
        let budget = self.soon();
        match client.ask(self.terms, Violation::of(known.clone()), &[], Floats::Symbols, &budget) {
            Asked::Refuted(_) => {
                self.refuted.0.insert(known);
                Lockstep::Kept
            }
            Asked::Counterexample(_) => Lockstep::Broken,
            Asked::GaveUp(_) => Lockstep::Unknown,
        }
    }

    /// Whether conditions were refuted before; the proof then rests on that.
    fn is_refuted(&mut self, conditions: &Vec<Term>, client: &mut Client) -> bool {
        let is_refuted = self.refuted.0.contains(conditions);
        if is_refuted {
            client.rest_on(self.terms, &Violation::of(conditions.clone()));
        }
        is_refuted
    }

    /// The budget of one question.
    pub fn soon(&self) -> Budget {
        self.budget.at_most((self.budget.left() / 6).clamp(LEAST, MOST))
    }
}
