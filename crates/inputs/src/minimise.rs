//! Makes an input simpler while it still separates the versions: fewer non-zero values, rounder numbers, shorter arrays.

use interp::{Input, RefValue, Value};
use ir::Type;

use crate::from_model::is_well_formed;
use crate::generate::{element_cells, least_elements};
use crate::places::{Place, places};
use crate::reals::{approximate as near, real};
use ir::Subject;

/// How many simpler inputs are tried at the most.
const MOST_TRIALS: u32 = 600;

/// The simplest input found for which `still_separates` holds, starting from one for which it does.
pub fn minimise(
    input: Input,
    subject: Subject<'_>,
    still_separates: &mut dyn FnMut(&Input) -> bool,
) -> Input {
    let mut still_separates = |input: &Input| is_well_formed(subject, input) && still_separates(input);
    let mut search = Search { best: input, trials: 0, still_separates: &mut still_separates };
    loop {
        let mut improved = false;
        for place in places(&search.best) {
            let ty = place.ty(&search.best, subject);
            improved |= search.simplify(&place, ty);
        }
        improved |= search.shorten_arrays(subject);
        if !improved || search.trials >= MOST_TRIALS {
            search.drop_garbage();
            return search.best;
        }
    }
}

struct Search<'a> {
    best: Input,
    trials: u32,
    still_separates: &'a mut dyn FnMut(&Input) -> bool,
}

impl Search<'_> {
    /// Takes the candidate if it separates the versions too.
    fn accept(&mut self, candidate: Input) -> bool {
        self.trials += 1;
        let accepted = self.trials <= MOST_TRIALS && (self.still_separates)(&candidate);
        if accepted {
            self.best = candidate;
        }
        accepted
    }

    fn simplify(&mut self, place: &Place, ty: Option<&Type>) -> bool {
        simpler_values(place.value(&self.best), ty).into_iter().any(|simpler| {
            let mut candidate = self.best.clone();
            *place.value_mut(&mut candidate) = simpler;
            self.accept(candidate)
        })
    }

    /// Cuts arrays off at the end, by whole elements.
    fn shorten_arrays(&mut self, subject: Subject<'_>) -> bool {
        let mut improved = false;
        for index in 0..self.best.objects.len() {
            let step = element_cells(subject.program, &self.best.objects[index].shape);
            let least = least_elements(subject.program) as i64 * step;
            while let Some(length) = self.best.objects[index].length
                && length >= least + step
            {
                let mut candidate = self.best.clone();
                let object = &mut candidate.objects[index];
                object.length = Some(length - step);
                object.cells.truncate((length - step) as usize);
                if !self.accept(candidate) {
                    break;
                }
                improved = true;
            }
        }
        improved
    }

    /// Drops the objects at the end of the list that nothing refers to any more.
    fn drop_garbage(&mut self) {
        while let Some(last) = self.best.objects.len().checked_sub(1) {
            let used = places(&self.best)
                .iter()
                .filter(|place| !matches!(place, Place::Cell(object, _) if *object == last))
                .any(|place| mentions(place.value(&self.best), last));
            let mut candidate = self.best.clone();
            candidate.objects.pop();
            if used || !(self.still_separates)(&candidate) {
                break;
            }
            self.best = candidate;
        }
    }
}

/// Values that are simpler than the given one, the simplest first. Each is strictly simpler, so that the search ends.
fn simpler_values(value: &Value, ty: Option<&Type>) -> Vec<Value> {
    match value {
        Value::Bool(true) => vec![Value::Bool(false)],
        Value::Int(value) => {
            let fits = |candidate: &i128| matches!(ty, Some(Type::Int(int)) if int.contains(*candidate));
            simpler_ints(*value).into_iter().filter(fits).map(Value::Int).collect()
        }
        Value::F64(bits) => simpler_floats(f64::from_bits(*bits)).into_iter().map(Value::f64).collect(),
        Value::F32(bits) => simpler_floats(f64::from(f32::from_bits(*bits)))
            .into_iter()
            .filter(|value| f64::from(*value as f32) == *value)
            .map(|value| Value::f32(value as f32))
            .collect(),
        Value::Real(_) => simpler_reals(value),
        Value::Text(Some(text)) if !text.is_empty() => {
            vec![Value::Text(Some(Vec::new())), Value::Text(Some(text[..text.len() / 2].to_vec()))]
        }
        Value::Ref(RefValue::Object(_) | RefValue::Static(_)) => vec![Value::Ref(RefValue::Null)],
        Value::Record(fields) => match &fields[..] {
            [Value::Ref(RefValue::Object(_)), Value::Int(0)] => {
                vec![Value::Record(vec![Value::Ref(RefValue::Null), Value::Int(0)])]
            }
            [object @ Value::Ref(_), Value::Int(offset)] if *offset > 0 => [0, 1, offset / 2, offset - 1]
                .into_iter()
                .filter(|simpler| simpler < offset)
                .map(|simpler| Value::Record(vec![object.clone(), Value::Int(simpler)]))
                .collect(),
            // A number that may be null is made simpler as a number first.
            [Value::Bool(true), number] => {
                let number_type = match ty {
                    Some(Type::Record(types)) => types.get(1),
                    _ => None,
                };
                let simpler = simpler_values(number, number_type).into_iter();
                simpler.map(|number| Value::Record(vec![Value::Bool(true), number])).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn simpler_ints(value: i128) -> Vec<i128> {
    let rank = |value: i128| (value.unsigned_abs(), value < 0);
    let mut candidates = vec![
        0,
        1,
        -1,
        2,
        value / 1000,
        value / 16,
        value / 2,
        value - value.signum(),
        value.saturating_neg(),
    ];
    candidates.retain(|candidate| rank(*candidate) < rank(value));
    candidates.dedup();
    candidates
}

fn simpler_floats(value: f64) -> Vec<f64> {
    let rounder = (value * 16.0).round() / 16.0;
    let mut candidates = vec![0.0, 1.0, -1.0, 2.0, value.trunc(), rounder, (value / 2.0).trunc(), -value];
    candidates.retain(|candidate| candidate.is_finite() && float_rank(*candidate) < float_rank(value));
    candidates
}

/// Short decimals come first, then small ones, then positive ones.
fn float_rank(value: f64) -> (bool, usize, u64, bool) {
    let digits = format!("{value:e}").len();
    (!value.is_finite(), digits, value.abs().to_bits(), value.is_sign_negative())
}

fn simpler_reals(value: &Value) -> Vec<Value> {
    let Some(approximate) = near(value) else { return Vec::new() };
    simpler_floats(approximate).into_iter().map(real).collect()
}

fn mentions(value: &Value, object: usize) -> bool {
    match value {
        Value::Ref(RefValue::Object(index)) => *index == object,
        Value::Record(fields) => fields.iter().any(|field| mentions(field, object)),
        _ => false,
    }
}
