//! Lets the statements that compute temporaries follow the statements that use them.
//!
//! ```text
//! old:                      $0 = call g()  x = $0 + 1
//! new: $0 = call g()  print $0  $1 = call g()  x = $1 + 1
//! ```
//!
//! Both calls of the new version look the same. The use says that the second one is meant.

use super::mapping::Mapping;
use super::tree::{NodeId, Sort, Target, Tree};
use super::variables::own_pairs;

/// Where two statements go together that use temporaries, and the statements that compute these look the same but do
/// not go together, and one of them has no other partner that needs it, they are taken together instead.
pub(crate) fn follow_uses(mapping: &mut Mapping<'_>) {
    let trees = mapping.trees;
    let definitions = trees.map(definitions);
    // The last use first, so that a chain of temporaries follows in one go.
    for old_use in trees.old.statements.iter().rev() {
        let Some(new_use) = mapping.new_of(*old_use) else { continue };
        for (old, new) in own_pairs(trees, *old_use, new_use).unwrap_or_default() {
            let sorts = (trees.old.nodes[old].sort, trees.new.nodes[new].sort);
            if let (Sort::Variable(old), Sort::Variable(new)) = sorts
                && let (Some(old), Some(new)) = (definitions.old[old], definitions.new[new])
            {
                take_together(mapping, old, new);
            }
        }
    }
}

fn take_together(mapping: &mut Mapping<'_>, old: NodeId, new: NodeId) {
    let trees = mapping.trees;
    if trees.old.nodes[old].bare_form != trees.new.nodes[new].bare_form {
        return;
    }
    match (mapping.new_of(old), mapping.old_of(new)) {
        (Some(other), None) if trees.new.nodes[other].bare_form == trees.new.nodes[new].bare_form => {
            mapping.part_subtrees(old, other);
        }
        (None, Some(other)) if trees.old.nodes[other].bare_form == trees.old.nodes[old].bare_form => {
            mapping.part_subtrees(other, new);
        }
        (None, None) => {}
        _ => return,
    }
    mapping.match_subtrees(old, new);
}

/// The statement that assigns each variable, for temporaries that only one statement assigns.
fn definitions(tree: &Tree) -> Vec<Option<NodeId>> {
    let mut found = vec![None; tree.variables.len()];
    let mut is_ambiguous = vec![false; tree.variables.len()];
    for statement in &tree.statements {
        if let (Target::Temporary, Sort::Variable(variable)) =
            (tree.target(*statement), tree.nodes[(*statement + 1).min(tree.nodes.len() - 1)].sort)
        {
            is_ambiguous[variable] |= found[variable].is_some();
            found[variable] = Some(*statement);
        }
    }
    found.into_iter().zip(is_ambiguous).map(|(found, ambiguous)| found.filter(|_| !ambiguous)).collect()
}
