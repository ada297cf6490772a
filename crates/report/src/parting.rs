//! The call of something changed at which the versions part, on the way of a witness: as data, and in a sentence.

use check::{PartingCall, Subject};
use interp::Input;
use ir::Pair;

use crate::model::{Binding, CallReport, Outcome, PartingCallReport, Versions};
use crate::text::Shown;
use crate::witness::{call, difference, globals, outcome, outcomes, parameters};

/// The report of a call on the way, which was made in the programs of a pair.
pub(crate) fn parting_report(pair: Pair<Subject<'_>>, parting: &PartingCall) -> PartingCallReport {
    match parting {
        PartingCall::Answered { procedures, input, runs, difference: found } => {
            let callees = pair.zip(*procedures).map(|(subject, id)| Subject::new(subject.program, id));
            let report = |subject, outcome| Some(call_report(pair.new, callees, subject, input, outcome));
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
                Some(call_report(pair.new, Pair::new(callee, callee), callee, &made.input, outcome))
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
    client: Subject<'_>,
    callees: Pair<Subject<'_>>,
    subject: Subject<'_>,
    input: &Input,
    outcome: Outcome,
) -> CallReport {
    let procedure = subject.procedure();
    let takes_this = procedure.parameters().first().is_some_and(|first| first.name == "this");
    // A static method of another class goes by the name of that class.
    let class = procedure.class().filter(|class| !takes_this && client.procedure().class() != Some(class));
    let class = class.map(|class| format!("{class}.")).unwrap_or_default();
    CallReport {
        function: procedure.name.clone(),
        call: class + &call(subject, input),
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
                end_of(&old.outcome),
                with_state(new, &only_in(&new.globals, &old.globals)),
                end_of(&new.outcome),
            )
        }
        Versions { old: Some(call), new: None } => only("old", call),
        Versions { old: None, new: Some(call) } => only("new", call),
        Versions { old: None, new: None } => return None,
    })
}

fn only(version: &str, call: &CallReport) -> String {
    let said = with_state(call, &call.globals);
    format!("on the way only the {version} version calls {said}, which {}", end_of(&call.outcome))
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
    let shown = Shown::where_different(old, new);
    let has_more = shown.any() || !old.effects.is_empty() || !new.effects.is_empty();
    let gives = old.result != new.result || !has_more;
    let (old, new) = (ways(old, gives, shown), ways(new, gives, shown));
    if old == new {
        return "is not the same in both versions".to_owned();
    }
    let new = match (old.as_slice(), new.as_slice()) {
        ([old], [new]) => without_verb_of(old, new).to_owned(),
        _ => new.join(" and "),
    };
    format!("{} in the old version and {new} in the new one", old.join(" and "))
}

/// The verb is said once: `gives 2 … and 3`.
fn without_verb_of<'a>(old: &str, new: &'a str) -> &'a str {
    let verb = ["gives ", "leaves ", "throws ", "fails with "].into_iter().find(|verb| old.starts_with(verb));
    verb.and_then(|verb| new.strip_prefix(verb)).unwrap_or(new)
}

/// What a call came to, as the end of a sentence.
fn end_of(outcome: &Outcome) -> String {
    ways(outcome, true, Shown::default()).join(" and ")
}

/// What a call came to: how it ended, then what it printed and left behind where that is asked for.
fn ways(outcome: &Outcome, gives: bool, shown: Shown) -> Vec<String> {
    let end = match outcome {
        Outcome { endless: true, .. } => return vec!["does not end".to_owned()],
        Outcome { error: Some(error), failure_verb, .. } => Some(format!("{failure_verb} {error}")),
        Outcome { result, .. } => result.as_ref().filter(|_| gives).map(|result| format!("gives {result}")),
    };
    let printed = shown.phrases(outcome);
    let left = outcome.effects.iter().map(|effect| format!("leaves {} = {}", effect.name, effect.value));
    let parts: Vec<String> = end.into_iter().chain(printed).chain(left).collect();
    if parts.is_empty() { vec!["returns".to_owned()] } else { parts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn said(old: Outcome, new: Outcome) -> String {
        both_ways(&old, &new)
    }

    fn gives(result: &str) -> Outcome {
        Outcome { result: Some(result.to_owned()), ..Outcome::default() }
    }

    fn leaves(outcome: Outcome, value: &str) -> Outcome {
        let effect = Binding { name: "p".to_owned(), value: value.to_owned() };
        Outcome { effects: vec![effect], ..outcome }
    }

    #[test]
    fn only_what_differs_between_two_outcomes_is_said() {
        assert_eq!(said(gives("1"), gives("2")), "gives 1 in the old version and 2 in the new one");
        let throws =
            Outcome { error: Some("E".to_owned()), failure_verb: "throws".to_owned(), ..Outcome::default() };
        assert_eq!(said(throws, gives("2")), "throws E in the old version and gives 2 in the new one");
        let endless = Outcome { endless: true, ..Outcome::default() };
        assert_eq!(said(gives("1"), endless), "gives 1 in the old version and does not end in the new one");
        let (old, new) = (leaves(gives("1"), "5"), leaves(gives("1"), "6"));
        assert_eq!(said(old, new), "leaves p = 5 in the old version and p = 6 in the new one");
        let (old, new) = (leaves(gives("1"), "5"), leaves(gives("2"), "6"));
        let both = "gives 1 and leaves p = 5 in the old version and gives 2 and leaves p = 6 in the new one";
        assert_eq!(said(old, new), both);
        let prints = Outcome { output: "a\n".to_owned(), ..Outcome::default() };
        let printed = "prints \"a\\n\" in the old version and prints nothing in the new one";
        assert_eq!(said(prints, Outcome::default()), printed);
        assert_eq!(said(gives("1"), gives("1")), "is not the same in both versions");
    }

    #[test]
    fn calls_that_are_not_the_same_are_not_said_to_be() {
        let mut parting = samples::parting_call();
        parting.same_arguments = false;
        let call = parting.calls.old.as_mut().expect("the sample should have both calls");
        call.globals = vec![Binding { name: "limit".to_owned(), value: "7".to_owned() }];
        let differ = "on the way the arguments already differ: size(6) where limit is 7 gives 2 in the old \
                      version, and size(6) gives 3 in the new one";
        assert_eq!(sentence(&parting).as_deref(), Some(differ));
        parting.calls.new = None;
        let only = "on the way only the old version calls size(6) where limit is 7, which gives 2";
        assert_eq!(sentence(&parting).as_deref(), Some(only));
    }
}
