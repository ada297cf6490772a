//! The text form of programs: what `--dump ir` shows and what tests compare. `docs/ir-text.md` has the grammar.

mod cursor;
mod lex;
mod print;
mod print_expr;
mod print_stmt;
mod read;
mod read_expr;
mod read_stmt;
mod words;

pub use print::{
    PrintOptions, print, print_const, print_expr, print_procedure, print_procedure_with, print_stmt_head,
    print_type, print_with,
};
pub use read::{ReadError, read_program};
