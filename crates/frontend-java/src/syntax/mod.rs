//! The syntax of Java as the lowering sees it: declarations, statements and expressions with their places.
//!
//! `parse` makes it from source text; nothing here knows types or meanings.
//! What the reader does not know stays as an `Unsupported` node, so that it costs only the paths that reach it.

mod completion;
mod decl;
mod escapes;
mod expr;
mod literal;
mod nameless;
mod operators;
mod parse;
mod place;
mod plain;
mod stmt;
mod walk;
mod words;

use std::collections::BTreeSet;

use ir::Span;
use serde::{Deserialize, Serialize};

pub(crate) use nameless::{Nameless, NamelessClass};
pub(crate) use parse::parse;
#[cfg_attr(not(test), allow(unused_imports, reason = "the build script uses it"))]
pub(crate) use parse::parse_model;
pub(crate) use words::{Declaration, DeclarationKind, Words, is_name};

/// A source file.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Unit {
    pub(crate) package: String,
    pub(crate) imports: Vec<Import>,
    pub(crate) classes: Vec<ClassDecl>,
    /// The names in code that was not read, such as lambda expressions: anything may be done with them.
    pub(crate) lost_names: BTreeSet<String>,
    /// The classes in the midst of code.
    pub(crate) nameless: Nameless,
    /// What stands in the file; empty for the library model.
    #[serde(skip)]
    pub(crate) words: Words,
}

/// `import a.b.C;`, `import a.b.*;`, and both with `static`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Import {
    /// The names without the `*`.
    pub(crate) path: Vec<String>,
    pub(crate) is_static: bool,
    pub(crate) on_demand: bool,
}

/// The file that a class stands in, as far as it decides what names mean.
#[derive(Clone, Copy)]
pub(crate) struct FileScope<'a> {
    /// Which file it is; all of the library model counts as one.
    pub(crate) file: Option<usize>,
    pub(crate) package: &'a str,
    pub(crate) imports: &'a [Import],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum ClassKind {
    Class,
    Interface,
    Enum,
    Record,
}

/// What modifiers say, as far as it matters here.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Modifiers {
    pub(crate) is_static: bool,
    pub(crate) is_final: bool,
    pub(crate) is_abstract: bool,
    pub(crate) is_private: bool,
    pub(crate) is_protected: bool,
    pub(crate) is_public: bool,
    pub(crate) is_native: bool,
    pub(crate) is_default: bool,
    /// It says `@Override`.
    pub(crate) is_override: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ClassDecl {
    /// Empty for the class that holds the methods of a file without a class.
    pub(crate) name: String,
    pub(crate) kind: ClassKind,
    pub(crate) modifiers: Modifiers,
    pub(crate) type_params: Vec<String>,
    pub(crate) superclass: Option<TypeRef>,
    pub(crate) interfaces: Vec<TypeRef>,
    pub(crate) constants: Vec<EnumConstant>,
    /// The components of a record.
    pub(crate) components: Vec<ParamDecl>,
    pub(crate) members: Vec<Member>,
    #[serde(with = "place")]
    pub(crate) span: Span,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct EnumConstant {
    pub(crate) name: String,
    pub(crate) args: Vec<Expr>,
    /// The names of the methods in its body.
    pub(crate) own_methods: Vec<String>,
    /// Its arguments and its body as they are written, but for blanks.
    pub(crate) args_text: String,
    pub(crate) body_text: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Member {
    Field(FieldDecl),
    Method(MethodDecl),
    Class(ClassDecl),
    Initializer { is_static: bool, body: Vec<Stmt> },
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FieldDecl {
    pub(crate) modifiers: Modifiers,
    pub(crate) ty: TypeRef,
    pub(crate) name: String,
    pub(crate) init: Option<Expr>,
    #[serde(with = "place")]
    pub(crate) span: Span,
}

/// A method, or a constructor (whose name is `<init>`).
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MethodDecl {
    pub(crate) modifiers: Modifiers,
    pub(crate) type_params: Vec<String>,
    pub(crate) result: TypeRef,
    pub(crate) name: String,
    pub(crate) params: Vec<ParamDecl>,
    pub(crate) varargs: bool,
    /// The compact constructor of a record: its parameters are the record's.
    pub(crate) compact: bool,
    pub(crate) body: Option<Vec<Stmt>>,
    #[serde(with = "place")]
    pub(crate) span: Span,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ParamDecl {
    pub(crate) ty: TypeRef,
    pub(crate) name: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum TypeRef {
    Primitive(Primitive),
    Void,
    /// `a.b.C`, with whether it has type arguments.
    Named(Vec<String>, bool),
    Array(Box<TypeRef>),
    Var,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Primitive {
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    #[serde(with = "place")]
    pub(crate) span: Span,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum StmtKind {
    Empty,
    Local {
        is_final: bool,
        ty: TypeRef,
        name: String,
        init: Option<Expr>,
    },
    /// Several declarations of one statement, or a block without its own scope.
    Sequence(Vec<Stmt>),
    Expr(Expr),
    Block(Vec<Stmt>),
    If {
        condition: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    While {
        condition: Expr,
        body: Box<Stmt>,
    },
    Do {
        body: Box<Stmt>,
        condition: Expr,
    },
    For {
        init: Vec<Stmt>,
        condition: Option<Expr>,
        update: Vec<Expr>,
        body: Box<Stmt>,
    },
    ForEach {
        ty: TypeRef,
        name: String,
        value: Expr,
        body: Box<Stmt>,
    },
    Labeled {
        label: String,
        body: Box<Stmt>,
    },
    Switch(Switch),
    Break(Option<String>),
    Continue(Option<String>),
    Yield(Expr),
    Return(Option<Expr>),
    Throw(Expr),
    Try {
        body: Vec<Stmt>,
        catches: Vec<CatchClause>,
        finally: Option<Vec<Stmt>>,
    },
    Assert {
        condition: Expr,
        message: Option<Expr>,
    },
    /// `this(...)` or `super(...)`.
    ConstructorCall {
        is_super: bool,
        args: Vec<Expr>,
    },
    Unsupported(String),
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CatchClause {
    pub(crate) types: Vec<TypeRef>,
    pub(crate) name: String,
    pub(crate) body: Vec<Stmt>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Switch {
    pub(crate) subject: Box<Expr>,
    pub(crate) groups: Vec<SwitchGroup>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SwitchGroup {
    pub(crate) labels: Vec<Expr>,
    pub(crate) is_default: bool,
    /// `->`: the body does not fall through, and an expression is the value of the switch.
    pub(crate) arrow: bool,
    pub(crate) body: Vec<Stmt>,
    /// The body is one expression (only after an arrow).
    pub(crate) is_value: bool,
    /// A pattern or guard, which is not lowered.
    pub(crate) unsupported: Option<String>,
    #[serde(with = "place")]
    pub(crate) span: Span,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    #[serde(with = "place")]
    pub(crate) span: Span,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Literal {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Char(u16),
    Boolean(bool),
    Text(Vec<u16>),
    Null,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ExprKind {
    Literal(Literal),
    Name(String),
    This,
    /// `Outer.this`.
    OuterThis(String),
    /// `super`, only as the target of a field access or call.
    Super,
    Field {
        object: Box<Expr>,
        name: String,
    },
    Index {
        array: Box<Expr>,
        index: Box<Expr>,
    },
    Call {
        target: Option<Box<Expr>>,
        name: String,
        args: Vec<Expr>,
    },
    New {
        ty: TypeRef,
        args: Vec<Expr>,
    },
    /// `new T[a][b][]`: the type is that of the whole array.
    NewArray {
        ty: TypeRef,
        dims: Vec<Expr>,
    },
    /// `{a, b}`, with the array's type if it was given.
    ArrayInit {
        ty: Option<TypeRef>,
        elements: Vec<Expr>,
    },
    Unary {
        op: UnaryOp,
        arg: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Update {
        increment: bool,
        prefix: bool,
        arg: Box<Expr>,
    },
    Assign {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Compound {
        op: BinaryOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Conditional {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    Cast {
        ty: TypeRef,
        arg: Box<Expr>,
    },
    InstanceOf {
        arg: Box<Expr>,
        ty: TypeRef,
        name: Option<String>,
    },
    Switch(Switch),
    Unsupported(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum UnaryOp {
    Plus,
    Neg,
    Not,
    BitNot,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    UnsignedShr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    AndAlso,
    OrElse,
}
