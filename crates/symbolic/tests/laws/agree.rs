//! Whether a summary, evaluated on an input, says what a run of the interpreter on that input shows.

use crate::random_input::{Writer, input_number};
use interp::{Ending, RefValue, Run, Value};
use ir::Numbers;
use smt::{Assignment, Terms};
use std::collections::BTreeMap;
use symbolic::{InputType, Inputs, ShapeCells, Summary, SymValue};

/// What came out of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Outcome {
    /// Everything was compared.
    Same,
    /// Something was not compared, because a symbol is uninterpreted or a value undefined.
    Partly,
    /// The run needs more than the bound.
    Cut,
    /// The run says nothing: an enclosure is too wide, or the program breaks a rule of the IR.
    Silent,
}

/// The outcome, or what the summary and the run disagree about.
pub(crate) fn agree(
    terms: &Terms,
    inputs: &Inputs,
    summary: &Summary,
    run: &Run,
    assignment: &Assignment,
) -> Result<Outcome, String> {
    let assignment = assignment.clone();
    let mut agreement = Agreement {
        terms,
        inputs,
        run,
        assignment,
        numbers_of: BTreeMap::new(),
        objects_of: BTreeMap::new(),
        open: Vec::new(),
        skipped: false,
    };
    facts_hold(terms, inputs, summary, &agreement.assignment)?;
    agreement.whole(summary)
}

/// Facts that the summary relies on must be true of every well-formed input.
pub(crate) fn facts_hold(
    terms: &Terms,
    inputs: &Inputs,
    summary: &Summary,
    values: &Assignment,
) -> Result<(), String> {
    let facts: Vec<smt::Term> = inputs.assumptions.iter().chain(&summary.assumptions).copied().collect();
    for (fact, value) in facts.iter().zip(terms.evaluate_all(&facts, values)) {
        if value == Some(smt::Value::Bool(false)) {
            return Err(format!("the assumption {fact:?} does not hold"));
        }
    }
    Ok(())
}

struct Agreement<'a> {
    terms: &'a Terms,
    inputs: &'a Inputs,
    run: &'a Run,
    assignment: Assignment,
    /// Allocated objects: from the interpreter's place to the reference in terms, and back.
    numbers_of: BTreeMap<usize, u32>,
    objects_of: BTreeMap<u32, usize>,
    open: Vec<(u32, usize)>,
    skipped: bool,
}

impl Agreement<'_> {
    fn eval(&self, term: smt::Term) -> Option<smt::Value> {
        self.terms.evaluate(term, &self.assignment)
    }

    fn whole(&mut self, summary: &Summary) -> Result<Outcome, String> {
        if matches!(
            self.run.ending,
            Ending::OutOfSteps
                | Ending::OutOfMemory
                | Ending::TooDeep
                | Ending::TooMuchOutput
                | Ending::Undecided { .. }
                | Ending::Broken { .. }
        ) {
            return Ok(Outcome::Silent);
        }
        let endings = self.endings(summary);
        let taken: Vec<&(String, Option<bool>)> =
            endings.iter().filter(|(_, taken)| *taken == Some(true)).collect();
        let unknown = endings.iter().any(|(_, taken)| taken.is_none());
        let expected = match &self.run.ending {
            Ending::Returned(_) => "returned".to_owned(),
            Ending::Failed { error } => format!("failed with {error}"),
            Ending::Excluded => "excluded".to_owned(),
            Ending::Endless => "diverged".to_owned(),
            Ending::Unsupported { .. } => "unsupported".to_owned(),
            other => return Err(format!("the interpreter ended with {other:?}")),
        };
        match taken.as_slice() {
            [] if unknown => return Ok(Outcome::Partly),
            [(ending, _)] if ending == "cut" => return Ok(Outcome::Cut),
            [(ending, _)] if *ending == expected => {}
            _ => return Err(format!("the run {expected}, the summary says {taken:?} of {endings:?}")),
        }
        if !matches!(self.run.ending, Ending::Returned(_) | Ending::Failed { .. }) {
            return Ok(Outcome::Same);
        }
        self.code_of_ending(summary)?;
        self.observables(summary)?;
        Ok(if self.skipped { Outcome::Partly } else { Outcome::Same })
    }

    /// Every ending with whether it is the one taken.
    fn endings(&self, summary: &Summary) -> Vec<(String, Option<bool>)> {
        let mut named: Vec<(String, smt::Term)> = Vec::new();
        for (ending, guard) in &summary.endings {
            let name = ending.as_ref().map_or("returned".to_owned(), |error| format!("failed with {error}"));
            named.push((name, *guard));
        }
        named.push(("excluded".to_owned(), summary.excluded));
        named.push(("diverged".to_owned(), summary.diverged));
        named.extend(summary.cut.iter().map(|cut| ("cut".to_owned(), cut.guard)));
        named.extend(summary.unsupported.iter().map(|gap| ("unsupported".to_owned(), gap.guard)));
        named
            .into_iter()
            .map(|(name, guard)| (name, self.eval(guard).and_then(|value| value.as_bool())))
            .collect()
    }

    fn code_of_ending(&self, summary: &Summary) -> Result<(), String> {
        let code = match &self.run.ending {
            Ending::Failed { error } => self.inputs.errors[error],
            _ => 0,
        };
        let writer = Writer { inputs: self.inputs };
        match self.eval(summary.ended) {
            Some(found) if found != writer.number(code) => {
                Err(format!("the code of the ending is {found}, not {code}"))
            }
            _ => Ok(()),
        }
    }

    fn observables(&mut self, summary: &Summary) -> Result<(), String> {
        let run = self.run;
        if let (Ending::Returned(Some(value)), Some(result), Some(ty)) =
            (&run.ending, &summary.result, &summary.result_type)
        {
            self.same_value("the result", result, value, ty)?;
        }
        for (name, value) in &run.globals {
            let Some(global) = self.inputs.globals.get(name) else { return Err(format!("no global {name}")) };
            let ty = global.ty.clone();
            self.same_value(&format!("global {name}"), &summary.globals[name], value, &ty)?;
        }
        for stream in ir::Stream::ALL {
            let text = Value::Text(Some(run.written[stream.index()].clone()));
            let written = SymValue::Scalar(summary.written[stream.index()]);
            self.same_value("what is written", &written, &text, &InputType::Text)?;
        }
        let changes = run.external_calls.iter().filter(|call| call.observable).count();
        match self.eval(summary.world) {
            Some(smt::Value::Opaque(calls)) if calls as usize == changes => {}
            Some(other) => {
                return Err(format!("after {changes} external calls the world is {other}"));
            }
            None => self.skipped = true,
        }
        for index in 0..run.input_objects {
            self.open.push((input_number(index), index));
        }
        self.heap(summary)
    }

    fn heap(&mut self, summary: &Summary) -> Result<(), String> {
        let mut regions = BTreeMap::new();
        for (name, cells) in &summary.heap {
            let arrays: Option<Vec<smt::Value>> =
                cells.leaves().into_iter().map(|leaf| self.eval(leaf)).collect();
            regions.insert(name.clone(), arrays);
        }
        let lengths = summary.lengths.map(|lengths| self.eval(lengths));
        let shapes = self.eval(summary.shapes);
        let run = self.run;
        for object in self.inputs.statics.values().filter(|object| !object.constant) {
            let info = &self.inputs.shape_table[&object.shape];
            self.cells(&object.name, object.number, info, &[], &run.statics[&object.name], &regions)?;
        }
        while let Some((number, place)) = self.open.pop() {
            let object = &run.objects[place];
            let what = format!("object {place}");
            let info = &self.inputs.shape_table[&object.shape];
            let writer = Writer { inputs: self.inputs };
            let key = writer.number(number);
            match shapes.as_ref().and_then(|shapes| shapes.element(&key)) {
                Some(code) if *code != writer.number(info.code) => {
                    return Err(format!("{what} has the shape {code}, not {}", object.shape));
                }
                Some(_) => {}
                None => self.skipped = true,
            }
            if let (ShapeCells::Indexed { index, .. }, Some(length)) = (&info.cells, object.length) {
                let lengths = lengths[usize::from(index.width > 32)].as_ref();
                let found = lengths.and_then(|lengths| lengths.element(&key)).cloned();
                let expected = Value::Int(length.into());
                self.same_leaf(&format!("the length of {what}"), found, &expected, &InputType::Int(*index))?;
            }
            self.cells(&what, number, info, &object.fields, &object.cells, &regions)?;
        }
        Ok(())
    }

    fn cells(
        &mut self,
        what: &str,
        number: u32,
        info: &symbolic::ShapeInfo,
        fields: &[String],
        cells: &[Value],
        regions: &BTreeMap<String, Option<Vec<smt::Value>>>,
    ) -> Result<(), String> {
        let (ShapeCells::Fields(names) | ShapeCells::Indexed { regions: names, .. }) = &info.cells;
        let writer = Writer { inputs: self.inputs };
        for (place, cell) in cells.iter().enumerate() {
            let name = fields.get(place).unwrap_or_else(|| &names[place % names.len()]);
            let Some(arrays) = &regions[name] else {
                self.skipped = true;
                continue;
            };
            let region = &self.inputs.regions[name];
            let mut leaves = arrays.iter().map(|array| {
                let cell = array.element(&writer.number(number))?;
                match region.index {
                    None => Some(cell.clone()),
                    Some(index) => cell.element(&writer.index(place, index.width)).cloned(),
                }
            });
            self.same_leaves(&format!("cell {place} of {what} in {name}"), &mut leaves, cell, &region.ty)?;
        }
        Ok(())
    }

    fn same_value(
        &mut self,
        what: &str,
        value: &SymValue,
        expected: &Value,
        ty: &InputType,
    ) -> Result<(), String> {
        let leaves: Vec<Option<smt::Value>> =
            value.leaves().into_iter().map(|leaf| self.eval(leaf)).collect();
        self.same_leaves(what, &mut leaves.into_iter(), expected, ty)
    }

    fn same_leaves(
        &mut self,
        what: &str,
        leaves: &mut dyn Iterator<Item = Option<smt::Value>>,
        expected: &Value,
        ty: &InputType,
    ) -> Result<(), String> {
        match (expected, ty) {
            (Value::Record(fields), InputType::Record(types)) => {
                for (field, ty) in fields.iter().zip(types) {
                    self.same_leaves(what, leaves, field, ty)?;
                }
                Ok(())
            }
            (Value::Map(map), InputType::Map(key, element)) => {
                let writer = Writer { inputs: self.inputs };
                let leaf = leaves.next().flatten();
                let scalar = |ty: &InputType| !matches!(ty, InputType::Record(_) | InputType::Map(..));
                if !scalar(key) || !scalar(element) || leaf.is_none() {
                    self.skipped = true;
                    return Ok(());
                }
                for (at, value) in &map.entries {
                    let Some(at) = to_leaf(&writer, at, key, &self.numbers_of) else { continue };
                    let found = leaf.as_ref().and_then(|array| array.element(&at)).cloned();
                    self.same_leaf(what, found, value, element)?;
                }
                Ok(())
            }
            _ => {
                let found = leaves.next().flatten();
                self.same_leaf(what, found, expected, ty)
            }
        }
    }

    fn same_leaf(
        &mut self,
        what: &str,
        found: Option<smt::Value>,
        expected: &Value,
        ty: &InputType,
    ) -> Result<(), String> {
        let Some(found) = found else {
            self.skipped = true;
            return Ok(());
        };
        if let (Value::Ref(RefValue::Object(place)), true) = (expected, matches!(ty, InputType::Ref(_)))
            && *place >= self.run.input_objects
        {
            return self.same_new_object(what, &found, *place);
        }
        let writer = Writer { inputs: self.inputs };
        let Some(expected) = to_leaf(&writer, expected, ty, &self.numbers_of) else {
            self.skipped = true;
            return Ok(());
        };
        match found == expected {
            true => Ok(()),
            false => Err(format!("{what} is {found} in the summary and {expected} in the run")),
        }
    }

    /// Allocated objects are matched where they are met first.
    fn same_new_object(&mut self, what: &str, found: &smt::Value, place: usize) -> Result<(), String> {
        let number = match found {
            smt::Value::Int(number) => u32::try_from(number).ok(),
            value => value.as_unsigned().and_then(|bits| u32::try_from(bits).ok()),
        };
        let number = number.filter(|number| (0x4000_0000..0x8000_0000).contains(number));
        let Some(number) = number else { return Err(format!("{what} is {found}, not a new object")) };
        match (self.numbers_of.get(&place), self.objects_of.get(&number)) {
            (None, None) => {
                self.numbers_of.insert(place, number);
                self.objects_of.insert(number, place);
                self.open.push((number, place));
                Ok(())
            }
            (Some(known), Some(known_place)) if *known == number && *known_place == place => Ok(()),
            _ => Err(format!("{what} is {found}, which is another new object")),
        }
    }
}

/// The value of a leaf; `None` for what has none that is exact.
pub(crate) fn to_leaf(
    writer: &Writer,
    value: &Value,
    ty: &InputType,
    new: &BTreeMap<usize, u32>,
) -> Option<smt::Value> {
    Some(match (value, ty) {
        (Value::Bool(value), _) => smt::Value::Bool(*value),
        (Value::Int(number), InputType::Int(ty)) => match writer.inputs.numbers {
            Numbers::Machine => smt::Value::bit_vec(*number as u128, ty.width.into()),
            Numbers::Math => smt::Value::Int((*number).into()),
        },
        (Value::Big(number), _) => smt::Value::Int(number.clone()),
        (Value::F32(bits), _) if writer.inputs.numbers == Numbers::Machine => {
            smt::Value::float((*bits).into(), smt::FloatFormat::F32)
        }
        (Value::F64(bits), _) if writer.inputs.numbers == Numbers::Machine => {
            smt::Value::float(*bits, smt::FloatFormat::F64)
        }
        (Value::F32(bits), _) => {
            smt::Value::Real(num_rational::BigRational::from_float(f32::from_bits(*bits))?)
        }
        (Value::F64(bits), _) => {
            smt::Value::Real(num_rational::BigRational::from_float(f64::from_bits(*bits))?)
        }
        (Value::Real(enclosure), _) => match enclosure.is_exact() {
            true => smt::Value::Real(enclosure.low().clone()),
            false => return None,
        },
        (Value::Text(units), _) => smt::Value::Text(units.clone().map(Into::into)),
        (Value::Ref(RefValue::Null), _) => writer.number(0),
        (Value::Ref(RefValue::Static(name)), _) => {
            let object = writer.inputs.statics.values().find(|object| object.name == *name)?;
            writer.number(object.number)
        }
        (Value::Ref(RefValue::Object(place)), _) => match new.get(place) {
            Some(number) => writer.number(*number),
            None => writer.number(input_number(*place)),
        },
        _ => return None,
    })
}
