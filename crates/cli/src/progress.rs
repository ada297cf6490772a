//! The progress bar: on standard error, at a terminal, when there is something to wait for.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows how many pairs are done. Silent where nobody looks.
pub(crate) struct Progress {
    bar: Mutex<Option<ProgressBar>>,
    wanted: bool,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        Progress { bar: Mutex::new(None), wanted: std::io::stderr().is_terminal() }
    }

    /// A spinner for what takes longer than a second.
    pub(crate) fn waiting(&self, what: &'static str) {
        if !self.wanted {
            return;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        bar.set_style(ProgressStyle::default_spinner());
        bar.set_message(what);
        // Nothing is drawn before the first tick, so that quick checks leave no trace.
        bar.enable_steady_tick(Duration::from_secs(1));
        *self.bar.lock().expect("no thread should panic while it draws") = Some(bar);
    }

    pub(crate) fn done(&self, done: usize, total: usize) {
        if !self.wanted || total < 2 {
            return;
        }
        let mut bar = self.bar.lock().expect("no thread should panic while it draws");
        if bar.as_ref().is_none_or(|bar| bar.length().is_none()) {
            if let Some(spinner) = bar.take() {
                spinner.finish_and_clear();
            }
            let counting =
                ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr_with_hz(10));
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} pairs, {elapsed}") {
                counting.set_style(style);
            }
            *bar = Some(counting);
        }
        if let Some(bar) = &*bar {
            bar.set_position(done as u64);
        }
    }

    /// Takes the bar away before the report is printed.
    pub(crate) fn clear(&self) {
        if let Some(bar) = self.bar.lock().expect("no thread should panic while it draws").take() {
            bar.finish_and_clear();
        }
    }
}

impl Default for Progress {
    fn default() -> Progress {
        Progress::new()
    }
}
