//! What C looks like in the IR.

use expect_test::{Expect, expect};
use frontend_c::{Options, Preprocessed, lower, needs_preprocessor, preprocessor_args};

fn program(text: &str) -> ir::Program {
    lower(&[Preprocessed::new("test.c", text)], &Options::default())
        .unwrap_or_else(|errors| panic!("the program should parse: {}", errors[0]))
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&ir::print(&program(text)));
}

#[test]
fn a_loop_tests_first_and_steps_last() {
    check(
        "int sum(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 3) continue; s += i; } return s; }",
        expect![[r#"
            program c

            proc sum(n: i32) -> i32 {
              var s: i32
              var i: i32
              s = 0
              i = 0
              loop L0 {
                if le.i32(n, i) {
                  break L0
                }
                scope L1 {
                  if eq.i32(i, 3) {
                    break L1
                  }
                  s = add.i32(s, i)
                }
                i = add.i32(i, 1)
              }
              return s
            }
        "#]],
    );
}

#[test]
fn an_access_is_checked_once_and_a_known_index_not_at_all() {
    check(
        "int f(int *a, int i) { int t[2] = { 1, 2 }; return a[i] + a[i] + t[1]; }",
        expect![[r#"
        program c

        error `null dereference`
        error `out of bounds`

        region i32: i64 -> i32

        shape int[]: indexed(i32)

        proc f(a: (ref int[], i64), i: i32) -> i32 {
          var t: ref int[]
          t = new int[](2)
          store i32(t, 0) = 1
          store i32(t, 1) = 2
          check not(same_ref(get.0(a), null)) else `null dereference`
          check and(le.i64(0, add.i64(get.1(a), convert.i32.i64(i))), lt.i64(add.i64(get.1(a), convert.i32.i64(i)), length.i64(get.0(a)))) else `out of bounds`
          return add.i32(add.i32(load i32(get.0(a), add.i64(get.1(a), convert.i32.i64(i))), load i32(get.0(a), add.i64(get.1(a), convert.i32.i64(i)))), load i32(t, 1))
        }
    "#]],
    );
}

#[test]
fn an_unknown_function_is_a_procedure_without_a_body_and_an_assumption() {
    check(
        "int ask(int); int f(int x) { return ask(x) + ask(x + 1); }",
        expect![[r#"
            program c

            assuming "operands and arguments are evaluated from left to right where C leaves their order open"
            proc f(x: i32) -> i32 {
              var $t0: i32
              var $t1: i32
              $t0 = call ask(x)
              $t1 = call ask(add.i32(x, 1))
              return add.i32($t0, $t1)
            }

            extern proc ask($0: i32) -> i32
        "#]],
    );
}

#[test]
fn globals_that_change_are_inputs_and_others_are_constants() {
    check(
        "int changing; static int fixed = 3; static int written; const char text[] = \"a\"; static int kept; int *where = &kept;
         int f(void) { written++; return changing + fixed + text[0]; }",
        expect![[r#"
            program c

            region i32: i64 -> i32
            region i8: i64 -> i8

            shape int[]: indexed(i32)
            shape `const char[]`: indexed(i8)

            private global written: i32 = 0
            global changing: i32 = 0
            private const global `fixed`: i32 = 3

            private static kept: int[](1) = {0}
            const static `text`: `const char[]`(2) = {97, 0}

            proc f() -> i32 {
              written = add.i32(written, 1)
              return add.i32(add.i32(changing, 3), convert.i8.i32(load i8(&`text`, 0)))
            }
        "#]],
    );
}

#[test]
fn casts_through_void_pointers_are_checked_where_other_objects_are_about() {
    check(
        "int f(void *p) { char *c = p; return *c; }",
        expect![[r#"
        program c

        error `null dereference`
        error `out of bounds`

        region i32: i64 -> i32
        region i8: i64 -> i8

        shape char[]: indexed(i8)

        proc f(p: (ref char[], i64)) -> i32 {
          var c: (ref char[], i64)
          c = p
          check not(same_ref(get.0(c), null)) else `null dereference`
          check and(le.i64(0, get.1(c)), lt.i64(get.1(c), length.i64(get.0(c)))) else `out of bounds`
          return convert.i8.i32(load i8(get.0(c), get.1(c)))
        }
    "#]],
    );
    check(
        "int *g(int *p) { void *v = p; return v; }",
        expect![[r#"
            program c

            region i32: i64 -> i32
            region i8: i64 -> i8

            shape int[]: indexed(i32) < void at (0)
            shape char[]: indexed(i8) < void at (0)
            abstract shape void: indexed(i8)

            assuming "what a `void *` of the input leads to has the type that it is cast to"
            proc g(p: (ref int[], i64)) -> (ref int[], i64) {
              var v: (ref void, i64)
              v = p
              assume not(and(given(get.0(v)), and(not(same_ref(get.0(v), null)), not(has_shape(get.0(v), int[])))))
              if and(not(same_ref(get.0(v), null)), not(has_shape(get.0(v), int[]))) {
                unsupported "a cast to a pointer to an unrelated type from `void *`"
              }
              return v
            }
        "#]],
    );
}

#[test]
fn constant_addresses_are_places_of_their_own() {
    check(
        "void *f(void *p) { return p == (void *)-1 ? (void *)0 : p; }",
        expect![[r#"
            program c

            region i8: i64 -> i8

            shape char[]: indexed(i8)

            private const static `$int:-1`: char[](0) = {}

            proc f(p: (ref char[], i64)) -> (ref char[], i64) {
              return if(and(same_ref(get.0(p), &`$int:-1`), eq.i64(get.1(p), 0)), (null, 0), p)
            }
        "#]],
    );
}

#[test]
fn the_users_own_function_wins_over_the_model() {
    let own =
        program("unsigned long strlen(const char *s) { return 7; } int f(void) { return strlen(\"ab\"); }");
    assert_eq!(own.procedures.len(), 2);
    let model = program("unsigned long strlen(const char *s); int f(void) { return strlen(\"ab\"); }");
    let strlen = model.procedure(model.procedure_named("strlen").unwrap());
    assert!(strlen.body.is_some());
    assert_eq!(model.files[strlen.span.file.index()], "<libc>");
}

#[test]
fn a_gap_costs_only_its_statement() {
    let program =
        program("_Complex double z; int f(int x) { if (x) return z; return 1; } int g(void) { return 2; }");
    let text = ir::print(&program);
    assert_eq!(text.matches("unsupported").count(), 1, "{text}");
}

#[test]
fn several_units_are_one_program() {
    let file = |name: &str, text: &str| Preprocessed::new(name, text);
    let files = [
        file(
            "a.c",
            "static int helper(void) { return 1; } extern int shared; int f(void) { return helper() + shared; }",
        ),
        file(
            "b.c",
            "static int helper(void) { return 2; } int shared = 5; int g(void) { return helper() + shared++; }",
        ),
    ];
    let program = lower(&files, &Options::default()).expect("the units should parse");
    let names: Vec<&str> = program.procedures.iter().map(|procedure| procedure.name.as_str()).collect();
    assert_eq!(names, ["helper", "f", "b.c:helper", "g"]);
    assert_eq!(program.globals.iter().filter(|global| global.name == "shared").count(), 1);
}

#[test]
fn structs_without_a_tag_are_apart_and_those_of_two_units_are_one() {
    let file = |name: &str, text: &str| Preprocessed::new(name, text);
    let files = [
        file("old/a.c", "struct s; int peek(struct s *p); int f(struct s *p) { return peek(p); }"),
        file(
            "old/b.c",
            "struct s { char c; int v; }; int peek(struct s *p) { return p->v; }
             struct { int x; } i; struct { double x; } d; int g(void) { return i.x + (int)d.x; }",
        ),
    ];
    let program = lower(&files, &Options::default()).expect("the units should parse");
    let cells = |name: &str| {
        let shape =
            program.shapes.iter().find(|shape| shape.name == name).expect("the shape should be there");
        let ir::Cells::Indexed(regions) = &shape.cells else { panic!("C has cells by index") };
        regions.iter().map(|region| program.region(*region).name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(cells("struct s[]"), ["i8", "i32"]);
    assert_eq!(cells("struct {int x}[]"), ["i32"]);
    assert_eq!(cells("struct {double x}[]"), ["f64"]);
}

#[test]
fn errors_name_the_users_file_and_line() {
    let text = "# 1 \"main.c\"\n# 41 \"header.h\" 1\nint f(void) { return 1 +; }\n".to_owned();
    let errors = lower(&[Preprocessed::new("main.c", text)], &Options::default()).unwrap_err();
    assert_eq!((errors[0].file.as_str(), errors[0].line, errors[0].column), ("header.h", 41, 25));
}

#[test]
fn deep_and_long_texts_end_in_an_answer() {
    let lower_text = |text: String| lower(&[Preprocessed::new("deep.c", text)], &Options::default());
    assert!(lower_text(format!("int f(int x) {{ return {}x; }}", "(".repeat(1_000_000))).is_err());
    assert!(lower_text(format!("int f(int x) {{ return {}x; }}", "-".repeat(1_000_000))).is_err());
    assert!(lower_text("{".repeat(1_000_000)).is_err());
    assert!(lower_text("\u{0}\u{1}\u{ff}".repeat(1000)).is_err());
    assert!(lower_text(format!("int f(int x) {{ return x{}; }}", " + x".repeat(1900))).is_ok());
    let nested = format!("int f(int x) {{ return {}x{}; }}", "(-".repeat(190), ")".repeat(190));
    assert!(lower_text(nested).is_ok());
    let chain = "if (x == 1) x = 2; else ".repeat(1400);
    assert!(lower_text(format!("int f(int x) {{ {chain} x = 3; return x; }}")).is_ok());
}

#[test]
fn plain_texts_need_no_preprocessor() {
    assert!(!needs_preprocessor("int f(int x) { return x; /* # */ } // comment\n"));
    assert!(needs_preprocessor("  #define A 1\nint f(void) { return A; }"));
    assert!(needs_preprocessor("int f(void) { return 1 +\\\n2; }"));
}

/// Runs the system's preprocessor; none where there is no compiler.
fn preprocessed(text: &str) -> Option<String> {
    let folder = std::env::temp_dir().join(format!("frontend-c-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let path = folder.join("headers.c");
    std::fs::write(&path, text).ok()?;
    let output = std::process::Command::new("cc").args(preprocessor_args()).arg(&path).output().ok()?;
    std::fs::remove_dir_all(&folder).ok()?;
    String::from_utf8(output.stdout).ok()
}

#[test]
fn the_usual_headers_parse() {
    let headers = [
        "stdio",
        "stdlib",
        "string",
        "math",
        "stdint",
        "stdbool",
        "ctype",
        "limits",
        "assert",
        "stddef",
        "float",
        "errno",
        "unistd",
        "inttypes",
        "getopt",
        "fnmatch",
        "sys/types",
        "fcntl",
        "elf",
        "sys/mman",
        "time",
        "stdarg",
        "signal",
        "sys/stat",
        "strings",
        "locale",
        "setjmp",
    ];
    let includes: String = headers.iter().map(|header| format!("#include <{header}.h>\n")).collect();
    let code =
        "int f(int c) { assert(c != 3); errno = 2; return isalpha(c) && !isnan(c / 2.0) && INT_MAX > c; }\n";
    let Some(text) = preprocessed(&(includes + code)) else {
        eprintln!("skipped: there is no C compiler");
        return;
    };
    let program = program(&text);
    let text = ir::print(&program);
    assert!(!text.contains("unsupported"), "{text}");
    assert!(text.contains("assert "), "{text}");
    assert_eq!(program.procedure(program.procedure_named("f").unwrap()).span.line, 28);
}

#[test]
fn a_function_that_nests_too_deep_costs_itself_alone() {
    let nested = format!(
        "int deep(int x) {{ {}x = {}x; return x; }}\n",
        "for (; x; x--) ".repeat(990),
        "-~".repeat(15)
    );
    let text = nested + "int flat(int x) { return x; }\n";
    let program = lower(&[Preprocessed::new("deep.c", text)], &Options::default()).expect("it is a program");
    let text = ir::print(&program);
    assert!(text.contains("unsupported \"code that nests deeper than 1000 levels\""), "{text}");
    assert!(text.contains("proc flat(x: i32)"), "{text}");
}

#[test]
fn only_what_is_nested_counts_as_nested() {
    let text = format!(
        "int chain(int x) {{ {} return 3; }}\nint row(int x) {{ {} return x; }}\n",
        "if (x == 1) return 2; else ".repeat(3_000),
        "if (x == 1) x = 2; else x = 3;\n".repeat(6_000)
    );
    let program = lower(&[Preprocessed::new("long.c", text)], &Options::default()).expect("it is a program");
    assert!(!ir::print(&program).contains("unsupported"));
}

/// Whether a pointer stays inside the array does not take a comparison for each element.
#[test]
fn an_array_inside_of_a_struct_may_be_long() {
    let text = "struct s { int *p; int t[4096]; long n; };\n\
                int f(struct s *s, int *q, int i) { int *w = s->t; return w[i] + *q; }\n\
                int *g(struct s *s) { return s->t; }\n";
    let file = Preprocessed::new("long.c", text);
    let program = lower(&[file], &Options::default()).expect("it is a program");
    let text = ir::print(&program);
    assert!(text.len() < 40_000, "{} characters", text.len());
    assert!(!text.contains("nests deeper"), "{text}");
}
