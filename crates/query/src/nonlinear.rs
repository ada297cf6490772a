//! Products, quotients and remainders as uninterpreted functions: most questions do not depend on what they are.
//!
//! Over-approximating: a symbol says only that the same operands give the same. What is refuted with symbols is refuted.

use std::collections::BTreeMap;

use smt::{BvOp, Op, Term, Terms};

/// Operations beyond this are left as they are.
const MOST_OPERATIONS: usize = 200;

/// The conditions with symbols for what is hard to compute with; `None` if there is nothing of that.
pub fn with_symbols(terms: &mut Terms, conditions: &[Term]) -> Option<Vec<Term>> {
    let hard: Vec<Term> =
        terms.reachable(conditions).into_iter().filter(|term| is_hard(terms, *term)).collect();
    if hard.is_empty() || hard.len() > MOST_OPERATIONS {
        return None;
    }
    let mut symbols: BTreeMap<Term, Term> = BTreeMap::new();
    // Operands come before what is computed from them.
    for term in hard {
        let (op, args) = (terms.op(term).clone(), terms.args(term).to_vec());
        let sort = terms.sort_of(term).clone();
        let args = terms.substitute_all(&args, &symbols);
        let name = format!("hard {op:?} {sort:?} {}", args.len());
        let symbol = terms.apply(&name, &args, &sort);
        symbols.insert(term, symbol);
    }
    Some(terms.substitute_all(conditions, &symbols))
}

fn is_hard(terms: &Terms, term: Term) -> bool {
    let constants = || terms.args(term).iter().filter(|arg| terms.as_const(**arg).is_some()).count();
    match terms.op(term) {
        Op::Bv(BvOp::Mul) | Op::Mul => terms.args(term).len() - constants() > 1,
        Op::Bv(BvOp::Sdiv | BvOp::Udiv | BvOp::Srem | BvOp::Urem) => true,
        Op::IntDiv | Op::IntMod | Op::RealDiv => constants() == 0,
        _ => false,
    }
}
