//! The query cache: answers of questions that were asked before, perhaps with other names in them.
//!
//! Copies of a loop, and ways to couple loops that come again with more time, ask the same again and again.
//! Exact: a question has the answer of one that differs from it only in names.

use std::collections::HashMap;

use smt::{Answer, Encoding, Fingerprint, Fingerprints, Floats, Model, Term, Terms};

/// Room for questions, in numbers of their fingerprints; what comes then is not kept.
const MOST_ROOM: usize = 8_000_000;
const MOST_ROOM_FOR_ONE: usize = 200_000;

/// A question: its conditions and the terms whose values are wanted.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    form: Fingerprint,
    wanted: usize,
    is_ieee: bool,
}

enum Known {
    Unsat,
    /// With the terms that were wanted then.
    Sat(Model, Vec<Term>),
}

/// The answers so far.
#[derive(Default)]
pub(crate) struct Cache {
    fingerprints: Fingerprints,
    known: HashMap<Key, Known>,
    room: usize,
}

impl Cache {
    /// `None` for a question that is too large to be kept.
    pub(crate) fn key(
        &mut self,
        terms: &Terms,
        conditions: &[Term],
        wanted: &[Term],
        encoding: Encoding,
    ) -> Option<Key> {
        let all: Vec<Term> = conditions.iter().chain(wanted).copied().collect();
        let form = self.fingerprints.of(terms, &all, MOST_ROOM_FOR_ONE)?;
        Some(Key { form, wanted: wanted.len(), is_ieee: encoding.floats == Floats::Ieee })
    }

    /// The answer to a question in the terms that are wanted now.
    pub(crate) fn answer(&self, key: &Key, wanted: &[Term]) -> Option<Answer> {
        match self.known.get(key)? {
            Known::Unsat => Some(Answer::Unsat),
            Known::Sat(model, then) => {
                let names = then.iter().copied().zip(wanted.iter().copied());
                Some(Answer::Sat(model.renamed(names)))
            }
        }
    }

    /// Keeps an answer, unless it may be another one with more time.
    pub(crate) fn note(&mut self, key: Key, wanted: &[Term], answer: &Answer) {
        let known = match answer {
            Answer::Unsat => Known::Unsat,
            Answer::Sat(model) => Known::Sat(model.clone(), wanted.to_vec()),
            Answer::Unknown(_) => return,
        };
        if self.room + key.form.size() <= MOST_ROOM {
            self.room += key.form.size();
            self.known.insert(key, known);
        }
    }
}
