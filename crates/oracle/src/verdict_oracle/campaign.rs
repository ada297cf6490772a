//! Makes pairs, asks selfsame, and has those that it proves run for real, batch by batch.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use arbitrary_source::Choices;
use arbitrary_source::Language;
use arbitrary_source::shrink::without_lines;
use check::Strategy;
use fuzz::case::{Case, Refusal, lower};
use fuzz::judge::{Answer, Questions, ask, config, separate};
use fuzz::panics;
use fuzz::twins::{self, Alike};
use ir::Numbers;
use ir::Pair;

use super::summary::{Answered, Summary};
use super::{Separated, c_driver, java_driver};

/// What a campaign does.
#[derive(Clone)]
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

/// A pair that was said to be *equivalent*.
struct Proved {
    number: u64,
    texts: Pair<String>,
    proof: String,
}

/// Campaigns of fewer pairs are made without knowing which forms are alike.
const WORTH_LEARNING: usize = 1000;

/// How long selfsame may take for two forms of one statement.
const LEARNING: Duration = Duration::from_secs(1);

/// On how many inputs our interpreter runs a pair first.
const OWN_RUNS: usize = 60;

/// The stack of a thread: front ends and engine recurse over nested programs.
const STACK_BYTES: usize = 256 << 20;

/// How many separated pairs are cut down.
const MINIMISED: usize = 10;

/// Runs the campaign and says what was counted.
pub(super) fn run(plan: &Plan) -> Result<Summary> {
    panics::silence();
    let summary = Mutex::new(Summary::default());
    let enough = AtomicBool::new(false);
    let failure = Mutex::new(None);
    let started = Instant::now();
    let alike = alike(plan);
    let makes = Makes { alike, next: AtomicU64::new(plan.first), seen: Mutex::default() };
    std::thread::scope(|scope| {
        for worker in 0..plan.jobs {
            let (summary, makes, enough, failure) = (&summary, &makes, &enough, &failure);
            let work = move || {
                let folder = plan.folder.join(worker.to_string());
                while !enough.load(Ordering::Relaxed) {
                    if let Err(error) = one_batch(plan, &folder, makes, enough, summary, started) {
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

/// Makes pairs that were not there before.
struct Makes {
    alike: Vec<Alike>,
    next: AtomicU64,
    seen: Mutex<BTreeSet<u64>>,
}

impl Makes {
    /// The next pair, with its number.
    fn pair(&self, plan: &Plan) -> (u64, Pair<String>) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let texts = twins::make_of(plan.language, plan.seed, number, &self.alike).texts;
            let mut hasher = DefaultHasher::new();
            (&texts.old, &texts.new).hash(&mut hasher);
            if texts.old != texts.new && lock(&self.seen).insert(hasher.finish()) {
                return (number, texts);
            }
        }
    }
}

/// Forms that selfsame says are *equivalent*: what is made of them is worth running.
fn alike(plan: &Plan) -> Vec<Alike> {
    if plan.pairs < WORTH_LEARNING {
        return Vec::new();
    }
    let patient = Plan { deadline: plan.deadline.max(LEARNING), ..plan.clone() };
    let is_proved = |texts: &Pair<String>| matches!(answer(&patient, texts), Answered::Equivalent(_));
    let found: Vec<Alike> = on_a_deep_stack(|| {
        twins::single(plan.language)
            .filter(|(_, twins)| is_proved(&twins.texts))
            .map(|(alike, _)| alike)
            .collect()
    });
    if plan.loud {
        println!("{} pairs of forms are equivalent", found.len());
    }
    found
}

fn on_a_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let spawned = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let joined = spawned.expect("a thread should start").join();
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Makes pairs until enough of them are proved for a batch, and runs those.
fn one_batch(
    plan: &Plan,
    folder: &Path,
    makes: &Makes,
    enough: &AtomicBool,
    summary: &Mutex<Summary>,
    started: Instant,
) -> Result<()> {
    let mut batch: Vec<Proved> = Vec::new();
    while batch.len() < plan.batch {
        let is_late = started.elapsed() > plan.stop;
        if is_late || lock(summary).equivalent >= plan.pairs {
            enough.store(true, Ordering::Relaxed);
            break;
        }
        let (number, texts) = makes.pair(plan);
        let asked = Instant::now();
        let answer = answer(plan, &texts);
        let time = asked.elapsed();
        let mut counted = lock(summary);
        counted.add_time(&answer, time);
        counted.made += 1;
        match answer {
            Answered::Equivalent(proof) => {
                counted.equivalent += 1;
                batch.push(Proved { number, texts, proof });
            }
            Answered::Different => counted.different += 1,
            Answered::Unknown(reasons) => {
                counted.unknown += 1;
                *counted.reasons.entry(reasons).or_default() += 1;
            }
            Answered::NotAsked => counted.not_asked += 1,
            Answered::Refused => counted.refused += 1,
            Answered::Broken(what) => {
                counted.broken += 1;
                if plan.loud {
                    println!("BROKEN pair {number}: {what}\n--- old\n{}--- new\n{}", texts.old, texts.new);
                }
            }
        }
    }
    judge(plan, folder, batch, summary)?;
    if plan.loud {
        println!("go on with --first {}", makes.next.load(Ordering::Relaxed));
    }
    Ok(())
}

/// What selfsame says about the pair.
fn answer(plan: &Plan, texts: &Pair<String>) -> Answered {
    let twins = twins::Twins { language: plan.language, texts: texts.clone() };
    let case = Case::of_twins(&twins);
    let lowered = match lower(&case) {
        Ok(lowered) => lowered,
        Err(Refusal::Broken(what)) => return Answered::Broken(what),
        Err(Refusal::Complaint(_)) => return Answered::Refused,
    };
    let questions = Questions {
        strategies: Vec::new(),
        solver: plan.solver.clone(),
        deadline: plan.deadline,
        inputs: OWN_RUNS,
        bound: 5,
        only_separated: false,
        total: false,
        pair_threads: std::num::NonZero::<usize>::MIN,
    };
    // What our own runs separate is for `fuzz-verdicts`.
    let mut choices = Choices::new(plan.seed, 0);
    if separate(&lowered, Numbers::Machine, &questions, &mut choices).is_some() {
        return Answered::NotAsked;
    }
    match ask(&lowered, Strategy::Auto, Numbers::Machine, &questions) {
        // What happens at the start is a pair of its own, which is run as well.
        Answer::Equivalent(_)
            if !lowered.starts_alike(&config(Strategy::Auto, Numbers::Machine, &questions)) =>
        {
            Answered::Different
        }
        Answer::Equivalent(proof) => Answered::Equivalent(proof),
        Answer::Different(_) => Answered::Different,
        Answer::Unknown(reasons) => Answered::Unknown(reasons),
        Answer::Panicked(what) => Answered::Broken(what),
    }
}

fn judge(plan: &Plan, folder: &Path, batch: Vec<Proved>, summary: &Mutex<Summary>) -> Result<()> {
    if batch.is_empty() {
        return Ok(());
    }
    let pairs: Vec<_> = batch.iter().map(|one| one.texts.clone()).enumerate().collect();
    let started = Instant::now();
    let (separated, refused) = for_real(plan, folder, &pairs)?;
    let mut counted = lock(summary);
    counted.running += started.elapsed();
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
