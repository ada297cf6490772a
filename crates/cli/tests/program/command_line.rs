//! The command line by itself: versions, help, wrong usage.

use crate::support::Workplace;

#[test]
fn the_version_is_shown() {
    let ran = Workplace::new().run(&["--version"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.stdout, format!("selfsame {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_teaches_with_examples_and_exit_codes() {
    let ran = Workplace::new().run(&["check", "--help"]);
    assert_eq!(ran.code, Some(0));
    for part in ["Examples:", "--function mid --replay", "Exit codes:", "101  a bug of selfsame"] {
        assert!(ran.stdout.contains(part), "{part} is missing in\n{}", ran.stdout);
    }
    let short = Workplace::new().run(&["--help"]);
    assert!(short.stdout.contains("check") && !short.stdout.contains("worker"), "{}", short.stdout);
}

#[test]
fn wrong_usage_is_exit_code_2_and_says_what_is_possible() {
    let place = Workplace::new();
    let wrong: [(&[&str], &str); 7] = [
        (&["check"], "<OLD> <NEW>"),
        (&["chekc", "a", "b"], "check"),
        (&["check", "a.c", "b.c", "--numbers", "roman"], "machine, math"),
        (&["check", "a.c", "b.c", "--strategy", "magic"], "auto, identical, testing, naive"),
        (&["check", "a.c", "b.c", "--timeout", "0"], "above 0"),
        (&["check", "a.c", "b.c", "--timeout", "soon"], "not a number of seconds"),
        (&["check", "a.c", "b.c", "--dump", "everything"], "ir, alignment, terms, smt"),
    ];
    for (arguments, part) in wrong {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert_eq!(ran.stdout, "");
        assert!(ran.stderr.contains(part), "{arguments:?} should mention {part}:\n{}", ran.stderr);
    }
}

#[test]
fn a_solver_that_does_not_exist_is_a_wrong_usage() {
    let place = Workplace::new();
    place.write("a.c", "int f(void) { return 1; }");
    let ran = place.run(&["check", "a.c", "a.c", "--solver", "no/such/solver"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert_eq!(ran.stderr, "selfsame: there is no solver program at no/such/solver\n");
}
