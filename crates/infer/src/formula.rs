//! Boolean combinations of atoms: disjunctions of cubes, which are conjunctions of literals.

use std::collections::BTreeSet;

use crate::atom::{Atom, Holds};
use crate::words::{closing, words};

/// An atom, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal {
    /// The place in the list of atoms.
    pub atom: usize,
    pub is_positive: bool,
}

impl Literal {
    /// Whether it holds where its atom has this value. What fails holds neither way.
    pub(crate) fn holds(self, value: Holds) -> bool {
        match value {
            Holds::Yes => self.is_positive,
            Holds::No => !self.is_positive,
            Holds::Fails => false,
        }
    }

    fn text(self, atoms: &[Atom]) -> &str {
        let atom = &atoms[self.atom];
        if self.is_positive { &atom.text } else { &atom.negation }
    }
}

/// A conjunction of literals.
pub type Cube = Vec<Literal>;

/// A disjunction of cubes, or the negation of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    pub cubes: Vec<Cube>,
    pub is_negated: bool,
}

impl Formula {
    /// What no input meets.
    pub fn never() -> Formula {
        Formula { cubes: Vec::new(), is_negated: false }
    }

    /// The disjunction of cubes.
    pub fn any(cubes: Vec<Cube>) -> Formula {
        Formula { cubes, is_negated: false }
    }

    /// Whether no input meets it, by its form.
    pub fn is_never(&self) -> bool {
        self.cubes.is_empty() && !self.is_negated
    }

    /// Whether every input meets it, by its form.
    pub fn is_always(&self) -> bool {
        match self.is_negated {
            false => self.cubes.iter().any(Vec::is_empty),
            true => self.cubes.is_empty(),
        }
    }

    pub fn negated(&self) -> Formula {
        Formula { is_negated: !self.is_negated, ..self.clone() }
    }

    /// Whether it holds where the atoms have these values.
    pub fn holds(&self, values: &[Holds]) -> bool {
        let is_met = |cube: &Cube| cube.iter().all(|literal| literal.holds(values[literal.atom]));
        self.cubes.iter().any(is_met) != self.is_negated
    }

    /// Whether its text holds where the atoms have these values: parts are evaluated from the left, as far as needed.
    pub fn holds_as_text(&self, values: &[Holds]) -> Holds {
        // A negated formula is a conjunction of disjunctions of negated literals.
        let (decides_part, decides_all) = (self.is_negated, !self.is_negated);
        for cube in &self.cubes {
            let mut part = !decides_part;
            for literal in cube {
                let literal = Literal { is_positive: literal.is_positive != self.is_negated, ..*literal };
                match values[literal.atom] {
                    Holds::Fails => return Holds::Fails,
                    value if literal.holds(value) == decides_part => {
                        part = decides_part;
                        break;
                    }
                    Holds::Yes | Holds::No => {}
                }
            }
            if part == decides_all {
                return Holds::from(decides_all);
            }
        }
        Holds::from(!decides_all)
    }

    /// The formula or a literal, which is asked first.
    pub fn or_first(mut self, first: Literal) -> Formula {
        match self.is_negated {
            false => self.cubes.insert(0, vec![first]),
            true => {
                let not_first = Literal { is_positive: !first.is_positive, ..first };
                self.cubes.iter_mut().for_each(|cube| cube.insert(0, not_first));
            }
        }
        self
    }

    /// The same with what fails least asked first; `fails` says how often an atom does.
    pub fn careful(mut self, fails: impl Fn(usize) -> usize) -> Formula {
        self.cubes.iter_mut().for_each(|cube| cube.sort_by_key(|literal| fails(literal.atom)));
        self.cubes.sort_by_key(|cube| cube.iter().map(|literal| fails(literal.atom)).sum::<usize>());
        self
    }

    /// How many different atoms it has.
    pub fn atoms(&self) -> usize {
        self.cubes.iter().flatten().map(|literal| literal.atom).collect::<BTreeSet<usize>>().len()
    }

    /// In the syntax of the source language, which Java and C share here.
    pub fn text(&self, atoms: &[Atom]) -> String {
        match self.is_negated {
            false => join(&self.cubes, atoms, " || ", " && ", "false", |literal| literal),
            // The negation of a disjunction of conjunctions is a conjunction of disjunctions.
            true => join(&self.cubes, atoms, " && ", " || ", "true", |literal| Literal {
                is_positive: !literal.is_positive,
                ..literal
            }),
        }
    }
}

fn join(
    cubes: &[Cube],
    atoms: &[Atom],
    outer: &str,
    inner: &str,
    empty: &str,
    literal: impl Fn(Literal) -> Literal,
) -> String {
    let part = |cube: &Cube| {
        let literals: Vec<String> =
            cube.iter().map(|it| grouped(literal(*it).text(atoms), cube.len() + cubes.len() > 2)).collect();
        match (literals.len(), cubes.len()) {
            (0, _) => if empty == "true" { "false" } else { "true" }.to_owned(),
            (1, _) | (_, 1) => literals.join(inner),
            _ => format!("({})", literals.join(inner)),
        }
    };
    match cubes.is_empty() {
        true => empty.to_owned(),
        false => cubes.iter().map(part).collect::<Vec<_>>().join(outer),
    }
}

/// A literal that stands beside others, in parentheses if operators in it bind weaker than these.
fn grouped(text: &str, is_beside_others: bool) -> String {
    let is_weak = text.contains("||") || text.contains("&&") || text.contains('?') || has_assignment(text);
    if is_beside_others && is_weak && !is_in_brackets(text) { format!("({text})") } else { text.to_owned() }
}

/// Whether one pair of parentheses is around all of a text.
fn is_in_brackets(text: &str) -> bool {
    let all = words(text);
    all.first().is_some_and(|first| first.text == "(") && closing(&all, 0) == Some(all.len() - 1)
}

fn has_assignment(text: &str) -> bool {
    let bytes = text.as_bytes();
    (0..bytes.len()).any(|at| {
        bytes[at] == b'='
            && bytes.get(at + 1) != Some(&b'=')
            && (at == 0 || !matches!(bytes[at - 1], b'=' | b'!' | b'<' | b'>'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atoms() -> Vec<Atom> {
        vec![Atom::plain("n >= 0", "n < 0"), Atom::plain("b", "!b"), Atom::plain("x == y", "x != y")]
    }

    fn literal(atom: usize, is_positive: bool) -> Literal {
        Literal { atom, is_positive }
    }

    #[test]
    fn formulas_are_written_as_people_write_them() {
        let one = Formula::any(vec![vec![literal(0, true)]]);
        assert_eq!(one.text(&atoms()), "n >= 0");
        assert_eq!(one.negated().text(&atoms()), "n < 0");
        let two = Formula::any(vec![vec![literal(0, true), literal(1, false)], vec![literal(2, true)]]);
        assert_eq!(two.text(&atoms()), "(n >= 0 && !b) || x == y");
        assert_eq!(two.negated().text(&atoms()), "(n < 0 || b) && x != y");
        assert_eq!(Formula::never().text(&atoms()), "false");
        assert_eq!(Formula::never().negated().text(&atoms()), "true");
        assert_eq!(two.atoms(), 3);
    }

    #[test]
    fn texts_are_evaluated_from_the_left() {
        let same = Formula::any(vec![vec![literal(0, true)], vec![literal(1, true), literal(2, true)]]);
        let [yes, no, fails] = [Holds::Yes, Holds::No, Holds::Fails];
        assert_eq!(same.holds_as_text(&[yes, fails, fails]), yes);
        assert_eq!(same.holds_as_text(&[no, no, fails]), no);
        assert_eq!(same.holds_as_text(&[no, yes, fails]), fails);
        assert_eq!(same.negated().holds_as_text(&[yes, fails, fails]), no);
        assert_eq!(same.negated().holds_as_text(&[no, no, fails]), yes);
        let total = Formula::any(vec![vec![literal(2, true)]]).or_first(literal(1, true));
        assert_eq!(total.text(&atoms()), "b || x == y");
        assert_eq!(total.holds_as_text(&[no, yes, fails]), yes);
        let negated = Formula::any(vec![vec![literal(2, true)]]).negated().or_first(literal(1, true));
        assert_eq!(negated.text(&atoms()), "b || x != y");
    }

    #[test]
    fn what_fails_holds_neither_way() {
        let values = [Holds::Fails, Holds::Yes, Holds::No];
        assert!(!Formula::any(vec![vec![literal(0, true)]]).holds(&values));
        assert!(!Formula::any(vec![vec![literal(0, false)]]).holds(&values));
        assert!(Formula::any(vec![vec![literal(1, true), literal(2, false)]]).holds(&values));
    }
}
