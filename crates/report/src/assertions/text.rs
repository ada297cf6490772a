//! Outcomes of assertions for people at a terminal.

use super::model::{AssertionReport, AssertionRun, AssertionWitness, OutcomeWord};
use crate::explain::Step;
use crate::paint::{Colour, Style};

/// Steps of a path that are shown, from its start and up to its end.
const FIRST_STEPS: usize = 8;
const LAST_STEPS: usize = 12;

/// The whole report: a line for each clause, and what there is to say about those that do not hold.
pub fn render(run: &AssertionRun, style: Style) -> String {
    let mut text = String::new();
    let mut last = ("", "");
    for report in &run.results {
        if (report.file.as_str(), report.function.as_str()) != last {
            last = (&report.file, &report.function);
            text += &style.paint(Colour::Bold, &format!("{}  {}", report.function, report.file));
            text.push('\n');
        }
        text += &one(report, style);
    }
    for note in &run.notes {
        text += &format!("note: {note}\n");
    }
    for error in &run.errors {
        text += &format!("error: {error}\n");
    }
    text + &sum(run)
}

fn one(report: &AssertionReport, style: Style) -> String {
    let (word, colour) = match report.outcome {
        OutcomeWord::Holds => ("holds", Colour::Green),
        OutcomeWord::Fails => ("fails", Colour::Red),
        OutcomeWord::Unknown => ("unknown", Colour::Yellow),
    };
    let mut remarks: Vec<String> = Vec::new();
    remarks.extend(report.cause.map(|cause| cause.name().to_owned()));
    remarks.extend(report.inherited.then(|| "inherited".to_owned()));
    remarks.extend((report.is_reached == Some(false)).then(|| "no input reaches it".to_owned()));
    if report.entry != report.function {
        remarks.push(format!("seen from {}", report.entry));
    }
    let remarks = if remarks.is_empty() { String::new() } else { format!("  ({})", remarks.join(", ")) };
    let kind = match report.kind.as_str() {
        "assert" => "assert ",
        "loop_invariant" => "loop invariant ",
        "invariant" => "invariant ",
        "ensures" => "ensures ",
        "annotation" => "//@ assert ",
        _ => "",
    };
    let word = style.paint(colour, &format!("{word:<8}"));
    let mut text = format!("  {word} {}: {kind}{}{remarks}\n", report.line, report.assertion);
    if let Some(cause) = report.cause {
        text += &format!("    {}\n", cause.in_words());
    }
    if !report.changed_lines.is_empty() {
        let lines: Vec<String> = report.changed_lines.iter().map(u32::to_string).collect();
        text += &format!("    depends on the changed lines {}\n", lines.join(", "));
    }
    if let Some(witness) = &report.witness {
        text += &failure(witness);
    }
    for reason in &report.reasons {
        text += &format!("    {}\n", reason.text);
    }
    if let Some(bound) = report.bound {
        text += &format!("    no violation up to {bound} iterations\n");
    }
    text
}

fn failure(witness: &AssertionWitness) -> String {
    let mut text = format!("    {}\n", witness.call);
    for global in &witness.globals {
        text += &format!("      where {} = {}\n", global.name, global.value);
    }
    text += &path(&witness.path);
    if let Some(old) = &witness.old {
        text += &format!("    old: {}\n", old.outcome);
    }
    if witness.replayed.len() > 1 {
        text += &format!("    replayed: {}\n", witness.replayed[1..].join(", "));
    }
    if let Some(why) = &witness.not_replayed {
        text += &format!("    not replayed: {why}\n");
    }
    if let Some(what) = &witness.replay_disagreement {
        text += &format!("    a bug of selfsame, please report it: the real thing disagrees: {what}\n");
    }
    text
}

fn path(steps: &[Step]) -> String {
    let show = |step: &Step| {
        let indent = "  ".repeat(step.depth.min(8) as usize);
        let seen: Vec<String> = step.seen.iter().map(|seen| seen.text()).collect();
        format!("      {indent}{}  {}\n", step.line, seen.join(", "))
    };
    if steps.len() <= FIRST_STEPS + LAST_STEPS + 1 {
        return steps.iter().map(show).collect();
    }
    let left_out = steps.len() - FIRST_STEPS - LAST_STEPS;
    let first: String = steps[..FIRST_STEPS].iter().map(show).collect();
    let last: String = steps[steps.len() - LAST_STEPS..].iter().map(show).collect();
    format!("{first}      … {left_out} steps\n{last}")
}

fn sum(run: &AssertionRun) -> String {
    let [holds, fails, unknown] =
        [OutcomeWord::Holds, OutcomeWord::Fails, OutcomeWord::Unknown].map(|word| run.count(word));
    let inherited = run.results.iter().filter(|it| it.inherited).count();
    let mut text = format!("{holds} hold, {fails} fail, {unknown} unknown");
    if run.is_differential || inherited > 0 {
        text += &format!("; {inherited} inherited");
    }
    text + "\n"
}
