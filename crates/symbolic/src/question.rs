//! Where two summaries are observably different: what the solver is asked.
//!
//! Sound: where `differ` and `unfinished` are false the versions behave the same. Incomplete: objects that the
//! procedures allocate are matched by the order of their allocation on each path, and no other renaming is tried.

mod escaping;
mod surely;
mod texts;

use crate::config::Errors;
use crate::heap::{KnownObjects, select};
use crate::inputs::Inputs;
use crate::inputs::objects::{self, FIRST_INPUT, LAST_INPUT, LENGTHS, index_number};
use crate::inputs::types::{InputType, References};
use crate::summary::Summary;
use crate::value::{SymValue, int_sort, ref_number, ref_sort, same};
use escaping::Escaping;
use ir::Numbers;
use smt::{BvCmp, Term, Terms};
use std::collections::BTreeSet;
pub use surely::where_they_surely_differ;

/// What the solver is asked about two summaries.
#[derive(Clone, Debug)]
pub struct Question {
    /// Some observable is different, and the run counts in both versions; it ends in both, or, if that is
    /// compared, in one of them.
    pub differ: Term,
    /// The run was cut short or has no meaning for us in at least one version.
    pub unfinished: Term,
    /// The run does not count in at least one version.
    pub excluded: Term,
    /// The run does not end in at least one version.
    pub diverged: Term,
    /// The run is undefined in both versions: nothing is compared.
    pub undefined: Term,
    /// What holds of all inputs and all runs.
    pub assumptions: Vec<Term>,
}

/// The condition under which two summaries are observably different, and where they are not comparable.
///
/// Runs that do not end are compared only with `total`, and then only in that they do not.
pub fn where_they_differ(
    terms: &mut Terms,
    inputs: &Inputs,
    old: &Summary,
    new: &Summary,
    total: bool,
    errors: Errors,
) -> Question {
    let mut comparison = Comparison::new(terms, inputs, old, new, errors);
    let mut ways = comparison.all_ways();
    // Where one ends and the other does not, their endings differ already; this says it in short.
    let ends_alike = comparison.terms.eq(old.diverged, new.diverged);
    ways.push(comparison.terms.not(ends_alike));
    let differ = comparison.terms.or(&ways);
    let undefined = comparison.both_are_undefined();
    let defined = comparison.terms.not(undefined);
    let mut assumptions = inputs.assumptions.clone();
    assumptions.extend(old.assumptions.iter().chain(&new.assumptions));
    assumptions.extend(comparison.facts);
    let excluded = terms.or(&[old.excluded, new.excluded]);
    let counts = terms.not(excluded);
    let diverged = terms.or(&[old.diverged, new.diverged]);
    let incomparable = if total { terms.and(&[old.diverged, new.diverged]) } else { diverged };
    let comparable = terms.not(incomparable);
    let guards = [old, new].into_iter().flat_map(|summary| {
        let cut = summary.cut.iter().map(|cut| cut.guard);
        cut.chain(summary.unsupported.iter().map(|unsupported| unsupported.guard))
    });
    let mut gaps: Vec<Term> = guards.collect();
    gaps.push(terms.bool(!inputs.mismatches.is_empty()));
    let mut seen = BTreeSet::new();
    assumptions.retain(|fact| seen.insert(*fact));
    Question {
        differ: terms.and(&[counts, comparable, defined, differ]),
        unfinished: terms.or(&gaps),
        excluded,
        diverged,
        undefined,
        assumptions,
    }
}

/// The condition under which a procedure ends in undefined behaviour.
pub fn where_undefined(terms: &mut Terms, summary: &Summary) -> Term {
    let endings = summary.endings.iter();
    let guards: Vec<Term> = endings
        .filter(|(name, _)| name.as_deref().is_some_and(ir::is_undefined))
        .map(|(_, guard)| *guard)
        .collect();
    terms.or(&guards)
}

struct Comparison<'a> {
    terms: &'a mut Terms,
    inputs: &'a Inputs,
    old: &'a Summary,
    new: &'a Summary,
    known: KnownObjects,
    /// Any object that was there at the start.
    probe: Term,
    facts: Vec<Term>,
    errors: Errors,
}

impl<'a> Comparison<'a> {
    fn new(
        terms: &'a mut Terms,
        inputs: &'a Inputs,
        old: &'a Summary,
        new: &'a Summary,
        errors: Errors,
    ) -> Comparison<'a> {
        let probe = terms.var("probe.object", &ref_sort(inputs.numbers));
        let mut known = KnownObjects::default();
        known.add_input(&SymValue::Scalar(probe), &InputType::Ref(References::default()));
        for object in inputs.statics.values().filter(|object| object.constant) {
            known.add_constant_static(object.number);
        }
        Comparison { terms, inputs, old, new, known, probe, facts: Vec::new(), errors }
    }

    fn all_ways(&mut self) -> Vec<Term> {
        if !self.inputs.mismatches.is_empty() {
            return vec![self.terms.bool(true)];
        }
        let mut ways = self.endings();
        ways.push(self.results());
        ways.extend(self.thrown());
        ways.extend(self.globals());
        for (old, new) in self.old.written.into_iter().zip(self.new.written) {
            let same = self.terms.eq(old, new);
            ways.push(self.terms.not(same));
        }
        let world = self.terms.eq(self.old.world, self.new.world);
        ways.push(self.terms.not(world));
        ways.extend(self.heaps());
        ways
    }

    /// Both versions end in undefined behaviour, so that there is nothing to compare.
    fn both_are_undefined(&mut self) -> Term {
        let undefined = [self.old, self.new].map(|summary| where_undefined(self.terms, summary));
        self.terms.and(&undefined)
    }

    fn endings(&mut self) -> Vec<Term> {
        let names: BTreeSet<&Option<String>> =
            self.old.endings.keys().chain(self.new.endings.keys()).collect();
        let never = self.terms.bool(false);
        let mut ways = Vec::new();
        for name in names {
            let of = |summary: &Summary| summary.endings.get(name).copied().unwrap_or(never);
            let same = self.terms.eq(of(self.old), of(self.new));
            ways.push(self.terms.not(same));
        }
        ways
    }

    fn results(&mut self) -> Term {
        let (Some(old), Some(new)) = (&self.old.result, &self.new.result) else {
            return self.terms.bool(false);
        };
        let same = same(self.terms, old, new);
        let other = self.terms.not(same);
        let never = self.terms.bool(false);
        let returned = |summary: &Summary| summary.endings.get(&None).copied().unwrap_or(never);
        self.terms.and(&[returned(self.old), returned(self.new), other])
    }

    /// What the errors carry, where both versions end in the same one.
    fn thrown(&mut self) -> Vec<Term> {
        let (Some(old), Some(new)) = (self.old.thrown, self.new.thrown) else { return Vec::new() };
        let mut ways = Vec::new();
        for (error, old_guard) in &self.old.endings {
            let (Some(name), Some(new_guard)) = (error, self.new.endings.get(error)) else { continue };
            let mut differ = self.fields_differ(name, old.object, new.object);
            let mut pairs = Vec::new();
            if self.errors.messages {
                let [old, new] = [old, new].map(|it| self.message(name, it.message, it.is_known));
                pairs.push((old, new));
            }
            if self.errors.everything {
                pairs.push((old.message, new.message));
                pairs.push((old.is_known, new.is_known));
                pairs.push((old.object, new.object));
            }
            for (old, new) in pairs {
                let same = self.terms.eq(old, new);
                differ.push(self.terms.not(same));
            }
            let differ = self.terms.or(&differ);
            ways.push(self.terms.and(&[*old_guard, *new_guard, differ]));
        }
        ways
    }

    /// The message of an error; that of a check may be known from its name.
    fn message(&mut self, error: &str, message: Term, is_known: Term) -> Term {
        match ir::message_of_check(error) {
            Some(text) => {
                let units: Vec<u16> = text.encode_utf16().collect();
                let text = self.terms.text(&units);
                self.terms.ite(is_known, message, text)
            }
            None => message,
        }
    }

    /// The ways in which the fields of two exceptions differ.
    fn fields_differ(&mut self, error: &str, old: Term, new: Term) -> Vec<Term> {
        let fields = [self.old, self.new].map(|summary| summary.error_fields.get(error));
        if fields[0] != fields[1] {
            return vec![self.terms.bool(true)];
        }
        let mut ways = Vec::new();
        for name in fields[0].into_iter().flatten() {
            let Some(region) = self.inputs.regions.get(name) else { continue };
            let of = |summary: &'a Summary| summary.heap.get(name).unwrap_or(&region.cells).leaves();
            for (old_cells, new_cells) in of(self.old).into_iter().zip(of(self.new)) {
                let cells = [
                    select(self.terms, &self.known, old_cells, old),
                    select(self.terms, &self.known, new_cells, new),
                ];
                let same = self.terms.eq(cells[0], cells[1]);
                ways.push(self.terms.not(same));
            }
        }
        ways
    }

    /// A global that one version does not have, or never assigns, keeps its value there.
    fn globals(&mut self) -> Vec<Term> {
        let mut ways = Vec::new();
        for (name, input) in self.inputs.globals.iter().filter(|(name, _)| !self.inputs.own.contains(*name)) {
            let of = |summary: &'a Summary| summary.globals.get(name).unwrap_or(&input.value);
            let same = same(self.terms, of(self.old), of(self.new));
            ways.push(self.terms.not(same));
        }
        ways
    }

    fn heaps(&mut self) -> Vec<Term> {
        let escaping = Escaping::of(self.terms, self.inputs, self.old, self.new, self.errors);
        let mut ways = Vec::new();
        let at_probe = self.objects_differ(self.probe);
        if !at_probe.is_empty() {
            let is_object = self.probe_is_an_object();
            let differ = self.terms.or(&at_probe);
            ways.push(self.terms.and(&[is_object, differ]));
        }
        for (number, reached) in escaping.objects {
            let object = ref_number(self.terms, number, self.inputs.numbers);
            let mut differ = self.objects_differ(object);
            let same_shape = {
                let (old, new) =
                    (self.terms.select(self.old.shapes, object), self.terms.select(self.new.shapes, object));
                self.terms.eq(old, new)
            };
            differ.push(self.terms.not(same_shape));
            let differ = self.terms.or(&differ);
            ways.push(self.terms.and(&[reached, differ]));
        }
        ways
    }

    /// The ways in which the cells and lengths of one object can differ at the end.
    fn objects_differ(&mut self, object: Term) -> Vec<Term> {
        let mut ways = Vec::new();
        for place in 0..LENGTHS.len() {
            let lengths = [self.old, self.new].map(|summary| summary.lengths[place]);
            let [old, new] = lengths.map(|lengths| select(self.terms, &self.known, lengths, object));
            let same = self.terms.eq(old, new);
            ways.push(self.terms.not(same));
        }
        for (name, region) in self.inputs.regions.iter().filter(|(name, _)| !self.inputs.own.contains(*name))
        {
            let of = |summary: &'a Summary| summary.heap.get(name).unwrap_or(&region.cells);
            let pairs: Vec<(Term, Term)> =
                of(self.old).leaves().into_iter().zip(of(self.new).leaves()).collect();
            for (old, new) in pairs {
                let (old, new) = (
                    select(self.terms, &self.known, old, object),
                    select(self.terms, &self.known, new, object),
                );
                if old == new {
                    continue;
                }
                let differ = match region.index {
                    None => {
                        let same = self.terms.eq(old, new);
                        self.terms.not(same)
                    }
                    Some(index) => self.elements_differ(object, index.width, old, new),
                };
                ways.push(differ);
            }
        }
        let never = self.terms.bool(false);
        ways.retain(|way| *way != never);
        ways
    }

    /// Whether two arrays of cells differ at some index inside of the object.
    fn elements_differ(&mut self, object: Term, width: u8, old: Term, new: Term) -> Term {
        let numbers = self.inputs.numbers;
        let index = self.terms.var(&format!("probe.index.{width}"), &int_sort(width, numbers));
        let (old, new) = (self.terms.select(old, index), self.terms.select(new, index));
        let same = self.terms.eq(old, new);
        let differ = self.terms.not(same);
        let place = objects::length_place(width);
        // An input object had its length from the start. A new one still has it, unless it was freed.
        let length = match object == self.probe {
            true => select(self.terms, &self.known, self.inputs.lengths[place], object),
            false => select(self.terms, &self.known, self.old.lengths[place], object),
        };
        let zero = index_number(self.terms, 0, width, numbers);
        let (not_below, below, freed) = match numbers {
            Numbers::Machine => (
                self.terms.bv_cmp(BvCmp::Sle, zero, index),
                self.terms.bv_cmp(BvCmp::Slt, index, length),
                self.terms.bv_cmp(BvCmp::Slt, length, zero),
            ),
            Numbers::Math => {
                (self.terms.le(zero, index), self.terms.lt(index, length), self.terms.lt(length, zero))
            }
        };
        let inside = if object == self.probe { below } else { self.terms.or(&[below, freed]) };
        self.terms.and(&[differ, not_below, inside])
    }

    /// The probe is an input object, or a static object that is not constant.
    fn probe_is_an_object(&mut self) -> Term {
        let numbers = self.inputs.numbers;
        let (first, last) =
            (ref_number(self.terms, FIRST_INPUT, numbers), ref_number(self.terms, LAST_INPUT, numbers));
        let (above, below) =
            (objects::at_most(self.terms, first, self.probe), objects::at_most(self.terms, self.probe, last));
        let mut ways = vec![self.terms.and(&[above, below])];
        for object in self.inputs.statics.values().filter(|object| !object.constant) {
            let reference = ref_number(self.terms, object.number, numbers);
            ways.push(self.terms.eq(self.probe, reference));
        }
        self.terms.or(&ways)
    }
}
