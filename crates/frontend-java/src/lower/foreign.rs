//! Code that is not there: methods, constructors and fields of classes that are not given.
//!
//! Each is an external procedure, the same in both versions. A method that is called on an object is named by its name
//! alone, because the object decides what runs; a static method, a constructor or a field also by its class. The kinds of
//! the arguments are part of the name, and so is that of the result where calls want several: it is known only by where
//! it goes. Over-approximating in proofs, because different names may be different functions.
//!
//! Unknown code may fail: then it does so in both versions, and all that can be observed was compared when it was called;
//! only a handler around it would notice, which is unsupported.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Access, Const, Expr as IrExpr, External, Local, Procedure, Span, StmtKind, Type};

use super::body::{Body, Value, is_null, or};
use super::stable::path;
use crate::foreign_names::{is_doubtful, on_demand, simple_name};
use crate::library_results;
use crate::syntax::{Expr, Primitive};
use crate::types::Ty;

/// Classes of the Java library whose constructor without arguments is known to do nothing but make an object: the class
/// is all that there is to such an object then.
const COLLECTIONS: &[&str] = &[
    "ArrayDeque",
    "ArrayList",
    "HashMap",
    "HashSet",
    "LinkedHashMap",
    "LinkedHashSet",
    "LinkedList",
    "PriorityQueue",
    "Stack",
    "TreeMap",
    "TreeSet",
    "Vector",
];

/// What is said where a receiver is checked for null: Java does not, if the member turns out to be static.
const NOT_STATIC: &str = "members that are used on an object and whose source is not there are not static";

/// What a place of the source wants of an expression.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Wanted {
    /// A value of this type.
    Type(Ty),
    /// The same, by a cast, which may fail.
    Cast(Ty),
    /// A value, of a type that only the expression says.
    Value,
    Nothing,
}

/// What both versions do with code that is not there; found by a first lowering.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct ForeignFacts {
    /// There are objects of classes that are not given.
    pub(crate) has_objects: bool,
    /// The classes of collections that are made.
    pub(crate) collections: BTreeSet<String>,
    /// The arrays of classes that are not given which are made, with their dimensions.
    pub(crate) arrays: BTreeMap<String, usize>,
    /// The results that are wanted of each procedure: kinds, each with the types of the IR.
    results: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
    /// Static fields that are known by running initialisers, in one of the versions: `Class.field`.
    pub(crate) settled: BTreeSet<String>,
    /// The procedures whose results are cast: where the result is dropped, no cast can fail.
    cast: BTreeSet<String>,
    /// The static types with which each procedure is called.
    pub(crate) signatures: BTreeMap<String, BTreeSet<String>>,
}

impl ForeignFacts {
    pub(crate) fn add(&mut self, other: &ForeignFacts) {
        self.has_objects |= other.has_objects;
        self.collections.extend(other.collections.iter().cloned());
        self.arrays.extend(other.arrays.iter().map(|(name, dimensions)| (name.clone(), *dimensions)));
        for (name, kinds) in &other.results {
            for (kind, types) in kinds {
                let known = self.results.entry(name.clone()).or_default().entry(kind.clone()).or_default();
                known.extend(types.iter().cloned());
            }
        }
        self.settled.extend(other.settled.iter().cloned());
        self.cast.extend(other.cast.iter().cloned());
        for (name, signatures) in &other.signatures {
            self.signatures.entry(name.clone()).or_default().extend(signatures.iter().cloned());
        }
    }
}

/// A use of something that is not there.
pub(super) struct Outside {
    /// What it is called, without the kinds of its arguments.
    pub(super) stem: String,
    pub(super) short_name: String,
    pub(super) access: Access,
    /// What a run shows of it is no evidence for a difference.
    pub(super) is_doubtful: bool,
    /// The receiver comes first if there is one.
    pub(super) args: Vec<Value>,
    pub(super) has_receiver: bool,
}

impl<'a> Body<'_, 'a> {
    /// The class that is not given which names mean, and the names after it.
    pub(super) fn foreign_path<'p>(&self, path: &'p [String]) -> Option<(String, &'p [String])> {
        if self.cx.table.class(self.class).is_library {
            return None;
        }
        let first = path.first()?;
        let is_variable = self.lookup(first).is_some()
            || self.cx.table.field_in_scope(self.class, first).is_some()
            || self.is_enum_constant(first);
        let is_known = |end: usize| self.cx.table.resolve_path(&path[..end], Some(self.class)).is_some();
        if is_variable || (1..=path.len()).any(is_known) || self.type_params.contains(first) {
            return None;
        }
        let is_class = |name: &String| name.starts_with(char::is_uppercase);
        let start = path.iter().position(is_class)?;
        let is_member = |name: &&String| is_class(name) && name.contains(char::is_lowercase);
        let members = path[start + 1..].iter().take_while(is_member).count();
        let end = start + 1 + members;
        let class = self.cx.table.foreign_class(&path[..end], Some(self.class))?;
        Some((class, &path[end..]))
    }

    fn is_enum_constant(&self, name: &str) -> bool {
        let mut class = Some(self.class);
        while let Some(id) = class {
            if self.cx.table.class(id).decl.constants.iter().any(|constant| constant.name == name) {
                return true;
            }
            class = self.cx.table.class(id).outer;
        }
        false
    }

    /// A call of a static method of a class that is not given; nothing if it is no such call.
    pub(super) fn foreign_static_call(
        &mut self,
        target: &Expr,
        name: &str,
        args: &'a [Expr],
        wanted: &Wanted,
    ) -> Option<Value> {
        let path = path(target)?;
        let (class, rest) = self.foreign_path(&path)?;
        if !rest.is_empty() {
            return None;
        }
        Some(self.call_static_of(&class, name, args, wanted))
    }

    pub(super) fn call_static_of(
        &mut self,
        class: &str,
        name: &str,
        args: &'a [Expr],
        wanted: &Wanted,
    ) -> Value {
        let args = self.in_order(args, |body, arg| body.argument(arg));
        if let Some(value) = self.known_static(class, name, &args) {
            return value;
        }
        let outside = Outside {
            stem: format!("{class}.{name}"),
            short_name: name.to_owned(),
            access: Access::Writes,
            is_doubtful: is_doubtful(class),
            args,
            has_receiver: false,
        };
        self.call_outside(outside, wanted)
    }

    /// A static method of the library that works on values of every type.
    fn known_static(&mut self, class: &str, name: &str, args: &[Value]) -> Option<Value> {
        let is_on_demand = simple_name(class) == "Objects" && on_demand(class).contains(&"java.util");
        if class != "java.util.Objects" && !is_on_demand {
            return None;
        }
        let value = self.method_of_objects(name, args)?;
        self.assume_of_library(class, is_on_demand);
        Some(value)
    }

    /// Writes down that an import on demand is taken to mean a class of the library.
    fn assume_of_library(&mut self, class: &str, is_on_demand: bool) {
        if is_on_demand {
            let class = simple_name(class);
            self.assume_in_words(format!("`{class}`, which is imported on demand, {}", ir::IN_LIBRARY));
        }
    }

    /// A static field of a class that is not given.
    pub(super) fn foreign_static_field(&mut self, class: &str, name: &str, wanted: &Wanted) -> Value {
        let outside = Outside {
            stem: format!("{class}.{name}"),
            short_name: name.to_owned(),
            access: Access::Asks,
            is_doubtful: is_doubtful(class),
            args: Vec::new(),
            has_receiver: false,
        };
        self.call_outside(outside, wanted)
    }

    /// Uses something that is not there.
    pub(super) fn call_outside(&mut self, outside: Outside, wanted: &Wanted) -> Value {
        let of_library = self.library_result(&outside);
        let Outside { stem, short_name, access, is_doubtful, args, has_receiver } = outside;
        if let Some(lost) = args.iter().find(|value| matches!(value.ty, Ty::Unknown(_) | Ty::Void)) {
            // The unsupported statement for a value of unknown type stands before.
            return match lost.ty {
                Ty::Void => {
                    self.unsupported(format!("a call of `{short_name}` with an argument without a value"))
                }
                _ => lost.clone(),
            };
        }
        let given = if has_receiver { &args[1..] } else { &args[..] };
        let kinds: Vec<String> = given.iter().map(|value| kind(&value.ty)).collect();
        let name = match access {
            Access::Asks => format!("{stem}[{}]", kinds.join(",")),
            _ => format!("{stem}({})", kinds.join(",")),
        };
        let types: Vec<String> = args.iter().map(|value| self.cx.table.full_type_name(&value.ty)).collect();
        let signature = types.join(",");
        self.cx.foreign_found.signatures.entry(name.clone()).or_default().insert(signature);
        let known = known_result(&short_name, given.len(), has_receiver).or(of_library);
        let ty = match (known, wanted) {
            (_, Wanted::Nothing) => None,
            (Some(known), _) => Some(known),
            (None, Wanted::Type(ty) | Wanted::Cast(ty)) if !ty.is_unknown() && *ty != Ty::Void => {
                Some(ty.clone())
            }
            (None, Wanted::Type(_) | Wanted::Cast(_) | Wanted::Value) => Some(Ty::of_result()),
        };
        if matches!(wanted, Wanted::Cast(_)) {
            self.cx.foreign_found.cast.insert(name.clone());
        }
        if let Some(Ty::Class(class)) = &ty
            && self.cx.possible_classes(*class).is_empty()
        {
            let class = self.cx.table.class(*class).name.clone();
            return self.unsupported(format!("an object of type `{class}`, which no known class implements"));
        }
        let (name, result) = self.result_of(&name, ty.as_ref());
        let params: Vec<Type> = args.iter().map(|value| self.cx.ir_type(&value.ty)).collect();
        let callee = self.outside_procedure(name, &short_name, params, result, access);
        self.cx.program.procedures[callee.index()].external.library |= is_doubtful;
        if access == Access::Writes {
            self.assume_in_words(ir::UNKNOWN_CODE_APART);
        }
        let local = ty.as_ref().map(|ty| self.temp_for(ty));
        let args = args.into_iter().map(|value| value.expr).collect();
        self.emit(StmtKind::Call { local, callee, args });
        match (local, ty) {
            (Some(local), Some(ty)) => self.of_class(Value::new(IrExpr::Local(local), ty)),
            _ => Value::void(),
        }
    }

    /// What a method of the Java library returns, as far as that is written down.
    fn library_result(&mut self, outside: &Outside) -> Option<Ty> {
        let Outside { stem, short_name, access, args, has_receiver, .. } = outside;
        if *access != Access::Writes {
            return None;
        }
        let (class, count) = match (has_receiver, args.first()) {
            (true, Some(Value { ty: Ty::Foreign(class), .. })) => (class.as_str(), args.len() - 1),
            (false, _) => (stem.strip_suffix(short_name.as_str())?.strip_suffix('.')?, args.len()),
            (true, _) => return None,
        };
        let (ty, is_on_demand) = library_results::result_of(class, short_name, count)?;
        self.assume_of_library(class, is_on_demand);
        Some(ty)
    }

    /// Checks the receiver of a member that is not given.
    pub(super) fn check_receiver(&mut self, receiver: &Value, member: &str, args: usize) {
        self.check_not_null(receiver);
        let is_of_objects = member == "getClass" || known_result(member, args, true).is_some();
        if !self.is_never_null(receiver) && !is_of_objects {
            self.assume_in_words(NOT_STATIC);
        }
    }

    /// The name of a procedure with a result, and the type of that in the IR. A call that drops its result is one of the
    /// procedure with the only result that is wanted elsewhere.
    fn result_of(&mut self, name: &str, ty: Option<&Ty>) -> (String, Option<Type>) {
        let known = self.cx.foreign_facts.results.get(name);
        let is_only = known.is_none_or(|kinds| kinds.len() <= 1);
        let Some(ty) = ty else {
            let is_cast = self.cx.foreign_facts.cast.contains(name);
            return (if is_cast { format!("{name}:dropped") } else { name.to_owned() }, None);
        };
        let kind = result_kind(ty);
        let is_one_type = known.and_then(|kinds| kinds.get(&kind)).is_none_or(|types| types.len() <= 1);
        let ir_type = self.cx.ir_type(ty);
        if matches!(ir_type, Type::Ref(_)) {
            // It may be of any class.
            self.cx.shape_of(&Ty::Foreign(String::new()));
        }
        let printed = ir::print_type(&self.cx.program, &ir_type);
        let found = self.cx.foreign_found.results.entry(name.to_owned()).or_default();
        found.entry(kind.clone()).or_default().insert(printed);
        let ir_type = match ir_type {
            Type::Ref(_) if !is_one_type => self.cx.ir_type(&Ty::Foreign(String::new())),
            other => other,
        };
        (if is_only { name.to_owned() } else { format!("{name}:{kind}") }, Some(ir_type))
    }

    /// The procedure of a name; its result becomes known with the first call that wants it.
    fn outside_procedure(
        &mut self,
        name: String,
        short_name: &str,
        params: Vec<Type>,
        result: Option<Type>,
        access: Access,
    ) -> ir::ProcId {
        let program = &mut self.cx.program;
        if let Some(known) = program.procedure_named(&name) {
            let procedure = &mut program.procedures[known.index()];
            procedure.result = procedure.result.take().or(result);
            return known;
        }
        let local = |(index, ty)| Local { name: format!("p{index}"), ty };
        program.procedures.push(Procedure {
            name,
            short_name: short_name.to_owned(),
            params: params.len(),
            locals: params.into_iter().enumerate().map(local).collect(),
            result,
            body: None,
            external: External { access, library: false },
            span: Span::NOWHERE,
            assumptions: Vec::new(),
        });
        ir::ProcId::from_index(program.procedures.len() - 1)
    }

    /// The value, on runs on which it is of its class: what unknown code gives is well-typed.
    pub(super) fn of_class(&mut self, value: Value) -> Value {
        let shapes = match &value.ty {
            Ty::Class(class) if *class == self.cx.table.object => return value,
            Ty::Class(class) => {
                if self.may_be_nameless(*class, None) {
                    self.unsupported("an object from unknown code whose class may have no name");
                }
                self.assume_known_classes();
                let classes = self.cx.possible_classes(*class);
                classes.into_iter().map(|class| self.cx.shape_of(&Ty::Class(class))).collect()
            }
            Ty::Array(_) => self.cx.array_shapes(&value.ty),
            _ => return value,
        };
        let object = Box::new(value.expr.clone());
        let condition = or(is_null(&value), IrExpr::HasShape { object, shapes });
        self.emit(StmtKind::Assume { condition });
        value
    }

    /// Whether an object is of a class that is not given: a function of both that never changes.
    pub(super) fn is_of_foreign_class(&mut self, value: &Value, class: &str) -> IrExpr {
        let known_class = self.name_of_class(value);
        let outside = Outside {
            stem: format!("instanceof {class}"),
            short_name: format!("instanceof {}", simple_name(class)),
            access: Access::Pure,
            is_doubtful: true,
            args: vec![value.clone(), known_class],
            has_receiver: true,
        };
        self.call_outside(outside, &Wanted::Type(Ty::BOOLEAN)).expr
    }

    /// From here on a run shows no difference: it may rest on a value that the field never has.
    pub(super) fn doubt_value(&mut self, field: &str) {
        let name = format!("the value of {field}");
        let callee = self.outside_procedure(name.clone(), &name, Vec::new(), None, Access::Pure);
        self.cx.program.procedures[callee.index()].external.library = true;
        self.emit(StmtKind::Call { local: None, callee, args: Vec::new() });
    }

    /// The name of the class of an object, as far as it is given: new objects of two classes are not told apart by their
    /// identity.
    fn name_of_class(&mut self, value: &Value) -> Value {
        let mut shapes: Vec<(String, ir::ShapeId)> = Vec::new();
        for class in self.cx.possible_classes(self.cx.table.object) {
            let name = self.cx.table.class(class).name.clone();
            shapes.push((name, self.cx.shape_of(&Ty::Class(class))));
        }
        for class in self.cx.foreign_facts.collections.clone() {
            let shape = self.cx.collection_shape(&class);
            shapes.push((class, shape));
        }
        for (array, dimensions) in self.cx.foreign_facts.arrays.clone() {
            let shape = self.cx.made_array(&array, dimensions);
            shapes.push((array, shape));
        }
        let mut name = IrExpr::Const(Const::text(""));
        for (class, shape) in shapes {
            let object = Box::new(value.expr.clone());
            name = IrExpr::If {
                condition: Box::new(IrExpr::HasShape { object, shapes: vec![shape] }),
                then: Box::new(IrExpr::Const(Const::text(&class))),
                otherwise: Box::new(name),
            };
        }
        Value::new(name, Ty::Text)
    }

    /// `new C(...)` of a class that is not given: a new object, which its constructor gets.
    pub(super) fn new_foreign(&mut self, class: &str, args: &'a [Expr]) -> Value {
        let args = self.in_order(args, |body, arg| body.argument(arg));
        let ty = Ty::Foreign(class.to_owned());
        let local = self.temp_for(&ty);
        let is_plain = args.is_empty() && COLLECTIONS.contains(&simple_name(class));
        let shape = match is_plain {
            true => self.cx.collection_shape(class),
            false => self.cx.shape_of(&ty),
        };
        self.emit(StmtKind::New { local, shape, length: None, unwritten: false });
        let object = Value::new(IrExpr::Local(local), ty);
        if !is_plain {
            self.construct_foreign(class, object.clone(), args);
        }
        object
    }

    /// Calls the constructor of a class that is not given.
    pub(super) fn construct_foreign(&mut self, class: &str, object: Value, args: Vec<Value>) {
        let outside = Outside {
            stem: format!("{class}.<init>"),
            short_name: format!("new {}", simple_name(class)),
            access: Access::Writes,
            is_doubtful: is_doubtful(class),
            args: std::iter::once(object).chain(args).collect(),
            has_receiver: true,
        };
        self.call_outside(outside, &Wanted::Nothing);
    }

    /// A field of an object whose class is not given, or that its class inherits from one; it is not null.
    pub(super) fn foreign_field(&mut self, object: Value, owner: &str, name: &str, wanted: &Wanted) -> Value {
        let outside = Outside {
            stem: format!("{owner}.{name}"),
            short_name: name.to_owned(),
            access: Access::Asks,
            is_doubtful: is_doubtful(owner),
            args: vec![object],
            has_receiver: true,
        };
        self.call_outside(outside, wanted)
    }

    /// An assignment to a field that is not there. Which of two such assignments comes first is not observable.
    pub(super) fn assign_foreign_field(
        &mut self,
        object: Option<Value>,
        owner: &str,
        name: &str,
        value: Value,
    ) {
        let has_receiver = object.is_some();
        let outside = Outside {
            stem: format!("{owner}.{name}="),
            short_name: format!("{name} ="),
            access: Access::World,
            is_doubtful: true,
            args: object.into_iter().chain([value]).collect(),
            has_receiver,
        };
        self.call_outside(outside, &Wanted::Nothing);
    }

    /// Lets what a constant starts with be observed: it is an input of all other code.
    pub(super) fn show_initial_value(&mut self, name: &str, value: Value) {
        let outside = Outside {
            stem: format!("{name}="),
            short_name: format!("{name} ="),
            access: Access::World,
            is_doubtful: false,
            args: vec![value],
            has_receiver: false,
        };
        self.call_outside(outside, &Wanted::Nothing);
    }

    /// Throws an object whose class is not given: which one it is can be observed.
    pub(super) fn throw_foreign(&mut self, value: Value) {
        let value = self.small(value);
        self.check_not_null(&value);
        let outside = Outside {
            stem: "throw".to_owned(),
            short_name: "throw".to_owned(),
            access: Access::Writes,
            is_doubtful: false,
            args: vec![value],
            has_receiver: false,
        };
        self.call_outside(outside, &Wanted::Nothing);
        let error = self.cx.foreign_error();
        self.emit(StmtKind::Throw { error, message: None });
    }
}

/// The kind of an argument in the name of a procedure: classes are not told apart, since the caller may know more or less
/// of the class than the declaration says.
fn kind(ty: &Ty) -> String {
    match ty {
        Ty::Primitive(primitive) => primitive.name().to_owned(),
        Ty::Boxed(primitive) => primitive.box_name().to_owned(),
        Ty::Text => "String".to_owned(),
        Ty::Array(element) => format!("{}[]", kind(element)),
        Ty::Foreign(name) if name == "?" => "?".to_owned(),
        Ty::Class(_) | Ty::Foreign(_) | Ty::Null | Ty::Void | Ty::Unknown(_) => "Object".to_owned(),
    }
}

fn result_kind(ty: &Ty) -> String {
    match ty {
        Ty::Array(_) => "Object".to_owned(),
        Ty::Foreign(_) => "Object".to_owned(),
        other => kind(other),
    }
}

/// What every object can be asked gives the same type everywhere.
fn known_result(name: &str, args: usize, has_receiver: bool) -> Option<Ty> {
    match (name, args) {
        _ if !has_receiver => None,
        ("equals", 1) => Some(Ty::BOOLEAN),
        ("hashCode", 0) => Some(Ty::Primitive(Primitive::Int)),
        ("toString", 0) => Some(Ty::Text),
        _ => None,
    }
}
