//! What a campaign counts, and how it is shown.

use std::collections::BTreeMap;
use std::time::Duration;

/// What selfsame says about a pair.
pub(super) enum Answered {
    Equivalent(String),
    Different,
    Unknown(String),
    /// Our own runs separate the versions.
    NotAsked,
    Refused,
    Broken(String),
}

/// Everything that was counted.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) made: usize,
    pub(super) equivalent: usize,
    pub(super) different: usize,
    pub(super) unknown: usize,
    /// Separated by our own runs.
    pub(super) not_asked: usize,
    /// By a front end, or by the compiler.
    pub(super) refused: usize,
    pub(super) broken: usize,
    pub(super) judged: usize,
    pub(super) separated: usize,
    pub(super) reasons: BTreeMap<String, usize>,
    /// How long selfsame took for its answers, by what they were.
    asking: BTreeMap<&'static str, Duration>,
    /// How long the compilers and the drivers took.
    pub(super) running: Duration,
}

impl Summary {
    pub(super) fn add_time(&mut self, answer: &Answered, time: Duration) {
        let what = match answer {
            Answered::Equivalent(_) => "equivalent",
            Answered::Different => "different",
            Answered::Unknown(_) => "unknown",
            Answered::NotAsked => "own runs",
            Answered::Refused | Answered::Broken(_) => "refused",
        };
        *self.asking.entry(what).or_default() += time;
    }

    /// Why pairs are *unknown*, the most frequent reasons first.
    pub(super) fn show_reasons(&self) -> String {
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        reasons.iter().take(8).map(|(reason, count)| format!("{count} unknown: {reason}\n")).collect()
    }

    /// Where the time went.
    pub(super) fn show_times(&self) -> String {
        let asking = self.asking.iter().map(|(what, time)| format!("{:.0} s for {what}", time.as_secs_f64()));
        let all: Vec<String> =
            asking.chain([format!("{:.0} s to compile and run", self.running.as_secs_f64())]).collect();
        all.join(", ")
    }

    pub(super) fn show(&self) -> String {
        format!(
            "{} pairs: {} separated by our interpreter, {} different, {} equivalent, {} unknown, {} refused, {} broken; \
             {} equivalent ones run for real, {} separated",
            self.made,
            self.not_asked,
            self.different,
            self.equivalent,
            self.unknown,
            self.refused,
            self.broken,
            self.judged,
            self.separated
        )
    }
}
