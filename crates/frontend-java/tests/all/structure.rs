//! What lowered programs look like: names, diagnostics, what unsupported code costs, and what it does not.

use ir::{Diagnostic, Program, SourceFile, StmtKind};

fn lower(text: &str) -> Result<Program, Vec<Diagnostic>> {
    frontend_java::lower(&[SourceFile { name: "A.java".to_owned(), text: text.to_owned() }])
}

#[track_caller]
fn program(text: &str) -> Program {
    lower(text).expect("the program should parse")
}

fn names(program: &Program) -> Vec<&str> {
    program.procedures.iter().map(|procedure| procedure.name.as_str()).collect()
}

/// What is unsupported in a procedure, with its line.
#[track_caller]
fn unsupported(program: &Program, name: &str) -> Vec<(String, u32)> {
    let id = program.procedure_named(name).expect("the procedure should exist");
    let mut found = Vec::new();
    let body = program.procedure(id).body.as_ref().expect("the procedure should have a body");
    ir::for_each_stmt(body, &mut |stmt| {
        if let StmtKind::Unsupported { what } = &stmt.kind {
            found.push((what.clone(), stmt.span.line));
        }
    });
    found
}

#[test]
fn a_syntax_error_is_reported_where_it_is() {
    let errors = lower("class A {\n    int f() { return 1 + ; }\n}").expect_err("the text should not parse");
    assert_eq!(errors[0].line, 2);
    assert!(
        errors[0].message.contains("unexpected") || errors[0].message.contains("expected"),
        "{}",
        errors[0]
    );
    assert_eq!(errors[0].file, "A.java");
}

#[test]
fn a_missing_brace_is_reported() {
    let errors = lower("class A { int f() { return 1; }").expect_err("the text should not parse");
    assert_eq!(errors[0].message, "expected `}`");
}

#[test]
fn errors_of_several_files_are_reported_together() {
    let file = |name: &str| SourceFile { name: name.to_owned(), text: "class {".to_owned() };
    let errors = frontend_java::lower(&[file("A.java"), file("B.java")]).expect_err("neither should parse");
    assert!(errors.iter().any(|error| error.file == "A.java"));
    assert!(errors.iter().any(|error| error.file == "B.java"));
}

#[test]
fn junk_is_an_error_and_no_panic() {
    for junk in ["\u{0}\u{1}\u{fffd}", "%%%", "class", "}{", "/* never closed", "\"never closed"] {
        assert!(lower(junk).is_err(), "{junk:?} should not parse");
    }
}

#[test]
fn an_empty_file_is_an_empty_program() {
    assert_eq!(program("").procedures.len(), 0);
    assert_eq!(program("package a.b; import java.util.*;").procedures.len(), 0);
}

#[test]
fn methods_without_a_class_have_plain_names_and_true_lines() {
    let program =
        program("int twice(int x) {\n    return x * 2;\n}\nint four(int x) { return twice(twice(x)); }");
    assert_eq!(names(&program), ["twice", "four"]);
    assert_eq!(program.procedures[0].span.line, 1);
    assert_eq!(program.procedures[1].span.line, 4);
    assert_eq!(program.procedures[0].params, 1);
}

#[test]
fn overloaded_methods_are_named_with_their_parameter_types() {
    let program = program(
        "class A { static int f(int x) { return 1; } static int f(double[] x, String s) { return 2; } static void g() {} A() {} }",
    );
    let names = names(&program);
    assert_eq!(names, ["A.<init>", "A.<construct>", "A.f(int)", "A.f(double[],String)", "A.g"]);
    assert_eq!(program.procedures[2].short_name, "f");
}

#[test]
fn classes_of_one_simple_name_are_told_apart() {
    let program = program(
        "class A { static class N { int f() { return 1; } } } class B { static class N { int f() { return 2; } } }",
    );
    assert_eq!(names(&program), ["A.N.f", "B.N.f"]);
}

#[test]
fn instance_methods_take_this_and_say_so() {
    let program = program("class P { int x; int get() { return x; } }");
    let get = program.procedures.iter().find(|procedure| procedure.name == "P.get").unwrap();
    assert_eq!(get.locals[0].name, "this");
    assert_eq!(get.assumptions, ["`this` is not null"]);
    assert_eq!(program.regions[0].name, "P.x");
}

#[test]
fn a_constructor_is_run_on_a_new_object() {
    let program =
        program("class P { int x; P(int x) { this.x = x; } } class Q extends P { Q() { super(1); } }");
    let maker = &program.procedures[program.procedure_named("P.<init>").unwrap().index()];
    assert_eq!(maker.params, 2);
    let mut made = Vec::new();
    ir::for_each_stmt(maker.body.as_ref().unwrap(), &mut |stmt| {
        if let ir::StmtKind::New { shape, .. } = stmt.kind {
            made.push(program.shape(shape).name.clone());
        }
    });
    assert_eq!(made, ["P", "Q"]);
    assert!(
        program.procedures.iter().any(|procedure| procedure.name == "P.<construct>" && procedure.is_part())
    );
}

#[test]
fn an_unsupported_statement_costs_only_its_method() {
    let program = program(
        "import java.util.*;\nclass A {\n  static List<Integer> xs = new ArrayList<>();\n  Map<String, Integer> m = new HashMap<>();\n  static int bad() {\n    return xs.stream().mapToInt(i -> i).sum();\n  }\n  static int good(int x) { return x + 1; }\n}",
    );
    assert_eq!(unsupported(&program, "A.good"), []);
    assert_eq!(unsupported(&program, "A.bad").first().map(|(_, line)| *line), Some(6));
}

#[test]
fn an_unknown_method_is_unsupported_and_named() {
    let program = program("class A { static int f(int x) { if (x > 0) return Foo.bar(x); return baz(x); } }");
    // Classes may be elsewhere, methods of this one not.
    assert_eq!(unsupported(&program, "A.f"), [("the unknown method `baz`".to_owned(), 1)]);
    assert!(program.procedures.iter().any(|known| known.name.starts_with("Foo.bar") && known.body.is_none()));
}

#[test]
fn nesting_beyond_all_measure_is_unsupported_and_no_crash() {
    let deep = format!(
        "class A {{ static int f(int x) {{ return {}x{}; }} }}",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert_eq!(unsupported(&program(&deep), "A.f").len(), 1);
    let sum = format!("class A {{ static int f(int x) {{ return x{}; }} }}", " + x".repeat(100_000));
    assert_eq!(unsupported(&program(&sum), "A.f").len(), 1);
    let blocks = format!("class A {{ static void f() {{ {}{} }} }}", "{".repeat(50_000), "}".repeat(50_000));
    assert_eq!(unsupported(&program(&blocks), "A.f").len(), 1);
    let chain = "if (x == 1) x = 2; else ".repeat(20_000);
    let chain = format!("class A {{ static int f(int x) {{ {chain} x = 3; return x; }} }}");
    assert!(!unsupported(&program(&chain), "A.f").is_empty());
}

#[test]
fn a_long_sum_that_can_be_lowered_is() {
    let sum = format!("class A {{ static int f(int x) {{ return x{}; }} }}", " + x".repeat(300));
    assert_eq!(unsupported(&program(&sum), "A.f"), []);
}

#[test]
fn long_chains_and_switches_are_lowered() {
    let chain = "if (x == 1) x = 2; else ".repeat(2_000);
    let chain = format!("class A {{ static int f(int x) {{ {chain} x = 3; return x; }} }}");
    assert_eq!(unsupported(&program(&chain), "A.f"), []);
    let cases: String = (0..5_000).map(|i| format!("case {i}: x = {}; break;\n", i % 7)).collect();
    let switch =
        format!("class A {{ static int f(int x) {{ switch (x) {{ {cases} default: x = 9; }} return x; }} }}");
    assert_eq!(unsupported(&program(&switch), "A.f"), []);
}

#[test]
fn floating_point_constants_stay_operations() {
    let program =
        program("class A { static final double THIRD = 1.0 / 3; static double f() { return THIRD; } }");
    let text = ir::print(&program);
    assert!(text.contains("div.f64"), "the division should be left to the number model: {text}");
    assert_eq!(program.globals, []);
}

#[test]
fn static_fields_that_change_are_inputs_and_constants_are_not() {
    let program = program(
        "class A { static int count = 3; static final int LIMIT = 1 << 4; private static int fixed = 5; static int f() { count++; return count + LIMIT + fixed; } }",
    );
    assert_eq!(program.globals.len(), 1);
    assert_eq!(program.globals[0].name, "A.count");
    assert_eq!(program.globals[0].initial, ir::Const::i32(3));
    assert!(!program.globals[0].constant);
}

#[test]
fn tables_that_are_only_read_are_constant_objects() {
    let read = program(
        "class A { private static final int[] T = {1, 2}; static int f(int i) { return T[i] + T.length; } }",
    );
    assert!(read.statics[0].constant);
    assert_eq!(read.statics[0].name, "A.T");
    let visible = program("class A { static final int[] T = {1, 2}; static int f(int i) { return T[i]; } }");
    assert!(!visible.statics[0].constant);
    let written =
        program("class A { private static final int[] T = {1, 2}; static void f(int i) { T[i]++; } }");
    assert!(!written.statics[0].constant);
    let leaked = program(
        "class A { static final int[] T = {1, 2}; static int[] f() { return T; } static void g(int[] a) { a[0] = 1; } }",
    );
    assert!(!leaked.statics[0].constant);
}

#[test]
fn a_constant_that_calls_a_method_is_left_to_the_run_of_its_initialiser() {
    let program = program(
        "class A { static final int N = g(); static int g() { return 5; } static int f() { return N; } static int h() { return 1; } }",
    );
    assert_eq!(unsupported(&program, "A.f"), []);
    assert_eq!(unsupported(&program, "A.h"), []);
}

#[test]
fn an_initialiser_does_not_change_a_parameter_of_its_name() {
    let program = program("class A { int y; { int x = 5; y = x; } A(int x) { y += x; } }");
    let text = ir::print(&program);
    assert!(text.contains("x$2 = 5"), "the variable of the initialiser should be its own: {text}");
}

#[test]
fn casts_and_increments_bind_as_java_says() {
    let same = |a: &str, b: &str| {
        let body = |expr: &str| {
            let text =
                format!("class A {{ static int f(int a, int b, int c, long l) {{ return {expr}; }} }}");
            program(&text).procedures[0]
                .body
                .clone()
                .map(|body| body.into_iter().map(|stmt| format!("{:?}", stmt.kind)).collect::<Vec<_>>())
        };
        assert_eq!(body(a), body(b), "`{a}` should mean `{b}`");
    };
    same("(a) - b * c", "a - (b * c)");
    same("(int) l++ + 1", "((int) (l++)) + 1");
    same("-a++", "-(a++)");
    same("(int) (a) - b", "((int) a) - b");
    same("c * (a) - b", "(c * a) - b");
    same("a + b << c & 3 | a ^ b", "(((a + b) << c) & 3) | (a ^ b)");
}

#[test]
fn lowering_is_deterministic() {
    let text = include_str!("java/Objects.java");
    assert_eq!(ir::print(&program(text)), ir::print(&program(text)));
}

#[test]
fn what_is_lowered_prints_and_reads_back() {
    for text in [include_str!("java/Objects.java"), include_str!("java/Order.java")] {
        let printed = ir::print(&program(text));
        let read = ir::read_program(&printed).expect("printed programs should read back");
        assert_eq!(ir::print(&read), printed);
    }
}

#[test]
fn exceptions_of_the_program_may_be_objects_of_unknown_classes_like_those_of_the_library() {
    let text = "class E extends RuntimeException {}
        class A {
            static Object f(Foo o, RuntimeException r) { return r == null ? o : r; }
            static E g() { return new E(); }
        }";
    assert_eq!(ir::validate(&program(text)), Ok(()));
}
