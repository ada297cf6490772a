//! Numeric expressions of Java, each with the type that the language gives it.

use super::Java;
use super::types::{INTEGRAL, NUMERIC, Prim, Ty};
use crate::generator::{Generator, Number};

/// The type of a conditional is one that it can be assigned to; the others have their static types.
pub(super) const FORMS: &[(usize, Number<Java>)] = &[
    (22, Generator::<Java>::arithmetic),
    (9, Generator::<Java>::bitwise),
    (7, Generator::<Java>::shift),
    (6, Generator::<Java>::unary),
    (10, Generator::<Java>::cast),
    (6, Generator::<Java>::ternary),
    (5, Generator::<Java>::assignment),
    (5, Generator::<Java>::increment),
    (8, Generator::<Java>::numeric_call),
    (7, Generator::<Java>::element),
    (2, |generator, _| generator.length()),
    (5, Generator::<Java>::math),
    (4, Generator::<Java>::library),
    (3, Generator::<Java>::number_of_text),
    (2, Generator::<Java>::switch_expression),
    (4, Generator::<Java>::member),
    (10, |generator, _| generator.numeric_leaf()),
];

impl Generator<Java> {
    /// A numeric expression of an integral type.
    pub(super) fn integral(&mut self, depth: usize) -> (String, Prim) {
        let (text, prim) = self.number(depth);
        if prim.is_integral() {
            return (text, prim);
        }
        let to = self.choices.pick(&INTEGRAL);
        (format!("(({}) {text})", to.name()), to)
    }

    pub(super) fn numeric_leaf(&mut self) -> (String, Prim) {
        if self.choices.percent(75) {
            let found = self.pick_variable(|ty| matches!(ty, Ty::Prim(prim) if *prim != Prim::Boolean));
            if let Some((name, Ty::Prim(prim))) = found {
                return (name, prim);
            }
        }
        let prim = self.choices.weighted(&[
            (1, Prim::Char),
            (6, Prim::Int),
            (3, Prim::Long),
            (1, Prim::Float),
            (2, Prim::Double),
        ]);
        (self.literal(prim), prim)
    }

    /// A literal that may stand wherever a value of the type may.
    pub(super) fn literal(&mut self, prim: Prim) -> String {
        let choices = &mut self.choices;
        match prim {
            Prim::Boolean => choices.pick(&["true", "false"]).to_owned(),
            Prim::Byte => {
                format!("(byte) {}", choices.pick(&["0", "1", "(-1)", "127", "(-128)", "200", "0x80", "7"]))
            }
            Prim::Short => {
                format!(
                    "(short) {}",
                    choices.pick(&["0", "1", "(-1)", "32767", "(-32768)", "40000", "0xFFFF", "300"])
                )
            }
            Prim::Char => choices
                .pick(&[
                    "'a'",
                    "'z'",
                    "'0'",
                    "' '",
                    "'\\n'",
                    "'\\''",
                    "'\\\\'",
                    "'\\u0041'",
                    "'\\uffff'",
                    "(char) 0",
                    "(char) 65",
                ])
                .to_owned(),
            Prim::Int => choices
                .pick(&[
                    "0",
                    "1",
                    "2",
                    "3",
                    "5",
                    "7",
                    "10",
                    "31",
                    "32",
                    "33",
                    "63",
                    "64",
                    "100",
                    "255",
                    "256",
                    "1000",
                    "65535",
                    "(-1)",
                    "(-2)",
                    "(-7)",
                    "(-100)",
                    "2147483647",
                    "(-2147483648)",
                    "2147483646",
                    "0x7fff_ffff",
                    "0x80000000",
                    "0xffffffff",
                    "0b1011",
                    "017",
                    "1_000_000",
                    "Integer.MAX_VALUE",
                    "Integer.MIN_VALUE",
                    "46341",
                    "65536",
                    "123456789",
                ])
                .to_owned(),
            Prim::Long => choices
                .pick(&[
                    "0L",
                    "1L",
                    "2L",
                    "10L",
                    "(-1L)",
                    "(-3L)",
                    "63L",
                    "64L",
                    "4294967296L",
                    "2147483648L",
                    "(-2147483649L)",
                    "9223372036854775807L",
                    "(-9223372036854775808L)",
                    "0xffff_ffff_ffffL",
                    "Long.MAX_VALUE",
                    "Long.MIN_VALUE",
                    "1000000007L",
                    "3037000500L",
                ])
                .to_owned(),
            Prim::Float => choices
                .pick(&[
                    "0f",
                    "1f",
                    "(-0f)",
                    "0.1f",
                    "1.5f",
                    "(-2.5f)",
                    "16777217f",
                    "1e10f",
                    "3.4e38f",
                    "1e-45f",
                    "0.3333333f",
                    "Float.NaN",
                    "Float.MAX_VALUE",
                    "Float.MIN_VALUE",
                    "Float.POSITIVE_INFINITY",
                ])
                .to_owned(),
            Prim::Double => choices
                .pick(&[
                    "0.0",
                    "1.0",
                    "(-0.0)",
                    "0.1",
                    "0.2",
                    "0.5",
                    "1.5",
                    "2.5",
                    "(-2.5)",
                    "1e300",
                    "1e-300",
                    "4.9e-324",
                    "1e17",
                    "9007199254740993.0",
                    "2147483648.0",
                    "3.999999999999",
                    "Double.NaN",
                    "Double.POSITIVE_INFINITY",
                    "Double.NEGATIVE_INFINITY",
                    "Double.MAX_VALUE",
                    "Double.MIN_VALUE",
                    "Math.PI",
                    "Math.E",
                    "100d",
                    "1e3",
                ])
                .to_owned(),
        }
    }

    fn cast(&mut self, depth: usize) -> (String, Prim) {
        let to = self.choices.pick(&NUMERIC);
        let (text, _) = self.number(depth - 1);
        (format!("(({}) {text})", to.name()), to)
    }

    fn length(&mut self) -> (String, Prim) {
        match self.some_array() {
            Some(array) => (format!("{array}.length"), Prim::Int),
            None => self.numeric_leaf(),
        }
    }

    fn arithmetic(&mut self, depth: usize) -> (String, Prim) {
        let op = self.choices.weighted(&[(6, "+"), (5, "-"), (5, "*"), (3, "/"), (3, "%")]);
        let (lhs, left) = self.number(depth - 1);
        let (mut rhs, right) = self.number(depth - 1);
        let prim = left.common(right);
        // Most divisors are odd, so that most programs get past their divisions.
        if (op == "/" || op == "%") && right.is_integral() && self.choices.percent(70) {
            rhs = format!("({rhs} | 1)");
        }
        (format!("({lhs} {op} {rhs})"), prim)
    }

    fn shift(&mut self, depth: usize) -> (String, Prim) {
        let op = self.choices.pick(&["<<", ">>", ">>>"]);
        let (lhs, left) = self.integral(depth - 1);
        let (rhs, _) = self.integral(depth - 1);
        (format!("({lhs} {op} {rhs})"), left.promoted())
    }

    fn unary(&mut self, depth: usize) -> (String, Prim) {
        match self.choices.below(5) {
            0 | 1 => {
                let (arg, prim) = self.integral(depth - 1);
                (format!("(~{arg})"), prim.promoted())
            }
            op => {
                let (arg, prim) = self.number(depth - 1);
                (format!("({} {arg})", if op == 2 { "+" } else { "-" }), prim.promoted())
            }
        }
    }

    /// The type of a conditional has rules of its own; what is said here is wide enough for all of them.
    fn ternary(&mut self, depth: usize) -> (String, Prim) {
        let condition = self.boolean(depth - 1);
        let (then, left) = self.number(depth - 1);
        let (otherwise, right) = self.number(depth - 1);
        let prim = if left == right { left } else { left.common(right) };
        (format!("({condition} ? {then} : {otherwise})"), prim)
    }

    /// A place that can be assigned to, and its type.
    pub(super) fn numeric_place(&mut self, depth: usize) -> Option<(String, Prim)> {
        let variable = self.pick_assignable(|ty| matches!(ty, Ty::Prim(prim) if *prim != Prim::Boolean));
        match (variable, self.choices.percent(25)) {
            (Some((name, Ty::Prim(prim))), false) => Some((name, prim)),
            _ => self.array_element(depth, |prim| prim != Prim::Boolean),
        }
    }

    /// `(x = e)` or `(x op= e)`; compound assignment casts back without saying so.
    pub(super) fn assignment(&mut self, depth: usize) -> (String, Prim) {
        let Some((place, prim)) = self.numeric_place(depth - 1) else { return self.numeric_leaf() };
        let text = match self.choices.below(4) {
            0 => format!("({place} = {})", self.expr(Ty::Prim(prim), depth - 1)),
            1 if prim.is_integral() => {
                let op = self.choices.pick(&["&=", "|=", "^=", "<<=", ">>=", ">>>="]);
                format!("({place} {op} {})", self.integral(depth - 1).0)
            }
            _ => {
                let op = self.choices.weighted(&[(4, "+="), (3, "-="), (3, "*="), (1, "/="), (1, "%=")]);
                let (mut value, right) = self.number(depth - 1);
                if op.len() == 2 && "/%".contains(&op[..1]) && right.is_integral() && self.choices.percent(80)
                {
                    value = format!("({value} | 1)");
                }
                format!("({place} {op} {value})")
            }
        };
        (text, prim)
    }

    pub(super) fn increment(&mut self, depth: usize) -> (String, Prim) {
        let Some((place, prim)) = self.numeric_place(depth - 1) else { return self.numeric_leaf() };
        let form = self.choices.below(4);
        let text =
            [format!("({place}++)"), format!("({place}--)"), format!("(++{place})"), format!("(--{place})")];
        (text[form].clone(), prim)
    }

    fn numeric_call(&mut self, depth: usize) -> (String, Prim) {
        let candidates: Vec<_> = self
            .callables
            .iter()
            .filter(|m| matches!(m.result, Some(Ty::Prim(p)) if p != Prim::Boolean))
            .cloned()
            .collect();
        if candidates.is_empty() {
            return self.arithmetic(depth);
        }
        let method = self.choices.pick(&candidates);
        let Some(Ty::Prim(prim)) = method.result else { return self.arithmetic(depth) };
        (self.call(&method, depth - 1), prim)
    }

    fn element(&mut self, depth: usize) -> (String, Prim) {
        self.array_element(depth - 1, |prim| prim != Prim::Boolean).unwrap_or_else(|| self.numeric_leaf())
    }

    /// Functions of `Math` whose results Java determines to the last bit.
    fn math(&mut self, depth: usize) -> (String, Prim) {
        let (a, left) = self.number(depth - 1);
        match self.choices.below(12) {
            0 => (format!("Math.abs({a})"), left.promoted()),
            1 | 2 => {
                let (b, right) = self.number(depth - 1);
                let name = self.choices.pick(&["min", "max"]);
                (format!("Math.{name}({a}, {b})"), left.common(right))
            }
            3 => (format!("Math.sqrt({a})"), Prim::Double),
            4 => {
                let name = self.choices.pick(&["floor", "ceil", "rint"]);
                (format!("Math.{name}({a})"), Prim::Double)
            }
            5 if left == Prim::Float => (format!("Math.round({a})"), Prim::Int),
            5 => (format!("Math.round((double) {a})"), Prim::Long),
            6 | 7 => {
                let (a, b) = (self.expr(Ty::INT, depth - 1), self.expr(Ty::INT, depth - 1));
                let name = self.choices.pick(&["floorDiv", "floorMod"]);
                let divisor = if self.choices.percent(80) { format!("({b} | 1)") } else { b };
                (format!("Math.{name}({a}, {divisor})"), Prim::Int)
            }
            8 => {
                let (a, b) = (self.expr(Ty::INT, depth - 1), self.expr(Ty::INT, depth - 1));
                let name = self.choices.pick(&["addExact", "subtractExact", "multiplyExact"]);
                (format!("Math.{name}({a}, {b})"), Prim::Int)
            }
            9 => (format!("Math.signum((double) {a})"), Prim::Double),
            10 => (format!("Math.toIntExact((long) ({a}))"), Prim::Int),
            _ => (format!("Math.abs((int) {a})"), Prim::Int),
        }
    }

    /// Static functions of the wrapper classes.
    fn library(&mut self, depth: usize) -> (String, Prim) {
        let int = self.expr(Ty::INT, depth - 1);
        let long = self.expr(Ty::Prim(Prim::Long), depth - 1);
        let double = self.expr(Ty::Prim(Prim::Double), depth - 1);
        match self.choices.below(18) {
            0 => (format!("Integer.bitCount({int})"), Prim::Int),
            1 => (format!("Long.bitCount({long})"), Prim::Int),
            2 => (format!("Integer.numberOfLeadingZeros({int})"), Prim::Int),
            3 => (format!("Long.numberOfTrailingZeros({long})"), Prim::Int),
            4 => (format!("Integer.signum({int})"), Prim::Int),
            5 => (format!("Integer.compare({int}, (int) {long})"), Prim::Int),
            6 => (format!("Long.compare({long}, {int})"), Prim::Int),
            7 => (format!("Double.compare({double}, {int})"), Prim::Int),
            8 => (format!("Double.doubleToLongBits({double})"), Prim::Long),
            9 => (format!("Double.longBitsToDouble({long})"), Prim::Double),
            10 => (format!("Float.floatToIntBits((float) {double})"), Prim::Int),
            11 => (format!("Integer.parseInt(\"\" + {int})"), Prim::Int),
            12 => (format!("Character.getNumericValue((char) ('0' + ({int} & 7)))"), Prim::Int),
            13 => (format!("Integer.rotateLeft({int}, (int) {long})"), Prim::Int),
            14 => (format!("Integer.reverse({int})"), Prim::Int),
            15 => (format!("Long.numberOfLeadingZeros({long})"), Prim::Int),
            16 => (format!("Integer.highestOneBit({int})"), Prim::Int),
            _ => (format!("Character.toUpperCase((char) ({int} & 127))"), Prim::Char),
        }
    }

    fn number_of_text(&mut self, depth: usize) -> (String, Prim) {
        let text = self.text(depth - 1);
        let index = self.expr(Ty::INT, depth - 1);
        match self.choices.below(5) {
            0 | 1 => (format!("{text}.length()"), Prim::Int),
            2 => (format!("(\"k\" + {text}).charAt(0)"), Prim::Char),
            3 => (format!("{text}.charAt({index} & 1)"), Prim::Char),
            _ => (format!("({text} + \"abcd\").charAt({index} & 3)"), Prim::Char),
        }
    }

    fn switch_expression(&mut self, depth: usize) -> (String, Prim) {
        let selector = self.expr(Ty::INT, depth - 1);
        let [a, b, c] = [0; 3].map(|_| self.expr(Ty::INT, depth - 1));
        let text = match self.choices.below(2) {
            0 => format!("(switch ({selector} & 3) {{ case 0 -> {a}; case 1, 2 -> {b}; default -> {c}; }})"),
            _ => format!(
                "(switch ({selector} % 3) {{ case 0: yield +{a}; case 1: case -1: yield +{b}; default: yield +{c}; }})"
            ),
        };
        (text, Prim::Int)
    }

    /// What objects and enums give.
    fn member(&mut self, depth: usize) -> (String, Prim) {
        if self.state.has_enum && self.choices.percent(30) {
            return (format!("{}.ordinal()", self.color()), Prim::Int);
        }
        if !self.state.has_classes || self.state.in_class {
            return self.arithmetic(depth);
        }
        let object = self.object(depth - 1);
        let argument = self.expr(Ty::INT, depth - 1);
        match self.choices.below(7) {
            0 => (format!("{object}.x"), Prim::Int),
            1 => (format!("{object}.y"), Prim::Long),
            2 => (format!("({object}.x += {argument})"), Prim::Int),
            3 => (format!("{object}.twice()"), Prim::Long),
            4 => (format!("((Derived) {object}).w"), Prim::Double),
            _ => (format!("{object}.weigh({argument})"), Prim::Int),
        }
    }
}
