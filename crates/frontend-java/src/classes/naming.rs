//! What types in the source mean, and how types are written.

use super::Classes;
use crate::foreign_names::simple_name;
use crate::syntax::{Primitive, TypeRef};
use crate::types::{ClassId, Ty};

impl<'a> Classes<'a> {
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
