//! Chooses the pairs to run: those with a label for the numbers, with a text in their name, or a sample of them.

use anyhow::Result;
use ir::Numbers;
use report::bench::{Label, LeftOut};

use super::case::Case;
use super::nothing_chosen;
use crate::args::BenchArguments;

/// The pairs that will run.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) cases: Vec<ChosenCase>,
    /// Pairs without a label.
    pub(crate) left_out: Vec<LeftOut>,
    /// How many there were before the sample was taken.
    pub(crate) of: usize,
}

/// A pair with the numbers that it runs with, and its label for them.
#[derive(Debug)]
pub(crate) struct ChosenCase {
    pub(crate) case: Case,
    pub(crate) numbers: Numbers,
    pub(crate) label: Label,
}

/// The pairs that the arguments ask for, in their order. Fails when there are none.
pub(crate) fn choose(cases: Vec<Case>, arguments: &BenchArguments) -> Result<Chosen> {
    let only = arguments.only.as_deref().unwrap_or_default();
    let mut left_out = Vec::new();
    let mut chosen = Vec::new();
    for case in cases.into_iter().filter(|case| case.full_name().contains(only)) {
        let numbers = arguments.numbers.forced().unwrap_or(case.numbers);
        match case.truth.of(numbers) {
            Some(label) => chosen.push(ChosenCase { case, numbers, label }),
            None => {
                let no_label = || format!("it has no label for {} numbers", numbers.name());
                let why = case.unlabelled.map_or_else(no_label, str::to_owned);
                left_out.push(LeftOut { what: case.full_name(), why });
            }
        }
    }
    if chosen.is_empty() {
        return nothing_chosen(arguments, &left_out);
    }
    let of = chosen.len();
    let cases = match arguments.sample.and_then(|sample| usize::try_from(sample).ok()) {
        Some(sample) => spread(chosen, sample),
        None => chosen,
    };
    Ok(Chosen { cases, left_out, of })
}

/// So many of them, evenly spread, in their order.
fn spread<T>(all: Vec<T>, wanted: usize) -> Vec<T> {
    let count = all.len();
    if wanted >= count {
        return all;
    }
    let mut positions = (0..wanted).map(|index| index * count / wanted).peekable();
    let taken = all.into_iter().enumerate().filter(|(position, _)| positions.next_if_eq(position).is_some());
    taken.map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn a_sample_is_spread_evenly_and_keeps_the_order() {
        assert_eq!(spread((0..10).collect(), 3), [0, 3, 6]);
        assert_eq!(spread((0..10).collect(), 1), [0]);
        assert_eq!(spread((0..4).collect(), 4), [0, 1, 2, 3]);
        assert_eq!(spread((0..4).collect(), 9), [0, 1, 2, 3]);
    }
}
