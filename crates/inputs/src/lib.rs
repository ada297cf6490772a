//! Inputs to run both versions on: where they come from, and how they are made smaller.

mod from_model;
mod generate;
mod minimise;
mod mutate;
mod odd;
mod own_state;
mod places;
mod plausible;
mod pool;
mod reals;

pub use from_model::{input_of_model, is_well_formed, wanted_of};
pub use generate::Generator;
pub use minimise::minimise;
pub use mutate::mutate;
pub use odd::odd_arguments;
pub use own_state::without_own_state;
pub use pool::Pool;
