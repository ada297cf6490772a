//! Floats in SMT-LIB: as bit-vectors with exact definitions over the bits, or as IEEE numbers.

use super::encoder::write_to;
use crate::op::{FloatCmp, FloatOp, Op, RoundingMode};
use crate::sort::FloatFormat;
use crate::terms::{Term, Terms};

/// Defines, over bits, all that does not round. NaN has one pattern, so that `=` is identity.
pub(super) fn write_prelude(format: FloatFormat, out: &mut String) {
    let width = format.width();
    let sort = format!("(_ BitVec {width})");
    let fraction = format.significand_bits() - 1;
    let infinity = bits(((1 << format.exponent_bits()) - 1) << fraction, width);
    let sign = bits(1 << (width - 1), width);
    let size = bits((1 << (width - 1)) - 1, width);
    let nan = bits(u128::from(format.canonical_nan()), width);
    let define = |out: &mut String, name: &str, args: &str, result: &str, body: String| {
        write_to(out, format_args!("(define-fun {format}.{name} ({args}) {result} {body})\n"));
    };
    let (one, two) = (format!("(x {sort})"), format!("(x {sort}) (y {sort})"));
    let is_nan = format!("(bvugt (bvand x {size}) {infinity})");
    define(out, "is_nan", &one, "Bool", is_nan);
    define(out, "is_zero", &one, "Bool", format!("(= (bvand x {size}) {})", bits(0, width)));
    define(out, "canonical", &one, &sort, format!("(ite ({format}.is_nan x) {nan} x)"));
    define(out, "neg", &one, &sort, format!("(ite ({format}.is_nan x) x (bvxor x {sign}))"));
    define(out, "abs", &one, &sort, format!("(bvand x {size})"));
    define(
        out,
        "eq",
        &two,
        "Bool",
        format!(
            "(and (not ({format}.is_nan x)) (or (= x y) (and ({format}.is_zero x) ({format}.is_zero y))))"
        ),
    );
    // Sign and size: negative numbers grow with falling bits.
    let below = format!(
        "(ite (bvslt x {zero}) (ite (bvslt y {zero}) (bvult y x) true) (ite (bvslt y {zero}) false (bvult x y)))",
        zero = bits(0, width)
    );
    define(
        out,
        "lt",
        &two,
        "Bool",
        format!(
            "(and (not ({format}.is_nan x)) (not ({format}.is_nan y)) \
             (not (and ({format}.is_zero x) ({format}.is_zero y))) {below})"
        ),
    );
    define(out, "le", &two, "Bool", format!("(or ({format}.lt x y) ({format}.eq x y))"));
}

/// The literal of a bit-vector.
pub(super) fn bits(value: u128, width: u32) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = (width / 4) as usize)
    } else {
        format!("#b{value:0digits$b}", digits = width as usize)
    }
}

pub(super) fn ieee_sort(format: FloatFormat) -> String {
    format!("(_ FloatingPoint {} {})", format.exponent_bits(), format.significand_bits())
}

/// An IEEE literal, field by field.
pub(super) fn ieee_literal(value: u64, format: FloatFormat) -> String {
    if value == format.canonical_nan() {
        return format!("(_ NaN {} {})", format.exponent_bits(), format.significand_bits());
    }
    let fraction_bits = format.significand_bits() - 1;
    let sign = value >> (format.width() - 1);
    let exponent = (value >> fraction_bits) & ((1 << format.exponent_bits()) - 1);
    let fraction = value & ((1 << fraction_bits) - 1);
    format!(
        "(fp #b{sign} #b{exponent:0exponent_digits$b} #b{fraction:0fraction_digits$b})",
        exponent_digits = format.exponent_bits() as usize,
        fraction_digits = fraction_bits as usize
    )
}

/// Declares the bits of an IEEE number: those that read back as it, with one pattern for NaN.
pub(super) fn write_bits_of(symbol: &str, float: &str, format: FloatFormat, out: &mut String) {
    let width = format.width();
    let convert = to_fp(format);
    let nan = bits(u128::from(format.canonical_nan()), width);
    write_to(out, format_args!("(declare-fun {symbol} () (_ BitVec {width}))\n"));
    write_to(out, format_args!("(assert (= ({convert} {symbol}) {float}))\n"));
    write_to(out, format_args!("(assert (=> (fp.isNaN {float}) (= {symbol} {nan})))\n"));
}

pub(super) fn to_fp(format: FloatFormat) -> String {
    format!("(_ to_fp {} {})", format.exponent_bits(), format.significand_bits())
}

/// The uninterpreted function that stands for an operation that rounds.
pub(super) fn function_name(terms: &Terms, term: Term, op: &Op) -> String {
    let first = terms.args(term)[0];
    match op {
        Op::Float(op) => {
            let name = match op {
                FloatOp::Add => "add",
                FloatOp::Sub => "sub",
                FloatOp::Mul => "mul",
                FloatOp::Div => "div",
                FloatOp::Rem => "rem",
                FloatOp::Sqrt => "sqrt",
                FloatOp::Neg => "neg",
                FloatOp::Abs => "abs",
                FloatOp::RoundToIntegral(mode) => {
                    return format!("{}.{}", terms.format_of(first), round_name(*mode));
                }
            };
            format!("{}.{name}", terms.format_of(first))
        }
        Op::FloatConvert(to) => format!("{}.to.{to}", terms.format_of(first)),
        Op::FloatFromInt { signed, format } => {
            format!("{format}.from.{}{}", if *signed { 's' } else { 'u' }, terms.width_of(first))
        }
        Op::FloatToInt { signed, width } => {
            format!("{}.to.{}{width}", terms.format_of(first), if *signed { 's' } else { 'u' })
        }
        _ => unreachable!("only operations that round are left uninterpreted"),
    }
}

fn round_name(mode: RoundingMode) -> &'static str {
    match mode {
        RoundingMode::TowardNegative => "floor",
        RoundingMode::TowardPositive => "ceil",
        RoundingMode::TowardZero => "trunc",
        RoundingMode::NearestEven => "rint",
    }
}

/// The operation of the IEEE theory, with its rounding mode.
pub(super) fn ieee_operator(op: FloatOp) -> &'static str {
    match op {
        FloatOp::Add => "fp.add RNE",
        FloatOp::Sub => "fp.sub RNE",
        FloatOp::Mul => "fp.mul RNE",
        FloatOp::Div => "fp.div RNE",
        FloatOp::Sqrt => "fp.sqrt RNE",
        FloatOp::Neg => "fp.neg",
        FloatOp::Abs => "fp.abs",
        FloatOp::RoundToIntegral(RoundingMode::TowardNegative) => "fp.roundToIntegral RTN",
        FloatOp::RoundToIntegral(RoundingMode::TowardPositive) => "fp.roundToIntegral RTP",
        FloatOp::RoundToIntegral(RoundingMode::TowardZero) => "fp.roundToIntegral RTZ",
        FloatOp::RoundToIntegral(RoundingMode::NearestEven) => "fp.roundToIntegral RNE",
        FloatOp::Rem => unreachable!("the remainder is an uninterpreted function"),
    }
}

pub(super) fn ieee_comparison(op: FloatCmp) -> &'static str {
    match op {
        FloatCmp::Eq => "fp.eq",
        FloatCmp::Lt => "fp.lt",
        FloatCmp::Le => "fp.leq",
    }
}

/// The saturating conversion to an integer, of a float that is short to write.
pub(super) fn ieee_to_int(float: &str, format: FloatFormat, signed: bool, width: u32) -> String {
    let power = |exponent: u32, negative: bool| {
        // 2^128 is beyond f32: nothing finite reaches it.
        let number = f64::from(exponent).exp2() * if negative { -1.0 } else { 1.0 };
        let pattern = match format {
            FloatFormat::F32 => u64::from((number as f32).to_bits()),
            FloatFormat::F64 => number.to_bits(),
        };
        ieee_literal(pattern, format)
    };
    let zero = bits(0, width);
    if signed {
        let (least, most) = (bits(1 << (width - 1), width), bits((1 << (width - 1)) - 1, width));
        format!(
            "(ite (fp.isNaN {float}) {zero} (ite (fp.leq {float} {}) {least} \
             (ite (fp.geq {float} {}) {most} ((_ fp.to_sbv {width}) RTZ {float}))))",
            power(width - 1, true),
            power(width - 1, false)
        )
    } else {
        let most = bits(crate::value::mask(width), width);
        format!(
            "(ite (fp.isNaN {float}) {zero} (ite (fp.lt {float} {}) {zero} \
             (ite (fp.geq {float} {}) {most} ((_ fp.to_ubv {width}) RTZ {float}))))",
            power(0, false),
            power(width, false)
        )
    }
}
