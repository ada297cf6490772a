//! Which allocated objects can be observed at the end: those that the result, a global, or a cell of an object that
//! can be observed may point to.
//!
//! Over-approximating: an object that is reached on some path counts as reached, unless only the result or a global
//! can point to it; then the condition that one does is exact.

use crate::inputs::Inputs;
use crate::inputs::objects::FIRST_ALLOCATED;
use crate::inputs::types::InputType;
use crate::summary::Summary;
use crate::value::{SymValue, as_ref_number, ref_number};
use rustc_hash::FxHashSet;
use smt::{Op, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// With more objects than this all of them count as reached.
const MOST_OBJECTS: u32 = 500;

/// The allocated objects that are compared, each with a condition that holds wherever it can be observed.
pub(super) struct Escaping {
    pub(super) objects: BTreeMap<u32, Term>,
}

impl Escaping {
    pub(super) fn of(terms: &mut Terms, inputs: &Inputs, old: &Summary, new: &Summary) -> Escaping {
        let count = old.allocated.max(new.allocated);
        let mut reach = Reach { terms, count, reached: BTreeSet::new(), everything: count > MOST_OBJECTS };
        let mut roots = Vec::new();
        for summary in [old, new] {
            let returned = summary.endings.get(&None).copied();
            if let (Some(result), Some(ty), Some(returned)) =
                (&summary.result, &summary.result_type, returned)
            {
                roots.extend(reference_leaves(result, ty).into_iter().map(|leaf| (leaf, Some(returned))));
            }
            for (name, value) in &summary.globals {
                if let Some(global) = inputs.globals.get(name) {
                    roots.extend(reference_leaves(value, &global.ty).into_iter().map(|leaf| (leaf, None)));
                }
            }
        }
        for (leaf, _) in &roots {
            reach.value(*leaf, &mut FxHashSet::default());
        }
        let from_roots = std::mem::take(&mut reach.reached);
        reach.heap(inputs, [old, new], &from_roots);
        let (in_heap, everything) = (std::mem::take(&mut reach.reached), reach.everything);
        let always = terms.bool(true);
        let mut objects = BTreeMap::new();
        for number in (0..count).map(|index| FIRST_ALLOCATED + index) {
            if everything || in_heap.contains(&number) {
                objects.insert(number, always);
            } else if from_roots.contains(&number) {
                let guard = points_to(terms, inputs, &roots, number);
                objects.insert(number, guard);
            }
        }
        Escaping { objects }
    }
}

/// Whether one of the roots points to an object.
fn points_to(terms: &mut Terms, inputs: &Inputs, roots: &[(Term, Option<Term>)], number: u32) -> Term {
    let object = ref_number(terms, number, inputs.numbers);
    let mut ways = Vec::new();
    for (leaf, condition) in roots {
        // A map may have the object at any key.
        if terms.sort_of(*leaf) != terms.sort_of(object) {
            return terms.bool(true);
        }
        let points = terms.eq(*leaf, object);
        ways.push(match condition {
            Some(condition) => terms.and(&[*condition, points]),
            None => points,
        });
    }
    terms.or(&ways)
}

/// The leaves of a value that are references, or arrays of references.
fn reference_leaves(value: &SymValue, ty: &InputType) -> Vec<Term> {
    match (value, ty) {
        (SymValue::Scalar(term), InputType::Ref(_)) => vec![*term],
        (_, InputType::Map(_, element)) => reference_leaves(value, element),
        (SymValue::Record(values), InputType::Record(types)) => {
            values.iter().zip(types).flat_map(|(value, ty)| reference_leaves(value, ty)).collect()
        }
        _ => Vec::new(),
    }
}

struct Reach<'a> {
    terms: &'a Terms,
    count: u32,
    reached: BTreeSet<u32>,
    /// Something was found of which it is not known what it points to.
    everything: bool,
}

impl Reach<'_> {
    fn is_allocated(&self, number: u32) -> bool {
        number.checked_sub(FIRST_ALLOCATED).is_some_and(|index| index < self.count)
    }

    /// Adds the objects that a reference, or the elements of an array of references, may be.
    fn value(&mut self, value: Term, seen: &mut FxHashSet<Term>) {
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
                (Op::Var(_), _) => {}
                _ => self.everything = true,
            }
        }
    }

    /// Adds what the cells of observable objects point to, until there is no more.
    fn heap(&mut self, inputs: &Inputs, summaries: [&Summary; 2], roots: &BTreeSet<u32>) {
        let mut arrays = Vec::new();
        for summary in summaries {
            for (name, cells) in &summary.heap {
                if let Some(region) = inputs.regions.get(name) {
                    arrays.extend(reference_leaves(cells, &region.ty));
                }
            }
        }
        loop {
            let before = self.reached.len();
            for array in &arrays {
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
                (Op::Var(_), _) => {}
                _ => self.everything = true,
            }
        }
    }
}
