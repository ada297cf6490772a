//! The C driver: builds the input, calls the function, and reports what it left behind.
//!
//! It stands in the same translation unit as the user's file, so that it sees private names and types.
//! Everything that needs a header is in `observe.c`, so that no name of ours meets one of the user's.

mod bytes;

use std::fmt::Write;

use check::Subject;
use interp::{Input, ObjectValue, RefValue, Run, Value};
use ir::{Cells, FloatType, IntType, Stream, Type};

use super::{CEnding, CPlan, Case, Expected};

/// Plans the run of one version, or says why it cannot be run.
pub(super) fn plan(subject: Subject<'_>, input: &Input, run: &Run) -> Result<CPlan, String> {
    let case = Case { subject, input, run };
    let mut writer = Writer { case: &case, code: String::new(), report: String::new() };
    writer.objects(&input.objects)?;
    writer.set_globals()?;
    writer.call()?;
    writer.watch_objects()?;
    // After the end of a program nobody looks at its variables.
    let is_start = ir::entry_point(subject.program) == Some(subject.procedure);
    if !is_start {
        writer.watch_globals()?;
    }
    let Writer { code, report, .. } = writer;
    let span = subject.procedure().span;
    let file = subject.program.files.get(span.file.index()).ok_or("the function's file is not known")?;
    let ending = match case.error() {
        Some(error) => CEnding::Fails { error: error.to_owned() },
        None => CEnding::Normal,
    };
    // Output is bytes in C; the model keeps one in each code unit.
    let bytes = |stream: Stream| {
        let units = run.written[stream.index()].iter();
        units.map(|unit| u8::try_from(*unit).unwrap_or(b'?')).collect()
    };
    let (output, error_output) = (bytes(Stream::Output), bytes(Stream::Error));
    let driver = format!("{PROLOGUE}void selfsame_case(void) {{\n{code}}}\n");
    let status = match &run.ending {
        interp::Ending::Returned(Some(Value::Int(status))) if is_start => Some(*status as u8),
        _ => None,
    };
    let expected = Expected { ending, report, output, error_output, status };
    Ok(CPlan { file: file.clone(), driver, expected })
}

/// The streams of the library: what a program prints goes to the real ones.
fn is_stream(name: &str) -> bool {
    matches!(name, "stdin" | "stdout" | "stderr")
}

const PROLOGUE: &str = "
void *selfsame_memory(unsigned long size);
void selfsame_copy(void *to, const void *from, unsigned long size);
void selfsame_int(const char *name, long index, long long value);
void selfsame_unsigned(const char *name, long index, unsigned long long value);
void selfsame_float(const char *name, long index, float value);
void selfsame_double(const char *name, long index, double value);
void selfsame_bytes(const char *name, const void *a, const void *b, unsigned long size);
";

struct Writer<'a> {
    case: &'a Case<'a>,
    code: String,
    /// What the driver should report.
    report: String,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        writeln!(self.code, "    {line}").expect("writing to a string should not fail");
    }

    fn expect(&mut self, line: &str) {
        writeln!(self.report, "{line}").expect("writing to a string should not fail");
    }

    /// All objects of the input: first their memory, then what is in them, since they may point to each other.
    fn objects(&mut self, objects: &[ObjectValue]) -> Result<(), String> {
        for (index, object) in objects.iter().enumerate() {
            if self.is_in_bytes(&object.shape) {
                let size = object.cells.len();
                self.line(&format!("unsigned char *selfsame_{index} = selfsame_memory({size});"));
                continue;
            }
            let element = element_type(&object.shape)?;
            let count = self.elements(object)?;
            self.line(&format!(
                "{element} *selfsame_{index} = selfsame_memory({count} * sizeof({element}));"
            ));
        }
        for (index, object) in objects.iter().enumerate().filter(|(_, object)| !object.cells.is_empty()) {
            if self.is_in_bytes(&object.shape) {
                self.fill_bytes(&format!("selfsame_{index}"), &object.cells)?;
                continue;
            }
            let cells = self.initialiser(&object.cells)?;
            let element = element_type(&object.shape)?;
            let count = self.elements(object)?;
            self.line(&format!("{{ {element} cells[{count}] = {cells};"));
            self.line(&format!("  selfsame_copy(selfsame_{index}, cells, sizeof cells); }}"));
        }
        Ok(())
    }

    /// The number of C values in an object, which may have several cells each.
    fn elements(&self, object: &ObjectValue) -> Result<usize, String> {
        let regions = self.regions(&object.shape)?.len();
        match object.cells.len() % regions {
            0 => Ok(object.cells.len() / regions),
            _ => Err("an object ends inside of a struct".to_owned()),
        }
    }

    fn regions(&self, shape: &str) -> Result<Vec<&Type>, String> {
        let program = self.case.subject.program;
        let shape = program.shapes.iter().find(|candidate| candidate.name == shape);
        if shape.is_some_and(|shape| !shape.layout.matched.is_empty()) {
            return Err("a struct has other members in the other version".to_owned());
        }
        match shape.map(|shape| &shape.cells) {
            Some(Cells::Indexed(regions)) if !regions.is_empty() => {
                Ok(regions.iter().map(|region| &program.region(*region).value).collect())
            }
            _ => Err("an object has no cells".to_owned()),
        }
    }

    /// `{1, 2}`: the scalars in order, which C spreads over nested structs and arrays by itself.
    fn initialiser(&self, cells: &[Value]) -> Result<String, String> {
        let cells = cells.iter().map(|cell| self.value(cell)).collect::<Result<Vec<_>, _>>()?;
        Ok(format!("{{{}}}", cells.join(", ")))
    }

    fn value(&self, value: &Value) -> Result<String, String> {
        Ok(match value {
            Value::Bool(value) => u8::from(*value).to_string(),
            Value::Int(value) => int_literal(*value),
            Value::F32(bits) => float_literal(f32::from_bits(*bits).into()),
            Value::F64(bits) => float_literal(f64::from_bits(*bits)),
            Value::Record(fields) => match fields.as_slice() {
                [Value::Ref(reference), Value::Int(offset)] => self.pointer(reference, *offset)?,
                _ => return Err("a struct is passed by value".to_owned()),
            },
            Value::Ref(reference) => self.pointer(reference, 0)?,
            Value::Big(_) | Value::Real(_) | Value::Undefined | Value::Text(_) | Value::Map(_) => {
                return Err("an input has no counterpart in C".to_owned());
            }
        })
    }

    /// A pointer to something that exists before the call. Others have no name here.
    fn pointer(&self, reference: &RefValue, offset: i128) -> Result<String, String> {
        let (start, shape) = match reference {
            RefValue::Null => return Ok("(void *)0".to_owned()),
            RefValue::Object(index) => {
                let object = self.case.input.objects.get(*index).ok_or("a pointer leads to new memory")?;
                (format!("selfsame_{index}"), object.shape.clone())
            }
            RefValue::Static(name) if is_identifier(name) => {
                let program = self.case.subject.program;
                let object = program.statics.iter().find(|object| object.name == *name);
                let shape = object.map(|object| program.shape(object.shape).name.clone());
                (format!("&{name}"), shape.ok_or("a pointer leads nowhere")?)
            }
            RefValue::Static(_) => return Err("a pointer leads to a string or a private variable".to_owned()),
        };
        if self.is_in_bytes(&shape) {
            return Ok(format!("(void *)((char *)({start}) + {offset})"));
        }
        let cells = self.regions(&shape)?.len() as i128;
        if offset % cells != 0 {
            return Err("a pointer leads into a struct".to_owned());
        }
        let element = element_type(&shape)?;
        Ok(format!("(void *)(({element} *)({start}) + {})", offset / cells))
    }

    fn set_globals(&mut self) -> Result<(), String> {
        for (name, value) in &self.case.input.globals {
            let is_settled = is_stream(name) || self.case.starts_by_itself(name);
            if !self.case.run.globals.contains_key(name) || is_settled {
                continue;
            }
            let value = self.value(value)?;
            identifier(name)?;
            self.line(&format!("{name} = {value};"));
        }
        for (name, cells) in &self.case.input.statics {
            if !self.case.run.statics.contains_key(name) || self.case.starts_by_itself(name) {
                continue;
            }
            identifier(name)?;
            let program = self.case.subject.program;
            let object = program.statics.iter().find(|object| object.name == *name);
            if object.is_some_and(|object| self.is_in_bytes(&program.shape(object.shape).name)) {
                self.fill_bytes(&format!("&{name}"), cells)?;
                continue;
            }
            let cells = self.initialiser(cells)?;
            self.line(&format!("{{ __typeof__({name}) cells = {cells};"));
            self.line(&format!("  selfsame_copy((void *)&{name}, &cells, sizeof cells); }}"));
        }
        Ok(())
    }

    /// Calls the function and reports its result.
    fn call(&mut self) -> Result<(), String> {
        let procedure = self.case.subject.procedure();
        let args = self.case.input.args.iter().map(|arg| self.value(arg)).collect::<Result<Vec<_>, _>>()?;
        let call = format!("{}({})", procedure.short_name, args.join(", "));
        let result = match &self.case.run.ending {
            interp::Ending::Returned(Some(Value::Undefined)) => None,
            interp::Ending::Returned(result) => result.as_ref(),
            _ => None,
        };
        let (Some(ty), Some(value)) = (&procedure.result, result) else {
            self.line(&format!("{call};"));
            return Ok(());
        };
        if ty.scalar().is_some() {
            self.watch_scalar("result", -1, ty, &call, value)
        } else {
            self.line(&format!("void *selfsame_result = (void *)({call});"));
            self.watch_result_pointer(value)
        }
    }

    /// A pointer to known memory must be that pointer; one to new memory must lead to the same content.
    fn watch_result_pointer(&mut self, value: &Value) -> Result<(), String> {
        let Value::Record(fields) = value else { return Err("the result is a struct".to_owned()) };
        let [Value::Ref(reference), Value::Int(offset)] = fields.as_slice() else {
            return Err("the result is a struct".to_owned());
        };
        if let Ok(pointer) = self.pointer(reference, *offset) {
            self.line(&format!("selfsame_int(\"result is as expected\", -1, selfsame_result == {pointer});"));
            self.expect("result is as expected = 1");
            return Ok(());
        }
        let program = self.case.subject.program;
        let (shape, cells) = match reference {
            RefValue::Object(index) => {
                let object = self.case.run.objects.get(*index).ok_or("a pointer leads nowhere")?;
                (object.shape.clone(), object.cells.clone())
            }
            RefValue::Static(name) => {
                let object = program.statics.iter().find(|object| object.name == *name);
                let object = object.ok_or("a pointer leads nowhere")?;
                let cells = object.cells.iter().map(constant).collect::<Result<Vec<_>, _>>()?;
                (program.shape(object.shape).name.clone(), cells)
            }
            RefValue::Null => return Err("the result is null".to_owned()),
        };
        if *offset != 0 {
            return Err("the result leads into new memory".to_owned());
        }
        let regions = self.regions(&shape)?;
        let [ty] = regions.as_slice() else { return Err("the result leads to new structs".to_owned()) };
        let ty = (*ty).clone();
        let element = element_type(&shape)?;
        for (index, cell) in cells.iter().enumerate() {
            let place = format!("(({element} *)selfsame_result)[{index}]");
            self.watch_scalar("result", index as i64, &ty, &place, cell)?;
        }
        Ok(())
    }

    /// The final state of every object of the input that was not freed.
    fn watch_objects(&mut self) -> Result<(), String> {
        for index in 0..self.case.input.objects.len() {
            let object = &self.case.run.objects[index];
            if object.length.is_none_or(|length| length < 0) {
                continue;
            }
            let name = format!("selfsame_{index}");
            self.watch_memory(&format!("object {index}"), &name, &object.shape, &object.cells)?;
        }
        Ok(())
    }

    fn watch_globals(&mut self) -> Result<(), String> {
        let (case, program) = (self.case, self.case.subject.program);
        for (name, value) in
            case.run.globals.iter().filter(|(name, _)| is_identifier(name) && !is_stream(name))
        {
            let global = program.globals.iter().find(|global| global.name == *name);
            let ty = global.map(|global| global.ty.clone()).ok_or("a global is not in the program")?;
            if ty.scalar().is_some() {
                self.watch_scalar(name, -1, &ty, name, value)?;
            } else {
                let expected = self.value(value)?;
                self.line(&format!("selfsame_int(\"{name}\", -1, {name} == {expected});"));
                self.expect(&format!("{name} = 1"));
            }
        }
        for (name, cells) in case.run.statics.iter().filter(|(name, _)| is_identifier(name)) {
            let known = program.statics.iter().find(|known| known.name == *name);
            let shape = known.map(|known| program.shape(known.shape).name.clone());
            self.watch_memory(name, &format!("&{name}"), &shape.ok_or("an object is unknown")?, cells)?;
        }
        Ok(())
    }

    /// Scalars are reported one by one. Structs are compared as bytes, which padding can spoil: see `c_run`.
    fn watch_memory(&mut self, name: &str, start: &str, shape: &str, cells: &[Value]) -> Result<(), String> {
        if self.is_in_bytes(shape) {
            return self.watch_bytes(name, start, shape, cells);
        }
        let element = element_type(shape)?;
        let regions = self.regions(shape)?;
        if let [ty] = regions.as_slice()
            && ty.scalar().is_some()
        {
            let ty = (*ty).clone();
            for (index, cell) in cells.iter().enumerate() {
                let place = format!("(({element} *)({start}))[{index}]");
                self.watch_scalar(name, index as i64, &ty, &place, cell)?;
            }
            return Ok(());
        }
        if !cells.is_empty() {
            let count = cells.len() / regions.len();
            let cells = self.initialiser(cells)?;
            self.line(&format!("{{ {element} cells[{count}] = {cells};"));
            self.line(&format!("  selfsame_bytes(\"{name}\", (void *)({start}), cells, sizeof cells); }}"));
            self.expect(&format!("{name}: the same bytes"));
        }
        Ok(())
    }

    fn watch_scalar(
        &mut self,
        name: &str,
        index: i64,
        ty: &Type,
        place: &str,
        value: &Value,
    ) -> Result<(), String> {
        // Nothing is known of what was never written.
        if matches!(value, Value::Undefined) {
            return Ok(());
        }
        let shown = if index < 0 { name.to_owned() } else { format!("{name}[{index}]") };
        let (function, cast, expected) = match (ty, value) {
            (Type::Bool, Value::Bool(value)) => ("selfsame_int", "_Bool", u8::from(*value).to_string()),
            (Type::Int(ty), Value::Int(value)) if ty.signed => {
                ("selfsame_int", c_type(*ty), value.to_string())
            }
            (Type::Int(ty), Value::Int(value)) => ("selfsame_unsigned", c_type(*ty), value.to_string()),
            (Type::Float(FloatType::F32), Value::F32(bits)) => {
                ("selfsame_float", "float", format!("f32:{bits:08x}"))
            }
            (Type::Float(FloatType::F64), Value::F64(bits)) => {
                ("selfsame_double", "double", format!("f64:{bits:016x}"))
            }
            _ => return Err("a value has no counterpart in C".to_owned()),
        };
        self.line(&format!("{function}(\"{name}\", {index}, ({cast}){place});"));
        self.expect(&format!("{shown} = {expected}"));
        Ok(())
    }
}

fn c_type(ty: IntType) -> &'static str {
    match (ty.width, ty.signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned",
        (_, true) => "long long",
        (_, false) => "unsigned long long",
    }
}

fn int_literal(value: i128) -> String {
    match value {
        value if value == i128::from(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        value if value > i128::from(i64::MAX) => format!("{value}ULL"),
        value => format!("{value}LL"),
    }
}

/// A literal that stands for exactly this float.
fn float_literal(value: f64) -> String {
    match () {
        () if value.is_nan() => "__builtin_nan(\"\")".to_owned(),
        () if value.is_infinite() && value > 0.0 => "__builtin_inf()".to_owned(),
        () if value.is_infinite() => "-__builtin_inf()".to_owned(),
        // The shortest decimal reads back as the same bits, for floats widened to doubles too.
        () => format!("{value:?}"),
    }
}

/// `int` of `int[]`: the type of what an object holds, if C can say it.
fn element_type(shape: &str) -> Result<&str, String> {
    let element = shape.strip_suffix("[]").ok_or_else(|| format!("{shape} is not a type of C"))?;
    let element = element.strip_prefix("const ").unwrap_or(element);
    let base = element.trim_end_matches('*');
    let name = base.strip_prefix("struct ").unwrap_or(base);
    match is_identifier(name) {
        true => Ok(element),
        false => Err(format!("{element} is not a type that C can name")),
    }
}

fn identifier(name: &str) -> Result<(), String> {
    if is_identifier(name) { Ok(()) } else { Err(format!("the variable {name} is out of reach")) }
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn constant(value: &ir::Const) -> Result<Value, String> {
    match value {
        ir::Const::Bool(value) => Ok(Value::Bool(*value)),
        ir::Const::Int(_, value) => Ok(Value::Int(*value)),
        ir::Const::F32(bits) => Ok(Value::F32(*bits)),
        ir::Const::F64(bits) => Ok(Value::F64(*bits)),
        _ => Err("a constant has no counterpart in C".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_stand_for_exactly_their_value() {
        assert_eq!(int_literal(i64::MIN.into()), "(-9223372036854775807LL - 1)");
        assert_eq!(int_literal(u64::MAX.into()), "18446744073709551615ULL");
        assert_eq!(float_literal(-0.0), "-0.0");
        assert_eq!(float_literal(f64::NEG_INFINITY), "-__builtin_inf()");
        assert_eq!(float_literal(5e-324), "5e-324");
    }

    #[test]
    fn only_types_that_c_can_name_are_used() {
        assert_eq!(element_type("struct node*[]"), Ok("struct node*"));
        assert_eq!(element_type("const char[]"), Ok("char"));
        assert!(element_type("struct {a,b}[]").is_err());
    }
}
