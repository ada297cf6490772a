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
use crate::program::GeneratedProgram;
use crate::source_text::SourceText;
use types::{INTEGRAL, Prim, Ty};

/// Makes the program with this number.
pub fn generate(seed: u64, number: u64) -> GeneratedProgram {
    generate_sized(seed, number, &USUAL_SIZES)
}

/// Makes the program with this number, with one of these numbers of statements in its entry.
pub fn generate_sized(seed: u64, number: u64, sizes: &[usize]) -> GeneratedProgram {
    let generator = Generator::new(Choices::new(seed, number));
    generator.program(&format!("P{number}"), sizes)
}

/// How many statements an entry has.
const USUAL_SIZES: [usize; 4] = [3, 6, 10, 16];

/// A variable in scope.
#[derive(Clone)]
struct Variable {
    name: String,
    ty: Ty,
    /// Loop counters and constants are read only.
    assignable: bool,
}

/// A method that can be called.
#[derive(Clone)]
struct Method {
    name: String,
    params: Vec<Ty>,
    result: Option<Ty>,
}

struct Generator {
    choices: Choices,
    text: SourceText,
    variables: Vec<Variable>,
    fields: Vec<Variable>,
    methods: Vec<Method>,
    has_classes: bool,
    has_enum: bool,
    /// Inside an instance method: `this` has the fields of `Base`.
    in_class: bool,
    result: Option<Ty>,
    names: usize,
    /// The labels of enclosing loops and blocks; whether each is a loop.
    labels: Vec<(String, bool)>,
    /// How many unlabelled loops (`continue`) and loops or switches (`break`) enclose the statement.
    loops: usize,
    breakables: usize,
    /// Statements that may still be written.
    budget: usize,
}

impl Generator {
    fn new(choices: Choices) -> Generator {
        Generator {
            choices,
            text: SourceText::default(),
            variables: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            has_classes: false,
            has_enum: false,
            in_class: false,
            result: None,
            names: 0,
            labels: Vec::new(),
            loops: 0,
            breakables: 0,
            budget: 0,
        }
    }

    fn program(mut self, name: &str, sizes: &[usize]) -> GeneratedProgram {
        self.text.open(&format!("class {name}"));
        self.static_fields();
        let globals: Vec<(String, Kind)> = self
            .fields
            .iter()
            .filter(|field| field.assignable)
            .map(|field| (field.name.clone(), field.ty.kind()))
            .collect();
        self.has_enum = self.choices.percent(15);
        if self.has_enum {
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

    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn static_fields(&mut self) {
        for _ in 0..self.choices.below(3) {
            let prim = self.primitive();
            let name = self.fresh("g");
            self.text.line(&format!("static {} {name};", prim.name()));
            self.fields.push(Variable { name, ty: Ty::Prim(prim), assignable: true });
        }
        if self.choices.percent(25) {
            let prim = self.choices.pick(&INTEGRAL);
            let name = self.fresh("C");
            let value = self.literal(prim);
            self.text.line(&format!("static final {} {name} = {value};", prim.name()));
            self.fields.push(Variable { name, ty: Ty::Prim(prim), assignable: false });
        }
    }

    /// Two classes with fields, constructors and a method that the second overrides.
    fn classes(&mut self) {
        self.has_classes = true;
        self.in_class = true;
        let saved = std::mem::take(&mut self.methods);
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
        self.in_class = false;
        self.methods = saved;
    }

    fn instance_method(&mut self, signature: &str, result: &str) {
        assert_eq!(result, "int", "the methods of the classes should give an int");
        self.text.open(signature);
        let base = self.variables.len();
        self.variables.push(Variable { name: "a".to_owned(), ty: Ty::INT, assignable: true });
        self.variables.push(Variable { name: "this.x".to_owned(), ty: Ty::INT, assignable: true });
        self.variables.push(Variable { name: "y".to_owned(), ty: Ty::Prim(Prim::Long), assignable: true });
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
        self.methods.push(Method { name, params, result });
    }

    /// A method with its statements, and a `return` at its end.
    fn method(&mut self, name: &str, params: &[Ty], result: Option<Ty>) {
        let base = self.variables.len();
        let mut declared = Vec::new();
        for ty in params {
            let variable = Variable { name: self.fresh("p"), ty: *ty, assignable: true };
            declared.push(format!("{} {}", ty.name(), variable.name));
            self.variables.push(variable);
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
        self.variables.push(Variable { name: "n".to_owned(), ty: Ty::INT, assignable: false });
        self.variables.push(Variable { name: "a".to_owned(), ty, assignable: true });
        self.result = Some(ty);
        let first = self.expr(ty, 2);
        self.text.open("if (n <= 0)");
        self.text.line(&format!("return {first};"));
        self.text.close("");
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
        self.methods.push(Method { name, params: vec![Ty::INT, ty], result: Some(ty) });
    }

    /// Methods of one name; a call with any number finds the most specific one.
    fn overloads(&mut self) {
        for (prim, result) in [(Prim::Int, 1), (Prim::Long, 2), (Prim::Double, 3), (Prim::Char, 4)] {
            if prim == Prim::Double || self.choices.percent(60) {
                let name = prim.name();
                self.text.line(&format!("static int over({name} a) {{ return {result} + (int) a; }}"));
            }
        }
        self.methods.push(Method { name: "over".to_owned(), params: Vec::new(), result: Some(Ty::INT) });
    }
}
