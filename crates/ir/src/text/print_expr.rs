//! Prints expressions and constants. Literals say their type where it is not the expected one.

use super::print::Printer;
use super::words::{default_float, default_int, write_text};
use crate::{Const, Expr, FloatType, GlobalId, RegionId, Scalar, Type};

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: &Expr, expected: Option<&Type>) {
        match expr {
            Expr::Const(value) => self.constant(value, expected),
            Expr::Local(local) => {
                let name = self.current.and_then(|procedure| procedure.locals.get(local.index()));
                self.entry(name.map(|it| &it.name), local.0);
            }
            Expr::Global(global) => self.global_use(*global),
            Expr::Unary { op, ty, arg } => {
                self.operator(op.name(), *ty);
                self.operands([(&**arg, Some(Type::from(*ty)))]);
            }
            Expr::Binary { op, ty, lhs, rhs } => {
                self.operator(op.name(), *ty);
                self.operands([(&**lhs, Some(Type::from(*ty))), (&**rhs, Some(Type::from(*ty)))]);
            }
            Expr::Convert { from, to, arg } => {
                self.args(format_args!("convert.{}.{}", from.name(), to.name()));
                self.operands([(&**arg, Some(Type::from(*from)))]);
            }
            Expr::If { condition, then, otherwise } => {
                self.put("if(");
                self.expr(condition, None);
                self.put(", ");
                self.expr(then, expected);
                self.put(", ");
                self.expr(otherwise, expected);
                self.put(")");
            }
            Expr::SameRef { lhs, rhs } => self.untyped("same_ref", [lhs, rhs]),
            Expr::SameText { lhs, rhs } => self.untyped("same_text", [lhs, rhs]),
            Expr::SameMap { lhs, rhs } => self.untyped("same_map", [lhs, rhs]),
            Expr::Load { region, object, index } => {
                self.put("load ");
                self.cell(*region, object, index.as_deref());
            }
            Expr::Length { object, ty } => {
                self.operator("length", Scalar::Int(*ty));
                self.operands([(&**object, None)]);
            }
            Expr::HasShape { object, shapes } => {
                self.put("has_shape(");
                self.expr(object, None);
                for shape in shapes {
                    self.put(", ");
                    self.entry(self.program.shapes.get(shape.index()).map(|it| &it.name), shape.0);
                }
                self.put(")");
            }
            Expr::Record(fields) => {
                self.put("record(");
                for (position, field) in fields.iter().enumerate() {
                    if position > 0 {
                        self.put(", ");
                    }
                    self.expr(field, component(expected, position));
                }
                self.put(")");
            }
            Expr::Get { record, index } => {
                self.args(format_args!("get.{index}"));
                self.operands([(&**record, None)]);
            }
            Expr::Select { map, key } => self.untyped("select", [map, key]),
            Expr::Update { map, key, value } => {
                let (key_type, value_type) = match expected {
                    Some(Type::Map(key, value)) => (Some((**key).clone()), Some((**value).clone())),
                    _ => (None, None),
                };
                self.put("update");
                self.operands([(&**map, expected.cloned()), (&**key, key_type), (&**value, value_type)]);
            }
            Expr::Overflows { op, ty, lhs, rhs } => {
                self.args(format_args!("overflows.{}.{}", op.name(), ty.name()));
                self.operands([(&**lhs, Some(Type::Int(*ty))), (&**rhs, Some(Type::Int(*ty)))]);
            }
            Expr::Fits { arg, from, to } => {
                self.args(format_args!("fits.{}.{}", from.name(), to.name()));
                self.operands([(&**arg, Some(Type::Float(*from)))]);
            }
            Expr::Intrinsic { function, args } => {
                self.put(function.name());
                if let Some(ty) = function.type_parameter() {
                    self.put(".");
                    self.put(ty.name());
                }
                let params = function.signature().params;
                self.put("(");
                for (position, arg) in args.iter().enumerate() {
                    if position > 0 {
                        self.put(", ");
                    }
                    self.expr(arg, params.get(position));
                }
                self.put(")");
            }
        }
    }

    pub(super) fn constant(&mut self, value: &Const, expected: Option<&Type>) {
        match value {
            Const::Bool(value) => self.args(format_args!("{value}")),
            Const::Int(ty, value) => {
                self.args(format_args!("{value}"));
                self.int_suffix(*ty, default_int(expected));
            }
            Const::F32(bits) => {
                let value = f32::from_bits(*bits);
                // Through `f32`, because its shortest decimal is another one than that of the same `f64`.
                self.float(format!("{value:?}"), value.into(), FloatType::F32, expected);
            }
            Const::F64(bits) => {
                let value = f64::from_bits(*bits);
                self.float(format!("{value:?}"), value, FloatType::F64, expected);
            }
            Const::Text(units) => write_text(&mut self.out, units.iter().copied()),
            Const::NullText => self.put("null_text"),
            Const::Null => self.put("null"),
            Const::Static(id) => {
                self.put("&");
                self.entry(self.program.statics.get(id.index()).map(|it| &it.name), id.0);
            }
            Const::Record(fields) => {
                self.put("(");
                for (position, field) in fields.iter().enumerate() {
                    if position > 0 {
                        self.put(", ");
                    }
                    self.constant(field, component(expected, position));
                }
                self.put(")");
            }
            Const::Map(key, value) => {
                let value_type = match expected {
                    Some(Type::Map(_, value)) => Some(&**value),
                    _ => None,
                };
                self.put("map(");
                self.ty(key);
                self.put(" -> ");
                self.constant(value, value_type);
                self.put(")");
            }
        }
    }

    fn float(&mut self, shortest: String, value: f64, ty: FloatType, expected: Option<&Type>) {
        match (value.is_nan(), value.is_infinite()) {
            (true, _) => self.put("nan"),
            (_, true) => self.put(if value < 0.0 { "-inf" } else { "inf" }),
            _ => self.put(&shortest),
        }
        if ty != default_float(expected) {
            self.put(":");
            self.put(ty.name());
        }
    }

    /// A global by its name, with the word `global` before it where a local has the same name.
    pub(super) fn global_use(&mut self, id: GlobalId) {
        let name = self.program.globals.get(id.index()).map(|it| &it.name);
        let is_local = |name: &String| {
            self.current.is_some_and(|procedure| procedure.locals.iter().any(|local| local.name == *name))
        };
        if name.is_some_and(is_local) {
            self.put("global ");
        }
        self.entry(name, id.0);
    }

    /// `Point.x(object)` or `int[](object, index)`.
    pub(super) fn cell(&mut self, region: RegionId, object: &Expr, index: Option<&Expr>) {
        let region_entry = self.program.regions.get(region.index());
        self.entry(region_entry.map(|it| &it.name), region.0);
        self.put("(");
        self.expr(object, None);
        if let Some(index) = index {
            let ty = region_entry.and_then(|it| it.index).map(Type::Int);
            self.put(", ");
            self.expr(index, ty.as_ref());
        }
        self.put(")");
    }

    /// The name of an operator with the type that it works on; that on booleans has the plain name.
    fn operator(&mut self, name: &str, ty: Scalar) {
        self.put(name);
        if ty != Scalar::Bool {
            self.put(".");
            self.put(ty.name());
        }
    }

    fn operands<const N: usize>(&mut self, operands: [(&Expr, Option<Type>); N]) {
        self.put("(");
        self.list(&operands, |printer, (operand, expected)| printer.expr(operand, expected.as_ref()));
        self.put(")");
    }

    fn untyped(&mut self, name: &str, operands: [&Expr; 2]) {
        self.put(name);
        self.operands(operands.map(|operand| (operand, None)));
    }
}

/// The expected type of one component of a record.
pub(super) fn component(expected: Option<&Type>, position: usize) -> Option<&Type> {
    match expected {
        Some(Type::Record(fields)) => fields.get(position),
        _ => None,
    }
}
