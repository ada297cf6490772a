//! Constructors that cut bit-vectors and put them together: extraction, concatenation, extension.
//!
//! Extraction moves inwards to where the bits come from, so that narrow arithmetic done in wide
//! numbers is narrow arithmetic.

use super::polynomial::{Modular, Polynomial};
use crate::op::{BvOp, Op};
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::{Value, mask};

/// Sums with more summands than this are not cut to narrower sums.
const MOST_CUT: usize = 16;

impl Terms {
    /// The bits from `high` down to `low`, both included.
    pub fn extract(&mut self, high: u32, low: u32, term: Term) -> Term {
        let width = self.width_of(term);
        assert!(low <= high && high < width, "bits {high} to {low} should be within {width} bits");
        let sort = Sort::BitVec(high - low + 1);
        let op = Op::Extract { high, low };
        if !self.simplifying {
            return self.intern(op, &[term], &sort);
        }
        if low == 0 && high == width - 1 {
            return term;
        }
        if let Some(folded) = self.fold(&op, &[term], &sort) {
            return folded;
        }
        if self.start_lift() {
            let inside = self.extract_inside(high, low, term);
            self.end_lift();
            if let Some(inside) = inside {
                return inside;
            }
        }
        self.intern(op, &[term], &sort)
    }

    fn extract_inside(&mut self, high: u32, low: u32, term: Term) -> Option<Term> {
        let args = self.args(term).to_vec();
        match self.op(term).clone() {
            Op::Extract { low: inner_low, .. } => {
                Some(self.extract(high + inner_low, low + inner_low, args[0]))
            }
            Op::Concat => {
                let border = self.width_of(args[1]);
                if high < border {
                    return Some(self.extract(high, low, args[1]));
                }
                if low >= border {
                    return Some(self.extract(high - border, low - border, args[0]));
                }
                let upper = self.extract(high - border, 0, args[0]);
                let lower = self.extract(border - 1, low, args[1]);
                Some(self.concat(upper, lower))
            }
            op @ (Op::ZeroExtend(_) | Op::SignExtend(_)) => {
                Some(self.extract_extended(high, low, args[0], op == Op::SignExtend(self.width_of(term))))
            }
            Op::Bv(BvOp::Add | BvOp::Mul) => self.extract_polynomial(high, low, term),
            Op::Bv(op @ (BvOp::And | BvOp::Or | BvOp::Xor)) => {
                let parts: Vec<Term> = args.iter().map(|&arg| self.extract(high, low, arg)).collect();
                parts.into_iter().reduce(|left, right| self.bv_op(op, left, right))
            }
            Op::Ite => {
                let then = self.extract(high, low, args[1]);
                let otherwise = self.extract(high, low, args[2]);
                Some(self.ite(args[0], then, otherwise))
            }
            _ => None,
        }
    }

    fn extract_extended(&mut self, high: u32, low: u32, inner: Term, signed: bool) -> Term {
        let inner_width = self.width_of(inner);
        let width = high - low + 1;
        if high < inner_width {
            return self.extract(high, low, inner);
        }
        if low >= inner_width && !signed {
            return self.bv(0, width);
        }
        // At least the sign bit is in the result, followed by its copies.
        let rest = self.extract(inner_width - 1, low.min(inner_width - 1), inner);
        if signed { self.sign_extend(width, rest) } else { self.zero_extend(width, rest) }
    }

    /// Low bits of sums and products are those of the low bits; common factors of two shift out.
    fn extract_polynomial(&mut self, high: u32, low: u32, term: Term) -> Option<Term> {
        let width = self.width_of(term);
        let ring = Modular { width };
        let polynomial = self.polynomial(&ring, term);
        let zeros = polynomial.summands.iter().map(|(_, c)| c.trailing_zeros()).min().unwrap_or(0);
        if zeros > 0 && low >= zeros {
            let shifted = polynomial.summands.into_iter().map(|(m, c)| (m, c >> zeros)).collect();
            let shifted = self.polynomial_term(&ring, &Polynomial { summands: shifted });
            return Some(self.extract(high - zeros, low - zeros, shifted));
        }
        if zeros > high {
            return Some(self.bv(0, high - low + 1));
        }
        let narrow = Modular { width: high + 1 };
        if low == 0 && polynomial.summands.len() <= MOST_CUT {
            return Some(self.cut_polynomial(high, &narrow, &polynomial));
        }
        // Coefficients matter only up to the highest bit that is kept.
        let reduced: Vec<_> =
            polynomial.summands.iter().map(|(m, c)| (m.clone(), c & mask(high + 1))).collect();
        if reduced == polynomial.summands {
            return None;
        }
        let reduced = self.polynomial_term(&ring, &Polynomial::from_summands(&ring, reduced));
        Some(self.extract(high, low, reduced))
    }

    fn cut_polynomial(&mut self, high: u32, narrow: &Modular, polynomial: &Polynomial<u128>) -> Term {
        let mut sum = self.bv(0, narrow.width);
        for (monomial, coefficient) in &polynomial.summands {
            let mut product = self.bv_wide(*coefficient, narrow.width);
            for &atom in monomial {
                let cut = self.extract(high, 0, atom);
                product = self.multiply(narrow, product, cut);
            }
            sum = self.bv_op(BvOp::Add, sum, product);
        }
        sum
    }

    /// The bits of `upper` above those of `lower`.
    pub fn concat(&mut self, upper: Term, lower: Term) -> Term {
        let (upper_width, lower_width) = (self.width_of(upper), self.width_of(lower));
        let width = upper_width + lower_width;
        assert!(width <= 128, "bit-vectors should have at most 128 bits, not {width}");
        let sort = Sort::BitVec(width);
        if let Some(folded) = self.fold(&Op::Concat, &[upper, lower], &sort) {
            return folded;
        }
        if self.simplifying {
            if self.as_bits(upper) == Some(0) {
                return self.zero_extend(width, lower);
            }
            if let (Op::Extract { high, low }, Op::Extract { high: next, low: last }) =
                (self.op(upper).clone(), self.op(lower).clone())
                && self.args(upper) == self.args(lower)
                && low == next + 1
            {
                return self.extract(high, last, self.args(upper)[0]);
            }
        }
        self.intern(Op::Concat, &[upper, lower], &sort)
    }

    /// Widens to `to` bits with copies of the sign bit.
    pub fn sign_extend(&mut self, to: u32, term: Term) -> Term {
        self.extend(Op::SignExtend(to), to, term)
    }

    /// Widens to `to` bits with zeros.
    pub fn zero_extend(&mut self, to: u32, term: Term) -> Term {
        self.extend(Op::ZeroExtend(to), to, term)
    }

    fn extend(&mut self, op: Op, to: u32, term: Term) -> Term {
        let width = self.width_of(term);
        assert!(width <= to && to <= 128, "{width} bits should not be extended to {to}");
        let sort = Sort::BitVec(to);
        if to == width {
            return term;
        }
        if let Some(folded) = self.fold(&op, &[term], &sort) {
            return folded;
        }
        if self.simplifying {
            match (&op, self.op(term)) {
                // A number that was widened with zeros has a zero for its sign.
                (_, Op::ZeroExtend(_)) => return self.zero_extend(to, self.args(term)[0]),
                (Op::SignExtend(_), Op::SignExtend(_)) => return self.sign_extend(to, self.args(term)[0]),
                _ => {}
            }
        }
        self.intern(op, &[term], &sort)
    }

    /// Equality cut to narrower equalities: of extensions, of concatenations, of `xor` with zero.
    pub(super) fn eq_by_pieces(&mut self, term: Term, other: Term) -> Option<Term> {
        match self.op(term).clone() {
            op @ (Op::ZeroExtend(_) | Op::SignExtend(_)) => {
                let inner = self.args(term)[0];
                let signed = matches!(op, Op::SignExtend(_));
                match self.narrowed(other, signed, self.width_of(inner)) {
                    Some(narrow) => Some(self.eq(inner, narrow)),
                    None if self.as_const(other).is_some() => Some(self.bool(false)),
                    None => None,
                }
            }
            Op::Concat => {
                let (upper, lower) = (self.args(term)[0], self.args(term)[1]);
                let border = self.width_of(lower);
                let aligned = match self.op(other) {
                    Op::Const(_) => true,
                    Op::Concat => self.width_of(self.args(other)[1]) == border,
                    _ => false,
                };
                if !aligned || !self.start_lift() {
                    return None;
                }
                let other_upper = self.extract(self.width_of(other) - 1, border, other);
                let other_lower = self.extract(border - 1, 0, other);
                let pieces = [self.eq(upper, other_upper), self.eq(lower, other_lower)];
                let both = self.and(&pieces);
                self.end_lift();
                Some(both)
            }
            Op::Bv(BvOp::Xor) if matches!(self.as_const(other), Some(Value::BitVec { bits: 0, .. })) => {
                match *self.args(term) {
                    [left, right] => Some(self.eq(left, right)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::{differ, same};

    #[test]
    fn extraction_looks_through_what_put_the_bits_there() {
        same("(extract:31-0 x)", "x");
        same("(extract:7-0 (extract:15-8 x))", "(extract:15-8 x)");
        same("(extract:7-0 (concat x c))", "c");
        same("(extract:39-8 (concat x c))", "x");
        same("(extract:7-0 (sext:32 c))", "c");
        same("(extract:15-8 (zext:32 c))", "0:8");
        same("(extract:11-4 (zext:32 c))", "(zext:8 (extract:7-4 c))");
        same("(extract:11-4 (sext:32 c))", "(sext:8 (extract:7-4 c))");
        same("(extract:7-0 (+ x 256:32))", "(extract:7-0 x)");
        same("(concat (extract:31-16 x) (extract:15-0 x))", "x");
        same("(concat 0:8 c)", "(zext:16 c)");
        differ("(extract:15-8 (+ x 256:32))", "(extract:15-8 x)");
        differ("(concat (extract:31-16 x) (extract:15-0 y))", "x");
    }

    #[test]
    fn narrow_arithmetic_in_wide_numbers_is_narrow_arithmetic() {
        same("(extract:31-0 (+ (sext:64 x) (sext:64 y)))", "(+ x y)");
        same("(extract:31-0 (* (sext:64 x) (zext:64 y)))", "(* x y)");
        same("(extract:7-0 (* x y))", "(* (extract:7-0 x) (extract:7-0 y))");
        same("(extract:7-0 (& x y))", "(& (extract:7-0 x) (extract:7-0 y))");
        same("(extract:7-0 (ite p x y))", "(ite p (extract:7-0 x) (extract:7-0 y))");
        differ("(extract:15-8 (+ x y))", "(+ (extract:15-8 x) (extract:15-8 y))");
        differ("(extract:63-32 (* (sext:64 x) (sext:64 y)))", "0:32");
        differ("(/ (sext:64 x) (sext:64 y))", "(sext:64 (/ x y))");
    }

    #[test]
    fn extensions_join() {
        same("(sext:64 (sext:32 c))", "(sext:64 c)");
        same("(zext:64 (zext:32 c))", "(zext:64 c)");
        same("(sext:64 (zext:32 c))", "(zext:64 c)");
        same("(sext:64 -1:32)", "-1:64");
        differ("(zext:64 (sext:32 c))", "(zext:64 c)");
    }

    #[test]
    fn equations_are_cut_to_the_bits_that_matter() {
        same("(= (zext:32 c) (zext:32 c1))", "(= c c1)");
        same("(= (sext:32 c) -1:32)", "(= c -1:8)");
        same("(= (zext:32 c) 256:32)", "false");
        same("(= (zext:32 c) -1:32)", "false");
        same("(= (concat c c1) 258:16)", "(and (= c 1:8) (= c1 2:8))");
        same("(= (^ x y) 0:32)", "(= x y)");
        differ("(= (zext:32 c) (sext:32 c1))", "(= c c1)");
    }
}
