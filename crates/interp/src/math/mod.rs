//! `math` numbers: all integers and the reals.

mod enclosure;

pub use enclosure::Enclosure;
