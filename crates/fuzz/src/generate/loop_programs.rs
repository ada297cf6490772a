//! Random programs made of loops: one to three after each other, nested up to three deep, with what loops are about:
//! accumulators, counters, arrays, exits.

use arbitrary_source::Choices;

use super::Generator;
use crate::tree::{Binary, Block, Expr, For, Function, Kind, Stmt, Tree, Ty};

/// Makes a program with a single function, which does nothing but loop.
pub(crate) fn generate_loops(choices: &mut Choices, is_java: bool, overflow_fails: bool) -> Tree {
    let tree = Tree { is_java, overflow_fails, globals: Vec::new(), functions: Vec::new(), names: 0 };
    let mut generator = Generator { choices, tree, scope: Vec::new(), result: None, loops: 0, budget: 3 };
    if generator.choices.percent(25) {
        generator.globals();
    }
    generator.loop_function();
    generator.tree
}

impl Generator<'_> {
    fn loop_function(&mut self) {
        self.scope =
            self.tree.globals.iter().map(|(name, ty)| (name.clone(), *ty, *ty != Ty::Ints)).collect();
        let mut params = Vec::new();
        let mut types = vec![Ty::Int];
        for _ in 0..self.choices.below(3) {
            types.push(self.choices.weighted(&[(5, Ty::Int), (1, Ty::Long), (3, Ty::Ints), (1, Ty::Bool)]));
        }
        for ty in types {
            let name = self.tree.fresh("n");
            // Limits stay what they are in most loops, so that these count.
            let assignable = !ty.is_reference() && self.choices.percent(15);
            self.scope.push((name.clone(), ty, assignable));
            params.push((name, ty));
        }
        let ty = self.choices.weighted(&[(5, Ty::Int), (1, Ty::Long)]);
        self.result = Some(ty);
        let mut body = Block::new();
        for _ in 0..self.choices.between(1, 2) {
            let value = if self.choices.percent(70) { Expr::constant(ty, 0) } else { self.leaf(ty) };
            self.declare(&mut body, value, true);
        }
        for _ in 0..self.choices.weighted(&[(6, 1), (3, 2), (1, 3)]) {
            let nesting = self.choices.weighted(&[(6, 1), (4, 2), (1, 3)]);
            self.one_loop(&mut body, nesting);
        }
        let value = self.all_of(ty);
        body.push(Stmt::Return(Some(value)));
        self.tree.functions.push(Function { name: "entry".to_owned(), params, result: self.result, body });
    }

    /// A loop, or one of the other kinds of loops that programs have.
    fn one_loop(&mut self, block: &mut Block, nesting: usize) {
        match self.choices.below(10) {
            0 => return self.while_loop(block, nesting - 1),
            1 => return self.for_loop(block, nesting - 1),
            _ => {}
        }
        let counter = self.tree.fresh("i");
        let ty = if self.choices.percent(8) { Ty::Long } else { Ty::Int };
        let start = Expr::constant(ty, self.choices.weighted(&[(5, 0), (2, 1), (1, -2)]));
        let limit = self.limit(ty);
        let variable = Expr::var(ty, &counter);
        let condition = Expr::binary(Binary::Lt, variable.clone(), limit);
        let by = if self.choices.percent(12) { 2 } else { 1 };
        let step = Expr::binary(Binary::Add, variable, Expr::constant(ty, by));
        let base = self.scope.len();
        self.scope.push((counter.clone(), ty, false));
        self.loops += 1;
        let body = self.loop_body(&counter, ty, nesting);
        self.loops -= 1;
        self.scope.truncate(base);
        let head = For { counter, start, condition, step, body };
        // The same head again, over other state: what can be fused.
        let again =
            self.choices.percent(15).then(|| self.tree.copy(&vec![Stmt::For(Box::new(head.clone()))]));
        block.push(Stmt::For(Box::new(head)));
        if let Some(Stmt::For(mut again)) = again.and_then(|mut block| block.pop()) {
            self.loops += 1;
            self.scope.push((again.counter.clone(), ty, false));
            again.body = self.loop_body(&again.counter.clone(), ty, 1);
            self.scope.truncate(base);
            self.loops -= 1;
            block.push(Stmt::For(again));
        }
    }

    fn limit(&mut self, ty: Ty) -> Expr {
        match self.choices.below(10) {
            0 | 1 => Expr::constant(ty, self.choices.between(2, 6) as i64),
            2 => Expr::binary(Binary::And, self.leaf(ty), Expr::constant(ty, 7)),
            3 if self.tree.is_java && ty == Ty::Int => match self.pick(Ty::Ints) {
                Some(array) => Expr::new(ty, Kind::Length(Box::new(array))),
                None => self.leaf(ty),
            },
            _ => self.pick(ty).unwrap_or_else(|| Expr::constant(ty, 4)),
        }
    }

    fn loop_body(&mut self, counter: &str, ty: Ty, nesting: usize) -> Block {
        let base = self.scope.len();
        let mut body = Block::new();
        for _ in 0..self.choices.weighted(&[(5, 1), (4, 2), (2, 3)]) {
            match self.choices.below(20) {
                0..10 => self.accumulate(&mut body, counter, ty),
                10 | 11 => self.walk(&mut body, counter, ty),
                12 => {
                    let condition = self.expr(Ty::Bool, 1);
                    let (mut then, mut otherwise) = (Block::new(), Block::new());
                    self.accumulate(&mut then, counter, ty);
                    if self.choices.percent(60) {
                        self.accumulate(&mut otherwise, counter, ty);
                    }
                    body.push(Stmt::If(condition, then, otherwise));
                }
                13 | 14 => self.jump(&mut body),
                15 => self.declaration(&mut body),
                16 => self.assignment(&mut body),
                17 if self.choices.percent(40) => self.print(&mut body),
                _ => self.accumulate(&mut body, counter, ty),
            }
        }
        if nesting > 1 {
            let alone = self.choices.percent(35);
            if alone {
                body.clear();
                self.scope.truncate(base);
            }
            self.one_loop(&mut body, nesting - 1);
            if !alone && self.choices.percent(30) {
                self.accumulate(&mut body, counter, ty);
            }
        }
        self.scope.truncate(base);
        body
    }

    /// `x = x op e`, where `e` is often about the counter.
    fn accumulate(&mut self, block: &mut Block, counter: &str, ty: Ty) {
        let places: Vec<_> =
            self.scope.iter().filter(|(_, ty, free)| *free && ty.is_integer()).cloned().collect();
        if places.is_empty() {
            return self.declaration(block);
        }
        let (name, place_ty, _) = self.choices.pick(&places);
        let place = Expr::var(place_ty, &name);
        let counter = Expr::var(ty, counter);
        let counter = match (ty, place_ty) {
            (Ty::Int, Ty::Long) => Expr::long(counter),
            (Ty::Long, Ty::Int) => Expr::new(Ty::Int, Kind::Cast(Box::new(counter))),
            _ => counter,
        };
        let factor = Expr::constant(place_ty, self.choices.between(2, 7) as i64);
        let value = match self.choices.below(10) {
            0..3 => counter,
            3 | 4 => Expr::binary(Binary::Mul, counter, factor),
            5 => Expr::binary(Binary::And, counter, factor),
            6 | 7 => self.leaf(place_ty),
            8 => factor,
            _ => self.expr(place_ty, 2),
        };
        let op = self.choices.weighted(&[
            (8, Binary::Add),
            (2, Binary::Sub),
            (2, Binary::Xor),
            (1, Binary::Mul),
            (1, Binary::Or),
        ]);
        block.push(Stmt::Assign(place.clone(), Expr::binary(op, place, value)));
    }

    /// A step over an array by the counter: a sum, a copy, a fill.
    fn walk(&mut self, block: &mut Block, counter: &str, ty: Ty) {
        let Some(array) = self.pick(Ty::Ints).filter(|_| ty == Ty::Int) else {
            return self.accumulate(block, counter, ty);
        };
        let index = Expr::var(Ty::Int, counter);
        let element = Expr::new(Ty::Int, Kind::Index(Box::new(array), Box::new(index)));
        let sums: Vec<_> =
            self.scope.iter().filter(|(_, ty, free)| *free && *ty == Ty::Int).cloned().collect();
        if sums.is_empty() || self.choices.percent(40) {
            let value = self.expr(Ty::Int, 1);
            return block.push(Stmt::Assign(element, value));
        }
        let sum = Expr::var(Ty::Int, &self.choices.pick(&sums).0);
        block.push(Stmt::Assign(sum.clone(), Expr::binary(Binary::Add, sum, element)));
    }
}
