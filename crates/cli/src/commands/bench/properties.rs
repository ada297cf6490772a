//! `selfsame bench --properties FOLDER`: what series of versions cost, from scratch and after the version before.
//!
//! A series is a folder with versions `v1`, `v2` and so on; the folder that is given is one, or has several.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use report::assertions::figures::{
    Cost, SeriesFigures, VersionFigures, render_csv, render_json, render_markdown, render_text,
};
use report::assertions::{AssertionRun, OutcomeWord};

use crate::args::BenchArguments;
use crate::commands::assertions::{CheckedVersion, Checking, Keeping};
use crate::effort::Effort;
use crate::options::{Assertions, Options, PathStrategy};
use crate::solver_lookup;
use crate::terminal;

/// The ways that are compared: from scratch, and after the version before.
const WAYS: [(PathStrategy, PathStrategy); 2] =
    [(PathStrategy::Full, PathStrategy::Dise), (PathStrategy::Summary, PathStrategy::Summary)];

/// Runs the command. The exit code is 1 if an outcome differs from that of checking from scratch.
pub(super) fn bench(folders: &[PathBuf], arguments: &BenchArguments) -> Result<ExitCode> {
    let solver = solver_lookup::find(arguments.solver.clone()).map_err(anyhow::Error::msg)?;
    let mut series = Vec::new();
    for folder in folders {
        series.extend(series_in(folder)?);
    }
    if let Some(only) = &arguments.only {
        series.retain(|(name, _)| name.contains(only.as_str()));
    }
    if series.is_empty() {
        bail!("there is no series: a folder with versions `v1`, `v2` and so on");
    }
    let mut all = Vec::new();
    for (full, after) in WAYS {
        let name = |strategy: PathStrategy| format!("{strategy:?}").to_lowercase();
        let mut figures = SeriesFigures { strategies: [name(full), name(after)], versions: Vec::new() };
        for (subject, versions) in &series {
            eprintln!("{subject}: {}", name(full));
            let ways = [full, after].map(|strategy| options(arguments, solver.clone(), strategy));
            figures.versions.extend(measure(subject, versions, &ways, arguments.jobs)?);
        }
        all.push(figures);
    }
    terminal::print(&render_text(&all))?;
    if let Some(folder) = &arguments.out {
        fs::create_dir_all(folder)?;
        let files = [
            ("properties.txt", render_text(&all)),
            ("properties.md", render_markdown(&all)),
            ("properties.csv", render_csv(&all)),
            ("properties.json", render_json(&all)),
        ];
        for (name, text) in files {
            let file = folder.join(name);
            fs::write(&file, text).with_context(|| format!("{} cannot be written", file.display()))?;
        }
    }
    let agree = all.iter().flat_map(|figures| &figures.versions).all(|version| version.agree);
    Ok(if agree { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn options(arguments: &BenchArguments, solver: Option<PathBuf>, strategy: PathStrategy) -> Options {
    let (effort, seconds) = Effort::and_seconds(None, Some(arguments.timeout));
    Options {
        solver,
        seconds,
        effort: effort.steps().get(),
        bound: arguments.bound,
        function: arguments.function.clone(),
        assertions: Some(Assertions { strategy, ..Assertions::plain() }),
        ..Options::usual()
    }
}

/// The series of a folder, with the paths of their versions.
fn series_in(folder: &Path) -> Result<Vec<(String, Vec<PathBuf>)>> {
    let name =
        |path: &Path| path.file_name().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
    let own = versions_in(folder)?;
    if !own.is_empty() {
        return Ok(vec![(name(folder), own)]);
    }
    let entries = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    let mut found = Vec::new();
    for path in folders {
        let versions = versions_in(&path)?;
        if !versions.is_empty() {
            found.push((name(&path), versions));
        }
    }
    Ok(found)
}

fn versions_in(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        bail!("{} is no folder", folder.display());
    }
    Ok((1..).map(|number| folder.join(format!("v{number}"))).take_while(|path| path.is_dir()).collect())
}

/// Checks the versions of one series in both ways.
fn measure(
    subject: &str,
    versions: &[PathBuf],
    [full, after]: &[Options; 2],
    jobs: Option<u16>,
) -> Result<Vec<VersionFigures>> {
    let mut found = Vec::new();
    let mut before: Option<CheckedVersion> = None;
    for path in versions {
        let check = |options: &Options, before: Option<&CheckedVersion>| -> Result<(CheckedVersion, Cost)> {
            let mut keeping = Keeping::nothing();
            let mut checking = Checking { options: options.clone(), jobs, keeping: &mut keeping };
            let start = Instant::now();
            let checked =
                checking.version(path, before).map_err(|messages| anyhow::Error::msg(messages.join("\n")))?;
            let cost = cost(&checked.run, start.elapsed().as_secs_f64());
            Ok((checked, cost))
        };
        let (scratch, full_cost) = check(full, None)?;
        let differential = before.as_ref().map(|before| check(after, Some(before))).transpose()?;
        let outcomes = |run: &AssertionRun| run.results.iter().map(|it| it.outcome).collect::<Vec<_>>();
        let count = |word: OutcomeWord| scratch.run.count(word);
        found.push(VersionFigures {
            subject: subject.to_owned(),
            version: path.file_name().map_or_else(String::new, |it| it.to_string_lossy().into_owned()),
            assertions: scratch.run.results.len(),
            holds: count(OutcomeWord::Holds),
            fails: count(OutcomeWord::Fails),
            unknown: count(OutcomeWord::Unknown),
            full: full_cost,
            differential: differential.as_ref().map(|(_, cost)| *cost),
            inherited: differential.as_ref().map_or(0, |(checked, _)| {
                checked.run.results.iter().filter(|result| result.inherited).count()
            }),
            agree: differential
                .as_ref()
                .is_none_or(|(checked, _)| outcomes(&checked.run) == outcomes(&scratch.run)),
        });
        before = Some(differential.map_or(scratch, |(checked, _)| checked));
    }
    Ok(found)
}

fn cost(run: &AssertionRun, seconds: f64) -> Cost {
    Cost {
        solver_calls: run.results.iter().map(|it| u64::from(it.statistics.solver_calls)).sum(),
        states: run.results.iter().map(|it| it.states).sum(),
        seconds,
    }
}
