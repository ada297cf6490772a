//! C in the IR, and C that runs: one program, so that it is linked once.

mod behaviour;
mod lowering;
