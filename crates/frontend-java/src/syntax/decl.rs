//! Reads declarations: classes, interfaces, enums, records, and their members.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::parse::Reader;
use super::{
    ClassDecl, ClassKind, EnumConstant, FieldDecl, Import, Member, MethodDecl, Modifiers, Nameless,
    ParamDecl, Primitive, TypeRef, Unit, Words,
};

impl Reader<'_> {
    /// A whole file. Methods and variables outside of any class become static members of a class without a name.
    pub(super) fn unit(&mut self, root: Node<'_>) -> Unit {
        let mut unit = Unit {
            package: String::new(),
            imports: Vec::new(),
            classes: Vec::new(),
            lost_names: BTreeSet::new(),
            nameless: Nameless::default(),
            words: Words::default(),
        };
        let mut loose = Vec::new();
        for child in self.children(root) {
            match child.kind() {
                "package_declaration" => {
                    if let Some(name) = self.children(child).last() {
                        unit.package = self.names_of(*name).join(".");
                    }
                }
                "import_declaration" => unit.imports.extend(self.import(child)),
                "method_declaration" => {
                    let mut method = self.method(child, ClassKind::Class);
                    method.modifiers.is_static = true;
                    loose.push(Member::Method(method));
                }
                "local_variable_declaration" => {
                    let mut fields = self.field_members(child, ClassKind::Class);
                    for member in &mut fields {
                        if let Member::Field(field) = member {
                            field.modifiers.is_static = true;
                        }
                    }
                    loose.extend(fields);
                }
                _ => unit.classes.extend(self.class(child)),
            }
        }
        if !loose.is_empty() {
            let span = self.span(root);
            unit.classes.push(ClassDecl {
                name: String::new(),
                kind: ClassKind::Class,
                modifiers: Modifiers::default(),
                type_params: Vec::new(),
                superclass: None,
                interfaces: Vec::new(),
                constants: Vec::new(),
                components: Vec::new(),
                members: loose,
                span,
            });
        }
        unit
    }

    fn import(&self, node: Node<'_>) -> Option<Import> {
        let mut cursor = node.walk();
        let is_static = node.children(&mut cursor).any(|child| child.kind() == "static");
        let parts = self.children(node);
        let on_demand = parts.iter().any(|part| part.kind() == "asterisk");
        let path = self.names_of(*parts.first()?);
        Some(Import { path, is_static, on_demand })
    }

    /// The names of `a.b.c`, which may have blanks and comments between them.
    fn names_of(&self, node: Node<'_>) -> Vec<String> {
        match node.kind() {
            "scoped_identifier" => {
                self.children(node).into_iter().flat_map(|part| self.names_of(part)).collect()
            }
            _ => vec![self.text(node).to_owned()],
        }
    }

    /// A class-like declaration; nothing for annotation types, imports and the like.
    fn class(&mut self, node: Node<'_>) -> Option<ClassDecl> {
        let kind = match node.kind() {
            "class_declaration" => ClassKind::Class,
            "interface_declaration" => ClassKind::Interface,
            "enum_declaration" => ClassKind::Enum,
            "record_declaration" => ClassKind::Record,
            _ => return None,
        };
        let mut class = ClassDecl {
            name: self.name_of(node),
            kind,
            modifiers: self.modifiers(node),
            type_params: self.type_params(node),
            superclass: None,
            interfaces: Vec::new(),
            constants: Vec::new(),
            components: Vec::new(),
            members: Vec::new(),
            span: self.span(node),
        };
        if let Some(superclass) = self.field(node, "superclass") {
            class.superclass = self.children(superclass).first().map(|ty| self.type_ref(*ty));
        }
        let extends = self.children(node).into_iter().filter(|child| child.kind() == "extends_interfaces");
        for list in self.field(node, "interfaces").into_iter().chain(extends) {
            for types in self.children(list) {
                class.interfaces.extend(self.children(types).into_iter().map(|ty| self.type_ref(ty)));
            }
        }
        if kind == ClassKind::Record
            && let Some(parameters) = self.field(node, "parameters")
        {
            class.components = self.params(parameters).0;
        }
        if let Some(body) = self.field(node, "body") {
            self.depth += 1;
            if self.depth < super::parse::MAX_DEPTH {
                self.class_body(body, &mut class);
            } else {
                self.lose(body);
            }
            self.depth -= 1;
        }
        Some(class)
    }

    fn class_body(&mut self, body: Node<'_>, class: &mut ClassDecl) {
        for child in self.children(body) {
            match child.kind() {
                "enum_constant" => {
                    let constant = self.enum_constant(child);
                    class.constants.push(constant);
                }
                "enum_body_declarations" => self.class_body(child, class),
                "field_declaration" | "constant_declaration" => {
                    class.members.extend(self.field_members(child, class.kind));
                }
                "method_declaration" => class.members.push(Member::Method(self.method(child, class.kind))),
                "constructor_declaration" | "compact_constructor_declaration" => {
                    class.members.push(Member::Method(self.constructor(child)));
                }
                "block" => {
                    let body = self.block(child);
                    class.members.push(Member::Initializer { is_static: false, body });
                }
                "static_initializer" => {
                    let body =
                        self.children(child).last().map(|block| self.block(*block)).unwrap_or_default();
                    class.members.push(Member::Initializer { is_static: true, body });
                }
                _ => {
                    if let Some(mut nested) = self.class(child) {
                        // Members of interfaces, and nested enums, records and interfaces, are static (JLS 8.5.1).
                        if class.kind == ClassKind::Interface || nested.kind != ClassKind::Class {
                            nested.modifiers.is_static = true;
                        }
                        nested.modifiers.is_public |= class.kind == ClassKind::Interface;
                        class.members.push(Member::Class(nested));
                    }
                }
            }
        }
    }

    /// Of the body of a constant only the names are read: it is code that is not lowered.
    fn enum_constant(&mut self, node: Node<'_>) -> EnumConstant {
        let mut own_methods = Vec::new();
        if let Some(body) = self.field(node, "body") {
            self.lose(body);
            let methods =
                self.children(body).into_iter().filter(|child| child.kind() == "method_declaration");
            own_methods.extend(methods.map(|method| self.name_of(method)));
        }
        let args = match self.field(node, "arguments") {
            Some(args) => self.exprs(args),
            None => Vec::new(),
        };
        let text = |part: Option<Node<'_>>| {
            let words = part.map(|part| self.text(part).split_whitespace().collect::<Vec<_>>().join(" "));
            words.unwrap_or_default()
        };
        let (args_text, body_text) = (text(self.field(node, "arguments")), text(self.field(node, "body")));
        EnumConstant { name: self.name_of(node), args, own_methods, args_text, body_text }
    }

    fn field_members(&mut self, node: Node<'_>, owner: ClassKind) -> Vec<Member> {
        let mut modifiers = self.modifiers(node);
        if owner == ClassKind::Interface {
            modifiers.is_static = true;
            modifiers.is_final = true;
            modifiers.is_public = true;
        }
        let Some(ty) = self.field(node, "type").map(|ty| self.type_ref(ty)) else { return Vec::new() };
        let declarators = self.fields(node, "declarator");
        declarators
            .into_iter()
            .map(|declarator| {
                Member::Field(FieldDecl {
                    modifiers,
                    ty: self.with_dimensions(ty.clone(), declarator),
                    name: self.name_of(declarator),
                    init: self.field(declarator, "value").map(|value| self.expr(value)),
                    span: self.span(declarator),
                })
            })
            .collect()
    }

    fn method(&mut self, node: Node<'_>, owner: ClassKind) -> MethodDecl {
        let mut modifiers = self.modifiers(node);
        let body = self.field(node, "body").map(|body| self.block(body));
        if body.is_none() && owner == ClassKind::Interface {
            modifiers.is_abstract = true;
        }
        modifiers.is_public |= owner == ClassKind::Interface && !modifiers.is_private;
        let result = self.field(node, "type").map_or(TypeRef::Void, |ty| self.type_ref(ty));
        let (params, varargs) = match self.field(node, "parameters") {
            Some(parameters) => self.params(parameters),
            None => (Vec::new(), false),
        };
        MethodDecl {
            modifiers,
            type_params: self.type_params(node),
            result: self.with_dimensions(result, node),
            name: self.name_of(node),
            params,
            varargs,
            compact: false,
            body,
            span: self.span(node),
        }
    }

    fn constructor(&mut self, node: Node<'_>) -> MethodDecl {
        let (params, varargs) = match self.field(node, "parameters") {
            Some(parameters) => self.params(parameters),
            None => (Vec::new(), false),
        };
        MethodDecl {
            modifiers: self.modifiers(node),
            type_params: self.type_params(node),
            result: TypeRef::Void,
            name: "<init>".to_owned(),
            params,
            varargs,
            compact: node.kind() == "compact_constructor_declaration",
            body: self.field(node, "body").map(|body| self.block(body)),
            span: self.span(node),
        }
    }

    fn params(&self, node: Node<'_>) -> (Vec<ParamDecl>, bool) {
        let mut params = Vec::new();
        let mut varargs = false;
        for child in self.children(node) {
            match child.kind() {
                "formal_parameter" => {
                    let ty = self.field(child, "type").map_or(TypeRef::Var, |ty| self.type_ref(ty));
                    params.push(ParamDecl { ty: self.with_dimensions(ty, child), name: self.name_of(child) });
                }
                "spread_parameter" => {
                    varargs = true;
                    let parts = self.children(child);
                    let ty = parts.iter().find(|part| is_type(part.kind()));
                    let ty = ty.map_or(TypeRef::Var, |ty| self.type_ref(*ty));
                    let name = parts.last().map(|declarator| self.name_of(*declarator)).unwrap_or_default();
                    params.push(ParamDecl { ty: TypeRef::Array(Box::new(ty)), name });
                }
                _ => {}
            }
        }
        (params, varargs)
    }

    fn type_params(&self, node: Node<'_>) -> Vec<String> {
        let Some(list) = self.field(node, "type_parameters") else { return Vec::new() };
        self.children(list)
            .into_iter()
            .flat_map(|param| self.children(param))
            .filter(|part| part.kind() == "type_identifier")
            .map(|part| self.text(part).to_owned())
            .collect()
    }

    pub(super) fn modifiers(&self, node: Node<'_>) -> Modifiers {
        let mut modifiers = Modifiers::default();
        let Some(list) = self.children(node).into_iter().find(|child| child.kind() == "modifiers") else {
            return modifiers;
        };
        let mut cursor = list.walk();
        for child in list.children(&mut cursor) {
            match child.kind() {
                "static" => modifiers.is_static = true,
                "final" => modifiers.is_final = true,
                "abstract" => modifiers.is_abstract = true,
                "private" => modifiers.is_private = true,
                "protected" => modifiers.is_protected = true,
                "public" => modifiers.is_public = true,
                "native" => modifiers.is_native = true,
                "default" => modifiers.is_default = true,
                "marker_annotation" => {
                    modifiers.is_override |=
                        matches!(self.name_of(child).as_str(), "Override" | "java.lang.Override");
                }
                _ => {}
            }
        }
        modifiers
    }

    pub(super) fn name_of(&self, node: Node<'_>) -> String {
        self.field(node, "name").map(|name| self.text(name).to_owned()).unwrap_or_default()
    }

    /// `int a[]` declares an array, as does `int f()[]`.
    pub(super) fn with_dimensions(&self, ty: TypeRef, node: Node<'_>) -> TypeRef {
        self.fields(node, "dimensions").into_iter().fold(ty, |ty, dimensions| self.arrays_of(ty, dimensions))
    }

    /// Wraps a type in as many arrays as a `dimensions` node has brackets.
    pub(super) fn arrays_of(&self, ty: TypeRef, dimensions: Node<'_>) -> TypeRef {
        let brackets = self.text(dimensions).matches('[').count();
        (0..brackets).fold(ty, |ty, _| TypeRef::Array(Box::new(ty)))
    }

    pub(super) fn type_ref(&self, node: Node<'_>) -> TypeRef {
        match node.kind() {
            "void_type" => TypeRef::Void,
            "boolean_type" => TypeRef::Primitive(Primitive::Boolean),
            "integral_type" | "floating_point_type" => match self.text(node) {
                "byte" => TypeRef::Primitive(Primitive::Byte),
                "short" => TypeRef::Primitive(Primitive::Short),
                "char" => TypeRef::Primitive(Primitive::Char),
                "int" => TypeRef::Primitive(Primitive::Int),
                "long" => TypeRef::Primitive(Primitive::Long),
                "float" => TypeRef::Primitive(Primitive::Float),
                _ => TypeRef::Primitive(Primitive::Double),
            },
            "array_type" => {
                let element = self.field(node, "element").map_or(TypeRef::Var, |ty| self.type_ref(ty));
                self.with_dimensions(element, node)
            }
            "annotated_type" => {
                let ty = self.children(node).into_iter().find(|child| is_type(child.kind()));
                ty.map_or(TypeRef::Var, |ty| self.type_ref(ty))
            }
            _ => {
                let mut text = String::new();
                let mut depth = 0;
                for c in self.text(node).chars() {
                    match c {
                        '<' => depth += 1,
                        '>' => depth -= 1,
                        c if depth == 0 && !c.is_whitespace() => text.push(c),
                        _ => {}
                    }
                }
                if text == "var" {
                    return TypeRef::Var;
                }
                let generic = self.text(node).contains('<');
                TypeRef::Named(text.split('.').map(str::to_owned).collect(), generic)
            }
        }
    }
}

pub(super) fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "void_type"
            | "boolean_type"
            | "integral_type"
            | "floating_point_type"
            | "array_type"
            | "annotated_type"
            | "type_identifier"
            | "scoped_type_identifier"
            | "generic_type"
    )
}
