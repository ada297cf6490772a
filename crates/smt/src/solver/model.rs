//! Reads the values that a solver gives to terms.

use super::sexpr::SExpr;
use crate::print::Query;
use crate::sort::{FloatFormat, Sort};
use crate::terms::{Term, Terms};
use crate::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::BTreeMap;

/// The values of the wanted terms where all assertions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    values: BTreeMap<Term, Value>,
    exact: bool,
}

/// What is asked of a model: the wanted terms, and the text literals to know texts again by.
pub(super) struct Request {
    wanted: Vec<Term>,
    literals: Vec<(Term, String)>,
    /// The expressions of both.
    expressions: Vec<String>,
    exact: bool,
}

impl Request {
    /// The values of the terms of a query.
    pub(super) fn of_query(wanted: &[Term], query: &Query) -> Request {
        Request::new(wanted, query.values().to_vec(), query.literals(), query.is_exact())
    }

    fn new(
        wanted: &[Term],
        mut expressions: Vec<String>,
        literals: &[(Term, String)],
        exact: bool,
    ) -> Request {
        assert_eq!(wanted.len(), expressions.len(), "the query should be for the same wanted terms");
        // Only a text has to be compared with the literals.
        let literals = if wanted.is_empty() { Vec::new() } else { literals.to_vec() };
        expressions.extend(literals.iter().map(|(_, symbol)| symbol.clone()));
        Request { wanted: wanted.to_vec(), literals, expressions, exact }
    }

    /// The command that asks for the values, if there is anything to ask.
    pub(super) fn command(&self) -> Option<String> {
        let list = self.expressions.join(" ");
        (!self.expressions.is_empty()).then(|| format!("(get-value ({list}))\n"))
    }

    /// Reads the reply to the command.
    pub(super) fn read(&self, terms: &Terms, replies: &[SExpr]) -> Option<Model> {
        if self.expressions.is_empty() {
            return Some(Model { values: BTreeMap::new(), exact: self.exact });
        }
        let [SExpr::List(pairs)] = replies else { return None };
        if pairs.len() != self.expressions.len() {
            return None;
        }
        let second = |pair: &SExpr| match pair.as_list() {
            Some([_, value]) => Some(value.clone()),
            _ => None,
        };
        let replies: Vec<SExpr> = pairs.iter().map(second).collect::<Option<_>>()?;
        let (wanted_replies, literal_replies) = replies.split_at(self.wanted.len());
        let literals = self.literals.iter().zip(literal_replies);
        let known = literals.filter_map(|((term, _), reply)| Some((reply, terms.as_const(*term)?.clone())));
        let reader = Reader { known: known.collect() };
        let mut values = BTreeMap::new();
        for (&term, reply) in self.wanted.iter().zip(wanted_replies) {
            if let Some(value) = reader.read(reply, terms.sort_of(term)) {
                values.insert(term, value);
            }
        }
        Some(Model { values, exact: self.exact })
    }
}

impl Model {
    /// That there are values, without saying which.
    pub(super) fn without_values() -> Model {
        Model { values: BTreeMap::new(), exact: false }
    }

    /// The value of a wanted term; `None` if it was not wanted or cannot be told (an irrational
    /// number, an array in an unusual form).
    pub fn value(&self, term: Term) -> Option<&Value> {
        self.values.get(&term)
    }

    /// All values, in the order of the terms.
    pub fn values(&self) -> impl Iterator<Item = (Term, &Value)> {
        self.values.iter().map(|(&term, value)| (term, value))
    }

    /// The same values for the terms of a question that differs from this model's only in names: those that each term
    /// stands for.
    pub fn renamed(&self, terms: impl IntoIterator<Item = (Term, Term)>) -> Model {
        let renamed = terms.into_iter().filter_map(|(of, to)| Some((to, self.values.get(&of)?.clone())));
        Model { values: renamed.collect(), exact: self.exact }
    }

    /// Whether the question told the solver all that the terms mean. If not, the model may rely on
    /// values of operations that those do not have.
    pub fn is_exact(&self) -> bool {
        self.exact
    }
}

struct Reader<'a> {
    /// What the solver calls the text literals.
    known: Vec<(&'a SExpr, Value)>,
}

impl Reader<'_> {
    fn read(&self, reply: &SExpr, sort: &Sort) -> Option<Value> {
        match sort {
            Sort::Bool => match reply.as_atom()? {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
            Sort::Int => {
                let number = rational(reply)?;
                number.is_integer().then(|| Value::Int(number.to_integer()))
            }
            Sort::Real => Some(Value::Real(rational(reply)?)),
            Sort::BitVec(width) => {
                let (bits, found) = bit_vector(reply)?;
                (found == *width).then(|| Value::bit_vec(bits, *width))
            }
            Sort::Float(format) => float(reply, *format),
            Sort::Array(index, element) => self.array(reply, index, element),
            Sort::Text => match self.known.iter().find(|(symbol, _)| *symbol == reply) {
                Some((_, value)) => Some(value.clone()),
                None => opaque(reply),
            },
            Sort::Uninterpreted(_) => opaque(reply),
        }
    }

    /// Writes on top of a constant array, or a function of one argument that compares it with
    /// literals one after the other.
    fn array(&self, reply: &SExpr, index: &Sort, element: &Sort) -> Option<Value> {
        let mut entries: BTreeMap<Value, Value> = BTreeMap::new();
        let mut rest = reply;
        loop {
            match rest.as_list()? {
                [SExpr::Atom(word), inner, at, value] if word == "store" => {
                    let at = self.read(at, index)?;
                    let value = self.read(value, element)?;
                    // The outermost write to a place is the one that counts.
                    entries.entry(at).or_insert(value);
                    rest = inner;
                }
                [SExpr::List(head), value] if is_const_array(head) => {
                    return Some(Value::array(self.read(value, element)?, entries));
                }
                [SExpr::Atom(word), SExpr::List(parameters), body] if word == "lambda" => {
                    let [SExpr::List(parameter)] = parameters.as_slice() else { return None };
                    let Value::Array { default, entries: cases } =
                        self.cases(body, parameter.first()?, index, element)?
                    else {
                        return None;
                    };
                    for (at, value) in cases {
                        entries.entry(at).or_insert(value);
                    }
                    return Some(Value::array(*default, entries));
                }
                _ => return None,
            }
        }
    }

    /// `(ite (= x 1) a (ite (= x 2) b c))`.
    fn cases(&self, body: &SExpr, parameter: &SExpr, index: &Sort, element: &Sort) -> Option<Value> {
        let mut entries: BTreeMap<Value, Value> = BTreeMap::new();
        let mut rest = body;
        while let Some([SExpr::Atom(word), condition, value, otherwise]) = rest.as_list() {
            let at = match condition.as_list()? {
                [SExpr::Atom(equals), left, right] if word == "ite" && equals == "=" => {
                    if left == parameter {
                        right
                    } else if right == parameter {
                        left
                    } else {
                        return None;
                    }
                }
                _ => return None,
            };
            let (at, value) = (self.read(at, index)?, self.read(value, element)?);
            entries.entry(at).or_insert(value);
            rest = otherwise;
        }
        // Entries are kept even if they equal the default: the writes around them may differ.
        Some(Value::Array { default: Box::new(self.read(rest, element)?), entries })
    }
}

fn is_const_array(head: &[SExpr]) -> bool {
    matches!(head, [SExpr::Atom(a), SExpr::Atom(constant), _] if a == "as" && constant == "const")
}

/// `5`, `5.0`, `(- 5)`, `(/ 1 3)`, and combinations.
pub(super) fn rational(reply: &SExpr) -> Option<BigRational> {
    match reply {
        SExpr::Atom(text) => {
            let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
            let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
            let scale = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
            Some(BigRational::new(digits, scale))
        }
        SExpr::List(items) => match items.as_slice() {
            [SExpr::Atom(minus), inner] if minus == "-" => Some(-rational(inner)?),
            [SExpr::Atom(over), left, right] if over == "/" => {
                let divisor = rational(right)?;
                (!divisor.is_zero()).then_some(rational(left)? / divisor)
            }
            _ => None,
        },
        SExpr::Text(_) => None,
    }
}

/// `#x0f`, `#b0101` or `(_ bv5 32)`: the bits and their number.
pub(super) fn bit_vector(reply: &SExpr) -> Option<(u128, u32)> {
    if let Some([SExpr::Atom(_), SExpr::Atom(value), SExpr::Atom(width)]) = reply.as_list() {
        return Some((value.strip_prefix("bv")?.parse().ok()?, width.parse().ok()?));
    }
    let text = reply.as_atom()?;
    if let Some(digits) = text.strip_prefix("#x") {
        return Some((u128::from_str_radix(digits, 16).ok()?, 4 * digits.len() as u32));
    }
    let digits = text.strip_prefix("#b")?;
    Some((u128::from_str_radix(digits, 2).ok()?, digits.len() as u32))
}

/// Bits, `(fp sign exponent fraction)` or `(_ NaN 11 53)` and its like.
fn float(reply: &SExpr, format: FloatFormat) -> Option<Value> {
    if let Some((bits, width)) = bit_vector(reply) {
        return (width == format.width()).then(|| Value::float(bits as u64, format));
    }
    let fraction_bits = format.significand_bits() - 1;
    let infinity = ((1u64 << format.exponent_bits()) - 1) << fraction_bits;
    let sign = 1u64 << (format.width() - 1);
    let bits = match reply.as_list()? {
        [SExpr::Atom(fp), s, e, f] if fp == "fp" => {
            let (s, e, f) = (bit_vector(s)?.0 as u64, bit_vector(e)?.0 as u64, bit_vector(f)?.0 as u64);
            (s * sign) | (e << fraction_bits) | f
        }
        [SExpr::Atom(_), SExpr::Atom(name), _, _] => match name.as_str() {
            "NaN" => format.canonical_nan(),
            "+oo" => infinity,
            "-oo" => infinity | sign,
            "+zero" => 0,
            "-zero" => sign,
            _ => return None,
        },
        _ => return None,
    };
    Some(Value::float(bits, format))
}

/// The number at the end of `Text!val!3` or `(as @Text_3 Text)`.
fn opaque(reply: &SExpr) -> Option<Value> {
    let name = match reply {
        SExpr::Atom(name) => name,
        SExpr::List(items) => items.get(1)?.as_atom()?,
        SExpr::Text(_) => return None,
    };
    let digits = name.rsplit(|c: char| !c.is_ascii_digit()).next()?;
    Some(Value::Opaque(digits.parse().ok()?))
}
