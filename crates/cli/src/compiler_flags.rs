//! How C files are compiled: folders of headers, macros and other options, for each version.
//!
//! A relative folder is looked for in each version first, so that a library's own headers are those of the version, and
//! then where selfsame was started. Only options are handed on that change what the compiler reads; none that has it
//! write files or start programs.

use std::path::{Path, PathBuf};

use ir::Pair;

/// Options that take a folder or file, as their own word or behind them.
const WITH_PATH: [&str; 6] = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];
/// Options with a word of their own that is no path.
const WITH_WORD: [&str; 2] = ["-D", "-U"];
/// Other options that may change what the preprocessor writes.
const HARMLESS: [&str; 8] = ["-std=", "-ansi", "-m", "-pthread", "-nostdinc", "-undef", "-f", "-trigraphs"];
/// Options of compilers that change no text.
const IGNORED: [&str; 5] = ["-W", "-O", "-g", "-pedantic", "-pipe"];
/// Exceptions from the above: they start programs or write files.
const REFUSED: [&str; 10] = [
    "-wrapper",
    "-fplugin",
    "-fdump",
    "-fcompare-debug",
    "-Wp,",
    "-Wa,",
    "-Wl,",
    "-fauto-profile",
    "-fprofile",
    "-fcallgraph-info",
];

/// Options with which the same text means something else than with those that are modelled.
const WITH_ANOTHER_MEANING: [&str; 30] = [
    "-Ofast",
    "-fassociative-math",
    "-fcx-",
    "-ffast-math",
    "-ffinite-math-only",
    "-fgnu89-inline",
    "-finstrument-functions",
    "-fno-honor",
    "-fno-signed-bitfields",
    "-fno-signed-char",
    "-fno-signed-zeros",
    "-fpack-struct",
    "-freciprocal-math",
    "-fshort-enums",
    "-fshort-wchar",
    "-fsingle-precision-constant",
    "-fsso-struct",
    "-ftrapv",
    "-funsafe-math-optimizations",
    "-funsigned-bitfields",
    "-funsigned-char",
    "-m16",
    "-m32",
    "-m96bit-long-double",
    "-malign-double",
    "-mlong-double",
    "-mms-bitfields",
    "-mno-align",
    "-mpc",
    "-mx32",
];

/// The options of both versions.
#[derive(Clone, Default, Debug)]
pub(crate) struct CompilerFlags {
    pub(crate) sides: Pair<Vec<String>>,
}

impl CompilerFlags {
    /// Those that the command line says, for the files or folders that are compared.
    pub(crate) fn read(
        paths: Pair<&Path>,
        include: &[PathBuf],
        define: &[String],
        others: &[String],
    ) -> Result<CompilerFlags, String> {
        let mut words: Vec<String> =
            include.iter().flat_map(|folder| ["-I".to_owned(), folder.display().to_string()]).collect();
        words.extend(define.iter().map(|macro_| format!("-D{macro_}")));
        words.extend(others.iter().cloned());
        let roots = roots(paths);
        let (old, new) = (flags(&words, &roots.old)?, flags(&words, &roots.new)?);
        Ok(CompilerFlags { sides: Pair { old, new } })
    }
}

/// The words as the compiler gets them for the version below a folder.
fn flags(words: &[String], root: &Path) -> Result<Vec<String>, String> {
    let mut flags = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let option = |list: &'static [&'static str]| list.iter().find(|name| word.starts_with(**name));
        if option(&REFUSED).is_some() {
            return Err(format!("`{word}` is not handed on to the compiler"));
        }
        if option(&WITH_ANOTHER_MEANING).is_some() {
            return Err(format!("`{word}` gives code another meaning, which is not modelled"));
        }
        if let Some(name) = option(&WITH_PATH) {
            let path = match &word[name.len()..] {
                "" => words.next().ok_or_else(|| format!("`{name}` needs a path"))?,
                path => path,
            };
            for path in found(root, Path::new(path), name)? {
                flags.extend([(*name).to_owned(), path.display().to_string()]);
            }
        } else if let Some(name) = option(&WITH_WORD) {
            let value = match &word[name.len()..] {
                "" => words.next().ok_or_else(|| format!("`{name}` needs a name"))?,
                value => value,
            };
            flags.push(format!("{name}{value}"));
        } else if option(&HARMLESS).is_some() {
            flags.push(word.clone());
        } else if option(&IGNORED).is_none() {
            return Err(format!("`{word}` is not handed on to the compiler"));
        }
    }
    Ok(flags)
}

/// Where a path leads: in the version, and from where selfsame was started.
fn found(root: &Path, path: &Path, option: &str) -> Result<Vec<PathBuf>, String> {
    let mut places: Vec<PathBuf> = [root.join(path), path.to_owned()].into();
    places.retain(|place| place.exists());
    places.dedup();
    // A file is included once.
    if ["-include", "-imacros"].contains(&option) {
        places.truncate(1);
    }
    if places.is_empty() {
        let shown = path.display();
        return Err(format!(
            "{shown}: there is no such file or folder, neither here nor in {}",
            root.display()
        ));
    }
    Ok(places)
}

/// The folders of the versions: what was given, or of two files what is left without the end that both paths have.
fn roots(paths: Pair<&Path>) -> Pair<PathBuf> {
    if paths.old.is_dir() || paths.new.is_dir() {
        return paths.map(Path::to_owned);
    }
    let mut left = paths.map(Path::to_owned);
    let has_same_end =
        |left: &Pair<PathBuf>| left.old != left.new && left.old.file_name() == left.new.file_name();
    let mut is_shorter = false;
    while left.old.file_name().is_some() && has_same_end(&left) {
        is_shorter = left.old.pop() && left.new.pop();
    }
    if !is_shorter {
        left.old.pop();
        left.new.pop();
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots_of(old: &str, new: &str) -> (String, String) {
        let roots = roots(Pair::new(Path::new(old), Path::new(new)));
        (roots.old.display().to_string(), roots.new.display().to_string())
    }

    #[test]
    fn the_folder_of_a_version_is_what_its_path_does_not_share() {
        assert_eq!(roots_of("old/src/a.c", "new/src/a.c"), ("old".to_owned(), "new".to_owned()));
        assert_eq!(roots_of("src/a.c", "src/b.c"), ("src".to_owned(), "src".to_owned()));
        assert_eq!(roots_of("a.c", "new/a.c"), (String::new(), "new".to_owned()));
    }

    #[test]
    fn options_that_start_programs_are_refused() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let root = Path::new(".");
        assert_eq!(
            flags(&words("-D A=1 -DB -Wall -O2 -std=c99"), root).unwrap(),
            ["-DA=1", "-DB", "-std=c99"]
        );
        for word in ["-fplugin=x", "-Wp,-MD,f", "-o", "-wrapper", "-B."] {
            assert!(flags(&words(word), root).is_err(), "{word}");
        }
    }

    #[test]
    fn options_that_give_code_another_meaning_are_refused() {
        let flags = |word: &str| flags(&[word.to_owned()], Path::new("."));
        for word in ["-funsigned-char", "-fshort-enums", "-m32", "-Ofast", "-ffast-math", "-fpack-struct=2"] {
            assert!(flags(word).unwrap_err().contains("another meaning"), "{word}");
        }
        for word in ["-fsigned-char", "-fwrapv", "-m64", "-O2", "-fno-strict-aliasing", "-fPIC"] {
            assert!(flags(word).is_ok(), "{word}");
        }
    }
}
