//! Likely assertions of the procedures of a version, from runs.

use ir::{Pair, ProcId, Program};
use properties::{Likely, Moment};
use report::PairHeader;

use super::Session;
use super::assertions::type_text;
use crate::wire::{Answer, AssertionAnswer, LikelyClause, LikelyClauses};

/// A procedure that is looked at.
pub(super) struct Looked {
    unit: usize,
    procedure: ProcId,
}

impl Session {
    /// Lists the procedures of a unit whose assertions are to be guessed.
    pub(super) fn add_proposals(&mut self, unit: usize, selected: &[ProcId]) {
        let program = &self.units[unit].programs.new;
        for procedure in selected.iter().copied() {
            let its = program.procedure(procedure);
            let is_written = !its.span.is_nowhere() && !its.is_part() && !its.short_name.starts_with('<');
            if its.body.is_none() || !is_written || ir::effects(program, procedure).unsupported {
                continue;
            }
            let subject = check::Subject::new(program, procedure);
            self.listing.pairs.push(PairHeader::new(Pair::new(subject, subject)));
            self.looked.push(Looked { unit, procedure });
        }
    }

    /// What held in all runs of a procedure.
    pub(super) fn guess(&self, index: usize) -> Answer {
        let Looked { unit, procedure } = &self.looked[index];
        let lowered = &self.units[*unit];
        let restricted = lowered.contract_facts().and_then(|facts| facts.new.restricted(*procedure));
        let program = restricted.as_ref().unwrap_or(&lowered.programs.new);
        let found = properties::likely(program, *procedure, self.options.numbers(), self.options.seed);
        let likely = clauses(&lowered.programs.new, *procedure, found);
        let report = self.listing.pairs[index].clone().unknown(Vec::new(), self.reported_config(), 0.0);
        let assertion = AssertionAnswer { likely: Some(likely), ..AssertionAnswer::default() };
        Answer { assertion: Some(assertion), ..Answer::only(report) }
    }
}

fn clauses(program: &Program, id: ProcId, found: Vec<Likely>) -> LikelyClauses {
    let procedure = program.procedure(id);
    let span = procedure.span;
    let told = |ty: &ir::Type| type_text(program, ty).unwrap_or_default();
    let named = procedure.locals.iter().filter(|it| it.name != "this" && !it.name.starts_with('$'));
    LikelyClauses {
        function: procedure.name.clone(),
        file: program.files.get(span.file.index()).cloned().unwrap_or_default(),
        start: (span.line, span.column),
        end: (span.end_line, span.end_column),
        variables: named.map(|it| (it.name.clone(), told(&it.ty))).chain(members(program, id)).collect(),
        result: procedure.result.as_ref().map(told).unwrap_or_default(),
        has_receiver: procedure.locals.first().is_some_and(|it| it.name == "this"),
        is_recursive: ir::is_recursive(program, id),
        clauses: found
            .into_iter()
            .map(|Likely { weight, moment, clause }| LikelyClause {
                weight,
                line: match moment {
                    Moment::End => None,
                    Moment::Loop(line) => Some(line),
                },
                clause,
            })
            .collect(),
    }
}

/// The fields of the receiver and the globals, as clauses name them, with their types.
fn members(program: &Program, id: ProcId) -> Vec<(String, String)> {
    let told = |ty: &ir::Type| type_text(program, ty).unwrap_or_default();
    let mut found = Vec::new();
    if let Some(ir::Local { name, ty: ir::Type::Ref(ir::Target::Shape(shape)) }) =
        program.procedure(id).locals.first()
        && name == "this"
        && let ir::Cells::Fields(regions) = &program.shape(*shape).cells
    {
        for region in regions.iter().map(|region| program.region(*region)) {
            let short = region.name.rsplit('.').next().unwrap_or_default();
            found.push((format!("this.{short}"), told(&region.value)));
        }
    }
    found.extend(program.globals.iter().map(|global| (global.name.clone(), told(&global.ty))));
    found
}
