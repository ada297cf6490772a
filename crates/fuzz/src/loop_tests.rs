//! The rules of single rewrites of loops: where they must not apply.

use arbitrary_source::Choices;

use super::rewrite;
use super::tree::{Binary, Expr, For, Function, Kind, Stmt, Tree, Ty};
use super::{mutate, print};

fn var(name: &str) -> Expr {
    Expr::var(Ty::Int, name)
}

fn number(value: i64) -> Expr {
    Expr::constant(Ty::Int, value)
}

fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b)
}

/// `x = x op value`.
fn update(op: Binary, value: Expr) -> Stmt {
    Stmt::Assign(var("x"), binary(op, var("x"), value))
}

/// `for (counter = 0; counter < limit; counter++) body`.
fn count(counter: &str, limit: Expr, body: Vec<Stmt>) -> Stmt {
    let condition = binary(Binary::Lt, var(counter), limit);
    let step = binary(Binary::Add, var(counter), number(1));
    Stmt::For(Box::new(For { counter: counter.to_owned(), start: number(0), condition, step, body }))
}

/// A function of `n` and `m` that declares `x` and returns it.
fn tree_of(loops: Vec<Stmt>) -> Tree {
    let params = vec![("n".to_owned(), Ty::Int), ("m".to_owned(), Ty::Int)];
    let mut body = vec![Stmt::Let("x".to_owned(), number(0))];
    body.extend(loops);
    body.push(Stmt::Return(Some(var("x"))));
    let entry = Function { name: "entry".to_owned(), params, result: Some(Ty::Int), body };
    Tree { is_java: true, overflow_fails: false, globals: Vec::new(), functions: vec![entry], names: 0 }
}

fn applies(name: &str, loops: Vec<Stmt>) -> bool {
    let rewrite = rewrite::all().find(|rewrite| rewrite.name == name).expect("it should be in the table");
    let tree = tree_of(loops);
    (0..60).any(|seed| (rewrite.apply)(&mut tree.clone(), &mut Choices::new(1, seed)))
}

#[test]
fn only_updates_that_commute_go_in_another_order() {
    let sum = vec![count("i", var("n"), vec![update(Binary::Add, var("i"))])];
    assert!(applies("reverse", sum));
    let horner = binary(Binary::Add, binary(Binary::Mul, var("x"), number(3)), var("i"));
    let dependent = vec![count("i", var("n"), vec![Stmt::Assign(var("x"), horner)])];
    assert!(!applies("reverse", dependent.clone()));
    assert!(!applies("interchange", vec![count("j", var("m"), dependent)]));
    let mixed = vec![update(Binary::Add, var("i")), update(Binary::Mul, number(2))];
    assert!(!applies("reverse", vec![count("i", var("n"), mixed)]));
    let quotient = update(Binary::Add, binary(Binary::Div, number(1), var("i")));
    assert!(!applies("reverse", vec![count("i", var("n"), vec![quotient])]), "a failure may come earlier");
}

#[test]
fn triangles_are_not_interchanged() {
    let inner = |limit: Expr| count("j", limit, vec![update(Binary::Add, var("j"))]);
    assert!(applies("interchange", vec![count("i", var("n"), vec![inner(var("m"))])]));
    assert!(!applies("interchange", vec![count("i", var("n"), vec![inner(var("i"))])]));
}

#[test]
fn a_limit_that_the_body_writes_is_not_computed_again() {
    let shrink = Stmt::Assign(var("n"), binary(Binary::Sub, var("n"), number(1)));
    for name in ["peel last", "unroll with remainder", "reverse", "count down", "closed form"] {
        assert!(!applies(name, vec![count("i", var("n"), vec![shrink.clone()])]), "{name}");
        let of_x = count("i", var("x"), vec![update(Binary::Add, number(1))]);
        assert!(!applies(name, vec![of_x]), "{name}");
    }
}

#[test]
fn copies_of_a_body_do_not_break_or_continue() {
    for jump in [Stmt::Break, Stmt::Continue] {
        let exit = Stmt::If(binary(Binary::Eq, var("i"), var("m")), vec![jump], Vec::new());
        let body = vec![exit, update(Binary::Add, var("i"))];
        for name in ["peel last", "unroll with remainder", "loop as recursion", "reverse"] {
            assert!(!applies(name, vec![count("i", var("n"), body.clone())]), "{name}");
        }
    }
}

#[test]
fn a_closed_form_needs_the_same_addend_every_time() {
    assert!(applies("closed form", vec![count("i", var("n"), vec![update(Binary::Add, var("m"))])]));
    assert!(applies("closed form", vec![count("i", var("n"), vec![update(Binary::Add, var("i"))])]));
    let twice = update(Binary::Add, var("x"));
    assert!(!applies("closed form", vec![count("i", var("n"), vec![twice])]));
    let product = update(Binary::Mul, var("m"));
    assert!(!applies("closed form", vec![count("i", var("n"), vec![product])]));
}

#[test]
fn loops_over_the_same_state_are_not_fused() {
    let add = count("i", var("n"), vec![update(Binary::Add, var("i"))]);
    let scale = count("j", var("n"), vec![update(Binary::Mul, number(3))]);
    assert!(!applies("fuse", vec![add.clone(), scale]));
    let other = Stmt::Assign(var("m"), binary(Binary::Add, var("m"), var("j")));
    assert!(applies("fuse", vec![add.clone(), count("j", var("n"), vec![other.clone()])]));
    assert!(!applies("fuse", vec![add, count("j", var("m"), vec![other])]), "another head");
}

#[test]
fn a_choice_that_the_loop_changes_is_not_unswitched() {
    let choose = |on: Expr| {
        let condition = binary(Binary::Lt, on, number(3));
        Stmt::If(condition, vec![update(Binary::Add, number(1))], vec![update(Binary::Add, number(2))])
    };
    assert!(applies("unswitch", vec![count("i", var("n"), vec![choose(var("m"))])]));
    assert!(!applies("unswitch", vec![count("i", var("n"), vec![choose(var("x"))])]));
    assert!(!applies("unswitch", vec![count("i", var("n"), vec![choose(var("i"))])]));
}

#[test]
fn the_sum_that_replaces_a_product_is_not_missed_by_continue() {
    let skip = Stmt::If(binary(Binary::Eq, var("i"), var("m")), vec![Stmt::Continue], Vec::new());
    let add = update(Binary::Add, binary(Binary::Mul, var("i"), number(5)));
    assert!(applies("reduce strength", vec![count("i", var("n"), vec![add.clone()])]));
    assert!(!applies("reduce strength", vec![count("i", var("n"), vec![skip, add])]));
}

#[test]
fn an_unrolled_loop_without_its_remainder_is_a_mutant() {
    let tree = tree_of(vec![count("i", var("n"), vec![update(Binary::Add, var("i"))])]);
    let mutation = mutate::LOOP_MUTATIONS.iter().find(|mutation| mutation.name == "no remainder");
    let mut mutant = tree.clone();
    let applied = (mutation.expect("it is in the table").apply)(&mut mutant, &mut Choices::new(1, 1));
    assert!(applied, "the loop counts");
    let loops = |tree: &Tree| print::print(tree).matches("while (").count();
    assert_eq!(loops(&mutant), 1, "{}", print::print(&mutant));
    let first = mutant.functions[0].body.iter().find_map(|stmt| match stmt {
        Stmt::While(condition, _) => Some(&condition.kind),
        _ => None,
    });
    assert!(matches!(first, Some(Kind::Binary(Binary::Both, ..))), "{}", print::print(&mutant));
}
