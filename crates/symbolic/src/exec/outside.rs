//! Calls of procedures without a body: unknown functions, the same in both versions.
//!
//! What one leaves behind (result, memory, state of the outside world) is a function of its arguments and, as its
//! access says, of the memory that it can reach and of the state of the outside world. It can reach all that was there
//! at the start, and the allocated objects that its arguments, globals, what it was handed before and cells of all
//! these lead to. Objects that it cannot reach keep their cells, and are taken out of what it is a function of, so
//! that versions with other private objects still get the same terms.
//!
//! Over-approximating: an object counts as reached if it is on some path.

use super::Executor;
use crate::heap;
use crate::inputs::Inputs;
use crate::inputs::objects::FIRST_ALLOCATED;
use crate::reachable::{OUTSIDE, Reach};
use crate::state::{Escaped, Memory, State};
use crate::value::{SortTree, SymValue, as_ref_number};
use ir::{Access, LocalId, ProcId, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Sort, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

impl Executor<'_> {
    pub(crate) fn call_external(
        &mut self,
        mut state: State,
        local: Option<LocalId>,
        callee: ProcId,
        values: &[SymValue],
    ) -> State {
        let program = self.program;
        let procedure = program.procedure(callee);
        let access = procedure.external.access;
        self.notes.texts.insert(unknown_code(&procedure.short_name, access));
        if access.may_print() {
            self.show_written(&mut state);
        }
        let before = state.memory.clone();
        let given: Vec<Term> = procedure
            .parameters()
            .iter()
            .zip(values)
            .flat_map(|(param, value)| reference_leaves(value, &param.ty))
            .collect();
        let reached = Rc::new(self.reached_outside(&before, &given, access));
        let mut args: Vec<Term> = values.iter().flat_map(SymValue::leaves).collect();
        let mut private = BTreeSet::new();
        if access.reads_memory() {
            args.push(self.seen_memory(&before, &reached, &mut private));
        }
        if access.reads_world() {
            args.push(before.world);
        }
        let name = format!("{OUTSIDE}{}", procedure.name);
        let world = Sort::Uninterpreted("World".to_owned());
        if access.changes_world() {
            // One symbol stands for all that goes in; what comes out are functions of it.
            let after = self.notes.unknown(self.terms, &format!("{name}.world"), &args, &world);
            state.memory_mut().world = after;
            state.memory_mut().escaped = reached.clone();
            args = vec![after];
        }
        if access.writes_memory() {
            self.change_memory(&mut state, &before, &name, &args, &reached, &private);
            self.change_absent(&mut state, &before, &name, &args);
        }
        if let (Some(local), Some(ty)) = (local, &procedure.result) {
            let sorts = SortTree::of(ty, self.config.numbers);
            let (terms, notes) = (&mut *self.terms, &mut self.notes);
            let result = sorts.build(&name, &mut |name, sort| notes.unknown(terms, name, &args, sort));
            for leaf in reference_leaves(&result, ty) {
                self.assume_from_outside(leaf, &reached);
            }
            *state.local_mut(local.index()) = result;
        }
        state
    }

    /// Lets the outside world see what was written so far: code that is not there may write to the same streams, so
    /// that it matters what comes first.
    pub(super) fn show_written(&mut self, state: &mut State) {
        let nothing = self.terms.text(&[]);
        if state.memory.written != [nothing; 2] {
            let [output, errors] = state.memory.written;
            let sort = self.terms.sort_of(state.memory.world).clone();
            let args = [state.memory.world, output, errors];
            let world = self.notes.unknown(self.terms, &format!("{OUTSIDE}written"), &args, &sort);
            state.memory_mut().world = world;
        }
    }

    /// The allocated objects that the callee can get hold of.
    fn reached_outside(&self, memory: &Memory, given: &[Term], access: Access) -> Escaped {
        let escaped = &memory.escaped;
        if memory.allocated == 0 || escaped.below >= memory.allocated {
            return (**escaped).clone();
        }
        let mut reach = Reach::new(self.terms, memory.allocated);
        reach.reached.extend(&escaped.objects);
        reach.reached.extend((0..escaped.below).map(|index| FIRST_ALLOCATED + index));
        let mut seen = FxHashSet::default();
        given.iter().for_each(|leaf| reach.value(*leaf, &mut seen));
        // What may not look at memory gets at nothing but what it is given, and what others kept.
        if access.reads_memory() || access.changes_world() {
            for (global, value) in self.program.globals.iter().zip(&memory.globals) {
                let leaves = reference_leaves(value, &global.ty);
                leaves.into_iter().for_each(|leaf| reach.value(leaf, &mut seen));
            }
            let regions = self.program.regions.iter().zip(&memory.regions);
            let arrays: Vec<Term> =
                regions.flat_map(|(region, cells)| reference_leaves(cells, &region.value)).collect();
            reach.heap(&arrays, &BTreeSet::new());
        }
        let below = if reach.everything { memory.allocated } else { escaped.below };
        Escaped { below, objects: reach.reached }
    }

    /// A symbol for all memory that the callee can look at. `private` gets the objects that it cannot.
    fn seen_memory(&mut self, memory: &Memory, reached: &Escaped, private: &mut BTreeSet<u32>) -> Term {
        let mut strip = Strip { known: &self.known, memory, reached, done: FxHashMap::default(), private };
        let absent_globals: BTreeMap<&String, &SymValue> =
            self.absent.globals.iter().zip(&memory.absent_globals).collect();
        let absent_regions: BTreeMap<&String, &SymValue> =
            self.absent.regions.iter().zip(&memory.absent_regions).collect();
        let by_name = |names: &mut dyn Iterator<Item = &String>| -> BTreeMap<String, usize> {
            names.enumerate().map(|(index, name)| (name.clone(), index)).collect()
        };
        let globals = by_name(&mut self.program.globals.iter().map(|global| &global.name));
        let regions = by_name(&mut self.program.regions.iter().map(|region| &region.name));
        let mut args = Vec::new();
        // Both versions list what either of them has.
        for (name, input) in &self.inputs.globals {
            let value = globals.get(name).map(|index| &memory.globals[*index]);
            let value = value.or_else(|| absent_globals.get(name).copied()).unwrap_or(&input.value);
            args.extend(value.leaves());
        }
        for (name, input) in &self.inputs.regions {
            let cells = regions.get(name).map(|index| &memory.regions[*index]);
            let cells = cells.or_else(|| absent_regions.get(name).copied()).unwrap_or(&input.cells);
            args.extend(cells.leaves().into_iter().map(|array| strip.array(self.terms, array)));
        }
        let objects = memory.lengths.into_iter().chain([memory.shapes]);
        args.extend(objects.map(|array| strip.array(self.terms, array)));
        let sort = Sort::Uninterpreted("Memory".to_owned());
        self.notes.unknown(self.terms, &format!("{OUTSIDE}memory"), &args, &sort)
    }

    /// Gives new contents to all that the callee can write.
    fn change_memory(
        &mut self,
        state: &mut State,
        before: &Memory,
        name: &str,
        args: &[Term],
        reached: &Rc<Escaped>,
        private: &BTreeSet<u32>,
    ) {
        let program = self.program;
        for (place, global) in program.globals.iter().enumerate() {
            if global.constant || global.fixed {
                continue;
            }
            let name = format!("{name}.global.{}", global.name);
            let after = self.changed_outside(&before.globals[place], &name, args);
            for leaf in reference_leaves(&after, &global.ty) {
                self.assume_from_outside(leaf, reached);
            }
            state.memory_mut().globals[place] = after;
        }
        for (place, region) in program.regions.iter().enumerate() {
            let name = format!("{name}.heap.{}", region.name);
            let after = self.changed_outside(&before.regions[place], &name, args);
            for array in reference_leaves(&after, &region.value) {
                self.outside_cells.insert(array, reached.clone());
            }
            let (terms, known) = (&mut *self.terms, &self.known);
            let kept = before.regions[place].zip(&after, &mut |before, mut after| {
                for number in private {
                    let object = crate::value::ref_number(terms, *number, self.config.numbers);
                    let cells = heap::select(terms, known, before, object);
                    // Where nothing was written the object has no such cells.
                    if !is_untouched(terms, cells, object) {
                        after = terms.store(after, object, cells);
                    }
                }
                after
            });
            state.memory_mut().regions[place] = kept;
        }
    }

    /// What only the other version has is changed as it is there.
    fn change_absent(&mut self, state: &mut State, before: &Memory, name: &str, args: &[Term]) {
        for (place, global) in self.absent.globals.clone().into_iter().enumerate() {
            if !self.inputs.fixed.contains(&global) {
                let name = format!("{name}.global.{global}");
                let after = self.changed_outside(&before.absent_globals[place], &name, args);
                state.memory_mut().absent_globals[place] = after;
            }
        }
        for (place, region) in self.absent.regions.clone().into_iter().enumerate() {
            let name = format!("{name}.heap.{region}");
            let after = self.changed_outside(&before.absent_regions[place], &name, args);
            state.memory_mut().absent_regions[place] = after;
        }
    }

    fn changed_outside(&mut self, before: &SymValue, name: &str, args: &[Term]) -> SymValue {
        let mut place = 0;
        before.map(&mut |leaf| {
            place += 1;
            let sort = self.terms.sort_of(leaf).clone();
            self.notes.unknown(self.terms, &format!("{name}.{place}"), args, &sort)
        })
    }

    /// A reference that code that is not there gives: to none of the objects that it cannot reach.
    fn assume_from_outside(&mut self, reference: Term, reached: &Rc<Escaped>) {
        self.known.add_from_outside(reference, reached);
        if let Some(fact) = heap::is_from_outside(self.terms, reference, reached, self.config.numbers) {
            self.notes.assume(self.terms, fact);
        }
    }

    /// Says of a cell that is read what is known of those that code that is not there wrote. What stands there for an
    /// object that it could not reach has no meaning, so that nothing is said of it.
    pub(crate) fn assume_outside_cell(&mut self, cells: &SymValue, object: Term, index: Option<Term>) {
        if self.outside_cells.is_empty() {
            return;
        }
        let mut seen = FxHashSet::default();
        let mut open = cells.leaves();
        while let Some(array) = open.pop() {
            if !seen.insert(array) {
                continue;
            }
            match (self.terms.op(array), self.terms.args(array)) {
                (Op::Ite, &[_, then, otherwise]) => open.extend([then, otherwise]),
                (Op::Store, &[inner, ..]) => open.push(inner),
                _ => {}
            }
            if let Some(reached) = self.outside_cells.get(&array).cloned()
                && self.known.is_within(self.terms, object, &reached)
            {
                let cell = self.terms.select(array, object);
                let cell = index.map_or(cell, |index| self.terms.select(cell, index));
                // Maps of references are left open.
                if self.terms.sort_of(cell) == self.terms.sort_of(object) {
                    self.assume_from_outside(cell, &reached);
                }
            }
        }
    }
}

/// The names of what only the other version has: nothing in this one can look at it, but both are compared in it.
#[derive(Default)]
pub(crate) struct Absent {
    pub(crate) globals: Vec<String>,
    pub(crate) regions: Vec<String>,
}

impl Absent {
    pub(crate) fn of(program: &Program, inputs: &Inputs) -> Absent {
        let globals: BTreeSet<&String> = program.globals.iter().map(|global| &global.name).collect();
        let regions: BTreeSet<&String> = program.regions.iter().map(|region| &region.name).collect();
        Absent {
            globals: inputs.globals.keys().filter(|name| !globals.contains(name)).cloned().collect(),
            regions: inputs.regions.keys().filter(|name| !regions.contains(name)).cloned().collect(),
        }
    }
}

/// Takes the objects that cannot be seen out of arrays by references.
struct Strip<'a> {
    known: &'a heap::KnownObjects,
    memory: &'a Memory,
    reached: &'a Escaped,
    done: FxHashMap<Term, Term>,
    /// The objects that were taken out.
    private: &'a mut BTreeSet<u32>,
}

impl Strip<'_> {
    /// What the same constant object holds is the same wherever it is, and nothing changes it.
    fn is_private(&self, object: Term, terms: &Terms) -> Option<u32> {
        let number = as_ref_number(terms, object)?;
        let is_allocated =
            number.checked_sub(FIRST_ALLOCATED).is_some_and(|index| index < self.memory.allocated);
        let is_private = match is_allocated {
            true => !self.reached.contains(number),
            false => self.known.is_constant(number),
        };
        is_private.then_some(number)
    }

    fn array(&mut self, terms: &mut Terms, array: Term) -> Term {
        if let Some(done) = self.done.get(&array) {
            return *done;
        }
        let stripped = match (terms.op(array), terms.args(array)) {
            (Op::Store, &[inner, object, element]) => {
                let inner = self.array(terms, inner);
                match self.is_private(object, terms) {
                    Some(number) => {
                        self.private.insert(number);
                        inner
                    }
                    None => terms.store(inner, object, element),
                }
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                let (then, otherwise) = (self.array(terms, then), self.array(terms, otherwise));
                terms.ite(condition, then, otherwise)
            }
            _ => array,
        };
        self.done.insert(array, stripped);
        stripped
    }
}

/// Whether what was read of an array is just what the array below all writes has there.
fn is_untouched(terms: &Terms, cells: Term, object: Term) -> bool {
    matches!((terms.op(cells), terms.args(cells)), (Op::Select, &[array, at])
        if at == object && !matches!(terms.op(array), Op::Store | Op::Ite))
}

/// The leaves of a value that are references, or arrays of references.
fn reference_leaves(value: &SymValue, ty: &Type) -> Vec<Term> {
    match (value, ty) {
        (SymValue::Scalar(term), Type::Ref(_)) => vec![*term],
        (_, Type::Map(_, element)) => reference_leaves(value, element),
        (SymValue::Record(values), Type::Record(types)) => {
            values.iter().zip(types).flat_map(|(value, ty)| reference_leaves(value, ty)).collect()
        }
        _ => Vec::new(),
    }
}

/// What is taken for granted of a procedure without a body, in words.
pub fn unknown_code(short_name: &str, access: Access) -> String {
    let what = match access {
        Access::Pure => "its arguments in both versions, and does nothing else",
        Access::Asks => "its arguments and earlier external calls in both versions, and changes nothing",
        Access::Reads => {
            "its arguments, the memory that it can reach and earlier external calls in both versions, and changes nothing"
        }
        Access::World => {
            "its arguments and earlier external calls in both versions, and neither reads nor writes globals or objects"
        }
        Access::Streams => {
            "its arguments, what was written before and earlier external calls in both versions, and changes no memory"
        }
        Access::Shows => {
            "its arguments, the memory that it can reach and earlier external calls in both versions, and writes no memory"
        }
        Access::Writes => {
            "its arguments, the memory that it can reach and earlier external calls in both versions, and frees nothing"
        }
    };
    format!("`{short_name}`, whose source is not there, is the same function of {what}")
}
