//! Finds the procedures that a user means by a name.

use ir::{ProcId, Procedure, Program};

/// The procedures with a body that a name may mean: the one with this full name, or else all that have it as their
/// short name, with or without the class before it. The class may have outer classes and the package in front. The name
/// of a class alone means its constructors. In the order of the program.
pub fn find_procedures(program: &Program, name: &str) -> Vec<ProcId> {
    let with_body = |id: &ProcId| program.procedure(*id).body.is_some();
    if let Some(id) = program.procedure_named(name).filter(with_body) {
        return vec![id];
    }
    let ids = (0..program.procedures.len()).map(ProcId::from_index);
    let found: Vec<ProcId> = ids.filter(with_body).filter(|id| is_meant(program, *id, name)).collect();
    // A class that has just this name is meant before those that end with it.
    let exact = found.iter().copied().filter(|id| is_exact(program, *id, name));
    let exact: Vec<ProcId> = exact.collect();
    if exact.is_empty() { found } else { exact }
}

fn is_meant(program: &Program, id: ProcId, name: &str) -> bool {
    let procedure = program.procedure(id);
    let class = procedure.class();
    if is_constructor(procedure) && class.is_some_and(|class| is_called(program, class, name)) {
        return true;
    }
    let (stem, parameters) = split_parameters(name);
    let Some(before) = stem.strip_suffix(procedure.short_name.as_str()) else {
        return false;
    };
    if !parameters.is_empty() && !procedure.name.ends_with(parameters) {
        return false;
    }
    match (before.strip_suffix('.'), class) {
        (Some(given), Some(class)) => is_called(program, class, given),
        (Some(_), None) => false,
        (None, _) => before.is_empty(),
    }
}

fn is_constructor(procedure: &Procedure) -> bool {
    procedure.short_name == "<init>"
}

/// `Inner` and `Outer.Inner` may stand for `a.Outer.Inner` or `Outer$Inner`.
fn is_called(program: &Program, class: &str, given: &str) -> bool {
    let full = program.full_names.get(class).map_or(class, String::as_str);
    let ends_with = |name: &str| {
        name.strip_suffix(given).is_some_and(|front| front.is_empty() || front.ends_with(['.', '$']))
    };
    !given.is_empty() && (ends_with(class) || ends_with(full))
}

/// Whether the class is given as the program calls it, or in full.
fn is_exact(program: &Program, id: ProcId, name: &str) -> bool {
    let procedure = program.procedure(id);
    let Some(class) = procedure.class() else { return false };
    let full = program.full_names.get(class).map_or(class, String::as_str);
    let (stem, _) = split_parameters(name);
    let given = stem.strip_suffix(procedure.short_name.as_str()).and_then(|it| it.strip_suffix('.'));
    let given = given.or(is_constructor(procedure).then_some(name));
    given.is_some_and(|given| given == class || given == full)
}

/// The name, and `(int,long)` if it has that.
fn split_parameters(name: &str) -> (&str, &str) {
    name.split_at(name.find('(').unwrap_or(name.len()))
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
            proc `B.<init>(int)` as `<init>`(x: i32) {}
            proc `B.<init>()` as `<init>`() {}
            proc `C.D.<init>` as `<init>`() {}
            proc main() {}
            extern proc A.rand as rand()",
        )
        .unwrap();
        let mut program = program;
        program.full_names.insert("B".to_owned(), "p.q.Outer.B".to_owned());
        let names = find_procedures(&program, name).into_iter().map(|id| program.procedure(id).name.clone());
        names.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn full_names_come_first_then_short_ones() {
        assert_eq!(found("A.f(int)"), "A.f(int)");
        assert_eq!(found("f"), "A.f(int), A.f(long), Outer$A.f");
        assert_eq!(found("A.f"), "A.f(int), A.f(long)");
        assert_eq!(found("Outer$A.f"), "Outer$A.f");
        assert_eq!(found("g"), "B.g");
        assert_eq!(found("main"), "main");
    }

    #[test]
    fn classes_may_be_given_in_full() {
        for name in ["B.g", "Outer.B.g", "q.Outer.B.g", "p.q.Outer.B.g"] {
            assert_eq!(found(name), "B.g", "{name}");
        }
        assert_eq!(found("p.q.Outer.B.<init>(int)"), "B.<init>(int)");
    }

    #[test]
    fn a_class_alone_means_its_constructors() {
        assert_eq!(found("B"), "B.<init>(int), B.<init>()");
        assert_eq!(found("Outer.B"), "B.<init>(int), B.<init>()");
        assert_eq!(found("D"), "C.D.<init>");
        assert_eq!(found("C.D"), "C.D.<init>");
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        for name in [
            "",
            "h",
            "A.g",
            "BA.f",
            "rand",
            "A.rand",
            "A.f(double)",
            ".f",
            "uter$A.f",
            "r.B.g",
            "x.q.Outer.B.g",
            "C",
        ] {
            assert_eq!(found(name), "", "{name}");
        }
    }
}
