//! Where two summaries are surely different: the other side of the question.
//!
//! Under-approximating: where this holds somebody can tell the versions apart. Memory is looked at only where one of the
//! versions writes, and references only where they lead to nothing that the procedures allocated, because new objects
//! may be matched in another way than by their order. The objects that are returned are matched with each other: their
//! fields that are no references are looked at.

use std::collections::BTreeSet;

use ir::Numbers;
use smt::{BvCmp, Op, Sort, Term, Terms};

use super::Comparison;
use super::texts::texts_differ;
use crate::config::Errors;
use crate::heap::select;
use crate::inputs::Inputs;
use crate::inputs::objects::{FIRST_ALLOCATED, LENGTHS, NULL, at_most, index_number, length_place};
use crate::inputs::shapes::ShapeCells;
use crate::inputs::types::InputType;
use crate::summary::Summary;
use crate::value::{SymValue, ref_number};

/// Objects and elements of one region that are looked at.
const MOST_OBJECTS: usize = 8;
const MOST_ELEMENTS: usize = 12;

/// A condition under which two runs that both end, and of which one is defined, are observably different.
pub fn where_they_surely_differ(terms: &mut Terms, inputs: &Inputs, old: &Summary, new: &Summary) -> Term {
    if !inputs.mismatches.is_empty() {
        return terms.bool(false);
    }
    let errors = Errors::default();
    let mut comparison = Comparison::new(terms, inputs, old, new, errors);
    let mut ways = comparison.endings();
    ways.push(comparison.sure_results());
    ways.extend(comparison.sure_globals());
    for (old, new) in old.written.into_iter().zip(new.written) {
        ways.push(texts_differ(comparison.terms, old, new));
    }
    ways.extend(comparison.sure_cells());
    terms.or(&ways)
}

impl Comparison<'_> {
    fn sure_results(&mut self) -> Term {
        let never = self.terms.bool(false);
        let (Some(old), Some(new), Some(ty)) = (&self.old.result, &self.new.result, &self.new.result_type)
        else {
            return never;
        };
        if self.old.result_type.as_ref().is_none_or(|old| kind(old) != kind(ty)) {
            return never;
        }
        let mut differ = self.values_differ(old, new, ty);
        if let (SymValue::Scalar(old), SymValue::Scalar(new), InputType::Ref(_)) = (old, new, ty) {
            let in_fields = self.returned_objects_differ(*old, *new);
            differ = self.terms.or(&[differ, in_fields]);
        }
        let returned = |summary: &Summary| summary.endings.get(&None).copied().unwrap_or(never);
        self.terms.and(&[returned(self.old), returned(self.new), differ])
    }

    /// Whether the objects that are returned have the same shape, and a field that is no reference is not the same.
    fn returned_objects_differ(&mut self, old: Term, new: Term) -> Term {
        let inputs = self.inputs;
        let null = ref_number(self.terms, NULL, inputs.numbers);
        let mut ways = Vec::new();
        for info in inputs.shape_table.values().filter(|info| info.common) {
            let ShapeCells::Fields(names) = &info.cells else { continue };
            let code = ref_number(self.terms, info.code, inputs.numbers);
            let mut conditions = Vec::new();
            for (summary, object) in [(self.old, old), (self.new, new)] {
                let shape = self.terms.select(summary.shapes, object);
                let is_null = self.terms.eq(object, null);
                conditions.extend([self.terms.eq(shape, code), self.terms.not(is_null)]);
            }
            let mut differ = Vec::new();
            for name in names.iter().filter(|name| !inputs.own.contains(*name)) {
                let Some(region) = inputs.regions.get(name).filter(|region| region.index.is_none()) else {
                    continue;
                };
                if !matches!(
                    region.ty,
                    InputType::Bool | InputType::Int(_) | InputType::Float(_) | InputType::Text
                ) {
                    continue;
                }
                let [old, new] = [(self.old, old), (self.new, new)].map(|(summary, object)| {
                    let cells = summary.heap.get(name).unwrap_or(&region.cells);
                    cells.map(&mut |cells| select(self.terms, &self.known, cells, object))
                });
                differ.push(self.values_differ(&old, &new, &region.ty));
            }
            conditions.push(self.terms.or(&differ));
            ways.push(self.terms.and(&conditions));
        }
        self.terms.or(&ways)
    }

    fn sure_globals(&mut self) -> Vec<Term> {
        let mut ways = Vec::new();
        for (name, input) in self.inputs.globals.iter().filter(|(name, _)| !self.inputs.own.contains(*name)) {
            let [old, new] =
                [self.old, self.new].map(|summary| summary.globals.get(name).unwrap_or(&input.value));
            ways.push(self.values_differ(old, new, &input.ty));
        }
        ways
    }

    /// Whether two values of a type surely differ.
    fn values_differ(&mut self, old: &SymValue, new: &SymValue, ty: &InputType) -> Term {
        match (old, new, ty) {
            (SymValue::Scalar(old), SymValue::Scalar(new), InputType::Text) => {
                texts_differ(self.terms, *old, *new)
            }
            (
                SymValue::Scalar(old),
                SymValue::Scalar(new),
                InputType::Bool | InputType::Int(_) | InputType::Float(_),
            ) => {
                let same = self.terms.eq(*old, *new);
                self.terms.not(same)
            }
            (SymValue::Scalar(old), SymValue::Scalar(new), InputType::Ref(_)) => {
                self.references_differ(*old, *new)
            }
            (SymValue::Record(old), SymValue::Record(new), InputType::Record(types)) => {
                let parts = old.iter().zip(new).zip(types);
                let ways: Vec<Term> =
                    parts.map(|((old, new), ty)| self.values_differ(old, new, ty)).collect();
                match (types.as_slice(), old.first().and_then(SymValue::scalar)) {
                    // Where a pointer points to in an object says something only if that is known.
                    ([InputType::Ref(_), InputType::Int(_)], Some(reference)) => {
                        let is_there = self.is_there(reference);
                        let elsewhere = self.terms.and(&[is_there, ways[1]]);
                        self.terms.or(&[ways[0], elsewhere])
                    }
                    _ => self.terms.or(&ways),
                }
            }
            _ => self.terms.bool(false),
        }
    }

    /// Only one is null, or both are inputs.
    fn references_differ(&mut self, old: Term, new: Term) -> Term {
        let numbers = self.inputs.numbers;
        let (null, allocated) =
            (ref_number(self.terms, NULL, numbers), ref_number(self.terms, FIRST_ALLOCATED, numbers));
        let [old_is_null, new_is_null] = [old, new].map(|it| self.terms.eq(it, null));
        let alike = self.terms.eq(old_is_null, new_is_null);
        let one_is_null = self.terms.not(alike);
        let [old_is_new, new_is_new] = [old, new].map(|it| at_most(self.terms, allocated, it));
        let same = self.terms.eq(old, new);
        let [differ, old_is_input, new_is_input] =
            [same, old_is_new, new_is_new].map(|it| self.terms.not(it));
        let other_inputs = self.terms.and(&[differ, old_is_input, new_is_input]);
        self.terms.or(&[one_is_null, other_inputs])
    }

    /// The cells of objects that were there at the start, where a version writes.
    fn sure_cells(&mut self) -> Vec<Term> {
        let mut ways = Vec::new();
        for (name, region) in self.inputs.regions.iter().filter(|(name, _)| !self.inputs.own.contains(*name))
        {
            let [old, new] =
                [self.old, self.new].map(|summary| summary.heap.get(name).unwrap_or(&region.cells));
            let leaves: Vec<Term> = [old.leaves(), new.leaves()].concat();
            let Some(sort) = leaves.first().map(|leaf| self.terms.sort_of(*leaf).clone()) else { continue };
            let objects = written(self.terms, &leaves, &sort, MOST_OBJECTS);
            for object in objects {
                let is_there = self.is_there(object);
                let [old, new] = [old, new]
                    .map(|value| value.map(&mut |cells| select(self.terms, &self.known, cells, object)));
                if old == new {
                    continue;
                }
                let differ = match region.index {
                    None => self.values_differ(&old, &new, &region.ty),
                    Some(index) => self.sure_elements(object, index.width, &leaves, &old, &new, &region.ty),
                };
                ways.push(self.terms.and(&[is_there, differ]));
            }
        }
        ways
    }

    fn sure_elements(
        &mut self,
        object: Term,
        width: u8,
        leaves: &[Term],
        old: &SymValue,
        new: &SymValue,
        ty: &InputType,
    ) -> Term {
        let numbers = self.inputs.numbers;
        let Some(sort) = old.leaves().first().map(|leaf| self.terms.sort_of(*leaf).clone()) else {
            return self.terms.bool(false);
        };
        let length = select(self.terms, &self.known, self.inputs.lengths[length_place(width)], object);
        let zero = index_number(self.terms, 0, width, numbers);
        let mut ways = Vec::new();
        for index in written(self.terms, leaves, &sort, MOST_ELEMENTS) {
            let [old, new] = [old, new].map(|value| value.map(&mut |cells| self.terms.select(cells, index)));
            let differ = self.values_differ(&old, &new, ty);
            let (not_below, below) = match numbers {
                Numbers::Machine => {
                    (self.terms.bv_cmp(BvCmp::Sle, zero, index), self.terms.bv_cmp(BvCmp::Slt, index, length))
                }
                Numbers::Math => (self.terms.le(zero, index), self.terms.lt(index, length)),
            };
            ways.push(self.terms.and(&[differ, not_below, below]));
        }
        self.terms.or(&ways)
    }

    /// The object was there at the start, can be changed, and is there at the end in both versions.
    fn is_there(&mut self, object: Term) -> Term {
        let numbers = self.inputs.numbers;
        let (first, allocated) =
            (ref_number(self.terms, NULL + 1, numbers), ref_number(self.terms, FIRST_ALLOCATED, numbers));
        let above = at_most(self.terms, first, object);
        let not_input = at_most(self.terms, allocated, object);
        let below = self.terms.not(not_input);
        let mut ways = vec![self.terms.and(&[above, below])];
        for known in self.inputs.statics.values().filter(|object| !object.constant) {
            let reference = ref_number(self.terms, known.number, numbers);
            ways.push(self.terms.eq(object, reference));
        }
        let mut all = vec![self.terms.or(&ways)];
        for place in 0..LENGTHS.len() {
            let [start, old, new] =
                [self.inputs.lengths[place], self.old.lengths[place], self.new.lengths[place]]
                    .map(|lengths| select(self.terms, &self.known, lengths, object));
            all.extend([self.terms.eq(start, old), self.terms.eq(start, new)]);
        }
        self.terms.and(&all)
    }
}

/// The keys under which arrays of a sort are written in some terms.
fn written(terms: &Terms, roots: &[Term], sort: &Sort, most: usize) -> Vec<Term> {
    let mut found = BTreeSet::new();
    for term in terms.reachable(roots) {
        if matches!(terms.op(term), Op::Store) && terms.sort_of(term) == sort {
            found.insert(terms.args(term)[1]);
        }
    }
    found.into_iter().take(most).collect()
}

/// What a value of a type is made of, whatever references lead to.
fn kind(ty: &InputType) -> String {
    match ty {
        InputType::Ref(_) => "ref".to_owned(),
        InputType::Record(types) => format!("({})", types.iter().map(kind).collect::<Vec<_>>().join(" ")),
        InputType::Bool | InputType::Int(_) | InputType::Float(_) | InputType::Text | InputType::Map(..) => {
            format!("{ty:?}")
        }
    }
}
