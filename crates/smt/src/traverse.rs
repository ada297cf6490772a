//! Walks over terms: what is inside, and replacing it.
//!
//! All are iterative, so depth costs nothing: arguments come before their terms in the arena.

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

impl Terms {
    /// Every term inside the roots, once, arguments first.
    pub fn reachable(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut found: Vec<Term> = Vec::new();
        let mut open: Vec<Term> = roots.to_vec();
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                found.push(term);
                open.extend_from_slice(self.args(term));
            }
        }
        found.sort_unstable();
        found
    }

    /// The number of different terms inside a term, itself included.
    pub fn size(&self, term: Term) -> usize {
        self.reachable(&[term]).len()
    }

    /// The free variables of a term.
    pub fn variables(&self, term: Term) -> BTreeSet<Term> {
        let inside = self.reachable(&[term]);
        inside.into_iter().filter(|&t| matches!(self.op(t), Op::Var(_))).collect()
    }

    /// The applications of uninterpreted functions inside a term.
    pub fn functions(&self, term: Term) -> BTreeSet<Term> {
        let inside = self.reachable(&[term]);
        inside.into_iter().filter(|&t| matches!(self.op(t), Op::Apply(_))).collect()
    }

    /// The name of a variable or of the function that is applied.
    pub fn name(&self, term: Term) -> Option<&str> {
        match self.op(term) {
            Op::Var(name) | Op::Apply(name) => Some(name),
            _ => None,
        }
    }

    /// The term with every key of the map replaced by its value, all at once.
    ///
    /// The largest keys win, and what is put in is not looked into again.
    pub fn substitute(&mut self, term: Term, map: &BTreeMap<Term, Term>) -> Term {
        self.substitute_all(&[term], map)[0]
    }

    /// `substitute` on several terms, sharing the work.
    pub fn substitute_all(&mut self, roots: &[Term], map: &BTreeMap<Term, Term>) -> Vec<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for term in self.reachable(roots) {
            let replaced = match map.get(&term) {
                Some(&replacement) => {
                    assert_eq!(
                        self.sort_of(term),
                        self.sort_of(replacement),
                        "a term should be replaced by one of its sort"
                    );
                    replacement
                }
                None => self.with_args_from(term, &done),
            };
            done.insert(term, replaced);
        }
        roots.iter().map(|root| done[root]).collect()
    }

    fn with_args_from(&mut self, term: Term, done: &FxHashMap<Term, Term>) -> Term {
        let node = self.node(term);
        let args: Vec<Term> = node.args.iter().map(|arg| done[arg]).collect();
        if *args == *node.args {
            return term;
        }
        let (op, sort) = (node.op.clone(), self.sort_of(term).clone());
        self.rebuild(&op, &args, &sort)
    }

    /// The same terms in another arena, which simplifies them or not as it does.
    pub fn copy_into(&self, roots: &[Term], target: &mut Terms) -> Vec<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for term in self.reachable(roots) {
            let args: Vec<Term> = self.args(term).iter().map(|arg| done[arg]).collect();
            let copied = target.rebuild(self.op(term), &args, self.sort_of(term));
            done.insert(term, copied);
        }
        roots.iter().map(|root| done[root]).collect()
    }

    /// Makes the term with this operation through its constructor, so that it is simplified.
    pub fn rebuild(&mut self, op: &Op, args: &[Term], sort: &Sort) -> Term {
        match op {
            Op::Const(value) => self.value(value, sort),
            Op::Var(name) => self.var(name, sort),
            Op::Apply(name) => self.apply(name, args, sort),
            Op::Not => self.not(args[0]),
            Op::And => self.and(args),
            Op::Or => self.or(args),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Bv(op) => {
                let (first, rest) = args.split_first().expect("an operation should have operands");
                rest.iter().fold(*first, |left, right| self.bv_op(*op, left, *right))
            }
            Op::BvNeg => self.bv_neg(args[0]),
            Op::BvNot => self.bv_not(args[0]),
            Op::BvCmp(op) => self.bv_cmp(*op, args[0], args[1]),
            Op::Extract { high, low } => self.extract(*high, *low, args[0]),
            Op::Concat => self.concat(args[0], args[1]),
            Op::SignExtend(to) => self.sign_extend(*to, args[0]),
            Op::ZeroExtend(to) => self.zero_extend(*to, args[0]),
            Op::Add => self.add(args),
            Op::Mul => self.mul(args),
            Op::IntDiv => self.int_div_euclid(args[0], args[1]),
            Op::IntMod => self.int_mod_euclid(args[0], args[1]),
            Op::RealDiv => self.real_div(args[0], args[1]),
            Op::Lt => self.lt(args[0], args[1]),
            Op::Le => self.le(args[0], args[1]),
            Op::IntToReal => self.int_to_real(args[0]),
            Op::RealFloor => self.real_floor(args[0]),
            Op::Float(op) => self.float_op(*op, args),
            Op::FloatCmp(op) => self.float_cmp(*op, args[0], args[1]),
            Op::FloatIsNan => self.float_is_nan(args[0]),
            Op::FloatFromBits(format) => self.float_from_bits(args[0], *format),
            Op::FloatToBits => self.float_to_bits(args[0]),
            Op::FloatConvert(format) => self.float_convert(args[0], *format),
            Op::FloatFromInt { signed, format } => self.float_from_int(args[0], *signed, *format),
            Op::FloatToInt { signed, width } => self.float_to_int(args[0], *width, *signed),
            Op::Select => self.select(args[0], args[1]),
            Op::Store => self.store(args[0], args[1], args[2]),
            Op::ConstArray => self.const_array(sort, args[0]),
            Op::TextConcat => self.text_concat(args),
            Op::TextLength => self.text_length(args[0]),
            Op::TextAt => self.text_at(args[0], args[1]),
        }
    }
}
