//! Operators on machine numbers, one table for each.

use crate::support::{eval, eval_in};
use interp::Value;
use ir::Numbers;

fn ints(ty: &str, table: &[(&str, i128)]) {
    for (expr, expected) in table {
        assert_eq!(eval(ty, expr), Value::Int(*expected), "{expr}");
    }
}

fn bools(table: &[(&str, bool)]) {
    for (expr, expected) in table {
        assert_eq!(eval("bool", expr), Value::Bool(*expected), "{expr}");
    }
}

fn doubles(table: &[(&str, f64)]) {
    for (expr, expected) in table {
        assert_eq!(eval("f64", expr), Value::f64(*expected), "{expr}");
    }
}

fn floats(table: &[(&str, f32)]) {
    for (expr, expected) in table {
        assert_eq!(eval("f32", expr), Value::f32(*expected), "{expr}");
    }
}

#[test]
fn sums_and_products_wrap() {
    ints(
        "i32",
        &[
            ("add.i32(2147483647, 1)", -2147483648),
            ("sub.i32(-2147483648, 1)", 2147483647),
            ("mul.i32(65536, 65536)", 0),
            ("mul.i32(46341, 46341)", -2147479015),
            ("neg.i32(-2147483648)", -2147483648),
            ("neg.i32(5)", -5),
            ("bitnot.i32(5)", -6),
        ],
    );
    ints("u32", &[("sub.u32(0, 1)", 4294967295), ("neg.u32(1)", 4294967295), ("bitnot.u32(0)", 4294967295)]);
    ints("i8", &[("add.i8(127, 1)", -128), ("mul.i8(16, 16)", 0), ("neg.i8(-128)", -128)]);
    ints("u8", &[("add.u8(255, 1)", 0), ("bitnot.u8(1)", 254)]);
    ints(
        "i64",
        &[("add.i64(9223372036854775807, 1)", i64::MIN.into()), ("mul.i64(4294967296, 4294967296)", 0)],
    );
    ints("u64", &[("sub.u64(0, 1)", u64::MAX.into()), ("mul.u64(4294967295, 4294967297)", u64::MAX.into())]);
}

#[test]
fn division_truncates_and_is_total() {
    ints(
        "i32",
        &[
            ("div.i32(7, 2)", 3),
            ("div.i32(-7, 2)", -3),
            ("div.i32(7, -2)", -3),
            ("div.i32(-2147483648, -1)", -2147483648),
            ("div.i32(5, 0)", -1),
            ("div.i32(0, 0)", -1),
            ("div.i32(-5, 0)", 1),
            ("rem.i32(7, -3)", 1),
            ("rem.i32(-7, 3)", -1),
            ("rem.i32(-2147483648, -1)", 0),
            ("rem.i32(-5, 0)", -5),
        ],
    );
    ints(
        "i64",
        &[("div.i64(-9223372036854775808, -1)", i64::MIN.into()), ("rem.i64(-9223372036854775808, -1)", 0)],
    );
    ints("i8", &[("div.i8(-128, -1)", -128), ("div.i8(5, 0)", -1)]);
    ints("u8", &[("div.u8(200, 0)", 255), ("div.u8(200, 7)", 28), ("rem.u8(200, 0)", 200)]);
    ints(
        "u64",
        &[("div.u64(18446744073709551615, 2)", i64::MAX.into()), ("rem.u64(18446744073709551615, 10)", 5)],
    );
}

#[test]
fn shifts_take_the_count_modulo_the_width() {
    ints(
        "i32",
        &[
            ("shl.i32(1, 31)", -2147483648),
            ("shl.i32(1, 32)", 1),
            ("shl.i32(1, 33)", 2),
            ("shl.i32(1, -1)", -2147483648),
            ("shr.i32(-8, 1)", -4),
            ("shr.i32(-1, 31)", -1),
            ("shr.i32(-8, 33)", -4),
        ],
    );
    ints("u32", &[("shr.u32(4294967288, 1)", 2147483644), ("shl.u32(3, 31)", 2147483648)]);
    ints("i8", &[("shl.i8(1, 7)", -128), ("shl.i8(1, 8)", 1), ("shr.i8(-128, 7)", -1)]);
    ints("i64", &[("shl.i64(1, 63)", i64::MIN.into()), ("shl.i64(1, 64)", 1)]);
}

#[test]
fn operators_on_bits_and_booleans() {
    ints("i32", &[("and.i32(-4, 7)", 4), ("or.i32(-4, 1)", -3), ("xor.i32(-1, 5)", -6)]);
    bools(&[
        ("and(true, false)", false),
        ("or(true, false)", true),
        ("xor(true, true)", false),
        ("eq(false, false)", true),
        ("ne(false, true)", true),
        ("not(true)", false),
        ("lt(false, true)", true),
        ("le(true, false)", false),
    ]);
}

#[test]
fn comparisons_follow_the_sign_of_the_type() {
    bools(&[
        ("lt.i32(-1, 0)", true),
        ("lt.u32(4294967295, 0)", false),
        ("le.u64(18446744073709551615, 18446744073709551615)", true),
        ("lt.i64(-9223372036854775808, 9223372036854775807)", true),
        ("eq.i8(-1, -1)", true),
        ("ne.u16(1, 2)", true),
    ]);
}

#[test]
fn conversions_between_integers_extend_by_the_source() {
    ints("i64", &[("convert.i32.i64(-1)", -1), ("convert.u32.i64(4294967295)", 4294967295)]);
    ints("u64", &[("convert.i8.u64(-1)", u64::MAX.into()), ("convert.bool.u64(true)", 1)]);
    ints("i8", &[("convert.i32.i8(200)", -56), ("convert.i32.i8(-129)", 127)]);
    ints("u16", &[("convert.i32.u16(-1)", 65535), ("convert.u64.u16(65537)", 1)]);
}

#[test]
fn conversions_from_floats_saturate() {
    ints(
        "i32",
        &[
            ("convert.f64.i32(nan)", 0),
            ("convert.f64.i32(-1.9)", -1),
            ("convert.f64.i32(3e9)", 2147483647),
            ("convert.f64.i32(-inf)", -2147483648),
            ("convert.f32.i32(2147483648.0)", 2147483647),
        ],
    );
    ints("i64", &[("convert.f64.i64(1e19)", i64::MAX.into()), ("convert.f64.i64(-9.3e18)", i64::MIN.into())]);
    ints("u64", &[("convert.f64.u64(-1.0)", 0), ("convert.f64.u64(1.8e19)", 18000000000000000000)]);
    ints("u8", &[("convert.f64.u8(300.0)", 255), ("convert.f64.u8(-0.5)", 0)]);
    ints("i8", &[("convert.f64.i8(-200.5)", -128)]);
}

#[test]
fn conversions_to_floats_round_once_to_even() {
    doubles(&[
        ("convert.i64.f64(9007199254740993)", 9007199254740992.0),
        ("convert.u64.f64(18446744073709551615)", 18446744073709551616.0),
        ("convert.i32.f64(-7)", -7.0),
        ("convert.f32.f64(0.1)", 0.10000000149011612),
    ]);
    floats(&[
        ("convert.i32.f32(16777217)", 16777216.0),
        // Through f64 this would round twice, to 16777216 * 2^31.
        ("convert.i64.f32(36028799166447617)", 36028801313931264.0),
        ("convert.f64.f32(0.1)", 0.1),
        ("convert.f64.f32(1e300)", f32::INFINITY),
    ]);
}

#[test]
fn float_arithmetic_is_ieee() {
    doubles(&[
        ("add.f64(0.1, 0.2)", 0.30000000000000004),
        ("sub.f64(0.0, 0.0)", 0.0),
        ("neg.f64(0.0)", -0.0),
        ("mul.f64(-1.0, 0.0)", -0.0),
        ("div.f64(1.0, 0.0)", f64::INFINITY),
        ("div.f64(-1.0, 0.0)", f64::NEG_INFINITY),
        ("div.f64(0.0, 0.0)", f64::NAN),
        ("sub.f64(inf, inf)", f64::NAN),
        ("rem.f64(5.5, -2.0)", 1.5),
        ("rem.f64(-5.5, 2.0)", -1.5),
        ("rem.f64(-4.0, 2.0)", -0.0),
        ("rem.f64(1.0, inf)", 1.0),
        ("rem.f64(1.0, 0.0)", f64::NAN),
        ("neg.f64(nan)", f64::NAN),
    ]);
    floats(&[
        ("add.f32(0.1, 0.2)", 0.3),
        ("mul.f32(1e30, 1e30)", f32::INFINITY),
        ("div.f32(1.0, 3.0)", 0.33333334),
    ]);
}

#[test]
fn float_comparisons_are_ieee() {
    bools(&[
        ("eq.f64(nan, nan)", false),
        ("ne.f64(nan, nan)", true),
        ("le.f64(nan, 1.0)", false),
        ("eq.f64(0.0, -0.0)", true),
        ("lt.f64(-0.0, 0.0)", false),
        ("lt.f32(1.0, inf)", true),
    ]);
}

#[test]
fn every_nan_is_the_canonical_one() {
    let canonical = Value::F64(0x7ff8_0000_0000_0000);
    for expr in [
        "div.f64(0.0, 0.0)",
        "neg.f64(nan)",
        "from_bits.f64(-1)",
        "copy_sign.f64(nan, -1.0)",
        "sqrt.f64(-1.0)",
    ] {
        assert_eq!(eval("f64", expr), canonical, "{expr}");
    }
    ints(
        "i64",
        &[("to_bits.f64(div.f64(0.0, 0.0))", 0x7ff8_0000_0000_0000), ("to_bits.f64(-0.0)", i64::MIN.into())],
    );
    ints("i32", &[("to_bits.f32(from_bits.f32(-1))", 0x7fc0_0000), ("to_bits.f32(-0.0)", -2147483648)]);
}

#[test]
fn overflows_says_whether_the_exact_result_leaves_the_type() {
    bools(&[
        ("overflows.add.i32(2147483647, 1)", true),
        ("overflows.add.i32(2147483647, 0)", false),
        ("overflows.sub.u32(0, 1)", true),
        ("overflows.mul.i32(46341, 46341)", true),
        ("overflows.mul.i32(46340, 46340)", false),
        ("overflows.mul.u64(18446744073709551615, 18446744073709551615)", true),
        ("overflows.div.i32(-2147483648, -1)", true),
        ("overflows.div.i32(5, 0)", false),
        ("overflows.shl.i32(1, 31)", true),
        ("overflows.shl.i32(1, 30)", false),
        ("overflows.shl.u32(1, 31)", false),
        ("overflows.shl.i32(-1, 31)", false),
    ]);
}

#[test]
fn fits_says_whether_the_whole_part_is_in_the_range() {
    bools(&[
        ("fits.f64.i32(2147483647.9)", true),
        ("fits.f64.i32(2147483648.0)", false),
        ("fits.f64.i32(-2147483648.9)", true),
        ("fits.f64.i32(-2147483649.0)", false),
        ("fits.f64.i32(nan)", false),
        ("fits.f64.u8(-0.9)", true),
        ("fits.f64.u8(-1.0)", false),
        ("fits.f64.i64(9223372036854775807.0)", false),
        ("fits.f64.u64(18446744073709549568.0)", true),
        ("fits.f32.i64(inf)", false),
    ]);
}

#[test]
fn rounding_functions() {
    doubles(&[
        ("floor.f64(-0.5)", -1.0),
        ("ceil.f64(-0.5)", -0.0),
        ("trunc.f64(-1.9)", -1.0),
        ("rint.f64(2.5)", 2.0),
        ("rint.f64(3.5)", 4.0),
        ("rint.f64(-0.4)", -0.0),
        ("round.f64(2.5)", 3.0),
        ("round.f64(-2.5)", -3.0),
        ("round.f64(0.49999999999999994)", 0.0),
        ("abs.f64(-0.0)", 0.0),
        ("abs.f64(-inf)", f64::INFINITY),
        ("copy_sign.f64(3.0, -0.0)", -3.0),
    ]);
}

#[test]
fn algebraic_and_other_functions() {
    doubles(&[
        ("sqrt.f64(2.0)", std::f64::consts::SQRT_2),
        ("cbrt.f64(27.0)", 3.0),
        ("exp.f64(0.0)", 1.0),
        ("log.f64(0.0)", f64::NEG_INFINITY),
        ("log.f64(-1.0)", f64::NAN),
        ("log10.f64(1000.0)", 3.0),
        ("log2.f64(8.0)", 3.0),
        ("hypot.f64(3.0, 4.0)", 5.0),
        ("atan2.f64(0.0, -1.0)", std::f64::consts::PI),
        ("atan2.f64(-0.0, -1.0)", -std::f64::consts::PI),
        ("sin.f64(0.0)", 0.0),
        ("cos.f64(0.0)", 1.0),
    ]);
    floats(&[("sqrt.f32(2.0)", std::f32::consts::SQRT_2), ("sin.f32(1.0)", 0.84147096)]);
}

#[test]
fn powers_of_one_are_nan_in_java_and_one_in_c() {
    let pow = |language, expr| eval_in(Numbers::Machine, language, "f64", expr);
    for expr in ["pow.f64(1.0, nan)", "pow.f64(1.0, inf)", "pow.f64(-1.0, -inf)"] {
        assert_eq!(pow("java", expr), Value::f64(f64::NAN), "{expr}");
        assert_eq!(pow("c", expr), Value::f64(1.0), "{expr}");
    }
    for language in ["java", "c"] {
        assert_eq!(pow(language, "pow.f64(nan, 0.0)"), Value::f64(1.0));
        assert_eq!(pow(language, "pow.f64(-8.0, 3.0)"), Value::f64(-512.0));
        assert_eq!(pow(language, "pow.f64(-0.0, -3.0)"), Value::f64(f64::NEG_INFINITY));
    }
}

#[test]
fn counts_of_bits() {
    ints(
        "i32",
        &[
            ("count_ones.i32(-1)", 32),
            ("leading_zeros.i32(1)", 31),
            ("leading_zeros.i32(-1)", 0),
            ("leading_zeros.i32(0)", 32),
            ("trailing_zeros.i32(0)", 32),
            ("trailing_zeros.i32(-2147483648)", 31),
        ],
    );
    ints("i8", &[("count_ones.i8(-1)", 8), ("leading_zeros.i8(-1)", 0), ("trailing_zeros.i8(0)", 8)]);
    ints("u64", &[("count_ones.u64(18446744073709551615)", 64), ("leading_zeros.u64(0)", 64)]);
}

#[test]
fn conditional_expressions_evaluate_one_side_only() {
    // The other side would read a text at an index that it does not have, which ends the run.
    ints("u16", &[("if(true, 7, text_at(\"\", 0))", 7), ("if(false, text_at(\"\", 0), 8)", 8)]);
}
