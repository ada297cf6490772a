//! Proofs, and the tokens without which there is none.

use ir::{Pair, ProcId, Side, Span};
use query::{Obligation, Refuted};
use relate::LoopInvariants;

use super::claim::{Claim, Difference, Scope, Unfinished};
use super::covering::Covered;
use super::exercised::Exercised;
use super::inputs_exist::InputsExist;
use super::residual::ResidualCondition;
use super::same_code::SameCode;
use super::termination::{EndsAlike, Termination};
use crate::witness::Witness;

/// What an *equivalent* rests on. Only the modules that hold the evidence can make one.
#[derive(Clone, Debug)]
pub struct Proof {
    method: ProofMethod,
    termination: Termination,
    assumptions: Vec<String>,
    common_code: Option<CommonCodeUse>,
    invariants: Vec<LoopInvariants>,
    boundaries: Vec<Boundary>,
    bounded_up_to: Option<u32>,
    unreachable: Vec<(Side, Span)>,
    obligations: Vec<Obligation>,
    confirmed_by: Option<String>,
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

/// A run of statements that computes the same in both versions although something that it calls changed.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// The procedure that it stands in.
    pub procedure: String,
    pub spans: Pair<Span>,
    /// The changed procedures that it calls.
    pub calls: Vec<String>,
    /// What of its results the code after it can see.
    pub outputs: Vec<String>,
    /// A callee that differs, with inputs that show it: the difference dies here.
    pub callee_differs: Option<(Pair<ProcId>, Box<Witness>)>,
}

/// What proofs of parts rest on, for the proof of the whole.
#[derive(Clone, Default, Debug)]
pub(crate) struct Basis {
    assumptions: Vec<String>,
    obligations: Vec<Obligation>,
}

impl Basis {
    pub(crate) fn of(proof: &Proof) -> Basis {
        Basis { assumptions: proof.assumptions.clone(), obligations: proof.obligations.clone() }
    }

    pub(crate) fn extend(&mut self, other: Basis) {
        self.assumptions.extend(other.assumptions);
        self.obligations.extend(other.obligations);
    }
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
    pub(crate) fn same_code(token: SameCode, assumptions: Vec<String>) -> Proof {
        let proof = Proof::partial(ProofMethod::SameCode, assumptions);
        proof.for_all_runs(EndsAlike::same_code(&token))
    }

    /// A proof from code that is the same but for what was proved to do the same: `token` says that it was compared.
    pub(crate) fn unaffected(
        _token: SameCode,
        exercised: &Exercised,
        mut assumptions: Vec<String>,
        basis: Basis,
        boundaries: Vec<Boundary>,
    ) -> Proof {
        assumptions.extend(basis.assumptions);
        assumptions.sort();
        assumptions.dedup();
        Proof { boundaries, ..Proof::partial(ProofMethod::Unaffected, assumptions) }
            .shown_by(exercised)
            .with_obligations(&basis.obligations)
    }

    /// Where the differences of callees die, if the proof rests on that.
    pub fn boundaries(&self) -> &[Boundary] {
        &self.boundaries
    }

    /// A proof from refutations: no input makes the versions differ, and none leaves what was explored.
    pub(crate) fn refuted(
        claim: Claim,
        difference: &Refuted<Difference>,
        unfinished: &Refuted<Unfinished>,
        _inputs_exist: InputsExist,
        exercised: &Exercised,
        assumptions: Vec<String>,
    ) -> Proof {
        assert!(claim.is_about(difference) && claim.is_finished(unfinished), "tokens should be of one claim");
        let by_terms = difference.by_simplification() && unfinished.by_simplification();
        let method = if by_terms { ProofMethod::SameTerms } else { ProofMethod::Refutation };
        let proof = Proof::partial(method, assumptions).shown_by(exercised);
        match claim.into_scope() {
            Scope::AllInputs => proof,
            Scope::Residual(residual) => proof.with_bounded_check(residual),
            Scope::PathPair(_) => {
                panic!("a claim about one path pair should not be taken for one about all inputs")
            }
        }
    }

    /// A proof from path pairs: every input takes one, and on none of them can the versions differ.
    pub(crate) fn covered(
        _covered: Covered,
        _inputs_exist: InputsExist,
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
            invariants: Vec::new(),
            boundaries: Vec::new(),
            bounded_up_to: None,
            unreachable: Vec::new(),
            obligations: Vec::new(),
            confirmed_by: None,
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

    /// Makes a proof about a residual condition one about all inputs, together with the bounded check that left it. The
    /// bounded check says nothing of runs that do not end.
    fn with_bounded_check(self, residual: ResidualCondition) -> Proof {
        let assumptions = residual.assumptions().to_vec();
        let (termination, bounded_up_to) = (Termination::Partial, Some(residual.bound()));
        Proof { termination, bounded_up_to, ..self }.assuming(assumptions)
    }

    /// How many iterations a bounded check has followed, if the rest of the proof is about the inputs that it left.
    pub fn bounded_up_to(&self) -> Option<u32> {
        self.bounded_up_to
    }

    /// The witness of a difference that is all there is, if this is a proof about inputs on which both versions are
    /// defined.
    pub(crate) fn leaves_only(&self, witness: Witness) -> Witness {
        witness.that_is_all()
    }

    /// Adds the coupling invariants that it rests on.
    pub(crate) fn with_invariants(self, invariants: Vec<LoopInvariants>) -> Proof {
        Proof { invariants, ..self }
    }

    /// The coupling invariants that the proof rests on.
    pub fn invariants(&self) -> &[LoopInvariants] {
        &self.invariants
    }

    /// Adds which common code was abstracted and which was not.
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

    /// Adds what the solver refuted on the way.
    pub(crate) fn with_obligations(mut self, obligations: &[Obligation]) -> Proof {
        for obligation in obligations {
            if !self.obligations.contains(obligation) {
                self.obligations.push(obligation.clone());
            }
        }
        self
    }

    /// Notes that a second solver has refuted the same.
    pub(crate) fn confirmed_by(self, solver: String) -> Proof {
        Proof { confirmed_by: Some(solver), ..self }
    }

    /// The second solver that has refuted the same, if one was asked.
    pub fn confirmation(&self) -> Option<&str> {
        self.confirmed_by.as_deref()
    }

    /// What the solver refuted, if that was kept. A second solver can be asked about the same.
    pub fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }
}
