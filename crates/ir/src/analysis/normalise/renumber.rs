//! Builds the normal form: copies what is used, with new ids.

use std::collections::HashMap;
use std::hash::Hash;

use super::uses::uses;
use crate::{
    Block, CatchKind, Cells, Const, ErrorId, Global, GlobalId, LabelId, Local, LocalId, ProcId, Procedure,
    Program, Region, RegionId, Shape, ShapeId, SlotMut, Span, StaticId, StaticObject, Target, Type,
    for_each_label_mut, for_each_local_mut, for_each_slot_mut, for_each_slot_of_expr_mut, for_each_stmt_mut,
    for_each_subexpr_mut, reachable,
};

/// The normal form of a procedure, with globals, regions, shapes and static objects under other names.
pub(super) fn renumber(program: &Program, id: ProcId, rename: &dyn Fn(&str) -> String) -> Program {
    let procedures = reachable(program, id);
    let uses = uses(program, &procedures);
    let ids = Ids {
        procedures: numbered(&procedures, ProcId::from_index),
        globals: sorted(uses.globals, |id| rename(&program.global(*id).name), GlobalId::from_index),
        regions: sorted(uses.regions, |id| rename(&program.region(*id).name), RegionId::from_index),
        shapes: sorted(uses.shapes, |id| rename(&program.shape(*id).name), ShapeId::from_index),
        statics: sorted(uses.statics, |id| rename(&program.static_object(*id).name), StaticId::from_index),
        errors: sorted(uses.errors, |id| program.error(*id).to_owned(), ErrorId::from_index),
    };
    let mut normal = Program::new(program.language);
    for id in &ids.globals.order {
        let Global { name, ty, initial, constant, private, fixed } = program.global(*id);
        let (ty, initial) = (ids.ty(ty), ids.constant(initial));
        normal.globals.push(Global {
            name: rename(name),
            ty,
            initial,
            constant: *constant,
            private: *private,
            fixed: *fixed,
        });
    }
    for id in &ids.regions.order {
        let Region { name, index, value, private } = program.region(*id);
        normal.regions.push(Region {
            name: rename(name),
            index: *index,
            value: ids.ty(value),
            private: *private,
        });
    }
    for id in &ids.shapes.order {
        normal.shapes.push(ids.shape(program.shape(*id), rename));
    }
    for id in &ids.statics.order {
        let StaticObject { name, shape, length, cells, constant, private } = program.static_object(*id);
        let cells = cells.iter().map(|cell| ids.constant(cell)).collect();
        let (name, shape) = (rename(name), ids.shapes.id(*shape));
        normal.statics.push(StaticObject {
            name,
            shape,
            length: *length,
            cells,
            constant: *constant,
            private: *private,
        });
    }
    normal.errors = ids.errors.order.iter().map(|id| program.error(*id).to_owned()).collect();
    for (position, id) in ids.procedures.order.iter().enumerate() {
        normal.procedures.push(ids.procedure(program.procedure(*id), position));
    }
    normal
}

/// A part of a table: the old ids in their new order, and the other way round.
struct Numbering<Id> {
    order: Vec<Id>,
    ids: HashMap<Id, Id>,
}

impl<Id: Copy + Eq + Hash> Numbering<Id> {
    fn id(&self, old: Id) -> Id {
        self.ids[&old]
    }
}

fn numbered<Id: Copy + Eq + Hash>(order: &[Id], from_index: fn(usize) -> Id) -> Numbering<Id> {
    let ids = order.iter().enumerate().map(|(position, id)| (*id, from_index(position))).collect();
    Numbering { order: order.to_vec(), ids }
}

fn sorted<Id: Copy + Eq + Hash>(
    ids: impl IntoIterator<Item = Id>,
    name: impl Fn(&Id) -> String,
    from_index: fn(usize) -> Id,
) -> Numbering<Id> {
    let mut order: Vec<Id> = ids.into_iter().collect();
    order.sort_by_cached_key(name);
    numbered(&order, from_index)
}

/// The new ids of everything.
struct Ids {
    procedures: Numbering<ProcId>,
    globals: Numbering<GlobalId>,
    regions: Numbering<RegionId>,
    shapes: Numbering<ShapeId>,
    statics: Numbering<StaticId>,
    errors: Numbering<ErrorId>,
}

impl Ids {
    fn ty(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        ty.for_each_mut(&mut |ty| {
            if let Type::Ref(Target::Shape(shape)) = ty {
                *shape = self.shapes.id(*shape);
            }
        });
        ty
    }

    fn constant(&self, value: &Const) -> Const {
        let mut value = value.clone();
        value.for_each_mut(&mut |value| match value {
            Const::Static(id) => *id = self.statics.id(*id),
            Const::Map(key, _) => *key = self.ty(key),
            _ => {}
        });
        value
    }

    fn shape(&self, shape: &Shape, rename: &dyn Fn(&str) -> String) -> Shape {
        let regions = |ids: &[RegionId]| ids.iter().map(|id| self.regions.id(*id)).collect();
        let cells = match &shape.cells {
            Cells::Fields(ids) => Cells::Fields(regions(ids)),
            Cells::Indexed(ids) => Cells::Indexed(regions(ids)),
        };
        let mut ancestors = shape.ancestors.clone();
        renumber_set(&mut ancestors, &self.shapes);
        let mut layout = shape.layout.clone();
        layout.places.iter_mut().for_each(|(id, _)| *id = self.shapes.id(*id));
        layout.places.sort();
        let (is_abstract, closed) = (shape.is_abstract, shape.closed);
        Shape { name: rename(&shape.name), cells, ancestors, is_abstract, closed, layout }
    }

    fn procedure(&self, procedure: &Procedure, position: usize) -> Procedure {
        let mut body = procedure.body.clone();
        let mut names = LocalNames::of(procedure);
        if let Some(body) = &mut body {
            names.rename(body);
            self.body(body);
        }
        let local = |(new, old): (usize, &LocalId)| Local {
            name: format!("${new}"),
            ty: self.ty(&procedure.local(*old).ty),
        };
        // The name of an external procedure is what it is; the others are known by what they do.
        let name = if body.is_some() { format!("$proc{position}") } else { procedure.name.clone() };
        Procedure {
            short_name: name.clone(),
            name,
            params: procedure.params,
            locals: names.order.iter().enumerate().map(local).collect(),
            result: procedure.result.as_ref().map(|ty| self.ty(ty)),
            body,
            external: procedure.external,
            span: Span::NOWHERE,
            assumptions: Vec::new(),
        }
    }

    /// Gives the statements their new ids, but for locals and labels.
    fn body(&self, body: &mut Block) {
        for_each_stmt_mut(body, &mut |stmt| {
            stmt.span = Span::NOWHERE;
            for_each_slot_mut(&mut stmt.kind, &mut |slot| match slot {
                SlotMut::Expr(expr) => for_each_subexpr_mut(expr, &mut |expr| {
                    for_each_slot_of_expr_mut(expr, &mut |slot| self.slot(slot));
                }),
                slot => self.slot(slot),
            });
        });
    }

    fn slot(&self, slot: SlotMut<'_>) {
        match slot {
            SlotMut::Const(value) => *value = self.constant(value),
            SlotMut::Global(global) => *global = self.globals.id(*global),
            SlotMut::Region(region) => *region = self.regions.id(*region),
            SlotMut::Shape(shape) => *shape = self.shapes.id(*shape),
            SlotMut::Shapes(shapes) => renumber_set(shapes, &self.shapes),
            SlotMut::Callee(callee) => *callee = self.procedures.id(*callee),
            SlotMut::Error(error) => *error = self.errors.id(*error),
            SlotMut::Catch(CatchKind::Errors(errors)) => renumber_set(errors, &self.errors),
            SlotMut::Catch(CatchKind::Any) => {}
            SlotMut::Expr(_) | SlotMut::Block(_) | SlotMut::Local(_) | SlotMut::Label(_) => {}
            SlotMut::Length | SlotMut::Stream(_) => {}
        }
    }
}

/// New ids for a list whose order does not matter.
fn renumber_set<Id: Copy + Ord + Hash>(list: &mut Vec<Id>, ids: &Numbering<Id>) {
    list.iter_mut().for_each(|id| *id = ids.id(*id));
    list.sort();
    list.dedup();
}

/// The locals and labels of a procedure in the order of their first use; parameters first.
struct LocalNames {
    order: Vec<LocalId>,
    locals: HashMap<LocalId, LocalId>,
    labels: HashMap<LabelId, LabelId>,
}

impl LocalNames {
    fn of(procedure: &Procedure) -> LocalNames {
        let mut names = LocalNames { order: Vec::new(), locals: HashMap::new(), labels: HashMap::new() };
        for index in 0..procedure.params {
            names.local(&mut LocalId::from_index(index));
        }
        names
    }

    fn local(&mut self, id: &mut LocalId) {
        let next = LocalId::from_index(self.order.len());
        let order = &mut self.order;
        *id = *self.locals.entry(*id).or_insert_with_key(|old| {
            order.push(*old);
            next
        });
    }

    fn label(&mut self, id: &mut LabelId) {
        let next = LabelId::from_index(self.labels.len());
        *id = *self.labels.entry(*id).or_insert(next);
    }

    fn rename(&mut self, body: &mut Block) {
        for_each_local_mut(body, &mut |local| self.local(local));
        for_each_label_mut(body, &mut |label| self.label(label));
    }
}
