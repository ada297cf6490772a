//! The arguments of a C program: `argv` has `argc` strings and a null pointer behind them, whatever an input says.

use interp::{Input, ObjectValue, RefValue, Value};
use ir::{Language, MainArguments, Pair, Program, Subject, Type};

/// Inputs with more arguments get fewer.
const MOST_ARGUMENTS: usize = 8;

/// How the versions get the arguments of a program, if both are where one starts.
pub(super) fn of_programs(pair: Pair<Subject<'_>>) -> Option<MainArguments> {
    let starts = |it: Subject<'_>| {
        it.program.language == Language::C && ir::entry_point(it.program) == Some(it.procedure)
    };
    let both = starts(pair.old) && starts(pair.new);
    ir::main_arguments(pair.new.program, pair.new.procedure)
        .filter(|_| both && ir::main_arguments(pair.old.program, pair.old.procedure).is_some())
}

/// The input with arguments that a program can have, as near to its own as may be.
pub(super) fn possible(input: &Input, arguments: &MainArguments, program: &Program) -> Input {
    let mut input = input.clone();
    let ([Value::Int(count), strings, ..], Some(filler)) =
        (input.args.as_slice(), filler(arguments, program))
    else {
        return input;
    };
    let mut kept: Vec<Value> = strings_in(&input, strings, arguments.cells);
    let wanted = usize::try_from(*count).ok().filter(|count| *count <= MOST_ARGUMENTS);
    let wanted = wanted.unwrap_or_else(|| kept.len().min(MOST_ARGUMENTS));
    kept.truncate(wanted);
    for string in &mut kept {
        *string = terminated(&mut input, string, arguments, program);
    }
    while kept.len() < wanted {
        kept.push(new_string(&mut input, arguments, program));
    }
    let mut cells = Vec::new();
    for pointer in kept.into_iter().chain([pointer(RefValue::Null, 0)]) {
        cells.push(pointer);
        cells.extend(filler.iter().cloned());
    }
    input.args[0] = Value::Int(wanted as i128);
    input.args[1] = add(&mut input, ObjectValue::indexed(&program.shape(arguments.strings).name, cells));
    input
}

/// The strings that the array of an input has, from where its pointer points.
fn strings_in(input: &Input, strings: &Value, cells: usize) -> Vec<Value> {
    let Some((RefValue::Object(index), offset)) = parts(strings) else { return Vec::new() };
    let Some(object) = input.objects.get(*index) else { return Vec::new() };
    let found = object.cells.iter().skip(offset).step_by(cells);
    found.filter(|cell| matches!(parts(cell), Some((RefValue::Object(_), _)))).cloned().collect()
}

/// A string that ends: the one that is pointed to, with a last character of 0 if it has none.
fn terminated(input: &mut Input, string: &Value, arguments: &MainArguments, program: &Program) -> Value {
    let shape = &program.shape(arguments.characters).name;
    if let Some((RefValue::Object(index), offset)) = parts(string)
        && let Some(object) = input.objects.get_mut(*index)
        && object.shape == *shape
        && offset < object.cells.len()
    {
        if !object.cells[offset..].contains(&Value::Int(0))
            && let Some(last) = object.cells.last_mut()
        {
            *last = Value::Int(0);
        }
        return string.clone();
    }
    new_string(input, arguments, program)
}

fn new_string(input: &mut Input, arguments: &MainArguments, program: &Program) -> Value {
    let shape = &program.shape(arguments.characters).name;
    add(input, ObjectValue::indexed(shape, vec![Value::Int(0)]))
}

fn add(input: &mut Input, object: ObjectValue) -> Value {
    input.objects.push(object);
    pointer(RefValue::Object(input.objects.len() - 1), 0)
}

fn pointer(object: RefValue, offset: i128) -> Value {
    Value::Record(vec![Value::Ref(object), Value::Int(offset)])
}

fn parts(pointer: &Value) -> Option<(&RefValue, usize)> {
    match pointer {
        Value::Record(parts) => match parts.as_slice() {
            [Value::Ref(object), Value::Int(offset)] => Some((object, usize::try_from(*offset).ok()?)),
            _ => None,
        },
        _ => None,
    }
}

/// What lies behind the pointer in an element, where a pointer has several cells.
fn filler(arguments: &MainArguments, program: &Program) -> Option<Vec<Value>> {
    (1..arguments.cells)
        .map(|cell| match program.cell_type(arguments.strings, cell)? {
            Type::Bool => Some(Value::Bool(false)),
            Type::Int(_) => Some(Value::Int(0)),
            _ => None,
        })
        .collect()
}
