//! Atoms by the types of the parameters: signs, constants of the program, order, parity, null.

use ir::{Language, Pair, Scalar, Subject, Target, Type};

use crate::atom::Atom;
use crate::source_atoms::negation;

/// Atoms of the program cost less, so that templates are chosen only where those do not do.
const COST_OF_TEMPLATE: u32 = 14;
/// Numbers of the program that are compared with parameters.
const MOST_NUMBERS: usize = 10;
/// Variables of the program that a parameter may lead to.
const MOST_STATICS: usize = 4;
/// Parameters that are compared with each other.
const MOST_PARAMETERS: usize = 5;

/// The atoms that fit the parameters of a pair; `has_floats` is whether comparisons may meet NaN.
pub fn templates(pair: Pair<Subject<'_>>, has_floats: bool) -> Vec<Atom> {
    let subject = pair.new;
    let language = subject.program.language;
    let mut texts: Vec<String> = Vec::new();
    let parameters: Vec<(&str, &Type)> = subject
        .procedure()
        .parameters()
        .iter()
        .map(|local| (local.name.as_str(), &local.ty))
        .filter(|(name, _)| *name != "this" && !name.starts_with('$'))
        .collect();
    let numbers = numbers(pair);
    for (name, ty) in &parameters {
        of_one(name, ty, subject, &numbers, &mut texts);
    }
    for (name, ty) in &parameters {
        of_statics(name, ty, subject, &mut texts);
    }
    for (at, (left, left_type)) in parameters.iter().enumerate().take(MOST_PARAMETERS) {
        for (right, right_type) in parameters.iter().skip(at + 1).take(MOST_PARAMETERS) {
            of_two((left, left_type), (right, right_type), language, &mut texts);
        }
    }
    let cost = |text: &String| COST_OF_TEMPLATE + (text.len() / 12) as u32;
    texts
        .iter()
        .map(|text| Atom { text: text.clone(), negation: negation(text, has_floats), cost: cost(text) })
        .collect()
}

/// The numbers that the versions contain, the smallest first.
fn numbers(pair: Pair<Subject<'_>>) -> Vec<i128> {
    let constants = pair.map(|subject| ir::constants(subject.program, subject.procedure).integers);
    let mut numbers: Vec<i128> = constants.old.into_iter().chain(constants.new).collect();
    numbers.sort_unstable_by_key(|number| (number.unsigned_abs(), *number < 0));
    numbers.dedup();
    numbers.retain(|number| number.unsigned_abs() > 1 && number.unsigned_abs() < 1 << 31);
    numbers.truncate(MOST_NUMBERS);
    numbers
}

fn of_one(name: &str, ty: &Type, subject: Subject<'_>, numbers: &[i128], texts: &mut Vec<String>) {
    match ty {
        Type::Bool => texts.push(name.to_owned()),
        Type::Int(ty) => {
            let is_signed = ty.signed;
            texts.push(format!("{name} == 0"));
            if is_signed {
                texts.extend([format!("{name} < 0"), format!("{name} > 0"), format!("{name} == -1")]);
            }
            texts.push(format!("{name} == 1"));
            for number in numbers.iter().filter(|number| is_signed || **number >= 0) {
                if ty.contains(*number) {
                    texts.extend(["==", "<", ">"].map(|operator| format!("{name} {operator} {number}")));
                }
            }
            texts.push(format!("{name} % 2 == 0"));
            for number in numbers.iter().filter(|number| (3..=64).contains(*number)) {
                texts.push(format!("{name} % {number} == 0"));
            }
        }
        Type::Float(_) => {
            texts.extend([
                format!("{name} != {name}"),
                format!("{name} == 0"),
                format!("{name} < 0"),
                format!("{name} > 0"),
            ]);
        }
        Type::Text => texts.extend([format!("{name} == null"), format!("{name}.isEmpty()")]),
        Type::Ref(Target::Shape(shape)) if subject.program.language == Language::Java => {
            texts.push(format!("{name} == null"));
            if subject.program.shape(*shape).name.ends_with("[]") {
                texts.push(format!("{name}.length == 0"));
            }
        }
        Type::Ref(_) => texts.push(format!("{name} == null")),
        Type::Record(_) if subject.program.language == Language::C => texts.push(format!("{name} == 0")),
        Type::Record(_) | Type::Map(..) => {}
    }
}

/// Whether a pointer or reference leads to what a variable of the program is, or refers to.
fn of_statics(name: &str, ty: &Type, subject: Subject<'_>, texts: &mut Vec<String>) {
    let effects = ir::effects(subject.program, subject.procedure);
    let is_word =
        |name: &str| name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'));
    match (ty, subject.program.language) {
        (Type::Record(fields), Language::C) if matches!(fields.first(), Some(Type::Ref(_))) => {
            let objects = effects.statics.iter().map(|id| subject.program.static_object(*id));
            for object in objects.filter(|it| !it.constant && is_word(&it.name)).take(MOST_STATICS) {
                let what = if object.length == Some(1) { "&" } else { "" };
                texts.push(format!("{name} == {what}{}", object.name));
            }
        }
        (Type::Ref(_), Language::Java) => {
            let globals = effects.reads_globals.iter().map(|id| subject.program.global(*id));
            let fits = |global: &&ir::Global| global.ty == *ty && is_word(&global.name);
            for global in globals.filter(fits).take(MOST_STATICS) {
                texts.push(format!("{name} == {}", global.name));
            }
        }
        _ => {}
    }
}

fn of_two(left: (&str, &Type), right: (&str, &Type), language: Language, texts: &mut Vec<String>) {
    let (name, other) = (left.0, right.0);
    match (left.1.scalar(), right.1.scalar()) {
        (Some(Scalar::Int(left)), Some(Scalar::Int(right))) if left.signed == right.signed => {
            texts.extend(["==", "<", ">"].map(|operator| format!("{name} {operator} {other}")));
        }
        (Some(Scalar::Float(_)), Some(Scalar::Float(_))) => {
            texts.extend(["==", "<", ">"].map(|operator| format!("{name} {operator} {other}")));
        }
        (Some(Scalar::Bool), Some(Scalar::Bool)) => texts.push(format!("{name} == {other}")),
        _ => match (left.1, right.1) {
            (Type::Ref(_), Type::Ref(_)) => texts.push(format!("{name} == {other}")),
            (Type::Record(_), Type::Record(_)) if language == Language::C => {
                texts.push(format!("{name} == {other}"))
            }
            // An index and what it leads to.
            (Type::Ref(_), Type::Int(_)) if language == Language::Java => {
                texts.push(format!("{other} < {name}.length"));
            }
            _ => {}
        },
    }
}
