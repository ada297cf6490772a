//! The texts of a run, each held once, so that equal texts have equal numbers.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::Ending;
use crate::code::TextConstants;
use crate::halt::{Halt, broken};

/// The number of the null text.
pub(crate) const NULL_TEXT: u32 = 0;

pub(crate) struct Texts<'code> {
    constants: &'code TextConstants,
    added: Vec<Arc<[u16]>>,
    numbers: FxHashMap<Arc<[u16]>, u32>,
    /// How many code units may still be added.
    memory: u64,
}

impl<'code> Texts<'code> {
    pub(crate) fn new(constants: &'code TextConstants, memory: u64) -> Texts<'code> {
        Texts { constants, added: Vec::new(), numbers: FxHashMap::default(), memory }
    }

    /// The number of a text.
    pub(crate) fn add(&mut self, text: &[u16]) -> Result<u32, Halt> {
        let known = self.constants.numbers.get(text).or_else(|| self.numbers.get(text));
        if let Some(number) = known {
            return Ok(*number);
        }
        self.check_room(text.len())?;
        self.memory -= text.len() as u64 + 8;
        let text: Arc<[u16]> = text.into();
        self.added.push(text.clone());
        let number = (self.constants.texts.len() + self.added.len()) as u32;
        self.numbers.insert(text, number);
        Ok(number)
    }

    /// Ends the run if a text of this length is too long; asked before a long text is built.
    pub(crate) fn check_room(&self, length: usize) -> Result<(), Halt> {
        if (length as u64).saturating_add(8) > self.memory {
            Err(Box::new(Ending::OutOfMemory))
        } else {
            Ok(())
        }
    }

    /// The text with a number, which is not that of the null text.
    pub(crate) fn get(&self, number: u32) -> Result<&Arc<[u16]>, Halt> {
        let index =
            (number as usize).checked_sub(1).ok_or_else(|| broken("the null text is used as a text"))?;
        let constants = &self.constants.texts;
        let text = constants.get(index).or_else(|| self.added.get(index - constants.len()));
        text.ok_or_else(|| broken("there is no text with this number"))
    }
}
