//! Constructors of texts: concatenations are flat and have no two literals side by side.

use crate::op::{BvOp, Op};
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

/// Concatenations of more parts than this are not merged into the one around them.
const MOST_FLATTENED: usize = 64;

impl Terms {
    /// A text literal of UTF-16 code units.
    pub fn text(&mut self, units: &[u16]) -> Term {
        self.intern(Op::Const(Value::text(units)), &[], &Sort::Text)
    }

    /// The text literal of a Rust string.
    pub fn text_of(&mut self, string: &str) -> Term {
        let units: Vec<u16> = string.encode_utf16().collect();
        self.text(&units)
    }

    /// The text that is no text: Java's `null`.
    pub fn text_null(&mut self) -> Term {
        self.intern(Op::Const(Value::Text(None)), &[], &Sort::Text)
    }

    /// The texts one after the other; empty when there are none.
    ///
    /// Has no meaning when one of them is `null`: turn that into the text `null` before.
    pub fn text_concat(&mut self, parts: &[Term]) -> Term {
        assert!(
            parts.iter().all(|&part| *self.sort_of(part) == Sort::Text),
            "only texts can be concatenated"
        );
        if !self.simplifying {
            return match parts {
                [] => self.text(&[]),
                [only] => *only,
                _ => self.intern(Op::TextConcat, parts, &Sort::Text),
            };
        }
        let mut flat: Vec<Term> = Vec::with_capacity(parts.len());
        for &part in parts {
            match self.op(part) {
                Op::TextConcat if self.args(part).len() <= MOST_FLATTENED => {
                    for inner in self.args(part).to_vec() {
                        self.push_part(&mut flat, inner);
                    }
                }
                _ => self.push_part(&mut flat, part),
            }
        }
        match flat.as_slice() {
            [] => self.text(&[]),
            [only] => *only,
            _ => self.intern(Op::TextConcat, &flat, &Sort::Text),
        }
    }

    /// Adds a part, joined with the literal before it if both are literals.
    fn push_part(&mut self, flat: &mut Vec<Term>, part: Term) {
        let Some(units) = self.as_units(part) else { return flat.push(part) };
        if units.is_empty() {
            return;
        }
        match flat.last().and_then(|&last| self.as_units(last)) {
            Some(before) => {
                let joined = [before, units].concat();
                flat.pop();
                let literal = self.text(&joined);
                flat.push(literal);
            }
            None => flat.push(part),
        }
    }

    /// The code units of a literal that is not `null`.
    fn as_units(&self, term: Term) -> Option<&[u16]> {
        match self.as_const(term) {
            Some(Value::Text(Some(units))) => Some(units),
            _ => None,
        }
    }

    /// The number of code units, as 32 bits.
    pub fn text_length(&mut self, text: Term) -> Term {
        assert_eq!(self.sort_of(text), &Sort::Text, "only a text has a length");
        let sort = Sort::BitVec(32);
        if let Some(folded) = self.fold(&Op::TextLength, &[text], &sort) {
            return folded;
        }
        if self.simplifying && matches!(self.op(text), Op::TextConcat) && self.start_lift() {
            let mut sum = self.bv(0, 32);
            for part in self.args(text).to_vec() {
                let length = self.text_length(part);
                sum = self.bv_op(BvOp::Add, sum, length);
            }
            self.end_lift();
            return sum;
        }
        self.intern(Op::TextLength, &[text], &sort)
    }

    /// The code unit at an index of 32 bits, as 16 bits; has no meaning out of range.
    pub fn text_at(&mut self, text: Term, index: Term) -> Term {
        assert_eq!(self.sort_of(text), &Sort::Text, "only a text has code units");
        assert_eq!(self.width_of(index), 32, "an index into a text should have 32 bits");
        let sort = Sort::BitVec(16);
        if let Some(folded) = self.fold(&Op::TextAt, &[text, index], &sort) {
            return folded;
        }
        // Only the leading literal has a known place.
        if let (Op::TextConcat, Some(at)) = (self.op(text), self.as_bits(index))
            && self.simplifying
            && let Some(&unit) = self.as_units(self.args(text)[0]).and_then(|units| units.get(at as usize))
        {
            return self.bv(u64::from(unit), 16);
        }
        self.intern(Op::TextAt, &[text, index], &sort)
    }

    /// Equality of texts, without what both begin and end with.
    pub(super) fn eq_texts(&mut self, left: Term, right: Term) -> Term {
        let mut left_parts = self.parts(left);
        let mut right_parts = self.parts(right);
        let common = left_parts.iter().zip(&right_parts).take_while(|(a, b)| a == b).count();
        left_parts.drain(..common);
        right_parts.drain(..common);
        while !left_parts.is_empty() && !right_parts.is_empty() && left_parts.last() == right_parts.last() {
            left_parts.pop();
            right_parts.pop();
        }
        let too_long = self.is_longer(&left_parts, &right_parts) || self.is_longer(&right_parts, &left_parts);
        if too_long || self.begin_differently(&left_parts, &right_parts) {
            return self.bool(false);
        }
        let left = self.text_concat(&left_parts);
        let right = self.text_concat(&right_parts);
        match (self.as_const(left), self.as_const(right)) {
            _ if left == right => self.bool(true),
            (Some(_), Some(_)) => self.bool(false),
            _ => self.eq_as_is(left, right),
        }
    }

    fn parts(&self, text: Term) -> Vec<Term> {
        match self.op(text) {
            Op::TextConcat => self.args(text).to_vec(),
            _ => vec![text],
        }
    }

    /// Whether the literals among `long` already have more code units than `short`, all literal, has.
    fn is_longer(&self, long: &[Term], short: &[Term]) -> bool {
        let count = |part: &Term| self.as_units(*part).map(<[u16]>::len);
        let all: Option<usize> = short.iter().map(count).sum();
        all.is_some_and(|all| long.iter().filter_map(count).sum::<usize>() > all)
    }

    /// Whether both begin with literals that disagree within the shorter one.
    fn begin_differently(&self, left: &[Term], right: &[Term]) -> bool {
        let first = |parts: &[Term]| parts.first().and_then(|&part| self.as_units(part));
        match (first(left), first(right)) {
            (Some(a), Some(b)) => a.iter().zip(b).any(|(x, y)| x != y),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::{differ, same};

    #[test]
    fn concatenation_is_flat_and_literals_join() {
        same("(++ (++ t \"a\") (++ \"b\" u))", "(++ t \"ab\" u)");
        same("(++ t \"\")", "t");
        same("(++)", "\"\"");
        same("(++ \"a\" \"b\")", "\"ab\"");
        differ("(++ t u)", "(++ u t)");
    }

    #[test]
    fn equality_ignores_what_is_common() {
        same("(= (++ t \"a\") (++ t \"b\"))", "false");
        same("(= (++ t u) (++ t1 u))", "(= t t1)");
        same("(= (++ \"ab\" t) (++ \"ac\" u))", "false");
        same("(= \"a\" \"b\")", "false");
        same("(= null \"null\")", "false");
        same("(= (++ t \"a\") t)", "false");
        same("(= (++ \"a\" t \"b\") \"b\")", "false");
        differ("(= (++ \"a\" t) \"ab\")", "false");
        differ("(= (++ \"ab\" t) (++ \"a\" u))", "false");
        differ("(= t u)", "false");
    }

    #[test]
    fn lengths_and_units_of_known_parts_are_known() {
        same("(length \"abc\")", "3:32");
        same("(length (++ t \"ab\"))", "(+ (length t) 2:32)");
        same("(at \"abc\" 1:32)", "98:16");
        same("(at (++ \"ab\" t) 1:32)", "98:16");
        differ("(at \"abc\" 3:32)", "0:16");
        differ("(at (++ t \"a\") 0:32)", "97:16");
    }
}
