//! The schedule of `auto`: which strategy comes when, with which share of the budget, and what it hands on.
//!
//! The table is all there is: `--dump plan` prints it for a pair with what each step did, and `docs/schedule.md` shows it.

use budget::Steps;

use crate::Strategy;
use crate::unknown::Reason;
use crate::verdict::Verdict;

/// One step of `auto`.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub strategy: Strategy,
    pub when: When,
    pub share: Share,
    /// What later steps know from it if it does not decide.
    pub hands_on: &'static str,
}

/// When a step is taken. A *part* is a piece of a pair that a boundary surrounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    Always,
    /// Not for parts.
    Whole,
    /// Not for parts, and not with `--total`: proofs of parts speak of runs that end.
    WholePartial,
    /// Not for parts, and not for loops in loops in loops: these are never unrolled quickly.
    WholeWithFlatLoops,
}

impl When {
    pub fn in_words(self) -> &'static str {
        match self {
            When::Always => "always",
            When::Whole => "whole pairs",
            When::WholePartial => "whole pairs, without --total",
            When::WholeWithFlatLoops => "whole pairs, loops nested at most two deep",
        }
    }
}

/// How much of the budget that is left a step may take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Share {
    /// Next to nothing.
    Nothing,
    /// A fixed number of runs, whatever is left.
    Runs(Tests),
    Of(f64),
    /// For whole pairs, and for parts.
    OfWholeOrPart(f64, f64),
    AtMost(Steps),
}

impl Share {
    pub fn of(self, left: Steps, is_part: bool) -> Steps {
        match self {
            Share::Nothing | Share::Runs(_) => left,
            Share::Of(share) => left.mul_f64(share),
            Share::OfWholeOrPart(whole, part) => left.mul_f64(if is_part { part } else { whole }),
            Share::AtMost(most) => left.min(most),
        }
    }

    pub fn in_words(self) -> String {
        match self {
            Share::Nothing => "next to nothing".to_owned(),
            Share::Runs(Tests::Few) => "a few runs".to_owned(),
            Share::Runs(Tests::More) => "more runs".to_owned(),
            Share::Runs(Tests::Many) => "many runs".to_owned(),
            Share::Of(share) => format!("{share} of what is left"),
            Share::OfWholeOrPart(whole, part) => format!("{whole} of what is left ({part} for parts)"),
            Share::AtMost(most) => format!("at most {} million steps", most.get() as f64 / 1e6),
        }
    }
}

/// How many inputs a step of `testing` tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tests {
    Few,
    /// Before proofs that may use up everything else.
    More,
    /// When proofs have failed.
    Many,
}

/// How far everything is unrolled in the quick step.
pub(crate) const QUICK_BOUND: u32 = 25;

/// The steps of `auto`, in order. The first that decides wins; what one does not use is left for the next.
pub const AUTO: [Step; 11] = [
    Step { strategy: Strategy::Identical, when: When::Always, share: Share::Nothing, hands_on: "nothing" },
    Step {
        strategy: Strategy::Testing,
        when: When::Always,
        share: Share::Runs(Tests::Few),
        hands_on: "which changed statements were executed",
    },
    Step {
        strategy: Strategy::Boundary,
        when: When::WholePartial,
        share: Share::Of(0.6),
        hands_on: "nothing",
    },
    Step { strategy: Strategy::Refine, when: When::Always, share: Share::Of(0.3), hands_on: "reasons" },
    Step {
        strategy: Strategy::Bounded,
        when: When::WholeWithFlatLoops,
        share: Share::AtMost(Steps::of_milliseconds(2500)),
        hands_on: "how far everything was followed",
    },
    Step {
        strategy: Strategy::Testing,
        when: When::Whole,
        share: Share::Runs(Tests::More),
        hands_on: "which changed statements were executed",
    },
    Step { strategy: Strategy::SameSymbol, when: When::Always, share: Share::Of(0.3), hands_on: "reasons" },
    Step {
        strategy: Strategy::Coupling,
        when: When::Always,
        share: Share::OfWholeOrPart(0.5, 0.7),
        hands_on: "reasons, and which alignments are left",
    },
    Step { strategy: Strategy::Horn, when: When::Whole, share: Share::Of(0.25), hands_on: "reasons" },
    Step {
        strategy: Strategy::Bounded,
        when: When::Always,
        share: Share::OfWholeOrPart(0.8, 1.0),
        hands_on: "how far everything was followed",
    },
    Step {
        strategy: Strategy::Testing,
        when: When::Whole,
        share: Share::Runs(Tests::Many),
        hands_on: "nothing",
    },
];

/// What a step of the schedule did for a pair.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanStep {
    pub strategy: Strategy,
    /// What it might spend, and what it did.
    pub share: Steps,
    pub spent: Steps,
    pub outcome: Outcome,
}

/// How a step ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// It does not apply to the pair.
    Skipped(&'static str),
    Equivalent,
    Different,
    /// It did not decide, for these reasons.
    Undecided(Vec<Reason>),
}

impl PlanStep {
    /// A step that cost nothing worth mentioning.
    pub(crate) fn decided(verdict: &Verdict) -> PlanStep {
        let outcome = Outcome::of(verdict);
        PlanStep { strategy: Strategy::Auto, share: Steps::ZERO, spent: Steps::ZERO, outcome }
    }
}

impl Outcome {
    pub(crate) fn of(verdict: &Verdict) -> Outcome {
        match verdict {
            Verdict::Equivalent(_) => Outcome::Equivalent,
            Verdict::Different(_) => Outcome::Different,
            Verdict::Unknown(unknown) => Outcome::Undecided(unknown.reasons().cloned().collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_shows_this_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schedule.md");
        let documented = std::fs::read_to_string(path).expect("docs/schedule.md should be there");
        for step in AUTO {
            let row = format!(
                "| `{}` | {} | {} | {} |",
                step.strategy.name(),
                step.when.in_words(),
                step.share.in_words(),
                step.hands_on
            );
            assert!(documented.contains(&row), "docs/schedule.md should have the row\n{row}");
        }
    }
}
