//! Suites with one labelled pair a line, as a JSON object.

use anyhow::{Context, Result, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use ir::Numbers;
use ir::Pair;
use serde::{Deserialize, Serialize};

use super::case::{Case, Truth, group_of};
use crate::args::{Arguments, Command};
use crate::job::Source;
use crate::options::Options;

/// The pairs of a file. Fails at the first line that is not one, with its number.
pub(crate) fn parse(file: &str, text: &str) -> Result<Vec<Case>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let case = |(index, text): (usize, &str)| {
        let place = format!("{file}:{}", index + 1);
        let case = line(text).and_then(case_of).with_context(|| place.clone())?;
        Ok(Case { place, ..case })
    };
    lines.map(case).collect()
}

/// The lines of a file as they stand there.
pub(crate) fn lines(file: &str, text: &str) -> Result<Vec<Line>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(index, text)| line(text).with_context(|| format!("{file}:{}", index + 1))).collect()
}

/// A line as it stands in the file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    pub(crate) suite: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<String>,
    pub(crate) case: String,
    pub(crate) language: String,
    /// Empty for the one that can be guessed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) function: String,
    pub(crate) numbers: String,
    pub(crate) truth: Truth,
    /// How many calls in a row the client makes, in suites that were generated to see how checks scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) calls: Option<u32>,
    pub(crate) old_name: String,
    pub(crate) new_name: String,
    pub(crate) old: String,
    pub(crate) new: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) args: Vec<String>,
}

fn line(text: &str) -> Result<Line> {
    match serde_json::from_str(text) {
        Ok(line) => Ok(line),
        Err(error) => bail!("this line is not a labelled pair: {}", without_line(&error)),
    }
}

/// The pair of a line. Its place is not known here.
pub(crate) fn case_of(line: Line) -> Result<Case> {
    let numbers = match line.numbers.as_str() {
        "math" => Numbers::Math,
        "machine" => Numbers::Machine,
        other => bail!("\"numbers\" is `{other}`; there are math and machine"),
    };
    if line.truth == Truth::default() {
        bail!("\"truth\" has neither a label for math nor one for machine");
    }
    let options = options(&line.args).context("\"args\"")?;
    let source = |side: &str, name: &str, text: String| Source::new(format!("{side}/{name}"), text);
    Ok(Case {
        place: String::new(),
        group: line.group.unwrap_or_else(|| group_of(&line.case)),
        suite: line.suite,
        name: line.case,
        language: line.language,
        function: line.function,
        numbers,
        truth: line.truth,
        unlabelled: None,
        corrected: None,
        calls: line.calls,
        texts: Pair::new(source("old", &line.old_name, line.old), source("new", &line.new_name, line.new)),
        folders: Pair::new(None, None),
        options,
        problem: None,
    })
}

/// The options of `check` that the suite or the run says in another way, and how.
const NOT_FOR_A_PAIR: [(&str, &str); 11] = [
    ("function", "the field \"function\" says it"),
    ("numbers", "the field \"numbers\" says it"),
    ("strategy", "`bench --strategies` chooses them"),
    ("timeout", "`bench --timeout` is the same for all"),
    ("effort", "`bench --timeout` is the same for all, and says it"),
    ("solver", "`bench --solver` is the same for all"),
    ("jobs", "`bench --jobs` says it"),
    ("client", "a pair of a suite has its client in the same file"),
    ("format", "`bench` writes reports of its own"),
    ("replay", "`bench` does not replay"),
    ("dump", "`bench` does not show stages"),
];

fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// More options of `check`, read by its own parser.
fn options(args: &[String]) -> Result<Options> {
    if args.is_empty() {
        return Ok(Options::usual());
    }
    let words = ["selfsame", "check", "old", "new"].into_iter().chain(args.iter().map(String::as_str));
    let parsed = Arguments::command().try_get_matches_from(words).and_then(|matches| {
        let arguments = Arguments::from_arg_matches(&matches)?;
        Ok((matches, arguments))
    });
    if let Ok((matches, _)) = &parsed
        && let Some(check) = matches.subcommand_matches("check")
        && let Some((id, instead)) = NOT_FOR_A_PAIR.iter().find(|(id, _)| is_given(check, id))
    {
        bail!("--{id} is not for a single pair: {instead}");
    }
    match parsed.map(|(_, arguments)| arguments) {
        Ok(Arguments { command: Command::Check(arguments) }) => {
            Ok(Options { dump: None, replay: false, ..arguments.options(None) })
        }
        Ok(_) => bail!("these are not options of `selfsame check`"),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            bail!("{}", first.strip_prefix("error: ").unwrap_or(first))
        }
    }
}

/// The words of an error without its line, which is always the first; the file's line stands before it.
fn without_line(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return format!("it ends in the middle, as if the file were cut off (column {})", error.column());
    }
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((what, _)) => format!("{what} (column {})", error.column()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use report::bench::Label;

    use super::*;

    const GOOD: &str = r#"{"suite": "s", "case": "a/b/Eq", "language": "c", "function": "f", "numbers": "math",
        "truth": {"math": "equivalent"}, "old_name": "o.c", "new_name": "n.c", "old": "", "new": ""}"#;

    fn good() -> String {
        GOOD.replace('\n', " ")
    }

    fn message(line: &str) -> String {
        format!("{:#}", parse("s.jsonl", line).unwrap_err())
    }

    #[test]
    fn a_line_is_a_pair_with_its_group_and_labels() {
        let cases = parse("s.jsonl", &format!("\n{}\n\n", good())).unwrap();
        let [case] = cases.as_slice() else { panic!("one pair expected") };
        assert_eq!((case.group.as_str(), case.full_name().as_str()), ("a", "s/a/b/Eq"));
        assert_eq!(case.truth.of(Numbers::Math), Some(Label::Equivalent));
        assert_eq!(case.truth.of(Numbers::Machine), None);
    }

    #[test]
    fn a_line_that_is_no_pair_is_named_with_its_number() {
        let cut = format!("{}\n{}", good(), &good()[..40]);
        assert!(
            message(&cut).starts_with("s.jsonl:2: this line is not a labelled pair: it ends in the middle"),
            "{}",
            message(&cut)
        );
        let missing = message(&good().replace("\"suite\": \"s\",", ""));
        assert!(missing.contains("missing field `suite`"), "{missing}");
        let label = message(&good().replace("equivalent", "same"));
        assert!(label.contains("unknown variant `same`, expected `equivalent` or `different`"), "{label}");
        let numbers = message(&good().replace("\"numbers\": \"math\"", "\"numbers\": \"roman\""));
        assert_eq!(numbers, "s.jsonl:1: \"numbers\" is `roman`; there are math and machine");
        let truth = message(&good().replace("\"math\": \"equivalent\"", ""));
        assert!(truth.contains("neither a label"), "{truth}");
    }

    #[test]
    fn fields_that_do_not_exist_or_stand_there_twice_are_errors() {
        let unknown = message(&good().replace("\"function\"", "\"fnction\""));
        assert!(unknown.starts_with("s.jsonl:1: this line is not a labelled pair: unknown field `fnction`, expected one of `suite`"), "{unknown}");
        let label = message(&good().replace("{\"math\":", "{\"mth\": \"different\", \"math\":"));
        assert!(label.contains("unknown field `mth`, expected `math` or `machine`"), "{label}");
        let twice = message(&good().replace("\"suite\": \"s\"", "\"suite\": \"s\", \"suite\": \"t\""));
        assert!(twice.contains("duplicate field `suite`"), "{twice}");
    }

    #[test]
    fn a_pair_may_ask_for_more_options_of_check() {
        let with = |args: &str| good().replace("\"suite\"", &format!("\"args\": {args}, \"suite\""));
        let cases = parse("s.jsonl", &with(r#"["--overflow", "undefined", "--bound", "3"]"#)).unwrap();
        assert!(cases[0].options.overflow_undefined);
        assert_eq!(cases[0].options.bound, Some(3));
        let twice = message(&with(r#"["--bound", "3", "--bound", "4"]"#));
        assert!(twice.contains("cannot be used multiple times"), "{twice}");
        let said = message(&with(r#"["--numbers", "machine"]"#));
        assert_eq!(
            said,
            "s.jsonl:1: \"args\": --numbers is not for a single pair: the field \"numbers\" says it"
        );
        for id in NOT_FOR_A_PAIR.map(|(id, _)| id) {
            assert!(
                Arguments::command()
                    .find_subcommand("check")
                    .unwrap()
                    .get_arguments()
                    .any(|arg| arg.get_id() == id)
            );
        }
        let wrong = message(&with(r#"["--magic"]"#));
        assert!(wrong.starts_with("s.jsonl:1: \"args\": unexpected argument '--magic'"), "{wrong}");
    }
}
