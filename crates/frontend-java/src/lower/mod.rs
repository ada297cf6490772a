//! Lowers the declared classes: owns the tables of the program, and lowers each method that is asked for.

mod assign;
mod body;
mod boxes;
mod call;
mod class;
mod convert;
mod effects;
mod enums;
mod exception;
mod expr;
mod finish;
mod foreign;
mod foreign_object;
mod foreign_pair;
mod intrinsic;
mod jumps;
mod loops;
mod makers;
mod new;
mod operator;
mod overload;
mod stable;
mod start_up;
mod statics;
mod stmt;
mod switch;
mod text;
mod uses;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ir::{
    Cells, ErrorId, IntType, Language, Local, ProcId, Procedure, Program, Region, RegionId, Shape, ShapeId,
    Span, Target, Type,
};

use crate::classes::{Classes, MethodKind};
use crate::counterparts::Declared;
use crate::foreign_names::ForeignNames;
use crate::names::{ClassNames, Spelling, spellings};
use crate::syntax::{ClassKind, Member, Unit};
use crate::types::{ClassId, FieldId, MethodId, Ty};
use body::Body;
pub(crate) use foreign::ForeignFacts;
pub(crate) use foreign_pair::{assume_no_overloads, mark_doubtful};
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

    /// The static fields that may hold several values, as `Class.field`.
    fn variables(&self, names: &ClassNames, foreign: &ForeignNames) -> BTreeSet<String> {
        let table = self.classes(names, foreign);
        let uses = Uses::of(self.units);
        let fields =
            table.fields.iter().filter(|field| field.is_static && !table.class(field.class).is_library);
        fields
            .filter(|field| match &field.ty {
                Ty::Array(_) => {
                    !field.is_private || !uses.only_reads_elements(&field.name, field.ty.dimensions())
                }
                _ => !field.is_final && (!field.is_private || uses.assigns(&field.name)),
            })
            .map(|field| table.qualified(field.class, &field.name))
            .collect()
    }
}

/// The static fields that more than static initialisers may write, or lead other code to, as `Class.field`.
fn unsettled(table: &Classes<'_>, outside: &Uses) -> BTreeSet<String> {
    let fields = table.fields.iter().filter(|field| field.is_static && !table.class(field.class).is_library);
    fields
        .filter(|field| {
            let is_array = matches!(field.ty, Ty::Array(_));
            let is_written = !field.is_final && (!field.is_private || outside.assigns(&field.name));
            let is_shared = is_array
                && (!field.is_private || !outside.only_reads_elements(&field.name, field.ty.dimensions()));
            is_written || is_shared
        })
        .map(|field| table.qualified(field.class, &field.name))
        .collect()
}

/// Lowers a version into one program. What is a variable in the other version is one here, too.
/// Says what was found of code that is not there; what both versions do with it is known from lowering them before.
pub(crate) fn lower_version(
    version: Version<'_>,
    other: Option<&Version<'_>>,
    foreign_facts: &ForeignFacts,
) -> (Program, ForeignFacts) {
    let spellings: Vec<&[Spelling]> =
        std::iter::once(&version).chain(other).map(|version| version.spellings.as_slice()).collect();
    let names = ClassNames::of(&spellings);
    let units: Vec<&[Unit]> = std::iter::once(&version).chain(other).map(|version| version.units).collect();
    let foreign = ForeignNames::of(&units);
    let mut lowering = Lowering::new(&version, &names, &foreign);
    lowering.forced = other.map(|other| other.variables(&names, &foreign)).unwrap_or_default();
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
        let outside = Uses::outside_of_start_up(version.units);
        lowering.unsettled.extend(unsettled(&version.classes(&names, &foreign), &outside));
    }
    lowering.declare_user_procedures();
    while let Some(method) = lowering.queue.pop_front() {
        Body::lower_method(&mut lowering, method);
    }
    let found = lowering.foreign_found.clone();
    (finish::finish(lowering), found)
}

/// The tables of the program that is being made.
pub(crate) struct Lowering<'a> {
    pub(crate) table: Classes<'a>,
    pub(crate) program: Program,
    /// What the source does with each name; statics are constant only if nothing else is done with them.
    pub(crate) uses: Uses,
    /// What both versions do with code that is not there, and what this one was seen to do.
    pub(crate) foreign_facts: ForeignFacts,
    pub(crate) foreign_found: ForeignFacts,
    /// Static fields that are no constants because the other version has them as variables: `Class.field`.
    pub(crate) forced: BTreeSet<String>,
    /// Static fields that more than static initialisers write in one of the versions: `Class.field`.
    pub(crate) unsettled: BTreeSet<String>,
    /// What the other version declares.
    other: Declared,
    shapes: BTreeMap<Ty, ShapeId>,
    element_regions: BTreeMap<Ty, RegionId>,
    queue: VecDeque<MethodId>,
    names: BTreeSet<String>,
    statics: BTreeMap<FieldId, StaticField<'a>>,
    enum_constants: BTreeMap<ClassId, Vec<ir::StaticId>>,
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
            table,
            program,
            uses: Uses::of(version.units),
            foreign_facts: ForeignFacts::default(),
            foreign_found: ForeignFacts::default(),
            forced: BTreeSet::new(),
            unsettled: BTreeSet::new(),
            other: Declared::default(),
            shapes: BTreeMap::new(),
            element_regions: BTreeMap::new(),
            queue: VecDeque::new(),
            names: BTreeSet::new(),
            statics: BTreeMap::new(),
            enum_constants: BTreeMap::new(),
            enum_fields: BTreeMap::new(),
            errors: Vec::new(),
            pending_errors: Vec::new(),
            switch_types: BTreeMap::new(),
            mixed_switches: BTreeMap::new(),
        }
    }

    /// All methods and constructors of the program, in source order; those of the library come when used.
    fn declare_user_procedures(&mut self) {
        for index in 0..self.table.classes.len() {
            let class = &self.table.classes[index];
            if class.is_library {
                continue;
            }
            // Objects of a class below another may be inputs where no code names it.
            let has_parents = class.superclass != Some(self.table.object)
                || !class.interfaces.is_empty()
                || self.table.may_be_foreign(ClassId(index));
            if has_parents && !self.table.is_abstract(ClassId(index)) {
                self.shape_of(&Ty::Class(ClassId(index)));
            }
            let class = &self.table.classes[index];
            let members = class.constructors.iter().chain(&class.methods).chain(&class.inherited);
            let members: Vec<MethodId> = members.copied().collect();
            let is_enum = class.decl.kind == ClassKind::Enum;
            for id in members {
                let method = self.table.method(id);
                let is_constructor = method.name == "<init>";
                let has_source = match method.kind {
                    MethodKind::Declared(decl) => decl.body.is_some(),
                    MethodKind::StaticInitialiser
                    | MethodKind::InitialValue(_)
                    | MethodKind::Constants
                    | MethodKind::ConstantSources
                    | MethodKind::Outside
                    | MethodKind::Parents
                    | MethodKind::Inherited(_) => true,
                    // A constructor that nobody wrote does something where there is something to initialise, and
                    // may go with one that somebody wrote.
                    MethodKind::DefaultConstructor => {
                        let initialises =
                            method.params.is_empty() && self.initialises_objects(ClassId(index));
                        !is_enum && (initialises || self.table.is_written_in(&self.other, id))
                    }
                    MethodKind::Accessor(_) | MethodKind::RecordEquals => {
                        self.table.is_written_in(&self.other, id)
                    }
                };
                // Enum constants are made before the program starts.
                if has_source && !method.is_abstract && !(is_constructor && is_enum) {
                    self.proc_of(id);
                }
            }
        }
    }

    /// Whether objects of a class have fields or initialisers of their own.
    fn initialises_objects(&self, class: ClassId) -> bool {
        let decl = self.table.class(class).decl;
        let is_field =
            |id: &FieldId| !self.table.field(*id).is_static && self.table.field(*id).decl.is_some();
        !decl.modifiers.is_abstract
            && (self.table.class(class).fields.iter().any(is_field)
                || decl.members.iter().any(|it| matches!(it, Member::Initializer { is_static: false, .. })))
    }

    /// The procedure of a method, declared and queued when it is asked for the first time.
    pub(crate) fn proc_of(&mut self, id: MethodId) -> ProcId {
        if let Some(proc) = self.table.method(id).proc {
            return proc;
        }
        let locals = self.parameters_of(id);
        let method = self.table.method(id);
        let result = method.result.clone();
        let span = match method.kind {
            MethodKind::Declared(decl) if !self.table.class(method.class).is_library => decl.span,
            _ if !self.table.class(method.class).is_library => self.table.class(method.class).decl.span,
            _ => Span::NOWHERE,
        };
        let mut short_name = method.name.clone();
        let mut name = self.unique_name(self.method_name(id));
        let result = (result != Ty::Void).then(|| self.ir_type(&result));
        let mut proc = ProcId::from_index(self.program.procedures.len());
        if let Some(mut maker) = self.maker(id, ProcId::from_index(proc.index() + 1), &locals, &name) {
            maker.span = span;
            self.program.procedures.push(maker);
            proc = ProcId::from_index(proc.index() + 1);
            name = self.unique_name(name.replacen("<init>", ir::CONSTRUCT, 1));
            short_name = ir::CONSTRUCT.to_owned();
        }
        self.table.methods[id.0].proc = Some(proc);
        self.program.procedures.push(Procedure {
            name,
            short_name,
            params: locals.len(),
            locals,
            result,
            body: None,
            external: ir::External::default(),
            span,
            assumptions: Vec::new(),
        });
        self.queue.push_back(id);
        proc
    }

    fn unique_name(&mut self, name: String) -> String {
        let mut unique = name.clone();
        let mut number = 2;
        while !self.names.insert(unique.clone()) {
            unique = format!("{name}#{number}");
            number += 1;
        }
        unique
    }

    /// `Class.method`, with the parameter types where the class overloads the name.
    pub(crate) fn method_name(&self, id: MethodId) -> String {
        let method = self.table.method(id);
        let class = self.table.class(method.class);
        let siblings = if method.name == "<init>" { &class.constructors } else { &class.methods };
        let overloads = siblings
            .iter()
            .chain(&class.inherited)
            .filter(|other| self.table.method(**other).name == method.name)
            .count();
        let mut name = method.name.clone();
        if !class.name.is_empty() {
            name = format!("{}.{name}", class.name);
        }
        if overloads > 1 {
            let params: Vec<String> = method.params.iter().map(|ty| self.table.type_name(ty)).collect();
            name = format!("{name}({})", params.join(","));
        }
        name
    }

    fn parameters_of(&mut self, id: MethodId) -> Vec<Local> {
        let method = self.table.method(id);
        let class = method.class;
        let is_constructor = method.name == "<init>";
        let types = method.params.clone();
        let decl = self.table.class(class).decl;
        let names: Vec<String> = match method.kind {
            MethodKind::Declared(method) if !method.compact => {
                method.params.iter().map(|param| param.name.clone()).collect()
            }
            MethodKind::Inherited(target) => match self.table.method(target).kind {
                MethodKind::Declared(method) => {
                    method.params.iter().map(|param| param.name.clone()).collect()
                }
                _ => Vec::new(),
            },
            MethodKind::RecordEquals => vec!["other".to_owned()],
            _ => decl.components.iter().map(|param| param.name.clone()).collect(),
        };
        let mut locals = Vec::new();
        if !method.is_static {
            let this = self.table.this_type(class);
            locals.push(Local { name: "this".to_owned(), ty: self.ir_type(&this) });
        }
        if is_constructor
            && let (true, Some(outer)) = (self.table.class(class).is_inner, self.table.class(class).outer)
        {
            locals.push(Local { name: "$outer".to_owned(), ty: self.ir_type(&Ty::Class(outer)) });
        }
        for (name, ty) in names.into_iter().zip(types) {
            let ty = self.ir_type(&ty);
            locals.push(Local { name, ty });
        }
        locals
    }

    pub(crate) fn ir_type(&mut self, ty: &Ty) -> Type {
        match ty {
            Ty::Primitive(primitive) => primitive.scalar().into(),
            Ty::Boxed(primitive) => Type::boxed(primitive.scalar()),
            Ty::Text => Type::Text,
            Ty::Class(_) | Ty::Array(_) | Ty::Foreign(_) => Type::Ref(Target::Shape(self.shape_of(ty))),
            Ty::Void | Ty::Null | Ty::Unknown(_) => Type::Ref(Target::Any),
        }
    }

    /// The shape of the objects of a class or array type. Ancestors are filled in at the end.
    pub(crate) fn shape_of(&mut self, ty: &Ty) -> ShapeId {
        let ty = &self.as_object(ty);
        if let Some(shape) = self.shapes.get(ty) {
            return *shape;
        }
        self.foreign_found.has_objects |= ty.is_foreign();
        let id = ShapeId::from_index(self.program.shapes.len());
        self.shapes.insert(ty.clone(), id);
        let is_abstract = matches!(ty, Ty::Class(class) if self.table.is_abstract(*class));
        let name = match ty {
            Ty::Foreign(_) => ir::OPAQUE.to_owned(),
            ty => self.table.type_name(ty),
        };
        self.program.shapes.push(Shape {
            name,
            cells: Cells::Fields(Vec::new()),
            ancestors: Vec::new(),
            is_abstract,
            closed: self.is_enum(ty),
            layout: ir::Layout::default(),
        });
        let cells = match ty {
            Ty::Array(element) => Cells::Indexed(vec![self.element_region(element)]),
            Ty::Class(class) => Cells::Fields(self.instance_regions(*class)),
            _ => Cells::Fields(Vec::new()),
        };
        self.program.shapes[id.index()].cells = cells;
        if let (true, Ty::Class(class)) = (self.is_enum(ty), ty) {
            self.enum_objects(*class);
        }
        id
    }

    /// The shape of collections of the Java library of which nothing but their class is known.
    pub(crate) fn collection_shape(&mut self, class: &str) -> ShapeId {
        let opaque = self.shape_of(&Ty::Foreign(String::new()));
        self.foreign_found.collections.insert(class.to_owned());
        let known = self.program.shapes.iter().position(|shape| shape.name == class);
        if let Some(known) = known {
            return ShapeId::from_index(known);
        }
        self.program.shapes.push(Shape {
            name: class.to_owned(),
            cells: Cells::Fields(Vec::new()),
            ancestors: vec![opaque],
            is_abstract: false,
            closed: false,
            layout: ir::Layout::default(),
        });
        ShapeId::from_index(self.program.shapes.len() - 1)
    }

    /// The shape of the arrays that `new` makes: their class counts, also if it is not given.
    pub(crate) fn made_array_shape(&mut self, ty: &Ty) -> ShapeId {
        let mut element = ty;
        while let Ty::Array(inner) = element {
            element = inner;
        }
        match element {
            Ty::Foreign(_) if !element.may_be_any_object() => {
                self.made_array(&self.table.full_type_name(ty), ty.dimensions())
            }
            _ => self.shape_of(ty),
        }
    }

    /// The shape of arrays of a class that is not given; such an array may be where an array of objects may.
    pub(crate) fn made_array(&mut self, name: &str, dimensions: usize) -> ShapeId {
        let above = self.shape_of(&self.array_of_objects(dimensions));
        self.foreign_found.arrays.insert(name.to_owned(), dimensions);
        let known = self.program.shapes.iter().position(|shape| shape.name == name);
        if let Some(known) = known {
            return ShapeId::from_index(known);
        }
        let cells = self.program.shape(above).cells.clone();
        self.program.shapes.push(Shape {
            name: name.to_owned(),
            cells,
            ancestors: vec![above],
            is_abstract: false,
            closed: false,
            layout: ir::Layout::default(),
        });
        ShapeId::from_index(self.program.shapes.len() - 1)
    }

    /// All shapes that arrays of a type have, those of classes that are not given included.
    pub(crate) fn array_shapes(&mut self, ty: &Ty) -> Vec<ShapeId> {
        let mut shapes = vec![self.shape_of(ty)];
        if self.as_object(ty) == self.array_of_objects(ty.dimensions()) {
            let arrays = self.foreign_facts.arrays.clone().into_iter();
            let fitting = arrays.filter(|(_, dimensions)| *dimensions == ty.dimensions());
            shapes.extend(fitting.map(|(name, dimensions)| self.made_array(&name, dimensions)));
        }
        shapes
    }

    fn array_of_objects(&self, dimensions: usize) -> Ty {
        (0..dimensions).fold(Ty::Class(self.table.object), |element, _| Ty::array_of(element))
    }

    /// The type by which objects are told apart: classes that are not given may share them, and arrays of these may be
    /// arrays of any objects.
    fn as_object(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Foreign(_) if ty.may_be_any_object() => Ty::Class(self.table.object),
            Ty::Foreign(_) => Ty::Foreign(String::new()),
            Ty::Array(element) => Ty::array_of(self.as_element(element)),
            other => other.clone(),
        }
    }

    fn as_element(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Foreign(_) => Ty::Class(self.table.object),
            other => self.as_object(other),
        }
    }

    fn is_enum(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Class(class) if self.table.class(*class).decl.kind == ClassKind::Enum)
    }

    /// The regions of a class's instance fields, those of the superclasses first.
    fn instance_regions(&mut self, class: ClassId) -> Vec<RegionId> {
        if self.is_enum(&Ty::Class(class)) {
            return Vec::new();
        }
        let fields = self.instance_fields(class);
        fields.into_iter().map(|field| self.field_region(field)).collect()
    }

    /// The instance fields that the IR can hold, those of the superclasses first.
    pub(crate) fn instance_fields(&self, class: ClassId) -> Vec<FieldId> {
        let mut chain = vec![class];
        while let Some(parent) = chain.last().and_then(|id| self.table.class(*id).superclass) {
            chain.push(parent);
        }
        let fields = chain.into_iter().rev().flat_map(|id| self.table.class(id).fields.iter().copied());
        fields
            .filter(|field| {
                let field = self.table.field(*field);
                !field.is_static && !field.ty.is_unknown()
            })
            .collect()
    }

    pub(crate) fn field_region(&mut self, id: FieldId) -> RegionId {
        if let Some(region) = self.table.field(id).region {
            return region;
        }
        let field = self.table.field(id);
        let (class, name, ty) = (field.class, field.name.clone(), field.ty.clone());
        let value = self.ir_type(&ty);
        // Finding the type may have made the shape that has this region.
        if let Some(region) = self.table.field(id).region {
            return region;
        }
        let region = RegionId::from_index(self.program.regions.len());
        let name = format!("{}.{name}", self.table.class(class).name);
        self.program.regions.push(Region { name, index: None, value });
        self.table.fields[id.0].region = Some(region);
        region
    }

    /// The region of the elements of arrays of a type.
    pub(crate) fn element_region(&mut self, element: &Ty) -> RegionId {
        let element = &self.as_element(element);
        if let Some(region) = self.element_regions.get(element) {
            return *region;
        }
        let value = self.ir_type(element);
        if let Some(region) = self.element_regions.get(element) {
            return *region;
        }
        let region = RegionId::from_index(self.program.regions.len());
        let name = format!("{}[]", self.table.type_name(element));
        self.program.regions.push(Region { name, index: Some(IntType::I32), value });
        self.element_regions.insert(element.clone(), region);
        region
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
