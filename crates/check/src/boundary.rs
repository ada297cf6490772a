//! Where the difference of changed callees dies: runs of statements that compute the same with either version.
//!
//! A procedure whose own code did not change is unaffected if every call of something changed stands in such a run (an
//! impact boundary). Each run is moved into a procedure of its own, and the two procedures are compared like any
//! others. Those that are proved equal become one unknown procedure; if then nothing but the same code is left, both
//! versions do the same.
//! Exact for what it proves; says nothing where it finds no boundary.

mod candidates;
mod sites;

use std::time::{Duration, Instant};

use ir::{Outlined, Pair, ProcId, Program, RunPath, Span};

use crate::strategies::{SameCode, identical, takes_anything};
use crate::subject::{subjects, unknown_code};
use crate::tried::Tried;
use crate::verdict::{Proof, Verdict};
use crate::witness::Witness;
use crate::{Subject, same_interface};
use sites::{Site, sites};

/// What each candidate around a call gets at first; if none of them is a boundary, all that are still open get twice as
/// much: the right one is often easy where the others are hard.
const FIRST_LIMIT: Duration = Duration::from_millis(1000);
/// The share of the time that the comparison of two callees by themselves gets, of what is left.
const SHARE_OF_CALLEE: f64 = 0.6;
/// The share of the time that candidates with one call of something changed get, of what is left.
const SHARE_OF_ONE_CALL: f64 = 0.7;
/// Procedures that are settled, at the most, and candidates that are tried around one call.
const MOST_PROCEDURES: usize = 200;
const MOST_CANDIDATES: usize = 16;

/// A run of statements that computes the same in both versions although something that it calls changed.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// The procedure that it stands in.
    pub procedure: String,
    pub spans: Pair<Span>,
    /// The changed procedures that it calls.
    pub calls: Vec<String>,
    /// What of its results the code after it can see.
    pub outputs: Vec<String>,
    /// A callee that differs, with inputs that show it: the difference dies here.
    pub callee_differs: Option<(Pair<ProcId>, Box<Witness>)>,
}

/// Decides a pair within a time, on all inputs that calls may give, without looking for boundaries again.
pub(crate) type Decide<'d> = &'d mut dyn FnMut(Pair<Subject<'_>>, Instant, &mut Tried) -> Verdict;

/// Looks for boundaries of all changes that a pair reaches; `None` if the pair itself changed or none were found.
pub(crate) fn boundaries(pair: Pair<Subject<'_>>, deadline: Instant, decide: Decide<'_>) -> Option<Proof> {
    let root = pair.map(|subject| subject.procedure);
    sites(pair, &mut |_| false)?;
    let mut settling = Settling {
        // What is used of a result is computed where the result is, so that a boundary can end there.
        programs: pair.map(|subject| ir::hoist_uses(subject.program)),
        deadline,
        decide,
        known: vec![(root, Known::Open)],
        parts: Vec::new(),
        found: Vec::new(),
        assumptions: Vec::new(),
    };
    settling.settle_callees(root);
    settling.surround(root)?;
    let same = settling.same_but_for_what_is_settled(root)?;
    let mut assumptions = unknown_code(pair);
    assumptions.extend(settling.assumptions);
    assumptions.sort();
    assumptions.dedup();
    Some(Proof::unaffected(same, assumptions, settling.found))
}

/// The programs with the boundaries found so far moved out, and what is known of their procedures.
struct Settling<'d> {
    programs: Pair<Program>,
    deadline: Instant,
    decide: Decide<'d>,
    known: Vec<(Pair<ProcId>, Known)>,
    /// Parts that were compared, in their normal form.
    parts: Vec<(Pair<Program>, Compared)>,
    found: Vec<Boundary>,
    assumptions: Vec<String>,
}

/// What came of comparing two parts.
#[derive(Clone)]
enum Compared {
    Same,
    Different,
    /// Not decided within this time.
    Open {
        limit: Duration,
        tried: Tried,
    },
}

/// What is known of two procedures.
#[derive(Clone)]
enum Known {
    /// They are being looked at, or nothing could be shown.
    Open,
    /// They differ on these inputs.
    Different(Box<Witness>),
    /// They do the same on all inputs.
    Same,
}

impl Settling<'_> {
    /// Settles what two procedures call, callees first.
    fn settle_callees(&mut self, ids: Pair<ProcId>) {
        let calls = sites(self.subjects(ids), &mut |callees| self.is_settled(callees)).unwrap_or_default();
        for site in calls {
            if self.known.len() < MOST_PROCEDURES && self.known(site.callees).is_none() {
                self.settle(site.callees);
            }
        }
    }

    fn settle(&mut self, ids: Pair<ProcId>) {
        self.known.push((ids, Known::Open));
        self.settle_callees(ids);
        let is_unaffected = self.can_stand_alone(ids)
            && self.surround(ids).is_some()
            && self.same_but_for_what_is_settled(ids).is_some();
        let known = match is_unaffected {
            true => Known::Same,
            false => {
                let left = self.deadline.saturating_duration_since(Instant::now());
                self.compare(ids, left.mul_f64(SHARE_OF_CALLEE), &mut Tried::default())
            }
        };
        self.known.retain(|(other, _)| *other != ids);
        self.known.push((ids, known));
    }

    /// Compares two procedures as they are.
    fn compare(&mut self, ids: Pair<ProcId>, limit: Duration, tried: &mut Tried) -> Known {
        if !self.can_stand_alone(ids) {
            return Known::Open;
        }
        let now = Instant::now();
        let deadline = (now + limit).min(self.deadline);
        let pair = subjects(&self.programs, ids);
        match (self.decide)(pair, deadline, tried) {
            Verdict::Equivalent(proof) => {
                self.assumptions.extend_from_slice(proof.assumptions());
                Known::Same
            }
            Verdict::Different(witness) => Known::Different(witness),
            Verdict::Unknown(_) => Known::Open,
        }
    }

    /// Finds a boundary for every call of something changed in two procedures whose own code is the same.
    fn surround(&mut self, ids: Pair<ProcId>) -> Option<()> {
        loop {
            // Calls of the procedures themselves are part of the comparison at the end.
            let open = sites(self.subjects(ids), &mut |callees| callees == ids || self.is_settled(callees))?;
            let Some(site) = open.first() else { return Some(()) };
            let body = self.programs.old.procedure(ids.old).body.as_ref()?;
            let runs = candidates::around(site, body);
            // The largest is all that there is.
            let most = runs.len().min(MOST_CANDIDATES - 1);
            let runs = runs[..most].iter().chain(&runs[runs.len() - 1..]).cloned();
            // A difference that does not die before the next call of something changed seldom dies there.
            let has_one_call = |run: &RunPath| open.iter().filter(|site| site.is_in(run)).count() == 1;
            let (alone, together): (Vec<RunPath>, Vec<RunPath>) = runs.partition(has_one_call);
            let left = self.deadline.saturating_duration_since(Instant::now());
            let soon =
                Instant::now() + if together.is_empty() { left } else { left.mul_f64(SHARE_OF_ONE_CALL) };
            if !self.try_longer_and_longer(ids, &alone, &open, soon) {
                let deadline = self.deadline;
                self.try_longer_and_longer(ids, &together, &open, deadline).then_some(())?;
            }
        }
    }

    /// Tries candidates until one is a boundary, all of them again with twice the time if none is.
    fn try_longer_and_longer(
        &mut self,
        ids: Pair<ProcId>,
        runs: &[RunPath],
        open: &[Site],
        deadline: Instant,
    ) -> bool {
        let mut limit = FIRST_LIMIT;
        // The last time around there may be less time left: engines go on where they stopped.
        while !runs.is_empty() && Instant::now() + limit / 2 < deadline {
            let within = |run: &RunPath| {
                let left = deadline.saturating_duration_since(Instant::now());
                self.try_run(ids, run, open, limit.min(left))
            };
            if runs.iter().any(within) {
                return true;
            }
            limit *= 2;
        }
        false
    }

    /// Moves a run out, if it computes the same in both versions.
    fn try_run(&mut self, ids: Pair<ProcId>, run: &RunPath, open: &[Site], limit: Duration) -> bool {
        let name = format!("{} part {}", self.programs.old.procedure(ids.old).short_name, self.found.len());
        let pair = self.programs.as_ref().zip(ids);
        let Some(outlined) = ir::outline(pair, run, &name) else { return false };
        let normal = outlined.as_ref().map(|it| ir::normalise(&it.program, it.part));
        let place = self.parts.iter().position(|(other, _)| *other == normal);
        let known = place.map(|place| self.parts[place].1.clone());
        let compared = match known {
            Some(Compared::Open { limit: before, tried }) if before < limit => {
                self.parts.retain(|(other, _)| *other != normal);
                self.compare_parts(&outlined, normal, limit, tried)
            }
            Some(compared) => compared,
            None => self.compare_parts(&outlined, normal, limit, Tried::default()),
        };
        let is_same = matches!(compared, Compared::Same);
        if is_same {
            self.accept(ids, run, open, outlined);
        }
        is_same
    }

    fn compare_parts(
        &mut self,
        outlined: &Pair<Outlined>,
        normal: Pair<Program>,
        limit: Duration,
        mut tried: Tried,
    ) -> Compared {
        let before = std::mem::replace(&mut self.programs, outlined.as_ref().map(|it| it.program.clone()));
        let compared = match self.compare(outlined.as_ref().map(|it| it.part), limit, &mut tried) {
            Known::Same => Compared::Same,
            Known::Different(_) => Compared::Different,
            Known::Open => Compared::Open { limit, tried },
        };
        self.programs = before;
        self.parts.push((normal, compared.clone()));
        compared
    }

    fn accept(&mut self, ids: Pair<ProcId>, run: &RunPath, open: &[Site], outlined: Pair<Outlined>) {
        let inside: Vec<&Site> = open.iter().filter(|site| site.is_in(run)).collect();
        let name = |site: &&Site| self.programs.old.procedure(site.callees.old).short_name.clone();
        let mut calls: Vec<String> = inside.iter().map(name).collect();
        calls.dedup();
        let callee_differs = inside.iter().find_map(|site| match self.known(site.callees) {
            Some(Known::Different(witness)) => Some((site.callees, witness)),
            _ => None,
        });
        let spans = self.programs.as_ref().zip(ids).map(|(program, id)| span_of(program, id, run));
        self.found.push(Boundary {
            procedure: self.programs.old.procedure(ids.old).short_name.clone(),
            spans,
            calls,
            outputs: outlined.old.outputs.iter().filter(|name| !name.starts_with('$')).cloned().collect(),
            callee_differs,
        });
        self.known.push((outlined.as_ref().map(|it| it.part), Known::Same));
        self.programs = outlined.map(|it| it.program);
    }

    /// Whether the procedures can be compared on all that calls may give them.
    fn can_stand_alone(&self, ids: Pair<ProcId>) -> bool {
        let pair = self.subjects(ids);
        let effects = pair.map(|subject| ir::effects(subject.program, subject.procedure));
        let is_odd = |effects: &ir::Effects| effects.frees || effects.assumes || effects.unsupported;
        takes_anything(self.programs.as_ref(), ids)
            && !is_odd(&effects.old)
            && !is_odd(&effects.new)
            && same_interface(pair.old, pair.new).is_ok()
    }

    fn known(&self, ids: Pair<ProcId>) -> Option<Known> {
        self.known.iter().find(|(other, _)| *other == ids).map(|(_, known)| known.clone())
    }

    fn is_settled(&self, ids: Pair<ProcId>) -> bool {
        matches!(self.known(ids), Some(Known::Same)) || identical(self.subjects(ids)).is_some()
    }

    fn subjects(&self, ids: Pair<ProcId>) -> Pair<Subject<'_>> {
        subjects(&self.programs, ids)
    }

    /// Compares the code with all settled procedures taken for unknown ones of the same name.
    fn same_but_for_what_is_settled(&self, ids: Pair<ProcId>) -> Option<SameCode> {
        let mut programs = self.programs.clone();
        let settled =
            self.known.iter().filter(|(other, known)| matches!(known, Known::Same) && *other != ids);
        for (number, (settled, _)) in settled.enumerate() {
            for (program, id) in [(&mut programs.old, settled.old), (&mut programs.new, settled.new)] {
                let procedure = &mut program.procedures[id.index()];
                procedure.name = format!("settled {number}");
                procedure.locals.truncate(procedure.params);
                procedure.body = None;
            }
        }
        identical(subjects(&programs, ids))
    }
}

fn span_of(program: &Program, id: ProcId, run: &RunPath) -> Span {
    let body = program.procedure(id).body.as_deref().unwrap_or_default();
    let statements = run.statements(body).unwrap_or_default();
    let known = || statements.iter().map(|stmt| stmt.span).filter(|span| !span.is_nowhere());
    let first = known().min_by_key(|span| (span.line, span.column)).unwrap_or(Span::NOWHERE);
    let last = known().max_by_key(|span| (span.end_line, span.end_column)).unwrap_or(Span::NOWHERE);
    Span { end_line: last.end_line, end_column: last.end_column, ..first }
}
