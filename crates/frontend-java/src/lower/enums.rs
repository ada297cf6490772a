//! Enums: constants as objects that exist from the start, and the methods that every enum has (JLS 8.9). Exact.
//!
//! The shape of an enum is closed: an input of the type is null or one of the constants, by its name.

use ir::{BinaryOp as Ir, Const, Expr as IrExpr, StaticId, StaticObject};

use super::Lowering;
use super::body::{Binding, Body, I32, Value, binary, i32_const, or};
use super::statics::is_pure;
use crate::classes::MethodKind;
use crate::syntax::{ClassKind, EnumConstant, Expr, ExprKind, Member, Stmt, StmtKind};
use crate::types::{ClassId, FieldId, Ty};

impl Lowering<'_> {
    /// The objects of an enum's constants, made when first asked for. They have no cells: what differs between
    /// them stands in the code that asks.
    pub(crate) fn enum_objects(&mut self, class: ClassId) -> Vec<StaticId> {
        let shape = self.shape_of(&Ty::Class(class));
        if let Some(known) = self.enum_constants.get(&class) {
            return known.clone();
        }
        let class_name = self.table.class(class).name.clone();
        let first = self.program.statics.len();
        let mut ids = Vec::new();
        for (index, constant) in self.table.class(class).decl.constants.iter().enumerate() {
            ids.push(StaticId::from_index(first + index));
            let name = format!("{class_name}.{}", constant.name);
            let object = StaticObject {
                name,
                shape,
                length: None,
                cells: Vec::new(),
                constant: false,
                private: false,
            };
            self.program.statics.push(object);
        }
        self.enum_constants.insert(class, ids.clone());
        ids
    }
}

impl<'a> Body<'_, 'a> {
    pub(super) fn is_enum(&self, class: ClassId) -> bool {
        self.cx.table.class(class).decl.kind == ClassKind::Enum
    }

    pub(super) fn enum_constant(&mut self, class: ClassId, name: &str) -> Option<Value> {
        let decl = self.cx.table.class(class).decl;
        let index = decl.constants.iter().position(|constant| constant.name == name)?;
        let object = self.cx.enum_objects(class)[index];
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
        let imported = self.cx.table.imported(self.class, name, |owner| {
            let constants = &self.cx.table.class(owner).decl.constants;
            constants.iter().filter(|constant| constant.name == name).map(|_| owner).collect()
        });
        match imported.found.as_slice() {
            [owner] => self.enum_constant(*owner, name),
            _ => None,
        }
    }

    /// The values of a field in all constants, in their order; nothing if they are not known.
    fn enum_field(&mut self, class: ClassId, field: FieldId) -> Option<Vec<IrExpr>> {
        if !self.cx.enum_fields.contains_key(&class) {
            // A constant that is needed to find its own fields has none yet.
            self.cx.enum_fields.insert(class, None);
            let constants = &self.cx.table.class(class).decl.constants;
            let fields: Option<Vec<_>> = self.while_initialising((class, None), |body| {
                constants.iter().map(|constant| body.enum_field_values(class, constant)).collect()
            });
            self.cx.enum_fields.insert(class, fields);
        }
        let zero_type = self.cx.table.field(field).ty.clone();
        let zero = IrExpr::Const(Const::zero(&self.cx.ir_type(&zero_type)));
        let values = self.cx.enum_fields.get(&class)?.as_ref()?;
        let of_constant = |values: &Vec<(FieldId, IrExpr)>| {
            let known = values.iter().find(|(known, _)| *known == field);
            known.map_or_else(|| zero.clone(), |(_, value)| value.clone())
        };
        Some(values.iter().map(of_constant).collect())
    }

    /// What a value of an enum type that is not null stands for: one expression for each constant.
    /// The code says it instead of the heap, so that the constants of two versions are the same objects whatever
    /// their order and fields are.
    fn by_constant(&mut self, class: ClassId, value: &IrExpr, of_constants: Vec<IrExpr>) -> Option<IrExpr> {
        let objects = self.cx.enum_objects(class);
        if let IrExpr::Const(Const::Static(object)) = value
            && let Some(index) = objects.iter().position(|known| known == object)
        {
            return of_constants.into_iter().nth(index);
        }
        let constants = &self.cx.table.class(class).decl.constants;
        let mut ways: Vec<(&str, StaticId, IrExpr)> = constants
            .iter()
            .zip(objects)
            .zip(of_constants)
            .map(|((constant, object), expr)| (constant.name.as_str(), object, expr))
            .collect();
        // In the order of the names, which does not change with that of the constants.
        ways.sort_by_key(|(name, _, _)| *name);
        let mut ways = ways.into_iter().rev();
        let (_, _, last) = ways.next()?;
        Some(ways.fold(last, |otherwise, (_, object, then)| {
            if then == otherwise {
                return otherwise;
            }
            let constant = Box::new(IrExpr::Const(Const::Static(object)));
            let condition = IrExpr::SameRef { lhs: Box::new(value.clone()), rhs: constant };
            IrExpr::If {
                condition: Box::new(condition),
                then: Box::new(then),
                otherwise: Box::new(otherwise),
            }
        }))
    }

    /// Reads a field that an enum declares, of a constant that is not null; nothing for fields of other classes.
    pub(super) fn read_enum_field(&mut self, field: FieldId, object: &Value) -> Option<Value> {
        let info = self.cx.table.field(field);
        let (class, name, ty) = (info.class, info.name.clone(), info.ty.clone());
        if !self.is_enum(class) {
            return None;
        }
        let object = self.small(object.clone());
        let values = self.enum_field(class, field);
        let value = values.and_then(|values| self.by_constant(class, &object.expr, values));
        Some(match value {
            Some(value) => Value::new(value, ty),
            None => self.unsupported(format!("the field `{name}` of an enum whose constants are not plain")),
        })
    }

    /// What the constructor of a constant stores in its fields, if it only stores constants in final fields.
    fn enum_field_values(
        &mut self,
        class: ClassId,
        constant: &'a EnumConstant,
    ) -> Option<Vec<(FieldId, IrExpr)>> {
        let members = &self.cx.table.class(class).decl.members;
        if members.iter().any(|member| matches!(member, Member::Initializer { is_static: false, .. })) {
            return None;
        }
        let fields = self.cx.table.class(class).fields.clone();
        let mut values = Vec::new();
        for id in fields {
            let field = self.cx.table.field(id);
            if field.is_static || field.decl.is_none() {
                continue;
            }
            let never_assigned = field.is_private && !self.cx.field_uses.assigns(id);
            if !(field.is_final || never_assigned) || field.ty.is_unknown() {
                return None;
            }
            let ty = field.ty.clone();
            if let Some(init) = field.init {
                if !self.is_stable_in_enum(init, class, &[]) {
                    return None;
                }
                values.push((id, self.evaluate_pure(init, class, &ty, Vec::new())?));
            }
        }
        let constructors = self.cx.table.class(class).constructors.clone();
        let mut arguments = Vec::new();
        for arg in &constant.args {
            if !self.is_stable_in_enum(arg, class, &[]) {
                return None;
            }
            let (value, block) = self.in_block(|body| {
                let scopes = std::mem::replace(&mut body.scopes, vec![Vec::new()]);
                let old_class = std::mem::replace(&mut body.class, class);
                let value = body.expr(arg);
                body.class = old_class;
                body.scopes = scopes;
                value
            });
            if !block.is_empty() || !is_pure(&value.expr) {
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
    ) -> Option<(FieldId, IrExpr)> {
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
        let names: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
        if !self.is_stable_in_enum(rhs, class, &names) {
            return None;
        }
        let value = self.evaluate_pure(rhs, class, &ty, params.to_vec())?;
        Some((field, value))
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
        if decl.constants.iter().any(|constant| constant.own_methods.iter().any(|own| own == name)) {
            return Some(self.unsupported("an enum whose constants have bodies"));
        }
        if defined {
            return None;
        }
        match (name, args) {
            ("values", []) => {
                let objects = self.cx.enum_objects(class);
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
                let (receiver, other) = (&self.small(receiver.clone()), &self.small(other.clone()));
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
        let Ty::Class(class) = value.ty else { return self.zero(&Ty::INT) };
        let count = self.cx.table.class(class).decl.constants.len();
        let ordinals = (0..count).map(|ordinal| i32_const(i32::try_from(ordinal).unwrap_or(i32::MAX)));
        let ordinals = ordinals.collect();
        match self.by_constant(class, &value.expr, ordinals) {
            Some(ordinal) => Value::new(ordinal, Ty::INT),
            None => self.zero(&Ty::INT),
        }
    }

    /// The text of a constant, unless the enum has a `toString` of its own.
    pub(super) fn enum_text(&mut self, class: ClassId, receiver: &Value, method: &str) -> Option<Value> {
        if !self.is_enum(class) || method != "toString" {
            return None;
        }
        let in_body = |constant: &EnumConstant| constant.own_methods.iter().any(|name| name == "toString");
        if self.cx.table.class(class).decl.constants.iter().any(in_body) {
            return Some(self.unsupported("an enum whose constants have bodies"));
        }
        let own = self.cx.table.class(class).methods.iter().any(|id| {
            let method = self.cx.table.method(*id);
            method.name == "toString" && method.params.is_empty()
        });
        if own {
            return None;
        }
        let receiver = &self.small(receiver.clone());
        Some(self.enum_name(receiver))
    }

    /// The name of a constant; the empty text before it says that it is never null.
    fn enum_name(&mut self, receiver: &Value) -> Value {
        let Ty::Class(class) = receiver.ty else { return self.zero(&Ty::Text) };
        let constants = self.cx.table.class(class).decl.constants.iter();
        let names = constants.map(|constant| IrExpr::Const(Const::text(&constant.name))).collect();
        let name = self.by_constant(class, &receiver.expr, names);
        let name = name.unwrap_or_else(|| IrExpr::Const(Const::text("")));
        if matches!(name, IrExpr::Const(_)) {
            return Value::new(name, Ty::Text);
        }
        let text = IrExpr::Intrinsic {
            function: ir::Intrinsic::TextConcat,
            args: vec![IrExpr::Const(Const::text("")), name],
        };
        Value::new(text, Ty::Text)
    }

    fn enum_value_of(&mut self, class: ClassId, text: Value) -> Value {
        let text = self.small(text);
        let text = self.convert(text, &Ty::Text);
        self.check_not_null(&text);
        let decl = self.cx.table.class(class).decl;
        let objects = self.cx.enum_objects(class);
        let mut known = IrExpr::Const(Const::Bool(false));
        let mut value = IrExpr::Const(Const::Null);
        let mut constants: Vec<_> = decl.constants.iter().zip(objects).collect();
        constants.sort_by_key(|(constant, _)| &constant.name);
        for (constant, object) in constants {
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
