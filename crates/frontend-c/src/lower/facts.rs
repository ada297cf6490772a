//! What the first run over a version finds out for the second.

use std::collections::{BTreeMap, BTreeSet};

/// What the first run finds out for the second.
#[derive(Default)]
pub(crate) struct Facts {
    /// Variables at file scope whose address may be kept somewhere.
    pub(super) addressed: BTreeSet<String>,
    /// Variables at file scope that something assigns.
    pub(super) written: BTreeSet<String>,
    /// Element names of the pointers that may point into structs with cells of other kinds.
    pub(super) inside: BTreeSet<String>,
    /// Element names of the pointers that become `void *` somewhere.
    pub(super) erased: BTreeSet<String>,
    /// Element names of the pointers that are made of `void *` somewhere.
    pub(super) from_void: BTreeSet<String>,
    /// A `void *` is compared with something that is not null.
    pub(super) void_compared: bool,
    /// A pointer to a function becomes a `void *` somewhere.
    pub(super) function_erased: bool,
    /// All shapes: their names and, for each cell of an element, the name of its region.
    pub(super) shapes: BTreeMap<String, Vec<String>>,
    /// Functions whose address is taken, in the order of their names.
    pub(super) functions: BTreeSet<String>,
    /// Functions of the user that are not `static`: other code can name them.
    pub(super) visible: BTreeSet<String>,
    /// All functions that are declared.
    pub(super) known: BTreeSet<String>,
    /// The functions that a pointer of the inputs may lead to: those that both versions have and that other code
    /// can name, or whose address either version takes.
    pub(super) inputs: BTreeSet<String>,
    /// The shapes of the other versions: pointers of the inputs may lead to them, whether this version uses them or not.
    pub(super) others: BTreeSet<String>,
    /// Regions whose cells are read or written through pointers.
    pub(super) reached: BTreeSet<String>,
    /// Element names of the pointers that are made of pointers to something else.
    pub(super) cast: BTreeSet<String>,
    /// Element names of the pointers to memory with pointers or padding that become pointers to something else.
    pub(super) opened: BTreeSet<String>,
    /// Element names of what is a part of a struct or union.
    pub(super) held: BTreeSet<String>,
    /// Variables that files which are not there can name.
    pub(super) offered: BTreeMap<String, Offered>,
    /// Those of them that start with another value in the other version, and that one of the versions does not use.
    pub(super) changed: BTreeSet<String>,
}

/// A variable that files which are not there can name.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Offered {
    /// What it holds at the start, in words that are the same in both versions.
    pub(super) value: String,
    pub(super) constant: bool,
    /// Whether the files at hand use it.
    pub(super) used: bool,
}

impl Facts {
    /// These facts, and those of another version. Shapes and functions stay those of this version.
    pub(super) fn joined(mut self, other: &Facts) -> Facts {
        self.addressed.extend(other.addressed.iter().cloned());
        self.written.extend(other.written.iter().cloned());
        self.inside.extend(other.inside.iter().cloned());
        self.erased.extend(other.erased.iter().cloned());
        self.from_void.extend(other.from_void.iter().cloned());
        self.void_compared |= other.void_compared;
        self.function_erased |= other.function_erased;
        self.reached.extend(other.reached.iter().cloned());
        self.cast.extend(other.cast.iter().cloned());
        self.held.extend(other.held.iter().cloned());
        self.opened.extend(other.opened.iter().cloned());
        self.inputs.extend(other.inputs.iter().cloned());
        self.changed.extend(other.changed.iter().cloned());
        self
    }
}

/// The variables that start with another value in the other version, where no function that is compared can tell.
/// Functions show the value of a constant that they use.
pub(super) fn changed_variables(versions: &[Facts]) -> BTreeSet<String> {
    let [old, new] = versions else { return BTreeSet::new() };
    let is_changed = |(name, old): &(&String, &Offered)| {
        new.offered.get(*name).is_some_and(|new| {
            let is_seen = match old.constant || new.constant {
                true => old.used || new.used,
                false => old.used && new.used,
            };
            old.value != new.value && !is_seen
        })
    };
    old.offered.iter().filter(is_changed).map(|(name, _)| name.clone()).collect()
}

/// The functions that a pointer of the inputs may lead to.
pub(super) fn input_functions(versions: &[Facts]) -> BTreeSet<String> {
    let named = versions.iter().flat_map(|facts| facts.functions.iter().chain(&facts.visible));
    let everywhere = |name: &&String| versions.iter().all(|facts| facts.known.contains(*name));
    named.filter(everywhere).cloned().collect()
}
