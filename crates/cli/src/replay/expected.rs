//! The report that the Java driver should write, from the interpreter's run: the same walk over the same values.

use std::collections::BTreeMap;

use interp::{Ending, RefValue, Value};
use ir::{Stream, Type};

use super::Case;

/// The lines of the report, or why there can be none.
pub(super) fn report(case: &Case<'_>, watched: &[String]) -> Result<String, String> {
    let mut writer = Writer { case, seen: BTreeMap::new(), text: String::new() };
    match &case.run.ending {
        Ending::Returned(result) => {
            writer.text += "end: returned\n";
            if let Some(result) = result {
                writer.item("result", case.subject.procedure().result.as_ref(), result)?;
            }
        }
        Ending::Failed { .. } => {
            writer.text += &format!("end: failed {}\n", case.error().unwrap_or_default());
            writer.thrown()?;
        }
        other => return Err(format!("the run ended with {other:?}")),
    }
    let parameters = case.subject.procedure().parameters().iter().zip(&case.input.args);
    for (position, (parameter, value)) in parameters.enumerate() {
        if parameter.ty.scalar().is_none() {
            writer.item(&format!("argument {position}"), Some(&parameter.ty), value)?;
        }
    }
    for name in watched {
        let value = case.run.globals.get(name).ok_or("a static field is not in the run")?;
        writer.item(&format!("global {name}"), None, value)?;
    }
    for (stream, name) in [(Stream::Output, "output"), (Stream::Error, "error output")] {
        let written = &case.run.written[stream.index()];
        if String::from_utf16(written).is_err() {
            return Err(format!("the {name} has half a surrogate pair, which no stream can carry"));
        }
        writer.text += &format!("{name}: {}\n", text(written));
    }
    Ok(writer.text)
}

struct Writer<'a> {
    case: &'a Case<'a>,
    /// The number of each object that was written.
    seen: BTreeMap<usize, usize>,
    text: String,
}

impl Writer<'_> {
    /// The fields of the exception in the order of their names, and its message if we know it.
    fn thrown(&mut self) -> Result<(), String> {
        let Some(Value::Record(carried)) = &self.case.run.thrown else { return Ok(()) };
        let [message, known, object] = carried.as_slice() else { return Ok(()) };
        let mut fields = BTreeMap::new();
        if let Some(object) = self.case.run.object(object) {
            for (field, cell) in object.fields.iter().zip(&object.cells) {
                if !ir::is_hidden_field(field) {
                    fields.insert(field.rsplit('.').next().unwrap_or(field), cell);
                }
            }
        }
        for (name, cell) in fields {
            self.item(&format!("exception {name}"), None, cell)?;
        }
        if *known == Value::Bool(true) {
            self.item("message", None, message)?;
        }
        Ok(())
    }

    fn item(&mut self, name: &str, _ty: Option<&Type>, value: &Value) -> Result<(), String> {
        self.text += &format!("{name}: ");
        self.write(value, 0)?;
        self.text.push('\n');
        Ok(())
    }

    fn write(&mut self, value: &Value, depth: usize) -> Result<(), String> {
        if depth > 1000 {
            return Err("the objects are nested too deeply".to_owned());
        }
        match value {
            Value::Bool(value) => self.text += &value.to_string(),
            Value::Int(value) => self.text += &value.to_string(),
            Value::F32(bits) => self.text += &format!("f32:{bits:08x}"),
            Value::F64(bits) => self.text += &format!("f64:{bits:016x}"),
            Value::Text(None) | Value::Ref(RefValue::Null) => self.text += "null",
            Value::Text(Some(units)) => self.text += &text(units),
            Value::Ref(RefValue::Static(name)) => {
                self.text += &format!("static:{}", name.rsplit('.').next().unwrap_or(name));
            }
            Value::Ref(RefValue::Object(index)) => self.object(*index, depth)?,
            Value::Record(fields) => match fields.as_slice() {
                [Value::Bool(false), _] => self.text += "null",
                [Value::Bool(true), number] => self.write(number, depth)?,
                _ => return Err("a value has no counterpart in Java".to_owned()),
            },
            Value::Big(_) | Value::Real(_) | Value::Undefined | Value::Map(_) => {
                return Err("a value has no counterpart in Java".to_owned());
            }
        }
        Ok(())
    }

    fn object(&mut self, index: usize, depth: usize) -> Result<(), String> {
        if let Some(known) = self.seen.get(&index) {
            self.text += &format!("#{known}");
            return Ok(());
        }
        self.seen.insert(index, self.seen.len());
        let object = self.case.run.objects.get(index).ok_or("a reference leads nowhere")?;
        if object.length.is_some() {
            self.text.push('[');
            for (position, cell) in object.cells.iter().enumerate() {
                self.text += if position == 0 { "" } else { "," };
                self.write(cell, depth + 1)?;
            }
            self.text.push(']');
            return Ok(());
        }
        let mut fields = BTreeMap::new();
        for (field, cell) in object.fields.iter().zip(&object.cells) {
            let name = field.rsplit('.').next().unwrap_or(field);
            if name.starts_with('$') {
                return Err(format!("objects of {} have parts that Java hides", object.shape));
            }
            if fields.insert(name, cell).is_some() {
                return Err(format!("two fields of {} are called {name}", object.shape));
            }
        }
        self.text.push('{');
        for (position, (name, cell)) in fields.into_iter().enumerate() {
            self.text += if position == 0 { "" } else { "," };
            self.text += &format!("{name}=");
            self.write(cell, depth + 1)?;
        }
        self.text.push('}');
        Ok(())
    }
}

/// Code units in hexadecimal.
pub(super) fn text(units: &[u16]) -> String {
    let units: String = units.iter().map(|unit| format!("{unit:04x}")).collect();
    format!("text:{units}")
}
