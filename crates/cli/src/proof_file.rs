//! Writes what proofs rest on: a manifest, and a script for each obligation.
//!
//! ```text
//! proof.json                    { "schema": "selfsame-proof/1", "solver": ..., "pairs": [...] }
//! proof.json.obligations/0001.smt2
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use report::VerdictWord;
use serde_json::json;

use crate::wire::{Answer, Obligation};

/// Writes the manifest to a file, and the scripts to a folder beside it.
pub(crate) fn write(file: &Path, answers: &[Answer], solver: Option<&Path>) -> Result<()> {
    let folder = folder_of(file);
    fs::create_dir_all(&folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    let mut number = 0;
    let mut pairs = Vec::new();
    for answer in answers.iter().filter(|answer| answer.report.verdict == VerdictWord::Equivalent) {
        let mut obligations = Vec::new();
        for obligation in &answer.obligations {
            number += 1;
            let name = format!("{number:04}.smt2");
            let path = folder.join(&name);
            fs::write(&path, script(answer, obligation))
                .with_context(|| format!("{} cannot be written", path.display()))?;
            obligations.push(json!({ "script": name, "question": obligation.question, "expected": "unsat" }));
        }
        pairs.push(json!({
            "function": answer.report.function,
            "method": answer.report.proof,
            "assumptions": answer.report.assumptions,
            "obligations": obligations,
        }));
    }
    let manifest = json!({
        "schema": "selfsame-proof/1",
        "selfsame": env!("CARGO_PKG_VERSION"),
        "solver": solver.map(|path| path.display().to_string()),
        "scripts": folder.file_name().map(|name| name.to_string_lossy()),
        "pairs": pairs,
    });
    let text = serde_json::to_string_pretty(&manifest).expect("a manifest should be plain data");
    fs::write(file, text + "\n").with_context(|| format!("{} cannot be written", file.display()))
}

/// The folder of the scripts.
fn folder_of(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".obligations");
    file.with_file_name(name)
}

fn script(answer: &Answer, obligation: &Obligation) -> String {
    let Obligation { question, script } = obligation;
    let function = answer.report.function.replace(['\n', '\r'], " ");
    format!("; {function}: {question}; unsat is what was proved\n(set-logic ALL)\n{script}(check-sat)\n")
}
