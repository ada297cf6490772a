//! Pairs of random programs that differ in one place: the question must see every difference that runs show.

use std::collections::BTreeMap;

use arbitrary_ir::Random;
use interp::Comparison;
use ir::Numbers;
use ir::{BinaryOp, Block, Const, Expr, Pair, ProcId, Program, StmtKind};
use smt::{Assignment, Terms};
use symbolic::{ConcreteInput, Inputs, Question};

use crate::random_input::{Writer, for_interpreter, for_terms, input_number, random_input};
use crate::{config, first_seed, programs};

#[test]
fn the_same_program_is_the_same_without_a_solver() {
    for numbers in [Numbers::Machine, Numbers::Math] {
        for seed in first_seed()..first_seed() + programs() {
            let program = arbitrary_ir::program(seed, &arbitrary_ir::Config::everything());
            let Some((_, _, question)) = questioned(Pair::new(&program, &program), numbers) else { continue };
            assert_eq!(question.differ_is, Some(false), "seed {seed} under {numbers:?}");
        }
    }
}

#[test]
fn differences_of_machine_runs_are_in_the_question() {
    check(Numbers::Machine, &arbitrary_ir::Config::everything());
}

#[test]
fn differences_of_machine_runs_on_heaps_are_in_the_question() {
    let generator = arbitrary_ir::Config { heap: true, records: true, ..arbitrary_ir::Config::integers() };
    check(Numbers::Machine, &generator);
}

#[test]
fn differences_of_math_runs_are_in_the_question() {
    let generator = arbitrary_ir::Config {
        special_floats: false,
        transcendental: false,
        bits: false,
        unguarded: false,
        ..arbitrary_ir::Config::everything()
    };
    check(Numbers::Math, &generator);
}

/// A question with what it simplified to.
struct Questioned {
    question: Question,
    differ_is: Option<bool>,
}

fn questioned(pair: Pair<&Program>, numbers: Numbers) -> Option<(Terms, Inputs, Questioned)> {
    let mut terms = Terms::new();
    let config = config(numbers);
    let inputs = symbolic::inputs(&mut terms, pair.map(|program| (program, ProcId(0))), &config);
    let old = symbolic::summarize(&mut terms, pair.old, ProcId(0), &inputs, &config).ok()?;
    let new = symbolic::summarize(&mut terms, pair.new, ProcId(0), &inputs, &config).ok()?;
    let question =
        symbolic::where_they_differ(&mut terms, &inputs, &old, &new, false, symbolic::Errors::default());
    let differ_is = terms.as_bool(question.differ);
    Some((terms, inputs, Questioned { question, differ_is }))
}

fn check(numbers: Numbers, generator: &arbitrary_ir::Config) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in first_seed()..first_seed() + programs() {
        let old = arbitrary_ir::program(seed, generator);
        let mut random = Random::new(seed ^ 0xc4a9e);
        let mut new = old.clone();
        // Many places are never reached, so that one change is seldom seen.
        for _ in 0..6 {
            mutate(&mut random, &mut new);
        }
        if ir::validate(&new).is_err() {
            continue;
        }
        let pair = Pair::new(&old, &new);
        let Some((terms, inputs, asked)) = questioned(pair, numbers) else { continue };
        let machines = pair.map(|program| interp::Machine::new(program, numbers));
        for case in 0..10 {
            let input = random_input(&mut random, &inputs, old.language);
            let runs = machines
                .as_ref()
                .map(|machine| machine.run(ProcId(0), &for_interpreter(&input), &interp::Limits::USUAL));
            let (differ, unfinished) = evaluate(&terms, &inputs, &asked.question, &input);
            let outcome = match interp::compare(&runs.old, &runs.new) {
                Comparison::Incomparable(_) => "incomparable",
                Comparison::Different(difference) => {
                    assert!(
                        differ != Some(false) || unfinished != Some(false),
                        "seed {seed}, case {case}: the question misses {difference:?} on {input:?}",
                    );
                    "different"
                }
                Comparison::Same if differ == Some(true) && unfinished == Some(false) => "same, but not seen",
                Comparison::Same => "same",
            };
            *counts.entry(outcome).or_insert(0) += 1;
        }
    }
    eprintln!("{numbers:?}: {counts:?}");
    assert!(counts["different"] > 20, "there should be differences to see: {counts:?}");
    assert!(counts["same"] > 20, "there should be pairs that behave the same: {counts:?}");
}

/// Whether the question is true of the input, for some object and index that it may look at; and whether it is
/// unfinished there.
fn evaluate(
    terms: &Terms,
    inputs: &Inputs,
    question: &Question,
    input: &ConcreteInput,
) -> (Option<bool>, Option<bool>) {
    let writer = Writer { inputs };
    let mut variables = for_terms(terms, inputs, input);
    let mut objects: Vec<u32> = (0..input.objects.len()).map(input_number).collect();
    objects.extend(inputs.statics.values().filter(|object| !object.constant).map(|object| object.number));
    objects.push(input_number(input.objects.len()));
    let mut found = Some(false);
    let mut unfinished = None;
    for object in objects {
        for index in 0..6 {
            variables.insert("probe.object".to_owned(), writer.number(object));
            for width in [32, 64] {
                variables.insert(format!("probe.index.{width}"), writer.index(index, width));
            }
            let assignment = Assignment { variables: variables.clone(), functions: BTreeMap::new() };
            let truth = |term| terms.evaluate(term, &assignment).and_then(|value| value.as_bool());
            unfinished = truth(question.unfinished);
            match truth(question.differ) {
                Some(true) => return (Some(true), unfinished),
                Some(false) => {}
                None => found = None,
            }
        }
    }
    (found, unfinished)
}

/// Changes one random place.
fn mutate(random: &mut Random, program: &mut Program) {
    let mut places = 0;
    for round in 0..2 {
        let chosen = if round == 0 { None } else { Some(random.below(places.max(1))) };
        let mut count = 0;
        for procedure in &mut program.procedures {
            if let Some(body) = &mut procedure.body {
                mutate_block(body, &mut count, chosen);
            }
        }
        places = count;
    }
}

fn mutate_block(block: &mut Block, count: &mut usize, chosen: Option<usize>) {
    let mut index = 0;
    while index < block.len() {
        let is_chosen = chosen == Some(*count);
        *count += 1;
        let stmt = &mut block[index];
        match &mut stmt.kind {
            StmtKind::Assign { value, .. }
            | StmtKind::AssignGlobal { value, .. }
            | StmtKind::Return(Some(value)) => {
                mutate_expr(value, count, chosen);
            }
            StmtKind::Store { value, .. } => mutate_expr(value, count, chosen),
            StmtKind::If { condition, then, otherwise } => {
                if is_chosen {
                    std::mem::swap(then, otherwise);
                }
                mutate_expr(condition, count, chosen);
                mutate_block(then, count, chosen);
                mutate_block(otherwise, count, chosen);
            }
            StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => mutate_block(body, count, chosen),
            StmtKind::Try { body, catches } => {
                mutate_block(body, count, chosen);
                catches.iter_mut().for_each(|catch| mutate_block(&mut catch.body, count, chosen));
            }
            StmtKind::Call { args, .. } => args.iter_mut().for_each(|arg| mutate_expr(arg, count, chosen)),
            _ => {}
        }
        let removable = matches!(
            block[index].kind,
            StmtKind::Assign { .. }
                | StmtKind::AssignGlobal { .. }
                | StmtKind::Store { .. }
                | StmtKind::Print { .. }
                | StmtKind::Free { .. }
                | StmtKind::Throw { .. }
        );
        if is_chosen && removable {
            block.remove(index);
        } else {
            index += 1;
        }
    }
}

fn mutate_expr(expr: &mut Expr, count: &mut usize, chosen: Option<usize>) {
    let is_chosen = chosen == Some(*count);
    *count += 1;
    match expr {
        Expr::Const(Const::Int(ty, value)) if is_chosen => *value = ty.wrap(*value + 1),
        Expr::Const(Const::Bool(value)) if is_chosen => *value = !*value,
        Expr::Binary { op, lhs, rhs, .. } => {
            if is_chosen {
                *op = match *op {
                    BinaryOp::Add => BinaryOp::Sub,
                    BinaryOp::Sub => BinaryOp::Add,
                    BinaryOp::Lt => BinaryOp::Le,
                    BinaryOp::Le => BinaryOp::Lt,
                    BinaryOp::And => BinaryOp::Or,
                    BinaryOp::Or => BinaryOp::And,
                    other => other,
                };
            }
            mutate_expr(lhs, count, chosen);
            mutate_expr(rhs, count, chosen);
        }
        Expr::Unary { arg, .. } | Expr::Convert { arg, .. } => mutate_expr(arg, count, chosen),
        Expr::If { condition, then, otherwise } => {
            mutate_expr(condition, count, chosen);
            mutate_expr(then, count, chosen);
            mutate_expr(otherwise, count, chosen);
        }
        Expr::Record(fields) => fields.iter_mut().for_each(|field| mutate_expr(field, count, chosen)),
        _ => {}
    }
}
