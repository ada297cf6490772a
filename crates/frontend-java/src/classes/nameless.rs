//! Where objects of classes without a name may be: anonymous and local classes, lambdas and method references are not in
//! the table, and the classes that are do not always stand in for them. Over-approximates.

use std::collections::BTreeSet;

use super::Classes;
use crate::syntax::{ClassKind, NamelessClass};
use crate::types::ClassId;

impl Classes<'_> {
    /// Whether a reference of a class may lead to an object that none of the known classes stands in for, asked for a
    /// method or for its class.
    pub(crate) fn hides_nameless(&self, class: ClassId, method: Option<&str>, has_opaque: bool) -> bool {
        if class == self.object {
            return self.nameless.classes.iter().any(|nameless| {
                method.is_some_and(|method| nameless.methods.contains(method))
                    || nameless.parents.iter().any(|parent| self.hides_from_object(parent, has_opaque))
            });
        }
        let is_hidden = |nameless: &NamelessClass| {
            let is_stood_in_for = match nameless.parents.as_slice() {
                [parent] => {
                    let mut named = self.named(parent).peekable();
                    named.peek().is_some() && named.all(|parent| !self.is_abstract(parent))
                }
                _ => false,
            };
            !is_stood_in_for || method.is_some_and(|method| nameless.methods.contains(method))
        };
        self.nameless_below(class).into_iter().any(is_hidden) || self.may_be_function(class)
    }

    /// Whether any class of the program has a method of this name, also one without a name.
    pub(crate) fn declares_anywhere(&self, method: &str) -> bool {
        let mut named = self.methods.iter().filter(|it| !self.class(it.class).is_library);
        let mut nameless = self.nameless.classes.iter();
        named.any(|it| it.name == method) || nameless.any(|it| it.methods.contains(method))
    }

    /// Whether any class without a name is below this one.
    pub(crate) fn has_nameless_below(&self, class: ClassId) -> bool {
        !self.nameless_below(class).is_empty() || self.may_be_function(class)
    }

    /// Plain objects stand in for what implements interfaces only, opaque ones for what is not given.
    fn hides_from_object(&self, parent: &str, has_opaque: bool) -> bool {
        let mut named = self.named(parent).peekable();
        if named.peek().is_none() {
            let is_local = self.nameless.classes.iter().any(|class| class.name.as_deref() == Some(parent));
            return !is_local && !has_opaque;
        }
        named.any(|id| self.is_abstract(id) && self.class(id).decl.kind != ClassKind::Interface)
    }

    /// The classes without a name below one, by the simple names of their parents.
    fn nameless_below(&self, class: ClassId) -> Vec<&NamelessClass> {
        let classes = &self.nameless.classes;
        if classes.is_empty() {
            return Vec::new();
        }
        let mut below: BTreeSet<&str> = (0..self.classes.len())
            .map(ClassId)
            .filter(|id| self.is_subclass(*id, class))
            .map(|id| self.class(id).decl.name.as_str())
            .collect();
        // A local class may have others below it.
        loop {
            let known = below.len();
            for nameless in classes {
                if nameless.parents.iter().any(|parent| below.contains(parent.as_str())) {
                    below.extend(nameless.name.as_deref());
                }
            }
            if below.len() == known {
                break;
            }
        }
        let is_below =
            |nameless: &&NamelessClass| nameless.parents.iter().any(|parent| below.contains(parent.as_str()));
        classes.iter().filter(is_below).collect()
    }

    fn named<'s>(&'s self, name: &'s str) -> impl Iterator<Item = ClassId> + 's {
        (0..self.classes.len()).map(ClassId).filter(move |id| self.class(*id).decl.name == name)
    }

    /// Whether a lambda expression or a method reference of the program may be an object of the class.
    fn may_be_function(&self, class: ClassId) -> bool {
        let nameless = &self.nameless;
        if class == self.object || (nameless.lambdas.is_empty() && !nameless.has_method_references) {
            return false;
        }
        let interfaces = (0..self.classes.len())
            .map(ClassId)
            .filter(|id| self.class(*id).decl.kind == ClassKind::Interface && self.is_subclass(*id, class));
        interfaces.into_iter().any(|id| self.may_be_functional(id))
    }

    /// Whether one of the functions of the program fits the only method that an interface leaves open.
    fn may_be_functional(&self, interface: ClassId) -> bool {
        let open_in = |id: ClassId| {
            let methods = self.class(id).methods.iter().map(|method| self.method(*method));
            methods.filter(|method| method.is_abstract && !is_of_object(&method.name, method.params.len()))
        };
        let own_names: BTreeSet<&str> = open_in(interface).map(|method| method.name.as_str()).collect();
        if own_names.len() > 1 {
            return false;
        }
        let above = self.ancestors(interface);
        let all = || std::iter::once(interface).chain(above.iter().copied());
        let fits =
            |arity: usize| self.nameless.has_method_references || self.nameless.lambdas.contains(&arity);
        // The parents of an interface that are not given may leave open what it does not say.
        all().any(|id| self.class(id).has_unknown_parent)
            || all().flat_map(open_in).any(|method| fits(method.params.len()))
    }
}

/// Interfaces may declare again what all objects have (JLS 9.8).
fn is_of_object(method: &str, arity: usize) -> bool {
    matches!((method, arity), ("equals", 1) | ("hashCode" | "toString", 0))
}
