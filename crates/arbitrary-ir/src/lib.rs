//! Random programs, for tests: always valid, the same for the same seed, and ending on every input.
//!
//! Procedure 0 is the one to run; the others are called from it. Loops count to a small bound, procedures only call
//! later ones or, with a counter that falls, themselves. What would have no meaning (division by zero, null, an index
//! out of range) is checked by statements before, as front ends do.

mod exprs;
mod intrinsics;
mod random;
mod stmts;
mod tables;

pub use random::Random;

use ir::{
    Access, Block, External, Intrinsic, LabelId, Language, Local, LocalId, ProcId, Procedure, Program, Span,
    Stmt, StmtKind, Type,
};

/// What the programs may contain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// At least one.
    pub procedures: usize,
    /// About how many statements a procedure has.
    pub statements: usize,
    /// How deep expressions nest.
    pub depth: usize,
    pub floats: bool,
    /// NaN, the infinities and -0 as constants.
    pub special_floats: bool,
    /// `sin`, `pow` and the other functions of floats that are not algebraic.
    pub transcendental: bool,
    /// `to_bits`, `count_ones` and others that have no meaning under `math` numbers, bit operators included.
    pub bits: bool,
    pub texts: bool,
    pub records: bool,
    pub maps: bool,
    /// Objects, arrays, references and static objects.
    pub heap: bool,
    pub globals: bool,
    pub print: bool,
    /// `throw`, `try`, and checks that may fail.
    pub failures: bool,
    pub assume: bool,
    pub externals: bool,
    pub unsupported: bool,
    /// Shifts by any count and divisions by anything: these have a meaning under `machine` numbers only.
    pub unguarded: bool,
}

impl Config {
    /// All of the language.
    pub fn everything() -> Config {
        Config {
            procedures: 3,
            statements: 12,
            depth: 3,
            floats: true,
            special_floats: true,
            transcendental: true,
            bits: true,
            texts: true,
            records: true,
            maps: true,
            heap: true,
            globals: true,
            print: true,
            failures: true,
            assume: true,
            externals: true,
            unsupported: true,
            unguarded: true,
        }
    }

    /// Booleans and integers, branches, loops and calls; all of it has a meaning in both number models.
    pub fn integers() -> Config {
        Config {
            procedures: 2,
            statements: 10,
            depth: 3,
            floats: false,
            special_floats: false,
            transcendental: false,
            bits: false,
            texts: false,
            records: false,
            maps: false,
            heap: false,
            globals: true,
            print: false,
            failures: true,
            assume: false,
            externals: false,
            unsupported: false,
            unguarded: false,
        }
    }
}

/// The program of a seed.
pub fn program(seed: u64, config: &Config) -> Program {
    let mut generator = Generator::new(seed, config);
    generator.tables();
    generator.headers();
    for index in 0..generator.with_body {
        generator.body(ProcId::from_index(index));
    }
    generator.program
}

struct Generator<'c> {
    config: &'c Config,
    random: Random,
    /// The intrinsics that may be used, with what they give.
    intrinsics: Vec<(Intrinsic, Type)>,
    program: Program,
    /// The procedures before this one have bodies; the others are external.
    with_body: usize,
    /// The procedures that may call themselves: their first parameter is a counter that falls.
    recursive: Vec<bool>,
    /// The line of the next statement.
    line: u32,

    // What follows is about the procedure at hand.
    current: usize,
    locals: Vec<Local>,
    params: usize,
    /// Locals that only the generator assigns: counters.
    reserved: Vec<LocalId>,
    labels: u32,
    /// The loops and scopes around the current statement; whether they are loops.
    targets: Vec<(LabelId, bool)>,
    /// Checks that the expressions of the next statement need.
    pending: Block,
    /// How many statements may still be made.
    budget: usize,
    recursive_calls: usize,
}

impl<'c> Generator<'c> {
    fn new(seed: u64, config: &'c Config) -> Generator<'c> {
        let mut random = Random::new(seed);
        let language = random.pick(&Language::ALL);
        Generator {
            config,
            random,
            intrinsics: Self::allowed_intrinsics(config),
            program: Program::new(language),
            with_body: config.procedures.max(1),
            recursive: Vec::new(),
            line: 1,
            current: 0,
            locals: Vec::new(),
            params: 0,
            reserved: Vec::new(),
            labels: 0,
            targets: Vec::new(),
            pending: Vec::new(),
            budget: 0,
            recursive_calls: 0,
        }
    }

    /// The headers of all procedures, so that bodies can call them.
    fn headers(&mut self) {
        for index in 0..self.with_body {
            let recursive = index > 0 && self.random.one_in(3);
            self.recursive.push(recursive);
            let mut locals = Vec::new();
            if recursive {
                locals.push(Local { name: "$fuel".to_owned(), ty: Type::I32 });
            }
            let at_least = usize::from(index == 0);
            for parameter in 0..at_least + self.random.below(4) {
                let name = self.local_name("p", parameter);
                locals.push(Local { name, ty: self.some_type() });
            }
            let result = (!self.random.one_in(5)).then(|| self.some_type());
            let overloaded = self.random.one_in(3);
            let name = if overloaded { format!("f{index}(…)") } else { format!("f{index}") };
            self.program.procedures.push(Procedure {
                name,
                short_name: format!("f{index}"),
                params: locals.len(),
                locals,
                result,
                body: Some(Vec::new()),
                external: External::default(),
                span: Span::NOWHERE,
                assumptions: Vec::new(),
            });
        }
        if self.config.externals {
            for index in 0..2 {
                let params = self.random.below(3);
                let locals: Vec<Local> = (0..params)
                    .map(|parameter| Local { name: format!("p{parameter}"), ty: self.outside_type() })
                    .collect();
                let result = (!self.random.one_in(4)).then(|| self.outside_type());
                let access = match self.random.one_in(2) {
                    true => Access::Writes,
                    false => self.random.pick(&Access::ALL),
                };
                self.program.procedures.push(Procedure {
                    name: format!("external{index}"),
                    short_name: format!("external{index}"),
                    params,
                    locals,
                    result,
                    body: None,
                    external: External { access, library: false },
                    span: Span::NOWHERE,
                    assumptions: vec![format!("`external{index}` is the same in both versions")],
                });
            }
        }
    }

    /// The type of what goes to code that is not there, or comes from it: often a reference.
    fn outside_type(&mut self) -> Type {
        match self.random.below(4) {
            0 if self.config.heap => self.ref_type(),
            0 | 1 => self.some_type(),
            _ => self.scalar_type(),
        }
    }

    fn body(&mut self, id: ProcId) {
        let procedure = self.program.procedure(id).clone();
        self.current = id.index();
        self.locals = procedure.locals;
        self.params = procedure.params;
        self.reserved = if self.recursive[id.index()] { vec![LocalId(0)] } else { Vec::new() };
        self.labels = 0;
        self.recursive_calls = 0;
        for index in 0..3 + self.random.below(5) {
            let name = self.local_name("v", index);
            let ty = if index == 0 { Type::I32 } else { self.some_type() };
            self.locals.push(Local { name, ty });
        }
        self.budget = self.config.statements;
        let from = self.line;
        let mut body = Vec::new();
        while self.budget > 0 {
            self.stmt(&mut body, 0);
        }
        if let Some(ty) = &procedure.result
            && !self.random.one_in(8)
        {
            let value = self.expr(ty, self.config.depth);
            self.push(&mut body, StmtKind::Return(Some(value)));
        }
        let span = Span { file: ir::FileId(0), line: from, column: 1, end_line: self.line, end_column: 2 };
        let entry = &mut self.program.procedures[id.index()];
        entry.locals = std::mem::take(&mut self.locals);
        entry.body = Some(body);
        entry.span = span;
    }

    /// A name that is new; now and then one that has to be quoted.
    fn local_name(&mut self, stem: &str, index: usize) -> String {
        match self.random.below(12) {
            0 => format!("{stem} {index}"),
            1 => format!("{stem}é`{index}"),
            _ => format!("{stem}{index}"),
        }
    }

    fn fresh_local(&mut self, ty: Type) -> LocalId {
        let id = LocalId::from_index(self.locals.len());
        self.locals.push(Local { name: format!("$t{}", id.0), ty });
        id
    }

    fn fresh_label(&mut self) -> LabelId {
        self.labels += 1;
        LabelId(self.labels - 1)
    }

    /// Adds a statement after the checks that its expressions need.
    fn push(&mut self, block: &mut Block, kind: StmtKind) {
        block.append(&mut self.pending);
        let stmt = self.at_next_line(kind);
        block.push(stmt);
    }

    /// Adds a check before the statement at hand.
    fn require(&mut self, condition: ir::Expr, error: &str) {
        let error = self.program.error_named(error);
        let stmt = self.at_next_line(StmtKind::Check { condition, error });
        self.pending.push(stmt);
    }

    fn at_next_line(&mut self, kind: StmtKind) -> Stmt {
        self.line += 1;
        let span = if self.random.one_in(10) {
            Span::NOWHERE
        } else {
            Span { file: ir::FileId(0), line: self.line, column: 3, end_line: self.line, end_column: 9 }
        };
        Stmt { kind, span }
    }
}
