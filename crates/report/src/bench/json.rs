//! The benchmark for programs: one JSON object, schema `selfsame-bench/1`. Fields may be added, never changed.

use serde::Serialize;
use serde_json::{Map, Value};

use super::compare::{Advantage, Contradiction, advantages, contradictions};
use super::model::{BenchReport, CaseReport, Correction, Label, LeftOut, RunRecord, Score};
use super::others::OtherTool;
use super::tally::{Section, by_group, by_suite};

/// The whole report as line-broken JSON that ends with a newline.
pub fn render(report: &BenchReport) -> String {
    let object = |fields: &[(String, String)]| {
        fields.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect()
    };
    let document = Document {
        schema: "selfsame-bench/1",
        program: &report.program,
        settings: object(&report.settings),
        machine: object(&report.machine),
        strategies: &report.strategies,
        pairs: report.cases.len(),
        wrong: report.wrong(),
        crashes: report.crashes(),
        repetitions: report.repeated(),
        suites: by_suite(report),
        groups: by_group(report),
        advantages: advantages(report),
        contradictions: contradictions(report),
        cases: report.cases.iter().map(|case| case_object(report, case)).collect(),
        left_out: &report.left_out,
        others: &report.others,
        notes: &report.notes,
    };
    let mut text =
        serde_json::to_string_pretty(&document).expect("a report should have no maps with odd keys");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    program: &'a str,
    settings: Map<String, Value>,
    machine: Map<String, Value>,
    strategies: &'a [String],
    pairs: usize,
    wrong: usize,
    crashes: usize,
    repetitions: usize,
    suites: Vec<Section>,
    groups: Vec<Section>,
    advantages: Vec<Advantage>,
    contradictions: Vec<Contradiction>,
    cases: Vec<CaseObject<'a>>,
    left_out: &'a [LeftOut],
    others: &'a [OtherTool],
    notes: &'a [String],
}

#[derive(Serialize)]
struct CaseObject<'a> {
    suite: &'a str,
    group: &'a str,
    case: &'a str,
    language: &'a str,
    function: &'a str,
    numbers: &'a str,
    label: Label,
    #[serde(skip_serializing_if = "Option::is_none")]
    corrected: Option<&'a Correction>,
    calls: Option<u32>,
    runs: Vec<RunObject<'a>>,
}

#[derive(Serialize)]
struct RunObject<'a> {
    strategy: &'a str,
    score: Score,
    #[serde(flatten)]
    record: &'a RunRecord,
    /// Every run, where runs were repeated; the fields beside it are what counts of them.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    repetitions: &'a [RunRecord],
}

fn case_object<'a>(report: &'a BenchReport, case: &'a CaseReport) -> CaseObject<'a> {
    let named = report.strategies.iter().zip(&case.runs).zip(&case.repetitions);
    let runs = named
        .map(|((strategy, record), runs)| RunObject {
            strategy,
            score: record.score(case.label),
            record,
            repetitions: if report.repeated() > 1 { runs } else { &[] },
        })
        .collect();
    CaseObject {
        suite: &case.suite,
        group: &case.group,
        case: &case.name,
        language: &case.language,
        function: &case.function,
        numbers: &case.numbers,
        label: case.label,
        corrected: case.corrected.as_ref(),
        calls: case.calls,
        runs,
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn the_object_has_the_figures_the_findings_and_every_run() {
        let value: Value = serde_json::from_str(&render(&samples::report())).unwrap();
        assert_eq!(value["schema"], "selfsame-bench/1");
        assert_eq!((&value["pairs"], &value["wrong"]), (&5.into(), &1.into()));
        let naive = &value["suites"][0]["tallies"][0];
        assert_eq!(naive["strategy"], "naive");
        assert_eq!((&naive["equivalent_solved"], &naive["equivalent_bounded"]), (&1.into(), &1.into()));
        assert_eq!(value["groups"][0]["name"], "demo/loops");
        assert_eq!((&value["crashes"], &value["machine"]["solver"]), (&2.into(), &"Z3 version 4".into()));
        assert_eq!(value["left_out"][1]["what"], "b/new.c");
        assert_eq!(value["cases"][0]["calls"], Value::Null);
        assert_eq!(value["advantages"][0]["cases"][0], "demo/loops/sum/Eq");
        assert_eq!(value["contradictions"][0]["against"][0]["verdict"], "different");
        assert_eq!(value["cases"][1]["runs"][0]["score"], "bounded");
        assert_eq!(value["cases"][1]["runs"][0]["bound"], 5);
        assert_eq!(value["cases"][4]["runs"][1]["verdict"], Value::Null);
    }
}
