//! What the stages tell of their work, recorded while a pair is checked.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, Registry};

/// What is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    Nothing,
    /// What one stage tells.
    Target(&'static str),
    /// Everything but whole scripts and terms.
    Trace,
}

/// One thing that a stage told: what it is about, within what, and its values.
#[derive(Clone, Debug)]
pub(crate) struct Record(Map<String, Value>);

impl Record {
    /// The text that it carries, or its values in a line.
    pub(crate) fn in_words(&self) -> String {
        match self.0.get("text").and_then(Value::as_str) {
            Some(text) => text.to_owned(),
            None => in_words(&self.0),
        }
    }

    /// One line of JSON.
    pub(crate) fn line(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }
}

/// `number=0 old=3 attempt(way=Lockstep)`, without what it is about.
fn in_words(values: &Map<String, Value>) -> String {
    let word = |(name, value): (&String, &Value)| match value {
        Value::Object(inner) => format!("{name}({})", in_words(inner)),
        Value::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    };
    let words = values.iter().filter(|(name, _)| *name != "event").map(word);
    words.collect::<Vec<_>>().join(" ")
}

/// Does something, and records what is wanted of it. What other threads do is not recorded.
pub(crate) fn recorded<T>(wanted: Wanted, body: impl FnOnce() -> T) -> (T, Vec<Record>) {
    if wanted == Wanted::Nothing {
        return (body(), Vec::new());
    }
    let records = Arc::default();
    let recorder = Recorder { wanted, records: Arc::clone(&records) };
    let done = tracing::subscriber::with_default(Registry::default().with(recorder), body);
    let records = std::mem::take(&mut *records.lock().expect("no recorder should panic"));
    (done, records)
}

struct Recorder {
    wanted: Wanted,
    records: Arc<Mutex<Vec<Record>>>,
}

/// The values of a span or an event.
#[derive(Default)]
struct Values(Map<String, Value>);

impl Visit for Values {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        match self.wanted {
            Wanted::Nothing => false,
            Wanted::Target(target) => metadata.target() == target || metadata.is_span(),
            Wanted::Trace => *metadata.level() <= Level::DEBUG,
        }
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut values = Values::default();
        attributes.record(&mut values);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(values);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut record = Map::new();
        record.insert("event".to_owned(), event.metadata().target().into());
        for span in context.event_scope(event).into_iter().flat_map(|scope| scope.from_root()) {
            let extensions = span.extensions();
            let values = extensions.get::<Values>().map(|values| values.0.clone()).unwrap_or_default();
            record.insert(span.name().to_owned(), Value::Object(values));
        }
        let mut values = Values::default();
        event.record(&mut values);
        record.extend(values.0);
        self.records.lock().expect("no recorder should panic").push(Record(record));
    }
}
