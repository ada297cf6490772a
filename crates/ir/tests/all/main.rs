//! The text form, the validator and the laws of the common language: one program, so that it is linked once.

mod control_flow;
mod depth;
mod laws;
mod same_code;
mod text;
mod validate;
