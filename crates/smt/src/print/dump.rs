//! Terms as text for people: infix, with `let` for what occurs more than once.

use super::sharing;
use crate::op::{BvCmp, BvOp, FloatCmp, FloatOp, Op};
use crate::terms::{Term, Terms};
use rustc_hash::FxHashMap;

impl Terms {
    /// The term as readable text; shared subterms come first, one line each.
    pub fn print(&self, term: Term) -> String {
        let mut out = String::new();
        let mut writer = Writer { terms: self, names: FxHashMap::default() };
        let shared = sharing::to_name(self, &[term], |_| false);
        for (number, term) in shared.into_iter().enumerate() {
            let name = format!("${}", number + 1);
            out.push_str(&format!("let {name} = "));
            writer.write(term, &mut out);
            out.push('\n');
            writer.names.insert(term, name);
        }
        writer.write(term, &mut out);
        out
    }
}

struct Writer<'t> {
    terms: &'t Terms,
    names: FxHashMap<Term, String>,
}

impl Writer<'_> {
    fn write(&self, term: Term, out: &mut String) {
        if let Some(name) = self.names.get(&term) {
            out.push_str(name);
            return;
        }
        let (op, args) = (self.terms.op(term), self.terms.args(term));
        match op {
            Op::Const(value) => out.push_str(&value.to_string()),
            Op::Var(name) => out.push_str(name),
            Op::Not => self.write_not(args[0], out),
            Op::Ite => {
                self.write_operand(args[0], out);
                out.push_str(" ? ");
                self.write_operand(args[1], out);
                out.push_str(" : ");
                self.write_operand(args[2], out);
            }
            Op::Select => {
                self.write_operand(args[0], out);
                out.push('[');
                self.write(args[1], out);
                out.push(']');
            }
            Op::Store => {
                self.write_operand(args[0], out);
                out.push('[');
                self.write(args[1], out);
                out.push_str(" := ");
                self.write(args[2], out);
                out.push(']');
            }
            _ => match infix(op) {
                Some(symbol) => self.write_infix(symbol, args, out),
                None => self.write_call(&prefix(op), args, out),
            },
        }
    }

    fn write_not(&self, inner: Term, out: &mut String) {
        if *self.terms.op(inner) != Op::And || self.names.contains_key(&inner) {
            out.push('!');
            return self.write_operand(inner, out);
        }
        for (place, &part) in self.terms.args(inner).iter().enumerate() {
            if place > 0 {
                out.push_str(" || ");
            }
            match self.terms.op(part) {
                Op::Not if !self.names.contains_key(&part) => {
                    self.write_operand(self.terms.args(part)[0], out);
                }
                _ => {
                    out.push('!');
                    self.write_operand(part, out);
                }
            }
        }
    }

    fn write_infix(&self, symbol: &str, args: &[Term], out: &mut String) {
        for (place, &arg) in args.iter().enumerate() {
            if place > 0 {
                out.push(' ');
                out.push_str(symbol);
                out.push(' ');
            }
            self.write_operand(arg, out);
        }
    }

    fn write_call(&self, name: &str, args: &[Term], out: &mut String) {
        out.push_str(name);
        out.push('(');
        for (place, &arg) in args.iter().enumerate() {
            if place > 0 {
                out.push_str(", ");
            }
            self.write(arg, out);
        }
        out.push(')');
    }

    /// A term inside another one, in parentheses if it has an infix operator.
    fn write_operand(&self, term: Term, out: &mut String) {
        let op = self.terms.op(term);
        let named = self.names.contains_key(&term);
        let negated_and = *op == Op::Not && *self.terms.op(self.terms.args(term)[0]) == Op::And;
        if !named && (infix(op).is_some() || *op == Op::Ite || negated_and) {
            out.push('(');
            self.write(term, out);
            out.push(')');
        } else {
            self.write(term, out);
        }
    }
}

fn infix(op: &Op) -> Option<&'static str> {
    Some(match op {
        Op::And => "&&",
        Op::Or => "||",
        Op::Eq => "=",
        Op::Bv(op) => match op {
            BvOp::Add => "+",
            BvOp::Sub => "-",
            BvOp::Mul => "*",
            BvOp::Sdiv => "/",
            BvOp::Udiv => "/u",
            BvOp::Srem => "%",
            BvOp::Urem => "%u",
            BvOp::And => "&",
            BvOp::Or => "|",
            BvOp::Xor => "^",
            BvOp::Shl => "<<",
            BvOp::Lshr => ">>>",
            BvOp::Ashr => ">>",
        },
        Op::BvCmp(op) => match op {
            BvCmp::Slt => "<",
            BvCmp::Sle => "<=",
            BvCmp::Ult => "<u",
            BvCmp::Ule => "<=u",
        },
        Op::Add => "+",
        Op::Mul => "*",
        Op::IntDiv => "div",
        Op::IntMod => "mod",
        Op::RealDiv => "/",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::Float(op) => match op {
            FloatOp::Add => "+.",
            FloatOp::Sub => "-.",
            FloatOp::Mul => "*.",
            FloatOp::Div => "/.",
            FloatOp::Rem => "%.",
            FloatOp::Sqrt | FloatOp::Neg | FloatOp::Abs | FloatOp::RoundToIntegral(_) => return None,
        },
        Op::FloatCmp(op) => match op {
            FloatCmp::Eq => "==.",
            FloatCmp::Lt => "<.",
            FloatCmp::Le => "<=.",
        },
        Op::Concat => "++",
        Op::TextConcat => "++",
        _ => return None,
    })
}

fn prefix(op: &Op) -> String {
    match op {
        Op::Apply(name) => name.to_string(),
        Op::BvNeg => "neg".to_owned(),
        Op::BvNot => "complement".to_owned(),
        Op::Extract { high, low } => format!("bits{high}to{low}"),
        Op::SignExtend(to) => format!("s{to}"),
        Op::ZeroExtend(to) => format!("u{to}"),
        Op::IntToReal => "real".to_owned(),
        Op::RealFloor => "floor".to_owned(),
        Op::Float(FloatOp::RoundToIntegral(mode)) => format!("round{mode:?}"),
        Op::Float(op) => format!("{op:?}").to_lowercase(),
        Op::FloatIsNan => "is_nan".to_owned(),
        Op::FloatFromBits(format) => format!("{format}_from_bits"),
        Op::FloatToBits => "to_bits".to_owned(),
        Op::FloatConvert(format) => format!("{format}"),
        Op::FloatFromInt { signed, format } => {
            format!("{format}_from_{}", if *signed { "int" } else { "unsigned" })
        }
        Op::FloatToInt { signed, width } => format!("to_{}{width}", if *signed { "int" } else { "unsigned" }),
        Op::ConstArray => "everywhere".to_owned(),
        Op::TextLength => "length".to_owned(),
        Op::TextAt => "at".to_owned(),
        other => format!("{other:?}"),
    }
}
