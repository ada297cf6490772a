//! Declarations at file scope: which function, variable or type each of them is about.

use lang_c::ast;
use lang_c::span::{Node, Span};

use super::declare::Specifiers;
use super::function::is_restrict_pointer;
use super::names::Symbol;
use super::prototypes::has_assembler_name;
use super::{Lowered, Lowerer};
use crate::parse::Unit;
use crate::tokens::tokens;
use crate::types::CType;

impl<'a> Lowerer<'a> {
    /// Declares all names at file scope of the current unit. A declaration that is not understood costs its name.
    pub(crate) fn declare_unit(&mut self) {
        let unit = self.unit;
        for external in &self.units[unit].tree.0 {
            self.body.span = Some(self.span(external.span));
            match &external.node {
                ast::ExternalDeclaration::Declaration(declaration) => self.declare_at_file_scope(declaration),
                ast::ExternalDeclaration::StaticAssert(_) => {}
                ast::ExternalDeclaration::FunctionDefinition(definition) => {
                    self.declare_definition(definition)
                }
            }
        }
        for lost in &self.units[unit].lost {
            self.unlowered_text(&lost.text);
            // Names that only code which does not parse declares.
            for (_, word) in tokens(&lost.text) {
                let name = word.starts_with(|char: char| char.is_alphabetic() || char == '_');
                if name && self.lookup(word).is_none() {
                    self.bind(word, Symbol::Other(lost.what.clone()));
                }
            }
        }
    }

    fn declare_at_file_scope(&mut self, node: &'a Node<ast::Declaration>) {
        let typedef = is_typedef(&node.node);
        let checked = self.check_attributes(node.span, typedef);
        let specifiers = match checked.and_then(|()| self.specifiers(&node.node.specifiers, node.span)) {
            Ok(specifiers) => specifiers,
            Err(gap) => {
                self.unlowered(node.span);
                for declarator in &node.node.declarators {
                    if let Some(name) = declared_name(&declarator.node.declarator) {
                        self.bind(name, Symbol::Other(gap.what.clone()));
                    }
                }
                return;
            }
        };
        for declarator in &node.node.declarators {
            if let Err(gap) = self.declare_external(&specifiers, declarator, node.span) {
                self.unlowered(declarator.span);
                if let Some(name) = declared_name(&declarator.node.declarator) {
                    self.bind(name, Symbol::Other(gap.what));
                }
            }
        }
    }

    /// Declares a type, function or variable that belongs to no block.
    pub(crate) fn declare_external(
        &mut self,
        specifiers: &Specifiers,
        node: &'a Node<ast::InitDeclarator>,
        declaration: Span,
    ) -> Lowered<()> {
        let (name, ty) = self.declarator(&node.node.declarator, specifiers.ty.clone())?;
        let Some(name) = name else { return Ok(()) };
        let system = self.units[self.unit].source.is_system(node.span.start);
        if !system && has_assembler_name(&node.node.declarator) {
            return self.gap(format!("`{name}`, which has another name in assembly"), node.span);
        }
        let constant = self.is_constant(&node.node.declarator, specifiers.constant);
        let private = specifiers.storage == Some(ast::StorageClassSpecifier::Static);
        match (&specifiers.storage, ty) {
            // What it promises would have to be known wherever the name is used.
            (Some(ast::StorageClassSpecifier::Typedef), _)
                if !system && is_restrict_pointer(&node.node.declarator.node) =>
            {
                self.gap(format!("the type `{name}`, which is a `restrict` pointer"), node.span)
            }
            (Some(ast::StorageClassSpecifier::Typedef), ty) => {
                self.declare_typedef(&name, ty, constant);
                Ok(())
            }
            (_, CType::Function(ty)) => {
                self.declare_function(&name, (*ty).clone(), None, private);
                self.note_function(&name, declaration, specifiers.no_return);
                self.note_external(&name, declaration);
                Ok(())
            }
            _ if self.is_weak_declaration(declaration) => {
                self.gap(format!("`{name}`, which is weak"), node.span)
            }
            (storage, ty) => {
                let external =
                    *storage == Some(ast::StorageClassSpecifier::Extern) && node.node.initializer.is_none();
                let index = match self.is_defined_elsewhere(&name, &ty, node.node.initializer.is_some()) {
                    true if !external && !private => self.declare_own_variable(&name, ty, constant),
                    _ => self.declare_variable(&name, ty, constant, private, !external),
                };
                if is_restrict_pointer(&node.node.declarator.node) {
                    let name = self.variables[index].name.clone();
                    self.restricted_variables.insert(name);
                }
                self.bind(&name, Symbol::Variable(index));
                match &node.node.initializer {
                    Some(initializer) => self.initialize_static(index, initializer),
                    None => Ok(()),
                }
            }
        }
    }

    /// A private name that another unit has as well, told apart by the file without its folders, which differ
    /// between the versions.
    pub(super) fn unit_name(&self, name: &str) -> String {
        let file = |unit: &'a Unit| unit.name.rsplit(['/', '\\']).next().unwrap_or_default();
        let own = file(&self.units[self.unit]);
        match self.units[..self.unit].iter().filter(|unit| file(unit) == own).count() {
            0 => format!("{own}:{name}"),
            earlier => format!("{own}.{}:{name}", earlier + 1),
        }
    }

    pub(crate) fn declare_typedef(&mut self, name: &str, ty: CType, constant: bool) {
        // A struct without a tag is known by its first typedef.
        if let CType::Record(id) = &ty
            && self.records.get(*id).name.contains('}')
        {
            self.match_members(*id, name);
            self.name_record(*id, name.to_owned());
        }
        self.bind(name, Symbol::Typedef(ty, constant));
    }

    /// Whether another unit defines a variable that cannot be the same: the units belong to several programs.
    fn is_defined_elsewhere(&self, name: &str, ty: &CType, has_value: bool) -> bool {
        if self.file_scopes[self.unit].names.contains_key(name) {
            return false;
        }
        let mut known = self.variables.iter().filter(|known| known.name == name && !known.private);
        known.any(|known| {
            known.defined && (has_value && known.initializer.is_some() || !self.is_alike(&known.ty, ty))
        })
    }
}

pub(crate) fn declared_name(node: &Node<ast::Declarator>) -> Option<&str> {
    match &node.node.kind.node {
        ast::DeclaratorKind::Abstract => None,
        ast::DeclaratorKind::Identifier(name) => Some(&name.node.name),
        ast::DeclaratorKind::Declarator(inner) => declared_name(inner),
    }
}

pub(crate) fn is_typedef(node: &ast::Declaration) -> bool {
    node.specifiers.iter().any(|specifier| {
        matches!(&specifier.node, ast::DeclarationSpecifier::StorageClass(class)
            if class.node == ast::StorageClassSpecifier::Typedef)
    })
}
