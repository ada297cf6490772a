//! Numbers and texts that are worth trying: small ones, boundaries, and the constants of both versions with their
//! neighbours.

use std::collections::BTreeSet;

use ir::IntType;

use ir::Subject;

/// The values that inputs are drawn from, in a fixed order.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Small integers, then constants of the code and their neighbours.
    pub ints: Vec<i128>,
    /// Only what the code mentions and its neighbours; empty for code without integer constants.
    pub int_constants: Vec<i128>,
    pub floats: Vec<f64>,
    pub float_constants: Vec<f64>,
    pub texts: Vec<Vec<u16>>,
}

const SMALL_INTS: [i128; 12] = [0, 1, -1, 2, 3, -2, 5, 10, 4, 7, -5, 100];
const SMALL_FLOATS: [f64; 12] = [0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -2.0, 10.0, 1.5, -0.5, 0.1, 100.0];

impl Pool {
    pub fn of(pair: ir::Pair<Subject<'_>>) -> Pool {
        let mut ints = BTreeSet::new();
        let mut floats = BTreeSet::new();
        let mut texts = BTreeSet::new();
        for subject in [pair.old, pair.new] {
            let constants = ir::constants(subject.program, subject.procedure);
            ints.extend(constants.integers);
            floats.extend(constants.floats.iter().map(|value| value.to_bits()));
            texts.extend(constants.texts);
        }
        let int_constants = neighbours_of_ints(&ints, &floats);
        let float_constants = neighbours_of_floats(&ints, &floats);
        Pool {
            ints: without_repeats(SMALL_INTS.into_iter().chain(int_constants.iter().copied())),
            floats: without_repeats_of_bits(SMALL_FLOATS.into_iter().chain(float_constants.iter().copied())),
            int_constants,
            float_constants,
            texts: texts_worth_trying(texts),
        }
    }

    /// The values where a type begins and ends, with the neighbours inside it.
    pub fn boundaries(ty: IntType) -> [i128; 4] {
        [ty.min(), ty.max(), ty.min() + 1, ty.max() - 1]
    }

    /// Floats at which the arithmetic changes its character.
    pub fn special_floats() -> [f64; 12] {
        let tiny = f64::from_bits(1);
        [
            -0.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            tiny,
            -tiny,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            f64::EPSILON,
            9_007_199_254_740_993.0,
            2_147_483_648.0,
        ]
    }
}

fn neighbours_of_ints(ints: &BTreeSet<i128>, floats: &BTreeSet<u64>) -> Vec<i128> {
    let whole = floats.iter().map(|bits| f64::from_bits(*bits)).filter(|value| value.abs() < 1e15);
    let all: BTreeSet<i128> = ints.iter().copied().chain(whole.map(|value| value as i128)).collect();
    let mut result = Vec::new();
    for value in all {
        result.extend([value, value - 1, value + 1, -value]);
    }
    without_repeats(result.into_iter())
}

fn neighbours_of_floats(ints: &BTreeSet<i128>, floats: &BTreeSet<u64>) -> Vec<f64> {
    let mut result = Vec::new();
    for value in floats.iter().map(|bits| f64::from_bits(*bits)).chain(ints.iter().map(|int| *int as f64)) {
        result.extend([
            value,
            -value,
            value - 1.0,
            value + 1.0,
            value.next_up(),
            value.next_down(),
            value / 2.0,
        ]);
    }
    without_repeats_of_bits(result.into_iter())
}

fn texts_worth_trying(constants: BTreeSet<Vec<u16>>) -> Vec<Vec<u16>> {
    let fixed = ["", "a", "ab", "0", "42", "-1", "hello", "A b"].map(|text| text.encode_utf16().collect());
    let mut result: Vec<Vec<u16>> = fixed.into();
    for text in constants {
        if !result.contains(&text) {
            result.push(text);
        }
    }
    result
}

fn without_repeats(values: impl Iterator<Item = i128>) -> Vec<i128> {
    let mut seen = BTreeSet::new();
    values.filter(|value| seen.insert(*value)).collect()
}

fn without_repeats_of_bits(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut seen = BTreeSet::new();
    values.filter(|value| !value.is_nan() && seen.insert(value.to_bits())).collect()
}
