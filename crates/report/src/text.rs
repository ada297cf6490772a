//! The report for people: a verdict for each pair, its evidence below it, and one line that sums up.

mod parting;

use std::fmt::Write;

use crate::changed_lines;
use crate::model::{
    ContractOutcome, ContractReport, PairReport, RunReport, SAME_CODE, VerdictWord, Versions, WitnessReport,
};
use crate::outcome::{Shown, outcome_phrase};
use crate::paint::{Colour, Style};
use crate::snippet::{self, Remark};

/// The whole report. `source` gives the text of a file, where it is at hand.
pub fn render<'a>(run: &'a RunReport, source: &dyn Fn(&str) -> Option<&'a str>, style: Style) -> String {
    let mut text = String::new();
    // What changed comes first, then what may have changed.
    for verdict in [VerdictWord::Different, VerdictWord::Unknown, VerdictWord::Equivalent] {
        for result in run.results.iter().filter(|result| result.verdict == verdict) {
            text += &pair(result, source, style);
        }
    }
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
    text += &around(run, style);
    text += &sum(run);
    text
}

/// The verdict of one pair with its evidence and the lines that changed. An *equivalent* of which nothing changed is a
/// line, so that many fit on a screen.
fn pair<'a>(report: &'a PairReport, source: &dyn Fn(&str) -> Option<&'a str>, style: Style) -> String {
    let mut text = headline(report, style);
    let changes = match report.proof.as_deref() {
        Some(SAME_CODE) => String::new(),
        _ => indented(&changed_lines::render(&report.places, source, style)),
    };
    match report.verdict {
        VerdictWord::Equivalent => {
            for sentence in &report.evidence {
                line(&mut text, &format!("  {sentence}"));
            }
        }
        VerdictWord::Different => {
            text += &conditions(report);
            if let Some(witness) = &report.witness {
                text += &witness_lines(witness, style);
            }
            if changes.is_empty() {
                text += &indented(&snippet::render(&places(report), source, style));
            }
        }
        VerdictWord::Unknown => {
            text += &reasons(report);
            text += &conditions(report);
            text += &indented(&snippet::render(&reason_places(report), source, style));
        }
    }
    text += &changes;
    if let Some(found) = &report.one_ends {
        line(&mut text, &format!("  note: {}", one_ends(found)));
    }
    for contract in report.contracts.iter().filter(|it| it.outcome != ContractOutcome::Assumed) {
        line(&mut text, &format!("  contract: {}", contract_phrase(contract)));
    }
    for assumption in &report.assumptions {
        line(&mut text, &format!("  assuming: {assumption}"));
    }
    if report.verdict != VerdictWord::Equivalent {
        text.push('\n');
    }
    text
}

pub(crate) fn headline(report: &PairReport, style: Style) -> String {
    let colour = match report.verdict {
        VerdictWord::Equivalent => Colour::Green,
        VerdictWord::Different => Colour::Red,
        VerdictWord::Unknown => Colour::Yellow,
    };
    // Painted after padding, because escape codes have no width.
    let verdict = style.paint(colour, &format!("{:<10}", report.verdict.name()));
    let was = report.renamed_from.as_ref().map(|old| format!(", was {old}")).unwrap_or_default();
    let function = style.paint(Colour::Bold, &report.function) + &was;
    let remark = match report.verdict {
        VerdictWord::Equivalent => report.proof.as_deref().map(|proof| format!("  ({proof})")),
        VerdictWord::Different => {
            report.witness.as_ref().map(|witness| format!("  ({})", witness.difference))
        }
        VerdictWord::Unknown => {
            report.bound.map(|bound| format!("  (no difference up to {bound} iterations)"))
        }
    };
    format!("{verdict}  {function}{}\n", style.paint(Colour::Dim, &remark.unwrap_or_default()))
}

/// The call, the state it starts from, and what each version makes of it.
fn witness_lines(witness: &WitnessReport, style: Style) -> String {
    let mut text = String::new();
    line(&mut text, &format!("  {}", style.paint(Colour::Bold, &witness.call)));
    for binding in &witness.globals {
        line(&mut text, &format!("    where {} is {}", binding.name, binding.value));
    }
    let outcomes = &witness.outcomes;
    let shown = Shown::where_different(&outcomes.old, &outcomes.new);
    for (side, outcome) in [("old", &outcomes.old), ("new", &outcomes.new)] {
        line(&mut text, &format!("    {side}: {}", outcome_phrase(outcome, shown)));
    }
    if let Some(sentence) = witness.on_the_way.as_ref().and_then(parting::sentence) {
        line(&mut text, &format!("  {sentence}"));
    }
    if witness.replayed.len() > 1 {
        line(&mut text, &format!("  confirmed by running both with {}", witness.replayed[1..].join(" and ")));
    }
    if let Some(why) = &witness.not_replayed {
        line(&mut text, &format!("  not replayed: {why}"));
    }
    if let Some(what) = &witness.replay_disagreement {
        let warning = "this is a bug of selfsame, please report it:";
        line(&mut text, &format!("  {} {what}", style.paint(Colour::Red, warning)));
    }
    text
}

/// `f(7): only one of them ends (old: does not end; new: 1)`.
fn one_ends(found: &WitnessReport) -> String {
    let Versions { old, new } = &found.outcomes;
    let (old, new) = (outcome_phrase(old, Shown::default()), outcome_phrase(new, Shown::default()));
    format!("{}: {} (old: {old}; new: {new})", found.call, found.difference)
}

/// `a.c:3: `requires n > 0` of `f`: not proved, and not used`.
fn contract_phrase(contract: &ContractReport) -> String {
    let ContractReport { file, line, clause, function, outcome, .. } = contract;
    let whose = match contract.kind.as_str() {
        "call" => format!("the call needs `requires {clause}` of `{function}`"),
        "other" => format!("`{clause}` of `{function}`"),
        kind => format!("`{kind} {clause}` of `{function}`"),
    };
    let detail = contract.detail.as_ref().map(|detail| format!(" ({detail})")).unwrap_or_default();
    format!("{file}:{line}: {whose}: {}{detail}", outcome.in_words())
}

/// On which inputs the versions do the same, if that was looked for.
pub(crate) fn conditions(report: &PairReport) -> String {
    let mut text = String::new();
    match (&report.same_when, &report.different_when, report.exact) {
        (Some(same), Some(_), Some(true)) if matches!(same.as_str(), "false" | "0") => {
            line(&mut text, "  different on every input on which both end and one is defined");
        }
        (Some(same), Some(_), Some(true)) => line(&mut text, &format!("  same exactly when `{same}`")),
        (same, different, Some(_)) => {
            match same {
                Some(same) => line(&mut text, &format!("  same when `{same}`")),
                None => line(&mut text, "  no condition was found under which they do the same"),
            }
            if let Some(different) = different {
                line(&mut text, &format!("  different whenever `{different}`"));
            }
            if same.is_some() {
                line(&mut text, "  elsewhere it is not known");
            }
        }
        (Some(same), _, None) => line(&mut text, &format!("  proved to be the same when `{same}`")),
        (None, _, None) => {}
    }
    if report.same_in_math {
        let what = "only overflow, rounding and what is no number make them differ";
        line(&mut text, &format!("  with mathematical numbers they are proved to be the same: {what}"));
    }
    text
}

fn reasons(report: &PairReport) -> String {
    let mut text = String::new();
    for reason in &report.reasons {
        line(&mut text, &format!("  {}", reason.text));
    }
    text
}

/// The headers of the two procedures.
fn places(report: &PairReport) -> Vec<Remark<'_>> {
    let sides = [("old", &report.places.old), ("new", &report.places.new)];
    let known = sides.into_iter().filter_map(|(label, place)| place.as_ref().map(|place| (label, place)));
    known.map(|(label, place)| Remark { place, label }).collect()
}

/// The lines that stand in the way of a verdict.
fn reason_places(report: &PairReport) -> Vec<Remark<'_>> {
    let with_place = report.reasons.iter().filter_map(|reason| Some((reason, reason.place.as_ref()?)));
    with_place.map(|(reason, place)| Remark { place, label: &reason.label }).collect()
}

/// What the run left out: files with errors, procedures without a counterpart.
pub(crate) fn around(run: &RunReport, style: Style) -> String {
    let mut text = String::new();
    for error in &run.errors {
        line(&mut text, &format!("{}  {error}", style.paint(Colour::Red, &format!("{:<10}", "error"))));
    }
    for (word, names) in
        [("unaffected", &run.unaffected), ("only old", &run.removed), ("only new", &run.added)]
    {
        for name in names {
            line(&mut text, &format!("{}  {name}", style.paint(Colour::Dim, &format!("{word:<10}"))));
        }
    }
    for note in &run.notes {
        line(&mut text, &format!("{}  {note}", style.paint(Colour::Yellow, &format!("{:<10}", "note"))));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// `3 pairs: 1 equivalent, 1 different, 1 unknown`.
pub(crate) fn sum(run: &RunReport) -> String {
    let counts = run.counts();
    let pairs = if run.results.len() == 1 { "pair" } else { "pairs" };
    let parts: Vec<String> =
        [(counts.equivalent, "equivalent"), (counts.different, "different"), (counts.unknown, "unknown")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
    let mut parts = if parts.is_empty() { "nothing to compare".to_owned() } else { parts.join(", ") };
    if !run.unaffected.is_empty() {
        parts += &format!("; {} reach nothing that changed", run.unaffected.len());
    }
    let unchanged = match run.unchanged.len() {
        0 => String::new(),
        1 => "1 procedure did not change, nor what it calls\n".to_owned(),
        count => format!("{count} procedures did not change, nor what they call\n"),
    };
    let callers = match run.callers.len() {
        0 => String::new(),
        1 => "1 procedure did not change, but calls what did: not compared (--all)\n".to_owned(),
        count => format!("{count} procedures did not change, but call what did: not compared (--all)\n"),
    };
    format!("{unchanged}{callers}{} {pairs}: {parts}\n", run.results.len())
}

fn indented(text: &str) -> String {
    let mut indented = String::new();
    for one in text.lines() {
        line(&mut indented, format!("  {one}").trim_end());
    }
    indented
}

pub(crate) fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writing to a string should not fail");
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::samples;

    fn check(run: &RunReport, expected: Expect) {
        expected.assert_eq(&render(run, &|file| samples::source(file), Style::Plain));
    }

    #[test]
    fn an_equivalent_says_how_it_was_proved_and_what_it_assumes() {
        check(
            &samples::run(vec![samples::equivalent()]),
            expect![[r#"
                equivalent  Mid.mid(int,int)  (the solver refuted every difference)
                  --- old/Mid.java:2
                  +++ new/Mid.java:3
                  - 2     static int mid(int a, int b) {
                  - 3         return (a + b) / 2;
                  - 4     }
                  + 3     static int mid(int a, int b) { return a + (b - a) / 2; }
                  assuming: `Log.write` does the same in both versions

                1 pair: 1 equivalent
            "#]],
        );
    }

    #[test]
    fn a_difference_shows_the_call_its_two_results_and_the_changed_lines() {
        check(
            &samples::run(vec![samples::different()]),
            expect![[r#"
                different   Mid.mid(int,int)  (the results differ)
                  mid(2147483647, 1)
                    old: -1073741824
                    new: 1073741824
                  confirmed by running both with java
                  --- old/Mid.java:2
                  +++ new/Mid.java:3
                  - 2     static int mid(int a, int b) {
                  - 3         return (a + b) / 2;
                  - 4     }
                  + 3     static int mid(int a, int b) { return a + (b - a) / 2; }

                1 pair: 1 different
            "#]],
        );
    }

    #[test]
    fn a_difference_that_is_elsewhere_shows_both_places() {
        let report = PairReport { places: samples::unknown().places, ..samples::different() };
        check(
            &samples::run(vec![report]),
            expect![[r#"
            different   Mid.mid(int,int)  (the results differ)
              mid(2147483647, 1)
                old: -1073741824
                new: 1073741824
              confirmed by running both with java
               --> old/Sum.java:2:5
                |
              2 |     static int sum(int n) {
                |     ^^^^^^^^^^^^^^^^^^^^^ old
                |
               ::: new/Sum.java:2:5
                |
              2 |     static int sum(int n) {
                |     ^^^^^^^^^^^^^^^^^^^^^ new

            1 pair: 1 different
        "#]],
        );
    }

    #[test]
    fn what_was_renamed_is_shown_with_its_old_name_too() {
        let renamed_from = Some("Mid.middle(int,int)".to_owned());
        let proof = Some(SAME_CODE.to_owned());
        let report = PairReport { renamed_from, proof, assumptions: Vec::new(), ..samples::equivalent() };
        check(
            &samples::run(vec![report]),
            expect![[r#"
            equivalent  Mid.mid(int,int), was Mid.middle(int,int)  (the same code, callees included)

            1 pair: 1 equivalent
        "#]],
        );
    }

    #[test]
    fn output_effects_and_errors_are_shown_where_they_differ() {
        check(
            &samples::run(vec![samples::different_effects()]),
            expect![[r#"
                different   Mid.mid(int,int)  (the results differ)
                  mid(0, 0)
                    where Mid.calls is 7
                    old: 0, prints "middle\n0\n", Mid.calls = 8
                    new: throws ArithmeticException, prints "middle\n", Mid.calls = 7
                  this is a bug of selfsame, please report it: java returned 0 where the interpreter threw
                  --- old/Mid.java:2
                  +++ new/Mid.java:3
                  - 2     static int mid(int a, int b) {
                  - 3         return (a + b) / 2;
                  - 4     }
                  + 3     static int mid(int a, int b) { return a + (b - a) / 2; }

                1 pair: 1 different
            "#]],
        );
    }

    #[test]
    fn an_unknown_says_how_far_it_got_and_points_at_the_loop() {
        check(
            &samples::run(vec![samples::unknown()]),
            expect![[r#"
            unknown     Sum.sum(int)  (no difference up to 5 iterations)
              the loop at old/Sum.java:4 may run longer than 5 iterations
               --> old/Sum.java:4:9
                |
              4 |         for (int i = 0; i < n; i++) {
                |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^ may run longer than 5 iterations

            1 pair: 1 unknown
        "#]],
        );
    }

    #[test]
    fn a_run_over_many_lists_what_was_left_out() {
        let mut run = samples::run(vec![samples::equivalent(), samples::unknown()]);
        run.removed.push("Sum.half(int)".to_owned());
        run.added.push("Sum.twice(int)".to_owned());
        run.errors.push("new/Broken.java:3:1: missing `}`".to_owned());
        run.notes.push("no solver found: run `cargo xtask setup` or install z3".to_owned());
        check(
            &run,
            expect![[r#"
                unknown     Sum.sum(int)  (no difference up to 5 iterations)
                  the loop at old/Sum.java:4 may run longer than 5 iterations
                   --> old/Sum.java:4:9
                    |
                  4 |         for (int i = 0; i < n; i++) {
                    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^ may run longer than 5 iterations

                equivalent  Mid.mid(int,int)  (the solver refuted every difference)
                  --- old/Mid.java:2
                  +++ new/Mid.java:3
                  - 2     static int mid(int a, int b) {
                  - 3         return (a + b) / 2;
                  - 4     }
                  + 3     static int mid(int a, int b) { return a + (b - a) / 2; }
                  assuming: `Log.write` does the same in both versions

                error       new/Broken.java:3:1: missing `}`
                only old    Sum.half(int)
                only new    Sum.twice(int)
                note        no solver found: run `cargo xtask setup` or install z3

                2 pairs: 1 equivalent, 1 unknown
            "#]],
        );
    }

    #[test]
    fn colours_are_escape_codes_around_the_same_words() {
        let run = samples::run(vec![samples::different()]);
        let plain = render(&run, &|file| samples::source(file), Style::Plain);
        let coloured = render(&run, &|file| samples::source(file), Style::Coloured);
        assert!(coloured.contains("\u{1b}[1;31mdifferent "));
        assert_eq!(without_escapes(&coloured), plain);
    }

    fn without_escapes(text: &str) -> String {
        let mut parts = text.split('\u{1b}');
        let mut plain = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            plain += part.split_once('m').map_or(part, |(_, rest)| rest);
        }
        plain
    }
}
