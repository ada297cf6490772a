//! How a witness is run on the real thing: written by the worker, which has the programs, for the parent, which has the
//! sources.

use report::Versions;
use serde::{Deserialize, Serialize};

/// How to run both versions on an input on the real thing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Plan {
    Java(Versions<JavaPlan>),
    C(Box<Versions<CPlan>>),
    NotPossible(String),
}

/// One version in Java: the lines that the driver reads, and the report that it should write.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JavaPlan {
    pub input: String,
    pub expected: String,
}

/// One version in C: a driver that includes the user's file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CPlan {
    /// The file that has the function, by its name.
    pub file: String,
    /// Everything after the inclusion of that file.
    pub driver: String,
    pub expected: Expected,
}

/// What a run of a C driver should be like.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Expected {
    pub ending: CEnding,
    pub report: String,
    pub output: Vec<u8>,
    pub error_output: Vec<u8>,
    /// What `main` gives to the system, where it may end by `exit` as well.
    pub status: Option<u8>,
}

/// How a C program ends in our model, as far as the operating system can see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CEnding {
    Normal,
    /// An error that the machine, or the library, or a sanitiser notices.
    Fails {
        error: String,
    },
}
