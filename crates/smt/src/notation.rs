//! A notation for terms in tests: prefix, with the sorts of variables known by their first letter.
//!
//! ```text
//! (= (+ i (* 2 j)) 7)      i j k n  Int      x y z  32 bits    c  8 bits    l  64 bits
//! (select a (+ x 1:32))    r s      Real     f g    f64        h  f32       a b  arrays
//! (ite p 1.0d (neg f))     p q      Bool     t u    Text       o  Object
//! ```

use crate::op::{BvCmp, BvOp, FloatCmp, FloatOp, RoundingMode};
use crate::sort::{FloatFormat, Sort};
use crate::terms::{Term, Terms};
use num_bigint::BigInt;
use num_rational::BigRational;

/// Panics unless both become the same term.
#[track_caller]
pub(crate) fn same(left: &str, right: &str) {
    let mut terms = Terms::new();
    let (left, right) = (read(&mut terms, left), read(&mut terms, right));
    assert_eq!(terms.print(left), terms.print(right));
    assert_eq!(left, right);
}

/// Panics if both become the same term: for rules that must not apply.
#[track_caller]
pub(crate) fn differ(left: &str, right: &str) {
    let mut terms = Terms::new();
    let (left, right) = (read(&mut terms, left), read(&mut terms, right));
    assert_ne!(left, right, "both became {}", terms.print(left));
}

/// What a term becomes, as text.
pub(crate) fn simplified(text: &str) -> String {
    let mut terms = Terms::new();
    let term = read(&mut terms, text);
    terms.print(term)
}

/// The term that a text stands for.
pub(crate) fn read(terms: &mut Terms, text: &str) -> Term {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace();
    let term = read_next(terms, &mut words).expect("a test's term should not be empty");
    assert_eq!(words.next(), None, "a test's term should end where it ends");
    term
}

fn read_next<'t>(terms: &mut Terms, words: &mut impl Iterator<Item = &'t str>) -> Option<Term> {
    match words.next()? {
        ")" => None,
        "(" => {
            let operator = words.next().expect("a list should have an operator");
            let mut args = Vec::new();
            while let Some(arg) = read_next(terms, words) {
                args.push(arg);
            }
            Some(apply(terms, operator, &args))
        }
        word => Some(atom(terms, word)),
    }
}

fn atom(terms: &mut Terms, word: &str) -> Term {
    if let Some(text) = word.strip_prefix('"') {
        return terms.text_of(text.trim_end_matches('"'));
    }
    match word {
        "true" | "false" => return terms.bool(word == "true"),
        "null" => return terms.text_null(),
        "nan" => return terms.f64(f64::NAN),
        "inf" => return terms.f64(f64::INFINITY),
        _ => {}
    }
    if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return number(terms, word);
    }
    let sort = match word.as_bytes()[0] {
        b'i' | b'j' | b'k' | b'n' => Sort::Int,
        b'r' | b's' => Sort::Real,
        b'p' | b'q' => Sort::Bool,
        b'x' | b'y' | b'z' => Sort::BitVec(32),
        b'c' => Sort::BitVec(8),
        b'l' => Sort::BitVec(64),
        b'f' | b'g' => Sort::Float(FloatFormat::F64),
        b'h' => Sort::Float(FloatFormat::F32),
        b'a' | b'b' => Sort::array(Sort::BitVec(32), Sort::Int),
        b't' | b'u' => Sort::Text,
        b'o' => Sort::Uninterpreted("Object".to_owned()),
        _ => panic!("the sort of {word} should be told by its first letter"),
    };
    terms.var(word, &sort)
}

fn number(terms: &mut Terms, word: &str) -> Term {
    let parse = |text: &str| text.parse::<i128>().expect("a number should have digits");
    if let Some((value, width)) = word.split_once(':') {
        return terms.bv_signed(parse(value), width.parse().expect("a width should be a number"));
    }
    if let Some(value) = word.strip_suffix('d') {
        return terms.f64(value.parse().expect("a float should be a number"));
    }
    if let Some((numerator, denominator)) = word.split_once('/') {
        return terms.real(BigRational::new(parse(numerator).into(), parse(denominator).into()));
    }
    match word.strip_suffix(".0") {
        Some(whole) => terms.real(BigRational::from_integer(parse(whole).into())),
        None => terms.int(BigInt::from(parse(word))),
    }
}

fn apply(terms: &mut Terms, operator: &str, args: &[Term]) -> Term {
    let (name, number) = match operator.split_once(':') {
        Some((name, number)) => (name, number),
        None => (operator, ""),
    };
    let width = || number.parse::<u32>().expect("the operator should have a width");
    match (name, args) {
        ("not", &[p]) => terms.not(p),
        ("and", args) => terms.and(args),
        ("or", args) => terms.or(args),
        ("=>", &[p, q]) => terms.implies(p, q),
        ("ite", &[p, x, y]) => terms.ite(p, x, y),
        ("=", &[x, y]) => terms.eq(x, y),
        ("extract", &[x]) => {
            let (high, low) = number.split_once('-').expect("extract should have two places");
            terms.extract(high.parse().expect("a place"), low.parse().expect("a place"), x)
        }
        ("concat", &[x, y]) => terms.concat(x, y),
        ("sext", &[x]) => terms.sign_extend(width(), x),
        ("zext", &[x]) => terms.zero_extend(width(), x),
        ("div", &[x, y]) => terms.int_div_euclid(x, y),
        ("mod", &[x, y]) => terms.int_mod_euclid(x, y),
        ("quot", &[x, y]) => terms.int_div_trunc(x, y),
        ("rem", &[x, y]) => terms.int_rem_trunc(x, y),
        ("real", &[x]) => terms.int_to_real(x),
        ("floor", &[x]) => terms.real_floor(x),
        ("trunc", &[x]) => terms.real_trunc_to_int(x),
        ("nonzero/", &[x, y]) => terms.real_div_nonzero(x, y),
        ("nan?", &[x]) => terms.float_is_nan(x),
        ("to_bits", &[x]) => terms.float_to_bits(x),
        ("from_bits", &[x]) => terms.float_from_bits(x, FloatFormat::F64),
        ("f32", &[x]) => terms.float_convert(x, FloatFormat::F32),
        ("f64", &[x]) => terms.float_convert(x, FloatFormat::F64),
        ("from_int", &[x]) => terms.float_from_int(x, true, FloatFormat::F64),
        ("from_unsigned", &[x]) => terms.float_from_int(x, false, FloatFormat::F64),
        ("to_int", &[x]) => terms.float_to_int(x, width(), true),
        ("to_unsigned", &[x]) => terms.float_to_int(x, width(), false),
        ("select", &[x, y]) => terms.select(x, y),
        ("store", &[x, y, z]) => terms.store(x, y, z),
        ("everywhere", &[x]) => terms.const_array(&Sort::array(Sort::BitVec(32), Sort::Int), x),
        ("++", args) => terms.text_concat(args),
        ("length", &[x]) => terms.text_length(x),
        ("at", &[x, y]) => terms.text_at(x, y),
        (name, args) if name.starts_with(char::is_uppercase) => terms.apply(name, args, &Sort::Int),
        (name, args) => match terms.sort_of(args[0]).clone() {
            Sort::BitVec(_) => bits(terms, name, args),
            Sort::Float(_) => float(terms, name, args),
            _ => arithmetic(terms, name, args),
        },
    }
}

fn arithmetic(terms: &mut Terms, name: &str, args: &[Term]) -> Term {
    match (name, args) {
        ("+", args) => terms.add(args),
        ("*", args) => terms.mul(args),
        ("-", &[x]) => terms.neg(x),
        ("-", &[x, y]) => terms.sub(x, y),
        ("/", &[x, y]) => terms.real_div(x, y),
        ("<", &[x, y]) => terms.lt(x, y),
        ("<=", &[x, y]) => terms.le(x, y),
        _ => panic!("{name} should be an operation on numbers"),
    }
}

fn bits(terms: &mut Terms, name: &str, args: &[Term]) -> Term {
    let op = match name {
        "+" => BvOp::Add,
        "-" if args.len() == 1 => return terms.bv_neg(args[0]),
        "~" => return terms.bv_not(args[0]),
        "<" => return terms.bv_cmp(BvCmp::Slt, args[0], args[1]),
        "<=" => return terms.bv_cmp(BvCmp::Sle, args[0], args[1]),
        "<u" => return terms.bv_cmp(BvCmp::Ult, args[0], args[1]),
        "<=u" => return terms.bv_cmp(BvCmp::Ule, args[0], args[1]),
        "-" => BvOp::Sub,
        "*" => BvOp::Mul,
        "/" => BvOp::Sdiv,
        "/u" => BvOp::Udiv,
        "%" => BvOp::Srem,
        "%u" => BvOp::Urem,
        "&" => BvOp::And,
        "|" => BvOp::Or,
        "^" => BvOp::Xor,
        "<<" => BvOp::Shl,
        ">>>" => BvOp::Lshr,
        ">>" => BvOp::Ashr,
        _ => panic!("{name} should be an operation on bits"),
    };
    let reduced = args.iter().copied().reduce(|left, right| terms.bv_op(op, left, right));
    reduced.expect("an operation should have operands")
}

fn float(terms: &mut Terms, name: &str, args: &[Term]) -> Term {
    let op = match name {
        "==" => return terms.float_cmp(FloatCmp::Eq, args[0], args[1]),
        "<" => return terms.float_cmp(FloatCmp::Lt, args[0], args[1]),
        "<=" => return terms.float_cmp(FloatCmp::Le, args[0], args[1]),
        "+" => FloatOp::Add,
        "-" => FloatOp::Sub,
        "*" => FloatOp::Mul,
        "/" => FloatOp::Div,
        "%" => FloatOp::Rem,
        "neg" => FloatOp::Neg,
        "abs" => FloatOp::Abs,
        "sqrt" => FloatOp::Sqrt,
        "floorf" => FloatOp::RoundToIntegral(RoundingMode::TowardNegative),
        "rint" => FloatOp::RoundToIntegral(RoundingMode::NearestEven),
        _ => panic!("{name} should be an operation on floats"),
    };
    terms.float_op(op, args)
}
