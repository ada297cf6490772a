//! The worker: checks pairs for its parent, in a process of its own that may be killed at any moment.
//!
//! On standard input: a job, then one request for each pair. On standard output: one message for each of them.
//! All of them are JSON, one to a line.

use std::io::{self, BufRead, Write};
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use check::Threads;
use report::{PairHeader, ReasonReport};
use rustix::process::{Resource, Signal, set_parent_process_death_signal};

use crate::exit_code::Exit;
use crate::job::Job;
use crate::process;
use crate::session::{self, Session};
use crate::wire::{Answer, Message, Request};

/// Recursion over nested source needs some stack; the front ends bound the nesting.
const STACK_BYTES: u64 = 256 << 20;

/// Serves the parent until it closes the pipe.
pub(crate) fn run() -> ExitCode {
    // The worker dies with the thread that started it.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    record_panics();
    let mut line = String::new();
    if io::stdin().lock().read_line(&mut line).is_err() {
        return Exit::BadInput.into();
    }
    let Ok(job) = serde_json::from_str::<Job>(&line) else { return Exit::BadInput.into() };
    drop(line);
    let memory = job.options.memory_mb.saturating_mul(1 << 20);
    let stack = stack_bytes(memory);
    if process::set(Resource::As, memory).is_err() {
        return Exit::OurBug.into();
    }
    let server = thread::Builder::new().stack_size(stack).spawn(move || serve(job, Room { memory, stack }));
    let Ok(server) = server else {
        // The memory is too small for a stack. Say so in the words of an allocation that fails.
        eprintln!("memory allocation of {stack} bytes failed");
        std::process::abort();
    };
    match server.join() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => Exit::OurBug.into(),
    }
}

/// The memory of this worker, and how much of it each thread's stack takes.
#[derive(Clone, Copy)]
struct Room {
    memory: u64,
    stack: usize,
}

impl Room {
    /// As many threads as are wanted; their stacks may take half of the memory.
    fn threads(self, wanted: NonZero<usize>) -> Threads {
        let most = usize::try_from(self.memory / 2).unwrap_or(usize::MAX) / self.stack;
        Threads {
            count: wanted.min(NonZero::new(most).unwrap_or(NonZero::<usize>::MIN)),
            stack_bytes: self.stack,
            head_start: Threads::HEAD_START,
        }
    }
}

/// Stacks count as used memory, so a small limit gets a small one.
fn stack_bytes(memory: u64) -> usize {
    usize::try_from(STACK_BYTES.min(memory / 4)).unwrap_or(1 << 23)
}

fn serve(job: Job, room: Room) {
    let session = match guarded(|| session::open(job)) {
        Ok(Ok(session)) => session,
        Ok(Err(messages)) => return send(&Message::BadInput(messages)),
        Err(what) => return send(&Message::Broken(what)),
    };
    send(&Message::Listed(session.listing().clone()));
    for line in io::stdin().lock().lines() {
        let Some(request) = line.ok().and_then(|line| serde_json::from_str::<Request>(&line).ok()) else {
            return;
        };
        send(&Message::Answered(Box::new(answer(&session, &request, room))));
    }
}

/// Checks a pair; a panic costs this pair its verdict and nothing else.
fn answer(session: &Session, request: &Request, room: Room) -> Answer {
    let time = Duration::from_secs_f64(request.seconds);
    guarded(|| session.check(request.pair, time, room.threads(request.threads))).unwrap_or_else(|what| {
        let header: PairHeader = session.listing().pairs[request.pair].clone();
        let config = session.reported_config();
        let report = header.unknown(vec![ReasonReport::internal(&what)], config, 0.0);
        Answer::only(report)
    })
}

fn send(message: &Message) {
    let mut text = serde_json::to_string(message).expect("messages should be plain data");
    text.push('\n');
    let mut stdout = io::stdout().lock();
    if stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).is_err() {
        // The parent is gone, and with it all who could be interested.
        std::process::exit(0);
    }
}

/// What the last panic said, on whichever thread it was: a worker decides one pair at a time.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keeps what a panic says for the report, instead of printing it.
fn record_panics() {
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let message = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let message = message.unwrap_or("panic without a message");
        let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = Some(format!("{message}{place}"));
        }
    }));
}

/// Runs something of ours; says what a panic said.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let said = LAST_PANIC.lock().ok().and_then(|mut last| last.take());
        let said = said.unwrap_or_else(|| "panic without a message".to_owned());
        // One that was caught on its way may have got a text of its own, which says where it came from.
        match payload.downcast_ref::<String>() {
            Some(text) if !said.starts_with(text.as_str()) => format!("{text}: {said}"),
            _ => said,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_with_its_place_and_what_was_added_on_its_way() {
        record_panics();
        let plain = guarded(|| panic!("a rule of {} was broken", "ours")).unwrap_err();
        assert!(plain.starts_with("a rule of ours was broken (crates/cli/src/worker.rs:"), "{plain}");
        let raised = guarded(|| {
            let _ = panic::catch_unwind(|| panic!("a rule was broken"));
            panic::resume_unwind(Box::new("while reading A.java".to_owned()))
        });
        let raised: Result<(), String> = raised;
        let raised = raised.unwrap_err();
        assert!(raised.starts_with("while reading A.java: a rule was broken (crates/cli"), "{raised}");
        let _ = panic::take_hook();
    }
}
