//! Concrete inputs, independent of any one program: shapes, globals and static objects go by name.

use crate::inputs::types::InputType;
use ir::Numbers;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::collections::BTreeMap;

/// What a procedure is run on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConcreteInput {
    pub args: Vec<ConcreteValue>,
    pub globals: BTreeMap<String, ConcreteValue>,
    /// The cells of the static objects that are not constant.
    pub statics: BTreeMap<String, Vec<ConcreteValue>>,
    /// The objects that `ConcreteValue::Object` counts.
    pub objects: Vec<ConcreteObject>,
    /// Whether everything that the model says is here.
    pub complete: bool,
}

/// An object of the heap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConcreteObject {
    pub shape: String,
    /// There exactly when the shape has cells by index.
    pub length: Option<i64>,
    /// The region of each cell, for shapes with fields.
    pub fields: Vec<String>,
    pub cells: Vec<ConcreteValue>,
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConcreteValue {
    Bool(bool),
    Int(BigInt),
    /// A float under `math`.
    Real(BigRational),
    /// The bits of a float, NaN in its canonical form.
    F32(u32),
    F64(u64),
    /// The null text, or UTF-16 code units.
    Text(Option<Vec<u16>>),
    Null,
    /// An index into the objects of the input.
    Object(usize),
    /// A static object, by its name.
    Static(String),
    Record(Vec<ConcreteValue>),
    Map {
        default: Box<ConcreteValue>,
        entries: Vec<(ConcreteValue, ConcreteValue)>,
    },
}

impl ConcreteValue {
    /// Zero, false, null.
    pub(crate) fn zero(ty: &InputType, numbers: Numbers) -> ConcreteValue {
        match ty {
            InputType::Bool => ConcreteValue::Bool(false),
            InputType::Int(_) => ConcreteValue::Int(BigInt::ZERO),
            InputType::Float(float) => match (numbers, float) {
                (Numbers::Math, _) => ConcreteValue::Real(BigRational::from_integer(BigInt::ZERO)),
                (Numbers::Machine, ir::FloatType::F32) => ConcreteValue::F32(0),
                (Numbers::Machine, ir::FloatType::F64) => ConcreteValue::F64(0),
            },
            InputType::Text => ConcreteValue::Text(None),
            InputType::Ref(_) => ConcreteValue::Null,
            InputType::Record(fields) => ConcreteValue::Record(
                fields.iter().map(|field| ConcreteValue::zero(field, numbers)).collect(),
            ),
            InputType::Map(_, value) => ConcreteValue::Map {
                default: Box::new(ConcreteValue::zero(value, numbers)),
                entries: Vec::new(),
            },
        }
    }
}
