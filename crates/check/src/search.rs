//! Summaries of both versions, loops and recursion unrolled to the bound, and one question to the solver.
//!
//! Exact but for what the summaries list: a refuted difference counts only together with refuted cuts, and a
//! candidate only when both versions were run on it. Where code is hidden behind symbols a refuted difference still
//! proves that there is none; that it is not refuted says less.

mod by_parts;
mod conclusion;
mod depth;
mod merging;
mod partners;
mod separating;

pub(crate) use conclusion::up_to_the_bound;
pub(crate) use depth::Depth;

use budget::Budget;
use interp::Limits;
use ir::{Pair, Side};
use smt::{Floats, Sort, Term, Terms};
use symbolic::{Config, Hidden, Inputs, LoopUse, Question, Stopped, Summary};

use crate::inputs::wanted_of;
use crate::question::{Asked, Asker, Difference, Refuted, Same};
use crate::settled::Settled;
use crate::verdict::{Reason, Unknown, Verdict};
use crate::witness::{Machines, Witness};
use crate::{CheckConfig, Event, Exceptions, Subject, Undefined};

/// Iterations that are followed as long as no input decides whether there is another one.
const CONCRETE_ITERATIONS: u32 = 2_000;
/// Terms of both summaries together.
const MOST_TERMS: usize = 3_000_000;
/// What the interpreter may use for one candidate.
const LIMITS: Limits = Limits { steps: 2_000_000, ..Limits::USUAL };

/// Decides a pair by its summaries, with some statements hidden.
pub(crate) fn search(
    pair: Pair<Subject<'_>>,
    hidden: Pair<&Hidden>,
    depth: Depth,
    machines: &Machines,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Verdict {
    let mut terms = Terms::new();
    match Search::prepare(&mut terms, pair, hidden, depth, config, asker) {
        Ok(search) => search.decide(&mut terms, machines, config, asker),
        Err(reason) => Verdict::Unknown(Unknown::because(reason)),
    }
}

/// The options for summaries that a check asks for.
pub(crate) fn summary_config(config: &CheckConfig) -> Config {
    Config {
        numbers: config.numbers,
        bound: config.bound,
        concrete_limit: CONCRETE_ITERATIONS,
        total: config.total,
        sqrt_axioms: false,
        any_inputs: config.any_inputs,
        errors: symbolic::Errors { messages: config.exceptions == Exceptions::Message, everything: false },
        max_terms: MOST_TERMS,
        budget: config.budget.clone(),
        stop: config.stop.clone(),
    }
}

/// What counts of errors. Of a part of a pair all that a handler of the program could see does.
fn errors_compared(pair: Pair<Subject<'_>>, config: &CheckConfig) -> symbolic::Errors {
    let everything = config.any_inputs && [pair.old, pair.new].iter().any(|it| has_handlers(it.program));
    symbolic::Errors { everything, ..summary_config(config).errors }
}

/// Whether some handler of a program looks at what it catches.
fn has_handlers(program: &ir::Program) -> bool {
    let mut found = false;
    for body in program.procedures.iter().filter_map(|procedure| procedure.body.as_ref()) {
        ir::for_each_stmt(body, &mut |stmt| {
            if let ir::StmtKind::Try { catches, .. } = &stmt.kind {
                found |= catches.iter().any(|catch| catch.message.is_some());
            }
        });
    }
    found
}

fn summarize(
    terms: &mut Terms,
    pair: Pair<Subject<'_>>,
    hidden: Pair<&Hidden>,
    config: &CheckConfig,
) -> Result<(Inputs, Pair<Summary>), Stopped> {
    let summary_config = Config { errors: errors_compared(pair, config), ..summary_config(config) };
    let inputs =
        symbolic::inputs(terms, pair.map(|subject| (subject.program, subject.procedure)), &summary_config);
    let summaries = pair.zip(hidden).try_map(|(subject, hidden)| {
        let Subject { program, procedure } = subject;
        symbolic::summarize_hiding(terms, program, procedure, &inputs, &summary_config, hidden)
    })?;
    Ok((inputs, summaries))
}

/// The question about one pair, and what has been learnt about it.
pub(crate) struct Search<'a> {
    pair: Pair<Subject<'a>>,
    inputs: Inputs,
    summaries: Pair<Summary>,
    question: Question,
    assumptions: Vec<Term>,
    has_floats: bool,
    /// Whether some code was hidden.
    hides: bool,
    depth: Depth,
    /// In how many ways equal parts of the question were merged.
    merges: usize,
    /// Inputs that were run and did not separate the versions.
    blocked: Vec<Term>,
}

/// What became of the question whether the versions differ.
pub(crate) enum Outcome {
    Refuted(Refuted<Difference>),
    Found(Box<Witness>),
    Open(Reason),
}

impl<'a> Search<'a> {
    /// Summarises both versions and forms the question.
    pub(crate) fn prepare(
        terms: &mut Terms,
        pair: Pair<Subject<'a>>,
        hidden: Pair<&Hidden>,
        depth: Depth,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
    ) -> Result<Search<'a>, Reason> {
        let summarized = summarize(terms, pair, hidden, config);
        asker.statistics.terms = asker.statistics.terms.max(terms.len() as u64);
        let (inputs, summaries) = summarized.map_err(|stopped| match stopped {
            Stopped::TooLarge => Reason::TooLarge,
            Stopped::UsedUp => Reason::UsedUp,
            Stopped::Undecided => Reason::Internal("a run without a guide asked for one".to_owned()),
        })?;
        if let Some(what) = inputs.mismatches.first() {
            return Err(Reason::Incomparable(what.clone()));
        }
        let mut search = Search::new(terms, pair, inputs, summaries, depth, config);
        search.hides = !hidden.old.is_empty() || !hidden.new.is_empty();
        if config.keep_questions {
            asker.emit(Event::Terms { text: search.describe(terms) });
        }
        Ok(search)
    }

    fn new(
        terms: &mut Terms,
        pair: Pair<Subject<'a>>,
        inputs: Inputs,
        summaries: Pair<Summary>,
        depth: Depth,
        config: &CheckConfig,
    ) -> Search<'a> {
        let Pair { old, new } = &summaries;
        let mut question = symbolic::where_they_differ(
            terms,
            &inputs,
            old,
            new,
            config.total,
            errors_compared(pair, config),
        );
        let excused: &[&Summary] = match config.undefined {
            Undefined::Compared => &[],
            Undefined::Refined => &[old],
            Undefined::Excused => &[old, new],
        };
        for summary in excused {
            let undefined = symbolic::where_undefined(terms, summary);
            let counts = terms.not(undefined);
            question.differ = terms.and(&[counts, question.differ]);
        }
        let assumptions = question.assumptions.clone();
        let has_floats = have_floats(terms, &[question.differ, question.unfinished]);
        Search {
            pair,
            inputs,
            summaries,
            question,
            assumptions,
            has_floats,
            hides: false,
            depth,
            merges: 0,
            blocked: Vec::new(),
        }
    }

    /// The question about the inputs that take a route, of which the summaries alone speak.
    pub(crate) fn of_route(
        terms: &mut Terms,
        pair: Pair<Subject<'a>>,
        inputs: Inputs,
        summaries: Pair<Summary>,
        route: Term,
        config: &CheckConfig,
    ) -> Search<'a> {
        let mut search = Search::new(terms, pair, inputs, summaries, Depth::PLAIN, config);
        search.has_floats |= have_floats(terms, &[route]);
        search.assumptions.push(route);
        search
    }

    pub(crate) fn decide(
        mut self,
        terms: &mut Terms,
        machines: &Machines,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
    ) -> Verdict {
        match self.settle(terms, machines, config, asker) {
            (Outcome::Found(witness), _) => self.different(machines, witness),
            (Outcome::Refuted(refuted), floats) => {
                self.conclude(terms, machines, config, asker, refuted, floats)
            }
            (Outcome::Open(reason), _) => Verdict::Unknown(self.with_gaps(Unknown::because(reason), config)),
        }
    }

    /// Whether the versions differ among the runs that were followed, and how floats were read to know that.
    pub(crate) fn settle(
        &mut self,
        terms: &mut Terms,
        machines: &Machines,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
    ) -> (Outcome, Floats) {
        let mut floats = Floats::Symbols;
        let mut outcome = self.difference(terms, machines, config, asker, floats);
        for way in self.depth.merges {
            if !matches!(outcome, Outcome::Open(Reason::SolverGaveUp(_))) {
                break;
            }
            let before = self.question.differ;
            self.merge_equal_parts(terms, *way, config, asker);
            if self.question.differ != before || self.are_parts_merged() {
                outcome = self.difference(terms, machines, config, asker, floats);
            }
        }
        if matches!(outcome, Outcome::Open(_)) && self.has_floats && self.depth.ieee {
            // The operations as symbols allow too much: ask for their IEEE meaning.
            floats = Floats::Ieee;
            outcome = self.difference(terms, machines, config, asker, floats);
        }
        (outcome, floats)
    }

    pub(crate) fn different(&self, machines: &Machines, witness: Box<Witness>) -> Verdict {
        Verdict::Different(self.simplest(machines, witness))
    }

    /// A simpler witness for the same pair.
    pub(crate) fn simplest(&self, machines: &Machines, witness: Box<Witness>) -> Box<Witness> {
        machines.minimised(witness, self.pair.old, &LIMITS)
    }

    /// Asks once whether the versions can differ if some facts hold, whatever the symbols stand for.
    pub(crate) fn ask_difference(
        &self,
        terms: &mut Terms,
        facts: &[Term],
        asker: &mut Asker<'_>,
        budget: &Budget,
    ) -> Asked<Difference> {
        let mut conditions = self.difference_conditions(terms);
        conditions.extend(facts);
        let wanted = wanted_of(terms, &conditions);
        asker.ask::<Difference>(terms, &conditions, &wanted, Floats::Symbols, budget)
    }

    /// Whether the versions differ on every input that there is: the symbols cannot be at fault then.
    pub(crate) fn always_differ(&self, terms: &mut Terms, asker: &mut Asker<'_>, budget: &Budget) -> bool {
        let mut conditions = self.assumptions.clone();
        conditions.extend([terms.not(self.question.differ), terms.not(self.question.unfinished)]);
        let asked = asker.ask::<Same>(terms, &conditions, &[], Floats::Symbols, budget);
        matches!(asked, Asked::Refuted(_))
    }

    fn difference_conditions(&self, terms: &mut Terms) -> Vec<Term> {
        let mut conditions = self.assumptions.clone();
        let finished = terms.not(self.question.unfinished);
        conditions.extend([self.question.differ, finished]);
        conditions
    }

    /// Adds facts that hold of all runs on which both versions end.
    pub(crate) fn assume(&mut self, facts: &[Term]) {
        self.assumptions.extend(facts);
    }

    /// Says by facts what a loop leaves behind that was stepped over: no relation needs to.
    pub(crate) fn replace_loop(&mut self, side: Side, loop_use: &LoopUse, facts: &[Term]) {
        let place = |it: &LoopUse| (it.number, it.reached, it.entry.clone(), it.exit.clone());
        self.summaries.get_mut(side).loops.retain(|other| place(other) != place(loop_use));
        self.assume(facts);
    }

    /// Leaves out the inputs that are settled. What is concluded then is a proof only together with that.
    pub(crate) fn look_beyond(&mut self, settled: &Settled) {
        self.assumptions.push(settled.open());
    }

    pub(crate) fn assumptions(&self) -> &[Term] {
        &self.assumptions
    }

    pub(crate) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Where the versions differ, and what each of them does.
    pub(crate) fn question(&self) -> &Question {
        &self.question
    }

    pub(crate) fn summaries(&self) -> &Pair<Summary> {
        &self.summaries
    }

    fn describe(&self, terms: &Terms) -> String {
        format!(
            "differ:\n{}\nunfinished:\n{}\n",
            terms.print(self.question.differ),
            terms.print(self.question.unfinished)
        )
    }
}

pub(crate) fn have_floats(terms: &Terms, roots: &[Term]) -> bool {
    let reachable = terms.reachable(roots);
    reachable.into_iter().any(|term| matches!(terms.sort_of(term), Sort::Float(_)))
}
