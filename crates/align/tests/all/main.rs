//! Alignments of statements and procedures, by example and by laws: one program, so that it is linked once.

mod laws;
mod procedures;
mod statements;
