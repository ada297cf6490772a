//! The same pair of loops, many times: one after the other, or one in the other.
//!
//! Each loop of the old version adds `3 * i`, each loop of the new one a running value that grows by 3, so that every
//! loop needs a relation of its own between the two states.

use std::path::PathBuf;
use std::time::Duration;

use budget::{Budget, Kill, Steps};

use check::{CheckConfig, Checked, Strategy, Subject, check_pair};
use ir::Numbers;
use ir::{Pair, ProcId, Program, read_program};

/// How the loops of a pair lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    Sequential,
    Nested,
}

impl Layout {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Layout::Sequential => "sequential",
            Layout::Nested => "nested",
        }
    }

    /// The numbers of loops that are measured.
    pub(crate) fn sizes(self) -> &'static [usize] {
        match self {
            Layout::Sequential => &[1, 2, 4, 8, 12, 16, 23, 30],
            Layout::Nested => &[1, 2, 3, 4],
        }
    }
}

/// A pair with this many loops.
pub(crate) fn pair(layout: Layout, loops: usize) -> Pair<Program> {
    Pair::new(false, true).map(|is_new| {
        let text = program(layout, loops, is_new);
        read_program(&text).expect("the benchmark should be a program")
    })
}

fn program(layout: Layout, loops: usize, is_new: bool) -> String {
    let variables: String =
        (0..loops).map(|number| format!("  var i{number}: i32\n  var p{number}: i32\n")).collect();
    let body = match layout {
        Layout::Sequential => (0..loops).map(|number| one_loop(number, is_new, "")).collect(),
        Layout::Nested => {
            (0..loops).rev().fold(String::new(), |inner, number| one_loop(number, is_new, &inner))
        }
    };
    format!("program java\nproc f(n: i32) -> i32 {{\n  var s: i32\n{variables}{body}  return s\n}}\n")
}

fn one_loop(number: usize, is_new: bool, inner: &str) -> String {
    let (i, p, label) = (format!("i{number}"), format!("p{number}"), format!("L{number}"));
    let add = if is_new {
        format!("s = add.i32({p}, s) {p} = add.i32({p}, 3)")
    } else {
        format!("s = add.i32(s, mul.i32(3, {i}))")
    };
    let step = format!("{i} = add.i32({i}, 1)");
    format!(
        "{i} = 0 {p} = 0\nloop {label} {{ if le.i32(n, {i}) {{ break {label} }}\n{inner}{add} {step} }}\n"
    )
}

/// How a pair is checked with one strategy.
pub(crate) fn config(
    strategy: Strategy,
    numbers: Numbers,
    limit: Duration,
    solver: Option<PathBuf>,
) -> CheckConfig {
    CheckConfig {
        numbers,
        strategy,
        any_inputs: false,
        total: false,
        open_world: false,

        exceptions: check::Exceptions::Type,
        undefined: check::Undefined::Compared,
        bound: 5,
        deeper_bound: None,
        budget: Budget::new(Steps::of_milliseconds(limit.as_millis() as u64), Kill::never()),
        stop: check::StopFlag::default(),
        threads: check::Threads::ONE,
        solver,
        solver_memory_mb: 1024,
        keep_obligations: false,
        seed: 1,
    }
}

pub(crate) fn check(programs: &Pair<Program>, config: &CheckConfig) -> Checked {
    let subjects = programs.as_ref().map(|program| Subject::new(program, ProcId(0)));
    check_pair(subjects, config, &mut |_| {})
}
