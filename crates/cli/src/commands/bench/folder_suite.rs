//! Suites that are folders: `Bess/bessi/Eq/{oldV,newV}.java` is a pair that is said to be equivalent, and so is
//! `ModDiff/Eq/Add/{oldV,newV}.java`: the label may be any folder above the pair.
//!
//! Nothing is left out in silence: each source file is in a pair, or is listed with the reason why it is not.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ir::Numbers;
use ir::{Language, Pair, Side};
use report::bench::{Label, LeftOut};

use super::case::{Case, Truth};
use super::suite::Suite;
use crate::job::Source;
use crate::options::Options;

/// All pairs below a folder, in the order of their paths.
pub(crate) fn read(root: &Path) -> Result<Suite> {
    let absolute = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    let name = absolute.file_name().map(|name| name.to_string_lossy().into_owned());
    let above = name.as_deref().map_or(Above::Nothing, |name| Above::Nothing.and(name));
    let suite = name.unwrap_or_else(|| "suite".to_owned());
    let mut walk = Walk { root, suite, found: Suite::default() };
    let entries = entries(root).with_context(|| format!("{}: this folder cannot be read", root.display()))?;
    walk.folder(root, entries, above);
    Ok(walk.found)
}

/// What the folders above a pair say of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Above {
    Nothing,
    Says(Label),
    /// Both labels.
    Contradicts,
}

impl Above {
    /// What they say together with a folder of this name.
    fn and(self, name: &str) -> Above {
        match (self, label_of(name)) {
            (above, None) => above,
            (Above::Nothing, Some(label)) => Above::Says(label),
            (Above::Says(said), Some(label)) if said == label => self,
            (Above::Says(_) | Above::Contradicts, Some(_)) => Above::Contradicts,
        }
    }
}

/// `Eq` and `NEq`, in capitals or not.
fn label_of(folder: &str) -> Option<Label> {
    match folder.to_lowercase().as_str() {
        "eq" => Some(Label::Equivalent),
        "neq" => Some(Label::Different),
        _ => None,
    }
}

/// A version of a pair by the name of its file: `oldV.java`, `new.c`, in capitals or not.
fn version(file: &str) -> Option<(Side, Kind)> {
    let file = file.to_lowercase();
    let (stem, extension) = file.rsplit_once('.')?;
    let (side, has_v) = match stem {
        "old" => (Side::Old, false),
        "oldv" => (Side::Old, true),
        "new" => (Side::New, false),
        "newv" => (Side::New, true),
        _ => return None,
    };
    Some((side, Kind { has_v, extension: extension.to_owned() }))
}

/// What the two files of a pair have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Kind {
    has_v: bool,
    extension: String,
}

fn entries(folder: &Path) -> std::io::Result<Vec<fs::DirEntry>> {
    let mut entries: Vec<fs::DirEntry> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    Ok(entries)
}

struct Walk<'a> {
    root: &'a Path,
    suite: String,
    found: Suite,
}

impl Walk<'_> {
    /// What a folder holds, and those below it. Links to folders are not followed: they may lead in circles.
    fn folder(&mut self, folder: &Path, entries: Vec<fs::DirEntry>, above: Above) {
        let mut versions: BTreeMap<Kind, Pair<Vec<PathBuf>>> = BTreeMap::new();
        let mut below = Vec::new();
        for entry in entries {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            match (entry.file_type(), fs::metadata(&path)) {
                (Ok(kind), _) if kind.is_dir() => below.push((path, name)),
                (_, Ok(target)) if target.is_dir() => {
                    self.leave_out(&path, "links to folders are not followed")
                }
                (_, Ok(_)) => match version(&name) {
                    Some((side, kind)) => {
                        let none = || Pair::new(Vec::new(), Vec::new());
                        versions.entry(kind).or_insert_with(none).get_mut(side).push(path);
                    }
                    None if is_source(&name) => self.leave_out(
                        &path,
                        "its name is not that of an old or a new version (oldV, newV, old or new)",
                    ),
                    None => {}
                },
                (_, Err(error)) => self.leave_out(&path, &format!("it cannot be read: {error}")),
            }
        }
        self.pairs(folder, versions, above);
        for (path, name) in below {
            self.folder_below(&path, &name, above);
        }
    }

    fn folder_below(&mut self, path: &Path, name: &str, above: Above) {
        let before = (self.found.cases.len(), self.found.left_out.len());
        match entries(path) {
            Ok(entries) => self.folder(path, entries, above.and(name)),
            Err(error) => self.leave_out(path, &format!("this folder cannot be read: {error}")),
        }
        if label_of(name).is_some() && before == (self.found.cases.len(), self.found.left_out.len()) {
            self.leave_out(path, "there is no pair below this folder");
        }
    }

    /// The pairs of one folder; only the first of several has a name to itself.
    fn pairs(&mut self, folder: &Path, versions: BTreeMap<Kind, Pair<Vec<PathBuf>>>, above: Above) {
        let mut has_pair = false;
        for (kind, files) in versions {
            let all = || files.old.iter().chain(&files.new);
            let why = match (files.old.as_slice(), files.new.as_slice()) {
                _ if Language::named(&kind.extension).is_none() => {
                    Some(format!("selfsame does not read .{}", kind.extension))
                }
                ([_], []) => Some("there is no new version beside it".to_owned()),
                ([], [_]) => Some("there is no old version beside it".to_owned()),
                ([_], [_]) if has_pair => Some("its folder has another pair".to_owned()),
                ([_], [_]) => None,
                _ => Some("its folder has several files that differ only in capitals".to_owned()),
            };
            match (why, files.old.first(), files.new.first()) {
                (None, Some(old), Some(new)) => {
                    has_pair = true;
                    let case = self.case(folder, &kind.extension, Pair::new(old, new), above);
                    self.found.cases.push(case);
                }
                (why, ..) => {
                    for path in all() {
                        self.leave_out(path, why.as_deref().unwrap_or("it has no counterpart"));
                    }
                }
            }
        }
    }

    fn leave_out(&mut self, path: &Path, why: &str) {
        let what = format!("{}/{}", self.suite, self.shown(path));
        self.found.left_out.push(LeftOut { what, why: why.to_owned() });
    }

    /// A path without the root.
    fn shown(&self, path: &Path) -> String {
        let below = path.strip_prefix(self.root).unwrap_or(path);
        if below.as_os_str().is_empty() { ".".to_owned() } else { below.to_string_lossy().into_owned() }
    }

    /// A pair. What is wrong with its files costs only this pair.
    fn case(&self, folder: &Path, language: &str, paths: Pair<&PathBuf>, above: Above) -> Case {
        let name = self.shown(folder);
        let texts = paths.map(fs::read_to_string);
        let (truth, unlabelled) = match above {
            Above::Says(label) => (Truth::any(label), None),
            Above::Nothing => (Truth::default(), Some("no folder above it is called Eq or NEq")),
            Above::Contradicts => (Truth::default(), Some("folders above it are called both Eq and NEq")),
        };
        let mut case = Case {
            place: folder.display().to_string(),
            suite: self.suite.clone(),
            group: group_of(&name),
            name,
            language: language.to_owned(),
            function: String::new(),
            numbers: Numbers::Math,
            truth,
            unlabelled,
            corrected: None,
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
        case
    }
}

fn is_source(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    extension.is_some_and(|extension| Language::named(&extension).is_some())
}

/// The folders above the method, without the label: `Bess` of `Bess/bessi/Eq`, `ModDiff` of `ModDiff/Eq/Add`.
fn group_of(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').filter(|part| label_of(part).is_none()).collect();
    parts[..parts.len().saturating_sub(1)].join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const METHOD: &str = "public class V { public static int snippet(int a) { return a; } }";

    /// A folder with these files, and a name of its own.
    fn folder(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for name in files {
            let path = root.path().join("set").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, METHOD).unwrap();
        }
        root
    }

    fn read_set(root: &tempfile::TempDir) -> Suite {
        read(&root.path().join("set")).unwrap()
    }

    #[test]
    fn the_label_is_any_folder_above_the_pair_in_capitals_or_not() {
        let root = folder(&[
            "B/m/NEq/oldV.java",
            "B/m/NEq/newV.java",
            "Mod/Eq/Add/oldV.java",
            "Mod/Eq/Add/newV.java",
            "low/neq/x/oldv.java",
            "low/neq/x/newv.java",
            "A/eq/old.c",
            "A/eq/NEW.C",
            "EQ/deep/er/Old.java",
            "EQ/deep/er/New.java",
        ]);
        let suite = read_set(&root);
        let seen: Vec<_> = suite
            .cases
            .iter()
            .map(|case| (case.name.as_str(), case.group.as_str(), case.truth.math))
            .collect();
        let (equivalent, different) = (Some(Label::Equivalent), Some(Label::Different));
        assert_eq!(
            seen,
            [
                ("A/eq", "", equivalent),
                ("B/m/NEq", "B", different),
                ("EQ/deep/er", "deep", equivalent),
                ("Mod/Eq/Add", "Mod", equivalent),
                ("low/neq/x", "low", different),
            ]
        );
        assert_eq!(suite.left_out, []);
        let one = read(&root.path().join("set/Mod/Eq")).unwrap();
        assert_eq!((one.cases[0].name.as_str(), one.cases[0].truth.math), ("Add", equivalent));
        let itself = read(&root.path().join("set/B/m/NEq")).unwrap();
        assert_eq!((itself.cases[0].name.as_str(), itself.cases[0].truth.math), (".", different));
    }

    #[test]
    fn every_file_that_is_in_no_pair_is_named_with_the_reason() {
        let root = folder(&[
            "a/Eq/oldV.java",
            "b/Eq/new.c",
            "c/Eq/oldV.java",
            "c/Eq/newV.java",
            "c/Eq/old.c",
            "c/Eq/new.c",
            "d/Eq/oldV.cpp",
            "d/Eq/newV.cpp",
            "e/Eq/Helper.java",
            "e/Eq/readme.txt",
            "f/NEq/notes.txt",
            "g/Eq/old.java",
            "g/Eq/OLD.java",
            "g/Eq/new.java",
        ]);
        std::os::unix::fs::symlink(root.path(), root.path().join("set/loop")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.path().join("set/a/gone.java")).unwrap();
        let suite = read_set(&root);
        assert_eq!(suite.cases.iter().map(|case| case.name.as_str()).collect::<Vec<_>>(), ["c/Eq"]);
        assert_eq!(suite.cases[0].language, "c");
        let left: Vec<_> = suite.left_out.iter().map(|one| (one.what.as_str(), one.why.as_str())).collect();
        let capitals = "its folder has several files that differ only in capitals";
        assert_eq!(
            left,
            [
                ("set/loop", "links to folders are not followed"),
                ("set/a/gone.java", "it cannot be read: No such file or directory (os error 2)"),
                ("set/a/Eq/oldV.java", "there is no new version beside it"),
                ("set/b/Eq/new.c", "there is no old version beside it"),
                ("set/c/Eq/oldV.java", "its folder has another pair"),
                ("set/c/Eq/newV.java", "its folder has another pair"),
                ("set/d/Eq/oldV.cpp", "selfsame does not read .cpp"),
                ("set/d/Eq/newV.cpp", "selfsame does not read .cpp"),
                (
                    "set/e/Eq/Helper.java",
                    "its name is not that of an old or a new version (oldV, newV, old or new)"
                ),
                ("set/f/NEq", "there is no pair below this folder"),
                ("set/g/Eq/OLD.java", capitals),
                ("set/g/Eq/old.java", capitals),
                ("set/g/Eq/new.java", capitals),
            ]
        );
    }

    #[test]
    fn pairs_without_one_label_wait_for_one() {
        let root = folder(&["p/oldV.java", "p/newV.java", "Eq/q/NEq/oldV.java", "Eq/q/NEq/newV.java"]);
        let suite = read_set(&root);
        let seen: Vec<_> = suite.cases.iter().map(|case| (case.truth, case.unlabelled)).collect();
        assert_eq!(
            seen,
            [
                (Truth::default(), Some("folders above it are called both Eq and NEq")),
                (Truth::default(), Some("no folder above it is called Eq or NEq")),
            ]
        );
    }
}
