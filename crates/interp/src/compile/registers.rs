//! Gives constants their place in the frame, behind all other registers, once their number is known.

use crate::code::{Inst, NO_REG, Reg};

/// While a procedure is compiled, constant number `i` is register `CONSTANTS + i`.
pub(super) const CONSTANTS: Reg = 1 << 31;

pub(super) fn place_constants(inst: Inst, first: Reg) -> Inst {
    let at = |reg: Reg| if reg >= CONSTANTS && reg != NO_REG { reg - CONSTANTS + first } else { reg };
    match inst {
        Inst::Copy { dst, src, width } => Inst::Copy { dst, src: at(src), width },
        Inst::Unary { op, ty, dst, arg } => Inst::Unary { op, ty, dst, arg: at(arg) },
        Inst::Binary { op, ty, dst, lhs, rhs } => Inst::Binary { op, ty, dst, lhs: at(lhs), rhs: at(rhs) },
        Inst::Convert { from, to, dst, arg } => Inst::Convert { from, to, dst, arg: at(arg) },
        Inst::Overflows { op, ty, dst, lhs, rhs } => {
            Inst::Overflows { op, ty, dst, lhs: at(lhs), rhs: at(rhs) }
        }
        Inst::Fits { from, to, dst, arg } => Inst::Fits { from, to, dst, arg: at(arg) },
        Inst::Same { dst, lhs, rhs } => Inst::Same { dst, lhs: at(lhs), rhs: at(rhs) },
        Inst::SameMap { map, dst, lhs, rhs } => Inst::SameMap { map, dst, lhs: at(lhs), rhs: at(rhs) },
        Inst::Select { map, dst, base, key } => Inst::Select { map, dst, base: at(base), key: at(key) },
        Inst::Update { map, dst, base, key, value } => {
            Inst::Update { map, dst, base: at(base), key: at(key), value: at(value) }
        }
        Inst::SetGlobal { src, slot, width } => Inst::SetGlobal { src: at(src), slot, width },
        Inst::Load { region, dst, object, index } => {
            Inst::Load { region, dst, object: at(object), index: at(index) }
        }
        Inst::Store { region, src, object, index } => {
            Inst::Store { region, src: at(src), object: at(object), index: at(index) }
        }
        Inst::Length { dst, object } => Inst::Length { dst, object: at(object) },
        Inst::HasShape { dst, object, shapes } => Inst::HasShape { dst, object: at(object), shapes },
        Inst::Intrinsic { function, dst, args } => Inst::Intrinsic { function, dst, args: at(args) },
        Inst::New { dst, shape, length, unwritten } => {
            Inst::New { dst, shape, length: at(length), unwritten }
        }
        Inst::Free { object } => Inst::Free { object: at(object) },
        Inst::JumpUnless { condition, to, branch } => {
            Inst::JumpUnless { condition: at(condition), to, branch }
        }
        Inst::Check { condition, error, branch } => Inst::Check { condition: at(condition), error, branch },
        Inst::Assume { condition, branch } => Inst::Assume { condition: at(condition), branch },
        Inst::Call { callee, dst, args } => Inst::Call { callee, dst, args: at(args) },
        Inst::Return { src } => Inst::Return { src: at(src) },
        Inst::Throw { error, message } => Inst::Throw { error, message: at(message) },
        Inst::Print { stream, text } => Inst::Print { stream, text: at(text) },
        Inst::Const { .. }
        | Inst::GetGlobal { .. }
        | Inst::Jump { .. }
        | Inst::Mark { .. }
        | Inst::Stop { .. } => inst,
    }
}
