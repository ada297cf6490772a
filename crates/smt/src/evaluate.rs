//! Evaluates terms on concrete values.

use crate::meaning;
use crate::op::Op;
use crate::terms::{Term, Terms};
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Values for the variables and tables for the uninterpreted functions of a term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    pub variables: BTreeMap<String, Value>,
    pub functions: BTreeMap<String, FunctionTable>,
}

/// A function given by its values at some arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionTable {
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// The value elsewhere; `None` if that is not known.
    pub default: Option<Value>,
}

impl Terms {
    /// The value of a term, if the assignment and the operations determine it.
    ///
    /// Exact. `None` where a variable or an application has no value, where the value has another
    /// sort than the variable, and where an operation has no single meaning (see `Op`).
    pub fn evaluate(&self, term: Term, assignment: &Assignment) -> Option<Value> {
        self.evaluate_all(&[term], assignment).pop().flatten()
    }

    /// `evaluate` on several terms, sharing the work.
    pub fn evaluate_all(&self, roots: &[Term], assignment: &Assignment) -> Vec<Option<Value>> {
        let mut values: FxHashMap<Term, Option<Value>> = FxHashMap::default();
        for term in self.reachable(roots) {
            let value = self.evaluate_node(term, &values, assignment);
            values.insert(term, value);
        }
        roots.iter().map(|root| values[root].clone()).collect()
    }

    fn evaluate_node(
        &self,
        term: Term,
        values: &FxHashMap<Term, Option<Value>>,
        assignment: &Assignment,
    ) -> Option<Value> {
        let value_of = |arg: &Term| values[arg].as_ref();
        let (op, args) = (self.op(term), self.args(term));
        match op {
            Op::Var(name) => {
                let value = assignment.variables.get(&**name)?;
                value.has_sort(self.sort_of(term)).then(|| value.clone())
            }
            Op::Apply(name) => {
                let table = assignment.functions.get(&**name)?;
                let args: Option<Vec<Value>> = args.iter().map(|arg| value_of(arg).cloned()).collect();
                let value = table.entries.get(&args?).or(table.default.as_ref())?;
                value.has_sort(self.sort_of(term)).then(|| value.clone())
            }
            // These three need not know all of their operands.
            Op::Ite => value_of(if value_of(&args[0])?.as_bool()? { &args[1] } else { &args[2] }).cloned(),
            Op::And | Op::Or => {
                let deciding = *op == Op::Or;
                let mut known = true;
                for arg in args {
                    match value_of(arg).and_then(Value::as_bool) {
                        Some(value) if value == deciding => return Some(Value::Bool(deciding)),
                        Some(_) => {}
                        None => known = false,
                    }
                }
                known.then_some(Value::Bool(!deciding))
            }
            _ => {
                let args: Option<Vec<&Value>> = args.iter().map(value_of).collect();
                meaning::apply(op, &args?, self.sort_of(term))
            }
        }
    }
}
