//! Both versions with their loops stepped over in one way, and what follows once relations between the loops are proved.
//!
//! Over-approximating: of what loops leave behind only the proved relations are known.

use std::cell::Cell;
use std::collections::BTreeSet;

use budget::Steps;
use ir::{Pair, Side};
use smt::{Op, Term, Terms};
use symbolic::{Hidden, LoopShape, SymValue};

use super::grouping::Grouping;
use crate::coupling::{Arithmetic, Coupling, Proved, Traces};
use crate::question::{Asked, Asker};
use crate::relevance::{Reach, input_variables};
use crate::search::{Depth, Search};
use crate::settled::Settled;
use crate::verdict::Verdict;
use crate::witness::{Machines, Witness};
use crate::{CheckConfig, Subject};

/// What inputs are told apart by.
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
    Open,
}

/// Two versions with their loops stepped over.
pub(crate) struct InStep<'a, 's> {
    pair: Pair<Subject<'a>>,
    pub(super) shapes: &'s [Pair<Option<LoopShape<'a>>>],
    peeled: Pair<u32>,
    pub(super) hidden: Pair<Hidden>,
    pub(super) grouping: Grouping,
    pub(super) traces: &'s Traces,
    arithmetic: Arithmetic,
    reach: Reach,
    left_out: Cell<bool>,
    pub(super) config: &'s CheckConfig,
}

impl<'a, 's> InStep<'a, 's> {
    pub(crate) fn new(
        pair: Pair<Subject<'a>>,
        shapes: &'s [Pair<Option<LoopShape<'a>>>],
        peeled: Pair<u32>,
        traces: &'s Traces,
        config: &'s CheckConfig,
    ) -> InStep<'a, 's> {
        let mut hidden = Pair { old: Hidden::nothing(), new: Hidden::nothing() };
        for (number, shape) in shapes.iter().enumerate() {
            if let Some(shape) = &shape.old {
                hidden.old.step_over(shape, number, &format!("loop{number}.old"), peeled.old);
            }
            if let Some(shape) = &shape.new {
                hidden.new.step_over(shape, number, &format!("loop{number}.new"), peeled.new);
            }
        }
        InStep {
            pair,
            shapes,
            peeled,
            hidden,
            grouping: Grouping::OneByOne,
            traces,
            arithmetic: Arithmetic::Exact,
            reach: Reach::All,
            left_out: Cell::new(false),
            config,
        }
    }

    pub(super) fn with_arithmetic(self, arithmetic: Arithmetic) -> InStep<'a, 's> {
        InStep { arithmetic, ..self }
    }

    /// The same where only facts count that speak of a loop themselves, as long as that is enough.
    pub(super) fn with_reach(self, reach: Reach) -> InStep<'a, 's> {
        InStep { reach, ..self }
    }

    /// Whether facts did not count that might have helped.
    pub(super) fn has_left_out(&self) -> bool {
        self.left_out.get()
    }

    /// The same with loops brought into step in another way.
    pub(super) fn grouped(self, grouping: Grouping) -> InStep<'a, 's> {
        InStep { grouping, ..self }
    }

    /// `None` if nothing can be said of the loops.
    pub(super) fn decide(&self, cases: Cases, machines: &Machines, asker: &mut Asker<'_>) -> Option<Verdict> {
        let mut terms = Terms::new();
        let search = self.summarize(&mut terms, asker)?;
        let conditions = match cases {
            Cases::One => Vec::new(),
            Cases::Reached => choices(&terms, &search),
            Cases::FirstTests => self.first_tests(&mut terms, &search)?,
        };
        if conditions.is_empty() && cases != Cases::One {
            return None;
        }
        let proved = self.prove_by_cases(&mut terms, &search, &conditions, machines, asker);
        self.follow(&mut terms, search, proved, machines, asker)
    }

    /// The same with loops that wait for each other.
    pub(super) fn decide_waiting(&self, machines: &Machines, asker: &mut Asker<'_>) -> Option<Verdict> {
        let mut terms = Terms::new();
        let search = self.summarize(&mut terms, asker)?;
        let all = terms.bool(true);
        let mut coupling = self.coupling(&mut terms, &search, all)?;
        if !coupling.wait_for_each_other() {
            return None;
        }
        let proved = self.prove_enough(coupling, &search, machines, asker);
        self.follow(&mut terms, search, proved, machines, asker)
    }

    /// The same for the inputs that need more than a few iterations, once the others are settled.
    pub(super) fn decide_beyond(&self, machines: &Machines, asker: &mut Asker<'_>) -> Option<Verdict> {
        let mut terms = Terms::new();
        let settled = Settled::up_to(A_FEW, &mut terms, self.pair, self.config, asker)?;
        let mut search = self.summarize(&mut terms, asker)?;
        let proved = self.prove(&mut terms, &search, settled.open(), machines, asker);
        search.look_beyond(&settled);
        match self.follow(&mut terms, search, proved, machines, asker)? {
            Verdict::Equivalent(proof) => Some(Verdict::Equivalent(proof.together_with(settled))),
            other => Some(other),
        }
    }

    /// The same with loops of a version from their end to their start.
    pub(super) fn decide_reversed(
        &self,
        side: Side,
        machines: &Machines,
        asker: &mut Asker<'_>,
    ) -> Option<Verdict> {
        let mut terms = Terms::new();
        let search = self.summarize(&mut terms, asker)?;
        let all = terms.bool(true);
        let mut coupling = self.coupling(&mut terms, &search, all)?;
        if !coupling.reverse_loops(side, asker) {
            return None;
        }
        let proved = self.prove_enough(coupling, &search, machines, asker);
        self.follow(&mut terms, search, proved, machines, asker)
    }

    /// The verdict that follows, if one does.
    pub(super) fn follow(
        &self,
        terms: &mut Terms,
        search: Search<'_>,
        proved: Result<Proved, Failure>,
        machines: &Machines,
        asker: &mut Asker<'_>,
    ) -> Option<Verdict> {
        match proved {
            Ok(proved) => Some(self.conclude(terms, search, proved, machines, asker)),
            Err(Failure::Separated(witness)) => Some(search.different(machines, witness)),
            Err(Failure::Open) => None,
        }
    }

    /// Both versions with their loops stepped over.
    pub(crate) fn summarize(&self, terms: &mut Terms, asker: &mut Asker<'_>) -> Option<Search<'a>> {
        let hidden = self.hidden.as_ref();
        Search::prepare(terms, self.pair, hidden, Depth::COUPLED, self.config, asker).ok()
    }

    /// The verdict that follows from what is known of the loops.
    pub(crate) fn conclude(
        &self,
        terms: &mut Terms,
        mut search: Search<'_>,
        proved: Proved,
        machines: &Machines,
        asker: &mut Asker<'_>,
    ) -> Verdict {
        search.assume(&proved.facts);
        match search.decide(terms, machines, self.config, asker) {
            Verdict::Equivalent(proof) => {
                Verdict::Equivalent(proof.with_relations(proved.relations).assuming(proved.assumptions))
            }
            other => other,
        }
    }

    /// What the loops leave behind on the inputs of a case.
    pub(super) fn prove(
        &self,
        terms: &mut Terms,
        search: &Search<'_>,
        case: Term,
        machines: &Machines,
        asker: &mut Asker<'_>,
    ) -> Result<Proved, Failure> {
        let coupling = self.coupling(terms, search, case).ok_or(Failure::Open)?;
        let proved = self.prove_enough(coupling, search, machines, asker)?;
        let facts = proved.facts.into_iter().map(|fact| terms.implies(case, fact)).collect();
        Ok(Proved { facts, ..proved })
    }

    /// What loops leave behind, unless more than can be proved of them would not be enough.
    fn prove_enough(
        &self,
        mut coupling: Coupling<'_>,
        search: &Search<'_>,
        machines: &Machines,
        asker: &mut Asker<'_>,
    ) -> Result<Proved, Failure> {
        coupling.guess(asker).ok_or(Failure::Open)?;
        // Which loops that stand alone end is not known yet.
        if !self.config.total {
            let known = coupling.known_if_all_hold();
            let soon = coupling.soon().at_most(MOST_FOR_GUESS);
            if let Asked::Candidate(model) = search.ask_difference(coupling.terms, &known, asker, &soon) {
                let witness = search.try_candidate(coupling.terms, machines, &model);
                return Err(witness.map_or(Failure::Open, Failure::Separated));
            }
        }
        coupling.prove_relations(self.shapes, asker).ok_or(Failure::Open)
    }

    /// The loops on the inputs of a case, of which nothing is known yet.
    pub(crate) fn coupling<'t>(
        &'t self,
        terms: &'t mut Terms,
        search: &Search<'_>,
        case: Term,
    ) -> Option<Coupling<'t>> {
        let loops = self.couple(terms, search, case)?;
        let inputs = input_variables(terms, search.inputs());
        let mut assumptions = search.assumptions().to_vec();
        assumptions.push(case);
        let traces = (self.peeled == Pair::default()).then_some(self.traces);
        let arguments = search.inputs().args.iter().map_while(|arg| match arg.value {
            SymValue::Scalar(term) => Some(term),
            SymValue::Record(_) => None,
        });
        let arguments = arguments.collect();
        let budget = self.config.budget.clone();
        Some(Coupling {
            terms,
            loops,
            inputs,
            assumptions,
            arguments,
            traces,
            arithmetic: self.arithmetic,
            reach: self.reach,
            left_out: &self.left_out,
            refuted: BTreeSet::new(),
            budget,
        })
    }

    /// The same for each case of some conditions; all inputs are one case if there are none.
    fn prove_by_cases(
        &self,
        terms: &mut Terms,
        search: &Search<'_>,
        conditions: &[Term],
        machines: &Machines,
        asker: &mut Asker<'_>,
    ) -> Result<Proved, Failure> {
        let mut all = Proved { facts: Vec::new(), relations: Vec::new(), assumptions: Vec::new() };
        for number in 0..1_usize << conditions.len() {
            let signs = conditions.iter().enumerate().map(|(place, condition)| match number >> place & 1 {
                0 => *condition,
                _ => terms.not(*condition),
            });
            let signs: Vec<Term> = signs.collect();
            let case = terms.and(&signs);
            let proved = self.prove(terms, search, case, machines, asker)?;
            all.facts.extend(proved.facts);
            all.relations.extend(proved.relations);
            all.assumptions.extend(proved.assumptions);
        }
        Ok(all)
    }

    /// Conditions of the inputs alone on which loops at the top have iterations at all.
    fn first_tests(&self, terms: &mut Terms, search: &Search<'_>) -> Option<Vec<Term>> {
        let all = terms.bool(true);
        let loops = self.couple(terms, search, all)?;
        let inputs = input_variables(terms, search.inputs());
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
fn choices(terms: &Terms, search: &Search<'_>) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for summary in [&search.summaries().old, &search.summaries().new] {
        for loop_use in &summary.loops {
            let mut open = vec![loop_use.reached];
            while let Some(condition) = open.pop() {
                match terms.op(condition) {
                    Op::And | Op::Or | Op::Not => open.extend(terms.args(condition)),
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

/// Whether no loops are to be taken together.
pub(super) fn are_apart(shapes: &[Pair<Option<LoopShape<'_>>>]) -> bool {
    shapes.iter().all(|shape| shape.old.is_none() || shape.new.is_none())
}
