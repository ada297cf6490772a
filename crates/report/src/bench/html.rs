//! The benchmark as one page that needs nothing else: no network, no scripts.

use super::compare::{advantages, contradictions, corrections, crashes, left_out, unsolved};
use super::html_style::STYLE;
use super::model::{BenchReport, CaseReport, RunRecord};
use super::paper::paper_tables;
use super::plot::plots;
use super::repeat::{spread_table, unstable};
use super::svg::draw;
use super::tables::{LEGEND, Table, counted, duels, every_case, groups, time_of, totals};

/// The whole page.
pub fn render(report: &BenchReport) -> String {
    let program = escaped(&report.program);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{program} bench</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{program} bench</h1>\n"
    );
    page += &head(report);
    page += &wrong(report);
    for plot in plots(report) {
        page += &format!("<h2>{}</h2>\n{}", plot.title, draw(&plot));
    }
    let ours = [totals(report)].into_iter().chain(groups(report)).chain(duels(report));
    for shown in ours.chain(spread_table(report)) {
        page += &format!("<h2>{}</h2>\n{}", shown.title, table(&shown));
        if shown.title == totals(report).title {
            let sentences: String = LEGEND.iter().map(|line| format!("<li>{line}</li>\n")).collect();
            page += &format!("<ul class=\"legend-text\">\n{sentences}</ul>\n");
        }
    }
    page += &advantage_list(report);
    page += &list("Solved by none", &unsolved(report));
    page += &list("Not the same in all repetitions", &unstable(report));
    page += &list("Without a verdict", &crashes(report));
    page += &names("Corrected labels", &corrections(report));
    for (why, names_left) in left_out(report) {
        page += &names(&format!("Left out, because {why}"), &names_left);
    }
    page += "<h2>In the form of the papers</h2>\n";
    for shown in paper_tables(report).iter().chain([&every_case(report)]) {
        let (title, count) = (shown.title, shown.rows.len());
        page += &format!("<details open><summary>{title} ({count})</summary>\n{}</details>\n", table(shown));
    }
    page + "</body>\n</html>\n"
}

fn head(report: &BenchReport) -> String {
    let settings: Vec<_> =
        report.settings.iter().map(|(name, value)| format!("{} {}", escaped(name), escaped(value))).collect();
    let machine: String = report
        .machine
        .iter()
        .map(|(name, value)| format!("<li>{}: {}</li>\n", escaped(name), escaped(value)))
        .collect();
    let notes: String = report.notes.iter().map(|note| format!("<p>{}</p>\n", escaped(note))).collect();
    format!(
        "<p class=\"settings\">{}, {}; {}</p>\n<ul class=\"settings\">\n{machine}</ul>\n{notes}",
        counted(report.cases.len(), "pair"),
        escaped(&report.strategies.join(" ")),
        settings.join(", ")
    )
}

/// What has to be looked at first.
fn wrong(report: &BenchReport) -> String {
    let contradictions = contradictions(report);
    if contradictions.is_empty() {
        return "<p>No verdict is the opposite of its label.</p>\n".to_owned();
    }
    let mut page = format!(
        "<section class=\"bad\">\n<h2>Wrong: {} on {} against the label</h2>\n\
         <p>Either selfsame is wrong there, or the label is: look at the evidence.</p>\n<ul>\n",
        counted(report.wrong(), "verdict"),
        counted(contradictions.len(), "pair")
    );
    for contradiction in contradictions {
        let case = escaped(&contradiction.case);
        page += &format!("<li><b>{case}</b> is labelled {}\n<ul>\n", contradiction.label.name());
        for evidence in &contradiction.against {
            let (strategy, said) = (escaped(&evidence.strategy), escaped(&evidence.evidence));
            page += &format!("<li>{strategy} says {}: {said}</li>\n", evidence.verdict.name());
        }
        if contradiction.strategies_disagree {
            let agreeing = escaped(&contradiction.agreeing.join(", "));
            page += &format!("<li><b>{agreeing} says the opposite: this is a bug of selfsame</b></li>\n");
        }
        page += "</ul></li>\n";
    }
    page + "</ul>\n</section>\n"
}

fn table(table: &Table) -> String {
    let class = |column: usize| if column < table.words { " class=\"w\"" } else { "" };
    let mut page = String::from("<div class=\"wide\"><table>\n<thead><tr>");
    for (column, name) in table.head.iter().enumerate() {
        page += &format!("<th scope=\"col\"{}>{}</th>", class(column), escaped(name));
    }
    page += "</tr></thead>\n<tbody>\n";
    for row in &table.rows {
        page += "<tr>";
        for (column, cell) in row.iter().enumerate() {
            let class = highlight(&table.head[column], cell).unwrap_or_else(|| class(column).to_owned());
            page += &format!("<td{class}>{}</td>", escaped(cell));
        }
        page += "</tr>\n";
    }
    page + "</tbody>\n</table></div>\n"
}

/// Colours for what a cell says: a count of wrong verdicts, or a score with its time.
fn highlight(head: &str, cell: &str) -> Option<String> {
    if head == "wrong" {
        return (cell != "0").then(|| " class=\"bad\"".to_owned());
    }
    let (score, time) = cell.split_once(' ')?;
    let scores = ["solved", "bounded", "unknown", "crash", "WRONG"];
    ((time.ends_with(" s") || time == "not run") && scores.contains(&score))
        .then(|| format!(" class=\"w {}\"", score.to_lowercase()))
}

fn advantage_list(report: &BenchReport) -> String {
    let advantages = advantages(report);
    if advantages.is_empty() {
        return String::new();
    }
    let mut page = String::from("<ul>\n");
    for advantage in advantages {
        let (by, not_by) = (escaped(&advantage.solved_by), escaped(&advantage.not_by));
        let cases: Vec<_> = advantage.cases.iter().map(|case| escaped(case)).collect();
        page += &format!(
            "<li>solved by <b>{by}</b> and not by <b>{not_by}</b>: {}: {}</li>\n",
            cases.len(),
            cases.join(", ")
        );
    }
    page + "</ul>\n"
}

fn names(title: &str, lines: &[impl AsRef<str>]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items: String = lines.iter().map(|line| format!("<li>{}</li>\n", escaped(line.as_ref()))).collect();
    format!(
        "<details open><summary>{} ({})</summary>\n<ul>\n{items}</ul></details>\n",
        escaped(title),
        lines.len()
    )
}

fn list(title: &str, runs: &[(&str, &CaseReport, &RunRecord)]) -> String {
    if runs.is_empty() {
        return String::new();
    }
    let mut page = format!("<details open><summary>{title} ({})</summary>\n<ul>\n", runs.len());
    for (strategy, case, run) in runs {
        page += &format!(
            "<li><b>{}</b> ({}), {}, {}: {}</li>\n",
            escaped(&case.full_name()),
            case.label.name(),
            escaped(strategy),
            time_of(run),
            escaped(&run.detail)
        );
    }
    page + "</ul></details>\n"
}

/// Text that HTML shows as it is.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Bytes that no page may have.
            c if c.is_control() && !matches!(c, '\n' | '\t') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn every_element_is_closed_in_its_order() {
        let page = render(&samples::report());
        let mut open: Vec<&str> = Vec::new();
        let mut rest = page.as_str();
        while let Some(start) = rest.find('<') {
            let end = rest[start..].find('>').expect("a tag should end") + start;
            let tag = &rest[start + 1..end];
            rest = &rest[end + 1..];
            let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
            match tag {
                _ if tag.starts_with('!') || tag.ends_with('/') || name == "meta" => {}
                _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "before {rest:.60}"),
                _ => open.push(name),
            }
        }
        assert_eq!(open, Vec::<&str>::new());
    }

    #[test]
    fn the_page_needs_nothing_from_elsewhere() {
        let page = render(&samples::report());
        for sign in ["http", "src=", "href=", "url(", "@import", "<script", "<link"] {
            assert!(!page.contains(sign), "{sign}");
        }
        assert!(page.contains("prefers-color-scheme: dark"));
    }

    #[test]
    fn names_and_evidence_are_shown_as_they_are() {
        let page = render(&samples::report());
        assert!(page.contains("<b>demo/mislabelled &lt;&amp;&quot;|&quot;&gt;</b> is labelled equivalent"));
        assert!(page.contains("f(1, &quot;a&quot;): old 1, new 2"));
        assert_eq!(escaped("a\u{0}b"), "a\u{fffd}b");
    }

    #[test]
    fn the_tables_have_the_figures_and_mark_what_is_wrong() {
        let page = render(&samples::report());
        assert!(
            page.contains(
                "<td class=\"w\">naive</td><td>1+1 of 3</td><td>1 of 2</td><td class=\"bad\">1</td>"
            )
        );
        assert!(page.contains("<td class=\"w wrong\">WRONG 0.300 s</td>"));
        assert!(page.contains("<td class=\"w bounded\">bounded 3.0 s</td>"));
    }
}
