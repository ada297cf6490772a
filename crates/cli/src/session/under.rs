//! `--under`: which pairs have a condition on their inputs, what front ends make of it, and what is wrong with it.

use budget::{Budget, Kill, Steps};
use check::{CheckConfig, Subject, Verdict, check_pair};
use ir::{Condition, Pair, ProcId, Program, StmtKind};

use super::select;
use crate::options::{Options, Under};

/// A pair with a condition: the number of the condition is its place in the list of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Conditioned {
    /// The name of the new procedure.
    pub(super) procedure: String,
    pub(super) text: String,
    /// For each version, where the procedure is.
    places: Pair<ir::Span>,
    /// For each version, what it calls the parameters that the source names.
    parameters: Pair<Vec<String>>,
}

/// Whose names of parameters a condition uses where these were renamed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Names {
    New,
    Old,
}

/// The pairs of two programs that have a condition.
pub(super) fn conditioned(programs: Pair<&Program>, options: &Options) -> Vec<Conditioned> {
    let selected = match &options.function {
        Some(name) => select::named(programs, name),
        None => select::all(programs),
    };
    let meant: Vec<(&Under, Option<Vec<Pair<ProcId>>>)> = options
        .under
        .iter()
        .map(|under| (under, under.procedure.as_ref().map(|name| select::named(programs, name).pairs)))
        .collect();
    let mut found = Vec::new();
    for pair in selected.pairs {
        let procedures = Pair::new(programs.old.procedure(pair.old), programs.new.procedure(pair.new));
        if procedures.new.is_start_up() {
            continue;
        }
        let is_meant = |pairs: &Option<Vec<Pair<ProcId>>>| pairs.as_ref().is_none_or(|it| it.contains(&pair));
        let texts: Vec<&str> =
            meant.iter().filter(|(_, pairs)| is_meant(pairs)).map(|(under, _)| under.text.as_str()).collect();
        let text = match texts.as_slice() {
            [] => continue,
            [only] => (*only).to_owned(),
            several => several.iter().map(|text| format!("({text})")).collect::<Vec<_>>().join(" && "),
        };
        found.push(Conditioned {
            procedure: procedures.new.name.clone(),
            text,
            places: procedures.map(|procedure| procedure.span),
            parameters: procedures.map(|procedure| {
                let names = procedure.parameters().iter().map(|local| local.name.clone());
                names.filter(|name| name != "this" && !name.starts_with('$')).collect()
            }),
        });
    }
    found
}

/// What the front end is told: in the version whose names are not used, the parameters have those of the other.
pub(super) fn conditions(conditioned: &[Conditioned], names: Names) -> Pair<Vec<Condition>> {
    let version = |side: ir::Side| {
        let condition = |it: &Conditioned| {
            let parameters = match names {
                Names::New => &it.parameters.new,
                Names::Old => &it.parameters.old,
            };
            let is_renamed = parameters != it.parameters.get(side);
            Condition {
                procedure: *it.places.get(side),
                text: it.text.clone(),
                parameters: is_renamed.then(|| parameters.clone()),
            }
        };
        conditioned.iter().map(condition).collect()
    };
    Pair::new(version(ir::Side::Old), version(ir::Side::New))
}

/// A condition that is for no procedure that is compared.
pub(super) fn unused(programs: &[Pair<&Program>], options: &Options) -> Option<String> {
    options.under.iter().find_map(|under| {
        let name = under.procedure.as_ref()?;
        let problem = select::problem(programs, name)?;
        Some(format!("--under '{name}: {}': {problem}", under.text))
    })
}

/// What is wrong with a condition as it was lowered: it was not understood, or does more than look.
pub(super) fn fault(programs: Pair<&Program>, index: usize, it: &Conditioned) -> Option<String> {
    let complain = |what: String| Some(format!("--under '{}' for `{}`: {what}", it.text, it.procedure));
    for program in [programs.old, programs.new] {
        let Some(id) = program.condition(index) else {
            return complain("it could not be understood".to_owned());
        };
        let mut gap = None;
        ir::for_each_stmt(program.procedure(id).body.as_deref().unwrap_or(&[]), &mut |stmt| {
            if let StmtKind::Unsupported { what } = &stmt.kind {
                gap.get_or_insert((what.clone(), stmt.span));
            }
        });
        if let Some((what, span)) = gap {
            let is_placed = program.files.get(span.file.index()).is_some_and(|name| name == ir::CONDITION_FILE);
            let place = if is_placed { format!("column {}: ", span.column) } else { String::new() };
            return complain(format!("{place}{what}"));
        }
        let effects = ir::effects(program, id);
        let looks_only = effects.writes_globals.is_empty()
            && effects.writes_regions.is_empty()
            && effects.prints.is_empty()
            && !effects.frees
            && !effects.calls_out;
        if !looks_only {
            return complain("a condition must not change anything, nor call code that is not there".to_owned());
        }
    }
    None
}

/// The work for finding out whether any input meets a condition.
const FOR_AN_INPUT: Steps = Steps::of_seconds(2);

/// Whether it was proved that no input meets a condition.
pub(super) fn is_never_met(program: &Program, index: usize, options: &Options) -> bool {
    let Some(id) = program.condition(index) else { return false };
    let ((old, holds), (new, never)) = (rewrite::holds(program, id), rewrite::never(program, id));
    let config = options.config(Kill::never());
    let config = CheckConfig { budget: Budget::new(FOR_AN_INPUT, Kill::never()), total: false, ..config };
    let pair = Pair::new(Subject::new(&old, holds), Subject::new(&new, never));
    matches!(check_pair(pair, &config, &mut |_| {}).verdict, Verdict::Equivalent(_))
}

/// What a verdict about the inputs of a condition says of the others.
pub(super) fn assumption(text: &str) -> String {
    format!("only inputs that meet the condition `{text}` are compared")
}
