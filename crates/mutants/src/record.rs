//! One asked mutant as a JSON line, and the rates of many.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

/// A mutant and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    pub(super) file: String,
    pub(super) function: String,
    pub(super) line: usize,
    /// Where the change begins, in bytes: with the texts, this tells mutants of a file apart.
    pub(super) offset: usize,
    pub(super) kind: String,
    pub(super) old: String,
    pub(super) new: String,
    /// `equivalent`, `different`, `unknown`, `refused`, `internal error`; `left out` if it is in code that is not compiled.
    pub(super) verdict: String,
    pub(super) proof: String,
    pub(super) assumptions: Vec<String>,
    /// Of an *unknown*, or the complaint of a refusal.
    pub(super) reasons: Vec<String>,
    /// Whether an optimising compiler makes the same code of both versions.
    pub(super) same_code: bool,
}

impl Record {
    /// What a mutant is known by in the output of an earlier run.
    pub(super) fn key(&self) -> String {
        format!("{}|{}|{}|{}", self.file, self.offset, self.old, self.new)
    }

    pub(super) fn to_line(&self) -> String {
        json!({
            "file": self.file, "function": self.function, "line": self.line, "offset": self.offset,
            "kind": self.kind, "old": self.old, "new": self.new, "verdict": self.verdict, "proof": self.proof,
            "assumptions": self.assumptions, "reasons": self.reasons, "same_code": self.same_code,
        })
        .to_string()
    }

    /// Reads a line that an earlier run wrote; a line that was cut off is none.
    pub(super) fn from_line(line: &str) -> Option<Record> {
        let value: Value = serde_json::from_str(line).ok()?;
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let number = |name: &str| value[name].as_u64().and_then(|number| usize::try_from(number).ok());
        Some(Record {
            file: text("file")?,
            function: text("function")?,
            line: number("line")?,
            offset: number("offset")?,
            kind: text("kind")?,
            old: text("old")?,
            new: text("new")?,
            verdict: text("verdict")?,
            proof: text("proof")?,
            assumptions: texts(&value["assumptions"]),
            reasons: texts(&value["reasons"]),
            same_code: value["same_code"].as_bool()?,
        })
    }

    /// For a person to look at.
    pub(super) fn show(&self) -> String {
        let code = if self.same_code { ", the compiler makes the same code of both" } else { "" };
        let mut text = format!(
            "EQUIVALENT {}:{} {}: {}: `{}` -> `{}` (proof: {}{code})",
            self.file,
            self.line,
            self.function,
            self.kind,
            one_line(&self.old),
            one_line(&self.new),
            self.proof
        );
        for assumption in &self.assumptions {
            let _ = write!(text, "\n    assuming {assumption}");
        }
        text
    }
}

/// The texts of a JSON array; an object among them gives its own text.
pub(super) fn texts(value: &Value) -> Vec<String> {
    let text = |one: &Value| one.as_str().or_else(|| one["text"].as_str()).map(str::to_owned);
    value.as_array().into_iter().flatten().map(|one| text(one).unwrap_or_else(|| one.to_string())).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// More *equivalent* mutants than this, of a hundred that were decided, are a sign of vacuous proofs.
const SUSPICIOUS_PERCENT: usize = 3;

/// The rates of all mutants.
pub(super) fn rates(records: &[Record]) -> String {
    let count = |verdict: &str| records.iter().filter(|record| record.verdict == verdict).count();
    let (equivalent, different, unknown) = (count("equivalent"), count("different"), count("unknown"));
    let functions: std::collections::BTreeSet<_> = records
        .iter()
        .filter(|one| !["refused", "left out"].contains(&one.verdict.as_str()))
        .map(|one| (&one.file, &one.function))
        .collect();
    let decided = equivalent + different;
    let mut text = format!(
        "{} mutants of {} functions: {different} different, {equivalent} equivalent ({} with the same compiled code), \
         {unknown} unknown, {} refused, {} in code that is not compiled, {} internal errors\n",
        records.len(),
        functions.len(),
        records.iter().filter(|record| record.verdict == "equivalent" && record.same_code).count(),
        count("refused"),
        count("left out"),
        count("internal error"),
    );
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    for record in records.iter().filter(|record| record.verdict == "unknown") {
        *classes.entry(class(record.reasons.first().map_or("no reason", String::as_str))).or_default() += 1;
    }
    let mut classes: Vec<_> = classes.into_iter().collect();
    classes.sort_by_key(|(class, count)| (std::cmp::Reverse(*count), class.clone()));
    for (class, count) in classes.iter().take(12) {
        let _ = writeln!(text, "{count:8} unknown: {class}");
    }
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for record in records.iter().filter(|one| one.verdict == "equivalent" || one.verdict == "different") {
        let counts = kinds.entry(&record.kind).or_default();
        counts.0 += usize::from(record.verdict == "equivalent");
        counts.1 += 1;
    }
    for (kind, (equivalent, decided)) in kinds {
        let _ = writeln!(text, "{equivalent:8} equivalent of {decided} decided: {kind}");
    }
    if equivalent * 100 > decided * SUSPICIOUS_PERCENT {
        let _ = writeln!(
            text,
            "note: {:.1}% of the decided mutants are equivalent, more than {SUSPICIOUS_PERCENT}%: are the proofs vacuous?",
            equivalent as f64 * 100.0 / decided as f64
        );
    }
    text
}

/// A reason without what is special to its pair: names and numbers.
fn class(reason: &str) -> String {
    let mut text = String::new();
    for (index, part) in reason.split('`').enumerate() {
        text += if index % 2 == 1 { "`..`" } else { part };
    }
    let words = text.split_whitespace().map(|word| {
        let is_special =
            word.contains(".c:") || word.contains(".java:") || word.chars().any(|c| c.is_ascii_digit());
        if is_special { ".." } else { word }
    });
    words.take(16).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(verdict: &str) -> Record {
        Record {
            file: "a.c".to_owned(),
            function: "f".to_owned(),
            line: 3,
            offset: 40,
            kind: "operator".to_owned(),
            old: "<".to_owned(),
            new: "<=".to_owned(),
            verdict: verdict.to_owned(),
            proof: String::new(),
            assumptions: vec!["that \"x\"".to_owned()],
            reasons: vec!["the loop at a.c:4 runs longer than 5 iterations of `f`".to_owned()],
            same_code: false,
        }
    }

    #[test]
    fn a_record_can_be_read_again() {
        assert_eq!(Record::from_line(&record("unknown").to_line()), Some(record("unknown")));
        assert_eq!(Record::from_line("{\"file\": \"a"), None);
    }

    #[test]
    fn many_equivalent_mutants_are_suspicious() {
        let mut records = vec![record("different"); 97];
        records.extend(vec![record("equivalent"); 3]);
        assert!(!rates(&records).contains("note:"), "{}", rates(&records));
        records.push(record("equivalent"));
        records.push(record("unknown"));
        let text = rates(&records);
        assert!(text.contains("note: 4.0% of the decided"), "{text}");
        assert!(text.contains("1 unknown: the loop at .. runs longer than .. iterations of `..`"), "{text}");
    }
}
