//! Places: where values are loaded from and stored to, and the checks before.

use ir::{BinaryOp, Expr, IntType, Scalar, StmtKind};
use lang_c::ast;
use lang_c::span::Node;

use super::names::Symbol;
use super::tables::scalar;
use super::variables::Storage;
use super::{Lowered, Lowerer, Value};
use crate::types::CType;
use crate::{build, effects};

/// What an lvalue names.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) kind: PlaceKind,
    pub(crate) ty: CType,
    /// The width of a bit-field.
    pub(crate) bits: Option<u8>,
}

#[derive(Clone)]
pub(crate) enum PlaceKind {
    Local(ir::LocalId),
    Global(ir::GlobalId),
    Memory(Memory),
    /// A part of a struct that is a value, such as a function's result.
    Value(Expr),
}

#[derive(Clone)]
pub(crate) struct Memory {
    pub(crate) object: Expr,
    pub(crate) offset: Expr,
    /// The object is there and the offset lies in it, once the `pending` conditions hold.
    pub(crate) certain: bool,
    /// Indices into arrays that must be in range before the cell is used; taking the address needs them not.
    pub(crate) pending: Vec<Expr>,
    /// The variable at file scope that this is a part of.
    pub(crate) variable: Option<usize>,
    /// What the pointer points to that led here.
    pub(crate) through: Option<String>,
    /// Cells that say which member of a union is in use, and what they must say.
    pub(crate) tags: Vec<(Expr, u64)>,
    /// The record that this is a direct or indirect member of.
    pub(crate) inside: Option<CType>,
}

impl<'a> Lowerer<'a> {
    pub(crate) fn place(&mut self, node: &'a Node<ast::Expression>) -> Lowered<Place> {
        match &node.node {
            ast::Expression::Identifier(identifier) => self.named_place(&identifier.node.name, node.span),
            ast::Expression::Member(member) => self.member_place(member),
            ast::Expression::BinaryOperator(binary)
                if binary.node.operator.node == ast::BinaryOperator::Index =>
            {
                self.index_place(&binary.node.lhs, &binary.node.rhs)
            }
            ast::Expression::UnaryOperator(unary)
                if unary.node.operator.node == ast::UnaryOperator::Indirection =>
            {
                let pointer = self.lower_expr(&unary.node.operand)?;
                self.pointee(pointer, node.span)
            }
            ast::Expression::StringLiteral(literal) => {
                let bytes = match crate::literals::string(&literal.node) {
                    Ok(bytes) => bytes,
                    Err(what) => return self.gap(what, node.span),
                };
                let object = self.string_object(&bytes);
                let ty = CType::Array(CType::CHAR.into(), Some(bytes.len() as u64 + 1));
                Ok(Place::object(Expr::Const(ir::Const::Static(object)), ty))
            }
            ast::Expression::CompoundLiteral(literal) => {
                let ty = self.type_name(&literal.node.type_name)?;
                let (ty, parts) = self.list_parts(&ty, &literal.node.initializer_list)?;
                let name = format!("$literal{}", self.body.locals.len());
                let object = self.new_object(&name, &ty)?;
                let place = Place::object(Expr::Local(object), ty);
                self.store_parts(&place, parts)?;
                Ok(place)
            }
            _ => {
                let value = self.lower_expr(node)?;
                Ok(Place { ty: value.ty, kind: PlaceKind::Value(value.expr), bits: None })
            }
        }
    }

    fn named_place(&mut self, name: &str, span: lang_c::span::Span) -> Lowered<Place> {
        match self.lookup(name).cloned() {
            Some(Symbol::Local(local, ty)) => Ok(Place { kind: PlaceKind::Local(local), ty, bits: None }),
            Some(Symbol::Object(local, ty)) => Ok(Place::object(Expr::Local(local), ty)),
            Some(Symbol::Variable(index)) => {
                let ty = self.variables[index].ty.clone();
                match self.storage(index)? {
                    Storage::Global(id) => Ok(Place { kind: PlaceKind::Global(id), ty, bits: None }),
                    Storage::Object(id) => {
                        let mut place = Place::object(Expr::Const(ir::Const::Static(id)), ty);
                        if let PlaceKind::Memory(memory) = &mut place.kind {
                            memory.variable = Some(index);
                        }
                        Ok(place)
                    }
                }
            }
            Some(Symbol::Other(what)) => self.gap(what, span),
            Some(_) | None => self.gap(format!("the name `{name}`"), span),
        }
    }

    /// What a pointer points to. The pointer is evaluated once.
    pub(crate) fn pointee(&mut self, pointer: Value, span: lang_c::span::Span) -> Lowered<Place> {
        let CType::Pointer(ty) = &pointer.ty else {
            return self.gap("an indirection through something that is no pointer", span);
        };
        let ty = (**ty).clone();
        let through = Some(self.element_name(&ty));
        let pointer = self.once(pointer);
        let (object, offset) = build::parts(pointer.expr);
        let memory = Memory { object, offset, through, ..Memory::uncertain() };
        Ok(Place { kind: PlaceKind::Memory(memory), ty, bits: None })
    }

    fn member_place(&mut self, node: &'a Node<ast::MemberExpression>) -> Lowered<Place> {
        let name = &node.node.identifier.node.name;
        let base = match node.node.operator.node {
            ast::MemberOperator::Direct => self.place(&node.node.expression)?,
            ast::MemberOperator::Indirect => {
                let pointer = self.lower_expr(&node.node.expression)?;
                self.pointee(pointer, node.span)?
            }
        };
        let CType::Record(id) = base.ty else {
            return self.gap(format!("the member `{name}` of something that is no struct"), node.span);
        };
        let Some(member) = self.records.member(id, name) else {
            return self.gap(format!("the member `{name}`, which is not known"), node.span);
        };
        let kind = match base.kind {
            PlaceKind::Memory(mut memory) => {
                if let Some((cell, value)) = member.tag {
                    let at = build::add(IntType::I64, memory.offset.clone(), build::i64(cell));
                    memory.tags.push((at, value));
                }
                memory.offset = build::add(IntType::I64, memory.offset, build::i64(member.cell));
                memory.inside.get_or_insert(CType::Record(id));
                PlaceKind::Memory(memory)
            }
            PlaceKind::Value(record) => {
                if member.tag.is_some() {
                    return self.gap("a union that is a value", node.span);
                }
                PlaceKind::Value(self.part_of_value(record, &member.ty, member.cell))
            }
            PlaceKind::Local(_) | PlaceKind::Global(_) => {
                return self.gap("a struct that is no object", node.span);
            }
        };
        Ok(Place { kind, ty: member.ty, bits: member.bits })
    }

    /// The cells of a member, out of the record of all cells.
    fn part_of_value(&mut self, record: Expr, ty: &CType, cell: u64) -> Expr {
        let cell = u32::try_from(cell).unwrap_or(u32::MAX);
        match ty {
            CType::Record(_) | CType::Array(..) => {
                let count = self.records.cells(ty).unwrap_or(0) as u32;
                Expr::Record((0..count).map(|index| build::get(record.clone(), cell + index)).collect())
            }
            _ => build::get(record, cell),
        }
    }

    fn index_place(
        &mut self,
        lhs: &'a Node<ast::Expression>,
        rhs: &'a Node<ast::Expression>,
    ) -> Lowered<Place> {
        // An array that is a place keeps its bounds; a pointer only knows its object's.
        if let CType::Array(element, length) = self.type_of(lhs)? {
            let base = self.place(lhs)?;
            if let PlaceKind::Memory(memory) = base.kind {
                return self.element_place(memory, &element, length, rhs);
            }
            return self.gap("an array that is no object", lhs.span);
        }
        let start = self.body.out.len();
        let pointer = self.lower_expr(lhs)?;
        let index = self.lower_expr(rhs)?;
        let (pointer, index) =
            if pointer.ty.is_pointer() { (self.keep(pointer, start), index) } else { (index, pointer) };
        let moved = self.move_pointer(pointer, index, BinaryOp::Add, lhs.span)?;
        self.pointee(moved, lhs.span)
    }

    fn element_place(
        &mut self,
        mut memory: Memory,
        element: &CType,
        length: Option<u64>,
        index: &'a Node<ast::Expression>,
    ) -> Lowered<Place> {
        let Some(cells) = self.records.cells(element) else {
            return self.gap("an array of elements whose size is not known", index.span);
        };
        let start = self.body.out.len();
        let value = self.lower_expr(index)?;
        memory = self.keep_memory(memory, start);
        let value = self.once(value);
        let Some(Scalar::Int(ty)) = scalar(&value.ty.promoted()) else {
            return self.gap("an index that is no integer", index.span);
        };
        let promoted = self.convert(value, &CType::Int(ty))?;
        match (length, build::constant_int(&promoted.expr)) {
            (Some(length), Some(index)) if (0..i128::from(length)).contains(&index) => {}
            (Some(length), _) => memory.pending.push(in_range(ty, promoted.expr.clone(), length)),
            (None, _) => memory.certain = false,
        }
        let index = build::convert(Scalar::Int(ty), Scalar::Int(IntType::I64), promoted.expr, self.constant);
        let moved = build::mul(IntType::I64, index, build::i64(cells));
        memory.offset = build::add(IntType::I64, memory.offset, moved);
        Ok(Place { kind: PlaceKind::Memory(memory), ty: element.clone(), bits: None })
    }

    /// The value at a place. An array becomes the pointer to its first element.
    pub(crate) fn load(&mut self, place: Place) -> Lowered<Value> {
        match (place.kind, &place.ty) {
            (_, CType::LongDouble) => self.gap_here("`long double`"),
            (_, CType::Other(what)) => self.gap_here(format!("the type `{what}`")),
            (PlaceKind::Memory(memory), CType::Array(element, _)) => {
                let element = (**element).clone();
                self.note_address(&memory, &element);
                let expr = build::pointer(memory.object, memory.offset);
                Ok(Value { expr, ty: CType::pointer_to(element) })
            }
            (PlaceKind::Memory(_), CType::Void) => self.gap_here("a value of type void"),
            (PlaceKind::Memory(memory), ty) => {
                self.check_access(&memory, ty, false)?;
                self.check_tags(&memory)?;
                let expr = self.load_cells(&memory, ty)?;
                let value = Value { expr, ty: ty.clone() };
                Ok(match place.bits {
                    Some(width) => self.promote_bits(self.cut_to_bits(value, width), width),
                    None => value,
                })
            }
            (PlaceKind::Local(local), ty) => Ok(Value { expr: Expr::Local(local), ty: ty.clone() }),
            (PlaceKind::Global(global), ty) => {
                if let Some(value) = self.constant_global(global) {
                    return Ok(Value { expr: value, ty: ty.clone() });
                }
                Ok(Value { expr: Expr::Global(global), ty: ty.clone() })
            }
            (PlaceKind::Value(_), CType::Array(..)) => self.gap_here("an array that is no object"),
            (PlaceKind::Value(expr), ty) => {
                let value = Value { expr, ty: ty.clone() };
                Ok(match place.bits {
                    Some(width) => self.promote_bits(self.cut_to_bits(value, width), width),
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
            let cells = self.struct_cells(ty)?;
            let mut fields = Vec::new();
            for (index, cell) in cells.iter().enumerate() {
                let offset = build::add(IntType::I64, memory.offset.clone(), build::i64(index as u64));
                fields.push(self.load_cell(memory.object.clone(), offset, cell));
            }
            return Ok(Expr::Record(fields));
        }
        Ok(self.load_cell(memory.object.clone(), memory.offset.clone(), ty))
    }

    /// The types of a struct's cells, if it is small enough to be handled as a value.
    pub(crate) fn struct_cells(&self, ty: &CType) -> Lowered<Vec<CType>> {
        match self.records.cells(ty) {
            Some(cells) if cells <= 256 => Ok(self.cell_types(ty)),
            Some(_) => self.gap_here("a very large struct as a value"),
            None => self.gap_here("a struct whose members are not known"),
        }
    }

    pub(crate) fn load_cell(&mut self, object: Expr, offset: Expr, ty: &CType) -> Expr {
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
        match &place.kind {
            PlaceKind::Local(local) => {
                self.assign_local(*local, value.expr);
                Ok(())
            }
            PlaceKind::Global(global) => {
                let name = self.program.global(*global).name.clone();
                self.found.written.insert(name);
                self.emit(StmtKind::AssignGlobal { global: *global, value: value.expr });
                Ok(())
            }
            PlaceKind::Memory(memory) => {
                if let Some(index) = memory.variable {
                    self.found.written.insert(self.variables[index].name.clone());
                }
                self.check_access(memory, &place.ty, true)?;
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

    fn store_cells(&mut self, memory: &Memory, ty: &CType, value: Value, bits: Option<u8>) -> Lowered<()> {
        let cells = match ty {
            CType::Record(_) => self.struct_cells(ty)?,
            _ => vec![ty.clone()],
        };
        let whole = matches!(ty, CType::Record(_));
        for (index, cell) in cells.into_iter().enumerate() {
            let expr = if whole { build::get(value.expr.clone(), index as u32) } else { value.expr.clone() };
            let offset = build::add(IntType::I64, memory.offset.clone(), build::i64(index as u64));
            let region = self.region(&cell);
            let value = self.cell_value(Value { expr, ty: cell }, bits);
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
    fn check_access(&mut self, memory: &Memory, ty: &CType, write: bool) -> Lowered<()> {
        if matches!(ty, CType::Function(_)) {
            return self.gap_here("access to a function's code");
        }
        for condition in memory.pending.clone() {
            self.check(condition, "out of bounds");
        }
        if !memory.certain {
            let Some(cells) = self.records.cells(ty) else {
                return self.gap_here("access to a type whose size is not known");
            };
            self.check(build::not(build::is_null(memory.object.clone())), "null dereference");
            let length = build::length(memory.object.clone());
            let from = build::le(IntType::I64, build::i64(0), memory.offset.clone());
            let last = build::add(IntType::I64, memory.offset.clone(), build::i64(cells.saturating_sub(1)));
            self.check(build::and(from, build::lt(IntType::I64, last, length)), "out of bounds");
            self.check_layout(memory, ty);
        }
        if write {
            self.check_writable(memory);
        }
        Ok(())
    }

    /// Reading a member of a union that is not the one written last is a gap.
    fn check_tags(&mut self, memory: &Memory) -> Lowered<()> {
        let int = self.region(&CType::INT);
        for (offset, value) in memory.tags.clone() {
            let object = Box::new(memory.object.clone());
            let tag = Expr::Load { region: int, object, index: Some(Box::new(offset)) };
            let value = build::int(IntType::I32, i128::from(value));
            let wrong = build::not(build::eq(Scalar::Int(IntType::I32), tag, value));
            self.unsupported_if(wrong, "reading a member of a union that was not the last one written");
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

impl Place {
    /// All of an object that is there.
    pub(crate) fn object(object: Expr, ty: CType) -> Place {
        let memory = Memory { object, certain: true, ..Memory::uncertain() };
        Place { kind: PlaceKind::Memory(memory), ty, bits: None }
    }
}

impl Memory {
    fn uncertain() -> Memory {
        Memory {
            object: build::null(),
            offset: build::i64(0),
            certain: false,
            pending: Vec::new(),
            variable: None,
            through: None,
            tags: Vec::new(),
            inside: None,
        }
    }
}

/// `0 <= index < length`.
fn in_range(ty: IntType, index: Expr, length: u64) -> Expr {
    let length = i128::from(length);
    let below = if ty.contains(length) {
        build::lt(ty, index.clone(), build::int(ty, length))
    } else {
        build::boolean(true)
    };
    if ty.signed { build::and(build::le(ty, build::int(ty, 0), index), below) } else { below }
}
