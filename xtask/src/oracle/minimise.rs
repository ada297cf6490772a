//! Cuts a program down while it still shows a disagreement: lines and blocks first, then parts of expressions.

use std::path::Path;

use anyhow::Result;

use super::Language;
use super::campaign::{Disagreement, Judgement, Plan, compare, judge, say};
use super::program::GeneratedProgram;

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

/// The text without the statement on a line, or without the braces around a block.
pub(crate) fn without_lines(lines: &[&str], start: usize) -> Vec<String> {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let keep = |from: usize, to: usize| {
        let kept = lines[..from].iter().chain(&lines[to + 1..]);
        kept.map(|line| format!("{line}\n")).collect::<String>()
    };
    if !lines[start].trim_end().ends_with('{') {
        return if lines[start].trim_start().starts_with('}') {
            Vec::new()
        } else {
            vec![keep(start, start)]
        };
    }
    let depth = indentation(lines[start]);
    let mut ends = (start + 1..lines.len())
        .filter(|index| indentation(lines[*index]) == depth && lines[*index].trim_start().starts_with('}'));
    let Some(first_end) = ends.next() else { return Vec::new() };
    let last_end = if lines[first_end].ends_with('{') {
        ends.find(|index| !lines[*index].ends_with('{')).unwrap_or(first_end)
    } else {
        first_end
    };
    let is_head = !lines[start].trim_start().starts_with('}');
    let mut results = Vec::new();
    if is_head {
        results.push(keep(start, last_end));
        // The inside of the first block alone; labels of a switch cannot stand alone.
        if lines[start].trim_start().starts_with("switch") {
            return results;
        }
        let inside = lines[start + 1..first_end].iter();
        let kept = lines[..start].iter().chain(inside).chain(&lines[last_end + 1..]);
        results.push(kept.map(|line| format!("{line}\n")).collect());
    } else {
        // An `else`, `catch` or `finally` part, whose head also ends the part before.
        let kept = lines[..start].iter().chain(&lines[first_end..]);
        results.push(kept.map(|line| format!("{line}\n")).collect());
    }
    results
}

/// The line with one of its parenthesised parts made simpler.
pub(crate) fn simpler_lines(line: &str) -> Vec<String> {
    let mut results = Vec::new();
    if line.contains("entry(") {
        return results;
    }
    for (start, _) in line.match_indices('(') {
        let Some(end) = closing(line, start) else { continue };
        let inside = &line[start + 1..end];
        let around = |replacement: &str| format!("{}{replacement}{}", &line[..start], &line[end + 1..]);
        if inside.contains(['(', ' ']) {
            results.extend(["0", "1", "(-1)", "true", "1.5"].map(around));
        }
        results.extend(operands(inside).into_iter().map(|operand| around(&format!("({operand})"))));
        if inside.starts_with('(') && closing(inside, 0) == Some(inside.len() - 1) {
            results.push(around(inside));
        }
    }
    results
}

/// The parts of `a + b`, `a ? b : c` and `f(x), y` at the top of an expression.
fn operands(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut starts = vec![0];
    let mut results = Vec::new();
    for (index, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ' ' if depth == 0 => {
                let start = starts.last().copied().unwrap_or(0);
                results.push(text[start..index].trim_end_matches(','));
                starts.push(index + 1);
            }
            _ => {}
        }
    }
    if let Some(start) = starts.last().filter(|start| **start > 0) {
        results.push(&text[*start..]);
    }
    results.retain(|part| part.len() > 2 || part.chars().all(char::is_alphanumeric));
    results
}

/// Where the parenthesis that opens here is closed.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (index, letter) in text[open..].char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(open + index),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}
