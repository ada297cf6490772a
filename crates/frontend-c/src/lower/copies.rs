//! Copying and filling memory in bytes, where the number of bytes is known: written out, without a loop.

use ir::{Expr, IntType, Scalar};
use lang_c::ast;
use lang_c::span::Node;

use super::place::Memory;
use super::{Lowered, Lowerer, Value};
use crate::build;
use crate::bytes::Byte;
use crate::types::CType;

/// More bytes are copied by the loops of the models.
const MOST_BYTES: i128 = 64;

impl<'a> Lowerer<'a> {
    /// `memcpy`, `memmove` or `memset` of bytes; nothing if a model has to do it.
    pub(crate) fn lower_byte_copy(
        &mut self,
        name: &str,
        a: &'a Node<ast::Expression>,
        b: &'a Node<ast::Expression>,
        n: &'a Node<ast::Expression>,
    ) -> Lowered<Option<Value>> {
        let start = self.body.out.len();
        let count = self.lower_converted(n, &CType::SIZE)?;
        let known = build::constant_int(&count.expr).filter(|count| (0..=MOST_BYTES).contains(count));
        let (Some(count), true) = (known, matches!(name, "memcpy" | "memmove" | "memset")) else {
            self.body.out.truncate(start);
            return Ok(None);
        };
        let bytes = CType::pointer_to(CType::CHAR);
        let second = if name == "memset" { CType::Int(IntType::U8) } else { bytes.clone() };
        let values = self.converted_arguments(&[a, b], &[bytes, second])?;
        let values: Vec<Value> = values.into_iter().map(|value| self.once(value)).collect();
        let result = Value { expr: values[0].expr.clone(), ty: CType::pointer_to(CType::Void) };
        if count == 0 {
            return Ok(Some(result));
        }
        let to = bytes_at(values[0].expr.clone());
        let count = count as u64;
        let range = CType::Array(CType::CHAR.into(), Some(count));
        let contents: Vec<Expr> = if name == "memset" {
            let byte = build::convert(
                Scalar::Int(IntType::U8),
                Scalar::Int(IntType::I8),
                values[1].expr.clone(),
                true,
            );
            vec![byte; count as usize]
        } else {
            let from = bytes_at(values[1].expr.clone());
            if name == "memcpy" {
                self.check_apart(&to, &from, count);
            }
            self.check_access(&from, &range, None, false)?;
            let byte = |this: &mut Self, index| {
                let at = build::add(IntType::I64, from.offset.clone(), build::i64(index));
                let byte = this.load_cell(from.object.clone(), at, &CType::CHAR);
                this.save(byte, &CType::CHAR)
            };
            (0..count).map(|index| byte(self, index)).collect()
        };
        self.check_access(&to, &range, None, true)?;
        for (index, value) in (0..).zip(contents) {
            let at = build::add(IntType::I64, to.offset.clone(), build::i64(index));
            self.store_bytes(&to.object, &at, Value { expr: value, ty: CType::CHAR });
        }
        Ok(Some(result))
    }

    /// The two ranges of `memcpy` are the same, or have no byte in common.
    fn check_apart(&mut self, to: &Memory, from: &Memory, count: u64) {
        let long = IntType::I64;
        let same = build::same_ref(to.object.clone(), from.object.clone());
        let at = |memory: &Memory| memory.offset.clone();
        let behind = |memory: &Memory| build::add(long, memory.offset.clone(), build::i64(count));
        let before = build::le(long, behind(to), at(from));
        let after = build::le(long, behind(from), at(to));
        let equal = build::eq(Scalar::Int(long), at(to), at(from));
        let apart = build::or(equal, build::or(before, after));
        self.check(build::or(build::not(same), apart), "overlapping copy");
    }

    /// Whether a type has nothing but numbers in it, so that copying its bytes copies all of it.
    pub(crate) fn is_plain_bytes(&self, ty: &CType) -> bool {
        self.records.bytes_of(ty).iter().all(|byte| *byte == Byte::Data)
    }
}

/// What a `char *` points to.
fn bytes_at(pointer: Expr) -> Memory {
    let (object, offset) = build::parts(pointer);
    Memory { object, offset, through: Some("char".to_owned()), ..Memory::uncertain() }
}
