//! The state in which a procedure starts: the shared inputs, and the constants of its own program.
//!
//! Exact.

use super::Executor;
use crate::heap;
use crate::inputs::Inputs;
use crate::inputs::objects::{LENGTHS, index_number, length_place};
use crate::inputs::shapes::index_type;
use crate::path::Paths;
use crate::reach;
use crate::state::{Memory, State};
use crate::value::{SortTree, SymValue, int_sort, ref_number};
use ir::{Cells, ProcId, StaticObject};
use smt::{Sort, Term};
use std::rc::Rc;

impl Executor<'_> {
    /// The arguments, which both versions share if they agree on their types.
    pub(crate) fn arguments(&mut self, procedure: ProcId) -> Vec<SymValue> {
        let params = self.program.procedure(procedure).parameters();
        let numbers = self.config.numbers;
        let mut args = Vec::with_capacity(params.len());
        for (index, param) in params.iter().enumerate() {
            let sorts = SortTree::of(&param.ty, numbers).leaves();
            let shared = self.inputs.args.get(index).filter(|arg| {
                let leaves = arg.value.leaves();
                leaves.len() == sorts.len()
                    && leaves.iter().zip(&sorts).all(|(leaf, sort)| self.terms.sort_of(*leaf) == sort)
            });
            match shared {
                Some(arg) => {
                    self.known.add_input(&arg.value, &arg.ty);
                    args.push(arg.value.clone());
                }
                None => args.push(Inputs::variable(
                    self.terms,
                    &format!("arg.{}", param.name),
                    &param.ty,
                    numbers,
                )),
            }
        }
        args
    }

    pub(crate) fn initial_state(&mut self, procedure: ProcId) -> State {
        let mut globals = Vec::with_capacity(self.program.globals.len());
        for global in &self.program.globals {
            let value = match global.constant {
                true => self.constant(&global.initial).ok(),
                false => None,
            };
            globals.push(value.unwrap_or_else(|| {
                let name = format!("global.{}", global.name);
                Inputs::variable(self.terms, &name, &global.ty, self.config.numbers)
            }));
        }
        for global in self.inputs.globals.values() {
            self.known.add_input(&global.value, &global.ty);
        }
        let inputs = self.inputs;
        let mut memory = Memory {
            globals,
            regions: self.initial_regions.clone(),
            absent_globals: self
                .absent
                .globals
                .iter()
                .map(|name| inputs.globals[name].value.clone())
                .collect(),
            absent_regions: self
                .absent
                .regions
                .iter()
                .map(|name| inputs.regions[name].cells.clone())
                .collect(),
            lengths: self.inputs.lengths,
            shapes: self.inputs.shapes,
            allocated: 0,
            written: [self.terms.text(&[]); 2],
            world: self.inputs.world,
            escaped: Rc::default(),
        };
        for id in reach::statics(self.program, procedure) {
            let object = self.program.static_object(id);
            if let (true, Some(number)) = (object.constant, self.inputs.static_number(self.program, object)) {
                self.known.add_constant_static(number);
                self.place_constant(&mut memory, object, number);
            }
        }
        State { path: Paths::ROOT, locals: Rc::new(Vec::new()), memory: Rc::new(memory) }
    }

    /// Puts the cells of a constant static object into the initial heap.
    fn place_constant(&mut self, memory: &mut Memory, object: &StaticObject, number: u32) {
        let numbers = self.config.numbers;
        let shape = self.program.shape(object.shape);
        let reference = ref_number(self.terms, number, numbers);
        let code = self.inputs.shape_table.get(&shape.name).map_or(0, |info| info.code);
        let code = ref_number(self.terms, code, numbers);
        memory.shapes = self.terms.store(memory.shapes, reference, code);
        if let (Some(index), Some(length)) = (index_type(self.program, &shape.cells), object.length) {
            let place = length_place(index.width);
            let length = index_number(self.terms, length, LENGTHS[place].1, numbers);
            memory.lengths[place] = self.terms.store(memory.lengths[place], reference, length);
        }
        let (Cells::Fields(regions) | Cells::Indexed(regions)) = &shape.cells;
        for (position, id) in regions.iter().enumerate() {
            if regions[..position].contains(id) {
                continue;
            }
            let region = self.program.region(*id);
            let keys: Vec<Sort> = region.index.iter().map(|index| int_sort(index.width, numbers)).collect();
            let mut cells = self.zero(&region.value).map(&mut |leaf| self.constant_array(&keys, leaf));
            for (place, cell) in object.cells.iter().enumerate() {
                if regions[place % regions.len()] != *id {
                    continue;
                }
                let Ok(value) = self.constant(cell) else { continue };
                let keys: Vec<Term> = region
                    .index
                    .iter()
                    .map(|index| index_number(self.terms, place as i64, index.width, numbers))
                    .collect();
                let terms = &mut *self.terms;
                cells = cells.zip(&value, &mut |array, leaf| heap::update(terms, array, &keys, leaf));
            }
            let terms = &mut *self.terms;
            let whole = &mut memory.regions[id.index()];
            *whole = whole.zip(&cells, &mut |array, cells| terms.store(array, reference, cells));
        }
    }
}
