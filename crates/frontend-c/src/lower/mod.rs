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
mod emit;
mod errno;
mod expr;
mod facts;
mod file_scope;
mod function;
mod goto;
mod initialize;
mod lifetime;
mod linkage;
mod local;
mod mathematics;
mod memory;
mod models;
mod names;
mod operators;
mod outside;
mod overridden;
mod place;
mod pointers;
mod printf;
mod prototypes;
mod records;
mod sequence;
mod sizes;
mod start_up;
mod stmt;
mod switch;
mod tables;
mod typing;
mod unchanged;
mod unlowered;
mod variables;
mod variants;
mod volatile;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use ir::{Block, Diagnostic, Expr, FloatType, IntType, Language, LocalId, Pair, ProcId, Program, Side, Span};
use lang_c::ast;
use lang_c::span::Node;

use crate::changed::{Changes, Description};
use crate::conditions;
use crate::parse::{Unit, parse};
use crate::types::{CType, FunctionType, RecordId, Records};
use crate::views::{Handling, View, Views};
use crate::{MemoryModel, Options, Preprocessed};
use facts::{Facts, changed_variables, input_functions};
use models::{MODELS, uses_models};
use names::Scope;
use unchanged::unchanged;
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
    /// The statements that make the objects of the innermost block, if jumps may skip them.
    pub(crate) skipped: Option<Vec<ir::Stmt>>,
    /// A jump in the innermost block may lead back past a declaration: the variable stays the same object.
    pub(crate) goes_back: bool,
    /// The strings, and the most characters of each, that a format asks for.
    pub(crate) printed: Vec<(Value, Value)>,
    pub(crate) span: Option<Span>,
    pub(crate) loop_depth: usize,
    /// The address that is being taken goes to an unknown function only, which leaves memory alone.
    pub(crate) unfollowed: bool,
    /// The address of some object was made a number.
    pub(crate) numbers_addresses: bool,
    /// Code was called that is not there and may look at memory.
    pub(crate) calls_unknown: bool,
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
    /// The functions that a unit announces with their parameters.
    pub(crate) prototypes: BTreeSet<(usize, String)>,
    /// Functions that do not come back.
    pub(crate) no_return: BTreeSet<String>,
    /// The parameters that must not be null, by function, counted from 1; 0 stands for all.
    pub(crate) non_null: BTreeMap<String, BTreeSet<usize>>,
    /// Functions that another definition may replace.
    pub(crate) weak: BTreeSet<String>,
    /// The functions that run before or after `main`: `constructor` or `destructor`, and the name.
    pub(crate) start_ups: BTreeSet<(String, String)>,
    /// How the procedures that are done look at memory.
    pub(crate) views: BTreeMap<String, BTreeSet<View>>,
    /// How they use pointers.
    pub(crate) handlings: BTreeMap<String, BTreeSet<Handling>>,
    /// Their parameters that are `restrict`.
    pub(crate) restricted: BTreeMap<String, BTreeSet<usize>>,
    /// The members that are `restrict`, by the number of the struct and by name.
    pub(crate) restricted_members: BTreeSet<(usize, String)>,
    pub(crate) restricted_variables: BTreeSet<String>,
}

/// Lowers the versions of a program, each with the facts of all of them.
pub(crate) fn lower(
    versions: &[crate::Version<'_>],
    options: &Options,
) -> Vec<Result<crate::Lowered, Vec<Diagnostic>>> {
    let parsed: Vec<Result<Parsed, Vec<Diagnostic>>> = versions
        .iter()
        .map(|(files, annotations)| parse_version(&conditions::add(files, *annotations)))
        .collect();
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
    shared.changed = changed_variables(&facts);
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
    let unchanged = match parsed.as_slice() {
        [Ok(old), Ok(new)] => unchanged(Pair::new(&old.units, &new.units)),
        _ => BTreeSet::new(),
    };
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
            let mut program = lowerer.program;
            conditions::name(&mut program);
            program.same_text = same_text(&program, &unchanged);
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

/// The procedures of functions whose text did not change.
fn same_text(program: &ir::Program, unchanged: &BTreeSet<String>) -> BTreeSet<String> {
    let is_unchanged = |name: &&String| unchanged.contains(name.rsplit(':').next().unwrap_or_default());
    let defined = program.procedures.iter().filter(|procedure| procedure.body.is_some());
    defined.map(|procedure| &procedure.name).filter(is_unchanged).cloned().collect()
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

/// Structs in an array beyond this many cells are not looked into for `restrict` pointers.
const MOST_RESTRICTED_CELLS: u64 = 256;
/// Structs with more cells have no names for them.
const MOST_NAMED_CELLS: usize = 256;

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
            prototypes: BTreeSet::new(),
            no_return: BTreeSet::new(),
            non_null: BTreeMap::new(),
            weak: BTreeSet::new(),
            start_ups: BTreeSet::new(),
            views: BTreeMap::new(),
            handlings: BTreeMap::new(),
            restricted: BTreeMap::new(),
            restricted_members: BTreeSet::new(),
            restricted_variables: BTreeSet::new(),
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
        self.note_offered();
        self.withdraw_texts_apart();
        sequence::assume_order(&mut self.program, &self.unsequenced);
        self
    }

    /// Makes the variables and types that another version points to, if this one has them: they are among the inputs
    /// of both.
    fn share_inputs(&mut self) {
        let Some(facts) = self.facts else { return };
        for index in 0..self.variables.len() {
            let variable = &self.variables[index];
            let is_shared =
                facts.addressed.contains(&variable.name) || facts.changed.contains(&variable.name);
            if is_shared && variable.storage.is_none() {
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
        Views {
            procedures: self.views.clone(),
            handlings: self.handlings.clone(),
            restricted: self.restricted.clone(),
            restricted_members: self.cells_of_restricted_members(),
            restricted_variables: self.restricted_variables.clone(),
            cell_names: self.names_of_cells(),
            contents,
        }
    }

    /// The cells of each struct that hold `restrict` pointers, also those in structs and arrays inside of it.
    fn cells_of_restricted_members(&self) -> BTreeMap<String, BTreeSet<u64>> {
        let records = (0..self.records.list.len()).filter(|_| !self.restricted_members.is_empty());
        let cells = records.map(|index| {
            let mut cells = BTreeSet::new();
            self.add_restricted_cells(index, 0, &mut cells);
            (self.element_name(&CType::Record(RecordId(index))), cells)
        });
        cells.filter(|(_, cells)| !cells.is_empty()).collect()
    }

    fn add_restricted_cells(&self, index: usize, start: u64, found: &mut BTreeSet<u64>) {
        let members = self.records.list[index].body.iter().flat_map(|body| &body.members);
        for member in members {
            let start = start + member.cell;
            let name = member.name.clone().unwrap_or_default();
            if self.restricted_members.contains(&(index, name)) {
                found.insert(start);
            }
            let CType::Record(inner) = member.ty.innermost() else { continue };
            let cells = self.records.cells(member.ty.innermost()).unwrap_or(0).max(1);
            let all = self.records.cells(&member.ty).unwrap_or(0).min(MOST_RESTRICTED_CELLS);
            for element in (0..all).step_by(cells as usize) {
                self.add_restricted_cells(inner.0, start + element, found);
            }
        }
    }

    /// What the cells of each struct are called, as members of it.
    fn names_of_cells(&self) -> BTreeMap<String, Vec<Option<String>>> {
        let records = (0..self.records.list.len()).filter(|_| !self.records.bytes);
        let named = records.map(|index| {
            let record = CType::Record(RecordId(index));
            let mut names = Vec::new();
            self.add_cell_names(&record, "", &mut names);
            (self.element_name(&record), names)
        });
        named.filter(|(_, names)| (1..MOST_NAMED_CELLS).contains(&names.len())).collect()
    }

    /// Adds the names of the cells of a type that is called `path`.
    fn add_cell_names(&self, ty: &CType, path: &str, names: &mut Vec<Option<String>>) {
        if names.len() >= MOST_NAMED_CELLS {
            return;
        }
        match ty {
            CType::Array(element, length) => {
                for at in 0..length.unwrap_or(0).min(MOST_NAMED_CELLS as u64) {
                    self.add_cell_names(element, &format!("{path}[{at}]"), names);
                }
            }
            CType::Volatile(ty) => self.add_cell_names(ty, path, names),
            CType::Record(id) => {
                let record = self.records.get(*id);
                let Some(body) = &record.body else { return };
                // Cells that members share, or that only the other version has, are called nothing.
                if record.union || body.tag.is_some() || body.slots.is_some() {
                    let cells = body.cells.min(MOST_NAMED_CELLS as u64) as usize;
                    names.extend(std::iter::repeat_n(None, cells));
                    return;
                }
                for member in &body.members {
                    let path = match (&member.name, path) {
                        (None, path) => path.to_owned(),
                        (Some(name), "") => name.clone(),
                        (Some(name), path) => format!("{path}.{name}"),
                    };
                    self.add_cell_names(&member.ty, &path, names);
                }
            }
            _ => names.push(Some(path.to_owned())),
        }
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
}
