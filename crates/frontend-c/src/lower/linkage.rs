//! Names that several files have: which of them mean one function or variable, and whether the files agree on its type.
//!
//! A `static` function is another one than the function of its name that other files see. Files that define one
//! function for all belong to several programs: each of them means its own. Where a file declares a
//! function or variable otherwise than the file that defines it, or calls a function that it does not declare, C leaves
//! the run undefined; compilers take the declaration at its word. Such uses are gaps.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lang_c::ast;
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::file_scope::{declared_name, is_typedef};
use super::{Lowered, Lowerer, Unit};
use crate::types::{CType, FunctionType};

/// Which functions several units name.
#[derive(Default)]
pub(crate) struct Linkage {
    /// Those that some unit has without `static`. Over-approximating: names of other things may be there.
    pub(super) external: BTreeSet<String>,
    /// Those that more than one unit defines for all, and the units: they belong to several programs.
    several: BTreeMap<String, BTreeSet<usize>>,
}

impl Linkage {
    pub(super) fn of(units: &[Unit]) -> Linkage {
        let mut linkage = Linkage::default();
        for (index, unit) in units.iter().enumerate().filter(|(_, unit)| !unit.model) {
            let mut finder = Finder::default();
            finder.visit_translation_unit(&unit.tree);
            let external = finder.others.difference(&finder.statics).cloned();
            linkage.external.extend(external);
            for name in finder.defined.difference(&finder.statics) {
                linkage.several.entry(name.clone()).or_default().insert(index);
            }
        }
        linkage.several.retain(|_, units| units.len() > 1);
        linkage
    }

    /// Whether a unit means a function of its own by a name for all.
    pub(super) fn is_own(&self, name: &str, unit: usize) -> bool {
        self.several.get(name).is_some_and(|units| units.contains(&unit))
    }
}

/// The functions that a unit declares.
#[derive(Default)]
struct Finder {
    statics: BTreeSet<String>,
    others: BTreeSet<String>,
    defined: BTreeSet<String>,
}

impl Finder {
    fn note(&mut self, name: &str, specifiers: &[Node<ast::DeclarationSpecifier>]) {
        let is_static = specifiers.iter().any(|specifier| {
            matches!(&specifier.node, ast::DeclarationSpecifier::StorageClass(class)
                if class.node == ast::StorageClassSpecifier::Static)
        });
        let names = if is_static { &mut self.statics } else { &mut self.others };
        names.insert(name.to_owned());
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_function_definition(&mut self, node: &'ast ast::FunctionDefinition, span: &'ast Span) {
        if let Some(name) = declared_name(&node.declarator) {
            self.note(name, &node.specifiers);
            self.defined.insert(name.to_owned());
        }
        visit::visit_function_definition(self, node, span);
    }

    fn visit_declaration(&mut self, node: &'ast ast::Declaration, span: &'ast Span) {
        for declarator in node.declarators.iter().filter(|_| !is_typedef(node)) {
            let declarator = &declarator.node.declarator;
            if let (true, Some(name)) = (is_function(&declarator.node), declared_name(declarator)) {
                self.note(name, &node.specifiers);
            }
        }
        visit::visit_declaration(self, node, span);
    }
}

fn is_function(declarator: &ast::Declarator) -> bool {
    let is_list = |derived: &Node<ast::DerivedDeclarator>| {
        matches!(derived.node, ast::DerivedDeclarator::Function(_) | ast::DerivedDeclarator::KRFunction(_))
    };
    matches!(declarator.kind.node, ast::DeclaratorKind::Identifier(_))
        && declarator.derived.iter().any(is_list)
}

impl<'a> Lowerer<'a> {
    /// Notes the type that this unit declares for a function: one with parameters says more than one without.
    pub(super) fn note_declared(&mut self, key: &str, ty: &Rc<FunctionType>) {
        let known = self.declared.entry((self.unit, key.to_owned())).or_insert_with(|| ty.clone());
        if ty.prototyped || !known.prototyped {
            *known = ty.clone();
        }
    }

    /// The type of a function as this unit knows it; `int f()` if it does not declare it.
    pub(super) fn seen_type(&self, key: &str) -> Rc<FunctionType> {
        let undeclared =
            || FunctionType { params: Vec::new(), result: CType::INT, variadic: false, prototyped: false };
        let declared = self.declared.get(&(self.unit, key.to_owned())).cloned();
        declared.unwrap_or_else(|| Rc::new(undeclared()))
    }

    /// Refuses a call of a function of another unit whose type is not what this unit takes it for.
    pub(super) fn check_declared(
        &mut self,
        key: &str,
        name: &str,
        args: &'a [Node<ast::Expression>],
        span: Span,
    ) -> Lowered<()> {
        if self.is_of_several(key) {
            return self.gap(format!("a call of `{name}`, which several files define"), span);
        }
        if !self.is_of_another_unit(key) {
            return self.check_without_prototype(key, name, args, span);
        }
        if self.functions[key].private {
            return self.gap(format!("a call of `{name}`, which this file does not declare"), span);
        }
        let (ty, seen) = (self.functions[key].ty.clone(), self.seen_type(key));
        let agrees =
            self.same_result(&ty, &seen) && (seen.prototyped || self.takes_as_they_are(&ty, args)?);
        match agrees {
            true => Ok(()),
            false => {
                self.gap(format!("a call of `{name}`, which another file defines with another type"), span)
            }
        }
    }

    /// Refuses a call in the file of a function with arguments of other types, where no prototype converts them.
    fn check_without_prototype(
        &mut self,
        key: &str,
        name: &str,
        args: &'a [Node<ast::Expression>],
        span: Span,
    ) -> Lowered<()> {
        let Some(function) = self.functions.get(key).filter(|_| !self.is_model()) else { return Ok(()) };
        let Some(definition) = function.definition.as_ref().filter(|_| function.lost.is_none()) else {
            return Ok(());
        };
        let is_seen = function.ty.prototyped && definition.node.span.start < span.start;
        let has_prototype = is_seen || self.prototypes.contains(&(self.unit, key.to_owned()));
        let is_users = !self.units[definition.unit].model;
        let ty = function.ty.clone();
        if has_prototype || !is_users || self.takes_as_they_are(&ty, args)? {
            return Ok(());
        }
        self.gap(format!("a call of `{name}` without a prototype and with arguments of other types"), span)
    }

    /// Whether arguments that nothing converts have the types of the parameters.
    fn takes_as_they_are(&mut self, ty: &FunctionType, args: &'a [Node<ast::Expression>]) -> Lowered<bool> {
        let given: Vec<CType> =
            args.iter().map(|arg| Ok(default_promoted(&self.type_of(arg)?))).collect::<Lowered<_>>()?;
        let taken: Vec<CType> = match ty.prototyped {
            true => ty.params.clone(),
            false => ty.params.iter().map(default_promoted).collect(),
        };
        let fits = |(a, b): (&CType, &CType)| self.is_alike(a, b) || is_as_wide(a, b);
        Ok(given.len() == taken.len() && given.iter().zip(&taken).all(fits))
    }

    /// Whether the address of a function is known, and of the type that this unit takes it to have.
    pub(super) fn is_declared_alike(&self, key: &str) -> bool {
        let agrees = || self.same_result(&self.functions[key].ty, &self.seen_type(key));
        !self.is_of_several(key) && (!self.is_of_another_unit(key) || agrees())
    }

    /// Whether the name is that of functions of several other units.
    fn is_of_several(&self, key: &str) -> bool {
        !self.is_model() && self.linkage.several.contains_key(key)
    }

    fn is_of_another_unit(&self, key: &str) -> bool {
        let definition = self.functions.get(key).and_then(|function| function.definition.as_ref());
        let is_other = |unit: usize| unit != self.unit && !self.units[unit].model && !self.is_model();
        definition.is_some_and(|definition| is_other(definition.unit))
    }

    fn same_result(&self, ty: &FunctionType, seen: &FunctionType) -> bool {
        let same_params = ty.params.len() == seen.params.len() && self.all_alike(&seen.params, &ty.params);
        self.is_alike(&ty.result, &seen.result)
            && (!seen.prototyped || same_params && ty.variadic == seen.variadic)
    }

    fn all_alike(&self, some: &[CType], others: &[CType]) -> bool {
        some.iter().zip(others).all(|(a, b)| self.is_alike(a, b))
    }

    /// Whether two units that declare something with these types mean the same by it.
    pub(super) fn is_alike(&self, a: &CType, b: &CType) -> bool {
        match (a.without_volatile(), b.without_volatile()) {
            (CType::Pointer(_), CType::Pointer(_)) => true,
            (CType::Array(a, a_length), CType::Array(b, b_length)) => {
                self.is_alike(a, b) && (a_length == b_length || a_length.is_none() || b_length.is_none())
            }
            (CType::Record(a), CType::Record(b)) => self.records.get(*a).name == self.records.get(*b).name,
            (CType::Function(_), CType::Function(_)) => true,
            (a, b) => a == b,
        }
    }
}

/// Whether two integers are handed over in the same way.
fn is_as_wide(a: &CType, b: &CType) -> bool {
    matches!((a, b), (CType::Int(a), CType::Int(b)) if a.width == b.width)
}

/// The type that an argument has where no parameter says another one.
fn default_promoted(ty: &CType) -> CType {
    match ty.decayed() {
        CType::Float(_) => CType::DOUBLE,
        ty => ty.promoted(),
    }
}
