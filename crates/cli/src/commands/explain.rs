//! `selfsame explain OLD NEW`: a check whose report explains each difference.

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use anyhow::{Context, Result};
use report::RunReport;
use report::explain::Explanation;

use super::check::{Question, check};
use crate::args::{ExplainArguments, Format};
use crate::exit_code::Exit;
use crate::terminal;

/// Bytes of a file of which lines are shown.
const LARGEST_HEADER: u64 = 1 << 20;

/// Runs the command.
pub(super) fn explain(arguments: &ExplainArguments, started: Instant) -> Result<Exit> {
    if arguments.check.dump.is_some() {
        eprintln!("selfsame: `--dump` is for `selfsame check`; `explain` shows explanations");
        return Ok(Exit::BadInput);
    }
    // What cannot be written is known before the work is done.
    if let Some(file) = &arguments.out
        && let Err(error) = fs::File::create(file)
    {
        eprintln!("selfsame: {} cannot be written: {error}", file.display());
        return Ok(Exit::BadInput);
    }
    check(&arguments.check, started, Question::Explain(arguments.out.as_deref()))
}

/// The files of the ways that were not read before, such as headers. What cannot be read is shown without its text.
fn headers(
    explanations: &[Option<Explanation>],
    originals: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for file in explanations.iter().flatten().flat_map(Explanation::files) {
        let is_small = || fs::metadata(file).is_ok_and(|it| it.is_file() && it.len() <= LARGEST_HEADER);
        if !originals.contains_key(file) && !found.contains_key(file) && is_small() {
            let text = fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            found.insert(file.to_owned(), text.unwrap_or_default());
        }
    }
    found
}

/// Shows the explanations of a run. `originals` has the texts of the files as they were written.
pub(super) fn show(
    arguments: &crate::args::CheckArguments,
    out: Option<&std::path::Path>,
    run: &RunReport,
    mut explanations: Vec<Option<Explanation>>,
    originals: &BTreeMap<String, String>,
) -> Result<()> {
    let headers = headers(&explanations, originals);
    let source = |file: &str| originals.get(file).or_else(|| headers.get(file)).map(String::as_str);
    for explanation in explanations.iter_mut().flatten() {
        explanation.add_texts(&source);
    }
    let text = match arguments.format {
        Format::Json => report::explain::render_json(run, &explanations),
        Format::Html => report::explain::render_html(run, &explanations),
        Format::Text => {
            let style = if out.is_some() { report::Style::Plain } else { terminal::style() };
            report::explain::render_text(run, &explanations, style)
        }
    };
    match out {
        Some(file) => fs::write(file, text).with_context(|| format!("{} cannot be written", file.display())),
        None => terminal::print(&text),
    }
}
