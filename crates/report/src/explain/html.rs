//! Explanations as one page that needs nothing else: no network, no scripts. Everything from the programs is escaped.

use super::html_style::STYLE;
use super::model::{EffectRow, Explanation, PathPair, PathRow, Seen, Step, StepRow};
use crate::bench::escaped;
use crate::model::{PairReport, RunReport, VerdictWord};

/// The whole page.
pub fn render(run: &RunReport, explanations: &[Option<Explanation>]) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>selfsame explain</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>selfsame explain</h1>\n"
    );
    let counts = run.counts();
    page += &format!(
        "<p class=\"soft\">{} different, {} equivalent, {} unknown</p>\n",
        counts.different, counts.equivalent, counts.unknown
    );
    let (different, others): (Vec<_>, Vec<_>) =
        run.results.iter().enumerate().partition(|(_, report)| report.verdict == VerdictWord::Different);
    for (at, report) in different {
        page += &pair(report, explanations.get(at).and_then(Option::as_ref));
    }
    if !others.is_empty() {
        page += "<h2>Not different</h2>\n";
        for (_, report) in others {
            page += &other(report);
        }
    }
    for (title, names) in [
        ("Only in the old version", &run.removed),
        ("Only in the new version", &run.added),
        ("Reach nothing that changed", &run.unaffected),
        ("Left out", &run.errors),
        ("Notes", &run.notes),
    ] {
        if !names.is_empty() {
            let items: String =
                names.iter().map(|name| format!("<p><code>{}</code></p>\n", escaped(name))).collect();
            page += &format!("<h2>{title}</h2>\n{items}");
        }
    }
    page + "</body>\n</html>\n"
}

fn other(report: &PairReport) -> String {
    let word = report.verdict.name();
    let reasons: Vec<String> = report.reasons.iter().map(|reason| escaped(&reason.text)).collect();
    let remark = match report.verdict {
        VerdictWord::Unknown => reasons.join("; "),
        _ => report.proof.as_deref().map(escaped).unwrap_or_default(),
    };
    format!(
        "<p><span class=\"verdict {word}\">{word}</span> <code>{}</code> <span class=\"soft\">{remark}</span></p>\n",
        escaped(&report.function)
    )
}

fn pair(report: &PairReport, explanation: Option<&Explanation>) -> String {
    let was = report.renamed_from.as_ref().map(|old| format!(", was {}", escaped(old))).unwrap_or_default();
    let difference = report.witness.as_ref().map(|witness| escaped(&witness.difference)).unwrap_or_default();
    let mut html = format!(
        "<section>\n<h2><code>{}</code>{was}</h2>\n\
         <p><span class=\"verdict different\">different</span> <span class=\"soft\">{difference}</span></p>\n",
        escaped(&report.function)
    );
    html += &conditions(report);
    let Some(explanation) = explanation else { return html + "</section>\n" };
    if let Some(cause) = &explanation.cause {
        html += &format!("<p class=\"cause\">{}</p>\n", with_code(cause));
    }
    match (&explanation.table, &explanation.no_table) {
        (Some(rows), _) => html += &table(rows),
        (None, Some(why)) => {
            html += &format!("<p class=\"soft\">no table of conditions: {}</p>\n", with_code(why));
        }
        (None, None) => {}
    }
    for (at, path) in explanation.paths.iter().enumerate() {
        let rows = explanation.table.iter().flatten();
        let condition = rows.into_iter().find(|row| row.path == Some(at)).map(EffectRow::when);
        let condition = condition.filter(|when| *when != "always");
        html += &one_path(path, condition);
    }
    for assumption in &report.assumptions {
        html += &format!("<p class=\"soft\">assuming: {}</p>\n", with_code(assumption));
    }
    html + "</section>\n"
}

/// On which inputs the versions do the same, if that was looked for.
fn conditions(report: &PairReport) -> String {
    crate::text::conditions(report)
        .lines()
        .map(|line| format!("<p>{}</p>\n", with_code(line.trim())))
        .collect()
}

fn table(rows: &[EffectRow]) -> String {
    let is_always = super::text::is_always(rows);
    let code = |text: &str| format!("<code>{}</code></td>", escaped(text));
    let rows: String = rows
        .iter()
        .map(|row| {
            let cells = [row.when(), &row.effects.old, &row.effects.new].map(code);
            format!("<tr><td class=\"c\">{}<td>{}<td>{}</tr>\n", cells[0], cells[1], cells[2])
        })
        .collect();
    let otherwise = match is_always {
        true => "",
        false => "<tr><td class=\"soft\">otherwise</td><td class=\"soft\" colspan=\"2\">the same</td></tr>\n",
    };
    format!("<table>\n<tr><th>when</th><th>old</th><th>new</th></tr>\n{rows}{otherwise}</table>\n")
}

fn one_path(path: &PathPair, condition: Option<&str>) -> String {
    let when = condition.map(|condition| format!(" when <code>{}</code>", escaped(condition)));
    let mut html = format!(
        "<h3><code>{}</code><span class=\"soft\">{}</span></h3>\n\
         <div class=\"ends\"><span class=\"soft\">old</span><span>{}</span>\
         <span class=\"soft\">new</span><span>{}</span></div>\n<div class=\"path\">\n",
        escaped(&path.call),
        when.unwrap_or_default(),
        escaped(&path.outcomes.old),
        escaped(&path.outcomes.new)
    );
    html += &format!(
        "<div class=\"row head\"><div class=\"side old\"><span class=\"w\">old</span>{}</div>\
         <div class=\"side new\"><span class=\"w\">new</span>{}</div></div>\n",
        escaped(&path.files.old),
        escaped(&path.files.new)
    );
    let mut function: Option<&str> = None;
    for row in &path.rows {
        match row {
            PathRow::Elided(count) => {
                html += &format!("<div class=\"row\"><div class=\"note\">… {count} steps</div></div>\n");
            }
            PathRow::Steps(row) => {
                let step = row.steps.new.as_ref().or(row.steps.old.as_ref());
                let name = step.map(|step| step.function.as_str());
                if let Some(name) = name.filter(|name| function.is_some_and(|before| before != *name)) {
                    html +=
                        &format!("<div class=\"row\"><div class=\"note\">in {}</div></div>\n", escaped(name));
                }
                function = name.or(function);
                html += &one_row(row);
            }
        }
    }
    html += "</div>\n";
    if path.is_cut {
        html += "<p class=\"soft\">the runs go on; only their beginning is shown</p>\n";
    }
    html
}

fn one_row(row: &StepRow) -> String {
    let mut classes = vec!["row"];
    classes.extend(row.changed.then_some("changed"));
    let is_same = !row.changed && !row.differs;
    classes.extend(is_same.then_some("same"));
    classes.extend(row.parts.then_some("parts"));
    let here = if row.parts { "<div class=\"here\">here the versions part</div>" } else { "" };
    let (old, new) = (row.steps.old.as_ref(), row.steps.new.as_ref());
    format!(
        "<div class=\"{}\">{here}{}{}</div>\n",
        classes.join(" "),
        side(if is_same { "both" } else { "old" }, "old", old, new),
        side("new", "new", new, old)
    )
}

/// One side of a row; narrow screens show its word.
fn side(word: &str, class: &str, step: Option<&Step>, other: Option<&Step>) -> String {
    let Some(step) = step else { return format!("<div class=\"side {class} none\"></div>") };
    let is_told_by_other = |seen: &Seen| other.is_none_or(|other| other.seen.contains(seen));
    let values: Vec<String> = step
        .seen
        .iter()
        .map(|seen| match is_told_by_other(seen) {
            true => escaped(&seen.text()),
            false => format!("<b>{}</b>", escaped(&seen.text())),
        })
        .collect();
    let values = match values.is_empty() {
        true => String::new(),
        false => format!("<span class=\"v\">{}</span>", values.join(", ")),
    };
    format!(
        "<div class=\"side {class}\"><span class=\"w\">{word}</span><span class=\"n\">{}</span><span class=\"t\">{}</span>\
         {values}</div>",
        step.line,
        escaped(&step.text)
    )
}

/// Escaped, with what stands between backquotes as code.
fn with_code(text: &str) -> String {
    let mut html = String::new();
    for (at, part) in text.split('`').enumerate() {
        match at % 2 {
            0 => html += &escaped(part),
            _ => html += &format!("<code>{}</code>", escaped(part)),
        }
    }
    html
}
