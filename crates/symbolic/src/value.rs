//! Values as terms: the sorts of types in each number model, and values made of several terms.
//!
//! Exact. A record is the tuple of its components. A map to records is one array for each component, and a map
//! from records is an array of arrays, so that every leaf of a value is one term.

use ir::Numbers;
use ir::{FloatType, Type};
use smt::{FloatFormat, Sort, Term, Terms};

/// A value: one term, or the components of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymValue {
    Scalar(Term),
    Record(Vec<SymValue>),
}

impl SymValue {
    /// The terms that the value is made of, in order.
    pub fn leaves(&self) -> Vec<Term> {
        let mut leaves = Vec::new();
        self.add_leaves(&mut leaves);
        leaves
    }

    fn add_leaves(&self, leaves: &mut Vec<Term>) {
        match self {
            SymValue::Scalar(term) => leaves.push(*term),
            SymValue::Record(fields) => fields.iter().for_each(|field| field.add_leaves(leaves)),
        }
    }

    /// The term of a value that is not a record.
    pub fn scalar(&self) -> Option<Term> {
        match self {
            SymValue::Scalar(term) => Some(*term),
            SymValue::Record(_) => None,
        }
    }

    /// The value with each leaf replaced.
    pub(crate) fn map(&self, function: &mut impl FnMut(Term) -> Term) -> SymValue {
        match self {
            SymValue::Scalar(term) => SymValue::Scalar(function(*term)),
            SymValue::Record(fields) => {
                SymValue::Record(fields.iter().map(|field| field.map(function)).collect())
            }
        }
    }

    /// The leaves of two values of the same type, combined in pairs.
    pub(crate) fn zip(&self, other: &SymValue, function: &mut impl FnMut(Term, Term) -> Term) -> SymValue {
        match (self, other) {
            (SymValue::Scalar(a), SymValue::Scalar(b)) => SymValue::Scalar(function(*a, *b)),
            (SymValue::Record(a), SymValue::Record(b)) => {
                assert_eq!(a.len(), b.len(), "values of one type should have as many components");
                SymValue::Record(a.iter().zip(b).map(|(a, b)| a.zip(b, function)).collect())
            }
            (SymValue::Scalar(_), SymValue::Record(_)) | (SymValue::Record(_), SymValue::Scalar(_)) => {
                panic!("values of one type should have one structure")
            }
        }
    }
}

/// The sorts of the leaves of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SortTree {
    Leaf(Sort),
    Record(Vec<SortTree>),
}

impl SortTree {
    /// The sorts that values of a type have.
    pub(crate) fn of(ty: &Type, numbers: Numbers) -> SortTree {
        match ty {
            Type::Bool => SortTree::Leaf(Sort::Bool),
            Type::Int(ty) => SortTree::Leaf(int_sort(ty.width, numbers)),
            Type::Float(ty) => SortTree::Leaf(float_sort(*ty, numbers)),
            Type::Text => SortTree::Leaf(Sort::Text),
            Type::Ref(_) => SortTree::Leaf(ref_sort(numbers)),
            Type::Record(fields) => {
                SortTree::Record(fields.iter().map(|field| SortTree::of(field, numbers)).collect())
            }
            Type::Map(key, value) => {
                let keys = SortTree::of(key, numbers).leaves();
                SortTree::of(value, numbers).under(&keys)
            }
        }
    }

    /// The sorts of maps from the keys to this.
    pub(crate) fn under(self, keys: &[Sort]) -> SortTree {
        match self {
            SortTree::Leaf(sort) => {
                let array = |element, key: &Sort| Sort::array(key.clone(), element);
                SortTree::Leaf(keys.iter().rev().fold(sort, array))
            }
            SortTree::Record(fields) => {
                SortTree::Record(fields.into_iter().map(|field| field.under(keys)).collect())
            }
        }
    }

    pub(crate) fn leaves(&self) -> Vec<Sort> {
        match self {
            SortTree::Leaf(sort) => vec![sort.clone()],
            SortTree::Record(fields) => fields.iter().flat_map(SortTree::leaves).collect(),
        }
    }

    /// A value made by a function of each leaf's name and sort; the leaves of records have numbered names.
    pub(crate) fn build(&self, name: &str, make: &mut impl FnMut(&str, &Sort) -> Term) -> SymValue {
        match self {
            SortTree::Leaf(sort) => SymValue::Scalar(make(name, sort)),
            SortTree::Record(fields) => SymValue::Record(
                fields
                    .iter()
                    .enumerate()
                    .map(|(i, field)| field.build(&format!("{name}.{i}"), make))
                    .collect(),
            ),
        }
    }
}

pub(crate) fn int_sort(width: u8, numbers: Numbers) -> Sort {
    match numbers {
        Numbers::Machine => Sort::BitVec(width.into()),
        Numbers::Math => Sort::Int,
    }
}

fn float_sort(ty: FloatType, numbers: Numbers) -> Sort {
    match numbers {
        Numbers::Machine => Sort::Float(format_of(ty)),
        Numbers::Math => Sort::Real,
    }
}

/// The sort of references and of the codes of shapes.
pub(crate) fn ref_sort(numbers: Numbers) -> Sort {
    match numbers {
        Numbers::Machine => Sort::BitVec(32),
        Numbers::Math => Sort::Int,
    }
}

pub(crate) fn format_of(ty: FloatType) -> FloatFormat {
    match ty {
        FloatType::F32 => FloatFormat::F32,
        FloatType::F64 => FloatFormat::F64,
    }
}

/// The reference, or code, of a number.
pub(crate) fn ref_number(terms: &mut Terms, number: u32, numbers: Numbers) -> Term {
    match numbers {
        Numbers::Machine => terms.bv(number.into(), 32),
        Numbers::Math => terms.int(number),
    }
}

/// The number of a reference or code that is constant.
pub(crate) fn as_ref_number(terms: &Terms, term: Term) -> Option<u32> {
    match terms.as_int(term) {
        Some(number) => u32::try_from(number).ok(),
        None => terms.as_bits(term).and_then(|bits| u32::try_from(bits).ok()),
    }
}

/// Whether both values are the same, leaf by leaf.
pub(crate) fn same(terms: &mut Terms, a: &SymValue, b: &SymValue) -> Term {
    let (a, b) = (a.leaves(), b.leaves());
    assert_eq!(a.len(), b.len(), "values of one type should have as many leaves");
    let equal: Vec<Term> = a.into_iter().zip(b).map(|(a, b)| terms.eq(a, b)).collect();
    terms.and(&equal)
}
