//! Says how far a benchmark is: a bar at a terminal, a line for every run elsewhere; and how to go on after a stop.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Counts finished runs.
pub(crate) struct Progress {
    /// None where nobody looks at a terminal.
    bar: Option<ProgressBar>,
    done: Arc<AtomicUsize>,
    total: usize,
}

impl Progress {
    /// So many runs are to be made, some of which may be done.
    pub(crate) fn start(done: usize, total: usize) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new((total - done) as u64);
            if let Ok(style) =
                ProgressStyle::with_template("{wide_bar} {pos}/{len} runs, {elapsed} gone, {eta} left")
            {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Progress { bar, done: Arc::new(AtomicUsize::new(done)), total }
    }

    /// One more is done; the line says what came out.
    pub(crate) fn done(&self, line: &str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        match &self.bar {
            Some(bar) => bar.inc(1),
            None => eprintln!("selfsame: {done} of {}: {line}", self.total),
        }
    }

    /// Something that must be seen now.
    pub(crate) fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("selfsame: {line}")),
            None => eprintln!("selfsame: {line}"),
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Ends the program with a hint when it is interrupted. Finished runs are on disk already, and workers die with
    /// their parent.
    pub(crate) fn watch_for_interrupts(&self, out: Option<PathBuf>) {
        // Without signals an interrupt still ends the program, only without the hint.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        let (done, total) = (Arc::clone(&self.done), self.total);
        thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                let done = done.load(Ordering::Relaxed);
                eprintln!("\nselfsame: interrupted; {done} of {total} runs are finished");
                match out {
                    Some(folder) => eprintln!(
                        "selfsame: they are kept in {}: the same command with --resume goes on from here",
                        folder.display()
                    ),
                    None => eprintln!(
                        "selfsame: nothing is kept without --out FOLDER; with it, --resume can go on"
                    ),
                }
                std::process::exit(128 + signal);
            }
        });
    }
}
