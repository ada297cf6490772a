//! The reasons of an *unknown* in words, each with its place in the source.

use check::{Mismatch, Reason, Subject};
use ir::{Pair, Side, Span};

use super::place;
use crate::model::{Breakdown, Place, ReasonReport};

/// One reason in words that are complete by themselves.
pub fn reason_text(pair: Pair<Subject<'_>>, reason: &Reason) -> String {
    reason_report(pair, reason).text
}

/// The same with its place.
pub(super) fn reason_report(pair: Pair<Subject<'_>>, reason: &Reason) -> ReasonReport {
    match reason {
        Reason::Timeout => ReasonReport::timeout(),
        Reason::UsedUp => ReasonReport::without_place(
            "the effort for this pair was used up; a larger `--effort` may decide it",
        ),
        Reason::Bound { side, procedure, span, bound } => bounded(pair, *side, procedure, *span, *bound),
        Reason::Unsupported { side, what, span } => {
            let place = place(pair.get(*side).program, *span);
            let text = match &place {
                Some(place) => format!("{what} is not supported, and {} may be reached", at(place)),
                None => format!("{what} is not supported, and may be reached in the {} version", side.name()),
            };
            ReasonReport {
                text,
                label: "not supported".to_owned(),
                place,
                is_contradiction: false,
                breakdown: None,
            }
        }
        Reason::SolverGaveUp(why) => ReasonReport::without_place(format!("the solver gave up: {why}")),
        Reason::SolverFailed(why) => ReasonReport::without_place(format!("the solver failed: {why}")),
        Reason::Spurious { candidates } => ReasonReport::without_place(format!(
            "neither proved nor refuted: of {} that looked like a difference, none is one for certain when run",
            counted(u64::from(*candidates), "input")
        )),
        Reason::OnlyTested { inputs } => ReasonReport::without_place(format!(
            "no difference on {}, and nothing but testing was asked for",
            counted(*inputs, "input")
        )),
        Reason::NothingToHide => ReasonReport::without_place(
            "the versions have no recursion in common that an induction could use, and nothing else was asked for",
        ),
        Reason::NotInStep => ReasonReport::without_place(
            "the loops of the versions could not be brought into step, and nothing else was asked for",
        ),
        Reason::CodeDiffers => {
            ReasonReport::without_place("the code differs, and nothing but identical code was asked for")
        }
        Reason::Vacuous => {
            ReasonReport::without_place("no input satisfies the assumptions, so that nothing would be proved")
        }
        Reason::NeverBothEnd => ReasonReport::without_place(
            "on no input do both versions end, so that there is nothing to compare",
        ),
        Reason::NothingDefined { undefined } => nothing_defined(pair, undefined),
        Reason::NotExecuted { side, procedure, span } => not_executed(pair, *side, procedure, *span),
        Reason::Contradiction(what) => {
            ReasonReport { is_contradiction: true, ..ReasonReport::internal(what) }
        }
        Reason::NotConfirmed { solver, open, of } => ReasonReport::without_place(format!(
            "proved, but {solver} could not confirm {open} of {of} obligations"
        )),
        Reason::OnlyWhereBothEnd => ReasonReport::without_place(
            "proved where both versions end; that they end on the same inputs is not",
        ),
        Reason::OpenWorld => ReasonReport::without_place(
            "proved for the classes at hand alone, and `--open-world` says that there may be others",
        ),
        Reason::TooLarge => {
            ReasonReport::without_place("what the versions compute became too large to compare")
        }
        Reason::Interface(mismatch) => {
            ReasonReport::without_place(format!("interface changed: {}", interface(mismatch)))
        }
        Reason::Incomparable(what) => {
            ReasonReport::without_place(format!("the versions cannot be given the same inputs: {what}"))
        }
        Reason::NotCompared(inputs) => ReasonReport::without_place(format!(
            "no difference was found, but inputs where {inputs} were not compared"
        )),
        Reason::Memory => ReasonReport::memory(),
        Reason::Internal(what) => ReasonReport::internal(what),
    }
}

/// Reasons that the supervisor of a worker gives, too.
impl ReasonReport {
    pub fn without_place(text: impl Into<String>) -> ReasonReport {
        ReasonReport {
            text: text.into(),
            label: String::new(),
            place: None,
            is_contradiction: false,
            breakdown: None,
        }
    }

    pub fn timeout() -> ReasonReport {
        ReasonReport::without_place("the time for this pair was used up")
    }

    pub fn memory() -> ReasonReport {
        ReasonReport::without_place("the memory for this pair was used up")
    }

    /// Somebody outside ended the worker.
    pub fn killed(signal: &str) -> ReasonReport {
        let text = format!("the process that checked this pair was killed from outside ({signal})");
        ReasonReport { breakdown: Some(Breakdown::Killed), ..ReasonReport::without_place(text) }
    }

    /// A reason in words.
    pub fn because(text: String) -> ReasonReport {
        ReasonReport::without_place(text)
    }

    pub fn internal(what: &str) -> ReasonReport {
        let text = format!("a bug of selfsame, please report it: {what}");
        ReasonReport { breakdown: Some(Breakdown::Bug), ..ReasonReport::without_place(text) }
    }
}

/// `every run of both versions is undefined: out of bounds at a.c:3`.
fn nothing_defined(pair: Pair<Subject<'_>>, undefined: &Pair<Vec<(String, Option<Span>)>>) -> ReasonReport {
    let of = |side: Side| -> Vec<String> {
        let program = pair.get(side).program;
        let failures = undefined.get(side).iter();
        failures
            .map(|(error, span)| match span.and_then(|span| place(program, span)) {
                Some(place) => format!("{error} at {}", at(&place)),
                None => error.clone(),
            })
            .collect()
    };
    let (old, new) = (of(Side::Old), of(Side::New));
    if old.is_empty() || new.is_empty() {
        return ReasonReport::without_place(
            "no run was seen that ends in a defined way in both versions, so that nothing would be proved",
        );
    }
    let text = match old == new {
        true => old.join(", "),
        false => format!("{} in the old version, {} in the new one", old.join(", "), new.join(", ")),
    };
    let first = undefined.new.iter().find_map(|(_, span)| place(pair.new.program, (*span)?));
    ReasonReport {
        place: first,
        label: "undefined in every run".to_owned(),
        ..ReasonReport::without_place(format!(
            "every run of both versions that was tried is undefined, so that nothing is compared: {text}"
        ))
    }
}

/// `nothing was seen to execute a.c:7, which changed`.
fn not_executed(pair: Pair<Subject<'_>>, side: Side, procedure: &str, span: Span) -> ReasonReport {
    let place = place(pair.get(side).program, span);
    let where_it_is = match &place {
        Some(place) => format!("{}, which changed", at(place)),
        None => format!("a changed statement of `{procedure}` in the {} version", side.name()),
    };
    ReasonReport {
        place,
        label: "not seen to be executed".to_owned(),
        ..ReasonReport::without_place(format!("nothing was seen to execute {where_it_is}"))
    }
}

/// `the loop at A.java:12 may run longer than 5 iterations`, or the same of a recursion.
fn bounded(pair: Pair<Subject<'_>>, side: Side, procedure: &str, span: Span, bound: u32) -> ReasonReport {
    let program = pair.get(side).program;
    let is_recursion =
        program.procedures.iter().any(|candidate| candidate.name == procedure && candidate.span == span);
    let place = place(program, span);
    let (what, label) = match is_recursion {
        true => (format!("the recursion of `{procedure}`"), format!("may go deeper than {bound} calls")),
        false => (format!("a loop of `{procedure}`"), format!("may run longer than {bound} iterations")),
    };
    let text = match &place {
        Some(place) if is_recursion => format!("{what} at {} {label}", at(place)),
        Some(place) => format!("the loop at {} {label}", at(place)),
        None => format!("{what} in the {} version {label}", side.name()),
    };
    ReasonReport { text, label, place, is_contradiction: false, breakdown: None }
}

fn at(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

fn interface(mismatch: &Mismatch) -> String {
    match mismatch {
        Mismatch::ParameterCount { old, new } => {
            format!("{} before, {new} now", counted(*old as u64, "parameter"))
        }
        Mismatch::ParameterType { position, old, new } => {
            format!("parameter {} was {old} and is {new}", position + 1)
        }
        Mismatch::ResultType { old, new } => format!("the result was {old} and is {new}"),
        Mismatch::NoBody => "one of the versions has no body".to_owned(),
    }
}

fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
