//! Moves a run of statements into a procedure of its own, in both versions at once.
//!
//! Exact: the program with the call does what the program without did. The procedure takes what the statements read
//! and gives what is read later; a jump out of the run is a number in its result that the caller jumps by.

use std::collections::BTreeSet;

use ir::{
    BinaryOp, Const, Expr, Flow, Fragment, IntType, LabelId, Local, LocalId, Pair, ProcId, Procedure,
    Program, Scalar, Span, Stmt, StmtKind, Surroundings, Type, blocks, blocks_mut, flows, for_each_local_mut,
    for_each_stmt, for_each_stmt_mut,
};

use crate::validated;

/// Where consecutive statements stand in a procedure.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct RunPath {
    /// From the body inwards: which statement, and which of its blocks.
    pub inside: Vec<(usize, usize)>,
    pub first: usize,
    pub length: usize,
}

impl RunPath {
    /// The list that the statements stand in.
    pub fn list<'a>(&self, body: &'a [Stmt]) -> Option<&'a [Stmt]> {
        let mut list = body;
        for (statement, block) in &self.inside {
            list = blocks(&list.get(*statement)?.kind).get(*block)?.as_slice();
        }
        Some(list)
    }

    pub fn statements<'a>(&self, body: &'a [Stmt]) -> Option<&'a [Stmt]> {
        self.list(body)?.get(self.first..self.first + self.length)
    }

    fn list_mut<'a>(&self, body: &'a mut Vec<Stmt>) -> Option<&'a mut Vec<Stmt>> {
        let mut list = body;
        for (statement, block) in &self.inside {
            let stmt = list.get_mut(*statement)?;
            list = blocks_mut(&mut stmt.kind).into_iter().nth(*block)?;
        }
        Some(list)
    }
}

/// A program in which statements were moved into a procedure.
#[derive(Clone, Debug)]
pub struct Outlined {
    pub program: Program,
    /// The procedure that has the statements now.
    pub part: ProcId,
    /// The names of what the statements compute for the code after them.
    pub outputs: Vec<String>,
}

/// Moves the same statements of two procedures into procedures of this name.
///
/// `None` if they are not the same up to the names of locals and labels and to what the callees do, or if a handler
/// could see what they did before they failed.
pub fn outline(pair: Pair<(&Program, ProcId)>, path: &RunPath, name: &str) -> Option<Pair<Outlined>> {
    let fragments = pair
        .try_map(|(program, procedure)| {
            let statements =
                program.procedure(procedure).body.as_ref().and_then(|body| path.statements(body));
            statements.map(|statements| Fragment { program, procedure, statements }).ok_or(())
        })
        .ok()?;
    let around = pair.map(|(program, procedure)| Surroundings::of(program, procedure));
    let flows = flows(fragments, around.as_ref())?;
    fragments.zip(flows).try_map(|(fragment, flow)| outlined(fragment, &flow, path, name).ok_or(())).ok()
}

fn outlined(fragment: Fragment<'_>, flow: &Flow, path: &RunPath, name: &str) -> Option<Outlined> {
    if has_dead_ways_out(fragment.statements, flow) {
        return None;
    }
    let procedure = fragment.program.procedure(fragment.procedure);
    let way_out = Layout::of(procedure, flow);
    let mut program = fragment.program.clone();
    let part = ProcId::from_index(program.procedures.len());
    program.procedures.push(part_procedure(fragment, flow, &way_out, name));
    let caller = &mut program.procedures[fragment.procedure.index()];
    let call = call_of(caller, flow, &way_out, part, fragment.statements.first()?.span);
    let list = path.list_mut(caller.body.as_mut()?)?;
    list.splice(path.first..path.first + path.length, call);
    let outputs = flow.outputs.iter().map(|local| procedure.local(*local).name.clone()).collect();
    Some(Outlined { program: validated(program, "outlining"), part, outputs })
}

/// Whether a jump leaves the statements that no run comes to: it is no way out, and would have nowhere to go.
fn has_dead_ways_out(statements: &[Stmt], flow: &Flow) -> bool {
    let mut inside = BTreeSet::new();
    let mut left = BTreeSet::new();
    let mut returns = false;
    for_each_stmt(statements, &mut |stmt| match stmt.kind {
        StmtKind::Loop { label, .. } | StmtKind::Scope { label, .. } => {
            inside.insert(label);
        }
        StmtKind::Break(label) => {
            left.insert((label, true));
        }
        StmtKind::Continue(label) => {
            left.insert((label, false));
        }
        StmtKind::Return(_) => returns = true,
        _ => {}
    });
    let is_known = |(label, breaks): &(LabelId, bool)| {
        inside.contains(label) || (if *breaks { &flow.breaks } else { &flow.continues }).contains(label)
    };
    (returns && !flow.returns) || !left.iter().all(is_known)
}

/// What the result of the procedure consists of.
struct Layout {
    /// The jumps out of the statements: the first of them has number 1.
    jumps: Vec<Jump>,
    types: Vec<Type>,
    /// What is returned, where the statements return a value.
    result: Option<Type>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Jump {
    Return,
    Break(LabelId),
    Continue(LabelId),
}

impl Layout {
    fn of(procedure: &Procedure, flow: &Flow) -> Layout {
        let returns = flow.returns.then_some(Jump::Return);
        let breaks = flow.breaks.iter().map(|label| Jump::Break(*label));
        let continues = flow.continues.iter().map(|label| Jump::Continue(*label));
        Layout {
            jumps: returns.into_iter().chain(breaks).chain(continues).collect(),
            types: flow.outputs.iter().map(|local| procedure.local(*local).ty.clone()).collect(),
            result: procedure.result.clone().filter(|_| flow.returns),
        }
    }

    /// The type of the whole result: one value, or a record of several.
    fn ty(&self) -> Option<Type> {
        let way = (!self.jumps.is_empty()).then_some(Type::Int(IntType::I32));
        let mut all: Vec<Type> =
            way.into_iter().chain(self.types.clone()).chain(self.result.clone()).collect();
        match all.len() {
            0 => None,
            1 => all.pop(),
            _ => Some(Type::Record(all)),
        }
    }

    /// The statement that ends the procedure on one of its ways.
    fn end(&self, number: usize, outputs: Vec<Expr>, result: Option<Expr>) -> StmtKind {
        let way = (!self.jumps.is_empty()).then(|| Expr::Const(Const::i32(number as i32)));
        let zero = self.result.as_ref().map(|ty| Expr::Const(Const::zero(ty)));
        let mut all: Vec<Expr> = way.into_iter().chain(outputs).chain(result.or(zero)).collect();
        match all.len() {
            0 => StmtKind::Return(None),
            1 => StmtKind::Return(all.pop()),
            _ => StmtKind::Return(Some(Expr::Record(all))),
        }
    }

    /// One part of the result that a local holds.
    fn get(&self, local: LocalId, index: usize) -> Expr {
        let count =
            usize::from(!self.jumps.is_empty()) + self.types.len() + usize::from(self.result.is_some());
        match count {
            1 => Expr::Local(local),
            _ => Expr::Get { record: Box::new(Expr::Local(local)), index: index as u32 },
        }
    }
}

/// The procedure that the statements become: its inputs are the first of its locals.
fn part_procedure(fragment: Fragment<'_>, flow: &Flow, layout: &Layout, name: &str) -> Procedure {
    let procedure = fragment.program.procedure(fragment.procedure);
    let others = (0..procedure.locals.len()).map(LocalId::from_index).filter(|id| !flow.inputs.contains(id));
    let order: Vec<LocalId> = flow.inputs.iter().copied().chain(others).collect();
    let place = |local: LocalId| {
        let place = order.iter().position(|other| *other == local);
        LocalId::from_index(place.expect("every local should have a place"))
    };
    let mut body = fragment.statements.to_vec();
    let outputs: Vec<Expr> = flow.outputs.iter().map(|local| Expr::Local(*local)).collect();
    let zeros: Vec<Expr> = layout.types.iter().map(|ty| Expr::Const(Const::zero(ty))).collect();
    for_each_stmt_mut(&mut body, &mut |stmt| {
        let number = |jump: Jump| layout.jumps.iter().position(|other| *other == jump).map(|at| at + 1);
        let end = match &stmt.kind {
            // The locals end with the procedure.
            StmtKind::Return(value) => {
                number(Jump::Return).map(|number| layout.end(number, zeros.clone(), value.clone()))
            }
            StmtKind::Break(label) => {
                number(Jump::Break(*label)).map(|number| layout.end(number, outputs.clone(), None))
            }
            StmtKind::Continue(label) => {
                number(Jump::Continue(*label)).map(|number| layout.end(number, outputs.clone(), None))
            }
            _ => None,
        };
        if let Some(end) = end {
            stmt.kind = end;
        }
    });
    let span = fragment.statements.last().map_or(Span::NOWHERE, |stmt| stmt.span);
    body.push(Stmt { kind: layout.end(0, outputs, None), span });
    for_each_local_mut(&mut body, &mut |local| *local = place(*local));
    Procedure {
        name: name.to_owned(),
        short_name: name.to_owned(),
        params: flow.inputs.len(),
        locals: order.iter().map(|local| procedure.local(*local).clone()).collect(),
        result: layout.ty(),
        body: Some(body),
        external: ir::External::default(),
        span: fragment.statements.first().map_or(Span::NOWHERE, |stmt| stmt.span),
        assumptions: procedure.assumptions.clone(),
    }
}

/// What takes the place of the statements: the call, what it gives, and the jumps that it asks for.
fn call_of(caller: &mut Procedure, flow: &Flow, layout: &Layout, part: ProcId, span: Span) -> Vec<Stmt> {
    let mut code = Vec::new();
    let mut add = |kind: StmtKind| code.push(Stmt { kind, span });
    let args = flow.inputs.iter().map(|local| Expr::Local(*local)).collect();
    let Some(ty) = layout.ty() else {
        add(StmtKind::Call { local: None, callee: part, args });
        return code;
    };
    let local = LocalId::from_index(caller.locals.len());
    caller.locals.push(Local { name: format!("$part{}", part.index()), ty });
    add(StmtKind::Call { local: Some(local), callee: part, args });
    let first = usize::from(!layout.jumps.is_empty());
    for (place, output) in flow.outputs.iter().enumerate() {
        add(StmtKind::Assign { local: *output, value: layout.get(local, first + place) });
    }
    for (place, jump) in layout.jumps.iter().enumerate() {
        let kind = match jump {
            Jump::Return => {
                let value = layout.result.as_ref().map(|_| layout.get(local, first + layout.types.len()));
                StmtKind::Return(value)
            }
            Jump::Break(label) => StmtKind::Break(*label),
            Jump::Continue(label) => StmtKind::Continue(*label),
        };
        let condition = Expr::Binary {
            op: BinaryOp::Eq,
            ty: Scalar::Int(IntType::I32),
            lhs: Box::new(layout.get(local, 0)),
            rhs: Box::new(Expr::Const(Const::i32(place as i32 + 1))),
        };
        let then = vec![Stmt { kind, span }];
        add(StmtKind::If { condition, then, otherwise: Vec::new() });
    }
    code
}
