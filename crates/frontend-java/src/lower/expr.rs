//! Expressions: names, literals, short-circuit operators, conditionals; the rest is in the files beside this one.

use ir::{Const, Expr as IrExpr, IntType, StmtKind};

use super::body::{Binding, Body, Value, and, not, or};
use super::foreign::Wanted;
use super::statics::StaticField;
use crate::syntax::{BinaryOp, Expr, ExprKind, Literal, Primitive};
use crate::types::{ClassId, FieldId, Ty};

/// What a name or a chain of names stands for.
pub(super) enum Entity {
    Value(Value),
    Class(ClassId),
    /// Not a variable and not a known class: maybe a package or a class of a library.
    Unknown(String),
}

impl<'a> Body<'_, 'a> {
    /// Lowers an expression to its value, emitting what it needs before.
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Value {
        self.expr_wanting(expr, &Wanted::Value)
    }

    /// The same, with what the place wants of it: only that says what unknown code gives.
    pub(super) fn expr_wanting(&mut self, expr: &'a Expr, wanted: &Wanted) -> Value {
        self.at(expr.span, |body| body.expr_kind(expr, wanted))
    }

    /// Lowers an expression whose value is not used.
    pub(super) fn discard(&mut self, expr: &'a Expr) {
        self.at(expr.span, |body| match &expr.kind {
            ExprKind::Update { increment, arg, .. } => body.update(arg, *increment, None),
            ExprKind::Assign { lhs, rhs } => {
                body.assign(lhs, rhs, false);
            }
            ExprKind::Compound { op, lhs, rhs } => {
                body.compound(*op, lhs, rhs, false);
            }
            _ => {
                body.expr_kind(expr, &Wanted::Nothing);
            }
        });
    }

    fn expr_kind(&mut self, expr: &'a Expr, wanted: &Wanted) -> Value {
        match &expr.kind {
            ExprKind::Literal(literal) => literal_value(literal),
            ExprKind::Name(_) | ExprKind::Field { .. } => match self.entity_wanting(expr, wanted) {
                Entity::Value(value) => value,
                Entity::Class(class) => {
                    let name = self.cx.table.class(class).name.clone();
                    self.unsupported(format!("the class `{name}` as a value"))
                }
                Entity::Unknown(name) => {
                    let path: Vec<String> = name.split('.').map(str::to_owned).collect();
                    match self.foreign_value(&path, wanted) {
                        Some(value) => value,
                        None => self.unsupported(format!("the unknown name `{name}`")),
                    }
                }
            },
            ExprKind::This => match self.this.clone() {
                Some(this) => this,
                None => self.unsupported("`this` where there is none"),
            },
            ExprKind::OuterThis(name) => self.outer_this(name),
            ExprKind::Super => self.unsupported("`super` as a value"),
            ExprKind::Index { .. } => {
                let place = self.place(expr);
                self.check_place(&place);
                self.load(&place)
            }
            ExprKind::Call { target, name, args } => self.call(target.as_deref(), name, args, wanted),
            ExprKind::New { ty, args } => self.new_object(ty, args),
            ExprKind::NewArray { ty, dims } => self.new_array(ty, dims),
            ExprKind::ArrayInit { ty, elements } => match ty {
                Some(ty) => {
                    let ty = self.resolve(ty);
                    self.array_init(&ty, elements)
                }
                None => self.unsupported("an array initialiser without a type"),
            },
            ExprKind::Unary { op, arg } => {
                let value = self.expr(arg);
                self.unary(*op, value)
            }
            ExprKind::Binary { op: BinaryOp::AndAlso, lhs, rhs } => self.short_circuit(lhs, rhs, true),
            ExprKind::Binary { op: BinaryOp::OrElse, lhs, rhs } => self.short_circuit(lhs, rhs, false),
            ExprKind::Binary { op, lhs, rhs } => {
                let mut left = [self.expr(lhs)];
                let start = self.block.len();
                let right = self.expr(rhs);
                let start = self.unbox_early(*op, &mut left[0], &right.ty, start);
                self.protect(&mut left, start);
                let [left] = left;
                self.binary(*op, left, right)
            }
            ExprKind::Update { increment, prefix, arg } => {
                let mut result = None;
                self.update(arg, *increment, Some((*prefix, &mut result)));
                result.unwrap_or_else(Value::void)
            }
            ExprKind::Assign { lhs, rhs } => self.assign(lhs, rhs, true),
            ExprKind::Compound { op, lhs, rhs } => self.compound(*op, lhs, rhs, true),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise, wanted)
            }
            ExprKind::Cast { ty, arg } => {
                let ty = self.resolve(ty);
                // What unknown code gives is of the type that it is cast to, or the cast fails, in both versions.
                let value = match ty {
                    Ty::Text | Ty::Boxed(_) | Ty::Primitive(_) => {
                        self.expr_wanting(arg, &Wanted::Cast(ty.clone()))
                    }
                    _ => self.expr(arg),
                };
                self.cast(value, &ty)
            }
            ExprKind::InstanceOf { arg, ty, name } => {
                let ty = self.resolve(ty);
                let value = self.expr(arg);
                self.instance_of(value, &ty, name.as_deref())
            }
            ExprKind::Switch(switch) => self.switch_value(switch, expr.span, None),
            ExprKind::Unsupported(what) => self.unsupported(what.clone()),
        }
    }

    /// An expression where a type is expected: array initialisers need to know it.
    pub(super) fn expr_of_type(&mut self, expr: &'a Expr, ty: &Ty) -> Value {
        if let ExprKind::ArrayInit { ty: None, elements } = &expr.kind {
            return self.at(expr.span, |body| body.array_init(ty, elements));
        }
        // Each result of a switch is converted to the expected type on its own (JLS 15.28.1).
        if let (ExprKind::Switch(switch), false) = (&expr.kind, ty.is_unknown()) {
            return self.at(expr.span, |body| body.switch_value(switch, expr.span, Some(ty)));
        }
        let value = self.expr_wanting(expr, &Wanted::Type(ty.clone()));
        self.at(expr.span, |body| body.convert(value, ty))
    }

    /// An argument of a call. Which results of a switch fit a parameter is not worked out.
    pub(super) fn argument(&mut self, expr: &'a Expr) -> Value {
        self.argument_wanting(expr, &Wanted::Value)
    }

    /// The same, with what the parameter wants.
    pub(super) fn argument_wanting(&mut self, expr: &'a Expr, wanted: &Wanted) -> Value {
        if let ExprKind::Switch(switch) = &expr.kind
            && self.has_mixed_results(switch, expr.span)
        {
            return self.at(expr.span, |body| {
                body.unsupported("a switch with results of several types as an argument")
            });
        }
        self.expr_wanting(expr, wanted)
    }

    /// A condition, as an expression of the IR.
    pub(super) fn condition(&mut self, expr: &'a Expr) -> IrExpr {
        self.expr_of_type(expr, &Ty::BOOLEAN).expr
    }

    /// `&&` and `||`: an expression if the right side needs no statements, else a branch.
    fn short_circuit(&mut self, lhs: &'a Expr, rhs: &'a Expr, is_and: bool) -> Value {
        let left = self.condition(lhs);
        if let IrExpr::Const(Const::Bool(value)) = left {
            return if value == is_and {
                Value::new(self.condition(rhs), Ty::BOOLEAN)
            } else {
                Value::constant(Const::Bool(value), Ty::BOOLEAN)
            };
        }
        let (right, block) = self.in_block(|body| body.condition(rhs));
        if block.is_empty() && !self.needs_guard(&right) {
            let expr = if is_and { and(left, right) } else { or(left, right) };
            return Value::new(expr, Ty::BOOLEAN);
        }
        let local = self.temp_for(&Ty::BOOLEAN);
        self.emit(StmtKind::Assign { local, value: left });
        let (_, branch) = self.in_block(|body| {
            body.block = block;
            body.emit(StmtKind::Assign { local, value: right });
        });
        let condition = if is_and { IrExpr::Local(local) } else { not(IrExpr::Local(local)) };
        self.emit(StmtKind::If { condition, then: branch, otherwise: Vec::new() });
        Value::new(IrExpr::Local(local), Ty::BOOLEAN)
    }

    /// Whether an expression only has a meaning where a condition holds, so that a branch must stand before it.
    /// The checks of the source are statements; only the library model has such conditions without a check.
    fn needs_guard(&self, expr: &IrExpr) -> bool {
        use ir::Intrinsic as I;
        let partial = match expr {
            IrExpr::Intrinsic { function: I::TextLength, args } => !args.iter().all(|text| {
                let text = Value::new(text.clone(), Ty::Text);
                self.is_never_null(&text)
            }),
            IrExpr::Intrinsic { function, .. } => matches!(
                function,
                I::TextAt
                    | I::TextSlice
                    | I::ParseInt(_)
                    | I::ParseFloat(_)
                    | I::ParsesAsInt(_)
                    | I::ParsesAsFloat(_)
            ),
            _ => false,
        };
        partial || ir::children(expr).into_iter().any(|child| self.needs_guard(child))
    }

    fn conditional(
        &mut self,
        condition: &'a Expr,
        then: &'a Expr,
        otherwise: &'a Expr,
        wanted: &Wanted,
    ) -> Value {
        // Numbers are promoted to a common type before they get to their place.
        let wanted = match wanted {
            Wanted::Type(ty) | Wanted::Cast(ty) if ty.numeric().is_some() || self.may_hold_number(ty) => {
                &Wanted::Value
            }
            Wanted::Nothing => &Wanted::Value,
            wanted => wanted,
        };
        let condition = self.condition(condition);
        let (first, mut then_block) = self.in_block(|body| body.expr_wanting(then, wanted));
        let (second, mut else_block) = self.in_block(|body| body.expr_wanting(otherwise, wanted));
        let may_be_number = |value: &Value| value.ty == Ty::of_result() || value.ty.numeric().is_some();
        if [&first, &second].into_iter().all(may_be_number)
            && (first.ty == Ty::of_result() || second.ty == Ty::of_result())
        {
            return self.unsupported("a conditional expression whose operands may be numbers of two types");
        }
        let ty = self.common_type(&first, &second);
        let (first, extra) = self.in_block(|body| body.convert(first, &ty));
        then_block.extend(extra);
        let (second, extra) = self.in_block(|body| body.convert(second, &ty));
        else_block.extend(extra);
        let guarded = self.needs_guard(&first.expr) || self.needs_guard(&second.expr);
        if then_block.is_empty() && else_block.is_empty() && !guarded {
            let constants = matches!((&first.expr, &second.expr), (IrExpr::Const(_), IrExpr::Const(_)));
            let expr = match condition {
                IrExpr::Const(Const::Bool(true)) if constants => first.expr,
                IrExpr::Const(Const::Bool(false)) if constants => second.expr,
                condition => IrExpr::If {
                    condition: Box::new(condition),
                    then: Box::new(first.expr),
                    otherwise: Box::new(second.expr),
                },
            };
            return Value::new(expr, ty);
        }
        if ty == Ty::Void || ty.is_unknown() {
            self.emit(StmtKind::If { condition, then: then_block, otherwise: else_block });
            return Value::constant(Const::Null, ty);
        }
        let local = self.temp_for(&ty);
        for (block, value) in [(&mut then_block, first), (&mut else_block, second)] {
            let (_, assign) = self.in_block(|body| {
                body.emit(StmtKind::Assign { local, value: value.expr });
            });
            block.extend(assign);
        }
        self.emit(StmtKind::If { condition, then: then_block, otherwise: else_block });
        Value::new(IrExpr::Local(local), ty)
    }

    /// Whether a variable of a type of objects may hold a boxed number.
    fn may_hold_number(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Class(class) => *class == self.cx.table.object,
            Ty::Foreign(name) => matches!(
                crate::foreign_names::simple_name(name),
                "Number" | "Comparable" | "Serializable" | "Constable" | "ConstantDesc"
            ),
            _ => false,
        }
    }

    /// The type of `c ? a : b` and of a switch expression with such results (JLS 15.25).
    pub(super) fn common_type(&mut self, first: &Value, second: &Value) -> Ty {
        if first.ty == second.ty {
            return first.ty.clone();
        }
        if first.ty.is_unknown() {
            return second.ty.clone();
        }
        if second.ty.is_unknown() {
            return first.ty.clone();
        }
        match (&first.ty, &second.ty) {
            (a, b) if a.unboxed().is_some() && b.unboxed().is_some() => {
                let (Some(a), Some(b)) = (a.unboxed(), b.unboxed()) else { return first.ty.clone() };
                Ty::Primitive(common_primitive(a, &first.expr, b, &second.expr))
            }
            (Ty::Null, other) | (other, Ty::Null) => match other {
                Ty::Primitive(primitive) => Ty::Boxed(*primitive),
                other => other.clone(),
            },
            (Ty::Foreign(_), Ty::Foreign(_)) => Ty::of_objects(),
            (Ty::Foreign(_), Ty::Class(_)) => first.ty.clone(),
            (Ty::Class(_), Ty::Foreign(_)) => second.ty.clone(),
            (Ty::Class(a), Ty::Class(b)) => {
                let (a, b) = (*a, *b);
                if self.cx.table.is_subclass(a, b) {
                    return Ty::Class(b);
                }
                let above = std::iter::once(a).chain(self.cx.table.ancestors(a));
                let common: Vec<ClassId> =
                    above.filter(|class| self.cx.table.is_subclass(b, *class)).collect();
                Ty::Class(common.first().copied().unwrap_or(self.cx.table.object))
            }
            _ => Ty::Class(self.cx.table.object),
        }
    }

    /// What a name, or names joined by dots, stand for (JLS 6.5): a variable, else a class, else a package.
    pub(super) fn entity(&mut self, expr: &'a Expr) -> Entity {
        self.entity_wanting(expr, &Wanted::Value)
    }

    fn entity_wanting(&mut self, expr: &'a Expr, wanted: &Wanted) -> Entity {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name),
            ExprKind::Field { object, name } => {
                if matches!(object.kind, ExprKind::Super) {
                    return Entity::Value(self.super_field(name));
                }
                let object = match &object.kind {
                    ExprKind::Name(_) | ExprKind::Field { .. } => self.entity(object),
                    _ => Entity::Value(self.expr(object)),
                };
                match object {
                    Entity::Value(value) => Entity::Value(self.field_of(value, name, wanted)),
                    Entity::Class(class) => self.static_member(class, name),
                    Entity::Unknown(path) => {
                        let path = format!("{path}.{name}");
                        let parts: Vec<String> = path.split('.').map(str::to_owned).collect();
                        match self.cx.table.resolve_path(&parts, Some(self.class)) {
                            Some(class) => Entity::Class(class),
                            None => Entity::Unknown(path),
                        }
                    }
                }
            }
            _ => Entity::Value(self.expr(expr)),
        }
    }

    fn name(&mut self, name: &str) -> Entity {
        match self.lookup(name) {
            Some(Binding::Local(local, ty)) => {
                let (local, ty) = (*local, ty.clone());
                if ty.is_unknown() {
                    let type_name = self.cx.table.type_name(&ty);
                    return Entity::Value(
                        self.unsupported(format!("the variable `{name}` of type `{type_name}`")),
                    );
                }
                return Entity::Value(Value::new(IrExpr::Local(local), ty));
            }
            Some(Binding::Alias(value)) => return Entity::Value(value.clone()),
            None => {}
        }
        if let Some((field, receiver)) = self.field_in_scope(name) {
            return Entity::Value(self.read_field(field, receiver));
        }
        if let Some(constant) = self.enum_constant_in_scope(name) {
            return Entity::Value(constant);
        }
        match self.cx.table.resolve_path(&[name.to_owned()], Some(self.class)) {
            Some(class) => Entity::Class(class),
            None => Entity::Unknown(name.to_owned()),
        }
    }

    /// A field that a simple name means, with the object that has it: of this class or of an enclosing one.
    pub(super) fn field_in_scope(&mut self, name: &str) -> Option<(FieldId, Option<Value>)> {
        let (field, depth) = self.cx.table.field_in_scope(self.class, name)?;
        let receiver = if self.cx.table.field(field).is_static { None } else { self.enclosing(depth) };
        Some((field, receiver))
    }

    /// The object `depth` classes out from this one.
    pub(super) fn enclosing(&mut self, depth: usize) -> Option<Value> {
        let mut object = self.this.clone()?;
        for step in 0..depth {
            if step == 0
                && let Some(outer) = self.outer.clone()
            {
                object = outer;
                continue;
            }
            let Ty::Class(class) = object.ty else { return None };
            let field = self.cx.table.class(class).outer_field?;
            object = self.load_field(object.expr, field);
        }
        Some(object)
    }

    fn outer_this(&mut self, name: &str) -> Value {
        let mut class = Some(self.class);
        let mut depth = 0;
        while let Some(id) = class {
            if self.cx.table.class(id).decl.name == name {
                return match self.enclosing(depth) {
                    Some(value) => value,
                    None => self.unsupported(format!("`{name}.this`")),
                };
            }
            class = self.cx.table.class(id).outer;
            depth += 1;
        }
        self.unsupported(format!("`{name}.this`"))
    }

    fn super_field(&mut self, name: &str) -> Value {
        let parent = self.cx.table.class(self.class).superclass;
        let field = parent.and_then(|parent| self.cx.table.find_field(parent, name));
        match field {
            Some(field) => {
                let this = self.this.clone();
                self.read_field(field, this)
            }
            None => self.unsupported(format!("the unknown field `super.{name}`")),
        }
    }

    /// A static field or nested class of a class.
    fn static_member(&mut self, class: ClassId, name: &str) -> Entity {
        if let Some(field) = self.cx.table.find_field(class, name) {
            if self.cx.table.field(field).is_static {
                return Entity::Value(self.read_field(field, None));
            }
        } else if let Some(constant) = self.enum_constant(class, name) {
            return Entity::Value(constant);
        } else {
            let path = [name.to_owned()];
            let nested = self.cx.table.resolve_path(&path, Some(class));
            if let Some(nested) = nested.filter(|nested| self.cx.table.class(*nested).outer == Some(class)) {
                return Entity::Class(nested);
            }
        }
        let class_name = self.cx.table.class(class).name.clone();
        Entity::Value(self.unsupported(format!("the unknown field `{class_name}.{name}`")))
    }

    /// `value.name`: a field of an object, or the length of an array.
    pub(super) fn field_of(&mut self, value: Value, name: &str, wanted: &Wanted) -> Value {
        match &value.ty {
            Ty::Unknown(_) => value,
            Ty::Array(_) if name == "length" => {
                let value = self.small(value);
                self.check_not_null(&value);
                Value::new(IrExpr::Length { object: Box::new(value.expr), ty: IntType::I32 }, Ty::INT)
            }
            Ty::Class(class) => match self.cx.table.find_field(*class, name) {
                Some(field) => {
                    if self.cx.table.field(field).is_static {
                        return self.read_field(field, None);
                    }
                    let value = self.small(value);
                    self.check_not_null(&value);
                    self.read_field(field, Some(value))
                }
                None => match self.cx.table.unknown_parents(*class).into_iter().next() {
                    Some(owner) => self.field_of_foreign(value, &owner, name, wanted),
                    None => self.unsupported(format!("the unknown field `{name}`")),
                },
            },
            // It may be the length of an array.
            Ty::Foreign(owner) if owner == "?" => {
                self.unsupported(format!("the field `{name}` of something whose type is not known"))
            }
            Ty::Foreign(owner) => {
                let owner = owner.clone();
                self.field_of_foreign(value, &owner, name, wanted)
            }
            _ => self.unsupported(format!("the unknown field `{name}`")),
        }
    }

    fn field_of_foreign(&mut self, value: Value, owner: &str, name: &str, wanted: &Wanted) -> Value {
        let value = self.small(value);
        self.check_receiver(&value, name, 0);
        self.foreign_field(value, owner, name, wanted)
    }

    /// Reads a field whose object, if it needs one, is known not to be null.
    pub(super) fn read_field(&mut self, field: FieldId, receiver: Option<Value>) -> Value {
        let info = self.cx.table.field(field);
        let ty = info.ty.clone();
        let name = info.name.clone();
        if ty.is_unknown() {
            let type_name = self.cx.table.type_name(&ty);
            return self.unsupported(format!("the field `{name}` of type `{type_name}`"));
        }
        if info.is_static {
            let decided = self.static_field(field);
            if !matches!(decided, StaticField::Global(_)) && self.is_not_there_yet(field) {
                return self.zero(&ty);
            }
            return match decided {
                StaticField::Inline(init) => self.inline_constant(field, init, &ty),
                StaticField::Global(global) => {
                    if self.cx.program.global(global).fixed && !self.starts_with_anything(field) {
                        self.doubt_value(&self.cx.program.global(global).name.clone());
                    }
                    Value::new(IrExpr::Global(global), ty)
                }
                StaticField::Object(object) => Value::constant(Const::Static(object), ty),
                StaticField::Unsupported(what) => self.unsupported(what),
            };
        }
        match receiver {
            Some(object) => {
                if let Some(value) = self.read_enum_field(field, &object) {
                    return value;
                }
                // A final field with a constant is the same in all objects, even before their constructors ran.
                if let (true, Some(init)) =
                    (self.is_compile_time_constant(field, 0), self.cx.table.field(field).init)
                {
                    return self.inline_constant(field, init, &ty);
                }
                // It holds its initial value once it is there, which inputs are not known to do.
                let info = self.cx.table.field(field);
                if info.is_final && info.init.is_some() && matches!(ty, Ty::Boxed(_)) {
                    return self.unsupported(format!("the field `{name}`, which is null before it is set"));
                }
                self.load_field(object.expr, field)
            }
            None => self.unsupported(format!("the field `{name}` without an object")),
        }
    }

    /// Whether the initialiser of a field is a call of a class that is not given and that could give any object.
    fn starts_with_anything(&self, field: FieldId) -> bool {
        let info = self.cx.table.field(field);
        let target = match info.init.map(|init| &init.kind) {
            Some(ExprKind::Call { target: Some(target), .. }) => target,
            Some(ExprKind::Field { object, .. }) => object,
            _ => return false,
        };
        let foreign =
            super::stable::path(target).and_then(|path| self.cx.table.foreign_class(&path, Some(info.class)));
        foreign.is_some_and(|class| !crate::foreign_names::is_doubtful(&class))
    }

    pub(super) fn load_field(&mut self, object: IrExpr, field: FieldId) -> Value {
        let region = self.cx.field_region(field);
        let ty = self.cx.table.field(field).ty.clone();
        Value::new(IrExpr::Load { region, object: Box::new(object), index: None }, ty)
    }

    pub(super) fn resolve(&self, ty: &crate::syntax::TypeRef) -> Ty {
        self.cx.table.resolve_type(ty, Some(self.class), self.type_params)
    }
}

fn literal_value(literal: &Literal) -> Value {
    match literal {
        Literal::Int(value) => Value::constant(Const::i32(*value), Ty::INT),
        Literal::Long(value) => Value::constant(Const::Int(IntType::I64, (*value).into()), Ty::LONG),
        Literal::Float(value) => Value::constant(Const::f32(*value), Ty::Primitive(Primitive::Float)),
        Literal::Double(value) => Value::constant(Const::f64(*value), Ty::Primitive(Primitive::Double)),
        Literal::Char(value) => Value::constant(Const::Int(IntType::U16, (*value).into()), Ty::CHAR),
        Literal::Boolean(value) => Value::constant(Const::Bool(*value), Ty::BOOLEAN),
        Literal::Text(units) => Value::constant(Const::Text(units.clone()), Ty::Text),
        Literal::Null => Value::constant(Const::Null, Ty::Null),
    }
}

/// The type of a conditional between two primitives: constants of type int adapt to a narrower other side.
fn common_primitive(a: Primitive, left: &IrExpr, b: Primitive, right: &IrExpr) -> Primitive {
    if a == b {
        return a;
    }
    let adapts = |from: Primitive, expr: &IrExpr, to: Primitive| {
        from == Primitive::Int
            && matches!(to, Primitive::Byte | Primitive::Short | Primitive::Char)
            && matches!((expr, to.int_type()), (IrExpr::Const(Const::Int(_, value)), Some(ty)) if ty.contains(*value))
    };
    if adapts(a, left, b) {
        return b;
    }
    if adapts(b, right, a) {
        return a;
    }
    match (a, b) {
        (Primitive::Byte, Primitive::Short) | (Primitive::Short, Primitive::Byte) => Primitive::Short,
        (Primitive::Boolean, _) | (_, Primitive::Boolean) => a,
        _ => a.common(b),
    }
}

/// How often an expression of the source names a variable; decides whether an argument must be saved.
pub(super) fn count_name(expr: &Expr, name: &str) -> usize {
    match &expr.kind {
        ExprKind::Name(found) => usize::from(found == name),
        ExprKind::This => usize::from(name == "this"),
        ExprKind::Unary { arg, .. } | ExprKind::Cast { arg, .. } => count_name(arg, name),
        ExprKind::Binary { lhs, rhs, .. } => count_name(lhs, name) + count_name(rhs, name),
        ExprKind::Conditional { condition, then, otherwise } => {
            count_name(condition, name) + count_name(then, name) + count_name(otherwise, name)
        }
        ExprKind::Call { target, args, .. } => {
            target.iter().map(|target| count_name(target, name)).sum::<usize>()
                + args.iter().map(|arg| count_name(arg, name)).sum::<usize>()
        }
        ExprKind::Literal(_) => 0,
        // Anything else: as if it were named often.
        _ => 2,
    }
}

/// The operator that an increment stands for.
pub(super) fn step(increment: bool) -> BinaryOp {
    if increment { BinaryOp::Add } else { BinaryOp::Sub }
}
