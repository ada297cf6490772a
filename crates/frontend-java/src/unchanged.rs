//! Which names lead to code that is the same in both versions.
//!
//! A name is *changed* if something of that name is declared in another way in the other version, or if code of that
//! name mentions a changed name. Code that mentions no changed name runs nothing that changed, but for what code that is
//! not given calls. Names stand for all that is called so, in all classes: over-approximating the changes.

use std::collections::{BTreeMap, BTreeSet};

use ir::Pair;

use crate::syntax::{DeclarationKind, Import, Unit, is_name};

/// The names behind which something changed.
#[derive(Clone, Default, Debug)]
pub(crate) struct Changed {
    /// Of methods and constructors.
    methods: BTreeSet<String>,
    /// Of fields, constants and classes.
    others: BTreeSet<String>,
}

/// What is declared somewhere under one name, or used there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Use<'a> {
    Method(&'a str),
    Other(&'a str),
}

impl Changed {
    /// Compares two versions.
    pub(crate) fn between(units: Pair<&[Unit]>) -> Changed {
        let declared = units.map(Declared::of);
        let mut changed = Changed::default();
        let keys: BTreeSet<&Key<'_>> = declared.old.texts.keys().chain(declared.new.texts.keys()).collect();
        for key in keys {
            if declared.old.texts.get(key) != declared.new.texts.get(key) {
                changed.add(key, &declared);
            }
        }
        for version in [&declared.old, &declared.new] {
            let other = if std::ptr::eq(version, &declared.old) { &declared.new } else { &declared.old };
            changed.others.extend(version.imported_otherwise(other).into_iter().map(str::to_owned));
        }
        changed.close(&declared);
        changed
    }

    fn add(&mut self, key: &Key<'_>, declared: &Pair<Declared<'_>>) {
        let (class, name, kind) = *key;
        match kind {
            DeclarationKind::Method => {
                self.methods.insert(name.to_owned());
                if name == simple(class) {
                    self.change_class(class);
                }
            }
            DeclarationKind::Value => {
                self.others.insert(name.to_owned());
                // What is made when an object or a class is made.
                self.change_class(class);
            }
            DeclarationKind::Header => {
                self.change_class(class);
                // Its objects may run other methods now, and the components of a record are methods.
                for version in [&declared.old, &declared.new] {
                    let own = version.texts.get(key).into_iter().flatten().flatten();
                    for name in version.family(class).into_iter().chain(own.copied()) {
                        self.methods.insert(name.to_owned());
                        self.others.insert(name.to_owned());
                    }
                }
            }
        }
    }

    fn change_class(&mut self, class: &str) {
        self.methods.insert(simple(class).to_owned());
        self.others.insert(simple(class).to_owned());
    }

    /// Adds the names of all code that mentions changed names.
    fn close(&mut self, declared: &Pair<Declared<'_>>) {
        let mut users: BTreeMap<Use<'_>, BTreeSet<&Key<'_>>> = BTreeMap::new();
        for version in [&declared.old, &declared.new] {
            for (key, texts) in &version.texts {
                for text in texts {
                    uses(text, &mut |used| {
                        users.entry(used).or_default().insert(key);
                    });
                }
            }
        }
        let mut open: Vec<Use<'_>> = Vec::new();
        let known: Vec<Use<'_>> = users.keys().copied().filter(|used| self.has(*used)).collect();
        open.extend(known);
        while let Some(used) = open.pop() {
            for (class, name, kind) in users.get(&used).into_iter().flatten() {
                let simple = simple(class);
                let mut reached = match kind {
                    DeclarationKind::Method if *name != simple => vec![Use::Method(name)],
                    DeclarationKind::Value => vec![Use::Other(name), Use::Method(simple), Use::Other(simple)],
                    // Constructors run those of the classes above.
                    _ => vec![Use::Method(simple), Use::Other(simple)],
                };
                reached.retain(|used| !self.has(*used));
                for used in reached {
                    match used {
                        Use::Method(name) => self.methods.insert(name.to_owned()),
                        Use::Other(name) => self.others.insert(name.to_owned()),
                    };
                    open.push(used);
                }
            }
        }
    }

    fn has(&self, used: Use<'_>) -> bool {
        match used {
            Use::Method(name) => self.methods.contains(name),
            Use::Other(name) => self.others.contains(name),
        }
    }

    /// Whether code, given by its words, may run something that changed.
    pub(crate) fn reaches(&self, words: &[&str]) -> bool {
        let mut found = false;
        uses(words, &mut |used| found |= self.has(used));
        found
    }

    /// Whether making an object of a class of this name may, or initialising the class.
    pub(crate) fn has_class(&self, name: &str) -> bool {
        self.others.contains(name) || self.methods.contains(name)
    }

    /// Whether a method of this name may.
    pub(crate) fn has_method(&self, name: &str) -> bool {
        self.methods.contains(name)
    }
}

/// A declaration: package and class, name, kind.
type Key<'a> = (&'a str, &'a str, DeclarationKind);

/// The declarations of one version.
struct Declared<'a> {
    /// What stands there, in order; overloads are several texts.
    texts: BTreeMap<Key<'a>, Vec<Vec<&'a str>>>,
    /// The names of the classes above each class, as they are written.
    units: &'a [Unit],
}

impl<'a> Declared<'a> {
    fn of(units: &'a [Unit]) -> Declared<'a> {
        let mut texts: BTreeMap<Key<'a>, Vec<Vec<&'a str>>> = BTreeMap::new();
        let mut in_order: BTreeMap<(usize, Key<'a>), Vec<&'a str>> = BTreeMap::new();
        for (index, unit) in units.iter().enumerate() {
            for declaration in &unit.words.declarations {
                let key = (declaration.class.as_str(), declaration.name.as_str(), declaration.kind);
                let mut words = plain(&unit.words.declared(declaration));
                // Classes of one name in several packages are told apart.
                words.push(&unit.package);
                // In which order the fields of a class are initialised, and its constants declared, counts for the class.
                if declaration.kind == DeclarationKind::Value {
                    let key = (key.0, simple(key.0), DeclarationKind::Value);
                    in_order.entry((index, key)).or_default().extend(&words);
                }
                texts.entry(key).or_default().push(words);
            }
        }
        for ((_, key), words) in in_order {
            texts.entry(key).or_default().push(words);
        }
        texts.values_mut().for_each(|texts| texts.sort());
        Declared { texts, units }
    }

    /// The names of all members of a class and of those above it, as far as they are given.
    fn family(&self, class: &str) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::new();
        let mut met: BTreeSet<&str> = BTreeSet::new();
        let mut open = vec![simple(class)];
        while let Some(wanted) = open.pop() {
            if !met.insert(wanted) {
                continue;
            }
            for ((class, name, kind), texts) in &self.texts {
                if simple(class) != wanted {
                    continue;
                }
                found.insert(*name);
                if *kind == DeclarationKind::Header {
                    open.extend(texts.iter().flatten().filter(|word| is_name(word)));
                }
            }
        }
        found
    }

    /// The names that files of this version use and that mean something else there in the other version, because of an
    /// import.
    fn imported_otherwise(&self, other: &Declared<'a>) -> Vec<&'a str> {
        let mut found = Vec::new();
        let of = |units: &'a [Unit]| -> BTreeMap<(&'a str, &'a str), &'a Unit> {
            let named = units.iter().filter_map(|unit| {
                let first = unit.words.declarations.first()?;
                Some(((unit.package.as_str(), first.class.as_str()), unit))
            });
            named.collect()
        };
        let others = of(other.units);
        for (key, unit) in of(self.units) {
            let Some(counterpart) = others.get(&key) else { continue };
            for import in unit.imports.iter().filter(|import| !counterpart.imports.contains(import)) {
                match import.path.last() {
                    Some(name) if !import.on_demand => {
                        if !is_on_demand(import, &counterpart.imports) && counterpart.words.mentions(name) {
                            found.push(name.as_str());
                        }
                    }
                    // Any name may come from there, unless the other version imports it by name.
                    _ => found.extend(imported_by_name(import, &counterpart.imports, unit)),
                }
            }
        }
        found
    }
}

/// The last name of a class with its outer classes.
fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// Whether a list of imports has the same name with an asterisk.
fn is_on_demand(import: &Import, others: &[Import]) -> bool {
    let Some((_, path)) = import.path.split_last() else { return false };
    others.iter().any(|other| other.on_demand && other.is_static == import.is_static && other.path == path)
}

/// The names that an import with an asterisk may have brought: those of classes that nothing else brings.
fn imported_by_name<'a>(import: &Import, others: &[Import], unit: &'a Unit) -> Vec<&'a str> {
    let is_same = |name: &str| {
        others.iter().any(|other| {
            !other.on_demand
                && other.is_static == import.is_static
                && other.path.last().is_some_and(|last| last == name)
                && other.path.split_last().is_some_and(|(_, path)| path == import.path)
        })
    };
    let is_class = |name: &&str| import.is_static || name.starts_with(char::is_uppercase);
    unit.words.names().into_iter().filter(is_class).filter(|name| !is_same(name)).collect()
}

/// Words without what means nothing at run time: annotations, `final`.
fn plain<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut kept = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        match words[at] {
            "final" => at += 1,
            "@" if words.get(at + 1).is_some_and(|next| is_name(next) && *next != "interface") => {
                at += 2;
                while words.get(at) == Some(&".") {
                    at += 2;
                }
                if words.get(at) == Some(&"(") {
                    at = after_parenthesis(words, at);
                }
            }
            word => {
                kept.push(word);
                at += 1;
            }
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

/// Methods that the library calls on the objects that it is given.
const OF_ALL_OBJECTS: [&str; 5] = ["toString", "equals", "hashCode", "compareTo", "compare"];

/// What code uses, by its words: names, and what the language calls without a name.
fn uses<'a>(words: &[&'a str], visit: &mut dyn FnMut(Use<'a>)) {
    for (index, word) in words.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| words[index]);
        let after = words.get(index + 1).copied();
        match *word {
            "+" | "+=" => visit(Use::Method("toString")),
            "for" => {
                for name in ["iterator", "hasNext", "next"] {
                    visit(Use::Method(name));
                }
            }
            "try" if after == Some("(") => visit(Use::Method("close")),
            // What is called may ask objects for these: texts are printed, collections compare.
            "(" if before.is_some_and(|word| is_name(word) || word == ">") => {
                for name in OF_ALL_OBJECTS {
                    visit(Use::Method(name));
                }
            }
            word if is_name(word) => {
                let is_called = after == Some("(") || before == Some("::") || after == Some("<");
                if is_called || before == Some("new") || before == Some(">") {
                    visit(Use::Method(word));
                }
                if after != Some("(") {
                    visit(Use::Other(word));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;
    use ir::{FileId, SourceFile};

    fn changed(old: &str, new: &str) -> Changed {
        let read = |text: &str| {
            let file = SourceFile { name: "A.java".to_owned(), text: text.to_owned() };
            vec![syntax::parse(&file, FileId(0)).unwrap_or_else(|errors| panic!("{errors:?}"))]
        };
        let (old, new) = (read(old), read(new));
        Changed::between(Pair::new(&old, &new))
    }

    #[test]
    fn nothing_changed_where_only_comments_and_annotations_did() {
        let found = changed(
            "class A { int f(int x) { return x; } }",
            "class A { /** More. */ @Deprecated int f(final int x) {\n return x; } }",
        );
        assert!(found.methods.is_empty() && found.others.is_empty(), "{found:?}");
    }

    #[test]
    fn callers_of_what_changed_are_changed() {
        let found = changed(
            "class A { int f() { return 1; } int g() { return f(); } int h() { return 3; } }",
            "class A { int f() { return 2; } int g() { return f(); } int h() { return 3; } }",
        );
        assert!(found.has_method("f") && found.has_method("g") && !found.has_method("h"), "{found:?}");
        assert!(found.reaches(&["x", "->", "this", ".", "g", "(", "x", ")"]));
        assert!(!found.reaches(&["x", "->", "h", "(", ")"]));
    }

    #[test]
    fn fields_change_what_makes_objects_of_their_class() {
        let found = changed(
            "class A { int n = 1; static A make() { return new A(); } }",
            "class A { int n = 2; static A make() { return new A(); } }",
        );
        assert!(found.has_method("make"), "{found:?}");
    }

    #[test]
    fn another_parent_changes_what_objects_run() {
        let old = "class B { int f() { return 1; } } class C extends B {} class D { int f() { return 2; } }";
        let found = changed(old, &old.replace("extends B", "extends D"));
        assert!(found.has_method("f"), "{found:?}");
    }

    #[test]
    fn the_library_asks_objects_for_their_text() {
        let old = "class B { public String toString() { return \"a\"; } } class A { void f(B b) { out(b); } void g() {} }";
        let found = changed(old, &old.replace("\"a\"", "\"b\""));
        assert!(found.has_method("f") && !found.has_method("g"), "{found:?}");
    }

    #[test]
    fn the_order_of_constants_and_fields_counts_for_their_class() {
        let found = changed("enum E { X, Y }", "enum E { Y, X }");
        assert!(found.has_class("E"), "{found:?}");
        let found = changed("class A { int a = 1; int b = a; }", "class A { int b = a; int a = 1; }");
        assert!(found.has_class("A"), "{found:?}");
    }

    #[test]
    fn an_import_of_another_class_changes_its_name() {
        let found = changed(
            "import a.X; class A { Object f() { return X.of(); } }",
            "import b.X; class A { Object f() { return X.of(); } }",
        );
        assert!(found.has_method("f"), "{found:?}");
        let found = changed(
            "import a.*; class A { Object f() { return X.of(); } }",
            "import a.X; class A { Object f() { return X.of(); } }",
        );
        assert!(!found.has_method("f"), "{found:?}");
    }
}
