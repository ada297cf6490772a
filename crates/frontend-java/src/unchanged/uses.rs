//! What code uses, by its words: names, and what the language calls without a name. Over-approximating.

use super::declared::{Key, simple};
use crate::syntax::{DeclarationKind, is_name};

/// A name as code uses it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Use<'a> {
    Method(&'a str),
    Other(&'a str),
}

/// Methods that code which is not given calls on the objects that it gets.
pub(super) const OF_ALL_OBJECTS: [&str; 7] =
    ["toString", "equals", "hashCode", "compareTo", "compare", "getMessage", "getLocalizedMessage"];

/// Methods that make the text of an object, which may be an exception.
const OF_TEXTS: [&str; 3] = ["toString", "getMessage", "getLocalizedMessage"];

/// Methods that every enum has: they depend on its constants.
pub(super) const OF_ENUMS: [&str; 5] = ["values", "valueOf", "ordinal", "name", "compareTo"];

/// What every exception calls when it is made, if a class of the program has it.
const WHEN_MADE: &str = "fillInStackTrace";

/// Visits what a declaration uses, by its words. In the head of a method nothing is called; its own name is not a use.
/// A constructor uses its class, and so those above it.
pub(super) fn uses<'a>(key: Key<'_>, words: &[&'a str], visit: &mut dyn FnMut(Use<'a>)) {
    let is_method = key.kind == DeclarationKind::Method;
    if key.kind == DeclarationKind::Header {
        visit(Use::Method(WHEN_MADE));
        // A pattern of a record calls what gives its components.
        if words.contains(&"record") {
            words.iter().filter(|word| is_name(word)).for_each(|word| visit(Use::Method(word)));
        }
    }
    let start = words.iter().position(|word| *word == "(").filter(|_| is_method).unwrap_or(0);
    for word in words[..start].iter().filter(|word| is_name(word)) {
        if key.name == simple(key.class) {
            visit(Use::Method(word));
        }
        if *word != key.name {
            visit(Use::Other(word));
        }
    }
    for (index, word) in words.iter().enumerate().skip(start) {
        let before = index.checked_sub(1).map(|index| words[index]);
        let after = words.get(index + 1).copied();
        match *word {
            "+" | "+=" | "assert" => OF_TEXTS.into_iter().for_each(|name| visit(Use::Method(name))),
            "for" => {
                for name in ["iterator", "hasNext", "next"] {
                    visit(Use::Method(name));
                }
            }
            "try" if after == Some("(") => visit(Use::Method("close")),
            // What is called may ask objects for these: texts are printed, collections compare.
            "(" if index > start && before.is_some_and(|word| is_name(word) || word == ">") => {
                for name in OF_ALL_OBJECTS {
                    visit(Use::Method(name));
                }
            }
            "::" => {
                for name in OF_ALL_OBJECTS {
                    visit(Use::Method(name));
                }
            }
            word if is_name(word) => {
                let is_called = after == Some("(") || before == Some("::") || after == Some("<");
                if is_called || before == Some("new") || before == Some(">") {
                    visit(Use::Method(word));
                }
                if after != Some("(") {
                    visit(Use::Other(word));
                }
            }
            _ => {}
        }
    }
}
