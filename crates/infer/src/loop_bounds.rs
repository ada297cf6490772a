//! Conditions under which loops run only a few times, from the tests of the loops as they are written.
//!
//! `i < n` gives `n <= 10`, `x < 100` gives `x >= 90`. Nothing rests on this being right: a condition is an expression that
//! a front end reads again, and what is said of it is proved.

use std::collections::BTreeSet;

use crate::source_atoms::{
    SourceProcedure, comparisons, has_effects, locals_set_once, stripped, substituted,
};
use crate::words::{Word, closing, is_name, split, text_of, words};

/// Longer operands tell a reader nothing.
const LONGEST: usize = 40;
/// Loops whose bounds are put together.
const MOST_TOGETHER: usize = 3;

/// Conditions that may keep the loops of a procedure to so many iterations: each by itself, and then all together.
/// `numbers` are the parameters and globals that are whole numbers.
pub fn loop_bounds(procedure: &SourceProcedure, numbers: &[String], iterations: i64) -> Vec<String> {
    let all = words(&procedure.text);
    let locals = locals_set_once(&all, &procedure.parameters);
    let mut found: Vec<String> = Vec::new();
    for test in loop_tests(&all) {
        for part in split(&test, &["&&", "||"]) {
            let part = substituted(stripped(part), &locals);
            found.extend(bounds(&part, numbers, iterations));
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|bound| seen.insert(bound.clone()));
    let single: Vec<String> = found.iter().filter(|bound| !bound.contains("&&")).cloned().collect();
    if (2..=MOST_TOGETHER).contains(&single.len()) {
        found.push(single.join(" && "));
    }
    found
}

/// What the loops of a text test.
fn loop_tests(all: &[Word]) -> Vec<Vec<Word>> {
    let mut found = Vec::new();
    for (at, word) in all.iter().enumerate() {
        if !matches!(word.text.as_str(), "for" | "while") {
            continue;
        }
        let Some(end) = closing(all, at + 1) else { continue };
        let inside = &all[at + 2..end];
        match (word.text.as_str(), split(inside, &[";"]).as_slice()) {
            ("for", [_, test, _]) => found.push(test.to_vec()),
            ("for", _) => {}
            _ => found.push(inside.to_vec()),
        }
    }
    found
}

/// The bounds of one test.
fn bounds(test: &[Word], numbers: &[String], iterations: i64) -> Vec<String> {
    let is_number = |words: &[Word]| matches!(words, [one] if numbers.contains(&one.text));
    let Some(comparison) = comparisons(test).into_iter().next() else {
        return if is_number(test) { few(&text_of(test), iterations) } else { Vec::new() };
    };
    let Some(at) = comparison.iter().position(|word| is_comparison(&word.text)) else { return Vec::new() };
    let (left, sign, right) = (&comparison[..at], comparison[at].text.as_str(), &comparison[at + 1..]);
    let mut found = Vec::new();
    for (operand, other, grows) in
        [(left, right, matches!(sign, "<" | "<=")), (right, left, sign.starts_with('>'))]
    {
        let is_order = !matches!(sign, "==" | "!=");
        if has_effects(operand) || !(is_number(operand) || is_order && is_place(operand)) {
            continue;
        }
        let text = text_of(operand);
        if text.len() > LONGEST {
            continue;
        }
        match literal(other) {
            // It grows until it reaches the number.
            Some(limit) if grows => found.push(format!("{text} >= {}", limit - iterations)),
            Some(limit) => found.push(format!("{text} <= {}", limit + iterations)),
            None if is_number(operand) => found.extend(few(&text, iterations)),
            None => found.push(format!("{text} <= {iterations}")),
        }
    }
    found
}

/// That a number is small, and, because negative ones may be another matter, that it is small and not negative.
fn few(number: &str, iterations: i64) -> Vec<String> {
    vec![format!("{number} <= {iterations}"), format!("{number} >= 0 && {number} <= {iterations}")]
}

fn is_comparison(text: &str) -> bool {
    matches!(text, "<" | "<=" | ">" | ">=" | "==" | "!=")
}

/// Whether this is a member, an element or a call: no number, and no sum.
fn is_place(words: &[Word]) -> bool {
    words.len() > 1
        && words.first().is_some_and(|first| is_name(&first.text))
        && words.iter().all(|word| {
            is_name(&word.text)
                || word.text.chars().all(|letter| letter.is_ascii_digit())
                || matches!(word.text.as_str(), "." | "->" | "(" | ")" | "[" | "]")
        })
}

/// A small number.
fn literal(words: &[Word]) -> Option<i64> {
    let (sign, digits) = match words {
        [minus, digits] if minus.text == "-" => (-1, digits),
        [digits] => (1, digits),
        _ => return None,
    };
    let number = digits.text.parse::<i64>().ok().filter(|number| *number < 1 << 30)?;
    Some(sign * number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parameters: &[&str], text: &str) -> Vec<String> {
        let parameters: Vec<String> = parameters.iter().map(|&name| name.to_owned()).collect();
        let numbers = parameters.clone();
        let procedure = SourceProcedure { name: "f".to_owned(), parameters, text: text.to_owned() };
        loop_bounds(&procedure, &numbers, 10)
    }

    #[test]
    fn tests_of_loops_give_bounds() {
        let few = ["n <= 10", "n >= 0 && n <= 10"];
        assert_eq!(of(&["n"], "int f(int n) { for (int i = 0; i < n; i++) { } return 0; }"), few);
        let text = "int f(int n, int[] a) { while (n < a.length) { } while (n > 0) n--; return 0; }";
        assert_eq!(of(&["n"], text), [few[0], few[1], "a.length <= 10", "n <= 10 && a.length <= 10"]);
        assert_eq!(of(&["x"], "int f(int x) { while (x < 100) x += 3; return x; }"), ["x >= 90"]);
        assert_eq!(of(&["n"], "int f(int n) { while (n != 0) n /= 10; return n; }"), ["n <= 10"]);
        assert_eq!(of(&["n"], "int f(int n) { while (n) n /= 10; return n; }"), few);
    }

    #[test]
    fn what_is_no_place_has_no_bound() {
        assert!(of(&[], "int f(N p) { while (p.next != null) p = p.next; return 0; }").is_empty());
        assert!(of(&[], "int f() { while (next() + 1 < 4) { } return 0; }").is_empty());
    }
}
