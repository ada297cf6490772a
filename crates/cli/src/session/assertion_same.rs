//! Assertions that hold because the versions do the same: proved at once for all assertions of a procedure that held before.
//!
//! Each version becomes a program that ends where it violates one of them, with an error that nothing catches, and of
//! which nothing is left but what can matter to that. If the old one never ends so, and the new one does the same on every
//! input, it never ends so either, wherever its assertions stand and whatever they say. That the results are the same would
//! not do: an assertion looks at what is in the middle.
//!
//! 1. The proof speaks of all runs (`--total`): where only the old version goes on forever, nothing would be known.
//! 2. The programs are those that were asked about before, and are to be asked about now, by their normal forms: they may be
//!    read in another way where the other version is at hand as well.
//! 3. Both require the same, and their inputs are of the same classes.

use std::time::{Duration, Instant};

use budget::{Kill, Steps};
use check::{CheckConfig, Termination, Threads, Verdict};
use ir::{Pair, ProcId, Program, Side};
use properties::{Others, Site};
use report::{PairHeader, ReasonReport, VerdictWord};

use super::assertion_keys::key;
use super::assertions::Asks;
use super::{LoweredUnit, Session, add_new};
use crate::known_input::KnownInput;
use crate::options::SameWanted;
use crate::wire::{Answer, AssertionAnswer};

/// The share of the effort for one assertion that a procedure gets: where nothing comes of it, it was for nothing.
const SHARE: f64 = 0.25;
const MOST: Steps = Steps::of_milliseconds(1500);

impl Session {
    /// Lists what is asked of procedures of a unit.
    pub(super) fn add_same(&mut self, unit: usize, wanted: &[SameWanted]) {
        for (number, wanted) in wanted.iter().enumerate() {
            let lowered = &self.units[unit];
            let found = lowered.programs.as_ref().map(|program| program.procedure_named(&wanted.entry));
            let (Some(old), Some(new)) = (found.old, found.new) else { continue };
            let procedures = Pair::new(old, new);
            let keys = Pair::new(&wanted.old, &wanted.new);
            let with_errors = self.options.assertions.as_ref().is_some_and(|it| it.errors);
            let sites = |side: Side| {
                let id = *procedures.get(side);
                let all = properties::sites(lowered.programs.get(side), id, with_errors);
                let mut found = Vec::new();
                for wanted in *keys.get(side) {
                    let is_it =
                        |site: &&Site| key(lowered, side, id, site, Others::Off, &self.options) == *wanted;
                    found.push(all.iter().find(is_it)?.clone());
                }
                Some(found)
            };
            let (Some(old), Some(new)) = (sites(Side::Old), sites(Side::New)) else { continue };
            if !asks_alike(lowered, procedures) {
                continue;
            }
            let pair = ir::subjects(&lowered.programs, procedures);
            let header = PairHeader { renamed_from: Some(number.to_string()), ..PairHeader::new(pair) };
            self.listing.pairs.push(header);
            self.add_question_of(unit, procedures, Asks::Same(Box::new(Pair::new(old, new))));
        }
    }

    /// Both versions of a procedure, which end where they violate one of some assertions.
    pub(super) fn ending_at_any(&self, index: usize, sites: &Pair<Vec<Site>>) -> Pair<Program> {
        let contracted = self.contracted(index).and_then(|contracted| contracted.programs.as_ref());
        let programs = contracted.unwrap_or(&self.unit_of(index).programs);
        let procedures = self.pairs[index].procedures;
        programs
            .as_ref()
            .zip(procedures.zip(sites.as_ref()))
            .map(|(program, (id, sites))| properties::ending_at_any(program, id, sites))
    }

    /// Whether both versions do the same up to the assertions, on all inputs and also where they do not end.
    pub(super) fn same(&self, index: usize, time: Duration, threads: Threads) -> Answer {
        let kill = Kill::at(Instant::now() + time);
        let config = CheckConfig { threads, total: true, ..self.options.config(kill) };
        let config = CheckConfig { budget: config.budget.share(SHARE).at_most(MOST), ..config };
        let header = self.listing.pairs[index].clone();
        let asked = self.subjects(index);
        let normal = asked.map(|it| (it.program, ir::normalise(it.program, it.procedure)));
        let domains = normal.as_ref().map(|(program, code)| properties::domain(program, code));
        if domains.old != domains.new {
            let reasons = vec![ReasonReport::because("the inputs are of other classes".to_owned())];
            return Answer::only(header.unknown(reasons, (&config).into(), 0.0));
        }
        let judged = self.judge(index, &config, &mut |_| {});
        let mut report = report::pair_report(judged.subjects(), &judged.checked, &config);
        report.renamed_from = header.renamed_from;
        add_new(&mut report.assumptions, judged.taken_for_granted.clone());
        if let Some(contracted) = self.contracted(index) {
            add_new(&mut report.assumptions, contracted.assumptions.clone());
        }
        let mut input = None;
        match &judged.checked.verdict {
            Verdict::Equivalent(proof) if proof.termination() == Termination::Total => {}
            Verdict::Equivalent(_) => report.verdict = VerdictWord::Unknown,
            Verdict::Different(witness) => input = KnownInput::of(witness.input()),
            Verdict::Unknown(_) => {}
        }
        let assertion = Some(AssertionAnswer { input, ..AssertionAnswer::default() });
        Answer { assertion, ..Answer::only(report) }
    }
}

/// Whether both versions of a procedure have the same contracts, with the same meaning.
fn asks_alike(unit: &LoweredUnit, procedures: Pair<ProcId>) -> bool {
    let Some(facts) = unit.contract_facts() else { return true };
    let meanings = facts.as_ref().zip(procedures).map(|(facts, id)| facts.meaning(id));
    meanings.old == meanings.new
}
