//! A limit for work that Z3 does not count as steps: how often it may allocate memory.
//!
//! Some of its methods (algebraic numbers, polynomials of high degree) run for minutes within a few steps.
//! All of them allocate, and Z3 ends its process once a number of allocations is passed.

use super::sexpr::SExpr;
use budget::Steps;

/// Allocations that any question may make.
const LEAST: u64 = 20_000_000;
/// Allocations for a step. Ordinary questions make one or two.
const FOR_A_STEP: u64 = 50;
/// What the solver's option can say.
const MOST: u64 = u32::MAX as u64;

/// Asks Z3 for its statistics, which have the number of allocations since it was started.
pub(super) const STATISTICS: &str = "(get-info :all-statistics)\n";

/// What Z3 says when it ends because of the limit.
pub(super) const LAST_WORDS: &str = "Maximal allocation counts";

/// The number in the statistics, if it is there.
pub(super) fn so_far(statistics: &SExpr) -> Option<u64> {
    let items = statistics.as_list()?;
    let place = items.iter().position(|item| item.as_atom() == Some(":num-allocs"))?;
    items.get(place + 1)?.as_atom()?.parse().ok()
}

/// The command that limits a question with so many steps, after a process has made so many allocations.
pub(super) fn limit(so_far: u64, steps: Steps) -> String {
    let more = steps.get().saturating_mul(FOR_A_STEP).saturating_add(LEAST);
    format!("(set-option :memory_max_alloc_count {})\n", so_far.saturating_add(more).min(MOST))
}

/// Whether a process has so few allocations left that another one should take its place.
pub(super) fn is_worn(so_far: u64) -> bool {
    so_far > MOST / 2
}

#[cfg(test)]
mod tests {
    use super::super::sexpr;
    use super::*;

    #[test]
    fn the_number_of_allocations_is_read_from_the_statistics() {
        let read = |text| so_far(&sexpr::parse(text).unwrap()[0]);
        assert_eq!(read("(:max-memory 19.11 :num-allocs 4159145 :rlimit-count 7)"), Some(4_159_145));
        assert_eq!(read("(:rlimit-count 1)"), None);
    }

    #[test]
    fn the_limit_grows_with_the_steps_up_to_what_can_be_said() {
        assert_eq!(limit(5, Steps::new(0)), "(set-option :memory_max_alloc_count 20000005)\n");
        assert_eq!(limit(0, Steps::MAX), "(set-option :memory_max_alloc_count 4294967295)\n");
    }
}
