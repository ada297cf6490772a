//! Under which inputs the versions of a pair do the same: atoms from the sources, conditions from `infer`, and each
//! condition proved again as it is written.

use budget::{Budget, Steps};
use check::{CheckConfig, Everywhere, Verdict, check_pair, differ_everywhere};
use infer::{
    Atom, Atoms, Formula, SourceProcedure, infer, names_member, negation, private_elsewhere, source_atoms,
    templates, term_atoms,
};
use interp::Input;
use ir::{Condition, Language, Pair, ProcId, Program, Span, StmtKind};

use super::{Session, open, prepared, select, under};
use crate::job::{Job, Sources, Unit};
use crate::lower;
use crate::options::{Options, Under};

/// Under which inputs the versions do the same, and under which they differ; in the words of the program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Found {
    pub(super) same_when: Option<String>,
    pub(super) different_when: Option<String>,
    /// One is the negation of the other.
    pub(super) exact: bool,
    /// What the proofs of both take for granted.
    pub(super) assumptions: Vec<String>,
}

/// Atoms of a pair, at the most, and of its sources.
const MOST_ATOMS: usize = 120;
const MOST_OF_SOURCE: usize = 60;
/// The share of what is left that a proof of a text may take.
const SHARE_OF_A_TEXT: f64 = 0.5;
/// What is written in the program is chosen before what follows from it.
const COST_OF_SOURCE: u32 = 10;
const COST_OF_TERM: u32 = 12;

impl Session {
    /// Infers conditions for a pair whose versions differ on an input.
    pub(super) fn conditions(&self, index: usize, known: &Input, config: &CheckConfig) -> Option<Found> {
        // Of other classes, and of runs that do not end, nothing is proved of the other side.
        if !self.options.under.is_empty() || config.total || config.open_world {
            return None;
        }
        let unit = self.sources.get(self.pairs[index].unit)?;
        let pair = self.subjects(index);
        let procedures = pair.map(|subject| subject.procedure());
        let names = procedures.map(|procedure| procedure.name.clone());
        let has_floats = pair.new.program.regions.iter().any(|region| is_float(&region.value))
            || [pair.old, pair.new]
                .iter()
                .any(|it| it.procedure().locals.iter().any(|local| is_float(&local.ty)));
        let atoms = self.atoms(unit, pair, has_floats, config);
        let parameters = under::parameter_names(procedures.new);
        let conditions = procedures.map(|procedure| {
            let is_renamed = under::parameter_names(procedure) != parameters;
            let condition = |atom: &Atom| Condition {
                procedure: procedure.span,
                text: atom.text.clone(),
                parameters: is_renamed.then(|| parameters.clone()),
            };
            atoms.iter().map(condition).collect::<Vec<Condition>>()
        });
        let sources = Pair::new(unit.old.clone(), unit.new.clone());
        let given = conditions.as_ref().map(|list| &list[..]);
        let lowered = lower::lower(unit.language, sources, given, &self.options.c_options());
        let (Ok(old), Ok(new)) = (lowered.old, lowered.new) else { return None };
        let programs = prepared(Pair::new(old.program, new.program), &self.options).programs;
        let ids =
            Pair::new(programs.old.procedure_named(&names.old)?, programs.new.procedure_named(&names.new)?);
        let (atoms, procedures): (Vec<Atom>, Vec<Pair<ProcId>>) = atoms
            .into_iter()
            .enumerate()
            .filter_map(|(at, atom)| Some((atom, usable(&programs, at)?)))
            .unzip();
        let budget = Budget::new(Steps::new(self.options.effort), config.budget.kill().clone());
        let config = CheckConfig { budget, ..config.clone() };
        let subjects = ir::subjects(&programs, ids);
        let given = Atoms { atoms: &atoms, procedures: &procedures };
        let mut inferred = infer(subjects, given, std::slice::from_ref(known), &config);
        tracing::debug!(target: "conditions", atoms = atoms.len(), rounds = inferred.rounds);
        let name = select::name_of(Pair::new(names.old.as_str(), names.new.as_str()));
        // All proofs of texts together get as much again.
        let config = CheckConfig { budget: fresh(&config, &self.options), ..config };
        let (never, always) = constants(unit.language);
        let mut found = Found::default();
        if inferred.different.is_always() {
            if let Some((assumptions, _)) = self.differ_under(unit, &name, None, &config) {
                let (same_when, different_when) = (Some(never.to_owned()), Some(always.to_owned()));
                return Some(Found { same_when, different_when, exact: true, assumptions });
            }
            return Some(found);
        }
        for (place, same) in with_parts(&inferred.same).iter().enumerate() {
            let text = same.text(&atoms);
            if let Some(assumptions) = self.same_under(unit, &name, &text, &config) {
                found.same_when = Some(text);
                found.assumptions.extend(assumptions);
                inferred.is_exact &= place == 0;
                break;
            }
        }
        if !inferred.different.is_never() {
            let text = inferred.different.text(&atoms);
            if let Some((assumptions, _)) = self.differ_under(unit, &name, Some(&text), &config) {
                found.different_when = Some(text);
                found.assumptions.extend(assumptions);
            }
        }
        if inferred.is_exact
            && found.different_when.is_some()
            && let Some(same) = &found.same_when
            && let Some(assumptions) = self.differ_outside(index, unit, same, &config)
        {
            found.exact = true;
            found.assumptions.extend(assumptions);
        }
        Some(found)
    }

    /// The atoms of a pair: those of its sources first, then those that fit its parameters.
    fn atoms(
        &self,
        unit: &Unit,
        pair: Pair<check::Subject<'_>>,
        has_floats: bool,
        config: &CheckConfig,
    ) -> Vec<Atom> {
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
        let of_terms =
            term_atoms(pair, &CheckConfig { budget: fresh(config, &self.options), ..config.clone() });
        let mut atoms: Vec<Atom> = texts.iter().map(|text| atom(text, COST_OF_SOURCE)).collect();
        atoms.truncate(MOST_OF_SOURCE);
        atoms.extend(of_terms.iter().map(|text| atom(text, COST_OF_TERM)));
        atoms.extend(templates(pair, has_floats));
        if unit.language == Language::Java {
            let texts = unit.old.files.iter().chain(&unit.new.files).map(|file| file.text.as_str());
            let refused = private_elsewhere(texts, &pair.new.procedure().name);
            atoms.retain(|atom| !names_member(&atom.text, &refused));
        }
        let mut seen = std::collections::BTreeSet::new();
        atoms.retain(|atom| seen.insert(atom.text.clone()));
        atoms.truncate(MOST_ATOMS);
        atoms
    }

    /// A session about one procedure under a condition, as somebody would ask for it.
    pub(super) fn under(&self, unit: &Unit, procedure: &str, text: Option<&str>) -> Option<Session> {
        let under = text.map(|text| Under { procedure: None, text: text.to_owned() }).into_iter().collect();
        let options = Options {
            function: Some(procedure.to_owned()),
            under,
            infer: false,
            explain: false,
            dump: None,
            trace: false,
            ..self.options.clone()
        };
        open(Job { units: vec![unit.clone()], options }).ok().filter(|session| session.pairs() == 1)
    }

    /// What the proof that the versions do the same under a condition takes for granted; `None` if there is none.
    pub(super) fn same_under(
        &self,
        unit: &Unit,
        procedure: &str,
        text: &str,
        config: &CheckConfig,
    ) -> Option<Vec<String>> {
        let session = self.under(unit, procedure, Some(text))?;
        let config = CheckConfig { budget: config.budget.share(SHARE_OF_A_TEXT), ..config.clone() };
        let judged = session.judge(0, &config, &mut |_| {});
        match &judged.checked.verdict {
            Verdict::Equivalent(proof) => Some([proof.assumptions(), &judged.taken_for_granted].concat()),
            Verdict::Different(_) | Verdict::Unknown(_) => None,
        }
    }

    /// Both versions, restricted to the inputs on which none of some conditions holds: each of them does not, or fails.
    fn outside(&self, index: usize, unit: &Unit, texts: &[&str]) -> Option<(Pair<Program>, Pair<ProcId>)> {
        let procedures = self.subjects(index).map(|subject| subject.procedure());
        let parameters = under::parameter_names(procedures.new);
        let conditions = procedures.map(|procedure| {
            let is_renamed = under::parameter_names(procedure) != parameters;
            let condition = |text: &&str| Condition {
                procedure: procedure.span,
                text: (*text).to_owned(),
                parameters: is_renamed.then(|| parameters.clone()),
            };
            texts.iter().map(condition).collect::<Vec<Condition>>()
        });
        let sources = Pair::new(unit.old.clone(), unit.new.clone());
        let given = conditions.as_ref().map(|list| &list[..]);
        let lowered = lower::lower(unit.language, sources, given, &self.options.c_options());
        let (Ok(old), Ok(new)) = (lowered.old, lowered.new) else { return None };
        let programs = prepared(Pair::new(old.program, new.program), &self.options).programs;
        let outside = |program: &Program, name: &str| {
            let procedure = program.procedure_named(name)?;
            let met = (0..texts.len()).map(|at| Some(vec![(program.condition(at)?, true)]));
            let (program, unmet) = rewrite::combine(program, &met.collect::<Option<Vec<_>>>()?, true);
            Some((rewrite::restrict(&program, procedure, unmet), procedure))
        };
        let (old, old_id) = outside(&programs.old, &procedures.old.name)?;
        let (new, new_id) = outside(&programs.new, &procedures.new.name)?;
        Some((Pair::new(old, new), Pair::new(old_id, new_id)))
    }

    /// What the proof that they differ everywhere where a condition does not hold as it is written, or fails, takes for
    /// granted; `None` if there is none.
    fn differ_outside(
        &self,
        index: usize,
        unit: &Unit,
        text: &str,
        config: &CheckConfig,
    ) -> Option<Vec<String>> {
        let (programs, ids) = self.outside(index, unit, &[text])?;
        let config = CheckConfig { budget: config.budget.share(SHARE_OF_A_TEXT), ..config.clone() };
        match differ_everywhere(ir::subjects(&programs, ids), &config) {
            Everywhere::Proved(proof) => Some(proof.assumptions().to_vec()),
            Everywhere::SameOn(_) | Everywhere::NotKnown => None,
        }
    }

    /// The same for that they do the same where none of some conditions holds.
    pub(super) fn same_outside(
        &self,
        index: usize,
        unit: &Unit,
        texts: &[&str],
        config: &CheckConfig,
    ) -> Option<Vec<String>> {
        let (programs, ids) = self.outside(index, unit, texts)?;
        match check_pair(ir::subjects(&programs, ids), config, &mut |_| {}).verdict {
            Verdict::Equivalent(proof) => Some(proof.assumptions().to_vec()),
            Verdict::Different(_) | Verdict::Unknown(_) => None,
        }
    }

    /// The same for that they differ everywhere under it, or without a condition; with an input that shows it.
    pub(super) fn differ_under(
        &self,
        unit: &Unit,
        procedure: &str,
        text: Option<&str>,
        config: &CheckConfig,
    ) -> Option<(Vec<String>, Input)> {
        let session = self.under(unit, procedure, text)?;
        let config = CheckConfig { budget: config.budget.share(SHARE_OF_A_TEXT), ..config.clone() };
        let judged = session.judge(0, &config, &mut |_| {});
        let Verdict::Different(witness) = &judged.checked.verdict else { return None };
        if session.may_leave_inputs_out(0) {
            return None;
        }
        match differ_everywhere(session.subjects(0), &config) {
            Everywhere::Proved(proof) => {
                let granted = [proof.assumptions(), &judged.taken_for_granted].concat();
                Some((granted, witness.input().clone()))
            }
            Everywhere::SameOn(_) | Everywhere::NotKnown => None,
        }
    }
}

/// A condition, and then its cubes: what is proved of each of them may be too much to prove at once.
fn with_parts(condition: &Formula) -> Vec<Formula> {
    if condition.is_never() {
        return Vec::new();
    }
    let is_one = condition.is_negated || condition.cubes.len() < 2;
    let parts = condition.cubes.iter().filter(|_| !is_one).map(|cube| Formula::any(vec![cube.clone()]));
    std::iter::once(condition.clone()).chain(parts).collect()
}

fn fresh(config: &CheckConfig, options: &Options) -> Budget {
    Budget::new(Steps::new(options.effort), config.budget.kill().clone())
}

/// What never holds and what always does, in the words of a language.
fn constants(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Java => ("false", "true"),
        Language::C => ("0", "1"),
    }
}

fn is_float(ty: &ir::Type) -> bool {
    matches!(ty, ir::Type::Float(_))
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
fn written_procedures(
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
