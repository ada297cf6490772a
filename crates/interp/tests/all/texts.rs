//! Texts of numbers and numbers of texts. The expected texts were printed by `java` and by a C compiler's `printf`.

use crate::support::{eval, eval_text};
use interp::Value;

fn texts(table: &[(&str, &str)]) {
    for (expr, expected) in table {
        assert_eq!(eval_text(expr), *expected, "{expr}");
    }
}

#[test]
fn parts_of_texts() {
    texts(&[
        ("text_concat(\"ab\", \"\")", "ab"),
        ("text_concat(\"ab\", \"cd\")", "abcd"),
        ("text_slice(\"hello\", 1, 3)", "el"),
        ("text_slice(\"hello\", 5, 5)", ""),
        ("text_of_char(104)", "h"),
        ("text_of_bool(true)", "true"),
    ]);
    assert_eq!(eval("i32", "text_length(\"\\ud83d\\ude00\")"), Value::Int(2));
    assert_eq!(eval("u16", "text_at(\"\\ud83d\\ude00\", 1)"), Value::Int(0xde00));
    assert_eq!(eval("bool", "same_text(text_concat(\"a\", \"b\"), \"ab\")"), Value::Bool(true));
    assert_eq!(eval("bool", "same_text(null_text, \"\")"), Value::Bool(false));
    assert_eq!(eval("bool", "same_text(null_text, null_text)"), Value::Bool(true));
}

#[test]
fn texts_of_integers() {
    texts(&[
        ("text_of_int.i64(-9223372036854775808)", "-9223372036854775808"),
        ("text_of_int.u64(18446744073709551615)", "18446744073709551615"),
        ("text_of_int.i8(-128)", "-128"),
        ("text_hex.i32(-1)", "ffffffff"),
        ("text_hex.i8(-1)", "ff"),
        ("text_hex.u64(0)", "0"),
        ("text_octal.i32(-1)", "37777777777"),
        ("text_octal.i32(8)", "10"),
    ]);
}

#[test]
fn texts_of_doubles_as_java_writes_them() {
    texts(&[
        ("text_of_float.f64(0.0)", "0.0"),
        ("text_of_float.f64(-0.0)", "-0.0"),
        ("text_of_float.f64(nan)", "NaN"),
        ("text_of_float.f64(-inf)", "-Infinity"),
        ("text_of_float.f64(1.0)", "1.0"),
        ("text_of_float.f64(100.0)", "100.0"),
        ("text_of_float.f64(123456.789)", "123456.789"),
        ("text_of_float.f64(9999999.0)", "9999999.0"),
        ("text_of_float.f64(1e7)", "1.0E7"),
        ("text_of_float.f64(12345678.0)", "1.2345678E7"),
        ("text_of_float.f64(0.001)", "0.001"),
        ("text_of_float.f64(9.99e-4)", "9.99E-4"),
        ("text_of_float.f64(-1.5e-300)", "-1.5E-300"),
        ("text_of_float.f64(1.7976931348623157e308)", "1.7976931348623157E308"),
        ("text_of_float.f64(2.2250738585072014e-308)", "2.2250738585072014E-308"),
        // One digit would do, but the closest with two is written.
        ("text_of_float.f64(5e-324)", "4.9E-324"),
        ("text_of_float.f64(1e-323)", "9.9E-324"),
        ("text_of_float.f64(2e-323)", "2.0E-323"),
        // Before JDK 19 this was 1.9999999999999998E23.
        ("text_of_float.f64(2e23)", "2.0E23"),
    ]);
}

#[test]
fn texts_of_floats_as_java_writes_them() {
    texts(&[
        ("text_of_float.f32(0.1)", "0.1"),
        ("text_of_float.f32(1e-45)", "1.4E-45"),
        ("text_of_float.f32(3.4028235e38)", "3.4028235E38"),
        ("text_of_float.f32(16777216.0)", "1.6777216E7"),
        // Halfway between two texts of the same length: the even digit.
        ("text_of_float.f32(-1973773.25)", "-1973773.2"),
        ("text_of_float.f32(2.4414062e-4)", "2.4414062E-4"),
    ]);
}

#[test]
fn floats_as_printf_writes_them() {
    texts(&[
        ("text_fixed.f64(0.5, 0)", "0"),
        ("text_fixed.f64(1.5, 0)", "2"),
        ("text_fixed.f64(2.5, 0)", "2"),
        ("text_fixed.f64(0.125, 2)", "0.12"),
        ("text_fixed.f64(0.375, 2)", "0.38"),
        ("text_fixed.f64(-0.0, 1)", "-0.0"),
        ("text_fixed.f64(1e23, 1)", "99999999999999991611392.0"),
        ("text_fixed.f64(0.1, 30)", "0.100000000000000005551115123126"),
        ("text_fixed.f64(inf, 2)", "inf"),
        ("text_fixed.f64(nan, 2)", "nan"),
        ("text_fixed.f64(3.0, -1)", "3.000000"),
        ("text_fixed.f32(0.1, 10)", "0.1000000015"),
        ("text_exponent.f64(0.0, 3)", "0.000e+00"),
        ("text_exponent.f64(999.5, 0)", "1e+03"),
        ("text_exponent.f64(1e100, 2)", "1.00e+100"),
        ("text_exponent.f64(-1.5e-7, 1)", "-1.5e-07"),
        ("text_general.f64(0.0001, 6)", "0.0001"),
        ("text_general.f64(0.00001, 6)", "1e-05"),
        ("text_general.f64(123456.0, 6)", "123456"),
        ("text_general.f64(1234567.0, 6)", "1.23457e+06"),
        ("text_general.f64(999999.5, 6)", "1e+06"),
        ("text_general.f64(100.0, 0)", "1e+02"),
        ("text_general.f64(0.1, 17)", "0.10000000000000001"),
        ("text_general.f64(-0.0, 6)", "-0"),
        ("text_general.f64(inf, 6)", "inf"),
    ]);
}

#[test]
fn integers_are_read_as_java_reads_them() {
    let parses = |text: &str| eval("bool", &format!("parses_as_int.i32({text})")) == Value::Bool(true);
    for text in
        ["\"12\"", "\"+12\"", "\"-12\"", "\"-2147483648\"", "\"007\"", "\"\\u0661\\u0662\"", "\"\\uff11\""]
    {
        assert!(parses(text), "{text}");
    }
    for text in
        ["\"\"", "\"+\"", "\"-\"", "\" 1\"", "\"1.0\"", "\"2147483648\"", "\"0x1\"", "\"1_0\"", "null_text"]
    {
        assert!(!parses(text), "{text}");
    }
    assert_eq!(eval("i32", "parse_int.i32(\"-0042\")"), Value::Int(-42));
    assert_eq!(eval("i32", "parse_int.i32(\"\\u0661\\u0662\")"), Value::Int(12));
    assert_eq!(eval("bool", "parses_as_int.u8(\"-0\")"), Value::Bool(false));
    assert_eq!(eval("bool", "parses_as_int.i8(\"128\")"), Value::Bool(false));
    assert_eq!(eval("u64", "parse_int.u64(\"18446744073709551615\")"), Value::Int(u64::MAX.into()));
}

#[test]
fn floats_are_read_as_java_reads_them() {
    let table = [
        (" 1 ", 1.0),
        ("1.", 1.0),
        (".5", 0.5),
        ("1e5", 1e5),
        ("1E+5f", 1e5),
        ("+Infinity", f64::INFINITY),
        ("-NaN", f64::NAN),
        ("0x1p3", 8.0),
        ("0X1.8P-2d", 0.375),
        ("0x1.fffffffffffff8p0", 2.0),
        ("0x1p-1075", 0.0),
        ("0x1.8p-1075", 5e-324),
        ("0x1p1024", f64::INFINITY),
        ("1e400", f64::INFINITY),
        ("2.4703282292062328e-324", 5e-324),
        ("1e-99999999999", 0.0),
    ];
    for (text, expected) in table {
        assert_eq!(eval("f64", &format!("parse_float.f64(\"{text}\")")), Value::f64(expected), "{text}");
    }
    for text in
        ["", ".", "e5", "1e", "1ff", "infinity", "Infinityf", "0x1", "0xp3", "1 2", "1_0", "--1", "1L"]
    {
        assert_eq!(eval("bool", &format!("parses_as_float.f64(\"{text}\")")), Value::Bool(false), "{text}");
    }
    // Rounded once: the nearest f64 lies exactly between two f32.
    assert_eq!(eval("f32", "parse_float.f32(\"1.00000005960464477539062500001\")"), Value::F32(0x3f80_0001));
}
