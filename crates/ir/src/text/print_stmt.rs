//! Prints statements.

use super::print::Printer;
use super::words::write_text;
use crate::{Block, Catch, CatchKind, ErrorId, Expr, LocalId, Span, Stmt, StmtKind, Stream, Type};

impl<'a> Printer<'a> {
    /// The statements of a block, one level further in.
    pub(super) fn block(&mut self, block: &'a Block) {
        self.indent += 1;
        for stmt in block {
            self.margin();
            self.stmt(stmt);
            self.put("\n");
        }
        self.indent -= 1;
    }

    fn margin(&mut self) {
        for _ in 0..self.indent {
            self.put("  ");
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                self.branches(condition, stmt.span, then, otherwise);
            }
            StmtKind::Loop { label, body } => {
                self.args(format_args!("loop L{}", label.0));
                self.span(stmt.span);
                self.braces(body);
            }
            StmtKind::Scope { label, body } => {
                self.args(format_args!("scope L{}", label.0));
                self.span(stmt.span);
                self.braces(body);
            }
            StmtKind::Try { body, catches } => {
                self.put("try");
                self.span(stmt.span);
                self.braces(body);
                for catch in catches {
                    self.catch(catch);
                }
            }
            simple => {
                self.simple(simple);
                self.span(stmt.span);
            }
        }
    }

    /// A statement without the blocks in it: `if x`, `loop L0`, `try`.
    pub(super) fn head(&mut self, kind: &'a StmtKind) {
        match kind {
            StmtKind::If { condition, .. } => self.word_and("if", condition),
            StmtKind::Loop { label, .. } => self.args(format_args!("loop L{}", label.0)),
            StmtKind::Scope { label, .. } => self.args(format_args!("scope L{}", label.0)),
            StmtKind::Try { .. } => self.put("try"),
            simple => self.simple(simple),
        }
    }

    /// A conditional; one that is alone in the other branch goes on as `else if`.
    fn branches(
        &mut self,
        mut condition: &'a Expr,
        mut span: Span,
        mut then: &'a Block,
        mut otherwise: &'a Block,
    ) {
        loop {
            self.put("if ");
            self.expr(condition, None);
            self.span(span);
            self.braces(then);
            match &otherwise[..] {
                [] => return,
                [Stmt { kind: StmtKind::If { condition: c, then: t, otherwise: o }, span: s }] => {
                    (condition, span, then, otherwise) = (c, *s, t, o);
                    self.put(" else ");
                }
                _ => {
                    self.put(" else");
                    return self.braces(otherwise);
                }
            }
        }
    }

    fn catch(&mut self, catch: &'a Catch) {
        self.put(" catch");
        match &catch.kind {
            CatchKind::Any => self.put(" any"),
            CatchKind::Errors(errors) if errors.is_empty() => {}
            CatchKind::Errors(errors) => {
                self.put(" ");
                self.list(errors, |printer, error| printer.error(*error));
            }
        }
        if let Some(local) = catch.message {
            self.put(" as ");
            self.local(local);
        }
        self.braces(&catch.body);
    }

    fn braces(&mut self, block: &'a Block) {
        self.put(" {");
        if !block.is_empty() {
            self.put("\n");
            self.block(block);
            self.margin();
        }
        self.put("}");
    }

    /// A statement without blocks in it.
    fn simple(&mut self, kind: &'a StmtKind) {
        match kind {
            StmtKind::Assign { local, value } => {
                self.local(*local);
                self.put(" = ");
                self.expr(value, self.local_type(*local));
            }
            StmtKind::AssignGlobal { global, value } => {
                self.global_use(*global);
                self.put(" = ");
                self.expr(value, self.program.globals.get(global.index()).map(|it| &it.ty));
            }
            StmtKind::Store { region, object, index, value } => {
                self.put("store ");
                self.cell(*region, object, index.as_ref());
                self.put(" = ");
                self.expr(value, self.program.regions.get(region.index()).map(|it| &it.value));
            }
            StmtKind::New { local, shape, length, unwritten } => {
                self.local(*local);
                self.put(if *unwritten { " = new_unwritten " } else { " = new " });
                self.entry(self.program.shapes.get(shape.index()).map(|it| &it.name), shape.0);
                if let Some(length) = length {
                    let ty = self.program.length_type(*shape).map(Type::Int);
                    self.put("(");
                    self.expr(length, ty.as_ref());
                    self.put(")");
                }
            }
            StmtKind::Free { object } => self.word_and("free", object),
            StmtKind::Break(label) => self.args(format_args!("break L{}", label.0)),
            StmtKind::Continue(label) => self.args(format_args!("continue L{}", label.0)),
            StmtKind::Return(None) => self.put("return"),
            StmtKind::Return(Some(value)) => {
                self.put("return ");
                self.expr(value, self.current.and_then(|procedure| procedure.result.as_ref()));
            }
            StmtKind::Call { local, callee, args } => {
                if let Some(local) = local {
                    self.local(*local);
                    self.put(" = ");
                }
                let callee_entry = self.program.procedures.get(callee.index());
                self.put("call ");
                self.entry(callee_entry.map(|it| &it.name), callee.0);
                self.put("(");
                for (position, arg) in args.iter().enumerate() {
                    if position > 0 {
                        self.put(", ");
                    }
                    let parameter = callee_entry.and_then(|it| it.locals.get(position));
                    self.expr(arg, parameter.map(|it| &it.ty));
                }
                self.put(")");
            }
            StmtKind::Throw { error, message } => {
                self.put("throw ");
                self.error(*error);
                if let Some(message) = message {
                    self.put("(");
                    self.expr(message, None);
                    self.put(")");
                }
            }
            StmtKind::Check { condition, error } => self.condition("check", condition, *error),
            StmtKind::Assert { condition, error } => self.condition("assert", condition, *error),
            StmtKind::Assume { condition } => self.word_and("assume", condition),
            StmtKind::Print { stream: Stream::Output, text } => self.word_and("print", text),
            StmtKind::Print { stream: Stream::Error, text } => self.word_and("print_error", text),
            StmtKind::Unsupported { what } => {
                self.put("unsupported ");
                write_text(&mut self.out, what.encode_utf16());
            }
            StmtKind::If { .. } | StmtKind::Loop { .. } | StmtKind::Scope { .. } | StmtKind::Try { .. } => {
                unreachable!("statements with blocks should be printed by `stmt`")
            }
        }
    }

    fn word_and(&mut self, word: &str, expr: &Expr) {
        self.put(word);
        self.put(" ");
        self.expr(expr, None);
    }

    fn condition(&mut self, word: &str, condition: &Expr, error: ErrorId) {
        self.word_and(word, condition);
        self.put(" else ");
        self.error(error);
    }

    fn local(&mut self, local: LocalId) {
        let entry = self.current.and_then(|procedure| procedure.locals.get(local.index()));
        self.entry(entry.map(|it| &it.name), local.0);
    }

    fn local_type(&self, local: LocalId) -> Option<&'a Type> {
        Some(&self.current?.locals.get(local.index())?.ty)
    }

    fn error(&mut self, error: ErrorId) {
        self.entry(self.program.errors.get(error.index()), error.0);
    }
}
