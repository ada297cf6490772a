//! Parts of texts, and texts one after the other.

use crate::halt::{Halt, broken};
use crate::texts::Texts;

/// The code unit at an index, which must lie in the text.
pub(crate) fn at(texts: &Texts, text: u32, index: i64) -> Result<u16, Halt> {
    let text = texts.get(text)?;
    let unit = usize::try_from(index).ok().and_then(|index| text.get(index));
    unit.copied().ok_or_else(|| broken(format!("index {index} in a text of length {}", text.len())))
}

pub(crate) fn concat(texts: &mut Texts, first: u32, second: u32) -> Result<u32, Halt> {
    let (first, second) = (texts.get(first)?, texts.get(second)?);
    texts.check_room(first.len() + second.len())?;
    let both = [&first[..], &second[..]].concat();
    texts.add(&both)
}

/// From a start to an end, exclusive; both must lie in the text.
pub(crate) fn slice(texts: &mut Texts, text: u32, start: i64, end: i64) -> Result<u32, Halt> {
    let text = texts.get(text)?.clone();
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    let part = range.and_then(|(start, end)| text.get(start..end));
    let part = part.ok_or_else(|| broken(format!("{start} to {end} in a text of length {}", text.len())))?;
    texts.add(part)
}
