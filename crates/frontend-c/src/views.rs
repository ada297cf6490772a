//! How procedures look at memory, and whether pointers of the inputs may make two looks meet.
//!
//! A cell has one type, but C allows a `char *` to point into anything, and a pointer to a type to point to a member of
//! that type in any struct. Cells cannot say what a store through one of them does to the other, so that a proof over
//! cells holds only where no such pair is used to write. The same goes for comparisons: `p == &s->b` is never true over
//! cells if `p` is an input. Over-approximating: what is said not to overlap does not.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Pair, ProcId, Program, Target, Type};

/// A look at memory: through pointers to a type, or at a variable of that type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct View {
    /// The type, as shapes are named.
    pub(crate) element: String,
    /// The region of the cells that are used.
    pub(crate) region: String,
    pub(crate) writes: bool,
}

/// What a procedure does with pointers themselves.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Handling {
    /// Pointers to this type are compared or subtracted.
    Compared(String),
    /// Pointers are compared as `void *`.
    ComparedAsVoid,
    /// Pointers to this type become a `void *`.
    Erased(String),
    /// The address of a constant, by its name, is a pointer `to` this type.
    Constant { to: String, name: String },
    /// The address of a constant, by its name, is compared as a pointer `to` this type.
    ComparedConstant { to: String, name: String },
    /// A pointer `to` this type leads to a part of an object of the type `of`.
    Part { to: String, of: String },
}

/// The looks at memory of all procedures of a program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Views {
    /// By the name of the procedure.
    pub(crate) procedures: BTreeMap<String, BTreeSet<View>>,
    /// By the name of the procedure.
    pub(crate) handlings: BTreeMap<String, BTreeSet<Handling>>,
    /// The places of the parameters that are `restrict`, by the name of the procedure.
    pub(crate) restricted: BTreeMap<String, BTreeSet<usize>>,
    /// The cells of structs that hold `restrict` pointers, by the struct's name.
    pub(crate) restricted_members: BTreeMap<String, BTreeSet<u64>>,
    /// The variables that are `restrict` pointers.
    pub(crate) restricted_variables: BTreeSet<String>,
    /// What the cells of structs are called, as members, by the struct's name.
    pub(crate) cell_names: BTreeMap<String, Vec<Option<String>>>,
    /// For each type the types that lie inside of it.
    pub(crate) contents: BTreeMap<String, BTreeSet<String>>,
}

impl Views {
    /// The places of the parameters of a procedure that are `restrict`.
    pub fn restricted(&self, procedure: &str) -> BTreeSet<usize> {
        self.restricted.get(procedure).cloned().unwrap_or_default()
    }

    /// Whether the cell of a struct, which is an element of the shape with that name, is declared `restrict`.
    pub fn is_restricted_cell(&self, shape: &str, cell: u64) -> bool {
        let name = shape.strip_suffix("[]").unwrap_or(shape);
        self.restricted_members.get(name).is_some_and(|cells| cells.contains(&cell))
    }

    /// What the cells of structs are called, as members: `x`, `place.y`, `a[2]`. By the names of their shapes. There are
    /// none for cells that unions share, and where cells are bytes.
    pub fn cell_names(&self) -> BTreeMap<String, Vec<Option<String>>> {
        self.cell_names.iter().map(|(name, cells)| (format!("{name}[]"), cells.clone())).collect()
    }

    /// Whether a variable is a pointer that is `restrict`.
    pub fn is_restricted_variable(&self, name: &str) -> bool {
        self.restricted_variables.contains(name)
    }
}

/// Two types that pointers of the inputs may use for the same memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overlap {
    pub inner: String,
    pub outer: String,
}

/// A procedure with its program and the looks of all its procedures.
pub type Viewed<'a> = (&'a Program, ProcId, &'a Views);

/// Two types that both versions together use for memory, one of them to write, where an input pointer to the one may
/// point into an object of the other.
pub fn overlap(pair: Pair<Viewed<'_>>) -> Option<Overlap> {
    let versions = [pair.old, pair.new];
    let views: BTreeSet<View> = versions.iter().flat_map(|version| views_of(*version)).collect();
    let handlings: BTreeSet<Handling> =
        versions.iter().flat_map(|version| reached(*version, &version.2.handlings)).collect();
    let sources: BTreeSet<String> = versions.iter().flat_map(|version| pointer_targets(*version)).collect();
    for inner in views.iter().filter(|view| sources.contains(&view.element)) {
        let meets = |outer: &&View| {
            (inner.writes || outer.writes)
                && versions.iter().any(|(_, _, views)| views.may_meet(inner, outer))
        };
        if let Some(outer) = views.iter().find(meets) {
            return Some(Overlap { inner: inner.element.clone(), outer: outer.element.clone() });
        }
    }
    sources.iter().find_map(|inner| {
        let meets = |outer: &str| versions.iter().any(|(_, _, views)| views.may_point_into(inner, outer));
        compared_with(inner, &handlings, meets)
    })
}

/// How pointers of the inputs may be seen to lead to a constant of the program, which none of them does in a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeenConstant {
    /// The constant, by its name, is compared with pointers to this type.
    Compared { element: String, name: String },
    /// Pointers to its type are compared, and one of them may lead to it.
    Perhaps { name: String },
}

/// A constant that input pointers may be seen to lead to.
pub fn seen_constant(pair: Pair<Viewed<'_>>) -> Option<SeenConstant> {
    let versions = [pair.old, pair.new];
    let handlings: BTreeSet<Handling> =
        versions.iter().flat_map(|version| reached(*version, &version.2.handlings)).collect();
    let sources: BTreeSet<String> = versions.iter().flat_map(|version| pointer_targets(*version)).collect();
    let is_compared = |element: &String| {
        handlings.contains(&Handling::Compared(element.clone())) && sources.contains(element)
            || handlings.contains(&Handling::ComparedAsVoid)
                && handlings.contains(&Handling::Erased(element.clone()))
                && (sources.contains(element) || sources.contains("char"))
    };
    let compared = handlings.iter().find_map(|handling| match handling {
        Handling::ComparedConstant { to, name } if is_compared(to) => {
            Some(SeenConstant::Compared { element: to.clone(), name: name.clone() })
        }
        _ => None,
    });
    let perhaps = || {
        handlings.iter().find_map(|handling| match handling {
            Handling::Constant { to, name } if is_compared(to) => {
                Some(SeenConstant::Perhaps { name: name.clone() })
            }
            _ => None,
        })
    };
    let in_tables = || {
        let found = versions.iter().flat_map(|version| held_constants(*version));
        found
            .filter(|(element, _)| is_compared(element))
            .map(|(_, name)| SeenConstant::Perhaps { name })
            .next()
    };
    compared.or_else(perhaps).or_else(in_tables)
}

/// The constants whose addresses other objects hold that a procedure may use, and the types of their elements.
fn held_constants((program, procedure, _): Viewed<'_>) -> Vec<(String, String)> {
    let mut held = BTreeSet::new();
    for id in ir::effects(program, procedure).statics {
        for cell in &program.static_object(id).cells {
            ir::for_each_static(cell, &mut |id| {
                held.insert(id);
            });
        }
    }
    let objects = held.into_iter().map(|id| program.static_object(id)).filter(|object| object.constant);
    let element = |object: &ir::StaticObject| {
        let name = program.shape(object.shape).name.as_str();
        let name = name.strip_prefix("const ").unwrap_or(name);
        name.strip_suffix("[]").unwrap_or(name).to_owned()
    };
    objects.map(|object| (element(object), object.name.clone())).collect()
}

/// A type whose objects pointers to the inner one are compared with, though both may lie in one object.
fn compared_with(
    inner: &str,
    handlings: &BTreeSet<Handling>,
    meets: impl Fn(&str) -> bool,
) -> Option<Overlap> {
    let compared = handlings.contains(&Handling::Compared(inner.to_owned()));
    let erased = handlings.contains(&Handling::ComparedAsVoid)
        && handlings.contains(&Handling::Erased(inner.to_owned()));
    handlings.iter().find_map(|handling| {
        let outer = match handling {
            Handling::Part { to, of } if compared && to == inner && of != inner => of,
            Handling::Erased(of) if erased && of != inner && meets(of) => of,
            Handling::Part { .. }
            | Handling::Erased(_)
            | Handling::Constant { .. }
            | Handling::ComparedConstant { .. }
            | Handling::Compared(_)
            | Handling::ComparedAsVoid => return None,
        };
        Some(Overlap { inner: inner.to_owned(), outer: outer.clone() })
    })
}

/// Whether the versions look at memory through pointers to several types, and write to it: then a proof over cells
/// takes for granted that objects of different types do not overlap.
pub fn relies_on_types(pair: Pair<Viewed<'_>>) -> bool {
    let views: BTreeSet<View> = [pair.old, pair.new].into_iter().flat_map(views_of).collect();
    let elements: BTreeSet<&str> = views.iter().map(|view| view.element.as_str()).collect();
    elements.len() > 1 && views.iter().any(|view| view.writes)
}

impl Views {
    /// Whether a pointer to the type of the one may point to cells that the other uses: those of its own kind in a
    /// struct, or any for a pointer to bytes. That bytes of pointers are not used as such is taken for granted.
    fn may_meet(&self, inner: &View, outer: &View) -> bool {
        if inner.element == outer.element {
            return false;
        }
        if inner.element == "char" {
            return !outer.region.starts_with("ptr(");
        }
        outer.region == inner.region && self.may_point_into(&inner.element, &outer.element)
    }

    /// Whether a pointer to the one type may point into an object of the other.
    fn may_point_into(&self, inner: &str, outer: &str) -> bool {
        inner == "char" || self.contents.get(outer).is_some_and(|contents| contents.contains(inner))
    }
}

fn views_of(version: Viewed<'_>) -> BTreeSet<View> {
    reached(version, &version.2.procedures)
}

/// What is known of a procedure and of all that it may call.
fn reached<T: Ord + Clone>(
    (program, procedure, _): Viewed<'_>,
    known: &BTreeMap<String, BTreeSet<T>>,
) -> BTreeSet<T> {
    ir::reachable(program, procedure)
        .into_iter()
        .filter_map(|id| known.get(&program.procedure(id).name))
        .flatten()
        .cloned()
        .collect()
}

/// The types that the pointers among the inputs point to: parameters, variables, and pointers in memory.
fn pointer_targets((program, procedure, _): Viewed<'_>) -> BTreeSet<String> {
    let effects = ir::effects(program, procedure);
    let parameters = program.procedure(procedure).parameters().iter().map(|param| &param.ty);
    let globals = effects.reads_globals.iter().map(|id| &program.global(*id).ty);
    let cells = effects.reads_regions.iter().map(|id| &program.region(*id).value);
    // What unknown code returns points anywhere too.
    let results = effects.externals.iter().filter_map(|id| program.procedure(*id).result.as_ref());
    let mut targets = BTreeSet::new();
    for ty in parameters.chain(globals).chain(cells).chain(results) {
        add_targets(program, ty, &mut targets);
    }
    targets
}

fn add_targets(program: &Program, ty: &Type, targets: &mut BTreeSet<String>) {
    match ty {
        Type::Ref(Target::Shape(shape)) => {
            let leads = |other: &ir::Shape| other.ancestors.contains(shape) && !other.is_abstract;
            let void = program.shape(*shape).is_abstract;
            let all = program.shapes.iter().filter(|other| void && leads(other));
            for shape in all.chain([program.shape(*shape)]) {
                targets.insert(shape.name.strip_suffix("[]").unwrap_or(&shape.name).to_owned());
            }
        }
        Type::Record(fields) => fields.iter().for_each(|field| add_targets(program, field, targets)),
        Type::Map(_, value) => add_targets(program, value, targets),
        Type::Ref(Target::Any) | Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text => {}
    }
}
