//! Pointers, arrays, structs, strings and calls in C expressions.

use super::C;
use super::types::{Prim, Ty};
use crate::generator::{Callable, Generator};

impl Generator<C> {
    /// An element of an array, read.
    pub(super) fn element(&mut self, depth: usize) -> Option<(String, Prim)> {
        let (name, ty) = self.pick_variable(|ty| matches!(ty, Ty::Array(..) | Ty::Pointer(..)))?;
        self.element_of(&name, ty, depth)
    }

    /// An element of an array: `a[i]`, `*(a + i)`, `*a`, `i[a]`; hardly ever out of bounds.
    pub(super) fn element_of(&mut self, name: &str, ty: Ty, depth: usize) -> Option<(String, Prim)> {
        let (Ty::Array(prim, length) | Ty::Pointer(prim, length)) = ty else { return None };
        let index = match self.choices.below(20) {
            0 => self.int(depth),
            1..8 if length == 4 => format!("({} & 3)", self.int(depth)),
            8..10 if length == 4 => format!("({}u % 4)", self.choices.below(9)),
            _ => self.choices.below(length).to_string(),
        };
        let text = match self.choices.below(8) {
            0 => format!("(*({name} + {index}))"),
            1 => format!("(*{name})"),
            2 => format!("({index})[{name}]"),
            _ => format!("{name}[{index}]"),
        };
        Some((text, prim))
    }

    /// A member of a struct, read.
    pub(super) fn member(&mut self) -> (String, Prim) {
        match self.pick_variable(|ty| matches!(ty, Ty::Struct | Ty::StructPointer)) {
            Some((name, ty)) => self.member_of(&name, ty),
            None => self.number(0),
        }
    }

    pub(super) fn member_of(&mut self, name: &str, ty: Ty) -> (String, Prim) {
        let (member, prim) = self.choices.pick(&[
            ("a", Prim::Int),
            ("b", Prim::UnsignedChar),
            ("c[0]", Prim::Long),
            ("c[1]", Prim::Long),
            ("d", Prim::Double),
            ("in.e", Prim::Short),
            ("in.f", Prim::Unsigned),
        ]);
        let dot = if ty == Ty::StructPointer { "->" } else { "." };
        (format!("{name}{dot}{member}"), prim)
    }

    /// A question about pointers, without effects.
    pub(super) fn pointer_test(&mut self) -> String {
        let wanted = |ty: &Ty| matches!(ty, Ty::Array(..) | Ty::Pointer(..) | Ty::Buffer | Ty::StructPointer);
        let Some((name, ty)) = self.pick_variable(wanted) else { return "(1 < 2)".to_owned() };
        match (self.choices.below(4), ty) {
            (0, _) => format!("({name} == 0)"),
            (1, _) => format!("(!{name})"),
            (2, Ty::Array(..) | Ty::Pointer(..)) => format!("({name} < {name} + 1)"),
            _ => format!("({name} != 0)"),
        }
    }

    /// The distance between two elements of one array.
    pub(super) fn pointer_difference(&mut self, depth: usize) -> (String, Prim) {
        let Some((name, Ty::Array(_, length))) = self.pick_variable(|ty| matches!(ty, Ty::Array(..))) else {
            return self.number(depth - 1);
        };
        let (from, to) = (self.choices.below(length + 1), self.choices.below(length));
        (format!("(&{name}[{to}] - ({name} + {from}))"), Prim::Long)
    }

    /// A string that is not written to.
    pub(super) fn string(&mut self) -> String {
        match self.pick_variable(|ty| *ty == Ty::Buffer) {
            Some((name, _)) if self.choices.percent(70) => name,
            _ => self
                .choices
                .pick(&["\"\"", "\"a\"", "\"ab\"", "\"abc\"", "\"x\\ty\"", "\"12\" \"3\""])
                .to_owned(),
        }
    }

    /// A call, its arguments made to fit; none when there is nothing in scope to pass.
    pub(super) fn call(&mut self, function: &Callable<C>, depth: usize) -> Option<String> {
        let is_recursive = function.name.contains("rec");
        let mut args = Vec::new();
        for (index, ty) in function.params.iter().enumerate() {
            args.push(match ty {
                Ty::Prim(_) if is_recursive && index == 0 => format!("{} & 3", self.int(depth.min(2))),
                Ty::Prim(prim) => self.value(*prim, depth.min(2)),
                Ty::Array(prim, length) => {
                    let wanted = |other: &Ty| *other == Ty::Array(*prim, *length);
                    // Functions that are not pure write to what they get.
                    let found =
                        if function.pure { self.pick_variable(wanted) } else { self.pick_assignable(wanted) };
                    found?.0
                }
                Ty::Struct => self.pick_variable(|ty| *ty == Ty::Struct)?.0,
                Ty::StructPointer => {
                    let wanted = |ty: &Ty| *ty == Ty::Struct;
                    let found =
                        if function.pure { self.pick_variable(wanted) } else { self.pick_assignable(wanted) };
                    format!("&{}", found?.0)
                }
                Ty::Pointer(..) | Ty::Buffer => return None,
            });
        }
        Some(format!("{}({})", function.name, args.join(", ")))
    }

    /// One effect: an assignment, a step, a call. It is the only one in its part of an expression.
    pub(super) fn effect(&mut self, depth: usize) -> Option<String> {
        if self.choices.percent(15) {
            let candidates: Vec<Callable<C>> = self.callables.clone();
            if !candidates.is_empty() && !self.state.pure {
                let function = self.choices.pick(&candidates);
                if let Some(call) = self.call(&function, depth) {
                    return function.result.is_some().then_some(call);
                }
            }
        }
        let (place, prim) = self.place(depth)?;
        Some(match self.choices.below(7) {
            0 => format!("{place}++"),
            1 => format!("--{place}"),
            2 => format!("{place}--"),
            3 if !prim.is_float() => {
                let op = self.choices.pick(&["&=", "|=", "^="]);
                format!("{place} {op} {}", self.integral(depth).0)
            }
            4 if !prim.is_float() => {
                let op = self.choices.pick(&["<<=", ">>="]);
                format!("{place} {op} ({} & {})", self.integral(depth).0, prim.width() - 1)
            }
            5 => {
                let op = self.choices.pick(&["+=", "-=", "*="]);
                format!("{place} {op} {}", self.value(prim, depth))
            }
            _ => format!("{place} = {}", self.value(prim, depth)),
        })
    }

    /// A place that can be written to, and its type.
    fn place(&mut self, depth: usize) -> Option<(String, Prim)> {
        let form = self.choices.below(10);
        if form < 2 {
            let found = self.pick_assignable(|ty| matches!(ty, Ty::Array(..) | Ty::Pointer(..)));
            if let Some((name, ty)) = found {
                return self.element_of(&name, ty, depth.min(1));
            }
        } else if form == 2 {
            let found = self.pick_assignable(|ty| matches!(ty, Ty::Struct | Ty::StructPointer));
            if let Some((name, ty)) = found {
                return Some(self.member_of(&name, ty));
            }
        }
        match self.pick_assignable(|ty| matches!(ty, Ty::Prim(_)))? {
            (name, Ty::Prim(prim)) => Some((name, prim)),
            _ => None,
        }
    }

    /// An expression with effects that the language orders, zero or not.
    pub(super) fn sequenced(&mut self, depth: usize) -> String {
        let part = |generator: &mut Generator<C>| match generator.choices.below(3) {
            0 => generator.condition(1),
            _ => generator.effect(1).map_or_else(|| generator.condition(1), |effect| format!("({effect})")),
        };
        let (a, b) = (part(self), part(self));
        match self.choices.below(6) {
            0 => format!("({a} && {b})"),
            1 => format!("({a} || {b})"),
            2 => format!("({a} ? {b} : {})", part(self)),
            3 => format!("({a}, {b})"),
            4 if depth > 0 => format!("({a} && {})", self.sequenced(depth - 1)),
            _ => a,
        }
    }
}
