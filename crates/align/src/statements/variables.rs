//! Finds which variables go together: one renaming for the whole procedure, one to one.
//!
//! Statements of the same form that go together vote for the variables at the same places in them.

use ir::Pair;
use rustc_hash::FxHashMap;

use super::mapping::Mapping;
use super::tree::{NodeId, Sort, Tree};

/// The variable of the new version for each variable of the old one.
pub(crate) struct Renaming {
    new_of: Vec<Option<usize>>,
}

impl Renaming {
    pub(crate) fn goes_together(&self, old: usize, new: usize) -> bool {
        self.new_of[old] == Some(new)
    }
}

/// The pairs of variables with most votes; the same name decides between equals. Parameters that go together by their
/// position do so whatever the votes say.
pub(crate) fn renaming(mapping: &Mapping<'_>) -> Renaming {
    let trees = mapping.trees;
    let mut ranked: Vec<(Pair<usize>, u64)> = votes(mapping).into_iter().collect();
    ranked.sort_by_key(|(pair, votes)| {
        let names = Pair::new(trees.old.variables[pair.old].name, trees.new.variables[pair.new].name);
        let same_name = names.old.is_some() && names.old == names.new;
        (!is_parameter(trees, *pair), std::cmp::Reverse(*votes), !same_name, *pair)
    });
    let mut new_of = vec![None; trees.old.variables.len()];
    let mut taken = vec![false; trees.new.variables.len()];
    for (pair, _) in ranked {
        if new_of[pair.old].is_none() && !taken[pair.new] && may_be_same(trees, pair) {
            new_of[pair.old] = Some(pair.new);
            taken[pair.new] = true;
        }
    }
    Renaming { new_of }
}

/// Parameters only go with the parameter at the same place, where the signatures agree.
fn may_be_same(trees: Pair<&Tree>, pair: Pair<usize>) -> bool {
    let fixed =
        Pair::new(&trees.old.variables[pair.old], &trees.new.variables[pair.new]).map(|it| it.is_fixed);
    (!fixed.old && !fixed.new) || is_parameter(trees, pair)
}

fn is_parameter(trees: Pair<&Tree>, pair: Pair<usize>) -> bool {
    let variables = Pair::new(&trees.old.variables[pair.old], &trees.new.variables[pair.new]);
    variables.old.is_fixed && variables.new.is_fixed && variables.old.name == variables.new.name
}

/// Which names of the new version are those of the old version in other words: pairs of named variables of which
/// neither has a namesake of its type on the other side, by votes.
pub(crate) fn renamed(mapping: &Mapping<'_>) -> Vec<Pair<usize>> {
    let trees = mapping.trees;
    let is_candidate = |tree: &Tree, id: usize| {
        let variable = &tree.variables[id];
        variable.name.is_some() && !variable.is_fixed && !variable.has_namesake
    };
    let found = renaming(mapping);
    let pairs = (0..trees.old.variables.len()).filter_map(|old| Some(Pair::new(old, found.new_of[old]?)));
    pairs.filter(|pair| is_candidate(trees.old, pair.old) && is_candidate(trees.new, pair.new)).collect()
}

fn votes(mapping: &Mapping<'_>) -> FxHashMap<Pair<usize>, u64> {
    let trees = mapping.trees;
    let mut votes: FxHashMap<Pair<usize>, u64> = FxHashMap::default();
    for old in &trees.old.statements {
        let Some(new) = mapping.new_of(*old) else { continue };
        for (old, new) in own_pairs(trees, *old, new).unwrap_or_default() {
            if let (Sort::Variable(old), Sort::Variable(new)) =
                (trees.old.nodes[old].sort, trees.new.nodes[new].sort)
            {
                *votes.entry(Pair::new(old, new)).or_default() += 1;
            }
        }
    }
    votes
}

/// The nodes of two statements themselves, side by side, if they are the same but for names.
pub(crate) fn own_pairs(trees: Pair<&Tree>, old: NodeId, new: NodeId) -> Option<Vec<(NodeId, NodeId)>> {
    let (old_nodes, new_nodes) = (trees.old.own_nodes(old), trees.new.own_nodes(new));
    let pairs: Vec<(NodeId, NodeId)> = old_nodes.iter().copied().zip(new_nodes.iter().copied()).collect();
    let same_place = |(a, b): &(NodeId, NodeId)| {
        let nodes = Pair::new(&trees.old.nodes[*a], &trees.new.nodes[*b]);
        let size = |tree: &Tree, id: NodeId| tree.size(id);
        // Blocks and the statement itself may hold other statements; in expressions, sizes say where children end.
        let is_structure = matches!(nodes.old.sort, Sort::Block | Sort::Statement { .. });
        nodes.old.label == nodes.new.label && (is_structure || size(trees.old, *a) == size(trees.new, *b))
    };
    (old_nodes.len() == new_nodes.len() && pairs.iter().all(same_place)).then_some(pairs)
}
