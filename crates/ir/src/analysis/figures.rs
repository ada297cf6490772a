//! Figures about procedures with their callees: the constants in them, and how large they are.

use std::collections::BTreeSet;

use crate::{Const, Expr, ProcId, Program, StmtKind, effects, for_each_expr, for_each_stmt, reachable};

/// The constants that a procedure, its callees, the constant globals they read and the static objects they can get at
/// contain: sorted, each once. They make good inputs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Constants {
    pub integers: Vec<i128>,
    /// Not NaN. Those of type `f32` too.
    pub floats: Vec<f64>,
    pub texts: Vec<Vec<u16>>,
}

/// The constants of a procedure with all that it uses.
pub fn constants(program: &Program, id: ProcId) -> Constants {
    let mut collector = Collector::default();
    for procedure in reachable(program, id) {
        if let Some(body) = &program.procedure(procedure).body {
            for_each_expr(body, &mut |expr| {
                if let Expr::Const(value) = expr {
                    collector.add(value);
                }
            });
        }
    }
    let effects = effects(program, id);
    for global in &effects.reads_globals {
        collector.add(&program.global(*global).initial);
    }
    for object in &effects.statics {
        program.static_object(*object).cells.iter().for_each(|cell| collector.add(cell));
    }
    collector.finish()
}

#[derive(Default)]
struct Collector {
    integers: BTreeSet<i128>,
    floats: Vec<f64>,
    texts: BTreeSet<Vec<u16>>,
}

impl Collector {
    fn add(&mut self, value: &Const) {
        value.for_each(&mut |value| match value {
            Const::Int(_, value) => self.integers.extend([*value]),
            Const::F32(bits) => self.floats.push(f32::from_bits(*bits).into()),
            Const::F64(bits) => self.floats.push(f64::from_bits(*bits)),
            Const::Text(units) => self.texts.extend([units.clone()]),
            Const::Bool(_) | Const::NullText | Const::Null | Const::Static(_) => {}
            Const::Record(_) | Const::Map(..) => {}
        });
    }

    fn finish(mut self) -> Constants {
        self.floats.retain(|float| !float.is_nan());
        self.floats.sort_by(f64::total_cmp);
        self.floats.dedup_by_key(|float| float.to_bits());
        Constants {
            integers: self.integers.into_iter().collect(),
            floats: self.floats,
            texts: self.texts.into_iter().collect(),
        }
    }
}

/// How large a procedure with its callees is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    pub procedures: usize,
    pub statements: usize,
    /// Expressions that compute something: not constants and variables.
    pub operations: usize,
    pub loops: usize,
    pub calls: usize,
}

pub fn size(program: &Program, id: ProcId) -> Size {
    let procedures = reachable(program, id);
    let mut size = Size { procedures: procedures.len(), ..Size::default() };
    for body in procedures.iter().filter_map(|id| program.procedure(*id).body.as_ref()) {
        for_each_stmt(body, &mut |stmt| {
            size.statements += 1;
            size.loops += usize::from(matches!(stmt.kind, StmtKind::Loop { .. }));
            size.calls += usize::from(matches!(stmt.kind, StmtKind::Call { .. }));
        });
        for_each_expr(body, &mut |expr| {
            size.operations +=
                usize::from(!matches!(expr, Expr::Const(_) | Expr::Local(_) | Expr::Global(_)));
        });
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_program;

    const TEXT: &str = "program c
        region i32: i64 -> i32
        shape A: indexed(i32)
        const global g: (i32, f32) = (7, 0.5)
        global unused: i32 = 99
        static a: A(2) = {100, 7}
        proc main(x: i32) {
          call helper(add.i32(x, -3))
          call helper(get.0(g))
        }
        proc helper(x: i32) {
          var p: ref any
          loop L0 { if lt.f64(nan, -0.0) { p = &a } }
          print \"b\"
          print \"a\"
          print \"b\"
          check lt.f64(0.0, inf) else E
        }
        error E";

    #[test]
    fn constants_are_sorted_and_there_once() {
        let program = read_program(TEXT).unwrap();
        let found = constants(&program, ProcId(0));
        assert_eq!(found.integers, [-3, 7, 100]);
        assert_eq!(format!("{:?}", found.floats), "[-0.0, 0.0, 0.5, inf]");
        assert_eq!(found.texts, [[97], [98]]);
    }

    #[test]
    fn the_size_counts_callees_once() {
        let program = read_program(TEXT).unwrap();
        let expected = Size { procedures: 2, statements: 9, operations: 4, loops: 1, calls: 2 };
        assert_eq!(size(&program, ProcId(0)), expected);
    }
}
