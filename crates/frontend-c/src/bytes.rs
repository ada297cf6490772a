//! Types as bytes: what each byte of a value is, and where its scalars lie. Exact (the System V ABI).
//!
//! A pointer in memory is one cell at its first byte, so that bytes can stand for all other scalars alone: a pointer
//! that is read or written in parts is a gap, and so is padding.

use crate::types::{CType, Records, Slot};

/// What a byte of a value is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Byte {
    /// A part of a number.
    Data,
    /// Between members.
    Padding,
    /// The first byte of a pointer to a type.
    Pointer(CType),
    /// Another byte of a pointer.
    Rest,
}

/// A scalar in a value, and the cell where it starts.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Leaf {
    pub(crate) cell: u64,
    pub(crate) ty: CType,
}

impl Records {
    /// What the bytes of a type are. Where members of a union disagree, a pointer counts.
    pub(crate) fn bytes_of(&self, ty: &CType) -> Vec<Byte> {
        let size = usize::try_from(self.size(ty).unwrap_or(0)).unwrap_or(0);
        match ty {
            CType::Pointer(_) => {
                let mut bytes = vec![Byte::Rest; size];
                bytes[0] = Byte::Pointer(ty.clone());
                bytes
            }
            CType::Array(element, length) => {
                let element = self.bytes_of(element);
                let length = usize::try_from(length.unwrap_or(0)).unwrap_or(0);
                element.iter().cycle().take(element.len() * length).cloned().collect()
            }
            CType::Record(id) => {
                let mut bytes = vec![Byte::Padding; size];
                for member in self.get(*id).body.iter().flat_map(|body| &body.members) {
                    let own = match member.bits {
                        Some(field) => vec![Byte::Data; field.bytes()],
                        None => self.bytes_of(&member.ty),
                    };
                    let start = usize::try_from(member.byte).unwrap_or(usize::MAX);
                    for (byte, own) in bytes.iter_mut().skip(start).zip(own) {
                        overlay(byte, own);
                    }
                }
                bytes
            }
            CType::Volatile(ty) => self.bytes_of(ty),
            _ => vec![Byte::Data; size],
        }
    }

    /// The scalars of a type. What a union or bit-fields hold is taken byte by byte.
    pub(crate) fn leaves(&self, ty: &CType) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        if self.bytes {
            self.add_leaves(ty, 0, &mut leaves);
        } else {
            let mut types = Vec::new();
            self.flatten(ty, &mut types);
            leaves.extend(types.into_iter().zip(0..).map(|(ty, cell)| Leaf { cell, ty }));
        }
        leaves
    }

    /// For each cell of a type, where cells are scalars: what sets it apart from whole numbers of its kind, so that no
    /// pointer to these may be used for it. That is a bit-field, or a member that the other version does not have in
    /// this place.
    pub(crate) fn marks_of_cells(&self, ty: &CType) -> Vec<Option<String>> {
        match ty {
            CType::Array(element, length) => {
                let element = self.marks_of_cells(element);
                let length = usize::try_from(length.unwrap_or(0)).unwrap_or(0);
                element.iter().cycle().take(element.len() * length).cloned().collect()
            }
            CType::Record(id) => {
                let Some(body) = &self.get(*id).body else { return Vec::new() };
                let mut cells: Vec<Option<String>> = Vec::new();
                if let Some(slots) = &body.slots {
                    let name = &self.get(*id).name;
                    for slot in &slots.list {
                        let mut own = match slot {
                            Slot::Own { position, .. } => self.marks_of_member(&body.members[*position]),
                            Slot::Foreign { cells } => vec![None; cells.len()],
                        };
                        if slots.reordered || matches!(slot, Slot::Foreign { .. }) {
                            for (mark, cell) in own.iter_mut().zip(cells.len()..) {
                                *mark = Some(format!("a place of its own in {name}: {cell}"));
                            }
                        }
                        cells.extend(own);
                    }
                    return cells;
                }
                for member in &body.members {
                    let at = usize::try_from(member.cell).unwrap_or(usize::MAX);
                    let own = self.marks_of_member(member);
                    // Members of a union that share their cells.
                    let known = cells.len().saturating_sub(at);
                    for (cell, shared) in cells.iter_mut().skip(at).zip(&own) {
                        *cell = cell.take().or_else(|| shared.clone());
                    }
                    cells.extend(own.into_iter().skip(known));
                }
                if body.tag.is_some() {
                    cells.push(None);
                }
                cells
            }
            _ => vec![None],
        }
    }

    fn marks_of_member(&self, member: &crate::types::Member) -> Vec<Option<String>> {
        match member.bits {
            Some(field) => vec![Some(format!("bits {}.{}.{}", member.byte, field.shift, field.width))],
            None => self.marks_of_cells(&member.ty),
        }
    }

    /// The cells of a type that only one version has, and what is taken for granted of its structs.
    pub(crate) fn changes_in(&self, ty: &CType) -> (Vec<u32>, Vec<String>) {
        let (mut lonely, mut notes) = (Vec::new(), Vec::new());
        self.add_changes(ty, 0, &mut lonely, &mut notes);
        notes.sort();
        notes.dedup();
        (lonely, notes)
    }

    fn add_changes(&self, ty: &CType, base: u64, lonely: &mut Vec<u32>, notes: &mut Vec<String>) {
        let cells = |ty: &CType| self.cells(ty).unwrap_or(0);
        match ty {
            CType::Array(element, length) => {
                let size = cells(element);
                for index in 0..length.unwrap_or(0) {
                    self.add_changes(element, base + index * size, lonely, notes);
                }
            }
            CType::Record(id) => {
                let Some(body) = &self.get(*id).body else { return };
                let Some(slots) = &body.slots else {
                    let members = body.members.iter();
                    members.for_each(|it| self.add_changes(&it.ty, base + it.cell, lonely, notes));
                    return;
                };
                notes.extend(slots.notes.iter().cloned());
                let mut next = base;
                for slot in &slots.list {
                    let (count, is_lonely) = match slot {
                        Slot::Own { position, lonely } => (cells(&body.members[*position].ty), *lonely),
                        Slot::Foreign { cells } => (cells.len() as u64, true),
                    };
                    match slot {
                        Slot::Own { position, .. } if !is_lonely => {
                            self.add_changes(&body.members[*position].ty, next, lonely, notes);
                        }
                        _ => lonely.extend((next..next + count).map(|cell| cell as u32)),
                    }
                    next += count;
                }
            }
            CType::Volatile(ty) => self.add_changes(ty, base, lonely, notes),
            _ => {}
        }
    }

    fn add_leaves(&self, ty: &CType, base: u64, leaves: &mut Vec<Leaf>) {
        match ty {
            CType::Array(element, length) => {
                let size = self.size(element).unwrap_or(0);
                for index in 0..length.unwrap_or(0) {
                    self.add_leaves(element, base + index * size, leaves);
                }
            }
            CType::Record(id) => {
                let record = self.get(*id);
                let members = record.body.iter().flat_map(|body| &body.members);
                if record.union || members.clone().any(|member| member.bits.is_some()) {
                    for (byte, cell) in self.bytes_of(ty).into_iter().zip(base..) {
                        match byte {
                            Byte::Data => leaves.push(Leaf { cell, ty: CType::CHAR }),
                            Byte::Pointer(ty) => leaves.push(Leaf { cell, ty }),
                            Byte::Padding | Byte::Rest => {}
                        }
                    }
                    return;
                }
                members.for_each(|member| self.add_leaves(&member.ty, base + member.byte, leaves));
            }
            CType::Volatile(ty) => self.add_leaves(ty, base, leaves),
            CType::Void => leaves.push(Leaf { cell: base, ty: CType::CHAR }),
            _ => leaves.push(Leaf { cell: base, ty: ty.clone() }),
        }
    }

    /// The bytes at which values of types with a name start in a type, the type itself not included.
    pub(crate) fn starts_of(&self, ty: &CType, is_wanted: &dyn Fn(&CType) -> bool) -> Vec<u64> {
        let mut starts = Vec::new();
        self.add_starts(ty, 0, is_wanted, &mut starts);
        starts
    }

    fn add_starts(&self, ty: &CType, base: u64, is_wanted: &dyn Fn(&CType) -> bool, starts: &mut Vec<u64>) {
        let mut visit = |inner: &CType, at: u64| {
            if is_wanted(inner) {
                starts.push(at);
            }
            self.add_starts(inner, at, is_wanted, starts);
        };
        match ty.without_volatile() {
            CType::Array(element, length) => {
                let size = self.size(element).unwrap_or(0);
                (0..length.unwrap_or(0)).for_each(|index| visit(element, base + index * size));
            }
            CType::Record(id) => {
                let members = self.get(*id).body.iter().flat_map(|body| &body.members);
                let whole = members.filter(|member| member.bits.is_none());
                whole.for_each(|member| visit(&member.ty, base + member.byte));
            }
            _ => {}
        }
    }
}

/// Two members of a union that share a byte.
fn overlay(byte: &mut Byte, own: Byte) {
    match (&*byte, &own) {
        (Byte::Padding, _) | (Byte::Data, Byte::Pointer(_) | Byte::Rest) => *byte = own,
        // The other pointer starts elsewhere.
        (Byte::Pointer(_), Byte::Rest) | (Byte::Rest, Byte::Pointer(_)) => *byte = Byte::Rest,
        (Byte::Pointer(_) | Byte::Rest | Byte::Data, _) => {}
    }
}
