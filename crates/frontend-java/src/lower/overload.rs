//! Which method a call means (JLS 15.12): candidates by name, the three phases, the most specific one.

use super::Lowering;
use crate::types::{ClassId, MethodId, Ty};

/// The method that a call means, and whether its last arguments go into an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    pub(super) method: MethodId,
    pub(super) spreads: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Widening and subclasses only.
    Strict,
    /// Boxing as well.
    Loose,
    /// Variable numbers of arguments as well.
    Variable,
}

impl Lowering<'_> {
    /// The methods of a name that a class has or inherits, those it overrides left out.
    pub(super) fn methods_named(&self, class: ClassId, name: &str) -> Vec<MethodId> {
        let mut found: Vec<MethodId> = Vec::new();
        let mut classes = vec![class];
        // Texts and boxed numbers are no objects here, so that they do not have the methods of `Object`.
        if !self.table.is_value_class(class) {
            classes.extend(self.table.ancestors(class));
            if !classes.contains(&self.table.object) {
                classes.push(self.table.object);
            }
        }
        for id in classes {
            for method in &self.table.class(id).methods {
                let info = self.table.method(*method);
                let overridden = found.iter().any(|other| self.table.method(*other).params == info.params);
                let is_member = id == class || self.table.inherits_method(*method, class);
                if info.name == name && is_member && !overridden {
                    found.push(*method);
                }
            }
        }
        found
    }

    /// Chooses among candidates by the types of the arguments; `None` if none or several fit.
    /// Where classes are involved that are not given, only one that is sure is chosen.
    pub(super) fn choose(&self, candidates: &[MethodId], args: &[Ty]) -> Option<Choice> {
        let phases = [Phase::Strict, Phase::Loose, Phase::Variable];
        let is_possible = |id: &MethodId| phases.iter().any(|phase| self.is_applicable(*id, args, *phase));
        let possible: Vec<MethodId> = candidates.iter().copied().filter(is_possible).collect();
        if possible.len() > 1 && self.is_unsure(&possible, args) {
            // What takes just these types is more specific than all else that takes them.
            let mut exact = possible.into_iter().filter(|id| self.table.method(*id).params == args);
            return match (exact.next(), exact.next()) {
                (Some(method), None) => Some(Choice { method, spreads: false }),
                _ => None,
            };
        }
        for phase in [Phase::Strict, Phase::Loose, Phase::Variable] {
            let fitting: Vec<MethodId> =
                candidates.iter().copied().filter(|id| self.is_applicable(*id, args, phase)).collect();
            if fitting.is_empty() {
                continue;
            }
            let spreads = phase == Phase::Variable;
            let count = args.len();
            let best: Vec<MethodId> = fitting
                .iter()
                .copied()
                .filter(|id| fitting.iter().all(|other| self.is_more_specific(*id, *other, spreads, count)))
                .collect();
            // Several with the same parameters: an abstract method that is inherited in two ways.
            let concrete = best.iter().copied().find(|id| !self.table.method(*id).is_abstract);
            let method = concrete.or(best.first().copied())?;
            return Some(Choice { method, spreads });
        }
        None
    }

    /// Whether what fits depends on what classes that are not given inherit.
    fn is_unsure(&self, candidates: &[MethodId], args: &[Ty]) -> bool {
        let params = |id: &MethodId| self.table.method(*id).params.clone();
        let is_object = |ty: &Ty| *ty == Ty::Class(self.table.object);
        let is_unsure = |arg: &Ty, param: &Ty| match (arg, param) {
            (arg, param) if arg == param || (is_object(param) && *arg != Ty::of_result()) => false,
            (arg, param) => arg.is_foreign() || param.is_foreign(),
        };
        let has_array = |ty: &Ty| matches!(ty, Ty::Array(element) if element.is_foreign());
        candidates.iter().any(|id| {
            let params = params(id);
            params.iter().any(has_array) || args.iter().zip(&params).any(|(arg, param)| is_unsure(arg, param))
        })
    }

    fn is_applicable(&self, id: MethodId, args: &[Ty], phase: Phase) -> bool {
        let method = self.table.method(id);
        if phase == Phase::Variable {
            return method.varargs
                && args.len() + 1 >= method.params.len()
                && (0..args.len()).all(|index| {
                    self.variable_param(id, index)
                        .is_some_and(|param| self.fits(&args[index], &param, Phase::Loose))
                });
        }
        method.params.len() == args.len()
            && method.params.iter().zip(args).all(|(param, arg)| self.fits(arg, param, phase))
    }

    /// The type of a parameter when the last one is repeated.
    fn variable_param(&self, id: MethodId, index: usize) -> Option<Ty> {
        let params = &self.table.method(id).params;
        if index + 1 < params.len() {
            return params.get(index).cloned();
        }
        match params.last() {
            Some(Ty::Array(element)) => Some((**element).clone()),
            other => other.cloned(),
        }
    }

    fn is_more_specific(&self, id: MethodId, other: MethodId, spreads: bool, count: usize) -> bool {
        (0..count).all(|index| {
            let of = |id| match spreads {
                true => self.variable_param(id, index),
                false => self.table.method(id).params.get(index).cloned(),
            };
            matches!((of(id), of(other)), (Some(a), Some(b)) if self.fits(&a, &b, Phase::Strict))
        })
    }

    /// Whether an argument may be passed for a parameter.
    fn fits(&self, arg: &Ty, param: &Ty, phase: Phase) -> bool {
        let loose = phase != Phase::Strict;
        let is_object = |ty: &Ty| *ty == Ty::Class(self.table.object);
        match (arg, param) {
            (Ty::Unknown(_), _) => true,
            (Ty::Foreign(from), Ty::Foreign(to)) if from == to => true,
            (Ty::Foreign(_), Ty::Class(_) | Ty::Array(_) | Ty::Foreign(_)) => true,
            (Ty::Foreign(from), _) => from == "?",
            (Ty::Primitive(_), Ty::Foreign(_)) => loose,
            (arg, Ty::Foreign(_)) => arg.is_reference(),
            (arg, Ty::Unknown(_)) => arg.is_reference() || loose,
            (Ty::Primitive(from), Ty::Primitive(to)) => from.widens_to(*to),
            (Ty::Primitive(from), Ty::Boxed(to)) => loose && from == to,
            (Ty::Boxed(from), Ty::Primitive(to)) => loose && from.widens_to(*to),
            (Ty::Boxed(from), Ty::Boxed(to)) => from == to,
            (Ty::Primitive(_), param) => loose && is_object(param),
            (Ty::Null, param) => param.is_reference(),
            (Ty::Text, Ty::Text) => true,
            (Ty::Class(from), Ty::Class(to)) => self.table.is_subclass(*from, *to),
            (Ty::Array(from), Ty::Array(to)) => {
                from == to || (from.is_reference() && to.is_reference() && self.fits(from, to, Phase::Strict))
            }
            (Ty::Text | Ty::Boxed(_) | Ty::Array(_), param) => is_object(param),
            (Ty::Class(_) | Ty::Void, _) => false,
        }
    }
}
