//! Random C programs: well-typed, always ending, and without unspecified order of effects.
//!
//! All names start with the name of the program, so that many programs can be compiled as one file. Expressions have
//! no effects, but where the language orders them: `&&`, `||`, `?:`, the comma, and whole right-hand sides. What is
//! undefined (a division by zero, an index out of bounds) may still happen; our interpreter finds that out first, and
//! such inputs are not compared.

mod expr;
mod number;
mod stmt;
mod types;

use crate::choices::Choices;
use crate::datum::Kind;
use crate::generator::{Callable, Dialect, Generator, Number, Statement, USUAL_SIZES, Variable};
use crate::program::GeneratedProgram;
use types::{ALL, Prim, Ty};

/// What the programs use of the library, so that none needs the preprocessor.
pub const PRELUDE: &str = "\
int printf(const char *format, ...);
int putchar(int c);
int puts(const char *s);
void *malloc(unsigned long size);
void *calloc(unsigned long count, unsigned long size);
void free(void *pointer);
void *memset(void *s, int c, unsigned long n);
void *memcpy(void *to, const void *from, unsigned long n);
int memcmp(const void *a, const void *b, unsigned long n);
unsigned long strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, unsigned long n);
char *strcpy(char *to, const char *from);
char *strcat(char *to, const char *from);
char *strchr(const char *s, int c);
int abs(int n);
long labs(long n);
int isdigit(int c);
int isalpha(int c);
int isspace(int c);
int isupper(int c);
int toupper(int c);
int tolower(int c);
double sqrt(double x);
double fabs(double x);
double floor(double x);
double ceil(double x);
double trunc(double x);
double round(double x);
double fmod(double x, double y);
double fmin(double x, double y);
double fmax(double x, double y);
double copysign(double x, double y);
";

/// Makes the program with this number.
pub fn generate(seed: u64, number: u64) -> GeneratedProgram {
    generate_sized(seed, number, &USUAL_SIZES)
}

/// Makes the program with this number, with one of these numbers of statements in its entry.
pub fn generate_sized(seed: u64, number: u64, sizes: &[usize]) -> GeneratedProgram {
    let state = State { name: format!("p{number}"), has_struct: false, pure: false, exits: Vec::new() };
    Generator::new(Choices::new(seed, number), state).program(sizes)
}

/// The dialect of C.
#[derive(Clone, Copy)]
struct C;

/// What the generator remembers of a C program.
struct State {
    /// The name of the program.
    name: String,
    has_struct: bool,
    /// Only locals may be written here, and nothing printed.
    pure: bool,
    /// Labels that stand after all enclosing blocks: `goto` may jump there.
    exits: Vec<String>,
}

impl Dialect for C {
    type Prim = Prim;
    type Ty = Ty;
    type State = State;

    const STATEMENTS: &'static [(usize, Statement<C>)] = stmt::FORMS;
    const NUMBERS: &'static [(usize, Number<C>)] = number::FORMS;

    fn effect_statement(generator: &mut Generator<C>) {
        generator.effect_statement();
    }

    fn guard(generator: &mut Generator<C>, depth: usize) -> String {
        generator.guard(depth)
    }

    fn numeric_leaf(generator: &mut Generator<C>) -> (String, Prim) {
        generator.numeric_leaf()
    }

    fn integral(generator: &mut Generator<C>, depth: usize) -> (String, Prim) {
        generator.integral(depth)
    }

    fn common(left: Prim, right: Prim) -> Prim {
        left.common(right)
    }

    fn writes_globals(state: &State) -> bool {
        !state.pure
    }
}

impl Generator<C> {
    fn program(mut self, sizes: &[usize]) -> GeneratedProgram {
        self.state.has_struct = self.choices.percent(35);
        if self.state.has_struct {
            self.structure();
        }
        self.text.line(&format!("enum {0}_color {{ {0}_RED, {0}_GREEN = 5, {0}_BLUE }};", self.state.name));
        self.global_variables();
        let globals: Vec<(String, Kind)> = self
            .globals
            .iter()
            .filter(|global| global.assignable)
            .filter_map(|global| match global.ty {
                Ty::Prim(prim) => Some((global.name.clone(), prim.kind())),
                _ => None,
            })
            .collect();
        for _ in 0..self.choices.below(4) {
            self.helper();
        }
        if self.choices.percent(25) {
            self.recursive_helper();
        }
        let params: Vec<Ty> = (0..self.choices.between(1, 4)).map(|_| self.parameter_type()).collect();
        let result = self.choices.percent(90).then(|| self.primitive());
        self.budget = self.choices.pick(sizes);
        let entry = format!("{}_entry", self.state.name);
        self.function(&entry, &params, result, false);
        let kind_of = |ty: &Ty| match ty {
            Ty::Prim(prim) => prim.kind(),
            Ty::Array(prim, length) | Ty::Pointer(prim, length) => {
                Kind::Fixed(Box::new(prim.kind()), *length)
            }
            Ty::Buffer => Kind::CString,
            Ty::Struct | Ty::StructPointer => unreachable!("inputs should be plain values"),
        };
        GeneratedProgram {
            text: self.text.finish(),
            name: self.state.name,
            entry,
            params: params.iter().map(kind_of).collect(),
            result: result.map(Prim::kind),
            globals,
        }
    }

    /// A type that an input can have.
    fn parameter_type(&mut self) -> Ty {
        match self.choices.below(10) {
            0..7 => Ty::Prim(self.primitive()),
            7 | 8 => Ty::Array(self.primitive(), 4),
            _ => Ty::Buffer,
        }
    }

    fn primitive(&mut self) -> Prim {
        if self.choices.percent(30) { Prim::Int } else { self.choices.pick(&ALL) }
    }

    /// A name that no other program of a batch has.
    fn fresh_at_file_scope(&mut self, stem: &str) -> String {
        let name = self.fresh(stem);
        format!("{}_{name}", self.state.name)
    }

    fn structure(&mut self) {
        self.text.open(&format!("struct {}_s", self.state.name));
        self.text.line("int a;");
        self.text.line("unsigned char b;");
        self.text.line("long c[2];");
        self.text.line("double d;");
        self.text.line("struct { short e; unsigned f; } in;");
        self.text.close(";");
    }

    fn global_variables(&mut self) {
        for _ in 0..self.choices.below(3) {
            let prim = self.primitive();
            let name = self.fresh_at_file_scope("g");
            let start = if self.choices.percent(50) { " = 3" } else { "" };
            let storage = if self.choices.percent(30) { "static " } else { "" };
            self.text.line(&format!("{storage}{} {name}{start};", prim.name()));
            self.globals.push(Variable { name, ty: Ty::Prim(prim), assignable: true });
        }
        if self.choices.percent(25) {
            let prim = self.primitive();
            let name = self.fresh_at_file_scope("t");
            let constant = if self.choices.percent(50) { "const " } else { "" };
            self.text.line(&format!("static {constant}{} {name}[4] = {{1, 250, -3}};", prim.name()));
            self.globals.push(Variable { name, ty: Ty::Array(prim, 4), assignable: constant.is_empty() });
        }
        if self.choices.percent(25) {
            let prim = self.choices.pick(&[Prim::Int, Prim::UnsignedChar, Prim::Long, Prim::Double]);
            let name = self.fresh_at_file_scope("c");
            self.text.line(&format!("static const {} {name} = 77;", prim.name()));
            self.globals.push(Variable { name, ty: Ty::Prim(prim), assignable: false });
        }
    }

    fn helper(&mut self) {
        let pure = self.choices.percent(55);
        let mut params: Vec<Ty> = (0..self.choices.below(4)).map(|_| Ty::Prim(self.primitive())).collect();
        if self.choices.percent(25) {
            params.push(Ty::Array(self.primitive(), 4));
        }
        if self.state.has_struct && self.choices.percent(25) {
            params.push(if self.choices.percent(50) { Ty::Struct } else { Ty::StructPointer });
        }
        let result = (pure || self.choices.percent(80)).then(|| self.primitive());
        let name = self.fresh_at_file_scope("h");
        self.budget = self.choices.between(1, 4);
        self.function(&name, &params, result, pure);
        self.callables.push(Callable { name, params, result: result.map(Ty::Prim), pure });
    }

    /// A function with its statements, and a `return` at its end.
    fn function(&mut self, name: &str, params: &[Ty], result: Option<Prim>, pure: bool) {
        let base = self.variables.len();
        let mut declared = Vec::new();
        for ty in params {
            let variable = self.fresh("a");
            declared.push(self.declarator(*ty, &variable));
            // What a pointer points to belongs to the caller.
            let assignable = !pure || matches!(ty, Ty::Prim(_) | Ty::Struct);
            self.variables.push(Variable { name: variable, ty: *ty, assignable });
        }
        let result_name = result.map_or("void", Prim::name);
        let list = if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
        self.text.open(&format!("{result_name} {name}({list})"));
        self.result = result.map(Ty::Prim);
        self.state.pure = pure;
        let exit = self.choices.percent(12).then(|| self.fresh("out"));
        self.state.exits.extend(exit.clone());
        if !pure && self.choices.percent(15) {
            let counter = self.fresh("s");
            self.text.line(&format!("static int {counter} = 2;"));
            self.declare(counter, Ty::Prim(Prim::Int));
        }
        while self.budget > 0 {
            self.statements(3);
        }
        if let Some(exit) = exit {
            self.state.exits.clear();
            // Locals that a jump skipped hold anything: they are not used after the label.
            self.variables.truncate(base + params.len());
            self.text.line(&format!("{exit}: ;"));
        }
        if let Some(prim) = result {
            let value = self.value(prim, 3);
            self.text.line(&format!("return {value};"));
        }
        self.variables.truncate(base);
        self.state.pure = false;
        self.text.close("");
    }

    /// A function that calls itself with a smaller first argument.
    fn recursive_helper(&mut self) {
        let name = self.fresh_at_file_scope("rec");
        let prim =
            self.choices.pick(&[Prim::Int, Prim::Unsigned, Prim::LongLong, Prim::Double, Prim::UnsignedChar]);
        self.text.open(&format!("static {} {name}(int n, {} a)", prim.name(), prim.name()));
        let base = self.variables.len();
        self.declare_read_only("n", Ty::Prim(Prim::Int));
        self.declare("a", Ty::Prim(prim));
        self.result = Some(Ty::Prim(prim));
        self.state.pure = true;
        let first = self.value(prim, 2);
        self.line_if("n <= 0", &format!("return {first};"));
        self.budget = 2;
        self.statements(2);
        let inner = format!("{name}(n - 1, {})", self.value(prim, 2));
        let last = match self.choices.below(3) {
            0 => format!("{inner} * {}", self.value(prim, 2)),
            1 => format!("{} - {inner}", self.value(prim, 2)),
            _ => inner,
        };
        self.text.line(&format!("return {last};"));
        self.state.pure = false;
        self.variables.truncate(base);
        self.text.close("");
        // Calls pass a first argument below four, so that the recursion is shallow; see `call`.
        let params = vec![Ty::Prim(Prim::Int), Ty::Prim(prim)];
        self.callables.push(Callable { name, params, result: Some(Ty::Prim(prim)), pure: true });
    }

    /// A declaration without its semicolon.
    fn declarator(&self, ty: Ty, name: &str) -> String {
        match ty {
            Ty::Prim(prim) => format!("{} {name}", prim.name()),
            Ty::Array(prim, _) | Ty::Pointer(prim, _) => format!("{} *{name}", prim.name()),
            Ty::Buffer => format!("char *{name}"),
            Ty::Struct => format!("struct {}_s {name}", self.state.name),
            Ty::StructPointer => format!("struct {}_s *{name}", self.state.name),
        }
    }
}
