//! The strategies of our own path, one module with one public function each. `schedule` has their order.

mod bounded;
mod horn;
mod lockstep;
mod naive;
mod refine;
mod same_symbol;
mod testing;
mod unreachability;

pub(crate) use bounded::{LADDER, bounded};
pub(crate) use horn::horn;
pub(crate) use lockstep::{Portfolio, lockstep};
pub(crate) use naive::naive;
pub(crate) use refine::{common_code_use, refine};
pub(crate) use same_symbol::{same_symbol, takes_anything};
pub(crate) use testing::{Effort, testing};
pub(crate) use unreachability::prove_unreachable;
