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
mod lower;
mod names;
mod prelude;
mod syntax;
mod types;
mod unchanged;

use std::collections::BTreeSet;

use ir::{Annotations, Diagnostic, FileId, Pair, Program, SourceFile};

pub use choice::{Choice, Reading};

use lower::{ForeignFacts, Known, Version};
use syntax::Unit;
use unchanged::Changed;

/// The stack that lowering deeply nested code may need; memory is only used as far as it is touched.
const STACK_BYTES: usize = 256 << 20;

/// Lowers a set of Java files that belong together into one program.
///
/// Fails only on syntax errors; unknown names, types and constructs become unsupported statements.
pub fn lower(files: &[SourceFile]) -> Result<Program, Vec<Diagnostic>> {
    on_large_stack(|| {
        let units = parse(files)?;
        let known = Known::default();
        let (_, found) = lower_parsed(files, &units, None, &known);
        let known = Known { facts: found.clone(), own: found, ..known };
        Ok(checked(lower_parsed(files, &units, None, &known).0))
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
    lower_chosen(files, annotations, &Choice::All.into()).map(|chosen| chosen.map(|chosen| chosen.program))
}

/// A program of which only a part was lowered.
#[derive(Debug)]
pub struct Chosen {
    pub program: Program,
    /// The procedures that nobody asked for: what they do is unsupported. Those that both versions have and that were
    /// not chosen for being affected run nothing that changed.
    pub unread: BTreeSet<String>,
}

/// The same for a part of the procedures, and all that they use.
pub fn lower_chosen(
    files: Pair<&[SourceFile]>,
    annotations: Pair<Annotations<'_>>,
    reading: &Reading,
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
            (Some(old), Some(new)) => Changed::between(Pair::new(old, new)),
            _ => Changed::default(),
        };
        let lower_all = |known: Pair<Known>| {
            versions.as_ref().zip(known).map(|((files, (units, other)), known)| match units {
                Ok(units) => Ok(lower_parsed(files, units, *other, &known)),
                Err(errors) => Err(errors.clone()),
            })
        };
        let nothing = || Known { changed: changed.clone(), reading: reading.clone(), ..Known::default() };
        let mut lowered = lower_all(Pair::new(nothing(), nothing()));
        let mut facts = ForeignFacts::default();
        for (_, found) in [&lowered.old, &lowered.new].into_iter().flatten() {
            facts.add(found);
        }
        let own = lowered.as_ref().map(|lowered| match lowered {
            Ok((_, found)) => found.clone(),
            Err(_) => ForeignFacts::default(),
        });
        if facts != ForeignFacts::default() || own.old.has_handlers() || own.new.has_handlers() {
            lowered = lower_all(own.map(|own| Known { facts: facts.clone(), own, ..nothing() }));
        }
        if let (Ok((old, old_facts)), Ok((new, new_facts))) = (&mut lowered.old, &mut lowered.new) {
            lower::mark_doubtful([old, new]);
            lower::assume_no_overloads([old, new], [old_facts, new_facts]);
        }
        lowered.map(|lowered| {
            lowered.map(|(program, found)| Chosen { program: checked(program), unread: found.unread })
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
    known: &Known,
) -> (Program, ForeignFacts) {
    let version = Version::new(units, file_names(files));
    let other = other.map(|(files, units)| Version::new(units, file_names(files)));
    let (mut program, found) = lower::lower_version(version, other.as_ref(), known);
    conditions::place(&mut program);
    (program, found)
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
