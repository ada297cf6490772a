//! Follows both versions along the paths that one input takes, into callees only where it leads there.
//!
//! Exact on the path pair that comes with the summaries: all decisions on the way, of both versions. Where the input
//! does not say which way to go (what unknown code returns), the solver chooses a way that still leads to something
//! new.

use ir::{Pair, Subject};
use smt::{Assignment, Model, Op, Sort, Term, Terms};
use symbolic::{Followed, Guide, Inputs, NotFollowed, Stopped, Summary};

use super::Exploration;
use crate::CheckConfig;
use crate::unknown::Reason;
use query::{Asked, Question};

impl Exploration<'_, '_> {
    /// The summaries of the paths that an input takes, and the condition under which they are taken. Without an input
    /// the solver chooses at every turn.
    pub(super) fn follow_both(
        &mut self,
        terms: &mut Terms,
        model: Option<&Model>,
        config: &CheckConfig,
    ) -> Result<(Pair<Summary>, Term), Reason> {
        let mut guide = Guide { guesses: model.is_some(), ..Guide::default() };
        if let Some(model) = model {
            guide.values = values_of(terms, model);
        }
        let old = self.follow_one(terms, self.pair.old, &mut guide, config)?;
        let new = self.follow_one(terms, self.pair.new, &mut guide, config)?;
        let path_pair = terms.and(&guide.given);
        Ok((Pair { old, new }, path_pair))
    }

    /// Follows one version. What it decides is given from then on: both versions go the way of the same inputs.
    fn follow_one(
        &mut self,
        terms: &mut Terms,
        subject: Subject<'_>,
        guide: &mut Guide,
        config: &CheckConfig,
    ) -> Result<Summary, Reason> {
        let summary_config = config.summaries();
        loop {
            let Subject { program, procedure } = subject;
            match symbolic::follow(terms, program, procedure, &self.inputs, &summary_config, guide) {
                Ok(Followed { summary, taken, .. }) => {
                    guide.given.extend(taken);
                    return Ok(summary);
                }
                Err(NotFollowed::Undecided { condition, taken, .. }) => {
                    guide.given.extend(taken);
                    self.choose(terms, condition, guide, config)?;
                }
                Err(NotFollowed::Stopped(Stopped::UsedUp)) => return Err(Reason::UsedUp),
                Err(NotFollowed::Stopped(Stopped::TooLarge)) => return Err(Reason::TooLarge),
                Err(NotFollowed::Stopped(Stopped::Undecided)) => {
                    return Err(Reason::Internal("a guide was asked about nothing".to_owned()));
                }
            }
        }
    }

    /// Lets the solver say whether a condition holds on the path, so that some input there is new.
    fn choose(
        &mut self,
        terms: &mut Terms,
        condition: Term,
        guide: &mut Guide,
        config: &CheckConfig,
    ) -> Result<(), Reason> {
        let more: Vec<Term> = guide.given.iter().copied().chain([condition]).collect();
        let uncovered = self.path_pairs.uncovered(terms, &more);
        let wanted = all_values(terms, &self.inputs, uncovered.conditions());
        let asked = self.client.ask(terms, uncovered, &wanted, self.floats, &config.budget);
        guide.given.push(match asked {
            Asked::Counterexample(model) => {
                if guide.guesses {
                    guide.values = values_of(terms, &model);
                }
                condition
            }
            Asked::Refuted(_) => terms.not(condition),
            Asked::GaveUp(reason) => return Err(reason.into()),
        });
        Ok(())
    }
}

/// What a model must say to choose a path: the values of inputs, and of unknown functions where they occur.
pub(super) fn all_values(terms: &Terms, inputs: &Inputs, conditions: &[Term]) -> Vec<Term> {
    let mut roots = symbolic::input_terms(inputs);
    roots.extend(conditions);
    let has_a_value = |term: &Term| {
        matches!(terms.op(*term), Op::Var(_) | Op::Apply(_))
            && !matches!(terms.sort_of(*term), Sort::Uninterpreted(_))
    };
    terms.reachable(&roots).into_iter().filter(has_a_value).collect()
}

/// The values of a model, as far as terms can be evaluated with them.
fn values_of(terms: &Terms, model: &Model) -> Assignment {
    let mut values = Assignment::default();
    // Arguments come before what is made of them.
    for (term, value) in model.values() {
        let Some(name) = terms.name(term) else { continue };
        if matches!(terms.op(term), Op::Var(_)) {
            values.variables.insert(name.to_owned(), value.clone());
            continue;
        }
        let args: Option<Vec<_>> = terms.evaluate_all(terms.args(term), &values).into_iter().collect();
        if let Some(args) = args {
            values.functions.entry(name.to_owned()).or_default().entries.insert(args, value.clone());
        }
    }
    values
}
