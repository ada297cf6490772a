//! Functions of any source tree against mutants of themselves: `cargo xtask mutants PATH...`.
//!
//! Nearly every mutant of a function behaves differently. One that selfsame proves *equivalent* is therefore either a
//! mutant that changes nothing, which a person can see, or the sign of a vacuous proof.
#![expect(clippy::print_stdout, reason = "campaigns speak to the person who runs them")]

mod ask;
mod campaign;
pub mod changes;
pub mod functions;
pub mod lexer;
mod record;
#[cfg(test)]
mod tests;
mod variables;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use arbitrary_source::Language;
use clap::Args;

use ask::Asking;
use campaign::Plan;

#[derive(Args)]
pub struct MutantsArguments {
    /// Source files, and folders of them.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The language of the files that are looked at in folders [default: the one with more files].
    #[arg(long, value_parser = arbitrary_source::language_parser())]
    language: Option<Language>,
    /// How many functions to choose.
    #[arg(long, default_value_t = 100)]
    functions: usize,
    /// How many mutants to make of each.
    #[arg(long, default_value_t = 3)]
    mutants_per_function: usize,
    /// Leave out functions that are longer.
    #[arg(long, default_value_t = 60)]
    max_lines: usize,
    /// Where the random choices start: the same seed gives the same mutants.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seconds each mutant may take.
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,
    /// How many functions are worked on at a time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Where each mutant gets a JSON line; those that are there already are not asked about again
    /// [default: target/mutants/LANGUAGE.jsonl].
    #[arg(long)]
    out: Option<PathBuf>,
    /// The selfsame program [default: target/debug/selfsame].
    #[arg(long)]
    bin: Option<PathBuf>,
    /// A flag for the C preprocessor, such as `-Iinclude` or `-DNAME`; may be given often.
    #[arg(long = "cc-flag", allow_hyphen_values = true)]
    cc_flags: Vec<String>,
}

/// Runs a campaign. Fails when selfsame breaks; what is *equivalent* is for a person to judge.
pub fn run(root: &Path, arguments: &MutantsArguments) -> Result<()> {
    for path in &arguments.paths {
        ensure!(path.exists(), "there is no file or folder {}", path.display());
    }
    let language = match arguments.language {
        Some(language) => language,
        None => campaign::language_of(&arguments.paths)?,
    };
    let program = arguments.bin.clone().unwrap_or_else(|| root.join("target/debug/selfsame"));
    ensure!(
        program.is_file(),
        "there is no program {}: run `cargo build -p cli`, or use `--bin`",
        program.display()
    );
    let folder = root.join("target/mutants");
    let plan = Plan {
        paths: arguments.paths.clone(),
        functions: arguments.functions,
        mutants_per_function: arguments.mutants_per_function,
        max_lines: arguments.max_lines,
        seed: arguments.seed,
        jobs: arguments.jobs,
        out: arguments.out.clone().unwrap_or_else(|| folder.join(format!("{}.jsonl", language.name()))),
        asking: Asking {
            program,
            timeout: arguments.timeout,
            language,
            flags: arguments.cc_flags.clone(),
            folder: folder.join(format!("work-{}", std::process::id())),
        },
        loud: true,
    };
    let records = campaign::run(&plan);
    let _ = std::fs::remove_dir_all(&plan.asking.folder);
    let records = records?;
    println!("{}", record::rates(&records));
    println!("Every mutant is in {}.", plan.out.display());
    let broken = records.iter().filter(|record| record.verdict == "internal error").count();
    if broken > 0 {
        bail!("selfsame broke on {broken} mutants");
    }
    Ok(())
}
