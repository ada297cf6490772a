//! `--under`: which pairs have a condition on their inputs, what front ends make of it, and what is wrong with it.

use std::collections::BTreeSet;

use budget::{Budget, Kill, Steps};
use check::{CheckConfig, Subject, Verdict, check_pair};
use contracts::Instance;
use frontend_java::Choice;
use ir::{Annotations, Condition, Diagnostic, Expr, Language, Pair, ProcId, Program, StmtKind};

use super::contracts::{VersionContracts, written};
use super::{Restricted, select};
use crate::job::Sources;
use crate::lower::{self, FrontEndOptions, Lowered};
use crate::options::{Options, Under};

/// How sources are read. Of folders of Java only what is asked for, or affected by the changes; whoever asks about
/// clients or assertions asks about code that did not change.
pub(super) fn front_ends(options: &Options, is_folder: bool) -> FrontEndOptions {
    let is_whole = !is_folder
        || options.all
        || options.open_world
        || !options.clients.is_empty()
        || options.assertions.is_some();
    let java = match &options.function {
        _ if is_whole => Choice::All,
        Some(name) => Choice::Named(name.clone()),
        None => Choice::Affected,
    };
    FrontEndOptions { c: options.c_options(), java }
}

/// A pair with a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Conditioned {
    /// The name of the new procedure.
    procedure: String,
    text: String,
    /// Statements that say the same, if it has quantifiers.
    body: Option<String>,
    /// What it says of one number, if it says something of all, and the place of that in the list.
    instance: Option<(Instance, usize)>,
    /// For each version, where the procedure is.
    places: Pair<ir::Span>,
    /// For each version, what it calls the parameters that the source names.
    parameters: Pair<Vec<String>>,
    /// Its place in the list that the front end gets.
    number: usize,
    role: Role,
}

/// What a condition is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// Somebody wrote it: it is an error if no input meets it.
    Given,
    /// We made it.
    Found,
    /// It restricts nothing: calls tell the inputs that meet it from the others.
    Callee,
}

impl Conditioned {
    pub(super) fn of(procedures: Pair<&ir::Procedure>, text: &str) -> Conditioned {
        Conditioned {
            procedure: procedures.new.name.clone(),
            text: text.to_owned(),
            body: None,
            instance: None,
            places: procedures.map(|procedure| procedure.span),
            parameters: procedures.map(parameter_names),
            number: 0,
            role: Role::Given,
        }
    }

    /// One that we made.
    pub(super) fn found(self) -> Conditioned {
        Conditioned { role: Role::Found, ..self }
    }

    /// One for a callee.
    pub(super) fn callee(self) -> Conditioned {
        Conditioned { role: Role::Callee, ..self }
    }

    pub(super) fn numbered(self, number: usize) -> Conditioned {
        Conditioned { number, ..self }
    }

    /// The same with what it says of one number at a place of the list.
    pub(super) fn with_instance(self, instance: Option<(Instance, usize)>) -> Conditioned {
        Conditioned { instance, ..self }
    }

    /// What the front end is told of a version, in the names that it has there.
    pub(super) fn condition(&self, side: ir::Side) -> Condition {
        let (procedure, text) = (*self.places.get(side), self.text.clone());
        Condition { procedure, text, body: self.body.clone(), parameters: None, variable: None }
    }
}

/// Whose names of parameters a condition uses where these were renamed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Names {
    New,
    Old,
}

/// Both versions, or their errors, with what is said of their procedures.
pub(super) struct Annotated {
    pub(super) lowered: Pair<Result<Lowered, Vec<Diagnostic>>>,
    /// The pairs that have a condition.
    pub(super) conditioned: Vec<Conditioned>,
    pub(super) contracts: Pair<VersionContracts>,
}

impl Annotated {
    fn plain(lowered: Pair<Result<Lowered, Vec<Diagnostic>>>) -> Annotated {
        let contracts = Pair::new(VersionContracts::default(), VersionContracts::default());
        Annotated { lowered, conditioned: Vec::new(), contracts }
    }
}

/// Lowers both versions with the conditions that their pairs have, and with their contracts. Fails if a condition cannot be
/// understood.
pub(super) fn lower(
    language: Language,
    sources: Pair<Sources>,
    options: &Options,
) -> Result<Annotated, String> {
    let is_folder = sources.old.tolerant && sources.new.tolerant;
    let front_ends = front_ends(options, is_folder);
    let first = lower::lower(language, sources.clone(), Pair::new(&[], &[]), &front_ends);
    let (Ok(old), Ok(new)) = (&first.old, &first.new) else { return Ok(Annotated::plain(first)) };
    let contracts = |program: &Program, sources: &Sources| match options.contracts {
        true => written(program, language, sources),
        false => VersionContracts::default(),
    };
    let mut contracts =
        Pair::new(contracts(&old.program, &sources.old), contracts(&new.program, &sources.new));
    if options.under.is_empty() && contracts.old.is_empty() && contracts.new.is_empty() {
        return Ok(Annotated { contracts, ..Annotated::plain(first) });
    }
    let mut conditioned = match options.under.is_empty() {
        true => Vec::new(),
        false => conditioned(Pair::new(&old.program, &new.program), options),
    };
    let promised = contracts.as_ref().map(VersionContracts::postconditions);
    let required = contracts.as_ref().map(VersionContracts::conditions);
    let mut count = conditioned.len();
    for it in &mut conditioned {
        if let Some(meaning) = contracts::quantified(language, &it.text) {
            let meaning = meaning.map_err(|why| format!("--under '{}': {why}", it.text))?;
            it.body = meaning.body;
            it.instance = meaning.instance.map(|instance| (instance, count));
            count += usize::from(it.instance.is_some());
            continue;
        }
        let error = match language {
            Language::Java => frontend_java::condition_error(&it.text),
            Language::C => frontend_c::condition_error(&it.text),
        };
        if let Some(error) = error {
            return Err(format!("--under '{}': column {}: {}", it.text, error.column, error.message));
        }
    }
    contracts.old.number_from(count);
    contracts.new.number_from(count);
    let mut complaint = None;
    // Where parameters were renamed, either name will do.
    for names in [Names::New, Names::Old] {
        let conditions = conditions(&conditioned, names);
        let conditions =
            conditions.zip(required.as_ref()).map(|(given, required)| [&given, &required[..]].concat());
        let annotations = conditions
            .as_ref()
            .zip(promised.as_ref())
            .map(|(conditions, postconditions)| Annotations { conditions, postconditions });
        let lowered = lower::lower_annotated(language, sources.clone(), annotations, &front_ends);
        let (Ok(old), Ok(new)) = (&lowered.old, &lowered.new) else { return Ok(Annotated::plain(lowered)) };
        let programs = Pair::new(&old.program, &new.program);
        let faults = conditioned.iter().enumerate();
        match faults.filter_map(|(index, it)| fault(programs, index, it)).next() {
            Some(fault) => complaint = complaint.or(Some(fault)),
            None => return Ok(Annotated { lowered, conditioned, contracts }),
        }
    }
    Err(complaint.unwrap_or_default())
}

/// The programs in which a pair is restricted to the inputs of its condition, if it has one. Fails if no input meets it.
pub(super) fn restricted(
    programs: &Pair<Program>,
    procedures: Pair<ProcId>,
    conditioned: &[Conditioned],
    options: &Options,
) -> Result<Option<Restricted>, String> {
    let name = &programs.new.procedure(procedures.new).name;
    let is_own = |it: &&Conditioned| it.procedure == *name && it.role != Role::Callee;
    let Some(own) = conditioned.iter().find(is_own) else { return Ok(None) };
    let (number, text) = (own.number, own.text.clone());
    let (Some(old), Some(new)) = (programs.old.condition(number), programs.new.condition(number)) else {
        return Err(format!("--under '{text}': it could not be understood"));
    };
    if own.role == Role::Given && is_never_met(&programs.new, number, options) {
        return Err(format!("--under '{text}': no input of `{name}` meets it"));
    }
    let told_apart = told_apart(programs, conditioned);
    let programs = told_apart.as_ref().unwrap_or(programs);
    let with_instances = instances(programs, procedures, own);
    let programs = Pair::new(
        rewrite::restrict(&programs.old, procedures.old, old),
        rewrite::restrict(&programs.new, procedures.new, new),
    );
    Ok(Some(Restricted { text, number, programs, with_instances }))
}

/// The programs whose loops assume of their indices what the condition says of all numbers, if it does.
fn instances(programs: &Pair<Program>, procedures: Pair<ProcId>, own: &Conditioned) -> Option<Pair<Program>> {
    let (_, number) = own.instance.as_ref()?;
    if fault(programs.as_ref(), *number, own).is_some() {
        return None;
    }
    let version = |program: &Program, id: ProcId| Some((id, program.condition(*number)?));
    let (old, new) = (version(&programs.old, procedures.old)?, version(&programs.new, procedures.new)?);
    let mut names = rewrite::index_names(&programs.old, old.0, old.1);
    names.extend(rewrite::index_names(&programs.new, new.0, new.1));
    let version =
        |program: &Program, (id, instance)| rewrite::assume_instances(program, id, instance, &names);
    Some(Pair::new(version(&programs.old, old)?, version(&programs.new, new)?))
}

/// The programs in which calls of callees tell the inputs that meet their conditions from the others, if there are any.
pub(super) fn told_apart(programs: &Pair<Program>, conditioned: &[Conditioned]) -> Option<Pair<Program>> {
    let mut found: Option<Pair<Program>> = None;
    for it in conditioned.iter().filter(|it| it.role == Role::Callee) {
        let whole = found.as_ref().unwrap_or(programs);
        if fault(whole.as_ref(), it.number, it).is_some() {
            continue;
        }
        let version = |program: &Program, place: ir::Span| {
            let is_it = |procedure: &ir::Procedure| {
                procedure.span == place
                    && procedure.body.is_some()
                    && !procedure.is_part()
                    && !procedure.is_condition()
            };
            let callee = program.procedures.iter().position(is_it).map(ProcId::from_index)?;
            Some(rewrite::tell_apart(program, callee, program.condition(it.number)?))
        };
        if let (Some(old), Some(new)) =
            (version(&whole.old, it.places.old), version(&whole.new, it.places.new))
        {
            found = Some(Pair::new(old, new));
        }
    }
    found
}

/// The pairs of two programs that have a condition.
fn conditioned(programs: Pair<&Program>, options: &Options) -> Vec<Conditioned> {
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
        found.push(Conditioned::of(procedures, &text).numbered(found.len()));
    }
    found
}

/// What a procedure calls the parameters that the source names.
pub(super) fn parameter_names(procedure: &ir::Procedure) -> Vec<String> {
    let names = procedure.parameters().iter().map(|local| local.name.clone());
    names.filter(|name| name != "this" && !name.starts_with('$')).collect()
}

/// Whether a procedure changes nothing, and calls no code that is not there.
pub(super) fn looks_only(program: &Program, id: ProcId) -> bool {
    let effects = ir::effects(program, id);
    let procedure = program.procedure(id);
    let mut assigns = false;
    ir::for_each_stmt(procedure.body.as_deref().unwrap_or(&[]), &mut |stmt| {
        let assigned = ir::assigned_locals(&stmt.kind);
        assigns |= assigned.into_iter().any(|local| local.index() < procedure.params);
    });
    !assigns
        && effects.writes_globals.is_empty()
        && (effects.writes_regions.is_empty() || writes_own_objects(program, id))
        && effects.prints.is_empty()
        && !effects.frees
        && !effects.calls_out
}

/// Whether all that is written to lies in objects that the same procedure made just before: copies of structs that C passes
/// by value.
fn writes_own_objects(program: &Program, id: ProcId) -> bool {
    ir::reachable(program, id).into_iter().all(|callee| {
        let procedure = program.procedure(callee);
        let body = procedure.body.as_deref().unwrap_or(&[]);
        let (mut made, mut others) = (BTreeSet::new(), BTreeSet::new());
        ir::for_each_stmt(body, &mut |stmt| match &stmt.kind {
            StmtKind::New { local, .. } => drop(made.insert(*local)),
            kind => others.extend(ir::assigned_locals(kind)),
        });
        let is_own = |object: &Expr| match object {
            Expr::Local(local) => {
                local.index() >= procedure.params && made.contains(local) && !others.contains(local)
            }
            _ => false,
        };
        let mut all_own = true;
        ir::for_each_stmt(body, &mut |stmt| {
            all_own &= !matches!(&stmt.kind, StmtKind::Store { object, .. } if !is_own(object));
        });
        all_own
    })
}

/// What the front end is told: in the version whose names are not used, the parameters have those of the other.
fn conditions(conditioned: &[Conditioned], names: Names) -> Pair<Vec<Condition>> {
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
                body: it.body.clone(),
                parameters: is_renamed.then(|| parameters.clone()),
                variable: None,
            }
        };
        let of_one = |it: &Conditioned| {
            it.instance.as_ref().map(|(instance, _)| of_one_number(condition(it), instance.clone()))
        };
        conditioned.iter().map(condition).chain(conditioned.iter().filter_map(of_one)).collect()
    };
    Pair::new(version(ir::Side::Old), version(ir::Side::New))
}

/// What a condition says of one number, for the front end.
pub(super) fn of_one_number(condition: Condition, instance: Instance) -> Condition {
    let variable = ir::Variable { ty: instance.ty, name: contracts::AT.to_owned() };
    Condition { body: Some(instance.body), variable: Some(variable), ..condition }
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
            // The text that was read is not the one that was written where there are quantifiers.
            let is_placed = it.body.is_none()
                && program.files.get(span.file.index()).is_some_and(|name| name == ir::CONDITION_FILE);
            let place = if is_placed { format!("column {}: ", span.column) } else { String::new() };
            return complain(format!("{place}{what}"));
        }
        if !looks_only(program, id) {
            return complain(
                "a condition must not change anything, nor call code that is not there".to_owned(),
            );
        }
    }
    None
}

/// The work for finding out whether any input meets a condition.
const FOR_AN_INPUT: Steps = Steps::of_seconds(2);

/// Whether it was proved that no input meets a condition.
fn is_never_met(program: &Program, index: usize, options: &Options) -> bool {
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
