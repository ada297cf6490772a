//! The functions that the files of a version name, as far as it counts for calls.

use std::collections::BTreeSet;

use lang_c::ast::{self, ExternalDeclaration};

use super::Declared;
use crate::lower::file_scope::declared_name;
use crate::parse::Unit;
use crate::tokens::tokens;

/// Functions of libc that call functions that they get.
const CALL_BACK: &[&str] = &[
    "argp_parse",
    "atexit",
    "at_quick_exit",
    "bsearch",
    "call_once",
    "dl_iterate_phdr",
    "ftw",
    "glob",
    "lfind",
    "lsearch",
    "nftw",
    "on_exit",
    "pthread_create",
    "pthread_once",
    "qsort",
    "qsort_r",
    "raise",
    "scandir",
    "scandirat",
    "sigaction",
    "signal",
    "swapcontext",
    "setcontext",
    "tdelete",
    "tdestroy",
    "tfind",
    "thrd_create",
    "tsearch",
    "twalk",
    "twalk_r",
];

/// Functions of libc with which a program says what ends or reads its streams call, and those that call it then.
const REGISTER: &[&str] = &["atexit", "at_quick_exit", "on_exit", "fopencookie"];
const CALL_REGISTERED: &[&str] = &[
    "exit",
    "fclose",
    "fflush",
    "fgetc",
    "fgets",
    "fprintf",
    "fputc",
    "fputs",
    "fread",
    "fscanf",
    "fwrite",
    "getc",
    "putc",
    "quick_exit",
];

/// The functions of a version.
pub(super) struct Names {
    /// All that are defined or announced.
    pub(super) functions: BTreeSet<String>,
    /// Those that may call functions of the program: their code is not given.
    pub(super) calling_back: BTreeSet<String>,
    pub(super) defined: BTreeSet<String>,
    /// Those that headers of the system announce.
    pub(super) system: BTreeSet<String>,
}

impl Names {
    pub(super) fn of(units: &[&Unit]) -> Names {
        let mut functions = BTreeSet::new();
        let mut calling_back: BTreeSet<String> = CALL_BACK.iter().map(|name| (*name).to_owned()).collect();
        let (mut defined, mut system) = (BTreeSet::new(), BTreeSet::new());
        for unit in units {
            for external in &unit.tree.0 {
                let is_system = unit.source.is_system(external.span.start);
                if let Some(name) = Declared::of(&external.node).function {
                    functions.insert(name.clone());
                    defined.insert(name);
                }
                for name in announced(&external.node) {
                    functions.insert(name.clone());
                    let of_its_kind = if is_system { &mut system } else { &mut calling_back };
                    of_its_kind.insert(name);
                }
            }
        }
        if units.iter().any(|unit| mentions(unit, REGISTER)) {
            calling_back.extend(CALL_REGISTERED.iter().map(|name| (*name).to_owned()));
        }
        calling_back.retain(|name| !defined.contains(name));
        Names { functions, calling_back, defined, system }
    }
}

/// Whether code of the user's own names one of some functions.
fn mentions(unit: &Unit, names: &[&str]) -> bool {
    let source = &unit.source;
    tokens(&source.whole).any(|(at, token)| names.contains(&token) && !source.is_system(at))
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
