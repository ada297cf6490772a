//! Objects whose cells are bytes, put together: the numbers and pointers that a person sees in them. Exact.

use ir::{Cells, FloatType, IntType, Program, Scalar, Shape, Type};

use crate::Value;

/// The scalars of one element of an object, in order, with their types.
pub type Element = Vec<(Type, Value)>;

/// The elements of an object whose shape says which numbers its bytes make; `None` if its cells are no bytes.
/// Padding is left out.
pub fn elements_of_bytes(program: &Program, shape: &Shape, cells: &[Value]) -> Option<Vec<Element>> {
    let Cells::Indexed(regions) = &shape.cells else { return None };
    // Single bytes are what they are, and only bytes lie in elements of others.
    // What `void *` points to is no element of anything.
    let lies_in_others = shape.ancestors.iter().any(|ancestor| !program.shape(*ancestor).is_abstract);
    if regions.len() < 2 || (shape.layout.scalars.is_empty() && !lies_in_others) {
        return None;
    }
    let types: Vec<&Type> = regions.iter().map(|region| &program.region(*region).value).collect();
    Some(cells.chunks(regions.len()).map(|element| scalars(shape, &types, element)).collect())
}

fn scalars(shape: &Shape, types: &[&Type], cells: &[Value]) -> Element {
    let mut found = Vec::new();
    for (cell, value) in cells.iter().enumerate() {
        let scalar = shape.layout.scalars.iter().find(|(start, _)| *start as usize == cell);
        match (scalar, types[cell]) {
            (Some((_, scalar)), _) => found.extend(number(*scalar, &cells[cell..])),
            (None, ty @ Type::Record(_)) => found.push((ty.clone(), value.clone())),
            (None, _) => {}
        }
    }
    found
}

/// The cells of a number in bytes.
pub fn bytes_of_number(value: &Value, scalar: Scalar) -> Vec<Value> {
    let bits = match value {
        Value::Bool(value) => u64::from(*value),
        Value::Int(value) => *value as u64,
        Value::F32(bits) => u64::from(*bits),
        Value::F64(bits) => *bits,
        Value::Big(_) | Value::Real(_) | Value::Undefined => return Vec::new(),
        Value::Text(_) | Value::Ref(_) | Value::Record(_) | Value::Map(_) => return Vec::new(),
    };
    let bytes = bits.to_le_bytes();
    bytes.iter().take(size_of(scalar)).map(|byte| Value::Int(i128::from(*byte as i8))).collect()
}

fn size_of(scalar: Scalar) -> usize {
    match scalar {
        Scalar::Bool => 1,
        Scalar::Int(ty) => usize::from(ty.width / 8),
        Scalar::Float(FloatType::F32) => 4,
        Scalar::Float(FloatType::F64) => 8,
    }
}

/// The number that the first bytes make.
fn number(scalar: Scalar, bytes: &[Value]) -> Option<(Type, Value)> {
    let mut bits = 0_u64;
    for (index, byte) in bytes.get(..size_of(scalar))?.iter().enumerate() {
        let Value::Int(byte) = byte else { return None };
        bits |= u64::from(IntType::U8.wrap(*byte) as u8) << (index * 8);
    }
    let value = match scalar {
        Scalar::Bool => Value::Bool(bits != 0),
        Scalar::Int(ty) => Value::Int(ty.wrap(i128::from(bits))),
        Scalar::Float(FloatType::F32) => Value::f32(f32::from_bits(bits as u32)),
        Scalar::Float(FloatType::F64) => Value::f64(f64::from_bits(bits)),
    };
    Some((scalar.into(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_what_its_bytes_make() {
        let int = Scalar::Int(IntType::I32);
        for number in [0, 1, -2, 0x0102_0304, i128::from(i32::MIN)] {
            let bytes = bytes_of_number(&Value::Int(number), int);
            assert_eq!(bytes.len(), 4);
            assert_eq!(super::number(int, &bytes), Some((Type::Int(IntType::I32), Value::Int(number))));
        }
        let half = bytes_of_number(&Value::f32(0.5), Scalar::Float(FloatType::F32));
        assert_eq!(half.last(), Some(&Value::Int(0x3f)));
    }
}
