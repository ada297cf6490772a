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
    for (what, pairs) in [("", &matching.pairs), ("signature changed: ", &matching.signature_changed)] {
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
            A.<init> = A.<init>
            Outer$Inner.f = Outer$Inner.f
        "#]],
    );
}
