//! Path conditions: which decisions led to a state, as a tree, so that what two states share is found at once.
//!
//! Exact: the condition of a path is the conjunction of its steps.

use smt::{Term, Terms};

/// How far back a path is searched for a decision that it already contains.
const FAR_ENOUGH: usize = 256;

/// A node of the tree of paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PathId(u32);

/// Why a path has a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepKind {
    /// The run went one way where it could have gone on in another.
    Branch,
    /// The run did not end here: a check held.
    Check,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    parent: PathId,
    condition: Term,
    depth: u32,
    /// How many steps up to here are branches.
    branches: u32,
}

/// All paths of one execution.
#[derive(Debug)]
pub(crate) struct Paths {
    steps: Vec<Step>,
}

impl Paths {
    /// The path of the start.
    pub(crate) const ROOT: PathId = PathId(0);

    pub(crate) fn new(terms: &mut Terms) -> Paths {
        let condition = terms.bool(true);
        Paths { steps: vec![Step { parent: Paths::ROOT, condition, depth: 0, branches: 0 }] }
    }

    pub(crate) fn extend(&mut self, path: PathId, condition: Term, kind: StepKind) -> PathId {
        let parent = self.step(path);
        let branches = parent.branches + u32::from(kind == StepKind::Branch);
        let step = Step { parent: path, condition, depth: parent.depth + 1, branches };
        self.steps.push(step);
        PathId(u32::try_from(self.steps.len() - 1).expect("there should be fewer than 2^32 steps"))
    }

    /// How many decisions between ways to go on lie on the path.
    pub(crate) fn branches(&self, path: PathId) -> u32 {
        self.step(path).branches
    }

    pub(crate) fn depth(&self, path: PathId) -> u32 {
        self.step(path).depth
    }

    /// The last node that both paths go through.
    pub(crate) fn common(&self, a: PathId, b: PathId) -> PathId {
        let (mut a, mut b) = (a, b);
        while a != b {
            // Parents have smaller numbers, so the larger number cannot be the common node.
            if a > b {
                a = self.step(a).parent;
            } else {
                b = self.step(b).parent;
            }
        }
        a
    }

    /// The order in which the tree is walked when children are visited in the order they were made.
    pub(crate) fn order(&self, a: PathId, b: PathId) -> std::cmp::Ordering {
        let (mut a, mut b, mut last_a, mut last_b) = (a, b, None, None);
        while a != b {
            if a > b {
                (last_a, a) = (Some(a), self.step(a).parent);
            } else {
                (last_b, b) = (Some(b), self.step(b).parent);
            }
        }
        last_a.cmp(&last_b)
    }

    /// The conditions on the way from an ancestor down to a path, in order.
    pub(crate) fn conditions(&self, ancestor: PathId, path: PathId) -> Vec<Term> {
        let mut conditions = Vec::new();
        let mut at = path;
        while at != ancestor {
            let step = self.step(at);
            conditions.push(step.condition);
            at = step.parent;
        }
        conditions.reverse();
        conditions
    }

    /// The truth of a condition that is literal, or that the path has decided before.
    pub(crate) fn decide(&self, terms: &mut Terms, path: PathId, condition: Term) -> Option<bool> {
        if let Some(value) = terms.as_bool(condition) {
            return Some(value);
        }
        let opposite = terms.not(condition);
        let mut at = path;
        for _ in 0..FAR_ENOUGH {
            if at == Paths::ROOT {
                break;
            }
            let step = self.step(at);
            if step.condition == condition {
                return Some(true);
            }
            if step.condition == opposite {
                return Some(false);
            }
            at = step.parent;
        }
        None
    }

    fn step(&self, path: PathId) -> &Step {
        &self.steps[path.0 as usize]
    }
}
