//! Source files: an opening sentence each, no catch-all names, a size one can read, effects only at the edge.

use std::fs;
use std::path::Path;

use anyhow::Result;
use casekit::workspace::{files_below, relative};

/// A file past this length hides several things, or a table.
const LONGEST: usize = 800;

/// What touches the world, and which crates may do it outside of their tests.
const EFFECTS: [(&str, &[&str]); 4] = [
    ("Command::new", &["cli", "smt"]),
    ("std::process", &["cli", "smt"]),
    ("std::fs", &["cli"]),
    ("std::env", &["cli"]),
];

/// Crates that are no part of the program: they run compilers, and keep files.
const CAMPAIGNS: [&str; 5] = ["campaigns", "casekit", "fuzz", "mutants", "oracle"];

/// Checks every Rust file of the project.
pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for name in crate_names(root)? {
        let folder = root.join("crates").join(&name);
        for path in files_below(&folder, "rs")? {
            let text = fs::read_to_string(&path)?;
            let shown = relative(root, &path);
            complaints.extend(check_file(&shown, &text));
            if path.starts_with(folder.join("src")) && !CAMPAIGNS.contains(&&*name) {
                complaints.extend(check_effects(&name, &shown, &text));
            }
        }
    }
    for path in files_below(&root.join("xtask"), "rs")? {
        complaints.extend(check_file(&relative(root, &path), &fs::read_to_string(&path)?));
    }
    Ok(complaints)
}

/// The folders of `crates/`, in order.
pub(super) fn crate_names(root: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("crates"))? {
        let entry = entry?;
        if entry.path().join("Cargo.toml").is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn check_file(shown: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let opening = text.lines().next().unwrap_or_default();
    if opening.strip_prefix("//! ").is_none_or(|sentence| sentence.trim().is_empty()) {
        complaints.push(format!("{shown}:1: open the file with a `//!` sentence that says what it is for"));
    }
    let name = Path::new(shown).file_stem().unwrap_or_default().to_string_lossy();
    if ["util", "utils", "helper", "helpers", "misc", "common"].contains(&&*name) {
        complaints.push(format!("{shown}: name the file after what it holds"));
    }
    let length = text.lines().count();
    if length > LONGEST {
        complaints
            .push(format!("{shown}: {length} lines hide several things; split the file by what it holds"));
    }
    complaints
}

/// Looks for effects before the tests of the file, in code only.
fn check_effects(crate_name: &str, shown: &str, text: &str) -> Vec<String> {
    let is_test_file = shown.ends_with("/tests.rs") || shown.contains("/tests/");
    let code = text.lines().take_while(|line| line.trim() != "#[cfg(test)]").enumerate();
    code.filter(|(_, line)| !is_test_file && !line.trim_start().starts_with("//"))
        .flat_map(|(index, line)| {
            let found = EFFECTS
                .iter()
                .filter(move |(effect, allowed)| line.contains(effect) && !allowed.contains(&crate_name));
            found.map(move |(effect, allowed)| {
                let owners = allowed.join(" and ");
                format!("{shown}:{}: `{effect}` belongs to {owners}; pass the value in", index + 1)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{check_effects, check_file};

    #[test]
    fn a_file_opens_with_a_sentence() {
        assert!(check_file("crates/ir/src/types.rs", "//! The types.\nfn f() {}\n").is_empty());
        assert_eq!(check_file("crates/ir/src/types.rs", "use std::fmt;\n").len(), 1);
        assert_eq!(check_file("crates/ir/src/types.rs", "//! \n").len(), 1);
    }

    #[test]
    fn a_file_is_named_after_what_it_holds_and_can_be_read() {
        assert_eq!(check_file("crates/ir/src/utils.rs", "//! Things.\n").len(), 1);
        let long = format!("//! Much.\n{}", "fn f() {}\n".repeat(800));
        assert_eq!(check_file("crates/ir/src/much.rs", &long).len(), 1);
    }

    #[test]
    fn effects_stay_with_their_owners_but_for_tests() {
        let code = "//! x\nuse std::fs;\n";
        assert_eq!(check_effects("check", "crates/check/src/x.rs", code).len(), 1);
        assert!(check_effects("cli", "crates/cli/src/x.rs", code).is_empty());
        assert!(check_effects("check", "crates/check/src/x.rs", "#[cfg(test)]\nuse std::fs;\n").is_empty());
        assert!(check_effects("smt", "crates/smt/src/x.rs", "let c = Command::new(solver);").is_empty());
        assert_eq!(check_effects("smt", "crates/smt/src/x.rs", "std::env::var(name)").len(), 1);
        assert!(check_effects("ir", "crates/ir/src/x.rs", "// not `std::fs`\n").is_empty());
    }
}
