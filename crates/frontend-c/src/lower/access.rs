//! Loads and stores, and the checks before them.

use ir::{Expr, IntType, Scalar, StmtKind};

use super::place::{Memory, Place, PlaceKind};
use super::variables::Storage;
use super::{Lowered, Lowerer, Value};
use crate::bytes::Leaf;
use crate::types::{BitField, CType};
use crate::views::View;
use crate::{build, effects};

impl Lowerer<'_> {
    /// The value at a place. An array becomes the pointer to its first element.
    pub(crate) fn load(&mut self, place: Place) -> Lowered<Value> {
        if let CType::Volatile(ty) = &place.ty {
            return self.volatile_load(&place, &ty.clone());
        }
        match (place.kind, &place.ty) {
            (_, CType::LongDouble) => self.gap_here("`long double`"),
            (_, CType::Other(what)) => self.gap_here(format!("the type `{what}`")),
            (PlaceKind::Memory(memory), CType::Array(element, _)) => {
                let element = (**element).clone();
                // What lies behind the array belongs to unknown code alone, if only that gets the pointer.
                if memory.open && !self.body.unfollowed {
                    self.check_open_end(&memory, &element)?;
                }
                self.note_address(&memory, &element);
                let expr = build::pointer(memory.object, memory.offset);
                Ok(Value { expr, ty: CType::pointer_to(element) })
            }
            (PlaceKind::Memory(_), CType::Void) => self.gap_here("a value of type void"),
            (PlaceKind::Memory(memory), ty) => {
                self.refuse_volatile_parts(ty)?;
                self.check_access(&memory, ty, place.bits, false)?;
                self.check_tags(&memory)?;
                let expr = match place.bits {
                    Some(field) if self.records.bytes => self.load_field(&memory, ty, field)?,
                    _ => self.load_cells(&memory, ty)?,
                };
                let value = Value { expr, ty: ty.clone() };
                Ok(match place.bits {
                    Some(field) => self.promote_bits(self.cut_to_bits(value, field.width), field.width),
                    None => value,
                })
            }
            (PlaceKind::Local(local), ty) => Ok(Value { expr: Expr::Local(local), ty: ty.clone() }),
            (PlaceKind::Global(global), ty) => {
                self.note_global_view(global, ty, false);
                if let Some(value) = self.constant_global(global) {
                    return Ok(Value { expr: value, ty: ty.clone() });
                }
                Ok(Value { expr: Expr::Global(global), ty: ty.clone() })
            }
            (PlaceKind::Value(_), CType::Array(..)) => self.gap_here("an array that is no object"),
            (PlaceKind::Value(expr), ty) => {
                let value = Value { expr, ty: ty.clone() };
                Ok(match place.bits {
                    Some(field) => self.promote_bits(self.cut_to_bits(value, field.width), field.width),
                    None => value,
                })
            }
        }
    }

    /// The constant that a global always holds.
    fn constant_global(&self, global: ir::GlobalId) -> Option<Expr> {
        let of_global = |variable: &super::variables::Variable| matches!(variable.storage, Some(Storage::Global(id)) if id == global);
        let index = self.variables.iter().position(of_global)?;
        if !self.is_constant_variable(index) {
            return None;
        }
        let ty = &self.program.global(global).ty;
        Some(Expr::Const(match self.variables[index].initial.last() {
            Some((_, cell)) => super::variables::from_cell(ty, cell),
            None => ir::Const::zero(ty),
        }))
    }

    fn load_cells(&mut self, memory: &Memory, ty: &CType) -> Lowered<Expr> {
        if let CType::Record(_) = ty {
            let mut fields = Vec::new();
            for leaf in self.struct_leaves(ty)? {
                let offset = build::add(IntType::I64, memory.offset.clone(), build::i64(leaf.cell));
                fields.push(self.load_cell(memory.object.clone(), offset, &leaf.ty));
            }
            return Ok(Expr::Record(fields));
        }
        Ok(self.load_cell(memory.object.clone(), memory.offset.clone(), ty))
    }

    /// The scalars of a struct, if it is small enough to be handled as a value.
    pub(crate) fn struct_leaves(&self, ty: &CType) -> Lowered<Vec<Leaf>> {
        match self.records.cells(ty) {
            Some(cells) if cells <= 256 => Ok(self.records.leaves(ty)),
            Some(_) => self.gap_here("a very large struct as a value"),
            None => self.gap_here("a struct whose members are not known"),
        }
    }

    pub(crate) fn load_cell(&mut self, object: Expr, offset: Expr, ty: &CType) -> Expr {
        if self.records.bytes && !ty.is_pointer() {
            return self.load_bytes(object, offset, ty);
        }
        let region = self.region(ty);
        let cell = Expr::Load { region, object: Box::new(object), index: Some(Box::new(offset)) };
        match ty {
            CType::Bool => build::not(build::eq(Scalar::Int(IntType::I8), cell, build::int(IntType::I8, 0))),
            CType::Int(ty) => build::convert(Scalar::Int(ty.to_signed()), Scalar::Int(*ty), cell, false),
            _ => cell,
        }
    }

    /// Stores a value of the place's type.
    pub(crate) fn store(&mut self, place: &Place, value: Value) -> Lowered<()> {
        if let CType::Volatile(ty) = &place.ty {
            return self.volatile_store(place, &ty.clone(), value);
        }
        self.refuse_volatile_parts(&place.ty)?;
        self.note_kept(place, &value);
        match &place.kind {
            PlaceKind::Local(local) => {
                self.assign_local(*local, value.expr);
                Ok(())
            }
            PlaceKind::Global(global) => {
                let name = self.program.global(*global).name.clone();
                self.found.written.insert(name);
                self.note_global_view(*global, &place.ty, true);
                self.emit(StmtKind::AssignGlobal { global: *global, value: value.expr });
                Ok(())
            }
            PlaceKind::Memory(memory) => {
                if let Some(index) = memory.variable {
                    self.found.written.insert(self.variables[index].name.clone());
                }
                self.check_access(memory, &place.ty, place.bits, true)?;
                let int = self.region(&CType::INT);
                for (offset, tag) in memory.tags.clone() {
                    let value = build::int(IntType::I32, i128::from(tag));
                    self.emit(StmtKind::Store {
                        region: int,
                        object: memory.object.clone(),
                        index: Some(offset),
                        value,
                    });
                }
                self.store_cells(memory, &place.ty, value, place.bits)
            }
            PlaceKind::Value(_) => self.gap_here("an assignment to something that is no object"),
        }
    }

    fn store_cells(
        &mut self,
        memory: &Memory,
        ty: &CType,
        value: Value,
        bits: Option<BitField>,
    ) -> Lowered<()> {
        if let (Some(field), true) = (bits, self.records.bytes) {
            return self.store_field(memory, value, field);
        }
        let leaves = match ty {
            CType::Record(_) => self.struct_leaves(ty)?,
            _ => vec![Leaf { cell: 0, ty: ty.clone() }],
        };
        let whole = matches!(ty, CType::Record(_));
        // In bytes a value is stored in several steps, which must not change it.
        let value = if self.records.bytes && whole && !build::is_simple(&value.expr) {
            Value { expr: self.save(value.expr, ty), ty: value.ty }
        } else {
            value
        };
        for (index, leaf) in leaves.into_iter().enumerate() {
            let expr = if whole { build::get(value.expr.clone(), index as u32) } else { value.expr.clone() };
            let offset = build::add(IntType::I64, memory.offset.clone(), build::i64(leaf.cell));
            if self.records.bytes && !leaf.ty.is_pointer() {
                self.store_bytes(&memory.object, &offset, Value { expr, ty: leaf.ty });
                continue;
            }
            let region = self.region(&leaf.ty);
            let value = self.cell_value(Value { expr, ty: leaf.ty }, bits);
            self.emit(StmtKind::Store { region, object: memory.object.clone(), index: Some(offset), value });
        }
        Ok(())
    }

    /// Assigns a local; the result of a call just before goes there directly.
    pub(crate) fn assign_local(&mut self, local: ir::LocalId, value: Expr) {
        if let (Expr::Local(temp), Some(last)) = (&value, self.body.out.last_mut())
            && let StmtKind::Call { local: Some(result), .. } = &mut last.kind
            && result == temp
            && self.body.locals[temp.index()].name.starts_with('$')
            && temp.index() + 1 == self.body.locals.len()
        {
            *result = local;
            self.body.locals.pop();
            self.body.temps -= 1;
            return;
        }
        self.emit(StmtKind::Assign { local, value });
    }

    /// The conditions under which a cell may be used.
    pub(crate) fn check_access(
        &mut self,
        memory: &Memory,
        ty: &CType,
        field: Option<BitField>,
        write: bool,
    ) -> Lowered<()> {
        if matches!(ty, CType::Function(_)) {
            return self.gap_here("access to a function's code");
        }
        for condition in memory.pending.clone() {
            self.check(condition, "out of bounds");
        }
        self.note_view(memory, ty, write);
        if !memory.certain {
            let cells = match field {
                Some(field) if self.records.bytes => Some(field.bytes() as u64),
                _ => self.records.cells(ty),
            };
            let Some(cells) = cells else {
                return self.gap_here("access to a type whose size is not known");
            };
            self.check(build::not(build::is_null(memory.object.clone())), "null dereference");
            let length = build::length(memory.object.clone());
            let from = build::le(IntType::I64, build::i64(0), memory.offset.clone());
            let last = build::add(IntType::I64, memory.offset.clone(), build::i64(cells.saturating_sub(1)));
            self.check(build::and(from, build::lt(IntType::I64, last, length)), "out of bounds");
            if self.records.bytes {
                self.check_bytes(memory, ty, field);
            } else {
                self.check_layout(memory, ty);
            }
        }
        if write {
            self.check_writable(memory);
        }
        Ok(())
    }

    /// Notes with which types memory is used.
    fn note_view(&mut self, memory: &Memory, ty: &CType, writes: bool) {
        let element = match (&memory.through, memory.variable) {
            (Some(through), _) => through.clone(),
            (None, Some(index)) => self.element_name(&self.variables[index].ty),
            (None, None) => return,
        };
        for cell in self.cell_types(ty) {
            let region = self.region_name(&cell);
            if memory.through.is_some() {
                self.found.reached.insert(region.clone());
            }
            self.body.views.insert(View { element: element.clone(), region, writes });
        }
    }

    /// Pointers of the inputs may lead to a variable that other files can name, though none of its own type is used.
    fn note_global_view(&mut self, global: ir::GlobalId, ty: &CType, writes: bool) {
        if !self.program.global(global).private {
            let (element, region) = (self.element_name(ty), self.region_name(ty));
            self.body.views.insert(View { element, region, writes });
        }
    }

    /// Reading a member of a union that is not the one written last is a gap.
    fn check_tags(&mut self, memory: &Memory) -> Lowered<()> {
        let int = self.region(&CType::INT);
        for (offset, value) in memory.tags.clone() {
            let object = Box::new(memory.object.clone());
            let tag = Expr::Load { region: int, object, index: Some(Box::new(offset)) };
            let value = build::int(IntType::I32, i128::from(value));
            let wrong = build::not(build::eq(Scalar::Int(IntType::I32), tag, value));
            self.unsupported_if(wrong, crate::gaps::OTHER_MEMBER);
        }
        Ok(())
    }

    pub(crate) fn unsupported_if(&mut self, condition: Expr, what: &str) {
        if condition == build::boolean(false) {
            return;
        }
        let (then, ()) = self.block(|this| this.emit(StmtKind::Unsupported { what: what.to_owned() }));
        self.emit(StmtKind::If { condition, then, otherwise: Vec::new() });
    }

    /// Fails unless the condition holds. Not repeated while nothing can have changed since the same check.
    pub(crate) fn check(&mut self, condition: Expr, error: &str) {
        if condition == build::boolean(true) {
            return;
        }
        let error = self.error(error);
        for stmt in self.body.out.iter().rev().take(24) {
            match &stmt.kind {
                StmtKind::Check { condition: known, error: same }
                    if *known == condition && *same == error =>
                {
                    return;
                }
                _ if effects::may_change(std::slice::from_ref(stmt), &condition) => break,
                _ => {}
            }
        }
        self.emit(StmtKind::Check { condition, error });
    }
}
