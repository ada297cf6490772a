//! Fragments with all names taken out, so that two of them can be compared.
//!
//! Locals, labels and table entries are numbered in the order in which they first occur.

use std::collections::BTreeMap;
use std::hash::Hash;

use super::Fragment;
use crate::{
    CatchKind, Const, ErrorId, GlobalId, LabelId, LocalId, Pair, ProcId, Program, RegionId, ShapeId, SlotMut,
    Span, StaticId, Stmt, Target, Type, for_each_slot_mut, for_each_slot_of_expr_mut, for_each_stmt_mut,
    for_each_subexpr_mut, parts_mut,
};

/// A fragment with numbers for names, and what the numbers stand for.
pub(super) struct Canonical {
    pub(super) statements: Vec<Stmt>,
    pub(super) locals: Vec<LocalId>,
    pub(super) labels: Vec<LabelId>,
    pub(super) callees: Vec<ProcId>,
    local_types: Vec<Type>,
    globals: Vec<GlobalId>,
    regions: Vec<RegionId>,
    shapes: Vec<ShapeId>,
    statics: Vec<StaticId>,
    errors: Vec<ErrorId>,
}

/// Numbers things in the order in which they are first seen.
struct Numbering<T> {
    seen: Vec<T>,
    places: BTreeMap<T, usize>,
}

impl<T: Copy + Ord + Hash> Numbering<T> {
    fn new() -> Numbering<T> {
        Numbering { seen: Vec::new(), places: BTreeMap::new() }
    }

    fn place(&mut self, id: T) -> usize {
        *self.places.entry(id).or_insert_with(|| {
            self.seen.push(id);
            self.seen.len() - 1
        })
    }
}

struct Numberer {
    locals: Numbering<LocalId>,
    labels: Numbering<LabelId>,
    callees: Numbering<ProcId>,
    globals: Numbering<GlobalId>,
    regions: Numbering<RegionId>,
    shapes: Numbering<ShapeId>,
    statics: Numbering<StaticId>,
    errors: Numbering<ErrorId>,
}

pub(super) fn canonical(fragment: Fragment<'_>) -> Canonical {
    let mut numberer = Numberer {
        locals: Numbering::new(),
        labels: Numbering::new(),
        callees: Numbering::new(),
        globals: Numbering::new(),
        regions: Numbering::new(),
        shapes: Numbering::new(),
        statics: Numbering::new(),
        errors: Numbering::new(),
    };
    let mut statements = fragment.statements.to_vec();
    for_each_stmt_mut(&mut statements, &mut |stmt| {
        stmt.span = Span::NOWHERE;
        for_each_slot_mut(&mut stmt.kind, &mut |slot| numberer.slot(slot));
        for part in parts_mut(&mut stmt.kind) {
            for_each_subexpr_mut(part, &mut |expr| {
                for_each_slot_of_expr_mut(expr, &mut |slot| numberer.slot(slot));
            });
        }
    });
    let procedure = fragment.program.procedure(fragment.procedure);
    let local_types = numberer.locals.seen.iter().map(|local| procedure.local(*local).ty.clone()).collect();
    Canonical {
        statements,
        locals: numberer.locals.seen,
        labels: numberer.labels.seen,
        callees: numberer.callees.seen,
        local_types,
        globals: numberer.globals.seen,
        regions: numberer.regions.seen,
        shapes: numberer.shapes.seen,
        statics: numberer.statics.seen,
        errors: numberer.errors.seen,
    }
}

impl Numberer {
    fn slot(&mut self, slot: SlotMut<'_>) {
        match slot {
            SlotMut::Const(value) => self.constant(value),
            SlotMut::Local(local) => *local = LocalId::from_index(self.locals.place(*local)),
            SlotMut::Global(global) => *global = GlobalId::from_index(self.globals.place(*global)),
            SlotMut::Region(region) => *region = RegionId::from_index(self.regions.place(*region)),
            SlotMut::Shape(shape) => self.shape(shape),
            SlotMut::Shapes(shapes) => shapes.iter_mut().for_each(|shape| self.shape(shape)),
            SlotMut::Callee(callee) => *callee = ProcId::from_index(self.callees.place(*callee)),
            SlotMut::Label(label) => *label = LabelId::from_index(self.labels.place(*label)),
            SlotMut::Error(error) => self.error(error),
            SlotMut::Catch(CatchKind::Errors(errors)) => {
                errors.iter_mut().for_each(|error| self.error(error));
            }
            SlotMut::Catch(CatchKind::Any) | SlotMut::Length | SlotMut::Stream(_) => {}
            SlotMut::Expr(_) | SlotMut::Block(_) => {}
        }
    }

    fn constant(&mut self, value: &mut Const) {
        value.for_each_mut(&mut |value| match value {
            Const::Static(id) => *id = StaticId::from_index(self.statics.place(*id)),
            Const::Map(key, _) => key.for_each_mut(&mut |ty| {
                if let Type::Ref(Target::Shape(shape)) = ty {
                    self.shape(shape);
                }
            }),
            _ => {}
        });
    }

    fn shape(&mut self, shape: &mut ShapeId) {
        *shape = ShapeId::from_index(self.shapes.place(*shape));
    }

    fn error(&mut self, error: &mut ErrorId) {
        *error = ErrorId::from_index(self.errors.place(*error));
    }
}

/// Whether the same numbers stand for the same things in both versions.
pub(super) fn same_tables(programs: Pair<&Program>, pair: Pair<&Canonical>) -> bool {
    let Pair { old, new } = programs;
    same(&pair.old.local_types, &pair.new.local_types, |a, b| same_type((old, a), (new, b)))
        && same(&pair.old.globals, &pair.new.globals, |a, b| {
            let (a, b) = (old.global(*a), new.global(*b));
            a.name == b.name && same_type((old, &a.ty), (new, &b.ty))
        })
        && same(&pair.old.regions, &pair.new.regions, |a, b| {
            let (a, b) = (old.region(*a), new.region(*b));
            a.name == b.name && a.index == b.index && same_type((old, &a.value), (new, &b.value))
        })
        && same(&pair.old.shapes, &pair.new.shapes, |a, b| old.shape(*a).name == new.shape(*b).name)
        && same(&pair.old.errors, &pair.new.errors, |a, b| old.error(*a) == new.error(*b))
        && same(&pair.old.statics, &pair.new.statics, |a, b| same_static((old, *a), (new, *b)))
        && pair.old.callees.len() == pair.new.callees.len()
}

fn same<T>(old: &[T], new: &[T], mut same: impl FnMut(&T, &T) -> bool) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(a, b)| same(a, b))
}

/// Types that name the same shapes.
fn same_type((old, a): (&Program, &Type), (new, b): (&Program, &Type)) -> bool {
    match (a, b) {
        (Type::Ref(Target::Shape(a)), Type::Ref(Target::Shape(b))) => {
            old.shape(*a).name == new.shape(*b).name
        }
        (Type::Record(a), Type::Record(b)) => same(a, b, |a, b| same_type((old, a), (new, b))),
        (Type::Map(key, value), Type::Map(other_key, other_value)) => {
            same_type((old, key), (new, other_key)) && same_type((old, value), (new, other_value))
        }
        (Type::Ref(Target::Shape(_)) | Type::Record(_) | Type::Map(..), _) => false,
        (a, b) => a == b,
    }
}

/// Static objects that are one object for both versions: the same name, and cells without references.
fn same_static((old, a): (&Program, StaticId), (new, b): (&Program, StaticId)) -> bool {
    let (a, b) = (old.static_object(a), new.static_object(b));
    let plain = |value: &Const| !matches!(value, Const::Static(_) | Const::Record(_) | Const::Map(..));
    a.name == b.name
        && old.shape(a.shape).name == new.shape(b.shape).name
        && a.length == b.length
        && a.constant == b.constant
        && a.cells == b.cells
        && a.cells.iter().all(plain)
}
