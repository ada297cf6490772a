//! Runs, their limits and what is compared of them: one program, so that it is linked once.

mod comparing;
mod limits;
mod machine_operators;
mod math_numbers;
mod recording;
mod running;
mod support;
mod texts;
