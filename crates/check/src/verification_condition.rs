//! The verification condition of a pair: summaries of both versions, loops and recursion unrolled to the bound, and what
//! the solver is asked about them.
//!
//! Exact but for what the summaries list: a refuted difference counts only together with refuted cuts, and a
//! candidate only when both versions were run on it. Where code is hidden behind symbols a refuted difference still
//! proves that there is none; that it is not refuted says less.

mod conclusion;
mod depth;
mod merging;
mod residual;
mod separating;

pub(crate) use conclusion::up_to_the_bound;
pub(crate) use depth::Depth;
pub(crate) use residual::residual_condition;

use budget::Budget;
use interp::Limits;
use ir::{Pair, Side, Subject};
use smt::{Floats, Sort, Term, Terms};
use symbolic::{Abstraction, Config, Inputs, LoopUse, Question, Stopped, Summary};

use crate::kernel::{Claim, Difference, Hypothetical, ResidualCondition};
use crate::unknown::{Reason, Unknown};
use crate::verdict::Verdict;
use crate::witness::{Machines, Witness};
use crate::{CheckConfig, Undefined};
use inputs::wanted_of;
use query::{Asked, Client, Refuted};
use relate::{Fact, Proved};

/// What the interpreter may use for one candidate.
const LIMITS: Limits = Limits { steps: 2_000_000, ..Limits::USUAL };

/// Decides a pair by its summaries, with some statements hidden.
pub(crate) fn decide(
    pair: Pair<Subject<'_>>,
    hidden: Pair<&Abstraction>,
    depth: Depth,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Verdict {
    let mut terms = Terms::new();
    match VerificationCondition::prepare(&mut terms, pair, hidden, depth, config, client) {
        Ok(vc) => vc.decide(&mut terms, machines, config, client),
        Err(reason) => Verdict::Unknown(Unknown::because(reason)),
    }
}

/// What counts of errors. Of a part of a pair all that a handler of the program could see does.
fn errors_compared(pair: Pair<Subject<'_>>, config: &CheckConfig) -> symbolic::Errors {
    let everything = config.any_inputs && [pair.old, pair.new].iter().any(|it| has_handlers(it.program));
    symbolic::Errors { everything, ..config.summaries().errors }
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
    hidden: Pair<&Abstraction>,
    config: &CheckConfig,
) -> Result<(Inputs, Pair<Summary>), Stopped> {
    let summary_config = Config { errors: errors_compared(pair, config), ..config.summaries() };
    let inputs =
        symbolic::inputs(terms, pair.map(|subject| (subject.program, subject.procedure)), &summary_config);
    let summaries = pair.zip(hidden).try_map(|(subject, hidden)| {
        let Subject { program, procedure } = subject;
        symbolic::summarize_hiding(terms, program, procedure, &inputs, &summary_config, hidden)
    })?;
    Ok((inputs, summaries))
}

/// The question about one pair, and what has been learnt about it.
pub(crate) struct VerificationCondition<'a> {
    pair: Pair<Subject<'a>>,
    inputs: Inputs,
    summaries: Pair<Summary>,
    claim: Claim,
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
    Undecided(Reason),
}

impl<'a> VerificationCondition<'a> {
    /// Summarises both versions and forms the question.
    pub(crate) fn prepare(
        terms: &mut Terms,
        pair: Pair<Subject<'a>>,
        hidden: Pair<&Abstraction>,
        depth: Depth,
        config: &CheckConfig,
        client: &mut Client,
    ) -> Result<VerificationCondition<'a>, Reason> {
        let summarized = summarize(terms, pair, hidden, config);
        client.statistics.terms = client.statistics.terms.max(terms.len() as u64);
        let (inputs, summaries) = summarized.map_err(|stopped| match stopped {
            Stopped::TooLarge => Reason::TooLarge,
            Stopped::UsedUp => Reason::UsedUp,
            Stopped::Undecided => Reason::Internal("a run without a guide asked for one".to_owned()),
        })?;
        if let Some(what) = inputs.mismatches.first() {
            return Err(Reason::Incomparable(what.clone()));
        }
        let mut vc = VerificationCondition::new(terms, pair, inputs, summaries, depth, config);
        vc.hides = !hidden.old.is_empty() || !hidden.new.is_empty();
        if tracing::enabled!(target: "terms", tracing::Level::TRACE) {
            tracing::trace!(target: "terms", text = vc.describe(terms));
        }
        Ok(vc)
    }

    fn new(
        terms: &mut Terms,
        pair: Pair<Subject<'a>>,
        inputs: Inputs,
        summaries: Pair<Summary>,
        depth: Depth,
        config: &CheckConfig,
    ) -> VerificationCondition<'a> {
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
        let has_floats = have_floats(terms, &[question.differ, question.unfinished]);
        VerificationCondition {
            pair,
            inputs,
            summaries,
            claim: Claim::new(question),
            has_floats,
            hides: false,
            depth,
            merges: 0,
            blocked: Vec::new(),
        }
    }

    /// The question about the inputs that take a path pair. The summaries speak of these inputs alone.
    pub(crate) fn of_path_pair(
        terms: &mut Terms,
        pair: Pair<Subject<'a>>,
        inputs: Inputs,
        summaries: Pair<Summary>,
        path_pair: Term,
        config: &CheckConfig,
    ) -> VerificationCondition<'a> {
        let mut vc = VerificationCondition::new(terms, pair, inputs, summaries, Depth::PLAIN, config);
        vc.has_floats |= have_floats(terms, &[path_pair]);
        vc.claim = vc.claim.on_path_pair(path_pair);
        vc
    }

    pub(crate) fn decide(
        mut self,
        terms: &mut Terms,
        machines: &Machines,
        config: &CheckConfig,
        client: &mut Client,
    ) -> Verdict {
        match self.discharge(terms, machines, config, client) {
            (Outcome::Found(witness), _) => self.different(machines, witness),
            (Outcome::Refuted(refuted), floats) => {
                self.conclude(terms, machines, config, client, refuted, floats)
            }
            (Outcome::Undecided(reason), _) => {
                Verdict::Unknown(self.with_gaps(Unknown::because(reason), config))
            }
        }
    }

    /// Whether the versions differ among the runs that were followed, and how floats were read to know that.
    pub(crate) fn discharge(
        &mut self,
        terms: &mut Terms,
        machines: &Machines,
        config: &CheckConfig,
        client: &mut Client,
    ) -> (Outcome, Floats) {
        let mut floats = Floats::Symbols;
        let mut outcome = self.difference(terms, machines, config, client, floats);
        for way in self.depth.merges {
            if !matches!(outcome, Outcome::Undecided(Reason::SolverGaveUp(_))) {
                break;
            }
            let before = self.question().differ;
            self.merge_equal_parts(terms, *way, config, client);
            if self.question().differ != before || self.are_parts_merged() {
                outcome = self.difference(terms, machines, config, client, floats);
            }
        }
        if matches!(outcome, Outcome::Undecided(_)) && self.has_floats && self.depth.ieee {
            // The operations as symbols allow too much: ask for their IEEE meaning.
            floats = Floats::Ieee;
            outcome = self.difference(terms, machines, config, client, floats);
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

    /// Asks once whether the versions can differ, whatever the symbols stand for.
    pub(crate) fn ask_difference(
        &self,
        terms: &mut Terms,
        client: &mut Client,
        budget: &Budget,
    ) -> Asked<Difference> {
        let difference = self.claim.difference(terms);
        let wanted = wanted_of(terms, query::Question::conditions(&difference));
        client.ask(terms, difference, &wanted, Floats::Symbols, budget)
    }

    /// Asks once whether the versions could differ if more held than is known.
    pub(crate) fn ask_difference_if(
        &self,
        terms: &mut Terms,
        more: &[Term],
        client: &mut Client,
        budget: &Budget,
    ) -> Asked<Hypothetical> {
        let difference = self.claim.difference_if(terms, more);
        let wanted = wanted_of(terms, query::Question::conditions(&difference));
        client.ask(terms, difference, &wanted, Floats::Symbols, budget)
    }

    /// Whether the versions differ on every input that there is: the symbols cannot be at fault then.
    pub(crate) fn always_differ(&self, terms: &mut Terms, client: &mut Client, budget: &Budget) -> bool {
        let agreement = self.claim.agreement(terms);
        let asked = client.ask(terms, agreement, &[], Floats::Symbols, budget);
        matches!(asked, Asked::Refuted(_))
    }

    /// Adds facts that were proved of all runs on which both versions end.
    pub(crate) fn assume(&mut self, facts: &[Fact]) {
        self.claim.assume(facts);
    }

    /// Says by facts what a loop leaves behind that was stepped over: no invariant needs to.
    pub(crate) fn replace_loop(&mut self, side: Side, loop_use: &LoopUse, proved: &Proved) {
        let place = |it: &LoopUse| (it.number, it.reached, it.entry.clone(), it.exit.clone());
        self.summaries.get_mut(side).loops.retain(|other| place(other) != place(loop_use));
        self.assume(&proved.facts);
    }

    /// The same for the inputs that a bounded check has left.
    pub(crate) fn on_residual(self, residual: ResidualCondition) -> VerificationCondition<'a> {
        VerificationCondition { claim: self.claim.on_residual(residual), ..self }
    }

    pub(crate) fn claim(&self) -> &Claim {
        &self.claim
    }

    pub(crate) fn premises(&self) -> &[Term] {
        self.claim.premises()
    }

    pub(crate) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Where the versions differ, and what each of them does.
    pub(crate) fn question(&self) -> &Question {
        self.claim.question()
    }

    pub(crate) fn summaries(&self) -> &Pair<Summary> {
        &self.summaries
    }

    fn describe(&self, terms: &Terms) -> String {
        format!(
            "differ:\n{}\nunfinished:\n{}\n",
            terms.print(self.question().differ),
            terms.print(self.question().unfinished)
        )
    }
}

pub(crate) fn have_floats(terms: &Terms, roots: &[Term]) -> bool {
    let reachable = terms.reachable(roots);
    reachable.into_iter().any(|term| matches!(terms.sort_of(term), Sort::Float(_)))
}
