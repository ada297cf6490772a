//! One pair with one strategy, in a worker process that is killed when its time is over.

use std::path::PathBuf;
use std::time::Instant;

use ir::{Language, Pair};
use report::bench::RunRecord;

use super::choose::ChosenCase;
use crate::args::BenchArguments;
use crate::effort::Effort;
use crate::job::{Job, Sources, Unit};
use crate::options::Options;
use crate::place_macros::{Unsettled, settle};
use crate::preprocess::{PreprocessLimits, preprocess};
use crate::supervise::{self, Machine};

/// Everything that there is to run.
pub(crate) struct Plan<'a> {
    pub(crate) arguments: &'a BenchArguments,
    pub(crate) solver: Option<PathBuf>,
    pub(crate) cases: Vec<ChosenCase>,
    pub(crate) strategies: Vec<String>,
}

impl Plan<'_> {
    /// The options of a run: the pair's own, except for what the run decides.
    pub(crate) fn options(&self, chosen: &ChosenCase, strategy: &str) -> Options {
        let own = &chosen.case.options;
        Options {
            function: Some(chosen.case.function.clone()),
            math: chosen.numbers == ir::Numbers::Math,
            strategy: strategy.to_owned(),
            bound: self.arguments.bound.or(own.bound),
            seconds: self.arguments.timeout,
            effort: Effort::that_fits(self.arguments.timeout).steps().get(),
            solver: self.solver.clone(),
            ..own.clone()
        }
    }

    /// Runs a pair. Whatever happens to it ends up in the record.
    pub(crate) fn run(&self, chosen: &ChosenCase, strategy: &str) -> RunRecord {
        if let Some(problem) = &chosen.case.problem {
            return RunRecord::not_run(problem.clone());
        }
        let started = Instant::now();
        let answered = self.answers(chosen, strategy, started);
        let seconds = (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        match answered {
            Ok(answers) => RunRecord::of(&answers, seconds),
            Err(messages) => RunRecord::without_verdict(messages.join("; "), seconds),
        }
    }

    fn answers(
        &self,
        chosen: &ChosenCase,
        strategy: &str,
        started: Instant,
    ) -> Result<Vec<report::PairReport>, Vec<String>> {
        let case = &chosen.case;
        let Some(language) = Language::named(&case.language) else {
            return Err(vec![format!("selfsame does not read the language `{}`", case.language)]);
        };
        let options = self.options(chosen, strategy);
        let limits = PreprocessLimits { seconds: options.seconds, memory_mb: options.memory_mb };
        let sources = case.texts.as_ref().zip(case.folders.as_ref());
        let prepared = sources.try_map(|(source, folder)| match language {
            Language::Java => Ok(Unsettled::plain(&source.name, &source.text)),
            Language::C => preprocess(&source.name, &source.text, folder.as_deref(), limits),
        });
        let prepared = prepared
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())?
            .map(|file| [file.named(file_name(&case.texts.new.name))]);
        let Pair { old, new } =
            settle(prepared.as_ref().map(|file| &file[..])).map(|files| Sources { files, tolerant: false });
        let job = Job { units: vec![Unit { language, old, new }], options };
        let machine = Machine { jobs: 1, cores: Machine::cores() / super::jobs(self.arguments) };
        let supervised = supervise::run(&job, machine, started, &|_, _| {})?;
        let listing = supervised.listing;
        if supervised.answers.is_empty() {
            let names = listing.removed.iter().chain(&listing.added).map(|found| format!("`{}`", found.name));
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(vec![format!("no procedure of one version goes with one of the other: {names}")]);
        }
        Ok(supervised.answers.into_iter().map(|answer| answer.report).collect())
    }
}

/// A path without its folders.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
