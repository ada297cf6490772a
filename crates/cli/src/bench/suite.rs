//! Reads suites: files with a labelled pair in every line, and folders of pairs.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use super::case::Case;
use super::folder_suite;
use super::jsonl_suite;

/// Larger suites would not fit in memory several times over.
const MAX_BYTES: u64 = 512 << 20;

/// All pairs of a suite, in its order.
pub(crate) fn read(path: &Path) -> Result<Vec<Case>> {
    let shown = path.display();
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => bail!("{shown}: this suite cannot be read: {error}"),
    };
    let cases = if metadata.is_dir() {
        folder_suite::read(path)?
    } else if path.extension().is_some_and(|extension| extension == "jsonl") {
        if metadata.len() > MAX_BYTES {
            bail!("{shown}: the suite is larger than {} MB", MAX_BYTES >> 20);
        }
        match fs::read_to_string(path) {
            Ok(text) => jsonl_suite::parse(&shown.to_string(), &text)?,
            Err(error) => bail!("{shown}: this suite cannot be read: {error}"),
        }
    } else {
        bail!("{shown}: a suite is a .jsonl file, or a folder with `Eq` and `NEq` pairs; this is neither");
    };
    if cases.is_empty() {
        bail!("{shown}: there is no labelled pair in this suite");
    }
    Ok(cases)
}
