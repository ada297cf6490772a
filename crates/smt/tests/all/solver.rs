//! The solver process: answers, models, limits, and what happens when it is killed.

use crate::common::{limits, program, solver};
use budget::{Budget, Kill, Steps};
use num_bigint::BigInt;
use num_rational::BigRational;
use smt::{
    Answer, BvCmp, BvOp, FloatCmp, FloatFormat, FloatOp, Floats, Limits, Model, Solver, SolverConfig,
    SolverError, Sort, Term, Terms, UnknownReason, Value, find_solver, solver_version,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn model_of(answer: Answer) -> Model {
    match answer {
        Answer::Sat(model) => model,
        other => panic!("sat was expected, not {other:?}"),
    }
}

fn is_valid(solver: &mut Solver, terms: &mut Terms, claim: Term, floats: Floats) -> bool {
    let denial = terms.not(claim);
    match solver.check(terms, &[denial], &[], &limits(floats)).expect("the solver should answer") {
        Answer::Unsat => true,
        Answer::Sat(_) => false,
        Answer::Unknown(reason) => panic!("an answer was expected, not {reason:?}"),
    }
}

#[test]
fn integers_have_models() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let x = terms.var("x", &Sort::Int);
    let (low, high) = (terms.int(-8), terms.int(-6));
    let above = terms.lt(low, x);
    let below = terms.lt(x, high);
    let model = model_of(solver.check(&terms, &[above, below], &[x], &limits(Floats::Symbols)).unwrap());
    assert_eq!(model.value(x), Some(&Value::Int(BigInt::from(-7))));
    assert!(model.is_exact());
}

#[test]
fn a_model_holds_for_the_same_question_in_other_names() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let [x, y, a, b] = ["x", "y", "a", "b"].map(|name| terms.var(name, &Sort::Int));
    let (asked, same) = (terms.lt(x, y), terms.lt(a, b));
    let model = model_of(solver.check(&terms, &[asked], &[x, y], &limits(Floats::Symbols)).unwrap());
    let renamed = model.renamed([(x, a), (y, b)]);
    let mut there = Vec::new();
    for term in [a, b] {
        let value = terms.value(renamed.value(term).expect("a value"), &Sort::Int);
        there.push(terms.eq(term, value));
    }
    there.push(same);
    assert!(matches!(solver.check(&terms, &there, &[], &limits(Floats::Symbols)), Ok(Answer::Sat(_))));
    assert_eq!(renamed.value(x), None);
}

#[test]
fn integer_bounds_can_contradict() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let (x, y) = (terms.var("x", &Sort::Int), terms.var("y", &Sort::Int));
    let (less, more) = (terms.lt(x, y), terms.lt(y, x));
    let answer = solver.check(&terms, &[less, more], &[x], &limits(Floats::Symbols)).unwrap();
    assert_eq!(answer, Answer::Unsat);
}

#[test]
fn reals_have_fractions_for_models() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let x = terms.var("x", &Sort::Real);
    let third = terms.real(BigRational::new(BigInt::from(-1), BigInt::from(3)));
    let equal = terms.eq(x, third);
    let model = model_of(solver.check(&terms, &[equal], &[x], &limits(Floats::Symbols)).unwrap());
    assert_eq!(model.value(x), Some(&Value::Real(BigRational::new(BigInt::from(-1), BigInt::from(3)))));
}

#[test]
fn the_root_of_two_has_no_value_but_an_answer() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let x = terms.var("x", &Sort::Real);
    let two = terms.real(BigRational::from_integer(BigInt::from(2)));
    let square = terms.mul(&[x, x]);
    let equal = terms.eq(square, two);
    let model = model_of(solver.check(&terms, &[equal], &[x, two], &limits(Floats::Symbols)).unwrap());
    assert_eq!(model.value(x), None);
    assert!(model.value(two).is_some());
}

#[test]
fn bit_vectors_of_every_width_have_models() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    for width in [1, 8, 13, 32, 64, 128] {
        let x = terms.var("x", &Sort::BitVec(width));
        let value = terms.bv_wide(u128::MAX - 2, width);
        let equal = terms.eq(x, value);
        let model = model_of(solver.check(&terms, &[equal], &[x], &limits(Floats::Symbols)).unwrap());
        assert_eq!(model.value(x), Some(&Value::bit_vec(u128::MAX - 2, width)));
    }
}

#[test]
fn the_midpoint_overflows() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let sort = Sort::BitVec(32);
    let (a, b, two) = (terms.var("a", &sort), terms.var("b", &sort), terms.bv(2, 32));
    let sum = terms.bv_op(BvOp::Add, a, b);
    let old = terms.bv_op(BvOp::Sdiv, sum, two);
    let gap = terms.bv_op(BvOp::Sub, b, a);
    let half = terms.bv_op(BvOp::Sdiv, gap, two);
    let new = terms.bv_op(BvOp::Add, a, half);
    let same = terms.eq(old, new);
    let differ = terms.not(same);
    let model =
        model_of(solver.check(&terms, &[differ], &[a, b, old, new], &limits(Floats::Symbols)).unwrap());
    assert_ne!(model.value(old), model.value(new));
}

#[test]
fn floats_as_symbols_compare_exactly() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let sort = Sort::Float(FloatFormat::F64);
    let (x, y) = (terms.var("x", &sort), terms.var("y", &sort));
    let less = terms.float_cmp(FloatCmp::Lt, x, y);
    let more = terms.float_cmp(FloatCmp::Lt, y, x);
    let equal = terms.float_cmp(FloatCmp::Eq, x, y);
    let (x_nan, y_nan) = (terms.float_is_nan(x), terms.float_is_nan(y));
    let some = terms.or(&[less, more, equal, x_nan, y_nan]);
    assert!(is_valid(&mut solver, &mut terms, some, Floats::Symbols));
    let without_nan = terms.or(&[less, more, equal]);
    assert!(!is_valid(&mut solver, &mut terms, without_nan, Floats::Symbols));
    let both_nan = terms.and(&[x_nan, y_nan]);
    let identical = terms.eq(x, y);
    let one_nan = terms.implies(both_nan, identical);
    assert!(is_valid(&mut solver, &mut terms, one_nan, Floats::Symbols));
    let zeros = terms.implies(equal, identical);
    assert!(!is_valid(&mut solver, &mut terms, zeros, Floats::Symbols));
}

#[test]
fn floats_as_symbols_do_not_know_that_sums_round() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let x = terms.var("x", &Sort::Float(FloatFormat::F64));
    let one = terms.f64(1.0);
    let sum = terms.float_op(FloatOp::Add, &[x, one]);
    let claim = terms.float_cmp(FloatCmp::Lt, x, sum);
    let answer = solver.check(&terms, &[claim], &[x, sum], &limits(Floats::Symbols)).unwrap();
    assert!(!model_of(answer).is_exact());
}

#[test]
fn ieee_floats_find_the_lost_digits() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let x = terms.var("x", &Sort::Float(FloatFormat::F32));
    let one = terms.float(u64::from(1f32.to_bits()), FloatFormat::F32);
    let infinity = terms.float(u64::from(f32::INFINITY.to_bits()), FloatFormat::F32);
    let sum = terms.float_op(FloatOp::Add, &[x, one]);
    let absorbed = terms.float_cmp(FloatCmp::Eq, x, sum);
    let finite = terms.float_cmp(FloatCmp::Lt, x, infinity);
    let positive = terms.float_cmp(FloatCmp::Lt, one, x);
    let bits = terms.float_to_bits(x);
    let assertions = [absorbed, finite, positive];
    let model = model_of(solver.check(&terms, &assertions, &[x, bits], &limits(Floats::Ieee)).unwrap());
    assert!(model.is_exact());
    let Some(&Value::Float { bits: found, .. }) = model.value(x) else { panic!("x should have a value") };
    let number = f32::from_bits(found as u32);
    assert_eq!(number + 1.0, number);
    assert_eq!(model.value(bits), Some(&Value::bit_vec(u128::from(found), 32)));
}

#[test]
fn casts_of_ieee_floats_saturate() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let numbers = [
        0.0,
        -0.0,
        0.7,
        -0.7,
        1.0,
        -1.0,
        2147483647.0,
        2147483648.0,
        -2147483648.0,
        -3e9,
        4294967295.0,
        4294967296.0,
        1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let x = terms.var("x", &Sort::Float(FloatFormat::F64));
    let (signed, unsigned) = (terms.float_to_int(x, 32, true), terms.float_to_int(x, 32, false));
    for number in numbers {
        let literal = terms.f64(number);
        let is_number = terms.eq(x, literal);
        let model =
            model_of(solver.check(&terms, &[is_number], &[signed, unsigned], &limits(Floats::Ieee)).unwrap());
        assert_eq!(model.value(signed), Some(&Value::bit_vec(number as i32 as u32 as u128, 32)), "{number}");
        assert_eq!(model.value(unsigned), Some(&Value::bit_vec(number as u32 as u128, 32)), "{number}");
    }
}

#[test]
fn the_bits_of_nan_are_canonical() {
    let Some(mut solver) = solver() else { return };
    for floats in [Floats::Symbols, Floats::Ieee] {
        let mut terms = Terms::new();
        let bits = terms.var("bits", &Sort::BitVec(64));
        let x = terms.float_from_bits(bits, FloatFormat::F64);
        let again = terms.float_to_bits(x);
        let nan = terms.float_is_nan(x);
        let canonical = terms.bv(0x7ff8_0000_0000_0000, 64);
        let is_canonical = terms.eq(again, canonical);
        let claim = terms.implies(nan, is_canonical);
        assert!(is_valid(&mut solver, &mut terms, claim, floats));
        let unchanged = terms.eq(again, bits);
        let not_nan = terms.not(nan);
        let claim = terms.implies(not_nan, unchanged);
        assert!(is_valid(&mut solver, &mut terms, claim, floats));
        assert!(!is_valid(&mut solver, &mut terms, unchanged, floats));
    }
}

#[test]
fn the_float_remainder_is_never_exact() {
    let mut terms = Terms::new();
    let sort = Sort::Float(FloatFormat::F64);
    let (x, y) = (terms.var("x", &sort), terms.var("y", &sort));
    let remainder = terms.float_op(FloatOp::Rem, &[x, y]);
    let nan = terms.float_is_nan(remainder);
    for floats in [Floats::Symbols, Floats::Ieee] {
        let query = smt::Query::new(&terms, &[nan], &[], smt::Encoding { floats });
        assert!(!query.is_exact());
        assert_eq!(query.approximated().iter().collect::<Vec<_>>(), ["f64.rem"]);
    }
}

#[test]
fn arrays_come_back_with_their_entries() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let sort = Sort::array(Sort::Int, Sort::BitVec(8));
    let (a, b) = (terms.var("a", &sort), terms.var("b", &sort));
    let (one, two) = (terms.int(1), terms.int(2));
    let (five, six) = (terms.bv(5, 8), terms.bv(6, 8));
    let first = terms.select(a, one);
    let second = terms.select(a, two);
    let written = terms.store(a, one, six);
    let assertions = [terms.eq(first, five), terms.eq(second, six), terms.eq(b, written)];
    let model = model_of(solver.check(&terms, &assertions, &[a, b], &limits(Floats::Symbols)).unwrap());
    let element = |array: Term, index: i32| {
        let value = model.value(array).expect("arrays should have values");
        value.element(&Value::Int(BigInt::from(index))).cloned()
    };
    assert_eq!(element(a, 1), Some(Value::bit_vec(5, 8)));
    assert_eq!(element(a, 2), Some(Value::bit_vec(6, 8)));
    assert_eq!(element(b, 1), Some(Value::bit_vec(6, 8)));
}

#[test]
fn text_literals_are_told_apart_and_known_again() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let (s, t) = (terms.var("s", &Sort::Text), terms.var("t", &Sort::Text));
    let (hello, null) = (terms.text_of("hello"), terms.text_null());
    let assertions = [terms.eq(s, hello), terms.eq(t, null)];
    let length = terms.text_length(s);
    let model =
        model_of(solver.check(&terms, &assertions, &[s, t, length], &limits(Floats::Symbols)).unwrap());
    assert_eq!(model.value(s), terms.as_const(hello));
    assert_eq!(model.value(t), Some(&Value::Text(None)));
    assert_eq!(model.value(length), Some(&Value::bit_vec(5, 32)));
    let same = terms.eq(s, t);
    let contradiction = [assertions[0], assertions[1], same];
    assert_eq!(solver.check(&terms, &contradiction, &[], &limits(Floats::Symbols)).unwrap(), Answer::Unsat);
}

#[test]
fn a_text_is_a_literal_if_it_has_its_code_units() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let s = terms.var("s", &Sort::Text);
    let (empty, ab, null) = (terms.text_of(""), terms.text_of("ab"), terms.text_null());
    let is_null = terms.eq(s, null);
    let is_text = terms.not(is_null);
    let length = terms.text_length(s);
    let has_length = |terms: &mut Terms, count: u64| {
        let count = terms.bv(count, 32);
        terms.eq(length, count)
    };
    let is_short = has_length(&mut terms, 0);
    let is_empty = terms.eq(s, empty);
    let premise = terms.and(&[is_text, is_short]);
    let emptiness = terms.implies(premise, is_empty);
    assert!(is_valid(&mut solver, &mut terms, emptiness, Floats::Symbols));
    let of_null = terms.implies(is_short, is_empty);
    assert!(!is_valid(&mut solver, &mut terms, of_null, Floats::Symbols), "`null` has no length");
    let units = [(0, 'a'), (1, 'b')].map(|(place, unit)| {
        let place = terms.bv(place, 32);
        let found = terms.text_at(s, place);
        let unit = terms.bv(unit as u64, 16);
        terms.eq(found, unit)
    });
    let has_two = has_length(&mut terms, 2);
    let is_ab = terms.eq(s, ab);
    let all = terms.and(&[is_text, has_two, units[0], units[1]]);
    let unit_by_unit = terms.eq(all, is_ab);
    assert!(is_valid(&mut solver, &mut terms, unit_by_unit, Floats::Symbols));
    let some = terms.and(&[is_text, has_two, units[0]]);
    let too_few = terms.implies(some, is_ab);
    assert!(!is_valid(&mut solver, &mut terms, too_few, Floats::Symbols));
}

#[test]
fn uninterpreted_functions_are_functions() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let sort = Sort::Uninterpreted("Object".to_owned());
    let (x, y) = (terms.var("x", &sort), terms.var("y", &sort));
    let (fx, fy) = (terms.apply("f", &[x], &Sort::Int), terms.apply("f", &[y], &Sort::Int));
    let (same, same_image) = (terms.eq(x, y), terms.eq(fx, fy));
    let congruent = terms.implies(same, same_image);
    assert!(is_valid(&mut solver, &mut terms, congruent, Floats::Symbols));
    let injective = terms.implies(same_image, same);
    assert!(!is_valid(&mut solver, &mut terms, injective, Floats::Symbols));
}

#[test]
fn odd_names_do_no_harm() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let names = [
        "and",
        "x|y",
        "(exit)",
        "a b",
        "é",
        "",
        "t!0",
        "f64.add",
        "select",
        "5",
        "\\",
        "text!0",
        "a\n(reset)",
    ];
    let mut assertions = Vec::new();
    let mut wanted = Vec::new();
    for (number, name) in names.iter().enumerate() {
        for sort in [Sort::Int, Sort::Real] {
            let x = terms.var(name, &sort);
            let value = if sort == Sort::Int {
                Value::Int(BigInt::from(number))
            } else {
                Value::Real(BigRational::from_integer(BigInt::from(100 + number)))
            };
            let literal = terms.value(&value, &sort);
            assertions.push(terms.eq(x, literal));
            wanted.push((x, value));
        }
    }
    let asked: Vec<Term> = wanted.iter().map(|(x, _)| *x).collect();
    let model = model_of(solver.check(&terms, &assertions, &asked, &limits(Floats::Symbols)).unwrap());
    for (x, value) in &wanted {
        assert_eq!(model.value(*x), Some(value));
    }
}

/// A product of primes, which takes long to take apart.
fn hard_question(terms: &mut Terms) -> Vec<Term> {
    let sort = Sort::BitVec(128);
    let (x, y, one) = (terms.var("x", &sort), terms.var("y", &sort), terms.bv(1, 128));
    let product = terms.bv_op(BvOp::Mul, x, y);
    let number = terms.bv_wide(0xffff_ffff_ffff_ffc5 * 0xffff_ffff_ffff_ff43, 128);
    let mut assertions = vec![terms.eq(product, number)];
    for factor in [x, y] {
        assertions.push(terms.bv_cmp(BvCmp::Ult, one, factor));
        let narrow = terms.extract(127, 66, factor);
        let zero = terms.bv(0, 62);
        assertions.push(terms.eq(narrow, zero));
    }
    assertions
}

fn easy_question(terms: &mut Terms) -> Term {
    let x = terms.var("easy", &Sort::Int);
    let three = terms.int(3);
    terms.lt(x, three)
}

#[test]
fn the_clock_kills_the_solver_and_the_next_question_has_a_new_one() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let hard = hard_question(&mut terms);
    let easy = easy_question(&mut terms);
    let before = solver.process_id();
    let kill = Kill::at(Instant::now() + Duration::from_millis(300));
    let soon = Limits { budget: Budget::new(Steps::MAX, kill), steps: None, ..limits(Floats::Symbols) };
    let answer = solver.check(&terms, &hard, &[], &soon).unwrap();
    assert_eq!(answer, Answer::Unknown(UnknownReason::Killed));
    assert_eq!(solver.process_id(), None);
    assert!(matches!(solver.check(&terms, &[easy], &[], &limits(Floats::Symbols)), Ok(Answer::Sat(_))));
    assert_ne!(solver.process_id(), before);
    assert_eq!(solver.restarts(), 1);
}

#[test]
fn a_raised_flag_kills_the_solver_at_once_and_the_next_question_has_a_new_one() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let hard = hard_question(&mut terms);
    let easy = easy_question(&mut terms);
    let stoppable = Limits { budget: without_end(), steps: None, ..limits(Floats::Symbols) };
    let stop = stoppable.stop.clone();
    let raised = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        stop.raise();
    });
    let answer = solver.check(&terms, &hard, &[], &stoppable).unwrap();
    raised.join().unwrap();
    assert_eq!(answer, Answer::Unknown(UnknownReason::Killed));
    assert_eq!(solver.process_id(), None);
    assert!(matches!(solver.check(&terms, &[easy], &[], &limits(Floats::Symbols)), Ok(Answer::Sat(_))));
    assert_eq!(solver.restarts(), 1);
}

/// Two polynomials of degree ten: the solver works on algebraic numbers, which it does not count as steps.
fn algebraic_question(terms: &mut Terms) -> Vec<Term> {
    let [x, y] = ["x", "y"].map(|name| terms.var(name, &Sort::Real));
    let mut polynomial = |at: Term, coefficients: [i64; 11]| {
        coefficients.iter().fold(terms.real(BigRational::from_integer(0.into())), |sum, &coefficient| {
            let scaled = terms.mul(&[sum, at]);
            let constant = terms.real(BigRational::from_integer(coefficient.into()));
            terms.add(&[scaled, constant])
        })
    };
    let first = polynomial(x, [3, 7, 2, 9, 1, 5, 8, 4, 6, 1, 3]);
    let second = polynomial(y, [5, 1, 7, 3, 8, 2, 9, 6, 4, 1, 7]);
    let third = polynomial(x, [5, 1, 7, 3, 8, 2, 9, 6, 4, 1, 7]);
    let product = terms.mul(&[x, y, y, y]);
    vec![terms.eq(first, second), terms.eq(product, third)]
}

#[test]
fn work_that_the_solver_does_not_count_ends_all_the_same() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let algebraic = algebraic_question(&mut terms);
    let easy = easy_question(&mut terms);
    let few = Limits { budget: without_end(), steps: Some(Steps::new(200_000)), ..limits(Floats::Symbols) };
    let answer = solver.check(&terms, &algebraic, &[], &few).unwrap();
    assert_eq!(answer, Answer::Unknown(UnknownReason::Steps));
    assert!(few.budget.spent().get() >= 200_000, "{:?}", few.budget.spent());
    assert!(matches!(solver.check(&terms, &[easy], &[], &limits(Floats::Symbols)), Ok(Answer::Sat(_))));
}

#[test]
fn a_limit_that_one_question_needs_does_not_end_the_next() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let hard = hard_question(&mut terms);
    let steps = |steps| Limits { steps: Some(Steps::new(steps)), ..limits(Floats::Symbols) };
    // It allocates far more often than the question of high degree may.
    let alone = steps(1_000_000);
    assert_eq!(solver.check(&terms, &hard, &[], &alone).unwrap(), Answer::Unknown(UnknownReason::Steps));
    let x = terms.var("r", &Sort::Real);
    let power = terms.mul(&[x; 8]);
    let [zero, two] = [0, 2].map(|number| terms.real(BigRational::from_integer(number.into())));
    let heavy = [terms.lt(zero, power), terms.lt(power, two)];
    assert!(matches!(solver.check(&terms, &heavy, &[], &steps(100_000)), Ok(Answer::Sat(_))));
    let after = steps(1_000_000);
    assert_eq!(solver.check(&terms, &hard, &[], &after).unwrap(), Answer::Unknown(UnknownReason::Steps));
    assert_eq!(after.budget.spent(), alone.budget.spent());
}

#[test]
fn a_step_limit_gives_the_same_answer_every_time() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let hard = hard_question(&mut terms);
    let mut spent = Vec::new();
    for _ in 0..3 {
        let few = Limits { steps: Some(Steps::new(200_000)), ..limits(Floats::Symbols) };
        let answer = solver.check(&terms, &hard, &[], &few).unwrap();
        assert_eq!(answer, Answer::Unknown(UnknownReason::Steps));
        spent.push(few.budget.spent());
    }
    assert!(spent.iter().all(|steps| *steps == spent[0] && steps.get() > 100_000), "{spent:?}");
    assert_eq!(solver.restarts(), 0);
}

#[test]
fn the_first_question_of_a_process_has_all_methods() {
    let Some(mut solver) = solver() else { return };
    // That addition of 16-bit floats is not associative takes 0.3 million steps, or 3.4 on a running context.
    let script = "
        (declare-fun x () (_ FloatingPoint 5 11))
        (declare-fun y () (_ FloatingPoint 5 11))
        (declare-fun z () (_ FloatingPoint 5 11))
        (assert (fp.leq x y))
        (assert (fp.leq y z))
        (assert (not (fp.isNaN (fp.add RNE x z))))
        (assert (not (= (fp.add RNE (fp.add RNE x y) z) (fp.add RNE x (fp.add RNE y z)))))
    ";
    let few = Limits { steps: Some(Steps::new(1_000_000)), ..limits(Floats::Symbols) };
    assert!(matches!(solver.ask_script(script, &few), Ok(Answer::Sat(_))));
}

#[test]
fn a_memory_limit_is_an_unknown_and_not_an_error() {
    let Some(program) = program() else { return };
    let mut solver = Solver::start(SolverConfig { program, memory_mb: 25 }).unwrap();
    let mut terms = Terms::new();
    let sort = Sort::BitVec(128);
    let (x, y, z) = (terms.var("x", &sort), terms.var("y", &sort), terms.var("z", &sort));
    let quotient = terms.bv_op(BvOp::Udiv, x, y);
    let remainder = terms.bv_op(BvOp::Urem, x, z);
    let product = terms.bv_op(BvOp::Mul, y, z);
    let assertions = [terms.eq(quotient, product), terms.eq(remainder, y)];
    let no_steps = Limits { budget: without_end(), steps: None, ..limits(Floats::Symbols) };
    let answer = solver.check(&terms, &assertions, &[], &no_steps).unwrap();
    assert_eq!(answer, Answer::Unknown(UnknownReason::Memory));
    let easy = easy_question(&mut terms);
    assert!(matches!(solver.check(&terms, &[easy], &[], &limits(Floats::Symbols)), Ok(Answer::Sat(_))));
}

#[test]
fn a_solver_killed_between_questions_is_not_noticed() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let easy = easy_question(&mut terms);
    let process = solver.process_id().unwrap();
    kill(process);
    wait_until(|| status(process)[0] == "Z");
    assert!(matches!(solver.check(&terms, &[easy], &[], &limits(Floats::Symbols)), Ok(Answer::Sat(_))));
}

#[test]
fn a_solver_killed_during_a_question_costs_that_question_only() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let hard = hard_question(&mut terms);
    let easy = easy_question(&mut terms);
    let process = solver.process_id().unwrap();
    let killer = std::thread::spawn(move || {
        // It has used the processor for a fifth of a second: it is in the middle of the question.
        wait_until(|| status(process)[11].parse::<u64>().unwrap() > 20);
        kill(process);
    });
    let no_steps = Limits { budget: without_end(), steps: None, ..limits(Floats::Symbols) };
    let error = solver.check(&terms, &hard, &[], &no_steps).unwrap_err();
    killer.join().unwrap();
    assert!(matches!(error, SolverError::Died { .. }), "{error}");
    assert!(matches!(solver.check(&terms, &[easy], &[], &limits(Floats::Symbols)), Ok(Answer::Sat(_))));
}

fn without_end() -> Budget {
    Budget::new(Steps::MAX, Kill::never())
}

/// What the kernel says of a process of ours, from its state on: `proc(5)` has the list.
fn status(process: u32) -> Vec<String> {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("the process should be ours");
    let (_, fields) = line.rsplit_once(')').expect("the name should stand in parentheses");
    fields.split_whitespace().map(str::to_owned).collect()
}

fn wait_until(is_so: impl Fn() -> bool) {
    while !is_so() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill(process: u32) {
    let status = std::process::Command::new("kill").args(["-9", &process.to_string()]).status();
    assert!(status.expect("kill should run").success());
}

#[test]
fn a_dropped_solver_leaves_no_process() {
    let Some(solver) = solver() else { return };
    let process = solver.process_id().unwrap();
    drop(solver);
    assert!(!Path::new(&format!("/proc/{process}")).exists());
}

#[test]
fn a_solver_outlives_the_thread_that_started_it() {
    let Some(program) = program() else { return };
    let config = SolverConfig { program, memory_mb: 500 };
    let mut solver = std::thread::spawn(move || Solver::start(config).unwrap()).join().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    let before = solver.process_id();
    let mut terms = Terms::new();
    let easy = easy_question(&mut terms);
    assert!(matches!(solver.check(&terms, &[easy], &[], &limits(Floats::Symbols)), Ok(Answer::Sat(_))));
    assert_eq!(solver.process_id(), before);
}

#[test]
fn thousands_of_questions_go_to_one_process() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let x = terms.var("x", &Sort::BitVec(32));
    let count = 3000;
    for number in 0..count {
        let literal = terms.bv(number, 32);
        let less = terms.bv_cmp(BvCmp::Slt, x, literal);
        let equal = terms.eq(x, literal);
        let answer = solver.check(&terms, &[less, equal], &[], &limits(Floats::Symbols)).unwrap();
        assert_eq!(answer, Answer::Unsat);
    }
    assert_eq!(solver.restarts(), 0);
}

#[test]
fn a_missing_solver_says_what_to_do() {
    let error = find_solver(None, &[PathBuf::from("/nowhere/z3")]).unwrap_err();
    assert!(error.to_string().contains("cargo xtask setup"), "{error}");
    let config = SolverConfig { program: PathBuf::from("/nowhere/z3"), memory_mb: 100 };
    let error = Solver::start(config).unwrap_err();
    assert!(error.to_string().contains("--solver PATH"), "{error}");
}

#[test]
fn a_program_that_is_no_solver_is_refused() {
    for program in ["/bin/cat", "/bin/true", "/bin/echo"] {
        let config = SolverConfig { program: PathBuf::from(program), memory_mb: 100 };
        let error = Solver::start(config).unwrap_err();
        assert!(matches!(error, SolverError::NotASolver { .. }), "{error}");
    }
}

#[test]
fn the_version_is_told() {
    let Some(program) = program() else { return };
    let version = solver_version(&SolverConfig { program, memory_mb: 500 }).unwrap();
    assert!(version.starts_with("Z3 "), "{version}");
}
