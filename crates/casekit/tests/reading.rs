//! Case files are read as `docs/case-format.md` says, and what is wrong with one is said with its line.

use casekit::{Expected, Language, Numbers, Problem, read};

const PAGE: &str = r"# Overflow

What the page is about.

## The midpoint

The sum wraps around; the difference does too.

```java old
int mid(int a, int b) { return (a + b) / 2; }
```
```java new
int mid(int a, int b) {
    return a + (b - a) / 2;
}
```
```options
function: mid
bound: 8
```
```verdict
different
```
```verdict math
different
```

## TODO: A loop of `n` steps

Not proved yet.

```c old
int f(int n) { return n; }
```
```c new
int f(int n) { return n; }
```
```verdict
unknown: bound
```
";

#[test]
fn a_page_gives_its_cases_in_order_with_their_lines() {
    let cases = read("overflow.md", PAGE).unwrap();
    assert_eq!(cases.len(), 2);
    let [midpoint, looping] = &cases[..] else { panic!("two cases") };
    assert_eq!((midpoint.title.as_str(), midpoint.name.as_str()), ("Overflow", "The midpoint"));
    assert_eq!((midpoint.line, midpoint.old.line, midpoint.new.line), (5, 10, 13));
    assert_eq!(midpoint.language, Language::Java);
    assert_eq!(midpoint.options.function.as_deref(), Some("mid"));
    assert_eq!(midpoint.options.bound, Some(8));
    assert_eq!(looping.name, "A loop of n steps");
    assert!(looping.todo && !midpoint.todo);
    assert_eq!(looping.language, Language::C);
}

#[test]
fn a_verdict_speaks_of_machine_numbers_unless_it_says_otherwise() {
    let cases = read("overflow.md", PAGE).unwrap();
    let both = vec![(Numbers::Machine, Expected::Different), (Numbers::Math, Expected::Different)];
    assert_eq!(cases[0].expected, both);
    assert_eq!(cases[1].expected, vec![(Numbers::Machine, Expected::Unknown("bound".to_owned()))]);
    let math = PAGE.replace("bound: 8", "numbers: math").replace("```verdict math\ndifferent\n```\n", "");
    assert_eq!(read("x.md", &math).unwrap()[0].expected, vec![(Numbers::Math, Expected::Different)]);
}

#[test]
fn java_members_get_a_class_around_them_without_moving_lines() {
    let cases = read("overflow.md", PAGE).unwrap();
    assert_eq!(
        cases[0].new.text,
        "class Case { int mid(int a, int b) {\n    return a + (b - a) / 2;\n}\n}\n"
    );
    assert_eq!(cases[1].old.text, "int f(int n) { return n; }\n");
    let whole = PAGE.replace("int mid(int a, int b) { return (a + b) / 2; }", "class Mid { }");
    assert_eq!(read("x.md", &whole).unwrap()[0].old.text, "class Mid { }\n");
    let nested = PAGE.replace("int mid(int a, int b) { return (a + b) / 2; }", "static class Mid { }");
    assert_eq!(read("x.md", &nested).unwrap()[0].old.text, "class Case { static class Mid { }\n}\n");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let problem = |page: &str| {
        let error = read("x.md", page).unwrap_err();
        assert_eq!(error.file, "x.md");
        (error.line, error.problem)
    };
    assert_eq!(problem(""), (1, Problem::NoTitle));
    assert_eq!(problem(&PAGE.replace("# Overflow\n", "")), (4, Problem::NoTitle));
    assert_eq!(problem("# T\n\n```java old\n```\n"), (3, Problem::BlockOutsideCase));
    assert_eq!(
        problem(&PAGE.replace("java new", "java newer")).1,
        Problem::UnknownBlock("java newer".to_owned())
    );
    assert_eq!(
        problem(&PAGE.replace("bound: 8", "bounds: 8")),
        (19, Problem::BadOption("bounds: 8".to_owned()))
    );
    assert_eq!(problem(&PAGE.replace("bound: 8", "bound: many")).0, 19);
    assert_eq!(problem(&PAGE.replace("c new", "java new")), (28, Problem::MixedLanguages));
    assert_eq!(
        problem(&PAGE.replace("unknown: bound", "unknown")).1,
        Problem::BadVerdict("unknown".to_owned())
    );
    assert_eq!(problem(&PAGE.replace("java new", "java old")), (12, Problem::Twice("java old".to_owned())));
    assert_eq!(problem(&PAGE.replace("Not proved yet.\n", "")), (28, Problem::NoProse));
    let missing = Problem::Missing { case: "The midpoint".to_owned(), block: "verdict" };
    assert_eq!(problem(&PAGE.replace("```verdict\ndifferent\n```\n", "")), (5, missing));
    let twice = PAGE.replace("TODO: A loop of `n` steps", "The midpoint");
    assert_eq!(problem(&twice), (28, Problem::SameName("The midpoint".to_owned())));
}

#[test]
fn an_error_reads_as_file_line_and_sentence() {
    let error = read("tests/x.md", "no title").unwrap_err();
    assert_eq!(error.to_string(), "tests/x.md:1: a case file starts with a `# Title`");
}
