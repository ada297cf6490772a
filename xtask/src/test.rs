//! Runs every test.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::Result;
use casekit::process;
use casekit::share;

use crate::setup;

/// How much of the tests is done.
#[derive(clap::Args)]
pub(crate) struct TestArguments {
    /// Check the costly laws of every case, not of a share of them: versions swapped and against themselves, runs with
    /// `javac` and `cc`.
    #[arg(long)]
    all: bool,
}

/// Builds and runs every test; says how long it took.
pub(crate) fn run(root: &Path, arguments: &TestArguments) -> Result<()> {
    let start = Instant::now();
    setup::install(root)?;
    cargo(root, &["test", "--quiet"], arguments.all.then_some(share::ALL))?;
    println!("All tests passed in {:.1} minutes.", start.elapsed().as_secs_f64() / 60.0);
    Ok(())
}

/// Runs `cargo`, which tells the tests how large a share of their work is wanted.
pub(crate) fn cargo(root: &Path, arguments: &[&str], wanted: Option<&str>) -> Result<()> {
    println!("cargo {}", arguments.join(" "));
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).current_dir(root).envs(wanted.map(|wanted| (share::VARIABLE, wanted)));
    process::run(&mut command)
}
