//! The call of something changed at which the versions part, on the way of a witness: as data, and in a sentence.

use check::{PartingCall, Subject};
use interp::Input;
use ir::Pair;

use crate::model::{Binding, CallReport, Outcome, PartingCallReport, Versions};
use crate::text::{outcome_phrase, quoted};
use crate::witness::{call, difference, globals, outcome, outcomes, parameters};

/// The report of a call on the way, which was made in the programs of a pair.
pub(crate) fn parting_report(pair: Pair<Subject<'_>>, parting: &PartingCall) -> PartingCallReport {
    match parting {
        PartingCall::Answered { procedures, input, runs, difference: found } => {
            let callees = pair.zip(*procedures).map(|(subject, id)| Subject::new(subject.program, id));
            let report = |subject, outcome| Some(call_report(callees, subject, input, outcome));
            let outcomes = outcomes(callees, input, runs.as_ref());
            PartingCallReport {
                same_arguments: true,
                difference: difference(&found.what),
                calls: Versions {
                    old: report(callees.old, outcomes.old),
                    new: report(callees.new, outcomes.new),
                },
            }
        }
        PartingCall::Made(made) => {
            let calls = pair.zip(made.as_ref()).map(|(subject, made)| {
                let made = made.as_ref()?;
                let callee = Subject::new(subject.program, made.procedure);
                let outcome = outcome(callee, &made.run);
                Some(call_report(Pair::new(callee, callee), callee, &made.input, outcome))
            });
            let difference = match made {
                Pair { old: Some(_), new: None } => "only the old version makes this call",
                Pair { old: None, new: Some(_) } => "only the new version makes this call",
                Pair { old: Some(_), new: Some(_) } | Pair { old: None, new: None } => {
                    "the arguments already differ"
                }
            };
            PartingCallReport {
                same_arguments: false,
                difference: difference.to_owned(),
                calls: calls.into(),
            }
        }
    }
}

fn call_report(
    callees: Pair<Subject<'_>>,
    subject: Subject<'_>,
    input: &Input,
    outcome: Outcome,
) -> CallReport {
    CallReport {
        function: subject.procedure().name.clone(),
        call: call(subject, input),
        arguments: parameters(subject, input),
        globals: globals(callees, input),
        outcome,
    }
}

/// `on the way, size(6) gives 2 in the old version and 3 in the new one`.
pub(crate) fn sentence(parting: &PartingCallReport) -> Option<String> {
    Some(match &parting.calls {
        Versions { old: Some(old), new: Some(new) } if parting.same_arguments => {
            let ends = both_ways(&old.outcome, &new.outcome);
            format!("on the way, {} {ends}", with_state(new, &new.globals))
        }
        Versions { old: Some(old), new: Some(new) } => {
            let only_in = |one: &[Binding], other: &[Binding]| -> Vec<Binding> {
                one.iter().filter(|binding| !other.contains(binding)).cloned().collect()
            };
            format!(
                "on the way the arguments already differ: {} {} in the old version, and {} {} in the new one",
                with_state(old, &only_in(&old.globals, &new.globals)),
                way(&old.outcome, true, false),
                with_state(new, &only_in(&new.globals, &old.globals)),
                way(&new.outcome, true, false),
            )
        }
        Versions { old: Some(call), new: None } => only("old", call),
        Versions { old: None, new: Some(call) } => only("new", call),
        Versions { old: None, new: None } => return None,
    })
}

fn only(version: &str, call: &CallReport) -> String {
    let said = with_state(call, &call.globals);
    format!("on the way only the {version} version calls {said}, which {}", way(&call.outcome, true, false))
}

/// `size(6) where limit is 3`.
fn with_state(call: &CallReport, globals: &[Binding]) -> String {
    let state: Vec<String> =
        globals.iter().map(|binding| format!("{} is {}", binding.name, binding.value)).collect();
    match state.as_slice() {
        [] => call.call.clone(),
        state => format!("{} where {}", call.call, state.join(" and ")),
    }
}

/// `gives 2 in the old version and 3 in the new one`: what differs between two outcomes.
pub(crate) fn both_ways(old: &Outcome, new: &Outcome) -> String {
    let prints = old.output != new.output;
    let has_more = prints || !old.effects.is_empty() || !new.effects.is_empty();
    let gives = old.result != new.result || !has_more;
    let (old, new) = (way(old, gives, prints), way(new, gives, prints));
    if old == new {
        return "is not the same in both versions".to_owned();
    }
    // The verb is said once.
    let new = new.strip_prefix("gives ").filter(|_| old.starts_with("gives ")).unwrap_or(&new);
    format!("{old} in the old version and {new} in the new one")
}

/// How a call ended, as the end of a sentence.
fn way(outcome: &Outcome, gives: bool, prints: bool) -> String {
    if outcome.endless || outcome.error.is_some() {
        let end = Outcome { effects: Vec::new(), ..outcome.clone() };
        return outcome_phrase(&end, false);
    }
    let result = outcome.result.as_ref().filter(|_| gives).map(|result| format!("gives {result}"));
    let printed = prints.then(|| match outcome.output.as_str() {
        "" => "prints nothing".to_owned(),
        output => format!("prints {}", quoted(output)),
    });
    let left = outcome.effects.iter().map(|effect| format!("leaves {} = {}", effect.name, effect.value));
    let parts: Vec<String> = result.into_iter().chain(printed).chain(left).collect();
    if parts.is_empty() { "returns".to_owned() } else { parts.join(" and ") }
}
