//! Methods whose text is the same in both versions, with the text of everything that they name.
//!
//! Such a method is the same code whatever it contains, also what is not lowered.
//!
//! A *name* stands for all that is called so, in all classes. It is changed if something of that name is declared in
//! another way in the other version, or if code of that name mentions a changed name. A method is changed if its own text
//! is, if it mentions a changed name, or if a class around it has another head or parent. Code that is not given is the
//! same in both versions, and calls back what every object has.
//! Under-approximating: what is not found to be unchanged may be the same, too.

mod declared;
mod imports;
mod renamed;
mod uses;

use std::collections::{BTreeMap, BTreeSet};

use ir::{Pair, Procedure, Program, Span};

use crate::choice::{FEW_METHODS, MAX_CALLERS};
use crate::syntax::{Declaration, DeclarationKind, Unit};
use declared::{Declared, Key, simple, words_of};
use renamed::Renamed;
use uses::{OF_ALL_OBJECTS, OF_ENUMS, Use, uses};

/// What differs between two versions.
#[derive(Clone, Default, Debug)]
pub(crate) struct Changes {
    /// All of it.
    all: Changed,
    /// Without other bodies of methods that both versions have: whoever calls such a method does the same in both
    /// versions if the method does, which is a pair of its own.
    apart_from_bodies: Changed,
    /// How many methods and constructors the new version has.
    methods: usize,
    /// How many of them are not the same.
    affected: usize,
    /// Code without a name changed, or may do something else.
    nameless: bool,
    /// The simple names that a file imports from another package in the other version.
    imported_from_elsewhere: BTreeSet<String>,
    /// Methods may be the same only on the inputs that a contract allows.
    has_contracts: bool,
}

impl Changes {
    /// Compares two versions.
    pub(crate) fn between(units: Pair<&[Unit]>) -> Changes {
        let renamed = renamed::private_fields(units);
        let declared = Pair::new(Declared::of(units.old, &renamed), Declared::of(units.new, &Renamed::new()));
        let mut all = Changed::between(&declared, false);
        let mut apart_from_bodies = Changed::between(&declared, true);
        all.add_old_names(&renamed);
        apart_from_bodies.add_old_names(&renamed);
        let nameless = [units.old, units.new].into_iter().any(|units| all.affects_nameless(units));
        let everything = declared.old.has_twins() || declared.new.has_twins() || nameless;
        all.everything = everything;
        apart_from_bodies.everything = everything;
        let methods = || {
            let members =
                units.new.iter().flat_map(|unit| unit.words.declarations.iter().map(move |it| (unit, it)));
            members.filter(|(_, declaration)| declaration.kind == DeclarationKind::Method)
        };
        let affected = methods().filter(|(unit, method)| !all.is_unchanged(unit, method)).count();
        let methods = methods().count();
        let imported_from_elsewhere = imports::from_elsewhere(&declared);
        let has_contracts =
            [units.old, units.new].into_iter().flatten().any(|unit| unit.words.has_contracts());
        Changes {
            all,
            apart_from_bodies,
            methods,
            affected,
            nameless,
            imported_from_elsewhere,
            has_contracts,
        }
    }

    /// Whether code without a name changed, or may do something else.
    pub(crate) fn has_nameless(&self) -> bool {
        self.nameless
    }

    /// The simple names that a file imports from another package in the other version.
    pub(crate) fn imported_from_elsewhere(&self) -> &BTreeSet<String> {
        &self.imported_from_elsewhere
    }

    /// Whether the versions are so small that nothing needs to be left out.
    pub(crate) fn are_small(&self) -> bool {
        self.methods <= FEW_METHODS
    }

    /// The procedures of a version whose methods and constructors are the same code in both.
    pub(crate) fn same_text(&self, program: &Program, units: &[Unit]) -> BTreeSet<String> {
        let is_same = |procedure: &&Procedure| {
            !procedure.is_condition() && self.all.is_same_method(units, &procedure.span)
        };
        let same = program.procedures.iter().filter(is_same);
        same.map(|procedure| procedure.name.clone()).collect()
    }

    /// Whether a method or constructor stands at a place and need not be compared: it is the same in both versions, or,
    /// where these are many, it is if the methods are that changed.
    pub(crate) fn leaves_out(&self, units: &[Unit], span: &Span) -> bool {
        let looks_at_identity = |unit: &Unit, method: &Declaration| {
            compares(&words_of(&unit.words, method)) && !self.all.is_unchanged(unit, method)
        };
        let is_left_out = |unit: &Unit, method: &Declaration| {
            self.compared().is_unchanged(unit, method) && !looks_at_identity(unit, method)
        };
        method_at(units, span).is_some_and(|(unit, method)| is_left_out(unit, method))
    }

    /// What makes methods worth a comparison.
    fn compared(&self) -> &Changed {
        let leaves_callers_out = self.affected > MAX_CALLERS && !self.has_contracts;
        if leaves_callers_out { &self.apart_from_bodies } else { &self.all }
    }

    /// Whether something changed that happens when a class of this name or an object of it is made.
    pub(crate) fn has_class(&self, name: &str) -> bool {
        self.compared().has_class(name)
    }
}

/// The names behind which something changed, and the classes with another head.
#[derive(Clone, Default, Debug)]
pub(crate) struct Changed {
    /// Of methods and constructors.
    methods: BTreeSet<String>,
    /// Of fields, constants and classes.
    others: BTreeSet<String>,
    /// Simple names of classes that have another head in one version, or a parent that has.
    heads: BTreeSet<String>,
    /// The declarations with another text: class, name.
    declarations: BTreeSet<(String, String)>,
    /// Something changed that happens when classes are initialised, wherever it leaves its traces.
    initialisers: bool,
    /// Names do not tell what changed.
    everything: bool,
}

impl Changed {
    /// Compares two versions. Another body of a method changes only that method, or also the method's name.
    fn between(declared: &Pair<Declared<'_>>, leaves_bodies_out: bool) -> Changed {
        let mut changed = Changed::default();
        let keys: BTreeSet<&Key<'_>> = declared.old.texts.keys().chain(declared.new.texts.keys()).collect();
        for key in keys {
            if declared.old.texts.get(key) != declared.new.texts.get(key) {
                let is_body = leaves_bodies_out && declared::differs_in_bodies(key, declared);
                match is_body {
                    true => changed.add_declaration(key),
                    false => changed.add(key, declared),
                }
            }
        }
        for name in imports::imported_otherwise(declared) {
            changed.methods.insert(name.to_owned());
            changed.others.insert(name.to_owned());
            for class in declared::named_in_heads(name, declared) {
                changed.change_head(class, declared);
            }
        }
        changed.spread_heads(declared);
        changed.spread(declared, leaves_bodies_out);
        changed.initialisers = changed.affects_initialisers(declared);
        changed
    }

    /// Where a field is changed by its new name, so it is by the old one.
    fn add_old_names(&mut self, renamed: &Renamed<'_>) {
        let changed = renamed.iter().filter(|(_, new)| self.others.contains(**new));
        let old_names: Vec<String> = changed.map(|(old, _)| (*old).to_owned()).collect();
        self.others.extend(old_names);
    }

    /// Whether a method or constructor stands at a place and is the same code in both versions.
    fn is_same_method(&self, units: &[Unit], span: &Span) -> bool {
        method_at(units, span).is_some_and(|(unit, method)| self.is_unchanged(unit, method))
    }

    /// Whether something changed that happens when a class of this name or an object of it is made.
    fn has_class(&self, name: &str) -> bool {
        self.everything
            || self.others.contains(name)
            || self.methods.contains(name)
            || self.heads.contains(name)
    }

    /// Whether a method or constructor of a file is the same code in both versions.
    fn is_unchanged(&self, unit: &Unit, declaration: &Declaration) -> bool {
        let Declaration { class, name, kind, .. } = declaration;
        let key = Key { class, name, kind: *kind };
        let is_own = self.declarations.contains(&(class.clone(), name.clone()));
        let has_head = class.split('.').any(|class| self.heads.contains(class));
        let mut reaches = false;
        uses(key, &words_of(&unit.words, declaration), &mut |used| reaches |= self.has(used));
        // A program starts with what the initialisers left.
        let starts_otherwise = name == "main" && self.initialisers;
        !self.everything && !is_own && !has_head && !reaches && !starts_otherwise
    }

    /// Whether a field, a constant or an initialiser has another text, or does something else.
    fn affects_initialisers(&self, declared: &Pair<Declared<'_>>) -> bool {
        let texts = declared.old.texts.iter().chain(&declared.new.texts);
        let mut values = texts.filter(|(key, _)| key.kind == DeclarationKind::Value);
        values.any(|(key, texts)| {
            let mut reaches = self.declarations.contains(&(key.class.to_owned(), key.name.to_owned()));
            for text in texts {
                uses(*key, text, &mut |used| reaches |= self.has(used));
            }
            reaches
        })
    }

    /// Whether code without a name changed, or may do something else: lambda expressions, classes in methods. Its objects
    /// may be anywhere, and run when a method of another name is called.
    fn affects_nameless(&self, units: &[Unit]) -> bool {
        let members = units.iter().flat_map(|unit| unit.words.declarations.iter().map(move |it| (unit, it)));
        let mut affected = members.filter(|(unit, member)| !self.is_unchanged(unit, member));
        affected.any(|(unit, member)| {
            let words = words_of(&unit.words, member);
            match member.kind {
                DeclarationKind::Header => false,
                DeclarationKind::Method => declared::has_nameless(&words),
                DeclarationKind::Value => {
                    declared::has_nameless(&words) || declared::is_constant_with_body(&words)
                }
            }
        })
    }

    fn add(&mut self, key: &Key<'_>, declared: &Pair<Declared<'_>>) {
        let Key { class, name, kind } = *key;
        self.add_declaration(key);
        match kind {
            DeclarationKind::Method => {
                self.methods.insert(name.to_owned());
                if name == simple(class) {
                    self.change_class(class);
                    self.others.extend(made_constants(class, declared).into_iter().map(str::to_owned));
                    self.add_all(declared::entered_by(key, declared));
                }
            }
            DeclarationKind::Value => {
                self.others.insert(name.to_owned());
                // What is made when an object or a class is made, and what an initialiser may assign.
                self.change_class(class);
                if name == simple(class) {
                    let versions = [&declared.old, &declared.new];
                    let fields = versions.iter().flat_map(|version| version.values_of(class));
                    self.others.extend(fields.map(str::to_owned));
                }
                if declared.old.is_enum(class) || declared.new.is_enum(class) {
                    self.methods.extend(OF_ENUMS.map(str::to_owned));
                }
                self.add_all(declared::entered_by(key, declared));
            }
            // Whoever uses a class that only one version has names it.
            DeclarationKind::Header if !declared.old.has(key) || !declared.new.has(key) => {
                self.change_class(class);
            }
            DeclarationKind::Header => self.change_head(class, declared),
        }
    }

    /// A class inherits something else: its objects may run other methods now, and the components of a record are methods.
    fn change_head(&mut self, class: &str, declared: &Pair<Declared<'_>>) {
        self.change_class(class);
        self.heads.insert(simple(class).to_owned());
        self.methods.extend(OF_ALL_OBJECTS.iter().chain(&OF_ENUMS).map(|name| (*name).to_owned()));
        for version in [&declared.old, &declared.new] {
            for name in version.family(class) {
                self.methods.insert(name.to_owned());
                self.others.insert(name.to_owned());
            }
        }
    }

    fn add_declaration(&mut self, key: &Key<'_>) {
        self.declarations.insert((key.class.to_owned(), key.name.to_owned()));
    }

    fn change_class(&mut self, class: &str) {
        self.methods.insert(simple(class).to_owned());
        self.others.insert(simple(class).to_owned());
    }

    /// A class whose head names one with another head inherits other things, perhaps from classes that are not given.
    fn spread_heads(&mut self, declared: &Pair<Declared<'_>>) {
        loop {
            let before = self.heads.len();
            for version in [&declared.old, &declared.new] {
                for (key, texts) in &version.texts {
                    let names_one = || texts.iter().flatten().any(|word| self.heads.contains(*word));
                    if key.kind == DeclarationKind::Header && names_one() {
                        self.heads.insert(simple(key.class).to_owned());
                    }
                }
            }
            if self.heads.len() == before {
                return;
            }
        }
    }

    /// Adds the names of all code that mentions changed names. Without bodies, only the head of a method counts: it says of
    /// which type calls are. A body that mentions a changed name is a pair of its own.
    fn spread(&mut self, declared: &Pair<Declared<'_>>, leaves_bodies_out: bool) {
        let mut users = BTreeMap::<Use<'_>, BTreeSet<&Key<'_>>>::new();
        for version in [&declared.old, &declared.new] {
            for (key, texts) in &version.texts {
                let is_body_left_out = leaves_bodies_out && !declared::makes_constants(key, declared);
                for text in texts {
                    let text = if is_body_left_out { declared::head(key, text) } else { &text[..] };
                    uses(*key, text, &mut |used| {
                        users.entry(used).or_default().insert(key);
                    });
                }
            }
        }
        let mut open: Vec<Use<'_>> = users.keys().copied().filter(|used| self.has(*used)).collect();
        while let Some(used) = open.pop() {
            for key in users.get(&used).into_iter().flatten() {
                let simple = simple(key.class);
                let mut reached = match key.kind {
                    DeclarationKind::Method if key.name != simple => vec![Use::Method(key.name)],
                    DeclarationKind::Value => {
                        let entries = declared::entered_by(key, declared);
                        let own = [Use::Other(key.name), Use::Method(simple), Use::Other(simple)];
                        own.into_iter().chain(entries).collect()
                    }
                    // Constructors run those of the classes above, and make the constants of enums.
                    DeclarationKind::Method | DeclarationKind::Header => {
                        let constants = made_constants(key.class, declared).into_iter().map(Use::Other);
                        let entries = declared::entered_by(key, declared);
                        let own = [Use::Method(simple), Use::Other(simple)];
                        own.into_iter().chain(constants).chain(entries).collect()
                    }
                };
                reached.retain(|used| !self.has(*used));
                self.add_all(reached.iter().copied());
                open.extend(reached);
            }
        }
    }

    fn add_all<'a>(&mut self, all: impl IntoIterator<Item = Use<'a>>) {
        for used in all {
            match used {
                Use::Method(name) => self.methods.insert(name.to_owned()),
                Use::Other(name) => self.others.insert(name.to_owned()),
            };
        }
    }

    fn has(&self, used: Use<'_>) -> bool {
        match used {
            Use::Method(name) => self.methods.contains(name),
            Use::Other(name) => self.others.contains(name),
        }
    }
}

/// The method or constructor that begins at a place, and its file.
fn method_at<'u>(units: &'u [Unit], span: &Span) -> Option<(&'u Unit, &'u Declaration)> {
    let unit = units.get(span.file.index()).filter(|_| !span.is_nowhere())?;
    let declaration = unit.words.declared_at(span);
    declaration.filter(|it| it.kind == DeclarationKind::Method).map(|method| (unit, method))
}

/// Whether code may compare two references: texts and boxed numbers that are equal may be the same object in one version
/// only, which pairs of methods do not tell. Over-approximating.
fn compares(words: &[&str]) -> bool {
    let is_plain = |word: &&str| {
        matches!(*word, "null" | "true" | "false" | "this")
            || word.starts_with(|first: char| first.is_ascii_digit() || first == '\'')
    };
    words.windows(3).any(|window| match window {
        [before, "==" | "!=", after] => !is_plain(before) && !is_plain(after),
        _ => false,
    })
}

/// What the constructors of an enum make: its constants and their fields.
fn made_constants<'a>(class: &str, declared: &Pair<Declared<'a>>) -> BTreeSet<&'a str> {
    let versions = [&declared.old, &declared.new].into_iter().filter(|version| version.is_enum(class));
    versions.flat_map(|version| version.values_of(class)).collect()
}

#[cfg(test)]
mod tests;
