//! Learns a condition from samples: the simplest disjunction of cubes that holds on all samples of one kind that it can
//! tell from those of the other kind.
//!
//! Neither over- nor under-approximating: what is learnt is a guess that fits the samples, and has to be proved.

use crate::atom::{Atom, Holds};
use crate::bits::Bits;
use crate::formula::{Cube, Formula, Literal};

/// What is known of one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Whether the versions do the same on it.
    pub is_same: bool,
    /// For each atom whether it holds.
    pub values: Vec<Holds>,
}

/// What was learnt from samples.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Learnt {
    /// Holds on no sample on which the versions differ.
    pub same: Formula,
    /// Holds on no sample on which they do the same.
    pub different: Formula,
    /// Every sample on which they do the same meets `same`.
    pub covers_same: bool,
    /// Every sample on which they differ meets `different`.
    pub covers_different: bool,
}

/// Cubes of three literals are only tried where there are not more literals than this.
const FEW_LITERALS: usize = 90;
/// Cubes of a formula, at the most: longer ones tell a reader nothing.
const MOST_CUBES: usize = 6;

/// Cubes of which nothing could be proved, for each side.
#[derive(Clone, Default, Debug)]
pub struct Refused {
    pub same: Vec<Cube>,
    pub different: Vec<Cube>,
}

/// Learns when the versions are the same, and when they differ; without the cubes that were refused.
pub fn learn(atoms: &[Atom], samples: &[Sample], refused: &Refused) -> Learnt {
    let literals = literals(atoms, samples);
    let (mut same, mut different) = (Bits::none(samples.len()), Bits::none(samples.len()));
    for (at, sample) in samples.iter().enumerate() {
        if sample.is_same { same.insert(at) } else { different.insert(at) }
    }
    let (same_cubes, covers_same) = cover(atoms, &literals, &same, &different, &refused.same);
    let (different_cubes, covers_different) = cover(atoms, &literals, &different, &same, &refused.different);
    Learnt {
        same: Formula::any(same_cubes),
        different: Formula::any(different_cubes),
        covers_same,
        covers_different,
    }
}

/// The literals that tell samples apart, with the samples on which each holds; of those that hold on the same samples only
/// the simplest.
fn literals(atoms: &[Atom], samples: &[Sample]) -> Vec<(Literal, Bits)> {
    let mut found: Vec<(Literal, Bits)> = Vec::new();
    let mut order: Vec<usize> = (0..atoms.len()).collect();
    order.sort_by_key(|at| (atoms[*at].cost, *at));
    for atom in order {
        for is_positive in [true, false] {
            let literal = Literal { atom, is_positive };
            let mut holds = Bits::none(samples.len());
            for (at, sample) in samples.iter().enumerate() {
                if literal.holds(sample.values[atom]) {
                    holds.insert(at);
                }
            }
            let is_known = found.iter().any(|(_, known)| *known == holds);
            if !is_known && !holds.is_empty() && (holds.count() as usize) < samples.len() {
                found.push((literal, holds));
            }
        }
    }
    found
}

/// Cubes that hold on no sample of `avoid`, and on all samples of `wanted` that this allows; whether these are all of them.
fn cover(
    atoms: &[Atom],
    literals: &[(Literal, Bits)],
    wanted: &Bits,
    avoid: &Bits,
    refused: &[Cube],
) -> (Vec<Cube>, bool) {
    if avoid.is_empty() {
        return (vec![Vec::new()], true);
    }
    let mut candidates: Vec<(Cube, Bits)> = Vec::new();
    let mut covered = Bits::none_like(wanted);
    for size in 1..=3 {
        if wanted.without(&covered).is_empty() || (size == 3 && literals.len() > FEW_LITERALS) {
            break;
        }
        for (cube, holds) in cubes(literals, size, avoid, &wanted.without(&covered)) {
            if refused.contains(&cube) {
                continue;
            }
            covered.add(&holds);
            candidates.push((cube, holds));
        }
        covered = covered.and(wanted);
    }
    let chosen = greedy(atoms, &candidates, wanted);
    let mut reached = Bits::none_like(wanted);
    chosen.iter().for_each(|at| reached.add(&candidates[*at].1));
    let is_all = wanted.without(&reached).is_empty();
    (chosen.into_iter().map(|at| candidates[at].0.clone()).collect(), is_all)
}

/// All cubes of a size that avoid some samples and hold on some of the missing ones, and of which no part does so already.
fn cubes(literals: &[(Literal, Bits)], size: usize, avoid: &Bits, missing: &Bits) -> Vec<(Cube, Bits)> {
    let mut found = Vec::new();
    let mut start: Vec<(usize, Cube, Bits)> = Vec::new();
    for (at, (literal, holds)) in literals.iter().enumerate() {
        match (holds.meets(missing), holds.meets(avoid)) {
            (true, false) if size == 1 => found.push((vec![*literal], holds.clone())),
            (true, true) if size > 1 => start.push((at, vec![*literal], holds.clone())),
            _ => {}
        }
    }
    for length in 2..=size {
        let mut next = Vec::new();
        for (last, cube, holds) in &start {
            for (at, (literal, more)) in literals.iter().enumerate().skip(last + 1) {
                let both = holds.and(more);
                // A literal that adds nothing is none of the cube.
                if !both.meets(missing) || both == *holds || both == *more {
                    continue;
                }
                let longer = [cube.as_slice(), &[*literal]].concat();
                match both.meets(avoid) {
                    false if length == size => found.push((longer, both)),
                    true if length < size => next.push((at, longer, both)),
                    _ => {}
                }
            }
        }
        start = next;
    }
    found
}

/// The cubes that cover the wanted samples, the one that covers most first, and without those that others make needless.
fn greedy(atoms: &[Atom], candidates: &[(Cube, Bits)], wanted: &Bits) -> Vec<usize> {
    let cost = |cube: &Cube| cube.iter().map(|literal| atoms[literal.atom].cost).sum::<u32>();
    let mut chosen: Vec<usize> = Vec::new();
    let mut open = wanted.clone();
    while !open.is_empty() && chosen.len() < MOST_CUBES {
        let gain = |at: usize| candidates[at].1.and(&open).count();
        let best = (0..candidates.len()).filter(|at| gain(*at) > 0).max_by_key(|at| {
            let (cube, _) = &candidates[*at];
            // Of cubes that cover about the same the simplest is the most likely one.
            (
                gain(*at).ilog2(),
                std::cmp::Reverse((cube.len(), cost(cube))),
                gain(*at),
                std::cmp::Reverse(*at),
            )
        });
        let Some(best) = best else { break };
        open = open.without(&candidates[best].1);
        chosen.push(best);
    }
    let mut at = 0;
    while at < chosen.len() {
        let mut others = Bits::none_like(wanted);
        chosen
            .iter()
            .filter(|other| **other != chosen[at])
            .for_each(|other| others.add(&candidates[*other].1));
        match candidates[chosen[at]].1.and(wanted).without(&others).is_empty() {
            true => drop(chosen.remove(at)),
            false => at += 1,
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of two numbers, the atoms `x < 0`, `x == 0`, `y < 0`, `y == 0`, and a rule for when the versions are the same.
    fn learnt(rule: impl Fn(i32, i32) -> bool) -> (String, String, bool) {
        let atoms = [
            Atom::plain("x < 0", "x >= 0"),
            Atom::plain("x == 0", "x != 0"),
            Atom::plain("y < 0", "y >= 0"),
            Atom::plain("y == 0", "y != 0"),
        ];
        let mut samples = Vec::new();
        for x in -3..4 {
            for y in -3..4 {
                let values = [x < 0, x == 0, y < 0, y == 0].map(Holds::from).to_vec();
                samples.push(Sample { is_same: rule(x, y), values });
            }
        }
        let learnt = learn(&atoms, &samples, &Refused::default());
        (
            learnt.same.text(&atoms),
            learnt.different.text(&atoms),
            learnt.covers_same && learnt.covers_different,
        )
    }

    #[test]
    fn the_simplest_condition_is_learnt() {
        assert_eq!(learnt(|x, _| x >= 0), ("x >= 0".to_owned(), "x < 0".to_owned(), true));
        let (same, different, is_all) = learnt(|x, y| x >= 0 || y == 0);
        assert_eq!((same.as_str(), is_all), ("x >= 0 || y == 0", true));
        assert_eq!(different, "x < 0 && y != 0");
        let (same, _, is_all) = learnt(|x, y| x < 0 && y < 0 || x == 0);
        assert_eq!((same.as_str(), is_all), ("(x < 0 && y < 0) || x == 0", true));
        // Three literals do not say it, but its negation is simple.
        let (same, different, _) = learnt(|x, y| x > 0 && y > 0);
        assert_eq!((same.as_str(), different.matches("||").count()), ("false", 3));
    }

    #[test]
    fn what_atoms_cannot_tell_apart_is_left_out() {
        let (same, different, is_all) = learnt(|x, _| x > 1);
        assert_eq!((same.as_str(), is_all), ("false", false));
        assert!(!different.is_empty());
    }

    #[test]
    fn without_a_difference_it_is_always() {
        assert_eq!(learnt(|_, _| true).0, "true");
        assert_eq!(learnt(|_, _| false).1, "true");
    }
}
