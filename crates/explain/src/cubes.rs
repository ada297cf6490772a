//! Conditions as disjoint conjunctions of literals.

use std::collections::BTreeMap;

use smt::{Op, Sort, Term, Terms};

/// Conjunctions that are looked at, at the most.
const MOST_CUBES: usize = 24;

/// Nodes in which choices are looked for.
const MOST_NODES: usize = 2_000;

/// Atoms, each with whether it holds; sorted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Cube(pub(crate) Vec<(Term, bool)>);

impl Cube {
    /// Both together; `None` if they contradict each other.
    pub(crate) fn and(&self, other: &Cube) -> Option<Cube> {
        let mut all = self.0.clone();
        for literal in &other.0 {
            if all.contains(&(literal.0, !literal.1)) {
                return None;
            }
            if !all.contains(literal) {
                all.push(*literal);
            }
        }
        all.sort_unstable();
        Some(Cube(all))
    }

    /// The literals as terms.
    pub(crate) fn terms(&self, terms: &mut Terms) -> Vec<Term> {
        self.0.iter().map(|(atom, holds)| if *holds { *atom } else { terms.not(*atom) }).collect()
    }

    /// One conjunction for two that differ in whether one atom holds.
    pub(crate) fn merged(&self, other: &Cube) -> Option<Cube> {
        if self.0.len() != other.0.len() {
            return None;
        }
        let mut differing =
            self.0.iter().zip(&other.0).enumerate().filter(|(_, (mine, theirs))| mine != theirs);
        let (at, (mine, theirs)) = differing.next()?;
        if mine.0 != theirs.0 || differing.next().is_some() {
            return None;
        }
        let mut all = self.0.clone();
        all.remove(at);
        Some(Cube(all))
    }
}

/// The disjoint conjunctions under which a condition holds, or does not; `None` if there are too many.
pub(crate) fn cubes(terms: &Terms, condition: Term, holds: bool) -> Option<Vec<Cube>> {
    if let Some(constant) = terms.as_bool(condition) {
        return Some(if constant == holds { vec![Cube::default()] } else { Vec::new() });
    }
    let args = terms.args(condition);
    let found = match (terms.op(condition), args) {
        (Op::Not, [inner]) => return cubes(terms, *inner, !holds),
        (Op::And, parts) if holds => all(terms, parts, true)?,
        (Op::Or, parts) if !holds => all(terms, parts, false)?,
        (Op::And, parts) => first(terms, parts, false)?,
        (Op::Or, parts) => first(terms, parts, true)?,
        (Op::Ite, [test, then, otherwise]) => {
            let mut found = both(&cubes(terms, *test, true)?, &cubes(terms, *then, holds)?);
            found.extend(both(&cubes(terms, *test, false)?, &cubes(terms, *otherwise, holds)?));
            found
        }
        (Op::Eq, [left, right]) if *terms.sort_of(*left) == Sort::Bool => {
            let mut found = both(&cubes(terms, *left, true)?, &cubes(terms, *right, holds)?);
            found.extend(both(&cubes(terms, *left, false)?, &cubes(terms, *right, !holds)?));
            found
        }
        _ => vec![Cube(vec![(condition, holds)])],
    };
    (found.len() <= MOST_CUBES).then_some(found)
}

/// Where all parts hold, or none does.
fn all(terms: &Terms, parts: &[Term], holds: bool) -> Option<Vec<Cube>> {
    let mut found = vec![Cube::default()];
    for part in parts {
        found = both(&found, &cubes(terms, *part, holds)?);
        if found.len() > MOST_CUBES {
            return None;
        }
    }
    Some(found)
}

/// Where some part holds, or does not: the first one is this one, and those before are not.
fn first(terms: &Terms, parts: &[Term], holds: bool) -> Option<Vec<Cube>> {
    let (mut found, mut before) = (Vec::new(), vec![Cube::default()]);
    for part in parts {
        found.extend(both(&before, &cubes(terms, *part, holds)?));
        before = both(&before, &cubes(terms, *part, !holds)?);
        if found.len() > MOST_CUBES || before.len() > MOST_CUBES {
            return None;
        }
    }
    Some(found)
}

pub(crate) fn both(left: &[Cube], right: &[Cube]) -> Vec<Cube> {
    left.iter().flat_map(|left| right.iter().filter_map(|right| left.and(right))).collect()
}

/// The values of a term with the conditions under which it has them. Choices inside of it are drawn out.
pub(crate) fn cases(terms: &mut Terms, term: Term) -> Option<Vec<(Cube, Term)>> {
    if *terms.sort_of(term) == Sort::Bool {
        let mut found = Vec::new();
        for holds in [true, false] {
            let value = terms.bool(holds);
            found.extend(cubes(terms, term, holds)?.into_iter().map(|cube| (cube, value)));
        }
        return Some(found);
    }
    let is_choice = |inner: &Term| *terms.op(*inner) == Op::Ite && *terms.sort_of(*inner) != Sort::Bool;
    let inside = std::iter::once(term).chain(terms.reachable(&[term]).into_iter().take(MOST_NODES));
    let Some(choice) = inside.into_iter().find(is_choice) else {
        return Some(vec![(Cube::default(), term)]);
    };
    let &[test, then, otherwise] = terms.args(choice) else { return None };
    let mut found = Vec::new();
    for (holds, branch) in [(true, then), (false, otherwise)] {
        let chosen = terms.substitute(term, &BTreeMap::from([(choice, branch)]));
        let inner = cases(terms, chosen)?;
        for test in cubes(terms, test, holds)? {
            found.extend(inner.iter().filter_map(|(cube, value)| Some((test.and(cube)?, *value))));
        }
    }
    (found.len() <= MOST_CUBES).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three atoms.
    fn atoms(terms: &mut Terms) -> [Term; 3] {
        ["a", "b", "c"].map(|name| terms.var(name, &Sort::Bool))
    }

    fn holds(cube: &Cube, values: &BTreeMap<Term, bool>) -> bool {
        cube.0.iter().all(|(atom, holds)| values[atom] == *holds)
    }

    /// Under each assignment exactly one conjunction holds if the condition is as it should be, and none otherwise.
    #[test]
    fn conjunctions_are_disjoint_and_complete() {
        let mut terms = Terms::new();
        let [a, b, c] = atoms(&mut terms);
        let (not_b, both) = (terms.not(b), terms.and(&[b, c]));
        let conditions = [
            terms.and(&[a, not_b, c]),
            terms.or(&[a, not_b, c]),
            terms.or(&[both, a]),
            terms.ite(a, both, not_b),
            terms.eq(a, both),
        ];
        for condition in conditions {
            for wanted in [true, false] {
                let found = cubes(&terms, condition, wanted).expect("these are few");
                for bits in 0..8_u32 {
                    let values = BTreeMap::from([(a, bits & 1 == 1), (b, bits & 2 == 2), (c, bits & 4 == 4)]);
                    let map = values.iter().map(|(atom, value)| (*atom, terms.bool(*value))).collect();
                    let value = terms.substitute(condition, &map);
                    let is_so = terms.as_bool(value) == Some(wanted);
                    let count = found.iter().filter(|cube| holds(cube, &values)).count();
                    assert_eq!(count, usize::from(is_so), "{} {wanted} {values:?}", terms.print(condition));
                }
            }
        }
    }

    #[test]
    fn choices_inside_of_a_value_are_drawn_out() {
        let mut terms = Terms::new();
        let [a, ..] = atoms(&mut terms);
        let x = terms.var("x", &Sort::Int);
        let (one, two) = (terms.int(1), terms.int(2));
        let choice = terms.ite(a, one, two);
        let sum = terms.add(&[x, choice]);
        let expected = [terms.add(&[x, one]), terms.add(&[x, two])];
        let found = cases(&mut terms, sum).expect("these are few");
        assert_eq!(found, [(Cube(vec![(a, true)]), expected[0]), (Cube(vec![(a, false)]), expected[1])]);
    }
}
