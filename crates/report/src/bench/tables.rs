//! The tables of a benchmark run, the same for every format.

use super::compare::{advantages, runs};
use super::model::{BenchReport, CaseReport, RunRecord};
use super::paper::paper_tables;
use super::repeat::spread_table;
use super::tally::{Section, Tally, by_group, by_suite};

/// A title, a head and rows of cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Table {
    /// The name of its files.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) head: Vec<String>,
    /// So many columns hold words; the others hold figures.
    pub(crate) words: usize,
    pub(crate) rows: Vec<Vec<String>>,
}

/// How to read the tables, a sentence each.
pub(crate) const LEGEND: [&str; 5] = [
    "equivalent: proved for every input + without a difference up to a bound, of the pairs with that label",
    "different: with a witness that was run, of the pairs with that label",
    "wrong: the verdict is the opposite of the label; unknown: no verdict within the limits; crash: the input was refused, or selfsame broke",
    "points: 2 for a proof, 1 for a witness, -32 for a wrong proof, -16 for a wrong difference",
    "times are of all runs with a verdict, solved or not; crashes are listed with their times below",
];

/// Every table there is.
pub(crate) fn all_tables(report: &BenchReport) -> Vec<Table> {
    let ours = [totals(report)].into_iter().chain(groups(report)).chain(duels(report));
    ours.chain(spread_table(report)).chain(paper_tables(report)).chain([every_case(report)]).collect()
}

/// Cells of words.
pub(crate) fn text_row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// The figures of each suite and strategy.
pub(crate) fn totals(report: &BenchReport) -> Table {
    figures("strategies", "Solved by strategy", "suite", &by_suite(report), shows_refinements(report))
}

/// The figures of each group and strategy, unless the groups are the suites.
pub(crate) fn groups(report: &BenchReport) -> Option<Table> {
    let sections = by_group(report);
    let has_groups = report.cases.iter().any(|case| !case.group.is_empty());
    has_groups.then(|| {
        figures("groups", "Solved by group and strategy", "group", &sections, shows_refinements(report))
    })
}

/// How many pairs the strategy of a row solves that the one of a column does not. None for a single strategy.
pub(crate) fn duels(report: &BenchReport) -> Option<Table> {
    if report.strategies.len() < 2 {
        return None;
    }
    let advantages = advantages(report);
    let head = std::iter::once("solved by".to_owned())
        .chain(report.strategies.iter().map(|name| format!("not {name}")))
        .collect();
    let cell = |by: &str, not_by: &str| {
        let found = advantages.iter().find(|one| one.solved_by == by && one.not_by == not_by);
        if by == not_by { String::new() } else { found.map_or(0, |one| one.cases.len()).to_string() }
    };
    let row = |by: &String| {
        let cells = report.strategies.iter().map(|not_by| cell(by, not_by));
        std::iter::once(by.clone()).chain(cells).collect()
    };
    let rows = report.strategies.iter().map(row).collect();
    Some(Table {
        name: "duels",
        title: "What one strategy solves and another does not",
        head,
        words: 1,
        rows,
    })
}

/// Every pair with what each strategy made of it.
pub(crate) fn every_case(report: &BenchReport) -> Table {
    let head = ["pair", "label"].map(str::to_owned).into_iter().chain(report.strategies.iter().cloned());
    let row = |case: &CaseReport| {
        let cells = case.runs.iter().map(|run| format!("{} {}", run.score(case.label).name(), time_of(run)));
        [case.full_name(), case.label.name().to_owned()].into_iter().chain(cells).collect()
    };
    let rows = report.cases.iter().map(row).collect();
    Table {
        name: "pairs",
        title: "Every pair",
        head: head.collect(),
        words: 2 + report.strategies.len(),
        rows,
    }
}

/// Strategies without refinement need no column of zeros.
fn shows_refinements(report: &BenchReport) -> bool {
    runs(report).any(|(_, _, run)| run.refinements > 0)
}

fn figures(
    name: &'static str,
    title: &'static str,
    sections_of: &str,
    sections: &[Section],
    refinements: bool,
) -> Table {
    let names = [
        sections_of,
        "strategy",
        "equivalent",
        "different",
        "wrong",
        "unknown",
        "crash",
        "points",
        "mean s",
        "median s",
        "p90 s",
        "solver calls",
        "refinements",
    ];
    let shown = names.len() - usize::from(!refinements);
    let head = names[..shown].iter().map(|name| (*name).to_owned()).collect();
    let mut rows = Vec::new();
    for section in sections {
        for tally in &section.tallies {
            let mut row = cells(&section.name, tally);
            row.truncate(shown);
            rows.push(row);
        }
    }
    Table { name, title, head, words: 2, rows }
}

fn cells(name: &str, tally: &Tally) -> Vec<String> {
    vec![
        name.to_owned(),
        tally.strategy.clone(),
        of(&format!("{}+{}", tally.equivalent_solved, tally.equivalent_bounded), tally.equivalent),
        of(&tally.different_solved.to_string(), tally.different),
        tally.wrong.to_string(),
        tally.unknown.to_string(),
        tally.crash.to_string(),
        tally.points.to_string(),
        format!("{:.3}", tally.seconds.mean),
        format!("{:.3}", tally.seconds.median),
        format!("{:.3}", tally.seconds.p90),
        tally.solver_calls.to_string(),
        tally.refinements.to_string(),
    ]
}

/// `3 of 4`; a dash where there is none.
fn of(solved: &str, all: usize) -> String {
    if all == 0 { "-".to_owned() } else { format!("{solved} of {all}") }
}

/// The time of a run, or that there is none.
pub(crate) fn time_of(run: &RunRecord) -> String {
    run.time().map_or_else(|| "not run".to_owned(), seconds)
}

/// `0.012 s`, `3.2 s`.
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 1.0 { format!("{seconds:.3} s") } else { format!("{seconds:.1} s") }
}

/// `1 pair`, `2 pairs`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn a_row_has_the_figures_of_one_strategy() {
        let table = totals(&samples::report());
        assert_eq!(table.rows[0][..8], ["demo", "naive", "1+1 of 3", "1 of 2", "1", "0", "1", "-13"]);
        assert_eq!(table.rows[1][..8], ["demo", "testing", "0+0 of 3", "1 of 2", "0", "3", "1", "1"]);
        assert_eq!(table.rows[0][9], "0.250");
        assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
    }

    #[test]
    fn refinements_are_shown_where_there_are_any() {
        let mut report = samples::report();
        assert!(!totals(&report).head.contains(&"refinements".to_owned()));
        report.cases[0].runs[0].refinements = 3;
        let table = totals(&report);
        assert_eq!(table.head.last().map(String::as_str), Some("refinements"));
        assert_eq!(table.rows[0].last().map(String::as_str), Some("3"));
    }

    #[test]
    fn groups_are_shown_only_where_there_are_some() {
        let mut report = samples::report();
        assert_eq!(groups(&report).unwrap().rows.len(), 4);
        for case in &mut report.cases {
            case.group.clear();
        }
        assert_eq!(groups(&report), None);
    }

    #[test]
    fn two_strategies_are_compared_both_ways() {
        let mut report = samples::report();
        let table = duels(&report).unwrap();
        assert_eq!(table.rows, [["naive", "", "1"], ["testing", "0", ""]]);
        report.strategies.truncate(1);
        for case in &mut report.cases {
            case.runs.truncate(1);
        }
        assert_eq!(duels(&report), None);
    }
}
