//! Loads and stores of one cell. Exact under the assumptions about inputs.

use super::Executor;
use crate::heap::select;
use crate::inputs::objects::{FIRST_ALLOCATED, FIRST_STATIC};
use crate::state::{Memory, State};
use crate::value::{SymValue, as_ref_number};
use ir::RegionId;
use smt::Term;

impl Executor<'_> {
    /// One cell of an object.
    pub(crate) fn load(
        &mut self,
        memory: &Memory,
        region: RegionId,
        object: Term,
        index: Option<Term>,
    ) -> SymValue {
        self.assume_cell_well_formed(region, object, index);
        self.assume_outside_cell(&memory.regions[region.index()], object, index);
        let (terms, known) = (&mut *self.terms, &self.known);
        memory.regions[region.index()].map(&mut |array| {
            let cell = select(terms, known, array, object);
            index.map_or(cell, |index| terms.select(cell, index))
        })
    }

    /// Writes one cell of an object.
    pub(crate) fn store(
        &mut self,
        state: &mut State,
        region: RegionId,
        object: Term,
        index: Option<Term>,
        value: &SymValue,
    ) {
        let (terms, known) = (&mut *self.terms, &self.known);
        let cells = &mut state.memory_mut().regions[region.index()];
        *cells = cells.zip(value, &mut |array, element| match index {
            None => terms.store(array, object, element),
            Some(index) => {
                let inner = select(terms, known, array, object);
                let inner = terms.store(inner, index, element);
                terms.store(array, object, inner)
            }
        });
    }

    /// The cells of the start hold well-formed values. Said of the cell that is read, whatever was written
    /// since: no other cell of the start can show in what is read.
    fn assume_cell_well_formed(&mut self, region: RegionId, object: Term, index: Option<Term>) {
        let is_new = as_ref_number(self.terms, object)
            .is_some_and(|number| (FIRST_ALLOCATED..FIRST_STATIC).contains(&number));
        let Some(info) = self.inputs.regions.get(&self.program.region(region).name) else { return };
        if is_new || !self.assumed_cells.insert((region, object, index)) {
            return;
        }
        let terms = &mut *self.terms;
        let cell = self.initial_regions[region.index()].map(&mut |array| {
            let cell = terms.select(array, object);
            index.map_or(cell, |index| terms.select(cell, index))
        });
        let mut facts = Vec::new();
        self.inputs.typing().well_formed(terms, &cell, &info.ty, &mut facts);
        for fact in facts {
            self.notes.assume(self.terms, fact);
        }
        self.known.add_input(&cell, &info.ty);
    }
}
