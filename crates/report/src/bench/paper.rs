//! The tables that papers on equivalence checking print: equivalent and different pairs apart, tools as columns.

use super::model::{BenchReport, CaseReport, Label, RunRecord, Score};
use super::others::OtherTool;
use super::repeat::ends;
use super::spread::Spread;
use super::tables::{Table, text_row};

/// All of them, in the order of the papers; those with nothing to show are left out.
pub(crate) fn paper_tables(report: &BenchReport) -> Vec<Table> {
    let both = [Label::Equivalent, Label::Different];
    let mut tables: Vec<Table> = Vec::new();
    for what in [Shown::Solved, Shown::MeanOfAll, Shown::MeanOfSolved] {
        tables.extend(both.into_iter().filter_map(|label| by_group(report, label, what)));
    }
    tables.extend(iterations(report));
    tables.push(phases(report));
    tables.extend(both.into_iter().filter_map(|label| sheet(report, label)));
    tables
}

/// The tables of solved pairs alone, for a terminal.
pub(crate) fn solved_tables(report: &BenchReport) -> Vec<Table> {
    let both = [Label::Equivalent, Label::Different];
    both.into_iter().filter_map(|label| by_group(report, label, Shown::Solved)).collect()
}

/// A column of the tables.
#[derive(Clone, Copy)]
pub(super) enum Tool<'a> {
    Strategy(usize, &'a str),
    Other(&'a OtherTool),
}

impl<'a> Tool<'a> {
    pub(super) fn all(report: &'a BenchReport) -> Vec<Tool<'a>> {
        let ours = report.strategies.iter().enumerate().map(|(index, name)| Tool::Strategy(index, name));
        ours.chain(report.others.iter().map(Tool::Other)).collect()
    }

    pub(super) fn name(self) -> &'a str {
        match self {
            Tool::Strategy(_, name) => name,
            Tool::Other(tool) => &tool.name,
        }
    }

    /// What it made of a pair, and in what time; other tools may have nothing to say.
    pub(super) fn result(self, case: &CaseReport) -> Option<(Score, Option<f64>)> {
        match self {
            Tool::Strategy(index, _) => {
                let run = &case.runs[index];
                Some((run.score(case.label), run.time()))
            }
            Tool::Other(tool) => tool.result(case),
        }
    }
}

/// What a table by group shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Solved,
    MeanOfAll,
    MeanOfSolved,
}

impl Shown {
    fn names(self, label: Label) -> (&'static str, &'static str) {
        match (self, label) {
            (Shown::Solved, Label::Equivalent) => ("solved-eq", "Equivalent pairs that were solved"),
            (Shown::Solved, Label::Different) => ("solved-neq", "Different pairs that were solved"),
            (Shown::MeanOfAll, Label::Equivalent) => ("time-eq", "Mean seconds for an equivalent pair"),
            (Shown::MeanOfAll, Label::Different) => ("time-neq", "Mean seconds for a different pair"),
            (Shown::MeanOfSolved, Label::Equivalent) => {
                ("time-solved-eq", "Mean seconds for an equivalent pair that was solved")
            }
            (Shown::MeanOfSolved, Label::Different) => {
                ("time-solved-neq", "Mean seconds for a different pair that was solved")
            }
        }
    }
}

/// Groups as rows, tools as columns. None without a pair of this label.
fn by_group(report: &BenchReport, label: Label, shown: Shown) -> Option<Table> {
    let cases: Vec<&CaseReport> = report.cases.iter().filter(|case| case.label == label).collect();
    let mut groups: Vec<String> = Vec::new();
    for case in &cases {
        if !groups.contains(&case.full_group()) {
            groups.push(case.full_group());
        }
    }
    let tools = Tool::all(report);
    let row = |name: &str, group: Option<&str>| {
        let belongs = |case: &&&CaseReport| group.is_none_or(|group| case.full_group() == group);
        let members: Vec<&CaseReport> = cases.iter().filter(belongs).copied().collect();
        let cells = tools.iter().map(|tool| cell(*tool, group, label, &members, shown));
        text_row([name, &members.len().to_string()]).into_iter().chain(cells).collect()
    };
    let mut rows: Vec<Vec<String>> = groups.iter().map(|group| row(group, Some(group))).collect();
    if !cases.is_empty() {
        rows.push(row("all", None));
    }
    let (name, title) = shown.names(label);
    let head =
        text_row(["group", "pairs"]).into_iter().chain(tools.iter().map(|tool| tool.name().to_owned()));
    (!rows.is_empty()).then(|| Table { name, title, head: head.collect(), words: 1, rows })
}

fn cell(tool: Tool<'_>, group: Option<&str>, label: Label, cases: &[&CaseReport], shown: Shown) -> String {
    const NOTHING: &str = "-";
    if let Tool::Other(other) = tool
        && let Some(figure) = other.figure(group, label)
    {
        return match shown {
            Shown::Solved => {
                solved_cell(figure.solved, figure.bounded, figure.of.unwrap_or(cases.len()), cases.len())
            }
            Shown::MeanOfAll => figure.mean_seconds.map_or(NOTHING.to_owned(), |mean| format!("{mean:.2}")),
            Shown::MeanOfSolved => NOTHING.to_owned(),
        };
    }
    let results: Vec<(Score, Option<f64>)> = cases.iter().filter_map(|case| tool.result(case)).collect();
    if results.is_empty() {
        return NOTHING.to_owned();
    }
    let count = |wanted: Score| results.iter().filter(|(score, _)| *score == wanted).count();
    let counts = |score: Score| match shown {
        Shown::MeanOfSolved => score == Score::Solved,
        Shown::Solved | Shown::MeanOfAll => score != Score::Crash,
    };
    let times = || results.iter().filter(|(score, _)| counts(*score)).filter_map(|(_, seconds)| *seconds);
    match shown {
        Shown::Solved => solved_cell(count(Score::Solved), count(Score::Bounded), results.len(), cases.len()),
        Shown::MeanOfAll | Shown::MeanOfSolved if times().next().is_none() => NOTHING.to_owned(),
        Shown::MeanOfAll | Shown::MeanOfSolved => format!("{:.2}", Spread::of(times().collect()).mean),
    }
}

/// `10+3`, or `10+3 of 17` where the tool did not have as many pairs as this run.
fn solved_cell(solved: usize, bounded: usize, of: usize, pairs: usize) -> String {
    let bounded = if bounded == 0 { String::new() } else { format!("+{bounded}") };
    let of = if of == pairs { String::new() } else { format!(" of {of}") };
    format!("{solved}{bounded}{of}")
}

/// How many pairs needed refinement to be solved, and how much of it. None where nothing was refined.
fn iterations(report: &BenchReport) -> Option<Table> {
    let refines = |index: usize| report.cases.iter().any(|case| case.runs[index].refinements > 0);
    let refining: Vec<usize> = (0..report.strategies.len()).filter(|index| refines(*index)).collect();
    let mut head = text_row(["label", "pairs"]);
    for index in &refining {
        let name = &report.strategies[*index];
        head.extend([format!("{name} cases"), format!("{name} iterations")]);
    }
    let row = |label: Label| {
        let cases = || report.cases.iter().filter(|case| case.label == label);
        let mut row = text_row([label.name(), &cases().count().to_string()]);
        for index in &refining {
            let is_refined = |run: &&RunRecord| run.score(label) == Score::Solved && run.refinements > 0;
            let runs: Vec<&RunRecord> = cases().map(|case| &case.runs[*index]).filter(is_refined).collect();
            let sum: u32 = runs.iter().map(|run| run.refinements).sum();
            let mean = if runs.is_empty() {
                "-".to_owned()
            } else {
                format!("{:.1}", f64::from(sum) / runs.len() as f64)
            };
            row.extend([runs.len().to_string(), mean]);
        }
        row
    };
    let rows = [Label::Equivalent, Label::Different].map(row).into();
    (!refining.is_empty()).then_some(Table {
        name: "iterations",
        title: "Pairs solved after refinement, and the mean number of refinements",
        head,
        words: 1,
        rows,
    })
}

/// The mean time of a run by what it was spent on.
fn phases(report: &BenchReport) -> Table {
    let row = |(index, strategy): (usize, &String)| {
        let runs = || report.cases.iter().map(|case| &case.runs[index]).filter(|run| run.verdict.is_some());
        let mean = |figure: fn(&RunRecord) -> f64| Spread::of(runs().map(figure).collect()).mean;
        let figures = [
            mean(|run| (run.seconds - run.check_seconds).max(0.0)),
            mean(|run| run.solver_seconds),
            mean(|run| (run.check_seconds - run.solver_seconds).max(0.0)),
            mean(|run| run.seconds),
        ];
        let mut row = vec![strategy.clone(), runs().count().to_string()];
        row.extend(figures.map(|seconds| format!("{seconds:.3}")));
        row
    };
    Table {
        name: "phases",
        title: "Mean seconds by phase",
        head: text_row([
            "strategy",
            "runs",
            "start and reading s",
            "solver s",
            "rest of the check s",
            "whole s",
        ]),
        words: 1,
        rows: report.strategies.iter().enumerate().map(row).collect(),
    }
}

/// Every pair of a label with what each tool made of it: the sheets `Eq` and `NEq`.
fn sheet(report: &BenchReport, label: Label) -> Option<Table> {
    let (name, title) = match label {
        Label::Equivalent => ("eq", "Eq: every pair labelled equivalent"),
        Label::Different => ("neq", "NEq: every pair labelled different"),
    };
    let has_results = |tool: &Tool<'_>| match tool {
        Tool::Strategy(..) => true,
        Tool::Other(other) => !other.results.is_empty(),
    };
    let tools: Vec<Tool<'_>> = Tool::all(report).into_iter().filter(has_results).collect();
    let is_repeated = report.repeated() > 1;
    let mut head = text_row(["group", "pair"]);
    for tool in &tools {
        head.extend([tool.name().to_owned(), format!("{} s", tool.name())]);
        if let (Tool::Strategy(..), true) = (tool, is_repeated) {
            head.extend([format!("{} min s", tool.name()), format!("{} max s", tool.name())]);
        }
    }
    let row = |case: &CaseReport| {
        let mut row = vec![case.full_group(), case.name.clone()];
        for tool in &tools {
            let (score, seconds) = match tool.result(case) {
                Some((score, seconds)) => (score.name(), seconds.map(|seconds| format!("{seconds:.3}"))),
                None => ("-", None),
            };
            row.extend([score.to_owned(), seconds.unwrap_or_else(|| "-".to_owned())]);
            if let (Tool::Strategy(index, _), true) = (tool, is_repeated) {
                let (least, most) = ends(&case.repetitions[*index]);
                row.extend([format!("{least:.3}"), format!("{most:.3}")]);
            }
        }
        row
    };
    let rows: Vec<Vec<String>> = report.cases.iter().filter(|case| case.label == label).map(row).collect();
    (!rows.is_empty()).then_some(Table { name, title, head, words: 2, rows })
}

#[cfg(test)]
mod tests {
    use super::super::others::{OtherFigure, OtherResult};
    use super::super::samples;
    use super::*;
    use crate::model::VerdictWord;

    fn table(report: &BenchReport, name: &str) -> Table {
        paper_tables(report).into_iter().find(|table| table.name == name).unwrap()
    }

    /// A tool with a result for one pair, and a figure for one group.
    fn with_others() -> BenchReport {
        let mut report = samples::report();
        let result = OtherResult { verdict: VerdictWord::Equivalent, seconds: Some(6.5) };
        let figure = OtherFigure {
            group: Some("demo/loops".to_owned()),
            label: Label::Equivalent,
            solved: 10,
            bounded: 3,
            of: Some(17),
            mean_seconds: Some(42.54),
        };
        report.others = vec![
            OtherTool {
                name: "TOOL".to_owned(),
                results: [("demo/loops/sum/Eq".to_owned(), result)].into(),
                figures: Vec::new(),
            },
            OtherTool { name: "PAPER".to_owned(), results: Default::default(), figures: vec![figure] },
        ];
        report
    }

    #[test]
    fn tools_are_columns_and_labels_are_tables() {
        let report = with_others();
        let solved = table(&report, "solved-eq");
        assert_eq!(solved.head, ["group", "pairs", "naive", "testing", "TOOL", "PAPER"]);
        assert_eq!(solved.rows[0], ["demo/loops", "2", "1+1", "0", "1 of 1", "10+3 of 17"]);
        assert_eq!(solved.rows[1], ["demo", "1", "0", "0", "-", "-"]);
        assert_eq!(solved.rows[2], ["all", "3", "1+1", "0", "1 of 1", "-"]);
        assert_eq!(
            table(&report, "solved-neq").rows,
            [["demo", "2", "1", "1", "-", "-"], ["all", "2", "1", "1", "-", "-"]]
        );
        assert_eq!(table(&report, "time-eq").rows[0][2..], ["1.60", "0.01", "6.50", "42.54"]);
        assert_eq!(table(&report, "time-solved-eq").rows[0][2..], ["0.20", "-", "6.50", "-"]);
    }

    #[test]
    fn a_sheet_has_every_pair_of_its_label() {
        let report = with_others();
        let sheet = table(&report, "eq");
        assert_eq!(sheet.rows.len(), 3);
        let first = ["demo/loops", "loops/sum/Eq", "solved", "0.200", "unknown", "0.010", "solved", "6.500"];
        assert_eq!(sheet.rows[0], first);
        assert!(sheet.rows.iter().all(|row| row.len() == sheet.head.len()));
        assert_eq!(table(&report, "neq").rows[1][2..4], ["crash", "0.010"]);
    }

    #[test]
    fn iterations_are_those_of_solved_pairs() {
        let mut report = samples::report();
        assert!(paper_tables(&report).iter().all(|table| table.name != "iterations"));
        report.cases[0].runs[0].refinements = 3;
        report.cases[1].runs[0].refinements = 50;
        let table = table(&report, "iterations");
        assert_eq!(table.rows, [["equivalent", "3", "1", "3.0"], ["different", "2", "0", "-"]]);
    }

    #[test]
    fn one_label_alone_and_no_verdict_at_all_are_fine() {
        let mut report = samples::report();
        report.cases.retain(|case| case.name == "broken");
        let names: Vec<_> = paper_tables(&report).iter().map(|table| table.name).collect();
        assert_eq!(names, ["solved-neq", "time-neq", "time-solved-neq", "phases", "neq"]);
        assert_eq!(table(&report, "time-neq").rows[0][2..], ["-", "-"]);
        assert_eq!(table(&report, "phases").rows[0], ["naive", "0", "0.000", "0.000", "0.000", "0.000"]);
    }
}
