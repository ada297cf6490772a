//! How procedures look at memory, and whether pointers of the inputs may make two looks meet.
//!
//! A cell has one type, but C allows a `char *` to point into anything, and a pointer to a type to point to a member of
//! that type in any struct. Cells cannot say what a store through one of them does to the other, so that a proof over
//! cells holds only where no such pair is used to write. Over-approximating: what is said not to overlap does not.

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

/// The looks at memory of all procedures of a program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Views {
    /// By the name of the procedure.
    pub(crate) procedures: BTreeMap<String, BTreeSet<View>>,
    /// For each type the types that lie inside of it.
    pub(crate) contents: BTreeMap<String, BTreeSet<String>>,
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
    None
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
        let contents = self.contents.get(&outer.element);
        outer.region == inner.region && contents.is_some_and(|contents| contents.contains(&inner.element))
    }
}

fn views_of((program, procedure, views): Viewed<'_>) -> BTreeSet<View> {
    ir::reachable(program, procedure)
        .into_iter()
        .filter_map(|id| views.procedures.get(&program.procedure(id).name))
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
            let name = &program.shape(*shape).name;
            targets.insert(name.strip_suffix("[]").unwrap_or(name).to_owned());
        }
        Type::Record(fields) => fields.iter().for_each(|field| add_targets(program, field, targets)),
        Type::Map(_, value) => add_targets(program, value, targets),
        Type::Ref(Target::Any) | Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text => {}
    }
}
