//! Reads the user's files: single ones, or all of a folder.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ir::Language;

use crate::wire::BadFile;

/// Larger files are generated, and nobody wants to wait for them.
const MAX_BYTES: u64 = 16 << 20;

/// The files of one version, as they are on disk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    pub(crate) files: Vec<FileText>,
    /// Files of the folder that could not be read.
    pub(crate) errors: Vec<FileError>,
    pub(crate) is_folder: bool,
}

/// A file that could be read.
#[derive(Clone, Debug)]
pub(crate) struct FileText {
    pub(crate) path: PathBuf,
    /// The path as the user would write it.
    pub(crate) name: String,
    /// The path inside the folder that was given; the name alone of a single file.
    pub(crate) relative: String,
    pub(crate) language: Language,
    pub(crate) text: String,
}

/// Why a file or folder cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileError {
    pub(crate) name: String,
    pub(crate) message: String,
}

impl From<&FileError> for BadFile {
    fn from(error: &FileError) -> BadFile {
        BadFile { file: error.name.clone(), message: error.to_string(), is_bug: false }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.message)
    }
}

impl std::error::Error for FileError {}

/// Reads a file, or all sources of a folder in the order of their paths.
pub(crate) fn read(path: &Path) -> Result<Files, FileError> {
    let metadata = fs::metadata(path).map_err(|error| cannot_read(path, &error))?;
    if metadata.is_dir() {
        return read_folder(path);
    }
    let language = language_of(path).ok_or_else(|| {
        error(path, "selfsame reads .java and .c files, and folders of them; this is neither")
    })?;
    let file = read_file(path, path.parent().unwrap_or(path), language)?;
    if file.text.trim().is_empty() {
        return Err(error(path, "the file is empty: there is nothing to compare"));
    }
    Ok(Files { files: vec![file], errors: Vec::new(), is_folder: false })
}

fn read_folder(folder: &Path) -> Result<Files, FileError> {
    let mut paths = Vec::new();
    collect(folder, &mut paths).map_err(|error| cannot_read(folder, &error))?;
    paths.sort();
    let mut files = Files { is_folder: true, ..Files::default() };
    for path in paths {
        let Some(language) = language_of(&path) else { continue };
        match read_file(&path, folder, language) {
            // An empty file is a legal one that adds nothing.
            Ok(file) if file.text.trim().is_empty() => {}
            Ok(file) => files.files.push(file),
            Err(error) => files.errors.push(error),
        }
    }
    if files.files.is_empty() && files.errors.is_empty() {
        return Err(error(folder, "there are no .java or .c files in this folder"));
    }
    Ok(files)
}

/// All files below a folder. Hidden ones and links to folders are not followed: they lead elsewhere, or in circles.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), paths)?;
        } else {
            paths.push(entry.path());
        }
    }
    Ok(())
}

fn language_of(path: &Path) -> Option<Language> {
    Language::named(path.extension()?.to_str()?)
}

fn read_file(path: &Path, root: &Path, language: Language) -> Result<FileText, FileError> {
    let metadata = fs::metadata(path).map_err(|error| cannot_read(path, &error))?;
    if !metadata.is_file() {
        return Err(error(path, "this is not a regular file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(error(path, &format!("the file is larger than {} MB", MAX_BYTES >> 20)));
    }
    let bytes = fs::read(path).map_err(|error| cannot_read(path, &error))?;
    let text = text_of(bytes).map_err(|message| error(path, &message))?;
    let relative = path.strip_prefix(root).unwrap_or(path).display().to_string();
    Ok(FileText { path: path.to_owned(), name: path.display().to_string(), relative, language, text })
}

/// The bytes of a text file as text; says where a file is none.
fn text_of(bytes: Vec<u8>) -> Result<String, String> {
    let line_at = |offset: usize| bytes[..offset].iter().filter(|byte| **byte == b'\n').count() + 1;
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return Err(format!("there is a NUL byte in line {}: this is not source text", line_at(offset)));
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned()),
        Err(error) => Err(format!("line {} is not UTF-8 text", line_at(error.valid_up_to()))),
    }
}

fn cannot_read(path: &Path, why: &io::Error) -> FileError {
    let message = match why.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "no permission to read it".to_owned(),
        _ => format!("cannot be read: {why}"),
    };
    error(path, &message)
}

fn error(path: &Path, message: &str) -> FileError {
    FileError { name: path.display().to_string(), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_folder_come_in_the_order_of_their_paths_and_hidden_ones_do_not() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.c", "a/z.c", ".git/x.c", "a.txt", "C.java", "empty.c"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, if name == "empty.c" { "\n" } else { "int x;" }).unwrap();
        }
        let files = read(folder.path()).unwrap();
        let names: Vec<_> = files
            .files
            .iter()
            .map(|file| file.path.strip_prefix(folder.path()).unwrap().to_owned())
            .collect();
        assert_eq!(names, ["C.java", "a/z.c", "b.c"].map(PathBuf::from));
        assert!(files.is_folder);
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_line() {
        assert_eq!(
            text_of(b"ok\n\0".to_vec()).unwrap_err(),
            "there is a NUL byte in line 2: this is not source text"
        );
        assert_eq!(text_of(b"ok\n\n\xff".to_vec()).unwrap_err(), "line 3 is not UTF-8 text");
        assert_eq!(text_of("\u{feff}class A {}".into()).unwrap(), "class A {}");
    }
}
