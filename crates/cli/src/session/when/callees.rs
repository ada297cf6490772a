//! Conditions of callees: where a procedure calls one that changed and that calls itself, the condition of the callee comes
//! first, and calls tell the inputs that meet it from the others.

use check::{CheckConfig, Verdict};
use ir::{Pair, ProcId};

use super::fresh;
use crate::session::under::{Conditioned, parameter_names};
use crate::session::{Session, select};

/// Callees that are looked at, and the share of the effort for one of them.
const MOST_CALLEES: usize = 3;
const SHARE_OF_A_CALLEE: f64 = 0.3;

impl Session {
    /// The callees of a pair that changed and call themselves, with conditions under which their versions were proved to
    /// do the same.
    pub(super) fn callee_conditions(&self, index: usize, config: &CheckConfig) -> Vec<Conditioned> {
        let Some(unit) = self.sources.get(self.pairs[index].unit) else { return Vec::new() };
        let pair = self.subjects(index);
        let mut found = Vec::new();
        for callees in self.recursive_callees(index).into_iter().take(MOST_CALLEES) {
            let procedures = pair.zip(callees).map(|(subject, id)| subject.program.procedure(id));
            let name = select::name_of(procedures.map(|procedure| procedure.name.as_str()));
            let budget = fresh(config, &self.options).share(SHARE_OF_A_CALLEE);
            let config = CheckConfig { budget, ..config.clone() };
            let Some(session) = self.under(unit, &name, None) else { continue };
            let judged = session.judge(0, &config, &mut |_| {});
            let Verdict::Different(witness) = &judged.checked.verdict else { continue };
            let conditions = judged.session.conditions(judged.index, witness.input(), &config);
            let same_when = conditions.and_then(|conditions| conditions.same_when);
            if let Some(text) = same_when.filter(|text| !matches!(text.as_str(), "false" | "0")) {
                found.push(Conditioned::of(procedures, &text).callee());
            }
        }
        found
    }

    /// The pairs of callees that changed, call themselves, and do not call the pair itself.
    fn recursive_callees(&self, index: usize) -> Vec<Pair<ProcId>> {
        let pair = self.subjects(index);
        let reached = pair.map(|subject| ir::reachable(subject.program, subject.procedure));
        let mut found = Vec::new();
        for old in reached.old.iter().filter(|id| **id != pair.old.procedure) {
            let name = &pair.old.program.procedure(*old).name;
            let Some(new) = pair.new.program.procedure_named(name).filter(|id| reached.new.contains(id))
            else {
                continue;
            };
            let callees = Pair::new(*old, new);
            let code = pair.zip(callees).map(|(subject, id)| (subject.program, id));
            let procedures = code.map(|(program, id)| program.procedure(id));
            let calls_itself = |(program, id): (&ir::Program, ProcId)| ir::is_recursive(program, id);
            let calls_back = pair
                .zip(callees)
                .map(|(subject, id)| ir::reachable(subject.program, id).contains(&subject.procedure));
            if new != pair.new.procedure
                && !calls_back.old
                && !calls_back.new
                && (calls_itself(code.old) || calls_itself(code.new))
                && parameter_names(procedures.old) == parameter_names(procedures.new)
                && !ir::same_code(code)
            {
                found.push(callees);
            }
        }
        found
    }
}
