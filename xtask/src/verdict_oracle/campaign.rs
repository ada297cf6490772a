//! Makes pairs, asks selfsame, and has those that it proves run for real, batch by batch.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use check::{Numbers, Strategy};
use ir::Pair;

use super::{Separated, c_driver, java_driver};
use crate::fuzz_verdicts::case::{Case, Refusal, lower};
use crate::fuzz_verdicts::judge::{Answer, Questions, ask};
use crate::fuzz_verdicts::panics;
use crate::oracle::Language;
use crate::oracle::minimise::without_lines;
use crate::twins;

/// What a campaign does.
pub(super) struct Plan {
    pub(super) language: Language,
    pub(super) pairs: usize,
    pub(super) seed: u64,
    pub(super) first: u64,
    pub(super) inputs: u64,
    pub(super) deadline: Duration,
    pub(super) batch: usize,
    pub(super) jobs: usize,
    pub(super) stop: Duration,
    pub(super) solver: Option<PathBuf>,
    pub(super) folder: PathBuf,
    pub(super) loud: bool,
}

/// Everything that was counted.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) made: usize,
    pub(super) equivalent: usize,
    pub(super) different: usize,
    pub(super) unknown: usize,
    /// By a front end, or by the compiler.
    pub(super) refused: usize,
    pub(super) broken: usize,
    pub(super) judged: usize,
    pub(super) separated: usize,
}

impl Summary {
    pub(super) fn show(&self) -> String {
        format!(
            "{} pairs: {} different, {} equivalent, {} unknown, {} refused, {} broken; {} equivalent ones run for real, \
             {} separated",
            self.made,
            self.different,
            self.equivalent,
            self.unknown,
            self.refused,
            self.broken,
            self.judged,
            self.separated
        )
    }
}

/// A pair that was said to be *equivalent*.
struct Proved {
    number: u64,
    texts: Pair<String>,
    proof: String,
}

/// The stack of a thread: front ends and engine recurse over nested programs.
const STACK_BYTES: usize = 256 << 20;

/// How many separated pairs are cut down.
const MINIMISED: usize = 10;

/// Runs the campaign and says what was counted.
pub(super) fn run(plan: &Plan) -> Result<Summary> {
    panics::silence();
    let summary = Mutex::new(Summary::default());
    let next = AtomicU64::new(plan.first);
    let enough = AtomicBool::new(false);
    let failure = Mutex::new(None);
    let started = Instant::now();
    std::thread::scope(|scope| {
        for worker in 0..plan.jobs {
            let (summary, next, enough, failure) = (&summary, &next, &enough, &failure);
            let work = move || {
                let folder = plan.folder.join(worker.to_string());
                while !enough.load(Ordering::Relaxed) {
                    if let Err(error) = one_batch(plan, &folder, next, enough, summary, started) {
                        *lock(failure) = Some(error);
                        enough.store(true, Ordering::Relaxed);
                    }
                }
            };
            let spawned = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
            spawned.expect("a thread should start");
        }
    });
    match failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Makes pairs until enough of them are proved for a batch, and runs those.
fn one_batch(
    plan: &Plan,
    folder: &Path,
    next: &AtomicU64,
    enough: &AtomicBool,
    summary: &Mutex<Summary>,
    started: Instant,
) -> Result<()> {
    let mut batch: Vec<Proved> = Vec::new();
    while batch.len() < plan.batch {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let is_late = started.elapsed() > plan.stop;
        if is_late || lock(summary).equivalent >= plan.pairs {
            enough.store(true, Ordering::Relaxed);
            break;
        }
        let twins = twins::make(plan.language, plan.seed, number);
        if twins.texts.old == twins.texts.new {
            continue;
        }
        let answer = answer(plan, &twins.texts);
        let mut counted = lock(summary);
        counted.made += 1;
        match answer {
            Answered::Equivalent(proof) => {
                counted.equivalent += 1;
                batch.push(Proved { number, texts: twins.texts, proof });
            }
            Answered::Different => counted.different += 1,
            Answered::Unknown => counted.unknown += 1,
            Answered::Refused => counted.refused += 1,
            Answered::Broken(what) => {
                counted.broken += 1;
                if plan.loud {
                    println!(
                        "BROKEN pair {number}: {what}\n--- old\n{}--- new\n{}",
                        twins.texts.old, twins.texts.new
                    );
                }
            }
        }
    }
    judge(plan, folder, batch, summary)
}

enum Answered {
    Equivalent(String),
    Different,
    Unknown,
    Refused,
    Broken(String),
}

/// What selfsame says about the pair.
fn answer(plan: &Plan, texts: &Pair<String>) -> Answered {
    let twins = twins::Twins { language: plan.language, texts: texts.clone() };
    let case = Case::of_twins(&twins);
    let lowered = texts.as_ref().map(|text| lower(&case, text));
    let (old, new) = match (lowered.old, lowered.new) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(Refusal::Broken(what)), _) | (_, Err(Refusal::Broken(what))) => return Answered::Broken(what),
        (Err(Refusal::Complaint(_)), _) | (_, Err(Refusal::Complaint(_))) => return Answered::Refused,
    };
    let questions = Questions {
        strategies: Vec::new(),
        solver: plan.solver.clone(),
        deadline: plan.deadline,
        inputs: 0,
        bound: 5,
        only_separated: false,
        total: false,
        pair_threads: std::num::NonZero::<usize>::MIN,
    };
    match ask(&old, &new, Strategy::Auto, Numbers::Machine, &questions) {
        Answer::Equivalent(proof) => Answered::Equivalent(proof),
        Answer::Different(_) => Answered::Different,
        Answer::Unknown(_) => Answered::Unknown,
        Answer::Panicked(what) => Answered::Broken(what),
    }
}

fn judge(plan: &Plan, folder: &Path, batch: Vec<Proved>, summary: &Mutex<Summary>) -> Result<()> {
    if batch.is_empty() {
        return Ok(());
    }
    let pairs: Vec<_> = batch.iter().map(|one| one.texts.clone()).enumerate().collect();
    let (separated, refused) = for_real(plan, folder, &pairs)?;
    let mut counted = lock(summary);
    counted.judged += batch.len() - refused.len();
    counted.refused += refused.len();
    counted.separated += separated.len();
    let minimised = counted.separated <= MINIMISED;
    if plan.loud {
        println!("{}", counted.show());
    }
    drop(counted);
    for one in separated.into_iter().filter(|_| plan.loud) {
        let proved = &batch[one.number];
        let smaller = if minimised {
            minimise(plan, folder, &proved.texts)
        } else {
            (proved.texts.clone(), one.how.clone())
        };
        println!(
            "SEPARATED pair {} (seed {}): {}\n--- old\n{}--- new\n{}--- minimised\n{}---\n{}  {}\n",
            proved.number,
            plan.seed,
            proved.proof,
            proved.texts.old,
            proved.texts.new,
            smaller.0.old,
            smaller.0.new,
            smaller.1
        );
    }
    Ok(())
}

fn for_real(
    plan: &Plan,
    folder: &Path,
    pairs: &[(usize, Pair<String>)],
) -> Result<(Vec<Separated>, Vec<usize>)> {
    fs::create_dir_all(folder)?;
    match plan.language {
        Language::C => c_driver::run(pairs, plan.inputs, folder),
        Language::Java => java_driver::run(pairs, plan.inputs, folder),
    }
}

/// Removes lines from both versions, or from one, while the pair stays proved and separated.
fn minimise(plan: &Plan, folder: &Path, texts: &Pair<String>) -> (Pair<String>, String) {
    let mut best = (texts.clone(), String::new());
    let mut trials = 0;
    let check = |texts: &Pair<String>| -> Option<String> {
        matches!(answer(plan, texts), Answered::Equivalent(_)).then_some(())?;
        let (separated, _) = for_real(plan, folder, &[(0, texts.clone())]).ok()?;
        separated.into_iter().next().map(|one| one.how)
    };
    loop {
        let smaller = smaller(&best.0).into_iter().find_map(|texts| {
            trials += 1;
            (trials < 300).then(|| check(&texts).map(|how| (texts, how)))?
        });
        match smaller {
            Some(smaller) => best = smaller,
            None => {
                if best.1.is_empty() {
                    best.1 = check(&best.0).unwrap_or_default();
                }
                return best;
            }
        }
    }
}

fn smaller(texts: &Pair<String>) -> Vec<Pair<String>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (texts.old.lines().collect(), texts.new.lines().collect());
    let mut list = Vec::new();
    for (index, line) in old.iter().enumerate() {
        for (position, _) in new.iter().enumerate().filter(|(_, other)| *other == line) {
            for (old, new) in without_lines(&old, index).into_iter().zip(without_lines(&new, position)) {
                list.push(Pair::new(old, new));
            }
        }
    }
    list.extend(
        (0..old.len())
            .flat_map(|index| without_lines(&old, index))
            .map(|old| Pair::new(old, texts.new.clone())),
    );
    list.extend(
        (0..new.len())
            .flat_map(|index| without_lines(&new, index))
            .map(|new| Pair::new(texts.old.clone(), new)),
    );
    list
}
