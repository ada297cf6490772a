//! Statements of C. Every loop has a counter of its own, so that all programs end.

use super::types::{Prim, Ty};
use super::{Function, Generator, Variable};

#[derive(Clone, Copy)]
enum Form {
    Declaration,
    Effect,
    If,
    Loop,
    Switch,
    Print,
    Call,
    Jump,
    Block,
    Memory,
    Aggregate,
    BackwardGoto,
}

impl Generator {
    /// A few statements, nested at most as deep as said.
    pub(super) fn statements(&mut self, nesting: usize) {
        let base = self.variables.len();
        if self.budget == 0 {
            self.effect_statement();
        }
        for _ in 0..self.choices.between(1, 4).min(self.budget) {
            // A statement before may have used up what was left.
            self.budget = self.budget.saturating_sub(1);
            self.statement(nesting);
        }
        // Declarations at the top of a function stay visible until its end; those of blocks do not.
        if nesting < 3 {
            self.variables.truncate(base);
        }
    }

    fn statement(&mut self, nesting: usize) {
        let form = self.choices.weighted(&[
            (20, Form::Declaration),
            (26, Form::Effect),
            (14, Form::If),
            (14, Form::Loop),
            (7, Form::Switch),
            (6, Form::Print),
            (7, Form::Call),
            (6, Form::Jump),
            (3, Form::Block),
            (6, Form::Memory),
            (7, Form::Aggregate),
            (2, Form::BackwardGoto),
        ]);
        match form {
            Form::Declaration => self.declaration(),
            Form::If if nesting > 0 => self.if_statement(nesting - 1),
            Form::Loop if nesting > 0 => self.loop_statement(nesting - 1),
            Form::Switch if nesting > 0 => self.switch_statement(nesting - 1),
            Form::Block if nesting > 0 => {
                self.text.open("");
                self.statements(nesting - 1);
                self.text.close("");
            }
            Form::Print if !self.pure => self.print(),
            Form::Call => self.call_statement(),
            Form::Jump => self.jump(),
            Form::Memory => self.memory(),
            Form::Aggregate => self.aggregate(),
            Form::BackwardGoto if nesting > 0 => self.backward_goto(nesting - 1),
            _ => self.effect_statement(),
        }
    }

    fn declare(&mut self, name: String, ty: Ty) {
        self.variables.push(Variable { name, ty, assignable: true });
    }

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
            _ if self.has_struct => {
                let (a, c) = (self.int(1), self.int(1));
                let start = self.choices.below(3);
                let start = [
                    format!("{{{a}, 3}}"),
                    format!("{{.c = {{{c}}}, .d = 2}}"),
                    format!("{{.in = {{1, {a}}}}}"),
                ][start]
                    .clone();
                self.text.line(&format!("struct {}_s {name} = {start};", self.name));
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

    fn effect_statement(&mut self) {
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

    fn guard(&mut self, depth: usize) -> String {
        if self.choices.percent(25) { self.sequenced(1) } else { self.condition(depth) }
    }

    fn if_statement(&mut self, nesting: usize) {
        let condition = self.guard(3);
        self.text.open(&format!("if ({condition})"));
        self.statements(nesting);
        if self.choices.percent(25) {
            let condition = self.guard(2);
            self.text.close_and_open(&format!("else if ({condition})"));
            self.statements(nesting);
        }
        if self.choices.percent(50) {
            self.text.close_and_open("else");
            self.statements(nesting);
        }
        self.text.close("");
    }

    fn loop_statement(&mut self, nesting: usize) {
        let base = self.variables.len();
        let limit = self.choices.between(1, 4);
        let counter = self.fresh("i");
        let visible =
            |name: &str, prim| Variable { name: name.to_owned(), ty: Ty::Prim(prim), assignable: false };
        let tail = match self.choices.below(6) {
            0 | 1 => {
                self.text.open(&format!("for (int {counter} = 0; {counter} < {limit}; {counter}++)"));
                self.variables.push(visible(&counter, Prim::Int));
                String::new()
            }
            2 => {
                let bound = self.int(2);
                self.text.open(&format!("for (unsigned long {counter} = {bound} & 3; {counter}-- > 0;)"));
                self.variables.push(visible(&counter, Prim::UnsignedLong));
                String::new()
            }
            3 => {
                self.text.line(&format!("int {counter} = {limit};"));
                let condition = self.guard(2);
                self.text.open(&format!("while ({counter}-- && {condition})"));
                self.variables.push(visible(&counter, Prim::Int));
                String::new()
            }
            4 => {
                self.text.line(&format!("unsigned char {counter} = 0;"));
                self.text.open("do");
                self.variables.push(visible(&counter, Prim::UnsignedChar));
                let condition = self.guard(1);
                format!(" while (++{counter} < {limit} && {condition});")
            }
            _ => {
                self.text.open(&format!("for (short {counter} = 0;; {counter}++)"));
                self.text.line(&format!("if ({counter} >= {limit}) break;"));
                self.variables.push(visible(&counter, Prim::Short));
                String::new()
            }
        };
        self.loops += 1;
        self.breakables += 1;
        self.statements(nesting);
        self.loops -= 1;
        self.breakables -= 1;
        self.variables.truncate(base);
        self.text.close(&tail);
    }

    fn switch_statement(&mut self, nesting: usize) {
        let selector = match self.choices.below(4) {
            0 => format!("(char) {}", self.int(2)),
            1 => self.integral(2).0,
            _ => format!("{} % 3", self.int(2)),
        };
        self.text.open(&format!("switch ({selector})"));
        self.breakables += 1;
        let cases = ["0", "1", "-1", "2", "'a'"];
        let count = self.choices.between(2, 5);
        let place_of_default = self.choices.below(count + 1);
        for (index, case) in cases.iter().take(count).enumerate() {
            let head =
                if index == place_of_default { "default:".to_owned() } else { format!("case {case}:") };
            self.text.open(&head);
            self.statements(nesting);
            self.text.close("");
            if self.choices.percent(60) {
                self.text.line("break;");
            }
        }
        self.breakables -= 1;
        self.text.close("");
    }

    /// A loop made of a label and a jump back to it.
    fn backward_goto(&mut self, nesting: usize) {
        let (label, counter) = (self.fresh("again"), self.fresh("i"));
        self.text.line(&format!("int {counter} = 0;"));
        self.text.line(&format!("{label}: ;"));
        let (loops, breakables) = (self.loops, self.breakables);
        self.text.open("");
        self.statements(nesting);
        self.text.close("");
        (self.loops, self.breakables) = (loops, breakables);
        let condition = self.condition(2);
        self.text.line(&format!("if (++{counter} < 3 && {condition}) goto {label};"));
    }

    fn print(&mut self) {
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
        let candidates: Vec<Function> =
            self.functions.iter().filter(|f| f.pure || !self.pure).cloned().collect();
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
            2 | 3 if !self.exits.is_empty() => format!("goto {};", self.exits[0]),
            _ => match self.result {
                Some(prim) => format!("return {};", self.value(prim, 2)),
                None => "return;".to_owned(),
            },
        };
        self.text.open(&format!("if ({condition})"));
        self.text.line(&jump);
        self.text.close("");
    }
}
