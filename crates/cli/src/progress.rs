//! Progress on standard error: a bar at a terminal, for what takes longer than a second, and elsewhere a line now and
//! then, for what takes much longer.

use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Nobody needs a bar for less than this; a quick check leaves no trace on the screen.
const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN_FRAMES: Duration = Duration::from_millis(100);
/// Logs get a line after each of these.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Shows how many pairs are done, until it is dropped.
pub(crate) struct Progress {
    shared: Arc<Shared>,
    painter: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Clone, Copy, Default)]
struct State {
    done: usize,
    /// Zero while the sources are being read.
    total: usize,
    over: bool,
}

impl Progress {
    pub(crate) fn start() -> Progress {
        let shared = Arc::new(Shared::default());
        let (of_painter, is_terminal) = (Arc::clone(&shared), std::io::stderr().is_terminal());
        let painter = thread::spawn(move || if is_terminal { of_painter.paint() } else { of_painter.log() });
        Progress { shared, painter: Some(painter) }
    }

    pub(crate) fn done(&self, done: usize, total: usize) {
        let mut state = self.shared.state.lock().expect("no thread should panic while it draws");
        (state.done, state.total) = (state.done.max(done), total);
    }
}

impl Drop for Progress {
    /// Takes the bar away, so that the report can be printed.
    fn drop(&mut self) {
        self.shared.state.lock().expect("no thread should panic while it draws").over = true;
        self.shared.changed.notify_all();
        if let Some(painter) = self.painter.take() {
            let _ = painter.join();
        }
    }
}

impl Shared {
    fn paint(&self) {
        if self.wait(PATIENCE).over {
            return;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(ProgressStyle::default_spinner());
        loop {
            let State { done, total, over } = self.wait(BETWEEN_FRAMES);
            if over {
                return bar.finish_and_clear();
            }
            match total {
                0 | 1 => bar.set_message("checking"),
                _ => {
                    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} pairs, {elapsed}")
                    {
                        bar.set_style(style);
                    }
                    bar.set_length(total as u64);
                    bar.set_position(done as u64);
                }
            }
            bar.tick();
        }
    }

    fn log(&self) {
        loop {
            match self.wait(BETWEEN_LINES) {
                State { over: true, .. } => return,
                State { total: 0, .. } => eprintln!("selfsame: reading the sources"),
                State { done, total, .. } => eprintln!("selfsame: {done} of {total} pairs done"),
            }
        }
    }

    /// Waits for a time, or for the end.
    fn wait(&self, time: Duration) -> State {
        let state = self.state.lock().expect("no thread should panic while it draws");
        let waited = self.changed.wait_timeout_while(state, time, |state| !state.over);
        *waited.expect("no thread should panic while it draws").0
    }
}
