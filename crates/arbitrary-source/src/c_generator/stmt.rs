//! Statements of C. Every loop has a counter of its own, so that all programs end.

use super::C;
use super::types::{Prim, Ty};
use crate::generator::Statement::{Nested, Simple};
use crate::generator::{Callable, Generator, Statement};

pub(super) const FORMS: &[(usize, Statement<C>)] = &[
    (20, Simple(Generator::<C>::declaration)),
    (26, Simple(Generator::<C>::effect_statement)),
    (14, Nested(Generator::<C>::if_statement)),
    (14, Nested(Generator::<C>::loop_statement)),
    (7, Nested(Generator::<C>::switch_statement)),
    (6, Simple(Generator::<C>::print)),
    (7, Simple(Generator::<C>::call_statement)),
    (6, Simple(Generator::<C>::jump)),
    (3, Nested(Generator::<C>::block)),
    (6, Simple(Generator::<C>::memory)),
    (7, Simple(Generator::<C>::aggregate)),
    (2, Nested(Generator::<C>::backward_goto)),
];

impl Generator<C> {
    fn declaration(&mut self) {
        let prim = self.primitive();
        let name = self.fresh("v");
        let value = self.value(prim, 3);
        self.text.line(&format!("{} {name} = {value};", prim.name()));
        self.declare(name, Ty::Prim(prim));
    }

    /// Arrays, pointers, strings and structs.
    fn aggregate(&mut self) {
        let name = self.fresh("v");
        let prim = self.primitive();
        match self.choices.below(6) {
            0 | 1 => {
                let items: Vec<String> = (0..self.choices.between(1, 4)).map(|_| self.int(1)).collect();
                self.text.line(&format!("{} {name}[4] = {{{}}};", prim.name(), items.join(", ")));
                self.declare(name, Ty::Array(prim, 4));
            }
            2 => {
                let found = self.pick_assignable(|ty| matches!(ty, Ty::Array(..)));
                let Some((array, Ty::Array(prim, length))) = found else { return self.declaration() };
                let start = self.choices.below(length);
                let text = self.choices.pick(&["&A[S]", "A + S", "S + A"]);
                let text = text.replace('A', &array).replace('S', &start.to_string());
                self.text.line(&format!("{} *{name} = {text};", prim.name()));
                self.declare(name, Ty::Pointer(prim, length - start));
            }
            3 => {
                let start = self.choices.pick(&["\"\"", "\"ab\"", "\"xyz\"", "{'a', 0}"]);
                self.text.line(&format!("char {name}[8] = {start};"));
                self.declare(name, Ty::Buffer);
            }
            _ if self.state.has_struct => {
                let (a, c) = (self.int(1), self.int(1));
                let start = self.choices.below(3);
                let start = [
                    format!("{{{a}, 3}}"),
                    format!("{{.c = {{{c}}}, .d = 2}}"),
                    format!("{{.in = {{1, {a}}}}}"),
                ][start]
                    .clone();
                self.text.line(&format!("struct {}_s {name} = {start};", self.state.name));
                self.declare(name, Ty::Struct);
            }
            _ => self.declaration(),
        }
    }

    /// Library functions that write memory, structs as wholes, pointers that move.
    fn memory(&mut self) {
        let buffer = self.pick_assignable(|ty| *ty == Ty::Buffer).filter(|(name, _)| name.starts_with('v'));
        let structs: Vec<String> = [0; 2]
            .iter()
            .filter_map(|_| self.pick_assignable(|ty| *ty == Ty::Struct).map(|(name, _)| name))
            .collect();
        match (self.choices.below(8), buffer) {
            (0, Some((name, _))) => self.text.line(&format!("strcpy({name}, \"pq\");")),
            (1, Some((name, _))) => {
                self.text.line(&format!("if (strlen({name}) < 5) strcat({name}, \"z\");"));
            }
            (2, Some((name, _))) => {
                let value = self.int(1);
                self.text.line(&format!("memset({name}, {value}, 3);"));
                self.text.line(&format!("{name}[7] = 0;"));
            }
            (3, Some((name, _))) => {
                let value = self.int(1);
                self.text.line(&format!("{name}[{}] = {value};", self.choices.below(7)));
            }
            (4, _) if structs.len() == 2 => self.text.line(&format!("{} = {};", structs[0], structs[1])),
            (5, _) => {
                let prim = self.choices.pick(&[Prim::Int, Prim::Long, Prim::UnsignedChar, Prim::Double]);
                let name = self.fresh("m");
                let ty = prim.name();
                let allocation =
                    self.choices.pick(&["malloc(4 * sizeof(T))", "calloc(4, sizeof(T))"]).replace('T', ty);
                self.text.line(&format!("{ty} *{name} = {allocation};"));
                for index in 0..4 {
                    let value = self.int(1);
                    self.text.line(&format!("{name}[{index}] = {value};"));
                }
                self.declare(name, Ty::Array(prim, 4));
            }
            (6, _) => {
                let found = self.pick_assignable(|ty| matches!(ty, Ty::Array(..)));
                let Some((from, Ty::Array(prim, length))) = found else { return self.effect_statement() };
                let name = self.fresh("v");
                self.text.line(&format!("{} {name}[{length}];", prim.name()));
                self.text.line(&format!("memcpy({name}, {from}, {length} * sizeof({}));", prim.name()));
                self.declare(name, Ty::Array(prim, length));
            }
            _ => self.effect_statement(),
        }
    }

    pub(super) fn effect_statement(&mut self) {
        match self.effect(3) {
            Some(effect) if self.choices.percent(85) => self.text.line(&format!("{effect};")),
            Some(_) => {
                // A new variable, because an assignment is not ordered after all effects of its right-hand side.
                let name = self.fresh("v");
                let value = self.sequenced(1);
                self.text.line(&format!("int {name} = !{value};"));
                self.declare(name, Ty::Prim(Prim::Int));
            }
            None => self.declaration(),
        }
    }

    pub(super) fn guard(&mut self, depth: usize) -> String {
        if self.choices.percent(25) { self.sequenced(1) } else { self.condition(depth) }
    }

    fn loop_statement(&mut self, nesting: usize) {
        let base = self.variables.len();
        let limit = self.choices.between(1, 4);
        let counter = self.fresh("i");
        let tail = match self.choices.below(6) {
            0 | 1 => {
                self.text.open(&format!("for (int {counter} = 0; {counter} < {limit}; {counter}++)"));
                self.declare_read_only(&counter, Ty::Prim(Prim::Int));
                String::new()
            }
            2 => {
                let bound = self.int(2);
                self.text.open(&format!("for (unsigned long {counter} = {bound} & 3; {counter}-- > 0;)"));
                self.declare_read_only(&counter, Ty::Prim(Prim::UnsignedLong));
                String::new()
            }
            3 => {
                self.text.line(&format!("int {counter} = {limit};"));
                let condition = self.guard(2);
                self.text.open(&format!("while ({counter}-- && {condition})"));
                self.declare_read_only(&counter, Ty::Prim(Prim::Int));
                String::new()
            }
            4 => {
                self.text.line(&format!("unsigned char {counter} = 0;"));
                self.text.open("do");
                self.declare_read_only(&counter, Ty::Prim(Prim::UnsignedChar));
                let condition = self.guard(1);
                format!(" while (++{counter} < {limit} && {condition});")
            }
            _ => {
                self.text.open(&format!("for (short {counter} = 0;; {counter}++)"));
                self.text.line(&format!("if ({counter} >= {limit}) break;"));
                self.declare_read_only(&counter, Ty::Prim(Prim::Short));
                String::new()
            }
        };
        self.loop_body(nesting, base, &tail);
    }

    fn switch_statement(&mut self, nesting: usize) {
        let selector = match self.choices.below(4) {
            0 => format!("(char) {}", self.int(2)),
            1 => self.integral(2).0,
            _ => format!("{} % 3", self.int(2)),
        };
        self.text.open(&format!("switch ({selector})"));
        let count = self.choices.between(2, 5);
        let place_of_default = self.choices.below(count + 1);
        self.cases(&["0", "1", "-1", "2", "'a'"][..count], place_of_default, nesting);
        self.text.close("");
    }

    fn block(&mut self, nesting: usize) {
        self.text.open("");
        self.statements(nesting);
        self.text.close("");
    }

    /// A loop made of a label and a jump back to it.
    fn backward_goto(&mut self, nesting: usize) {
        let (label, counter) = (self.fresh("again"), self.fresh("i"));
        self.text.line(&format!("int {counter} = 0;"));
        self.text.line(&format!("{label}: ;"));
        let (loops, breakables) = (self.loops, self.breakables);
        self.block(nesting);
        (self.loops, self.breakables) = (loops, breakables);
        let condition = self.condition(2);
        self.text.line(&format!("if (++{counter} < 3 && {condition}) goto {label};"));
    }

    fn print(&mut self) {
        if self.state.pure {
            return self.effect_statement();
        }
        let int = self.int(2);
        let (value, prim) = self.number(2);
        let line = match self.choices.below(10) {
            0 => format!("printf(\"%d\\n\", {int});"),
            1 => format!("printf(\"%u %x;\", (unsigned) {int}, {int});"),
            2 => format!("printf(\"%ld,%lu\", (long) {int}, (unsigned long) {int});"),
            3 => format!("printf(\"%c|%5d|%-4d|%03d\", 'a' + ({int} & 7), {int}, {int}, {int});"),
            4 => format!("printf(\"<%s>\", {});", self.string()),
            // The sign of a NaN is not ours to know.
            5 if prim.is_float() => {
                format!("if ({value} == {value}) printf(\"%f %g\\n\", {value}, {value});")
            }
            6 if prim.is_float() => format!("if ({value} == {value}) printf(\"%.3f %e\", {value}, {value});"),
            7 => format!("putchar('a' + ({int} & 15));"),
            8 => format!("puts({});", self.string()),
            _ => format!("printf(\"%lld%%\", (long long) {int});"),
        };
        self.text.line(&line);
    }

    fn call_statement(&mut self) {
        let candidates: Vec<Callable<C>> =
            self.callables.iter().filter(|callable| callable.pure || !self.state.pure).cloned().collect();
        if candidates.is_empty() {
            return self.effect_statement();
        }
        let function = self.choices.pick(&candidates);
        let Some(call) = self.call(&function, 2) else { return self.effect_statement() };
        let place = self.pick_assignable(|ty| matches!(ty, Ty::Prim(prim) if prim.is_float()));
        match (function.result, place) {
            (Some(_), Some((name, _))) if self.choices.percent(60) => {
                self.text.line(&format!("{name} = {call};"))
            }
            _ => self.text.line(&format!("{call};")),
        }
    }

    fn jump(&mut self) {
        let condition = self.guard(2);
        let jump = match self.choices.below(5) {
            0 if self.loops > 0 => "continue;".to_owned(),
            1 if self.breakables > 0 => "break;".to_owned(),
            2 | 3 if !self.state.exits.is_empty() => format!("goto {};", self.state.exits[0]),
            _ => match self.result {
                Some(Ty::Prim(prim)) => format!("return {};", self.value(prim, 2)),
                _ => "return;".to_owned(),
            },
        };
        self.line_if(&condition, &jump);
    }
}
