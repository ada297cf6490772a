//! The regions, shapes, strings and errors of the program, and the IR's types for C's.

use ir::{
    Cells, Const, ErrorId, Expr, FloatType, IntType, Region, RegionId, Scalar, Shape, ShapeId, StaticId,
};
use ir::{StaticObject, Target, Type};

use super::Lowerer;
use crate::types::CType;

/// The shape that stands for all that a `void *` of the inputs may lead to.
const VOID: &str = "void";

impl Lowerer<'_> {
    /// The type of the values of a C type. A struct is the record of its cells.
    pub(crate) fn value_type(&mut self, ty: &CType) -> Type {
        match ty {
            CType::Bool => Type::Bool,
            CType::Int(ty) => Type::Int(*ty),
            CType::Bits(ty) => Type::Int(held(*ty)),
            CType::Float(ty) => Type::Float(*ty),
            CType::Volatile(ty) => self.value_type(ty),
            CType::Pointer(pointee) if **pointee == CType::Void && self.void_leads_to_objects() => {
                // Whatever else there is, it may lead to bytes.
                self.shape_of(&CType::CHAR);
                pointer_type(Target::Shape(self.shape_named(VOID)))
            }
            CType::Pointer(pointee) => {
                let shape = self.shape_of(pointee);
                pointer_type(Target::Shape(shape))
            }
            CType::Array(element, _) => {
                let shape = self.shape_of(element);
                pointer_type(Target::Shape(shape))
            }
            CType::Record(_) => {
                let leaves = self.records.leaves(ty);
                Type::Record(leaves.iter().map(|leaf| self.value_type(&leaf.ty)).collect())
            }
            CType::Text => Type::Text,
            // Never read or written: everything that uses these is a gap.
            CType::LongDouble => Type::F64,
            CType::Void | CType::Function(_) | CType::Other(_) => Type::I64,
        }
    }

    /// The types of the scalars of a type.
    pub(crate) fn cell_types(&self, ty: &CType) -> Vec<CType> {
        self.records.leaves(ty).into_iter().map(|leaf| leaf.ty).collect()
    }

    /// The region that the cells of a scalar type lie in. `char`, `unsigned char` and `_Bool` share one, as do
    /// all integers of the same width; pointers have one for each kind of object they point to.
    pub(crate) fn region(&mut self, ty: &CType) -> RegionId {
        let name = self.region_name(ty);
        if let Some(known) = self.program.regions.iter().position(|region| region.name == name) {
            return RegionId::from_index(known);
        }
        let value = match ty {
            _ if self.records.bytes && !ty.is_pointer() => Type::Int(IntType::I8),
            _ => self.value_type(ty),
        };
        let value = match value {
            Type::Bool => Type::Int(IntType::I8),
            Type::Int(ty) => Type::Int(ty.to_signed()),
            value => value,
        };
        // Making the value's type may have made this region as well.
        if let Some(known) = self.program.regions.iter().position(|region| region.name == name) {
            return RegionId::from_index(known);
        }
        self.program.regions.push(Region { name, index: Some(IntType::I64), value, private: false });
        RegionId::from_index(self.program.regions.len() - 1)
    }

    pub(crate) fn region_name(&self, ty: &CType) -> String {
        match ty {
            _ if self.records.bytes && !ty.is_pointer() => "i8".to_owned(),
            CType::Bool => "i8".to_owned(),
            CType::Int(ty) => format!("i{}", ty.width),
            CType::Float(FloatType::F32) => "f32".to_owned(),
            CType::Float(FloatType::F64) => "f64".to_owned(),
            CType::LongDouble => "f80".to_owned(),
            CType::Pointer(pointee) => format!("ptr({})", self.pointee_name(pointee)),
            CType::Volatile(ty) => self.region_name(ty),
            CType::Void => "i8".to_owned(),
            CType::Bits(_)
            | CType::Array(..)
            | CType::Record(_)
            | CType::Function(_)
            | CType::Text
            | CType::Other(_) => "i64".to_owned(),
        }
    }

    /// The name of what a pointer points to; integers of the same width are the same.
    pub(crate) fn element_name(&self, ty: &CType) -> String {
        match ty {
            CType::Void | CType::Bool => "char".to_owned(),
            CType::Int(ty) => match ty.width {
                8 => "char",
                16 => "short",
                32 => "int",
                _ => "long",
            }
            .to_owned(),
            CType::Bits(_) => "long".to_owned(),
            CType::Float(FloatType::F32) => "float".to_owned(),
            CType::Float(FloatType::F64) => "double".to_owned(),
            CType::LongDouble => "long double".to_owned(),
            CType::Pointer(pointee) => format!("{}*", self.pointee_name(pointee)),
            CType::Array(element, _) => self.element_name(element),
            CType::Volatile(ty) => self.element_name(ty),
            CType::Record(id) => self.records.get(*id).name.clone(),
            CType::Function(_) => "function".to_owned(),
            CType::Text => "text".to_owned(),
            CType::Other(name) => name.to_string(),
        }
    }

    /// What a pointer in memory points to. `void *` has cells of its own, although it points to bytes until it
    /// is cast: otherwise a `char *` could be read where a pointer to something else was stored.
    fn pointee_name(&self, ty: &CType) -> String {
        if *ty == CType::Void { "void".to_owned() } else { self.element_name(ty) }
    }

    /// The shape of objects that hold values of a type.
    pub(crate) fn shape_of(&mut self, ty: &CType) -> ShapeId {
        if let CType::Function(_) = ty {
            return self.shape_named("function");
        }
        let name = format!("{}[]", self.element_name(ty));
        let shape = self.shape_named(&name);
        self.elements[shape.index()].get_or_insert_with(|| ty.innermost().without_volatile().clone());
        shape
    }

    /// The shape of constant objects, which no input pointer points to and nothing may write.
    pub(crate) fn constant_shape_of(&mut self, ty: &CType) -> ShapeId {
        let name = format!("const {}[]", self.element_name(ty));
        let shape = self.shape_named(&name);
        self.elements[shape.index()].get_or_insert_with(|| ty.innermost().without_volatile().clone());
        shape
    }

    pub(crate) fn shape_named(&mut self, name: &str) -> ShapeId {
        if let Some(known) = self.program.shapes.iter().position(|shape| shape.name == name) {
            return ShapeId::from_index(known);
        }
        let cells = Cells::Indexed(Vec::new());
        let name = name.to_owned();
        self.program.shapes.push(Shape {
            name,
            cells,
            ancestors: Vec::new(),
            is_abstract: false,
            closed: false,
            layout: ir::Layout::default(),
        });
        self.elements.push(None);
        ShapeId::from_index(self.program.shapes.len() - 1)
    }

    pub(crate) fn error(&mut self, name: &str) -> ErrorId {
        self.program.error_named(name)
    }

    /// A string literal: an object that is never written, the same for the same content.
    pub(crate) fn string_object(&mut self, bytes: &[u8]) -> StaticId {
        let name = format!("\"{}\"", bytes.escape_ascii());
        if let Some(known) = self.program.statics.iter().position(|object| object.name == name) {
            return StaticId::from_index(known);
        }
        let cells: Vec<Const> = bytes.iter().chain([&0]).map(|byte| char_cell(*byte)).collect();
        let shape = self.constant_shape_of(&CType::CHAR);
        let length = Some(cells.len() as i64);
        self.program.statics.push(StaticObject { name, shape, length, cells, constant: true, private: true });
        StaticId::from_index(self.program.statics.len() - 1)
    }

    /// An object without cells that stands for something else that has an address.
    pub(crate) fn opaque_object(&mut self, name: &str, shape: ShapeId) -> StaticId {
        if let Some(known) = self.program.statics.iter().position(|object| object.name == name) {
            return StaticId::from_index(known);
        }
        let name = name.to_owned();
        self.program.statics.push(StaticObject {
            name,
            shape,
            length: Some(0),
            cells: Vec::new(),
            constant: true,
            private: true,
        });
        StaticId::from_index(self.program.statics.len() - 1)
    }

    /// The object that stands for a function. A pointer of the inputs may lead to it, if the function is one that
    /// both versions have.
    pub(crate) fn function_object(&mut self, key: &str) -> StaticId {
        let shape = self.shape_named("function");
        let id = self.opaque_object(key, shape);
        let input = self.facts.is_some_and(|facts| facts.inputs.contains(key));
        self.program.statics[id.index()].constant = !input;
        id
    }

    /// Fills in what only the whole program says: the cells of shapes, the contents of variables.
    pub(crate) fn finish_tables(&mut self) {
        self.finish_variables();
        // Making one shape may tell what the elements of another one are.
        loop {
            let known = self.elements.iter().flatten().count();
            self.finish_shapes();
            if self.elements.iter().flatten().count() == known {
                break;
            }
        }
        if self.records.bytes {
            self.note_held();
            self.finish_layouts();
        } else {
            self.finish_void();
        }
    }

    /// Whether a `void *` of the inputs may lead to something else than bytes: to what the program makes of one.
    /// Where memory is bytes it may lead anywhere. Where such pointers are compared, it could be equal to others.
    pub(crate) fn void_leads_to_objects(&self) -> bool {
        let is_object = |name: &String| name != "char";
        let leads = |facts: &super::Facts| !facts.void_compared && facts.from_void.iter().any(is_object);
        !self.records.bytes && self.facts.is_some_and(leads)
    }

    /// What a `void *` of the inputs leads to: the starts of elements of each type that one is cast to, and bytes.
    fn finish_void(&mut self) {
        let Some(void) = self.program.shapes.iter().position(|shape| shape.name == VOID) else { return };
        self.program.shapes[void].is_abstract = true;
        let Some(facts) = self.facts else { return };
        let void = ShapeId::from_index(void);
        for shape in &mut self.program.shapes {
            let Some(element) = shape.name.strip_suffix("[]") else { continue };
            if element == "char" || facts.from_void.contains(element) {
                shape.ancestors.push(void);
                shape.layout.places.push((void, vec![0]));
            }
        }
    }

    fn finish_shapes(&mut self) {
        let mut done = 0;
        while done < self.program.shapes.len() {
            let regions = match self.completed_element(done) {
                Some(element) if self.records.bytes => {
                    let bytes = self.bytes_of_element(&element);
                    bytes.iter().map(|byte| self.region_of_byte(byte)).collect()
                }
                Some(element) => {
                    let cells = self.cell_types(&element);
                    cells.iter().map(|cell| self.region(cell)).collect()
                }
                None => self.regions_of_first_run(done),
            };
            let regions = if regions.is_empty() { vec![self.region(&CType::CHAR)] } else { regions };
            let name = self.program.shapes[done].name.clone();
            let first = self.facts.and_then(|facts| facts.shapes.get(&name)).cloned();
            let kinds = match (self.completed_element(done), first) {
                (Some(element), _) if !self.records.bytes => self.kinds(&element),
                (None, Some(kinds)) if !self.records.bytes => kinds,
                _ => Vec::new(),
            };
            let regions_names = || regions.iter().map(|region| self.program.region(*region).name.clone());
            let kinds = if kinds.is_empty() { period(regions_names().collect()) } else { kinds };
            self.found.shapes.insert(name, kinds);
            if let Some(element) = self.completed_element(done).filter(|_| !self.records.bytes) {
                let layout = &mut self.program.shapes[done].layout;
                (layout.lonely, layout.matched) = self.records.changes_in(&element);
            }
            self.program.shapes[done].cells = Cells::Indexed(regions);
            done += 1;
        }
    }

    /// What the cells of a type are, where cells are scalars: the same for two types only if one may be used for the
    /// other. That is the region of each cell, and what sets it apart: the bits of a bit-field, and the size of an
    /// element whose cells look alike but do not lie side by side.
    pub(crate) fn kinds(&self, ty: &CType) -> Vec<String> {
        let cells = self.cell_types(ty);
        let marks = self.records.marks_of_cells(ty);
        let names: Vec<String> = cells
            .iter()
            .enumerate()
            .map(|(index, cell)| match marks.get(index).and_then(Option::as_ref) {
                Some(mark) => format!("{} with {mark}", self.region_name(cell)),
                None => self.region_name(cell),
            })
            .collect();
        let names = period(names);
        let size = cells.iter().map(|cell| self.records.size(cell)).sum::<Option<u64>>();
        match self.records.size(ty) {
            Some(whole) if names.len() == 1 && size.is_some_and(|size| size != whole) => {
                vec![format!("{} with gaps {whole}/{}", names[0], cells.len())]
            }
            _ => names,
        }
    }

    /// The element of a shape. A struct that one unit only declares is the one that another unit defines.
    pub(crate) fn completed_element(&self, shape: usize) -> Option<CType> {
        let element = self.elements[shape].clone()?;
        if let CType::Record(id) = element
            && self.records.get(id).body.is_none()
        {
            let name = &self.records.get(id).name;
            let complete = |record: &crate::types::Record| record.name == *name && record.body.is_some();
            if let Some(index) = self.records.list.iter().position(complete) {
                return Some(CType::Record(crate::types::RecordId(index)));
            }
        }
        Some(element)
    }

    /// A shape that only the first run met: its regions by their names, as far as this run has them.
    fn regions_of_first_run(&self, shape: usize) -> Vec<RegionId> {
        let names = self.facts.and_then(|facts| facts.shapes.get(&self.program.shapes[shape].name));
        let region = |kind: &String| {
            let name = kind.split(" with ").next();
            self.program.regions.iter().position(|region| Some(region.name.as_str()) == name)
        };
        names.into_iter().flatten().filter_map(region).map(RegionId::from_index).collect()
    }
}

pub(crate) fn char_cell(byte: u8) -> Const {
    Const::Int(IntType::I8, IntType::I8.wrap(i128::from(byte)))
}

fn pointer_type(target: Target) -> Type {
    Type::Record(vec![Type::Ref(target), Type::I64])
}

/// The type whose values hold those of a wide bit-field.
pub(crate) fn held(ty: IntType) -> IntType {
    IntType { width: 64, signed: ty.signed }
}

pub(crate) fn scalar(ty: &CType) -> Option<Scalar> {
    match ty {
        CType::Bool => Some(Scalar::Bool),
        CType::Int(ty) => Some(Scalar::Int(*ty)),
        CType::Bits(ty) => Some(Scalar::Int(held(*ty))),
        CType::Float(ty) => Some(Scalar::Float(*ty)),
        CType::Volatile(ty) => scalar(ty),
        _ => None,
    }
}

pub(crate) fn zero_of(ty: &Type) -> Expr {
    Expr::Const(Const::zero(ty))
}

/// The shortest list whose repetition gives the list: `int[3]` in a struct looks like `int`.
pub(crate) fn period(list: Vec<String>) -> Vec<String> {
    let length = (1..=list.len()).find(|length| {
        list.len().is_multiple_of(*length) && (0..list.len()).all(|index| list[index] == list[index % length])
    });
    list[..length.unwrap_or(0)].to_vec()
}
