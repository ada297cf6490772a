//! The checks of procedures and their statements.

use std::collections::HashSet;

use super::Checker;
use super::depth::block_too_deep;
use crate::{
    Block, CatchKind, Cells, ErrorId, Expr, LabelId, LocalId, ProcId, Procedure, ShapeId, Span, StmtKind,
    Type, for_each_stmt, print_type,
};

/// A loop or scope around the current statement.
#[derive(Clone, Copy)]
struct Target {
    label: LabelId,
    is_loop: bool,
}

impl<'a> Checker<'a> {
    pub(super) fn procedure(&mut self, id: ProcId) {
        let procedure = self.program.procedure(id);
        self.place = format!("procedure `{}`", procedure.name);
        self.check_span(procedure.span);
        self.unique("local", procedure.locals.iter().map(|local| &local.name));
        self.ensure(procedure.params <= procedure.locals.len(), || {
            format!("there are {} parameters but {} locals", procedure.params, procedure.locals.len())
        });
        let mut types_are_shallow = true;
        for ty in procedure.locals.iter().map(|local| &local.ty).chain(&procedure.result) {
            types_are_shallow &= self.shallow_type(ty);
        }
        match &procedure.body {
            None => self.ensure(procedure.params == procedure.locals.len(), || {
                "a procedure without a body should have no locals but its parameters".to_owned()
            }),
            Some(body) if block_too_deep(body, 0) => self.report("the body nests too deep"),
            Some(body) if types_are_shallow && procedure.params <= procedure.locals.len() => {
                self.labels(body);
                self.block(procedure, body, &mut Vec::new());
            }
            Some(_) => {}
        }
        self.span = Span::NOWHERE;
    }

    fn labels(&mut self, body: &Block) {
        let mut seen = HashSet::new();
        for_each_stmt(body, &mut |stmt| {
            if let StmtKind::Loop { label, .. } | StmtKind::Scope { label, .. } = stmt.kind {
                self.span = stmt.span;
                self.ensure(seen.insert(label), || format!("there are two labels L{}", label.0));
            }
        });
    }

    fn check_span(&mut self, span: Span) {
        self.span = Span::NOWHERE;
        if !span.is_nowhere() && self.in_table(&self.program.files, span.file.index(), "file") {
            self.span = span;
        }
    }

    fn block(&mut self, procedure: &'a Procedure, block: &'a Block, targets: &mut Vec<Target>) {
        for stmt in block {
            self.check_span(stmt.span);
            self.stmt(procedure, &stmt.kind, targets);
        }
    }

    fn stmt(&mut self, procedure: &'a Procedure, kind: &'a StmtKind, targets: &mut Vec<Target>) {
        let program = self.program;
        match kind {
            StmtKind::Assign { local, value } => {
                if let Some(ty) = self.local_type(procedure, *local) {
                    self.expect(procedure, value, ty);
                }
            }
            StmtKind::AssignGlobal { global, value } => {
                if self.in_table(&program.globals, global.index(), "global") {
                    let global = program.global(*global);
                    self.ensure(!global.constant, || {
                        format!("the constant global `{}` should not be assigned", global.name)
                    });
                    self.expect(procedure, value, &global.ty);
                }
            }
            StmtKind::Store { region, object, index, value } => {
                if let Some(ty) = self.cell(procedure, *region, object, index.as_ref()) {
                    self.expect(procedure, value, &ty);
                }
            }
            StmtKind::New { local, shape, length, unwritten: _ } => {
                self.new_object(procedure, *local, *shape, length.as_ref())
            }
            StmtKind::Free { object } => self.expect_ref(procedure, object),
            StmtKind::If { condition, then, otherwise } => {
                self.expect(procedure, condition, &Type::Bool);
                self.block(procedure, then, targets);
                self.block(procedure, otherwise, targets);
            }
            StmtKind::Loop { label, body } => {
                self.inside(procedure, Target { label: *label, is_loop: true }, body, targets);
            }
            StmtKind::Scope { label, body } => {
                self.inside(procedure, Target { label: *label, is_loop: false }, body, targets);
            }
            StmtKind::Break(label) => {
                let found = targets.iter().any(|target| target.label == *label);
                self.ensure(found, || format!("there is no loop or scope L{} around this `break`", label.0));
            }
            StmtKind::Continue(label) => {
                let found = targets.iter().any(|target| target.label == *label && target.is_loop);
                self.ensure(found, || format!("there is no loop L{} around this `continue`", label.0));
            }
            StmtKind::Return(value) => match (value, &procedure.result) {
                (None, None) => {}
                (Some(value), Some(ty)) => self.expect(procedure, value, ty),
                (None, Some(_)) => self.report("this `return` should have a value"),
                (Some(_), None) => self.report("this `return` should have no value"),
            },
            StmtKind::Call { local, callee, args } => self.call(procedure, *local, *callee, args),
            StmtKind::Throw { error, message } => {
                self.check_error(*error);
                if let Some(message) = message {
                    let carried = self.program.carried.clone();
                    self.expect(procedure, message, &carried);
                }
            }
            StmtKind::Try { body, catches } => {
                self.block(procedure, body, targets);
                for catch in catches {
                    if let CatchKind::Errors(errors) = &catch.kind {
                        errors.iter().for_each(|error| self.check_error(*error));
                    }
                    if let Some(ty) = catch.message.and_then(|local| self.local_type(procedure, local)) {
                        let fits = ty.accepts(&self.program.carried);
                        self.ensure(fits, || "the message should go to a local of its type".to_owned());
                    }
                    self.block(procedure, &catch.body, targets);
                }
            }
            StmtKind::Check { condition, error } | StmtKind::Assert { condition, error } => {
                self.expect(procedure, condition, &Type::Bool);
                self.check_error(*error);
            }
            StmtKind::Assume { condition } => self.expect(procedure, condition, &Type::Bool),
            StmtKind::Print { text, .. } => self.expect(procedure, text, &Type::Text),
            StmtKind::Unsupported { .. } => {}
        }
    }

    fn inside(
        &mut self,
        procedure: &'a Procedure,
        target: Target,
        body: &'a Block,
        targets: &mut Vec<Target>,
    ) {
        targets.push(target);
        self.block(procedure, body, targets);
        targets.pop();
    }

    fn new_object(&mut self, procedure: &Procedure, local: LocalId, shape: ShapeId, length: Option<&Expr>) {
        if let Some(ty) = self.local_type(procedure, local) {
            let is_ref = matches!(ty, Type::Ref(_));
            self.ensure(is_ref, || {
                format!("a new object should not go to a {}", print_type(self.program, ty))
            });
        }
        if !self.in_table(&self.program.shapes, shape.index(), "shape") {
            return;
        }
        let entry = self.program.shape(shape);
        self.ensure(!entry.is_abstract, || format!("the shape `{}` is abstract", entry.name));
        self.ensure(!entry.closed, || format!("the shape `{}` is closed", entry.name));
        match (&entry.cells, length) {
            (Cells::Fields(_), None) => {}
            (Cells::Indexed(_), Some(length)) => {
                if let Some(ty) = self.program.length_type(shape) {
                    self.expect(procedure, length, &Type::Int(ty));
                }
            }
            (Cells::Fields(_), Some(_)) => self.report("an object with fields should have no length"),
            (Cells::Indexed(_), None) => self.report("an object with cells by index should have a length"),
        }
    }

    fn call(&mut self, procedure: &Procedure, local: Option<LocalId>, callee: ProcId, args: &[Expr]) {
        if !self.in_table(&self.program.procedures, callee.index(), "procedure") {
            return;
        }
        let callee = self.program.procedure(callee);
        self.ensure(args.len() == callee.params, || {
            format!("`{}` should get {} arguments, not {}", callee.name, callee.params, args.len())
        });
        for (arg, parameter) in args.iter().zip(&callee.locals) {
            self.expect(procedure, arg, &parameter.ty);
        }
        if let Some(ty) = local.and_then(|local| self.local_type(procedure, local)) {
            let fits = callee.result.as_ref().is_some_and(|result| ty.accepts(result));
            self.ensure(fits, || {
                format!("`{}` does not give a {}", callee.name, print_type(self.program, ty))
            });
        }
    }

    fn check_error(&mut self, error: ErrorId) {
        self.in_table(&self.program.errors, error.index(), "error");
    }

    pub(super) fn local_type<'p>(&mut self, procedure: &'p Procedure, local: LocalId) -> Option<&'p Type> {
        let found = self.in_table(&procedure.locals, local.index(), "local");
        found.then(|| &procedure.local(local).ty)
    }
}
