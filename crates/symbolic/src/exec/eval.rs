//! Expressions to terms. Exact but for the functions that the files below call over-approximating.

mod constant;
mod float_functions;
mod intrinsic;
pub(crate) mod machine;
pub(crate) mod math;
mod text_functions;

use super::Executor;
use crate::heap;
use crate::inputs::objects::{self, LENGTHS, length_place};
use crate::stack::is_nearly_full;
use crate::state::State;
use crate::value::{SymValue, ref_number, same};
use ir::Expr;
use ir::Numbers;
use smt::{Sort, Term};

/// Expressions that are nested deeper than this are not supported, so that no stack overflows.
const MOST_NESTED: u32 = 2_000;

/// Why an expression has no term: the run that evaluates it has no meaning for us.
#[derive(Debug)]
pub(crate) struct NoMeaning(pub(crate) String);

impl NoMeaning {
    pub(crate) fn broken(what: &str) -> NoMeaning {
        NoMeaning(format!("an expression that breaks a rule of the IR ({what})"))
    }
}

type Evaluated<T> = Result<T, NoMeaning>;

impl Executor<'_> {
    pub(crate) fn eval(&mut self, state: &State, expr: &Expr) -> Evaluated<SymValue> {
        Evaluation { executor: self, state, depth: 0 }.value(expr)
    }

    /// The value of an expression that is not a record.
    pub(crate) fn eval_scalar(&mut self, state: &State, expr: &Expr) -> Evaluated<Term> {
        Evaluation { executor: self, state, depth: 0 }.scalar(expr)
    }
}

/// One expression being evaluated.
struct Evaluation<'e, 'a, 's> {
    executor: &'e mut Executor<'a>,
    state: &'s State,
    depth: u32,
}

impl Evaluation<'_, '_, '_> {
    fn scalar(&mut self, expr: &Expr) -> Evaluated<Term> {
        self.value(expr)?.scalar().ok_or_else(|| NoMeaning::broken("a record where a scalar should be"))
    }

    fn scalars<const N: usize>(&mut self, exprs: [&Expr; N]) -> Evaluated<[Term; N]> {
        let mut terms = Vec::with_capacity(N);
        for expr in exprs {
            terms.push(self.scalar(expr)?);
        }
        Ok(terms.try_into().expect("there should be as many terms as expressions"))
    }

    fn value(&mut self, expr: &Expr) -> Evaluated<SymValue> {
        self.depth += 1;
        if self.depth > MOST_NESTED || is_nearly_full() {
            return Err(NoMeaning("an expression that is nested too deeply".to_owned()));
        }
        let value = self.node(expr)?;
        self.depth -= 1;
        Ok(value)
    }

    fn node(&mut self, expr: &Expr) -> Evaluated<SymValue> {
        let numbers = self.executor.config.numbers;
        match expr {
            Expr::Const(constant) => self.executor.constant(constant),
            Expr::Local(local) => Ok(self.state.locals[local.index()].clone()),
            Expr::Global(global) => Ok(self.state.memory.globals[global.index()].clone()),
            Expr::Unary { op, ty, arg } => {
                let arg = self.scalar(arg)?;
                let terms = &mut *self.executor.terms;
                let result = match numbers {
                    Numbers::Machine => machine::unary(terms, *op, *ty, arg),
                    Numbers::Math => math::unary(terms, *op, *ty, arg),
                };
                typed(result)
            }
            Expr::Binary { op, ty, lhs, rhs } => {
                let [lhs, rhs] = self.scalars([lhs, rhs])?;
                let (terms, notes) = (&mut *self.executor.terms, &mut self.executor.notes);
                let result = match numbers {
                    Numbers::Machine => machine::binary(terms, *op, *ty, lhs, rhs),
                    Numbers::Math => math::binary(terms, notes, *op, *ty, lhs, rhs),
                };
                typed(result)
            }
            Expr::Convert { from, to, arg } => {
                let arg = self.scalar(arg)?;
                let terms = &mut *self.executor.terms;
                let result = match numbers {
                    Numbers::Machine => machine::convert(terms, *from, *to, arg),
                    Numbers::Math => math::convert(terms, *from, *to, arg),
                };
                typed(result)
            }
            Expr::If { condition, then, otherwise } => self.conditional(condition, then, otherwise),
            Expr::SameRef { lhs, rhs } => {
                let [lhs, rhs] = self.scalars([lhs, rhs])?;
                let executor = &mut *self.executor;
                Ok(SymValue::Scalar(heap::same_object(executor.terms, &executor.known, lhs, rhs)))
            }
            Expr::SameText { lhs, rhs } | Expr::SameMap { lhs, rhs } => {
                let (lhs, rhs) = (self.value(lhs)?, self.value(rhs)?);
                Ok(SymValue::Scalar(same(self.executor.terms, &lhs, &rhs)))
            }
            Expr::Load { region, object, index } => {
                let object = self.scalar(object)?;
                let index = match index {
                    Some(index) => Some(self.scalar(index)?),
                    None => None,
                };
                Ok(self.executor.load(&self.state.memory, *region, object, index))
            }
            Expr::Length { object, ty } => {
                let object = self.scalar(object)?;
                Ok(SymValue::Scalar(self.executor.length(&self.state.memory, object, ty.width)))
            }
            Expr::HasShape { object, shapes } => {
                let object = self.scalar(object)?;
                Ok(SymValue::Scalar(self.executor.has_shape(&self.state.memory, object, shapes)))
            }
            Expr::Record(fields) => {
                let fields: Evaluated<Vec<SymValue>> = fields.iter().map(|field| self.value(field)).collect();
                Ok(SymValue::Record(fields?))
            }
            Expr::Get { record, index } => match self.value(record)? {
                SymValue::Record(mut fields) if (*index as usize) < fields.len() => {
                    Ok(fields.swap_remove(*index as usize))
                }
                SymValue::Record(_) | SymValue::Scalar(_) => {
                    Err(NoMeaning::broken("a component that is not there"))
                }
            },
            Expr::Select { map, key } => {
                let (map, keys) = (self.value(map)?, self.value(key)?.leaves());
                let terms = &mut *self.executor.terms;
                Ok(map.map(&mut |array| keys.iter().fold(array, |array, key| terms.select(array, *key))))
            }
            Expr::Update { map, key, value } => {
                let (map, keys) = (self.value(map)?, self.value(key)?.leaves());
                let value = self.value(value)?;
                let terms = &mut *self.executor.terms;
                Ok(map.zip(&value, &mut |array, element| heap::update(terms, array, &keys, element)))
            }
            Expr::Overflows { op, ty, lhs, rhs } => {
                let [lhs, rhs] = self.scalars([lhs, rhs])?;
                let terms = &mut *self.executor.terms;
                match numbers {
                    Numbers::Machine => typed(machine::overflows(terms, *op, *ty, lhs, rhs)),
                    Numbers::Math => Ok(SymValue::Scalar(terms.bool(false))),
                }
            }
            Expr::Fits { arg, from, to } => {
                let arg = self.scalar(arg)?;
                let terms = &mut *self.executor.terms;
                Ok(SymValue::Scalar(match numbers {
                    Numbers::Machine => machine::fits(terms, *from, *to, arg),
                    Numbers::Math => terms.bool(true),
                }))
            }
            Expr::Intrinsic { function, args } => {
                let args: Evaluated<Vec<Term>> = args.iter().map(|arg| self.scalar(arg)).collect();
                let result = self.executor.intrinsic(*function, &args?)?;
                Ok(SymValue::Scalar(result))
            }
        }
    }

    /// Both branches are evaluated: expressions have no effects.
    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Evaluated<SymValue> {
        let condition = self.scalar(condition)?;
        let executor = &mut *self.executor;
        match executor.known_truth(self.state.path, condition) {
            Some(true) => self.value(then),
            Some(false) => self.value(otherwise),
            None => {
                let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                let terms = &mut *self.executor.terms;
                Ok(then.zip(&otherwise, &mut |a, b| crate::merge::choose(terms, condition, a, b)))
            }
        }
    }
}

fn typed(result: Option<Term>) -> Evaluated<SymValue> {
    match result {
        Some(term) => Ok(SymValue::Scalar(term)),
        None => Err(NoMeaning::broken("an operator that the type does not have")),
    }
}

impl Executor<'_> {
    /// Arrays of structs that are inputs have only whole structs.
    fn assume_whole_structs(&mut self, object: Term, length: Term) {
        for (code, cells) in self.inputs.typing().structs.to_vec() {
            let code = ref_number(self.terms, code, self.config.numbers);
            let shape = self.terms.select(self.inputs.shapes, object);
            let has_shape = self.terms.eq(shape, code);
            let rest = objects::rest_of_cells(self.terms, length, cells);
            let is_whole = objects::is_zero(self.terms, rest);
            let fact = self.terms.implies(has_shape, is_whole);
            self.notes.assume(self.terms, fact);
        }
    }

    /// The length of an object; those of input objects are not negative, and in C not zero.
    /// What a call gives in C may have been freed.
    pub(crate) fn length(&mut self, memory: &crate::state::Memory, object: Term, width: u8) -> Term {
        let place = length_place(width);
        let initial = self.terms.var(LENGTHS[place].0, &self.terms.sort_of(memory.lengths[place]).clone());
        let at_start = self.terms.select(initial, object);
        // C has no objects without elements.
        let least = match (self.program.language, self.config.any_inputs) {
            (ir::Language::C, true) => -1,
            (ir::Language::C, false) => 1,
            (ir::Language::Java, _) => 0,
        };
        let least = objects::index_number(self.terms, least, LENGTHS[place].1, self.config.numbers);
        let long_enough = match *self.terms.sort_of(at_start) == Sort::Int {
            true => self.terms.le(least, at_start),
            false => self.terms.bv_cmp(smt::BvCmp::Sle, least, at_start),
        };
        self.notes.assume(self.terms, long_enough);
        if (self.program.language, self.config.numbers) == (ir::Language::C, Numbers::Machine) {
            // An `int` can count the elements.
            let most =
                objects::index_number(self.terms, i64::from(i32::MAX), LENGTHS[place].1, self.config.numbers);
            let short_enough = self.terms.bv_cmp(smt::BvCmp::Sle, at_start, most);
            self.notes.assume(self.terms, short_enough);
            let in_bytes = self.program.shapes.iter().any(|shape| !shape.layout.scalars.is_empty());
            let of = if in_bytes { "bytes" } else { "elements" };
            self.notes.texts.insert(format!("no object has more than 2147483647 {of}"));
        }
        if !self.config.any_inputs {
            self.assume_whole_structs(object, at_start);
        }
        heap::select(self.terms, &self.known, memory.lengths[place], object)
    }

    /// Whether an object has one of the shapes; false for null.
    fn has_shape(&mut self, memory: &crate::state::Memory, object: Term, shapes: &[ir::ShapeId]) -> Term {
        let null = ref_number(self.terms, objects::NULL, self.config.numbers);
        let is_null = heap::same_object(self.terms, &self.known, object, null);
        let shape = heap::select(self.terms, &self.known, memory.shapes, object);
        let mut ways = Vec::with_capacity(shapes.len());
        for wanted in shapes {
            let name = &self.program.shape(*wanted).name;
            let code = self.inputs.shape_table.get(name).map_or(0, |info| info.code);
            let code = ref_number(self.terms, code, self.config.numbers);
            ways.push(self.terms.eq(shape, code));
        }
        let of_shape = self.terms.or(&ways);
        let is_object = self.terms.not(is_null);
        self.terms.and(&[is_object, of_shape])
    }
}
