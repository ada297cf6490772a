//! A small campaign as a test, and the rules of single rewrites.

use std::time::Duration;

use arbitrary_source::Choices;
use arbitrary_source::Language;
use casekit::workspace;
use check::Strategy;
use ir::Numbers;

use super::campaign::{self, Plan};
use super::case::{Case, Sizes};
use super::judge::{Answer, Questions, WrongKind, find_wrong, judge};
use super::mutate::LOOP_MUTATIONS;
use super::rewrite::{self, Rewrite};
use super::tree::{Binary, Expr, Function, Kind, Stmt, Tree, Ty};
use super::{generate, mutate, print};

fn plan(pairs: u64) -> Plan {
    Plan {
        questions: Questions {
            strategies: Strategy::ALL.to_vec(),
            solver: workspace::find_solver(&workspace::root()),
            deadline: Duration::from_millis(60),
            inputs: 60,
            bound: 2,
            only_separated: true,
            total: false,
            pair_threads: std::num::NonZero::<usize>::MIN,
        },
        languages: vec![Language::Java, Language::C],
        numbers: vec![Numbers::Machine, Numbers::Math],
        alternate: true,
        seed: 20,
        first: 0,
        pairs,
        threads: 2,
        sizes: Sizes { statements: 5, loops: 40, twins: 0, clients: 0 },
        minimise: true,
        show: false,
        loud: true,
        stop: Duration::from_secs(60),
    }
}

/// All strategies about those pairs that runs separate: a few hundred are a matter of seconds.
#[test]
fn no_strategy_is_wrong_about_random_pairs() {
    let summary = campaign::run(&plan(300));
    assert_eq!(summary.wrong, 0, "{}", summary.show(None));
    assert!(summary.separated > summary.pairs / 8, "mutants should be separated: {}", summary.show(None));
    assert!(summary.refused < summary.pairs / 8, "most pairs should be programs: {}", summary.show(None));
}

/// Pointers, structs, enums, statics, clients and code that is not there, with equal termination and two threads.
#[test]
fn no_strategy_is_wrong_about_twins_and_clients() {
    let mut plan = plan(60);
    plan.questions.total = true;
    plan.questions.pair_threads = std::num::NonZero::new(2).unwrap();
    plan.sizes = Sizes { statements: 4, loops: 10, twins: 60, clients: 30 };
    let summary = campaign::run(&plan);
    assert_eq!(summary.wrong, 0, "{}", summary.show(None));
    assert!(summary.separated > summary.pairs / 8, "twins should be separated: {}", summary.show(None));
}

/// Old and new text as a case.
fn case(tree: &Tree, old: String, new: String) -> Case {
    Case {
        language: if tree.is_java { Language::Java } else { Language::C },
        overflow_fails: tree.overflow_fails,
        entry: "entry".to_owned(),
        chain: vec![old.clone(), new.clone()],
        texts: ir::Pair::new(old, new),
        rewrites: Vec::new(),
        mutations: Vec::new(),
    }
}

/// Runs alone, without any strategy.
fn runs_only() -> Questions {
    Questions { strategies: Vec::new(), inputs: 60, ..plan(0).questions }
}

/// A random program, as often as not one of loops alone.
fn random_tree(choices: &mut Choices, number: u64, overflow_fails: bool) -> Tree {
    let is_java = number.is_multiple_of(2);
    if number % 5 < 3 {
        return generate::generate_loops(choices, is_java, overflow_fails);
    }
    generate::generate(choices, is_java, overflow_fails, 6)
}

/// An error if runs separate the versions before and after a change.
fn stays_the_same(old: String, tree: &Tree, numbers: Numbers, choices: &mut Choices) -> Result<(), String> {
    let case = case(tree, old, print::print(tree));
    match judge(&case, numbers, &runs_only(), choices) {
        Ok(judged) if judged.separated.is_none() => Ok(()),
        result => Err(format!("{:?}\n{}\n{}", result, case.texts.old, case.texts.new)),
    }
}

#[test]
fn every_rewrite_applies_and_is_kept_by_runs() {
    for rewrite in rewrite::all() {
        let mut applied = 0;
        for number in 0..3000 {
            let mut choices = Choices::new(5, number);
            let mut tree = random_tree(&mut choices, number, number % 6 == 3);
            let old = print::print(&tree);
            if (tree.overflow_fails && !rewrite.keeps_overflow) || !(rewrite.apply)(&mut tree, &mut choices) {
                continue;
            }
            applied += 1;
            let numbers = if number % 4 < 2 { Numbers::Machine } else { Numbers::Math };
            let kept = stays_the_same(old, &tree, numbers, &mut choices);
            assert_eq!(kept, Ok(()), "{}", rewrite.name);
            if applied == 10 {
                break;
            }
        }
        assert!(applied >= 5, "{} applied only {applied} times", rewrite.name);
    }
}

#[test]
fn every_mutation_applies_and_is_often_seen_by_runs() {
    let (mut made, mut seen) = (0, 0);
    for number in 0..200 {
        let mut choices = Choices::new(6, number);
        let mut tree = random_tree(&mut choices, number, false);
        let old = print::print(&tree);
        if mutate::apply_one(&mut tree, &mut choices, false).is_none() {
            continue;
        }
        let case = case(&tree, old, print::print(&tree));
        if let Ok(judged) = judge(&case, Numbers::Machine, &runs_only(), &mut choices) {
            made += 1;
            seen += usize::from(judged.separated.is_some());
        }
    }
    assert!(made > 120 && seen * 3 > made, "{seen} of {made} mutants were separated");
}

#[test]
fn every_mutation_of_loops_is_seen_by_runs() {
    for mutation in &LOOP_MUTATIONS {
        let (mut made, mut seen) = (0, 0);
        for number in 0..400 {
            let mut choices = Choices::new(8, number);
            let mut tree = generate::generate_loops(&mut choices, number % 2 == 0, false);
            let old = print::print(&tree);
            if !(mutation.apply)(&mut tree, &mut choices) {
                continue;
            }
            made += 1;
            seen += usize::from(stays_the_same(old, &tree, Numbers::Machine, &mut choices).is_err());
            if made == 12 {
                break;
            }
        }
        assert!(made >= 5 && seen >= 1, "{}: {seen} of {made} were separated", mutation.name);
    }
}

#[test]
fn answers_that_runs_rewrites_or_each_other_contradict_are_wrong() {
    let tree = tree_of(Vec::new());
    let kept = case(&tree, String::new(), String::new());
    let mutant = Case { mutations: vec!["operator"], ..kept.clone() };
    let equivalent = (Strategy::Naive, Answer::Equivalent(String::new()), Duration::ZERO);
    let different = (Strategy::Testing, Answer::Different(String::new()), Duration::ZERO);
    let kinds = |case: &Case, separated: Option<&String>, answers: &[_]| -> Vec<WrongKind> {
        find_wrong(case, separated, answers).into_iter().map(|wrong| wrong.kind).collect()
    };
    let input = "on (1)".to_owned();
    assert_eq!(kinds(&mutant, Some(&input), std::slice::from_ref(&equivalent)), [WrongKind::Equivalent]);
    assert_eq!(kinds(&mutant, None, &[equivalent.clone(), different.clone()]), [WrongKind::Equivalent]);
    assert_eq!(kinds(&mutant, None, std::slice::from_ref(&different)), []);
    assert_eq!(kinds(&kept, None, &[different]), [WrongKind::Different]);
    assert_eq!(kinds(&kept, None, &[equivalent]), []);
}

/// A function of two numbers with these statements.
fn tree_of(body: Vec<Stmt>) -> Tree {
    let params = vec![("a".to_owned(), Ty::Int), ("b".to_owned(), Ty::Int)];
    let entry = Function { name: "entry".to_owned(), params, result: Some(Ty::Int), body };
    Tree { is_java: true, overflow_fails: false, globals: Vec::new(), functions: vec![entry], names: 0 }
}

fn named(name: &str) -> &'static Rewrite {
    rewrite::all().find(|rewrite| rewrite.name == name).expect("the rewrite should be in the table")
}

fn never_applies(name: &str, tree: &Tree) {
    for number in 0..50 {
        let mut copy = tree.clone();
        assert!(!(named(name).apply)(&mut copy, &mut Choices::new(1, number)), "{}", print::print(&copy));
    }
}

fn quotient() -> Expr {
    Expr::binary(Binary::Div, Expr::var(Ty::Int, "a"), Expr::var(Ty::Int, "b"))
}

#[test]
fn output_keeps_its_order() {
    let print = |word: &str| Stmt::Print(word.to_owned(), None);
    never_applies("reorder", &tree_of(vec![print("a"), print("b")]));
}

#[test]
fn nothing_moves_over_a_failure_that_would_show_it() {
    let divide = Stmt::Let("q".to_owned(), quotient());
    never_applies("reorder", &tree_of(vec![divide.clone(), Stmt::Print("a".to_owned(), None)]));
    let other = Stmt::Let("r".to_owned(), quotient());
    never_applies("reorder", &tree_of(vec![divide, other]));
}

#[test]
fn a_division_under_a_condition_stays_there() {
    let choice = Kind::Cond(
        Box::new(Expr::constant(Ty::Bool, 1)),
        Box::new(Expr::constant(Ty::Int, 1)),
        Box::new(quotient()),
    );
    let tree = tree_of(vec![Stmt::Return(Some(Expr::new(Ty::Int, choice)))]);
    for number in 0..50 {
        let mut copy = tree.clone();
        (named("extract variable").apply)(&mut copy, &mut Choices::new(1, number));
        let lets = copy.functions[0].body.iter().filter_map(|stmt| match stmt {
            Stmt::Let(_, value) => Some(value),
            _ => None,
        });
        assert!(lets.into_iter().all(|value| *value != quotient()), "{}", print::print(&copy));
    }
}

#[test]
fn loops_with_continue_keep_their_step() {
    let body = vec![Stmt::If(Expr::constant(Ty::Bool, 1), vec![Stmt::Continue], Vec::new())];
    let counter = || Expr::var(Ty::Int, "i");
    let parts = super::tree::For {
        counter: "i".to_owned(),
        start: Expr::constant(Ty::Int, 0),
        condition: Expr::binary(Binary::Lt, counter(), Expr::constant(Ty::Int, 3)),
        step: Expr::binary(Binary::Add, counter(), Expr::constant(Ty::Int, 1)),
        body,
    };
    let tree = tree_of(vec![Stmt::For(Box::new(parts))]);
    for name in ["for as while", "peel", "unroll", "split range"] {
        never_applies(name, &tree);
    }
}
