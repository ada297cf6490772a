//! What stands in a statement or in an expression: operands, names and blocks, one slot for each.
//!
//! The kinds of statements and expressions are listed here once, to be read and to be changed. Whoever wants only the
//! names, the blocks or the operands looks at the slots, and a new kind is thought about here.
//! A name in an expression is read; a name in a statement itself is written, called, raised or jumped to.

use crate::{
    Block, CatchKind, Const, ErrorId, Expr, GlobalId, LabelId, LocalId, ProcId, RegionId, ShapeId, StmtKind,
    Stream,
};

macro_rules! slots {
    ($slot:ident, $of_stmt:ident, $of_expr:ident $(, $mutable:tt)?) => {
        /// One thing that stands in a statement or an expression itself, not in what is inside of it.
        #[derive(Debug)]
        pub enum $slot<'a> {
            /// What is evaluated.
            Expr(&'a $($mutable)? Expr),
            Const(&'a $($mutable)? Const),
            /// Assigned by the statement; for `try`, it gets the message of an error.
            Local(&'a $($mutable)? LocalId),
            Global(&'a $($mutable)? GlobalId),
            Region(&'a $($mutable)? RegionId),
            /// Lengths of objects. A statement that has it ends the life of an object.
            Length,
            /// What is allocated.
            Shape(&'a $($mutable)? ShapeId),
            /// What is asked for.
            Shapes(&'a $($mutable)? Vec<ShapeId>),
            Callee(&'a $($mutable)? ProcId),
            /// Of a loop or scope, or of a jump to it.
            Label(&'a $($mutable)? LabelId),
            /// What may be raised.
            Error(&'a $($mutable)? ErrorId),
            /// What is caught.
            Catch(&'a $($mutable)? CatchKind),
            /// What is written to.
            Stream(&'a $($mutable)? Stream),
            Block(&'a $($mutable)? Block),
        }

        /// The slots of a statement: what it evaluates in order, then its names, then the blocks inside of it in order.
        pub fn $of_stmt<'a>(kind: &'a $($mutable)? StmtKind, visit: &mut dyn FnMut($slot<'a>)) {
            match kind {
                StmtKind::Assign { local, value } => {
                    visit($slot::Expr(value));
                    visit($slot::Local(local));
                }
                StmtKind::AssignGlobal { global, value } => {
                    visit($slot::Expr(value));
                    visit($slot::Global(global));
                }
                StmtKind::Store { region, object, index, value } => {
                    visit($slot::Expr(object));
                    index.into_iter().for_each(|index| visit($slot::Expr(index)));
                    visit($slot::Expr(value));
                    visit($slot::Region(region));
                }
                StmtKind::New { local, shape, length, unwritten: _ } => {
                    length.into_iter().for_each(|length| visit($slot::Expr(length)));
                    visit($slot::Local(local));
                    visit($slot::Shape(shape));
                }
                StmtKind::Free { object } => {
                    visit($slot::Expr(object));
                    visit($slot::Length);
                }
                StmtKind::If { condition, then, otherwise } => {
                    visit($slot::Expr(condition));
                    visit($slot::Block(then));
                    visit($slot::Block(otherwise));
                }
                StmtKind::Loop { label, body } | StmtKind::Scope { label, body } => {
                    visit($slot::Label(label));
                    visit($slot::Block(body));
                }
                StmtKind::Break(label) | StmtKind::Continue(label) => visit($slot::Label(label)),
                StmtKind::Return(value) => value.into_iter().for_each(|value| visit($slot::Expr(value))),
                StmtKind::Call { local, callee, args } => {
                    args.into_iter().for_each(|arg| visit($slot::Expr(arg)));
                    local.into_iter().for_each(|local| visit($slot::Local(local)));
                    visit($slot::Callee(callee));
                }
                StmtKind::Throw { error, message } => {
                    message.into_iter().for_each(|message| visit($slot::Expr(message)));
                    visit($slot::Error(error));
                }
                StmtKind::Try { body, catches } => {
                    visit($slot::Block(body));
                    for catch in catches {
                        visit($slot::Catch(& $($mutable)? catch.kind));
                        let message = & $($mutable)? catch.message;
                        message.into_iter().for_each(|message| visit($slot::Local(message)));
                        visit($slot::Block(& $($mutable)? catch.body));
                    }
                }
                StmtKind::Check { condition, error } | StmtKind::Assert { condition, error } => {
                    visit($slot::Expr(condition));
                    visit($slot::Error(error));
                }
                StmtKind::Assume { condition } => visit($slot::Expr(condition)),
                StmtKind::Print { stream, text } => {
                    visit($slot::Expr(text));
                    visit($slot::Stream(stream));
                }
                StmtKind::Unsupported { what: _ } => {}
            }
        }

        /// The slots of an expression: its operands in order, then its names.
        pub fn $of_expr<'a>(expr: &'a $($mutable)? Expr, visit: &mut dyn FnMut($slot<'a>)) {
            match expr {
                Expr::Const(value) => visit($slot::Const(value)),
                Expr::Local(local) => visit($slot::Local(local)),
                Expr::Global(global) => visit($slot::Global(global)),
                Expr::Unary { arg: only, op: _, ty: _ }
                | Expr::Convert { arg: only, from: _, to: _ }
                | Expr::Fits { arg: only, from: _, to: _ }
                | Expr::Get { record: only, index: _ } => visit($slot::Expr(only)),
                Expr::Binary { lhs, rhs, op: _, ty: _ }
                | Expr::Overflows { lhs, rhs, op: _, ty: _ }
                | Expr::SameRef { lhs, rhs }
                | Expr::SameText { lhs, rhs }
                | Expr::SameMap { lhs, rhs }
                | Expr::Select { map: lhs, key: rhs } => {
                    visit($slot::Expr(lhs));
                    visit($slot::Expr(rhs));
                }
                Expr::If { condition: first, then: second, otherwise: third }
                | Expr::Update { map: first, key: second, value: third } => {
                    visit($slot::Expr(first));
                    visit($slot::Expr(second));
                    visit($slot::Expr(third));
                }
                Expr::Load { region, object, index } => {
                    visit($slot::Expr(object));
                    index.into_iter().for_each(|index| visit($slot::Expr(index)));
                    visit($slot::Region(region));
                }
                Expr::Length { object, ty: _ } => {
                    visit($slot::Expr(object));
                    visit($slot::Length);
                }
                Expr::HasShape { object, shapes } => {
                    visit($slot::Expr(object));
                    visit($slot::Shapes(shapes));
                }
                Expr::Record(operands) | Expr::Intrinsic { args: operands, function: _ } => {
                    operands.into_iter().for_each(|operand| visit($slot::Expr(operand)));
                }
            }
        }
    };
}

slots!(Slot, for_each_slot, for_each_slot_of_expr);
slots!(SlotMut, for_each_slot_mut, for_each_slot_of_expr_mut, mut);
