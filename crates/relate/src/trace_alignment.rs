//! Trace-guided alignment: how the loops of both versions keep step, guessed from how often they ran.
//!
//! A guess: what it leads to is proved.

use std::collections::BTreeMap;

use ir::{Pair, Side};

use crate::traces::Traces;

/// Iterations that are taken as one, at the most.
const FASTEST: u32 = 8;
/// Iterations that one version does before both are in step, at the most.
const LONGEST_START: u32 = 6;
/// Runs that have to show a rhythm, and the share of all runs that may not contradict it.
const LEAST_RUNS: usize = 2;
const SHARE: (usize, usize) = (7, 10);

/// How one loop keeps step with several of the other version, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rhythm {
    /// Each of them does what the one loop does, or a part of it.
    Again,
    /// Each of them goes on where the one before it stopped; of the one loop, so many iterations are taken as one as
    /// long as it is in step with the first of them.
    InTurn(u32),
}

impl Traces {
    /// Whether loops that go together mostly began as many iterations, those that are peeled not counted.
    pub fn are_in_step(&self, peeled: Pair<u32>) -> bool {
        let counts = |number: usize| {
            self.ended().map(move |run| Pair {
                old: run.begun(Side::Old, number).saturating_sub(peeled.old as usize),
                new: run.begun(Side::New, number).saturating_sub(peeled.new as usize),
            })
        };
        self.paired.iter().all(|number| mostly(counts(*number), |count| count.old == count.new))
    }

    /// How many iterations of each version are to be done first so that all loops are in step then, where it is more
    /// than one: a version that begins with what the first iterations would compute.
    pub fn head_start(&self) -> Option<Pair<u32>> {
        let leads = self.paired.iter().flat_map(|number| {
            self.ended()
                .map(|run| Pair { old: run.begun(Side::Old, *number), new: run.begun(Side::New, *number) })
        });
        let mut seen: BTreeMap<Pair<u32>, usize> = BTreeMap::new();
        for begun in leads.filter(|begun| begun.old > 0 && begun.new > 0) {
            let lead =
                |mine: usize, other: usize| u32::try_from(mine.saturating_sub(other)).unwrap_or(u32::MAX);
            let lead = Pair { old: lead(begun.old, begun.new), new: lead(begun.new, begun.old) };
            *seen.entry(lead).or_default() += 1;
        }
        let (lead, count) = seen.into_iter().max_by_key(|(_, count)| *count)?;
        let is_new = (2..=LONGEST_START).contains(&(lead.old + lead.new));
        (is_new && count >= LEAST_RUNS).then_some(lead)
    }

    /// How many iterations of two loops are to be taken as one so that they keep step.
    pub(crate) fn pace(&self, numbers: Pair<usize>) -> Option<Pair<u32>> {
        let counts: Vec<Pair<usize>> = self
            .ended()
            .map(|run| Pair {
                old: run.iterations(Side::Old, numbers.old),
                new: run.iterations(Side::New, numbers.new),
            })
            .collect();
        let mut paces: Vec<Pair<u32>> =
            (1..=FASTEST).flat_map(|old| (1..=FASTEST).map(move |new| Pair { old, new })).collect();
        paces.sort_by_key(|pace| (pace.old + pace.new, pace.new));
        paces.into_iter().find(|pace| {
            let taken = |count: &Pair<usize>| Pair {
                old: count.old / pace.old as usize,
                new: count.new / pace.new as usize,
            };
            let shows = |count: &&Pair<usize>| taken(count).old > 0 && taken(count).old == taken(count).new;
            counts.iter().filter(shows).count() >= LEAST_RUNS
                && mostly(counts.iter(), |count| taken(count).old == taken(count).new)
        })
    }

    /// How a loop of one version keeps step with several of the other one.
    pub(crate) fn rhythm(&self, side: Side, one: usize, many: &[usize]) -> Option<Rhythm> {
        let counts: Vec<Counts> = self
            .ended()
            .map(|run| Counts {
                one: run.iterations(side, one),
                many: many.iter().map(|number| run.iterations(side.other(), *number)).collect(),
            })
            .collect();
        let again = |count: &Counts| count.many.iter().all(|it| *it == count.one);
        let in_turn = |pace: u32| {
            move |count: &Counts| {
                let rest = count.many[1..].iter().sum::<usize>();
                count.one == count.many[0] * pace as usize + rest
            }
        };
        let is_shown = |fits: &dyn Fn(&Counts) -> bool| {
            let shown = counts.iter().filter(|count| count.many[0] > 0 && fits(count)).count();
            shown >= LEAST_RUNS && mostly(counts.iter(), |count| fits(count))
        };
        if is_shown(&again) {
            return Some(Rhythm::Again);
        }
        (1..=FASTEST).find(|pace| is_shown(&in_turn(*pace))).map(Rhythm::InTurn)
    }
}

/// How often one loop ran, and those of the other version that may be in step with it.
struct Counts {
    one: usize,
    many: Vec<usize>,
}

fn mostly<T>(all: impl Iterator<Item = T>, holds: impl Fn(&T) -> bool) -> bool {
    let (mut count, mut held) = (0, 0);
    for one in all {
        count += 1;
        held += usize::from(holds(&one));
    }
    SHARE.1 * held >= SHARE.0 * count
}
