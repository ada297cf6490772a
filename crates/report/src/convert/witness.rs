//! A witness as data: the call, the state it starts from, and how both versions end.

use check::{Kind, Subject, Witness};
use interp::{Ending, Input, RefValue, Run, Value, What};
use ir::{Const, Pair, Side, Stream, Type};

use super::parting::parting_report;
use super::{failure_verb, place};
use crate::model::{Binding, Outcome, WitnessReport};
use crate::notation::Notation;

/// The report of a witness that the interpreter ran.
pub fn witness_report(pair: Pair<Subject<'_>>, witness: &Witness) -> WitnessReport {
    let input = witness.input();
    let outcomes = outcomes(pair, input, witness.runs().as_ref());
    WitnessReport {
        call: call(pair.new, input),
        parameters: parameters(pair.new, input),
        globals: globals(pair, input),
        difference: undefined(pair, witness).unwrap_or_else(|| difference(&witness.difference().what)),
        kind: witness.kind().name().to_owned(),
        only_undefined: witness.is_all(),
        outcomes: outcomes.into(),
        on_the_way: witness.parting_call().map(|parting| parting_report(pair, parting)),
        replayed: vec!["interpreter".to_owned()],
        not_replayed: None,
        replay_disagreement: None,
    }
}

/// `only where the old version is undefined: null dereference, line 3`.
fn undefined(pair: Pair<Subject<'_>>, witness: &Witness) -> Option<String> {
    let side = match witness.kind() {
        Kind::UndefinedOld => Side::Old,
        Kind::UndefinedNew => Side::New,
        _ => return None,
    };
    let run = witness.runs().get(side);
    let Ending::Failed { error } = &run.ending else { return None };
    let place = run.failed_at.and_then(|span| place(pair.get(side).program, span));
    let line = place.map(|place| format!(", line {}", place.line)).unwrap_or_default();
    let side = side.name();
    Some(match witness.is_all() {
        true => format!("only where the {side} version is undefined: {error}{line}"),
        false => format!("the {side} version is undefined: {error}{line}"),
    })
}

/// How both runs ended, and in what they leave different things behind.
pub(super) fn outcomes(pair: Pair<Subject<'_>>, input: &Input, runs: Pair<&Run>) -> Pair<Outcome> {
    let mut outcomes = Pair::new(outcome(pair.old, runs.old), outcome(pair.new, runs.new));
    // A run that never ends leaves nothing behind.
    if !outcomes.old.endless && !outcomes.new.endless {
        let mut effects = Pair::new(effects(pair.old, input, runs.old), effects(pair.new, input, runs.new));
        if runs.old.thrown.is_some() && runs.new.thrown.is_some() {
            effects.old.extend(thrown(pair.old, runs.old));
            effects.new.extend(thrown(pair.new, runs.new));
        }
        keep_disagreeing(&mut outcomes, effects);
    }
    outcomes
}

pub(super) fn difference(what: &What) -> String {
    match what {
        What::Result => "the results differ".to_owned(),
        What::Error => "they end in different ways".to_owned(),
        What::Message => "they throw exceptions with different messages".to_owned(),
        What::Heap(path) if path.starts_with(interp::THE_EXCEPTION) => {
            "they throw exceptions with different fields".to_owned()
        }
        What::Global(name) => format!("they leave different values in {name}"),
        What::Heap(path) if path.starts_with("the result") => "the results differ".to_owned(),
        What::Heap(_) => "they leave different objects behind".to_owned(),
        What::Written(Stream::Output) => "they print different things".to_owned(),
        What::Written(Stream::Error) => "they write different things to the error output".to_owned(),
        What::ExternalCalls => "they call unknown code differently".to_owned(),
        What::ExternalMemory(name) => {
            format!("`{}` is called with other memory", without_types(name))
        }
        What::Ends => "only one of them ends".to_owned(),
    }
}

/// `mid(2147483647, 1)`; with the receiver before it for a method of an object.
pub(super) fn call(subject: Subject<'_>, input: &Input) -> String {
    let mut notation = Notation::brief(subject.program, &input.objects);
    let procedure = subject.procedure();
    let mut args: Vec<_> = procedure
        .parameters()
        .iter()
        .zip(&input.args)
        .map(|(param, value)| notation.write(&param.name, Some(&param.ty), value))
        .collect();
    let receiver = match procedure.parameters().first() {
        Some(first) if first.name == "this" && !args.is_empty() => args.remove(0) + ".",
        _ => String::new(),
    };
    format!("{receiver}{}({})", procedure.short_name, args.join(", "))
}

pub(super) fn parameters(subject: Subject<'_>, input: &Input) -> Vec<Binding> {
    let mut notation = Notation::full(subject.program, &input.objects);
    let parameters = subject.procedure().parameters().iter().zip(&input.args);
    parameters
        .map(|(param, value)| Binding {
            name: param.name.clone(),
            value: notation.write(&param.name, Some(&param.ty), value),
        })
        .collect()
}

/// The globals and static objects that the input sets to something else than what they hold at the start.
pub(super) fn globals(pair: Pair<Subject<'_>>, input: &Input) -> Vec<Binding> {
    let program = pair.new.program;
    let mut notation = Notation::full(program, &input.objects);
    let mut bindings = Vec::new();
    for (name, value) in &input.globals {
        let is_initial = |subject: Subject<'_>| {
            let global = subject.program.globals.iter().find(|global| global.name == *name);
            global.is_none_or(|global| holds(value, &global.initial))
        };
        if !(is_initial(pair.old) && is_initial(pair.new)) {
            let value = notation.write(name, global_type(pair, name), value);
            bindings.push(Binding { name: name.clone(), value });
        }
    }
    for (name, cells) in &input.statics {
        let is_initial = |subject: Subject<'_>| {
            let object = subject.program.statics.iter().find(|object| object.name == *name);
            object.is_none_or(|object| {
                cells.len() == object.cells.len()
                    && cells.iter().zip(&object.cells).all(|(value, initial)| holds(value, initial))
            })
        };
        if !(is_initial(pair.old) && is_initial(pair.new)) {
            bindings.push(Binding { name: name.clone(), value: cells_text(&mut notation, name, cells) });
        }
    }
    bindings
}

/// Whether a value is that of a constant. Where the two cannot be compared the answer is no, and the value is shown.
fn holds(value: &Value, initial: &Const) -> bool {
    match (value, initial) {
        (Value::Bool(value), Const::Bool(initial)) => value == initial,
        (Value::Int(value), Const::Int(_, initial)) => value == initial,
        (Value::F32(value), Const::F32(initial)) => value == initial,
        (Value::F64(value), Const::F64(initial)) => value == initial,
        (Value::Text(value), Const::NullText) => value.is_none(),
        (Value::Text(value), Const::Text(initial)) => value.as_ref() == Some(initial),
        (Value::Ref(value), Const::Null) => *value == RefValue::Null,
        (Value::Record(values), Const::Record(initials)) => {
            values.len() == initials.len()
                && values.iter().zip(initials).all(|(value, initial)| holds(value, initial))
        }
        _ => false,
    }
}

fn global_type<'a>(pair: Pair<Subject<'a>>, name: &str) -> Option<&'a Type> {
    let globals = pair.new.program.globals.iter().chain(&pair.old.program.globals);
    globals.into_iter().find(|global| global.name == *name).map(|global| &global.ty)
}

fn cells_text(notation: &mut Notation<'_>, name: &str, cells: &[Value]) -> String {
    let cells: Vec<_> = cells
        .iter()
        .enumerate()
        .map(|(index, value)| notation.write(&format!("{name}[{index}]"), None, value))
        .collect();
    if let [cell] = cells.as_slice() { cell.clone() } else { format!("{{{}}}", cells.join(", ")) }
}

/// How a run ended and what it printed.
pub(super) fn outcome(subject: Subject<'_>, run: &Run) -> Outcome {
    let mut notation = Notation::full(subject.program, &run.objects);
    let (result, error) = match &run.ending {
        Ending::Returned(value) => {
            let ty = subject.procedure().result.as_ref();
            (value.as_ref().map(|value| notation.write("result", ty, value)), None)
        }
        Ending::Failed { error } => (None, Some(error.clone())),
        Ending::Endless => (None, None),
        // The versions differ in the calls that they make before.
        Ending::Undecided { why } => (None, Some(why.clone())),
        Ending::Unsupported { what, .. } => (None, Some(format!("{what} is not supported"))),
        // A witness is made of no other runs; should that ever fail, the reader sees what happened.
        inconclusive => (None, Some(format!("{inconclusive:?}"))),
    };
    let failure_verb = match &run.ending {
        Ending::Undecided { .. } | Ending::Unsupported { .. } => "is not followed to its end:",
        _ => failure_verb(subject.program.language),
    };
    let written = |stream: Stream| String::from_utf16_lossy(&run.written[stream.index()]);
    Outcome {
        endless: run.ending == Ending::Endless,
        result,
        error,
        failure_verb: failure_verb.to_owned(),
        output: written(Stream::Output),
        error_output: written(Stream::Error),
        effects: Vec::new(),
    }
}

/// Everything that a run leaves behind, by the name under which the caller can see it.
fn effects(subject: Subject<'_>, input: &Input, run: &Run) -> Vec<Binding> {
    let mut notation = Notation::full(subject.program, &run.objects);
    let mut bindings = Vec::new();
    let parameters = subject.procedure().parameters().iter().zip(&input.args);
    for (param, value) in parameters.filter(|(param, _)| points_to_objects(&param.ty)) {
        let value = notation.write(&param.name, Some(&param.ty), value);
        bindings.push(Binding { name: param.name.clone(), value });
    }
    for (name, value) in &run.globals {
        let ty = subject.program.globals.iter().find(|global| global.name == *name).map(|global| &global.ty);
        bindings.push(Binding { name: name.clone(), value: notation.write(name, ty, value) });
    }
    for (name, cells) in &run.statics {
        bindings.push(Binding { name: name.clone(), value: cells_text(&mut notation, name, cells) });
    }
    if run.external_calls.iter().any(|call| call.observable) {
        let calls: Vec<_> = run
            .external_calls
            .iter()
            .filter(|call| call.observable)
            .map(|call| {
                let args: Vec<_> =
                    call.args.iter().map(|arg| notation.write("argument", None, arg)).collect();
                format!("{}({})", without_types(&call.name), args.join(", "))
            })
            .collect();
        bindings.push(Binding { name: "calls of unknown code".to_owned(), value: calls.join("; ") });
    }
    bindings
}

/// `Lib.send` of `Lib.send(int)`.
fn without_types(name: &str) -> &str {
    name.split('(').next().unwrap_or(name)
}

fn points_to_objects(ty: &Type) -> bool {
    match ty {
        Type::Ref(_) => true,
        Type::Record(fields) => fields.iter().any(points_to_objects),
        Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text | Type::Map(..) => false,
    }
}

/// What can be seen of the exception that ended a run: its own fields, and its message.
fn thrown(subject: Subject<'_>, run: &Run) -> Vec<Binding> {
    let mut notation = Notation::full(subject.program, &run.objects);
    let Some(Value::Record(carried)) = &run.thrown else { return Vec::new() };
    let [message, known, object] = carried.as_slice() else { return Vec::new() };
    let mut bindings = Vec::new();
    if let Some(object) = run.object(object) {
        for (field, cell) in object.fields.iter().zip(&object.cells) {
            if !ir::is_hidden_field(field) {
                let name = format!("exception.{}", field.rsplit('.').next().unwrap_or(field));
                let value = notation.write(&name, None, cell);
                bindings.push(Binding { name, value });
            }
        }
    }
    if *known == Value::Bool(true) {
        let name = "exception.getMessage()".to_owned();
        let value = notation.write(&name, None, message);
        bindings.push(Binding { name, value });
    }
    bindings
}

/// Shows only the effects in which the versions disagree, or that only one of them has.
fn keep_disagreeing(outcomes: &mut Pair<Outcome>, effects: Pair<Vec<Binding>>) {
    outcomes.old.effects =
        effects.old.iter().filter(|effect| !effects.new.contains(effect)).cloned().collect();
    outcomes.new.effects =
        effects.new.iter().filter(|effect| !effects.old.contains(effect)).cloned().collect();
}
