//! Runs what continuous integration runs.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::Result;
use oracle::process;

use crate::setup;

/// Formatting, lints and every test; says how long it took.
pub(crate) fn run(root: &Path) -> Result<()> {
    let start = Instant::now();
    setup::install(root)?;
    step(root, &["fmt", "--all", "--check"])?;
    step(root, &["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])?;
    step(root, &["test", "--workspace", "--quiet"])?;
    println!("All tests passed in {:.1} minutes.", start.elapsed().as_secs_f64() / 60.0);
    Ok(())
}

fn step(root: &Path, arguments: &[&str]) -> Result<()> {
    println!("cargo {}", arguments.join(" "));
    process::run(Command::new(env!("CARGO")).args(arguments).current_dir(root))
}
