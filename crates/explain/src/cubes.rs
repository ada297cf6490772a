//! Conditions as disjoint conjunctions of literals.

use smt::{Op, Sort, Term, Terms};

/// Conjunctions that are looked at, at the most.
const MOST_CUBES: usize = 24;

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

/// The values of a term with the conditions under which it has them.
pub(crate) fn cases(terms: &mut Terms, term: Term) -> Option<Vec<(Cube, Term)>> {
    if *terms.sort_of(term) == Sort::Bool {
        let mut found = Vec::new();
        for holds in [true, false] {
            let value = terms.bool(holds);
            found.extend(cubes(terms, term, holds)?.into_iter().map(|cube| (cube, value)));
        }
        return Some(found);
    }
    let (Op::Ite, &[test, then, otherwise]) = (terms.op(term), terms.args(term)) else {
        return Some(vec![(Cube::default(), term)]);
    };
    let mut found = Vec::new();
    for (holds, branch) in [(true, then), (false, otherwise)] {
        let inner = cases(terms, branch)?;
        for test in cubes(terms, test, holds)? {
            found.extend(inner.iter().filter_map(|(cube, value)| Some((test.and(cube)?, *value))));
        }
    }
    (found.len() <= MOST_CUBES).then_some(found)
}
