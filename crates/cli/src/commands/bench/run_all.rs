//! All runs, several at a time. The order of the records is that of the pairs, whatever was finished first.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;

use anyhow::{Context, Result};
use report::Breakdown;
use report::bench::{RunRecord, Score};

use super::choose::ChosenCase;
use super::log::{Key, Log};
use super::progress::Progress;
use super::run_one::Plan;

/// Every pair with every strategy, as often as asked: for each pair, for each strategy, its runs.
pub(crate) fn run_all(plan: &Plan<'_>, log: &Log, jobs: usize) -> Result<Vec<Vec<Vec<RunRecord>>>> {
    let runs = all_runs(plan);
    let key = |run: &Run<'_>| log.key(run.chosen, &plan.options(run.chosen, run.strategy), run.repetition);
    let keys: Vec<Key> = runs.iter().map(key).collect();
    let records: Vec<Option<RunRecord>> = keys.iter().map(|key| log.finished(key)).collect();
    let missing: Vec<usize> = (0..runs.len()).filter(|index| records[*index].is_none()).collect();
    let finished = runs.len() - missing.len();
    if finished > 0 {
        eprintln!("selfsame: {finished} of {} runs were finished before", runs.len());
    }
    let records = Mutex::new(records);
    let failure = Mutex::new(None);
    let next = AtomicUsize::new(0);
    let progress = Progress::start(finished, runs.len());
    progress.watch_for_interrupts(plan.arguments.out.clone());
    let serve = || {
        while held(&failure).is_none() {
            let Some(index) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let Run { chosen, strategy, repetition } = runs[*index];
            let record = plan.run(chosen, strategy);
            // A run that was killed from outside says nothing about the pair: it is made again after `--resume`.
            if record.breakdown != Some(Breakdown::Killed) {
                let options = plan.options(chosen, strategy);
                if let Err(error) = log.append(&keys[*index], chosen, &options, repetition, &record) {
                    *held(&failure) = Some(error);
                }
            }
            tell(&progress, chosen, strategy, &record);
            held(&records)[*index] = Some(record);
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs.min(missing.len()) {
            scope.spawn(serve);
        }
        serve();
    });
    progress.finish();
    if let Some(error) = held(&failure).take() {
        return Err(error).context("a finished run cannot be kept");
    }
    let records = std::mem::take(&mut *held(&records));
    Ok(arranged(plan, records))
}

/// A pair with a strategy, for the so-manieth time.
struct Run<'a> {
    chosen: &'a ChosenCase,
    strategy: &'a str,
    repetition: u32,
}

/// In the order in which they start: all of them once, then again, so that a busy minute does not hit one pair alone.
fn all_runs<'a>(plan: &'a Plan<'_>) -> Vec<Run<'a>> {
    let mut runs = Vec::new();
    for repetition in 1..=plan.arguments.repeat {
        for chosen in &plan.cases {
            for strategy in &plan.strategies {
                runs.push(Run { chosen, strategy, repetition });
            }
        }
    }
    runs
}

/// The records by pair and strategy.
fn arranged(plan: &Plan<'_>, records: Vec<Option<RunRecord>>) -> Vec<Vec<Vec<RunRecord>>> {
    let strategies = plan.strategies.len();
    let mut by_case = vec![vec![Vec::new(); strategies]; plan.cases.len()];
    let a_round = plan.cases.len() * strategies;
    for (index, record) in records.into_iter().enumerate() {
        let in_round = index % a_round;
        let record = record.expect("each run should have been made");
        by_case[in_round / strategies][in_round % strategies].push(record);
    }
    by_case
}

fn tell(progress: &Progress, chosen: &ChosenCase, strategy: &str, record: &RunRecord) {
    let (name, label) = (chosen.case.full_name(), chosen.label.name());
    let score = record.score(chosen.label);
    let time = match record.breakdown {
        Some(Breakdown::NotRun) => "not run".to_owned(),
        Some(Breakdown::Bug | Breakdown::Killed) | None => format!("{:.3} s", record.seconds),
    };
    progress.done(&format!("{name} with {strategy}: {}, {time}", score.name()));
    match score {
        Score::Wrong => progress.say(&format!("WRONG, or a wrong label: {name} ({label}) with {strategy}")),
        Score::Crash if record.breakdown.is_some() => {
            progress.say(&format!("CRASH: {name} with {strategy}: {}", record.detail));
        }
        Score::Crash | Score::Solved | Score::Bounded | Score::Unknown => {}
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no thread should panic while it holds results")
}
