//! Horn clauses over bit-vectors read as clauses over integers, and what is found read as bit-vectors again.
//!
//! ```text
//! (bvslt i n)  =>  P(bvadd i 1, n)          i < n  =>  P(i + 1, n)
//! ```
//!
//! A guess in both directions: integers do not wrap around, bits are not looked at, and all numbers are signed. The
//! Horn engine finds invariants of integers where it finds none of bit-vectors, and most of them hold of both;
//! whether they do must be asked.

use super::{Application, Clause, Definition, HornQuery};
use crate::op::{BvCmp, BvOp, Op};
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use rustc_hash::FxHashMap;

impl HornQuery {
    /// Whether predicates speak of bit-vectors.
    pub fn has_bits(&self) -> bool {
        self.predicates.iter().flatten().any(has_bits)
    }

    /// The same clauses, as if the numbers were integers.
    pub fn over_integers(&self, terms: &mut Terms) -> HornQuery {
        let roots: Vec<Term> = self.clauses.iter().flat_map(Clause::roots).collect();
        let mut read: FxHashMap<Term, Term> = FxHashMap::default();
        for term in terms.reachable(&roots) {
            let integer = as_integer(terms, term, &read);
            read.insert(term, integer);
        }
        let application = |it: &Application| Application {
            predicate: it.predicate,
            args: it.args.iter().map(|arg| read[arg]).collect(),
        };
        let clause = |it: &Clause| Clause {
            uses: it.uses.iter().map(application).collect(),
            conditions: it.conditions.iter().map(|condition| read[condition]).collect(),
            head: it.head.as_ref().map(application),
        };
        let predicates = self.predicates.iter().map(|sorts| sorts.iter().map(integer_sort).collect());
        HornQuery { predicates: predicates.collect(), clauses: self.clauses.iter().map(clause).collect() }
    }
}

impl Definition {
    /// The definition with parameters of these sorts; `None` if it says something that bit-vectors cannot.
    pub fn over_bits(&self, terms: &mut Terms, sorts: &[Sort]) -> Option<Definition> {
        let width = sorts.iter().filter_map(widest).max().unwrap_or(32);
        let mut read: FxHashMap<Term, Term> = FxHashMap::default();
        let mut parameters = Vec::new();
        for (place, (parameter, sort)) in self.parameters.iter().zip(sorts).enumerate() {
            let variable = terms.var(&format!("bits of parameter {place}"), sort);
            parameters.push(variable);
            let wide = extended(terms, variable, width);
            read.insert(*parameter, wide);
        }
        for term in terms.reachable(&[self.condition]) {
            if !read.contains_key(&term) {
                let bits = as_bits(terms, term, &read, width)?;
                read.insert(term, bits);
            }
        }
        Some(Definition { parameters, condition: read[&self.condition] })
    }
}

fn has_bits(sort: &Sort) -> bool {
    widest(sort).is_some()
}

/// The width of the widest bit-vectors in a sort.
fn widest(sort: &Sort) -> Option<u32> {
    match sort {
        Sort::BitVec(width) => Some(*width),
        Sort::Array(index, element) => widest(index).max(widest(element)),
        _ => None,
    }
}

fn integer_sort(sort: &Sort) -> Sort {
    match sort {
        Sort::BitVec(_) => Sort::Int,
        Sort::Array(index, element) => Sort::array(integer_sort(index), integer_sort(element)),
        other => other.clone(),
    }
}

/// A term over integers, its arguments being there already.
fn as_integer(terms: &mut Terms, term: Term, read: &FxHashMap<Term, Term>) -> Term {
    let node = terms.node(term).clone();
    let sort = integer_sort(terms.sort_of(term));
    let args: Vec<Term> = node.args.iter().map(|arg| read[arg]).collect();
    let amount = node.args.last().and_then(|arg| terms.as_bits(*arg));
    match &node.op {
        Op::Const(value @ Value::BitVec { .. }) => {
            let number = value.as_signed().expect("a bit-vector should have a value");
            terms.int(number)
        }
        Op::Var(name) => terms.var(name, &sort),
        Op::Bv(BvOp::Add) => terms.add(&args),
        Op::Bv(BvOp::Mul) => terms.mul(&args),
        Op::Bv(BvOp::Sub) => terms.sub(args[0], args[1]),
        Op::BvNeg => terms.neg(args[0]),
        Op::BvNot => {
            let (minus, minus_one) = (terms.neg(args[0]), terms.int(-1));
            terms.add(&[minus, minus_one])
        }
        Op::Bv(BvOp::Shl) if amount.is_some_and(|it| it < 128) => {
            let power = power_of_two(terms, amount);
            terms.mul(&[args[0], power])
        }
        Op::Bv(BvOp::Ashr | BvOp::Lshr) if amount.is_some_and(|it| it < 128) => {
            let power = power_of_two(terms, amount);
            terms.int_div_euclid(args[0], power)
        }
        Op::Bv(BvOp::Udiv) => terms.int_div_euclid(args[0], args[1]),
        Op::Bv(BvOp::Urem) => terms.int_mod_euclid(args[0], args[1]),
        Op::BvCmp(BvCmp::Slt | BvCmp::Ult) => terms.lt(args[0], args[1]),
        Op::BvCmp(BvCmp::Sle | BvCmp::Ule) => terms.le(args[0], args[1]),
        Op::SignExtend(_) | Op::ZeroExtend(_) | Op::Extract { low: 0, .. } => args[0],
        Op::Not | Op::And | Op::Or | Op::Ite | Op::Eq | Op::Select | Op::Store | Op::ConstArray
            if HornQuery::can_speak_of(&sort)
                && node.args.iter().all(|arg| HornQuery::can_speak_of(terms.sort_of(*arg))) =>
        {
            terms.rebuild(&node.op, &args, &sort)
        }
        Op::Add | Op::Mul | Op::IntDiv | Op::IntMod | Op::RealDiv | Op::Lt | Op::Le => {
            terms.rebuild(&node.op, &args, &sort)
        }
        Op::IntToReal | Op::RealFloor | Op::Const(_) => terms.rebuild(&node.op, &args, &sort),
        _ => terms.var(&format!("any value {}", term.index()), &sort),
    }
}

fn power_of_two(terms: &mut Terms, amount: Option<u128>) -> Term {
    let amount = amount.and_then(|it| it.to_u32()).unwrap_or(0);
    terms.int(BigInt::one() << amount)
}

/// A term over bit-vectors of one width, its arguments being there already.
fn as_bits(terms: &mut Terms, term: Term, read: &FxHashMap<Term, Term>, width: u32) -> Option<Term> {
    let node = terms.node(term).clone();
    let args: Vec<Term> = node.args.iter().map(|arg| read[arg]).collect();
    match &node.op {
        Op::Const(Value::Int(value)) => Some(terms.bv_signed(signed(value, width)?, width)),
        Op::Const(Value::Bool(value)) => Some(terms.bool(*value)),
        Op::Not | Op::And | Op::Or => Some(terms.rebuild(&node.op, &args, &Sort::Bool)),
        Op::Ite if terms.sort_of(args[1]) == terms.sort_of(args[2]) => {
            Some(terms.ite(args[0], args[1], args[2]))
        }
        Op::Eq if terms.sort_of(args[0]) == terms.sort_of(args[1]) => Some(terms.eq(args[0], args[1])),
        Op::Add => Some(fold(terms, BvOp::Add, &args)),
        Op::Mul => Some(fold(terms, BvOp::Mul, &args)),
        Op::Lt | Op::Le => {
            let op = if node.op == Op::Lt { BvCmp::Slt } else { BvCmp::Sle };
            let is_simple = |arg: &Term| matches!(terms.op(*arg), Op::Var(_) | Op::Const(_));
            if node.args.iter().all(is_simple) {
                return Some(terms.bv_cmp(op, args[0], args[1]));
            }
            // Integers have been brought to either side as it pleased the simplifier. Bit-vectors that wrap around
            // may well do so on both, so that their difference is what can be relied on.
            let (difference, zero) = (terms.bv_op(BvOp::Sub, args[0], args[1]), terms.bv(0, width));
            Some(terms.bv_cmp(op, difference, zero))
        }
        Op::IntMod => {
            // The remainder by a power of two is what the low bits are.
            let divisor = terms.as_int(node.args[1])?.to_u128()?;
            if !divisor.is_power_of_two() {
                return None;
            }
            let mask = terms.bv_signed(i128::try_from(divisor - 1).ok()?, width);
            Some(terms.bv_op(BvOp::And, args[0], mask))
        }
        Op::Select => {
            let Sort::Array(index, _) = terms.sort_of(args[0]).clone() else { return None };
            let at = resized(terms, args[1], &index)?;
            let cell = terms.select(args[0], at);
            Some(extended(terms, cell, width))
        }
        Op::Store => {
            let Sort::Array(index, element) = terms.sort_of(args[0]).clone() else { return None };
            let (at, value) = (resized(terms, args[1], &index)?, resized(terms, args[2], &element)?);
            Some(terms.store(args[0], at, value))
        }
        _ => None,
    }
}

/// A number as a bit-vector of this width, if it fits.
fn signed(value: &BigInt, width: u32) -> Option<i128> {
    let value = value.to_i128()?;
    let unused = 128 - width;
    ((value << unused) >> unused == value).then_some(value)
}

fn fold(terms: &mut Terms, op: BvOp, args: &[Term]) -> Term {
    let (first, rest) = args.split_first().expect("an operation should have operands");
    rest.iter().fold(*first, |left, right| terms.bv_op(op, left, *right))
}

/// A bit-vector made as wide as all are; other terms stay what they are.
fn extended(terms: &mut Terms, term: Term, width: u32) -> Term {
    match terms.sort_of(term).width() {
        Some(narrow) if narrow < width => terms.sign_extend(width, term),
        _ => term,
    }
}

/// A term of this sort: the low bits of a bit-vector, others if they have it already.
fn resized(terms: &mut Terms, term: Term, sort: &Sort) -> Option<Term> {
    match (terms.sort_of(term).width(), sort) {
        (Some(width), Sort::BitVec(wanted)) if *wanted < width => Some(terms.extract(wanted - 1, 0, term)),
        _ => (terms.sort_of(term) == sort).then_some(term),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a condition on two integers says of bit-vectors of these sorts.
    fn over_bits(condition: fn(&mut Terms, Term, Term) -> Term, sorts: [Sort; 2]) -> Option<String> {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", &Sort::Int), terms.var("y", &Sort::Int));
        let condition = condition(&mut terms, x, y);
        let definition = Definition { parameters: vec![x, y], condition };
        let found = definition.over_bits(&mut terms, &sorts)?;
        let args = [terms.var("a", &sorts[0]), terms.var("b", &sorts[1])];
        let condition = found.at(&mut terms, &args);
        Some(terms.print(condition))
    }

    #[test]
    fn numbers_of_different_widths_are_compared_with_their_signs() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", &Sort::Int), terms.var("y", &Sort::Int));
        let definition = Definition { parameters: vec![x, y], condition: terms.lt(x, y) };
        let found = definition.over_bits(&mut terms, &[Sort::BitVec(32), Sort::BitVec(64)]);
        let found = found.expect("bit-vectors should be comparable");
        let (minus_one, zero) = (terms.bv_signed(-1, 32), terms.bv(0, 64));
        let holds = found.at(&mut terms, &[minus_one, zero]);
        assert_eq!(terms.as_bool(holds), Some(true));
    }

    #[test]
    fn sums_that_are_compared_are_compared_by_their_difference() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, &Sort::Int));
        let (left, three) = (terms.add(&[x, z]), terms.int(3));
        let right = terms.add(&[y, three]);
        let definition = Definition { parameters: vec![x, y, z], condition: terms.le(left, right) };
        let sorts = [Sort::BitVec(32), Sort::BitVec(32), Sort::BitVec(32)];
        let found = definition.over_bits(&mut terms, &sorts).expect("sums should be comparable");
        // The largest number and three wrap around on both sides.
        let (largest, three) = (terms.bv(0x7fff_ffff, 32), terms.bv(3, 32));
        let holds = found.at(&mut terms, &[largest, largest, three]);
        assert_eq!(terms.as_bool(holds), Some(true));
    }

    #[test]
    fn what_does_not_fit_into_the_bits_is_not_said() {
        let large = |terms: &mut Terms, x: Term, _| {
            let limit = terms.int(BigInt::one() << 40);
            terms.lt(x, limit)
        };
        assert_eq!(over_bits(large, [Sort::BitVec(32), Sort::BitVec(32)]), None);
        let third = |terms: &mut Terms, x: Term, y: Term| {
            let three = terms.int(3);
            let rest = terms.int_mod_euclid(x, three);
            terms.eq(rest, y)
        };
        assert_eq!(over_bits(third, [Sort::BitVec(32), Sort::BitVec(32)]), None);
    }

    #[test]
    fn clauses_over_bits_are_read_as_clauses_over_integers() {
        let mut terms = Terms::new();
        let x = terms.var("x", &Sort::BitVec(32));
        let minus_one = terms.bv_signed(-1, 32);
        let next = terms.bv_op(BvOp::Add, x, minus_one);
        let less = terms.bv_cmp(BvCmp::Slt, next, x);
        let used = Application { predicate: 0, args: vec![x] };
        let head = Application { predicate: 0, args: vec![next] };
        let query = HornQuery {
            predicates: vec![vec![Sort::BitVec(32)]],
            clauses: vec![Clause { uses: vec![used], conditions: vec![less], head: Some(head) }],
        };
        assert!(query.has_bits());
        let integers = query.over_integers(&mut terms);
        assert!(!integers.has_bits());
        let x = terms.var("x", &Sort::Int);
        let minus_one = terms.int(-1);
        assert_eq!(integers.clauses[0].uses[0].args, [x]);
        let head = integers.clauses[0].head.as_ref().map(|head| head.args.clone());
        assert_eq!(head, Some(vec![terms.add(&[x, minus_one])]));
        assert_eq!(terms.as_bool(integers.clauses[0].conditions[0]), Some(true));
    }
}
