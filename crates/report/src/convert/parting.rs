//! The call of something changed at which the versions part, on the way of a witness.

use check::{PartingCall, Subject};
use interp::Input;
use ir::Pair;

use super::witness::{call, difference, globals, outcome, outcomes, parameters};
use crate::model::{CallReport, Outcome, PartingCallReport, Versions};

/// The report of a call on the way, which was made in the programs of a pair.
pub(super) fn parting_report(pair: Pair<Subject<'_>>, parting: &PartingCall) -> PartingCallReport {
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
