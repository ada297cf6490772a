//! `math` numbers: exact where they can be, enclosed elsewhere, and undecided where that is not enough.

use crate::support::{eval_math, input, int, run_with};
use interp::{Enclosure, Ending, Input, Limits, Value};
use ir::Numbers;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, prop_assume, proptest};

fn ratio(numer: i64, denom: i64) -> BigRational {
    BigRational::new(numer.into(), denom.into())
}

fn exact(numer: i64, denom: i64) -> Value {
    Value::Real(Enclosure::exact(ratio(numer, denom)))
}

fn ending(text: &str, args: &[Value]) -> Ending {
    run_with(text, Numbers::Math, &input(args), &Limits::USUAL).ending
}

#[test]
fn integers_do_not_wrap() {
    for (expr, expected) in [
        ("add.i32(2147483647, 1)", 2147483648),
        ("mul.i64(9223372036854775807, 2)", 18446744073709551614),
        ("neg.i8(-128)", 128),
        ("div.i32(-2147483648, -1)", 2147483648),
        ("div.i32(-7, 2)", -3),
        ("rem.i32(-7, 2)", -1),
        ("sub.u32(0, 1)", -1),
        ("shl.i32(3, 31)", 3 << 31),
        ("shr.i32(-5, 1)", -3),
        ("and.i32(-4, 7)", 4),
        ("and.i64(mul.i64(-9223372036854775808, 4), 3)", 0),
        ("bitnot.u8(0)", -1),
        ("convert.i64.i8(300)", 300),
        ("convert.f64.i32(-1e10)", -10000000000),
    ] {
        let ty = expr.split(['.', '(']).nth(1).unwrap_or("i32");
        let ty = if expr.starts_with("convert") { expr.split(['.', '(']).nth(2).unwrap_or(ty) } else { ty };
        assert_eq!(eval_math(ty, expr), int(expected), "{expr}");
    }
    let square = "mul.i64(mul.i64(9223372036854775807, 9223372036854775807), 9223372036854775807)";
    let big = BigInt::from(i64::MAX);
    assert_eq!(eval_math("i64", square), Value::Big(&big * &big * &big));
}

#[test]
fn what_has_no_meaning_is_undefined() {
    for (ty, expr) in [
        ("i32", "div.i32(1, 0)"),
        ("i32", "rem.i32(1, 0)"),
        ("i32", "shl.i32(1, 32)"),
        ("i32", "shl.i32(1, -1)"),
        ("u32", "shr.u32(sub.u32(0, 1), 1)"),
        ("i32", "add.i32(div.i32(1, 0), 1)"),
        ("bool", "eq.i32(div.i32(1, 0), div.i32(1, 0))"),
        ("f64", "div.f64(1.0, 0.0)"),
        ("f64", "rem.f64(1.0, 0.0)"),
        ("f64", "inf"),
        ("f64", "nan"),
        ("f64", "sqrt.f64(-1.0)"),
        ("f64", "log.f64(0.0)"),
        ("f64", "asin.f64(1.5)"),
        ("f64", "pow.f64(-1.0, 0.5)"),
        ("f64", "pow.f64(0.0, -1.0)"),
        ("f64", "atan2.f64(0.0, 0.0)"),
        ("i64", "to_bits.f64(1.0)"),
        ("i32", "count_ones.i32(1)"),
        ("text", "text_concat(\"x\", text_of_float.f64(1.0))"),
    ] {
        assert_eq!(eval_math(ty, expr), Value::Undefined, "{expr}");
    }
}

#[test]
fn overflow_and_fit_have_no_meaning_but_a_value() {
    assert_eq!(eval_math("bool", "overflows.add.i32(2147483647, 1)"), Value::Bool(false));
    assert_eq!(eval_math("bool", "fits.f64.i32(1e300)"), Value::Bool(true));
    assert_eq!(eval_math("bool", "is_nan.f64(1.0)"), Value::Bool(false));
}

#[test]
fn constants_are_their_shortest_decimals() {
    assert_eq!(eval_math("f64", "0.1"), exact(1, 10));
    assert_eq!(eval_math("f32", "0.1"), exact(1, 10));
    assert_eq!(eval_math("f64", "add.f64(0.1, 0.2)"), exact(3, 10));
    assert_eq!(eval_math("f64", "-1.5e3"), exact(-1500, 1));
    assert_eq!(eval_math("f64", "-0.0"), exact(0, 1));
    assert_eq!(eval_math("f64", "parse_float.f64(\" -2.5e-1f\")"), exact(-1, 4));
    assert_eq!(eval_math("f64", "parse_float.f64(\"0x1.8p1\")"), exact(3, 1));
}

#[test]
fn functions_are_exact_where_they_can_be() {
    for (expr, expected) in [
        ("sqrt.f64(2.25)", exact(3, 2)),
        ("cbrt.f64(-0.125)", exact(-1, 2)),
        ("sin.f64(0.0)", exact(0, 1)),
        ("cos.f64(0.0)", exact(1, 1)),
        ("exp.f64(0.0)", exact(1, 1)),
        ("log.f64(1.0)", exact(0, 1)),
        ("log10.f64(0.001)", exact(-3, 1)),
        ("log2.f64(1024.0)", exact(10, 1)),
        ("pow.f64(0.5, 3.0)", exact(1, 8)),
        ("pow.f64(-2.0, -3.0)", exact(-1, 8)),
        ("pow.f64(0.0, 0.0)", exact(1, 1)),
        ("pow.f64(-1.0, 1e15)", exact(1, 1)),
        ("pow.f64(2.25, 0.5)", exact(3, 2)),
        ("pow.f64(0.0, 2.5)", exact(0, 1)),
        ("hypot.f64(0.3, 0.4)", exact(1, 2)),
        ("floor.f64(-0.5)", exact(-1, 1)),
        ("ceil.f64(-0.5)", exact(0, 1)),
        ("rint.f64(2.5)", exact(2, 1)),
        ("rint.f64(-1.5)", exact(-2, 1)),
        ("round.f64(-2.5)", exact(-3, 1)),
        ("trunc.f64(-1.9)", exact(-1, 1)),
        ("floor.f64(sqrt.f64(2.0))", exact(1, 1)),
        ("rem.f64(-5.5, 2.0)", exact(-3, 2)),
        ("copy_sign.f64(2.0, -3.0)", exact(-2, 1)),
        ("atan2.f64(0.0, 5.0)", exact(0, 1)),
    ] {
        assert_eq!(eval_math("f64", expr), expected, "{expr}");
    }
}

#[test]
fn comparing_overlapping_enclosures_is_undecided() {
    let text = "program c
proc f(x: f64) -> bool {
  return lt.f64(mul.f64(sqrt.f64(x), sqrt.f64(x)), x)
}";
    assert_eq!(ending(text, &[Value::f64(4.0)]), Ending::Returned(Some(Value::Bool(false))));
    assert!(matches!(ending(text, &[Value::f64(2.0)]), Ending::Undecided { .. }));
    let apart = "program c\nproc f(x: f64) -> bool {\n  return lt.f64(sin.f64(x), 0.9)\n}";
    assert_eq!(ending(apart, &[Value::f64(1.0)]), Ending::Returned(Some(Value::Bool(true))));
}

#[test]
fn branches_indices_and_outputs_that_are_undefined_are_undecided() {
    for stmt in [
        "if eq.i32(div.i32(1, x), 1) {}",
        "check eq.i32(div.i32(1, x), 1) else E",
        "a = new int[](div.i32(1, x))",
        "store int[](a, div.i32(1, x)) = 1",
        "print text_of_int.i32(div.i32(1, x))",
        "call tell(div.i32(1, x))",
    ] {
        let text = format!(
            "program java\nerror E\nregion int[]: i32 -> i32\nshape int[]: indexed(int[])
proc f(x: i32) {{\n  var a: ref int[]\n  a = new int[](3)\n  {stmt}\n}}\nextern proc tell(x: i32)"
        );
        assert!(matches!(ending(&text, &[int(0)]), Ending::Undecided { .. }), "{stmt}");
    }
}

#[test]
fn inputs_may_be_floats_fractions_or_big_integers() {
    let id = "program c\nproc f(x: f64) -> f64 {\n  return x\n}";
    assert_eq!(ending(id, &[Value::f64(0.1)]), Ending::Returned(Some(exact(1, 10))));
    assert_eq!(ending(id, &[exact(1, 3)]), Ending::Returned(Some(exact(1, 3))));
    assert_eq!(ending(id, &[Value::f64(f64::NAN)]), Ending::Returned(Some(Value::Undefined)));
    let unsigned = "program c\nproc f(x: u8) -> u8 {\n  return x\n}";
    assert_eq!(ending(unsigned, &[int(1000)]), Ending::Returned(Some(int(1000))));
    assert!(matches!(ending(unsigned, &[int(-1)]), Ending::Broken { .. }));
}

#[test]
fn long_fractions_become_tight_enclosures() {
    let text = "program c
proc f(n: i32) -> f64 {
  var s: f64
  loop L0 {
    if le.i32(n, 0) {
      break L0
    }
    s = add.f64(s, div.f64(1.0, convert.i32.f64(n)))
    n = sub.i32(n, 1)
  }
  return s
}";
    let limits = Limits { steps: 100_000_000, ..Limits::USUAL };
    let run = run_with(text, Numbers::Math, &input(&[int(3000)]), &limits);
    let Ending::Returned(Some(Value::Real(sum))) = run.ending else { panic!("a real is expected") };
    assert!(!sum.is_exact());
    let width = (sum.high() - sum.low()).to_f64().expect("the width should be a number");
    assert!(width < 1e-70, "{width}");
    // The 3000th harmonic number.
    assert!((sum.low().to_f64().expect("a bound should be a number") - 8.583749889959).abs() < 1e-9);
}

#[test]
fn long_numbers_count_more_steps() {
    let text = "program c\nproc f(x: f64, y: f64) -> f64 {\n  return mul.f64(x, y)\n}";
    let steps = |x: Value| run_with(text, Numbers::Math, &input(&[x.clone(), x]), &Limits::USUAL).steps;
    assert_eq!(steps(exact(3, 1)), 2);
    assert!(steps(exact(1, 3)) > 2);
}

/// The enclosure that a function gives at a fraction.
fn enclose(function: &str, args: &[BigRational]) -> Option<Enclosure> {
    let names = ["x", "y"];
    let params: Vec<_> = names[..args.len()].iter().map(|name| format!("{name}: f64")).collect();
    let text = format!(
        "program c\nproc f({}) -> f64 {{\n  return {function}.f64({})\n}}",
        params.join(", "),
        names[..args.len()].join(", ")
    );
    let args = args.iter().map(|arg| Value::Real(Enclosure::exact(arg.clone()))).collect();
    match run_with(&text, Numbers::Math, &Input { args, ..Input::default() }, &Limits::USUAL).ending {
        Ending::Returned(Some(Value::Real(enclosure))) => Some(enclosure),
        Ending::Returned(Some(Value::Undefined)) => None,
        other => panic!("{function} ended as {other:?}"),
    }
}

/// An intrinsic and the same function of the platform.
type Function = (&'static str, fn(f64) -> f64);

/// A float as a fraction. The enclosure must contain the function at this exact point.
fn point(value: f64) -> BigRational {
    BigRational::from_float(value).expect("the point should be finite")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The platform's functions are within an ulp or two of the truth, so that the enclosure must come as close to
    /// their results; and it must not be much wider than that.
    #[test]
    fn enclosures_contain_the_results_of_the_platform(x in -30.0..30.0_f64) {
        let functions: [Function; 11] = [
            ("sin", f64::sin), ("cos", f64::cos), ("tan", f64::tan), ("atan", f64::atan), ("exp", f64::exp),
            ("expm1", f64::exp_m1), ("sinh", f64::sinh), ("cosh", f64::cosh), ("tanh", f64::tanh),
            ("cbrt", f64::cbrt), ("abs", f64::abs),
        ];
        for (name, function) in functions {
            let Some(enclosure) = enclose(name, &[point(x)]) else {
                prop_assert_eq!(name, "tan");
                continue;
            };
            near(&enclosure, function(x));
        }
        let positive: [Function; 4] =
            [("log", f64::ln), ("log2", f64::log2), ("log10", f64::log10), ("log1p", f64::ln_1p)];
        for (name, function) in positive {
            let enclosure = enclose(name, &[point(x.abs() + 1e-3)]).expect("the argument is in the domain");
            near(&enclosure, function(x.abs() + 1e-3));
        }
        let unit: [Function; 2] = [("asin", f64::asin), ("acos", f64::acos)];
        for (name, function) in unit {
            near(&enclose(name, &[point(x / 30.0)]).expect("the argument is in the domain"), function(x / 30.0));
        }
    }

    #[test]
    fn enclosures_of_two_arguments_contain_the_results_of_the_platform(x in 0.01..20.0_f64, y in -20.0..20.0_f64) {
        near(&enclose("pow", &[point(x), point(y)]).expect("the base is positive"), x.powf(y));
        near(&enclose("atan2", &[point(y), point(-x)]).expect("the point is not on the cut"), y.atan2(-x));
        near(&enclose("hypot", &[point(y), point(x)]).expect("it is defined everywhere"), y.hypot(x));
    }

    #[test]
    fn square_roots_enclose_their_squares(numer in 0..1_000_000_i64, denom in 1..1_000_000_i64) {
        let value = ratio(numer, denom);
        let root = enclose("sqrt", std::slice::from_ref(&value)).expect("the argument is not negative");
        prop_assert!(root.low() * root.low() <= value && value <= root.high() * root.high());
        prop_assert!((root.high() - root.low()) < ratio(1, 1 << 60));
    }

    #[test]
    fn arithmetic_on_fractions_is_exact(a in any::<(i32, i32)>(), b in any::<(i32, i32)>()) {
        prop_assume!(a.1 != 0 && b.1 != 0 && b.0 != 0);
        let (x, y) = (ratio(a.0.into(), a.1.into()), ratio(b.0.into(), b.1.into()));
        let text = "program c
proc f(x: f64, y: f64) -> f64 {
  return add.f64(div.f64(mul.f64(sub.f64(x, y), add.f64(x, y)), y), y)
}";
        let args = [x.clone(), y.clone()].map(|arg| Value::Real(Enclosure::exact(arg)));
        let expected = Value::Real(Enclosure::exact(&x * &x / &y));
        prop_assert_eq!(ending(text, &args), Ending::Returned(Some(expected)));
    }

    #[test]
    fn small_integers_are_the_same_in_both_models(a in -1000..1000_i128, b in -1000..1000_i128) {
        let text = "program java
error Div
proc f(a: i32, b: i32) -> i32 {
  var r: i32
  check ne.i32(b, 0) else Div
  r = add.i32(mul.i32(div.i32(a, b), b), rem.i32(a, b))
  r = sub.i32(r, shr.i32(mul.i32(a, b), 2))
  return if(lt.i32(and.i32(a, b), xor.i32(a, b)), r, or.i32(r, 1))
}";
        let input = input(&[int(a), int(b)]);
        let [machine, math] = [Numbers::Machine, Numbers::Math]
            .map(|numbers| run_with(text, numbers, &input, &Limits::USUAL).ending);
        prop_assert_eq!(machine, math);
    }
}

/// Asserts that an enclosure is around a float, but for the errors of the platform, and narrow.
fn near(enclosure: &Enclosure, expected: f64) {
    if !expected.is_finite() {
        return;
    }
    let (down, up) = (point(expected.next_down().next_down()), point(expected.next_up().next_up()));
    assert!(*enclosure.low() <= up && down <= *enclosure.high(), "{enclosure} should contain {expected}");
    let width = (enclosure.high() - enclosure.low()).to_f64().expect("the width should be a number");
    assert!(width <= 1e-14 * expected.abs().max(1e-6), "{enclosure} should be narrow around {expected}");
}
