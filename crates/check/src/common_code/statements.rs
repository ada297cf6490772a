//! The statements of two procedures that go together, by their number in the order of the text.

use align::{Alignment, MatchKind, align_statements};
use ir::{Block, Pair, ProcId, Program, Stmt, StmtKind, Surroundings, blocks};

/// A statement of the old version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct StatementId {
    /// The place of its procedure among those that go together.
    pub(crate) procedure: usize,
    /// Its number in the order of `ir::for_each_stmt`.
    pub(crate) statement: usize,
}

/// Two procedures that go together.
pub(super) struct ProcedurePair<'a> {
    pub(super) ids: Pair<ProcId>,
    pub(super) around: Pair<Surroundings>,
    pub(super) is_recursive: bool,
    statements: Pair<Vec<Numbered<'a>>>,
    /// For each old statement the new one that it goes with, unless that was moved.
    partners: Vec<Option<usize>>,
    common: Vec<bool>,
    bodies: Pair<&'a [Stmt]>,
    /// What `align` says of them, unless they are the same code.
    alignment: Option<Alignment>,
}

/// A statement with what is known of its place.
#[derive(Clone, Copy, Debug)]
struct Numbered<'a> {
    stmt: &'a Stmt,
    /// How many statements it consists of, itself included.
    size: usize,
    loop_depth: u32,
}

/// The statements of one list, and the number of the first.
#[derive(Clone, Debug)]
pub(super) struct Children<'a> {
    pub(super) statements: &'a [Stmt],
    numbers: Vec<usize>,
}

impl Children<'_> {
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.numbers.iter().copied()
    }
}

impl<'a> ProcedurePair<'a> {
    /// `is_same` says that the procedures are the same code, so that each statement goes with its double.
    pub(super) fn new(programs: Pair<&'a Program>, ids: Pair<ProcId>, is_same: bool) -> ProcedurePair<'a> {
        let both = programs.zip(ids);
        let bodies = both.map(|(program, id)| program.procedure(id).body.as_deref().unwrap_or_default());
        let statements = bodies.map(number);
        let count = statements.old.len();
        let (mut partners, mut common) = (vec![None; count], vec![false; count]);
        let alignment = if is_same && count == statements.new.len() {
            partners = (0..count).map(Some).collect();
            common = vec![true; count];
            None
        } else {
            let alignment = align_statements(both);
            for found in alignment.matches.iter().filter(|found| !found.moved && found.old < count) {
                partners[found.old] = Some(found.new);
                common[found.old] = found.kind == MatchKind::Common;
            }
            Some(alignment).filter(|_| !is_same)
        };
        ProcedurePair {
            ids,
            around: both.map(|(program, id)| Surroundings::of(program, id)),
            is_recursive: ir::is_recursive(programs.old, ids.old),
            statements,
            partners,
            common,
            bodies,
            alignment,
        }
    }

    /// What `align` says of the procedures, unless they are the same code.
    pub(super) fn alignment(&self) -> Option<&Alignment> {
        self.alignment.as_ref()
    }

    /// The lists that the procedures consist of.
    pub(super) fn bodies(&self) -> Pair<Children<'a>> {
        self.statements.as_ref().zip(self.bodies).map(|(statements, body)| list(statements, body, 0))
    }

    /// All statements of both versions, in the order of the text.
    pub(super) fn all_statements(&self) -> Pair<Vec<&'a Stmt>> {
        self.statements.as_ref().map(|statements| statements.iter().map(|numbered| numbered.stmt).collect())
    }

    pub(super) fn partner(&self, old: usize) -> Option<usize> {
        self.partners[old]
    }

    pub(super) fn is_common(&self, old: usize) -> bool {
        self.common[old]
    }

    pub(super) fn statement(&self, old: usize) -> &'a Stmt {
        self.statements.old[old].stmt
    }

    pub(super) fn size(&self, old: usize) -> usize {
        self.statements.old[old].size
    }

    pub(super) fn loop_depth(&self, old: usize) -> u32 {
        self.statements.old[old].loop_depth
    }

    pub(super) fn new_loop_depth(&self, new: usize) -> u32 {
        self.statements.new[new].loop_depth
    }

    /// The lists inside two statements, in pairs, if these are of the same kind.
    pub(super) fn inside(&self, old: usize, new: usize) -> Vec<Pair<Children<'a>>> {
        let kinds =
            Pair { old: &self.statements.old[old].stmt.kind, new: &self.statements.new[new].stmt.kind };
        if std::mem::discriminant(kinds.old) != std::mem::discriminant(kinds.new) {
            return Vec::new();
        }
        let lists =
            Pair { old: lists_in(&self.statements.old, old), new: lists_in(&self.statements.new, new) };
        if lists.old.len() != lists.new.len() {
            return Vec::new();
        }
        lists.old.into_iter().zip(lists.new).map(|(old, new)| Pair { old, new }).collect()
    }
}

/// The lists directly inside a statement.
fn lists_in<'a>(statements: &[Numbered<'a>], outer: usize) -> Vec<Children<'a>> {
    let mut first = outer + 1;
    let inner: Vec<&'a Block> = blocks(&statements[outer].stmt.kind);
    let lists = inner.into_iter().map(|block| {
        let list = list(statements, block, first);
        first = match list.numbers.last() {
            Some(&last) => last + statements[last].size,
            None => first,
        };
        list
    });
    lists.collect()
}

/// A list whose first statement has the number `first`.
fn list<'a>(statements: &[Numbered<'a>], block: &'a [Stmt], first: usize) -> Children<'a> {
    let mut next = first;
    let numbers = block.iter().map(|_| {
        let number = next;
        next += statements[number].size;
        number
    });
    Children { numbers: numbers.collect(), statements: block }
}

/// All statements of a body with their sizes and depths.
fn number(body: &[Stmt]) -> Vec<Numbered<'_>> {
    let mut numbered = Vec::new();
    add(body, 0, &mut numbered);
    numbered
}

fn add<'a>(block: &'a [Stmt], loop_depth: u32, numbered: &mut Vec<Numbered<'a>>) {
    for stmt in block {
        let place = numbered.len();
        numbered.push(Numbered { stmt, size: 1, loop_depth });
        let inner_depth = loop_depth + u32::from(matches!(stmt.kind, StmtKind::Loop { .. }));
        for inner in blocks(&stmt.kind) {
            add(inner, inner_depth, numbered);
        }
        numbered[place].size = numbered.len() - place;
    }
}
