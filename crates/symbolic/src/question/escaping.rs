//! Which allocated objects can be observed at the end: those that the result, a global, or a cell of an object that
//! can be observed may point to, and those that code that is not there may have kept.
//!
//! Over-approximating: an object that is reached on some path counts as reached, unless only the result or a global
//! can point to it; then the condition that one does is exact.

use crate::config::Errors;
use crate::inputs::Inputs;
use crate::inputs::objects::FIRST_ALLOCATED;
use crate::inputs::types::InputType;
use crate::reachable::Reach;
use crate::summary::Summary;
use crate::value::{SymValue, ref_number};
use rustc_hash::FxHashSet;
use smt::{Term, Terms};
use std::collections::BTreeMap;

/// The allocated objects that are compared, each with a condition that holds wherever it can be observed.
pub(super) struct Escaping {
    pub(super) objects: BTreeMap<u32, Term>,
}

impl Escaping {
    pub(super) fn of(
        terms: &mut Terms,
        inputs: &Inputs,
        old: &Summary,
        new: &Summary,
        errors: Errors,
    ) -> Escaping {
        let count = old.allocated.max(new.allocated);
        let mut roots = thrown_roots(terms, inputs, [old, new], errors);
        let mut reach = Reach::new(terms, count);
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
        for summary in [old, new] {
            match summary.escaped.numbers() {
                Some(numbers) => reach.reached.extend(numbers),
                None => reach.everything = true,
            }
        }
        reach.heap(&reference_cells(inputs, [old, new]), &from_roots);
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

/// What the fields of exceptions that end a run refer to; the exceptions themselves only where they count as objects.
fn thrown_roots(
    terms: &mut Terms,
    inputs: &Inputs,
    summaries: [&Summary; 2],
    errors: Errors,
) -> Vec<(Term, Option<Term>)> {
    let mut roots = Vec::new();
    for summary in summaries {
        let Some(thrown) = summary.thrown else { continue };
        for (error, guard) in &summary.endings {
            let Some(error) = error else { continue };
            if errors.everything {
                roots.push((thrown.object, Some(*guard)));
            }
            for name in summary.error_fields.get(error).into_iter().flatten() {
                let (Some(cells), Some(region)) = (summary.heap.get(name), inputs.regions.get(name)) else {
                    continue;
                };
                for array in reference_leaves(cells, &region.ty) {
                    roots.push((terms.select(array, thrown.object), Some(*guard)));
                }
            }
        }
    }
    roots
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

/// The regions that hold references, of both summaries.
fn reference_cells(inputs: &Inputs, summaries: [&Summary; 2]) -> Vec<Term> {
    let mut arrays = Vec::new();
    for summary in summaries {
        for (name, cells) in &summary.heap {
            if let Some(region) = inputs.regions.get(name) {
                arrays.extend(reference_leaves(cells, &region.ty));
            }
        }
    }
    arrays
}
