//! Statements of Java. Every loop has a counter of its own, so that all programs end.

use super::Java;
use super::types::{Prim, Ty};
use crate::generator::Statement::{Nested, Simple};
use crate::generator::{Callable, Generator, Statement, Variable};

pub(super) const FORMS: &[(usize, Statement<Java>)] = &[
    (20, Simple(Generator::<Java>::declaration)),
    (22, Simple(Generator::<Java>::effect)),
    (14, Nested(Generator::<Java>::if_statement)),
    (14, Nested(Generator::<Java>::loop_statement)),
    (7, Nested(Generator::<Java>::switch_statement)),
    (7, Nested(Generator::<Java>::try_statement)),
    (6, Simple(Generator::<Java>::print)),
    (5, Simple(Generator::<Java>::call_statement)),
    (6, Simple(Generator::<Java>::jump)),
    (3, Nested(Generator::<Java>::labelled_block)),
    (8, Simple(Generator::<Java>::array_store)),
];

impl Generator<Java> {
    fn declaration(&mut self) {
        let ty = match self.choices.below(20) {
            0..11 => Ty::Prim(self.primitive()),
            11 | 12 => Ty::INT,
            13 | 14 => Ty::Text,
            15 | 16 => Ty::Array(self.primitive()),
            17 => Ty::Grid,
            18 if self.state.has_classes && !self.state.in_class => Ty::Object,
            19 if self.state.has_enum => Ty::Color,
            _ => Ty::Prim(Prim::Long),
        };
        let value = self.expr(ty, 3);
        let name = self.fresh("v");
        let modifier = if self.choices.percent(8) { "final " } else { "" };
        self.text.line(&format!("{modifier}{} {name} = {value};", ty.name()));
        self.variables.push(Variable { name, ty, assignable: modifier.is_empty() });
    }

    pub(super) fn effect(&mut self) {
        let is_step = self.choices.percent(30);
        let (text, _) = if is_step { self.increment(3) } else { self.assignment(3) };
        // Without a place to assign to, what comes back is not a statement.
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let is_effect = |text: &str| text.contains("++") || text.contains("--") || text.contains("= ");
        match inner.filter(|text| is_effect(text) && !text.starts_with('(')) {
            Some(effect) => self.text.line(&format!("{effect};")),
            None => self.declaration(),
        }
    }

    fn array_store(&mut self) {
        let Some((place, prim)) = self.array_element(2, |_| true) else { return self.declaration() };
        let value = self.expr(Ty::Prim(prim), 2);
        self.text.line(&format!("{place} = {value};"));
    }

    fn loop_statement(&mut self, nesting: usize) {
        let label = self.choices.percent(25).then(|| self.fresh("loop"));
        let start = label.as_ref().map_or(String::new(), |label| format!("{label}: "));
        let base = self.variables.len();
        let limit = self.choices.between(1, 4);
        let counter = self.fresh("i");
        let tail = match self.choices.below(7) {
            0 | 1 => {
                self.text.open(&format!("{start}for (int {counter} = 0; {counter} < {limit}; {counter}++)"));
                self.declare_read_only(&counter, Ty::INT);
                String::new()
            }
            2 => {
                let bound = self.expr(Ty::INT, 2);
                let step = self.choices.pick(&["--", " -= 2"]);
                self.text.open(&format!(
                    "{start}for (long {counter} = {bound} & 3; {counter} >= 0; {counter}{step})"
                ));
                self.declare_read_only(&counter, Ty::Prim(Prim::Long));
                String::new()
            }
            3 => {
                self.text.line(&format!("int {counter} = {limit};"));
                let condition = self.boolean(2);
                self.text.open(&format!("{start}while ({counter}-- > 0 && {condition})"));
                self.declare_read_only(&counter, Ty::INT);
                String::new()
            }
            4 => {
                self.text.line(&format!("byte {counter} = 0;"));
                self.text.open(&format!("{start}do"));
                self.declare_read_only(&counter, Ty::Prim(Prim::Byte));
                let condition = self.boolean(1);
                format!(" while (++{counter} < {limit} && {condition});")
            }
            5 => {
                self.text.open(&format!("{start}for (int {counter} = 0;; {counter}++)"));
                self.text.line(&format!("if ({counter} >= {limit}) break;"));
                self.declare_read_only(&counter, Ty::INT);
                String::new()
            }
            _ => {
                let found = self.pick_variable(|ty| matches!(ty, Ty::Array(_)));
                let (array, prim) = match found {
                    Some((name, Ty::Array(prim))) => (name, prim),
                    _ => ("new int[] {3, 1, 2}".to_owned(), Prim::Int),
                };
                self.text.open(&format!("{start}for ({} {counter} : {array})", prim.name()));
                self.declare_read_only(&counter, Ty::Prim(prim));
                String::new()
            }
        };
        let labels = self.state.labels.len();
        self.state.labels.extend(label.map(|label| (label, true)));
        self.loop_body(nesting, base, &tail);
        self.state.labels.truncate(labels);
    }

    fn labelled_block(&mut self, nesting: usize) {
        let label = self.fresh("block");
        self.text.open(&format!("{label}:"));
        self.state.labels.push((label, false));
        self.statements(nesting);
        self.state.labels.pop();
        self.text.close("");
    }

    fn switch_statement(&mut self, nesting: usize) {
        let (selector, cases) = self.selector();
        self.text.open(&format!("switch ({selector})"));
        if self.choices.percent(40) {
            for (index, case) in cases.iter().enumerate() {
                let is_last = index + 1 == cases.len();
                let head = if is_last { "default ->".to_owned() } else { format!("case {case} ->") };
                self.text.open(&head);
                self.statements(nesting);
                self.text.close("");
            }
        } else {
            let place_of_default = self.choices.below(cases.len());
            self.cases(cases, place_of_default, nesting);
        }
        self.text.close("");
    }

    /// What a switch looks at, and labels for it, the last of which may stand for `default`.
    fn selector(&mut self) -> (String, &'static [&'static str]) {
        match self.choices.below(6) {
            0 if self.state.has_enum => (self.color(), &["GREEN", "RED", "BLUE"]),
            1 => (self.text(1), &["\"a\"", "\"abc\"", "\"\"", "\"12\""]),
            2 => (format!("(char) ('a' + ({} & 3))", self.expr(Ty::INT, 2)), &["'a'", "98", "'c'", "'d'"]),
            3 => (format!("(byte) ({})", self.integral(2).0), &["0", "-1", "127", "1"]),
            _ => (format!("{} % 3", self.expr(Ty::INT, 2)), &["0", "1", "-1", "2"]),
        }
    }

    fn try_statement(&mut self, nesting: usize) {
        self.text.open("try");
        self.statements(nesting);
        if self.choices.percent(50) {
            self.throw();
        }
        let caught = self.choices.pick(&[
            &["ArithmeticException"][..],
            &["ArrayIndexOutOfBoundsException", "NullPointerException"],
            &["NullPointerException | ArithmeticException", "RuntimeException"],
            &["IllegalStateException", "IndexOutOfBoundsException"],
            &["RuntimeException"],
            &["IllegalArgumentException", "Exception"],
            &["NegativeArraySizeException", "ClassCastException", "Throwable"],
            &[],
        ]);
        for exception in caught {
            let name = self.fresh("e");
            self.text.close_and_open(&format!("catch ({exception} {name})"));
            self.statements(nesting);
            if self.choices.percent(10) {
                let condition = self.boolean(1);
                self.text.line(&format!("if ({condition}) {{ throw new IllegalStateException(); }}"));
            }
        }
        if caught.is_empty() || self.choices.percent(40) {
            self.text.close_and_open("finally");
            self.statements(nesting);
        }
        self.text.close("");
    }

    fn throw(&mut self) {
        let condition = self.boolean(2);
        let exception = self.choices.pick(&[
            "ArithmeticException(\"a\")",
            "IllegalArgumentException()",
            "IllegalStateException(\"state\")",
            "RuntimeException(\"r\" + 1)",
            "NullPointerException()",
            "UnsupportedOperationException()",
            "IndexOutOfBoundsException()",
        ]);
        self.text.line(&format!("if ({condition}) {{ throw new {exception}; }}"));
    }

    fn print(&mut self) {
        let what = match self.choices.below(5) {
            0 | 1 => self.text(2),
            2 => self.boolean(2),
            _ => self.number_with_simple_text(2),
        };
        let method = self.choices.pick(&["print", "println"]);
        self.text.line(&format!("System.out.{method}({what});"));
    }

    fn call_statement(&mut self) {
        let candidates: Vec<Callable<Java>> = self.callables.clone();
        if candidates.is_empty() {
            return self.effect();
        }
        let method = self.choices.pick(&candidates);
        let call = self.call(&method, 2);
        self.text.line(&format!("{call};"));
    }

    /// A jump under a condition, so that what follows can be reached.
    fn jump(&mut self) {
        let condition = self.boolean(2);
        let labels = self.state.labels.clone();
        let jump = match self.choices.below(6) {
            0 if self.loops > 0 => "continue;".to_owned(),
            1 if self.breakables > 0 => "break;".to_owned(),
            2 | 3 if !labels.is_empty() => {
                let (label, is_loop) = self.choices.pick(&labels);
                let word = if is_loop && self.choices.percent(50) { "continue" } else { "break" };
                format!("{word} {label};")
            }
            4 => return self.throw(),
            _ => match self.result {
                Some(ty) => format!("return {};", self.expr(ty, 2)),
                None => "return;".to_owned(),
            },
        };
        self.line_if(&condition, &jump);
    }
}
