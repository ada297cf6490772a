//! The verdict on a pair. C's memory is cells of one type first; where that is what a proof lacks, it is bytes.

use std::collections::BTreeSet;
use std::time::Instant;

use budget::Steps;
use check::{
    CheckConfig, Checked, ProofMethod, Reason, Strategy, Subject, Undefined, Unknown, Verdict, check_pair,
    check_unchanged,
};
use frontend_c::SeenConstant;
use interp::{Input, Run};
use ir::Numbers;
use ir::{Pair, StmtKind};

use super::unlowered::{self, SHARE_WITH_BODIES, large_callees, proved_without, unlowered_callees};
use super::{PairOfUnit, Session, open, restricted_pointers};
use crate::job::Job;
use crate::options::{CMemory, Options};
use crate::place_macros::elsewhere;
use crate::wire::Plan;

/// What proofs over cells take for granted of code that uses memory with several types.
const STRICT_ALIASING: &str = "objects of different types do not overlap (strict aliasing), and pointers in memory are \
                               not read or written as bytes";

/// What a difference that shows only there rests on.
const ELSEWHERE: &str = "the files are compiled under other names and line numbers: `__FILE__` starts with \
                         `../elsewhere/`, and `__LINE__` is larger by 4000 or more";

/// The share of the work that cells get where they may not do, and the most of it.
const SHARE_FOR_CELLS: f64 = 0.25;
const MOST_FOR_CELLS: Steps = Steps::of_seconds(3);
/// The share where runs seldom come to what cells cannot do.
const USUAL_SHARE_FOR_CELLS: f64 = 0.7;
/// The work for runs before a proof with instances of a condition, and the share for the proof.
const FOR_A_LOOK: Steps = Steps::of_milliseconds(200);
const SHARE_WITH_INSTANCES: f64 = 0.5;
/// The share for a proof without the code of large callees that did not change.
const SHARE_WITHOUT_LARGE: f64 = 0.4;

/// A verdict, and what it takes for granted besides what its proof lists.
pub struct Judged<'a> {
    pub checked: Checked,
    pub taken_for_granted: Vec<String>,
    /// The session whose programs were compared, and the pair in it: memory may be bytes there.
    pub(crate) session: &'a Session,
    pub(crate) index: usize,
}

impl Judged<'_> {
    /// The procedures with the programs that were compared.
    pub fn subjects(&self) -> Pair<Subject<'_>> {
        self.session.subjects(self.index)
    }

    /// How to run an input on the real thing: see [`Session::replay_plan`].
    pub fn replay_plan(&self, input: &Input, runs: Pair<&Run>) -> Plan {
        self.session.replay_plan(self.index, input, runs)
    }
}

impl Session {
    /// The verdict on one pair. A proof of code that says where and when it is compiled must hold elsewhere as well.
    pub fn judge(
        &self,
        index: usize,
        config: &CheckConfig,
        on_strategy: &mut dyn FnMut(Strategy),
    ) -> Judged<'_> {
        let judged = self.judge_here(index, config, on_strategy);
        if !matches!(judged.checked.verdict, Verdict::Equivalent(_)) || !self.says_where_it_is(index) {
            return judged;
        }
        let elsewhere = self.elsewhere.get_or_init(|| self.compiled_elsewhere());
        let Some((session, other)) = elsewhere.as_deref().and_then(|session| self.pair_in(session, index))
        else {
            return judged;
        };
        let again = session.judge_here(other, config, on_strategy);
        match again.checked.verdict {
            Verdict::Equivalent(_) => judged,
            Verdict::Different(_) | Verdict::Unknown(_) => {
                let taken_for_granted = vec![ELSEWHERE.to_owned()];
                Judged { taken_for_granted, ..again }
            }
        }
    }

    /// Whether either version depends on the macros that say where and when it is compiled.
    fn says_where_it_is(&self, index: usize) -> bool {
        let pair = self.subjects(index);
        [pair.old, pair.new].into_iter().any(|subject| {
            let procedures = ir::reachable(subject.program, subject.procedure);
            let mut assumptions =
                procedures.iter().flat_map(|id| &subject.program.procedure(*id).assumptions);
            assumptions.any(|assumption| ir::is_about_compilation(assumption))
        })
    }

    /// The same programs, compiled elsewhere.
    fn compiled_elsewhere(&self) -> Option<Box<Session>> {
        let mut units = self.c_units.clone();
        for sources in units.iter_mut().flat_map(|unit| [&mut unit.old, &mut unit.new]) {
            sources.files = sources.files.iter().map(elsewhere).collect();
        }
        open(Job { units, options: Options { dump: None, trace: false, ..self.options.clone() } })
            .ok()
            .map(Box::new)
    }

    fn judge_here(
        &self,
        index: usize,
        config: &CheckConfig,
        on_strategy: &mut dyn FnMut(Strategy),
    ) -> Judged<'_> {
        let start = Instant::now();
        let tries_bytes = self.options.c_memory == CMemory::Auto && config.numbers == Numbers::Machine;
        // Bytes get the larger part of the work where cells may not do.
        let mut for_cells = config.clone();
        let gaps = if tries_bytes { self.gaps_of_cells(index) } else { BTreeSet::new() };
        let has_gaps = !gaps.is_empty();
        if gaps.iter().any(|what| !frontend_c::seldom_reached(what)) {
            for_cells.budget = config.budget.share(SHARE_FOR_CELLS).at_most(MOST_FOR_CELLS);
        } else if has_gaps {
            for_cells.budget = config.budget.share(USUAL_SHARE_FOR_CELLS);
        }
        let (judged, lacks_bytes) = self.judge_as_lowered(index, &for_cells, on_strategy);
        let is_open = matches!(judged.checked.verdict, Verdict::Unknown(_));
        if !tries_bytes || !(lacks_bytes || has_gaps && is_open) {
            return judged;
        }
        let Some((session, other)) = self.pair_in_bytes(index) else { return judged };
        let (in_bytes, _) = session.judge_as_lowered(other, config, on_strategy);
        let is_decided = !matches!(in_bytes.checked.verdict, Verdict::Unknown(_));
        let mut decided = if is_decided { in_bytes } else { judged };
        decided.checked.statistics.elapsed = start.elapsed();
        decided
    }

    /// The verdict on the programs of this session, and whether memory as bytes might tell more.
    /// A proof over cells holds only where no two types are used for the same memory.
    fn judge_as_lowered(
        &self,
        index: usize,
        config: &CheckConfig,
        on_strategy: &mut dyn FnMut(Strategy),
    ) -> (Judged<'_>, bool) {
        self.contracted(index);
        let unit = self.unit_of(index);
        let pair = self.subjects(index);
        let mut taken_for_granted = Vec::new();
        let mut checked = self.checked(index, config, on_strategy, &mut taken_for_granted);
        let mut lacks_bytes = match &checked.verdict {
            Verdict::Unknown(unknown) => unknown.reasons().any(needs_bytes),
            Verdict::Equivalent(_) | Verdict::Different(_) => false,
        };
        if let (Verdict::Equivalent(proof), Some(views)) = (&checked.verdict, &unit.views)
            && proof.method() != ProofMethod::SameCode
            && self.options.c_options().memory == frontend_c::MemoryModel::Cells
        {
            let viewed =
                pair.zip(views.as_ref()).map(|(subject, views)| (subject.program, subject.procedure, views));
            match frontend_c::overlap(viewed) {
                Some(overlap) if config.numbers == Numbers::Machine => {
                    checked.verdict = Verdict::Unknown(Unknown::because(overlapping(&overlap)));
                    lacks_bytes = true;
                }
                _ if frontend_c::relies_on_types(viewed) => {
                    taken_for_granted.push(STRICT_ALIASING.to_owned());
                }
                _ => {}
            }
        }
        if let (Verdict::Different(witness), Some(views)) = (&checked.verdict, &unit.views) {
            let programs = pair.map(|subject| subject.program);
            let compares = |subject: Subject<'_>| {
                restricted_pointers::compares_pointers(subject.program, subject.procedure)
            };
            if restricted_pointers::breaks_a_promise(witness, programs, views.as_ref())
                && !compares(pair.old)
                && !compares(pair.new)
            {
                let what = "`restrict` pointers in memory lead to one object";
                checked.verdict = Verdict::Unknown(Unknown::because(Reason::NotCompared(what.to_owned())));
            }
        }
        if let (Verdict::Equivalent(proof), Some(views)) = (&checked.verdict, &unit.views)
            && proof.method() != ProofMethod::SameCode
        {
            let viewed =
                pair.zip(views.as_ref()).map(|(subject, views)| (subject.program, subject.procedure, views));
            match frontend_c::seen_constant(viewed) {
                Some(SeenConstant::Compared { element, name }) => {
                    let what = format!("a pointer to `{element}` points to the constant `{name}`");
                    checked.verdict = Verdict::Unknown(Unknown::because(Reason::NotCompared(what)));
                }
                Some(SeenConstant::Perhaps { name }) => taken_for_granted
                    .push(format!("pointers in the inputs do not lead to the constant `{name}`")),
                None => {}
            }
        }
        if matches!(checked.verdict, Verdict::Equivalent(_))
            && let Some(name) = self.changed_callback(pair)
        {
            let what = format!("unknown code calls back `{name}`, which is not known to be the same,");
            checked.verdict = Verdict::Unknown(Unknown::because(Reason::NotCompared(what)));
        }
        if let Verdict::Equivalent(proof) = &checked.verdict
            && proof.method() != ProofMethod::SameCode
            && config.undefined == Undefined::Refined
            && ir::effects(pair.old.program, pair.old.procedure).calls_out
        {
            taken_for_granted.push(ir::UNKNOWN_CODE_RETURNS.to_owned());
        }
        taken_for_granted.extend(unit.renamed_fields.iter().map(|fields| {
            format!("the field `{}` of the old version is `{}` in the new one", fields.old, fields.new)
        }));
        let is_java = pair.new.program.language == ir::Language::Java;
        if !is_java && !pair.new.procedure().is_start_up() && !is_entry(pair.new) {
            taken_for_granted.extend(changed_start_values(pair).into_iter().map(|name| {
                format!(
                    "`{name}` is initialised before, and holds the same in both versions, although its initial value \
                     changed (`<value of {name}>`)"
                )
            }));
        }
        if is_java && !pair.new.procedure().is_start_up() && !is_entry(pair.new) {
            taken_for_granted.extend(unit.changed_start().seen_by(pair).into_iter().map(|class| {
                format!(
                    "`{class}` is initialised before, and its static fields hold the same in both versions, although \
                     its static initialiser changed (`{class}.<clinit>`)"
                )
            }));
        }
        (Judged { checked, taken_for_granted, session: self, index }, lacks_bytes)
    }

    /// The verdict of the engines. Callees that are not modelled and did not change are unknown code where they stand in
    /// the way.
    fn checked(
        &self,
        index: usize,
        config: &CheckConfig,
        on_strategy: &mut dyn FnMut(Strategy),
        taken_for_granted: &mut Vec<String>,
    ) -> Checked {
        let pair = self.subjects(index);
        let unchanged = &self.unit_of(index).unchanged;
        // In an open world the same code may run other code than that at hand.
        if matches!(config.strategy, Strategy::Auto | Strategy::Identical)
            && !self.options.open_world
            && let Some(checked) = check_unchanged(pair, unchanged, config)
        {
            on_strategy(Strategy::Identical);
            if pair.new.program.language == ir::Language::Java && unlowered::has_gaps(pair.new) {
                taken_for_granted.push(ir::UNKNOWN_CODE_APART.to_owned());
            }
            return checked;
        }
        if let Some(decided) = self.decided_with_instances(index, config, on_strategy) {
            return decided;
        }
        if config.strategy == Strategy::Auto
            && let Some(callees) = large_callees(pair, unchanged)
            && let Some(decided) = self.decided_without(&callees, index, config, on_strategy)
        {
            if matches!(decided.verdict, Verdict::Equivalent(_)) {
                taken_for_granted.extend(callees.iter().map(|callee| unlowered::assumption(callee)));
            }
            return decided;
        }
        let callees = match config.strategy {
            Strategy::Auto => unlowered_callees(pair, unchanged),
            _ => BTreeSet::new(),
        };
        if callees.is_empty() {
            return check_pair(pair, config, on_strategy);
        }
        let budget = config.budget.share(SHARE_WITH_BODIES);
        let checked = check_pair(pair, &CheckConfig { budget, ..config.clone() }, on_strategy);
        match &checked.verdict {
            Verdict::Unknown(unknown) if !unknown.is_contradiction() => {}
            Verdict::Unknown(_) | Verdict::Equivalent(_) | Verdict::Different(_) => return checked,
        }
        let Some(proved) = proved_without(&callees, pair, config, on_strategy) else { return checked };
        taken_for_granted.extend(callees.iter().map(|callee| unlowered::assumption(callee)));
        proved
    }

    /// A proof in which large callees that did not change are unknown code, or a difference that a few runs of all the
    /// code show.
    fn decided_without(
        &self,
        callees: &BTreeSet<String>,
        index: usize,
        config: &CheckConfig,
        on_strategy: &mut dyn FnMut(Strategy),
    ) -> Option<Checked> {
        let pair = self.subjects(index);
        let budget = config.budget.share(SHARE_WITHOUT_LARGE);
        let testing =
            CheckConfig { budget: budget.at_most(FOR_A_LOOK), strategy: Strategy::Testing, ..config.clone() };
        let looked = check_pair(pair, &testing, on_strategy);
        // That a version is undefined says less than what the whole schedule may find.
        if matches!(&looked.verdict, Verdict::Different(witness) if !witness.kind().is_undefined()) {
            return Some(looked);
        }
        proved_without(callees, pair, &CheckConfig { budget, ..config.clone() }, on_strategy)
    }

    /// A proof for more inputs than the condition leaves: what it says of all numbers is known of the indices of loops.
    /// Or a difference that a few runs show.
    fn decided_with_instances(
        &self,
        index: usize,
        config: &CheckConfig,
        on_strategy: &mut dyn FnMut(Strategy),
    ) -> Option<Checked> {
        let PairOfUnit { condition, procedures, .. } = &self.pairs[index];
        let programs = condition.as_ref()?.with_instances.as_ref()?;
        // Most differences are seen at once.
        if config.strategy == Strategy::Auto {
            let budget = config.budget.at_most(FOR_A_LOOK);
            let config = CheckConfig { budget, strategy: Strategy::Testing, ..config.clone() };
            let checked = check_pair(self.subjects(index), &config, on_strategy);
            if matches!(checked.verdict, Verdict::Different(_)) {
                return Some(checked);
            }
        }
        // Loops of any length are what this is for.
        let strategies = match config.strategy {
            Strategy::Auto => vec![Strategy::Coupling, Strategy::Auto],
            other => vec![other],
        };
        strategies.into_iter().find_map(|strategy| {
            let budget = config.budget.share(SHARE_WITH_INSTANCES);
            let config = CheckConfig { budget, strategy, ..config.clone() };
            let checked = check_pair(ir::subjects(programs, *procedures), &config, on_strategy);
            let is_proved = matches!(checked.verdict, Verdict::Equivalent(_));
            // The runs of that proof need not meet the condition: one must.
            (is_proved && infer::has_same_input(self.subjects(index), &config)).then_some(checked)
        })
    }

    /// Whether memory as cells may leave inputs out: two types are used for the same memory, or an input may lead to a
    /// constant that the code compares with it.
    pub(super) fn may_leave_inputs_out(&self, index: usize) -> bool {
        let pair = self.subjects(index);
        let Some(views) = &self.unit_of(index).views else { return false };
        let viewed =
            pair.zip(views.as_ref()).map(|(subject, views)| (subject.program, subject.procedure, views));
        let has_cells = self.options.c_options().memory == frontend_c::MemoryModel::Cells;
        has_cells && frontend_c::overlap(viewed).is_some()
            || matches!(frontend_c::seen_constant(viewed), Some(SeenConstant::Compared { .. }))
    }

    /// A function that changed, whose address unknown code may get from this pair, and whose own pair is not
    /// checked: what unknown code does need not be the same in both versions then.
    fn changed_callback(&self, pair: Pair<Subject<'_>>) -> Option<String> {
        let mut names = BTreeSet::new();
        for subject in [pair.old, pair.new] {
            let effects = ir::effects(subject.program, subject.procedure);
            let external = |id: &ir::ProcId| &subject.program.procedure(*id).external;
            if effects.externals.iter().any(|id| external(id).access.writes_memory()) {
                let objects = effects.statics.iter().map(|id| subject.program.static_object(*id));
                names.extend(objects.map(|object| object.name.clone()));
            }
        }
        let is_checked = |name: &str| {
            (0..self.pairs())
                .any(|other| self::names(self, other).new == name && !self.requires_something(other))
        };
        names.into_iter().find(|name| {
            let procedures = pair.map(|subject| {
                let id = subject.program.procedure_named(name)?;
                subject.program.procedure(id).body.is_some().then_some((subject.program, id))
            });
            match (procedures.old, procedures.new) {
                (Some(old), Some(new)) => !is_checked(name) && !ir::same_code(Pair::new(old, new)),
                (Some(_) | None, Some(_) | None) => false,
            }
        })
    }

    /// What the code may come to that memory as cells cannot do.
    fn gaps_of_cells(&self, index: usize) -> BTreeSet<String> {
        let pair = self.subjects(index);
        let mut found = BTreeSet::new();
        for subject in [pair.old, pair.new] {
            for id in ir::reachable(subject.program, subject.procedure) {
                let body = subject.program.procedure(id).body.as_deref().unwrap_or(&[]);
                ir::for_each_stmt(body, &mut |stmt| match &stmt.kind {
                    StmtKind::Unsupported { what } if frontend_c::needs_bytes(what) => {
                        found.insert(what.clone());
                    }
                    _ => {}
                });
            }
        }
        found
    }

    /// The same pair with memory as bytes.
    fn pair_in_bytes(&self, index: usize) -> Option<(&Session, usize)> {
        let session = self.in_bytes.get_or_init(|| {
            let options = Options { c_memory: CMemory::Bytes, dump: None, ..self.options.clone() };
            open(Job { units: self.c_units.clone(), options }).ok().map(Box::new)
        });
        self.pair_in(session.as_deref()?, index)
    }

    /// The same pair in another session.
    fn pair_in<'s>(&self, session: &'s Session, index: usize) -> Option<(&'s Session, usize)> {
        let wanted = names(self, index);
        let is_it = |other: &usize| {
            let questions = [&self.pairs[index], &session.pairs[*other]].map(|pair| pair.question.as_ref());
            let [Some(ours), Some(theirs)] = questions else {
                return names(session, *other) == wanted;
            };
            ours.is_about_the_same(theirs) && self.pairs[index].procedures == session.pairs[*other].procedures
        };
        (0..session.pairs()).find(is_it).map(|other| (session, other))
    }
}

/// The variables of C that start with another value in the new version, and that a pair of functions reads.
fn changed_start_values(pair: Pair<Subject<'_>>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for subject in [pair.old, pair.new] {
        let program = subject.program;
        let effects = ir::effects(program, subject.procedure);
        let globals = effects.reads_globals.iter().map(|id| &program.global(*id).name);
        let objects = effects.statics.iter().map(|id| &program.static_object(*id).name);
        let is_changed = |name: &&String| program.procedure_named(&format!("<value of {name}>")).is_some();
        names.extend(globals.chain(objects).filter(is_changed).cloned());
    }
    names
}

/// Whether a program starts here: its classes are initialised on the way.
fn is_entry(subject: Subject<'_>) -> bool {
    subject.procedure().short_name == "main"
}

fn names(session: &Session, index: usize) -> Pair<&str> {
    session.subjects(index).map(|subject| subject.program.procedure(subject.procedure).name.as_str())
}

/// Whether this stands in the way only of memory as cells.
fn needs_bytes(reason: &Reason) -> bool {
    matches!(reason, Reason::Unsupported { what, .. } if frontend_c::needs_bytes(what))
}

/// The versions were compared only where objects of two types do not overlap.
fn overlapping(overlap: &frontend_c::Overlap) -> Reason {
    Reason::NotCompared(format!(
        "a pointer to `{}` points into an object of type `{}`",
        overlap.inner, overlap.outer
    ))
}
