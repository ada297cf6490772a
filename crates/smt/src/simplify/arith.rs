//! Constructors over `Int` and `Real`: sums, products, quotients and conversions.

use super::polynomial::{Exact, Polynomial, Ring};
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

impl Terms {
    /// An integer literal.
    pub fn int(&mut self, value: impl Into<BigInt>) -> Term {
        self.intern(Op::Const(Value::Int(value.into())), &[], &Sort::Int)
    }

    /// A real literal.
    pub fn real(&mut self, value: BigRational) -> Term {
        self.intern(Op::Const(Value::Real(value)), &[], &Sort::Real)
    }

    /// The sum of one or more numbers.
    pub fn add(&mut self, terms: &[Term]) -> Term {
        let ring = self.number_ring(terms);
        if !self.simplifying {
            return match terms {
                [only] => *only,
                _ => self.intern(Op::Add, terms, &ring.sort()),
            };
        }
        let weighted: Vec<(Term, BigRational)> = terms.iter().map(|&t| (t, BigRational::one())).collect();
        let sum = self.linear_sum(&ring, &weighted);
        self.polynomial_term(&ring, &sum)
    }

    /// `left - right`.
    pub fn sub(&mut self, left: Term, right: Term) -> Term {
        let negative = self.neg(right);
        self.add(&[left, negative])
    }

    /// `-term`.
    pub fn neg(&mut self, term: Term) -> Term {
        let ring = self.number_ring(&[term]);
        let minus_one = ring.write(&-BigRational::one());
        let minus_one = self.value(&minus_one, &ring.sort());
        self.mul(&[minus_one, term])
    }

    /// The product of one or more numbers.
    pub fn mul(&mut self, terms: &[Term]) -> Term {
        let ring = self.number_ring(terms);
        if !self.simplifying && terms.len() > 1 {
            return self.intern(Op::Mul, terms, &ring.sort());
        }
        let (first, rest) = terms.split_first().expect("a product should have factors");
        rest.iter().fold(*first, |product, &factor| self.multiply(&ring, product, factor))
    }

    fn number_ring(&self, terms: &[Term]) -> Exact {
        let first = *terms.first().expect("an arithmetic operation should have operands");
        for &term in terms {
            self.assert_same_sort(first, term);
        }
        Exact::of(self.sort_of(first))
    }

    /// Euclidean quotient (SMT-LIB `div`): the remainder is never negative.
    pub fn int_div_euclid(&mut self, left: Term, right: Term) -> Term {
        self.assert_same_sort(left, right);
        if let Some(folded) = self.fold(&Op::IntDiv, &[left, right], &Sort::Int) {
            return folded;
        }
        match self.as_int(right).cloned() {
            Some(divisor) if self.simplifying && !divisor.is_zero() => self.div_by_constant(left, &divisor),
            _ => self.intern(Op::IntDiv, &[left, right], &Sort::Int),
        }
    }

    /// `(k*q + r) div k` is `q + r div k`, and `(a div m) div n` is `a div (m*n)` for `m`, `n` positive.
    fn div_by_constant(&mut self, left: Term, divisor: &BigInt) -> Term {
        let (quotient, rest) = self.split_by_divisor(left, divisor);
        if rest.summands.is_empty() {
            return self.polynomial_term(&Exact::Int, &quotient);
        }
        let rest = self.polynomial_term(&Exact::Int, &rest);
        let (dividend, divisor) = match (self.op(rest), self.args(rest)) {
            (Op::IntDiv, &[inner, by]) => match self.as_int(by) {
                Some(by) if by.is_positive() && divisor.is_positive() => (inner, by * divisor),
                _ => (rest, divisor.clone()),
            },
            _ => (rest, divisor.clone()),
        };
        let divisor = self.int(divisor);
        let of_rest = self.fold_or_intern(Op::IntDiv, &[dividend, divisor], &Sort::Int);
        let quotient = self.polynomial_term(&Exact::Int, &quotient);
        self.add(&[quotient, of_rest])
    }

    /// Writes a term as `divisor * quotient + rest`, coefficients of the rest in `0..|divisor|`.
    fn split_by_divisor(
        &self,
        term: Term,
        divisor: &BigInt,
    ) -> (Polynomial<BigRational>, Polynomial<BigRational>) {
        let (mut quotient, mut rest) = (Polynomial::zero(), Polynomial::zero());
        let size = divisor.abs();
        for (monomial, coefficient) in self.polynomial(&Exact::Int, term).summands {
            let coefficient = coefficient.to_integer();
            let left_over = coefficient.mod_floor(&size);
            let whole = (coefficient - &left_over) / divisor;
            for (part, number) in [(&mut quotient, whole), (&mut rest, left_over)] {
                if !number.is_zero() {
                    part.summands.push((monomial.clone(), BigRational::from_integer(number)));
                }
            }
        }
        (quotient, rest)
    }

    /// Euclidean remainder (SMT-LIB `mod`): never negative.
    pub fn int_mod_euclid(&mut self, left: Term, right: Term) -> Term {
        self.assert_same_sort(left, right);
        if let Some(folded) = self.fold(&Op::IntMod, &[left, right], &Sort::Int) {
            return folded;
        }
        let Some(divisor) = self.as_int(right).filter(|n| self.simplifying && !n.is_zero()).cloned() else {
            return self.intern(Op::IntMod, &[left, right], &Sort::Int);
        };
        // The sign of the divisor has no influence, and multiples of it drop out.
        let (_, rest) = self.split_by_divisor(left, &divisor);
        let rest = self.polynomial_term(&Exact::Int, &rest);
        let divisor = self.int(divisor.abs());
        match (self.op(rest), self.args(rest)) {
            (Op::IntMod, &[_, inner]) if inner == divisor => rest,
            _ => self.fold_or_intern(Op::IntMod, &[rest, divisor], &Sort::Int),
        }
    }

    /// Quotient rounded towards zero, as C and Java have it.
    pub fn int_div_trunc(&mut self, left: Term, right: Term) -> Term {
        self.by_sign_of(left, |terms, size| terms.int_div_euclid(size, right))
    }

    /// Remainder with the sign of the dividend, as C and Java have it.
    pub fn int_rem_trunc(&mut self, left: Term, right: Term) -> Term {
        self.by_sign_of(left, |terms, size| terms.int_mod_euclid(size, right))
    }

    /// Applies `f` to a number that is not negative, and gives the result the number's sign.
    fn by_sign_of(&mut self, term: Term, f: impl Fn(&mut Terms, Term) -> Term) -> Term {
        let zero = self.value(&Value::default_of(self.sort_of(term)), &self.sort_of(term).clone());
        let not_negative = self.le(zero, term);
        let opposite = self.neg(term);
        let of_positive = f(self, term);
        let of_negative = f(self, opposite);
        let of_negative = self.neg(of_negative);
        self.ite(not_negative, of_positive, of_negative)
    }

    /// The quotient of reals, any function of the dividend where the divisor is 0.
    ///
    /// `(a + c) / b` is therefore not `a/b + c/b`, unless `b` is seen not to be 0.
    pub fn real_div(&mut self, left: Term, right: Term) -> Term {
        self.assert_same_sort(left, right);
        if self.simplifying && self.is_never_zero(right) {
            return self.real_div_nonzero(left, right);
        }
        self.intern(Op::RealDiv, &[left, right], &Sort::Real)
    }

    /// The quotient of reals for callers that know that the divisor is not 0 wherever the result
    /// matters. It is `left * (1 / right)`, so that sums of fractions have a normal form.
    pub fn real_div_nonzero(&mut self, left: Term, right: Term) -> Term {
        self.assert_same_sort(left, right);
        if !self.simplifying {
            return self.intern(Op::RealDiv, &[left, right], &Sort::Real);
        }
        let inverse = match self.as_real(right) {
            Some(divisor) if !divisor.is_zero() => {
                let inverse = divisor.recip();
                self.real(inverse)
            }
            _ => {
                let one = self.real(BigRational::one());
                self.intern(Op::RealDiv, &[one, right], &Sort::Real)
            }
        };
        self.mul(&[left, inverse])
    }

    /// Whether a real is a sum of squares and a positive constant, or the negative of one.
    fn is_never_zero(&self, term: Term) -> bool {
        let polynomial = self.polynomial(&Exact::Real, term);
        let is_square = |monomial: &[Term]| {
            monomial.len().is_multiple_of(2) && monomial.chunks(2).all(|pair| pair[0] == pair[1])
        };
        let [(constant, first), rest @ ..] = polynomial.summands.as_slice() else { return false };
        constant.is_empty()
            && rest.iter().all(|(monomial, coefficient)| {
                is_square(monomial) && coefficient.is_positive() == first.is_positive()
            })
    }

    /// An integer as a real number.
    pub fn int_to_real(&mut self, term: Term) -> Term {
        assert_eq!(self.sort_of(term), &Sort::Int, "only an integer becomes a real");
        if !self.simplifying {
            return self.intern(Op::IntToReal, &[term], &Sort::Real);
        }
        // Sums and products of integers are those of their real images.
        let mut polynomial = self.polynomial(&Exact::Int, term);
        for (monomial, _) in &mut polynomial.summands {
            for factor in monomial.iter_mut() {
                *factor = self.intern(Op::IntToReal, &[*factor], &Sort::Real);
            }
            monomial.sort_unstable();
        }
        let polynomial = Polynomial::from_summands(&Exact::Real, polynomial.summands);
        self.polynomial_term(&Exact::Real, &polynomial)
    }

    /// The largest integer that is not above the real number (SMT-LIB `to_int`).
    pub fn real_floor(&mut self, term: Term) -> Term {
        assert_eq!(self.sort_of(term), &Sort::Real, "only a real has a floor");
        if let Some(folded) = self.fold(&Op::RealFloor, &[term], &Sort::Int) {
            return folded;
        }
        if !self.simplifying {
            return self.intern(Op::RealFloor, &[term], &Sort::Int);
        }
        let (mut whole, mut rest) = (Polynomial::zero(), Polynomial::zero());
        for (monomial, coefficient) in self.polynomial(&Exact::Real, term).summands {
            match self.integer_monomial(&monomial) {
                Some(ints) if coefficient.is_integer() => whole.summands.push((ints, coefficient)),
                _ => rest.summands.push((monomial, coefficient)),
            }
        }
        let whole = Polynomial::from_summands(&Exact::Int, whole.summands);
        let whole = self.polynomial_term(&Exact::Int, &whole);
        let rest = self.polynomial_term(&Exact::Real, &rest);
        let of_rest = self.fold_or_intern(Op::RealFloor, &[rest], &Sort::Int);
        self.add(&[whole, of_rest])
    }

    /// The integers behind factors that are all images of integers.
    pub(super) fn integer_monomial(&self, monomial: &[Term]) -> Option<Vec<Term>> {
        let behind = |&factor: &Term| matches!(self.op(factor), Op::IntToReal).then(|| self.args(factor)[0]);
        let mut ints: Vec<Term> = monomial.iter().map(behind).collect::<Option<_>>()?;
        ints.sort_unstable();
        Some(ints)
    }

    /// The real number rounded towards zero.
    pub fn real_trunc_to_int(&mut self, term: Term) -> Term {
        let zero = self.real(BigRational::zero());
        let not_negative = self.le(zero, term);
        let opposite = self.neg(term);
        let floor = self.real_floor(term);
        let floor_of_opposite = self.real_floor(opposite);
        let ceiling = self.neg(floor_of_opposite);
        self.ite(not_negative, floor, ceiling)
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::{differ, same, simplified};

    #[test]
    fn sums_and_products_are_polynomials() {
        same("(* i (+ j 1))", "(+ (* j i) i)");
        same("(- (* (+ i j) (+ i j)) (* (- i j) (- i j)))", "(* 4 i j)");
        same("(- i i)", "0");
        same("(* 0 i)", "0");
        same("(- (- i))", "i");
        same("(* r (/ s 2.0))", "(* 1/2 s r)");
        differ("(* i (+ j 1))", "(+ (* j i) j)");
        differ("(* i i)", "i");
    }

    #[test]
    fn products_beyond_the_bounds_stay_products() {
        let many = (0..20).map(|n| format!("i{n}")).collect::<Vec<_>>().join(" ");
        let text = simplified(&format!("(* (+ {many}) (+ {many}))"));
        assert!(text.starts_with("let"), "{text}");
        let power = simplified("(* i i i i i i i i i i i i)");
        assert!(power.contains("i * i"), "{power}");
        // Adding up the same large sum still cancels.
        same(&format!("(- (* (+ {many}) (+ {many})) (* (+ {many}) (+ {many})))"), "0");
    }

    #[test]
    fn euclidean_division_by_a_literal_splits() {
        same("(div (+ (* 6 i) j) 3)", "(+ (* 2 i) (div j 3))");
        same("(div (* 4 i) -2)", "(* -2 i)");
        same("(div i 1)", "i");
        same("(div (div i 2) 3)", "(div i 6)");
        same("(mod (+ (* 6 i) j 7) 3)", "(mod (+ j 1) 3)");
        same("(mod i -3)", "(mod i 3)");
        same("(mod (mod i 5) 5)", "(mod i 5)");
        same("(mod i 1)", "0");
        same("(div -7 2)", "-4");
        same("(mod -7 2)", "1");
        differ("(div (div i -2) 3)", "(div i -6)");
        differ("(mod (mod i 5) 3)", "(mod i 3)");
        differ("(div (* j i) j)", "i");
        differ("(div i 0)", "0");
    }

    #[test]
    fn truncating_division_folds_like_java() {
        same("(quot -7 2)", "-3");
        same("(rem -7 2)", "-1");
        same("(quot 7 -2)", "-3");
        same("(rem 7 -2)", "1");
        same("(quot i 1)", "i");
        same("(rem i 1)", "0");
        differ("(quot i 2)", "(div i 2)");
    }

    #[test]
    fn fractions_are_joined_only_where_the_divisor_is_not_zero() {
        same("(/ r 4.0)", "(* 1/4 r)");
        same("(/ (+ r s) (+ 1.0 (* s1 s1)))", "(+ (/ r (+ 1.0 (* s1 s1))) (/ s (+ 1.0 (* s1 s1))))");
        same("(nonzero/ (+ r s) s1)", "(+ (nonzero/ r s1) (nonzero/ s s1))");
        differ("(/ (+ r s) s1)", "(+ (/ r s1) (/ s s1))");
        differ("(/ (* 2.0 r) s)", "(* 2.0 (/ r s))");
        differ("(/ r r)", "1.0");
        differ("(/ r 0.0)", "0.0");
    }

    #[test]
    fn conversions_pass_through_sums() {
        same("(real (+ i (* 2 j)))", "(+ (real i) (* 2.0 (real j)))");
        same("(floor (real i))", "i");
        same("(floor (+ r (real i) 3.0))", "(+ i 3 (floor r))");
        same("(floor (* 1/2 (real i)))", "(floor (/ (real i) 2.0))");
        same("(trunc -7/2)", "-3");
        same("(floor -7/2)", "-4");
        differ("(floor (+ r s))", "(+ (floor r) (floor s))");
        differ("(trunc r)", "(floor r)");
    }
}
