//! What the solver says of the steps that it took.

use super::sexpr::SExpr;
use budget::Steps;

/// Asks Z3 for its count of resource units, which starts at a reset.
pub(super) const STEPS_SO_FAR: &str = "(get-info :rlimit)\n";

/// The count in `(:rlimit 17)`.
pub(super) fn steps(reply: &SExpr) -> Steps {
    let count = match reply.as_list() {
        Some([_, SExpr::Atom(count)]) => count.parse().ok(),
        _ => None,
    };
    Steps::new(count.unwrap_or(0))
}
