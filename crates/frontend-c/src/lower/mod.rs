//! Lowers parsed translation units into one program.
//!
//! The lowering runs twice. The first run only gathers facts about both versions of the program that the second needs:
//! which variables have their address taken or are written, which shapes there are, and through which pointers
//! one may reach the middle of a struct. Both runs walk the same tree, so that the facts fit.
//!
//! **Memory.** A pointer is an object and a cell offset. Every access checks that the object is not null and that
//! the offset lies in it. Regions are by scalar type, and the cell at an offset belongs to just one region, so a
//! `T *` must only meet cells of T's region. C's typing guarantees it, except where
//! - a pointer is cast, or passes through `void *`: the cast itself checks the object's shape (`pointers.rs`);
//! - a pointer to a member of a struct with different kinds of cells is moved beyond the member: programs that
//!   take such an address get a check of the cell's region at each access through pointers of that kind
//!   (`access.rs`); the others need none, because then all pointers of that kind point into objects
//!   all of whose cells are in that region;
//! - a union holds different kinds of members: a hidden cell says which one was written last (`records.rs`).

mod access;
mod assign;
mod assigned;
mod attributed;
mod builtins;
mod bytes;
mod call;
mod cleanup;
mod condition;
mod convert;
mod copies;
mod declare;
mod expr;
mod function;
mod goto;
mod initialize;
mod lifetime;
mod linkage;
mod local;
mod mathematics;
mod memory;
mod names;
mod operators;
mod outside;
mod place;
mod pointers;
mod printf;
mod records;
mod sequence;
mod start_up;
mod stmt;
mod switch;
mod tables;
mod typing;
mod unlowered;
mod variables;
mod variants;
mod volatile;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use ir::{
    Block, Diagnostic, Expr, FloatType, IntType, LabelId, Language, LocalId, Pair, ProcId, Program, Side,
    Span, Stmt, StmtKind, Type,
};
use lang_c::ast;
use lang_c::span::Node;

use crate::changed::{Changes, Description};
use crate::parse::{Unit, parse};
use crate::tokens::tokens;
use crate::types::{CType, FunctionType, RecordId, Records};
use crate::views::{Handling, View, Views};
use crate::{MemoryModel, Options, PlaceMacro, Preprocessed};
use names::Scope;
use variables::Variable;

/// What a construct that is not modelled is, and where it stands.
pub(crate) struct Gap {
    pub(crate) what: String,
    pub(crate) span: Span,
}

pub(crate) type Lowered<T> = Result<T, Gap>;

/// The value of an expression: what the IR computes, and its type in C.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) expr: Expr,
    pub(crate) ty: CType,
}

/// What the first run finds out for the second.
#[derive(Default)]
pub(crate) struct Facts {
    /// Variables at file scope whose address may be kept somewhere.
    addressed: BTreeSet<String>,
    /// Variables at file scope that something assigns.
    written: BTreeSet<String>,
    /// Element names of the pointers that may point into structs with cells of other kinds.
    inside: BTreeSet<String>,
    /// Element names of the pointers that become `void *` somewhere.
    erased: BTreeSet<String>,
    /// All shapes: their names and, for each cell of an element, the name of its region.
    shapes: BTreeMap<String, Vec<String>>,
    /// Functions whose address is taken, in the order of their names.
    functions: BTreeSet<String>,
    /// Functions of the user that are not `static`: other code can name them.
    visible: BTreeSet<String>,
    /// All functions that are declared.
    known: BTreeSet<String>,
    /// The functions that a pointer of the inputs may lead to: those that both versions have and that other code
    /// can name, or whose address either version takes.
    inputs: BTreeSet<String>,
    /// The shapes of the other versions: pointers of the inputs may lead to them, whether this version uses them or not.
    others: BTreeSet<String>,
    /// Regions whose cells are read or written through pointers.
    reached: BTreeSet<String>,
    /// Element names of the pointers that are made of pointers to something else.
    cast: BTreeSet<String>,
    /// Element names of the pointers to memory with pointers or padding that become pointers to something else.
    opened: BTreeSet<String>,
    /// Element names of what is a part of a struct or union.
    held: BTreeSet<String>,
}

impl Facts {
    /// These facts, and those of another version. Shapes and functions stay those of this version.
    fn joined(mut self, other: &Facts) -> Facts {
        self.addressed.extend(other.addressed.iter().cloned());
        self.written.extend(other.written.iter().cloned());
        self.inside.extend(other.inside.iter().cloned());
        self.erased.extend(other.erased.iter().cloned());
        self.reached.extend(other.reached.iter().cloned());
        self.cast.extend(other.cast.iter().cloned());
        self.held.extend(other.held.iter().cloned());
        self.opened.extend(other.opened.iter().cloned());
        self.inputs.extend(other.inputs.iter().cloned());
        self
    }
}

/// The functions that a pointer of the inputs may lead to.
fn input_functions(versions: &[Facts]) -> BTreeSet<String> {
    let named = versions.iter().flat_map(|facts| facts.functions.iter().chain(&facts.visible));
    let everywhere = |name: &&String| versions.iter().all(|facts| facts.known.contains(*name));
    named.filter(everywhere).cloned().collect()
}

/// A function that the program calls or defines.
pub(crate) struct Function<'a> {
    pub(crate) ty: Rc<FunctionType>,
    pub(crate) definition: Option<Definition<'a>>,
    pub(crate) proc: Option<ProcId>,
    /// The user's own, not one of a system header or a model.
    pub(crate) user: bool,
    /// Why its head is not understood; then its type says nothing.
    pub(crate) lost: Option<String>,
    /// Only its unit can name it.
    pub(crate) private: bool,
    /// What is known of it if it has no definition.
    pub(crate) external: ir::External,
}

#[derive(Clone)]
pub(crate) struct Definition<'a> {
    pub(crate) unit: usize,
    pub(crate) node: &'a Node<ast::FunctionDefinition>,
    /// The type that stands for `T` in a generic model.
    pub(crate) instance: Option<CType>,
}

/// The procedure that is being lowered.
#[derive(Default)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) locals: Vec<ir::Local>,
    pub(crate) out: Block,
    pub(crate) labels: u32,
    pub(crate) temps: u32,
    pub(crate) result: Option<CType>,
    pub(crate) assumptions: Vec<String>,
    /// Names of locals whose address is taken somewhere in the function.
    pub(crate) addressed: BTreeSet<String>,
    /// Where `break` and `continue` lead, innermost last.
    pub(crate) jumps: Vec<stmt::Jumps>,
    /// Where `goto` leads, innermost last.
    pub(crate) labelled: Vec<(String, goto::Jump, cleanup::Kept)>,
    pub(crate) span: Option<Span>,
    pub(crate) loop_depth: usize,
    /// The address that is being taken goes to an unknown function only, which leaves memory alone.
    pub(crate) unfollowed: bool,
    /// The arguments that are being lowered are those of an unknown function.
    pub(crate) external: bool,
    /// Through pointers to which types memory is used.
    pub(crate) views: BTreeSet<View>,
    /// How pointers themselves are used.
    pub(crate) handlings: BTreeSet<Handling>,
    /// Local objects whose address is kept where it lives longer than they do.
    pub(crate) outlived: BTreeSet<LocalId>,
    /// The local objects whose address a local or an object may hold.
    pub(crate) holders: BTreeMap<LocalId, BTreeSet<LocalId>>,
    /// Locals without initialiser, for the check that they are assigned before they are read.
    pub(crate) uninitialised: Vec<LocalId>,
    /// Parts of expressions that C may evaluate in any order.
    pub(crate) unsequenced: Vec<sequence::Unsequenced>,
}

pub(crate) struct Lowerer<'a> {
    /// The parts of expressions of each procedure that C may evaluate in any order.
    pub(crate) unsequenced: Vec<(ir::ProcId, Vec<sequence::Unsequenced>)>,
    pub(crate) units: &'a [Unit],
    pub(crate) options: &'a Options,
    pub(crate) program: Program,
    pub(crate) records: Records,
    /// What became of the structs that changed, and which version this is; absent while that is not known.
    pub(crate) changes: Option<(&'a Changes, Side)>,
    /// The facts of the first run; absent in the first run itself.
    pub(crate) facts: Option<&'a Facts>,
    pub(crate) found: Facts,
    /// The element type of each shape.
    pub(crate) elements: Vec<Option<CType>>,
    pub(crate) functions: BTreeMap<String, Function<'a>>,
    /// The types that units declare for functions, by unit and key.
    pub(crate) declared: BTreeMap<(usize, String), Rc<FunctionType>>,
    pub(crate) linkage: linkage::Linkage,
    pub(crate) variables: Vec<Variable>,
    pub(crate) file_scopes: Vec<Scope>,
    pub(crate) blocks: Vec<Scope>,
    pub(crate) unit: usize,
    pub(crate) body: Body,
    /// Inside an expression that C wants constant.
    pub(crate) constant: bool,
    pub(crate) queue: VecDeque<String>,
    /// Functions that do not come back.
    pub(crate) no_return: BTreeSet<String>,
    /// Functions that another definition may replace.
    pub(crate) weak: BTreeSet<String>,
    /// The functions that run before or after `main`: `constructor` or `destructor`, and the name.
    pub(crate) start_ups: BTreeSet<(String, String)>,
    /// How the procedures that are done look at memory.
    pub(crate) views: BTreeMap<String, BTreeSet<View>>,
    /// How they use pointers.
    pub(crate) handlings: BTreeMap<String, BTreeSet<Handling>>,
}

/// The units that the front end adds: models of libc, and models for any element type.
const MODELS: [(&str, &str); 2] =
    [("<libc>", include_str!("../../models/libc.c")), ("<generic>", include_str!("../../models/generic.c"))];

/// Lowers the versions of a program, each with the facts of all of them.
pub(crate) fn lower(
    versions: &[&[Preprocessed]],
    options: &Options,
) -> Vec<Result<crate::Lowered, Vec<Diagnostic>>> {
    let parsed: Vec<Result<Parsed, Vec<Diagnostic>>> =
        versions.iter().map(|files| parse_version(files)).collect();
    let first = |version: &Parsed, changes: Option<(&Changes, Side)>| {
        let lowerer = Lowerer::new(&version.units, options, version.names.clone(), changes, None).run();
        (lowerer.found, lowerer.records.describe())
    };
    let described: Vec<(Facts, Description)> =
        parsed.iter().flatten().map(|version| first(version, None)).collect();
    let changes = match described.as_slice() {
        [(_, old), (_, new)] => Changes::between(Pair::new(old, new), options.memory == MemoryModel::Bytes),
        _ => Changes::default(),
    };
    let sides = || [Side::Old, Side::New].map(|side| (!changes.is_empty()).then_some((&changes, side)));
    let facts: Vec<Facts> = match changes.is_empty() {
        true => described.into_iter().map(|(facts, _)| facts).collect(),
        false => parsed.iter().flatten().zip(sides()).map(|(it, changes)| first(it, changes).0).collect(),
    };
    let mut shared = facts.iter().fold(Facts::default(), |shared, facts| shared.joined(facts));
    shared.inputs = input_functions(&facts);
    let mut own: Vec<Facts> = facts.into_iter().map(|facts| facts.joined(&shared)).collect();
    let run = |version: &Parsed, facts: &Facts, changes: Option<(&Changes, Side)>| {
        let names = version.names.clone();
        let shapes = Lowerer::new(&version.units, options, names, changes, Some(facts)).run().program.shapes;
        shapes.into_iter().map(|shape| shape.name).collect::<BTreeSet<String>>()
    };
    if own.len() > 1 {
        let versions = parsed.iter().flatten().zip(&own).zip(sides());
        let shapes: Vec<BTreeSet<String>> =
            versions.map(|((version, facts), changes)| run(version, facts, changes)).collect();
        own.iter_mut().for_each(|facts| facts.others = shapes.iter().flatten().cloned().collect());
    }
    let mut own = own.into_iter().zip(sides());
    let mut start_ups = Vec::new();
    let mut lowered: Vec<Result<crate::Lowered, Vec<Diagnostic>>> = parsed
        .into_iter()
        .map(|version| {
            let version = version?;
            let (facts, changes) = own.next().unwrap_or_default();
            let lowerer = Lowerer::new(&version.units, options, version.names, changes, Some(&facts)).run();
            let views = lowerer.all_views();
            start_ups.push(lowerer.procedures_of_start_up());
            let program = lowerer.program;
            if cfg!(debug_assertions)
                && let Err(invalid) = ir::validate(&program)
            {
                panic!("lowered programs should be valid: {}", invalid[0]);
            }
            Ok(crate::Lowered { program, views })
        })
        .collect();
    if let ([Ok(old), Ok(new)], [old_ones, new_ones]) = (lowered.as_mut_slice(), start_ups.as_slice()) {
        start_up::pair_up(Pair::new(&mut old.program, &mut new.program), Pair::new(old_ones, new_ones));
        variants::name_alike(Pair::new(&mut old.program, &mut new.program));
    }
    lowered
}

/// One version after parsing.
struct Parsed {
    units: Vec<Unit>,
    /// The names of all files, for spans.
    names: Vec<String>,
}

fn parse_version(files: &[Preprocessed]) -> Result<Parsed, Vec<Diagnostic>> {
    let mut names = Vec::new();
    let mut units = Vec::new();
    let mut errors = Vec::new();
    let needed = files.iter().any(|file| uses_models(&file.text));
    let users = files.iter().map(|file| (file.name.as_str(), file.text.as_str(), false));
    let models = MODELS.iter().filter(|_| needed).map(|(name, text)| (*name, *text, true));
    for (name, text, model) in users.chain(models) {
        match parse(name, text, &mut names) {
            Ok(mut unit) => {
                if let Some(file) = files.get(units.len()).filter(|_| !model) {
                    unit.source.note_macros(&file.macros);
                }
                units.push(Unit { model, ..unit });
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(Parsed { units, names }) } else { Err(errors) }
}

/// Whether a text names a function that a model may be needed for. Parsing the models takes longer than lowering
/// most programs.
fn uses_models(text: &str) -> bool {
    let mut names: BTreeSet<&str> = ["printf", "fprintf", "sprintf", "snprintf", "puts", "fputs"].into();
    // Models for any type are reached by these.
    names.extend(["realloc", "qsort", "memcpy", "memmove", "memset"]);
    for (_, model) in MODELS {
        let (mut depth, mut previous) = (0_usize, "");
        for (_, token) in tokens(model) {
            match token {
                "(" if depth == 0 => {
                    names.insert(previous);
                    depth += 1;
                }
                "(" | "{" => depth += 1,
                ")" | "}" => depth -= 1,
                _ => {}
            }
            previous = token;
        }
    }
    tokens(text).any(|(_, word)| names.contains(word) || word.starts_with("__builtin_"))
}

impl<'a> Lowerer<'a> {
    fn new(
        units: &'a [Unit],
        options: &'a Options,
        files: Vec<String>,
        changes: Option<(&'a Changes, Side)>,
        facts: Option<&'a Facts>,
    ) -> Self {
        let mut program = Program::new(Language::C);
        program.files = files;
        Lowerer {
            unsequenced: Vec::new(),
            units,
            options,
            program,
            records: Records { bytes: options.memory == MemoryModel::Bytes, ..Records::default() },
            changes,
            facts,
            found: Facts::default(),
            elements: Vec::new(),
            functions: BTreeMap::new(),
            declared: BTreeMap::new(),
            linkage: linkage::Linkage::of(units),
            variables: Vec::new(),
            file_scopes: Vec::new(),
            blocks: Vec::new(),
            unit: 0,
            body: Body::default(),
            constant: false,
            queue: VecDeque::new(),
            no_return: BTreeSet::new(),
            weak: BTreeSet::new(),
            start_ups: BTreeSet::new(),
            views: BTreeMap::new(),
            handlings: BTreeMap::new(),
        }
    }

    fn run(mut self) -> Self {
        for unit in 0..self.units.len() {
            self.unit = unit;
            self.file_scopes.push(Scope::default());
            self.declare_unit();
        }
        let users: Vec<String> =
            self.functions.iter().filter(|(_, function)| function.user).map(|(key, _)| key.clone()).collect();
        for key in self.in_source_order(users) {
            self.procedure(&key);
        }
        while let Some(key) = self.queue.pop_front() {
            self.lower_function(&key);
        }
        self.note_functions();
        self.share_inputs();
        self.finish_tables();
        sequence::assume_order(&mut self.program, &self.unsequenced);
        self
    }

    /// Makes the variables and types that another version points to, if this one has them: they are among the inputs
    /// of both.
    fn share_inputs(&mut self) {
        let Some(facts) = self.facts else { return };
        for index in 0..self.variables.len() {
            let variable = &self.variables[index];
            if facts.addressed.contains(&variable.name) && variable.storage.is_none() {
                // A variable that cannot be made is a gap where it is used.
                let _ = self.storage(index);
            }
        }
        let scalars = [IntType::I8, IntType::I16, IntType::I32, IntType::I64].map(CType::Int);
        let floats = [FloatType::F32, FloatType::F64].map(CType::Float);
        let records = (0..self.records.list.len()).map(|index| CType::Record(RecordId(index)));
        let types: Vec<CType> = scalars.into_iter().chain(floats).chain(records).collect();
        for ty in types {
            let is_complete = self.records.size(&ty).is_some();
            if is_complete && facts.others.contains(&format!("{}[]", self.element_name(&ty))) {
                self.shape_of(&ty);
            }
        }
    }

    fn note_functions(&mut self) {
        // What the other version names may be an input of this one as well.
        if let Some(facts) = self.facts
            && self.program.shapes.iter().any(|shape| shape.name == "function")
        {
            for key in &facts.inputs {
                self.function_object(key);
            }
        }
        for (key, function) in &self.functions {
            self.found.known.insert(key.clone());
            if function.user && !function.private {
                self.found.visible.insert(key.clone());
            }
        }
    }

    /// How all procedures look at memory, and which types lie in which.
    fn all_views(&self) -> Views {
        let mut contents: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for index in 0..self.records.list.len() {
            let record = CType::Record(RecordId(index));
            let inner = contents.entry(self.element_name(&record)).or_default();
            self.add_contents(&record, inner);
        }
        Views { procedures: self.views.clone(), handlings: self.handlings.clone(), contents }
    }

    /// The types of the members of a struct or union, and of what is in them.
    pub(crate) fn add_contents(&self, ty: &CType, contents: &mut BTreeSet<String>) {
        let CType::Record(id) = ty.innermost() else { return };
        let Some(body) = &self.records.get(*id).body else { return };
        for member in &body.members {
            let element = member.ty.innermost();
            if contents.insert(self.element_name(element)) {
                self.add_contents(element, contents);
            }
        }
    }

    fn in_source_order(&self, mut keys: Vec<String>) -> Vec<String> {
        keys.sort_by_key(|key| {
            let definition = self.functions[key].definition.as_ref();
            definition.map(|definition| (definition.unit, definition.node.span.start))
        });
        keys
    }

    pub(crate) fn is_model(&self) -> bool {
        self.units[self.unit].model
    }

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
