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
mod uses;

use std::collections::{BTreeMap, BTreeSet};

use ir::{Pair, Procedure, Program};

use crate::syntax::{Declaration, DeclarationKind, Unit};
use declared::{Declared, Key, simple, words_of};
use uses::{OF_ALL_OBJECTS, OF_ENUMS, Use, uses};

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
        for name in declared::imported_otherwise(&declared) {
            changed.methods.insert(name.to_owned());
            changed.others.insert(name.to_owned());
        }
        changed.spread_heads(&declared);
        changed.spread(&declared);
        changed
    }

    /// The procedures of a version whose methods and constructors are the same code in both.
    pub(crate) fn same_text(&self, program: &Program, units: &[Unit]) -> BTreeSet<String> {
        let is_same = |procedure: &&Procedure| {
            let span = &procedure.span;
            let Some(unit) = units.get(span.file.index()).filter(|_| !span.is_nowhere()) else {
                return false;
            };
            let declaration = unit.words.declared_at(span);
            let method = declaration.filter(|it| it.kind == DeclarationKind::Method);
            !procedure.is_condition() && method.is_some_and(|method| self.is_unchanged(unit, method))
        };
        let same = program.procedures.iter().filter(is_same);
        same.map(|procedure| procedure.name.clone()).collect()
    }

    /// Whether a method or constructor of a file is the same code in both versions.
    fn is_unchanged(&self, unit: &Unit, declaration: &Declaration) -> bool {
        let Declaration { class, name, kind, .. } = declaration;
        let key = Key { class, name, kind: *kind };
        let is_own = self.declarations.contains(&(class.clone(), name.clone()));
        let has_head = class.split('.').any(|class| self.heads.contains(class));
        let mut reaches = false;
        uses(key, &words_of(&unit.words, declaration), &mut |used| reaches |= self.has(used));
        !is_own && !has_head && !reaches
    }

    fn add(&mut self, key: &Key<'_>, declared: &Pair<Declared<'_>>) {
        let Key { class, name, kind } = *key;
        self.declarations.insert((class.to_owned(), name.to_owned()));
        match kind {
            DeclarationKind::Method => {
                self.methods.insert(name.to_owned());
                if name == simple(class) {
                    self.change_class(class);
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
            }
            // Whoever uses a class that only one version has names it.
            DeclarationKind::Header if !declared.old.has(key) || !declared.new.has(key) => {
                self.change_class(class);
            }
            DeclarationKind::Header => {
                self.change_class(class);
                self.heads.insert(simple(class).to_owned());
                self.methods.extend(OF_ALL_OBJECTS.iter().chain(&OF_ENUMS).map(|name| (*name).to_owned()));
                // Its objects may run other methods now, and the components of a record are methods.
                for version in [&declared.old, &declared.new] {
                    for name in version.family(class) {
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

    /// Adds the names of all code that mentions changed names.
    fn spread(&mut self, declared: &Pair<Declared<'_>>) {
        let mut users = BTreeMap::<Use<'_>, BTreeSet<&Key<'_>>>::new();
        for version in [&declared.old, &declared.new] {
            for (key, texts) in &version.texts {
                for text in texts {
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
                        vec![Use::Other(key.name), Use::Method(simple), Use::Other(simple)]
                    }
                    // Constructors run those of the classes above.
                    DeclarationKind::Method | DeclarationKind::Header => {
                        vec![Use::Method(simple), Use::Other(simple)]
                    }
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
}

#[cfg(test)]
mod tests;
