//! Both versions with their loops stepped over in one way, and what follows once relations between the loops are proved.
//!
//! Over-approximating: of what loops leave behind only the proved relations are known.

use std::collections::BTreeMap;

use ir::{Pair, Side};
use smt::{Op, Term, Terms};
use symbolic::{Hidden, Iteration, LoopShape, LoopUse, SymValue};

use super::grouping::{Grouping, Role, Together, grouped};
use crate::coupling::{
    Arithmetic, CoupledLoop, Coupling, Part, Proved, STATE, Traces, cut, input_variables, is_quiet, several,
};
use crate::question::Asker;
use crate::search::{Depth, Search, summary_config};
use crate::settled::Settled;
use crate::verdict::Verdict;
use crate::witness::Machines;
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

/// Two versions with their loops stepped over.
pub(crate) struct InStep<'a, 's> {
    pair: Pair<Subject<'a>>,
    shapes: &'s [Pair<Option<LoopShape<'a>>>],
    peeled: Pair<u32>,
    hidden: Pair<Hidden>,
    grouping: Grouping,
    traces: &'s Traces,
    arithmetic: Arithmetic,
    config: &'s CheckConfig,
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
            config,
        }
    }

    pub(super) fn with_arithmetic(self, arithmetic: Arithmetic) -> InStep<'a, 's> {
        InStep { arithmetic, ..self }
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
        let proved = self.prove_by_cases(&mut terms, &search, &conditions, asker)?;
        Some(self.conclude(&mut terms, search, proved, machines, asker))
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
        let proved = coupling.prove(self.shapes, asker)?;
        Some(self.conclude(&mut terms, search, proved, machines, asker))
    }

    /// The same for the inputs that need more than a few iterations, once the others are settled.
    pub(super) fn decide_beyond(&self, machines: &Machines, asker: &mut Asker<'_>) -> Option<Verdict> {
        let mut terms = Terms::new();
        let settled = Settled::up_to(A_FEW, &mut terms, self.pair, self.config, asker)?;
        let mut search = self.summarize(&mut terms, asker)?;
        let proved = self.prove(&mut terms, &search, settled.open(), asker)?;
        search.look_beyond(&settled);
        match self.conclude(&mut terms, search, proved, machines, asker) {
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
        let proved = coupling.prove(self.shapes, asker)?;
        Some(self.conclude(&mut terms, search, proved, machines, asker))
    }

    /// Both versions with their loops stepped over.
    pub(crate) fn summarize(&self, terms: &mut Terms, asker: &mut Asker<'_>) -> Option<Search<'a>> {
        let hidden = self.hidden.as_ref();
        Search::prepare(terms, self.pair, hidden, Depth::SHALLOW, self.config, asker).ok()
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
    fn prove(
        &self,
        terms: &mut Terms,
        search: &Search<'_>,
        case: Term,
        asker: &mut Asker<'_>,
    ) -> Option<Proved> {
        let coupling = self.coupling(terms, search, case)?;
        let proved = coupling.prove(self.shapes, asker)?;
        let facts = proved.facts.into_iter().map(|fact| terms.implies(case, fact)).collect();
        Some(Proved { facts, ..proved })
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
        let deadline = self.config.deadline;
        let arithmetic = self.arithmetic;
        Some(Coupling { terms, loops, inputs, assumptions, arguments, traces, arithmetic, deadline })
    }

    /// The same for each case of some conditions; all inputs are one case if there are none.
    fn prove_by_cases(
        &self,
        terms: &mut Terms,
        search: &Search<'_>,
        conditions: &[Term],
        asker: &mut Asker<'_>,
    ) -> Option<Proved> {
        let mut all = Proved { facts: Vec::new(), relations: Vec::new(), assumptions: Vec::new() };
        for number in 0..1_usize << conditions.len() {
            let signs = conditions.iter().enumerate().map(|(place, condition)| match number >> place & 1 {
                0 => *condition,
                _ => terms.not(*condition),
            });
            let signs: Vec<Term> = signs.collect();
            let case = terms.and(&signs);
            let proved = self.prove(terms, search, case, asker)?;
            all.facts.extend(proved.facts);
            all.relations.extend(proved.relations);
            all.assumptions.extend(proved.assumptions);
        }
        Some(all)
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

    /// The iterations of all loops that are used, each with the place of its use.
    fn couple(&self, terms: &mut Terms, search: &Search<'_>, case: Term) -> Option<Vec<CoupledLoop>> {
        let mut found: Vec<CoupledLoop> = Vec::new();
        let at_top = search.summaries().as_ref().map(|summary| reached_in(terms, &summary.loops, case));
        let mut open: Vec<(Option<usize>, Pair<Vec<LoopUse>>)> = vec![(None, at_top)];
        while let Some((parent, uses)) = open.pop() {
            let mut stopped: Option<Vec<Term>> = None;
            for together in grouped(uses, self.shapes, self.grouping, self.traces) {
                if found.len() >= MOST_LOOPS {
                    return None;
                }
                let place = found.len();
                let coupled = self.couple_two(terms, search, (parent, place), together, &mut stopped)?;
                let inner = coupled.iterations.as_ref().map(|iteration| iteration.inner.clone());
                found.push(coupled);
                open.push((Some(place), inner));
            }
        }
        Some(found)
    }

    /// The iterations of loops that are side by side. What a loop has `stopped` at is where its rest starts.
    fn couple_two(
        &self,
        terms: &mut Terms,
        search: &Search<'_>,
        (parent, place): (Option<usize>, usize),
        together: Together,
        stopped: &mut Option<Vec<Term>>,
    ) -> Option<CoupledLoop> {
        let steps = together.steps()?;
        let Together { mut uses, pace, role, .. } = together;
        if let (Role::Start(side) | Role::Rest(side), Some(entry)) = (role, stopped.take())
            && let Some(goes_on) = uses.get_mut(side)
        {
            goes_on.entry = entry;
        }
        let mut one = |side: Side| -> Option<Option<Iteration>> {
            let Some(loop_use) = uses.get(side) else { return Some(None) };
            let iteration = self.iterate(terms, search, loop_use, side, place)?;
            Some(Some(several(terms, &iteration, *pace.get(side))?))
        };
        let mut iterations = Pair { old: one(Side::Old)?, new: one(Side::New)? };
        let mut part = Part::Whole;
        if let Role::Start(side) | Role::Rest(side) = role {
            let (mine, other) = (iterations.get(side).clone()?, iterations.get(side.other()).clone()?);
            if !is_quiet(terms, &mine) || !is_quiet(terms, &other) {
                return None;
            }
            part = Part::Rest;
            if role == Role::Start(side) {
                part = Part::Start(side);
                let loop_use = uses.get_mut(side).as_mut()?;
                loop_use.exit = where_it_stops(terms, &mine, loop_use, place);
                *stopped = Some(loop_use.exit.clone());
                *iterations.get_mut(side) = Some(cut(terms, &mine, loop_use, &other));
            }
        }
        Some(CoupledLoop { part, ..CoupledLoop::new(terms, parent, steps, iterations, uses)? })
    }

    /// One iteration of a loop where it is used.
    fn iterate(
        &self,
        terms: &mut Terms,
        search: &Search<'_>,
        loop_use: &LoopUse,
        side: Side,
        place: usize,
    ) -> Option<Iteration> {
        let shape = self.shapes[loop_use.number].get(side).as_ref()?;
        let prefix = format!("{STATE}{place}.{}", side.name());
        let config = summary_config(self.config);
        let hidden = self.hidden.get(side);
        let done = symbolic::iteration(terms, shape, &prefix, search.inputs(), &config, hidden);
        Some(without_unmodified(terms, done.ok()?, loop_use))
    }
}

/// The state of a loop that stops before its end: what it does not change, and variables.
fn where_it_stops(terms: &mut Terms, iteration: &Iteration, loop_use: &LoopUse, place: usize) -> Vec<Term> {
    let states = iteration.before.iter().zip(&iteration.after).zip(&loop_use.entry).enumerate();
    let stops = states.map(|(at, ((before, after), entry))| match before == after {
        true => *entry,
        false => {
            let sort = terms.sort_of(*before).clone();
            terms.var(&format!("stopped{place}.exit.{at}"), &sort)
        }
    });
    stops.collect()
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

/// Conditions beyond this make too many cases.
const MOST_CHOICES: usize = 2;

/// Whether a term has symbols for what was stepped over.
fn depends_on_code(terms: &Terms, term: Term) -> bool {
    terms.reachable(&[term]).into_iter().any(|part| matches!(terms.op(part), Op::Apply(_)))
}

/// The uses that are reached on some inputs of a case, as far as simplification tells.
fn reached_in(terms: &mut Terms, uses: &[LoopUse], case: Term) -> Vec<LoopUse> {
    let mut known = BTreeMap::new();
    let mut open = vec![case];
    while let Some(condition) = open.pop() {
        match terms.op(condition) {
            Op::And => open.extend(terms.args(condition).to_vec()),
            Op::Not => {
                let inner = terms.args(condition)[0];
                let no = terms.bool(false);
                known.insert(inner, no);
            }
            Op::Const(_) => {}
            _ => {
                let yes = terms.bool(true);
                known.insert(condition, yes);
            }
        }
    }
    let never = terms.bool(false);
    let is_reached = |loop_use: &&LoopUse| terms.substitute(loop_use.reached, &known) != never;
    uses.iter().filter(is_reached).cloned().collect()
}

/// Iterations that are followed one by one before relations have to hold.
const A_FEW: u32 = 3;

/// Uses of loops beyond this are too many.
const MOST_LOOPS: usize = 40;

/// Whether no loops are to be taken together.
pub(super) fn are_apart(shapes: &[Pair<Option<LoopShape<'_>>>]) -> bool {
    shapes.iter().all(|shape| shape.old.is_none() || shape.new.is_none())
}

/// What an iteration never changes is what it was at the start of the loop.
fn without_unmodified(terms: &mut Terms, iteration: Iteration, loop_use: &LoopUse) -> Iteration {
    let is_unmodified = |at: &usize| iteration.after[*at] == iteration.before[*at];
    let map: BTreeMap<Term, Term> = (0..iteration.before.len())
        .filter(is_unmodified)
        .map(|at| (iteration.before[at], loop_use.entry[at]))
        .collect();
    if map.is_empty() {
        return iteration;
    }
    let all = |terms: &mut Terms, list: &[Term]| terms.substitute_all(list, &map);
    let one = |terms: &mut Terms, term: Term| terms.substitute(term, &map);
    Iteration {
        elements: iteration.elements.clone(),
        before: all(terms, &iteration.before),
        goes_on: one(terms, iteration.goes_on),
        after: all(terms, &iteration.after),
        leaves: one(terms, iteration.leaves),
        ended: one(terms, iteration.ended),
        at_end: all(terms, &iteration.at_end),
        result: all(terms, &iteration.result),
        printed: one(terms, iteration.printed),
        unfinished: one(terms, iteration.unfinished),
        assumptions: all(terms, &iteration.assumptions),
        assumption_texts: iteration.assumption_texts.clone(),
        inner: iteration
            .inner
            .iter()
            .map(|inner| LoopUse {
                number: inner.number,
                reached: one(terms, inner.reached),
                entry: all(terms, &inner.entry),
                exit: all(terms, &inner.exit),
                diverges: inner.diverges,
                ended: one(terms, inner.ended),
                result: all(terms, &inner.result),
                printed: one(terms, inner.printed),
            })
            .collect(),
    }
}
