//! Matches subtrees that look the same and occur once in both versions, the largest first.

use ir::Pair;
use rustc_hash::FxHashMap;

use super::mapping::Mapping;
use super::tree::{Node, NodeId, Tree};

/// Matches the statements of at least a size whose form occurs once among the free statements of each side.
pub(crate) fn match_unique(mapping: &mut Mapping<'_>, form: fn(&Node) -> u32, least_size: usize) {
    let trees = mapping.trees;
    let mut found: FxHashMap<u32, Pair<Occurrence>> = FxHashMap::default();
    let candidates = trees.map(|tree| statements_by_size(tree, least_size));
    for old in candidates.old.iter().filter(|old| mapping.new_of(**old).is_none()) {
        let entry = found.entry(form(&trees.old.nodes[*old])).or_default();
        entry.old = entry.old.and(*old);
    }
    for new in candidates.new.iter().filter(|new| mapping.old_of(**new).is_none()) {
        let entry = found.entry(form(&trees.new.nodes[*new])).or_default();
        entry.new = entry.new.and(*new);
    }
    for old in candidates.old {
        let Some(pair) = found.get(&form(&trees.old.nodes[old])) else { continue };
        if let Pair { old: Occurrence::Once(old), new: Occurrence::Once(new) } = *pair
            && mapping.is_free(Pair::new(old, new))
        {
            mapping.match_subtrees(old, new);
        }
    }
}

/// Matches what is left over and looks the same, the first with the first, the second with the second.
pub(crate) fn match_in_order(mapping: &mut Mapping<'_>, form: fn(&Node) -> u32, least_size: usize) {
    let trees = mapping.trees;
    let mut places: FxHashMap<u32, std::collections::VecDeque<NodeId>> = FxHashMap::default();
    for new in statements_by_size(trees.new, least_size) {
        if mapping.old_of(new).is_none() {
            places.entry(form(&trees.new.nodes[new])).or_default().push_back(new);
        }
    }
    for old in statements_by_size(trees.old, least_size) {
        if mapping.new_of(old).is_some() {
            continue;
        }
        let Some(queue) = places.get_mut(&form(&trees.old.nodes[old])) else { continue };
        while let Some(new) = queue.pop_front() {
            // What is inside of another subtree may have been taken with it.
            if mapping.old_of(new).is_none() {
                mapping.match_subtrees(old, new);
                break;
            }
        }
    }
}

/// The statements of at least a size, the largest first, so that what is inside of another comes after it.
fn statements_by_size(tree: &Tree, least_size: usize) -> Vec<NodeId> {
    let mut found: Vec<NodeId> =
        tree.statements.iter().copied().filter(|id| tree.size(*id) >= least_size).collect();
    found.sort_by_key(|id| (std::cmp::Reverse(tree.size(*id)), *id));
    found
}

#[derive(Clone, Copy, Default)]
enum Occurrence {
    #[default]
    Never,
    Once(NodeId),
    Often,
}

impl Occurrence {
    fn and(self, id: NodeId) -> Occurrence {
        match self {
            Occurrence::Never => Occurrence::Once(id),
            Occurrence::Once(_) | Occurrence::Often => Occurrence::Often,
        }
    }
}
