//! Puts the members of classes into the table: those that are declared, and those that Java adds.

use super::{Classes, Field, Method, MethodKind};
use crate::syntax::{ClassKind, FieldDecl, Member, MethodDecl, Primitive};
use crate::types::{ClassId, FieldId, MethodId, Ty};

impl<'a> Classes<'a> {
    pub(super) fn declare_members(&mut self, id: ClassId) {
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
}
