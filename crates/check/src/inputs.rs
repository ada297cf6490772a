//! Inputs to run both versions on: where they come from, and how they are made smaller.

mod from_model;
mod generate;
mod minimise;
mod mutate;
mod odd;
mod places;
mod pool;
mod reals;

pub(crate) use from_model::{input_of_model, is_well_formed, wanted_of};
pub(crate) use generate::Generator;
pub(crate) use minimise::minimise;
pub(crate) use mutate::mutate;
pub(crate) use odd::odd_arguments;
pub(crate) use pool::Pool;
