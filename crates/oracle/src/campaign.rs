//! Runs many programs in both worlds and keeps what they disagree about.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Result, bail};
use arbitrary_source::program::{GeneratedProgram, ProgramInput};
use arbitrary_source::{Language, c_generator, java_generator};

use super::c_runner::Checks;
use super::minimise::minimise;
use super::ours::{self, Ours};
use super::real::RealRuns;
use super::{c_runner, java_runner};

/// What a campaign is to do.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) language: Language,
    pub(crate) programs: u64,
    pub(crate) inputs: usize,
    pub(crate) seed: u64,
    pub(crate) first: u64,
    pub(crate) jobs: usize,
    /// C is compiled so that what has no meaning ends the run: do we and the compiler mean the same by it?
    pub(crate) sanitize: bool,
    /// How many disagreements are cut down to small programs.
    pub(crate) minimised: usize,
    /// Where disagreements are written to.
    pub(crate) folder: PathBuf,
}

/// A program and an input on which we and the language say different things.
#[derive(Clone, Debug)]
pub(crate) struct Disagreement {
    pub(crate) program: GeneratedProgram,
    pub(crate) input: ProgramInput,
    pub(crate) ours: String,
    pub(crate) real: String,
}

/// How programs are run for real.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum World {
    Java,
    C,
    /// C, with everything that has no meaning noticed.
    SanitizedC,
}

impl Plan {
    pub(super) fn world(&self) -> World {
        match self.language {
            Language::Java => World::Java,
            Language::C if self.sanitize => World::SanitizedC,
            Language::C => World::C,
        }
    }
}

impl World {
    fn run(self, programs: &[(&GeneratedProgram, Vec<&ProgramInput>)], scratch: &Path) -> Result<RealRuns> {
        match self {
            World::Java => java_runner::run(programs, scratch),
            World::C => c_runner::run(programs, scratch, Checks::None),
            World::SanitizedC => c_runner::run(programs, scratch, Checks::All),
        }
    }
}

/// What a campaign found.
#[derive(Default)]
struct Tally {
    programs: u64,
    compared: u64,
    /// Runs that were not compared, by reason.
    skipped: BTreeMap<String, u64>,
    rejected: Vec<(String, String)>,
    disagreements: Vec<Disagreement>,
}

/// How many programs are compiled together.
const BATCH: u64 = 250;

/// Runs the campaign; an error if there were disagreements.
pub(crate) fn run(plan: &Plan) -> Result<()> {
    let start = Instant::now();
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(0);
    let scratch = std::env::temp_dir().join(format!("selfsame-oracle-{}", std::process::id()));
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for job in 0..plan.jobs {
            let (tally, next, failure) = (&tally, &next, &failure);
            let scratch = scratch.join(job.to_string());
            scope.spawn(move || {
                loop {
                    let offset = next.fetch_add(BATCH, Ordering::Relaxed);
                    if offset >= plan.programs || failure.lock().expect("no thread should panic").is_some() {
                        return;
                    }
                    let numbers = plan.first + offset..plan.first + (offset + BATCH).min(plan.programs);
                    match batch(plan, numbers, &scratch) {
                        Ok(found) => {
                            let mut tally = tally.lock().expect("no thread should panic");
                            tally.add(found);
                            progress(&tally, plan, start);
                        }
                        Err(error) => *failure.lock().expect("no thread should panic") = Some(error),
                    }
                }
            });
        }
    });
    if let Some(error) = failure.into_inner().expect("no thread should panic") {
        return Err(error);
    }
    let tally = tally.into_inner().expect("no thread should panic");
    let result = finish(plan, &tally, &scratch, start);
    fs::remove_dir_all(&scratch).ok();
    result
}

fn progress(tally: &Tally, plan: &Plan, start: Instant) {
    eprintln!(
        "{} of {} programs, {} runs compared, {} disagreements, {:.0} s",
        tally.programs,
        plan.programs,
        tally.compared,
        tally.disagreements.len(),
        start.elapsed().as_secs_f64()
    );
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.programs += other.programs;
        self.compared += other.compared;
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        self.rejected.extend(other.rejected);
        self.disagreements.extend(other.disagreements);
    }

    fn skip(&mut self, reason: String) {
        *self.skipped.entry(reason).or_default() += 1;
    }
}

/// Makes and compares some programs.
fn batch(plan: &Plan, numbers: std::ops::Range<u64>, scratch: &Path) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut work: Vec<(GeneratedProgram, Vec<(ProgramInput, Ours)>)> = Vec::new();
    for number in numbers {
        let program = match plan.language {
            Language::Java => java_generator::generate(plan.seed, number),
            Language::C => c_generator::generate(plan.seed, number),
        };
        tally.programs += 1;
        let inputs = program.inputs(plan.seed, number, plan.inputs);
        work.push((program.clone(), say(plan.language, &program, inputs)));
    }
    for (program, runs) in compare(plan.world(), work, scratch, &mut tally.rejected)? {
        for (input, ours, real) in runs {
            match judge(plan.world(), &ours, &real) {
                Judgement::Agree => tally.compared += 1,
                Judgement::Skip(reason) => tally.skip(reason),
                Judgement::Disagree(ours) => {
                    tally.compared += 1;
                    // One input shows the disagreement; more of them would only repeat it.
                    if tally.disagreements.last().is_none_or(|last| last.program.name != program.name) {
                        tally.disagreements.push(Disagreement {
                            program: program.clone(),
                            input,
                            ours,
                            real,
                        });
                    }
                }
            }
        }
    }
    Ok(tally)
}

/// What we say of a program on inputs.
pub(super) fn say(
    language: Language,
    program: &GeneratedProgram,
    inputs: Vec<ProgramInput>,
) -> Vec<(ProgramInput, Ours)> {
    match ours::prepare(language, program) {
        Ok(prepared) => inputs
            .into_iter()
            .map(|mut input| {
                prepared.fix_constants(&mut input);
                let said = prepared.run(&input);
                (input, said)
            })
            .collect(),
        Err(problem) => {
            inputs.into_iter().take(1).map(|input| (input, Ours::Observed(problem.clone()))).collect()
        }
    }
}

type Compared = Vec<(GeneratedProgram, Vec<(ProgramInput, Ours, String)>)>;

/// Runs programs for real, on the inputs that say something about the language.
pub(super) fn compare(
    world: World,
    work: Vec<(GeneratedProgram, Vec<(ProgramInput, Ours)>)>,
    scratch: &Path,
    rejected: &mut Vec<(String, String)>,
) -> Result<Compared> {
    if scratch.exists() {
        fs::remove_dir_all(scratch)?;
    }
    let is_run = |ours: &Ours| !matches!(ours, Ours::Skipped(_));
    let programs: Vec<(&GeneratedProgram, Vec<&ProgramInput>)> = work
        .iter()
        .map(|(program, runs)| {
            (program, runs.iter().filter(|(_, ours)| is_run(ours)).map(|(input, _)| input).collect())
        })
        .collect();
    let mut real = world.run(&programs, scratch)?;
    if world == World::C {
        excuse_folded_divisions(&programs, &mut real, scratch)?;
    }
    rejected.extend(real.rejected);
    let mut compared = Vec::new();
    for ((program, runs), results) in work.into_iter().zip(real.results) {
        let was_rejected = results.is_empty();
        let mut results = results.into_iter();
        let joined = runs.into_iter().filter_map(|(input, ours)| {
            let result = if is_run(&ours) { results.next() } else { Some(String::new()) };
            result.map(|result| (input, ours, result))
        });
        let joined: Vec<_> = joined.collect();
        if !was_rejected || joined.iter().all(|(_, ours, _)| !is_run(ours)) {
            compared.push((program, joined));
        }
    }
    Ok(compared)
}

/// gcc rewrites `~(a / b)` and its like into divisions by `-b`, which trap for the smallest number although the
/// program has a meaning. A division by zero shows when it is checked; these do not, and are marked.
fn excuse_folded_divisions(
    programs: &[(&GeneratedProgram, Vec<&ProgramInput>)],
    real: &mut RealRuns,
    scratch: &Path,
) -> Result<()> {
    const TRAP: &str = "crashed SIGFPE";
    let trapped = |index: &usize| real.results[*index].iter().any(|result| result == TRAP);
    let suspects: Vec<usize> = (0..programs.len()).filter(trapped).collect();
    let again: Vec<_> =
        suspects.iter().map(|index| (programs[*index].0, programs[*index].1.clone())).collect();
    if again.is_empty() {
        return Ok(());
    }
    let checked = c_runner::run(&again, scratch, Checks::Division)?;
    for (index, results) in suspects.into_iter().zip(checked.results) {
        for (result, checked) in real.results[index].iter_mut().zip(results) {
            if result == TRAP && checked != "crashed SIGILL" {
                FOLDED.clone_into(result);
            }
        }
    }
    Ok(())
}

/// What stands for a trap of the compiler's own making.
const FOLDED: &str = "crashed, because of the compiler";

pub(super) enum Judgement {
    Agree,
    Skip(String),
    /// With what we say.
    Disagree(String),
}

/// Compares what we say with what happened.
pub(super) fn judge(world: World, ours: &Ours, real: &str) -> Judgement {
    let crashed = real.starts_with("crashed");
    match ours {
        Ours::Observed(_) if real == FOLDED => {
            Judgement::Skip("the compiler made a trap of a division".to_owned())
        }
        Ours::Observed(line) if line == real => Judgement::Agree,
        Ours::Observed(line) => Judgement::Disagree(line.clone()),
        Ours::Skipped(reason) => Judgement::Skip(reason.clone()),
        Ours::Undefined(error) if world == World::SanitizedC && !crashed => {
            Judgement::Disagree(format!("failed {error}"))
        }
        Ours::Undefined(_) if world == World::SanitizedC => Judgement::Agree,
        // The processor may trap, or the compiler may have made something of it that does not.
        Ours::Undefined(error) if crashed => Judgement::Skip(format!("undefined, and crashed: {error}")),
        Ours::Undefined(error) => Judgement::Skip(format!("undefined: {error}")),
    }
}

fn finish(plan: &Plan, tally: &Tally, scratch: &Path, start: Instant) -> Result<()> {
    let mut reasons: Vec<(&String, &u64)> = tally.skipped.iter().collect();
    reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), (*reason).clone()));
    println!("Not compared, by reason:");
    for (reason, count) in reasons.iter().take(40) {
        println!("{count:>8}  {reason}");
    }
    for (name, complaint) in tally.rejected.iter().take(10) {
        println!("The compiler rejects {name}: {complaint}");
    }
    fs::remove_dir_all(&plan.folder).ok();
    for (index, disagreement) in tally.disagreements.iter().enumerate() {
        let small = match index < plan.minimised {
            true => minimise(plan, disagreement, scratch)?,
            false => disagreement.clone(),
        };
        write(plan, index, disagreement, &small)?;
    }
    println!(
        "{} {} programs, {} runs compared, {} not compared, {} programs rejected by the compiler, {:.0} s",
        tally.programs,
        plan.language.name(),
        tally.compared,
        tally.skipped.values().sum::<u64>(),
        tally.rejected.len(),
        start.elapsed().as_secs_f64()
    );
    if !tally.disagreements.is_empty() {
        bail!("{} disagreements, written to {}", tally.disagreements.len(), plan.folder.display());
    }
    println!("No disagreement.");
    Ok(())
}

/// Writes a disagreement where a person can look at it.
fn write(plan: &Plan, index: usize, whole: &Disagreement, small: &Disagreement) -> Result<()> {
    let folder = plan.folder.join(format!("{:03}-{}", index, whole.program.name));
    fs::create_dir_all(&folder)?;
    let extension = plan.language.name();
    fs::write(folder.join(format!("{}.{extension}", whole.program.name)), &whole.program.text)?;
    let report = format!(
        "{}\n// input: {}\n// ours: {}\n// real: {}\n// seed {} program {}\n",
        small.program.text,
        small.input.words(),
        small.ours,
        small.real,
        plan.seed,
        whole.program.name
    );
    fs::write(folder.join(format!("small.{extension}.txt")), &report)?;
    println!("--- disagreement {index}\n{report}");
    Ok(())
}
