//! Values in the notation of their language: `int[]{1, 2}`, `Point{x: 1, y: 2}`, `"text"`, `(int[]){5}`.

use std::collections::BTreeMap;

use interp::{MapValue, ObjectValue, RefValue, Value};
use ir::{Cells, IntType, Language, Program, Type};

/// Objects inside objects are followed this far; lists and trees of any size have a short text.
const MAX_DEPTH: usize = 8;

/// Writes values that share a heap. An object is written once; after that, by the name it was first seen under.
pub struct Notation<'a> {
    program: &'a Program,
    objects: &'a [ObjectValue],
    /// How many elements of an array, and code units of a text, are written before the rest is only counted.
    max_items: usize,
    seen: BTreeMap<usize, String>,
}

impl<'a> Notation<'a> {
    /// For reading: long arrays are cut short.
    pub fn brief(program: &'a Program, objects: &'a [ObjectValue]) -> Notation<'a> {
        Notation { program, objects, max_items: 24, seen: BTreeMap::new() }
    }

    /// For keeping: everything but the absurd is written.
    pub fn full(program: &'a Program, objects: &'a [ObjectValue]) -> Notation<'a> {
        Notation { max_items: 10_000, ..Notation::brief(program, objects) }
    }

    /// A value that can be reached under a name. The type tells characters from numbers.
    pub fn write(&mut self, name: &str, ty: Option<&Type>, value: &Value) -> String {
        self.value(name, ty, value, 0)
    }

    fn value(&mut self, name: &str, ty: Option<&Type>, value: &Value, depth: usize) -> String {
        match value {
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => self.int(ty, *value),
            Value::Big(value) => value.to_string(),
            Value::F32(bits) => {
                self.float(f32::from_bits(*bits).into(), &format!("{:?}", f32::from_bits(*bits)))
            }
            Value::F64(bits) => self.float(f64::from_bits(*bits), &format!("{:?}", f64::from_bits(*bits))),
            Value::Real(value) => value.to_string(),
            Value::Undefined => "undefined".to_owned(),
            Value::Text(None) => "null".to_owned(),
            Value::Text(Some(units)) => self.text(units),
            Value::Ref(reference) => self.reference(name, reference, depth),
            Value::Record(fields) => self.record(name, ty, fields, depth),
            Value::Map(map) => self.map(name, ty, map, depth),
        }
    }

    fn int(&self, ty: Option<&Type>, value: i128) -> String {
        let is_char = self.program.language == Language::Java && ty == Some(&Type::Int(IntType::U16));
        match u16::try_from(value) {
            Ok(unit) if is_char => char_literal(unit),
            _ => value.to_string(),
        }
    }

    /// Rust's shortest text reads back as the same float; only the names of what is no number differ.
    fn float(&self, value: f64, shortest: &str) -> String {
        let (nan, infinity) = match self.program.language {
            Language::Java => ("NaN", "Infinity"),
            Language::C => ("NAN", "INFINITY"),
        };
        match () {
            () if value.is_nan() => nan.to_owned(),
            () if value == f64::INFINITY => infinity.to_owned(),
            () if value == f64::NEG_INFINITY => format!("-{infinity}"),
            () => shortest.to_owned(),
        }
    }

    fn text(&self, units: &[u16]) -> String {
        let shown = &units[..units.len().min(10 * self.max_items)];
        let body: String = shown.iter().map(|unit| escaped(*unit, '"')).collect();
        match units.len() - shown.len() {
            0 => format!("\"{body}\""),
            more => format!("\"{body}\"… ({more} more)"),
        }
    }

    fn reference(&mut self, name: &str, reference: &RefValue, depth: usize) -> String {
        match reference {
            RefValue::Null => self.null().to_owned(),
            RefValue::Static(object) => match self.program.language {
                Language::C => format!("&{object}"),
                Language::Java => object.clone(),
            },
            RefValue::Object(index) => {
                if let Some(first) = self.seen.get(index) {
                    return format!("same as {first}");
                }
                self.seen.insert(*index, name.to_owned());
                match self.objects.get(*index) {
                    Some(_) if depth >= MAX_DEPTH => "…".to_owned(),
                    Some(object) => self.object(name, object, depth),
                    None => format!("object {index}"),
                }
            }
        }
    }

    fn null(&self) -> &'static str {
        match self.program.language {
            Language::C => "NULL",
            Language::Java => "null",
        }
    }

    fn object(&mut self, name: &str, object: &'a ObjectValue, depth: usize) -> String {
        let program = self.program;
        let shape = program.shapes.iter().find(|shape| shape.name == object.shape);
        let cells = shape.map(|shape| &shape.cells);
        let elements = shape.and_then(|shape| interp::elements_of_bytes(program, shape, &object.cells));
        match (object.length, elements) {
            (Some(length), _) if length < 0 => "freed memory".to_owned(),
            (Some(_), Some(elements)) => self.elements(name, &object.shape, &elements, depth),
            (length, _) => self.cells(name, object, length, cells, depth),
        }
    }

    fn cells(
        &mut self,
        name: &str,
        object: &'a ObjectValue,
        length: Option<i64>,
        cells: Option<&'a Cells>,
        depth: usize,
    ) -> String {
        let program = self.program;
        match length {
            Some(_) => {
                let regions = match cells {
                    Some(Cells::Indexed(regions)) => regions.as_slice(),
                    Some(Cells::Fields(_)) | None => &[],
                };
                let types: Vec<_> = regions.iter().map(|region| &program.region(*region).value).collect();
                self.indexed(name, object, &types, depth)
            }
            None => {
                let regions = match cells {
                    Some(Cells::Fields(regions)) => regions.as_slice(),
                    Some(Cells::Indexed(_)) | None => &[],
                };
                self.fields(name, object, regions, depth)
            }
        }
    }

    /// An array in bytes, shown by the scalars of its elements.
    fn elements(&mut self, name: &str, shape: &str, elements: &[interp::Element], depth: usize) -> String {
        let mut items = Vec::new();
        for (index, element) in elements.iter().enumerate().take(self.max_items) {
            let item = format!("{name}[{index}]");
            let scalars: Vec<_> =
                element.iter().map(|(ty, value)| self.value(&item, Some(ty), value, depth + 1)).collect();
            let single = scalars.len() == 1;
            items.push(if single { scalars.join(", ") } else { format!("{{{}}}", scalars.join(", ")) });
        }
        let more = elements.len() - items.len();
        if more > 0 {
            items.push(format!("… {more} more"));
        }
        format!("({shape}){{{}}}", items.join(", "))
    }

    /// `int[]{1, 2}`; an array of structs has a brace for each.
    fn indexed(&mut self, name: &str, object: &ObjectValue, types: &[&Type], depth: usize) -> String {
        let group = types.len().max(1);
        let mut items = Vec::new();
        for (index, chunk) in object.cells.chunks(group).enumerate().take(self.max_items) {
            let item = format!("{name}[{index}]");
            let cells: Vec<_> = chunk
                .iter()
                .enumerate()
                .map(|(cell, value)| self.value(&item, types.get(cell).copied(), value, depth + 1))
                .collect();
            items.push(if group == 1 { cells.join(", ") } else { format!("{{{}}}", cells.join(", ")) });
        }
        let more = object.cells.len().div_ceil(group) - items.len();
        if more > 0 {
            items.push(format!("… {more} more"));
        }
        match self.program.language {
            Language::C => format!("({}){{{}}}", object.shape, items.join(", ")),
            Language::Java => format!("{}{{{}}}", object.shape, items.join(", ")),
        }
    }

    /// `Point{x: 1, y: 2}`.
    fn fields(&mut self, name: &str, object: &ObjectValue, regions: &[ir::RegionId], depth: usize) -> String {
        let mut items = Vec::new();
        for (position, value) in object.cells.iter().enumerate() {
            let region = match object.fields.get(position) {
                Some(field) => self.program.regions.iter().find(|region| region.name == *field),
                None => regions.get(position).map(|region| self.program.region(*region)),
            };
            let field = region.map_or("?", |region| region.name.rsplit('.').next().unwrap_or(&region.name));
            // Only the model of the library knows it.
            if field == "$unknown" {
                continue;
            }
            let text =
                self.value(&format!("{name}.{field}"), region.map(|region| &region.value), value, depth + 1);
            items.push(format!("{field}: {text}"));
        }
        format!("{}{{{}}}", object.shape, items.join(", "))
    }

    /// A C pointer is an object and an offset in it; other records are lists of values.
    fn record(&mut self, name: &str, ty: Option<&Type>, fields: &[Value], depth: usize) -> String {
        if let [Value::Ref(reference), Value::Int(offset)] = fields
            && self.program.language == Language::C
        {
            let object = self.reference(name, reference, depth);
            return match offset {
                0 => object,
                _ if self.has_bytes(reference) => format!("(char *) {object} + {offset}"),
                _ => format!("{object} + {offset}"),
            };
        }
        let types = match ty {
            Some(Type::Record(types)) => types.as_slice(),
            _ => &[],
        };
        if let ([Value::Bool(is_there), number], Language::Java) = (fields, self.program.language) {
            return match is_there {
                true => self.value(name, types.get(1), number, depth),
                false => "null".to_owned(),
            };
        }
        let fields: Vec<_> = fields
            .iter()
            .enumerate()
            .map(|(position, field)| {
                self.value(&format!("{name}.{position}"), types.get(position), field, depth + 1)
            })
            .collect();
        format!("{{{}}}", fields.join(", "))
    }

    /// Whether offsets in the object count bytes, of which its elements have several.
    fn has_bytes(&self, reference: &RefValue) -> bool {
        let shape = match reference {
            RefValue::Null => return false,
            RefValue::Object(index) => self
                .objects
                .get(*index)
                .and_then(|object| self.program.shapes.iter().find(|shape| shape.name == object.shape)),
            RefValue::Static(name) => {
                let object = self.program.statics.iter().find(|object| object.name == *name);
                object.map(|object| self.program.shape(object.shape))
            }
        };
        shape.is_some_and(|shape| interp::elements_of_bytes(self.program, shape, &[]).is_some())
    }

    fn map(&mut self, name: &str, ty: Option<&Type>, map: &MapValue, depth: usize) -> String {
        let (key, value) = match ty {
            Some(Type::Map(key, value)) => (Some(&**key), Some(&**value)),
            _ => (None, None),
        };
        let mut items = Vec::new();
        for (at, entry) in map.entries.iter().take(self.max_items) {
            let at = self.value(name, key, at, depth + 1);
            let entry = self.value(&format!("{name}[{at}]"), value, entry, depth + 1);
            items.push(format!("{at}: {entry}"));
        }
        if map.entries.len() > items.len() {
            items.push(format!("… {} more", map.entries.len() - items.len()));
        }
        items.push(format!("else {}", self.value(name, value, &map.default, depth + 1)));
        format!("{{{}}}", items.join(", "))
    }
}

fn char_literal(unit: u16) -> String {
    format!("'{}'", escaped(unit, '\''))
}

/// A code unit as it stands between quotes.
fn escaped(unit: u16, quote: char) -> String {
    match char::from_u32(unit.into()) {
        Some('\n') => "\\n".to_owned(),
        Some('\t') => "\\t".to_owned(),
        Some('\r') => "\\r".to_owned(),
        Some('\\') => "\\\\".to_owned(),
        Some(character) if character == quote => format!("\\{character}"),
        Some(character) if character == ' ' || character.is_ascii_graphic() => character.to_string(),
        _ => format!("\\u{unit:04x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(language: Language) -> Program {
        let mut program = Program::new(language);
        let region =
            |name: &str, index, value| ir::Region { name: name.to_owned(), index, value, private: false };
        program.regions.push(region("int[]", Some(IntType::I32), Type::I32));
        program.regions.push(region("Node.value", None, Type::Int(IntType::U16)));
        program.regions.push(region("Node.next", None, Type::Ref(ir::Target::Any)));
        let shape = |name: &str, cells| ir::Shape {
            name: name.to_owned(),
            cells,
            ancestors: vec![],
            is_abstract: false,
            closed: false,
            layout: ir::Layout::default(),
        };
        program.shapes.push(shape("int[]", Cells::Indexed(vec![ir::RegionId(0)])));
        program.shapes.push(shape("Node", Cells::Fields(vec![ir::RegionId(1), ir::RegionId(2)])));
        program
    }

    fn array(values: impl IntoIterator<Item = i128>) -> ObjectValue {
        ObjectValue::indexed("int[]", values.into_iter().map(Value::Int).collect())
    }

    #[test]
    fn arrays_look_like_arrays_in_their_language() {
        let objects = [array([1, 2])];
        let java = program(Language::Java);
        assert_eq!(Notation::brief(&java, &objects).write("a", None, &Value::object(0)), "int[]{1, 2}");
        let c = program(Language::C);
        let pointer = |offset| Value::Record(vec![Value::object(0), Value::Int(offset)]);
        assert_eq!(Notation::brief(&c, &objects).write("a", None, &pointer(0)), "(int[]){1, 2}");
        assert_eq!(Notation::brief(&c, &objects).write("a", None, &pointer(1)), "(int[]){1, 2} + 1");
        let null = Value::Record(vec![Value::NULL, Value::Int(0)]);
        assert_eq!(Notation::brief(&c, &objects).write("a", None, &null), "NULL");
    }

    #[test]
    fn an_object_that_is_seen_again_goes_by_its_first_name() {
        let program = program(Language::Java);
        let node = ObjectValue::with_fields("Node", vec![Value::Int(97), Value::object(0)]);
        let objects = [node];
        let mut notation = Notation::brief(&program, &objects);
        assert_eq!(notation.write("list", None, &Value::object(0)), "Node{value: 'a', next: same as list}");
        assert_eq!(notation.write("other", None, &Value::object(0)), "same as list");
    }

    #[test]
    fn long_arrays_are_cut_short_only_when_brief() {
        let program = program(Language::Java);
        let objects = [array(0..1000)];
        let brief = Notation::brief(&program, &objects).write("a", None, &Value::object(0));
        assert!(brief.ends_with("22, 23, … 976 more}"), "{brief}");
        let full = Notation::full(&program, &objects).write("a", None, &Value::object(0));
        assert!(full.ends_with("998, 999}"), "{full}");
    }

    #[test]
    fn a_long_list_stops_at_some_depth() {
        let program = program(Language::Java);
        let node = |next| ObjectValue::with_fields("Node", vec![Value::Int(0), Value::object(next)]);
        let objects: Vec<_> = (1..=100_000).map(node).collect();
        let text = Notation::full(&program, &objects).write("a", None, &Value::object(0));
        assert!(text.contains('…') && text.len() < 1000, "{text}");
    }

    #[test]
    fn characters_texts_and_odd_floats_have_their_literals() {
        let java = program(Language::Java);
        let write = |ty: Option<&Type>, value: Value| Notation::brief(&java, &[]).write("v", ty, &value);
        let char_type = Type::Int(IntType::U16);
        assert_eq!(write(Some(&char_type), Value::Int(0x20ac)), "'\\u20ac'");
        assert_eq!(write(Some(&char_type), Value::Int(39)), "'\\''");
        assert_eq!(write(None, Value::text("a\"\n")), "\"a\\\"\\n\"");
        assert_eq!(write(None, Value::f64(-0.0)), "-0.0");
        assert_eq!(write(None, Value::f64(f64::NAN)), "NaN");
        assert_eq!(write(None, Value::f32(0.1)), "0.1");
        assert_eq!(write(None, Value::f32(f32::NEG_INFINITY)), "-Infinity");
    }
}
