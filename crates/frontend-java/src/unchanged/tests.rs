//! Which methods are unchanged, and above all which are not.

use super::*;
use crate::syntax;
use ir::{FileId, SourceFile};

fn read(text: &str) -> Vec<Unit> {
    let file = SourceFile { name: "A.java".to_owned(), text: text.to_owned() };
    vec![syntax::parse(&file, FileId(0)).unwrap_or_else(|errors| panic!("{errors:?}"))]
}

/// The methods of the new version that are the same code, `Class.method`.
fn unchanged(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (read(old), read(new));
    same_in(&new[0], &Changes::between(Pair::new(&old, &new)).all)
}

fn same_in(unit: &Unit, changed: &Changed) -> Vec<String> {
    let methods = unit.words.declarations.iter().filter(|it| it.kind == DeclarationKind::Method);
    let same = methods.filter(|it| changed.is_unchanged(unit, it));
    same.map(|it| format!("{}.{}", it.class, it.name)).collect()
}

#[track_caller]
fn only(old: &str, new: &str, expected: &[&str]) {
    assert_eq!(unchanged(old, new), expected);
}

#[test]
fn comments_and_annotations_change_nothing() {
    only(
        "class A { int f(int x) { return x; } }",
        "class A { /** More. */ @Deprecated @SuppressWarnings({\"a\", \"b\"}) int f(int x) {\n return x; } }",
        &["A.f"],
    );
}

#[test]
fn callers_of_what_changed_are_changed() {
    let old = "class A { int f() { return 1; } int g() { return f(); } int h() { return 3; } }";
    only(old, &old.replace("return 1", "return 2"), &["A.h"]);
}

#[test]
fn a_method_of_the_same_name_in_another_class_changes_its_callers_only() {
    let old =
        "class A { int f() { return 1; } } class B { int f() { return 3; } int g(B b) { return b.f(); } }";
    only(old, &old.replace("return 1", "return 2"), &["B.f"]);
}

#[test]
fn fields_change_what_makes_objects_of_their_class() {
    let old = "class A { int n = 1; static A make() { return new A(); } int k() { return 1; } }";
    only(old, &old.replace("n = 1", "n = 2"), &["A.k"]);
}

#[test]
fn initialisers_may_assign_every_field() {
    let old = "class A { static int n; static { n = 1; } static int get() { return n; } static int k() { return 1; } }";
    only(old, &old.replace("n = 1", "n = 2"), &["A.k"]);
}

#[test]
fn another_parent_changes_all_of_a_class() {
    let old = "class B { int f() { return 1; } } class C extends B { int g() { return 1; } class D { int h() { return 2; } } } class E extends C { int k() { return 1; } } class F { int m() { return 1; } }";
    only(old, &old.replace("C extends B", "C extends X"), &["F.m", "B.f"]);
}

#[test]
fn constants_change_what_their_enum_lists() {
    let old = "enum E { X; static int count() { return values().length; } int k() { return 1; } }";
    only(old, &old.replace("X;", "X, Y;"), &["E.k"]);
    let old = "enum E { X, Y; int at() { return ordinal(); } int k() { return 1; } }";
    only(old, &old.replace("X, Y", "Y, X"), &["E.k"]);
}

#[test]
fn constructors_of_enums_make_their_constants() {
    let old = "enum E { X(1); int n; E(int x) { n = g(x); } static int g(int x) { return x; } int f() { return X.n; } int k() { return 1; } }";
    only(old, &old.replace("n = g(x)", "n = -x"), &["E.g", "E.k"]);
    only(old, &old.replace("return x", "return -x"), &["E.k"]);
}

#[test]
fn patterns_of_records_ask_for_components() {
    let old = "record P(int x) { public int x() { return x; } } class A { int f(Object o) { return o instanceof P(int a) ? a : 0; } int k() { return 1; } }";
    only(old, &old.replace("return x", "return -x"), &["A.k"]);
    // An arrow may be that of a function, so that nothing counts as unchanged.
    let old = old.replace(
        "return o instanceof P(int a) ? a : 0;",
        "return switch (o) { case P(var a) -> a; default -> 0; };",
    );
    only(&old, &old.replace("return x", "return -x"), &[]);
}

#[test]
fn exceptions_fill_in_their_stack_trace_when_they_are_made() {
    let old = "class E extends Exception { public Throwable fillInStackTrace() { return this; } } class F extends E { } class A { void f() { throw new F(); } int k() { return 1; } }";
    only(old, &old.replace("return this", "return null"), &["A.k"]);
}

#[test]
fn comparisons_of_references_are_looked_for() {
    let words = |text: &'static str| compares(&text.split(' ').collect::<Vec<_>>());
    assert!(words("return a . g ( s ) == s ;"));
    assert!(words("if ( x != y . z ) return ;"));
    assert!(!words("if ( x == null || 0 != n || c == 'a' || x <= y ) return ;"));
}

#[test]
fn callers_are_not_left_out_where_files_have_contracts() {
    let text = |comment: &str, body: &str| {
        let calls: String = (0..=MAX_CALLERS).map(|at| format!("int f{at}() {{ return g(); }} ")).collect();
        format!(
            "class A {{ {comment}\n int g() {{ return {body}; }} {calls} boolean h(Integer s) {{ return s == id(g(), s); }} Integer id(int n, Integer s) {{ return s; }} }}"
        )
    };
    let left_out = |comment: &str| {
        let (old, new) = (read(&text(comment, "1")), read(&text(comment, "2")));
        let changes = Changes::between(Pair::new(&old, &new));
        let is_left_out = |name: &str| {
            let words = &new[0].words;
            let method = words.declarations.iter().find(|it| it.name == name).expect("it is declared");
            changes.leaves_out(&new, &words.span_of(method))
        };
        [is_left_out("f1"), is_left_out("h"), is_left_out("g")]
    };
    assert_eq!(left_out("// none"), [true, false, false]);
    assert_eq!(left_out("//@ requires true;"), [false, false, false]);
}

#[test]
fn code_that_is_not_given_asks_objects_for_their_text() {
    let old = "class B { public String toString() { return \"a\"; } } class A { void f(B b) { out(b); } int g(int x) { return -x; } }";
    only(old, &old.replace("\"a\"", "\"b\""), &["A.g"]);
}

#[test]
fn a_constant_variable_is_not_like_another_one() {
    let old = "class A { boolean f() { final String s = \"a\"; return s + \"b\" == \"ab\"; } }";
    only(old, &old.replace("final ", ""), &[]);
}

#[test]
fn imports_say_what_names_mean() {
    let text = |import: &str| {
        format!(
            "{import} class A {{ Object f() {{ return X.of(); }} int g() {{ return h(); }} int k() {{ return 1; }} }}"
        )
    };
    only(&text("import a.X;"), &text("import b.X;"), &["A.g", "A.k"]);
    only(&text("import a.X;"), &text(""), &["A.g", "A.k"]);
    only(&text("import a.*;"), &text("import a.X;"), &["A.f", "A.g", "A.k"]);
    only(&text("import a.*;"), &text("import b.*;"), &["A.g", "A.k"]);
    only(&text("import a.X;"), &text("import a.X; import a.Y;"), &["A.f", "A.g", "A.k"]);
    only(&text("import static a.M.h;"), &text("import static b.M.h;"), &["A.f", "A.k"]);
    only(&text("import static a.M.*;"), &text("import static b.M.*;"), &[]);
    // The file is the same although another class comes first in it.
    let new = format!("import b.X; class Z {{}} {}", text(""));
    only(&text("import a.X;"), &new, &["A.g", "A.k"]);
}

#[test]
fn any_name_may_come_from_a_package() {
    let text = |import: &str| {
        format!(
            "{import} class A {{ int f() {{ return helper.f(); }} int g(int n) {{ return n; }} }} class B {{ class X {{}} Object k() {{ return new X(); }} }}"
        )
    };
    only(&text("import a.*;"), &text("import b.*;"), &["A.g"]);
    let text = |import: &str| {
        format!("{import} class A extends Y {{ class X {{}} class Y {{}} Object k() {{ return new X(); }} }}")
    };
    // The parent is another one.
    only(&text("import a.*;"), &text("import a.*; import b.*;"), &[]);
    only(&text("import a.*;"), &text("import b.*;"), &[]);
}

#[test]
fn a_program_starts_with_what_initialisers_leave() {
    let main = "public static void main(String[] a) { out(B.y); } static int get() { return B.y; }";
    let old = format!("class B {{ static int y; }} class A {{ static {{ B.y = 1; }} {main} }}");
    only(&old, &old.replace("y = 1", "y = 2"), &["A.get"]);
    let old = format!(
        "class B {{ static int y; static int set() {{ y = 1; return 0; }} }} class A {{ static int z = B.set(); {main} }}"
    );
    only(&old, &old.replace("y = 1", "y = 2"), &["A.get"]);
}

#[test]
fn a_call_may_initialise_a_class_that_it_does_not_name() {
    let old = "class B { static int y; } class A { static { B.y = 1; } static int m() { return 1; } static class C { int f() { return m() + B.y; } int g() { return B.y; } } }";
    only(old, &old.replace("y = 1", "y = 2"), &["A.m", "A.C.g"]);
}

#[test]
fn constants_have_methods_of_their_own() {
    let old = "enum E { X { int m() { return 1; } }, Y(2) { }; int m() { return 0; } } class A { int f(E e) { return e.m(); } }";
    only(old, &old.replace("return 1", "return 2"), &[]);
}

#[test]
fn the_text_of_an_exception_has_its_message() {
    let old = "class N extends Exception { public String getMessage() { return \"a\"; } } class A { String f(Exception e) { return \"\" + e; } void g(Object o, int x) { assert x > 0 : o; } int k() { return 1; } }";
    only(old, &old.replace("\"a\"", "\"b\""), &["A.k"]);
}

#[test]
fn a_class_in_the_file_hides_another_one() {
    let old = "import a.*; class A { Object f() { return new X(); } int k() { return 1; } }";
    only(old, &format!("{old} class X {{}}"), &["A.k"]);
    let nested = old.replace("int k", "static class X {} int k");
    only(old, &nested, &["A.k"]);
}

#[test]
fn an_overload_or_a_field_of_another_type_changes_its_users() {
    let old =
        "class A { long n; int f() { return g(n); } int g(long x) { return 1; } int k() { return 1; } }";
    only(old, &old.replace("int k", "int g(Object x) { return 2; } int k"), &["A.k"]);
    only(old, &old.replace("long n", "int n"), &["A.g", "A.k"]);
}

#[test]
fn a_parent_of_a_parameter_changes_which_overload_is_meant() {
    let old = "class P {} class A { P p() { return null; } int f() { return g(p()); } int g(Object x) { return 1; } int k() { return 1; } }";
    only(old, &old.replace("class P {}", "class P implements Runnable {}"), &["A.g", "A.k"]);
}

#[test]
fn functions_and_classes_without_a_name_may_run_anywhere() {
    let text = |made: &str| {
        format!(
            "interface I {{ int m(); }} class B {{ static I x = {made}; }} class A {{ int f(I i) {{ return i.m(); }} }}"
        )
    };
    only(&text("() -> 1"), &text("() -> 2"), &[]);
    only(
        &text("new I() { public int m() { return 1; } }"),
        &text("new I() { public int m() { return 2; } }"),
        &[],
    );
    let text = |one: &str| {
        format!(
            "class B {{ static int k() {{ return {one}; }} static Runnable r() {{ return () -> k(); }} int h() {{ return 1; }} }}"
        )
    };
    only(&text("1"), &text("2"), &[]);
}

#[test]
fn classes_of_one_name_are_not_told_apart() {
    let text = |one: &str, two: &str| {
        format!("class A {{ int f() {{ return {one}; }} }} class A {{ int f() {{ return {two}; }} }}")
    };
    only(&text("1", "2"), &text("2", "1"), &[]);
}

#[test]
fn resources_are_closed() {
    let old = "class R { public void close() { n(1); } } class A { void f(R r) { try (r) { } } int k() { return 1; } }";
    only(old, &old.replace("n(1)", "n(2)"), &["A.k"]);
}

/// Those that are the same if the methods are that have another body.
#[track_caller]
fn but_for_callees(old: &str, new: &str, expected: &[&str]) {
    let (old, new) = (read(old), read(new));
    assert_eq!(same_in(&new[0], &Changes::between(Pair::new(&old, &new)).apart_from_bodies), expected);
}

#[test]
fn another_body_concerns_the_method_alone() {
    let old = "class A { int f() { return 1; } int g() { return f(); } int n = 1; int h() { return n; } }";
    but_for_callees(old, &old.replace("return 1", "return 2"), &["A.g", "A.h"]);
    but_for_callees(old, &old.replace("n = 1", "n = 2"), &["A.f", "A.g"]);
    but_for_callees(old, &old.replace("int f()", "long f()"), &["A.h"]);
    but_for_callees(old, &old.replace("int n", "int f(int x) { return 3; } int n"), &["A.h"]);
    but_for_callees(old, &old.replace("int g", "int k() { return 1; } int g"), &["A.f", "A.g", "A.h"]);
}

#[test]
fn constructors_of_enums_make_constants() {
    let old = "enum E { X(1); int n; E(int x) { n = x; } int f() { return X.n; } int k() { return 1; } }";
    but_for_callees(old, &old.replace("n = x", "n = x + 1"), &["E.k"]);
}

#[test]
fn the_head_of_a_method_says_what_its_callers_mean() {
    let old = "class P {} class A { P p() { return null; } int f() { return g(p()); } int g(Object x) { return 1; } int h() { P p = null; return 1; } int k() { return h(); } }";
    but_for_callees(old, &old.replace("class P {}", "class P implements Runnable {}"), &["A.g"]);
}

#[test]
fn calls_initialise_classes_above() {
    let old = "class B { static int y; } class C { static { B.y = 1; } } class D extends C { static int m() { return 1; } static class N { static int f() { return m() + B.y; } static int k() { return 1; } } }";
    only(old, &old.replace("y = 1", "y = 2"), &["D.m", "D.N.k"]);
    let old = "class B { static int y; } enum E { A; E() { B.y = 1; } static int m() { return 1; } static class N { static int f() { return m() + B.y; } static int k() { return 1; } } }";
    only(old, &old.replace("y = 1", "y = 2"), &["E.m", "E.N.k"]);
}

#[test]
fn classes_without_a_name_have_type_arguments() {
    let text = |one: &str| {
        format!(
            "class H {{ static Object c = new G<int[]>() {{ int m() {{ return {one}; }} }}; }} class A {{ int f(I i) {{ return i.m(); }} }}"
        )
    };
    only(&text("1"), &text("2"), &[]);
}

#[test]
fn an_import_gives_another_parent() {
    let old = "import a.Base; class T extends Base { int f() { return inst(); } } class U { int k() { return 1; } int g(T t) { return t.f(); } }";
    only(old, &old.replace("a.Base", "b.Base"), &["U.k"]);
}

#[test]
fn names_of_locals_mean_nothing() {
    only(
        "class A { int n; int f(final int x) throws Exception { int y = this.n + x; for (int z : g(y)) { y += z; } try { h(); } catch (final E e) { y += e.code(); } return y; } }",
        "class A { int n; int f(int a) { int b = n + a; for (int c : g(b)) { b += c; } try { h(); } catch (E d) { b += d.code(); } return b; } }",
        &["A.f"],
    );
    only(
        "class A { F f(int x) { return y -> x + y; } G g() { return (a, b) -> b; } }",
        "class A { F f(int p) { return q -> p + q; } G g() { return (c, d) -> d; } }",
        &["A.f", "A.g"],
    );
}

#[test]
fn names_of_fields_are_not_names_of_locals() {
    let old = "class A { int n; int m; int f(int x) { { int n = x; } return n; } }";
    only(old, "class A { int n; int m; int f(int x) { { int m = x; } return m; } }", &[]);
    only(old, "class A { int n; int m; int f(int x) { { int m = x; } return n; } }", &["A.f"]);
    // A field that a local hides, and the local.
    let old = "class A { int n; void f(int n) { this.n = n; } }";
    only(old, "class A { int n; void f(int m) { this.n = m; } }", &["A.f"]);
    only(old, "class A { int n; void f(int n) { n = n; } }", &[]);
    // Before its declaration, after its block, where its value comes from.
    let old = "class A { int n; int m; int f() { n = 1; int n = 2; return n; } }";
    only(old, "class A { int n; int m; int f() { m = 1; int m = 2; return m; } }", &[]);
    let old = "class A { int[] a; int[] b; int f() { int s = 0; for (int[] a : a) s++; return s; } }";
    only(old, "class A { int[] a; int[] b; int f() { int s = 0; for (int[] b : b) s++; return s; } }", &[]);
    let old = "class A { R r; R s; void f() { try (R r = g()) { } catch (E e) { h(r); } } }";
    only(old, "class A { R r; R s; void f() { try (R s = g()) { } catch (E e) { h(s); } } }", &[]);
}

#[test]
fn where_names_of_locals_are_not_sure_they_count() {
    // An inherited field hides the local.
    let old = "class A { int f(int x) { return new Foo() { int g() { return x; } }.g(); } }";
    only(old, &old.replace('x', "y"), &[]);
    // A constant of an enum, and a local that is a constant.
    let old = "class A { int f(E RED) { switch (RED) { case RED: return 1; default: return 2; } } }";
    only(old, &old.replace("RED", "BLUE"), &[]);
    let old = "class A { int f(Object o) { return o instanceof String s ? s.length() : 0; } }";
    only(old, &old.replace("String s ? s.", "String t ? t."), &[]);
    let old = "class A { int f(int x) { class B { int g() { return x; } } return new B().g(); } }";
    only(old, &old.replace('x', "y"), &[]);
}

#[test]
fn classes_in_methods_that_use_no_locals() {
    let old = "class A { int n; I f(final int x) { g(this.n + x); return new I() { int n; int k(int y) { return this.n + y; } }; } }";
    only(old, &old.replace("int x", "int a").replace("+ x", "+ a").replace("g(this.", "g("), &["A.f"]);
    // What stands in the class is compared as it is written.
    only(old, &old.replace("return this.n + y", "return n + y"), &[]);
    only(old, &old.replace("int x", "int n").replace("+ x", "+ n"), &[]);
}

#[test]
fn two_locals_are_not_one() {
    let old = "class A { int f(int x, int y) { return x - y; } int g(int x, long y) { return h(x); } }";
    only(old, "class A { int f(int x, int y) { return y - x; } int g(int x, long y) { return h(y); } }", &[]);
    let old = "class A { int f(int a) { int b = a; { int c = b; } int d = a; return d; } }";
    only(old, "class A { int f(int a) { int b = a; { int d = b; } int d = a; return b; } }", &[]);
}

#[test]
fn constants_of_the_compiler_are_final_locals() {
    let old = "class A { void f(boolean b) { final int x = 7; g(b ? 'a' : x); } }";
    only(old, &old.replace("final ", ""), &[]);
}

#[test]
fn methods_and_labels_are_no_locals() {
    let old = "class A { int f(int x) { x: for (;;) { break x; } return x(x) + this.x(x) + o.x; } }";
    only(old, "class A { int f(int y) { x: for (;;) { break x; } return x(y) + x(y) + o.x; } }", &["A.f"]);
    only(old, "class A { int f(int y) { x: for (;;) { break x; } return y(y) + x(y) + o.x; } }", &[]);
    only(old, "class A { int f(int y) { x: for (;;) { break x; } return x(y) + x(y) + o.y; } }", &[]);
    // Arguments of types tell which method is called.
    let old = "class A { int f(int x) { return this.<T>g(x); } }";
    only(old, "class A { int f(int x) { return g(x); } }", &[]);
}

#[test]
fn what_a_function_throws_may_tell_a_type() {
    let old = "class A { void m() throws E { } int f() { return run(() -> m()); } int k() { return 1; } }";
    only(old, &old.replace("throws E ", ""), &[]);
    let old = "class A { void m() throws E { } int f() { m(); return 1; } }";
    only(old, &old.replace("throws E ", ""), &["A.m", "A.f"]);
}

#[test]
fn names_of_private_fields_mean_nothing() {
    let old = "class A { private int n = 1; int f() { return n; } void g(int x) { this.n = x; } int h() { return new F() { int k() { return 1; } }.k(); } }";
    only(
        old,
        "class A { private int count = 1; int f() { return count; } void g(int count) { this.count = count; } int h() { return new F() { int k() { return 1; } }.k(); } }",
        &["A.f", "A.g", "A.h"],
    );
    // Two of one type: by their order; the other way around they are others.
    let old = "class A { private int a; private int b; int f() { return a - b; } }";
    only(old, "class A { private int c; private int d; int f() { return c - d; } }", &["A.f"]);
    only(old, "class A { private int c; private int d; int f() { return d - c; } }", &[]);
    // In two classes; one of them keeps its name.
    let old =
        "class A { private int n; int f() { return n; } } class B { private int n; int g() { return n; } }";
    only(
        old,
        "class A { private int m; int f() { return m; } } class B { private int m; int g() { return m; } }",
        &["B.g", "A.f"],
    );
    only(
        old,
        "class A { private int m; int f() { return m; } } class B { private int n; int g() { return n; } }",
        &[],
    );
    only(
        old,
        "class A { private int m; int f() { return m; } } class B { private int k; int g() { return k; } }",
        &[],
    );
    // One takes the place of another.
    only(old, "class A { private int b; private int c; int f() { return b - c; } }", &[]);
}

#[test]
fn a_new_name_may_mean_something_else() {
    // Of another object, of another class, a type, a method, a constant, and of a class that is not given.
    for (old, new) in [
        ("int g(Foo o) { return o.n; }", "int g(Foo o) { return o.m; }"),
        ("int g(n o) { return 1; }", "int g(m o) { return 1; }"),
        ("int g() { return n(); }", "int g() { return m(); }"),
        ("I g() { return A::n; }", "I g() { return A::m; }"),
        (
            "int g(E e) { switch (e) { case n: return 1; } }",
            "int g(E e) { switch (e) { case m: return 1; } }",
        ),
        (
            "I g() { return new I() { int k() { return n; } }; }",
            "I g() { return new I() { int k() { return m; } }; }",
        ),
        ("class B extends Foo { int k() { return n; } }", "class B extends Foo { int k() { return m; } }"),
    ] {
        let [old, new] = [("n", old), ("m", new)].map(|(field, other)| {
            format!("class A {{ private int {field}; int f() {{ return {field}; }} {other} }}")
        });
        only(&old, &new, &[]);
    }
    // A text that reflection may use.
    let old = "class A { private int n; int f() { return n; } Object g() { return find(\"n\"); } }";
    only(
        old,
        "class A { private int m; int f() { return m; } Object g() { return find(\"n\"); } }",
        &["A.g"],
    );
    // Others see it.
    let old = "class A { int n; int f() { return n; } }";
    only(old, "class A { int m; int f() { return m; } }", &[]);
    // Its value changed as well.
    let old = "class A { private int n = 1; int f() { return n; } }";
    only(old, "class A { private int m = 2; int f() { return m; } }", &[]);
}

#[test]
fn parentheses_count_where_they_tell_what_belongs_together() {
    let old = "class A { boolean f(int a, int b, int c) { return (a + (b * c)) > ((a - b) - c) || (a == b && b == c); } }";
    only(
        old,
        "class A { final boolean f(int a, int b, int c) { return a + b * c > a - b - c || a == b && b == c; } }",
        &["A.f"],
    );
    for (old, new) in [
        ("a - (b - c)", "a - b - c"),
        ("(a + b) * c", "a + b * c"),
        ("a * (b / c)", "a * b / c"),
        ("\"\" + (a + b)", "\"\" + a + b"),
        ("!(a == b)", "!a == b"),
        ("(int) (a + b)", "(int) a + b"),
        ("(a ? b : c) ? a : b", "a ? b : c ? a : b"),
        ("(a = b) + c", "a = b + c"),
        ("a & (b == c)", "(a & b) == c"),
        ("a == (b & c)", "a == b & c"),
        ("(a < b) == (b < c)", "a < (b == b) < c"),
    ] {
        let [old, new] = [old, new].map(|value| format!("class A {{ Object f() {{ return {value}; }} }}"));
        only(&old, &new, &[]);
    }
}
