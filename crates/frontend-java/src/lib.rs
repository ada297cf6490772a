//! Java to IR: parses with tree-sitter, resolves names and types, and lowers every method with Java's exact meaning.
//!
//! What is not lowered becomes an `Unsupported` statement at its place, and costs only the runs that reach it.
//! `docs/soundness-java.md` says what is modelled and what is taken for granted.

mod classes;
mod lower;
mod prelude;
mod syntax;
mod types;

use std::collections::BTreeSet;

use ir::{Diagnostic, FileId, Program, SourceFile};

/// The stack that lowering deeply nested code may need; memory is only used as far as it is touched.
const STACK_BYTES: usize = 256 << 20;

/// The static fields of a version that its code or other code may change. A field is a constant only if it is one
/// in both versions.
#[derive(Clone, Debug, Default)]
pub struct Variables(BTreeSet<String>);

/// The static fields of a version that may change; none if it has syntax errors.
pub fn variables(files: &[SourceFile]) -> Variables {
    on_large_stack(|| match parse(files) {
        Ok(units) => Variables(lower::variables(&units)),
        Err(_) => Variables::default(),
    })
}

/// Lowers a set of Java files that belong together into one program.
///
/// Fails only on syntax errors; unknown names, types and constructs become unsupported statements.
pub fn lower(files: &[SourceFile]) -> Result<Program, Vec<Diagnostic>> {
    lower_beside(files, &Variables::default())
}

/// Lowers one of two versions, given what may change in the other one.
pub fn lower_beside(files: &[SourceFile], other: &Variables) -> Result<Program, Vec<Diagnostic>> {
    on_large_stack(|| {
        let units = parse(files)?;
        let names = files.iter().map(|file| file.name.clone()).collect();
        let program = lower::lower_units(&units, names, other.0.clone());
        debug_assert_eq!(ir::validate(&program), Ok(()), "lowered programs should be well-formed");
        Ok(program)
    })
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
