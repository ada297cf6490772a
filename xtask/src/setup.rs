//! Fetches the pinned solver: the wheel of `z3-solver` carries the program that we need, and pip knows the platform.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use casekit::process;

/// The version of the wheel. A change here makes `setup` fetch again.
const WHEEL: &str = "z3-solver==5.4.0.0";
/// What the program of that wheel says of itself.
const VERSION: (u32, u32, u32) = (5, 4, 0);
/// The oldest solver on PATH that will do when nothing can be fetched.
const OLDEST: (u32, u32, u32) = (4, 12, 0);

/// Takes the solver out of the wheel, which is a zip file; the only tool at hand for that is Python's own.
const EXTRACT: &str = "
import glob, sys, zipfile
folder, target = sys.argv[1:]
wheel = zipfile.ZipFile(glob.glob(folder + '/*.whl')[0])
name = next(n for n in wheel.namelist() if n.endswith('.data/data/bin/z3'))
open(target, 'wb').write(wheel.read(name))
";

/// Makes sure that a good solver is there, and says where.
pub(crate) fn install(root: &Path) -> Result<PathBuf> {
    install_with(&target_folder(root).join("solver"), OsStr::new("python3"))
}

fn install_with(folder: &Path, python: &OsStr) -> Result<PathBuf> {
    let solver = folder.join("z3");
    if fs::read_to_string(stamp(folder)).is_ok_and(|stamp| stamp == WHEEL) && version(&solver).is_some() {
        return Ok(solver);
    }
    if version(&solver) == Some(VERSION) {
        fs::write(stamp(folder), WHEEL)?;
        return Ok(solver);
    }
    match fetch(folder, &solver, python) {
        Ok(()) => Ok(solver),
        Err(error) => match version(Path::new("z3")) {
            Some(found) if found >= OLDEST => {
                eprintln!("xtask: {WHEEL} could not be fetched ({error:#}); using the z3 on PATH instead");
                Ok(PathBuf::from("z3"))
            }
            _ => Err(error),
        },
    }
}

/// Where the solver goes: `target` in the workspace, whatever the folder of the build is.
fn target_folder(root: &Path) -> PathBuf {
    root.join("target")
}

fn stamp(folder: &Path) -> PathBuf {
    folder.join("version")
}

fn fetch(folder: &Path, solver: &Path, python: &OsStr) -> Result<()> {
    println!("Fetching {WHEEL} ...");
    let scratch = folder.join("wheel");
    if scratch.exists() {
        fs::remove_dir_all(&scratch)?;
    }
    fs::create_dir_all(&scratch).with_context(|| format!("cannot make {}", scratch.display()))?;
    let works =
        |arguments: &[&str]| Command::new(python).args(arguments).output().is_ok_and(|o| o.status.success());
    if !works(&["--version"]) {
        bail!(
            "the solver is fetched with Python's pip, but `python3` cannot be run; install Python 3, or put a z3 of at least 4.12 on PATH"
        );
    }
    if !works(&["-m", "pip", "--version"]) {
        bail!(
            "the solver is fetched with `python3 -m pip`, but pip is missing; install it (Debian: apt install python3-pip), or put a z3 of at least 4.12 on PATH"
        );
    }
    let mut download = Command::new(python);
    download.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    download.args(["--only-binary=:all:", WHEEL, "--dest"]).arg(&scratch);
    process::output(&mut download).context("the solver could not be fetched")?;
    // The program is written under another name first, so that an interrupted setup leaves nothing half-done.
    let partial = folder.join("z3.partial");
    process::output(Command::new(python).args(["-c", EXTRACT]).arg(&scratch).arg(&partial))
        .context("the wheel has no solver in it")?;
    make_executable(&partial)?;
    match version(&partial) {
        Some(VERSION) => {}
        other => bail!("the fetched solver does not run here, or is not the pinned one (it says {other:?})"),
    }
    fs::rename(&partial, solver)?;
    fs::write(stamp(folder), WHEEL)?;
    fs::remove_dir_all(&scratch)?;
    Ok(())
}

fn make_executable(path: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// The version that a solver says it has; nothing if it cannot be run.
fn version(solver: &Path) -> Option<(u32, u32, u32)> {
    let output = Command::new(solver).arg("--version").output().ok()?;
    parse_version(&String::from_utf8(output.stdout).ok()?)
}

/// Reads `Z3 version 5.4.0 - 64 bit`.
fn parse_version(text: &str) -> Option<(u32, u32, u32)> {
    let number = text.strip_prefix("Z3 version ")?.split_whitespace().next()?;
    let mut parts = number.split('.').map(|part| part.parse::<u32>().ok());
    Some((parts.next()??, parts.next()??, parts.next()??))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs;

    use super::{WHEEL, install_with, parse_version, stamp};

    #[test]
    fn the_version_is_read_from_what_the_solver_says() {
        assert_eq!(parse_version("Z3 version 5.4.0 - 64 bit\n"), Some((5, 4, 0)));
        assert_eq!(parse_version("cvc5 1.0"), None);
    }

    #[test]
    #[cfg(unix)]
    fn a_solver_with_its_stamp_is_not_fetched_again() {
        let folder = tempfile::tempdir().unwrap();
        let solver = folder.path().join("z3");
        fs::write(&solver, "#!/bin/sh\necho Z3 version 5.4.0 - 64 bit\n").unwrap();
        super::make_executable(&solver).unwrap();
        // Without the stamp the version decides; the stamp is then there for the next time.
        assert_eq!(install_with(folder.path(), OsStr::new("no-such-python")).unwrap(), solver);
        assert_eq!(fs::read_to_string(stamp(folder.path())).unwrap(), WHEEL);
        assert_eq!(install_with(folder.path(), OsStr::new("no-such-python")).unwrap(), solver);
    }

    #[test]
    fn without_python_the_error_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        match install_with(folder.path(), OsStr::new("no-such-python")) {
            Err(error) => assert!(error.to_string().contains("install Python 3"), "{error:#}"),
            // A machine with a recent z3 on PATH needs no Python.
            Ok(solver) => assert_eq!(solver.as_os_str(), "z3"),
        }
    }
}
