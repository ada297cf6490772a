//! Labelled pairs and what each strategy said of them, as plain data.

use serde::{Deserialize, Serialize};

use super::others::OtherTool;
use crate::model::{Breakdown, PairReport, ReasonReport, VerdictWord, WitnessReport};
use crate::outcome::{Shown, outcome_phrase};

/// Everything that a benchmark run found out.
#[derive(Clone, PartialEq, Debug)]
pub struct BenchReport {
    /// The program and its version.
    pub program: String,
    /// What the run was asked to do, as name and value, for the head of the reports.
    pub settings: Vec<(String, String)>,
    /// What it ran on: processor, system, solver, commit.
    pub machine: Vec<(String, String)>,
    pub strategies: Vec<String>,
    pub cases: Vec<CaseReport>,
    /// What the suites hold and nobody ran.
    pub left_out: Vec<LeftOut>,
    /// What others measured, to stand beside it.
    pub others: Vec<OtherTool>,
    pub notes: Vec<String>,
}

/// A file or a pair that did not run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct LeftOut {
    pub why: String,
    pub what: String,
}

/// A labelled pair with one run for each strategy, in the order of the strategies.
#[derive(Clone, PartialEq, Debug)]
pub struct CaseReport {
    pub suite: String,
    /// Within the suite; may be empty.
    pub group: String,
    pub name: String,
    pub language: String,
    pub function: String,
    /// The numbers that it ran with.
    pub numbers: String,
    /// What is said to be true of it, with these numbers.
    pub label: Label,
    /// How many calls in a row its client makes, in suites that show how checks scale.
    pub calls: Option<u32>,
    /// Set where `--labels` changed the label.
    pub corrected: Option<Correction>,
    /// What counts of each strategy: its only run, or a summary of its repetitions.
    pub runs: Vec<RunRecord>,
    /// All runs of each strategy; one each unless runs were repeated.
    pub repetitions: Vec<Vec<RunRecord>>,
}

/// Why a label is not that of the suite.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Correction {
    /// What the suite says, if anything.
    pub from: Option<Label>,
    pub reason: String,
}

/// What the suite says of a pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    Equivalent,
    Different,
}

impl Label {
    pub fn name(self) -> &'static str {
        match self {
            Label::Equivalent => "equivalent",
            Label::Different => "different",
        }
    }
}

/// What one strategy made of one pair.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunRecord {
    /// None when there was none: the input was refused, or the program broke.
    pub verdict: Option<VerdictWord>,
    /// Set for an *unknown* without a difference among all runs within this bound.
    pub bound: Option<u32>,
    /// The proof of an *equivalent*, the witness of a *different*, the reasons of an *unknown*, or what went wrong.
    pub detail: String,
    /// Which strategy decided, where the one that was asked for tries several.
    pub decided_by: Option<String>,
    /// From the start of the run to its answer, reading included.
    pub seconds: f64,
    /// How much of it the check itself took: without the start of the worker and the reading of the files.
    #[serde(default)]
    pub check_seconds: f64,
    pub solver_calls: u32,
    pub solver_seconds: f64,
    pub refinements: u32,
    pub inputs_tried: u64,
    /// Set where there is no verdict because of a bug or a kill, not because of the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<Breakdown>,
}

/// A verdict measured by its label. Later ones flatter less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// The verdict is the label.
    Solved,
    /// *Unknown*, but with no difference up to a bound, where the label is *equivalent*.
    Bounded,
    Unknown,
    /// No verdict at all.
    Crash,
    /// The verdict is the opposite of the label.
    Wrong,
}

impl Score {
    pub fn name(self) -> &'static str {
        match self {
            Score::Solved => "solved",
            Score::Bounded => "bounded",
            Score::Unknown => "unknown",
            Score::Crash => "crash",
            Score::Wrong => "WRONG",
        }
    }
}

impl RunRecord {
    pub fn score(&self, label: Label) -> Score {
        match (self.verdict, label) {
            (None, _) => Score::Crash,
            (Some(VerdictWord::Equivalent), Label::Equivalent)
            | (Some(VerdictWord::Different), Label::Different) => Score::Solved,
            (Some(VerdictWord::Equivalent), Label::Different)
            | (Some(VerdictWord::Different), Label::Equivalent) => Score::Wrong,
            (Some(VerdictWord::Unknown), Label::Equivalent) if self.bound.is_some() => Score::Bounded,
            (Some(VerdictWord::Unknown), _) => Score::Unknown,
        }
    }

    /// A run that came to no verdict.
    pub fn without_verdict(detail: String, seconds: f64) -> RunRecord {
        RunRecord { detail, seconds, ..RunRecord::default() }
    }

    /// A pair that could not even be started.
    pub fn not_run(detail: String) -> RunRecord {
        RunRecord { breakdown: Some(Breakdown::NotRun), ..RunRecord::without_verdict(detail, 0.0) }
    }

    /// The time that it took, if it was started.
    pub(crate) fn time(&self) -> Option<f64> {
        (self.breakdown != Some(Breakdown::NotRun)).then_some(self.seconds)
    }

    /// What the answers for one pair of files say together: *different* if any is, *equivalent* if all are.
    pub fn of(answers: &[PairReport], seconds: f64) -> RunRecord {
        let order = [VerdictWord::Different, VerdictWord::Unknown, VerdictWord::Equivalent];
        let with = |word: &VerdictWord| answers.iter().find(|answer| answer.verdict == *word);
        let Some(decisive) = order.iter().find_map(with) else {
            return RunRecord::without_verdict("there was nothing to compare".to_owned(), seconds);
        };
        if decisive.verdict == VerdictWord::Unknown
            && let Some(broken) = breakdown(answers)
        {
            let record = RunRecord::without_verdict(broken.text.clone(), seconds);
            return RunRecord { breakdown: broken.breakdown, ..record };
        }
        let of_all = |figure: fn(&PairReport) -> f64| answers.iter().map(figure).sum();
        RunRecord {
            verdict: Some(decisive.verdict),
            bound: common_bound(answers),
            detail: detail(decisive),
            decided_by: Some(decisive.strategy.clone()),
            seconds,
            check_seconds: of_all(|answer| answer.statistics.seconds),
            solver_calls: answers.iter().map(|answer| answer.statistics.solver_calls).sum(),
            solver_seconds: of_all(|answer| answer.statistics.solver_seconds),
            refinements: answers.iter().map(|answer| answer.statistics.refinements).sum(),
            inputs_tried: answers.iter().map(|answer| answer.statistics.inputs_tried).sum(),
            breakdown: None,
        }
    }
}

/// The first reason that is no limit of the method, but a bug or a kill.
fn breakdown(answers: &[PairReport]) -> Option<&ReasonReport> {
    answers.iter().flat_map(|answer| &answer.reasons).find(|reason| reason.breakdown.is_some())
}

/// The bound up to which none of the answers has a difference: every *unknown* has to have one.
fn common_bound(answers: &[PairReport]) -> Option<u32> {
    let unknown = answers.iter().filter(|answer| answer.verdict == VerdictWord::Unknown);
    let bounds: Option<Vec<u32>> = unknown.map(|answer| answer.bound).collect();
    let is_open = answers.iter().all(|answer| answer.verdict != VerdictWord::Different);
    bounds.filter(|_| is_open)?.into_iter().min()
}

fn detail(answer: &PairReport) -> String {
    match answer.verdict {
        VerdictWord::Equivalent => {
            let proof = answer.proof.iter().cloned();
            let assumptions = answer.assumptions.iter().map(|assumption| format!("assuming {assumption}"));
            proof.chain(assumptions).collect::<Vec<_>>().join("; ")
        }
        VerdictWord::Different => answer.witness.as_ref().map(witness_phrase).unwrap_or_default(),
        VerdictWord::Unknown => {
            let reasons: Vec<_> = answer.reasons.iter().map(|reason| reason.text.as_str()).collect();
            match answer.bound {
                Some(bound) => format!("no difference up to {bound} iterations; {}", reasons.join("; ")),
                None => reasons.join("; "),
            }
        }
    }
}

/// `mid(2147483647, 1): old -1073741824, new 1073741824 (seen by interpreter)`.
fn witness_phrase(witness: &WitnessReport) -> String {
    let outcomes = &witness.outcomes;
    let shown = Shown::where_different(&outcomes.old, &outcomes.new);
    let globals: String =
        witness.globals.iter().map(|global| format!(" where {} is {}", global.name, global.value)).collect();
    format!(
        "{}{globals}: old {}, new {} (seen by {})",
        witness.call,
        outcome_phrase(&outcomes.old, shown),
        outcome_phrase(&outcomes.new, shown),
        witness.replayed.join(" and ")
    )
}

impl CaseReport {
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.suite, self.name)
    }

    /// `suite/group`, or the suite alone.
    pub(crate) fn full_group(&self) -> String {
        match self.group.as_str() {
            "" => self.suite.clone(),
            group => format!("{}/{group}", self.suite),
        }
    }

    /// Whether two strategies proved the opposite: then one of them is wrong, whatever the label says.
    pub(crate) fn is_contradictory(&self) -> bool {
        let said = |word| self.runs.iter().any(|run| run.verdict == Some(word));
        said(VerdictWord::Equivalent) && said(VerdictWord::Different)
    }
}

impl BenchReport {
    /// How many verdicts are the opposite of their labels.
    pub fn wrong(&self) -> usize {
        self.count(Score::Wrong)
    }

    /// How many runs came to no verdict.
    pub fn crashes(&self) -> usize {
        self.count(Score::Crash)
    }

    fn count(&self, wanted: Score) -> usize {
        let runs = self.cases.iter().flat_map(|case| case.runs.iter().map(|run| run.score(case.label)));
        runs.filter(|score| *score == wanted).count()
    }

    /// How often each pair ran with each strategy.
    pub(crate) fn repeated(&self) -> usize {
        self.cases.iter().flat_map(|case| &case.repetitions).map(Vec::len).max().unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn record(answers: &[PairReport]) -> RunRecord {
        RunRecord::of(answers, 0.5)
    }

    #[test]
    fn a_verdict_is_measured_by_its_label() {
        let [equivalent, different, unknown] =
            [samples::equivalent(), samples::different(), samples::unknown()].map(|answer| record(&[answer]));
        assert_eq!(equivalent.score(Label::Equivalent), Score::Solved);
        assert_eq!(equivalent.score(Label::Different), Score::Wrong);
        assert_eq!(different.score(Label::Different), Score::Solved);
        assert_eq!(different.score(Label::Equivalent), Score::Wrong);
        assert_eq!(unknown.score(Label::Equivalent), Score::Bounded);
        assert_eq!(unknown.score(Label::Different), Score::Unknown);
        assert_eq!(RunRecord { bound: None, ..unknown }.score(Label::Equivalent), Score::Unknown);
        let nothing = RunRecord::without_verdict("a.c:1:1: missing `}`".to_owned(), 0.1);
        assert_eq!(nothing.score(Label::Different), Score::Crash);
    }

    #[test]
    fn overloads_are_equivalent_only_together() {
        let (equivalent, different, unknown) =
            (samples::equivalent(), samples::different(), samples::unknown());
        let both = record(&[equivalent.clone(), unknown.clone()]);
        assert_eq!((both.verdict, both.bound), (Some(VerdictWord::Unknown), Some(5)));
        let all = record(&[equivalent.clone(), unknown, different]);
        assert_eq!((all.verdict, all.bound), (Some(VerdictWord::Different), None));
        assert_eq!(all.solver_calls, 4);
        let endless = PairReport { bound: None, ..samples::unknown() };
        assert_eq!(record(&[samples::unknown(), endless]).bound, None);
        assert_eq!(record(&[equivalent]).bound, None);
        assert_eq!(record(&[]).verdict, None);
    }

    #[test]
    fn a_bug_and_a_kill_are_crashes_and_not_unknown() {
        for (reason, breakdown) in [
            (ReasonReport::internal("a worker died"), Breakdown::Bug),
            (ReasonReport::killed("SIGKILL"), Breakdown::Killed),
        ] {
            let broken = PairReport { reasons: vec![reason], ..samples::unknown() };
            let run = record(&[samples::equivalent(), broken.clone()]);
            assert_eq!((run.score(Label::Equivalent), run.breakdown), (Score::Crash, Some(breakdown)));
            assert_eq!(run.seconds, 0.5);
            let seen = record(&[samples::different(), broken]);
            assert_eq!(seen.score(Label::Different), Score::Solved);
        }
    }

    #[test]
    fn the_detail_is_the_evidence() {
        assert_eq!(
            record(&[samples::different()]).detail,
            "mid(2147483647, 1): old -1073741824, new 1073741824 (seen by interpreter and java)"
        );
        assert!(record(&[samples::equivalent()]).detail.contains("; assuming `Log.write`"));
        assert!(
            record(&[samples::unknown()]).detail.starts_with("no difference up to 5 iterations; the loop")
        );
    }
}
