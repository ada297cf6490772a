//! `--published FILE`: what others measured, as columns beside ours.
//!
//! A file has results of pairs (`tool,case,verdict,seconds`), or figures of groups as papers print them
//! (`tool,group,label,solved,bounded,of,mean_seconds`); its first line tells which.

use std::path::Path;

use anyhow::{Context, Result, bail};
use report::VerdictWord;
use report::bench::{Label, OtherFigure, OtherResult, OtherTool};
use serde::Deserialize;

use super::case::Case;
use super::csv_file;
use crate::near_names::near;

/// All groups together, as a file calls them.
const ALL: &str = "all";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PairLine {
    tool: String,
    case: String,
    verdict: VerdictWord,
    #[serde(default)]
    seconds: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupLine {
    tool: String,
    group: String,
    label: Label,
    solved: usize,
    #[serde(default)]
    bounded: Option<usize>,
    #[serde(default)]
    of: Option<usize>,
    #[serde(default)]
    mean_seconds: Option<f64>,
}

/// The tools of a file, added to those that are there; `strategies` are the names that are ours.
pub(crate) fn read(
    path: &Path,
    cases: &[Case],
    strategies: &[String],
    tools: &mut Vec<OtherTool>,
) -> Result<()> {
    let file = path.display().to_string();
    let at = |number: u64| format!("{file}:{number}");
    let (head, _) = csv_file::rows(path)?;
    let has = |column: &str| head.iter().any(|name| name == column);
    match (has("case"), has("group")) {
        (true, false) => {
            for (number, line) in csv_file::read::<PairLine>(path)? {
                add_pair(&line, cases, strategies, tools).with_context(|| at(number))?;
            }
        }
        (false, true) => {
            for (number, line) in csv_file::read::<GroupLine>(path)? {
                add_group(&line, cases, strategies, tools).with_context(|| at(number))?;
            }
        }
        _ => bail!(
            "{file}:1: the first line names the columns: tool,case,verdict,seconds for results of pairs, \
             or tool,group,label,solved,bounded,of,mean_seconds for figures of groups"
        ),
    }
    Ok(())
}

fn add_pair(
    line: &PairLine,
    cases: &[Case],
    strategies: &[String],
    tools: &mut Vec<OtherTool>,
) -> Result<()> {
    let name = csv_file::full_name(cases, &line.case)?;
    let seconds = line.seconds.map(sensible).transpose()?;
    let tool = tool(&line.tool, strategies, tools)?;
    if tool.results.insert(name, OtherResult { verdict: line.verdict, seconds }).is_some() {
        bail!("`{}` has a result for `{}` already", line.tool, line.case);
    }
    Ok(())
}

fn add_group(
    line: &GroupLine,
    cases: &[Case],
    strategies: &[String],
    tools: &mut Vec<OtherTool>,
) -> Result<()> {
    let group = if line.group == ALL { None } else { Some(full_group(cases, &line.group)?) };
    let figure = OtherFigure {
        group,
        label: line.label,
        solved: line.solved,
        bounded: line.bounded.unwrap_or(0),
        of: line.of,
        mean_seconds: line.mean_seconds.map(sensible).transpose()?,
    };
    if figure.of.is_some_and(|of| figure.solved + figure.bounded > of) {
        bail!("more are solved than there are");
    }
    let tool = tool(&line.tool, strategies, tools)?;
    if tool.figures.iter().any(|other| other.group == figure.group && other.label == figure.label) {
        bail!("`{}` has figures for `{}` ({}) already", line.tool, line.group, line.label.name());
    }
    tool.figures.push(figure);
    Ok(())
}

fn sensible(seconds: f64) -> Result<f64> {
    match seconds.is_finite() && seconds >= 0.0 {
        true => Ok(seconds),
        false => bail!("{seconds} is no time in seconds"),
    }
}

fn tool<'a>(name: &str, strategies: &[String], tools: &'a mut Vec<OtherTool>) -> Result<&'a mut OtherTool> {
    if name.is_empty() {
        bail!("the tool has no name");
    }
    if strategies.iter().any(|strategy| strategy == name) {
        bail!("`{name}` is a strategy of this run; give the other tool another name");
    }
    let index = tools.iter().position(|tool| tool.name == name).unwrap_or_else(|| {
        tools.push(OtherTool { name: name.to_owned(), ..OtherTool::default() });
        tools.len() - 1
    });
    Ok(&mut tools[index])
}

/// `suite/group` of a group that a user means: the same, or `group` where only one suite has it.
fn full_group(cases: &[Case], wanted: &str) -> Result<String> {
    let mut groups: Vec<(String, &str)> =
        cases.iter().map(|case| (case.full_group(), case.group.as_str())).collect();
    groups.sort_unstable();
    groups.dedup();
    if groups.iter().any(|(full, _)| full == wanted) {
        return Ok(wanted.to_owned());
    }
    let same: Vec<&String> =
        groups.iter().filter(|(_, group)| group.eq_ignore_ascii_case(wanted)).map(|(full, _)| full).collect();
    match same.as_slice() {
        [one] => Ok((*one).clone()),
        [] => {
            let near = near(wanted, groups.iter().flat_map(|(full, group)| [full.as_str(), group]));
            let hint =
                if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
            bail!("no group is called `{wanted}`{hint}")
        }
        several => {
            let names: Vec<&str> = several.iter().map(|name| name.as_str()).collect();
            bail!("`{wanted}` may be {}; say which", names.join(" or "))
        }
    }
}
