//! Puts classes into the table: all of them by name, then their parents.
//!
//! Everything is declared before anything is lowered, so that order in the source does not matter.

use std::collections::{BTreeMap, BTreeSet};

use super::{Class, Classes};
use crate::foreign_names::ForeignNames;
use crate::prelude;
use crate::syntax::{ClassDecl, ClassKind, FileScope, Member, Nameless, TypeRef, Unit};
use crate::types::ClassId;

/// Parents of parents are found after so many rounds, or never.
const MAX_ROUNDS: usize = 64;

impl<'a> Classes<'a> {
    pub(crate) fn declare(units: &'a [Unit], foreign_names: &ForeignNames) -> Classes<'a> {
        let mut table = Classes {
            classes: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            top_level: BTreeMap::new(),
            members: BTreeMap::new(),
            library: BTreeMap::new(),
            object: ClassId(0),
            throwable: ClassId(0),
            foreign_names: foreign_names.clone(),
            nameless: Nameless::default(),
        };
        for (file, unit) in units.iter().enumerate() {
            let scope = FileScope { file: Some(file), package: &unit.package, imports: &unit.imports };
            for decl in &unit.classes {
                table.add_class(decl, None, scope);
            }
            table.nameless.add_all(unit.nameless.clone());
        }
        for decl in prelude::units().iter().flat_map(|unit| &unit.classes) {
            let scope = FileScope { file: None, package: prelude::package_of(&decl.name), imports: &[] };
            table.add_class(decl, None, scope);
        }
        let library = |table: &Classes<'a>, name: &str| {
            table.library_class(name).expect("the library model should have its root classes")
        };
        table.object = library(&table, "Object");
        table.throwable = library(&table, "Throwable");
        table.resolve_all_parents();
        table.cut_cycles();
        for index in 0..table.classes.len() {
            table.declare_members(ClassId(index));
        }
        table
    }

    fn add_class(&mut self, decl: &'a ClassDecl, outer: Option<ClassId>, scope: FileScope<'a>) {
        let id = ClassId(self.classes.len());
        let is_library = scope.file.is_none();
        let binary_name = match outer {
            Some(outer) => format!("{}${}", self.class(outer).binary_name, decl.name),
            None if scope.package.is_empty() => decl.name.clone(),
            None => format!("{}.{}", scope.package, decl.name),
        };
        let is_inner = outer.is_some_and(|outer| !self.class(outer).decl.name.is_empty())
            && !decl.modifiers.is_static
            && decl.kind == ClassKind::Class;
        self.classes.push(Class {
            decl,
            name: decl.name.clone(),
            qualified_name: decl.name.clone(),
            binary_name,
            scope,
            outer,
            is_inner,
            superclass: None,
            interfaces: Vec::new(),
            has_unknown_parent: false,
            fields: Vec::new(),
            methods: Vec::new(),
            constructors: Vec::new(),
            inherited: Vec::new(),
            outer_field: None,
            is_library,
        });
        match outer {
            Some(outer) => {
                self.members.entry((outer, decl.name.clone())).or_insert(id);
            }
            None => {
                let key = (scope.package.to_owned(), decl.name.clone());
                self.top_level.entry(key).or_default().push(id);
            }
        }
        if is_library {
            self.library.insert(decl.name.clone(), id);
        }
        for member in &decl.members {
            if let Member::Class(nested) = member {
                self.add_class(nested, Some(id), scope);
            }
        }
    }

    /// What a parent is may depend on what others inherit, so that this goes on until nothing changes.
    fn resolve_all_parents(&mut self) {
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            for index in 0..self.classes.len() {
                changed |= self.resolve_parents(ClassId(index));
            }
            if !changed {
                return;
            }
        }
    }

    /// Whether the parents are others than before.
    fn resolve_parents(&mut self, id: ClassId) -> bool {
        let decl = self.class(id).decl;
        let mut superclass = (id != self.object).then_some(self.object);
        let mut unknown = false;
        if let Some(parent) = &decl.superclass {
            match self.resolve_parent(parent, id) {
                Some(parent) => superclass = Some(parent),
                None => unknown = true,
            }
        }
        let mut interfaces = Vec::new();
        for parent in &decl.interfaces {
            match self.resolve_parent(parent, id) {
                Some(parent) => interfaces.push(parent),
                // Without methods of their own that a program could call, these change nothing.
                None if is_marker(parent, self.class(id).scope) => {}
                None => unknown = true,
            }
        }
        let class = &mut self.classes[id.0];
        let changed = class.superclass != superclass || class.interfaces != interfaces;
        class.superclass = superclass;
        class.interfaces = interfaces;
        class.has_unknown_parent = unknown;
        changed
    }

    /// A class that extends itself does not compile; here it must only not hang.
    fn cut_cycles(&mut self) {
        for index in 0..self.classes.len() {
            let mut seen = BTreeSet::new();
            let mut open = vec![ClassId(index)];
            let mut cyclic = false;
            while let Some(id) = open.pop() {
                let class = self.class(id);
                for parent in class.superclass.iter().chain(&class.interfaces) {
                    cyclic |= parent.0 == index;
                    if seen.insert(*parent) {
                        open.push(*parent);
                    }
                }
            }
            if cyclic {
                let object = self.object;
                let class = &mut self.classes[index];
                class.superclass = Some(object);
                class.interfaces.clear();
                class.has_unknown_parent = true;
            }
        }
    }
}

/// Interfaces of the library without methods that a program could call on their objects.
fn is_marker(ty: &TypeRef, scope: FileScope<'_>) -> bool {
    let TypeRef::Named(path, _) = ty else { return false };
    let package = match path.as_slice() {
        [name] => match name.as_str() {
            "Comparable" | "Cloneable" | "Runnable" | "CharSequence" => "java.lang",
            "Serializable" => "java.io",
            _ => return false,
        },
        [java, package, name] => {
            return java == "java"
                && matches!(
                    (package.as_str(), name.as_str()),
                    ("lang", "Comparable" | "Cloneable" | "Runnable" | "CharSequence")
                        | ("io", "Serializable")
                );
        }
        _ => return false,
    };
    let imports =
        scope.imports.iter().filter(|import| !import.on_demand && import.path.last() == path.last());
    imports.into_iter().all(|import| import.path.len() == 3 && import.path[..2].join(".") == package)
}
