//! Functions of the library that are lowered from C of our own.

use std::collections::BTreeSet;

use crate::tokens::tokens;

/// The units that the front end adds: models of libc, and models for any element type.
pub(super) const MODELS: [(&str, &str); 2] =
    [("<libc>", include_str!("../../models/libc.c")), ("<generic>", include_str!("../../models/generic.c"))];

/// Whether a text names a function that a model may be needed for. Parsing the models takes longer than lowering
/// most programs.
pub(super) fn uses_models(text: &str) -> bool {
    let mut names: BTreeSet<&str> = ["printf", "fprintf", "sprintf", "snprintf", "puts", "fputs"].into();
    // Models for any type are reached by these.
    names.extend(["realloc", "qsort", "memcpy", "memmove", "memset"]);
    for (_, model) in MODELS {
        let (mut depth, mut previous) = (0_usize, "");
        for (_, token) in tokens(model) {
            match token {
                "(" if depth == 0 => {
                    names.insert(previous);
                    depth += 1;
                }
                "(" | "{" => depth += 1,
                ")" | "}" => depth -= 1,
                _ => {}
            }
            previous = token;
        }
    }
    tokens(text).any(|(_, word)| names.contains(word) || word.starts_with("__builtin_"))
}
