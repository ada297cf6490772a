//! The benchmark for people at a terminal: the tables, and below them what is wrong, because that is read first.

use super::compare::{Contradiction, advantages, contradictions, corrections, crashes, left_out, unsolved};
use super::model::{BenchReport, CaseReport, RunRecord};
use super::paper::solved_tables;
use super::repeat::{spread_table, unstable};
use super::tables::{LEGEND, Table, counted, duels, groups, time_of, totals};
use crate::paint::{Colour, Style};

/// Longer lists of names are cut; the other formats have all of them.
const NAMES_SHOWN: usize = 10;

/// The whole report.
pub fn render(report: &BenchReport, style: Style) -> String {
    let mut text = String::new();
    let settings: Vec<_> = report.settings.iter().map(|(name, value)| format!("{name} {value}")).collect();
    text += &format!(
        "{} bench: {}, {}; {}\n",
        report.program,
        counted(report.cases.len(), "pair"),
        report.strategies.join(" "),
        settings.join(", ")
    );
    for (name, value) in &report.machine {
        text += &style.paint(Colour::Dim, &format!("{name}: {value}"));
        text.push('\n');
    }
    text.push('\n');
    let ours = groups(report).into_iter().chain([totals(report)]).chain(duels(report));
    let beside = if report.others.is_empty() { Vec::new() } else { solved_tables(report) };
    for shown in ours.chain(spread_table(report)).chain(beside) {
        text += &table(&shown, style);
    }
    for line in LEGEND {
        text += &style.paint(Colour::Dim, line);
        text.push('\n');
    }
    text.push('\n');
    text += &advantage_lines(report, style);
    text += &list("Solved by none", &unsolved(report), style);
    text += &list("Not the same in all repetitions", &unstable(report), style);
    text += &list("Without a verdict", &crashes(report), style);
    text += &named("Corrected labels", &corrections(report), style);
    text += &left_out_lines(report, style);
    for note in &report.notes {
        text += &format!("{}  {note}\n", style.paint(Colour::Yellow, "note"));
    }
    if !report.notes.is_empty() {
        text.push('\n');
    }
    text + &wrong_lines(report, style)
}

/// A table with aligned columns: words to the left, figures to the right.
fn table(table: &Table, style: Style) -> String {
    let all = || std::iter::once(&table.head).chain(&table.rows);
    let width = |column: usize| all().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table.head.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            if column < table.words { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut text = format!(
        "{}\n{}\n",
        style.paint(Colour::Bold, table.title),
        style.paint(Colour::Dim, &line(&table.head))
    );
    for row in &table.rows {
        text += &line(row);
        text.push('\n');
    }
    text + "\n"
}

/// `solved by naive and not by testing: 3: a, b, c`.
fn advantage_lines(report: &BenchReport, style: Style) -> String {
    let mut text = String::new();
    for advantage in advantages(report) {
        let head = format!("solved by {} and not by {}:", advantage.solved_by, advantage.not_by);
        let count = advantage.cases.len();
        let shown = advantage.cases[..count.min(NAMES_SHOWN)].join(", ");
        let more =
            if count > NAMES_SHOWN { format!(" and {} more", count - NAMES_SHOWN) } else { String::new() };
        text += &format!("{} {count}: {shown}{more}\n", style.paint(Colour::Bold, &head));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// What did not run, by its reason; the first names of each.
fn left_out_lines(report: &BenchReport, style: Style) -> String {
    let line = |(why, names): (&str, Vec<&str>)| {
        let shown = names[..names.len().min(NAMES_SHOWN)].join(", ");
        let more = match names.len().saturating_sub(NAMES_SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more, which report.json names"),
        };
        format!("{}, because {why}: {shown}{more}", names.len())
    };
    let lines: Vec<String> = left_out(report).into_iter().map(line).collect();
    named(&format!("Left out ({})", report.left_out.len()), &lines, style)
}

fn named(title: &str, lines: &[String], style: Style) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    format!("{}\n{lines}\n", style.paint(Colour::Bold, title))
}

fn list(title: &str, runs: &[(&str, &CaseReport, &RunRecord)], style: Style) -> String {
    if runs.is_empty() {
        return String::new();
    }
    let mut text = format!("{}\n", style.paint(Colour::Bold, &format!("{title} ({})", runs.len())));
    for (strategy, case, run) in runs {
        let time = time_of(run);
        text +=
            &format!("  {} ({}), {strategy}, {time}: {}\n", case.full_name(), case.label.name(), run.detail);
    }
    text + "\n"
}

/// What has to be looked at first, at the end, where a terminal stops.
fn wrong_lines(report: &BenchReport, style: Style) -> String {
    let contradictions = contradictions(report);
    if contradictions.is_empty() {
        return match report.crashes() {
            0 => "No verdict is the opposite of its label.\n".to_owned(),
            count => {
                format!("No verdict is the opposite of its label, but {} without one.\n", runs_are(count))
            }
        };
    }
    let (verdicts, pairs) = (counted(report.wrong(), "verdict"), counted(contradictions.len(), "pair"));
    let title = format!("WRONG: {verdicts} on {pairs} against the label");
    let mut text = format!("{}\n", style.paint(Colour::Red, &title));
    for contradiction in &contradictions {
        text += &contradiction_lines(contradiction, style);
    }
    text + "Either selfsame is wrong there, or the label is: look at the evidence.\n"
}

/// `1 run is`, `2 runs are`.
fn runs_are(count: usize) -> String {
    format!("{} {}", counted(count, "run"), if count == 1 { "is" } else { "are" })
}

fn contradiction_lines(contradiction: &Contradiction, style: Style) -> String {
    let name = style.paint(Colour::Red, &contradiction.case);
    let mut text = format!("  {name} is labelled {}\n", contradiction.label.name());
    for evidence in &contradiction.against {
        text +=
            &format!("    {} says {}: {}\n", evidence.strategy, evidence.verdict.name(), evidence.evidence);
    }
    if contradiction.strategies_disagree {
        let agreeing = contradiction.agreeing.join(", ");
        let line = format!("    {agreeing} says the opposite: this is a bug of selfsame, please report it");
        text += &style.paint(Colour::Red, &line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::samples;
    use super::*;

    #[test]
    fn the_report_has_the_tables_and_ends_with_what_is_wrong() {
        expect![[r#"
            selfsame 0.1.0 bench: 5 pairs, naive testing; timeout 3 s, jobs 2
            solver: Z3 version 4

            Solved by group and strategy
            group       strategy  equivalent  different  wrong  unknown  crash  points  mean s  median s  p90 s  solver calls
            demo/loops  naive       1+1 of 2          -      0        0      0       2   1.600     1.600  3.000             4
            demo/loops  testing     0+0 of 2          -      0        2      0       0   0.010     0.010  0.010             0
            demo        naive       0+0 of 1     1 of 2      1        0      1     -15   0.175     0.175  0.300             6
            demo        testing     0+0 of 1     1 of 2      0        1      1       1   0.011     0.011  0.020             0

            Solved by strategy
            suite  strategy  equivalent  different  wrong  unknown  crash  points  mean s  median s  p90 s  solver calls
            demo   naive       1+1 of 3     1 of 2      1        0      1     -13   0.887     0.250  3.000            10
            demo   testing     0+0 of 3     1 of 2      0        3      1       1   0.010     0.010  0.020             0

            What one strategy solves and another does not
            solved by  not naive  not testing
            naive                           1
            testing            0

            equivalent: proved for every input + without a difference up to a bound, of the pairs with that label
            different: with a witness that was run, of the pairs with that label
            wrong: the verdict is the opposite of the label; unknown: no verdict within the limits; crash: the input was refused, or selfsame broke
            points: 2 for a proof, 1 for a witness, -32 for a wrong proof, -16 for a wrong difference
            times are of all runs with a verdict, solved or not; crashes are listed with their times below

            solved by naive and not by testing: 1: demo/loops/sum/Eq

            Solved by none (1)
              demo/loops/long/Eq (equivalent), naive, 3.0 s: no difference on 12 inputs

            Without a verdict (2)
              demo/broken (different), naive, 0.010 s: old/a.c:1:4: missing `}`
              demo/broken (different), testing, 0.010 s: old/a.c:1:4: missing `}`

            Left out (2)
              2, because there is no other version beside it: a/old.c, b/new.c

            note  no solver found

            WRONG: 1 verdict on 1 pair against the label
              demo/mislabelled <&"|"> is labelled equivalent
                naive says different: f(1, "a"): old 1, new 2 (seen by interpreter)
            Either selfsame is wrong there, or the label is: look at the evidence.
        "#]].assert_eq(&render(&samples::report(), Style::Plain));
    }

    #[test]
    fn strategies_that_contradict_each_other_are_a_bug() {
        let mut report = samples::report();
        report.cases[3].runs[1].verdict = Some(crate::model::VerdictWord::Equivalent);
        let text = render(&report, Style::Plain);
        assert!(text.contains("    testing says the opposite: this is a bug of selfsame"), "{text}");
    }

    #[test]
    fn long_lists_of_names_are_cut() {
        let mut report = samples::report();
        let case = report.cases[0].clone();
        report.cases.extend(std::iter::repeat_n(case, 11));
        let text = render(&report, Style::Plain);
        assert!(text.contains("solved by naive and not by testing: 12: "), "{text}");
        assert!(text.contains(" and 2 more\n"), "{text}");
    }
}
