//! Names as SMT-LIB symbols: quoted where needed, and never two things under one name.

use std::collections::{BTreeMap, BTreeSet};

/// Gives every named thing a symbol of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
    /// By what is named: its kind and sorts, and the name that was wished for.
    given: BTreeMap<(String, String), String>,
}

impl Names {
    /// The symbol given to a thing before.
    pub(super) fn known(&self, kind: &str, wish: &str) -> String {
        let given = self.given.get(&(kind.to_owned(), wish.to_owned()));
        quoted(given.expect("a symbol should be declared before it is used"))
    }

    /// The symbol for a thing; `kind` tells apart things of the same name. True when it is new.
    ///
    /// The wished-for name is kept if it can be: solvers' own symbols, our own, and names already
    /// in use for something else get a number.
    pub(super) fn symbol(&mut self, kind: &str, wish: &str) -> (String, bool) {
        let key = (kind.to_owned(), wish.to_owned());
        if let Some(given) = self.given.get(&key) {
            return (quoted(given), false);
        }
        let plain = printable(wish);
        // No reserved symbol has a tilde, so that a numbered name is never one.
        let mut name = if is_reserved(&plain) { format!("{plain}~") } else { plain.clone() };
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{plain}~{number}");
            number += 1;
        }
        let symbol = quoted(&name);
        self.given.insert(key, name);
        (symbol, true)
    }
}

/// The name without what a quoted symbol cannot hold: bars, backslashes, and anything that is not
/// printable ASCII. Distinct names may meet here; `symbol` tells them apart again.
fn printable(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '|' | '\\' => text.push('_'),
            ' '..='~' => text.push(character),
            other => text.push_str(&format!("_u{:x}_", u32::from(other))),
        }
    }
    text
}

fn quoted(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_well = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    if starts_well && name.chars().all(simple) && !is_keyword(name) {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}

/// Words that are no symbols unless quoted.
fn is_keyword(name: &str) -> bool {
    let words = [
        "!",
        "_",
        "as",
        "exists",
        "forall",
        "lambda",
        "let",
        "match",
        "par",
        "BINARY",
        "DECIMAL",
        "HEXADECIMAL",
        "NUMERAL",
        "STRING",
    ];
    words.contains(&name)
}

/// Symbols with a meaning to solvers or to our own prelude. Quoting does not help against those:
/// `|and|` is `and`.
fn is_reserved(name: &str) -> bool {
    let ours = ["f32.", "f64.", "text.", "text!", "t!", "assume!"];
    let families =
        ["bv", "fp.", "str.", "re.", "seq.", "int2", "int_", "nat2", "set.", "round", "ext_rotate"];
    let words = [
        "",
        "and",
        "or",
        "not",
        "xor",
        "ite",
        "distinct",
        "true",
        "false",
        "select",
        "store",
        "const",
        "concat",
        "extract",
        "zero_extend",
        "sign_extend",
        "rotate_left",
        "rotate_right",
        "repeat",
        "fp",
        "div",
        "mod",
        "rem",
        "abs",
        "to_real",
        "to_int",
        "is_int",
        "to_fp",
        "to_fp_unsigned",
        "RNE",
        "RNA",
        "RTP",
        "RTN",
        "RTZ",
        "NaN",
        "root-obj",
        "map",
        "default",
        "union",
        "implies",
        "iff",
        "if",
        "is",
        "char",
        "single",
        "subset",
        "complement",
        "intersection",
        "setminus",
        "array-ext",
        "as-array",
        "divisible",
        "power",
        "pi",
        "e",
        "mod0",
        "div0",
        "rem0",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "sqrt",
        "exp",
        "update",
    ];
    let has_letters = name.chars().any(|c| c.is_ascii_alphabetic() || c == '_' || c == '$');
    !has_letters
        || words.contains(&name)
        || is_keyword(name)
        || name.starts_with(['@', '.'])
        || ours.iter().chain(&families).any(|family| name.starts_with(family))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_stay_as_they_are() {
        let mut names = Names::default();
        assert_eq!(names.symbol("Int", "count"), ("count".to_owned(), true));
        assert_eq!(names.symbol("Int", "count"), ("count".to_owned(), false));
        assert_eq!(names.symbol("Int", "A.b(int)").0, "|A.b(int)|");
    }

    #[test]
    fn one_name_for_two_things_gets_a_number() {
        let mut names = Names::default();
        names.symbol("Int", "x");
        assert_eq!(names.symbol("Real", "x").0, "x~2");
    }

    #[test]
    fn names_cannot_break_out_of_their_symbol() {
        let mut names = Names::default();
        let (symbol, _) = names.symbol("Int", "x| Int) (exit) |\\\n");
        assert_eq!(symbol, "|x_ Int) (exit) ___ua_|");
    }

    #[test]
    fn names_with_a_meaning_of_their_own_are_changed() {
        let mut names = Names::default();
        for word in ["and", "bvadd", "fp.add", "f64.add", "text!0", "+", "", "select", "="] {
            let (symbol, _) = names.symbol("Int", word);
            assert!(symbol.trim_matches('|') != word, "{word} should not stay {symbol}");
        }
    }
}
