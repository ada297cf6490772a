//! Where things are in the workspace: for tests, campaigns and chores.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::{Case, Language, read};

/// The folder of the workspace's manifest.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).expect("crates should be below a folder of the workspace").to_owned()
}

/// All files below a folder with this extension, in the order of their names. A missing folder has none.
pub fn files_below(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A path as it is written in reports: from the root of the workspace.
pub fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// Every case of a language, page by page.
pub fn cases(root: &Path, language: Language) -> io::Result<Vec<Case>> {
    let mut cases = Vec::new();
    for path in files_below(&root.join("tests/cases").join(language.name()), "md")? {
        let page = read(&relative(root, &path), &fs::read_to_string(&path)?);
        cases.extend(page.map_err(io::Error::other)?);
    }
    Ok(cases)
}

/// The solver that the environment names, or that `cargo xtask setup` has fetched.
pub fn find_solver(root: &Path) -> Option<PathBuf> {
    let named = env::var_os("SELFSAME_SOLVER").filter(|path| !path.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(root.join("target/solver/z3"))).filter(|path| path.is_file())
}
