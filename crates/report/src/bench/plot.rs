//! The plots of a benchmark as data, the same for every format: solved pairs over time, and what calls in a row cost.

use super::model::{BenchReport, Score};
use super::paper::Tool;
use super::spread::Spread;

/// Nothing is faster than this on a plot: times are logarithmic.
pub(super) const FASTEST: f64 = 0.001;

/// Lines over two axes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Plot {
    /// The name of its files.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// Whether a line keeps its height until its next point, as a count does.
    pub(crate) steps: bool,
    pub(crate) series: Vec<Series>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Axis {
    pub(crate) title: &'static str,
    pub(crate) kind: AxisKind,
}

/// How values of an axis are spaced and written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AxisKind {
    /// Seconds, on a logarithmic scale.
    Time,
    Count,
    /// From 0 to 100.
    Percent,
}

/// One line.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Series {
    /// The tool, with what the legend adds.
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// All plots that have something to show.
pub(crate) fn plots(report: &BenchReport) -> Vec<Plot> {
    cactus(report).into_iter().chain(against_calls(report)).collect()
}

/// How many pairs each tool solved within a time. None when no pair was solved.
fn cactus(report: &BenchReport) -> Option<Plot> {
    let series = |tool: Tool<'_>| {
        let solved = report.cases.iter().filter_map(|case| tool.result(case));
        let mut seconds: Vec<f64> = solved
            .filter(|(score, _)| *score == Score::Solved)
            .filter_map(|(_, seconds)| Some(seconds?.max(FASTEST)))
            .collect();
        seconds.sort_unstable_by(f64::total_cmp);
        let name = format!("{}: {}", tool.name(), seconds.len());
        Series { name, points: seconds.into_iter().zip((1..).map(f64::from)).collect() }
    };
    let is_shown = |tool: &Tool<'_>| match tool {
        Tool::Strategy(..) => true,
        Tool::Other(other) => other.results.values().any(|result| result.seconds.is_some()),
    };
    let series: Vec<Series> = Tool::all(report).into_iter().filter(is_shown).map(series).collect();
    series.iter().any(|one| !one.points.is_empty()).then_some(Plot {
        name: "solved-within",
        title: "Pairs solved within a time",
        x: Axis { title: "time for a pair", kind: AxisKind::Time },
        y: Axis { title: "pairs solved", kind: AxisKind::Count },
        steps: true,
        series,
    })
}

/// Solved pairs and the median time against the number of calls, where pairs have at least two different ones.
fn against_calls(report: &BenchReport) -> Vec<Plot> {
    let mut numbers: Vec<u32> = report.cases.iter().filter_map(|case| case.calls).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() < 2 {
        return Vec::new();
    }
    let series = |value: fn(&BenchReport, usize, u32) -> f64| {
        let one = |(index, name): (usize, &String)| {
            let points = numbers.iter().map(|calls| (f64::from(*calls), value(report, index, *calls)));
            Series { name: name.clone(), points: points.collect() }
        };
        report.strategies.iter().enumerate().map(one).collect()
    };
    let x = Axis { title: "calls in a row", kind: AxisKind::Count };
    vec![
        Plot {
            name: "calls-solved",
            title: "Solved pairs against the number of calls",
            x,
            y: Axis { title: "pairs solved", kind: AxisKind::Percent },
            steps: false,
            series: series(share_solved),
        },
        Plot {
            name: "calls-time",
            title: "Median time against the number of calls",
            x,
            y: Axis { title: "median time", kind: AxisKind::Time },
            steps: false,
            series: series(median_time),
        },
    ]
}

fn share_solved(report: &BenchReport, strategy: usize, calls: u32) -> f64 {
    let cases: Vec<_> = report.cases.iter().filter(|case| case.calls == Some(calls)).collect();
    let solved = cases.iter().filter(|case| case.runs[strategy].score(case.label) == Score::Solved).count();
    100.0 * solved as f64 / cases.len().max(1) as f64
}

/// Of all pairs with a verdict, solved or not.
fn median_time(report: &BenchReport, strategy: usize, calls: u32) -> f64 {
    let cases = report.cases.iter().filter(|case| case.calls == Some(calls));
    let answered = cases.map(|case| &case.runs[strategy]).filter(|run| run.verdict.is_some());
    Spread::of(answered.map(|run| run.seconds).collect()).median.max(FASTEST)
}

impl Plot {
    /// The plot for those who do not see it.
    pub(crate) fn in_words(&self) -> String {
        let phrase = |one: &Series| match one.points.last() {
            Some((x, y)) => {
                format!("{} reaches {} at {}", one.name, self.y.kind.shown(*y), self.x.kind.shown(*x))
            }
            None => format!("{} has no point", one.name),
        };
        self.series.iter().map(phrase).collect::<Vec<_>>().join("; ")
    }
}

/// A value without the digits that only rounding made.
pub(super) fn plain(value: f64) -> String {
    ((value * 1e6).round() / 1e6).to_string()
}

impl AxisKind {
    /// `10 ms`, `1 s`, `12`, `50%`.
    pub(crate) fn shown(self, value: f64) -> String {
        match self {
            AxisKind::Time if value < 1.0 => format!("{:.0} ms", value * 1000.0),
            AxisKind::Time => format!("{value:.0} s"),
            AxisKind::Count => format!("{value:.0}"),
            AxisKind::Percent => format!("{value:.0}%"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn each_strategy_has_a_point_for_every_solved_pair() {
        let plots = plots(&samples::report());
        let [cactus] = plots.as_slice() else { panic!("one plot expected") };
        assert_eq!(
            cactus.series[0],
            Series { name: "naive: 2".to_owned(), points: vec![(0.05, 1.0), (0.2, 2.0)] }
        );
        assert_eq!(cactus.series[1].points, [(0.002, 1.0)]);
        assert_eq!(cactus.in_words(), "naive: 2 reaches 2 at 200 ms; testing: 1 reaches 1 at 2 ms");
    }

    #[test]
    fn without_a_solved_pair_there_is_nothing_to_draw() {
        let mut report = samples::report();
        report.cases.retain(|case| case.name == "broken");
        assert_eq!(plots(&report), []);
    }

    #[test]
    fn two_numbers_of_calls_are_needed_for_a_line() {
        let mut report = samples::report();
        report.cases.iter_mut().for_each(|case| case.calls = Some(3));
        assert_eq!(plots(&report).len(), 1);
        for (index, case) in report.cases.iter_mut().enumerate() {
            case.calls = Some(1 + u32::try_from(index % 2).unwrap());
        }
        let all = plots(&report);
        let names: Vec<_> = all.iter().map(|plot| plot.name).collect();
        assert_eq!(names, ["solved-within", "calls-solved", "calls-time"]);
        let [first, second] = all[1].series[0].points[..] else { panic!("two points expected") };
        assert!((first.1 - 200.0 / 3.0).abs() < 1e-9 && second == (2.0, 0.0), "{first:?} {second:?}");
        assert_eq!(all[2].series[0].points, [(1.0, 0.125), (2.0, 1.65)]);
    }
}
