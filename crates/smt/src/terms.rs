//! The arena of terms: equal terms are one node, and a node's arguments come before it.
//!
//! Construction order is therefore a topological order, which every traversal here relies on, and
//! two terms are the same exactly when their handles are equal.

use crate::op::Op;
use crate::sort::Sort;
use crate::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// A handle to a term of one arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    /// The position of the term in its arena; arguments have smaller ones.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operation applied to terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    pub op: Op,
    pub args: Box<[Term]>,
    sort: SortId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SortId(u32);

/// All terms of one task. Constructors (in `simplify`) bring terms to a normal form as they build.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    hashes: Vec<u64>,
    /// Open addressing over `nodes`; 0 is a free place, `n` is node `n - 1`.
    table: Vec<u32>,
    sorts: Vec<Sort>,
    sort_ids: FxHashMap<Sort, SortId>,
    pub(crate) simplifying: bool,
    pub(crate) effort: Effort,
    /// Work on numbers of many digits, in products of digits.
    pub(crate) long_arithmetic: u64,
}

/// What was done to make terms, so that it can be charged.
#[derive(Clone, Copy, Debug)]
pub struct TermWork {
    pub terms: u64,
    /// Operations on numbers of many digits, in products of digits.
    pub long_arithmetic: u64,
}

/// Counts the rewrites that recurse, so that one constructor call does a bounded amount of work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effort {
    pub(crate) depth: u32,
    pub(crate) left: u32,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// An empty arena whose constructors simplify.
    pub fn new() -> Terms {
        Terms {
            nodes: Vec::new(),
            hashes: Vec::new(),
            table: vec![0; 1024],
            sorts: Vec::new(),
            sort_ids: FxHashMap::default(),
            simplifying: true,
            long_arithmetic: 0,
            effort: Effort::default(),
        }
    }

    /// An empty arena that keeps terms as they were asked for: what the simplifier is judged by.
    pub fn without_simplification() -> Terms {
        Terms { simplifying: false, ..Terms::new() }
    }

    /// The operation and arguments of a term.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }

    /// The operation of a term.
    pub fn op(&self, term: Term) -> &Op {
        &self.node(term).op
    }

    /// The arguments of a term.
    pub fn args(&self, term: Term) -> &[Term] {
        &self.node(term).args
    }

    /// The sort of a term.
    pub fn sort_of(&self, term: Term) -> &Sort {
        &self.sorts[self.node(term).sort.0 as usize]
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The work that was done here so far.
    pub fn work(&self) -> TermWork {
        TermWork { terms: self.nodes.len() as u64, long_arithmetic: self.long_arithmetic }
    }

    /// Whether no term was made yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The value of a literal.
    pub fn as_const(&self, term: Term) -> Option<&Value> {
        match self.op(term) {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The truth value of a boolean literal.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        self.as_const(term).and_then(Value::as_bool)
    }

    /// The bits of a bit-vector literal.
    pub fn as_bits(&self, term: Term) -> Option<u128> {
        self.as_const(term).and_then(Value::as_unsigned)
    }

    /// The number of an integer literal.
    pub fn as_int(&self, term: Term) -> Option<&BigInt> {
        match self.as_const(term) {
            Some(Value::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// The number of a real literal.
    pub fn as_real(&self, term: Term) -> Option<&BigRational> {
        match self.as_const(term) {
            Some(Value::Real(value)) => Some(value),
            _ => None,
        }
    }

    /// The width of a bit-vector term.
    ///
    /// Panics when the term has another sort.
    pub fn width_of(&self, term: Term) -> u32 {
        let sort = self.sort_of(term);
        sort.width().unwrap_or_else(|| panic!("a bit-vector was expected, not a {sort}"))
    }

    /// The literal of a value of the sort.
    ///
    /// Arrays become stores into a constant array; a value known by number only is refused.
    pub fn value(&mut self, value: &Value, sort: &Sort) -> Term {
        assert!(value.has_sort(sort), "{value} should be a value of sort {sort}");
        if let (Value::Array { default, entries }, Sort::Array(index_sort, element_sort)) = (value, sort) {
            let default = self.value(default, element_sort);
            let mut array = self.const_array(sort, default);
            for (index, element) in entries {
                let (index, element) = (self.value(index, index_sort), self.value(element, element_sort));
                array = self.store(array, index, element);
            }
            return array;
        }
        assert!(!matches!(value, Value::Opaque(_)), "elements of uninterpreted sorts have no literals");
        self.intern(Op::Const(value.clone()), &[], sort)
    }

    /// The term with exactly this operation and these arguments, made if it is new.
    pub(crate) fn intern(&mut self, op: Op, args: &[Term], sort: &Sort) -> Term {
        let sort = self.sort_id(sort);
        let hash = FxBuildHasher.hash_one((&op, args, sort));
        let mut place = self.first_place(hash);
        while let Some(found) = self.table[place].checked_sub(1) {
            let node = &self.nodes[found as usize];
            if self.hashes[found as usize] == hash
                && node.sort == sort
                && *node.args == *args
                && node.op == op
            {
                return Term(found);
            }
            place = (place + 1) % self.table.len();
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("an arena should stay below 2^32 terms"));
        debug_assert!(args.iter().all(|arg| *arg < term), "arguments should come from this arena");
        self.nodes.push(Node { op, args: args.into(), sort });
        self.hashes.push(hash);
        self.table[place] = term.0 + 1;
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
        term
    }

    fn first_place(&self, hash: u64) -> usize {
        // The high bits of this hash are the well-mixed ones.
        (hash >> 20) as usize % self.table.len()
    }

    fn grow(&mut self) {
        self.table = vec![0; self.table.len() * 4];
        for number in 0..self.nodes.len() {
            let mut place = self.first_place(self.hashes[number]);
            while self.table[place] != 0 {
                place = (place + 1) % self.table.len();
            }
            self.table[place] = number as u32 + 1;
        }
    }

    fn sort_id(&mut self, sort: &Sort) -> SortId {
        if let Some(&id) = self.sort_ids.get(sort) {
            return id;
        }
        let id = SortId(self.sorts.len() as u32);
        self.sorts.push(sort.clone());
        self.sort_ids.insert(sort.clone(), id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_have_equal_handles() {
        let mut terms = Terms::new();
        let x = terms.var("x", &Sort::Int);
        let y = terms.var("y", &Sort::Int);
        assert_eq!(terms.lt(x, y), terms.lt(x, y));
        assert_ne!(terms.lt(x, y), terms.lt(y, x));
    }

    #[test]
    fn a_name_with_two_sorts_is_two_variables() {
        let mut terms = Terms::new();
        assert_ne!(terms.var("x", &Sort::Int), terms.var("x", &Sort::Real));
    }

    #[test]
    fn many_terms_are_found_again() {
        let mut terms = Terms::new();
        let made: Vec<Term> = (0..5000).map(|n| terms.bv(n, 64)).collect();
        let again: Vec<Term> = (0..5000).map(|n| terms.bv(n, 64)).collect();
        assert_eq!(made, again);
        assert_eq!(terms.len(), 5000);
    }
}
