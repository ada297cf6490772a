//! Whether two runs on the same input behaved the same. Exact where it says same or different.
//!
//! The heaps are compared up to a renaming of the allocated objects: both are walked in parallel from the result, the
//! globals, the static objects and the objects of the input; two allocated objects that are met at the same place
//! become a pair and must stay one. What no walk reaches is not observable.

mod cells;
mod prefix;

use std::collections::{BTreeMap, VecDeque};

use crate::{Ending, ExternalCall, ObjectValue, RefValue, Run, SeenMemory, Value, show};

/// How paths begin that lead to the fields of the exception that ends a run.
pub const THE_EXCEPTION: &str = "the exception";

/// What a comparison found.
#[derive(Clone, PartialEq, Debug)]
pub enum Comparison {
    Same,
    Different(Difference),
    /// Neither of both can be said, and why.
    Incomparable(String),
}

/// The first difference found.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    pub what: What,
    /// For people.
    pub old: String,
    pub new: String,
}

/// What differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    Result,
    /// One run fails and the other does not, or both do with different errors.
    Error,
    Global(String),
    /// A cell or the length of an object, by the path that leads to it.
    Heap(String),
    /// What was written to this stream.
    Written(ir::Stream),
    /// The messages of two errors with the same name.
    Message,
    ExternalCalls,
    /// A call of this procedure could look at other memory.
    ExternalMemory(String),
    /// One run ends and the other never does.
    Ends,
}

/// What counts of an error that ends a run, besides its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Errors {
    /// The fields of its object.
    #[default]
    Fields,
    /// Also its message.
    Messages,
}

/// Compares the run of the old version with that of the new one, on the same input.
pub fn compare(old: &Run, new: &Run) -> Comparison {
    compare_with(old, new, Errors::Fields)
}

/// The same, with a choice of what counts of errors.
pub fn compare_with(old: &Run, new: &Run, errors: Errors) -> Comparison {
    for (side, run) in [("old", old), ("new", new)] {
        if let Some(reason) = inconclusive(&run.ending) {
            return match prefix::calls_part(old, new) {
                Some(difference) => Comparison::Different(difference),
                None => Comparison::Incomparable(format!("the {side} version {reason}")),
            };
        }
    }
    if [old, new].iter().all(|run| is_undefined(&run.ending)) {
        return Comparison::Same;
    }
    if old.input_objects != new.input_objects {
        return Comparison::Incomparable("the runs had different inputs".to_owned());
    }
    if unknown_places(old) != unknown_places(new) {
        return match prefix::calls_part(old, new) {
            Some(difference) => Comparison::Different(difference),
            None => Comparison::Incomparable("unknown code sees memory that was never written".to_owned()),
        };
    }
    let mut comparer = Comparer::new(old, new);
    match comparer.runs(errors) {
        Err(difference) => Comparison::Different(*difference),
        Ok(()) => match comparer.unsure {
            Some(reason) => Comparison::Incomparable(reason),
            None => Comparison::Same,
        },
    }
}

/// The places of which nothing is known that each call of unknown code could look at.
fn unknown_places(run: &Run) -> Vec<u64> {
    run.external_calls.iter().map(|call| call.memory.unknown).filter(|places| *places != 0).collect()
}

/// The difference between a run that ends and one that surely never does.
pub fn one_ends(old: &Run, new: &Run) -> Option<Difference> {
    let differ = match (&old.ending, &new.ending) {
        (Ending::Endless, other) | (other, Ending::Endless) => other.is_conclusive(),
        _ => false,
    };
    differ.then(|| Difference {
        what: What::Ends,
        old: ending(&old.ending, old),
        new: ending(&new.ending, new),
    })
}

/// Whether a run ended in undefined behaviour, after which nothing can be expected of it.
fn is_undefined(ending: &Ending) -> bool {
    matches!(ending, Ending::Failed { error } if ir::is_undefined(error))
}

/// Why a run with this ending says nothing about the procedure.
fn inconclusive(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Returned(_) | Ending::Failed { .. } => None,
        Ending::Endless => Some("does not end".to_owned()),
        Ending::OutOfSteps => Some("did not end within its steps".to_owned()),
        Ending::OutOfMemory => Some("needs more memory than it may use".to_owned()),
        Ending::TooDeep => Some("has more open calls than it may have".to_owned()),
        Ending::TooMuchOutput => Some("prints more than it may".to_owned()),
        Ending::Excluded => Some("is not considered on this input".to_owned()),
        Ending::Unsupported { what, .. } => Some(format!("reaches what is not supported: {what}")),
        Ending::Undecided { why } => Some(format!("is undecided: {why}")),
        Ending::Broken { what } => Some(format!("breaks a rule: {what}")),
    }
}

/// What is known about two values.
enum Verdict {
    Same,
    Different,
    Unsure(String),
}

/// Ends the comparison.
type Found = Result<(), Box<Difference>>;

struct Comparer<'runs> {
    old: &'runs Run,
    new: &'runs Run,
    /// The pairs of allocated objects, in both directions.
    new_of_old: BTreeMap<usize, usize>,
    old_of_new: BTreeMap<usize, usize>,
    /// The pairs whose cells are still to be compared, with the path that leads to them.
    open: VecDeque<(usize, usize, String)>,
    /// The pairs whose cells were or will be compared, by the object of the old run.
    followed: std::collections::BTreeSet<usize>,
    /// Why nothing can be said if no difference is found.
    unsure: Option<String>,
}

impl<'runs> Comparer<'runs> {
    fn new(old: &'runs Run, new: &'runs Run) -> Self {
        Comparer {
            old,
            new,
            new_of_old: BTreeMap::new(),
            old_of_new: BTreeMap::new(),
            open: VecDeque::new(),
            followed: std::collections::BTreeSet::new(),
            unsure: None,
        }
    }

    fn runs(&mut self, errors: Errors) -> Found {
        let (old, new) = (self.old, self.new);
        for index in 0..old.input_objects {
            self.pair(index, index);
            self.follow(index, index, format!("input object {index}"));
        }
        self.pair_made();
        self.endings()?;
        self.thrown(errors)?;
        self.globals()?;
        self.statics()?;
        self.heaps()?;
        for stream in ir::Stream::ALL {
            let [old, new] = [old, new].map(|run| &run.written[stream.index()]);
            if old != new {
                return different(What::Written(stream), text(old), text(new));
            }
        }
        self.external_calls()
    }

    /// What was made for the same reason is the same object.
    fn pair_made(&mut self) {
        let made = |run: &Run| -> BTreeMap<u64, (usize, bool)> {
            let calls = run.external_calls.iter();
            calls
                .filter_map(|call| match (call.made, &call.result) {
                    (Some(cause), Some(Value::Ref(RefValue::Object(index)))) => {
                        Some((cause, (*index, false)))
                    }
                    (Some(cause), Some(Value::Record(pointer))) => match pointer.first() {
                        Some(Value::Ref(RefValue::Object(index))) => Some((cause, (*index, true))),
                        _ => None,
                    },
                    _ => None,
                })
                .collect()
        };
        let (old, new) = (made(self.old), made(self.new));
        for (cause, (old, is_memory)) in old {
            if let Some((new, _)) = new.get(&cause) {
                self.pair(old, *new);
                // Whoever made it may look at it again.
                if is_memory {
                    self.follow(old, *new, "memory that unknown code gave".to_owned());
                }
            }
        }
    }

    fn endings(&mut self) -> Found {
        match (&self.old.ending, &self.new.ending) {
            (Ending::Returned(Some(old)), Ending::Returned(Some(new))) => {
                self.values(old, new, "the result", |_| What::Result)
            }
            (Ending::Returned(None), Ending::Returned(None)) => Ok(()),
            (Ending::Failed { error: old }, Ending::Failed { error: new }) if old == new => Ok(()),
            (Ending::Returned(_), Ending::Returned(_)) => {
                self.unsure("only one version has a result");
                Ok(())
            }
            (old, new) => different(What::Error, ending(old, self.old), ending(new, self.new)),
        }
    }

    /// What errors with the same name carry: a message, whether it is known, and an object.
    fn thrown(&mut self, errors: Errors) -> Found {
        let (Ending::Failed { error }, Some(old), Some(new)) =
            (&self.old.ending, &self.old.thrown, &self.new.thrown)
        else {
            return Ok(());
        };
        let (Value::Record(old), Value::Record(new)) = (old, new) else { return Ok(()) };
        let ([old_message, old_known, old_object], [new_message, new_known, new_object]) =
            (old.as_slice(), new.as_slice())
        else {
            return Ok(());
        };
        if let (Some(old), Some(new)) = (self.old.object(old_object), self.new.object(new_object)) {
            self.fields(old, new)?;
        }
        if errors == Errors::Messages {
            let of_check = ir::message_of_check(error).map(Value::text);
            let message = |message: &Value, known: &Value| match *known == Value::Bool(true) {
                true => Some(message.clone()),
                false => of_check.clone(),
            };
            match (message(old_message, old_known), message(new_message, new_known)) {
                (Some(old), Some(new)) => self.values(&old, &new, "the message", |_| What::Message)?,
                _ => self.unsure(format!("the message of the {error} is not known")),
            }
        }
        Ok(())
    }

    /// The fields of two exceptions, by name; those that the source does not have are left out.
    fn fields(&mut self, old: &ObjectValue, new: &ObjectValue) -> Found {
        let named = |object: &ObjectValue| -> BTreeMap<String, Value> {
            let fields = object.fields.iter().cloned().zip(object.cells.iter().cloned());
            fields.filter(|(name, _)| !ir::is_hidden_field(name)).collect()
        };
        let (old, new) = (named(old), named(new));
        if !old.keys().eq(new.keys()) {
            self.unsure("the exceptions have different fields");
            return Ok(());
        }
        for ((name, old), new) in old.iter().zip(new.values()) {
            let field = name.rsplit('.').next().unwrap_or(name);
            let path = format!("{THE_EXCEPTION}.{field}");
            self.values(old, new, &path, |path| What::Heap(path.to_owned()))?;
        }
        Ok(())
    }

    fn globals(&mut self) -> Found {
        let (old, new) = (self.old, self.new);
        for (name, old_value) in &old.globals {
            match new.globals.get(name) {
                Some(new_value) => self.values(old_value, new_value, name, |_| What::Global(name.clone()))?,
                None => self.unsure(format!("only the old version has the global {name}")),
            }
        }
        if let Some(name) = new.globals.keys().find(|name| !old.globals.contains_key(*name)) {
            self.unsure(format!("only the new version has the global {name}"));
        }
        Ok(())
    }

    fn statics(&mut self) -> Found {
        let (old, new) = (self.old, self.new);
        for (name, old_cells) in old.statics.iter().filter(|(_, cells)| !cells.is_empty()) {
            match new.statics.get(name) {
                Some(new_cells) => self.cells_by_index(old_cells, new_cells, name)?,
                None => self.unsure(format!("only the old version has the static object {name}")),
            }
        }
        let mut of_new = new.statics.iter().filter(|(_, cells)| !cells.is_empty());
        if let Some((name, _)) = of_new.find(|(name, _)| !old.statics.contains_key(*name)) {
            self.unsure(format!("only the new version has the static object {name}"));
        }
        Ok(())
    }

    fn heaps(&mut self) -> Found {
        while let Some((old, new, path)) = self.open.pop_front() {
            self.objects(old, new, &path)?;
        }
        Ok(())
    }

    /// The calls that changed the state of the outside world, in order, with all that they could look at.
    fn external_calls(&mut self) -> Found {
        let (old, new) = (self.old, self.new);
        let calls = |run: &'runs Run| {
            run.external_calls.iter().filter(|call| call.observable).collect::<Vec<&ExternalCall>>()
        };
        let names = |run: &'runs Run| calls(run).iter().map(|call| call.name.clone()).collect::<Vec<_>>();
        if names(old) != names(new) {
            return different(What::ExternalCalls, names(old).join(", "), names(new).join(", "));
        }
        for (old_call, new_call) in calls(old).into_iter().zip(calls(new)) {
            if old_call.args.len() != new_call.args.len() {
                self.unsure(format!("{} has different parameters", old_call.name));
                continue;
            }
            for (old_arg, new_arg) in old_call.args.iter().zip(&new_call.args) {
                self.values(old_arg, new_arg, &old_call.name, |_| What::ExternalCalls)?;
            }
            // What is written is the same in the end, so that the lengths tell when the calls were made.
            if old_call.written != new_call.written {
                let (old, new) = (when_called(old_call), when_called(new_call));
                return different(What::ExternalCalls, old, new);
            }
            if old_call.memory.digest != new_call.memory.digest {
                let (old, new) = first_difference(&old_call.memory, &new_call.memory);
                return different(What::ExternalMemory(old_call.name.clone()), old, new);
            }
        }
        Ok(())
    }

    /// Compares two values that stand at the same place.
    fn values(&mut self, old: &Value, new: &Value, path: &str, what: impl Fn(&str) -> What) -> Found {
        match self.value(old, new, path) {
            Verdict::Same => Ok(()),
            Verdict::Different => {
                different(what(path), show(old, &self.old.objects), show(new, &self.new.objects))
            }
            Verdict::Unsure(reason) => {
                self.unsure(format!("{path}: {reason}"));
                Ok(())
            }
        }
    }

    fn unsure(&mut self, reason: impl Into<String>) {
        self.unsure.get_or_insert_with(|| reason.into());
    }
}

/// `f after 5 characters were written`.
fn when_called(call: &ExternalCall) -> String {
    let count: usize = call.written.iter().flatten().sum();
    format!("{} after {count} characters were written", call.name)
}

/// Where what two calls could look at differs first, as far as it was kept.
fn first_difference(old: &SeenMemory, new: &SeenMemory) -> (String, String) {
    let both = old.glimpse.iter().zip(&new.glimpse);
    match both.into_iter().find(|(old, new)| old != new) {
        Some(((old_place, old), (new_place, new))) => {
            (format!("{old_place} is {old}"), format!("{new_place} is {new}"))
        }
        None => ("some memory".to_owned(), "other memory".to_owned()),
    }
}

fn different(what: What, old: String, new: String) -> Found {
    Err(Box::new(Difference { what, old, new }))
}

fn ending(ending: &Ending, run: &Run) -> String {
    match ending {
        Ending::Failed { error } => format!("fails with {error}"),
        Ending::Endless => "does not end".to_owned(),
        Ending::Returned(Some(value)) => format!("returns {}", show(value, &run.objects)),
        Ending::Returned(None) => "returns".to_owned(),
        Ending::OutOfSteps | Ending::OutOfMemory | Ending::TooDeep | Ending::TooMuchOutput => {
            "runs into a limit".to_owned()
        }
        Ending::Excluded | Ending::Unsupported { .. } | Ending::Undecided { .. } | Ending::Broken { .. } => {
            "says nothing".to_owned()
        }
    }
}

fn text(units: &[u16]) -> String {
    show(&Value::Text(Some(units.to_vec())), &[])
}
