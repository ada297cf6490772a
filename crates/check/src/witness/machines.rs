//! Both versions, ready to run.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use budget::{Budget, Steps};
use inputs::minimise;
use interp::{Comparison, Difference, Input, Limits, Machine, Run, What};
use ir::{MainArguments, Numbers, Pair, Side, Subject};
use query::Client;

use super::own_state::{OwnState, without_own_state};
use super::{Evidence, Kind, Witness, arguments};
use crate::common_code::ChangedStatement;
use crate::unshared::own_state;
use crate::{CheckConfig, Undefined};

/// Both versions, ready to run, and what their runs have shown so far.
pub(crate) struct Machines<'a> {
    pair: Pair<Subject<'a>>,
    machines: Pair<Machine>,
    /// The same, which know nothing of memory that was never written; made where they are needed.
    doubting: OnceCell<Pair<Machine>>,
    /// Whether the code of a version uses something private that only it has.
    uses_own: OnceCell<bool>,
    /// What private variables that only one version has hold at the start, and after calls.
    start: OnceCell<Option<OwnState>>,
    after_calls: OnceCell<Vec<OwnState>>,
    /// On how many inputs none of these separated the versions.
    in_vain: Cell<u32>,
    numbers: Numbers,
    /// How the versions get the arguments of a program, if they are where one starts.
    arguments: Option<MainArguments>,
    evidence: Evidence,
    /// Whether what is proved of the pair rests on a hypothesis that runs may refute.
    hypothetical: bool,
    /// Whether an input on which only one version ends separates them.
    total: bool,
    undefined: Undefined,
    errors: interp::Errors,
    /// What the whole pair may take, whatever an engine has.
    budget: Budget,
    one_ends: OneEnds,
    prove_unreachable: Option<ProveUnreachable>,
}

/// Proves that a version does the same as a copy of it in which something was added, for all runs that end. Strategies
/// can; the vacuity check, which is below them, is given this.
pub(crate) type ProveUnreachable = fn(Pair<Subject<'_>>, &CheckConfig, &mut Client) -> bool;

/// The first input that was met on which one version ends and the other never does.
pub(crate) type OneEnds = Rc<RefCell<Option<Box<Witness>>>>;

/// What running both versions on one input showed.
pub(crate) enum Trial {
    Separated(Box<Witness>),
    /// They ended the same way, or could not be compared.
    NotSeparated(Box<Pair<Run>>),
}

/// Steps of all runs together that look for a simpler witness.
const STEPS_TO_MINIMISE: u64 = 20_000_000;

/// What it costs to start a run and to compare its ends, in steps of the interpreter.
const STEPS_OF_A_START: u64 = 100;

/// After how many inputs it is no longer tried to separate versions by what is private to one of them.
const MOST_IN_VAIN: u32 = 200;

/// What a run of both versions took, in steps of the interpreter.
pub(crate) fn cost(runs: &Pair<Run>) -> u64 {
    runs.old.cost() + runs.new.cost() + STEPS_OF_A_START
}

/// Implementations of inexact functions that a difference must survive.
const OTHER_IMPLEMENTATIONS: u32 = 24;

impl<'a> Machines<'a> {
    /// Machines that note which of the changed statements are executed.
    pub(crate) fn of(
        pair: Pair<Subject<'a>>,
        changed: Pair<Vec<ChangedStatement>>,
        config: &CheckConfig,
    ) -> Machines<'a> {
        let (numbers, evidence) = (config.numbers, Evidence::demanding(changed));
        let machine = |side| Machine::marking(pair.get(side).program, numbers, &evidence.marks(side));
        Machines {
            pair,
            machines: Pair { old: machine(Side::Old), new: machine(Side::New) },
            doubting: OnceCell::new(),
            uses_own: OnceCell::new(),
            start: OnceCell::new(),
            after_calls: OnceCell::new(),
            in_vain: Cell::new(0),
            numbers,
            arguments: arguments::of_programs(pair),
            evidence,
            hypothetical: false,
            total: config.total,
            undefined: config.undefined,
            errors: config.exceptions.compared(),
            budget: config.budget.clone(),
            one_ends: OneEnds::default(),
            prove_unreachable: None,
        }
    }

    /// The same machines, which note there an input on which only one version ends.
    pub(crate) fn noting(self, one_ends: &OneEnds) -> Machines<'a> {
        Machines { one_ends: one_ends.clone(), ..self }
    }

    /// The same machines, for a vacuity check that may ask for proofs of unreachability.
    pub(crate) fn proving_with(self, prove: ProveUnreachable) -> Machines<'a> {
        Machines { prove_unreachable: Some(prove), ..self }
    }

    pub(crate) fn prove_unreachable(&self) -> Option<ProveUnreachable> {
        self.prove_unreachable
    }

    /// The same machines for a proof by induction: a run that separates the versions refutes the hypothesis.
    pub(crate) fn under_hypothesis(self) -> Machines<'a> {
        Machines { hypothetical: true, ..self }
    }

    pub(crate) fn is_hypothetical(&self) -> bool {
        self.hypothetical
    }

    /// What the whole pair may take.
    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The versions that are run.
    pub(crate) fn pair(&self) -> Pair<Subject<'a>> {
        self.pair
    }

    /// What the runs have shown so far.
    pub(crate) fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// Runs both versions on an input; where they start a program, on one with arguments that it can have.
    pub(crate) fn try_input(&self, input: &Input, limits: &Limits) -> Trial {
        let possible = self
            .arguments
            .as_ref()
            .map(|arguments| arguments::possible(input, arguments, self.pair.new.program));
        let input = possible.as_ref().unwrap_or(input);
        let runs = self
            .machines
            .as_ref()
            .zip(self.pair)
            .map(|(machine, subject)| machine.run(subject.procedure, input, limits));
        self.charge(&runs);
        self.evidence.note(runs.as_ref(), self.total);
        // What was made up may be impossible, and so may be what follows from it.
        if runs.old.invented.is_some() || runs.new.invented.is_some() {
            return Trial::NotSeparated(Box::new(runs));
        }
        match interp::compare_with(&runs.old, &runs.new, self.errors) {
            Comparison::Different(difference)
                if self.is_excused(runs.as_ref(), &difference)
                    || self.rests_on_last_digits(input, runs.as_ref(), limits) =>
            {
                Trial::NotSeparated(Box::new(runs))
            }
            Comparison::Different(difference) => self.certain(input, runs, difference, limits),
            Comparison::Same | Comparison::Incomparable(_) => match interp::one_ends(&runs.old, &runs.new) {
                Some(difference) => self.certain(input, runs, difference, limits),
                None => Trial::NotSeparated(Box::new(runs)),
            },
        }
    }

    /// What a difference shows. Where it may rest on memory that was never written, on the sign or the digits of a NaN, or
    /// on something private that only one version has, it must be there without them: nothing promises what these are.
    fn certain(&self, input: &Input, runs: Pair<Run>, difference: Difference, limits: &Limits) -> Trial {
        let programs = self.pair.map(|subject| subject.program);
        let uses_own = || !own_state(self.pair).is_empty();
        if let Some(shared) = inputs::without_own_state(input, programs)
            && *self.uses_own.get_or_init(uses_own)
        {
            if self.in_vain.get() < MOST_IN_VAIN
                && let Some(trial) = self.in_own_states(&shared, limits)
            {
                return trial;
            }
            self.in_vain.set(self.in_vain.get() + 1);
            return Trial::NotSeparated(Box::new(runs));
        }
        if !runs.old.doubtful && !runs.new.doubtful {
            return self.shown(Witness::new(input, runs, difference));
        }
        self.in_doubt(input, limits).unwrap_or_else(|| Trial::NotSeparated(Box::new(runs)))
    }

    /// What runs show in which nothing is known of what nothing promises, if anything.
    fn in_doubt(&self, input: &Input, limits: &Limits) -> Option<Trial> {
        let sides = self.doubting().as_ref().zip(self.pair);
        let runs = sides.map(|(machine, it)| machine.run(it.procedure, input, limits));
        self.charge(&runs);
        let programs = self.pair.map(|subject| subject.program);
        let runs = runs.map(|run| without_own_state(run, programs));
        let difference = match interp::compare_with(&runs.old, &runs.new, self.errors) {
            Comparison::Different(difference) => Some(difference),
            Comparison::Same | Comparison::Incomparable(_) => interp::one_ends(&runs.old, &runs.new),
        };
        let difference = difference.filter(|it| !self.is_excused(runs.as_ref(), it))?;
        Some(self.shown(Witness::new(input, runs, difference)))
    }

    /// The same with what private variables that only one version has may hold: after the start, after a call with the
    /// same input, or after another call.
    fn in_own_states(&self, shared: &Input, limits: &Limits) -> Option<Trial> {
        let programs = self.pair.map(|subject| subject.program);
        let start = || OwnState::at_start(programs, self.doubting().as_ref());
        let start = self.start.get_or_init(start).as_ref()?;
        let try_state = |state: &OwnState| {
            let input = state.with(shared);
            let trial = self.in_doubt(&input, limits)?;
            match &trial {
                Trial::Separated(it) if self.rests_on_last_digits(&input, it.runs.as_ref(), limits) => None,
                Trial::Separated(_) | Trial::NotSeparated(_) => Some(trial),
            }
        };
        let after_itself = |side: Side| {
            let (subject, machine) = (self.pair.get(side), self.doubting().get(side));
            start.after(&machine.run(subject.procedure, &start.with(shared), limits), &subject.program.own)
        };
        let after_calls = || start.after_calls(programs, self.doubting().as_ref(), self.numbers);
        try_state(start)
            .or_else(|| {
                [Side::Old, Side::New].into_iter().filter_map(after_itself).find_map(|it| try_state(&it))
            })
            .or_else(|| self.after_calls.get_or_init(after_calls).iter().find_map(try_state))
    }

    /// The machines that know nothing of what nothing promises.
    fn doubting(&self) -> &Pair<Machine> {
        let machine = |side| Machine::doubting(self.pair.get(side).program, self.numbers);
        self.doubting.get_or_init(|| Pair { old: machine(Side::Old), new: machine(Side::New) })
    }

    fn shown(&self, witness: Witness) -> Trial {
        match witness.difference.what {
            What::Ends => self.only_one_ends(witness),
            _ => Trial::Separated(Box::new(witness)),
        }
    }

    /// Whether a difference may vanish with another implementation of inexact functions such as `sin`: then it says
    /// nothing about the programs.
    fn rests_on_last_digits(&self, input: &Input, runs: Pair<&Run>, limits: &Limits) -> bool {
        if !runs.old.inexact && !runs.new.inexact {
            return false;
        }
        let steps = limits.steps.min(10 * runs.old.steps.max(runs.new.steps) + 1_000);
        let limits = Limits { steps, ..*limits };
        (1..=OTHER_IMPLEMENTATIONS).any(|number| {
            let runs = self
                .machines
                .as_ref()
                .zip(self.pair)
                .map(|(machine, it)| machine.run_perturbed(it.procedure, input, &limits, number));
            self.charge(&runs);
            !matches!(interp::compare_with(&runs.old, &runs.new, self.errors), Comparison::Different(_))
        })
    }

    fn charge(&self, runs: &Pair<Run>) {
        self.budget.spend(Steps::of_interpreter(cost(runs)));
    }

    /// Whether a difference does not count because of where it is.
    fn is_excused(&self, runs: Pair<&Run>, difference: &Difference) -> bool {
        let kind = Kind::of(runs, &difference.what);
        let is_open = difference.what != What::Ends && !runs.old.ending.is_conclusive();
        match self.undefined {
            Undefined::Compared => false,
            // What an old version does that was not followed to its end may be undefined.
            Undefined::Refined => kind == Kind::UndefinedOld || is_open,
            Undefined::Excused => kind.is_undefined(),
        }
    }

    /// What it means that only one version ends depends on what is asked; it is always worth a note.
    fn only_one_ends(&self, witness: Witness) -> Trial {
        if self.total {
            return Trial::Separated(Box::new(witness));
        }
        let runs = Box::new(witness.runs.clone());
        self.one_ends.borrow_mut().get_or_insert_with(|| Box::new(witness));
        Trial::NotSeparated(runs)
    }

    /// A simpler witness for the same pair.
    pub(crate) fn minimised(
        &self,
        witness: Box<Witness>,
        subject: Subject<'_>,
        limits: &Limits,
    ) -> Box<Witness> {
        let mut best = witness;
        let start = best.input.clone();
        let mut left = STEPS_TO_MINIMISE;
        minimise(start, subject, &mut |candidate| {
            // A simpler input is no simpler to read for taking much longer.
            let longest = best.runs.old.steps.max(best.runs.new.steps);
            let steps = (10 * longest + 10_000).min(limits.steps).min(left);
            let trial = self.try_input(candidate, &Limits { steps, ..*limits });
            let (used, is_separated) = match trial {
                Trial::Separated(simpler) => {
                    let used = simpler.runs.old.steps + simpler.runs.new.steps;
                    let is_better = simpler.rank() <= best.rank();
                    if is_better {
                        best = simpler;
                    }
                    (used, is_better)
                }
                Trial::NotSeparated(runs) => (runs.old.steps + runs.new.steps, false),
            };
            left = left.saturating_sub(used);
            is_separated
        });
        best
    }
}
