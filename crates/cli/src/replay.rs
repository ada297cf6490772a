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

use std::collections::BTreeMap;

use check::{CheckConfig, Numbers, Subject, Witness};
use interp::{Ending, Input, Run};
use ir::{Language, Pair};
use report::{Versions, WitnessReport};
use serde::{Deserialize, Serialize};

use crate::job::{Job, SourceLanguage, Unit};
use crate::session::Answer;

/// How to run a witness on the real thing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Plan {
    Java(Versions<JavaPlan>),
    C(Versions<CPlan>),
    NotPossible(String),
}

/// One version in Java: the lines that the driver reads, and the report that it should write.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct JavaPlan {
    pub(crate) input: String,
    pub(crate) expected: String,
}

/// One version in C: a driver that includes the user's file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CPlan {
    /// The file that has the function, by its name.
    pub(crate) file: String,
    /// Everything after the inclusion of that file.
    pub(crate) driver: String,
    pub(crate) expected: Expected,
}

/// What a run of a C driver should be like.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Expected {
    pub(crate) ending: CEnding,
    pub(crate) report: String,
    pub(crate) output: Vec<u8>,
}

/// How a C program ends in our model, as far as the operating system can see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum CEnding {
    Normal,
    /// An error that the machine, or the library, or a sanitiser notices.
    Fails {
        error: String,
    },
}

/// What the real thing said of one version.
enum Said {
    Agrees,
    Disagrees(String),
    Cannot(String),
}

/// Plans the replay of a witness.
pub(crate) fn plan(pair: Pair<Subject<'_>>, witness: &Witness, config: &CheckConfig) -> Plan {
    if config.numbers == Numbers::Math {
        return Plan::NotPossible("the real machine does not compute with mathematical numbers".to_owned());
    }
    let runs = witness.runs();
    if runs.as_ref().map(|run| !run.external_calls.is_empty()) != Pair::new(false, false) {
        return Plan::NotPossible("code that is not there is called".to_owned());
    }
    let sides = pair.zip(runs.as_ref());
    let planned = match pair.new.program.language {
        Language::Java => sides
            .try_map(|(subject, run)| java_input::plan(subject, witness.input(), run))
            .map(|plans| Plan::Java(plans.into())),
        Language::C => sides
            .try_map(|(subject, run)| c_driver::plan(subject, witness.input(), run))
            .map(|plans| Plan::C(plans.into())),
        Language::Boogie => Err("nothing runs Boogie".to_owned()),
    };
    planned.unwrap_or_else(Plan::NotPossible)
}

/// Carries out all plans, and writes into the reports what came of it.
pub(crate) fn run_all(answers: &mut [Answer], job: &Job, originals: &BTreeMap<String, String>) {
    for answer in answers {
        let (Some(plan), Some(witness)) = (&answer.replay, answer.report.witness.as_mut()) else { continue };
        let (runtime, said) = match plan {
            Plan::Java(plans) => (
                "java",
                run_both(plans, |side, plan| {
                    java_run::run(plan, &files(job, SourceLanguage::Java, side, originals))
                }),
            ),
            Plan::C(plans) => (
                "cc",
                run_both(plans, |side, plan| {
                    c_run::run(plan, &files(job, SourceLanguage::C, side, originals))
                }),
            ),
            Plan::NotPossible(why) => ("", Said::Cannot(why.clone())),
        };
        record(witness, runtime, said);
    }
}

#[derive(Clone, Copy)]
enum WhichSide {
    Old,
    New,
}

/// A source file as the user wrote it.
pub(crate) struct Original<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

fn files<'a>(
    job: &'a Job,
    language: SourceLanguage,
    side: WhichSide,
    originals: &'a BTreeMap<String, String>,
) -> Vec<Original<'a>> {
    let unit = job.units.iter().find(|unit: &&Unit| unit.language == language);
    let sources = unit.map(|unit| match side {
        WhichSide::Old => &unit.old.files,
        WhichSide::New => &unit.new.files,
    });
    let names = sources.into_iter().flatten().map(|file| file.name.as_str());
    names.filter_map(|name| Some(Original { name, text: originals.get(name)? })).collect()
}

/// Runs both versions; the first that does not agree speaks for both.
fn run_both<P>(plans: &Versions<P>, run: impl Fn(WhichSide, &P) -> Said) -> Said {
    for (name, side, plan) in [("old", WhichSide::Old, &plans.old), ("new", WhichSide::New, &plans.new)] {
        match run(side, plan) {
            Said::Agrees => {}
            Said::Disagrees(how) => return Said::Disagrees(format!("in the {name} version {how}")),
            Said::Cannot(why) => return Said::Cannot(format!("the {name} version: {why}")),
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

/// The first line in which two reports differ.
fn first_difference(expected: &str, said: &str) -> String {
    let mut lines = expected.lines().zip(said.lines());
    match lines.find(|(ours, theirs)| ours != theirs) {
        Some((ours, theirs)) => format!("it says `{theirs}` where we say `{ours}`"),
        None => "one report is longer than the other".to_owned(),
    }
}

/// The parts of a witness that concern one version.
struct Case<'a> {
    subject: Subject<'a>,
    input: &'a Input,
    run: &'a Run,
}

impl Case<'_> {
    /// The last part of the error's name, if the run failed.
    fn error(&self) -> Option<&str> {
        match &self.run.ending {
            Ending::Failed { error } => Some(error.rsplit(['.', '$']).next().unwrap_or(error)),
            _ => None,
        }
    }
}
