//! Checks format and lints.
//!
//! Clippy reads every crate in a way that the build of the tests cannot use: a quarter of the work of a clean build.

use std::path::Path;

use anyhow::Result;

use crate::test::cargo;

pub(crate) fn run(root: &Path) -> Result<()> {
    cargo(root, &["fmt", "--all", "--check"], None)?;
    cargo(root, &["clippy", "--all-targets", "--quiet", "--", "--deny", "warnings"], None)
}
