//! A small report that the tests of all formats show: five pairs, two strategies, a label that the evidence contradicts.

use super::model::{BenchReport, CaseReport, Label, LeftOut, RunRecord};
use crate::model::VerdictWord;

pub(crate) fn report() -> BenchReport {
    let (equivalent, different) = (VerdictWord::Equivalent, VerdictWord::Different);
    let naive_then_testing = [
        case("loops/sum/Eq", Label::Equivalent, run(equivalent, 0.2), run(VerdictWord::Unknown, 0.01)),
        case(
            "loops/long/Eq",
            Label::Equivalent,
            RunRecord { bound: Some(5), ..run(VerdictWord::Unknown, 3.0) },
            run(VerdictWord::Unknown, 0.01),
        ),
        case("mid", Label::Different, run(different, 0.05), run(different, 0.002)),
        case("mislabelled <&\"|\">", Label::Equivalent, run(different, 0.3), run(VerdictWord::Unknown, 0.02)),
        case(
            "broken",
            Label::Different,
            RunRecord::without_verdict("old/a.c:1:4: missing `}`".to_owned(), 0.01),
            RunRecord::without_verdict("old/a.c:1:4: missing `}`".to_owned(), 0.01),
        ),
    ];
    BenchReport {
        program: "selfsame 0.1.0".to_owned(),
        settings: vec![("timeout".to_owned(), "3 s".to_owned()), ("jobs".to_owned(), "2".to_owned())],
        machine: vec![("solver".to_owned(), "Z3 version 4".to_owned())],
        strategies: vec!["naive".to_owned(), "testing".to_owned()],
        cases: naive_then_testing.into(),
        left_out: ["a/old.c", "b/new.c"]
            .map(|what| LeftOut {
                what: what.to_owned(),
                why: "there is no other version beside it".to_owned(),
            })
            .into(),
        others: Vec::new(),
        notes: vec!["no solver found".to_owned()],
    }
}

fn case(name: &str, label: Label, naive: RunRecord, testing: RunRecord) -> CaseReport {
    let runs = vec![RunRecord { solver_calls: 2, ..naive }, testing];
    let group = name.split_once('/').map_or("", |(group, _)| group);
    CaseReport {
        suite: "demo".to_owned(),
        group: group.to_owned(),
        name: name.to_owned(),
        language: "java".to_owned(),
        function: "f".to_owned(),
        numbers: "math".to_owned(),
        label,
        calls: None,
        corrected: None,
        repetitions: runs.iter().map(|run| vec![run.clone()]).collect(),
        runs,
    }
}

fn run(verdict: VerdictWord, seconds: f64) -> RunRecord {
    let detail = match verdict {
        VerdictWord::Equivalent => "the solver refuted every difference",
        VerdictWord::Different => "f(1, \"a\"): old 1, new 2 (seen by interpreter)",
        VerdictWord::Unknown => "no difference on 12 inputs",
    };
    RunRecord { verdict: Some(verdict), detail: detail.to_owned(), seconds, ..RunRecord::default() }
}
