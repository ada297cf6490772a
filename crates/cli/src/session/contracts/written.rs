//! Which procedure each contract is about, and what the front end made of its clauses.

use contracts::{Clause, ClauseKind, Contract, OLD, RESULT};
use ir::{Condition, Language, Postcondition, ProcId, Program, Span};

use super::Understood;
use crate::job::Sources;
use crate::session::under::{looks_only, parameter_names};

/// The contracts in the sources of one version.
#[derive(Clone, Debug, Default)]
pub(in crate::session) struct VersionContracts {
    pub(super) procedures: Vec<WrittenContract>,
    /// Clauses that stand before no procedure with a body, as notes.
    pub(in crate::session) notes: Vec<String>,
}

/// The contract of a procedure.
#[derive(Clone, Debug)]
pub(super) struct WrittenContract {
    place: Span,
    pub(super) clauses: Vec<WrittenClause>,
}

/// A clause, and its place in the list of conditions or of postconditions that the front end gets.
#[derive(Clone, Debug)]
pub(super) struct WrittenClause {
    clause: Clause,
    file: String,
    number: usize,
}

/// Finds the procedures that the contracts of the sources are about.
pub(in crate::session) fn written(
    program: &Program,
    language: Language,
    sources: &Sources,
) -> VersionContracts {
    let mut found = VersionContracts::default();
    for file in &sources.files {
        let contracts = match language {
            Language::Java => contracts::read(language, &file.text),
            Language::C => file.contracts.clone(),
        };
        if !program.files.contains(&file.name) {
            continue;
        }
        for contract in contracts {
            match owner(program, &file.name, &contract) {
                Some(place) => {
                    let written_in = contract.header.clone().unwrap_or_else(|| file.name.clone());
                    found.add(place, &written_in, contract);
                }
                // Headers declare what other files define.
                None if contract.header.is_some() => {}
                None if contract.declaration.as_ref().is_some_and(|it| it.is_around) => {}
                None => found.notes.extend(notes(&file.name, &contract)),
            }
        }
    }
    found
}

/// The place of the procedure with a body that a contract stands before.
fn owner(program: &Program, file: &str, contract: &Contract) -> Option<Span> {
    let declaration = contract.declaration.as_ref()?;
    let is_it = |procedure: &&ir::Procedure| {
        let name = match procedure.short_name.as_str() {
            "<init>" => procedure.class().and_then(|class| class.rsplit(['.', '$']).next()),
            name => Some(name),
        };
        procedure.body.is_some()
            && !procedure.is_part()
            && match declaration.is_around {
                true => (procedure.span.line..=procedure.span.end_line).contains(&declaration.line),
                false => procedure.span.line == declaration.line,
            }
            && program.files.get(procedure.span.file.index()).is_some_and(|name| name == file)
            && name == Some(declaration.name.as_str())
    };
    // A prototype speaks of the function in the same file, by the names that its parameters have there.
    let is_declared = |procedure: &&ir::Procedure| {
        procedure.body.is_some()
            && !procedure.is_part()
            && procedure.short_name == declaration.name
            && declaration.prototype.as_ref() == Some(&parameter_names(procedure))
            && program.files.get(procedure.span.file.index()).is_some_and(|name| name == file)
    };
    let is_meant = |procedure: &&ir::Procedure| match declaration.prototype {
        Some(_) => is_declared(procedure),
        None => is_it(procedure),
    };
    let mut places: Vec<Span> = program.procedures.iter().filter(is_meant).map(|it| it.span).collect();
    places.dedup();
    // Of those inside each other the inner one is meant.
    let innermost = places.iter().map(|place| place.line).max();
    places.retain(|place| !declaration.is_around || Some(place.line) == innermost);
    match places.as_slice() {
        [place] => Some(*place),
        _ => None,
    }
}

/// That a demand or promise stands where it is about no code.
fn notes(file: &str, contract: &Contract) -> Vec<String> {
    let clauses = contract.clauses.iter().filter(|clause| clause.kind != ClauseKind::Other);
    let note = |clause: &Clause| {
        let (line, kind, text) = (clause.line, clause.kind.name(), &clause.text);
        format!("{file}:{line}: `{kind} {text}` stands before no procedure with a body; it is not used")
    };
    clauses.map(note).collect()
}

impl VersionContracts {
    pub(in crate::session) fn is_empty(&self) -> bool {
        self.procedures.is_empty()
    }

    fn add(&mut self, place: Span, file: &str, contract: Contract) {
        let is_known = |it: &&mut WrittenContract| it.place == place;
        let counts = [ClauseKind::Requires, ClauseKind::Ensures].map(|kind| {
            let all = self.procedures.iter().flat_map(|it| &it.clauses);
            all.filter(|clause| clause.clause.kind == kind).count()
        });
        let [mut requires, mut ensures] = counts;
        let mut count = |kind: ClauseKind| {
            let number = match kind {
                ClauseKind::Requires => &mut requires,
                ClauseKind::Ensures => &mut ensures,
                ClauseKind::Modifies | ClauseKind::Other => return 0,
            };
            *number += 1;
            *number - 1
        };
        let clauses = contract.clauses.into_iter();
        let clauses: Vec<WrittenClause> = clauses
            .map(|clause| WrittenClause { number: count(clause.kind), clause, file: file.to_owned() })
            .collect();
        match self.procedures.iter_mut().find(is_known) {
            Some(known) => known.clauses.extend(clauses),
            None => self.procedures.push(WrittenContract { place, clauses }),
        }
    }

    /// The clauses of a kind in the order of their numbers.
    fn of_kind(&self, kind: ClauseKind) -> impl Iterator<Item = (Span, &Clause)> {
        let all = self.procedures.iter().flat_map(|it| it.clauses.iter().map(|clause| (it.place, clause)));
        let mut found: Vec<(Span, &WrittenClause)> =
            all.filter(|(_, clause)| clause.clause.kind == kind).collect();
        found.sort_by_key(|(_, clause)| clause.number);
        found.into_iter().map(|(place, clause)| (place, &clause.clause))
    }

    /// What is required, for the front end.
    pub(in crate::session) fn conditions(&self) -> Vec<Condition> {
        let condition = |(procedure, clause): (Span, &Clause)| Condition {
            procedure,
            text: clause.meaning.as_ref().map(|it| it.expression.clone()).unwrap_or_default(),
            body: clause.meaning.as_ref().ok().and_then(|it| it.body.clone()),
            parameters: None,
            variable: None,
        };
        self.of_kind(ClauseKind::Requires).map(condition).collect()
    }

    /// What is ensured, for the front end.
    pub(in crate::session) fn postconditions(&self) -> Vec<Postcondition> {
        let promise = |(procedure, clause): (Span, &Clause)| {
            let meaning = clause.meaning.clone().unwrap_or_default();
            let olds = meaning.olds.into_iter().enumerate();
            Postcondition {
                procedure,
                text: meaning.expression,
                body: meaning.body,
                result: meaning.uses_result.then(|| RESULT.to_owned()),
                before: olds.map(|(at, text)| (format!("{OLD}{at}"), text)).collect(),
            }
        };
        self.of_kind(ClauseKind::Ensures).map(promise).collect()
    }

    /// The numbers of conditions come after others that the front end gets.
    pub(in crate::session) fn number_from(&mut self, first: usize) {
        let clauses = self.procedures.iter_mut().flat_map(|it| &mut it.clauses);
        clauses
            .filter(|clause| clause.clause.kind == ClauseKind::Requires)
            .for_each(|clause| clause.number += first);
    }
}

/// The procedure that a contract is about, in a program that was lowered from the same text.
pub(super) fn procedure_at(program: &Program, contract: &WrittenContract) -> Option<ProcId> {
    let is_it = |it: &ir::Procedure| it.span == contract.place && it.body.is_some() && !it.is_part();
    program.procedures.iter().position(is_it).map(ProcId::from_index)
}

impl WrittenClause {
    /// What the front end made of the clause, or why it cannot be used.
    pub(super) fn understood(&self, program: &Program, owner: ProcId) -> Understood {
        let Clause { kind, line, text, meaning } = self.clause.clone();
        let meaning = meaning.and_then(|_| match kind {
            ClauseKind::Requires => requirement(program, owner, program.condition(self.number)).map(Some),
            ClauseKind::Ensures => promise(program, owner, program.postcondition(self.number)).map(Some),
            ClauseKind::Modifies | ClauseKind::Other => Ok(None),
        });
        Understood { kind, file: self.file.clone(), line, text, meaning }
    }
}

fn requirement(program: &Program, owner: ProcId, id: Option<ProcId>) -> Result<ProcId, String> {
    let id = id.ok_or("it is no expression")?;
    if let Some(gap) = gap(program, id) {
        return Err(gap);
    }
    if !looks_only(program, id) {
        return Err("it changes something, or calls code that is not there".to_owned());
    }
    if ir::reachable(program, id).contains(&owner) {
        return Err("it calls the procedure itself".to_owned());
    }
    Ok(id)
}

fn promise(program: &Program, owner: ProcId, id: Option<ProcId>) -> Result<ProcId, String> {
    let id = id.ok_or("it is no expression, or is not about a method with a result")?;
    if let Some(gap) = own_gap(program, id) {
        return Err(gap);
    }
    let Some(without) = rewrite::without_owner(program, id, owner) else {
        return Err("a call may run another method".to_owned());
    };
    if let Some(gap) = gap(&without, id) {
        return Err(gap);
    }
    if !looks_only(&without, id) {
        return Err("it changes something, or calls code that is not there".to_owned());
    }
    match ir::reachable(&without, id).contains(&owner) {
        true => Err("it calls the procedure itself".to_owned()),
        false => Ok(id),
    }
}

/// What a front end could not lower of a procedure or of what it calls.
fn gap(program: &Program, id: ProcId) -> Option<String> {
    ir::reachable(program, id).into_iter().find_map(|id| own_gap(program, id))
}

fn own_gap(program: &Program, id: ProcId) -> Option<String> {
    let mut gap = None;
    ir::for_each_stmt(program.procedure(id).body.as_deref().unwrap_or(&[]), &mut |stmt| {
        if let ir::StmtKind::Unsupported { what } = &stmt.kind {
            gap.get_or_insert(what.clone());
        }
    });
    gap
}

/// The procedure for that all of some conditions hold; absent if there are none.
pub(super) fn all_of(program: &mut Program, conditions: &[ProcId]) -> Option<ProcId> {
    match conditions {
        [] => None,
        [only] => Some(*only),
        several => {
            let cube = several.iter().map(|id| (*id, true)).collect();
            let (combined, id) = rewrite::combine(program, &[cube], false);
            *program = combined;
            Some(id)
        }
    }
}
