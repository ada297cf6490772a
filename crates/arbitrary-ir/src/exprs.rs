//! Random expressions of a type. Those that are not total come with checks before their statement.

use ir::{
    BinaryOp, Cells, Const, Expr, GlobalId, IntType, LocalId, RegionId, Scalar, ShapeId, StmtKind, Target,
    Type, UnaryOp,
};

use crate::Generator;
use crate::tables::{ARRAYS, CLASS_CAST, DIVISION, LEAF, LEAF_EXTRA, NODE, NULL_POINTER, OUT_OF_BOUNDS};

pub(super) fn int(ty: IntType, value: i128) -> Expr {
    Expr::Const(Const::int(ty, value))
}

pub(super) fn binary(op: BinaryOp, ty: Scalar, lhs: Expr, rhs: Expr) -> Expr {
    Expr::Binary { op, ty, lhs: Box::new(lhs), rhs: Box::new(rhs) }
}

pub(super) fn compare(op: BinaryOp, ty: IntType, lhs: Expr, rhs: Expr) -> Expr {
    binary(op, Scalar::Int(ty), lhs, rhs)
}

pub(super) fn not(arg: Expr) -> Expr {
    Expr::Unary { op: UnaryOp::Not, ty: Scalar::Bool, arg: Box::new(arg) }
}

impl Generator<'_> {
    pub(super) fn expr(&mut self, ty: &Type, depth: usize) -> Expr {
        if depth == 0 || self.random.one_in(6) {
            return self.leaf(ty);
        }
        match self.random.below(10) {
            0 => {
                let condition = Box::new(self.expr(&Type::Bool, depth - 1));
                let then = Box::new(self.expr(ty, depth - 1));
                Expr::If { condition, then, otherwise: Box::new(self.expr(ty, depth - 1)) }
            }
            1 if self.config.records => {
                let mut fields: Vec<Type> =
                    (0..1 + self.random.below(2)).map(|_| self.scalar_type()).collect();
                let index = self.random.below(fields.len() + 1);
                fields.insert(index, ty.clone());
                let record = self.expr(&Type::Record(fields), depth - 1);
                Expr::Get { record: Box::new(record), index: index as u32 }
            }
            2 if self.config.maps && ty.scalar().is_some() => {
                let key_type = self.random.pick(&[Type::Bool, Type::I32, Type::Int(IntType::U8)]);
                let map_type = Type::Map(Box::new(key_type.clone()), Box::new(ty.clone()));
                let map = Box::new(self.expr(&map_type, depth - 1));
                Expr::Select { map, key: Box::new(self.expr(&key_type, depth - 1)) }
            }
            3 | 4 if self.config.heap => self.load(ty, depth).unwrap_or_else(|| self.leaf(ty)),
            _ => match ty {
                Type::Bool => self.condition(depth),
                Type::Int(int_type) => self.integer(*int_type, depth),
                Type::Float(_) => self.float_expr(ty, depth),
                Type::Text => self.intrinsic(ty, depth),
                Type::Ref(_) => self.leaf(ty),
                Type::Record(fields) => {
                    Expr::Record(fields.iter().map(|field| self.expr(field, depth - 1)).collect())
                }
                Type::Map(key, value) => {
                    let map = Box::new(self.expr(ty, depth - 1));
                    let key = Box::new(self.expr(key, depth - 1));
                    Expr::Update { map, key, value: Box::new(self.expr(value, depth - 1)) }
                }
            },
        }
    }

    /// A variable or constant.
    pub(super) fn leaf(&mut self, ty: &Type) -> Expr {
        let mut variables: Vec<Expr> = Vec::new();
        for (index, local) in self.locals.iter().enumerate() {
            if self.may_hold(ty, &local.ty) {
                variables.push(Expr::Local(LocalId::from_index(index)));
            }
        }
        for (index, global) in self.program.globals.iter().enumerate() {
            if self.may_hold(ty, &global.ty) {
                variables.push(Expr::Global(GlobalId::from_index(index)));
            }
        }
        if variables.is_empty() || self.random.one_in(4) {
            Expr::Const(self.constant(ty))
        } else {
            self.random.pick(&variables)
        }
    }

    /// Whether a place of one type may get the values of another: references only where the shape is known to fit,
    /// because nothing checks them when they are used.
    fn may_hold(&self, place: &Type, value: &Type) -> bool {
        match (place, value) {
            (Type::Ref(Target::Any), Type::Ref(_)) => true,
            (Type::Ref(Target::Shape(_)), Type::Ref(Target::Any)) => false,
            (Type::Ref(Target::Shape(place)), Type::Ref(Target::Shape(value))) => {
                place == value || self.program.shape(*value).ancestors.contains(place)
            }
            _ => place == value,
        }
    }

    fn condition(&mut self, depth: usize) -> Expr {
        match self.random.below(12) {
            0 => not(self.expr(&Type::Bool, depth - 1)),
            1 | 2 => {
                use BinaryOp::{And, Eq, Ne, Or, Xor};
                let op = self.random.pick(&[And, Or, Xor, Eq, Ne]);
                self.binary_expr(op, Type::Bool, depth)
            }
            3 if self.config.floats => {
                let ty = Type::Float(self.random.pick(&ir::FloatType::ALL));
                self.comparison(ty, depth)
            }
            4 if self.config.heap => {
                let lhs = Box::new(self.some_ref(depth));
                Expr::SameRef { lhs, rhs: Box::new(self.some_ref(depth)) }
            }
            5 if self.config.heap => {
                let object = Box::new(self.some_ref(depth));
                let shapes = self.random.pick(&[vec![NODE, LEAF], vec![LEAF], vec![ARRAYS[0]], vec![]]);
                Expr::HasShape { object, shapes }
            }
            6 if self.config.texts => {
                let lhs = Box::new(self.expr(&Type::Text, depth - 1));
                Expr::SameText { lhs, rhs: Box::new(self.expr(&Type::Text, depth - 1)) }
            }
            7 if self.config.maps => {
                let key = self.random.pick(&[Type::Bool, Type::I32, Type::Int(IntType::U8)]);
                let ty = Type::Map(Box::new(key), Box::new(Type::I32));
                let lhs = Box::new(self.expr(&ty, depth - 1));
                Expr::SameMap { lhs, rhs: Box::new(self.expr(&ty, depth - 1)) }
            }
            8 => self.overflows(depth),
            9 if self.config.floats => {
                let from = self.random.pick(&ir::FloatType::ALL);
                let arg = Box::new(self.expr(&Type::Float(from), depth - 1));
                Expr::Fits { arg, from, to: self.int_type() }
            }
            10 => self.intrinsic(&Type::Bool, depth),
            _ => {
                let ty = if self.random.one_in(2) { IntType::I32 } else { self.int_type() };
                self.comparison(Type::Int(ty), depth)
            }
        }
    }

    fn comparison(&mut self, ty: Type, depth: usize) -> Expr {
        let op = self.random.pick(&[BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Le]);
        self.binary_expr(op, ty, depth)
    }

    fn binary_expr(&mut self, op: BinaryOp, ty: Type, depth: usize) -> Expr {
        let lhs = self.expr(&ty, depth - 1);
        let rhs = self.expr(&ty, depth - 1);
        binary(op, ty.scalar().expect("operators should be on scalars"), lhs, rhs)
    }

    fn overflows(&mut self, depth: usize) -> Expr {
        use BinaryOp::{Add, Div, Mul, Shl, Sub};
        let ty = self.int_type();
        let op = self.random.pick(&[Add, Sub, Mul, Div, Shl]);
        let lhs = Box::new(self.expr(&Type::Int(ty), depth - 1));
        let rhs = match op {
            Div => self.divisor(ty, depth - 1, true),
            Shl => int(ty, self.random.below(ty.width.into()) as i128),
            _ => self.expr(&Type::Int(ty), depth - 1),
        };
        Expr::Overflows { op, ty, lhs, rhs: Box::new(rhs) }
    }

    fn integer(&mut self, ty: IntType, depth: usize) -> Expr {
        use BinaryOp::{Add, And, Div, Mul, Or, Rem, Shl, Shr, Sub, Xor};
        let scalar = Scalar::Int(ty);
        match self.random.below(10) {
            0 => {
                let bitnot = self.config.bits && self.random.one_in(2);
                let op = if bitnot { UnaryOp::BitNot } else { UnaryOp::Neg };
                Expr::Unary { op, ty: scalar, arg: Box::new(self.expr(&Type::Int(ty), depth - 1)) }
            }
            1 => {
                let op = self.random.pick(&[Div, Rem]);
                let lhs = self.expr(&Type::Int(ty), depth - 1);
                let rhs = self.divisor(ty, depth - 1, !self.config.unguarded);
                binary(op, scalar, lhs, rhs)
            }
            2 => {
                let op = self.random.pick(&[Shl, Shr]);
                let lhs = self.expr(&Type::Int(ty), depth - 1);
                let rhs = if self.config.unguarded && self.random.one_in(2) {
                    self.expr(&Type::Int(ty), depth - 1)
                } else {
                    int(ty, self.random.below(ty.width.into()) as i128)
                };
                binary(op, scalar, lhs, rhs)
            }
            3 if self.config.bits => {
                let op = self.random.pick(&[And, Or, Xor]);
                self.binary_expr(op, Type::Int(ty), depth)
            }
            4 => {
                let from = self.scalar_type().scalar().expect("it should be a scalar");
                let arg = Box::new(self.expr(&Type::from(from), depth - 1));
                Expr::Convert { from, to: scalar, arg }
            }
            5 if self.config.heap && matches!(ty, IntType::I32 | IntType::I64) => self.length(ty, depth),
            6 => self.intrinsic(&Type::Int(ty), depth),
            _ => {
                let op = self.random.pick(&[Add, Sub, Mul]);
                self.binary_expr(op, Type::Int(ty), depth)
            }
        }
    }

    /// What to divide by: a constant, or something that is made or checked not to be zero.
    fn divisor(&mut self, ty: IntType, depth: usize, guarded: bool) -> Expr {
        if self.random.one_in(3) {
            return int(ty, 1 + self.random.below(7) as i128);
        }
        let divisor = self.expr(&Type::Int(ty), depth);
        match self.random.below(8) {
            0 | 1 if !guarded => divisor,
            0 => {
                self.require(compare(BinaryOp::Ne, ty, divisor.clone(), int(ty, 0)), DIVISION);
                divisor
            }
            _ => Expr::If {
                condition: Box::new(compare(BinaryOp::Eq, ty, divisor.clone(), int(ty, 0))),
                then: Box::new(int(ty, 1 + self.random.below(7) as i128)),
                otherwise: Box::new(divisor),
            },
        }
    }

    fn float_expr(&mut self, ty: &Type, depth: usize) -> Expr {
        use BinaryOp::{Add, Div, Mul, Rem, Sub};
        let scalar = ty.scalar().expect("a float should be a scalar");
        match self.random.below(6) {
            0 => {
                let arg = Box::new(self.expr(ty, depth - 1));
                Expr::Unary { op: UnaryOp::Neg, ty: scalar, arg }
            }
            1 => {
                let from = loop {
                    match self.scalar_type().scalar() {
                        Some(Scalar::Bool) | None => {}
                        Some(number) => break number,
                    }
                };
                let arg = Box::new(self.expr(&Type::from(from), depth - 1));
                Expr::Convert { from, to: scalar, arg }
            }
            2 => self.intrinsic(ty, depth),
            _ => {
                let op = self.random.pick(&[Add, Sub, Mul, Div, Rem]);
                self.binary_expr(op, ty.clone(), depth)
            }
        }
    }

    fn some_ref(&mut self, depth: usize) -> Expr {
        let ty = self.ref_type();
        self.expr(&ty, depth - 1)
    }

    fn length(&mut self, ty: IntType, depth: usize) -> Expr {
        let shape = self.random.pick(&self.arrays_with_length(ty));
        let object = self.object_of(shape, depth - 1);
        Expr::Length { object: Box::new(object), ty }
    }

    fn arrays_with_length(&self, ty: IntType) -> Vec<ShapeId> {
        ARRAYS.into_iter().filter(|shape| self.program.length_type(*shape) == Some(ty)).collect()
    }

    /// A reference to an object of a shape that is not null: checked, or replaced by a new object, so that runs go on.
    pub(super) fn object_of(&mut self, shape: ShapeId, depth: usize) -> Expr {
        let ty = Type::Ref(Target::Shape(shape));
        let object = if self.random.one_in(4) { self.expr(&ty, depth) } else { self.leaf(&ty) };
        let is_null =
            Expr::SameRef { lhs: Box::new(object.clone()), rhs: Box::new(Expr::Const(Const::Null)) };
        if self.random.one_in(15) {
            self.require(not(is_null), NULL_POINTER);
            return object;
        }
        let local = self.fresh_local(ty);
        let length = self.program.length_type(shape).map(|ty| int(ty, 4 + self.random.below(4) as i128));
        let new = self.at_next_line(StmtKind::New { local, shape, length, unwritten: false });
        if object == Expr::Const(Const::Null) {
            self.pending.push(new);
        } else {
            let copy = self.at_next_line(StmtKind::Assign { local, value: object });
            let replace = StmtKind::If { condition: is_null, then: vec![new], otherwise: Vec::new() };
            let replace = self.at_next_line(replace);
            self.pending.extend([copy, replace]);
        }
        Expr::Local(local)
    }

    /// A cell of the type, if some region has such cells.
    fn load(&mut self, ty: &Type, depth: usize) -> Option<Expr> {
        let fitting: Vec<usize> = (0..self.program.regions.len())
            .filter(|index| self.may_hold(ty, &self.program.regions[*index].value))
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let region = RegionId::from_index(self.random.pick(&fitting));
        let (object, index) = self.cell(region, depth);
        Some(Expr::Load { region, object: Box::new(object), index: index.map(Box::new) })
    }

    /// An object and an index such that the cell exists, by checks.
    pub(super) fn cell(&mut self, region: RegionId, depth: usize) -> (Expr, Option<Expr>) {
        let depth = depth.saturating_sub(1);
        let Some(ty) = self.program.region(region).index else {
            let known_leaf = region == LEAF_EXTRA && !self.random.one_in(3);
            let object = self.object_of(if known_leaf { LEAF } else { NODE }, depth);
            if region == LEAF_EXTRA && !known_leaf {
                let is_leaf = Expr::HasShape { object: Box::new(object.clone()), shapes: vec![LEAF] };
                self.require(is_leaf, CLASS_CAST);
            }
            return (object, None);
        };
        let shape = ARRAYS.into_iter().find(|shape| self.regions_of(*shape).contains(&region));
        let shape = shape.expect("an indexed region should belong to an array");
        let object = self.object_of(shape, depth);
        let mut index = match self.random.below(16) {
            0 => self.expr(&Type::Int(ty), depth.min(1)),
            1 => self.leaf(&Type::Int(ty)),
            _ => int(ty, self.random.below(2) as i128),
        };
        let regions = self.regions_of(shape);
        if regions.len() > 1 {
            // The cell has to lie in this region. Wrapping keeps the remainder, because there are two regions.
            let position = regions.iter().position(|other| *other == region).unwrap_or(0);
            let scalar = Scalar::Int(ty);
            let start = binary(BinaryOp::Mul, scalar, index, int(ty, regions.len() as i128));
            index = binary(BinaryOp::Add, scalar, start, int(ty, position as i128));
        }
        let length = Expr::Length { object: Box::new(object.clone()), ty };
        self.require(compare(BinaryOp::Le, ty, int(ty, 0), index.clone()), OUT_OF_BOUNDS);
        self.require(compare(BinaryOp::Lt, ty, index.clone(), length), OUT_OF_BOUNDS);
        (object, Some(index))
    }

    fn regions_of(&self, shape: ShapeId) -> Vec<RegionId> {
        let (Cells::Fields(regions) | Cells::Indexed(regions)) = &self.program.shape(shape).cells;
        regions.clone()
    }
}
