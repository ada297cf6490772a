//! Assignments, compound assignments and increments, with the order of evaluation of JLS 15.26. Exact.

use ir::{BinaryOp as Ir, Expr as IrExpr, GlobalId, IntType, LocalId, RegionId, StmtKind};

use super::body::{Binding, Body, I32, Value, and, binary, i32_const};
use super::entity::Entity;
use super::expr::step;
use super::statics::StaticField;
use crate::syntax::{BinaryOp, Expr, ExprKind};
use crate::types::{FieldId, Ty};

/// Something that can be assigned, its parts evaluated.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) kind: PlaceKind,
    pub(super) ty: Ty,
}

#[derive(Clone)]
pub(super) enum PlaceKind {
    Local(LocalId),
    Global(GlobalId),
    Field {
        region: RegionId,
        object: Value,
    },
    Element {
        region: RegionId,
        array: Value,
        index: Value,
    },
    /// A field of a class that is not given: its owner and name. A static one has no object.
    Foreign {
        object: Option<Value>,
        owner: String,
        name: String,
    },
    /// Not lowered; the unsupported statement has been emitted.
    Lost,
}

impl<'a> Body<'_, 'a> {
    /// Evaluates the parts of what is assigned or indexed, without the checks.
    pub(super) fn place(&mut self, expr: &'a Expr) -> Place {
        self.at(expr.span, |body| match &expr.kind {
            ExprKind::Name(name) => body.name_place(name),
            ExprKind::Field { object, name } => body.field_place(object, name),
            ExprKind::Index { array, index } => body.element_place(array, index),
            _ => body.lost("an assignment to something that is not a variable"),
        })
    }

    fn lost(&mut self, what: impl Into<String>) -> Place {
        let ty = self.unsupported(what).ty;
        Place { kind: PlaceKind::Lost, ty }
    }

    fn name_place(&mut self, name: &str) -> Place {
        match self.lookup(name) {
            Some(Binding::Local(local, ty)) => {
                let (local, ty) = (*local, ty.clone());
                if ty.is_unknown() {
                    let type_name = self.cx.table.type_name(&ty);
                    return self.lost(format!("the variable `{name}` of type `{type_name}`"));
                }
                return Place { kind: PlaceKind::Local(local), ty };
            }
            Some(Binding::Alias(_) | Binding::Constant(_)) => {
                return self.lost(format!("an assignment to `{name}`"));
            }
            None => {}
        }
        match self.field_in_scope(name) {
            Some((field, receiver)) => self.place_of_field(field, receiver),
            None => match self.owner_of_field(name) {
                Some((owner, object)) => foreign_place(object, owner, name),
                None => self.lost(format!("the unknown name `{name}`")),
            },
        }
    }

    fn field_place(&mut self, object: &'a Expr, name: &str) -> Place {
        let object = match &object.kind {
            ExprKind::Super => return self.super_place(name),
            ExprKind::Name(_) | ExprKind::Field { .. } => self.entity(object),
            _ => Entity::Value(self.expr(object)),
        };
        let (class, receiver) = match object {
            Entity::Value(value) => match value.ty {
                Ty::Class(class) => (class, Some(value)),
                Ty::Foreign(ref owner) if owner != "?" => {
                    let owner = owner.clone();
                    return foreign_place(Some(value), owner, name);
                }
                _ => return self.lost(format!("the unknown field `{name}`")),
            },
            Entity::Class(class) => (class, None),
            Entity::Unknown(path) => {
                let parts: Vec<String> = path.split('.').map(str::to_owned).collect();
                return match self.foreign_path(&parts) {
                    Some((class, [])) => foreign_place(None, class, name),
                    _ => self.lost(format!("the unknown name `{path}.{name}`")),
                };
            }
        };
        match self.cx.table.find_field(class, name) {
            Some(field) => self.place_of_field(field, receiver),
            None => self.lost(format!("the unknown field `{name}`")),
        }
    }

    /// `super.name`: never a field of the class itself.
    fn super_place(&mut self, name: &str) -> Place {
        if let Some(owner) = self.cx.table.unknown_superclass(self.class) {
            return foreign_place(self.this.clone(), owner, name);
        }
        let parent = self.cx.table.class(self.class).superclass;
        match parent.and_then(|parent| self.cx.table.find_field(parent, name)) {
            Some(field) => self.place_of_field(field, self.this.clone()),
            None => self.lost(format!("the unknown field `super.{name}`")),
        }
    }

    fn place_of_field(&mut self, field: FieldId, receiver: Option<Value>) -> Place {
        let info = self.cx.table.field(field);
        let (ty, name) = (info.ty.clone(), info.name.clone());
        if ty.is_unknown() {
            return self.lost(format!("the field `{name}` of type `{}`", self.cx.table.type_name(&ty)));
        }
        if self.cx.unread.contains(&field) {
            // Nobody sees what it holds; an operator before the assignment may have any number.
            let is_static = info.is_static;
            if is_static {
                self.use_class(self.cx.table.field(field).class);
            }
            let local = self.temp_for(&ty);
            let value = self.zero(&ty).expr;
            self.emit(StmtKind::Assign { local, value });
            return Place { kind: PlaceKind::Local(local), ty };
        }
        if info.is_static {
            self.use_class(info.class);
            return match self.static_field(field) {
                StaticField::Global(global) => Place { kind: PlaceKind::Global(global), ty },
                _ => self.lost(format!("an assignment to the constant `{name}`")),
            };
        }
        match receiver {
            Some(_) if self.is_enum(self.cx.table.field(field).class) => {
                self.lost(format!("an assignment to the field `{name}` of an enum"))
            }
            Some(object) => {
                let region = self.cx.field_region(field);
                Place { kind: PlaceKind::Field { region, object }, ty }
            }
            None => self.lost(format!("the field `{name}` without an object")),
        }
    }

    fn element_place(&mut self, array: &'a Expr, index: &'a Expr) -> Place {
        let mut values = self.in_order([array, index], |body, operand| body.expr(operand));
        let (Some(index), Some(array)) = (values.pop(), values.pop()) else {
            return self.lost("an array access without its parts");
        };
        let Ty::Array(element) = array.ty.clone() else {
            // The unsupported statement for a value of unknown type stands before.
            return match array.ty.is_unknown() {
                true => Place { kind: PlaceKind::Lost, ty: array.ty },
                false => self.lost("an element of something that is not an array"),
            };
        };
        let index = self.convert(index, &Ty::INT);
        let region = self.cx.element_region(&element);
        Place { kind: PlaceKind::Element { region, array, index }, ty: *element }
    }

    /// Makes the parts of a place safe to be written several times.
    fn small_place(&mut self, place: &mut Place) {
        match &mut place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Lost => {}
            PlaceKind::Foreign { object, .. } => *object = object.clone().map(|object| self.small(object)),
            PlaceKind::Field { object, .. } => *object = self.small(object.clone()),
            PlaceKind::Element { array, index, .. } => {
                *array = self.small(array.clone());
                *index = self.small(index.clone());
            }
        }
    }

    /// The checks before a place is read or written: null first, then bounds.
    pub(super) fn check_place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Lost => {}
            PlaceKind::Foreign { object, name, .. } => {
                object.iter().for_each(|object| self.check_receiver(object, name, 0));
            }
            PlaceKind::Field { object, .. } => self.check_not_null(object),
            PlaceKind::Element { array, index, .. } => {
                self.check_not_null(array);
                let length = IrExpr::Length { object: Box::new(array.expr.clone()), ty: IntType::I32 };
                let low = super::operator::fold(Ir::Le, I32, i32_const(0), index.expr.clone());
                let high = binary(Ir::Lt, I32, index.expr.clone(), length);
                let inside = match low {
                    IrExpr::Const(ir::Const::Bool(true)) => high,
                    low => and(low, high),
                };
                let error = self.cx.library_error("ArrayIndexOutOfBoundsException");
                self.check(inside, error);
            }
        }
    }

    pub(super) fn load(&mut self, place: &Place) -> Value {
        let expr = match &place.kind {
            PlaceKind::Local(local) => IrExpr::Local(*local),
            PlaceKind::Global(global) => IrExpr::Global(*global),
            PlaceKind::Field { region, object } => {
                IrExpr::Load { region: *region, object: Box::new(object.expr.clone()), index: None }
            }
            PlaceKind::Element { region, array, index } => IrExpr::Load {
                region: *region,
                object: Box::new(array.expr.clone()),
                index: Some(Box::new(index.expr.clone())),
            },
            PlaceKind::Foreign { name, .. } => {
                let what = format!("the type of the field `{name}` of a class that is not given");
                return self.unsupported(what);
            }
            PlaceKind::Lost => return self.zero(&place.ty),
        };
        Value::new(expr, place.ty.clone())
    }

    fn store(&mut self, place: &Place, value: IrExpr) {
        let kind = match &place.kind {
            PlaceKind::Local(local) => StmtKind::Assign { local: *local, value },
            PlaceKind::Global(global) => StmtKind::AssignGlobal { global: *global, value },
            PlaceKind::Field { region, object } => {
                StmtKind::Store { region: *region, object: object.expr.clone(), index: None, value }
            }
            PlaceKind::Element { region, array, index } => StmtKind::Store {
                region: *region,
                object: array.expr.clone(),
                index: Some(index.expr.clone()),
                value,
            },
            PlaceKind::Lost | PlaceKind::Foreign { .. } => return,
        };
        self.emit(kind);
    }

    /// Saves the evaluated parts of a place that the statements since `start` may change.
    fn protect_place(&mut self, place: &mut Place, start: usize) {
        match &mut place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Lost => {}
            PlaceKind::Foreign { object: None, .. } => {}
            PlaceKind::Foreign { object: Some(object), .. } | PlaceKind::Field { object, .. } => {
                let mut parts = [object.clone()];
                self.protect(&mut parts, start);
                let [part] = parts;
                *object = part;
            }
            PlaceKind::Element { array, index, .. } => {
                let mut parts = [array.clone(), index.clone()];
                self.protect(&mut parts, start);
                let [first, second] = parts;
                *array = first;
                *index = second;
            }
        }
    }

    /// `lhs = rhs`: the parts of the left side, the right side, then the checks, then the store.
    pub(super) fn assign(&mut self, lhs: &'a Expr, rhs: &'a Expr, needed: bool) -> Value {
        let mut place = self.place(lhs);
        let start = self.block.len();
        let ty = place.ty.clone();
        let value = match place.kind {
            PlaceKind::Lost | PlaceKind::Foreign { .. } => self.expr(rhs),
            _ => self.expr_of_type(rhs, &ty),
        };
        self.protect_place(&mut place, start);
        self.small_place(&mut place);
        self.check_place(&place);
        self.finish_store(&place, value, needed)
    }

    /// Stores the value, and gives it back if it is needed.
    fn finish_store(&mut self, place: &Place, value: Value, needed: bool) -> Value {
        if let PlaceKind::Local(local) = place.kind {
            self.store(place, value.expr);
            return Value::new(IrExpr::Local(local), place.ty.clone());
        }
        if let PlaceKind::Foreign { object, owner, name } = &place.kind {
            if value.ty.is_unknown() {
                return value;
            }
            let value = self.small(value);
            self.assign_foreign_field(object.clone(), owner, name, value.clone());
            // A number may have been converted.
            return match value.ty.unboxed() {
                Some(_) if needed => {
                    self.unsupported("the value of an assignment to a field that is not given")
                }
                _ => value,
            };
        }
        let is_constant = matches!(value.expr, IrExpr::Const(_));
        let value = if needed && !is_constant { self.saved(value) } else { value };
        self.store(place, value.expr.clone());
        value
    }

    /// `lhs op= rhs`: the left side is read before the right side is evaluated, and the result is cast back.
    pub(super) fn compound(&mut self, op: BinaryOp, lhs: &'a Expr, rhs: &'a Expr, needed: bool) -> Value {
        let mut place = self.place(lhs);
        self.small_place(&mut place);
        self.check_place(&place);
        let mut old = [self.load(&place)];
        let start = self.block.len();
        let right = self.expr(rhs);
        let start = self.unbox_early(op, &mut old[0], &right.ty, start);
        self.protect(&mut old, start);
        self.protect_place(&mut place, start);
        let [old] = old;
        let result = self.binary(op, old, right);
        let result = self.convert(result, &place.ty);
        self.finish_store(&place, result, needed)
    }

    /// `++` and `--`; the result is wanted before (postfix) or after (prefix) the change, or not at all.
    pub(super) fn update(
        &mut self,
        arg: &'a Expr,
        increment: bool,
        wanted: Option<(bool, &mut Option<Value>)>,
    ) {
        let mut place = self.place(arg);
        self.small_place(&mut place);
        self.check_place(&place);
        let mut old = self.load(&place);
        if let Some((false, result)) = &wanted {
            debug_assert!(result.is_none(), "a result should be given once");
            old = self.saved(old);
        }
        let one = Value::new(i32_const(1), Ty::INT);
        let new = self.binary(step(increment), old.clone(), one);
        let new = self.convert(new, &place.ty);
        let is_prefix = matches!(wanted, Some((true, _)));
        let new = self.finish_store(&place, new, is_prefix);
        if let Some((prefix, result)) = wanted {
            *result = Some(if prefix { new } else { old });
        }
    }
}

fn foreign_place(object: Option<Value>, owner: String, name: &str) -> Place {
    Place { kind: PlaceKind::Foreign { object, owner, name: name.to_owned() }, ty: Ty::of_result() }
}
