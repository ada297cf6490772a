//! Random terms of every theory, from a list of bytes that shrinks well.

use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::{Strategy, any};
use smt::{
    Assignment, BvCmp, BvOp, FloatCmp, FloatFormat, FloatOp, FunctionTable, RoundingMode, Sort, Term, Terms,
    Value,
};
use std::collections::BTreeMap;

/// One step makes one term from earlier ones.
pub(crate) type Step = (u8, u8, u8, u8);

/// Some number of steps.
pub(crate) fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(any::<Step>(), 1..most)
}

/// Values for all variables, by their positions in the lists of interesting values.
pub(crate) fn choices() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), VARIABLES * SORTS)
}

const VARIABLES: usize = 3;
const SORTS: usize = 9;

const F32: Sort = Sort::Float(FloatFormat::F32);
const F64: Sort = Sort::Float(FloatFormat::F64);

fn sorts() -> [Sort; SORTS] {
    [
        Sort::Bool,
        Sort::Int,
        Sort::Real,
        Sort::BitVec(4),
        Sort::BitVec(8),
        F32,
        F64,
        Sort::array(Sort::BitVec(4), Sort::BitVec(8)),
        Sort::Text,
    ]
}

/// The terms made so far, by sort.
pub(crate) struct Pool {
    by_sort: BTreeMap<Sort, Vec<Term>>,
    pub(crate) made: Vec<Term>,
}

impl Pool {
    /// Makes the terms of all steps.
    pub(crate) fn build(terms: &mut Terms, steps: &[Step]) -> Pool {
        let mut pool = Pool { by_sort: BTreeMap::new(), made: Vec::new() };
        for (place, sort) in sorts().into_iter().enumerate() {
            for number in 0..VARIABLES {
                let term = terms.var(&name(place, number), &sort);
                pool.by_sort.entry(sort.clone()).or_default().push(term);
            }
            for value in interesting(&sort) {
                let term = terms.value(&value, &sort);
                pool.by_sort.entry(sort.clone()).or_default().push(term);
            }
        }
        for step in steps {
            let term = pool.step(terms, *step);
            let sort = terms.sort_of(term).clone();
            pool.by_sort.entry(sort).or_default().push(term);
            pool.made.push(term);
        }
        pool
    }

    /// A term of the sort; later ones and variables are likelier than literals.
    fn pick(&self, sort: &Sort, choice: u8) -> Term {
        let all = &self.by_sort[sort];
        let choice = usize::from(choice);
        if choice < 128 { all[all.len() - 1 - choice % all.len().min(6)] } else { all[choice % all.len()] }
    }

    fn step(&self, terms: &mut Terms, (op, a, b, c): Step) -> Term {
        match op % 8 {
            0 => self.boolean(terms, op / 8, a, b, c),
            1 => self.number(terms, op / 8, a, b, c),
            2 | 3 => self.bits(terms, op / 8, a, b, c),
            4 => self.float(terms, op / 8, a, b, c),
            5 => self.array_or_text(terms, op / 8, a, b, c),
            6 => self.comparison(terms, op / 8, a, b),
            _ => {
                let sort = &sorts()[usize::from(op / 8) % SORTS];
                let (x, y) = (self.pick(sort, a), self.pick(sort, b));
                let condition = self.pick(&Sort::Bool, c);
                terms.ite(condition, x, y)
            }
        }
    }

    fn boolean(&self, terms: &mut Terms, op: u8, a: u8, b: u8, c: u8) -> Term {
        let (x, y, z) = (self.pick(&Sort::Bool, a), self.pick(&Sort::Bool, b), self.pick(&Sort::Bool, c));
        match op % 6 {
            0 => terms.not(x),
            1 => terms.and(&[x, y, z]),
            2 => terms.or(&[x, y, z]),
            3 => terms.eq(x, y),
            4 => terms.implies(x, y),
            _ => terms.and(&[x, y]),
        }
    }

    fn number(&self, terms: &mut Terms, op: u8, a: u8, b: u8, c: u8) -> Term {
        let sort = if c.is_multiple_of(2) { Sort::Int } else { Sort::Real };
        let (x, y) = (self.pick(&sort, a), self.pick(&sort, b));
        match op % 10 {
            0 | 1 => terms.add(&[x, y]),
            2 => terms.sub(x, y),
            3 | 4 => terms.mul(&[x, y]),
            5 if sort == Sort::Int => terms.int_div_euclid(x, y),
            6 if sort == Sort::Int => terms.int_mod_euclid(x, y),
            7 if sort == Sort::Int => terms.int_div_trunc(x, y),
            8 if sort == Sort::Int => terms.int_rem_trunc(x, y),
            9 if sort == Sort::Int => terms.int_to_real(x),
            5 | 6 => terms.real_div(x, y),
            7 => terms.real_trunc_to_int(x),
            8 => terms.real_floor(x),
            _ => terms.neg(x),
        }
    }

    fn bits(&self, terms: &mut Terms, op: u8, a: u8, b: u8, c: u8) -> Term {
        let ops = [
            BvOp::Add,
            BvOp::Sub,
            BvOp::Mul,
            BvOp::Sdiv,
            BvOp::Udiv,
            BvOp::Srem,
            BvOp::Urem,
            BvOp::And,
            BvOp::Or,
            BvOp::Xor,
            BvOp::Shl,
            BvOp::Lshr,
            BvOp::Ashr,
        ];
        let sort = if c.is_multiple_of(2) { Sort::BitVec(4) } else { Sort::BitVec(8) };
        let (x, y) = (self.pick(&sort, a), self.pick(&sort, b));
        let (nibble, byte) = (self.pick(&Sort::BitVec(4), a), self.pick(&Sort::BitVec(8), a));
        match op % 20 {
            13 => terms.bv_neg(x),
            14 => terms.bv_not(x),
            15 => terms.extract(u32::from(c % 5) + 3, u32::from(c % 5), byte),
            16 => terms.sign_extend(8, nibble),
            17 => terms.zero_extend(8, nibble),
            18 => {
                let low = self.pick(&Sort::BitVec(4), b);
                terms.concat(nibble, low)
            }
            19 => terms.apply(&format!("f{}", sort.width().unwrap_or(0)), &[x, y], &sort),
            op => terms.bv_op(ops[usize::from(op)], x, y),
        }
    }

    fn float(&self, terms: &mut Terms, op: u8, a: u8, b: u8, c: u8) -> Term {
        let format = if c.is_multiple_of(2) { FloatFormat::F32 } else { FloatFormat::F64 };
        let sort = Sort::Float(format);
        let (x, y) = (self.pick(&sort, a), self.pick(&sort, b));
        let modes = [
            RoundingMode::TowardNegative,
            RoundingMode::TowardPositive,
            RoundingMode::TowardZero,
            RoundingMode::NearestEven,
        ];
        let unary = |op| (op, vec![x]);
        let binary = |op| (op, vec![x, y]);
        let (op, args) = match op % 16 {
            0 | 1 => binary(FloatOp::Add),
            2 => binary(FloatOp::Sub),
            3 => binary(FloatOp::Mul),
            4 => binary(FloatOp::Div),
            5 => binary(FloatOp::Rem),
            6 => unary(FloatOp::Sqrt),
            7 | 8 => unary(FloatOp::Neg),
            9 => unary(FloatOp::Abs),
            10 => unary(FloatOp::RoundToIntegral(modes[usize::from(b % 4)])),
            11 => {
                return terms
                    .float_convert(x, if b.is_multiple_of(2) { FloatFormat::F32 } else { FloatFormat::F64 });
            }
            12 => return terms.float_from_int(self.pick(&Sort::BitVec(8), a), b.is_multiple_of(2), format),
            13 => return terms.float_to_int(x, 8, b.is_multiple_of(2)),
            14 => return terms.float_is_nan(x),
            _ => {
                let bits = terms.float_to_bits(x);
                return terms.float_from_bits(bits, format);
            }
        };
        terms.float_op(op, &args)
    }

    fn array_or_text(&self, terms: &mut Terms, op: u8, a: u8, b: u8, c: u8) -> Term {
        let sort = Sort::array(Sort::BitVec(4), Sort::BitVec(8));
        let array = self.pick(&sort, a);
        let (index, element) = (self.pick(&Sort::BitVec(4), b), self.pick(&Sort::BitVec(8), c));
        let (s, t) = (self.pick(&Sort::Text, a), self.pick(&Sort::Text, b));
        match op % 8 {
            0 | 1 => terms.select(array, index),
            2 | 3 => terms.store(array, index, element),
            4 => terms.const_array(&sort, element),
            5 => terms.text_concat(&[s, t]),
            6 => {
                let length = terms.text_length(s);
                terms.extract(7, 0, length)
            }
            _ => {
                let index = terms.bv(u64::from(b % 3), 32);
                let unit = terms.text_at(s, index);
                terms.extract(7, 0, unit)
            }
        }
    }

    fn comparison(&self, terms: &mut Terms, op: u8, a: u8, b: u8) -> Term {
        let sort = &sorts()[usize::from(a) % SORTS];
        let (x, y) = (self.pick(sort, a / 2), self.pick(sort, b));
        match (sort, op % 4) {
            (Sort::Int | Sort::Real, 1) => terms.lt(x, y),
            (Sort::Int | Sort::Real, 2) => terms.le(x, y),
            (Sort::BitVec(_), 1) => terms.bv_cmp(BvCmp::Slt, x, y),
            (Sort::BitVec(_), 2) => terms.bv_cmp(BvCmp::Ule, x, y),
            (Sort::BitVec(_), 3) => terms.bv_cmp(BvCmp::Ult, x, y),
            (Sort::Float(_), 1) => terms.float_cmp(FloatCmp::Eq, x, y),
            (Sort::Float(_), 2) => terms.float_cmp(FloatCmp::Lt, x, y),
            (Sort::Float(_), 3) => terms.float_cmp(FloatCmp::Le, x, y),
            _ => terms.eq(x, y),
        }
    }
}

/// Values that rules are likely to get wrong.
fn interesting(sort: &Sort) -> Vec<Value> {
    let ints = [0, 1, -1, 2, -2, 3, 7, -7];
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int => ints.iter().map(|&n| Value::Int(BigInt::from(n))).collect(),
        Sort::Real => {
            let real = |n, d| Value::Real(BigRational::new(BigInt::from(n), BigInt::from(d)));
            vec![real(0, 1), real(1, 1), real(-1, 1), real(1, 2), real(-7, 3), real(4, 1), real(5, 2)]
        }
        Sort::BitVec(width) => {
            let half = 1 << (width - 1);
            [0, 1, 2, 3, half - 1, half, half + 1, u128::MAX, u128::MAX - 1, 0xf, 5]
                .iter()
                .map(|&bits| Value::bit_vec(bits, *width))
                .collect()
        }
        Sort::Float(format) => {
            let numbers = [
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                2.0,
                3.0,
                0.1,
                -2.5,
                1e-45,
                1e300,
                3.4e38,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
                1e-310,
                4294967295.0,
                -128.0,
                255.0,
                127.5,
            ];
            let of = |&number: &f64| match format {
                FloatFormat::F32 => Value::f32(number as f32),
                FloatFormat::F64 => Value::f64(number),
            };
            numbers.iter().map(of).collect()
        }
        Sort::Array(..) => {
            let byte = |n| Value::bit_vec(n, 8);
            let entry = |i, n| (Value::bit_vec(i, 4), byte(n));
            vec![Value::array(byte(0), []), Value::array(byte(1), [entry(0, 5), entry(3, 7)])]
        }
        Sort::Text => {
            let text = |s: &str| Value::text(&s.encode_utf16().collect::<Vec<_>>());
            vec![text(""), text("a"), text("ab"), text("b"), Value::Text(None)]
        }
        Sort::Uninterpreted(_) => vec![Value::Opaque(0), Value::Opaque(1)],
    }
}

/// The assignment that the choices stand for.
pub(crate) fn assignment(choices: &[u8]) -> Assignment {
    let mut assignment = Assignment::default();
    for (place, sort) in sorts().into_iter().enumerate() {
        let values = interesting(&sort);
        for number in 0..VARIABLES {
            let choice = usize::from(choices[place * VARIABLES + number]);
            assignment.variables.insert(name(place, number), values[choice % values.len()].clone());
        }
    }
    for width in [4, 8] {
        let entry = |a, b, result| {
            let of = |bits| Value::bit_vec(bits, width);
            (vec![of(a), of(b)], of(result))
        };
        let entries = BTreeMap::from([entry(0, 0, 1), entry(0, 1, 2), entry(1, 0, 3), entry(1, 1, 0)]);
        let table = FunctionTable { entries, default: Some(Value::bit_vec(5, width)) };
        assignment.functions.insert(format!("f{width}"), table);
    }
    assignment
}

fn name(place: usize, number: usize) -> String {
    format!("v{place}_{number}")
}
