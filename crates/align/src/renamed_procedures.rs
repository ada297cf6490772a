//! Guesses which procedures were renamed: the same parameters and result, and bodies that are much alike.

use std::collections::BTreeMap;

use ir::{Pair, ProcId, Program};

use crate::signature::signature;
use crate::statements::{MatchKind, Sketch, Sketches, align_statements};

/// The least share of statements that two bodies have in common, in thousandths; a changed one counts half.
const LEAST_LIKENESS: usize = 700;
/// The least share of equal subtrees that makes a closer look worthwhile, in thousandths.
const WORTH_A_LOOK: usize = 400;
/// How many procedures with a signature may be compared with each other, pair by pair.
const PAIRS_COMPARED: usize = 10_000;
/// How many partners of a procedure get a closer look.
const CLOSER_LOOKS: usize = 4;
/// Bodies with fewer nodes are too common to tell anything.
const LEAST_NODES: usize = 5;

/// Pairs of procedures among the open ones, the most alike first; none of two that are equally likely.
pub(crate) fn renamed_procedures(
    programs: Pair<&Program>,
    open: Pair<&[ProcId]>,
    renamed_classes: &[Pair<String>],
) -> Vec<Pair<ProcId>> {
    let mut found: Vec<(usize, Pair<ProcId>)> = Vec::new();
    for ids in by_signature(programs, open, renamed_classes).values() {
        found.extend(candidates(programs, ids, renamed_classes));
    }
    found.sort_by_key(|(likeness, pair)| (std::cmp::Reverse(*likeness), *pair));
    best_first(&found)
}

/// The open procedures with the same parameters and result.
fn by_signature(
    programs: Pair<&Program>,
    open: Pair<&[ProcId]>,
    renamed_classes: &[Pair<String>],
) -> BTreeMap<String, Pair<Vec<ProcId>>> {
    let mut groups: BTreeMap<String, Pair<Vec<ProcId>>> = BTreeMap::new();
    for id in open.old {
        let signature = signature(programs.old, programs.old.procedure(*id), renamed_classes);
        groups.entry(signature).or_default().old.push(*id);
    }
    for id in open.new {
        let signature = signature(programs.new, programs.new.procedure(*id), &[]);
        groups.entry(signature).or_default().new.push(*id);
    }
    groups.retain(|_, ids| ids.old.len() * ids.new.len() > 0);
    groups
}

/// The pairs of a group that are alike enough, with their likeness.
fn candidates(
    programs: Pair<&Program>,
    ids: &Pair<Vec<ProcId>>,
    renamed_classes: &[Pair<String>],
) -> Vec<(usize, Pair<ProcId>)> {
    if ids.old.len() * ids.new.len() > PAIRS_COMPARED {
        return Vec::new();
    }
    let mut sketches = Sketches::new(programs, renamed_classes);
    let new: Vec<(ProcId, Sketch)> = ids.new.iter().map(|id| (*id, sketches.of_new(*id))).collect();
    let mut found = Vec::new();
    for old in &ids.old {
        let sketch = sketches.of_old(*old);
        let mut likely: Vec<(usize, ProcId)> = new
            .iter()
            .filter(|(_, other)| sketch.len().min(other.len()) >= LEAST_NODES)
            .map(|(new, other)| (sketch.likeness(other), *new))
            .filter(|(likeness, _)| *likeness >= WORTH_A_LOOK)
            .collect();
        likely.sort_by_key(|(likeness, new)| (std::cmp::Reverse(*likeness), *new));
        likely.truncate(CLOSER_LOOKS);
        for (_, new) in likely {
            let pair = Pair::new(*old, new);
            let likeness = share_of_statements(programs, pair);
            if likeness >= LEAST_LIKENESS {
                found.push((likeness, pair));
            }
        }
    }
    found
}

fn share_of_statements(programs: Pair<&Program>, pair: Pair<ProcId>) -> usize {
    let alignment = align_statements(programs.zip(pair));
    let common = alignment.matches.iter().filter(|found| found.kind == MatchKind::Common).count();
    let matched = alignment.matches.len();
    let all = 2 * matched + alignment.deleted.len() + alignment.inserted.len();
    1000 * (common + matched) / all.max(1)
}

/// Takes pairs from the best to the worst. A procedure that is equally like two others that are still there is left
/// out, because a guess between them would be worth nothing.
fn best_first(found: &[(usize, Pair<ProcId>)]) -> Vec<Pair<ProcId>> {
    let mut taken: Vec<Pair<ProcId>> = Vec::new();
    let is_taken = |taken: &[Pair<ProcId>], pair: Pair<ProcId>| {
        taken.iter().any(|other| other.old == pair.old || other.new == pair.new)
    };
    for (likeness, pair) in found {
        let rivals = found.iter().filter(|(other_likeness, other)| {
            other_likeness == likeness && other != pair && (other.old == pair.old || other.new == pair.new)
        });
        let is_ambiguous = rivals.filter(|(_, rival)| !is_taken(&taken, *rival)).count() > 0;
        if !is_taken(&taken, *pair) && !is_ambiguous {
            taken.push(*pair);
        }
    }
    taken
}
