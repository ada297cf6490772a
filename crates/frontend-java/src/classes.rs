//! The table of classes: names, supertypes, members and their types, for the program and the library model.
//!
//! Everything is declared before anything is lowered, so that order in the source does not matter.

use std::collections::{BTreeMap, BTreeSet};

use ir::{ProcId, RegionId};

use crate::foreign_names::{ForeignNames, simple_name};
use crate::prelude;
use crate::scope::FileScope;
use crate::syntax::{
    ClassDecl, ClassKind, Expr, FieldDecl, Member, MethodDecl, Modifiers, Primitive, TypeRef, Unit,
};
use crate::types::{ClassId, FieldId, MethodId, Ty};

/// Parents of parents are found after so many rounds, or never.
const MAX_ROUNDS: usize = 64;

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
}

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
        };
        for (file, unit) in units.iter().enumerate() {
            let scope = FileScope { file: Some(file), package: &unit.package, imports: &unit.imports };
            for decl in &unit.classes {
                table.add_class(decl, None, scope);
            }
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

    pub(crate) fn class(&self, id: ClassId) -> &Class<'a> {
        &self.classes[id.0]
    }

    pub(crate) fn field(&self, id: FieldId) -> &Field<'a> {
        &self.fields[id.0]
    }

    pub(crate) fn method(&self, id: MethodId) -> &Method<'a> {
        &self.methods[id.0]
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

    /// The meaning of a type in the source, seen from inside a class and under type parameters.
    pub(crate) fn resolve_type(&self, ty: &TypeRef, from: Option<ClassId>, type_params: &[String]) -> Ty {
        match ty {
            TypeRef::Primitive(primitive) => Ty::Primitive(*primitive),
            TypeRef::Void => Ty::Void,
            TypeRef::Var => Ty::Unknown("var".to_owned()),
            TypeRef::Array(element) => match self.resolve_type(element, from, type_params) {
                Ty::Unknown(name) => Ty::Unknown(format!("{name}[]")),
                element => Ty::array_of(element),
            },
            TypeRef::Named(path, _) => {
                let name = path.join(".");
                let last = path.last().map_or("", String::as_str);
                if path.len() == 1 && (type_params.contains(&path[0]) || self.is_type_param(&path[0], from)) {
                    return Ty::parameter(&name);
                }
                match self.resolve_path(path, from) {
                    Some(class) if self.class(class).is_library => {
                        let boxed = Primitive::ALL.into_iter().find(|p| p.box_name() == last);
                        match boxed {
                            Some(primitive) => Ty::Boxed(primitive),
                            None if last == "String" => Ty::Text,
                            None => Ty::Class(class),
                        }
                    }
                    Some(class) => Ty::Class(class),
                    None => self.foreign_class(path, from).map_or(Ty::Unknown(name), Ty::Foreign),
                }
            }
        }
    }

    /// The name of the class that names joined by dots mean, which is not given.
    pub(crate) fn foreign_class(&self, path: &[String], from: Option<ClassId>) -> Option<String> {
        self.foreign_names.class(path, self.class(from?).scope)
    }

    /// Whether a class of either version has this simple name.
    pub(crate) fn is_given_somewhere(&self, name: &str) -> bool {
        self.foreign_names.is_given(name)
    }

    /// Whether objects of a class may stand where a class or interface is expected that is not given.
    pub(crate) fn may_be_foreign(&self, class: ClassId) -> bool {
        let info = self.class(class);
        let is_modelled = info.is_library && class != self.object && !self.is_value_class(class);
        // `Comparable` and its like are no parents in the table.
        let is_more = |id: &ClassId| {
            let class = self.class(*id);
            class.has_unknown_parent
                || class.interfaces.len() < class.decl.interfaces.len()
                || matches!(class.decl.kind, ClassKind::Enum | ClassKind::Record)
        };
        is_modelled || is_more(&class) || self.ancestors(class).iter().any(is_more)
    }

    fn is_type_param(&self, name: &str, from: Option<ClassId>) -> bool {
        let mut scope = from;
        while let Some(id) = scope {
            if self.class(id).decl.type_params.iter().any(|param| param == name) {
                return true;
            }
            scope = self.class(id).outer;
        }
        false
    }

    fn declare_members(&mut self, id: ClassId) {
        let decl = self.class(id).decl;
        if let (true, Some(outer)) = (self.class(id).is_inner, self.class(id).outer) {
            let field = self.add_field(id, "this$0", Ty::Class(outer), None);
            self.classes[id.0].outer_field = Some(field);
        }
        let mut component_fields = Vec::new();
        for component in &decl.components {
            let ty = self.resolve_type(&component.ty, Some(id), &[]);
            component_fields.push(self.add_field(id, &component.name, ty, None));
        }
        for member in &decl.members {
            match member {
                Member::Field(field) => {
                    let ty = self.resolve_type(&field.ty, Some(id), &[]);
                    self.add_field(id, &field.name, ty, Some(field));
                }
                Member::Method(method) => self.add_method(id, method),
                Member::Class(_) | Member::Initializer { .. } => {}
            }
        }
        for field in component_fields {
            let name = self.field(field).name.clone();
            let result = self.field(field).ty.clone();
            let declared = self.class(id).methods.iter().any(|method| {
                let method = self.method(*method);
                method.name == name && method.params.is_empty()
            });
            if !declared {
                self.push_method(id, name, Vec::new(), result, MethodKind::Accessor(field));
            }
        }
        self.add_record_equals(id);
        self.add_default_constructor(id);
        if !self.class(id).is_library {
            self.add_start_up(id);
        }
    }

    /// What a class does before any of its methods runs, as procedures that can be compared.
    fn add_start_up(&mut self, id: ClassId) {
        let decl = self.class(id).decl;
        let statics: Vec<FieldId> =
            self.class(id).fields.iter().copied().filter(|field| self.field(*field).is_static).collect();
        let is_block = |member: &Member| matches!(member, Member::Initializer { is_static: true, .. });
        if !statics.is_empty() || decl.members.iter().any(is_block) {
            let kind = MethodKind::StaticInitialiser;
            self.push_method(id, "<clinit>".to_owned(), Vec::new(), Ty::Void, kind);
        }
        for field in statics {
            let info = self.field(field);
            let plain = matches!(info.ty, Ty::Primitive(_) | Ty::Boxed(_) | Ty::Text);
            if info.is_final && !info.is_private && plain && info.init.is_some() {
                let (name, ty) = (format!("<value of {}>", info.name), info.ty.clone());
                self.push_method(id, name, Vec::new(), ty, MethodKind::InitialValue(field));
            }
        }
        if decl.kind == ClassKind::Enum {
            self.push_method(id, "<constants>".to_owned(), Vec::new(), Ty::Text, MethodKind::Constants);
            let name = "<made of>".to_owned();
            self.push_method(id, name, Vec::new(), Ty::Text, MethodKind::ConstantSources);
        }
    }

    fn add_field(&mut self, class: ClassId, name: &str, ty: Ty, decl: Option<&'a FieldDecl>) -> FieldId {
        let id = FieldId(self.fields.len());
        self.fields.push(Field {
            class,
            name: name.to_owned(),
            ty,
            is_static: decl.is_some_and(|decl| decl.modifiers.is_static),
            is_final: decl.is_none_or(|decl| decl.modifiers.is_final),
            is_private: decl.is_some_and(|decl| decl.modifiers.is_private),
            init: decl.and_then(|decl| decl.init.as_ref()),
            decl,
            region: None,
        });
        self.classes[class.0].fields.push(id);
        id
    }

    fn add_method(&mut self, class: ClassId, decl: &'a MethodDecl) {
        let owner = self.class(class).decl;
        let params = if decl.compact { &owner.components } else { &decl.params };
        let params =
            params.iter().map(|param| self.resolve_type(&param.ty, Some(class), &decl.type_params)).collect();
        let result = self.resolve_type(&decl.result, Some(class), &decl.type_params);
        self.push_method(class, decl.name.clone(), params, result, MethodKind::Declared(decl));
    }

    pub(crate) fn add_inherited(&mut self, class: ClassId, target: MethodId) {
        let method = self.method(target);
        let (name, params, result) = (method.name.clone(), method.params.clone(), method.result.clone());
        self.push_method(class, name, params, result, MethodKind::Inherited(target));
    }

    pub(crate) fn push_method(
        &mut self,
        class: ClassId,
        name: String,
        params: Vec<Ty>,
        result: Ty,
        kind: MethodKind<'a>,
    ) {
        let id = MethodId(self.methods.len());
        let is_constructor = name == "<init>";
        let (is_static, is_abstract, varargs) = match kind {
            MethodKind::Declared(decl) => {
                (decl.modifiers.is_static, decl.modifiers.is_abstract, decl.varargs)
            }
            MethodKind::DefaultConstructor | MethodKind::Accessor(_) | MethodKind::RecordEquals => {
                (false, false, false)
            }
            MethodKind::StaticInitialiser
            | MethodKind::InitialValue(_)
            | MethodKind::Constants
            | MethodKind::Parents
            | MethodKind::ConstantSources => (true, false, false),
            MethodKind::Outside => (false, false, false),
            MethodKind::Inherited(target) => (false, false, self.method(target).varargs),
        };
        self.methods.push(Method {
            class,
            name,
            params,
            varargs,
            result,
            is_static,
            is_abstract,
            kind,
            proc: None,
        });
        let owner = &mut self.classes[class.0];
        match kind {
            MethodKind::Inherited(_) | MethodKind::Outside | MethodKind::Parents => owner.inherited.push(id),
            _ if is_constructor => owner.constructors.push(id),
            _ => owner.methods.push(id),
        }
    }

    fn add_record_equals(&mut self, id: ClassId) {
        let class = self.class(id);
        let declared = class.methods.iter().any(|method| {
            let method = self.method(*method);
            method.name == "equals" && method.params.len() == 1
        });
        if class.decl.kind == ClassKind::Record && !declared {
            let other = vec![Ty::Class(self.object)];
            let result = Ty::Primitive(Primitive::Boolean);
            self.push_method(id, "equals".to_owned(), other, result, MethodKind::RecordEquals);
        }
    }

    fn add_default_constructor(&mut self, id: ClassId) {
        let class = self.class(id);
        let kind = class.decl.kind;
        let components: Vec<Ty> = match kind {
            ClassKind::Interface => return,
            ClassKind::Record => class
                .decl
                .components
                .iter()
                .map(|component| self.resolve_type(&component.ty, Some(id), &[]))
                .collect(),
            ClassKind::Class | ClassKind::Enum => Vec::new(),
        };
        let exists = match kind {
            ClassKind::Record => {
                class.constructors.iter().any(|constructor| self.method(*constructor).params == components)
            }
            _ => !class.constructors.is_empty(),
        };
        if !exists && !class.decl.name.is_empty() {
            self.push_method(id, "<init>".to_owned(), components, Ty::Void, MethodKind::DefaultConstructor);
        }
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

    /// The type of `this` in a class.
    pub(crate) fn this_type(&self, class: ClassId) -> Ty {
        let info = self.class(class);
        if info.is_library {
            if let Some(primitive) = Primitive::ALL.into_iter().find(|p| p.box_name() == info.decl.name) {
                return Ty::Primitive(primitive);
            }
            if info.decl.name == "String" {
                return Ty::Text;
            }
        }
        Ty::Class(class)
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

    /// The library class with this name.
    pub(crate) fn library_class(&self, name: &str) -> Option<ClassId> {
        self.library.get(name).copied()
    }

    /// `Class.field`, or only the name for fields outside of any class.
    pub(crate) fn qualified(&self, class: ClassId, name: &str) -> String {
        match self.class(class).name.as_str() {
            "" => name.to_owned(),
            class => format!("{class}.{name}"),
        }
    }

    /// How a type is written where classes of one simple name must be told apart.
    pub(crate) fn full_type_name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Foreign(name) => name.clone(),
            Ty::Array(element) => format!("{}[]", self.full_type_name(element)),
            other => self.type_name(other),
        }
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

    /// How a type is written in names of procedures, regions and shapes.
    pub(crate) fn type_name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Primitive(primitive) => primitive.name().to_owned(),
            Ty::Boxed(primitive) => primitive.box_name().to_owned(),
            Ty::Void => "void".to_owned(),
            Ty::Null => "null".to_owned(),
            Ty::Text => "String".to_owned(),
            Ty::Class(class) => self.class(*class).name.clone(),
            Ty::Array(element) => format!("{}[]", self.type_name(element)),
            Ty::Foreign(name) => simple_name(name).to_owned(),
            Ty::Unknown(name) => name.clone(),
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
