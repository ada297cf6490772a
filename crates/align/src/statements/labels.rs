//! What the nodes of a procedure's tree are called: kinds, operators, constants, and the names that both versions
//! know. Locals and labels of loops are left out; they are matched up to a renaming.

use std::fmt::Write;

use ir::{Catch, CatchKind, Cells, Const, Expr, Pair, ProcId, Program, Slot, StmtKind, Stream, print_const};
use rustc_hash::FxHashMap;

use super::interner::Interner;
use crate::rename::new_class_name;
use crate::signature::type_name;

/// Names the nodes of the procedures of one program, with classes under their new names.
pub(crate) struct Labels<'a> {
    pub(crate) program: &'a Program,
    renamed: &'a [Pair<String>],
    /// Entries of tables that were named before, because a table of constants may be long.
    entries: FxHashMap<Entry, u32>,
    buffer: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Entry {
    Global(u32),
    Region(u32),
    Shape(u32),
    Static(u32),
}

impl<'a> Labels<'a> {
    pub(crate) fn new(program: &'a Program, renamed: &'a [Pair<String>]) -> Labels<'a> {
        Labels { program, renamed, entries: FxHashMap::default(), buffer: String::new() }
    }

    pub(crate) fn ty(&self, interner: &mut Interner, ty: &ir::Type) -> u32 {
        interner.text(&type_name(self.program, ty, self.renamed))
    }

    /// The label of a statement, without what is in it. A call to the procedure itself is one in both versions.
    pub(crate) fn stmt(&mut self, interner: &mut Interner, kind: &StmtKind, this: ProcId) -> u32 {
        let mut text = std::mem::take(&mut self.buffer);
        text.clear();
        text.push_str(kind_of(kind));
        ir::for_each_slot(kind, &mut |slot| match slot {
            Slot::Global(global) => self.put(&mut text, interner, Entry::Global(global.0)),
            Slot::Region(region) => self.put(&mut text, interner, Entry::Region(region.0)),
            Slot::Shape(shape) => self.put(&mut text, interner, Entry::Shape(shape.0)),
            Slot::Callee(callee) if *callee == this => text.push_str(" itself"),
            Slot::Callee(callee) => self.put_name(&mut text, &self.program.procedure(*callee).name),
            Slot::Error(error) => self.put_name(&mut text, self.program.error(*error)),
            // What is evaluated, caught and run has nodes of its own.
            Slot::Expr(_) | Slot::Const(_) | Slot::Catch(_) | Slot::Block(_) => {}
            Slot::Local(_) | Slot::Label(_) | Slot::Length | Slot::Shapes(_) | Slot::Stream(_) => {}
        });
        if let StmtKind::Unsupported { what } = kind {
            text.push(' ');
            text.push_str(what);
        }
        if let StmtKind::Call { local: Some(_), .. } = kind {
            text.push_str(" with result");
        }
        let label = interner.text(&text);
        self.buffer = text;
        label
    }

    /// The label of a handler of a `try`.
    pub(crate) fn catch(&self, catch: &Catch) -> String {
        let mut text = "catch".to_owned();
        match &catch.kind {
            CatchKind::Any => text.push_str(" any"),
            CatchKind::Errors(errors) => {
                let name = |error: &ir::ErrorId| new_class_name(self.program.error(*error), self.renamed);
                let mut names: Vec<String> = errors.iter().map(name).collect();
                names.sort();
                names.dedup();
                text.push(' ');
                text.push_str(&names.join(","));
            }
        }
        text
    }

    /// The label of an expression, without what is in it; not for locals.
    pub(crate) fn expr(&mut self, interner: &mut Interner, expr: &Expr) -> u32 {
        let mut text = std::mem::take(&mut self.buffer);
        text.clear();
        self.put_expr(&mut text, interner, expr);
        let label = interner.text(&text);
        self.buffer = text;
        label
    }

    fn put_expr(&mut self, text: &mut String, interner: &mut Interner, expr: &Expr) {
        let mut put = |parts: std::fmt::Arguments<'_>| {
            text.write_fmt(parts).expect("writing to a string should not fail");
        };
        match expr {
            Expr::Const(value) => self.put_const(text, interner, value),
            Expr::Local(_) => text.push_str("local"),
            Expr::Global(global) => {
                text.push_str("global");
                self.put(text, interner, Entry::Global(global.0));
            }
            Expr::Unary { op, ty, .. } => put(format_args!("{}.{}", op.name(), ty.name())),
            Expr::Binary { op, ty, .. } => put(format_args!("{}.{}", op.name(), ty.name())),
            Expr::Convert { from, to, .. } => put(format_args!("convert.{}.{}", from.name(), to.name())),
            Expr::If { .. } => text.push_str("if"),
            Expr::SameRef { .. } => text.push_str("same_ref"),
            Expr::SameText { .. } => text.push_str("same_text"),
            Expr::SameMap { .. } => text.push_str("same_map"),
            Expr::Load { region, .. } => {
                text.push_str("load");
                self.put(text, interner, Entry::Region(region.0));
            }
            Expr::Length { ty, .. } => put(format_args!("length.{}", ty.name())),
            Expr::HasShape { shapes, .. } => {
                let mut entries: Vec<u32> =
                    shapes.iter().map(|shape| self.entry(interner, Entry::Shape(shape.0))).collect();
                entries.sort_unstable();
                entries.dedup();
                text.push_str("has_shape");
                entries.iter().for_each(|entry| put_number(text, *entry));
            }
            Expr::Record(_) => text.push_str("record"),
            Expr::Get { index, .. } => put(format_args!("get.{index}")),
            Expr::Select { .. } => text.push_str("select"),
            Expr::Update { .. } => text.push_str("update"),
            Expr::Overflows { op, ty, .. } => put(format_args!("overflows.{}.{}", op.name(), ty.name())),
            Expr::Fits { from, to, .. } => put(format_args!("fits.{}.{}", from.name(), to.name())),
            Expr::Intrinsic { function, .. } => put(format_args!("{function:?}")),
        }
    }

    /// A constant with its type. References to static objects go by what these are.
    fn put_const(&mut self, text: &mut String, interner: &mut Interner, value: &Const) {
        match value {
            Const::Static(id) => {
                text.push_str("static");
                self.put(text, interner, Entry::Static(id.0));
            }
            Const::Record(fields) => {
                text.push('(');
                for field in fields {
                    self.put_const(text, interner, field);
                    text.push(',');
                }
                text.push(')');
            }
            Const::Map(key, value) => {
                text.push_str("map ");
                text.push_str(&type_name(self.program, key, self.renamed));
                text.push(' ');
                self.put_const(text, interner, value);
            }
            Const::Bool(_)
            | Const::Int(..)
            | Const::F32(_)
            | Const::F64(_)
            | Const::Text(_)
            | Const::NullText
            | Const::Null => {
                text.push_str(&type_name(self.program, &value.ty(), self.renamed));
                text.push(' ');
                text.push_str(&print_const(self.program, value));
            }
        }
    }

    fn put(&mut self, text: &mut String, interner: &mut Interner, entry: Entry) {
        let number = self.entry(interner, entry);
        put_number(text, number);
    }

    fn put_name(&self, text: &mut String, name: &str) {
        text.push(' ');
        text.push_str(&new_class_name(name, self.renamed));
    }

    /// The number of a table's entry: of its name, and of what the table says about it, because an entry that changed
    /// makes the same words mean something else.
    fn entry(&mut self, interner: &mut Interner, entry: Entry) -> u32 {
        if let Some(known) = self.entries.get(&entry) {
            return *known;
        }
        let text = self.entry_text(interner, entry);
        let number = interner.text(&text);
        self.entries.insert(entry, number);
        number
    }

    fn entry_text(&mut self, interner: &mut Interner, entry: Entry) -> String {
        let program = self.program;
        let name = |name: &str| new_class_name(name, self.renamed);
        match entry {
            Entry::Global(id) => {
                let global = &program.globals[id as usize];
                let ty = type_name(program, &global.ty, self.renamed);
                let mut text = format!("global {}: {ty}", name(&global.name));
                if global.constant {
                    text.push_str(" = ");
                    self.put_const(&mut text, interner, &global.initial);
                }
                text
            }
            Entry::Region(id) => {
                let region = &program.regions[id as usize];
                let index = region.index.map_or("", ir::IntType::name);
                let value = type_name(program, &region.value, self.renamed);
                format!("region {}: {index} -> {value}", name(&region.name))
            }
            Entry::Shape(id) => {
                let shape = &program.shapes[id as usize];
                let (word, regions) = match &shape.cells {
                    Cells::Fields(regions) => ("fields", regions),
                    Cells::Indexed(regions) => ("indexed", regions),
                };
                let mut text = format!("shape {} {word}", name(&shape.name));
                for region in regions {
                    self.put(&mut text, interner, Entry::Region(region.0));
                }
                text
            }
            Entry::Static(id) => {
                let object = &program.statics[id as usize];
                let mut text = format!("static {} {:?}", name(&object.name), object.length);
                self.put(&mut text, interner, Entry::Shape(object.shape.0));
                if object.constant {
                    for cell in &object.cells {
                        // By the names of other objects, which may point back to this one.
                        text.push(' ');
                        text.push_str(&print_const(program, cell));
                    }
                }
                text
            }
        }
    }
}

fn put_number(text: &mut String, number: u32) {
    write!(text, " #{number}").expect("writing to a string should not fail");
}

/// The kind of a statement in a word. Statements of different kinds never go together.
pub(crate) fn kind_of(kind: &StmtKind) -> &'static str {
    match kind {
        StmtKind::Assign { .. } => "assign",
        StmtKind::AssignGlobal { .. } => "assign global",
        StmtKind::Store { .. } => "store",
        StmtKind::New { .. } => "new",
        StmtKind::Free { .. } => "free",
        StmtKind::If { .. } => "if",
        StmtKind::Loop { .. } => "loop",
        StmtKind::Scope { .. } => "scope",
        StmtKind::Break(_) => "break",
        StmtKind::Continue(_) => "continue",
        StmtKind::Return(_) => "return",
        StmtKind::Call { .. } => "call",
        StmtKind::Throw { .. } => "throw",
        StmtKind::Try { .. } => "try",
        StmtKind::Check { .. } => "check",
        StmtKind::Assert { .. } => "assert",
        StmtKind::Assume { .. } => "assume",
        StmtKind::Print { stream: Stream::Output, .. } => "print",
        StmtKind::Print { stream: Stream::Error, .. } => "print_error",
        StmtKind::Unsupported { .. } => "unsupported",
    }
}
