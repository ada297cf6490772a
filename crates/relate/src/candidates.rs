//! Relations that may hold between two loops, read off from their runs.
//!
//! A guess in both directions: what is not proved later is dropped, and what is not guessed is not proved.

use std::collections::BTreeSet;

use ir::Pair;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use smt::{Op, Sort, Term, Terms};

use crate::arithmetic::{at_most, number, scaled, sum};
use crate::simulation::{Trace, simulate};
use crate::{Arithmetic, LoopProduct};

/// Coefficients beyond this are accidents.
const LARGEST_COEFFICIENT: i64 = 64;
/// Conditions and cells that are tried, at the most of each.
const MOST_CONDITIONS: usize = 40;
/// Sums and differences that may be kept, at the most.
const MOST_KEPT: usize = 120;
/// Orders between values, at the most.
const MOST_ORDERS: usize = 60;

impl LoopProduct<'_> {
    pub(crate) fn find_candidates(&mut self) {
        for place in 0..self.loops.len() {
            let trace = simulate(self, place);
            self.loops[place].invariants = self.relations_of(place, &trace);
        }
    }

    fn relations_of(&mut self, place: usize, trace: &Trace) -> Vec<Term> {
        let mut relations = BTreeSet::new();
        let iterations = &self.loops[place].iterations;
        let (old, new) = (iterations.old.before.clone(), iterations.new.before.clone());
        for a in &old {
            for b in &new {
                let same_sort = self.terms.sort_of(*a) == self.terms.sort_of(*b);
                if a != b && same_sort && trace.agree(*a, *b) {
                    relations.insert(self.terms.eq(*a, *b));
                }
            }
        }
        for sort in numeric_sorts(self.terms, trace) {
            let columns: Vec<Term> =
                trace.terms.iter().copied().filter(|term| *self.terms.sort_of(*term) == sort).collect();
            let rows = trace.numbers(&columns);
            for coefficients in linear_equalities(&rows, columns.len()) {
                relations.extend(equality(self.terms, &sort, &columns, &coefficients));
            }
            relations.extend(self.measured_from_the_start(&sort, &columns, trace));
            relations.extend(orders(self.terms, &sort, &columns, &rows));
            if self.arithmetic != Arithmetic::Exact {
                relations.extend(self.products(&sort, &columns, trace));
            }
        }
        relations.extend(self.zero_together(place, trace));
        relations.extend(self.kept_from_the_start(place, trace));
        relations.extend(self.across_widths(place, trace));
        relations.extend(self.residues(place, trace));
        relations.extend(self.conditions_of_the_loops(place, trace));
        relations.extend(self.guarded(place, trace));
        relations.extend(self.passed_tests(place, trace));
        relations.extend(self.cells_of_the_other(place, trace));
        let yes = self.terms.bool(true);
        relations.into_iter().filter(|relation| *relation != yes).collect()
    }
}

impl LoopProduct<'_> {
    /// Sums of values, each some times, that are what they were when the loops began.
    fn measured_from_the_start(&mut self, sort: &Sort, columns: &[Term], trace: &Trace) -> Vec<Term> {
        let has_sort = |term: &Term| self.terms.sort_of(*term) == sort && !columns.contains(term);
        let entries: Vec<Term> = trace.entries.iter().copied().filter(has_sort).collect();
        if entries.is_empty() {
            return Vec::new();
        }
        let all: Vec<Term> = columns.iter().chain(&entries).copied().collect();
        let equalities = linear_equalities(&trace.numbers(&all), all.len());
        let speaks_of_entries =
            |it: &&Vec<BigRational>| it[columns.len()..all.len()].iter().any(|factor| !factor.is_zero());
        let found: Vec<_> = equalities.iter().filter(speaks_of_entries).collect();
        found.into_iter().filter_map(|factors| equality(self.terms, sort, &all, factors)).collect()
    }

    /// Values of both versions that are zero together.
    fn zero_together(&mut self, place: usize, trace: &Trace) -> Vec<Term> {
        let Pair { old, new } =
            self.loops[place].iterations.as_ref().map(|iteration| iteration.before.clone());
        let mut found = Vec::new();
        for a in &old {
            for b in &new {
                let sort = self.terms.sort_of(*a).clone();
                let is_number = matches!(sort, Sort::Int | Sort::BitVec(_));
                let are_states = self.is_state(*a) && self.is_state(*b);
                if is_number && are_states && *self.terms.sort_of(*b) == sort && found.len() < MOST_CONDITIONS
                {
                    let zero = number(self.terms, &sort, 0);
                    let (a, b) = (self.terms.eq(*a, zero), self.terms.eq(*b, zero));
                    found.push(self.terms.eq(a, b));
                }
            }
        }
        trace.not_refuted(self.terms, found)
    }

    /// The conditions that the loops themselves ask about, and their opposites.
    fn conditions_of_the_loops(&mut self, place: usize, trace: &Trace) -> Vec<Term> {
        let iterations = &self.loops[place].iterations;
        let mut found = Vec::new();
        for iteration in [&iterations.old, &iterations.new] {
            for term in self.terms.reachable(&[iteration.goes_on, iteration.leaves]) {
                let is_atom = matches!(self.terms.op(term), Op::Eq | Op::Le | Op::Lt | Op::BvCmp(_));
                if is_atom && self.mentions_state(term) && found.len() < MOST_CONDITIONS {
                    found.push(term);
                }
            }
        }
        let opposites: Vec<Term> = found.iter().map(|term| self.terms.not(*term)).collect();
        found.extend(opposites);
        trace.not_refuted(self.terms, found)
    }

    /// Values of one version that are what a cell holds which the other version looks at.
    fn cells_of_the_other(&mut self, place: usize, trace: &Trace) -> Vec<Term> {
        let Pair { old, new } = self.loops[place].iterations.clone();
        let mut found = Vec::new();
        for (mine, other) in [(&old, &new), (&new, &old)] {
            let roots: Vec<Term> = other.after.iter().chain([&other.goes_on]).copied().collect();
            let cells: Vec<Term> = self
                .terms
                .reachable(&roots)
                .into_iter()
                .filter(|term| *self.terms.op(*term) == Op::Select && self.mentions_state(*term))
                .collect();
            for value in mine.before.clone() {
                for cell in &cells {
                    let fits = self.is_state(value) && self.terms.sort_of(value) == self.terms.sort_of(*cell);
                    if fits && found.len() < MOST_CONDITIONS {
                        found.push(self.terms.eq(value, *cell));
                    }
                }
            }
        }
        trace.not_refuted(self.terms, found)
    }

    /// Whether a condition is about the states before an iteration alone.
    fn mentions_state(&self, term: Term) -> bool {
        let variables = self.terms.variables(term);
        variables.iter().any(|variable| self.is_state(*variable))
    }

    /// Sums and differences of two values that are what they were when the loops began.
    fn kept_from_the_start(&mut self, place: usize, trace: &Trace) -> Vec<Term> {
        let coupled = &self.loops[place];
        let mut values: Vec<(Term, Term)> = Vec::new();
        for (iteration, loop_use) in
            [(&coupled.iterations.old, &coupled.uses.old), (&coupled.iterations.new, &coupled.uses.new)]
        {
            values.extend(iteration.before.iter().copied().zip(loop_use.entry.iter().copied()));
        }
        values.retain(|(variable, _)| self.is_state(*variable));
        let mut found = Vec::new();
        for (value, entry) in &values {
            let sort = self.terms.sort_of(*value).clone();
            if matches!(sort, Sort::Int | Sort::Real | Sort::BitVec(_)) {
                // Counters go one way, and seldom below zero.
                let zero = number(self.terms, &sort, 0);
                for (low, high) in [(zero, *value), (*value, zero), (*entry, *value), (*value, *entry)] {
                    found.push(at_most(self.terms, &sort, low, high));
                }
            }
        }
        for (place, (a, entry_a)) in values.iter().enumerate() {
            for (b, entry_b) in &values[place + 1..] {
                let sort = self.terms.sort_of(*a).clone();
                let is_number = matches!(sort, Sort::Int | Sort::Real | Sort::BitVec(_));
                if !is_number || *self.terms.sort_of(*b) != sort || found.len() >= MOST_KEPT {
                    continue;
                }
                let terms = &mut *self.terms;
                let minus_b = scaled(terms, &sort, *b, -1);
                let minus_entry = scaled(terms, &sort, *entry_b, -1);
                for (b, entry_b) in [(*b, *entry_b), (minus_b, minus_entry)] {
                    let now = sum(terms, &sort, &[*a, b]);
                    let then = sum(terms, &sort, &[*entry_a, entry_b]);
                    found.push(terms.eq(now, then));
                }
            }
        }
        trace.not_refuted(self.terms, found)
    }
}

fn numeric_sorts(terms: &Terms, trace: &Trace) -> Vec<Sort> {
    let mut sorts: Vec<Sort> = Vec::new();
    for term in &trace.terms {
        let sort = terms.sort_of(*term);
        if matches!(sort, Sort::Int | Sort::Real | Sort::BitVec(_)) && !sorts.contains(sort) {
            sorts.push(sort.clone());
        }
    }
    sorts
}

/// A basis of all `c` with `c . (row, 1) = 0` for every row.
pub(crate) fn linear_equalities(rows: &[Vec<BigRational>], columns: usize) -> Vec<Vec<BigRational>> {
    if rows.len() < 3 || columns == 0 || columns > 24 {
        return Vec::new();
    }
    let width = columns + 1;
    let mut matrix: Vec<Vec<BigRational>> =
        rows.iter().map(|row| row.iter().cloned().chain([BigRational::one()]).collect()).collect();
    let mut pivots: Vec<usize> = Vec::new();
    // The constant comes first as a pivot, so that relations are said with as few variables as possible.
    for column in (0..width).rev() {
        let rank = pivots.len();
        let Some(found) = (rank..matrix.len()).find(|row| !matrix[*row][column].is_zero()) else { continue };
        matrix.swap(rank, found);
        let pivot = matrix[rank][column].clone();
        matrix[rank].iter_mut().for_each(|value| *value /= &pivot);
        for row in 0..matrix.len() {
            if row != rank && !matrix[row][column].is_zero() {
                let factor = matrix[row][column].clone();
                let subtracted: Vec<BigRational> = matrix[rank].iter().map(|value| value * &factor).collect();
                matrix[row].iter_mut().zip(subtracted).for_each(|(value, other)| *value -= other);
            }
        }
        pivots.push(column);
    }
    let free = (0..width).filter(|column| !pivots.contains(column));
    free.map(|column| {
        let mut solution = vec![BigRational::zero(); width];
        solution[column] = BigRational::one();
        for (row, pivot) in pivots.iter().enumerate() {
            solution[*pivot] = -matrix[row][column].clone();
        }
        solution
    })
    .collect()
}

/// The equality with these coefficients, as whole numbers; nothing if they are too large.
pub(crate) fn equality(
    terms: &mut Terms,
    sort: &Sort,
    columns: &[Term],
    coefficients: &[BigRational],
) -> Option<Term> {
    let denominator = coefficients.iter().fold(BigInt::one(), |all, c| num_integer_lcm(&all, c.denom()));
    let whole: Vec<i64> = coefficients
        .iter()
        .map(|c| (c * BigRational::from(denominator.clone())).to_integer().to_i64())
        .collect::<Option<_>>()?;
    let (constant, factors) = whole.split_last()?;
    if factors.iter().any(|factor| factor.abs() > LARGEST_COEFFICIENT) || constant.abs() > 1 << 20 {
        return None;
    }
    let mut parts = Vec::new();
    for (term, factor) in columns.iter().zip(factors) {
        if *factor != 0 {
            parts.push(scaled(terms, sort, *term, *factor));
        }
    }
    let constant = number(terms, sort, *constant);
    parts.push(constant);
    let sum = sum(terms, sort, &parts);
    let zero = number(terms, sort, 0);
    Some(terms.eq(sum, zero))
}

fn num_integer_lcm(a: &BigInt, b: &BigInt) -> BigInt {
    let mut x = a.abs();
    let mut y = b.abs();
    while !y.is_zero() {
        (x, y) = (y.clone(), x % y);
    }
    (a * b).abs() / x
}

/// Orders that every row shows: between two values, and to zero.
fn orders(terms: &mut Terms, sort: &Sort, columns: &[Term], rows: &[Vec<BigRational>]) -> Vec<Term> {
    let mut found = Vec::new();
    if rows.len() < 3 {
        return found;
    }
    let zero = number(terms, sort, 0);
    for (i, a) in columns.iter().enumerate() {
        if rows.iter().all(|row| !row[i].is_negative()) {
            found.push(at_most(terms, sort, zero, *a));
        }
        for (j, b) in columns.iter().enumerate() {
            if i != j && rows.iter().all(|row| row[i] <= row[j]) && rows.iter().any(|row| row[i] < row[j]) {
                found.push(at_most(terms, sort, *a, *b));
            }
            if found.len() >= MOST_ORDERS {
                return found;
            }
        }
    }
    found
}
