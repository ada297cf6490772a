//! Declarations at file scope, and variables that live as long as the program.
//!
//! A scalar to which no pointer can point is a global of the IR; everything else is a static object. A variable is
//! constant if it is declared `const`, or if it is private to its unit and nothing writes it or keeps its address.
//! All others are inputs, since anything may have happened before the compared function is called.

use ir::{Const, Global, GlobalId, StaticId, StaticObject};
use lang_c::ast;
use lang_c::span::{Node, Span};

use super::bytes::constant_bytes;
use super::declare::Specifiers;
use super::names::Symbol;
use super::{Definition, Function, Lowered, Lowerer};
use crate::parse::{Lost, Unit};
use crate::tokens::tokens;
use crate::types::{CType, FunctionType};

/// More cells than this in one variable are not written out.
pub(crate) const MAX_CELLS: u64 = 1 << 22;

pub(crate) struct Variable {
    /// Unique in the program; `f.counter` for one inside a function.
    pub(crate) name: String,
    pub(crate) ty: CType,
    pub(crate) constant: bool,
    /// Only this unit can name it.
    pub(crate) private: bool,
    /// Whether some unit defines it; otherwise it is only declared.
    pub(crate) defined: bool,
    /// The cells that the initialiser sets; the others are zero.
    pub(crate) initial: Vec<(u64, Const)>,
    /// Where the initialiser stands: its unit and its place there.
    pub(crate) initializer: Option<(usize, Span)>,
    /// Two units declare it, and not with the same type.
    pub(crate) has_two_types: bool,
    pub(crate) storage: Option<Storage>,
}

#[derive(Clone, Copy)]
pub(crate) enum Storage {
    Global(GlobalId),
    Object(StaticId),
}

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
    fn unit_name(&self, name: &str) -> String {
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

    /// Adds a variable that only this unit means by its name.
    fn declare_own_variable(&mut self, name: &str, ty: CType, constant: bool) -> usize {
        let name = self.unit_name(name);
        self.new_variable(Variable {
            name,
            ty,
            constant,
            private: false,
            defined: true,
            initial: Vec::new(),
            initializer: None,
            has_two_types: false,
            storage: None,
        })
    }

    /// Adds a variable, or what another declaration says about a known one.
    fn declare_variable(
        &mut self,
        name: &str,
        ty: CType,
        constant: bool,
        private: bool,
        defined: bool,
    ) -> usize {
        let here = match self.file_scopes[self.unit].names.get(name) {
            Some(Symbol::Variable(index)) => Some(*index),
            _ => None,
        };
        let elsewhere =
            || self.variables.iter().position(|variable| variable.name == name && !variable.private);
        let known = here.or_else(|| if private { None } else { elsewhere() });
        if let Some(index) = known {
            let agrees = self.is_alike(&self.variables[index].ty, &ty);
            let variable = &mut self.variables[index];
            variable.has_two_types |= !agrees;
            // A header may hide from others that its own file writes it.
            variable.constant &= constant;
            if matches!(variable.ty, CType::Array(_, None)) || (defined && !variable.defined) {
                variable.ty = ty;
            }
            variable.defined |= defined;
            variable.private |= private;
            return index;
        }
        let mut unique = name.to_owned();
        if self.variables.iter().any(|variable| variable.name == unique) {
            unique = self.unit_name(name);
        }
        self.new_variable(Variable {
            name: unique,
            ty,
            constant,
            private,
            defined,
            initial: Vec::new(),
            initializer: None,
            has_two_types: false,
            storage: None,
        })
    }

    pub(crate) fn new_variable(&mut self, mut variable: Variable) -> usize {
        let name = variable.name.clone();
        let mut count = 1;
        while self.variables.iter().any(|known| known.name == variable.name) {
            count += 1;
            variable.name = format!("{name}.{count}");
        }
        self.variables.push(variable);
        self.variables.len() - 1
    }

    /// Evaluates an initialiser to constants and completes the type of an array without length.
    pub(crate) fn initialize_static(
        &mut self,
        index: usize,
        node: &'a Node<ast::Initializer>,
    ) -> Lowered<()> {
        let ty = self.variables[index].ty.clone();
        let outer = std::mem::replace(&mut self.constant, true);
        let (statements, initial) = self.block(|this| {
            let (ty, parts) = this.initializer_parts(&ty, node)?;
            let mut cells = Vec::new();
            for part in parts {
                this.constant_cells(&part, &mut cells)?;
            }
            Ok((ty, cells))
        });
        self.constant = outer;
        let (ty, cells) = initial?;
        if !statements.is_empty() {
            return self.gap("an initial value that is not constant", node.span);
        }
        self.variables[index].ty = ty;
        self.variables[index].initial = cells;
        self.variables[index].initializer = Some((self.unit, node.span));
        Ok(())
    }

    fn declare_definition(&mut self, node: &'a Node<ast::FunctionDefinition>) {
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

    fn declare_function(
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
    fn note_external(&mut self, name: &str, declaration: Span) {
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

    /// Where a variable lives; decided when it is first used.
    pub(crate) fn storage(&mut self, index: usize) -> Lowered<Storage> {
        if let Some(storage) = self.variables[index].storage {
            return Ok(storage);
        }
        let variable = &self.variables[index];
        let (name, ty) = (variable.name.clone(), variable.ty.clone());
        if variable.has_two_types {
            return self.gap_here(format!("`{name}`, which files declare with different types"));
        }
        if let CType::Other(what) = ty.innermost() {
            return self.gap_here(format!("the type `{what}`"));
        }
        // Other files may pass the address of a variable that they can name.
        let region = self.region_name(&ty);
        let addressed = self.facts.is_none_or(|facts| {
            facts.addressed.contains(&name) || (!variable.private && facts.reached.contains(&region))
        });
        let storage = if ty.is_scalar() && !addressed {
            let ty = self.value_type(&ty);
            let initial = Const::zero(&ty);
            let private = self.variables[index].private;
            self.program.globals.push(Global { name, ty, initial, constant: false, private, fixed: false });
            Storage::Global(GlobalId::from_index(self.program.globals.len() - 1))
        } else {
            match self.records.cells(&ty) {
                Some(cells) if cells <= MAX_CELLS => {}
                Some(_) => return self.gap_here(format!("`{name}`, which is very large")),
                None => return self.gap_here(format!("`{name}`, whose size is not known")),
            }
            let shape = if self.is_constant_variable(index) {
                self.constant_shape_of(&ty)
            } else {
                self.shape_of(&ty)
            };
            self.program.statics.push(StaticObject {
                name,
                shape,
                length: None,
                cells: Vec::new(),
                constant: false,
                private: self.variables[index].private,
            });
            Storage::Object(StaticId::from_index(self.program.statics.len() - 1))
        };
        self.variables[index].storage = Some(storage);
        Ok(storage)
    }

    /// Whether a variable always holds its initial value.
    pub(crate) fn is_constant_variable(&self, index: usize) -> bool {
        let variable = &self.variables[index];
        let untouched = || {
            self.facts.is_some_and(|facts| {
                !facts.written.contains(&variable.name) && !facts.addressed.contains(&variable.name)
            })
        };
        variable.defined && (variable.constant || (variable.private && untouched()))
    }

    pub(crate) fn finish_variables(&mut self) {
        for index in 0..self.variables.len() {
            let constant = self.is_constant_variable(index);
            let variable = &self.variables[index];
            let Some(storage) = variable.storage else { continue };
            let (ty, initial) = (variable.ty.clone(), variable.initial.clone());
            if !variable.defined {
                self.program.foreign.insert(variable.name.clone());
            }
            match storage {
                Storage::Global(id) => {
                    let global = &mut self.program.globals[id.index()];
                    global.constant = constant;
                    // The cell of an unsigned or boolean variable holds the signed value of its bits.
                    if let Some((_, value)) = initial.last() {
                        global.initial = from_cell(&global.ty, value);
                    }
                }
                Storage::Object(id) => {
                    let regions: Vec<ir::RegionId> = if self.records.bytes {
                        let bytes = self.records.bytes_of(&ty);
                        bytes.iter().map(|byte| self.region_of_byte(byte)).collect()
                    } else {
                        self.cell_types(&ty).iter().map(|ty| self.region(ty)).collect()
                    };
                    let zero = |region| Const::zero(&self.program.region(region).value);
                    let mut cells: Vec<Const> = regions.into_iter().map(zero).collect();
                    for (cell, value) in initial {
                        let values = if self.records.bytes { constant_bytes(&value) } else { vec![value] };
                        for (value, at) in values.into_iter().zip(cell as usize..) {
                            cells[at] = value;
                        }
                    }
                    let object = &mut self.program.statics[id.index()];
                    object.length = Some(cells.len() as i64);
                    object.cells = cells;
                    object.constant = constant;
                }
            }
        }
    }
}

/// The value of a type whose cell in memory holds the constant.
pub(crate) fn from_cell(ty: &ir::Type, cell: &Const) -> Const {
    match (ty, cell) {
        (ir::Type::Bool, Const::Int(_, value)) => Const::Bool(*value != 0),
        (ir::Type::Int(ty), Const::Int(_, value)) => Const::Int(*ty, ty.wrap(*value)),
        _ => cell.clone(),
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

pub(crate) fn has_assembler_name(node: &Node<ast::Declarator>) -> bool {
    node.node.extensions.iter().any(|extension| matches!(extension.node, ast::Extension::AsmLabel(_)))
}

fn old_style_names(node: &Node<ast::Declarator>) -> Option<&[Node<ast::Identifier>]> {
    node.node.derived.iter().find_map(|derived| match &derived.node {
        ast::DerivedDeclarator::KRFunction(names) => Some(names.as_slice()),
        _ => None,
    })
}
