//! A small campaign as a test, and the rules of single rewrites.

use std::time::Duration;

use check::{Numbers, Strategy};

use super::campaign::{self, Plan};
use super::judge::Questions;
use crate::oracle::Language;
use crate::workspace;

fn plan(pairs: u64) -> Plan {
    Plan {
        questions: Questions {
            strategies: Strategy::ALL.into_iter().filter(|strategy| *strategy != Strategy::Testing).collect(),
            solver: super::find_solver(&workspace::root()),
            deadline: Duration::from_millis(30),
            inputs: 60,
            bound: 2,
        },
        languages: vec![Language::Java, Language::C],
        numbers: vec![Numbers::Machine, Numbers::Math],
        alternate: false,
        seed: 20,
        first: 0,
        pairs,
        threads: 2,
        size: 5,
        minimise: true,
        show: false,
        loud: true,
    }
}

#[test]
fn no_strategy_is_wrong_about_random_pairs() {
    let summary = campaign::run(&plan(150));
    assert_eq!(summary.wrong, 0, "{}", summary.show(None));
    assert!(summary.separated > summary.pairs / 8, "mutants should be separated: {}", summary.show(None));
    assert!(summary.refused < summary.pairs / 8, "most pairs should be programs: {}", summary.show(None));
}
