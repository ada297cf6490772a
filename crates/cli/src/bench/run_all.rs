//! All runs, several at a time. The order of the records is that of the pairs, whatever was finished first.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use report::bench::{RunRecord, Score};

use super::log::{Key, Log};
use super::run_one::Plan;

/// Every pair with every strategy: a list for each pair, in the order of the strategies.
pub(crate) fn run_all(plan: &Plan<'_>, log: &Log, jobs: usize) -> Result<Vec<Vec<RunRecord>>> {
    let strategies = plan.strategies.len();
    let total = plan.cases.len() * strategies;
    let keys: Vec<Key> = (0..total)
        .map(|index| {
            let chosen = &plan.cases[index / strategies];
            let strategy = &plan.strategies[index % strategies];
            log.key(chosen, &plan.options(chosen, strategy))
        })
        .collect();
    let records: Vec<Option<RunRecord>> = keys.iter().map(|key| log.finished(key)).collect();
    let missing: Vec<usize> = (0..total).filter(|index| records[*index].is_none()).collect();
    if missing.len() < total {
        eprintln!("selfsame: {} of {total} runs were finished before", total - missing.len());
    }
    let records = Mutex::new(records);
    let failure = Mutex::new(None);
    let next = AtomicUsize::new(0);
    let bar = progress_bar(missing.len());
    let serve = || {
        while held(&failure).is_none() {
            let Some(index) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let (chosen, strategy) = (&plan.cases[index / strategies], &plan.strategies[index % strategies]);
            let record = plan.run(chosen, strategy);
            if let Err(error) = log.append(&keys[*index], chosen, &plan.options(chosen, strategy), &record) {
                *held(&failure) = Some(error);
            }
            if record.score(chosen.label) == Score::Wrong {
                let (name, label) = (chosen.case.full_name(), chosen.label.name());
                bar.suspend(|| {
                    eprintln!("selfsame: WRONG, or a wrong label: {name} ({label}) with {strategy}")
                });
            }
            held(&records)[*index] = Some(record);
            bar.inc(1);
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs.min(missing.len()) {
            scope.spawn(serve);
        }
        serve();
    });
    bar.finish_and_clear();
    if let Some(error) = held(&failure).take() {
        return Err(error).context("a finished run cannot be kept");
    }
    let records: Vec<RunRecord> = std::mem::take(&mut *held(&records))
        .into_iter()
        .map(|record| record.expect("each run should have been made"))
        .collect();
    Ok(records.chunks(strategies).map(<[RunRecord]>::to_vec).collect())
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no thread should panic while it holds results")
}

/// On standard error, at a terminal; silent elsewhere.
fn progress_bar(total: usize) -> ProgressBar {
    let bar = ProgressBar::new(total as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} runs, {elapsed} gone, {eta} left")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
