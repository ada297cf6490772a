//! What a version declares, as rows of words by class, name and kind.

use std::collections::{BTreeMap, BTreeSet};

use ir::Pair;

use super::renamed::Renamed;
use super::uses::Use;
use crate::syntax::{Declaration, DeclarationKind, Unit, Words, is_name};

/// A declaration: class with its outer ones, name, kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Key<'a> {
    pub(super) class: &'a str,
    pub(super) name: &'a str,
    pub(super) kind: DeclarationKind,
}

/// The first word of the row of all values of a class; no source has it.
const IN_ORDER: &str = "\0";

/// The declarations of one version.
pub(super) struct Declared<'a> {
    /// What stands there, in order; overloads, and classes of one name in several packages, are several texts.
    pub(super) texts: BTreeMap<Key<'a>, Vec<Vec<&'a str>>>,
    enums: BTreeSet<&'a str>,
    units: &'a [Unit],
}

impl<'a> Declared<'a> {
    /// Fields have the new names.
    pub(super) fn of(units: &'a [Unit], renamed: &Renamed<'a>) -> Declared<'a> {
        let mut texts: BTreeMap<Key<'a>, Vec<Vec<&'a str>>> = BTreeMap::new();
        let in_functions = named_with_functions(units);
        for unit in units {
            // In which order the fields of a class are initialised, and its constants declared, counts for the class.
            let mut in_order: BTreeMap<Key<'a>, Vec<&'a str>> = BTreeMap::new();
            for declaration in &unit.words.declarations {
                let (class, kind) = (declaration.class.as_str(), declaration.kind);
                let new_name = |name: &'a str| renamed.get(name).copied().unwrap_or(name);
                let name = match kind {
                    DeclarationKind::Value => new_name(&declaration.name),
                    DeclarationKind::Method | DeclarationKind::Header => &declaration.name,
                };
                let key = Key { class, name, kind };
                let mut words = words_of(&unit.words, declaration);
                words.iter_mut().for_each(|word| *word = new_name(word));
                if kind == DeclarationKind::Method && in_functions.contains(declaration.name.as_str()) {
                    words.splice(0..0, unit.words.thrown_by(declaration));
                }
                words.push(&unit.package);
                if kind == DeclarationKind::Value {
                    let row = in_order.entry(Key { name: simple(class), ..key }).or_insert(vec![IN_ORDER]);
                    row.extend(&words);
                }
                texts.entry(key).or_default().push(words);
            }
            for (key, words) in in_order {
                texts.entry(key).or_default().push(words);
            }
        }
        texts.values_mut().for_each(|texts| texts.sort());
        let is_enum = |texts: &Vec<Vec<&str>>| texts.iter().flatten().any(|word| *word == "enum");
        let heads = texts.iter().filter(|(key, _)| key.kind == DeclarationKind::Header);
        let enums = heads.filter(|(_, texts)| is_enum(texts)).map(|(key, _)| key.class).collect();
        Declared { texts, enums, units }
    }

    pub(super) fn has(&self, key: &Key<'_>) -> bool {
        self.texts.contains_key(key)
    }

    /// Whether a class is declared twice, so that its name does not say which is meant.
    pub(super) fn has_twins(&self) -> bool {
        let heads = self.units.iter().flat_map(|unit| {
            let heads = unit.words.declarations.iter().filter(|it| it.kind == DeclarationKind::Header);
            heads.map(move |it| (unit.package.as_str(), it.class.as_str()))
        });
        let mut met = BTreeSet::new();
        heads.into_iter().any(|class| !met.insert(class))
    }

    pub(super) fn is_enum(&self, class: &str) -> bool {
        self.enums.contains(class)
    }

    /// The fields and constants of a class.
    pub(super) fn values_of(&self, class: &str) -> Vec<&'a str> {
        let keys = self.texts.keys().filter(|key| key.class == class && key.kind == DeclarationKind::Value);
        keys.map(|key| key.name).collect()
    }

    /// The names in the head of a class and of all members of those that it names, as far as they are given.
    pub(super) fn family(&self, class: &'a str) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::new();
        let mut met: BTreeSet<&str> = BTreeSet::new();
        let mut open = vec![simple(class)];
        while let Some(wanted) = open.pop() {
            if !met.insert(wanted) {
                continue;
            }
            let is_inside = |class: &str| class.split('.').any(|part| part == wanted);
            for (key, texts) in self.texts.iter().filter(|(key, _)| is_inside(key.class)) {
                found.insert(key.name);
                if key.kind == DeclarationKind::Header {
                    let names = texts.iter().flatten().copied().filter(|word| is_name(word));
                    open.extend(names.clone());
                    if simple(class) == wanted {
                        found.extend(names);
                    }
                }
            }
        }
        found
    }

    /// The file of each class that stands in no other one.
    pub(super) fn files(&self) -> BTreeMap<(&'a str, &'a str), &'a Unit> {
        let all = self.units.iter().flat_map(|unit| {
            let classes = unit.words.declarations.iter().map(|declaration| declaration.class.as_str());
            let top = classes.filter(|class| !class.is_empty() && !class.contains('.'));
            top.map(move |class| ((unit.package.as_str(), class), unit))
        });
        all.collect()
    }
}

/// The names in declarations that have lambda expressions or method references: what these throw may tell which types are
/// inferred for the code around them.
fn named_with_functions(units: &[Unit]) -> BTreeSet<&str> {
    let declared =
        units.iter().flat_map(|unit| unit.words.declarations.iter().map(|it| unit.words.declared(it)));
    let with_functions = declared.filter(|words| words.iter().any(|word| matches!(*word, "->" | "::")));
    with_functions.flatten().filter(|word| is_name(word)).collect()
}

/// The words of a declaration as they mean, without annotations: they mean nothing when a program runs.
pub(super) fn words_of<'a>(words: &'a Words, declaration: &Declaration) -> Vec<&'a str> {
    let words = words.plain(declaration);
    let mut kept = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let is_annotation = words[at] == "@" && words.get(at + 1).is_some_and(|next| *next != "interface");
        if !is_annotation {
            kept.push(words[at]);
            at += 1;
            continue;
        }
        at += 2;
        while words.get(at) == Some(&".") {
            at += 2;
        }
        if words.get(at) == Some(&"(") {
            at = after_parenthesis(&words, at);
        }
    }
    kept
}

/// The place after the parenthesis that closes the one at a place.
fn after_parenthesis(words: &[&str], at: usize) -> usize {
    let mut depth = 0;
    for (index, word) in words.iter().enumerate().skip(at) {
        match *word {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    words.len()
}

/// Whether the versions of a method have the same heads, so that only bodies differ.
pub(super) fn differs_in_bodies(key: &Key<'_>, declared: &Pair<Declared<'_>>) -> bool {
    let heads = declared.as_ref().map(|version| {
        let texts = version.texts.get(key)?;
        let head = |text: &Vec<&'_ str>| -> Option<Vec<String>> {
            let end = text.iter().position(|word| *word == "{")?;
            Some(text[..end].iter().chain(text.last()).map(|word| (*word).to_owned()).collect())
        };
        let mut heads: Vec<Vec<String>> = texts.iter().map(head).collect::<Option<_>>()?;
        heads.sort();
        Some(heads)
    });
    key.kind == DeclarationKind::Method
        && !makes_constants(key, declared)
        && heads.old.is_some()
        && heads.old == heads.new
}

/// Whether a constructor makes the constants of an enum, which are no procedures.
pub(super) fn makes_constants(key: &Key<'_>, declared: &Pair<Declared<'_>>) -> bool {
    let is_enum = declared.old.is_enum(key.class) || declared.new.is_enum(key.class);
    key.kind == DeclarationKind::Method && key.name == simple(key.class) && is_enum
}

/// The words of a method before its body; all words of anything else.
pub(super) fn head<'w, 'a>(key: &Key<'_>, text: &'w [&'a str]) -> &'w [&'a str] {
    let end = text.iter().position(|word| *word == "{").filter(|_| key.kind == DeclarationKind::Method);
    &text[..end.unwrap_or(text.len())]
}

/// What may initialise a class without naming it, if an initialiser of this declaration changed that does more than to give
/// a value: calls of its methods and uses of its fields, and of those of the classes below it.
pub(super) fn entered_by<'a>(key: &Key<'_>, declared: &Pair<Declared<'a>>) -> BTreeSet<Use<'a>> {
    let versions = [&declared.old, &declared.new];
    let is_enum = versions.iter().any(|version| version.is_enum(key.class));
    let does_more = |text: &Vec<&str>| {
        let is_value = key.kind == DeclarationKind::Value && text.first() != Some(&IN_ORDER);
        is_enum || is_value && text.contains(&"static") && (text.contains(&"(") || text.contains(&"="))
    };
    let texts = versions.iter().flat_map(|version| version.texts.get(key)).flatten();
    if key.kind == DeclarationKind::Header || !texts.into_iter().any(does_more) {
        return BTreeSet::new();
    }
    let classes = with_those_below(key.class, declared);
    let keys = versions.iter().flat_map(|version| version.texts.keys());
    let members = keys.filter(|it| classes.contains(simple(it.class)));
    let uses = members.filter_map(|it| match it.kind {
        DeclarationKind::Method => Some(Use::Method(it.name)),
        DeclarationKind::Value => Some(Use::Other(it.name)),
        DeclarationKind::Header => None,
    });
    uses.collect()
}

/// The simple names of a class and of all whose heads name it, or one of them.
fn with_those_below<'a>(class: &str, declared: &Pair<Declared<'a>>) -> BTreeSet<String> {
    let mut found = BTreeSet::from([simple(class).to_owned()]);
    let mut open: Vec<String> = found.iter().cloned().collect();
    while let Some(name) = open.pop() {
        for below in named_in_heads(&name, declared) {
            if found.insert(simple(below).to_owned()) {
                open.push(simple(below).to_owned());
            }
        }
    }
    found
}

/// The classes whose heads have a name in them that is not their own.
pub(super) fn named_in_heads<'a>(name: &str, declared: &Pair<Declared<'a>>) -> BTreeSet<&'a str> {
    let texts = [&declared.old, &declared.new].into_iter().flat_map(|version| version.texts.iter());
    let heads = texts.filter(|(key, _)| key.kind == DeclarationKind::Header && simple(key.class) != name);
    heads
        .filter(|(_, texts)| texts.iter().flatten().any(|word| *word == name))
        .map(|(key, _)| key.class)
        .collect()
}

/// Whether the words of a value are a constant of an enum with a body: its name, perhaps arguments, and a brace.
pub(super) fn is_constant_with_body(words: &[&str]) -> bool {
    let after_name = match words.get(1) {
        Some(&"(") => after_parenthesis(words, 1),
        _ => 1,
    };
    let is_named = words.first().is_some_and(|word| is_name(word) && *word != "static");
    is_named && words.get(after_name) == Some(&"{")
}

/// Whether code makes objects of classes without a name that others know: functions, classes with a body after `new`,
/// classes in methods. Over-approximating.
pub(super) fn has_nameless(words: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| match *word {
        "->" | "::" => true,
        "class" | "interface" | "record" | "enum" => at > 0 && words[at - 1] != ".",
        "new" => {
            let open = after_type(words, at).filter(|open| words[*open] == "(");
            open.is_some_and(|open| words.get(after_parenthesis(words, open)) == Some(&"{"))
        }
        _ => false,
    })
}

/// Where the type after a `new` ends: at the first bracket that does not stand between type arguments.
fn after_type(words: &[&str], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, word) in words.iter().enumerate().skip(at) {
        match *word {
            "<" => depth += 1,
            ">" | ">>" | ">>>" => depth = depth.saturating_sub(word.len()),
            "(" | "{" | ";" => return Some(index),
            "[" if depth == 0 => return Some(index),
            _ => {}
        }
    }
    None
}

/// The last name of a class with its outer classes.
pub(super) fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}
