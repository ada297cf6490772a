//! Reads suites: files with a labelled pair in every line, and folders of pairs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use report::bench::LeftOut;

use super::case::Case;
use super::folder_suite;
use super::jsonl_suite;

/// Larger suites would not fit in memory several times over.
const MAX_BYTES: u64 = 512 << 20;

/// What suites hold.
#[derive(Debug, Default)]
pub(crate) struct Suite {
    pub(crate) cases: Vec<Case>,
    /// Files that are in no pair.
    pub(crate) left_out: Vec<LeftOut>,
}

/// All pairs of all suites, in their order. Each has a name of its own.
pub(crate) fn read_all(paths: &[PathBuf]) -> Result<Suite> {
    let mut all = Suite::default();
    for path in paths {
        let suite = read(path)?;
        all.cases.extend(suite.cases);
        all.left_out.extend(suite.left_out);
    }
    let mut places: BTreeMap<String, &str> = BTreeMap::new();
    for case in &all.cases {
        if let Some(before) = places.insert(case.full_name(), &case.place) {
            bail!(
                "{}: there is another pair `{}` at {before}; give each pair a name of its own, or run the suites apart",
                case.place,
                case.full_name()
            );
        }
    }
    Ok(all)
}

/// All pairs of a suite, in its order.
fn read(path: &Path) -> Result<Suite> {
    let shown = path.display();
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => bail!("{shown}: this suite cannot be read: {error}"),
    };
    let suite = if metadata.is_dir() {
        folder_suite::read(path)?
    } else if path.extension().is_some_and(|extension| extension == "jsonl") {
        if metadata.len() > MAX_BYTES {
            bail!("{shown}: the suite is larger than {} MB", MAX_BYTES >> 20);
        }
        match fs::read(path).map(String::from_utf8) {
            Ok(Err(error)) => {
                let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
                bail!("{shown}:{line}: this line is not UTF-8 text");
            }
            Ok(Ok(text)) => {
                Suite { cases: jsonl_suite::parse(&shown.to_string(), &text)?, left_out: Vec::new() }
            }
            Err(error) => bail!("{shown}: this suite cannot be read: {error}"),
        }
    } else {
        bail!("{shown}: a suite is a .jsonl file, or a folder with `Eq` and `NEq` pairs; this is neither");
    };
    if suite.cases.is_empty() {
        let files: Vec<String> =
            suite.left_out.iter().map(|one| format!("\n  {}: {}", one.what, one.why)).collect();
        bail!("{shown}: there is no labelled pair in this suite{}", files.concat());
    }
    Ok(suite)
}
