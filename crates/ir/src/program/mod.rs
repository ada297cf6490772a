//! Programs: procedures, and the tables of what they use.

mod call_graph;
mod condition;
mod procedures;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Block, Const, ErrorId, GlobalId, IntType, LocalId, ProcId, RegionId, Scalar, ShapeId, Span, StaticId,
    Type,
};
pub use condition::{
    Annotations, CONDITION_FILE, Condition, Postcondition, Variable, condition_name, postcondition_name,
};
pub use procedures::Procedures;

/// The source language of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Language {
    Java,
    C,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::Java, Language::C];

    /// The language with this name, which is also the extension of its files.
    pub fn named(name: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.name() == name)
    }

    pub fn in_words(self) -> &'static str {
        match self {
            Language::Java => "Java",
            Language::C => "C",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Language::Java => "java",
            Language::C => "c",
        }
    }
}

/// A program. The tables are matched with those of another version by the names in them, never by position.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub language: Language,
    /// The names of the source files, for spans.
    pub files: Vec<String>,
    pub procedures: Procedures,
    pub globals: Vec<Global>,
    pub regions: Vec<Region>,
    pub shapes: Vec<Shape>,
    pub statics: Vec<StaticObject>,
    /// The names of errors, such as `ArithmeticException`.
    pub errors: Vec<String>,
    /// The type of what failures carry to their handlers: their message, or that and more.
    pub carried: Type,
    /// The globals and static objects that are defined elsewhere: their initial values are not known.
    pub foreign: BTreeSet<String>,
    /// What classes are called in full, where procedures have a shorter name: `a.b.Outer.Inner` for `Inner`.
    pub full_names: BTreeMap<String, String>,
    /// The globals and static objects that only the static initialiser of their class writes, in both versions.
    pub start_up_only: BTreeSet<String>,
    /// The private globals, static objects and fields that the other version lacks: see `hide_unshared`.
    pub own: BTreeSet<String>,
    /// The procedures whose source text is the same in both versions, with that of everything that it names.
    ///
    /// They are the same code as they were lowered, whatever they contain. What a rewriting made of them need not be.
    pub same_text: BTreeSet<String>,
}

/// The short name of the code of a constructor of Java, without the making of the object.
pub const CONSTRUCT: &str = "<construct>";

/// A procedure.
#[derive(Clone, PartialEq, Debug)]
pub struct Procedure {
    /// Unique in the program: `Account.deposit(int)`-style where names are overloaded.
    pub name: String,
    /// What the source calls it, without class and parameter types.
    pub short_name: String,
    /// The first `params` locals are the parameters.
    pub params: usize,
    pub locals: Vec<Local>,
    pub result: Option<Type>,
    /// Absent for procedures whose source is not there: the same unknown function in both versions.
    pub body: Option<Block>,
    /// What it may do if it has no body.
    pub external: External,
    pub span: Span,
    /// What the lowering of this procedure takes for granted, in words for the reader.
    pub assumptions: Vec<String>,
}

/// What is known of a procedure without a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct External {
    pub access: Access,
    /// It belongs to a library and is documented there: not every result is one that it can have. A run that calls it
    /// says nothing about a difference.
    pub library: bool,
}

/// What a procedure without a body may look at and change. It is a function of what it may look at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Access {
    /// Its arguments alone; it changes nothing.
    Pure,
    /// Also the state of the outside world; it changes nothing.
    Asks,
    /// Also the memory that it can reach; it changes nothing.
    Reads,
    /// Its arguments and the state of the outside world, which it changes; no memory.
    World,
    /// Its arguments, what was written to the streams and the state of the outside world, which it changes; no memory.
    Streams,
    /// Also the memory that it can reach, which it leaves alone.
    Shows,
    /// The memory that it can reach and the state of the outside world; it may change both.
    #[default]
    Writes,
}

impl Access {
    pub const ALL: [Access; 7] = [
        Access::Pure,
        Access::Asks,
        Access::Reads,
        Access::World,
        Access::Streams,
        Access::Shows,
        Access::Writes,
    ];

    pub fn reads_memory(self) -> bool {
        matches!(self, Access::Reads | Access::Shows | Access::Writes)
    }

    pub fn writes_memory(self) -> bool {
        self == Access::Writes
    }

    pub fn reads_world(self) -> bool {
        self != Access::Pure
    }

    /// Whether it may write to the streams: it comes before or after what the program itself writes there.
    pub fn may_print(self) -> bool {
        matches!(self, Access::Streams | Access::Shows | Access::Writes)
    }

    pub fn changes_world(self) -> bool {
        matches!(self, Access::World | Access::Streams | Access::Shows | Access::Writes)
    }
}

/// A parameter or local variable. Locals start as zero.
#[derive(Clone, PartialEq, Debug)]
pub struct Local {
    /// Unique in its procedure; those that the source does not have start with `$`.
    pub name: String,
    pub ty: Type,
}

/// A global variable: a static field of Java, a variable at file scope of C.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    pub name: String,
    pub ty: Type,
    /// What it holds when the program starts.
    pub initial: Const,
    /// Nothing ever assigns it, so that it always holds `initial`. Otherwise it is an input of what reads it.
    pub constant: bool,
    /// Code that is not there cannot name it; it may still call code that does.
    pub private: bool,
    /// An input that nothing ever changes, whatever it holds.
    pub fixed: bool,
}

/// A part of the heap: for each object one cell (no index) or cells by index.
#[derive(Clone, PartialEq, Debug)]
pub struct Region {
    /// `Point.x`, `int[]`, `i32`.
    pub name: String,
    pub index: Option<IntType>,
    pub value: Type,
    /// Only the code of its class can name it.
    pub private: bool,
}

/// The run-time type of a heap object: which cells it has.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// `Point`, `int[]`, `struct node[]`.
    pub name: String,
    pub cells: Cells,
    /// Superclasses and interfaces, all the way up, the shape itself not included.
    pub ancestors: Vec<ShapeId>,
    /// No object has just this shape: an interface or abstract class.
    pub is_abstract: bool,
    /// Only static objects have just this shape, such as the constants of an enum: nothing allocates others, and
    /// an input of this shape is one of them.
    pub closed: bool,
    /// What the cells of an element stand for together, where they are bytes.
    pub layout: Layout,
}

/// How the elements of a shape are made of cells, where one scalar has several, or where the versions differ.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Layout {
    /// The scalars of an element and the cells where they start: only for showing and choosing values.
    pub scalars: Vec<(u32, Scalar)>,
    /// For ancestors, the cells of an element that a pointer to one of their elements may point to.
    /// An ancestor that is not listed allows all of them.
    pub places: Vec<(ShapeId, Vec<u32>)>,
    /// The cells of members that only one version has: no run shows what they hold at its end.
    pub lonely: Vec<u32>,
    /// How the members of both versions go together where they are not the same, in words.
    pub matched: Vec<String>,
}

/// The name of the shape of objects whose class is not given: they have an identity, and all else that there is to them
/// is behind procedures without a body. These may also make new ones.
pub const OPAQUE: &str = "an object of a class that is not given";

/// How the names of shapes begin whose objects nothing may change after they were made.
pub const CONSTANT: &str = "const ";

/// Which cells the objects of a shape have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cells {
    /// One cell in each of these regions, which have no index.
    Fields(Vec<RegionId>),
    /// As many cells as the object's length says; cell `i` lies in the region at `i` modulo the number of
    /// regions. An array of scalars has one region; an array of C structs one for each flattened member.
    Indexed(Vec<RegionId>),
}

/// An object that exists before the program starts: a C variable whose address is taken, a string literal,
/// a constant table.
#[derive(Clone, PartialEq, Debug)]
pub struct StaticObject {
    pub name: String,
    pub shape: ShapeId,
    pub length: Option<i64>,
    /// The cells in order (of the fields, or by index).
    pub cells: Vec<Const>,
    /// Nothing ever writes to it. Otherwise its cells are an input.
    pub constant: bool,
    /// Code that is not there cannot name it; it may still be handed a reference, or call code that names it.
    pub private: bool,
}

impl Program {
    pub fn new(language: Language) -> Program {
        Program {
            language,
            files: Vec::new(),
            procedures: Procedures::default(),
            globals: Vec::new(),
            regions: Vec::new(),
            shapes: Vec::new(),
            statics: Vec::new(),
            errors: Vec::new(),
            carried: Type::Text,
            foreign: BTreeSet::new(),
            full_names: BTreeMap::new(),
            start_up_only: BTreeSet::new(),
            same_text: BTreeSet::new(),
            own: BTreeSet::new(),
        }
    }

    pub fn procedure(&self, id: ProcId) -> &Procedure {
        &self.procedures[id.index()]
    }

    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.index()]
    }

    pub fn shape(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.index()]
    }

    pub fn static_object(&self, id: StaticId) -> &StaticObject {
        &self.statics[id.index()]
    }

    pub fn error(&self, id: ErrorId) -> &str {
        &self.errors[id.index()]
    }

    /// The regions of the fields that the objects of an error have in its own right: a shape of the same name has them,
    /// and names that begin with `$` are none of the source.
    pub fn error_fields(&self, error: &str) -> Vec<RegionId> {
        let shape = self.shapes.iter().find(|shape| shape.name == error);
        let regions = match shape.map(|shape| &shape.cells) {
            Some(Cells::Fields(regions)) => regions.as_slice(),
            _ => &[],
        };
        let is_own = |region: &&RegionId| !is_hidden_field(&self.region(**region).name);
        regions.iter().filter(is_own).copied().collect()
    }

    /// The type of one cell of the objects of a shape, if they have such a cell.
    pub fn cell_type(&self, shape: ShapeId, cell: usize) -> Option<&Type> {
        let region = match &self.shapes.get(shape.index())?.cells {
            Cells::Fields(regions) => regions.get(cell),
            Cells::Indexed(regions) => regions.get(cell.checked_rem(regions.len())?),
        };
        Some(&self.regions.get(region?.index())?.value)
    }

    /// Where in an element of a shape a pointer to elements of the target may point: cells modulo their number.
    /// `None` if it may point to any of them.
    pub fn places(&self, target: ShapeId, shape: ShapeId) -> Option<Vec<u32>> {
        let Cells::Indexed(regions) = &self.shape(shape).cells else { return None };
        if regions.len() < 2 {
            return None;
        }
        if target == shape || !self.shape(shape).ancestors.contains(&target) {
            return Some(vec![0]);
        }
        let places = self.shape(shape).layout.places.iter();
        places.filter(|(ancestor, _)| *ancestor == target).map(|(_, cells)| cells.clone()).next()
    }

    /// The type of the length of a shape's objects: the index type of its regions, if it has cells by index.
    pub fn length_type(&self, shape: ShapeId) -> Option<IntType> {
        match &self.shapes.get(shape.index())?.cells {
            Cells::Fields(_) => None,
            Cells::Indexed(regions) => self.regions.get(regions.first()?.index())?.index,
        }
    }

    /// The procedure with this unique name.
    pub fn procedure_named(&self, name: &str) -> Option<ProcId> {
        self.procedures.iter().position(|procedure| procedure.name == name).map(ProcId::from_index)
    }

    /// The id of an error, added if it is new.
    pub fn error_named(&mut self, name: &str) -> ErrorId {
        let known = self.errors.iter().position(|error| error == name);
        ErrorId::from_index(known.unwrap_or_else(|| {
            self.errors.push(name.to_owned());
            self.errors.len() - 1
        }))
    }
}

/// Whether a field has no name in the source.
pub fn is_hidden_field(region: &str) -> bool {
    region.rsplit('.').next().is_some_and(|name| name.starts_with('$'))
}

impl Procedure {
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }

    /// The class in its name: `Account` in `Account.deposit(int)`.
    pub fn class(&self) -> Option<&str> {
        let stem = self.name.split('(').next()?;
        stem.strip_suffix(self.short_name.as_str())?.strip_suffix('.')
    }

    /// Whether this is what happens before anything is called: a static initialiser, or the initial value of something.
    /// Its short name is in angle brackets, as those of constructors are.
    pub fn is_start_up(&self) -> bool {
        self.short_name.starts_with('<') && self.short_name != "<init>" && !self.is_part()
    }

    /// Whether this is code that no caller of the program calls by itself: that of a constructor, which belongs to the
    /// procedure that makes the object, or a condition.
    pub fn is_part(&self) -> bool {
        self.short_name == CONSTRUCT || self.is_condition()
    }

    /// The parameters, in order.
    pub fn parameters(&self) -> &[Local] {
        &self.locals[..self.params]
    }
}
