//! Runs programs in their text form, and single expressions.

#![allow(dead_code, reason = "every test file uses a part of this")]

use interp::{Ending, Input, Limits, Machine, Run, Value};
use ir::Numbers;
use ir::{ProcId, Program, read_program};

pub(crate) fn program(text: &str) -> Program {
    read_program(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Runs the first procedure of a program.
pub(crate) fn run_with(text: &str, numbers: Numbers, input: &Input, limits: &Limits) -> Run {
    Machine::new(&program(text), numbers).run(ProcId(0), input, limits)
}

/// Runs the first procedure on arguments, on machine numbers.
pub(crate) fn run(text: &str, args: &[Value]) -> Run {
    run_with(text, Numbers::Machine, &input(args), &Limits::USUAL)
}

pub(crate) fn input(args: &[Value]) -> Input {
    Input { args: args.to_vec(), ..Input::default() }
}

pub(crate) fn int(value: i128) -> Value {
    Value::Int(value)
}

/// The value of an expression of a type.
pub(crate) fn eval_in(numbers: Numbers, language: &str, ty: &str, expr: &str) -> Value {
    let text = format!("program {language}\nproc f() -> {ty} {{\n  return {expr}\n}}\n");
    match run_with(&text, numbers, &input(&[]), &Limits::USUAL).ending {
        Ending::Returned(Some(value)) => value,
        ending => panic!("{expr} ended as {ending:?}"),
    }
}

pub(crate) fn eval(ty: &str, expr: &str) -> Value {
    eval_in(Numbers::Machine, "c", ty, expr)
}

pub(crate) fn eval_math(ty: &str, expr: &str) -> Value {
    eval_in(Numbers::Math, "c", ty, expr)
}

/// The text that an expression gives.
pub(crate) fn eval_text(expr: &str) -> String {
    match eval("text", expr) {
        Value::Text(Some(units)) => String::from_utf16_lossy(&units),
        value => panic!("{expr} is {value:?}"),
    }
}
