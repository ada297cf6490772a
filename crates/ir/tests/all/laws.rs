//! Laws that hold for every program: what is printed reads back, what is generated is valid, junk is an error.

use std::collections::BTreeSet;

use arbitrary_ir::{Config, Random, program};
use ir::{
    Expr, Intrinsic, PrintOptions, Program, StmtKind, for_each_expr, for_each_stmt, print, print_with,
    read_program, type_of, validate,
};
use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};

fn configs() -> [Config; 2] {
    [Config::everything(), Config::integers()]
}

#[test]
fn generated_programs_are_valid() {
    for config in configs() {
        for seed in 0..2000 {
            let program = program(seed, &config);
            if let Err(faults) = validate(&program) {
                panic!("seed {seed}: {}\n{}", faults[0], print(&program));
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_program() {
    let config = Config::everything();
    for seed in 0..100 {
        assert_eq!(program(seed, &config), program(seed, &config));
        assert_ne!(program(seed, &config), program(seed + 1, &config));
    }
}

/// The names of what programs are made of: one for each variant of statements, expressions and intrinsics.
fn used(program: &Program, found: &mut BTreeSet<String>) {
    let variant = |debug: String| debug.split(['(', ' ', '{']).next().unwrap_or_default().to_owned();
    for body in program.procedures.iter().filter_map(|procedure| procedure.body.as_ref()) {
        for_each_stmt(body, &mut |stmt| {
            found.insert(format!("statement {}", variant(format!("{:?}", stmt.kind))));
        });
        for_each_expr(body, &mut |expr| {
            found.insert(format!("expression {}", variant(format!("{expr:?}"))));
            match expr {
                Expr::Intrinsic { function, .. } => found.insert(format!("{function:?}")),
                Expr::Unary { op, ty, .. } => found.insert(format!("{}.{}", op.name(), ty.name())),
                Expr::Binary { op, ty, .. } => found.insert(format!("{}.{}", op.name(), ty.name())),
                Expr::Convert { from, to, .. } => found.insert(format!("{} to {}", from.name(), to.name())),
                Expr::Const(value) => found.insert(format!("constant {}", variant(format!("{value:?}")))),
                _ => false,
            };
        });
    }
}

#[test]
fn generated_programs_use_all_of_the_language() {
    let mut found = BTreeSet::new();
    for seed in 0..3000 {
        used(&program(seed, &Config::everything()), &mut found);
    }
    let mut expected: BTreeSet<String> = BTreeSet::new();
    expected.extend(
        "Assign AssignGlobal Store New Free If Loop Scope Break Continue Return Call Throw Try Check Assert Assume \
         Print Unsupported"
            .split(' ')
            .map(|name| format!("statement {name}")),
    );
    expected.extend(
        "Const Local Global Unary Binary Convert If SameRef SameText SameMap Load Length HasShape Record Get Select \
         Update Overflows Fits Intrinsic"
            .split(' ')
            .map(|name| format!("expression {name}")),
    );
    expected.extend(
        "Bool Int F32 F64 Text NullText Null Static Record Map"
            .split(' ')
            .map(|name| format!("constant {name}")),
    );
    // No input says where its objects lie, nor what is in memory that was never written.
    let is_known = |function: &Intrinsic| {
        !matches!(function, Intrinsic::Before | Intrinsic::Given) && !function.is_unwritten()
    };
    let known = Intrinsic::all().into_iter().filter(is_known);
    expected.extend(known.map(|function| format!("{function:?}")));
    let missing: Vec<_> = expected.difference(&found).collect();
    assert!(missing.is_empty(), "{missing:?}");
    // 3 operators on one value, 14 on two, 11 scalar types: all that exist.
    let operators = found.iter().filter(|name| name.contains('.')).count();
    assert_eq!(operators, 1 + 10 + 8 + 5 * 10 + 3 * 9 + 2 * 8 + 2 * 11 + 2 * 10);
    let conversions = found.iter().filter(|name| name.contains(" to ")).count();
    assert_eq!(conversions, 10 * 10 + 8);
}

#[test]
fn the_type_of_an_expression_is_what_its_place_accepts() {
    for seed in 0..500 {
        let program = program(seed, &Config::everything());
        for procedure in &program.procedures {
            let Some(body) = &procedure.body else { continue };
            for_each_stmt(body, &mut |stmt| match &stmt.kind {
                StmtKind::Assign { local, value } => {
                    assert!(procedure.local(*local).ty.accepts(&type_of(value, procedure, &program)));
                }
                StmtKind::Return(Some(value)) => {
                    let result = procedure.result.as_ref().unwrap();
                    assert!(result.accepts(&type_of(value, procedure, &program)));
                }
                _ => {}
            });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_back(seed in any::<u64>()) {
        for config in configs() {
            let program = program(seed, &config);
            let text = print_with(&program, PrintOptions { spans: true });
            let read = read_program(&text);
            prop_assert_eq!(read.as_ref(), Ok(&program));
            prop_assert_eq!(print_with(&read.unwrap(), PrintOptions { spans: true }), text);
        }
    }

    #[test]
    fn without_spans_the_text_reads_back(seed in any::<u64>()) {
        let text = print(&program(seed, &Config::everything()));
        prop_assert_eq!(print(&read_program(&text).unwrap()), text);
    }

    #[test]
    fn junk_is_an_error_or_a_program(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let mut text = print_with(&program(seed, &Config::everything()), PrintOptions { spans: true });
        for _ in 0..1 + random.below(4) {
            mutate(&mut text, &mut random);
        }
        if let Ok(program) = read_program(&text) {
            // Whatever was read can be printed, read back and judged.
            let _ = validate(&program);
            let printed = print_with(&program, PrintOptions { spans: true });
            prop_assert_eq!(read_program(&printed), Ok(program));
        }
    }

    #[test]
    fn bytes_are_an_error_or_a_program(text in ".*") {
        let _ = read_program(&text);
        let _ = read_program(&format!("program c proc f() {{ {text}"));
    }
}

/// Deletes, doubles, moves or replaces a piece of a text.
fn mutate(text: &mut String, random: &mut Random) {
    let mut chars: Vec<char> = text.chars().collect();
    let from = random.below(chars.len());
    let to = (from + 1 + random.below(12)).min(chars.len());
    let piece: Vec<char> = chars[from..to].to_vec();
    match random.below(4) {
        0 => drop(chars.drain(from..to)),
        1 => drop(chars.splice(from..from, piece)),
        2 => {
            chars.drain(from..to);
            let place = random.below(chars.len() + 1);
            chars.splice(place..place, piece);
        }
        _ => {
            let junk = random.pick(&[
                "{",
                "}",
                "(",
                ")",
                "9999999999999",
                "`",
                "\"",
                "@",
                "-",
                " ",
                "é",
                "if",
                "-1",
                "*",
            ]);
            chars.splice(from..to, junk.chars());
        }
    }
    *text = chars.into_iter().collect();
}
