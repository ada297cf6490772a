//! The report for programs: one JSON object, schema `selfsame/1`. Fields may be added, never changed.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::model::{
    Binding, CallReport, ContractReport, Outcome, PairReport, PartingCallReport, RunReport, StatisticsReport,
    VerdictWord, WitnessReport,
};

/// The whole report as one line-broken JSON text that ends with a newline.
pub fn render(run: &RunReport) -> String {
    let counts = run.counts();
    let document = Document {
        schema: "selfsame/1",
        results: run.results.iter().map(result).collect(),
        summary: Summary {
            pairs: run.results.len(),
            equivalent: counts.equivalent,
            different: counts.different,
            unknown: counts.unknown,
            added: &run.added,
            removed: &run.removed,
            unaffected: &run.unaffected,
            unchanged: &run.unchanged,
            callers: &run.callers,
            errors: &run.errors,
            notes: &run.notes,
        },
    };
    let mut text =
        serde_json::to_string_pretty(&document).expect("a report should have no maps with odd keys");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    results: Vec<ResultObject<'a>>,
    summary: Summary<'a>,
}

#[derive(Serialize)]
struct ResultObject<'a> {
    function: &'a str,
    language: &'a str,
    verdict: VerdictWord,
    reasons: Vec<&'a str>,
    bound: Option<u32>,
    /// The condition on the inputs, if not all are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    under: Option<&'a str>,
    /// What became of the contracts in the sources.
    #[serde(skip_serializing_if = "<[ContractReport]>::is_empty")]
    contracts: &'a [ContractReport],
    assumptions: &'a [String],
    /// The same with the kind of each.
    assumption_kinds: Vec<AssumptionObject<'a>>,
    numbers: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    exceptions: Option<&'a str>,
    strategy: &'a str,
    proof: Option<&'a str>,
    evidence: &'a [String],
    /// `partial` or `total`, for an *equivalent*.
    termination: Option<&'a str>,
    witness: Option<WitnessObject<'a>>,
    /// An input on which only one version ends, where that is not compared.
    one_ends: Option<WitnessObject<'a>>,
    /// An expression of the language.
    same_when: Option<&'a str>,
    /// A condition with quantifiers, as `--under` takes it, where no expression says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_when_quantified: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    different_when: Option<&'a str>,
    /// Whether one is the negation of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<bool>,
    /// Set where versions that differ were proved to do the same with mathematical numbers.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    same_in_math: bool,
    statistics: StatisticsReport,
}

#[derive(Serialize)]
struct AssumptionObject<'a> {
    kind: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
struct WitnessObject<'a> {
    call: &'a str,
    inputs: Map<String, Value>,
    old: OutcomeObject<'a>,
    new: OutcomeObject<'a>,
    difference: &'a str,
    kind: &'a str,
    /// There only where one version is undefined: whether that is all.
    #[serde(skip_serializing_if = "Option::is_none")]
    only_undefined: Option<bool>,
    /// The call of something changed at which the versions part.
    #[serde(skip_serializing_if = "Option::is_none")]
    on_the_way: Option<PartingCallObject<'a>>,
    replayed: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    not_replayed: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay_disagreement: Option<&'a str>,
}

#[derive(Serialize)]
struct PartingCallObject<'a> {
    same_arguments: bool,
    difference: &'a str,
    /// Absent for a version that does not make the call.
    old: Option<CallObject<'a>>,
    new: Option<CallObject<'a>>,
}

#[derive(Serialize)]
struct CallObject<'a> {
    function: &'a str,
    call: &'a str,
    inputs: Map<String, Value>,
    #[serde(flatten)]
    outcome: OutcomeObject<'a>,
}

#[derive(Serialize)]
struct OutcomeObject<'a> {
    ends: bool,
    result: Option<&'a str>,
    error: Option<&'a str>,
    output: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    error_output: &'a str,
    effects: Map<String, Value>,
}

#[derive(Serialize)]
struct Summary<'a> {
    pairs: usize,
    equivalent: usize,
    different: usize,
    unknown: usize,
    added: &'a [String],
    removed: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    unaffected: &'a [String],
    /// Those of a folder that are written as before and reach nothing that changed.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    unchanged: &'a [String],
    /// Those that are written as before, and are the same if the results are.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    callers: &'a [String],
    errors: &'a [String],
    notes: &'a [String],
}

fn result(report: &PairReport) -> ResultObject<'_> {
    ResultObject {
        function: &report.function,
        language: &report.language,
        verdict: report.verdict,
        reasons: report.reasons.iter().map(|reason| reason.text.as_str()).collect(),
        bound: report.bound,
        under: report.under.as_deref(),
        contracts: &report.contracts,
        assumptions: &report.assumptions,
        assumption_kinds: report.assumptions.iter().map(|text| assumption(text)).collect(),
        numbers: &report.numbers,
        exceptions: (report.language == "java").then_some(report.exceptions.as_str()),
        strategy: &report.strategy,
        proof: report.proof.as_deref(),
        evidence: &report.evidence,
        termination: report.termination.as_deref(),
        witness: report.witness.as_ref().map(witness),
        one_ends: report.one_ends.as_ref().map(witness),
        same_when: report.same_when.as_deref().filter(|same| !is_quantified(same)),
        same_when_quantified: report.same_when.as_deref().filter(|same| is_quantified(same)),
        different_when: report.different_when.as_deref(),
        exact: report.exact,
        same_in_math: report.same_in_math,
        statistics: report.statistics,
    }
}

/// Whether a condition has quantifiers: `--under` takes it, and no compiler does.
pub fn is_quantified(condition: &str) -> bool {
    condition.contains("\\forall") || condition.contains("\\exists")
}

fn assumption(text: &str) -> AssumptionObject<'_> {
    AssumptionObject { kind: ir::assumption_kind(text), text }
}

fn witness(report: &WitnessReport) -> WitnessObject<'_> {
    WitnessObject {
        call: &report.call,
        inputs: object(report.parameters.iter().chain(&report.globals)),
        old: outcome(&report.outcomes.old),
        new: outcome(&report.outcomes.new),
        difference: &report.difference,
        kind: &report.kind,
        only_undefined: report.kind.starts_with("undefined").then_some(report.only_undefined),
        on_the_way: report.on_the_way.as_ref().map(parting_call),
        replayed: &report.replayed,
        not_replayed: report.not_replayed.as_deref(),
        replay_disagreement: report.replay_disagreement.as_deref(),
    }
}

fn parting_call(report: &PartingCallReport) -> PartingCallObject<'_> {
    PartingCallObject {
        same_arguments: report.same_arguments,
        difference: &report.difference,
        old: report.calls.old.as_ref().map(call),
        new: report.calls.new.as_ref().map(call),
    }
}

fn call(report: &CallReport) -> CallObject<'_> {
    CallObject {
        function: &report.function,
        call: &report.call,
        inputs: object(report.arguments.iter().chain(&report.globals)),
        outcome: outcome(&report.outcome),
    }
}

fn outcome(outcome: &Outcome) -> OutcomeObject<'_> {
    OutcomeObject {
        ends: !outcome.endless,
        result: outcome.result.as_deref(),
        error: outcome.error.as_deref(),
        output: &outcome.output,
        error_output: &outcome.error_output,
        effects: object(outcome.effects.iter()),
    }
}

/// Bindings as one object, in their order.
fn object<'a>(bindings: impl Iterator<Item = &'a Binding>) -> Map<String, Value> {
    bindings.map(|binding| (binding.name.clone(), Value::from(binding.value.as_str()))).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::samples;

    #[test]
    fn a_difference_has_its_inputs_and_both_outcomes() {
        expect![[r#"
            {
              "schema": "selfsame/1",
              "results": [
                {
                  "function": "Mid.mid(int,int)",
                  "language": "java",
                  "verdict": "different",
                  "reasons": [],
                  "bound": null,
                  "assumptions": [],
                  "assumption_kinds": [],
                  "numbers": "machine",
                  "exceptions": "type",
                  "strategy": "testing",
                  "proof": null,
                  "evidence": [],
                  "termination": null,
                  "witness": {
                    "call": "mid(2147483647, 1)",
                    "inputs": {
                      "a": "2147483647",
                      "b": "1"
                    },
                    "old": {
                      "ends": true,
                      "result": "-1073741824",
                      "error": null,
                      "output": "",
                      "effects": {}
                    },
                    "new": {
                      "ends": true,
                      "result": "1073741824",
                      "error": null,
                      "output": "",
                      "effects": {}
                    },
                    "difference": "the results differ",
                    "kind": "result",
                    "replayed": [
                      "interpreter",
                      "java"
                    ]
                  },
                  "one_ends": null,
                  "same_when": null,
                  "statistics": {
                    "seconds": 0.001,
                    "solver_calls": 0,
                    "solver_seconds": 0.0,
                    "refinements": 0,
                    "inputs_tried": 12,
                    "steps": 0,
                    "terms": 0
                  }
                }
              ],
              "summary": {
                "pairs": 1,
                "equivalent": 0,
                "different": 1,
                "unknown": 0,
                "added": [],
                "removed": [],
                "errors": [],
                "notes": []
              }
            }
        "#]]
        .assert_eq(&super::render(&samples::run(vec![samples::different()])));
    }

    #[test]
    fn an_unknown_has_its_reasons_and_its_bound() {
        let mut run = samples::run(vec![samples::unknown()]);
        run.added.push("Sum.twice(int)".to_owned());
        run.errors.push("new/Broken.java:3:1: missing `}`".to_owned());
        expect![[r#"
            {
              "schema": "selfsame/1",
              "results": [
                {
                  "function": "Sum.sum(int)",
                  "language": "java",
                  "verdict": "unknown",
                  "reasons": [
                    "the loop at old/Sum.java:4 may run longer than 5 iterations"
                  ],
                  "bound": 5,
                  "assumptions": [],
                  "assumption_kinds": [],
                  "numbers": "machine",
                  "exceptions": "type",
                  "strategy": "naive",
                  "proof": null,
                  "evidence": [],
                  "termination": null,
                  "witness": null,
                  "one_ends": null,
                  "same_when": null,
                  "statistics": {
                    "seconds": 0.25,
                    "solver_calls": 2,
                    "solver_seconds": 0.0,
                    "refinements": 0,
                    "inputs_tried": 0,
                    "steps": 0,
                    "terms": 0
                  }
                }
              ],
              "summary": {
                "pairs": 1,
                "equivalent": 0,
                "different": 0,
                "unknown": 1,
                "added": [
                  "Sum.twice(int)"
                ],
                "removed": [],
                "errors": [
                  "new/Broken.java:3:1: missing `}`"
                ],
                "notes": []
              }
            }
        "#]]
        .assert_eq(&super::render(&run));
    }
}
