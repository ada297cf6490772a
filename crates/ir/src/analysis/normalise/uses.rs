//! The table entries that procedures use, with those that these entries use in turn.

use std::collections::BTreeSet;

use crate::{
    CatchKind, Cells, Const, ErrorId, Expr, GlobalId, LocalId, ProcId, Procedure, Program, RegionId, ShapeId,
    Slot, StaticId, Target, Type, assigned_locals, for_each_expr, for_each_slot, for_each_slot_of_expr,
    for_each_stmt,
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
        for_each_expr(body, &mut |expr| for_each_slot_of_expr(expr, &mut |slot| self.slot(slot)));
        for_each_stmt(body, &mut |stmt| for_each_slot(&stmt.kind, &mut |slot| self.slot(slot)));
    }

    fn slot(&mut self, slot: Slot<'_>) {
        match slot {
            Slot::Const(value) => self.constant(value),
            Slot::Global(global) => self.global(*global),
            Slot::Region(region) => self.region(*region),
            Slot::Shape(shape) => self.shape(*shape),
            Slot::Shapes(shapes) => shapes.iter().for_each(|shape| self.shape(*shape)),
            Slot::Error(error) => self.uses.errors.extend([*error]),
            Slot::Catch(CatchKind::Errors(errors)) => self.uses.errors.extend(errors),
            Slot::Catch(CatchKind::Any) => {}
            // Procedures are given, and the others are in no table.
            Slot::Expr(_) | Slot::Block(_) | Slot::Local(_) | Slot::Label(_) | Slot::Callee(_) => {}
            Slot::Length | Slot::Stream(_) => {}
        }
    }

    fn ty(&mut self, ty: &Type) {
        ty.for_each(&mut |ty| {
            if let Type::Ref(Target::Shape(shape)) = ty {
                self.shape(*shape);
            }
        });
    }

    fn constant(&mut self, value: &Const) {
        value.for_each(&mut |value| match value {
            Const::Static(id) => self.static_object(*id),
            Const::Map(key, _) => self.ty(key),
            _ => {}
        });
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
