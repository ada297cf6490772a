//! SAT sweeping: makes a hard question easier by first proving that parts of it are equal.
//!
//! ```text
//! old: f(x) + f(y) + f(z)      new: g(x) + g(y) + g(z)
//! ```
//!
//! Terms that agree on random values are candidates; the solver is asked about each pair, the smallest first, and
//! equal ones become one term. What is left of the question is often nothing.
//! Exact: each replacement was refuted to differ under the assumptions of the question.

use std::collections::BTreeMap;

use budget::{Budget, Rate, Steps};
use num_bigint::BigInt;
use num_rational::BigRational;
use smt::{Assignment, FunctionTable, Op, Sort, Term, Terms, Value};

use crate::{Client, Equal};

/// Larger questions are left alone: evaluating them would cost more than it brings.
const MOST_TERMS: usize = 30_000;
/// Random values for each variable to begin with.
const SAMPLES: usize = 24;
/// Questions about pairs at the most, and how many failures end the search.
const MOST_QUESTIONS: u32 = 400;
const MOST_FAILURES: u32 = 60;

/// The roots, with parts replaced by equal ones where that was proved.
pub fn sweep(
    terms: &mut Terms,
    client: &mut Client,
    assumptions: &[Term],
    roots: &[Term],
    floats: smt::Floats,
    budget: &Budget,
) -> Vec<Term> {
    let inside = terms.reachable(roots);
    if inside.len() > MOST_TERMS {
        return roots.to_vec();
    }
    let mut samples = Samples::random(terms, &inside, assumptions, budget);
    let mut merged: BTreeMap<Term, Term> = BTreeMap::new();
    let mut rebuilt: BTreeMap<Term, Term> = BTreeMap::new();
    let mut effort = Effort { questions: 0, failures: 0, budget };
    // Terms that behave alike on all samples, the first one leading.
    let mut leaders: BTreeMap<(Sort, Vec<Option<Value>>), Vec<Term>> = BTreeMap::new();
    for &term in &inside {
        let now = rebuild(terms, term, &rebuilt);
        rebuilt.insert(term, now);
        if !is_candidate(terms, term) || effort.is_used_up() || client.is_stopped() {
            continue;
        }
        let key = (terms.sort_of(term).clone(), samples.signature(term));
        let class = leaders.entry(key).or_default();
        let equal_one = class.iter().copied().find(|&leader| {
            let leader = rebuilt[&leader];
            leader == now || effort.proves(terms, client, assumptions, leader, now, floats)
        });
        match equal_one {
            Some(leader) => {
                let leader = rebuilt[&leader];
                merged.insert(term, leader);
                rebuilt.insert(term, leader);
            }
            None if class.len() < 4 => class.push(term),
            None => {}
        }
    }
    samples.values.clear();
    roots.iter().map(|root| rebuilt[root]).collect()
}

/// The term over what its parts became.
fn rebuild(terms: &mut Terms, term: Term, rebuilt: &BTreeMap<Term, Term>) -> Term {
    let args: Vec<Term> = terms.args(term).iter().map(|arg| rebuilt[arg]).collect();
    if *args == *terms.args(term) {
        return term;
    }
    let (op, sort) = (terms.op(term).clone(), terms.sort_of(term).clone());
    terms.rebuild(&op, &args, &sort)
}

/// Inner terms of sorts whose values can be compared.
fn is_candidate(terms: &Terms, term: Term) -> bool {
    let comparable =
        matches!(terms.sort_of(term), Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Float(_));
    comparable && !terms.args(term).is_empty()
}

/// The questions so far, and what there is for more.
struct Effort<'b> {
    questions: u32,
    failures: u32,
    budget: &'b Budget,
}

impl Effort<'_> {
    fn is_used_up(&self) -> bool {
        self.questions >= MOST_QUESTIONS || self.failures >= MOST_FAILURES || self.budget.is_over()
    }

    fn proves(
        &mut self,
        terms: &mut Terms,
        client: &mut Client,
        assumptions: &[Term],
        a: Term,
        b: Term,
        floats: smt::Floats,
    ) -> bool {
        if self.is_used_up() || terms.sort_of(a) != terms.sort_of(b) {
            return false;
        }
        self.questions += 1;
        let proved = client.equal(terms, assumptions, a, b, floats, self.budget) == Equal::Proved;
        self.failures += u32::from(!proved);
        proved
    }
}

/// The values of terms on random values of the variables.
struct Samples {
    values: Vec<BTreeMap<Term, Option<Value>>>,
}

impl Samples {
    fn random(terms: &Terms, inside: &[Term], assumptions: &[Term], budget: &Budget) -> Samples {
        let mut random = fastrand::Rng::with_seed(7);
        let mut values = Vec::new();
        let all: Vec<Term> = inside.iter().chain(assumptions).copied().collect();
        for round in 0..SAMPLES * 2 {
            let assignment = random_assignment(terms, &terms.reachable(&all), &mut random, round);
            let evaluated = terms.evaluate_all(&all, &assignment);
            budget.spend(Steps::new(evaluated.len() as u64 * Rate::TERM));
            let holds = |value: &Option<Value>| *value != Some(Value::Bool(false));
            // Values that no input has would tell terms apart that are equal on all inputs.
            if evaluated[inside.len()..].iter().all(holds) {
                values.push(inside.iter().copied().zip(evaluated).collect());
            }
            if values.len() == SAMPLES || budget.is_over() {
                break;
            }
        }
        Samples { values }
    }

    fn signature(&self, term: Term) -> Vec<Option<Value>> {
        self.values.iter().map(|sample| sample.get(&term).cloned().flatten()).collect()
    }
}

pub fn random_assignment(
    terms: &Terms,
    all: &[Term],
    random: &mut fastrand::Rng,
    round: usize,
) -> Assignment {
    let mut assignment = Assignment::default();
    for &term in all {
        let sort = terms.sort_of(term);
        match terms.op(term) {
            Op::Var(name) => {
                assignment.variables.insert(name.to_string(), random_value(sort, random, round));
            }
            Op::Apply(name) => {
                let default = Some(random_value(sort, random, round));
                let table = FunctionTable { entries: BTreeMap::new(), default };
                assignment.functions.entry(name.to_string()).or_insert(table);
            }
            _ => {}
        }
    }
    assignment
}

fn random_value(sort: &Sort, random: &mut fastrand::Rng, round: usize) -> Value {
    let small = random.i32(-8..=12);
    let wide = round % 3 == 2;
    match sort {
        Sort::Bool => Value::Bool(random.bool()),
        Sort::Int if wide => Value::Int(BigInt::from(random.i32(..))),
        Sort::Int => Value::Int(BigInt::from(small)),
        Sort::Real => {
            let denominator = random.i32(1..=if wide { 16 } else { 2 });
            Value::Real(BigRational::new(small.into(), denominator.into()))
        }
        Sort::BitVec(width) if wide => Value::bit_vec(random.u128(..), *width),
        Sort::BitVec(width) => Value::bit_vec(i128::from(small) as u128, *width),
        Sort::Float(format) => {
            let number = if wide { f64::from(random.i32(..)) / 977.0 } else { f64::from(small) / 2.0 };
            match format {
                smt::FloatFormat::F32 => Value::f32(number as f32),
                smt::FloatFormat::F64 => Value::f64(number),
            }
        }
        Sort::Array(_, element) => Value::array(random_value(element, random, round), []),
        Sort::Text => Value::text(&[u16::from(random.u8(b'a'..=b'z'))]),
        Sort::Uninterpreted(_) => Value::Opaque(random.u64(..4)),
    }
}
