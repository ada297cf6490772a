//! Trace-guided alignment: how the iterations of both versions go together, guessed from how often loops ran.
//!
//! A guess: what it leads to is proved.

use std::collections::BTreeMap;

use ir::{Pair, Side};

use crate::traces::Traces;

/// Iterations that are taken as one, at the most.
const LARGEST_RATIO: u32 = 8;
/// Iterations that are peeled off, at the most.
const MOST_PEELED: u32 = 6;
/// Runs that have to show an alignment, and the share of all runs that must agree with it.
const LEAST_RUNS: usize = 2;
const SHARE: (usize, usize) = (7, 10);

/// How one loop was split into several of the other version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Splitting {
    /// Loop fission: each of them has all iterations, and does a part of what the one loop does.
    Fission,
    /// Index-set splitting: each of them goes on where the one before it stopped. So many iterations of the one loop go
    /// with one iteration of the first of them.
    IndexSet(u32),
}

impl Traces {
    /// Whether loops that go together mostly began as many iterations, without those that are peeled off.
    pub fn are_in_lockstep(&self, peeled: Pair<u32>) -> bool {
        let counts = |number: usize| {
            self.ended().map(move |run| Pair {
                old: run.begun(Side::Old, number).saturating_sub(peeled.old as usize),
                new: run.begun(Side::New, number).saturating_sub(peeled.new as usize),
            })
        };
        self.paired.iter().all(|number| mostly(counts(*number), |count| count.old == count.new))
    }

    /// How many iterations must be peeled off each version so that all loops are in lockstep then, if that is more than
    /// one: a version may begin with what the first iterations would compute.
    pub fn peeling(&self) -> Option<Pair<u32>> {
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
        let is_new = (2..=MOST_PEELED).contains(&(lead.old + lead.new));
        (is_new && count >= LEAST_RUNS).then_some(lead)
    }

    /// The k-to-l ratio in which two loops are in lockstep.
    pub(crate) fn ratio(&self, numbers: Pair<usize>) -> Option<Pair<u32>> {
        let counts: Vec<Pair<usize>> = self
            .ended()
            .map(|run| Pair {
                old: run.iterations(Side::Old, numbers.old),
                new: run.iterations(Side::New, numbers.new),
            })
            .collect();
        let mut ratios: Vec<Pair<u32>> = (1..=LARGEST_RATIO)
            .flat_map(|old| (1..=LARGEST_RATIO).map(move |new| Pair { old, new }))
            .collect();
        ratios.sort_by_key(|ratio| (ratio.old + ratio.new, ratio.new));
        ratios.into_iter().find(|ratio| {
            let taken = |count: &Pair<usize>| Pair {
                old: count.old / ratio.old as usize,
                new: count.new / ratio.new as usize,
            };
            let shows = |count: &&Pair<usize>| taken(count).old > 0 && taken(count).old == taken(count).new;
            counts.iter().filter(shows).count() >= LEAST_RUNS
                && mostly(counts.iter(), |count| taken(count).old == taken(count).new)
        })
    }

    /// How a loop of one version was split into several of the other one.
    pub(crate) fn splitting(&self, side: Side, one: usize, many: &[usize]) -> Option<Splitting> {
        let counts: Vec<Counts> = self
            .ended()
            .map(|run| Counts {
                one: run.iterations(side, one),
                many: many.iter().map(|number| run.iterations(side.other(), *number)).collect(),
            })
            .collect();
        let fission = |count: &Counts| count.many.iter().all(|it| *it == count.one);
        let index_set = |ratio: u32| {
            move |count: &Counts| {
                let rest = count.many[1..].iter().sum::<usize>();
                count.one == count.many[0] * ratio as usize + rest
            }
        };
        let is_shown = |fits: &dyn Fn(&Counts) -> bool| {
            let shown = counts.iter().filter(|count| count.many[0] > 0 && fits(count)).count();
            shown >= LEAST_RUNS && mostly(counts.iter(), |count| fits(count))
        };
        if is_shown(&fission) {
            return Some(Splitting::Fission);
        }
        (1..=LARGEST_RATIO).find(|ratio| is_shown(&index_set(*ratio))).map(Splitting::IndexSet)
    }
}

/// How often one loop ran, and those of the other version that it may have been split into.
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
