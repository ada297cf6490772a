//! Creation of objects and arrays (JLS 15.9, 15.10). Exact.

use ir::{BinaryOp as Ir, Const, Expr as IrExpr, IntType, StmtKind as IrStmtKind};

use super::body::{Body, I32, Value, binary, i32_const, not};
use crate::classes::MethodKind;
use crate::syntax::{Expr, Member, TypeRef};
use crate::types::{ClassId, MethodId, Ty};

impl<'a> Body<'_, 'a> {
    pub(super) fn new_object(&mut self, ty: &TypeRef, args: &'a [Expr]) -> Value {
        match self.resolve(ty) {
            Ty::Class(class) => self.new_of_class(class, args),
            Ty::Text => self.new_text(args),
            Ty::Boxed(primitive) => match args {
                [arg] => {
                    let value = self.expr(arg);
                    self.convert(value, &Ty::Boxed(primitive))
                }
                _ => self.unsupported("`new` of a boxed type"),
            },
            Ty::Foreign(class) if !class.starts_with("? ") => self.new_foreign(&class, args),
            other => {
                let name = self.cx.table.type_name(&other);
                self.unsupported(format!("an object of the unknown class `{name}`"))
            }
        }
    }

    fn new_of_class(&mut self, class: ClassId, args: &'a [Expr]) -> Value {
        self.construct(class, args, None)
    }

    /// Makes an object, or fills one that is there already.
    pub(super) fn construct(&mut self, class: ClassId, args: &'a [Expr], object: Option<Value>) -> Value {
        let info = self.cx.table.class(class);
        let name = info.name.clone();
        if self.cx.table.is_abstract(class) || self.cx.table.is_value_class(class) || self.is_enum(class) {
            return self.unsupported(format!("an object of `{name}`"));
        }
        let constructors = info.constructors.clone();
        self.use_class(class);
        let values = self.arguments_for(&constructors, args);
        let Some(choice) = self.choose(&constructors, &values) else {
            return self.no_such_method(&format!("new {name}"), &values);
        };
        let args = self.arguments(choice, values);
        self.refuse_own_trace(class);
        let mut prefix = Vec::new();
        if self.cx.table.class(class).is_inner {
            match self.outer_for(class) {
                Some(outer) => prefix.push(outer),
                None => return self.unsupported(format!("an object of `{name}` without its outer object")),
            }
        }
        let object = object.unwrap_or_else(|| {
            let ty = Ty::Class(class);
            let local = self.temp_for(&ty);
            let shape = self.cx.shape_of(&ty);
            self.emit(IrStmtKind::New { local, shape, length: None, unwritten: false });
            Value::new(IrExpr::Local(local), ty)
        });
        if !self.is_trivial(choice.method) {
            prefix.extend(args);
            self.call_method(choice.method, Some(object.clone()), prefix);
        }
        object
    }

    /// The enclosing object that a new object of an inner class gets.
    pub(super) fn outer_for(&mut self, class: ClassId) -> Option<Value> {
        let wanted = self.cx.table.class(class).outer?;
        let mut current = Some(self.class);
        let mut depth = 0;
        while let Some(id) = current {
            if self.cx.table.is_subclass(id, wanted) {
                return self.enclosing(depth);
            }
            current = self.cx.table.class(id).outer;
            depth += 1;
        }
        None
    }

    /// Whether a constructor does nothing: no initialisers here or above, and an empty body.
    pub(super) fn is_trivial(&self, constructor: MethodId) -> bool {
        let method = self.cx.table.method(constructor);
        let class = self.cx.table.class(method.class);
        let has_code = match method.kind {
            MethodKind::Declared(decl) => decl.body.as_ref().is_none_or(|body| !body.is_empty()),
            MethodKind::DefaultConstructor => !class.decl.components.is_empty(),
            MethodKind::Accessor(_)
            | MethodKind::StaticInitialiser
            | MethodKind::InitialValue(_)
            | MethodKind::Constants
            | MethodKind::ConstantSources
            | MethodKind::Inherited(_)
            | MethodKind::Outside
            | MethodKind::Parents
            | MethodKind::RecordEquals => true,
        };
        let has_initializers = class.decl.members.iter().any(|member| match member {
            Member::Field(field) => !field.modifiers.is_static && field.init.is_some(),
            Member::Initializer { is_static, .. } => !is_static,
            Member::Method(_) | Member::Class(_) => false,
        });
        if has_code || has_initializers || class.is_inner || class.has_unknown_parent {
            return false;
        }
        let Some(parent) = class.superclass else { return true };
        let constructors = &self.cx.table.class(parent).constructors;
        constructors
            .iter()
            .find(|id| self.cx.table.method(**id).params.is_empty())
            .is_some_and(|id| self.is_trivial(*id))
    }

    fn new_text(&mut self, args: &'a [Expr]) -> Value {
        let values = self.in_order(args, |body, arg| body.argument(arg));
        match values.as_slice() {
            [] => Value::constant(Const::text(""), Ty::Text),
            [value] if value.ty == Ty::Text => {
                self.check_not_null(value);
                value.clone()
            }
            [value] if value.ty == Ty::array_of(Ty::CHAR) => {
                let class = self.cx.table.library_class("String");
                let candidates =
                    class.map(|class| self.cx.methods_named(class, "valueOf")).unwrap_or_default();
                match self.choose(&candidates, &values) {
                    Some(choice) => self.invoke(choice, None, values, false),
                    None => self.unsupported("a string from an array"),
                }
            }
            _ => self.unsupported("a string made in this way"),
        }
    }

    /// `new T[a][b][]`: all lengths are evaluated, then checked, then the arrays are made from outside in.
    pub(super) fn new_array(&mut self, ty: &TypeRef, dims: &'a [Expr]) -> Value {
        let ty = self.resolve(ty);
        let values = self.in_order(dims, |body, dim| {
            let value = body.expr(dim);
            body.convert(value, &Ty::INT)
        });
        if ty.is_unknown() {
            let name = self.cx.table.type_name(&ty);
            return self.unsupported(format!("an array of type `{name}`"));
        }
        let mut lengths: Vec<Value> = Vec::new();
        for value in values {
            let start = self.block.len();
            let value = self.small(value);
            self.protect(&mut lengths, start);
            lengths.push(value);
        }
        let error = self.cx.library_error("NegativeArraySizeException");
        for length in &lengths {
            let ok = super::operator::fold(Ir::Le, I32, i32_const(0), length.expr.clone());
            self.check(ok, error);
        }
        self.allocate(&ty, &lengths)
    }

    fn allocate(&mut self, ty: &Ty, lengths: &[Value]) -> Value {
        let (Some((first, rest)), Ty::Array(element)) = (lengths.split_first(), ty) else {
            return self.unsupported("an array without a length");
        };
        let array = self.new_array_of_length(ty, first.expr.clone());
        if !rest.is_empty() {
            let element = (**element).clone();
            let region = self.cx.element_region(&element);
            let target = array.expr.clone();
            self.count_up(first.expr.clone(), |body, index| {
                let inner = body.allocate(&element, rest);
                let index = Some(index);
                body.emit(IrStmtKind::Store { region, object: target, index, value: inner.expr });
            });
        }
        array
    }

    fn new_array_of_length(&mut self, ty: &Ty, length: IrExpr) -> Value {
        let local = self.temp_for(ty);
        let shape = self.cx.made_array_shape(ty);
        self.emit(IrStmtKind::New { local, shape, length: Some(length), unwritten: false });
        Value::new(IrExpr::Local(local), ty.clone())
    }

    /// A loop over the indices below a length.
    fn count_up(&mut self, length: IrExpr, lower: impl FnOnce(&mut Self, IrExpr)) {
        let index = self.temp_for(&Ty::INT);
        self.emit(IrStmtKind::Assign { local: index, value: i32_const(0) });
        let label = self.new_label();
        let (_, body) = self.in_block(|body| {
            let inside = binary(Ir::Lt, I32, IrExpr::Local(index), length);
            let leave = vec![ir::Stmt { kind: IrStmtKind::Break(label), span: body.span }];
            body.emit(IrStmtKind::If { condition: not(inside), then: leave, otherwise: Vec::new() });
            lower(body, IrExpr::Local(index));
            let next = binary(Ir::Add, I32, IrExpr::Local(index), i32_const(1));
            body.emit(IrStmtKind::Assign { local: index, value: next });
        });
        self.emit(IrStmtKind::Loop { label, body });
    }

    /// `{a, b, c}`: each element is stored before the next is evaluated.
    pub(super) fn array_init(&mut self, ty: &Ty, elements: &'a [Expr]) -> Value {
        let Ty::Array(element) = ty else {
            return self.unsupported("an array initialiser for something that is not an array");
        };
        let array = self.new_array_of_length(ty, i32_const(elements.len() as i32));
        for (index, expr) in elements.iter().enumerate() {
            let value = self.expr_of_type(expr, element);
            self.store_element(&array, element, index, value);
        }
        array
    }

    /// An array of values that are evaluated already: the last arguments of a call.
    pub(super) fn array_of(&mut self, ty: &Ty, values: Vec<Value>) -> Value {
        let Ty::Array(element) = ty else {
            return self.unsupported("variable arguments of an unknown type");
        };
        let array = self.new_array_of_length(ty, i32_const(values.len() as i32));
        for (index, value) in values.into_iter().enumerate() {
            let value = self.convert(value, element);
            self.store_element(&array, element, index, value);
        }
        array
    }

    fn store_element(&mut self, array: &Value, element: &Ty, index: usize, value: Value) {
        // Fresh elements are zero already.
        if value.expr == self.zero(element).expr {
            return;
        }
        let region = self.cx.element_region(element);
        let index = Some(i32_const(index as i32));
        self.emit(IrStmtKind::Store { region, object: array.expr.clone(), index, value: value.expr });
    }

    /// `array.clone()`.
    pub(super) fn clone_array(&mut self, array: Value) -> Value {
        let Ty::Array(element) = array.ty.clone() else { return array };
        let array = self.saved(array);
        self.check_not_null(&array);
        let length = IrExpr::Length { object: Box::new(array.expr.clone()), ty: IntType::I32 };
        let copy = self.new_array_of_length(&array.ty, length.clone());
        let region = self.cx.element_region(&element);
        let (from, to) = (array.expr, copy.expr.clone());
        self.count_up(length, |body, index| {
            let value = IrExpr::Load { region, object: Box::new(from), index: Some(Box::new(index.clone())) };
            body.emit(IrStmtKind::Store { region, object: to, index: Some(index), value });
        });
        copy
    }
}
