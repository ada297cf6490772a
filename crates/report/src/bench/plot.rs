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
/// The colours on a light page; more strategies take them again with other dashes.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#b0568a", "#b07a00", "#3a9bd6", "#1b1b1b"];
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
    /// The times at the left and the right end: 1, 2 or 5 times a power of ten.
    first: f64,
    last: f64,
    /// A step of the count's axis, and how many of them there are.
    step: usize,
    steps: usize,
}

impl Scale {
    fn new(fastest: f64, slowest: f64, solved: usize) -> Scale {
        let ticks = ticks();
        let first = ticks.iter().copied().rfind(|tick| *tick <= fastest).unwrap_or(FASTEST);
        let last = ticks.into_iter().find(|tick| *tick >= slowest && *tick > first).unwrap_or(slowest);
        let step = round_step(solved);
        Scale { first, last, step, steps: solved.div_ceil(step) }
    }

    fn x(&self, seconds: f64) -> f64 {
        LEFT + (seconds / self.first).ln() / (self.last / self.first).ln() * (RIGHT - LEFT)
    }

    fn y(&self, count: usize) -> f64 {
        BOTTOM - count as f64 / (self.step * self.steps) as f64 * (BOTTOM - TOP)
    }

    /// The times that have a line: every tick of a short axis, the powers of ten and the ends of a long one.
    fn lines(&self) -> Vec<f64> {
        let inside: Vec<f64> =
            ticks().into_iter().filter(|tick| (self.first..=self.last).contains(tick)).collect();
        let is_short = inside.len() <= 9;
        let is_power = |tick: f64| (tick.log10() - tick.log10().round()).abs() < 1e-9;
        inside.into_iter().filter(|tick| is_short || is_power(*tick)).collect()
    }
}

/// 1, 2 and 5 times the powers of ten, from a millisecond to a million seconds.
fn ticks() -> Vec<f64> {
    let powers = (-3..=6).map(|power: i32| 10_f64.powi(power));
    powers.flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * power)).collect()
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
    let mut svg = String::from("<g class=\"grid\" fill=\"none\" stroke=\"#d9dce0\">\n");
    for time in scale.lines() {
        let x = scale.x(time);
        svg += &format!("<path d=\"M{x:.1} {TOP}V{BOTTOM}\"/>");
        svg += &format!(
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" stroke=\"none\" fill=\"#5f6368\">{}</text>\n",
            BOTTOM + 18.0,
            tick(time)
        );
    }
    for index in 0..=scale.steps {
        let (count, y) = (index * scale.step, scale.y(index * scale.step));
        svg += &format!("<path d=\"M{LEFT} {y:.1}H{RIGHT}\"/>");
        svg += &format!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" stroke=\"none\" fill=\"#5f6368\">{count}</text>\n",
            LEFT - 8.0,
            y + 4.0
        );
    }
    let middle = f64::midpoint(LEFT, RIGHT);
    svg += &format!(
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" stroke=\"none\" fill=\"#5f6368\">time for a pair</text>\n",
        BOTTOM + 42.0
    );
    let height = f64::midpoint(TOP, BOTTOM);
    svg += &format!(
        "<text transform=\"translate(18 {height}) rotate(-90)\" text-anchor=\"middle\" stroke=\"none\" fill=\"#5f6368\">pairs solved</text>\n</g>\n"
    );
    svg
}

/// `10 ms`, `1 s`, `100 s`.
fn tick(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.0} ms", seconds * 1000.0) } else { format!("{seconds:.0} s") }
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
        "<g {}><path fill=\"none\" d=\"{path}\"{}><title>{}</title></path>{}</g>\n",
        look(index),
        dashes(index),
        escaped(series.strategy),
        mark(index, x, y)
    )
}

/// The class that the page's style colours, and a colour for a picture that was taken out of the page.
pub(super) fn look(index: usize) -> String {
    let number = index % COLOURS.len();
    let colour = COLOURS[number];
    format!("class=\"series c{number}\" stroke=\"{colour}\" fill=\"{colour}\" stroke-width=\"2\"")
}

pub(super) fn dashes(index: usize) -> String {
    match DASHES[index % DASHES.len()] {
        "" => String::new(),
        dashes => format!(" stroke-dasharray=\"{dashes}\""),
    }
}

/// A disc, a square, a triangle or a diamond.
pub(super) fn mark(index: usize, x: f64, y: f64) -> String {
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
            "<g {}><path d=\"M{} {y}h34\"{}/>{}</g>",
            look(index),
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
        assert!(svg.contains(">2 ms</text>") && svg.contains(">200 ms</text>"), "{svg}");
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
        assert_eq!((scale.first, scale.last), (0.001, 50.0));
        assert_eq!(scale.lines(), [0.001, 0.01, 0.1, 1.0, 10.0]);
        assert_eq!(Scale::new(0.12, 1.1, 8).lines(), [0.1, 0.2, 0.5, 1.0, 2.0]);
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
