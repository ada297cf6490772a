//! Calls of static methods whose class is not there: unknown code, the same in both versions.
//!
//! Such a method is an external procedure, named by its class and the types of the arguments, because these decide which
//! overload runs. What it gives is known only by where the result goes. It may fail: then it does so in both versions, and
//! all that can be observed was compared when it was called; only a handler around it would notice, which is unsupported.
//! Over-approximating in proofs; classes of the Java library that are not modelled are left out, because they are documented.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Access, Block, Expr as IrExpr, External, Local, Procedure, Program, Span, StmtKind, Type};

use super::body::{Body, Value};
use super::stable::path;
use crate::syntax::{ClassDecl, Expr, ExprKind, Member, Unit};
use crate::types::Ty;

/// The classes of `java.lang` that are not modelled: they need no import.
const JAVA_LANG: &[&str] = &[
    "Class",
    "ClassLoader",
    "ClassValue",
    "Enum",
    "InheritableThreadLocal",
    "Iterable",
    "Module",
    "ModuleLayer",
    "Number",
    "Package",
    "Process",
    "ProcessBuilder",
    "ProcessHandle",
    "Record",
    "Runtime",
    "RuntimePermission",
    "SecurityManager",
    "StackTraceElement",
    "StackWalker",
    "StringBuffer",
    "Thread",
    "ThreadGroup",
    "ThreadLocal",
    "Void",
];

/// When a class that is not there can be told by its simple name: it then means the same in all files of both versions.
#[derive(Default)]
pub(crate) struct ForeignNames {
    is_plain: bool,
    /// The names that some file imports.
    imported: BTreeSet<String>,
    /// The simple names of the classes of both versions: one that the other version lacks is not there by mistake.
    given: BTreeSet<String>,
}

impl ForeignNames {
    pub(crate) fn of(versions: &[&[Unit]]) -> ForeignNames {
        let units = || versions.iter().flat_map(|units| units.iter());
        let packages: BTreeSet<&str> = units().map(|unit| unit.package.as_str()).collect();
        let imports = || units().flat_map(|unit| &unit.imports);
        ForeignNames {
            is_plain: packages.len() <= 1 && !imports().any(|import| import.on_demand),
            imported: imports().filter_map(|import| import.path.last().cloned()).collect(),
            given: units().flat_map(|unit| &unit.classes).flat_map(class_names).collect(),
        }
    }
}

fn class_names(class: &ClassDecl) -> Vec<String> {
    let mut names = vec![class.name.clone()];
    for member in &class.members {
        if let Member::Class(nested) = member {
            names.extend(class_names(nested));
        }
    }
    names
}

impl<'a> Body<'_, 'a> {
    /// The full name of the class that is not there whose static method an expression calls.
    fn foreign_owner(&self, target: &Expr) -> Option<String> {
        if self.cx.table.class(self.class).is_library {
            return None;
        }
        let path = path(target)?;
        let first = path.first()?;
        let is_variable = self.lookup(first).is_some()
            || self.cx.table.field_in_scope(self.class, first).is_some()
            || self.is_enum_constant(first);
        let names = &self.cx.foreign_names;
        // A parent that is not there may have a field of this name.
        if path.iter().any(|name| names.given.contains(name)) || self.has_unknown_parents() {
            return None;
        }
        if is_variable || self.cx.table.resolve_path(&path, Some(self.class)).is_some() {
            return None;
        }
        // Only part of the path may be a class that is there: then it is a field of it.
        let is_known = |end: usize| self.cx.table.resolve_path(&path[..end], Some(self.class)).is_some();
        if (1..path.len()).any(is_known) || self.type_params.contains(first) {
            return None;
        }
        let imports = self.cx.table.class(self.class).scope.imports;
        let single = imports.iter().find(|import| !import.on_demand && import.path.last() == Some(first));
        let full = match single {
            Some(import) if import.is_static => return None,
            Some(import) => import.path.iter().chain(&path[1..]).cloned().collect::<Vec<_>>().join("."),
            None if path.len() > 1 && first.starts_with(char::is_lowercase) => path.join("."),
            None => {
                let is_class = first.starts_with(char::is_uppercase);
                let is_plain = names.is_plain && is_class && !names.imported.contains(first);
                if !is_plain || JAVA_LANG.contains(&first.as_str()) {
                    return None;
                }
                path.join(".")
            }
        };
        let is_standard = full.starts_with("java.") || full.starts_with("javax.");
        (!is_standard).then_some(full)
    }

    fn has_unknown_parents(&self) -> bool {
        let mut class = Some(self.class);
        while let Some(id) = class {
            if self.cx.table.has_unknown_ancestor(id) {
                return true;
            }
            class = self.cx.table.class(id).outer;
        }
        false
    }

    fn is_enum_constant(&self, name: &str) -> bool {
        let mut class = Some(self.class);
        while let Some(id) = class {
            if self.cx.table.class(id).decl.constants.iter().any(|constant| constant.name == name) {
                return true;
            }
            class = self.cx.table.class(id).outer;
        }
        false
    }

    /// A call of unknown code whose result goes to a place of a type, or nowhere; nothing if it is no such call.
    pub(super) fn foreign_call(&mut self, expr: &'a Expr, wanted: Option<&Ty>) -> Option<Value> {
        let ExprKind::Call { target: Some(target), name, args } = &expr.kind else { return None };
        if !matches!(wanted, None | Some(Ty::Primitive(_) | Ty::Boxed(_) | Ty::Text)) {
            return None;
        }
        let owner = self.foreign_owner(target)?;
        let values = self.in_order(args, |body, arg| body.argument(arg));
        let is_plain = |value: &Value| !matches!(value.ty, Ty::Unknown(_) | Ty::Null | Ty::Void);
        if !values.iter().all(is_plain) {
            return Some(
                self.unsupported(format!("a call of `{owner}.{name}` with an argument of unknown type")),
            );
        }
        let types: Vec<String> = values.iter().map(|value| self.cx.table.type_name(&value.ty)).collect();
        let full = format!("{owner}.{name}({})", types.join(","));
        let params: Vec<Type> = values.iter().map(|value| self.cx.ir_type(&value.ty)).collect();
        let result = wanted.map(|ty| self.cx.ir_type(ty));
        let Some(callee) = self.foreign_procedure(full, name, params, result) else {
            return Some(self.unsupported(format!("the type of what `{owner}.{name}` gives")));
        };
        self.assume_in_words("code whose source is not there runs no code of the program that changed");
        let local = wanted.map(|ty| self.temp_for(ty));
        let args = values.into_iter().map(|value| value.expr).collect();
        self.emit(StmtKind::Call { local, callee, args });
        Some(match (local, wanted) {
            (Some(local), Some(ty)) => Value::new(IrExpr::Local(local), ty.clone()),
            _ => Value::void(),
        })
    }

    /// The procedure that stands for a method; nothing if it would have to have two results.
    fn foreign_procedure(
        &mut self,
        full: String,
        short_name: &str,
        params: Vec<Type>,
        result: Option<Type>,
    ) -> Option<ir::ProcId> {
        let program = &mut self.cx.program;
        if let Some(known) = program.procedure_named(&full) {
            let procedure = &mut program.procedures[known.index()];
            return match (&procedure.result, result) {
                (_, None) => Some(known),
                (None, wanted) => {
                    procedure.result = wanted;
                    Some(known)
                }
                (Some(known_type), Some(wanted)) => (*known_type == wanted).then_some(known),
            };
        }
        let local = |(index, ty)| Local { name: format!("p{index}"), ty };
        program.procedures.push(Procedure {
            name: full,
            short_name: short_name.to_owned(),
            params: params.len(),
            locals: params.into_iter().enumerate().map(local).collect(),
            result,
            body: None,
            external: External { access: Access::Writes, library: false },
            span: Span::NOWHERE,
            assumptions: Vec::new(),
        });
        Some(ir::ProcId::from_index(program.procedures.len() - 1))
    }
}

fn is_foreign(procedure: &Procedure) -> bool {
    procedure.body.is_none() && procedure.external.access == Access::Writes
}

/// A handler around unknown code would notice that it fails.
pub(super) fn drop_handlers(program: &mut Program) {
    let mut reaching: Vec<bool> = program.procedures.iter().map(is_foreign).collect();
    if !reaching.contains(&true) {
        return;
    }
    loop {
        let before = reaching.clone();
        for (index, procedure) in program.procedures.iter().enumerate() {
            reaching[index] |= procedure.body.iter().any(|body| calls_any(body, &before));
        }
        if reaching == before {
            break;
        }
    }
    for body in program.procedures.iter_mut().filter_map(|procedure| procedure.body.as_mut()) {
        replace_handlers(body, &reaching);
    }
}

fn calls_any(block: &Block, wanted: &[bool]) -> bool {
    block.iter().any(|stmt| {
        matches!(&stmt.kind, StmtKind::Call { callee, .. } if wanted[callee.index()])
            || ir::blocks(&stmt.kind).into_iter().any(|block| calls_any(block, wanted))
    })
}

fn replace_handlers(block: &mut Block, reaching: &[bool]) {
    for stmt in block {
        if let StmtKind::Try { body, .. } = &stmt.kind
            && calls_any(body, reaching)
        {
            let what = "a `try` around code whose source is not there".to_owned();
            stmt.kind = StmtKind::Unsupported { what };
        }
        ir::blocks_mut(&mut stmt.kind).into_iter().for_each(|block| replace_handlers(block, reaching));
    }
}

/// Calls of one method with other types in the other version may mean the same method or another one.
pub(crate) fn drop_mixed_calls(programs: [&mut Program; 2]) {
    let [old, new] = programs;
    let mixed: BTreeSet<String> = {
        let (old, new) = (methods(old), methods(new));
        let differs = |name: &&String| old.get(*name) != new.get(*name);
        old.keys().filter(|name| new.contains_key(*name)).filter(differs).cloned().collect()
    };
    for program in [old, new] {
        let is_mixed = |procedure: &Procedure| is_foreign(procedure) && mixed.contains(stem(&procedure.name));
        let dropped: Vec<bool> = program.procedures.iter().map(is_mixed).collect();
        for body in program.procedures.iter_mut().filter_map(|procedure| procedure.body.as_mut()) {
            replace_calls(body, &dropped);
        }
    }
}

/// The methods that are not there, each with the types with which it is called.
fn methods(program: &Program) -> BTreeMap<String, BTreeSet<(String, Option<String>)>> {
    let mut found: BTreeMap<String, BTreeSet<(String, Option<String>)>> = BTreeMap::new();
    for procedure in program.procedures.iter().filter(|procedure| is_foreign(procedure)) {
        let result = procedure.result.as_ref().map(|ty| ir::print_type(program, ty));
        found.entry(stem(&procedure.name).to_owned()).or_default().insert((procedure.name.clone(), result));
    }
    found
}

fn stem(name: &str) -> &str {
    name.split('(').next().unwrap_or(name)
}

fn replace_calls(block: &mut Block, dropped: &[bool]) {
    for stmt in block {
        if let StmtKind::Call { callee, .. } = &stmt.kind
            && dropped[callee.index()]
        {
            let what =
                "a method whose source is not there, called with other types in the other version".to_owned();
            stmt.kind = StmtKind::Unsupported { what };
        }
        ir::blocks_mut(&mut stmt.kind).into_iter().for_each(|block| replace_calls(block, dropped));
    }
}
