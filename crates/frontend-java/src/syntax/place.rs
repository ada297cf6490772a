//! How places are stored: as their lines and columns. What is stored has no file.

use ir::{FileId, Span};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(super) fn serialize<S: Serializer>(span: &Span, to: S) -> Result<S::Ok, S::Error> {
    (span.line, span.column, span.end_line, span.end_column).serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Span, D::Error> {
    let (line, column, end_line, end_column) = Deserialize::deserialize(from)?;
    Ok(Span { file: FileId(0), line, column, end_line, end_column })
}
