//! The functions that the files of a version name, as far as it counts for calls.

use std::collections::BTreeSet;

use lang_c::ast::{self, ExternalDeclaration};

use super::Declared;
use crate::lower::file_scope::declared_name;
use crate::parse::Unit;

/// Functions of libc that call functions that they get.
const CALL_BACK: &[&str] = &[
    "atexit",
    "at_quick_exit",
    "bsearch",
    "ftw",
    "lfind",
    "lsearch",
    "nftw",
    "on_exit",
    "pthread_create",
    "qsort",
    "qsort_r",
    "raise",
    "scandir",
    "sigaction",
    "signal",
    "thrd_create",
    "tsearch",
    "twalk",
];

/// The functions of a version.
pub(super) struct Names {
    /// All that are defined or announced.
    pub(super) functions: BTreeSet<String>,
    /// Those that may call functions of the program: their code is not given.
    pub(super) calling_back: BTreeSet<String>,
}

impl Names {
    pub(super) fn of(units: &[&Unit]) -> Names {
        let mut functions = BTreeSet::new();
        let mut calling_back: BTreeSet<String> = CALL_BACK.iter().map(|name| (*name).to_owned()).collect();
        let mut defined = BTreeSet::new();
        for unit in units {
            for external in &unit.tree.0 {
                let is_system = unit.source.is_system(external.span.start);
                if let Some(name) = Declared::of(&external.node).function {
                    functions.insert(name.clone());
                    defined.insert(name);
                }
                for name in announced(&external.node) {
                    functions.insert(name.clone());
                    if !is_system {
                        calling_back.insert(name);
                    }
                }
            }
        }
        calling_back.retain(|name| !defined.contains(name));
        Names { functions, calling_back }
    }
}

/// The functions that a declaration announces.
fn announced(external: &ExternalDeclaration) -> Vec<String> {
    let ExternalDeclaration::Declaration(declaration) = external else { return Vec::new() };
    let functions = declaration.node.declarators.iter().filter(|it| {
        let derived = &it.node.declarator.node.derived;
        derived.iter().any(|it| {
            matches!(it.node, ast::DerivedDeclarator::Function(_) | ast::DerivedDeclarator::KRFunction(_))
        }) && matches!(it.node.declarator.node.kind.node, ast::DeclaratorKind::Identifier(_))
    });
    functions.filter_map(|it| declared_name(&it.node.declarator).map(str::to_owned)).collect()
}
