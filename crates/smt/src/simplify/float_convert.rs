//! Constructors that convert between floats, their bits and integers.

use crate::op::Op;
use crate::sort::{FloatFormat, Sort};
use crate::terms::{Term, Terms};

impl Terms {
    /// The float with these bits; every NaN pattern is the same NaN.
    pub fn float_from_bits(&mut self, bits: Term, format: FloatFormat) -> Term {
        assert_eq!(self.width_of(bits), format.width(), "the bits should have the format's width");
        if self.simplifying && matches!(self.op(bits), Op::FloatToBits) {
            return self.args(bits)[0];
        }
        self.fold_or_intern(Op::FloatFromBits(format), &[bits], &Sort::Float(format))
    }

    /// The bits of a float; those of NaN are `0x7ff8000000000000` or `0x7fc00000`.
    pub fn float_to_bits(&mut self, float: Term) -> Term {
        // The bits of a float made from bits are others when those are a NaN's.
        let width = self.format_of(float).width();
        self.fold_or_intern(Op::FloatToBits, &[float], &Sort::BitVec(width))
    }

    /// The float in another format, rounded to nearest even.
    pub fn float_convert(&mut self, float: Term, to: FloatFormat) -> Term {
        let from = self.format_of(float);
        if from == to {
            return float;
        }
        if let Some(folded) = self.fold(&Op::FloatConvert(to), &[float], &Sort::Float(to)) {
            return folded;
        }
        // Widening loses nothing, so narrowing again gives the number back.
        if self.simplifying && matches!(self.op(float), Op::FloatConvert(_)) && to == FloatFormat::F32 {
            return self.args(float)[0];
        }
        self.intern(Op::FloatConvert(to), &[float], &Sort::Float(to))
    }

    /// An integer as a float, rounded to nearest even.
    pub fn float_from_int(&mut self, int: Term, signed: bool, format: FloatFormat) -> Term {
        self.width_of(int);
        if self.simplifying {
            match self.op(int) {
                // The number is the same before it was widened.
                Op::ZeroExtend(_) => return self.float_from_int(self.args(int)[0], false, format),
                Op::SignExtend(_) if signed => return self.float_from_int(self.args(int)[0], true, format),
                _ => {}
            }
        }
        self.fold_or_intern(Op::FloatFromInt { signed, format }, &[int], &Sort::Float(format))
    }

    /// A float as an integer of `width` bits: towards zero, NaN becomes 0, and what is out of range
    /// the nearest bound (Java's casts; C leaves those cases undefined).
    pub fn float_to_int(&mut self, float: Term, width: u32, signed: bool) -> Term {
        self.format_of(float);
        let op = Op::FloatToInt { signed, width };
        if self.simplifying
            && let Some((source, source_signed)) = self.exact_source(float)
        {
            let source_width = self.width_of(source);
            if source_signed == signed && source_width <= width {
                return if signed {
                    self.sign_extend(width, source)
                } else {
                    self.zero_extend(width, source)
                };
            }
            if !source_signed && signed && source_width < width {
                return self.zero_extend(width, source);
            }
        }
        self.fold_or_intern(op, &[float], &Sort::BitVec(width))
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::{differ, same};

    #[test]
    fn conversions_that_lose_nothing_are_undone() {
        same("(f32 (f64 h))", "h");
        same("(to_int:32 (from_int x))", "x");
        same("(to_int:64 (from_int x))", "(sext:64 x)");
        same("(from_int (sext:64 x))", "(from_int x)");
        same("(from_int (zext:64 x))", "(from_unsigned x)");
        same("(from_bits (to_bits f))", "f");
        same("(< (from_int x) (from_int y))", "(< x y)");
        same("(= (from_int x) (from_int y))", "(= x y)");
    }

    #[test]
    fn conversions_that_round_stay() {
        differ("(f64 (f32 f))", "f");
        differ("(to_int:64 (from_int l))", "l");
        differ("(to_int:8 (from_int x))", "(extract:7-0 x)");
        differ("(< (from_int l) (from_int l1))", "(< l l1)");
        // The bits of a NaN may be others than the canonical ones.
        differ("(to_bits (from_bits l))", "l");
    }

    #[test]
    fn casts_of_literals_saturate_like_java() {
        same("(to_int:32 nan)", "0:32");
        same("(to_int:32 1e10d)", "2147483647:32");
        same("(to_int:32 -1e10d)", "-2147483648:32");
        same("(to_int:32 -1.9d)", "-1:32");
        same("(to_unsigned:8 300.0d)", "255:8");
        same("(to_unsigned:8 -1.0d)", "0:8");
        same("(to_bits nan)", "9221120237041090560:64");
    }
}
