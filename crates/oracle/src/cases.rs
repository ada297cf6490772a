//! The case files as programs for the oracle: what they say of the languages should be true of the real ones.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use arbitrary_source::Language;
use arbitrary_source::datum::Kind;
use arbitrary_source::program::GeneratedProgram;
use casekit::Case;
use casekit::workspace::{files_below, relative};
use ir::{Cells, FloatType, IntType, Procedure, Program, Target, Type};

use super::campaign::{Disagreement, Judgement, World, compare, judge, say};
use super::ours;

/// Runs both sides of all cases of a language and shows disagreements.
pub(crate) fn run(root: &Path, language: Language, inputs: usize, seed: u64) -> Result<()> {
    let mut programs = Vec::new();
    let mut skipped = 0;
    for case in all(root, language)? {
        for (side, source) in [("old", &case.old), ("new", &case.new)] {
            let name = format!("Case{}{side}", programs.len() + skipped);
            match programs_of(language, &case, &name, &source.text) {
                Ok(found) if found.is_empty() => skipped += 1,
                Ok(found) => programs.extend(found),
                Err(problem) => bail!("{}:{}: the {side} version: {problem}", case.file, case.line),
            }
        }
    }
    let scratch = std::env::temp_dir().join(format!("selfsame-oracle-cases-{}", std::process::id()));
    let (mut compared, mut not_compared, mut found) = (0_u64, 0_u64, Vec::new());
    // Java's classes can have names of their own; C's functions cannot, so that each is compiled alone.
    let world = if language == Language::Java { World::Java } else { World::C };
    let batch = if language == Language::Java { programs.len().max(1) } else { 1 };
    let mut rejected = Vec::new();
    for (number, batch) in programs.chunks(batch).enumerate() {
        let work = batch.iter().map(|program| {
            (program.clone(), say(language, program, program.inputs(seed, number as u64, inputs)))
        });
        for (program, runs) in compare(world, work.collect(), &scratch, &mut rejected)? {
            for (input, ours, real) in runs {
                match judge(world, &ours, &real) {
                    Judgement::Agree => compared += 1,
                    Judgement::Skip(_) => not_compared += 1,
                    Judgement::Disagree(ours) => {
                        found.push(Disagreement { program: program.clone(), input, ours, real });
                    }
                }
            }
        }
    }
    fs::remove_dir_all(&scratch).ok();
    for Disagreement { program, input, ours, real } in found.iter().take(20) {
        println!(
            "{}\n// {}({})\n// ours: {ours}\n// real: {real}\n",
            program.text,
            program.entry,
            input.words()
        );
    }
    println!(
        "{} functions of {} cases, {compared} runs compared, {not_compared} not compared; \
         {skipped} versions without plain inputs, {} not for the compiler alone",
        programs.len(),
        language.name(),
        rejected.len()
    );
    match found.len() {
        0 => Ok(()),
        count => bail!("{count} runs disagree"),
    }
}

fn all(root: &Path, language: Language) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for path in files_below(&root.join("tests/cases").join(language.name()), "md")? {
        cases.extend(casekit::read(&relative(root, &path), &fs::read_to_string(&path)?)?);
    }
    Ok(cases)
}

/// The functions of one side that can be run on plain inputs.
fn programs_of(
    language: Language,
    case: &Case,
    name: &str,
    text: &str,
) -> Result<Vec<GeneratedProgram>, String> {
    let draft = GeneratedProgram {
        text: text.replacen("class Case {", &format!("class {name} {{"), 1),
        name: name.to_owned(),
        entry: String::new(),
        params: Vec::new(),
        result: None,
        globals: Vec::new(),
    };
    let program = ours::lower(language, &draft)?;
    let wanted = |procedure: &&Procedure| {
        let is_chosen =
            case.options.function.as_ref().is_none_or(|function| *function == procedure.short_name);
        is_chosen && procedure.body.is_some() && belongs_to(language, procedure, name)
    };
    let found = program.procedures.iter().filter(wanted).filter_map(|procedure| {
        let receivers = usize::from(procedure.parameters().first().is_some_and(|local| local.name == "this"));
        let params =
            procedure.parameters()[receivers..].iter().map(|local| kind_of(language, &program, &local.ty));
        let result = match &procedure.result {
            Some(ty) => Some(kind_of(language, &program, ty).filter(|kind| is_result(language, kind))?),
            None => None,
        };
        Some(GeneratedProgram {
            entry: procedure.short_name.clone(),
            params: params.collect::<Option<_>>()?,
            result,
            globals: globals(language, &program, name),
            ..draft.clone()
        })
    });
    let found: Vec<GeneratedProgram> = found.collect();
    // Overloads cannot be told apart by name.
    let is_exact = !ROUNDED.iter().any(|function| text.contains(function));
    let is_alone =
        |program: &&GeneratedProgram| found.iter().filter(|other| other.entry == program.entry).count() == 1;
    Ok(found.iter().filter(is_alone).filter(|_| is_exact).cloned().collect())
}

/// Functions whose last bit the languages leave open.
const ROUNDED: [&str; 6] = ["sin(", "cos(", "tan(", "exp(", "log(", "pow("];

/// Whether a procedure is a method of the case's own class, or a function of its file.
fn belongs_to(language: Language, procedure: &Procedure, class: &str) -> bool {
    match language {
        Language::Java => {
            procedure.name.starts_with(&format!("{class}."))
                && !procedure.short_name.contains(['<', '$'])
                && procedure.name[class.len() + 1..].starts_with(&procedure.short_name)
                && procedure.short_name != class
        }
        Language::C => procedure.name == procedure.short_name,
    }
}

fn is_result(language: Language, kind: &Kind) -> bool {
    language == Language::Java || matches!(kind, Kind::Bool | Kind::Int(_) | Kind::F32 | Kind::F64)
}

/// The static fields or variables at file scope that a harness can set by name.
fn globals(language: Language, program: &Program, class: &str) -> Vec<(String, Kind)> {
    let prefix = format!("{class}.");
    let named = program.globals.iter().filter(|global| !global.constant).filter_map(|global| {
        let name = match language {
            Language::Java => global.name.strip_prefix(&prefix)?,
            Language::C => &global.name,
        };
        let is_plain = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let kind = kind_of(language, program, &global.ty)?;
        let is_scalar = matches!(kind, Kind::Bool | Kind::Int(_) | Kind::F32 | Kind::F64);
        (is_plain && is_scalar).then(|| (name.to_owned(), kind))
    });
    named.collect()
}

/// The kind of plain values that a type has; none for objects, structs and functions.
fn kind_of(language: Language, program: &Program, ty: &Type) -> Option<Kind> {
    Some(match ty {
        Type::Bool => Kind::Bool,
        Type::Int(ty) => Kind::Int(*ty),
        Type::Float(FloatType::F32) => Kind::F32,
        Type::Float(FloatType::F64) => Kind::F64,
        Type::Text => Kind::Text,
        Type::Ref(Target::Shape(shape)) => {
            let Cells::Indexed(regions) = &program.shape(*shape).cells else { return None };
            let [region] = regions.as_slice() else { return None };
            let item = kind_of(language, program, &program.region(*region).value)?;
            match (language, item) {
                (_, Kind::Array(_) | Kind::Fixed(..) | Kind::CString | Kind::Text) => return None,
                (Language::C, Kind::Int(IntType { width: 8, .. })) => Kind::CString,
                (Language::C, item) => Kind::Fixed(Box::new(item), 4),
                (Language::Java, item) => Kind::Array(Box::new(item)),
            }
        }
        Type::Record(fields) => match (language, fields.as_slice()) {
            // A C pointer.
            (Language::C, [target @ Type::Ref(_), Type::Int(IntType::I64)]) => {
                kind_of(language, program, target)?
            }
            _ => return None,
        },
        Type::Ref(Target::Any) | Type::Map(..) => return None,
    })
}
