//! What two sequences have in common, in order.
//!
//! Exact (a longest common subsequence) where few items differ; under-approximating, but still a common subsequence,
//! where very many do, so that the time stays near-linear.

use std::collections::{BTreeMap, VecDeque};
use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

/// How many insertions and deletions are weighed exactly. Beyond, equal items are paired by their occurrence.
const EXACT_EDITS: usize = 1000;

/// The positions of a common subsequence, both rising.
pub fn common_subsequence<T: Copy + Eq + Hash>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let prefix = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = (&old[prefix..], &new[prefix..]);
    let suffix = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(old, new)| old == new).count();
    let middle = (&rest.0[..rest.0.len() - suffix], &rest.1[..rest.1.len() - suffix]);
    let mut pairs: Vec<(usize, usize)> = (0..prefix).map(|position| (position, position)).collect();
    pairs
        .extend(in_the_middle(middle.0, middle.1).into_iter().map(|(old, new)| (old + prefix, new + prefix)));
    pairs.extend((1..=suffix).rev().map(|back| (old.len() - back, new.len() - back)));
    pairs
}

/// Leaves out what only one side has, which cannot be common but would count as edits.
fn in_the_middle<T: Copy + Eq + Hash>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let shared = |mine: &[T], theirs: &[T]| -> Vec<usize> {
        let theirs: FxHashSet<T> = theirs.iter().copied().collect();
        (0..mine.len()).filter(|position| theirs.contains(&mine[*position])).collect()
    };
    let (old_places, new_places) = (shared(old, new), shared(new, old));
    let old_items: Vec<T> = old_places.iter().map(|place| old[*place]).collect();
    let new_items: Vec<T> = new_places.iter().map(|place| new[*place]).collect();
    let pairs =
        shortest_edit(&old_items, &new_items).unwrap_or_else(|| by_occurrence(&old_items, &new_items));
    pairs.into_iter().map(|(old, new)| (old_places[old], new_places[new])).collect()
}

/// Myers' greedy algorithm: follows, for each number of edits, the path that gets furthest on each diagonal.
/// Nothing if too many edits are needed.
fn shortest_edit<T: Eq>(old: &[T], new: &[T]) -> Option<Vec<(usize, usize)>> {
    let mut rows: Vec<Row> = Vec::new();
    for edits in 0..=EXACT_EDITS.min(old.len() + new.len()) {
        let mut row = Vec::with_capacity(edits + 1);
        for step in 0..=edits {
            let start = match rows.last() {
                None => Some((0, 0)),
                Some(before) => one_edit_on(before, step, old.len(), new.len()).map(|(start, _)| start),
            };
            let end = start.map(|(mut in_old, mut in_new)| {
                while in_old < old.len() && in_new < new.len() && old[in_old] == new[in_new] {
                    in_old += 1;
                    in_new += 1;
                }
                (in_old, in_new)
            });
            row.push(end);
            if end == Some((old.len(), new.len())) {
                return Some(walk_back(&rows, edits, step, (old.len(), new.len())));
            }
        }
        rows.push(row);
    }
    None
}

/// How much of both sequences is read after some number of edits, for the diagonals -edits, -edits + 2, …, edits
/// (of what is read of the old sequence beyond the new one). Nothing where a diagonal leaves the sequences.
type Row = Vec<Option<(usize, usize)>>;

/// Where one more edit gets on a diagonal of the next row, and from which place of the row before: an insertion from
/// the diagonal above, or a deletion from the one below, whichever gets further.
fn one_edit_on(before: &Row, step: usize, old: usize, new: usize) -> Option<((usize, usize), usize)> {
    let deletion = step.checked_sub(1).and_then(|from| {
        before[from].filter(|(in_old, _)| *in_old < old).map(|(in_old, in_new)| ((in_old + 1, in_new), from))
    });
    let insertion = before.get(step).copied().flatten();
    let insertion =
        insertion.filter(|(_, in_new)| *in_new < new).map(|(in_old, in_new)| ((in_old, in_new + 1), step));
    match (deletion, insertion) {
        (Some(deletion), Some(insertion)) => {
            Some(if insertion.0 >= deletion.0 { insertion } else { deletion })
        }
        (deletion, insertion) => deletion.or(insertion),
    }
}

fn walk_back(rows: &[Row], edits: usize, step: usize, end: (usize, usize)) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let (mut place, mut step) = (end, step);
    for row in (0..=edits).rev() {
        let before = row.checked_sub(1).map(|before| &rows[before]);
        let came_from = before.and_then(|before| one_edit_on(before, step, end.0, end.1));
        let start = came_from.map_or((0, 0), |(start, _)| start);
        pairs.extend((0..place.0 - start.0).rev().map(|forward| (start.0 + forward, start.1 + forward)));
        if let (Some(before), Some((_, from))) = (before, came_from) {
            place = before[from].expect("an edit should start at a place that was reached");
            step = from;
        }
    }
    pairs.reverse();
    pairs
}

/// Pairs the first occurrence of an item with the first, the second with the second, and keeps what is in order.
fn by_occurrence<T: Copy + Eq + Hash>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let mut places: FxHashMap<T, VecDeque<usize>> = FxHashMap::default();
    for (place, item) in new.iter().enumerate() {
        places.entry(*item).or_default().push_back(place);
    }
    let mut pairs = Vec::new();
    for (place, item) in old.iter().enumerate() {
        if let Some(partner) = places.get_mut(item).and_then(VecDeque::pop_front) {
            pairs.push((place, partner));
        }
    }
    let new_places: Vec<(usize, u64)> = pairs.iter().map(|(_, new)| (*new, 1)).collect();
    heaviest_rising(&new_places).into_iter().map(|kept| pairs[kept]).collect()
}

/// The positions of a strictly rising subsequence of the numbers with the greatest weight. Exact; n log n.
pub(crate) fn heaviest_rising(weighted: &[(usize, u64)]) -> Vec<usize> {
    // For each last number: the greatest weight up to it, and the position it ends at. Both rise with the number.
    let mut best: BTreeMap<usize, (u64, usize)> = BTreeMap::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(weighted.len());
    for (position, (number, weight)) in weighted.iter().enumerate() {
        let start = best.range(..number).next_back().map(|(_, found)| *found);
        before.push(start.map(|(_, position)| position));
        let total = start.map_or(0, |(weight, _)| weight) + weight;
        if best.range(..=number).next_back().is_some_and(|(_, (weight, _))| *weight >= total) {
            continue;
        }
        let worse: Vec<usize> =
            best.range(number..).take_while(|(_, (weight, _))| *weight <= total).map(|(it, _)| *it).collect();
        for it in worse {
            best.remove(&it);
        }
        best.insert(*number, (total, position));
    }
    let mut kept = Vec::new();
    let mut next = best.last_key_value().map(|(_, (_, position))| *position);
    while let Some(position) = next {
        kept.push(position);
        next = before[position];
    }
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitrary_ir::Random;

    fn length_by_table(old: &[u32], new: &[u32]) -> usize {
        let mut table = vec![vec![0; new.len() + 1]; old.len() + 1];
        for i in 0..old.len() {
            for j in 0..new.len() {
                table[i + 1][j + 1] =
                    if old[i] == new[j] { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table[old.len()][new.len()]
    }

    fn random(random: &mut Random, length: usize, alphabet: usize) -> Vec<u32> {
        (0..random.below(length + 1)).map(|_| random.below(alphabet) as u32).collect()
    }

    fn assert_common(old: &[u32], new: &[u32], pairs: &[(usize, usize)]) {
        assert!(pairs.iter().all(|(i, j)| old[*i] == new[*j]), "{old:?} {new:?} {pairs:?}");
        assert!(
            pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1),
            "{old:?} {new:?} {pairs:?}"
        );
    }

    #[test]
    fn few_edits_give_a_longest_common_subsequence() {
        let mut source = Random::new(1);
        for _ in 0..3000 {
            let alphabet = 1 + source.below(6);
            let (old, new) = (random(&mut source, 12, alphabet), random(&mut source, 12, alphabet));
            let pairs = common_subsequence(&old, &new);
            assert_common(&old, &new, &pairs);
            assert_eq!(pairs.len(), length_by_table(&old, &new), "{old:?} {new:?}");
        }
    }

    #[test]
    fn many_edits_still_give_a_common_subsequence() {
        let mut source = Random::new(2);
        for _ in 0..300 {
            let (old, new) = (random(&mut source, 30, 5), random(&mut source, 30, 5));
            assert_common(&old, &new, &by_occurrence(&old, &new));
        }
        let old: Vec<u32> = (0..4000).collect();
        let new: Vec<u32> = (0..4000).rev().collect();
        assert_eq!(common_subsequence(&old, &new).len(), 1);
    }

    #[test]
    fn the_heaviest_rising_part_is_kept() {
        let kept = |weighted: &[(usize, u64)]| heaviest_rising(weighted);
        assert_eq!(kept(&[]), Vec::<usize>::new());
        assert_eq!(kept(&[(1, 1), (2, 1), (3, 1), (0, 1)]), [0, 1, 2]);
        assert_eq!(kept(&[(1, 1), (2, 1), (3, 1), (0, 9)]), [3]);
        assert_eq!(kept(&[(5, 2), (1, 1), (2, 1), (6, 1), (3, 1)]).len(), 3);
    }

    #[test]
    fn the_heaviest_rising_part_is_as_heavy_as_any() {
        let mut source = Random::new(3);
        for _ in 0..500 {
            let weighted: Vec<(usize, u64)> =
                (0..source.below(9)).map(|_| (source.below(9), 1 + source.below(4) as u64)).collect();
            let weight = |chosen: &[usize]| chosen.iter().map(|it| weighted[*it].1).sum::<u64>();
            let rises =
                |chosen: &[usize]| chosen.windows(2).all(|two| weighted[two[0]].0 < weighted[two[1]].0);
            let subsets = (0..1_usize << weighted.len())
                .map(|bits| -> Vec<usize> { (0..weighted.len()).filter(|it| bits >> it & 1 == 1).collect() });
            let best = subsets.filter(|chosen| rises(chosen)).map(|chosen| weight(&chosen)).max();
            let kept = heaviest_rising(&weighted);
            assert!(rises(&kept));
            assert_eq!(Some(weight(&kept)), best, "{weighted:?}");
        }
    }
}
