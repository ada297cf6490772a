//! The assertions of a version: each is a question about two programs, which the engines answer like any other pair.
//!
//! An assertion is first asked about alone, while the others do nothing: what holds then holds in any case. Only if an
//! input violates it then, and the real program does not get there on that input, the question is asked as it is.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use budget::{Budget, Kill, Steps};
use check::{CheckConfig, Subject, Threads, Verdict, Witness};
use interp::{Ending, Input, Limits, Machine};
use ir::{Pair, ProcId, Program};
use properties::{Below, Others, Site, SiteKind, VIOLATED};
use report::{PairHeader, VerdictWord};

use super::assertion_keys::{code, keys, promise_keys};
use super::{LoweredUnit, PairOfUnit, Session, add_new};
use crate::known_input::KnownInput;
use crate::options::{PathStrategy, RunWanted};
use crate::wire::{Answer, AssertionAnswer, AssertionHeader, AssertionKind};

/// What is asked about an assertion.
pub(super) struct Question {
    pub(super) asks: Asks,
    programs: OnceLock<(Pair<Program>, Pair<ProcId>)>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Asks {
    /// Whether a run violates it, while the others are on or off.
    Violated(Site, Others),
    /// The same by induction over the calls of a procedure of itself.
    ByInduction(Site, Below),
    /// Whether a run gets there.
    Reached(Site),
    /// Whether a procedure keeps a promise, by its place among the clauses.
    Kept(usize),
    /// Whether both versions violate some assertions on the same inputs, and are otherwise the same as far as that matters.
    Same(Box<Pair<Vec<Site>>>),
    /// Whether a run violates it, while the others do nothing, and calls keep what callees were proved to assert.
    AfterCalls(Site),
}

impl Question {
    fn new(asks: Asks) -> Question {
        Question { asks, programs: OnceLock::new() }
    }

    /// Whether two questions, perhaps of two readings of the same sources, are the same.
    pub(super) fn is_about_the_same(&self, other: &Question) -> bool {
        self.asks == other.asks
    }
}

/// An assertion, with the pairs that are about it.
pub(super) struct Asserted {
    pub(super) alone: usize,
    /// What calls leave behind is known, if callees assert something.
    pub(super) after_calls: Option<usize>,
    pub(super) exact: Option<usize>,
    /// By induction, in the order in which that is tried.
    induction: Vec<usize>,
    reached: Option<usize>,
}

/// The share of the work that induction gets where procedures call themselves.
const SHARE_FOR_INDUCTION: f64 = 0.3;
/// The work for finding out whether a proved assertion is reached at all.
const FOR_REACHING: Steps = Steps::of_seconds(3);

impl Session {
    /// Lists the assertions of some procedures of a unit.
    pub(super) fn add_assertions(&mut self, unit: usize, selected: &[ProcId]) {
        let Some(wanted) = self.options.assertions.clone() else { return };
        if !wanted.runs.is_empty() {
            return self.add_runs(unit, &wanted.runs);
        }
        if wanted.guess {
            return self.add_proposals(unit, selected);
        }
        if !wanted.same.is_empty() {
            return self.add_same(unit, &wanted.same);
        }
        let mut found = Vec::new();
        let mut promises = Vec::new();
        let lowered = &self.units[unit];
        let program = &lowered.programs.new;
        let is_wanted = |id: &ProcId| {
            let name = &program.procedure(*id).short_name;
            wanted.prefix.as_ref().is_none_or(|prefix| name.starts_with(prefix))
        };
        for entry in selected.iter().copied().filter(is_wanted) {
            for owner in owners(program, entry, wanted.callees) {
                for site in properties::sites(program, owner, wanted.errors) {
                    found.push((entry, owner, site));
                }
            }
            if lowered.contract_facts().is_some() {
                promises.extend(lowered.promises(entry).into_iter().map(|promise| (entry, promise)));
            }
        }
        let mut numbers = std::collections::BTreeMap::new();
        let mut headers = Vec::new();
        for (entry, owner, site) in &found {
            let file = program.files.get(site.span.file.index()).cloned().unwrap_or_default();
            let number: &mut usize = numbers.entry((*entry, file.clone(), site.span.line)).or_insert(0);
            let kind = match &site.kind {
                SiteKind::Assertion | SiteKind::Check => AssertionKind::Assertion,
                SiteKind::NoError(error) => AssertionKind::NoError(error.clone()),
            };
            headers.push(AssertionHeader {
                function: program.procedure(*owner).name.clone(),
                entry: program.procedure(*entry).name.clone(),
                file,
                line: site.span.line,
                number: *number,
                clause: None,
                place: format!("{:?}", properties::place(program, *owner, site)),
                variables: variables(program, *owner),
                end: end(program, *owner),
                has_receiver: program.procedure(*owner).locals.first().is_some_and(|it| it.name == "this"),
                code: code(program, *entry, site),
                keys: keys(lowered, *entry, site, &self.options),
                ends: ends(program, *entry),
                kind,
            });
            *number += usize::from(site.kind.is_written());
        }
        for (entry, promise) in &promises {
            let name = program.procedure(*entry).name.clone();
            headers.push(AssertionHeader {
                function: name.clone(),
                entry: name,
                file: promise.file.clone(),
                line: promise.line,
                number: promise.at,
                kind: AssertionKind::Ensures,
                clause: Some(promise.text.clone()),
                place: String::new(),
                variables: Vec::new(),
                end: (0, 0),
                has_receiver: false,
                code: String::new(),
                keys: promise_keys(lowered, *entry, promise, &self.options),
                ends: false,
            });
        }
        let pair_headers: Vec<PairHeader> = found
            .iter()
            .map(|(entry, ..)| *entry)
            .chain(promises.iter().map(|(entry, _)| *entry))
            .map(|entry| {
                PairHeader::new(Pair::new(Subject::new(program, entry), Subject::new(program, entry)))
            })
            .collect();
        self.listing.pairs.extend(pair_headers);
        self.listing.assertions.extend(headers);
        for (entry, _, site) in found {
            let alone = self.add_question(unit, entry, Asks::Violated(site.clone(), Others::Off));
            let exact = Some(self.add_question(unit, entry, Asks::Violated(site.clone(), Others::On)));
            let is_recursive = ir::is_recursive(&self.units[unit].programs.new, entry);
            let ways = if is_recursive { &[Below::Unknown, Below::Known][..] } else { &[] };
            let ask = |below: &Below| self.add_question(unit, entry, Asks::ByInduction(site.clone(), *below));
            let induction = ways.iter().map(ask).collect();
            let after_calls = self.asserting_callees(unit, entry).then(|| {
                self.add_callees(unit, entry);
                self.add_question(unit, entry, Asks::AfterCalls(site.clone()))
            });
            let reached = Some(self.add_question(unit, entry, Asks::Reached(site)));
            self.asserted.push(Asserted { alone, after_calls, exact, induction, reached });
        }
        for (entry, promise) in promises {
            let alone = self.add_question(unit, entry, Asks::Kept(promise.at));
            let induction = Vec::new();
            self.asserted.push(Asserted { alone, after_calls: None, exact: None, induction, reached: None });
        }
    }

    /// Lists the runs that are asked for of procedures of a unit.
    fn add_runs(&mut self, unit: usize, runs: &[RunWanted]) {
        let program = &self.units[unit].programs.new;
        for (number, run) in runs.iter().enumerate() {
            let Some(procedure) = program.procedure_named(&run.procedure) else { continue };
            let Some(input) = run.input.input() else { continue };
            let subject = Subject::new(program, procedure);
            let header = PairHeader {
                renamed_from: Some(number.to_string()),
                ..PairHeader::new(Pair::new(subject, subject))
            };
            self.listing.pairs.push(header);
            self.runs.push(Wanted { unit, procedure, input });
        }
    }

    /// Runs a procedure on an input, and shows its way.
    fn show_run(&self, index: usize) -> Answer {
        let Wanted { unit, procedure, input } = &self.runs[index];
        let program = &self.units[*unit].programs.new;
        let numbers = self.options.numbers();
        let run = Machine::new(program, numbers).run(*procedure, input, &Limits::USUAL);
        let ending = match &run.ending {
            Ending::Returned(_) => Some(String::new()),
            Ending::Failed { error } => Some(error.clone()),
            _ => None,
        };
        let path = explain::path(Subject::new(program, *procedure), input, numbers);
        let report = self.listing.pairs[index].clone().unknown(Vec::new(), self.reported_config(), 0.0);
        let assertion = AssertionAnswer { path, ending, ..AssertionAnswer::default() };
        Answer { assertion: Some(assertion), ..Answer::only(report) }
    }

    fn add_question(&mut self, unit: usize, entry: ProcId, asks: Asks) -> usize {
        self.add_question_of(unit, Pair::new(entry, entry), asks)
    }

    pub(super) fn add_question_of(&mut self, unit: usize, procedures: Pair<ProcId>, asks: Asks) -> usize {
        self.pairs.push(PairOfUnit {
            unit,
            procedures,
            condition: None,
            apart: None,
            contracted: OnceLock::new(),
            question: Some(Question::new(asks)),
        });
        self.pairs.len() - 1
    }

    /// The procedures of a question, with their programs.
    pub(super) fn asked(&self, index: usize) -> Pair<Subject<'_>> {
        let pair = &self.pairs[index];
        let question = pair.question.as_ref().expect("only questions should be asked for");
        let (programs, procedures) =
            question.programs.get_or_init(|| self.programs_of(index, &question.asks));
        ir::subjects(programs, *procedures)
    }

    fn programs_of(&self, index: usize, asks: &Asks) -> (Pair<Program>, Pair<ProcId>) {
        let PairOfUnit { unit, procedures, .. } = &self.pairs[index];
        if let Asks::Same(sites) = asks {
            return (self.ending_at_any(index, sites), *procedures);
        }
        let whole = &self.units[*unit].programs.new;
        let contracted = self.contracted(index).and_then(|contracted| contracted.programs.as_ref());
        let program = contracted.map_or(whole, |programs| &programs.new);
        match asks {
            Asks::Violated(site, others) => {
                let asked = properties::question(program, procedures.new, site, *others);
                // Loops have invariants, which calls that only repeat do not.
                let in_loops = |program: Program| {
                    let changed = rewrite::eliminate_tail_calls(&program, procedures.new);
                    changed.filter(|it| !ir::is_recursive(it, procedures.new)).unwrap_or(program)
                };
                (asked.map(in_loops), *procedures)
            }
            Asks::ByInduction(site, below) => {
                let facts = self.units[*unit].contract_facts();
                let required = facts.and_then(|facts| facts.new.required(procedures.new));
                let (program, required) =
                    required.map_or((program, None), |(program, condition)| (program, Some(condition)));
                match properties::by_induction(program, procedures.new, site, *below, required) {
                    Some((asked, entry)) => (asked, Pair::new(entry, entry)),
                    None => (unanswerable(whole, procedures.new), *procedures),
                }
            }
            Asks::Reached(site) => (properties::reached(program, procedures.new, site), *procedures),
            Asks::Same(_) => unreachable!("versions should be compared before this"),
            Asks::AfterCalls(site) => {
                let program = self.with_callees(*unit, program, procedures.new);
                (properties::question(&program, procedures.new, site, Others::Off), *procedures)
            }
            Asks::Kept(at) => match self.units[*unit].kept(program, procedures.new, *at) {
                Some([(asked, by), (given, instead)]) => (Pair::new(asked, given), Pair::new(by, instead)),
                None => (unanswerable(whole, procedures.new), *procedures),
            },
        }
    }

    /// Checks one assertion within a time.
    pub(super) fn check_assertion(&self, index: usize, time: Duration, threads: Threads) -> Answer {
        if !self.runs.is_empty() {
            return self.show_run(index);
        }
        if !self.looked.is_empty() {
            return self.guess(index);
        }
        if self.options.assertions.as_ref().is_some_and(|it| !it.same.is_empty()) {
            return self.same(index, time, threads);
        }
        let start = Instant::now();
        let config = CheckConfig { threads, ..self.options.config(Kill::at(start + time)) };
        let asserted = &self.asserted[index];
        if let Some(mut answer) = self.violated_before(index, &config) {
            answer.report.statistics.seconds = (start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
            return answer;
        }
        let strategy = self.options.assertions.as_ref().map(|it| it.strategy);
        if let Some(strategy @ (PathStrategy::Full | PathStrategy::Dise)) = strategy
            && let Some(mut answer) = self.by_paths(index, strategy, &config)
        {
            answer.report.statistics.seconds = (start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
            return answer;
        }
        let by_induction = asserted.induction.iter().find_map(|index| self.by_induction(*index, &config));
        let mut answer = by_induction.unwrap_or_else(|| self.ask_about(asserted.alone, &config));
        let mut is_alone = true;
        if answer.report.verdict == VerdictWord::Different
            && answer.assertion.as_ref().is_some_and(|it| it.path.is_empty())
            && let Some(exact) = asserted.exact
        {
            // Another assertion stops that run before.
            let spent = answer.report.statistics;
            answer = self.ask_about(exact, &config);
            is_alone = false;
            let statistics = &mut answer.report.statistics;
            statistics.solver_calls += spent.solver_calls;
            statistics.inputs_tried += spent.inputs_tried;
            statistics.steps += spent.steps;
        }
        if answer.report.verdict == VerdictWord::Unknown
            && let Some(proved) = self.after_calls(index, &config)
        {
            answer = proved;
            is_alone = true;
        }
        let found = answer.assertion.get_or_insert_default();
        found.is_alone = is_alone;
        match answer.report.verdict {
            VerdictWord::Different => found.is_reached = Some(true),
            VerdictWord::Equivalent => {
                let budget = Budget::new(FOR_REACHING, Kill::at(start + time));
                let config = CheckConfig { budget, ..config };
                found.is_reached = asserted.reached.and_then(|reached| {
                    match self.judge(reached, &config, &mut |_| {}).checked.verdict {
                        Verdict::Different(_) => Some(true),
                        Verdict::Equivalent(_) => Some(false),
                        Verdict::Unknown(_) => None,
                    }
                });
            }
            VerdictWord::Unknown => {}
        }
        answer.report.statistics.seconds = (start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        answer
    }

    /// A proof by induction, if there is one. It speaks of all that calls may be given.
    fn by_induction(&self, index: usize, config: &CheckConfig) -> Option<Answer> {
        let budget = config.budget.share(SHARE_FOR_INDUCTION);
        let config = CheckConfig { budget, any_inputs: true, ..config.clone() };
        let mut answer = self.ask_about(index, &config);
        // Calls below may have been any function, but the source of none is missing: the proof rests on no such thing.
        answer.report.assumptions.retain(|it| !it.contains("whose source is not there"));
        let asked = self.asked(index).old;
        // References of inputs do not lead to constants of the program, those of calls may.
        let statics = ir::effects(asked.program, asked.procedure).statics;
        let names_constants = statics.iter().any(|id| asked.program.static_object(*id).constant);
        (answer.report.verdict == VerdictWord::Equivalent && !names_constants).then_some(answer)
    }

    /// Whether an input that violated an assertion before violates this one.
    fn violated_before(&self, index: usize, config: &CheckConfig) -> Option<Answer> {
        let asserted = &self.asserted[index];
        let known = &self.options.assertions.as_ref()?.known;
        let exact = asserted.exact.unwrap_or(asserted.alone);
        let pair = self.asked(exact);
        let entry =
            &self.units[self.pairs[exact].unit].programs.new.procedure(self.pairs[exact].procedures.new).name;
        let mut tried = 0;
        for run in known.iter().filter(|run| run.procedure == *entry) {
            tried += 1;
            let Some(witness) = run.input.input().and_then(|input| check::witness_of(pair, &input, config))
            else {
                continue;
            };
            let mut answer = self.violation(exact, &witness, "known-inputs", config);
            answer.report.statistics.inputs_tried = tried;
            answer.assertion.get_or_insert_default().was_known = true;
            return Some(answer);
        }
        None
    }

    /// A violation that a run shows. A proof over cells may leave inputs out, but a run is a run.
    pub(super) fn violation(
        &self,
        index: usize,
        witness: &Witness,
        how: &str,
        config: &CheckConfig,
    ) -> Answer {
        let pair = self.asked(index);
        let mut report = PairHeader::new(pair).unknown(Vec::new(), config.into(), 0.0);
        report.verdict = VerdictWord::Different;
        report.witness = Some(report::witness_report(pair, witness));
        report.strategy = how.to_owned();
        let mut answer = Answer::only(report);
        let mut found = self.shown(index, witness.input(), config, &mut answer);
        found.is_reached = Some(true);
        answer.assertion = Some(found);
        answer
    }

    /// Asks one question. The path of a violation is empty if the program as it is does not violate the assertion there.
    pub(super) fn ask_about(&self, index: usize, config: &CheckConfig) -> Answer {
        let judged = self.judge(index, config, &mut |_| {});
        let mut report = report::pair_report(judged.subjects(), &judged.checked, config);
        add_new(&mut report.assumptions, judged.taken_for_granted.clone());
        if let Some(contracted) = self.contracted(index) {
            add_new(&mut report.assumptions, contracted.assumptions.clone());
        }
        let mut answer = Answer::only(report);
        let Verdict::Different(witness) = &judged.checked.verdict else { return answer };
        let found = judged.session.shown(judged.index, witness.input(), config, &mut answer);
        answer.assertion = Some(found);
        answer
    }

    /// The way of a violation, and how to run it on the real thing.
    fn shown(
        &self,
        index: usize,
        input: &Input,
        config: &CheckConfig,
        answer: &mut Answer,
    ) -> AssertionAnswer {
        let mut found = AssertionAnswer { input: KnownInput::of(input), ..AssertionAnswer::default() };
        let Some((asked, program)) = self.violating(index, input, config) else { return found };
        // The way of the whole program, with what does not matter to the assertion as well.
        let whole = match &self.pairs[index].question.as_ref().map(|question| &question.asks) {
            Some(Asks::Violated(site, _)) => Some(properties::ending_there(program, site, Others::On)),
            _ => None,
        };
        let entry = self.pairs[index].procedures.new;
        found.path = match &whole {
            Some(whole) => explain::path(Subject::new(whole, entry), input, config.numbers),
            None => {
                explain::path(Subject::new(asked, self.asked(index).old.procedure), input, config.numbers)
            }
        };
        found.path.iter_mut().flat_map(|step| &mut step.seen).for_each(|seen| {
            if seen.value.ends_with(VIOLATED) {
                seen.value = "does not hold".to_owned();
            }
        });
        let run = Machine::new(program, config.numbers).run(entry, input, &Limits::USUAL);
        found.ending = match &run.ending {
            Ending::Failed { error } => Some(error.clone()),
            _ => None,
        };
        if self.options.replay {
            let original = Subject::new(program, entry);
            let classes = &self.unit_of(index).renamed_classes;
            let runs = Pair::new(&run, &run);
            let plan =
                crate::replay::plan(Pair::new(original, original), input, runs, classes, config.numbers);
            answer.replay = Some(plan);
        }
        found
    }

    /// The program that ends where the assertion is violated with all others on, if this input gets there; and the program
    /// as it is.
    fn violating(&self, index: usize, input: &Input, config: &CheckConfig) -> Option<(&Program, &Program)> {
        let pair = &self.pairs[index];
        let whole = &self.units[pair.unit].programs.new;
        let question = pair.question.as_ref()?;
        let asked = self.asked(index);
        match &question.asks {
            Asks::Kept(_)
            | Asks::Reached(_)
            | Asks::ByInduction(..)
            | Asks::Same(_)
            | Asks::AfterCalls(_) => Some((asked.old.program, whole)),
            Asks::Violated(_, Others::On) => Some((asked.old.program, whole)),
            Asks::Violated(site, Others::Off) => {
                // The next pair is the same question with the others on.
                let exact = self.pairs.get(index + 1)?;
                let is_exact = exact.question.as_ref()?.asks == Asks::Violated(site.clone(), Others::On);
                let exact = self.asked(if is_exact { index + 1 } else { return None });
                let machine = Machine::new(exact.old.program, config.numbers);
                let run = machine.run(exact.old.procedure, input, &Limits::USUAL);
                let is_violated = matches!(&run.ending, Ending::Failed { error } if error == VIOLATED);
                is_violated.then_some((exact.old.program, whole))
            }
        }
    }
}

/// Two programs of which nobody can say that they do the same: a question that cannot be asked is not answered by chance.
fn unanswerable(program: &Program, id: ProcId) -> Pair<Program> {
    let without = |side: &str| {
        let mut program = program.clone();
        let what = format!("a question that cannot be asked ({side})");
        let span = program.procedure(id).span;
        let stmt = ir::Stmt { kind: ir::StmtKind::Unsupported { what }, span };
        program.procedures[id.index()].body = Some(vec![stmt]);
        program
    };
    Pair::new(without("asked"), without("given"))
}

/// The procedures whose assertions are asked about from one: itself, what makes its object, and its callees if asked for.
fn owners(program: &Program, entry: ProcId, with_callees: bool) -> Vec<ProcId> {
    let mut found = vec![entry];
    for id in ir::reachable(program, entry).into_iter().skip(1) {
        let procedure = program.procedure(id);
        let is_own = program.procedure(entry).short_name == "<init>"
            && procedure.short_name == ir::CONSTRUCT
            && ir::calls_of(program, entry).contains(&id);
        if is_own || with_callees && !procedure.is_condition() {
            found.push(id);
        }
    }
    found
}

/// A run that is asked for.
pub(super) struct Wanted {
    unit: usize,
    procedure: ProcId,
    input: Input,
}

/// The variables that the source names, with their types as the language writes these; empty where it has no word.
fn variables(program: &Program, id: ProcId) -> Vec<(String, String)> {
    let locals = program.procedure(id).locals.iter();
    let named = locals.filter(|it| it.name != "this" && !it.name.starts_with('$'));
    named.map(|it| (it.name.clone(), type_text(program, &it.ty).unwrap_or_default())).collect()
}

pub(super) fn type_text(program: &Program, ty: &ir::Type) -> Option<String> {
    let is_java = program.language == ir::Language::Java;
    let text = match ty {
        ir::Type::Bool if is_java => "boolean",
        ir::Type::Text if is_java => "String",
        ir::Type::Float(ir::FloatType::F32) => "float",
        ir::Type::Float(ir::FloatType::F64) => "double",
        ir::Type::Int(int) => match (is_java, int.name()) {
            (true, "i8") => "byte",
            (true, "i16") => "short",
            (true, "u16") => "char",
            (true, "i32") => "int",
            (true, "i64") => "long",
            (false, "i8") => "signed char",
            (false, "u8") => "unsigned char",
            (false, "i16") => "short",
            (false, "u16") => "unsigned short",
            (false, "i32") => "int",
            (false, "u32") => "unsigned int",
            (false, "i64") => "long",
            (false, "u64") => "unsigned long",
            _ => return None,
        },
        ir::Type::Ref(ir::Target::Shape(shape)) if is_java => {
            return Some(program.shape(*shape).name.clone());
        }
        _ => return None,
    };
    Some(text.to_owned())
}

/// Whether a procedure surely ends.
fn ends(program: &Program, id: ProcId) -> bool {
    let repeats = |id: ProcId| match program.procedure(id).body.as_deref() {
        Some(body) => ir::has_loop(body),
        None => true,
    };
    let reached = ir::reachable(program, id);
    !reached.iter().any(|id| repeats(*id) || ir::is_recursive(program, *id))
}

fn end(program: &Program, id: ProcId) -> (u32, u32) {
    let span = program.procedure(id).span;
    (span.end_line, span.end_column)
}

/// A promise of a procedure.
pub(super) struct Promise {
    /// Its place among the clauses of the procedure.
    at: usize,
    file: String,
    line: u32,
    pub(super) text: String,
}

impl LoweredUnit {
    /// What a procedure ensures, as far as it was understood.
    fn promises(&self, id: ProcId) -> Vec<Promise> {
        let Some(facts) = self.contract_facts() else { return Vec::new() };
        let clauses = facts.new.ensured(id);
        clauses.into_iter().map(|(at, file, line, text)| Promise { at, file, line, text }).collect()
    }

    /// Two programs that do the same exactly if a procedure keeps a promise.
    fn kept(&self, program: &Program, id: ProcId, at: usize) -> Option<[(Program, ProcId); 2]> {
        let facts = self.contract_facts()?;
        let (promise, condition) = facts.new.promise(id, at)?;
        rewrite::kept(program, promise, id, condition)
    }
}
