//! `throw`, `try`, `catch` and `finally`. Exact, but that some messages are not known.
//!
//! In the IR an exception is the name of an error, and what it carries ([`carried_type`]): its message, whether that is
//! known, and its object. What the language throws, and `throw new` of a class of the library, has no object yet: where
//! the source uses what it caught, one is made, which nobody else has seen.

use ir::{Catch, CatchKind, Const, Expr as IrExpr, StmtKind as IrStmtKind, Target, Type};

use super::body::{Body, Value, i32_const, is_null, not};
use super::jumps::{Frame, FrameKind, has_code};
use crate::syntax::{CatchClause, Expr, ExprKind, Stmt};
use crate::types::{ClassId, Ty};

impl<'a> Body<'_, 'a> {
    pub(super) fn throw(&mut self, value: &'a Expr) {
        if let ExprKind::New { ty, args } = &value.kind
            && let Ty::Class(class) = self.resolve(ty)
            && self.cx.table.class(class).is_library
            && self.cx.table.is_exception(class)
            && let Some(message) = self.library_message(class, args)
        {
            let error = self.cx.error_of(class);
            let message = message.map(carrying_text);
            self.emit(IrStmtKind::Throw { error, message });
            return;
        }
        let value = self.expr(value);
        self.throw_value(value);
    }

    /// The message of an exception of the library from its arguments: a text, a cause, both or neither.
    /// There is none if it is not known: that of a cause, and what the model of the library leaves out.
    fn library_message(&mut self, class: ClassId, args: &'a [Expr]) -> Option<Option<IrExpr>> {
        let takes_any = self.cx.table.class(class).name == "AssertionError";
        let is_model = self.cx.table.class(self.class).is_library;
        let values = self.in_order(args, |body, arg| body.expr(arg));
        match values.as_slice() {
            [] => Some((!is_model).then_some(IrExpr::Const(Const::NullText))),
            [first, ..] if first.ty == Ty::Text => Some(Some(first.expr.clone())),
            [first] if first.ty.unboxed().is_some() => {
                let text = self.text_of(first.clone());
                Some(Some(text.expr))
            }
            [first] if self.is_exception_or_null(first) => {
                self.ask_for_text(first);
                Some(None)
            }
            [first] if takes_any => {
                let text = self.text_of(first.clone());
                Some(Some(text.expr))
            }
            _ => Some(None),
        }
    }

    fn is_exception_or_null(&self, value: &Value) -> bool {
        match value.ty {
            Ty::Class(class) => self.cx.table.is_exception(class),
            Ty::Null => true,
            _ => false,
        }
    }

    /// An exception that is given a cause and no text asks the cause for one when it is made. What the library answers is
    /// known to do nothing else; what the program answers is not looked into.
    pub(super) fn ask_for_text(&mut self, cause: &Value) {
        let Ty::Class(class) = cause.ty else { return };
        let reason = "an exception with a cause that makes its text itself";
        let table = &self.cx.table;
        if OF_TEXTS.iter().any(|name| table.hides_nameless(class, Some(name), true)) {
            self.unsupported(reason);
            return;
        }
        let classes = self.cx.possible_classes(class).into_iter();
        let asked: Vec<ClassId> =
            classes.filter(|class| OF_TEXTS.iter().any(|name| self.has_own(*class, name))).collect();
        if asked.is_empty() {
            return;
        }
        let shapes = asked.into_iter().map(|class| self.cx.shape_of(&Ty::Class(class))).collect();
        let condition = IrExpr::HasShape { object: Box::new(cause.expr.clone()), shapes };
        let (_, then) = self.in_block(|body| drop(body.unsupported(reason)));
        self.emit(IrStmtKind::If { condition, then, otherwise: Vec::new() });
    }

    /// Whether the program says what an exception does when it is made, before anything else of its class is known: the
    /// constructors of `Throwable` call `fillInStackTrace`.
    pub(super) fn refuse_own_trace(&mut self, class: ClassId) {
        if !self.cx.table.is_exception(class) {
            return;
        }
        let classes = self.cx.possible_classes(class);
        if classes.into_iter().any(|class| self.has_own(class, FILLS_TRACE)) {
            self.unsupported("an exception with a `fillInStackTrace` of its own");
        }
    }

    /// Throws an object: the error is found from its class, the message is read from it.
    fn throw_value(&mut self, value: Value) {
        let class = match value.ty {
            Ty::Class(class) if self.cx.table.is_exception(class) => class,
            Ty::Unknown(_) => return,
            Ty::Foreign(_) if value.ty != Ty::of_result() => {
                self.throw_foreign(value);
                return;
            }
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
        let answers_itself = self.cx.table.hides_nameless(class, Some("getMessage"), true);
        if self.may_be_nameless(class, None) || answers_itself {
            self.unsupported("`throw` of an exception whose class may have no name");
        }
        let classes = self.cx.possible_classes(class);
        let message = self.throwable_field(&value, "$message");
        let is_unknown = self.throwable_field(&value, "$unknown");
        for (index, class) in classes.iter().enumerate() {
            let error = self.cx.error_of(*class);
            // What a method of the program answers is not known before it is asked.
            let known = match self.answers_for_itself(*class) {
                true => IrExpr::Const(Const::Bool(false)),
                false => not(is_unknown.clone()),
            };
            let carried = carrying(message.clone(), known, value.expr.clone());
            let throw = IrStmtKind::Throw { error, message: Some(carried) };
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

    /// Whether a class of the program has a `getMessage` of its own.
    fn answers_for_itself(&self, class: ClassId) -> bool {
        self.has_own(class, "getMessage")
    }

    /// Whether a class of the program declares a method of this name, here or above.
    fn has_own(&self, class: ClassId, name: &str) -> bool {
        let methods = self.cx.methods_named(class, name);
        methods.iter().any(|method| !self.cx.table.class(self.cx.table.method(*method).class).is_library)
    }

    /// What a field of `Throwable` in the model of the library holds.
    fn throwable_field(&mut self, exception: &Value, name: &str) -> IrExpr {
        let throwable = self.cx.table.throwable;
        let field = self.cx.table.find_field(throwable, name);
        self.load_field(exception.expr.clone(), field.expect("`Throwable` should have this field")).expr
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
        let message = self.temp(carried_type());
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
        catches.iter().for_each(|clause| self.note_limits(clause));
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
                let mut handler = self.catch_object(*class, local);
                let (_, body) = self.in_block(|lowering| lowering.block(&clause.body));
                handler.body.extend(body);
                handlers.push(handler);
            } else {
                let code = *code.get_or_insert_with(|| self.temp_for(&Ty::INT));
                let number = i32::try_from(after.len() + 1).unwrap_or(i32::MAX);
                for class in classes {
                    let mut handler = self.catch_object(class, local);
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

    /// Stack and memory never run out here, so that a handler for that would never run.
    fn note_limits(&mut self, clause: &CatchClause) {
        for ty in &clause.types {
            let Ty::Class(class) = self.resolve(ty) else { continue };
            let info = self.cx.table.class(class);
            match info.name.as_str() {
                _ if !info.is_library => {}
                "VirtualMachineError" | "StackOverflowError" | "OutOfMemoryError" => {
                    self.unsupported("a handler for running out of stack or memory");
                }
                "Error" | "Throwable" => {
                    self.assume_in_words("nothing runs out of stack or memory where a handler would see it");
                }
                _ => {}
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

    /// A handler that has the object that was caught; one is made if it has none yet.
    fn catch_object(&mut self, class: ClassId, local: ir::LocalId) -> Catch {
        let carried = self.temp(carried_type());
        let part = |index| IrExpr::Get { record: Box::new(IrExpr::Local(carried)), index };
        let is_library = self.cx.table.class(class).is_library;
        let (_, body) = self.in_block(|body| {
            let take = IrStmtKind::Assign { local, value: part(OBJECT) };
            // Only `throw` throws what the program defines, and it throws objects.
            if !is_library {
                body.emit(take);
                return;
            }
            let (_, made) = body.in_block(|body| body.make_caught(class, local, part(MESSAGE), part(KNOWN)));
            let has_none = is_null(&Value::new(part(OBJECT), Ty::Class(class)));
            let otherwise = vec![ir::Stmt { kind: take, span: body.span }];
            body.emit(IrStmtKind::If { condition: has_none, then: made, otherwise });
        });
        let error = self.cx.error_of(class);
        Catch { kind: CatchKind::Errors(vec![error]), message: Some(carried), body }
    }

    /// Makes the object of an exception that nobody has seen.
    fn make_caught(&mut self, class: ClassId, local: ir::LocalId, message: IrExpr, known: IrExpr) {
        let shape = self.cx.shape_of(&Ty::Class(class));
        self.emit(IrStmtKind::New { local, shape, length: None, unwritten: false });
        let binary_name = self.cx.table.class(class).binary_name.clone();
        let (message, unknown) = match ir::message_of_check(&binary_name) {
            // Whatever else throws it gives it a message.
            Some(text) => {
                let text = IrExpr::Const(Const::text(text));
                (if_else(known, message, text), IrExpr::Const(Const::Bool(false)))
            }
            None => (message, not(known)),
        };
        let throwable = self.cx.table.throwable;
        for (name, value) in [("$message", message), ("$unknown", unknown)] {
            let field = self.cx.table.find_field(throwable, name);
            let region = self.cx.field_region(field.expect("`Throwable` should have this field"));
            self.emit(IrStmtKind::Store { region, object: IrExpr::Local(local), index: None, value });
        }
    }
}

/// What an exception is asked for when its text is wanted.
const OF_TEXTS: [&str; 3] = ["toString", "getMessage", "getLocalizedMessage"];

/// What the constructors of `Throwable` call.
pub(super) const FILLS_TRACE: &str = "fillInStackTrace";

/// The places of what an exception carries.
const MESSAGE: u32 = 0;
const KNOWN: u32 = 1;
const OBJECT: u32 = 2;

/// What an exception carries: its message, whether that is known, and its object or null.
pub(crate) fn carried_type() -> Type {
    Type::Record(vec![Type::Text, Type::Bool, Type::Ref(Target::Any)])
}

fn carrying(message: IrExpr, known: IrExpr, object: IrExpr) -> IrExpr {
    IrExpr::Record(vec![message, known, object])
}

/// What an exception carries that has this message and no object.
pub(super) fn carrying_text(message: IrExpr) -> IrExpr {
    carrying(message, true_const(), IrExpr::Const(Const::Null))
}

fn true_const() -> IrExpr {
    IrExpr::Const(Const::Bool(true))
}

fn if_else(condition: IrExpr, then: IrExpr, otherwise: IrExpr) -> IrExpr {
    IrExpr::If { condition: Box::new(condition), then: Box::new(then), otherwise: Box::new(otherwise) }
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
