//! Small reports that the tests of all formats show.

use crate::model::{
    Binding, CallReport, Outcome, PairReport, PartingCallReport, Place, ReasonReport, RunReport,
    StatisticsReport, VerdictWord, Versions, WitnessReport,
};

pub(crate) const OLD_MID: &str =
    "class Mid {\n    static int mid(int a, int b) {\n        return (a + b) / 2;\n    }\n}\n";
pub(crate) const NEW_MID: &str =
    "class Mid {\n    /** The middle. */\n    static int mid(int a, int b) { return a + (b - a) / 2; }\n}\n";
pub(crate) const SUM: &str = "class Sum {\n    static int sum(int n) {\n        int s = 0;\n        for (int i = 0; i < n; i++) {\n            s += i;\n        }\n        return s;\n    }\n}\n";

/// The texts of the files that the samples speak of.
pub(crate) fn source(file: &str) -> Option<&'static str> {
    match file {
        "old/Mid.java" => Some(OLD_MID),
        "new/Mid.java" => Some(NEW_MID),
        "old/Sum.java" | "new/Sum.java" => Some(SUM),
        _ => None,
    }
}

pub(crate) fn run(results: Vec<PairReport>) -> RunReport {
    RunReport { results, ..RunReport::default() }
}

pub(crate) fn equivalent() -> PairReport {
    PairReport {
        function: "Mid.mid(int,int)".to_owned(),
        renamed_from: None,
        language: "java".to_owned(),
        verdict: VerdictWord::Equivalent,
        proof: Some("the solver refuted every difference".to_owned()),
        evidence: Vec::new(),
        termination: Some("total".to_owned()),
        reasons: Vec::new(),
        bound: None,
        under: None,
        contracts: Vec::new(),
        same_when: None,
        different_when: None,
        exact: None,
        same_in_math: false,
        assumptions: vec!["`Log.write` does the same in both versions".to_owned()],
        numbers: "machine".to_owned(),
        exceptions: "type".to_owned(),
        strategy: "naive".to_owned(),
        witness: None,
        one_ends: None,
        statistics: StatisticsReport { seconds: 0.25, solver_calls: 2, ..StatisticsReport::default() },
        places: Versions {
            old: place("old/Mid.java", (2, 5), (4, 6)),
            new: place("new/Mid.java", (3, 5), (3, 61)),
        },
    }
}

pub(crate) fn different() -> PairReport {
    let witness = WitnessReport {
        call: "mid(2147483647, 1)".to_owned(),
        parameters: vec![binding("a", "2147483647"), binding("b", "1")],
        globals: Vec::new(),
        outcomes: Versions {
            old: Outcome { result: Some("-1073741824".to_owned()), ..Outcome::default() },
            new: Outcome { result: Some("1073741824".to_owned()), ..Outcome::default() },
        },
        difference: "the results differ".to_owned(),
        kind: "result".to_owned(),
        only_undefined: false,
        on_the_way: None,
        replayed: vec!["interpreter".to_owned(), "java".to_owned()],
        not_replayed: None,
        replay_disagreement: None,
    };
    PairReport {
        verdict: VerdictWord::Different,
        proof: None,
        evidence: Vec::new(),
        termination: None,
        assumptions: Vec::new(),
        strategy: "testing".to_owned(),
        witness: Some(witness),
        statistics: StatisticsReport { seconds: 0.001, inputs_tried: 12, ..StatisticsReport::default() },
        ..equivalent()
    }
}

/// A call of something changed on the way.
pub(crate) fn parting_call() -> PartingCallReport {
    let call = |result: &str| CallReport {
        function: "Lib.size(int)".to_owned(),
        call: "size(6)".to_owned(),
        arguments: vec![binding("n", "6")],
        globals: Vec::new(),
        outcome: Outcome { result: Some(result.to_owned()), ..Outcome::default() },
    };
    PartingCallReport {
        same_arguments: true,
        difference: "the results differ".to_owned(),
        calls: Versions { old: Some(call("2")), new: Some(call("3")) },
    }
}

/// A pair that differs in what it prints, what it leaves behind and how it ends.
pub(crate) fn different_effects() -> PairReport {
    let mut report = different();
    let witness = report.witness.as_mut().expect("the sample should have a witness");
    witness.call = "mid(0, 0)".to_owned();
    witness.globals.push(binding("Mid.calls", "7"));
    witness.outcomes.old = Outcome {
        endless: false,
        result: Some("0".to_owned()),
        error: None,
        failure_verb: String::new(),
        output: "middle\n0\n".to_owned(),
        error_output: String::new(),
        effects: vec![binding("Mid.calls", "8")],
    };
    witness.outcomes.new = Outcome {
        error: Some("ArithmeticException".to_owned()),
        failure_verb: "throws".to_owned(),
        output: "middle\n".to_owned(),
        error_output: String::new(),
        effects: vec![binding("Mid.calls", "7")],
        result: None,
        endless: false,
    };
    witness.replayed = vec!["interpreter".to_owned()];
    witness.replay_disagreement = Some("java returned 0 where the interpreter threw".to_owned());
    report
}

pub(crate) fn unknown() -> PairReport {
    PairReport {
        function: "Sum.sum(int)".to_owned(),
        verdict: VerdictWord::Unknown,
        proof: None,
        evidence: Vec::new(),
        termination: None,
        reasons: vec![ReasonReport {
            text: "the loop at old/Sum.java:4 may run longer than 5 iterations".to_owned(),
            label: "may run longer than 5 iterations".to_owned(),
            place: place("old/Sum.java", (4, 9), (6, 10)),
            is_contradiction: false,
            breakdown: None,
        }],
        bound: Some(5),
        under: None,
        contracts: Vec::new(),
        same_when: None,
        different_when: None,
        exact: None,
        same_in_math: false,
        assumptions: Vec::new(),
        places: Versions {
            old: place("old/Sum.java", (2, 5), (8, 6)),
            new: place("new/Sum.java", (2, 5), (8, 6)),
        },
        ..equivalent()
    }
}

fn place(file: &str, start: (u32, u32), end: (u32, u32)) -> Option<Place> {
    Some(Place { file: file.to_owned(), line: start.0, column: start.1, end_line: end.0, end_column: end.1 })
}

fn binding(name: &str, value: &str) -> Binding {
    Binding { name: name.to_owned(), value: value.to_owned() }
}
