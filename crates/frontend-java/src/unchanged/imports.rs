//! Which names mean something else in the other version, because of an import. Over-approximating.

use std::collections::BTreeSet;

use ir::Pair;

use super::declared::{Declared, simple};
use crate::syntax::{DeclarationKind, Import, Unit, is_name};

/// The names that mean something else in a class of one version.
pub(super) fn imported_otherwise<'a>(declared: &Pair<Declared<'a>>) -> BTreeSet<&'a str> {
    let files = declared.as_ref().map(Declared::files);
    let versions = [&declared.old, &declared.new];
    let given: BTreeSet<&str> =
        versions.iter().flat_map(|version| version.texts.keys()).map(|key| simple(key.class)).collect();
    let mut found = BTreeSet::new();
    for (class, old) in &files.old {
        let Some(new) = files.new.get(class) else { continue };
        for (one, other) in [(*old, *new), (*new, *old)] {
            for import in one.imports.iter().filter(|import| !other.imports.contains(import)) {
                found.extend(brought(import, other, one, &given));
            }
        }
    }
    found
}

/// The names of classes that are not given and that a file imports by name from another package in the other version.
pub(super) fn from_elsewhere(declared: &Pair<Declared<'_>>) -> BTreeSet<String> {
    let files = declared.as_ref().map(Declared::files);
    let mut found = BTreeSet::new();
    for (class, old) in &files.old {
        let Some(new) = files.new.get(class) else { continue };
        let named = |unit: &'_ Unit| -> Vec<Import> {
            unit.imports.iter().filter(|it| !it.is_static && !it.on_demand).cloned().collect()
        };
        let new = named(new);
        for import in named(old) {
            let is_other = |it: &Import| it.path.last() == import.path.last() && it.path != import.path;
            if new.iter().any(is_other) {
                found.extend(import.path.last().cloned());
            }
        }
    }
    found.retain(|name| !is_given(name, declared));
    found
}

fn is_given(name: &str, declared: &Pair<Declared<'_>>) -> bool {
    let mut keys = declared.old.texts.keys().chain(declared.new.texts.keys());
    keys.any(|key| simple(key.class) == name)
}

/// The names that one file has from an import, and another file has not.
fn brought<'a>(import: &'a Import, other: &Unit, one: &'a Unit, given: &BTreeSet<&str>) -> Vec<&'a str> {
    match import.path.last() {
        Some(name) if !import.on_demand => {
            let is_brought = other.imports.iter().any(|it| brings(it, import.is_static, &import.path));
            // What the other file does not mention means nothing there.
            let is_free = is_brought || !other.words.names().contains(&name.as_str());
            if is_free { Vec::new() } else { vec![name.as_str()] }
        }
        // Any name may come from there, unless the other file has it by name, or it is declared in the file.
        _ => {
            let words = one.words.all();
            let is_class = |name: &&str| {
                import.is_static
                    || name.starts_with(char::is_uppercase)
                    || given.contains(name)
                    || stands_as_class(&words, name)
            };
            let is_by_name = |name: &&str| {
                let path: Vec<String> = import.path.iter().cloned().chain([(*name).to_owned()]).collect();
                other.imports.iter().any(|it| brings(it, import.is_static, &path))
            };
            let own = seen_everywhere(one);
            let is_own = |name: &&str| !import.is_static && (own.contains(name) || *name == "Object");
            let names = one.words.names().into_iter().filter(|name| import.is_static || !is_keyword(name));
            names.filter(is_class).filter(|name| !is_by_name(name) && !is_own(name)).collect()
        }
    }
}

/// The classes of a file whose names mean them in all of it: those that stand in no other one, and, if there is only one
/// such class, those in it that its head does not name.
fn seen_everywhere(unit: &Unit) -> BTreeSet<&str> {
    let heads = || unit.words.declarations.iter().filter(|it| it.kind == DeclarationKind::Header);
    let top: BTreeSet<&str> =
        heads().map(|it| it.class.as_str()).filter(|class| !class.contains('.')).collect();
    let mut seen = top.clone();
    if top.len() == 1 {
        let is_inner = |class: &&str| class.matches('.').count() == 1;
        let in_heads = heads().filter(|it| top.contains(it.class.as_str()));
        let named: BTreeSet<&str> = in_heads.flat_map(|it| unit.words.declared(it)).collect();
        let inner = heads().map(|it| it.class.as_str()).filter(is_inner).map(simple);
        seen.extend(inner.filter(|name| !named.contains(name)));
    }
    seen
}

/// Whether a name that begins like that of a variable may be a class: it stands where one may, and never where only a
/// variable can.
fn stands_as_class(words: &[&str], name: &str) -> bool {
    let mut may_be_class = false;
    for (at, _) in words.iter().enumerate().filter(|(_, word)| **word == name) {
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        let after = words.get(at + 1).copied().unwrap_or("");
        if matches!(before, "." | "::" | "@") || after == "(" {
            continue;
        }
        let is_listed =
            matches!(before, "extends" | "implements" | "throws" | "permits" | "new" | "instanceof");
        let is_assigned = matches!(after, "=" | ";" | "->" | ":" | "++" | "--" | "+=" | "-=");
        let is_parameter = matches!(after, "," | ")")
            && !is_listed
            && (is_name(before) || matches!(before, ">" | "]" | "."));
        if is_assigned || is_parameter {
            return false;
        }
        may_be_class = true;
    }
    may_be_class
}

fn is_keyword(word: &str) -> bool {
    const KEYWORDS: &str = "abstract assert boolean break byte case catch char class const continue default do double \
         else enum extends final finally float for goto if implements import instanceof int interface long native new \
         package private protected public return short static strictfp super switch synchronized this throw throws \
         transient try void volatile while true false null var yield record sealed permits non";
    KEYWORDS.split_whitespace().any(|keyword| keyword == word)
}

/// Whether an import brings what a path leads to, by name or with an asterisk.
fn brings(import: &Import, is_static: bool, path: &[String]) -> bool {
    let Some((_, parent)) = path.split_last() else { return false };
    let wanted = if import.on_demand { parent } else { path };
    import.is_static == is_static && import.path == wanted
}
