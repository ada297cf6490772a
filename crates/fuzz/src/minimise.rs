//! Cuts a case with a wrong verdict down while the verdict stays wrong in the same way.

use arbitrary_source::Choices;
use arbitrary_source::shrink::{simpler_lines, without_lines};
use ir::Numbers;

use super::case::Case;
use super::judge::{Questions, Wrong, WrongKind, judge};

/// How many smaller cases are judged.
const MOST_TRIALS: usize = 1500;

/// A smaller case that the same strategy is wrong about in the same way.
pub(crate) fn minimise(case: &Case, numbers: Numbers, wrong: &Wrong, questions: &Questions) -> Case {
    let mut questions = questions.clone();
    if let Some(strategy) = wrong.strategy {
        questions.strategies.retain(|other| *other == strategy || other.name() == "testing");
    } else {
        questions.strategies.clear();
    }
    let same = |case: &Case| {
        let mut choices = Choices::new(7, 7);
        let judged = judge(case, numbers, &questions, &mut choices);
        judged.is_ok_and(|judged| {
            judged.wrong.iter().any(|other| other.kind == wrong.kind && other.strategy == wrong.strategy)
        })
    };
    if case.is_kept() && wrong.kind == WrongKind::Different {
        return one_step(case, &same);
    }
    cut(case, &same)
}

/// The first step on the way that is not what it should be: rewrites are wrong one at a time.
fn one_step(case: &Case, same: &dyn Fn(&Case) -> bool) -> Case {
    let steps = case.chain.windows(2).map(|step| case.with_texts(step[0].clone(), step[1].clone()));
    steps.into_iter().find(|step| same(step)).unwrap_or_else(|| case.clone())
}

/// Removes lines and parts of expressions from both sides, or from one.
fn cut(case: &Case, same: &dyn Fn(&Case) -> bool) -> Case {
    let mut best = case.with_texts(case.texts.old.clone(), case.texts.new.clone());
    let mut trials = 0;
    loop {
        let smaller = candidates(&best).find(|candidate| {
            trials += 1;
            trials <= MOST_TRIALS && same(candidate)
        });
        match smaller {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

/// Cases that are a little smaller: changed alike on both sides first.
fn candidates(case: &Case) -> impl Iterator<Item = Case> + '_ {
    let (old, new) = (&case.texts.old, &case.texts.new);
    let both = removals(old).chain(simplifications(old)).filter_map(move |(line, change)| {
        let position = new.lines().position(|other| other == line)?;
        let old_position = old.lines().position(|other| other == line)?;
        Some(case.with_texts(change(old, old_position)?, change(new, position)?))
    });
    let only_old = removals(old).chain(simplifications(old)).filter_map(move |(line, change)| {
        let position = old.lines().position(|other| other == line)?;
        Some(case.with_texts(change(old, position)?, new.clone()))
    });
    let only_new = removals(new).chain(simplifications(new)).filter_map(move |(line, change)| {
        let position = new.lines().position(|other| other == line)?;
        Some(case.with_texts(old.clone(), change(new, position)?))
    });
    both.chain(only_old).chain(only_new)
}

type Change = Box<dyn Fn(&str, usize) -> Option<String>>;

/// For each line, ways to remove it or the block that it opens.
fn removals(text: &str) -> impl Iterator<Item = (String, Change)> + '_ {
    text.lines().flat_map(|line| {
        (0..2).map(move |variant| {
            let change: Change = Box::new(move |text, position| {
                let lines: Vec<&str> = text.lines().collect();
                without_lines(&lines, position).into_iter().nth(variant)
            });
            (line.to_owned(), change)
        })
    })
}

/// For each line, ways to make its expressions simpler.
fn simplifications(text: &str) -> impl Iterator<Item = (String, Change)> + '_ {
    text.lines().flat_map(|line| {
        let simpler: Vec<(String, Change)> = simpler_lines(line)
            .into_iter()
            .map(|simpler| {
                let change: Change = Box::new(move |text, position| {
                    let mut lines: Vec<&str> = text.lines().collect();
                    *lines.get_mut(position)? = &simpler;
                    Some(lines.join("\n") + "\n")
                });
                (line.to_owned(), change)
            })
            .collect();
        simpler
    })
}
