//! Summaries and the questions about them, by example: one program, so that it is linked once.

mod common;
mod question;
mod summaries;
