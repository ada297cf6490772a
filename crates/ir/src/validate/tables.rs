//! The checks of everything but procedures.

use std::collections::HashSet;

use super::Checker;
use super::depth::{const_too_deep, type_too_deep};
use crate::{Cells, Const, IntType, Shape, ShapeId, StaticObject, Type};

impl Checker<'_> {
    pub(super) fn tables(&mut self) {
        let program = self.program;
        self.unique("procedure", program.procedures.iter().map(|it| &it.name));
        self.unique("global", program.globals.iter().map(|it| &it.name));
        self.unique("region", program.regions.iter().map(|it| &it.name));
        self.unique("shape", program.shapes.iter().map(|it| &it.name));
        self.unique("static", program.statics.iter().map(|it| &it.name));
        self.unique("error", program.errors.iter());
        for region in &program.regions {
            self.place = format!("region `{}`", region.name);
            self.shallow_type(&region.value);
            let index_exists = matches!(region.index, None | Some(IntType::I32 | IntType::I64));
            self.ensure(index_exists, || "the index should be i32 or i64".to_owned());
        }
        for (index, shape) in program.shapes.iter().enumerate() {
            self.place = format!("shape `{}`", shape.name);
            self.cells(&shape.cells);
            self.ancestors(ShapeId::from_index(index), shape);
            self.layout(shape);
        }
        for global in &program.globals {
            self.place = format!("global `{}`", global.name);
            if self.shallow_type(&global.ty) && self.shallow_const(&global.initial) {
                self.check_const_fits(&global.initial, &global.ty);
            }
        }
        for object in &program.statics {
            self.place = format!("static `{}`", object.name);
            self.static_object(object);
        }
    }

    pub(super) fn unique<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n String>) {
        let mut seen = HashSet::new();
        for name in names {
            self.ensure(seen.insert(name), || format!("there are two {what}s with the name `{name}`"));
        }
    }

    /// Whether a type has no fault, its depth included.
    pub(super) fn shallow_type(&mut self, ty: &Type) -> bool {
        let deep = type_too_deep(ty, 1);
        self.ensure(!deep, || "the type nests too deep".to_owned());
        if !deep {
            self.check_type(ty);
        }
        !deep
    }

    fn shallow_const(&mut self, value: &Const) -> bool {
        let deep = const_too_deep(value, 1);
        self.ensure(!deep, || "the constant nests too deep".to_owned());
        !deep
    }

    fn cells(&mut self, cells: &Cells) {
        let program = self.program;
        let (Cells::Fields(ids) | Cells::Indexed(ids)) = cells;
        for id in ids {
            self.in_table(&program.regions, id.index(), "region");
        }
        let regions: Vec<_> = ids.iter().filter_map(|id| program.regions.get(id.index())).collect();
        match cells {
            Cells::Fields(_) => {
                self.unique("field", regions.iter().map(|region| &region.name));
                for region in regions {
                    self.ensure(region.index.is_none(), || {
                        format!("the region `{}` of a field should have no index", region.name)
                    });
                }
            }
            Cells::Indexed(_) => {
                self.ensure(!ids.is_empty(), || "there should be a region for the cells".to_owned());
                for region in &regions {
                    self.ensure(region.index.is_some() && region.index == regions[0].index, || {
                        format!("the region `{}` should have the same index as the others", region.name)
                    });
                }
            }
        }
    }

    fn layout(&mut self, shape: &Shape) {
        let (Cells::Fields(regions) | Cells::Indexed(regions)) = &shape.cells;
        let places = shape.layout.places.iter().flat_map(|(_, cells)| cells);
        let scalars = shape.layout.scalars.iter().map(|(cell, _)| cell);
        for cell in places.chain(scalars).chain(&shape.layout.lonely) {
            let inside = (*cell as usize) < regions.len();
            self.ensure(inside, || format!("an element of `{}` has no cell {cell}", shape.name));
        }
        for (ancestor, _) in &shape.layout.places {
            let known = shape.ancestors.contains(ancestor);
            self.ensure(known, || format!("shape {} is no ancestor of `{}`", ancestor.0, shape.name));
        }
    }

    fn ancestors(&mut self, id: ShapeId, shape: &Shape) {
        for ancestor in &shape.ancestors {
            self.ensure(*ancestor != id, || "a shape should not be its own ancestor".to_owned());
            if self.in_table(&self.program.shapes, ancestor.index(), "shape") {
                for above in &self.program.shape(*ancestor).ancestors {
                    let is_missing = !shape.ancestors.contains(above);
                    self.ensure(!is_missing, || format!("the ancestors lack shape {}", above.0));
                }
            }
        }
    }

    fn static_object(&mut self, object: &StaticObject) {
        let Some(shape) = self.program.shapes.get(object.shape.index()) else {
            return self.report(format!("there is no shape {}", object.shape.0));
        };
        self.ensure(!shape.is_abstract, || "the shape should not be abstract".to_owned());
        let count = match (&shape.cells, object.length) {
            (Cells::Fields(regions), None) => Some(regions.len()),
            (Cells::Indexed(_), Some(length)) => usize::try_from(length).ok(),
            (Cells::Fields(_), Some(_)) => {
                return self.report("an object with fields should have no length");
            }
            (Cells::Indexed(_), None) => {
                return self.report("an object with cells by index should have a length");
            }
        };
        self.ensure(count == Some(object.cells.len()), || format!("there are {} cells", object.cells.len()));
        if let Some((ty, length)) = self.program.length_type(object.shape).zip(object.length) {
            self.ensure(ty.contains(length.into()), || {
                format!("{length} is no length of type {}", ty.name())
            });
        }
        for (position, cell) in object.cells.iter().enumerate() {
            if self.shallow_const(cell)
                && let Some(ty) = self.program.cell_type(object.shape, position)
            {
                self.check_const_fits(cell, ty);
            }
        }
    }
}
