//! Programs as trees: the part of Java and C that rewrites and mutations understand.
//!
//! One tree prints as Java or as C. Names are unique in their program, so that nothing shadows anything.
//! Expressions only compute, but for calls, whose effects are those of the function.

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Ty {
    Bool,
    Int,
    Long,
    Double,
    /// An array of `int`.
    Ints,
    /// A reference to a record with the fields of `FIELDS`.
    Node,
}

/// The fields of a `Node`.
pub(crate) const FIELDS: [(&str, Ty); 4] =
    [("x", Ty::Int), ("z", Ty::Int), ("y", Ty::Long), ("next", Ty::Node)];

impl Ty {
    /// Whether arithmetic on it wraps around.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self, Ty::Int | Ty::Long)
    }

    pub(crate) fn is_number(self) -> bool {
        self.is_integer() || self == Ty::Double
    }

    pub(crate) fn is_reference(self) -> bool {
        matches!(self, Ty::Ints | Ty::Node)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expr {
    pub(crate) ty: Ty,
    pub(crate) kind: Kind,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Kind {
    /// A number, a truth value as 0 or 1, `null`; for `Double` a number of quarters.
    Const(i64),
    Var(String),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// To the type of the expression.
    Cast(Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Index(Box<Expr>, Box<Expr>),
    /// Java only.
    Length(Box<Expr>),
    Field(Box<Expr>, &'static str),
    Call(String, Vec<Expr>),
    /// A fresh array of zeros: only as the whole value of a `Let`.
    NewInts(u8),
    /// A fresh record of zeros; Java only.
    NewNode,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Neg,
    Not,
    BitNot,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    /// The second operand is an `int`.
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    /// Of truth values, the second operand only if needed.
    Both,
    Either,
}

impl Binary {
    pub(crate) fn is_comparison(self) -> bool {
        matches!(self, Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Eq | Binary::Ne)
    }

    /// Whether `a op b` is `b op a` when neither fails.
    pub(crate) fn commutes(self) -> bool {
        matches!(
            self,
            Binary::Add
                | Binary::Mul
                | Binary::And
                | Binary::Or
                | Binary::Xor
                | Binary::Eq
                | Binary::Ne
                | Binary::Both
                | Binary::Either
        )
    }
}

pub(crate) type Block = Vec<Stmt>;

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stmt {
    Let(String, Expr),
    /// To a variable, an element or a field.
    Assign(Expr, Expr),
    If(Expr, Block, Block),
    While(Expr, Block),
    /// The condition comes after the body, and cannot use what that declares.
    DoWhile(Block, Expr),
    For(Box<For>),
    Break,
    Continue,
    Return(Option<Expr>),
    /// Java only, like `Try`.
    Throw(String),
    Try(Box<Try>),
    /// A word, and a value after it.
    Print(String, Option<Expr>),
    /// A call for its effects.
    Eval(Expr),
}

/// A loop with a counter that only its step changes: `for (int i = start; condition; i = step)`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct For {
    pub(crate) counter: String,
    pub(crate) start: Expr,
    pub(crate) condition: Expr,
    pub(crate) step: Expr,
    pub(crate) body: Block,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Try {
    pub(crate) body: Block,
    pub(crate) catches: Vec<(String, Block)>,
    /// Empty: there is none.
    pub(crate) finally: Block,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) params: Vec<(String, Ty)>,
    pub(crate) result: Option<Ty>,
    pub(crate) body: Block,
}

/// Functions come after those that they call; the last one is compared.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tree {
    pub(crate) is_java: bool,
    /// Overflow of integers is an error: C with undefined overflow.
    pub(crate) overflow_fails: bool,
    pub(crate) globals: Vec<(String, Ty)>,
    pub(crate) functions: Vec<Function>,
    /// Counts the names that were given out.
    pub(crate) names: usize,
}

impl Tree {
    pub(crate) fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    pub(crate) fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    pub(crate) fn is_global(&self, name: &str) -> bool {
        self.globals.iter().any(|(global, _)| global == name)
    }

    /// A copy of a block whose declarations have names of their own.
    pub(crate) fn copy(&mut self, block: &Block) -> Block {
        let mut copy = block.clone();
        let mut declared = Vec::new();
        for_each_stmt(&mut copy, &mut |stmt| declared.extend(declared_name(stmt)));
        for name in declared {
            let fresh = self.fresh("c");
            rename(&mut copy, &name, &fresh);
        }
        copy
    }
}

/// The variable that a statement declares.
pub(crate) fn declared_name(stmt: &Stmt) -> Option<String> {
    match stmt {
        Stmt::Let(name, _) => Some(name.clone()),
        Stmt::For(parts) => Some(parts.counter.clone()),
        _ => None,
    }
}

/// Renames a variable everywhere in a block.
pub(crate) fn rename(block: &mut Block, from: &str, to: &str) {
    for_each_stmt(block, &mut |stmt| {
        if let Stmt::Let(name, _) = stmt
            && name == from
        {
            *name = to.to_owned();
        }
        if let Stmt::For(parts) = stmt
            && parts.counter == from
        {
            parts.counter = to.to_owned();
        }
        for expr in own_exprs(stmt) {
            rename_in(expr, from, to);
        }
    });
}

pub(crate) fn rename_in(expr: &mut Expr, from: &str, to: &str) {
    for_each_expr(expr, &mut |expr| {
        if let Kind::Var(name) = &mut expr.kind
            && name == from
        {
            *name = to.to_owned();
        }
    });
}

/// The expressions of a statement itself, in the order in which they are evaluated (once).
pub(crate) fn own_exprs(stmt: &mut Stmt) -> Vec<&mut Expr> {
    match stmt {
        Stmt::Let(_, value) | Stmt::Eval(value) | Stmt::Return(Some(value)) | Stmt::Print(_, Some(value)) => {
            vec![value]
        }
        Stmt::Assign(place, value) => vec![place, value],
        Stmt::If(condition, ..) | Stmt::While(condition, _) | Stmt::DoWhile(_, condition) => vec![condition],
        Stmt::For(parts) => {
            let For { start, condition, step, .. } = &mut **parts;
            vec![start, condition, step]
        }
        Stmt::Break
        | Stmt::Continue
        | Stmt::Return(None)
        | Stmt::Throw(_)
        | Stmt::Try(_)
        | Stmt::Print(_, None) => Vec::new(),
    }
}

/// The blocks of a statement.
pub(crate) fn own_blocks(stmt: &mut Stmt) -> Vec<&mut Block> {
    match stmt {
        Stmt::If(_, then, otherwise) => vec![then, otherwise],
        Stmt::While(_, body) | Stmt::DoWhile(body, _) => vec![body],
        Stmt::For(parts) => vec![&mut parts.body],
        Stmt::Try(parts) => {
            let Try { body, catches, finally } = &mut **parts;
            let mut blocks = vec![body];
            blocks.extend(catches.iter_mut().map(|(_, block)| block));
            blocks.push(finally);
            blocks
        }
        Stmt::Let(..)
        | Stmt::Assign(..)
        | Stmt::Break
        | Stmt::Continue
        | Stmt::Return(_)
        | Stmt::Throw(_)
        | Stmt::Print(..)
        | Stmt::Eval(_) => Vec::new(),
    }
}

/// The operands of an expression, in the order in which they are evaluated.
pub(crate) fn operands(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        Kind::Const(_) | Kind::Var(_) | Kind::NewInts(_) | Kind::NewNode => Vec::new(),
        Kind::Unary(_, a) | Kind::Cast(a) | Kind::Length(a) | Kind::Field(a, _) => vec![a],
        Kind::Binary(_, a, b) | Kind::Index(a, b) => vec![a, b],
        Kind::Cond(a, b, c) => vec![a, b, c],
        Kind::Call(_, args) => args.iter_mut().collect(),
    }
}

/// A statement list and all below it, outer statements first.
pub(crate) fn for_each_stmt(block: &mut Block, visit: &mut dyn FnMut(&mut Stmt)) {
    for stmt in block {
        visit(stmt);
        for inner in own_blocks(stmt) {
            for_each_stmt(inner, visit);
        }
    }
}

/// An expression and all below it.
pub(crate) fn for_each_expr(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    visit(expr);
    for operand in operands(expr) {
        for_each_expr(operand, visit);
    }
}

/// All expressions in a block.
pub(crate) fn for_each_expr_in(block: &mut Block, visit: &mut dyn FnMut(&mut Expr)) {
    for_each_stmt(block, &mut |stmt| {
        for expr in own_exprs(stmt) {
            for_each_expr(expr, visit);
        }
    });
}

/// A block and all blocks below it, outer ones first.
pub(crate) fn for_each_block(block: &mut Block, visit: &mut dyn FnMut(&mut Block)) {
    visit(block);
    for stmt in block {
        for inner in own_blocks(stmt) {
            for_each_block(inner, visit);
        }
    }
}

/// The constructors that rewrites use.
impl Expr {
    pub(crate) fn new(ty: Ty, kind: Kind) -> Expr {
        Expr { ty, kind }
    }

    pub(crate) fn constant(ty: Ty, value: i64) -> Expr {
        Expr::new(ty, Kind::Const(value))
    }

    pub(crate) fn var(ty: Ty, name: &str) -> Expr {
        Expr::new(ty, Kind::Var(name.to_owned()))
    }

    pub(crate) fn unary(op: Unary, a: Expr) -> Expr {
        Expr::new(a.ty, Kind::Unary(op, Box::new(a)))
    }

    /// Negates a truth value.
    pub(crate) fn negated(a: Expr) -> Expr {
        Expr::unary(Unary::Not, a)
    }

    pub(crate) fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
        let is_truth = op.is_comparison() || matches!(op, Binary::Both | Binary::Either);
        Expr::new(if is_truth { Ty::Bool } else { a.ty }, Kind::Binary(op, Box::new(a), Box::new(b)))
    }

    /// A number as a `long`; the same one, whatever the numbers.
    pub(crate) fn long(a: Expr) -> Expr {
        if a.ty == Ty::Long { a } else { Expr::new(Ty::Long, Kind::Cast(Box::new(a))) }
    }

    pub(crate) fn take(&mut self) -> Expr {
        std::mem::replace(self, Expr::constant(Ty::Int, 0))
    }
}
