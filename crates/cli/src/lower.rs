//! Turns source files into programs of the common language.

mod panics;

use std::collections::BTreeSet;

use ir::{Annotations, Condition, Diagnostic, Language, Pair, Program, SourceFile};

use crate::job::{Macro, Source, Sources};
use crate::place_macros::{Unsettled, settle_alone};
use crate::preprocess::{PreprocessLimits, preprocess};
use panics::FrontEnd;

/// A program, and the errors of the files that are not part of it.
pub(crate) struct Lowered {
    pub(crate) program: Program,
    /// How the procedures of a C program look at memory.
    pub(crate) views: Option<frontend_c::Views>,
    /// The procedures of which no pairs are made, because nobody asked for them.
    pub(crate) left_out: BTreeSet<String>,
    pub(crate) errors: Vec<Diagnostic>,
}

/// What front ends are told besides the sources.
#[derive(Clone, Debug)]
pub(crate) struct FrontEndOptions {
    pub(crate) c: frontend_c::Options,
    /// Which procedures of Java are lowered.
    pub(crate) java: frontend_java::Choice,
}

/// Lowers source text that nobody has touched yet; C goes through the preprocessor first, if it has to.
pub fn lower_sources(
    language: Language,
    files: &[SourceFile],
    overflow_undefined: bool,
) -> Result<Program, Vec<Diagnostic>> {
    let mut prepared = Vec::new();
    for file in files {
        prepared.push(match language {
            Language::Java => Unsettled::plain(&file.name, &file.text),
            Language::C => preprocess(&file.name, &file.text, None, PreprocessLimits::USUAL)?,
        });
    }
    let files = settle_alone(&prepared);
    match language {
        Language::Java => frontend_java::lower(&java_files(&files)),
        Language::C => frontend_c::lower(&c_files(&files), &c_options(overflow_undefined)),
    }
}

/// Lowers the files of both versions with conditions on the inputs of their procedures.
pub(crate) fn lower(
    language: Language,
    sources: Pair<Sources>,
    conditions: Pair<&[Condition]>,
    options: &FrontEndOptions,
) -> Pair<Result<Lowered, Vec<Diagnostic>>> {
    let annotations = conditions.map(|conditions| Annotations { conditions, ..Annotations::default() });
    lower_annotated(language, sources, annotations, options)
}

/// Lowers the files of both versions. Files of a folder that have errors are left out.
pub(crate) fn lower_annotated(
    language: Language,
    sources: Pair<Sources>,
    annotations: Pair<Annotations<'_>>,
    options: &FrontEndOptions,
) -> Pair<Result<Lowered, Vec<Diagnostic>>> {
    lower_with(&|files| front_end(language, files, annotations, options), sources)
}

fn lower_with(front_end: FrontEnd<'_>, sources: Pair<Sources>) -> Pair<Result<Lowered, Vec<Diagnostic>>> {
    let mut sources = sources;
    let mut errors = Pair::new(Vec::new(), Vec::new());
    loop {
        let results = panics::guarded(front_end, sources.as_ref().map(|version| &version.files[..]));
        let old_goes_on = leave_out_bad_files(&results.old, &mut sources.old, &mut errors.old);
        let new_goes_on = leave_out_bad_files(&results.new, &mut sources.new, &mut errors.new);
        if old_goes_on || new_goes_on {
            continue;
        }
        return results.zip(errors).map(|(result, errors)| match result {
            Ok((program, views, left_out)) => Ok(Lowered { program, views, left_out, errors }),
            Err(_) => Err(errors),
        });
    }
}

/// A program with its views and what of it was not lowered, or the errors.
type FrontEndResult = Result<(Program, Option<frontend_c::Views>, BTreeSet<String>), Vec<Diagnostic>>;

/// Whether files were left out, so that lowering again may succeed.
fn leave_out_bad_files(result: &FrontEndResult, sources: &mut Sources, errors: &mut Vec<Diagnostic>) -> bool {
    let Err(found) = result else { return false };
    let bad: BTreeSet<&str> = found.iter().map(|error| error.file.as_str()).collect();
    let good: Vec<_> =
        sources.files.iter().filter(|file| !bad.contains(file.name.as_str())).cloned().collect();
    for error in found {
        if !errors.contains(error) {
            errors.push(error.clone());
        }
    }
    // An error in a header belongs to none of the files, so that leaving one out would not help.
    if !sources.tolerant || good.is_empty() || good.len() == sources.files.len() {
        return false;
    }
    sources.files = good;
    true
}

fn front_end(
    language: Language,
    files: Pair<&[Source]>,
    annotations: Pair<Annotations<'_>>,
    options: &FrontEndOptions,
) -> Pair<FrontEndResult> {
    match language {
        Language::Java => {
            let files = files.map(java_files);
            let files = files.as_ref().map(|files| &files[..]);
            let lowered = frontend_java::lower_chosen(files, annotations, &options.java);
            lowered.map(|version| version.map(|chosen| (chosen.program, None, chosen.left_out)))
        }
        Language::C => {
            let files = files.map(c_files);
            let files = files.as_ref().map(|files| &files[..]);
            let lowered = frontend_c::lower_annotated(files, annotations, &options.c);
            let whole =
                |lowered: frontend_c::Lowered| (lowered.program, Some(lowered.views), BTreeSet::new());
            lowered.map(|version| version.map(whole))
        }
    }
}

fn c_options(overflow_undefined: bool) -> frontend_c::Options {
    frontend_c::Options { overflow_undefined, ..frontend_c::Options::default() }
}

fn java_files(files: &[Source]) -> Vec<SourceFile> {
    files.iter().map(|file| SourceFile { name: file.name.clone(), text: file.text.clone() }).collect()
}

pub(crate) fn c_files(files: &[Source]) -> Vec<frontend_c::Preprocessed> {
    files
        .iter()
        .map(|file| frontend_c::Preprocessed {
            name: file.name.clone(),
            text: file.text.clone(),
            macros: macros(file),
        })
        .collect()
}

/// The macros whose values somebody can see, by their lines.
fn macros(file: &Source) -> Vec<frontend_c::MacroUse> {
    let (mut line, mut done) = (0, 0);
    let uses = file.macros.iter().filter(|found| found.is_listed).map(|found| {
        line += file.text[done..found.start].bytes().filter(|byte| *byte == b'\n').count();
        done = found.start;
        let what = match found.what {
            Macro::Line => frontend_c::PlaceMacro::Line,
            Macro::File => frontend_c::PlaceMacro::File,
            Macro::Time => frontend_c::PlaceMacro::Time,
            Macro::Any => frontend_c::PlaceMacro::Any,
        };
        frontend_c::MacroUse { line, token: found.here.clone(), what }
    });
    uses.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads Java, and panics where a file says so.
    fn breaks(files: Pair<&[Source]>) -> Pair<FrontEndResult> {
        let all = || files.old.iter().chain(files.new);
        assert!(!all().any(|file| file.text.contains("BREAK")), "a rule was broken");
        let both = ["LEFT", "RIGHT"].iter().all(|word| all().any(|file| file.text.contains(word)));
        assert!(!both, "two files do not go together");
        let options =
            FrontEndOptions { c: frontend_c::Options::default(), java: frontend_java::Choice::default() };
        front_end(Language::Java, files, Pair::new(Annotations::default(), Annotations::default()), &options)
    }

    fn lowered(files: &[(&str, &str)], tolerant: bool) -> Result<Lowered, Vec<Diagnostic>> {
        let files = files.iter().map(|(name, text)| Source::new(*name, *text)).collect();
        let sources = Sources { files, tolerant };
        lower_with(&breaks, Pair::new(sources.clone(), sources)).old
    }

    #[test]
    fn a_panic_costs_the_file_that_makes_it() {
        let files = [("A.java", "class A { int f() { return 1; } }"), ("B.java", "class B { /* BREAK */ }")];
        let lowered = lowered(&files, true).unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(lowered.program.files, ["A.java"]);
        let [error] = &lowered.errors[..] else { panic!("{:?}", lowered.errors) };
        assert!(error.is_bug(), "{error}");
        assert_eq!(error.to_string(), "B.java: a bug of selfsame, please report it: a rule was broken");
    }

    #[test]
    fn a_panic_that_two_files_make_costs_one_of_them() {
        let files = [("A.java", "class A {/* LEFT */}"), ("B.java", "class B {/* RIGHT */}")];
        let lowered = lowered(&files, true).unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(lowered.program.files.len(), 1);
        assert!(lowered.errors.iter().all(Diagnostic::is_bug));
    }

    #[test]
    fn a_panic_in_a_file_that_was_asked_for_is_an_error() {
        let Err(errors) = lowered(&[("B.java", "class B { /* BREAK */ }")], false) else {
            panic!("no error")
        };
        assert!(errors.iter().any(|error| error.is_bug() && error.file == "B.java"), "{errors:?}");
    }
}
