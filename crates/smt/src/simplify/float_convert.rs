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
