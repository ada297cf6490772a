//! Runs the iterations of two loops side by side on random inputs.

use std::collections::BTreeMap;

use num_rational::BigRational;
use smt::{Assignment, Op, Sort, Term, Value};

use crate::LoopProduct;
use crate::arithmetic::as_number;
use crate::traces::value_of;
use query::random_assignment;

/// Inputs that are tried, those of them that are wanted, and iterations that are followed from each.
const TRIALS: usize = 600;
const RUNS: usize = 60;
const ITERATIONS: usize = 7;

/// What the terms of both states were before iterations.
pub(crate) struct Trace {
    /// The variables of both states, and what the loops do not change.
    pub(crate) terms: Vec<Term>,
    /// What the loops change, as it was when they began.
    pub(crate) entries: Vec<Term>,
    /// For each iteration seen, the values of all these terms.
    rows: Vec<BTreeMap<Term, Value>>,
    /// For each iteration seen, the values of all variables.
    states: Vec<Assignment>,
}

impl Trace {
    /// Whether two terms had the same value in all iterations.
    pub(crate) fn agree(&self, a: Term, b: Term) -> bool {
        self.rows.iter().all(|row| row.get(&a) == row.get(&b))
    }

    /// The relations that are not false in any iteration.
    pub(crate) fn not_refuted(&self, terms: &smt::Terms, mut relations: Vec<Term>) -> Vec<Term> {
        for state in &self.states {
            let values = terms.evaluate_all(&relations, state);
            let mut values = values.into_iter();
            relations.retain(|_| values.next().flatten() != Some(Value::Bool(false)));
        }
        relations
    }

    /// The rows in which all of the terms are numbers.
    pub(crate) fn numbers(&self, terms: &[Term]) -> Vec<Vec<BigRational>> {
        let row = |row: &BTreeMap<Term, Value>| {
            terms.iter().map(|term| row.get(term).and_then(as_number)).collect::<Option<Vec<_>>>()
        };
        self.rows.iter().filter_map(row).collect()
    }
}

/// The terms whose values are looked at.
#[derive(Clone)]
struct Columns {
    terms: Vec<Term>,
    entries: Vec<Term>,
}

impl Columns {
    fn all(&self) -> impl Iterator<Item = Term> {
        self.terms.iter().chain(&self.entries).copied()
    }

    fn row(&self, terms: &smt::Terms, assignment: &Assignment) -> BTreeMap<Term, Value> {
        let all: Vec<Term> = self.all().collect();
        let values = terms.evaluate_all(&all, assignment);
        all.into_iter().zip(values).filter_map(|(term, value)| Some((term, value?))).collect()
    }
}

/// What the loops at a place change, as it is when they begin, unless it is known.
fn entries(product: &LoopProduct<'_>, place: usize) -> Vec<Term> {
    let coupled = &product.loops[place];
    let sides = [(&coupled.iterations.old, &coupled.uses.old), (&coupled.iterations.new, &coupled.uses.new)];
    let states =
        sides.into_iter().flat_map(|(iteration, loop_use)| iteration.before.iter().zip(&loop_use.entry));
    let changed = states.filter(|(variable, _)| product.is_state(**variable)).map(|(_, entry)| *entry);
    let mut entries: Vec<Term> = changed.filter(|it| product.terms.as_const(*it).is_none()).collect();
    entries.sort_unstable();
    entries.dedup();
    entries
}

/// Runs two loops; those inside others, and those with others inside, as parts of both versions.
pub(crate) fn simulate(product: &LoopProduct<'_>, place: usize) -> Trace {
    let coupled = &product.loops[place];
    let terms = &*product.terms;
    let (old, new) = (&coupled.iterations.old, &coupled.iterations.new);
    let mut columns: Vec<Term> = old.before.iter().chain(&new.before).copied().collect();
    columns.sort_unstable();
    columns.dedup();
    columns.retain(|term| terms.as_const(*term).is_none());
    let columns = Columns { terms: columns, entries: entries(product, place) };
    let has_inner = product.loops.iter().any(|other| other.parent == Some(place));
    if coupled.parent.is_some() || has_inner || !coupled.iteration_pairs.before.is_empty() {
        return from_real_runs(product, place, columns);
    }
    let trace = from_random_inputs(product, place, columns.clone(), &product.assumptions);
    if !trace.states.is_empty() {
        return trace;
    }
    // What is assumed of objects holds of few random inputs. These are guesses: numbers are enough.
    let is_about_objects = |assumption: &Term| {
        let parts = terms.reachable(&[*assumption]);
        parts.into_iter().any(|part| matches!(terms.sort_of(part), Sort::Array(..)))
    };
    let about_numbers: Vec<Term> =
        product.assumptions.iter().copied().filter(|it| !is_about_objects(it)).collect();
    from_random_inputs(product, place, columns, &about_numbers)
}

/// Runs the iterations of two loops on random inputs that meet the assumptions.
fn from_random_inputs(
    product: &LoopProduct<'_>,
    place: usize,
    columns: Columns,
    assumptions: &[Term],
) -> Trace {
    let terms = &*product.terms;
    let coupled = &product.loops[place];
    let (old, new) = (&coupled.iterations.old, &coupled.iterations.new);
    let mut roots: Vec<Term> = assumptions.to_vec();
    let (entry_old, entry_new) = (&coupled.uses.old.entry, &coupled.uses.new.entry);
    roots.extend([coupled.uses.old.reached, coupled.uses.new.reached]);
    roots.extend(entry_old.iter().chain(entry_new));
    let step: Vec<Term> = [old.goes_on, new.goes_on]
        .into_iter()
        .chain(old.after.iter().copied())
        .chain(new.after.iter().copied())
        .collect();
    let all: Vec<Term> = roots.iter().chain(&step).copied().chain(columns.all()).collect();
    let all = terms.reachable(&all);
    let mut random = fastrand::Rng::with_seed(11);
    let (mut rows, mut states) = (Vec::new(), Vec::new());
    let mut runs = 0;
    for round in 0..TRIALS {
        if runs == RUNS || (round >= RUNS && runs == 0) {
            break;
        }
        let mut assignment = random_assignment(terms, &all, &mut random, round);
        let values = terms.evaluate_all(&roots, &assignment);
        let conditions = values.len() - entry_old.len() - entry_new.len();
        let holds = |value: &Option<Value>| *value == Some(Value::Bool(true));
        if !values[..conditions].iter().all(holds) {
            continue;
        }
        runs += 1;
        let mut state = values[conditions..].to_vec();
        for _ in 0..ITERATIONS {
            if !assign(terms, &mut assignment, &old.before, &state[..old.before.len()])
                || !assign(terms, &mut assignment, &new.before, &state[old.before.len()..])
            {
                break;
            }
            rows.push(columns.row(terms, &assignment));
            states.push(assignment.clone());
            let next = terms.evaluate_all(&step, &assignment);
            if !next[..2].iter().all(holds) {
                break;
            }
            state = next[2..].to_vec();
        }
    }
    Trace { terms: columns.terms, entries: columns.entries, rows, states }
}

/// What was seen of two loops when both versions ran; nothing if they do not stand at the same place in both.
fn from_real_runs(product: &LoopProduct<'_>, place: usize, columns: Columns) -> Trace {
    let (terms, coupled) = (&*product.terms, &product.loops[place]);
    let (mut rows, mut states) = (Vec::new(), Vec::new());
    let is_at_same_place = coupled.uses.old.number == coupled.uses.new.number || coupled.parent.is_none();
    let is_paired = coupled.sides.len() == 2 && is_at_same_place;
    let seen = product.traces.filter(|_| is_paired).map(|traces| traces.of_loop(&coupled.iteration_pairs));
    for seen in seen.unwrap_or_default() {
        let mut assignment = Assignment::default();
        let mut set = |term: Term, value: &interp::Value| {
            if let (Op::Var(name), Some(value)) = (terms.op(term), value_of(value, terms.sort_of(term))) {
                assignment.variables.insert(name.to_string(), value);
            }
        };
        for (term, value) in product.arguments.iter().zip(seen.arguments) {
            set(*term, value);
        }
        for (iteration, state) in
            [(&coupled.iterations.old, seen.states.old), (&coupled.iterations.new, seen.states.new)]
        {
            for (element, term) in iteration.elements.iter().zip(&iteration.before) {
                if let Some(value) = state.get(&element.place).and_then(|leaves| leaves.get(element.leaf)) {
                    set(*term, value);
                }
            }
        }
        rows.push(columns.row(terms, &assignment));
        states.push(assignment);
    }
    Trace { terms: columns.terms, entries: columns.entries, rows, states }
}

/// Gives the variables of a state their values; false if one has none.
fn assign(
    terms: &smt::Terms,
    assignment: &mut Assignment,
    variables: &[Term],
    values: &[Option<Value>],
) -> bool {
    for (variable, value) in variables.iter().zip(values) {
        let Some(value) = value else { return false };
        if let Op::Var(name) = terms.op(*variable) {
            assignment.variables.insert(name.to_string(), value.clone());
        }
    }
    true
}
