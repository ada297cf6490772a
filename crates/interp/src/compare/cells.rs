//! Compares values and objects, and pairs up the objects that they refer to.

use std::collections::BTreeMap;

use super::{Comparer, Found, Verdict, What, different};
use crate::value::place_of;
use crate::{MapValue, RefValue, Value};

impl Comparer<'_> {
    pub(super) fn value(&mut self, old: &Value, new: &Value, path: &str) -> Verdict {
        match (old, new) {
            (Value::Undefined, _) | (_, Value::Undefined) => {
                Verdict::Unsure("a value is undefined".to_owned())
            }
            (Value::Bool(old), Value::Bool(new)) => same_if(old == new),
            (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) => same_if(old == new),
            (Value::F32(old), Value::F32(new)) => same_if(old == new),
            (Value::F64(old), Value::F64(new)) => same_if(old == new),
            (Value::Text(old), Value::Text(new)) => same_if(old == new),
            (Value::Real(old), Value::Real(new)) => {
                if old.is_exact() && new.is_exact() {
                    same_if(old.overlaps(new))
                } else if !old.overlaps(new) {
                    Verdict::Different
                } else {
                    Verdict::Unsure("the enclosures of the values overlap".to_owned())
                }
            }
            (Value::Ref(old), Value::Ref(new)) => self.reference(old, new, path),
            (Value::Record(old), Value::Record(new)) if old.len() == new.len() => {
                let mut verdict = Verdict::Same;
                for (old, new) in old.iter().zip(new) {
                    verdict = and(verdict, self.value(old, new, path));
                }
                verdict
            }
            (Value::Map(old), Value::Map(new)) => self.map(old, new, path),
            _ => Verdict::Unsure("the values have different types".to_owned()),
        }
    }

    fn reference(&mut self, old: &RefValue, new: &RefValue, path: &str) -> Verdict {
        let (RefValue::Object(old), RefValue::Object(new)) = (old, new) else {
            return same_if(old == new);
        };
        let inputs = self.old.input_objects;
        if (*old < inputs || *new < inputs) && old != new {
            return Verdict::Different;
        }
        if !self.pair(*old, *new) {
            return Verdict::Different;
        }
        self.follow(*old, *new, path.to_owned());
        Verdict::Same
    }

    /// Makes two objects a pair; false when one of them is already in another pair.
    pub(super) fn pair(&mut self, old: usize, new: usize) -> bool {
        *self.new_of_old.entry(old).or_insert(new) == new && *self.old_of_new.entry(new).or_insert(old) == old
    }

    /// Sees to it that the cells of a pair are compared, once.
    pub(super) fn follow(&mut self, old: usize, new: usize, path: String) {
        if self.followed.insert(old) {
            self.open.push_back((old, new, path));
        }
    }

    pub(super) fn objects(&mut self, old: usize, new: usize, path: &str) -> Found {
        let (Some(old), Some(new)) = (self.old.objects.get(old), self.new.objects.get(new)) else {
            self.unsure(format!("{path} refers to an object that is not there"));
            return Ok(());
        };
        if old.shape != new.shape {
            return different(What::Heap(path.to_owned()), old.shape.clone(), new.shape.clone());
        }
        if old.length != new.length {
            let length = |length: Option<i64>| length.map_or("none".to_owned(), |length| length.to_string());
            return different(What::Heap(format!("{path}.length")), length(old.length), length(new.length));
        }
        if old.length.is_some() {
            return self.cells_by_index(&old.cells, &new.cells, path);
        }
        for (position, field) in old.fields.iter().enumerate() {
            let path = format!("{path}.{}", short(field));
            match place_of(field, &new.fields, position) {
                Some(other) => self.values(&old.cells[position], &new.cells[other], &path, heap)?,
                None => self.unsure(format!("only the old version has the field {field}")),
            }
        }
        let mut of_new = new.fields.iter().enumerate();
        if let Some((_, field)) =
            of_new.find(|(position, field)| place_of(field, &old.fields, *position).is_none())
        {
            self.unsure(format!("only the new version has the field {field}"));
        }
        Ok(())
    }

    pub(super) fn cells_by_index(&mut self, old: &[Value], new: &[Value], path: &str) -> Found {
        if old.len() != new.len() {
            let what = What::Heap(format!("{path}.length"));
            return different(what, old.len().to_string(), new.len().to_string());
        }
        for (index, (old, new)) in old.iter().zip(new).enumerate() {
            // The path is only built where it may be needed: most cells are plain and equal.
            if old == new && !matches!(old, Value::Ref(_) | Value::Record(_) | Value::Map(_) | Value::Real(_))
            {
                if matches!(old, Value::Undefined) {
                    self.unsure(format!("{path}[{index}]: a value is undefined"));
                }
                continue;
            }
            self.values(old, new, &format!("{path}[{index}]"), heap)?;
        }
        Ok(())
    }

    fn map(&mut self, old: &MapValue, new: &MapValue, path: &str) -> Verdict {
        let Some(old_entries) = self.entries_by_key(old, true) else { return unpaired_key() };
        let Some(new_entries) = self.entries_by_key(new, false) else { return unpaired_key() };
        let mut keys: Vec<&String> = old_entries.keys().chain(new_entries.keys()).collect();
        keys.sort();
        keys.dedup();
        let listed = keys.len();
        let mut verdict = Verdict::Same;
        for key in keys {
            let old_value = old_entries.get(key).copied().unwrap_or(&old.default);
            let new_value = new_entries.get(key).copied().unwrap_or(&new.default);
            verdict = and(verdict, self.value(old_value, new_value, path));
        }
        // Key types without booleans have more values than this, so that some key has the default in both maps.
        let mut all_keys = old.entries.iter().chain(&new.entries).map(|(key, _)| key);
        let defaults_show = listed == 0 || (listed < 256 && !all_keys.any(may_be_one_of_few));
        let defaults = self.value(&old.default, &new.default, path);
        if matches!(defaults, Verdict::Different) && !defaults_show {
            return and(verdict, Verdict::Unsure("the defaults of maps differ".to_owned()));
        }
        and(verdict, defaults)
    }

    /// The entries by a text of their key that is the same for the same keys of both runs. `None` if a key refers to
    /// an allocated object that has no pair yet, or is not exact.
    fn entries_by_key<'map>(
        &self,
        map: &'map MapValue,
        is_old: bool,
    ) -> Option<BTreeMap<String, &'map Value>> {
        map.entries
            .iter()
            .map(|(key, value)| Some((format!("{:?}", self.key(key, is_old)?), value)))
            .collect()
    }

    /// A key with the references of the new run replaced by those of the old one.
    fn key(&self, key: &Value, is_old: bool) -> Option<Value> {
        match key {
            Value::Ref(RefValue::Object(index)) if is_old => {
                self.new_of_old.contains_key(index).then(|| Value::object(*index))
            }
            Value::Ref(RefValue::Object(index)) => self.old_of_new.get(index).map(|old| Value::object(*old)),
            Value::Record(fields) => Some(Value::Record(
                fields.iter().map(|field| self.key(field, is_old)).collect::<Option<_>>()?,
            )),
            Value::Real(enclosure) if !enclosure.is_exact() => None,
            Value::Undefined | Value::Map(_) => None,
            Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::F32(_) | Value::F64(_) => {
                Some(key.clone())
            }
            Value::Real(_) | Value::Text(_) | Value::Ref(_) => Some(key.clone()),
        }
    }
}

fn heap(path: &str) -> What {
    What::Heap(path.to_owned())
}

/// The name of a field without its class.
fn short(field: &str) -> &str {
    field.rsplit('.').next().unwrap_or(field)
}

fn same_if(same: bool) -> Verdict {
    if same { Verdict::Same } else { Verdict::Different }
}

/// Both: a difference in one is a difference.
fn and(first: Verdict, second: Verdict) -> Verdict {
    match (first, second) {
        (Verdict::Different, _) | (_, Verdict::Different) => Verdict::Different,
        (Verdict::Unsure(reason), _) | (_, Verdict::Unsure(reason)) => Verdict::Unsure(reason),
        (Verdict::Same, Verdict::Same) => Verdict::Same,
    }
}

/// Whether the type of a key may have fewer than 256 values.
fn may_be_one_of_few(key: &Value) -> bool {
    match key {
        Value::Bool(_) => true,
        Value::Record(fields) => fields.iter().all(may_be_one_of_few),
        Value::Int(_) | Value::Big(_) | Value::F32(_) | Value::F64(_) | Value::Real(_) => false,
        Value::Text(_) | Value::Ref(_) | Value::Map(_) | Value::Undefined => false,
    }
}

fn unpaired_key() -> Verdict {
    Verdict::Unsure("a map has a key that cannot be compared".to_owned())
}
