//! Runs a procedure on many inputs, and writes down what variables were.

use std::collections::{BTreeMap, BTreeSet};

use inputs::Generator;
use interp::{Ending, Input, Limits, Machine, ObjectValue, RefValue, Run, Value};
use ir::{
    Expr, IntType, Language, LocalId, Numbers, Pair, ProcId, Program, RegionId, Stmt, StmtKind, Subject,
    Target, Type,
};
use rewrite::LoopHead;

use super::Moment;

/// Inputs that are tried, steps that a run may take, and rows that are kept.
const RUNS: u64 = 400;
const LIMITS: Limits = Limits { steps: 4_000, ..Limits::USUAL };
const MOST_ROWS: usize = 800;
/// Iterations of one loop in one run.
const MOST_ITERATIONS: usize = 12;
/// Columns of a table.
const MOST_COLUMNS: usize = 14;
/// With fewer rows anything may be chance.
const FEWEST_ROWS: usize = 8;
/// What the names of observers begin with.
const HEAD: &str = "$likely ";

/// What variables were at one moment of several runs.
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    /// A value for each column.
    pub(super) rows: Vec<Vec<Seen>>,
    pub(super) language: Language,
}

pub(super) struct Column {
    /// As a contract writes it.
    pub(super) text: String,
    pub(super) kind: Kind,
    /// Whether the procedure determines it: others are only what it may depend on.
    pub(super) is_target: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Int(IntType),
    Bool,
    /// A reference: null, or the number of an object.
    Reference,
    /// Whether the elements of an array are in order.
    Sorted,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Seen {
    Int(i128),
    Bool(bool),
    Null,
    Object(usize),
    /// There are too few elements to tell.
    Either,
}

/// The tables of a procedure: of its end, and of its loops.
pub(super) fn tables(
    program: &Program,
    procedure: ProcId,
    numbers: Numbers,
    seed: u64,
) -> Vec<(Moment, Table)> {
    let heads = loops(program, procedure);
    let observed = rewrite::observe_loops(program, &heads);
    let machine = Machine::new(&observed, numbers);
    let subject = Subject::new(program, procedure);
    let mut generator = Generator::new(Pair::new(subject, subject), numbers, seed);
    let watch = Watch::of(program, procedure);
    let mut ends = Rows::default();
    let mut at_loops: BTreeMap<usize, Rows> = BTreeMap::new();
    for number in 0..RUNS {
        let input = match number % 2 {
            0 => generator.random(),
            _ => generator.combination(number / 2, 5).unwrap_or_else(|| generator.random()),
        };
        let run = machine.run(procedure, &input, &LIMITS);
        if run.invented.is_some() || run.ending == Ending::Excluded {
            continue;
        }
        if let Ending::Returned(result) = &run.ending {
            ends.add(watch.end(&input, &run, result.as_ref()));
        }
        for (at, head) in heads.iter().enumerate() {
            let calls = run.external_calls.iter().filter(|call| call.name == head.name);
            for call in calls.take(MOST_ITERATIONS) {
                at_loops.entry(at).or_default().add(watch.iteration(&call.args, &head.state, &run));
            }
        }
    }
    let mut found = vec![(Moment::End, ends.table(watch.end_columns(), program.language))];
    for (at, rows) in at_loops {
        let columns = watch.loop_columns(heads[at].stmt, &heads[at].state);
        let moment = Moment::Loop(heads[at].stmt.span.line);
        found.push((moment, rows.table(columns, program.language)));
    }
    found.retain(|(_, table)| table.rows.len() >= FEWEST_ROWS);
    found
}

/// Rows, each of them once. A value may be missing, as the length of null.
#[derive(Default)]
struct Rows(BTreeSet<Vec<Option<Seen>>>);

impl Rows {
    fn add(&mut self, row: Vec<Option<Seen>>) {
        if self.0.len() < MOST_ROWS {
            self.0.insert(row);
        }
    }

    /// A table of the columns that always have a value.
    fn table(self, columns: Vec<Column>, language: Language) -> Table {
        let is_there = |at: &usize| self.0.iter().all(|row| row.get(*at).is_some_and(Option::is_some));
        let kept: Vec<usize> = (0..columns.len()).filter(is_there).take(MOST_COLUMNS).collect();
        let mut rows: Vec<Vec<Seen>> =
            self.0.iter().map(|row| kept.iter().filter_map(|at| row[*at]).collect()).collect();
        rows.sort();
        rows.dedup();
        let is_kept = |(at, column): (usize, Column)| kept.contains(&at).then_some(column);
        let columns = columns.into_iter().enumerate().filter_map(is_kept).collect();
        Table { columns, rows, language }
    }
}

/// The loops of a procedure with the locals that the source names. Several on one line are left out.
fn loops(program: &Program, id: ProcId) -> Vec<LoopHead<'_>> {
    let procedure = program.procedure(id);
    let is_named = |local: &ir::Local| {
        let twice = procedure.locals.iter().filter(|other| other.name == local.name).count() > 1;
        !twice && local.name != "this" && !local.name.starts_with('$')
    };
    let is_told = |local: &ir::Local| kind_of(&local.ty).is_some() || is_array(program, &local.ty);
    let named = procedure.locals.iter().enumerate().filter(|(_, it)| is_named(it) && is_told(it));
    let state: Vec<Expr> = named.map(|(at, _)| Expr::Local(LocalId::from_index(at))).collect();
    let mut stmts: Vec<&Stmt> = Vec::new();
    ir::for_each_stmt(procedure.body.as_deref().unwrap_or_default(), &mut |stmt| {
        if matches!(stmt.kind, StmtKind::Loop { .. }) && !stmt.span.is_nowhere() {
            stmts.push(stmt);
        }
    });
    let alone = |stmt: &&Stmt| stmts.iter().filter(|it| it.span.line == stmt.span.line).count() == 1;
    stmts
        .iter()
        .filter(|stmt| alone(stmt))
        .enumerate()
        .map(|(at, stmt)| LoopHead { procedure: id, stmt, name: format!("{HEAD}{at}"), state: state.clone() })
        .collect()
}

fn kind_of(ty: &Type) -> Option<Kind> {
    match ty {
        Type::Int(int) => Some(Kind::Int(*int)),
        Type::Bool => Some(Kind::Bool),
        _ => None,
    }
}

/// Whether this is an array of Java.
fn is_array(program: &Program, ty: &Type) -> bool {
    matches!(ty, Type::Ref(Target::Shape(shape))
        if program.language == Language::Java && program.shape(*shape).name.ends_with("[]"))
}

/// What is looked at.
struct Watch<'p> {
    program: &'p Program,
    procedure: ProcId,
    /// Fields of the receiver: the region, what the source calls it, and whether the procedure may change it.
    fields: Vec<(RegionId, String, Kind, bool)>,
    /// Globals: the name in the program, what the source calls it, and whether the procedure may change it.
    globals: Vec<(String, String, Kind, bool)>,
    /// Whether it may change elements of arrays.
    writes_arrays: bool,
}

impl<'p> Watch<'p> {
    fn of(program: &'p Program, procedure: ProcId) -> Watch<'p> {
        let effects = ir::effects(program, procedure);
        let first = program.procedure(procedure).locals.first();
        let mut fields = Vec::new();
        if let Some(ir::Local { name, ty: Type::Ref(Target::Shape(shape)) }) = first
            && name == "this"
            && program.procedure(procedure).params > 0
            && let ir::Cells::Fields(regions) = &program.shape(*shape).cells
        {
            for id in regions {
                let region = program.region(*id);
                let short = region.name.rsplit('.').next().unwrap_or_default();
                let is_used = effects.reads_regions.contains(id) || effects.writes_regions.contains(id);
                if let Some(kind) = kind_of(&region.value).filter(|_| is_used && is_word(short)) {
                    fields.push((*id, format!("this.{short}"), kind, effects.writes_regions.contains(id)));
                }
            }
        }
        let mut globals = Vec::new();
        for id in effects.reads_globals.union(&effects.writes_globals) {
            let global = program.global(*id);
            let is_plain = global.name.split('.').all(is_word) && !global.constant;
            if let Some(kind) = kind_of(&global.ty).filter(|_| is_plain) {
                let is_written = effects.writes_globals.contains(id);
                globals.push((global.name.clone(), global.name.clone(), kind, is_written));
            }
        }
        let is_array = |id: &RegionId| program.region(*id).name.ends_with("[]");
        let writes_arrays = effects.writes_regions.iter().any(is_array);
        Watch { program, procedure, fields, globals, writes_arrays }
    }

    fn parameters(&self) -> impl Iterator<Item = (usize, &'p ir::Local)> {
        let all = self.program.procedure(self.procedure).parameters().iter().enumerate();
        all.filter(|(_, local)| local.name != "this" && !local.name.starts_with('$'))
    }

    fn result(&self) -> Option<&'p Type> {
        let procedure = self.program.procedure(self.procedure);
        procedure.result.as_ref().filter(|_| !procedure.short_name.starts_with('<'))
    }

    fn is_java(&self) -> bool {
        self.program.language == Language::Java
    }

    /// The columns of the end, in the order in which `end` gives their values.
    fn end_columns(&self) -> Vec<Column> {
        let column = |text: String, kind, is_target| Column { text, kind, is_target };
        let mut columns = Vec::new();
        match self.result() {
            Some(ty) if is_array(self.program, ty) => {
                columns.push(column("\\result".to_owned(), Kind::Reference, true));
                columns.push(column("\\result.length".to_owned(), Kind::Int(IntType::I32), true));
                columns.push(column("\\result".to_owned(), Kind::Sorted, true));
            }
            Some(Type::Ref(_) | Type::Text) if self.is_java() => {
                columns.push(column("\\result".to_owned(), Kind::Reference, true));
            }
            Some(ty) => columns.extend(kind_of(ty).map(|kind| column("\\result".to_owned(), kind, true))),
            None => {}
        }
        for (_, text, kind, is_written) in &self.fields {
            columns.push(column(text.clone(), *kind, *is_written));
            if *is_written {
                columns.push(column(format!("\\old({text})"), *kind, false));
            }
        }
        for (_, text, kind, is_written) in &self.globals {
            columns.push(column(text.clone(), *kind, *is_written));
            if *is_written {
                columns.push(column(format!("\\old({text})"), *kind, false));
            }
        }
        for (_, local) in self.parameters() {
            if is_array(self.program, &local.ty) {
                columns.push(column(local.name.clone(), Kind::Reference, false));
                columns.push(column(format!("{}.length", local.name), Kind::Int(IntType::I32), false));
                columns.push(column(local.name.clone(), Kind::Sorted, self.writes_arrays));
            } else if self.is_java() && matches!(local.ty, Type::Ref(_)) {
                columns.push(column(local.name.clone(), Kind::Reference, false));
            } else {
                columns.extend(kind_of(&local.ty).map(|kind| column(local.name.clone(), kind, false)));
            }
        }
        columns
    }

    fn end(&self, input: &Input, run: &Run, result: Option<&Value>) -> Vec<Option<Seen>> {
        let mut row = Vec::new();
        match self.result() {
            Some(ty) if is_array(self.program, ty) => {
                row.push(result.and_then(seen));
                row.push(result.and_then(|value| length(value, run)));
                row.push(result.and_then(|value| sorted(value, run)));
            }
            Some(Type::Ref(_) | Type::Text) if self.is_java() => row.push(result.and_then(seen)),
            Some(ty) if kind_of(ty).is_some() => row.push(result.and_then(seen)),
            Some(_) | None => {}
        }
        let receiver = input.args.first();
        for (region, _, _, is_written) in &self.fields {
            let name = &self.program.region(*region).name;
            let place = match receiver {
                Some(Value::Ref(RefValue::Object(at))) => Some(*at),
                _ => None,
            };
            let field = |objects: &[ObjectValue]| seen(cell(self.program, objects.get(place?)?, name)?);
            row.push(field(&run.objects));
            if *is_written {
                row.push(field(&input.objects));
            }
        }
        for (name, _, _, is_written) in &self.globals {
            row.push(run.globals.get(name).and_then(seen));
            if *is_written {
                row.push(input.globals.get(name).and_then(seen));
            }
        }
        for (at, local) in self.parameters() {
            let value = input.args.get(at);
            if is_array(self.program, &local.ty) {
                row.push(value.and_then(seen));
                row.push(value.and_then(|value| length(value, run)));
                row.push(value.and_then(|value| sorted(value, run)));
            } else if self.is_java() && matches!(local.ty, Type::Ref(_)) || kind_of(&local.ty).is_some() {
                row.push(value.and_then(seen));
            }
        }
        row
    }

    /// The columns of a loop: what it, or the procedure, assigns are its targets.
    fn loop_columns(&self, stmt: &Stmt, state: &[Expr]) -> Vec<Column> {
        let procedure = self.program.procedure(self.procedure);
        let mut assigned = BTreeSet::new();
        ir::for_each_stmt(std::slice::from_ref(stmt), &mut |inner| {
            assigned.extend(ir::assigned_locals(&inner.kind));
        });
        let mut columns = Vec::new();
        for value in state {
            let Expr::Local(id) = value else { continue };
            let local = &procedure.locals[id.index()];
            columns.push(match kind_of(&local.ty) {
                Some(kind) => Column { text: local.name.clone(), kind, is_target: assigned.contains(id) },
                None => Column {
                    text: format!("{}.length", local.name),
                    kind: Kind::Int(IntType::I32),
                    is_target: false,
                },
            });
        }
        columns
    }

    fn iteration(&self, values: &[Value], state: &[Expr], run: &Run) -> Vec<Option<Seen>> {
        let procedure = self.program.procedure(self.procedure);
        let mut row = Vec::new();
        for (value, place) in values.iter().zip(state) {
            let Expr::Local(id) = place else { continue };
            row.push(match kind_of(&procedure.locals[id.index()].ty) {
                Some(_) => seen(value),
                None => length(value, run),
            });
        }
        row
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
        && text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

fn seen(value: &Value) -> Option<Seen> {
    match value {
        Value::Int(number) => Some(Seen::Int(*number)),
        Value::Bool(truth) => Some(Seen::Bool(*truth)),
        Value::Ref(RefValue::Null) | Value::Text(None) => Some(Seen::Null),
        Value::Ref(RefValue::Object(at)) => Some(Seen::Object(*at)),
        // It is not null, and is not told from others.
        Value::Ref(RefValue::Static(_)) | Value::Text(Some(_)) => Some(Seen::Object(usize::MAX)),
        _ => None,
    }
}

fn cell<'v>(program: &Program, object: &'v ObjectValue, region: &str) -> Option<&'v Value> {
    let at = match object.fields.is_empty() {
        false => object.fields.iter().position(|name| name == region)?,
        true => {
            let shape = program.shapes.iter().find(|shape| shape.name == object.shape)?;
            let ir::Cells::Fields(regions) = &shape.cells else { return None };
            regions.iter().position(|id| program.region(*id).name == region)?
        }
    };
    object.cells.get(at)
}

fn length(value: &Value, run: &Run) -> Option<Seen> {
    Some(Seen::Int(i128::from(run.object(value)?.length?)))
}

/// Whether the numbers of an array are in order.
fn sorted(value: &Value, run: &Run) -> Option<Seen> {
    let cells = &run.object(value)?.cells;
    let numbers: Vec<i128> = cells
        .iter()
        .map(|cell| match cell {
            Value::Int(number) => Some(*number),
            _ => None,
        })
        .collect::<Option<_>>()?;
    if numbers.len() < 2 || numbers.iter().all(|it| *it == numbers[0]) {
        return Some(Seen::Either);
    }
    Some(Seen::Bool(numbers.is_sorted()))
}
