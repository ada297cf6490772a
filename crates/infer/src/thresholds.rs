//! Atoms for bounds that no version names: where an input that grows makes the versions differ, or do the same again.
//!
//! One parameter of a known input is moved, and the place where the answer changes is found by bisection.
//! Under-approximating: bounds between two inputs with the same answer are missed. Nothing rests on what is found.

use check::{CheckConfig, Compared, Comparer, Subject};
use interp::{Input, Limits, Value};
use ir::{IntType, Language, Pair, Type};

/// What a run may take.
const LIMITS: Limits = Limits { steps: 20_000, ..Limits::USUAL };
/// Parameters that are looked at.
const MOST_PARAMETERS: usize = 6;

/// Comparisons of parameters with bounds that runs show, from an input on which the versions are known to differ.
pub fn thresholds(pair: Pair<Subject<'_>>, known: &Input, config: &CheckConfig) -> Vec<String> {
    let comparer = Comparer::of(pair, config);
    let mut texts = Vec::new();
    let procedure = pair.new.procedure();
    for (at, local) in procedure.parameters().iter().enumerate().take(MOST_PARAMETERS) {
        let (Type::Int(ty), Some(Value::Int(start))) = (&local.ty, known.args.get(at)) else { continue };
        let ty = *ty;
        if local.name.starts_with('$') {
            continue;
        }
        let is_same = |number: i128| {
            let mut input = known.clone();
            input.args[at] = Value::Int(number);
            match comparer.compare_within(&input, &LIMITS) {
                Compared::Same => Some(true),
                Compared::Different(_) => Some(false),
                Compared::NotCompared => None,
            }
        };
        for end in [ty.min(), -1, 0, 1, ty.max()].into_iter().filter(|end| ty.contains(*end)) {
            if let Some(last) = bound(*start, end, &is_same)
                && let Some(number) = literal(last, ty, pair.new.program.language)
            {
                let text = format!("{} <= {number}", local.name);
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
    }
    texts
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
    fn numbers_are_written_as_the_language_has_them() {
        assert_eq!(literal(5, IntType::I32, Language::Java).as_deref(), Some("5"));
        assert_eq!(literal(1 << 40, IntType::I64, Language::Java).as_deref(), Some("1099511627776L"));
        assert_eq!(literal(i128::from(i32::MAX), IntType::I32, Language::C), None);
    }
}
