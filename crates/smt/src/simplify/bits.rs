//! Constructors that look at single bits: masks and shifts.
//!
//! Shifts by literals become extractions and extensions (right) or products (left), so that the
//! many ways to write them meet.

use super::polynomial::Modular;
use crate::op::{BvOp, Op};
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::mask;

/// Chains of `and`, `or` or `xor` longer than this are not merged.
const MOST_FLATTENED: usize = 32;

impl Terms {
    /// `and`, `or` and `xor`, flattened, sorted, literals joined.
    pub(super) fn bitwise(&mut self, op: BvOp, left: Term, right: Term) -> Term {
        let width = self.width_of(left);
        let mut args = Vec::new();
        for term in [left, right] {
            match self.op(term) {
                Op::Bv(inner) if *inner == op && self.args(term).len() <= MOST_FLATTENED => {
                    args.extend_from_slice(self.args(term));
                }
                _ => args.push(term),
            }
        }
        let unit = if op == BvOp::And { mask(width) } else { 0 };
        let mut constant = unit;
        args.retain(|&arg| match self.as_bits(arg) {
            Some(bits) => {
                constant = match op {
                    BvOp::And => constant & bits,
                    BvOp::Or => constant | bits,
                    _ => constant ^ bits,
                };
                false
            }
            None => true,
        });
        args.sort_unstable();
        if op == BvOp::Xor {
            constant ^= self.cancel_in_xor(&mut args, width);
        } else {
            args.dedup();
            let absorbing = mask(width) ^ unit;
            if constant == absorbing || self.has_complements(&args) {
                return self.bv_wide(absorbing, width);
            }
        }
        self.join_bitwise(op, args, constant, unit, width)
    }

    fn join_bitwise(
        &mut self,
        op: BvOp,
        mut args: Vec<Term>,
        constant: u128,
        unit: u128,
        width: u32,
    ) -> Term {
        if op == BvOp::And
            && args.len() == 1
            && constant.wrapping_add(1).is_power_of_two()
            && constant != unit
        {
            // The low bits and nothing else.
            let low = self.extract(constant.count_ones() - 1, 0, args[0]);
            return self.zero_extend(width, low);
        }
        if op == BvOp::Xor && constant == mask(width) && !args.is_empty() {
            let rest = self.join_bitwise(op, args, 0, unit, width);
            return self.bv_not(rest);
        }
        if constant != unit || args.is_empty() {
            args.push(self.bv_wide(constant, width));
        }
        match args.as_slice() {
            [only] => *only,
            _ => self.intern(Op::Bv(op), &args, &Sort::BitVec(width)),
        }
    }

    /// Removes pairs of equal terms and pairs of complements; returns what those come to.
    fn cancel_in_xor(&mut self, args: &mut Vec<Term>, width: u32) -> u128 {
        let mut constant = 0;
        let mut kept: Vec<Term> = Vec::with_capacity(args.len());
        for &arg in args.iter() {
            if let Some(place) = kept.iter().position(|&other| other == arg) {
                kept.remove(place);
            } else if let Some(place) = kept.iter().position(|&other| self.are_complements(other, arg)) {
                kept.remove(place);
                constant ^= mask(width);
            } else {
                kept.push(arg);
            }
        }
        *args = kept;
        constant
    }

    fn has_complements(&self, args: &[Term]) -> bool {
        args.iter()
            .enumerate()
            .any(|(place, &a)| args[place + 1..].iter().any(|&b| self.are_complements(a, b)))
    }

    /// Shifts; by a literal they become extractions, extensions and products.
    pub(super) fn shift(&mut self, op: BvOp, left: Term, right: Term) -> Term {
        let width = self.width_of(left);
        if self.as_bits(left) == Some(0) {
            return left;
        }
        let Some(amount) = self.as_bits(right) else {
            return self.intern(Op::Bv(op), &[left, right], &Sort::BitVec(width));
        };
        let amount = u32::try_from(amount).unwrap_or(u32::MAX);
        match op {
            _ if amount == 0 => left,
            BvOp::Ashr => {
                let high = self.extract(width - 1, amount.min(width - 1), left);
                self.sign_extend(width, high)
            }
            _ if amount >= width => self.bv(0, width),
            BvOp::Lshr => {
                let high = self.extract(width - 1, amount, left);
                self.zero_extend(width, high)
            }
            _ => {
                let factor = self.bv_wide(1 << amount, width);
                self.multiply(&Modular { width }, left, factor)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::{differ, same};

    #[test]
    fn masks_and_identities() {
        same("(& x 0:32)", "0:32");
        same("(& x -1:32)", "x");
        same("(| x 0:32)", "x");
        same("(| x -1:32)", "-1:32");
        same("(& x x)", "x");
        same("(^ x x)", "0:32");
        same("(& x (~ x))", "0:32");
        same("(| x (~ x))", "-1:32");
        same("(^ x (~ x))", "-1:32");
        same("(^ x -1:32)", "(~ x)");
        same("(& (& x y) z)", "(& z (& y x))");
        same("(& (& x 12:32) 10:32)", "(& x 8:32)");
        same("(^ (^ x y) x)", "y");
        differ("(& x y)", "(| x y)");
        differ("(& x (~ y))", "0:32");
    }

    #[test]
    fn shifts_by_literals_meet_masks_and_extensions() {
        same("(<< x 3:32)", "(* 8:32 x)");
        same("(<< x 32:32)", "0:32");
        same("(>>> x 32:32)", "0:32");
        same("(>> x 40:32)", "(>> x 31:32)");
        same("(>> (<< x 24:32) 24:32)", "(sext:32 (extract:7-0 x))");
        same("(>>> (<< x 24:32) 24:32)", "(& x 255:32)");
        same("(>> (>> x 3:32) 4:32)", "(>> x 7:32)");
        same("(>> x 0:32)", "x");
        differ("(>> x 3:32)", "(>>> x 3:32)");
        differ("(<< (>> x 3:32) 3:32)", "x");
        differ("(<< x y)", "(<< y x)");
    }
}
