//! Java to IR: parses with tree-sitter, resolves names and types, and lowers every method with Java's exact meaning.
//!
//! What is not lowered becomes an `Unsupported` statement at its place, and costs only the runs that reach it.
//! `docs/soundness-java.md` says what is modelled and what is taken for granted.

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

use ir::{Annotations, Diagnostic, FileId, Pair, Program, SourceFile};

use lower::{ForeignFacts, Version};
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
        let (_, facts) = lower_parsed(files, &units, None, &ForeignFacts::default());
        Ok(checked(lower_parsed(files, &units, None, &facts).0))
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
        let lower_all = |facts: &ForeignFacts| {
            versions.as_ref().map(|(files, (units, other))| match units {
                Ok(units) => Ok(lower_parsed(files, units, *other, facts)),
                Err(errors) => Err(errors.clone()),
            })
        };
        let mut lowered = lower_all(&ForeignFacts::default());
        let mut facts = ForeignFacts::default();
        for (_, found) in [&lowered.old, &lowered.new].into_iter().flatten() {
            facts.add(found);
        }
        if facts != ForeignFacts::default() {
            lowered = lower_all(&facts);
        }
        if let (Some(old), Some(new)) = (units_of.old, units_of.new) {
            let changed = Changed::between(Pair::new(old, new));
            for (lowered, units) in [(&mut lowered.old, old), (&mut lowered.new, new)] {
                if let Ok((program, _)) = lowered {
                    program.same_text = changed.same_text(program, units);
                }
            }
        }
        if let (Ok((old, old_facts)), Ok((new, new_facts))) = (&mut lowered.old, &mut lowered.new) {
            lower::mark_doubtful([old, new]);
            lower::assume_no_overloads([old, new], [old_facts, new_facts]);
        }
        lowered.map(|lowered| lowered.map(|(program, _)| checked(program)))
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
    facts: &ForeignFacts,
) -> (Program, ForeignFacts) {
    let version = Version::new(units, file_names(files));
    let other = other.map(|(files, units)| Version::new(units, file_names(files)));
    let (mut program, found) = lower::lower_version(version, other.as_ref(), facts);
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
