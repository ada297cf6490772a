//! Runs of which one did not come to an end that says something, as far as they went.
//!
//! Code that is not there is called in an order that can be observed. Where the versions make different calls, they
//! differ, whatever comes later: the calls before were the same, so that the outside world was in the same state.
//! Exact, but for what C leaves undefined: a run that is undefined later is taken to have made its calls before.

use super::{Comparer, Difference, What, first_difference, is_undefined, when_called};
use crate::{Ending, ExternalCall, Run};

/// The first call that only one of the runs makes, or makes otherwise, if both went that far.
pub(super) fn calls_part(old: &Run, new: &Run) -> Option<Difference> {
    // What does not end is not compared.
    let is_open = |run: &Run| matches!(run.ending, Ending::Unsupported { .. } | Ending::Undecided { .. });
    let counts = |run: &Run| is_open(run) || run.ending.is_conclusive() && !is_undefined(&run.ending);
    if !counts(old) || !counts(new) || old.input_objects != new.input_objects {
        return None;
    }
    let mut comparer = Comparer::new(old, new);
    for index in 0..old.input_objects {
        comparer.pair(index, index);
    }
    comparer.pair_made();
    let (old_calls, new_calls) = (calls(old), calls(new));
    for at in 0..old_calls.len().max(new_calls.len()) {
        let difference = match (old_calls.get(at), new_calls.get(at)) {
            (Some(old_call), Some(new_call)) => match comparer.same_call(old_call, new_call) {
                Ok(true) => continue,
                Ok(false) => return None,
                Err(difference) => *difference,
            },
            (Some(call), None) if new.ending.is_conclusive() => only_one(&call.name, "no such call"),
            (None, Some(call)) if old.ending.is_conclusive() => only_one("no such call", &call.name),
            _ => return None,
        };
        let is_sure = |call: Option<&&ExternalCall>| call.is_none_or(|call| !call.is_open);
        return (is_sure(old_calls.get(at)) && is_sure(new_calls.get(at))).then_some(difference);
    }
    None
}

fn calls(run: &Run) -> Vec<&ExternalCall> {
    run.external_calls.iter().filter(|call| call.observable).collect()
}

fn only_one(old: &str, new: &str) -> Difference {
    Difference { what: What::ExternalCalls, old: old.to_owned(), new: new.to_owned() }
}

impl Comparer<'_> {
    /// Whether two calls are the same, with all that they could look at; false if that is not known.
    fn same_call(&mut self, old: &ExternalCall, new: &ExternalCall) -> Result<bool, Box<Difference>> {
        if old.name != new.name {
            return Err(Box::new(only_one(&old.name, &new.name)));
        }
        if old.args.len() != new.args.len() {
            return Ok(false);
        }
        for (old_arg, new_arg) in old.args.iter().zip(&new.args) {
            self.values(old_arg, new_arg, &old.name, |_| What::ExternalCalls)?;
        }
        if self.unsure.is_some() || old.memory.unknown != new.memory.unknown {
            return Ok(false);
        }
        if old.written != new.written {
            return Err(Box::new(Difference {
                what: What::ExternalCalls,
                old: when_called(old),
                new: when_called(new),
            }));
        }
        if old.memory.digest != new.memory.digest {
            let (seen, seen_too) = first_difference(&old.memory, &new.memory);
            let what = What::ExternalMemory(old.name.clone());
            return Err(Box::new(Difference { what, old: seen, new: seen_too }));
        }
        Ok(true)
    }
}
