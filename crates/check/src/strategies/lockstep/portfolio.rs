//! The portfolio of alignments: which are tried, in which order, and with how much work.
//!
//! Nobody knows beforehand which way helps, and a way that does not help may use up any budget. So every way gets a little
//! first, and then more and more; ways that help often come first. A way that failed with budget left does not come again.

use budget::Steps;
use ir::Pair;

use relate::{Arithmetic, Grouping};

/// What an attempt gets when it is tried first: a share of what is left, and not less than this; and how much more each
/// further time.
const FIRST_SHARE: u64 = 6;
const LEAST_AT_FIRST: Steps = Steps::of_milliseconds(1200);
const GROWTH: u64 = 3;
/// Rounds after which the share does not grow.
const MOST_GROWTH: u32 = 8;

/// One way to run the loops of both versions side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// In lockstep, after as many iterations of each as runs show.
    Peeled,
    /// In lockstep, after some iterations of each.
    Lockstep(Pair<u32>),
    /// In lockstep, where one counts up and the other one down.
    Reversed,
    /// With another ratio of iterations, or one loop with several.
    Grouped(Grouping),
    /// Each alone: what a loop computes may be known without the other one.
    Alone,
    /// In lockstep, by cases of the inputs on which it depends whether loops are reached.
    ByCases,
    /// In lockstep, by cases of the inputs on which it depends whether loops have iterations.
    FirstTests,
    /// In lockstep, but for loops that take only a few iterations: these are unrolled.
    FullUnrolling,
    /// Loops that are done wait for the other version's.
    Stuttering,
    /// In lockstep, on the inputs that need more than a few iterations; the others were followed to their end.
    Residual,
}

/// The ways in the order in which they are tried, each with how late it comes.
const WAYS: [(Way, u32); 14] = [
    (Way::Lockstep(Pair { old: 0, new: 0 }), 0),
    (Way::Peeled, 0),
    (Way::Reversed, 1),
    (Way::Grouped(Grouping::KToL), 1),
    (Way::Grouped(Grouping::OneToMany), 1),
    (Way::Alone, 1),
    (Way::ByCases, 1),
    (Way::FirstTests, 1),
    (Way::FullUnrolling, 1),
    (Way::Lockstep(Pair { old: 1, new: 0 }), 1),
    (Way::Lockstep(Pair { old: 0, new: 1 }), 1),
    (Way::Stuttering, 1),
    (Way::Lockstep(Pair { old: 1, new: 1 }), 1),
    (Way::Residual, 2),
];

impl Way {
    /// Whether it is tried with rotated loops, too: the others do not depend on where loops test.
    fn is_for_rotated(self) -> bool {
        !matches!(self, Way::Peeled | Way::Reversed | Way::FirstTests | Way::FullUnrolling | Way::Residual)
    }

    /// Whether it leaves the loops as they are written.
    fn is_as_written(self) -> bool {
        match self {
            Way::Lockstep(peeled) => peeled == Pair::default(),
            Way::Stuttering | Way::Residual => false,
            Way::Peeled | Way::Reversed | Way::Grouped(_) => true,
            Way::Alone | Way::ByCases | Way::FirstTests | Way::FullUnrolling => true,
        }
    }
}

/// One way, for one rotation of the loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    /// Which of the rotated versions; 0 is the loops as they are written.
    pub(super) rotation: usize,
    pub(super) arithmetic: Arithmetic,
    pub(super) way: Way,
    /// The round in which it is tried first.
    rank: u32,
    /// What it had when it was tried last.
    had: Steps,
}

/// The attempts that may still help, and which of them is next.
#[derive(Clone, Debug)]
pub(crate) struct Portfolio {
    left: Vec<Attempt>,
    round: u32,
    next: usize,
}

impl Portfolio {
    /// All attempts for so many rotations. Where there are products and quotients, they are taken for symbols first: such
    /// invariants are found faster. Invariants about products that the versions do not compute seldom help. They come
    /// last, and only for the loops as they are written.
    pub(super) fn new(rotations: usize, has_hard_operations: bool) -> Portfolio {
        let readings = match has_hard_operations {
            true => [Some(Arithmetic::Symbols), Some(Arithmetic::Exact), Some(Arithmetic::ExactProducts)],
            false => [Some(Arithmetic::Exact), None, Some(Arithmetic::Symbols)],
        };
        let mut left = Vec::new();
        for (place, arithmetic) in readings.into_iter().enumerate() {
            let Some(arithmetic) = arithmetic else { continue };
            for rotation in 0..rotations {
                for (way, rank) in WAYS {
                    let is_wanted = match (place, way) {
                        (2, _) => rotation == 0 && way.is_as_written(),
                        // Once is enough: the residual condition does not depend on how products are read.
                        (_, Way::Residual) if arithmetic == Arithmetic::Symbols => false,
                        _ => rotation == 0 || way.is_for_rotated(),
                    };
                    if is_wanted {
                        let rank = rank + place as u32 + u32::from(rotation > 0);
                        left.push(Attempt { rotation, arithmetic, way, rank, had: Steps::ZERO });
                    }
                }
            }
        }
        // Lockstep is quick, and mostly enough.
        left.sort_by_key(|attempt| (attempt.rank, attempt.way != WAYS[0].0));
        Portfolio { left, round: 0, next: 0 }
    }

    /// The next attempt, and its share of a budget.
    pub(super) fn next(&mut self, budget: Steps) -> Option<(Attempt, Steps)> {
        loop {
            match self.left.get(self.next) {
                Some(attempt) if attempt.rank <= self.round => {
                    let times = (self.round - attempt.rank).min(MOST_GROWTH);
                    let at_first = (budget / FIRST_SHARE).max(LEAST_AT_FIRST);
                    // It starts afresh, so that a little more than it had would come to the same.
                    let share = (at_first * GROWTH.pow(times)).max(attempt.had * 2);
                    return Some((*attempt, share));
                }
                _ if self.left.is_empty() => return None,
                _ => (self.round, self.next) = (self.round + 1, 0),
            }
        }
    }

    /// The next one did not have enough: it comes again.
    pub(super) fn again_later(&mut self, had: Steps) {
        self.left[self.next].had = had;
        self.next += 1;
    }

    /// The next one had less than its share: it comes again first.
    pub(super) fn was_short_of_budget(&mut self, had: Steps) {
        self.left[self.next].had = had;
    }

    /// More would not help the next one.
    pub(super) fn has_failed(&mut self) {
        self.left.remove(self.next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_helps_often_comes_first_and_gets_more() {
        let mut portfolio = Portfolio::new(1, false);
        let (first, share) = portfolio.next(LEAST_AT_FIRST).expect("an attempt");
        assert_eq!((first.way, share), (Way::Lockstep(Pair::default()), LEAST_AT_FIRST));
        portfolio.again_later(share);
        assert_eq!(portfolio.next(LEAST_AT_FIRST).expect("an attempt").0.way, Way::Peeled);
        portfolio.has_failed();
        let (again, share) = portfolio.next(LEAST_AT_FIRST).expect("an attempt");
        assert_eq!((again.way, share), (first.way, LEAST_AT_FIRST * GROWTH));
        portfolio.again_later(share);
        assert_eq!(portfolio.next(LEAST_AT_FIRST).expect("an attempt"), (portfolio.left[1], LEAST_AT_FIRST));
    }

    #[test]
    fn what_had_too_little_gets_twice_as_much() {
        let mut portfolio = Portfolio::new(1, false);
        portfolio.next(LEAST_AT_FIRST).expect("an attempt");
        let had = LEAST_AT_FIRST.mul_f64(0.9);
        portfolio.was_short_of_budget(had);
        let (again, share) = portfolio.next(LEAST_AT_FIRST * 2).expect("an attempt");
        assert_eq!((again.way, share), (Way::Lockstep(Pair::default()), had * 2));
    }

    #[test]
    fn what_failed_does_not_come_again() {
        let mut portfolio = Portfolio::new(3, true);
        let mut seen = Vec::new();
        while let Some((attempt, _)) = portfolio.next(LEAST_AT_FIRST) {
            assert!(!seen.contains(&attempt));
            seen.push(attempt);
            portfolio.has_failed();
        }
        assert!(seen.len() > 40);
    }
}
