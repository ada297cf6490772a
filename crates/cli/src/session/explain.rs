//! Why the versions of a pair differ: the ways of both on inputs that show it, and what the difference comes from.

use budget::{Budget, Steps};
use check::{CheckConfig, Compared, Comparer, PartingCall, Subject, Verdict, Witness};
use explain::{Row, effect_rows};
use ir::Pair;
use report::explain::{EffectRow, Explanation, PathPair};

use super::{Session, select};

/// A longer condition is no example.
const LONGEST_EXAMPLE: usize = 60;

/// A row of the table with an input that shows it.
struct ShownRow {
    condition: String,
    effects: report::Versions<String>,
    witness: Box<Witness>,
}

impl Session {
    /// Explains the difference that a witness shows; with what the proofs of the conditions take for granted.
    /// `exact` is the condition under which the versions differ, if one was proved to be the only one.
    pub(super) fn explain(
        &self,
        index: usize,
        witness: &Witness,
        exact: Option<&str>,
        config: &CheckConfig,
    ) -> (Explanation, Vec<String>) {
        let pair = self.subjects(index);
        let mut explanation =
            Explanation { cause: self.cause(index, witness, config), ..Explanation::default() };
        let mut granted = Vec::new();
        match self.table(index, witness, exact, config, &mut granted) {
            Ok(rows) => {
                let shown = |(at, shown): (usize, &ShownRow)| EffectRow {
                    condition: shown.condition.clone(),
                    effects: shown.effects.clone(),
                    path: Some(at),
                };
                explanation.table = Some(rows.iter().enumerate().map(shown).collect());
                explanation.paths = rows.iter().map(|row| path_of(pair, &row.witness, config)).collect();
            }
            Err(why) => {
                granted.clear();
                explanation.no_table = Some(why);
                explanation.paths = vec![path_of(pair, witness, config)];
            }
        }
        (explanation, granted)
    }

    /// What both versions do where they differ. Each condition is proved as it is written: the versions differ
    /// everywhere under it, and where none holds they do the same.
    fn table(
        &self,
        index: usize,
        known: &Witness,
        exact: Option<&str>,
        config: &CheckConfig,
        granted: &mut Vec<String>,
    ) -> Result<Vec<ShownRow>, String> {
        if !self.options.under.is_empty() || config.total || config.open_world {
            return Err("it is made only where all inputs of a closed program are compared".to_owned());
        }
        let not_proved = || "its conditions could not be proved as they are written".to_owned();
        let unit = self.sources.get(self.pairs[index].unit).ok_or_else(not_proved)?;
        let pair = self.subjects(index);
        let name = select::name_of(pair.map(|subject| subject.procedure().name.as_str()));
        let config = CheckConfig { budget: self.fresh(config), ..config.clone() };
        let rows = effect_rows(pair, &self.cell_names(index), &config)?;
        // What was proved already is said in the words of the source.
        if let ([Row { effects, .. }], Some(exact)) = (rows.as_slice(), exact) {
            let (condition, effects) = (exact.to_owned(), effects.clone());
            return Ok(vec![ShownRow { condition, effects, witness: Box::new(known.clone()) }]);
        }
        let said: Option<Vec<(String, report::Versions<String>)>> =
            rows.into_iter().map(|row| Some((row.condition?, row.effects))).collect();
        let rows = said.ok_or("a condition cannot be said in a line")?;
        let comparer = Comparer::of(pair, &config);
        let is_always = |condition: &str| matches!(condition, "true" | "1");
        if !rows.iter().any(|(condition, _)| is_always(condition)) {
            let others: Vec<String> = rows.iter().map(|(condition, _)| format!("!({condition})")).collect();
            let same = self.same_under(index, unit, &others.join(" && "), &[], &config);
            granted.extend(same.ok_or_else(not_proved)?);
            // The same for inputs on which a condition itself fails.
            let texts: Vec<&str> = rows.iter().map(|(condition, _)| condition.as_str()).collect();
            granted.extend(self.same_outside(index, unit, &texts, &config).ok_or_else(not_proved)?);
        }
        let mut shown = Vec::new();
        for (condition, effects) in rows {
            let text = Some(condition.as_str()).filter(|text| !is_always(text));
            let (assumptions, input) =
                self.differ_under(unit, &name, text, &config).ok_or_else(not_proved)?;
            granted.extend(assumptions);
            let Compared::Different(witness) = comparer.compare(&input) else { return Err(not_proved()) };
            shown.push(ShownRow { condition, effects, witness });
        }
        Ok(shown)
    }

    fn fresh(&self, config: &CheckConfig) -> Budget {
        Budget::new(Steps::new(self.options.effort), config.budget.kill().clone())
    }

    /// `` `parse` differs because `skip` differs when `s[0] == '+'` ``.
    fn cause(&self, index: usize, witness: &Witness, config: &CheckConfig) -> Option<String> {
        let PartingCall::Answered { procedures, .. } = witness.parting_call()? else { return None };
        let pair = self.subjects(index);
        let this = &pair.new.procedure().short_name;
        let callee = pair.zip(*procedures).map(|(subject, id)| subject.program.procedure(id));
        let (name, was) = (&callee.new.short_name, &callee.old.short_name);
        let was = if name == was { String::new() } else { format!(" (was `{was}`)") };
        let full = callee.map(|procedure| procedure.name.as_str());
        let when = self.condition_of(index, full, config);
        Some(format!("`{this}` differs because `{name}`{was} differs{}", when.unwrap_or_default()))
    }

    /// `` when `x > 3` ``: where another pair of the same sources differs, if that was proved.
    fn condition_of(&self, index: usize, names: Pair<&str>, config: &CheckConfig) -> Option<String> {
        let unit = self.sources.get(self.pairs[index].unit)?;
        let session = self.under(unit, &select::name_of(names), None)?;
        let config = CheckConfig { budget: self.fresh(config), ..config.clone() };
        let judged = session.judge(0, &config, &mut |_| {});
        let Verdict::Different(witness) = &judged.checked.verdict else { return None };
        let found = judged.session.conditions(judged.index, witness.input(), &config)?;
        let when = found.different_when.filter(|when| !matches!(when.as_str(), "true" | "1"))?;
        match found.exact {
            true => Some(format!(" when `{when}`")),
            false => (when.len() <= LONGEST_EXAMPLE).then(|| format!(", for example when `{when}`")),
        }
    }
}

/// The ways of both versions on the input of a witness.
fn path_of(pair: Pair<Subject<'_>>, witness: &Witness, config: &CheckConfig) -> PathPair {
    let said = report::witness_report(pair, witness);
    let outcomes = report::outcome_texts(&said);
    explain::path_pair(pair, witness.input(), config.numbers, said.call, outcomes)
}
