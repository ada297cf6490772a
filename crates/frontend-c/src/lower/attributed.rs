//! What attributes mean for the declarations that have them. Those that are not modelled are gaps.

use ir::IntType;
use lang_c::span::Span;

use super::{Lowered, Lowerer};
use crate::attributes::{Attribute, Kind};
use crate::types::CType;

/// Attributes that change the meaning of a program, also in the system's headers. Others of these headers, which
/// were written for the compiler, are taken to be harmless.
const KNOWN_TO_CHANGE: [&str; 11] = [
    "alias",
    "ifunc",
    "weakref",
    "vector_size",
    "transparent_union",
    "scalar_storage_order",
    "ms_struct",
    "returns_twice",
    "noinit",
    "copy",
    "mode",
];

impl Lowerer<'_> {
    /// Refuses a declaration or type name with an attribute that is not modelled where it stands.
    pub(crate) fn check_attributes(&mut self, span: Span, typedef: bool) -> Lowered<()> {
        let units = self.units;
        let source = &units[self.unit].source;
        let start = source.attributes.start_of(span.start);
        for attribute in source.attributes.within(start, span.end) {
            let own = attribute.record.is_none() && attribute.inside.is_none_or(|inside| inside <= start);
            let fine = match attribute.kind() {
                Kind::Harmless | Kind::StartUp | Kind::NoReturn | Kind::Weak => true,
                // The alignment of a variable is not observed; that of a type is.
                Kind::Layout => !(typedef && own && attribute.alignment().is_some()),
                Kind::Mode => own && attribute.mode().is_some(),
                Kind::Cleanup => own && !typedef && !self.blocks.is_empty(),
                Kind::Refused => {
                    source.is_system(attribute.offset) && !KNOWN_TO_CHANGE.contains(&attribute.name.as_str())
                }
            };
            if !fine {
                // The name in `alias("x")` is another one for what is declared.
                self.unlowered_words(&attribute.args);
                let place = Span::span(attribute.offset, attribute.offset + attribute.name.len());
                return self.gap(format!("the attribute `{}`", attribute.name), place);
            }
        }
        Ok(())
    }

    /// The attributes of a declaration itself.
    pub(super) fn own_attributes(&self, span: Span) -> impl Iterator<Item = &Attribute> {
        self.units[self.unit].source.attributes.of_declaration(span.start, span.end)
    }

    /// The type that `mode` makes of the declared one.
    pub(crate) fn type_in_mode(&self, ty: CType, span: Span) -> CType {
        let mode = self.own_attributes(span).find(|attribute| attribute.kind() == Kind::Mode);
        match (mode.map(Attribute::mode), &ty) {
            (None, _) => ty,
            (Some(Some(width)), CType::Int(int)) => CType::Int(IntType { width, signed: int.signed }),
            (Some(_), _) => self.other_type("mode"),
        }
    }

    /// Notes what the attributes of a function's declaration say about calls of it.
    pub(crate) fn note_function(&mut self, name: &str, span: Span, no_return: bool) {
        let kinds: Vec<Kind> = self.own_attributes(span).map(Attribute::kind).collect();
        if no_return || kinds.contains(&Kind::NoReturn) {
            self.no_return.insert(name.to_owned());
        }
        let lists = self.own_attributes(span).filter(|attribute| attribute.name == "nonnull");
        let numbers: Vec<usize> = lists
            .flat_map(|attribute| match attribute.args.trim() {
                "" => vec![0],
                list => list.split(',').filter_map(|number| number.trim().parse().ok()).collect(),
            })
            .collect();
        if !numbers.is_empty() {
            self.non_null.entry(name.to_owned()).or_default().extend(numbers);
        }
        let by_pragma = self.units[self.unit].source.attributes.weak.iter().any(|weak| weak == name);
        if by_pragma || kinds.contains(&Kind::Weak) {
            self.weak.insert(name.to_owned());
        }
        let start_ups = self.own_attributes(span).filter(|attribute| attribute.kind() == Kind::StartUp);
        let start_ups: Vec<String> =
            start_ups.map(|attribute| attribute.name.trim_matches('_').to_owned()).collect();
        self.start_ups.extend(start_ups.into_iter().map(|when| (when, name.to_owned())));
    }

    pub(crate) fn is_weak_declaration(&self, span: Span) -> bool {
        self.own_attributes(span).any(|attribute| attribute.kind() == Kind::Weak)
    }
}
