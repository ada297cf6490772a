//! Summaries of procedures as terms, by merging: one state for all paths that meet, its values if-then-else.
//!
//! What is exact and what is not, part by part:
//!
//! | part | |
//! |---|---|
//! | operators, conversions, control flow, calls, errors, output, heap (`exec`, `exec/eval`, `heap`, `merge`) | exact |
//! | loops and recursion (`exec/loops`, `exec/call`) | exact up to the bound; what is cut has its condition in [`Summary::cut`] |
//! | functions such as `sin`, texts of numbers, bit operations under `math` (`*_functions` and `math` in `exec/eval`) | over-approximating: uninterpreted, the same in both versions, listed in [`Summary::abstractions`] |
//! | one path instead of all (`exec/guide`) | exact where the conditions of the path hold |
//! | abstracted statements (`abstraction`) | over-approximating: functions of what goes in, the same in both versions, for runs that end |
//! | external procedures | as `docs/ir.md` defines them: unknown, the same in both versions |
//! | inputs (`inputs`) | exact; facts about cells of the initial heap are added for the cells that are read |
//! | comparison of heaps (`question`) | sound, incomplete: new objects are matched by the order of their allocation alone |
//!
//! So *unsat* of `assumptions and differ and not unfinished` together with *unsat* of `assumptions and unfinished`
//! proves that the versions are equivalent, and *sat* of the first gives a candidate for a difference.
//!
//! This crate knows neither source languages nor the interpreter: `interp` and `symbolic` judge each other.
#![warn(clippy::wildcard_enum_match_arm, reason = "a new construct must be thought about here")]

mod abstraction;
mod code_facts;
mod config;
mod ending;
mod exec;
mod heap;
mod inputs;
mod iteration;
mod merge;
mod model;
mod notes;
mod path;
mod question;
mod reach;
mod reachable;
mod stack;
mod state;
mod summary;
mod value;

pub use abstraction::{Abstraction, HiddenUse};
pub use config::{Config, Errors, Stopped};
pub use exec::{Followed, Guide, NotFollowed, follow, iteration, summarize, summarize_hiding, unknown_code};
pub use inputs::objects::StaticInput;
pub use inputs::shapes::{ShapeCells, ShapeInfo, ShapeTable};
pub use inputs::types::{InputType, Places, References};
pub use inputs::variables::input_variables;
pub use inputs::{InputRegion, InputValue, Inputs, inputs};
pub use iteration::{Element, Iteration, LoopShape, LoopUse, NotALoop, StatePlace};
pub use model::{Ask, ConcreteInput, ConcreteObject, ConcreteValue, ModelReader, input_terms, preferences};
pub use question::{Question, where_they_differ, where_they_surely_differ, where_undefined};
pub use summary::{Cut, CutKind, Summary, Unsupported};
pub use value::SymValue;
