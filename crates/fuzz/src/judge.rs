//! Asks every strategy about a case, runs both versions on inputs of our own, and says which answers are wrong.
//!
//! Under-approximating: an answer that is called wrong contradicts a run, another strategy's witness, or a rewrite.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use arbitrary_source::Choices;
use budget::{Budget, Kill, Steps};
use check::{CheckConfig, Strategy, Verdict};
use interp::{Comparison, Ending, Limits, Machine};
use ir::Numbers;

use super::case::{Case, Lowered, Refusal, lower};
use super::inputs::Inputs;

/// What all cases of a campaign are asked.
#[derive(Clone, Debug)]
pub struct Questions {
    pub strategies: Vec<Strategy>,
    pub solver: Option<PathBuf>,
    /// The work for one answer, as what a quiet core does in that time.
    pub deadline: Duration,
    /// On how many inputs both versions are run.
    pub inputs: usize,
    pub bound: u32,
    /// Ask only about pairs that our own runs separate: where *equivalent* would be wrong.
    pub only_separated: bool,
    /// Whether *equivalent* must also mean that both end on the same inputs.
    pub total: bool,
    /// How many threads may work on one pair.
    pub pair_threads: NonZero<usize>,
}

impl Questions {
    fn effort(&self) -> Steps {
        Steps::of_milliseconds(u64::try_from(self.deadline.as_millis()).unwrap_or(u64::MAX))
    }

    /// Long after the work should be done: answers do not depend on it.
    fn kill(&self) -> Kill {
        Kill::at(Instant::now() + self.deadline * 20 + Duration::from_secs(10))
    }
}

/// What a strategy said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Equivalent(String),
    Different(String),
    Unknown(String),
    Panicked(String),
}

/// All that was found out about a case in one number model.
#[derive(Clone, Debug)]
pub struct Judgement {
    pub numbers: Numbers,
    /// An input of ours on which both versions ended differently, in words.
    pub separated: Option<String>,
    pub answers: Vec<(Strategy, Answer, Duration)>,
    pub wrong: Vec<Wrong>,
}

/// An answer that is not true, with what contradicts it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// None: our own runs separate what rewrites should have kept together.
    pub strategy: Option<Strategy>,
    pub kind: WrongKind,
    pub evidence: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum WrongKind {
    /// *equivalent*, but an input separates them.
    Equivalent,
    /// *different*, but there are only rewrites between them; the rewrite or the front end may be to blame.
    Different,
    Panic,
}

/// Judges a case in one number model.
pub fn judge(
    case: &Case,
    numbers: Numbers,
    questions: &Questions,
    choices: &mut Choices,
) -> Result<Judgement, Refusal> {
    let lowered = lower(case)?;
    let separated = separate(&lowered, numbers, questions, choices);
    let mut answers = Vec::new();
    let asked = if questions.only_separated && separated.is_none() { &[] } else { &questions.strategies[..] };
    for strategy in asked {
        let start = Instant::now();
        let answer = ask(&lowered, *strategy, numbers, questions);
        answers.push((*strategy, answer, start.elapsed()));
    }
    let wrong = find_wrong(case, separated.as_ref(), &answers);
    Ok(Judgement { numbers, separated, answers, wrong })
}

/// What in the answers cannot be true.
pub(crate) fn find_wrong(
    case: &Case,
    separated: Option<&String>,
    answers: &[(Strategy, Answer, Duration)],
) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    // A witness of one strategy is evidence against all others.
    let witness = answers.iter().find_map(|(strategy, answer, _)| match answer {
        Answer::Different(how) => Some(format!("{}: {how}", strategy.name())),
        _ => None,
    });
    let evidence = separated.cloned().or(witness);
    if let (true, Some(how)) = (case.is_kept(), separated) {
        wrong.push(Wrong { strategy: None, kind: WrongKind::Different, evidence: how.clone() });
    }
    for (strategy, answer, _) in answers {
        let strategy = Some(*strategy);
        match (answer, &evidence) {
            (Answer::Equivalent(how), Some(evidence)) => {
                let evidence = format!("{how}, but {evidence}");
                wrong.push(Wrong { strategy, kind: WrongKind::Equivalent, evidence });
            }
            (Answer::Different(how), _) if case.is_kept() => {
                wrong.push(Wrong { strategy, kind: WrongKind::Different, evidence: how.clone() });
            }
            (Answer::Panicked(what), _) => {
                wrong.push(Wrong { strategy, kind: WrongKind::Panic, evidence: what.clone() });
            }
            (Answer::Equivalent(_) | Answer::Different(_) | Answer::Unknown(_), _) => {}
        }
    }
    wrong
}

/// An input on which the versions end differently, and how.
pub fn separate(
    lowered: &Lowered,
    numbers: Numbers,
    questions: &Questions,
    choices: &mut Choices,
) -> Option<String> {
    let limits = Limits { steps: 4_000, memory_cells: 20_000, call_depth: 100, output: 4_000 };
    let subjects = lowered.subjects();
    if check::same_interface(subjects.old, subjects.new).is_err() {
        return None;
    }
    let machines = subjects.map(|side| (Machine::new(side.program, numbers), side.procedure));
    let inputs = Inputs { subjects, math: numbers == Numbers::Math };
    for _ in 0..questions.inputs {
        let input = inputs.random(choices);
        let runs = machines.as_ref().map(|(machine, procedure)| machine.run(*procedure, &input, &limits));
        let ends = runs.as_ref().map(|run| matches!(run.ending, Ending::Returned(_) | Ending::Failed { .. }));
        let goes_on = runs.as_ref().map(|run| run.ending == Ending::Endless);
        if questions.total && (ends.old && goes_on.new || ends.new && goes_on.old) {
            return Some(format!("only one version ends on {}", show_input(&input)));
        }
        if let Comparison::Different(difference) = interp::compare(&runs.old, &runs.new) {
            let (what, old, new) = (difference.what, difference.old, difference.new);
            return Some(format!("{what:?}: old {old}, new {new}, on {}", show_input(&input)));
        }
    }
    None
}

fn show_input(input: &interp::Input) -> String {
    let args: Vec<String> = input.args.iter().map(|value| interp::show(value, &input.objects)).collect();
    let globals: Vec<String> = input
        .globals
        .iter()
        .map(|(name, value)| format!("{name} = {}", interp::show(value, &input.objects)))
        .collect();
    let statics: Vec<String> = input
        .statics
        .iter()
        .map(|(name, cells)| {
            let cells: Vec<_> = cells.iter().map(|cell| interp::show(cell, &input.objects)).collect();
            format!("{name} = [{}]", cells.join(", "))
        })
        .collect();
    format!("({}) {} {}", args.join(", "), globals.join(", "), statics.join(", "))
}

/// What a strategy says about the pair.
pub fn ask(lowered: &Lowered, strategy: Strategy, numbers: Numbers, questions: &Questions) -> Answer {
    let config = config(strategy, numbers, questions);
    let verdict = catch_unwind(AssertUnwindSafe(|| lowered.judge(&config)));
    match verdict {
        Err(payload) => Answer::Panicked(super::panics::message(&*payload)),
        Ok(Verdict::Equivalent(proof)) => {
            Answer::Equivalent(format!("{:?} assuming {:?}", proof.method(), proof.assumptions()))
        }
        Ok(Verdict::Different(witness)) => {
            let difference = witness.difference();
            let input = show_input(witness.input());
            let (what, old, new) = (&difference.what, &difference.old, &difference.new);
            Answer::Different(format!("{what:?}: old {old}, new {new}, on {input}"))
        }
        Ok(Verdict::Unknown(unknown)) => {
            let reasons: Vec<String> = unknown.reasons().map(|reason| format!("{reason:?}")).collect();
            let is_bug = |reason: &check::Reason| {
                matches!(reason, check::Reason::Internal(_) | check::Reason::Contradiction(_))
            };
            let broken = unknown.reasons().any(is_bug);
            if broken { Answer::Panicked(reasons.join("; ")) } else { Answer::Unknown(reasons.join("; ")) }
        }
    }
}

/// How a strategy is asked.
pub fn config(strategy: Strategy, numbers: Numbers, questions: &Questions) -> CheckConfig {
    CheckConfig {
        numbers,
        strategy,
        any_inputs: false,
        bound: questions.bound,
        deeper_bound: None,
        total: questions.total,
        open_world: false,
        exceptions: check::Exceptions::Type,
        undefined: check::Undefined::Compared,
        budget: Budget::new(questions.effort(), questions.kill()),
        stop: check::StopFlag::default(),
        // Threads that start at once are the hardest test.
        threads: check::Threads {
            count: questions.pair_threads,
            stack_bytes: 64 << 20,
            head_start: Duration::ZERO,
        },
        solver: questions.solver.clone(),
        solver_memory_mb: 1024,
        keep_obligations: false,
        seed: 1,
    }
}
