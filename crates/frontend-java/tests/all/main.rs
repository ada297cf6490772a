//! Java in the IR, and Java that runs: one program, so that it is linked once.

mod behaviour;
mod snapshots;
mod structure;
