//! Decides which subterms get a name of their own, so that text stays linear in the term's size.

use crate::op::Op;
use crate::terms::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Terms nested deeper than this are cut by a name, so that no reader or writer runs out of stack.
const DEEPEST: u32 = 48;

/// The subterms to name, arguments first: those used more than once, and one in every `DEEPEST`
/// levels. Terms for which `is_known` says so have a name already and are not looked into.
pub(super) fn to_name(terms: &Terms, roots: &[Term], is_known: impl Fn(Term) -> bool) -> Vec<Term> {
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    let mut order: Vec<Term> = Vec::new();
    let mut open: Vec<Term> = Vec::new();
    let visit = |term: Term, open: &mut Vec<Term>, uses: &mut FxHashMap<Term, u32>| {
        let count = uses.entry(term).or_insert(0);
        *count += 1;
        if *count == 1 {
            open.push(term);
        }
    };
    for &root in roots {
        visit(root, &mut open, &mut uses);
    }
    while let Some(term) = open.pop() {
        if is_known(term) || is_leaf(terms, term) {
            continue;
        }
        order.push(term);
        for &arg in terms.args(term) {
            visit(arg, &mut open, &mut uses);
        }
    }
    order.sort_unstable();
    let mut height: FxHashMap<Term, u32> = FxHashMap::default();
    let mut named: Vec<Term> = Vec::new();
    let mut is_named: FxHashSet<Term> = FxHashSet::default();
    for term in order {
        let below = terms.args(term).iter().filter(|arg| !is_named.contains(arg));
        let tallest = below.filter_map(|arg| height.get(arg)).max().copied().unwrap_or(0);
        if uses[&term] > 1 || tallest >= DEEPEST {
            named.push(term);
            is_named.insert(term);
        }
        height.insert(term, tallest + 1);
    }
    named
}

/// Whether a term is as short as any name for it.
pub(super) fn is_leaf(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::Const(_) | Op::Var(_))
}
