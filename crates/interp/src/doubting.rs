//! `machine` numbers of which some bits are not known: those of memory that was never written, and the sign and the
//! digits of a NaN of C. Over-approximating: a bit that counts as known is the same whatever these are.

use ir::{BinaryOp, Const, FloatType, IntType, Intrinsic, Language, Scalar, UnaryOp};

use crate::Value;
use crate::domain::Domain;
use crate::halt::{Halt, undecided};
use crate::machine::{Machine, wrap};
use crate::texts::Texts;

pub(crate) struct Doubting;

/// A word, and which of its bits are not known; these are extended beyond the width as the word is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Doubted {
    word: u64,
    unknown: u64,
}

impl Doubted {
    fn known(word: u64) -> Doubted {
        Doubted { word, unknown: 0 }
    }

    /// All bits are known, or none is.
    fn unless(word: u64, is_unknown: bool) -> Doubted {
        Doubted { word, unknown: if is_unknown { u64::MAX } else { 0 } }
    }

    fn is_known(self) -> bool {
        self.unknown == 0
    }
}

impl Domain for Doubting {
    type Slot = Doubted;

    fn handle(number: u32) -> Doubted {
        Doubted::known(number.into())
    }

    fn number(slot: &Doubted) -> Result<u32, Halt> {
        if slot.is_known() { Machine::number(&slot.word) } else { Err(not_known("a reference or text")) }
    }

    fn truth(slot: &Doubted) -> Result<bool, Halt> {
        if slot.is_known() { Machine::truth(&slot.word) } else { Err(not_known("a condition")) }
    }

    fn index(slot: &Doubted) -> Result<i64, Halt> {
        if slot.is_known() { Machine::index(&slot.word) } else { Err(not_known("an index or a length")) }
    }

    fn from_index(index: i64) -> Doubted {
        Doubted::known(Machine::from_index(index))
    }

    fn is_exact(slot: &Doubted) -> bool {
        slot.is_known()
    }

    fn extra_steps(_slot: &Doubted) -> u64 {
        0
    }

    fn constant(constant: &Const) -> Option<Doubted> {
        Machine::constant(constant).map(Doubted::known)
    }

    fn unary(op: UnaryOp, ty: Scalar, arg: &Doubted) -> Result<Doubted, Halt> {
        let word = Machine::unary(op, ty, &arg.word)?;
        Ok(match op {
            UnaryOp::Not | UnaryOp::BitNot => Doubted { word, unknown: arg.unknown },
            UnaryOp::Neg => Doubted::unless(word, !arg.is_known()),
        })
    }

    fn binary(op: BinaryOp, ty: Scalar, lhs: &Doubted, rhs: &Doubted) -> Result<Doubted, Halt> {
        let word = Machine::binary(op, ty, &lhs.word, &rhs.word)?;
        let either = lhs.unknown | rhs.unknown;
        if either == 0 {
            return Ok(Doubted::known(word));
        }
        let unknown = match op {
            BinaryOp::And => either & (lhs.unknown | lhs.word) & (rhs.unknown | rhs.word),
            BinaryOp::Or => either & (lhs.unknown | !lhs.word) & (rhs.unknown | !rhs.word),
            BinaryOp::Xor => either,
            BinaryOp::Shl | BinaryOp::Shr if rhs.is_known() => {
                Machine::binary(op, ty, &lhs.unknown, &rhs.word)?
            }
            // Where a bit differs that is known nothing else matters.
            BinaryOp::Eq | BinaryOp::Ne
                if !matches!(ty, Scalar::Float(_)) && (lhs.word ^ rhs.word) & !either != 0 =>
            {
                let differs = u64::from(op == BinaryOp::Ne);
                return Ok(Doubted::known(differs));
            }
            BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => {
                u64::MAX
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => u64::MAX,
        };
        Ok(Doubted { word, unknown: within(ty, unknown) })
    }

    fn convert(from: Scalar, to: Scalar, arg: &Doubted) -> Result<Doubted, Halt> {
        let word = Machine::convert(from, to, &arg.word)?;
        Ok(match (from, to) {
            (Scalar::Bool | Scalar::Int(_), Scalar::Int(_)) => {
                Doubted { word, unknown: within(to, within(from, arg.unknown)) }
            }
            _ => Doubted::unless(word, !arg.is_known()),
        })
    }

    fn overflows(op: BinaryOp, ty: IntType, lhs: &Doubted, rhs: &Doubted) -> Result<Doubted, Halt> {
        let word = Machine::overflows(op, ty, &lhs.word, &rhs.word)?;
        Ok(Doubted::unless(word, !lhs.is_known() || !rhs.is_known()))
    }

    fn fits(from: FloatType, to: IntType, arg: &Doubted) -> Result<Doubted, Halt> {
        Ok(Doubted::unless(Machine::fits(from, to, &arg.word)?, !arg.is_known()))
    }

    fn same(lhs: &Doubted, rhs: &Doubted) -> Doubted {
        Doubted::unless(Machine::same(&lhs.word, &rhs.word), !lhs.is_known() || !rhs.is_known())
    }

    fn intrinsic(
        function: Intrinsic,
        args: &[Doubted],
        texts: &mut Texts,
        language: Language,
    ) -> Result<Doubted, Halt> {
        let args = &args[..function.signature().params.len().min(args.len())];
        if let (Intrinsic::FromBits(ty), [bits]) = (function, args) {
            return float_of_bits(ty, *bits, texts, language);
        }
        if args.iter().any(|arg| !arg.is_known()) {
            return Ok(Doubted::unless(0, true));
        }
        let words: Vec<u64> = args.iter().map(|arg| arg.word).collect();
        let word = Machine::intrinsic(function, &words, texts, language)?;
        if language != Language::C || !Machine::shows_nan(function, &words) {
            return Ok(Doubted::known(word));
        }
        Ok(match function {
            Intrinsic::ToBits(ty) => {
                Doubted { word, unknown: within(Scalar::Int(ty.bits_type()), !bits_of_every_nan(ty)) }
            }
            _ => Doubted::unless(word, true),
        })
    }

    fn unknown(slot: Doubted) -> Doubted {
        Doubted::unless(slot.word, true)
    }

    fn settled(slot: Doubted, _zero: &Doubted) -> Doubted {
        Doubted::known(slot.word)
    }

    fn scalar_from_value(value: &Value, ty: Scalar) -> Option<Doubted> {
        Machine::scalar_from_value(value, ty).map(Doubted::known)
    }

    fn scalar_to_value(slot: &Doubted, ty: Scalar) -> Value {
        if slot.is_known() { Machine::scalar_to_value(&slot.word, ty) } else { Value::Undefined }
    }

    fn is_undefined(slot: &Doubted) -> bool {
        !slot.is_known()
    }

    fn keys_of(ty: Scalar) -> Option<u64> {
        Machine::keys_of(ty)
    }
}

/// The bits of a mask that a type has, extended as its words are.
fn within(ty: Scalar, mask: u64) -> u64 {
    match ty {
        Scalar::Bool => mask & 1,
        Scalar::Int(ty) => wrap(ty, mask),
        Scalar::Float(_) => mask,
    }
}

/// The bits that every NaN has that a computation gives: those of the exponent, and the first digit.
fn bits_of_every_nan(ty: FloatType) -> u64 {
    match ty {
        FloatType::F32 => 0x7fc0_0000,
        FloatType::F64 => 0x7ff8_0000_0000_0000,
    }
}

/// A float by its bits, which are enough to tell that it is a NaN.
fn float_of_bits(
    ty: FloatType,
    bits: Doubted,
    texts: &mut Texts,
    language: Language,
) -> Result<Doubted, Halt> {
    let word = Machine::intrinsic(Intrinsic::FromBits(ty), &[bits.word], texts, language)?;
    let every = bits_of_every_nan(ty);
    let is_nan = bits.unknown & every == 0 && bits.word & every == every;
    Ok(Doubted::unless(word, !bits.is_known() && !is_nan))
}

#[cold]
fn not_known(what: &str) -> Halt {
    undecided(format!("{what} depends on memory that was never written, or on the sign of a NaN"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(word: u64, unknown: u64) -> Doubted {
        Doubted { word, unknown }
    }

    #[test]
    fn bits_that_do_not_matter_need_not_be_known() {
        let ty = Scalar::Int(IntType::I32);
        let binary = |op, a, b| Doubting::binary(op, ty, &a, &b).unwrap();
        let half = int(0, 0xff00);
        assert_eq!(binary(BinaryOp::And, half, int(0xff, 0)), int(0, 0));
        assert_eq!(binary(BinaryOp::Or, half, int(0xff00, 0)), int(0xff00, 0));
        assert_eq!(binary(BinaryOp::Shr, half, int(8, 0)), int(0, 0xff));
        assert_eq!(binary(BinaryOp::Eq, half, int(1, 0)), int(0, 0));
        assert!(Doubting::truth(&binary(BinaryOp::Eq, half, int(0x100, 0))).is_err());
        assert!(!binary(BinaryOp::Add, half, int(1, 0)).is_known());
    }

    #[test]
    fn a_mask_is_extended_as_its_word_is() {
        let (byte, int32) = (Scalar::Int(IntType::I8), Scalar::Int(IntType::I32));
        let top = int(0, within(byte, 0x80));
        let wide = Doubting::convert(byte, int32, &top).unwrap();
        assert_eq!(wide.unknown, 0xffff_ffff_ffff_ff80);
        let unsigned = Scalar::Int(IntType::U8);
        let narrow = Doubting::convert(byte, unsigned, &top).unwrap();
        assert_eq!(narrow.unknown, 0x80);
    }

    #[test]
    fn a_nan_that_went_through_memory_is_one() {
        let texts = &mut Texts::new(&Default::default(), 100);
        let nan = Doubted::known(f64::NAN.to_bits());
        let ty = FloatType::F64;
        let bits = Doubting::intrinsic(Intrinsic::ToBits(ty), &[nan], texts, Language::C).unwrap();
        assert!(!bits.is_known());
        let back = Doubting::intrinsic(Intrinsic::FromBits(ty), &[bits], texts, Language::C).unwrap();
        assert!(back.is_known());
    }
}
