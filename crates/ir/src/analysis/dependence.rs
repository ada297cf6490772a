//! Which statements of a procedure depend on which, through data and through control.
//!
//! Over-approximating: there may be dependences that no run shows. Locals are followed along the control flow; what
//! outlives the procedure (globals, regions, lengths, output, the outside world) depends on every earlier write.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::control_flow::{ControlFlow, Location};
use super::effects::block_effects;
use crate::{
    Cells, Expr, GlobalId, LocalId, ProcId, Program, RegionId, Slot, Stmt, StmtKind, Stream, assigned_locals,
    for_each_part, for_each_slot, for_each_stmt, for_each_subexpr,
};

/// What a statement can write and another one read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    Local(LocalId),
    Global(GlobalId),
    Region(RegionId),
    Lengths,
    Written(Stream),
    World,
}

/// The dependences of one procedure. Statements go by their number in the order of `for_each_stmt`.
#[derive(Clone, Debug)]
pub struct Dependences {
    /// For each statement those that it depends on.
    needs: Vec<BTreeSet<usize>>,
    /// For each statement those that depend on it.
    serves: Vec<BTreeSet<usize>>,
    /// For each statement those that decide whether it runs.
    deciders: Vec<BTreeSet<usize>>,
    /// What each statement itself writes.
    writes: Vec<BTreeSet<Place>>,
}

impl Dependences {
    pub fn of(program: &Program, id: ProcId) -> Dependences {
        let body = program.procedure(id).body.as_deref().unwrap_or_default();
        let mut statements: Vec<&Stmt> = Vec::new();
        for_each_stmt(body, &mut |stmt| statements.push(stmt));
        let numbers: BTreeMap<usize, usize> = statements
            .iter()
            .enumerate()
            .map(|(number, stmt)| (std::ptr::from_ref(*stmt).addr(), number))
            .collect();
        let reads: Vec<BTreeSet<Place>> = statements.iter().map(|stmt| reads(program, stmt)).collect();
        let messages = messages(&statements);
        let writes: Vec<BTreeSet<Place>> = statements
            .iter()
            .map(|stmt| {
                let mut found = writes(program, stmt);
                // What fails may give its message to a handler.
                if can_fail(stmt) {
                    found.extend(&messages);
                }
                found
            })
            .collect();
        let overwrites: Vec<Option<Place>> = statements.iter().map(|stmt| overwrites(stmt)).collect();
        let count = statements.len();
        let flow = ControlFlow::of(program, id);
        let number = |node: NodeIndex| match flow.graph[node] {
            Location::Stmt(stmt) => numbers.get(&std::ptr::from_ref(stmt).addr()).copied(),
            Location::Entry | Location::Exit | Location::Catch(_) => None,
        };
        let mut made = Dependences {
            needs: vec![BTreeSet::new(); count],
            serves: vec![BTreeSet::new(); count],
            deciders: vec![BTreeSet::new(); count],
            writes,
        };
        made.add_data(&flow, &number, &reads, &overwrites);
        made.add_control(&flow, &number);
        made
    }

    /// The statements and all that depend on them, directly or not.
    pub fn forward(&self, from: &BTreeSet<usize>) -> BTreeSet<usize> {
        closure(&self.serves, from)
    }

    /// The statements and all that they depend on, directly or not.
    pub fn backward(&self, from: &BTreeSet<usize>) -> BTreeSet<usize> {
        closure(&self.needs, from)
    }

    /// The statements that decide whether a statement runs.
    pub fn deciders(&self, statement: usize) -> &BTreeSet<usize> {
        &self.deciders[statement]
    }

    /// What a statement itself writes.
    pub fn writes(&self, statement: usize) -> &BTreeSet<Place> {
        &self.writes[statement]
    }

    /// For each statement, the values that may be there when it runs are followed along the control flow.
    fn add_data(
        &mut self,
        flow: &ControlFlow<'_>,
        number: &dyn Fn(NodeIndex) -> Option<usize>,
        reads: &[BTreeSet<Place>],
        overwrites: &[Option<Place>],
    ) {
        for (writer, node) in flow.graph.node_indices().filter_map(|node| Some((number(node)?, node))) {
            for place in self.writes[writer].clone() {
                let mut seen = BTreeSet::new();
                let mut open: Vec<NodeIndex> = flow.graph.neighbors(node).collect();
                while let Some(at) = open.pop() {
                    if !seen.insert(at) {
                        continue;
                    }
                    let reader = number(at);
                    if let Some(reader) = reader
                        && reads[reader].contains(&place)
                    {
                        self.add(reader, writer);
                    }
                    // Only an assignment of a local takes the place of what was there; a failed one does not.
                    let is_overwritten = reader.is_some_and(|reader| overwrites[reader] == Some(place));
                    for edge in flow.graph.edges(at) {
                        if !is_overwritten || matches!(edge.weight(), crate::Edge::Raise(_)) {
                            open.push(edge.target());
                        }
                    }
                }
            }
        }
    }

    /// A statement depends on those that decide whether it runs.
    fn add_control(&mut self, flow: &ControlFlow<'_>, number: &dyn Fn(NodeIndex) -> Option<usize>) {
        let post = flow.post_dominators();
        for node in flow.graph.node_indices() {
            let Some(decider) = number(node) else { continue };
            let targets: BTreeSet<NodeIndex> = flow.graph.neighbors(node).collect();
            if targets.len() < 2 {
                continue;
            }
            let stop = post.immediate_dominator(node);
            for target in targets {
                // All that surely runs after the target, up to what runs in any case.
                let mut at = Some(target);
                while let Some(here) = at {
                    if Some(here) == stop {
                        break;
                    }
                    if let Some(dependent) = number(here) {
                        self.add(dependent, decider);
                        self.deciders[dependent].insert(decider);
                    }
                    at = post.immediate_dominator(here);
                }
            }
        }
    }

    fn add(&mut self, dependent: usize, on: usize) {
        self.needs[dependent].insert(on);
        self.serves[on].insert(dependent);
    }
}

fn closure(edges: &[BTreeSet<usize>], from: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open: Vec<usize> = from.iter().copied().collect();
    while let Some(statement) = open.pop() {
        if found.insert(statement) {
            open.extend(&edges[statement]);
        }
    }
    found
}

/// The local that a statement surely assigns when it does not fail.
fn overwrites(stmt: &Stmt) -> Option<Place> {
    match &stmt.kind {
        StmtKind::Assign { local, .. } | StmtKind::New { local, .. } => Some(Place::Local(*local)),
        StmtKind::Call { local, .. } => local.map(Place::Local),
        _ => None,
    }
}

/// The locals that get the messages of errors.
fn messages(statements: &[&Stmt]) -> BTreeSet<Place> {
    let tries = statements.iter().filter(|stmt| matches!(stmt.kind, StmtKind::Try { .. }));
    tries.flat_map(|stmt| assigned_locals(&stmt.kind)).map(Place::Local).collect()
}

fn can_fail(stmt: &Stmt) -> bool {
    let mut found = false;
    for_each_slot(&stmt.kind, &mut |slot| found |= matches!(slot, Slot::Error(_) | Slot::Callee(_)));
    found
}

/// What a statement itself reads, with all that it calls.
pub(crate) fn reads(program: &Program, stmt: &Stmt) -> BTreeSet<Place> {
    let mut found = BTreeSet::new();
    for_each_part(&stmt.kind, &mut |part| {
        for_each_subexpr(part, &mut |expr| {
            found.extend(match expr {
                Expr::Local(local) => Some(Place::Local(*local)),
                Expr::Global(global) => Some(Place::Global(*global)),
                Expr::Load { region, .. } => Some(Place::Region(*region)),
                Expr::Length { .. } | Expr::HasShape { .. } => Some(Place::Lengths),
                _ => None,
            });
        });
    });
    if let StmtKind::Call { .. } = stmt.kind {
        let effects = block_effects(program, std::slice::from_ref(stmt));
        found
            .extend(effects.reads_globals.iter().chain(&effects.writes_globals).map(|id| Place::Global(*id)));
        found
            .extend(effects.reads_regions.iter().chain(&effects.writes_regions).map(|id| Place::Region(*id)));
        found.extend((effects.reads_lengths || effects.reads_shapes).then_some(Place::Lengths));
        found.extend(effects.prints.iter().map(|stream| Place::Written(*stream)));
        found.extend(effects.calls_out.then_some(Place::World));
    }
    // What is changed in part keeps the rest of what was there.
    if !matches!(stmt.kind, StmtKind::Assign { .. } | StmtKind::Call { .. }) {
        found.extend(
            writes(program, stmt)
                .into_iter()
                .filter(|place| !matches!(place, Place::Local(_) | Place::Global(_))),
        );
    }
    found
}

/// What a statement itself writes, with all that it calls.
pub(crate) fn writes(program: &Program, stmt: &Stmt) -> BTreeSet<Place> {
    let mut found = BTreeSet::new();
    for_each_slot(&stmt.kind, &mut |slot| match slot {
        Slot::Local(local) => found.extend([Place::Local(*local)]),
        Slot::Global(global) => found.extend([Place::Global(*global)]),
        Slot::Region(region) => found.extend([Place::Region(*region)]),
        Slot::Length => found.extend([Place::Lengths]),
        Slot::Stream(stream) => found.extend([Place::Written(*stream)]),
        Slot::Shape(shape) => {
            let (Cells::Fields(regions) | Cells::Indexed(regions)) = &program.shape(*shape).cells;
            found.extend([Place::Lengths]);
            found.extend(regions.iter().map(|region| Place::Region(*region)));
        }
        Slot::Callee(_) => {
            let effects = block_effects(program, std::slice::from_ref(stmt));
            found.extend(effects.writes_globals.iter().map(|id| Place::Global(*id)));
            found.extend(effects.writes_regions.iter().map(|id| Place::Region(*id)));
            found.extend((effects.frees || !effects.allocates.is_empty()).then_some(Place::Lengths));
            found.extend(effects.prints.iter().map(|stream| Place::Written(*stream)));
            found.extend(effects.calls_out.then_some(Place::World));
        }
        Slot::Expr(_) | Slot::Const(_) | Slot::Shapes(_) | Slot::Block(_) => {}
        Slot::Label(_) | Slot::Error(_) | Slot::Catch(_) => {}
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_program;

    fn dependences(body: &str) -> Dependences {
        let text = format!(
            "program java error E global g: i32 = 0 proc f(a: i32) -> i32 {{ var x: i32 var y: i32 {body} }}"
        );
        Dependences::of(&read_program(&text).unwrap(), ProcId(0))
    }

    fn forward(body: &str, from: usize) -> Vec<usize> {
        dependences(body).forward(&[from].into()).into_iter().collect()
    }

    fn backward(body: &str, from: usize) -> Vec<usize> {
        dependences(body).backward(&[from].into()).into_iter().collect()
    }

    #[test]
    fn a_use_depends_on_the_assignments_that_reach_it() {
        assert_eq!(forward("x = 1 y = x x = 2 return x", 0), [0, 1]);
        assert_eq!(backward("x = 1 y = x x = 2 return x", 3), [2, 3]);
    }

    #[test]
    fn what_a_condition_guards_depends_on_it() {
        assert_eq!(forward("if lt.i32(a, 0) { x = 1 } y = 2 return x", 0), [0, 1, 3]);
    }

    #[test]
    fn what_comes_after_a_check_depends_on_it() {
        assert_eq!(backward("check ne.i32(a, 0) else E x = 1 return x", 1), [0, 1]);
    }

    #[test]
    fn a_loop_carries_dependences_to_its_start() {
        let body = "loop L0 { if lt.i32(5, x) { break L0 } x = add.i32(x, y) y = 1 } return x";
        assert_eq!(backward(body, 5), [1, 3, 4, 5]);
    }

    #[test]
    fn a_failed_assignment_leaves_what_was_there() {
        let body = "x = 1 try { x = call h(a) } catch any { y = x } return y } proc h(a: i32) -> i32 {
            check ne.i32(a, 0) else E return a";
        assert!(backward(body, 3).contains(&0));
    }
}
