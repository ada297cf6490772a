//! Where the difference of changed callees dies: runs of statements that compute the same with either version.
//!
//! A procedure whose own code did not change is unaffected if every call of something changed stands in such a run (an
//! impact boundary). Each run is moved into a procedure of its own, and the two procedures are compared like any
//! others. Those that are proved equal become one unknown procedure; if then nothing but the same code is left, both
//! versions do the same.
//! Exact for what it proves; says nothing where it finds no boundary.

mod candidates;
mod decide;
mod race;
mod round;
mod sites;

use std::collections::BTreeSet;

use budget::{Budget, Steps};
use ir::{Pair, ProcId, Program, Span, Subject, subjects};
use rewrite::{Outlined, RunPath};

use crate::interface::{lowering_assumptions, unknown_code};
use crate::kernel::{Basis, Boundary, Exercised, Proof, SameCode, identical};
use crate::resume::ResumeState;
use crate::strategies::takes_anything;
use crate::verdict::Verdict;
use crate::witness::Witness;
use crate::{StopFlag, Threads, same_interface};
use race::race;
use round::{Candidate, Compared, Lost, Parts, Round, Won};
use sites::{Site, same_but_for_callees, sites};

pub(crate) use decide::{Cost, Decide, Decided, Until};

/// What each candidate around a call gets at first. If none of them is a boundary, all that are undecided get twice as
/// much: the right one is often easy where the others are hard.
const FIRST_LIMIT: Steps = Steps::of_milliseconds(2000);
/// The share of what is left that the comparison of two callees by themselves gets.
const SHARE_OF_CALLEE: f64 = 0.6;
/// The share of what is left that candidates with one call of something changed get.
const SHARE_OF_ONE_CALL: f64 = 0.7;
/// Procedures that are compared, at the most, and candidates around one call.
const MOST_PROCEDURES: usize = 200;
const MOST_CANDIDATES: usize = 16;
/// How many candidates are compared with the same limit, at the same time if there are threads. Then what they took is
/// charged, and the next ones get what is left. It does not depend on the number of threads, so that the verdict does not.
const BATCH: usize = 2;

/// Looks for boundaries of all changes that a pair reaches; `None` if the pair itself changed or none were found.
///
/// Candidates are compared on as many threads as there may be. What they cost is told in the order in which one thread
/// would have compared them.
pub(crate) fn boundaries(
    pair: Pair<Subject<'_>>,
    until: Until<'_>,
    threads: Threads,
    decide: Decide<'_>,
    on_cost: &mut dyn FnMut(Cost),
) -> Option<Surrounded> {
    let root = pair.map(|subject| subject.procedure);
    sites(pair, &mut |_| false)?;
    let mut search = BoundarySearch {
        // What is used of a result is computed where the result is, so that a boundary can end there.
        programs: pair.map(|subject| rewrite::hoist_uses(subject.program)),
        until,
        threads,
        decide,
        on_cost,
        known: vec![(root, Known::Undecided)],
        changed: BTreeSet::new(),
        seen: BTreeSet::new(),
        parts: Parts::default(),
        found: Vec::new(),
        proved: Vec::new(),
        basis: Basis::default(),
    };
    let same = match search.compare_origins(root) {
        Some(same) => same,
        None => {
            search.examine_callees(root);
            search.surround(root)?;
            search.same_but_for_what_is_proved(root)?
        }
    };
    let mut assumptions = unknown_code(pair);
    assumptions.extend(lowering_assumptions(pair));
    let (basis, boundaries, proved) = (search.basis, search.found, search.proved);
    Some(Surrounded { same, assumptions, basis, boundaries, proved })
}

/// The boundaries of all changes that a pair reaches, around which the code is the same.
pub(crate) struct Surrounded {
    same: SameCode,
    assumptions: Vec<String>,
    basis: Basis,
    boundaries: Vec<Boundary>,
    /// The callees that were proved to do the same on all inputs, with runs of their own to show for it.
    proved: Vec<Pair<ProcId>>,
}

impl Surrounded {
    /// The callees that were proved to do the same by themselves.
    pub(crate) fn proved(&self) -> &[Pair<ProcId>] {
        &self.proved
    }

    /// The proof that follows, once runs show what it speaks of.
    pub(crate) fn proof(self, exercised: &Exercised) -> Proof {
        Proof::unaffected(self.same, exercised, self.assumptions, self.basis, self.boundaries)
    }
}

/// The programs with the boundaries found so far moved out, and what is known of their procedures.
struct BoundarySearch<'d> {
    programs: Pair<Program>,
    until: Until<'d>,
    threads: Threads,
    decide: Decide<'d>,
    on_cost: &'d mut dyn FnMut(Cost),
    known: Vec<(Pair<ProcId>, Known)>,
    /// Procedures whose code, or that of something they call, is not the same; and all that were looked at.
    changed: BTreeSet<Pair<ProcId>>,
    seen: BTreeSet<Pair<ProcId>>,
    parts: Parts,
    found: Vec<Boundary>,
    proved: Vec<Pair<ProcId>>,
    /// What the proofs of parts rest on.
    basis: Basis,
}

/// What is known of two procedures.
#[derive(Clone)]
enum Known {
    /// They are being looked at, or nothing could be shown.
    Undecided,
    /// They differ on these inputs.
    Different(Box<Witness>),
    /// They do the same on all inputs.
    Same,
}

impl BoundarySearch<'_> {
    /// Compares the procedures whose own code changed. If they all do the same, so does everything that calls them. Then
    /// nothing between is looked at: a chain of calls is walked once, however long it is.
    fn compare_origins(&mut self, root: Pair<ProcId>) -> Option<SameCode> {
        let mut origins = Vec::new();
        self.find_changed(root, &mut origins);
        for ids in origins {
            if self.known.len() < MOST_PROCEDURES && self.known(ids).is_none() {
                self.examine(ids);
            }
        }
        self.same_but_for_what_is_proved(root)
    }

    /// Notes the procedures that changed or call something changed, callees first, each once.
    fn find_changed(&mut self, ids: Pair<ProcId>, origins: &mut Vec<Pair<ProcId>>) {
        if !self.seen.insert(ids) {
            return;
        }
        let calls = sites(self.subjects(ids), &mut |_| false).unwrap_or_default();
        calls.iter().for_each(|site| self.find_changed(site.callees, origins));
        let has_changed =
            !same_but_for_callees(self.subjects(ids)) && identical(self.subjects(ids)).is_none();
        origins.extend(has_changed.then_some(ids));
        if has_changed || calls.iter().any(|site| self.changed.contains(&site.callees)) {
            self.changed.insert(ids);
        }
    }

    /// Examines what two procedures call, callees first.
    fn examine_callees(&mut self, ids: Pair<ProcId>) {
        let calls = sites(self.subjects(ids), &mut |callees| self.is_proved(callees)).unwrap_or_default();
        for site in calls {
            if self.known.len() < MOST_PROCEDURES && self.known(site.callees).is_none() {
                self.examine(site.callees);
            }
        }
    }

    fn examine(&mut self, ids: Pair<ProcId>) {
        self.known.push((ids, Known::Undecided));
        self.examine_callees(ids);
        let is_unaffected = can_stand_alone(self.subjects(ids))
            && self.surround(ids).is_some()
            && self.same_but_for_what_is_proved(ids).is_some();
        let known = match is_unaffected {
            true => Known::Same,
            false => self.compare(ids, self.until.budget.left().mul_f64(SHARE_OF_CALLEE)),
        };
        self.known.retain(|(other, _)| *other != ids);
        self.known.push((ids, known));
    }

    /// Compares two procedures as they are.
    fn compare(&mut self, ids: Pair<ProcId>, limit: Steps) -> Known {
        if !can_stand_alone(self.subjects(ids)) {
            return Known::Undecided;
        }
        let until = Until { budget: self.until.budget.apart(limit), stop: self.until.stop };
        let decided = (self.decide)(self.subjects(ids), ResumeState::default(), until);
        self.charge(decided.cost);
        match decided.verdict {
            Verdict::Equivalent(proof) => {
                self.basis.extend(Basis::of(&proof));
                self.proved.push(ids);
                Known::Same
            }
            Verdict::Different(witness) => Known::Different(witness),
            Verdict::Unknown(_) => Known::Undecided,
        }
    }

    /// Finds a boundary for every call of something changed in two procedures whose own code is the same.
    fn surround(&mut self, ids: Pair<ProcId>) -> Option<()> {
        loop {
            // Calls of the procedures themselves are part of the comparison at the end.
            let calls = sites(self.subjects(ids), &mut |callees| callees == ids || self.is_proved(callees))?;
            let Some(site) = calls.first() else { return Some(()) };
            let body = self.programs.old.procedure(ids.old).body.as_ref()?;
            let runs = candidates::around(site, body);
            // The largest is all that there is.
            let most = runs.len().min(MOST_CANDIDATES - 1);
            let runs = runs[..most].iter().chain(&runs[runs.len() - 1..]).cloned();
            // A difference that does not die before the next call of something changed seldom dies there.
            let has_one_call = |run: &RunPath| calls.iter().filter(|site| site.is_in(run)).count() == 1;
            let (alone, together): (Vec<RunPath>, Vec<RunPath>) = runs.partition(has_one_call);
            let share = if together.is_empty() { 1.0 } else { SHARE_OF_ONE_CALL };
            let soon = self.until.budget.share(share);
            if !self.try_longer_and_longer(ids, &alone, &calls, &soon) {
                let budget = self.until.budget.clone();
                self.try_longer_and_longer(ids, &together, &calls, &budget).then_some(())?;
            }
        }
    }

    /// Tries candidates until one is a boundary, all of them again with twice the work if none is.
    fn try_longer_and_longer(
        &mut self,
        ids: Pair<ProcId>,
        runs: &[RunPath],
        calls: &[Site],
        budget: &Budget,
    ) -> bool {
        let mut limit = FIRST_LIMIT;
        // The last time around there may be less left: engines go on where they stopped.
        while !runs.is_empty()
            && !self.until.stop.is_raised()
            && !budget.is_killed()
            && limit / 2 < budget.left()
        {
            let mut seen = Vec::new();
            for batch in runs.chunks(BATCH) {
                if !budget.is_over() && self.try_all(ids, batch, calls, limit.min(budget.left()), &mut seen) {
                    return true;
                }
            }
            limit = limit * 2;
        }
        false
    }

    /// Moves out the first run that is seen, within the limit for each, to compute the same in both versions.
    fn try_all(
        &mut self,
        ids: Pair<ProcId>,
        runs: &[RunPath],
        calls: &[Site],
        limit: Steps,
        seen: &mut Vec<Pair<Program>>,
    ) -> bool {
        let round = Round {
            procedures: self.programs.as_ref().zip(ids),
            runs: runs.iter(),
            name: format!("{} part {}", self.programs.old.procedure(ids.old).short_name, self.found.len()),
            parts: &self.parts,
            limit,
            seen,
        };
        let (decide, budget) = (self.decide, &self.until.budget);
        let compare = |candidate: Candidate, stop: &StopFlag| candidate.compare(decide, budget, stop);
        let raced = race(self.threads, self.until.stop, round, compare);
        for lost in raced.lost {
            let Lost { normal, compared, cost } = *lost;
            self.charge(cost);
            self.parts.note(normal, compared);
        }
        let Some(Won { run, outlined, normal, basis, cost }) = raced.winner else { return false };
        self.charge(cost);
        self.parts.note(normal, Compared::Same);
        self.basis.extend(basis);
        self.accept(ids, &run, calls, outlined);
        true
    }

    /// Charges what a part took that counts.
    fn charge(&mut self, cost: Cost) {
        self.until.budget.spend(cost.steps);
        (self.on_cost)(cost);
    }

    fn accept(&mut self, ids: Pair<ProcId>, run: &RunPath, calls: &[Site], outlined: Pair<Outlined>) {
        let inside: Vec<&Site> = calls.iter().filter(|site| site.is_in(run)).collect();
        let name = |site: &&Site| self.programs.old.procedure(site.callees.old).short_name.clone();
        let mut callees: Vec<String> = inside.iter().map(name).collect();
        callees.dedup();
        let callee_differs = inside.iter().find_map(|site| match self.known(site.callees) {
            Some(Known::Different(witness)) => Some((site.callees, witness)),
            _ => None,
        });
        let spans = self.programs.as_ref().zip(ids).map(|(program, id)| span_of(program, id, run));
        self.found.push(Boundary {
            procedure: self.programs.old.procedure(ids.old).short_name.clone(),
            spans,
            calls: callees,
            outputs: outlined.old.outputs.iter().filter(|name| !name.starts_with('$')).cloned().collect(),
            callee_differs,
        });
        self.known.push((outlined.as_ref().map(|it| it.part), Known::Same));
        self.programs = outlined.map(|it| it.program);
    }

    fn known(&self, ids: Pair<ProcId>) -> Option<Known> {
        self.known.iter().find(|(other, _)| *other == ids).map(|(_, known)| known.clone())
    }

    fn is_proved(&self, ids: Pair<ProcId>) -> bool {
        matches!(self.known(ids), Some(Known::Same))
            || !self.changed.contains(&ids) && identical(self.subjects(ids)).is_some()
    }

    fn subjects(&self, ids: Pair<ProcId>) -> Pair<Subject<'_>> {
        subjects(&self.programs, ids)
    }

    /// Compares the code with all proved procedures taken for unknown ones of the same name.
    fn same_but_for_what_is_proved(&self, ids: Pair<ProcId>) -> Option<SameCode> {
        let mut programs = self.programs.clone();
        let proved = self.known.iter().filter(|(other, known)| matches!(known, Known::Same) && *other != ids);
        for (number, (proved, _)) in proved.enumerate() {
            for (program, id) in [(&mut programs.old, proved.old), (&mut programs.new, proved.new)] {
                let procedure = &mut program.procedures[id.index()];
                procedure.name = format!("proved {number}");
                procedure.locals.truncate(procedure.params);
                procedure.body = None;
            }
        }
        identical(subjects(&programs, ids))
    }
}

/// Whether procedures can be compared on all that calls may give them. What they assume may be assumed: a run on which a
/// call leaves it out of consideration is left out as a whole.
fn can_stand_alone(pair: Pair<Subject<'_>>) -> bool {
    let effects = pair.map(|subject| ir::effects(subject.program, subject.procedure));
    let is_odd = |effects: &ir::Effects| effects.frees || effects.unsupported;
    takes_anything(pair.map(|subject| subject.program), pair.map(|subject| subject.procedure))
        && !is_odd(&effects.old)
        && !is_odd(&effects.new)
        && same_interface(pair.old, pair.new).is_ok()
}

fn span_of(program: &Program, id: ProcId, run: &RunPath) -> Span {
    let body = program.procedure(id).body.as_deref().unwrap_or_default();
    let statements = run.statements(body).unwrap_or_default();
    let known = || statements.iter().map(|stmt| stmt.span).filter(|span| !span.is_nowhere());
    let first = known().min_by_key(|span| (span.line, span.column)).unwrap_or(Span::NOWHERE);
    let last = known().max_by_key(|span| (span.end_line, span.end_column)).unwrap_or(Span::NOWHERE);
    Span { end_line: last.end_line, end_column: last.end_column, ..first }
}
