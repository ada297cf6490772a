//! Names that several files of C have: which mean the same, and what follows where files disagree on a type.

use crate::support::{Workplace, reasons, verdicts};

/// The verdicts on all pairs of two files in both versions.
fn of_files(old: [&str; 2], new: [&str; 2]) -> (Option<i32>, serde_json::Value) {
    let place = Workplace::new();
    for (side, [a, b]) in [("old", old), ("new", new)] {
        place.write(&format!("{side}/a.c"), a).write(&format!("{side}/b.c"), b);
    }
    place.json(&["old", "new"])
}

#[test]
fn a_static_function_is_not_the_one_that_other_files_see() {
    let a = "static int h(int x) { return x; }\nint f(int x) { return h(x); }\n";
    let b = "int h(int x) { return x + 1; }\nint g(int x) { return h(x); }\n";
    let (code, report) = of_files([a, b], [&a.replace("return x;", "return x + 5;"), b]);
    assert_eq!(code, Some(1), "{report}");
    let (code, report) = of_files([a, b], [a, b]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"; 4]), "{report}");
}

#[test]
fn a_static_function_is_not_what_another_file_declares() {
    let a = "static int h(int x) { return x; }\nint f(int x) { return h(x); }\n";
    let g = |body: &str| format!("int h(int x);\nint g(int x) {{ return {body}; }}\n");
    let (old, new) = (g("h(x)"), g("x"));
    for (old, new) in [([a, old.as_str()], [a, new.as_str()]), ([&old, a], [&new, a])] {
        let (code, report) = of_files(old, new);
        assert_eq!(code, Some(1), "{report}");
    }
}

/// A call of `h`, with a declaration that does not fit its definition in the old version.
fn with_declaration(declaration: &str, right: &str, definition: &str) -> String {
    let f = |declaration: &str| format!("{declaration}\nlong f(int x) {{ return h(x); }}\n");
    let (code, report) = of_files([&f(declaration), definition], [&f(right), definition]);
    assert_eq!(code, Some(3), "{report}");
    reasons(&report).to_string()
}

#[test]
fn a_declaration_that_does_not_fit_the_definition_is_a_gap() {
    let definition = "int h(int x) { return x; }\n";
    for wrong in ["char h(int);", "unsigned h(int);", "int h(char);", "double h(int);", "int h(int, ...);"] {
        let reasons = with_declaration(wrong, "int h(int);", definition);
        assert!(reasons.contains("another file defines with another type"), "{wrong}: {reasons}");
    }
    // Without a declaration the result is an `int`.
    let definition = "long h(int x) { return (long)x << 20; }\n";
    let reasons = with_declaration("", "long h(int);", definition);
    assert!(reasons.contains("another file defines with another type"), "{reasons}");
}

#[test]
fn a_function_without_a_prototype_is_called_where_the_arguments_fit() {
    let definition = "int h(int x) { return x; }\n";
    for declaration in ["int h();", ""] {
        let f = |body: &str| format!("{declaration}\nint f(int x, long y) {{ return {body}; }}\n");
        let (code, report) = of_files([&f("h(x)"), definition], [&f("x"), definition]);
        assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"; 2]), "{report}");
        let (code, report) = of_files([&f("h(y)"), definition], [&f("(int)y"), definition]);
        assert_eq!(code, Some(3), "{report}");
    }
}

#[test]
fn a_variable_that_files_declare_with_different_types_is_a_gap() {
    let definition = "int v[4];\nvoid s(int x) { v[0] = x; }\n";
    let f = |declaration: &str| format!("extern {declaration};\nint f(void) {{ return v[0]; }}\n");
    let (code, report) = of_files([&f("int *v"), definition], [&f("int v[4]"), definition]);
    assert_eq!(code, Some(3), "{report}");
    assert!(reasons(&report).contains("which files declare with different types"), "{report}");
    let (code, report) = of_files([&f("int v[]"), definition], [&f("int v[4]"), definition]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"; 2]), "{report}");
}

#[test]
fn a_variable_that_only_one_file_takes_for_constant_may_change() {
    let b = "int v;\nvoid s(int x) { v = x; }\n";
    let a = |body: &str| {
        format!("extern const int v;\nvoid s(int);\nint f(void) {{ int a = v; s(3); return {body}; }}\n")
    };
    let (code, report) = of_files([&a("a == v"), b], [&a("1"), b]);
    assert_eq!(code, Some(1), "{report}");
}

#[test]
fn files_that_define_the_same_function_belong_to_several_programs() {
    let main = |text: &str| format!("#include <stdio.h>\nint main(void) {{ puts(\"{text}\"); return 0; }}\n");
    let (code, report) = of_files([&main("a"), &main("b")], [&main("x"), &main("b")]);
    assert_eq!((code, verdicts(&report)), (Some(1), vec!["different", "equivalent"]), "{report}");
    let (code, report) = of_files([&main("a"), &main("b")], [&main("a"), &main("b")]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"; 2]), "{report}");
}

#[test]
fn variables_of_several_programs_are_apart() {
    let of = |value: i32, name: &str| format!("const int v = {value};\nint {name}(void) {{ return v; }}\n");
    let (code, report) = of_files([&of(1, "f"), &of(2, "g")], [&of(3, "f"), &of(2, "g")]);
    assert_eq!((code, verdicts(&report)), (Some(1), vec!["different", "equivalent"]), "{report}");
}

#[test]
fn static_functions_of_files_with_the_same_name_are_apart() {
    let place = Workplace::new();
    for (side, changed) in [("old", 2), ("new", 7)] {
        for (folder, constant) in [("x", 1), ("y", changed), ("z", 3)] {
            let text = format!(
                "static int h(int n) {{ return n + {constant}; }}\nint {folder}(int n) {{ return h(n); }}\n"
            );
            place.write(&format!("{side}/{folder}/u.c"), text);
        }
    }
    let (code, report) = place.json(&["old", "new"]);
    let expected = vec!["equivalent", "equivalent", "different", "different", "equivalent", "equivalent"];
    assert_eq!((code, verdicts(&report)), (Some(1), expected), "{report}");
}

#[test]
fn a_function_that_moves_to_another_file_uses_the_variables_of_that_file() {
    let (own, f) = ("static int k = 1;\n", "int f(void) { return k; }\n");
    let a = format!("{own}void set(int x) {{ k = x; }}\n");
    let b = format!("{own}int h(void) {{ return k; }}\n");
    let (code, report) = of_files([&format!("{a}{f}"), &b], [&a, &format!("{b}{f}")]);
    assert_ne!(code, Some(0), "{report}");
}

#[test]
fn variables_of_two_files_are_not_one_after_the_files_were_merged() {
    let own = "static int n;\nint *NAME(void) { return &n; }\n";
    let f = "int *second(void);\nint f(void) { *second() = 1; n = 2; return *second(); }\n";
    let [first, second] = ["first", "second"].map(|name| own.replace("NAME", name));
    let merged = format!("{first}int *second(void) {{ return &n; }}\n{f}");
    let (code, report) = of_files([&format!("{first}{f}"), &second], [&merged, "int unused;\n"]);
    assert_eq!(code, Some(1), "{report}");
}
