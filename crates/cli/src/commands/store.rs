//! `selfsame store`: lists, shows, cleans up and shares what assertions were found to do.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, bail};
use store::{Record, Store};

use super::assertions::usual_place;
use crate::args::{StoreArguments, StoreCommand};
use crate::exit_code::Exit;
use crate::terminal;

/// How much of a number is shown where it only tells records apart.
const SHORT: usize = 12;

/// Runs the command.
pub(super) fn store(arguments: &StoreArguments) -> Result<Exit> {
    let place = match arguments.store.clone().or_else(usual_place) {
        Some(place) => place,
        None => bail!("there is no cache folder; name a store with `--store`"),
    };
    let mut store = Store::open(&place)?;
    let text = match &arguments.command {
        StoreCommand::List => list(&store.list()?),
        StoreCommand::Show { number } => match store.starting_with(number)?.as_slice() {
            [] => bail!("no number begins with `{number}`; `selfsame store list` shows them"),
            found => found.iter().map(show).collect(),
        },
        StoreCommand::Gc { days } => format!("dropped {} outcomes\n", store.drop_unused(*days)?),
        StoreCommand::Export { file } => {
            let text = store.export()?;
            fs::write(file, &text).with_context(|| format!("{} cannot be written", file.display()))?;
            format!("exported {} outcomes\n", text.lines().count() - 1)
        }
        StoreCommand::Import { file } => {
            let text =
                fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
            let count = store.import(&text).with_context(|| file.display().to_string())?;
            format!("imported {count} outcomes\n")
        }
    };
    terminal::print(&text)?;
    Ok(Exit::AllEquivalent)
}

fn list(records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        let Record { key, outcome, file, line, function, clause, .. } = record;
        let _ = writeln!(
            text,
            "{}  {outcome:<8} {file}:{line}  {function}  {clause}",
            &key[..SHORT.min(key.len())]
        );
    }
    let _ = writeln!(text, "{} outcomes", records.len());
    text
}

fn show(record: &Record) -> String {
    let Record { key, outcome, file, line, function, clause, code, answer, .. } = record;
    let mut text = format!("{key}\n  {outcome}  {file}:{line}  {function}\n  {clause}\n");
    let Record { solver_calls, steps, seconds, .. } = record;
    let _ = writeln!(text, "  {solver_calls} solver calls, {steps} steps, {seconds} seconds");
    if let Ok(answer) = serde_json::from_str::<serde_json::Value>(answer)
        && let Some(call) = answer.pointer("/report/witness/call").and_then(|call| call.as_str())
    {
        let _ = writeln!(text, "  {call}");
    }
    for line in code.lines() {
        let _ = writeln!(text, "  | {line}");
    }
    text
}
