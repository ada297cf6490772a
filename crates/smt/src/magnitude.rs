//! How large the polynomials of a question are: their degree, and the length of their coefficients once they are
//! multiplied out.
//!
//! Approximating, and only a measure of work: solvers multiply out, and a product of coefficients is as long as both.

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// The size of a polynomial over integers or real numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Magnitude {
    pub(crate) degree: u64,
    /// Bits of the longest coefficient, numerator and denominator together.
    pub(crate) bits: u64,
}

impl Magnitude {
    /// Something that the solver takes for a variable.
    const VARIABLE: Magnitude = Magnitude { degree: 1, bits: 0 };

    /// The largest one inside the roots.
    pub(crate) fn of(terms: &Terms, roots: &[Term]) -> Magnitude {
        let mut known: FxHashMap<Term, Magnitude> = FxHashMap::default();
        let mut largest = Magnitude::default();
        for term in terms.reachable(roots) {
            if !matches!(terms.sort_of(term), Sort::Int | Sort::Real) {
                continue;
            }
            let args: Vec<Magnitude> =
                terms.args(term).iter().filter_map(|arg| known.get(arg).copied()).collect();
            let equation = polynomial(terms.op(term), &args);
            largest = largest.max(equation);
            known.insert(term, if is_variable(terms, term) { Magnitude::VARIABLE } else { equation });
        }
        largest
    }

    /// Of a sum: the larger in each respect.
    fn max(self, other: Magnitude) -> Magnitude {
        Magnitude { degree: self.degree.max(other.degree), bits: self.bits.max(other.bits) }
    }

    /// Of a product.
    fn plus(self, other: Magnitude) -> Magnitude {
        Magnitude {
            degree: self.degree.saturating_add(other.degree),
            bits: self.bits.saturating_add(other.bits),
        }
    }
}

/// The polynomial that an operation on polynomials is, or that defines it.
fn polynomial(op: &Op, args: &[Magnitude]) -> Magnitude {
    match op {
        Op::Const(Value::Int(number)) => Magnitude { degree: 0, bits: bits(number) },
        Op::Const(Value::Real(number)) => {
            Magnitude { degree: 0, bits: bits(number.numer()) + bits(number.denom()) }
        }
        Op::Mul => args.iter().fold(Magnitude::default(), |product, &arg| product.plus(arg)),
        // A quotient times its divisor is the dividend.
        Op::RealDiv | Op::IntDiv | Op::IntMod => match args {
            [dividend, divisor] => Magnitude::VARIABLE.plus(*divisor).max(*dividend),
            _ => Magnitude::VARIABLE,
        },
        Op::Add | Op::Ite | Op::IntToReal => args.iter().fold(Magnitude::default(), |sum, &arg| sum.max(arg)),
        _ => Magnitude::VARIABLE,
    }
}

/// Whether the solver has a variable for the term, which an equation defines.
fn is_variable(terms: &Terms, term: Term) -> bool {
    match terms.op(term) {
        Op::RealDiv => terms.args(term).last().is_none_or(|divisor| terms.as_const(*divisor).is_none()),
        Op::IntDiv | Op::IntMod => true,
        _ => false,
    }
}

fn bits(number: &BigInt) -> u64 {
    // What is short costs nothing: one word holds it.
    match number.bits() {
        0..=8 => 0,
        more => more,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read;

    fn of(text: &str) -> (u64, u64) {
        let mut terms = Terms::new();
        let term = read(&mut terms, text);
        let Magnitude { degree, bits } = Magnitude::of(&terms, &[term]);
        (degree, bits)
    }

    #[test]
    fn degrees_add_up_in_products_and_not_in_sums() {
        assert_eq!(of("(= (+ i (* 2 j)) 7)"), (1, 0));
        assert_eq!(of("(= (* i i j) (+ i j))"), (3, 0));
        assert_eq!(of("(< (* r r) (ite p (* r s s) r))"), (3, 0));
    }

    #[test]
    fn coefficients_are_as_long_as_their_factors_together() {
        assert_eq!(of("(= (* 1000 i) j)"), (1, 10));
        assert_eq!(of("(= (* (+ i 1000) (+ j 1000)) n)"), (2, 20));
    }

    #[test]
    fn a_quotient_is_a_variable_that_an_equation_defines() {
        assert_eq!(of("(= (div i j) n)"), (2, 0));
        assert_eq!(of("(= (* (div i j) (div j i)) n)"), (2, 0));
        assert_eq!(of("(= (mod (* i i i) 7) n)"), (3, 0));
    }

    #[test]
    fn bits_have_no_degree() {
        assert_eq!(of("(= (* x y x) z)"), (0, 0));
    }
}
