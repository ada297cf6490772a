//! Expressions of Java that are not numbers, and expressions of a wanted type.

use super::Java;
use super::types::{Prim, Ty};
use crate::generator::{Callable, Generator};

impl Generator<Java> {
    /// An expression that may be assigned to a variable of the type.
    pub(super) fn expr(&mut self, ty: Ty, depth: usize) -> String {
        match ty {
            Ty::Prim(Prim::Boolean) => self.boolean(depth),
            Ty::Prim(prim) => {
                if self.choices.percent(25)
                    && let Some((name, _)) = self.pick_variable(|other| *other == ty)
                {
                    return name;
                }
                if self.choices.percent(8) {
                    return self.literal(prim);
                }
                let (text, from) = self.number(depth);
                if from.widens_to(prim) { text } else { format!("({}) {text}", prim.name()) }
            }
            Ty::Text => self.text(depth),
            Ty::Array(prim) => self.array(prim, depth),
            Ty::Grid => self.grid(depth),
            Ty::Object => self.object(depth),
            Ty::Color => self.color(),
        }
    }

    pub(super) fn boolean(&mut self, depth: usize) -> String {
        if depth == 0 || self.choices.percent(12) {
            let variable = self.pick_variable(|ty| *ty == Ty::BOOLEAN);
            return match variable {
                Some((name, _)) if self.choices.percent(80) => name,
                _ => self.comparison(0),
            };
        }
        let depth = depth - 1;
        match self.choices.below(16) {
            0..6 => self.comparison(depth),
            6 => format!("({} && {})", self.boolean(depth), self.boolean(depth)),
            7 => format!("({} || {})", self.boolean(depth), self.boolean(depth)),
            8 => format!("(!{})", self.boolean(depth)),
            9 => {
                let op = self.choices.pick(&["^", "&", "|", "==", "!="]);
                format!("({} {op} {})", self.boolean(depth), self.boolean(depth))
            }
            10 => {
                let place = self.pick_assignable(|ty| *ty == Ty::BOOLEAN);
                let Some((place, _)) = place else { return self.comparison(depth) };
                let op = self.choices.pick(&["=", "&=", "|=", "^="]);
                format!("({place} {op} {})", self.boolean(depth))
            }
            11 => self.test(depth),
            12 => {
                let candidates: Vec<Callable<Java>> = self
                    .callables
                    .iter()
                    .filter(|method| method.result == Some(Ty::BOOLEAN))
                    .cloned()
                    .collect();
                if candidates.is_empty() {
                    return self.comparison(depth);
                }
                let method = self.choices.pick(&candidates);
                self.call(&method, depth)
            }
            13 => self
                .array_element(depth, |prim| prim == Prim::Boolean)
                .map_or_else(|| self.comparison(depth), |(text, _)| text),
            14 => format!("({} ? {} : {})", self.boolean(depth), self.boolean(depth), self.boolean(depth)),
            _ => self.literal(Prim::Boolean),
        }
    }

    /// A question about a text, a reference, a float or an enum.
    fn test(&mut self, depth: usize) -> String {
        match self.choices.below(8) {
            0 => format!("{}.equals({})", self.text(depth), self.text(depth)),
            1 => format!("({} == null)", self.text_variable()),
            2 if self.state.has_enum => format!("({} == {})", self.color(), self.color()),
            3 if self.state.has_classes && !self.state.in_class => {
                let object = self.object(depth);
                match self.choices.below(3) {
                    0 => format!("({object} instanceof Derived)"),
                    1 => format!("({object} == {})", self.object(depth)),
                    _ => format!("({object} != null)"),
                }
            }
            4 => format!("Double.isNaN({})", self.number(depth).0),
            5 => format!("Character.isDigit((char) ({} & 127))", self.expr(Ty::INT, depth)),
            6 => format!("Character.isLetter((char) ({} & 127))", self.expr(Ty::INT, depth)),
            _ => format!("{}.isEmpty()", self.text(depth)),
        }
    }

    pub(super) fn text(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.text_variable();
        }
        let depth = depth - 1;
        match self.choices.below(9) {
            0 | 1 => self.text_variable(),
            2 | 3 => format!("({} + {})", self.text(depth), self.text(depth)),
            4 => format!("({} + {})", self.text(depth), self.number_with_simple_text(depth)),
            5 => format!("({} + {})", self.number_with_simple_text(depth), self.text(depth)),
            6 => format!("({} + {})", self.text(depth), self.boolean(depth)),
            7 => format!("String.valueOf({})", self.number_with_simple_text(depth)),
            _ => match self.pick_assignable(|ty| *ty == Ty::Text) {
                // Texts must not grow without end in loops.
                Some((place, _)) => format!("({place} = {})", self.text_literal()),
                None => format!("({} ? {} : {})", self.boolean(depth), self.text(depth), self.text(depth)),
            },
        }
    }

    fn text_variable(&mut self) -> String {
        let variable = self.pick_variable(|ty| *ty == Ty::Text);
        match variable {
            Some((name, _)) if self.choices.percent(70) => name,
            _ => self.text_literal(),
        }
    }

    fn text_literal(&mut self) -> String {
        self.choices
            .pick(&["\"\"", "\"a\"", "\"abc\"", "\"q\\n\"", "\"\\\"\"", "\"12\"", "\"\\u00e9\\t\""])
            .to_owned()
    }

    /// A number whose text does not depend on how `Double.toString` chooses among several right answers.
    pub(super) fn number_with_simple_text(&mut self, depth: usize) -> String {
        match self.choices.below(6) {
            0 => format!("(double) {} / 8", self.integral_up_to_int(depth)),
            1 => format!("((float) ({} & 0xffff) / 4)", self.integral_up_to_int(depth)),
            2 => self
                .choices
                .pick(&["0.5", "-0.0", "Double.NaN", "1e10", "1.0f", "0.001", "1e-5", "123456789.0", "1e7"])
                .to_owned(),
            _ => self.integral(depth).0,
        }
    }

    fn integral_up_to_int(&mut self, depth: usize) -> String {
        let (text, prim) = self.integral(depth);
        if prim == Prim::Long { format!("((int) {text})") } else { text }
    }

    /// An array of the element type, which is rarely null.
    pub(super) fn array(&mut self, prim: Prim, depth: usize) -> String {
        let variable = self.pick_variable(|ty| *ty == Ty::Array(prim));
        match (variable, self.choices.below(10)) {
            (Some((name, _)), 0..7) => name,
            (Some((name, _)), 7) if depth > 0 => {
                format!("({} ? {name} : null)", self.boolean(depth - 1))
            }
            (_, 8) if depth > 0 => format!("new {}[{} & 7]", prim.name(), self.expr(Ty::INT, depth - 1)),
            (_, 9) if depth > 0 => format!("new {}[{} % 8]", prim.name(), self.expr(Ty::INT, depth - 1)),
            _ => {
                let count = self.choices.between(1, 5);
                let items: Vec<String> =
                    (0..count).map(|_| self.expr(Ty::Prim(prim), depth.min(1))).collect();
                format!("new {}[] {{{}}}", prim.name(), items.join(", "))
            }
        }
    }

    fn grid(&mut self, depth: usize) -> String {
        let index = self.expr(Ty::INT, depth.min(1));
        match self.choices.below(3) {
            0 => format!("new int[3][({index} & 3) + 1]"),
            1 => format!("new int[][] {{{{1, 2, 3}}, {{{index}}}, null, {{}}}}"),
            _ => format!("new int[{index} & 3][]"),
        }
    }

    /// The name of some array in scope.
    pub(super) fn some_array(&mut self) -> Option<String> {
        self.pick_variable(|ty| matches!(ty, Ty::Array(_) | Ty::Grid)).map(|(name, _)| name)
    }

    /// An element of an array in scope: most indices are small, some are not.
    pub(super) fn array_element(
        &mut self,
        depth: usize,
        wanted: impl Fn(Prim) -> bool,
    ) -> Option<(String, Prim)> {
        if wanted(Prim::Int)
            && self.choices.percent(15)
            && let Some((name, _)) = self.pick_variable(|ty| *ty == Ty::Grid)
        {
            let (row, column) = (self.index(depth, &name), self.index(depth, &name));
            return Some((format!("{name}[{row}][{column}]"), Prim::Int));
        }
        let (name, ty) = self.pick_variable(|ty| matches!(ty, Ty::Array(prim) if wanted(*prim)))?;
        let Ty::Array(prim) = ty else { return None };
        Some((format!("{name}[{}]", self.index(depth, &name)), prim))
    }

    fn index(&mut self, depth: usize, array: &str) -> String {
        let index = self.expr(Ty::INT, depth);
        match self.choices.below(12) {
            0 => index,
            1..4 => format!("Math.floorMod({index}, {array}.length)"),
            4..6 => format!("({index} & 3)"),
            6 => format!("{array}.length - 1"),
            _ => self.choices.pick(&["0", "1", "2"]).to_owned(),
        }
    }

    /// An object of the class `Base` or of `Derived`.
    pub(super) fn object(&mut self, depth: usize) -> String {
        let variable = self.pick_variable(|ty| *ty == Ty::Object);
        match (variable, self.choices.below(10)) {
            (Some((name, _)), 0..8) => name,
            (_, 8) if depth > 0 && self.choices.percent(20) => "((Base) null)".to_owned(),
            (_, 0..5) => format!("new Base({})", self.expr(Ty::INT, depth.min(1))),
            _ => format!("new Derived({}, {})", self.expr(Ty::INT, depth.min(1)), self.literal(Prim::Double)),
        }
    }

    pub(super) fn color(&mut self) -> String {
        match self.pick_variable(|ty| *ty == Ty::Color) {
            Some((name, _)) if self.choices.percent(60) => name,
            _ => self.choices.pick(&["Color.RED", "Color.GREEN", "Color.BLUE"]).to_owned(),
        }
    }

    /// A call, its arguments made to fit.
    pub(super) fn call(&mut self, method: &Callable<Java>, depth: usize) -> String {
        if method.name == "over" {
            return format!("over({})", self.number(depth).0);
        }
        let is_recursive = method.name.starts_with("rec");
        let mut args = Vec::new();
        for (index, ty) in method.params.iter().enumerate() {
            let arg = self.expr(*ty, depth.min(2));
            args.push(if is_recursive && index == 0 { format!("({arg}) & 3") } else { arg });
        }
        format!("{}({})", method.name, args.join(", "))
    }
}
