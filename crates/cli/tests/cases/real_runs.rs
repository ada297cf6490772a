//! The runs of a case that the real thing repeats: `javac` and `java`, or `cc`.

use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use casekit::{Case, Language};
use cli::replay::{CEnding, CPlan, JavaPlan, Plan};
use report::Versions;

use crate::{c_batch, java_batch};

/// Plans for the versions of a case.
pub(crate) struct RealRuns<'a> {
    case: &'a Case,
    java: Vec<(String, Versions<JavaPlan>)>,
    c: Vec<(String, Versions<CPlan>)>,
}

/// What one run on the real thing came to, or why it says nothing.
pub(crate) type Said = Result<(), Problem>;

/// Why a run does not agree with ours.
pub(crate) enum Problem {
    /// It did something else.
    Disagrees(String),
    /// It says nothing about the language.
    Cannot,
}

static AGREED: AtomicUsize = AtomicUsize::new(0);
static NOT_RUN: AtomicUsize = AtomicUsize::new(0);

/// The tools that are missing to run a language.
static MISSING: LazyLock<[Option<&str>; 2]> = LazyLock::new(|| {
    let missing = |tools: &[&'static str]| {
        tools.iter().copied().find(|tool| Command::new(tool).arg("--version").output().is_err())
    };
    [missing(&["javac", "java"]), missing(&["cc"])]
});

fn missing(language: Language) -> Option<&'static str> {
    MISSING[if language == Language::Java { 0 } else { 1 }]
}

impl<'a> RealRuns<'a> {
    pub(crate) fn new(case: &'a Case) -> RealRuns<'a> {
        RealRuns { case, java: Vec::new(), c: Vec::new() }
    }

    /// Adds the runs of both versions on an input.
    pub(crate) fn add(&mut self, input: String, plan: Plan) {
        match plan {
            Plan::Java(plans) => self.java.push((input, plans)),
            Plan::C(plans) => self.c.push((input, *plans)),
            Plan::NotPossible(_) => count(&NOT_RUN, 2),
        }
    }

    /// Runs all of them, and says where the real thing does something else.
    pub(crate) fn disagreements(&self) -> Vec<String> {
        if missing(self.case.language).is_some() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (side, text) in [("old", &self.case.old.text), ("new", &self.case.new.text)] {
            let java = self.java.iter().map(|(_, plans)| if side == "old" { &plans.old } else { &plans.new });
            let c = self.c.iter().map(|(_, plans)| if side == "old" { &plans.old } else { &plans.new });
            let said = match self.case.language {
                Language::Java => java_batch::run(text, &java.collect::<Vec<_>>()),
                Language::C => c_batch::run(text, &c.collect::<Vec<_>>()),
            };
            let inputs =
                self.java.iter().map(|(input, _)| input).chain(self.c.iter().map(|(input, _)| input));
            for (input, said) in inputs.zip(said) {
                match said {
                    Ok(()) => count(&AGREED, 1),
                    Err(Problem::Cannot) => count(&NOT_RUN, 1),
                    Err(Problem::Disagrees(how)) => {
                        found.push(format!("for real, the {side} version on {input}: {how}"));
                    }
                }
            }
        }
        found
    }
}

fn count(counter: &AtomicUsize, runs: usize) {
    counter.fetch_add(runs, Ordering::Relaxed);
}

/// Says how much of the oracle's work was done, and what was left out.
pub(crate) fn say_how_many() {
    let (agreed, not_run) = (AGREED.load(Ordering::Relaxed), NOT_RUN.load(Ordering::Relaxed));
    if agreed + not_run > 0 {
        eprintln!("oracle: {agreed} runs on the real thing agreed, {not_run} were not possible");
    }
    for language in [Language::Java, Language::C] {
        if let Some(tool) = missing(language) {
            eprintln!("SKIPPED: `{tool}` cannot be run here, so that no {} ran for real", language.name());
        }
    }
}

/// Compares a report of a real run with ours.
pub(crate) fn compare(expected: &str, said: &str) -> Said {
    let differs = expected.lines().zip(said.lines()).find(|(ours, theirs)| ours != theirs);
    match differs {
        _ if expected == said => Ok(()),
        Some((ours, theirs)) => Err(Problem::Disagrees(format!("`{theirs}` where we say `{ours}`"))),
        None => Err(Problem::Disagrees("one report is longer than the other".to_owned())),
    }
}

/// Whether our run of a version ended, so that C says what it does.
pub(crate) fn is_defined(plan: &CPlan) -> bool {
    plan.expected.ending == CEnding::Normal
}
