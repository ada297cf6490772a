//! The benchmark as Markdown, for a page or a pull request.

use std::fmt::Write;

use super::compare::{advantages, contradictions, corrections, crashes, left_out, unsolved};
use super::model::{BenchReport, CaseReport, RunRecord};
use super::paper::solved_tables;
use super::repeat::{spread_table, unstable};
use super::tables::{LEGEND, Table, counted, duels, groups, time_of, totals};

/// The whole report.
pub fn render(report: &BenchReport) -> String {
    let mut text = format!("# {} bench\n\n", report.program);
    line(
        &mut text,
        &format!("{}, {}.", counted(report.cases.len(), "pair"), escaped(&report.strategies.join(" "))),
    );
    for (name, value) in report.settings.iter().chain(&report.machine) {
        line(&mut text, &format!("- {}: {}", escaped(name), escaped(value)));
    }
    text.push('\n');
    wrong(&mut text, report);
    let ours = [totals(report)].into_iter().chain(groups(report)).chain(duels(report));
    for shown in ours.chain(spread_table(report)).chain(solved_tables(report)) {
        table(&mut text, &shown);
    }
    for sentence in LEGEND {
        line(&mut text, &format!("- {sentence}"));
    }
    text.push('\n');
    for advantage in advantages(report) {
        let (by, not_by) = (&advantage.solved_by, &advantage.not_by);
        let cases: Vec<_> = advantage.cases.iter().map(|case| escaped(case)).collect();
        line(
            &mut text,
            &format!("- solved by **{by}** and not by **{not_by}**: {}: {}", cases.len(), cases.join(", ")),
        );
    }
    list(&mut text, "Solved by none", &unsolved(report));
    list(&mut text, "Not the same in all repetitions", &unstable(report));
    list(&mut text, "Without a verdict", &crashes(report));
    for (title, lines) in [("Corrected labels", corrections(report)), ("Left out", left_out_lines(report))] {
        if !lines.is_empty() {
            line(&mut text, &format!("\n## {title}\n"));
        }
        for sentence in lines {
            line(&mut text, &format!("- {}", escaped(&sentence)));
        }
    }
    if !report.notes.is_empty() {
        line(&mut text, "\n## Notes\n");
    }
    for note in &report.notes {
        line(&mut text, &format!("- {}", escaped(note)));
    }
    text
}

fn left_out_lines(report: &BenchReport) -> Vec<String> {
    let line =
        |(why, names): (&str, Vec<&str>)| format!("{}, because {why}: {}", names.len(), names.join(", "));
    left_out(report).into_iter().map(line).collect()
}

fn wrong(text: &mut String, report: &BenchReport) {
    let contradictions = contradictions(report);
    if contradictions.is_empty() {
        return line(text, "No verdict is the opposite of its label.\n");
    }
    line(text, "## WRONG: verdicts that contradict the label\n");
    for contradiction in contradictions {
        line(
            text,
            &format!("- **{}** is labelled {}", escaped(&contradiction.case), contradiction.label.name()),
        );
        for evidence in &contradiction.against {
            let said = escaped(&evidence.evidence);
            line(text, &format!("  - {} says {}: {said}", evidence.strategy, evidence.verdict.name()));
        }
        if contradiction.strategies_disagree {
            let agreeing = contradiction.agreeing.join(", ");
            line(text, &format!("  - {agreeing} says the opposite: this is a bug of selfsame"));
        }
    }
    text.push('\n');
}

fn table(text: &mut String, table: &Table) {
    line(text, &format!("## {}\n", table.title));
    let row = |cells: &[String]| {
        format!("| {} |", cells.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" | "))
    };
    line(text, &row(&table.head));
    let rule = (0..table.head.len()).map(|column| if column < table.words { "---" } else { "---:" });
    line(text, &format!("| {} |", rule.collect::<Vec<_>>().join(" | ")));
    for cells in &table.rows {
        line(text, &row(cells));
    }
    text.push('\n');
}

fn list(text: &mut String, title: &str, runs: &[(&str, &CaseReport, &RunRecord)]) {
    if runs.is_empty() {
        return;
    }
    line(text, &format!("\n## {title} ({})\n", runs.len()));
    for (strategy, case, run) in runs {
        let (name, detail) = (escaped(&case.full_name()), escaped(&run.detail));
        let time = time_of(run);
        line(text, &format!("- {name} ({}), {strategy}, {time}: {detail}", case.label.name()));
    }
}

/// Text that Markdown shows as it is, on one line.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\r' => escaped.push(' '),
            '\\' | '`' | '*' | '_' | '|' | '<' | '>' | '[' | ']' | '&' | '#' => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writing to a string should not fail");
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn tables_are_tables_and_what_is_wrong_comes_first() {
        let text = render(&samples::report());
        assert!(text.contains("\n| suite | strategy | equivalent | different | wrong |"), "{text}");
        assert!(text.contains("\n| demo | naive | 1+1 of 3 | 1 of 2 | 1 | 0 | 1 | -13 |"), "{text}");
        assert!(
            text.contains("- solved by **naive** and not by **testing**: 1: demo/loops/sum/Eq\n"),
            "{text}"
        );
        assert!(
            text.contains(
                "## Left out\n\n- 2, because there is no other version beside it: a/old.c, b/new.c\n"
            ),
            "{text}"
        );
        let [wrong, first] = ["## WRONG", "## Solved by strategy"].map(|title| text.find(title).unwrap());
        assert!(wrong < first);
    }

    #[test]
    fn names_do_not_break_the_page() {
        let text = render(&samples::report());
        assert!(text.contains(r#"**demo/mislabelled \<\&"\|"\>** is labelled equivalent"#), "{text}");
    }
}
