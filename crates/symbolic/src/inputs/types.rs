//! The types of inputs, independent of the tables of one program, and what well-formed values of them satisfy.
//!
//! Well-formedness is what `docs/ir.md` says about inputs, and no more.

use crate::inputs::objects::{self, FIRST_INPUT, LAST_INPUT};
use crate::inputs::shapes::{self, ShapeCells, ShapeInfo, ShapeTable};
use crate::value::{SymValue, ref_number};
use ir::Numbers;
use ir::{FloatType, IntType, Program, ShapeId, Target, Type};
use num_rational::BigRational;
use smt::{BvCmp, Sort, Term, Terms};

/// The type of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputType {
    Bool,
    Int(IntType),
    Float(FloatType),
    Text,
    Ref(References),
    Record(Vec<InputType>),
    Map(Box<InputType>, Box<InputType>),
}

/// What a reference of the inputs may lead to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct References {
    /// The codes of the shapes that the objects may have, in order.
    pub codes: Vec<u32>,
    /// Where pointers may point to in objects whose elements have several cells.
    pub places: Vec<Places>,
}

/// The cells of the elements of a shape that a pointer may point to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// The code of the shape.
    pub code: u32,
    /// How many cells an element has.
    pub element: u32,
    pub cells: Vec<u32>,
}

impl References {
    fn of(target: Target, program: &Program, table: &ShapeTable) -> References {
        let names = shapes::allowed(program, target);
        let mut references = References::default();
        for name in names {
            let Some(info) = table.get(name).filter(|info| info.common) else { continue };
            references.codes.push(info.code);
            references.places.extend(Self::places(target, name, info, program));
        }
        references.codes.sort_unstable();
        references.places.sort_by_key(|places| places.code);
        references
    }

    fn places(target: Target, name: &str, info: &ShapeInfo, program: &Program) -> Option<Places> {
        let ShapeCells::Indexed { regions, .. } = &info.cells else { return None };
        let element = u32::try_from(regions.len()).ok().filter(|cells| *cells > 1)?;
        let cells = match target {
            Target::Any => vec![0],
            Target::Shape(target) => {
                let shape = program.shapes.iter().position(|shape| shape.name == name)?;
                program.places(target, ShapeId::from_index(shape))?
            }
        };
        Some(Places { code: info.code, element, cells })
    }

    /// What both lead to.
    fn meet(&self, other: &References) -> References {
        let codes: Vec<u32> = self.codes.iter().filter(|code| other.codes.contains(code)).copied().collect();
        let all =
            self.places.iter().chain(other.places.iter().filter(|places| !self.places.contains(places)));
        let places = all.filter(|places| codes.contains(&places.code)).cloned().collect();
        References { codes, places }
    }
}

impl InputType {
    pub(crate) fn of(ty: &Type, program: &Program, table: &ShapeTable) -> InputType {
        match ty {
            Type::Bool => InputType::Bool,
            Type::Int(ty) => InputType::Int(*ty),
            Type::Float(ty) => InputType::Float(*ty),
            Type::Text => InputType::Text,
            Type::Ref(target) => InputType::Ref(References::of(*target, program, table)),
            Type::Record(fields) => {
                InputType::Record(fields.iter().map(|field| InputType::of(field, program, table)).collect())
            }
            Type::Map(key, value) => InputType::Map(
                Box::new(InputType::of(key, program, table)),
                Box::new(InputType::of(value, program, table)),
            ),
        }
    }

    /// The values that both types have; `None` if the types do not fit each other.
    pub(crate) fn meet(&self, other: &InputType) -> Option<InputType> {
        match (self, other) {
            (InputType::Ref(a), InputType::Ref(b)) => Some(InputType::Ref(a.meet(b))),
            (InputType::Record(a), InputType::Record(b)) if a.len() == b.len() => {
                let fields: Option<Vec<InputType>> = a.iter().zip(b).map(|(a, b)| a.meet(b)).collect();
                fields.map(InputType::Record)
            }
            (InputType::Map(key, value), InputType::Map(other_key, other_value)) => {
                Some(InputType::Map(Box::new(key.meet(other_key)?), Box::new(value.meet(other_value)?)))
            }
            _ => (self == other).then(|| self.clone()),
        }
    }

    /// Whether this is how C pointers are represented: an object and an offset in cells.
    pub(crate) fn is_pointer(&self) -> bool {
        matches!(self, InputType::Record(fields)
            if matches!(fields.as_slice(), [InputType::Ref(_), InputType::Int(IntType::I64)]))
    }

    /// Whether this is a number that may be null: whether it is there, and the number.
    fn is_boxed(&self) -> bool {
        matches!(self, InputType::Record(fields)
            if matches!(fields.as_slice(),
                [InputType::Bool, InputType::Bool | InputType::Int(_) | InputType::Float(_)]))
    }

    /// Whether some part of a value is a pointer.
    pub(crate) fn has_pointer(&self) -> bool {
        match self {
            InputType::Record(fields) => self.is_pointer() || fields.iter().any(InputType::has_pointer),
            InputType::Map(_, value) => value.has_pointer(),
            InputType::Bool
            | InputType::Int(_)
            | InputType::Float(_)
            | InputType::Text
            | InputType::Ref(_) => false,
        }
    }
}

/// What must be known to say that a value is well-formed.
pub(crate) struct Typing<'a> {
    pub(crate) numbers: Numbers,
    /// Whether pointers may lead anywhere in an object, and unsigned numbers be negative under `math`.
    pub(crate) any_inputs: bool,
    /// The array from references to the codes of shapes, as it is at the start.
    pub(crate) shapes: Term,
    /// How many shapes are common to both versions and not closed: they have the codes from 1 on.
    pub(crate) common_shapes: u32,
    /// The reference and the code of the shape of each static object that is an input.
    pub(crate) statics: &'a [(u32, u32)],
    /// The array from references to 64-bit lengths, as it is at the start.
    pub(crate) lengths: Term,
    /// The code of each common shape whose elements have several cells, and how many: input objects have whole
    /// elements.
    pub(crate) structs: &'a [(u32, u32)],
}

impl Typing<'_> {
    /// Adds what a value of the type satisfies when the procedure starts.
    /// The elements of maps are left free: more inputs than there are, never fewer.
    pub(crate) fn well_formed(
        &self,
        terms: &mut Terms,
        value: &SymValue,
        ty: &InputType,
        facts: &mut Vec<Term>,
    ) {
        match (value, ty) {
            (SymValue::Scalar(term), InputType::Ref(references)) => {
                facts.push(self.reference(terms, *term, &references.codes))
            }
            (SymValue::Scalar(term), InputType::Int(int)) => {
                if self.numbers == Numbers::Math && !int.signed && !self.any_inputs {
                    let zero = terms.int(0);
                    facts.push(terms.le(zero, *term));
                }
            }
            (SymValue::Record(values), InputType::Record(types)) => {
                for (value, ty) in values.iter().zip(types) {
                    self.well_formed(terms, value, ty, facts);
                }
                if let ([SymValue::Scalar(object), SymValue::Scalar(offset)], Some(codes), false) =
                    (values.as_slice(), types.first(), self.any_inputs || !ty.is_pointer())
                {
                    self.pointer(terms, *object, *offset, codes, facts);
                }
                if let ([SymValue::Scalar(is_there), SymValue::Scalar(number)], false) =
                    (values.as_slice(), self.any_inputs || !ty.is_boxed())
                {
                    let zero = self.zero_like(terms, *number);
                    let is_zero = terms.eq(*number, zero);
                    facts.push(terms.or(&[*is_there, is_zero]));
                }
            }
            (
                SymValue::Scalar(_) | SymValue::Record(_),
                InputType::Bool
                | InputType::Int(_)
                | InputType::Float(_)
                | InputType::Text
                | InputType::Ref(_)
                | InputType::Record(_)
                | InputType::Map(..),
            ) => {}
        }
    }

    fn zero_like(&self, terms: &mut Terms, number: Term) -> Term {
        match terms.sort_of(number).clone() {
            Sort::Bool => terms.bool(false),
            Sort::Int => terms.int(0),
            Sort::BitVec(width) => terms.bv(0, width),
            Sort::Float(format) => terms.float(0, format),
            Sort::Real => terms.real(BigRational::from_integer(0.into())),
            other @ (Sort::Array(..) | Sort::Text | Sort::Uninterpreted(_)) => {
                unreachable!("numbers should not have the sort {other:?}")
            }
        }
    }

    /// A pointer leads anywhere into its object, or to its end, but only to places of its type.
    fn pointer(
        &self,
        terms: &mut Terms,
        object: Term,
        offset: Term,
        target: &InputType,
        facts: &mut Vec<Term>,
    ) {
        let zero = objects::index_number(terms, 0, 64, self.numbers);
        let length = terms.select(self.lengths, object);
        let (not_before, not_beyond) = match self.numbers {
            Numbers::Machine => {
                (terms.bv_cmp(BvCmp::Sle, zero, offset), terms.bv_cmp(BvCmp::Sle, offset, length))
            }
            Numbers::Math => (terms.le(zero, offset), terms.le(offset, length)),
        };
        let null = ref_number(terms, objects::NULL, self.numbers);
        let is_null = terms.eq(object, null);
        let at_start = terms.eq(offset, zero);
        let inside = terms.and(&[not_before, not_beyond]);
        facts.push(terms.ite(is_null, at_start, inside));
        let InputType::Ref(references) = target else { return };
        for places in &references.places {
            let shape = terms.select(self.shapes, object);
            let code = ref_number(terms, places.code, self.numbers);
            let of_shape = terms.eq(shape, code);
            let rest = objects::rest_of_cells(terms, offset, places.element);
            let mut ways = Vec::with_capacity(places.cells.len());
            for cell in &places.cells {
                let cell = objects::index_number(terms, i64::from(*cell), 64, self.numbers);
                ways.push(terms.eq(rest, cell));
            }
            let at_a_place = terms.or(&ways);
            facts.push(terms.implies(of_shape, at_a_place));
        }
    }

    /// Null, an input object of one of the shapes, or a static object of one of them.
    fn reference(&self, terms: &mut Terms, term: Term, codes: &[u32]) -> Term {
        let null = ref_number(terms, objects::NULL, self.numbers);
        let mut ways = vec![terms.eq(term, null)];
        let open: Vec<u32> = codes.iter().copied().filter(|code| *code <= self.common_shapes).collect();
        if !open.is_empty() {
            let (first, last) =
                (ref_number(terms, FIRST_INPUT, self.numbers), ref_number(terms, LAST_INPUT, self.numbers));
            let above = objects::at_most(terms, first, term);
            let below = objects::at_most(terms, term, last);
            let shape = terms.select(self.shapes, term);
            let of_shape = self.has_code(terms, shape, &open);
            ways.push(terms.and(&[above, below, of_shape]));
        }
        for (number, code) in self.statics {
            if codes.contains(code) {
                let object = ref_number(terms, *number, self.numbers);
                ways.push(terms.eq(term, object));
            }
        }
        terms.or(&ways)
    }

    fn has_code(&self, terms: &mut Terms, shape: Term, codes: &[u32]) -> Term {
        if codes.len() > 2 && codes.len() == self.common_shapes as usize {
            let first = ref_number(terms, 1, self.numbers);
            let last = ref_number(terms, self.common_shapes, self.numbers);
            let (above, below) =
                (objects::at_most(terms, first, shape), objects::at_most(terms, shape, last));
            return terms.and(&[above, below]);
        }
        let mut ways = Vec::with_capacity(codes.len());
        for code in codes {
            let code = ref_number(terms, *code, self.numbers);
            ways.push(terms.eq(shape, code));
        }
        terms.or(&ways)
    }
}
