//! Terms up to the names in them: questions that differ only in names have the same answer.
//!
//! ```text
//! x < y + 1      a < b + 1      one fingerprint
//! x < x + 1                     another one
//! ```
//!
//! Exact: terms with the same fingerprint become each other when their variables and functions are renamed one to one.
//! The converse need not hold: the order of arguments counts.

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// What terms are when names do not count; comparable with others of the same `Fingerprints`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(Box<[u32]>);

impl Fingerprint {
    /// How much room it takes, in numbers.
    pub fn size(&self) -> usize {
        self.0.len()
    }
}

/// Takes fingerprints of terms, of one arena or of several.
#[derive(Debug, Default)]
pub struct Fingerprints {
    ops: FxHashMap<Op, u32>,
    sorts: FxHashMap<Sort, u32>,
}

/// What stands before a variable and before an application; operations come after these.
const VARIABLE: u32 = 0;
const FUNCTION: u32 = 1;
const FIRST_OP: u32 = 2;

impl Fingerprints {
    /// The fingerprint of some terms in this order; `None` if it were larger than that.
    pub fn of(&mut self, terms: &Terms, roots: &[Term], largest: usize) -> Option<Fingerprint> {
        let mut writing = Writing {
            fingerprints: self,
            terms,
            places: FxHashMap::default(),
            names: FxHashMap::default(),
            text: Vec::new(),
        };
        for root in roots {
            writing.write(*root, largest)?;
        }
        // Roots may be inside of others: where they are counts.
        let places: Vec<u32> = roots.iter().map(|root| writing.places[root]).collect();
        let mut text = writing.text;
        text.extend(places);
        text.push(roots.len() as u32);
        Some(Fingerprint(text.into_boxed_slice()))
    }
}

/// A fingerprint that is being written.
struct Writing<'w> {
    fingerprints: &'w mut Fingerprints,
    terms: &'w Terms,
    /// The terms that were written, by their order.
    places: FxHashMap<Term, u32>,
    /// The names that were met, by their order.
    names: FxHashMap<&'w str, u32>,
    text: Vec<u32>,
}

impl Writing<'_> {
    /// Writes a term after all that is inside of it.
    fn write(&mut self, root: Term, largest: usize) -> Option<()> {
        let mut open = vec![(root, false)];
        while let Some((term, is_entered)) = open.pop() {
            if self.places.contains_key(&term) {
                continue;
            }
            if self.text.len() > largest {
                return None;
            }
            if is_entered {
                self.write_node(term);
                continue;
            }
            open.push((term, true));
            open.extend(self.terms.args(term).iter().rev().map(|arg| (*arg, false)));
        }
        Some(())
    }

    fn write_node(&mut self, term: Term) {
        let place = self.places.len() as u32;
        let op = self.terms.op(term);
        match op {
            Op::Var(name) | Op::Apply(name) => {
                let next = self.names.len() as u32;
                let name = *self.names.entry(name).or_insert(next);
                self.text.extend([if let Op::Var(_) = op { VARIABLE } else { FUNCTION }, name]);
            }
            op => {
                let number = FIRST_OP + number(&mut self.fingerprints.ops, op);
                self.text.push(number);
            }
        }
        let sort = number(&mut self.fingerprints.sorts, self.terms.sort_of(term));
        let args = self.terms.args(term);
        self.text.extend([sort, args.len() as u32]);
        self.text.extend(args.iter().map(|arg| self.places[arg]));
        self.places.insert(term, place);
    }
}

/// The number of a thing, which is given when it is met for the first time.
fn number<T: Clone + Eq + std::hash::Hash>(known: &mut FxHashMap<T, u32>, thing: &T) -> u32 {
    let next = known.len() as u32;
    match known.entry(thing.clone()) {
        Entry::Occupied(known) => *known.get(),
        Entry::Vacant(new) => *new.insert(next),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read;

    /// The fingerprints of formulas, each in an arena of its own.
    fn of<const N: usize>(formulas: [&str; N]) -> [Fingerprint; N] {
        let mut fingerprints = Fingerprints::default();
        formulas.map(|formula| {
            let mut terms = Terms::new();
            let root = read(&mut terms, formula);
            fingerprints.of(&terms, &[root], 100).expect("a small one")
        })
    }

    #[test]
    fn names_do_not_count() {
        let [one, other] = of(["(= (+ i (* 2 j)) 7)", "(= (+ k (* 2 n)) 7)"]);
        assert_eq!(one, other);
    }

    #[test]
    fn which_names_are_the_same_counts() {
        let [two, one] = of(["(< (* i j) 7)", "(< (* i i) 7)"]);
        assert_ne!(two, one);
    }

    #[test]
    fn constants_and_sorts_count() {
        let [seven, eight, real] = of(["(< i 7)", "(< i 8)", "(< r 7.0)"]);
        assert_ne!(seven, eight);
        assert_ne!(seven, real);
    }

    #[test]
    fn the_order_of_roots_counts() {
        let mut terms = Terms::new();
        let (small, large) = (read(&mut terms, "(< i j)"), read(&mut terms, "(not (< i j))"));
        let mut fingerprints = Fingerprints::default();
        let mut of = |roots: &[Term]| fingerprints.of(&terms, roots, 100);
        assert_ne!(of(&[small, large]), of(&[large, small]));
        assert_ne!(of(&[small, large]), of(&[large]));
        assert_ne!(of(&[large, large]), of(&[large]));
    }
}
