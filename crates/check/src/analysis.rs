//! What is learnt of a pair before anything is proved. Each thing is computed once, when a strategy first asks for it.
//!
//! Alignment and loop pairs are guesses, and traces are a few runs of many: nothing is proved here.

mod loop_pairs;
mod rotations;

use std::cell::OnceCell;

use ir::{Numbers, Pair, Program, Subject, subjects};

use crate::common_code::CommonCode;
use crate::inlining::inlined;
pub(crate) use loop_pairs::LoopPairs;
use rotations::{LoopTest, Rotated, rotations};

/// Programs that were made from those of a pair. The analysis of the pair borrows them.
#[derive(Default)]
pub(crate) struct DerivedPrograms {
    inlined: OnceCell<Option<Pair<Program>>>,
    rotated: OnceCell<Vec<Rotated>>,
}

/// Everything that is learnt of a pair.
pub(crate) struct PairAnalysis<'a> {
    /// The versions as they are: these are run.
    source: Analysis<'a>,
    /// The versions with what only one of them has inlined, unless that is nothing.
    inlined: OnceCell<Option<Analysis<'a>>>,
    /// The inlined versions with rotated loops.
    rotated: OnceCell<Vec<Analysis<'a>>>,
    derived: &'a DerivedPrograms,
    inlines: bool,
}

impl<'a> PairAnalysis<'a> {
    /// Nothing yet; `inlines` says whether strategies see what only one version has inlined.
    pub(crate) fn new(
        pair: Pair<Subject<'a>>,
        numbers: Numbers,
        inlines: bool,
        derived: &'a DerivedPrograms,
    ) -> PairAnalysis<'a> {
        let source = Analysis::of(pair, numbers);
        PairAnalysis { source, inlined: OnceCell::new(), rotated: OnceCell::new(), derived, inlines }
    }

    /// The versions as they are.
    pub(crate) fn source(&self) -> &Analysis<'a> {
        &self.source
    }

    /// The versions that are reasoned about.
    pub(crate) fn versions(&self) -> &Analysis<'a> {
        let inlined = self.inlined.get_or_init(|| {
            let inline = || self.inlines.then(|| inlined(self.source.pair)).flatten();
            let programs = self.derived.inlined.get_or_init(inline).as_ref()?;
            Some(self.of_programs(programs))
        });
        inlined.as_ref().unwrap_or(&self.source)
    }

    /// The procedures that are reasoned about.
    pub(crate) fn pair(&self) -> Pair<Subject<'a>> {
        self.versions().pair
    }

    /// The code that both versions have.
    pub(crate) fn common_code(&self) -> &CommonCode<'a> {
        self.versions().common_code()
    }

    /// The same versions with rotated loops.
    pub(crate) fn rotated(&self) -> &[Analysis<'a>] {
        self.rotated.get_or_init(|| {
            let rotated = self.derived.rotated.get_or_init(|| rotations(self.pair()));
            rotated.iter().map(|it| self.of_programs(&it.programs)).collect()
        })
    }

    /// The versions in which all loops test at their start, if some do not.
    pub(crate) fn unrotated(&self) -> Option<&Analysis<'a>> {
        let all = self.rotated();
        let kinds = self.derived.rotated.get()?;
        // The first one has the loops of both versions rotated.
        all.iter().zip(kinds).find(|(_, kind)| kind.test == LoopTest::AtStart).map(|(analysis, _)| analysis)
    }

    fn of_programs(&self, programs: &'a Pair<Program>) -> Analysis<'a> {
        Analysis::of(subjects(programs, self.source.pair.map(|it| it.procedure)), self.source.numbers)
    }
}

/// What is learnt of two procedures.
pub(crate) struct Analysis<'a> {
    pair: Pair<Subject<'a>>,
    numbers: Numbers,
    common_code: OnceCell<CommonCode<'a>>,
    loops: OnceCell<Option<LoopPairs<'a>>>,
}

impl<'a> Analysis<'a> {
    fn of(pair: Pair<Subject<'a>>, numbers: Numbers) -> Analysis<'a> {
        Analysis { pair, numbers, common_code: OnceCell::new(), loops: OnceCell::new() }
    }

    pub(crate) fn pair(&self) -> Pair<Subject<'a>> {
        self.pair
    }

    pub(crate) fn common_code(&self) -> &CommonCode<'a> {
        self.common_code.get_or_init(|| CommonCode::of(self.pair))
    }

    /// The loops of both versions, if there are any.
    pub(crate) fn loops(&self) -> Option<&LoopPairs<'a>> {
        self.loops.get_or_init(|| LoopPairs::of(self.pair, self.common_code(), self.numbers)).as_ref()
    }
}
