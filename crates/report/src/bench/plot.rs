//! The cactus plot, drawn as SVG: how many pairs each strategy solved within a time.
//!
//! Time is on a logarithmic scale. Lines differ in colour, dashes and marks, so that no one of them is needed;
//! the colours are those of Okabe and Ito, and come from classes that the page's style defines for light and dark.

use super::html::escaped;
use super::model::{BenchReport, Score};
use super::tables::seconds;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 690.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 360.0;
/// The colours that the style has; more strategies take them again with other dashes.
pub(crate) const COLOURS: usize = 7;
const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];
/// Nothing is faster than this on the plot.
const FASTEST: f64 = 0.001;

/// The times in which a strategy solved what it solved, fastest first.
struct Series<'a> {
    strategy: &'a str,
    seconds: Vec<f64>,
}

/// The plot, or nothing when no pair was solved.
pub(crate) fn cactus(report: &BenchReport) -> Option<String> {
    let series = series(report);
    let solved = series.iter().map(|one| one.seconds.len()).max().filter(|most| *most > 0)?;
    let times = series.iter().flat_map(|one| &one.seconds);
    let (fastest, slowest) =
        times.fold((f64::MAX, FASTEST), |(low, high), time| (low.min(*time), high.max(*time)));
    let scale = Scale::new(fastest, slowest, solved);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-labelledby=\"cactus-title cactus-text\">\n\
         <title id=\"cactus-title\">Pairs solved within a time, by strategy</title>\n\
         <desc id=\"cactus-text\">{}</desc>\n",
        escaped(&in_words(&series))
    );
    svg += &axes(&scale);
    for (index, one) in series.iter().enumerate() {
        svg += &curve(index, one, &scale);
    }
    svg += &legend(&series);
    Some(svg + "</svg>\n")
}

fn series(report: &BenchReport) -> Vec<Series<'_>> {
    let seconds = |index: usize| {
        let solved = report.cases.iter().filter(|case| case.runs[index].score(case.label) == Score::Solved);
        let mut seconds: Vec<f64> = solved.map(|case| case.runs[index].seconds.max(FASTEST)).collect();
        seconds.sort_unstable_by(f64::total_cmp);
        seconds
    };
    let named = report.strategies.iter().enumerate();
    named.map(|(index, strategy)| Series { strategy, seconds: seconds(index) }).collect()
}

/// Where a time and a count are on the picture.
struct Scale {
    /// Powers of ten.
    first_decade: i32,
    last_decade: i32,
    /// A step of the count's axis, and how many of them there are.
    step: usize,
    steps: usize,
}

impl Scale {
    fn new(fastest: f64, slowest: f64, solved: usize) -> Scale {
        let first_decade = fastest.log10().floor() as i32;
        let last_decade = (slowest.log10().ceil() as i32).max(first_decade + 1);
        let step = round_step(solved);
        Scale { first_decade, last_decade, step, steps: solved.div_ceil(step) }
    }

    fn x(&self, seconds: f64) -> f64 {
        let decades = f64::from(self.last_decade - self.first_decade);
        LEFT + (seconds.log10() - f64::from(self.first_decade)) / decades * (RIGHT - LEFT)
    }

    fn y(&self, count: usize) -> f64 {
        BOTTOM - count as f64 / (self.step * self.steps) as f64 * (BOTTOM - TOP)
    }
}

/// A step of 1, 2 or 5 times a power of ten, such that there are at most ten.
fn round_step(most: usize) -> usize {
    let mut power = 1;
    loop {
        if let Some(step) = [power, 2 * power, 5 * power].into_iter().find(|step| most <= 10 * step) {
            return step;
        }
        power *= 10;
    }
}

fn axes(scale: &Scale) -> String {
    let mut svg = String::from("<g class=\"grid\">\n");
    for decade in scale.first_decade..=scale.last_decade {
        let x = scale.x(10_f64.powi(decade));
        svg += &format!("<path d=\"M{x:.1} {TOP}V{BOTTOM}\"/>");
        svg += &format!(
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
            BOTTOM + 18.0,
            tick(decade)
        );
    }
    for index in 0..=scale.steps {
        let (count, y) = (index * scale.step, scale.y(index * scale.step));
        svg += &format!("<path d=\"M{LEFT} {y:.1}H{RIGHT}\"/>");
        svg +=
            &format!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{count}</text>\n", LEFT - 8.0, y + 4.0);
    }
    let middle = f64::midpoint(LEFT, RIGHT);
    svg += &format!(
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">time for a pair</text>\n",
        BOTTOM + 42.0
    );
    let height = f64::midpoint(TOP, BOTTOM);
    svg += &format!(
        "<text transform=\"translate(18 {height}) rotate(-90)\" text-anchor=\"middle\">pairs solved</text>\n</g>\n"
    );
    svg
}

/// `10 ms`, `1 s`, `100 s`.
fn tick(decade: i32) -> String {
    match u32::try_from(decade) {
        Ok(decade) => format!("{} s", 10_u64.saturating_pow(decade)),
        Err(_) => format!("{} ms", 10_f64.powi(decade + 3)),
    }
}

/// A staircase: it rises by one at the time of each solved pair.
fn curve(index: usize, series: &Series<'_>, scale: &Scale) -> String {
    let Some(first) = series.seconds.first() else { return String::new() };
    let mut path = format!("M{:.1} {:.1}", scale.x(*first), scale.y(0));
    for (count, seconds) in series.seconds.iter().enumerate() {
        path += &format!("H{:.1}V{:.1}", scale.x(*seconds), scale.y(count + 1));
    }
    path += &format!("H{RIGHT}");
    let (x, y) = (RIGHT, scale.y(series.seconds.len()));
    format!(
        "<g class=\"series c{}\"><path d=\"{path}\"{}><title>{}</title></path>{}</g>\n",
        index % COLOURS,
        dashes(index),
        escaped(series.strategy),
        mark(index, x, y)
    )
}

fn dashes(index: usize) -> String {
    match DASHES[index % DASHES.len()] {
        "" => String::new(),
        dashes => format!(" stroke-dasharray=\"{dashes}\""),
    }
}

/// A disc, a square, a triangle or a diamond.
fn mark(index: usize, x: f64, y: f64) -> String {
    match index % 4 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"),
        1 => format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"8\" height=\"8\"/>", x - 4.0, y - 4.0),
        2 => format!(
            "<polygon points=\"{x:.1},{:.1} {:.1},{:.1} {:.1},{:.1}\"/>",
            y - 5.0,
            x - 5.0,
            y + 4.0,
            x + 5.0,
            y + 4.0
        ),
        _ => format!(
            "<polygon points=\"{x:.1},{:.1} {:.1},{y:.1} {x:.1},{:.1} {:.1},{y:.1}\"/>",
            y - 5.5,
            x + 5.5,
            y + 5.5,
            x - 5.5
        ),
    }
}

/// The strategies beside the plot, most solved first, as their lines end.
fn legend(series: &[Series<'_>]) -> String {
    let mut order: Vec<usize> = (0..series.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(series[*index].seconds.len()));
    let mut svg = String::from("<g class=\"legend\">\n");
    for (row, index) in order.into_iter().enumerate() {
        let y = TOP + 10.0 + 22.0 * row as f64;
        svg += &format!(
            "<g class=\"series c{}\"><path d=\"M{} {y}h34\"{}/>{}</g>",
            index % COLOURS,
            RIGHT + 22.0,
            dashes(index),
            mark(index, RIGHT + 39.0, y)
        );
        svg += &format!(
            "<text x=\"{}\" y=\"{}\">{}: {}</text>\n",
            RIGHT + 64.0,
            y + 4.0,
            escaped(series[index].strategy),
            series[index].seconds.len()
        );
    }
    svg + "</g>\n"
}

/// The plot for those who do not see it.
fn in_words(series: &[Series<'_>]) -> String {
    let phrase = |one: &Series<'_>| match one.seconds.last() {
        Some(slowest) => {
            format!(
                "{} solved {} pairs, the slowest in {}",
                one.strategy,
                one.seconds.len(),
                seconds(*slowest)
            )
        }
        None => format!("{} solved none", one.strategy),
    };
    series.iter().map(phrase).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn each_strategy_has_a_line_that_rises_with_every_solved_pair() {
        let svg = cactus(&samples::report()).unwrap();
        assert!(svg.contains("naive: 2</text>") && svg.contains("testing: 1</text>"), "{svg}");
        let paths: Vec<&str> = svg.lines().filter(|line| line.contains("<title>")).collect();
        let rises = |line: &str| line.split("d=\"").nth(1).unwrap().matches('V').count();
        let naive = paths.iter().find(|line| line.contains("<title>naive</title>")).unwrap();
        assert_eq!(rises(naive), 2);
        assert!(svg.contains("1 ms</text>") && svg.contains("1 s</text>"), "{svg}");
    }

    #[test]
    fn without_a_solved_pair_there_is_nothing_to_draw() {
        let mut report = samples::report();
        report.cases.retain(|case| case.name == "broken");
        assert_eq!(cactus(&report), None);
    }

    #[test]
    fn what_is_drawn_stays_inside_the_picture() {
        let scale = Scale::new(0.0012, 29.9, 83);
        assert!(scale.x(0.0012) >= LEFT && scale.x(29.9) <= RIGHT);
        assert!(scale.y(83) >= TOP && scale.y(0) <= BOTTOM);
        let one = Scale::new(1.0, 1.0, 1);
        assert!(one.x(1.0).is_finite() && one.y(1) >= TOP);
    }

    #[test]
    fn there_are_at_most_ten_steps() {
        for most in [1, 9, 10, 11, 20, 83, 101, 1000, 12_345] {
            assert!(most <= 10 * round_step(most) && most.div_ceil(round_step(most)) >= 1, "{most}");
        }
        assert_eq!([10, 11, 83, 113].map(round_step), [1, 2, 10, 20]);
    }
}
