//! A limit for work that Z3 does not count as steps: how often it may allocate memory.
//!
//! Some of its methods for arithmetic (algebraic numbers, polynomials of high degree) run for minutes within a few steps.
//! All of them allocate, and Z3 ends its process once a number of allocations is passed. It counts them from its start and
//! looks at the count now and then, so that the limit is the same for a question only in a process of its own.

use budget::Steps;

/// Allocations that any question may make.
const LEAST: u64 = 20_000_000;
/// Allocations for a step. Ordinary questions of arithmetic make one or two.
const FOR_A_STEP: u64 = 50;
/// What the solver's option can say.
const MOST: u64 = u32::MAX as u64;

/// What Z3 says when it ends because of the limit.
pub(super) const LAST_WORDS: &str = "Maximal allocation counts";

/// The command that lifts the limit of a question that was asked before in the same process.
pub(super) const NO_LIMIT: &str = "(set-option :memory_max_alloc_count 0)\n";

/// The command that limits a question with so many steps in a new process.
pub(super) fn limit(steps: Steps) -> String {
    let most = steps.get().saturating_mul(FOR_A_STEP).saturating_add(LEAST).min(MOST);
    format!("(set-option :memory_max_alloc_count {most})\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_grows_with_the_steps_up_to_what_can_be_said() {
        assert_eq!(limit(Steps::new(2)), "(set-option :memory_max_alloc_count 20000100)\n");
        assert_eq!(limit(Steps::MAX), "(set-option :memory_max_alloc_count 4294967295)\n");
    }
}
