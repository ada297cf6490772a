//! The clauses that fit a table: constants and ranges, order and equality, linear functions, nullness, order of elements.
//!
//! Under-approximating what might be said; each clause holds in all rows.

use std::collections::BTreeSet;

use ir::{IntType, Language};

use super::linear::fit;
use super::observe::{Column, Kind, Seen, Table};

/// Bounds that are further away from zero tell little, unless the program has them.
const LARGEST_BOUND: i128 = 10_000;
/// Values of which one is always taken.
const MOST_VALUES: usize = 3;
/// Columns that a linear function is made of, and columns among which they are looked for.
const MOST_SOURCES: usize = 3;
const MOST_COLUMNS: usize = 7;

// The less, the more a clause tells.
const FUNCTION: u32 = 10;
const CONSTANT: u32 = 14;
const IN_ORDER: u32 = 16;
const ONE_OF_VARIABLES: u32 = 20;
const ONE_OF_VALUES: u32 = 24;
const STRICT_ORDER: u32 = 30;
const ORDER: u32 = 32;
const NOT_NULL: u32 = 34;
const BOUND: u32 = 40;
const DIVISIBLE: u32 = 46;

/// The clauses that hold in all rows, with their weights.
pub(super) fn clauses(table: &Table, constants: &[i128]) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for (at, column) in table.columns.iter().enumerate().filter(|(_, column)| column.is_target) {
        let finder = Finder { table, at, column, constants };
        match column.kind {
            Kind::Int(ty) => finder.number(ty, &mut found),
            Kind::Bool => finder.truth(&mut found),
            Kind::Reference => finder.reference(&mut found),
            Kind::Sorted => finder.sorted(&mut found),
        }
    }
    found
}

/// Looks for clauses about one column.
struct Finder<'t> {
    table: &'t Table,
    at: usize,
    column: &'t Column,
    constants: &'t [i128],
}

impl Finder<'_> {
    fn number(&self, ty: IntType, found: &mut Vec<(u32, String)>) {
        let name = &self.column.text;
        let values: BTreeSet<i128> = self.ints(self.at).into_iter().collect();
        let (Some(least), Some(most)) = (values.first().copied(), values.last().copied()) else { return };
        if least == most {
            found.push((CONSTANT, format!("{name} == {}", literal(least, ty, self.table.language))));
            return;
        }
        if let Some((weight, clause)) = self.linear(ty) {
            found.push((weight, clause));
            return;
        }
        if values.len() <= MOST_VALUES {
            let each: Vec<String> = values.iter().map(|it| format!("{name} == {it}")).collect();
            found.push((ONE_OF_VALUES, each.join(" || ")));
        }
        for (at, other) in self.others(|kind| matches!(kind, Kind::Int(it) if comparable(it, ty))) {
            // Of two targets one is enough.
            if !other.is_target || at < self.at {
                found.extend(self.order(at, other));
            }
        }
        found.extend(self.one_of_variables(ty));
        let is_telling = |it: i128| it.abs() <= LARGEST_BOUND || self.constants.contains(&it);
        if least > ty.min() && is_telling(least) {
            found.push((BOUND, format!("{name} >= {least}")));
        }
        if most < ty.max() && is_telling(most) {
            found.push((BOUND, format!("{name} <= {most}")));
        }
        let divisor = (2..=10).rev().find(|by| values.iter().all(|it| it % by == 0));
        if let Some(by) = divisor.filter(|_| values.len() > MOST_VALUES) {
            found.push((DIVISIBLE, format!("{name} % {by} == 0")));
        }
    }

    /// The strongest order between this column and another one.
    fn order(&self, at: usize, other: &Column) -> Option<(u32, String)> {
        let pairs: Vec<(i128, i128)> = self.ints(self.at).into_iter().zip(self.ints(at)).collect();
        let text = |operator: &str| format!("{} {operator} {}", self.column.text, other.text);
        let all = |holds: fn(&(i128, i128)) -> bool| pairs.iter().all(holds);
        match () {
            () if all(|(one, two)| one == two) => Some((FUNCTION, text("=="))),
            () if all(|(one, two)| one < two) => Some((STRICT_ORDER, text("<"))),
            () if all(|(one, two)| one > two) => Some((STRICT_ORDER, text(">"))),
            () if all(|(one, two)| one <= two) => Some((ORDER, text("<="))),
            () if all(|(one, two)| one >= two) => Some((ORDER, text(">="))),
            () => None,
        }
    }

    /// This column as a linear function of others, with as few as possible.
    fn linear(&self, ty: IntType) -> Option<(u32, String)> {
        let usable = |kind: Kind| matches!(kind, Kind::Int(it) if comparable(it, ty));
        let others: Vec<(usize, &Column)> = self
            .others(usable)
            .filter(|(at, other)| !other.is_target || *at < self.at)
            .filter(|(at, _)| self.ints(*at).windows(2).any(|pair| pair[0] != pair[1]))
            .take(MOST_COLUMNS)
            .collect();
        let targets = self.ints(self.at);
        for count in 1..=MOST_SOURCES.min(others.len()) {
            for chosen in combinations(others.len(), count) {
                let columns: Vec<Vec<i128>> = chosen.iter().map(|at| self.ints(others[*at].0)).collect();
                let rows: Vec<(Vec<i128>, i128)> = targets
                    .iter()
                    .enumerate()
                    .map(|(row, target)| (columns.iter().map(|column| column[row]).collect(), *target))
                    .collect();
                let Some(found) = fit(&rows) else { continue };
                let sources: Vec<&Column> = chosen.iter().map(|at| others[*at].1).collect();
                let ty = arithmetic(ty, &sources, self.table.language);
                let is_always = rows.iter().all(|(values, target)| {
                    let sum: i128 = values.iter().zip(&found).map(|(value, by)| value * by).sum();
                    ty.wrap(sum + found[count]) == *target
                });
                if is_always {
                    let text = format!("{} == {}", self.column.text, sum_text(&sources, &found));
                    return Some((FUNCTION + count as u32, text));
                }
            }
        }
        None
    }

    /// That this column is one of two others, or one or its opposite.
    fn one_of_variables(&self, ty: IntType) -> Vec<(u32, String)> {
        let usable = |kind: Kind| matches!(kind, Kind::Int(it) if comparable(it, ty));
        let others: Vec<(usize, &Column)> =
            self.others(usable).filter(|(_, other)| !other.is_target).take(MOST_COLUMNS).collect();
        let targets = self.ints(self.at);
        let mut choices: Vec<(String, Vec<i128>)> = Vec::new();
        for (at, other) in &others {
            let values = self.ints(*at);
            if ty.signed {
                choices.push((format!("-{}", other.text), values.iter().map(|it| ty.wrap(-it)).collect()));
            }
            choices.push((other.text.clone(), values));
        }
        for value in [0, -1, 1].into_iter().filter(|it| ty.contains(*it)) {
            choices.push((value.to_string(), vec![value; targets.len()]));
        }
        let name = &self.column.text;
        let mut found = Vec::new();
        for count in 2..=3 {
            for chosen in combinations(choices.len(), count) {
                let fits = |row: usize| chosen.iter().any(|at| choices[*at].1[row] == targets[row]);
                let names_one = chosen.iter().any(|at| choices[*at].0.starts_with(char::is_alphabetic));
                if names_one && (0..targets.len()).all(fits) {
                    let each: Vec<String> =
                        chosen.iter().map(|at| format!("{name} == {}", choices[*at].0)).collect();
                    found.push((ONE_OF_VARIABLES + count as u32, each.join(" || ")));
                }
            }
            // One of more says less.
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    fn truth(&self, found: &mut Vec<(u32, String)>) {
        let name = &self.column.text;
        let values: Vec<bool> = self.truths(self.at);
        match (values.contains(&true), values.contains(&false)) {
            (true, false) => return found.push((CONSTANT, name.clone())),
            (false, true) => return found.push((CONSTANT, format!("!{name}"))),
            _ => {}
        }
        for (at, other) in self.others(|kind| kind == Kind::Bool).filter(|(_, it)| !it.is_target) {
            let others = self.truths(at);
            if values == others {
                found.push((FUNCTION, format!("{name} == {}", other.text)));
            } else if values.iter().zip(&others).all(|(one, two)| one != two) {
                found.push((FUNCTION, format!("{name} != {}", other.text)));
            }
        }
        for (text, holds) in self.comparisons() {
            if holds == values {
                found.push((FUNCTION + 1, format!("{name} == ({text})")));
            } else if self.table.language == Language::Java
                && holds.iter().zip(&values).all(|(one, two)| *one || !two)
            {
                found.push((ORDER, format!("!{name} || {text}")));
            }
        }
    }

    /// Comparisons of numbers that are no targets, with what they come to in each row.
    fn comparisons(&self) -> Vec<(String, Vec<bool>)> {
        let ints: Vec<(usize, &Column)> = self
            .others(|kind| matches!(kind, Kind::Int(_)))
            .filter(|(_, other)| !other.is_target)
            .take(MOST_COLUMNS)
            .collect();
        let mut found = Vec::new();
        let mut add = |left: &str, right: &str, pairs: &[(i128, i128)]| {
            type Test = fn(&(i128, i128)) -> bool;
            let tests: [(&str, Test); 6] = [
                ("==", |(one, two)| one == two),
                ("!=", |(one, two)| one != two),
                ("<", |(one, two)| one < two),
                ("<=", |(one, two)| one <= two),
                (">", |(one, two)| one > two),
                (">=", |(one, two)| one >= two),
            ];
            for (operator, holds) in tests {
                let values: Vec<bool> = pairs.iter().map(holds).collect();
                if values.contains(&true) && values.contains(&false) {
                    found.push((format!("{left} {operator} {right}"), values));
                }
            }
        };
        for (number, (at, column)) in ints.iter().enumerate() {
            let Kind::Int(ty) = column.kind else { continue };
            let values = self.ints(*at);
            for constant in self.constants.iter().filter(|it| ty.contains(**it)).take(MOST_COLUMNS) {
                let pairs: Vec<(i128, i128)> = values.iter().map(|it| (*it, *constant)).collect();
                add(&column.text, &constant.to_string(), &pairs);
            }
            for (other_at, other) in &ints[number + 1..] {
                if matches!(other.kind, Kind::Int(it) if comparable(it, ty)) {
                    let pairs: Vec<(i128, i128)> = values.iter().copied().zip(self.ints(*other_at)).collect();
                    add(&column.text, &other.text, &pairs);
                }
            }
        }
        found
    }

    fn reference(&self, found: &mut Vec<(u32, String)>) {
        let name = &self.column.text;
        let values = self.seen(self.at);
        match (values.contains(&Seen::Null), values.iter().any(|it| *it != Seen::Null)) {
            (false, true) => found.push((NOT_NULL, format!("{name} != null"))),
            (true, false) => found.push((CONSTANT, format!("{name} == null"))),
            _ => {}
        }
        for (at, other) in self.others(|kind| kind == Kind::Reference).filter(|(_, it)| !it.is_target) {
            let others = self.seen(at);
            let is_known = |it: &Seen| *it != Seen::Object(usize::MAX);
            if values == others && values.iter().all(is_known) && values.iter().any(|it| *it != Seen::Null) {
                found.push((FUNCTION, format!("{name} == {}", other.text)));
            }
        }
    }

    fn sorted(&self, found: &mut Vec<(u32, String)>) {
        let values = self.seen(self.at);
        if values.contains(&Seen::Bool(true)) && !values.contains(&Seen::Bool(false)) {
            let name = &self.column.text;
            found.push((
                IN_ORDER,
                format!("(\\forall int i; 0 <= i && i < {name}.length - 1; {name}[i] <= {name}[i + 1])"),
            ));
        }
    }

    fn others(&self, usable: impl Fn(Kind) -> bool) -> impl Iterator<Item = (usize, &Column)> {
        let own = self.at;
        self.table.columns.iter().enumerate().filter(move |(at, column)| *at != own && usable(column.kind))
    }

    fn seen(&self, at: usize) -> Vec<Seen> {
        self.table.rows.iter().map(|row| row[at]).collect()
    }

    fn ints(&self, at: usize) -> Vec<i128> {
        let int = |seen| if let Seen::Int(number) = seen { number } else { 0 };
        self.seen(at).into_iter().map(int).collect()
    }

    fn truths(&self, at: usize) -> Vec<bool> {
        self.seen(at).into_iter().map(|it| it == Seen::Bool(true)).collect()
    }
}

/// Whether the language compares numbers of these types as mathematics does.
fn comparable(one: IntType, other: IntType) -> bool {
    one.signed == other.signed || one.width < 32 && other.width < 32
}

/// The type in which a sum is computed.
fn arithmetic(target: IntType, sources: &[&Column], language: Language) -> IntType {
    let types = sources.iter().filter_map(|it| if let Kind::Int(ty) = it.kind { Some(ty) } else { None });
    let width = types.clone().map(|ty| ty.width).max().unwrap_or(32).max(32);
    let signed = language == Language::Java || types.chain([target]).all(|ty| ty.signed || ty.width < 32);
    IntType { width, signed }
}

fn literal(value: i128, ty: IntType, language: Language) -> String {
    match (language, ty.width, ty.signed) {
        (Language::Java, 64, _) if !IntType::I32.contains(value) => format!("{value}L"),
        (Language::C, 64, true) if !IntType::I32.contains(value) => format!("{value}L"),
        (Language::C, _, false) if !IntType::I32.contains(value) => format!("{value}U"),
        _ => value.to_string(),
    }
}

/// `2 * a - b + 3`.
fn sum_text(sources: &[&Column], found: &[i128]) -> String {
    let mut text = String::new();
    let constant = found.last().copied().unwrap_or(0);
    for (column, by) in sources.iter().zip(found) {
        let sign = match (text.is_empty(), *by < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let times = if by.abs() == 1 { String::new() } else { format!("{} * ", by.abs()) };
        text += &format!("{sign}{times}{}", column.text);
    }
    match constant {
        0 => text,
        1.. => format!("{text} + {constant}"),
        _ => format!("{text} - {}", constant.abs()),
    }
}

/// All choices of some of the first numbers, in order.
fn combinations(of: usize, count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for last in 0..of {
        for mut rest in combinations(last, count - 1) {
            rest.push(last);
            found.push(rest);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clauses about the first column, a result, with two parameters.
    fn of(result: fn(i128, i128) -> i128) -> Vec<String> {
        let column = |text: &str, is_target| Column {
            text: text.to_owned(),
            kind: Kind::Int(IntType::I32),
            is_target,
        };
        let values = [-9, -3, -1, 0, 1, 2, 5, 14];
        let rows = values.iter().flat_map(|a| values.map(|b| (*a, b)));
        let rows = rows.map(|(a, b)| [result(a, b), a, b].map(Seen::Int).to_vec()).collect();
        let columns = vec![column("\\result", true), column("a", false), column("b", false)];
        let mut found = clauses(&Table { columns, rows, language: Language::Java }, &[]);
        found.sort();
        found.into_iter().map(|(_, clause)| clause).collect()
    }

    #[test]
    fn a_linear_function_says_all() {
        assert_eq!(of(|a, b| 3 * a - b + 1), ["\\result == 3 * a - b + 1"]);
    }

    #[test]
    fn the_larger_one_is_one_of_them_and_no_less() {
        let found = of(|a, b| a.max(b));
        for clause in ["\\result == a || \\result == b", "\\result >= a", "\\result >= b"] {
            assert!(found.iter().any(|it| it == clause), "{clause}: {found:?}");
        }
    }

    #[test]
    fn a_constant_and_a_range() {
        assert_eq!(of(|_, _| 7), ["\\result == 7"]);
        let found = of(|a, _| a.abs());
        assert!(found.contains(&"\\result >= 0".to_owned()), "{found:?}");
        assert!(found.contains(&"\\result == -a || \\result == a".to_owned()), "{found:?}");
    }
}
