//! Memory as bytes: loads and stores of scalars in parts, and which cells of objects they may touch.
//!
//! The bytes are the meaning of C's memory. A number lies in as many cells as it has bytes, lowest first; a pointer
//! is one cell at its first byte. An access that meets a part of a pointer, or padding, is a gap.

use ir::{BinaryOp, Const, Expr, FloatType, IntType, Intrinsic, Layout, Region, RegionId, Scalar};
use ir::{ShapeId, StmtKind};

use super::initialize::Part;
use super::place::Memory;
use super::{Lowered, Lowerer, Value};
use crate::build;
use crate::bytes::Byte;
use crate::types::{BitField, CType, FoundMember, RecordId};

/// What is taken for granted where floats are read from bytes.
pub(crate) const ONE_NAN: &str = "all NaNs have the same bytes";

/// What is taken for granted of input pointers where memory is bytes.
const POINTERS: &str = "pointers lead to objects and members of their own type, `char *` and `void *` anywhere \
                        (strict aliasing)";

/// What is taken for granted of input pointers where the code itself never uses a pointer as bytes.
const NOT_OPENED: &str =
    "pointers of the inputs do not lead to the bytes of pointers in memory, or to padding";

/// What lies beside a pointer in a union is not modelled.
pub(crate) const SHARED_WITH_POINTER: &str = "a member of a union that shares its bytes with a pointer";

impl Lowerer<'_> {
    /// The number in some bytes of an object, without sign.
    fn load_number(&mut self, object: &Expr, offset: &Expr, bytes: u64) -> (Expr, IntType) {
        let region = self.region(&CType::CHAR);
        let width = [1, 2, 4].into_iter().find(|width| *width >= bytes).unwrap_or(8);
        let ty = IntType { width: width as u8 * 8, signed: false };
        let mut number = build::int(ty, 0);
        for index in 0..bytes {
            let at = build::add(IntType::I64, offset.clone(), build::i64(index));
            let cell = Expr::Load { region, object: Box::new(object.clone()), index: Some(Box::new(at)) };
            let byte = convert(IntType::I8, IntType::U8, cell);
            let part = shift(BinaryOp::Shl, ty, convert(IntType::U8, ty, byte), index * 8);
            number = match index {
                0 => part,
                _ => build::binary(BinaryOp::Or, Scalar::Int(ty), number, part, false),
            };
        }
        (number, ty)
    }

    /// A scalar in bytes, as a value of its type.
    pub(crate) fn load_bytes(&mut self, object: Expr, offset: Expr, ty: &CType) -> Expr {
        let size = self.records.size(ty).unwrap_or(1);
        let (number, raw) = self.load_number(&object, &offset, size);
        match ty {
            CType::Bool => build::not(build::eq(Scalar::Int(raw), number, build::int(raw, 0))),
            CType::Int(ty) => convert(raw, *ty, number),
            CType::Float(ty) => {
                let bits = convert(raw, ty.bits_type(), number);
                let bits = self.save(bits, &CType::Int(ty.bits_type()));
                self.assume_usual_nan(*ty, &bits);
                Expr::Intrinsic { function: Intrinsic::FromBits(*ty), args: vec![bits] }
            }
            _ => convert(raw, IntType::I64, number),
        }
    }

    /// The numbers have one NaN only. Runs that read another one from bytes are not compared.
    fn assume_usual_nan(&mut self, ty: FloatType, bits: &Expr) {
        let usual = match ty {
            FloatType::F32 => i128::from(f32::NAN.to_bits()),
            FloatType::F64 => i128::from(f64::NAN.to_bits()),
        };
        let int = ty.bits_type();
        let value = Expr::Intrinsic { function: Intrinsic::FromBits(ty), args: vec![bits.clone()] };
        let is_number = build::eq(Scalar::Float(ty), value.clone(), value);
        let is_usual = build::eq(Scalar::Int(int), bits.clone(), build::int(int, usual));
        self.emit(StmtKind::Assume { condition: build::or(is_number, is_usual) });
        self.assume(ONE_NAN.to_owned());
    }

    /// The bits of a bit-field in the low bits of its declared type; what is above them does not count.
    pub(crate) fn load_field(&mut self, memory: &Memory, ty: &CType, field: BitField) -> Lowered<Expr> {
        if field.bytes() > 8 {
            return self.gap_here("a bit-field in nine bytes");
        }
        let (number, raw) = self.load_number(&memory.object, &memory.offset, field.bytes() as u64);
        let number = shift(BinaryOp::Shr, raw, number, field.shift.into());
        Ok(match ty {
            CType::Int(ty) => convert(raw, *ty, number),
            _ => {
                let bit = build::binary(BinaryOp::And, Scalar::Int(raw), number, build::int(raw, 1), false);
                build::not(build::eq(Scalar::Int(raw), bit, build::int(raw, 0)))
            }
        })
    }

    /// Stores a scalar of a type in bytes.
    pub(crate) fn store_bytes(&mut self, object: &Expr, offset: &Expr, value: Value) {
        let size = self.records.size(&value.ty).unwrap_or(1);
        let (number, raw) = match &value.ty {
            CType::Bool => {
                let byte = build::convert(Scalar::Bool, Scalar::Int(IntType::U8), value.expr, false);
                (byte, IntType::U8)
            }
            CType::Float(ty) => {
                self.assume(ONE_NAN.to_owned());
                let bits = Expr::Intrinsic { function: Intrinsic::ToBits(*ty), args: vec![value.expr] };
                (bits, ty.bits_type())
            }
            CType::Int(ty) => (value.expr, *ty),
            _ => (value.expr, IntType::I64),
        };
        let number = convert(raw, raw.to_unsigned(), number);
        let number = if size > 1 && !build::is_simple(&number) {
            self.save(number, &CType::Int(raw.to_unsigned()))
        } else {
            number
        };
        for index in 0..size {
            let part = shift(BinaryOp::Shr, raw.to_unsigned(), number.clone(), index * 8);
            self.store_byte(object, offset, index, convert(raw.to_unsigned(), IntType::I8, part));
        }
    }

    fn store_byte(&mut self, object: &Expr, offset: &Expr, index: u64, value: Expr) {
        let region = self.region(&CType::CHAR);
        let at = build::add(IntType::I64, offset.clone(), build::i64(index));
        self.emit(StmtKind::Store { region, object: object.clone(), index: Some(at), value });
    }

    /// Stores a value in a bit-field; the other bits of its bytes stay.
    pub(crate) fn store_field(&mut self, memory: &Memory, value: Value, field: BitField) -> Lowered<()> {
        if field.bytes() > 8 {
            return self.gap_here("a bit-field in nine bytes");
        }
        let wide = IntType::U64;
        let number = match &value.ty {
            CType::Bool => build::convert(Scalar::Bool, Scalar::Int(wide), value.expr, false),
            CType::Int(ty) => convert(*ty, wide, value.expr),
            _ => convert(IntType::I64, wide, value.expr),
        };
        let mask = ((1_i128 << field.width) - 1) << field.shift;
        let number = shift(BinaryOp::Shl, wide, number, field.shift.into());
        let number = build::binary(BinaryOp::And, Scalar::Int(wide), number, build::int(wide, mask), false);
        let number = self.save(number, &CType::Int(wide));
        for index in 0..field.bytes() as u64 {
            let at = build::add(IntType::I64, memory.offset.clone(), build::i64(index));
            let (old, raw) = self.load_number(&memory.object, &at, 1);
            let others = build::int(raw, !(mask >> (index * 8)) & 0xff);
            let old = build::binary(BinaryOp::And, Scalar::Int(raw), old, others, false);
            let part = convert(wide, raw, shift(BinaryOp::Shr, wide, number.clone(), index * 8));
            let byte = build::binary(BinaryOp::Or, Scalar::Int(raw), old, part, false);
            self.store_byte(&memory.object, &memory.offset, index, convert(raw, IntType::I8, byte));
        }
        Ok(())
    }

    /// Whether the bytes of a member are what its type says: in a union they may be those of a pointer beside it.
    pub(crate) fn has_own_bytes(&self, whole: &CType, member: &FoundMember) -> bool {
        self.agrees_with(&self.records.bytes_of(whole), member.byte, &member.ty, member.bits)
    }

    /// Whether the bytes from a place on are those of a type.
    fn agrees_with(&self, bytes: &[Byte], start: u64, ty: &CType, bits: Option<BitField>) -> bool {
        let own = match bits {
            Some(field) => vec![Byte::Data; field.bytes()],
            None => self.records.bytes_of(ty),
        };
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let agree = |own: &Byte, found: Option<&Byte>| match (own, found) {
            (Byte::Padding, _) | (Byte::Data, Some(Byte::Data)) | (Byte::Rest, Some(Byte::Rest)) => true,
            (Byte::Pointer(own), Some(Byte::Pointer(found))) => {
                self.region_name(own) == self.region_name(found)
            }
            (Byte::Data | Byte::Rest | Byte::Pointer(_), _) => false,
        };
        own.iter().zip(start..).all(|(own, at)| agree(own, bytes.get(at)))
    }

    /// The parts of an initialiser set the bytes of their own types.
    pub(crate) fn check_parts(&self, ty: &CType, parts: &[Part<'_>]) -> Lowered<()> {
        let cells = self.records.cells(ty).unwrap_or(0);
        let ends = |part: &Part<'_>| match part.bits {
            Some(field) if self.records.bytes => part.cell + field.bytes() as u64,
            _ => part.cell + self.records.cells(&part.ty).unwrap_or(0),
        };
        if parts.iter().any(|part| ends(part) > cells) {
            return self.gap_here("an initial value for an array of any length");
        }
        if let Some(span) = self.open_override(parts) {
            return self.gap("an initial value that does something and is overridden", span);
        }
        if !self.records.bytes {
            return Ok(());
        }
        let bytes = self.records.bytes_of(ty);
        match parts.iter().all(|part| self.agrees_with(&bytes, part.cell, &part.ty, part.bits)) {
            true => Ok(()),
            false => self.gap_here(SHARED_WITH_POINTER),
        }
    }

    /// The region of a byte of an object.
    pub(crate) fn region_of_byte(&mut self, byte: &Byte) -> RegionId {
        let name = match byte {
            Byte::Data => return self.region(&CType::CHAR),
            Byte::Pointer(ty) => return self.region(&ty.clone()),
            Byte::Padding => "padding",
            Byte::Rest => "rest of pointer",
        };
        if let Some(known) = self.program.regions.iter().position(|region| region.name == name) {
            return RegionId::from_index(known);
        }
        let value = ir::Type::Int(IntType::I8);
        self.program.regions.push(Region {
            name: name.to_owned(),
            index: Some(IntType::I64),
            value,
            private: false,
        });
        RegionId::from_index(self.program.regions.len() - 1)
    }

    /// The bytes of the elements of a shape. A struct that ends in an array of any length has no whole elements.
    pub(crate) fn bytes_of_element(&self, element: &CType) -> Vec<Byte> {
        let bytes = self.records.bytes_of(element);
        if self.is_open_ended(element) && bytes.iter().all(|byte| *byte == Byte::Data) {
            return vec![Byte::Data];
        }
        bytes
    }

    /// Whether the last member is an array without a length, or with none.
    pub(crate) fn is_open_ended(&self, ty: &CType) -> bool {
        let CType::Record(id) = ty else { return false };
        let last = self.records.get(*id).body.as_ref().and_then(|body| body.members.last());
        last.is_some_and(|member| matches!(member.ty, CType::Array(_, None | Some(0))))
    }

    /// Why what lies behind the members of a record is not modelled. It would be taken for another such record, which is
    /// right only where all its cells are of one kind.
    pub(crate) fn open_end_gap(&self, memory: &Memory, element: &CType) -> Option<&'static str> {
        let whole = memory.inside.as_ref()?;
        if self.records.bytes {
            let is_data = self.bytes_of_element(whole).iter().all(|byte| *byte == Byte::Data);
            return (!is_data).then_some("an array of any length behind pointers or padding");
        }
        let (own, around) = (self.kinds(element), self.kinds(whole));
        (own.len() != 1 || own != around).then_some(crate::gaps::OPEN_END)
    }

    pub(crate) fn check_open_end(&self, memory: &Memory, element: &CType) -> Lowered<()> {
        match self.open_end_gap(memory, element) {
            Some(gap) => self.gap_here(gap),
            None => Ok(()),
        }
    }

    /// Which scalars the elements of a shape have, and where pointers to the elements of other shapes may point.
    pub(crate) fn finish_layouts(&mut self) {
        let shapes: Vec<(ShapeId, CType)> = (0..self.program.shapes.len())
            .filter(|index| !self.program.shapes[*index].name.starts_with("const "))
            .filter_map(|index| Some((ShapeId::from_index(index), self.completed_element(index)?)))
            .collect();
        for (shape, element) in &shapes {
            let mut layout = Layout::default();
            for leaf in self.records.leaves(element) {
                if let Some(scalar) = super::tables::scalar(&leaf.ty) {
                    layout.scalars.push((leaf.cell as u32, scalar));
                }
            }
            let size = self.bytes_of_element(element).len().max(1) as u64;
            // Elements of any length have no places of their own.
            layout.scalars.retain(|(cell, _)| u64::from(*cell) < size);
            if size == 1 && self.is_open_ended(element) {
                layout.scalars.clear();
            }
            let mut ancestors = Vec::new();
            for (inner, ty) in shapes.iter().filter(|(inner, _)| inner != shape) {
                let name = self.element_name(ty);
                if name == "char" {
                    ancestors.push(*inner);
                    continue;
                }
                let starts = self.records.starts_of(element, &|found| {
                    !matches!(found, CType::Array(..)) && self.element_name(found) == name
                });
                if starts.is_empty() {
                    continue;
                }
                ancestors.push(*inner);
                // Just behind one may be the end of an array.
                let length = self.records.size(ty).unwrap_or(1);
                let mut cells: Vec<u32> =
                    starts.iter().flat_map(|at| [*at, at + length]).map(|at| (at % size) as u32).collect();
                cells.sort_unstable();
                cells.dedup();
                if size > 1 {
                    layout.places.push((*inner, cells));
                }
            }
            let entry = &mut self.program.shapes[shape.index()];
            entry.ancestors = ancestors;
            entry.layout = layout;
        }
    }

    /// Notes which types are parts of structs and unions.
    pub(crate) fn note_held(&mut self) {
        for index in 0..self.records.list.len() {
            let mut contents = std::collections::BTreeSet::new();
            self.add_contents(&CType::Record(RecordId(index)), &mut contents);
            self.found.held.extend(contents);
        }
    }

    /// Pointers to a type may lead to cells that are none of its bytes: to anything, or to structs around it.
    fn may_miss(&self, through: &str) -> bool {
        let Some(facts) = self.facts else { return false };
        through == "char" || facts.cast.contains(through) || facts.held.contains(through)
    }

    /// An access through a pointer must not meet a part of a pointer, or padding.
    pub(crate) fn check_bytes(&mut self, memory: &Memory, ty: &CType, field: Option<BitField>) {
        let (Some(facts), Some(through)) = (self.facts, &memory.through) else { return };
        self.assume(POINTERS.to_owned());
        if !self.may_miss(through) {
            return;
        }
        let wanted: Vec<(u64, Vec<String>)> = match field {
            Some(field) => vec![(0, vec!["i8".to_owned(); field.bytes()])],
            None => {
                let leaves = self.records.leaves(ty);
                let names = |ty: &CType| match ty {
                    CType::Pointer(_) => vec![self.region_name(ty)],
                    _ => vec!["i8".to_owned(); self.records.size(ty).unwrap_or(1) as usize],
                };
                leaves.iter().map(|leaf| (leaf.cell, names(&leaf.ty))).collect()
            }
        };
        for (cell, names) in merged(wanted) {
            let offset = build::add(IntType::I64, memory.offset.clone(), build::i64(cell));
            let mut all = Vec::new();
            let mut ways = build::boolean(false);
            for (shape, pattern) in facts.shapes.iter().filter(|(_, pattern)| !pattern.is_empty()) {
                let fits = |start: usize| {
                    names.iter().zip(start..).all(|(name, at)| pattern[at % pattern.len()] == *name)
                };
                let starts: Vec<usize> = (0..pattern.len()).filter(|start| fits(*start)).collect();
                let id = self.shape_named(shape);
                if starts.len() == pattern.len() {
                    all.push(id);
                } else if !starts.is_empty() {
                    let has = Expr::HasShape { object: Box::new(memory.object.clone()), shapes: vec![id] };
                    let within = in_ranges(&offset, pattern.len(), &starts);
                    ways = build::or(ways, build::and(has, within));
                }
            }
            if all.len() == facts.shapes.len() {
                continue;
            }
            let all = Expr::HasShape { object: Box::new(memory.object.clone()), shapes: all };
            let fits = build::or(all, ways);
            if facts.opened.is_empty() {
                // Only pointers of the inputs can lead there, and then they would have to be made for it.
                self.emit(StmtKind::Assume { condition: fits });
                self.assume(NOT_OPENED.to_owned());
            } else {
                self.unsupported_if(
                    build::not(fits),
                    "memory that holds a pointer or padding, used as bytes",
                );
            }
        }
    }

    /// The shapes of constant objects that a pointer to a type may lead to.
    pub(crate) fn constant_shapes(&mut self, through: &str) -> Vec<ShapeId> {
        let Some(facts) = self.facts else { return Vec::new() };
        let own = format!("const {through}[]");
        let any = self.may_miss(through);
        let names: Vec<&String> =
            facts.shapes.keys().filter(|name| name.starts_with("const ") && (any || **name == own)).collect();
        names.into_iter().map(|name| self.shape_named(name)).collect()
    }
}

/// A constant as the cells of an object hold it.
pub(crate) fn constant_bytes(constant: &Const) -> Vec<Const> {
    let split = |bits: u64, count: usize| {
        bits.to_le_bytes().iter().take(count).map(|byte| super::tables::char_cell(*byte)).collect()
    };
    match constant {
        Const::Bool(value) => split(u64::from(*value), 1),
        Const::Int(ty, value) => split(*value as u64, usize::from(ty.width / 8)),
        Const::F32(bits) => split(u64::from(*bits), 4),
        Const::F64(bits) => split(*bits, 8),
        other => vec![other.clone()],
    }
}

/// Neighbouring parts that are all bytes become one.
fn merged(parts: Vec<(u64, Vec<String>)>) -> Vec<(u64, Vec<String>)> {
    let mut merged: Vec<(u64, Vec<String>)> = Vec::new();
    for (cell, names) in parts {
        match merged.last_mut() {
            Some((start, known))
                if *start + known.len() as u64 == cell && names[0] == "i8" && known[0] == "i8" =>
            {
                known.extend(names);
            }
            _ => merged.push((cell, names)),
        }
    }
    merged
}

/// Whether an offset that is not negative, modulo the size of an element, is one of the numbers.
fn in_ranges(offset: &Expr, size: usize, numbers: &[usize]) -> Expr {
    // Without signs, as what is known of input pointers says it.
    let ty = IntType::U64;
    let number = |value: usize| build::int(ty, value as i128);
    let offset = convert(IntType::I64, ty, offset.clone());
    let rest = build::binary(BinaryOp::Rem, Scalar::Int(ty), offset, number(size), false);
    let mut condition = build::boolean(false);
    let mut numbers = numbers.iter().copied().peekable();
    while let Some(first) = numbers.next() {
        let mut last = first;
        while numbers.peek() == Some(&(last + 1)) {
            last += 1;
            numbers.next();
        }
        let range = if first == last {
            build::eq(Scalar::Int(ty), rest.clone(), number(first))
        } else {
            let from = build::le(ty, number(first), rest.clone());
            build::and(from, build::le(ty, rest.clone(), number(last)))
        };
        condition = build::or(condition, range);
    }
    condition
}

fn convert(from: IntType, to: IntType, expr: Expr) -> Expr {
    build::convert(Scalar::Int(from), Scalar::Int(to), expr, true)
}

fn shift(op: BinaryOp, ty: IntType, expr: Expr, bits: u64) -> Expr {
    if bits == 0 {
        return expr;
    }
    build::binary(op, Scalar::Int(ty), expr, build::int(ty, bits.into()), true)
}
