//! Which classes are above and below which, and what that makes of them.

use super::Classes;
use crate::syntax::{ClassKind, Primitive, TypeRef};
use crate::types::{ClassId, FieldId};

impl<'a> Classes<'a> {
    /// Whether objects of a class may stand where a class or interface is expected that is not given.
    pub(crate) fn may_be_foreign(&self, class: ClassId) -> bool {
        // `Comparable` and its like are no parents in the table.
        let is_more = |id: &ClassId| {
            let class = self.class(*id);
            let is_modelled = class.is_library && *id != self.object && !self.is_value_class(*id);
            is_modelled
                || class.has_unknown_parent
                || class.interfaces.len() < class.decl.interfaces.len()
                || matches!(class.decl.kind, ClassKind::Enum | ClassKind::Record)
        };
        is_more(&class) || self.ancestors(class).iter().any(is_more)
    }

    /// Whether the first class is the second or below it.
    pub(crate) fn is_subclass(&self, class: ClassId, ancestor: ClassId) -> bool {
        class == ancestor || ancestor == self.object || {
            // Most classes are below `Object` alone.
            let info = self.class(class);
            let has_parents =
                info.superclass.is_some_and(|parent| parent != self.object) || !info.interfaces.is_empty();
            has_parents && self.ancestors(class).contains(&ancestor)
        }
    }

    /// Superclasses and interfaces, all the way up, nearest first, the class itself not included.
    pub(crate) fn ancestors(&self, class: ClassId) -> Vec<ClassId> {
        let mut found = Vec::new();
        let mut open = vec![class];
        while let Some(id) = open.pop() {
            let class = self.class(id);
            for parent in class.interfaces.iter().rev().chain(&class.superclass) {
                if !found.contains(parent) {
                    found.push(*parent);
                    open.push(*parent);
                }
            }
        }
        found
    }

    pub(crate) fn is_abstract(&self, class: ClassId) -> bool {
        let decl = self.class(class).decl;
        decl.kind == ClassKind::Interface || decl.modifiers.is_abstract
    }

    pub(crate) fn is_exception(&self, class: ClassId) -> bool {
        self.is_subclass(class, self.throwable)
    }

    /// The classes below one (itself included) that objects can be of, in order of declaration.
    pub(crate) fn concrete_below(&self, class: ClassId) -> Vec<ClassId> {
        (0..self.classes.len())
            .map(ClassId)
            .filter(|id| !self.is_abstract(*id) && self.is_subclass(*id, class))
            .filter(|id| !self.is_value_class(*id))
            .collect()
    }

    /// Library classes whose values are not objects here: texts and boxed numbers, and holders of statics.
    pub(crate) fn is_value_class(&self, class: ClassId) -> bool {
        let class = self.class(class);
        class.is_library
            && (Primitive::ALL.into_iter().any(|p| p.box_name() == class.decl.name)
                || matches!(class.decl.name.as_str(), "String" | "Math" | "StrictMath" | "Arrays" | "System"))
    }

    /// A field by name, in the class, its superclasses and interfaces.
    pub(crate) fn find_field(&self, class: ClassId, name: &str) -> Option<FieldId> {
        let own = |id: ClassId| {
            let fields = &self.class(id).fields;
            fields.iter().copied().find(|field| self.field(*field).name == name)
        };
        let inherited = |ancestor: ClassId| {
            own(ancestor).filter(|field| {
                let decl = self.field(*field).decl;
                decl.is_none_or(|decl| self.is_inherited(&decl.modifiers, ancestor, class))
            })
        };
        own(class).or_else(|| self.ancestors(class).into_iter().find_map(inherited))
    }

    /// The parents of a class, directly or further up, that are not given.
    pub(crate) fn unknown_parents(&self, class: ClassId) -> Vec<String> {
        let mut names = Vec::new();
        for id in std::iter::once(class).chain(self.ancestors(class)) {
            let decl = self.class(id).decl;
            for parent in decl.superclass.iter().chain(&decl.interfaces) {
                if let (TypeRef::Named(path, _), None) = (parent, self.resolve_parent(parent, id)) {
                    names.push(self.foreign_class(path, Some(id)).unwrap_or_else(|| "?".to_owned()));
                }
            }
        }
        names
    }

    /// The superclass of a class that is not given, if it has one.
    pub(crate) fn unknown_superclass(&self, class: ClassId) -> Option<String> {
        let parent = self.class(class).decl.superclass.as_ref()?;
        match parent {
            TypeRef::Named(path, _) if self.resolve_parent(parent, class).is_none() => {
                Some(self.foreign_class(path, Some(class)).unwrap_or_else(|| "?".to_owned()))
            }
            _ => None,
        }
    }
}
