//! Constrained Horn clauses as SMT-LIB text.
//!
//! Over-approximating: what the solver's Horn engine has no meaning for (floats, texts, uninterpreted functions) is
//! any value, the same wherever it occurs in one clause.

use super::encoder::{Encoder, Encoding, Floats, write_to};
use crate::horn::{Application, Clause, HornQuery, predicate_symbol};
use crate::op::Op;
use crate::terms::{Term, Terms};
use std::collections::BTreeMap;

/// A predicate that is put into the place of its uses comes back with quantifiers, which cannot be read. Lemmas that are
/// generalised from all those found before (`global`) keep the engine from counting iterations one by one.
const OPTIONS: &str = "\
(set-logic HORN)
(set-option :fp.xform.inline_eager false)
(set-option :fp.xform.inline_linear false)
(set-option :fp.xform.slice false)
(set-option :fp.spacer.global true)
";

impl HornQuery {
    /// The commands that are given to the solver, up to, and without, `(check-sat)`.
    pub fn text(&self, terms: &mut Terms) -> String {
        let mut out = OPTIONS.to_owned();
        let encoder = Encoder::new(Encoding { floats: Floats::Symbols });
        for (number, sorts) in self.predicates.iter().enumerate() {
            let sorts: Vec<String> = sorts.iter().map(|sort| encoder.sort_text(sort)).collect();
            let symbol = predicate_symbol(number);
            write_to(&mut out, format_args!("(declare-fun {symbol} ({}) Bool)\n", sorts.join(" ")));
        }
        for clause in &self.clauses {
            let clause = without_what_is_not_known(terms, clause);
            write_clause(terms, &clause, &mut out);
        }
        out
    }
}

/// The clause with a variable in the place of every largest part that the engine has no meaning for.
fn without_what_is_not_known(terms: &mut Terms, clause: &Clause) -> Clause {
    let roots = clause.roots();
    let mut instead: BTreeMap<Term, Term> = BTreeMap::new();
    for term in terms.reachable(&roots) {
        let is_foreign = matches!(terms.op(term), Op::Apply(_))
            || terms.args(term).iter().any(|arg| !HornQuery::can_speak_of(terms.sort_of(*arg)));
        if is_foreign && HornQuery::can_speak_of(terms.sort_of(term)) {
            let sort = terms.sort_of(term).clone();
            let variable = terms.var(&format!("any value {}", term.index()), &sort);
            instead.insert(term, variable);
        }
    }
    if instead.is_empty() { clause.clone() } else { clause.substituted(terms, &instead) }
}

fn write_clause(terms: &Terms, clause: &Clause, out: &mut String) {
    let mut encoder = Encoder::new(Encoding { floats: Floats::Symbols });
    let roots = clause.roots();
    let inside = terms.reachable(&roots);
    let bound: Vec<Term> = inside.into_iter().filter(|term| matches!(terms.op(*term), Op::Var(_))).collect();
    let variables = encoder.bind(terms, &bound, out);
    let (lets, count) = encoder.lets(terms, &roots);
    match bound.is_empty() {
        true => write_to(out, format_args!("(assert {lets}(=> (and true")),
        false => write_to(out, format_args!("(assert (forall ({variables}) {lets}(=> (and true")),
    }
    for application in &clause.uses {
        out.push(' ');
        write_application(&encoder, terms, application, out);
    }
    for &condition in &clause.conditions {
        out.push(' ');
        encoder.write(terms, condition, out);
    }
    out.push_str(") ");
    match &clause.head {
        Some(head) => write_application(&encoder, terms, head, out),
        None => out.push_str("false"),
    }
    out.push_str(&")".repeat(count + 2 + usize::from(!bound.is_empty())));
    out.push('\n');
}

fn write_application(encoder: &Encoder, terms: &Terms, application: &Application, out: &mut String) {
    let symbol = predicate_symbol(application.predicate);
    if application.args.is_empty() {
        out.push_str(&symbol);
        return;
    }
    write_to(out, format_args!("({symbol}"));
    for &arg in &application.args {
        out.push(' ');
        encoder.write(terms, arg, out);
    }
    out.push(')');
}
