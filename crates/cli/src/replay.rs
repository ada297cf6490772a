//! Runs witnesses on the real thing: a driver is compiled with each version, run, and its report compared with ours.
//!
//! The worker, which has the programs, writes a plan; the parent, which has the sources, carries it out.
//! Agreement adds `java` or `cc` to what confirmed the witness. A disagreement is a bug of ours.

mod c_driver;
mod c_run;
mod expected;
mod java_input;
mod java_run;
mod java_source;
mod names;

use std::collections::BTreeMap;
use std::process::Command;

use check::Subject;
use interp::{Ending, Input, Run, Value};
use ir::Numbers;
use ir::{Language, Pair, Side};
use report::{Versions, WitnessReport};

pub use self::c_run::{DIALECT as C_DIALECT, OBSERVE as C_OBSERVER, RENAMED_MAIN as C_RENAMED_MAIN};
pub use self::java_run::DRIVER as JAVA_DRIVER;
pub use self::java_source::path_of as java_path;
pub use crate::wire::{CEnding, CPlan, Expected, JavaPlan, Plan};

use crate::job::{Job, Unit};
use crate::process::{self, Finished, Limit, Limits};
use crate::wire::Answer;

/// What the real thing said of one version.
enum Said {
    Agrees,
    Disagrees(String),
    Cannot(String),
}

/// Plans the replay of an input on which the interpreter ran both versions. The input has the new names of renamed
/// classes for both.
pub(crate) fn plan(
    pair: Pair<Subject<'_>>,
    input: &Input,
    runs: Pair<&Run>,
    renamed_classes: &[Pair<String>],
    numbers: Numbers,
) -> Plan {
    if numbers == Numbers::Math {
        return Plan::NotPossible("the real machine does not compute with mathematical numbers".to_owned());
    }
    if [runs.old, runs.new].iter().any(|run| run.ending == Ending::Endless) {
        return Plan::NotPossible("a version that does not end cannot be run to its end".to_owned());
    }
    if runs.map(|run| !run.external_calls.is_empty()) != Pair::new(false, false) {
        return Plan::NotPossible("code that is not there is called".to_owned());
    }
    let is_foreign =
        |name: &str| name == ir::OPAQUE || name.starts_with(['?']) || name.starts_with("java.util.");
    if input.objects.iter().any(|object| is_foreign(&object.shape)) {
        return Plan::NotPossible("an object of a class that is not there cannot be made".to_owned());
    }
    if [pair.old, pair.new].into_iter().any(|subject| assumes(subject, |text| text == ir::LEFT_TO_RIGHT)) {
        return Plan::NotPossible(
            "C leaves the order of evaluation open, and the compiler may choose another".to_owned(),
        );
    }
    if [pair.old, pair.new].into_iter().any(|subject| assumes(subject, ir::is_about_compilation)) {
        return Plan::NotPossible("the code says where and when it is compiled".to_owned());
    }
    let is_about_characters = |subject| assumes(subject, |text| text == ir::CHARACTER_TABLES);
    if [pair.old, pair.new].into_iter().any(is_about_characters) && !has_only_characters(input) {
        return Plan::NotPossible("the tables of <ctype.h> have only characters in them".to_owned());
    }
    let names = names::OldNames(renamed_classes);
    let inputs = Pair::new(names.input(input), input.clone());
    let runs = Pair::new(names.run(runs.old), runs.new.clone());
    let sides = pair.zip(inputs.as_ref().zip(runs.as_ref()));
    let planned = match pair.new.program.language {
        Language::Java => sides
            .try_map(|(subject, (input, run))| java_input::plan(subject, input, run))
            .map(|plans| Plan::Java(plans.into())),
        Language::C => sides
            .try_map(|(subject, (input, run))| c_driver::plan(subject, input, run))
            .map(|plans| Plan::C(Box::new(plans.into()))),
    };
    planned.unwrap_or_else(Plan::NotPossible)
}

/// Whether all numbers of an input are characters, signed or not.
fn has_only_characters(input: &Input) -> bool {
    fn is_character(value: &Value) -> bool {
        match value {
            Value::Int(number) => (-128..=255).contains(number),
            Value::Record(fields) => fields.iter().all(is_character),
            _ => true,
        }
    }
    let cells = input.objects.iter().flat_map(|object| &object.cells);
    let values = input.args.iter().chain(input.globals.values()).chain(input.statics.values().flatten());
    values.chain(cells).all(is_character)
}

/// Whether a version takes something of a kind for granted.
fn assumes(subject: Subject<'_>, is_so: impl Fn(&str) -> bool) -> bool {
    let reachable = ir::reachable(subject.program, subject.procedure);
    let mut assumptions = reachable.iter().flat_map(|id| &subject.program.procedure(*id).assumptions);
    assumptions.any(|assumption| is_so(assumption))
}

/// Carries out all plans, and writes into the reports what came of it.
pub(crate) fn run_all(answers: &mut [Answer], job: &Job, originals: &BTreeMap<String, String>) {
    let mut replayer = Replayer { job, originals, builds: Pair::new(None, None) };
    for answer in answers {
        let (Some(plan), Some(witness)) = (&answer.replay, answer.report.witness.as_mut()) else { continue };
        let (runtime, said) = match plan {
            Plan::Java(plans) => {
                let sides = replayer.sides(Language::Java, plans);
                ("java", run_each(sides, plans, |side, plan| replayer.java(side, plan)))
            }
            Plan::C(plans) => {
                let sides = replayer.sides(Language::C, plans);
                ("cc", run_each(sides, plans, |side, plan| replayer.c(side, plan)))
            }
            Plan::NotPossible(why) => ("", Said::Cannot(why.clone())),
        };
        record(witness, runtime, said);
    }
}

/// What is needed to carry out plans; each Java version is compiled once for all of them.
struct Replayer<'a> {
    job: &'a Job,
    originals: &'a BTreeMap<String, String>,
    builds: Pair<Option<Result<java_run::Build, String>>>,
}

impl Replayer<'_> {
    /// The versions to run: one, where they are the same program and have the same plan.
    fn sides<P: PartialEq>(&self, language: Language, plans: &Versions<P>) -> &'static [Side] {
        let files = |side| files(self.job, language, side, self.originals);
        let is_one = plans.old == plans.new && files(Side::Old) == files(Side::New);
        if is_one { &[Side::New] } else { &[Side::Old, Side::New] }
    }

    fn java(&mut self, side: Side, plan: &JavaPlan) -> Result<Said, String> {
        let files = files(self.job, Language::Java, side, self.originals);
        let build = match side {
            Side::Old => &mut self.builds.old,
            Side::New => &mut self.builds.new,
        };
        let build = build.get_or_insert_with(|| java_run::Build::new(&files));
        build.as_ref().map_err(Clone::clone)?.run(plan)
    }

    fn c(&mut self, side: Side, plan: &CPlan) -> Result<Said, String> {
        c_run::run(plan, &files(self.job, Language::C, side, self.originals))
    }
}

/// A source file as the user wrote it.
#[derive(PartialEq, Eq)]
pub(crate) struct Original<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

fn files<'a>(
    job: &'a Job,
    language: Language,
    side: Side,
    originals: &'a BTreeMap<String, String>,
) -> Vec<Original<'a>> {
    let unit = job.units.iter().find(|unit: &&Unit| unit.language == language);
    let sources = unit.map(|unit| match side {
        Side::Old => &unit.old.files,
        Side::New => &unit.new.files,
    });
    let names = sources.into_iter().flatten().map(|file| file.name.as_str());
    names.filter_map(|name| Some(Original { name, text: originals.get(name)? })).collect()
}

/// Runs the versions; the first that does not agree speaks for all.
fn run_each<P>(
    sides: &[Side],
    plans: &Versions<P>,
    mut run: impl FnMut(Side, &P) -> Result<Said, String>,
) -> Said {
    for side in sides {
        let plan = match side {
            Side::Old => &plans.old,
            Side::New => &plans.new,
        };
        match run(*side, plan).unwrap_or_else(Said::Cannot) {
            Said::Agrees => {}
            Said::Disagrees(how) => return Said::Disagrees(format!("in the {} version {how}", side.name())),
            Said::Cannot(why) => return Said::Cannot(format!("the {} version: {why}", side.name())),
        }
    }
    Said::Agrees
}

fn record(witness: &mut WitnessReport, runtime: &str, said: Said) {
    match said {
        Said::Agrees => witness.replayed.push(runtime.to_owned()),
        Said::Disagrees(how) => witness.replay_disagreement = Some(format!("{runtime} disagrees: {how}")),
        Said::Cannot(why) => witness.not_replayed = Some(why),
    }
}

/// Runs a compiler or a driver; one that ran into a limit says nothing about the witness.
fn start(command: &mut Command, name: &str, limits: Limits) -> Result<Finished, String> {
    let finished = process::run(command, Vec::new(), limits);
    let finished = finished.map_err(|error| format!("{name} cannot be run ({error})"))?;
    match finished.ended_by {
        Some(Limit::Time) => Err(format!("{name} did not end within {} s", limits.time.as_secs())),
        Some(Limit::Memory) => Err(format!("{name} used more than {} MB", limits.memory.megabytes())),
        None if finished.is_cut_off => Err(format!("{name} wrote more than {} MB", limits.output >> 20)),
        None => Ok(finished),
    }
}

/// The first line in which two reports differ.
fn first_difference(expected: &str, said: &str) -> String {
    let mut lines = expected.lines().zip(said.lines());
    match lines.find(|(ours, theirs)| ours != theirs) {
        Some((ours, theirs)) => format!("it says `{theirs}` where we say `{ours}`"),
        None => "one report is longer than the other".to_owned(),
    }
}

/// The parts of an input and its runs that concern one version.
struct Case<'a> {
    subject: Subject<'a>,
    input: &'a Input,
    run: &'a Run,
}

impl Case<'_> {
    /// Whether a variable has its initial value when the version runs for real, whatever the input says: `main` starts
    /// from there, and some variables are never written again.
    fn starts_by_itself(&self, variable: &str) -> bool {
        let Subject { program, procedure } = self.subject;
        if program.start_up_only.contains(variable) {
            return true;
        }
        match program.language {
            Language::C => ir::entry_point(program) == Some(procedure) && !program.foreign.contains(variable),
            Language::Java => initialisers(self.subject).any(|id| {
                let effects = ir::effects(program, id);
                effects.writes_globals.iter().any(|global| program.global(*global).name == variable)
            }),
        }
    }

    /// The last part of the error's name, if the run failed.
    fn error(&self) -> Option<&str> {
        match &self.run.ending {
            Ending::Failed { error } => Some(error.rsplit(['.', '$']).next().unwrap_or(error)),
            _ => None,
        }
    }
}

/// The static initialisers that a procedure runs before anything else.
fn initialisers(subject: Subject<'_>) -> impl Iterator<Item = ir::ProcId> {
    let body = subject.procedure().body.iter().flatten();
    body.map_while(move |stmt| match &stmt.kind {
        ir::StmtKind::Call { callee, .. } if subject.program.procedure(*callee).is_start_up() => {
            Some(*callee)
        }
        _ => None,
    })
}
