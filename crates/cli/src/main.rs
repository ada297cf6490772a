//! The program `selfsame`.

fn main() {}
