//! `try` with resources, in terms of simpler statements (JLS 14.20.3).
//!
//! ```text
//! try (R r = e) { s }        R r = e;  Throwable p = null;
//!                            try { s } catch (Throwable t) { p = t; throw t; }
//!                            finally { if (r != null) if (p == null) r.close(); else try { r.close(); }
//!                                      catch (Throwable t) { p.addSuppressed(t); } }
//! ```
//!
//! The statements that are made up stand nowhere.

use ir::Span;
use tree_sitter::Node;

use super::parse::Reader;
use super::{BinaryOp, CatchClause, Expr, ExprKind, Literal, Stmt, StmtKind, TypeRef};

/// What failed in the body of a `try` with resources, and what fails when they are closed.
const PRIMARY: &str = "$primary";
const CAUGHT: &str = "$caught";

impl Reader<'_> {
    pub(super) fn try_with_resources(&mut self, node: Node<'_>) -> StmtKind {
        let span = self.span(node);
        let StmtKind::Try { body, catches, finally } = self.try_stmt(node) else { return StmtKind::Empty };
        let resources = self.field(node, "resources").map(|list| self.children(list)).unwrap_or_default();
        let mut inner = body;
        for resource in resources.into_iter().rev() {
            inner = self.with_resource(resource, inner);
        }
        if catches.is_empty() && finally.is_none() {
            return StmtKind::Block(inner);
        }
        let body = vec![Stmt { kind: StmtKind::Block(inner), span }];
        StmtKind::Try { body, catches, finally }
    }

    /// The statements of a `try` with one resource.
    fn with_resource(&mut self, node: Node<'_>, body: Vec<Stmt>) -> Vec<Stmt> {
        let span = self.span(node);
        let mut stmts = Vec::new();
        let (name, value) = match self.field(node, "name") {
            Some(name) => {
                let name = self.text(name).to_owned();
                let ty = self.field(node, "type").map_or(TypeRef::Var, |ty| self.type_ref(ty));
                (name, Some((ty, self.required(node, "value"))))
            }
            None => {
                let value = self.children(node).first().map(|value| self.expr(*value));
                ("$resource".to_owned(), value.map(|value| (TypeRef::Var, value)))
            }
        };
        if let Some((ty, init)) = value {
            let kind = StmtKind::Local { is_final: false, ty, name: name.clone(), init: Some(init) };
            stmts.push(Stmt { kind, span });
        }
        let init = Some(expr(ExprKind::Literal(Literal::Null)));
        stmts.push(stmt(StmtKind::Local {
            is_final: false,
            ty: throwable(),
            name: PRIMARY.to_owned(),
            init,
        }));
        let keep = ExprKind::Assign { lhs: Box::new(name_of(PRIMARY)), rhs: Box::new(name_of(CAUGHT)) };
        let again = StmtKind::Throw(name_of(CAUGHT));
        let keep = CatchClause {
            types: vec![throwable()],
            name: CAUGHT.to_owned(),
            body: vec![stmt(StmtKind::Expr(expr(keep))), stmt(again)],
        };
        let finally = Some(vec![close(&name)]);
        stmts.push(stmt(StmtKind::Try { body, catches: vec![keep], finally }));
        stmts
    }
}

/// Closes a resource: what fails then comes second to what failed before.
fn close(resource: &str) -> Stmt {
    let call = |target: &str, name: &str, args: Vec<Expr>| {
        let target = Some(Box::new(name_of(target)));
        stmt(StmtKind::Expr(expr(ExprKind::Call { target, name: name.to_owned(), args })))
    };
    let suppress = CatchClause {
        types: vec![throwable()],
        name: CAUGHT.to_owned(),
        body: vec![call(PRIMARY, "addSuppressed", vec![name_of(CAUGHT)])],
    };
    let body = vec![call(resource, "close", Vec::new())];
    let after_failure = stmt(StmtKind::Try { body, catches: vec![suppress], finally: None });
    let choice = StmtKind::If {
        condition: expr(is(BinaryOp::Eq, name_of(PRIMARY))),
        then: Box::new(call(resource, "close", Vec::new())),
        otherwise: Some(Box::new(after_failure)),
    };
    stmt(StmtKind::If {
        condition: expr(is(BinaryOp::Ne, name_of(resource))),
        then: Box::new(stmt(choice)),
        otherwise: None,
    })
}

fn is(op: BinaryOp, value: Expr) -> ExprKind {
    ExprKind::Binary { op, lhs: Box::new(value), rhs: Box::new(expr(ExprKind::Literal(Literal::Null))) }
}

fn throwable() -> TypeRef {
    TypeRef::Named(["java", "lang", "Throwable"].map(str::to_owned).to_vec(), false)
}

fn name_of(name: &str) -> Expr {
    expr(ExprKind::Name(name.to_owned()))
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::NOWHERE }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::NOWHERE }
}
