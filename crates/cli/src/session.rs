//! Two lowered versions and their pairs, ready to be checked one by one: what a worker holds in memory.

mod asserting_callees;
mod assertion_keys;
mod assertion_paths;
mod assertion_same;
mod assertions;
mod contracts;
mod explain;
mod judge;
mod proposals;
mod restricted_pointers;
mod select;
mod under;
mod unlowered;
mod when;

pub use judge::Judged;

use std::collections::{BTreeMap, BTreeSet};
use std::panic;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use budget::Kill;

use check::{CheckConfig, Subject, Threads};
use interp::{Input, Run};
use ir::{Diagnostic, Language, Pair, Program};
use report::{PairHeader, PairReport, ReportedConfig};

use crate::dump;
use crate::job::{Job, Unit};
use crate::lower::Lowered;
use crate::options::{Conditions, Dump, Options};
use crate::replay;
use crate::trace::{self, Record, Wanted};
use crate::wire::{AlignedPair, Answer, BadFile, Listing, Obligation, Plan, Shown, Unmatched};
use contracts::{Contracted, VersionContracts, VersionFacts};
use select::Selection;
use under::{Annotated, Conditioned};

/// The pairs of a job, checked on demand. Whoever asks for a verdict asks here: workers, tests and campaigns.
pub struct Session {
    units: Vec<LoweredUnit>,
    pairs: Vec<PairOfUnit>,
    /// The assertions of the new version, if they are what is asked about: several pairs belong to each.
    asserted: Vec<assertions::Asserted>,
    /// The runs to show, if that is what is asked.
    runs: Vec<assertions::Wanted>,
    /// The procedures whose assertions are guessed, if that is what is asked.
    looked: Vec<proposals::Looked>,
    listing: Listing,
    options: Options,
    /// All sources, by unit: for conditions, which are lowered with them.
    sources: Vec<Unit>,
    /// The sources in C: memory may have to be bytes.
    c_units: Vec<Unit>,
    /// The assertions at the end of callees that were asked about, and whether they were proved of all calls.
    proved_of_callees: Mutex<BTreeMap<(usize, ir::ProcId, properties::Site), bool>>,
    /// The version before, once a directed execution needed it.
    before: OnceLock<Option<Box<Session>>>,
    /// The same with memory as bytes, once a pair needed it.
    in_bytes: OnceLock<Option<Box<Session>>>,
    /// The same with other names of files, numbers of lines and times, once a proof needed it.
    elsewhere: OnceLock<Option<Box<Session>>>,
}

/// Two programs that are compared with each other.
struct LoweredUnit {
    /// The old one has the new names of classes that were renamed.
    programs: Pair<Program>,
    /// The old one as it was lowered, if classes were renamed.
    old_as_written: Option<Program>,
    renamed_classes: Vec<Pair<String>>,
    /// Fields that are the same inputs under two names.
    renamed_fields: Vec<Pair<String>>,
    /// The procedures whose text did not change, nor that of anything that they name.
    unchanged: BTreeSet<String>,
    /// How the procedures of C programs look at memory.
    views: Option<Pair<frontend_c::Views>>,
    /// Which static initialisers changed, once somebody asked.
    changed_start: OnceLock<check::ChangedStart>,
    /// The contracts of the sources, and what is known of them once somebody asked.
    contracts: Pair<VersionContracts>,
    contract_facts: OnceLock<Pair<VersionFacts>>,
}

impl LoweredUnit {
    fn changed_start(&self) -> &check::ChangedStart {
        self.changed_start.get_or_init(|| check::ChangedStart::of(self.programs.as_ref()))
    }

    /// What is known of the contracts, if there are any.
    fn contract_facts(&self) -> Option<&Pair<VersionFacts>> {
        if self.contracts.old.is_empty() && self.contracts.new.is_empty() {
            return None;
        }
        Some(self.contract_facts.get_or_init(|| {
            let Pair { old, new } = self.programs.as_ref();
            Pair::new(VersionFacts::of(old, &self.contracts.old), VersionFacts::of(new, &self.contracts.new))
        }))
    }
}

struct PairOfUnit {
    unit: usize,
    procedures: Pair<ir::ProcId>,
    condition: Option<Restricted>,
    /// The programs for inputs whose pointers are as apart as `restrict` promises, and that this is taken for granted.
    apart: Option<(Pair<Program>, String)>,
    /// The programs with contracts, once somebody asked.
    contracted: OnceLock<Option<Contracted>>,
    /// What is asked about an assertion, if this is about one.
    question: Option<assertions::Question>,
}

/// A condition on the inputs of a pair, and the programs in which its procedures are restricted to these.
struct Restricted {
    text: String,
    /// Its place in the list of conditions.
    number: usize,
    programs: Pair<Program>,
    /// Programs for more inputs: loops know of their indices what the condition says of all numbers. A proof of these is
    /// one of the others.
    with_instances: Option<Pair<Program>>,
}

/// Two programs as they are compared.
struct Prepared {
    programs: Pair<Program>,
    old_as_written: Option<Program>,
    renamed_classes: Vec<Pair<String>>,
    renamed_fields: Vec<Pair<String>>,
    unchanged: BTreeSet<String>,
}

/// Makes two programs comparable: start values, names of classes and fields, what starts a program of C.
fn prepared(mut programs: Pair<Program>, options: &Options) -> Prepared {
    // Only the pairs of this session are as they were lowered: whoever makes other programs of them starts from nothing.
    let [same_in_old, unchanged] =
        [&mut programs.old, &mut programs.new].map(|it| std::mem::take(&mut it.same_text));
    let unchanged: BTreeSet<String> = unchanged.intersection(&same_in_old).cloned().collect();
    let Pair { old, new } = &mut programs;
    check::support_quiet_classes(old, options.numbers());
    check::support_quiet_classes(new, options.numbers());
    check::substitute_start_values(Pair::new(old, new), options.numbers());
    let renamed_classes = align::renamed_classes(programs.as_ref());
    let as_written = programs.old.clone();
    align::use_new_class_names(&mut programs.old, &renamed_classes);
    let renamed_fields = align::renamed_fields(programs.as_ref());
    align::use_new_field_names(&mut programs.old, &renamed_fields);
    let has_new_names = !renamed_classes.is_empty() || !renamed_fields.is_empty();
    let old_as_written = has_new_names.then_some(as_written);
    if programs.new.language == Language::C {
        let Pair { old, new } = &mut programs;
        ir::add_initial_values(Pair::new(old, new));
        ir::start_main(Pair::new(old, new));
    }
    ir::hide_unshared(&mut programs.old, &mut programs.new);
    Prepared { programs, old_as_written, renamed_classes, renamed_fields, unchanged }
}

/// Lowers both versions and lists their pairs. Fails with the user's errors, each with its file and line. Panics if a
/// file that was asked for made a front end panic.
pub fn open(job: Job) -> Result<Session, Vec<String>> {
    let conditions = job.options.under.clone();
    let placed = |message: String| conditions.iter().fold(message, |message, it| it.placed(message));
    opened(job).map_err(|errors| errors.into_iter().map(placed).collect())
}

fn opened(job: Job) -> Result<Session, Vec<String>> {
    let mut session = Session::empty(job.options);
    session.sources.clone_from(&job.units);
    let mut failures = Vec::new();
    for unit in job.units {
        if unit.language == Language::C {
            session.c_units.push(unit.clone());
        }
        let Annotated { lowered, conditioned, contracts } =
            under::lower(unit.language, Pair::new(unit.old, unit.new), &session.options)
                .map_err(|message| vec![message])?;
        match (lowered.old, lowered.new) {
            (Ok(old), Ok(new)) => {
                session
                    .add_unit(Pair::new(old, new), &conditioned, contracts)
                    .map_err(|message| vec![message])?;
            }
            (old, new) => {
                failures.extend(old.err().into_iter().chain(new.err()).flatten());
            }
        }
    }
    raise_bugs(&failures);
    if !failures.is_empty() {
        return Err(failures.iter().map(Diagnostic::to_string).collect());
    }
    if let Some(name) = &session.options.function {
        let programs: Vec<_> = session.units.iter().map(|unit| unit.programs.as_ref()).collect();
        if let Some(message) = select::problem(&programs, name) {
            return Err(vec![message]);
        }
    }
    let programs: Vec<_> = session.units.iter().map(|unit| unit.programs.as_ref()).collect();
    match under::unused(&programs, &session.options) {
        Some(message) => Err(vec![message]),
        None => Ok(session),
    }
}

/// Goes on with a panic of the front end, which was caught to find the files, if there was one.
fn raise_bugs(failures: &[Diagnostic]) {
    let mut files: Vec<&str> =
        failures.iter().filter(|failure| failure.is_bug()).map(|failure| failure.file.as_str()).collect();
    files.dedup();
    if !files.is_empty() {
        panic::resume_unwind(Box::new(format!("while reading {}", files.join(", "))));
    }
}

impl Session {
    /// One without programs.
    fn empty(options: Options) -> Session {
        Session {
            units: Vec::new(),
            pairs: Vec::new(),
            asserted: Vec::new(),
            runs: Vec::new(),
            looked: Vec::new(),
            listing: Listing::default(),
            options,
            sources: Vec::new(),
            c_units: Vec::new(),
            proved_of_callees: Mutex::default(),
            before: OnceLock::new(),
            in_bytes: OnceLock::new(),
            elsewhere: OnceLock::new(),
        }
    }

    /// Fails if no input meets the condition of a pair.
    fn add_unit(
        &mut self,
        lowered: Pair<Lowered>,
        conditioned: &[Conditioned],
        contracts: Pair<VersionContracts>,
    ) -> Result<(), String> {
        self.listing.notes.extend(contracts.old.notes.iter().chain(&contracts.new.notes).cloned());
        let errors = lowered.as_ref().map(|version| &version.errors);
        self.listing.errors.extend(errors.old.iter().chain(errors.new).map(BadFile::from));
        let left_out = lowered.as_ref().map(|version| version.left_out.clone());
        let (programs, views) = split(lowered);
        let Prepared { programs, old_as_written, renamed_classes, renamed_fields, unchanged } =
            prepared(programs, &self.options);
        let Selection { pairs, removed, added } = match &self.options.function {
            Some(name) => select::named(programs.as_ref(), name),
            None => select::all(programs.as_ref()),
        };
        let unit = self.units.len();
        if self.options.assertions.is_some() {
            let selected: Vec<ir::ProcId> = pairs.iter().map(|pair| pair.new).collect();
            self.units.push(LoweredUnit {
                programs,
                old_as_written,
                renamed_classes,
                renamed_fields,
                // Questions are not the procedures of the sources: their text says nothing.
                unchanged: BTreeSet::new(),
                views,
                changed_start: OnceLock::new(),
                contracts,
                contract_facts: OnceLock::new(),
            });
            self.add_assertions(unit, &selected);
            return Ok(());
        }
        for procedures in pairs {
            let pair = ir::subjects(&programs, procedures);
            let names = pair.map(|subject| &subject.procedure().name);
            let is_left_out = left_out.old.contains(names.old) && left_out.new.contains(names.new);
            if self.options.function.is_none() && is_left_out {
                let list = match names.old == names.new && unchanged.contains(names.new) {
                    true => &mut self.listing.unchanged,
                    false => &mut self.listing.callers,
                };
                if !pair.new.procedure().is_start_up() {
                    list.push(names.new.clone());
                }
                continue;
            }
            let is_same = || ir::same_code(pair.map(|subject| (subject.program, subject.procedure)));
            // What happens at the start is worth a line where it changed.
            if self.options.function.is_none() && pair.new.procedure().is_start_up() && is_same() {
                continue;
            }
            if !self.options.clients.is_empty() {
                if !self.options.clients.contains(&unmatched(&programs.new, procedures.new).file) {
                    continue;
                }
                if is_same() {
                    self.listing.unaffected.push(programs.new.procedure(procedures.new).name.clone());
                    continue;
                }
            }
            self.listing.pairs.push(PairHeader::new(pair));
            let condition = under::restricted(&programs, procedures, conditioned, &self.options)?;
            let whole = condition.as_ref().map_or(&programs, |restricted| &restricted.programs);
            let apart = views
                .as_ref()
                .filter(|_| !is_same())
                .and_then(|views| restricted_pointers::restricted(whole, procedures, views.as_ref()));
            let contracted = OnceLock::new();
            self.pairs.push(PairOfUnit { unit, procedures, condition, apart, contracted, question: None });
        }
        self.listing.removed.extend(removed.into_iter().map(|id| unmatched(&programs.old, id)));
        self.listing.added.extend(added.into_iter().map(|id| unmatched(&programs.new, id)));
        let changed_start = OnceLock::new();
        self.units.push(LoweredUnit {
            programs,
            old_as_written,
            renamed_classes,
            renamed_fields,
            unchanged,
            views,
            changed_start,
            contracts,
            contract_facts: OnceLock::new(),
        });
        Ok(())
    }

    pub(crate) fn listing(&self) -> &Listing {
        &self.listing
    }

    /// What a report says of the options, for pairs that got no further.
    pub(crate) fn reported_config(&self) -> ReportedConfig {
        (&self.options.config(Kill::never())).into()
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The procedures of a pair, with their programs as they are compared.
    pub fn subjects(&self, index: usize) -> Pair<Subject<'_>> {
        let PairOfUnit { unit, procedures, condition, apart, contracted, question } = &self.pairs[index];
        if question.is_some() {
            return self.asked(index);
        }
        let whole = &self.units[*unit].programs;
        let restricted = condition.as_ref().map_or(whole, |restricted| &restricted.programs);
        let apart = apart.as_ref().map_or(restricted, |(programs, _)| programs);
        let contracted = contracted.get().and_then(Option::as_ref);
        let contracted = contracted.and_then(|contracted| contracted.programs.as_ref());
        ir::subjects(contracted.unwrap_or(apart), *procedures)
    }

    fn unit_of(&self, index: usize) -> &LoweredUnit {
        &self.units[self.pairs[index].unit]
    }

    /// What the cells of C structs are called in the new version of a pair.
    fn cell_names(&self, index: usize) -> infer::CellNames {
        self.unit_of(index).views.as_ref().map(|views| views.new.cell_names()).unwrap_or_default()
    }

    /// Checks one pair within a time.
    pub(crate) fn check(&self, index: usize, time: Duration, threads: Threads) -> Answer {
        if self.options.assertions.is_some() {
            return self.check_assertion(index, time, threads);
        }
        let contracted = self.contracted(index);
        let pair = self.subjects(index);
        let config = CheckConfig { threads, ..self.options.config(Kill::at(Instant::now() + time)) };
        let before_the_check = match self.options.dump {
            Some(Dump::Ir) => Some(Shown::Text(dump::ir(pair))),
            Some(Dump::Alignment) => Some(Shown::Alignment(Box::new(AlignedPair::new(pair)))),
            Some(Dump::Terms | Dump::Smt | Dump::Plan | Dump::Loops | Dump::Invariants) | None => None,
        };
        if before_the_check.is_some() {
            let report = PairHeader::new(pair).unknown(Vec::new(), (&config).into(), 0.0);
            return Answer { dump: before_the_check, ..Answer::only(report) };
        }
        let wanted = self.wanted();
        // Only what this thread does is recorded.
        let threads = if wanted == Wanted::Nothing { config.threads } else { Threads::ONE };
        let config = CheckConfig { threads, ..config };
        let (mut judged, records) = trace::recorded(wanted, || self.judge(index, &config, &mut |_| {}));
        if let Some(solver) = &self.options.cross_check {
            let checked = &mut judged.checked;
            checked.verdict = check::cross_checked(checked.verdict.clone(), solver, &config);
        }
        let mut shown = String::new();
        if self.options.dump == Some(Dump::Plan) {
            shown = dump::plan(judged.subjects(), &judged.checked);
        }
        for record in records.iter().filter(|_| self.options.dump.is_some()) {
            dump::append(&mut shown, &record.in_words());
        }
        let trace = records.iter().filter(|_| self.options.trace).map(Record::line).collect();
        let obligations = match &judged.checked.verdict {
            check::Verdict::Equivalent(proof) if self.options.obligations => {
                proof.obligations().iter().map(Obligation::from).collect()
            }
            _ => Vec::new(),
        };
        let mut report = report::pair_report(judged.subjects(), &judged.checked, &config);
        report.assumptions.extend(judged.taken_for_granted.iter().cloned());
        if let Some((_, assumption)) = &self.pairs[index].apart
            && report.verdict == report::VerdictWord::Equivalent
        {
            report.assumptions.push(assumption.clone());
        }
        if let Some(Restricted { text, .. }) = &self.pairs[index].condition {
            report.under = Some(text.clone());
            if report.verdict == report::VerdictWord::Equivalent {
                report.assumptions.push(under::assumption(text));
            }
        }
        if let Some(contracted) = contracted {
            report.contracts = contracted.findings.clone();
            if report.verdict == report::VerdictWord::Equivalent {
                for assumption in &contracted.assumptions {
                    if !report.assumptions.contains(assumption) {
                        report.assumptions.push(assumption.clone());
                    }
                }
            }
        }
        if let check::Verdict::Different(witness) = &judged.checked.verdict
            && self.options.conditions != Conditions::Off
        {
            let (found, same_in_math) = judged.session.hints(judged.index, witness.input(), &config);
            if let Some(found) = found {
                report.same_when = found.same_when;
                report.different_when = found.different_when;
                report.exact = Some(found.exact);
                add_new(&mut report.assumptions, found.assumptions);
            }
            report.same_in_math = same_in_math;
        }
        if let check::Verdict::Unknown(unknown) = &judged.checked.verdict
            && let Some(found) = judged.session.proved_part(judged.index, unknown, &config)
        {
            report.same_when = found.same_when;
            add_new(&mut report.assumptions, found.assumptions);
        }
        let explanation = match &judged.checked.verdict {
            check::Verdict::Different(witness) if self.options.explain => {
                let (explanation, granted) = {
                    let exact = report.different_when.clone().filter(|_| report.exact == Some(true));
                    judged.session.explain(judged.index, witness, exact.as_deref(), &config)
                };
                add_new(&mut report.assumptions, granted);
                Some(explanation)
            }
            _ => None,
        };
        let replay = match &judged.checked.verdict {
            check::Verdict::Different(witness) if self.options.replay => {
                let runs = witness.runs().as_ref();
                Some(judged.session.replay_plan(judged.index, witness.input(), runs))
            }
            _ => None,
        };
        let dump = self.options.dump.map(|_| Shown::Text(dump::titled(pair, &shown)));
        Answer { report, replay, dump, explanation, trace, obligations, assertion: None }
    }

    /// What is recorded while a pair is checked.
    fn wanted(&self) -> Wanted {
        match self.options.dump {
            Some(Dump::Terms) => Wanted::Target("terms"),
            Some(Dump::Smt) => Wanted::Target("smt"),
            Some(Dump::Loops) => Wanted::Target("loops"),
            Some(Dump::Invariants) => Wanted::Target("invariants"),
            None if self.options.trace => Wanted::Trace,
            Some(Dump::Ir | Dump::Alignment | Dump::Plan) | None => Wanted::Nothing,
        }
    }

    /// How to run an input on the real thing, with the names that the sources have. The interpreter ran it before.
    pub fn replay_plan(&self, index: usize, input: &Input, runs: Pair<&Run>) -> Plan {
        let unit = self.unit_of(index);
        let pair = self.subjects(index);
        let old = unit.old_as_written.as_ref().unwrap_or(pair.old.program);
        let as_written = Pair::new(Subject::new(old, pair.old.procedure), pair.new);
        replay::plan(as_written, input, runs, &unit.renamed_classes, self.options.numbers())
    }
}

/// Checks every pair of a job in this process: for tests, which need no isolation.
pub fn check_in_process(job: Job, threads: Threads) -> Result<Vec<PairReport>, Vec<String>> {
    let time = Duration::from_secs_f64(job.options.seconds);
    let session = open(job)?;
    Ok((0..session.pairs()).map(|index| session.check(index, time, threads).report).collect())
}

/// Adds what is not there yet.
fn add_new(list: &mut Vec<String>, more: Vec<String>) {
    for one in more {
        if !list.contains(&one) {
            list.push(one);
        }
    }
}

fn unmatched(program: &Program, id: ir::ProcId) -> Unmatched {
    let procedure = program.procedure(id);
    let file = program.files.get(procedure.span.file.index());
    Unmatched { name: procedure.name.clone(), file: file.cloned().unwrap_or_default() }
}

/// The programs, and how they look at memory if both are C.
fn split(lowered: Pair<Lowered>) -> (Pair<Program>, Option<Pair<frontend_c::Views>>) {
    let views = match (lowered.old.views, lowered.new.views) {
        (Some(old), Some(new)) => Some(Pair::new(old, new)),
        (Some(_) | None, Some(_) | None) => None,
    };
    (Pair::new(lowered.old.program, lowered.new.program), views)
}
