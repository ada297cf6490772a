//! The code that both versions have: which statements can be hidden behind symbols that both share.
//!
//! What goes together is `align`'s guess. Whether two runs of statements may have the same symbols is not a guess:
//! `ir::interfaces` compares them, and a block exists only with what it says.

mod changed_statements;
mod changes;
mod loops;
mod statements;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use ir::{Fragment, Interface, Pair, ProcId, Program, Span, Stmt, StmtKind, Subject, interfaces};
use symbolic::Abstraction;

use statements::{Children, ProcedurePair};

pub(crate) use changed_statements::ChangedStatement;
pub(crate) use changes::Changes;
pub(crate) use statements::StatementId;

/// The procedures of both versions that go together, with the statements in them that do.
pub(crate) struct CommonCode<'a> {
    programs: Pair<&'a Program>,
    procedures: Vec<ProcedurePair<'a>>,
    same_code: SameCodeCache<'a>,
}

/// Statements that both versions have one after the other, and what goes in and out.
#[derive(Clone, Debug)]
pub(crate) struct Block<'a> {
    /// What the symbols of the block begin with.
    pub(crate) name: String,
    pub(crate) statements: Pair<&'a [Stmt]>,
    pub(crate) interface: Pair<Interface>,
    /// The statements at the top of the block.
    pub(crate) members: Vec<StatementId>,
}

/// A statement of the old version that could be hidden.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement<'a> {
    pub(crate) id: StatementId,
    /// How many statements it consists of, itself included.
    pub(crate) size: usize,
    pub(crate) stmt: &'a Stmt,
}

impl Statement<'_> {
    /// Whether it is one of the statements, or has one of them inside.
    pub(crate) fn has_any_of(&self, statements: &BTreeSet<StatementId>) -> bool {
        let end = StatementId { statement: self.id.statement + self.size, ..self.id };
        statements.range(self.id..end).next().is_some()
    }
}

impl<'a> CommonCode<'a> {
    /// Aligns the procedures that the pair can reach.
    pub(crate) fn of(pair: Pair<Subject<'a>>) -> CommonCode<'a> {
        let programs = pair.map(|subject| subject.program);
        let same_code = SameCodeCache { programs, known: RefCell::default() };
        let procedures = procedure_pairs(pair)
            .into_iter()
            .map(|ids| ProcedurePair::new(programs, ids, same_code.is_same(ids)))
            .collect();
        CommonCode { programs, procedures, same_code }
    }

    /// The largest blocks of statements that may be hidden.
    pub(crate) fn blocks(&self, may_hide: &dyn Fn(Statement<'_>) -> bool) -> Vec<Block<'a>> {
        let mut found = Vec::new();
        for place in 0..self.procedures.len() {
            let mut worklist = vec![self.procedures[place].bodies()];
            while let Some(lists) = worklist.pop() {
                self.blocks_of_lists(place, lists, may_hide, &mut found, &mut worklist);
            }
        }
        found.sort_by(|a, b| a.members.cmp(&b.members));
        found
    }

    /// The blocks of two statement lists that go together; what is inside other statements goes to the worklist.
    fn blocks_of_lists(
        &self,
        place: usize,
        lists: Pair<Children<'a>>,
        may_hide: &dyn Fn(Statement<'_>) -> bool,
        found: &mut Vec<Block<'a>>,
        worklist: &mut Vec<Pair<Children<'a>>>,
    ) {
        let new_places: BTreeMap<usize, usize> =
            lists.new.numbers().enumerate().map(|(at, n)| (n, at)).collect();
        let mut run: Option<Run> = None;
        for (at, number) in lists.old.numbers().enumerate() {
            let procedure = &self.procedures[place];
            let stmt = &lists.old.statements[at];
            let id = StatementId { procedure: place, statement: number };
            let partner = procedure.partner(number);
            let new_at = partner.and_then(|partner| new_places.get(&partner).copied());
            if let Some(new_at) = new_at
                && procedure.is_common(number)
                && may_hide(Statement { id, size: procedure.size(number), stmt })
                && self.block(place, &lists, Run { old: at, new: new_at, length: 1 }).is_some()
            {
                match &mut run {
                    Some(run) if run.new + run.length == new_at => run.length += 1,
                    _ => {
                        self.close(place, &lists, run.take(), found);
                        run = Some(Run { old: at, new: new_at, length: 1 });
                    }
                }
                continue;
            }
            self.close(place, &lists, run.take(), found);
            if let Some(partner) = partner {
                worklist.extend(self.procedures[place].inside(number, partner));
            }
        }
        self.close(place, &lists, run.take(), found);
    }

    /// One block for the run, or one for each of its statements if these do not fit together.
    fn close(&self, place: usize, lists: &Pair<Children<'a>>, run: Option<Run>, found: &mut Vec<Block<'a>>) {
        let Some(run) = run else { return };
        match self.block(place, lists, run) {
            Some(block) => found.push(block),
            None => {
                let single = (0..run.length).map(|i| Run { old: run.old + i, new: run.new + i, length: 1 });
                let blocks: Vec<_> = single.filter_map(|run| self.block(place, lists, run)).collect();
                found.extend(blocks);
            }
        }
    }

    fn block(&self, place: usize, lists: &Pair<Children<'a>>, run: Run) -> Option<Block<'a>> {
        let statements = Pair {
            old: &lists.old.statements[run.old..run.old + run.length],
            new: &lists.new.statements[run.new..run.new + run.length],
        };
        let procedure = &self.procedures[place];
        let fragments = Pair {
            old: Fragment {
                program: self.programs.old,
                procedure: procedure.ids.old,
                statements: statements.old,
            },
            new: Fragment {
                program: self.programs.new,
                procedure: procedure.ids.new,
                statements: statements.new,
            },
        };
        let mut is_same = |callees| self.same_code.is_same(callees);
        let interface = interfaces(fragments, procedure.around.as_ref(), &mut is_same)?;
        let numbers: Vec<usize> = lists.old.numbers().skip(run.old).take(run.length).collect();
        let name = format!("block{place}.{}.{}", numbers[0], run.length);
        let members =
            numbers.into_iter().map(|statement| StatementId { procedure: place, statement }).collect();
        Some(Block { name, statements, interface, members })
    }

    /// The procedures that go together, the pair itself first.
    pub(crate) fn procedure_pairs(&self) -> impl Iterator<Item = Pair<ProcId>> + '_ {
        self.procedures.iter().map(|procedure| procedure.ids)
    }

    pub(crate) fn old_program(&self) -> &'a Program {
        self.programs.old
    }

    pub(crate) fn statement(&self, id: StatementId) -> &'a Stmt {
        self.procedures[id.procedure].statement(id.statement)
    }

    /// The statements in a statement, itself included.
    pub(crate) fn within(&self, id: StatementId) -> impl Iterator<Item = StatementId> + use<> {
        let size = self.procedures[id.procedure].size(id.statement);
        (id.statement..id.statement + size).map(move |statement| StatementId { statement, ..id })
    }

    /// How many loops stand around a statement in its procedure.
    pub(crate) fn loop_depth(&self, id: StatementId) -> u32 {
        self.procedures[id.procedure].loop_depth(id.statement)
    }

    /// The places of procedures that are the same code in both versions and may call themselves.
    pub(crate) fn whole_recursions(&self) -> BTreeSet<usize> {
        let is_whole =
            |procedure: &ProcedurePair<'_>| procedure.is_recursive && self.same_code.is_same(procedure.ids);
        let places = self.procedures.iter().enumerate();
        places.filter(|(_, procedure)| is_whole(procedure)).map(|(place, _)| place).collect()
    }
}

/// Statements one after the other in both lists.
#[derive(Clone, Copy, Debug)]
struct Run {
    old: usize,
    new: usize,
    length: usize,
}

/// What a version hides for the blocks.
pub(crate) fn hidden<'a>(blocks: &[Block<'a>]) -> Pair<Abstraction<'a>> {
    let mut hidden = Pair { old: Abstraction::nothing(), new: Abstraction::nothing() };
    for block in blocks {
        hidden.old.hide(block.statements.old, &block.name, block.interface.old.clone());
        hidden.new.hide(block.statements.new, &block.name, block.interface.new.clone());
    }
    hidden
}

/// Whether a statement is left only by its end or by an error: others stay as control flow.
pub(crate) fn stays_inside(stmt: &Stmt) -> bool {
    let mut inside = BTreeSet::new();
    let mut stays = true;
    ir::for_each_stmt(std::slice::from_ref(stmt), &mut |stmt| match &stmt.kind {
        StmtKind::Loop { label, .. } | StmtKind::Scope { label, .. } => {
            inside.insert(*label);
        }
        StmtKind::Break(label) | StmtKind::Continue(label) => stays &= inside.contains(label),
        StmtKind::Return(_) => stays = false,
        _ => {}
    });
    stays
}

impl Block<'_> {
    /// Where the block stands, from its first line to its last.
    pub(crate) fn span(&self) -> Pair<Span> {
        self.statements.map(|statements| {
            let known = || statements.iter().map(|stmt| stmt.span).filter(|span| !span.is_nowhere());
            let first = known().min_by_key(|span| (span.line, span.column)).unwrap_or(Span::NOWHERE);
            let last = known().max_by_key(|span| (span.end_line, span.end_column)).unwrap_or(Span::NOWHERE);
            Span { end_line: last.end_line, end_column: last.end_column, ..first }
        })
    }
}

/// Procedures that are reached in both versions and go together, the pair itself first.
pub(crate) fn procedure_pairs(pair: Pair<Subject<'_>>) -> Vec<Pair<ProcId>> {
    let reached = pair.map(|subject| ir::reachable(subject.program, subject.procedure));
    let root = pair.map(|subject| subject.procedure);
    let mut pairs = vec![root];
    let mut taken = Pair { old: BTreeSet::from([root.old]), new: BTreeSet::from([root.new]) };
    let matched = align::match_procedures(pair.old.program, pair.new.program).pairs;
    let by_name = reached.old.iter().filter_map(|old| {
        let name = &pair.old.program.procedure(*old).name;
        Some(Pair { old: *old, new: pair.new.program.procedure_named(name)? })
    });
    for ids in matched.into_iter().chain(by_name) {
        let is_reached = reached.old.contains(&ids.old) && reached.new.contains(&ids.new);
        let is_free = !taken.old.contains(&ids.old) && !taken.new.contains(&ids.new);
        if is_reached && is_free {
            taken.old.insert(ids.old);
            taken.new.insert(ids.new);
            pairs.push(ids);
        }
    }
    pairs
}

/// Which procedures mean the same because they are the same code, each pair compared once.
struct SameCodeCache<'a> {
    programs: Pair<&'a Program>,
    known: RefCell<BTreeMap<Pair<ProcId>, bool>>,
}

impl SameCodeCache<'_> {
    fn is_same(&self, ids: Pair<ProcId>) -> bool {
        *self.known.borrow_mut().entry(ids).or_insert_with(|| {
            let procedures = self.programs.zip(ids).map(|(program, id)| program.procedure(id));
            if procedures.old.body.is_none() || procedures.new.body.is_none() {
                return procedures.old.body.is_none()
                    && procedures.new.body.is_none()
                    && procedures.old.name == procedures.new.name
                    && procedures.old.params == procedures.new.params
                    && procedures.old.result == procedures.new.result
                    && procedures.old.external == procedures.new.external;
            }
            ir::same_code(self.programs.zip(ids))
        })
    }
}
