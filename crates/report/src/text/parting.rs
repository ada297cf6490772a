//! The call at which the versions part, in a sentence.

use crate::model::{Binding, CallReport, PartingCallReport, Versions};
use crate::outcome::{both_ways, end_of};

/// `on the way, size(6) gives 2 in the old version and 3 in the new one`.
pub(super) fn sentence(parting: &PartingCallReport) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

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
