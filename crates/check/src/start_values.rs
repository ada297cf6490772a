//! The values that static initialisers give to what nothing else writes.
//!
//! ```text
//! private static int n; static { n = 7; }        every method reads 7
//! ```
//!
//! The initialiser is run, once, and what it leaves behind takes the place of the reads. Exact: a value is taken only
//! from a run that ends, works on nothing but its own class, and calls no code that is not there. A variable without
//! such a value stays an input where both versions initialise it by the same code, and so hold the same; elsewhere a
//! read of it is unsupported.

use std::collections::{BTreeMap, BTreeSet};

use interp::{Ending, Input, Limits, Machine, RefValue, Run, Value};
use ir::{
    Access, Block, Const, Expr, External, FloatType, Pair, ProcId, Procedure, Program, ShapeId, Span,
    StaticId, StaticObject, Stmt, StmtKind, Type, for_each_expr, for_each_part, for_each_stmt,
    for_each_subexpr, reachable,
};

use ir::Numbers;
use ir::Subject;

/// Tables with more cells than this are not written out.
const MOST_CELLS: usize = 4096;

/// Puts the values of variables that only static initialisers write in the place of their reads.
pub fn substitute_start_values(programs: Pair<&mut Program>, numbers: Numbers) {
    let Pair { old, new } = programs;
    if old.start_up_only.is_empty() && new.start_up_only.is_empty() {
        return;
    }
    let values = Pair::new(start_values(old, numbers), start_values(new, numbers));
    let same = same_initialisers(Pair::new(old, new));
    for (program, values) in [(old, values.old), (new, values.new)] {
        replace_reads(program, &values, &same);
    }
}

/// The classes whose static initialisers changed, with what these are in each version.
#[derive(Clone, Debug)]
pub struct ChangedStart {
    initialisers: BTreeMap<String, Pair<Option<ProcId>>>,
}

impl ChangedStart {
    pub fn of(programs: Pair<&Program>) -> ChangedStart {
        let found = programs.map(initialisers);
        let classes: BTreeSet<&String> = found.old.keys().chain(found.new.keys()).collect();
        let of_class = |class: &&String| found.as_ref().map(|version| version.get(*class).copied());
        let is_changed = |(_, ids): &(String, Pair<Option<ProcId>>)| match (ids.old, ids.new) {
            (Some(old), Some(new)) => !ir::same_code(Pair::new((programs.old, old), (programs.new, new))),
            (Some(_) | None, Some(_) | None) => true,
        };
        let initialisers = classes.iter().map(|class| ((*class).clone(), of_class(class)));
        ChangedStart { initialisers: initialisers.filter(is_changed).collect() }
    }

    /// Those of the classes which a pair of procedures depends on: it reads their variables, or may be what makes them
    /// print.
    pub fn seen_by(&self, pair: Pair<Subject<'_>>) -> BTreeSet<String> {
        let is_seen = |(class, ids): &(&String, &Pair<Option<ProcId>>)| {
            depends_on(pair.old, class, ids.old) || depends_on(pair.new, class, ids.new)
        };
        self.initialisers.iter().filter(is_seen).map(|(class, _)| class.clone()).collect()
    }
}

fn depends_on(subject: Subject<'_>, class: &str, initialiser: Option<ProcId>) -> bool {
    let program = subject.program;
    let own = subject.procedure().class();
    let prints = initialiser.is_some_and(|id| {
        let mut prints = false;
        let body = program.procedure(id).body.as_deref().unwrap_or(&[]);
        for_each_stmt(body, &mut |stmt| prints |= matches!(stmt.kind, StmtKind::Print { .. }));
        prints
    });
    reachable(program, subject.procedure).into_iter().any(|id| {
        let procedure = program.procedure(id);
        let mut reads = prints && procedure.class() == Some(class) && own != Some(class);
        for_each_expr(procedure.body.as_deref().unwrap_or(&[]), &mut |expr| {
            reads |= variable(program, expr).is_some_and(|name| class_of(name) == class);
        });
        reads
    })
}

/// What a variable or static object holds once its class is initialised.
#[derive(Clone, Debug)]
enum Start {
    Plain(Const),
    /// The cells of an array, and of its rows; no other reference leads to them.
    Table(Table),
}

#[derive(Clone, Debug)]
struct Table {
    shape: String,
    cells: Vec<Start>,
}

/// The initialisers of the classes, by the names of the classes.
pub(crate) fn initialisers(program: &Program) -> BTreeMap<String, ProcId> {
    let procedures = program.procedures.iter().enumerate();
    let initialisers = procedures.filter(|(_, procedure)| procedure.short_name == "<clinit>");
    initialisers
        .filter_map(|(index, procedure)| Some((procedure.class()?.to_owned(), ProcId::from_index(index))))
        .collect()
}

/// The class in `Class.field` or `Class.field[3]`.
fn class_of(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(class, _)| class)
}

/// The classes that are initialised by the same code in both versions, whatever other classes hold.
fn same_initialisers(programs: Pair<&Program>) -> BTreeSet<String> {
    let initialisers = programs.map(initialisers);
    let both =
        initialisers.old.iter().filter_map(|(class, old)| Some((class, *old, *initialisers.new.get(class)?)));
    both.filter(|(class, old, new)| {
        ir::same_code(Pair::new((programs.old, *old), (programs.new, *new)))
            && !is_about_others(programs.old, *old, class)
    })
    .map(|(class, ..)| class.clone())
    .collect()
}

fn start_values(program: &Program, numbers: Numbers) -> BTreeMap<String, Start> {
    let mut values = BTreeMap::new();
    let initialisers = initialisers(program);
    let machine = Machine::new(program, numbers);
    let classes: BTreeSet<&str> = program.start_up_only.iter().map(|name| class_of(name)).collect();
    for class in classes {
        let Some(initialiser) = initialisers.get(class) else { continue };
        if is_about_others(program, *initialiser, class) {
            continue;
        }
        let run = machine.run(*initialiser, &Input::default(), &Limits::USUAL);
        if !matches!(run.ending, Ending::Returned(_))
            || run.inexact
            || run.doubtful
            || !run.external_calls.is_empty()
        {
            continue;
        }
        let names = program.start_up_only.iter().filter(|name| class_of(name) == class);
        for name in names {
            if let Some(value) = final_value(program, &run, name) {
                values.insert(name.clone(), value);
            }
        }
    }
    values
}

/// Whether code reads or writes variables of other classes than this one: these may hold anything by then.
pub(crate) fn is_about_others(program: &Program, procedure: ProcId, class: &str) -> bool {
    let mut names: Vec<&str> = Vec::new();
    for id in reachable(program, procedure) {
        let body = program.procedure(id).body.as_deref().unwrap_or(&[]);
        for_each_expr(body, &mut |expr| names.extend(variable(program, expr)));
        for_each_stmt(body, &mut |stmt| {
            if let StmtKind::AssignGlobal { global, .. } = &stmt.kind {
                names.push(&program.global(*global).name);
            }
        });
    }
    names.into_iter().any(|name| class_of(name) != class)
}

/// The variable or static object that an expression reads, unless it is constant.
fn variable<'p>(program: &'p Program, expr: &Expr) -> Option<&'p str> {
    match expr {
        Expr::Global(id) => Some(program.global(*id)).filter(|it| !it.constant).map(|it| &*it.name),
        Expr::Const(Const::Static(id)) => {
            let object = program.static_object(*id);
            // The constants of an enum have no cells that could differ.
            (!object.constant && !program.shape(object.shape).closed).then_some(&object.name)
        }
        _ => None,
    }
}

fn final_value(program: &Program, run: &Run, name: &str) -> Option<Start> {
    if let Some(global) = program.globals.iter().find(|global| global.name == name) {
        return start(program, run, run.globals.get(name)?, &global.ty);
    }
    let object = program.statics.iter().find(|object| object.name == name)?;
    table_of_static(program, run, object)
}

fn table_of_static(program: &Program, run: &Run, object: &StaticObject) -> Option<Start> {
    let cells = run.statics.get(&object.name)?;
    // A row is led to by its table.
    let expected = usize::from(object.name.ends_with(']'));
    if references(run, &Value::Ref(RefValue::Static(object.name.clone()))) > expected {
        return None;
    }
    table(program, run, &program.shape(object.shape).name, cells)
}

fn table(program: &Program, run: &Run, shape: &str, cells: &[Value]) -> Option<Start> {
    let id = ShapeId::from_index(program.shapes.iter().position(|it| it.name == shape)?);
    let ty = program.cell_type(id, 0)?;
    if cells.len() > MOST_CELLS {
        return None;
    }
    let cells: Option<Vec<Start>> = cells.iter().map(|cell| start(program, run, cell, ty)).collect();
    Some(Start::Table(Table { shape: shape.to_owned(), cells: cells? }))
}

fn start(program: &Program, run: &Run, value: &Value, ty: &Type) -> Option<Start> {
    match value {
        Value::Ref(RefValue::Object(index)) => {
            let object = run.objects.get(*index)?;
            let is_alone = references(run, value) == 1;
            let is_array = object.length == i64::try_from(object.cells.len()).ok();
            (is_alone && is_array).then(|| table(program, run, &object.shape, &object.cells))?
        }
        Value::Ref(RefValue::Static(name)) => {
            let id = program.statics.iter().position(|object| object.name == *name)?;
            let object = &program.statics[id];
            match object.constant || program.shape(object.shape).closed {
                true => Some(Start::Plain(Const::Static(StaticId::from_index(id)))),
                false => table_of_static(program, run, object),
            }
        }
        value => constant(value, ty).map(Start::Plain),
    }
}

/// How often something leads to an object at the end of a run.
fn references(run: &Run, wanted: &Value) -> usize {
    let objects = run.objects.iter().flat_map(|object| &object.cells);
    let all = run.globals.values().chain(run.statics.values().flatten()).chain(objects);
    all.map(|value| occurrences(value, wanted)).sum()
}

fn occurrences(value: &Value, wanted: &Value) -> usize {
    match value {
        Value::Record(parts) => parts.iter().map(|part| occurrences(part, wanted)).sum(),
        // No static field of Java is a map.
        Value::Map(_) => 2,
        value => usize::from(value == wanted),
    }
}

fn constant(value: &Value, ty: &Type) -> Option<Const> {
    match (value, ty) {
        (Value::Bool(value), Type::Bool) => Some(Const::Bool(*value)),
        (Value::Int(value), Type::Int(ty)) => ty.contains(*value).then_some(Const::Int(*ty, *value)),
        (Value::F32(bits), Type::Float(FloatType::F32)) => Some(Const::F32(*bits)),
        (Value::F64(bits), Type::Float(FloatType::F64)) => Some(Const::F64(*bits)),
        (Value::Text(None), Type::Text) => Some(Const::NullText),
        (Value::Text(Some(units)), Type::Text) => Some(Const::Text(units.clone())),
        (Value::Ref(RefValue::Null), Type::Ref(_)) => Some(Const::Null),
        (Value::Record(values), Type::Record(types)) if values.len() == types.len() => {
            let parts = values.iter().zip(types).map(|(value, ty)| constant(value, ty));
            Some(Const::Record(parts.collect::<Option<Vec<Const>>>()?))
        }
        _ => None,
    }
}

/// Replaces the reads of all variables that only initialisers write, in code that no initialiser runs.
fn replace_reads(program: &mut Program, values: &BTreeMap<String, Start>, same: &BTreeSet<String>) {
    let initialisers: Vec<ProcId> = initialisers(program).into_values().collect();
    let early: BTreeSet<ProcId> = initialisers.iter().flat_map(|id| reachable(program, *id)).collect();
    let constants: BTreeMap<String, Const> =
        values.iter().map(|(name, value)| (name.clone(), place(program, name, value))).collect();
    for index in 0..program.procedures.len() {
        let id = ProcId::from_index(index);
        if initialisers.contains(&id) {
            continue;
        }
        let Some(mut body) = program.procedures[index].body.take() else { continue };
        if !early.contains(&id) {
            ir::for_each_expr_mut(&mut body, &mut |expr| {
                let name = variable(program, expr);
                if let Some(value) = name.and_then(|name| constants.get(name)) {
                    *expr = Expr::Const(value.clone());
                }
            });
        }
        guard_reads(program, &mut body, same);
        program.procedures[index].body = Some(body);
    }
}

/// Makes the constant that a value is; a table becomes a constant object.
fn place(program: &mut Program, name: &str, value: &Start) -> Const {
    match value {
        Start::Plain(value) => value.clone(),
        Start::Table(table) => {
            let rows = table.cells.iter().enumerate();
            let cells: Vec<Const> =
                rows.map(|(index, cell)| place(program, &format!("{name}[{index}]"), cell)).collect();
            let shape = program.shapes.iter().position(|shape| shape.name == table.shape).unwrap_or(0);
            program.statics.push(StaticObject {
                name: format!("{name} (initialised)"),
                shape: ShapeId::from_index(shape),
                length: i64::try_from(cells.len()).ok(),
                cells,
                constant: true,
                private: true,
            });
            Const::Static(StaticId::from_index(program.statics.len() - 1))
        }
    }
}

/// Puts an unsupported statement before each that reads a variable whose value is not known and may not be the same
/// in both versions. Where it is the same, a run that reads it shows no difference: it may never have such a value.
fn guard_reads(program: &mut Program, block: &mut Block, same: &BTreeSet<String>) {
    let old = std::mem::take(block);
    for mut stmt in old {
        for inner in ir::blocks_mut(&mut stmt.kind) {
            guard_reads(program, inner, same);
        }
        let mut unknown: Option<String> = None;
        for_each_part(&stmt.kind, &mut |part| {
            for_each_subexpr(part, &mut |expr| {
                let name = variable(program, expr).filter(|name| program.start_up_only.contains(*name));
                unknown = unknown.take().or(name.map(str::to_owned));
            });
        });
        if let Some(name) = unknown {
            let kind = match same.contains(class_of(&name)) {
                true => StmtKind::Call { local: None, callee: doubt(program, &name), args: Vec::new() },
                false => {
                    let what = format!("the value that the static initialiser gives `{name}`");
                    StmtKind::Unsupported { what }
                }
            };
            block.push(Stmt { kind, span: stmt.span });
        }
        block.push(stmt);
    }
}

/// The unknown code whose call says that a run is no evidence: it does nothing.
fn doubt(program: &mut Program, name: &str) -> ProcId {
    let name = format!("the value of {name}");
    program.procedure_named(&name).unwrap_or_else(|| {
        program.procedures.push(Procedure {
            short_name: name.clone(),
            name,
            params: 0,
            locals: Vec::new(),
            result: None,
            body: None,
            external: External { access: Access::Pure, library: true },
            span: Span::NOWHERE,
            assumptions: Vec::new(),
        });
        ProcId::from_index(program.procedures.len() - 1)
    })
}
