//! A plot of times against sizes in text, both axes logarithmic, so that a power is a straight line.

use super::Series;

const WIDTH: usize = 60;
const HEIGHT: usize = 16;

/// One letter for each series; a legend below.
pub(crate) fn plot(all: &[&Series]) -> String {
    let points = || all.iter().flat_map(|series| &series.points);
    let most_loops = points().map(|point| point.loops).max().unwrap_or(1).max(2) as f64;
    let fastest = points().map(|point| point.seconds).fold(f64::INFINITY, f64::min).max(1e-6);
    let slowest = points().map(|point| point.seconds).fold(0.0, f64::max).max(fastest * 10.0);
    let mut rows = vec![vec![' '; WIDTH + 1]; HEIGHT + 1];
    for (series, letter) in all.iter().zip('a'..) {
        for point in &series.points {
            let x = (point.loops as f64).ln() / most_loops.ln();
            let y = (point.seconds.max(fastest) / fastest).ln() / (slowest / fastest).ln();
            let cell =
                &mut rows[HEIGHT - (y * HEIGHT as f64).round() as usize][(x * WIDTH as f64).round() as usize];
            *cell = if *cell == ' ' { letter } else { '*' };
        }
    }
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let label = match index {
            0 => format!("{slowest:.3} s"),
            HEIGHT => format!("{fastest:.3} s"),
            _ => String::new(),
        };
        let row: String = row.iter().collect();
        text += format!("{label:>10} |{row}").trim_end();
        text.push('\n');
    }
    text += &format!(
        "{:>11}+{}\n{:>12}1 loop{:>width$} loops\n",
        "",
        "-".repeat(WIDTH + 1),
        "",
        most_loops,
        width = WIDTH - 8
    );
    for (series, letter) in all.iter().zip('a'..) {
        text += &format!("{letter}: {}, {}\n", series.strategy.name(), series.numbers.name());
    }
    text + "*: several\n"
}
