//! Where local variables end.
//!
//! ```text
//! int *p; { int x = 3; p = &x; } return *p;      // `x` is gone: undefined
//! ```
//!
//! The object of a local variable whose address is kept somewhere that lives longer is freed where its block ends, and
//! where its function returns. Under-approximating: addresses are followed through assignments in the order of the
//! text, and blocks that are left by a jump free nothing.

use std::collections::BTreeSet;

use ir::{Expr, LocalId, StmtKind};

use super::names::Symbol;
use super::place::{Place, PlaceKind};
use super::{Lowered, Lowerer, Value};
use crate::effects;

impl Lowerer<'_> {
    /// Notes where the address of a local goes that is a part of a stored value.
    pub(crate) fn note_kept(&mut self, place: &Place, value: &Value) {
        if !value.ty.is_pointer() {
            return;
        }
        let objects = self.objects_in(&value.expr);
        if objects.is_empty() {
            return;
        }
        let holder = match &place.kind {
            PlaceKind::Local(local) => Some(*local),
            PlaceKind::Memory(memory) => match &memory.object {
                Expr::Local(local) => Some(*local),
                _ => None,
            },
            PlaceKind::Global(_) | PlaceKind::Value(_) => None,
        };
        let depth = holder.and_then(|local| self.block_of(local));
        for object in objects {
            if depth.is_none_or(|depth| self.block_of(object).is_some_and(|own| depth < own)) {
                self.body.outlived.insert(object);
            }
            if let Some(holder) = holder {
                self.body.holders.entry(holder).or_default().insert(object);
            }
        }
    }

    /// The local objects whose address may be in a value: named there, or held by a variable that is.
    fn objects_in(&self, expr: &Expr) -> BTreeSet<LocalId> {
        let mut found = BTreeSet::new();
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            match expr {
                Expr::Local(local) => {
                    found.extend(self.body.holders.get(local).into_iter().flatten().copied());
                    if self.is_object(*local) {
                        found.insert(*local);
                    }
                }
                // What memory holds was stored there before.
                Expr::Load { object, .. } => {
                    if let Expr::Local(local) = &**object {
                        found.extend(self.body.holders.get(local).into_iter().flatten().copied());
                    }
                }
                _ => open.extend(ir::children(expr)),
            }
        }
        found
    }

    fn is_object(&self, local: LocalId) -> bool {
        let mut symbols = self.blocks.iter().flat_map(|scope| scope.names.values());
        symbols.any(|symbol| matches!(symbol, Symbol::Object(object, _) if *object == local))
    }

    /// How deep the block is that declares a local; absent for what no open block declares.
    fn block_of(&self, local: LocalId) -> Option<usize> {
        self.blocks.iter().position(|scope| {
            scope.names.values().any(|symbol| match symbol {
                Symbol::Object(known, _) | Symbol::Local(known, _) => *known == local,
                _ => false,
            })
        })
    }

    /// Ends the variables of the innermost block.
    pub(crate) fn end_block(&mut self) {
        if effects::falls_through(&self.body.out) {
            let block = self.blocks.len().saturating_sub(1);
            if let Err(gap) = self.clean_up_from(block) {
                let gap = self.gap_statement(gap);
                self.body.out.push(gap);
            }
            self.end_objects(block);
        }
    }

    /// Returns a value, after which no variable of the function is there.
    pub(crate) fn end_function(&mut self, value: Option<Value>) -> Lowered<()> {
        let value = match value {
            Some(value) => {
                if value.ty.is_pointer() {
                    let objects = self.objects_in(&value.expr);
                    self.body.outlived.extend(objects);
                }
                let ends = self.blocks.iter().any(|scope| !self.outlived_in(scope).is_empty());
                Some(if ends || self.has_cleanups() { self.save(value.expr, &value.ty) } else { value.expr })
            }
            None => None,
        };
        self.clean_up_from(0)?;
        self.end_objects(0);
        self.emit(StmtKind::Return(value));
        Ok(())
    }

    fn end_objects(&mut self, from: usize) {
        let objects: BTreeSet<LocalId> =
            self.blocks[from..].iter().flat_map(|scope| self.outlived_in(scope)).collect();
        for object in objects {
            self.emit(StmtKind::Free { object: Expr::Local(object) });
        }
    }

    fn outlived_in(&self, scope: &super::names::Scope) -> BTreeSet<LocalId> {
        let symbols = scope.names.values();
        let objects = symbols.filter_map(|symbol| match symbol {
            Symbol::Object(object, _) => Some(*object),
            _ => None,
        });
        objects.filter(|object| self.body.outlived.contains(object)).collect()
    }
}
