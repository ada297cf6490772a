//! Random statements.

use ir::{
    BinaryOp, Block, Catch, CatchKind, ErrorId, Expr, GlobalId, IntType, LocalId, ProcId, RegionId, Scalar,
    StmtKind, Stream, Target, Type,
};

use crate::Generator;
use crate::exprs::{binary, compare, int};
use crate::tables::{ARRAYS, CUSTOM, FREEABLE, LEAF, NODE, OUT_OF_BOUNDS, TABLE_CELLS};

/// How deep statements nest.
const NESTING: usize = 3;

/// Up to this counter, procedures may call themselves.
const MOST_FUEL: i128 = 3;

impl Generator<'_> {
    pub(super) fn stmt(&mut self, block: &mut Block, nesting: usize) {
        self.budget = self.budget.saturating_sub(1);
        let depth = self.config.depth;
        match self.random.below(26) {
            0 | 1 if self.config.globals => self.assign_global(block),
            2..=4 if self.config.heap => self.store(block),
            5 | 6 if self.config.heap => self.new_object(block),
            7 if self.config.heap => self.free_or_cast(block),
            8 | 9 if nesting < NESTING => {
                let condition = self.expr(&Type::Bool, depth);
                block.append(&mut self.pending);
                let then = self.block(nesting);
                let otherwise = if self.random.one_in(2) { self.block(nesting) } else { Vec::new() };
                self.push(block, StmtKind::If { condition, then, otherwise });
            }
            10 | 11 if nesting < NESTING => self.counting_loop(block, nesting),
            12 if nesting < NESTING => {
                let label = self.fresh_label();
                self.targets.push((label, false));
                let body = self.block(nesting);
                self.targets.pop();
                self.push(block, StmtKind::Scope { label, body });
            }
            13 if !self.targets.is_empty() => self.jump(block),
            14 if nesting > 0 && self.random.one_in(3) => {
                let result = self.program.procedures[self.current].result.clone();
                let value = result.map(|ty| self.expr(&ty, depth));
                self.push(block, StmtKind::Return(value));
            }
            15 | 16 => self.call(block),
            17 if self.config.failures && nesting > 0 && self.random.one_in(2) => {
                let message = self.config.texts.then(|| self.expr(&Type::Text, 1));
                let error = self.some_error();
                self.push(block, StmtKind::Throw { error, message });
            }
            18 if self.config.failures && nesting < NESTING => self.try_stmt(block, nesting),
            19 if self.config.failures => {
                let condition = self.likely(depth);
                let error = self.some_error();
                let kind = if self.random.one_in(2) {
                    StmtKind::Check { condition, error }
                } else {
                    StmtKind::Assert { condition, error }
                };
                self.push(block, kind);
            }
            20 if self.config.assume => {
                let condition = self.likely(depth);
                self.push(block, StmtKind::Assume { condition });
            }
            21 if self.config.print && self.config.texts => {
                let text = self.text(depth);
                let stream = if self.random.one_in(4) { Stream::Error } else { Stream::Output };
                self.push(block, StmtKind::Print { stream, text });
            }
            22 if self.config.unsupported && nesting > 0 && self.random.one_in(4) => {
                self.push(block, StmtKind::Unsupported { what: "a \"thing\" with é".to_owned() });
            }
            _ => self.assign(block),
        }
    }

    /// A condition that holds more often than not.
    fn likely(&mut self, depth: usize) -> Expr {
        let [lhs, rhs] = [0, 1].map(|_| self.expr(&Type::Bool, depth));
        binary(BinaryOp::Or, Scalar::Bool, lhs, rhs)
    }

    fn block(&mut self, nesting: usize) -> Block {
        let mut block = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            if self.budget > 0 {
                self.stmt(&mut block, nesting + 1);
            }
        }
        block
    }

    /// The locals that statements may assign.
    fn assignable(&self) -> Vec<LocalId> {
        let all = (0..self.locals.len()).map(LocalId::from_index);
        all.filter(|local| !self.reserved.contains(local)).collect()
    }

    fn assign(&mut self, block: &mut Block) {
        let local = self.random.pick(&self.assignable());
        let ty = self.locals[local.index()].ty.clone();
        let value = self.expr(&ty, self.config.depth);
        self.push(block, StmtKind::Assign { local, value });
    }

    fn assign_global(&mut self, block: &mut Block) {
        let globals: Vec<usize> =
            (0..self.program.globals.len()).filter(|index| !self.program.globals[*index].constant).collect();
        if globals.is_empty() {
            return self.assign(block);
        }
        let global = GlobalId::from_index(self.random.pick(&globals));
        let ty = self.program.global(global).ty.clone();
        let value = self.expr(&ty, self.config.depth);
        self.push(block, StmtKind::AssignGlobal { global, value });
    }

    fn store(&mut self, block: &mut Block) {
        let writable: Vec<RegionId> = (0..self.program.regions.len())
            .map(RegionId::from_index)
            .filter(|it| *it != TABLE_CELLS)
            .collect();
        let region = self.random.pick(&writable);
        let ty = self.program.region(region).value.clone();
        let (object, index) = self.cell(region, self.config.depth);
        let value = self.expr(&ty, self.config.depth);
        self.push(block, StmtKind::Store { region, object, index, value });
    }

    fn new_object(&mut self, block: &mut Block) {
        let shape =
            self.random.pick(&[NODE, NODE, LEAF, ARRAYS[0], ARRAYS[1], ARRAYS[2], ARRAYS[3], ARRAYS[4]]);
        let ancestors = self.program.shape(shape).ancestors.clone();
        let fitting: Vec<LocalId> = self
            .assignable()
            .into_iter()
            .filter(|local| match self.locals[local.index()].ty {
                Type::Ref(Target::Any) => true,
                Type::Ref(Target::Shape(target)) => target == shape || ancestors.contains(&target),
                _ => false,
            })
            .collect();
        let local = if fitting.is_empty() || self.random.one_in(4) {
            self.fresh_local(Type::Ref(Target::Shape(shape)))
        } else {
            self.random.pick(&fitting)
        };
        let length = self.program.length_type(shape).map(|ty| {
            if self.random.one_in(2) {
                return int(ty, 2 + self.random.below(4) as i128);
            }
            let length = self.expr(&Type::Int(ty), 1);
            self.require(compare(BinaryOp::Le, ty, int(ty, 0), length.clone()), OUT_OF_BOUNDS);
            self.require(compare(BinaryOp::Lt, ty, length.clone(), int(ty, 16)), OUT_OF_BOUNDS);
            length
        });
        self.push(block, StmtKind::New { local, shape, length, unwritten: false });
    }

    fn free_or_cast(&mut self, block: &mut Block) {
        if self.random.one_in(2) {
            let object = self.object_of(FREEABLE, 1);
            let ty = IntType::I64;
            let length = Expr::Length { object: Box::new(object.clone()), ty };
            self.require(compare(BinaryOp::Le, ty, int(ty, 0), length), CUSTOM);
            return self.push(block, StmtKind::Free { object });
        }
        let value = self.expr(&Type::Ref(Target::Any), 2);
        let condition = Expr::HasShape { object: Box::new(value.clone()), shapes: vec![NODE, LEAF] };
        let local = self.fresh_local(Type::Ref(Target::Shape(NODE)));
        let then = vec![self.at_next_line(StmtKind::Assign { local, value })];
        self.push(block, StmtKind::If { condition, then, otherwise: Vec::new() });
    }

    /// A loop that counts up to a bound; the counter goes up first, so that `continue` does not keep it from ending.
    fn counting_loop(&mut self, block: &mut Block, nesting: usize) {
        let counter = self.fresh_local(Type::I32);
        self.reserved.push(counter);
        let most = 1 + self.random.below(4) as i128;
        let mut bound = int(IntType::I32, most);
        if self.random.one_in(2) {
            let given = self.leaf(&Type::I32);
            bound = Expr::If {
                condition: Box::new(compare(BinaryOp::Lt, IntType::I32, given.clone(), bound.clone())),
                then: Box::new(given),
                otherwise: Box::new(bound),
            };
        }
        let limit = self.fresh_local(Type::I32);
        self.reserved.push(limit);
        self.push(block, StmtKind::Assign { local: limit, value: bound });
        self.push(block, StmtKind::Assign { local: counter, value: int(IntType::I32, 0) });
        let label = self.fresh_label();
        let condition = compare(BinaryOp::Le, IntType::I32, Expr::Local(limit), Expr::Local(counter));
        let mut body = Vec::new();
        let leave = vec![self.at_next_line(StmtKind::Break(label))];
        self.push(&mut body, StmtKind::If { condition, then: leave, otherwise: Vec::new() });
        let scalar = Scalar::Int(IntType::I32);
        let next = binary(BinaryOp::Add, scalar, Expr::Local(counter), int(IntType::I32, 1));
        self.push(&mut body, StmtKind::Assign { local: counter, value: next });
        self.targets.push((label, true));
        body.append(&mut self.block(nesting));
        self.targets.pop();
        self.push(block, StmtKind::Loop { label, body });
    }

    fn jump(&mut self, block: &mut Block) {
        let (label, is_loop) = self.random.pick(&self.targets);
        let condition = self.expr(&Type::Bool, 1);
        block.append(&mut self.pending);
        let jump =
            if is_loop && self.random.one_in(2) { StmtKind::Continue(label) } else { StmtKind::Break(label) };
        let then = vec![self.at_next_line(jump)];
        self.push(block, StmtKind::If { condition, then, otherwise: Vec::new() });
    }

    fn try_stmt(&mut self, block: &mut Block, nesting: usize) {
        let body = self.block(nesting);
        let mut catches = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let kind = if self.random.one_in(2) {
                CatchKind::Any
            } else {
                CatchKind::Errors((0..self.random.below(3)).map(|_| self.some_error()).collect())
            };
            let texts: Vec<LocalId> = self
                .assignable()
                .into_iter()
                .filter(|local| self.locals[local.index()].ty == Type::Text)
                .collect();
            let message = (!texts.is_empty() && self.random.one_in(2)).then(|| self.random.pick(&texts));
            catches.push(Catch { kind, message, body: self.block(nesting) });
        }
        self.push(block, StmtKind::Try { body, catches });
    }

    fn some_error(&mut self) -> ErrorId {
        ErrorId::from_index(self.random.below(self.program.errors.len()))
    }

    /// A call of a later procedure or, if the counter allows, of this one.
    fn call(&mut self, block: &mut Block) {
        let is_recursive = self.recursive[self.current];
        let in_loop = self.targets.iter().any(|(_, is_loop)| *is_loop);
        if is_recursive && !in_loop && self.recursive_calls < 2 {
            self.recursive_calls += 1;
            return self.call_itself(block);
        }
        let later = self.current + 1..self.program.procedures.len();
        if later.is_empty() {
            return self.assign(block);
        }
        let callee = later.start + self.random.below(later.len());
        let fuel = int(IntType::I32, self.random.below(MOST_FUEL as usize + 1) as i128);
        self.call_with(block, ProcId::from_index(callee), fuel);
    }

    fn call_itself(&mut self, block: &mut Block) {
        let fuel = || Expr::Local(LocalId(0));
        let i32 = IntType::I32;
        let is_positive = compare(BinaryOp::Lt, i32, int(i32, 0), fuel());
        let is_small = compare(BinaryOp::Le, i32, fuel(), int(i32, MOST_FUEL));
        let condition = binary(BinaryOp::And, Scalar::Bool, is_positive, is_small);
        let less = binary(BinaryOp::Sub, Scalar::Int(i32), fuel(), int(i32, 1));
        let mut then = Vec::new();
        self.call_with(&mut then, ProcId::from_index(self.current), less);
        self.push(block, StmtKind::If { condition, then, otherwise: Vec::new() });
    }

    fn call_with(&mut self, block: &mut Block, callee: ProcId, fuel: Expr) {
        let procedure = self.program.procedure(callee);
        let result = procedure.result.clone();
        let params: Vec<Type> = procedure.parameters().iter().map(|local| local.ty.clone()).collect();
        let needs_fuel = self.recursive.get(callee.index()).copied().unwrap_or(false);
        let mut args = Vec::new();
        for (position, ty) in params.iter().enumerate() {
            args.push(if needs_fuel && position == 0 { fuel.clone() } else { self.expr(ty, 2) });
        }
        let local = match result {
            Some(ty) if !self.random.one_in(5) => {
                let fitting: Vec<LocalId> = self
                    .assignable()
                    .into_iter()
                    .filter(|local| self.locals[local.index()].ty == ty)
                    .collect();
                Some(if fitting.is_empty() { self.fresh_local(ty) } else { self.random.pick(&fitting) })
            }
            _ => None,
        };
        self.push(block, StmtKind::Call { local, callee, args });
    }
}
