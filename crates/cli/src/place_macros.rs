//! `__FILE__`, `__LINE__`, `__DATE__` and their like, told apart from changes of the code.
//!
//! ```text
//! old/a.c:3   log_it(__FILE__, __LINE__);         new/a.c:5   log_it(__FILE__, __LINE__);
//!             log_it("a.c", 5);                               log_it("a.c", 5);
//! ```
//!
//! A file goes through the preprocessor twice, the second time with marks for the values of these macros. Where the
//! outputs differ stands a value (`marks.rs`). Names of files become relative to their version, and lines that go
//! together get one number (`numbers.rs`).
//! Code could still know the values (`return __LINE__` against `return 7`). So there is a second reading, *elsewhere*,
//! with other names, numbers and times: what is proved must hold in both.
//! Neither over- nor under-approximating: that the values are the same in both versions is an assumption, and listed.

mod marks;
mod numbers;

use std::path::Path;

use ir::Pair;

use crate::job::{Macro, MacroUse, Source};

use marks::{Found, Read, read};
pub(crate) use marks::{MAY_BE_MARKED, marked_args, plain_args};
use numbers::{Numbers, number};

/// A file after the preprocessor, with the values that the macros have where it lies.
#[derive(Clone, Debug)]
pub struct Unsettled {
    pub(crate) name: String,
    /// The name of the file in its version.
    pub(crate) relative: String,
    /// What stands before the names of the version's files.
    pub(crate) root: String,
    pub(crate) text: String,
    pub(crate) marked: Marked,
    /// What the comments said before the preprocessor took them away.
    pub(crate) contracts: Vec<contracts::Contract>,
}

/// The text with marks for the values of the macros.
#[derive(Clone, Debug)]
pub(crate) enum Marked {
    /// None of them is used.
    Same,
    Text(String),
    /// Directives depend on them.
    Failed,
}

impl Unsettled {
    /// A text that no preprocessor has seen.
    pub fn plain(name: &str, text: &str) -> Unsettled {
        Unsettled {
            name: name.to_owned(),
            relative: name.to_owned(),
            root: String::new(),
            text: text.to_owned(),
            marked: Marked::Same,
            contracts: Vec::new(),
        }
    }

    /// The same file under its name in the version.
    pub fn named(self, relative: impl Into<String>) -> Unsettled {
        Unsettled { relative: relative.into(), ..self }
    }

    /// The same file under its name in the version, which lies where the path has more than that name.
    pub(crate) fn in_folder(self, path: &Path, relative: &str) -> Unsettled {
        let shown = path.display().to_string();
        let root = match shown.strip_suffix(relative) {
            Some(root) => root.to_owned(),
            None => path.parent().map(|folder| format!("{}/", folder.display())).unwrap_or_default(),
        };
        Unsettled { root, ..self.named(relative) }
    }

    /// The name that a file has in its version; absent for files that are no part of it.
    fn in_version(&self, file: &str) -> Option<String> {
        let (file, name) = (plain_name(file), plain_name(&self.name));
        if file == name {
            return Some(plain_name(&self.relative));
        }
        let root = plain_name(&self.root);
        let rest = file.strip_prefix(root.as_str())?;
        let rest = rest.trim_start_matches("./");
        (!rest.starts_with('/') && !rest.starts_with('<')).then(|| rest.to_owned())
    }
}

/// A name without what has to be escaped in a literal.
fn plain_name(name: &str) -> String {
    let kept = name.chars().filter(|char| *char != '\\');
    let name: String = kept.map(|char| if char == '"' || char.is_control() { '_' } else { char }).collect();
    name.trim_start_matches("./").to_owned()
}

/// Gives the macros of both versions the values that do not count as changes.
pub fn settle(versions: Pair<&[Unsettled]>) -> Pair<Vec<Source>> {
    let reads = versions.map(|files| files.iter().map(read_marked).collect::<Vec<_>>());
    let mut numbers = reads.as_ref().map(|reads| vec![Numbers::default(); reads.len()]);
    let names = versions.map(|files| files.iter().map(|file| file.relative.as_str()).collect::<Vec<_>>());
    let nothing = Read::default();
    for (old, name) in names.old.iter().enumerate() {
        let new = names.new.iter().position(|other| other == name);
        let other = new.and_then(|new| reads.new[new].as_ref()).unwrap_or(&nothing);
        let both = number(Pair::new(reads.old[old].as_ref().unwrap_or(&nothing), other));
        numbers.old[old] = both.old;
        if let Some(new) = new {
            numbers.new[new] = both.new;
        }
    }
    for (new, name) in names.new.iter().enumerate() {
        if let (false, Some(read)) = (names.old.contains(name), &reads.new[new]) {
            numbers.new[new] = number(Pair::new(&nothing, read)).new;
        }
    }
    versions.zip(reads).zip(numbers).map(|((files, reads), numbers)| {
        let files = files.iter().zip(reads).zip(&numbers);
        files.map(|((file, read), numbers)| settled(file, read.as_ref(), numbers)).collect()
    })
}

/// One version alone.
pub(crate) fn settle_alone(files: &[Unsettled]) -> Vec<Source> {
    settle(Pair::new(&[], files)).new
}

/// The sources with other names, numbers and times.
pub(crate) fn elsewhere(source: &Source) -> Source {
    let mut text = String::with_capacity(source.text.len());
    let mut macros = Vec::new();
    let mut done = 0;
    for found in &source.macros {
        text.push_str(&source.text[done..found.start]);
        macros.push(MacroUse { start: text.len(), here: found.elsewhere.clone(), ..found.clone() });
        text.push_str(&found.elsewhere);
        done = found.start + found.here.len();
    }
    text.push_str(&source.text[done..]);
    Source { name: source.name.clone(), text, macros, contracts: source.contracts.clone() }
}

/// Where the macros were used; nothing where the two texts do not tell.
fn read_marked(file: &Unsettled) -> Option<Read> {
    match &file.marked {
        Marked::Same => Some(Read::default()),
        Marked::Text(marked) => {
            read(&file.text, marked, &|name| file.in_version(name).unwrap_or_else(|| name.to_owned()))
        }
        Marked::Failed => None,
    }
}

fn settled(file: &Unsettled, read: Option<&Read>, numbers: &Numbers) -> Source {
    let name = file.name.clone();
    let Some(read) = read else {
        let any = MacroUse::of(Macro::Any, 0, String::new(), String::new(), true);
        return Source {
            name,
            text: file.text.clone(),
            macros: vec![any],
            contracts: file.contracts.clone(),
        };
    };
    let mut text = String::with_capacity(file.text.len());
    let mut macros = Vec::new();
    let mut done = 0;
    for found in &read.found {
        text.push_str(&file.text[done..found.start]);
        let here = written(file, found, &|number| numbers.here(&found.file, number), false);
        let elsewhere = written(file, found, &|number| numbers.elsewhere(&found.file, number), true);
        let start = text.len();
        text.push_str(&here);
        macros.push(MacroUse::of(found.what(), start, here, elsewhere, found.is_listed));
        done = found.start + found.length;
    }
    text.push_str(&file.text[done..]);
    Source { name, text, macros, contracts: file.contracts.clone() }
}

/// The token with the values that its macros get.
fn written(file: &Unsettled, found: &Found, number: &dyn Fn(u32) -> u32, is_elsewhere: bool) -> String {
    let mut token = found.first.clone();
    for part in &found.parts {
        match part.what {
            Macro::Line => token.push_str(&number(part.value.parse().unwrap_or(0)).to_string()),
            Macro::File => match file.in_version(&part.value) {
                Some(name) if is_elsewhere => token.push_str(&format!("../elsewhere/{name}")),
                Some(name) => token.push_str(&name),
                None => token.push_str(&part.value),
            },
            Macro::Time if is_elsewhere => token.push_str(&marks::another_time(&part.value)),
            Macro::Time | Macro::Any => token.push_str(&part.value),
        }
        token.push_str(&part.after);
    }
    token
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preprocess::{PreprocessLimits, preprocess};

    /// What both versions look like, here and elsewhere; nothing where there is no compiler.
    fn lines(old: &str, new: &str) -> Option<Vec<String>> {
        let read = |name: &str, text: &str| {
            preprocess(name, text, None, PreprocessLimits::USUAL).ok().map(|file| file.named("a.c"))
        };
        let files = Pair::new(vec![read("old/a.c", old)?], vec![read("new/a.c", new)?]);
        let settled = settle(files.as_ref().map(|files| &files[..]));
        let shown = [&settled.old[0], &settled.new[0]].into_iter().flat_map(|source| {
            [source.clone(), elsewhere(source)].map(|source| {
                let lines = source.text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
                lines.collect::<Vec<_>>().join(" ")
            })
        });
        Some(shown.collect())
    }

    #[test]
    fn a_line_that_moved_keeps_its_number_and_a_file_its_name() {
        let old = "int f(void) {\nlog_it(__FILE__, __LINE__);\n}\n";
        let Some(lines) = lines(old, &format!("\n\n{old}")) else { return };
        assert_eq!(lines[0], "int f(void) { log_it(\"a.c\", 4); }");
        assert_eq!(lines[0], lines[2]);
        assert_eq!(lines[1], "int f(void) { log_it(\"../elsewhere/a.c\", 4004); }");
        assert_eq!(lines[1], lines[3]);
    }

    #[test]
    fn lines_without_a_partner_have_other_numbers_elsewhere() {
        let Some(lines) = lines("int a = __LINE__;\n", "int a = 1;\n") else { return };
        assert_eq!(lines, ["int a = 1;", "int a = 4003;", "int a = 1;", "int a = 1;"]);
    }

    #[test]
    fn numbers_in_names_and_texts_follow() {
        let text = "#define C2(a,b) a##b\n#define C(a,b) C2(a,b)\n#define S2(a) #a\n#define S(a) S2(a)\n\
                    int C(x_,__LINE__); char *s = \"at \" S(__LINE__);\n";
        let Some(lines) = lines(text, &format!("//\n{text}")) else { return };
        assert_eq!(lines[0], "int x_6; char *s = \"at \" \"6\";");
        assert_eq!(lines[0], lines[2]);
        assert_eq!(lines[1], "int x_4006; char *s = \"at \" \"4006\";");
    }
}
