//! Java to IR: parses with tree-sitter, resolves names and types, and lowers every method with Java's exact meaning.
//!
//! What is not lowered becomes an `Unsupported` statement at its place, and costs only the runs that reach it.
//! `docs/soundness-java.md` says what is modelled and what is taken for granted.

mod choice;
mod classes;
mod conditions;
mod counterparts;
mod enum_sources;
mod foreign_names;
mod library_results;
mod lower;
mod names;
mod otherwise;
mod prelude;
mod syntax;
mod types;
mod unchanged;

use std::collections::BTreeSet;

use ir::{Annotations, Diagnostic, FileId, Pair, Program, SourceFile};

pub use choice::Choice;

use lower::{ForeignFacts, Known, LoweredVersion, Version};
use syntax::Unit;
use unchanged::Changes;

/// The stack that lowering deeply nested code may need; memory is only used as far as it is touched.
const STACK_BYTES: usize = 256 << 20;

/// Lowers a set of Java files that belong together into one program.
///
/// Fails only on syntax errors; unknown names, types and constructs become unsupported statements.
pub fn lower(files: &[SourceFile]) -> Result<Program, Vec<Diagnostic>> {
    on_large_stack(|| {
        let units = parse(files)?;
        let found = lower_parsed(files, &units, None, &Known::default()).found;
        let known = Known { facts: found, ..Known::default() };
        Ok(checked(lower_parsed(files, &units, None, &known).program))
    })
}

/// Lowers two versions. A static field is a constant only if it is one in both, and classes are named in the same way.
pub fn lower_versions(files: Pair<&[SourceFile]>) -> Pair<Result<Program, Vec<Diagnostic>>> {
    lower_annotated(files, Pair::new(Annotations::default(), Annotations::default()))
}

/// The same, with a procedure for each condition on the inputs of a method (`ir::condition_name`) and for each promise
/// about its end (`ir::postcondition_name`). There is none for what is not an expression.
pub fn lower_annotated(
    files: Pair<&[SourceFile]>,
    annotations: Pair<Annotations<'_>>,
) -> Pair<Result<Program, Vec<Diagnostic>>> {
    lower_chosen(files, annotations, &Choice::All).map(|chosen| chosen.map(|chosen| chosen.program))
}

/// A program of which only a part was lowered.
#[derive(Debug)]
pub struct Chosen {
    pub program: Program,
    /// The procedures that were not chosen. They have bodies only where chosen ones call them.
    /// With `Choice::Affected`, those that both versions have are the same if the chosen ones are.
    pub left_out: BTreeSet<String>,
}

/// The same for a part of the procedures, and all that they use.
pub fn lower_chosen(
    files: Pair<&[SourceFile]>,
    annotations: Pair<Annotations<'_>>,
    choice: &Choice,
) -> Pair<Result<Chosen, Vec<Diagnostic>>> {
    on_large_stack(|| {
        let units = files.zip(annotations).map(|(files, annotations)| {
            let mut units = parse(files)?;
            conditions::add_all(&mut units, annotations);
            Ok::<_, Vec<Diagnostic>>(units)
        });
        let units_of = units.as_ref().map(|units| units.as_ref().ok());
        let others = Pair::new(
            units_of.new.map(|units| (files.new, units.as_slice())),
            units_of.old.map(|units| (files.old, units.as_slice())),
        );
        let versions = files.zip(units.as_ref().zip(others));
        let changed = match (units_of.old, units_of.new) {
            (Some(old), Some(new)) => Some(Changes::between(Pair::new(old, new))),
            _ => None,
        };
        let lower_all = |facts: &ForeignFacts| {
            let known = Known { facts: facts.clone(), changed: changed.as_ref(), choice: choice.clone() };
            versions.as_ref().map(|(files, (units, other))| match units {
                Ok(units) => Ok(lower_parsed(files, units, *other, &known)),
                Err(errors) => Err(errors.clone()),
            })
        };
        let mut lowered = lower_all(&ForeignFacts::default());
        let mut facts = ForeignFacts::default();
        for version in [&lowered.old, &lowered.new].into_iter().flatten() {
            facts.add(&version.found);
        }
        if facts != ForeignFacts::default() {
            lowered = lower_all(&facts);
        }
        if let (Ok(old), Ok(new)) = (&mut lowered.old, &mut lowered.new) {
            lower::mark_doubtful([&mut old.program, &mut new.program]);
            lower::assume_no_overloads([&mut old.program, &mut new.program], [&old.found, &new.found]);
            if let (Some(changes), Some(old_units), Some(new_units)) = (&changed, units_of.old, units_of.new)
            {
                otherwise::refuse(&mut old.program, old_units, changes);
                otherwise::refuse(&mut new.program, new_units, changes);
            }
        }
        lowered.map(|lowered| {
            lowered.map(|LoweredVersion { program, left_out, .. }| Chosen {
                program: checked(program),
                left_out,
            })
        })
    })
}

/// What is wrong with the syntax of a condition.
pub fn condition_error(text: &str) -> Option<Diagnostic> {
    conditions::error(text)
}

fn lower_parsed(
    files: &[SourceFile],
    units: &[Unit],
    other: Option<(&[SourceFile], &[Unit])>,
    known: &Known<'_>,
) -> LoweredVersion {
    let version = Version::new(units, file_names(files));
    let other = other.map(|(files, units)| Version::new(units, file_names(files)));
    let mut lowered = lower::lower_version(version, other.as_ref(), known);
    conditions::place(&mut lowered.program);
    lowered
}

fn checked(program: Program) -> Program {
    debug_assert_eq!(ir::validate(&program), Ok(()), "lowered programs should be well-formed");
    program
}

fn file_names(files: &[SourceFile]) -> Vec<String> {
    files.iter().map(|file| file.name.clone()).collect()
}

fn on_large_stack<T: Send>(work: impl Fn() -> T + Send + Sync) -> T {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("frontend-java".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, &work);
        match worker.map(|worker| worker.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // Without a thread the caller's own stack has to do.
            Err(_) => work(),
        }
    })
}

fn parse(files: &[SourceFile]) -> Result<Vec<syntax::Unit>, Vec<Diagnostic>> {
    let mut units = Vec::new();
    let mut errors = Vec::new();
    for (index, file) in files.iter().enumerate() {
        match syntax::parse(file, FileId::from_index(index)) {
            Ok(unit) => units.push(unit),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(units) } else { Err(errors) }
}
