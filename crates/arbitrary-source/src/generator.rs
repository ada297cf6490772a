//! A generator of programs over a dialect: the scope, the budget, and what Java and C write alike.

use crate::choices::Choices;
use crate::source_text::SourceText;

/// How many statements an entry has.
pub(crate) const USUAL_SIZES: [usize; 4] = [3, 6, 10, 16];

/// What a language has of its own.
pub(crate) trait Dialect: Copy + 'static {
    /// An arithmetic type.
    type Prim: Copy;
    /// A type of a variable.
    type Ty: Copy + PartialEq;
    /// What else its generator remembers.
    type State;

    /// The statements, each as likely as its weight says.
    const STATEMENTS: &'static [(usize, Statement<Self>)];
    /// The numeric expressions likewise.
    const NUMBERS: &'static [(usize, Number<Self>)];

    /// A statement that changes something, wherever it stands.
    fn effect_statement(generator: &mut Generator<Self>);
    /// What a statement may depend on.
    fn guard(generator: &mut Generator<Self>, depth: usize) -> String;
    /// A variable or a literal.
    fn numeric_leaf(generator: &mut Generator<Self>) -> (String, Self::Prim);
    /// A numeric expression of an integer type.
    fn integral(generator: &mut Generator<Self>, depth: usize) -> (String, Self::Prim);
    /// The type in which an operator computes.
    fn common(left: Self::Prim, right: Self::Prim) -> Self::Prim;
    /// Whether variables outside of functions may be written here.
    fn writes_globals(state: &Self::State) -> bool;
}

/// How a statement is written.
#[derive(Clone, Copy)]
pub(crate) enum Statement<D: Dialect> {
    Simple(fn(&mut Generator<D>)),
    /// With statements inside, nested at most as deep as said.
    Nested(fn(&mut Generator<D>, usize)),
}

/// How a numeric expression is written; its type comes with it.
pub(crate) type Number<D> = fn(&mut Generator<D>, usize) -> (String, <D as Dialect>::Prim);

/// A variable in scope.
pub(crate) struct Variable<D: Dialect> {
    pub(crate) name: String,
    pub(crate) ty: D::Ty,
    /// Loop counters and constants are read only.
    pub(crate) assignable: bool,
}

/// A method or function that can be called.
#[derive(Clone)]
pub(crate) struct Callable<D: Dialect> {
    pub(crate) name: String,
    pub(crate) params: Vec<D::Ty>,
    pub(crate) result: Option<D::Ty>,
    /// Neither writes memory nor prints: may be called where the order of effects is open.
    pub(crate) pure: bool,
}

pub(crate) struct Generator<D: Dialect> {
    pub(crate) choices: Choices,
    pub(crate) text: SourceText,
    pub(crate) variables: Vec<Variable<D>>,
    /// Static fields, or variables at file scope.
    pub(crate) globals: Vec<Variable<D>>,
    pub(crate) callables: Vec<Callable<D>>,
    pub(crate) result: Option<D::Ty>,
    names: usize,
    /// How many loops (`continue`) and loops or switches (`break`) enclose the statement.
    pub(crate) loops: usize,
    pub(crate) breakables: usize,
    /// Statements that may still be written.
    pub(crate) budget: usize,
    pub(crate) state: D::State,
}

impl<D: Dialect> Generator<D> {
    pub(crate) fn new(choices: Choices, state: D::State) -> Generator<D> {
        Generator {
            choices,
            text: SourceText::default(),
            variables: Vec::new(),
            globals: Vec::new(),
            callables: Vec::new(),
            result: None,
            names: 0,
            loops: 0,
            breakables: 0,
            budget: 0,
            state,
        }
    }

    pub(crate) fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// A variable from here on.
    pub(crate) fn declare(&mut self, name: impl Into<String>, ty: D::Ty) {
        self.variables.push(Variable { name: name.into(), ty, assignable: true });
    }

    /// A variable from here on that is only read.
    pub(crate) fn declare_read_only(&mut self, name: impl Into<String>, ty: D::Ty) {
        self.variables.push(Variable { name: name.into(), ty, assignable: false });
    }

    /// A variable of a wanted type.
    pub(crate) fn pick_variable(&mut self, wanted: impl Fn(&D::Ty) -> bool) -> Option<(String, D::Ty)> {
        let all = self.variables.iter().chain(&self.globals);
        let found: Vec<_> = all.filter(|it| wanted(&it.ty)).map(|it| (it.name.clone(), it.ty)).collect();
        (!found.is_empty()).then(|| self.choices.pick(&found))
    }

    /// The same, if it may be written to here.
    pub(crate) fn pick_assignable(&mut self, wanted: impl Fn(&D::Ty) -> bool) -> Option<(String, D::Ty)> {
        let globals = if D::writes_globals(&self.state) { &self.globals[..] } else { &[] };
        let all = self.variables.iter().chain(globals).filter(|it| it.assignable);
        let found: Vec<_> = all.filter(|it| wanted(&it.ty)).map(|it| (it.name.clone(), it.ty)).collect();
        (!found.is_empty()).then(|| self.choices.pick(&found))
    }

    /// A numeric expression and its type.
    pub(crate) fn number(&mut self, depth: usize) -> (String, D::Prim) {
        match depth {
            0 => D::numeric_leaf(self),
            _ => self.choices.weighted(D::NUMBERS)(self, depth),
        }
    }

    pub(crate) fn comparison(&mut self, depth: usize) -> String {
        let op = self.choices.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let (lhs, _) = self.number(depth);
        let (rhs, _) = self.number(depth);
        format!("({lhs} {op} {rhs})")
    }

    pub(crate) fn bitwise(&mut self, depth: usize) -> (String, D::Prim) {
        let op = self.choices.pick(&["&", "|", "^"]);
        let (lhs, left) = D::integral(self, depth - 1);
        let (rhs, right) = D::integral(self, depth - 1);
        (format!("({lhs} {op} {rhs})"), D::common(left, right))
    }

    /// A few statements, nested at most as deep as said.
    pub(crate) fn statements(&mut self, nesting: usize) {
        let base = self.variables.len();
        if self.budget == 0 {
            D::effect_statement(self);
        }
        for _ in 0..self.choices.between(1, 4).min(self.budget) {
            // A statement before may have used up what was left.
            self.budget = self.budget.saturating_sub(1);
            match self.choices.weighted(D::STATEMENTS) {
                Statement::Simple(write) => write(self),
                Statement::Nested(write) if nesting > 0 => write(self, nesting - 1),
                Statement::Nested(_) => D::effect_statement(self),
            }
        }
        // Declarations at the top of a function stay visible until its end; those of blocks do not.
        if nesting < 3 {
            self.variables.truncate(base);
        }
    }

    pub(crate) fn if_statement(&mut self, nesting: usize) {
        let condition = D::guard(self, 3);
        self.text.open(&format!("if ({condition})"));
        self.statements(nesting);
        if self.choices.percent(25) {
            let condition = D::guard(self, 2);
            self.text.close_and_open(&format!("else if ({condition})"));
            self.statements(nesting);
        }
        if self.choices.percent(50) {
            self.text.close_and_open("else");
            self.statements(nesting);
        }
        self.text.close("");
    }

    /// A line that is reached if a condition holds.
    pub(crate) fn line_if(&mut self, condition: &str, line: &str) {
        self.text.open(&format!("if ({condition})"));
        self.text.line(line);
        self.text.close("");
    }

    /// The body of a loop that was opened, and its end. What was declared since `base` is the loop's own.
    pub(crate) fn loop_body(&mut self, nesting: usize, base: usize, tail: &str) {
        self.loops += 1;
        self.breakables += 1;
        self.statements(nesting);
        self.loops -= 1;
        self.breakables -= 1;
        self.variables.truncate(base);
        self.text.close(tail);
    }

    /// The cases of a switch, most of which end with `break`.
    pub(crate) fn cases(&mut self, cases: &[&str], place_of_default: usize, nesting: usize) {
        self.breakables += 1;
        for (index, case) in cases.iter().enumerate() {
            let head =
                if index == place_of_default { "default:".to_owned() } else { format!("case {case}:") };
            self.text.open(&head);
            self.statements(nesting);
            self.text.close("");
            if self.choices.percent(60) {
                self.text.line("break;");
            }
        }
        self.breakables -= 1;
    }
}
