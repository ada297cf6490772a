//! What the members of structs of C that are passed by value are called.
//!
//! Front ends copy such a parameter to memory where the body begins: `s.2 = new struct S[](2); store i32(s.2, 0) = get.0(s)`.
//! Which part of the parameter is which member follows from that. Nothing rests on it being found.

use std::collections::BTreeMap;

use ir::{Const, Expr, LocalId, Procedure, Program, StmtKind};

/// What the cells of structs are called, by the names of their shapes.
pub type CellNames = BTreeMap<String, Vec<Option<String>>>;

/// Where in a parameter a member is, and its name with that of the parameter: `s.at`.
pub(crate) type Member = (Vec<usize>, String);

/// The members of a parameter that is a struct.
pub(crate) fn members(
    program: &Program,
    procedure: &Procedure,
    parameter: LocalId,
    names: &CellNames,
) -> Vec<Member> {
    let mut shapes = BTreeMap::new();
    let mut found: Vec<Member> = Vec::new();
    for stmt in procedure.body.as_deref().unwrap_or_default() {
        match &stmt.kind {
            StmtKind::New { local, shape, .. } => drop(shapes.insert(*local, *shape)),
            StmtKind::Store {
                object: Expr::Local(copy),
                index: Some(Expr::Const(Const::Int(_, cell))),
                value,
                ..
            } => {
                let (Some(path), Some(shape)) = (path(value, parameter), shapes.get(copy)) else { continue };
                let cells = names.get(&program.shape(*shape).name);
                let name = usize::try_from(*cell).ok().and_then(|at| cells?.get(at)?.clone());
                let of = &procedure.locals[parameter.index()].name;
                if let Some(name) = name.filter(|_| !found.iter().any(|(known, _)| *known == path)) {
                    found.push((path, format!("{of}.{name}")));
                }
            }
            _ => {}
        }
    }
    found
}

/// Which part of a parameter a value is, whatever type it is stored as.
fn path(value: &Expr, parameter: LocalId) -> Option<Vec<usize>> {
    if let Expr::Convert { arg, .. } = value {
        return path(arg, parameter);
    }
    let Expr::Get { record, index } = value else { return None };
    if **record == Expr::Local(parameter) {
        return Some(vec![*index as usize]);
    }
    let mut path = path(record, parameter)?;
    path.push(*index as usize);
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_called_what_the_struct_calls_them() {
        let program = ir::read_program(
            "program c
            region i32: i64 -> i32
            shape `struct S[]`: indexed(i32, i32)
            proc f(s: (i32, i32)) -> i32 {
              var s.2: ref `struct S[]`
              s.2 = new `struct S[]`(2)
              store i32(s.2, 0) = get.0(s)
              store i32(s.2, 1) = get.1(s)
              return load i32(s.2, 1)
            }",
        )
        .unwrap();
        let names = CellNames::from([("struct S[]".to_owned(), vec![Some("a".to_owned()), None])]);
        let found = members(&program, &program.procedures[0], LocalId::from_index(0), &names);
        assert_eq!(found, [(vec![0], "s.a".to_owned())]);
    }
}
