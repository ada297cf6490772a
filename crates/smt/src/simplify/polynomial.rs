//! Polynomials over terms: the normal form of sums and products.
//!
//! ```text
//! x*(y+1)  and  y*x + x  are both  1*[x] + 1*[x,y]
//! ```
//!
//! A term that is neither a sum, a product nor a literal is an atom. Sums longer than
//! `MOST_SUMMANDS` and products that would have more than `MOST_DISTRIBUTED` summands or a degree
//! above `MOST_DEGREE` are atoms themselves, so that every polynomial stays small; terms beyond
//! those bounds are exact still, only not normal.

use crate::op::{BvOp, Op};
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::{Value, mask};
use num_rational::BigRational;
use num_traits::{One, Zero};

const MOST_SUMMANDS: usize = 64;
const MOST_DISTRIBUTED: usize = 64;
const MOST_DEGREE: usize = 8;

/// The numbers that coefficients are taken from, and the operations that terms over them use.
pub(super) trait Ring {
    type Coefficient: Clone + PartialEq;

    fn one(&self) -> Self::Coefficient;
    fn is_zero(&self, a: &Self::Coefficient) -> bool;
    fn plus(&self, a: &Self::Coefficient, b: &Self::Coefficient) -> Self::Coefficient;
    fn times(&self, a: &Self::Coefficient, b: &Self::Coefficient) -> Self::Coefficient;
    fn read(&self, value: &Value) -> Option<Self::Coefficient>;
    fn write(&self, coefficient: &Self::Coefficient) -> Value;
    /// What an operation with this number costs beyond that with a small one, in products of digits.
    fn cost(&self, coefficient: &Self::Coefficient) -> u64;
    fn sort(&self) -> Sort;
    fn sum_op(&self) -> Op;
    fn product_op(&self) -> Op;
}

/// Integers or rational numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exact {
    Int,
    Real,
}

impl Exact {
    pub(super) fn of(sort: &Sort) -> Exact {
        match sort {
            Sort::Int => Exact::Int,
            Sort::Real => Exact::Real,
            other => panic!("a number was expected, not a {other}"),
        }
    }
}

impl Ring for Exact {
    type Coefficient = BigRational;

    fn one(&self) -> BigRational {
        BigRational::one()
    }

    fn is_zero(&self, a: &BigRational) -> bool {
        a.is_zero()
    }

    fn plus(&self, a: &BigRational, b: &BigRational) -> BigRational {
        a + b
    }

    fn times(&self, a: &BigRational, b: &BigRational) -> BigRational {
        a * b
    }

    fn read(&self, value: &Value) -> Option<BigRational> {
        match value {
            Value::Int(number) => Some(BigRational::from_integer(number.clone())),
            Value::Real(number) => Some(number.clone()),
            _ => None,
        }
    }

    fn write(&self, coefficient: &BigRational) -> Value {
        match self {
            Exact::Real => Value::Real(coefficient.clone()),
            Exact::Int => {
                assert!(coefficient.is_integer(), "integer polynomials should have integer coefficients");
                Value::Int(coefficient.to_integer())
            }
        }
    }

    fn cost(&self, coefficient: &BigRational) -> u64 {
        // Fractions are reduced by the algorithm of Euclid, which is quadratic.
        let digits = (coefficient.numer().bits() + coefficient.denom().bits()) / 64;
        digits.saturating_mul(digits)
    }

    fn sort(&self) -> Sort {
        match self {
            Exact::Int => Sort::Int,
            Exact::Real => Sort::Real,
        }
    }

    fn sum_op(&self) -> Op {
        Op::Add
    }

    fn product_op(&self) -> Op {
        Op::Mul
    }
}

/// Integers modulo 2^width.
#[derive(Clone, Copy, Debug)]
pub(super) struct Modular {
    pub(super) width: u32,
}

impl Ring for Modular {
    type Coefficient = u128;

    fn one(&self) -> u128 {
        1
    }

    fn is_zero(&self, a: &u128) -> bool {
        *a == 0
    }

    fn plus(&self, a: &u128, b: &u128) -> u128 {
        a.wrapping_add(*b) & mask(self.width)
    }

    fn times(&self, a: &u128, b: &u128) -> u128 {
        a.wrapping_mul(*b) & mask(self.width)
    }

    fn read(&self, value: &Value) -> Option<u128> {
        value.as_unsigned()
    }

    fn write(&self, coefficient: &u128) -> Value {
        Value::bit_vec(*coefficient, self.width)
    }

    fn cost(&self, _: &u128) -> u64 {
        0
    }

    fn sort(&self) -> Sort {
        Sort::BitVec(self.width)
    }

    fn sum_op(&self) -> Op {
        Op::Bv(BvOp::Add)
    }

    fn product_op(&self) -> Op {
        Op::Bv(BvOp::Mul)
    }
}

/// Factors in order, a power as often as its exponent says; the constant has none.
pub(super) type Monomial = Vec<Term>;

/// A sum of monomials with non-zero coefficients, in order of degree and then of factors.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polynomial<C> {
    pub(super) summands: Vec<(Monomial, C)>,
}

impl<C: Clone + PartialEq> Polynomial<C> {
    pub(super) fn zero() -> Polynomial<C> {
        Polynomial { summands: Vec::new() }
    }

    /// Brings summands in any order to the normal form.
    pub(super) fn from_summands<R: Ring<Coefficient = C>>(
        ring: &R,
        mut all: Vec<(Monomial, C)>,
    ) -> Polynomial<C> {
        all.sort_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)));
        let mut summands: Vec<(Monomial, C)> = Vec::with_capacity(all.len());
        for (monomial, coefficient) in all {
            match summands.last_mut() {
                Some((last, sum)) if *last == monomial => *sum = ring.plus(sum, &coefficient),
                _ => summands.push((monomial, coefficient)),
            }
        }
        summands.retain(|(_, coefficient)| !ring.is_zero(coefficient));
        Polynomial { summands }
    }

    /// The value, if no atom occurs.
    pub(super) fn as_constant<R: Ring<Coefficient = C>>(&self, ring: &R) -> Option<C> {
        match self.summands.as_slice() {
            [] => ring.read(&Value::default_of(&ring.sort())),
            [(monomial, coefficient)] if monomial.is_empty() => Some(coefficient.clone()),
            _ => None,
        }
    }

    /// Takes the constant summand out; `None` when it is zero.
    pub(super) fn take_constant(&mut self) -> Option<C> {
        match self.summands.first() {
            Some((monomial, _)) if monomial.is_empty() => Some(self.summands.remove(0).1),
            _ => None,
        }
    }

    pub(super) fn scaled<R: Ring<Coefficient = C>>(&self, ring: &R, by: &C) -> Polynomial<C> {
        let summands = self.summands.iter().map(|(m, c)| (m.clone(), ring.times(c, by))).collect();
        Polynomial::from_summands(ring, summands)
    }

    fn degree(&self) -> usize {
        self.summands.last().map_or(0, |(monomial, _)| monomial.len())
    }

    fn times<R: Ring<Coefficient = C>>(&self, ring: &R, other: &Polynomial<C>) -> Polynomial<C> {
        let mut all = Vec::with_capacity(self.summands.len() * other.summands.len());
        for (left, left_coefficient) in &self.summands {
            for (right, right_coefficient) in &other.summands {
                let mut monomial: Monomial = left.iter().chain(right).copied().collect();
                monomial.sort_unstable();
                all.push((monomial, ring.times(left_coefficient, right_coefficient)));
            }
        }
        Polynomial::from_summands(ring, all)
    }
}

impl Terms {
    /// The polynomial that a term is. Looks only at the term's own sum and products: their
    /// arguments are in normal form already.
    pub(super) fn polynomial<R: Ring>(&self, ring: &R, term: Term) -> Polynomial<R::Coefficient> {
        let summands = if *self.op(term) == ring.sum_op() {
            self.args(term).iter().map(|&arg| self.summand(ring, arg)).collect()
        } else {
            vec![self.summand(ring, term)]
        };
        Polynomial::from_summands(ring, summands)
    }

    fn summand<R: Ring>(&self, ring: &R, term: Term) -> (Monomial, R::Coefficient) {
        let factors: &[Term] = if *self.op(term) == ring.product_op() { self.args(term) } else { &[term] };
        let mut monomial = Vec::with_capacity(factors.len());
        let mut coefficient = ring.one();
        for &factor in factors {
            match self.as_const(factor).and_then(|value| ring.read(value)) {
                Some(number) => coefficient = ring.times(&coefficient, &number),
                None => monomial.push(factor),
            }
        }
        monomial.sort_unstable();
        (monomial, coefficient)
    }

    /// The term that a polynomial is.
    pub(super) fn polynomial_term<R: Ring>(
        &mut self,
        ring: &R,
        polynomial: &Polynomial<R::Coefficient>,
    ) -> Term {
        let mut args: Vec<Term> = Vec::with_capacity(polynomial.summands.len());
        for (monomial, coefficient) in &polynomial.summands {
            self.long_arithmetic += ring.cost(coefficient);
            args.push(self.product(ring, monomial, coefficient));
        }
        // The constant is easier to read at the end.
        if polynomial.summands.first().is_some_and(|(monomial, _)| monomial.is_empty()) {
            args.rotate_left(1);
        }
        match args.as_slice() {
            [] => self.value(&Value::default_of(&ring.sort()), &ring.sort()),
            [only] => *only,
            _ => self.intern(ring.sum_op(), &args, &ring.sort()),
        }
    }

    fn product<R: Ring>(&mut self, ring: &R, monomial: &[Term], coefficient: &R::Coefficient) -> Term {
        let mut factors = Vec::with_capacity(monomial.len() + 1);
        if monomial.is_empty() || *coefficient != ring.one() {
            factors.push(self.intern(Op::Const(ring.write(coefficient)), &[], &ring.sort()));
        }
        factors.extend_from_slice(monomial);
        match factors.as_slice() {
            [only] => *only,
            _ => self.intern(ring.product_op(), &factors, &ring.sort()),
        }
    }

    /// The sum of terms with coefficients, as a polynomial.
    pub(super) fn linear_sum<R: Ring>(
        &self,
        ring: &R,
        weighted: &[(Term, R::Coefficient)],
    ) -> Polynomial<R::Coefficient> {
        let mut parts: Vec<Polynomial<R::Coefficient>> =
            weighted.iter().map(|(term, _)| self.polynomial(ring, *term)).collect();
        let total: usize = parts.iter().map(|part| part.summands.len()).sum();
        if total > MOST_SUMMANDS {
            for (part, (term, _)) in parts.iter_mut().zip(weighted) {
                if part.summands.len() > MOST_SUMMANDS / 2 {
                    *part = Polynomial { summands: vec![(vec![*term], ring.one())] };
                }
            }
        }
        let mut all = Vec::with_capacity(total);
        for (part, (_, coefficient)) in parts.into_iter().zip(weighted) {
            all.extend(part.summands.into_iter().map(|(m, c)| (m, ring.times(&c, coefficient))));
        }
        Polynomial::from_summands(ring, all)
    }

    /// The product of two terms: distributed where that stays small.
    pub(super) fn multiply<R: Ring>(&mut self, ring: &R, left: Term, right: Term) -> Term {
        let mut a = self.polynomial(ring, left);
        let mut b = self.polynomial(ring, right);
        let too_big = |a: &Polynomial<_>, b: &Polynomial<_>| {
            a.summands.len() * b.summands.len() > MOST_DISTRIBUTED || a.degree() + b.degree() > MOST_DEGREE
        };
        let is_factor = |p: &Polynomial<R::Coefficient>| p.as_constant(ring).is_none();
        if too_big(&a, &b) && is_factor(&a) && is_factor(&b) {
            let atom = |term| Polynomial { summands: vec![(vec![term], ring.one())] };
            (a, b) = (atom(left), atom(right));
        }
        let product = a.times(ring, &b);
        self.polynomial_term(ring, &product)
    }
}
