//! A procedure's body as a tree of nodes in one array: blocks, statements, expressions and uses of variables.
//!
//! Nodes stand in the order of the text, each before what is in it, so that a subtree is a range. Locals and the labels
//! of loops are the variables of the tree: their names are kept apart from the nodes, because they may be renamed.

use std::ops::Range;

use ir::{Expr, LabelId, LocalId, Pair, ProcId, Stmt, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::interner::Interner;
use super::labels::{Labels, kind_of};

/// The place of a node in its tree.
pub(crate) type NodeId = usize;

pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// Locals first, in the order of the procedure; then labels.
    pub(crate) variables: Vec<Variable>,
    /// The node of each statement, in the order of `ir::for_each_stmt`.
    pub(crate) statements: Vec<NodeId>,
}

pub(crate) struct Node {
    pub(crate) sort: Sort,
    /// What the node is, without its children.
    pub(crate) label: u32,
    pub(crate) parent: NodeId,
    /// The first child is the variable that the statement assigns.
    assigns: bool,
    /// One past the last node in it.
    pub(crate) end: NodeId,
    /// The tree below, variables told apart by their names; those without a name are all alike.
    pub(crate) named_form: u32,
    /// The tree below, variables told apart by their types alone, but for those that have a namesake on the other side:
    /// two subtrees that differ in the names of these do not go together by renaming.
    pub(crate) bare_form: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    /// Statements that run one after the other: the body, a branch, a handler.
    Block,
    /// A statement of a kind; the number says which one.
    Statement {
        kind: u32,
    },
    Expression,
    /// The use of a variable, with its place in `variables`.
    Variable(usize),
}

/// What a statement assigns to, among variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    Nothing,
    Temporary,
    Named(u32),
}

/// A local, or the label of a loop or scope.
pub(crate) struct Variable {
    /// By what it is told apart; nothing for those that the source does not have.
    pub(crate) name: Option<u32>,
    /// The other side has a variable of this name and type.
    pub(crate) has_namesake: bool,
    /// A parameter that goes with the one at its position.
    pub(crate) is_fixed: bool,
    /// Its type. Variables of different types never go together.
    pub(crate) ty: u32,
}

/// Finds out which variables have namesakes and which subtrees look the same; to be done again when variables are
/// given other names.
pub(crate) fn compare_names(interner: &mut Interner, trees: &mut Pair<Tree>) {
    let names = trees.as_ref().map(|tree| -> FxHashSet<(u32, Option<u32>)> {
        tree.variables.iter().map(|variable| (variable.ty, variable.name)).collect()
    });
    for (tree, others) in [(&mut trees.old, &names.new), (&mut trees.new, &names.old)] {
        for variable in &mut tree.variables {
            variable.has_namesake = variable.name.is_some() && others.contains(&(variable.ty, variable.name));
        }
        tree.find_forms(interner);
    }
}

impl Tree {
    /// The tree of a procedure, whose forms `compare_names` has to find out.
    pub(crate) fn new(
        interner: &mut Interner,
        labels: &mut Labels<'_>,
        id: ProcId,
        by_position: bool,
    ) -> Tree {
        let procedure = labels.program.procedure(id);
        let mut variables = Vec::new();
        for (place, local) in procedure.locals.iter().enumerate() {
            let is_fixed = by_position && place < procedure.params;
            let name = match source_name(&local.name) {
                _ if is_fixed => Some(interner.text(&format!("parameter {place}"))),
                Some(name) => Some(interner.text(&format!("name {name}"))),
                None => None,
            };
            variables.push(Variable {
                name,
                has_namesake: false,
                is_fixed,
                ty: labels.ty(interner, &local.ty),
            });
        }
        let tree = Tree { nodes: Vec::new(), variables, statements: Vec::new() };
        let mut builder = Builder { interner, labels, id, tree, label_variables: FxHashMap::default() };
        let body = procedure.body.as_ref().map_or(&[][..], |body| body);
        builder.block(0, "body", None, body);
        builder.tree
    }

    /// Finds out the forms of all nodes. Needs the names of variables.
    pub(crate) fn find_forms(&mut self, interner: &mut Interner) {
        let mut named = Vec::new();
        let mut bare = Vec::new();
        for id in (0..self.nodes.len()).rev() {
            named.clear();
            bare.clear();
            named.push(self.nodes[id].label);
            bare.push(self.nodes[id].label);
            if let Sort::Variable(variable) = self.nodes[id].sort {
                // A name is told apart from no name by being there.
                let Variable { name, has_namesake, .. } = self.variables[variable];
                named.extend(name);
                bare.extend(name.filter(|_| has_namesake));
            }
            for child in self.children(id) {
                named.push(self.nodes[child].named_form);
                bare.push(self.nodes[child].bare_form);
            }
            self.nodes[id].named_form = interner.form(&named);
            self.nodes[id].bare_form = interner.form(&bare);
        }
    }

    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.nodes[id].end;
        let first = (id + 1 < end).then_some(id + 1);
        std::iter::successors(first, move |child| Some(self.nodes[*child].end).filter(|next| *next < end))
    }

    pub(crate) fn range(&self, id: NodeId) -> Range<NodeId> {
        id..self.nodes[id].end
    }

    pub(crate) fn size(&self, id: NodeId) -> usize {
        self.nodes[id].end - id
    }

    /// The place of a statement in the order of `ir::for_each_stmt`.
    pub(crate) fn place_of(&self, statement: NodeId) -> usize {
        self.statements.partition_point(|it| *it < statement)
    }

    pub(crate) fn is_statement(&self, id: NodeId) -> bool {
        matches!(self.nodes[id].sort, Sort::Statement { .. })
    }

    pub(crate) fn is_block(&self, id: NodeId) -> bool {
        self.nodes[id].sort == Sort::Block
    }

    /// Whether a statement has blocks.
    pub(crate) fn is_container(&self, id: NodeId) -> bool {
        self.is_statement(id) && self.blocks(id).next().is_some()
    }

    pub(crate) fn blocks(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children(id).filter(|child| self.is_block(*child))
    }

    pub(crate) fn target(&self, id: NodeId) -> Target {
        match self.nodes.get(id + 1).map(|node| node.sort) {
            Some(Sort::Variable(variable)) if self.nodes[id].assigns => {
                self.variables[variable].name.map_or(Target::Temporary, Target::Named)
            }
            _ => Target::Nothing,
        }
    }

    /// The statements directly in a block.
    pub(crate) fn statements_of(&self, block: NodeId) -> Vec<NodeId> {
        self.children(block).filter(|child| self.is_statement(*child)).collect()
    }

    /// The nodes of a statement itself, without its blocks but with what is theirs alone: which errors they catch.
    pub(crate) fn own_nodes(&self, id: NodeId) -> Vec<NodeId> {
        let mut own = vec![id];
        for child in self.children(id) {
            if self.is_block(child) {
                own.push(child);
                own.extend(self.children(child).filter(|inner| !self.is_statement(*inner)));
            } else {
                own.extend(self.range(child));
            }
        }
        own
    }
}

/// The name that the source gives a local, without the number that makes it unique: `i` for `i$2`.
fn source_name(name: &str) -> Option<&str> {
    if name.starts_with('$') {
        return None;
    }
    match name.rsplit_once('$') {
        Some((stem, number)) if !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit()) => {
            Some(stem)
        }
        _ => Some(name),
    }
}

struct Builder<'b, 'a> {
    interner: &'b mut Interner,
    labels: &'b mut Labels<'a>,
    id: ProcId,
    tree: Tree,
    label_variables: FxHashMap<LabelId, usize>,
}

impl Builder<'_, '_> {
    fn open(&mut self, parent: NodeId, sort: Sort, label: u32) -> NodeId {
        let id = self.tree.nodes.len();
        self.tree.nodes.push(Node {
            sort,
            label,
            parent,
            assigns: false,
            end: id + 1,
            named_form: 0,
            bare_form: 0,
        });
        id
    }

    fn close(&mut self, id: NodeId) {
        self.tree.nodes[id].end = self.tree.nodes.len();
    }

    fn block(&mut self, parent: NodeId, role: &str, message: Option<LocalId>, block: &[Stmt]) {
        let label = self.interner.text(role);
        let id = self.open(parent, Sort::Block, label);
        if let Some(local) = message {
            self.variable(id, local.index());
        }
        for stmt in block {
            self.stmt(id, stmt);
        }
        self.close(id);
    }

    fn stmt(&mut self, parent: NodeId, stmt: &Stmt) {
        let kind = self.interner.text(kind_of(&stmt.kind));
        let label = self.labels.stmt(self.interner, &stmt.kind, self.id);
        let id = self.open(parent, Sort::Statement { kind }, label);
        self.tree.statements.push(id);
        match &stmt.kind {
            StmtKind::Assign { local, .. }
            | StmtKind::New { local, .. }
            | StmtKind::Call { local: Some(local), .. } => {
                self.tree.nodes[id].assigns = true;
                self.variable(id, local.index());
            }
            StmtKind::Break(label) | StmtKind::Continue(label) => self.label(id, *label),
            StmtKind::Loop { label, .. } | StmtKind::Scope { label, .. } => self.label(id, *label),
            _ => {}
        }
        ir::for_each_part(&stmt.kind, &mut |expr| self.expr(id, expr));
        match &stmt.kind {
            StmtKind::If { then, otherwise, .. } => {
                self.block(id, "then", None, then);
                self.block(id, "else", None, otherwise);
            }
            StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => self.block(id, "body", None, body),
            StmtKind::Try { body, catches } => {
                self.block(id, "body", None, body);
                for catch in catches {
                    let role = self.labels.catch(catch);
                    self.block(id, &role, catch.message, &catch.body);
                }
            }
            _ => {}
        }
        self.close(id);
    }

    fn expr(&mut self, parent: NodeId, expr: &Expr) {
        if let Expr::Local(local) = expr {
            return self.variable(parent, local.index());
        }
        let label = self.labels.expr(self.interner, expr);
        let id = self.open(parent, Sort::Expression, label);
        for child in ir::children(expr) {
            self.expr(id, child);
        }
        self.close(id);
    }

    fn label(&mut self, parent: NodeId, label: LabelId) {
        let variables = &mut self.tree.variables;
        let ty = self.interner.text("label");
        let variable = *self.label_variables.entry(label).or_insert_with(|| {
            variables.push(Variable { name: None, has_namesake: false, is_fixed: false, ty });
            variables.len() - 1
        });
        self.variable(parent, variable);
    }

    fn variable(&mut self, parent: NodeId, variable: usize) {
        let label = self.interner.text(&format!("variable {}", self.tree.variables[variable].ty));
        self.open(parent, Sort::Variable(variable), label);
    }
}
