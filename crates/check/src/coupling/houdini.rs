//! Drops candidates until the rest holds at the start and is kept by every iteration.

use std::time::{Duration, Instant};

use smt::{Floats, Term, Value};

use super::Coupling;
use super::solved::solved;
use crate::question::hard::with_symbols;
use crate::question::{Asked, Asker, Unfinished};

/// The time for one question, if there is as much.
const LEAST_TIME: Duration = Duration::from_millis(250);
const MOST_TIME: Duration = Duration::from_secs(2);
/// Rounds of dropping; beyond these the search is given up.
const MOST_ROUNDS: usize = 60;

impl Coupling<'_> {
    /// Leaves an inductive set of relations for every loop; `None` if there is no time for that.
    pub(super) fn drop_what_is_not_inductive(&mut self, asker: &mut Asker<'_>) -> Option<()> {
        for _ in 0..MOST_ROUNDS {
            let mut changed = false;
            for place in 0..self.loops.len() {
                changed |= self.drop_what_does_not_start(place, asker)?;
                changed |= self.drop_what_is_not_kept(place, asker)?;
            }
            if !changed {
                return Some(());
            }
        }
        None
    }

    fn drop_what_does_not_start(&mut self, place: usize, asker: &mut Asker<'_>) -> Option<bool> {
        let uses = self.loops[place].uses.clone();
        let parent = self.loops[place].parent;
        let mut known = match parent {
            Some(parent) => self.context(parent),
            None => self.assumptions.clone(),
        };
        known.extend(self.facts_within_except(parent, place));
        known.extend([uses.old.reached, uses.new.reached]);
        let variables = self.binding(place, &uses.old.entry, &uses.new.entry);
        self.drop_refuted(place, &known, &variables, asker)
    }

    fn drop_what_is_not_kept(&mut self, place: usize, asker: &mut Asker<'_>) -> Option<bool> {
        let iterations = self.loops[place].iterations.clone();
        let mut known = self.context(place);
        known.extend(self.facts_within(Some(place)));
        known.extend([iterations.old.goes_on, iterations.new.goes_on]);
        let variables = self.binding(place, &iterations.old.after, &iterations.new.after);
        self.drop_refuted(place, &known, &variables, asker)
    }

    /// Drops the relations of a loop that need not hold at the given states; says whether there were any.
    fn drop_refuted(
        &mut self,
        place: usize,
        known: &[Term],
        variables: &std::collections::BTreeMap<Term, Term>,
        asker: &mut Asker<'_>,
    ) -> Option<bool> {
        let mut changed = false;
        let values = solved(self.terms, known);
        let known = self.terms.substitute_all(known, &values);
        loop {
            let relations = self.loops[place].relations.clone();
            let wanted: Vec<Term> = relations.iter().map(|relation| self.at(*relation, variables)).collect();
            let wanted = self.terms.substitute_all(&wanted, &values);
            let (known, wanted) = self.as_exact_as_wanted(&known, &wanted);
            let all = self.terms.and(&wanted);
            let mut conditions = known.clone();
            conditions.push(self.terms.not(all));
            if Instant::now() >= self.deadline {
                return None;
            }
            let deadline = self.soon();
            let asked = match self.arithmetic.is_exact() {
                true => asker.ask::<Unfinished>(self.terms, &conditions, &wanted, Floats::Symbols, deadline),
                false => asker.ask_exactly::<Unfinished>(
                    self.terms,
                    &conditions,
                    &wanted,
                    Floats::Symbols,
                    deadline,
                ),
            };
            let keep: Vec<bool> = match asked {
                Asked::Refuted(_) => return Some(changed),
                Asked::Candidate(model) => {
                    wanted.iter().map(|term| model.value(*term) != Some(&Value::Bool(false))).collect()
                }
                Asked::GaveUp(_) => vec![true; wanted.len()],
            };
            let dropped_any = keep.contains(&false);
            let keep = if dropped_any { keep } else { self.proved_alone(&known, &wanted, asker) };
            if !keep.contains(&false) {
                // Each of them holds.
                return Some(changed);
            }
            changed = true;
            let mut keep = keep.into_iter();
            self.loops[place].relations.retain(|_| keep.next().unwrap_or(false));
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

    /// Asks for each relation alone, where all of them together were too hard.
    fn proved_alone(&mut self, known: &[Term], wanted: &[Term], asker: &mut Asker<'_>) -> Vec<bool> {
        let proved = wanted.iter().map(|term| {
            let mut conditions = known.to_vec();
            conditions.push(self.terms.not(*term));
            let deadline = self.soon();
            let asked = asker.ask::<Unfinished>(self.terms, &conditions, &[], Floats::Symbols, deadline);
            matches!(asked, Asked::Refuted(_))
        });
        proved.collect()
    }

    /// Whether the loops always go on together, and leave together in the same way.
    pub(super) fn agrees(&mut self, place: usize, asker: &mut Asker<'_>) -> bool {
        let mut known = self.context(place);
        known.extend(self.facts_within(Some(place)));
        known.push(self.disagreement(place));
        let values = solved(self.terms, &known);
        let known = self.terms.substitute_all(&known, &values);
        let (known, _) = self.as_exact_as_wanted(&known, &[]);
        let deadline = self.soon();
        matches!(
            asker.ask::<Unfinished>(self.terms, &known, &[], Floats::Symbols, deadline),
            Asked::Refuted(_)
        )
    }

    /// The time for one question.
    pub(super) fn soon(&self) -> Instant {
        let left = self.deadline.saturating_duration_since(Instant::now());
        Instant::now() + (left / 6).max(LEAST_TIME).min(left).min(MOST_TIME)
    }
}
