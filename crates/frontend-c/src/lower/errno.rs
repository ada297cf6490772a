//! `errno`: a variable that functions of libc may set.
//!
//! A function that may write any memory may write this one as well. Of those that are known to leave the program's
//! memory alone, each may still set `errno`, to a number of an error and never to 0. Exact but for models: of these only
//! `strtol` and its like set it, which is assumed where a program uses it.

use ir::{Access, Const, Expr, External, IntType, StmtKind};

use super::variables::{Storage, Variable};
use super::{Lowerer, Value};
use crate::build;
use crate::types::CType;

/// The variable behind `errno`.
const NAME: &str = "$errno";

/// The largest number of an error on Linux.
const MOST: i128 = 4095;

/// What a number that is out of range is called.
const ERANGE: i128 = 34;

/// Functions that never fail.
const NEVER_FAIL: &[&str] = &[
    "clock", "getegid", "geteuid", "getgid", "getpid", "getppid", "getuid", "rand", "random", "srand",
    "srandom", "umask",
];

const ASSUMED: &str = "functions of the library that are modelled leave `errno` alone, but for `strtol` and its like where a number is out of range";

impl Lowerer<'_> {
    /// The address of `errno`, for the program.
    pub(crate) fn errno_address(&mut self) -> Value {
        self.assume(ASSUMED);
        let object = self.errno_object();
        Value { expr: build::pointer(object, build::i64(0)), ty: CType::pointer_to(CType::INT) }
    }

    /// A function of libc that writes no other memory was called with these arguments.
    pub(crate) fn may_set_errno(&mut self, name: &str, access: Access, args: &[Value]) {
        let silent = matches!(access, Access::Pure | Access::Asks | Access::Reads | Access::Writes);
        if silent || NEVER_FAIL.contains(&name) || !self.uses_errno() {
            return;
        }
        let external = External { access: Access::Asks, library: false };
        let callee = self.unknown_procedure(&format!("errno of {name}"), external, &CType::INT, args);
        let args = args.iter().map(|arg| arg.expr.clone()).collect();
        let number = self.emit_call(callee, args, CType::INT, true);
        let int = IntType::I32;
        let is_error = build::and(
            build::le(int, build::int(int, 1), number.expr.clone()),
            build::le(int, number.expr.clone(), build::int(int, MOST)),
        );
        let (then, ()) = self.block(|this| this.store_errno(number));
        self.emit(StmtKind::If { condition: is_error, then, otherwise: Vec::new() });
    }

    /// A model found a number that is out of range.
    pub(crate) fn set_out_of_range(&mut self) {
        if self.uses_errno() {
            self.store_errno(Value { expr: build::int(IntType::I32, ERANGE), ty: CType::INT });
        }
    }

    /// Whether a version of the program looks at `errno`.
    pub(crate) fn uses_errno(&self) -> bool {
        self.facts.is_some_and(|facts| facts.addressed.contains(NAME))
    }

    fn store_errno(&mut self, value: Value) {
        let (object, index) = (self.errno_object(), build::i64(0));
        if self.records.bytes {
            return self.store_bytes(&object, &index, value);
        }
        let region = self.region(&CType::INT);
        self.emit(StmtKind::Store { region, object, index: Some(index), value: value.expr });
    }

    fn errno_object(&mut self) -> Expr {
        let known = self.variables.iter().position(|variable| variable.name == NAME);
        let index = known.unwrap_or_else(|| {
            self.found.addressed.insert(NAME.to_owned());
            self.new_variable(Variable {
                name: NAME.to_owned(),
                ty: CType::INT,
                constant: false,
                private: false,
                defined: true,
                initial: Vec::new(),
                initializer: None,
                has_two_types: false,
                storage: None,
            })
        });
        match self.storage(index) {
            Ok(Storage::Object(id)) => Expr::Const(Const::Static(id)),
            _ => build::null(),
        }
    }
}
