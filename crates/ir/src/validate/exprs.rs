//! The checks of expressions.

use super::Checker;
use crate::{BinaryOp, Expr, IntType, Procedure, RegionId, Scalar, Type, UnaryOp, print_type};

impl Checker<'_> {
    /// Reports unless an expression may stand where a type is expected.
    pub(super) fn expect(&mut self, procedure: &Procedure, expr: &Expr, expected: &Type) {
        if let Some(actual) = self.expr(procedure, expr)
            && !expected.accepts(&actual)
        {
            let expected = print_type(self.program, expected);
            self.mismatch(procedure, expr, &actual, &format!("of type {expected}"));
        }
    }

    pub(super) fn expect_ref(&mut self, procedure: &Procedure, expr: &Expr) {
        if let Some(actual) = self.expr(procedure, expr)
            && !matches!(actual, Type::Ref(_))
        {
            self.mismatch(procedure, expr, &actual, "a reference");
        }
    }

    /// The type of an expression, or none if faults in it leave that open.
    fn expr(&mut self, procedure: &Procedure, expr: &Expr) -> Option<Type> {
        let program = self.program;
        match expr {
            Expr::Const(value) => {
                self.check_const(value);
                Some(value.ty())
            }
            Expr::Local(local) => self.local_type(procedure, *local).cloned(),
            Expr::Global(global) => {
                let found = self.in_table(&program.globals, global.index(), "global");
                found.then(|| program.global(*global).ty.clone())
            }
            Expr::Unary { op, ty, arg } => {
                self.ensure(unary_exists(*op, *ty), || format!("there is no {}.{}", op.name(), ty.name()));
                self.operands(procedure, *ty, [arg]);
                Some(Type::from(*ty))
            }
            Expr::Binary { op, ty, lhs, rhs } => {
                self.ensure(binary_exists(*op, *ty), || format!("there is no {}.{}", op.name(), ty.name()));
                self.operands(procedure, *ty, [lhs, rhs]);
                Some(if op.is_comparison() { Type::Bool } else { Type::from(*ty) })
            }
            Expr::Convert { from, to, arg } => {
                self.ensure(convert_exists(*from, *to), || {
                    format!("there is no conversion from {} to {}", from.name(), to.name())
                });
                self.check_type(&Type::from(*to));
                self.operands(procedure, *from, [arg]);
                Some(Type::from(*to))
            }
            Expr::If { condition, then, otherwise } => {
                self.expect(procedure, condition, &Type::Bool);
                let ty = self.expr(procedure, then)?;
                self.expect(procedure, otherwise, &ty);
                Some(ty)
            }
            Expr::SameRef { lhs, rhs } => {
                self.expect_ref(procedure, lhs);
                self.expect_ref(procedure, rhs);
                Some(Type::Bool)
            }
            Expr::SameText { lhs, rhs } => {
                self.expect(procedure, lhs, &Type::Text);
                self.expect(procedure, rhs, &Type::Text);
                Some(Type::Bool)
            }
            Expr::SameMap { lhs, rhs } => {
                if let Some((key, value)) = self.expect_map(procedure, lhs) {
                    self.expect(procedure, rhs, &Type::Map(Box::new(key), Box::new(value)));
                }
                Some(Type::Bool)
            }
            Expr::Load { region, object, index } => self.cell(procedure, *region, object, index.as_deref()),
            Expr::Length { object, ty } => {
                self.ensure(matches!(*ty, IntType::I32 | IntType::I64), || {
                    format!("a length is i32 or i64, not {}", ty.name())
                });
                self.expect_ref(procedure, object);
                Some(Type::Int(*ty))
            }
            Expr::HasShape { object, shapes } => {
                self.expect_ref(procedure, object);
                for shape in shapes {
                    self.in_table(&program.shapes, shape.index(), "shape");
                }
                Some(Type::Bool)
            }
            Expr::Record(fields) => {
                let types: Vec<_> = fields.iter().map(|field| self.expr(procedure, field)).collect();
                types.into_iter().collect::<Option<Vec<Type>>>().map(Type::Record)
            }
            Expr::Get { record, index } => match self.expr(procedure, record)? {
                Type::Record(fields) if (*index as usize) < fields.len() => {
                    Some(fields[*index as usize].clone())
                }
                other => {
                    self.mismatch(procedure, record, &other, &format!("a record with component {index}"));
                    None
                }
            },
            Expr::Select { map, key } => {
                let (key_type, value_type) = self.expect_map(procedure, map)?;
                self.expect(procedure, key, &key_type);
                Some(value_type)
            }
            Expr::Update { map, key, value } => {
                let (key_type, value_type) = self.expect_map(procedure, map)?;
                self.expect(procedure, key, &key_type);
                self.expect(procedure, value, &value_type);
                Some(Type::Map(Box::new(key_type), Box::new(value_type)))
            }
            Expr::Overflows { op, ty, lhs, rhs } => {
                use BinaryOp::{Add, Div, Mul, Shl, Sub};
                let exists = matches!(op, Add | Sub | Mul | Div | Shl);
                self.ensure(exists, || format!("there is no overflows.{}", op.name()));
                self.operands(procedure, Scalar::Int(*ty), [lhs, rhs]);
                Some(Type::Bool)
            }
            Expr::Fits { arg, from, to } => {
                self.check_type(&Type::Int(*to));
                self.operands(procedure, Scalar::Float(*from), [arg]);
                Some(Type::Bool)
            }
            Expr::Intrinsic { function, args } => {
                let signature = function.signature();
                let (name, count) = (function.name(), signature.params.len());
                self.ensure(args.len() == count, || {
                    format!("`{name}` should get {count} operands, not {}", args.len())
                });
                signature.params.iter().chain([&signature.result]).for_each(|ty| self.check_type(ty));
                for (arg, ty) in args.iter().zip(&signature.params) {
                    self.expect(procedure, arg, ty);
                }
                Some(signature.result)
            }
        }
    }

    fn operands<const N: usize>(&mut self, procedure: &Procedure, ty: Scalar, operands: [&Expr; N]) {
        let ty = Type::from(ty);
        self.check_type(&ty);
        for operand in operands {
            self.expect(procedure, operand, &ty);
        }
    }

    fn expect_map(&mut self, procedure: &Procedure, expr: &Expr) -> Option<(Type, Type)> {
        match self.expr(procedure, expr)? {
            Type::Map(key, value) => Some((*key, *value)),
            other => {
                self.mismatch(procedure, expr, &other, "a map");
                None
            }
        }
    }

    /// Checks a place in the heap and gives the type of what is there.
    pub(super) fn cell(
        &mut self,
        procedure: &Procedure,
        region: RegionId,
        object: &Expr,
        index: Option<&Expr>,
    ) -> Option<Type> {
        self.expect_ref(procedure, object);
        if !self.in_table(&self.program.regions, region.index(), "region") {
            return None;
        }
        let region = self.program.region(region);
        match (region.index, index) {
            (None, None) => {}
            (Some(ty), Some(index)) => self.expect(procedure, index, &Type::Int(ty)),
            (None, Some(_)) => self.report(format!("the region `{}` has no index", region.name)),
            (Some(_), None) => self.report(format!("the region `{}` needs an index", region.name)),
        }
        Some(region.value.clone())
    }
}

fn unary_exists(op: UnaryOp, ty: Scalar) -> bool {
    match op {
        UnaryOp::Not => ty == Scalar::Bool,
        UnaryOp::Neg => ty != Scalar::Bool,
        UnaryOp::BitNot => matches!(ty, Scalar::Int(_)),
    }
}

fn binary_exists(op: BinaryOp, ty: Scalar) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => ty != Scalar::Bool,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => !matches!(ty, Scalar::Float(_)),
        BinaryOp::Shl | BinaryOp::Shr => matches!(ty, Scalar::Int(_)),
        BinaryOp::Eq | BinaryOp::Ne => true,
        BinaryOp::Lt | BinaryOp::Le => ty != Scalar::Bool,
    }
}

fn convert_exists(from: Scalar, to: Scalar) -> bool {
    match from {
        Scalar::Bool => matches!(to, Scalar::Int(_)),
        Scalar::Int(_) | Scalar::Float(_) => to != Scalar::Bool,
    }
}
