//! Sketches of whole procedures, which tell at a glance how much two of them have in common. A heuristic.

use ir::{Pair, ProcId, Program};

use super::interner::Interner;
use super::labels::Labels;
use super::likeness::common;
use super::tree::Tree;

/// Makes sketches that can be compared with each other.
pub(crate) struct Sketches<'a> {
    interner: Interner,
    labels: Pair<Labels<'a>>,
}

/// The forms of all nodes of a procedure, sorted.
pub(crate) struct Sketch {
    forms: Vec<u32>,
}

impl<'a> Sketches<'a> {
    pub(crate) fn new(programs: Pair<&'a Program>, renamed_classes: &'a [Pair<String>]) -> Sketches<'a> {
        let labels = Pair::new(Labels::new(programs.old, renamed_classes), Labels::new(programs.new, &[]));
        Sketches { interner: Interner::default(), labels }
    }

    pub(crate) fn of_old(&mut self, id: ProcId) -> Sketch {
        Sketch::new(&mut self.interner, &mut self.labels.old, id)
    }

    pub(crate) fn of_new(&mut self, id: ProcId) -> Sketch {
        Sketch::new(&mut self.interner, &mut self.labels.new, id)
    }
}

impl Sketch {
    fn new(interner: &mut Interner, labels: &mut Labels<'_>, id: ProcId) -> Sketch {
        let mut tree = Tree::new(interner, labels, id, true);
        tree.find_forms(interner);
        let mut forms: Vec<u32> = tree.nodes.iter().map(|node| node.bare_form).collect();
        forms.sort_unstable();
        Sketch { forms }
    }

    pub(crate) fn len(&self) -> usize {
        self.forms.len()
    }

    /// The share of equal subtrees, in thousandths.
    pub(crate) fn likeness(&self, other: &Sketch) -> usize {
        let common = common(&self.forms, &other.forms) as usize;
        2000 * common / (self.len() + other.len()).max(1)
    }
}
