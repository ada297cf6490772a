//! Lowers the declared classes: owns the tables of the program, and lowers each method that is asked for.

mod assign;
mod body;
mod boxes;
mod call;
mod class;
mod conditional;
mod convert;
mod dispatch;
mod effects;
mod entity;
mod enums;
mod exception;
mod expr;
mod field;
mod field_uses;
mod finish;
mod first_use;
mod foreign;
mod foreign_object;
mod foreign_pair;
mod given;
mod inlining;
mod intrinsic;
mod jumps;
mod loops;
mod makers;
mod new;
mod object_facts;
mod objects;
mod operator;
mod overload;
mod patterns;
mod procedures;
mod shapes;
mod stable;
mod start_up;
mod statics;
mod stmt;
mod streams;
mod switch;
mod text;
mod uses;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ir::{ErrorId, Language, ProcId, Program, RegionId, ShapeId, Span};

use crate::choice::Choice;
use crate::classes::Classes;
use crate::counterparts::Declared;
use crate::foreign_names::ForeignNames;
use crate::names::{ClassNames, Spelling, spellings};
use crate::syntax::Unit;
use crate::types::{ClassId, FieldId, MethodId, Ty};
use crate::unchanged::Changes;
use body::Body;
use field_uses::{FieldUses, may_leave_out};
use first_use::FirstUse;
pub(crate) use foreign::ForeignFacts;
pub(crate) use foreign_pair::{assume_no_overloads, mark_doubtful};
use object_facts::{Fact, ObjectFacts};
use statics::StaticField;
use uses::Uses;

/// For each constant of an enum the values of its fields.
type ConstantFields = Vec<Vec<(FieldId, ir::Expr)>>;

/// A version that was read.
pub(crate) struct Version<'a> {
    units: &'a [Unit],
    files: Vec<String>,
    spellings: Vec<Spelling>,
}

impl<'a> Version<'a> {
    pub(crate) fn new(units: &'a [Unit], files: Vec<String>) -> Version<'a> {
        let spellings = spellings(units, &files);
        Version { units, files, spellings }
    }

    fn classes(&self, names: &ClassNames, foreign: &ForeignNames) -> Classes<'a> {
        let mut table = Classes::declare(self.units, foreign);
        table.set_names(names, &self.spellings);
        table
    }

    fn object_facts(&self, names: &ClassNames, foreign: &ForeignNames) -> ObjectFacts {
        let table = self.classes(names, foreign);
        ObjectFacts::of(&table, &FieldUses::of(self.units, &table, false))
    }

    /// The static fields that may hold several values, as `Class.field`.
    fn variables(&self, names: &ClassNames, foreign: &ForeignNames) -> BTreeSet<String> {
        let table = self.classes(names, foreign);
        let uses = FieldUses::of(self.units, &table, false);
        let fields = table.fields.iter().enumerate();
        fields
            .filter(|(_, field)| field.is_static && !table.class(field.class).is_library)
            .filter(|(index, field)| match &field.ty {
                Ty::Array(_) => !field.is_private || !uses.keeps(FieldId(*index)),
                _ => !field.is_final && (!field.is_private || uses.assigns(FieldId(*index))),
            })
            .map(|(_, field)| table.qualified(field.class, &field.name))
            .collect()
    }
}

/// The static fields that more than static initialisers may write, or lead other code to, as `Class.field`.
fn unsettled(table: &Classes<'_>, outside: &FieldUses) -> BTreeSet<String> {
    let fields = table.fields.iter().enumerate();
    fields
        .filter(|(_, field)| field.is_static && !table.class(field.class).is_library)
        .filter(|(index, field)| {
            let id = FieldId(*index);
            let is_written = !field.is_final && (!field.is_private || outside.assigns(id));
            let is_shared = matches!(field.ty, Ty::Array(_)) && (!field.is_private || !outside.keeps(id));
            is_written || is_shared
        })
        .map(|(_, field)| table.qualified(field.class, &field.name))
        .collect()
}

/// What is known before a version is lowered.
#[derive(Default)]
pub(crate) struct Known<'a> {
    /// What both versions do with code that is not there, from lowering them before.
    pub(crate) facts: ForeignFacts,
    /// What differs between the versions, if there are two.
    pub(crate) changed: Option<&'a Changes>,
    pub(crate) choice: Choice,
}

impl Known<'_> {
    /// Whether only a part of a large program is read.
    fn is_partial(&self) -> bool {
        self.choice != Choice::All && self.changed.is_some_and(|changed| !changed.are_small())
    }
}

/// A program, and what was found on the way.
pub(crate) struct LoweredVersion {
    pub(crate) program: Program,
    /// What it does with code that is not there.
    pub(crate) found: ForeignFacts,
    /// The procedures that were not chosen.
    pub(crate) left_out: BTreeSet<String>,
}

/// Lowers a version into one program. What is a variable in the other version is one here, too.
pub(crate) fn lower_version(
    version: Version<'_>,
    other: Option<&Version<'_>>,
    known: &Known<'_>,
) -> LoweredVersion {
    let foreign_facts = &known.facts;
    let spellings: Vec<&[Spelling]> =
        std::iter::once(&version).chain(other).map(|version| version.spellings.as_slice()).collect();
    let names = ClassNames::of(&spellings);
    let units: Vec<&[Unit]> = std::iter::once(&version).chain(other).map(|version| version.units).collect();
    let foreign = ForeignNames::of(&units);
    let mut lowering = Lowering::new(&version, &names, &foreign);
    lowering.forced = other.map(|other| other.variables(&names, &foreign)).unwrap_or_default();
    if let Some(other) = other {
        lowering.leave_out_unread(&other.classes(&names, &foreign));
    }
    let facts = other.map(|other| other.object_facts(&names, &foreign)).unwrap_or_default();
    lowering.know_objects(&facts);
    lowering.other = other.map(|other| Declared::of(&other.classes(&names, &foreign))).unwrap_or_default();
    lowering.table.add_counterparts(&lowering.other);
    lowering.foreign_facts = foreign_facts.clone();
    if foreign_facts.has_objects {
        lowering.shape_of(&Ty::Foreign(String::new()));
    }
    for class in &foreign_facts.collections {
        lowering.collection_shape(class);
    }
    for (name, dimensions) in &foreign_facts.arrays {
        lowering.made_array(name, *dimensions);
    }
    for version in std::iter::once(&version).chain(other) {
        let table = version.classes(&names, &foreign);
        let outside = FieldUses::of(version.units, &table, true);
        lowering.unsettled.extend(unsettled(&table, &outside));
    }
    lowering.is_partial = known.is_partial();
    lowering.declare_user_procedures(version.units, known);
    loop {
        while let Some(method) = lowering.queue.pop_front() {
            Body::lower_method(&mut lowering, method);
        }
        if !lowering.ask_for_start_up() {
            break;
        }
    }
    lowering.mark_unasked();
    let left_out = lowering.names_left_out();
    let found = lowering.foreign_found.clone();
    let mut program = finish::finish(lowering);
    if let Some(changed) = known.changed {
        program.same_text = changed.same_text(&program, version.units);
    }
    LoweredVersion { program, found, left_out }
}

/// The tables of the program that is being made.
pub(crate) struct Lowering<'a> {
    pub(crate) table: Classes<'a>,
    pub(crate) program: Program,
    /// What the source does with each name; statics are constant only if nothing else is done with them.
    pub(crate) uses: Uses,
    /// What it does with each field.
    pub(crate) field_uses: FieldUses,
    /// Private fields that only this version has and nobody reads: what is written to them is gone.
    pub(crate) unread: BTreeSet<FieldId>,
    /// What both versions do with code that is not there, and what this one was seen to do.
    pub(crate) foreign_facts: ForeignFacts,
    pub(crate) foreign_found: ForeignFacts,
    /// Static fields that are no constants because the other version has them as variables: `Class.field`.
    pub(crate) forced: BTreeSet<String>,
    /// Static fields that more than static initialisers write in one of the versions: `Class.field`.
    pub(crate) unsettled: BTreeSet<String>,
    /// What is known of the fields of objects that were made before.
    object_facts: BTreeMap<FieldId, Fact>,
    /// What the other version declares.
    other: Declared,
    shapes: BTreeMap<Ty, ShapeId>,
    element_regions: BTreeMap<Ty, RegionId>,
    queue: VecDeque<MethodId>,
    /// The methods that were ever in the queue.
    queued: BTreeSet<MethodId>,
    /// Only a part of a large program is read.
    is_partial: bool,
    /// The methods of the program that were not chosen.
    left_out: Vec<MethodId>,
    names: BTreeSet<String>,
    statics: BTreeMap<FieldId, StaticField<'a>>,
    enum_constants: BTreeMap<ClassId, Vec<ir::StaticId>>,
    /// What using each class for the first time may do.
    first_uses: BTreeMap<ClassId, FirstUse>,
    /// The fields of the constants of each enum, in order; nothing where they are not known.
    enum_fields: BTreeMap<ClassId, Option<ConstantFields>>,
    /// The class of each error; none stands for classes that are not given.
    errors: Vec<Option<ClassId>>,
    /// Codes of pending exits, by the local that holds them: which error each stands for.
    pub(crate) pending_errors: Vec<(ProcId, ir::LocalId, i32, ErrorId)>,
    /// The result types of switch expressions, by place; found by a first lowering whose code is thrown away.
    pub(crate) switch_types: BTreeMap<(Span, ClassId), Ty>,
    /// Whether switch expressions that are arguments have results of several types, found in the same way.
    pub(crate) mixed_switches: BTreeMap<(Span, ClassId), bool>,
}

impl<'a> Lowering<'a> {
    fn new(version: &Version<'a>, names: &ClassNames, foreign: &ForeignNames) -> Lowering<'a> {
        let table = version.classes(names, foreign);
        let mut program = Program::new(Language::Java);
        program.files = version.files.clone();
        program.full_names = table.full_names();
        program.carried = exception::carried_type();
        Lowering {
            field_uses: FieldUses::of(version.units, &table, false),
            unread: BTreeSet::new(),
            table,
            program,
            uses: Uses::of(version.units),
            foreign_facts: ForeignFacts::default(),
            foreign_found: ForeignFacts::default(),
            forced: BTreeSet::new(),
            unsettled: BTreeSet::new(),
            object_facts: BTreeMap::new(),
            other: Declared::default(),
            shapes: BTreeMap::new(),
            element_regions: BTreeMap::new(),
            queue: VecDeque::new(),
            queued: BTreeSet::new(),
            is_partial: false,
            left_out: Vec::new(),
            names: BTreeSet::new(),
            statics: BTreeMap::new(),
            enum_constants: BTreeMap::new(),
            first_uses: BTreeMap::new(),
            enum_fields: BTreeMap::new(),
            errors: Vec::new(),
            pending_errors: Vec::new(),
            switch_types: BTreeMap::new(),
            mixed_switches: BTreeMap::new(),
        }
    }

    /// Finds the fields that only this version has and that nobody can see.
    fn leave_out_unread(&mut self, other: &Classes<'_>) {
        let names = |table: &Classes<'_>| -> BTreeSet<String> {
            table.fields.iter().map(|field| table.qualified(field.class, &field.name)).collect()
        };
        let known = names(other);
        let ids = (0..self.table.fields.len()).map(FieldId);
        let unread = ids.filter(|id| {
            let field = self.table.field(*id);
            !known.contains(&self.table.qualified(field.class, &field.name))
                && may_leave_out(&self.table, &self.field_uses, *id)
        });
        self.unread = unread.collect();
    }

    /// Finds what holds of the fields of objects in both versions.
    fn know_objects(&mut self, other: &ObjectFacts) {
        let own = ObjectFacts::of(&self.table, &self.field_uses);
        let fields = self.table.fields.iter().enumerate();
        let known = fields.filter_map(|(index, field)| {
            let name = self.table.qualified(field.class, &field.name);
            own.shared(other, &name).map(|fact| (FieldId(index), fact))
        });
        self.object_facts = known.collect();
    }

    /// The error that an exception class stands for. Renumbered at the end, so that only used ones remain.
    pub(crate) fn error_of(&mut self, class: ClassId) -> ErrorId {
        self.error(Some(class))
    }

    /// The error that all exceptions stand for whose class is not given.
    pub(crate) fn foreign_error(&mut self) -> ErrorId {
        self.error(None)
    }

    fn error(&mut self, class: Option<ClassId>) -> ErrorId {
        let known = self.errors.iter().position(|error| *error == class);
        ErrorId::from_index(known.unwrap_or_else(|| {
            self.errors.push(class);
            self.errors.len() - 1
        }))
    }

    /// The error of an exception of the library.
    pub(crate) fn library_error(&mut self, name: &str) -> ErrorId {
        let class = self.table.library_class(name);
        self.error_of(class.expect("built-in errors should be in the library model"))
    }

    /// The classes that an object of a static type may be of: those of the program, and those of the library
    /// that the source mentions (all exceptions if it catches any).
    pub(crate) fn possible_classes(&self, class: ClassId) -> Vec<ClassId> {
        let mut classes = self.table.concrete_below(class);
        classes.retain(|id| {
            let info = self.table.class(*id);
            !info.is_library
                || *id == class
                || self.uses.mentions(&info.decl.name)
                || (self.uses.catches && self.table.is_exception(*id))
        });
        classes
    }
}
