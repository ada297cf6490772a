//! What a procedure may read, write and do, its callees included. Over-approximating: every run does at most this.

mod blocks;

use std::collections::BTreeSet;

use crate::{
    Const, ErrorId, Expr, GlobalId, ProcId, Program, RegionId, ShapeId, StaticId, Stmt, StmtKind, Stream,
    for_each_expr, for_each_stmt, is_recursive, reachable,
};
pub use blocks::BlockEffects;

/// What a procedure may do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Globals, the constant ones included.
    pub reads_globals: BTreeSet<GlobalId>,
    pub writes_globals: BTreeSet<GlobalId>,
    pub reads_regions: BTreeSet<RegionId>,
    pub writes_regions: BTreeSet<RegionId>,
    /// Lengths of objects, which only `free` changes.
    pub reads_lengths: bool,
    /// Shapes of objects.
    pub reads_shapes: bool,
    pub frees: bool,
    /// The static objects that it can get at without being given a reference: those it names, those that globals it
    /// reads start with, and those that these refer to.
    pub statics: BTreeSet<StaticId>,
    pub allocates: BTreeSet<ShapeId>,
    /// The procedures without a body that it may call.
    pub externals: BTreeSet<ProcId>,
    /// One of these depends on the state of the outside world, or changes it.
    pub calls_out: bool,
    /// The errors that it may raise, those that it catches itself included.
    pub raises: BTreeSet<ErrorId>,
    /// The streams that it writes to.
    pub prints: BTreeSet<Stream>,
    pub assumes: bool,
    /// It has code that a front end could not lower.
    pub unsupported: bool,
    pub loops: bool,
    /// Some procedure in it may call itself.
    pub recursive: bool,
}

impl Effects {
    /// Whether it gives the same result for the same arguments, changes nothing, and ends; it may still fail.
    pub fn is_pure(&self) -> bool {
        self.reads_globals.is_empty()
            && self.writes_globals.is_empty()
            && self.reads_regions.is_empty()
            && self.writes_regions.is_empty()
            && !self.reads_lengths
            && !self.reads_shapes
            && !self.frees
            && self.statics.is_empty()
            && self.allocates.is_empty()
            && !self.calls_out
            && self.prints.is_empty()
            && !self.assumes
            && !self.unsupported
            && !self.loops
            && !self.recursive
    }
}

/// What a procedure and all its callees may do.
pub fn effects(program: &Program, id: ProcId) -> Effects {
    let mut effects = Effects::default();
    let procedures = reachable(program, id);
    for procedure in &procedures {
        own_effects(program, *procedure, &mut effects);
    }
    effects.recursive = procedures.iter().any(|id| is_recursive(program, *id));
    close_statics(program, &mut effects);
    effects
}

/// What statements and all that they call may do.
pub fn block_effects(program: &Program, statements: &[Stmt]) -> Effects {
    BlockEffects::new(program).of(statements)
}

fn own_effects(program: &Program, id: ProcId, effects: &mut Effects) {
    match &program.procedure(id).body {
        Some(body) => add_effects(body, effects),
        None => external_effects(program, id, effects),
    }
}

/// Code that is not there may reach every object and, through code that it calls back, every global: a reference may
/// have been handed to it before the procedure started.
fn external_effects(program: &Program, id: ProcId, effects: &mut Effects) {
    let access = program.procedure(id).external.access;
    effects.externals.insert(id);
    effects.calls_out |= access.reads_world();
    let variable = |(_, global): &(usize, &crate::Global)| !global.constant && !global.fixed;
    let globals = || program.globals.iter().enumerate().filter(variable).map(|(index, _)| index);
    let regions = || (0..program.regions.len()).map(RegionId::from_index);
    if access.reads_memory() {
        effects.reads_globals.extend(globals().map(GlobalId::from_index));
        effects.reads_regions.extend(regions());
        effects.reads_lengths = true;
        effects.reads_shapes = true;
    }
    if access.writes_memory() {
        effects.writes_globals.extend(globals().map(GlobalId::from_index));
        effects.writes_regions.extend(regions());
    }
}

fn add_effects(body: &[Stmt], effects: &mut Effects) {
    for_each_expr(body, &mut |expr| match expr {
        Expr::Global(global) => {
            effects.reads_globals.insert(*global);
        }
        Expr::Load { region, .. } => {
            effects.reads_regions.insert(*region);
        }
        Expr::Length { .. } => effects.reads_lengths = true,
        Expr::HasShape { .. } => effects.reads_shapes = true,
        Expr::Const(value) => for_each_static(value, &mut |id| {
            effects.statics.insert(id);
        }),
        _ => {}
    });
    for_each_stmt(body, &mut |stmt| match &stmt.kind {
        StmtKind::AssignGlobal { global, .. } => {
            effects.writes_globals.insert(*global);
        }
        StmtKind::Store { region, .. } => {
            effects.writes_regions.insert(*region);
        }
        StmtKind::New { shape, .. } => {
            effects.allocates.insert(*shape);
        }
        StmtKind::Free { .. } => effects.frees = true,
        StmtKind::Loop { .. } => effects.loops = true,
        StmtKind::Throw { error, .. } | StmtKind::Check { error, .. } | StmtKind::Assert { error, .. } => {
            effects.raises.insert(*error);
        }
        StmtKind::Assume { .. } => effects.assumes = true,
        StmtKind::Print { stream, .. } => {
            effects.prints.insert(*stream);
        }
        StmtKind::Unsupported { .. } => effects.unsupported = true,
        StmtKind::Assign { .. }
        | StmtKind::If { .. }
        | StmtKind::Scope { .. }
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Call { .. }
        | StmtKind::Try { .. } => {}
    });
}

/// Adds the static objects that globals and other static objects refer to.
fn close_statics(program: &Program, effects: &mut Effects) {
    let mut open: Vec<StaticId> = effects.statics.iter().copied().collect();
    for global in &effects.reads_globals {
        for_each_static(&program.global(*global).initial, &mut |id| open.push(id));
    }
    effects.statics.clear();
    while let Some(id) = open.pop() {
        if effects.statics.insert(id) {
            for cell in &program.static_object(id).cells {
                for_each_static(cell, &mut |id| open.push(id));
            }
        }
    }
}

/// The static objects that a constant refers to.
pub fn for_each_static(value: &Const, visit: &mut dyn FnMut(StaticId)) {
    value.for_each(&mut |value| {
        if let Const::Static(id) = value {
            visit(*id);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_program;

    const TEXT: &str = "program c
        error E
        region x: i32
        region next: ref any
        region i32: i64 -> i32
        shape S: fields(x, next)
        shape A: indexed(i32)
        global g: i32 = 0
        global h: ref any = &a
        static a: S = {1, &b}
        static b: S = {2, null}
        static c: S = {3, null}
        proc main() { call reads() call writes() }
        proc reads() -> i32 {
          var p: ref any var n: i64
          p = h
          n = length.i64(p)
          p = load next(&c)
          loop L0 { return add.i32(g, load x(p)) }
        }
        proc writes() {
          var p: ref any
          g = 5
          p = new A(4)
          store i32(p, 0) = 3
          check false else E
          free p
          print \"x\"
          print_error \"x\"
          call rand()
          assume true
          unsupported \"x\"
        }
        proc pure(x: i32) -> i32 { check ne.i32(x, 0) else E return div.i32(1, x) }
        proc endless() { call endless() }
        extern world proc rand()";

    #[test]
    fn effects_are_those_of_all_callees() {
        let program = read_program(TEXT).unwrap();
        let expected = Effects {
            reads_globals: [GlobalId(0), GlobalId(1)].into(),
            writes_globals: [GlobalId(0)].into(),
            reads_regions: [RegionId(0), RegionId(1)].into(),
            writes_regions: [RegionId(2)].into(),
            reads_lengths: true,
            reads_shapes: false,
            frees: true,
            statics: [StaticId(0), StaticId(1), StaticId(2)].into(),
            allocates: [ShapeId(1)].into(),
            externals: [ProcId(5)].into(),
            calls_out: true,
            raises: [ErrorId(0)].into(),
            prints: [Stream::Output, Stream::Error].into(),
            assumes: true,
            unsupported: true,
            loops: true,
            recursive: false,
        };
        assert_eq!(effects(&program, ProcId(0)), expected);
        let body = program.procedure(ProcId(0)).body.as_ref().unwrap();
        let mut blocks = BlockEffects::new(&program);
        assert_eq!(blocks.of(body), expected);
        // The second time it knows what the callees do.
        assert_eq!(blocks.of(body), expected);
        assert_eq!(blocks.of(&body[..1]), effects(&program, ProcId(1)));
    }

    #[test]
    fn a_pure_procedure_may_fail_but_not_run_forever() {
        let program = read_program(TEXT).unwrap();
        assert!(effects(&program, ProcId(3)).is_pure());
        assert!(!effects(&program, ProcId(1)).is_pure());
        assert!(!effects(&program, ProcId(4)).is_pure());
    }
}
