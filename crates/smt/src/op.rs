//! The operations that terms are made of.
//!
//! A node is an operation over argument terms. Every operation has the SMT-LIB meaning unless its
//! comment says otherwise; `meaning` computes it on values.

use crate::sort::FloatFormat;
use crate::value::Value;
use std::sync::Arc;

/// An operation; parameters that are not terms are inside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A literal; never an array.
    Const(Value),
    /// A free variable.
    Var(Arc<str>),
    /// An uninterpreted function of one argument or more.
    Apply(Arc<str>),

    Not,
    /// Conjunction of two or more.
    And,
    /// Disjunction. Simplified terms say it with `Not` and `And`, so that negation costs nothing.
    Or,
    Ite,
    /// Identity of values of any sort; for floats all NaNs are equal and +0 is not -0.
    Eq,

    /// `Add`, `Mul`, `And`, `Or` and `Xor` take two or more arguments, the others exactly two.
    Bv(BvOp),
    BvNeg,
    BvNot,
    BvCmp(BvCmp),
    Extract {
        high: u32,
        low: u32,
    },
    Concat,
    /// To this width.
    SignExtend(u32),
    /// To this width.
    ZeroExtend(u32),

    /// Sum over `Int` or `Real`.
    Add,
    /// Product over `Int` or `Real`.
    Mul,
    /// Euclidean quotient; any function of the dividend where the divisor is 0.
    IntDiv,
    /// Euclidean remainder; any function of the dividend where the divisor is 0.
    IntMod,
    /// Quotient; any function of the dividend where the divisor is 0.
    RealDiv,
    Lt,
    Le,
    IntToReal,
    /// The largest integer below or at a real number.
    RealFloor,

    Float(FloatOp),
    FloatCmp(FloatCmp),
    FloatIsNan,
    FloatFromBits(FloatFormat),
    FloatToBits,
    FloatConvert(FloatFormat),
    FloatFromInt {
        signed: bool,
        format: FloatFormat,
    },
    /// Towards zero; NaN becomes 0 and what is out of range the nearest bound, as in Java.
    FloatToInt {
        signed: bool,
        width: u32,
    },

    Select,
    Store,
    ConstArray,

    /// Concatenation of two or more. Has no meaning for `null`: callers spell that out first.
    TextConcat,
    /// Number of code units, as 32 bits; has no meaning for `null`.
    TextLength,
    /// The code unit at an index, as 16 bits; has no meaning out of range.
    TextAt,
}

/// Bit-vector operations of two operands, with SMT-LIB's meaning (also for division by zero).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BvOp {
    Add,
    Sub,
    Mul,
    Sdiv,
    Udiv,
    Srem,
    Urem,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
}

/// Bit-vector comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BvCmp {
    Slt,
    Sle,
    Ult,
    Ule,
}

/// Floating-point operations; those that round do so to nearest, ties to even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// C's `fmod` and Java's `%`, not the IEEE remainder.
    Rem,
    Sqrt,
    Neg,
    Abs,
    RoundToIntegral(RoundingMode),
}

/// How `RoundToIntegral` chooses among the neighbouring integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RoundingMode {
    /// `floor`
    TowardNegative,
    /// `ceil`
    TowardPositive,
    /// `trunc`
    TowardZero,
    /// `rint`
    NearestEven,
}

/// IEEE comparisons: false whenever an operand is NaN, and +0 equals -0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatCmp {
    Eq,
    Lt,
    Le,
}
