//! `__attribute__((cleanup(f)))`: `f(&x)` is called where the scope of `x` ends, for the last variable first.
//!
//! ```text
//! { CLEAN int x = 1; if (c) return x; g(); }     =>  … if c { t = x; f(&x); return t }; g(); f(&x)
//! ```
//!
//! Exact for blocks that are left at their end, by `return`, `break`, `continue` or `goto`. A declaration that a jump may
//! leave out, one in a `for` and one in a statement expression are gaps. As in gcc, `exit` and `longjmp` clean nothing up.

use ir::{Expr, LocalId};
use lang_c::ast;
use lang_c::span::{Node, Span};

use super::file_scope::declared_name;
use super::goto::Jump;
use super::names::Symbol;
use super::{Lowered, Lowerer, Value};
use crate::attributes::Kind;
use crate::build;
use crate::types::CType;

/// What is to be called when the scope of a variable ends.
#[derive(Clone)]
pub(crate) struct Cleanup {
    /// The key of the function, and its name in the text.
    key: String,
    name: String,
    object: LocalId,
    ty: CType,
    declared: Span,
}

/// The blocks and variables that are still there after a jump.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    blocks: usize,
    /// How many variables of the innermost of them are to be cleaned up.
    cleanups: usize,
}

impl<'a> Lowerer<'a> {
    /// The function that the attributes of a declaration name, which declares one variable then.
    pub(crate) fn declared_cleanup(
        &mut self,
        node: &'a Node<ast::Declaration>,
    ) -> Lowered<Option<(String, &'a str)>> {
        let attributes = self.own_attributes(node.span).filter(|attribute| attribute.kind() == Kind::Cleanup);
        let names: Vec<String> = attributes.map(|attribute| attribute.args.trim().to_owned()).collect();
        let [name] = names.as_slice() else {
            return if names.is_empty() {
                Ok(None)
            } else {
                self.gap("several `cleanup` attributes", node.span)
            };
        };
        let [declarator] = node.node.declarators.as_slice() else {
            return self.gap("`cleanup` of several variables", node.span);
        };
        let is_left_out = self
            .body
            .labelled
            .iter()
            .any(|(_, jump, kept)| kept.blocks == self.blocks.len() && !matches!(jump, Jump::Again(_)));
        if is_left_out || self.blocks.last().is_none_or(|scope| scope.is_left_anywhere) {
            return self.gap("`cleanup` of a variable whose declaration may be left out", node.span);
        }
        let Some(Symbol::Function(key)) = self.lookup(name) else {
            return self.gap("`cleanup` by something that is no function", node.span);
        };
        let key = self.defined_key(key).unwrap_or_else(|| key.clone());
        if self.weak.contains(name) || self.no_return.contains(name) {
            return self.gap(format!("`cleanup` by `{name}`"), node.span);
        }
        let variable = declared_name(&declarator.node.declarator);
        // The function gets the address.
        self.body.addressed.extend(variable.map(str::to_owned));
        Ok(variable.map(|variable| (key, variable)))
    }

    /// Notes what the innermost block has to do at its end.
    pub(crate) fn note_cleanup(&mut self, key: String, variable: &str, declared: Span) -> Lowered<()> {
        let Some(Symbol::Object(object, ty)) = self.lookup(variable).cloned() else {
            return self.gap("`cleanup` of something that is no local variable", declared);
        };
        let name = key.rsplit([':', ' ']).next().unwrap_or(&key).to_owned();
        let cleanup = Cleanup { key, name, object, ty, declared };
        if let Some(scope) = self.blocks.last_mut() {
            scope.cleanups.push(cleanup);
        }
        Ok(())
    }

    /// What is still there after a jump to where the code that is being lowered stands.
    pub(crate) fn kept(&self) -> Kept {
        let cleanups = self.blocks.last().map_or(0, |scope| scope.cleanups.len());
        Kept { blocks: self.blocks.len(), cleanups }
    }

    pub(crate) fn has_cleanups(&self) -> bool {
        self.blocks.iter().any(|scope| !scope.cleanups.is_empty())
    }

    /// Cleans up what a jump leaves behind.
    pub(crate) fn clean_up_to(&mut self, kept: Kept) -> Lowered<()> {
        let within = kept.blocks.checked_sub(1).and_then(|index| self.blocks.get(index));
        let mut left: Vec<Cleanup> = within
            .map_or_else(Vec::new, |scope| scope.cleanups.iter().skip(kept.cleanups).cloned().collect());
        left.extend(self.blocks[kept.blocks..].iter().flat_map(|scope| scope.cleanups.iter().cloned()));
        left.iter().rev().try_for_each(|cleanup| self.clean_up(cleanup))
    }

    /// Cleans up the variables of the blocks from one on.
    pub(crate) fn clean_up_from(&mut self, block: usize) -> Lowered<()> {
        let of_outer = block.checked_sub(1).map_or(0, |outer| self.blocks[outer].cleanups.len());
        self.clean_up_to(Kept { blocks: block, cleanups: of_outer })
    }

    fn clean_up(&mut self, cleanup: &Cleanup) -> Lowered<()> {
        let expr = build::pointer(Expr::Local(cleanup.object), build::i64(0));
        let mut pointer = Value { expr, ty: CType::pointer_to(cleanup.ty.clone()) };
        let function = self.functions.get(&cleanup.key).map(|function| function.ty.clone());
        if let Some(param) = function.as_ref().and_then(|ty| ty.params.first()) {
            pointer = self.convert(pointer, param)?;
        }
        self.call_function(&cleanup.key, &cleanup.name, vec![pointer], false, cleanup.declared).map(|_| ())
    }
}
