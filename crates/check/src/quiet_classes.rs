//! Classes that nobody notices being initialised.
//!
//! ```text
//! class K { static int n = 10; static int h = 100 / n; }        using K cannot fail: a run shows it
//! ```
//!
//! A front end that cannot say whether a static initialiser ends normally makes each use of the class unsupported. An
//! initialiser has no inputs, so that one run decides. Exact: only a run counts that ends, writes and calls nothing
//! outside of its class, and is the same on every machine. Where a run cannot decide, and nothing speaks against the
//! initialiser, an assumption says that it ended.

use std::collections::BTreeSet;

use interp::{Ending, Input, Limits, Machine};
use ir::{Block, ClassUse, Numbers, ProcId, Program, Stmt, StmtKind, blocks_mut};

use crate::start_values::{initialisers, is_about_others};

/// Supports the uses of classes whose initialisers are quiet, by a run or by an assumption.
pub fn support_quiet_classes(program: &mut Program, numbers: Numbers) {
    support_proved(program, numbers);
    assume_undecided(program, numbers);
    // What these classes kept from a run can be run now.
    support_proved(program, numbers);
}

/// Supports what a run shows. Some initialisers can be run once others are quiet.
fn support_proved(program: &mut Program, numbers: Numbers) {
    loop {
        let used = unsupported(program);
        let open: Vec<(String, ProcId)> = initialisers(program)
            .into_iter()
            .filter(|(class, _)| used.iter().any(|used| used.class() == class))
            .collect();
        let machine = Machine::new(program, numbers);
        let is_quiet = |class: &str, initialiser: ProcId| {
            let run = machine.run(initialiser, &Input::default(), &Limits::USUAL);
            matches!(run.ending, Ending::Returned(_))
                && !run.inexact
                && run.invented.is_none()
                && run.external_calls.is_empty()
                && run.written.iter().all(Vec::is_empty)
                && !is_about_others(program, initialiser, class)
        };
        let quiet: BTreeSet<ClassUse> = open
            .into_iter()
            .filter(|(class, initialiser)| is_quiet(class, *initialiser))
            .flat_map(|(class, _)| [ClassUse::Noticed(class.clone()), ClassUse::Unsure(class)])
            .collect();
        if quiet.is_empty() {
            return;
        }
        for procedure in &mut program.procedures {
            procedure.body.iter_mut().for_each(|body| remove(body, &quiet));
        }
    }
}

/// Takes for granted what no run shows to fail.
fn assume_undecided(program: &mut Program, numbers: Numbers) {
    let used = unsupported(program);
    let initialisers = initialisers(program);
    let machine = Machine::new(program, numbers);
    let fails = |initialiser: ProcId| {
        let run = machine.run(initialiser, &Input::default(), &Limits::USUAL);
        // What was made up may be impossible, and so may be what follows from it.
        matches!(run.ending, Ending::Failed { .. }) && run.invented.is_none() && run.external_calls.is_empty()
    };
    let is_undecided = |used: &ClassUse| match used {
        ClassUse::Unsure(class) => !initialisers.get(class).is_some_and(|initialiser| fails(*initialiser)),
        ClassUse::Noticed(_) => false,
    };
    let undecided: Vec<ClassUse> = used.into_iter().filter(is_undecided).collect();
    for unsure in undecided {
        let class = unsure.class();
        let assumption =
            format!("the class `{class}` is initialised before, and its initialiser ended normally");
        let what = BTreeSet::from([unsure]);
        for procedure in &mut program.procedures {
            let Some(body) = &mut procedure.body else { continue };
            let mut is_used = false;
            ir::for_each_stmt(body, &mut |stmt| {
                is_used |= class_use(stmt).is_some_and(|used| what.contains(&used));
            });
            if is_used {
                remove(body, &what);
                if !procedure.assumptions.contains(&assumption) {
                    procedure.assumptions.push(assumption.clone());
                }
            }
        }
    }
}

/// The uses that are not decided yet, of the whole program.
fn unsupported(program: &Program) -> BTreeSet<ClassUse> {
    let mut found = BTreeSet::new();
    for body in program.procedures.iter().filter_map(|procedure| procedure.body.as_ref()) {
        ir::for_each_stmt(body, &mut |stmt| found.extend(class_use(stmt)));
    }
    found
}

fn class_use(stmt: &Stmt) -> Option<ClassUse> {
    match &stmt.kind {
        StmtKind::Unsupported { what } => ClassUse::read(what),
        _ => None,
    }
}

fn remove(block: &mut Block, quiet: &BTreeSet<ClassUse>) {
    block.retain(|stmt| !class_use(stmt).is_some_and(|used| quiet.contains(&used)));
    for stmt in block {
        blocks_mut(&mut stmt.kind).into_iter().for_each(|inner| remove(inner, quiet));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses_after(initialiser: &str) -> bool {
        let text = format!(
            "program java\nglobal K.h: i32 = 0\nglobal L.h: i32 = 0\nerror ArithmeticException\n\
             proc `K.<clinit>` as `<clinit>`() {{ {initialiser} }}\n\
             proc A.f as f() -> i32 {{ unsupported \"the moment at which the class `K` is initialised\"  return K.h }}"
        );
        let mut program = ir::read_program(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        support_quiet_classes(&mut program, Numbers::Machine);
        unsupported(&program).contains(&ClassUse::Noticed("K".to_owned()))
    }

    #[test]
    fn what_no_run_decides_is_taken_for_granted() {
        let text = |initialiser: &str| {
            format!(
                "program java\nglobal K.h: i32 = 0\nerror ArithmeticException\n\
                 proc `K.<clinit>` as `<clinit>`() {{ {initialiser} }}\n\
                 proc A.f as f() -> i32 {{ unsupported \"whether the class `K` is initialised normally\"  return K.h }}"
            )
        };
        let assumed = |initialiser: &str| {
            let mut program = ir::read_program(&text(initialiser)).unwrap();
            support_quiet_classes(&mut program, Numbers::Machine);
            let id = program.procedure_named("A.f").unwrap();
            (
                program.procedure(id).assumptions.len(),
                unsupported(&program).contains(&ClassUse::Unsure("K".to_owned())),
            )
        };
        assert_eq!(assumed("K.h = 4"), (0, false));
        assert_eq!(assumed("unsupported \"something\""), (1, false));
        assert_eq!(assumed("check eq.i32(1, 2) else ArithmeticException"), (0, true));
    }

    #[test]
    fn a_run_that_ends_and_stays_inside_is_quiet() {
        assert!(!uses_after("K.h = 4"));
    }

    #[test]
    fn a_run_that_writes_elsewhere_or_does_not_end_is_not() {
        assert!(uses_after("L.h = 4"));
        assert!(uses_after("check eq.i32(1, 2) else ArithmeticException"));
        assert!(uses_after("unsupported \"something\""));
    }
}
