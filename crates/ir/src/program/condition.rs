//! Conditions on the inputs of procedures, in the words of the source, and the procedures that front ends make of them.

use super::{Procedure, Program};
use crate::{ProcId, Span};

/// A condition on the inputs of a procedure, as somebody wrote it: an expression of the source language that could stand
/// where the procedure's body begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Where the procedure is.
    pub procedure: Span,
    pub text: String,
    /// Statements of the source language that return whether it holds, where an expression cannot say it.
    pub body: Option<String>,
    /// What the text calls the parameters, in their order, if not as the procedure does.
    pub parameters: Option<Vec<String>>,
    /// A parameter that stands after those of the procedure.
    pub variable: Option<Variable>,
}

/// A parameter of a condition that the procedure does not have, in the words of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub ty: String,
    pub name: String,
}

/// What a procedure promises of its end, as somebody wrote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Postcondition {
    /// Where the procedure is.
    pub procedure: Span,
    /// An expression of the source language. Parameters mean what they were at the start.
    pub text: String,
    /// Statements that return whether it holds, where an expression cannot say it.
    pub body: Option<String>,
    /// The name that stands for what the procedure gives, if the text uses it.
    pub result: Option<String>,
    /// Names for values at the start, and the expressions that they are the values of.
    pub before: Vec<(String, String)>,
}

/// What is said of the procedures of one version.
#[derive(Clone, Copy, Default, Debug)]
pub struct Annotations<'a> {
    pub conditions: &'a [Condition],
    pub postconditions: &'a [Postcondition],
}

impl Annotations<'_> {
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty() && self.postconditions.is_empty()
    }
}

/// The name of the file that the places of a condition are in.
pub const CONDITION_FILE: &str = "condition";

/// How the short names of the procedures of conditions begin; their number follows, and a closing bracket.
const CONDITION: &str = "<condition ";

/// The short name of the procedure that says whether the inputs of another one meet a condition: the one with this place
/// in the list that the front end was given. It has the parameters of that procedure, and gives a truth value or, in C, a
/// number.
pub fn condition_name(index: usize) -> String {
    format!("{CONDITION}{index}>")
}

/// The short name of the procedure that runs another one, and says whether it kept a promise. It has the parameters of
/// that procedure, gives a truth value or, in C, a number, and fails where the other one fails.
pub fn postcondition_name(index: usize) -> String {
    format!("{CONDITION}after {index}>")
}

impl Procedure {
    /// Whether this is a condition on the inputs of another procedure, or on its end.
    pub fn is_condition(&self) -> bool {
        self.short_name.starts_with(CONDITION)
    }
}

impl Program {
    /// The procedure of a condition, by its place in the list that the front end was given.
    pub fn condition(&self, index: usize) -> Option<ProcId> {
        let name = condition_name(index);
        self.procedures.iter().position(|it| it.short_name == name).map(ProcId::from_index)
    }

    /// The same for a postcondition.
    pub fn postcondition(&self, index: usize) -> Option<ProcId> {
        let name = postcondition_name(index);
        self.procedures.iter().position(|it| it.short_name == name).map(ProcId::from_index)
    }
}
