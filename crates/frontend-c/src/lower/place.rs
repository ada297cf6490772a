//! Places: what lvalues name.

use ir::{BinaryOp, Expr, IntType, Scalar};
use lang_c::ast;
use lang_c::span::Node;

use super::names::Symbol;
use super::tables::scalar;
use super::variables::Storage;
use super::{Lowered, Lowerer, Value};
use crate::build;
use crate::types::{BitField, CType, FoundMember};

/// What an lvalue names.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) kind: PlaceKind,
    pub(crate) ty: CType,
    pub(crate) bits: Option<BitField>,
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
    /// An array at the end of a record, which goes on as far as the object does.
    pub(crate) open: bool,
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
                if self.body.goes_back {
                    return self.gap("a compound literal in a block that a jump leads back in", node.span);
                }
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
                if let Some((unit, span)) = self.variables[index].initializer {
                    self.assume_macros(unit, span);
                }
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
            None if let Some(text) = self.function_name(name) => {
                let object = self.string_object(text.as_bytes());
                let ty = CType::Array(CType::CHAR.into(), Some(text.len() as u64 + 1));
                Ok(Place::object(Expr::Const(ir::Const::Static(object)), ty))
            }
            Some(_) | None => self.gap(format!("the name `{name}`"), span),
        }
    }

    /// What `__func__` and its like say.
    pub(crate) fn function_name(&self, word: &str) -> Option<String> {
        let is_one = matches!(word, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__");
        is_one.then(|| self.body.name.rsplit(':').next().unwrap_or_default().to_owned())
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
        let is_volatile = matches!(base.ty, CType::Volatile(_));
        let CType::Record(id) = *base.ty.without_volatile() else {
            return self.gap(format!("the member `{name}` of something that is no struct"), node.span);
        };
        let Some(member) = self.records.member(id, name) else {
            return self.gap(format!("the member `{name}`, which is not known"), node.span);
        };
        if self.records.bytes && !self.has_own_bytes(&CType::Record(id), &member) {
            return self.gap(super::bytes::SHARED_WITH_POINTER, node.span);
        }
        let kind = match base.kind {
            PlaceKind::Memory(mut memory) => {
                if let Some((cell, value)) = member.tag {
                    let at = build::add(IntType::I64, memory.offset.clone(), build::i64(cell));
                    memory.tags.push((at, value));
                }
                memory.offset = build::add(IntType::I64, memory.offset, build::i64(member.cell));
                memory.inside.get_or_insert(CType::Record(id));
                memory.open = self.records.is_last(id, name)
                    && match member.ty.without_volatile() {
                        CType::Array(_, None | Some(0)) => true,
                        // How it was written before C99; gcc takes it for an array of any length.
                        CType::Array(_, Some(1)) => memory.through.is_some(),
                        _ => false,
                    };
                PlaceKind::Memory(memory)
            }
            PlaceKind::Value(record) => {
                if member.tag.is_some() {
                    return self.gap(crate::gaps::UNION_VALUE, node.span);
                }
                match self.part_of_value(record, &CType::Record(id), &member) {
                    Some(part) => PlaceKind::Value(part),
                    None => return self.gap("a part of a union that is a value", node.span),
                }
            }
            PlaceKind::Local(_) | PlaceKind::Global(_) => {
                return self.gap("a struct that is no object", node.span);
            }
        };
        let ty = if is_volatile { self.volatile_type(&member.ty) } else { member.ty };
        Ok(Place { kind, ty, bits: member.bits })
    }

    /// The scalars of a member, out of the record of all scalars.
    fn part_of_value(&self, record: Expr, whole: &CType, member: &FoundMember) -> Option<Expr> {
        let leaves = self.records.leaves(whole);
        let first = leaves.iter().position(|leaf| leaf.cell == member.cell)?;
        let parts = self.records.leaves(&member.ty);
        let of_member = leaves.iter().skip(first).map(|leaf| &leaf.ty).take(parts.len());
        if member.bits.is_none() && !of_member.eq(parts.iter().map(|leaf| &leaf.ty)) {
            return None;
        }
        let part = |index: usize| build::get(record.clone(), (first + index) as u32);
        match &member.ty {
            CType::Record(_) | CType::Array(..) => Some(Expr::Record((0..parts.len()).map(part).collect())),
            _ if member.bits.is_some() && self.records.bytes => None,
            _ => Some(part(0)),
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
        let (pointer, index) = self.operands(lhs, rhs)?;
        let (pointer, index) = if pointer.ty.is_pointer() { (pointer, index) } else { (index, pointer) };
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
            (Some(length), _) => {
                let is_within = in_range(ty, promoted.expr.clone(), length);
                if !memory.open {
                    memory.pending.push(is_within);
                } else if let Some(gap) = self.open_end_gap(&memory, element) {
                    self.unsupported_if(build::not(is_within), gap);
                }
                memory.certain &= !memory.open;
            }
            (None, _) => {
                self.check_open_end(&memory, element)?;
                memory.certain = false;
            }
        }
        memory.open = false;
        let index = build::convert(Scalar::Int(ty), Scalar::Int(IntType::I64), promoted.expr, self.constant);
        let moved = build::mul(IntType::I64, index, build::i64(cells));
        memory.offset = build::add(IntType::I64, memory.offset, moved);
        Ok(Place { kind: PlaceKind::Memory(memory), ty: element.clone(), bits: None })
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
    pub(crate) fn uncertain() -> Memory {
        Memory {
            object: build::null(),
            offset: build::i64(0),
            certain: false,
            pending: Vec::new(),
            variable: None,
            through: None,
            tags: Vec::new(),
            inside: None,
            open: false,
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
