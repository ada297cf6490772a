//! Writes down the commit that the program is built from, for the reports of benchmarks.

use std::process::Command;

fn main() {
    // What a commit or a change of the sources touches.
    for path in ["../../.git/HEAD", "../../.git/logs/HEAD", "../../crates", "../../Cargo.lock"] {
        println!("cargo:rerun-if-changed={path}");
    }
    if let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) {
        let is_changed =
            git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|text| !text.is_empty());
        let changed = if is_changed { " with changes" } else { "" };
        println!("cargo:rustc-env=SELFSAME_COMMIT={commit}{changed}");
    }
}

/// What git says, or nothing where there is no git or no repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
