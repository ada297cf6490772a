//! Atoms for bounds that no version names: where an input that grows makes the versions differ, or do the same again.
//!
//! One number of a known input is moved, and the place where the answer changes is found by bisection: a parameter, a
//! member of one, a global variable, the length of an array.
//! Under-approximating: bounds between two inputs with the same answer are missed. Nothing rests on what is found.

use check::{CheckConfig, Compared, Comparer, Subject};
use interp::{Input, Limits, RefValue, Value};
use ir::{IntType, Language, LocalId, Pair, Type};

use crate::members::{CellNames, members};

/// What a run may take.
const LIMITS: Limits = Limits { steps: 20_000, ..Limits::USUAL };
/// Numbers that are looked at.
const MOST_PLACES: usize = 10;
/// Arrays are not made longer than this by so many elements.
const MORE_ELEMENTS: i128 = 6;

/// A number in an input.
struct Place {
    /// What it is called.
    text: String,
    ty: IntType,
    start: i128,
    at: At,
}

enum At {
    /// A parameter, or a part of one.
    Argument(usize, Vec<usize>),
    Global(String),
    /// The length of an object, by its place in the list.
    Length(usize),
}

/// Comparisons of numbers with bounds that runs show, from an input on which the versions are known to differ; `cells` are
/// the names of the members of C structs.
pub fn thresholds(
    pair: Pair<Subject<'_>>,
    known: &Input,
    cells: &CellNames,
    config: &CheckConfig,
) -> Vec<String> {
    let comparer = Comparer::of(pair, config);
    let mut texts = Vec::new();
    for place in places(pair.new, known, cells).into_iter().take(MOST_PLACES) {
        let is_same = |number: i128| {
            let input = place.with(known, number)?;
            match comparer.compare_within(&input, &LIMITS) {
                Compared::Same => Some(true),
                Compared::Different(_) => Some(false),
                Compared::NotCompared => None,
            }
        };
        for end in place.ends() {
            if let Some(last) = bound(place.start, end, &is_same)
                && let Some(number) = literal(last, place.ty, pair.new.program.language)
            {
                let text = format!("{} <= {number}", place.text);
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
    }
    texts
}

/// The numbers of an input that conditions can name.
fn places(subject: Subject<'_>, known: &Input, cells: &CellNames) -> Vec<Place> {
    let mut found = Vec::new();
    let procedure = subject.procedure();
    let mut add = |text: &str, ty: &Type, value: Option<&Value>, at: At| {
        if let (Type::Int(ty), Some(Value::Int(start))) = (ty, value) {
            found.push(Place { text: text.to_owned(), ty: *ty, start: *start, at });
        }
    };
    for (at, local) in procedure.parameters().iter().enumerate().filter(|(_, it)| !it.name.starts_with('$')) {
        let value = known.args.get(at);
        add(&local.name, &local.ty, value, At::Argument(at, Vec::new()));
        for (path, name) in members(subject.program, procedure, LocalId::from_index(at), cells) {
            if let Some((ty, value)) = value.and_then(|value| part(&local.ty, value, &path)) {
                add(&name, ty, Some(value), At::Argument(at, path));
            }
        }
        if let (Some(Value::Ref(RefValue::Object(object))), Language::Java) =
            (value, subject.program.language)
            && let Some(length) = known.objects.get(*object).and_then(|object| object.length)
        {
            let (text, length) = (format!("{}.length", local.name), Value::Int(length.into()));
            add(&text, &Type::Int(IntType::I32), Some(&length), At::Length(*object));
        }
    }
    let effects = ir::effects(subject.program, subject.procedure);
    for global in effects.reads_globals.iter().map(|id| subject.program.global(*id)) {
        let is_word =
            |name: &str| name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'));
        if !global.constant && is_word(&global.name) {
            add(&global.name, &global.ty, known.globals.get(&global.name), At::Global(global.name.clone()));
        }
    }
    found
}

/// A part of a value, with its type.
fn part<'v>(ty: &'v Type, value: &'v Value, path: &[usize]) -> Option<(&'v Type, &'v Value)> {
    match (path, ty, value) {
        ([], _, _) => Some((ty, value)),
        ([at, rest @ ..], Type::Record(types), Value::Record(parts)) => {
            part(types.get(*at)?, parts.get(*at)?, rest)
        }
        _ => None,
    }
}

impl Place {
    /// The numbers to which this one is moved.
    fn ends(&self) -> Vec<i128> {
        let ends = match self.at {
            At::Length(_) => vec![0, self.start + MORE_ELEMENTS],
            At::Argument(..) | At::Global(_) => vec![self.ty.min(), -1, 0, 1, self.ty.max()],
        };
        ends.into_iter().filter(|end| self.ty.contains(*end)).collect()
    }

    /// The input with another number here.
    fn with(&self, known: &Input, number: i128) -> Option<Input> {
        let mut input = known.clone();
        match &self.at {
            At::Argument(at, path) => {
                let mut value = input.args.get_mut(*at)?;
                for part in path {
                    let Value::Record(parts) = value else { return None };
                    value = parts.get_mut(*part)?;
                }
                *value = Value::Int(number);
            }
            At::Global(name) => *input.globals.get_mut(name)? = Value::Int(number),
            At::Length(object) => {
                let object = input.objects.get_mut(*object)?;
                let last = object.cells.last().cloned();
                let length = usize::try_from(number).ok()?;
                if length > object.cells.len() {
                    object.cells.resize(length, last?);
                }
                object.cells.truncate(length);
                object.length = Some(i64::try_from(number).ok()?);
            }
        }
        Some(input)
    }
}

/// A number between two after which the answer changes, if it is not the same for both.
fn bound(start: i128, end: i128, is_same: &dyn Fn(i128) -> Option<bool>) -> Option<i128> {
    let (mut low, mut high) = (start.min(end), start.max(end));
    let below = is_same(low)?;
    if is_same(high)? == below {
        return None;
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match is_same(middle)? == below {
            true => low = middle,
            false => high = middle,
        }
    }
    Some(low)
}

/// A number as it is written; not the last of its type, which bounds nothing.
fn literal(number: i128, ty: IntType, language: Language) -> Option<String> {
    let fits_int = i32::try_from(number).is_ok();
    let is_plain = fits_int || language == Language::C && i64::try_from(number).is_ok();
    match (is_plain, language) {
        _ if number == ty.max() => None,
        (true, _) => Some(number.to_string()),
        (false, Language::Java) if i64::try_from(number).is_ok() => Some(format!("{number}L")),
        (false, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_with_the_answer_of_the_lower_end_is_found() {
        let below_128 = |number: i128| Some(number < 128);
        assert_eq!(bound(255, 0, &below_128), Some(127));
        assert_eq!(bound(0, 255, &below_128), Some(127));
        assert_eq!(bound(200, 255, &below_128), None);
        assert_eq!(bound(0, 255, &|number| (number != 128).then_some(number < 128)), None);
    }

    #[test]
    fn arrays_become_longer_and_shorter() {
        let array = interp::ObjectValue::indexed("int[]", vec![Value::Int(1), Value::Int(2)]);
        let known = Input { objects: vec![array], ..Input::default() };
        let place = Place { text: "a.length".to_owned(), ty: IntType::I32, start: 2, at: At::Length(0) };
        assert_eq!(place.ends(), [0, 8]);
        let cells = |number: i128| place.with(&known, number).map(|input| input.objects[0].cells.clone());
        assert_eq!(cells(1), Some(vec![Value::Int(1)]));
        assert_eq!(cells(3), Some(vec![Value::Int(1), Value::Int(2), Value::Int(2)]));
    }

    #[test]
    fn numbers_are_written_as_the_language_has_them() {
        assert_eq!(literal(5, IntType::I32, Language::Java).as_deref(), Some("5"));
        assert_eq!(literal(1 << 40, IntType::I64, Language::Java).as_deref(), Some("1099511627776L"));
        assert_eq!(literal(i128::from(i32::MAX), IntType::I32, Language::C), None);
    }
}
