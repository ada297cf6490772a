//! Finds the solver program. Without one, checks still decide what needs no solver, and say what they lack.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The solver that was asked for, or the first that is found. `None` when there is none.
pub fn find(asked: Option<PathBuf>) -> Result<Option<PathBuf>, String> {
    let by_environment = env::var_os("SELFSAME_SOLVER").filter(|path| !path.is_empty()).map(PathBuf::from);
    if let Some(path) = asked.or(by_environment) {
        return match resolve(&path) {
            Some(found) => Ok(Some(found)),
            None => Err(format!("there is no solver program at {}", path.display())),
        };
    }
    Ok(beside_executable().or_else(|| on_path(OsStr::new("z3"))))
}

/// A path as it is, or a bare name looked up on PATH.
fn resolve(path: &Path) -> Option<PathBuf> {
    if path.components().count() > 1 || path.is_absolute() {
        return is_program(path).then(|| path.to_owned());
    }
    on_path(path.as_os_str())
}

/// `cargo xtask setup` puts the solver at `target/solver/z3`; the executable lies some folders below `target`,
/// or in the `bin` folder of an installation.
fn beside_executable() -> Option<PathBuf> {
    let executable = env::current_exe().ok()?;
    let folders = executable.ancestors().skip(1).take(6);
    folders
        .flat_map(|folder| [folder.join("solver/z3"), folder.join("target/solver/z3")])
        .find(|path| is_program(path))
}

fn on_path(name: &OsStr) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}
