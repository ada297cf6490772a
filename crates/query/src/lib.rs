//! Questions to the solver: what is asked, who asks, what was answered before, and how hard questions are made easier.
//!
//! Knows terms only, neither programs nor verdicts.
//!
//! | module | what it does | |
//! |---|---|---|
//! | `question` | questions as objects, and tokens for refuted ones | |
//! | `client` | puts questions to a solver | exact |
//! | `cache` | answers of questions that differ only in names | exact |
//! | `nonlinear` | products and quotients as uninterpreted functions | over-approximating |
//! | `cone` | the premises in the cone of influence of a question | over-approximating |
//! | `sat_sweeping` | merges terms that are proved equal | exact |
//! | `decomposition` | proves corresponding parts of two terms equal | exact |

mod cache;
mod client;
mod cone;
mod decomposition;
mod journal;
mod matching;
mod nonlinear;
mod question;
mod sat_sweeping;

pub use client::{Client, Config, Consistency, Equal};
pub use cone::{Reach, conjuncts, relevant};
pub use decomposition::Decomposition;
pub use journal::{Mark, Obligation};
pub use nonlinear::with_symbols;
pub use question::{Asked, GaveUp, Question, Refuted, Violation};
pub use sat_sweeping::{random_assignment, sweep};
