//! Many cases on several threads, counted and shown.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arbitrary_source::Choices;
use arbitrary_source::Language;
use check::Strategy;
use ir::Numbers;

use super::case::{self, Case, Refusal, Sizes};
use super::judge::{Answer, Judgement, Questions, Wrong, judge};
use super::minimise;

/// What a campaign does.
pub(crate) struct Plan {
    pub(crate) questions: Questions,
    pub(crate) languages: Vec<Language>,
    pub(crate) numbers: Vec<Numbers>,
    /// Each pair gets only one of them, in turn.
    pub(crate) alternate: bool,
    pub(crate) seed: u64,
    pub(crate) first: u64,
    pub(crate) pairs: u64,
    pub(crate) threads: usize,
    pub(crate) sizes: Sizes,
    pub(crate) minimise: bool,
    /// Show the texts of every case (for one case made again).
    pub(crate) show: bool,
    /// Print progress and wrong verdicts as they come.
    pub(crate) loud: bool,
    /// No case is started after this time.
    pub(crate) stop: Duration,
}

/// Everything that was counted.
#[derive(Default)]
pub(crate) struct Summary {
    pub(crate) pairs: u64,
    pub(crate) separated: u64,
    /// Pairs that a front end refused, with the number of the first.
    pub(crate) refused: u64,
    first_refused: Option<(u64, String)>,
    pub(crate) wrong: u64,
    strategies: BTreeMap<(&'static str, &'static str), Counts>,
    changes: BTreeMap<&'static str, Counts>,
}

#[derive(Default, Clone)]
struct Counts {
    equivalent: u64,
    different: u64,
    unknown: u64,
    wrong: u64,
    time: Duration,
}

/// The stack of a thread: front ends and engine recurse over nested programs.
const STACK_BYTES: usize = 256 << 20;

/// Runs the campaign and says what was counted.
pub(crate) fn run(plan: &Plan) -> Summary {
    super::panics::silence();
    let summary = Mutex::new(Summary::default());
    let next = AtomicU64::new(plan.first);
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..plan.threads {
            let work = || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.first + plan.pairs || started.elapsed() > plan.stop {
                        return;
                    }
                    one_case(plan, number, &summary);
                    progress(plan, &summary, started);
                }
            };
            let spawned = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
            spawned.expect("a thread should start");
        }
    });
    if plan.loud && std::io::stderr().is_terminal() {
        eprintln!();
    }
    summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn one_case(plan: &Plan, number: u64, summary: &Mutex<Summary>) {
    let case = case::make(plan.seed, number, &plan.languages, plan.sizes);
    if plan.show {
        println!("{}", show_case(&case, number));
    }
    for (turn, numbers) in plan.numbers.iter().enumerate() {
        if plan.alternate && number % plan.numbers.len() as u64 != turn as u64 {
            continue;
        }
        let mut choices = Choices::new(!plan.seed, number);
        let result = judge(&case, *numbers, &plan.questions, &mut choices);
        let mut report = String::new();
        let mut counted = summary.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match result {
            Err(refusal) => counted.refuse(number, &case, &refusal, &mut report),
            Ok(judgement) => {
                counted.count(&case, &judgement);
                drop(counted);
                if plan.show {
                    for (strategy, answer, time) in &judgement.answers {
                        println!("{} {} {time:.1?}: {answer:?}", numbers.name(), strategy.name());
                    }
                    println!("{} own runs: {:?}\n", numbers.name(), judgement.separated);
                }
                if let Some(wrong) = judgement.wrong.first() {
                    report = describe(plan, &case, number, &judgement, wrong);
                }
            }
        }
        if plan.loud && !report.is_empty() {
            println!("{report}");
        }
    }
}

impl Summary {
    fn refuse(&mut self, number: u64, case: &Case, refusal: &Refusal, report: &mut String) {
        self.refused += 1;
        match refusal {
            Refusal::Broken(what) => {
                self.wrong += 1;
                *report = format!("A FRONT END BROKE: {what}\n{}", show_case(case, number));
            }
            // A mutant need not be a program, but a rewritten program is one.
            Refusal::Complaint(complaint) if case.is_kept() => {
                self.first_refused.get_or_insert((number, complaint.clone()));
            }
            Refusal::Complaint(_) => {}
        }
    }

    fn count(&mut self, case: &Case, judgement: &Judgement) {
        self.pairs += 1;
        self.separated += u64::from(judgement.separated.is_some());
        self.wrong += u64::from(!judgement.wrong.is_empty());
        for (strategy, answer, time) in &judgement.answers {
            let is_wrong = judgement.wrong.iter().any(|wrong| wrong.strategy == Some(*strategy));
            let counts = self.strategies.entry((strategy.name(), judgement.numbers.name())).or_default();
            counts.add(answer, is_wrong, *time);
        }
        // For each kind of change: what the first strategy, usually `auto`, made of it.
        if let Some((_, answer, time)) = judgement.answers.first() {
            for change in case.rewrites.iter().chain(&case.mutations) {
                self.changes.entry(change).or_default().add(answer, !judgement.wrong.is_empty(), *time);
            }
        }
    }

    /// The tables.
    pub(crate) fn show(&self, first: Option<Strategy>) -> String {
        let mut text = format!(
            "{} judgements, {} separated by runs, {} refused by a front end, {} wrong\n",
            self.pairs, self.separated, self.refused, self.wrong
        );
        if let Some((number, complaint)) = &self.first_refused {
            text += &format!("a rewritten program was refused: number {number}: {complaint}\n");
        }
        text += &header("strategy");
        for ((strategy, numbers), counts) in &self.strategies {
            text += &counts.row(&format!("{strategy} {numbers}"));
        }
        if let Some(first) = first {
            text += &header(&format!("change (answers of {})", first.name()));
            for (change, counts) in &self.changes {
                text += &counts.row(change);
            }
        }
        text
    }
}

fn header(title: &str) -> String {
    format!(
        "\n{title:32} {:>10} {:>10} {:>10} {:>6} {:>9}\n",
        "equivalent", "different", "unknown", "wrong", "mean"
    )
}

impl Counts {
    fn add(&mut self, answer: &Answer, is_wrong: bool, time: Duration) {
        match answer {
            Answer::Equivalent(_) => self.equivalent += 1,
            Answer::Different(_) => self.different += 1,
            Answer::Unknown(_) | Answer::Panicked(_) => self.unknown += 1,
        }
        self.wrong += u64::from(is_wrong);
        self.time += time;
    }

    fn row(&self, title: &str) -> String {
        let all = (self.equivalent + self.different + self.unknown).max(1);
        let mean = self.time.as_secs_f64() * 1000.0 / all as f64;
        format!(
            "{title:32} {:>10} {:>10} {:>10} {:>6} {mean:>6.1} ms\n",
            self.equivalent, self.different, self.unknown, self.wrong
        )
    }
}

fn progress(plan: &Plan, summary: &Mutex<Summary>, started: Instant) {
    if !plan.loud || !std::io::stderr().is_terminal() {
        return;
    }
    let counted = summary.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let models = if plan.alternate { 1 } else { plan.numbers.len() as u64 };
    let all = plan.pairs * models;
    let rate = counted.pairs as f64 / started.elapsed().as_secs_f64().max(0.001);
    eprint!("\r{} of {all}, {rate:.0} a second, {} wrong ", counted.pairs, counted.wrong);
    let _ = std::io::stderr().flush();
}

fn show_case(case: &Case, number: u64) -> String {
    let overflow = if case.overflow_fails { ", overflow undefined" } else { "" };
    format!(
        "number {number} ({}{overflow}), rewrites {:?}, mutations {:?}\n--- old\n{}--- new\n{}",
        case.language.name(),
        case.rewrites,
        case.mutations,
        case.texts.old,
        case.texts.new
    )
}

fn describe(plan: &Plan, case: &Case, number: u64, judgement: &Judgement, first: &Wrong) -> String {
    let mut text = format!("WRONG ({} numbers) {}", judgement.numbers.name(), show_case(case, number));
    for wrong in &judgement.wrong {
        let who = wrong.strategy.map_or("our own runs", Strategy::name);
        text += &format!("{who}: {:?}: {}\n", wrong.kind, wrong.evidence);
    }
    if plan.minimise {
        let smaller = minimise::minimise(case, judgement.numbers, first, &plan.questions);
        text += &format!("--- minimised old\n{}--- minimised new\n{}", smaller.texts.old, smaller.texts.new);
    }
    text
}
