//! Statements, blocks and locals of the function at hand, and what it assumes.

use ir::{Block, LabelId, LocalId, Span, Stmt, StmtKind, Type};

use super::{Gap, Lowered, Lowerer};
use crate::PlaceMacro;

impl<'a> Lowerer<'a> {
    pub(crate) fn span(&self, span: lang_c::span::Span) -> Span {
        self.units[self.unit].source.span(span)
    }

    /// The construct at a place is not modelled.
    pub(crate) fn gap<T>(&self, what: impl Into<String>, span: lang_c::span::Span) -> Lowered<T> {
        Err(Gap { what: what.into(), span: self.span(span) })
    }

    /// The same, where only the statement's place is known.
    pub(crate) fn gap_here<T>(&self, what: impl Into<String>) -> Lowered<T> {
        Err(Gap { what: what.into(), span: self.here() })
    }

    pub(crate) fn here(&self) -> Span {
        self.body.span.unwrap_or(Span::NOWHERE)
    }

    pub(crate) fn emit(&mut self, kind: StmtKind) {
        let span = self.here();
        self.body.out.push(Stmt { kind, span });
    }

    /// The statements that lowering something gives, apart from those around it.
    pub(crate) fn block<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> (Block, T) {
        let outer = std::mem::take(&mut self.body.out);
        let result = lower(self);
        (std::mem::replace(&mut self.body.out, outer), result)
    }

    pub(crate) fn new_label(&mut self) -> LabelId {
        self.body.labels += 1;
        LabelId(self.body.labels - 1)
    }

    /// A new variable of the front end's own.
    pub(crate) fn temp(&mut self, ty: Type) -> LocalId {
        let name = format!("$t{}", self.body.temps);
        self.body.temps += 1;
        self.new_local(name, ty)
    }

    pub(crate) fn new_local(&mut self, name: String, ty: Type) -> LocalId {
        self.body.locals.push(ir::Local { name, ty });
        LocalId::from_index(self.body.locals.len() - 1)
    }

    /// A local with the name of the source, made unique.
    pub(crate) fn named_local(&mut self, name: &str, ty: Type) -> LocalId {
        let taken = |candidate: &str| self.body.locals.iter().any(|local| local.name == candidate);
        let mut unique = name.to_owned();
        let mut count = 1;
        while taken(&unique) {
            count += 1;
            unique = format!("{name}.{count}");
        }
        self.new_local(unique, ty)
    }

    /// What the code at a place takes for granted of the macros that say where and when it is compiled.
    pub(crate) fn assume_macros(&mut self, unit: usize, span: lang_c::span::Span) {
        let units = self.units;
        for what in units[unit].source.macros_in(span) {
            self.assume(match what {
                PlaceMacro::Line => ir::SAME_LINES,
                PlaceMacro::File => ir::SAME_FILE_NAMES,
                PlaceMacro::Time => ir::SAME_TIME,
                PlaceMacro::Any => ir::SAME_COMPILATION,
            });
        }
    }

    /// Adds an assumption to those of the procedure, once.
    pub(crate) fn assume(&mut self, assumption: impl Into<String>) {
        let assumption = assumption.into();
        if !self.body.assumptions.contains(&assumption) {
            self.body.assumptions.push(assumption);
        }
    }
}
