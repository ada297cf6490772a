//! The tables of random programs: errors, regions, shapes, globals and static objects; and random types and constants.

use ir::{
    Cells, Const, FloatType, Global, IntType, Layout, Region, RegionId, Shape, ShapeId, StaticId,
    StaticObject, Target, Type,
};

use crate::Generator;

pub(super) const NULL_POINTER: &str = "NullPointerException";
pub(super) const OUT_OF_BOUNDS: &str = "IndexOutOfBoundsException";
pub(super) const DIVISION: &str = "ArithmeticException";
pub(super) const CLASS_CAST: &str = "ClassCastException";
pub(super) const CUSTOM: &str = "Custom";

/// The shapes of every program with a heap, by their ids.
pub(super) const NODE: ShapeId = ShapeId(1);
pub(super) const LEAF: ShapeId = ShapeId(2);
/// The shapes with cells by index.
pub(super) const ARRAYS: [ShapeId; 6] =
    [ShapeId(3), ShapeId(4), ShapeId(5), ShapeId(6), ShapeId(7), ShapeId(8)];
/// The one of them whose objects are freed now and then; no static object has it, because those are never freed.
pub(super) const FREEABLE: ShapeId = ShapeId(6);
/// The shape of constant objects. Nothing is ever stored in its region, because references of any type of object
/// may come to point to a constant one.
const TABLE: ShapeId = ShapeId(8);
pub(super) const TABLE_CELLS: RegionId = RegionId(10);
/// The region that only leaves have.
pub(super) const LEAF_EXTRA: RegionId = RegionId(3);

impl Generator<'_> {
    pub(super) fn tables(&mut self) {
        self.program.files.push("generated.ir".to_owned());
        for error in [DIVISION, NULL_POINTER, OUT_OF_BOUNDS, CLASS_CAST, CUSTOM] {
            self.program.error_named(error);
        }
        if self.config.heap {
            self.heap();
        }
        if self.config.globals {
            for index in 0..2 + self.random.below(3) {
                let ty = self.some_type();
                let initial = self.constant(&ty);
                // A name that locals have too, now and then.
                let name =
                    if self.random.one_in(3) { format!("v{index}") } else { format!("Globals.g{index}") };
                let constant = self.random.one_in(3);
                let private = self.random.one_in(3);
                self.program.globals.push(Global { name, ty, initial, constant, private, fixed: false });
            }
        }
    }

    fn heap(&mut self) {
        let node = Type::Ref(Target::Shape(NODE));
        let tag = self.scalar_type();
        let element = if self.config.floats { Type::F64 } else { Type::Int(IntType::U16) };
        let pointer = if self.config.records {
            Type::Record(vec![Type::Ref(Target::Any), Type::I64])
        } else {
            Type::Ref(Target::Any)
        };
        let regions = [
            ("Node.value", None, Type::I32),
            ("Node.next", None, node.clone()),
            ("Node.tag", None, tag),
            ("Leaf.extra", None, element.clone()),
            ("int[]", Some(IntType::I32), Type::I32),
            ("element[]", Some(IntType::I32), element),
            ("Node[]", Some(IntType::I32), node),
            ("u8", Some(IntType::I64), Type::Int(IntType::U8)),
            ("i64", Some(IntType::I64), Type::I64),
            ("pointer", Some(IntType::I64), pointer),
            ("table", Some(IntType::I32), Type::I32),
        ];
        for (name, index, value) in regions {
            self.program.regions.push(Region { name: name.to_owned(), index, value, private: false });
        }
        let fields = |ids: &[u32]| Cells::Fields(ids.iter().copied().map(RegionId).collect());
        let indexed = |ids: &[u32]| Cells::Indexed(ids.iter().copied().map(RegionId).collect());
        let shapes = [
            ("Object", fields(&[]), vec![]),
            ("Node", fields(&[0, 1, 2]), vec![ShapeId(0)]),
            ("Leaf", fields(&[0, 1, 2, 3]), vec![NODE, ShapeId(0)]),
            ("int[]", indexed(&[4]), vec![]),
            ("element[]", indexed(&[5]), vec![]),
            ("Node[]", indexed(&[6]), vec![]),
            ("unsigned char[]", indexed(&[7]), vec![]),
            ("struct pair[]", indexed(&[8, 9]), vec![]),
            ("const int[]", indexed(&[10]), vec![]),
        ];
        for (name, cells, ancestors) in shapes {
            let is_abstract = name == "Object";
            let name = name.to_owned();
            self.program.shapes.push(Shape {
                name,
                cells,
                ancestors,
                is_abstract,
                closed: false,
                layout: Layout::default(),
            });
        }
        for index in 0..1 + self.random.below(3) {
            self.static_object(index);
        }
    }

    fn static_object(&mut self, index: usize) {
        let shape = self.random.pick(&[NODE, LEAF, ARRAYS[0], ARRAYS[1], ARRAYS[4], TABLE, TABLE]);
        let (count, length) = match &self.program.shape(shape).cells {
            Cells::Fields(regions) => (regions.len(), None),
            Cells::Indexed(regions) => {
                let length = regions.len() * self.random.below(5);
                (length, Some(length as i64))
            }
        };
        let mut cells = Vec::new();
        for cell in 0..count {
            let ty = self.program.cell_type(shape, cell).expect("the shape should have this cell").clone();
            cells.push(if self.random.one_in(3) { Const::zero(&ty) } else { self.constant(&ty) });
        }
        let constant = shape == TABLE;
        self.program.statics.push(StaticObject {
            name: format!("$s{index}"),
            shape,
            length,
            cells,
            constant,
            private: self.random.one_in(3),
        });
    }

    /// A type that values can have under the configuration.
    pub(super) fn some_type(&mut self) -> Type {
        loop {
            match self.random.below(10) {
                0 if self.config.texts => return Type::Text,
                1 if self.config.heap => return self.ref_type(),
                2 if self.config.records => {
                    let count = 1 + self.random.below(3);
                    let mut fields: Vec<Type> = (0..count).map(|_| self.component_type()).collect();
                    // Numbers that may be null are not free: what is not there is zero.
                    if Type::Record(fields.clone()).is_boxed() {
                        fields.push(Type::Bool);
                    }
                    return Type::Record(fields);
                }
                3 if self.config.maps => {
                    let key = self.random.pick(&[Type::Bool, Type::I32, Type::Int(IntType::U8), Type::I64]);
                    return Type::Map(Box::new(key), Box::new(self.scalar_type()));
                }
                0..=3 => {}
                _ => return self.scalar_type(),
            }
        }
    }

    fn component_type(&mut self) -> Type {
        match self.random.below(4) {
            0 if self.config.heap => self.ref_type(),
            1 if self.config.texts => Type::Text,
            _ => self.scalar_type(),
        }
    }

    pub(super) fn ref_type(&mut self) -> Type {
        Type::Ref(match self.random.below(6) {
            0 => Target::Any,
            1 | 2 => Target::Shape(NODE),
            3 => Target::Shape(LEAF),
            _ => Target::Shape(self.random.pick(&ARRAYS)),
        })
    }

    /// A boolean or number, most often an `i32`.
    pub(super) fn scalar_type(&mut self) -> Type {
        match self.random.below(6) {
            0 => Type::Bool,
            1 | 2 => Type::Int(self.int_type()),
            3 if self.config.floats => Type::Float(self.random.pick(&FloatType::ALL)),
            _ => Type::I32,
        }
    }

    pub(super) fn int_type(&mut self) -> IntType {
        self.random.pick(&IntType::ALL)
    }

    pub(super) fn constant(&mut self, ty: &Type) -> Const {
        match ty {
            Type::Bool => Const::Bool(self.random.one_in(2)),
            Type::Int(ty) => {
                let ty = *ty;
                let small = self.random.below(12) as i128 - 3;
                let bits = i128::from(self.random.bits());
                let value = self.random.pick(&[small, small, small, ty.min(), ty.max(), bits]);
                Const::int(ty, ty.wrap(value))
            }
            Type::Float(FloatType::F32) => Const::f32(self.float() as f32),
            Type::Float(FloatType::F64) => Const::f64(self.float()),
            Type::Text if self.random.one_in(6) => Const::NullText,
            Type::Text => Const::Text(self.random.pick(&[
                vec![],
                vec![0x61],
                vec![0x2d, 0x34, 0x32],
                vec![0x31, 0x2e, 0x35],
                vec![0x22, 0xe9, 0xd83d, 0x5c, 0xa],
            ])),
            Type::Ref(target) => self.static_of(*target).map_or(Const::Null, Const::Static),
            Type::Record(fields) => Const::Record(fields.iter().map(|field| self.constant(field)).collect()),
            Type::Map(key, value) => Const::Map((**key).clone(), Box::new(self.constant(value))),
        }
    }

    /// A static object that a reference may point to; not always, so that null is there too.
    fn static_of(&mut self, target: Target) -> Option<StaticId> {
        let fits = |object: &StaticObject| match target {
            Target::Any => true,
            Target::Shape(shape) => {
                object.shape == shape || self.program.shape(object.shape).ancestors.contains(&shape)
            }
        };
        let fitting: Vec<usize> =
            (0..self.program.statics.len()).filter(|index| fits(&self.program.statics[*index])).collect();
        let choice = self.random.below(2 * fitting.len() + 1);
        fitting.get(choice).copied().map(StaticId::from_index)
    }

    fn float(&mut self) -> f64 {
        let quarter = (self.random.below(64) as f64 - 24.0) / 4.0;
        let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MIN_POSITIVE / 8.0, f64::MAX];
        if self.config.special_floats && self.random.one_in(6) {
            self.random.pick(&special)
        } else {
            self.random.pick(&[quarter, quarter, 0.0, 1.0, 0.1, 1e10])
        }
    }
}
