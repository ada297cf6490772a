//! The table entries that procedures use, with those that these entries use in turn.

use std::collections::BTreeSet;

use crate::{
    CatchKind, Cells, Const, ErrorId, Expr, GlobalId, LocalId, ProcId, Procedure, Program, RegionId, ShapeId,
    StaticId, StmtKind, Target, Type, assigned_locals, for_each_expr, for_each_stmt,
};

#[derive(Default)]
pub(super) struct Uses {
    pub(super) globals: BTreeSet<GlobalId>,
    pub(super) regions: BTreeSet<RegionId>,
    pub(super) shapes: BTreeSet<ShapeId>,
    pub(super) statics: BTreeSet<StaticId>,
    pub(super) errors: BTreeSet<ErrorId>,
}

/// What some procedures use.
pub(super) fn uses(program: &Program, procedures: &[ProcId]) -> Uses {
    let mut collector = Collector { program, uses: Uses::default() };
    for id in procedures {
        collector.procedure(*id);
    }
    collector.uses
}

/// The parameters, and the locals that the body reads or assigns.
fn used_locals(procedure: &Procedure) -> BTreeSet<LocalId> {
    let mut used: BTreeSet<LocalId> = (0..procedure.params).map(LocalId::from_index).collect();
    if let Some(body) = &procedure.body {
        for_each_expr(body, &mut |expr| {
            if let Expr::Local(local) = expr {
                used.insert(*local);
            }
        });
        for_each_stmt(body, &mut |stmt| used.extend(assigned_locals(&stmt.kind)));
    }
    used
}

struct Collector<'a> {
    program: &'a Program,
    uses: Uses,
}

impl Collector<'_> {
    fn procedure(&mut self, id: ProcId) {
        let procedure = self.program.procedure(id);
        for local in used_locals(procedure) {
            self.ty(&procedure.local(local).ty);
        }
        procedure.result.iter().for_each(|ty| self.ty(ty));
        let Some(body) = &procedure.body else { return };
        for_each_expr(body, &mut |expr| match expr {
            Expr::Const(value) => self.constant(value),
            Expr::Global(global) => self.global(*global),
            Expr::Load { region, .. } => self.region(*region),
            Expr::HasShape { shapes, .. } => shapes.iter().for_each(|shape| self.shape(*shape)),
            _ => {}
        });
        for_each_stmt(body, &mut |stmt| match &stmt.kind {
            StmtKind::AssignGlobal { global, .. } => self.global(*global),
            StmtKind::Store { region, .. } => self.region(*region),
            StmtKind::New { shape, .. } => self.shape(*shape),
            StmtKind::Throw { error, .. }
            | StmtKind::Check { error, .. }
            | StmtKind::Assert { error, .. } => {
                self.uses.errors.insert(*error);
            }
            StmtKind::Try { catches, .. } => {
                for catch in catches {
                    if let CatchKind::Errors(errors) = &catch.kind {
                        self.uses.errors.extend(errors);
                    }
                }
            }
            _ => {}
        });
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Ref(Target::Shape(shape)) => self.shape(*shape),
            Type::Record(fields) => fields.iter().for_each(|field| self.ty(field)),
            Type::Map(key, value) => {
                self.ty(key);
                self.ty(value);
            }
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text | Type::Ref(Target::Any) => {}
        }
    }

    fn constant(&mut self, value: &Const) {
        match value {
            Const::Static(id) => self.static_object(*id),
            Const::Record(fields) => fields.iter().for_each(|field| self.constant(field)),
            Const::Map(key, value) => {
                self.ty(key);
                self.constant(value);
            }
            Const::Bool(_)
            | Const::Int(..)
            | Const::F32(_)
            | Const::F64(_)
            | Const::Text(_)
            | Const::NullText
            | Const::Null => {}
        }
    }

    fn global(&mut self, id: GlobalId) {
        if self.uses.globals.insert(id) {
            let global = self.program.global(id);
            self.ty(&global.ty);
            self.constant(&global.initial);
        }
    }

    fn region(&mut self, id: RegionId) {
        if self.uses.regions.insert(id) {
            self.ty(&self.program.region(id).value);
        }
    }

    fn shape(&mut self, id: ShapeId) {
        if self.uses.shapes.insert(id) {
            let shape = self.program.shape(id);
            let (Cells::Fields(regions) | Cells::Indexed(regions)) = &shape.cells;
            regions.iter().for_each(|region| self.region(*region));
            shape.ancestors.iter().for_each(|ancestor| self.shape(*ancestor));
        }
    }

    fn static_object(&mut self, id: StaticId) {
        if self.uses.statics.insert(id) {
            let object = self.program.static_object(id);
            self.shape(object.shape);
            object.cells.iter().for_each(|cell| self.constant(cell));
        }
    }
}
