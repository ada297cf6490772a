//! The table of classes: names, supertypes, members and their types, for the program and the library model.

mod declare;
mod hierarchy;
mod members;
mod nameless;
mod naming;
mod scope;

use std::collections::BTreeMap;

use ir::{ProcId, RegionId};

use crate::foreign_names::ForeignNames;
use crate::syntax::{ClassDecl, Expr, FieldDecl, FileScope, MethodDecl, Modifiers, Nameless};
use crate::types::{ClassId, FieldId, MethodId, Ty};

pub(crate) struct Class<'a> {
    pub(crate) decl: &'a ClassDecl,
    /// Unique in the program: see `names.rs`.
    pub(crate) name: String,
    /// With the package and the outer classes: `a.b.Outer.Inner`.
    pub(crate) qualified_name: String,
    /// What `getClass().getName()` says.
    pub(crate) binary_name: String,
    pub(crate) scope: FileScope<'a>,
    pub(crate) outer: Option<ClassId>,
    /// Objects of it have an enclosing object.
    pub(crate) is_inner: bool,
    pub(crate) superclass: Option<ClassId>,
    pub(crate) interfaces: Vec<ClassId>,
    /// It extends or implements something that the program does not define.
    pub(crate) has_unknown_parent: bool,
    pub(crate) fields: Vec<FieldId>,
    pub(crate) methods: Vec<MethodId>,
    pub(crate) constructors: Vec<MethodId>,
    /// Inherited methods that are procedures of their own: no name means them.
    pub(crate) inherited: Vec<MethodId>,
    /// The field that holds the enclosing object.
    pub(crate) outer_field: Option<FieldId>,
    pub(crate) is_library: bool,
}

pub(crate) struct Field<'a> {
    pub(crate) class: ClassId,
    pub(crate) name: String,
    pub(crate) ty: Ty,
    pub(crate) is_static: bool,
    pub(crate) is_final: bool,
    pub(crate) is_private: bool,
    pub(crate) init: Option<&'a Expr>,
    /// Absent for fields that the language adds.
    pub(crate) decl: Option<&'a FieldDecl>,
    pub(crate) region: Option<RegionId>,
}

pub(crate) struct Method<'a> {
    pub(crate) class: ClassId,
    pub(crate) name: String,
    pub(crate) params: Vec<Ty>,
    pub(crate) varargs: bool,
    pub(crate) result: Ty,
    pub(crate) is_static: bool,
    pub(crate) is_abstract: bool,
    pub(crate) kind: MethodKind<'a>,
    pub(crate) proc: Option<ProcId>,
}

impl<'a> Method<'a> {
    /// Absent for what the language adds.
    pub(crate) fn modifiers(&self) -> Option<&'a Modifiers> {
        match self.kind {
            MethodKind::Declared(decl) => Some(&decl.modifiers),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum MethodKind<'a> {
    Declared(&'a MethodDecl),
    /// The constructor of a class that declares none, or the canonical one of a record.
    DefaultConstructor,
    /// The accessor of a record's component.
    Accessor(FieldId),
    /// What a class does when it is initialised: the values of its static fields, and its static blocks.
    StaticInitialiser,
    /// The value of a constant that other code can see.
    InitialValue(FieldId),
    /// The names of an enum's constants, in order.
    Constants,
    /// The `equals` that a record has without declaring it: it compares the components, which is not modelled.
    RecordEquals,
    /// A method of a class above, which the other version does not inherit; only comparisons ask for it.
    Inherited(MethodId),
    /// What the constants of an enum are made of and cannot be compared.
    ConstantSources,
    /// A method of a class above that is not given, which the other version overrides.
    Outside,
    /// The names of the classes above, which differ from those of the other version.
    Parents,
}

pub(crate) struct Classes<'a> {
    pub(crate) classes: Vec<Class<'a>>,
    pub(crate) fields: Vec<Field<'a>>,
    pub(crate) methods: Vec<Method<'a>>,
    /// Classes by package and name; several files may have the same.
    pub(crate) top_level: BTreeMap<(String, String), Vec<ClassId>>,
    /// Member classes by the class that declares them.
    pub(crate) members: BTreeMap<(ClassId, String), ClassId>,
    library: BTreeMap<String, ClassId>,
    pub(crate) object: ClassId,
    pub(crate) throwable: ClassId,
    foreign_names: ForeignNames,
    /// The classes of the program that are not in the table.
    nameless: Nameless,
}

impl<'a> Classes<'a> {
    pub(crate) fn class(&self, id: ClassId) -> &Class<'a> {
        &self.classes[id.0]
    }

    pub(crate) fn field(&self, id: FieldId) -> &Field<'a> {
        &self.fields[id.0]
    }

    pub(crate) fn method(&self, id: MethodId) -> &Method<'a> {
        &self.methods[id.0]
    }

    /// The library class with this name.
    pub(crate) fn library_class(&self, name: &str) -> Option<ClassId> {
        self.library.get(name).copied()
    }
}
