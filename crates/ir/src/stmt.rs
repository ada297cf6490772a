//! Statements: everything that has an effect, or changes what runs next.

use crate::{ErrorId, Expr, GlobalId, LabelId, LocalId, ProcId, RegionId, ShapeId, Span};

/// Statements that run one after the other.
pub type Block = Vec<Stmt>;

/// A statement with its place in the source.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// What a statement does. `docs/ir.md` has the exact meaning.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    Assign {
        local: LocalId,
        value: Expr,
    },
    AssignGlobal {
        global: GlobalId,
        value: Expr,
    },
    /// Writes one cell of an object; the object must not be null and the index must lie in it.
    Store {
        region: RegionId,
        object: Expr,
        index: Option<Expr>,
        value: Expr,
    },
    /// Allocates an object with zeroed cells. `length` is there exactly when the shape has cells by index.
    /// Where its cells are `unwritten` nothing is promised of them before they are written: no difference rests on them.
    New {
        local: LocalId,
        shape: ShapeId,
        length: Option<Expr>,
        unwritten: bool,
    },
    /// Ends the life of an object: its 64-bit length becomes -1.
    Free {
        object: Expr,
    },
    If {
        condition: Expr,
        then: Block,
        otherwise: Block,
    },
    /// Runs the body again and again; only a jump, a failure or a return ends it.
    Loop {
        label: LabelId,
        body: Block,
    },
    /// Runs the body once; `break` to its label leaves it.
    Scope {
        label: LabelId,
        body: Block,
    },
    /// Leaves an enclosing loop or scope.
    Break(LabelId),
    /// Starts the next iteration of an enclosing loop.
    Continue(LabelId),
    Return(Option<Expr>),
    Call {
        local: Option<LocalId>,
        callee: ProcId,
        args: Vec<Expr>,
    },
    /// Fails with an error, which an enclosing `try` may catch.
    Throw {
        error: ErrorId,
        message: Option<Expr>,
    },
    Try {
        body: Block,
        catches: Vec<Catch>,
    },
    /// Fails with the error unless the condition holds. Front ends put one before all that can go wrong.
    Check {
        condition: Expr,
        error: ErrorId,
    },
    /// An assertion of the source program: fails with the error unless the condition holds.
    Assert {
        condition: Expr,
        error: ErrorId,
    },
    /// Runs on which the condition does not hold are not considered.
    Assume {
        condition: Expr,
    },
    /// Appends a text to what was written to a stream.
    Print {
        stream: Stream,
        text: Expr,
    },
    /// Source that the front end cannot lower. A run that gets here has no meaning for us.
    Unsupported {
        what: String,
    },
}

/// Where a program writes. What is written to one stream has an order; that between two streams is not observed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stream {
    /// The standard output.
    Output,
    /// The standard error output.
    Error,
}

impl Stream {
    pub const ALL: [Stream; 2] = [Stream::Output, Stream::Error];

    /// Its place in lists with one entry for each stream.
    pub fn index(self) -> usize {
        match self {
            Stream::Output => 0,
            Stream::Error => 1,
        }
    }
}

/// A handler of a `try` statement. The first one that matches is run.
#[derive(Clone, PartialEq, Debug)]
pub struct Catch {
    pub kind: CatchKind,
    /// Receives the message of the error, or the null text.
    pub message: Option<LocalId>,
    pub body: Block,
}

/// Which errors a handler catches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CatchKind {
    Any,
    /// These, which the front end lists with all their subclasses.
    Errors(Vec<ErrorId>),
}
