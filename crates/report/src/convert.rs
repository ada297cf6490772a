//! Makes reports out of what `check` found.

mod evidence;
mod parting;
mod reason;
mod witness;

pub use reason::reason_text;
pub use witness::witness_report;

use check::{CheckConfig, Checked, ProofMethod, Statistics, Subject, Verdict};
use ir::{Language, Pair, Program, Span};

use crate::model::{PairReport, Place, ReasonReport, SAME_CODE, StatisticsReport, VerdictWord, Versions};

/// What is known about a pair before it is checked.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct PairHeader {
    pub function: String,
    /// What the old version calls it, if it was renamed.
    pub renamed_from: Option<String>,
    pub language: String,
    pub places: Versions<Option<Place>>,
}

impl PairHeader {
    pub fn new(pair: Pair<Subject<'_>>) -> PairHeader {
        let procedures = pair.map(|subject| subject.procedure());
        let is_renamed = procedures.old.short_name != procedures.new.short_name;
        PairHeader {
            function: procedures.new.name.clone(),
            renamed_from: is_renamed.then(|| procedures.old.name.clone()),
            language: pair.new.program.language.name().to_owned(),
            places: pair.map(|subject| place(subject.program, subject.procedure().span)).into(),
        }
    }

    /// The report for a pair that could not be checked to its end.
    pub fn unknown(self, reasons: Vec<ReasonReport>, config: ReportedConfig, seconds: f64) -> PairReport {
        PairReport {
            function: self.function,
            renamed_from: self.renamed_from,
            language: self.language,
            verdict: VerdictWord::Unknown,
            proof: None,
            evidence: Vec::new(),
            termination: None,
            reasons,
            bound: None,
            under: None,
            contracts: Vec::new(),
            same_when: None,
            different_when: None,
            exact: None,
            same_in_math: false,
            assumptions: Vec::new(),
            numbers: config.numbers,
            exceptions: config.exceptions,
            strategy: config.strategy,
            witness: None,
            one_ends: None,
            statistics: StatisticsReport { seconds, ..StatisticsReport::default() },
            places: self.places,
        }
    }
}

/// The part of the configuration that every result repeats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedConfig {
    pub numbers: String,
    pub exceptions: String,
    pub strategy: String,
}

impl From<&CheckConfig> for ReportedConfig {
    fn from(config: &CheckConfig) -> ReportedConfig {
        ReportedConfig {
            numbers: config.numbers.name().to_owned(),
            exceptions: config.exceptions.name().to_owned(),
            strategy: config.strategy.name().to_owned(),
        }
    }
}

/// The report for a pair that was checked.
pub fn pair_report(pair: Pair<Subject<'_>>, checked: &Checked, config: &CheckConfig) -> PairReport {
    let reported =
        ReportedConfig { strategy: checked.strategy.name().to_owned(), ..ReportedConfig::from(config) };
    let mut report = PairHeader::new(pair).unknown(Vec::new(), reported, 0.0);
    report.statistics = statistics(&checked.statistics);
    report.one_ends = checked.one_ends.as_ref().map(|found| witness::witness_report(pair, found));
    match &checked.verdict {
        Verdict::Equivalent(proof) => {
            report.verdict = VerdictWord::Equivalent;
            report.proof = Some(method(proof.method()).to_owned());
            report.assumptions = proof.assumptions().to_vec();
            report.evidence = evidence::sentences(pair, proof);
            report.evidence.extend(evidence::about_endings(proof, config));
            report.termination = Some(proof.termination().name().to_owned());
        }
        Verdict::Different(found) => {
            report.verdict = VerdictWord::Different;
            report.witness = Some(witness::witness_report(pair, found));
        }
        Verdict::Unknown(unknown) => {
            report.reasons = unknown.reasons().map(|reason| reason::reason_report(pair, reason)).collect();
            report.bound = unknown.no_difference_up_to();
        }
    }
    report
}

fn method(method: ProofMethod) -> &'static str {
    match method {
        ProofMethod::SameCode => SAME_CODE,
        ProofMethod::Unaffected => "what changed in the callees is not seen here",
        ProofMethod::SameTerms => "both compute the same terms",
        ProofMethod::Refutation => "the solver refuted every difference",
    }
}

fn statistics(statistics: &Statistics) -> StatisticsReport {
    StatisticsReport {
        seconds: milliseconds(statistics.elapsed),
        solver_calls: statistics.solver_calls,
        solver_seconds: milliseconds(statistics.solver_time),
        refinements: statistics.refinements,
        inputs_tried: statistics.inputs_tried,
        steps: statistics.steps,
        terms: statistics.terms,
    }
}

/// Seconds with three digits: more would be noise.
fn milliseconds(duration: std::time::Duration) -> f64 {
    (duration.as_secs_f64() * 1000.0).round() / 1000.0
}

/// A span with the name of its file; nothing for code that stands nowhere.
fn place(program: &Program, span: Span) -> Option<Place> {
    if span.is_nowhere() {
        return None;
    }
    Some(Place {
        file: program.files.get(span.file.index())?.clone(),
        line: span.line,
        column: span.column,
        end_line: span.end_line,
        end_column: span.end_column,
    })
}

/// The verb for a run that ended with an error.
fn failure_verb(language: Language) -> &'static str {
    match language {
        Language::Java => "throws",
        Language::C => "fails with",
    }
}
