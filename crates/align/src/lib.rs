//! Says which procedure of the old version goes with which one of the new version, and which statement with which.
//!
//! `ir` knows one program at a time and `check` one pair at a time; this stage stands between.
//! A match is a guess about what the programmer meant, never a claim about behaviour. What the versions have in common
//! goes by its name; a class or field that was renamed is given its new name in both, so that fields are the same inputs.

mod classes;
mod fields;
mod find;
mod lines;
mod procedures;
mod rename;
mod renamed_procedures;
mod sequence;
mod signature;
mod statements;

pub use classes::renamed_classes;
pub use fields::{renamed_fields, use_new_field_names};
pub use find::find_procedures;
pub use lines::{LineMatch, Mark, Row, StatementLines, side_by_side, statement_lines};
pub use procedures::{Matching, match_procedures};
pub use rename::{new_class_name, use_new_class_names};
pub use sequence::common_subsequence;
pub use statements::{Alignment, MatchKind, StatementMatch, align_statements};
