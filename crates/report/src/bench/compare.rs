//! What one strategy reaches and another does not, and where the evidence is against the labels.

use std::collections::BTreeMap;

use serde::Serialize;

use super::model::{BenchReport, CaseReport, Correction, Label, RunRecord, Score};
use crate::model::VerdictWord;

/// The pairs that one strategy solved and another did not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Advantage {
    pub(crate) solved_by: String,
    pub(crate) not_by: String,
    pub(crate) cases: Vec<String>,
}

/// Every advantage of a strategy over another.
pub(crate) fn advantages(report: &BenchReport) -> Vec<Advantage> {
    let mut found = Vec::new();
    for (winner, solved_by) in report.strategies.iter().enumerate() {
        for (loser, not_by) in report.strategies.iter().enumerate() {
            let solves =
                |case: &CaseReport, strategy: usize| case.runs[strategy].score(case.label) == Score::Solved;
            let cases: Vec<String> = report
                .cases
                .iter()
                .filter(|case| solves(case, winner) && !solves(case, loser))
                .map(CaseReport::full_name)
                .collect();
            if !cases.is_empty() {
                found.push(Advantage { solved_by: solved_by.clone(), not_by: not_by.clone(), cases });
            }
        }
    }
    found
}

/// A label that some verdict contradicts: either the label is wrong, or selfsame is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Contradiction {
    pub(crate) case: String,
    pub(crate) label: Label,
    /// Two strategies proved the opposite of each other, so that selfsame is wrong whatever the label says.
    pub(crate) strategies_disagree: bool,
    pub(crate) against: Vec<Evidence>,
    /// Strategies whose verdict is the label.
    pub(crate) agreeing: Vec<String>,
}

/// A verdict with what it rests on.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Evidence {
    pub(crate) strategy: String,
    pub(crate) verdict: VerdictWord,
    pub(crate) evidence: String,
}

/// Every label with evidence against it.
pub(crate) fn contradictions(report: &BenchReport) -> Vec<Contradiction> {
    let mut found = Vec::new();
    for case in &report.cases {
        let mut against = Vec::new();
        let mut agreeing = Vec::new();
        for (strategy, run) in report.strategies.iter().zip(&case.runs) {
            match (run.score(case.label), run.verdict) {
                (Score::Wrong, Some(verdict)) => {
                    let evidence = run.detail.clone();
                    against.push(Evidence { strategy: strategy.clone(), verdict, evidence });
                }
                (Score::Solved, _) => agreeing.push(strategy.clone()),
                _ => {}
            }
        }
        if !against.is_empty() {
            let strategies_disagree = case.is_contradictory();
            let (case, label) = (case.full_name(), case.label);
            found.push(Contradiction { case, label, strategies_disagree, against, agreeing });
        }
    }
    found
}

/// The runs without a verdict: strategy, pair and what went wrong.
pub(crate) fn crashes(report: &BenchReport) -> Vec<(&str, &CaseReport, &RunRecord)> {
    runs(report).filter(|(_, case, run)| run.score(case.label) == Score::Crash).collect()
}

/// The pairs that no strategy solved, with the run that got furthest; those that crashed everywhere are left out.
pub(crate) fn unsolved(report: &BenchReport) -> Vec<(&str, &CaseReport, &RunRecord)> {
    let mut found = Vec::new();
    for case in &report.cases {
        let scores: Vec<Score> = case.runs.iter().map(|run| run.score(case.label)).collect();
        if scores.contains(&Score::Solved) || scores.contains(&Score::Wrong) {
            continue;
        }
        let furthest = [Score::Bounded, Score::Unknown];
        let best = furthest.iter().find_map(|wanted| scores.iter().position(|score| score == wanted));
        if let Some(best) = best {
            found.push((report.strategies[best].as_str(), case, &case.runs[best]));
        }
    }
    found
}

/// What did not run, by its reason, in the order of the reasons.
pub(crate) fn left_out(report: &BenchReport) -> Vec<(&str, Vec<&str>)> {
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in &report.left_out {
        found.entry(&one.why).or_default().push(&one.what);
    }
    found.into_iter().collect()
}

/// `demo/mid: different instead of equivalent (the authors' erratum)`, for every corrected label.
pub(crate) fn corrections(report: &BenchReport) -> Vec<String> {
    let corrected = report.cases.iter().filter_map(|case| Some((case, case.corrected.as_ref()?)));
    let line = |(case, correction): (&CaseReport, &Correction)| {
        let from = correction.from.map_or("no label", Label::name);
        let reason = match correction.reason.as_str() {
            "" => String::new(),
            reason => format!(" ({reason})"),
        };
        let (name, label) = (case.full_name(), case.label.name());
        match correction.from == Some(case.label) {
            true => format!("{name}: {label}, as the suite says{reason}"),
            false => format!("{name}: {label} instead of {from}{reason}"),
        }
    };
    corrected.map(line).collect()
}

/// All runs, pair by pair.
pub(crate) fn runs(report: &BenchReport) -> impl Iterator<Item = (&str, &CaseReport, &RunRecord)> {
    report.cases.iter().flat_map(|case| {
        let named = report.strategies.iter().zip(&case.runs);
        named.map(move |(strategy, run)| (strategy.as_str(), case, run))
    })
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn an_advantage_names_the_pairs() {
        let advantage = Advantage {
            solved_by: "naive".to_owned(),
            not_by: "testing".to_owned(),
            cases: vec!["demo/loops/sum/Eq".to_owned()],
        };
        assert_eq!(advantages(&samples::report()), [advantage]);
    }

    #[test]
    fn a_contradicted_label_comes_with_the_evidence() {
        let mut report = samples::report();
        let found = contradictions(&report);
        let [contradiction] = found.as_slice() else { panic!("one expected") };
        assert_eq!(contradiction.label, Label::Equivalent);
        assert_eq!(contradiction.against.len(), 1);
        assert!(contradiction.against[0].evidence.contains("old 1, new 2"));
        assert!(!contradiction.strategies_disagree && contradiction.agreeing.is_empty());
        report.cases[3].runs[1].verdict = Some(VerdictWord::Equivalent);
        let found = contradictions(&report);
        assert!(found[0].strategies_disagree);
        assert_eq!(found[0].agreeing, ["testing"]);
    }

    #[test]
    fn what_did_not_run_is_named_by_its_reason_and_labels_by_their_correction() {
        let mut report = samples::report();
        assert_eq!(left_out(&report), [("there is no other version beside it", vec!["a/old.c", "b/new.c"])]);
        assert_eq!(corrections(&report), Vec::<String>::new());
        report.cases[2].corrected =
            Some(Correction { from: Some(Label::Equivalent), reason: "erratum".to_owned() });
        report.cases[1].corrected = Some(Correction { from: None, reason: String::new() });
        assert_eq!(
            corrections(&report),
            [
                "demo/loops/long/Eq: equivalent instead of no label",
                "demo/mid: different instead of equivalent (erratum)"
            ]
        );
    }

    #[test]
    fn what_nobody_solved_is_shown_with_the_run_that_got_furthest() {
        let report = samples::report();
        let shown: Vec<_> = unsolved(&report)
            .into_iter()
            .map(|(strategy, case, run)| (strategy, case.name.as_str(), run.bound))
            .collect();
        assert_eq!(shown, [("naive", "loops/long/Eq", Some(5))]);
        assert_eq!(crashes(&report).len(), 2);
    }
}
