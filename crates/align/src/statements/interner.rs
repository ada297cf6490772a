//! Small numbers for labels and for whole trees, so that equal ones are found by comparing numbers. Exact.

use rustc_hash::FxHashMap;

/// Numbers that two trees share if they were made with the same interner.
#[derive(Default)]
pub(crate) struct Interner {
    texts: FxHashMap<String, u32>,
    forms: FxHashMap<Box<[u32]>, u32>,
}

impl Interner {
    pub(crate) fn text(&mut self, text: &str) -> u32 {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let next = number(self.texts.len());
        self.texts.insert(text.to_owned(), next);
        next
    }

    /// The number of a tree with a label and children that have numbers already.
    pub(crate) fn form(&mut self, parts: &[u32]) -> u32 {
        if let Some(known) = self.forms.get(parts) {
            return *known;
        }
        let next = number(self.forms.len());
        self.forms.insert(parts.into(), next);
        next
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("there should be fewer than 2^32 different nodes")
}
