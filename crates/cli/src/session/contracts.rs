//! Contracts of the sources: what a pair is compared under, what calls may rely on, and what became of each clause.
//!
//! What a procedure requires restricts the inputs of its own pair. Nobody else assumes it: calls tell the inputs that
//! meet it from the others (`rewrite::tell_apart`). What it ensures is assumed after its calls where it was proved
//! (`prove.rs`).

mod modifies;
mod prove;
mod written;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use contracts::ClauseKind;
use ir::{Pair, ProcId, Program, Side};
use report::{ContractOutcome, ContractReport};

use super::{LoweredUnit, Session, restricted_pointers};
use crate::options::Options;
pub(super) use prove::Proved;
use prove::{Answer, Callers, Proofs};
pub(super) use written::{VersionContracts, written};

/// The contracts of one version, as far as they were understood.
pub(super) struct VersionFacts {
    /// The program with a procedure for all that each procedure requires.
    program: Program,
    owners: Vec<Owner>,
    /// What conditions and promises call themselves: its contracts are not used at calls, or they would go in circles.
    consulted: BTreeSet<ProcId>,
    proved: Proofs,
}

/// A procedure with a contract.
struct Owner {
    id: ProcId,
    clauses: Vec<Understood>,
    /// All that it requires.
    condition: Option<ProcId>,
    /// What its clauses run, in normal form, once somebody asked.
    code: OnceLock<String>,
}

/// A clause, and what the front end made of it.
struct Understood {
    kind: ClauseKind,
    file: String,
    line: u32,
    text: String,
    meaning: Result<Option<ProcId>, String>,
}

/// A pair with contracts: the programs to compare, and what is to be said of the clauses.
pub(super) struct Contracted {
    /// Absent where the code is the same: contracts do not make it better.
    pub(super) programs: Option<Pair<Program>>,
    pub(super) findings: Vec<ContractReport>,
    /// What the inputs have to meet, and what the proofs of promises take for granted.
    pub(super) assumptions: Vec<String>,
}

impl VersionFacts {
    /// What is known of the contracts of a version, in its program as it is compared.
    pub(super) fn of(program: &Program, written: &VersionContracts) -> VersionFacts {
        let mut owners = Vec::new();
        let mut program = program.clone();
        for contract in &written.procedures {
            let Some(id) = written::procedure_at(&program, contract) else { continue };
            let clauses = contract.clauses.iter().map(|clause| clause.understood(&program, id)).collect();
            owners.push(Owner { id, clauses, condition: None, code: OnceLock::new() });
        }
        for owner in &mut owners {
            let required: Vec<ProcId> = owner.meant(ClauseKind::Requires).map(|(_, id)| id).collect();
            owner.condition = written::all_of(&mut program, &required);
        }
        let consulted = owners.iter().flat_map(|owner| owner.consulted(&program)).collect();
        VersionFacts { program, owners, consulted, proved: Proofs::default() }
    }

    fn owner(&self, id: ProcId) -> Option<&Owner> {
        self.owners.iter().find(|owner| owner.id == id)
    }

    /// What a procedure ensures, as far as it was understood: the place of each clause, its file, line and text.
    pub(super) fn ensured(&self, id: ProcId) -> Vec<(usize, String, u32, String)> {
        let Some(owner) = self.owner(id) else { return Vec::new() };
        let clauses = owner.meant(ClauseKind::Ensures).enumerate();
        clauses.map(|(at, (clause, _))| (at, clause.file.clone(), clause.line, clause.text.clone())).collect()
    }

    /// A promise of a procedure by its place, and what the procedure requires.
    pub(super) fn promise(&self, id: ProcId, at: usize) -> Option<(ProcId, Option<ProcId>)> {
        let owner = self.owner(id)?;
        let (_, promise) = owner.meant(ClauseKind::Ensures).nth(at)?;
        Some((promise, owner.condition))
    }

    /// The program in which a procedure is run only on what it requires, if it requires something.
    pub(super) fn restricted(&self, id: ProcId) -> Option<Program> {
        let condition = self.owner(id)?.condition?;
        Some(rewrite::restrict(&self.program, id, condition))
    }

    /// The program in which nothing is restricted, and all that a procedure requires, if it requires something.
    pub(super) fn required(&self, id: ProcId) -> Option<(&Program, ProcId)> {
        Some((&self.program, self.owner(id)?.condition?))
    }

    /// The contracts of all that a procedure may run: their words, and the code that gives these a meaning.
    pub(super) fn meaning(&self, id: ProcId) -> String {
        let mut text = String::new();
        for owner in self.reached(id) {
            text += &self.program.procedure(owner.id).name;
            for clause in &owner.clauses {
                text += &format!(" {} {};", clause.kind.name(), clause.text);
            }
            text.push('\n');
            text += owner.code.get_or_init(|| owner.code_of_clauses(&self.program));
        }
        text
    }

    /// The procedures with contracts that one may run.
    fn reached(&self, id: ProcId) -> Vec<&Owner> {
        let reachable = ir::reachable(&self.program, id);
        self.owners.iter().filter(|owner| reachable.contains(&owner.id)).collect()
    }
}

impl Owner {
    /// The clauses of a kind that were understood.
    fn meant(&self, kind: ClauseKind) -> impl Iterator<Item = (&Understood, ProcId)> {
        self.clauses.iter().filter(move |clause| clause.kind == kind).filter_map(|clause| {
            let id = clause.meaning.as_ref().ok()?.as_ref()?;
            Some((clause, *id))
        })
    }

    /// What its clauses call, besides the procedure itself for promises.
    fn consulted(&self, program: &Program) -> BTreeSet<ProcId> {
        let mut consulted = BTreeSet::new();
        for (_, id) in self.meant(ClauseKind::Requires) {
            consulted.extend(ir::reachable(program, id));
        }
        for (_, id) in self.meant(ClauseKind::Ensures) {
            if let Some(without) = rewrite::without_owner(program, id, self.id) {
                consulted.extend(ir::reachable(&without, id));
            }
        }
        consulted
    }

    /// What its clauses run, in normal form: the procedure itself is left out of promises where that can be done.
    fn code_of_clauses(&self, program: &Program) -> String {
        let mut code = String::new();
        for (clause, id) in self.clauses.iter().filter_map(|it| Some((it, (*it.meaning.as_ref().ok()?)?))) {
            let without = match clause.kind {
                ClauseKind::Ensures => rewrite::without_owner(program, id, self.id),
                ClauseKind::Requires | ClauseKind::Modifies | ClauseKind::Other => None,
            };
            code += &ir::print(&ir::normalise(without.as_ref().unwrap_or(program), id));
        }
        code
    }

    fn required(&self) -> Vec<&str> {
        let clauses = self.clauses.iter().filter(|clause| clause.kind == ClauseKind::Requires);
        clauses.map(|clause| clause.text.as_str()).collect()
    }

    fn finding(
        &self,
        clause: &Understood,
        side: &str,
        name: &str,
        outcome: ContractOutcome,
    ) -> ContractReport {
        ContractReport {
            side: side.to_owned(),
            function: name.to_owned(),
            file: clause.file.clone(),
            line: clause.line,
            kind: clause.kind.name().to_owned(),
            clause: clause.text.clone(),
            outcome,
            detail: clause.meaning.as_ref().err().cloned(),
        }
    }
}

impl Session {
    /// The contracts that matter to a pair, if there are any. What they promise is proved the first time.
    pub(super) fn contracted(&self, index: usize) -> Option<&Contracted> {
        let pair = &self.pairs[index];
        pair.contracted.get_or_init(|| self.with_contracts(index)).as_ref()
    }

    /// Whether only some inputs of a pair are compared because its procedures require something.
    pub(super) fn requires_something(&self, index: usize) -> bool {
        let (unit, procedures) = (self.unit_of(index), self.pairs[index].procedures);
        let Some(facts) = unit.contract_facts() else { return false };
        [(&facts.old, procedures.old), (&facts.new, procedures.new)]
            .into_iter()
            .any(|(facts, id)| facts.owner(id).is_some_and(|owner| owner.condition.is_some()))
    }

    fn with_contracts(&self, index: usize) -> Option<Contracted> {
        let (unit, procedures) = (self.unit_of(index), self.pairs[index].procedures);
        let facts = unit.contract_facts()?;
        let facts = Pair::new(&facts.old, &facts.new);
        let reached = facts.zip(procedures).map(|(facts, id)| facts.reached(id));
        if reached.old.is_empty() && reached.new.is_empty() {
            return None;
        }
        let mut assumptions = Vec::new();
        let mut findings = Vec::new();
        let mut promised = Vec::new();
        for side in [Side::Old, Side::New] {
            let (facts, id) = (*facts.get(side), *procedures.get(side));
            let asking = Asking { unit, side, facts, options: &self.options };
            let are_guesses = self.options.assertions.as_ref().is_some_and(|it| it.guesses);
            let proved = match are_guesses && !ir::is_recursive(&facts.program, id) {
                // Too many of them are wrong, and calls are looked into.
                true => Proved::nothing(),
                false => asking.prove(id),
            };
            let program = rewrite::use_promises(&facts.program, &proved.promises);
            findings.extend(asking.own_findings(id, &proved));
            findings.extend(asking.findings_at_calls(id, &program));
            assumptions.extend(proved.assumptions);
            promised.push(program);
        }
        let owners = facts.zip(procedures).map(|(facts, id)| facts.owner(id));
        findings.extend(different_requirements(owners, &procedures, &facts));
        let is_same = ir::same_code(unit.programs.as_ref().zip(procedures));
        if is_same && self.options.assertions.is_none() {
            return Some(Contracted { programs: None, findings, assumptions: Vec::new() });
        }
        let mut promised = promised.into_iter();
        let (Some(old), Some(new)) = (promised.next(), promised.next()) else { return None };
        let mut programs = Pair::new(old, new);
        for callees in told_apart(&facts, &reached, procedures) {
            let conditions = Pair::new(
                facts.old.owner(callees.old).and_then(|owner| owner.condition)?,
                facts.new.owner(callees.new).and_then(|owner| owner.condition)?,
            );
            programs = programs
                .zip(callees.zip(conditions))
                .map(|(program, (callee, condition))| rewrite::tell_apart(&program, callee, condition));
        }
        let under = self.pairs[index].condition.as_ref().map(|restricted| restricted.number);
        let own = owners.map(|owner| owner.and_then(|owner| owner.condition));
        let programs = programs.zip(procedures.zip(own)).map(|(mut program, (id, own))| {
            let given = under.and_then(|number| program.condition(number));
            let conditions: Vec<ProcId> = given.into_iter().chain(own).collect();
            match written::all_of(&mut program, &conditions) {
                Some(condition) => rewrite::restrict(&program, id, condition),
                None => program,
            }
        });
        let views = unit.views.as_ref().map(Pair::as_ref);
        let apart = views.and_then(|views| restricted_pointers::restricted(&programs, procedures, views));
        let programs = apart.map_or(programs, |(programs, _)| programs);
        assumptions.extend(required_of_inputs(owners));
        assumptions.dedup();
        Some(Contracted { programs: Some(programs), findings, assumptions })
    }
}

/// One version whose contracts are asked for.
struct Asking<'s> {
    unit: &'s LoweredUnit,
    side: Side,
    facts: &'s VersionFacts,
    options: &'s Options,
}

impl Asking<'_> {
    /// What became of the clauses of the procedure itself, and of the promises of others that were proved.
    fn own_findings(&self, id: ProcId, proved: &Proved) -> Vec<ContractReport> {
        let mut findings = Vec::new();
        for owner in self.facts.reached(id) {
            let name = &self.facts.program.procedure(owner.id).name;
            for clause in &owner.clauses {
                let (outcome, detail) = match (&clause.meaning, clause.kind) {
                    (Err(_), _) => (ContractOutcome::NotUnderstood, None),
                    (Ok(_), ClauseKind::Requires) => (ContractOutcome::Assumed, None),
                    (Ok(_), ClauseKind::Other) => (ContractOutcome::NotUnderstood, None),
                    (Ok(_), ClauseKind::Modifies) => {
                        modifies::outcome(&self.facts.program, owner.id, &clause.text)
                    }
                    (Ok(promise), ClauseKind::Ensures) => {
                        match promise.and_then(|promise| proved.answers.get(&promise)) {
                            Some(Answer::Proved(_)) => (ContractOutcome::Proved, None),
                            Some(Answer::Refuted(call)) => {
                                (ContractOutcome::Refuted, Some(format!("see `{call}`")))
                            }
                            Some(Answer::NotKnown(why)) => (ContractOutcome::NotProved, Some(why.clone())),
                            None => (ContractOutcome::NotProved, None),
                        }
                    }
                };
                let is_own = owner.id == id;
                let is_used = clause.kind == ClauseKind::Ensures && outcome == ContractOutcome::Proved;
                if is_own || is_used {
                    let finding = owner.finding(clause, self.side.name(), name, outcome);
                    let detail = detail.or(finding.detail.clone());
                    findings.push(ContractReport { detail, ..finding });
                }
            }
        }
        findings
    }

    /// Whether the calls that a procedure makes meet what is required there.
    fn findings_at_calls(&self, id: ProcId, program: &Program) -> Vec<ContractReport> {
        let own = self.facts.owner(id).and_then(|owner| owner.condition);
        let body = self.facts.program.procedure(id).body.as_deref().unwrap_or_default();
        let mut calls = Vec::new();
        ir::for_each_stmt(body, &mut |stmt| {
            if let ir::StmtKind::Call { callee, .. } = &stmt.kind {
                calls.push((*callee, stmt.span));
            }
        });
        let mut findings = Vec::new();
        for (at, (callee, span)) in calls.into_iter().enumerate() {
            let Some(owner) = self.facts.owner(callee) else { continue };
            for (clause, condition) in owner.meant(ClauseKind::Requires) {
                let question = rewrite::met_at_call(program, id, own, (at, condition));
                let (outcome, detail) = match self.ask(question, Callers::Outside) {
                    Answer::Proved(_) => (ContractOutcome::Proved, None),
                    Answer::Refuted(call) => (ContractOutcome::Refuted, Some(format!("see `{call}`"))),
                    Answer::NotKnown(why) => (ContractOutcome::NotProved, Some(why)),
                };
                let file = self.facts.program.files.get(span.file.index()).cloned().unwrap_or_default();
                findings.push(ContractReport {
                    side: self.side.name().to_owned(),
                    function: self.facts.program.procedure(callee).name.clone(),
                    file,
                    line: span.line,
                    kind: "call".to_owned(),
                    clause: clause.text.clone(),
                    outcome,
                    detail,
                });
            }
        }
        findings
    }
}

/// That the versions do not require the same.
fn different_requirements(
    owners: Pair<Option<&Owner>>,
    procedures: &Pair<ProcId>,
    facts: &Pair<&VersionFacts>,
) -> Option<ContractReport> {
    let understood = |owner: Option<&'_ Owner>| -> Vec<String> {
        let clauses = owner.into_iter().flat_map(|owner| owner.meant(ClauseKind::Requires));
        clauses.map(|(clause, _)| clause.text.clone()).collect()
    };
    let required = owners.map(understood);
    let mut sorted = required.clone();
    sorted.old.sort_unstable();
    sorted.new.sort_unstable();
    if sorted.old == sorted.new {
        return None;
    }
    let owner = owners.new.filter(|_| !required.new.is_empty()).or(owners.old)?;
    let (clause, _) = owner.meant(ClauseKind::Requires).next()?;
    let words = |clauses: &[String]| match clauses {
        [] => "nothing".to_owned(),
        some => some.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(" and "),
    };
    let detail = format!(
        "the old version requires {}, the new one {}; only inputs that meet all of it are compared",
        words(&required.old),
        words(&required.new)
    );
    let name = &facts.new.program.procedure(procedures.new).name;
    let finding = owner.finding(clause, "both", name, ContractOutcome::Differs);
    Some(ContractReport { detail: Some(detail), ..finding })
}

/// What the inputs of a pair have to meet, in words.
fn required_of_inputs(owners: Pair<Option<&Owner>>) -> Vec<String> {
    let mut assumptions: Vec<String> = Vec::new();
    for owner in [owners.old, owners.new].into_iter().flatten() {
        for (clause, _) in owner.meant(ClauseKind::Requires) {
            assumptions.push(format!(
                "only inputs that meet `requires {}` ({}:{}) are compared",
                clause.text, clause.file, clause.line
            ));
        }
    }
    assumptions
}

/// The callees whose calls tell apart what they require: both versions require the same, and they are not the same code.
fn told_apart(
    facts: &Pair<&VersionFacts>,
    reached: &Pair<Vec<&Owner>>,
    subject: Pair<ProcId>,
) -> Vec<Pair<ProcId>> {
    let mut found = Vec::new();
    for old in reached.old.iter().filter(|old| old.id != subject.old && old.condition.is_some()) {
        let name = &facts.old.program.procedure(old.id).name;
        let parameters = |program: &Program, id| super::under::parameter_names(program.procedure(id));
        let is_it = |new: &&&Owner| facts.new.program.procedure(new.id).name == *name;
        let Some(new) = reached.new.iter().find(is_it).filter(|new| new.id != subject.new) else { continue };
        let is_alike = new.condition.is_some()
            && old.required() == new.required()
            && parameters(&facts.old.program, old.id) == parameters(&facts.new.program, new.id);
        let is_consulted = facts.old.consulted.contains(&old.id) || facts.new.consulted.contains(&new.id);
        let code = Pair::new((&facts.old.program, old.id), (&facts.new.program, new.id));
        if is_alike && !is_consulted && !ir::same_code(code) {
            found.push(Pair::new(old.id, new.id));
        }
    }
    found
}
