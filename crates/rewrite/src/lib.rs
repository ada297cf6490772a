//! Rewritings of programs: each gives a program that does what the given one does.
//!
//! | rewriting | what it does |
//! |---|---|
//! | [`inline_calls`] | bodies instead of calls |
//! | [`outline`] | statements moved into a procedure of their own, in both versions at once |
//! | [`hoist_uses`] | what is read of a call's result, computed right after the call |
//! | [`eliminate_tail_calls`] | loops instead of recursion that only repeats |
//! | [`rotate_loops`] | loops that test at their end instead of at their start |
//! | [`unrotate_loops`] | loops that test at their start instead of in their middle |
//! | [`observe_loops`] | a call of a pure unknown procedure before each iteration, for traces |
//! | [`observe_statements`] | the same wherever a value changes or a way is taken, for paths |
//! | [`restrict`] | a procedure for the inputs that meet a condition, and for no others |
//! | [`assume_instances`] | loops that assume of their indices what a condition says of all numbers |
//! | [`keep_apart`] | a procedure for inputs whose pointers lead to different objects |
//! | [`tell_apart`] | calls that tell the inputs that meet a condition from the others |
//! | [`use_promises`] | calls after which it is known what the procedure promises, if it keeps that |
//!
//! | [`withdraw_bodies`] | procedures without a body; over-approximating, unlike the others |
//!
//! All others are exact. [`unrestrict`] takes the last one back. Debug builds validate what each of them gives, and `tests/laws` lets the interpreter look for a
//! difference on random programs.

mod apart;
mod hoist;
mod inline;
mod instances;
mod observe;
mod observe_statements;
mod outline;
mod promise;
mod restrict;
mod rotate;
mod tail_calls;
mod unrestrict;
mod unrotate;
mod withdraw;

pub use apart::{Other, Pointer, keep_apart};
pub use hoist::hoist_uses;
pub use inline::inline_calls;
pub use instances::{assume_instances, index_names};
pub use observe::{LoopHead, observe_loops};
pub use observe_statements::{Observed, Place, SITE, Site, observe_statements};
pub use outline::{Outlined, RunPath, outline};
pub use promise::{Promises, is_promise, kept, met_at_call, use_promises, without_owner};
pub use restrict::{
    ConditionLiteral, assume, combine, demand_at_calls, holds, never, other_copy, restrict, tell_apart,
};
pub use rotate::rotate_loops;
pub use tail_calls::eliminate_tail_calls;
pub use unrestrict::{is_restricted, unrestrict};
pub use unrotate::unrotate_loops;
pub use withdraw::withdraw_bodies;

/// The program that a rewriting made. Debug builds check that it is well-formed.
fn validated(program: ir::Program, rewriting: &str) -> ir::Program {
    if cfg!(debug_assertions)
        && let Err(faults) = ir::validate(&program)
    {
        panic!("{rewriting} should give a valid program: {}\n{}", faults[0], ir::print(&program));
    }
    program
}
