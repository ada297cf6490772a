//! Runs, tables and plots as comma-separated values, for spreadsheets and statistics.

use super::model::{BenchReport, CaseReport, RunRecord};
use super::plot::{Plot, plain};
use super::tables::Table;

const HEAD: [&str; 22] = [
    "suite",
    "group",
    "case",
    "language",
    "function",
    "numbers",
    "label",
    "strategy",
    "score",
    "verdict",
    "bound",
    "decided_by",
    "seconds",
    "solver_calls",
    "solver_seconds",
    "refinements",
    "inputs_tried",
    "check_seconds",
    "calls",
    "repetition",
    "corrected_from",
    "detail",
];

/// A row for every run, repetitions apart, pair by pair.
pub fn render(report: &BenchReport) -> String {
    let mut rows = vec![HEAD.map(str::to_owned).to_vec()];
    for case in &report.cases {
        for (strategy, runs) in report.strategies.iter().zip(&case.repetitions) {
            rows.extend(
                runs.iter().enumerate().map(|(index, run)| row(case, strategy, index + 1, run).to_vec()),
            );
        }
    }
    written(&rows)
}

fn row(case: &CaseReport, strategy: &str, repetition: usize, run: &RunRecord) -> [String; 22] {
    let corrected = case.corrected.as_ref();
    [
        case.suite.clone(),
        case.group.clone(),
        case.name.clone(),
        case.language.clone(),
        case.function.clone(),
        case.numbers.clone(),
        case.label.name().to_owned(),
        strategy.to_owned(),
        run.score(case.label).name().to_lowercase(),
        run.verdict.map_or("", crate::VerdictWord::name).to_owned(),
        run.bound.map_or(String::new(), |bound| bound.to_string()),
        run.decided_by.clone().unwrap_or_default(),
        format!("{:.3}", run.seconds),
        run.solver_calls.to_string(),
        format!("{:.3}", run.solver_seconds),
        run.refinements.to_string(),
        run.inputs_tried.to_string(),
        format!("{:.3}", run.check_seconds),
        case.calls.map_or(String::new(), |calls| calls.to_string()),
        repetition.to_string(),
        corrected.map_or(String::new(), |one| one.from.map_or("none", super::Label::name).to_owned()),
        run.detail.clone(),
    ]
}

pub(crate) fn table(table: &Table) -> String {
    let rows: Vec<Vec<String>> = std::iter::once(&table.head).chain(&table.rows).cloned().collect();
    written(&rows)
}

/// A row for every point.
pub(crate) fn plot(plot: &Plot) -> String {
    let mut rows = vec![["line", plot.x.title, plot.y.title].map(str::to_owned).to_vec()];
    for series in &plot.series {
        let points = series.points.iter();
        rows.extend(points.map(|(x, y)| vec![series.name.clone(), plain(*x), plain(*y)]));
    }
    written(&rows)
}

fn written(rows: &[Vec<String>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).expect("rows in memory should be as long as their head");
    }
    let bytes = writer.into_inner().expect("memory can be written to");
    String::from_utf8(bytes).expect("cells are text")
}

#[cfg(test)]
mod tests {
    use super::super::model::{Correction, Label};
    use super::super::plot::plots;
    use super::super::samples;
    use super::*;

    #[test]
    fn every_run_is_a_row() {
        let text = render(&samples::report());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + 10);
        assert_eq!(
            lines[3],
            "demo,loops,loops/long/Eq,java,f,math,equivalent,naive,bounded,unknown,5,,3.000,2,0.000,0,0,0.000,,1,,no difference on 12 inputs"
        );
        assert!(lines[5].ends_with(r#","f(1, ""a""): old 1, new 2 (seen by interpreter)""#), "{}", lines[5]);
    }

    #[test]
    fn what_is_read_again_is_what_was_written() {
        let mut report = samples::report();
        let odd = "é, \"q\"\r\nnext;=1";
        report.cases[0].name = odd.to_owned();
        report.cases[0].repetitions[0].push(RunRecord::without_verdict(odd.to_owned(), 1.0));
        report.cases[0].calls = Some(7);
        report.cases[0].corrected = Some(Correction { from: Some(Label::Different), reason: String::new() });
        let text = render(&report);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 11);
        assert_eq!(
            (&rows[1][2], &rows[1][18], &rows[1][19], &rows[1][20], &rows[1][21]),
            (odd, "7", "2", "different", odd)
        );
    }

    #[test]
    fn a_plot_has_a_row_for_every_point() {
        let text = plot(&plots(&samples::report())[0]);
        assert_eq!(
            text,
            "line,time for a pair,pairs solved\nnaive: 2,0.05,1\nnaive: 2,0.2,2\ntesting: 1,0.002,1\n"
        );
    }
}
