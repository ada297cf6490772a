//! Two plots over the number of calls that clients make: how many pairs each strategy solved, and in what time.
//! Only for suites that say how many calls there are.

use super::html::escaped;
use super::model::{BenchReport, Score};
use super::plot::{dashes, look, mark};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 690.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 240.0;

/// What a strategy made of the clients with this many calls.
#[derive(Debug, PartialEq)]
struct Point {
    calls: u32,
    /// Of the pairs, in percent.
    solved: f64,
    /// The median over all of them, solved or not.
    seconds: f64,
}

/// Both plots and what they show in words, or nothing when there are not two different numbers of calls.
pub(crate) fn against_calls(report: &BenchReport) -> Option<String> {
    let numbers = call_numbers(report);
    if numbers.len() < 2 {
        return None;
    }
    let series: Vec<(&str, Vec<Point>)> = report
        .strategies
        .iter()
        .enumerate()
        .map(|(index, strategy)| {
            (strategy.as_str(), numbers.iter().map(|calls| point(report, index, *calls)).collect())
        })
        .collect();
    let slowest =
        series.iter().flat_map(|(_, points)| points).map(|point| point.seconds).fold(0.001, f64::max);
    let solved = panel("solved", "%", &numbers, &series, 100.0, |point| point.solved);
    let time = panel("median time", " s", &numbers, &series, slowest, |point| point.seconds);
    Some(solved + &time)
}

/// The numbers of calls that occur, in order.
fn call_numbers(report: &BenchReport) -> Vec<u32> {
    let mut numbers: Vec<u32> = report.cases.iter().filter_map(|case| case.calls).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn point(report: &BenchReport, strategy: usize, calls: u32) -> Point {
    let cases: Vec<_> = report.cases.iter().filter(|case| case.calls == Some(calls)).collect();
    let solved = cases.iter().filter(|case| case.runs[strategy].score(case.label) == Score::Solved).count();
    let mut seconds: Vec<f64> = cases.iter().map(|case| case.runs[strategy].seconds).collect();
    seconds.sort_unstable_by(f64::total_cmp);
    let middle = seconds.get(seconds.len() / 2).copied().unwrap_or_default();
    Point { calls, solved: 100.0 * solved as f64 / cases.len().max(1) as f64, seconds: middle }
}

fn panel(
    title: &str,
    unit: &str,
    numbers: &[u32],
    series: &[(&str, Vec<Point>)],
    most: f64,
    value: fn(&Point) -> f64,
) -> String {
    let (first, last) = (f64::from(numbers[0]), f64::from(numbers[numbers.len() - 1]));
    let x = |calls: u32| LEFT + (f64::from(calls) - first) / (last - first) * (RIGHT - LEFT);
    let y = |value: f64| BOTTOM - value / most * (BOTTOM - TOP);
    let words: Vec<String> =
        series.iter().map(|(strategy, points)| in_words(strategy, points, unit, value)).collect();
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n<title>{title} against the number of calls</title>\n\
         <desc>{}</desc>\n<g class=\"grid\" fill=\"none\" stroke=\"#d9dce0\">\n",
        escaped(&words.join("; "))
    );
    let label = |x: f64, y: f64, anchor: &str, text: &str| {
        format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" stroke=\"none\" fill=\"#5f6368\">{text}</text>\n"
        )
    };
    for part in 0..=4 {
        let height = most * f64::from(part) / 4.0;
        let shown = if most >= 10.0 { format!("{height:.0}{unit}") } else { format!("{height:.2}{unit}") };
        svg += &format!("<path d=\"M{LEFT} {:.1}H{RIGHT}\"/>", y(height));
        svg += &label(LEFT - 8.0, y(height) + 4.0, "end", &shown);
    }
    for calls in numbers {
        svg += &label(x(*calls), BOTTOM + 18.0, "middle", &calls.to_string());
    }
    svg += &label(f64::midpoint(LEFT, RIGHT), BOTTOM + 42.0, "middle", &format!("calls in a row ({title})"));
    svg += "</g>\n";
    for (index, (strategy, points)) in series.iter().enumerate() {
        let places: Vec<(f64, f64)> = points.iter().map(|point| (x(point.calls), y(value(point)))).collect();
        let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let marks: String = places.iter().map(|(x, y)| mark(index, *x, *y)).collect();
        let row = TOP + 10.0 + 22.0 * index as f64;
        svg += &format!(
            "<g {}><path fill=\"none\" d=\"M{}\"{}/>{marks}{}</g>\n",
            look(index),
            path.join("L"),
            dashes(index),
            mark(index, RIGHT + 39.0, row)
        );
        svg += &format!("<text x=\"{}\" y=\"{}\">{}</text>\n", RIGHT + 64.0, row + 4.0, escaped(strategy));
    }
    svg + "</svg>\n"
}

/// The plot for those who do not see it.
fn in_words(strategy: &str, points: &[Point], unit: &str, value: fn(&Point) -> f64) -> String {
    let all: Vec<String> =
        points.iter().map(|point| format!("{} calls {:.2}{unit}", point.calls, value(point))).collect();
    format!("{strategy}: {}", all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn suites_without_numbers_of_calls_have_no_such_plot() {
        assert_eq!(against_calls(&samples::report()), None);
        let mut one = samples::report();
        one.cases.iter_mut().for_each(|case| case.calls = Some(3));
        assert_eq!(against_calls(&one), None);
    }

    #[test]
    fn each_number_of_calls_is_a_point_of_each_strategy() {
        let mut report = samples::report();
        for (index, case) in report.cases.iter_mut().enumerate() {
            case.calls = Some(1 + u32::try_from(index % 2).unwrap());
        }
        let svg = against_calls(&report).unwrap();
        assert_eq!(svg.matches("<svg").count(), 2);
        let first: Vec<_> = report.cases.iter().filter(|case| case.calls == Some(1)).collect();
        let solved = first.iter().filter(|case| case.runs[0].score(case.label) == Score::Solved).count();
        let share = 100.0 * solved as f64 / first.len() as f64;
        assert_eq!(point(&report, 0, 1).solved, share);
        assert!(svg.contains(&format!("naive: 1 calls {share:.2}%")), "{svg}");
    }
}
