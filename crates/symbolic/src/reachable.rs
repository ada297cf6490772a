//! Which allocated objects references and cells may lead to.
//!
//! Over-approximating: an object that is reached on some path counts as reached.

use crate::inputs::objects::FIRST_ALLOCATED;
use crate::value::as_ref_number;
use rustc_hash::FxHashSet;
use smt::{Op, Term, Terms};
use std::collections::BTreeSet;

/// With more objects than this all of them count as reached.
const MOST_OBJECTS: u32 = 500;

/// What the names of symbols begin with that stand for what code that is not there leaves behind.
pub(crate) const OUTSIDE: &str = "extern.";

/// The objects that were reached so far.
pub(crate) struct Reach<'a> {
    terms: &'a Terms,
    count: u32,
    pub(crate) reached: BTreeSet<u32>,
    /// Something was found of which it is not known what it points to.
    pub(crate) everything: bool,
}

impl<'a> Reach<'a> {
    /// Nothing is reached yet of the first `count` allocated objects.
    pub(crate) fn new(terms: &'a Terms, count: u32) -> Reach<'a> {
        Reach { terms, count, reached: BTreeSet::new(), everything: count > MOST_OBJECTS }
    }

    fn is_allocated(&self, number: u32) -> bool {
        number.checked_sub(FIRST_ALLOCATED).is_some_and(|index| index < self.count)
    }

    /// Adds the objects that a reference, or the elements of an array of references, may be.
    ///
    /// What code that is not there left behind leads only to objects that it was handed, which the caller adds.
    pub(crate) fn value(&mut self, value: Term, seen: &mut FxHashSet<Term>) {
        let mut open = vec![value];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(number) = as_ref_number(self.terms, term) {
                if self.is_allocated(number) {
                    self.reached.insert(number);
                }
                continue;
            }
            match (self.terms.op(term), self.terms.args(term)) {
                (Op::Ite, &[_, then, otherwise]) => open.extend([then, otherwise]),
                (Op::Store, &[array, _, element]) => open.extend([array, element]),
                (Op::Select, &[array, _]) => open.push(array),
                (Op::ConstArray, &[element]) => open.push(element),
                (Op::Var(name), _) if is_input(name) => {}
                (Op::Apply(name), _) if name.starts_with(OUTSIDE) => {}
                _ => self.everything = true,
            }
        }
    }

    /// Adds what the cells of objects that are not private point to, until there is no more. `arrays` are the regions
    /// that hold references.
    pub(crate) fn heap(&mut self, arrays: &[Term], roots: &BTreeSet<u32>) {
        loop {
            let before = self.reached.len();
            for array in arrays {
                self.cells(*array, roots);
            }
            if self.reached.len() == before || self.everything {
                break;
            }
        }
    }

    /// The elements of an array by references, but for those of allocated objects that were not reached.
    fn cells(&mut self, array: Term, roots: &BTreeSet<u32>) {
        let mut seen = FxHashSet::default();
        let mut seen_values = FxHashSet::default();
        let mut open = vec![array];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match (self.terms.op(term), self.terms.args(term)) {
                (Op::Ite, &[_, then, otherwise]) => open.extend([then, otherwise]),
                (Op::Store, &[inner, object, element]) => {
                    open.push(inner);
                    let number =
                        as_ref_number(self.terms, object).filter(|number| self.is_allocated(*number));
                    if number.is_none_or(|number| roots.contains(&number) || self.reached.contains(&number)) {
                        self.value(element, &mut seen_values);
                    }
                }
                (Op::Var(name), _) if is_input(name) => {}
                (Op::Apply(name), _) if name.starts_with(OUTSIDE) => {}
                _ => self.everything = true,
            }
        }
    }
}

/// Whether a variable is part of the input: no object was allocated yet then.
fn is_input(name: &str) -> bool {
    ["arg.", "global.", "heap."].iter().any(|prefix| name.starts_with(prefix))
}
