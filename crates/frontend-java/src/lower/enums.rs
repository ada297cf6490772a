//! Enums: constants as objects that exist from the start, and the methods that every enum has (JLS 8.9). Exact.
//!
//! A reference of an enum type is null or one of the constants; this is assumed wherever one is read.

use ir::{BinaryOp as Ir, Const, Expr as IrExpr, StaticId, StaticObject, StmtKind as IrStmtKind};

use super::body::{Binding, Body, I32, Value, binary, is_null, or};
use crate::classes::MethodKind;
use crate::syntax::{ClassKind, EnumConstant, Expr, ExprKind, Stmt, StmtKind};
use crate::types::{ClassId, FieldId, Ty};

impl<'a> Body<'_, 'a> {
    pub(super) fn is_enum(&self, class: ClassId) -> bool {
        self.cx.table.class(class).decl.kind == ClassKind::Enum
    }

    pub(super) fn enum_constant(&mut self, class: ClassId, name: &str) -> Option<Value> {
        let decl = self.cx.table.class(class).decl;
        let index = decl.constants.iter().position(|constant| constant.name == name)?;
        let object = self.enum_objects(class)[index];
        Some(Value::constant(Const::Static(object), Ty::Class(class)))
    }

    /// A constant of this enum or of one around it, by its simple name.
    pub(super) fn enum_constant_in_scope(&mut self, name: &str) -> Option<Value> {
        let mut class = Some(self.class);
        while let Some(id) = class {
            if let Some(constant) = self.enum_constant(id, name) {
                return Some(constant);
            }
            class = self.cx.table.class(id).outer;
        }
        None
    }

    /// The objects of an enum's constants, made when first asked for.
    fn enum_objects(&mut self, class: ClassId) -> Vec<StaticId> {
        if let Some(known) = self.cx.enum_constants.get(&class) {
            return known.clone();
        }
        let decl = self.cx.table.class(class).decl;
        let shape = self.cx.shape_of(&Ty::Class(class));
        let class_name = self.cx.table.class(class).name.clone();
        let first = self.cx.program.statics.len();
        let ids: Vec<StaticId> =
            (0..decl.constants.len()).map(|index| StaticId::from_index(first + index)).collect();
        for constant in &decl.constants {
            let name = format!("{class_name}.{}", constant.name);
            let object = StaticObject { name, shape, length: None, cells: Vec::new(), constant: true };
            self.cx.program.statics.push(object);
        }
        // Known before the cells are evaluated: their initialisers may name constants.
        self.cx.enum_constants.insert(class, ids.clone());
        for (ordinal, constant) in decl.constants.iter().enumerate() {
            let cells = self.enum_cells(class, constant, ordinal);
            self.cx.program.statics[ids[ordinal].index()].cells = cells;
        }
        ids
    }

    /// The cells of a constant's object. Fields that cannot be evaluated are zero, and may not be read.
    fn enum_cells(&mut self, class: ClassId, constant: &'a EnumConstant, ordinal: usize) -> Vec<Const> {
        let values = self.enum_field_values(class, constant);
        if values.is_none() {
            self.cx.unreadable_enums.insert(class);
        }
        let values = values.unwrap_or_default();
        let fields = self.cx.instance_fields(class);
        fields
            .into_iter()
            .map(|id| {
                let field = self.cx.table.field(id);
                match (field.decl.is_some(), field.name.as_str()) {
                    (false, "$name") => Const::text(&constant.name),
                    (false, "$ordinal") => Const::i32(i32::try_from(ordinal).unwrap_or(i32::MAX)),
                    _ => {
                        let ty = field.ty.clone();
                        let known = values.iter().find(|(field, _)| *field == id);
                        let zero = Const::zero(&self.cx.ir_type(&ty));
                        known.map_or(zero, |(_, value)| value.clone())
                    }
                }
            })
            .collect()
    }

    /// What the constructor of a constant stores in its fields, if it only stores constants in final fields.
    fn enum_field_values(
        &mut self,
        class: ClassId,
        constant: &'a EnumConstant,
    ) -> Option<Vec<(FieldId, Const)>> {
        let fields = self.cx.table.class(class).fields.clone();
        let mut values = Vec::new();
        for id in fields {
            let field = self.cx.table.field(id);
            if field.is_static || field.decl.is_none() {
                continue;
            }
            if !field.is_final || field.ty.is_unknown() {
                return None;
            }
            let ty = field.ty.clone();
            if let Some(init) = field.init {
                values.push((id, self.evaluate(init, class, &ty, Vec::new())?));
            }
        }
        let constructors = self.cx.table.class(class).constructors.clone();
        let mut arguments = Vec::new();
        for arg in &constant.args {
            let (value, block) = self.in_block(|body| {
                let scopes = std::mem::replace(&mut body.scopes, vec![Vec::new()]);
                let old_class = std::mem::replace(&mut body.class, class);
                let value = body.expr(arg);
                body.class = old_class;
                body.scopes = scopes;
                value
            });
            if !block.is_empty() || !matches!(value.expr, IrExpr::Const(_)) {
                return None;
            }
            arguments.push(value);
        }
        let choice = self.choose(&constructors, &arguments)?;
        let arguments = self.arguments(choice, arguments);
        let MethodKind::Declared(decl) = self.cx.table.method(choice.method).kind else {
            return Some(values);
        };
        let params: Vec<(String, Binding)> = decl
            .params
            .iter()
            .zip(arguments)
            .map(|(param, value)| (param.name.clone(), Binding::Alias(value)))
            .collect();
        for stmt in decl.body.as_deref().unwrap_or(&[]) {
            let (field, value) = self.enum_assignment(class, stmt, &params)?;
            values.retain(|(known, _)| *known != field);
            values.push((field, value));
        }
        Some(values)
    }

    /// `this.f = e` or `f = e` in the constructor of an enum.
    fn enum_assignment(
        &mut self,
        class: ClassId,
        stmt: &'a Stmt,
        params: &[(String, Binding)],
    ) -> Option<(FieldId, Const)> {
        let StmtKind::Expr(Expr { kind: ExprKind::Assign { lhs, rhs }, .. }) = &stmt.kind else {
            return None;
        };
        let name = match &lhs.kind {
            ExprKind::Field { object, name } if matches!(object.kind, ExprKind::This) => name,
            ExprKind::Name(name) if params.iter().all(|(param, _)| param != name) => name,
            _ => return None,
        };
        let field = self.cx.table.find_field(class, name)?;
        if self.cx.table.field(field).is_static {
            return None;
        }
        let ty = self.cx.table.field(field).ty.clone();
        let value = self.evaluate(rhs, class, &ty, params.to_vec())?;
        Some((field, value))
    }

    /// Why a field of an enum cannot be read, if so.
    pub(super) fn unreadable_enum_field(&mut self, field: FieldId) -> Option<String> {
        let info = self.cx.table.field(field);
        let (class, name) = (info.class, info.name.clone());
        if !self.is_enum(class) || info.decl.is_none() {
            return None;
        }
        self.enum_objects(class);
        let lost = self.cx.unreadable_enums.contains(&class);
        lost.then(|| format!("the field `{name}` of an enum whose constants are not plain"))
    }

    /// Assumes that a reference of an enum type is null or one of the constants.
    pub(super) fn assume_enum(&mut self, value: &Value) {
        let Ty::Class(class) = value.ty else { return };
        if !self.is_enum(class) || matches!(value.expr, IrExpr::Const(_)) {
            return;
        }
        let condition = self.enum_objects(class).into_iter().fold(is_null(value), |known, object| {
            let constant = Box::new(IrExpr::Const(Const::Static(object)));
            or(known, IrExpr::SameRef { lhs: Box::new(value.expr.clone()), rhs: constant })
        });
        self.emit(IrStmtKind::Assume { condition });
    }

    /// The methods that every enum has; nothing if the class is no enum or defines the method itself.
    pub(super) fn enum_method(
        &mut self,
        class: ClassId,
        receiver: Option<Value>,
        name: &str,
        args: &'a [Expr],
    ) -> Option<Value> {
        if !self.is_enum(class) {
            return None;
        }
        let decl = self.cx.table.class(class).decl;
        let defined = self.cx.table.class(class).methods.iter().any(|method| {
            let method = self.cx.table.method(*method);
            method.name == name && method.params.len() == args.len()
        });
        if defined {
            let has_bodies = decl.constants.iter().any(|constant| constant.has_body);
            return has_bodies.then(|| self.unsupported("an enum whose constants have bodies"));
        }
        match (name, args) {
            ("values", []) => {
                let objects = self.enum_objects(class);
                let ty = Ty::Class(class);
                let values =
                    objects.into_iter().map(|id| Value::constant(Const::Static(id), ty.clone())).collect();
                Some(self.array_of(&Ty::array_of(ty), values))
            }
            ("valueOf", [text]) => {
                let text = self.expr(text);
                Some(self.enum_value_of(class, text))
            }
            ("compareTo" | "equals", [other]) => {
                let receiver = receiver.or_else(|| self.this.clone())?;
                let values = self.in_order([None, Some(other)], |body, arg| {
                    arg.map_or_else(|| receiver.clone(), |arg| body.expr(arg))
                });
                let [receiver, other] = values.as_slice() else { return None };
                self.check_not_null(receiver);
                if name == "equals" {
                    return Some(self.equality(crate::syntax::BinaryOp::Eq, receiver.clone(), other.clone()));
                }
                self.check_not_null(other);
                let (a, b) = (self.ordinal(receiver), self.ordinal(other));
                Some(Value::new(binary(Ir::Sub, I32, a.expr, b.expr), Ty::INT))
            }
            ("ordinal" | "name" | "toString", []) => {
                let receiver = receiver.or_else(|| self.this.clone())?;
                let receiver = self.small(receiver);
                self.check_not_null(&receiver);
                match name {
                    "ordinal" => Some(self.ordinal(&receiver)),
                    "name" => Some(self.enum_name(&receiver)),
                    _ => self.enum_text(class, &receiver, "toString"),
                }
            }
            _ => None,
        }
    }

    fn ordinal(&mut self, value: &Value) -> Value {
        self.enum_built_in(value, "$ordinal")
    }

    fn enum_built_in(&mut self, value: &Value, name: &str) -> Value {
        let Ty::Class(class) = value.ty else { return self.zero(&Ty::INT) };
        self.enum_objects(class);
        let fields = self.cx.table.class(class).fields.clone();
        let field = fields.into_iter().find(|id| {
            let field = self.cx.table.field(*id);
            field.decl.is_none() && field.name == name
        });
        match field {
            Some(field) => self.load_field(value.expr.clone(), field),
            None => self.unsupported(format!("`{name}` of an enum")),
        }
    }

    /// The text of a constant, unless the enum has a `toString` of its own.
    pub(super) fn enum_text(&mut self, class: ClassId, receiver: &Value, method: &str) -> Option<Value> {
        if !self.is_enum(class) || method != "toString" {
            return None;
        }
        let own = self.cx.table.class(class).methods.iter().any(|id| {
            let method = self.cx.table.method(*id);
            method.name == "toString" && method.params.is_empty()
        });
        if own {
            return None;
        }
        Some(self.enum_name(receiver))
    }

    /// The name of a constant; the empty text before it says that it is never null.
    fn enum_name(&mut self, receiver: &Value) -> Value {
        let name = self.enum_built_in(receiver, "$name");
        let text = IrExpr::Intrinsic {
            function: ir::Intrinsic::TextConcat,
            args: vec![IrExpr::Const(Const::text("")), name.expr],
        };
        Value::new(text, Ty::Text)
    }

    fn enum_value_of(&mut self, class: ClassId, text: Value) -> Value {
        let text = self.small(text);
        let text = self.convert(text, &Ty::Text);
        self.check_not_null(&text);
        let decl = self.cx.table.class(class).decl;
        let objects = self.enum_objects(class);
        let mut known = IrExpr::Const(Const::Bool(false));
        let mut value = IrExpr::Const(Const::Null);
        for (constant, object) in decl.constants.iter().zip(objects) {
            let name = Box::new(IrExpr::Const(Const::text(&constant.name)));
            let same = IrExpr::SameText { lhs: Box::new(text.expr.clone()), rhs: name };
            known = or(known, same.clone());
            value = IrExpr::If {
                condition: Box::new(same),
                then: Box::new(IrExpr::Const(Const::Static(object))),
                otherwise: Box::new(value),
            };
        }
        let error = self.cx.library_error("IllegalArgumentException");
        self.check(known, error);
        Value::new(value, Ty::Class(class))
    }
}
