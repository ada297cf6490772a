//! Counts what a strategy reached on some of the pairs.

use serde::Serialize;

use super::model::{BenchReport, CaseReport, Label, Score};
use super::spread::Spread;

/// The figures of one strategy on one group of pairs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Tally {
    pub(crate) strategy: String,
    /// How many pairs are labelled *equivalent*, and how many of them were proved for every input.
    pub(crate) equivalent: usize,
    pub(crate) equivalent_solved: usize,
    /// How many more have no difference up to a bound.
    pub(crate) equivalent_bounded: usize,
    /// How many pairs are labelled *different*, and how many of them have a witness.
    pub(crate) different: usize,
    pub(crate) different_solved: usize,
    pub(crate) wrong: usize,
    /// Without those that are the same up to a bound.
    pub(crate) unknown: usize,
    pub(crate) crash: usize,
    /// As in competitions: +2 for a proof, +1 for a witness, -32 for a wrong proof, -16 for a wrong difference.
    pub(crate) points: i64,
    /// Of all runs with a verdict, solved or not.
    pub(crate) seconds: Spread,
    /// Of the runs that solved their pair.
    pub(crate) solved_seconds: Spread,
    /// What the runs without a verdict took in all.
    pub(crate) crash_seconds: f64,
    pub(crate) solver_calls: u64,
    pub(crate) refinements: u64,
}

impl Tally {
    fn of<'a>(strategy: &str, index: usize, cases: impl Iterator<Item = &'a CaseReport>) -> Tally {
        let mut tally = Tally {
            strategy: strategy.to_owned(),
            equivalent: 0,
            equivalent_solved: 0,
            equivalent_bounded: 0,
            different: 0,
            different_solved: 0,
            wrong: 0,
            unknown: 0,
            crash: 0,
            points: 0,
            seconds: Spread::default(),
            solved_seconds: Spread::default(),
            crash_seconds: 0.0,
            solver_calls: 0,
            refinements: 0,
        };
        let (mut seconds, mut solved) = (Vec::new(), Vec::new());
        for case in cases {
            let run = &case.runs[index];
            let score = run.score(case.label);
            tally.count(case.label, score);
            tally.solver_calls += u64::from(run.solver_calls);
            tally.refinements += u64::from(run.refinements);
            match score {
                Score::Crash => tally.crash_seconds += run.seconds,
                Score::Solved | Score::Bounded | Score::Unknown | Score::Wrong => seconds.push(run.seconds),
            }
            if score == Score::Solved {
                solved.push(run.seconds);
            }
        }
        tally.seconds = Spread::of(seconds);
        tally.solved_seconds = Spread::of(solved);
        tally
    }

    fn count(&mut self, label: Label, score: Score) {
        match label {
            Label::Equivalent => self.equivalent += 1,
            Label::Different => self.different += 1,
        }
        match (score, label) {
            (Score::Solved, Label::Equivalent) => {
                (self.equivalent_solved, self.points) = (self.equivalent_solved + 1, self.points + 2)
            }
            (Score::Solved, Label::Different) => {
                (self.different_solved, self.points) = (self.different_solved + 1, self.points + 1);
            }
            (Score::Wrong, Label::Equivalent) => {
                (self.wrong, self.points) = (self.wrong + 1, self.points - 16)
            }
            (Score::Wrong, Label::Different) => {
                (self.wrong, self.points) = (self.wrong + 1, self.points - 32)
            }
            (Score::Bounded, _) => self.equivalent_bounded += 1,
            (Score::Unknown, _) => self.unknown += 1,
            (Score::Crash, _) => self.crash += 1,
        }
    }
}

/// The tallies of all strategies on the pairs with one name.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) tallies: Vec<Tally>,
}

/// One section for each group, in the order of the pairs.
pub(crate) fn by_group(report: &BenchReport) -> Vec<Section> {
    sections(report, CaseReport::full_group)
}

/// One section for each suite, and one for all of them if there are several.
pub(crate) fn by_suite(report: &BenchReport) -> Vec<Section> {
    let mut sections = sections(report, |case| case.suite.clone());
    if sections.len() != 1 {
        sections.push(section(report, "all".to_owned(), |_| true));
    }
    sections
}

fn sections(report: &BenchReport, name_of: fn(&CaseReport) -> String) -> Vec<Section> {
    let mut names: Vec<String> = Vec::new();
    for case in &report.cases {
        let name = name_of(case);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let with_name = |name: String| {
        let wanted = name.clone();
        section(report, name, move |case| name_of(case) == wanted)
    };
    names.into_iter().map(with_name).collect()
}

fn section(report: &BenchReport, name: String, belongs: impl Fn(&CaseReport) -> bool) -> Section {
    let strategies = report.strategies.iter().enumerate();
    let tallies = strategies
        .map(|(index, strategy)| Tally::of(strategy, index, report.cases.iter().filter(|case| belongs(case))))
        .collect();
    Section { name, tallies }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn every_run_is_counted_once_and_under_its_label() {
        let sections = by_suite(&samples::report());
        let [suite] = sections.as_slice() else { panic!("one suite expected") };
        for tally in &suite.tallies {
            let counted = tally.equivalent_solved
                + tally.equivalent_bounded
                + tally.different_solved
                + tally.wrong
                + tally.unknown
                + tally.crash;
            assert_eq!(counted, tally.equivalent + tally.different);
        }
        let naive = &suite.tallies[0];
        assert_eq!((naive.equivalent, naive.equivalent_solved, naive.equivalent_bounded), (3, 1, 1));
        assert_eq!((naive.different, naive.different_solved), (2, 1));
        assert_eq!((naive.wrong, naive.unknown, naive.crash), (1, 0, 1));
        assert_eq!(naive.points, 2 + 1 - 16);
        assert_eq!(naive.solver_calls, 10);
        // The crash neither counts as a quick answer nor is forgotten.
        assert_eq!(naive.crash_seconds, 0.01);
        assert!((naive.seconds.mean * 4.0 - 3.55).abs() < 1e-9);
        assert_eq!(naive.solved_seconds.mean, 0.125);
    }

    #[test]
    fn groups_come_in_the_order_of_the_pairs() {
        let names: Vec<_> = by_group(&samples::report()).into_iter().map(|section| section.name).collect();
        assert_eq!(names, ["demo/loops", "demo"]);
    }

    #[test]
    fn a_wrong_proof_costs_twice_as_much_as_a_wrong_difference() {
        let mut report = samples::report();
        for case in &mut report.cases {
            case.label = Label::Different;
        }
        let naive = &by_suite(&report)[0].tallies[0];
        assert_eq!((naive.wrong, naive.points), (1, 2 - 32));
    }
}
