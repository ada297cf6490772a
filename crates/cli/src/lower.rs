//! Turns source files into programs of the common language.

use std::collections::BTreeSet;

use ir::{Diagnostic, Program, SourceFile};

use crate::job::{Source, SourceLanguage, Sources};
use crate::preprocess::preprocess;

/// A program, and the errors of the files that are not part of it.
pub(crate) struct Lowered {
    pub(crate) program: Program,
    pub(crate) errors: Vec<Diagnostic>,
}

/// Lowers source text that nobody has touched yet; C goes through the preprocessor first, if it has to.
pub fn lower_sources(
    language: SourceLanguage,
    files: &[SourceFile],
    overflow_undefined: bool,
) -> Result<Program, Vec<Diagnostic>> {
    let mut sources = Sources::default();
    for file in files {
        let text = match language {
            SourceLanguage::Java => file.text.clone(),
            SourceLanguage::C => preprocess(&file.name, &file.text, None)?,
        };
        sources.files.push(Source { name: file.name.clone(), text });
    }
    lower(language, sources, overflow_undefined).map(|lowered| lowered.program)
}

/// Lowers the files of one version. Files of a folder that have errors are left out.
pub(crate) fn lower(
    language: SourceLanguage,
    sources: Sources,
    overflow_undefined: bool,
) -> Result<Lowered, Vec<Diagnostic>> {
    let mut files = sources.files;
    let mut errors = Vec::new();
    loop {
        let found = match front_end(language, &files, overflow_undefined) {
            Ok(program) => return Ok(Lowered { program, errors }),
            Err(found) => found,
        };
        let bad: BTreeSet<&str> = found.iter().map(|error| error.file.as_str()).collect();
        let good: Vec<_> = files.iter().filter(|file| !bad.contains(file.name.as_str())).cloned().collect();
        // An error in a header belongs to none of the files, so that leaving one out would not help.
        if !sources.tolerant || good.is_empty() || good.len() == files.len() {
            errors.extend(found);
            return Err(errors);
        }
        errors.extend(found);
        files = good;
    }
}

fn front_end(
    language: SourceLanguage,
    files: &[Source],
    overflow_undefined: bool,
) -> Result<Program, Vec<Diagnostic>> {
    match language {
        SourceLanguage::Java => {
            let files: Vec<_> = files
                .iter()
                .map(|file| SourceFile { name: file.name.clone(), text: file.text.clone() })
                .collect();
            frontend_java::lower(&files)
        }
        SourceLanguage::C => {
            let files: Vec<_> = files
                .iter()
                .map(|file| frontend_c::Preprocessed { name: file.name.clone(), text: file.text.clone() })
                .collect();
            frontend_c::lower(&files, &frontend_c::Options { overflow_undefined })
        }
    }
}
