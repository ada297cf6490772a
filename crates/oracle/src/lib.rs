//! The oracle: programs run by our front ends and interpreter, and for real by `javac`/`java` and `gcc`.
//!
//! Where the two disagree, one of us is wrong about the language, and it is not the compiler.
//! Programs come from generators of our own, or from the case files.
#![expect(clippy::print_stdout, reason = "campaigns speak to the person who runs them")]

mod c_runner;
mod campaign;
mod cases;
mod java_runner;
mod minimise;
mod ours;
mod real;
pub mod verdict_oracle;

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use arbitrary_source::Language;
use clap::Args;

#[derive(Args)]
pub struct OracleArguments {
    /// The language of the programs.
    #[arg(long, value_parser = arbitrary_source::language_parser())]
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
pub fn run(root: &Path, arguments: &OracleArguments) -> Result<()> {
    if let Some(tool) = missing_tool(arguments.language) {
        println!("SKIPPED: the oracle needs `{tool}`, which cannot be run here.");
        return Ok(());
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

/// The tool that is missing to run programs of this language, if one is.
pub fn missing_tool(language: Language) -> Option<&'static str> {
    let tools: &[&str] = match language {
        Language::Java => &["javac", "java"],
        Language::C => &["gcc"],
    };
    tools.iter().copied().find(|tool| Command::new(tool).arg("--version").output().is_err())
}
