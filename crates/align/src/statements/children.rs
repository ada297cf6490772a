//! Matches the statements of two blocks that go together: in order, the equal ones first, then the similar ones.

use ir::Pair;

use super::likeness::{Likeness, STATEMENTS_GO_TOGETHER};
use super::mapping::Mapping;
use super::tree::{NodeId, Target, Tree};
use crate::sequence::common_subsequence;

/// How many pairs of statements between two matched ones are compared with each other.
const PAIRS_COMPARED: usize = 2_500;

/// Goes through all pairs of blocks that were not looked at yet, and those that are found on the way.
pub(crate) fn match_children(mapping: &mut Mapping<'_>) {
    let mut likeness = Likeness::new(mapping.trees);
    while let Some(blocks) = mapping.open_blocks.pop() {
        let inside = inside(mapping, blocks);
        let gaps = match_by(mapping, &inside, |tree, id| Key::Form(tree.nodes[id].named_form));
        for gap in gaps {
            for gap in match_by(mapping, &gap, |tree, id| Key::Form(tree.nodes[id].bare_form)) {
                match_similar(mapping, &mut likeness, &gap);
            }
        }
    }
}

/// Statements of both sides, in order.
type Run = Pair<Vec<NodeId>>;

/// By what statements are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    /// Matched already, with this statement of the old version; holds its place.
    Matched(NodeId),
    Form(u32),
    Head(u32, Target),
}

/// The statements of two blocks, but for those that are matched with something outside of them.
fn inside(mapping: &Mapping<'_>, blocks: Pair<NodeId>) -> Run {
    let trees = mapping.trees;
    let stays = |partner: Option<NodeId>, tree: &Tree, block: NodeId| {
        partner.is_none_or(|partner| tree.nodes[partner].parent == block)
    };
    let mut run = Pair::new(trees.old.statements_of(blocks.old), trees.new.statements_of(blocks.new));
    run.old.retain(|id| stays(mapping.new_of(*id), trees.new, blocks.new));
    run.new.retain(|id| stays(mapping.old_of(*id), trees.old, blocks.old));
    run
}

/// Matches the longest common subsequence by a key, and gives the free statements between, before and after.
fn match_by(mapping: &mut Mapping<'_>, run: &Run, key: impl Fn(&Tree, NodeId) -> Key) -> Vec<Run> {
    let trees = mapping.trees;
    let old_key = |id: &NodeId| match mapping.new_of(*id) {
        Some(_) => Key::Matched(*id),
        None => key(trees.old, *id),
    };
    let new_key = |id: &NodeId| mapping.old_of(*id).map_or_else(|| key(trees.new, *id), Key::Matched);
    let old_keys: Vec<Key> = run.old.iter().map(old_key).collect();
    let new_keys: Vec<Key> = run.new.iter().map(new_key).collect();
    let pairs = common_subsequence(&old_keys, &new_keys);
    for (old, new) in &pairs {
        let pair = Pair::new(run.old[*old], run.new[*new]);
        if mapping.is_free(pair) {
            let nodes = Pair::new(&trees.old.nodes[pair.old], &trees.new.nodes[pair.new]);
            if nodes.old.bare_form == nodes.new.bare_form {
                mapping.match_subtrees(pair.old, pair.new);
            } else {
                mapping.match_statements(pair.old, pair.new);
            }
        }
    }
    between(mapping, run, &pairs)
}

/// The free statements between the pairs, where both sides have some.
fn between(mapping: &Mapping<'_>, run: &Run, pairs: &[(usize, usize)]) -> Vec<Run> {
    let mut gaps = Vec::new();
    let (mut old_start, mut new_start) = (0, 0);
    for (old_end, new_end) in pairs.iter().copied().chain([(run.old.len(), run.new.len())]) {
        let mut gap = Pair::new(run.old[old_start..old_end].to_vec(), run.new[new_start..new_end].to_vec());
        gap.old.retain(|id| mapping.new_of(*id).is_none());
        gap.new.retain(|id| mapping.old_of(*id).is_none());
        if !gap.old.is_empty() && !gap.new.is_empty() {
            gaps.push(gap);
        }
        (old_start, new_start) = (old_end + 1, new_end + 1);
    }
    gaps
}

/// Matches statements of the same kind that have much in common. Optimal among matches that keep the order, if the run
/// is not too long; a long one is cut at statements that begin in the same way.
fn match_similar(mapping: &mut Mapping<'_>, likeness: &mut Likeness<'_>, run: &Run) {
    if run.old.len() * run.new.len() <= PAIRS_COMPARED {
        for (old, new) in most_alike(likeness, run) {
            mapping.match_statements(old, new);
        }
        return;
    }
    for gap in match_by(mapping, run, head) {
        if gap.old.len() * gap.new.len() <= PAIRS_COMPARED {
            match_similar(mapping, likeness, &gap);
        }
    }
}

/// What a statement is and to what it assigns.
fn head(tree: &Tree, id: NodeId) -> Key {
    Key::Head(tree.nodes[id].label, tree.target(id))
}

/// The pairs, in order, with the greatest sum of likenesses.
fn most_alike(likeness: &mut Likeness<'_>, run: &Run) -> Vec<(NodeId, NodeId)> {
    let (rows, columns) = (run.old.len(), run.new.len());
    let is_alone = rows == 1 && columns == 1;
    let mut alike = vec![0; rows * columns];
    let mut best = vec![0; (rows + 1) * (columns + 1)];
    let at = |row: usize, column: usize| row * (columns + 1) + column;
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let found = likeness.of(run.old[row], run.new[column], is_alone);
            let found = if found >= STATEMENTS_GO_TOGETHER { found } else { 0 };
            alike[row * columns + column] = found;
            let apart = best[at(row + 1, column)].max(best[at(row, column + 1)]);
            best[at(row, column)] =
                apart.max(if found > 0 { found + best[at(row + 1, column + 1)] } else { 0 });
        }
    }
    let mut pairs = Vec::new();
    let (mut row, mut column) = (0, 0);
    while row < rows && column < columns {
        let found = alike[row * columns + column];
        let here = best[at(row, column)];
        if found > 0 && here == found + best[at(row + 1, column + 1)] {
            pairs.push((run.old[row], run.new[column]));
            row += 1;
            column += 1;
        } else if here == best[at(row + 1, column)] {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}
