//! Spreads the pairs over worker processes, and makes sure that each pair gets an answer in time.
//!
//! A worker that hangs is killed at the deadline of its pair, one that dies costs its pair the verdict;
//! the remaining pairs go to a fresh worker. The order of the answers is that of the pairs.

mod worker_process;

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use budget::Kill;
use report::{PairHeader, ReasonReport, ReportedConfig, Versions};

use crate::job::Job;
use crate::wire::{Answer, Listing, Message, Request};
use worker_process::{Silence, WorkerProcess};

/// How long after its deadline a worker is killed. It knows its deadline and should answer by itself.
const GRACE: Duration = Duration::from_millis(300);
/// How long the sources of folders may be read: the time that is asked for is that of pairs.
const READING: Duration = Duration::from_secs(600);
/// After so many workers in a row that could not even start, the other pairs are given up.
const MAX_FAILED_STARTS: u32 = 3;

/// How much of the machine there is for a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    /// How many pairs are checked at the same time, at the most.
    pub(crate) jobs: usize,
    pub(crate) cores: usize,
}

impl Machine {
    /// The number of cores; one if that is not to be known.
    pub(crate) fn cores() -> usize {
        thread::available_parallelism().map_or(1, NonZero::get)
    }

    /// The threads for each of some pairs: a single pair gets all cores.
    fn threads(self, pairs: usize) -> NonZero<usize> {
        let at_a_time = self.jobs.min(pairs).max(1);
        NonZero::new(self.cores / at_a_time).unwrap_or(NonZero::<usize>::MIN)
    }
}

/// What the workers found out.
pub(crate) struct Supervised {
    pub(crate) listing: Listing,
    pub(crate) answers: Vec<Answer>,
}

/// Checks all pairs of a job. `started` is when the process began: a single pair must be done by then plus its time.
/// Fails with the user's errors.
pub(crate) fn run(
    job: &Job,
    machine: Machine,
    started: Instant,
    on_answer: &(dyn Fn(usize, usize) + Sync),
) -> Result<Supervised, Vec<String>> {
    run_settling(job, machine, started, on_answer, |listing| vec![None; listing.pairs.len()])
}

/// The same where some answers are known as soon as it is known what there is to check.
pub(crate) fn run_settling(
    job: &Job,
    machine: Machine,
    started: Instant,
    on_answer: &(dyn Fn(usize, usize) + Sync),
    settle: impl FnOnce(&Listing) -> Vec<Option<Answer>>,
) -> Result<Supervised, Vec<String>> {
    let time = Duration::from_secs_f64(job.options.seconds);
    let wire = serde_json::to_vec(job).expect("jobs should be plain data");
    let supervisor = Supervisor { wire, job, machine, time, started };
    let (worker, listing) = match supervisor.start(supervisor.read_by(started)) {
        Ok(ready) => ready,
        Err(NotReady::BadInput(messages)) => return Err(messages),
        Err(NotReady::Silent(silence)) => return Ok(supervisor.nothing_read(&silence)),
    };
    let total = listing.pairs.len();
    on_answer(0, total);
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let settled = settle(&listing);
    let is_settled: Vec<bool> = settled.iter().map(Option::is_some).collect();
    let answers = Mutex::new(settled);
    let serve = |worker: Option<WorkerProcess>| {
        let mut slot = Slot { supervisor: &supervisor, worker, failed_starts: 0 };
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= total {
                break;
            }
            if is_settled[index] {
                on_answer(done.fetch_add(1, Ordering::Relaxed) + 1, total);
                continue;
            }
            let answer = slot.check(index, &listing.pairs);
            answers.lock().expect("no thread should panic while it holds the answers")[index] = Some(answer);
            on_answer(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        }
    };
    thread::scope(|scope| {
        for _ in 1..machine.jobs.min(total) {
            scope.spawn(|| serve(None));
        }
        serve(Some(worker));
    });
    let answers = answers.into_inner().expect("no thread should panic while it holds the answers");
    let answers =
        answers.into_iter().map(|answer| answer.expect("each pair should have been answered")).collect();
    Ok(Supervised { listing, answers })
}

struct Supervisor<'a> {
    wire: Vec<u8>,
    job: &'a Job,
    machine: Machine,
    time: Duration,
    started: Instant,
}

/// Why a new worker has no pairs to offer.
enum NotReady {
    BadInput(Vec<String>),
    Silent(Silence),
}

impl Supervisor<'_> {
    /// Starts a worker and waits until it has read the sources.
    fn start(&self, deadline: Instant) -> Result<(WorkerProcess, Listing), NotReady> {
        let mut worker = WorkerProcess::start(&self.wire)
            .map_err(|error| NotReady::Silent(Silence::Died(format!("no worker can be started: {error}"))))?;
        match worker.receive(deadline) {
            Ok(Message::Listed(listing)) => Ok((worker, listing)),
            Ok(Message::BadInput(messages)) => Err(NotReady::BadInput(messages)),
            Ok(Message::Broken(what)) => Err(NotReady::Silent(Silence::Died(what))),
            Ok(Message::Answered(_)) => {
                Err(NotReady::Silent(Silence::Died("a worker answered before it was asked".to_owned())))
            }
            Err(silence) => Err(NotReady::Silent(silence)),
        }
    }

    /// Whether whole folders are compared: their reading costs no pair its time.
    fn is_folder(&self) -> bool {
        self.job.units.iter().any(|unit| unit.old.tolerant && unit.new.tolerant)
    }

    /// When a worker that starts now should have read the sources.
    fn read_by(&self, start: Instant) -> Instant {
        start + GRACE + if self.is_folder() { self.time.max(READING) } else { self.time }
    }

    fn reported(&self) -> ReportedConfig {
        (&self.job.options.config(Kill::never())).into()
    }

    /// The one answer there is when no worker got as far as listing the pairs.
    fn nothing_read(&self, silence: &Silence) -> Supervised {
        let header = PairHeader {
            function: self.job.options.function.clone().unwrap_or_else(|| "*".to_owned()),
            renamed_from: None,
            language: self.job.units.first().map_or("", |unit| unit.language.name()).to_owned(),
            places: Versions::default(),
        };
        let answer = self.unanswered(header.clone(), silence, self.started.elapsed());
        let listing = Listing { pairs: vec![header], ..Listing::default() };
        Supervised { listing, answers: vec![answer] }
    }

    fn unanswered(&self, header: PairHeader, silence: &Silence, elapsed: Duration) -> Answer {
        let reason = match silence {
            Silence::TimedOut => ReasonReport::timeout(),
            Silence::OutOfMemory => ReasonReport::memory(),
            Silence::Killed(signal) => ReasonReport::killed(signal),
            Silence::Died(what) => ReasonReport::internal(what),
        };
        let seconds = (elapsed.as_secs_f64() * 1000.0).round() / 1000.0;
        let report = header.unknown(vec![reason], self.reported(), seconds);
        Answer::only(report)
    }
}

/// One of the places where a worker runs.
struct Slot<'a> {
    supervisor: &'a Supervisor<'a>,
    worker: Option<WorkerProcess>,
    failed_starts: u32,
}

impl Slot<'_> {
    fn check(&mut self, index: usize, headers: &[PairHeader]) -> Answer {
        let supervisor = self.supervisor;
        let start = Instant::now();
        let silence = match self.ask(index, headers.len()) {
            Ok(answer) => return answer,
            Err(silence) => silence,
        };
        self.worker = None;
        supervisor.unanswered(headers[index].clone(), &silence, start.elapsed())
    }

    fn ask(&mut self, index: usize, pairs: usize) -> Result<Answer, Silence> {
        let supervisor = self.supervisor;
        let worker = self.ready(pairs)?;
        // A single pair shares its time with the reading of the sources, so that the whole process stops in time.
        let deadline = match pairs {
            1 if !supervisor.is_folder() => supervisor.started + supervisor.time,
            _ => Instant::now() + supervisor.time,
        };
        let left = deadline.saturating_duration_since(Instant::now());
        // The worker is given a little less, for the way back.
        let margin = (supervisor.time / 20).min(Duration::from_millis(200));
        let seconds = left.saturating_sub(margin).as_secs_f64();
        worker.ask(&Request { pair: index, seconds, threads: supervisor.machine.threads(pairs) });
        match worker.receive(deadline + GRACE)? {
            Message::Answered(answer) => Ok(*answer),
            Message::Listed(_) | Message::BadInput(_) | Message::Broken(_) => {
                Err(Silence::Died("a worker did not answer the question".to_owned()))
            }
        }
    }

    /// The worker of this slot, or a fresh one.
    fn ready(&mut self, pairs: usize) -> Result<&mut WorkerProcess, Silence> {
        if self.worker.is_none() {
            if self.failed_starts >= MAX_FAILED_STARTS {
                return Err(Silence::Died("no worker could be started any more".to_owned()));
            }
            let supervisor = self.supervisor;
            match supervisor.start(supervisor.read_by(Instant::now())) {
                Ok((worker, listing)) if listing.pairs.len() == pairs => {
                    self.failed_starts = 0;
                    self.worker = Some(worker);
                }
                Ok(_) | Err(NotReady::BadInput(_)) => {
                    self.failed_starts += 1;
                    return Err(Silence::Died("two workers read the same sources differently".to_owned()));
                }
                Err(NotReady::Silent(silence)) => {
                    self.failed_starts += 1;
                    return Err(silence);
                }
            }
        }
        Ok(self.worker.as_mut().expect("the slot should have a worker now"))
    }
}
