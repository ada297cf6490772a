//! The product of a pair in one alignment: both versions with their loops stepped over, and what follows once coupling
//! invariants are proved.
//!
//! Over-approximating: of what loops leave behind only the proved invariants are known.

use std::cell::Cell;

use budget::Steps;
use ir::{Pair, Side, Subject};
use smt::{Op, Term, Terms};
use symbolic::{Abstraction, LoopShape, SymValue, input_variables};

use crate::CheckConfig;
use crate::analysis::LoopPairs;
use crate::verdict::Verdict;
use crate::verification_condition::{Depth, VerificationCondition, residual_condition};
use crate::witness::{Machines, Witness};
use query::{Asked, Client, Reach};
use relate::{
    Arithmetic, Construction, Failure as NotProved, Grouping, LoopProduct, Proved, Refutations, Traces,
};

/// How inputs are split into cases.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cases {
    One,
    /// Whether loops are reached: a loop of one version may stand for several of the other one.
    Reached,
    /// Whether loops have iterations at all.
    FirstTests,
}

/// Why nothing was proved of the loops.
pub(super) enum Failure {
    /// The versions differ.
    Separated(Box<Witness>),
    /// Even if all candidates were invariants, the versions could differ.
    NotEnough,
    /// There are loops that cannot be taken together.
    NoProduct,
    NotProved(NotProved),
}

impl Failure {
    /// In a few words, for traces.
    fn name(&self) -> &'static str {
        match self {
            Failure::Separated(_) => "separated",
            Failure::NotEnough => "even all candidates would not be enough",
            Failure::NoProduct => "no product of the loops",
            Failure::NotProved(reason) => reason.name(),
        }
    }
}

/// Two versions with their loops stepped over.
pub(crate) struct Product<'a, 's> {
    pair: Pair<Subject<'a>>,
    pub(super) shapes: &'s [Pair<Option<LoopShape<'a>>>],
    peeled: Pair<u32>,
    pub(super) hidden: Pair<Abstraction<'a>>,
    pub(super) grouping: Grouping,
    pub(super) traces: &'s Traces,
    arithmetic: Arithmetic,
    reach: Reach,
    left_out: Cell<bool>,
    pub(super) config: &'s CheckConfig,
}

impl<'a, 's> Product<'a, 's> {
    /// The product of loops of a pair, `shapes` being all of them in pairs or each alone.
    pub(crate) fn new(
        loops: &'s LoopPairs<'a>,
        shapes: &'s [Pair<Option<LoopShape<'a>>>],
        peeled: Pair<u32>,
        config: &'s CheckConfig,
    ) -> Product<'a, 's> {
        let mut hidden = Pair { old: Abstraction::nothing(), new: Abstraction::nothing() };
        for (number, shape) in shapes.iter().enumerate() {
            if let Some(shape) = &shape.old {
                hidden.old.step_over(shape, number, &format!("loop{number}.old"), peeled.old);
            }
            if let Some(shape) = &shape.new {
                hidden.new.step_over(shape, number, &format!("loop{number}.new"), peeled.new);
            }
        }
        Product {
            pair: loops.pair,
            shapes,
            peeled,
            hidden,
            grouping: Grouping::OneToOne,
            traces: &loops.traces,
            arithmetic: Arithmetic::Exact,
            reach: Reach::All,
            left_out: Cell::new(false),
            config,
        }
    }

    pub(super) fn with_arithmetic(self, arithmetic: Arithmetic) -> Product<'a, 's> {
        Product { arithmetic, ..self }
    }

    /// The same with only the premises within a reach.
    pub(super) fn with_reach(self, reach: Reach) -> Product<'a, 's> {
        Product { reach, ..self }
    }

    /// Whether premises beyond the reach might have helped.
    pub(super) fn has_left_out(&self) -> bool {
        self.left_out.get()
    }

    /// The same with loops aligned in another way.
    pub(super) fn grouped(self, grouping: Grouping) -> Product<'a, 's> {
        Product { grouping, ..self }
    }

    /// `None` if nothing can be said of the loops.
    pub(super) fn decide(&self, cases: Cases, machines: &Machines, client: &mut Client) -> Option<Verdict> {
        let mut terms = Terms::new();
        let vc = self.summarize(&mut terms, client)?;
        let conditions = match cases {
            Cases::One => Vec::new(),
            Cases::Reached => choices(&terms, &vc),
            Cases::FirstTests => self.first_tests(&mut terms, &vc)?,
        };
        if conditions.is_empty() && cases != Cases::One {
            return None;
        }
        let proved = self.prove_by_cases(&mut terms, &vc, &conditions, machines, client);
        self.follow(&mut terms, vc, proved, machines, client)
    }

    /// The same with stuttering loops.
    pub(super) fn decide_stuttering(&self, machines: &Machines, client: &mut Client) -> Option<Verdict> {
        let mut terms = Terms::new();
        let vc = self.summarize(&mut terms, client)?;
        let all = terms.bool(true);
        let mut product = self.loop_product(&mut terms, &vc, all)?;
        if !product.stutter() {
            return None;
        }
        let proved = self.prove_enough(product, &vc, machines, client);
        self.follow(&mut terms, vc, proved, machines, client)
    }

    /// The same for the inputs that need more than a few iterations, once the others were compared.
    pub(super) fn decide_residual(&self, machines: &Machines, client: &mut Client) -> Option<Verdict> {
        let mut terms = Terms::new();
        let residual = residual_condition(A_FEW, &mut terms, self.pair, self.config, client)?;
        let vc = self.summarize(&mut terms, client)?;
        let proved = self.prove(&mut terms, &vc, residual.term(), machines, client);
        self.follow(&mut terms, vc.on_residual(residual), proved, machines, client)
    }

    /// The same with loops of a version from their end to their start.
    pub(super) fn decide_reversed(
        &self,
        side: Side,
        machines: &Machines,
        client: &mut Client,
    ) -> Option<Verdict> {
        let mut terms = Terms::new();
        let vc = self.summarize(&mut terms, client)?;
        let all = terms.bool(true);
        let mut product = self.loop_product(&mut terms, &vc, all)?;
        if !product.reverse_loops(side, client) {
            return None;
        }
        let proved = self.prove_enough(product, &vc, machines, client);
        self.follow(&mut terms, vc, proved, machines, client)
    }

    /// The verdict that follows, if one does.
    pub(super) fn follow(
        &self,
        terms: &mut Terms,
        vc: VerificationCondition<'_>,
        proved: Result<Proved, Failure>,
        machines: &Machines,
        client: &mut Client,
    ) -> Option<Verdict> {
        match proved {
            Ok(proved) => Some(self.conclude(terms, vc, proved, machines, client)),
            Err(Failure::Separated(witness)) => Some(vc.different(machines, witness)),
            Err(failure) => {
                tracing::debug!(target: "attempt", failed = failure.name());
                None
            }
        }
    }

    /// Both versions with their loops stepped over.
    pub(crate) fn summarize(
        &self,
        terms: &mut Terms,
        client: &mut Client,
    ) -> Option<VerificationCondition<'a>> {
        let hidden = self.hidden.as_ref();
        VerificationCondition::prepare(terms, self.pair, hidden, Depth::COUPLED, self.config, client).ok()
    }

    /// The verdict that follows from what is known of the loops.
    pub(crate) fn conclude(
        &self,
        terms: &mut Terms,
        mut vc: VerificationCondition<'_>,
        proved: Proved,
        machines: &Machines,
        client: &mut Client,
    ) -> Verdict {
        vc.assume(&proved.facts);
        match vc.decide(terms, machines, self.config, client) {
            Verdict::Equivalent(proof) => {
                Verdict::Equivalent(proof.with_invariants(proved.invariants).assuming(proved.assumptions))
            }
            other => other,
        }
    }

    /// What the loops leave behind on the inputs of a case.
    pub(super) fn prove(
        &self,
        terms: &mut Terms,
        vc: &VerificationCondition<'_>,
        case: Term,
        machines: &Machines,
        client: &mut Client,
    ) -> Result<Proved, Failure> {
        let product = self.loop_product(terms, vc, case).ok_or(Failure::NoProduct)?;
        let proved = self.prove_enough(product, vc, machines, client)?;
        Ok(proved.under(terms, case))
    }

    /// What loops leave behind; fails early if the versions could differ although all candidates held.
    fn prove_enough(
        &self,
        mut product: LoopProduct<'_>,
        vc: &VerificationCondition<'_>,
        machines: &Machines,
        client: &mut Client,
    ) -> Result<Proved, Failure> {
        product.guess(client).map_err(Failure::NotProved)?;
        // Which loops that stand alone end is not known yet.
        if !self.config.total {
            let known = product.known_if_all_hold();
            let soon = product.soon().at_most(MOST_FOR_GUESS);
            if let Asked::Counterexample(model) = vc.ask_difference_if(product.terms, &known, client, &soon) {
                let witness = vc.try_counterexample(product.terms, machines, &model);
                return Err(witness.map_or(Failure::NotEnough, Failure::Separated));
            }
        }
        product.prove(self.shapes, client).map_err(Failure::NotProved)
    }

    /// What product loops are made from.
    pub(super) fn construction<'t>(&'t self, vc: &'t VerificationCondition<'_>) -> Construction<'a, 't> {
        Construction {
            shapes: self.shapes,
            hidden: self.hidden.as_ref(),
            grouping: self.grouping,
            traces: self.traces,
            inputs: vc.inputs(),
            config: self.config.summaries(),
        }
    }

    fn product_loops(
        &self,
        terms: &mut Terms,
        vc: &VerificationCondition<'_>,
        case: Term,
    ) -> Option<Vec<relate::ProductLoop>> {
        let uses = vc.summaries().as_ref().map(|summary| summary.loops.as_slice());
        self.construction(vc).product_loops(terms, uses, case)
    }

    /// The loops on the inputs of a case, of which nothing is known yet.
    pub(crate) fn loop_product<'t>(
        &'t self,
        terms: &'t mut Terms,
        vc: &VerificationCondition<'_>,
        case: Term,
    ) -> Option<LoopProduct<'t>> {
        let loops = self.product_loops(terms, vc, case)?;
        let inputs = input_variables(terms, vc.inputs());
        let mut assumptions = vc.premises().to_vec();
        assumptions.push(case);
        let traces = (self.peeled == Pair::default()).then_some(self.traces);
        let arguments = vc.inputs().args.iter().map_while(|arg| match arg.value {
            SymValue::Scalar(term) => Some(term),
            SymValue::Record(_) => None,
        });
        let arguments = arguments.collect();
        let budget = self.config.budget.clone();
        Some(LoopProduct {
            terms,
            loops,
            inputs,
            assumptions,
            arguments,
            traces,
            arithmetic: self.arithmetic,
            reach: self.reach,
            left_out: &self.left_out,
            refuted: Refutations::default(),
            budget,
        })
    }

    /// The same for each case of some conditions; all inputs are one case if there are none.
    fn prove_by_cases(
        &self,
        terms: &mut Terms,
        vc: &VerificationCondition<'_>,
        conditions: &[Term],
        machines: &Machines,
        client: &mut Client,
    ) -> Result<Proved, Failure> {
        let mut all = Proved::default();
        for number in 0..1_usize << conditions.len() {
            let signs = conditions.iter().enumerate().map(|(place, condition)| match number >> place & 1 {
                0 => *condition,
                _ => terms.not(*condition),
            });
            let signs: Vec<Term> = signs.collect();
            let case = terms.and(&signs);
            let proved = self.prove(terms, vc, case, machines, client)?;
            all = all.and(proved);
        }
        Ok(all)
    }

    /// Conditions of the inputs alone on which loops at the top have iterations at all.
    fn first_tests(&self, terms: &mut Terms, vc: &VerificationCondition<'_>) -> Option<Vec<Term>> {
        let all = terms.bool(true);
        let loops = self.product_loops(terms, vc, all)?;
        let inputs = input_variables(terms, vc.inputs());
        let mut found = Vec::new();
        for coupled in loops.iter().filter(|it| it.parent.is_none()) {
            for side in &coupled.sides {
                let (iteration, loop_use) = (coupled.iterations.get(*side), coupled.uses.get(*side));
                let start = iteration.before.iter().copied().zip(loop_use.entry.iter().copied()).collect();
                let test = terms.substitute(iteration.goes_on, &start);
                let is_about_inputs =
                    terms.variables(test).is_subset(&inputs) && !depends_on_code(terms, test);
                if is_about_inputs && terms.as_const(test).is_none() && !found.contains(&test) {
                    found.push(test);
                }
            }
        }
        found.truncate(MOST_CHOICES);
        Some(found)
    }
}

/// Conditions of the inputs alone on which it depends whether loops are reached, a few of them.
fn choices(terms: &Terms, vc: &VerificationCondition<'_>) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for summary in [&vc.summaries().old, &vc.summaries().new] {
        for loop_use in &summary.loops {
            let mut worklist = vec![loop_use.reached];
            while let Some(condition) = worklist.pop() {
                match terms.op(condition) {
                    Op::And | Op::Or | Op::Not => worklist.extend(terms.args(condition)),
                    Op::Const(_) => {}
                    _ if found.contains(&condition) || depends_on_code(terms, condition) => {}
                    _ => found.push(condition),
                }
            }
        }
    }
    found.truncate(MOST_CHOICES);
    found
}

/// The work for the question whether guesses would be enough.
const MOST_FOR_GUESS: Steps = Steps::of_milliseconds(900);

/// Conditions beyond this make too many cases.
const MOST_CHOICES: usize = 2;

/// Whether a term has symbols for what was stepped over.
fn depends_on_code(terms: &Terms, term: Term) -> bool {
    terms.reachable(&[term]).into_iter().any(|part| matches!(terms.op(part), Op::Apply(_)))
}

/// Iterations that are followed one by one before relations have to hold.
const A_FEW: u32 = 3;
