//! Runs the C preprocessor over the user's files.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use ir::Diagnostic;

use crate::process::{self, Limits};

const LIMITS: Limits =
    Limits { time: Duration::from_secs(20), output: 64 << 20, file_bytes: 0, memory_bytes: Some(4 << 30) };

/// The text of a C file after preprocessing. Quoted includes are looked for in the folder.
pub fn preprocess(name: &str, text: &str, folder: Option<&Path>) -> Result<String, Vec<Diagnostic>> {
    if !frontend_c::needs_preprocessor(text) {
        return Ok(text.to_owned());
    }
    let compiler = env::var_os("CC").filter(|name| !name.is_empty()).unwrap_or_else(|| OsString::from("cc"));
    let mut command = Command::new(&compiler);
    command.args(frontend_c::preprocessor_args());
    if let Some(folder) = folder {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        command.arg("-iquote").arg(folder);
    }
    command.args(["-x", "c", "-"]);
    let shown = compiler.to_string_lossy();
    // The directive gives the lines their file again, because the compiler reads from a pipe.
    let input = format!("#line 1 \"{}\"\n{text}", name.replace('\\', "\\\\").replace('"', "\\\""));
    match process::run(&mut command, input.into_bytes(), LIMITS) {
        Ok(finished) if finished.is_success() => String::from_utf8(finished.stdout)
            .map_err(|_| whole_file(name, "its includes are not UTF-8 text".to_owned())),
        Ok(finished) if finished.timed_out => {
            Err(whole_file(name, format!("`{shown} -E` took longer than {} s", LIMITS.time.as_secs())))
        }
        Ok(finished) => Err(complaints(name, &String::from_utf8_lossy(&finished.stderr))),
        Err(error) => Err(whole_file(
            name,
            format!(
                "it has preprocessor directives, but `{shown}` cannot be run ({error}): install a C compiler, or name one with CC"
            ),
        )),
    }
}

/// The errors that the compiler writes as `file:line:column: error: message`.
fn complaints(name: &str, stderr: &str) -> Vec<Diagnostic> {
    let errors: Vec<_> = stderr.lines().filter_map(complaint).collect();
    if errors.is_empty() {
        let first = stderr.lines().next().unwrap_or("the preprocessor failed without a word");
        return whole_file(name, first.to_owned());
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
    Some(Diagnostic { file, line, column, message: message.to_owned(), help: None })
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
        let errors = complaints("a:b.c", stderr);
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].to_string(), "a:b.c:3:10: nothing.h: No such file or directory");
    }
}
