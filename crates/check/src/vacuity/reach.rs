//! Inputs that reach a changed statement, from models of the solver; or a proof that there are none.
//!
//! A statement is probed by a run that ends there: `unsupported` stands before it in a copy of the program, and the
//! summary of the copy knows the condition under which that is met.
//! Exact up to the bound where nothing is hidden, and then good for models. Over-approximating where loops without a
//! probe are hidden, and then good for proofs.

use std::collections::BTreeSet;

use budget::Steps;
use ir::{Pair, ProcId, Program, Side, Span, Stmt, StmtKind, Subject};
use smt::{Floats, Term, Terms};
use symbolic::{Abstraction, Inputs, Summary};

use inputs::{input_of_model, is_well_formed, wanted_of};
use query::{Asked, Client, Question};

use super::{LONG, Unshown};
use crate::CheckConfig;
use crate::common_code::{CommonCode, Statement, hidden};
use crate::witness::{Evidence, Machines, Trial};

/// What a probe says.
pub(super) const PROBE: &str = "a probe of the vacuity check";
/// Models that are tried for one set of probes.
const MOST_MODELS: usize = 3;
/// Statements that are probed one by one.
const MOST_PROBED: usize = 24;
/// The share of what is left which this may take, and the most of it.
const SHARE: u64 = 4;
const MOST: Steps = Steps::of_seconds(4);

/// Looks for the runs that are still missing, and for proofs that there are none.
pub(super) fn by_models(
    machines: &Machines<'_>,
    config: &CheckConfig,
    client: &mut Client,
) -> Result<(), Unshown> {
    // What is found out here counts for all engines, so that it is not part of the share of one.
    let whole = machines.budget();
    let config = config.within(whole.at_most((whole.left() / SHARE).min(MOST)));
    let search = Models { machines, config: &config };
    let evidence = machines.evidence();
    if !evidence.has_defined_end() {
        search.find_a_defined_end(client)?;
    }
    for side in [Side::Old, Side::New] {
        search.reach_all(side, client)?;
        search.prove_unreachable(side, client);
    }
    Ok(())
}

struct Models<'m, 'p> {
    machines: &'m Machines<'p>,
    config: &'m CheckConfig,
}

/// What is known of a set of probes.
#[derive(PartialEq, Eq)]
enum Probed {
    /// Some were reached by a run.
    Reached,
    /// None of them is reached by any.
    Unreachable,
    Unknown,
}

impl<'p> Models<'_, 'p> {
    fn evidence(&self) -> &Evidence {
        self.machines.evidence()
    }

    /// Looks for an input on which both versions end in a defined way.
    fn find_a_defined_end(&self, client: &mut Client) -> Result<(), Unshown> {
        let mut terms = Terms::new();
        let terms = &mut terms;
        let config = self.config.summaries();
        let pair = self.machines.pair();
        let inputs = symbolic::inputs(terms, pair.map(|it| (it.program, it.procedure)), &config);
        let summaries =
            pair.try_map(|it| symbolic::summarize(terms, it.program, it.procedure, &inputs, &config));
        let Ok(summaries) = summaries else { return Ok(()) };
        let mut conditions = inputs.assumptions.clone();
        for summary in [&summaries.old, &summaries.new] {
            let ends = summary.endings.iter();
            let defined: Vec<Term> = ends
                .filter(|(error, _)| !error.as_deref().is_some_and(ir::is_undefined))
                .map(|(_, guard)| *guard)
                .collect();
            conditions.extend(&summary.assumptions);
            conditions.push(terms.or(&defined));
        }
        let shown = || self.evidence().has_defined_end();
        self.run_models(terms, &inputs, conditions, &shown, client)?;
        Ok(())
    }

    /// Looks at all changed statements of a version that were not executed: together, then one by one.
    fn reach_all(&self, side: Side, client: &mut Client) -> Result<(), Unshown> {
        let missing = || -> Vec<usize> {
            self.evidence().not_covered().into_iter().filter(|it| it.0 == side).map(|it| it.1).collect()
        };
        loop {
            let places = missing();
            if places.is_empty() {
                return Ok(());
            }
            match self.probe(side, &places, client)? {
                Probed::Reached => {}
                Probed::Unreachable => {
                    places.iter().for_each(|place| self.evidence().is_unreachable((side, *place)));
                }
                Probed::Unknown => break,
            }
        }
        let places = missing();
        // A statement inside another one comes after it.
        for place in places.iter().copied().filter(|_| places.len() <= MOST_PROBED) {
            if !missing().contains(&place) {
                continue;
            }
            match self.probe(side, &[place], client)? {
                Probed::Reached => {}
                Probed::Unreachable => self.evidence().is_unreachable((side, place)),
                // One is enough to lose the verdict.
                Probed::Unknown => return Ok(()),
            }
        }
        Ok(())
    }

    /// Proves that no run which ends reaches what is left of a version: the version does the same as a copy of it that
    /// sets a variable of its own there. The proof needs invariants, which strategies find.
    fn prove_unreachable(&self, side: Side, client: &mut Client) {
        let Some(prove) = self.machines.prove_unreachable() else { return };
        let left = self.evidence().not_covered().into_iter().filter(|it| it.0 == side).collect::<Vec<_>>();
        let Subject { program, procedure } = *self.machines.pair().get(side);
        if left.is_empty() || !may_loop(Subject::new(program, procedure)) || self.config.is_over() {
            return;
        }
        let mut plain = program.clone();
        let global = ir::GlobalId::from_index(plain.globals.len());
        plain.globals.push(ir::Global {
            name: "$reached".to_owned(),
            ty: ir::Type::Int(ir::IntType::I32),
            initial: ir::Const::Int(ir::IntType::I32, 0),
            constant: false,
            // Code that is not there knows nothing of it.
            private: true,
            fixed: true,
        });
        let value = ir::Expr::Const(ir::Const::Int(ir::IntType::I32, 1));
        let probed = with_probes(&plain, &self.marks(side, left.iter().map(|it| it.1)), &|| {
            StmtKind::AssignGlobal { global, value: value.clone() }
        });
        let pair = Pair { old: Subject::new(&plain, procedure), new: Subject::new(&probed, procedure) };
        if prove(pair, self.config, client) {
            left.into_iter().for_each(|place| self.evidence().is_unreachable(place));
        }
    }

    fn marks(&self, side: Side, places: impl Iterator<Item = usize>) -> BTreeSet<(ProcId, usize)> {
        let marks = places.map(|place| self.evidence().statement((side, place)).mark);
        marks.map(|mark| (mark.procedure, mark.statement)).collect()
    }

    /// Asks for an input that reaches one of some changed statements.
    fn probe(&self, side: Side, places: &[usize], client: &mut Client) -> Result<Probed, Unshown> {
        let subject = *self.machines.pair().get(side);
        let marks = self.marks(side, places.iter().copied());
        let program =
            with_probes(subject.program, &marks, &|| StmtKind::Unsupported { what: PROBE.to_owned() });
        let probed = Subject::new(&program, subject.procedure);
        let probed_procedures = marks.iter().map(|(procedure, _)| *procedure).collect();
        let common = CommonCode::of(Pair { old: probed, new: probed });
        let recursions = common.whole_recursions();
        let blocks = common.blocks(&|statement: Statement<'_>| {
            let hides = matches!(statement.stmt.kind, StmtKind::Loop { .. })
                || recursions.contains(&statement.id.procedure);
            hides && !has_probe(&program, statement.stmt, &probed_procedures)
        });
        let closed = hidden(&blocks).old;
        // Without loops that can be hidden both ways are the same.
        let nothing = Abstraction::nothing();
        let ways = if blocks.is_empty() { vec![&nothing] } else { vec![&closed, &nothing] };
        // Calls that branch grow fast with the bound: near things are asked for first.
        let bounds = [1, 2].into_iter().filter(|bound| *bound < self.config.bound && may_loop(probed));
        let near = bounds.map(|bound| (bound, &nothing));
        let usual = ways.into_iter().map(|hidden| (self.config.bound, hidden));
        for (bound, hidden) in near.chain(usual) {
            let config = CheckConfig { bound, ..self.config.clone() };
            match self.ask(side, places, probed, hidden, &config, client)? {
                Probed::Unknown => {}
                known => return Ok(known),
            }
        }
        Ok(Probed::Unknown)
    }

    fn ask(
        &self,
        side: Side,
        places: &[usize],
        probed: Subject<'_>,
        hidden: &Abstraction,
        config: &CheckConfig,
        client: &mut Client,
    ) -> Result<Probed, Unshown> {
        let mut terms = Terms::new();
        let terms = &mut terms;
        let config = config.summaries();
        // The inputs are those of the pair: a version may lack what the other one has.
        let pair = self.machines.pair();
        let of_side = |of: Side| match of == side {
            true => (probed.program, probed.procedure),
            false => (pair.get(of).program, pair.get(of).procedure),
        };
        let both = Pair { old: of_side(Side::Old), new: of_side(Side::New) };
        let inputs = symbolic::inputs(terms, both, &config);
        let summary =
            symbolic::summarize_hiding(terms, probed.program, probed.procedure, &inputs, &config, hidden);
        let Ok(summary) = summary else { return Ok(Probed::Unknown) };
        let mut assumptions = inputs.assumptions.clone();
        assumptions.extend(&summary.assumptions);
        let (reached, beyond) = guards(terms, &summary);
        let mut conditions = assumptions.clone();
        conditions.push(reached);
        let shown = || self.evidence().is_any_executed(side, places);
        if !self.run_models(terms, &inputs, conditions, &shown, client)? {
            return Ok(if shown() { Probed::Reached } else { Probed::Unknown });
        }
        // No run within the bounds gets there; and none leaves the bounds?
        assumptions.push(beyond);
        let asked =
            client.ask(terms, Reached { conditions: assumptions }, &[], Floats::Symbols, &self.config.budget);
        Ok(if matches!(asked, Asked::Refuted(_)) { Probed::Unreachable } else { Probed::Unknown })
    }

    /// Runs inputs that meet conditions until something is shown; true if there are none.
    fn run_models(
        &self,
        terms: &mut Terms,
        inputs: &Inputs,
        mut conditions: Vec<Term>,
        shown: &dyn Fn() -> bool,
        client: &mut Client,
    ) -> Result<bool, Unshown> {
        for number in 0..MOST_MODELS {
            let wanted = wanted_of(terms, &conditions);
            let budget = &self.config.budget;
            let model = match client.ask(
                terms,
                Reached { conditions: conditions.clone() },
                &wanted,
                Floats::Symbols,
                budget,
            ) {
                Asked::Refuted(_) => return Ok(number == 0),
                Asked::GaveUp(_) => return Ok(false),
                Asked::Counterexample(model) => model,
            };
            let input = input_of_model(terms, inputs, &model);
            if is_well_formed(self.machines.pair().old, &input) {
                match self.machines.try_input(&input, &LONG) {
                    Trial::Separated(witness) => return Err(Unshown::Separated(witness)),
                    Trial::NotSeparated(_) if shown() => return Ok(false),
                    Trial::NotSeparated(_) => {}
                }
            }
            match symbolic::input_terms(inputs).into_iter().find_map(|term| differs(terms, term, &model)) {
                Some(other) => conditions.push(other),
                None => return Ok(false),
            }
        }
        Ok(false)
    }
}

/// Whether a procedure has loops or recursion.
fn may_loop(subject: Subject<'_>) -> bool {
    let Subject { program, procedure } = subject;
    ir::reachable(program, procedure).into_iter().any(|id| {
        program.procedure(id).body.as_deref().is_some_and(ir::has_loop) || ir::is_recursive(program, id)
    })
}

/// That a term has another value than in a model, if that has one.
fn differs(terms: &mut Terms, term: Term, model: &smt::Model) -> Option<Term> {
    let value = model.value(term).filter(|value| !matches!(value, smt::Value::Opaque(_)))?.clone();
    let sort = terms.sort_of(term).clone();
    let value = terms.value(&value, &sort);
    let same = terms.eq(term, value);
    Some(terms.not(same))
}

/// Where a run meets a probe, and where it leaves what was followed.
pub(super) fn guards(terms: &mut Terms, summary: &Summary) -> (Term, Term) {
    let (probes, others): (Vec<_>, Vec<_>) = summary.unsupported.iter().partition(|it| it.what == PROBE);
    let reached: Vec<Term> = probes.iter().map(|it| it.guard).collect();
    let beyond: Vec<Term> =
        others.iter().map(|it| it.guard).chain(summary.cut.iter().map(|cut| cut.guard)).collect();
    (terms.or(&reached), terms.or(&beyond))
}

/// A copy of a program in which a statement of ours stands before some statements.
pub(super) fn with_probes(
    program: &Program,
    marks: &BTreeSet<(ProcId, usize)>,
    probe: &dyn Fn() -> StmtKind,
) -> Program {
    let mut program = program.clone();
    let procedures: BTreeSet<ProcId> = marks.iter().map(|(procedure, _)| *procedure).collect();
    for id in procedures {
        let mut number = 0;
        if let Some(body) = &mut program.procedures[id.index()].body {
            insert(body, &mut number, &|statement| marks.contains(&(id, statement)), probe);
        }
    }
    program
}

fn insert(
    block: &mut Vec<Stmt>,
    number: &mut usize,
    is_probed: &dyn Fn(usize) -> bool,
    probe: &dyn Fn() -> StmtKind,
) {
    for mut stmt in std::mem::take(block) {
        if is_probed(*number) {
            block.push(Stmt { kind: probe(), span: Span::NOWHERE });
        }
        *number += 1;
        for inner in ir::blocks_mut(&mut stmt.kind) {
            insert(inner, number, is_probed, probe);
        }
        block.push(stmt);
    }
}

/// Whether a run of a statement may meet a probe.
fn has_probe(program: &Program, stmt: &Stmt, procedures: &BTreeSet<ProcId>) -> bool {
    let mut found = false;
    ir::for_each_stmt(std::slice::from_ref(stmt), &mut |inner| match &inner.kind {
        StmtKind::Unsupported { what } => found |= what == PROBE,
        StmtKind::Call { callee, .. } => {
            found |= ir::reachable(program, *callee).iter().any(|id| procedures.contains(id));
        }
        _ => {}
    });
    found
}

/// The question whether some input makes a run of a version get somewhere.
pub(super) struct Reached {
    pub(super) conditions: Vec<Term>,
}

impl Question for Reached {
    const NAME: &'static str = "reached";

    fn conditions(&self) -> &[Term] {
        &self.conditions
    }
}
