//! Where two texts surely differ, for texts that are put together from constants and decimal numbers.
//!
//! Under-approximating: decimals of different numbers differ, and where they end is clear if no digit follows.

use std::collections::VecDeque;

use num_bigint::BigInt;
use smt::{Op, Sort, Term, Terms, Value};

/// Choices inside of texts that are followed.
const DEPTH: u32 = 4;

/// A part of a text that is not null.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Constant(Vec<u16>),
    /// The decimal of a number, with the name of the function that makes it.
    Number(String, Term),
    Other(Term),
}

/// A condition under which two texts surely differ.
pub(super) fn texts_differ(terms: &mut Terms, old: Term, new: Term) -> Term {
    differ(terms, old, new, DEPTH)
}

fn differ(terms: &mut Terms, old: Term, new: Term, depth: u32) -> Term {
    for (text, is_old) in [(old, true), (new, false)] {
        if let (Op::Ite, &[condition, then, otherwise]) = (terms.op(text), terms.args(text))
            && depth > 0
        {
            let [then, otherwise] = [then, otherwise].map(|text| match is_old {
                true => differ(terms, text, new, depth - 1),
                false => differ(terms, old, text, depth - 1),
            });
            return terms.ite(condition, then, otherwise);
        }
    }
    let same = terms.eq(old, new);
    let unequal = terms.not(same);
    let (Some(old), Some(new)) = (parts(terms, old), parts(terms, new)) else { return unequal };
    let found = parts_differ(terms, old, new);
    terms.or(&[unequal, found])
}

/// The parts of a text; `None` if it may be null.
fn parts(terms: &Terms, text: Term) -> Option<VecDeque<Part>> {
    let mut found = VecDeque::new();
    let op = terms.op(text);
    if let Op::TextConcat = op {
        for part in terms.args(text) {
            found.extend(parts(terms, *part).unwrap_or_else(|| VecDeque::from([Part::Other(*part)])));
        }
    } else if let Op::Const(Value::Text(Some(units))) = op {
        if !units.is_empty() {
            found.push_back(Part::Constant(units.to_vec()));
        }
    } else if let Op::Apply(name) = op
        && matches!(&**name, "text_of_int" | "text_of_u64")
    {
        found.push_back(Part::Number(name.to_string(), terms.args(text)[0]));
    } else {
        return None;
    }
    Some(found)
}

fn parts_differ(terms: &mut Terms, mut old: VecDeque<Part>, mut new: VecDeque<Part>) -> Term {
    let mut ways = Vec::new();
    while !old.is_empty() && !new.is_empty() {
        let (Some(left), Some(right)) = (old.pop_front(), new.pop_front()) else { break };
        match (left, right) {
            (left, right) if left == right => {}
            (Part::Constant(left), Part::Constant(right)) => {
                let common = left.iter().zip(&right).take_while(|(left, right)| left == right).count();
                let (left, right) = (left[common..].to_vec(), right[common..].to_vec());
                match (left.is_empty(), right.is_empty()) {
                    (false, false) => return terms.bool(true),
                    (false, true) => old.push_front(Part::Constant(left)),
                    (true, false) => new.push_front(Part::Constant(right)),
                    (true, true) => {}
                }
            }
            (Part::Number(left_name, left), Part::Number(right_name, right))
                if left_name == right_name && ends_number(&old) && ends_number(&new) =>
            {
                let same = terms.eq(left, right);
                ways.push(terms.not(same));
            }
            (Part::Number(name, number), Part::Constant(text)) if ends_number(&old) => {
                match beside(terms, &name, number, text, &mut new) {
                    Some(way) => ways.push(way),
                    None => return terms.or(&ways),
                }
            }
            (Part::Constant(text), Part::Number(name, number)) if ends_number(&new) => {
                match beside(terms, &name, number, text, &mut old) {
                    Some(way) => ways.push(way),
                    None => return terms.or(&ways),
                }
            }
            _ => return terms.or(&ways),
        }
    }
    // Something that is not empty is left of one.
    let is_more = |rest: &VecDeque<Part>| rest.iter().any(|part| !matches!(part, Part::Other(_)));
    if old.is_empty() && is_more(&new) || new.is_empty() && is_more(&old) {
        return terms.bool(true);
    }
    terms.or(&ways)
}

/// Whether what follows does not go on with the digits of a number.
fn ends_number(rest: &VecDeque<Part>) -> bool {
    match rest.front() {
        None => true,
        Some(Part::Constant(units)) => units.first().is_some_and(|unit| !is_digit(*unit)),
        Some(Part::Number(..) | Part::Other(_)) => false,
    }
}

/// Where a number is not the one that a constant starts with; the rest of the constant is left to be compared.
fn beside(
    terms: &mut Terms,
    name: &str,
    number: Term,
    text: Vec<u16>,
    after: &mut VecDeque<Part>,
) -> Option<Term> {
    let sign = usize::from(text.first() == Some(&u16::from(b'-')));
    let length = sign + text[sign..].iter().take_while(|unit| is_digit(**unit)).count();
    // A number may follow that goes on with the digits.
    if length == text.len() && !ends_number(after) {
        return None;
    }
    let digits = String::from_utf16(&text[..length]).ok()?;
    let value = digits.parse::<BigInt>().ok().filter(|value| value.to_string() == digits);
    if length < text.len() {
        after.push_front(Part::Constant(text[length..].to_vec()));
    }
    let Some(value) = value else { return Some(terms.bool(true)) };
    let constant = match (terms.sort_of(number), i128::try_from(&value)) {
        (Sort::Int, _) => terms.int(value),
        (Sort::BitVec(64), Ok(small)) if name == "text_of_int" => match i64::try_from(small) {
            Ok(_) => terms.bv_signed(small, 64),
            Err(_) => return Some(terms.bool(true)),
        },
        _ => return None,
    };
    let same = terms.eq(number, constant);
    Some(terms.not(same))
}

fn is_digit(unit: u16) -> bool {
    (u16::from(b'0')..=u16::from(b'9')).contains(&unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(terms: &mut Terms, name: &str) -> (Term, Term) {
        let value = terms.var(name, &Sort::BitVec(64));
        (value, terms.apply("text_of_int", &[value], &Sort::Text))
    }

    #[test]
    fn decimals_of_different_numbers_differ() {
        let mut terms = Terms::new();
        let ((x, x_text), (y, y_text)) = (number(&mut terms, "x"), number(&mut terms, "y"));
        let (start, end) = (terms.text_of("k="), terms.text_of("\n"));
        let old = terms.text_concat(&[start, x_text, end]);
        let new = terms.text_concat(&[start, y_text, end]);
        let same = terms.eq(x, y);
        let differ_in_number = terms.not(same);
        let found = texts_differ(&mut terms, old, new);
        let others = terms.args(found).to_vec();
        assert!(found == differ_in_number || others.contains(&differ_in_number), "{}", terms.print(found));
    }

    #[test]
    fn a_number_differs_from_constants_that_are_not_its_decimal() {
        let mut terms = Terms::new();
        let (_, text) = number(&mut terms, "x");
        for (constant, surely) in
            [("07", true), ("a", true), ("-0", true), ("99999999999999999999", true), ("7", false)]
        {
            let constant = terms.text_of(constant);
            let found = texts_differ(&mut terms, text, constant);
            assert_eq!(terms.as_bool(found) == Some(true), surely);
        }
        let (long, short) = (terms.text_of("ab"), terms.text_of("a"));
        let found = texts_differ(&mut terms, long, short);
        assert_eq!(terms.as_bool(found), Some(true));
    }

    #[test]
    fn digits_that_follow_a_number_prove_nothing() {
        let mut terms = Terms::new();
        let ((_, x), (_, y)) = (number(&mut terms, "x"), number(&mut terms, "y"));
        let (old, new) = (terms.text_concat(&[x, y]), terms.text_concat(&[y, x]));
        let same = terms.eq(old, new);
        let unequal = terms.not(same);
        assert_eq!(texts_differ(&mut terms, old, new), unequal);
    }
}
