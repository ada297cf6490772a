//! Random Java programs: well-typed, always ending, and full of the corners of the language.
//!
//! A program is one class with static fields, a few helper methods, sometimes two classes with a virtual method and
//! an enum, and the method `entry` that is run. Java's order of evaluation is fixed, so effects may stand anywhere.

mod expr;
mod number;
mod stmt;
mod types;

use crate::choices::Choices;
use crate::datum::Kind;
use crate::generator::{Callable, Dialect, Generator, Number, Statement, USUAL_SIZES, Variable};
use crate::program::GeneratedProgram;
use types::{INTEGRAL, Prim, Ty};

/// Makes the program with this number.
pub fn generate(seed: u64, number: u64) -> GeneratedProgram {
    generate_sized(seed, number, &USUAL_SIZES)
}

/// Makes the program with this number, with one of these numbers of statements in its entry.
pub fn generate_sized(seed: u64, number: u64, sizes: &[usize]) -> GeneratedProgram {
    let generator = Generator::new(Choices::new(seed, number), State::default());
    generator.program(&format!("P{number}"), sizes)
}

/// The dialect of Java.
#[derive(Clone, Copy)]
struct Java;

/// What the generator remembers of a Java program.
#[derive(Default)]
struct State {
    has_classes: bool,
    has_enum: bool,
    /// Inside an instance method: `this` has the fields of `Base`.
    in_class: bool,
    /// The labels of enclosing loops and blocks; whether each is a loop.
    labels: Vec<(String, bool)>,
}

impl Dialect for Java {
    type Prim = Prim;
    type Ty = Ty;
    type State = State;

    const STATEMENTS: &'static [(usize, Statement<Java>)] = stmt::FORMS;
    const NUMBERS: &'static [(usize, Number<Java>)] = number::FORMS;

    fn effect_statement(generator: &mut Generator<Java>) {
        generator.effect();
    }

    fn guard(generator: &mut Generator<Java>, depth: usize) -> String {
        generator.boolean(depth)
    }

    fn numeric_leaf(generator: &mut Generator<Java>) -> (String, Prim) {
        generator.numeric_leaf()
    }

    fn integral(generator: &mut Generator<Java>, depth: usize) -> (String, Prim) {
        generator.integral(depth)
    }

    fn common(left: Prim, right: Prim) -> Prim {
        left.common(right)
    }

    fn writes_globals(_: &State) -> bool {
        true
    }
}

impl Generator<Java> {
    fn program(mut self, name: &str, sizes: &[usize]) -> GeneratedProgram {
        self.text.open(&format!("class {name}"));
        self.static_fields();
        let globals: Vec<(String, Kind)> = self
            .globals
            .iter()
            .filter(|field| field.assignable)
            .map(|field| (field.name.clone(), field.ty.kind()))
            .collect();
        self.state.has_enum = self.choices.percent(15);
        if self.state.has_enum {
            self.text.line("enum Color { RED, GREEN, BLUE }");
        }
        if self.choices.percent(25) {
            self.classes();
        }
        for _ in 0..self.choices.below(3) {
            self.helper();
        }
        if self.choices.percent(25) {
            self.recursive_helper();
        }
        if self.choices.percent(15) {
            self.overloads();
        }
        let params: Vec<Ty> = (0..self.choices.between(1, 4)).map(|_| self.plain_type()).collect();
        let result = self.choices.percent(90).then(|| self.plain_type());
        self.budget = self.choices.pick(sizes);
        self.method("entry", &params, result);
        self.text.close("");
        GeneratedProgram {
            text: self.text.finish(),
            name: name.to_owned(),
            entry: "entry".to_owned(),
            params: params.into_iter().map(Ty::kind).collect(),
            result: result.map(Ty::kind),
            globals,
        }
    }

    /// A type that inputs and results can have.
    fn plain_type(&mut self) -> Ty {
        match self.choices.below(10) {
            0..6 => Ty::Prim(self.primitive()),
            6 | 7 => Ty::INT,
            8 => Ty::Text,
            _ => Ty::Array(self.primitive()),
        }
    }

    fn primitive(&mut self) -> Prim {
        self.choices.weighted(&[
            (2, Prim::Boolean),
            (2, Prim::Byte),
            (2, Prim::Short),
            (2, Prim::Char),
            (5, Prim::Int),
            (3, Prim::Long),
            (2, Prim::Float),
            (3, Prim::Double),
        ])
    }

    fn static_fields(&mut self) {
        for _ in 0..self.choices.below(3) {
            let prim = self.primitive();
            let name = self.fresh("g");
            self.text.line(&format!("static {} {name};", prim.name()));
            self.globals.push(Variable { name, ty: Ty::Prim(prim), assignable: true });
        }
        if self.choices.percent(25) {
            let prim = self.choices.pick(&INTEGRAL);
            let name = self.fresh("C");
            let value = self.literal(prim);
            self.text.line(&format!("static final {} {name} = {value};", prim.name()));
            self.globals.push(Variable { name, ty: Ty::Prim(prim), assignable: false });
        }
    }

    /// Two classes with fields, constructors and a method that the second overrides.
    fn classes(&mut self) {
        self.state.has_classes = true;
        self.state.in_class = true;
        let saved = std::mem::take(&mut self.callables);
        self.text.open("static class Base");
        self.text.line("int x;");
        self.text.line("long y = 3;");
        self.text.line("char[] z;");
        self.text.open("Base(int x)");
        self.text.line("this.x = x;");
        self.text.line("y += x;");
        self.text.close("");
        self.budget = 2;
        self.instance_method("int weigh(int a)", "int");
        self.text.line("final long twice() { return 2 * y + weigh(x); }");
        self.text.close("");
        self.text.open("static class Derived extends Base");
        self.text.line("double w;");
        self.text.open("Derived(int x, double w)");
        let argument = self.choices.pick(&["x", "x + 1", "x * x", "-x"]);
        self.text.line(&format!("super({argument});"));
        self.text.line("this.w = w;");
        self.text.close("");
        self.budget = 2;
        if self.choices.percent(80) {
            self.instance_method("int weigh(int a)", "int");
        }
        self.text.close("");
        self.state.in_class = false;
        self.callables = saved;
    }

    fn instance_method(&mut self, signature: &str, result: &str) {
        assert_eq!(result, "int", "the methods of the classes should give an int");
        self.text.open(signature);
        let base = self.variables.len();
        self.declare("a", Ty::INT);
        self.declare("this.x", Ty::INT);
        self.declare("y", Ty::Prim(Prim::Long));
        self.result = Some(Ty::INT);
        self.statements(2);
        let value = self.expr(Ty::INT, 2);
        self.text.line(&format!("return {value};"));
        self.variables.truncate(base);
        self.text.close("");
    }

    fn helper(&mut self) {
        let params: Vec<Ty> = (0..self.choices.below(4)).map(|_| self.plain_type()).collect();
        let result = self.choices.percent(85).then(|| self.plain_type());
        let name = self.fresh("h");
        self.budget = self.choices.between(1, 4);
        self.method(&name, &params, result);
        self.callables.push(Callable { name, params, result, pure: false });
    }

    /// A method with its statements, and a `return` at its end.
    fn method(&mut self, name: &str, params: &[Ty], result: Option<Ty>) {
        let base = self.variables.len();
        let mut declared = Vec::new();
        for ty in params {
            let name = self.fresh("p");
            declared.push(format!("{} {name}", ty.name()));
            self.declare(name, *ty);
        }
        let result_name = result.map_or("void".to_owned(), Ty::name);
        self.text.open(&format!("static {result_name} {name}({})", declared.join(", ")));
        self.result = result;
        while self.budget > 0 {
            self.statements(3);
        }
        if let Some(ty) = result {
            let value = self.expr(ty, 3);
            self.text.line(&format!("return {value};"));
        }
        self.variables.truncate(base);
        self.text.close("");
    }

    /// A method that calls itself with a smaller first argument.
    fn recursive_helper(&mut self) {
        let name = self.fresh("rec");
        let prim = self.choices.pick(&[Prim::Int, Prim::Long, Prim::Double, Prim::Byte]);
        let ty = Ty::Prim(prim);
        self.text.open(&format!("static {} {name}(int n, {} a)", prim.name(), prim.name()));
        let base = self.variables.len();
        self.declare_read_only("n", Ty::INT);
        self.declare("a", ty);
        self.result = Some(ty);
        let first = self.expr(ty, 2);
        self.line_if("n <= 0", &format!("return {first};"));
        self.budget = 2;
        self.statements(2);
        let argument = self.expr(ty, 2);
        let inner = format!("{name}(n - 1, {argument})");
        let around = self.expr(ty, 2);
        let last = match (prim, self.choices.below(3)) {
            (Prim::Byte, _) => format!("(byte) ({inner} + {around})"),
            (_, 0) => format!("{inner} * {around}"),
            (_, 1) => format!("{around} - {inner}"),
            _ => inner,
        };
        self.text.line(&format!("return {last};"));
        self.variables.truncate(base);
        self.text.close("");
        // Calls pass a first argument below four, so that the recursion is shallow; see `call`.
        self.callables.push(Callable { name, params: vec![Ty::INT, ty], result: Some(ty), pure: false });
    }

    /// Methods of one name; a call with any number finds the most specific one.
    fn overloads(&mut self) {
        for (prim, result) in [(Prim::Int, 1), (Prim::Long, 2), (Prim::Double, 3), (Prim::Char, 4)] {
            if prim == Prim::Double || self.choices.percent(60) {
                let name = prim.name();
                self.text.line(&format!("static int over({name} a) {{ return {result} + (int) a; }}"));
            }
        }
        self.callables.push(Callable {
            name: "over".to_owned(),
            params: Vec::new(),
            result: Some(Ty::INT),
            pure: false,
        });
    }
}
