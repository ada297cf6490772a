//! Runs of statements as functions of their own: whether two of them are the same code, and what goes in and out.
//!
//! Two fragments with a common interface can be hidden behind the same symbols in both versions. What an interface
//! lists is over-approximating: a fragment reads, changes and leaves at most what it says.

mod call;
mod canonical;
mod needs;

use std::collections::BTreeSet;

use crate::analysis::effects::{Effects, block_effects};
use crate::{
    ErrorId, Expr, GlobalId, LabelId, LocalId, Pair, ProcId, Program, RegionId, Stmt, StmtKind, Stream,
    for_each_expr, for_each_stmt,
};
pub use call::call_interfaces;
use canonical::{Canonical, canonical};
use needs::{Needs, needs};

/// Consecutive statements of a procedure.
#[derive(Clone, Copy, Debug)]
pub struct Fragment<'a> {
    pub program: &'a Program,
    pub procedure: ProcId,
    pub statements: &'a [Stmt],
}

/// How a run leaves a fragment other than by its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum WayOut {
    Return,
    Error(ErrorId),
    Break(LabelId),
    Continue(LabelId),
}

/// What goes into a fragment and what comes out, in an order that is the same for both versions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interface {
    pub inputs: Vec<LocalId>,
    pub outputs: Vec<LocalId>,
    /// Globals that are read or changed, by name.
    pub globals: Vec<GlobalId>,
    pub written_globals: Vec<GlobalId>,
    /// Regions that are read or changed, by name.
    pub regions: Vec<RegionId>,
    pub written_regions: Vec<RegionId>,
    /// Whether lengths or shapes of objects are asked for.
    pub asks_objects: bool,
    pub frees: bool,
    /// The streams that are written to.
    pub prints: BTreeSet<Stream>,
    /// Whether external procedures are called.
    pub calls_out: bool,
    /// The ways out, the same place for the same way in both versions.
    pub ways_out: Vec<WayOut>,
}

/// What a procedure does around its fragments: how often it reads its locals, and whether it has handlers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Surroundings {
    reads: Vec<u32>,
    /// Without a handler the locals end with the procedure when something fails.
    has_handlers: bool,
}

impl Surroundings {
    pub fn of(program: &Program, procedure: ProcId) -> Surroundings {
        let procedure = program.procedure(procedure);
        let body = procedure.body.as_deref().unwrap_or_default();
        let mut has_handlers = false;
        for_each_stmt(body, &mut |stmt| has_handlers |= matches!(stmt.kind, StmtKind::Try { .. }));
        Surroundings { reads: read_counts(body, procedure.locals.len()), has_handlers }
    }

    /// The locals that are read outside of the statements.
    fn read_outside(&self, statements: &[Stmt]) -> BTreeSet<LocalId> {
        let inside = read_counts(statements, self.reads.len());
        let places = self.reads.iter().zip(&inside).enumerate();
        places
            .filter(|(_, (all, inside))| all > inside)
            .map(|(place, _)| LocalId::from_index(place))
            .collect()
    }
}

fn read_counts(statements: &[Stmt], locals: usize) -> Vec<u32> {
    let mut counts = vec![0; locals];
    for_each_expr(statements, &mut |expr| {
        if let Expr::Local(local) = expr {
            counts[local.index()] += 1;
        }
    });
    counts
}

/// The interfaces of two fragments that are the same code up to the names of locals and labels.
///
/// `None` if they are not, or if they do what an interface cannot say: allocate objects, or run code that has no meaning
/// for us. `same_callee` says whether two procedures mean the same.
///
/// What a fragment assumes is not listed. A function in its place gives some result where the fragment leaves the run out
/// of consideration, so that more runs have to be the same, never fewer.
pub fn interfaces(
    pair: Pair<Fragment<'_>>,
    around: Pair<&Surroundings>,
    same_callee: &mut dyn FnMut(Pair<ProcId>) -> bool,
) -> Option<Pair<Interface>> {
    let effects = block_effects(pair.old.program, pair.old.statements);
    if !effects.allocates.is_empty() || effects.unsupported {
        return None;
    }
    let canonical = same_canonical(pair)?;
    let callees = canonical.old.callees.iter().zip(&canonical.new.callees);
    for (&old, &new) in callees {
        if !same_callee(Pair { old, new }) {
            return None;
        }
    }
    let (needs, places) = needs_of(pair, around, canonical.as_ref());
    let new_effects = block_effects(pair.new.program, pair.new.statements);
    let found = Pair {
        old: interface(pair.old.program, &canonical.old, &needs, &places, &effects),
        new: interface(pair.new.program, &canonical.new, &needs, &places, &new_effects),
    };
    // What callees touch is listed by name: a class that was renamed could change the order.
    let names = pair.zip(found.as_ref()).map(|(fragment, found)| names(fragment.program, found));
    (names.old == names.new).then_some(found)
}

/// Which locals go into a fragment and come out, and where it jumps to, in an order that is the same for both versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flow {
    pub inputs: Vec<LocalId>,
    pub outputs: Vec<LocalId>,
    pub returns: bool,
    pub breaks: Vec<LabelId>,
    pub continues: Vec<LabelId>,
}

/// The flows of two fragments that are the same code up to the names of locals and labels, and to what callees do.
///
/// `None` if they are not, or if a handler around them could see what they did before they failed.
pub fn flows(pair: Pair<Fragment<'_>>, around: Pair<&Surroundings>) -> Option<Pair<Flow>> {
    let canonical = same_canonical(pair)?;
    let fails = pair.map(|fragment| !block_effects(fragment.program, fragment.statements).raises.is_empty());
    if (around.old.has_handlers || around.new.has_handlers) && (fails.old || fails.new) {
        return None;
    }
    let (needs, places) = needs_of(pair, around, canonical.as_ref());
    Some(canonical.as_ref().map(|canonical| {
        let (inputs, outputs) = inputs_and_outputs(&needs, &places);
        let locals = |places: &BTreeSet<usize>| places.iter().map(|place| canonical.locals[*place]).collect();
        let labels = |places: &BTreeSet<usize>| places.iter().map(|place| canonical.labels[*place]).collect();
        Flow {
            inputs: locals(&inputs),
            outputs: locals(&outputs),
            returns: needs.returns,
            breaks: labels(&needs.breaks),
            continues: labels(&needs.continues),
        }
    }))
}

/// Both fragments with their names taken out, if they are the same then.
fn same_canonical(pair: Pair<Fragment<'_>>) -> Option<Pair<Canonical>> {
    let canonical = pair.map(canonical);
    let is_same = canonical.old.statements == canonical.new.statements
        && canonical::same_tables(pair.map(|fragment| fragment.program), canonical.as_ref());
    is_same.then_some(canonical)
}

/// What two fragments need, and the places of what either version reads later.
fn needs_of(
    pair: Pair<Fragment<'_>>,
    around: Pair<&Surroundings>,
    canonical: Pair<&Canonical>,
) -> (Needs, BTreeSet<usize>) {
    let has_handlers = around.old.has_handlers || around.new.has_handlers;
    let needs = needs(&canonical.old.statements, canonical.old.locals.len(), has_handlers);
    let outside = Pair {
        old: around.old.read_outside(pair.old.statements),
        new: around.new.read_outside(pair.new.statements),
    };
    // What one version reads later is an output of both.
    let places = [(canonical.old, &outside.old), (canonical.new, &outside.new)]
        .into_iter()
        .flat_map(|(canonical, outside)| {
            let locals = canonical.locals.iter().enumerate();
            locals.filter(|(_, local)| outside.contains(local)).map(|(place, _)| place)
        })
        .collect();
    (needs, places)
}

/// The places of what goes in and of what comes out.
fn inputs_and_outputs(needs: &Needs, read_outside: &BTreeSet<usize>) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let is_output = |place: &usize| {
        needs.may_assign.contains(place) && (read_outside.contains(place) || needs.reads.contains(place))
    };
    let outputs: BTreeSet<usize> = needs.may_assign.iter().copied().filter(is_output).collect();
    // A variable that is not assigned on every way out keeps what it had.
    let kept = outputs.iter().copied().filter(|place| !needs.must_assign.contains(place));
    let inputs = needs.reads.iter().copied().chain(kept).collect();
    (inputs, outputs)
}

/// The names of all that an interface lists besides locals and labels, in its order.
fn names<'a>(program: &'a Program, interface: &Interface) -> Vec<&'a str> {
    let globals = interface.globals.iter().chain(&interface.written_globals);
    let regions = interface.regions.iter().chain(&interface.written_regions);
    let errors = interface.ways_out.iter().filter_map(|way| match way {
        WayOut::Error(error) => Some(program.error(*error)),
        WayOut::Return | WayOut::Break(_) | WayOut::Continue(_) => None,
    });
    let globals = globals.map(|id| program.global(*id).name.as_str());
    globals.chain(regions.map(|id| program.region(*id).name.as_str())).chain(errors).collect()
}

/// The locals that go together in two fragments that are the same code up to the names of locals and labels, in the
/// order in which they occur. `None` if they are not the same.
pub fn same_statements(
    pair: Pair<Fragment<'_>>,
    same_callee: &mut dyn FnMut(Pair<ProcId>) -> bool,
) -> Option<Vec<Pair<LocalId>>> {
    let Pair { old, new } = same_canonical(pair)?;
    let same_callees =
        old.callees.iter().zip(&new.callees).all(|(&old, &new)| same_callee(Pair { old, new }));
    let locals = old.locals.into_iter().zip(new.locals).map(|(old, new)| Pair { old, new });
    same_callees.then(|| locals.collect())
}

fn interface(
    program: &Program,
    canonical: &Canonical,
    needs: &Needs,
    read_outside: &BTreeSet<usize>,
    effects: &Effects,
) -> Interface {
    let (inputs, outputs) = inputs_and_outputs(needs, read_outside);
    let locals = |places: &BTreeSet<usize>| places.iter().map(|place| canonical.locals[*place]).collect();
    let mut ways_out: Vec<WayOut> = Vec::new();
    if needs.returns {
        ways_out.push(WayOut::Return);
    }
    let mut errors: Vec<ErrorId> = effects.raises.iter().copied().collect();
    errors.sort_by_key(|error| program.error(*error));
    ways_out.extend(errors.into_iter().map(WayOut::Error));
    ways_out.extend(needs.breaks.iter().map(|place| WayOut::Break(canonical.labels[*place])));
    ways_out.extend(needs.continues.iter().map(|place| WayOut::Continue(canonical.labels[*place])));
    Interface {
        inputs: locals(&inputs),
        outputs: locals(&outputs),
        globals: globals_by_name(program, effects.reads_globals.union(&effects.writes_globals)),
        written_globals: globals_by_name(program, effects.writes_globals.iter()),
        regions: regions_by_name(program, effects.reads_regions.union(&effects.writes_regions)),
        written_regions: regions_by_name(program, effects.writes_regions.iter()),
        asks_objects: effects.reads_lengths || effects.reads_shapes || effects.frees,
        frees: effects.frees,
        prints: effects.prints.clone(),
        calls_out: effects.calls_out,
        ways_out,
    }
}

fn globals_by_name<'a>(program: &Program, ids: impl Iterator<Item = &'a GlobalId>) -> Vec<GlobalId> {
    let mut ids: Vec<GlobalId> = ids.copied().collect();
    ids.sort_by_key(|id| &program.global(*id).name);
    ids
}

fn regions_by_name<'a>(program: &Program, ids: impl Iterator<Item = &'a RegionId>) -> Vec<RegionId> {
    let mut ids: Vec<RegionId> = ids.copied().collect();
    ids.sort_by_key(|id| &program.region(*id).name);
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_program;

    /// The interface of all statements of `f` but the last, which stands for what comes after.
    fn interface_of(text: &str) -> Option<(Program, Interface)> {
        let program = read_program(text).unwrap();
        let id = ProcId(0);
        let body = program.procedure(id).body.as_ref().unwrap();
        let fragment = Fragment { program: &program, procedure: id, statements: &body[..body.len() - 1] };
        let around = Surroundings::of(&program, id);
        let both = Pair { old: fragment, new: fragment };
        let found = interfaces(both, Pair { old: &around, new: &around }, &mut |_| true)?;
        assert_eq!(found.old, found.new);
        let found = found.old;
        Some((program, found))
    }

    fn names(program: &Program, locals: &[LocalId]) -> Vec<String> {
        locals.iter().map(|local| program.procedures[0].local(*local).name.clone()).collect()
    }

    #[test]
    fn a_variable_that_is_assigned_first_is_no_input() {
        let text = "program java proc f(a: i32) -> i32 { var x: i32 x = a x = add.i32(x, 1) return x }";
        let (program, found) = interface_of(text).unwrap();
        assert_eq!(names(&program, &found.inputs), ["a"]);
        assert_eq!(names(&program, &found.outputs), ["x"]);
    }

    #[test]
    fn a_variable_that_is_assigned_on_some_paths_keeps_what_it_had() {
        let text = "program java proc f(a: bool) -> i32 { var x: i32 if a { x = 1 } return x }";
        let (program, found) = interface_of(text).unwrap();
        assert_eq!(names(&program, &found.inputs), ["a", "x"]);
    }

    #[test]
    fn what_only_the_fragment_uses_neither_goes_in_nor_comes_out() {
        let text = "program java proc f(a: i32) -> i32 {
            var x: i32 var t: i32 if lt.i32(a, 0) { t = 2 x = t } else { x = 3 } return x }";
        let (program, found) = interface_of(text).unwrap();
        assert_eq!(names(&program, &found.inputs), ["a"]);
        assert_eq!(names(&program, &found.outputs), ["x"]);
    }

    #[test]
    fn a_loop_carries_what_it_reads_before_it_assigns() {
        let text = "program java proc f(n: i32) -> i32 {
            var s: i32 var i: i32
            loop L0 { if le.i32(n, i) { break L0 } s = add.i32(s, i) i = add.i32(i, 1) }
            return s }";
        let (program, found) = interface_of(text).unwrap();
        assert_eq!(names(&program, &found.inputs), ["n", "i", "s"]);
        assert_eq!(names(&program, &found.outputs), ["i", "s"]);
        assert_eq!(found.ways_out, []);
    }

    #[test]
    fn errors_returns_and_jumps_are_ways_out() {
        let text = "program java error E proc f(n: i32) -> i32 {
            loop L0 { check ne.i32(n, 0) else E if lt.i32(n, 5) { return 1 } break L0 }
            return 2 }";
        let (_, found) = interface_of(text).unwrap();
        assert_eq!(found.ways_out, [WayOut::Return, WayOut::Error(ErrorId(0))]);
    }

    #[test]
    fn where_a_handler_may_go_on_a_failed_assignment_keeps_what_there_was() {
        let text = "program java error E
            proc f(n: i32) -> i32 {
              var x: i32
              check ne.i32(n, 0) else E
              x = 5
              try { x = 6 } catch any { x = x }
            }";
        let (program, found) = interface_of(text).unwrap();
        assert_eq!(names(&program, &found.inputs), ["n", "x"]);
    }

    #[test]
    fn fragments_that_allocate_have_no_interface_and_those_that_assume_do() {
        let allocates = "program java region x: i32 shape S: fields(x)
            proc f() { var p: ref any p = new S return }";
        assert!(interface_of(allocates).is_none());
        assert!(interface_of("program java proc f(b: bool) { assume b return }").is_some());
    }
}
