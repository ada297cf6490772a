//! The loop of condition inference: learn a condition from samples, prove it, and learn from what refutes it.
//!
//! The conditions that come out are proved; that they are the weakest is a matter of luck and of the atoms.

use budget::{Budget, Steps};
use check::{CheckConfig, Everywhere, Strategy, Subject, Verdict, check_pair, differ_everywhere};
use interp::Input;
use ir::{Pair, Program};

use crate::atom::Atoms;
use crate::formula::{Cube, Formula, Literal};
use crate::learn::{Learnt, Refused, Sample, learn};
use crate::proposal::{exact, total};
use crate::samples::Samples;

/// Under which inputs two versions do the same, and under which they do not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inferred {
    /// Where it holds the versions do the same: proved.
    pub same: Formula,
    /// Where it holds they differ: proved, of inputs on which both end and one is defined.
    pub different: Formula,
    /// Every input meets one of both.
    pub is_exact: bool,
    /// How often something was learnt.
    pub rounds: u32,
}

/// Inputs that are run at the start.
const INPUTS: u64 = 1_000;
const MOST_ROUNDS: u32 = 24;
/// Cubes of one side that are tried in vain.
const MOST_UNPROVED: usize = 6;
/// The same for that versions differ everywhere, where they call themselves: few of these proofs end.
const MOST_OF_RECURSION: usize = 1;
/// Literals that are tried by themselves at the end, with what is kept for them: hard questions about several literals
/// would use up everything.
const MOST_WEAKENED: usize = 10;
const SHARE_FOR_LITERALS: f64 = 0.2;
const FOR_A_LITERAL: Steps = Steps::of_milliseconds(150);
/// Cubes of a condition that is not exact.
const MOST_PARTS: usize = 6;
/// The work for one proof.
const FOR_A_PROOF: Steps = Steps::of_seconds(2);
/// The same where induction has failed.
const FOR_A_WITNESS: Steps = Steps::of_milliseconds(600);
const SHARE_OF_A_PROOF: f64 = 0.2;

/// Infers conditions for a pair; `known` are inputs on which its versions were seen to differ.
pub fn infer(pair: Pair<Subject<'_>>, atoms: Atoms<'_>, known: &[Input], config: &CheckConfig) -> Inferred {
    let mut samples = Samples::new(pair, atoms.procedures, config);
    samples.gather(INPUTS);
    for input in known {
        samples.add_found(input);
    }
    let for_the_whole =
        CheckConfig { budget: config.budget.share(1.0 - SHARE_FOR_LITERALS), ..config.clone() };
    let mut inference = Inference {
        pair,
        atoms,
        config: &for_the_whole,
        samples,
        best: nothing(),
        refused: Vec::new(),
        unproved: Refused::default(),
        proved: Refused::default(),
        same_is_settled: false,
        most_unproved_different: if is_recursive(pair) { MOST_OF_RECURSION } else { MOST_UNPROVED },
    };
    inference.run();
    inference.config = config;
    inference.weaken();
    inference.keep_parts();
    inference.try_opposite();
    inference.best
}

fn nothing() -> Inferred {
    Inferred { same: Formula::never(), different: Formula::never(), is_exact: false, rounds: 0 }
}

struct Inference<'a> {
    pair: Pair<Subject<'a>>,
    atoms: Atoms<'a>,
    config: &'a CheckConfig,
    samples: Samples<'a>,
    best: Inferred,
    /// Conditions of which nothing could be proved.
    refused: Vec<Formula>,
    /// Cubes that were tried by themselves.
    unproved: Refused,
    proved: Refused,
    /// A condition that covers all samples was proved for one side, and not for the other.
    same_is_settled: bool,
    most_unproved_different: usize,
}

/// What became of a condition.
enum Tried {
    Proved,
    /// A sample that refutes it was found.
    Refuted,
    NotKnown,
}

impl Inference<'_> {
    fn run(&mut self) {
        for round in 1..=MOST_ROUNDS {
            self.best.rounds = round;
            if self.config.budget.is_over() {
                return;
            }
            match self.try_always() {
                Some(Tried::Refuted) => continue,
                Some(Tried::Proved) => return,
                Some(Tried::NotKnown) | None => {}
            }
            let learnt = learn(self.atoms.atoms, &self.samples.list, &self.unproved);
            match self.try_exact(&learnt) {
                Some(Tried::Refuted) => continue,
                Some(Tried::Proved) => return,
                Some(Tried::NotKnown) | None => {}
            }
            if self.try_apart(&learnt) {
                return;
            }
        }
    }

    /// Where no sample is known on which the versions do the same, there may be none.
    fn try_always(&mut self) -> Option<Tried> {
        let always = Formula::never().negated();
        if self.refused.contains(&always) || self.samples.list.iter().any(|sample| sample.is_same) {
            return None;
        }
        let tried = self.prove_different(&always);
        match tried {
            Tried::Proved => {
                self.best =
                    Inferred { same: Formula::never(), different: always, is_exact: true, ..self.best };
            }
            Tried::NotKnown => self.refused.push(always),
            Tried::Refuted => {}
        }
        Some(tried)
    }

    /// Tries the condition that tells all samples apart, if there is one.
    fn try_exact(&mut self, learnt: &Learnt) -> Option<Tried> {
        if self.same_is_settled {
            return None;
        }
        let mut candidates = exact(learnt);
        candidates.retain(|formula| !self.refused.contains(formula));
        let same = total(self.atoms.atoms, &self.samples.list, candidates.into_iter().next()?);
        match self.prove_same(&same) {
            Tried::Proved => {}
            Tried::Refuted => return Some(Tried::Refuted),
            Tried::NotKnown => {
                self.refused.push(same);
                return Some(Tried::NotKnown);
            }
        }
        self.note_same(&same);
        let different = same.negated();
        match self.prove_different(&different) {
            Tried::Proved => {
                self.best = Inferred { same, different, is_exact: true, ..self.best };
                Some(Tried::Proved)
            }
            Tried::Refuted => Some(Tried::Refuted),
            Tried::NotKnown => {
                self.same_is_settled = true;
                Some(Tried::NotKnown)
            }
        }
    }

    /// Proves what can be proved of both sides, cube by cube. Whether nothing is left to be learnt.
    fn try_apart(&mut self, learnt: &Learnt) -> bool {
        let mut is_over = true;
        for cube in &learnt.same.cubes {
            if self.same_is_settled || self.proved.same.contains(cube) {
                continue;
            }
            if self.unproved.same.len() >= MOST_UNPROVED {
                break;
            }
            match self.prove_same(&Formula::any(vec![cube.clone()])) {
                Tried::Proved => self.proved.same.push(cube.clone()),
                Tried::Refuted => return false,
                Tried::NotKnown => {
                    self.unproved.same.push(cube.clone());
                    is_over = false;
                }
            }
        }
        for cube in &learnt.different.cubes {
            if self.proved.different.contains(cube) {
                continue;
            }
            if self.unproved.different.len() >= self.most_unproved_different {
                break;
            }
            match self.prove_different(&Formula::any(vec![cube.clone()])) {
                Tried::Proved => self.proved.different.push(cube.clone()),
                Tried::Refuted => return false,
                Tried::NotKnown => {
                    self.unproved.different.push(cube.clone());
                    is_over = false;
                }
            }
        }
        is_over
    }

    /// Proves single literals for samples on which the versions do the same and that nothing covers yet: cubes that cover
    /// more were preferred before, and may have come to nothing.
    fn weaken(&mut self) {
        if self.best.is_exact || !self.best.same.is_never() {
            return;
        }
        let mut tried: Vec<Literal> = Vec::new();
        for _ in 0..MOST_WEAKENED {
            if self.config.budget.is_over() {
                return;
            }
            let Some(literal) = self.next_literal(&tried) else { return };
            tried.push(literal);
            let cube = vec![literal];
            let formula = Formula::any(vec![cube.clone()]);
            let little = self.config.budget.at_most(FOR_A_LITERAL);
            if let Tried::Proved = self.prove_same_within(&formula, little) {
                self.proved.same.push(cube);
            }
        }
    }

    /// The simplest literal that holds on no sample on which the versions differ, and on one that nothing covers.
    fn next_literal(&self, tried: &[Literal]) -> Option<Literal> {
        let samples = &self.samples.list;
        let covered = Formula::any(self.proved.same.clone());
        let is_open = |sample: &Sample| sample.is_same && !covered.holds(&sample.values);
        let helps = |literal: &Literal| {
            let holds = |sample: &Sample| literal.holds(sample.values[literal.atom]);
            samples.iter().any(|it| is_open(it) && holds(it))
                && !samples.iter().any(|it| !it.is_same && holds(it))
        };
        let literals = (0..self.atoms.atoms.len())
            .flat_map(|atom| [true, false].map(|is_positive| Literal { atom, is_positive }));
        let is_new =
            |literal: &Literal| !tried.contains(literal) && !self.unproved.same.contains(&vec![*literal]);
        literals
            .filter(|literal| is_new(literal) && helps(literal))
            .min_by_key(|literal| (self.atoms.atoms[literal.atom].cost, !literal.is_positive, literal.atom))
    }

    /// What was proved cube by cube, if nothing better was.
    fn keep_parts(&mut self) {
        if self.best.is_exact {
            return;
        }
        if self.best.same.is_never() {
            self.best.same = Formula::any(self.needed(&self.proved.same));
        }
        if self.best.different.is_never() {
            self.best.different = Formula::any(self.needed(&self.proved.different));
        }
    }

    /// Where only the other side is known, its negation may be this one.
    fn try_opposite(&mut self) {
        let Inferred { same, different, .. } = &self.best;
        if !same.is_never() || different.is_never() || different.is_always() {
            return;
        }
        let opposite = total(self.atoms.atoms, &self.samples.list, different.negated());
        let is_refuted = |sample: &Sample| !sample.is_same && opposite.holds(&sample.values);
        if self.refused.contains(&opposite) || self.samples.list.iter().any(is_refuted) {
            return;
        }
        if let Tried::Proved = self.prove_same(&opposite) {
            self.best.is_exact = opposite.negated() == self.best.different;
            self.best.same = opposite;
        }
    }

    /// Some cubes without those that hold only where others do, as far as samples tell.
    fn needed(&self, cubes: &[Cube]) -> Vec<Cube> {
        let mut kept: Vec<Cube> = cubes.iter().take(MOST_PARTS).cloned().collect();
        let mut at = 0;
        while at < kept.len() {
            let mut others = kept.clone();
            let one = Formula::any(vec![others.remove(at)]);
            let others = Formula::any(others);
            let is_new = |sample: &Sample| one.holds(&sample.values) && !others.holds(&sample.values);
            match self.samples.list.iter().any(is_new) {
                true => at += 1,
                false => drop(kept.remove(at)),
            }
        }
        kept
    }

    fn note_same(&mut self, same: &Formula) {
        self.best.same = same.clone();
    }

    /// Proves that the versions do the same where a condition holds.
    fn prove_same(&mut self, condition: &Formula) -> Tried {
        let budget = self.proof_config().budget;
        self.prove_same_within(condition, budget)
    }

    fn prove_same_within(&mut self, condition: &Formula, budget: Budget) -> Tried {
        let Some(restricted) = self.restricted(condition) else { return Tried::NotKnown };
        let pair = ir::subjects(&restricted, self.pair.map(|subject| subject.procedure));
        let mut config = CheckConfig { budget, ..self.config.clone() };
        let mut verdict = None;
        if is_recursive(pair) {
            // The rule of conditional equivalence is a matter of induction over calls, and of little else.
            let induction = CheckConfig { strategy: Strategy::SameSymbol, ..config.clone() };
            let proved = check_pair(pair, &induction, &mut |_| {}).verdict;
            verdict = matches!(proved, Verdict::Equivalent(_)).then_some(proved);
            // What is left is to find an input that refutes it.
            config.budget = self.config.budget.at_most(FOR_A_WITNESS);
        }
        match verdict.unwrap_or_else(|| check_pair(pair, &config, &mut |_| {}).verdict) {
            Verdict::Equivalent(_) => Tried::Proved,
            Verdict::Different(witness) => self.learn_from(witness.input()),
            Verdict::Unknown(_) => Tried::NotKnown,
        }
    }

    /// Proves that they differ everywhere where it holds.
    fn prove_different(&mut self, condition: &Formula) -> Tried {
        let Some(restricted) = self.restricted(condition) else { return Tried::NotKnown };
        let pair = ir::subjects(&restricted, self.pair.map(|subject| subject.procedure));
        match differ_everywhere(pair, &self.proof_config()) {
            Everywhere::Proved(_) => Tried::Proved,
            Everywhere::SameOn(input) => self.learn_from(&input),
            Everywhere::NotKnown => Tried::NotKnown,
        }
    }

    fn learn_from(&mut self, input: &Input) -> Tried {
        let before = self.samples.list.len();
        self.samples.add_found(input);
        self.same_is_settled = false;
        if self.samples.list.len() > before { Tried::Refuted } else { Tried::NotKnown }
    }

    /// Both versions, restricted to the inputs of a condition.
    fn restricted(&self, condition: &Formula) -> Option<Pair<Program>> {
        if condition.is_never() {
            return None;
        }
        let version = |side: ir::Side| {
            let subject = self.pair.get(side);
            if condition.cubes.is_empty() || condition.cubes.iter().any(Vec::is_empty) {
                return condition.is_always().then(|| subject.program.clone());
            }
            let cubes: Vec<Vec<rewrite::ConditionLiteral>> = condition
                .cubes
                .iter()
                .map(|cube| {
                    let procedure = |atom: usize| *self.atoms.procedures[atom].get(side);
                    cube.iter().map(|it| (procedure(it.atom), it.is_positive)).collect()
                })
                .collect();
            let (program, met) = rewrite::combine(subject.program, &cubes, condition.is_negated);
            Some(rewrite::restrict(&program, subject.procedure, met))
        };
        Some(Pair::new(version(ir::Side::Old)?, version(ir::Side::New)?))
    }

    fn proof_config(&self) -> CheckConfig {
        let budget = self.config.budget.share(SHARE_OF_A_PROOF).at_most(FOR_A_PROOF);
        CheckConfig { budget, ..self.config.clone() }
    }
}

/// Whether either version calls itself.
pub fn is_recursive(pair: Pair<Subject<'_>>) -> bool {
    let calls_itself = |subject: Subject<'_>| {
        let reachable = ir::reachable(subject.program, subject.procedure);
        reachable.into_iter().any(|id| ir::is_recursive(subject.program, id))
    };
    calls_itself(pair.old) || calls_itself(pair.new)
}
