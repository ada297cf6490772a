//! The table of conditions: what both versions do where they differ, in the words of the source.
//!
//! Both versions are summarised as terms over their inputs; the terms are trees of conditions, whose leaves are effects.
//! Each pair of leaves that can be reached together and is not the same is a row. What a row says is a candidate:
//! whoever shows it proves its condition as it is written.

use std::collections::BTreeSet;

use check::{CheckConfig, Effects, Subject};
use infer::{CellNames, Words, negation};
use ir::{Const, Expr, Language, Pair, Side, StmtKind};
use report::Versions;
use smt::{Op, Term, Terms};

use crate::cubes::{Cube, both, cases, cubes};
use crate::outputs::{Output, outputs, seen_objects};

/// Pairs of leaves that are looked at, and rows that a reader can take in.
const MOST_PAIRS: usize = 300;
const MOST_ROWS: usize = 8;
/// Longer conditions and effects tell a reader nothing.
const LONGEST: usize = 120;

/// A row: where it applies, and what both versions do there.
pub struct Row {
    /// `None` if it cannot be said in a line.
    pub condition: Option<String>,
    pub effects: Versions<String>,
}

/// What a version does on one of its ways.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Effect {
    /// The error, if it ends in one.
    error: Option<String>,
    result: Option<Term>,
    /// What it leaves behind, as in the list of outputs.
    left: Vec<Term>,
}

/// The rows for a pair, or why there are none; `cells` are the names of the members of C structs.
pub fn effect_rows(
    pair: Pair<Subject<'_>>,
    cells: &CellNames,
    config: &CheckConfig,
) -> Result<Vec<Row>, String> {
    let too_large = || "the versions are too large for one, or time is up".to_owned();
    let mut effects = Effects::of(pair, config).ok_or_else(too_large)?;
    if !effects.are_finished() {
        let unfinished = || "not all runs could be followed to their end".to_owned();
        return Err(loops(pair).unwrap_or_else(unfinished));
    }
    let (list, values) = outputs(&effects)?;
    let old = ways(&mut effects, Side::Old, &values.old)?;
    let new = ways(&mut effects, Side::New, &values.new)?;
    if old.len() * new.len() > MOST_PAIRS {
        return Err(too_large());
    }
    let mut found: Vec<(Cube, Pair<Effect>)> = Vec::new();
    for (old_cube, old_effect) in &old {
        for (new_cube, new_effect) in &new {
            if old_effect == new_effect {
                continue;
            }
            let Some(cube) = old_cube.and(new_cube) else { continue };
            let more = cube.terms(&mut effects.terms);
            // What the solver does not know is left to the proof of the condition.
            if effects.cannot_differ(&more) {
                continue;
            }
            let both = Pair::new(old_effect.clone(), new_effect.clone());
            let cube = where_unequal(&mut effects, cube, &both, &list);
            found.push((cube, both));
        }
    }
    if found.is_empty() {
        return Err("they differ in new objects, or in what unknown code sees".to_owned());
    }
    let words = Words::of(effects.inputs(), pair.new, cells);
    let language = pair.new.program.language;
    let made = [Side::Old, Side::New].map(|side| match language {
        Language::Java => words.with_new_objects(effects.new_objects(side)),
        Language::C => words.clone(),
    });
    let [old, new] = made;
    let made = Pair::new(old, new);
    let returns_references = language == Language::Java && effects.returns_references();
    let writer =
        Writer { words, made, returns_references, outputs: list, language, constants: constants(pair) };
    writer.rows(&mut effects, found)
}

/// Says so if there is a loop, or a call of itself, on the way of either version.
fn loops(pair: Pair<Subject<'_>>) -> Option<String> {
    for subject in [pair.old, pair.new] {
        for id in ir::reachable(subject.program, subject.procedure) {
            let procedure = subject.program.procedure(id);
            let mut found = false;
            ir::for_each_stmt(procedure.body.as_deref().unwrap_or_default(), &mut |stmt| {
                found |= matches!(stmt.kind, StmtKind::Loop { .. });
            });
            if found {
                return Some(format!("`{}` has loops", procedure.short_name));
            }
        }
        if ir::is_recursive(subject.program, subject.procedure) {
            return Some(format!("`{}` calls itself", subject.procedure().short_name));
        }
    }
    None
}

/// The ways of a version with their effects.
fn ways(effects: &mut Effects<'_>, side: Side, left: &[Term]) -> Result<Vec<(Cube, Effect)>, String> {
    let too_many = || "there are too many ways through the code".to_owned();
    let result = match effects.result(side) {
        None => None,
        Some(value) => Some(value.scalar().ok_or("the results are more than one value")?),
    };
    let mut found = Vec::new();
    for (error, condition) in effects.endings(side) {
        let result = result.filter(|_| error.is_none());
        let start = Effect { error, result: None, left: Vec::new() };
        let mut partial: Vec<(Cube, Effect)> = cubes(&effects.terms, condition, true)
            .ok_or_else(too_many)?
            .into_iter()
            .map(|cube| (cube, start.clone()))
            .collect();
        for output in result.into_iter().chain(left.iter().copied()) {
            let values = cases(&mut effects.terms, output).ok_or_else(too_many)?;
            let is_result = result.is_some() && Some(output) == result && partial_has_no_result(&partial);
            let mut next = Vec::new();
            for (cube, effect) in &partial {
                for (case, value) in &values {
                    let Some(cube) = both(std::slice::from_ref(cube), std::slice::from_ref(case)).pop()
                    else {
                        continue;
                    };
                    let mut effect = effect.clone();
                    match is_result {
                        true => effect.result = Some(*value),
                        false => effect.left.push(*value),
                    }
                    next.push((cube, effect));
                }
            }
            partial = next;
            if partial.len() > MOST_PAIRS {
                return Err(too_many());
            }
        }
        found.extend(partial);
    }
    Ok(found)
}

/// The result comes first, also where a global has the same value.
fn partial_has_no_result(partial: &[(Cube, Effect)]) -> bool {
    partial.iter().all(|(_, effect)| effect.result.is_none())
}

/// The cube without the inputs on which two effects happen to be the same.
fn where_unequal(effects: &mut Effects<'_>, cube: Cube, both: &Pair<Effect>, list: &[Output]) -> Cube {
    let Pair { old, new } = both;
    if old.error != new.error {
        return cube;
    }
    let results = old.result.iter().zip(&new.result);
    let mut equal: Vec<Term> = results.map(|(old, new)| effects.terms.eq(*old, *new)).collect();
    for (output, (old, new)) in list.iter().zip(old.left.iter().zip(&new.left)) {
        equal.extend(output.equal(&mut effects.terms, *old, *new));
    }
    let equal = effects.terms.and(&equal);
    let mut conditions = cube.terms(&mut effects.terms);
    conditions.push(equal);
    if effects.is_impossible(&conditions) {
        return cube;
    }
    cube.and(&Cube(vec![(equal, false)])).unwrap_or(cube)
}

struct Writer {
    words: Words,
    /// The same with the objects that each version makes.
    made: Pair<Words>,
    returns_references: bool,
    outputs: Vec<Output>,
    language: Language,
    constants: BTreeSet<i128>,
}

impl Writer {
    fn rows(&self, effects: &mut Effects<'_>, found: Vec<(Cube, Pair<Effect>)>) -> Result<Vec<Row>, String> {
        let mut groups: Vec<(Versions<String>, Vec<Cube>)> = Vec::new();
        for (cube, both) in found {
            let said =
                self.effects(&mut effects.terms, &both).ok_or("what they do cannot be said in a line")?;
            if said.old == said.new {
                return Err("they differ in what a line does not say".to_owned());
            }
            match groups.iter_mut().find(|(other, _)| *other == said) {
                Some((_, cubes)) => cubes.push(cube),
                None => groups.push((said, vec![cube])),
            }
        }
        if groups.len() > MOST_ROWS {
            return Err(format!("it would have {} rows", groups.len()));
        }
        let mut rows = Vec::new();
        for (said, cubes) in groups {
            let cubes = merged(cubes.iter().map(|cube| self.minimal(effects, cube)).collect());
            let mut parts = Vec::new();
            for cube in &cubes {
                let cube = self.minimal(effects, cube);
                let cube = points(effects, cube);
                parts.push(self.condition(effects, &cube));
            }
            parts.dedup();
            let parts: Option<Vec<String>> = parts.into_iter().collect();
            let condition = parts.map(|parts| match parts.as_slice() {
                [one] => one.clone(),
                many => many.iter().map(|it| grouped(it)).collect::<Vec<_>>().join(" || "),
            });
            let condition = condition.filter(|condition| condition.len() <= LONGEST);
            rows.push(Row { condition, effects: said });
        }
        Ok(rows)
    }

    /// What both versions do, without what is the same.
    fn effects(&self, terms: &mut Terms, both: &Pair<Effect>) -> Option<Versions<String>> {
        let Pair { old, new } = both;
        let mut say = |words: &Words, effect: &Effect, other: &Effect| -> Option<String> {
            let left: Vec<(&Output, Term)> = self.outputs.iter().zip(effect.left.iter().copied()).collect();
            let seen = seen_objects(words, terms, effect.result, &left);
            let mut parts = Vec::new();
            if let Some(error) = &effect.error {
                let verb = if self.language == Language::Java { "throws" } else { "fails with" };
                parts.push(format!("{verb} {error}"));
            }
            if let Some(result) = effect.result
                && effect.result != other.result
            {
                parts.push(match self.returns_references {
                    true => words.reference_text(terms, result)?,
                    false => words.text(terms, result)?,
                });
            }
            for (at, (output, value)) in left.into_iter().enumerate() {
                parts.extend(output.said(words, terms, value, *other.left.get(at)?, &seen)?);
            }
            let text = if parts.is_empty() { "returns".to_owned() } else { parts.join(", ") };
            (text.len() <= LONGEST).then_some(text)
        };
        Some(Versions { old: say(&self.made.old, old, new)?, new: say(&self.made.new, new, old)? })
    }

    /// `n > 1000` for `n >= 1001`, if 1000 is a number of the program and 1001 is not; characters as such.
    fn as_in_source(&self, text: String) -> String {
        let mut words = text.rsplitn(3, ' ');
        let (Some(number), Some(sign), Some(left)) = (words.next(), words.next(), words.next()) else {
            return text;
        };
        let Ok(number) = number.parse::<i128>() else { return text };
        // A character is compared with characters.
        let is_character =
            left.ends_with(')') && left.contains(".charAt(") && self.language == Language::Java;
        let letter = u8::try_from(number).ok().filter(|it| is_character && (b' '..=b'~').contains(it));
        if let Some(letter) = letter.filter(|it| !matches!(it, b'\'' | b'\\')) {
            return format!("{left} {sign} '{}'", char::from(letter));
        }
        let (sign, other) = match sign {
            ">=" => (">", number - 1),
            "<=" => ("<", number + 1),
            ">" => (">=", number + 1),
            "<" => ("<=", number - 1),
            _ => return text,
        };
        match !self.constants.contains(&number) && self.constants.contains(&other) {
            true => format!("{left} {sign} {other}"),
            false => text,
        }
    }

    /// A conjunction without the literals that follow from the others.
    fn minimal(&self, effects: &mut Effects<'_>, cube: &Cube) -> Cube {
        let mut literals = cube.0.clone();
        // What is hard to say goes first if it can.
        let length = |(atom, _): &(Term, bool)| {
            self.words.text(&effects.terms, *atom).map_or(usize::MAX, |it| it.len())
        };
        literals.sort_by_key(|literal| std::cmp::Reverse(length(literal)));
        let mut at = 0;
        while at < literals.len() {
            let mut rest = literals.clone();
            let (atom, holds) = rest.remove(at);
            let mut conditions = Cube(rest.clone()).terms(&mut effects.terms);
            conditions.push(if holds { effects.terms.not(atom) } else { atom });
            match effects.is_impossible(&conditions) {
                true => literals = rest,
                false => at += 1,
            }
        }
        literals.sort_unstable();
        Cube(literals)
    }

    /// A conjunction in words.
    fn condition(&self, effects: &Effects<'_>, cube: &Cube) -> Option<String> {
        let parts: Option<Vec<String>> = cube
            .0
            .iter()
            .map(|(atom, holds)| {
                let text = self.words.text(&effects.terms, *atom)?;
                let has_floats = matches!(effects.terms.op(*atom), Op::FloatCmp(_) | Op::FloatIsNan);
                let text = if *holds { text } else { negation(&text, has_floats) };
                Some(self.as_in_source(text))
            })
            .collect();
        let parts = parts?;
        Some(match parts.as_slice() {
            [] if self.language == Language::Java => "true".to_owned(),
            [] => "1".to_owned(),
            [one] => one.clone(),
            many => many.iter().map(|it| grouped(it)).collect::<Vec<_>>().join(" && "),
        })
    }
}

/// Numbers that stand in the versions.
fn constants(pair: Pair<Subject<'_>>) -> BTreeSet<i128> {
    let mut found = BTreeSet::new();
    for subject in [pair.old, pair.new] {
        for id in ir::reachable(subject.program, subject.procedure) {
            let body = subject.program.procedure(id).body.as_deref().unwrap_or_default();
            ir::for_each_expr(body, &mut |expr| {
                if let Expr::Const(Const::Int(_, number)) = expr {
                    found.insert(*number);
                }
            });
        }
    }
    found
}

/// `x == 0` for `x >= 0 && x < 1`.
fn points(effects: &mut Effects<'_>, cube: Cube) -> Cube {
    let bound = |terms: &Terms, atom: Term| match (terms.op(atom), terms.args(atom)) {
        (Op::BvCmp(_) | Op::Lt | Op::Le, [left, right]) => {
            match (terms.as_const(*left), terms.as_const(*right)) {
                (None, Some(_)) => Some((*left, *right)),
                (Some(_), None) => Some((*right, *left)),
                _ => None,
            }
        }
        _ => None,
    };
    for (at, first) in cube.0.iter().enumerate() {
        for second in &cube.0[at + 1..] {
            let (Some(one), Some(other)) = (bound(&effects.terms, first.0), bound(&effects.terms, second.0))
            else {
                continue;
            };
            for number in [one.1, other.1] {
                if one.0 != other.0 || effects.terms.sort_of(one.0) != effects.terms.sort_of(number) {
                    continue;
                }
                let equal = effects.terms.eq(one.0, number);
                let both = Cube(vec![*first, *second]).terms(&mut effects.terms);
                let unequal = effects.terms.not(equal);
                let follows = effects.is_impossible(&[both[0], both[1], unequal]);
                let neither: Vec<Term> = both.iter().map(|literal| effects.terms.not(*literal)).collect();
                if follows && neither.iter().all(|literal| effects.is_impossible(&[equal, *literal])) {
                    let rest = cube.0.iter().filter(|it| *it != first && *it != second).copied();
                    return points(effects, Cube(rest.chain([(equal, true)]).collect()));
                }
            }
        }
    }
    cube
}

/// Cubes in which pairs that differ in one literal are one.
fn merged(mut cubes: Vec<Cube>) -> Vec<Cube> {
    loop {
        let found = (0..cubes.len()).find_map(|left| {
            (left + 1..cubes.len()).find_map(|right| Some((left, right, cubes[left].merged(&cubes[right])?)))
        });
        let Some((left, right, one)) = found else { return cubes };
        cubes.remove(right);
        cubes[left] = one;
    }
}

/// In parentheses where an operator that binds less is in it.
fn grouped(text: &str) -> String {
    if text.contains("&&") || text.contains("||") || text.contains('?') {
        format!("({text})")
    } else {
        text.to_owned()
    }
}
