//! Private fields that have another name in the new version, and nothing else.
//!
//! Exact: the old name is nowhere in the new version, the new name is nowhere in the old one, and wherever they stand it is
//! the field of the class around, or something else that the program itself declares. So the old version with the new names
//! is the same program. Under-approximating: other fields may have new names, too.

use std::collections::{BTreeMap, BTreeSet};

use ir::Pair;

use super::declared::{has_nameless, simple, words_of};
use crate::syntax::{Declaration, DeclarationKind, Unit};

/// New names by old ones.
pub(super) type Renamed<'a> = BTreeMap<&'a str, &'a str>;

pub(super) fn private_fields<'a>(units: Pair<&'a [Unit]>) -> Renamed<'a> {
    let fields = units.map(fields);
    let declared = fields.as_ref().map(declaring);
    let is_field = |name: &str| declared.old.contains_key(name) || declared.new.contains_key(name);
    let occurring = units.map(|units| occurrences(units, &is_field));
    let mut renamed: BTreeMap<&'a str, BTreeSet<&'a str>> = BTreeMap::new();
    for (class, old) in &fields.old {
        let Some(new) = fields.new.get(class) else { continue };
        let old = old.iter().filter(|field| {
            occurring.old.are_fields(field.name, &declared.old)
                && !occurring.new.classes.contains_key(field.name)
        });
        let mut new: Vec<&Field<'a>> = new
            .iter()
            .filter(|field| {
                occurring.new.are_fields(field.name, &declared.new)
                    && !occurring.old.classes.contains_key(field.name)
            })
            .collect();
        for field in old {
            // Any choice will do: what is renamed wrongly is not the same afterwards.
            if let Some(at) = new.iter().position(|other| other.text == field.text) {
                renamed.entry(field.name).or_default().insert(new.remove(at).name);
            }
        }
    }
    // Several classes may have a field of the name: they all get the same new one.
    let with_one = renamed.into_iter().filter_map(|(old, new)| match new.first() {
        Some(name) if new.len() == 1 && declared.old.get(old) == declared.new.get(name) => Some((old, *name)),
        _ => None,
    });
    with_one.collect()
}

/// A class with its package.
type Class<'a> = (&'a str, &'a str);

/// Which classes have a private field of a name.
fn declaring<'a>(fields: &BTreeMap<Class<'a>, Vec<Field<'a>>>) -> BTreeMap<&'a str, BTreeSet<Class<'a>>> {
    let mut found: BTreeMap<&'a str, BTreeSet<Class<'a>>> = BTreeMap::new();
    for (class, fields) in fields {
        for field in fields {
            found.entry(field.name).or_default().insert(*class);
        }
    }
    found
}

/// A private field, with its words but for its name.
struct Field<'a> {
    name: &'a str,
    text: Vec<&'a str>,
}

/// The private fields by class, in the order of the text.
fn fields(units: &[Unit]) -> BTreeMap<Class<'_>, Vec<Field<'_>>> {
    let mut fields: BTreeMap<Class<'_>, Vec<Field<'_>>> = BTreeMap::new();
    for unit in units {
        let values = unit.words.declarations.iter().filter(|it| it.kind == DeclarationKind::Value);
        for declaration in values.filter(|it| it.name != simple(&it.class)) {
            let mut text = words_of(&unit.words, declaration);
            if text.contains(&"private") {
                let name = declaration.name.as_str();
                text.retain(|word| *word != name);
                fields.entry((&unit.package, &declaration.class)).or_default().push(Field { name, text });
            }
        }
    }
    fields
}

/// Where names of fields stand.
#[derive(Default)]
struct Occurrences<'a> {
    /// The classes, with their packages, in which a name stands.
    classes: BTreeMap<&'a str, BTreeSet<Class<'a>>>,
    /// Names that may mean something that is not given, or that the program knows by their text.
    unsure: BTreeSet<&'a str>,
}

impl Occurrences<'_> {
    /// Whether a name stands only in classes that have a private field of that name, and means it there.
    fn are_fields(&self, name: &str, declared: &BTreeMap<&str, BTreeSet<Class<'_>>>) -> bool {
        let [Some(classes), Some(declared)] = [self.classes.get(name), declared.get(name)] else {
            return false;
        };
        classes.iter().all(|class| declared.contains(class)) && !self.unsure.contains(name)
    }
}

fn occurrences<'a>(units: &'a [Unit], is_field: &dyn Fn(&str) -> bool) -> Occurrences<'a> {
    let mut found = Occurrences::default();
    for unit in units {
        for declaration in &unit.words.declarations {
            add(&mut found, unit, declaration, is_field);
        }
        // Types, texts that name a field, and what imports bring.
        found.unsure.extend(unit.words.types());
        let texts = unit.words.all().into_iter().filter_map(|word| word.strip_prefix('"')?.strip_suffix('"'));
        found.unsure.extend(texts);
        found.unsure.extend(unit.imports.iter().flat_map(|import| import.path.iter().map(String::as_str)));
    }
    found
}

fn add<'a>(
    found: &mut Occurrences<'a>,
    unit: &'a Unit,
    declaration: &'a Declaration,
    is_field: &dyn Fn(&str) -> bool,
) {
    let words = words_of(&unit.words, declaration);
    let mut without_functions = words.clone();
    without_functions.retain(|word| !matches!(*word, "->" | "::"));
    // In a class in the midst of code a name may be inherited from a class that is not given.
    let has_classes = declaration.kind != DeclarationKind::Header && has_nameless(&without_functions);
    for (at, word) in words.iter().enumerate().filter(|(_, word)| is_field(word)) {
        found.classes.entry(word).or_default().insert((&unit.package, &declaration.class));
        if has_classes || !may_be_own_field(&words, at) {
            found.unsure.insert(word);
        }
    }
}

/// Whether a word stands where a field of the class around may: not behind another object, not as a method or a constant.
fn may_be_own_field(words: &[&str], at: usize) -> bool {
    let before = |count: usize| at.checked_sub(count).map_or("", |before| words[before]);
    let after = words.get(at + 1).copied().unwrap_or("");
    let is_of_this = before(1) == "." && before(2) == "this" && before(3) != ".";
    let may_be_constant = words.contains(&"case") && matches!(before(1), "case" | ",");
    (before(1) != "." || is_of_this)
        && !matches!(before(1), "::" | "@" | "new")
        && after != "("
        && !may_be_constant
}
