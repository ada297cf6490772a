//! How references are numbered: null, input objects, allocated objects and static objects have ranges of their own.
//!
//! Exact: objects of different ranges differ by construction. The order in which objects are allocated is not
//! observable, so any numbering that gives every object of one run its own number will do.

use ir::Numbers;
use ir::{Const, Program, StaticObject};
use smt::{BvCmp, BvOp, Sort, Term, Terms};
use std::fmt::Write;

/// The null reference.
pub(crate) const NULL: u32 = 0;
/// Input objects have any number from here.
pub(crate) const FIRST_INPUT: u32 = 1;
pub(crate) const LAST_INPUT: u32 = 0x3fff_ffff;
/// Allocated objects are counted from here.
pub(crate) const FIRST_ALLOCATED: u32 = 0x4000_0000;
/// Static objects are counted from here.
pub(crate) const FIRST_STATIC: u32 = 0x8000_0000;

/// `a <= b`, of references and of codes.
pub(crate) fn at_most(terms: &mut Terms, a: Term, b: Term) -> Term {
    match *terms.sort_of(a) == Sort::Int {
        true => terms.le(a, b),
        false => terms.bv_cmp(BvCmp::Ule, a, b),
    }
}

/// A static object that the code under comparison names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StaticInput {
    pub name: String,
    /// Its reference.
    pub number: u32,
    pub shape: String,
    pub length: Option<i64>,
    /// Its cells are never written, and known. Otherwise they are an input.
    pub constant: bool,
}

/// What makes a static object of one version the same as one of the other version:
/// its name and layout, and the cells if they never change.
pub(crate) fn static_key(program: &Program, object: &StaticObject) -> String {
    let mut key = format!("{} {} {:?}", object.name, program.shape(object.shape).name, object.length);
    if object.constant {
        object.cells.iter().for_each(|cell| write_cell(program, cell, &mut key));
    }
    key
}

fn write_cell(program: &Program, cell: &Const, key: &mut String) {
    match cell {
        Const::Static(id) => write!(key, " static {:?}", program.static_object(*id).name),
        Const::Record(fields) => {
            fields.iter().for_each(|field| write_cell(program, field, key));
            write!(key, " end")
        }
        Const::Bool(_)
        | Const::Int(..)
        | Const::F32(_)
        | Const::F64(_)
        | Const::Text(_)
        | Const::NullText
        | Const::Null
        | Const::Map(..) => write!(key, " {cell:?}"),
    }
    .expect("writing to a string should not fail");
}

/// The index types that lengths can have, as places in a pair of arrays.
pub(crate) fn length_place(width: u8) -> usize {
    usize::from(width > 32)
}

/// The names of the arrays of lengths at the start, and the widths of what they hold.
pub(crate) const LENGTHS: [(&str, u8); 2] = [("length.i32", 32), ("length.i64", 64)];

/// The zero of an index or length.
pub(crate) fn index_number(terms: &mut Terms, number: i64, width: u8, numbers: Numbers) -> Term {
    match numbers {
        Numbers::Machine => terms.bv_signed(number.into(), width.into()),
        Numbers::Math => terms.int(number),
    }
}

/// What is left of an index or length after whole elements of some cells.
pub(crate) fn rest_of_cells(terms: &mut Terms, number: Term, cells: u32) -> Term {
    if let Sort::BitVec(width) = *terms.sort_of(number) {
        let cells = terms.bv(cells.into(), width);
        terms.bv_op(BvOp::Urem, number, cells)
    } else {
        let cells = terms.int(cells);
        terms.int_mod_euclid(number, cells)
    }
}

/// Whether an integer is zero.
pub(crate) fn is_zero(terms: &mut Terms, number: Term) -> Term {
    let zero =
        if let Sort::BitVec(width) = *terms.sort_of(number) { terms.bv(0, width) } else { terms.int(0) };
    terms.eq(number, zero)
}
