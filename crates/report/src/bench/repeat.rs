//! Runs that were repeated: what counts of them, how far their times spread, and verdicts that changed.

use super::model::{BenchReport, CaseReport, Label, RunRecord, Score};
use super::spread::Spread;
use super::tables::{Table, text_row};

impl RunRecord {
    /// What counts of several runs of one question: the verdict that flatters least, and the median time.
    pub fn of_repetitions(label: Label, runs: &[RunRecord]) -> RunRecord {
        let Some(worst) = runs.iter().max_by_key(|run| run.score(label)) else {
            return RunRecord::without_verdict("it was not run".to_owned(), 0.0);
        };
        let seconds = Spread::of(runs.iter().map(|run| run.seconds).collect()).median;
        let detail = match changes(label, runs) {
            Some(changes) => format!("{changes}; {}", worst.detail),
            None => worst.detail.clone(),
        };
        RunRecord { seconds, detail, ..worst.clone() }
    }
}

/// `not the same in all repetitions: solved 2 times, unknown once`, where the score changed.
fn changes(label: Label, runs: &[RunRecord]) -> Option<String> {
    let mut scores: Vec<Score> = runs.iter().map(|run| run.score(label)).collect();
    scores.sort_unstable();
    let counted: Vec<String> = scores
        .chunk_by(|one, other| one == other)
        .map(|same| match same.len() {
            1 => format!("{} once", same[0].name()),
            times => format!("{} {times} times", same[0].name()),
        })
        .collect();
    (counted.len() > 1).then(|| format!("not the same in all repetitions: {}", counted.join(", ")))
}

/// The pairs and strategies whose score changed between repetitions.
pub(crate) fn unstable(report: &BenchReport) -> Vec<(&str, &CaseReport, &RunRecord)> {
    let mut found = Vec::new();
    for case in &report.cases {
        for (index, strategy) in report.strategies.iter().enumerate() {
            if changes(case.label, &case.repetitions[index]).is_some() {
                found.push((strategy.as_str(), case, &case.runs[index]));
            }
        }
    }
    found
}

/// The least and the greatest time of the repetitions.
pub(crate) fn ends(runs: &[RunRecord]) -> (f64, f64) {
    let spread = Spread::of(runs.iter().map(|run| run.seconds).collect());
    (spread.least, spread.most)
}

/// How the time for all pairs spread over the repetitions. None where nothing was repeated.
pub(crate) fn spread_table(report: &BenchReport) -> Option<Table> {
    let times = report.repeated();
    if times < 2 {
        return None;
    }
    let changed = unstable(report);
    let row = |(index, strategy): (usize, &String)| {
        let total = |repetition: usize| {
            let runs = report.cases.iter().filter_map(|case| case.repetitions[index].get(repetition));
            runs.map(|run| run.seconds).sum()
        };
        let spread = Spread::of((0..times).map(total).collect());
        let figures = [spread.mean, spread.least, spread.median, spread.most, spread.deviation];
        let mut row = vec![strategy.clone(), times.to_string()];
        row.extend(figures.map(|seconds| format!("{seconds:.3}")));
        row.push(changed.iter().filter(|(name, ..)| name == strategy).count().to_string());
        row
    };
    Some(Table {
        name: "repetitions",
        title: "Time for all pairs in each repetition",
        head: text_row([
            "strategy",
            "repetitions",
            "mean s",
            "min s",
            "median s",
            "max s",
            "deviation s",
            "changed verdicts",
        ]),
        words: 1,
        rows: report.strategies.iter().enumerate().map(row).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use crate::model::VerdictWord;

    fn run(verdict: VerdictWord, seconds: f64) -> RunRecord {
        RunRecord { verdict: Some(verdict), seconds, detail: "d".to_owned(), ..RunRecord::default() }
    }

    #[test]
    fn the_verdict_that_flatters_least_counts_with_the_median_time() {
        let (solved, unknown) = (VerdictWord::Equivalent, VerdictWord::Unknown);
        let same = RunRecord::of_repetitions(Label::Equivalent, &[run(solved, 3.0), run(solved, 1.0)]);
        assert_eq!(
            (same.score(Label::Equivalent), same.seconds, same.detail.as_str()),
            (Score::Solved, 2.0, "d")
        );
        let runs = [run(solved, 1.0), run(unknown, 9.0), run(solved, 2.0)];
        let mixed = RunRecord::of_repetitions(Label::Equivalent, &runs);
        assert_eq!((mixed.score(Label::Equivalent), mixed.seconds), (Score::Unknown, 2.0));
        assert_eq!(mixed.detail, "not the same in all repetitions: solved 2 times, unknown once; d");
        let wrong = RunRecord::of_repetitions(Label::Different, &runs);
        assert_eq!(wrong.score(Label::Different), Score::Wrong);
        assert_eq!(RunRecord::of_repetitions(Label::Different, &[]).verdict, None);
    }

    #[test]
    fn the_spread_is_over_the_sums_of_the_repetitions() {
        let mut report = samples::report();
        assert_eq!(spread_table(&report), None);
        for case in &mut report.cases {
            let slower = |run: &RunRecord| RunRecord { seconds: run.seconds + 1.0, ..run.clone() };
            case.repetitions = case.runs.iter().map(|run| vec![run.clone(), slower(run)]).collect();
        }
        report.cases[0].repetitions[0][1].verdict = None;
        let table = spread_table(&report).unwrap();
        assert_eq!(table.rows[0][..4], ["naive", "2", "6.060", "3.560"]);
        assert_eq!(table.rows[0][5..], ["8.560", "3.536", "1"]);
        assert_eq!(unstable(&report).len(), 1);
    }
}
