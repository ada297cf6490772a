//! Functions as files declare them: prototypes, definitions, and those whose source is not there.

use lang_c::ast;
use lang_c::span::{Node, Span};

use super::file_scope::declared_name;
use super::names::Symbol;
use super::{Definition, Function, Lowered, Lowerer};
use crate::parse::Lost;
use crate::types::{CType, FunctionType};

impl<'a> Lowerer<'a> {
    pub(super) fn declare_definition(&mut self, node: &'a Node<ast::FunctionDefinition>) {
        let Some(name) = declared_name(&node.node.declarator) else { return };
        if let Some(lost) = self.lost_at(node.span.start)
            && !lost.head_known
        {
            let what = lost.what.clone();
            return self.declare_lost(name, node, what);
        }
        let head = Span::span(node.span.start, node.node.statement.span.start);
        let ty: Lowered<(CType, bool)> = self.scoped(|this| {
            this.check_attributes(head, false)?;
            let specifiers = this.specifiers(&node.node.specifiers, head)?;
            let (_, ty) = this.declarator(&node.node.declarator, specifiers.ty)?;
            this.note_function(name, head, specifiers.no_return);
            Ok((ty, specifiers.storage == Some(ast::StorageClassSpecifier::Static)))
        });
        match ty {
            Ok((CType::Function(ty), private)) => {
                let ty = self.old_style_type(node, &ty);
                let definition = Definition { unit: self.unit, node, instance: None };
                self.declare_function(name, ty, Some(definition), private);
            }
            Ok(_) => self.declare_lost(name, node, "a function whose type is not known".to_owned()),
            Err(gap) => self.declare_lost(name, node, gap.what),
        }
    }

    /// The code that does not parse around an offset.
    pub(crate) fn lost_at(&self, offset: usize) -> Option<&'a Lost> {
        self.units[self.unit].lost.iter().find(|lost| lost.range.contains(&offset))
    }

    /// A function whose head is not understood is still compared: every run of it is a gap.
    fn declare_lost(&mut self, name: &str, node: &'a Node<ast::FunctionDefinition>, what: String) {
        self.unlowered(node.span);
        let ty = FunctionType { params: Vec::new(), result: CType::Void, variadic: false, prototyped: false };
        let definition = Definition { unit: self.unit, node, instance: None };
        self.declare_function(name, ty, Some(definition), false);
        if let Some(Symbol::Function(key)) = self.lookup(name).cloned()
            && let Some(function) = self.functions.get_mut(&key)
        {
            function.lost = Some(what);
        }
    }

    /// The types of the parameters of an old-style definition stand in declarations after its head.
    fn old_style_type(&mut self, node: &'a Node<ast::FunctionDefinition>, ty: &FunctionType) -> FunctionType {
        let mut ty = ty.clone();
        let Some(names) = old_style_names(&node.node.declarator) else { return ty };
        for declaration in &node.node.declarations {
            let Ok(specifiers) = self.specifiers(&declaration.node.specifiers, declaration.span) else {
                continue;
            };
            for declarator in &declaration.node.declarators {
                if let Ok((Some(name), param)) =
                    self.declarator(&declarator.node.declarator, specifiers.ty.clone())
                    && let Some(position) = names.iter().position(|known| known.node.name == name)
                {
                    ty.params[position] = param.decayed();
                }
            }
        }
        ty
    }

    pub(super) fn declare_function(
        &mut self,
        name: &str,
        ty: FunctionType,
        definition: Option<Definition<'a>>,
        private: bool,
    ) {
        if self.is_model() {
            // Models are found by name when a call has no other definition.
            let key = format!("model {name}");
            if definition.is_some() || !self.functions.contains_key(&key) {
                self.functions.insert(
                    key.clone(),
                    Function {
                        ty: ty.into(),
                        definition,
                        proc: None,
                        user: false,
                        lost: None,
                        private: false,
                        external: ir::External::default(),
                    },
                );
            }
            self.bind(name, Symbol::Function(name.to_owned()));
            return;
        }
        let key = match self.file_scopes[self.unit].names.get(name) {
            Some(Symbol::Function(key)) => key.clone(),
            _ => {
                let is_taken = self.functions.get(name).is_some_and(|function| function.private);
                let is_own = self.linkage.is_own(name, self.unit);
                let clash = is_taken || is_own || private && self.linkage.external.contains(name);
                if clash { self.unit_name(name) } else { name.to_owned() }
            }
        };
        let system = definition
            .as_ref()
            .is_some_and(|definition| self.units[self.unit].source.is_system(definition.node.span.start));
        let ty = std::rc::Rc::new(ty);
        self.note_declared(&key, &ty);
        if definition.is_none() && ty.prototyped {
            self.prototypes.insert((self.unit, key.clone()));
        }
        let known = self.functions.entry(key.clone()).or_insert_with(|| Function {
            ty: ty.clone(),
            definition: None,
            proc: None,
            user: false,
            lost: None,
            private,
            external: ir::External::default(),
        });
        known.private |= private;
        let mut replaced = None;
        if definition.is_some() {
            known.ty = ty;
            replaced = std::mem::replace(&mut known.definition, definition);
            known.lost = None;
            known.user = !system;
        } else if known.definition.is_none() && (ty.prototyped || !known.ty.prototyped) {
            known.ty = ty;
        }
        self.file_scopes[self.unit].names.insert(name.to_owned(), Symbol::Function(key));
        // A unit defines it twice: only the later one is lowered.
        if let Some(replaced) = replaced {
            let unit = std::mem::replace(&mut self.unit, replaced.unit);
            self.unlowered(replaced.node.span);
            self.unit = unit;
        }
    }

    /// Notes what a declaration says about a function whose definition may not be there.
    pub(super) fn note_external(&mut self, name: &str, declaration: Span) {
        let library = self.units[self.unit].source.is_system(declaration.start);
        let attributes = self.own_attributes(declaration).map(|attribute| attribute.name.as_str());
        let declared = super::outside::declared_access(attributes);
        let Some(Symbol::Function(key)) = self.file_scopes[self.unit].names.get(name) else { return };
        if let Some(function) = self.functions.get_mut(key) {
            function.external.library |= library;
            // What one declaration promises holds, whatever the others say.
            if let Some(access) = declared {
                function.external.access = function.external.access.min(access);
            }
        }
    }
}

pub(crate) fn has_assembler_name(node: &Node<ast::Declarator>) -> bool {
    node.node.extensions.iter().any(|extension| matches!(extension.node, ast::Extension::AsmLabel(_)))
}

fn old_style_names(node: &Node<ast::Declarator>) -> Option<&[Node<ast::Identifier>]> {
    node.node.derived.iter().find_map(|derived| match &derived.node {
        ast::DerivedDeclarator::KRFunction(names) => Some(names.as_slice()),
        _ => None,
    })
}
