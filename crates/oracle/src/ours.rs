//! What our front ends and interpreter say of a program, in the words of the harnesses.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

use arbitrary_source::Language;
use arbitrary_source::c_generator::PRELUDE;
use arbitrary_source::datum::{Datum, Kind};
use arbitrary_source::program::{GeneratedProgram, ProgramInput};
use interp::{Ending, Input, Limits, Machine, ObjectValue, RefValue, Run, Value};
use ir::Numbers;
use ir::{Cells, Const, ProcId, Program, ShapeId, SourceFile, Target, Type};

use casekit::process;

/// What we say of one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ours {
    /// The line that the harness should write.
    Observed(String),
    /// The run says nothing about the language, for this reason.
    Skipped(String),
    /// The run has no meaning in C: an error that the compiled program need not notice.
    Undefined(String),
}

/// A program that was lowered and is ready to run.
pub(crate) struct Prepared {
    program: Program,
    machine: Machine,
    procedure: ProcId,
    globals: Vec<String>,
    /// One for a method that is called on an object.
    receivers: usize,
    params: Vec<Kind>,
}

/// Enough for every program that ends as soon as the generators promise.
const LIMITS: Limits = Limits { steps: 300_000, memory_cells: 200_000, call_depth: 500, output: 50_000 };

/// Lowers a program; a failure is a bug of ours, because the compilers accept the programs.
pub(crate) fn prepare(language: Language, generated: &GeneratedProgram) -> Result<Prepared, String> {
    let lowered = catch_unwind(AssertUnwindSafe(|| lower(language, generated)));
    let program = lowered.map_err(|_| "the front end panicked".to_owned())??;
    let found = program.procedures.iter().position(|p| p.short_name == generated.entry && p.body.is_some());
    let procedure = ProcId::from_index(found.ok_or("the lowered program has no entry")?);
    let extra = program.procedure(procedure).params.checked_sub(generated.params.len());
    let Some(receivers @ (0 | 1)) = extra else { return Err("the entry has other parameters".to_owned()) };
    let machine = catch_unwind(AssertUnwindSafe(|| Machine::new(&program, Numbers::Machine)))
        .map_err(|_| "the interpreter panicked while compiling".to_owned())?;
    let globals = generated.globals.iter().map(|(name, _)| global_name(&program, name)).collect();
    Ok(Prepared { program, machine, procedure, globals, receivers, params: generated.params.clone() })
}

/// Lowers the text of a program.
pub(crate) fn lower(language: Language, generated: &GeneratedProgram) -> Result<Program, String> {
    let result = match language {
        Language::Java => {
            let name = format!("{}.java", generated.name);
            frontend_java::lower(&[SourceFile { name, text: generated.text.clone() }])
        }
        Language::C => {
            let name = format!("{}.c", generated.name);
            let text = match frontend_c::needs_preprocessor(&generated.text) {
                true => preprocess(&name, &generated.text).map_err(|error| format!("{error:#}"))?,
                false => format!("{PRELUDE}{}", generated.text),
            };
            frontend_c::lower(&[frontend_c::Preprocessed::new(name, text)], &frontend_c::Options::default())
        }
    };
    result.map_err(|errors| match errors.first() {
        Some(error) => format!("the front end says: {error}"),
        None => "the front end failed without a word".to_owned(),
    })
}

/// The text after the preprocessor, as the program itself would get it.
fn preprocess(name: &str, text: &str) -> anyhow::Result<String> {
    let folder = std::env::temp_dir().join(format!("selfsame-oracle-{}-cpp", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(name);
    std::fs::write(&path, text)?;
    process::output(Command::new("gcc").args(frontend_c::preprocessor_args()).arg(&path))
}

/// The program's name for a static field `g1`: with its class, if the front end puts it there.
fn global_name(program: &Program, name: &str) -> String {
    let qualified = format!(".{name}");
    let found =
        program.globals.iter().find(|global| global.name == name || global.name.ends_with(&qualified));
    found.map_or_else(|| name.to_owned(), |global| global.name.clone())
}

impl Prepared {
    /// Globals that nothing assigns keep their initial value, whatever an input says: puts it there.
    pub(crate) fn fix_constants(&self, input: &mut ProgramInput) {
        for (name, value) in self.globals.iter().zip(&mut input.globals) {
            if let Some(global) = self.program.globals.iter().find(|g| g.name == *name && g.constant) {
                *value = datum_of_const(&global.initial);
            }
        }
    }

    /// Runs the program on an input.
    pub(crate) fn run(&self, input: &ProgramInput) -> Ours {
        let translated = self.translate(input);
        let run = catch_unwind(AssertUnwindSafe(|| self.machine.run(self.procedure, &translated, &LIMITS)));
        match run {
            Ok(run) => self.observe(&run, input, &translated),
            Err(_) => Ours::Observed("the interpreter panicked".to_owned()),
        }
    }

    fn translate(&self, input: &ProgramInput) -> Input {
        let mut translated = Input::default();
        let locals = &self.program.procedure(self.procedure).locals;
        if self.receivers == 1 {
            let receiver = self.fresh_object(&locals[0].ty, &mut translated.objects);
            translated.args.push(receiver);
        }
        for (index, datum) in input.args.iter().enumerate() {
            let ty = &locals[index + self.receivers].ty;
            let value = match datum {
                Datum::SameAs(other) => translated.args[*other + self.receivers].clone(),
                _ => self.value(datum, ty, &mut translated.objects),
            };
            translated.args.push(value);
        }
        for (name, datum) in self.globals.iter().zip(&input.globals) {
            if let Some(global) = self.program.globals.iter().find(|global| global.name == *name) {
                let value = self.value(datum, &global.ty, &mut translated.objects);
                translated.globals.insert(name.clone(), value);
            } else if self.program.statics.iter().any(|object| object.name == *name) {
                let cell = self.static_cell_type(name);
                let value = self.value(datum, &cell, &mut translated.objects);
                translated.statics.insert(name.clone(), vec![value]);
            }
        }
        translated
    }

    /// An object whose fields are all zero, for methods that need one.
    fn fresh_object(&self, ty: &Type, objects: &mut Vec<ObjectValue>) -> Value {
        let Type::Ref(Target::Shape(shape)) = ty else { return Value::NULL };
        let shape = self.program.shape(*shape);
        let Cells::Fields(regions) = &shape.cells else { return Value::NULL };
        let zeros = regions.iter().map(|region| Const::zero(&self.program.region(*region).value));
        let cells = zeros.map(|zero| value_of_const(&zero)).collect();
        objects.push(ObjectValue::with_fields(&shape.name, cells));
        Value::object(objects.len() - 1)
    }

    /// The type of the only cell of a static object: a C variable whose address is taken.
    fn static_cell_type(&self, name: &str) -> Type {
        let object = self.program.statics.iter().find(|object| object.name == name);
        object.and_then(|object| self.cell_type(object.shape)).unwrap_or(Type::I32)
    }

    fn cell_type(&self, shape: ShapeId) -> Option<Type> {
        let (Cells::Fields(regions) | Cells::Indexed(regions)) = &self.program.shape(shape).cells;
        regions.first().map(|region| self.program.region(*region).value.clone())
    }

    fn value(&self, datum: &Datum, ty: &Type, objects: &mut Vec<ObjectValue>) -> Value {
        match (datum, ty) {
            (Datum::Bool(value), Type::Bool) => Value::Bool(*value),
            (Datum::Bool(value), _) => Value::Int((*value).into()),
            // Memory has one region for both signs of a width.
            (Datum::Int(value), Type::Int(ty)) => Value::Int(ty.wrap(*value)),
            (Datum::Int(value), _) => Value::Int(*value),
            (Datum::F32(bits), _) => Value::f32(f32::from_bits(*bits)),
            (Datum::F64(bits), _) => Value::f64(f64::from_bits(*bits)),
            (Datum::Text(units), _) => Value::Text(Some(units.clone())),
            (Datum::Null, Type::Text) => Value::Text(None),
            // A C pointer is an object and an offset.
            (_, Type::Record(fields)) => {
                Value::Record(vec![self.value(datum, &fields[0], objects), Value::Int(0)])
            }
            (Datum::Null, _) => Value::NULL,
            (Datum::Array(items), Type::Ref(Target::Shape(shape))) => {
                let cell = self.cell_type(*shape).unwrap_or(Type::I32);
                let cells = items.iter().map(|item| self.value(item, &cell, objects)).collect();
                objects.push(ObjectValue::indexed(&self.program.shape(*shape).name, cells));
                Value::object(objects.len() - 1)
            }
            (Datum::Array(_) | Datum::SameAs(_), _) => Value::NULL,
        }
    }

    fn observe(&self, run: &Run, input: &ProgramInput, translated: &Input) -> Ours {
        let mut line = match &run.ending {
            Ending::Returned(None) => "returned nothing".to_owned(),
            Ending::Returned(Some(value)) => format!("returned {}", datum_of_value(value, run)),
            Ending::Failed { error } if self.program.language == ir::Language::C => {
                return Ours::Undefined(error.clone());
            }
            Ending::Failed { error } => format!("failed {}", error.rsplit('.').next().unwrap_or(error)),
            Ending::Unsupported { what, .. } => return Ours::Skipped(format!("unsupported: {what}")),
            Ending::Broken { what } => return Ours::Observed(format!("broken: {what}")),
            other => return Ours::Skipped(format!("{other:?}")),
        };
        let args = translated.args.iter().skip(self.receivers);
        for ((datum, value), kind) in input.args.iter().zip(args).zip(&self.params) {
            if matches!(datum, Datum::Array(_) | Datum::SameAs(_)) {
                line.push_str(&format!(" {}", datum_of_value(value, run).of_kind(kind)));
            }
        }
        for (name, datum) in self.globals.iter().zip(&input.globals) {
            let short = name.rsplit('.').next().unwrap_or(name);
            let now = run.globals.get(name).or_else(|| run.statics.get(name).and_then(|cells| cells.first()));
            let now = now.map_or_else(|| datum.clone(), |value| datum_of_value(value, run));
            line.push_str(&format!(" {short}={now}"));
        }
        line.push_str(&format!(" output {}", Datum::Text(run.written[0].clone())));
        Ours::Observed(line)
    }
}

/// A value after a run, arrays with what is in them.
fn datum_of_value(value: &Value, run: &Run) -> Datum {
    match value {
        Value::Bool(value) => Datum::Bool(*value),
        Value::Int(value) => Datum::Int(*value),
        Value::F32(bits) => Datum::F32(*bits),
        Value::F64(bits) => Datum::F64(*bits),
        Value::Text(None) | Value::Ref(RefValue::Null | RefValue::Static(_)) => Datum::Null,
        Value::Text(Some(units)) => Datum::Text(units.clone()),
        Value::Ref(RefValue::Object(index)) => {
            let cells = &run.objects[*index].cells;
            Datum::Array(cells.iter().map(|cell| datum_of_value(cell, run)).collect())
        }
        Value::Record(fields) => fields.first().map_or(Datum::Null, |field| datum_of_value(field, run)),
        Value::Big(_) | Value::Real(_) | Value::Undefined | Value::Map(_) => Datum::Null,
    }
}

/// The zero of a type, as a value.
fn value_of_const(zero: &Const) -> Value {
    match zero {
        Const::Bool(value) => Value::Bool(*value),
        Const::Int(_, value) => Value::Int(*value),
        Const::F32(bits) => Value::F32(*bits),
        Const::F64(bits) => Value::F64(*bits),
        Const::Text(units) => Value::Text(Some(units.clone())),
        Const::NullText => Value::Text(None),
        Const::Null | Const::Static(_) | Const::Map(..) => Value::NULL,
        Const::Record(fields) => Value::Record(fields.iter().map(value_of_const).collect()),
    }
}

fn datum_of_const(value: &Const) -> Datum {
    match value {
        Const::Bool(value) => Datum::Bool(*value),
        Const::Int(_, value) => Datum::Int(*value),
        Const::F32(bits) => Datum::F32(*bits),
        Const::F64(bits) => Datum::F64(*bits),
        Const::Text(units) => Datum::Text(units.clone()),
        Const::NullText | Const::Null | Const::Static(_) | Const::Record(_) | Const::Map(..) => Datum::Null,
    }
}
