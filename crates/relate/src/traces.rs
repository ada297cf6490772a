//! What the states of loops are in real runs, also of loops inside others: both versions run with a call of an
//! unknown procedure before every iteration, which the interpreter writes down.
//!
//! Under-approximating: some runs of many. Only guesses are read off from them.

use std::collections::BTreeMap;

use interp::{Limits, Machine, RefValue};
use ir::{Expr, Pair, Program, Side};
use num_bigint::BigInt;
use rewrite::{LoopHead, observe_loops};
use smt::{Sort, Value};
use symbolic::{LoopShape, StatePlace};

use inputs::Generator;
use ir::Numbers;
use ir::Subject;

/// Inputs that are tried, and steps that each run may take.
const RUNS: u64 = 40;
const LIMITS: Limits = Limits { steps: 1_500, ..Limits::USUAL };
/// Iterations of one loop that are kept of one run.
const MOST_ITERATIONS: usize = 30;
/// What the names of the unknown procedures begin with.
const HEAD: &str = "$head ";

/// The values of a loop's locals and globals before an iteration, by their place.
pub(crate) type HeadState = BTreeMap<StatePlace, Vec<interp::Value>>;

/// What was seen before iterations of both versions' loops, side by side, with the arguments of the run.
pub(crate) struct Seen<'t> {
    pub(crate) arguments: &'t [interp::Value],
    pub(crate) states: Pair<&'t HeadState>,
}

/// All that was seen.
pub struct Traces {
    runs: Vec<SeenRun>,
    /// The numbers of the loops that both versions have.
    pub(crate) paired: Vec<usize>,
}

/// What was seen of both versions on one input.
pub(crate) struct SeenRun {
    arguments: Vec<interp::Value>,
    ended: bool,
    /// The states before the iterations, by the number of the loop.
    heads: Pair<BTreeMap<usize, Vec<HeadState>>>,
}

/// Which iterations of two loops are side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IterationPairs {
    /// The numbers of the loops.
    pub(crate) numbers: Pair<usize>,
    /// How many iterations of each are taken as one.
    pub(crate) ratio: Pair<u32>,
    /// The loops that one of them was aligned with before.
    pub(crate) before: Vec<Earlier>,
}

/// A loop of one version was aligned with one of the other's, and went on after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Earlier {
    /// The version of the loop that went on.
    pub(crate) side: Side,
    pub(crate) other: usize,
    /// How many iterations it did for each one of the other's.
    pub(crate) ratio: u32,
}

impl Traces {
    /// How many iterations of a loop each run began, in both versions.
    pub fn iterations(&self, number: usize) -> Vec<Pair<usize>> {
        let began = |run: &SeenRun, side: Side| run.heads.get(side).get(&number).map_or(0, Vec::len);
        self.runs.iter().map(|run| Pair { old: began(run, Side::Old), new: began(run, Side::New) }).collect()
    }

    pub fn of(pair: Pair<Subject<'_>>, shapes: &[Pair<Option<LoopShape<'_>>>], numbers: Numbers) -> Traces {
        let observed = Pair {
            old: observed(pair.old.program, Side::Old, shapes),
            new: observed(pair.new.program, Side::New, shapes),
        };
        let machines = observed.as_ref().map(|program| Machine::new(program, numbers));
        let mut generator = Generator::new(pair, numbers, 7);
        let is_paired = |number: &usize| shapes[*number].old.is_some() && shapes[*number].new.is_some();
        let paired = (0..shapes.len()).filter(is_paired).collect();
        let mut traces = Traces { runs: Vec::new(), paired };
        for number in 0..RUNS {
            let input = match number % 2 {
                0 => generator.random(),
                _ => generator.combination(number, 4).unwrap_or_else(|| generator.random()),
            };
            let runs = machines
                .as_ref()
                .zip(pair)
                .map(|(machine, subject)| machine.run(subject.procedure, &input, &LIMITS));
            let ended = runs.old.ending.is_conclusive() && runs.new.ending.is_conclusive();
            let heads =
                runs.zip(Pair::new(Side::Old, Side::New)).map(|(run, side)| heads(&run, side, shapes));
            traces.runs.push(SeenRun { arguments: input.args, ended, heads });
        }
        traces
    }

    /// The runs in which both versions ended.
    pub(crate) fn ended(&self) -> impl Iterator<Item = &SeenRun> {
        self.runs.iter().filter(|run| run.ended)
    }

    /// What was seen of two loops that stand at the same place in both versions.
    pub(crate) fn of_loop(&self, pairs: &IterationPairs) -> Vec<Seen<'_>> {
        let mut seen = Vec::new();
        for run in &self.runs {
            let states = |side: Side| -> Option<&[HeadState]> {
                let all = run.heads.get(side).get(pairs.numbers.get(side))?;
                let earlier = pairs.before.iter().filter(|earlier| earlier.side == side);
                let done = earlier.map(|it| run.iterations(side.other(), it.other) * it.ratio as usize);
                all.get(done.sum()..)
            };
            let (Some(old), Some(new)) = (states(Side::Old), states(Side::New)) else { continue };
            let old = old.iter().step_by(pairs.ratio.old as usize);
            let both = old.zip(new.iter().step_by(pairs.ratio.new as usize)).take(MOST_ITERATIONS);
            seen.extend(both.map(|(old, new)| Seen { arguments: &run.arguments, states: Pair { old, new } }));
        }
        seen
    }
}

impl SeenRun {
    /// How many iterations of a loop began.
    pub(crate) fn begun(&self, side: Side, number: usize) -> usize {
        self.heads.get(side).get(&number).map_or(0, Vec::len)
    }

    /// How many iterations of a loop were followed by another one.
    pub(crate) fn iterations(&self, side: Side, number: usize) -> usize {
        self.begun(side, number).saturating_sub(1)
    }
}

/// The states before the iterations of each loop of a run, in order.
fn heads(
    run: &interp::Run,
    side: Side,
    shapes: &[Pair<Option<LoopShape<'_>>>],
) -> BTreeMap<usize, Vec<HeadState>> {
    let mut found: BTreeMap<usize, Vec<HeadState>> = BTreeMap::new();
    for call in &run.external_calls {
        let Some(number) = call.name.strip_prefix(HEAD).and_then(|number| number.parse::<usize>().ok())
        else {
            continue;
        };
        let Some(shape) = shapes.get(number).and_then(|shape| shape.get(side).as_ref()) else { continue };
        let values = call.args.iter().map(|value| {
            let mut leaves = Vec::new();
            add_leaves(value, &mut leaves);
            leaves
        });
        found.entry(number).or_default().push(places(shape).zip(values).collect());
    }
    found
}

fn add_leaves(value: &interp::Value, leaves: &mut Vec<interp::Value>) {
    match value {
        interp::Value::Record(fields) => fields.iter().for_each(|field| add_leaves(field, leaves)),
        other => leaves.push(other.clone()),
    }
}

/// The parts of a loop's state that are written down.
fn places<'s>(shape: &'s LoopShape<'_>) -> impl Iterator<Item = StatePlace> + 's {
    let places = shape.places.iter().copied();
    places.filter(|place| matches!(place, StatePlace::Local(_) | StatePlace::Global(_)))
}

/// The program with a call of an unknown procedure at the head of each loop.
fn observed(program: &Program, side: Side, shapes: &[Pair<Option<LoopShape<'_>>>]) -> Program {
    let numbered = shapes.iter().enumerate();
    let heads = numbered.filter_map(|(number, shape)| {
        let shape = shape.get(side).as_ref()?;
        let state = places(shape).filter_map(|place| match place {
            StatePlace::Local(local) => Some(Expr::Local(local)),
            StatePlace::Global(global) => Some(Expr::Global(global)),
            StatePlace::Region(_) | StatePlace::World => None,
        });
        let (procedure, stmt, name) = (shape.procedure, shape.stmt, format!("{HEAD}{number}"));
        Some(LoopHead { procedure, stmt, name, state: state.collect() })
    });
    observe_loops(program, &heads.collect::<Vec<_>>())
}

/// A value of a run as one of a sort; objects are numbered from 1.
pub(crate) fn value_of(value: &interp::Value, sort: &Sort) -> Option<Value> {
    match (value, sort) {
        (interp::Value::Bool(value), Sort::Bool) => Some(Value::Bool(*value)),
        (interp::Value::Int(value), Sort::BitVec(width)) => Some(Value::bit_vec(*value as u128, *width)),
        (interp::Value::Int(value), Sort::Int) => Some(Value::Int(BigInt::from(*value))),
        (interp::Value::Big(value), Sort::Int) => Some(Value::Int(value.clone())),
        (interp::Value::F64(bits), Sort::Float(format)) => Some(Value::float(*bits, *format)),
        (interp::Value::F32(bits), Sort::Float(format)) => Some(Value::float(u64::from(*bits), *format)),
        (interp::Value::Ref(reference), sort) => {
            let number = match reference {
                RefValue::Null => 0,
                RefValue::Object(index) => 1 + *index as u128,
                RefValue::Static(_) => return None,
            };
            match sort {
                Sort::BitVec(width) => Some(Value::bit_vec(number, *width)),
                Sort::Int => Some(Value::Int(BigInt::from(number))),
                _ => None,
            }
        }
        _ => None,
    }
}
