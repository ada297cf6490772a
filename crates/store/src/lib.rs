//! Outcomes of assertions that were checked before, by what they rest on: an SQLite database that several processes
//! may use at once, and that may be killed at any moment.
//!
//! The key of a record is a number made of the code it rests on, the options and the version of selfsame. So a hit is a
//! proof, or a failure, of exactly that code. A record is written in one transaction: a kill loses at most what was not
//! committed, and never leaves half of a record. What cannot be read is a miss.

mod error;
mod exchange;
mod schema;

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};

pub use error::StoreError;

/// What is known of an assertion.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The number of what the outcome rests on.
    pub key: String,
    /// `holds`, `fails` or `unknown`.
    pub outcome: String,
    /// Where it stood when it was checked: for people, and for finding counterexamples.
    pub function: String,
    pub file: String,
    pub line: u32,
    pub clause: String,
    /// The code it rests on, in normal form; empty if it was not kept.
    pub code: String,
    /// The answer as the program writes it.
    pub answer: String,
    /// What it cost.
    pub solver_calls: u64,
    pub steps: u64,
    pub seconds: f64,
    /// Seconds since 1970: when it was made, and when it was last of use.
    pub made: u64,
    pub used: u64,
}

/// An open database.
pub struct Store {
    connection: Connection,
}

/// How long a process waits for others that write.
const PATIENCE: Duration = Duration::from_secs(20);

const COLUMNS: &str =
    "key, outcome, function, file, line, clause, code, answer, solver_calls, steps, seconds, made, used";

impl Store {
    /// Opens a database, and makes it if there is none. One of an older version is brought up to date.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let failed = |source| StoreError::Open { path: path.display().to_string(), source };
        let mut connection = Connection::open(path).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        // Readers do not wait for writers, and a killed writer leaves nothing half done.
        let mode: String =
            connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).map_err(failed)?;
        debug_assert!(mode == "wal" || mode == "memory", "a database should keep a log: {mode}");
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(failed)?;
        schema::bring_up_to_date(&mut connection, path)?;
        Ok(Store { connection })
    }

    /// What is known under a key. It counts as used.
    pub fn get(&self, key: &str) -> Result<Option<Record>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM outcomes WHERE key = ?1");
        let found = self.connection.query_row(&sql, [key], record).optional()?;
        if found.is_some() {
            // That it was used is no reason to fail.
            let _ =
                self.connection.execute("UPDATE outcomes SET used = ?2 WHERE key = ?1", params![key, now()]);
        }
        Ok(found)
    }

    /// Writes records, all or none of them. What is known already stays, unless that was *unknown*.
    pub fn put(&mut self, records: &[Record]) -> Result<(), StoreError> {
        let transaction =
            self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        for it in records {
            let sql = format!(
                "INSERT INTO outcomes ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
                 ON CONFLICT (key) DO UPDATE SET outcome = ?2, function = ?3, file = ?4, line = ?5, clause = ?6,
                 code = ?7, answer = ?8, solver_calls = ?9, steps = ?10, seconds = ?11, made = ?12, used = ?13
                 WHERE outcomes.outcome = 'unknown'"
            );
            transaction.execute(
                &sql,
                params![
                    it.key,
                    it.outcome,
                    it.function,
                    it.file,
                    it.line,
                    it.clause,
                    it.code,
                    it.answer,
                    it.solver_calls,
                    it.steps,
                    it.seconds,
                    it.made,
                    it.used
                ],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// All that was found out about a version, by a number made of its whole text and the options.
    pub fn version(&self, key: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT answer FROM versions WHERE key = ?1";
        let found = self.connection.query_row(sql, [key], |row| row.get(0)).optional()?;
        if found.is_some() {
            let _ =
                self.connection.execute("UPDATE versions SET used = ?2 WHERE key = ?1", params![key, now()]);
        }
        Ok(found)
    }

    /// Writes what was found out about a version. What is known already stays.
    pub fn put_version(&mut self, key: &str, answer: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO versions (key, answer, made, used) VALUES (?1, ?2, ?3, ?3) ON CONFLICT (key) DO NOTHING";
        self.connection.execute(sql, params![key, answer, now()])?;
        Ok(())
    }

    /// The counterexamples of a procedure, the newest first.
    pub fn counterexamples(&self, function: &str, most: usize) -> Result<Vec<Record>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM outcomes WHERE function = ?1 AND outcome = 'fails' ORDER BY made DESC, key LIMIT ?2"
        );
        let mut statement = self.connection.prepare(&sql)?;
        let rows = statement.query_map(params![function, most as i64], record)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// All records, by file, line and key.
    pub fn list(&self) -> Result<Vec<Record>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM outcomes ORDER BY file, line, key");
        let mut statement = self.connection.prepare(&sql)?;
        let rows = statement.query_map([], record)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The records whose keys begin with something.
    pub fn starting_with(&self, prefix: &str) -> Result<Vec<Record>, StoreError> {
        Ok(self.list()?.into_iter().filter(|record| record.key.starts_with(prefix)).collect())
    }

    /// Drops what nobody used for some days; how many records that were.
    pub fn drop_unused(&mut self, days: u64) -> Result<usize, StoreError> {
        let before = now().saturating_sub(days.saturating_mul(24 * 60 * 60));
        let dropped = self.connection.execute("DELETE FROM outcomes WHERE used <= ?1", [before])?;
        self.connection.execute("DELETE FROM versions WHERE used <= ?1", [before])?;
        self.connection.execute_batch("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);")?;
        Ok(dropped)
    }
}

fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    Ok(Record {
        key: row.get(0)?,
        outcome: row.get(1)?,
        function: row.get(2)?,
        file: row.get(3)?,
        line: row.get(4)?,
        clause: row.get(5)?,
        code: row.get(6)?,
        answer: row.get(7)?,
        solver_calls: row.get(8)?,
        steps: row.get(9)?,
        seconds: row.get(10)?,
        made: row.get(11)?,
        used: row.get(12)?,
    })
}

/// Seconds since 1970. Only for telling the old from the new: no outcome depends on it.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
