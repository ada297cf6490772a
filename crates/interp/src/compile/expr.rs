//! Expressions: each leaves its value in registers.

use ir::{Const, Expr, IntType, Scalar, Target, Type};

use super::registers::CONSTANTS;
use super::{ProcCompiler, Stopped, ill_typed, signature};
use crate::code::{Inst, NO_REG, Reg, width};
use crate::domain::Domain;

/// How many constants a frame may hold; calls copy them. Others are loaded where they are used.
const FRAME_CONSTANTS: usize = 64;

/// Where a value is, and its type.
type Placed = (Reg, Type);

impl<D: Domain> ProcCompiler<'_, D> {
    /// Computes a value, anywhere. Locals and constants stay where they are.
    pub(super) fn value(&mut self, expr: &Expr) -> Result<Placed, Stopped> {
        self.place(expr, None)
    }

    /// Computes a value into registers that nothing in the expression reads.
    pub(super) fn value_into(&mut self, expr: &Expr, dst: Reg) -> Result<Type, Stopped> {
        let (reg, ty) = self.place(expr, Some(dst))?;
        if reg != dst {
            self.emit(Inst::Copy { dst, src: reg, width: width(&ty) });
        }
        Ok(ty)
    }

    /// Computes a value of a given type.
    pub(super) fn typed(&mut self, expr: &Expr, ty: &Type) -> Result<Reg, Stopped> {
        let (reg, actual) = self.value(expr)?;
        if ty.accepts(&actual) { Ok(reg) } else { Err(mismatch(ty, &actual)) }
    }

    /// Registers that hold a constant.
    pub(super) fn constant(&mut self, slots: Vec<D::Slot>) -> Reg {
        if let Some(reg) = self.constant_regs.get(&slots) {
            return *reg;
        }
        if self.frame_constants.len() + slots.len() <= FRAME_CONSTANTS {
            let reg = CONSTANTS + self.frame_constants.len() as Reg;
            self.frame_constants.extend(slots.iter().cloned());
            self.constant_regs.insert(slots, reg);
            return reg;
        }
        let (index, width) = (self.constants.len() as u32, slots.len() as u32);
        self.constants.extend(slots);
        let dst = self.alloc(width);
        self.emit(Inst::Const { dst, index, width });
        dst
    }

    fn place(&mut self, expr: &Expr, want: Option<Reg>) -> Result<Placed, Stopped> {
        self.enter()?;
        let placed = match expr {
            Expr::Const(constant) => self.const_expr(constant),
            Expr::Local(local) => match self.procedure.locals.get(local.index()) {
                Some(declared) => Ok((self.local_regs[local.index()], declared.ty.clone())),
                None => Err(ill_typed("there is no such local")),
            },
            Expr::Global(global) => self.global_expr(*global, want),
            Expr::Unary { op, ty, arg } => self.unary_expr(*op, *ty, arg, want),
            Expr::Binary { op, ty, lhs, rhs } => self.binary_expr(*op, *ty, lhs, rhs, want),
            Expr::Convert { from, to, arg } => self.convert_expr(*from, *to, arg, want),
            Expr::If { condition, then, otherwise } => self.if_expr(condition, then, otherwise, want),
            Expr::SameRef { lhs, rhs } => self.same_expr(&Type::Ref(Target::Any), lhs, rhs, want),
            Expr::SameText { lhs, rhs } => self.same_expr(&Type::Text, lhs, rhs, want),
            Expr::SameMap { lhs, rhs } => self.same_map_expr(lhs, rhs, want),
            Expr::Load { region, object, index } => self.load_expr(*region, object, index.as_deref(), want),
            Expr::Length { object, ty } => self.length_expr(object, *ty, want),
            Expr::HasShape { object, shapes } => self.has_shape_expr(object, shapes, want),
            Expr::Record(fields) => self.record_expr(fields),
            Expr::Get { record, index } => self.get_expr(record, *index),
            Expr::Select { map, key } => self.select_expr(map, key, want),
            Expr::Update { map, key, value } => self.update_expr(map, key, value, want),
            Expr::Overflows { op, ty, lhs, rhs } => self.overflows_expr(*op, *ty, lhs, rhs, want),
            Expr::Fits { arg, from, to } => self.fits_expr(arg, *from, *to, want),
            Expr::Intrinsic { function, args } => self.intrinsic_expr(*function, args, want),
        };
        self.leave();
        placed
    }

    fn target(&mut self, want: Option<Reg>) -> Reg {
        want.unwrap_or_else(|| self.alloc(1))
    }

    fn const_expr(&mut self, constant: &Const) -> Result<Placed, Stopped> {
        if let Const::Int(ty, value) = constant
            && !ty.contains(*value)
        {
            return Err(ill_typed("an integer constant is out of the range of its type"));
        }
        let slots = self.tables.flatten(constant);
        Ok((self.constant(slots), constant.ty()))
    }

    fn global_expr(&mut self, global: ir::GlobalId, want: Option<Reg>) -> Result<Placed, Stopped> {
        let program = self.program;
        let declared =
            program.globals.get(global.index()).ok_or_else(|| ill_typed("there is no such global"))?;
        let slot = self.tables.global_slots[global.index()];
        let width = width(&declared.ty);
        let dst = want.unwrap_or_else(|| self.alloc(width));
        self.emit(Inst::GetGlobal { dst, slot, width });
        Ok((dst, declared.ty.clone()))
    }

    fn unary_expr(
        &mut self,
        op: ir::UnaryOp,
        ty: Scalar,
        arg: &Expr,
        want: Option<Reg>,
    ) -> Result<Placed, Stopped> {
        if !signature::unary_takes(op, ty) {
            return Err(ill_typed(format!("{op:?} of {ty:?}")));
        }
        let arg = self.typed(arg, &ty.into())?;
        let dst = self.target(want);
        self.emit(Inst::Unary { op, ty, dst, arg });
        Ok((dst, ty.into()))
    }

    fn binary_expr(
        &mut self,
        op: ir::BinaryOp,
        ty: Scalar,
        lhs: &Expr,
        rhs: &Expr,
        want: Option<Reg>,
    ) -> Result<Placed, Stopped> {
        if !signature::binary_takes(op, ty) {
            return Err(ill_typed(format!("{op:?} of {ty:?}")));
        }
        let lhs = self.typed(lhs, &ty.into())?;
        let rhs = self.typed(rhs, &ty.into())?;
        let dst = self.target(want);
        self.emit(Inst::Binary { op, ty, dst, lhs, rhs });
        Ok((dst, if op.is_comparison() { Type::Bool } else { ty.into() }))
    }

    fn convert_expr(
        &mut self,
        from: Scalar,
        to: Scalar,
        arg: &Expr,
        want: Option<Reg>,
    ) -> Result<Placed, Stopped> {
        if !signature::converts(from, to) {
            return Err(ill_typed(format!("conversion from {from:?} to {to:?}")));
        }
        let arg = self.typed(arg, &from.into())?;
        let dst = self.target(want);
        self.emit(Inst::Convert { from, to, dst, arg });
        Ok((dst, to.into()))
    }

    fn if_expr(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        want: Option<Reg>,
    ) -> Result<Placed, Stopped> {
        let condition = self.typed(condition, &Type::Bool)?;
        let branch = self.tables.branch();
        let split = self.insts.len();
        self.emit(Inst::JumpUnless { condition, to: 0, branch });
        let (then_reg, ty) = self.place(then, want)?;
        let dst = want.unwrap_or_else(|| self.alloc(width(&ty)));
        self.copy(dst, then_reg, &ty);
        let join = self.insts.len();
        self.emit(Inst::Jump { to: 0 });
        self.patch(split);
        let (other_reg, other_ty) = self.place(otherwise, Some(dst))?;
        if !ty.accepts(&other_ty) {
            return Err(mismatch(&ty, &other_ty));
        }
        self.copy(dst, other_reg, &ty);
        self.patch(join);
        Ok((dst, ty))
    }

    fn copy(&mut self, dst: Reg, src: Reg, ty: &Type) {
        if dst != src {
            self.emit(Inst::Copy { dst, src, width: width(ty) });
        }
    }

    fn same_expr(&mut self, ty: &Type, lhs: &Expr, rhs: &Expr, want: Option<Reg>) -> Result<Placed, Stopped> {
        let lhs = self.typed(lhs, ty)?;
        let rhs = self.typed(rhs, ty)?;
        let dst = self.target(want);
        self.emit(Inst::Same { dst, lhs, rhs });
        Ok((dst, Type::Bool))
    }

    fn same_map_expr(&mut self, lhs: &Expr, rhs: &Expr, want: Option<Reg>) -> Result<Placed, Stopped> {
        let (lhs, ty) = self.value(lhs)?;
        let Type::Map(key, value) = &ty else { return Err(ill_typed("not a map is compared as a map")) };
        let rhs = self.typed(rhs, &ty)?;
        let map = self.map_type(key, value);
        let dst = self.target(want);
        self.emit(Inst::SameMap { map, dst, lhs, rhs });
        Ok((dst, Type::Bool))
    }

    fn load_expr(
        &mut self,
        region: ir::RegionId,
        object: &Expr,
        index: Option<&Expr>,
        want: Option<Reg>,
    ) -> Result<Placed, Stopped> {
        let object = self.typed(object, &Type::Ref(Target::Any))?;
        let (index, ty) = self.cell(region, index)?;
        let dst = want.unwrap_or_else(|| self.alloc(width(&ty)));
        self.emit(Inst::Load { region: region.0, dst, object, index });
        Ok((dst, ty))
    }

    /// The index of a cell, and the type of the cells of its region.
    pub(super) fn cell(&mut self, region: ir::RegionId, index: Option<&Expr>) -> Result<Placed, Stopped> {
        let program = self.program;
        let declared =
            program.regions.get(region.index()).ok_or_else(|| ill_typed("there is no such region"))?;
        let index = match (declared.index, index) {
            (None, None) => NO_REG,
            (Some(ty), Some(index)) => self.typed(index, &Type::Int(ty))?,
            (None, Some(_)) | (Some(_), None) => {
                return Err(ill_typed(format!(
                    "index of {} where there should be none, or none",
                    declared.name
                )));
            }
        };
        Ok((index, declared.value.clone()))
    }

    fn length_expr(&mut self, object: &Expr, ty: IntType, want: Option<Reg>) -> Result<Placed, Stopped> {
        let object = self.typed(object, &Type::Ref(Target::Any))?;
        let dst = self.target(want);
        self.emit(Inst::Length { dst, object });
        Ok((dst, Type::Int(ty)))
    }

    fn has_shape_expr(
        &mut self,
        object: &Expr,
        shapes: &[ir::ShapeId],
        want: Option<Reg>,
    ) -> Result<Placed, Stopped> {
        let object = self.typed(object, &Type::Ref(Target::Any))?;
        let mut set: Vec<u32> = shapes.iter().map(|shape| shape.0).collect();
        set.sort_unstable();
        let shapes = self.tables.shape_sets.len() as u32;
        self.tables.shape_sets.push(set);
        let dst = self.target(want);
        self.emit(Inst::HasShape { dst, object, shapes });
        Ok((dst, Type::Bool))
    }

    /// Always into fresh registers: the fields may read what the record is assigned to.
    fn record_expr(&mut self, fields: &[Expr]) -> Result<Placed, Stopped> {
        let mut values = Vec::new();
        for field in fields {
            values.push(self.value(field)?);
        }
        let ty = Type::Record(values.iter().map(|(_, ty)| ty.clone()).collect());
        let dst = self.alloc(width(&ty));
        let mut next = dst;
        for (src, ty) in values {
            self.copy(next, src, &ty);
            next += width(&ty);
        }
        Ok((dst, ty))
    }

    fn get_expr(&mut self, record: &Expr, index: u32) -> Result<Placed, Stopped> {
        let (reg, ty) = self.value(record)?;
        let Type::Record(fields) = &ty else { return Err(ill_typed("a component of what is not a record")) };
        let field = fields
            .get(index as usize)
            .ok_or_else(|| ill_typed("a component that the record does not have"))?;
        let offset: u32 = fields[..index as usize].iter().map(width).sum();
        Ok((reg + offset, field.clone()))
    }

    fn select_expr(&mut self, map: &Expr, key: &Expr, want: Option<Reg>) -> Result<Placed, Stopped> {
        let (base, ty) = self.value(map)?;
        let Type::Map(key_ty, value_ty) = ty else { return Err(ill_typed("a key of what is not a map")) };
        let key = self.typed(key, &key_ty)?;
        let map = self.map_type(&key_ty, &value_ty);
        let dst = want.unwrap_or_else(|| self.alloc(width(&value_ty)));
        self.emit(Inst::Select { map, dst, base, key });
        Ok((dst, *value_ty))
    }

    fn update_expr(
        &mut self,
        map: &Expr,
        key: &Expr,
        value: &Expr,
        want: Option<Reg>,
    ) -> Result<Placed, Stopped> {
        let (base, ty) = self.value(map)?;
        let Type::Map(key_ty, value_ty) = &ty else {
            return Err(ill_typed("an update of what is not a map"));
        };
        let key = self.typed(key, key_ty)?;
        let value = self.typed(value, value_ty)?;
        let map = self.map_type(key_ty, value_ty);
        let dst = self.target(want);
        self.emit(Inst::Update { map, dst, base, key, value });
        Ok((dst, ty))
    }

    fn overflows_expr(
        &mut self,
        op: ir::BinaryOp,
        ty: IntType,
        lhs: &Expr,
        rhs: &Expr,
        want: Option<Reg>,
    ) -> Result<Placed, Stopped> {
        use ir::BinaryOp as B;
        match op {
            B::Add | B::Sub | B::Mul | B::Div | B::Shl => {}
            B::Rem | B::And | B::Or | B::Xor | B::Shr | B::Eq | B::Ne | B::Lt | B::Le => {
                return Err(ill_typed(format!("overflow of {op:?}")));
            }
        }
        let lhs = self.typed(lhs, &Type::Int(ty))?;
        let rhs = self.typed(rhs, &Type::Int(ty))?;
        let dst = self.target(want);
        self.emit(Inst::Overflows { op, ty, dst, lhs, rhs });
        Ok((dst, Type::Bool))
    }

    fn fits_expr(
        &mut self,
        arg: &Expr,
        from: ir::FloatType,
        to: IntType,
        want: Option<Reg>,
    ) -> Result<Placed, Stopped> {
        let arg = self.typed(arg, &Type::Float(from))?;
        let dst = self.target(want);
        self.emit(Inst::Fits { from, to, dst, arg });
        Ok((dst, Type::Bool))
    }

    fn intrinsic_expr(
        &mut self,
        function: ir::Intrinsic,
        args: &[Expr],
        want: Option<Reg>,
    ) -> Result<Placed, Stopped> {
        let ir::Signature { params, result } = function.signature();
        if params.len() != args.len() {
            return Err(ill_typed(format!("{function:?} of {} arguments", args.len())));
        }
        // One argument can stay where it is; several must lie side by side.
        let base = if let ([arg], [param]) = (args, &params[..]) {
            self.typed(arg, param)?
        } else {
            let base = self.alloc(args.len() as u32);
            for ((arg, param), dst) in args.iter().zip(&params).zip(base..) {
                let actual = self.value_into(arg, dst)?;
                if !param.accepts(&actual) {
                    return Err(mismatch(param, &actual));
                }
            }
            base
        };
        let dst = self.target(want);
        self.emit(Inst::Intrinsic { function, dst, args: base });
        Ok((dst, result))
    }
}

pub(super) fn mismatch(expected: &Type, actual: &Type) -> Stopped {
    ill_typed(format!("a value of type {actual:?} where {expected:?} is expected"))
}
