//! Runs compiled programs, in either number model.
//!
//! The loop below is the only place where control flow has its meaning. Calls live in a list of frames, so that the
//! depth of recursion in the program never is depth of our own stack.

mod boundary;
mod cycle;
mod external;
mod heap;
mod recorder;

use std::cell::Cell;

use crate::code::{Code, Inst, NO_REG, Reg, StopCode};
use crate::domain::{Domain, Perturbation};
use crate::halt::{Halt, broken, undecided};
use crate::machine::other_number;
use crate::maps::Maps;
use crate::run::{Branches, Executed};
use crate::texts::Texts;
use crate::{Ending, ExternalCall, Limits, MemoryState, Value};
use heap::Heap;

pub(crate) use boundary::run;

/// The state of a run.
struct Vm<'code, D: Domain> {
    code: &'code Code<D::Slot>,
    limits: Limits,
    /// The frames of all open calls, one after the other.
    slots: Vec<D::Slot>,
    /// The open calls, without the one that is running.
    callers: Vec<Frame>,
    globals: Vec<D::Slot>,
    heap: Heap<'code, D>,
    /// How many objects were there at the start.
    from_start: u32,
    texts: Texts<'code>,
    maps: Maps<D>,
    /// What was written, for each stream.
    written: [Vec<u16>; 2],
    world: external::World,
    calls: Vec<ExternalCall>,
    /// How many objects came with the input.
    inputs: usize,
    /// The memory after each external call, if that is wanted.
    outside_states: Option<Vec<MemoryState>>,
    /// How many cells were filled at the start.
    filled: u64,
    /// How many cells may still be made into values, for external calls and at the end.
    value_memory: Cell<u64>,
    branches: Branches,
    executed: Executed,
    /// Whether a function was used whose result implementations may choose, and which implementation it is.
    inexact: bool,
    /// A library procedure whose result was made up.
    invented: Option<String>,
    perturbation: Perturbation,
    /// Whether something was used of which nothing is promised, and whether runs then know nothing of it.
    doubtful: bool,
    doubting: bool,
    /// Where the failure was raised that ended the run.
    /// What the failure that ended the run carries.
    thrown: Option<Value>,
    failed_at: Option<ir::Span>,
    steps: u64,
    watch: cycle::Watch<D::Slot>,
    /// There only if calls are to be written down.
    recorder: Option<Box<recorder::Recorder<'code>>>,
}

/// A call that is open: which procedure, where in it, and where its registers begin.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Frame {
    procedure: usize,
    pc: usize,
    base: usize,
    /// Where the procedure that it waits for leaves its result.
    dst: Reg,
}

impl<D: Domain> Vm<'_, D> {
    /// Runs a procedure whose arguments are in the first slots. At the end its result is there.
    fn execute(&mut self, procedure: usize) -> Result<(), Halt> {
        let code = self.code;
        let mut frame = Frame { procedure, pc: 0, base: 0, dst: NO_REG };
        let mut insts = &code.procedures[procedure].insts[..];
        macro_rules! slot {
            ($reg:expr) => {
                self.slots[frame.base + $reg as usize]
            };
        }
        loop {
            if self.steps >= self.limits.steps {
                return Err(Box::new(Ending::OutOfSteps));
            }
            self.steps += 1;
            let inst = insts[frame.pc];
            frame.pc += 1;
            // The error and what it carries when the instruction fails.
            let (error, carried) = match inst {
                Inst::Copy { dst, src, width } => {
                    for offset in 0..width {
                        slot!(dst + offset) = slot!(src + offset).clone();
                    }
                    continue;
                }
                Inst::Binary { op, ty, dst, lhs, rhs } => {
                    let result = D::binary(op, ty, &slot!(lhs), &slot!(rhs))?;
                    self.steps += D::extra_steps(&result);
                    slot!(dst) = result;
                    continue;
                }
                Inst::Unary { op, ty, dst, arg } => {
                    slot!(dst) = D::unary(op, ty, &slot!(arg))?;
                    continue;
                }
                Inst::Convert { from, to, dst, arg } => {
                    slot!(dst) = D::convert(from, to, &slot!(arg))?;
                    continue;
                }
                Inst::Jump { to } => {
                    let goes_back = (to as usize) < frame.pc;
                    frame.pc = to as usize;
                    if goes_back {
                        self.watch(frame)?;
                    }
                    continue;
                }
                Inst::JumpUnless { condition, to, branch } => {
                    let taken = D::truth(&slot!(condition))?;
                    self.branches.set(branch, taken);
                    if !taken {
                        frame.pc = to as usize;
                    }
                    continue;
                }
                Inst::Mark { number } => {
                    self.steps -= 1;
                    self.executed.set(number);
                    continue;
                }
                Inst::Check { condition, error, branch } => {
                    let holds = D::truth(&slot!(condition))?;
                    self.branches.set(branch, holds);
                    if holds {
                        continue;
                    }
                    (error, code.nothing_carried.clone())
                }
                Inst::Throw { error, message } => {
                    let start = frame.base + message as usize;
                    let carried = match message {
                        NO_REG => code.nothing_carried.clone(),
                        _ => self.slots[start..start + code.nothing_carried.len()].to_vec(),
                    };
                    (error, carried)
                }
                Inst::Call { callee, dst, args } => {
                    let callee = callee as usize;
                    if code.procedures[callee].is_external {
                        self.call_external(
                            callee,
                            frame.base + args as usize,
                            frame.base + dst as usize,
                            dst,
                        )?;
                        continue;
                    }
                    frame = self.open_call(Frame { dst, ..frame }, callee, frame.base + args as usize)?;
                    insts = &code.procedures[callee].insts;
                    continue;
                }
                Inst::Return { src } => {
                    if self.recorder.is_some() {
                        self.note_return(frame, src);
                    }
                    let Some(caller) = self.callers.pop() else {
                        let width = code.procedures[procedure].result_width as usize;
                        for offset in 0..width {
                            self.slots[offset] = slot!(src as usize + offset).clone();
                        }
                        return Ok(());
                    };
                    if caller.dst != NO_REG {
                        let width = code.procedures[frame.procedure].result_width as usize;
                        for offset in 0..width {
                            let value = slot!(src as usize + offset).clone();
                            self.slots[caller.base + caller.dst as usize + offset] = value;
                        }
                    }
                    self.slots.truncate(frame.base);
                    frame = caller;
                    insts = &code.procedures[frame.procedure].insts;
                    continue;
                }
                Inst::Const { .. }
                | Inst::Overflows { .. }
                | Inst::Fits { .. }
                | Inst::Same { .. }
                | Inst::SameMap { .. }
                | Inst::Select { .. }
                | Inst::Update { .. }
                | Inst::GetGlobal { .. }
                | Inst::SetGlobal { .. }
                | Inst::Load { .. }
                | Inst::Store { .. }
                | Inst::Length { .. }
                | Inst::HasShape { .. }
                | Inst::Intrinsic { .. }
                | Inst::New { .. }
                | Inst::Free { .. }
                | Inst::Assume { .. }
                | Inst::Print { .. }
                | Inst::Stop { .. } => {
                    self.plain(inst, frame.base, frame.procedure)?;
                    continue;
                }
            };
            frame = self.unwind(frame, error, carried)?;
            insts = &code.procedures[frame.procedure].insts;
        }
    }

    /// Executes an instruction after which the next one follows.
    fn plain(&mut self, inst: Inst, base: usize, procedure: usize) -> Result<(), Halt> {
        let code = self.code;
        macro_rules! slot {
            ($reg:expr) => {
                self.slots[base + $reg as usize]
            };
        }
        macro_rules! slots {
            ($reg:expr, $width:expr) => {
                self.slots[base + $reg as usize..base + $reg as usize + $width as usize]
            };
        }
        match inst {
            Inst::Const { dst, index, width } => {
                let constants =
                    &code.procedures[procedure].constants[index as usize..(index + width) as usize];
                slots!(dst, width).clone_from_slice(constants);
            }
            Inst::Overflows { op, ty, dst, lhs, rhs } => {
                slot!(dst) = D::overflows(op, ty, &slot!(lhs), &slot!(rhs))?;
            }
            Inst::Fits { from, to, dst, arg } => slot!(dst) = D::fits(from, to, &slot!(arg))?,
            Inst::Same { dst, lhs, rhs } => slot!(dst) = D::same(&slot!(lhs), &slot!(rhs)),
            Inst::SameMap { map, dst, lhs, rhs } => {
                let (lhs, rhs) = (D::number(&slot!(lhs))?, D::number(&slot!(rhs))?);
                if !self.maps.is_exact(lhs)? || !self.maps.is_exact(rhs)? {
                    return Err(undecided("maps with inexact values are compared"));
                }
                let same = self.maps.same(lhs, rhs, &code.map_types[map as usize])?;
                slot!(dst) = D::handle(same.into());
            }
            Inst::Select { map, dst, base: from, key } => {
                let layout = &code.map_types[map as usize];
                let key = &slots!(key, layout.key_width);
                check_key::<D>(key)?;
                let value: Vec<D::Slot> = self.maps.select(D::number(&slot!(from))?, key)?.to_vec();
                slots!(dst, layout.value_width).clone_from_slice(&value);
            }
            Inst::Update { map, dst, base: from, key, value } => {
                let layout = &code.map_types[map as usize];
                let (key, value) = (&slots!(key, layout.key_width), &slots!(value, layout.value_width));
                check_key::<D>(key)?;
                let updated = self.maps.update(D::number(&slot!(from))?, key, value)?;
                slot!(dst) = D::handle(updated);
            }
            Inst::GetGlobal { dst, slot, width } => {
                let globals = &self.globals[slot as usize..(slot + width) as usize];
                slots!(dst, width).clone_from_slice(globals);
            }
            Inst::SetGlobal { src, slot, width } => {
                self.globals[slot as usize..(slot + width) as usize].clone_from_slice(&slots!(src, width));
            }
            Inst::Load { region, dst, object, index } => {
                let index = if index == NO_REG { None } else { Some(D::index(&slot!(index))?) };
                let cell = self.heap.cell(D::number(&slot!(object))?, region, index)?;
                if let [value] = cell {
                    slot!(dst) = value.clone();
                } else {
                    slots!(dst, cell.len()).clone_from_slice(cell);
                }
            }
            Inst::Store { region, src, object, index } => {
                let index = if index == NO_REG { None } else { Some(D::index(&slot!(index))?) };
                let cell = self.heap.cell_mut(D::number(&slot!(object))?, region, index)?;
                if let [value] = cell {
                    *value = slot!(src).clone();
                } else {
                    cell.clone_from_slice(&slots!(src, cell.len()));
                }
            }
            Inst::Length { dst, object } => {
                let length = self.heap.length(D::number(&slot!(object))?)?;
                slot!(dst) = D::from_index(length);
            }
            Inst::HasShape { dst, object, shapes } => {
                let shape = self.heap.shape(D::number(&slot!(object))?)?;
                let set = &code.shape_sets[shapes as usize];
                let has = shape.is_some_and(|shape| set.binary_search(&shape).is_ok());
                slot!(dst) = D::handle(has.into());
            }
            Inst::Intrinsic { function: ir::Intrinsic::Before, dst, args } => {
                let start = base + args as usize;
                let objects = (D::number(&self.slots[start])?, D::number(&self.slots[start + 1])?);
                slot!(dst) = D::handle(self.lies_before(objects.0, objects.1)?.into());
            }
            Inst::Intrinsic { function: ir::Intrinsic::Given, dst, args } => {
                let object = D::number(&self.slots[base + args as usize])?;
                slot!(dst) = D::handle(self.is_given(object).into());
            }
            Inst::Intrinsic {
                function: function @ (ir::Intrinsic::AnyOfSign | ir::Intrinsic::AnyNonzero),
                dst,
                args,
            } => {
                let mut result = self.slots[base + args as usize].clone();
                if !D::is_undefined(&result) {
                    let ours = D::index(&result)?;
                    self.inexact |= ours != 0;
                    if ours != 0 && self.perturbation != 0 {
                        result = D::from_index(other_number(function, ours, self.perturbation));
                    }
                }
                slot!(dst) = result;
            }
            Inst::Intrinsic { function, dst, args } => {
                // No intrinsic takes more than three arguments.
                let start = base + args as usize;
                let args = &self.slots[start..self.slots.len().min(start + 3)];
                let mut result = D::intrinsic(function, args, &mut self.texts, code.language)?;
                if D::is_inexact(function, args, &result) {
                    self.inexact = true;
                    result = D::perturbed(function, args, result, self.perturbation);
                }
                if code.language == ir::Language::C && D::shows_nan(function, args) {
                    self.doubtful = true;
                }
                if function.is_unwritten() {
                    self.doubtful = true;
                    result = if self.doubting { D::unknown(result) } else { result };
                }
                self.steps += D::extra_steps(&result);
                slot!(dst) = result;
            }
            Inst::New { dst, shape, length, unwritten } => {
                let length = if length == NO_REG { None } else { Some(D::index(&slot!(length))?) };
                let object = self.heap.allocate(shape, length)?;
                self.doubtful |= unwritten;
                if unwritten && self.doubting {
                    self.heap.forget(object);
                }
                slot!(dst) = D::handle(object);
            }
            Inst::Free { object } => {
                let object = D::number(&slot!(object))?;
                self.heap.free(object)?;
            }
            // A run with all bits known was there before, and it held.
            Inst::Assume { condition, .. } if self.doubting && D::is_undefined(&slot!(condition)) => {}
            Inst::Assume { condition, branch } => {
                let holds = D::truth(&slot!(condition))?;
                self.branches.set(branch, holds);
                if !holds {
                    return Err(Box::new(Ending::Excluded));
                }
            }
            Inst::Print { stream, text } => {
                let text = self.texts.get(D::number(&slot!(text))?)?;
                if self.written.iter().map(Vec::len).sum::<usize>() + text.len() > self.limits.output {
                    return Err(Box::new(Ending::TooMuchOutput));
                }
                self.written[stream.index()].extend_from_slice(text);
            }
            Inst::Stop { index } => return Err(stop(&code.stops[index as usize])),
            Inst::Copy { .. }
            | Inst::Unary { .. }
            | Inst::Binary { .. }
            | Inst::Convert { .. }
            | Inst::Jump { .. }
            | Inst::Mark { .. }
            | Inst::JumpUnless { .. }
            | Inst::Check { .. }
            | Inst::Throw { .. }
            | Inst::Call { .. }
            | Inst::Return { .. } => unreachable!("the main loop should execute these itself"),
        }
        Ok(())
    }

    /// Opens a frame behind the others for a procedure, whose arguments lie in consecutive slots.
    fn open_call(&mut self, caller: Frame, callee: usize, args: usize) -> Result<Frame, Halt> {
        if self.callers.len() + 1 >= self.limits.call_depth as usize {
            return Err(Box::new(Ending::TooDeep));
        }
        let target = &self.code.procedures[callee];
        let base = self.slots.len();
        let params = target.param_width as usize;
        for offset in 0..params {
            let value = self.slots[args + offset].clone();
            self.slots.push(value);
        }
        self.slots.extend_from_slice(&target.frame[params..]);
        self.callers.push(caller);
        let frame = Frame { procedure: callee, pc: 0, base, dst: NO_REG };
        if self.recorder.is_some() {
            self.note_call(frame);
        }
        Ok(frame)
    }

    /// Goes on at the innermost handler that takes the error; the run fails if there is none.
    fn unwind(&mut self, mut frame: Frame, error: u32, carried: Vec<D::Slot>) -> Result<Frame, Halt> {
        let raised_in = frame;
        loop {
            // The program counter is already behind the instruction that failed.
            let at = frame.pc as u32 - 1;
            let mut handlers = self.code.procedures[frame.procedure].handlers.iter();
            let handler = handlers.find(|handler| {
                let takes = handler.errors.as_ref().is_none_or(|errors| errors.contains(&error));
                takes && (handler.start..handler.end).contains(&at)
            });
            if let Some(handler) = handler {
                if handler.message != NO_REG {
                    let start = frame.base + handler.message as usize;
                    self.slots[start..start + carried.len()].clone_from_slice(&carried);
                }
                frame.pc = handler.target as usize;
                return Ok(frame);
            }
            if self.recorder.is_some() {
                self.note_failure(error, &carried);
            }
            let Some(caller) = self.callers.pop() else {
                let name = self.code.errors.get(error as usize);
                let error = name.ok_or_else(|| broken("an error without a name"))?.clone();
                let procedure = &self.code.procedures[raised_in.procedure];
                self.thrown = Some(self.to_value(&carried, &self.code.carried)?);
                self.failed_at = procedure.span_at(raised_in.pc as u32 - 1);
                return Err(Box::new(Ending::Failed { error }));
            };
            self.slots.truncate(frame.base);
            frame = caller;
        }
    }
}

/// Keys that are not exact might be the same as others.
fn check_key<D: Domain>(key: &[D::Slot]) -> Result<(), Halt> {
    if key.iter().all(D::is_exact) { Ok(()) } else { Err(undecided("a map is used at an inexact key")) }
}

#[cold]
fn stop(stop: &StopCode) -> Halt {
    Box::new(match stop.clone() {
        StopCode::Unsupported { what, span } => Ending::Unsupported { what, span },
        StopCode::Broken { what } => Ending::Broken { what },
    })
}
