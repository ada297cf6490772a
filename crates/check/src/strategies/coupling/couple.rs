//! The iterations of loops that are side by side, at the pace and in the parts that are asked for.
//!
//! Exact: what loops do is only put together.

use std::collections::BTreeMap;

use ir::{Pair, Side};
use smt::{Op, Term, Terms};
use symbolic::{Iteration, LoopUse};

use super::grouping::{Role, Together, grouped};
use super::in_step::InStep;
use crate::coupling::{CoupledLoop, Part, STATE, cut, is_quiet, several};
use crate::search::{Search, summary_config};

/// Uses of loops beyond this are too many.
const MOST_LOOPS: usize = 100;

impl InStep<'_, '_> {
    /// The iterations of all loops that are used, each with the place of its use.
    pub(super) fn couple(
        &self,
        terms: &mut Terms,
        search: &Search<'_>,
        case: Term,
    ) -> Option<Vec<CoupledLoop>> {
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
    pub(super) fn iterate(
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
        written: iteration.written.map(|text| one(terms, text)),
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
                written: inner.written.map(|text| one(terms, text)),
            })
            .collect(),
    }
}
