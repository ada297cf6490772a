//! A witness under the class names of the version that is replayed: a check uses the new ones for both.

use std::collections::BTreeMap;

use interp::{Ending, ExternalCall, Input, MapValue, ObjectValue, RefValue, Run, Value};
use ir::Pair;

/// Puts the old names back, for classes that were renamed.
pub(crate) struct OldNames<'a>(pub(crate) &'a [Pair<String>]);

impl OldNames<'_> {
    fn name(&self, name: &str) -> String {
        let back: Vec<Pair<String>> = self.0.iter().map(|classes| classes.clone().swapped()).collect();
        align::new_class_name(name, &back)
    }

    pub(crate) fn input(&self, input: &Input) -> Input {
        Input {
            args: self.values(&input.args),
            globals: self.table(&input.globals),
            statics: input
                .statics
                .iter()
                .map(|(name, cells)| (self.name(name), self.values(cells)))
                .collect(),
            objects: self.objects(&input.objects),
            world: input.world,
        }
    }

    pub(crate) fn run(&self, run: &Run) -> Run {
        Run {
            ending: match &run.ending {
                Ending::Returned(value) => Ending::Returned(value.as_ref().map(|value| self.value(value))),
                Ending::Failed { error } => Ending::Failed { error: self.name(error) },
                other => other.clone(),
            },
            globals: self.table(&run.globals),
            objects: self.objects(&run.objects),
            statics: run.statics.iter().map(|(name, cells)| (self.name(name), self.values(cells))).collect(),
            external_calls: run
                .external_calls
                .iter()
                .map(|call| ExternalCall { args: self.values(&call.args), ..call.clone() })
                .collect(),
            ..run.clone()
        }
    }

    fn table(&self, table: &BTreeMap<String, Value>) -> BTreeMap<String, Value> {
        table.iter().map(|(name, value)| (self.name(name), self.value(value))).collect()
    }

    fn objects(&self, objects: &[ObjectValue]) -> Vec<ObjectValue> {
        let renamed = |object: &ObjectValue| ObjectValue {
            shape: self.name(&object.shape),
            length: object.length,
            cells: self.values(&object.cells),
            fields: object.fields.iter().map(|field| self.name(field)).collect(),
        };
        objects.iter().map(renamed).collect()
    }

    fn values(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.value(value)).collect()
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Ref(RefValue::Static(name)) => Value::Ref(RefValue::Static(self.name(name))),
            Value::Record(fields) => Value::Record(self.values(fields)),
            Value::Map(map) => Value::Map(MapValue {
                default: Box::new(self.value(&map.default)),
                entries: map
                    .entries
                    .iter()
                    .map(|(key, entry)| (self.value(key), self.value(entry)))
                    .collect(),
            }),
            other => other.clone(),
        }
    }
}
