//! What can go wrong with a store, and what to do about it.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum StoreError {
    #[error(
        "the store {path} cannot be opened: {source}; give another place with `--store`, or `--store off`"
    )]
    Open { path: String, source: rusqlite::Error },
    #[error(
        "the store {path} was written by a newer selfsame (its schema is {found}, ours is {ours}); update selfsame, or \
         give another place with `--store`"
    )]
    TooNew { path: String, found: i64, ours: i64 },
    #[error("the store does not answer: {0}")]
    Database(#[from] rusqlite::Error),
    #[error("line {line} is no record of a store: {source}")]
    BadLine { line: usize, source: serde_json::Error },
    #[error("the first line has to be `{expected}`")]
    NotExported { expected: String },
}
