//! What the names of a unit stand for, by scope.

use std::collections::HashMap;

use ir::{IntType, LocalId};

use super::Lowerer;
use super::cleanup::Cleanup;
use crate::types::{CType, RecordId};

/// The names that one block, or the file, declares.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) names: HashMap<String, Symbol>,
    pub(crate) tags: HashMap<String, Tag>,
    /// The variables to clean up at the end of the block, in the order of their declarations.
    pub(crate) cleanups: Vec<Cleanup>,
    /// The block is left or entered at other places than its end and its start, as that of a `switch` is.
    pub(crate) is_left_anywhere: bool,
}

#[derive(Clone)]
pub(crate) enum Symbol {
    /// A type, and whether objects of it are `const`.
    Typedef(CType, bool),
    Enumerator(IntType, i128),
    /// A variable that lives as long as the program: its place in the table.
    Variable(usize),
    /// A local that is one value.
    Local(LocalId, CType),
    /// A local that is an object in memory: the variable holds the reference to it.
    Object(LocalId, CType),
    /// The key of a function in the table.
    Function(String),
    /// A declaration that is not modelled.
    Other(String),
}

#[derive(Clone)]
pub(crate) enum Tag {
    Record(RecordId),
    Enum(CType),
}

impl Lowerer<'_> {
    pub(crate) fn lookup(&self, name: &str) -> Option<&Symbol> {
        let blocks = self.blocks.iter().rev();
        blocks.chain([&self.file_scopes[self.unit]]).find_map(|scope| scope.names.get(name))
    }

    pub(crate) fn lookup_tag(&self, name: &str) -> Option<&Tag> {
        let blocks = self.blocks.iter().rev();
        blocks.chain([&self.file_scopes[self.unit]]).find_map(|scope| scope.tags.get(name))
    }

    /// The tag, if this very scope declares it.
    pub(crate) fn tag_of_this_scope(&self, name: &str) -> Option<&Tag> {
        self.blocks.last().unwrap_or(&self.file_scopes[self.unit]).tags.get(name)
    }

    fn scope(&mut self) -> &mut Scope {
        self.blocks.last_mut().unwrap_or(&mut self.file_scopes[self.unit])
    }

    pub(crate) fn bind(&mut self, name: &str, symbol: Symbol) {
        self.scope().names.insert(name.to_owned(), symbol);
    }

    pub(crate) fn bind_tag(&mut self, name: &str, tag: Tag) {
        self.scope().tags.insert(name.to_owned(), tag);
    }

    /// Says of the innermost block that it is left at other places than its end.
    pub(crate) fn leave_anywhere(&mut self) {
        self.scope().is_left_anywhere = true;
    }

    /// Lowers something in a scope of its own.
    pub(crate) fn scoped<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        self.blocks.push(Scope::default());
        let result = lower(self);
        self.blocks.pop();
        result
    }
}
