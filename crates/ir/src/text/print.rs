//! Prints programs: the declarations and the entry points.

use std::fmt::{self, Write};

use super::words::{write_name, write_text};
use crate::{
    Cells, Const, Expr, Global, IntType, ProcId, Procedure, Program, Region, Shape, Span, StaticObject, Stmt,
    Target, Type,
};

/// What to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintOptions {
    /// The files and, after each statement and procedure header, where it stands: `@file:line:column-line:column`.
    pub spans: bool,
}

/// A program in its text form, without spans.
pub fn print(program: &Program) -> String {
    print_with(program, PrintOptions { spans: false })
}

/// A program in its text form. With spans, reading it back gives the same program.
pub fn print_with(program: &Program, options: PrintOptions) -> String {
    let mut printer = Printer::new(program, options);
    printer.program();
    printer.out
}

/// One procedure in its text form, without spans.
pub fn print_procedure(program: &Program, id: ProcId) -> String {
    print_procedure_with(program, id, PrintOptions { spans: false })
}

/// One procedure in its text form.
pub fn print_procedure_with(program: &Program, id: ProcId, options: PrintOptions) -> String {
    let mut printer = Printer::new(program, options);
    printer.procedure(program.procedure(id));
    printer.out
}

/// An expression of a procedure.
pub fn print_expr(program: &Program, procedure: &Procedure, expr: &Expr) -> String {
    let mut printer = Printer::new(program, PrintOptions { spans: false });
    printer.current = Some(procedure);
    printer.expr(expr, None);
    printer.out
}

/// A statement of a procedure without the blocks in it: `x = 5`, `if lt.i32(x, 5)`, `loop L0`, `try`.
pub fn print_stmt_head(program: &Program, procedure: &Procedure, stmt: &Stmt) -> String {
    let mut printer = Printer::new(program, PrintOptions { spans: false });
    printer.current = Some(procedure);
    printer.head(&stmt.kind);
    printer.out
}

pub fn print_const(program: &Program, value: &Const) -> String {
    let mut printer = Printer::new(program, PrintOptions { spans: false });
    printer.constant(value, None);
    printer.out
}

pub fn print_type(program: &Program, ty: &Type) -> String {
    let mut printer = Printer::new(program, PrintOptions { spans: false });
    printer.ty(ty);
    printer.out
}

/// The text so far. Ids that are out of range are printed as `?7`, so that invalid programs can be looked at.
pub(super) struct Printer<'a> {
    pub(super) program: &'a Program,
    /// The procedure that locals belong to.
    pub(super) current: Option<&'a Procedure>,
    pub(super) options: PrintOptions,
    pub(super) indent: usize,
    pub(super) out: String,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, options: PrintOptions) -> Printer<'a> {
        Printer { program, current: None, options, indent: 0, out: String::new() }
    }

    fn program(&mut self) {
        let program = self.program;
        self.put("program ");
        self.put(program.language.name());
        if program.carried != Type::Text {
            self.put(" carrying ");
            self.ty(&program.carried);
        }
        self.put("\n");
        if self.options.spans {
            self.group(&program.files, |printer, file| {
                printer.put("file ");
                write_text(&mut printer.out, file.encode_utf16());
            });
        }
        self.group(&program.errors, |printer, error| {
            printer.put("error ");
            printer.name(error);
        });
        self.group(&program.regions, Self::region);
        self.group(&program.shapes, Self::shape);
        self.group(&program.globals, Self::global);
        self.group(&program.statics, Self::static_object);
        for procedure in &program.procedures {
            self.put("\n");
            self.procedure(procedure);
        }
    }

    /// The declarations of one kind, after an empty line.
    fn group<T>(&mut self, items: &'a [T], mut print: impl FnMut(&mut Self, &'a T)) {
        for (position, item) in items.iter().enumerate() {
            if position == 0 {
                self.put("\n");
            }
            print(self, item);
            self.put("\n");
        }
    }

    fn region(&mut self, region: &Region) {
        if region.private {
            self.put("private ");
        }
        self.put("region ");
        self.name(&region.name);
        self.put(": ");
        if let Some(index) = region.index {
            self.put(index.name());
            self.put(" -> ");
        }
        self.ty(&region.value);
    }

    fn shape(&mut self, shape: &Shape) {
        if shape.is_abstract {
            self.put("abstract ");
        }
        if shape.closed {
            self.put("closed ");
        }
        self.put("shape ");
        self.name(&shape.name);
        let (kind, regions) = match &shape.cells {
            Cells::Fields(regions) => (": fields(", regions),
            Cells::Indexed(regions) => (": indexed(", regions),
        };
        self.put(kind);
        self.list(regions, |printer, region| {
            printer.entry(printer.program.regions.get(region.index()).map(|it| &it.name), region.0);
        });
        self.put(")");
        if !shape.ancestors.is_empty() {
            self.put(" < ");
            self.list(&shape.ancestors, |printer, ancestor| {
                printer.entry(printer.program.shapes.get(ancestor.index()).map(|it| &it.name), ancestor.0);
                if let Some((_, cells)) = shape.layout.places.iter().find(|(id, _)| id == ancestor) {
                    printer.put(" at (");
                    printer.list(cells, |printer, cell| printer.put(&cell.to_string()));
                    printer.put(")");
                }
            });
        }
        if !shape.layout.scalars.is_empty() {
            self.put(" of (");
            self.list(&shape.layout.scalars, |printer, (cell, scalar)| {
                printer.put(&format!("{} {cell}", scalar.name()));
            });
            self.put(")");
        }
        if !shape.layout.lonely.is_empty() {
            self.put(" lonely (");
            self.list(&shape.layout.lonely, |printer, cell| printer.put(&cell.to_string()));
            self.put(")");
        }
        if !shape.layout.matched.is_empty() {
            self.put(" matched (");
            self.list(&shape.layout.matched, |printer, text| {
                write_text(&mut printer.out, text.encode_utf16())
            });
            self.put(")");
        }
    }

    fn global(&mut self, global: &Global) {
        if global.private {
            self.put("private ");
        }
        if global.fixed {
            self.put("fixed ");
        }
        if global.constant {
            self.put("const ");
        }
        self.put("global ");
        self.name(&global.name);
        self.put(": ");
        self.ty(&global.ty);
        self.put(" = ");
        self.constant(&global.initial, Some(&global.ty));
    }

    fn static_object(&mut self, object: &StaticObject) {
        if object.private {
            self.put("private ");
        }
        if object.constant {
            self.put("const ");
        }
        self.put("static ");
        self.name(&object.name);
        self.put(": ");
        self.entry(self.program.shapes.get(object.shape.index()).map(|it| &it.name), object.shape.0);
        if let Some(length) = object.length {
            self.args(format_args!("({length})"));
        }
        self.put(" = {");
        // Cells of one value may still have several types, which a literal takes from its place.
        let may_repeat = self.one_type_of_cells(object);
        let mut cell = 0;
        while let Some(value) = object.cells.get(cell) {
            if cell > 0 {
                self.put(", ");
            }
            self.constant(value, self.program.cell_type(object.shape, cell));
            let mut run = 1;
            while may_repeat && object.cells.get(cell + run) == Some(value) {
                run += 1;
            }
            if run > 1 {
                self.args(format_args!(" * {run}"));
            }
            cell += run;
        }
        self.put("}");
    }

    /// Whether all cells of an object lie in one region.
    fn one_type_of_cells(&self, object: &StaticObject) -> bool {
        let shape = self.program.shapes.get(object.shape.index());
        shape.is_some_and(|shape| matches!(&shape.cells, Cells::Indexed(regions) if regions.len() == 1))
    }

    fn procedure(&mut self, procedure: &'a Procedure) {
        self.current = Some(procedure);
        for assumption in &procedure.assumptions {
            self.put("assuming ");
            write_text(&mut self.out, assumption.encode_utf16());
            self.put("\n");
        }
        if procedure.body.is_none() {
            self.put("extern ");
            self.put(if procedure.external.library { "library " } else { "" });
            if procedure.external.access != crate::Access::Writes {
                self.put(super::words::access_word(procedure.external.access));
                self.put(" ");
            }
        }
        self.put("proc ");
        self.name(&procedure.name);
        if procedure.short_name != procedure.name {
            self.put(" as ");
            self.name(&procedure.short_name);
        }
        let (params, locals) = procedure.locals.split_at(procedure.params.min(procedure.locals.len()));
        self.put("(");
        self.list(params, |printer, local| printer.typed(&local.name, &local.ty));
        self.put(")");
        if let Some(result) = &procedure.result {
            self.put(" -> ");
            self.ty(result);
        }
        self.span(procedure.span);
        if let Some(body) = &procedure.body {
            self.put(" {\n");
            for local in locals {
                self.put("  var ");
                self.typed(&local.name, &local.ty);
                self.put("\n");
            }
            self.block(body);
            self.put("}");
        }
        self.put("\n");
        self.current = None;
    }

    fn typed(&mut self, name: &str, ty: &Type) {
        self.name(name);
        self.put(": ");
        self.ty(ty);
    }

    pub(super) fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Bool => self.put("bool"),
            Type::Int(ty) => self.put(ty.name()),
            Type::Float(ty) => self.put(ty.name()),
            Type::Text => self.put("text"),
            Type::Ref(Target::Any) => self.put("ref any"),
            Type::Ref(Target::Shape(shape)) => {
                self.put("ref ");
                self.entry(self.program.shapes.get(shape.index()).map(|it| &it.name), shape.0);
            }
            Type::Record(fields) => {
                self.put("(");
                self.list(fields, Self::ty);
                self.put(")");
            }
            Type::Map(key, value) => {
                self.put("map(");
                self.ty(key);
                self.put(" -> ");
                self.ty(value);
                self.put(")");
            }
        }
    }

    /// ` @file:line:column-line:column`, without the file if it is the first, and without a second line like the
    /// first. Nothing for what stands nowhere.
    pub(super) fn span(&mut self, span: Span) {
        if !self.options.spans || span == Span::NOWHERE {
            return;
        }
        self.put(" @");
        if span.file.0 != 0 {
            self.args(format_args!("{}:", span.file.0));
        }
        self.args(format_args!("{}:{}-", span.line, span.column));
        if span.end_line != span.line {
            self.args(format_args!("{}:", span.end_line));
        }
        self.args(format_args!("{}", span.end_column));
    }

    pub(super) fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(super) fn args(&mut self, args: fmt::Arguments<'_>) {
        self.out.write_fmt(args).expect("writing to a string should not fail");
    }

    pub(super) fn name(&mut self, name: &str) {
        write_name(&mut self.out, name);
    }

    /// The name of a table's entry, or its number where there is no such entry.
    pub(super) fn entry(&mut self, name: Option<&String>, id: u32) {
        match name {
            Some(name) => self.name(name),
            None => self.args(format_args!("?{id}")),
        }
    }

    pub(super) fn list<'b, T>(&mut self, items: &'b [T], mut print: impl FnMut(&mut Self, &'b T)) {
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                self.put(", ");
            }
            print(self, item);
        }
    }

    pub(super) fn int_suffix(&mut self, ty: IntType, default: IntType) {
        if ty != default {
            self.put(":");
            self.put(ty.name());
        }
    }
}
