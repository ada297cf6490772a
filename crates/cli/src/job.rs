//! What there is to do, as data that a worker gets from its parent.

use serde::{Deserialize, Serialize};

use crate::options::Options;
pub(crate) use crate::units::{Macro, MacroUse};
pub use crate::units::{Source, Sources, Unit};

/// Two versions of a program, or of several in different languages, and what to find out about them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    pub units: Vec<Unit>,
    pub options: Options,
}
