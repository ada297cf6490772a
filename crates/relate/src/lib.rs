//! Relational reasoning about loops: product programs and their coupling invariants.
//!
//! Both versions run their loops side by side, in an alignment that runs suggest ([`Construction`]). Candidates for
//! coupling invariants come from runs of the iterations, from templates, or from a Horn solver; those that do not hold
//! at the start, or are not kept by an iteration, are dropped until the rest is inductive (Houdini). If the loops then
//! always go on together and leave the same way, what they leave behind is related by what was proved, for any number
//! of iterations ([`LoopProduct::prove`]).
//! Over-approximating: after the loops only these invariants are known, for runs on which both loops end.
//!
//! Where runs that do not end count, loops in lockstep also go on forever together. A loop that stands alone needs a
//! proof that it ends (`ranking`).
//!
//! Sources: Houdini (Flanagan and Leino, 2001), Rêve (Felsing et al., 2014), data-driven equivalence checking (Sharma et
//! al., 2013).

mod arithmetic;
mod candidates;
mod construction;
mod equalities;
mod full_unrolling;
mod horn_clauses;
mod houdini;
mod inequality;
mod loop_alignment;
mod postcondition;
mod product;
mod proved;
mod ranking;
mod rendering;
mod reversal;
mod simulation;
mod stuttering;
mod templates;
mod trace_alignment;
mod traces;
mod unrolling;
mod vocabulary;

pub use construction::Construction;
pub use full_unrolling::fully_unrolled;
pub use horn_clauses::LoopClauses;
pub use loop_alignment::{Grouping, are_all_alone, is_shown};
pub use product::{Arithmetic, LoopProduct, ProductLoop, Refutations};
pub use proved::{Fact, Failure, LoopInvariants, Proved};
pub use traces::Traces;
