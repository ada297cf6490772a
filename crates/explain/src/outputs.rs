//! What the versions leave behind besides a result: globals, cells of memory and text that they write; as terms, and in
//! the words of the source.

use std::collections::BTreeSet;

use check::Effects;
use infer::Words;
use ir::Pair;
use smt::{Op, Sort, Term, Terms, Value};

/// What a version leaves behind in one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Output {
    Global(String),
    /// A part of memory, with what it is at the start.
    Cells(Term),
    /// What was written to a stream: 0 for output, 1 for errors.
    Text(usize),
}

/// A cell that was written: the keys that lead to it in its part of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Write {
    keys: Vec<Term>,
    value: Term,
}

/// The outputs that may differ, with their terms in both versions; or why these are no rows of a table.
pub(crate) fn outputs(effects: &Effects<'_>) -> Result<(Vec<Output>, Pair<Vec<Term>>), String> {
    let (mut list, mut values) = (Vec::new(), Pair::<Vec<Term>>::default());
    let mut add = |output: Output, old: Term, new: Term| {
        list.push(output);
        values.old.push(old);
        values.new.push(new);
    };
    for (name, value) in effects.changed_globals() {
        let (Some(old), Some(new)) = (value.old.scalar(), value.new.scalar()) else {
            return Err(format!("`{name}` is more than one value"));
        };
        add(Output::Global(name), old, new);
    }
    for (start, value) in effects.changed_cells() {
        let (Some(start), Some(old), Some(new)) = (start.scalar(), value.old.scalar(), value.new.scalar())
        else {
            return Err("they leave different pointers in memory".to_owned());
        };
        add(Output::Cells(start), old, new);
    }
    for (stream, text) in effects.changed_texts() {
        add(Output::Text(stream), text.old, text.new);
    }
    Ok((list, values))
}

impl Output {
    /// Conditions under which two values of it are the same, as far as that can be said: a guess.
    pub(crate) fn equal(&self, terms: &mut Terms, old: Term, new: Term) -> Vec<Term> {
        match self {
            Output::Global(_) => vec![terms.eq(old, new)],
            Output::Cells(start) => {
                let (Some(old_writes), Some(new_writes)) =
                    (writes(terms, old, *start), writes(terms, new, *start))
                else {
                    return vec![terms.eq(old, new)];
                };
                let mut cells: Vec<Vec<Term>> = Vec::new();
                for Write { keys, .. } in old_writes.into_iter().chain(new_writes) {
                    if !cells.contains(&keys) {
                        cells.push(keys);
                    }
                }
                let same = |keys: &Vec<Term>| {
                    let (old, new) = (selected(terms, old, keys), selected(terms, new, keys));
                    terms.eq(old, new)
                };
                cells.iter().map(same).collect()
            }
            Output::Text(_) => same_texts(terms, old, new),
        }
    }

    /// What it is in words, without what the other version does as well. Of new objects only those count that somebody can
    /// see.
    pub(crate) fn said(
        &self,
        words: &Words,
        terms: &mut Terms,
        value: Term,
        other: Term,
        seen: &BTreeSet<u32>,
    ) -> Option<Vec<String>> {
        if value == other {
            return Some(Vec::new());
        }
        match self {
            Output::Global(name) => {
                let text = words.text(terms, value)?;
                Some(if text == *name { Vec::new() } else { vec![format!("{name} = {text}")] })
            }
            Output::Cells(start) => {
                let mut cells: Vec<Vec<Term>> = Vec::new();
                for write in writes(terms, value, *start)?.into_iter().chain(writes(terms, other, *start)?) {
                    if !cells.contains(&write.keys) {
                        cells.push(write.keys);
                    }
                }
                let mut parts = Vec::new();
                for keys in cells {
                    let is_hidden = |number: u32| !seen.contains(&number);
                    if words.new_object(terms, keys[0]).is_some_and(is_hidden) {
                        continue;
                    }
                    let [cell, now, there] = [*start, value, other].map(|map| selected(terms, map, &keys));
                    if now == there || now == cell {
                        continue;
                    }
                    let value = match words.is_reference(terms, cell) {
                        true => words.reference_text(terms, now)?,
                        false => words.text(terms, now)?,
                    };
                    let cell = words.text(terms, cell)?;
                    if cell != value {
                        parts.push(format!("{cell} = {value}"));
                    }
                }
                Some(parts)
            }
            Output::Text(stream) => {
                let parts: Option<Vec<String>> =
                    text_parts(terms, value).iter().map(|part| said_part(words, terms, *part)).collect();
                let parts = parts?;
                let text = if parts.is_empty() { "nothing".to_owned() } else { parts.join(" ") };
                let verb = if *stream == 0 { "prints" } else { "prints as an error" };
                Some(vec![format!("{verb} {text}")])
            }
        }
    }
}

/// The new objects that somebody can see at the end of a version: what is returned, and what cells that can be seen refer
/// to; as far as that is written.
pub(crate) fn seen_objects(
    words: &Words,
    terms: &mut Terms,
    result: Option<Term>,
    left: &[(&Output, Term)],
) -> BTreeSet<u32> {
    let mut seen: BTreeSet<u32> =
        result.and_then(|result| words.new_object(terms, result)).into_iter().collect();
    let mut written = Vec::new();
    for (output, value) in left {
        match output {
            Output::Global(_) => seen.extend(words.new_object(terms, *value)),
            Output::Cells(start) => written.extend(writes(terms, *value, *start).unwrap_or_default()),
            Output::Text(_) => {}
        }
    }
    loop {
        let before = seen.len();
        for Write { keys, value } in &written {
            if words.new_object(terms, keys[0]).is_none_or(|object| seen.contains(&object)) {
                seen.extend(words.new_object(terms, *value));
            }
        }
        if seen.len() == before {
            return seen;
        }
    }
}

fn selected(terms: &mut Terms, map: Term, keys: &[Term]) -> Term {
    keys.iter().fold(map, |map, key| terms.select(map, *key))
}

/// The cells that were written, in their order; `None` if that is not all that happened.
fn writes(terms: &mut Terms, map: Term, start: Term) -> Option<Vec<Write>> {
    if map == start {
        return Some(Vec::new());
    }
    let (Op::Store, &[before, key, value]) = (terms.op(map), terms.args(map)) else { return None };
    let mut found = writes(terms, before, start)?;
    if !matches!(terms.sort_of(value), Sort::Array(..)) {
        found.push(Write { keys: vec![key], value });
        return Some(found);
    }
    // The cells of one object: they were what they were before.
    let (at_start, at_last) = (terms.select(start, key), terms.select(before, key));
    let mut inner = Vec::new();
    let mut object = value;
    while object != at_start && object != at_last {
        let (Op::Store, &[rest, index, value]) = (terms.op(object), terms.args(object)) else { return None };
        inner.push(Write { keys: vec![key, index], value });
        object = rest;
    }
    found.extend(inner.into_iter().rev());
    Some(found)
}

/// The parts of a text.
fn text_parts(terms: &Terms, text: Term) -> Vec<Term> {
    match terms.op(text) {
        Op::TextConcat => terms.args(text).iter().flat_map(|part| text_parts(terms, *part)).collect(),
        Op::Const(Value::Text(Some(units))) if units.is_empty() => Vec::new(),
        _ => vec![text],
    }
}

/// Texts of the same form are the same where their numbers are.
fn same_texts(terms: &mut Terms, old: Term, new: Term) -> Vec<Term> {
    let (old, new) = (text_parts(terms, old), text_parts(terms, new));
    if old.len() != new.len() {
        return vec![terms.bool(false)];
    }
    let pairs = old.into_iter().zip(new).map(|(old, new)| match (terms.op(old), terms.op(new)) {
        (Op::Apply(left), Op::Apply(right)) if left == right && terms.args(old).len() == 1 => {
            let (old, new) = (terms.args(old)[0], terms.args(new)[0]);
            terms.eq(old, new)
        }
        _ => terms.eq(old, new),
    });
    pairs.collect()
}

/// A part of a text as somebody would write it in an expression.
fn said_part(words: &Words, terms: &Terms, part: Term) -> Option<String> {
    let args = terms.args(part);
    match terms.op(part) {
        Op::Const(Value::Text(Some(units))) => Some(format!("{:?}", String::from_utf16(units).ok()?)),
        Op::Apply(name) if name.starts_with("text_of_") => {
            // Numbers are widened for it.
            let number = match (terms.op(args[0]), terms.args(args[0])) {
                (Op::SignExtend(_) | Op::ZeroExtend(_), [number]) => *number,
                _ => args[0],
            };
            words.text(terms, number)
        }
        _ => words.text(terms, part),
    }
}
