//! Starts the solver's process so that it cannot outlive us or eat the machine's memory.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};

use rustix::process::{self, Pid, Resource, Rlimit, Signal};
use rustix::stdio;

/// Settings of the C library: freed memory is kept for what comes next. Each reset of Z3 frees and makes tables of
/// 16 MB, and the kernel would clear all of their pages again: 8 of the 30 ms that a small question takes.
const KEEPS_MEMORY: [(&str, &str); 2] =
    [("MALLOC_MMAP_THRESHOLD_", "16777216"), ("MALLOC_TRIM_THRESHOLD_", "67108864")];

/// Starts a program with both pipes open; its standard error goes to its standard output.
pub(super) fn spawn(program: &Path, args: &[String], memory_mb: u64) -> io::Result<Child> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.envs(KEEPS_MEMORY);
    // A group of its own, so that whatever it starts is killed with it and a Ctrl-C is ours alone.
    command.process_group(0);
    // Z3 has its own limit; this one is for what that does not count.
    let address_space = memory_mb.saturating_mul(2).saturating_add(1024).saturating_mul(1 << 20);
    let parent = process::getpid();
    let niceness = niceness();
    // SAFETY: the closure runs between fork and exec and makes only async-signal-safe system calls.
    unsafe {
        command.pre_exec(move || prepare_child(parent, address_space, niceness));
    }
    on_spawner(move || command.spawn())
}

/// Called between fork and exec: system calls only, nothing is allocated.
fn prepare_child(parent: Pid, address_space: u64, niceness: i32) -> io::Result<()> {
    let limit = Rlimit { current: Some(address_space), maximum: Some(address_space) };
    process::set_parent_process_death_signal(Some(Signal::KILL))?;
    process::setrlimit(Resource::As, limit)?;
    stdio::dup2_stderr(stdio::stdout())?;
    // The thread that starts it is not the one that it works for. It does its work with any priority.
    let _ = process::setpriority_process(None, niceness);
    // We may have died before the signal was asked for.
    if process::getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}

/// Lets others go first: this thread, and the solvers that it starts, get what those leave of the cores.
pub fn let_others_go_first() {
    const STEP: i32 = 10;
    // Where it fails, nobody goes first.
    let _ = process::setpriority_process(None, niceness().saturating_add(STEP));
}

/// How far back the calling thread stands.
fn niceness() -> i32 {
    process::getpriority_process(None).unwrap_or(0)
}

type Job = Box<dyn FnOnce() + Send>;

/// Runs a job on a thread that never ends: the death signal comes when the *thread* that started
/// the child ends, not when the process does.
fn on_spawner<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> T {
    static SPAWNER: OnceLock<Mutex<Sender<Job>>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (sender, receiver) = channel::<Job>();
        std::thread::spawn(move || {
            for job in receiver {
                job();
            }
        });
        Mutex::new(sender)
    });
    let (sender, receiver) = channel();
    let job: Job = Box::new(move || {
        // The receiver waits below for as long as it takes.
        let _ = sender.send(job());
    });
    let lock = spawner.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    lock.send(job).expect("the spawner thread should live as long as the process");
    drop(lock);
    receiver.recv().expect("the spawner thread should answer")
}
