//! Tables and plots as LaTeX, to be taken into a paper with `\input`. Plots need the package `pgfplots`.

use super::plot::{Axis, AxisKind, Plot, plain};
use super::tables::Table;

/// A `tabular` with its caption as a comment: papers choose their own floats.
pub(crate) fn table(table: &Table) -> String {
    let columns: String =
        (0..table.head.len()).map(|column| if column < table.words { 'l' } else { 'r' }).collect();
    let row =
        |cells: &[String]| cells.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" & ") + " \\\\\n";
    let rows: String = table.rows.iter().map(|cells| row(cells)).collect();
    format!(
        "% {}\n\\begin{{tabular}}{{{columns}}}\n\\hline\n{}\\hline\n{rows}\\hline\n\\end{{tabular}}\n",
        table.title,
        row(&table.head)
    )
}

/// A `tikzpicture` with one `\addplot` a line.
pub(crate) fn plot(plot: &Plot) -> String {
    const DASHES: [&str; 6] = ["solid", "dashed", "dotted", "dashdotted", "dashdotdotted", "loosely dashed"];
    const MARKS: [&str; 5] = ["*", "square*", "triangle*", "diamond*", "o"];
    let mut text = format!(
        "% {}\n\\begin{{tikzpicture}}\n\\begin{{axis}}[{}, {}, legend pos=outer north east, mark repeat=5]\n",
        plot.title,
        axis("x", plot.x),
        axis("y", plot.y)
    );
    for (index, series) in plot.series.iter().enumerate() {
        let steps = if plot.steps { "const plot, " } else { "" };
        let (dashes, mark) = (DASHES[index % DASHES.len()], MARKS[index % MARKS.len()]);
        let points: Vec<String> =
            series.points.iter().map(|(x, y)| format!("({},{})", plain(*x), plain(*y))).collect();
        text += &format!(
            "\\addplot+[{steps}{dashes}, mark={mark}] coordinates {{{}}};\n\\addlegendentry{{{}}}\n",
            points.join(" "),
            escaped(&series.name)
        );
    }
    text + "\\end{axis}\n\\end{tikzpicture}\n"
}

fn axis(letter: &str, axis: Axis) -> String {
    let (mode, unit) = match axis.kind {
        AxisKind::Time => ("log", " (s)"),
        AxisKind::Count => ("linear", ""),
        AxisKind::Percent => ("linear", " (\\%)"),
    };
    format!("{letter}mode={mode}, {letter}label={{{}{unit}}}", escaped(axis.title))
}

/// Text that LaTeX prints as it is, on one line.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' | '>' | '|' | '"' => escaped.push_str(match c {
                '<' => "\\textless{}",
                '>' => "\\textgreater{}",
                '|' => "\\textbar{}",
                _ => "\\textquotedbl{}",
            }),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::plot::plots;
    use super::super::samples;
    use super::super::tables::{every_case, totals};
    use super::*;

    #[test]
    fn a_table_has_a_line_for_every_row() {
        let text = table(&totals(&samples::report()));
        assert!(text.starts_with("% Solved by strategy\n\\begin{tabular}{llrr"), "{text}");
        assert!(text.contains("\ndemo & naive & 1+1 of 3 & 1 of 2 & 1 &"), "{text}");
        assert!(text.ends_with("\\hline\n\\end{tabular}\n"));
    }

    #[test]
    fn names_do_not_break_the_table() {
        let text = table(&every_case(&samples::report()));
        assert!(text.contains("mislabelled \\textless{}\\&\\textquotedbl{}\\textbar{}"), "{text}");
        assert_eq!(escaped("a_b%{\\}\n"), "a\\_b\\%\\{\\textbackslash{}\\} ");
    }

    #[test]
    fn a_plot_has_its_points_on_a_logarithmic_axis() {
        let text = plot(&plots(&samples::report())[0]);
        assert!(text.contains("xmode=log, xlabel={time for a pair (s)}, ymode=linear"), "{text}");
        assert!(text.contains("coordinates {(0.05,1) (0.2,2)};\n\\addlegendentry{naive: 2}"), "{text}");
    }
}
