//! Types of the source as types, shapes and regions of the IR.

use ir::{Cells, IntType, Region, RegionId, Shape, ShapeId, Target, Type};

use super::Lowering;
use crate::syntax::ClassKind;
use crate::types::{ClassId, FieldId, Ty};

impl<'a> Lowering<'a> {
    pub(crate) fn ir_type(&mut self, ty: &Ty) -> Type {
        match ty {
            Ty::Primitive(primitive) => primitive.scalar().into(),
            Ty::Boxed(primitive) => Type::boxed(primitive.scalar()),
            Ty::Text => Type::Text,
            Ty::Class(_) | Ty::Array(_) | Ty::Foreign(_) => Type::Ref(Target::Shape(self.shape_of(ty))),
            Ty::Void | Ty::Null | Ty::Unknown(_) => Type::Ref(Target::Any),
        }
    }

    /// The shape of the objects of a class or array type. Ancestors are filled in at the end.
    pub(crate) fn shape_of(&mut self, ty: &Ty) -> ShapeId {
        let ty = &self.as_object(ty);
        if let Some(shape) = self.shapes.get(ty) {
            return *shape;
        }
        self.foreign_found.has_objects |= ty.is_foreign();
        let id = ShapeId::from_index(self.program.shapes.len());
        self.shapes.insert(ty.clone(), id);
        let is_abstract = matches!(ty, Ty::Class(class) if self.table.is_abstract(*class));
        let name = match ty {
            Ty::Foreign(_) => ir::OPAQUE.to_owned(),
            ty => self.table.type_name(ty),
        };
        self.program.shapes.push(Shape {
            name,
            cells: Cells::Fields(Vec::new()),
            ancestors: Vec::new(),
            is_abstract,
            closed: self.is_enum(ty),
            layout: ir::Layout::default(),
        });
        let cells = match ty {
            Ty::Array(element) => Cells::Indexed(vec![self.element_region(element)]),
            Ty::Class(class) => Cells::Fields(self.instance_regions(*class)),
            _ => Cells::Fields(Vec::new()),
        };
        self.program.shapes[id.index()].cells = cells;
        if let (true, Ty::Class(class)) = (self.is_enum(ty), ty) {
            self.enum_objects(*class);
        }
        id
    }

    /// The shape of collections of the Java library of which nothing but their class is known.
    pub(crate) fn collection_shape(&mut self, class: &str) -> ShapeId {
        let opaque = self.shape_of(&Ty::Foreign(String::new()));
        self.foreign_found.collections.insert(class.to_owned());
        let known = self.program.shapes.iter().position(|shape| shape.name == class);
        if let Some(known) = known {
            return ShapeId::from_index(known);
        }
        self.program.shapes.push(Shape {
            name: class.to_owned(),
            cells: Cells::Fields(Vec::new()),
            ancestors: vec![opaque],
            is_abstract: false,
            closed: false,
            layout: ir::Layout::default(),
        });
        ShapeId::from_index(self.program.shapes.len() - 1)
    }

    /// The shape of the arrays that `new` makes: their class counts, also if it is not given.
    pub(crate) fn made_array_shape(&mut self, ty: &Ty) -> ShapeId {
        let mut element = ty;
        while let Ty::Array(inner) = element {
            element = inner;
        }
        match element {
            Ty::Foreign(_) if !element.may_be_any_object() => {
                self.made_array(&self.table.full_type_name(ty), ty.dimensions())
            }
            _ => self.shape_of(ty),
        }
    }

    /// The shape of arrays of a class that is not given; such an array may be where an array of objects may.
    pub(crate) fn made_array(&mut self, name: &str, dimensions: usize) -> ShapeId {
        let above = self.shape_of(&self.array_of_objects(dimensions));
        self.foreign_found.arrays.insert(name.to_owned(), dimensions);
        let known = self.program.shapes.iter().position(|shape| shape.name == name);
        if let Some(known) = known {
            return ShapeId::from_index(known);
        }
        let cells = self.program.shape(above).cells.clone();
        self.program.shapes.push(Shape {
            name: name.to_owned(),
            cells,
            ancestors: vec![above],
            is_abstract: false,
            closed: false,
            layout: ir::Layout::default(),
        });
        ShapeId::from_index(self.program.shapes.len() - 1)
    }

    /// All shapes that arrays of a type have, those of classes that are not given included.
    pub(crate) fn array_shapes(&mut self, ty: &Ty) -> Vec<ShapeId> {
        let mut shapes = vec![self.shape_of(ty)];
        if self.as_object(ty) == self.array_of_objects(ty.dimensions()) {
            let arrays = self.foreign_facts.arrays.clone().into_iter();
            let fitting = arrays.filter(|(_, dimensions)| *dimensions == ty.dimensions());
            shapes.extend(fitting.map(|(name, dimensions)| self.made_array(&name, dimensions)));
        }
        shapes
    }

    fn array_of_objects(&self, dimensions: usize) -> Ty {
        (0..dimensions).fold(Ty::Class(self.table.object), |element, _| Ty::array_of(element))
    }

    /// The type by which objects are told apart: classes that are not given may share them, and arrays of these may be
    /// arrays of any objects.
    fn as_object(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Foreign(_) if ty.may_be_any_object() => Ty::Class(self.table.object),
            Ty::Foreign(_) => Ty::Foreign(String::new()),
            Ty::Array(element) => Ty::array_of(self.as_element(element)),
            other => other.clone(),
        }
    }

    fn as_element(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Foreign(_) => Ty::Class(self.table.object),
            other => self.as_object(other),
        }
    }

    fn is_enum(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Class(class) if self.table.class(*class).decl.kind == ClassKind::Enum)
    }

    /// The regions of a class's instance fields, those of the superclasses first.
    fn instance_regions(&mut self, class: ClassId) -> Vec<RegionId> {
        if self.is_enum(&Ty::Class(class)) {
            return Vec::new();
        }
        let fields = self.instance_fields(class);
        fields.into_iter().map(|field| self.field_region(field)).collect()
    }

    /// The instance fields that the IR can hold, those of the superclasses first.
    pub(crate) fn instance_fields(&self, class: ClassId) -> Vec<FieldId> {
        let mut chain = vec![class];
        while let Some(parent) = chain.last().and_then(|id| self.table.class(*id).superclass) {
            chain.push(parent);
        }
        let fields = chain.into_iter().rev().flat_map(|id| self.table.class(id).fields.iter().copied());
        fields
            .filter(|id| {
                let field = self.table.field(*id);
                !field.is_static && !field.ty.is_unknown() && !self.unread.contains(id)
            })
            .collect()
    }

    pub(crate) fn field_region(&mut self, id: FieldId) -> RegionId {
        if let Some(region) = self.table.field(id).region {
            return region;
        }
        let field = self.table.field(id);
        let (class, name, ty) = (field.class, field.name.clone(), field.ty.clone());
        let private = field.is_private;
        let value = self.ir_type(&ty);
        // Finding the type may have made the shape that has this region.
        if let Some(region) = self.table.field(id).region {
            return region;
        }
        let region = RegionId::from_index(self.program.regions.len());
        let name = format!("{}.{name}", self.table.class(class).name);
        self.program.regions.push(Region { name, index: None, value, private });
        self.table.fields[id.0].region = Some(region);
        region
    }

    /// The region of the elements of arrays of a type.
    pub(crate) fn element_region(&mut self, element: &Ty) -> RegionId {
        let element = &self.as_element(element);
        if let Some(region) = self.element_regions.get(element) {
            return *region;
        }
        let value = self.ir_type(element);
        if let Some(region) = self.element_regions.get(element) {
            return *region;
        }
        let region = RegionId::from_index(self.program.regions.len());
        let name = format!("{}[]", self.table.type_name(element));
        self.program.regions.push(Region { name, index: Some(IntType::I32), value, private: false });
        self.element_regions.insert(element.clone(), region);
        region
    }
}
