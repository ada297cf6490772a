//! Runs the C preprocessor over the user's files.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use ir::{Diagnostic, Language};

use crate::place_macros::{MAY_BE_MARKED, Marked, Unsettled, marked_args, plain_args};
use crate::process::{self, Finished, Limit, Limits, Memory, quoted};

/// What one run of the preprocessor may use up.
#[derive(Clone, Copy, Debug)]
pub struct PreprocessLimits {
    pub seconds: f64,
    pub memory_mb: u64,
}

impl PreprocessLimits {
    /// What there is when nothing is said.
    pub const USUAL: PreprocessLimits = PreprocessLimits { seconds: 20.0, memory_mb: 1024 };

    fn limits(self) -> Limits {
        // A compiler that includes nothing has a hundred megabytes of code; no header needs more than a few hundred.
        let memory = Memory::AddressSpace(self.memory_mb.clamp(256, 1024) << 20);
        Limits { time: Duration::from_secs_f64(self.seconds), output: MOST_TEXT, file_bytes: 0, memory }
    }
}

/// No program that anybody wrote is larger after preprocessing.
const MOST_TEXT: usize = 64 << 20;

/// The text of a C file after preprocessing, without options of the user.
pub fn preprocess(
    name: &str,
    text: &str,
    folder: Option<&Path>,
    limits: PreprocessLimits,
) -> Result<Unsettled, Vec<Diagnostic>> {
    preprocess_with(name, text, folder, limits, &[])
}

/// The text of a C file after preprocessing, and what of it depends on where and when the file is compiled.
/// Quoted includes are looked for in the folder.
pub(crate) fn preprocess_with(
    name: &str,
    text: &str,
    folder: Option<&Path>,
    limits: PreprocessLimits,
    flags: &[String],
) -> Result<Unsettled, Vec<Diagnostic>> {
    let mut contracts = contracts::read(Language::C, text);
    if flags.is_empty() && !frontend_c::needs_preprocessor(text) {
        return Ok(Unsettled { contracts, ..Unsettled::plain(name, text) });
    }
    let folder = folder.map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    // The directive gives the lines their file again, because the compiler reads from a pipe.
    let shown_name = name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let input = format!("#line 1 \"{shown_name}\"\n{text}");
    let run = |args: Vec<String>| run_once(name, &input, folder, &[&args, flags].concat(), limits);
    let plain = run(plain_args(&shown_name))?;
    let marked = match may_have_marks(text).then(|| run(marked_args())) {
        None => Marked::Same,
        Some(Ok(marked)) if marked == plain => Marked::Same,
        Some(Ok(marked)) => Marked::Text(marked),
        Some(Err(_)) => Marked::Failed,
    };
    contracts.extend(header_contracts(&plain, &shown_name));
    let root = folder.map(|folder| format!("{}/", folder.display())).unwrap_or_default();
    Ok(Unsettled { name: name.to_owned(), relative: name.to_owned(), root, text: plain, marked, contracts })
}

/// Whether the outcome may depend on macros such as `__LINE__`. Headers of the system use them in assertions only,
/// of which nobody compares what they say.
fn may_have_marks(text: &str) -> bool {
    let includes_a_file = |line: &str| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        directive.is_some_and(|words| words.starts_with("include") && !words.contains('<'))
    };
    MAY_BE_MARKED.iter().any(|word| text.contains(word)) || text.lines().any(includes_a_file)
}

/// The contracts of prototypes in the headers of the user, which the markers of lines name.
fn header_contracts(text: &str, name: &str) -> Vec<contracts::Contract> {
    let mut headers: Vec<&str> = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("# ")) {
        let mut parts = line.splitn(3, '"').skip(1);
        let (Some(file), Some(flags)) = (parts.next(), parts.next()) else { continue };
        let is_of_system = flags.split_whitespace().any(|flag| flag == "3");
        if !is_of_system && file != name && !file.starts_with('<') && !headers.contains(&file) {
            headers.push(file);
        }
    }
    let contracts_of = |header: &str| match std::fs::read_to_string(header) {
        Ok(text) => contracts::read_header(header, &text),
        Err(_) => Vec::new(),
    };
    headers.into_iter().flat_map(contracts_of).collect()
}

/// What `cc -E` writes.
fn run_once(
    name: &str,
    input: &str,
    folder: Option<&Path>,
    args: &[String],
    limits: PreprocessLimits,
) -> Result<String, Vec<Diagnostic>> {
    let compiler = env::var_os("CC").filter(|name| !name.is_empty()).unwrap_or_else(|| OsString::from("cc"));
    let mut command = Command::new(&compiler);
    command.args(frontend_c::preprocessor_args()).args(args);
    if let Some(folder) = folder {
        command.arg("-iquote").arg(folder);
    }
    command.args(["-x", "c", "-"]);
    // Its messages are read by us, so that they have to be in one language.
    command.env("LC_ALL", "C");
    let shown = compiler.to_string_lossy();
    let limits = limits.limits();
    match process::run(&mut command, input.as_bytes().to_vec(), limits) {
        Ok(finished) => {
            if let Some(limit) = exceeded(&finished, limits) {
                let message = format!("`{shown} -E` {limit}: does it include a device, a pipe or itself?");
                return Err(whole_file(name, message));
            }
            if !finished.is_success() {
                let how = match finished.signal() {
                    Some(signal) => format!("`{shown} -E` died of {signal}"),
                    None => format!("`{shown} -E` failed without a word"),
                };
                return Err(complaints(name, &String::from_utf8_lossy(&finished.stderr), &how));
            }
            String::from_utf8(finished.stdout)
                .map_err(|_| whole_file(name, "its includes are not UTF-8 text".to_owned()))
        }
        Err(error) => Err(whole_file(
            name,
            format!(
                "it has preprocessor directives, but `{shown}` cannot be run ({error}): install a C compiler, or name one with CC"
            ),
        )),
    }
}

/// Which limit the preprocessor ran into, in words.
fn exceeded(finished: &Finished, limits: Limits) -> Option<String> {
    let stderr = String::from_utf8_lossy(&finished.stderr);
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| stderr.contains(phrase));
    let memory = ["out of memory", "memory exhausted", "Cannot allocate memory", "bad_alloc"];
    if finished.ended_by == Some(Limit::Time)
        || (!finished.is_success() && says(&["CPU time limit exceeded"]))
    {
        return Some(format!("took longer than {} s", limits.time.as_secs_f64()));
    }
    if finished.ended_by == Some(Limit::Memory) || (!finished.is_success() && says(&memory)) {
        return Some(format!("needs more than {} MB of memory", limits.memory.megabytes()));
    }
    // What is cut off may still parse, and would then be another program.
    finished.is_cut_off.then(|| format!("writes more than {} MB", limits.output >> 20))
}

/// The errors that the compiler writes as `file:line:column: error: message`.
fn complaints(name: &str, stderr: &str, otherwise: &str) -> Vec<Diagnostic> {
    let errors: Vec<_> = stderr.lines().filter_map(complaint).collect();
    if errors.is_empty() {
        let first = stderr.lines().map(str::trim).find(|line| !line.is_empty());
        return whole_file(name, quoted(first.unwrap_or(otherwise)));
    }
    errors
}

fn complaint(line: &str) -> Option<Diagnostic> {
    let marks = [": fatal error: ", ": error: "];
    let (place, message) = marks.iter().find_map(|mark| line.split_once(mark))?;
    let mut parts = place.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    let file = parts.next()?.to_owned();
    Some(Diagnostic { file, line, column, message: quoted(message), help: None })
}

fn whole_file(name: &str, message: String) -> Vec<Diagnostic> {
    vec![Diagnostic { file: name.to_owned(), line: 0, column: 0, message, help: None }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_compiler_keep_their_place() {
        let stderr = "a:b.c:3:10: fatal error: nothing.h: No such file or directory\n    3 | #include\n";
        let errors = complaints("a:b.c", stderr, "");
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].to_string(), "a:b.c:3:10: nothing.h: No such file or directory");
    }

    #[test]
    fn a_name_may_have_a_line_end() {
        let text = "#define A 1\nint x = A;\n";
        match preprocess("a\nb.c", text, None, PreprocessLimits::USUAL) {
            Ok(file) => assert!(file.text.contains("int x = 1;"), "{file:?}"),
            Err(errors) => assert!(errors[0].message.contains("cannot be run"), "{errors:?}"),
        }
    }

    #[test]
    fn a_compiler_without_words_is_described() {
        assert_eq!(complaints("a.c", "\n \n", "`cc -E` died")[0].to_string(), "a.c: `cc -E` died");
    }
}
