//! What procedures do with the memory behind the pointers of their inputs. Over-approximating: every path counts, and
//! whoever finds a pointer in memory may do anything with it.

use std::collections::{BTreeMap, BTreeSet};

use ir::{BinaryOp, Const, Expr, LocalId, ProcId, Program, StmtKind};

/// A pointer among the inputs of a procedure.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    Parameter(usize),
    Global(String),
    /// In a cell of what a parameter points to.
    Behind {
        parameter: usize,
        cell: u64,
    },
    /// In a cell of a static object.
    Within {
        object: String,
        cell: u64,
    },
}

/// The static objects that a procedure uses itself, and whether they are written.
pub(super) fn statics(program: &Program, id: ProcId) -> BTreeSet<(String, bool)> {
    let body = program.procedure(id).body.as_deref().unwrap_or(&[]);
    let mut found = BTreeSet::new();
    let name = |object: &Expr| match object {
        Expr::Const(Const::Static(id)) => Some(program.static_object(*id).name.clone()),
        _ => None,
    };
    ir::for_each_expr(body, &mut |expr| {
        if let Expr::Load { object, .. } = expr {
            found.extend(name(object).map(|name| (name, false)));
        }
    });
    ir::for_each_stmt(body, &mut |stmt| {
        if let StmtKind::Store { object, .. } = &stmt.kind {
            found.extend(name(object).map(|name| (name, true)));
        }
    });
    found
}

/// Whether the memory behind a pointer is read, and whether it is written. What is being looked at is not known yet, and
/// counts as both.
pub(super) struct Uses<'a> {
    program: &'a Program,
    known: BTreeMap<(ProcId, Place), Option<(bool, bool)>>,
}

impl<'a> Uses<'a> {
    pub(super) fn new(program: &'a Program) -> Uses<'a> {
        Uses { program, known: BTreeMap::new() }
    }

    pub(super) fn of(&mut self, id: ProcId, place: &Place) -> (bool, bool) {
        let key = (id, place.clone());
        if let Some(known) = self.known.get(&key) {
            return known.unwrap_or((true, true));
        }
        self.known.insert(key.clone(), None);
        let procedure = self.program.procedure(id);
        let found = match &procedure.body {
            Some(body) => self.in_body(body, place),
            None => (procedure.external.access.reads_memory(), procedure.external.access.writes_memory()),
        };
        self.known.insert(key, Some(found));
        found
    }

    fn in_body(&mut self, body: &[ir::Stmt], place: &Place) -> (bool, bool) {
        let based = Based::on(self.program, body, place);
        let (mut is_read, mut is_written) = (false, false);
        ir::for_each_expr(body, &mut |expr| {
            is_read |= matches!(expr, Expr::Load { object, .. } if based.is_in(object));
        });
        ir::for_each_stmt(body, &mut |stmt| {
            // Whoever finds the pointer somewhere may do anything with it.
            let is_kept = match &stmt.kind {
                StmtKind::Store { object, value, .. } => {
                    is_written |= based.is_in(object);
                    based.is_in(value) && !based.is_in(object)
                }
                StmtKind::AssignGlobal { value, .. } => based.is_in(value),
                StmtKind::Free { object } => {
                    is_written |= based.is_in(object);
                    false
                }
                StmtKind::Call { callee, args, .. } => {
                    for place in based.handed_to(args, place) {
                        let inner = self.of(*callee, &place);
                        is_read |= inner.0;
                        is_written |= inner.1;
                    }
                    false
                }
                _ => false,
            };
            is_read |= is_kept;
            is_written |= is_kept;
        });
        (is_read, is_written)
    }
}

/// The locals that may hold a pointer which was made from another one, and where that one is.
struct Based<'a> {
    program: &'a Program,
    locals: BTreeSet<LocalId>,
    place: &'a Place,
    /// For a pointer behind a parameter, what is based on the parameter.
    owner: Option<Box<Based<'a>>>,
}

impl<'a> Based<'a> {
    fn on(program: &'a Program, body: &[ir::Stmt], place: &'a Place) -> Based<'a> {
        let (locals, owner) = match place {
            Place::Parameter(at) => (BTreeSet::from([LocalId::from_index(*at)]), None),
            Place::Behind { parameter, .. } => {
                let locals = BTreeSet::from([LocalId::from_index(*parameter)]);
                let owner = Based { program, locals, place: &Place::Parameter(usize::MAX), owner: None };
                (BTreeSet::new(), Some(Box::new(owner.grown(body))))
            }
            Place::Global(_) | Place::Within { .. } => (BTreeSet::new(), None),
        };
        Based { program, locals, place, owner }.grown(body)
    }

    fn grown(mut self, body: &[ir::Stmt]) -> Based<'a> {
        loop {
            let known = self.locals.len();
            ir::for_each_stmt(body, &mut |stmt| match &stmt.kind {
                StmtKind::Assign { local, value } if self.is_in(value) => {
                    self.locals.insert(*local);
                }
                // What a callee gives may be what it got, or found.
                StmtKind::Call { local: Some(local), args, .. }
                    if !self.handed_to(args, self.place).is_empty() =>
                {
                    self.locals.insert(*local);
                }
                _ => {}
            });
            if self.locals.len() == known {
                return self;
            }
        }
    }

    /// Whether an expression has the pointer in it, other than to read what is behind it.
    fn is_in(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Local(local) => self.locals.contains(local),
            Expr::Global(id) => {
                matches!(self.place, Place::Global(name) if *name == self.program.global(*id).name)
            }
            Expr::Load { object, index, .. } => self.is_loaded(object, index.as_deref()),
            Expr::Length { .. } | Expr::HasShape { .. } | Expr::SameRef { .. } => false,
            _ => ir::children(expr).into_iter().any(|child| self.is_in(child)),
        }
    }

    /// Whether the pointer itself may be in a cell.
    fn is_loaded(&self, object: &Expr, index: Option<&Expr>) -> bool {
        match self.place {
            Place::Parameter(_) | Place::Global(_) => false,
            Place::Behind { parameter, cell } => {
                let is_owned = self.owner.as_ref().is_some_and(|owner| owner.is_in(object));
                is_owned && index.and_then(|index| behind(index, *parameter)).is_none_or(|it| it == *cell)
            }
            Place::Within { object: name, cell } => {
                let is_it = matches!(object, Expr::Const(Const::Static(id))
                    if self.program.static_object(*id).name == *name);
                is_it && index.and_then(constant).is_none_or(|it| it == *cell)
            }
        }
    }

    /// The places at which a callee finds the pointer.
    fn handed_to(&self, args: &[Expr], place: &Place) -> Vec<Place> {
        let mut places = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            if self.is_in(arg) {
                places.push(Place::Parameter(at));
            }
            if let (Some(owner), Place::Behind { cell, .. }) = (&self.owner, place)
                && owner.is_in(arg)
            {
                places.push(Place::Behind { parameter: at, cell: *cell });
            }
        }
        if matches!(place, Place::Global(_) | Place::Within { .. }) {
            places.push(place.clone());
        }
        places
    }
}

/// How far behind the place that a parameter points to an index is, where it says so itself.
fn behind(index: &Expr, parameter: usize) -> Option<u64> {
    let is_start = |expr: &Expr| matches!(expr, Expr::Get { record, index: 1 } if matches!(&**record, Expr::Local(local) if local.index() == parameter));
    match index {
        Expr::Binary { op: BinaryOp::Add, lhs, rhs, .. } if is_start(lhs) => constant(rhs),
        expr => is_start(expr).then_some(0),
    }
}

fn constant(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Const(Const::Int(_, value)) => u64::try_from(*value).ok(),
        _ => None,
    }
}
