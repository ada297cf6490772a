//! Random Java and C programs, for tests and campaigns: well-typed, always ending, the same for the same seed.

pub mod c_generator;
pub mod choices;
pub mod datum;
mod generator;
pub mod java_generator;
mod language;
pub mod program;
pub mod shrink;
pub mod source_text;

pub use choices::Choices;
pub use ir::Language;
pub use language::language_parser;
