//! Constructors of bit-vector arithmetic and comparisons.

use super::polynomial::{Modular, Ring};
use crate::op::{BvCmp, BvOp, Op};
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::{Value, mask, to_signed};

impl Terms {
    /// A bit-vector literal; bits above the width are dropped.
    pub fn bv(&mut self, value: u64, width: u32) -> Term {
        self.bv_wide(u128::from(value), width)
    }

    /// A bit-vector literal of up to 128 bits.
    pub fn bv_wide(&mut self, value: u128, width: u32) -> Term {
        self.intern(Op::Const(Value::bit_vec(value, width)), &[], &Sort::BitVec(width))
    }

    /// A bit-vector literal in two's complement.
    pub fn bv_signed(&mut self, value: i128, width: u32) -> Term {
        self.bv_wide(value as u128, width)
    }

    /// An operation on two bit-vectors of the same width.
    pub fn bv_op(&mut self, op: BvOp, left: Term, right: Term) -> Term {
        self.assert_same_sort(left, right);
        let width = self.width_of(left);
        let sort = Sort::BitVec(width);
        if !self.simplifying {
            return self.intern(Op::Bv(op), &[left, right], &sort);
        }
        if let Some(folded) = self.fold(&Op::Bv(op), &[left, right], &sort) {
            return folded;
        }
        let ring = Modular { width };
        match op {
            BvOp::Add => self.bv_sum(&ring, left, right, 1),
            BvOp::Sub => self.bv_sum(&ring, left, right, mask(width)),
            BvOp::Mul => self.multiply(&ring, left, right),
            BvOp::And | BvOp::Or | BvOp::Xor => self.bitwise(op, left, right),
            BvOp::Shl | BvOp::Lshr | BvOp::Ashr => self.shift(op, left, right),
            BvOp::Sdiv | BvOp::Udiv | BvOp::Srem | BvOp::Urem => self.divide(op, left, right),
        }
    }

    /// `left + weight * right`.
    fn bv_sum(&mut self, ring: &Modular, left: Term, right: Term, weight: u128) -> Term {
        let sum = self.linear_sum(ring, &[(left, 1), (right, weight)]);
        self.polynomial_term(ring, &sum)
    }

    /// Two's-complement negation.
    pub fn bv_neg(&mut self, term: Term) -> Term {
        let width = self.width_of(term);
        if !self.simplifying {
            return self.intern(Op::BvNeg, &[term], &Sort::BitVec(width));
        }
        let zero = self.bv(0, width);
        self.bv_sum(&Modular { width }, zero, term, mask(width))
    }

    /// Bitwise complement, which is `-term - 1`.
    pub fn bv_not(&mut self, term: Term) -> Term {
        let width = self.width_of(term);
        if !self.simplifying {
            return self.intern(Op::BvNot, &[term], &Sort::BitVec(width));
        }
        let minus_one = self.bv_wide(mask(width), width);
        self.bv_sum(&Modular { width }, minus_one, term, mask(width))
    }

    /// Division by a power of two is a shift or a mask when unsigned.
    fn divide(&mut self, op: BvOp, left: Term, right: Term) -> Term {
        let width = self.width_of(left);
        let sort = Sort::BitVec(width);
        let Some(divisor) = self.as_bits(right) else {
            return self.intern(Op::Bv(op), &[left, right], &sort);
        };
        match op {
            BvOp::Sdiv if divisor == mask(width) && width > 1 => self.bv_neg(left),
            BvOp::Srem if divisor == mask(width) => self.bv(0, width),
            BvOp::Sdiv | BvOp::Udiv if divisor == 1 && width > 1 => left,
            BvOp::Srem | BvOp::Urem if divisor == 1 => self.bv(0, width),
            BvOp::Udiv if divisor.is_power_of_two() => {
                let by = self.bv_wide(u128::from(divisor.trailing_zeros()), width);
                self.shift(BvOp::Lshr, left, by)
            }
            BvOp::Urem if divisor.is_power_of_two() => {
                let below = self.bv_wide(divisor - 1, width);
                self.bitwise(BvOp::And, left, below)
            }
            _ => self.intern(Op::Bv(op), &[left, right], &sort),
        }
    }

    /// A comparison of two bit-vectors of the same width.
    pub fn bv_cmp(&mut self, op: BvCmp, left: Term, right: Term) -> Term {
        self.assert_same_sort(left, right);
        if !self.simplifying {
            return self.intern(Op::BvCmp(op), &[left, right], &Sort::Bool);
        }
        if let Some(folded) = self.fold(&Op::BvCmp(op), &[left, right], &Sort::Bool) {
            return folded;
        }
        match op {
            BvCmp::Slt => self.bv_less(true, left, right),
            BvCmp::Ult => self.bv_less(false, left, right),
            BvCmp::Sle => {
                let greater = self.bv_less(true, right, left);
                self.not(greater)
            }
            BvCmp::Ule => {
                let greater = self.bv_less(false, right, left);
                self.not(greater)
            }
        }
    }

    fn bv_less(&mut self, signed: bool, left: Term, right: Term) -> Term {
        if left == right {
            return self.bool(false);
        }
        let op = if signed { BvCmp::Slt } else { BvCmp::Ult };
        if let Some(lifted) = self.lift_ite(left, right, |t, a, b| t.bv_cmp(op, a, b)) {
            return lifted;
        }
        if let Some(decided) = self.less_by_range(signed, left, right) {
            return self.bool(decided);
        }
        if let Some(narrowed) = self.less_of_extensions(signed, left, right) {
            return narrowed;
        }
        let width = self.width_of(left);
        let least = if signed { 1 << (width - 1) } else { 0 };
        let most = mask(width) ^ least;
        if let Some(bound) = self.as_bits(left) {
            // `k < x` is `not (x < k + 1)`; `k` is not the largest number, by its range.
            let next = self.bv_wide(bound.wrapping_add(1), width);
            let below = self.bv_less(signed, right, next);
            return self.not(below);
        }
        match self.as_bits(right) {
            Some(bound) if bound == (least + 1) & mask(width) => {
                let least = self.bv_wide(least, width);
                self.eq(left, least)
            }
            Some(bound) if bound == most => {
                let most = self.bv_wide(most, width);
                let equal = self.eq(left, most);
                self.not(equal)
            }
            _ => self.intern(Op::BvCmp(op), &[left, right], &Sort::Bool),
        }
    }

    /// The answer where the ranges of the operands do not overlap.
    fn less_by_range(&self, signed: bool, left: Term, right: Term) -> Option<bool> {
        if signed {
            let (left, right) = (self.signed_range(left), self.signed_range(right));
            below(left, right)
        } else {
            let (left, right) = (self.unsigned_range(left), self.unsigned_range(right));
            below(left, right)
        }
    }

    /// Comparing two widened numbers is comparing the numbers.
    fn less_of_extensions(&mut self, signed: bool, left: Term, right: Term) -> Option<Term> {
        let extension = |t: &Terms, term: Term| match t.op(term) {
            Op::SignExtend(_) => Some((true, t.args(term)[0])),
            Op::ZeroExtend(_) => Some((false, t.args(term)[0])),
            _ => None,
        };
        let (left_kind, right_kind) = (extension(self, left), extension(self, right));
        let (is_signed, inner_width) = match (left_kind, right_kind) {
            (Some((a, x)), Some((b, y))) if a == b && self.width_of(x) == self.width_of(y) => {
                (a, self.width_of(x))
            }
            (Some((a, x)), None) | (None, Some((a, x))) => (a, self.width_of(x)),
            _ => return None,
        };
        // Sign extension keeps the signed order; zero extension keeps the unsigned order, which is
        // also the signed one of the wider numbers.
        if is_signed && !signed {
            return None;
        }
        let x = self.narrowed(left, is_signed, inner_width)?;
        let y = self.narrowed(right, is_signed, inner_width)?;
        let op = if is_signed { BvCmp::Slt } else { BvCmp::Ult };
        Some(self.bv_cmp(op, x, y))
    }

    /// The number that extends to this one, if there is one of that width.
    pub(super) fn narrowed(&mut self, term: Term, is_signed: bool, to: u32) -> Option<Term> {
        match (self.op(term), is_signed) {
            (Op::SignExtend(_), true) | (Op::ZeroExtend(_), false) => {
                let inner = self.args(term)[0];
                (self.width_of(inner) == to).then_some(inner)
            }
            (Op::Const(Value::BitVec { bits, width }), _) => {
                let bits = *bits;
                let fits =
                    if is_signed { to_signed(bits, *width) == to_signed(bits, to) } else { bits <= mask(to) };
                fits.then(|| self.bv_wide(bits, to))
            }
            _ => None,
        }
    }

    /// Bounds that the outermost operation alone guarantees.
    pub(super) fn unsigned_range(&self, term: Term) -> (u128, u128) {
        let width = self.width_of(term);
        let literal = |arg: Term| self.as_bits(arg);
        match (self.op(term), self.args(term)) {
            (Op::Const(Value::BitVec { bits, .. }), _) => (*bits, *bits),
            (Op::ZeroExtend(_), &[inner]) => (0, mask(self.width_of(inner))),
            (Op::Bv(BvOp::And), args) => {
                (0, args.iter().filter_map(|&a| literal(a)).min().unwrap_or(mask(width)))
            }
            (Op::Bv(BvOp::Or), args) => {
                (args.iter().filter_map(|&a| literal(a)).max().unwrap_or(0), mask(width))
            }
            (Op::Bv(BvOp::Urem), &[_, divisor]) => match literal(divisor) {
                Some(divisor) if divisor > 0 => (0, divisor - 1),
                _ => (0, mask(width)),
            },
            (Op::Bv(BvOp::Udiv), &[_, divisor]) => match literal(divisor) {
                Some(divisor) if divisor > 0 => (0, mask(width) / divisor),
                _ => (0, mask(width)),
            },
            _ => (0, mask(width)),
        }
    }

    /// Bounds that the outermost operation alone guarantees.
    pub(super) fn signed_range(&self, term: Term) -> (i128, i128) {
        let width = self.width_of(term);
        let most = (mask(width) >> 1) as i128;
        match (self.op(term), self.args(term)) {
            (Op::SignExtend(_), &[inner]) => {
                let most = (mask(self.width_of(inner)) >> 1) as i128;
                (-most - 1, most)
            }
            (Op::Bv(BvOp::Srem), &[_, divisor]) => match self.as_const(divisor).and_then(Value::as_signed) {
                Some(divisor) if divisor != 0 && divisor.checked_abs().is_some() => {
                    (1 - divisor.abs(), divisor.abs() - 1)
                }
                _ => (-most - 1, most),
            },
            (Op::Const(value), _) => {
                let number = value.as_signed().expect("a bit-vector literal should have bits");
                (number, number)
            }
            _ => match self.unsigned_range(term) {
                (low, high) if high <= most as u128 => (low as i128, high as i128),
                _ => (-most - 1, most),
            },
        }
    }

    /// Whether two terms of the same sort surely have different values.
    pub(super) fn surely_differ(&self, left: Term, right: Term) -> bool {
        if self.as_const(left).is_some() && self.as_const(right).is_some() {
            return left != right;
        }
        match self.sort_of(left) {
            Sort::BitVec(width) => {
                let ring = Modular { width: *width };
                let difference = self.linear_sum(&ring, &[(left, 1), (right, mask(*width))]);
                difference.as_constant(&ring).is_some_and(|constant| constant != 0)
            }
            Sort::Int | Sort::Real => self.numbers_differ(left, right),
            _ => false,
        }
    }

    /// Whether `left` is the bitwise complement of `right`.
    pub(super) fn are_complements(&self, left: Term, right: Term) -> bool {
        let ring = Modular { width: self.width_of(left) };
        let sum = self.linear_sum(&ring, &[(left, ring.one()), (right, ring.one())]);
        sum.as_constant(&ring) == Some(mask(ring.width))
    }
}

fn below<N: Ord>(left: (N, N), right: (N, N)) -> Option<bool> {
    if left.1 < right.0 {
        Some(true)
    } else if left.0 >= right.1 {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::{differ, same};

    #[test]
    fn arithmetic_is_polynomial_modulo_a_power_of_two() {
        same("(* x (+ y 1:32))", "(+ (* y x) x)");
        same("(+ x x)", "(<< x 1:32)");
        same("(- x)", "(+ (~ x) 1:32)");
        same("(* 65536:32 65536:32 x)", "0:32");
        same("(- (* x 3:32) x)", "(* 2:32 x)");
        same("(~ (~ x))", "x");
        differ("(* x x)", "x");
        differ("(/ (* 2:32 x) 2:32)", "x");
    }

    #[test]
    fn division_by_powers_of_two_shifts_when_unsigned() {
        same("(/u x 8:32)", "(>>> x 3:32)");
        same("(%u x 8:32)", "(& x 7:32)");
        same("(/ x 1:32)", "x");
        same("(/ x -1:32)", "(- x)");
        same("(% x 1:32)", "0:32");
        same("(% x -1:32)", "0:32");
        differ("(/ x 8:32)", "(>> x 3:32)");
        differ("(% x 8:32)", "(& x 7:32)");
        differ("(/ x x)", "1:32");
    }

    #[test]
    fn comparisons_have_one_form() {
        same("(<= x y)", "(not (< y x))");
        same("(< x 5:32)", "(<= x 4:32)");
        same("(< 4:32 x)", "(not (< x 5:32))");
        same("(<u x 1:32)", "(= x 0:32)");
        same("(<u 0:32 x)", "(not (= x 0:32))");
        same("(<u x 0:32)", "false");
        same("(< x -2147483648:32)", "false");
        same("(<= x 2147483647:32)", "true");
        same("(< x x)", "false");
        differ("(< x y)", "(<u x y)");
        // Overflow: x + 1 may be the least number.
        differ("(< x (+ x 1:32))", "true");
        differ("(< (- x y) 0:32)", "(< x y)");
    }

    #[test]
    fn ranges_decide_comparisons() {
        same("(<u (& x 7:32) 8:32)", "true");
        same("(< (zext:32 c) 256:32)", "true");
        same("(< (sext:32 c) 128:32)", "true");
        same("(< (% x 10:32) 10:32)", "true");
        same("(< (% x 10:32) -10:32)", "false");
        same("(<u (| x 8:32) 8:32)", "false");
        differ("(<u (& x 8:32) 8:32)", "true");
        differ("(< (% x y) y)", "true");
    }

    #[test]
    fn comparing_widened_numbers_is_comparing_the_numbers() {
        same("(< (sext:32 c) (sext:32 c1))", "(< c c1)");
        same("(<u (zext:32 c) (zext:32 c1))", "(<u c c1)");
        same("(< (zext:32 c) (zext:32 c1))", "(<u c c1)");
        same("(< (sext:32 c) 5:32)", "(< c 5:8)");
        differ("(< (sext:32 c) (zext:32 c1))", "(< c c1)");
    }
}
