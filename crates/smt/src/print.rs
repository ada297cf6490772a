//! Terms as text: readable for people (`dump`), and SMT-LIB for solvers (the rest).

mod dump;
mod encoder;
mod floats;
mod horn;
mod names;
mod query;
mod sharing;
mod smtlib;
mod texts;

pub use encoder::{Encoding, Floats};
pub(crate) use query::Fragment;
pub use query::Query;
