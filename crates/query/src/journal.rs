//! The obligations that refutations rest on: what the solver was asked, as SMT-LIB scripts that another one can judge.
//!
//! Every refuted question is written down. An attempt that comes to nothing is struck out again, so that in the end
//! the journal has what the proof rests on, and perhaps a little more.

/// A question that was refuted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// The kind of question.
    pub question: &'static str,
    /// An SMT-LIB script; *unsat* is what was proved.
    pub script: String,
}

/// A place in the journal.
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

/// The obligations so far.
#[derive(Default)]
pub(crate) struct Journal {
    obligations: Vec<Obligation>,
}

impl Journal {
    pub(crate) fn note(&mut self, question: &'static str, script: String) {
        let obligation = Obligation { question, script };
        if !self.obligations.contains(&obligation) {
            self.obligations.push(obligation);
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.obligations.len())
    }

    pub(crate) fn strike_out_since(&mut self, mark: Mark) {
        self.obligations.truncate(mark.0);
    }

    pub(crate) fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }
}
