//! The file that the Java driver reads: one item on each line.
//!
//! | line | meaning |
//! |---|---|
//! | `class B` | the program has a class with the binary name `B` (added when it is compiled) |
//! | `owner C`, `method M` | what to call |
//! | `instance` | the first argument is the receiver |
//! | `kind T` | the type of the next parameter |
//! | `array N T`, `object T` | the next object of the heap |
//! | `field F` | a field that objects of some class have, by its name; private ones that are not listed are not looked at |
//! | `cell O K V` | cell or field `K` of object `O` holds `V` |
//! | `global F V` | static field `F` holds `V` |
//! | `argument V` | the next argument |
//! | `message` | the report includes the message of the exception that is thrown |
//! | `watch F` | the report includes static field `F` |

use std::collections::BTreeSet;

use check::Subject;
use interp::{Input, ObjectValue, RefValue, Run, Value};
use ir::{FloatType, IntType, Target, Type};

use super::{Case, JavaPlan, expected};

/// Plans the run of one version, or says why it cannot be run.
pub(super) fn plan(subject: Subject<'_>, input: &Input, run: &Run) -> Result<JavaPlan, String> {
    let case = Case { subject, input, run };
    let procedure = subject.procedure();
    let full = procedure.name.split('(').next().unwrap_or(&procedure.name);
    let (owner, method) = full.rsplit_once('.').ok_or("the method has no class")?;
    if method.starts_with('<') || owner.rsplit('.').next() == Some(method) {
        return Err("it is a constructor".to_owned());
    }
    if !run.statics.is_empty() {
        return Err("it has objects that exist before the program starts".to_owned());
    }
    let mut lines = vec![format!("owner {owner}"), format!("method {method}")];
    if procedure.parameters().first().is_some_and(|first| first.name == "this") {
        lines.push("instance".to_owned());
    }
    for parameter in procedure.parameters() {
        lines.push(format!("kind {}", kind(subject, &parameter.ty)?));
    }
    lines.extend(field_names(subject.program).into_iter().map(|name| format!("field {name}")));
    for object in &input.objects {
        lines.push(match object.length {
            Some(length) => format!("array {length} {}", element(&object.shape)?),
            None => format!("object {}", object.shape),
        });
    }
    for (index, object) in input.objects.iter().enumerate() {
        for (position, cell) in object.cells.iter().enumerate() {
            let name = cell_name(subject, object, position)?;
            lines.push(format!("cell {index} {name} {}", value(cell)?));
        }
    }
    for argument in &input.args {
        lines.push(format!("argument {}", value(argument)?));
    }
    if let Some(Value::Record(carried)) = &run.thrown
        && carried.get(1) == Some(&Value::Bool(true))
    {
        lines.push("message".to_owned());
    }
    let mut watched = Vec::new();
    for name in run.globals.keys() {
        // What the front end adds, such as the state of a library, has no field to look at. Values that only the start
        // of the program gives stand in the place of their reads.
        if name.contains('$') || subject.program.start_up_only.contains(name) {
            continue;
        }
        if let Some(initial) = input.globals.get(name).filter(|_| !case.starts_by_itself(name)) {
            lines.push(format!("global {name} {}", value(initial)?));
        }
        lines.push(format!("watch {name}"));
        watched.push(name.clone());
    }
    let expected = expected::report(&case, &watched)?;
    Ok(JavaPlan { input: lines.join("\n") + "\n", expected })
}

/// The names of the fields that the program's objects have, without their classes.
fn field_names(program: &ir::Program) -> BTreeSet<&str> {
    let names = program.shapes.iter().flat_map(|shape| match &shape.cells {
        ir::Cells::Fields(regions) => regions.as_slice(),
        ir::Cells::Indexed(_) => &[],
    });
    names.map(|region| simple(&program.region(*region).name)).collect()
}

/// A field without its class.
fn simple(region: &str) -> &str {
    region.rsplit('.').next().unwrap_or(region)
}

fn kind(subject: Subject<'_>, ty: &Type) -> Result<String, String> {
    Ok(match ty {
        Type::Bool => "boolean".to_owned(),
        Type::Int(IntType::I8) => "byte".to_owned(),
        Type::Int(IntType::I16) => "short".to_owned(),
        Type::Int(IntType::U16) => "char".to_owned(),
        Type::Int(IntType::I32) => "int".to_owned(),
        Type::Int(IntType::I64) => "long".to_owned(),
        Type::Float(FloatType::F32) => "float".to_owned(),
        Type::Float(FloatType::F64) => "double".to_owned(),
        Type::Text => "text".to_owned(),
        Type::Ref(Target::Shape(shape)) => subject.program.shape(*shape).name.clone(),
        Type::Ref(Target::Any) => "any".to_owned(),
        Type::Record(fields) if ty.is_boxed() => {
            let number = fields.get(1).map(|number| kind(subject, number)).transpose()?;
            format!("boxed {}", number.unwrap_or_default())
        }
        Type::Int(_) | Type::Record(_) | Type::Map(..) => {
            return Err("a parameter has a type that Java does not have".to_owned());
        }
    })
}

fn element(shape: &str) -> Result<&str, String> {
    shape.strip_suffix("[]").ok_or_else(|| format!("objects of {shape} cannot be made"))
}

/// The index of an array's cell, or the name of a field.
fn cell_name(subject: Subject<'_>, object: &ObjectValue, position: usize) -> Result<String, String> {
    if object.length.is_some() {
        return Ok(position.to_string());
    }
    let region = match object.fields.get(position) {
        Some(field) => field.clone(),
        None => {
            let shape = subject.program.shapes.iter().find(|shape| shape.name == object.shape);
            match shape.map(|shape| &shape.cells) {
                Some(ir::Cells::Fields(regions)) if position < regions.len() => {
                    subject.program.region(regions[position]).name.clone()
                }
                _ => return Err(format!("objects of {} have no such field", object.shape)),
            }
        }
    };
    let name = simple(&region).to_owned();
    if name.starts_with('$') {
        return Err(format!("objects of {} have parts that Java hides", object.shape));
    }
    Ok(name)
}

fn value(value: &Value) -> Result<String, String> {
    Ok(match value {
        Value::Bool(value) => format!("bool:{value}"),
        Value::Int(value) => format!("int:{value}"),
        Value::F32(bits) => format!("f32:{bits:08x}"),
        Value::F64(bits) => format!("f64:{bits:016x}"),
        Value::Text(None) | Value::Ref(RefValue::Null) => "null".to_owned(),
        Value::Text(Some(units)) => expected::text(units),
        Value::Ref(RefValue::Object(index)) => format!("ref:{index}"),
        Value::Ref(RefValue::Static(name)) => format!("static:{name}"),
        Value::Record(fields) => match fields.as_slice() {
            [Value::Bool(false), _] => "null".to_owned(),
            [Value::Bool(true), number] => self::value(number)?,
            _ => return Err("an input has no counterpart in Java".to_owned()),
        },
        Value::Big(_) | Value::Real(_) | Value::Undefined | Value::Map(_) => {
            return Err("an input has no counterpart in Java".to_owned());
        }
    })
}
