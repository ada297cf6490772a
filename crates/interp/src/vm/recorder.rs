//! Writes down calls while a run goes on. Exact for what it writes down; it never changes the run.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use ir::{ProcId, Stream};

use super::{Frame, Vm};
use crate::code::{Reg, width};
use crate::domain::Domain;
use crate::halt::Halt;
use crate::run::{Branches, Executed};
use crate::{Ending, ExternalCall, Input, ObjectValue, Recorded, RecordedCall, RefValue, Run, Value, Wanted};

/// The state of writing down.
pub(super) struct Recorder<'w> {
    wanted: &'w Wanted,
    recorded: Recorded,
    /// The calls that are written down and not over yet.
    open: Vec<OpenCall>,
    cells_left: u64,
}

struct OpenCall {
    /// How many calls were open around it.
    depth: usize,
    index: usize,
    /// The heap's indices of the objects that it was given, in the order of its input.
    objects: Vec<usize>,
    /// How much was written before, to each stream.
    written: [usize; 2],
    external_calls: usize,
    steps: u64,
}

impl<'w> Recorder<'w> {
    pub(super) fn new(wanted: &'w Wanted) -> Recorder<'w> {
        let recorded = Recorded { calls: Vec::new(), is_complete: true };
        Recorder { wanted, recorded, open: Vec::new(), cells_left: wanted.most_cells }
    }
}

impl<D: Domain> Vm<'_, D> {
    /// Called when the frame of a procedure has been opened.
    #[cold]
    pub(super) fn note_call(&mut self, frame: Frame) {
        let Some(mut recorder) = self.recorder.take() else { return };
        let procedure = ProcId::from_index(frame.procedure);
        if let Some(names) = recorder.wanted.procedures.get(&procedure) {
            let is_full = recorder.recorded.calls.len() >= recorder.wanted.most_calls;
            let found = if is_full { None } else { self.input_of(&mut recorder, frame, names) };
            match found {
                Some((input, objects)) => {
                    let inside = recorder.open.last().map(|open| open.index);
                    recorder.open.push(OpenCall {
                        depth: self.callers.len(),
                        index: recorder.recorded.calls.len(),
                        objects,
                        written: self.written.each_ref().map(Vec::len),
                        external_calls: self.calls.len(),
                        steps: self.steps,
                    });
                    recorder.recorded.calls.push(RecordedCall { procedure, inside, input, run: None });
                }
                None => recorder.recorded.is_complete = false,
            }
        }
        self.recorder = Some(recorder);
    }

    /// Called before the frame of a procedure that returns is left.
    #[cold]
    pub(super) fn note_return(&mut self, frame: Frame, src: Reg) {
        let layout = &self.code.procedures[frame.procedure];
        let start = frame.base + src as usize;
        self.note_end(|vm| {
            let Some(ty) = &layout.result else { return Ok((Ending::Returned(None), None)) };
            let value = vm.to_value(&vm.slots[start..start + layout.result_width as usize], ty)?;
            Ok((Ending::Returned(Some(value)), None))
        });
    }

    /// Called before a frame is left because of a failure.
    #[cold]
    pub(super) fn note_failure(&mut self, error: u32, carried: &[D::Slot]) {
        let error = self.code.errors.get(error as usize).cloned().unwrap_or_default();
        self.note_end(|vm| {
            let thrown = vm.to_value(carried, &vm.code.carried)?;
            Ok((Ending::Failed { error: error.clone() }, Some(thrown)))
        });
    }

    fn note_end(&mut self, ending: impl Fn(&Self) -> Result<(Ending, Option<Value>), Halt>) {
        let Some(mut recorder) = self.recorder.take() else { return };
        if recorder.open.last().is_some_and(|open| open.depth == self.callers.len())
            && let Some(open) = recorder.open.pop()
        {
            let wanted = recorder.wanted;
            let procedure = recorder.recorded.calls[open.index].procedure;
            let names = &wanted.procedures[&procedure];
            let run = self.within(&mut recorder, |vm| vm.run_of(wanted, &open, names, ending(vm)?));
            recorder.recorded.is_complete &= run.is_some();
            recorder.recorded.calls[open.index].run = run;
        }
        self.recorder = Some(recorder);
    }

    /// What was written down, once the run is over.
    pub(super) fn take_recorded(&mut self, ending: &Ending) -> Recorded {
        let Some(recorder) = self.recorder.take() else { return Recorded::default() };
        let Recorder { mut recorded, open, .. } = *recorder;
        for call in open {
            // Of a state that repeats, the calls that were open all the time never end.
            let is_endless = *ending == Ending::Endless && self.watch.repeats_since() >= Some(call.steps);
            match is_endless {
                true => recorded.calls[call.index].run = Some(endless(self.steps - call.steps)),
                false => recorded.is_complete = false,
            }
        }
        recorded
    }

    /// Makes values at the recorder's expense, not at that of the run; `None` if that is too much.
    fn within<T>(
        &self,
        recorder: &mut Recorder<'_>,
        make: impl FnOnce(&Self) -> Result<T, Halt>,
    ) -> Option<T> {
        let of_the_run = self.value_memory.replace(recorder.cells_left);
        let made = make(self).ok();
        recorder.cells_left = self.value_memory.replace(of_the_run);
        made
    }

    /// What a call is given, with the heap's indices of its objects.
    fn input_of(
        &self,
        recorder: &mut Recorder<'_>,
        frame: Frame,
        names: &BTreeSet<String>,
    ) -> Option<(Input, Vec<usize>)> {
        let wanted = recorder.wanted;
        self.within(recorder, |vm| {
            let mut view = View::new(wanted, names, Vec::new());
            let mut args = Vec::new();
            let mut next = frame.base;
            for ty in &vm.code.procedures[frame.procedure].param_types {
                let end = next + width(ty) as usize;
                args.push(view.numbered(vm.to_value(&vm.slots[next..end], ty)?));
                next = end;
            }
            let state = vm.view_state(&mut view)?;
            let input = Input {
                args,
                globals: state.globals,
                statics: state.statics,
                objects: state.objects,
                world: 0,
            };
            Ok((input, view.order))
        })
    }

    /// How a call ended and what it left behind.
    fn run_of(
        &self,
        wanted: &Wanted,
        open: &OpenCall,
        names: &BTreeSet<String>,
        (ending, thrown): (Ending, Option<Value>),
    ) -> Result<Run, Halt> {
        let mut view = View::new(wanted, names, open.objects.clone());
        let ending = if let Ending::Returned(Some(value)) = ending {
            Ending::Returned(Some(view.numbered(value)))
        } else {
            ending
        };
        let thrown = thrown.map(|thrown| view.numbered(thrown));
        let external_calls = self.calls[open.external_calls..]
            .iter()
            .map(|call| ExternalCall {
                args: call.args.iter().map(|arg| view.numbered(arg.clone())).collect(),
                written: call.written.map(|now| [now[0] - open.written[0], now[1] - open.written[1]]),
                // Its number is that of the whole run.
                made: None,
                ..call.clone()
            })
            .collect();
        let state = self.view_state(&mut view)?;
        Ok(Run {
            ending,
            globals: state.globals,
            objects: state.objects,
            input_objects: open.objects.len(),
            statics: state.statics,
            written: Stream::ALL.map(|it| self.written[it.index()][open.written[it.index()]..].to_vec()),
            external_calls,
            steps: self.steps - open.steps,
            branches: Branches::default(),
            executed: Executed::default(),
            inexact: false,
            doubtful: false,
            filled: 0,
            invented: self.invented.clone(),
            thrown,
            failed_at: None,
        })
    }

    /// The globals and static objects that are looked at, and all objects that are in view.
    fn view_state(&self, view: &mut View<'_>) -> Result<ViewedState, Halt> {
        let mut state = ViewedState::default();
        // By name, because the versions may have them in different orders.
        let globals = self.code.globals.iter().filter(|global| !global.constant);
        let by_name: BTreeMap<&str, _> = globals.map(|global| (global.name.as_str(), global)).collect();
        for (name, global) in by_name {
            if view.names.contains(name) {
                let slots =
                    &self.globals[global.slot as usize..global.slot as usize + width(&global.ty) as usize];
                let value = view.numbered(self.to_value(slots, &global.ty)?);
                state.globals.insert(name.to_owned(), value);
            }
        }
        loop {
            if let Some(name) = view.statics.pop_first() {
                let layout =
                    self.code.statics.iter().position(|object| object.name == name && !object.constant);
                if let Some(index) = layout {
                    let cells = self.object(index)?.cells;
                    let cells = cells.into_iter().map(|cell| view.numbered(cell)).collect();
                    state.statics.insert(name, cells);
                }
            } else if let Some(index) = view.order.get(state.objects.len()) {
                let object = self.object(self.code.statics.len() + index)?;
                state.objects.push(view.object(object));
            } else {
                return Ok(state);
            }
        }
    }
}

fn endless(steps: u64) -> Run {
    Run {
        ending: Ending::Endless,
        globals: BTreeMap::new(),
        objects: Vec::new(),
        input_objects: 0,
        statics: BTreeMap::new(),
        written: Default::default(),
        external_calls: Vec::new(),
        steps,
        branches: Branches::default(),
        executed: Executed::default(),
        inexact: false,
        doubtful: false,
        filled: 0,
        invented: None,
        thrown: None,
        failed_at: None,
    }
}

#[derive(Default)]
struct ViewedState {
    globals: BTreeMap<String, Value>,
    statics: BTreeMap<String, Vec<Value>>,
    objects: Vec<ObjectValue>,
}

/// What can be reached from a call, numbered as it is found.
struct View<'w> {
    names: &'w BTreeSet<String>,
    fields: &'w BTreeSet<String>,
    /// The objects in view, by their indices in the run.
    order: Vec<usize>,
    numbers: BTreeMap<usize, usize>,
    /// Static objects that are still to be looked at, and all that ever were.
    statics: BTreeSet<String>,
    seen_statics: BTreeSet<String>,
}

impl<'w> View<'w> {
    fn new(wanted: &'w Wanted, names: &'w BTreeSet<String>, order: Vec<usize>) -> View<'w> {
        let numbers = order.iter().enumerate().map(|(number, index)| (*index, number)).collect();
        let statics = names.clone();
        View { names, fields: &wanted.fields, order, numbers, seen_statics: statics.clone(), statics }
    }

    /// The value with objects under their numbers in this view.
    fn numbered(&mut self, value: Value) -> Value {
        match value {
            Value::Ref(RefValue::Object(index)) => {
                let next = self.order.len();
                let number = *self.numbers.entry(index).or_insert(next);
                if number == next {
                    self.order.push(index);
                }
                Value::object(number)
            }
            Value::Ref(RefValue::Static(name)) => {
                if self.seen_statics.insert(name.clone()) {
                    self.statics.insert(name.clone());
                }
                Value::Ref(RefValue::Static(name))
            }
            Value::Record(fields) => {
                Value::Record(fields.into_iter().map(|field| self.numbered(field)).collect())
            }
            Value::Map(mut map) => {
                let default = mem::replace(&mut *map.default, Value::Undefined);
                *map.default = self.numbered(default);
                for (key, value) in &mut map.entries {
                    *key = self.numbered(mem::replace(key, Value::Undefined));
                    *value = self.numbered(mem::replace(value, Value::Undefined));
                }
                Value::Map(map)
            }
            plain @ (Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::F32(_) | Value::F64(_)) => plain,
            plain @ (Value::Real(_) | Value::Undefined | Value::Text(_)) => plain,
            Value::Ref(RefValue::Null) => Value::NULL,
        }
    }

    /// The object with the wanted fields only, by name; one with cells by index as it is.
    fn object(&mut self, object: ObjectValue) -> ObjectValue {
        if object.length.is_some() {
            let cells = object.cells.into_iter().map(|cell| self.numbered(cell)).collect();
            return ObjectValue { cells, ..object };
        }
        let cells: BTreeMap<String, Value> = object.fields.into_iter().zip(object.cells).collect();
        let cells = cells.into_iter().filter(|(field, _)| self.fields.contains(field));
        let (fields, cells): (Vec<String>, Vec<Value>) = cells.unzip();
        let cells = cells.into_iter().map(|cell| self.numbered(cell)).collect();
        ObjectValue { cells, fields, ..object }
    }
}
