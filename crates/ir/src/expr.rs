//! Expressions: values without effects. All of them are total; what can go wrong is checked by statements before.

use crate::{Const, FloatType, GlobalId, IntType, LocalId, RegionId, Scalar, ShapeId};

/// An expression. `docs/ir.md` has the exact meaning, for machine and for mathematical numbers.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    Const(Const),
    Local(LocalId),
    Global(GlobalId),
    /// An operator on one value of a scalar type; the result has the same type.
    Unary {
        op: UnaryOp,
        ty: Scalar,
        arg: Box<Expr>,
    },
    /// An operator on two values of a scalar type; the result has the same type, or is a boolean for comparisons.
    Binary {
        op: BinaryOp,
        ty: Scalar,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// Conversion between scalar types, with Java's meaning for floats to integers.
    Convert {
        from: Scalar,
        to: Scalar,
        arg: Box<Expr>,
    },
    If {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// Whether two references are the same object, or both null.
    SameRef {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// Whether two texts have the same code units, or are both null.
    SameText {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// Whether two maps agree at every key.
    SameMap {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// One cell of an object; the object must not be null and the index must lie in it.
    Load {
        region: RegionId,
        object: Box<Expr>,
        index: Option<Box<Expr>>,
    },
    /// The number of cells of an object, in the index type of its shape: i32 or i64.
    Length {
        object: Box<Expr>,
        ty: IntType,
    },
    /// Whether an object has one of the shapes themselves (ancestors do not count); false for null.
    HasShape {
        object: Box<Expr>,
        shapes: Vec<ShapeId>,
    },
    Record(Vec<Expr>),
    /// One component of a record.
    Get {
        record: Box<Expr>,
        index: u32,
    },
    /// The value of a map at a key.
    Select {
        map: Box<Expr>,
        key: Box<Expr>,
    },
    /// The map that differs from another at one key.
    Update {
        map: Box<Expr>,
        key: Box<Expr>,
        value: Box<Expr>,
    },
    /// Whether an addition, subtraction, multiplication or division leaves the range of the type.
    /// Always false under `math` numbers.
    Overflows {
        op: BinaryOp,
        ty: IntType,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// Whether a float, without its fraction, lies in the range of an integer type. Always true under `math`.
    Fits {
        arg: Box<Expr>,
        from: FloatType,
        to: IntType,
    },
    Intrinsic {
        function: Intrinsic,
        args: Vec<Expr>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOp {
    /// Of a boolean.
    Not,
    /// Of a number; wraps for integers.
    Neg,
    /// Of an integer's bits.
    BitNot,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Truncates for integers.
    Div,
    /// Has the sign of the dividend: `%` of Java and C, `fmod` for floats.
    Rem,
    /// Of bits, or of booleans (both sides are evaluated: they have no effects).
    And,
    Or,
    Xor,
    /// Shifts use the count modulo the width. The count has the type of the shifted value.
    Shl,
    /// Arithmetic for signed types, logical for unsigned ones.
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
}

impl UnaryOp {
    pub const ALL: [UnaryOp; 3] = [UnaryOp::Not, UnaryOp::Neg, UnaryOp::BitNot];

    /// `not`, `neg` or `bitnot`.
    pub fn name(self) -> &'static str {
        match self {
            UnaryOp::Not => "not",
            UnaryOp::Neg => "neg",
            UnaryOp::BitNot => "bitnot",
        }
    }
}

impl BinaryOp {
    pub const ALL: [BinaryOp; 14] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
    ];

    /// `add`, `sub` and so on.
    pub fn name(self) -> &'static str {
        match self {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            BinaryOp::Mul => "mul",
            BinaryOp::Div => "div",
            BinaryOp::Rem => "rem",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Xor => "xor",
            BinaryOp::Shl => "shl",
            BinaryOp::Shr => "shr",
            BinaryOp::Eq => "eq",
            BinaryOp::Ne => "ne",
            BinaryOp::Lt => "lt",
            BinaryOp::Le => "le",
        }
    }

    /// Whether the result is a boolean whatever the operands are.
    pub fn is_comparison(self) -> bool {
        matches!(self, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le)
    }
}

/// Functions that both languages have in their libraries, and that the meaning must know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Intrinsic {
    /// Functions of one float that give a float of the same type.
    Sqrt(FloatType),
    Cbrt(FloatType),
    Sin(FloatType),
    Cos(FloatType),
    Tan(FloatType),
    Asin(FloatType),
    Acos(FloatType),
    Atan(FloatType),
    Sinh(FloatType),
    Cosh(FloatType),
    Tanh(FloatType),
    Exp(FloatType),
    Expm1(FloatType),
    Log(FloatType),
    Log10(FloatType),
    Log1p(FloatType),
    Log2(FloatType),
    Floor(FloatType),
    Ceil(FloatType),
    /// Towards zero.
    Trunc(FloatType),
    /// To the nearest, ties to even: Java's `rint`.
    Rint(FloatType),
    /// To the nearest, ties away from zero: C's `round`.
    Round(FloatType),
    Abs(FloatType),
    /// Functions of two floats.
    Pow(FloatType),
    Atan2(FloatType),
    Hypot(FloatType),
    /// The value of the first with the sign of the second.
    CopySign(FloatType),
    /// A float to a boolean.
    IsNan(FloatType),
    IsInfinite(FloatType),
    /// The bits of a float (NaN canonical) as a signed integer of its width, and back.
    ToBits(FloatType),
    FromBits(FloatType),
    /// Of an integer's bits, to the same type.
    CountOnes(IntType),
    LeadingZeros(IntType),
    TrailingZeros(IntType),
    /// The number of code units of a text as i32; the text must not be null.
    TextLength,
    /// The code unit at an i32 index as u16; the index must lie in the text.
    TextAt,
    /// Two texts, one after the other; neither is null.
    TextConcat,
    /// From an i32 start to an i32 end, exclusive; both must lie in the text.
    TextSlice,
    /// An integer in decimal.
    TextOfInt(IntType),
    /// `true` or `false`.
    TextOfBool,
    /// One code unit, given as u16.
    TextOfChar,
    /// A float as Java's `Double.toString` and `Float.toString` write it.
    TextOfFloat(FloatType),
    /// A float in C's `%.Nf` form; the second argument is N as i32.
    TextFixed(FloatType),
    /// A float in C's `%.Ne` form; the second argument is N as i32.
    TextExponent(FloatType),
    /// A float in C's `%.Ng` form; the second argument is N as i32.
    TextGeneral(FloatType),
    /// An integer's bits in base 16 without leading zeros, lower case.
    TextHex(IntType),
    /// An integer's bits in base 8 without leading zeros.
    TextOctal(IntType),
    /// Whether a text reads as a decimal integer of the type as Java's `parseInt` demands.
    ParsesAsInt(IntType),
    /// The integer that a text reads as; it must read as one.
    ParseInt(IntType),
    /// Whether a text reads as a float as Java's `parseDouble` demands.
    ParsesAsFloat(FloatType),
    ParseFloat(FloatType),
    /// Whether an object lies before another one in memory. A strict order of all objects, null first; the same in
    /// both versions, otherwise unknown.
    Before,
    /// Whether an object was there when the run began, or came from code that is not there. Static objects do not count.
    Given,
    /// The same i32. Another implementation may give another number of the same sign, as that of `strcmp` may.
    AnyOfSign,
    /// The same i32. Another implementation may give another number if it is not 0, as that of `isalpha` may.
    AnyNonzero,
    /// The same number, which stands for one that nothing was ever assigned: it may be any, so that no difference rests
    /// on it.
    UnwrittenInt(IntType),
    UnwrittenFloat(FloatType),
    /// The object of a pointer that nothing was ever assigned to: the same reference, the number tells such pointers
    /// apart. A proof takes it for any object, the same one in both versions.
    UnwrittenRef,
    /// Where such a pointer leads to in its object.
    UnwrittenOffset,
    /// A function of Java's `StrictMath`, on f64: another one than that of `Math`, in the last digits.
    Strict(Strict),
}

/// The functions that `StrictMath` computes otherwise than `Math` may.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strict {
    Cbrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Expm1,
    Log,
    Log10,
    Log1p,
    Pow,
    Atan2,
    Hypot,
}
