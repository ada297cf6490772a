//! The dependency arrows between our crates are those that were drawn.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Which of our crates each crate may depend on. Dependencies of tests alone are free.
const ARROWS: [(&str, &[&str]); 29] = [
    ("budget", &[]),
    ("ir", &[]),
    ("smt", &["budget"]),
    ("casekit", &["ir"]),
    ("rewrite", &["ir"]),
    ("contracts", &["ir"]),
    ("interp", &["ir"]),
    ("align", &["ir"]),
    ("frontend-java", &["ir"]),
    ("frontend-c", &["ir"]),
    ("frontend-boogie", &["ir"]),
    ("symbolic", &["budget", "ir", "smt"]),
    ("query", &["budget", "smt"]),
    ("inputs", &["interp", "ir", "smt", "symbolic"]),
    ("relate", &["budget", "inputs", "interp", "ir", "query", "rewrite", "smt", "symbolic"]),
    (
        "check",
        &["align", "budget", "inputs", "interp", "ir", "query", "relate", "rewrite", "smt", "symbolic"],
    ),
    ("properties", &["budget", "contracts", "inputs", "interp", "ir", "query", "rewrite", "smt", "symbolic"]),
    ("store", &[]),
    ("infer", &["budget", "check", "inputs", "interp", "ir", "rewrite", "smt", "symbolic"]),
    ("report", &["align", "check", "interp", "ir"]),
    (
        "explain",
        &["align", "budget", "check", "infer", "interp", "ir", "report", "rewrite", "smt", "symbolic"],
    ),
    (
        "cli",
        &[
            "align",
            "budget",
            "check",
            "contracts",
            "explain",
            "frontend-boogie",
            "frontend-c",
            "frontend-java",
            "infer",
            "interp",
            "ir",
            "properties",
            "report",
            "rewrite",
            "smt",
            "store",
            "symbolic",
        ],
    ),
    // What only tests, campaigns and chores use: nothing above may depend on these.
    ("arbitrary-ir", &["ir"]),
    ("arbitrary-source", &["ir"]),
    ("mutants", &["arbitrary-source", "casekit"]),
    (
        "fuzz",
        &[
            "arbitrary-source",
            "budget",
            "casekit",
            "check",
            "cli",
            "frontend-boogie",
            "frontend-c",
            "frontend-java",
            "interp",
            "ir",
            "mutants",
        ],
    ),
    (
        "oracle",
        &[
            "arbitrary-source",
            "casekit",
            "check",
            "cli",
            "frontend-boogie",
            "frontend-c",
            "frontend-java",
            "fuzz",
            "interp",
            "ir",
            "mutants",
        ],
    ),
    ("campaigns", &["budget", "casekit", "check", "cli", "fuzz", "ir", "mutants", "oracle"]),
    ("xtask", &["casekit"]),
];

/// Compares each crate's manifest with the table.
pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for name in super::sources::crate_names(root)? {
        complaints.extend(check_manifest(&name, &manifest(root, &name)?));
    }
    complaints.extend(check_manifest("xtask", &fs::read_to_string(root.join("xtask/Cargo.toml"))?));
    Ok(complaints)
}

fn manifest(root: &Path, name: &str) -> Result<String> {
    let path = root.join("crates").join(name).join("Cargo.toml");
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

fn check_manifest(name: &str, manifest: &str) -> Vec<String> {
    let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
        return vec![format!("crates/{name}: add the crate to the arrows in xtask/src/tidy/arrows.rs")];
    };
    dependencies(manifest)
        .filter(|dependency| ARROWS.iter().any(|(ours, _)| ours == dependency))
        .filter(|dependency| !allowed.contains(dependency))
        .map(|dependency| format!("crates/{name}/Cargo.toml: `{name}` should not depend on `{dependency}`"))
        .collect()
}

/// The names in the `[dependencies]` and `[build-dependencies]` tables of a manifest.
fn dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let mut counts = false;
    manifest.lines().filter_map(move |line| {
        let line = line.trim();
        if let Some(table) = line.strip_prefix('[') {
            counts =
                ["dependencies]", "build-dependencies]"].contains(&table) || table.starts_with("target.");
            return None;
        }
        if !counts || line.starts_with('#') {
            return None;
        }
        let end = line.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'))?;
        Some(&line[..end]).filter(|name| !name.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::check_manifest;

    #[test]
    fn an_arrow_that_was_not_drawn_is_found_but_tests_may_use_what_they_like() {
        let drawn = "[dependencies]\nir.workspace = true\nthiserror = \"2\"\n";
        assert_eq!(check_manifest("interp", drawn), Vec::<String>::new());
        let other = "[dependencies]\nsmt.workspace = true\n[dev-dependencies]\nsymbolic = { path = \"\" }\n";
        assert_eq!(check_manifest("interp", other).len(), 1);
        assert!(check_manifest("interp", other)[0].ends_with("should not depend on `smt`"));
    }

    #[test]
    fn a_new_crate_has_to_be_drawn() {
        assert_eq!(check_manifest("frontend-fortran", "").len(), 1);
    }
}
