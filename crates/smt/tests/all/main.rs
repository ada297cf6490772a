//! Terms, their laws and the solver: one program, so that it is linked once.

mod common;
mod deep;
mod horn;
mod laws;
mod solver;
mod text;
