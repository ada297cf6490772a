//! Shows the report, and writes it in every format.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use report::Style;
use report::bench::{
    BenchReport, ExportFile, export, render_csv, render_html, render_json, render_markdown, render_text,
};

use crate::terminal;

/// The report on standard output.
pub(crate) fn show(report: &BenchReport) -> Result<()> {
    terminal::print(&render_text(report, terminal::style()))
}

/// All formats, as files of a folder.
pub(crate) fn write_all(folder: &Path, report: &BenchReport) -> Result<()> {
    let reports = [
        ("report.txt", render_text(report, Style::Plain)),
        ("report.md", render_markdown(report)),
        ("report.json", render_json(report)),
        ("report.html", render_html(report)),
        ("runs.csv", render_csv(report)),
    ];
    let reports = reports.map(|(path, text)| ExportFile { path: path.to_owned(), text });
    for file in reports.into_iter().chain(export(report)) {
        let path = folder.join(file.path);
        let written =
            path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, file.text));
        written.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    eprintln!("selfsame: the reports are in {}", folder.display());
    Ok(())
}
