//! Initialisers: which cell gets which expression (C11 6.7.9), for static and for automatic variables.

use std::rc::Rc;

use ir::{Const, Expr, IntType, Scalar};
use lang_c::ast;
use lang_c::span::Node;

use super::tables::{char_cell, scalar};
use super::{Lowered, Lowerer};
use crate::types::{BitField, CType};
use crate::{build, literals};

/// One cell, or one struct, and what it is initialised with.
pub(crate) struct Part<'a> {
    pub(crate) cell: u64,
    pub(crate) ty: CType,
    pub(crate) bits: Option<BitField>,
    pub(crate) value: PartValue<'a>,
}

pub(crate) enum PartValue<'a> {
    Expr(&'a Node<ast::Expression>),
    Byte(u8),
    /// The number of a union's member.
    Tag(u64),
}

/// The rest of an initialiser list.
type Items<'a> = std::iter::Peekable<std::slice::Iter<'a, Node<ast::InitializerListItem>>>;

impl<'a> Lowerer<'a> {
    /// The parts of an initialiser in order, and the type with its length filled in. Later parts overwrite
    /// earlier ones, as C says.
    pub(crate) fn initializer_parts(
        &mut self,
        ty: &CType,
        node: &'a Node<ast::Initializer>,
    ) -> Lowered<(CType, Vec<Part<'a>>)> {
        let mut parts = Vec::new();
        let length = self.initialize(ty, 0, node, &mut parts)?;
        let ty = completed(ty, length);
        self.check_parts(&ty, &parts)?;
        Ok((ty, parts))
    }

    pub(crate) fn list_parts(
        &mut self,
        ty: &CType,
        items: &'a [Node<ast::InitializerListItem>],
    ) -> Lowered<(CType, Vec<Part<'a>>)> {
        let mut parts = Vec::new();
        let length = self.initialize_list(ty, 0, items, &mut parts)?;
        let ty = completed(ty, length);
        self.check_parts(&ty, &parts)?;
        Ok((ty, parts))
    }

    /// Initialises an object at a cell; gives the number of elements that an array got.
    fn initialize(
        &mut self,
        ty: &CType,
        cell: u64,
        node: &'a Node<ast::Initializer>,
        parts: &mut Vec<Part<'a>>,
    ) -> Lowered<u64> {
        match &node.node {
            ast::Initializer::List(items) => self.initialize_list(ty, cell, items, parts),
            ast::Initializer::Expression(expr) => {
                if let Some(length) = self.initialize_with_string(ty, cell, expr, parts)? {
                    return Ok(length);
                }
                parts.push(Part { cell, ty: ty.clone(), bits: None, value: PartValue::Expr(expr) });
                Ok(1)
            }
        }
    }

    fn initialize_with_string(
        &mut self,
        ty: &CType,
        cell: u64,
        expr: &'a Node<ast::Expression>,
        parts: &mut Vec<Part<'a>>,
    ) -> Lowered<Option<u64>> {
        let (CType::Array(element, length), ast::Expression::StringLiteral(literal)) = (ty, &expr.node)
        else {
            return Ok(None);
        };
        if !matches!(**element, CType::Int(IntType { width: 8, .. })) {
            return Ok(None);
        }
        let bytes = match literals::string(&literal.node) {
            Ok(bytes) => bytes,
            Err(what) => return self.gap(what, expr.span),
        };
        let full = length.unwrap_or(bytes.len() as u64 + 1);
        for (index, byte) in bytes.iter().chain([&0]).enumerate().take(full as usize) {
            let value = PartValue::Byte(*byte);
            parts.push(Part { cell: cell + index as u64, ty: (**element).clone(), bits: None, value });
        }
        Ok(Some(full))
    }

    fn initialize_list(
        &mut self,
        ty: &CType,
        cell: u64,
        items: &'a [Node<ast::InitializerListItem>],
        parts: &mut Vec<Part<'a>>,
    ) -> Lowered<u64> {
        // `{ "text" }` and `{ 1 }` around something that needs no braces.
        if let [only] = items
            && only.node.designation.is_empty()
            && let ast::Initializer::Expression(expr) = &only.node.initializer.node
            && let Some(length) = self.initialize_with_string(ty, cell, expr, parts)?
        {
            return Ok(length);
        }
        let mut items = items.iter().peekable();
        match ty {
            CType::Array(..) | CType::Record(_) => self.initialize_members(ty, cell, &mut items, parts, true),
            _ => match items.next() {
                Some(item) => self.initialize(ty, cell, &item.node.initializer, parts),
                None => Ok(0),
            },
        }
    }

    /// Gives the items to the members in turn, starting anew where a designator says so. Without braces of its
    /// own an aggregate takes only as many items as it has members.
    fn initialize_members(
        &mut self,
        ty: &CType,
        cell: u64,
        items: &mut Items<'a>,
        parts: &mut Vec<Part<'a>>,
        braces: bool,
    ) -> Lowered<u64> {
        let mut position = 0;
        let mut longest = 0;
        while let Some(item) = items.peek() {
            let item = *item;
            if item.node.designation.is_empty() {
                let Some((member, at, bits)) = self.member_at(ty, position, cell, parts) else { break };
                self.initialize_item(&member, at, bits, items, parts)?;
                position += 1;
                longest = longest.max(position);
            } else if !braces {
                break;
            } else {
                items.next();
                let last = self.initialize_designated(
                    ty,
                    cell,
                    &item.node.designation,
                    &item.node.initializer,
                    parts,
                )?;
                position = last + 1;
                longest = longest.max(position);
            }
        }
        if braces && let Some(item) = items.peek() {
            return self.gap("more initial values than members", item.span);
        }
        Ok(longest)
    }

    /// The member at a position: its type, its cell, its width if it is a bit-field.
    fn member_at(
        &self,
        ty: &CType,
        position: u64,
        cell: u64,
        parts: &mut Vec<Part<'a>>,
    ) -> Option<(CType, u64, Option<BitField>)> {
        match ty {
            CType::Array(element, length) if length.is_none_or(|length| position < length) => {
                let cells = self.records.cells(element)?;
                Some(((**element).clone(), cell + position * cells, None))
            }
            CType::Record(id) => {
                let record = self.records.get(*id);
                let body = record.body.as_ref()?;
                if record.union && position > 0 {
                    return None;
                }
                let member = body.members.get(usize::try_from(position).ok()?)?;
                if let Some(tag) = body.tag {
                    let value = PartValue::Tag(position + 1);
                    parts.push(Part { cell: cell + tag, ty: CType::INT, bits: None, value });
                }
                Some((member.ty.clone(), cell + member.cell, member.bits))
            }
            _ => None,
        }
    }

    /// Initialises one member with the next item, or, if it is an aggregate and the item is not, with several.
    fn initialize_item(
        &mut self,
        ty: &CType,
        cell: u64,
        bits: Option<BitField>,
        items: &mut Items<'a>,
        parts: &mut Vec<Part<'a>>,
    ) -> Lowered<()> {
        let Some(item) = items.peek() else { return Ok(()) };
        let initializer = &*item.node.initializer;
        let whole = match &initializer.node {
            ast::Initializer::List(_) => true,
            ast::Initializer::Expression(expr) => {
                let text = matches!(expr.node, ast::Expression::StringLiteral(_))
                    && matches!(ty, CType::Array(element, _) if element.is_integer());
                let aggregate = matches!(ty, CType::Array(..) | CType::Record(_));
                text || !aggregate
                    || (matches!(ty, CType::Record(_)) && self.type_of(expr).is_ok_and(|of| of == *ty))
            }
        };
        if whole {
            items.next();
            let start = parts.len();
            self.initialize(ty, cell, initializer, parts)?;
            parts[start..].iter_mut().for_each(|part| part.bits = part.bits.or(bits));
        } else {
            self.initialize_members(ty, cell, items, parts, false)?;
        }
        Ok(())
    }

    /// `.a.b[2] = value`; gives the position of the last member that the first designator names.
    fn initialize_designated(
        &mut self,
        ty: &CType,
        cell: u64,
        designation: &'a [Node<ast::Designator>],
        initializer: &'a Node<ast::Initializer>,
        parts: &mut Vec<Part<'a>>,
    ) -> Lowered<u64> {
        let Some((first, rest)) = designation.split_first() else {
            self.initialize(ty, cell, initializer, parts)?;
            return Ok(0);
        };
        let (low, high) = match (&first.node, ty) {
            (ast::Designator::Index(index), CType::Array(..)) => {
                let index = self.constant_int(index)?;
                (index, index)
            }
            (ast::Designator::Range(range), CType::Array(..)) => {
                (self.constant_int(&range.node.from)?, self.constant_int(&range.node.to)?)
            }
            (ast::Designator::Member(name), CType::Record(id)) => {
                return self.initialize_named(ty, *id, cell, &name.node.name, rest, initializer, parts);
            }
            _ => return self.gap("a designator that does not fit its type", first.span),
        };
        let (Ok(low), Ok(high)) = (u64::try_from(low), u64::try_from(high)) else {
            return self.gap("a negative index", first.span);
        };
        if high - low.min(high) > super::variables::MAX_CELLS {
            return self.gap("a very large initialiser", first.span);
        }
        if low < high && super::sizes::does_something(initializer) {
            return self.gap("an initialiser that does something, for several elements", initializer.span);
        }
        for position in low..=high {
            let Some((member, at, _)) = self.member_at(ty, position, cell, parts) else {
                return self.gap("an index outside the array", first.span);
            };
            self.initialize_designated(&member, at, rest, initializer, parts)?;
        }
        Ok(high)
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one designator in its list")]
    fn initialize_named(
        &mut self,
        ty: &CType,
        id: crate::types::RecordId,
        cell: u64,
        name: &str,
        rest: &'a [Node<ast::Designator>],
        initializer: &'a Node<ast::Initializer>,
        parts: &mut Vec<Part<'a>>,
    ) -> Lowered<u64> {
        let body = self.records.get(id).body.clone();
        let position = body.as_ref().and_then(|body| {
            body.members.iter().position(|member| match (&member.name, &member.ty) {
                (Some(known), _) => known == name,
                (None, CType::Record(inner)) => self.records.member(*inner, name).is_some(),
                _ => false,
            })
        });
        let (Some(position), Some(body)) = (position, body) else {
            return self.gap(format!("a member `{name}` that the type does not have"), initializer.span);
        };
        let member = &body.members[position];
        if let Some(tag) = body.tag {
            let value = PartValue::Tag(position as u64 + 1);
            parts.push(Part { cell: cell + tag, ty: CType::INT, bits: None, value });
        }
        let at = cell + member.cell;
        let start = parts.len();
        match (&member.name, &member.ty) {
            (None, CType::Record(inner)) => {
                self.initialize_named(&member.ty, *inner, at, name, rest, initializer, parts)?;
            }
            _ => {
                self.initialize_designated(&member.ty, at, rest, initializer, parts)?;
            }
        }
        parts[start..].iter_mut().for_each(|part| part.bits = part.bits.or(member.bits));
        // The next item without a designator goes to the member after this one; in a union there is none.
        let _ = ty;
        Ok(position as u64)
    }

    /// The constants that a part of a static initialiser puts into cells.
    pub(crate) fn constant_cells(&mut self, part: &Part<'a>, cells: &mut Vec<(u64, Const)>) -> Lowered<()> {
        let expr = match &part.value {
            PartValue::Byte(byte) => {
                cells.push((part.cell, char_cell(*byte)));
                return Ok(());
            }
            PartValue::Tag(member) => {
                cells.push((part.cell, Const::Int(IntType::I32, i128::from(*member))));
                return Ok(());
            }
            PartValue::Expr(expr) => *expr,
        };
        // A compound literal of the same type stands for its list.
        if let ast::Expression::CompoundLiteral(literal) = &expr.node
            && matches!(part.ty, CType::Record(_) | CType::Array(..))
        {
            let (_, parts) = self.list_parts(&part.ty, &literal.node.initializer_list)?;
            for inner in parts {
                self.constant_cells(&Part { cell: part.cell + inner.cell, ..inner }, cells)?;
            }
            return Ok(());
        }
        let value = self.lower_converted(expr, &part.ty)?;
        let value = self.cell_value(value, part.bits);
        match value {
            Expr::Const(Const::Int(_, value)) if self.records.bytes && part.bits.is_some() => {
                part.bits.into_iter().for_each(|field| set_bits(field, value, part.cell, cells));
                Ok(())
            }
            Expr::Const(constant) => {
                cells.push((part.cell, constant));
                Ok(())
            }
            _ => self.gap("an initial value that is not constant", expr.span),
        }
    }

    /// A value as its cell holds it: the signed integer of its width.
    pub(crate) fn cell_value(&self, value: super::Value, bits: Option<BitField>) -> Expr {
        let value = match bits {
            Some(field) => self.cut_to_bits(value, field.width),
            None => value,
        };
        match (&value.ty, scalar(&value.ty)) {
            (CType::Bool, _) => {
                build::convert(Scalar::Bool, Scalar::Int(IntType::I8), value.expr, self.constant)
            }
            (CType::Int(ty), Some(from)) => {
                build::convert(from, Scalar::Int(ty.to_signed()), value.expr, self.constant)
            }
            _ => value.expr,
        }
    }
}

/// Sets the bits of a bit-field in the bytes from a cell on.
fn set_bits(field: BitField, value: i128, cell: u64, cells: &mut Vec<(u64, Const)>) {
    let mask = ((1_i128 << field.width) - 1) << field.shift;
    let bits = (value << field.shift) & mask;
    for index in 0..field.bytes() as u64 {
        let at = cell + index;
        let before = cells.iter().rev().find_map(|(cell, value)| match value {
            Const::Int(_, value) if *cell == at => Some(*value),
            _ => None,
        });
        let kept = before.unwrap_or(0) & !(mask >> (index * 8));
        let byte = (kept | (bits >> (index * 8))) & 0xff;
        cells.push((at, char_cell(byte as u8)));
    }
}

/// An array type without a length gets the one that its initialiser has.
fn completed(ty: &CType, length: u64) -> CType {
    match ty {
        CType::Array(element, None) => CType::Array(Rc::clone(element), Some(length)),
        _ => ty.clone(),
    }
}
