//! The inputs that both versions share, as terms: made once from the pair, so that the same names are the same terms.
//!
//! Exact: the assumptions are what `docs/ir.md` says about inputs. Those about cells of the initial heap are added
//! on demand, for the cells that a summary reads; they hold of all cells, so that leaving some out is harmless.

pub(crate) mod objects;
pub(crate) mod shapes;
pub(crate) mod types;
pub(crate) mod variables;

use crate::config::Config;
use crate::reach;
use crate::value::{SortTree, SymValue, int_sort, ref_number, ref_sort};
use ir::Numbers;
use ir::{IntType, Pair, ProcId, Program, Target, Type};
use objects::{FIRST_STATIC, LENGTHS, StaticInput, index_number, length_place, static_key};
use shapes::ShapeTable;
use smt::{Sort, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};
use types::{InputType, Typing};

/// A value that is there when the procedure starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputValue {
    pub name: String,
    pub value: SymValue,
    pub ty: InputType,
}

/// A part of the heap as it is at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputRegion {
    /// For each leaf of the value type an array from references to values, or to arrays of values by index.
    pub cells: SymValue,
    pub index: Option<IntType>,
    pub ty: InputType,
}

/// Everything that both versions start from.
#[derive(Clone, Debug)]
pub struct Inputs {
    pub numbers: Numbers,
    pub args: Vec<InputValue>,
    /// The globals that are not constant in at least one version, by name.
    pub globals: BTreeMap<String, InputValue>,
    pub regions: BTreeMap<String, InputRegion>,
    /// The arrays from references to lengths, of 32 and of 64 bits.
    pub lengths: [Term; 2],
    /// The array from references to the codes of shapes.
    pub shapes: Term,
    pub shape_table: ShapeTable,
    /// By what makes them the same object in both versions.
    pub statics: BTreeMap<String, StaticInput>,
    /// The codes of errors by name; 0 is the normal end.
    pub errors: BTreeMap<String, u32>,
    /// The names of globals that hold the same all the time, whatever it is.
    pub(crate) fixed: BTreeSet<String>,
    /// The names of private globals and regions that only one version has. They hold anything at the start, so that what
    /// they are left with says nothing to any later call.
    pub(crate) own: BTreeSet<String>,
    /// The state of the outside world.
    pub world: Term,
    /// Well-formedness of the arguments and globals.
    pub assumptions: Vec<Term>,
    /// What is taken for granted beyond the meaning of the language, in words.
    pub assumption_texts: Vec<String>,
    /// Why the versions cannot be compared at all, such as parameters of other types.
    pub mismatches: Vec<String>,
    /// The array of shapes without what is known of static objects.
    initial_shapes: Term,
    static_shapes: Vec<(u32, u32)>,
    /// The code of each common shape whose elements have several cells, and how many.
    structs: Vec<(u32, u32)>,
    any_inputs: bool,
}

/// The inputs that two procedures share.
pub fn inputs(terms: &mut Terms, pair: Pair<(&Program, ProcId)>, config: &Config) -> Inputs {
    let programs = pair.map(|(program, _)| program);
    let numbers = config.numbers;
    let shape_table = shapes::table(programs);
    let structs = shapes::structs(&shape_table);
    let array = |element| Sort::array(ref_sort(numbers), element);
    let shapes = terms.var("shape", &array(ref_sort(numbers)));
    let mut made = Inputs {
        numbers,
        args: Vec::new(),
        globals: BTreeMap::new(),
        regions: BTreeMap::new(),
        lengths: LENGTHS.map(|(name, width)| terms.var(name, &array(int_sort(width, numbers)))),
        shapes,
        shape_table,
        statics: BTreeMap::new(),
        errors: BTreeMap::new(),
        fixed: BTreeSet::new(),
        own: programs.old.own.union(&programs.new.own).cloned().collect(),
        world: terms.var("world", &Sort::Uninterpreted("World".to_owned())),
        assumptions: Vec::new(),
        assumption_texts: Vec::new(),
        mismatches: Vec::new(),
        initial_shapes: shapes,
        static_shapes: Vec::new(),
        structs,
        any_inputs: config.any_inputs,
    };
    made.add_errors(programs);
    made.add_statics(terms, pair);
    made.add_regions(terms, programs);
    made.add_args(terms, pair);
    made.add_globals(terms, programs);
    made.assume_well_formed(terms);
    made.name_lost_shapes(pair);
    made
}

impl Inputs {
    pub(crate) fn typing(&self) -> Typing<'_> {
        Typing {
            numbers: self.numbers,
            any_inputs: self.any_inputs,
            shapes: self.initial_shapes,
            common_shapes: self.shape_table.values().filter(|info| info.common && !info.closed).count()
                as u32,
            statics: &self.static_shapes,
            lengths: self.lengths[objects::length_place(64)],
            structs: &self.structs,
        }
    }

    /// The most cells that an element of an object has.
    pub(crate) fn largest_element(&self) -> u32 {
        self.structs.iter().map(|(_, cells)| *cells).max().unwrap_or(1)
    }

    /// The reference of a static object, if it was found when the inputs were made.
    pub(crate) fn static_number(&self, program: &Program, object: &ir::StaticObject) -> Option<u32> {
        self.statics.get(&static_key(program, object)).map(|object| object.number)
    }

    /// What the procedure finds in a variable or region of a type: the same term in both versions.
    pub(crate) fn variable(terms: &mut Terms, name: &str, ty: &Type, numbers: Numbers) -> SymValue {
        SortTree::of(ty, numbers).build(name, &mut |name, sort| terms.var(name, sort))
    }

    /// The arrays of a region at the start.
    pub(crate) fn region_cells(terms: &mut Terms, region: &ir::Region, numbers: Numbers) -> SymValue {
        let mut keys = vec![ref_sort(numbers)];
        keys.extend(region.index.map(|index| int_sort(index.width, numbers)));
        let sorts = SortTree::of(&region.value, numbers).under(&keys);
        sorts.build(&format!("heap.{}", region.name), &mut |name, sort| terms.var(name, sort))
    }

    fn add_errors(&mut self, programs: Pair<&Program>) {
        let names: BTreeSet<&String> = programs.old.errors.iter().chain(&programs.new.errors).collect();
        self.errors = names.into_iter().cloned().zip(1..).collect();
    }

    /// Gives the static objects their numbers, and their known lengths and shapes to the initial heap.
    fn add_statics(&mut self, terms: &mut Terms, pair: Pair<(&Program, ProcId)>) {
        for (program, procedure) in [pair.old, pair.new] {
            for id in reach::statics(program, procedure) {
                let object = program.static_object(id);
                let found = StaticInput {
                    name: object.name.clone(),
                    number: 0,
                    shape: program.shape(object.shape).name.clone(),
                    length: object.length,
                    constant: object.constant,
                };
                let key = static_key(program, object);
                let entry = self.statics.entry(key).or_insert(found);
                // What one version writes to is an input of both.
                entry.constant &= object.constant;
            }
        }
        let shared = |name: &str| {
            [pair.old.0, pair.new.0]
                .iter()
                .all(|program| program.statics.iter().any(|object| object.name == name))
        };
        for (object, number) in self.statics.values_mut().zip(FIRST_STATIC..) {
            object.number = number;
            let Some(info) = self.shape_table.get(&object.shape) else { continue };
            if object.constant {
                continue;
            }
            // A constant of an enum that one version lacks is no input of the other.
            if !info.closed || shared(&object.name) {
                self.static_shapes.push((number, info.code));
            }
            let object_ref = ref_number(terms, number, self.numbers);
            let code = ref_number(terms, info.code, self.numbers);
            self.shapes = terms.store(self.shapes, object_ref, code);
            if let (Some(length), shapes::ShapeCells::Indexed { index, .. }) = (object.length, &info.cells) {
                let place = length_place(index.width);
                let length = index_number(terms, length, LENGTHS[place].1, self.numbers);
                self.lengths[place] = terms.store(self.lengths[place], object_ref, length);
            }
        }
    }

    fn add_regions(&mut self, terms: &mut Terms, programs: Pair<&Program>) {
        for program in [programs.old, programs.new] {
            for region in &program.regions {
                let cells = Inputs::region_cells(terms, region, self.numbers);
                let ty = InputType::of(&region.value, program, &self.shape_table);
                let found = InputRegion { cells, index: region.index, ty };
                let Some(known) = self.regions.get_mut(&region.name) else {
                    self.regions.insert(region.name.clone(), found);
                    continue;
                };
                match known.ty.meet(&found.ty) {
                    Some(ty) if known.index == found.index => known.ty = ty,
                    _ => {
                        let what = format!("`{}` holds other values in the new version", region.name);
                        self.mismatches.push(what);
                    }
                }
            }
        }
    }

    fn add_args(&mut self, terms: &mut Terms, pair: Pair<(&Program, ProcId)>) {
        let procedures = pair.map(|(program, id)| program.procedure(id));
        if procedures.old.params != procedures.new.params {
            self.mismatches.push("the versions have different numbers of parameters".to_owned());
        }
        let results = procedures.map(|procedure| procedure.result.as_ref());
        if !match (results.old, results.new) {
            (Some(old), Some(new)) => old.accepts(new),
            (old, new) => old.is_none() && new.is_none(),
        } {
            self.mismatches.push("the versions have different result types".to_owned());
        }
        for (program, procedure) in [(pair.old.0, procedures.old), (pair.new.0, procedures.new)] {
            for (index, param) in procedure.parameters().iter().enumerate() {
                let ty = InputType::of(&param.ty, program, &self.shape_table);
                match self.args.get_mut(index) {
                    None => {
                        let name = format!("arg.{}", param.name);
                        let value = Inputs::variable(terms, &name, &param.ty, self.numbers);
                        self.args.push(InputValue { name: param.name.clone(), value, ty });
                    }
                    Some(known) => match known.ty.meet(&ty) {
                        Some(ty) => known.ty = ty,
                        None => {
                            let what =
                                format!("parameter `{}` has another type in the new version", known.name);
                            self.mismatches.push(what);
                        }
                    },
                }
            }
        }
        self.refuse_empty_shapes(pair);
        if !self.any_inputs {
            self.refuse_classes_without_objects(pair);
        }
    }

    /// If no object of a parameter's type is common to both versions, nothing but null could be compared.
    fn refuse_empty_shapes(&mut self, pair: Pair<(&Program, ProcId)>) {
        let procedure = pair.old.0.procedure(pair.old.1);
        for (param, arg) in procedure.parameters().iter().zip(&self.args) {
            if let (Type::Ref(target), InputType::Ref(references)) = (&param.ty, &arg.ty)
                && references.codes.is_empty()
                && !shapes::allowed(pair.old.0, *target).is_empty()
            {
                let what =
                    format!("no object that parameter `{}` can hold exists in both versions", arg.name);
                self.mismatches.push(what);
            }
        }
    }

    /// A reference to a class of which no object can be made from the code at hand would be null in every input.
    fn refuse_classes_without_objects(&mut self, pair: Pair<(&Program, ProcId)>) {
        let mut empty: BTreeSet<String> = BTreeSet::new();
        for (program, procedure) in [pair.old, pair.new] {
            let effects = ir::effects(program, procedure);
            let params = program.procedure(procedure).parameters().iter().map(|param| &param.ty);
            let globals = effects.reads_globals.iter().map(|id| program.global(*id));
            let globals = globals.filter(|global| !global.constant).map(|global| &global.ty);
            let cells = effects.reads_regions.iter().map(|id| &program.region(*id).value);
            for ty in params.chain(globals).chain(cells) {
                if let Type::Ref(target @ Target::Shape(shape)) = ty
                    && shapes::allowed(program, *target).is_empty()
                {
                    empty.insert(program.shape(*shape).name.clone());
                }
            }
        }
        self.mismatches.extend(empty.into_iter().map(|class| {
            format!("no class at hand makes objects of type `{class}`, so that only null could be compared")
        }));
    }

    fn add_globals(&mut self, terms: &mut Terms, programs: Pair<&Program>) {
        for program in [programs.old, programs.new] {
            for global in program.globals.iter().filter(|global| !global.constant) {
                if global.fixed {
                    self.fixed.insert(global.name.clone());
                }
                let ty = InputType::of(&global.ty, program, &self.shape_table);
                let Some(known) = self.globals.get_mut(&global.name) else {
                    let name = format!("global.{}", global.name);
                    let value = Inputs::variable(terms, &name, &global.ty, self.numbers);
                    let made = InputValue { name: global.name.clone(), value, ty };
                    self.globals.insert(global.name.clone(), made);
                    continue;
                };
                match known.ty.meet(&ty) {
                    Some(ty) => known.ty = ty,
                    None => {
                        let what = format!("global `{}` has another type in the new version", global.name);
                        self.mismatches.push(what);
                    }
                }
            }
        }
    }

    fn assume_well_formed(&mut self, terms: &mut Terms) {
        let mut facts = Vec::new();
        let mut has_pointer = false;
        for input in self.args.iter().chain(self.globals.values()) {
            self.typing().well_formed(terms, &input.value, &input.ty, &mut facts);
            has_pointer |= input.ty.has_pointer();
        }
        let has_pointer_cells = self.regions.values().any(|region| region.ty.has_pointer());
        if !self.any_inputs && (has_pointer || has_pointer_cells) {
            self.assumption_texts.push(
                "pointers in the inputs are null, or point to an element of an object or to its end"
                    .to_owned(),
            );
            if !self.globals.is_empty() {
                let text = "pointers in the inputs do not point to variables whose address is never taken";
                self.assumption_texts.push(text.to_owned());
            }
        }
        self.assumptions = facts;
    }

    /// Objects of shapes that one version does not have are no common inputs; where a type would allow them this is said.
    fn name_lost_shapes(&mut self, pair: Pair<(&Program, ProcId)>) {
        let mut lost: BTreeSet<&str> = BTreeSet::new();
        for (program, procedure) in [pair.old, pair.new] {
            let params = program.procedure(procedure).parameters().iter().map(|param| &param.ty);
            let globals = program.globals.iter().filter(|global| !global.constant).map(|global| &global.ty);
            for ty in params.chain(globals) {
                lost_shapes(ty, program, &self.shape_table, &mut lost);
            }
        }
        self.assumption_texts.extend(lost.into_iter().map(|name| {
            format!("objects of shape `{name}`, which the versions do not share, are not among the inputs")
        }));
    }
}

fn lost_shapes<'a>(ty: &Type, program: &'a Program, table: &ShapeTable, lost: &mut BTreeSet<&'a str>) {
    match ty {
        Type::Ref(target) => {
            let is_lost = |name: &&str| table.get(*name).is_none_or(|info| !info.common);
            lost.extend(shapes::allowed(program, *target).into_iter().filter(is_lost));
        }
        Type::Record(fields) => fields.iter().for_each(|field| lost_shapes(field, program, table, lost)),
        Type::Map(_, value) => lost_shapes(value, program, table, lost),
        Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text => {}
    }
}
