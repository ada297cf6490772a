//! Structs, unions and enumerations: where their members lie. Exact for bytes (the System V ABI) and cells.
//!
//! Members of a union that have the same kinds of cells share them. Otherwise each member has cells of its own,
//! and one more cell says which member was written last; reading another one is a gap.

use std::rc::Rc;

use ir::IntType;
use lang_c::ast;
use lang_c::span::Node;

use super::names::{Symbol, Tag};
use super::{Lowered, Lowerer};
use crate::types::{CType, Member, Record, RecordBody, RecordId};

/// A member as it is declared: name, type, width of a bit-field.
type Declared = (Option<String>, CType, Option<u8>);

impl<'a> Lowerer<'a> {
    pub(crate) fn record_type(&mut self, node: &'a Node<ast::StructType>) -> Lowered<CType> {
        let union = node.node.kind.node == ast::StructKind::Union;
        let keyword = if union { "union" } else { "struct" };
        let tag = node.node.identifier.as_ref().map(|identifier| identifier.node.name.as_str());
        if self.is_model() && tag == Some("__text") {
            return Ok(CType::Text);
        }
        let id = match tag {
            Some(tag) => {
                let known = match &node.node.declarations {
                    Some(_) => self.tag_of_this_scope(tag),
                    None => self.lookup_tag(tag),
                };
                match known {
                    Some(Tag::Record(id)) => *id,
                    _ => {
                        let id = self.new_record(format!("{keyword} {tag}"), union);
                        self.bind_tag(tag, Tag::Record(id));
                        id
                    }
                }
            }
            None => self.new_record(String::new(), union),
        };
        if let Some(declarations) = &node.node.declarations {
            let members = self.members(declarations)?;
            if tag.is_none() {
                let member = |(name, ty, _): &Declared| {
                    format!("{} {}", self.element_name(ty), name.as_deref().unwrap_or("_"))
                };
                let members: Vec<String> = members.iter().map(member).collect();
                self.records.0[id.0].name = format!("{keyword} {{{}}}", members.join(", "));
            }
            let body = if union { self.lay_out_union(members) } else { self.lay_out_struct(members) };
            self.records.0[id.0].body = Some(body);
            let name = self.records.get(id).name.clone();
            self.name_record(id, name);
        }
        Ok(CType::Record(id))
    }

    fn new_record(&mut self, name: String, union: bool) -> RecordId {
        let local = !self.blocks.is_empty();
        let taken = |name: &str| self.records.0.iter().any(|record| record.name == name);
        let mut unique = name.clone();
        let mut count = 1;
        while local && !name.is_empty() && taken(&unique) {
            count += 1;
            unique = format!("{name}.{count}");
        }
        self.records.0.push(Record { name: unique, union, body: None });
        RecordId(self.records.0.len() - 1)
    }

    /// Gives a struct a name that no struct with other cells has: shapes go by these names.
    pub(crate) fn name_record(&mut self, id: RecordId, name: String) {
        let kinds = |this: &Self, id: RecordId| -> Vec<String> {
            this.cell_types(&CType::Record(id)).iter().map(|cell| this.region_name(cell)).collect()
        };
        let own = kinds(self, id);
        let taken = |candidate: &str| {
            self.records.0.iter().enumerate().any(|(index, record)| {
                index != id.0
                    && record.name == candidate
                    && record.body.is_some()
                    && kinds(self, RecordId(index)) != own
            })
        };
        let mut unique = name.clone();
        let mut count = 1;
        while taken(&unique) {
            count += 1;
            unique = format!("{name}.{count}");
        }
        self.records.0[id.0].name = unique;
    }

    /// The declared members: name, type, width of a bit-field.
    fn members(&mut self, declarations: &'a [Node<ast::StructDeclaration>]) -> Lowered<Vec<Declared>> {
        let mut members = Vec::new();
        for declaration in declarations {
            let ast::StructDeclaration::Field(field) = &declaration.node else { continue };
            let (base, _) = self.qualified_type(&field.node.specifiers, field.span)?;
            if field.node.declarators.is_empty() {
                members.push((None, base.clone(), None));
            }
            for declarator in &field.node.declarators {
                let bits = match &declarator.node.bit_width {
                    Some(width) => Some(u8::try_from(self.constant_int(width)?).unwrap_or(0)),
                    None => None,
                };
                match &declarator.node.declarator {
                    Some(declarator) => {
                        let (name, ty) = self.declarator(declarator, base.clone())?;
                        members.push((name, ty, bits));
                    }
                    // A bit-field without a name only moves what follows.
                    None => members.push((None, base.clone(), bits)),
                }
            }
        }
        Ok(members)
    }

    fn lay_out_struct(&self, declared: Vec<Declared>) -> RecordBody {
        let (mut cell, mut bit, mut align) = (0, 0_u64, 1);
        let mut members = Vec::new();
        for (name, ty, bits) in declared {
            let own = self.records.align(&ty).max(1);
            let size = self.records.size(&ty).unwrap_or(0);
            if let Some(width) = bits {
                let width = u64::from(width);
                // A bit-field never crosses a unit of its type; width 0 starts a new one.
                if width == 0 || bit / (size * 8).max(1) != (bit + width - 1) / (size * 8).max(1) {
                    bit = bit.next_multiple_of((size * 8).max(1));
                }
                if name.is_some() {
                    align = align.max(own);
                    members.push(Member { name, ty, cell, byte: bit / 8, bits });
                    cell += 1;
                }
                bit += width;
                continue;
            }
            align = align.max(own);
            let byte = bit.div_ceil(8).next_multiple_of(own);
            bit = (byte + size) * 8;
            let cells = self.records.cells(&ty).unwrap_or(0);
            members.push(Member { name, ty, cell, byte, bits });
            cell += cells;
        }
        RecordBody { members, cells: cell, size: bit.div_ceil(8).next_multiple_of(align), align, tag: None }
    }

    fn lay_out_union(&self, declared: Vec<Declared>) -> RecordBody {
        let align = declared.iter().map(|(_, ty, _)| self.records.align(ty)).max().unwrap_or(1).max(1);
        let size = declared.iter().filter_map(|(_, ty, _)| self.records.size(ty)).max().unwrap_or(0);
        let kinds: Vec<Vec<String>> = declared
            .iter()
            .map(|(_, ty, _)| self.cell_types(ty).iter().map(|cell| self.region_name(cell)).collect())
            .collect();
        let longest = kinds.iter().max_by_key(|kinds| kinds.len()).cloned().unwrap_or_default();
        let shared = kinds.iter().all(|kinds| longest.starts_with(kinds))
            && declared.iter().all(|(_, _, bits)| bits.is_none())
            && self.same_bytes(&declared);
        let mut cell = 0;
        let mut members = Vec::new();
        for ((name, ty, bits), kinds) in declared.into_iter().zip(&kinds) {
            members.push(Member { name, ty, cell: if shared { 0 } else { cell }, byte: 0, bits });
            cell += kinds.len() as u64;
        }
        let cells = if shared { longest.len() as u64 } else { cell + 1 };
        let size = size.next_multiple_of(align);
        RecordBody { members, cells, size, align, tag: (!shared).then_some(cell) }
    }

    /// Whether cells with the same number lie at the same byte in all members. Padding could make them differ:
    /// `{ char a; int b; }` against `{ char a; struct { int b; } c; }` does not, but arrays of structs may.
    fn same_bytes(&self, declared: &[Declared]) -> bool {
        let offsets: Vec<Vec<u64>> = declared.iter().map(|(_, ty, _)| self.cell_offsets(ty, 0)).collect();
        let longest = offsets.iter().max_by_key(|offsets| offsets.len()).cloned().unwrap_or_default();
        offsets.iter().all(|offsets| longest.starts_with(offsets))
    }

    /// The byte at which each cell of a type starts.
    pub(crate) fn cell_offsets(&self, ty: &CType, base: u64) -> Vec<u64> {
        match ty {
            CType::Array(element, length) => {
                let size = self.records.size(element).unwrap_or(0);
                (0..length.unwrap_or(0))
                    .flat_map(|index| self.cell_offsets(element, base + index * size))
                    .collect()
            }
            CType::Record(id) => match &self.records.get(*id).body {
                Some(body) if body.tag.is_none() && !self.records.get(*id).union => body
                    .members
                    .iter()
                    .flat_map(|member| self.cell_offsets(&member.ty, base + member.byte))
                    .collect(),
                Some(body) => vec![base; usize::try_from(body.cells).unwrap_or(0)],
                None => Vec::new(),
            },
            _ => vec![base],
        }
    }

    /// An enumeration has the type `unsigned int`, or `int` if a value is negative, as gcc has it;
    /// its constants are of type `int`.
    pub(crate) fn enum_type(&mut self, node: &'a Node<ast::EnumType>) -> Lowered<CType> {
        let tag = node.node.identifier.as_ref().map(|identifier| identifier.node.name.as_str());
        if node.node.enumerators.is_empty() {
            return Ok(match tag.and_then(|tag| self.lookup_tag(tag)) {
                Some(Tag::Enum(ty)) => ty.clone(),
                _ => CType::UNSIGNED,
            });
        }
        let (mut next, mut low, mut high) = (0, 0, 0);
        for enumerator in &node.node.enumerators {
            if let Some(value) = &enumerator.node.expression {
                next = self.constant_int(value)?;
            }
            let constant =
                [IntType::I32, IntType::U32, IntType::I64].into_iter().find(|ty| ty.contains(next));
            let name = &enumerator.node.identifier.node.name;
            self.bind(name, Symbol::Enumerator(constant.unwrap_or(IntType::U64), next));
            (low, high) = (low.min(next), high.max(next));
            next += 1;
        }
        let candidates = [IntType::U32, IntType::I32, IntType::U64, IntType::I64];
        let ty = candidates.into_iter().find(|ty| ty.contains(low) && ty.contains(high));
        let ty = CType::Int(ty.unwrap_or(IntType::I64));
        if let Some(tag) = tag {
            self.bind_tag(tag, Tag::Enum(ty.clone()));
        }
        Ok(ty)
    }

    pub(crate) fn other_type(&self, name: &str) -> CType {
        CType::Other(Rc::from(name))
    }
}
