//! The atoms of a pair: their texts, and the procedures that front ends make of them.

use std::collections::BTreeSet;

use check::CheckConfig;
use infer::{
    Atom, Atoms, SourceProcedure, names_member, negation, private_elsewhere, source_atoms, templates,
    term_atoms, thresholds,
};
use interp::Input;
use ir::{Condition, Language, Pair, ProcId, Program, Span, StmtKind};

use super::fresh;
use super::texts::numbered_from;
use crate::job::{Sources, Unit};
use crate::lower;
use crate::session::{Session, prepared, under};

/// Atoms of a pair, at the most, and of its sources.
const MOST_ATOMS: usize = 120;
const MOST_OF_SOURCE: usize = 60;
/// What is written in the program is chosen before what follows from it.
const COST_OF_SOURCE: u32 = 10;
const COST_OF_TERM: u32 = 12;
const COST_OF_BOUND: u32 = 15;

/// The atoms of a pair.
pub(super) struct AtomList {
    pub(super) atoms: Vec<Atom>,
    /// So many of them, at the start, come from the sources and from what they mean.
    pub(super) written: usize,
}

/// Whether atoms are looked for in what the versions compute, and not only in how they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    LeftOut,
    LookedAt,
}

/// Both versions with procedures for atoms.
pub(super) struct Understood {
    pub(super) programs: Pair<Program>,
    pub(super) ids: Pair<ProcId>,
    pub(super) atoms: Vec<Atom>,
    procedures: Vec<Pair<ProcId>>,
}

impl Understood {
    pub(super) fn subjects(&self) -> Pair<check::Subject<'_>> {
        ir::subjects(&self.programs, self.ids)
    }

    pub(super) fn given(&self) -> Atoms<'_> {
        Atoms { atoms: &self.atoms, procedures: &self.procedures }
    }
}

impl Session {
    /// The atoms of a pair: those of its sources first, then those of its terms, then those that fit its parameters.
    pub(super) fn atoms(
        &self,
        unit: &Unit,
        index: usize,
        known: &Input,
        terms: Meaning,
        config: &CheckConfig,
    ) -> AtomList {
        let pair = self.subjects(index);
        let has_floats = has_floats(pair);
        let mut texts: Vec<String> = Vec::new();
        for (subject, sources) in [(pair.new, &unit.new), (pair.old, &unit.old)] {
            let written = written_procedures(unit.language, subject.program, sources);
            let this = written.iter().find(|(span, _)| *span == subject.procedure().span);
            let others: Vec<SourceProcedure> =
                written.iter().map(|(_, procedure)| procedure.clone()).collect();
            if let Some((_, procedure)) = this {
                texts.extend(source_atoms(procedure, &others));
            }
        }
        let atom = |text: &String, cost: u32| Atom {
            text: text.clone(),
            negation: negation(text, has_floats),
            cost: cost + (text.len() / 12) as u32,
        };
        let of_terms = match terms {
            Meaning::LeftOut => Vec::new(),
            Meaning::LookedAt => {
                let config = CheckConfig { budget: fresh(config, &self.options), ..config.clone() };
                term_atoms(pair, &self.cell_names(index), &config)
            }
        };
        let mut atoms: Vec<Atom> = texts.iter().map(|text| atom(text, COST_OF_SOURCE)).collect();
        atoms.truncate(MOST_OF_SOURCE);
        atoms.extend(of_terms.iter().map(|text| atom(text, COST_OF_TERM)));
        let bounds = thresholds(pair, known, &self.cell_names(index), config);
        atoms.extend(bounds.iter().map(|text| atom(text, COST_OF_BOUND)));
        let mut written = atoms.len();
        atoms.extend(templates(pair, has_floats));
        if unit.language == Language::Java {
            let texts = unit.old.files.iter().chain(&unit.new.files).map(|file| file.text.as_str());
            let refused = private_elsewhere(texts, &pair.new.procedure().name);
            keep(&mut atoms, &mut written, |atom| !names_member(&atom.text, &refused));
        }
        let mut seen = BTreeSet::new();
        keep(&mut atoms, &mut written, |atom| seen.insert(atom.text.clone()));
        atoms.truncate(MOST_ATOMS);
        AtomList { written: written.min(atoms.len()), atoms }
    }

    /// Both versions with procedures for conditions on the inputs of a pair, in the words of the new version.
    pub(super) fn lowered_with(
        &self,
        index: usize,
        unit: &Unit,
        texts: &[&str],
        callees: &[under::Conditioned],
    ) -> Option<Pair<lower::Lowered>> {
        let procedures = self.subjects(index).map(|subject| subject.procedure());
        let parameters = under::parameter_names(procedures.new);
        let conditions = procedures.map(|procedure| {
            let is_renamed = under::parameter_names(procedure) != parameters;
            let condition = |text: &&str| Condition {
                procedure: procedure.span,
                text: (*text).to_owned(),
                body: quantified(unit.language, text).and_then(|meaning| meaning.body),
                parameters: is_renamed.then(|| parameters.clone()),
                variable: None,
            };
            texts.iter().map(condition).collect::<Vec<Condition>>()
        });
        // What the first one says of one number comes last.
        let of_one = texts.first().and_then(|text| quantified(unit.language, text)?.instance);
        let first = conditions.as_ref().map(|list| list.first().cloned());
        let of_callees = |side: ir::Side| callees.iter().map(move |it| it.condition(side));
        let mut conditions = conditions;
        conditions.old.extend(of_callees(ir::Side::Old));
        conditions.new.extend(of_callees(ir::Side::New));
        if let (Some(of_one), Some(old), Some(new)) = (of_one, first.old, first.new) {
            conditions.old.push(under::of_one_number(old, of_one.clone()));
            conditions.new.push(under::of_one_number(new, of_one));
        }
        let sources = Pair::new(unit.old.clone(), unit.new.clone());
        let given = conditions.as_ref().map(|list| &list[..]);
        let lowered = lower::lower(unit.language, sources, given, &under::front_ends(&self.options, false));
        Some(Pair::new(lowered.old.ok()?, lowered.new.ok()?))
    }

    /// Both versions with procedures for atoms, and the atoms that both of them understand.
    /// Calls of the given callees tell the inputs that meet their conditions from the others.
    pub(super) fn with_atoms(
        &self,
        index: usize,
        unit: &Unit,
        atoms: &[Atom],
        callees: &[under::Conditioned],
    ) -> Option<Understood> {
        let names = self.subjects(index).map(|subject| subject.procedure().name.clone());
        let texts: Vec<&str> = atoms.iter().map(|atom| atom.text.as_str()).collect();
        let callees = numbered_from(callees, texts.len());
        let lowered = self.lowered_with(index, unit, &texts, &callees)?;
        let programs = prepared(Pair::new(lowered.old.program, lowered.new.program), &self.options).programs;
        let programs = under::told_apart(&programs, &callees).unwrap_or(programs);
        let ids =
            Pair::new(programs.old.procedure_named(&names.old)?, programs.new.procedure_named(&names.new)?);
        let (atoms, procedures) = atoms
            .iter()
            .enumerate()
            .filter_map(|(at, atom)| Some((atom.clone(), usable(&programs, at)?)))
            .unzip();
        Some(Understood { programs, ids, atoms, procedures })
    }
}

/// What a condition with quantifiers says, if that is understood.
pub(super) fn quantified(language: Language, text: &str) -> Option<contracts::Meaning> {
    contracts::quantified(language, text)?.ok()
}

/// Keeps some atoms, and counts those at the start.
fn keep(atoms: &mut Vec<Atom>, written: &mut usize, mut is_kept: impl FnMut(&Atom) -> bool) {
    let (mut at, first) = (0, *written);
    atoms.retain(|atom| {
        let is_kept = is_kept(atom);
        *written -= usize::from(at < first && !is_kept);
        at += 1;
        is_kept
    });
}

/// Whether comparisons may meet NaN.
pub(super) fn has_floats(pair: Pair<check::Subject<'_>>) -> bool {
    let is_float = |ty: &ir::Type| matches!(ty, ir::Type::Float(_));
    pair.new.program.regions.iter().any(|region| is_float(&region.value))
        || [pair.old, pair.new].iter().any(|it| it.procedure().locals.iter().any(|local| is_float(&local.ty)))
}

/// The procedures of an atom, if both versions understand it and it only looks.
fn usable(programs: &Pair<Program>, at: usize) -> Option<Pair<ProcId>> {
    let of = |program: &Program| {
        let id = program.condition(at)?;
        let mut has_gap = false;
        ir::for_each_stmt(program.procedure(id).body.as_deref()?, &mut |stmt| {
            has_gap |= matches!(stmt.kind, StmtKind::Unsupported { .. });
        });
        (!has_gap && under::looks_only(program, id)).then_some(id)
    };
    Some(Pair::new(of(&programs.old)?, of(&programs.new)?))
}

/// The procedures of a version as they are written, with their places.
pub(super) fn written_procedures(
    language: Language,
    program: &Program,
    sources: &Sources,
) -> Vec<(Span, SourceProcedure)> {
    let c_texts = match language {
        Language::C => frontend_c::function_texts(&lower::c_files(&sources.files)),
        Language::Java => Vec::new(),
    };
    let text_of = |span: Span| match language {
        Language::C => c_texts.iter().find(|(at, _)| *at == span).map(|(_, text)| text.clone()),
        Language::Java => {
            let name = program.files.get(span.file.index())?;
            let file = sources.files.iter().find(|file| file.name == *name)?;
            Some(slice(&file.text, span))
        }
    };
    let with_body = program.procedures.iter().filter(|procedure| procedure.body.is_some());
    with_body
        .filter_map(|procedure| {
            let text = text_of(procedure.span)?;
            let (name, parameters) = (procedure.short_name.clone(), under::parameter_names(procedure));
            Some((procedure.span, SourceProcedure { name, parameters, text }))
        })
        .collect()
}

/// The lines of a text that a span covers.
fn slice(text: &str, span: Span) -> String {
    let (first, last) = (span.line.max(1) as usize, span.end_line.max(1) as usize);
    let mut lines: Vec<&str> = text.lines().skip(first - 1).take(last + 1 - first.min(last)).collect();
    let cut = |line: &'_ str, column: u32| {
        line.char_indices().nth(column as usize - 1).map_or(line.len(), |(at, _)| at)
    };
    if let Some(end) = lines.last_mut() {
        *end = &end[..cut(end, span.end_column.max(1))];
    }
    if let Some(start) = lines.first_mut() {
        let at = cut(start, span.column.max(1));
        *start = &start[at..];
    }
    lines.join("\n")
}
