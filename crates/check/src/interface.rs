//! Whether two procedures can be compared at all, and what is taken for granted of them.

use ir::{Pair, Procedure, Program, Subject, Target, Type};

/// Why two procedures cannot be given the same inputs, or do not give comparable results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    ParameterCount {
        old: usize,
        new: usize,
    },
    ParameterType {
        position: usize,
        old: String,
        new: String,
    },
    ResultType {
        old: String,
        new: String,
    },
    /// One of them has no body.
    NoBody,
}

/// Checks that two procedures take the same inputs and give results of the same type.
pub fn same_interface(old: Subject<'_>, new: Subject<'_>) -> Result<(), Mismatch> {
    let procedures = Pair::new(old.procedure(), new.procedure());
    if procedures.old.body.is_none() || procedures.new.body.is_none() {
        return Err(Mismatch::NoBody);
    }
    let params = procedures.map(Procedure::parameters);
    if params.old.len() != params.new.len() {
        return Err(Mismatch::ParameterCount { old: params.old.len(), new: params.new.len() });
    }
    for (position, (a, b)) in params.old.iter().zip(params.new).enumerate() {
        let types = (describe(old.program, &a.ty), describe(new.program, &b.ty));
        if types.0 != types.1 {
            return Err(Mismatch::ParameterType { position, old: types.0, new: types.1 });
        }
    }
    let results = procedures.zip(Pair::new(old.program, new.program)).map(|(procedure, program)| {
        procedure.result.as_ref().map_or_else(|| "void".to_owned(), |ty| describe(program, ty))
    });
    if results.old != results.new {
        return Err(Mismatch::ResultType { old: results.old, new: results.new });
    }
    Ok(())
}

/// A type in words that mean the same in both programs: shapes by name.
fn describe(program: &Program, ty: &Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int(ty) => format!("{}{}", if ty.signed { "i" } else { "u" }, ty.width),
        Type::Float(ir::FloatType::F32) => "f32".to_owned(),
        Type::Float(ir::FloatType::F64) => "f64".to_owned(),
        Type::Text => "text".to_owned(),
        Type::Ref(Target::Any) => "ref".to_owned(),
        Type::Ref(Target::Shape(shape)) => format!("ref to {}", program.shape(*shape).name),
        Type::Record(fields) => {
            let fields: Vec<_> = fields.iter().map(|field| describe(program, field)).collect();
            format!("({})", fields.join(", "))
        }
        Type::Map(key, value) => {
            format!("map {} to {}", describe(program, key), describe(program, value))
        }
    }
}

/// What the lowering of both procedures and of all that they call takes for granted.
pub(crate) fn lowering_assumptions(pair: Pair<Subject<'_>>) -> Vec<String> {
    let mut texts = crate::changed_structs::matched_members(pair);
    for subject in [pair.old, pair.new] {
        for procedure in ir::reachable(subject.program, subject.procedure) {
            texts.extend(subject.program.procedure(procedure).assumptions.iter().cloned());
        }
        let written = ir::effects(subject.program, subject.procedure).prints;
        if ir::Stream::ALL.iter().all(|stream| written.contains(stream)) {
            texts.push(ir::STREAMS_APART.to_owned());
        }
    }
    texts
}

/// What is taken for granted of all unknown code that either version may call.
pub(crate) fn unknown_code(pair: Pair<Subject<'_>>) -> Vec<String> {
    let mut texts = std::collections::BTreeSet::new();
    for subject in [pair.old, pair.new] {
        for id in ir::effects(subject.program, subject.procedure).externals {
            let procedure = subject.program.procedure(id);
            texts.insert(symbolic::unknown_code(&procedure.short_name, procedure.external.access));
        }
    }
    texts.into_iter().collect()
}
