//! Variables that live as long as the program.
//!
//! A scalar to which no pointer can point is a global of the IR; everything else is a static object. A variable is
//! constant if it is declared `const`, or if it is private to its unit and nothing writes it or keeps its address.
//! All others are inputs, since anything may have happened before the compared function is called.

use ir::{Const, Global, GlobalId, StaticId, StaticObject};
use lang_c::ast;
use lang_c::span::{Node, Span};

use super::bytes::constant_bytes;
use super::facts::Offered;
use super::names::Symbol;
use super::{Lowered, Lowerer};
use crate::types::CType;

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
    /// Adds a variable that only this unit means by its name.
    pub(super) fn declare_own_variable(&mut self, name: &str, ty: CType, constant: bool) -> usize {
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
    pub(super) fn declare_variable(
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
        let is_end = name.starts_with("__start_") || name.starts_with("__stop_");
        if is_end && !variable.defined {
            return self.gap_here(format!("`{name}`, the end of a section"));
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
        // Nobody here reads it, and others see what it holds.
        let is_changed = || self.facts.is_some_and(|facts| facts.changed.contains(&variable.name));
        variable.defined && (variable.constant && !is_changed() || (variable.private && untouched()))
    }

    /// Notes what the variables hold at the start that files which are not there can name.
    pub(crate) fn note_offered(&mut self) {
        let offered = self.variables.iter().filter(|it| it.defined && !it.private && !it.name.contains('.'));
        let offered = offered.map(|variable| {
            let cells = variable.initial.iter().map(|(cell, value)| (*cell, self.in_words(value, 0)));
            let cells: std::collections::BTreeMap<u64, String> = cells.collect();
            let size = self.records.cells(&variable.ty);
            let value = format!("{} {size:?} {cells:?}", self.element_name(&variable.ty));
            let used = variable.storage.is_some();
            (variable.name.clone(), Offered { value, constant: variable.constant, used })
        });
        self.found.offered = offered.collect();
    }

    /// A constant in words; texts and constant objects by what is in them.
    fn in_words(&self, value: &Const, depth: usize) -> String {
        match value {
            Const::Static(id) => {
                let object = self.program.static_object(*id);
                // Functions have no cells.
                if !object.constant || object.cells.is_empty() || depth > 3 {
                    return object.name.clone();
                }
                object.cells.iter().map(|cell| self.in_words(cell, depth + 1)).collect::<Vec<_>>().join(",")
            }
            Const::Record(parts) => {
                parts.iter().map(|part| self.in_words(part, depth)).collect::<Vec<_>>().join(":")
            }
            value => format!("{value:?}"),
        }
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
