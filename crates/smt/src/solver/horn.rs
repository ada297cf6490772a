//! Asks a solver for predicates that meet Horn clauses, in a process of its own: a logic cannot be changed later.

use super::answer::{self, Failure, SolverError, UnknownReason};
use super::counting::{self, STEPS_SO_FAR};
use super::process::Process;
use super::read_term::TermReader;
use super::sexpr::{self, SExpr};
use super::{MOST_STEPS, SolverConfig, StopFlag, allocations, find};
use crate::horn::{Definition, HornQuery, predicate_symbol};
use crate::terms::Terms;
use budget::{Budget, Rate, Steps};

/// What a solver found out about a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornAnswer {
    /// Definitions of all predicates, in their order. The solver's word for it: check them.
    Solved(Vec<Definition>),
    /// There are no such predicates.
    Refuted,
    Unknown(UnknownReason),
}

/// Looks for definitions of all predicates within a budget, or until the flag is raised. Only Z3 has an engine for that.
pub fn solve_horn(
    terms: &mut Terms,
    query: &HornQuery,
    config: &SolverConfig,
    budget: &Budget,
    stop: &StopFlag,
) -> Result<HornAnswer, SolverError> {
    if query.predicates.iter().flatten().any(|sort| !HornQuery::can_speak_of(sort)) {
        return Ok(unknown("predicates of floats and texts are not looked for"));
    }
    let text = query.text(terms);
    let find::Started { mut process, counts_steps } = find::start(config)?;
    if !counts_steps {
        return Ok(unknown("this solver has no method for Horn clauses"));
    }
    let mut ask = |text: &str| exchange(&mut process, text, budget, stop);
    match converse(&mut ask, terms, query, &text, budget) {
        Ok(answer) => Ok(answer),
        Err(Failure::Killed | Failure::Stopped) => Ok(HornAnswer::Unknown(UnknownReason::Killed)),
        Err(Failure::Allocations) => Ok(HornAnswer::Unknown(UnknownReason::Steps)),
        Err(Failure::Memory) => Ok(HornAnswer::Unknown(UnknownReason::Memory)),
        Err(Failure::Died(how)) => Err(SolverError::Died { program: config.program.clone(), how }),
        Err(Failure::Io(error)) => {
            Err(SolverError::Died { program: config.program.clone(), how: error.to_string() })
        }
        Err(Failure::Protocol(text)) => Ok(unknown(&answer::quoted(&text))),
    }
}

fn unknown(words: &str) -> HornAnswer {
    HornAnswer::Unknown(UnknownReason::Incomplete(words.to_owned()))
}

fn converse(
    ask: &mut dyn FnMut(&str) -> Result<Vec<SExpr>, Failure>,
    terms: &mut Terms,
    query: &HornQuery,
    text: &str,
    budget: &Budget,
) -> Result<HornAnswer, Failure> {
    // What `start` asked to see whether it is a solver must be forgotten before a logic is chosen.
    let steps = budget.left().min(MOST_STEPS).max(Steps::new(1));
    budget.spend(Steps::new(Rate::QUESTION + text.len() as u64 * Rate::BYTE_OF_QUESTION));
    // The process has just been started.
    let limit = format!("(set-option :rlimit {})\n{}", steps.get(), allocations::limit(steps));
    // The count starts anew with the reset.
    let replies = match ask(&format!("(reset)\n{limit}{text}(check-sat)\n{STEPS_SO_FAR}")) {
        Err(Failure::Allocations) => {
            budget.spend(steps);
            return Err(Failure::Allocations);
        }
        replies => replies?,
    };
    let answer = match replies.as_slice() {
        [answer, count] => {
            budget.spend(counting::steps(count));
            answer
        }
        other => return Err(Failure::Protocol(sexpr::to_text(other))),
    };
    match answer {
        SExpr::Atom(word) if word == "sat" => {
            let replies = ask("(get-model)\n")?;
            Ok(match definitions(terms, query, &replies) {
                Some(definitions) => HornAnswer::Solved(definitions),
                None => unknown("its predicates could not be read"),
            })
        }
        SExpr::Atom(word) if word == "unsat" => Ok(HornAnswer::Refuted),
        SExpr::Atom(word) if word == "unknown" => {
            let reason = ask("(get-info :reason-unknown)\n")?;
            Ok(HornAnswer::Unknown(answer::reason_for_unknown(&reason)))
        }
        other => Err(Failure::Protocol(sexpr::to_text(std::slice::from_ref(other)))),
    }
}

fn exchange(
    process: &mut Process,
    text: &str,
    budget: &Budget,
    stop: &StopFlag,
) -> Result<Vec<SExpr>, Failure> {
    let output = process.exchange(text, budget.kill(), stop)?;
    let replies = sexpr::parse(&output).ok_or_else(|| Failure::Protocol(output.clone()))?;
    match replies.iter().find(|reply| reply.is_error()) {
        Some(error) => {
            let words = sexpr::to_text(std::slice::from_ref(error));
            Err(if words.contains("out of memory") { Failure::Memory } else { Failure::Protocol(words) })
        }
        None => Ok(replies),
    }
}

/// Reads `((define-fun p!0 ((x Int)) Bool ...) ...)`; `None` if a predicate is missing or cannot be read.
fn definitions(terms: &mut Terms, query: &HornQuery, replies: &[SExpr]) -> Option<Vec<Definition>> {
    let [SExpr::List(entries)] = replies else { return None };
    let found = query.predicates.iter().enumerate().map(|(number, sorts)| {
        let symbol = predicate_symbol(number);
        let (parameters, body) = entries.iter().find_map(|entry| match entry.as_list()? {
            [define, name, SExpr::List(parameters), _, body]
                if define.as_atom() == Some("define-fun") && name.as_atom() == Some(&symbol) =>
            {
                Some((parameters, body))
            }
            _ => None,
        })?;
        if parameters.len() != sorts.len() {
            return None;
        }
        let mut reader = TermReader::new(terms);
        let mut variables = Vec::new();
        for (place, (parameter, sort)) in parameters.iter().zip(sorts).enumerate() {
            let name = parameter.as_list()?.first()?.as_atom()?;
            let variable = reader.terms.var(&format!("parameter {place} of {symbol}"), sort);
            reader.define(name, variable);
            variables.push(variable);
        }
        Some(Definition { parameters: variables, condition: reader.read_condition(body)? })
    });
    found.collect()
}
