//! Compares the pairs of `examples/` and shows what selfsame says of them.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use casekit::process;

use crate::setup;

/// A shipped pair, and what its reader should look for.
struct Example {
    old: &'static str,
    new: &'static str,
    about: &'static str,
}

const EXAMPLES: [Example; 4] = [
    Example {
        old: "examples/midpoint/old/Midpoint.java",
        new: "examples/midpoint/new/Midpoint.java",
        about: "A refactoring that is not one: the midpoint of two ints, written in another way.",
    },
    Example {
        old: "examples/leap/old/Calendar.java",
        new: "examples/leap/new/Calendar.java",
        about: "A refactoring that is one: the rule for leap years, turned around.",
    },
    Example {
        old: "examples/saturate/old.c",
        new: "examples/saturate/new.c",
        about: "A branch-free rewriting in C that is right for every pair of bytes.",
    },
    Example {
        old: "examples/checksum/old.c",
        new: "examples/checksum/new.c",
        about: "A C clean-up that drops a cast: what does a `char` become in a sum?",
    },
];

/// Builds the program and runs it on each pair.
pub(crate) fn run(root: &Path) -> Result<()> {
    let start = Instant::now();
    setup::install(root)?;
    process::run(
        Command::new(env!("CARGO"))
            .args(["build", "--release", "--quiet", "--package", "cli"])
            .current_dir(root),
    )?;
    for example in &EXAMPLES {
        println!("\n{}\n$ selfsame check {} {}", example.about, example.old, example.new);
        let mut check = Command::new(env!("CARGO"));
        check.args([
            "run",
            "--release",
            "--quiet",
            "--package",
            "cli",
            "--",
            "check",
            example.old,
            example.new,
        ]);
        let status = check.current_dir(root).status().context("cannot start selfsame")?;
        // 0 is equivalent and 1 is different; a demo that cannot decide its pairs is broken.
        match status.code() {
            Some(0 | 1) => {}
            _ => bail!("selfsame gave no verdict for {} ({status})", example.old),
        }
    }
    println!("\nThat took {:.1} minutes, with the build.", start.elapsed().as_secs_f64() / 60.0);
    Ok(())
}
