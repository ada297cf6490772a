//! One round over candidates: each is moved out of both versions and compared, unless that is known already.
//!
//! Parts that are equal up to names are compared once, also in later rounds and for other calls.

use budget::{Budget, Steps};
use ir::{Pair, ProcId, Program};
use rewrite::{Outlined, RunPath};

use super::can_stand_alone;
use super::decide::{Cost, Decide, Until};
use crate::kernel::Basis;
use crate::resume::ResumeState;
use crate::verdict::Verdict;
use crate::{StopFlag, Subject};

/// The parts that were compared, in their normal form.
#[derive(Default)]
pub(super) struct Parts(Vec<(Pair<Program>, Compared)>);

/// What came of comparing two parts.
pub(super) enum Compared {
    Same,
    Different,
    /// Not decided with this much work.
    Undecided {
        limit: Steps,
        resume: ResumeState,
    },
}

impl Parts {
    fn find(&self, part: &Pair<Program>) -> Option<&Compared> {
        self.0.iter().find(|(other, _)| other == part).map(|(_, compared)| compared)
    }

    pub(super) fn note(&mut self, part: Pair<Program>, compared: Compared) {
        self.0.retain(|(other, _)| *other != part);
        self.0.push((part, compared));
    }
}

/// The candidates of a round that are worth looking at, moved out one by one as they are asked for.
pub(super) struct Round<'r> {
    pub(super) procedures: Pair<(&'r Program, ProcId)>,
    pub(super) runs: std::slice::Iter<'r, RunPath>,
    /// The name of the procedure that a run is moved into.
    pub(super) name: String,
    pub(super) parts: &'r Parts,
    /// The work for each candidate. It does not depend on what others took, which may be compared at the same time.
    pub(super) limit: Steps,
    /// Those of this round so far: one that comes again would come to the same.
    pub(super) seen: &'r mut Vec<Pair<Program>>,
}

impl Iterator for Round<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        loop {
            let run = self.runs.next()?;
            let Some(outlined) = rewrite::outline(self.procedures, run, &self.name) else { continue };
            let normal = outlined.as_ref().map(|it| ir::normalise(&it.program, it.part));
            let limit = self.limit;
            let to_do = match self.parts.find(&normal) {
                Some(Compared::Same) => ToDo::Nothing,
                Some(Compared::Different) => continue,
                Some(Compared::Undecided { limit: before, .. }) if *before >= limit => continue,
                Some(Compared::Undecided { resume, .. }) => ToDo::Compare { limit, resume: resume.clone() },
                None => ToDo::Compare { limit, resume: ResumeState::default() },
            };
            if self.seen.contains(&normal) || !can_stand_alone(moved_out(&outlined)) {
                continue;
            }
            self.seen.push(normal.clone());
            return Some(Candidate { run: run.clone(), outlined, normal, to_do });
        }
    }
}

/// A run of statements, moved out of both versions.
pub(super) struct Candidate {
    run: RunPath,
    outlined: Pair<Outlined>,
    normal: Pair<Program>,
    to_do: ToDo,
}

enum ToDo {
    /// It is known to be a boundary.
    Nothing,
    Compare {
        limit: Steps,
        resume: ResumeState,
    },
}

/// A candidate that is a boundary.
pub(super) struct Won {
    pub(super) run: RunPath,
    pub(super) outlined: Pair<Outlined>,
    pub(super) normal: Pair<Program>,
    pub(super) basis: Basis,
    pub(super) cost: Cost,
}

/// A candidate that is none, or of which that is not known.
pub(super) struct Lost {
    pub(super) normal: Pair<Program>,
    pub(super) compared: Compared,
    pub(super) cost: Cost,
}

impl Candidate {
    pub(super) fn compare(
        self,
        decide: Decide<'_>,
        budget: &Budget,
        stop: &StopFlag,
    ) -> Result<Won, Box<Lost>> {
        let Candidate { run, outlined, normal, to_do } = self;
        let ToDo::Compare { limit, resume } = to_do else {
            return Ok(Won { run, outlined, normal, basis: Basis::default(), cost: Cost::default() });
        };
        let until = Until { budget: budget.apart(limit), stop };
        let decided = decide(moved_out(&outlined), resume, until);
        let (resume, cost) = (decided.resume, decided.cost);
        match decided.verdict {
            Verdict::Equivalent(proof) => Ok(Won { run, outlined, normal, basis: Basis::of(&proof), cost }),
            Verdict::Different(_) => Err(Box::new(Lost { normal, compared: Compared::Different, cost })),
            Verdict::Unknown(_) => {
                Err(Box::new(Lost { normal, compared: Compared::Undecided { limit, resume }, cost }))
            }
        }
    }
}

fn moved_out(outlined: &Pair<Outlined>) -> Pair<Subject<'_>> {
    outlined.as_ref().map(|it| Subject::new(&it.program, it.part))
}
