//! Statements that only change the state, or end the run.

use super::{Executor, Halt};
use crate::ending::Final;
use crate::inputs::objects::{FIRST_ALLOCATED, LENGTHS, index_number, length_place};
use crate::inputs::shapes::index_type;
use crate::path::StepKind;
use crate::state::State;
use crate::value::{int_sort, ref_number};
use ir::{Cells, Expr, GlobalId, LocalId, RegionId, ShapeId, Stream};

type Step = Result<Option<State>, Halt>;

impl Executor<'_> {
    pub(super) fn assign(&mut self, mut state: State, local: LocalId, value: &Expr) -> Step {
        let value = self.eval(&state, value)?;
        *state.local_mut(local.index()) = self.bounded(value)?;
        Ok(Some(state))
    }

    pub(super) fn assign_global(&mut self, mut state: State, global: GlobalId, value: &Expr) -> Step {
        let value = self.eval(&state, value)?;
        state.memory_mut().globals[global.index()] = value;
        Ok(Some(state))
    }

    pub(super) fn write_cell(
        &mut self,
        mut state: State,
        region: RegionId,
        object: &Expr,
        index: Option<&Expr>,
        value: &Expr,
    ) -> Step {
        let object = self.eval_scalar(&state, object)?;
        let index = match index {
            Some(index) => Some(self.eval_scalar(&state, index)?),
            None => None,
        };
        let value = self.eval(&state, value)?;
        self.store(&mut state, region, object, index, &value);
        Ok(Some(state))
    }

    pub(super) fn allocate(
        &mut self,
        mut state: State,
        local: LocalId,
        shape: ShapeId,
        length: Option<&Expr>,
    ) -> Step {
        let length = match length {
            Some(length) => Some(self.eval_scalar(&state, length)?),
            None => None,
        };
        let numbers = self.config.numbers;
        let number = FIRST_ALLOCATED + state.memory.allocated;
        state.memory_mut().allocated += 1;
        let object = ref_number(self.terms, number, numbers);
        let shape = self.program.shape(shape);
        let code = self.inputs.shape_table.get(&shape.name).map_or(0, |info| info.code);
        let code = ref_number(self.terms, code, numbers);
        let shapes = self.terms.store(state.memory.shapes, object, code);
        state.memory_mut().shapes = shapes;
        if let (Some(length), Some(index)) = (length, index_type(self.program, &shape.cells)) {
            let place = length_place(index.width);
            let lengths = self.terms.store(state.memory.lengths[place], object, length);
            state.memory_mut().lengths[place] = lengths;
        }
        let (Cells::Fields(regions) | Cells::Indexed(regions)) = &shape.cells;
        for id in regions {
            let region = self.program.region(*id);
            let keys: Vec<_> = region.index.iter().map(|index| int_sort(index.width, numbers)).collect();
            let zero = self.zero(&region.value).map(&mut |leaf| self.constant_array(&keys, leaf));
            let terms = &mut *self.terms;
            let cells = &mut state.memory_mut().regions[id.index()];
            *cells = cells.zip(&zero, &mut |array, zero| terms.store(array, object, zero));
        }
        *state.local_mut(local.index()) = crate::value::SymValue::Scalar(object);
        Ok(Some(state))
    }

    pub(super) fn free(&mut self, mut state: State, object: &Expr) -> Step {
        let object = self.eval_scalar(&state, object)?;
        let place = length_place(64);
        let gone = index_number(self.terms, -1, LENGTHS[place].1, self.config.numbers);
        let lengths = self.terms.store(state.memory.lengths[place], object, gone);
        state.memory_mut().lengths[place] = lengths;
        Ok(Some(state))
    }

    pub(super) fn print(&mut self, mut state: State, stream: Stream, text: &Expr) -> Step {
        let text = self.eval_scalar(&state, text)?;
        state.write(self.terms, stream, text);
        Ok(Some(state))
    }

    /// Runs on which the condition does not hold are not considered.
    pub(super) fn assume(&mut self, mut state: State, condition: &Expr) -> Step {
        let condition = self.eval_scalar(&state, condition)?;
        match self.decide(state.path, condition, StepKind::Check)? {
            Some(true) => return Ok(Some(state)),
            Some(false) => {
                let ending = Final::excluded(self.terms, state.path);
                self.finals.push(ending);
                self.escapes.fail(0);
                return Ok(None);
            }
            None => {}
        }
        let opposite = self.terms.not(condition);
        let excluded = self.paths.extend(state.path, opposite, StepKind::Check);
        let ending = Final::excluded(self.terms, excluded);
        self.finals.push(ending);
        self.escapes.fail(0);
        state.path = self.paths.extend(state.path, condition, StepKind::Check);
        Ok(Some(state))
    }
}
