//! Inputs to run both versions on: where they come from, and how they are made smaller.

mod from_model;
mod generate;
mod minimise;
mod mutate;
mod places;
mod pool;
mod reals;

pub(crate) use from_model::{has_least_elements, input_of_model, wanted_of};
pub(crate) use generate::Generator;
pub(crate) use minimise::minimise;
pub(crate) use mutate::mutate;
pub(crate) use pool::Pool;
