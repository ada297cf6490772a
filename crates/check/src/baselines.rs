//! The published methods that ours are compared with. Only the dispatcher of strategies knows them.
//!
//! `ardiff` (with DSE), `imp_s`, `clever` and `reve`, as their papers describe them.

mod ardiff;
mod clever;
mod imp_s;
mod reve;

pub(crate) use ardiff::{Refinement, ardiff};
pub(crate) use clever::clever;
pub(crate) use imp_s::imp_s;
pub(crate) use reve::reve;
