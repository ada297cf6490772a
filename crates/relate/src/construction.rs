//! The product construction: the iterations of loops that are side by side, in the alignment that is asked for.
//!
//! Exact: what loops do is only put together.

use std::collections::BTreeMap;

use ir::{Pair, Side};
use smt::{Op, Term, Terms};
use symbolic::{Abstraction, Config, Inputs, Iteration, LoopShape, LoopUse};

use crate::loop_alignment::{Aligned, Role, aligned};
use crate::product::{Part, ProductLoop};
use crate::unrolling::{is_quiet, truncate, unroll};
use crate::{Grouping, Traces};

/// Uses of loops beyond this are too many.
const MOST_LOOPS: usize = 100;

/// What product loops are made from: the loops of both versions, and how they are aligned.
pub struct Construction<'a, 's> {
    pub shapes: &'s [Pair<Option<LoopShape<'a>>>],
    pub hidden: Pair<&'s Abstraction<'a>>,
    pub grouping: Grouping,
    pub traces: &'s Traces,
    pub inputs: &'s Inputs,
    pub config: Config,
}

impl Construction<'_, '_> {
    /// The product of all loops that are used on the inputs of a case, each with the place of its use.
    pub fn product_loops(
        &self,
        terms: &mut Terms,
        uses: Pair<&[LoopUse]>,
        case: Term,
    ) -> Option<Vec<ProductLoop>> {
        let mut found: Vec<ProductLoop> = Vec::new();
        let at_top = uses.map(|uses| reached_in(terms, uses, case));
        let mut worklist: Vec<(Option<usize>, Pair<Vec<LoopUse>>)> = vec![(None, at_top)];
        while let Some((parent, uses)) = worklist.pop() {
            let mut stopped: Option<Vec<Term>> = None;
            for together in aligned(uses, self.shapes, self.grouping, self.traces) {
                if found.len() >= MOST_LOOPS {
                    return None;
                }
                let place = found.len();
                let product_loop = self.product_loop(terms, (parent, place), together, &mut stopped)?;
                let inner = product_loop.iterations.as_ref().map(|iteration| iteration.inner.clone());
                found.push(product_loop);
                worklist.push((Some(place), inner));
            }
        }
        Some(found)
    }

    /// The iterations of loops that are side by side. What a loop has `stopped` at is where its rest starts.
    fn product_loop(
        &self,
        terms: &mut Terms,
        (parent, place): (Option<usize>, usize),
        together: Aligned,
        stopped: &mut Option<Vec<Term>>,
    ) -> Option<ProductLoop> {
        let iteration_pairs = together.iteration_pairs()?;
        let Aligned { mut uses, ratio, role, .. } = together;
        if let (Role::Start(side) | Role::Rest(side), Some(entry)) = (role, stopped.take())
            && let Some(goes_on) = uses.get_mut(side)
        {
            goes_on.entry = entry;
        }
        let mut one = |side: Side| -> Option<Option<Iteration>> {
            let Some(loop_use) = uses.get(side) else { return Some(None) };
            let iteration = self.iterate(terms, loop_use, side, place)?;
            Some(Some(unroll(terms, &iteration, *ratio.get(side))?))
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
                *iterations.get_mut(side) = Some(truncate(terms, &mine, loop_use, &other));
            }
        }
        Some(ProductLoop { part, ..ProductLoop::new(terms, parent, iteration_pairs, iterations, uses)? })
    }

    /// One iteration of a loop where it is used.
    pub fn iterate(
        &self,
        terms: &mut Terms,
        loop_use: &LoopUse,
        side: Side,
        place: usize,
    ) -> Option<Iteration> {
        let shape = self.shapes[loop_use.number].get(side).as_ref()?;
        let prefix = format!("state of loop {place}.{}", side.name());
        let hidden = self.hidden.get(side);
        let done = symbolic::iteration(terms, shape, &prefix, self.inputs, &self.config, hidden);
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
    let mut worklist = vec![case];
    while let Some(condition) = worklist.pop() {
        match terms.op(condition) {
            Op::And => worklist.extend(terms.args(condition).to_vec()),
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
    match map.is_empty() {
        true => iteration,
        false => iteration.substituted(terms, &map),
    }
}
