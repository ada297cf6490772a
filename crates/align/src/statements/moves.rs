//! Finds which matched statements moved: to another parent, or past others of the same parent.

use std::collections::BTreeMap;

use super::mapping::Mapping;
use super::tree::NodeId;
use crate::sequence::heaviest_rising;

/// For each statement of the old version, in order, whether it moved. Of the statements that changed places, the
/// smaller ones are said to have moved.
pub(crate) fn moved(mapping: &Mapping<'_>) -> Vec<bool> {
    let trees = mapping.trees;
    let mut moved = vec![false; trees.old.statements.len()];
    let mut stayed: BTreeMap<NodeId, Vec<(usize, NodeId, NodeId)>> = BTreeMap::new();
    for (place, old) in trees.old.statements.iter().enumerate() {
        let Some(new) = mapping.new_of(*old) else { continue };
        let parent = trees.old.nodes[*old].parent;
        if mapping.new_of(parent) == Some(trees.new.nodes[new].parent) {
            stayed.entry(parent).or_default().push((place, *old, new));
        } else {
            moved[place] = true;
        }
    }
    for siblings in stayed.values() {
        let weighted: Vec<(usize, u64)> =
            siblings.iter().map(|(_, old, new)| (*new, trees.old.size(*old) as u64)).collect();
        let mut in_order = heaviest_rising(&weighted).into_iter().peekable();
        for (position, (place, _, _)) in siblings.iter().enumerate() {
            moved[*place] = in_order.next_if_eq(&position).is_none();
        }
    }
    moved
}
