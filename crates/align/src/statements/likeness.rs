//! How much two statements have in common: the share of equal subtrees. A heuristic, which claims nothing.

use std::rc::Rc;

use ir::Pair;
use rustc_hash::FxHashMap;

use super::tree::{NodeId, Sort, Target, Tree};

/// From here on, in thousandths, two statements are taken to be versions of the same one.
pub(crate) const STATEMENTS_GO_TOGETHER: u64 = 300;
/// What it counts that two statements do the same kind of thing to the same variable, field or procedure.
const SAME_HEAD: u64 = 300;
/// An equal subtree with equal names counts this much more than one that is equal up to names.
const NAMED_WEIGHT: u64 = 3;

pub(crate) struct Likeness<'t> {
    trees: Pair<&'t Tree>,
    known: Pair<FxHashMap<NodeId, Rc<Forms>>>,
}

/// The forms of all that is inside of a statement, sorted.
struct Forms {
    named: Vec<u32>,
    bare: Vec<u32>,
}

impl<'t> Likeness<'t> {
    pub(crate) fn new(trees: Pair<&'t Tree>) -> Likeness<'t> {
        Likeness { trees, known: Pair::default() }
    }

    /// In thousandths, or a little more for those that begin in the same way. Nothing for statements of different
    /// kinds. Two that stand alone between others need less in common.
    pub(crate) fn of(&mut self, old: NodeId, new: NodeId, is_alone: bool) -> u64 {
        let nodes = Pair::new(&self.trees.old.nodes[old], &self.trees.new.nodes[new]);
        if nodes.old.sort != nodes.new.sort {
            return 0;
        }
        let forms = Pair::new(
            forms_of(self.trees.old, &mut self.known.old, old),
            forms_of(self.trees.new, &mut self.known.new, new),
        );
        let common = NAMED_WEIGHT * common(&forms.old.named, &forms.new.named)
            + common(&forms.old.bare, &forms.new.bare);
        let all = (NAMED_WEIGHT + 1) * (forms.old.named.len() + forms.new.named.len()) as u64;
        let shared = 2000 * common / all.max(1);
        shared + if self.begin_alike(old, new, is_alone) { SAME_HEAD } else { 0 }
    }

    /// Whether two statements of the same kind do it to the same thing.
    fn begin_alike(&self, old: NodeId, new: NodeId, is_alone: bool) -> bool {
        let nodes = Pair::new(&self.trees.old.nodes[old], &self.trees.new.nodes[new]);
        let Sort::Statement { kind } = nodes.old.sort else { return false };
        let same_label = nodes.old.label == nodes.new.label;
        match (self.trees.old.target(old), self.trees.new.target(new)) {
            (Target::Named(old), Target::Named(new)) => old == new && (same_label || is_alone),
            (Target::Nothing, Target::Nothing) => same_label || is_alone,
            // A plain assignment to a temporary could be anything; a call or a new object says more.
            (Target::Temporary, Target::Temporary) => is_alone || (same_label && nodes.old.label != kind),
            _ => false,
        }
    }
}

fn forms_of(tree: &Tree, known: &mut FxHashMap<NodeId, Rc<Forms>>, id: NodeId) -> Rc<Forms> {
    let made = known.entry(id).or_insert_with(|| {
        let inside = &tree.nodes[id + 1..tree.nodes[id].end];
        let sorted = |mut forms: Vec<u32>| {
            forms.sort_unstable();
            forms
        };
        Rc::new(Forms {
            named: sorted(inside.iter().map(|node| node.named_form).collect()),
            bare: sorted(inside.iter().map(|node| node.bare_form).collect()),
        })
    });
    Rc::clone(made)
}

/// How many items two sorted lists have in common, each as often as both have it.
pub(crate) fn common(old: &[u32], new: &[u32]) -> u64 {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < old.len() && j < new.len() {
        match old[i].cmp(&new[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                count += 1;
                i += 1;
                j += 1;
            }
        }
    }
    count
}
