//! Reading and writing the heap.
//!
//! Exact under the assumptions about inputs: a reference that was there at the start is not one of an object that
//! was allocated since, so that a read of one looks through a write to the other.

use crate::inputs::objects::{FIRST_ALLOCATED, FIRST_STATIC, at_most};
use crate::inputs::types::InputType;
use crate::state::Escaped;
use crate::value::{SymValue, as_ref_number, ref_number};
use ir::Numbers;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Term, Terms};
use std::rc::Rc;

/// How many conditionals are looked into to tell two references apart.
const DEEP_ENOUGH: u32 = 8;

/// How many conditionals, one inside the other, are looked through to find what was written to an object.
const MOST_BRANCHES: u32 = 4;

/// What is known about references.
#[derive(Debug, Default)]
pub(crate) struct KnownObjects {
    /// References that were there at the start: null, input objects, and static objects that are not constant.
    from_start: FxHashSet<Term>,
    /// The references of the constant static objects, to which no input points.
    constant_statics: FxHashSet<u32>,
    /// References that code that is not there gave, with the allocated objects that they may lead to.
    from_outside: FxHashMap<Term, Rc<Escaped>>,
}

impl KnownObjects {
    /// Notes that the references in an input were there at the start.
    pub(crate) fn add_input(&mut self, value: &SymValue, ty: &InputType) {
        match (value, ty) {
            (SymValue::Scalar(term), InputType::Ref(_)) => {
                self.from_start.insert(*term);
            }
            (SymValue::Record(values), InputType::Record(types)) => {
                values.iter().zip(types).for_each(|(value, ty)| self.add_input(value, ty));
            }
            _ => {}
        }
    }

    pub(crate) fn add_constant_static(&mut self, number: u32) {
        self.constant_statics.insert(number);
    }

    pub(crate) fn add_from_outside(&mut self, reference: Term, reached: &Rc<Escaped>) {
        self.from_outside.insert(reference, reached.clone());
    }

    /// Whether a reference surely leads to no allocated object but those that were reached.
    pub(crate) fn is_within(&self, terms: &Terms, reference: Term, reached: &Escaped) -> bool {
        if let Some(number) = as_ref_number(terms, reference) {
            return !(FIRST_ALLOCATED..FIRST_STATIC).contains(&number) || reached.contains(number);
        }
        let is_less = |given: &Rc<Escaped>| {
            given.below <= reached.below && given.objects.iter().all(|number| reached.contains(*number))
        };
        self.from_start.contains(&reference) || self.from_outside.get(&reference).is_some_and(is_less)
    }

    /// Whether a number is that of a constant static object.
    pub(crate) fn is_constant(&self, number: u32) -> bool {
        self.constant_statics.contains(&number)
    }

    /// Whether a reference that code that is not there gave cannot be an object.
    fn is_out_of_reach(&self, reference: Term, number: u32) -> bool {
        let is_allocated = (FIRST_ALLOCATED..FIRST_STATIC).contains(&number);
        is_allocated && self.from_outside.get(&reference).is_some_and(|reached| !reached.contains(number))
    }

    /// Whether two references are surely not the same.
    fn differ(&self, terms: &Terms, a: Term, b: Term, depth: u32) -> bool {
        if a == b {
            return false;
        }
        match (as_ref_number(terms, a), as_ref_number(terms, b)) {
            (Some(_), Some(_)) => return true,
            (Some(number), None) if self.from_start.contains(&b) => return !self.is_from_start(number),
            (None, Some(number)) if self.from_start.contains(&a) => return !self.is_from_start(number),
            (Some(number), None) if self.is_out_of_reach(b, number) => return true,
            (None, Some(number)) if self.is_out_of_reach(a, number) => return true,
            (Some(_) | None, Some(_) | None) => {}
        }
        for (ite, other) in [(a, b), (b, a)] {
            if let (Op::Ite, &[_, then, otherwise]) = (terms.op(ite), terms.args(ite)) {
                return depth < DEEP_ENOUGH
                    && self.differ(terms, then, other, depth + 1)
                    && self.differ(terms, otherwise, other, depth + 1);
            }
        }
        false
    }

    fn is_from_start(&self, number: u32) -> bool {
        number < FIRST_ALLOCATED || (number >= FIRST_STATIC && !self.constant_statics.contains(&number))
    }
}

/// That a reference leads to no allocated object but those that were reached; `None` if that says nothing.
pub(crate) fn is_from_outside(
    terms: &mut Terms,
    reference: Term,
    reached: &Escaped,
    numbers: Numbers,
) -> Option<Term> {
    let objects = reached.numbers()?;
    let (first, last) =
        (ref_number(terms, FIRST_ALLOCATED, numbers), ref_number(terms, FIRST_STATIC, numbers));
    let above = at_most(terms, first, reference);
    let not_below = at_most(terms, last, reference);
    let mut ways = vec![terms.not(above), not_below];
    for number in objects {
        let object = ref_number(terms, number, numbers);
        ways.push(terms.eq(reference, object));
    }
    Some(terms.or(&ways))
}

/// Whether two references are the same.
pub(crate) fn same_object(terms: &mut Terms, known: &KnownObjects, a: Term, b: Term) -> Term {
    same_object_within(terms, known, a, b, 0)
}

fn same_object_within(terms: &mut Terms, known: &KnownObjects, a: Term, b: Term, depth: u32) -> Term {
    if known.differ(terms, a, b, 0) {
        return terms.bool(false);
    }
    for (ite, other) in [(a, b), (b, a)] {
        if let (Op::Ite, &[condition, then, otherwise]) = (terms.op(ite), terms.args(ite))
            && depth < DEEP_ENOUGH
            && (known.differ(terms, then, other, 0) || known.differ(terms, otherwise, other, 0))
        {
            let then = same_object_within(terms, known, then, other, depth + 1);
            let otherwise = same_object_within(terms, known, otherwise, other, depth + 1);
            return terms.ite(condition, then, otherwise);
        }
    }
    terms.eq(a, b)
}

/// The element of an array by references.
pub(crate) fn select(terms: &mut Terms, known: &KnownObjects, array: Term, object: Term) -> Term {
    let array = without_other_writes(terms, known, array, object, 0);
    terms.select(array, object)
}

/// An array with the same element for an object, without the writes to others: on all branches, if that leaves one array.
fn without_other_writes(terms: &Terms, known: &KnownObjects, array: Term, object: Term, depth: u32) -> Term {
    let mut array = array;
    loop {
        array = match (terms.op(array), terms.args(array)) {
            (Op::Store, &[inner, at, _]) if known.differ(terms, at, object, 0) => inner,
            (Op::Ite, &[_, then, otherwise]) if depth < MOST_BRANCHES => {
                let [then, otherwise] = [then, otherwise]
                    .map(|branch| without_other_writes(terms, known, branch, object, depth + 1));
                if then != otherwise {
                    return array;
                }
                then
            }
            _ => return array,
        };
    }
}

/// The array, or array of arrays, with one element replaced.
pub(crate) fn update(terms: &mut Terms, array: Term, keys: &[Term], element: Term) -> Term {
    let Some((key, rest)) = keys.split_first() else { return element };
    let inner = if rest.is_empty() { element } else { terms.select(array, *key) };
    let element = update(terms, inner, rest, element);
    terms.store(array, *key, element)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::types::References;
    use crate::value::ref_sort;
    use smt::Sort;

    #[test]
    fn writes_to_new_objects_on_some_branch_do_not_hide_an_input() {
        let (mut terms, numbers) = (Terms::new(), Numbers::Math);
        let mut known = KnownObjects::default();
        let input = terms.var("input", &ref_sort(numbers));
        known.add_input(&SymValue::Scalar(input), &InputType::Ref(References::default()));
        let heap = terms.var("heap", &Sort::array(ref_sort(numbers), Sort::Int));
        let (condition, one) = (terms.var("condition", &Sort::Bool), terms.int(1));
        let (new, null) =
            (ref_number(&mut terms, FIRST_ALLOCATED, numbers), ref_number(&mut terms, 0, numbers));
        let at_start = terms.select(heap, input);
        let [of_new, of_null] = [new, null].map(|object| {
            let written = terms.store(heap, object, one);
            let merged = terms.ite(condition, written, heap);
            select(&mut terms, &known, merged, input)
        });
        assert_eq!(of_new, at_start);
        assert_ne!(of_null, at_start, "an input may be null");
    }
}
