//! The control-flow view of a procedure: locations and the edges between them, with dominators.
//!
//! Over-approximating: every run follows edges of the graph, but conditions are not looked at, and a call is taken to
//! raise every error that its callees have in them.

use std::collections::HashMap;
use std::fmt::Write;

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, Reversed};

use crate::{
    Block, Catch, CatchKind, ErrorId, LabelId, ProcId, Procedure, Program, Stmt, StmtKind, effects,
    print_stmt_head,
};

/// A place in a procedure where a run can be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Location<'a> {
    Entry,
    /// Where all runs end: after a return, with an error, or without a meaning.
    Exit,
    /// Before a statement. Of statements with blocks: before the condition, before an iteration, before the block.
    Stmt(&'a Stmt),
    /// Where a handler has caught an error.
    Catch(&'a Catch),
}

/// A step from one location to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Edge {
    /// Goes on, or jumps, or returns.
    Next,
    /// The condition holds, of an `if`.
    True,
    /// The condition does not hold, of an `if`.
    False,
    /// Raises this error.
    Raise(ErrorId),
}

/// The locations of a procedure and the steps between them. Locations that no run can get to are there too.
pub struct ControlFlow<'a> {
    pub graph: DiGraph<Location<'a>, Edge>,
    pub entry: NodeIndex,
    pub exit: NodeIndex,
}

impl<'a> ControlFlow<'a> {
    /// The control flow of a procedure; of one without a body, straight from its entry to its exit.
    pub fn of(program: &'a Program, id: ProcId) -> ControlFlow<'a> {
        let mut graph = DiGraph::new();
        let entry = graph.add_node(Location::Entry);
        let exit = graph.add_node(Location::Exit);
        let flow = ControlFlow { graph, entry, exit };
        let mut builder =
            Builder { program, flow, targets: HashMap::new(), handlers: Vec::new(), raises: HashMap::new() };
        let mut open = vec![(entry, Edge::Next)];
        if let Some(body) = &program.procedure(id).body {
            open = builder.block(body, open);
        }
        builder.connect(open, exit);
        builder.flow
    }

    /// For every location that can be reached: which one all runs pass before it.
    pub fn dominators(&self) -> Dominators<NodeIndex> {
        simple_fast(&self.graph, self.entry)
    }

    /// For every location from which the exit can be reached: which one all runs that end pass after it.
    pub fn post_dominators(&self) -> Dominators<NodeIndex> {
        simple_fast(Reversed(&self.graph), self.exit)
    }

    /// The edges that go back to a location that dominates where they come from: the next iterations of loops.
    pub fn back_edges(&self) -> Vec<EdgeIndex> {
        let dominators = self.dominators();
        let is_back = |edge: &EdgeIndex| {
            let (from, to) = self.graph.edge_endpoints(*edge).expect("the edge should be in the graph");
            dominators.dominators(from).is_some_and(|mut above| above.any(|location| location == to))
        };
        self.graph.edge_indices().filter(is_back).collect()
    }

    /// The locations in groups that can be reached from each other, later ones first.
    pub fn components(&self) -> Vec<Vec<NodeIndex>> {
        let mut components = kosaraju_scc(&self.graph);
        components.iter_mut().for_each(|component| component.sort());
        components
    }

    /// One line for each location: its number, what stands there, and where its edges go.
    pub fn text(&self, program: &Program, procedure: &Procedure) -> String {
        let mut text = String::new();
        for node in self.graph.node_indices() {
            let what = match self.graph[node] {
                Location::Entry => "entry".to_owned(),
                Location::Exit => "exit".to_owned(),
                Location::Stmt(stmt) => print_stmt_head(program, procedure, stmt),
                Location::Catch(_) => "catch".to_owned(),
            };
            let mut edges: Vec<(usize, Edge)> =
                self.graph.edges(node).map(|edge| (edge.target().index(), *edge.weight())).collect();
            edges.sort();
            write!(text, "{}: {what}", node.index()).expect("writing to a string should not fail");
            for (position, (target, edge)) in edges.into_iter().enumerate() {
                let arrow = if position == 0 { " ->" } else { "," };
                let label = match edge {
                    Edge::Next => String::new(),
                    Edge::True => " if true".to_owned(),
                    Edge::False => " if false".to_owned(),
                    Edge::Raise(error) => format!(" on {}", program.error(error)),
                };
                write!(text, "{arrow} {target}{label}").expect("writing to a string should not fail");
            }
            text.push('\n');
        }
        text
    }
}

/// Edges that do not have a target yet.
type Open = Vec<(NodeIndex, Edge)>;

struct Builder<'a> {
    program: &'a Program,
    flow: ControlFlow<'a>,
    /// The loops and scopes: where `continue` goes to, and the breaks so far.
    targets: HashMap<LabelId, (NodeIndex, Open)>,
    /// The handlers around the current statement, the innermost `try` last.
    handlers: Vec<Vec<(&'a Catch, NodeIndex)>>,
    /// The errors that procedures may raise.
    raises: HashMap<ProcId, Vec<ErrorId>>,
}

impl<'a> Builder<'a> {
    fn block(&mut self, block: &'a Block, mut open: Open) -> Open {
        for stmt in block {
            let node = self.flow.graph.add_node(Location::Stmt(stmt));
            self.connect(open, node);
            open = self.stmt(stmt, node);
        }
        open
    }

    fn connect(&mut self, open: Open, target: NodeIndex) {
        for (source, edge) in open {
            self.flow.graph.add_edge(source, target, edge);
        }
    }

    /// The edges that leave a statement.
    fn stmt(&mut self, stmt: &'a Stmt, node: NodeIndex) -> Open {
        match &stmt.kind {
            StmtKind::Assign { .. }
            | StmtKind::AssignGlobal { .. }
            | StmtKind::Store { .. }
            | StmtKind::New { .. }
            | StmtKind::Free { .. }
            | StmtKind::Assume { .. }
            | StmtKind::Print { .. } => vec![(node, Edge::Next)],
            StmtKind::If { then, otherwise, .. } => {
                let mut open = self.block(then, vec![(node, Edge::True)]);
                open.extend(self.block(otherwise, vec![(node, Edge::False)]));
                open
            }
            StmtKind::Loop { label, body } => {
                self.targets.insert(*label, (node, Vec::new()));
                let again = self.block(body, vec![(node, Edge::Next)]);
                self.connect(again, node);
                self.take_breaks(*label)
            }
            StmtKind::Scope { label, body } => {
                self.targets.insert(*label, (node, Vec::new()));
                let mut open = self.block(body, vec![(node, Edge::Next)]);
                open.extend(self.take_breaks(*label));
                open
            }
            StmtKind::Break(label) => {
                if let Some((_, breaks)) = self.targets.get_mut(label) {
                    breaks.push((node, Edge::Next));
                }
                Vec::new()
            }
            StmtKind::Continue(label) => {
                if let Some((head, _)) = self.targets.get(label) {
                    self.flow.graph.add_edge(node, *head, Edge::Next);
                }
                Vec::new()
            }
            StmtKind::Return(_) | StmtKind::Unsupported { .. } => {
                self.flow.graph.add_edge(node, self.flow.exit, Edge::Next);
                Vec::new()
            }
            StmtKind::Call { callee, .. } => {
                for error in self.raised_by(*callee) {
                    self.raise(node, error);
                }
                vec![(node, Edge::Next)]
            }
            StmtKind::Throw { error, .. } => {
                self.raise(node, *error);
                Vec::new()
            }
            StmtKind::Check { error, .. } | StmtKind::Assert { error, .. } => {
                self.raise(node, *error);
                vec![(node, Edge::Next)]
            }
            StmtKind::Try { body, catches } => self.try_stmt(body, catches, node),
        }
    }

    fn take_breaks(&mut self, label: LabelId) -> Open {
        self.targets.remove(&label).map_or(Vec::new(), |(_, breaks)| breaks)
    }

    fn try_stmt(&mut self, body: &'a Block, catches: &'a [Catch], node: NodeIndex) -> Open {
        let handlers: Vec<(&Catch, NodeIndex)> =
            catches.iter().map(|catch| (catch, self.flow.graph.add_node(Location::Catch(catch)))).collect();
        self.handlers.push(handlers.clone());
        let mut open = self.block(body, vec![(node, Edge::Next)]);
        self.handlers.pop();
        for (catch, handler) in handlers {
            open.extend(self.block(&catch.body, vec![(handler, Edge::Next)]));
        }
        open
    }

    /// Adds the edge to the handler of an error, or to the exit.
    fn raise(&mut self, node: NodeIndex, error: ErrorId) {
        let catches = |catch: &Catch| match &catch.kind {
            CatchKind::Any => true,
            CatchKind::Errors(errors) => errors.contains(&error),
        };
        let inside_out = self.handlers.iter().rev().flatten();
        let handler = inside_out.into_iter().find(|(catch, _)| catches(catch)).map(|(_, node)| *node);
        self.flow.graph.add_edge(node, handler.unwrap_or(self.flow.exit), Edge::Raise(error));
    }

    fn raised_by(&mut self, callee: ProcId) -> Vec<ErrorId> {
        let program = self.program;
        let raised = self.raises.entry(callee);
        raised.or_insert_with(|| effects(program, callee).raises.into_iter().collect()).clone()
    }
}
