//! The common language of selfsame: typed procedures over structured statements.
//!
//! Every front end lowers to this language; the interpreter and the symbolic executor give it its meaning.
//! The meaning is written down once, for both number models, in `docs/ir.md`.
//! This crate knows no source language, no solver and no meaning: only shapes, names, types and spans.

mod analysis;
mod assumptions;
mod class_use;
mod constant;
mod diagnostic;
mod expr;
mod ids;
mod intrinsic;
mod main_procedure;
mod numbers;
mod pair;
mod program;
mod slots;
mod span;
mod start_up;
mod stmt;
mod subject;
mod text;
mod types;
mod typing;
mod undefined;
mod unshared;
mod validate;
mod walk;

pub use analysis::{
    BlockEffects, Constants, ControlFlow, Dependences, Edge, Effects, Flow, Fragment, Interface, Location,
    Place, Size, Surroundings, WayOut, block_effects, call_components, call_interfaces, calls_of,
    class_renaming, constants, control_slice, effects, flows, for_each_static, interfaces, is_recursive,
    may_not_end, normalise, reachable, reachable_without, recursive_procedures, same_code, same_statements,
    size,
};
pub use assumptions::{
    ASSERTIONS_IN_C, ASSERTIONS_IN_JAVA, CHARACTER_TABLES, CLOSED_WORLD, ENDS_APART, IN_LIBRARY,
    LEFT_TO_RIGHT, NUMBERS_ARE_NO_POINTERS, SAME_COMPILATION, SAME_FILE_NAMES, SAME_LINES, SAME_TIME,
    STREAMS_APART, TEXTS_APART, UNKNOWN_CODE_APART, UNKNOWN_CODE_RETURNS, VOID_POINTERS, assumption_kind,
    is_about_compilation,
};
pub use class_use::ClassUse;
pub use constant::Const;
pub use diagnostic::{Diagnostic, SourceFile};
pub use expr::{BinaryOp, Expr, Intrinsic, Strict, UnaryOp};
pub use ids::{ErrorId, FileId, GlobalId, LabelId, LocalId, ProcId, RegionId, ShapeId, StaticId};
pub use intrinsic::Signature;
pub use main_procedure::{MainArguments, main_arguments};
pub use numbers::Numbers;
pub use pair::{Pair, Side};
pub use program::{
    Access, Annotations, CONDITION_FILE, CONSTANT, CONSTRUCT, Cells, Condition, External, Global, Language,
    Layout, Local, OPAQUE, Postcondition, Procedure, Procedures, Program, Region, Shape, StaticObject,
    Variable, condition_name, is_hidden_field, postcondition_name,
};
pub use slots::{
    Slot, SlotMut, for_each_slot, for_each_slot_mut, for_each_slot_of_expr, for_each_slot_of_expr_mut,
};
pub use span::{Span, Spanned};
pub use start_up::{add_initial_values, entry_point, start_main};
pub use stmt::{Block, Catch, CatchKind, Stmt, StmtKind, Stream};
pub use subject::{Subject, subjects};
pub use text::{
    PrintOptions, ReadError, print, print_const, print_expr, print_procedure, print_procedure_with,
    print_stmt_head, print_type, print_with, read_program,
};
pub use types::{FloatType, IntType, Scalar, Target, Type};
pub use typing::type_of;
pub use undefined::{UNDEFINED, is_undefined, message_of_check};
pub use unshared::hide_unshared;
pub use validate::{Invalid, nests_too_deep, validate};
pub use walk::{
    Written, assigned_locals, blocks, blocks_mut, children, children_mut, first_free_label, for_each_expr,
    for_each_expr_mut, for_each_label_mut, for_each_local_mut, for_each_part, for_each_stmt,
    for_each_stmt_mut, for_each_subexpr, for_each_subexpr_mut, has_loop, loop_nesting, parts_mut,
    steps_walked, written,
};

/// How deep expressions, statements, types and constants may nest in each other, all levels counted together.
/// Everything that walks over a valid program may recurse, because this keeps it within a thread's stack.
pub const MAX_DEPTH: usize = 1000;
