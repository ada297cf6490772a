//! What one version says and the other leaves to the language: methods that are inherited, constructors and accessors
//! that nobody wrote, classes that have nothing to initialise.
//!
//! ```text
//! old: class B extends A { }        new: class B extends A { int g() { return 2; } }
//! ```
//!
//! The old `B` has a `g`, too. Each such thing becomes a procedure of its own, so that there is a pair. Exact: it calls
//! what is inherited, and nothing but comparisons asks for it.

use std::collections::{BTreeMap, BTreeSet};

use crate::classes::{Classes, MethodKind};
use crate::enum_sources::{EnumSources, made_of};
use crate::foreign_names::simple_name;
use crate::syntax::TypeRef;
use crate::types::{ClassId, MethodId, Ty};

/// The name and the types of the parameters.
type Signature = (String, Vec<String>);

/// What a version declares, by names that both versions share.
#[derive(Default)]
pub(crate) struct Declared {
    /// For each class the methods that its objects have, with the class that declares each.
    methods: BTreeMap<String, BTreeMap<Signature, String>>,
    /// Constructors and accessors that somebody wrote.
    written: BTreeSet<(String, Signature)>,
    initialisers: BTreeSet<String>,
    enums: BTreeMap<String, EnumSources>,
    /// The simple names of the classes above each class.
    parents: BTreeMap<String, BTreeSet<String>>,
    /// Methods that say `@Override`: the class, the signature, and the types as they are written.
    overrides: Vec<(String, Signature, Vec<TypeRef>, TypeRef)>,
}

impl Declared {
    pub(crate) fn of(table: &Classes<'_>) -> Declared {
        let mut declared = Declared::default();
        for (index, class) in table.classes.iter().enumerate().filter(|(_, class)| !class.is_library) {
            let methods = table.methods_of(ClassId(index)).into_iter();
            let with_owners = methods.map(|(signature, id)| (signature, table.owner_of(id)));
            declared.methods.insert(class.name.clone(), with_owners.collect());
            declared.parents.insert(class.name.clone(), table.parents_of(ClassId(index)));
            declared.enums.insert(class.name.clone(), made_of(table, ClassId(index)));
            for id in class.constructors.iter().chain(&class.methods) {
                match table.method(*id).kind {
                    MethodKind::Declared(decl) => {
                        declared.written.insert((class.name.clone(), table.signature(*id)));
                        if decl.modifiers.is_override {
                            let types = decl.params.iter().map(|param| param.ty.clone()).collect();
                            let signature = table.signature(*id);
                            declared.overrides.push((
                                class.name.clone(),
                                signature,
                                types,
                                decl.result.clone(),
                            ));
                        }
                    }
                    MethodKind::StaticInitialiser => {
                        declared.initialisers.insert(class.name.clone());
                    }
                    _ => {}
                }
            }
        }
        declared
    }

    /// What the constants of an enum are made of.
    pub(crate) fn made_of(&self, class: &str) -> Option<&EnumSources> {
        self.enums.get(class)
    }
}

impl Classes<'_> {
    /// Adds what this version leaves to the language and the other one does not.
    pub(crate) fn add_counterparts(&mut self, other: &Declared) {
        for index in 0..self.classes.len() {
            let id = ClassId(index);
            let Some(theirs) = other.methods.get(&self.class(id).name).filter(|_| !self.class(id).is_library)
            else {
                continue;
            };
            let inherited = self.methods_of(id).into_iter().filter(|(signature, method)| {
                let info = self.method(*method);
                let owner = self.owner_of(*method);
                info.class != id && !info.is_abstract && theirs.get(signature).is_some_and(|it| *it != owner)
            });
            for (_, target) in inherited.collect::<Vec<_>>() {
                self.add_inherited(id, target);
            }
            self.add_from_outside(id, other);
            if self.common_parents(id, other) != self.other_parents(id, other) {
                self.push_method(id, "<parents>".to_owned(), Vec::new(), Ty::Text, MethodKind::Parents);
            }
            let is_initialised =
                |id: &MethodId| matches!(self.method(*id).kind, MethodKind::StaticInitialiser);
            if other.initialisers.contains(&self.class(id).name)
                && !self.class(id).methods.iter().any(is_initialised)
            {
                self.push_method(
                    id,
                    "<clinit>".to_owned(),
                    Vec::new(),
                    Ty::Void,
                    MethodKind::StaticInitialiser,
                );
            }
        }
    }

    /// Whether the other version has this method, which nobody wrote here, written out.
    pub(crate) fn is_written_in(&self, other: &Declared, id: MethodId) -> bool {
        let class = self.class(self.method(id).class).name.clone();
        other.written.contains(&(class, self.signature(id)))
    }

    /// Adds what the other version overrides and this one has from a class that is not given.
    fn add_from_outside(&mut self, id: ClassId, other: &Declared) {
        if !self.has_unknown_ancestor(id) || self.is_abstract(id) {
            return;
        }
        let own = self.methods_of(id);
        let class = self.class(id).name.clone();
        for (_, signature, types, result) in other.overrides.iter().filter(|(owner, ..)| *owner == class) {
            if !own.contains_key(signature) {
                let params = types.iter().map(|ty| self.resolve_type(ty, Some(id), &[])).collect();
                let result = self.resolve_type(result, Some(id), &[]);
                self.push_method(id, signature.0.clone(), params, result, MethodKind::Outside);
            }
        }
    }

    /// The classes above a class, without those that only this version declares: nobody asked for them before.
    pub(crate) fn common_parents(&self, id: ClassId, other: &Declared) -> Vec<String> {
        let is_common = |name: &String| !self.declares(name) || other.parents.contains_key(name);
        self.parents_of(id).into_iter().filter(is_common).collect()
    }

    fn other_parents(&self, id: ClassId, other: &Declared) -> Vec<String> {
        let is_common = |name: &&String| self.declares(name) || !other.parents.contains_key(*name);
        let parents = other.parents.get(&self.class(id).name);
        parents.into_iter().flatten().filter(is_common).cloned().collect()
    }

    fn declares(&self, name: &str) -> bool {
        self.classes.iter().any(|class| !class.is_library && class.name == name)
    }

    fn parents_of(&self, id: ClassId) -> BTreeSet<String> {
        let given = self.ancestors(id).into_iter().filter(|id| *id != self.object);
        let given = given.map(|id| self.class(id).name.clone());
        let unknown = self.unknown_parents(id).into_iter().map(|name| simple_name(&name).to_owned());
        given.chain(unknown).collect()
    }

    fn signature(&self, id: MethodId) -> Signature {
        let method = self.method(id);
        (method.name.clone(), method.params.iter().map(|ty| self.type_name(ty)).collect())
    }

    /// The class that declares a method; one of the library has its package in front.
    fn owner_of(&self, id: MethodId) -> String {
        let class = self.class(self.method(id).class);
        if class.is_library { class.binary_name.clone() } else { class.name.clone() }
    }

    /// The methods that objects of a class have, their own and inherited ones, also those of `Object` and `Throwable`
    /// that are modelled; not private ones.
    fn methods_of(&self, class: ClassId) -> BTreeMap<Signature, MethodId> {
        let mut found: BTreeMap<Signature, MethodId> = BTreeMap::new();
        let mut chain = Some(class);
        while let Some(id) = chain {
            self.add_methods_of(id, &mut found);
            chain = self.class(id).superclass;
        }
        let interfaces: Vec<ClassId> =
            self.ancestors(class).into_iter().filter(|id| !self.class(*id).is_library).collect();
        let mut defaults: BTreeMap<Signature, Vec<MethodId>> = BTreeMap::new();
        for id in interfaces {
            let mut own = BTreeMap::new();
            self.add_methods_of(id, &mut own);
            own.into_iter()
                .for_each(|(signature, method)| defaults.entry(signature).or_default().push(method));
        }
        for (signature, methods) in defaults {
            let best = methods.iter().copied().find(|id| {
                let owner = self.method(*id).class;
                methods.iter().all(|other| self.is_subclass(owner, self.method(*other).class))
            });
            if let Some(best) = best {
                found.entry(signature).or_insert(best);
            }
        }
        found
    }

    fn add_methods_of(&self, class: ClassId, found: &mut BTreeMap<Signature, MethodId>) {
        for id in &self.class(class).methods {
            let method = self.method(*id);
            let is_inherited = match method.kind {
                MethodKind::Declared(decl) => !decl.modifiers.is_private,
                MethodKind::RecordEquals => true,
                _ => false,
            };
            if is_inherited && !method.is_static {
                found.entry(self.signature(*id)).or_insert(*id);
            }
        }
    }
}
