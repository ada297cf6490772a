//! What a run of an observed program does, in order: values, ways, results; each with its line.

use std::collections::BTreeSet;

use interp::{Ending, Input, Limits, Machine, MemoryState, ObjectValue, RefValue, Run, Value};
use ir::{IntType, Language, Numbers, ProcId, Program, Span, Stream, Subject, Type};
use report::Notation;
use report::explain::{Seen, SeenKind};
use rewrite::{Observed, Place, SITE, Site, observe_statements};

/// Runs of witnesses are shorter; observers count, too.
const LIMITS: Limits = Limits { steps: 600_000, ..Limits::USUAL };
/// Events that are kept of a run.
const MOST_EVENTS: usize = 60_000;
/// Cells that are looked at for all events of a run together: beyond, objects are shown without what is in them.
const MOST_CELLS: usize = 3_000_000;
/// Longer values are cut off.
const LONGEST: usize = 160;

/// Something that a run did.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) site: usize,
    pub(crate) procedure: ProcId,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) depth: u32,
    /// What is shown of it, if it is.
    pub(crate) seen: Vec<Seen>,
    /// The values in full, to be compared.
    pub(crate) exact: Vec<String>,
    pub(crate) kind: EventKind,
}

/// What an event means for what follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EventKind {
    /// Values of variables of this call.
    Here,
    /// Values that outlive it.
    Shared,
    Branch,
    /// A value that is used at once.
    Answer,
    Back,
    Return,
    Print,
    Fail,
}

/// The events of a run, and whether there were more.
pub(crate) struct Events {
    pub(crate) events: Vec<Event>,
    pub(crate) is_cut: bool,
}

/// Runs a procedure on an input, with observers in it and in all that it calls.
pub(crate) fn events(subject: Subject<'_>, input: &Input, numbers: Numbers) -> Events {
    let Subject { program, procedure } = subject;
    let is_written = |id: &ProcId| {
        let procedure = program.procedure(*id);
        procedure.body.is_some() && !procedure.span.is_nowhere() && !procedure.is_condition()
    };
    let reached: BTreeSet<ProcId> =
        ir::reachable(program, procedure).into_iter().filter(is_written).chain([procedure]).collect();
    // Reals may be known only within bounds, and cannot be told then.
    let is_left_out = |ty: &Type| numbers == Numbers::Math && has_floats(ty);
    let (observed, sites) = observe_statements(program, &reached, &is_left_out);
    let machine = Machine::new(&observed, numbers);
    let run = machine.run(procedure, input, &LIMITS);
    let cells = run.objects.iter().map(|object| object.cells.len()).sum::<usize>();
    let cells = 8 + cells + run.globals.len() + run.statics.values().map(Vec::len).sum::<usize>();
    let (run, states) = match cells.saturating_mul(run.external_calls.len()) <= MOST_CELLS {
        true => machine.run_seeing_outside(procedure, input, &LIMITS),
        false => (run, Vec::new()),
    };
    let reader = Reader { program, sites: &sites };
    reader.read(&run, &states)
}

fn has_floats(ty: &Type) -> bool {
    match ty {
        Type::Float(_) => true,
        Type::Record(parts) => parts.iter().any(has_floats),
        Type::Bool | Type::Int(_) | Type::Text | Type::Ref(_) | Type::Map(..) => false,
    }
}

struct Reader<'a> {
    program: &'a Program,
    sites: &'a [Site],
}

impl Reader<'_> {
    fn read(&self, run: &Run, states: &[MemoryState]) -> Events {
        let mut events: Vec<Event> = Vec::new();
        let mut open: Vec<ProcId> = Vec::new();
        let mut is_cut = matches!(run.ending, Ending::OutOfSteps | Ending::OutOfMemory);
        for (at, call) in run.external_calls.iter().enumerate() {
            let number = call.name.strip_prefix(SITE).and_then(|number| number.parse::<usize>().ok());
            let Some(site) = number.and_then(|number| Some((number, self.sites.get(number)?))) else {
                continue;
            };
            if events.len() >= MOST_EVENTS {
                is_cut = true;
                break;
            }
            let (number, site) = site;
            follow(&mut open, site);
            let depth = u32::try_from(open.len().saturating_sub(1)).unwrap_or(u32::MAX);
            let values = Values { program: self.program, state: states.get(at), run };
            events.extend(self.event(number, site, depth, &call.args, &values));
        }
        let is_cut = is_cut || run.ending == Ending::Endless;
        if let Some(last) = self.end(run, events.last()).filter(|_| events.len() < MOST_EVENTS) {
            events.push(last);
        }
        Events { events, is_cut }
    }

    fn event(
        &self,
        number: usize,
        site: &Site,
        depth: u32,
        args: &[Value],
        values: &Values<'_>,
    ) -> Option<Event> {
        let procedure = self.program.procedure(site.procedure);
        let mut event = self.at(site.procedure, site.span, depth)?;
        event.site = number;
        let first = || args.first().cloned().unwrap_or(Value::Undefined);
        let mut put = |kind: SeenKind, name: &str, ty: Option<&Type>, value: &Value| {
            let (shown, exact) = values.texts(name, ty, value);
            event.seen.push(Seen { kind, name: name.to_owned(), value: shown });
            event.exact.push(exact);
        };
        match &site.seen {
            Observed::Entry(params) => {
                for (param, value) in params.iter().zip(args) {
                    let local = &procedure.locals[param.index()];
                    put(SeenKind::Value, &local.name, Some(&local.ty), value);
                }
                event.kind = EventKind::Here;
            }
            Observed::Local(local) => {
                let local = &procedure.locals[local.index()];
                put(SeenKind::Value, &local.name, Some(&local.ty), &first());
                event.kind = EventKind::Here;
            }
            Observed::Global(global) => {
                let global = self.program.global(*global);
                put(SeenKind::Value, &global.name, Some(&global.ty), &first());
                event.kind = EventKind::Shared;
            }
            Observed::Cell { region, place, indexed, pointer } => {
                let name = place_name(place, args, *indexed, *pointer);
                let ty = &self.program.region(*region).value;
                put(SeenKind::Value, &name, Some(ty), &first());
                event.kind = EventKind::Shared;
            }
            Observed::Answer(callee) if self.program.procedure(*callee).is_condition() => return None,
            Observed::Answer(callee) => {
                let callee = self.program.procedure(*callee);
                let name = format!("{}(…)", callee.short_name);
                put(SeenKind::Value, &name, callee.result.as_ref(), &first());
                event.kind = EventKind::Answer;
            }
            Observed::Return => {
                event.kind = EventKind::Return;
                match args {
                    [] => event.seen.push(note(SeenKind::Returns, "")),
                    [value, ..] => put(SeenKind::Returns, "", procedure.result.as_ref(), value),
                }
            }
            Observed::Print(stream) => {
                put(SeenKind::Prints, "", Some(&Type::Text), &first());
                if *stream == Stream::Error {
                    event.seen[0].value += " to the error output";
                }
                event.kind = EventKind::Print;
            }
            Observed::Branch { taken, leaves } => {
                let way = match (taken, leaves) {
                    (true, true) => "leaves",
                    (false, true) => "goes on",
                    (true, false) => "true",
                    (false, false) => "false",
                };
                event.seen.push(note(SeenKind::Branch, way));
                event.exact.push(way.to_owned());
                event.kind = EventKind::Branch;
            }
            Observed::Throw(error) => {
                let error = &self.program.errors[error.index()];
                let text = format!("{} {error}", self.verb());
                event.seen.push(note(SeenKind::Fails, &text));
                event.exact.push(text);
                event.kind = EventKind::Fail;
            }
            Observed::Caught => event.seen.push(note(SeenKind::Note, "catches it")),
            Observed::Back => event.kind = EventKind::Back,
        }
        Some(event)
    }

    fn verb(&self) -> &'static str {
        match self.program.language {
            Language::Java => "throws",
            Language::C => "fails with",
        }
    }

    /// An event on a line of which nothing is known yet.
    fn at(&self, procedure: ProcId, span: Span, depth: u32) -> Option<Event> {
        if span.is_nowhere() {
            return None;
        }
        let file = self.program.files.get(span.file.index())?.clone();
        let (seen, exact, kind) = (Vec::new(), Vec::new(), EventKind::Answer);
        Some(Event { site: usize::MAX, procedure, file, line: span.line, depth, seen, exact, kind })
    }

    /// How a run ends that does not return.
    fn end(&self, run: &Run, last: Option<&Event>) -> Option<Event> {
        let (text, span) = match &run.ending {
            Ending::Failed { error } => (format!("{} {error}", self.verb()), run.failed_at),
            Ending::Endless => ("does not end".to_owned(), None),
            _ => return None,
        };
        let last = last?;
        if last.exact.last() == Some(&text) {
            return None;
        }
        let mut event = match span {
            Some(span) => self.at(last.procedure, span, last.depth)?,
            None => Event { seen: Vec::new(), exact: Vec::new(), site: usize::MAX, ..last.clone() },
        };
        event.seen.push(note(SeenKind::Fails, &text));
        event.exact.push(text);
        event.kind = EventKind::Fail;
        Some(event)
    }
}

/// Which calls are open at a site. After a failure some are left without a word.
fn follow(open: &mut Vec<ProcId>, site: &Site) {
    match site.seen {
        Observed::Entry(_) => return open.push(site.procedure),
        Observed::Back if open.len() > 1 => {
            open.pop();
        }
        _ => {}
    }
    if let Some(place) = open.iter().rposition(|id| *id == site.procedure) {
        open.truncate(place + 1);
    }
}

fn note(kind: SeenKind, text: &str) -> Seen {
    Seen { kind, name: String::new(), value: text.to_owned() }
}

/// `a[2]`, `p.x`, `x of an object`.
fn place_name(place: &Place, args: &[Value], is_indexed: bool, has_pointer: bool) -> String {
    let index = args.get(1).filter(|_| is_indexed).and_then(|value| match value {
        Value::Int(index) => Some(*index),
        _ => None,
    });
    let from = match args.get(2).filter(|_| has_pointer) {
        Some(Value::Record(parts)) => match parts.as_slice() {
            [Value::Ref(_), Value::Int(offset)] => *offset,
            _ => 0,
        },
        _ => 0,
    };
    match (place, index) {
        (Place::Element(name), Some(index)) => format!("{name}[{}]", index - from),
        (Place::Element(name) | Place::Field(name), _) => name.clone(),
        (Place::Elsewhere(Some(field)), _) => format!("….{field}"),
        (Place::Elsewhere(None), Some(index)) => format!("…[{index}]"),
        (Place::Elsewhere(None), None) => "…".to_owned(),
    }
}

/// Values with the memory that they refer to.
struct Values<'a> {
    program: &'a Program,
    state: Option<&'a MemoryState>,
    run: &'a Run,
}

impl Values<'_> {
    /// A value in short, and in full.
    fn texts(&self, name: &str, ty: Option<&Type>, value: &Value) -> (String, String) {
        if let (Some(Type::Int(IntType::I8)), Language::C, Value::Int(code)) =
            (ty, self.program.language, value)
            && let Some(letter) = u8::try_from(*code).ok().filter(|code| (0x20..0x7f).contains(code))
        {
            return (format!("{code} '{}'", char::from(letter)), code.to_string());
        }
        if let (None, Value::Ref(RefValue::Object(index))) = (self.state, value) {
            let text = self.run.objects.get(*index).map_or_else(String::new, without_cells);
            return (text.clone(), text);
        }
        let none: &[ObjectValue] = &[];
        let objects = self.state.map_or(none, |state| &state.objects);
        let brief = Notation::brief(self.program, objects).write(name, ty, value);
        let full = Notation::full(self.program, objects).write("value", ty, value);
        (shortened(&brief), full)
    }
}

fn without_cells(object: &ObjectValue) -> String {
    match object.length {
        Some(length) => format!("{} of {length} elements", object.shape),
        None => object.shape.clone(),
    }
}

fn shortened(text: &str) -> String {
    match text.chars().count() <= LONGEST {
        true => text.to_owned(),
        false => text.chars().take(LONGEST - 1).chain(['…']).collect(),
    }
}
