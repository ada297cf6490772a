//! Checks the layout of the project, so that what `docs/architecture.md` says stays true.
//!
//! Each check gives complaints that name a file (and a line) and say what to do.

mod arrows;
mod cycles;
mod documents;
mod sources;

use std::path::Path;

use anyhow::{Result, bail};

/// Runs all checks and shows what they complain about.
pub(crate) fn run(root: &Path) -> Result<()> {
    let complaints = complaints(root)?;
    for complaint in &complaints {
        println!("{complaint}");
    }
    match complaints.len() {
        0 => println!("Tidy."),
        count => bail!("{count} things are not tidy"),
    }
    Ok(())
}

fn complaints(root: &Path) -> Result<Vec<String>> {
    let mut complaints = sources::check(root)?;
    complaints.extend(arrows::check(root)?);
    complaints.extend(cycles::check(root)?);
    complaints.extend(documents::check(root)?);
    Ok(complaints)
}

#[cfg(test)]
mod tests {
    use casekit::workspace;

    #[test]
    fn the_project_is_tidy() {
        let complaints = super::complaints(&workspace::root()).unwrap();
        assert!(complaints.is_empty(), "`cargo xtask tidy` complains:\n{}", complaints.join("\n"));
    }
}
