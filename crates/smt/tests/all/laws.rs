//! Laws of the simplifier, on random terms: it changes no value, and a solver agrees.

use crate::common::random::{Pool, assignment, choices, steps};
use crate::common::{limits, solver};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use proptest::test_runner::RngSeed;
use smt::{Answer, Encoding, Floats, Limits, Query, Solver, Term, Terms};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// So many random cases, always the same ones. For long runs by hand, `SELFSAME_LAW_FACTOR`
/// multiplies their number and `SELFSAME_LAW_SEED` chooses others.
fn config(cases: u32) -> ProptestConfig {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u32>().ok());
    ProptestConfig {
        cases: cases * number("SELFSAME_LAW_FACTOR").unwrap_or(1),
        rng_seed: RngSeed::Fixed(number("SELFSAME_LAW_SEED").unwrap_or(0).into()),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The answer of a solver that all cases of a test share; `None` if there is none.
fn ask(terms: &Terms, assertions: &[Term], wanted: &[Term], limits: &Limits) -> Option<Answer> {
    thread_local! {
        static SOLVER: RefCell<Option<Solver>> = RefCell::new(solver());
    }
    SOLVER.with_borrow_mut(|solver| {
        let answer = solver.as_mut()?.check(terms, assertions, wanted, limits);
        Some(answer.expect("the solver should answer"))
    })
}

proptest! {
    #![proptest_config(config(400))]

    /// Simplified terms have the values of the original ones, wherever those have one.
    #[test]
    fn simplifying_changes_no_value(steps in steps(40), values in proptest::collection::vec(choices(), 4)) {
        let mut original = Terms::without_simplification();
        let pool = Pool::build(&mut original, &steps);
        let mut simplified = Terms::new();
        let images = original.copy_into(&pool.made, &mut simplified);
        for values in &values {
            let assignment = assignment(values);
            let expected = original.evaluate_all(&pool.made, &assignment);
            let found = simplified.evaluate_all(&images, &assignment);
            for (place, expected) in expected.iter().enumerate() {
                if let Some(expected) = expected {
                    prop_assert_eq!(
                        found[place].as_ref(),
                        Some(expected),
                        "{}\n  became\n{}",
                        original.print(pool.made[place]),
                        simplified.print(images[place])
                    );
                }
            }
        }
    }

    /// Substituting values for variables evaluates.
    #[test]
    fn substituting_values_is_evaluating(steps in steps(30), values in choices()) {
        let mut terms = Terms::new();
        let pool = Pool::build(&mut terms, &steps);
        let assignment = assignment(&values);
        let mut map = std::collections::BTreeMap::new();
        for &term in &pool.made {
            for variable in terms.variables(term) {
                let name = terms.name(variable).expect("variables have names").to_owned();
                let sort = terms.sort_of(variable).clone();
                let literal = terms.value(&assignment.variables[&name], &sort);
                map.insert(variable, literal);
            }
        }
        for &term in &pool.made {
            let expected = terms.evaluate(term, &assignment);
            let replaced = terms.substitute(term, &map);
            let found = terms.evaluate(replaced, &assignment);
            prop_assert!(expected.is_none() || found == expected, "{}", terms.print(term));
            prop_assert!(terms.variables(replaced).is_empty());
        }
    }

    /// Terms that are simplified again stay as they are.
    #[test]
    fn simplifying_twice_changes_nothing(steps in steps(12)) {
        let mut terms = Terms::new();
        let pool = Pool::build(&mut terms, &steps);
        let mut again = terms.clone();
        for &term in &pool.made {
            let args = terms.args(term).to_vec();
            let sort = terms.sort_of(term).clone();
            prop_assert_eq!(again.rebuild(terms.op(term), &args, &sort), term, "{}", terms.print(term));
        }
    }
}

proptest! {
    #![proptest_config(config(40))]

    /// A solver finds no difference between original and simplified terms.
    #[test]
    fn the_solver_agrees_with_the_simplifier(steps in steps(10)) {
        let mut original = Terms::without_simplification();
        let pool = Pool::build(&mut original, &steps);
        let mut simplified = Terms::new();
        let images = original.copy_into(&pool.made, &mut simplified);
        let images = simplified.copy_into(&images, &mut original);
        for (&term, &image) in pool.made.iter().zip(&images).filter(|(term, image)| term != image) {
            let same = original.eq(term, image);
            let differ = original.not(same);
            let limits = Limits { steps: Some(budget::Steps::new(2_000_000)), ..limits(Floats::Ieee) };
            let Some(answer) = ask(&original, &[differ], &[], &limits) else { return Ok(()) };
            let spurious = matches!(&answer, Answer::Sat(model) if !model.is_exact());
            prop_assert!(
                spurious || !matches!(answer, Answer::Sat(_)),
                "{}\n  became\n{}",
                original.print(term),
                original.print(image)
            );
        }
    }

    /// A solver that is told the variables' values computes the same values for terms.
    #[test]
    fn the_solver_computes_what_evaluation_does(steps in steps(25), values in choices()) {
        let mut terms = Terms::without_simplification();
        let pool = Pool::build(&mut terms, &steps);
        let assignment = assignment(&values);
        for floats in [Floats::Symbols, Floats::Ieee] {
            let is_exact = |&term: &Term| Query::new(&terms, &[], &[term], Encoding { floats }).is_exact();
            let without_functions = |&term: &Term| terms.functions(term).is_empty();
            let wanted: Vec<Term> =
                pool.made.iter().copied().filter(is_exact).filter(without_functions).collect();
            let mut facts = Vec::new();
            for variable in wanted.iter().flat_map(|&term| terms.variables(term)).collect::<BTreeSet<_>>() {
                let name = terms.name(variable).expect("variables have names").to_owned();
                let sort = terms.sort_of(variable).clone();
                let literal = terms.value(&assignment.variables[&name], &sort);
                facts.push(terms.eq(variable, literal));
            }
            let Some(answer) = ask(&terms, &facts, &wanted, &limits(floats)) else { return Ok(()) };
            let Answer::Sat(model) = answer else { panic!("values do not contradict each other: {answer:?}") };
            for &term in &wanted {
                if let (Some(expected), Some(found)) = (terms.evaluate(term, &assignment), model.value(term)) {
                    prop_assert_eq!(found, &expected, "{:?} {}", floats, terms.print(term));
                }
            }
        }
    }
}
