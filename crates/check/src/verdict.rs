//! Verdicts, with the evidence that each of them needs to exist.
//!
//! | verdict | exists only with |
//! |---|---|
//! | equivalent | a `Proof`, made from a refuted difference *and* refuted cuts, and runs that show what it speaks of; or from identical code |
//! | different | a `Witness`, made by running both versions |
//! | unknown | at least one reason |
//!
//! Verdicts of many pairs combine to one exit: any *different* wins, then any *unknown*, then *equivalent*.

use std::ops::AddAssign;
use std::time::Duration;

use budget::Steps;

use ir::{Pair, Side, Span};

use crate::boundary::Boundary;
use crate::settled::Settled;
use crate::termination::{EndsAlike, Termination};
use crate::vacuity::Exercised;
use crate::witness::Witness;

/// The answer for one pair.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The same observable behaviour on every input, under the assumptions listed in the proof.
    Equivalent(Proof),
    /// These inputs make the versions differ; the interpreter ran both.
    Different(Box<Witness>),
    /// We do not know, and say why.
    Unknown(Unknown),
}

/// What an *equivalent* rests on. Only the modules that hold the evidence can make one.
#[derive(Clone, Debug)]
pub struct Proof {
    method: ProofMethod,
    termination: Termination,
    assumptions: Vec<String>,
    common_code: Option<CommonCodeUse>,
    relations: Vec<LoopRelations>,
    boundaries: Vec<Boundary>,
    settled_up_to: Option<u32>,
    unreachable: Vec<(Side, Span)>,
}

/// What holds before every iteration of two loops that run in lockstep, or of one that stands alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopRelations {
    pub spans: Pair<Option<Span>>,
    /// In the names of the source, `old.` and `new.` before those of each version.
    pub relations: Vec<String>,
}

/// What a proof needed to know of the code that both versions have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommonCodeUse {
    /// How many blocks of common code there are.
    pub blocks: usize,
    /// Those whose insides mattered.
    pub opened: Vec<Pair<Span>>,
    /// Loops, and recursive procedures, that could stay closed: the proof holds for any number of iterations.
    pub closed_loops: Vec<Pair<Span>>,
}

/// How equivalence was proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofMethod {
    /// The code is the same, callees included.
    SameCode,
    /// The code is the same but for callees, and what of these changed is not seen.
    Unaffected,
    /// The summaries became the same terms, without a solver.
    SameTerms,
    /// The solver refuted every difference.
    Refutation,
}

impl Proof {
    /// A proof from code that is the same; `token` says that it was compared.
    pub(crate) fn same_code(token: crate::strategies::SameCode, assumptions: Vec<String>) -> Proof {
        let proof = Proof::partial(ProofMethod::SameCode, assumptions);
        proof.for_all_runs(EndsAlike::same_code(&token))
    }

    /// A proof from code that is the same but for what was proved to do the same: `token` says that it was compared.
    pub(crate) fn unaffected(
        _token: crate::strategies::SameCode,
        exercised: &Exercised,
        assumptions: Vec<String>,
        boundaries: Vec<Boundary>,
    ) -> Proof {
        Proof { boundaries, ..Proof::partial(ProofMethod::Unaffected, assumptions) }.shown_by(exercised)
    }

    /// Where the differences of callees die, if the proof rests on that.
    pub fn boundaries(&self) -> &[Boundary] {
        &self.boundaries
    }

    /// A proof from refutations: no input makes the versions differ, and none leaves what was explored.
    pub(crate) fn refuted(
        difference: crate::question::Refuted<crate::question::Difference>,
        unfinished: crate::question::Refuted<crate::question::Unfinished>,
        _inputs_exist: crate::question::InputsExist,
        exercised: &Exercised,
        assumptions: Vec<String>,
    ) -> Proof {
        let by_terms = difference.by_simplification() && unfinished.by_simplification();
        let method = if by_terms { ProofMethod::SameTerms } else { ProofMethod::Refutation };
        Proof::partial(method, assumptions).shown_by(exercised)
    }

    /// A proof from routes: every input takes one, and on none of them can the versions differ.
    pub(crate) fn covered(
        _covered: crate::strategies::Covered,
        _inputs_exist: crate::question::InputsExist,
        exercised: &Exercised,
        assumptions: Vec<String>,
    ) -> Proof {
        Proof::partial(ProofMethod::Refutation, assumptions).shown_by(exercised)
    }

    fn shown_by(self, exercised: &Exercised) -> Proof {
        Proof { unreachable: exercised.unreachable().to_vec(), ..self }
    }

    /// The changed statements that no input reaches, one for each line.
    pub fn unreachable(&self) -> &[(Side, Span)] {
        &self.unreachable
    }

    fn partial(method: ProofMethod, assumptions: Vec<String>) -> Proof {
        Proof {
            method,
            termination: Termination::Partial,
            assumptions,
            common_code: None,
            relations: Vec::new(),
            boundaries: Vec::new(),
            settled_up_to: None,
            unreachable: Vec::new(),
        }
    }

    /// Makes it a proof for runs that do not end, too.
    pub(crate) fn for_all_runs(self, _ends_alike: EndsAlike) -> Proof {
        Proof { termination: Termination::Total, ..self }
    }

    /// What it says of runs that do not end.
    pub fn termination(&self) -> Termination {
        self.termination
    }

    /// Adds what proofs that this one rests on take for granted.
    pub(crate) fn assuming(mut self, assumptions: Vec<String>) -> Proof {
        for assumption in assumptions {
            if !self.assumptions.contains(&assumption) {
                self.assumptions.push(assumption);
            }
        }
        self
    }

    /// Makes a proof about open inputs one about all inputs, together with what was settled before. Of runs that do not
    /// end nothing was settled.
    pub(crate) fn together_with(self, settled: Settled) -> Proof {
        let assumptions = settled.assumptions().to_vec();
        let (termination, settled_up_to) = (Termination::Partial, Some(settled.bound()));
        Proof { termination, settled_up_to, ..self }.assuming(assumptions)
    }

    /// The iterations up to which all inputs were settled on the way, if the rest of the proof is only about others.
    pub fn settled_up_to(&self) -> Option<u32> {
        self.settled_up_to
    }

    /// Adds the relations between loops that it rests on.
    pub(crate) fn with_relations(self, relations: Vec<LoopRelations>) -> Proof {
        Proof { relations, ..self }
    }

    /// The relations between loops that the proof rests on.
    pub fn relations(&self) -> &[LoopRelations] {
        &self.relations
    }

    /// Adds what was hidden and what was not.
    pub(crate) fn with_common_code(self, common_code: CommonCodeUse) -> Proof {
        Proof { common_code: Some(common_code), ..self }
    }

    /// What the proof needed to know of the code that both versions have, if it hid any of it.
    pub fn common_code(&self) -> Option<&CommonCodeUse> {
        self.common_code.as_ref()
    }

    pub fn method(&self) -> ProofMethod {
        self.method
    }

    /// What the proof takes for granted, in words.
    pub fn assumptions(&self) -> &[String] {
        &self.assumptions
    }
}

/// Why there is no verdict; never empty.
#[derive(Clone, Debug)]
pub struct Unknown {
    first: Reason,
    more: Vec<Reason>,
    /// Set when no difference exists among the runs that stay within this bound.
    no_difference_up_to: Option<u32>,
}

impl Unknown {
    pub fn because(reason: Reason) -> Unknown {
        Unknown { first: reason, more: Vec::new(), no_difference_up_to: None }
    }

    /// Adds a reason, unless it is there already.
    pub fn and(mut self, reason: Reason) -> Unknown {
        if self.first != reason && !self.more.contains(&reason) {
            self.more.push(reason);
        }
        self
    }

    /// Records that all runs within a bound were proved to be the same.
    pub fn with_bound(mut self, bound: u32) -> Unknown {
        self.no_difference_up_to = Some(bound);
        self
    }

    pub fn reasons(&self) -> impl Iterator<Item = &Reason> {
        std::iter::once(&self.first).chain(&self.more)
    }

    pub fn no_difference_up_to(&self) -> Option<u32> {
        self.no_difference_up_to
    }

    /// Whether solver and interpreter disagree about the pair: nothing that is found out later may hide that.
    pub fn is_contradiction(&self) -> bool {
        self.reasons().any(|reason| matches!(reason, Reason::Contradiction(_)))
    }
}

/// One reason for an *unknown*.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The clock killed the check: nothing else is said then.
    Timeout,
    /// The work that this pair may take was used up.
    UsedUp,
    /// A loop may run longer, or a recursion go deeper, than was followed.
    Bound { side: Side, procedure: String, span: Span, bound: u32 },
    /// Source that the front end could not lower may be reached.
    Unsupported { side: Side, what: String, span: Span },
    /// The solver gave up, in its words.
    SolverGaveUp(String),
    /// The solver died or could not be started.
    SolverFailed(String),
    /// The solver's candidates did not separate the versions when run.
    Spurious { candidates: u32 },
    /// Inputs were tried, none of them separated the versions, and nothing else was asked for.
    OnlyTested { inputs: u64 },
    /// The code differs, and nothing else was asked for.
    CodeDiffers,
    /// The versions have no recursion in common, and nothing else was asked for.
    NothingToHide,
    /// No relation between the loops was found that proves anything, and nothing else was asked for.
    NotInStep,
    /// No input satisfies the assumptions, so that nothing would be proved.
    Vacuous,
    /// On no input do both versions end, so that there is nothing to compare.
    NeverBothEnd,
    /// No run was seen that ends in a defined way in both versions. If all of them end in undefined behaviour: in which,
    /// and where.
    NothingDefined { undefined: Pair<Vec<(String, Option<Span>)>> },
    /// A changed statement was neither seen to be executed nor proved to be unreachable.
    NotExecuted { side: Side, procedure: String, span: Span },
    /// The solver proved what the interpreter refutes: a bug of ours. Both facts in words.
    Contradiction(String),
    /// The versions do the same where both end; that they end on the same inputs is not proved.
    OnlyWhereBothEnd,
    /// Classes that are not at hand may matter.
    OpenWorld,
    /// The summaries grew too large.
    TooLarge,
    /// The two cannot be given the same inputs.
    Interface(crate::Mismatch),
    /// The two share names for things of different types, in words.
    Incomparable(String),
    /// No difference was found, but some inputs were not compared: which, in words.
    NotCompared(String),
    /// The worker ran out of memory.
    Memory,
    /// A bug of ours.
    Internal(String),
}

/// What a check cost.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    pub elapsed: Duration,
    pub solver_calls: u32,
    pub solver_time: Duration,
    pub inputs_tried: u64,
    pub steps: u64,
    /// All work, in the steps that budgets are counted in.
    pub effort: Steps,
    pub terms: u64,
    /// How often hidden code was opened.
    pub refinements: u32,
}

impl AddAssign for Statistics {
    /// Adds what a part of a check cost. The terms of parts are not kept together: the most at a time counts.
    fn add_assign(&mut self, part: Statistics) {
        let Statistics {
            elapsed,
            solver_calls,
            solver_time,
            inputs_tried,
            steps,
            effort,
            terms,
            refinements,
        } = part;
        self.elapsed += elapsed;
        self.solver_calls += solver_calls;
        self.solver_time += solver_time;
        self.inputs_tried += inputs_tried;
        self.steps += steps;
        self.effort += effort;
        self.terms = self.terms.max(terms);
        self.refinements += refinements;
    }
}
