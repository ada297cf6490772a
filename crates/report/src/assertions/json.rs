//! Outcomes of assertions as `selfsame/1`.

use serde_json::{Value, json};

use super::model::{AssertionReport, AssertionRun, AssertionWitness, Cause, OutcomeWord};
use crate::explain::Step;

/// One object, with a line end.
pub fn render(run: &AssertionRun) -> String {
    let results: Vec<Value> = run.results.iter().map(result).collect();
    let causes = |cause: Cause| run.results.iter().filter(|it| it.cause == Some(cause)).count();
    let document = json!({
        "schema": "selfsame/1",
        "results": results,
        "errors": run.errors,
        "notes": run.notes,
        "summary": {
            "assertions": run.results.len(),
            "holds": run.count(OutcomeWord::Holds),
            "fails": run.count(OutcomeWord::Fails),
            "unknown": run.count(OutcomeWord::Unknown),
            "inherited": run.results.iter().filter(|it| it.inherited).count(),
            "feature": causes(Cause::Feature),
            "regression": causes(Cause::Regression),
            "property": causes(Cause::Property),
            "solver_calls": run.results.iter().map(|it| u64::from(it.statistics.solver_calls)).sum::<u64>(),
            "states": run.results.iter().map(|it| it.states).sum::<u64>(),
        },
    });
    let text = serde_json::to_string_pretty(&document).unwrap_or_default();
    format!("{text}\n")
}

fn result(report: &AssertionReport) -> Value {
    let statistics = &report.statistics;
    json!({
        "function": report.function,
        "entry": report.entry,
        "language": report.language,
        "file": report.file,
        "line": report.line,
        "assertion": report.assertion,
        "kind": report.kind,
        "outcome": report.outcome.name(),
        "cause": report.cause.map(Cause::name),
        "inherited": report.inherited,
        "reached": report.is_reached,
        "reasons": report.reasons.iter().map(|reason| &reason.text).collect::<Vec<_>>(),
        "bound": report.bound,
        "assumptions": report.assumptions,
        "witness": report.witness.as_ref().map(witness),
        "changed_lines": report.changed_lines,
        "statistics": {
            "seconds": statistics.seconds,
            "solver_calls": statistics.solver_calls,
            "states": report.states,
            "steps": statistics.steps,
            "inputs_tried": statistics.inputs_tried,
        },
    })
}

fn witness(witness: &AssertionWitness) -> Value {
    let bindings = |list: &[crate::Binding]| -> Vec<Value> {
        list.iter().map(|it| json!({ "name": it.name, "value": it.value })).collect()
    };
    json!({
        "call": witness.call,
        "inputs": bindings(&witness.parameters),
        "globals": bindings(&witness.globals),
        "path": steps(&witness.path),
        "ending": witness.ending,
        "old": witness.old.as_ref().map(|old| json!({
            "passes": old.passes,
            "outcome": old.outcome,
            "path": steps(&old.path),
        })),
        "replayed": witness.replayed,
        "not_replayed": witness.not_replayed,
    })
}

fn steps(path: &[Step]) -> Vec<Value> {
    let step = |step: &Step| {
        json!({
            "function": step.function,
            "file": step.file,
            "line": step.line,
            "values": step.seen.iter().map(|seen| seen.text()).collect::<Vec<_>>(),
        })
    };
    path.iter().map(step).collect()
}
