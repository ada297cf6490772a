//! Objects whose cells are bytes: written and watched byte by byte, but for pointers. Padding is not watched.

use interp::Value;
use ir::{FloatType, Scalar, Shape, Type};

use super::Writer;

impl Writer<'_> {
    /// The shape of this name, if its elements are made of several bytes.
    fn shape_in_bytes(&self, shape: &str) -> Option<&Shape> {
        let program = self.case.subject.program;
        let shape = program.shapes.iter().find(|candidate| candidate.name == shape)?;
        interp::elements_of_bytes(program, shape, &[]).map(|_| shape)
    }

    pub(super) fn is_in_bytes(&self, shape: &str) -> bool {
        self.shape_in_bytes(shape).is_some()
    }

    /// Writes the cells of an object to the memory that starts at a place.
    pub(super) fn fill_bytes(&mut self, start: &str, cells: &[Value]) -> Result<(), String> {
        let mut bytes = Vec::new();
        let mut pointers = Vec::new();
        for (index, cell) in cells.iter().enumerate() {
            match cell {
                Value::Int(byte) => bytes.push((byte & 0xff).to_string()),
                _ => {
                    bytes.push("0".to_owned());
                    pointers.push((index, self.value(cell)?));
                }
            }
        }
        self.line(&format!("{{ unsigned char cells[{}] = {{{}}};", bytes.len(), bytes.join(", ")));
        self.line(&format!("  selfsame_copy((void *)({start}), cells, sizeof cells); }}"));
        for (index, pointer) in pointers {
            self.line(&format!("*(void **)((char *)({start}) + {index}) = {pointer};"));
        }
        Ok(())
    }

    pub(super) fn watch_bytes(
        &mut self,
        name: &str,
        start: &str,
        shape: &str,
        cells: &[Value],
    ) -> Result<(), String> {
        let size = self.regions(shape)?.len().max(1);
        let watched = self.shape_in_bytes(shape).map(number_bytes).unwrap_or_default();
        for (index, cell) in cells.iter().enumerate() {
            match cell {
                Value::Int(_) if !watched.contains(&(index % size)) => {}
                Value::Int(_) => {
                    let place = format!("((signed char *)({start}))[{index}]");
                    self.watch_scalar(name, index as i64, &Type::Int(ir::IntType::I8), &place, cell)?;
                }
                _ => {
                    let pointer = self.value(cell)?;
                    let place = format!("*(void **)((char *)({start}) + {index})");
                    self.line(&format!("selfsame_int(\"{name}\", {index}, {place} == {pointer});"));
                    self.expect(&format!("{name}[{index}] = 1"));
                }
            }
        }
        Ok(())
    }
}

/// The bytes of an element that belong to its numbers.
fn number_bytes(shape: &Shape) -> Vec<usize> {
    let size = |scalar: &Scalar| match scalar {
        Scalar::Bool => 1,
        Scalar::Int(ty) => usize::from(ty.width / 8),
        Scalar::Float(FloatType::F32) => 4,
        Scalar::Float(FloatType::F64) => 8,
    };
    let scalars = shape.layout.scalars.iter();
    scalars.flat_map(|(start, scalar)| (*start as usize..).take(size(scalar))).collect()
}
