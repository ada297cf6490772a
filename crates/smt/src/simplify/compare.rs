//! Constructors of comparisons: equality of any sort, and the order of `Int` and `Real`.

use super::polynomial::{Exact, Modular, Polynomial, Ring};
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::mask;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

impl Terms {
    /// Identity of two values of the same sort.
    ///
    /// For floats this is not IEEE equality: all NaNs are the same and +0 is not -0.
    pub fn eq(&mut self, left: Term, right: Term) -> Term {
        self.assert_same_sort(left, right);
        if !self.simplifying {
            return self.intern(Op::Eq, &[left, right], &Sort::Bool);
        }
        if left == right {
            return self.bool(true);
        }
        if self.as_const(left).is_some() && self.as_const(right).is_some() {
            // Equal literals would be the same term.
            return self.bool(false);
        }
        let sort = self.sort_of(left).clone();
        if sort == Sort::Bool {
            return self.eq_bool(left, right);
        }
        if let Some(lifted) = self.lift_ite(left, right, Terms::eq) {
            return lifted;
        }
        match sort {
            Sort::Int | Sort::Real => {
                let ring = Exact::of(&sort);
                let split = self.eq_over_choice(&ring, &-BigRational::one(), left, right);
                split.unwrap_or_else(|| self.eq_numbers(left, right, ring))
            }
            Sort::BitVec(width) => {
                let split = self.eq_over_choice(&Modular { width }, &mask(width), left, right);
                split.unwrap_or_else(|| self.eq_bits(left, right, width))
            }
            Sort::Float(_) => self.eq_floats(left, right),
            Sort::Array(..) => self.eq_arrays(left, right),
            Sort::Text => self.eq_texts(left, right),
            Sort::Bool | Sort::Uninterpreted(_) => self.eq_as_is(left, right),
        }
    }

    /// Splits an equality where a conditional is a summand and one of its branches decides the equality:
    /// `x + (c ? 0 : 1) = x` is `c`.
    fn eq_over_choice<R: Ring>(
        &mut self,
        ring: &R,
        minus_one: &R::Coefficient,
        left: Term,
        right: Term,
    ) -> Option<Term> {
        let difference = self.linear_sum(ring, &[(left, ring.one()), (right, minus_one.clone())]);
        for (monomial, coefficient) in &difference.summands {
            let &[atom] = monomial.as_slice() else { continue };
            let Some((condition, then, otherwise)) = self.as_ite(atom) else { continue };
            let without = ring.times(coefficient, minus_one);
            let [then, otherwise] = [then, otherwise].map(|branch| {
                let summands = [
                    (left, ring.one()),
                    (right, minus_one.clone()),
                    (atom, without.clone()),
                    (branch, coefficient.clone()),
                ];
                self.linear_sum(ring, &summands)
            });
            let decides = |p: &Polynomial<R::Coefficient>| p.as_constant(ring).is_some();
            if !(decides(&then) || decides(&otherwise)) || !self.start_lift() {
                continue;
            }
            let zero = self.polynomial_term(ring, &Polynomial::zero());
            let [then, otherwise] = [then, otherwise].map(|p| {
                let term = self.polynomial_term(ring, &p);
                self.eq(term, zero)
            });
            let split = self.ite(condition, then, otherwise);
            self.end_lift();
            return Some(split);
        }
        None
    }

    /// The equality node, operands in order.
    pub(super) fn eq_as_is(&mut self, left: Term, right: Term) -> Term {
        self.intern(Op::Eq, &[left.min(right), left.max(right)], &Sort::Bool)
    }

    /// `left < right` over `Int` or `Real`.
    pub fn lt(&mut self, left: Term, right: Term) -> Term {
        self.order(Op::Lt, left, right)
    }

    /// `left <= right` over `Int` or `Real`.
    pub fn le(&mut self, left: Term, right: Term) -> Term {
        self.order(Op::Le, left, right)
    }

    fn order(&mut self, op: Op, left: Term, right: Term) -> Term {
        self.assert_same_sort(left, right);
        let ring = Exact::of(self.sort_of(left));
        if !self.simplifying {
            return self.intern(op, &[left, right], &Sort::Bool);
        }
        let again = op.clone();
        if let Some(lifted) = self.lift_ite(left, right, |t, a, b| t.order(again.clone(), a, b)) {
            return lifted;
        }
        let strict = op == Op::Lt;
        let (difference, ring) = self.difference(left, right, ring);
        if let Some(constant) = difference.as_constant(&ring) {
            return self.bool(if strict { constant.is_negative() } else { !constant.is_positive() });
        }
        match ring {
            Exact::Int => self.int_below_zero(difference, strict),
            Exact::Real => self.real_below_zero(difference, strict),
        }
    }

    /// `left - right`; over `Int` where all atoms are integers in disguise.
    fn difference(&self, left: Term, right: Term, ring: Exact) -> (Polynomial<BigRational>, Exact) {
        let one = BigRational::one();
        let difference = self.linear_sum(&ring, &[(left, one.clone()), (right, -one)]);
        if ring == Exact::Int {
            return (difference, Exact::Int);
        }
        let scale = common_denominator(&difference);
        let ints: Option<Vec<_>> = difference
            .summands
            .iter()
            .map(|(monomial, c)| Some((self.integer_monomial(monomial)?, c * &scale)))
            .collect();
        match ints {
            Some(ints) if !ints.is_empty() => (Polynomial::from_summands(&Exact::Int, ints), Exact::Int),
            _ => (difference, Exact::Real),
        }
    }

    /// `p < 0` or `p <= 0` as `q <= c` or its negation, `q` primitive with a positive leading sign.
    fn int_below_zero(&mut self, mut p: Polynomial<BigRational>, strict: bool) -> Term {
        let constant = p.take_constant().unwrap_or_else(BigRational::zero).to_integer();
        let (q, content) = primitive(&p);
        let most: BigInt = -constant - if strict { BigInt::one() } else { BigInt::zero() };
        // Dividing tightens: 2x <= 5 is x <= 2.
        let bound = most.div_floor(&content.abs().to_integer());
        if content.is_positive() {
            self.split_sides(Op::Le, Exact::Int, &q, bound.into())
        } else {
            // -q <= bound is q >= -bound, that is not (q <= -bound - 1).
            let below = self.split_sides(Op::Le, Exact::Int, &q, BigRational::from_integer(-bound - 1));
            self.not(below)
        }
    }

    fn real_below_zero(&mut self, mut p: Polynomial<BigRational>, strict: bool) -> Term {
        let constant = p.take_constant().unwrap_or_else(BigRational::zero);
        let (q, content) = primitive(&p);
        let bound = -constant / &content;
        if content.is_positive() {
            let op = if strict { Op::Lt } else { Op::Le };
            self.split_sides(op, Exact::Real, &q, bound)
        } else {
            let op = if strict { Op::Le } else { Op::Lt };
            let below = self.split_sides(op, Exact::Real, &q, bound);
            self.not(below)
        }
    }

    fn eq_numbers(&mut self, left: Term, right: Term, ring: Exact) -> Term {
        let (mut difference, ring) = self.difference(left, right, ring);
        if let Some(constant) = difference.as_constant(&ring) {
            return self.bool(constant.is_zero());
        }
        let constant = difference.take_constant().unwrap_or_else(BigRational::zero);
        let (q, content) = primitive(&difference);
        let bound = -constant / content;
        if ring == Exact::Int && !bound.is_integer() {
            return self.bool(false);
        }
        self.split_sides(Op::Eq, ring, &q, bound)
    }

    /// The order that a choice between the two compared numbers asks for: strict or not comes to
    /// the same, and `<=` is taken. Other conditions stay.
    pub(super) fn relaxed(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        let (left, right) = (self.args(condition)[0], self.args(condition)[1]);
        if self.sort_of(left) != self.sort_of(then) {
            return condition;
        }
        let ring = Exact::of(self.sort_of(left));
        let one = BigRational::one();
        let mut compared = self.linear_sum(&ring, &[(left, one.clone()), (right, -one.clone())]);
        let chosen = self.linear_sum(&ring, &[(then, one.clone()), (otherwise, -one.clone())]);
        let constant = compared.take_constant();
        let strict = match (ring, constant) {
            (Exact::Int, Some(constant)) => constant.is_one(),
            (Exact::Real, None) => *self.op(condition) == Op::Lt,
            _ => false,
        };
        if strict && (compared == chosen || compared == chosen.scaled(&ring, &-one)) {
            return self.split_sides(Op::Le, ring, &compared, BigRational::zero());
        }
        condition
    }

    /// `q op bound` with what is subtracted in `q` moved to the right.
    fn split_sides(&mut self, op: Op, ring: Exact, q: &Polynomial<BigRational>, bound: BigRational) -> Term {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (monomial, coefficient) in &q.summands {
            if coefficient.is_positive() {
                left.push((monomial.clone(), coefficient.clone()));
            } else {
                right.push((monomial.clone(), -coefficient));
            }
        }
        right.push((Vec::new(), bound));
        let left = self.polynomial_term(&ring, &Polynomial::from_summands(&ring, left));
        let right = self.polynomial_term(&ring, &Polynomial::from_summands(&ring, right));
        // Moving things to the other side may have left a conditional alone with a literal.
        let again = |terms: &mut Terms, a: Term, b: Term| match op {
            Op::Eq => terms.eq(a, b),
            Op::Lt => terms.lt(a, b),
            _ => terms.le(a, b),
        };
        match self.lift_ite(left, right, again) {
            Some(lifted) => lifted,
            None => self.intern(op, &[left, right], &Sort::Bool),
        }
    }

    /// Equality of bit-vectors: what cuts them to pieces first, then the polynomial difference.
    fn eq_bits(&mut self, left: Term, right: Term, width: u32) -> Term {
        for (one, other) in [(left, right), (right, left)] {
            if let Some(pieces) = self.eq_by_pieces(one, other) {
                return pieces;
            }
        }
        let ring = Modular { width };
        let mut p = self.linear_sum(&ring, &[(left, 1), (right, mask(width))]);
        if let Some(constant) = p.as_constant(&ring) {
            return self.bool(constant == 0);
        }
        let constant = p.take_constant().unwrap_or(0);
        let opposite = constant.wrapping_neg() & mask(width);
        let zeros = p.summands.iter().map(|(_, c)| c.trailing_zeros()).min().unwrap_or(0);
        if opposite.trailing_zeros() < zeros {
            return self.bool(false);
        }
        if let [(monomial, coefficient)] = p.summands.as_slice()
            && coefficient % 2 == 1
        {
            let value = opposite.wrapping_mul(inverse_of_odd(*coefficient));
            let atom = Polynomial { summands: vec![(monomial.clone(), 1)] };
            let atom = self.polynomial_term(&ring, &atom);
            let value = self.bv_wide(value, width);
            return self.eq_solved((left, right), (atom, value));
        }
        let sides = self.split_modular(&ring, p, opposite);
        self.eq_solved((left, right), sides)
    }

    /// The equation of the sides that were found; what cuts those to pieces is tried if they are new.
    fn eq_solved(&mut self, given: (Term, Term), found: (Term, Term)) -> Term {
        if found == given || found == (given.1, given.0) {
            return self.intern(Op::Eq, &[found.0, found.1], &Sort::Bool);
        }
        self.eq(found.0, found.1)
    }

    /// The sides of `p = bound` with the leading sign positive, and what is subtracted moved to the right.
    fn split_modular(&mut self, ring: &Modular, p: Polynomial<u128>, bound: u128) -> (Term, Term) {
        let half = 1u128 << (ring.width - 1);
        // Half the modulus is its own opposite and says nothing about the sign.
        let signed = p.summands.iter().map(|(_, coefficient)| *coefficient).find(|c| *c != half);
        let negative = signed.unwrap_or(bound) > half;
        let sign = if negative { mask(ring.width) } else { 1 };
        let (mut left, mut right) = (Vec::new(), vec![(Vec::new(), ring.times(&bound, &sign))]);
        for (monomial, coefficient) in p.scaled(ring, &sign).summands {
            if coefficient <= half {
                left.push((monomial, coefficient));
            } else {
                right.push((monomial, ring.times(&coefficient, &mask(ring.width))));
            }
        }
        let left = self.polynomial_term(ring, &Polynomial::from_summands(ring, left));
        let right = self.polynomial_term(ring, &Polynomial::from_summands(ring, right));
        (left, right)
    }
}

/// The polynomial with coprime integer coefficients and a positive first one, and what it was
/// multiplied by to give the original.
fn primitive(p: &Polynomial<BigRational>) -> (Polynomial<BigRational>, BigRational) {
    let denominator = common_denominator(p);
    let mut divisor = BigInt::zero();
    for (_, coefficient) in &p.summands {
        divisor = divisor.gcd(&(coefficient * &denominator).to_integer());
    }
    let mut content = BigRational::from_integer(divisor) / denominator;
    if p.summands[0].1.is_negative() {
        content = -content;
    }
    (p.scaled(&Exact::Real, &content.recip()), content)
}

fn common_denominator(p: &Polynomial<BigRational>) -> BigRational {
    let lcm = p.summands.iter().fold(BigInt::one(), |lcm, (_, c)| lcm.lcm(c.denom()));
    BigRational::from_integer(lcm)
}

/// The inverse modulo 2^128; each step of Newton's method doubles the number of right bits.
fn inverse_of_odd(number: u128) -> u128 {
    let mut inverse = number;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(number.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{differ, same};

    #[test]
    fn comparisons_of_integers_have_one_form() {
        same("(< i j)", "(not (<= j i))");
        same("(< i j)", "(<= (+ i 1) j)");
        same("(< (* 2 i) (* 2 j))", "(< i j)");
        same("(<= (* 2 i) 5)", "(<= i 2)");
        same("(<= (* -2 i) 5)", "(<= -2 i)");
        same("(< i i)", "false");
        same("(<= i (+ i 1))", "true");
        same("(or (< i j) (<= j i))", "true");
        differ("(< i j)", "(<= i j)");
    }

    #[test]
    fn comparisons_of_reals_have_one_form() {
        same("(< r s)", "(not (<= s r))");
        same("(< (* 2.0 r) 3.0)", "(< r 3/2)");
        same("(< (* -2.0 r) 3.0)", "(< -3/2 r)");
        same("(< (real i) (real j))", "(< i j)");
        same("(<= (* 2.0 (real i)) 5.0)", "(<= i 2)");
        // Reals are dense.
        differ("(< r s)", "(<= (+ r 1.0) s)");
    }

    #[test]
    fn equations_are_divided_and_may_have_no_solution() {
        same("(= (+ i 1) (+ j 1))", "(= j i)");
        same("(= (* 2 i) (* 2 j))", "(= i j)");
        same("(= (* 2 i) 5)", "false");
        same("(= (* 2.0 r) 5.0)", "(= r 5/2)");
        same("(= (+ i i) (* 2 i))", "true");
        same("(= (+ i (ite p 1 2)) (+ i 2))", "(not p)");
        same("(= i (+ i 1))", "false");
        differ("(= (* i j) (* i k))", "(= j k)");
    }

    #[test]
    fn equations_of_bit_vectors_are_divided_by_odd_numbers_only() {
        same("(= (+ x 1:32) (+ y 1:32))", "(= y x)");
        same("(= (* 3:32 x) 9:32)", "(= x 3:32)");
        same("(= (- x y) 0:32)", "(= x y)");
        same("(= (* 2:32 x) 5:32)", "false");
        same("(= (- x) (- y))", "(= x y)");
        same("(= (~ x) (~ y))", "(= x y)");
        same("(= (+ (zext:32 c) x) (+ x (zext:32 c1)))", "(= c c1)");
        differ("(= (* 2:32 x) (* 2:32 y))", "(= x y)");
        differ("(= (* 2:32 x) 4:32)", "(= x 2:32)");
    }

    #[test]
    fn opaque_values_are_compared_in_order() {
        same("(= o1 o2)", "(= o2 o1)");
        same("(= o1 o1)", "true");
        differ("(= o1 o2)", "false");
    }

    #[test]
    fn odd_numbers_have_inverses() {
        for number in [1u128, 3, 5, 0xffff_ffff, u128::MAX, 0x1234_5678_9abc_def1] {
            assert_eq!(number.wrapping_mul(inverse_of_odd(number)), 1);
        }
    }
}
