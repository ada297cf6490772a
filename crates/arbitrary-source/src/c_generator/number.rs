//! Numeric expressions of C without effects, each with the type that the language gives it.

use super::C;
use super::types::{ALL, Prim, Ty};
use crate::generator::{Callable, Generator, Number};

pub(super) const FORMS: &[(usize, Number<C>)] = &[
    (24, Generator::<C>::arithmetic),
    (10, Generator::<C>::bitwise),
    (7, Generator::<C>::shift),
    (7, Generator::<C>::unary),
    (12, Generator::<C>::any_cast),
    (6, Generator::<C>::ternary),
    (7, |generator, depth| (generator.comparison(depth - 1), Prim::Int)),
    (5, |generator, depth| (format!("(!!{})", generator.condition(depth)), Prim::Int)),
    (6, Generator::<C>::pure_call),
    (8, |generator, depth| generator.element(depth - 1).unwrap_or_else(|| generator.numeric_leaf())),
    (5, |generator, _| generator.member()),
    (6, Generator::<C>::library),
    (2, |generator, _| (format!("sizeof({})", generator.choices.pick(&ALL).name()), Prim::UnsignedLong)),
    (2, Generator::<C>::pointer_difference),
    (10, |generator, _| generator.numeric_leaf()),
];

impl Generator<C> {
    /// A numeric expression of an integer type.
    pub(super) fn integral(&mut self, depth: usize) -> (String, Prim) {
        let (text, prim) = self.number(depth);
        if !prim.is_float() {
            return (text, prim);
        }
        (self.cast(&text, prim, Prim::Int), Prim::Int)
    }

    /// An expression of type `int`.
    pub(super) fn int(&mut self, depth: usize) -> String {
        let (text, prim) = self.integral(depth);
        if prim.promoted() == Prim::Int { text } else { format!("((int) {text})") }
    }

    fn any_cast(&mut self, depth: usize) -> (String, Prim) {
        let to = self.choices.pick(&ALL);
        let (text, from) = self.number(depth - 1);
        (self.cast(&text, from, to), to)
    }

    fn ternary(&mut self, depth: usize) -> (String, Prim) {
        let condition = self.condition(depth - 1);
        let (then, left) = self.number(depth - 1);
        let (otherwise, right) = self.number(depth - 1);
        (format!("({condition} ? {then} : {otherwise})"), left.common(right))
    }

    /// A cast. Most of those from floats to integers are guarded, because out of range they are undefined.
    fn cast(&mut self, text: &str, from: Prim, to: Prim) -> String {
        if from.is_float() && !to.is_float() && to != Prim::Bool && self.choices.percent(90) {
            let variable = self.pick_variable(|ty| matches!(ty, Ty::Prim(Prim::Float | Prim::Double)));
            return match variable {
                Some((name, _)) => {
                    format!("({name} > -1.0 && {name} < 100.5 ? ({}) {name} : ({}) 5)", to.name(), to.name())
                }
                None => format!("(({}) 2.75)", to.name()),
            };
        }
        format!("(({}) {text})", to.name())
    }

    /// An expression for a place of this type: most conversions are implicit, hardly any undefined.
    pub(super) fn value(&mut self, to: Prim, depth: usize) -> String {
        let (text, from) = self.number(depth);
        if from.is_float() && !to.is_float() && to != Prim::Bool && self.choices.percent(95) {
            return self.int(depth.min(1));
        }
        if self.choices.percent(20) { format!("({}) {text}", to.name()) } else { text }
    }

    pub(super) fn numeric_leaf(&mut self) -> (String, Prim) {
        if self.choices.percent(75)
            && let Some((name, Ty::Prim(prim))) = self.pick_variable(|ty| matches!(ty, Ty::Prim(_)))
        {
            return (name, prim);
        }
        self.literal()
    }

    fn literal(&mut self) -> (String, Prim) {
        const LITERALS: [(&str, Prim); 47] = [
            ("0", Prim::Int),
            ("1", Prim::Int),
            ("2", Prim::Int),
            ("3", Prim::Int),
            ("5", Prim::Int),
            ("7", Prim::Int),
            ("10", Prim::Int),
            ("100", Prim::Int),
            ("127", Prim::Int),
            ("128", Prim::Int),
            ("255", Prim::Int),
            ("256", Prim::Int),
            ("1000", Prim::Int),
            ("(-1)", Prim::Int),
            ("(-2)", Prim::Int),
            ("(-100)", Prim::Int),
            ("32768", Prim::Int),
            ("65535", Prim::Int),
            ("65536", Prim::Int),
            ("2147483647", Prim::Int),
            ("(-2147483647 - 1)", Prim::Int),
            ("2147483648", Prim::Long),
            ("0x7fffffff", Prim::Int),
            ("0x80000000", Prim::Unsigned),
            ("0xffffffff", Prim::Unsigned),
            ("0xffffffffff", Prim::Long),
            ("0xffffffffffffffff", Prim::UnsignedLong),
            ("017", Prim::Int),
            ("'a'", Prim::Int),
            ("'\\n'", Prim::Int),
            ("'\\xff'", Prim::Int),
            ("0u", Prim::Unsigned),
            ("1u", Prim::Unsigned),
            ("3000000000u", Prim::Unsigned),
            ("1L", Prim::Long),
            ("4294967296", Prim::Long),
            ("9223372036854775807L", Prim::Long),
            ("1UL", Prim::UnsignedLong),
            ("18446744073709551615UL", Prim::UnsignedLong),
            ("7LL", Prim::LongLong),
            ("12345678901ULL", Prim::UnsignedLongLong),
            ("0.0", Prim::Double),
            ("0.1", Prim::Double),
            ("1.5f", Prim::Float),
            ("16777217.0f", Prim::Float),
            ("-2.5", Prim::Double),
            ("1e10", Prim::Double),
        ];
        if self.choices.percent(5) {
            let color = self.choices.pick(&["RED", "GREEN", "BLUE"]);
            return (format!("{}_{color}", self.state.name), Prim::Int);
        }
        let (text, prim) = self.choices.pick(&LITERALS);
        (if text.starts_with('-') { format!("({text})") } else { text.to_owned() }, prim)
    }

    fn arithmetic(&mut self, depth: usize) -> (String, Prim) {
        let op = self.choices.weighted(&[(6, "+"), (5, "-"), (5, "*"), (3, "/"), (3, "%")]);
        let (lhs, left) = if op == "%" { self.integral(depth - 1) } else { self.number(depth - 1) };
        let (mut rhs, right) = if op == "%" { self.integral(depth - 1) } else { self.number(depth - 1) };
        if (op == "/" || op == "%") && !right.is_float() && self.choices.percent(85) {
            // Neither zero nor minus one.
            rhs = format!("(({rhs} & 0x3f) + 1)");
        }
        (format!("({lhs} {op} {rhs})"), left.common(right))
    }

    fn shift(&mut self, depth: usize) -> (String, Prim) {
        let op = self.choices.pick(&["<<", ">>"]);
        let (lhs, left) = self.integral(depth - 1);
        let (rhs, _) = self.integral(depth - 1);
        let count = if self.choices.percent(96) { format!("({rhs} & {})", left.width() - 1) } else { rhs };
        (format!("({lhs} {op} {count})"), left.promoted())
    }

    fn unary(&mut self, depth: usize) -> (String, Prim) {
        match self.choices.below(6) {
            0 | 1 => {
                let (arg, prim) = self.integral(depth - 1);
                (format!("(~{arg})"), prim.promoted())
            }
            2 => (format!("(!{})", self.number(depth - 1).0), Prim::Int),
            op => {
                let (arg, prim) = self.number(depth - 1);
                (format!("({} {arg})", if op == 3 { "+" } else { "-" }), prim.promoted())
            }
        }
    }

    /// Something that is zero or not, without effects.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.comparison(0);
        }
        let depth = depth - 1;
        match self.choices.below(8) {
            0 => format!("({} && {})", self.condition(depth), self.condition(depth)),
            1 => format!("({} || {})", self.condition(depth), self.condition(depth)),
            2 => format!("(!{})", self.condition(depth)),
            3 => self.number(depth).0,
            4 => self.pointer_test(),
            _ => self.comparison(depth),
        }
    }

    fn pure_call(&mut self, depth: usize) -> (String, Prim) {
        let candidates: Vec<Callable<C>> = self.callables.iter().filter(|it| it.pure).cloned().collect();
        if candidates.is_empty() {
            return self.arithmetic(depth);
        }
        let function = self.choices.pick(&candidates);
        match (self.call(&function, depth - 1), function.result) {
            (Some(call), Some(Ty::Prim(prim))) => (call, prim),
            _ => self.arithmetic(depth),
        }
    }

    /// Library functions whose results the standards determine, made so that nothing else shows.
    fn library(&mut self, depth: usize) -> (String, Prim) {
        let (a, _) = self.number(depth - 1);
        let (b, _) = self.number(depth - 1);
        match self.choices.below(12) {
            0 => (format!("abs({})", self.int(depth - 1)), Prim::Int),
            1 => (format!("(isalpha({} & 127) != 0)", self.int(depth - 1)), Prim::Int),
            2 => (format!("(isdigit({} & 127) ? 3 : 4)", self.int(depth - 1)), Prim::Int),
            3 => (format!("toupper({} & 127)", self.int(depth - 1)), Prim::Int),
            4 => {
                let name = self.choices.pick(&["sqrt", "fabs", "floor", "ceil", "trunc", "round"]);
                (format!("{name}({a})"), Prim::Double)
            }
            5 => {
                // The sign of a NaN is not ours to know.
                let sign = self.int(depth - 1);
                let text = if self.choices.percent(50) {
                    format!("fmod({a}, {b})")
                } else {
                    format!("copysign({a}, {sign})")
                };
                (text, Prim::Double)
            }
            6 => (format!("labs({})", self.int(depth - 1)), Prim::Long),
            7 => (format!("(isspace({} & 127) != 0)", self.int(depth - 1)), Prim::Int),
            _ => self.number_of_string(depth),
        }
    }

    fn number_of_string(&mut self, depth: usize) -> (String, Prim) {
        let (a, b) = (self.string(), self.string());
        match self.choices.below(6) {
            0 | 1 => (format!("strlen({a})"), Prim::UnsignedLong),
            2 => (format!("(strcmp({a}, {b}) < 0)"), Prim::Int),
            3 => (format!("(strncmp({a}, {b}, {} & 3) == 0)", self.int(depth - 1)), Prim::Int),
            4 => (format!("(strchr({a}, 'a') != 0)"), Prim::Int),
            _ => (format!("{a}[0]"), Prim::Char),
        }
    }
}
