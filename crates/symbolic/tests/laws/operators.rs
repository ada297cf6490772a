//! Every operator and every intrinsic at every type, on many values: as variables, and as constants that are folded.

use std::collections::BTreeMap;

use arbitrary_ir::Random;
use ir::Numbers;
use ir::{
    BinaryOp, Const, Expr, FloatType, IntType, Intrinsic, Language, Local, LocalId, ProcId, Procedure,
    Program, Scalar, Span, Stmt, StmtKind, Type, UnaryOp,
};
use smt::Assignment;
use symbolic::{ConcreteInput, ConcreteValue};

use crate::agree::{Outcome, agree};
use crate::random_input::{for_interpreter, for_terms, random_input};
use crate::{config, summarized};

const INPUTS_PER_OPERATOR: usize = 25;

#[test]
fn every_operator_and_intrinsic_agrees_with_machine_runs() {
    check_all(Numbers::Machine);
}

#[test]
fn every_operator_and_intrinsic_agrees_with_math_runs() {
    check_all(Numbers::Math);
}

fn check_all(numbers: Numbers) {
    let mut outcomes: BTreeMap<Outcome, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for (number, (name, params, result, expr)) in all_operators().into_iter().enumerate() {
        let mut random = Random::new(number as u64);
        let program = returning(&params, &result, expr.clone());
        ir::validate(&program).unwrap_or_else(|what| panic!("{name} should be valid: {what:?}"));
        let (terms, inputs, summary) = summarized(&program, &config(numbers));
        let summary = summary.expect("an operator should have a summary");
        let machine = interp::Machine::new(&program, numbers);
        for _ in 0..INPUTS_PER_OPERATOR {
            let input = random_input(&mut random, &inputs, program.language);
            let run = machine.run(ProcId(0), &for_interpreter(&input), &interp::Limits::USUAL);
            let variables = for_terms(&terms, &inputs, &input);
            let assignment = Assignment { variables, ..Assignment::default() };
            match agree(&terms, &inputs, &summary, &run, &assignment) {
                Ok(outcome) => *outcomes.entry(outcome).or_insert(0) += 1,
                Err(what) => failures.push(format!("{name}: {what} on {:?}", input.args)),
            }
            match folded(numbers, &expr, &result, &input, &run) {
                Some(Ok(outcome)) => *outcomes.entry(outcome).or_insert(0) += 1,
                Some(Err(what)) => failures.push(format!("{name} on constants: {what} on {:?}", input.args)),
                None => {}
            }
        }
    }
    eprintln!("{numbers:?} operators: {outcomes:?}");
    failures.dedup_by_key(|failure| failure.split(':').next().map(str::to_owned));
    assert!(failures.is_empty(), "{} operators disagree:\n{}", failures.len(), failures.join("\n"));
    assert!(outcomes[&Outcome::Same] > 8_000, "too little was compared: {outcomes:?}");
}

/// The same with the values put into the code; `None` for values that no constant has.
fn folded(
    numbers: Numbers,
    expr: &Expr,
    result: &Type,
    input: &ConcreteInput,
    run: &interp::Run,
) -> Option<Result<Outcome, String>> {
    let types = parameter_types(expr);
    let constants: Option<Vec<Const>> =
        input.args.iter().zip(&types).map(|(value, ty)| constant(value, ty)).collect();
    let mut expr = expr.clone();
    replace_locals(&mut expr, &constants?);
    let program = returning(&[], result, expr);
    let (terms, inputs, summary) = summarized(&program, &config(numbers));
    let summary = summary.expect("an operator should have a summary");
    let variables = for_terms(&terms, &inputs, &ConcreteInput::default());
    let assignment = Assignment { variables, ..Assignment::default() };
    Some(agree(&terms, &inputs, &summary, run, &assignment))
}

fn constant(value: &ConcreteValue, ty: &Type) -> Option<Const> {
    Some(match (value, ty) {
        (ConcreteValue::Bool(value), _) => Const::Bool(*value),
        (ConcreteValue::Int(number), Type::Int(ty)) => {
            Const::Int(*ty, i128::try_from(number).ok().filter(|n| ty.contains(*n))?)
        }
        (ConcreteValue::F32(bits), _) => Const::F32(*bits),
        (ConcreteValue::F64(bits), _) => Const::F64(*bits),
        (ConcreteValue::Text(Some(units)), _) => Const::Text(units.clone()),
        (ConcreteValue::Text(None), _) => Const::NullText,
        _ => return None,
    })
}

fn local(index: usize) -> Box<Expr> {
    Box::new(Expr::Local(LocalId::from_index(index)))
}

fn replace_locals(expr: &mut Expr, constants: &[Const]) {
    for child in ir::children_mut(expr) {
        if let Expr::Local(local) = child {
            *child = Expr::Const(constants[local.index()].clone());
        }
    }
}

fn parameter_types(expr: &Expr) -> Vec<Type> {
    match expr {
        Expr::Unary { ty, .. } => vec![(*ty).into()],
        Expr::Convert { from, .. } => vec![(*from).into()],
        Expr::Fits { from, .. } => vec![Type::Float(*from)],
        Expr::Binary { ty, .. } => vec![(*ty).into(); 2],
        Expr::Overflows { ty, .. } => vec![Type::Int(*ty); 2],
        Expr::SameText { .. } => vec![Type::Text; 2],
        Expr::Intrinsic { function, .. } => function.signature().params,
        _ => Vec::new(),
    }
}

fn all_operators() -> Vec<(String, Vec<Type>, Type, Expr)> {
    use BinaryOp::{Add, And, Div, Eq, Le, Lt, Mul, Ne, Or, Rem, Shl, Shr, Sub, Xor};
    let ints = IntType::ALL.map(Scalar::Int);
    let floats = FloatType::ALL.map(Scalar::Float);
    let mut all: Vec<(String, Type, Expr)> = Vec::new();
    let mut add = |name: String, result: Type, expr: Expr| all.push((name, result, expr));
    let binary = |op, ty| Expr::Binary { op, ty, lhs: local(0), rhs: local(1) };
    for ty in ints {
        for op in [Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr] {
            add(format!("{op:?} of {ty:?}"), ty.into(), binary(op, ty));
        }
        for op in [UnaryOp::Neg, UnaryOp::BitNot] {
            add(format!("{op:?} of {ty:?}"), ty.into(), Expr::Unary { op, ty, arg: local(0) });
        }
        for to in ints.into_iter().chain(floats) {
            add(format!("{ty:?} to {to:?}"), to.into(), Expr::Convert { from: ty, to, arg: local(0) });
        }
        add(
            format!("bool to {ty:?}"),
            ty.into(),
            Expr::Convert { from: Scalar::Bool, to: ty, arg: local(0) },
        );
    }
    for ty in floats {
        for op in [Add, Sub, Mul, Div, Rem] {
            add(format!("{op:?} of {ty:?}"), ty.into(), binary(op, ty));
        }
        add(format!("negated {ty:?}"), ty.into(), Expr::Unary { op: UnaryOp::Neg, ty, arg: local(0) });
        for to in ints.into_iter().chain(floats) {
            add(format!("{ty:?} to {to:?}"), to.into(), Expr::Convert { from: ty, to, arg: local(0) });
        }
    }
    for ty in ints.into_iter().chain(floats) {
        for op in [Eq, Ne, Lt, Le] {
            add(format!("{op:?} of {ty:?}"), Type::Bool, binary(op, ty));
        }
    }
    for op in [And, Or, Xor, Eq, Ne] {
        add(format!("{op:?} of booleans"), Type::Bool, binary(op, Scalar::Bool));
    }
    for ty in IntType::ALL {
        for op in [Add, Sub, Mul, Div, Shl] {
            let expr = Expr::Overflows { op, ty, lhs: local(0), rhs: local(1) };
            add(format!("overflow of {op:?} of {ty:?}"), Type::Bool, expr);
        }
        for from in FloatType::ALL {
            add(format!("{from:?} fits {ty:?}"), Type::Bool, Expr::Fits { arg: local(0), from, to: ty });
        }
    }
    add("same text".to_owned(), Type::Bool, Expr::SameText { lhs: local(0), rhs: local(1) });
    for function in Intrinsic::all() {
        let signature = function.signature();
        let args = (0..signature.params.len()).map(|index| *local(index)).collect();
        add(format!("{function:?}"), signature.result, Expr::Intrinsic { function, args });
    }
    all.into_iter().map(|(name, result, expr)| (name, parameter_types(&expr), result, expr)).collect()
}

/// A program whose only procedure returns the expression.
fn returning(params: &[Type], result: &Type, expr: Expr) -> Program {
    let mut program = Program::new(Language::Java);
    let locals = params
        .iter()
        .enumerate()
        .map(|(index, ty)| Local { name: format!("x{index}"), ty: ty.clone() })
        .collect();
    program.files.push("operators".to_owned());
    program.procedures.push(Procedure {
        name: "f".to_owned(),
        short_name: "f".to_owned(),
        params: params.len(),
        locals,
        result: Some(result.clone()),
        external: ir::External::default(),
        body: Some(vec![Stmt { kind: StmtKind::Return(Some(expr)), span: Span::NOWHERE }]),
        span: Span::NOWHERE,
        assumptions: Vec::new(),
    });
    program
}
