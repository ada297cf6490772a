//! `selfsame bench generate`: larger client cases from given ones, to see how checks scale.
//!
//! Each case has a client and its library in one C file. Merged cases get only labels that are certain: clients that
//! behave the same behave the same together, because each is a function of its inputs and of what ran before it;
//! a difference may be masked, so that *different* is said only of what both versions were run on.

mod c_file;
mod c_tokens;
mod merge;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use check::Strategy;
use ir::{Language, Numbers, Pair};
use report::VerdictWord;
use report::bench::Label;

use super::case::Truth;
use super::choose::ChosenCase;
use super::jsonl_suite::{self, Line};
use super::methods::common_method;
use super::run_one::Plan;
use crate::args::{BenchArguments, GenerateArguments, MergeKind, NumbersChoice};

/// Writes the suite, and says what was left out.
pub(crate) fn generate(arguments: &GenerateArguments) -> Result<ExitCode> {
    refuse_to_overwrite(arguments)?;
    let mut given = Vec::new();
    for path in &arguments.suites {
        let file = path.display().to_string();
        let text = fs::read_to_string(path).with_context(|| format!("{file}: this suite cannot be read"))?;
        given.extend(jsonl_suite::lines(&file, &text)?);
    }
    given.retain(|line| line.language == "c");
    if given.is_empty() {
        bail!("there is no case in C");
    }
    for line in given.iter_mut().filter(|line| line.function.is_empty()) {
        let guessed = common_method(Language::C, Pair::new(&line.old, &line.new));
        line.function = guessed.map_err(|why| anyhow!("{}/{}: {why}", line.suite, line.case))?;
    }
    let (mut made, mut refused) = (Vec::new(), Vec::new());
    for merged in all_merged(&given, arguments) {
        match merged {
            Ok(mut line) => {
                line.truth = confirmed(&line, arguments)?;
                if line.truth == Truth::default() {
                    refused.push(format!("{}: no input shows that it is still different", line.case));
                } else {
                    made.push(line);
                }
            }
            Err(error) => refused.push(format!("{error:#}")),
        }
    }
    let mut text = String::new();
    for line in &made {
        text += &serde_json::to_string(line).context("a case cannot be written")?;
        text.push('\n');
    }
    fs::write(&arguments.out, text)
        .with_context(|| format!("{} cannot be written", arguments.out.display()))?;
    eprintln!("selfsame: {} cases are in {}", made.len(), arguments.out.display());
    for reason in &refused {
        eprintln!("selfsame: left out: {reason}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The suites that are read must still be there afterwards, whatever they are called.
fn refuse_to_overwrite(arguments: &GenerateArguments) -> Result<()> {
    let identity = |path: &Path| fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()));
    let Some(out) = identity(&arguments.out) else { return Ok(()) };
    match arguments.suites.iter().find(|suite| identity(suite) == Some(out)) {
        Some(suite) => bail!(
            "{}: this would overwrite the suite {}; give --out another file",
            arguments.out.display(),
            suite.display()
        ),
        None => Ok(()),
    }
}

/// Everything that the arguments ask for, in the order of the cases. Labels of *different* are not confirmed yet.
fn all_merged(given: &[Line], arguments: &GenerateArguments) -> Vec<Result<Line>> {
    let mut merged = Vec::new();
    for (index, one) in given.iter().enumerate() {
        match arguments.kind {
            MergeKind::Calls => {
                for count in arguments.calls.0..=arguments.calls.1 {
                    merged.push(calls(one, count).with_context(|| one.case.clone()));
                }
            }
            MergeKind::Sequential | MergeKind::Nested => {
                let other = &given[(index + arguments.distance) % given.len()];
                let both = two(one, other, arguments.kind);
                merged.push(both.with_context(|| format!("{} with {}", one.case, other.case)));
            }
        }
    }
    merged
}

fn calls(one: &Line, count: usize) -> Result<Line> {
    Ok(Line {
        suite: format!("{}-calls", one.suite),
        group: Some("calls".to_owned()),
        case: format!("{}/{count}", one.case),
        calls: u32::try_from(count).ok(),
        old: merge::calls(&one.old, &one.function, count)?,
        new: merge::calls(&one.new, &one.function, count)?,
        ..one.clone()
    })
}

fn two(one: &Line, other: &Line, kind: MergeKind) -> Result<Line> {
    if one.args != other.args {
        bail!("they are checked with different options");
    }
    let name = if kind == MergeKind::Nested { "nested" } else { "sequential" };
    let merged = |first: &str, second: &str| {
        merge::merge([(first, &one.function), (second, &other.function)], kind, &one.function)
    };
    let joined = |label: fn(&Truth) -> Option<Label>| match (label(&one.truth)?, label(&other.truth)?) {
        (Label::Equivalent, Label::Equivalent) => Some(Label::Equivalent),
        _ => Some(Label::Different),
    };
    Ok(Line {
        suite: format!("{}-{name}", one.suite),
        group: Some(name.to_owned()),
        case: format!("{}+{}", one.case, other.case),
        truth: Truth { math: joined(|truth| truth.math), machine: joined(|truth| truth.machine) },
        old: merged(&one.old, &other.old)?,
        new: merged(&one.new, &other.new)?,
        ..one.clone()
    })
}

/// The labels that are certain: *different* only where running both versions shows it.
fn confirmed(line: &Line, arguments: &GenerateArguments) -> Result<Truth> {
    let keep = |label: Option<Label>, numbers: Numbers| -> Result<Option<Label>> {
        match label {
            Some(Label::Different) if !is_different(line, numbers, arguments)? => Ok(None),
            label => Ok(label),
        }
    };
    Ok(Truth {
        math: keep(line.truth.math, Numbers::Math)?,
        machine: keep(line.truth.machine, Numbers::Machine)?,
    })
}

/// Whether an input was found on which both versions were run and ended differently.
fn is_different(line: &Line, numbers: Numbers, arguments: &GenerateArguments) -> Result<bool> {
    let own = BenchArguments {
        properties: Vec::new(),
        what: None,
        suites: Vec::new(),
        strategies: vec![Strategy::Testing],
        function: None,
        labels: None,
        published: Vec::new(),
        repeat: 1,
        numbers: NumbersChoice::Own,
        timeout: arguments.timeout,
        bound: None,
        jobs: None,
        only: None,
        sample: None,
        out: None,
        resume: false,
        solver: None,
    };
    let strategy = Strategy::Testing.name();
    let case = jsonl_suite::case_of(line.clone())?;
    let chosen = ChosenCase { case, numbers, label: Label::Different };
    let plan = Plan { arguments: &own, solver: None, cases: Vec::new(), strategies: Vec::new() };
    Ok(plan.run(&chosen, strategy).verdict == Some(VerdictWord::Different))
}

#[cfg(test)]
mod tests;
