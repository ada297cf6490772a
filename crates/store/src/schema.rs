//! The tables, and how those of older versions are brought up to date.
//!
//! `PRAGMA user_version` has the number of steps that were taken. Each step is one transaction together with its number,
//! so that a kill between two of them is no harm.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;

/// From each version of the schema to the next. Steps are added, and never changed.
const STEPS: [&str; 3] = [
    "CREATE TABLE outcomes (
        key TEXT PRIMARY KEY NOT NULL,
        outcome TEXT NOT NULL CHECK (outcome IN ('holds', 'fails', 'unknown')),
        function TEXT NOT NULL,
        file TEXT NOT NULL,
        line INTEGER NOT NULL,
        clause TEXT NOT NULL,
        code TEXT NOT NULL,
        answer TEXT NOT NULL,
        solver_calls INTEGER NOT NULL,
        steps INTEGER NOT NULL,
        seconds REAL NOT NULL,
        made INTEGER NOT NULL,
        used INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX failures ON outcomes (function, outcome, made)",
    "CREATE TABLE versions (
        key TEXT PRIMARY KEY NOT NULL,
        answer TEXT NOT NULL,
        made INTEGER NOT NULL,
        used INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
];

pub(crate) fn bring_up_to_date(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let ours = STEPS.len() as i64;
    loop {
        // Another process may take the same step at the same time: one of them waits, and finds it taken.
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|source| StoreError::Open { path: path.display().to_string(), source })?;
        let found: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if found > ours || found < 0 {
            return Err(StoreError::TooNew { path: path.display().to_string(), found, ours });
        }
        let Some(step) = usize::try_from(found).ok().and_then(|found| STEPS.get(found)) else {
            return Ok(());
        };
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", found + 1)?;
        transaction.commit()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    #[test]
    fn an_older_store_is_brought_up_to_date() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch(STEPS[0]).unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        drop(connection);
        assert_eq!(Store::open(&path).unwrap().list().unwrap(), []);
        let connection = Connection::open(&path).unwrap();
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        assert_eq!(version, 3);
    }

    #[test]
    fn a_newer_store_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
        assert!(matches!(Store::open(&path), Err(StoreError::TooNew { found: 99, .. })));
    }

    #[test]
    fn what_is_no_database_is_an_error_with_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        std::fs::write(&path, "this is a text and no database, however long it may be".repeat(50)).unwrap();
        let Err(error) = Store::open(&path) else { panic!("a text was opened") };
        assert!(error.to_string().contains("--store"), "{error}");
    }
}
