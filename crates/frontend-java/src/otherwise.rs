//! Refuses methods whose words mean something else in the other version, where the lowered code does not show it.
//!
//! Classes that are not given go by their simple names in it, and calls of their methods are unknown code. So a method is
//! refused that mentions a class which each version imports from another package, but for calls of its static methods,
//! which go by the package too. And one is refused that calls such a method where objects of classes without a name that
//! changed may be behind it. Over-approximating: more is refused than is different.

use std::collections::BTreeSet;

use ir::{Procedure, Program, Stmt, StmtKind};

use crate::syntax::{DeclarationKind, Unit};
use crate::unchanged::Changes;

/// The methods of the functional interfaces of Java's library.
const FUNCTIONS: [&str; 16] = [
    "accept",
    "apply",
    "applyAsDouble",
    "applyAsInt",
    "applyAsLong",
    "call",
    "compare",
    "get",
    "getAsBoolean",
    "getAsDouble",
    "getAsInt",
    "getAsLong",
    "run",
    "test",
    "uncaughtException",
    "invoke",
];

/// Refuses them in one version.
pub(crate) fn refuse(program: &mut Program, units: &[Unit], changes: &Changes) {
    let nameless = nameless_methods(units, changes);
    let refused: Vec<Option<String>> = (0..program.procedures.len())
        .map(|index| {
            let procedure = &program.procedures[index];
            procedure.body.as_ref()?;
            imported_name(procedure, units, changes)
                .map(|name| format!("`{name}`, which the versions import from different packages,"))
                .or_else(|| called(program, index, &nameless))
        })
        .collect();
    for (procedure, what) in program.procedures.iter_mut().zip(refused) {
        if let Some(what) = what {
            procedure.body = Some(vec![Stmt { kind: StmtKind::Unsupported { what }, span: procedure.span }]);
        }
    }
}

/// A name in the text of a method, or in the head of a class around it, that is imported from different packages.
fn imported_name<'a>(procedure: &Procedure, units: &[Unit], changes: &'a Changes) -> Option<&'a str> {
    if changes.imported_from_elsewhere().is_empty() || procedure.span.is_nowhere() {
        return None;
    }
    let unit = units.get(procedure.span.file.index())?;
    let declaration = unit.words.declared_at(&procedure.span)?;
    let around = unit.words.declarations.iter().filter(|head| {
        let class = declaration.class.strip_prefix(head.class.as_str());
        head.kind == DeclarationKind::Header
            && class.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    let mut words = around.chain([declaration]).map(|it| unit.words.declared(it));
    words.find_map(|words| mentioned_name(&words, changes)).map(String::as_str)
}

/// The first such name in words. Calls of static methods, `Name.method(...)`, go by the name with its package already.
fn mentioned_name<'a>(words: &[&str], changes: &'a Changes) -> Option<&'a String> {
    words.iter().enumerate().find_map(|(at, word)| {
        let name = changes.imported_from_elsewhere().get(*word)?;
        let is_call = words.get(at + 1) == Some(&".") && words.get(at + 3) == Some(&"(");
        let is_qualified = at > 0 && words[at - 1] == ".";
        (!is_call || is_qualified).then_some(name)
    })
}

/// A method that is not given, is called, and may be one of those of a class without a name.
fn called(program: &Program, index: usize, nameless: &BTreeSet<&str>) -> Option<String> {
    if nameless.is_empty() {
        return None;
    }
    let callees =
        ir::calls_of(program, ir::ProcId::from_index(index)).iter().map(|id| program.procedure(*id));
    let mut outside = callees.filter(|callee| callee.body.is_none());
    let found = outside.find(|callee| nameless.contains(callee.short_name.as_str()))?;
    Some(format!("`{}`, which a class without a name may implement that changed,", found.short_name))
}

/// What may run code without a name that changed.
fn nameless_methods<'a>(units: &'a [Unit], changes: &Changes) -> BTreeSet<&'a str> {
    if !changes.has_nameless() {
        return BTreeSet::new();
    }
    let mut methods: BTreeSet<&str> = BTreeSet::new();
    for nameless in units.iter().map(|unit| &unit.nameless) {
        methods.extend(nameless.classes.iter().flat_map(|class| class.methods.iter().map(String::as_str)));
        if !nameless.lambdas.is_empty() || nameless.has_method_references {
            methods.extend(FUNCTIONS);
        }
    }
    methods
}
