//! The constructors of terms, which simplify as they build.
//!
//! Every rewrite is exact: the result has the same value as what was asked for under every
//! assignment (where the original has one). Work per constructor is bounded, so a term of any
//! depth is built in time near linear in its size; what a bound cuts off is left as it is.
//!
//! Normal forms: disjunctions are negated conjunctions; sums and products over `Int`, `Real` and
//! bit-vectors are sorted polynomials; `Int` comparisons are `<=` only, bit-vector comparisons `<`
//! only, both possibly under `Not`; commutative operands are sorted.

mod arith;
mod array;
mod bits;
mod bitvec;
mod boolean;
mod compare;
mod extract;
mod float;
mod float_convert;
mod ite;
mod polynomial;
mod text;

use crate::meaning;
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

impl Terms {
    /// A free variable. The same name with another sort is another variable.
    pub fn var(&mut self, name: &str, sort: &Sort) -> Term {
        self.intern(Op::Var(name.into()), &[], sort)
    }

    /// An uninterpreted function of the arguments; without arguments it is a variable.
    pub fn apply(&mut self, function: &str, args: &[Term], result: &Sort) -> Term {
        if args.is_empty() {
            return self.var(function, result);
        }
        self.intern(Op::Apply(function.into()), args, result)
    }

    /// The literal that the operation computes when all arguments are literals.
    fn fold(&mut self, op: &Op, args: &[Term], sort: &Sort) -> Option<Term> {
        if !self.simplifying {
            return None;
        }
        let values: Option<Vec<&Value>> = args.iter().map(|&arg| self.as_const(arg)).collect();
        let value = meaning::apply(op, &values?, sort)?;
        Some(self.intern(Op::Const(value), &[], sort))
    }

    /// Folds constants, and otherwise makes the node as it is.
    fn fold_or_intern(&mut self, op: Op, args: &[Term], sort: &Sort) -> Term {
        match self.fold(&op, args, sort) {
            Some(folded) => folded,
            None => self.intern(op, args, sort),
        }
    }

    /// Panics unless both have the same sort.
    fn assert_same_sort(&self, left: Term, right: Term) {
        let (left, right) = (self.sort_of(left), self.sort_of(right));
        assert_eq!(left, right, "operands should have the same sort");
    }
}
