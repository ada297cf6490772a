//! Which statements and blocks of two trees go together, one to one.

use ir::Pair;

use super::tree::{NodeId, Sort, Tree};

pub(crate) struct Mapping<'t> {
    pub(crate) trees: Pair<&'t Tree>,
    partners: Pair<Vec<Option<NodeId>>>,
    /// Pairs of blocks whose statements were not looked at yet.
    pub(crate) open_blocks: Vec<Pair<NodeId>>,
}

impl<'t> Mapping<'t> {
    /// The bodies go together from the start.
    pub(crate) fn new(trees: Pair<&'t Tree>) -> Mapping<'t> {
        let partners = trees.map(|tree| vec![None; tree.nodes.len()]);
        let mut mapping = Mapping { trees, partners, open_blocks: Vec::new() };
        mapping.pair(0, 0);
        mapping.open_blocks.push(Pair::new(0, 0));
        mapping
    }

    pub(crate) fn new_of(&self, old: NodeId) -> Option<NodeId> {
        self.partners.old[old]
    }

    pub(crate) fn old_of(&self, new: NodeId) -> Option<NodeId> {
        self.partners.new[new]
    }

    pub(crate) fn is_free(&self, pair: Pair<NodeId>) -> bool {
        self.partners.old[pair.old].is_none() && self.partners.new[pair.new].is_none()
    }

    /// Takes two statements together, and the blocks in them that have the same place.
    pub(crate) fn match_statements(&mut self, old: NodeId, new: NodeId) {
        self.pair(old, new);
        for (old, new) in self.blocks_that_fit(old, new) {
            if self.is_free(Pair::new(old, new)) {
                self.pair(old, new);
                self.open_blocks.push(Pair::new(old, new));
            }
        }
    }

    /// Takes two subtrees of the same form together, node by node, but for what is taken already.
    pub(crate) fn match_subtrees(&mut self, old: NodeId, new: NodeId) {
        for (old, new) in self.trees.old.range(old).zip(self.trees.new.range(new)) {
            let is_structure = matches!(self.trees.old.nodes[old].sort, Sort::Block | Sort::Statement { .. });
            if is_structure && self.is_free(Pair::new(old, new)) {
                self.pair(old, new);
            }
        }
    }

    /// Parts two subtrees of the same form that were taken together.
    pub(crate) fn part_subtrees(&mut self, old: NodeId, new: NodeId) {
        for (old, new) in self.trees.old.range(old).zip(self.trees.new.range(new)) {
            if self.partners.old[old] == Some(new) {
                self.partners.old[old] = None;
                self.partners.new[new] = None;
            }
        }
    }

    fn pair(&mut self, old: NodeId, new: NodeId) {
        self.partners.old[old] = Some(new);
        self.partners.new[new] = Some(old);
    }

    /// Bodies and branches by their place; handlers first by what they catch, then in order.
    fn blocks_that_fit(&self, old: NodeId, new: NodeId) -> Vec<(NodeId, NodeId)> {
        let trees = self.trees;
        let mut new_blocks: Vec<NodeId> = trees.new.blocks(new).collect();
        let mut pairs = Vec::new();
        let mut left = Vec::new();
        for block in trees.old.blocks(old) {
            let label = trees.old.nodes[block].label;
            match new_blocks.iter().position(|it| trees.new.nodes[*it].label == label) {
                Some(place) => pairs.push((block, new_blocks.remove(place))),
                None => left.push(block),
            }
        }
        pairs.extend(left.into_iter().zip(new_blocks));
        pairs
    }
}
