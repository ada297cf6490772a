//! Assignments, compound assignments, `++` and `--`.

use ir::{BinaryOp, Expr, IntType};
use lang_c::ast;
use lang_c::span::Node;

use super::initialize::{Part, PartValue};
use super::operators::arithmetic;
use super::place::{Memory, Place, PlaceKind};
use super::{Lowered, Lowerer, Value};
use crate::types::CType;
use crate::{build, effects};

impl<'a> Lowerer<'a> {
    /// Lowers an assignment; gives its value if that is wanted.
    pub(crate) fn lower_assignment(
        &mut self,
        node: &'a Node<ast::BinaryOperatorExpression>,
        wanted: bool,
    ) -> Lowered<Option<Value>> {
        let begin = self.body.out.len();
        let place = self.place(&node.node.lhs)?;
        let start = self.body.out.len();
        if node.node.operator.node == ast::BinaryOperator::Assign {
            let value = self.lower_converted(&node.node.rhs, &place.ty.clone())?;
            self.note_sides(begin, start, &place, &value.expr);
            let place = self.keep_place(place, start);
            return self.finish_assignment(place, value, wanted);
        }
        // The old value is read after the right side is evaluated, as compilers do; a call there may change it.
        let rhs = self.lower_expr(&node.node.rhs)?;
        self.note_sides(begin, start, &place, &rhs.expr);
        let place = self.keep_place(place, start);
        let old = self.load(place.clone())?;
        let new = self.apply(arithmetic(&node.node.operator.node), old, rhs, node.span)?;
        let new = self.convert(new, &place.ty.clone())?;
        self.finish_assignment(place, new, wanted)
    }

    /// Notes the two sides of an assignment, which C may evaluate in any order.
    fn note_sides(&mut self, begin: usize, start: usize, place: &Place, value: &Expr) {
        let of_place: Vec<&Expr> = match &place.kind {
            PlaceKind::Memory(memory) => vec![&memory.object, &memory.offset],
            _ => Vec::new(),
        };
        self.note_unsequenced(begin, start, [&of_place, &[value]]);
    }

    fn finish_assignment(&mut self, place: Place, value: Value, wanted: bool) -> Lowered<Option<Value>> {
        if !wanted {
            self.store(&place, value)?;
            return Ok(None);
        }
        if let PlaceKind::Local(local) = place.kind {
            self.store(&place, value)?;
            return Ok(Some(Value { expr: Expr::Local(local), ty: place.ty }));
        }
        // The value of an assignment is what the place then holds: cut to a bit-field's width.
        let value = match place.bits {
            Some(field) => self.cut_to_bits(value, field.width),
            None => value,
        };
        let expr = if build::is_simple(&value.expr) { value.expr } else { self.save(value.expr, &value.ty) };
        let value = Value { expr, ty: value.ty };
        self.store(&place, value.clone())?;
        Ok(Some(match place.bits {
            Some(field) => self.promote_bits(value, field.width),
            None => value,
        }))
    }

    /// `++x`, `x--` and so on; gives the value if that is wanted.
    pub(crate) fn lower_step(
        &mut self,
        node: &'a Node<ast::UnaryOperatorExpression>,
        wanted: bool,
    ) -> Lowered<Option<Value>> {
        use ast::UnaryOperator as Op;
        let operator = &node.node.operator.node;
        let op = match operator {
            Op::PostIncrement | Op::PreIncrement => BinaryOp::Add,
            _ => BinaryOp::Sub,
        };
        let place = self.place(&node.node.operand)?;
        let old = self.load(place.clone())?;
        let post = matches!(operator, Op::PostIncrement | Op::PostDecrement);
        let old = if post && wanted {
            let expr = self.save(old.expr, &old.ty);
            Value { expr, ty: old.ty }
        } else {
            old
        };
        // A step of a boolean is `b + 1` or `b - 1`, converted back.
        let one = Value { expr: build::int(IntType::I32, 1), ty: CType::INT };
        let new = self.apply(op, old.clone(), one, node.span)?;
        let new = self.convert(new, &place.ty.clone())?;
        let new = self.finish_assignment(place, new, wanted && !post)?;
        Ok(if post && wanted { Some(old) } else { new })
    }

    /// A place lowered before the statements from `start` on, with what they may change saved.
    pub(crate) fn keep_place(&mut self, place: Place, start: usize) -> Place {
        let kind = match place.kind {
            PlaceKind::Memory(memory) => PlaceKind::Memory(self.keep_memory(memory, start)),
            kind => kind,
        };
        Place { kind, ..place }
    }

    pub(crate) fn keep_memory(&mut self, memory: Memory, start: usize) -> Memory {
        let changed = |this: &Self, expr: &Expr| effects::may_change(&this.body.out[start..], expr);
        let any = changed(self, &memory.object)
            || changed(self, &memory.offset)
            || memory.pending.iter().any(|pending| changed(self, pending));
        if !any {
            return memory;
        }
        // The indices are checked before the right side then, which only moves an error forward.
        let later = self.body.out.split_off(start);
        for condition in &memory.pending {
            self.check(condition.clone(), "out of bounds");
        }
        let pointer = build::pointer(memory.object, memory.offset);
        let pointer = self.save(pointer, &CType::pointer_to(CType::Void));
        let save_tag = |(offset, tag)| (self.save(offset, &CType::LONG), tag);
        let tags = memory.tags.into_iter().map(save_tag).collect();
        self.body.out.extend(later);
        let (object, offset) = build::parts(pointer);
        Memory { object, offset, pending: Vec::new(), tags, ..memory }
    }

    /// Stores the parts of an initialiser into a fresh object, whose cells are zero.
    pub(crate) fn store_parts(&mut self, place: &Place, parts: Vec<Part<'a>>) -> Lowered<()> {
        let PlaceKind::Memory(base) = &place.kind else { return self.gap_here("an initialiser") };
        let mut set = std::collections::BTreeSet::new();
        for part in parts {
            let value = match &part.value {
                PartValue::Byte(byte) => {
                    let expr = build::int(IntType::I8, i128::from(*byte));
                    Value { expr, ty: CType::CHAR }
                }
                PartValue::Tag(tag) => {
                    Value { expr: build::int(IntType::I32, i128::from(*tag)), ty: CType::INT }
                }
                PartValue::Expr(expr) => self.lower_converted(expr, &part.ty)?,
            };
            // Fresh cells hold zero already, unless an earlier part of the list set this one.
            let again = !set.insert(part.cell);
            let zero =
                matches!(&value.expr, Expr::Const(constant) if *constant == ir::Const::zero(&constant.ty()));
            if zero && !again && !matches!(part.ty, CType::Record(_)) {
                continue;
            }
            let ty = match part.value {
                PartValue::Byte(_) => CType::CHAR,
                _ => part.ty,
            };
            let offset = build::add(IntType::I64, base.offset.clone(), build::i64(part.cell));
            let memory = Memory { offset, ..base.clone() };
            self.store(&Place { kind: PlaceKind::Memory(memory), ty, bits: part.bits }, value)?;
        }
        Ok(())
    }
}
