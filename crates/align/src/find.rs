//! Finds the procedures that a user means by a name.

use ir::{ProcId, Program};

/// The procedures with a body that a name may mean: the one with this full name, or else all that have it as their
/// short name, with or without the class before it. In the order of the program.
pub fn find_procedures(program: &Program, name: &str) -> Vec<ProcId> {
    let with_body = |id: &ProcId| program.procedure(*id).body.is_some();
    if let Some(id) = program.procedure_named(name).filter(with_body) {
        return vec![id];
    }
    let ids = (0..program.procedures.len()).map(ProcId::from_index);
    ids.filter(with_body).filter(|id| is_meant(program, *id, name)).collect()
}

fn is_meant(program: &Program, id: ProcId, name: &str) -> bool {
    let procedure = program.procedure(id);
    let Some(before) = name.strip_suffix(procedure.short_name.as_str()) else {
        return false;
    };
    match (before.strip_suffix('.'), procedure.class()) {
        // `Inner.f` may stand for `Outer.Inner.f` or `Outer$Inner.f`.
        (Some(given), Some(class)) => {
            let outer = class.strip_suffix(given);
            !given.is_empty() && outer.is_some_and(|it| it.is_empty() || it.ends_with(['.', '$']))
        }
        (Some(_), None) => false,
        (None, _) => before.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::read_program;

    fn found(name: &str) -> String {
        let program = read_program(
            "program java
            proc `A.f(int)` as f(x: i32) {}
            proc `A.f(long)` as f(x: i64) {}
            proc `Outer$A.f` as f() {}
            proc `B.g` as g() {}
            proc main() {}
            extern proc A.rand as rand()",
        )
        .unwrap();
        let names = find_procedures(&program, name).into_iter().map(|id| program.procedure(id).name.clone());
        names.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn full_names_come_first_then_short_ones() {
        assert_eq!(found("A.f(int)"), "A.f(int)");
        assert_eq!(found("f"), "A.f(int), A.f(long), Outer$A.f");
        assert_eq!(found("A.f"), "A.f(int), A.f(long), Outer$A.f");
        assert_eq!(found("Outer$A.f"), "Outer$A.f");
        assert_eq!(found("g"), "B.g");
        assert_eq!(found("main"), "main");
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        for name in ["", "h", "A.g", "BA.f", "rand", "A.rand", "A.f(double)", ".f", "uter$A.f"] {
            assert_eq!(found(name), "", "{name}");
        }
    }
}
