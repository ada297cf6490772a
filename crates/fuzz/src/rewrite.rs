//! Rewrites that keep behaviour. Each says when it applies; all hold for machine numbers and for mathematical ones.
//!
//! A rewrite is a function that changes a tree at a random place where its conditions hold, or says that it found
//! none. Failures are behaviour: which error comes first in Java, and whether there is one at all in C, is kept.

pub(crate) mod counted;
pub(crate) mod counted_loops;
mod expressions;
mod functions;
mod loop_bodies;
mod loop_exits;
mod loop_recursion;
mod loops;
mod statements;
mod variables;

use arbitrary_source::Choices;

use super::sites;
use super::tree::Tree;

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

pub(crate) const REWRITES: [Rewrite; 30] = [
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
];

/// Rewrites of loops.
pub(crate) const LOOP_REWRITES: [Rewrite; 24] = [
    keeping("wrap in loop", loops::wrap_in_loop),
    keeping("for as while", loops::for_as_while),
    keeping("peel", loops::peel),
    keeping("unroll", loops::unroll),
    keeping("split range", loops::split_range),
    keeping("split body", loops::split_body),
    keeping("hoist", loops::hoist),
    keeping("peel last", counted_loops::peel_last),
    keeping("unroll with remainder", counted_loops::unroll_with_remainder),
    wrapping("reverse", counted_loops::reverse),
    wrapping("count down", counted_loops::count_down),
    wrapping("interchange", counted_loops::interchange),
    wrapping("closed form", counted_loops::closed_form),
    keeping("test after", loop_exits::test_after),
    keeping("test inside", loop_exits::test_inside),
    keeping("rotate", loop_exits::rotate),
    keeping("exit as flag", loop_exits::exit_as_flag),
    keeping("return after", loop_exits::return_after),
    keeping("unswitch", loop_bodies::unswitch),
    keeping("fuse", loop_bodies::fuse),
    keeping("sink", loop_bodies::sink),
    wrapping("reduce strength", loop_bodies::reduce_strength),
    keeping("walk by pointer", loop_bodies::walk_by_pointer),
    keeping("loop as recursion", loop_recursion::loop_as_recursion),
];

/// Rewrites over several functions, apart because they need helpers.
pub(crate) const FUNCTION_REWRITES: [Rewrite; 4] = [
    keeping("rename function", functions::rename_function),
    keeping("extract function", functions::extract_function),
    keeping("extract expression function", functions::extract_expression),
    keeping("inline function", functions::inline_function),
];

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = &'static Rewrite> {
    REWRITES.iter().chain(&LOOP_REWRITES).chain(&FUNCTION_REWRITES)
}

/// Applies a random rewrite; its name, if one applied. Of programs that are all loops, mostly one of loops.
pub(crate) fn apply_one(tree: &mut Tree, choices: &mut Choices, mostly_loops: bool) -> Option<&'static str> {
    for _ in 0..12 {
        let rewrite = if mostly_loops && choices.percent(80) {
            &LOOP_REWRITES[choices.below(LOOP_REWRITES.len())]
        } else {
            all().nth(choices.below(all().count())).expect("the index is in range")
        };
        if (!tree.overflow_fails || rewrite.keeps_overflow) && (rewrite.apply)(tree, choices) {
            return Some(rewrite.name);
        }
    }
    None
}
