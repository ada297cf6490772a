//! Reads SMT-LIB expressions that a solver printed back into terms.
//!
//! Exact, or nothing: quantifiers, functions that are not named here and sorts that do not fit are not read.

use super::model::{bit_vector, rational};
use super::sexpr::SExpr;
use crate::op::{BvCmp, BvOp};
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use std::collections::BTreeMap;

/// Expressions nested deeper than this are not read.
const DEEPEST: usize = 400;

/// Reads expressions over known names.
pub(super) struct TermReader<'t> {
    pub(super) terms: &'t mut Terms,
    names: BTreeMap<String, Term>,
    depth: usize,
}

impl<'t> TermReader<'t> {
    pub(super) fn new(terms: &'t mut Terms) -> TermReader<'t> {
        TermReader { terms, names: BTreeMap::new(), depth: 0 }
    }

    /// Lets a name stand for a term.
    pub(super) fn define(&mut self, name: &str, term: Term) {
        self.names.insert(name.to_owned(), term);
    }

    /// An expression that must be a condition.
    pub(super) fn read_condition(&mut self, expression: &SExpr) -> Option<Term> {
        let term = self.read(expression)?;
        (*self.terms.sort_of(term) == Sort::Bool).then_some(term)
    }

    fn read(&mut self, expression: &SExpr) -> Option<Term> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let term = match expression {
            SExpr::Atom(text) => self.atom(text, expression),
            SExpr::List(items) => self.list(items, expression),
            SExpr::Text(_) => None,
        };
        self.depth -= 1;
        term
    }

    fn atom(&mut self, text: &str, expression: &SExpr) -> Option<Term> {
        if let Some(term) = self.names.get(text) {
            return Some(*term);
        }
        match text {
            "true" => return Some(self.terms.bool(true)),
            "false" => return Some(self.terms.bool(false)),
            _ => {}
        }
        if text.starts_with('#') {
            let (bits, width) = bit_vector(expression)?;
            return (1..=128).contains(&width).then(|| self.terms.bv_wide(bits, width));
        }
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let number = rational(expression)?;
        Some(if text.contains('.') { self.terms.real(number) } else { self.terms.int(number.to_integer()) })
    }

    fn list(&mut self, items: &[SExpr], expression: &SExpr) -> Option<Term> {
        let (head, rest) = items.split_first()?;
        match head {
            SExpr::Atom(word) => match word.as_str() {
                "let" => self.read_let(rest),
                "_" => {
                    let (bits, width) = bit_vector(expression)?;
                    (1..=128).contains(&width).then(|| self.terms.bv_wide(bits, width))
                }
                word => {
                    let args: Vec<Term> = rest.iter().map(|item| self.read(item)).collect::<Option<_>>()?;
                    self.apply(word, &args)
                }
            },
            SExpr::List(head) => {
                let args: Vec<Term> = rest.iter().map(|item| self.read(item)).collect::<Option<_>>()?;
                self.apply_indexed(head, &args)
            }
            SExpr::Text(_) => None,
        }
    }

    /// All bindings of one `let` are read before any of them counts.
    fn read_let(&mut self, rest: &[SExpr]) -> Option<Term> {
        let [SExpr::List(bindings), body] = rest else { return None };
        let mut bound = Vec::new();
        for binding in bindings {
            let [name, value] = binding.as_list()? else { return None };
            bound.push((name.as_atom()?.to_owned(), self.read(value)?));
        }
        let hidden: Vec<(String, Option<Term>)> =
            bound.into_iter().map(|(name, term)| (name.clone(), self.names.insert(name, term))).collect();
        let term = self.read(body);
        for (name, before) in hidden.into_iter().rev() {
            match before {
                Some(before) => self.names.insert(name, before),
                None => self.names.remove(&name),
            };
        }
        term
    }

    fn apply(&mut self, word: &str, args: &[Term]) -> Option<Term> {
        match word {
            "and" | "or" | "not" | "=>" | "xor" | "ite" | "=" | "distinct" => self.boolean(word, args),
            "+" | "-" | "*" | "/" | "div" | "mod" | "<" | "<=" | ">" | ">=" => self.arithmetic(word, args),
            "to_real" | "to_int" => match (word, self.terms.sort_of(*args.first()?)) {
                ("to_real", Sort::Int) => Some(self.terms.int_to_real(args[0])),
                ("to_int", Sort::Real) => Some(self.terms.real_floor(args[0])),
                _ => None,
            },
            "select" | "store" => self.array(word, args),
            _ => self.bits(word, args),
        }
    }

    fn boolean(&mut self, word: &str, args: &[Term]) -> Option<Term> {
        let all_conditions = args.iter().all(|arg| *self.terms.sort_of(*arg) == Sort::Bool);
        match (word, args) {
            ("and", _) if all_conditions => Some(self.terms.and(args)),
            ("or", _) if all_conditions => Some(self.terms.or(args)),
            ("not", [arg]) if all_conditions => Some(self.terms.not(*arg)),
            ("=>", [premises @ .., conclusion]) if all_conditions => {
                let premise = self.terms.and(premises);
                Some(self.terms.implies(premise, *conclusion))
            }
            ("xor", [a, b]) if all_conditions => {
                let equal = self.terms.eq(*a, *b);
                Some(self.terms.not(equal))
            }
            ("ite", [condition, then, otherwise]) if *self.terms.sort_of(*condition) == Sort::Bool => {
                let (then, otherwise) = self.same_sort(*then, *otherwise)?;
                Some(self.terms.ite(*condition, then, otherwise))
            }
            ("=", [_, _, ..]) => {
                let mut equal = Vec::new();
                for pair in args.windows(2) {
                    let (a, b) = self.same_sort(pair[0], pair[1])?;
                    equal.push(self.terms.eq(a, b));
                }
                Some(self.terms.and(&equal))
            }
            ("distinct", [a, b]) => {
                let (a, b) = self.same_sort(*a, *b)?;
                let equal = self.terms.eq(a, b);
                Some(self.terms.not(equal))
            }
            _ => None,
        }
    }

    fn arithmetic(&mut self, word: &str, args: &[Term]) -> Option<Term> {
        let args = self.numbers(args)?;
        let is_int = *self.terms.sort_of(*args.first()?) == Sort::Int;
        let terms = &mut *self.terms;
        match (word, args.as_slice()) {
            ("+", _) => Some(terms.add(&args)),
            ("*", _) => Some(terms.mul(&args)),
            ("-", [arg]) => Some(terms.neg(*arg)),
            ("-", [first, rest @ ..]) => {
                let rest = terms.add(rest);
                Some(terms.sub(*first, rest))
            }
            ("/", [a, b]) if !is_int => Some(terms.real_div(*a, *b)),
            ("div", [a, b]) if is_int => Some(terms.int_div_euclid(*a, *b)),
            ("mod", [a, b]) if is_int => Some(terms.int_mod_euclid(*a, *b)),
            ("<", [a, b]) => Some(terms.lt(*a, *b)),
            ("<=", [a, b]) => Some(terms.le(*a, *b)),
            (">", [a, b]) => Some(terms.lt(*b, *a)),
            (">=", [a, b]) => Some(terms.le(*b, *a)),
            _ => None,
        }
    }

    fn array(&mut self, word: &str, args: &[Term]) -> Option<Term> {
        let Sort::Array(index, element) = self.terms.sort_of(*args.first()?).clone() else { return None };
        match (word, args) {
            ("select", [array, at]) if *self.terms.sort_of(*at) == *index => {
                Some(self.terms.select(*array, *at))
            }
            ("store", [array, at, value])
                if *self.terms.sort_of(*at) == *index && *self.terms.sort_of(*value) == *element =>
            {
                Some(self.terms.store(*array, *at, *value))
            }
            _ => None,
        }
    }

    fn bits(&mut self, word: &str, args: &[Term]) -> Option<Term> {
        let widths: Vec<u32> =
            args.iter().map(|arg| self.terms.sort_of(*arg).width()).collect::<Option<_>>()?;
        let terms = &mut *self.terms;
        if let ("concat", [high, low]) = (word, args) {
            return (widths[0] + widths[1] <= 128).then(|| terms.concat(*high, *low));
        }
        if widths.windows(2).any(|pair| pair[0] != pair[1]) {
            return None;
        }
        if let [arg] = args {
            return match word {
                "bvneg" => Some(terms.bv_neg(*arg)),
                "bvnot" => Some(terms.bv_not(*arg)),
                _ => None,
            };
        }
        if let (Some((op, swapped)), [a, b]) = (comparison(word), args) {
            return Some(if swapped { terms.bv_cmp(op, *b, *a) } else { terms.bv_cmp(op, *a, *b) });
        }
        let (op, takes_many) = bit_operation(word)?;
        let (first, rest) = args.split_first()?;
        let fits = !rest.is_empty() && (takes_many || rest.len() == 1);
        fits.then(|| rest.iter().fold(*first, |left, right| terms.bv_op(op, left, *right)))
    }

    /// `((_ extract 7 0) x)`, `((as const (Array Int Int)) 0)` and their like.
    fn apply_indexed(&mut self, head: &[SExpr], args: &[Term]) -> Option<Term> {
        let [arg] = args else { return None };
        match head {
            [a, constant, sort] if a.as_atom() == Some("as") && constant.as_atom() == Some("const") => {
                let sort = read_sort(sort)?;
                let Sort::Array(_, element) = &sort else { return None };
                (self.terms.sort_of(*arg) == &**element).then(|| self.terms.const_array(&sort, *arg))
            }
            [underscore, word, numbers @ ..] if underscore.as_atom() == Some("_") => {
                let numbers: Vec<u32> =
                    numbers.iter().map(|it| it.as_atom()?.parse().ok()).collect::<Option<_>>()?;
                let width = self.terms.sort_of(*arg).width()?;
                match (word.as_atom()?, numbers.as_slice()) {
                    ("extract", [high, low]) if low <= high && *high < width => {
                        Some(self.terms.extract(*high, *low, *arg))
                    }
                    ("zero_extend", [by]) if width + by <= 128 => {
                        Some(self.terms.zero_extend(width + by, *arg))
                    }
                    ("sign_extend", [by]) if width + by <= 128 => {
                        Some(self.terms.sign_extend(width + by, *arg))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Two terms of one sort; an integer beside a real number is made one.
    fn same_sort(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        match (self.terms.sort_of(a), self.terms.sort_of(b)) {
            (left, right) if left == right => Some((a, b)),
            (Sort::Int, Sort::Real) => Some((self.terms.int_to_real(a), b)),
            (Sort::Real, Sort::Int) => Some((a, self.terms.int_to_real(b))),
            _ => None,
        }
    }

    /// Integers, or real numbers.
    fn numbers(&mut self, args: &[Term]) -> Option<Vec<Term>> {
        let sorts: Vec<Sort> = args.iter().map(|arg| self.terms.sort_of(*arg).clone()).collect();
        if sorts.iter().any(|sort| !matches!(sort, Sort::Int | Sort::Real)) {
            return None;
        }
        let is_real = sorts.contains(&Sort::Real);
        let converted = args.iter().zip(sorts).map(|(arg, sort)| match sort {
            Sort::Int if is_real => self.terms.int_to_real(*arg),
            _ => *arg,
        });
        Some(converted.collect())
    }
}

fn read_sort(expression: &SExpr) -> Option<Sort> {
    match expression {
        SExpr::Atom(word) => match word.as_str() {
            "Bool" => Some(Sort::Bool),
            "Int" => Some(Sort::Int),
            "Real" => Some(Sort::Real),
            _ => None,
        },
        SExpr::List(items) => match items.as_slice() {
            [array, index, element] if array.as_atom() == Some("Array") => {
                Some(Sort::array(read_sort(index)?, read_sort(element)?))
            }
            [_, bits, width] if bits.as_atom() == Some("BitVec") => {
                let width = width.as_atom()?.parse().ok()?;
                (1..=128).contains(&width).then_some(Sort::BitVec(width))
            }
            _ => None,
        },
        SExpr::Text(_) => None,
    }
}

/// The comparison, and whether its operands are swapped.
fn comparison(word: &str) -> Option<(BvCmp, bool)> {
    Some(match word {
        "bvslt" => (BvCmp::Slt, false),
        "bvsle" => (BvCmp::Sle, false),
        "bvult" => (BvCmp::Ult, false),
        "bvule" => (BvCmp::Ule, false),
        "bvsgt" => (BvCmp::Slt, true),
        "bvsge" => (BvCmp::Sle, true),
        "bvugt" => (BvCmp::Ult, true),
        "bvuge" => (BvCmp::Ule, true),
        _ => return None,
    })
}

/// The operation, and whether it takes more than two operands.
fn bit_operation(word: &str) -> Option<(BvOp, bool)> {
    Some(match word {
        "bvadd" => (BvOp::Add, true),
        "bvmul" => (BvOp::Mul, true),
        "bvand" => (BvOp::And, true),
        "bvor" => (BvOp::Or, true),
        "bvxor" => (BvOp::Xor, true),
        "bvsub" => (BvOp::Sub, false),
        "bvsdiv" => (BvOp::Sdiv, false),
        "bvudiv" => (BvOp::Udiv, false),
        "bvsrem" => (BvOp::Srem, false),
        "bvurem" => (BvOp::Urem, false),
        "bvshl" => (BvOp::Shl, false),
        "bvlshr" => (BvOp::Lshr, false),
        "bvashr" => (BvOp::Ashr, false),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::sexpr;
    use super::*;

    /// What an expression over the integers `x` and `y` and the map `a` is as a term.
    fn read(text: &str) -> Option<String> {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", &Sort::Int), terms.var("y", &Sort::Int));
        let map = terms.var("a", &Sort::array(Sort::Int, Sort::Int));
        let mut reader = TermReader::new(&mut terms);
        for (name, term) in [("x", x), ("y", y), ("a", map)] {
            reader.define(name, term);
        }
        let parsed = sexpr::parse(text)?;
        let [expression] = parsed.as_slice() else { return None };
        let term = reader.read_condition(expression)?;
        Some(terms.print(term))
    }

    #[test]
    fn names_in_a_let_hide_those_outside_only_inside() {
        let inner = read("(let ((x y) (z x)) (= x z))");
        assert_eq!(inner, read("(= y x)"));
        assert_eq!(read("(and (let ((x 1)) (= x y)) (= x 2))"), read("(and (= y 1) (= x 2))"));
    }

    #[test]
    fn orders_are_read_the_right_way_round() {
        assert_eq!(read("(>= x y)"), read("(<= y x)"));
        assert_eq!(read("(> x y)"), read("(not (<= x y))"));
        assert_eq!(read("(= (- x y 1) 0)"), read("(= x (+ y 1))"));
    }

    #[test]
    fn maps_are_read() {
        assert_eq!(read("(= (select (store a x 3) x) 3)").as_deref(), Some("true"));
        assert_eq!(read("(= (select ((as const (Array Int Int)) 7) x) 7)").as_deref(), Some("true"));
    }

    #[test]
    fn what_does_not_fit_or_is_not_known_is_not_read() {
        for text in [
            "(forall ((z Int)) (= z x))",
            "(exists ((z Int)) (= z x))",
            "(f x)",
            "(and x y)",
            "(= x true)",
            "(select a true)",
            "(+ x y)",
            "unknown-name",
            "(= x #b1)",
        ] {
            assert_eq!(read(text), None, "{text} should not be read");
        }
    }

    #[test]
    fn expressions_of_any_depth_do_not_break_the_reader() {
        let deep = format!("(= x {}0{})", "(+ 1 ".repeat(5000), ")".repeat(5000));
        assert_eq!(read(&deep), None);
    }
}
