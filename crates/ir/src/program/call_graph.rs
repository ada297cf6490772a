//! The calls of a list of procedures, found in one go.

use std::collections::HashSet;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::Procedure;
use crate::{ProcId, StmtKind, for_each_stmt};

/// The calls of a program, and who is recursive.
#[derive(Debug)]
pub(crate) struct CallGraph {
    pub(crate) callees: Vec<Vec<ProcId>>,
    /// Groups that call each other in a circle, callees before their callers.
    pub(crate) components: Vec<Vec<ProcId>>,
    /// In the order of their ids.
    pub(crate) recursive: Vec<ProcId>,
    pub(crate) is_recursive: Vec<bool>,
}

impl CallGraph {
    pub(crate) fn of(procedures: &[Procedure]) -> CallGraph {
        let callees: Vec<Vec<ProcId>> = procedures.iter().map(callees).collect();
        let components = components(&callees);
        let mut is_recursive = vec![false; callees.len()];
        for component in &components {
            let first = component[0];
            if component.len() > 1 || callees[first.index()].contains(&first) {
                component.iter().for_each(|id| is_recursive[id.index()] = true);
            }
        }
        let ids = (0..callees.len()).map(ProcId::from_index);
        let recursive = ids.filter(|id| is_recursive[id.index()]).collect();
        CallGraph { callees, components, recursive, is_recursive }
    }
}

/// The procedures that one calls itself, each once, in the order of their first call.
fn callees(procedure: &Procedure) -> Vec<ProcId> {
    let (mut callees, mut seen) = (Vec::new(), HashSet::new());
    for_each_stmt(procedure.body.as_deref().unwrap_or_default(), &mut |stmt| {
        if let StmtKind::Call { callee, .. } = stmt.kind
            && seen.insert(callee)
        {
            callees.push(callee);
        }
    });
    callees
}

/// The groups of procedures that call each other in a circle, callees before their callers.
fn components(callees: &[Vec<ProcId>]) -> Vec<Vec<ProcId>> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    for _ in callees {
        graph.add_node(());
    }
    let count = callees.len();
    for (index, callees) in callees.iter().enumerate() {
        for callee in callees.iter().filter(|callee| callee.index() < count) {
            graph.add_edge(NodeIndex::new(index), NodeIndex::new(callee.index()), ());
        }
    }
    // Kosaraju's algorithm, because that of Tarjan recurses and call chains may be long.
    let mut components: Vec<Vec<ProcId>> = Vec::new();
    for component in kosaraju_scc(&graph) {
        let mut ids: Vec<ProcId> =
            component.into_iter().map(|node| ProcId::from_index(node.index())).collect();
        ids.sort();
        components.push(ids);
    }
    components
}
