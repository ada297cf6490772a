//! Structs, unions and enumerations: where their members lie. Exact for bytes (the System V ABI) and cells.
//!
//! Members of a union that have the same kinds of cells share them. Otherwise each member has cells of its own,
//! and one more cell says which member was written last; reading another one is a gap.

use std::rc::Rc;

use ir::IntType;
use lang_c::ast;
use lang_c::span::Node;

use super::file_scope::declared_name;
use super::function::is_restrict_pointer;
use super::names::{Symbol, Tag};
use super::{Lowered, Lowerer};
use crate::attributes::Kind;
use crate::types::{BitField, CType, Member, Record, RecordBody, RecordId, Slot};

/// A member as it is declared.
struct Declared {
    name: Option<String>,
    ty: CType,
    /// The width of a bit-field.
    width: Option<u8>,
    packed: bool,
    /// What `aligned` asks for.
    align: Option<u64>,
}

/// What the attributes and pragmas around a struct say about its layout.
#[derive(Clone, Copy)]
struct Layout {
    packed: bool,
    align: u64,
    /// The largest alignment of members, by `#pragma pack`.
    pack: Option<u64>,
}

/// The names of the members that are `restrict` pointers.
fn restricted_names(declarations: &[Node<ast::StructDeclaration>]) -> impl Iterator<Item = &str> {
    let fields = declarations.iter().filter_map(|declaration| match &declaration.node {
        ast::StructDeclaration::Field(field) => Some(&field.node.declarators),
        ast::StructDeclaration::StaticAssert(_) => None,
    });
    let declarators = fields.flatten().filter_map(|declarator| declarator.node.declarator.as_ref());
    declarators.filter(|it| is_restrict_pointer(&it.node)).filter_map(declared_name)
}

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
            let layout = self.layout(node)?;
            let members = self.members(declarations)?;
            self.restricted_members
                .extend(restricted_names(declarations).map(|name| (id.0, name.to_owned())));
            if tag.is_none() {
                let member = |member: &Declared| {
                    format!("{} {}", self.element_name(&member.ty), member.name.as_deref().unwrap_or("_"))
                };
                let members: Vec<String> = members.iter().map(member).collect();
                self.records.list[id.0].name = format!("{keyword} {{{}}}", members.join(", "));
            }
            let body = if union {
                self.lay_out_union(members, layout)
            } else {
                self.lay_out_struct(members, layout)
            };
            self.records.list[id.0].body = Some(body);
            let name = self.records.get(id).name.clone();
            self.match_members(id, &name);
            self.name_record(id, name);
        }
        Ok(CType::Record(id))
    }

    fn layout(&self, node: &Node<ast::StructType>) -> Lowered<Layout> {
        let attributes = &self.units[self.unit].source.attributes;
        let mut layout = Layout { packed: false, align: 1, pack: attributes.pack_at(node.span.end) };
        for attribute in attributes.of_record(node.span.start) {
            match (attribute.kind(), attribute.alignment()) {
                (Kind::Layout, Some(align)) => layout.align = layout.align.max(align),
                (Kind::Layout, None) => layout.packed = true,
                (Kind::Harmless, _) => {}
                _ => return self.gap(format!("the attribute `{}`", attribute.name), node.span),
            }
        }
        Ok(layout)
    }

    fn new_record(&mut self, name: String, union: bool) -> RecordId {
        let local = !self.blocks.is_empty();
        let taken = |name: &str| self.records.list.iter().any(|record| record.name == name);
        let mut unique = name.clone();
        let mut count = 1;
        while local && !name.is_empty() && taken(&unique) {
            count += 1;
            unique = format!("{name}.{count}");
        }
        let name = self.name_in_version(unique);
        self.records.list.push(Record { name, union, body: None });
        RecordId(self.records.list.len() - 1)
    }

    /// The name of a struct, which says its version where the versions have too little in common.
    fn name_in_version(&self, name: String) -> String {
        match self.changes {
            Some((changes, side)) => changes.name_in(name, side),
            None => name,
        }
    }

    /// Gives a struct that changed the cells of the members of both versions.
    pub(crate) fn match_members(&mut self, id: RecordId, name: &str) {
        let Some((changes, side)) = self.changes else { return };
        let Some(slots) = changes.slots(name, side, &mut self.records) else { return };
        let mut cell = 0;
        let mut cells = vec![0; slots.list.len()];
        for slot in &slots.list {
            match slot {
                Slot::Own { position, .. } => {
                    let body = self.records.get(id).body.as_ref();
                    let Some(member) = body.and_then(|body| body.members.get(*position)) else { return };
                    cells[*position] = cell;
                    cell += self.records.cells(&member.ty).unwrap_or(0);
                }
                Slot::Foreign { cells } => cell += cells.len() as u64,
            }
        }
        let Some(body) = &mut self.records.list[id.0].body else { return };
        body.members.iter_mut().zip(cells).for_each(|(member, cell)| member.cell = cell);
        (body.cells, body.slots) = (cell, Some(slots));
    }

    /// Gives a struct a name that no struct with other cells has: shapes go by these names.
    pub(crate) fn name_record(&mut self, id: RecordId, name: String) {
        let kinds = |this: &Self, id: RecordId| -> Vec<String> {
            this.cell_types(&CType::Record(id)).iter().map(|cell| this.region_name(cell)).collect()
        };
        let own = kinds(self, id);
        let taken = |candidate: &str| {
            let candidate = &self.name_in_version(candidate.to_owned());
            self.records.list.iter().enumerate().any(|(index, record)| {
                index != id.0
                    && record.name == *candidate
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
        self.records.list[id.0].name = self.name_in_version(unique);
    }

    /// The declared members: name, type, width of a bit-field.
    fn members(&mut self, declarations: &'a [Node<ast::StructDeclaration>]) -> Lowered<Vec<Declared>> {
        let mut members = Vec::new();
        for declaration in declarations {
            let ast::StructDeclaration::Field(field) = &declaration.node else { continue };
            let (base, _) = self.qualified_type(&field.node.specifiers, field.span)?;
            let (mut packed, mut align) = (false, None);
            for attribute in self.units[self.unit].source.attributes.of_member(field.span.start) {
                match (attribute.kind(), attribute.alignment()) {
                    (Kind::Harmless, _) => {}
                    (Kind::Layout, found) if field.node.declarators.len() <= 1 => match found {
                        Some(found) => align = align.max(Some(found)),
                        None => packed = true,
                    },
                    _ => {
                        let name = attribute.name.clone();
                        return self.gap(format!("the attribute `{name}` of a member"), field.span);
                    }
                }
            }
            if field.node.declarators.is_empty() {
                members.push(Declared { name: None, ty: base.clone(), width: None, packed, align });
            }
            for declarator in &field.node.declarators {
                let width = match &declarator.node.bit_width {
                    Some(width) => Some(u8::try_from(self.constant_int(width)?).unwrap_or(0)),
                    None => None,
                };
                match &declarator.node.declarator {
                    Some(declarator) => {
                        let (name, ty) = self.declarator(declarator, base.clone())?;
                        if self.records.size(&ty).is_none() && !matches!(ty, CType::Array(_, None)) {
                            return self.gap("a member of a type whose size is not known", field.span);
                        }
                        members.push(Declared { name, ty, width, packed, align });
                    }
                    // A bit-field without a name only moves what follows.
                    None => members.push(Declared { name: None, ty: base.clone(), width, packed, align }),
                }
            }
        }
        Ok(members)
    }

    /// The alignment of a member. `packed` makes it 1, unless the member asks for more itself; no member has more
    /// than `#pragma pack` allows.
    fn member_align(&self, member: &Declared, layout: Layout) -> u64 {
        // For bit-fields `#pragma pack` comes before `packed`.
        let pragma = member.width.is_some() && layout.pack.is_some();
        let packed = (layout.packed || member.packed) && !pragma;
        let natural = if packed { 1 } else { self.records.align(&member.ty).max(1) };
        let align = natural.max(member.align.unwrap_or(1));
        layout.pack.map_or(align, |pack| align.min(pack))
    }

    fn lay_out_struct(&self, declared: Vec<Declared>, layout: Layout) -> RecordBody {
        let bytes = self.records.bytes;
        let (mut cell, mut bit, mut align) = (0, 0_u64, layout.align);
        let mut members = Vec::new();
        for member in declared {
            let own = self.member_align(&member, layout);
            let size = self.records.size(&member.ty).unwrap_or(0);
            let Declared { name, ty, width, packed, align: asked } = member;
            if let Some(width) = width {
                let field = BitField { width, shift: 0 };
                let (width, unit) = (u64::from(width), (size * 8).max(1));
                if width == 0 {
                    // It starts a new unit, packed or not.
                    let start = self.records.align(&ty).max(1).max(asked.unwrap_or(1)) * 8;
                    bit = bit.next_multiple_of(start);
                } else {
                    bit = bit.next_multiple_of(asked.map_or(1, |asked| asked.max(1) * 8));
                    // A bit-field never crosses a unit of its type, unless it is packed.
                    let packed = layout.packed || packed || layout.pack.is_some();
                    if !packed && bit / unit != (bit + width - 1) / unit {
                        bit = bit.next_multiple_of(unit);
                    }
                }
                if name.is_some() {
                    align = align.max(own);
                    let (byte, shift) = (bit / 8, (bit % 8) as u8);
                    let bits = Some(BitField { shift, ..field });
                    members.push(Member { name, ty, cell: if bytes { byte } else { cell }, byte, bits });
                    cell += 1;
                }
                bit += width;
                continue;
            }
            align = align.max(own);
            let byte = bit.div_ceil(8).next_multiple_of(own);
            bit = (byte + size) * 8;
            let cells = self.records.cells(&ty).unwrap_or(0);
            members.push(Member { name, ty, cell: if bytes { byte } else { cell }, byte, bits: None });
            cell += cells;
        }
        let size = bit.div_ceil(8).next_multiple_of(align);
        RecordBody { members, cells: if bytes { size } else { cell }, size, align, tag: None, slots: None }
    }

    fn lay_out_union(&self, declared: Vec<Declared>, layout: Layout) -> RecordBody {
        // A bit-field without a name asks for no alignment.
        let named = declared.iter().filter(|member| member.name.is_some() || member.width.is_none());
        let align =
            named.map(|member| self.member_align(member, layout)).max().unwrap_or(1).max(layout.align);
        let bytes = |member: &Declared| match member.width {
            Some(width) => Some(u64::from(width).div_ceil(8)),
            None => self.records.size(&member.ty),
        };
        let size = declared.iter().filter_map(bytes).max().unwrap_or(0);
        let kinds: Vec<Vec<String>> = declared
            .iter()
            .map(|member| self.cell_types(&member.ty).iter().map(|cell| self.region_name(cell)).collect())
            .collect();
        let longest = kinds.iter().max_by_key(|kinds| kinds.len()).cloned().unwrap_or_default();
        let shared = kinds.iter().all(|kinds| longest.starts_with(kinds))
            && declared.iter().all(|member| member.width.is_none() && !self.has_bit_fields(&member.ty))
            && self.same_bytes(&declared);
        let shared = shared || self.records.bytes;
        let mut cell = 0;
        let mut members = Vec::new();
        for (Declared { name, ty, width, .. }, kinds) in declared.into_iter().zip(&kinds) {
            let bits = width.map(|width| BitField { width, shift: 0 });
            members.push(Member { name, ty, cell: if shared { 0 } else { cell }, byte: 0, bits });
            cell += kinds.len() as u64;
        }
        let size = size.next_multiple_of(align);
        let cells = match (self.records.bytes, shared) {
            (true, _) => size,
            (false, true) => longest.len() as u64,
            (false, false) => cell + 1,
        };
        RecordBody { members, cells, size, align, tag: (!shared).then_some(cell), slots: None }
    }

    /// Whether a cell of the type holds only a part of its bytes' bits.
    fn has_bit_fields(&self, ty: &CType) -> bool {
        let CType::Record(id) = ty.innermost() else { return false };
        let members = self.records.get(*id).body.iter().flat_map(|body| &body.members);
        members.into_iter().any(|member| member.bits.is_some() || self.has_bit_fields(&member.ty))
    }

    /// Whether cells with the same number lie at the same byte in all members. Padding could make them differ:
    /// `{ char a; int b; }` against `{ char a; struct { int b; } c; }` does not, but arrays of structs may.
    fn same_bytes(&self, declared: &[Declared]) -> bool {
        let offsets: Vec<Vec<u64>> = declared.iter().map(|member| self.cell_offsets(&member.ty, 0)).collect();
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
        let mut candidates = vec![IntType::U32, IntType::I32, IntType::U64, IntType::I64];
        for attribute in self.units[self.unit].source.attributes.of_record(node.span.start) {
            match (attribute.kind(), attribute.name.as_str()) {
                // The smallest type that holds all values.
                (_, "packed") => {
                    candidates.splice(0..0, [IntType::U8, IntType::I8, IntType::U16, IntType::I16]);
                }
                (Kind::Harmless, _) => {}
                _ => return self.gap(format!("the attribute `{}`", attribute.name), node.span),
            }
        }
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
