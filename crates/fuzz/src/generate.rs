//! Random trees: small programs with loops, arrays, records, output, globals, helpers and (in Java) exceptions.
//!
//! Most loops have a bound that depends on an input, so that only an argument about all iterations can decide them.
//! Expressions that may fail are there, but most are made safe, so that runs get far.

mod loop_programs;

pub(crate) use loop_programs::generate_loops;

use arbitrary_source::Choices;

use super::tree::{Binary, Block, Expr, FIELDS, For, Function, Kind, Stmt, Tree, Try, Ty, Unary};

/// The errors that programs throw and catch.
pub(crate) const EXCEPTIONS: [&str; 4] =
    ["IllegalStateException", "ArithmeticException", "RuntimeException", "IllegalArgumentException"];
/// The words that programs print.
pub(crate) const WORDS: [&str; 4] = ["a", "b", "ab", "end"];

/// Makes a program with about this many statements in its last function.
pub(crate) fn generate(choices: &mut Choices, is_java: bool, overflow_fails: bool, size: usize) -> Tree {
    let tree = Tree { is_java, overflow_fails, globals: Vec::new(), functions: Vec::new(), names: 0 };
    let mut generator = Generator { choices, tree, scope: Vec::new(), result: None, loops: 0, budget: 0 };
    generator.globals();
    for _ in 0..generator.choices.weighted(&[(5, 0), (4, 1), (1, 2)]) {
        generator.budget = generator.choices.between(1, 3);
        let name = generator.tree.fresh("h");
        generator.function(&name, 2);
    }
    generator.budget = generator.choices.between(size.div_ceil(2), size);
    generator.function("entry", 4);
    generator.tree
}

struct Generator<'a> {
    choices: &'a mut Choices,
    tree: Tree,
    /// The variables that can be used; the flag says whether they may be assigned to.
    scope: Vec<(String, Ty, bool)>,
    result: Option<Ty>,
    loops: usize,
    budget: usize,
}

impl Generator<'_> {
    fn globals(&mut self) {
        for _ in 0..self.choices.below(3) {
            let ty = self.choices.weighted(&[(4, Ty::Int), (2, Ty::Long), (1, Ty::Bool), (2, Ty::Ints)]);
            let name = self.tree.fresh("g");
            self.tree.globals.push((name.clone(), ty));
        }
    }

    fn function(&mut self, name: &str, most_params: usize) {
        self.scope =
            self.tree.globals.iter().map(|(name, ty)| (name.clone(), *ty, *ty != Ty::Ints)).collect();
        let mut params = Vec::new();
        for _ in 0..self.choices.between(1, most_params) {
            let ty = self.choices.weighted(&[
                (8, Ty::Int),
                (3, Ty::Long),
                (2, Ty::Bool),
                (1, Ty::Double),
                (4, Ty::Ints),
                (3, Ty::Node),
            ]);
            let name = self.tree.fresh("p");
            params.push((name.clone(), ty));
            self.scope.push((name, ty, !ty.is_reference()));
        }
        let is_recursive = self.choices.percent(15);
        if is_recursive {
            let counter = self.tree.fresh("n");
            params.insert(0, (counter.clone(), Ty::Int));
            self.scope.push((counter, Ty::Int, false));
        }
        let results = [(6, Some(Ty::Int)), (2, Some(Ty::Long)), (1, Some(Ty::Bool)), (1, None)];
        self.result = self.choices.weighted(&results);
        let mut body = Block::new();
        if is_recursive {
            let counter = Expr::var(Ty::Int, &params[0].0);
            let condition = Expr::binary(Binary::Le, counter, Expr::constant(Ty::Int, 0));
            let last = Stmt::Return(self.result.map(|ty| self.expr(ty, 1)));
            body.push(Stmt::If(condition, vec![last], Block::new()));
            let before = self.budget / 2;
            while self.budget > before {
                self.statement(&mut body, 2);
            }
            self.call_itself(&mut body, name, &params);
        }
        while self.budget > 0 {
            self.statement(&mut body, 2);
        }
        if let Some(ty) = self.result {
            let value = if self.choices.percent(60) { self.all_of(ty) } else { self.expr(ty, 2) };
            body.push(Stmt::Return(Some(value)));
        }
        self.tree.functions.push(Function { name: name.to_owned(), params, result: self.result, body });
    }

    /// A call with a smaller first argument.
    fn call_itself(&mut self, body: &mut Block, name: &str, params: &[(String, Ty)]) {
        let smaller = Expr::binary(Binary::Sub, Expr::var(Ty::Int, &params[0].0), Expr::constant(Ty::Int, 1));
        let mut args = vec![smaller];
        args.extend(params[1..].iter().map(|(_, ty)| self.expr(*ty, 1)));
        let call = Kind::Call(name.to_owned(), args);
        match self.result {
            None => body.push(Stmt::Eval(Expr::new(Ty::Int, call))),
            Some(ty) => self.declare(body, Expr::new(ty, call), true),
        }
    }

    /// A value that depends on all variables of a type, so that what was computed can be seen.
    fn all_of(&mut self, ty: Ty) -> Expr {
        if !ty.is_integer() {
            return self.expr(ty, 2);
        }
        let mut sum = self.constant(ty);
        for (name, _, _) in self.scope.clone().iter().filter(|(_, other, _)| *other == ty) {
            let factor = Expr::constant(ty, 3);
            let scaled = Expr::binary(Binary::Mul, Expr::var(ty, name), factor);
            let addend = if self.choices.percent(30) { scaled } else { Expr::var(ty, name) };
            sum = Expr::binary(self.choices.pick(&[Binary::Add, Binary::Add, Binary::Sub]), sum, addend);
        }
        sum
    }

    fn block(&mut self, nesting: usize) -> Block {
        let base = self.scope.len();
        let mut block = Block::new();
        for _ in 0..self.choices.between(1, 3).min(self.budget.max(1)) {
            self.statement(&mut block, nesting);
        }
        self.scope.truncate(base);
        block
    }

    fn statement(&mut self, block: &mut Block, nesting: usize) {
        self.budget = self.budget.saturating_sub(1);
        let form = self.choices.below(if nesting == 0 { 58 } else { 100 });
        match form {
            0..16 => self.declaration(block),
            16..36 => self.assignment(block),
            36..44 => self.print(block),
            44..51 => self.call(block),
            51..58 => self.jump(block),
            58..72 => {
                let condition = self.expr(Ty::Bool, 2);
                let then = self.block(nesting - 1);
                let otherwise = if self.choices.percent(50) { self.block(nesting - 1) } else { Block::new() };
                block.push(Stmt::If(condition, then, otherwise));
            }
            72..83 => self.for_loop(block, nesting - 1),
            83..92 => self.while_loop(block, nesting - 1),
            _ if self.tree.is_java => self.try_statement(block, nesting - 1),
            _ => self.assignment(block),
        }
    }

    fn declare(&mut self, block: &mut Block, value: Expr, assignable: bool) {
        let name = self.tree.fresh("v");
        self.scope.push((name.clone(), value.ty, assignable));
        block.push(Stmt::Let(name, value));
    }

    fn declaration(&mut self, block: &mut Block) {
        let value = match self.choices.below(12) {
            0 => Expr::new(Ty::Ints, Kind::NewInts(self.choices.between(1, 4) as u8)),
            1 if self.tree.is_java => Expr::new(Ty::Node, Kind::NewNode),
            2 => self.expr(Ty::Double, 1),
            3 => self.expr(Ty::Bool, 2),
            4 | 5 => self.expr(Ty::Long, 2),
            _ => self.expr(Ty::Int, 2),
        };
        let assignable = !value.ty.is_reference();
        self.declare(block, value, assignable);
    }

    fn assignment(&mut self, block: &mut Block) {
        match self.place() {
            Some(place) => {
                let value = self.expr(place.ty, 2);
                block.push(Stmt::Assign(place, value));
            }
            None => self.declaration(block),
        }
    }

    /// Something that can be assigned to.
    fn place(&mut self) -> Option<Expr> {
        if self.choices.percent(40) {
            let ty = self.choices.pick(&[Ty::Int, Ty::Int, Ty::Long]);
            if let Some(place) = self.memory(ty) {
                return Some(place);
            }
        }
        let places: Vec<_> = self.scope.iter().filter(|(_, _, assignable)| *assignable).cloned().collect();
        if places.is_empty() {
            return None;
        }
        let (name, ty, _) = self.choices.pick(&places);
        Some(Expr::var(ty, &name))
    }

    fn print(&mut self, block: &mut Block) {
        let word = self.choices.pick(&WORDS).to_owned();
        let ty = self.choices.pick(&[Ty::Int, Ty::Int, Ty::Bool, Ty::Long]);
        let value = self.choices.percent(60).then(|| self.expr(ty, 1));
        block.push(Stmt::Print(word, value));
    }

    fn call(&mut self, block: &mut Block) {
        if self.tree.functions.is_empty() {
            return self.assignment(block);
        }
        let index = self.choices.below(self.tree.functions.len());
        let function = &self.tree.functions[index];
        let (name, result) = (function.name.clone(), function.result);
        let types: Vec<Ty> = function.params.iter().map(|(_, ty)| *ty).collect();
        let args = types.into_iter().map(|ty| self.expr(ty, 1)).collect();
        match result {
            None => block.push(Stmt::Eval(Expr::new(Ty::Int, Kind::Call(name, args)))),
            Some(ty) => self.declare(block, Expr::new(ty, Kind::Call(name, args)), true),
        }
    }

    /// A jump under a condition, so that what follows can be reached.
    fn jump(&mut self, block: &mut Block) {
        let jump = match self.choices.below(6) {
            0 | 1 if self.loops > 0 => Stmt::Break,
            2 | 3 if self.loops > 0 => Stmt::Continue,
            4 if self.tree.is_java => Stmt::Throw(self.choices.pick(&EXCEPTIONS).to_owned()),
            _ => Stmt::Return(self.result.map(|ty| self.expr(ty, 1))),
        };
        let condition = self.expr(Ty::Bool, 2);
        block.push(Stmt::If(condition, vec![jump], Block::new()));
    }

    fn for_loop(&mut self, block: &mut Block, nesting: usize) {
        let counter = self.tree.fresh("i");
        let down = self.choices.percent(15);
        let limit = match self.choices.below(10) {
            0..3 => Expr::constant(Ty::Int, self.choices.between(1, 4) as i64),
            3 | 4 if self.tree.is_java => match self.pick(Ty::Ints) {
                Some(array) => Expr::new(Ty::Int, Kind::Length(Box::new(array))),
                None => self.leaf(Ty::Int),
            },
            5 | 6 => Expr::binary(Binary::And, self.leaf(Ty::Int), Expr::constant(Ty::Int, 3)),
            _ => self.leaf(Ty::Int),
        };
        let (start, condition, step) = {
            let variable = || Expr::var(Ty::Int, &counter);
            let by = Expr::constant(Ty::Int, if self.choices.percent(20) { 2 } else { 1 });
            if down {
                let zero = Expr::constant(Ty::Int, 0);
                (limit, Expr::binary(Binary::Gt, variable(), zero), Expr::binary(Binary::Sub, variable(), by))
            } else {
                let first = Expr::constant(Ty::Int, self.choices.below(2) as i64);
                (
                    first,
                    Expr::binary(Binary::Lt, variable(), limit),
                    Expr::binary(Binary::Add, variable(), by),
                )
            }
        };
        self.scope.push((counter.clone(), Ty::Int, false));
        self.loops += 1;
        let body = self.block(nesting);
        self.loops -= 1;
        self.scope.retain(|(name, ..)| *name != counter);
        block.push(Stmt::For(Box::new(For { counter, start, condition, step, body })));
    }

    /// A loop over a counter of its own, with a further condition.
    fn while_loop(&mut self, block: &mut Block, nesting: usize) {
        if self.choices.percent(20) {
            // Nothing makes sure that this one ends.
            let condition = self.expr(Ty::Bool, 2);
            self.loops += 1;
            let body = self.block(nesting);
            self.loops -= 1;
            return block.push(Stmt::While(condition, body));
        }
        let start = match self.choices.below(3) {
            0 => Expr::constant(Ty::Int, self.choices.between(1, 4) as i64),
            _ => self.leaf(Ty::Int),
        };
        let counter = self.tree.fresh("w");
        let variable = || Expr::var(Ty::Int, &counter);
        block.push(Stmt::Let(counter.clone(), start));
        self.scope.push((counter.clone(), Ty::Int, false));
        let mut condition = Expr::binary(Binary::Gt, variable(), Expr::constant(Ty::Int, 0));
        if self.choices.percent(50) {
            condition = Expr::binary(Binary::Both, condition, self.expr(Ty::Bool, 1));
        }
        let step = Expr::binary(Binary::Sub, variable(), Expr::constant(Ty::Int, 1));
        let mut body = vec![Stmt::Assign(variable(), step)];
        self.loops += 1;
        body.extend(self.block(nesting));
        self.loops -= 1;
        block.push(Stmt::While(condition, body));
    }

    fn try_statement(&mut self, block: &mut Block, nesting: usize) {
        let mut body = self.block(nesting);
        if self.choices.percent(50) {
            let condition = self.expr(Ty::Bool, 1);
            let throw = Stmt::Throw(self.choices.pick(&EXCEPTIONS).to_owned());
            body.push(Stmt::If(condition, vec![throw], Block::new()));
        }
        let kinds: &[&str] = self.choices.pick(&[
            &["ArithmeticException"][..],
            &["IllegalStateException", "RuntimeException"],
            &["RuntimeException"],
            &["ArrayIndexOutOfBoundsException", "NullPointerException"],
            &[],
        ]);
        let catches: Vec<_> = kinds.iter().map(|kind| ((*kind).to_owned(), self.block(nesting))).collect();
        let finally =
            if catches.is_empty() || self.choices.percent(25) { self.quiet_block() } else { Block::new() };
        block.push(Stmt::Try(Box::new(Try { body, catches, finally })));
    }

    /// What a `finally` does: no jumps, because they would hide the error.
    fn quiet_block(&mut self) -> Block {
        let base = self.scope.len();
        let mut block = Block::new();
        if self.choices.percent(50) {
            self.print(&mut block)
        } else {
            self.assignment(&mut block)
        }
        self.scope.truncate(base);
        block
    }

    fn pick(&mut self, ty: Ty) -> Option<Expr> {
        let found: Vec<_> = self.scope.iter().filter(|(_, other, _)| *other == ty).cloned().collect();
        (!found.is_empty()).then(|| Expr::var(ty, &self.choices.pick(&found).0))
    }

    /// A variable or a constant.
    fn leaf(&mut self, ty: Ty) -> Expr {
        match self.pick(ty) {
            Some(variable) if ty.is_reference() || self.choices.percent(75) => variable,
            _ => self.constant(ty),
        }
    }

    fn constant(&mut self, ty: Ty) -> Expr {
        let value = match ty {
            Ty::Bool => self.choices.below(2) as i64,
            Ty::Ints | Ty::Node => 0,
            Ty::Int | Ty::Long | Ty::Double => match self.choices.below(8) {
                0 => 7,
                1 => -1,
                2 => 100,
                _ => self.choices.below(5) as i64,
            },
        };
        Expr::constant(ty, value)
    }

    /// An element or a field of this type, if there is an array or a record.
    fn memory(&mut self, ty: Ty) -> Option<Expr> {
        if ty == Ty::Int
            && self.choices.percent(60)
            && let Some(array) = self.pick(Ty::Ints)
        {
            let mut index = self.expr(Ty::Int, 1);
            if self.choices.percent(40) {
                index = Expr::binary(Binary::And, index, Expr::constant(Ty::Int, 3));
            }
            return Some(Expr::new(ty, Kind::Index(Box::new(array), Box::new(index))));
        }
        let object = self.pick(Ty::Node)?;
        let fields: Vec<_> = FIELDS.into_iter().filter(|(_, field)| *field == ty).collect();
        let (field, _) = *fields.get(self.choices.below(fields.len().max(1)))?;
        Some(Expr::new(ty, Kind::Field(Box::new(object), field)))
    }

    fn expr(&mut self, ty: Ty, depth: usize) -> Expr {
        if depth == 0 || self.choices.percent(20) {
            return self.leaf(ty);
        }
        match ty {
            Ty::Bool => self.truth(depth - 1),
            Ty::Ints => self.leaf(ty),
            Ty::Node => match self.memory(Ty::Node) {
                Some(next) if self.choices.percent(20) => next,
                _ => self.leaf(ty),
            },
            Ty::Int | Ty::Long | Ty::Double => self.number(ty, depth - 1),
        }
    }

    fn truth(&mut self, depth: usize) -> Expr {
        match self.choices.below(10) {
            0 => Expr::negated(self.expr(Ty::Bool, depth)),
            1 | 2 => {
                let op = self.choices.pick(&[Binary::Both, Binary::Either]);
                Expr::binary(op, self.expr(Ty::Bool, depth), self.expr(Ty::Bool, depth))
            }
            3 => match self.pick(Ty::Node) {
                Some(object) => {
                    let other = self.leaf(Ty::Node);
                    Expr::binary(self.choices.pick(&[Binary::Eq, Binary::Ne]), object, other)
                }
                None => self.leaf(Ty::Bool),
            },
            _ => {
                let ty = self.choices.weighted(&[(6, Ty::Int), (2, Ty::Long), (1, Ty::Double)]);
                let op = self.choices.pick(&[
                    Binary::Lt,
                    Binary::Le,
                    Binary::Gt,
                    Binary::Ge,
                    Binary::Eq,
                    Binary::Ne,
                ]);
                let left = self.expr(ty, depth);
                let right = if self.choices.percent(50) { self.constant(ty) } else { self.expr(ty, depth) };
                Expr::binary(op, left, right)
            }
        }
    }

    fn number(&mut self, ty: Ty, depth: usize) -> Expr {
        let op = match self.choices.below(20) {
            0..5 => Binary::Add,
            5..8 => Binary::Sub,
            8..10 => Binary::Mul,
            10 if ty != Ty::Double => return self.division(ty, depth),
            11 if ty != Ty::Double => self.choices.pick(&[Binary::And, Binary::Or, Binary::Xor]),
            12 if ty != Ty::Double => {
                let op = self.choices.pick(&[Binary::Shl, Binary::Shr]);
                let count = Expr::constant(Ty::Int, self.choices.below(5) as i64);
                return Expr::binary(op, self.expr(ty, depth), count);
            }
            13 => return Expr::unary(Unary::Neg, self.expr(ty, depth)),
            14 => {
                let condition = self.expr(Ty::Bool, depth);
                let (then, otherwise) = (self.expr(ty, depth), self.expr(ty, depth));
                let kind = Kind::Cond(Box::new(condition), Box::new(then), Box::new(otherwise));
                return Expr::new(ty, kind);
            }
            15 => {
                let from = if ty == Ty::Int { Ty::Long } else { Ty::Int };
                return Expr::new(ty, Kind::Cast(Box::new(self.expr(from, depth))));
            }
            16..18 => match self.memory(ty) {
                Some(memory) => return memory,
                None => Binary::Add,
            },
            _ => return self.leaf(ty),
        };
        Expr::binary(op, self.expr(ty, depth), self.expr(ty, depth))
    }

    fn division(&mut self, ty: Ty, depth: usize) -> Expr {
        let op = self.choices.pick(&[Binary::Div, Binary::Rem]);
        let divisor = if self.choices.percent(50) {
            Expr::constant(ty, self.choices.between(2, 7) as i64)
        } else {
            self.expr(ty, depth)
        };
        Expr::binary(op, self.expr(ty, depth), divisor)
    }
}
