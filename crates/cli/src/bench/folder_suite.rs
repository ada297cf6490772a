//! Suites that are folders: `Bess/bessi/Eq/{oldV,newV}.java` is a pair that is said to be equivalent.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use check::Numbers;
use ir::Pair;
use report::bench::Label;

use super::case::{Case, Truth, group_of};
use super::methods::common_method;
use crate::job::{Options, Source, SourceLanguage};

/// The names of the folders that hold a pair, and what they say of it.
const LABELS: [(&str, Label); 2] = [("Eq", Label::Equivalent), ("NEq", Label::Different)];
/// The names of the two files.
const FILES: [(&str, &str); 4] =
    [("oldV.java", "newV.java"), ("old.java", "new.java"), ("oldV.c", "newV.c"), ("old.c", "new.c")];

/// All pairs below a folder, in the order of their paths.
pub(crate) fn read(root: &Path) -> Result<Vec<Case>> {
    let mut folders = Vec::new();
    collect(root, &mut folders).with_context(|| format!("{}: this folder cannot be read", root.display()))?;
    folders.sort_by(|one, other| one.0.cmp(&other.0));
    let suite = suite_name(root);
    Ok(folders.iter().filter_map(|(folder, label)| case(&suite, root, folder, *label)).collect())
}

/// The folder's own name, also for `.`.
fn suite_name(root: &Path) -> String {
    let absolute = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    absolute.file_name().map_or_else(|| "suite".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The folders with a label. Links are not followed: they may lead in circles.
fn collect(folder: &Path, found: &mut Vec<(PathBuf, Label)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        match LABELS.iter().find(|(name, _)| entry.file_name() == *name) {
            Some((_, label)) => found.push((entry.path(), *label)),
            None => collect(&entry.path(), found)?,
        }
    }
    Ok(())
}

/// The pair in a folder, if there is one. What is wrong with it costs only this pair.
fn case(suite: &str, root: &Path, folder: &Path, label: Label) -> Option<Case> {
    let has = |name: &str| folder.join(name).is_file();
    let (old, new) = FILES.into_iter().find(|(old, new)| has(old) && has(new))?;
    let name = folder.strip_prefix(root).unwrap_or(folder).to_string_lossy().into_owned();
    let language = Path::new(old).extension().map(|extension| extension.to_string_lossy().into_owned());
    let paths = Pair::new(folder.join(old), folder.join(new));
    let texts = paths.as_ref().map(fs::read_to_string);
    let mut case = Case {
        suite: suite.to_owned(),
        group: group_of(&name),
        name,
        language: language.unwrap_or_default(),
        function: String::new(),
        numbers: Numbers::Math,
        truth: Truth::any(label),
        calls: None,
        texts: paths.map(|path| Source::new(path.display().to_string(), String::new())),
        folders: Pair::new(Some(folder.to_owned()), Some(folder.to_owned())),
        options: Options::usual(),
        problem: None,
    };
    match (texts.old, texts.new) {
        (Ok(old), Ok(new)) => (case.texts.old.text, case.texts.new.text) = (old, new),
        (Err(error), _) => case.problem = Some(format!("{}: {error}", case.texts.old.name)),
        (_, Err(error)) => case.problem = Some(format!("{}: {error}", case.texts.new.name)),
    }
    if case.problem.is_none() {
        let language = SourceLanguage::of_extension(&case.language)?;
        match common_method(language, case.texts.as_ref().map(|source| source.text.as_str())) {
            Ok(function) => case.function = function,
            Err(problem) => case.problem = Some(problem),
        }
    }
    Some(case)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found_at_any_depth_with_their_labels_and_groups() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let method = "public class V { public static int snippet(int a) { return a; } }";
        for name in ["B/m/NEq/oldV.java", "B/m/NEq/newV.java", "B/m/Eq/oldV.java", "B/m/Eq/newV.java"] {
            write(name, method);
        }
        write("A/Eq/old.c", "int f(int a) { return a; }");
        write("A/Eq/new.c", "int f(int a) { return a; }");
        write("A/NEq/only_one.c", "int f(int a) { return a; }");
        write("C/x/Eq/oldV.java", "class V { }");
        write("C/x/Eq/newV.java", method);
        let cases = read(root.path()).unwrap();
        let seen: Vec<_> = cases
            .iter()
            .map(|case| (case.name.as_str(), case.group.as_str(), case.truth.math, case.function.as_str()))
            .collect();
        let (equivalent, different) = (Some(Label::Equivalent), Some(Label::Different));
        assert_eq!(
            seen,
            [
                ("A/Eq", "", equivalent, "f"),
                ("B/m/Eq", "B", equivalent, "snippet"),
                ("B/m/NEq", "B", different, "snippet"),
                ("C/x/Eq", "C", equivalent, ""),
            ]
        );
        assert!(cases[3].problem.as_ref().is_some_and(|problem| problem.contains("no public static method")));
    }
}
