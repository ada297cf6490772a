//! Draws a plot as SVG that can be read at a width of 360 pixels.
//!
//! Lines differ in colour, dashes, marks and width, so that no one of these is needed to tell them apart: the first
//! line is the widest, and lines that lie on each other show as bands. The colours are those of Okabe and Ito, and
//! come from classes that the page's style defines for light and dark.

use super::html::escaped;
use super::plot::{Axis, AxisKind, FASTEST, Plot, Series};

const WIDTH: f64 = 360.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 338.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 212.0;
/// Where the legend starts, and how high one of its rows is.
const LEGEND: f64 = BOTTOM + 50.0;
const ROW: f64 = 17.0;
/// Longer names would run into each other.
const NAME_SHOWN: usize = 22;
/// The colours on a light page; more lines take them again with other dashes and marks.
pub(super) const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#b0568a", "#b07a00", "#3a9bd6", "#1b1b1b"];
const DASHES: [&str; 6] = ["", "7 3", "2 2.5", "9 3 2 3", "5 2 2 2 2 2", "12 4"];

/// The whole picture, to stand in a page.
pub(crate) fn draw(plot: &Plot) -> String {
    let scales = Scales::of(plot);
    let height = LEGEND + ROW * plot.series.len().div_ceil(2) as f64;
    let name = plot.name;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-labelledby=\"{name}-title {name}-text\" font-family=\"system-ui, sans-serif\" font-size=\"11\">\n\
         <title id=\"{name}-title\">{}</title>\n<desc id=\"{name}-text\">{}</desc>\n",
        escaped(plot.title),
        escaped(&plot.in_words())
    );
    svg += &axes(plot, &scales);
    for (index, series) in plot.series.iter().enumerate() {
        svg += &line(plot, index, series, &scales);
    }
    for (index, series) in plot.series.iter().enumerate() {
        svg += &legend_entry(index, plot.series.len(), series);
    }
    svg + "</svg>\n"
}

/// The picture as a file of its own, with the colours of a light page.
pub(crate) fn draw_alone(plot: &Plot) -> String {
    draw(plot).replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1)
}

/// Where values are on the picture.
struct Scales {
    x: Scale,
    y: Scale,
}

impl Scales {
    fn of(plot: &Plot) -> Scales {
        let points = || plot.series.iter().flat_map(|series| &series.points);
        let x = Scale::new(plot.x, points().map(|point| point.0));
        let from_zero = points().map(|point| point.1).chain((plot.y.kind != AxisKind::Time).then_some(0.0));
        let y = Scale::new(plot.y, from_zero);
        Scales { x, y }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + self.x.share(value) * (RIGHT - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        BOTTOM - self.y.share(value) * (BOTTOM - TOP)
    }
}

/// The ends of an axis.
struct Scale {
    kind: AxisKind,
    first: f64,
    last: f64,
}

impl Scale {
    fn new(axis: Axis, values: impl Iterator<Item = f64> + Clone) -> Scale {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(f64::NEG_INFINITY, f64::max);
        let (first, last) = match axis.kind {
            AxisKind::Percent => (0.0, 100.0),
            AxisKind::Count => {
                let step = round_step(most - least);
                let first = (least / step).floor() * step;
                (first, ((most / step).ceil() * step).max(first + step))
            }
            AxisKind::Time => {
                let first = times().into_iter().rfind(|tick| *tick <= least).unwrap_or(FASTEST);
                let last = times().into_iter().find(|tick| *tick >= most && *tick > first);
                (first, last.unwrap_or_else(|| most.max(2.0 * first)))
            }
        };
        Scale { kind: axis.kind, first, last }
    }

    /// From 0 at the first end to 1 at the last.
    fn share(&self, value: f64) -> f64 {
        match self.kind {
            AxisKind::Time => (value / self.first).ln() / (self.last / self.first).ln(),
            AxisKind::Count | AxisKind::Percent => (value - self.first) / (self.last - self.first),
        }
    }

    /// The values that have a line: at most seven, so that their names do not touch.
    fn ticks(&self) -> Vec<f64> {
        if self.kind != AxisKind::Time {
            let step = round_step(self.last - self.first);
            let count = ((self.last - self.first) / step).round() as u32;
            return (0..=count).map(|index| self.first + f64::from(index) * step).collect();
        }
        let inside: Vec<f64> =
            times().into_iter().filter(|tick| (self.first..=self.last).contains(tick)).collect();
        if inside.len() <= 6 {
            return inside;
        }
        let is_power = |tick: f64| (tick.log10() - tick.log10().round()).abs() < 1e-9;
        let powers: Vec<f64> = inside.into_iter().filter(|tick| is_power(*tick)).collect();
        let every = powers.len().div_ceil(7);
        powers.into_iter().step_by(every).collect()
    }
}

/// 1, 2 and 5 times the powers of ten, from a millisecond to a million seconds.
fn times() -> Vec<f64> {
    let powers = (-3..=6).map(|power: i32| 10_f64.powi(power));
    powers.flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * power)).collect()
}

/// A step of 1, 2 or 5 times a power of ten, such that at most six cover the range.
fn round_step(range: f64) -> f64 {
    let mut power = 1.0;
    loop {
        if let Some(step) = [power, 2.0 * power, 5.0 * power].into_iter().find(|step| range <= 6.0 * step) {
            return step;
        }
        power *= 10.0;
    }
}

fn axes(plot: &Plot, scales: &Scales) -> String {
    let mut svg = String::from("<g class=\"grid\" fill=\"none\" stroke=\"#d9dce0\">\n");
    for value in scales.x.ticks() {
        let x = scales.x(value);
        svg += &format!("<path d=\"M{x:.1} {TOP}V{BOTTOM}\"/>");
        svg += &words(x, BOTTOM + 15.0, "middle", &plot.x.kind.shown(value));
    }
    for value in scales.y.ticks() {
        let y = scales.y(value);
        svg += &format!("<path d=\"M{LEFT} {y:.1}H{RIGHT}\"/>");
        svg += &words(LEFT - 5.0, y + 4.0, "end", &plot.y.kind.shown(value));
    }
    svg += &words(f64::midpoint(LEFT, RIGHT), BOTTOM + 31.0, "middle", plot.x.title);
    svg += &format!(
        "<text transform=\"translate(9 {}) rotate(-90)\" text-anchor=\"middle\" stroke=\"none\" fill=\"#5f6368\">{}</text>\n</g>\n",
        f64::midpoint(TOP, BOTTOM),
        plot.y.title
    );
    svg
}

fn words(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" stroke=\"none\" fill=\"#5f6368\">{text}</text>\n"
    )
}

fn line(plot: &Plot, index: usize, series: &Series, scales: &Scales) -> String {
    let places: Vec<(f64, f64)> = series.points.iter().map(|(x, y)| (scales.x(*x), scales.y(*y))).collect();
    let Some(((first_x, first_y), (_, last_y))) = places.first().zip(places.last()) else {
        return String::new();
    };
    let path = if plot.steps {
        let rises: String = places.iter().map(|(x, y)| format!("H{x:.1}V{y:.1}")).collect();
        format!("M{first_x:.1} {:.1}{rises}H{RIGHT}", scales.y(0.0))
    } else {
        let others: String = places[1..].iter().map(|(x, y)| format!("L{x:.1} {y:.1}")).collect();
        format!("M{first_x:.1} {first_y:.1}{others}")
    };
    // A mark at every point would make a band of a long line; each line has its marks at other points.
    let every = places.len().div_ceil(8);
    let marked = places.iter().enumerate().filter(|(number, _)| (number + index).is_multiple_of(every));
    let mut marks: String = marked.map(|(_, (x, y))| mark(index, *x, *y)).collect();
    if plot.steps {
        marks += &mark(index, RIGHT, *last_y);
    }
    format!(
        "<g {}><path fill=\"none\" d=\"{path}\"{}><title>{}</title></path>{marks}</g>\n",
        look(index, plot.series.len()),
        dashes(index),
        escaped(&series.name)
    )
}

/// The class that the page's style colours, a colour for a picture that was taken out of the page, and the width.
fn look(index: usize, count: usize) -> String {
    let number = index % COLOURS.len();
    let colour = COLOURS[number];
    // Each line is narrower than those that it may cover.
    let behind = (count - 1 - index) as f64;
    let width = 1.4 + behind * (3.8 / (count - 1).max(1) as f64).min(1.2);
    format!("class=\"series c{number}\" stroke=\"{colour}\" fill=\"{colour}\" stroke-width=\"{width:.1}\"")
}

fn dashes(index: usize) -> String {
    match DASHES[index % DASHES.len()] {
        "" => String::new(),
        dashes => format!(" stroke-dasharray=\"{dashes}\""),
    }
}

/// A disc, a square, a triangle, a diamond or a ring.
fn mark(index: usize, x: f64, y: f64) -> String {
    let polygon = |corners: &[(f64, f64)]| {
        let corners: Vec<String> =
            corners.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
        format!("<polygon stroke=\"none\" points=\"{}\"/>", corners.join(" "))
    };
    match index % 5 {
        0 => format!("<circle stroke=\"none\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.2\"/>"),
        1 => polygon(&[(-3.8, -3.8), (3.8, -3.8), (3.8, 3.8), (-3.8, 3.8)]),
        2 => polygon(&[(0.0, -5.0), (-4.8, 4.0), (4.8, 4.0)]),
        3 => polygon(&[(0.0, -5.4), (5.4, 0.0), (0.0, 5.4), (-5.4, 0.0)]),
        _ => format!(
            "<circle class=\"ring\" fill=\"#ffffff\" stroke-width=\"1.5\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.8\"/>"
        ),
    }
}

/// Two columns below the plot, each line with its name, in full when pointed at.
fn legend_entry(index: usize, count: usize, series: &Series) -> String {
    let x = 12.0 + if index.is_multiple_of(2) { 0.0 } else { 174.0 };
    let y = LEGEND + ROW * (index / 2) as f64;
    let name: String = match series.name.chars().count() {
        short if short <= NAME_SHOWN => series.name.clone(),
        _ => series.name.chars().take(NAME_SHOWN - 1).chain(['…']).collect(),
    };
    format!(
        "<g {}><path fill=\"none\" d=\"M{x} {y}h30\"{}/>{}</g><text x=\"{}\" y=\"{}\">{}<title>{}</title></text>\n",
        look(index, count),
        dashes(index),
        mark(index, x + 15.0, y),
        x + 36.0,
        y + 4.0,
        escaped(&name),
        escaped(&series.name)
    )
}

#[cfg(test)]
mod tests {
    use super::super::plot::plots;
    use super::super::samples;
    use super::*;

    const TIME: Axis = Axis { title: "t", kind: AxisKind::Time };
    const COUNT: Axis = Axis { title: "n", kind: AxisKind::Count };

    #[test]
    fn each_line_rises_with_every_solved_pair_and_has_a_name() {
        let svg = draw(&plots(&samples::report())[0]);
        let naive =
            svg.lines().find(|line| line.contains("<path") && line.contains("naive: 2</title>")).unwrap();
        assert_eq!(naive.split("d=\"").nth(1).unwrap().matches('V').count(), 2);
        assert!(svg.contains(">naive: 2<title>") && svg.contains(">testing: 1<title>"), "{svg}");
        assert!(svg.contains(">10 ms</text>"), "{svg}");
    }

    #[test]
    fn what_is_drawn_stays_inside_the_picture() {
        let scales = Scales {
            x: Scale::new(TIME, [0.0012, 29.9].into_iter()),
            y: Scale::new(COUNT, [0.0, 83.0].into_iter()),
        };
        assert!(scales.x(0.0012) >= LEFT && scales.x(29.9) <= RIGHT);
        assert!(scales.y(83.0) >= TOP && scales.y(0.0) <= BOTTOM);
        assert_eq!((scales.x.first, scales.x.last), (0.001, 50.0));
        assert_eq!(scales.x.ticks(), [0.001, 0.01, 0.1, 1.0, 10.0]);
        assert_eq!(scales.y.ticks(), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(Scale::new(TIME, [0.12, 1.1].into_iter()).ticks(), [0.1, 0.2, 0.5, 1.0, 2.0]);
    }

    #[test]
    fn a_single_value_has_an_axis_too() {
        for kind in [TIME, COUNT] {
            let scale = Scale::new(kind, [1.0].into_iter());
            assert!(scale.share(1.0).is_finite() && scale.last > scale.first, "{kind:?}");
        }
        let late = Scale::new(TIME, [9e6].into_iter());
        assert!(late.share(9e6).is_finite());
    }

    #[test]
    fn names_of_ticks_do_not_touch() {
        for most in [1.0, 6.0, 7.0, 83.0, 101.0, 12_345.0] {
            assert!(Scale::new(COUNT, [0.0, most].into_iter()).ticks().len() <= 7, "{most}");
            assert!(Scale::new(TIME, [0.001, most].into_iter()).ticks().len() <= 7, "{most}");
        }
    }

    #[test]
    fn no_two_lines_look_the_same() {
        let looks: Vec<String> =
            (0..20).map(|index| look(index, 20) + &dashes(index) + &mark(index, 0.0, 0.0)).collect();
        let mut different = looks.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), looks.len());
    }
}
