//! `--labels FILE`: labels that replace those of the suites, each with its reason, for errata and for pairs without one.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use report::bench::{Correction, Label};
use serde::Deserialize;

use super::case::Case;
use super::csv_file;

/// One line: `mine/mid/1,different,machine,the sum overflows`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    case: String,
    label: Label,
    /// `math` or `machine`; both if there is none.
    #[serde(default)]
    numbers: String,
    #[serde(default)]
    reason: String,
}

/// Changes the labels of the pairs that a file names.
pub(crate) fn correct(cases: &mut [Case], path: &Path) -> Result<()> {
    let file = path.display().to_string();
    let mut lines_of: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (number, line) in csv_file::read::<Line>(path)? {
        apply(cases, &line, &mut lines_of, number).with_context(|| format!("{file}:{number}"))?;
    }
    Ok(())
}

fn apply(
    cases: &mut [Case],
    line: &Line,
    lines_of: &mut BTreeMap<(String, String), u64>,
    number: u64,
) -> Result<()> {
    let name = csv_file::full_name(cases, &line.case)?;
    let case = cases.iter_mut().find(|case| case.full_name() == name).expect("the name is that of a pair");
    let both = [("math", &mut case.truth.math), ("machine", &mut case.truth.machine)];
    if !["", "math", "machine"].contains(&line.numbers.as_str()) {
        bail!("`numbers` is `{}`; it is math, machine, or empty for both", line.numbers);
    }
    let mut from = None;
    for (numbers, truth) in both {
        if line.numbers.is_empty() || line.numbers == numbers {
            if let Some(before) = lines_of.insert((name.clone(), numbers.to_owned()), number) {
                bail!("line {before} has a label for `{name}` already");
            }
            from = from.or(*truth);
            *truth = Some(line.label);
        }
    }
    case.corrected = Some(Correction { from, reason: line.reason.clone() });
    Ok(())
}
