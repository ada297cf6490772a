//! The types of C on x86-64 Linux: sizes, cells, promotions. Exact.
//!
//! Memory is counted twice: in bytes, which `sizeof` shows, and in cells, which pointers move by.
//! A scalar is one cell, whatever its width; a struct has the cells of its members one after the other.

use std::rc::Rc;

use ir::{FloatType, IntType};

/// A type of C, without its qualifiers but `volatile`. Types that C tells apart but that mean the same here
/// (`long` and `long long`, `char` and `signed char`, an enumeration and its integer type) are one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum CType {
    Void,
    /// `_Bool`.
    Bool,
    Int(IntType),
    /// What a bit-field wider than `int` is used as: an integer of just its width, which no declaration can name.
    /// Its values are held in 64 bits.
    Bits(IntType),
    Float(FloatType),
    /// `long double` and wider: known by name and size, but without arithmetic.
    LongDouble,
    Pointer(Rc<CType>),
    /// An array; without a length it is incomplete, or the last member of a struct.
    Array(Rc<CType>, Option<u64>),
    /// A struct or union of the table.
    Record(RecordId),
    Function(Rc<FunctionType>),
    /// A number or struct that others look at and change: the type of a place, never of a value.
    Volatile(Rc<CType>),
    /// A text of the IR, for the models of `printf` alone.
    Text,
    /// A type that is not modelled, with its name.
    Other(Rc<str>),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RecordId(pub(crate) usize);

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FunctionType {
    pub(crate) params: Vec<CType>,
    pub(crate) result: CType,
    pub(crate) variadic: bool,
    /// `f()` says nothing about the parameters.
    pub(crate) prototyped: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// `struct node`, or the members' names where the source gives none.
    pub(crate) name: String,
    pub(crate) union: bool,
    /// Absent while the type is only declared.
    pub(crate) body: Option<RecordBody>,
}

#[derive(Clone, Debug)]
pub(crate) struct RecordBody {
    pub(crate) members: Vec<Member>,
    pub(crate) cells: u64,
    pub(crate) size: u64,
    pub(crate) align: u64,
    /// The cell that says which member of a union was written last, where members do not share their cells.
    pub(crate) tag: Option<u64>,
    /// The order of the cells, where the members of the versions are not the same.
    pub(crate) slots: Option<Slots>,
}

/// A place in the order of the cells of a struct that changed.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    /// The member of this version at a position.
    Own { position: usize, lonely: bool },
    /// A member that this version does not have.
    Foreign { cells: Vec<CType> },
}

/// How a struct that changed is laid out.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    pub(crate) list: Vec<Slot>,
    /// The members of this version are declared in another order.
    pub(crate) reordered: bool,
    pub(crate) notes: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Absent for anonymous structs and unions, whose members count as ours.
    pub(crate) name: Option<String>,
    pub(crate) ty: CType,
    pub(crate) cell: u64,
    pub(crate) byte: u64,
    pub(crate) bits: Option<BitField>,
}

/// Where the bits of a bit-field lie, from the byte of the member on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BitField {
    pub(crate) width: u8,
    /// The bits before it in its first byte.
    pub(crate) shift: u8,
}

impl BitField {
    /// How many bytes it touches.
    pub(crate) fn bytes(self) -> usize {
        (usize::from(self.width) + usize::from(self.shift)).div_ceil(8)
    }
}

impl CType {
    pub(crate) const INT: CType = CType::Int(IntType::I32);
    pub(crate) const UNSIGNED: CType = CType::Int(IntType::U32);
    pub(crate) const CHAR: CType = CType::Int(IntType::I8);
    pub(crate) const LONG: CType = CType::Int(IntType::I64);
    pub(crate) const SIZE: CType = CType::Int(IntType::U64);
    pub(crate) const DOUBLE: CType = CType::Float(FloatType::F64);

    pub(crate) fn pointer_to(ty: CType) -> CType {
        CType::Pointer(Rc::new(ty))
    }

    pub(crate) fn is_pointer(&self) -> bool {
        matches!(self, CType::Pointer(_))
    }

    pub(crate) fn is_integer(&self) -> bool {
        matches!(self, CType::Int(_) | CType::Bits(_) | CType::Bool)
    }

    pub(crate) fn is_arithmetic(&self) -> bool {
        self.is_integer() || matches!(self, CType::Float(_) | CType::LongDouble)
    }

    pub(crate) fn is_scalar(&self) -> bool {
        self.is_arithmetic() || self.is_pointer() || matches!(self, CType::Text)
    }

    /// What an array or function becomes when its value is used.
    pub(crate) fn decayed(&self) -> CType {
        match self {
            CType::Array(element, _) => CType::Pointer(element.clone()),
            CType::Function(_) => CType::pointer_to(self.clone()),
            CType::Volatile(ty) => (**ty).clone(),
            _ => self.clone(),
        }
    }

    /// The type of the value at a place of this type.
    pub(crate) fn without_volatile(&self) -> &CType {
        match self {
            CType::Volatile(ty) => ty,
            _ => self,
        }
    }

    /// The element of an array of arrays of …; any other type itself.
    pub(crate) fn innermost(&self) -> &CType {
        match self {
            CType::Array(element, _) => element.innermost(),
            _ => self,
        }
    }

    /// The width and signedness of an integer type that operators work on.
    fn rank(&self) -> Option<IntType> {
        match self {
            CType::Int(ty) | CType::Bits(ty) => Some(*ty),
            _ => None,
        }
    }

    /// What a bit-field of this type is used as: `int` if that holds all its values, otherwise an integer of its
    /// width, as gcc has it. The declared type does not matter.
    pub(crate) fn of_bit_field(&self, width: u8) -> CType {
        match self {
            CType::Int(ty) if width == 0 || width >= ty.width && ty.width > 32 => self.clone(),
            CType::Int(ty) if width > 32 => CType::Bits(IntType { width, signed: ty.signed }),
            CType::Int(ty) if width == 32 && !ty.signed => CType::UNSIGNED,
            CType::Int(_) => CType::INT,
            _ => self.clone(),
        }
    }

    /// The integer promotions: types narrower than `int` become `int`, which holds all their values.
    pub(crate) fn promoted(&self) -> CType {
        match self {
            CType::Bool => CType::INT,
            CType::Int(ty) if ty.width < 32 => CType::INT,
            CType::Volatile(ty) => ty.promoted(),
            _ => self.clone(),
        }
    }
}

/// The usual arithmetic conversions.
pub(crate) fn common_type(a: &CType, b: &CType) -> CType {
    use CType::{Float, LongDouble};
    match (a.without_volatile(), b.without_volatile()) {
        (LongDouble, _) | (_, LongDouble) => LongDouble,
        (Float(FloatType::F64), _) | (_, Float(FloatType::F64)) => CType::DOUBLE,
        (Float(FloatType::F32), _) | (_, Float(FloatType::F32)) => Float(FloatType::F32),
        _ => {
            let (a, b) = (a.promoted(), b.promoted());
            match (a.rank(), b.rank()) {
                (Some(wide), Some(other)) if wide.width > other.width => a,
                (Some(other), Some(wide)) if wide.width > other.width => b,
                // Of the same width: the unsigned one.
                (Some(first), Some(_)) if first.signed => b,
                _ => a,
            }
        }
    }
}

/// The size and alignment of a type that is not modelled but whose layout is known.
fn other_layout(name: &str) -> Option<(u64, u64)> {
    match name {
        "__int128" | "__int128_t" | "__uint128_t" | "__float128" | "__float80" => Some((16, 16)),
        "__builtin_va_list" => Some((24, 8)),
        name if name.starts_with("volatile ") && name.ends_with('*') => Some((8, 8)),
        _ => None,
    }
}

/// The structs and unions of the program.
#[derive(Default)]
pub(crate) struct Records {
    pub(crate) list: Vec<Record>,
    /// Cells are bytes.
    pub(crate) bytes: bool,
}

impl Records {
    pub(crate) fn get(&self, id: RecordId) -> &Record {
        &self.list[id.0]
    }

    /// The size in bytes; absent for incomplete and unknown types. `void` and functions count as 1, as gcc has it.
    pub(crate) fn size(&self, ty: &CType) -> Option<u64> {
        match ty {
            CType::Void | CType::Bool | CType::Function(_) => Some(1),
            CType::Int(ty) => Some(u64::from(ty.width) / 8),
            CType::Bits(_) => Some(8),
            CType::Float(FloatType::F32) => Some(4),
            CType::Float(FloatType::F64) | CType::Pointer(_) => Some(8),
            CType::LongDouble => Some(16),
            CType::Array(element, length) => self.size(element)?.checked_mul((*length)?),
            CType::Record(id) => self.get(*id).body.as_ref().map(|body| body.size),
            CType::Volatile(ty) => self.size(ty),
            CType::Other(name) => other_layout(name).map(|(size, _)| size),
            CType::Text => None,
        }
    }

    pub(crate) fn align(&self, ty: &CType) -> u64 {
        match ty {
            CType::Array(element, _) => self.align(element),
            CType::Record(id) => self.get(*id).body.as_ref().map_or(1, |body| body.align),
            CType::Volatile(ty) => self.align(ty),
            CType::Other(name) => other_layout(name).map_or(8, |(_, align)| align),
            CType::Text => 8,
            _ => self.size(ty).unwrap_or(1),
        }
    }

    /// The number of cells; absent for incomplete types.
    pub(crate) fn cells(&self, ty: &CType) -> Option<u64> {
        match ty {
            _ if self.bytes => self.size(ty),
            CType::Array(element, length) => self.cells(element)?.checked_mul((*length)?),
            CType::Record(id) => self.get(*id).body.as_ref().map(|body| body.cells),
            CType::Volatile(ty) => self.cells(ty),
            _ => Some(1),
        }
    }

    /// The scalar type of each cell, where cells are scalars. A union's cells are those of its members in turn.
    pub(crate) fn flatten(&self, ty: &CType, into: &mut Vec<CType>) {
        match ty {
            CType::Array(element, length) => {
                for _ in 0..length.unwrap_or(0) {
                    self.flatten(element, into);
                }
            }
            CType::Record(id) => {
                let Some(body) = &self.get(*id).body else { return };
                if let Some(slots) = &body.slots {
                    for slot in &slots.list {
                        match slot {
                            Slot::Own { position, .. } => self.flatten(&body.members[*position].ty, into),
                            Slot::Foreign { cells } => into.extend(cells.iter().cloned()),
                        }
                    }
                    return;
                }
                let start = into.len();
                for member in &body.members {
                    let at = start + usize::try_from(member.cell).unwrap_or(usize::MAX);
                    if at >= into.len() {
                        self.flatten(&member.ty, into);
                    } else {
                        // Members of a union that share their cells: the longest one says what they are.
                        let mut shared = Vec::new();
                        self.flatten(&member.ty, &mut shared);
                        let known = into.len() - at;
                        into.extend(shared.into_iter().skip(known));
                    }
                }
                if body.tag.is_some() {
                    into.push(CType::INT);
                }
            }
            CType::Volatile(ty) => self.flatten(ty, into),
            CType::Void => into.push(CType::CHAR),
            _ => into.push(ty.clone()),
        }
    }

    /// Whether a struct or array has something volatile in it.
    pub(crate) fn has_volatile(&self, ty: &CType) -> bool {
        match ty {
            CType::Volatile(_) => true,
            CType::Array(element, _) => self.has_volatile(element),
            CType::Record(id) => {
                let mut members = self.get(*id).body.iter().flat_map(|body| &body.members);
                members.any(|member| self.has_volatile(&member.ty))
            }
            _ => false,
        }
    }

    /// Whether a member lies at the end of a record.
    pub(crate) fn is_last(&self, id: RecordId, name: &str) -> bool {
        let record = self.get(id);
        let members = record.body.iter().flat_map(|body| &body.members);
        let count = if record.union { usize::MAX } else { 1 };
        members.rev().take(count).any(|member| match (&member.name, &member.ty) {
            (None, CType::Record(inner)) => self.is_last(*inner, name),
            (own, _) => own.as_deref() == Some(name),
        })
    }

    /// The member with this name, also inside anonymous members, with the cells and bytes before it.
    pub(crate) fn member(&self, id: RecordId, name: &str) -> Option<FoundMember> {
        let record = self.get(id);
        let body = record.body.as_ref()?;
        for (index, member) in body.members.iter().enumerate() {
            let tag = body.tag.map(|cell| (cell, index as u64 + 1));
            match (&member.name, &member.ty) {
                (Some(known), _) if known == name => {
                    let (cell, byte) = (member.cell, member.byte);
                    return Some(FoundMember { ty: member.ty.clone(), cell, byte, bits: member.bits, tag });
                }
                (None, CType::Record(inner)) => {
                    if let Some(found) = self.member(*inner, name) {
                        let inner_tag = found.tag.map(|(cell, value)| (cell + member.cell, value));
                        return Some(FoundMember {
                            cell: found.cell + member.cell,
                            byte: found.byte + member.byte,
                            tag: inner_tag.or(tag),
                            ..found
                        });
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// A member and where it lies in the whole.
pub(crate) struct FoundMember {
    pub(crate) ty: CType,
    pub(crate) cell: u64,
    pub(crate) byte: u64,
    pub(crate) bits: Option<BitField>,
    /// The cell that says which member of the union holds a value, and the value for this one.
    pub(crate) tag: Option<(u64, u64)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_types_meet_as_int_and_equal_widths_as_unsigned() {
        let (char, short) = (CType::Int(IntType::U8), CType::Int(IntType::I16));
        assert_eq!(common_type(&char, &short), CType::INT);
        assert_eq!(common_type(&CType::INT, &CType::UNSIGNED), CType::UNSIGNED);
        assert_eq!(common_type(&CType::UNSIGNED, &CType::LONG), CType::LONG);
        assert_eq!(common_type(&CType::LONG, &CType::SIZE), CType::SIZE);
        assert_eq!(common_type(&CType::SIZE, &CType::Float(FloatType::F32)), CType::Float(FloatType::F32));
    }
}
