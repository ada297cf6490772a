//! The strategies, one module with one public function each, and the order in which `auto` tries them.

mod ardiff;
mod bounded;
mod clever;
mod coupling;
mod horn;
mod identical;
mod imp_s;
mod naive;
mod refine;
mod reve;
mod same_symbol;
mod testing;

pub(crate) use ardiff::{Refinement, ardiff};
pub(crate) use bounded::bounded;
pub(crate) use clever::{Covered, clever};
pub(crate) use coupling::{Attempts, coupling};
pub(crate) use horn::horn;
pub(crate) use identical::{SameCode, identical};
pub(crate) use imp_s::imp_s;
pub(crate) use naive::naive;
pub(crate) use refine::refine;
pub(crate) use reve::reve;
pub(crate) use same_symbol::{same_symbol, takes_anything};
pub(crate) use testing::{Effort, testing};
