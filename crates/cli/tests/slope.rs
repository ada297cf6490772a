//! What a file costs grows with its size, and no faster: one changed procedure among many that did not change.
//!
//! Work is counted in statements walked over and procedures copied, so that the machine does not matter.

use std::fmt::Write;

use check::Threads;
use cli::{Job, Options, Source, Sources, Unit};
use ir::Language;

/// A file of so many procedures; the one in the middle is written in another way if it is the new version.
type File = fn(usize, &dyn Fn(usize) -> &'static str) -> String;

fn functions(count: usize, two: &dyn Fn(usize) -> &'static str) -> String {
    (0..count).fold(String::new(), |mut text, i| {
        let _ = writeln!(
            text,
            "int m{i}(int x) {{ int y = x + {i}; if (y > 3) y = y - x; return y + {}; }}",
            two(i)
        );
        text
    })
}

fn methods(count: usize, two: &dyn Fn(usize) -> &'static str) -> String {
    format!("class Big {{\n{}}}\n", functions(count, two).replace("int m", "static int m"))
}

/// All of them call the same procedure, which did not change.
fn callers(count: usize, two: &dyn Fn(usize) -> &'static str) -> String {
    let mut text = "int hub(int x) { if (x > 9) return 9; return x; }\n".to_owned();
    for i in 0..count {
        let _ = writeln!(text, "int m{i}(int x) {{ return hub(x + {i}) + {}; }}", two(i));
    }
    text
}

fn static_fields(count: usize, two: &dyn Fn(usize) -> &'static str) -> String {
    let mut text = "class Big {\n".to_owned();
    for i in 0..count {
        let _ = writeln!(text, "static int g{i} = {i};");
        let _ = writeln!(text, "static int m{i}(int x) {{ g{i} = g{i} + x; return g{i} + {}; }}", two(i));
    }
    text + "}\n"
}

fn classes(count: usize, two: &dyn Fn(usize) -> &'static str) -> String {
    (0..count).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "class C{i} {{ int f; int get(int x) {{ return f + x + {}; }} }}", two(i));
        text
    })
}

fn structs(count: usize, two: &dyn Fn(usize) -> &'static str) -> String {
    (0..count).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "struct s{i} {{ int a; int b; }};");
        let _ = writeln!(text, "int m{i}(struct s{i} *p, int x) {{ p->a = x; return p->b + {}; }}", two(i));
        text
    })
}

/// How many steps it takes to check all pairs.
fn steps(language: Language, file: File, count: usize) -> u64 {
    let version = |is_new: bool| {
        let text = file(count, &|i| if is_new && i == count / 2 { "1 + 1" } else { "2" });
        let name = if language == Language::C { "big.c" } else { "Big.java" };
        Sources { files: vec![Source::new(name, text)], tolerant: false }
    };
    let unit = Unit { language, old: version(false), new: version(true) };
    let solver = cli::find_solver(None).expect("the solver should be found");
    let job = Job { units: vec![unit], options: Options { solver, seconds: 1800.0, ..Options::usual() } };
    let before = ir::steps_walked();
    let reports = cli::check_in_process(job, Threads::ONE).expect("the files should be read");
    assert!(reports.len() >= count, "every procedure should be a pair");
    ir::steps_walked() - before
}

/// Four times the size may cost a little more than four times the steps.
fn assert_linear(language: Language, file: File) {
    let (small, large) = (steps(language, file, 50), steps(language, file, 200));
    assert!(large < 6 * small, "{large} steps are not linear when a quarter takes {small}");
}

#[test]
fn many_methods_are_linear() {
    assert_linear(Language::Java, methods);
}

#[test]
fn many_functions_are_linear() {
    assert_linear(Language::C, functions);
    assert_linear(Language::C, callers);
}

#[test]
fn many_static_fields_are_linear() {
    assert_linear(Language::Java, static_fields);
}

#[test]
fn many_classes_and_structs_are_linear() {
    assert_linear(Language::Java, classes);
    assert_linear(Language::C, structs);
}
