//! What two sequences have in common, in order.
//!
//! Exact (a longest common subsequence) where few items differ; under-approximating, but still a common subsequence,
//! where very many do, so that the time stays near-linear.

use std::collections::BTreeMap;
use std::hash::Hash;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The positions of a common subsequence, both rising.
pub fn common_subsequence<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    // In this order, what changed places is deleted where it was before it is inserted again.
    for operation in capture_diff_slices(Algorithm::Myers, new, old) {
        if let DiffOp::Equal { old_index: in_new, new_index: in_old, len } = operation {
            pairs.extend((0..len).map(|step| (in_old + step, in_new + step)));
        }
    }
    pairs
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
            let (old, new) = (random(&mut source, 600, 40), random(&mut source, 600, 40));
            assert_common(&old, &new, &common_subsequence(&old, &new));
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
