//! The objects of a run: static ones first, then those of the input, then those allocated.

use crate::Ending;
use crate::code::{Code, RegionLayout, ShapeLayout};
use crate::domain::Domain;
use crate::halt::{Halt, broken};

pub(super) struct Heap<'code, D: Domain> {
    shapes: &'code [ShapeLayout],
    regions: &'code [RegionLayout<D::Slot>],
    /// Object number `i` is entry `i - 1`; number 0 is null.
    pub(super) objects: Vec<Object<D::Slot>>,
    statics: usize,
    /// How many slots may still be allocated.
    memory: u64,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Object<S> {
    pub(super) shape: u32,
    /// 0 for shapes with fields.
    pub(super) length: i64,
    pub(super) cells: Vec<S>,
}

/// What an object costs beside its cells.
const OBJECT_COST: u64 = 8;

impl<'code, D: Domain> Heap<'code, D> {
    pub(super) fn new(code: &'code Code<D::Slot>, memory: u64) -> Self {
        let statics = code.statics.len();
        Heap { shapes: &code.shapes, regions: &code.regions, objects: Vec::new(), statics, memory }
    }

    pub(super) fn allocate(&mut self, shape: u32, length: Option<i64>) -> Result<u32, Halt> {
        if length.is_some_and(|length| length < 0) {
            return Err(broken("an object with a negative length is allocated"));
        }
        let layout = &self.shapes[shape as usize];
        if layout.indexed != length.is_some()
            || layout.regions.is_empty() && length.is_some_and(|length| length > 0)
        {
            return Err(broken(format!("a {} with a length that its shape cannot have", layout.name)));
        }
        let cost = layout.slots(length).and_then(|slots| slots.checked_add(OBJECT_COST));
        let left = cost.and_then(|cost| self.memory.checked_sub(cost));
        self.memory = left.ok_or_else(|| Box::new(Ending::OutOfMemory))?;
        let cells = self.zeros(layout, length);
        self.objects.push(Object { shape, length: length.unwrap_or(0), cells });
        Ok(self.objects.len() as u32)
    }

    fn zeros(&self, layout: &ShapeLayout, length: Option<i64>) -> Vec<D::Slot> {
        let slots = layout.slots(length).unwrap_or(0) as usize;
        if let [(region, _)] = layout.regions[..]
            && let [zero] = &self.regions[region as usize].zero[..]
        {
            return vec![zero.clone(); slots];
        }
        let round = layout.regions.iter().flat_map(|(region, _)| &self.regions[*region as usize].zero);
        round.cycle().take(slots).cloned().collect()
    }

    /// Nothing is known of what the cells of a new object hold.
    pub(super) fn forget(&mut self, object: u32) {
        for cell in &mut self.objects[object as usize - 1].cells {
            *cell = D::unknown(cell.clone());
        }
    }

    pub(super) fn free(&mut self, object: u32) -> Result<(), Halt> {
        // Freeing null does nothing, as in C.
        let Some(index) = (object as usize).checked_sub(1) else { return Ok(()) };
        if index < self.statics {
            return Err(broken("a static object is freed"));
        }
        self.objects[index].length = -1;
        Ok(())
    }

    /// The slots of one cell.
    pub(super) fn cell(&self, object: u32, region: u32, index: Option<i64>) -> Result<&[D::Slot], Halt> {
        let object = self.get(object)?;
        let slot = self.slot(object, region, index)?;
        let width = self.regions[region as usize].zero.len();
        Ok(&object.cells[slot..slot + width])
    }

    pub(super) fn cell_mut(
        &mut self,
        object: u32,
        region: u32,
        index: Option<i64>,
    ) -> Result<&mut [D::Slot], Halt> {
        let slot = self.slot(self.get(object)?, region, index)?;
        let width = self.regions[region as usize].zero.len();
        Ok(&mut self.objects[object as usize - 1].cells[slot..slot + width])
    }

    fn slot(&self, object: &Object<D::Slot>, region: u32, index: Option<i64>) -> Result<usize, Halt> {
        let layout = &self.shapes[object.shape as usize];
        let slot = match index {
            None if !layout.indexed => layout.field(region).map(|slot| slot as usize),
            Some(index) if layout.indexed => {
                if index < 0 || index >= object.length {
                    return Err(out_of_bounds(layout, object.length, index));
                }
                layout.element(region, index as usize)
            }
            None | Some(_) => None,
        };
        slot.ok_or_else(|| self.wrong_region(layout, region))
    }

    #[cold]
    fn wrong_region(&self, layout: &ShapeLayout, region: u32) -> Halt {
        let region = &self.regions[region as usize].name;
        broken(format!("a cell of {region} in an object of shape {}", layout.name))
    }

    pub(super) fn length(&self, object: u32) -> Result<i64, Halt> {
        let object = self.get(object)?;
        let layout = &self.shapes[object.shape as usize];
        if layout.indexed {
            Ok(object.length)
        } else {
            Err(broken(format!("the length of a {}", layout.name)))
        }
    }

    /// The shape of an object; null has none.
    pub(super) fn shape(&self, object: u32) -> Result<Option<u32>, Halt> {
        if object == 0 { Ok(None) } else { Ok(Some(self.get(object)?.shape)) }
    }

    fn get(&self, object: u32) -> Result<&Object<D::Slot>, Halt> {
        let index = (object as usize).checked_sub(1).ok_or_else(|| broken("null is used as an object"))?;
        self.objects.get(index).ok_or_else(|| broken("there is no object with this number"))
    }
}

#[cold]
fn out_of_bounds(layout: &ShapeLayout, length: i64, index: i64) -> Halt {
    broken(format!("index {index} in a {} of length {length}", layout.name))
}
