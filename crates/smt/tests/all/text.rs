//! Terms as text: SMT-LIB for solvers and the readable form, as snapshots.

use expect_test::{Expect, expect};
use num_bigint::BigInt;
use num_rational::BigRational;
use smt::{BvCmp, BvOp, Encoding, FloatCmp, FloatFormat, FloatOp, Floats, Query, Sort, Term, Terms};

fn check(terms: &Terms, assertion: Term, floats: Floats, expected: &Expect) {
    let query = Query::new(terms, &[assertion], &[], Encoding { floats });
    expected.assert_eq(query.text());
}

#[test]
fn names_are_quoted_and_told_apart() {
    let mut terms = Terms::new();
    let x = terms.var("A.f(int)#x", &Sort::Int);
    let and = terms.var("and", &Sort::Int);
    let real = terms.var("and", &Sort::Real);
    let fx = terms.apply("f", &[x, and], &Sort::Int);
    let as_real = terms.int_to_real(fx);
    let less = terms.lt(as_real, real);
    check(
        &terms,
        less,
        Floats::Symbols,
        &expect![[r#"
        (declare-fun |A.f(int)#x| () Int)
        (declare-fun and~ () Int)
        (declare-fun and~2 () Real)
        (declare-fun f (Int Int) Int)
        (assert (not (<= and~2 (to_real (f |A.f(int)#x| and~)))))
    "#]],
    );
}

#[test]
fn shared_subterms_are_written_once() {
    let mut terms = Terms::new();
    let x = terms.var("x", &Sort::BitVec(8));
    let y = terms.var("y", &Sort::BitVec(8));
    let mut term = x;
    for _ in 0..4 {
        let quotient = terms.bv_op(BvOp::Udiv, term, y);
        term = terms.bv_op(BvOp::Xor, quotient, x);
        term = terms.bv_op(BvOp::Urem, term, quotient);
    }
    let less = terms.bv_cmp(BvCmp::Ult, term, x);
    check(
        &terms,
        less,
        Floats::Symbols,
        &expect![[r#"
        (declare-fun x () (_ BitVec 8))
        (declare-fun y () (_ BitVec 8))
        (define-fun t!0 () (_ BitVec 8) (bvudiv x y))
        (define-fun t!1 () (_ BitVec 8) (bvudiv (bvurem (bvxor x t!0) t!0) y))
        (define-fun t!2 () (_ BitVec 8) (bvudiv (bvurem (bvxor x t!1) t!1) y))
        (define-fun t!3 () (_ BitVec 8) (bvudiv (bvurem (bvxor x t!2) t!2) y))
        (assert (bvult (bvurem (bvxor x t!3) t!3) x))
    "#]],
    );
    expect![[r#"
        let $1 = x /u y
        let $2 = ((x ^ $1) %u $1) /u y
        let $3 = ((x ^ $2) %u $2) /u y
        let $4 = ((x ^ $3) %u $3) /u y
        ((x ^ $4) %u $4) <u x"#]]
    .assert_eq(&terms.print(less));
}

#[test]
fn numbers_are_written_with_their_signs_outside() {
    let mut terms = Terms::new();
    let (i, r) = (terms.var("i", &Sort::Int), terms.var("r", &Sort::Real));
    let literal = terms.real(BigRational::new(BigInt::from(-7), BigInt::from(3)));
    let image = terms.int_to_real(i);
    let scaled = terms.mul(&[literal, image]);
    let three = terms.int(-3);
    let square = terms.mul(&[r, r, scaled]);
    let quotient = terms.real_div(square, r);
    let less = terms.lt(quotient, literal);
    let remainder = terms.int_mod_euclid(i, three);
    let zero = terms.int(0);
    let whole = terms.eq(remainder, zero);
    let both = terms.or(&[less, whole]);
    check(
        &terms,
        both,
        Floats::Symbols,
        &expect![[r#"
        (declare-fun i () Int)
        (declare-fun r () Real)
        (assert (or (< (/ (* (/ (- 7.0) 3.0) r r (to_real i)) r) (/ (- 7.0) 3.0)) (= (mod i 3) 0)))
    "#]],
    );
    expect!["(((-7/3 * r * r * real(i)) / r) < -7/3) || ((i mod 3) = 0)"].assert_eq(&terms.print(both));
}

fn float_example(terms: &mut Terms) -> Term {
    let sort = Sort::Float(FloatFormat::F32);
    let (f, g) = (terms.var("f", &sort), terms.var("g", &sort));
    let sum = terms.float_op(FloatOp::Sub, &[f, g]);
    let half = terms.float(u64::from(0.5f32.to_bits()), FloatFormat::F32);
    let less = terms.float_cmp(FloatCmp::Le, sum, half);
    let cast = terms.float_to_int(sum, 8, true);
    let bits = terms.float_to_bits(f);
    let low = terms.extract(7, 0, bits);
    let equal = terms.eq(cast, low);
    terms.and(&[less, equal])
}

#[test]
fn floats_as_symbols() {
    let mut terms = Terms::new();
    let term = float_example(&mut terms);
    check(
        &terms,
        term,
        Floats::Symbols,
        &expect![[r#"
        (define-fun f32.is_nan ((x (_ BitVec 32))) Bool (bvugt (bvand x #x7fffffff) #x7f800000))
        (define-fun f32.is_zero ((x (_ BitVec 32))) Bool (= (bvand x #x7fffffff) #x00000000))
        (define-fun f32.canonical ((x (_ BitVec 32))) (_ BitVec 32) (ite (f32.is_nan x) #x7fc00000 x))
        (define-fun f32.neg ((x (_ BitVec 32))) (_ BitVec 32) (ite (f32.is_nan x) x (bvxor x #x80000000)))
        (define-fun f32.abs ((x (_ BitVec 32))) (_ BitVec 32) (bvand x #x7fffffff))
        (define-fun f32.eq ((x (_ BitVec 32)) (y (_ BitVec 32))) Bool (and (not (f32.is_nan x)) (or (= x y) (and (f32.is_zero x) (f32.is_zero y)))))
        (define-fun f32.lt ((x (_ BitVec 32)) (y (_ BitVec 32))) Bool (and (not (f32.is_nan x)) (not (f32.is_nan y)) (not (and (f32.is_zero x) (f32.is_zero y))) (ite (bvslt x #x00000000) (ite (bvslt y #x00000000) (bvult y x) true) (ite (bvslt y #x00000000) false (bvult x y)))))
        (define-fun f32.le ((x (_ BitVec 32)) (y (_ BitVec 32))) Bool (or (f32.lt x y) (f32.eq x y)))
        (declare-fun f () (_ BitVec 32))
        (assert (= f (f32.canonical f)))
        (declare-fun g () (_ BitVec 32))
        (assert (= g (f32.canonical g)))
        (declare-fun f32.add ((_ BitVec 32) (_ BitVec 32)) (_ BitVec 32))
        (declare-fun f32.to.s8 ((_ BitVec 32)) (_ BitVec 8))
        (define-fun t!0 () (_ BitVec 32) (f32.canonical (f32.add f (f32.neg g))))
        (assert (and (f32.le t!0 #x3f000000) (= (f32.to.s8 t!0) ((_ extract 7 0) f))))
    "#]],
    );
}

#[test]
fn floats_as_ieee_numbers() {
    let mut terms = Terms::new();
    let term = float_example(&mut terms);
    check(
        &terms,
        term,
        Floats::Ieee,
        &expect![[r#"
        (declare-fun f () (_ FloatingPoint 8 24))
        (declare-fun g () (_ FloatingPoint 8 24))
        (define-fun t!0 () (_ FloatingPoint 8 24) (fp.add RNE f (fp.neg g)))
        (declare-fun t!1 () (_ BitVec 32))
        (assert (= ((_ to_fp 8 24) t!1) f))
        (assert (=> (fp.isNaN f) (= t!1 #x7fc00000)))
        (assert (and (fp.leq t!0 (fp #b0 #b01111110 #b00000000000000000000000)) (= (let ((x t!0)) (ite (fp.isNaN x) #x00 (ite (fp.leq x (fp #b1 #b10000110 #b00000000000000000000000)) #x80 (ite (fp.geq x (fp #b0 #b10000110 #b00000000000000000000000)) #x7f ((_ fp.to_sbv 8) RTZ x))))) ((_ extract 7 0) t!1))))
    "#]],
    );
    expect![[r#"
        let $1 = f +. neg(g)
        ($1 <=. 0.5f) && (to_int8($1) = bits7to0(to_bits(f)))"#]]
    .assert_eq(&terms.print(term));
}

#[test]
fn texts_are_an_uninterpreted_sort() {
    let mut terms = Terms::new();
    let t = terms.var("t", &Sort::Text);
    let (a, b) = (terms.text_of("a"), terms.text_of("bc"));
    let (joined, null) = (terms.text_concat(&[a, t, b]), terms.text_null());
    let whole = terms.text_of("abbc");
    let is_whole = terms.eq(joined, whole);
    let is_null = terms.eq(t, null);
    let either = terms.or(&[is_whole, is_null]);
    check(
        &terms,
        either,
        Floats::Symbols,
        &expect![[r#"
            (declare-sort Text 0)
            (declare-fun t () Text)
            (declare-fun text!0 () Text)
            (declare-fun text.length (Text) (_ BitVec 32))
            (assert (= (text.length text!0) #x00000001))
            (declare-fun text!1 () Text)
            (assert (not (= text!1 text!0)))
            (assert (= (text.length text!1) #x00000002))
            (declare-fun text.concat (Text Text) Text)
            (declare-fun text!null () Text)
            (assert (not (= text!null text!0)))
            (assert (not (= text!null text!1)))
            (declare-fun text!3 () Text)
            (assert (not (= text!3 text!0)))
            (assert (not (= text!3 text!1)))
            (assert (not (= text!3 text!null)))
            (assert (= (text.length text!3) #x00000004))
            (assert (or (= (text.concat text!0 (text.concat t text!1)) text!3) (= t text!null)))
        "#]],
    );
    expect![[r#"(("a" ++ t ++ "bc") = "abbc") || (t = null)"#]].assert_eq(&terms.print(either));
}

#[test]
fn arrays_and_opaque_sorts() {
    let mut terms = Terms::new();
    let object = Sort::Uninterpreted("java.lang.Object".to_owned());
    let sort = Sort::array(object.clone(), Sort::BitVec(32));
    let (a, o) = (terms.var("a", &sort), terms.var("o", &object));
    let zero = terms.bv(0, 32);
    let zeros = terms.const_array(&sort, zero);
    let seven = terms.bv(7, 32);
    let written = terms.store(zeros, o, seven);
    let equal = terms.eq(a, written);
    check(
        &terms,
        equal,
        Floats::Symbols,
        &expect![[r#"
        (declare-sort java.lang.Object 0)
        (declare-fun a () (Array java.lang.Object (_ BitVec 32)))
        (declare-fun o () java.lang.Object)
        (assert (= a (store ((as const (Array java.lang.Object (_ BitVec 32))) #x00000000) o #x00000007)))
    "#]],
    );
    expect!["a = everywhere(0:32)[o := 7:32]"].assert_eq(&terms.print(equal));
}

#[test]
fn complements_and_negative_factors_are_written_as_such() {
    let mut terms = Terms::new();
    let (x, y) = (terms.var("x", &Sort::BitVec(16)), terms.var("y", &Sort::BitVec(16)));
    let complement = terms.bv_not(x);
    let negative = terms.bv_neg(y);
    let product = terms.bv_op(BvOp::Mul, negative, x);
    let masked = terms.bv_op(BvOp::And, complement, product);
    let less = terms.bv_cmp(BvCmp::Slt, masked, negative);
    check(
        &terms,
        less,
        Floats::Symbols,
        &expect![[r#"
        (declare-fun x () (_ BitVec 16))
        (declare-fun y () (_ BitVec 16))
        (assert (bvslt (bvand (bvnot x) (bvneg (bvmul x y))) (bvneg y)))
    "#]],
    );
}
