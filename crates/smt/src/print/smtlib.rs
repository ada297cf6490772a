//! Writes one term as an SMT-LIB expression.

use super::encoder::{Encoder, Floats, kind_of, write_to};
use super::floats;
use crate::op::{BvCmp, BvOp, FloatOp, Op};
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::{Value, mask};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};

impl Encoder {
    /// Writes a term for which `prepare` was called. Depth is bounded by the names it gave.
    pub(crate) fn write(&self, terms: &Terms, term: Term, out: &mut String) {
        if let Some(symbol) = self.defined.get(&term) {
            out.push_str(symbol);
            return;
        }
        let (op, args) = (terms.op(term), terms.args(term));
        match op {
            Op::Const(value) => self.write_literal(term, value, out),
            Op::Var(_) => unreachable!("a variable should be declared before it is used"),
            Op::Apply(name) => {
                let symbol = self.names.known(&kind_of(terms, term), name);
                self.write_canonical(terms, term, &symbol, args, out);
            }
            Op::Not => self.write_not(terms, args[0], out),
            Op::Bv(BvOp::Add) if self.write_complement(terms, args, out) => {}
            Op::Bv(BvOp::Mul) => self.write_product(terms, args, out),
            Op::Select => self.write_canonical(terms, term, "select", args, out),
            Op::TextConcat => self.write_concat(terms, args, out),
            Op::FloatToInt { signed, width } if self.encoding.floats == Floats::Ieee => {
                let mut float = String::new();
                self.write(terms, args[0], &mut float);
                let format = terms.format_of(args[0]);
                // The operand is written four times, under a name if it is long.
                let text = floats::ieee_to_int("x", format, *signed, *width);
                write_to(out, format_args!("(let ((x {float})) {text})"));
            }
            _ if self.function_for(terms, term, op).is_some() => {
                let function = self.function_for(terms, term, op).unwrap_or_default();
                self.write_canonical(terms, term, &function, args, out);
            }
            Op::FloatToBits => self.write(terms, args[0], out),
            _ => {
                let operator = self.operator(terms, term, op);
                self.write_application(terms, &operator, args, out);
            }
        }
    }

    fn write_application(&self, terms: &Terms, operator: &str, args: &[Term], out: &mut String) {
        write_to(out, format_args!("({operator}"));
        for &arg in args {
            out.push(' ');
            self.write(terms, arg, out);
        }
        out.push(')');
    }

    /// An application whose result may be a float with some NaN's bits: made the one NaN.
    fn write_canonical(&self, terms: &Terms, term: Term, operator: &str, args: &[Term], out: &mut String) {
        match (terms.sort_of(term), self.encoding.floats) {
            (Sort::Float(format), Floats::Symbols) => {
                write_to(out, format_args!("({format}.canonical "));
                self.write_application(terms, operator, args, out);
                out.push(')');
            }
            _ => self.write_application(terms, operator, args, out),
        }
    }

    /// A negated conjunction is easier on readers and solvers as a disjunction.
    fn write_not(&self, terms: &Terms, inner: Term, out: &mut String) {
        if *terms.op(inner) != Op::And || self.defined.contains_key(&inner) {
            return self.write_application(terms, "not", &[inner], out);
        }
        out.push_str("(or");
        for &part in terms.args(inner) {
            out.push(' ');
            match terms.op(part) {
                Op::Not if !self.defined.contains_key(&part) => self.write(terms, terms.args(part)[0], out),
                _ => self.write_application(terms, "not", &[part], out),
            }
        }
        out.push(')');
    }

    /// `-1*x - 1` is the complement of `x`.
    fn write_complement(&self, terms: &Terms, args: &[Term], out: &mut String) -> bool {
        let &[product, constant] = args else { return false };
        let ones = mask(terms.width_of(constant));
        if terms.as_bits(constant) != Some(ones) || *terms.op(product) != Op::Bv(BvOp::Mul) {
            return false;
        }
        match *terms.args(product) {
            [minus_one, x] if terms.as_bits(minus_one) == Some(ones) => {
                self.write_application(terms, "bvnot", &[x], out);
                true
            }
            _ => false,
        }
    }

    /// Products with a negative coefficient are negated products.
    fn write_product(&self, terms: &Terms, args: &[Term], out: &mut String) {
        let width = terms.width_of(args[0]);
        let opposite = terms.as_bits(args[0]).map(|bits| bits.wrapping_neg() & mask(width));
        match opposite {
            Some(1) if args.len() == 2 => self.write_application(terms, "bvneg", &args[1..], out),
            Some(1) => {
                out.push_str("(bvneg ");
                self.write_application(terms, "bvmul", &args[1..], out);
                out.push(')');
            }
            _ => self.write_application(terms, "bvmul", args, out),
        }
    }

    fn write_concat(&self, terms: &Terms, args: &[Term], out: &mut String) {
        let (last, rest) = args.split_last().expect("a concatenation should have parts");
        for &part in rest {
            out.push_str("(text.concat ");
            self.write(terms, part, out);
            out.push(' ');
        }
        self.write(terms, *last, out);
        out.extend(std::iter::repeat_n(')', rest.len()));
    }

    fn write_literal(&self, term: Term, value: &Value, out: &mut String) {
        match value {
            Value::Bool(value) => write_to(out, format_args!("{value}")),
            Value::Int(value) => out.push_str(&integer(value, "")),
            Value::Real(value) => out.push_str(&rational(value)),
            Value::BitVec { bits, width } => out.push_str(&floats::bits(*bits, *width)),
            Value::Float { bits, format } => match self.encoding.floats {
                Floats::Symbols => out.push_str(&floats::bits(u128::from(*bits), format.width())),
                Floats::Ieee => out.push_str(&floats::ieee_literal(*bits, *format)),
            },
            Value::Text(_) => {
                let found = self.literals.iter().find(|(known, _)| *known == term);
                let (_, symbol) = found.expect("a text literal should be declared before it is used");
                out.push_str(symbol);
            }
            Value::Array { .. } | Value::Opaque(_) => unreachable!("there are no literals of these"),
        }
    }

    /// The operator of an operation that has one of its own.
    fn operator(&self, terms: &Terms, term: Term, op: &Op) -> String {
        let first = terms.args(term)[0];
        let ieee = self.encoding.floats == Floats::Ieee;
        let fixed = match op {
            Op::And => "and",
            Op::Or => "or",
            Op::Ite => "ite",
            Op::Eq => "=",
            Op::Bv(op) => bv_operator(*op),
            Op::BvNeg => "bvneg",
            Op::BvNot => "bvnot",
            Op::BvCmp(BvCmp::Slt) => "bvslt",
            Op::BvCmp(BvCmp::Sle) => "bvsle",
            Op::BvCmp(BvCmp::Ult) => "bvult",
            Op::BvCmp(BvCmp::Ule) => "bvule",
            Op::Concat => "concat",
            Op::Add => "+",
            Op::Mul => "*",
            Op::IntDiv => "div",
            Op::IntMod => "mod",
            Op::RealDiv => "/",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::IntToReal => "to_real",
            Op::RealFloor => "to_int",
            Op::Store => "store",
            Op::Float(op) if ieee => floats::ieee_operator(*op),
            Op::FloatCmp(op) if ieee => floats::ieee_comparison(*op),
            Op::FloatIsNan if ieee => "fp.isNaN",
            Op::Extract { high, low } => return format!("(_ extract {high} {low})"),
            Op::SignExtend(to) => return format!("(_ sign_extend {})", to - terms.width_of(first)),
            Op::ZeroExtend(to) => return format!("(_ zero_extend {})", to - terms.width_of(first)),
            Op::ConstArray => return format!("(as const {})", self.sort_text(terms.sort_of(term))),
            Op::FloatFromBits(format) if ieee => return floats::to_fp(*format),
            Op::FloatConvert(format) | Op::FloatFromInt { signed: true, format } => {
                return format!("{} RNE", floats::to_fp(*format));
            }
            Op::FloatFromInt { signed: false, format } => {
                let (exponent, significand) = (format.exponent_bits(), format.significand_bits());
                return format!("(_ to_fp_unsigned {exponent} {significand}) RNE");
            }
            Op::Float(FloatOp::Neg) => return format!("{}.neg", terms.format_of(first)),
            Op::Float(FloatOp::Abs) => return format!("{}.abs", terms.format_of(first)),
            Op::FloatCmp(op) => return format!("{}.{op:?}", terms.format_of(first)).to_lowercase(),
            Op::FloatIsNan => return format!("{}.is_nan", terms.format_of(first)),
            Op::FloatFromBits(format) => return format!("{format}.canonical"),
            other => unreachable!("{other:?} is written elsewhere"),
        };
        fixed.to_owned()
    }
}

fn bv_operator(op: BvOp) -> &'static str {
    match op {
        BvOp::Add => "bvadd",
        BvOp::Sub => "bvsub",
        BvOp::Mul => "bvmul",
        BvOp::Sdiv => "bvsdiv",
        BvOp::Udiv => "bvudiv",
        BvOp::Srem => "bvsrem",
        BvOp::Urem => "bvurem",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
        BvOp::Shl => "bvshl",
        BvOp::Lshr => "bvlshr",
        BvOp::Ashr => "bvashr",
    }
}

fn integer(value: &BigInt, suffix: &str) -> String {
    if value.is_negative() { format!("(- {}{suffix})", value.abs()) } else { format!("{value}{suffix}") }
}

fn rational(value: &BigRational) -> String {
    if value.denom().is_one() {
        return integer(value.numer(), ".0");
    }
    format!("(/ {} {}.0)", integer(value.numer(), ".0"), value.denom())
}
