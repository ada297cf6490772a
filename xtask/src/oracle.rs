//! The oracle: programs run by our front ends and interpreter, and for real by `javac`/`java` and `gcc`.
//!
//! Where the two disagree, one of us is wrong about the language, and it is not the compiler.
//! Programs come from generators of our own, or from the case files.

pub(crate) mod c_generator;
mod c_runner;
mod campaign;
mod cases;
pub(crate) mod choices;
mod datum;
pub(crate) mod java_generator;
mod java_runner;
pub(crate) mod minimise;
mod ours;
mod program;
mod real;
pub(crate) mod source_text;

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use clap::{Args, ValueEnum};

/// The languages that there are generators for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Language {
    Java,
    C,
}

impl Language {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Language::Java => "java",
            Language::C => "c",
        }
    }
}

#[derive(Args)]
pub(crate) struct OracleArguments {
    /// The language of the programs.
    #[arg(long, value_enum)]
    language: Language,
    /// Run the case files instead of random programs.
    #[arg(long)]
    cases: bool,
    /// How many random programs to make.
    #[arg(long, default_value_t = 1000)]
    programs: u64,
    /// On how many inputs to run each.
    #[arg(long, default_value_t = 20)]
    inputs: usize,
    /// Where the random choices start: the same seed gives the same programs and inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first program, to make one of a campaign again.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// How many batches to run at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Compile C with sanitizers, and demand that they notice exactly the runs that we say have no meaning.
    #[arg(long)]
    sanitize: bool,
    /// How many disagreements to cut down to small programs.
    #[arg(long, default_value_t = 5)]
    minimise: usize,
}

/// Runs a campaign, unless the compilers are missing: then says so.
pub(crate) fn run(root: &Path, arguments: &OracleArguments) -> Result<()> {
    let tools: &[&str] = match arguments.language {
        Language::Java => &["javac", "java"],
        Language::C => &["gcc"],
    };
    for tool in tools {
        if Command::new(tool).arg("--version").output().is_err() {
            println!("Skipped: the oracle needs `{tool}`, which cannot be run here.");
            return Ok(());
        }
    }
    if arguments.cases {
        return cases::run(root, arguments.language, arguments.inputs, arguments.seed);
    }
    campaign::run(&campaign::Plan {
        language: arguments.language,
        programs: arguments.programs,
        inputs: arguments.inputs,
        seed: arguments.seed,
        first: arguments.first,
        jobs: arguments.jobs.max(1),
        sanitize: arguments.sanitize,
        minimised: arguments.minimise,
        folder: root.join("target/oracle").join(arguments.language.name()),
    })
}
