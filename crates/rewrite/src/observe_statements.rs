//! Instrumentation for paths: a call of an unknown procedure wherever a value changes or a way is taken, which the
//! interpreter records.
//!
//! Exact: the procedures are pure, have no results, and what they are given has no effects.

use std::collections::BTreeSet;

use ir::{
    Block, Const, ErrorId, Expr, GlobalId, Local, LocalId, ProcId, Procedure, Program, RegionId, Span, Stmt,
    StmtKind, Stream, Type, type_of,
};

use crate::validated;

/// What the names of the unknown procedures begin with; the number of the site follows.
pub const SITE: &str = "$site ";

/// A place of a program at which something is observed.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    pub procedure: ProcId,
    pub span: Span,
    pub seen: Observed,
}

/// What is observed. The arguments of the call have the values.
#[derive(Clone, PartialEq, Debug)]
pub enum Observed {
    /// A procedure begins; one argument for each of these parameters.
    Entry(Vec<LocalId>),
    /// A local has a new value.
    Local(LocalId),
    Global(GlobalId),
    /// A cell has a new value; the arguments are that, the index if there is one, and the pointer if there is one.
    Cell {
        region: RegionId,
        place: Place,
        indexed: bool,
        pointer: bool,
    },
    /// One of two ways is taken. `leaves` if the first one only leaves a loop or a scope.
    Branch {
        taken: bool,
        leaves: bool,
    },
    /// A call gave a value that has no name in the source.
    Answer(ProcId),
    /// A call came back.
    Back,
    /// A procedure returns, with a value or without.
    Return,
    Print(Stream),
    Throw(ErrorId),
    /// A handler begins.
    Caught,
}

/// Where a cell is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// An element of what a local or a global refers to, or of a static object.
    Element(String),
    /// A field of it.
    Field(String),
    /// Somewhere else; the name of its field, if that is known.
    Elsewhere(Option<String>),
}

/// The program with an observer at each site of these procedures, and the sites by their numbers. Values of types that
/// `is_left_out` names are not looked at.
pub fn observe_statements(
    program: &Program,
    procedures: &BTreeSet<ProcId>,
    is_left_out: &dyn Fn(&Type) -> bool,
) -> (Program, Vec<Site>) {
    let mut observed = program.clone();
    let mut observers = Observers { program, procedures, is_left_out, sites: Vec::new(), added: Vec::new() };
    for id in procedures {
        let Some(body) = &program.procedure(*id).body else { continue };
        let mut within = Within { observers: &mut observers, procedure: *id };
        let body = within.body(body);
        observed.procedures[id.index()].body = Some(body);
    }
    let Observers { sites, added, .. } = observers;
    observed.procedures.extend(added);
    (validated(observed, "instrumentation"), sites)
}

struct Observers<'p> {
    program: &'p Program,
    procedures: &'p BTreeSet<ProcId>,
    is_left_out: &'p dyn Fn(&Type) -> bool,
    sites: Vec<Site>,
    added: Vec<Procedure>,
}

struct Within<'o, 'p> {
    observers: &'o mut Observers<'p>,
    procedure: ProcId,
}

impl<'p> Within<'_, 'p> {
    fn this(&self) -> &'p Procedure {
        self.observers.program.procedure(self.procedure)
    }

    fn is_told(&self, ty: &Type) -> bool {
        !has_map(ty) && !(self.observers.is_left_out)(ty)
    }

    /// Whether a local has a name in the source and a value that can be told.
    fn is_shown(&self, local: LocalId) -> bool {
        let local = &self.this().locals[local.index()];
        !local.name.starts_with('$') && self.is_told(&local.ty)
    }

    /// The call of a new observer.
    fn call(&mut self, span: Span, seen: Observed, args: Vec<Expr>) -> Stmt {
        let observers = &mut *self.observers;
        let within = observers.program.procedure(self.procedure);
        let callee = ProcId::from_index(observers.program.procedures.len() + observers.added.len());
        let name = format!("{SITE}{}", observers.sites.len());
        let typed = args.iter().map(|value| type_of(value, within, observers.program)).enumerate();
        let locals: Vec<Local> = typed.map(|(at, ty)| Local { name: format!("p{at}"), ty }).collect();
        observers.added.push(Procedure {
            name: name.clone(),
            short_name: name,
            params: locals.len(),
            locals,
            result: None,
            body: None,
            external: ir::External { access: ir::Access::Pure, library: false },
            span: Span::NOWHERE,
            assumptions: Vec::new(),
        });
        observers.sites.push(Site { procedure: self.procedure, span, seen });
        Stmt { kind: StmtKind::Call { local: None, callee, args }, span: Span::NOWHERE }
    }

    fn body(&mut self, body: &[Stmt]) -> Block {
        let procedure = self.this();
        let params = (0..procedure.params).map(LocalId::from_index).filter(|id| self.is_shown(*id));
        let params: Vec<LocalId> = params.collect();
        let args = params.iter().map(|id| Expr::Local(*id)).collect();
        let entry = self.call(procedure.span, Observed::Entry(params), args);
        let mut block = vec![entry];
        self.add_block(body, &mut block);
        if procedure.result.is_none() && !matches!(body.last().map(|it| &it.kind), Some(StmtKind::Return(_)))
        {
            let end =
                Span { line: procedure.span.end_line, column: procedure.span.end_column, ..procedure.span };
            block.push(self.call(end, Observed::Return, Vec::new()));
        }
        block
    }

    fn add_block(&mut self, stmts: &[Stmt], block: &mut Block) {
        for stmt in stmts {
            self.add(stmt, block);
        }
    }

    fn block(&mut self, start: Option<Stmt>, stmts: &[Stmt]) -> Block {
        let mut block: Block = start.into_iter().collect();
        self.add_block(stmts, &mut block);
        block
    }

    /// A statement with what is observed before and after it.
    fn add(&mut self, stmt: &Stmt, block: &mut Block) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assign { local, .. } | StmtKind::New { local, .. } => {
                block.push(stmt.clone());
                if self.is_shown(*local) {
                    block.push(self.call(span, Observed::Local(*local), vec![Expr::Local(*local)]));
                }
            }
            StmtKind::AssignGlobal { global, .. } => {
                block.push(stmt.clone());
                if self.is_told(&self.observers.program.global(*global).ty) {
                    block.push(self.call(span, Observed::Global(*global), vec![Expr::Global(*global)]));
                }
            }
            StmtKind::Store { region, object, index, value } => {
                // Before it, since the store may change what its operands are made of.
                if self.is_told(&self.observers.program.region(*region).value) {
                    let name = self.observers.program.region(*region).name.as_str();
                    let (place, pointer) = self.place(object, index.is_some(), name);
                    let (indexed, has_pointer) = (index.is_some(), pointer.is_some());
                    let seen = Observed::Cell { region: *region, place, indexed, pointer: has_pointer };
                    let args = [Some(value.clone()), index.clone(), pointer];
                    block.push(self.call(span, seen, args.into_iter().flatten().collect()));
                }
                block.push(stmt.clone());
            }
            StmtKind::If { condition, then, otherwise } => {
                let leaves = otherwise.is_empty()
                    && matches!(then.as_slice(), [Stmt { kind: StmtKind::Break(_), .. }]);
                let starts = [true, false]
                    .map(|taken| self.call(span, Observed::Branch { taken, leaves }, Vec::new()));
                let [start, other] = starts;
                let then = self.block(Some(start), then);
                let otherwise = self.block(Some(other), otherwise);
                let kind = StmtKind::If { condition: condition.clone(), then, otherwise };
                block.push(Stmt { kind, span });
            }
            StmtKind::Loop { label, body } => {
                let body = self.block(None, body);
                block.push(Stmt { kind: StmtKind::Loop { label: *label, body }, span });
            }
            StmtKind::Scope { label, body } => {
                let body = self.block(None, body);
                block.push(Stmt { kind: StmtKind::Scope { label: *label, body }, span });
            }
            StmtKind::Try { body, catches } => {
                let body = self.block(None, body);
                let catches = catches.iter().map(|catch| {
                    let caught = self.call(span, Observed::Caught, Vec::new());
                    ir::Catch { body: self.block(Some(caught), &catch.body), ..catch.clone() }
                });
                let catches = catches.collect();
                block.push(Stmt { kind: StmtKind::Try { body, catches }, span });
            }
            StmtKind::Return(value) => {
                let told = value
                    .as_ref()
                    .filter(|value| self.is_told(&type_of(value, self.this(), self.observers.program)));
                let args = told.cloned().into_iter().collect();
                block.push(self.call(span, Observed::Return, args));
                block.push(stmt.clone());
            }
            StmtKind::Call { local, callee, .. } => {
                block.push(stmt.clone());
                if self.observers.procedures.contains(callee) {
                    block.push(self.call(span, Observed::Back, Vec::new()));
                }
                match local {
                    Some(local) if self.is_shown(*local) => {
                        block.push(self.call(span, Observed::Local(*local), vec![Expr::Local(*local)]));
                    }
                    Some(local) if self.is_told(&self.this().locals[local.index()].ty) => {
                        block.push(self.call(span, Observed::Answer(*callee), vec![Expr::Local(*local)]));
                    }
                    Some(_) | None => {}
                }
            }
            StmtKind::Throw { error, .. } => {
                block.push(self.call(span, Observed::Throw(*error), Vec::new()));
                block.push(stmt.clone());
            }
            StmtKind::Print { stream, text } => {
                block.push(self.call(span, Observed::Print(*stream), vec![text.clone()]));
                block.push(stmt.clone());
            }
            StmtKind::Free { .. }
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Check { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Assume { .. }
            | StmtKind::Unsupported { .. } => block.push(stmt.clone()),
        }
    }

    /// Where a cell is, and the pointer that leads to it if indices count from there.
    fn place(&self, object: &Expr, is_indexed: bool, region: &str) -> (Place, Option<Expr>) {
        let field = region.rsplit('.').next().unwrap_or(region);
        let (name, pointer) = match object {
            Expr::Get { record, index: 0 } => (self.name(record), Some((**record).clone())),
            other => (self.name(other), None),
        };
        let is_word = field.chars().all(|c| c.is_alphanumeric() || c == '_') && region.contains('.');
        match (name, is_indexed) {
            (Some(name), true) => (Place::Element(name), pointer),
            (Some(name), false) => (Place::Field(format!("{name}.{field}")), None),
            (None, _) => (Place::Elsewhere(is_word.then(|| field.to_owned())), None),
        }
    }

    /// What the source calls a reference or pointer, if it has a name.
    fn name(&self, expr: &Expr) -> Option<String> {
        let program = self.observers.program;
        match expr {
            Expr::Local(local) if self.this().locals[local.index()].name.starts_with('$') => None,
            Expr::Local(local) => Some(self.this().locals[local.index()].name.clone()),
            Expr::Global(global) => Some(program.global(*global).name.clone()),
            Expr::Const(Const::Static(id)) => Some(program.statics[id.index()].name.clone()),
            _ => None,
        }
    }
}

/// Maps by objects cannot be told to the outside world.
fn has_map(ty: &Type) -> bool {
    match ty {
        Type::Map(..) => true,
        Type::Record(parts) => parts.iter().any(has_map),
        Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text | Type::Ref(_) => false,
    }
}
