//! Versions with rotated loops. Exact: each version does what it did.

use ir::{Pair, Program, Subject};

/// Where all loops of a rotated version test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LoopTest {
    AtStart,
    AtEnd,
}

/// Both versions, with the loops of at least one of them rotated.
pub(super) struct Rotated {
    pub(super) test: LoopTest,
    pub(super) programs: Pair<Program>,
}

/// All rotations of a pair; for each place of the test, first those of both versions.
pub(super) fn rotations(pair: Pair<Subject<'_>>) -> Vec<Rotated> {
    [LoopTest::AtStart, LoopTest::AtEnd].into_iter().flat_map(|test| with_test(pair, test)).collect()
}

fn with_test(pair: Pair<Subject<'_>>, test: LoopTest) -> Vec<Rotated> {
    let rotated = pair.map(|subject| match test {
        LoopTest::AtStart => rewrite::unrotate_loops(subject.program),
        LoopTest::AtEnd => rewrite::rotate_loops(subject.program),
    });
    let Pair { old, new } = rotated.clone();
    let choices = match (&rotated.old, &rotated.new) {
        (None, None) => Vec::new(),
        (Some(_), Some(_)) => vec![rotated, Pair { old, new: None }, Pair { old: None, new }],
        (Some(_), None) | (None, Some(_)) => vec![rotated],
    };
    let or_as_written = |(subject, program): (Subject<'_>, Option<Program>)| {
        program.unwrap_or_else(|| subject.program.clone())
    };
    choices
        .into_iter()
        .map(|choice| Rotated { test, programs: pair.zip(choice).map(or_as_written) })
        .collect()
}
