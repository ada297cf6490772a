//! Memory that others look at and change: each access is a call of unknown code, in its place among the others.
//!
//! ```text
//! x = *p;      x = volatile read(p, what the memory holds)
//! *p = x;      volatile write(p, x), and the memory holds x
//! ```
//!
//! Over-approximating: a read may give any value, whatever was written; it is the same function of its place, of what
//! the program left there and of all that happened before in both versions. Accesses are observed in their order.

use ir::{Access, External};

use super::place::{Place, PlaceKind};
use super::{Lowered, Lowerer, Value};
use crate::build;
use crate::types::CType;

/// What is known of the outside world: it sees the access and answers, and leaves other memory alone.
const OUTSIDE: External = External { access: Access::World, library: false };

impl Lowerer<'_> {
    pub(crate) fn volatile_load(&mut self, place: &Place, ty: &CType) -> Lowered<Value> {
        let (pointer, plain) = self.volatile_place(place, ty)?;
        let held = self.load(plain)?;
        let args = [pointer, held];
        let callee = self.unknown_procedure("volatile read", OUTSIDE, ty, &args);
        Ok(self.emit_call(callee, args.map(|arg| arg.expr).to_vec(), ty.clone(), true))
    }

    pub(crate) fn volatile_store(&mut self, place: &Place, ty: &CType, value: Value) -> Lowered<()> {
        let (pointer, plain) = self.volatile_place(place, ty)?;
        let value = self.once(typed(value, ty));
        if let PlaceKind::Memory(memory) = &plain.kind {
            self.check_access(memory, ty, None, true)?;
        }
        let args = [pointer, value.clone()];
        let callee = self.unknown_procedure("volatile write", OUTSIDE, &CType::Void, &args);
        self.emit_call(callee, args.map(|arg| arg.expr).to_vec(), CType::Void, false);
        self.store(&plain, value)
    }

    /// The address of a volatile place, and the place as ordinary memory.
    fn volatile_place(&mut self, place: &Place, ty: &CType) -> Lowered<(Value, Place)> {
        let PlaceKind::Memory(memory) = &place.kind else {
            return self.gap_here("a volatile value that is no object");
        };
        match ty {
            CType::Record(_) => return self.gap_here("a volatile struct as a value"),
            _ if place.bits.is_some() => return self.gap_here("a volatile bit-field"),
            _ => {}
        }
        let expr = build::pointer(memory.object.clone(), memory.offset.clone());
        let pointer = Value { expr, ty: CType::pointer_to(ty.clone()) };
        Ok((pointer, Place { ty: ty.clone(), ..place.clone() }))
    }

    /// A struct as a value would be an access to each of its volatile members.
    pub(crate) fn refuse_volatile_parts(&self, ty: &CType) -> Lowered<()> {
        match ty {
            CType::Record(_) if self.records.has_volatile(ty) => {
                self.gap_here("a struct with volatile members as a value")
            }
            _ => Ok(()),
        }
    }
}

/// The value, of the type that the place holds.
fn typed(value: Value, ty: &CType) -> Value {
    Value { expr: value.expr, ty: ty.clone() }
}
