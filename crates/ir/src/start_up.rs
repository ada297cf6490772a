//! Where programs start: the initial values of variables as procedures that can be compared, and `main` from there.
//!
//! For programs whose tables have all initial values, as those of C do. Exact: values that are not known, because
//! another file defines the variable, stay inputs.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    BinaryOp, Block, Cells, Const, Expr, Global, GlobalId, IntType, LabelId, Local, LocalId, Pair, ProcId,
    Procedure, Program, Scalar, Span, StaticId, StaticObject, Stmt, StmtKind, Type, first_free_label,
    for_each_expr, for_each_static, for_each_stmt, main_procedure, reachable,
};

/// What something holds at the start: a type and a value for each of its places.
type Values = Vec<(Type, Const)>;

/// Objects with at most this many cells are filled cell by cell.
const FEW_CELLS: usize = 256;
/// Of larger ones, at most this many cells that are not zero.
const MOST_CELLS: usize = 4096;
/// An initial value is shown with at most this many of the cells that differ.
const SHOWN_CELLS: usize = 16;

/// Adds a procedure `<value of x>` to both versions for each variable that starts with another value in the new one.
/// A variable inside of a procedure, `f.x`, starts there instead: see [`start_in_procedure`]. A variable of another type,
/// which other files can name, has such a procedure that is not supported in the old version.
pub fn add_initial_values(programs: Pair<&mut Program>) {
    let Pair { old, new } = programs;
    let mut made: Vec<(String, Pair<Values>)> = Vec::new();
    for global in old.globals.iter().filter(|global| is_variable(old, &global.name, global.constant)) {
        let partner = new.globals.iter().find(|it| it.name == global.name);
        let Some(partner) = partner.filter(|it| is_variable(new, &it.name, it.constant)) else { continue };
        if global.ty.accepts(&partner.ty) && !same(old, new, &global.initial, &partner.initial) {
            let values = Pair::new(global.initial.clone(), partner.initial.clone());
            let types = Pair::new(global.ty.clone(), partner.ty.clone());
            made.push((global.name.clone(), types.zip(values).map(|value| vec![value])));
        }
    }
    for object in old.statics.iter().filter(|object| is_variable(old, &object.name, object.constant)) {
        let partner = new.statics.iter().find(|it| it.name == object.name);
        let Some(partner) = partner.filter(|it| is_variable(new, &it.name, it.constant)) else { continue };
        if let Some(values) = changed_cells(old, new, object, partner) {
            made.push((object.name.clone(), values));
        }
    }
    for name in retyped(old, new) {
        made.retain(|(known, _)| *known != name);
        let what = format!("`{name}`, whose type changed,");
        add_procedure(
            old,
            &name,
            None,
            vec![Stmt { kind: StmtKind::Unsupported { what }, span: Span::NOWHERE }],
        );
        add_procedure(new, &name, None, Vec::new());
    }
    let mut inside: BTreeSet<String> = BTreeSet::new();
    for (name, values) in made {
        if owner(old, &name).is_some() && owner(new, &name).is_some() {
            inside.insert(name);
            continue;
        }
        add_value(old, &name, values.old);
        add_value(new, &name, values.new);
    }
    start_in_procedure(old, &inside);
    start_in_procedure(new, &inside);
}

/// The variables that other files can name and that have another type in the new version.
fn retyped(old: &Program, new: &Program) -> Vec<String> {
    let is_open = |program: &Program, name: &str, constant: bool, private: bool| {
        !private && is_variable(program, name, constant) && owner(program, name).is_none()
    };
    // Whether it is an object, and the types of its cells.
    let types = |program: &Program| -> BTreeMap<String, (bool, Vec<Type>)> {
        let globals = program.globals.iter().filter(|it| is_open(program, &it.name, it.constant, it.private));
        let globals = globals.map(|it| (it.name.clone(), (false, vec![it.ty.clone()])));
        let objects = program.statics.iter().filter(|it| is_open(program, &it.name, it.constant, it.private));
        let objects = objects.map(|it| {
            let cells = (0..it.cells.len()).map_while(|index| program.cell_type(it.shape, index).cloned());
            (it.name.clone(), (true, cells.collect()))
        });
        globals.chain(objects).collect()
    };
    let (old, new) = (types(old), types(new));
    let is_retyped = |(name, (is_object, types)): &(&String, &(bool, Vec<Type>))| {
        new.get(*name).is_some_and(|(other_is_object, others)| match types.len() == others.len() {
            true => !types.iter().zip(others).all(|(old, new)| old.accepts(new)),
            // Of two objects the lengths are compared.
            false => is_object != other_is_object,
        })
    };
    old.iter().filter(is_retyped).map(|(name, _)| name.clone()).collect()
}

/// The procedure that a variable like `f.x` stands in.
fn owner(program: &Program, variable: &str) -> Option<ProcId> {
    let (procedure, _) = variable.rsplit_once('.')?;
    program.procedure_named(procedure).filter(|id| program.procedure(*id).body.is_some())
}

/// Lets procedures give the variables inside of them their initial values, if they were never called before. Whether
/// that is so is an input, the variable `<first call of f>`: exact, since a call that is not the first one may find any
/// value. `main` starts from the initial values anyway.
fn start_in_procedure(program: &mut Program, names: &BTreeSet<String>) {
    let mut owned: BTreeMap<ProcId, BTreeSet<String>> = BTreeMap::new();
    for name in names {
        if let Some(procedure) = owner(program, name) {
            owned.entry(procedure).or_default().insert(name.clone());
        }
    }
    for (procedure, names) in owned {
        let first = GlobalId::from_index(program.globals.len());
        let name = format!("<first call of {}>", program.procedure(procedure).name);
        program.globals.push(Global {
            name,
            ty: Type::Bool,
            initial: Const::Bool(false),
            constant: false,
            private: true,
            fixed: false,
        });
        let span = program.procedure(procedure).span;
        let done = StmtKind::AssignGlobal { global: first, value: Expr::Const(Const::Bool(false)) };
        let values = initial_values(program, procedure, &names);
        let start: Block = [done].into_iter().chain(values).map(|kind| Stmt { kind, span }).collect();
        let kind = StmtKind::If { condition: Expr::Global(first), then: start, otherwise: Vec::new() };
        let body = program.procedures[procedure.index()].body.take().unwrap_or_default();
        let start = [Stmt { kind, span }].into_iter();
        program.procedures[procedure.index()].body = Some(start.chain(body).collect());
    }
}

fn is_variable(program: &Program, name: &str, constant: bool) -> bool {
    !constant && !name.starts_with('$') && !program.foreign.contains(name)
}

/// The cells of an object that differ, if it has the same layout in both versions; else what tells them apart.
fn changed_cells(
    old: &Program,
    new: &Program,
    object: &StaticObject,
    partner: &StaticObject,
) -> Option<Pair<Vec<(Type, Const)>>> {
    if object.length != partner.length || object.cells.len() != partner.cells.len() {
        let length = |object: &StaticObject| Const::Int(IntType::I64, object.cells.len() as i128);
        return Some(Pair::new(object, partner).map(|object| vec![(Type::I64, length(object))]));
    }
    let mut values = Pair::new(Vec::new(), Vec::new());
    for (index, (old_cell, new_cell)) in object.cells.iter().zip(&partner.cells).enumerate() {
        let types = Pair::new(old.cell_type(object.shape, index)?, new.cell_type(partner.shape, index)?);
        if types.old.accepts(types.new)
            && !same(old, new, old_cell, new_cell)
            && values.old.len() < SHOWN_CELLS
        {
            values.old.push((types.old.clone(), old_cell.clone()));
            values.new.push((types.new.clone(), new_cell.clone()));
        }
    }
    (!values.old.is_empty()).then_some(values)
}

/// Whether two initial values are the same; texts and other constant objects are compared by what is in them.
fn same(old: &Program, new: &Program, a: &Const, b: &Const) -> bool {
    match (a, b) {
        (Const::Static(a), Const::Static(b)) => {
            let (a, b) = (old.static_object(*a), new.static_object(*b));
            match a.constant && b.constant {
                true => {
                    a.cells.len() == b.cells.len()
                        && a.cells.iter().zip(&b.cells).all(|(a, b)| same(old, new, a, b))
                }
                false => a.name == b.name,
            }
        }
        (Const::Record(a), Const::Record(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(old, new, a, b))
        }
        _ => a == b,
    }
}

fn add_value(program: &mut Program, name: &str, values: Vec<(Type, Const)>) {
    let (types, mut constants): (Vec<Type>, Vec<Const>) = values.into_iter().unzip();
    let (result, value) = match (types.as_slice(), constants.len()) {
        ([ty], 1) => (ty.clone(), constants.remove(0)),
        _ => (Type::Record(types), Const::Record(constants)),
    };
    let body = vec![Stmt { kind: StmtKind::Return(Some(Expr::Const(value))), span: Span::NOWHERE }];
    add_procedure(program, name, Some(result), body);
}

fn add_procedure(program: &mut Program, name: &str, result: Option<Type>, body: Block) {
    let short_name = format!("<value of {name}>");
    program.procedures.push(Procedure {
        name: short_name.clone(),
        short_name,
        params: 0,
        locals: Vec::new(),
        result,
        body: Some(body),
        external: crate::External::default(),
        span: Span::NOWHERE,
        assumptions: Vec::new(),
    });
}

/// Lets `main` start from the initial values of the variables that it can get at in either version, unless something
/// calls it.
pub fn start_main(programs: Pair<&mut Program>) {
    let Pair { old, new } = programs;
    let mains = Pair::new(entry_point(old), entry_point(new));
    let mut names: BTreeSet<String> = BTreeSet::new();
    for (program, main) in [(&*old, mains.old), (&*new, mains.new)] {
        let Some(main) = main else { return };
        let (globals, statics) = used(program, main);
        names.extend(globals.into_iter().map(|id| program.global(id).name.clone()));
        names.extend(statics.into_iter().map(|id| program.static_object(id).name.clone()));
        // Code that is not there may look at all variables; those with the same value are the same to it.
        if calls_readers(program, main) {
            names.extend(changed_starts(program));
        }
    }
    // A variable that one version never names is there all the same, and starts with its value.
    share_scalars(old, new, &names);
    share_scalars(new, old, &names);
    let (Some(main_of_old), Some(main_of_new)) = (mains.old, mains.new) else { return };
    let versions = Pair::new(&mut *old, &mut *new);
    let is_left = |program: &Program| forgotten(program, &names);
    let left: BTreeSet<String> = is_left(versions.old).union(&is_left(versions.new)).cloned().collect();
    main_procedure::end_alike(
        versions,
        Pair::new(main_of_old, main_of_new),
        !left.is_empty(),
        |program, main| last_values(program, main, &left),
    );
    for (program, main) in [(old, main_of_old), (new, main_of_new)] {
        start_from_initial_values(program, main, &names);
        main_procedure::assume_arguments(program, main);
    }
}

/// Whether code that is not there may look at variables while the procedure runs.
fn calls_readers(program: &Program, procedure: ProcId) -> bool {
    reachable(program, procedure).into_iter().any(|id| {
        let procedure = program.procedure(id);
        procedure.body.is_none() && procedure.external.access.reads_memory()
    })
}

/// The variables that have a procedure [`<value of x>`](add_initial_values).
fn changed_starts(program: &Program) -> impl Iterator<Item = String> + '_ {
    let variable = |name: &'_ str| name.strip_prefix("<value of ")?.strip_suffix('>').map(str::to_owned);
    program.procedures.iter().filter_map(move |procedure| variable(&procedure.name))
}

/// The variables that are as if they never were after the end of a program; large ones stay as they are.
fn forgotten(program: &Program, names: &BTreeSet<String>) -> BTreeSet<String> {
    let globals = program.globals.iter().map(|global| (&global.name, global.constant));
    let small = program.statics.iter().filter(|object| object.cells.len() <= FEW_CELLS);
    let all = globals.chain(small.map(|object| (&object.name, object.constant)));
    let forgotten =
        all.filter(|(name, constant)| names.contains(*name) && is_variable(program, name, *constant));
    forgotten.map(|(name, _)| name.clone()).collect()
}

/// The `main` of a C program, if it has a body and nothing calls it: variables have their initial values there.
pub fn entry_point(program: &Program) -> Option<ProcId> {
    let main = program.procedure_named("main").filter(|id| program.procedure(*id).body.is_some())?;
    let is_called = |procedure: &Procedure| {
        let mut calls = false;
        for_each_stmt(procedure.body.as_deref().unwrap_or(&[]), &mut |stmt| {
            calls |= matches!(stmt.kind, StmtKind::Call { callee, .. } if callee == main);
        });
        calls
    };
    (!program.procedures.iter().any(is_called)).then_some(main)
}

fn share_scalars(from: &Program, to: &mut Program, names: &BTreeSet<String>) {
    for global in from.globals.iter().filter(|global| names.contains(&global.name)) {
        let is_known = to.globals.iter().any(|known| known.name == global.name)
            || to.statics.iter().any(|known| known.name == global.name);
        if !is_known && global.ty.scalar().is_some() {
            to.globals.push(global.clone());
            if from.foreign.contains(&global.name) {
                to.foreign.insert(global.name.clone());
            }
        }
    }
}

fn start_from_initial_values(program: &mut Program, main: ProcId, names: &BTreeSet<String>) {
    let start = initial_values(program, main, names);
    let span = program.procedure(main).span;
    let body = program.procedures[main.index()].body.take().unwrap_or_default();
    let start = start.into_iter().map(|kind| Stmt { kind, span });
    program.procedures[main.index()].body = Some(start.chain(body).collect());
}

/// Statements at the end of `main` after which variables hold the same in both versions: their initial values, or zeros
/// where these differ.
fn last_values(program: &mut Program, main: ProcId, names: &BTreeSet<String>) -> Vec<StmtKind> {
    let changed: BTreeSet<String> = changed_starts(program).collect();
    if changed.is_empty() {
        return initial_values(program, main, names);
    }
    let as_it_is = program.clone();
    let zero = |ty: Option<&Type>, value: &mut Const| *value = ty.map_or(Const::Null, Const::zero);
    for global in program.globals.iter_mut().filter(|global| changed.contains(&global.name)) {
        zero(Some(&global.ty), &mut global.initial);
    }
    for object in program.statics.iter_mut().filter(|object| changed.contains(&object.name)) {
        for (index, cell) in object.cells.iter_mut().enumerate() {
            zero(as_it_is.cell_type(object.shape, index), cell);
        }
    }
    let values = initial_values(program, main, names);
    program.globals = as_it_is.globals;
    program.statics = as_it_is.statics;
    values
}

/// Statements at the start of a procedure that give variables their initial values.
fn initial_values(program: &mut Program, procedure: ProcId, names: &BTreeSet<String>) -> Vec<StmtKind> {
    let mut start = Vec::new();
    for (index, global) in program.globals.iter().enumerate() {
        if names.contains(&global.name) && is_variable(program, &global.name, global.constant) {
            let (global, value) = (GlobalId::from_index(index), Expr::Const(global.initial.clone()));
            start.push(StmtKind::AssignGlobal { global, value });
        }
    }
    let free = first_free_label(program.procedure(procedure).body.as_deref().unwrap_or(&[]));
    let mut label = LabelId::from_index(free);
    for index in 0..program.statics.len() {
        let object = program.statics[index].clone();
        if names.contains(&object.name) && is_variable(program, &object.name, object.constant) {
            fill(program, procedure, StaticId::from_index(index), &object, &mut label, &mut start);
        }
    }
    start
}

/// The globals and static objects that the code of a procedure can get at.
fn used(program: &Program, procedure: ProcId) -> (BTreeSet<GlobalId>, BTreeSet<StaticId>) {
    let (mut globals, mut statics) = (BTreeSet::new(), BTreeSet::new());
    let mut open: Vec<&Const> = Vec::new();
    for id in reachable(program, procedure) {
        let body = program.procedure(id).body.as_deref().unwrap_or(&[]);
        for_each_expr(body, &mut |expr| match expr {
            Expr::Global(global) => {
                globals.insert(*global);
            }
            Expr::Const(value) => open.push(value),
            _ => {}
        });
        for_each_stmt(body, &mut |stmt| {
            if let StmtKind::AssignGlobal { global, .. } = &stmt.kind {
                globals.insert(*global);
            }
        });
    }
    open.extend(globals.iter().map(|id| &program.global(*id).initial));
    while let Some(value) = open.pop() {
        for_each_static(value, &mut |id| {
            if statics.insert(id) {
                open.extend(&program.static_object(id).cells);
            }
        });
    }
    (globals, statics)
}

/// Adds statements that write the initial cells of an object.
fn fill(
    program: &mut Program,
    main: ProcId,
    id: StaticId,
    object: &StaticObject,
    label: &mut LabelId,
    start: &mut Vec<StmtKind>,
) {
    let (Cells::Fields(regions) | Cells::Indexed(regions)) = program.shape(object.shape).cells.clone();
    let index_type = program.length_type(object.shape);
    let is_zero = |index: usize, cell: &Const| {
        program.cell_type(object.shape, index).is_some_and(|ty| *cell == Const::zero(ty))
    };
    let few = object.cells.len() <= FEW_CELLS;
    let kept: Vec<(usize, Const)> = object
        .cells
        .iter()
        .enumerate()
        .filter(|(index, cell)| few || !is_zero(*index, cell))
        .map(|(index, cell)| (index, cell.clone()))
        .collect();
    if !few {
        let (Some(ty), [region], true) = (index_type, regions.as_slice(), kept.len() <= MOST_CELLS) else {
            let what = format!("the initial contents of `{}`, which is large,", object.name);
            start.push(StmtKind::Unsupported { what });
            return;
        };
        let region = *region;
        let zero = Const::zero(&program.region(region).value);
        let local = LocalId::from_index(program.procedure(main).locals.len());
        let name = format!("$start{}", id.index());
        program.procedures[main.index()].locals.push(Local { name, ty: Type::Int(ty) });
        let number = |value: i128| Expr::Const(Const::Int(ty, value));
        let compute = |op, by| Expr::Binary {
            op,
            ty: Scalar::Int(ty),
            lhs: Box::new(Expr::Local(local)),
            rhs: Box::new(number(by)),
        };
        let at = |kind| Stmt { kind, span: Span::NOWHERE };
        let body: Block = vec![
            at(StmtKind::If {
                condition: compute(BinaryOp::Lt, object.cells.len() as i128),
                then: Vec::new(),
                otherwise: vec![at(StmtKind::Break(*label))],
            }),
            at(StmtKind::Store {
                region,
                object: Expr::Const(Const::Static(id)),
                index: Some(Expr::Local(local)),
                value: Expr::Const(zero),
            }),
            at(StmtKind::Assign { local, value: compute(BinaryOp::Add, 1) }),
        ];
        start.push(StmtKind::Assign { local, value: number(0) });
        start.push(StmtKind::Loop { label: *label, body });
        *label = LabelId::from_index(label.index() + 1);
    }
    for (index, cell) in kept {
        start.push(StmtKind::Store {
            region: regions[index % regions.len()],
            object: Expr::Const(Const::Static(id)),
            index: index_type.map(|ty| Expr::Const(Const::Int(ty, index as i128))),
            value: Expr::Const(cell),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{print, read_program, validate};

    #[test]
    fn main_starts_from_the_initial_values() {
        let text = "program c\nglobal g: i32 = 3\nconst global k: i32 = 4\nglobal other: i32 = 5\n\
                    proc main() -> i32 { return add.i32(g, k) }";
        let mut old = read_program(text).unwrap();
        let mut new = read_program("program c\nproc main() -> i32 { return 7 }").unwrap();
        start_main(Pair::new(&mut old, &mut new));
        for program in [old, new] {
            assert_eq!(validate(&program), Ok(()));
            let text = print(&program);
            assert!(text.contains("  g = 3"), "{text}");
            assert!(!text.contains("  other = 5"), "{text}");
        }
    }

    #[test]
    fn only_changed_values_are_compared() {
        let read = |text: &str| read_program(text).unwrap();
        let mut old = read("program c\nglobal g: i32 = 3\nglobal h: i32 = 1");
        let mut new = read("program c\nglobal g: i32 = 4\nglobal h: i32 = 1");
        add_initial_values(Pair::new(&mut old, &mut new));
        let names =
            |program: &Program| program.procedures.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&old), ["<value of g>"]);
        assert_eq!(names(&new), names(&old));
        assert!(old.procedures[0].is_start_up());
    }

    #[test]
    fn a_variable_inside_of_a_procedure_starts_there() {
        let text =
            |value: i32| format!("program c\nglobal f.n: i32 = {value}\nproc f() -> i32 {{ return f.n }}");
        let read = |text: String| read_program(&text).unwrap();
        let (mut old, mut new) = (read(text(3)), read(text(4)));
        add_initial_values(Pair::new(&mut old, &mut new));
        assert_eq!(new.procedures.len(), 1);
        assert_eq!(validate(&new), Ok(()));
        let text = print(&new);
        assert!(text.contains("f.n = 4"), "{text}");
    }
}
