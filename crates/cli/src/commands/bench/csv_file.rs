//! Reads the CSV files that a user gives to `bench`. Every error names the file and the line.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use csv::StringRecord;
use serde::de::DeserializeOwned;

use super::case::Case;
use crate::near_names::near;

/// The rows below the head, each with the number of its line.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<(u64, T)>> {
    let (head, rows) = rows(path)?;
    let mut all = Vec::new();
    for (number, row) in rows {
        match row.deserialize::<T>(Some(&head)) {
            Ok(value) => all.push((number, value)),
            Err(error) => bail!("{}:{number}: {}", path.display(), in_words(&error)),
        }
    }
    Ok(all)
}

/// The head and the rows, as text.
pub(crate) fn rows(path: &Path) -> Result<(StringRecord, Vec<(u64, StringRecord)>)> {
    let file = path.display();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => bail!("{file}: this file cannot be read: {error}"),
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let head = match reader.headers() {
        Ok(head) if head.is_empty() => bail!("{file}: this file is empty; its first line names the columns"),
        Ok(head) => head.clone(),
        Err(error) => bail!("{file}:1: {}", in_words(&error)),
    };
    let mut all = Vec::new();
    for row in reader.into_records() {
        match row {
            Ok(row) => all.push((row.position().map_or(0, csv::Position::line), row)),
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                bail!("{file}:{line}: {}", in_words(&error))
            }
        }
    }
    Ok((head, all))
}

/// The words of an error without its place, which stands before it.
fn in_words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the number of columns is {len} here, but {expected_len} in the first line")
        }
        csv::ErrorKind::Deserialize { err, .. } => err.kind().to_string(),
        _ => error.to_string(),
    }
}

/// The full name of the pair that a user means: `suite/case`, or `case` where only one suite has it.
pub(crate) fn full_name(cases: &[Case], wanted: &str) -> Result<String> {
    if cases.iter().any(|case| case.full_name() == wanted) {
        return Ok(wanted.to_owned());
    }
    let with_name: Vec<String> =
        cases.iter().filter(|case| case.name == wanted).map(Case::full_name).collect();
    match with_name.as_slice() {
        [one] => Ok(one.clone()),
        [] => {
            let names: Vec<String> = cases.iter().map(Case::full_name).collect();
            let near = near(wanted, names.iter().map(String::as_str));
            let hint =
                if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
            bail!("no pair is called `{wanted}`{hint}")
        }
        several => bail!("`{wanted}` may be {}; say which", several.join(" or ")),
    }
}
