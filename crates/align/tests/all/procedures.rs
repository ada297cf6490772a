//! Matching of procedures, by example.

use align::match_procedures;
use expect_test::{Expect, expect};
use ir::{Pair, ProcId, Program, read_program, validate};

fn read(text: &str) -> Program {
    let program = read_program(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    validate(&program).unwrap_or_else(|faults| panic!("{}\n{text}", faults[0]));
    program
}

fn check(old: &str, new: &str, expect: Expect) {
    let programs = Pair::new(old, new).map(|text| read(&format!("program java\n{text}")));
    let matching = match_procedures(&programs.old, &programs.new);
    let name = |program: &Program, id: ProcId| program.procedure(id).name.clone();
    let mut text = String::new();
    for classes in &matching.renamed_classes {
        text += &format!("class {} -> {}\n", classes.old, classes.new);
    }
    for (what, pairs) in [
        ("", &matching.pairs),
        ("signature changed: ", &matching.signature_changed),
        ("renamed: ", &matching.renamed),
    ] {
        for pair in pairs {
            text += &format!("{what}{} = {}\n", name(&programs.old, pair.old), name(&programs.new, pair.new));
        }
    }
    for id in matching.only_old {
        text += &format!("only old: {}\n", name(&programs.old, id));
    }
    for id in matching.only_new {
        text += &format!("only new: {}\n", name(&programs.new, id));
    }
    expect.assert_eq(&text);
}

#[test]
fn equal_names_and_signatures_match_in_the_order_of_the_old_program() {
    check(
        "proc g() {} proc f(x: i32) -> i32 {} proc gone() {}",
        "proc f(y: i32) -> i32 {} proc added() {} proc g() {}",
        expect![[r#"
            g = g
            f = f
            only old: gone
            only new: added
        "#]],
    );
}

#[test]
fn other_types_are_a_changed_signature() {
    check(
        "proc f(x: i32) {} proc g() -> i32 {} proc h() {}",
        "proc f(x: i64) {} proc g() {} proc h(x: bool) {}",
        expect![[r#"
            signature changed: f = f
            signature changed: g = g
            signature changed: h = h
        "#]],
    );
}

#[test]
fn overloads_are_told_apart_by_their_types() {
    check(
        "proc `A.f(int)` as f(x: i32) {} proc `A.f(long)` as f(x: i64) {}",
        "proc `A.f(long)` as f(x: i64) {} proc `A.f(int)` as f(x: i32) {}",
        expect![[r#"
            A.f(int) = A.f(int)
            A.f(long) = A.f(long)
        "#]],
    );
}

#[test]
fn a_new_overload_does_not_hide_the_old_method() {
    check(
        "proc A.f as f(x: i32) {}",
        "proc `A.f(long)` as f(x: i64) {} proc `A.f(int)` as f(x: i32) {}",
        expect![[r#"
            A.f = A.f(int)
            only new: A.f(long)
        "#]],
    );
}

#[test]
fn a_renamed_class_keeps_its_methods() {
    check(
        "shape oldV: fields()
        proc `oldV.f(int)` as f(this: ref oldV, x: i32) {}
        proc `oldV.f(oldV)` as f(this: ref oldV, x: ref oldV) {}
        proc oldV.g as g() {}",
        "shape newV: fields()
        proc newV.g as g() {}
        proc `newV.f(newV)` as f(this: ref newV, x: ref newV) {}
        proc `newV.f(int)` as f(this: ref newV, x: i32) {}",
        expect![[r#"
            class oldV -> newV
            oldV.f(int) = newV.f(int)
            oldV.f(oldV) = newV.f(newV)
            oldV.g = newV.g
        "#]],
    );
}

#[test]
fn a_renamed_class_may_change_a_signature() {
    check(
        "proc oldV.f as f(x: i32) {}",
        "proc newV.f as f(x: i64) {}",
        expect![[r#"
            class oldV -> newV
            signature changed: oldV.f = newV.f
        "#]],
    );
}

#[test]
fn several_renamed_classes_go_with_the_most_alike() {
    check(
        "proc A.f as f() {} proc A.g as g() {} proc B.f as f() {} proc B.h as h() {} proc K.f as f() {}",
        "proc C.f as f() {} proc C.h as h() {} proc D.f as f() {} proc D.g as g() {} proc K.f as f() {}",
        expect![[r#"
            class A -> D
            class B -> C
            A.f = D.f
            A.g = D.g
            B.f = C.f
            B.h = C.h
            K.f = K.f
        "#]],
    );
}

#[test]
fn a_class_that_could_be_two_is_not_guessed() {
    check(
        "proc A.f as f() {}",
        "proc B.f as f() {} proc C.f as f() {}",
        expect![[r#"
            only old: A.f
            only new: B.f
            only new: C.f
        "#]],
    );
}

#[test]
fn a_class_that_is_still_there_is_not_renamed() {
    check(
        "proc A.f as f() {} proc A.g as g() {}",
        "proc A.g as g() {} proc B.f as f() {}",
        expect![[r#"
            A.g = A.g
            only old: A.f
            only new: B.f
        "#]],
    );
}

#[test]
fn what_is_compared_where_it_is_called_is_not_matched() {
    let text = "proc `A.<clinit>` as `<clinit>`() {}
        proc A.$lambda0 as $lambda0() {}
        extern proc rand()
        proc `A.<init>` as `<init>`() {}
        proc Outer$Inner.f as f() {}";
    check(
        text,
        text,
        expect![[r#"
            A.<clinit> = A.<clinit>
            A.<init> = A.<init>
            Outer$Inner.f = Outer$Inner.f
        "#]],
    );
}

#[test]
fn a_procedure_with_much_the_same_body_was_renamed() {
    check(
        "proc mid(a: i32, b: i32) -> i32 { var s: i32 s = add.i32(a, b) print text_of_int.i32(s) return div.i32(s, 2) }
        proc far(a: i32, b: i32) -> i32 { return mul.i32(a, sub.i32(b, 7)) }",
        "proc middle(x: i32, y: i32) -> i32 { var t: i32 t = add.i32(x, y) print text_of_int.i32(t) return div.i32(t, 3) }
        proc near(a: i32, b: i32) -> i32 { if lt.i32(a, b) { return a } return b }",
        expect![[r#"
            renamed: mid = middle
            only old: far
            only new: near
        "#]],
    );
}

#[test]
fn a_recursive_procedure_that_was_renamed_calls_itself_under_its_new_name() {
    check(
        "proc f(n: i32) -> i32 { var $t0: i32 if le.i32(n, 1) { return 1 } $t0 = call f(sub.i32(n, 1)) return mul.i32(n, $t0) }",
        "proc g(n: i32) -> i32 { var $t0: i32 if le.i32(n, 1) { return 1 } $t0 = call g(sub.i32(n, 1)) return mul.i32(n, $t0) }",
        expect![[r#"
            renamed: f = g
        "#]],
    );
}

#[test]
fn other_parameters_are_no_renaming() {
    check(
        "proc f(n: i32) -> i32 { return add.i32(mul.i32(n, n), 1) }",
        "proc g(n: i32, m: i32) -> i32 { return add.i32(mul.i32(n, n), 1) }",
        expect![[r#"
            only old: f
            only new: g
        "#]],
    );
}

#[test]
fn what_could_be_either_of_two_was_not_renamed() {
    let body = "(n: i32) -> i32 { return add.i32(mul.i32(n, n), 1) }";
    check(
        &format!("proc f{body}"),
        &format!("proc g{body} proc h{body}"),
        expect![[r#"
        only old: f
        only new: g
        only new: h
    "#]],
    );
}

#[test]
fn bodies_that_say_nothing_do_not_count() {
    check(
        "proc f(n: i32) -> i32 { return n }",
        "proc g(n: i32) -> i32 { return n }",
        expect![[r#"
        only old: f
        only new: g
    "#]],
    );
}
