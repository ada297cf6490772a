//! From two paths to the files that are compared: read, preprocessed, sorted by language.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ir::{Language, Pair, Side};

use crate::compiler_flags::CompilerFlags;
use crate::job::{Sources, Unit};
use crate::place_macros::{Unsettled, settle};
use crate::preprocess::{PreprocessLimits, preprocess_with};
use crate::sources::{self, Files};
use crate::wire::BadFile;

/// Everything that the files say.
pub(crate) struct Gathered {
    pub(crate) units: Vec<Unit>,
    /// The texts as the user wrote them, by name, for showing and replaying.
    pub(crate) originals: BTreeMap<String, String>,
    /// The names of the client's files.
    pub(crate) clients: Vec<String>,
    /// Of files that are left out.
    pub(crate) errors: Vec<BadFile>,
    pub(crate) notes: Vec<String>,
    limits: PreprocessLimits,
    flags: CompilerFlags,
}

/// Reads both versions, and the client that is part of each. Fails with the user's errors when nothing can be compared.
pub(crate) fn gather(
    paths: Pair<&Path>,
    clients: &[PathBuf],
    limits: PreprocessLimits,
    flags: CompilerFlags,
) -> Result<Gathered, Vec<String>> {
    gather_spelled(paths, clients, limits, flags, &|_, file| file.text.clone())
}

/// The same with texts that are put in the place of those that were read. Lines have to stay where they are.
pub(crate) fn gather_spelled(
    paths: Pair<&Path>,
    clients: &[PathBuf],
    limits: PreprocessLimits,
    flags: CompilerFlags,
    spell: &dyn Fn(Side, &sources::FileText) -> String,
) -> Result<Gathered, Vec<String>> {
    let read = paths.map(sources::read);
    let mut files = match (read.old, read.new) {
        (Ok(old), Ok(new)) => Pair::new(old, new),
        (old, new) => {
            return Err(old.err().into_iter().chain(new.err()).map(|error| error.to_string()).collect());
        }
    };
    // Two single files are versions of one, whatever their names are.
    if let ([old], [new]) = (&mut files.old.files[..], &files.new.files[..]) {
        old.relative.clone_from(&new.relative);
    }
    let mut gathered = Gathered {
        units: Vec::new(),
        originals: BTreeMap::new(),
        clients: Vec::new(),
        errors: Vec::new(),
        notes: Vec::new(),
        limits,
        flags,
    };
    for client in clients {
        gathered.add_client(client, &mut files)?;
    }
    for side in [Side::Old, Side::New] {
        let files = files.get(side);
        gathered.errors.extend(files.errors.iter().map(BadFile::from));
        let texts = files.files.iter().map(|file| (file.name.clone(), file.text.clone()));
        gathered.originals.extend(texts);
    }
    for side in [Side::Old, Side::New] {
        for file in &mut files.get_mut(side).files {
            file.text = spell(side, file);
        }
    }
    for language in [Language::Java, Language::C] {
        let has = files.as_ref().map(|files| files.files.iter().any(|file| file.language == language));
        match (has.old, has.new) {
            (true, true) => gathered.add_unit(language, &files)?,
            (false, false) => {}
            (true, false) => gathered.only(language, "old"),
            (false, true) => gathered.only(language, "new"),
        }
    }
    if gathered.units.is_empty() {
        let languages = files.as_ref().map(|files| files.files.first().map(|file| file.language.in_words()));
        return Err(match (languages.old, languages.new) {
            (Some(old), Some(new)) => {
                vec![format!(
                    "the old version is {old} and the new one is {new}: both have to be in one language"
                )]
            }
            _ => gathered.errors.into_iter().map(|error| error.message).collect(),
        });
    }
    Ok(gathered)
}

impl Gathered {
    /// Makes the files of a client part of both versions.
    fn add_client(&mut self, path: &Path, files: &mut Pair<Files>) -> Result<(), Vec<String>> {
        let client = sources::read(path).map_err(|error| vec![error.to_string()])?;
        for file in &client.files {
            let has_language =
                |files: &Files| files.files.iter().any(|other| other.language == file.language);
            if !has_language(&files.old) || !has_language(&files.new) {
                let language = file.language.in_words();
                return Err(vec![format!("{}: the client is {language}, and the library is not", file.name)]);
            }
        }
        self.clients.extend(client.files.iter().map(|file| file.name.clone()));
        self.errors.extend(client.errors.iter().map(BadFile::from));
        for version in [&mut files.old, &mut files.new] {
            version.files.extend(client.files.iter().cloned());
        }
        Ok(())
    }

    fn add_unit(&mut self, language: Language, files: &Pair<Files>) -> Result<(), Vec<String>> {
        let mut failures = Vec::new();
        let flags = self.flags.sides.clone();
        let prepared = files
            .as_ref()
            .zip(flags)
            .map(|(files, flags)| self.prepared(language, files, &flags, &mut failures));
        let settled = settle(prepared.as_ref().map(|files| &files[..]));
        let sources = settled
            .zip(files.as_ref())
            .map(|(settled, files)| Sources { files: settled, tolerant: files.is_folder });
        // Where every file of a side is broken, or the one that was asked for, there is nothing to compare.
        if !failures.is_empty() || sources.old.files.is_empty() || sources.new.files.is_empty() {
            let errors = std::mem::take(&mut self.errors).into_iter().map(|error| error.message);
            return Err(errors.chain(failures).collect());
        }
        self.units.push(Unit { language, old: sources.old, new: sources.new });
        Ok(())
    }

    /// The files of a language, ready to be parsed. Errors of a single file are failures, those in folders are kept.
    fn prepared(
        &mut self,
        language: Language,
        files: &Files,
        flags: &[String],
        failures: &mut Vec<String>,
    ) -> Vec<Unsettled> {
        let mut prepared = Vec::new();
        for file in files.files.iter().filter(|file| file.language == language) {
            let text = match language {
                Language::Java => Ok(Unsettled::plain(&file.name, &file.text)),
                Language::C => {
                    preprocess_with(&file.name, &file.text, file.path.parent(), self.limits, flags)
                }
            };
            match text {
                Ok(file_text) => prepared.push(file_text.in_folder(&file.path, &file.relative)),
                Err(errors) if files.is_folder => self.errors.extend(errors.iter().map(BadFile::from)),
                Err(errors) => failures.extend(errors.iter().map(ToString::to_string)),
            }
        }
        prepared
    }

    fn only(&mut self, language: Language, side: &str) {
        self.notes.push(format!(
            "only the {side} version has {} files; they are not compared",
            language.in_words()
        ));
    }
}
