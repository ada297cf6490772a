//! Many questions in one solver context.

mod common;

use common::{limits, solver};
use num_bigint::BigInt;
use smt::{
    Answer, BvCmp, BvOp, Encoding, FloatCmp, FloatFormat, Floats, Limits, Sort, Terms, UnknownReason, Value,
};
use std::time::{Duration, Instant};

const SYMBOLS: Encoding = Encoding { floats: Floats::Symbols };

#[test]
fn assumptions_hold_for_one_question_only() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let x = terms.var("x", &Sort::Int);
    let (zero, five) = (terms.int(0), terms.int(5));
    let positive = terms.lt(zero, x);
    let negative = terms.lt(x, zero);
    let is_five = terms.eq(x, five);
    let mut session = solver.session(SYMBOLS);
    session.assert(&terms, positive);
    let limits = limits(Floats::Symbols);
    assert_eq!(session.check_assuming(&terms, &[negative], &[], &limits).unwrap(), Answer::Unsat);
    let Answer::Sat(model) = session.check_assuming(&terms, &[is_five], &[x], &limits).unwrap() else {
        panic!("five is positive")
    };
    assert_eq!(model.value(x), Some(&Value::Int(BigInt::from(5))));
    session.assert(&terms, is_five);
    let more = terms.lt(five, x);
    assert_eq!(session.check_assuming(&terms, &[more], &[], &limits).unwrap(), Answer::Unsat);
    assert!(matches!(session.check_assuming(&terms, &[], &[], &limits).unwrap(), Answer::Sat(_)));
}

#[test]
fn a_session_survives_the_death_of_its_process() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    // Factors of 64 bits, so that the product does not wrap: otherwise there are many solutions.
    let sort = Sort::BitVec(64);
    let (x, y, one) = (terms.var("x", &sort), terms.var("y", &sort), terms.bv(1, 128));
    let (x, y) = (terms.zero_extend(128, x), terms.zero_extend(128, y));
    let product = terms.bv_op(BvOp::Mul, x, y);
    let number = terms.bv_wide(0xffff_ffff_ffff_ffc5 * 0xffff_ffff_ffff_ff43, 128);
    let hard = [
        terms.eq(product, number),
        terms.bv_cmp(BvCmp::Ult, one, x),
        terms.bv_cmp(BvCmp::Ult, one, y),
        terms.bv_cmp(BvCmp::Ult, x, y),
    ];
    let is_one = terms.eq(x, one);
    let mut session = solver.session(SYMBOLS);
    session.assert(&terms, hard[2]);
    let soon = Limits {
        deadline: Instant::now() + Duration::from_millis(200),
        steps: None,
        ..limits(Floats::Symbols)
    };
    let answer = session.check_assuming(&terms, &hard, &[], &soon).unwrap();
    assert_eq!(answer, Answer::Unknown(UnknownReason::Time));
    // The new process is told the assertions again.
    let y_is_one = terms.eq(y, one);
    let limits = limits(Floats::Symbols);
    assert_eq!(session.check_assuming(&terms, &[y_is_one], &[], &limits).unwrap(), Answer::Unsat);
    assert!(matches!(session.check_assuming(&terms, &[is_one], &[x], &limits).unwrap(), Answer::Sat(_)));
}

#[test]
fn sessions_and_single_questions_do_not_mix() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let x = terms.var("x", &Sort::Int);
    let zero = terms.int(0);
    let (is_zero, is_less) = (terms.eq(x, zero), terms.lt(x, zero));
    for _ in 0..3 {
        let limits = limits(Floats::Symbols);
        let mut session = solver.session(SYMBOLS);
        session.assert(&terms, is_zero);
        assert_eq!(session.check_assuming(&terms, &[is_less], &[], &limits).unwrap(), Answer::Unsat);
        drop(session);
        assert!(matches!(solver.check(&terms, &[is_less], &[x], &limits).unwrap(), Answer::Sat(_)));
    }
    assert_eq!(solver.restarts(), 0);
}

#[test]
fn floats_and_texts_are_declared_once() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let float = Sort::Float(FloatFormat::F64);
    let (f, g) = (terms.var("f", &float), terms.var("g", &float));
    let (less, more) = (terms.float_cmp(FloatCmp::Lt, f, g), terms.float_cmp(FloatCmp::Lt, g, f));
    let t = terms.var("t", &Sort::Text);
    let (a, b) = (terms.text_of("a"), terms.text_of("b"));
    let (is_a, is_b) = (terms.eq(t, a), terms.eq(t, b));
    for floats in [Floats::Symbols, Floats::Ieee] {
        let limits = limits(floats);
        let mut session = solver.session(Encoding { floats });
        session.assert(&terms, less);
        session.assert(&terms, is_a);
        assert_eq!(session.check_assuming(&terms, &[more], &[], &limits).unwrap(), Answer::Unsat);
        assert_eq!(session.check_assuming(&terms, &[is_b], &[], &limits).unwrap(), Answer::Unsat);
        let Answer::Sat(model) = session.check_assuming(&terms, &[], &[t], &limits).unwrap() else {
            panic!("the assertions agree")
        };
        assert_eq!(model.value(t), terms.as_const(a));
    }
}

#[test]
fn a_thousand_questions_in_a_session_are_quick() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let x = terms.var("x", &Sort::BitVec(32));
    let hundred = terms.bv(100, 32);
    let below = terms.bv_cmp(BvCmp::Ult, x, hundred);
    let mut session = solver.session(SYMBOLS);
    session.assert(&terms, below);
    let start = Instant::now();
    for number in 0..1000 {
        let literal = terms.bv(number, 32);
        let equal = terms.eq(x, literal);
        let answer = session.check_assuming(&terms, &[equal], &[], &limits(Floats::Symbols)).unwrap();
        assert_eq!(matches!(answer, Answer::Sat(_)), number < 100);
    }
    eprintln!("{:?} for a question in a session", start.elapsed() / 1000);
}
