//! What the names of classes mean at a place of the source (JLS 6.3 to 6.5, 7.5): members of the enclosing classes,
//! imports, the package, imports on demand. Exact where the classes are given; a name that may mean a class which is
//! not given means none.

use std::collections::BTreeSet;

use super::{Class, Classes};
use crate::syntax::{ClassKind, FileScope, Import, Modifiers, TypeRef};
use crate::types::{ClassId, FieldId, MethodId};

/// What a simple name means as a class.
enum Meaning {
    Class(ClassId),
    /// A class that is not given.
    Elsewhere,
    /// No class at all: it may be a package.
    Nothing,
}

/// The members that static imports bring into scope.
pub(crate) struct Imported<T> {
    pub(crate) found: Vec<T>,
    /// A class that is not given may have more of them.
    pub(crate) is_open: bool,
}

impl<'a> Classes<'a> {
    /// The class that a type names, seen from inside a class.
    pub(crate) fn resolve_class(&self, ty: &TypeRef, from: Option<ClassId>) -> Option<ClassId> {
        match ty {
            TypeRef::Named(path, _) => self.resolve_path(path, from),
            _ => None,
        }
    }

    /// The class that names joined by dots mean, seen from the body of a class.
    pub(crate) fn resolve_path(&self, path: &[String], from: Option<ClassId>) -> Option<ClassId> {
        self.resolve_in(path, from, from)
    }

    /// The class that the head of a class names, where its own members are not in scope.
    pub(crate) fn resolve_parent(&self, ty: &TypeRef, class: ClassId) -> Option<ClassId> {
        match ty {
            TypeRef::Named(path, _) => self.resolve_in(path, self.class(class).outer, Some(class)),
            _ => None,
        }
    }

    /// Resolves names below the members of `body` and in the file of `from`.
    fn resolve_in(&self, path: &[String], body: Option<ClassId>, from: Option<ClassId>) -> Option<ClassId> {
        let (first, rest) = path.split_first()?;
        match self.simple(first, body, from) {
            Meaning::Class(start) => {
                rest.iter().try_fold(start, |class, name| self.member_class(class, name))
            }
            Meaning::Elsewhere => None,
            Meaning::Nothing => self.qualified_class(path, from),
        }
    }

    /// A class by its package and name. A class hides a package of the same name.
    fn qualified_class(&self, path: &[String], from: Option<ClassId>) -> Option<ClassId> {
        (1..path.len()).find_map(|split| {
            let (package, names) = path.split_at(split);
            let (first, rest) = names.split_first()?;
            let start = self.top_level(&package.join("."), first, from)?;
            rest.iter().try_fold(start, |class, name| self.member_class(class, name))
        })
    }

    /// A class of a package; none if several files have one of that name, and none of them is this one.
    fn top_level(&self, package: &str, name: &str, from: Option<ClassId>) -> Option<ClassId> {
        let found = self.top_level.get(&(package.to_owned(), name.to_owned()))?;
        let file = from.map(|from| self.class(from).scope.file);
        match found.as_slice() {
            [one] => Some(*one),
            several => several.iter().copied().find(|id| Some(self.class(*id).scope.file) == file),
        }
    }

    fn simple(&self, name: &str, body: Option<ClassId>, from: Option<ClassId>) -> Meaning {
        let Some(from) = from else { return Meaning::Nothing };
        if self.class(from).is_library {
            return self.library_class(name).map_or(Meaning::Nothing, Meaning::Class);
        }
        let mut enclosing = body;
        while let Some(id) = enclosing {
            if let Some(member) = self.member_class(id, name) {
                return Meaning::Class(member);
            }
            enclosing = self.class(id).outer;
        }
        let scope = self.class(from).scope;
        let is_named =
            |import: &&Import| !import.on_demand && import.path.last().is_some_and(|last| last == name);
        if let Some(import) = scope.imports.iter().find(is_named) {
            return self.imported_class(import, from);
        }
        if self.top_level.contains_key(&(scope.package.to_owned(), name.to_owned())) {
            return self
                .top_level(scope.package, name, Some(from))
                .map_or(Meaning::Elsewhere, Meaning::Class);
        }
        self.on_demand(name, from)
    }

    /// What a single import makes of its last name.
    fn imported_class(&self, import: &Import, from: ClassId) -> Meaning {
        let found = if import.is_static {
            let owner = import.path.split_last().and_then(|(_, owner)| self.imported_owner(owner, from));
            match (owner, import.path.last()) {
                (Some(owner), Some(name)) => self.member_class(owner, name),
                _ => None,
            }
        } else {
            self.imported_owner(&import.path, from)
        };
        found.map_or(Meaning::Elsewhere, Meaning::Class)
    }

    /// The class that an import names in full.
    fn imported_owner(&self, path: &[String], from: ClassId) -> Option<ClassId> {
        match path {
            // Only classes without a package have a name without dots.
            [name] => self.top_level("", name, Some(from)),
            _ => self.qualified_class(path, Some(from)).or_else(|| {
                let (first, rest) = path.split_first()?;
                let start = self.top_level("", first, Some(from))?;
                rest.iter().try_fold(start, |class, name| self.member_class(class, name))
            }),
        }
    }

    /// A name that only imports on demand can give a meaning; `java.lang.*` is one of them.
    fn on_demand(&self, name: &str, from: ClassId) -> Meaning {
        let scope = self.class(from).scope;
        let mut found = BTreeSet::new();
        found.extend(self.top_level("java.lang", name, Some(from)));
        for import in scope.imports.iter().filter(|import| import.on_demand) {
            let package = import.path.join(".");
            let of_package = self.top_level(&package, name, Some(from));
            let class = match of_package.filter(|_| !import.is_static) {
                Some(class) => Some(class),
                None => {
                    self.imported_owner(&import.path, from).and_then(|owner| self.member_class(owner, name))
                }
            };
            found.extend(class.filter(|class| self.may_import(*class, scope.package)));
        }
        let found: Vec<ClassId> = found.into_iter().collect();
        match found.as_slice() {
            [one] => Meaning::Class(*one),
            [] => self.not_imported(name, scope),
            _ => Meaning::Elsewhere,
        }
    }

    /// Snippets use `Arrays` or `IOException` without the import that they need.
    fn not_imported(&self, name: &str, scope: FileScope<'_>) -> Meaning {
        let is_standard =
            |import: &Import| import.path.first().is_some_and(|first| first == "java" || first == "javax");
        let others = scope.imports.iter().any(|import| import.on_demand && !is_standard(import));
        match self.library_class(name) {
            Some(_) if others => Meaning::Elsewhere,
            Some(class) => Meaning::Class(class),
            None => Meaning::Nothing,
        }
    }

    fn may_import(&self, class: ClassId, package: &str) -> bool {
        let info = self.class(class);
        info.is_library
            || (info.scope.package == package && !info.decl.modifiers.is_private)
            || info.decl.modifiers.is_public
    }

    /// A member class, also an inherited one; none if several are inherited.
    pub(crate) fn member_class(&self, class: ClassId, name: &str) -> Option<ClassId> {
        if let Some(own) = self.members.get(&(class, name.to_owned())) {
            return Some(*own);
        }
        let inherited = self.ancestors(class).into_iter().filter_map(|ancestor| {
            let member = *self.members.get(&(ancestor, name.to_owned()))?;
            self.is_inherited(&self.class(member).decl.modifiers, ancestor, class)
                .then_some((ancestor, member))
        });
        let inherited: Vec<(ClassId, ClassId)> = inherited.collect();
        // What an ancestor declares hides what it would have inherited.
        let mut nearest = inherited.iter().filter(|(owner, _)| {
            inherited.iter().all(|(other, _)| other == owner || !self.is_subclass(*other, *owner))
        });
        match (nearest.next(), nearest.next()) {
            (Some((_, member)), None) => Some(*member),
            _ => None,
        }
    }

    /// Whether a class inherits a member of an ancestor, as far as its modifiers go (JLS 8.2).
    pub(crate) fn is_inherited(&self, modifiers: &Modifiers, ancestor: ClassId, class: ClassId) -> bool {
        let is_open = modifiers.is_public || modifiers.is_protected || self.class(ancestor).is_library;
        !modifiers.is_private && (is_open || self.package(ancestor) == self.package(class))
    }

    pub(crate) fn package(&self, class: ClassId) -> &'a str {
        self.class(class).scope.package
    }

    /// Whether code of a class may call a method (JLS 6.6). Inaccessible ones are not even candidates.
    pub(crate) fn is_accessible(&self, method: MethodId, from: ClassId) -> bool {
        let method = self.method(method);
        let Some(modifiers) = method.modifiers() else { return true };
        if self.class(method.class).is_library || modifiers.is_public {
            return true;
        }
        if modifiers.is_private {
            return self.outermost(method.class) == self.outermost(from);
        }
        let is_below = || {
            let mut enclosing = Some(from);
            std::iter::from_fn(|| {
                let id = enclosing?;
                enclosing = self.class(id).outer;
                Some(id)
            })
            .any(|id| self.is_subclass(id, method.class))
        };
        self.package(method.class) == self.package(from) || (modifiers.is_protected && is_below())
    }

    fn outermost(&self, class: ClassId) -> ClassId {
        self.class(class).outer.map_or(class, |outer| self.outermost(outer))
    }

    /// The field that a simple name means in a class: its own, an inherited one, one of an enclosing class, or an
    /// imported one; with how many classes further out it was found.
    pub(crate) fn field_in_scope(&self, class: ClassId, name: &str) -> Option<(FieldId, usize)> {
        let mut enclosing = Some(class);
        let mut depth = 0;
        while let Some(id) = enclosing {
            if let Some(field) = self.find_field(id, name) {
                return Some((field, depth));
            }
            // The constants of an enum are fields, too, though they are not in the table.
            if self.class(id).decl.constants.iter().any(|constant| constant.name == name) {
                return None;
            }
            enclosing = self.class(id).outer;
            depth += 1;
        }
        let imported = self.imported(class, name, |owner| {
            self.find_field(owner, name).filter(|field| self.field(*field).is_static).into_iter().collect()
        });
        match imported.found.as_slice() {
            [field] => Some((*field, depth)),
            _ => None,
        }
    }

    /// The members that static imports bring into scope under a name: single imports hide those on demand.
    pub(crate) fn imported<T: PartialEq>(
        &self,
        class: ClassId,
        name: &str,
        members: impl Fn(ClassId) -> Vec<T>,
    ) -> Imported<T> {
        let statics = || self.class(class).scope.imports.iter().filter(|import| import.is_static);
        for on_demand in [false, true] {
            let mut imported = Imported { found: Vec::new(), is_open: false };
            for import in statics().filter(|import| import.on_demand == on_demand) {
                let owner = match import.path.split_last() {
                    _ if on_demand => import.path.as_slice(),
                    Some((last, owner)) if last == name => owner,
                    _ => continue,
                };
                match self.imported_owner(owner, class) {
                    Some(owner) => {
                        for member in members(owner) {
                            if !imported.found.contains(&member) {
                                imported.found.push(member);
                            }
                        }
                        imported.is_open |= self.has_unknown_ancestor(owner);
                    }
                    None => imported.is_open = true,
                }
            }
            if !imported.found.is_empty() || imported.is_open {
                return imported;
            }
        }
        Imported { found: Vec::new(), is_open: false }
    }

    /// Whether a class extends or implements something that is not given, directly or further up.
    pub(crate) fn has_unknown_ancestor(&self, class: ClassId) -> bool {
        let unknown = |id: &ClassId| self.class(*id).has_unknown_parent;
        unknown(&class) || self.ancestors(class).iter().any(unknown)
    }

    /// Whether a method runs in the place of another one, which a class above it has (JLS 8.4.8.1).
    pub(crate) fn overrides(&self, method: MethodId, other: MethodId) -> bool {
        if method == other {
            return true;
        }
        let (below, above) = (self.method(method), self.method(other));
        let same = below.name == above.name && below.params == above.params;
        if !same || below.is_static || above.is_static || self.is_private(method) || self.is_private(other) {
            return false;
        }
        let is_open = |modifiers: &Modifiers| modifiers.is_public || modifiers.is_protected;
        if above.modifiers().is_none_or(is_open)
            || self.class(above.class).is_library
            || self.package(above.class) == self.package(below.class)
        {
            return true;
        }
        // A class in between may widen the access.
        let mut between = self.class(below.class).superclass;
        while let Some(id) = between.filter(|id| *id != above.class) {
            let mut own = self.class(id).methods.iter();
            if own.any(|middle| self.overrides(method, *middle) && self.overrides(*middle, other)) {
                return true;
            }
            between = self.class(id).superclass;
        }
        false
    }

    fn is_private(&self, method: MethodId) -> bool {
        self.method(method).modifiers().is_some_and(|modifiers| modifiers.is_private)
    }

    /// Whether a class has a method without declaring it: static methods of interfaces are not inherited (JLS 8.4.8).
    pub(crate) fn inherits_method(&self, method: MethodId, class: ClassId) -> bool {
        let info = self.method(method);
        let owner: &Class<'_> = self.class(info.class);
        let stays = owner.decl.kind == ClassKind::Interface && info.is_static;
        !stays && info.modifiers().is_none_or(|modifiers| self.is_inherited(modifiers, info.class, class))
    }
}
