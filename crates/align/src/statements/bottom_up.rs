//! Matches statements that contain others by how much of what is in them goes together already.

use super::mapping::Mapping;
use super::tree::NodeId;

/// The share of the statements inside of two containers that must go together, in hundredths.
const LEAST_SHARE: usize = 40;
/// How many containers around the partner of a statement are considered.
const LEVELS: usize = 8;

/// Matches free containers of the same kind, the innermost first, with the one that shares most with them.
pub(crate) fn match_containers(mapping: &mut Mapping<'_>) {
    for id in (0..mapping.trees.old.nodes.len()).rev() {
        if mapping.new_of(id).is_none() && mapping.trees.old.is_container(id) {
            let inside = matched_inside(mapping, id);
            if let Some(partner) = best_partner(mapping, id, &inside) {
                mapping.match_statements(id, partner);
            }
        }
    }
}

/// The outermost matched statements inside of a container, with their partners and how many statements they stand for.
fn matched_inside(mapping: &Mapping<'_>, container: NodeId) -> Vec<(NodeId, usize)> {
    let tree = mapping.trees.old;
    let mut inside = Vec::new();
    let mut next = container + 1;
    while next < tree.nodes[container].end {
        match mapping.new_of(next) {
            Some(partner) if tree.is_statement(next) => {
                inside.push((partner, weight(tree, next)));
                next = tree.nodes[next].end;
            }
            _ => next += 1,
        }
    }
    inside
}

fn best_partner(mapping: &Mapping<'_>, old: NodeId, inside: &[(NodeId, usize)]) -> Option<NodeId> {
    let (old_tree, new_tree) = (mapping.trees.old, mapping.trees.new);
    let mut best: Option<(usize, NodeId)> = None;
    let mut seen = Vec::new();
    for (partner, _) in inside {
        let around =
            std::iter::successors(Some(*partner), |id| (*id > 0).then(|| new_tree.nodes[*id].parent));
        for candidate in around.skip(1).take(2 * LEVELS) {
            // The nearest ancestors of neighbours are mostly the same.
            if mapping.old_of(candidate).is_some()
                || new_tree.nodes[candidate].sort != old_tree.nodes[old].sort
                || seen.contains(&candidate)
            {
                continue;
            }
            seen.push(candidate);
            let range = new_tree.range(candidate);
            let common: usize =
                inside.iter().filter(|(it, _)| range.contains(it)).map(|(_, weight)| weight).sum();
            let all = weight(old_tree, old) + weight(new_tree, candidate) - 2;
            let share = 200 * common / all.max(1);
            if share >= LEAST_SHARE && best.is_none_or(|(most, _)| share > most) {
                best = Some((share, candidate));
            }
        }
        if seen.len() > 2 * LEVELS {
            break;
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many statements a statement stands for, itself included.
fn weight(tree: &super::tree::Tree, id: NodeId) -> usize {
    let end = tree.nodes[id].end;
    let first = tree.statements.partition_point(|it| *it < id);
    tree.statements.partition_point(|it| *it < end) - first
}
