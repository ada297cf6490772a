//! Chores of the project, written in Rust.

fn main() {}
