//! Matches the statements of two procedures, as GumTree does with syntax trees (Falleri et al. 2014).
//!
//! ```text
//! old: s = 0; loop { … s = s + i; … } return s;      new: loop { … t = t + 2 * i; … } return t;
//!
//! s = 0               deleted
//! loop                Changed: something in it did
//! s = s + i           Changed: t = t + 2 * i
//! return s            Common: return t
//! ```
//!
//! Subtrees that look the same go together from the largest to the smallest, then containers that share enough of
//! what is in them, then similar statements in containers that go together. Locals go together by name, or by one
//! renaming for the whole procedure. A heuristic: it claims nothing about behaviour.

mod bottom_up;
mod children;
mod interner;
mod labels;
mod likeness;
mod mapping;
mod moves;
mod sketch;
mod temporaries;
mod top_down;
mod tree;
mod variables;

use ir::{Pair, ProcId, Program};

pub(crate) use sketch::{Sketch, Sketches};

use interner::Interner;
use labels::Labels;
use mapping::Mapping;
use tree::{Node, Sort, Tree, compare_names};
use variables::{Renaming, own_pairs, renamed, renaming};

/// Which statements of two procedures go together. A guess about what the programmer meant, never a claim about
/// behaviour.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Alignment {
    /// Sorted by `old`; one to one.
    pub matches: Vec<StatementMatch>,
    /// The statements of the old version without a partner.
    pub deleted: Vec<usize>,
    /// The statements of the new version without a partner.
    pub inserted: Vec<usize>,
}

/// Statements are named by their place in the order of `ir::for_each_stmt` over the procedure's body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatementMatch {
    pub old: usize,
    pub new: usize,
    pub kind: MatchKind,
    /// It stands under another parent, or its siblings that go together stand in another order around it.
    pub moved: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchKind {
    /// The whole statement, with all inside of it, is the same up to a renaming of locals and labels.
    ///
    /// The renaming is one to one and the same for all matches of an alignment, so that two bodies are the same code
    /// if all their statements are common and none moved. What callees do is not looked at. A statement that a front
    /// end could not lower is never common, because it may hide a difference.
    Common,
    /// The statements go together but something in them differs (a loop whose body changed, an assignment of another
    /// value).
    Changed,
}

/// Matches the statements of two procedures.
pub fn align_statements(pair: Pair<(&Program, ProcId)>) -> Alignment {
    align_in_detail(pair).alignment
}

/// An alignment with more about its matches.
pub(crate) struct Detailed {
    pub(crate) alignment: Alignment,
    /// For each match, whether the statements are the same without what their blocks contain.
    pub(crate) same_heads: Vec<bool>,
}

pub(crate) fn align_in_detail(pair: Pair<(&Program, ProcId)>) -> Detailed {
    let classes = ir::class_renaming(pair).map(|classes| classes.map(str::to_owned));
    let renamed_classes: Vec<Pair<String>> = classes.into_iter().collect();
    let mut interner = Interner::default();
    let by_position = same_parameters(pair, &renamed_classes);
    let mut old_labels = Labels::new(pair.old.0, &renamed_classes);
    let mut new_labels = Labels::new(pair.new.0, &[]);
    let mut trees = Pair {
        old: Tree::new(&mut interner, &mut old_labels, pair.old.1, by_position),
        new: Tree::new(&mut interner, &mut new_labels, pair.new.1, by_position),
    };
    compare_names(&mut interner, &mut trees);
    align_trees(&mut interner, &mut trees)
}

fn same_parameters(pair: Pair<(&Program, ProcId)>, renamed: &[Pair<String>]) -> bool {
    let types = |(program, id): (&Program, ProcId), renamed: &[Pair<String>]| -> Vec<String> {
        let parameters = program.procedure(id).parameters().iter();
        parameters.map(|local| crate::signature::type_name(program, &local.ty, renamed)).collect()
    };
    types(pair.old, renamed) == types(pair.new, &[])
}

fn align_trees(interner: &mut Interner, trees: &mut Pair<Tree>) -> Detailed {
    let renamed = renamed(&match_trees(trees.as_ref()));
    if !renamed.is_empty() {
        // With the names of the old version, what uses a renamed variable looks the same.
        for Pair { old, new } in renamed {
            trees.new.variables[new].name = trees.old.variables[old].name;
        }
        compare_names(interner, trees);
    }
    let unsupported = interner.text("unsupported");
    described(&match_trees(trees.as_ref()), unsupported)
}

/// The least number of nodes for a statement to be recognised anywhere by its names, or by its form alone.
const NAMED_SIZE: usize = 5;
const BARE_SIZE: usize = 10;
/// The least number of nodes for what is left over to be recognised elsewhere.
const LEFT_OVER_SIZE: usize = 3;

fn match_trees(trees: Pair<&Tree>) -> Mapping<'_> {
    let named: fn(&Node) -> u32 = |node| node.named_form;
    let bare: fn(&Node) -> u32 = |node| node.bare_form;
    let mut mapping = Mapping::new(trees);
    if trees.old.nodes[0].bare_form == trees.new.nodes[0].bare_form {
        mapping.match_subtrees(0, 0);
    }
    top_down::match_unique(&mut mapping, named, NAMED_SIZE);
    top_down::match_unique(&mut mapping, bare, BARE_SIZE);
    bottom_up::match_containers(&mut mapping);
    children::match_children(&mut mapping);
    bottom_up::match_containers(&mut mapping);
    children::match_children(&mut mapping);
    top_down::match_unique(&mut mapping, named, LEFT_OVER_SIZE);
    top_down::match_in_order(&mut mapping, named, LEFT_OVER_SIZE);
    bottom_up::match_containers(&mut mapping);
    children::match_children(&mut mapping);
    temporaries::follow_uses(&mut mapping);
    mapping
}

fn described(mapping: &Mapping<'_>, unsupported: u32) -> Detailed {
    let trees = mapping.trees;
    let same_heads = same_heads(mapping, unsupported);
    let is_common = common(mapping, &same_heads);
    let moved = moves::moved(mapping);
    let mut alignment = Alignment::default();
    let mut same_heads_of_matches = Vec::new();
    for (place, old) in trees.old.statements.iter().enumerate() {
        let Some(new) = mapping.new_of(*old) else {
            alignment.deleted.push(place);
            continue;
        };
        same_heads_of_matches.push(same_heads[place]);
        alignment.matches.push(StatementMatch {
            old: place,
            new: trees.new.place_of(new),
            kind: if is_common[place] { MatchKind::Common } else { MatchKind::Changed },
            moved: moved[place],
        });
    }
    let new_statements = trees.new.statements.iter().enumerate();
    let unmatched = new_statements.filter(|(_, new)| mapping.old_of(**new).is_none());
    alignment.inserted = unmatched.map(|(place, _)| place).collect();
    Detailed { alignment, same_heads: same_heads_of_matches }
}

/// For each statement of the old version, whether it is the same as its partner, without what its blocks contain.
fn same_heads(mapping: &Mapping<'_>, unsupported: u32) -> Vec<bool> {
    let trees = mapping.trees;
    let renaming = renaming(mapping);
    let same = |old: &usize| {
        let is_supported = trees.old.nodes[*old].sort != (Sort::Statement { kind: unsupported });
        is_supported && mapping.new_of(*old).is_some_and(|new| same_itself(trees, &renaming, *old, new))
    };
    trees.old.statements.iter().map(same).collect()
}

fn same_itself(trees: Pair<&Tree>, renaming: &Renaming, old: usize, new: usize) -> bool {
    own_pairs(trees, old, new).is_some_and(|pairs| {
        pairs.into_iter().all(|(old, new)| match (trees.old.nodes[old].sort, trees.new.nodes[new].sort) {
            (Sort::Variable(old), Sort::Variable(new)) => renaming.goes_together(old, new),
            (old, new) => old == new,
        })
    })
}

/// For each statement of the old version, whether it is the same as its partner, with all inside of it.
fn common(mapping: &Mapping<'_>, same_heads: &[bool]) -> Vec<bool> {
    let trees = mapping.trees;
    let mut common = same_heads.to_vec();
    // What is inside of a statement comes after it.
    for (place, old) in trees.old.statements.iter().enumerate().rev() {
        let Some(new) = mapping.new_of(*old) else { continue };
        common[place] &= trees.old.blocks(*old).zip(trees.new.blocks(new)).all(|(old, new)| {
            let (old, new) = (trees.old.statements_of(old), trees.new.statements_of(new));
            let same = |(old, new): (&usize, &usize)| {
                mapping.new_of(*old) == Some(*new) && common[trees.old.place_of(*old)]
            };
            old.len() == new.len() && old.iter().zip(&new).all(same)
        });
    }
    common
}
