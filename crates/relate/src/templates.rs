//! Templates of coupling invariants beyond linear equalities and orders, a file for each.

mod conditional;
mod congruence;
mod cross_width;
mod entry_guard;
mod quadratic;
