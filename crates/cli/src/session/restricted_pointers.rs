//! `restrict` of C: inputs whose pointers it promises to be apart.
//!
//! Where memory is changed that one `restrict` pointer leads to, using it through anything else is undefined. If both
//! versions declare the pointer so, such inputs are left out: what is taken for granted is that the pointers lead to
//! different objects, which is listed. The pointers are parameters, variables, and members of the structs that
//! parameters point to. Over-approximating in what is changed and used; memory that is only read may be shared. Parts of
//! one object may be used as well, which looks no different to code that does not compare pointers; code that does is
//! compared on all inputs.

mod broken;
mod uses;

use std::collections::BTreeSet;

use ir::{Cells, Const, Expr, Pair, ProcId, Program, RegionId, ShapeId, Target, Type};
use rewrite::{Other, Pointer};

pub(super) use broken::breaks_a_promise;
use uses::{Place, Uses};

/// Structs and objects with more cells than this are not looked into.
const MOST_CELLS: usize = 64;
/// More pointers than this are not kept apart from each other.
const MOST_PLACES: usize = 64;

/// A procedure with its program, and what the front end knows of it.
#[derive(Clone, Copy)]
struct Version<'a> {
    program: &'a Program,
    id: ProcId,
    views: &'a frontend_c::Views,
}

/// The programs in which a pair is restricted to such inputs, and what that takes for granted, if it has such pointers.
pub(super) fn restricted(
    programs: &Pair<Program>,
    procedures: Pair<ProcId>,
    views: Pair<&frontend_c::Views>,
) -> Option<(Pair<Program>, String)> {
    let versions = Pair::new(
        Version { program: &programs.old, id: procedures.old, views: views.old },
        Version { program: &programs.new, id: procedures.new, views: views.new },
    );
    let Pair { old, new } = versions;
    let shared: Vec<Place> = old.places().intersection(&new.places()).cloned().collect();
    let is_promised = |place: &&Place| old.is_restricted(place) && new.is_restricted(place);
    let promised: Vec<&Place> = shared.iter().filter(is_promised).collect();
    let compares = || {
        compares_pointers(&programs.old, procedures.old) || compares_pointers(&programs.new, procedures.new)
    };
    if promised.is_empty() || shared.len() > MOST_PLACES || compares() {
        return None;
    }
    let mut uses = versions.map(|version| Uses::new(version.program));
    let mut used = |place: &Place| {
        let (old, new) = (uses.old.of(procedures.old, place), uses.new.of(procedures.new, place));
        (old.0 || new.0, old.1 || new.1)
    };
    let used: Vec<(bool, bool)> = shared.iter().map(&mut used).collect();
    let used_of =
        |place: &Place| shared.iter().position(|it| it == place).map_or((false, false), |at| used[at]);
    let mut statics = uses::statics(&programs.old, procedures.old);
    statics.extend(uses::statics(&programs.new, procedures.new));
    let mut apart = Pair::new(Vec::new(), Vec::new());
    let mut names = BTreeSet::new();
    let mut keep = |pointer: &Place, others: Pair<Option<Other>>| {
        let pointers = versions.map(|version| version.pointer(pointer));
        if let (Some(old), Some(new), Some(of_old), Some(of_new)) =
            (pointers.old, pointers.new, others.old, others.new)
        {
            apart.old.push((old, of_old));
            apart.new.push((new, of_new));
            names.insert(new_name(&versions.new, pointer));
        }
    };
    for (at, &pointer) in promised.iter().enumerate() {
        let (is_read, is_written) = used_of(pointer);
        let clashes = |other: (bool, bool)| (is_written && (other.0 || other.1)) || (is_read && other.1);
        for other in shared.iter().filter(|other| *other != pointer && !promised[..at].contains(other)) {
            if clashes(used_of(other)) {
                keep(pointer, versions.map(|version| version.pointer(other).map(Other::Pointer)));
            }
        }
        for (name, is_static_written) in &statics {
            if clashes((true, *is_static_written)) {
                keep(pointer, versions.map(|version| version.static_object(name).map(Other::Static)));
            }
        }
    }
    if apart.old.is_empty() {
        return None;
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let assumption = format!("no other pointer leads to the object of {} (`restrict`)", names.join(", "));
    let old = rewrite::keep_apart(&programs.old, procedures.old, &apart.old);
    let new = rewrite::keep_apart(&programs.new, procedures.new, &apart.new);
    Some((Pair::new(old, new), assumption))
}

impl Version<'_> {
    /// All pointers among the inputs that have a name of their own: those that either version can get at without
    /// following another one that is in memory.
    fn places(&self) -> BTreeSet<Place> {
        let Version { program, id, .. } = *self;
        let mut places = BTreeSet::new();
        for (at, local) in program.procedure(id).parameters().iter().enumerate() {
            let Some(shape) = target(&local.ty) else { continue };
            places.insert(Place::Parameter(at));
            let cells = pointers_in(program, shape);
            places.extend(cells.into_iter().map(|cell| Place::Behind { parameter: at, cell }));
        }
        for global in program.globals.iter().filter(|global| !global.constant) {
            if target(&global.ty).is_some() {
                places.insert(Place::Global(global.name.clone()));
            }
        }
        for object in program.statics.iter().filter(|object| !object.constant) {
            let cells = (0..object.cells.len() as u64).take(MOST_CELLS);
            let cells = cells.filter(|cell| {
                program.cell_type(object.shape, *cell as usize).is_some_and(|ty| target(ty).is_some())
            });
            places.extend(cells.map(|cell| Place::Within { object: object.name.clone(), cell }));
        }
        places
    }

    /// Whether a pointer is declared `restrict`.
    fn is_restricted(&self, place: &Place) -> bool {
        let Version { program, id, views } = *self;
        let of_shape = |shape: ShapeId, cell: u64| {
            let stride = cells_of(program, shape).len().max(1) as u64;
            views.is_restricted_cell(&program.shape(shape).name, cell % stride)
        };
        match place {
            Place::Parameter(at) => views.restricted(&program.procedure(id).name).contains(at),
            Place::Global(name) => views.is_restricted_variable(name),
            Place::Behind { parameter, cell } => {
                let parameter = program.procedure(id).parameters().get(*parameter);
                parameter.and_then(|local| target(&local.ty)).is_some_and(|shape| of_shape(shape, *cell))
            }
            Place::Within { object, cell } => {
                let known = program.statics.iter().find(|it| it.name == *object);
                known.is_some_and(|it| of_shape(it.shape, *cell))
                    || *cell == 0 && views.is_restricted_variable(object)
            }
        }
    }

    /// The pointer of a place in this version.
    fn pointer(&self, place: &Place) -> Option<Pointer> {
        let Version { program, id, .. } = *self;
        let region = |shape: ShapeId, cell: u64| {
            let cells = cells_of(program, shape);
            cells.get(cell as usize % cells.len().max(1)).copied()
        };
        Some(match place {
            Place::Parameter(at) => Pointer::Parameter(*at),
            Place::Global(name) => {
                let at = program.globals.iter().position(|global| global.name == *name)?;
                Pointer::Global(ir::GlobalId::from_index(at))
            }
            Place::Behind { parameter, cell } => {
                let shape = target(&program.procedure(id).parameters().get(*parameter)?.ty)?;
                Pointer::Behind { parameter: *parameter, cell: *cell, region: region(shape, *cell)? }
            }
            Place::Within { object, cell } => {
                let object = self.static_object(object)?;
                let shape = program.static_object(object).shape;
                Pointer::Within { object, cell: *cell, region: region(shape, *cell)? }
            }
        })
    }

    fn static_object(&self, name: &str) -> Option<ir::StaticId> {
        let found = self.program.statics.iter().position(|object| object.name == name && !object.constant);
        found.map(ir::StaticId::from_index)
    }
}

/// What a reader calls a pointer.
fn new_name(version: &Version<'_>, place: &Place) -> String {
    let parameter = |at: usize| version.program.procedure(version.id).locals[at].name.clone();
    match place {
        Place::Parameter(at) => parameter(*at),
        Place::Global(name) => name.clone(),
        Place::Behind { parameter: at, .. } => format!("{}->...", parameter(*at)),
        Place::Within { object, .. } => object.clone(),
    }
}

/// What a pointer points to, by its type.
fn target(ty: &Type) -> Option<ShapeId> {
    match ty {
        Type::Record(parts) => match parts.as_slice() {
            [Type::Ref(Target::Shape(shape)), Type::Int(_)] => Some(*shape),
            _ => None,
        },
        _ => None,
    }
}

/// The regions of the cells of one element.
fn cells_of(program: &Program, shape: ShapeId) -> &[RegionId] {
    match &program.shape(shape).cells {
        Cells::Indexed(regions) | Cells::Fields(regions) => regions,
    }
}

/// The cells of one element that are pointers.
fn pointers_in(program: &Program, shape: ShapeId) -> Vec<u64> {
    let cells = cells_of(program, shape).iter().take(MOST_CELLS).enumerate();
    let pointers = cells.filter(|(_, region)| target(&program.region(**region).value).is_some());
    pointers.map(|(cell, _)| cell as u64).collect()
}

/// Whether a procedure, or what it calls, asks where pointers lead to, other than whether they are null.
pub(super) fn compares_pointers(program: &Program, id: ProcId) -> bool {
    let is_null = |expr: &Expr| matches!(expr, Expr::Const(Const::Null));
    let bodies =
        ir::reachable(program, id).into_iter().filter_map(|id| program.procedure(id).body.as_deref());
    let mut found = false;
    for body in bodies {
        ir::for_each_expr(body, &mut |expr| {
            found |= match expr {
                Expr::SameRef { lhs, rhs } => !is_null(lhs) && !is_null(rhs),
                Expr::Intrinsic { function, .. } => *function == ir::Intrinsic::Before,
                _ => false,
            };
        });
    }
    found
}
