//! Rewrites that keep behaviour. Each says when it applies; all hold for machine numbers and for mathematical ones.
//!
//! A rewrite is a function that changes a tree at a random place where its conditions hold, or says that it found
//! none. Failures are behaviour: which error comes first in Java, and whether there is one at all in C, is kept.

mod expressions;
mod functions;
mod loops;
mod statements;
mod variables;

use super::sites;
use super::tree::Tree;
use crate::oracle::choices::Choices;

/// A way to change a program without changing what it does.
#[derive(Clone, Copy)]
pub(crate) struct Rewrite {
    pub(crate) name: &'static str,
    /// Also keeps whether an operation overflows, for C with undefined overflow.
    pub(crate) keeps_overflow: bool,
    pub(crate) apply: fn(&mut Tree, &mut Choices) -> bool,
}

const fn keeping(name: &'static str, apply: fn(&mut Tree, &mut Choices) -> bool) -> Rewrite {
    Rewrite { name, keeps_overflow: true, apply }
}

const fn wrapping(name: &'static str, apply: fn(&mut Tree, &mut Choices) -> bool) -> Rewrite {
    Rewrite { name, keeps_overflow: false, apply }
}

pub(crate) const REWRITES: [Rewrite; 37] = [
    keeping("commute", expressions::commute),
    keeping("mirror comparison", expressions::mirror_comparison),
    keeping("negate comparison", expressions::negate_comparison),
    keeping("de morgan", expressions::de_morgan),
    keeping("double negation", expressions::double_negation),
    keeping("compare with truth", expressions::compare_with_truth),
    keeping("shift a bound", expressions::shift_a_bound),
    keeping("swap choice", expressions::swap_choice),
    wrapping("double", expressions::double),
    wrapping("add the negative", expressions::add_the_negative),
    wrapping("associate", expressions::associate),
    wrapping("distribute", expressions::distribute),
    wrapping("negate by bits", expressions::negate_by_bits),
    wrapping("compute in long", expressions::compute_in_long),
    keeping("neutral element", expressions::neutral_element),
    keeping("extract variable", variables::extract),
    keeping("inline variable", variables::inline),
    keeping("unused variable", variables::unused),
    keeping("rename local", variables::rename_local),
    keeping("swap names", variables::swap_names),
    keeping("copy parameter", variables::copy_parameter),
    keeping("reorder", statements::reorder),
    keeping("split condition", statements::split_condition),
    keeping("merge conditions", statements::merge_conditions),
    keeping("guard clause", statements::guard_clause),
    keeping("continue as guard", statements::continue_as_guard),
    keeping("swap branches", statements::swap_branches),
    keeping("dead code", statements::dead_code),
    keeping("choice or branch", statements::choice_or_branch),
    keeping("move tail into branches", statements::move_tail_into_branches),
    keeping("wrap in loop", loops::wrap_in_loop),
    keeping("for as while", loops::for_as_while),
    keeping("peel", loops::peel),
    keeping("unroll", loops::unroll),
    keeping("split range", loops::split_range),
    keeping("split body", loops::split_body),
    keeping("hoist", loops::hoist),
];

/// Rewrites over several functions, apart because they need helpers.
pub(crate) const FUNCTION_REWRITES: [Rewrite; 4] = [
    keeping("rename function", functions::rename_function),
    keeping("extract function", functions::extract_function),
    keeping("extract expression function", functions::extract_expression),
    keeping("inline function", functions::inline_function),
];

/// Applies a random rewrite; its name, if one applied.
pub(crate) fn apply_one(tree: &mut Tree, choices: &mut Choices) -> Option<&'static str> {
    for _ in 0..12 {
        let index = choices.below(REWRITES.len() + FUNCTION_REWRITES.len());
        let rewrite = REWRITES.iter().chain(&FUNCTION_REWRITES).nth(index).expect("the index is in range");
        if (!tree.overflow_fails || rewrite.keeps_overflow) && (rewrite.apply)(tree, choices) {
            return Some(rewrite.name);
        }
    }
    None
}
