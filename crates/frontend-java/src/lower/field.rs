//! Fields of objects and classes, read.

use ir::{Const, Expr as IrExpr, IntType};

use super::body::{Body, Value};
use super::foreign::Wanted;
use super::statics::StaticField;
use crate::syntax::ExprKind;
use crate::types::{FieldId, Ty};

impl<'a> Body<'_, 'a> {
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
            let class = info.class;
            if !self.is_constant_variable(field) {
                self.use_class(class);
            }
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
                if let Some(value) = self.known_field(field, &object) {
                    return value;
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
}
