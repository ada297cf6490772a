//! Symbolic execution path by path: all paths, or only those that a change has an impact on (DiSE).
//!
//! Each decision asks the solver whether both ways are possible. *Directed* execution goes on from a decision only if
//!
//! 1. a changed statement was executed, or can still be reached: other runs are those of the old version;
//! 2. an impacted statement can still be reached that was not covered in the same context: the impacted statements and
//!    decisions on the way so far. So one path is followed for each combination of impacted decisions, where full execution
//!    follows all combinations of the others, too.
//!
//! It follows a way up to its next decision before it asks whether the way is possible: of a way that leads nowhere nothing
//! has to be known.
//!
//! Exact up to the bound for full execution. Directed execution leaves out paths that no change has an impact on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use budget::Budget;
use interp::Input;
use ir::{Numbers, Pair, ProcId, Program, Span, Stmt, StmtKind};
use query::{Asked, Client, Violation};
use smt::{Floats, StopFlag, Term, Terms};
use symbolic::{Followed, Guide, Inputs, NotFollowed, Stopped};

use crate::impact::Impact;

/// Iterations that are followed as long as no input decides whether there is another one.
const CONCRETE_ITERATIONS: u32 = 2_000;
const MOST_TERMS: usize = 3_000_000;
/// Branch decisions that are explored at the most.
const MOST_STATES: u64 = 100_000;

/// Which paths are followed.
#[derive(Clone, Copy, Debug)]
pub enum Direction<'a> {
    Full,
    /// Those that a change has an impact on.
    Directed(&'a Impact),
}

/// What there is to work with.
#[derive(Clone, Debug)]
pub struct ExploreConfig {
    pub summaries: symbolic::Config,
    pub client: query::Config,
    pub budget: Budget,
    /// Branch decisions that are explored at the most.
    pub most_states: u64,
}

impl ExploreConfig {
    /// The usual one for a solver, if there is one, with numbers and a bound.
    pub fn new(
        solver: Option<PathBuf>,
        memory_mb: u64,
        budget: Budget,
        numbers: Numbers,
        bound: u32,
    ) -> ExploreConfig {
        let stop = StopFlag::default();
        let summaries = symbolic::Config {
            numbers,
            bound,
            concrete_limit: CONCRETE_ITERATIONS,
            total: false,
            sqrt_axioms: false,
            any_inputs: false,
            errors: symbolic::Errors { messages: false, everything: false },
            max_terms: MOST_TERMS,
            budget: budget.clone(),
            stop: stop.clone(),
        };
        let client =
            query::Config { solver, memory_mb, budget: budget.clone(), stop, keep_obligations: false };
        ExploreConfig { summaries, client, budget, most_states: MOST_STATES }
    }
}

/// What was found on the paths.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// Branch decisions that were explored.
    pub states: u64,
    /// Paths that were followed to their end.
    pub paths: u64,
    pub solver_calls: u64,
    /// Inputs that may end with the error, to be run.
    pub candidates: Vec<Input>,
    /// Why nothing follows from there being none; empty if something does.
    pub gaps: Vec<String>,
    /// What is taken for granted on the paths, in words.
    pub assumptions: Vec<String>,
    /// The sets of statements that paths went through which were followed to their end; also where nobody had to ask whether
    /// such a path is possible.
    pub ways: BTreeSet<BTreeSet<Span>>,
}

/// Follows the paths of a procedure, and looks for inputs that end with an error.
pub fn explore(
    program: &Program,
    procedure: ProcId,
    error: &str,
    direction: Direction<'_>,
    config: &ExploreConfig,
) -> Explored {
    let mut terms = Terms::new();
    let versions = Pair::new((program, procedure), (program, procedure));
    let inputs = symbolic::inputs(&mut terms, versions, &config.summaries);
    let mut exploration = Exploration {
        program,
        procedure,
        error,
        direction,
        config,
        inputs,
        client: Client::new(config.client.clone()),
        reachable: Reachable::of(program, procedure),
        covered: BTreeMap::new(),
        found: Explored::default(),
    };
    exploration.all(&mut terms);
    let mut found = exploration.found;
    found.solver_calls = u64::from(exploration.client.statistics.solver_calls);
    exploration.client.rest();
    found
}

/// The impacted statements and decisions on the way to a decision.
type Context = BTreeSet<(Span, Option<Term>)>;

/// A path up to a decision.
struct Prefix {
    given: Vec<Term>,
    /// Whether it is known to be possible, as far as the solver tells.
    is_checked: bool,
    /// The impacted decisions so far, and the contexts of all decisions on the way.
    decisions: Context,
    contexts: Vec<Context>,
}

struct Exploration<'a> {
    program: &'a Program,
    procedure: ProcId,
    error: &'a str,
    direction: Direction<'a>,
    config: &'a ExploreConfig,
    inputs: Inputs,
    client: Client,
    reachable: Reachable,
    /// The impacted statements that paths came to after each context.
    covered: BTreeMap<Context, BTreeSet<Span>>,
    found: Explored,
}

impl Exploration<'_> {
    fn all(&mut self, terms: &mut Terms) {
        let start =
            Prefix { given: Vec::new(), is_checked: true, decisions: Context::new(), contexts: Vec::new() };
        let mut open = vec![start];
        while let Some(prefix) = open.pop() {
            if self.config.budget.is_over() || self.found.states > self.config.most_states {
                self.found.gaps.push("the effort is used up".to_owned());
                return;
            }
            let guide = Guide { given: prefix.given.clone(), ..Guide::default() };
            let summaries = &self.config.summaries;
            let way = symbolic::follow(terms, self.program, self.procedure, &self.inputs, summaries, &guide);
            match way {
                Ok(followed) => self.end(terms, prefix, followed),
                Err(NotFollowed::Undecided { condition, taken, at, visited }) => {
                    let mut prefix = prefix;
                    prefix.given.extend(taken);
                    self.branch(terms, prefix, condition, at, &visited, &mut open);
                }
                Err(NotFollowed::Stopped(stopped)) => {
                    let why = match stopped {
                        Stopped::UsedUp => "the effort is used up",
                        Stopped::TooLarge => "the terms of a path grow too large",
                        Stopped::Undecided => "a path could not be followed",
                    };
                    self.found.gaps.push(why.to_owned());
                }
            }
        }
    }

    /// Goes on in both ways that are possible.
    fn branch(
        &mut self,
        terms: &mut Terms,
        mut prefix: Prefix,
        condition: Term,
        at: Span,
        visited: &BTreeSet<Span>,
        open: &mut Vec<Prefix>,
    ) {
        if let Direction::Directed(Impact { spans: impacted, changed, .. }) = self.direction {
            let after = self.reachable.from(at);
            if visited.is_disjoint(changed) && after.is_disjoint(changed) {
                return;
            }
            let on_the_way = visited.intersection(impacted).map(|span| (*span, None));
            let context: Context = prefix.decisions.iter().copied().chain(on_the_way).collect();
            let wanted = after.intersection(impacted).copied().collect::<BTreeSet<_>>();
            let covered = self.covered.entry(context.clone()).or_default();
            let is_impacted = impacted.contains(&at);
            // The first path of a context is followed in any case.
            let is_new = covered.is_empty() || wanted.iter().any(|span| !covered.contains(span));
            if !is_impacted && !is_new {
                return;
            }
            prefix.contexts.push(context);
            if !self.check(terms, &mut prefix) {
                return;
            }
        }
        let opposite = terms.not(condition);
        let is_directed = matches!(self.direction, Direction::Directed(_));
        for way in [opposite, condition] {
            let mut given = prefix.given.clone();
            given.push(way);
            if !is_directed {
                self.found.states += 1;
                if !self.is_possible(terms, &given) {
                    continue;
                }
            }
            let mut decisions = prefix.decisions.clone();
            if let Direction::Directed(Impact { spans: impacted, .. }) = self.direction
                && impacted.contains(&at)
            {
                decisions.insert((at, Some(way)));
            }
            let (is_checked, contexts) = (!is_directed, prefix.contexts.clone());
            open.push(Prefix { given, is_checked, decisions, contexts });
        }
    }

    /// Whether a path that is looked at is possible; asked once.
    fn check(&mut self, terms: &mut Terms, prefix: &mut Prefix) -> bool {
        if prefix.is_checked {
            return true;
        }
        self.found.states += 1;
        prefix.is_checked = true;
        self.is_possible(terms, &prefix.given)
    }

    fn is_possible(&mut self, terms: &mut Terms, given: &[Term]) -> bool {
        let conditions = self.inputs.assumptions.iter().chain(given).copied().collect();
        let (question, floats) = (Violation::of(conditions), Floats::Symbols);
        let budget = self.config.budget.clone();
        !matches!(self.client.ask(terms, question, &[], floats, &budget), Asked::Refuted(_))
    }

    /// A path came to its end: does it end with the error?
    fn end(&mut self, terms: &mut Terms, mut prefix: Prefix, followed: Followed) {
        let Followed { summary, taken, visited } = followed;
        for text in &summary.assumption_texts {
            if !self.found.assumptions.contains(text) {
                self.found.assumptions.push(text.clone());
            }
        }
        let is_directed = matches!(self.direction, Direction::Directed(_));
        let on_it: BTreeSet<Span> = match self.direction {
            Direction::Directed(Impact { spans: impacted, .. }) => {
                visited.intersection(impacted).copied().collect()
            }
            Direction::Full => BTreeSet::new(),
        };
        let ending = summary.endings.get(&Some(self.error.to_owned())).copied();
        let ending = ending.filter(|ending| terms.as_bool(*ending) != Some(false));
        let is_cut = !summary.cut.is_empty() || !summary.unsupported.is_empty();
        let covers_more = prefix.contexts.iter().any(|context| {
            self.covered.get(context).is_none_or(|covered| !on_it.iter().all(|span| covered.contains(span)))
        });
        self.found.ways.insert(visited);
        // Of a path that ends well, and shows nothing new, nothing has to be known.
        let is_wanted = !is_directed || ending.is_some() || is_cut || covers_more;
        if !is_wanted || !self.check(terms, &mut prefix) {
            return;
        }
        self.found.paths += 1;
        if is_directed {
            for context in &prefix.contexts {
                self.covered.entry(context.clone()).or_default().extend(&on_it);
            }
        }
        let gaps = summary.cut.iter().map(|_| "a loop or recursion goes beyond the bound".to_owned());
        let gaps = gaps.chain(summary.unsupported.iter().map(|it| it.what.clone()));
        for gap in gaps.collect::<Vec<_>>() {
            if !self.found.gaps.contains(&gap) {
                self.found.gaps.push(gap);
            }
        }
        let Some(ending) = ending else { return };
        let assumptions = self.inputs.assumptions.iter().chain(&summary.assumptions);
        let path = prefix.given.iter().chain(&taken);
        let conditions: Vec<Term> = assumptions.chain(path).copied().chain([ending]).collect();
        self.look_for_input(terms, conditions);
    }

    /// An input that meets all conditions, to be run.
    fn look_for_input(&mut self, terms: &mut Terms, conditions: Vec<Term>) {
        let mut wanted = symbolic::input_terms(&self.inputs);
        wanted.extend(inputs::wanted_of(terms, &conditions));
        let budget = self.config.budget.clone();
        match self.client.ask(terms, Violation::of(conditions), &wanted, Floats::Ieee, &budget) {
            Asked::Refuted(_) => {}
            Asked::Counterexample(model) => {
                let input = inputs::input_of_model(terms, &self.inputs, &model);
                self.found.candidates.push(input);
            }
            Asked::GaveUp(_) => self.found.gaps.push("the solver gave up".to_owned()),
        }
    }
}

/// Which statements may run after which, in a procedure and all that it calls.
struct Reachable {
    after: BTreeMap<Span, BTreeSet<Span>>,
    all: BTreeSet<Span>,
}

impl Reachable {
    fn of(program: &Program, procedure: ProcId) -> Reachable {
        let mut found = Reachable { after: BTreeMap::new(), all: BTreeSet::new() };
        for id in ir::reachable(program, procedure) {
            let body = program.procedure(id).body.as_deref().unwrap_or_default();
            ir::for_each_stmt(body, &mut |stmt| {
                found.all.insert(stmt.span);
            });
        }
        let body = program.procedure(procedure).body.as_deref().unwrap_or_default();
        if !ir::is_recursive(program, procedure) {
            let nothing = BTreeSet::new();
            found.block(program, body, &nothing);
        }
        found
    }

    /// Notes what may run from each statement of a block on; `after` is what may run after the block.
    fn block(&mut self, program: &Program, block: &[Stmt], after: &BTreeSet<Span>) -> BTreeSet<Span> {
        let mut rest = after.clone();
        for stmt in block.iter().rev() {
            let mut own: BTreeSet<Span> = [stmt.span].into();
            // Anything inside may run, in any order where it is repeated or a failure is caught.
            let is_any_order = matches!(stmt.kind, StmtKind::Loop { .. } | StmtKind::Try { .. });
            ir::for_each_stmt(std::slice::from_ref(stmt), &mut |inner| {
                own.insert(inner.span);
                if let StmtKind::Call { callee, .. } = &inner.kind {
                    for id in ir::reachable(program, *callee) {
                        let body = program.procedure(id).body.as_deref().unwrap_or_default();
                        ir::for_each_stmt(body, &mut |stmt| {
                            own.insert(stmt.span);
                        });
                    }
                }
            });
            let from_here: BTreeSet<Span> = own.union(&rest).copied().collect();
            let inside = if is_any_order { &from_here } else { &rest };
            for inner in ir::blocks(&stmt.kind) {
                self.block(program, inner, inside);
            }
            self.after.entry(stmt.span).or_default().extend(&from_here);
            rest = from_here;
        }
        rest
    }

    fn from(&self, at: Span) -> &BTreeSet<Span> {
        self.after.get(&at).unwrap_or(&self.all)
    }
}
