//! The ways to put a question to the solver: on the running context, or in an empty one by a method of our choice.
//!
//! Left to itself, Z3 chooses for arithmetic alone a sequence of methods that give up by the clock. Which of them
//! answers would depend on the load of the machine, so that we name the methods and divide the steps between them.

use crate::magnitude::Magnitude;
use crate::print::{Fragment, Query};
use budget::Steps;

/// Steps for the first, incremental attempt. It answers easy questions in a fraction of the time
/// that a fresh context costs (0.1 ms against 3 ms), but has the weaker methods.
pub(super) const QUICK_STEPS: Steps = Steps::new(50_000);

/// One way to put a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Attempt {
    /// On top of the running context: cheap.
    Incremental,
    /// In an empty context.
    Whole(Method),
    /// In a process of its own, which may allocate only so often: Z3 counts allocations from its start.
    Alone(Method),
}

/// What a solver does in an empty context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Method {
    /// What it chooses by looking at all of the question.
    Chosen,
    /// Cylindrical algebraic decomposition, for real numbers alone.
    Algebraic,
    /// The search that it also does on a running context.
    Search,
}

/// The methods for a question in an empty context, one after the other.
pub(super) fn methods(fragment: Fragment) -> &'static [Method] {
    match fragment {
        Fragment::Reals => &[Method::Algebraic, Method::Search],
        Fragment::Integers => &[Method::Search],
        // Of 37 hard questions of the labelled pairs, Z3's choice left 20 open after 3 million steps that the search
        // decides, most of them within 0.2 million.
        Fragment::Maps => &[Method::Search, Method::Chosen],
        Fragment::Other => &[Method::Chosen],
    }
}

/// Polynomials of a higher degree, or with longer coefficients, take the solver long without taking steps: its long
/// numbers and algebraic numbers are not counted.
const MOST: Magnitude = Magnitude { degree: 6, bits: 512 };

/// Whether a question must be asked alone: steps do not bound it.
pub(super) fn is_heavy(query: &Query) -> bool {
    let Magnitude { degree, bits } = query.magnitude();
    degree > MOST.degree || bits > MOST.bits
}

impl Attempt {
    /// The attempt at a whole question by one method.
    pub(super) fn whole(method: Method, query: &Query) -> Attempt {
        match method {
            // Much of what it may choose allocates a lot, and its steps are counted well.
            Method::Chosen if !is_heavy(query) => Attempt::Whole(method),
            Method::Chosen | Method::Algebraic | Method::Search => Attempt::Alone(method),
        }
    }

    pub(super) fn most_steps(self) -> Steps {
        match self {
            Attempt::Incremental => QUICK_STEPS,
            Attempt::Whole(_) | Attempt::Alone(_) => Steps::MAX,
        }
    }

    /// The command that makes Z3 begin.
    pub(super) fn command(self) -> &'static str {
        match self {
            Attempt::Incremental => "(check-sat)\n",
            Attempt::Whole(method) | Attempt::Alone(method) => match method {
                Method::Chosen => "(check-sat)\n",
                Method::Algebraic => "(check-sat-using qfnra-nlsat)\n",
                Method::Search => "(check-sat-using smt)\n",
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read;
    use crate::print::{Encoding, Floats};
    use crate::terms::Terms;

    fn query(text: &str) -> Query {
        let mut terms = Terms::new();
        let assertion = read(&mut terms, text);
        Query::new(&terms, &[assertion], &[], Encoding { floats: Floats::Symbols })
    }

    #[test]
    fn what_steps_do_not_bound_has_a_process_of_its_own() {
        let light = query("(= (* x y) z)");
        let of_degree_8 = query("(< (* r r r r s s s s) 2.0)");
        assert!(!is_heavy(&light) && is_heavy(&of_degree_8));
        assert_eq!(Attempt::whole(Method::Chosen, &light), Attempt::Whole(Method::Chosen));
        assert_eq!(Attempt::whole(Method::Chosen, &of_degree_8), Attempt::Alone(Method::Chosen));
        assert_eq!(Attempt::whole(Method::Search, &light), Attempt::Alone(Method::Search));
    }

    #[test]
    fn long_coefficients_are_heavy_in_linear_questions_too() {
        let long = "9".repeat(38);
        assert!(is_heavy(&query(&format!("(< (* {long} {long} {long} {long} {long} i) j)"))));
        assert!(!is_heavy(&query("(< (* 99999999999999999999 i) j)")));
    }
}
