//! Impact summaries: only what the changes can influence, and what that depends on, is summarised.
//!
//! From the changed statements of each version all that depends on them is impacted, through data and control; what
//! the impacted statements depend on is needed to compute them. All other statements are the same in both versions,
//! on the same values, and are left out of both. Over-approximating: leaving them out loses conditions, never effects
//! that could differ. Loops are unrolled to the bound.

use std::collections::BTreeSet;

use ir::{Dependences, LabelId, Pair, Place, Stmt, StmtKind, Type, blocks};
use symbolic::Abstraction;

use crate::analysis::PairAnalysis;
use crate::common_code::Changes;
use crate::verdict::Verdict;
use crate::verification_condition::{Depth, decide};
use crate::witness::Machines;
use crate::{CheckConfig, Subject};
use query::Client;

/// Decides a pair by what its changes can influence.
pub(crate) fn imp_s(
    analysis: &PairAnalysis<'_>,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Verdict {
    let (pair, changes) = (analysis.pair(), analysis.common_code().changes());
    let versions = Pair {
        old: Version::new(pair.old, &changes.statements.old, &changes.changed.old, changes.jumps_changed),
        new: Version::new(pair.new, &changes.statements.new, &changes.changed.new, changes.jumps_changed),
    };
    let kept = kept(&changes, &versions);
    let mut hidden = Pair { old: Abstraction::nothing(), new: Abstraction::nothing() };
    versions.old.leave_out(&kept.old, &mut hidden.old);
    versions.new.leave_out(&kept.new, &mut hidden.new);
    for (place, pair) in changes.unchanged.iter().enumerate() {
        let is_impacted =
            versions.old.impacted.contains(&pair.old) || versions.new.impacted.contains(&pair.new);
        let statements =
            Pair { old: changes.statements.old[pair.old], new: changes.statements.new[pair.new] };
        if !is_impacted && matches!(statements.old.kind, StmtKind::Return(Some(_))) {
            let name = format!("return{place}");
            hidden.old.return_unknown(statements.old, &name);
            hidden.new.return_unknown(statements.new, &name);
        }
    }
    decide(pair, hidden.as_ref(), Depth::PLAIN, machines, config, client)
}

/// One version with what depends on what.
struct Version<'a> {
    statements: &'a [&'a Stmt],
    body: &'a [Stmt],
    dependences: Dependences,
    /// The changed statements and all that they influence.
    impacted: BTreeSet<usize>,
}

/// The statements that stay in the summaries, the same ones in both versions.
fn kept(changes: &Changes<'_>, versions: &Pair<Version<'_>>) -> Pair<BTreeSet<usize>> {
    let mut kept = versions.as_ref().map(Version::needed);
    loop {
        let before = (kept.old.len(), kept.new.len());
        for pair in &changes.unchanged {
            if kept.old.contains(&pair.old) || kept.new.contains(&pair.new) {
                kept.old.insert(pair.old);
                kept.new.insert(pair.new);
            }
        }
        kept = Pair { old: versions.old.complete(kept.old), new: versions.new.complete(kept.new) };
        if (kept.old.len(), kept.new.len()) == before {
            return kept;
        }
    }
}

impl<'a> Version<'a> {
    fn new(
        subject: Subject<'a>,
        statements: &'a [&'a Stmt],
        changed: &BTreeSet<usize>,
        jumps_changed: bool,
    ) -> Version<'a> {
        let dependences = Dependences::of(subject.program, subject.procedure);
        let mut impacted = match jumps_changed {
            true => (0..statements.len()).collect(),
            false => dependences.forward(changed),
        };
        let is_heap = |place: &Place| matches!(place, Place::Region(_) | Place::Lengths);
        // What is written into an object is seen through every reference to it that leaves the procedure.
        if impacted.iter().any(|number| dependences.writes(*number).iter().any(is_heap)) {
            let publishes = |number: &usize| publishes(subject, statements[*number], &dependences, *number);
            impacted.extend((0..statements.len()).filter(publishes));
        }
        let body = subject.procedure().body.as_deref().unwrap_or_default();
        Version { statements, body, dependences, impacted }
    }

    /// What the impacted statements need, and all that leaves the procedure.
    fn needed(&self) -> BTreeSet<usize> {
        // What outlives the procedure is used at its end: an impacted write needs all writes to the same place.
        let at_end = |place: &Place| !matches!(place, Place::Local(_));
        let places: BTreeSet<Place> =
            self.impacted.iter().flat_map(|s| self.dependences.writes(*s)).copied().filter(at_end).collect();
        let writes =
            |number: &usize| self.dependences.writes(*number).iter().any(|place| places.contains(place));
        let mut needed = self.impacted.clone();
        needed.extend((0..self.statements.len()).filter(writes));
        self.complete(needed)
    }

    /// Adds all that the statements depend on, and the jumps around them.
    fn complete(&self, mut kept: BTreeSet<usize>) -> BTreeSet<usize> {
        loop {
            kept = self.dependences.backward(&kept);
            let before = kept.len();
            self.add_jumps(self.body, &mut 0, &mut kept, &mut Vec::new());
            if kept.len() == before {
                return kept;
            }
        }
    }

    /// Keeps returns and throws, and those jumps whose target has something that is kept.
    fn add_jumps(
        &self,
        block: &[Stmt],
        next: &mut usize,
        kept: &mut BTreeSet<usize>,
        around: &mut Vec<(LabelId, bool)>,
    ) {
        for stmt in block {
            let number = *next;
            *next += 1;
            match &stmt.kind {
                StmtKind::Return(_)
                | StmtKind::Throw { .. }
                | StmtKind::Unsupported { .. }
                | StmtKind::Assume { .. } => {
                    // Only that it is reached matters here, so that what it computes with is not needed.
                    kept.extend(self.deciders(number));
                }
                StmtKind::Break(label) | StmtKind::Continue(label) => {
                    let target = around.iter().rev().find(|(other, _)| other == label);
                    if target.is_none_or(|(_, has_kept)| *has_kept) {
                        kept.insert(number);
                    }
                }
                StmtKind::Loop { label, .. } | StmtKind::Scope { label, .. } => {
                    let end = number + size(stmt);
                    let is_escaped = escapes(stmt);
                    around.push((*label, is_escaped || kept.range(number + 1..end).next().is_some()));
                }
                _ => {}
            }
            for inner in blocks(&stmt.kind) {
                self.add_jumps(inner, next, kept, around);
            }
            if let StmtKind::Loop { .. } | StmtKind::Scope { .. } = stmt.kind {
                around.pop();
            }
        }
    }

    /// A statement, and what decides whether it runs.
    fn deciders(&self, number: usize) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = self.dependences.deciders(number).clone();
        if !matches!(self.statements[number].kind, StmtKind::Return(_)) || self.impacted.contains(&number) {
            found.insert(number);
        }
        found
    }

    /// Hides what is not kept: the largest statements without anything that is.
    fn leave_out(&self, kept: &BTreeSet<usize>, hidden: &mut Abstraction<'a>) {
        self.leave_out_of(self.body, &mut 0, kept, hidden);
    }

    fn leave_out_of(
        &self,
        block: &'a [Stmt],
        next: &mut usize,
        kept: &BTreeSet<usize>,
        hidden: &mut Abstraction<'a>,
    ) {
        for stmt in block {
            let (number, end) = (*next, *next + size(stmt));
            *next += 1;
            let is_jump = matches!(
                stmt.kind,
                StmtKind::Return(_)
                    | StmtKind::Throw { .. }
                    | StmtKind::Unsupported { .. }
                    | StmtKind::Assume { .. }
            );
            if kept.range(number..end).next().is_none() && !is_jump && !escapes(stmt) {
                hidden.leave_out(std::slice::from_ref(stmt));
                *next = end;
                continue;
            }
            for inner in blocks(&stmt.kind) {
                self.leave_out_of(inner, next, kept, hidden);
            }
        }
    }
}

/// Whether a statement may put a reference where someone outside finds it.
fn publishes(subject: Subject<'_>, stmt: &Stmt, dependences: &Dependences, number: usize) -> bool {
    let program = subject.program;
    let returns = matches!(stmt.kind, StmtKind::Return(Some(_)));
    (returns && subject.procedure().result.as_ref().is_some_and(has_references))
        || dependences.writes(number).iter().any(|place| match place {
            Place::Global(global) => has_references(&program.globals[global.index()].ty),
            Place::Region(region) => has_references(&program.region(*region).value),
            Place::Local(_) | Place::Lengths | Place::Written(_) | Place::World => false,
        })
}

fn has_references(ty: &Type) -> bool {
    match ty {
        Type::Ref(_) => true,
        Type::Record(fields) => fields.iter().any(has_references),
        Type::Map(key, value) => has_references(key) || has_references(value),
        Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text => false,
    }
}

/// Whether a run can leave the statement by a return, a throw, or what has no meaning for us.
fn escapes(stmt: &Stmt) -> bool {
    let mut escapes = false;
    ir::for_each_stmt(std::slice::from_ref(stmt), &mut |inner| {
        escapes |= matches!(
            inner.kind,
            StmtKind::Return(_)
                | StmtKind::Throw { .. }
                | StmtKind::Unsupported { .. }
                | StmtKind::Assume { .. }
        );
    });
    escapes
}

fn size(stmt: &Stmt) -> usize {
    let mut size = 0;
    ir::for_each_stmt(std::slice::from_ref(stmt), &mut |_| size += 1);
    size
}
