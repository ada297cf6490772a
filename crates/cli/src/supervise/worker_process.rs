//! A worker seen from its parent: started, asked, waited for until a deadline, killed.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::process::{quoted, signal_name};
use crate::wire::{Message, Request};

/// A running worker.
pub(super) struct WorkerProcess {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// What was read beyond the last line.
    buffer: Vec<u8>,
    last_words: Option<JoinHandle<String>>,
    /// How many processes the kernel had killed for lack of memory before.
    kernel_kills: u64,
}

/// Why a worker did not answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    /// The deadline passed; the worker was killed.
    TimedOut,
    /// It needed more memory than it may have.
    OutOfMemory,
    /// Somebody else killed it, with this signal.
    Killed(&'static str),
    /// It died of a bug of ours, in words.
    Died(String),
}

impl WorkerProcess {
    /// Starts a worker and gives it its job, one line of JSON.
    pub(super) fn start(job: &[u8]) -> io::Result<WorkerProcess> {
        // The kernel's own link, because the file may be replaced by a newer build while we run.
        let mut command = Command::new("/proc/self/exe");
        command
            .arg0("selfsame")
            .arg("worker")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let kernel_kills = kernel_kills();
        let mut child = command.spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let last_words = child.stderr.take().map(|mut stderr| {
            thread::spawn(move || {
                let mut words = Vec::new();
                let _ = stderr.by_ref().take(64 << 10).read_to_end(&mut words);
                let _ = io::copy(&mut stderr, &mut io::sink());
                String::from_utf8_lossy(&words).into_owned()
            })
        });
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(io::Error::other("the pipes of a worker are missing"));
        };
        let mut worker = WorkerProcess { child, stdin, stdout, buffer: Vec::new(), last_words, kernel_kills };
        // A worker that dies at once breaks the pipe; the reason shows when it is asked.
        let _ = worker.stdin.write_all(job).and_then(|()| worker.stdin.write_all(b"\n"));
        Ok(worker)
    }

    pub(super) fn ask(&mut self, request: &Request) {
        let mut line = serde_json::to_vec(request).expect("requests should be plain data");
        line.push(b'\n');
        let _ = self.stdin.write_all(&line);
    }

    /// Waits for the next message. After a silence the worker is dead.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<Message, Silence> {
        match self.read_line(deadline) {
            Ok(Some(line)) => serde_json::from_slice(&line).map_err(|error| {
                self.kill();
                Silence::Died(format!("a worker said something odd: {error}"))
            }),
            Ok(None) => Err(self.cause_of_death()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                self.kill();
                Err(Silence::TimedOut)
            }
            Err(error) => {
                self.kill();
                Err(Silence::Died(format!("a worker cannot be read from: {error}")))
            }
        }
    }

    fn read_line(&mut self, deadline: Instant) -> io::Result<Option<Vec<u8>>> {
        let mut searched = 0;
        loop {
            if let Some(found) = self.buffer[searched..].iter().position(|byte| *byte == b'\n') {
                let rest = self.buffer.split_off(searched + found + 1);
                let line = std::mem::replace(&mut self.buffer, rest);
                return Ok(Some(line));
            }
            searched = self.buffer.len();
            wait_readable(&self.stdout, deadline)?;
            let mut chunk = [0; 64 << 10];
            match self.stdout.read(&mut chunk) {
                Ok(0) => return Ok(None),
                Ok(count) => self.buffer.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// What a worker that closed its pipe died of.
    fn cause_of_death(&mut self) -> Silence {
        let status = match self.child.wait() {
            Ok(status) => status,
            Err(error) => return Silence::Died(format!("a worker cannot be waited for: {error}")),
        };
        let words = self.last_words.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        // Rust's allocator and tree-sitter's say this before they abort.
        let out_of_memory = ["memory allocation of", "failed to allocate", "Cannot allocate memory"];
        if out_of_memory.iter().any(|phrase| words.contains(phrase)) {
            return Silence::OutOfMemory;
        }
        match status.signal() {
            // Where the kernel lacks memory for all of the machine, it kills whom it chooses.
            Some(libc::SIGKILL) if kernel_kills() > self.kernel_kills => return Silence::OutOfMemory,
            Some(signal @ (libc::SIGKILL | libc::SIGTERM | libc::SIGINT | libc::SIGHUP | libc::SIGQUIT)) => {
                return Silence::Killed(signal_name(signal));
            }
            _ => {}
        }
        if words.contains("has overflowed its stack") {
            return Silence::Died("the stack overflowed".to_owned());
        }
        let how = match (status.signal(), status.code()) {
            (Some(signal), _) => format!("a worker died of {}", signal_name(signal)),
            (None, Some(code)) => format!("a worker ended with exit code {code}"),
            (None, None) => "a worker ended".to_owned(),
        };
        match words.lines().find(|line| !line.trim().is_empty()) {
            Some(line) => Silence::Died(format!("{how}: {}", quoted(line))),
            None => Silence::Died(how),
        }
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// How many processes the kernel has killed for lack of memory since the machine started; 0 where it does not say.
fn kernel_kills() -> u64 {
    let counts = fs::read_to_string("/proc/vmstat").unwrap_or_default();
    let count = counts.lines().find_map(|line| line.strip_prefix("oom_kill "));
    count.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

/// Waits until something can be read, or the pipe is closed.
fn wait_readable(stream: &ChildStdout, deadline: Instant) -> io::Result<()> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut polled = [PollFd::new(stream, PollFlags::IN)];
        match poll(&mut polled, Timespec::try_from(left).ok().as_ref()) {
            Ok(0) if left.is_zero() => return Err(io::Error::from(io::ErrorKind::TimedOut)),
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}
