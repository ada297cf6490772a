//! Constructors of floats. Only rewrites that IEEE-754 makes exact, with all NaNs being one value.
//!
//! Sums are sorted but never re-associated. Subtraction is addition of the negative, negation is
//! moved out of products and quotients (rounding to nearest is symmetric), and doubling is a
//! product, so that the usual ways to write these meet even where the operation itself is left
//! uninterpreted.

use crate::op::{FloatCmp, FloatOp, Op};
use crate::sort::{FloatFormat, Sort};
use crate::terms::{Term, Terms};
use crate::value::Value;

impl Terms {
    /// A float literal from its bits; every NaN is the same literal.
    pub fn float(&mut self, bits: u64, format: FloatFormat) -> Term {
        self.intern(Op::Const(Value::float(bits, format)), &[], &Sort::Float(format))
    }

    /// The double-precision literal of a Rust number.
    pub fn f64(&mut self, number: f64) -> Term {
        self.float(number.to_bits(), FloatFormat::F64)
    }

    /// The format of a float term.
    ///
    /// Panics when the term has another sort.
    pub fn format_of(&self, term: Term) -> FloatFormat {
        let sort = self.sort_of(term);
        sort.format().unwrap_or_else(|| panic!("a float was expected, not a {sort}"))
    }

    /// A floating-point operation: two operands, or one for roots, signs and rounding.
    pub fn float_op(&mut self, op: FloatOp, args: &[Term]) -> Term {
        let binary = matches!(op, FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div | FloatOp::Rem);
        assert_eq!(args.len(), if binary { 2 } else { 1 }, "{op:?} should have its number of operands");
        self.assert_same_sort(args[0], args[args.len() - 1]);
        let sort = Sort::Float(self.format_of(args[0]));
        if !self.simplifying {
            return self.intern(Op::Float(op), args, &sort);
        }
        if let Some(folded) = self.fold(&Op::Float(op), args, &sort) {
            return folded;
        }
        match (op, args) {
            (FloatOp::Add, &[a, b]) => self.float_add(a, b),
            (FloatOp::Sub, &[a, b]) => {
                let negative = self.float_op(FloatOp::Neg, &[b]);
                self.float_op(FloatOp::Add, &[a, negative])
            }
            (FloatOp::Mul | FloatOp::Div, &[a, b]) => self.float_scale(op, a, b),
            (FloatOp::Rem, &[a, b]) => self.float_rem(a, b),
            (FloatOp::Neg, &[a]) => self.float_neg(a),
            (FloatOp::Abs, &[a]) => match self.float_parts(a) {
                (Some(FloatOp::Neg), inner) => self.float_op(FloatOp::Abs, &[inner]),
                (Some(FloatOp::Abs), _) => a,
                _ => self.intern(Op::Float(op), args, &sort),
            },
            (FloatOp::RoundToIntegral(_), &[a]) if self.is_integral(a) => a,
            _ => self.intern(Op::Float(op), args, &sort),
        }
    }

    /// The operation and the first operand of a float operation.
    fn float_parts(&self, term: Term) -> (Option<FloatOp>, Term) {
        match self.op(term) {
            Op::Float(op) => (Some(*op), self.args(term)[0]),
            _ => (None, term),
        }
    }

    fn is_integral(&self, term: Term) -> bool {
        match self.op(term) {
            Op::Float(FloatOp::RoundToIntegral(_)) | Op::FloatFromInt { .. } => true,
            Op::Float(FloatOp::Neg | FloatOp::Abs) => self.is_integral(self.args(term)[0]),
            _ => false,
        }
    }

    fn float_add(&mut self, a: Term, b: Term) -> Term {
        let format = self.format_of(a);
        // `x + -0` is `x`, also for -0; `x + +0` is not.
        let minus_zero = self.literal_of(-0.0, format);
        if a == minus_zero {
            return b;
        }
        if b == minus_zero {
            return a;
        }
        if a == b {
            let two = self.literal_of(2.0, format);
            return self.float_scale(FloatOp::Mul, a, two);
        }
        if self.is_nan_literal(a) || self.is_nan_literal(b) {
            return self.float(format.canonical_nan(), format);
        }
        self.intern(Op::Float(FloatOp::Add), &[a.min(b), a.max(b)], &Sort::Float(format))
    }

    /// Products and quotients: signs outside, literals `1` gone, division by a power of two a product.
    fn float_scale(&mut self, op: FloatOp, a: Term, b: Term) -> Term {
        let format = self.format_of(a);
        if self.is_nan_literal(a) || self.is_nan_literal(b) {
            return self.float(format.canonical_nan(), format);
        }
        let (a_negated, a_size) = self.without_sign(a);
        let (b_negated, b_size) = self.without_sign(b);
        let one = self.literal_of(1.0, format);
        let size = if b_size == one {
            a_size
        } else if op == FloatOp::Mul && a_size == one {
            b_size
        } else if let Some(inverse) = self.exact_inverse(b_size).filter(|_| op == FloatOp::Div) {
            let inverse = self.literal_of(inverse, format);
            self.float_product(a_size, inverse, format)
        } else if op == FloatOp::Mul {
            self.float_product(a_size, b_size, format)
        } else {
            self.fold_or_intern(Op::Float(op), &[a_size, b_size], &Sort::Float(format))
        };
        if a_negated != b_negated { self.float_op(FloatOp::Neg, &[size]) } else { size }
    }

    fn float_product(&mut self, a: Term, b: Term, format: FloatFormat) -> Term {
        self.fold_or_intern(Op::Float(FloatOp::Mul), &[a.min(b), a.max(b)], &Sort::Float(format))
    }

    /// C's `fmod`: the sign of the divisor has no influence, that of the dividend is the result's.
    fn float_rem(&mut self, a: Term, b: Term) -> Term {
        let sort = self.sort_of(a).clone();
        let (negated, a_size) = self.without_sign(a);
        let (_, b_size) = self.without_sign(b);
        let size = self.fold_or_intern(Op::Float(FloatOp::Rem), &[a_size, b_size], &sort);
        if negated { self.float_op(FloatOp::Neg, &[size]) } else { size }
    }

    fn float_neg(&mut self, a: Term) -> Term {
        match self.float_parts(a) {
            (Some(FloatOp::Neg), inner) => inner,
            _ => self.intern(Op::Float(FloatOp::Neg), &[a], &self.sort_of(a).clone()),
        }
    }

    /// The term without its leading negation, and whether there was one; literals by their sign.
    fn without_sign(&mut self, term: Term) -> (bool, Term) {
        match self.op(term) {
            Op::Float(FloatOp::Neg) => (true, self.args(term)[0]),
            &Op::Const(Value::Float { bits, format }) if bits >> (format.width() - 1) == 1 => {
                let sign = 1 << (format.width() - 1);
                (true, self.float(bits ^ sign, format))
            }
            _ => (false, term),
        }
    }

    /// The inverse of a literal that is a power of two, where it is a normal number too.
    fn exact_inverse(&self, term: Term) -> Option<f64> {
        let Some(&Value::Float { bits, format }) = self.as_const(term) else { return None };
        let (number, normal) = match format {
            FloatFormat::F32 => {
                let number = f32::from_bits(bits as u32);
                (f64::from(number), number.is_normal() && number.recip().is_normal())
            }
            FloatFormat::F64 => {
                let number = f64::from_bits(bits);
                (number, number.is_normal() && number.recip().is_normal())
            }
        };
        // A power of two has nothing in its stored significand.
        let is_power = number.to_bits() & ((1 << 52) - 1) == 0;
        (normal && is_power).then(|| number.recip())
    }

    fn literal_of(&mut self, number: f64, format: FloatFormat) -> Term {
        match format {
            FloatFormat::F32 => self.float(u64::from((number as f32).to_bits()), format),
            FloatFormat::F64 => self.float(number.to_bits(), format),
        }
    }

    fn is_nan_literal(&self, term: Term) -> bool {
        matches!(self.as_const(term), Some(Value::Float { bits, format }) if *bits == format.canonical_nan())
    }

    /// An IEEE comparison: false when an operand is NaN, and +0 equals -0.
    pub fn float_cmp(&mut self, op: FloatCmp, left: Term, right: Term) -> Term {
        self.assert_same_sort(left, right);
        self.format_of(left);
        if !self.simplifying {
            return self.intern(Op::FloatCmp(op), &[left, right], &Sort::Bool);
        }
        if let Some(folded) = self.fold(&Op::FloatCmp(op), &[left, right], &Sort::Bool) {
            return folded;
        }
        if self.is_nan_literal(left) || self.is_nan_literal(right) {
            return self.bool(false);
        }
        if left == right {
            let nan = self.float_is_nan(left);
            return if op == FloatCmp::Lt { self.bool(false) } else { self.not(nan) };
        }
        if let Some(lifted) = self.lift_ite(left, right, |t, a, b| t.float_cmp(op, a, b)) {
            return lifted;
        }
        if let Some(compared) = self.compare_images(op, left, right) {
            return compared;
        }
        let (left_negated, left_size) = self.without_sign(left);
        let (right_negated, right_size) = self.without_sign(right);
        if left_negated && right_negated {
            return self.float_cmp(op, right_size, left_size);
        }
        let swap = op == FloatCmp::Eq && right < left;
        let args = if swap { [right, left] } else { [left, right] };
        self.intern(Op::FloatCmp(op), &args, &Sort::Bool)
    }

    /// Comparing integers that were converted without rounding is comparing the integers.
    fn compare_images(&mut self, op: FloatCmp, left: Term, right: Term) -> Option<Term> {
        use crate::op::BvCmp;
        let (x, signed) = self.exact_source(left)?;
        let (y, also_signed) = self.exact_source(right)?;
        if signed != also_signed || self.sort_of(x) != self.sort_of(y) {
            return None;
        }
        Some(match (op, signed) {
            (FloatCmp::Eq, _) => self.eq(x, y),
            (FloatCmp::Lt, true) => self.bv_cmp(BvCmp::Slt, x, y),
            (FloatCmp::Lt, false) => self.bv_cmp(BvCmp::Ult, x, y),
            (FloatCmp::Le, true) => self.bv_cmp(BvCmp::Sle, x, y),
            (FloatCmp::Le, false) => self.bv_cmp(BvCmp::Ule, x, y),
        })
    }

    /// The integer behind a conversion that cannot have rounded.
    pub(super) fn exact_source(&self, term: Term) -> Option<(Term, bool)> {
        let Op::FloatFromInt { signed, format } = *self.op(term) else { return None };
        let source = self.args(term)[0];
        let digits = self.width_of(source) - u32::from(signed);
        (digits <= format.significand_bits()).then_some((source, signed))
    }

    /// Identity of two floats that are different terms.
    pub(super) fn eq_floats(&mut self, left: Term, right: Term) -> Term {
        let (left_negated, left_size) = self.without_sign(left);
        let (right_negated, right_size) = self.without_sign(right);
        if left_negated && right_negated {
            return self.eq(left_size, right_size);
        }
        for (one, other) in [(left, right), (right, left)] {
            if self.is_nan_literal(one) {
                return self.float_is_nan(other);
            }
        }
        match (self.exact_source(left), self.exact_source(right)) {
            // Integers have no -0, so that distinct images come from distinct integers.
            (Some((x, a)), Some((y, b))) if a == b && self.sort_of(x) == self.sort_of(y) => self.eq(x, y),
            _ => self.eq_as_is(left, right),
        }
    }

    /// Whether a float is NaN.
    pub fn float_is_nan(&mut self, term: Term) -> Term {
        self.format_of(term);
        if let Some(folded) = self.fold(&Op::FloatIsNan, &[term], &Sort::Bool) {
            return folded;
        }
        let mut term = term;
        while self.simplifying {
            match self.op(term) {
                Op::FloatFromInt { .. } => return self.bool(false),
                Op::Float(FloatOp::Neg | FloatOp::Abs | FloatOp::RoundToIntegral(_))
                | Op::FloatConvert(_) => {
                    term = self.args(term)[0];
                }
                _ => break,
            }
        }
        self.intern(Op::FloatIsNan, &[term], &Sort::Bool)
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::{differ, same};

    #[test]
    fn sums_and_products_commute_and_do_not_associate() {
        same("(+ f g)", "(+ g f)");
        same("(* f g)", "(* g f)");
        differ("(+ (+ f g) f1)", "(+ f (+ g f1))");
        differ("(* (* f g) f1)", "(* f (* g f1))");
        differ("(* f (+ g f1))", "(+ (* f g) (* f f1))");
    }

    #[test]
    fn neutral_elements_go_where_they_are_exact() {
        same("(* f 1.0d)", "f");
        same("(* f -1.0d)", "(neg f)");
        same("(/ f 1.0d)", "f");
        same("(+ f -0.0d)", "f");
        same("(- f 0.0d)", "f");
        same("(+ f nan)", "nan");
        // -0 + +0 is +0.
        differ("(+ f 0.0d)", "f");
        differ("(- 0.0d f)", "(neg f)");
        // 0 * infinity is NaN, and so is infinity - infinity.
        differ("(* f 0.0d)", "0.0d");
        differ("(- f f)", "0.0d");
        differ("(/ f f)", "1.0d");
    }

    #[test]
    fn signs_move_outwards() {
        same("(neg (neg f))", "f");
        same("(abs (neg f))", "(abs f)");
        same("(abs (abs f))", "(abs f)");
        same("(- f g)", "(+ f (neg g))");
        same("(* (neg f) g)", "(neg (* f g))");
        same("(* (neg f) (neg g))", "(* f g)");
        same("(/ f (neg g))", "(neg (/ f g))");
        same("(% f (neg g))", "(% f g)");
        same("(% (neg f) g)", "(neg (% f g))");
        // a - a is +0, and so is the negative of neither.
        differ("(neg (- f g))", "(- g f)");
        differ("(sqrt (neg f))", "(neg (sqrt f))");
    }

    #[test]
    fn scaling_by_powers_of_two_is_exact() {
        same("(+ f f)", "(* f 2.0d)");
        same("(/ f 2.0d)", "(* f 0.5d)");
        same("(/ f -4.0d)", "(neg (* 0.25d f))");
        differ("(/ f 3.0d)", "(* f 0.3333333333333333d)");
        differ("(/ (* f 2.0d) 2.0d)", "f");
    }

    #[test]
    fn comparisons_mind_nan() {
        same("(== f f)", "(not (nan? f))");
        same("(<= f f)", "(not (nan? f))");
        same("(< f f)", "false");
        same("(== f nan)", "false");
        same("(< (neg f) (neg g))", "(< g f)");
        same("(== f g)", "(== g f)");
        same("(= f nan)", "(nan? f)");
        same("(= (neg f) (neg g))", "(= f g)");
        differ("(not (< f g))", "(<= g f)");
        differ("(== f g)", "(= f g)");
        differ("(= f g)", "(= (abs f) (abs g))");
    }

    #[test]
    fn nan_is_traced_to_where_it_may_come_from() {
        same("(nan? (neg f))", "(nan? f)");
        same("(nan? (from_int x))", "false");
        same("(nan? (f64 (f32 f)))", "(nan? f)");
        differ("(nan? (+ f g))", "(nan? f)");
        differ("(nan? (sqrt f))", "(nan? f)");
    }

    #[test]
    fn constants_fold_as_the_machine_computes() {
        same("(+ 0.1d 0.2d)", "0.30000000000000004d");
        same("(% -7.5d 2.0d)", "-1.5d");
        same("(sqrt 2.0d)", "1.4142135623730951d");
        same("(/ 1.0d 0.0d)", "inf");
        same("(/ 0.0d 0.0d)", "nan");
        same("(rint 2.5d)", "2.0d");
        same("(floorf -0.5d)", "-1.0d");
    }

    #[test]
    fn whole_numbers_are_not_rounded_again() {
        same("(floorf (rint f))", "(rint f)");
        same("(rint (from_int x))", "(from_int x)");
        differ("(floorf f)", "(rint f)");
    }
}
