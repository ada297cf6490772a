//! Turns terms into SMT-LIB commands, remembering what was declared and defined before.
//!
//! `Floats::Ieee` is exact but for the remainder, which SMT-LIB does not have. `Floats::Symbols`
//! leaves every operation that rounds uninterpreted. Texts are elements of an uninterpreted sort.
//! What is left uninterpreted over-approximates: *unsat* is right, *sat* may be spurious.

use super::floats;
use super::names::Names;
use super::sharing;
use crate::op::{FloatOp, Op};
use crate::sort::{FloatFormat, Sort};
use crate::terms::{Term, Terms};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The wished-for symbol of the sort of texts.
const TEXT_SORT: &str = "Text";
const NULL_TEXT: &str = "text!null";

/// How terms are said in SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Encoding {
    pub floats: Floats,
}

/// What floats are to the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Floats {
    /// Bit-vectors; comparisons, signs and bits are exact, operations that round are
    /// uninterpreted functions.
    Symbols,
    /// The theory of IEEE-754 numbers.
    Ieee,
}

/// Writes commands for one solver context.
#[derive(Clone, Debug)]
pub(crate) struct Encoder {
    pub(super) encoding: Encoding,
    pub(super) names: Names,
    /// Symbols of terms that were defined, and of variables.
    pub(super) defined: FxHashMap<Term, String>,
    /// Terms whose symbols were all declared.
    prepared: FxHashSet<Term>,
    /// Symbols of text literals, in the order of their declaration.
    pub(super) literals: Vec<(Term, String)>,
    pub(super) preludes: BTreeSet<FloatFormat>,
    pub(super) uninterpreted: BTreeSet<String>,
    /// Whether the text that is no text was declared although no term names it.
    has_null: bool,
    definitions: usize,
}

impl Encoder {
    pub(crate) fn new(encoding: Encoding) -> Encoder {
        Encoder {
            encoding,
            names: Names::default(),
            defined: FxHashMap::default(),
            prepared: FxHashSet::default(),
            literals: Vec::new(),
            preludes: BTreeSet::new(),
            uninterpreted: BTreeSet::new(),
            has_null: false,
            definitions: 0,
        }
    }

    /// The operations met so far that are uninterpreted although terms give them a meaning.
    pub(crate) fn approximated(&self) -> &BTreeSet<String> {
        &self.uninterpreted
    }

    /// The text literals declared so far.
    pub(crate) fn text_literals(&self) -> &[(Term, String)] {
        &self.literals
    }

    /// The symbol of the text that is no text; declares it where the terms do not name it.
    pub(super) fn declare_null(&mut self, out: &mut String) -> &'static str {
        if !self.has_null && self.literals.iter().all(|(_, symbol)| symbol != NULL_TEXT) {
            self.declare_text(NULL_TEXT, out);
        }
        self.has_null = true;
        NULL_TEXT
    }

    /// Writes what must come before the terms can be written: sorts, symbols, shared subterms.
    pub(crate) fn prepare(&mut self, terms: &Terms, roots: &[Term], out: &mut String) {
        let fresh = self.not_prepared(terms, roots);
        for &term in &fresh {
            self.declare(terms, term, out);
        }
        let mut named = sharing::to_name(terms, roots, |term| self.defined.contains_key(&term));
        if self.encoding.floats == Floats::Ieee {
            // The bits of a float have a symbol and two facts rather than a definition.
            named.extend(fresh.iter().filter(|&&term| *terms.op(term) == Op::FloatToBits));
            named.sort_unstable();
        }
        for term in named {
            self.define(terms, term, out);
        }
        self.prepared.extend(fresh);
    }

    /// Asserts that a body holds for all values of some variables. Shared subterms get their names inside.
    pub(crate) fn write_for_all(&mut self, terms: &Terms, bound: &[Term], body: Term, out: &mut String) {
        let variables = self.bind(terms, bound, out);
        for term in self.not_prepared(terms, &[body]) {
            self.declare(terms, term, out);
            self.prepared.insert(term);
        }
        let (lets, count) = self.lets(terms, &[body]);
        match bound {
            [] => write_to(out, format_args!("(assert {lets}")),
            _ => write_to(out, format_args!("(assert (forall ({variables}) {lets}")),
        }
        self.write(terms, body, out);
        out.push_str(&")".repeat(count + 1 + usize::from(!bound.is_empty())));
        out.push('\n');
    }

    /// Gives symbols to variables that a quantifier binds; the result declares them in it.
    pub(super) fn bind(&mut self, terms: &Terms, bound: &[Term], out: &mut String) -> String {
        let mut variables = String::new();
        for (place, &variable) in bound.iter().enumerate() {
            let symbol = format!("v!{place}");
            let sort = self.sort(terms.sort_of(variable), out);
            write_to(&mut variables, format_args!("({symbol} {sort})"));
            self.defined.insert(variable, symbol);
            self.prepared.insert(variable);
        }
        variables
    }

    /// The beginnings of `let` expressions that name what the roots share, and how many must be closed.
    pub(super) fn lets(&mut self, terms: &Terms, roots: &[Term]) -> (String, usize) {
        let mut lets = String::new();
        let named = sharing::to_name(terms, roots, |term| self.defined.contains_key(&term));
        for &term in &named {
            let symbol = format!("t!{}", self.definitions);
            self.definitions += 1;
            write_to(&mut lets, format_args!("(let (({symbol} "));
            self.write(terms, term, &mut lets);
            lets.push_str("))\n");
            self.defined.insert(term, symbol);
        }
        (lets, named.len())
    }

    /// The terms inside the roots that were not prepared before, arguments first.
    fn not_prepared(&self, terms: &Terms, roots: &[Term]) -> Vec<Term> {
        let mut found: FxHashSet<Term> = FxHashSet::default();
        let mut open: Vec<Term> = roots.to_vec();
        while let Some(term) = open.pop() {
            if !self.prepared.contains(&term) && found.insert(term) {
                open.extend_from_slice(terms.args(term));
            }
        }
        let mut found: Vec<Term> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    fn define(&mut self, terms: &Terms, term: Term, out: &mut String) {
        if self.defined.contains_key(&term) {
            return;
        }
        let symbol = format!("t!{}", self.definitions);
        self.definitions += 1;
        let sort = self.sort(terms.sort_of(term), out);
        if *terms.op(term) == Op::FloatToBits && self.encoding.floats == Floats::Ieee {
            let float = terms.args(term)[0];
            let format = terms.format_of(float);
            let mut text = String::new();
            self.write(terms, float, &mut text);
            floats::write_bits_of(&symbol, &text, format, out);
        } else {
            write_to(out, format_args!("(define-fun {symbol} () {sort} "));
            self.write(terms, term, out);
            out.push_str(")\n");
        }
        self.defined.insert(term, symbol);
    }

    /// Declares the symbol of a variable, function or literal, and the prelude it needs.
    fn declare(&mut self, terms: &Terms, term: Term, out: &mut String) {
        let sort = terms.sort_of(term).clone();
        match terms.op(term) {
            Op::Var(name) => {
                let result = self.sort(&sort, out);
                let (symbol, is_new) = self.names.symbol(&kind_of(terms, term), name);
                if is_new {
                    write_to(out, format_args!("(declare-fun {symbol} () {result})\n"));
                    self.restrict(&symbol, &sort, out);
                }
                self.defined.insert(term, symbol);
            }
            Op::Apply(name) => {
                let result = self.sort(&sort, out);
                let args: Vec<String> =
                    terms.args(term).iter().map(|&arg| self.sort(terms.sort_of(arg), out)).collect();
                let (symbol, is_new) = self.names.symbol(&kind_of(terms, term), name);
                if is_new {
                    let args = args.join(" ");
                    write_to(out, format_args!("(declare-fun {symbol} ({args}) {result})\n"));
                }
            }
            Op::Const(value @ Value::Text(_)) => self.declare_literal(term, value.clone(), out),
            op => {
                self.sort(&sort, out);
                self.declare_function_of(terms, term, &op.clone(), out);
            }
        }
    }

    /// Declares the uninterpreted function that stands for an operation, if one does.
    fn declare_function_of(&mut self, terms: &Terms, term: Term, op: &Op, out: &mut String) {
        let Some(function) = self.function_for(terms, term, op) else { return };
        if !self.uninterpreted.insert(function.clone()) {
            return;
        }
        // Concatenation of any number of texts is said with two at a time.
        let count = if *op == Op::TextConcat { 2 } else { terms.args(term).len() };
        let args: Vec<String> =
            terms.args(term)[..count].iter().map(|&arg| self.sort(terms.sort_of(arg), out)).collect();
        let result = self.sort(terms.sort_of(term), out);
        write_to(out, format_args!("(declare-fun {function} ({}) {result})\n", args.join(" ")));
    }

    /// The name of the uninterpreted function that stands for an operation, if one does.
    pub(super) fn function_for(&self, terms: &Terms, term: Term, op: &Op) -> Option<String> {
        match op {
            Op::TextConcat => return Some("text.concat".to_owned()),
            Op::TextLength => return Some("text.length".to_owned()),
            Op::TextAt => return Some("text.at".to_owned()),
            Op::Float(FloatOp::Neg | FloatOp::Abs) => return None,
            Op::Float(FloatOp::Rem) => {}
            Op::Float(_) | Op::FloatConvert(_) | Op::FloatFromInt { .. } | Op::FloatToInt { .. }
                if self.encoding.floats == Floats::Symbols => {}
            _ => return None,
        }
        Some(floats::function_name(terms, term, op))
    }

    /// A declared float that is a bit-vector has, if it is NaN, the bits of the one NaN.
    fn restrict(&mut self, symbol: &str, sort: &Sort, out: &mut String) {
        if let (Sort::Float(format), Floats::Symbols) = (sort, self.encoding.floats) {
            write_to(out, format_args!("(assert (= {symbol} ({format}.canonical {symbol})))\n"));
        }
    }

    /// Text literals are different from each other and have their lengths and code units.
    fn declare_literal(&mut self, term: Term, value: Value, out: &mut String) {
        if self.literals.iter().any(|(known, _)| *known == term) {
            return;
        }
        let sort = self.sort(&Sort::Text, out);
        let symbol = match &value {
            Value::Text(None) => NULL_TEXT.to_owned(),
            _ => format!("text!{}", self.literals.len()),
        };
        self.declare_text(&symbol, out);
        self.literals.push((term, symbol.clone()));
        if let Value::Text(Some(units)) = value {
            if self.uninterpreted.insert("text.length".to_owned()) {
                write_to(out, format_args!("(declare-fun text.length ({sort}) (_ BitVec 32))\n"));
            }
            write_to(out, format_args!("(assert (= (text.length {symbol}) #x{:08x}))\n", units.len()));
        }
    }

    fn declare_text(&mut self, symbol: &str, out: &mut String) {
        let sort = self.sort(&Sort::Text, out);
        write_to(out, format_args!("(declare-fun {symbol} () {sort})\n"));
        for (_, other) in &self.literals {
            write_to(out, format_args!("(assert (not (= {symbol} {other})))\n"));
        }
    }

    /// The SMT-LIB text of a sort; declares what it needs.
    pub(super) fn sort(&mut self, sort: &Sort, out: &mut String) -> String {
        match sort {
            Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => {}
            Sort::Float(format) => {
                if self.encoding.floats == Floats::Symbols && self.preludes.insert(*format) {
                    floats::write_prelude(*format, out);
                }
            }
            Sort::Array(index, element) => {
                self.sort(index, out);
                self.sort(element, out);
            }
            Sort::Text => self.declare_sort(TEXT_SORT, out),
            Sort::Uninterpreted(name) => self.declare_sort(name, out),
        }
        self.sort_text(sort)
    }

    fn declare_sort(&mut self, name: &str, out: &mut String) {
        let (symbol, is_new) = self.names.symbol("sort", name);
        if is_new {
            write_to(out, format_args!("(declare-sort {symbol} 0)\n"));
        }
    }

    /// The SMT-LIB text of a sort that was declared.
    pub(super) fn sort_text(&self, sort: &Sort) -> String {
        match sort {
            Sort::Bool => "Bool".to_owned(),
            Sort::Int => "Int".to_owned(),
            Sort::Real => "Real".to_owned(),
            Sort::BitVec(width) => format!("(_ BitVec {width})"),
            Sort::Float(format) if self.encoding.floats == Floats::Ieee => floats::ieee_sort(*format),
            Sort::Float(format) => format!("(_ BitVec {})", format.width()),
            Sort::Array(index, element) => {
                format!("(Array {} {})", self.sort_text(index), self.sort_text(element))
            }
            Sort::Text => self.names.known("sort", TEXT_SORT),
            Sort::Uninterpreted(name) => self.names.known("sort", name),
        }
    }
}

/// What is declared for a variable or function: the sorts tell apart equal names.
pub(super) fn kind_of(terms: &Terms, term: Term) -> String {
    let args: Vec<&Sort> = terms.args(term).iter().map(|&arg| terms.sort_of(arg)).collect();
    format!("{args:?} {:?}", terms.sort_of(term))
}

/// Appends formatted text; writing to a string cannot fail.
pub(super) fn write_to(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string should not fail");
}
