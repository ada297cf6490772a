//! Measures how the time of a proof grows with the number of loops, and writes what it found to `docs/growth.md`.

mod fit;
#[path = "../../../benches/growth/pairs.rs"]
mod pairs;
mod plot;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use check::{Strategy, Verdict};
use clap::Args;
use ir::Numbers;

use pairs::Layout;

#[derive(Args)]
pub(crate) struct GrowthArguments {
    /// How often each pair is checked; the fastest counts, because only disturbances make it slower.
    #[arg(long, default_value_t = 3)]
    times: usize,
    /// Seconds that a check may take.
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Only the series with this in their names, as in `nested, coupling, math`; the table is shown, not written.
    #[arg(long)]
    only: Option<String>,
}

/// The times of one strategy on pairs of one layout.
pub(crate) struct Series {
    pub(crate) layout: Layout,
    pub(crate) strategy: Strategy,
    pub(crate) numbers: Numbers,
    pub(crate) points: Vec<Point>,
}

/// A pair with this many loops, how long it took, and what was said.
pub(crate) struct Point {
    pub(crate) loops: usize,
    pub(crate) seconds: f64,
    pub(crate) verdict: &'static str,
}

pub(crate) fn run(root: &Path, arguments: &GrowthArguments) -> Result<()> {
    let solver = casekit::workspace::find_solver(root);
    let mut all = Vec::new();
    for layout in [Layout::Sequential, Layout::Nested] {
        for strategy in [Strategy::Auto, Strategy::Coupling] {
            for numbers in [Numbers::Machine, Numbers::Math] {
                let name = format!("{}, {}, {}", layout.name(), strategy.name(), numbers.name());
                if arguments.only.as_ref().is_some_and(|only| !name.contains(only)) {
                    continue;
                }
                let series = measure(layout, strategy, numbers, solver.as_ref(), arguments);
                println!("{} {}", layout.name(), line(&series));
                all.push(series);
            }
        }
    }
    let text = document(&all);
    if arguments.only.is_some() {
        println!("{text}");
        return Ok(());
    }
    let path = root.join("docs/growth.md");
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn measure(
    layout: Layout,
    strategy: Strategy,
    numbers: Numbers,
    solver: Option<&PathBuf>,
    arguments: &GrowthArguments,
) -> Series {
    let limit = Duration::from_secs(arguments.timeout);
    let mut points: Vec<Point> = Vec::new();
    for loops in layout.sizes() {
        let programs = pairs::pair(layout, *loops);
        let mut best: Option<Point> = None;
        for _ in 0..arguments.times.max(1) {
            let start = Instant::now();
            let config = pairs::config(strategy, numbers, limit, solver.cloned());
            let checked = pairs::check(&programs, &config);
            let seconds = start.elapsed().as_secs_f64();
            let verdict = match checked.verdict {
                Verdict::Equivalent(_) => "equivalent",
                Verdict::Different(_) => "different",
                Verdict::Unknown(_) => "unknown",
            };
            if best.as_ref().is_none_or(|best| seconds < best.seconds) {
                best = Some(Point { loops: *loops, seconds, verdict });
            }
        }
        points.extend(best);
    }
    Series { layout, strategy, numbers, points }
}

/// A series as a row of the table.
fn line(series: &Series) -> String {
    let cells: Vec<String> = series
        .points
        .iter()
        .map(|point| {
            let mark = if point.verdict == "equivalent" { "" } else { " (unknown)" };
            format!("{:.0}{mark}", point.seconds * 1000.0)
        })
        .collect();
    let exponent = fit::exponent(&series.points).map_or("-".to_owned(), |exponent| format!("{exponent:.1}"));
    let (strategy, numbers) = (series.strategy.name(), series.numbers.name());
    format!("| {strategy}, {numbers} | {} | {exponent} |", cells.join(" | "))
}

fn document(all: &[Series]) -> String {
    let mut text = String::from(
        "# How the time of a proof grows\n\n\
         The same pair of loops, many times: one after the other, or one in the other.\n\
         The old version adds `3 * i` in each loop, the new one a running value, so that every loop needs a relation of \
         its own.\n\
         `cargo xtask growth` measures and writes this page; `cargo bench -p benches` measures the same with criterion.\n\
         Times are milliseconds, the fastest of several checks in one process; what was not proved is marked.\n\
         The exponent is the slope of the time against the number of loops, both as logarithms, over the larger half \
         of the sizes that were proved: 1 is linear, 2 quadratic.\n",
    );
    for layout in [Layout::Sequential, Layout::Nested] {
        let of_layout: Vec<&Series> = all.iter().filter(|series| series.layout == layout).collect();
        let title = match layout {
            Layout::Sequential => "One after the other",
            Layout::Nested => "One in the other",
        };
        let sizes: Vec<String> = layout.sizes().iter().map(ToString::to_string).collect();
        text += &format!(
            "\n## {title}\n\n| loops | {} | exponent |\n|---|{}---|\n",
            sizes.join(" | "),
            "--:|".repeat(sizes.len())
        );
        for series in &of_layout {
            text += &line(series);
            text.push('\n');
        }
        text += &format!("\n```text\n{}```\n", plot::plot(&of_layout));
    }
    text
}
