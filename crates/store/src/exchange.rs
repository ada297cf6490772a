//! Stores as text, one record to a line, so that one machine can use what another one found out.

use crate::{Record, Store, StoreError};

const FIRST_LINE: &str = "selfsame store 1";

impl Store {
    /// All records as text.
    pub fn export(&self) -> Result<String, StoreError> {
        let mut text = format!("{FIRST_LINE}\n");
        for record in self.list()? {
            text += &serde_json::to_string(&record).expect("records should be plain data");
            text.push('\n');
        }
        Ok(text)
    }

    /// Takes over exported records, all or none; how many there were.
    pub fn import(&mut self, text: &str) -> Result<usize, StoreError> {
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, line)| line) != Some(FIRST_LINE) {
            return Err(StoreError::NotExported { expected: FIRST_LINE.to_owned() });
        }
        let mut records: Vec<Record> = Vec::new();
        for (at, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let record =
                serde_json::from_str(line).map_err(|source| StoreError::BadLine { line: at + 1, source })?;
            records.push(record);
        }
        self.put(&records)?;
        Ok(records.len())
    }
}
