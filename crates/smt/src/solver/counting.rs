//! What the solver says of the steps that it took.

use super::sexpr::{self, SExpr};
use budget::Steps;

/// Asks Z3 for its count of resource units, which starts at a reset.
pub(super) const STEPS_SO_FAR: &str = "(get-info :rlimit)\n";

/// Whether this is the reply of a solver that counts.
pub(super) fn is_count(reply: &str) -> bool {
    match sexpr::parse(reply).as_deref() {
        Some([SExpr::List(items)]) => {
            matches!(items.as_slice(), [_, SExpr::Atom(count)] if count.parse::<u64>().is_ok())
        }
        _ => false,
    }
}

/// The count in `(:rlimit 17)`.
pub(super) fn steps(reply: &SExpr) -> Steps {
    let count = match reply.as_list() {
        Some([_, SExpr::Atom(count)]) => count.parse().ok(),
        _ => None,
    };
    Steps::new(count.unwrap_or(0))
}
