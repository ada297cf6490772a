//! What the code of a program puts into fields, as far as it shows at the place.
//!
//! ```text
//! this.data = new int[8];                                    an array of 8 elements
//! if (p == null) throw new Bad();  this.p = p;               something that is not null
//! ```
//!
//! Over-approximating: what is not recognised is `Other`, which may be anything.

use super::field_uses::Walk;
use super::stable::path;
use crate::syntax::{BinaryOp, Expr, ExprKind, Literal, Stmt, StmtKind};

/// One value that a field is given.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Given {
    Literal(Literal),
    /// A new array, with its length where that is known.
    Array(Option<usize>),
    /// Something that is not null.
    Object,
    Other,
}

impl Given {
    pub(crate) fn is_not_null(&self) -> bool {
        match self {
            Given::Literal(literal) => *literal != Literal::Null,
            Given::Array(_) | Given::Object => true,
            Given::Other => false,
        }
    }
}

impl Walk<'_, '_, '_> {
    pub(super) fn given(&self, expr: &Expr) -> Given {
        match &expr.kind {
            ExprKind::Literal(literal) => Given::Literal(literal.clone()),
            ExprKind::NewArray { dims, .. } => Given::Array(dims.first().and_then(length)),
            ExprKind::ArrayInit { elements, .. } => Given::Array(Some(elements.len())),
            ExprKind::New { .. } => Given::Object,
            ExprKind::Name(name) if self.not_null.contains(name) => Given::Object,
            ExprKind::Call { .. } if self.required(expr).is_some() => Given::Object,
            ExprKind::Conditional { then, otherwise, .. } => {
                let both = [self.given(then), self.given(otherwise)];
                if both.iter().all(Given::is_not_null) { Given::Object } else { Given::Other }
            }
            _ => Given::Other,
        }
    }

    /// Learns which parameters are not null after a statement of the outermost block. Those in `assigned` do not count.
    pub(super) fn learn_not_null(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { condition, then, .. } if always_throws(then) => self.learn_from_test(condition),
            StmtKind::Expr(expr) => {
                if let Some(name) = self.required(expr) {
                    self.learn(&name);
                }
            }
            _ => {}
        }
    }

    /// The condition is false.
    fn learn_from_test(&mut self, condition: &Expr) {
        let ExprKind::Binary { op, lhs, rhs } = &condition.kind else { return };
        match (op, &lhs.kind, &rhs.kind) {
            (BinaryOp::OrElse, ..) => {
                self.learn_from_test(lhs);
                self.learn_from_test(rhs);
            }
            (BinaryOp::Eq, ExprKind::Name(name), ExprKind::Literal(Literal::Null))
            | (BinaryOp::Eq, ExprKind::Literal(Literal::Null), ExprKind::Name(name)) => self.learn(name),
            _ => {}
        }
    }

    fn learn(&mut self, name: &str) {
        if self.params.contains(name) {
            self.not_null.insert(name.to_owned());
        }
    }

    /// The name in `Objects.requireNonNull(name)`, which fails if it is null; empty for another argument.
    fn required(&self, expr: &Expr) -> Option<String> {
        let ExprKind::Call { target: Some(target), name, args } = &expr.kind else { return None };
        let owner = path(target)?;
        let is_variable = owner.first().is_some_and(|first| {
            self.locals.contains_key(first) || self.table.field_in_scope(self.class, first).is_some()
        });
        let is_library = self.table.foreign_class(&owner, Some(self.class)).as_deref()
            == Some("java.util.Objects")
            && self.table.resolve_path(&owner, Some(self.class)).is_none();
        if name != "requireNonNull" || is_variable || !is_library {
            return None;
        }
        match &args.first()?.kind {
            ExprKind::Name(name) => Some(name.clone()),
            _ => Some(String::new()),
        }
    }
}

/// The parameters that a body of code never assigns.
pub(super) fn unassigned<'n>(names: impl Iterator<Item = &'n str>, body: &[Stmt]) -> Vec<&'n str> {
    let mut names: Vec<&str> = names.collect();
    for stmt in body {
        stmt.for_each_expr(&mut |expr| {
            let (ExprKind::Assign { lhs: place, .. }
            | ExprKind::Compound { lhs: place, .. }
            | ExprKind::Update { arg: place, .. }) = &expr.kind
            else {
                return;
            };
            if let ExprKind::Name(assigned) = &place.kind {
                names.retain(|name| name != assigned);
            }
        });
    }
    names
}

fn length(dim: &Expr) -> Option<usize> {
    match &dim.kind {
        ExprKind::Literal(Literal::Int(value)) => usize::try_from(*value).ok(),
        _ => None,
    }
}

fn always_throws(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Throw(_) => true,
        StmtKind::Block(body) => body.last().is_some_and(always_throws),
        _ => false,
    }
}
