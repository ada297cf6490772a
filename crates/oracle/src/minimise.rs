//! Cuts a program down while it still shows a disagreement: lines and blocks first, then parts of expressions.

use std::path::Path;

use anyhow::Result;
use arbitrary_source::Language;
use arbitrary_source::program::GeneratedProgram;
use arbitrary_source::shrink::{simpler_lines, without_lines};

use super::campaign::{Disagreement, Judgement, Plan, compare, judge, say};

/// How many variants are compiled together.
const TOGETHER: usize = 60;
/// How many rounds are spent on one program.
const ROUNDS: usize = 60;

/// The smallest program found that still disagrees on the input.
pub(crate) fn minimise(plan: &Plan, whole: &Disagreement, scratch: &Path) -> Result<Disagreement> {
    let mut best = whole.clone();
    let mut skip = 0;
    for _ in 0..ROUNDS {
        let variants: Vec<String> = variants(&best.program.text).skip(skip).take(TOGETHER).collect();
        if variants.is_empty() {
            break;
        }
        match smallest(plan, whole, &best, &variants, scratch)? {
            Some((index, smaller)) => {
                // Variants before this one did not work out, and their like will not now.
                skip = (skip + index).saturating_sub(8);
                best = smaller;
            }
            None if variants.len() < TOGETHER && skip > 0 => {
                skip = 0;
                // Once more from the start, unless that was just done.
                if variants.len() == 1 {
                    break;
                }
            }
            None if variants.len() < TOGETHER => break,
            None => skip += TOGETHER,
        }
    }
    Ok(best)
}

/// The first of the variants that still disagrees.
fn smallest(
    plan: &Plan,
    whole: &Disagreement,
    best: &Disagreement,
    variants: &[String],
    scratch: &Path,
) -> Result<Option<(usize, Disagreement)>> {
    let language = plan.language;
    let name = &best.program.name;
    let mut work = Vec::new();
    for (index, text) in variants.iter().enumerate() {
        let renamed = format!("{name}v{index}");
        let from = if language == Language::C { format!("{name}_") } else { name.clone() };
        let to = if language == Language::C { format!("{renamed}_") } else { renamed.clone() };
        let globals =
            best.program.globals.iter().map(|(global, kind)| (global.replace(&from, &to), kind.clone()));
        let program = GeneratedProgram {
            text: text.replace(&from, &to),
            name: renamed,
            entry: best.program.entry.replace(&from, &to),
            globals: globals.collect(),
            ..best.program.clone()
        };
        let said = say(language, &program, vec![best.input.clone()]);
        work.push((program, said));
    }
    let mut rejected = Vec::new();
    for (program, runs) in compare(plan.world(), work, scratch, &mut rejected)? {
        for (input, ours, real) in runs {
            if let Judgement::Disagree(ours) = judge(plan.world(), &ours, &real)
                && sort(&ours) == sort(&whole.ours)
                && sort(&real) == sort(&whole.real)
            {
                let position: usize = program.name[name.len() + 1..].parse()?;
                let program = GeneratedProgram {
                    text: variants[position].clone(),
                    name: name.clone(),
                    entry: best.program.entry.clone(),
                    globals: best.program.globals.clone(),
                    ..program
                };
                return Ok(Some((position, Disagreement { program, input, ours, real })));
            }
        }
    }
    Ok(None)
}

/// The kind of an ending: a crash is only cut down to a crash, so that cutting does not find something else.
fn sort(ending: &str) -> Vec<&str> {
    let words = ending.split(' ');
    let count = if ending.starts_with("returned") || ending.starts_with("failed") { 1 } else { 3 };
    words.take(count).collect()
}

/// Programs that are a little smaller, those without more lines first.
fn variants(text: &str) -> impl Iterator<Item = String> + '_ {
    let lines: Vec<&str> = text.lines().collect();
    let blocks = (0..lines.len()).flat_map({
        let lines = lines.clone();
        move |start| without_lines(&lines, start)
    });
    let expressions = (0..lines.len()).flat_map(move |index| {
        let lines = lines.clone();
        simpler_lines(lines[index]).into_iter().map(move |simpler| {
            let mut changed: Vec<&str> = lines.clone();
            changed[index] = &simpler;
            changed.join("\n") + "\n"
        })
    });
    blocks.chain(expressions)
}
