//! `throw`, `try`, `catch` and `finally`. Exact, but that a caught object has lost the fields of its own class.
//!
//! In the IR an exception is the name of an error and a message. Where the source uses the object it caught,
//! a new object of the class is made from these.

use ir::{Catch, CatchKind, Const, Expr as IrExpr, StmtKind as IrStmtKind};

use super::body::{Body, Value, i32_const};
use super::jumps::{Frame, FrameKind, has_code};
use crate::syntax::{CatchClause, Expr, ExprKind, Stmt};
use crate::types::{ClassId, Ty};

impl<'a> Body<'_, 'a> {
    pub(super) fn throw(&mut self, value: &'a Expr) {
        if let ExprKind::New { ty, args } = &value.kind
            && let Ty::Class(class) = self.resolve(ty)
            && self.cx.table.class(class).is_library
            && self.cx.table.is_exception(class)
            && let Some(message) = self.library_message(args)
        {
            let error = self.cx.error_of(class);
            self.emit(IrStmtKind::Throw { error, message });
            return;
        }
        let value = self.expr(value);
        self.throw_value(value);
    }

    /// The message of an exception of the library from its arguments: a text, a cause, both or neither.
    fn library_message(&mut self, args: &'a [Expr]) -> Option<Option<IrExpr>> {
        let values = self.in_order(args, |body, arg| body.expr(arg));
        match values.as_slice() {
            [] => Some(None),
            [first, ..] if first.ty == Ty::Text => Some(Some(first.expr.clone())),
            [first] if first.ty.unboxed().is_some() => {
                let text = self.text_of(first.clone());
                Some(Some(text.expr))
            }
            _ => Some(None),
        }
    }

    /// Throws an object: the error is found from its class, the message is read from it.
    fn throw_value(&mut self, value: Value) {
        let class = match value.ty {
            Ty::Class(class) if self.cx.table.is_exception(class) => class,
            Ty::Unknown(_) => return,
            Ty::Null => {
                let error = self.cx.library_error("NullPointerException");
                self.emit(IrStmtKind::Throw { error, message: None });
                return;
            }
            _ => {
                self.unsupported("`throw` of something that is not an exception");
                return;
            }
        };
        let value = self.small(value);
        self.check_not_null(&value);
        let classes = self.cx.possible_classes(class);
        let message = self.message_of(&value);
        for (index, class) in classes.iter().enumerate() {
            let error = self.cx.error_of(*class);
            let throw = IrStmtKind::Throw { error, message: Some(message.clone()) };
            if index + 1 == classes.len() {
                self.emit(throw);
                return;
            }
            let shape = self.cx.shape_of(&Ty::Class(*class));
            let condition = IrExpr::HasShape { object: Box::new(value.expr.clone()), shapes: vec![shape] };
            let then = vec![ir::Stmt { kind: throw, span: self.span }];
            self.emit(IrStmtKind::If { condition, then, otherwise: Vec::new() });
        }
        if classes.is_empty() {
            self.unsupported("`throw` of an exception without a known class");
        }
    }

    fn message_of(&mut self, exception: &Value) -> IrExpr {
        let throwable = self.cx.table.throwable;
        match self.cx.table.find_field(throwable, "$message") {
            Some(field) => self.load_field(exception.expr.clone(), field).expr,
            None => IrExpr::Const(Const::NullText),
        }
    }

    pub(super) fn try_stmt(
        &mut self,
        body: &'a [Stmt],
        catches: &'a [CatchClause],
        finally: Option<&'a [Stmt]>,
    ) {
        let Some(finally) = finally else {
            self.try_catch(body, catches);
            return;
        };
        let code = self.temp_for(&Ty::INT);
        let message = self.temp_for(&Ty::Text);
        let scope = self.new_label();
        self.emit(IrStmtKind::Assign { local: code, value: i32_const(0) });
        let kind = FrameKind::Finally { scope, code, result: None, pending: Vec::new() };
        self.frames.push(Frame { names: Vec::new(), kind });
        let (_, block) = self.in_block(|lowering| lowering.try_catch(body, catches));
        let frame = self.frames.pop();
        // Those of the library first, so that the classes of the program do not change their numbers.
        let mut classes = self.cx.table.concrete_below(self.cx.table.throwable);
        classes.sort_by_key(|class| !self.cx.table.class(*class).is_library);
        let errors: Vec<(i32, ir::ErrorId)> =
            (1..).zip(classes).map(|(number, class)| (-number, self.cx.error_of(class))).collect();
        let handlers = errors
            .iter()
            .map(|(number, error)| {
                let assign = IrStmtKind::Assign { local: code, value: i32_const(*number) };
                Catch {
                    kind: CatchKind::Errors(vec![*error]),
                    message: Some(message),
                    body: vec![ir::Stmt { kind: assign, span: self.span }],
                }
            })
            .collect();
        let attempt = ir::Stmt { kind: IrStmtKind::Try { body: block, catches: handlers }, span: self.span };
        self.emit(IrStmtKind::Scope { label: scope, body: vec![attempt] });
        self.block(finally);
        if let Some(frame) = frame {
            self.resume_jumps(frame);
        }
        for (number, error) in errors {
            let throw = IrStmtKind::Throw { error, message: Some(IrExpr::Local(message)) };
            let then = vec![ir::Stmt { kind: throw, span: self.span }];
            self.emit(IrStmtKind::If { condition: has_code(code, number), then, otherwise: Vec::new() });
            self.cx.pending_errors.push((self.proc, code, number, error));
        }
    }

    fn try_catch(&mut self, body: &'a [Stmt], catches: &'a [CatchClause]) {
        let (_, block) = self.in_block(|lowering| lowering.block(body));
        if catches.is_empty() {
            self.block.extend(block);
            return;
        }
        let mut handlers = Vec::new();
        // Clauses that need the object of one of several classes run after the `try`, chosen by this local.
        let mut after = Vec::new();
        let mut code = None;
        for clause in catches {
            let classes = self.caught_classes(clause);
            if names_in(&clause.body, &clause.name) == 0 {
                let errors = classes.iter().map(|class| self.cx.error_of(*class)).collect();
                let (_, body) = self.in_block(|lowering| lowering.block(&clause.body));
                handlers.push(Catch { kind: CatchKind::Errors(errors), message: None, body });
                continue;
            }
            self.scopes.push(Vec::new());
            let ty = self.clause_type(clause);
            let local = self.declare(&clause.name, &ty);
            if let [class] = classes.as_slice() {
                let mut handler = self.catch_object(*class, local, clause);
                let (_, body) = self.in_block(|lowering| lowering.block(&clause.body));
                handler.body.extend(body);
                handlers.push(handler);
            } else {
                let code = *code.get_or_insert_with(|| self.temp_for(&Ty::INT));
                let number = i32::try_from(after.len() + 1).unwrap_or(i32::MAX);
                for class in classes {
                    let mut handler = self.catch_object(class, local, clause);
                    let assign = IrStmtKind::Assign { local: code, value: i32_const(number) };
                    handler.body.push(ir::Stmt { kind: assign, span: self.span });
                    handlers.push(handler);
                }
                let (_, body) = self.in_block(|lowering| lowering.block(&clause.body));
                after.push((number, body));
            }
            self.scopes.pop();
        }
        if let Some(code) = code {
            self.emit(IrStmtKind::Assign { local: code, value: i32_const(0) });
        }
        self.emit(IrStmtKind::Try { body: block, catches: handlers });
        for (number, then) in after {
            if let Some(code) = code {
                let condition = has_code(code, number);
                self.emit(IrStmtKind::If { condition, then, otherwise: Vec::new() });
            }
        }
    }

    /// All classes below those that a clause names.
    fn caught_classes(&mut self, clause: &CatchClause) -> Vec<ClassId> {
        let mut classes: Vec<ClassId> = Vec::new();
        for ty in &clause.types {
            if let Ty::Class(class) = self.resolve(ty) {
                classes.extend(self.cx.table.concrete_below(class));
            }
            // Nothing that is modelled throws an exception of an unknown class.
        }
        classes.sort();
        classes.dedup();
        classes
    }

    fn clause_type(&mut self, clause: &CatchClause) -> Ty {
        match clause.types.as_slice() {
            [ty] => self.resolve(ty),
            _ => Ty::Class(self.cx.table.throwable),
        }
    }

    /// A handler that makes the object of the class that was caught.
    fn catch_object(&mut self, class: ClassId, local: ir::LocalId, clause: &CatchClause) -> Catch {
        let message = self.temp_for(&Ty::Text);
        let has_own_fields = self
            .cx
            .instance_fields(class)
            .into_iter()
            .any(|field| !self.cx.table.class(self.cx.table.field(field).class).is_library);
        let (_, body) = self.in_block(|body| {
            if has_own_fields && !only_plain_uses(&clause.body, &clause.name) {
                let name = body.cx.table.class(class).name.clone();
                body.unsupported(format!("the fields of a caught `{name}`"));
                return;
            }
            let shape = body.cx.shape_of(&Ty::Class(class));
            body.emit(IrStmtKind::New { local, shape, length: None });
            let throwable = body.cx.table.throwable;
            if let Some(field) = body.cx.table.find_field(throwable, "$message") {
                let region = body.cx.field_region(field);
                body.emit(IrStmtKind::Store {
                    region,
                    object: IrExpr::Local(local),
                    index: None,
                    value: IrExpr::Local(message),
                });
            }
        });
        let error = self.cx.error_of(class);
        Catch { kind: CatchKind::Errors(vec![error]), message: Some(message), body }
    }
}

/// How often statements name a variable.
fn names_in(stmts: &[Stmt], name: &str) -> usize {
    let mut count = 0;
    for stmt in stmts {
        stmt.for_each_expr(&mut |expr| {
            count += usize::from(matches!(&expr.kind, ExprKind::Name(found) if found == name));
        });
    }
    count
}

/// Whether a caught exception is only asked for its message, thrown again, or given as a cause.
fn only_plain_uses(stmts: &[Stmt], name: &str) -> bool {
    let is_it = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(found) if found == name);
    let mut plain = 0;
    for stmt in stmts {
        stmt.for_each_stmt(&mut |stmt| {
            if let crate::syntax::StmtKind::Throw(value) = &stmt.kind {
                plain += usize::from(is_it(value));
            }
        });
        stmt.for_each_expr(&mut |expr| match &expr.kind {
            ExprKind::Call { target: Some(target), name: method, .. } if is_it(target) => {
                plain += usize::from(matches!(method.as_str(), "getMessage" | "printStackTrace"));
            }
            ExprKind::New { args, .. } => plain += args.iter().filter(|arg| is_it(arg)).count(),
            _ => {}
        });
    }
    plain == names_in(stmts, name)
}
