//! How long it takes to match files of 10,000 lines: many procedures, one huge one, and code that repeats itself.
//! Each should stay below a second. Run with `cargo bench -p benches`.

use std::hint::black_box;

use align::{align_statements, match_procedures};
use criterion::{Criterion, criterion_group, criterion_main};
use ir::{Pair, Program, read_program};

const LINES: usize = 10_000;
const VARIABLES: usize = 20;

fn read(text: &str) -> Program {
    read_program(&format!("program java\n{text}")).expect("the benchmark should be a program")
}

fn procedure(name: &str, body: &str) -> String {
    let variables: String = (0..VARIABLES).map(|number| format!("  var v{number}: i32\n")).collect();
    format!("proc {name}(a: i32, b: i32) -> i32 {{\n{variables}{body}  return v0\n}}\n")
}

/// The n-th line of a procedure; all are a little different, and every tenth is a loop of four statements.
fn line(number: usize) -> String {
    let (x, y, z) = (number % VARIABLES, number * 7 % VARIABLES, number * 13 % VARIABLES);
    match number % 10 {
        0 => format!(
            "  loop L{number} {{ if lt.i32(v{x}, {number}) {{ break L{number} }} v{x} = sub.i32(v{x}, v{y}) }}\n"
        ),
        _ => format!("  v{x} = add.i32(mul.i32(v{y}, {}), sub.i32(v{z}, a))\n", number % 97),
    }
}

/// Leaves out every 50th line, changes every 40th, and puts a new one before every 70th.
fn changed(lines: impl Iterator<Item = usize>) -> String {
    let mut text = String::new();
    for number in lines {
        if number.is_multiple_of(50) {
            continue;
        }
        if number.is_multiple_of(70) {
            text += "  v0 = mul.i32(v0, v1)\n";
        }
        let line = line(number);
        text += &if number.is_multiple_of(40) { line.replace("v1", "v2") } else { line };
    }
    text
}

fn measure(criterion: &mut Criterion, name: &str, old: &str, new: &str) {
    let programs = Pair::new(old, new).map(read);
    criterion.bench_function(name, |bencher| {
        bencher.iter(|| {
            let matching = match_procedures(&programs.old, &programs.new);
            for pair in matching.pairs {
                black_box(align_statements(programs.as_ref().zip(pair)));
            }
        });
    });
}

fn files(criterion: &mut Criterion) {
    let many = |body: &dyn Fn(std::ops::Range<usize>) -> String| -> String {
        (0..LINES / 50).map(|it| procedure(&format!("f{it}"), &body(it * 50..it * 50 + 50))).collect()
    };
    let plain = |lines: std::ops::Range<usize>| lines.map(line).collect::<String>();
    measure(criterion, "200 procedures", &many(&plain), &many(&|lines| changed(lines)));
    let huge = procedure("f", &plain(0..LINES));
    measure(criterion, "one huge procedure", &huge, &procedure("f", &changed(0..LINES)));
    let backwards = procedure("f", &(0..LINES).rev().map(line).collect::<String>());
    measure(criterion, "one huge procedure backwards", &huge, &backwards);
    let other = procedure("f", &(LINES..2 * LINES).map(line).collect::<String>());
    measure(criterion, "one huge procedure against another", &huge, &other);
}

fn repetitive(criterion: &mut Criterion) {
    let count = "  v1 = add.i32(v1, 1)\n";
    let counts = procedure("f", &count.repeat(LINES));
    measure(criterion, "the same line again and again", &counts, &procedure("f", &count.repeat(LINES + 100)));
    let two: String =
        (0..LINES).map(|it| if it % 3 == 0 { "  v2 = add.i32(v2, 1)\n" } else { count }).collect();
    let other: String =
        (0..LINES).map(|it| if it * 7 % 11 < 4 { "  v2 = add.i32(v2, 1)\n" } else { count }).collect();
    measure(criterion, "two lines again and again", &procedure("f", &two), &procedure("f", &other));
    let renamed = counts.replace("v1", "w1");
    measure(criterion, "the same line with another variable", &counts, &renamed);
    let nested = |constant: usize| {
        let open = format!("if lt.i32(a, {constant}) {{ v1 = add.i32(v1, {constant})\n").repeat(400);
        procedure("f", &format!("{open}{}", "}".repeat(400)))
    };
    measure(criterion, "conditions 400 deep", &nested(1), &nested(2));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = files, repetitive
}
criterion_main!(benches);
