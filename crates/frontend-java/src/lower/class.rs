//! Methods and constructors as a whole: parameters, field initialisers, calls of other constructors (JLS 12.5).

use std::collections::BTreeMap;

use ir::{Expr as IrExpr, LocalId, Span, StmtKind as IrStmtKind};

use super::Lowering;
use super::body::{Binding, Body, Value, is_null, not};
use super::foreign::Wanted;
use crate::classes::MethodKind;
use crate::syntax::{Member, MethodDecl, Stmt, StmtKind};
use crate::types::{ClassId, FieldId, MethodId, Ty};

/// How deep a lowered body may nest; the validator allows a little more.
const MAX_IR_DEPTH: usize = 900;

impl<'l, 'a> Body<'l, 'a> {
    /// Lowers a method whose procedure has been declared.
    pub(super) fn lower_method(cx: &'l mut Lowering<'a>, id: MethodId) {
        let Some(proc) = cx.table.method(id).proc else { return };
        let mut body = Body::new(cx, id, proc);
        body.bind_parameters(id);
        match body.cx.table.method(id).kind {
            MethodKind::Declared(decl) if decl.name == "<init>" => body.constructor(Some(decl)),
            MethodKind::Declared(decl) => match &decl.body {
                Some(stmts) => {
                    if body.is_entry(decl) {
                        body.start_program();
                    }
                    body.stmts(stmts);
                }
                None => {
                    body.unsupported("a method without a body");
                }
            },
            MethodKind::DefaultConstructor => body.constructor(None),
            MethodKind::StaticInitialiser => body.static_initialiser(),
            MethodKind::InitialValue(field) => body.initial_value(field),
            MethodKind::Constants => body.constant_names(),
            MethodKind::ConstantSources => body.constant_sources(),
            MethodKind::Inherited(target) => body.inherited(target),
            MethodKind::Outside => {
                body.unsupported("a method of a class above, which is not given");
            }
            MethodKind::Parents => {
                let parents = body.cx.table.common_parents(body.class, &body.cx.other);
                let text = Value::constant(ir::Const::text(&parents.join(", ")), Ty::Text);
                body.return_value(Some(text));
            }
            MethodKind::RecordEquals => {
                body.unsupported("`equals` of a record that does not declare it");
            }
            MethodKind::Accessor(field) => {
                let this = body.this.clone();
                let value = body.read_field(field, this);
                let ty = body.result.clone();
                let value = body.convert(value, &ty);
                body.return_value(Some(value));
            }
        }
        let Body { cx, locals, block, assumptions, .. } = body;
        let procedure = &mut cx.program.procedures[proc.index()];
        let too_deep = depth(&block) > MAX_IR_DEPTH;
        procedure.locals = locals;
        procedure.body = Some(if too_deep {
            let what = format!("code that nests deeper than {MAX_IR_DEPTH} levels when it is lowered");
            vec![ir::Stmt { kind: IrStmtKind::Unsupported { what }, span: procedure.span }]
        } else {
            block
        });
        procedure.assumptions = assumptions;
    }

    fn new(cx: &'l mut Lowering<'a>, id: MethodId, proc: ir::ProcId) -> Body<'l, 'a> {
        let method = cx.table.method(id);
        let class = method.class;
        let result = method.result.clone();
        let constructing = method.name == "<init>";
        let type_params: &'a [String] = match method.kind {
            MethodKind::Declared(decl) => &decl.type_params,
            MethodKind::DefaultConstructor
            | MethodKind::Accessor(_)
            | MethodKind::StaticInitialiser
            | MethodKind::InitialValue(_)
            | MethodKind::Constants
            | MethodKind::ConstantSources
            | MethodKind::Inherited(_)
            | MethodKind::Outside
            | MethodKind::Parents
            | MethodKind::RecordEquals => &[],
        };
        let procedure = cx.program.procedure(proc);
        let (locals, span) = (procedure.locals.clone(), procedure.span);
        let is_library = cx.table.class(class).is_library;
        Body {
            cx,
            proc,
            class,
            type_params,
            this: None,
            outer: None,
            result,
            locals,
            block: Vec::new(),
            scopes: vec![Vec::new()],
            patterns: BTreeMap::new(),
            frames: Vec::new(),
            assumptions: Vec::new(),
            span: if is_library { Span::NOWHERE } else { span },
            frozen_span: is_library,
            next_label: 0,
            next_temp: 0,
            inline_depth: 0,
            initialising: None,
            constructing,
        }
    }

    /// The method that is inherited, with the same arguments.
    fn inherited(&mut self, target: MethodId) {
        let first = usize::from(self.this.is_some());
        let params = self.cx.table.method(target).params.clone();
        let args = params
            .into_iter()
            .enumerate()
            .map(|(index, ty)| Value::new(IrExpr::Local(LocalId::from_index(first + index)), ty));
        let args: Vec<Value> = args.collect();
        let this = self.this.clone();
        let owner = self.cx.table.method(target).class;
        let value = match this {
            // What `Object` has may come from the language, or from a class between that is not given.
            Some(this) if self.cx.table.class(owner).is_library => {
                self.call_inherited_of_library(target, this, args)
            }
            this => self.call_method(target, this, args),
        };
        let is_void = value.ty == Ty::Void;
        self.return_value((!is_void).then_some(value));
    }

    fn call_inherited_of_library(&mut self, target: MethodId, this: Value, args: Vec<Value>) -> Value {
        let name = self.cx.table.method(target).name.clone();
        if let Some(text) = self.enum_text(self.class, &this, &name) {
            return text;
        }
        let mut chain = Some(self.class);
        while let Some(class) = chain {
            if let Some(parent) = self.cx.table.unknown_superclass(class) {
                let ty = self.cx.table.method(target).result.clone();
                return self.call_foreign_super_with(&parent, &name, args, &Wanted::Type(ty));
            }
            chain = self.cx.table.class(class).superclass;
        }
        self.call_method(target, Some(this), args)
    }

    fn bind_parameters(&mut self, id: MethodId) {
        let method = self.cx.table.method(id);
        let class = method.class;
        let (is_static, is_constructor) = (method.is_static, method.name == "<init>");
        let types = method.params.clone();
        let mut index = 0;
        if !is_static {
            let ty = self.cx.table.this_type(class);
            let this = Value::new(IrExpr::Local(LocalId(0)), ty);
            if this.ty.unboxed().is_none() {
                self.emit(IrStmtKind::Assume { condition: not(is_null(&this)) });
                self.assume_in_words("`this` is not null");
            }
            self.this = Some(this);
            index = 1;
        }
        self.assume_no_hidden_names(class);
        let has_outer = self.locals.get(index).is_some_and(|local| local.name == "$outer");
        if let (true, Some(outer)) = (has_outer, self.cx.table.class(class).outer) {
            let outer = Value::new(IrExpr::Local(LocalId::from_index(index)), Ty::Class(outer));
            self.emit(IrStmtKind::Assume { condition: not(is_null(&outer)) });
            self.assume_outer_objects(&outer);
            self.outer = Some(outer);
            index += 1;
        } else if let (false, Some(this)) = (is_constructor, self.this.clone()) {
            self.assume_outer_objects(&this);
        }
        for (offset, ty) in types.into_iter().enumerate() {
            let local = LocalId::from_index(index + offset);
            let Some(name) = self.locals.get(local.index()).map(|local| local.name.clone()) else { continue };
            if self.has_subclassed_elements(&ty) {
                self.assume_in_words(format!("the array `{name}` was made with its declared element type"));
            }
            self.assume_outer_objects(&Value::new(IrExpr::Local(local), ty.clone()));
            self.bind(&name, Binding::Local(local, ty));
        }
    }

    /// A parent that is not there could have members that hide what names mean here.
    fn assume_no_hidden_names(&mut self, class: ClassId) {
        let mut enclosing = Some(class);
        while let Some(id) = enclosing {
            if self.cx.table.has_unknown_ancestor(id) {
                let name = self.cx.table.class(id).name.clone();
                self.assume_in_words(format!(
                    "`{name}` inherits nothing from classes whose source is not there that hides a name used here"
                ));
            }
            enclosing = self.cx.table.class(id).outer;
        }
    }

    /// Whether a type is an array of a class that has others below it, so that Java would allow their arrays too.
    fn has_subclassed_elements(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Array(element) => match **element {
                Ty::Class(class) => {
                    self.cx.table.has_nameless_below(class)
                        || self.cx.possible_classes(class).into_iter().any(|below| below != class)
                }
                Ty::Foreign(_) => true,
                _ => self.has_subclassed_elements(element),
            },
            _ => false,
        }
    }

    /// A constructor: another constructor of the class, or that of the superclass, the initialisers, the body.
    fn constructor(&mut self, decl: Option<&'a MethodDecl>) {
        let class = self.class;
        let stmts: &'a [Stmt] = decl.and_then(|decl| decl.body.as_deref()).unwrap_or(&[]);
        let (first, rest) = match stmts.split_first() {
            Some((Stmt { kind: StmtKind::ConstructorCall { is_super, args }, span }, rest)) => {
                (Some((*is_super, args, *span)), rest)
            }
            _ => (None, stmts),
        };
        if let Some((false, args, span)) = first {
            let constructors = self.cx.table.class(class).constructors.clone();
            self.at(span, |body| {
                let values = body.in_order(args, |body, arg| body.argument(arg));
                body.call_constructor(class, &constructors, values);
            });
            self.stmts(rest);
            return;
        }
        // The enclosing object is there before anything runs.
        if let (Some(outer), Some(field), Some(this)) =
            (self.outer.clone(), self.cx.table.class(class).outer_field, self.this.clone())
        {
            let region = self.cx.field_region(field);
            self.emit(IrStmtKind::Store { region, object: this.expr, index: None, value: outer.expr });
        }
        self.call_super_constructor(class, first.map(|(_, args, span)| (args.as_slice(), span)));
        self.initialize_fields(class);
        self.stmts(rest);
        if decl.is_none_or(|decl| decl.compact) {
            self.store_components();
        }
    }

    fn call_super_constructor(&mut self, class: ClassId, call: Option<(&'a [crate::syntax::Expr], Span)>) {
        if let Some(parent) = self.cx.table.unknown_superclass(class) {
            let Some(this) = self.this.clone() else { return };
            let (args, span) = call.unwrap_or((&[], self.span));
            self.at(span, |body| {
                let values = body.in_order(args, |body, arg| body.argument(arg));
                body.construct_foreign(&parent, this, values);
            });
            return;
        }
        let Some(parent) = self.cx.table.class(class).superclass else { return };
        self.refuse_own_trace(class);
        let constructors = self.cx.table.class(parent).constructors.clone();
        match call {
            Some((args, span)) => self.at(span, |body| {
                let values = body.in_order(args, |body, arg| body.argument(arg));
                body.call_constructor(parent, &constructors, values);
            }),
            None => self.call_constructor(parent, &constructors, Vec::new()),
        }
    }

    fn call_constructor(&mut self, class: ClassId, constructors: &[MethodId], values: Vec<Value>) {
        let Some(choice) = self.choose(constructors, &values) else {
            let name = self.cx.table.class(class).name.clone();
            self.no_such_method(&format!("{name}.<init>"), &values);
            return;
        };
        let mut args = Vec::new();
        if self.cx.table.class(class).is_inner {
            match self.outer.clone() {
                Some(outer) => args.push(outer),
                None => {
                    self.unsupported("the outer object of a superclass");
                    return;
                }
            }
        }
        args.extend(self.arguments(choice, values));
        if !self.is_trivial(choice.method) {
            let this = self.this.clone();
            self.call_method(choice.method, this, args);
        }
    }

    /// Field initialisers and initialiser blocks, in the order of the source.
    fn initialize_fields(&mut self, class: ClassId) {
        let decl = self.cx.table.class(class).decl;
        let bindings = std::mem::replace(&mut self.scopes, vec![Vec::new()]);
        for member in &decl.members {
            match member {
                Member::Field(field) if !field.modifiers.is_static => {
                    if let Some(init) = &field.init {
                        self.at(field.span, |body| body.initialize_field(class, &field.name, init));
                    }
                }
                Member::Initializer { is_static: false, body } => self.block(body),
                Member::Field(_) | Member::Initializer { .. } | Member::Method(_) | Member::Class(_) => {}
            }
        }
        self.scopes = bindings;
    }

    fn initialize_field(&mut self, class: ClassId, name: &str, init: &'a crate::syntax::Expr) {
        let Some(field) = self.cx.table.find_field(class, name) else { return };
        let ty = self.cx.table.field(field).ty.clone();
        if self.cx.unread.contains(&field) {
            return;
        }
        if ty.is_unknown() {
            // The field cannot be read, so that only what the initialiser does besides would matter.
            if !is_plain_collection(init) {
                self.expr(init);
            }
            return;
        }
        let value = self.expr_of_type(init, &ty);
        self.store_field(field, value);
    }

    fn store_field(&mut self, field: FieldId, value: Value) {
        let region = self.cx.field_region(field);
        if let Some(this) = self.this.clone() {
            self.emit(IrStmtKind::Store { region, object: this.expr, index: None, value: value.expr });
        }
    }

    /// The canonical constructor of a record ends by storing its parameters in the fields.
    fn store_components(&mut self) {
        let decl = self.cx.table.class(self.class).decl;
        for component in &decl.components {
            let field = self.cx.table.find_field(self.class, &component.name);
            let Some(Binding::Local(local, ty)) = self.lookup(&component.name).cloned() else { continue };
            let Some(field) = field else { continue };
            if ty.is_unknown() {
                self.unsupported(format!("the component `{}`", component.name));
                continue;
            }
            self.store_field(field, Value::new(IrExpr::Local(local), ty));
        }
    }
}

/// How deep statements and expressions nest.
fn depth(block: &ir::Block) -> usize {
    let of_stmt = |stmt: &ir::Stmt| {
        let mut deepest = ir::blocks(&stmt.kind).into_iter().map(depth).max().unwrap_or(0);
        ir::for_each_part(&stmt.kind, &mut |expr| deepest = deepest.max(expr_depth(expr)));
        deepest + 1
    };
    block.iter().map(of_stmt).max().unwrap_or(0)
}

fn expr_depth(expr: &IrExpr) -> usize {
    1 + ir::children(expr).into_iter().map(expr_depth).max().unwrap_or(0)
}

/// `new ArrayList<>()` and the like: known to have no effect but the new object.
fn is_plain_collection(init: &crate::syntax::Expr) -> bool {
    use crate::syntax::{ExprKind, TypeRef};
    let ExprKind::New { ty: TypeRef::Named(path, _), args } = &init.kind else { return false };
    let known = matches!(
        path.last().map(String::as_str),
        Some(
            "ArrayList"
                | "LinkedList"
                | "HashMap"
                | "TreeMap"
                | "LinkedHashMap"
                | "HashSet"
                | "TreeSet"
                | "LinkedHashSet"
                | "ArrayDeque"
                | "PriorityQueue"
                | "Vector"
                | "Stack"
                | "Object"
        )
    );
    known && args.is_empty()
}
