//! `runs.jsonl`: every finished run, written as soon as it is finished, so that a killed benchmark can go on.
//!
//! A run is known by a key: the pair's texts, all options, and the program, so that nothing stale is taken over.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow, bail};
use report::bench::{Label, RunRecord};
use serde::{Deserialize, Serialize};

use super::choose::ChosenCase;
use crate::options::Options;

pub(crate) const FILE_NAME: &str = "runs.jsonl";

/// What is kept of a benchmark. Without a folder nothing is.
pub(crate) struct Log {
    file: Option<Mutex<File>>,
    finished: BTreeMap<Key, RunRecord>,
    program: String,
}

/// What a run depends on, as a number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct Key(String);

/// One line.
#[derive(Serialize, Deserialize)]
struct Line {
    key: Key,
    program: String,
    suite: String,
    case: String,
    numbers: String,
    label: Label,
    strategy: String,
    timeout: f64,
    /// How many calls in a row the client makes, where the suite says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    calls: Option<u32>,
    /// From 1.
    repetition: u32,
    #[serde(flatten)]
    record: RunRecord,
}

impl Log {
    /// Keeps nothing.
    pub(crate) fn none() -> Log {
        Log { file: None, finished: BTreeMap::new(), program: String::new() }
    }

    /// Opens the file of a folder, which is made if it is not there. What it holds is only used to go on.
    pub(crate) fn open(folder: &Path, resume: bool) -> Result<Log> {
        let path = folder.join(FILE_NAME);
        let shown = path.display();
        fs::create_dir_all(folder)
            .with_context(|| format!("{}: this folder cannot be written to", folder.display()))?;
        let opened = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let mut file = opened.with_context(|| format!("{shown} cannot be written to"))?;
        if file.try_lock().is_err() {
            bail!("{shown}: another benchmark is writing to this file");
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| format!("{shown} cannot be read"))?;
        if !bytes.is_empty() && !resume {
            bail!(
                "{}: there is a benchmark in this folder; go on with --resume, or choose another folder",
                folder.display()
            );
        }
        let kept = keep(&bytes);
        for number in &kept.damaged {
            eprintln!(
                "selfsame: {shown}:{number}: this line is damaged and was dropped; its run is repeated"
            );
        }
        if kept.good_bytes < bytes.len() {
            file.set_len(kept.good_bytes as u64)
                .and_then(|()| file.seek(std::io::SeekFrom::End(0)))
                .with_context(|| format!("{shown} cannot be written to"))?;
        }
        Ok(Log { file: Some(Mutex::new(file)), finished: kept.finished, program: program()? })
    }

    /// What a run depends on. The same key means the same question to the same program.
    pub(crate) fn key(&self, chosen: &ChosenCase, options: &Options, repetition: u32) -> Key {
        let case = &chosen.case;
        let question = serde_json::to_string(&(
            (&self.program, &case.suite, &case.name, &case.language, &case.problem),
            (&case.texts.old, &case.texts.new),
            (options, repetition),
        ));
        Key(format!("{:016x}", hash(question.expect("options should be plain data").as_bytes())))
    }

    pub(crate) fn finished(&self, key: &Key) -> Option<RunRecord> {
        self.finished.get(key).cloned()
    }

    /// Writes a run in one piece, so that a kill leaves at most one line unfinished.
    pub(crate) fn append(
        &self,
        key: &Key,
        chosen: &ChosenCase,
        options: &Options,
        repetition: u32,
        record: &RunRecord,
    ) -> Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let line = Line {
            key: key.clone(),
            program: self.program.clone(),
            suite: chosen.case.suite.clone(),
            case: chosen.case.name.clone(),
            numbers: chosen.numbers.name().to_owned(),
            label: chosen.label,
            strategy: options.strategy.clone(),
            timeout: options.seconds,
            calls: chosen.case.calls,
            repetition,
            record: record.clone(),
        };
        let mut text = serde_json::to_string(&line)?;
        text.push('\n');
        let mut file = file.lock().map_err(|_| anyhow!("another thread failed while it wrote"))?;
        file.write_all(text.as_bytes()).context(FILE_NAME)
    }
}

/// What is good of a file.
struct Kept {
    finished: BTreeMap<Key, RunRecord>,
    /// Everything behind this is an unfinished last line.
    good_bytes: usize,
    /// The numbers of the lines that are not runs.
    damaged: Vec<usize>,
}

fn keep(bytes: &[u8]) -> Kept {
    let mut kept = Kept { finished: BTreeMap::new(), good_bytes: 0, damaged: Vec::new() };
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let is_whole = line.ends_with(b"\n");
        match serde_json::from_slice::<Line>(line) {
            // A later run of the same question is the better one, should there be two.
            Ok(line) if is_whole => {
                kept.finished.insert(line.key, line.record);
            }
            _ => kept.damaged.push(index + 1),
        }
        if is_whole {
            kept.good_bytes += line.len();
        }
    }
    kept
}

/// What the program is called in the files: its version and a fingerprint.
pub(crate) fn fingerprint() -> String {
    program().unwrap_or_else(|_| "unknown".to_owned())
}

/// The version and a fingerprint of the executable: a new build may answer differently.
fn program() -> Result<String> {
    let bytes = fs::read("/proc/self/exe").context("the program cannot read itself")?;
    Ok(format!("{}+{:016x}", env!("CARGO_PKG_VERSION"), hash(&bytes)))
}

/// FNV-1a over words of eight bytes: the same on every machine and in every version, and quick enough for programs.
fn hash(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mix = |state: u64, word: u64| {
        let mixed = (state ^ word).wrapping_mul(PRIME);
        mixed ^ (mixed >> 29)
    };
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(mix(0xcbf2_9ce4_8422_2325, bytes.len() as u64), mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(key: &str) -> String {
        let line = Line {
            key: Key(key.to_owned()),
            program: "0".to_owned(),
            suite: "s".to_owned(),
            case: "c".to_owned(),
            numbers: "math".to_owned(),
            label: Label::Different,
            strategy: "auto".to_owned(),
            timeout: 1.0,
            calls: None,
            repetition: 1,
            record: RunRecord::without_verdict("x".to_owned(), 0.25),
        };
        serde_json::to_string(&line).unwrap() + "\n"
    }

    #[test]
    fn an_unfinished_last_line_is_cut_off() {
        let text = line("a") + &line("b");
        let whole = keep(text.as_bytes());
        assert_eq!((whole.finished.len(), whole.good_bytes, whole.damaged.len()), (2, text.len(), 0));
        assert_eq!(whole.finished[&Key("a".to_owned())].seconds, 0.25);
        for cut in [1, 2, 40] {
            let kept = keep(&text.as_bytes()[..text.len() - cut]);
            assert_eq!((kept.finished.len(), kept.good_bytes), (1, line("a").len()));
            assert_eq!(kept.damaged, [2]);
        }
    }

    #[test]
    fn a_damaged_line_costs_only_itself() {
        let kept = keep((line("a") + "{\"key\": \u{0}\n" + &line("b")).as_bytes());
        assert_eq!((kept.finished.len(), kept.damaged), (2, vec![2]));
    }

    #[test]
    fn the_hash_sees_every_byte_and_the_length() {
        let hashes = [&b"abcdefgh"[..], b"abcdefgi", b"abcdefg", b"abcdefg\0", b"", b"\0"].map(hash);
        for (index, one) in hashes.iter().enumerate() {
            assert!(!hashes[..index].contains(one));
        }
    }
}
