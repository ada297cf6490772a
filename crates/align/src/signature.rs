//! What procedures are matched by besides their names: the types of their parameters and results, in words.

use ir::{Pair, Procedure, Program, Target, Type, print_type};

use crate::rename::new_class_name;

/// Whether a procedure takes part in the matching.
pub(crate) fn is_matched_at_all(procedure: &Procedure) -> bool {
    procedure.body.is_some() && !procedure.short_name.starts_with('$')
}

/// The types of the parameters and of the result, in words, with old classes under their new names.
pub(crate) fn signature(program: &Program, procedure: &Procedure, renamed: &[Pair<String>]) -> String {
    let mut text = String::from("(");
    for parameter in procedure.parameters() {
        text.push_str(&type_name(program, &parameter.ty, renamed));
        text.push(',');
    }
    text.push(')');
    if let Some(result) = &procedure.result {
        text.push_str(&type_name(program, result, renamed));
    }
    text
}

pub(crate) fn type_name(program: &Program, ty: &Type, renamed: &[Pair<String>]) -> String {
    match ty {
        Type::Ref(Target::Shape(shape)) => {
            format!("ref {}", new_class_name(&program.shape(*shape).name, renamed))
        }
        Type::Record(fields) => {
            let fields: Vec<String> = fields.iter().map(|field| type_name(program, field, renamed)).collect();
            format!("({})", fields.join(","))
        }
        Type::Map(key, value) => {
            format!("map({},{})", type_name(program, key, renamed), type_name(program, value, renamed))
        }
        Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text | Type::Ref(Target::Any) => {
            print_type(program, ty)
        }
    }
}
