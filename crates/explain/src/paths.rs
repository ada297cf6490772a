//! The ways of both versions on one input.

use check::Subject;
use interp::Input;
use ir::{Numbers, Pair};
use report::Versions;
use report::explain::{PathPair, Step};

use crate::alignment::LineClasses;
use crate::events::{Event, events};
use crate::side_by_side::{rows, steps};

/// Runs both versions on an input, and puts what they did side by side. `call` and `outcomes` are how a report says the
/// input and the ends of the runs.
pub fn path_pair(
    pair: Pair<Subject<'_>>,
    input: &Input,
    numbers: Numbers,
    call: String,
    outcomes: Versions<String>,
) -> PathPair {
    let found = pair.map(|subject| events(subject, input, numbers));
    let classes = LineClasses::of(pair);
    let names = pair
        .map(|subject| move |event: &Event| subject.program.procedure(event.procedure).short_name.clone());
    let names: Pair<&dyn Fn(&Event) -> String> = Pair { old: &names.old, new: &names.new };
    let (rows, is_cut) = rows(Pair::new(&found.old.events, &found.new.events), &classes, names);
    let file = |subject: Subject<'_>| {
        subject.program.files.get(subject.procedure().span.file.index()).cloned().unwrap_or_default()
    };
    PathPair {
        call,
        outcomes,
        files: pair.map(file).into(),
        rows,
        is_cut: is_cut || found.old.is_cut || found.new.is_cut,
    }
}

/// The way of one version on an input, line by line.
pub fn path(subject: Subject<'_>, input: &Input, numbers: Numbers) -> Vec<Step> {
    let found = events(subject, input, numbers);
    let name = |event: &Event| subject.program.procedure(event.procedure).short_name.clone();
    steps(&found.events, &name)
}
