//! Checks that a program is well-formed. Front ends validate what they lower, and rewritings what they rewrite.
//!
//! The invariants, all of which everything after a front end relies on:
//!
//! **Tables**
//! - Integer types have 8, 16, 32 or 64 bits.
//! - Every id lies in its table; the file of a span too, unless the span is nowhere.
//! - Names are unique among the procedures, globals, regions, shapes, statics and errors, each for itself.
//! - The index of a region is `i32` or `i64`.
//! - The regions of `fields` have no index and no region is there twice; the regions of `indexed` all have the
//!   same index type, and there is at least one.
//! - The ancestors of a shape include their own ancestors, and not the shape.
//! - The initial value of a global has its type.
//! - A static object has a shape that is not abstract, a length exactly if the shape is indexed, as many cells as
//!   its length or its fields, each of the type of its region; its length fits its index type.
//!
//! **Procedures**
//! - There are at least as many locals as parameters, exactly as many without a body. Names of locals are unique.
//! - `return` has a value exactly if the procedure has a result, and the value has that type.
//! - Labels are unique; `break` names a loop or scope around it, `continue` a loop around it.
//! - Nothing nests deeper than [`MAX_DEPTH`].
//!
//! **Statements**
//! - What is assigned, stored or passed has the type of its place (what references point to does not count).
//! - Conditions are booleans; messages and printed values are texts; freed, loaded and stored objects are references.
//! - No constant global is assigned.
//! - `load` and `store` have an index exactly if the region has one, and it has the region's index type.
//! - `new` gives a reference, and its shape is not abstract; it has a length exactly if the shape is indexed, of the
//!   shape's index type.
//! - Calls have as many arguments as the callee has parameters, and a local only if it has a result.
//! - The local for the message of a `catch` is a text.
//!
//! **Expressions**
//! - Operands have the type that the operator says, and the operator exists for that type: `not` for booleans; `neg`
//!   and arithmetic for numbers; `bitnot` and shifts for integers; `and or xor` for integers and booleans; `eq ne`
//!   for all scalars; `lt le` for numbers. Shift counts have the type of what is shifted.
//! - `convert` goes from numbers to numbers and from booleans to integers.
//! - The branches of `if`, the sides of `same_map`, keys and values of maps agree in type.
//! - `length` is `i32` or `i64`; `get` names a component of a record; `overflows` is of `add sub mul div shl`;
//!   intrinsics have the operands of their signature.
//! - Integer constants lie in the range of their type; a NaN is canonical.

mod depth;
mod exprs;
mod stmts;
mod tables;

use std::fmt;

use crate::{
    Block, Const, Expr, IntType, ProcId, Procedure, Program, Span, Target, Type, print_const, print_expr,
    print_type,
};

#[cfg(doc)]
use crate::MAX_DEPTH;

/// One way in which a program is not well-formed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    /// What it is about: ``procedure `f` ``.
    pub place: String,
    pub span: Span,
    /// A sentence without its full stop.
    pub message: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place)?;
        if !self.span.is_nowhere() {
            write!(f, " at {}:{}", self.span.line, self.span.column)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Whether a body nests deeper than a well-formed program may.
pub fn nests_too_deep(body: &Block) -> bool {
    depth::block_too_deep(body, 0)
}

/// Whether a program is well-formed; otherwise all that is wrong with it.
pub fn validate(program: &Program) -> Result<(), Vec<Invalid>> {
    let mut checker = Checker { program, place: String::new(), span: Span::NOWHERE, found: Vec::new() };
    checker.tables();
    for index in 0..program.procedures.len() {
        checker.procedure(ProcId::from_index(index));
    }
    if checker.found.is_empty() { Ok(()) } else { Err(checker.found) }
}

struct Checker<'a> {
    program: &'a Program,
    place: String,
    span: Span,
    found: Vec<Invalid>,
}

impl<'a> Checker<'a> {
    fn report(&mut self, message: impl Into<String>) {
        self.found.push(Invalid { place: self.place.clone(), span: self.span, message: message.into() });
    }

    /// Reports unless the condition holds.
    fn ensure(&mut self, condition: bool, message: impl FnOnce() -> String) {
        if !condition {
            self.report(message());
        }
    }

    /// Reports unless an id lies in its table.
    fn in_table<T>(&mut self, table: &[T], index: usize, what: &str) -> bool {
        let found = index < table.len();
        self.ensure(found, || format!("there is no {what} {index}"));
        found
    }

    /// Reports ids in a type that are out of range.
    fn check_type(&mut self, ty: &Type) {
        match ty {
            Type::Bool | Type::Text | Type::Float(_) | Type::Ref(Target::Any) => {}
            Type::Int(ty) => {
                self.ensure(IntType::ALL.contains(ty), || {
                    format!("integers have 8, 16, 32 or 64 bits, not {}", ty.width)
                });
            }
            Type::Ref(Target::Shape(shape)) => {
                self.in_table(&self.program.shapes, shape.index(), "shape");
            }
            Type::Record(fields) => fields.iter().for_each(|field| self.check_type(field)),
            Type::Map(key, value) => {
                self.check_type(key);
                self.check_type(value);
            }
        }
    }

    fn check_const(&mut self, value: &Const) {
        match value {
            Const::Bool(_) | Const::Text(_) | Const::NullText | Const::Null => {}
            Const::Int(ty, number) => {
                self.check_type(&Type::Int(*ty));
                let fits = IntType::ALL.contains(ty) && ty.contains(*number);
                self.ensure(fits, || format!("{number} is not in the range of {}", ty.name()));
            }
            Const::F32(bits) => {
                let canonical = !f32::from_bits(*bits).is_nan() || *value == Const::f32(f32::NAN);
                self.ensure(canonical, || format!("the NaN {bits:#x} is not the canonical one"));
            }
            Const::F64(bits) => {
                let canonical = !f64::from_bits(*bits).is_nan() || *value == Const::f64(f64::NAN);
                self.ensure(canonical, || format!("the NaN {bits:#x} is not the canonical one"));
            }
            Const::Static(id) => {
                self.in_table(&self.program.statics, id.index(), "static");
            }
            Const::Record(fields) => fields.iter().for_each(|field| self.check_const(field)),
            Const::Map(key, value) => {
                self.check_type(key);
                self.check_const(value);
            }
        }
    }

    /// Reports unless a constant may stand where a type is expected.
    fn check_const_fits(&mut self, value: &Const, ty: &Type) {
        self.check_const(value);
        self.ensure(ty.accepts(&value.ty()), || {
            format!("`{}` is not of type {}", print_const(self.program, value), print_type(self.program, ty))
        });
    }

    /// Reports that an expression has the wrong type.
    fn mismatch(&mut self, procedure: &Procedure, expr: &Expr, actual: &Type, expected: &str) {
        let mut text = print_expr(self.program, procedure, expr);
        if let Some((cut, _)) = text.char_indices().nth(80) {
            text.truncate(cut);
            text.push('…');
        }
        let actual = print_type(self.program, actual);
        self.report(format!("`{text}` should be {expected}, but is {actual}"));
    }
}
