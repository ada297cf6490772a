//! Panics of a front end: which file to blame, so that it alone is left out.
//!
//! Over-approximating: where no file makes the front end panic alone, or is needed for it, all files are to blame.

use std::panic::{self, AssertUnwindSafe};

use ir::{Diagnostic, Pair};

use super::FrontEndResult;
use crate::job::Source;

/// What lowers the files of both versions.
pub(super) type FrontEnd<'a> = &'a dyn Fn(Pair<&[Source]>) -> Pair<FrontEndResult>;

/// Lowers both versions. A panic is an error of the files that are to blame for it.
pub(super) fn guarded(front_end: FrontEnd<'_>, files: Pair<&[Source]>) -> Pair<FrontEndResult> {
    let what = match attempt(front_end, files) {
        Ok(results) => return results,
        Err(what) => what,
    };
    let panics = |files: Pair<&[Source]>| attempt(front_end, files).is_err();
    let is_bad_alone = |file: &Source| {
        let alone = std::slice::from_ref(file);
        panics(Pair::new(alone, alone))
    };
    let mut blamed = files.map(|files| files.iter().filter(|file| is_bad_alone(file)).collect::<Vec<_>>());
    if blamed.old.is_empty() && blamed.new.is_empty() {
        blamed = needed(&panics, files);
    }
    blamed.map(|files| Err(files.into_iter().map(|file| Diagnostic::bug(&file.name, &what)).collect()))
}

/// In each version that makes the front end panic, one file without which it does not; all files if there is none.
fn needed<'a>(panics: &dyn Fn(Pair<&[Source]>) -> bool, files: Pair<&'a [Source]>) -> Pair<Vec<&'a Source>> {
    let panics_with = |files: &[Source]| panics(Pair::new(files, files));
    let blamed = files.map(|files| {
        if files.len() < 2 || !panics_with(files) {
            return Vec::new();
        }
        let without = |index: usize| {
            let rest = files.iter().enumerate().filter(|(place, _)| *place != index);
            rest.map(|(_, file)| file.clone()).collect::<Vec<_>>()
        };
        let helps = (0..files.len()).find(|index| !panics_with(&without(*index)));
        helps.map_or_else(|| files.iter().collect(), |index| vec![&files[index]])
    });
    match blamed.old.is_empty() && blamed.new.is_empty() {
        true => files.map(|files| files.iter().collect()),
        false => blamed,
    }
}

/// Runs the front end; says what a panic said.
fn attempt(front_end: FrontEnd<'_>, files: Pair<&[Source]>) -> Result<Pair<FrontEndResult>, String> {
    panic::catch_unwind(AssertUnwindSafe(|| front_end(files))).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        text.unwrap_or("panic without a message").to_owned()
    })
}
