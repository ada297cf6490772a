//! A child process over two pipes: commands in, replies out, never waiting once the check is killed or told to stop.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::Duration;

use budget::Kill;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, Signal, kill_process_group};

use super::answer::{Failure, quoted};
use super::{StopFlag, allocations, spawn};

/// How often somebody who waits looks whether the flag was raised.
const WAKE_UP: Duration = Duration::from_millis(10);

/// How long a reply may be: the largest models and predicates that can be read in time are far smaller.
const LONGEST_REPLY: usize = 32 << 20;

/// A running solver.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    exchanges: u64,
}

impl Process {
    pub(super) fn start(program: &Path, args: &[String], memory_mb: u64) -> io::Result<Process> {
        let mut child = spawn::spawn(program, args, memory_mb)?;
        let input = child.stdin.take().expect("standard input should be piped");
        let output = child.stdout.take().expect("standard output should be piped");
        ioctl_fionbio(&input, true)?;
        ioctl_fionbio(&output, true)?;
        Ok(Process { child, input, output, exchanges: 0 })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the process still runs.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends commands and returns all that the process prints in reply to them.
    pub(super) fn exchange(&mut self, text: &str, kill: &Kill, stop: &StopFlag) -> Result<String, Failure> {
        self.exchanges += 1;
        // The end of the replies is known by a word that the solver is asked to repeat.
        let marker = format!("selfsame-{}", self.exchanges);
        let message = format!("{text}(echo \"{marker}\")\n");
        let mut unsent = message.as_bytes();
        let mut received: Vec<u8> = Vec::new();
        loop {
            let ready = self.wait(!unsent.is_empty(), kill, stop)?;
            if ready.readable && self.read(&mut received)? == 0 {
                return Err(self.death(&received));
            }
            if let Some(replies) = without_marker(&received, &marker) {
                return Ok(replies);
            }
            if received.len() > LONGEST_REPLY {
                let beginning = String::from_utf8_lossy(&received[..received.len().min(1 << 12)]);
                let size = LONGEST_REPLY >> 20;
                return Err(Failure::Protocol(format!("more than {size} MB without an end: {beginning}")));
            }
            if ready.writable {
                match self.input.write(unsent) {
                    Ok(count) => unsent = &unsent[count..],
                    Err(error) if is_transient(&error) => {}
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => unsent = &[],
                    Err(error) => return Err(Failure::Io(error)),
                }
            }
        }
    }

    /// Reads what is there; 0 means that the process closed its output.
    fn read(&mut self, received: &mut Vec<u8>) -> Result<usize, Failure> {
        let mut buffer = [0; 1 << 16];
        match self.output.read(&mut buffer) {
            Ok(count) => {
                received.extend_from_slice(&buffer[..count]);
                Ok(count)
            }
            Err(error) if is_transient(&error) => Ok(1),
            Err(error) => Err(Failure::Io(error)),
        }
    }

    /// Waits until there is something to read, or room to write if that is wanted.
    fn wait(&self, to_write: bool, kill: &Kill, stop: &StopFlag) -> Result<Ready, Failure> {
        let mut descriptors =
            [PollFd::new(&self.output, PollFlags::IN), PollFd::new(&self.input, PollFlags::OUT)];
        let count = if to_write { 2 } else { 1 };
        loop {
            let left = kill.time_left().unwrap_or(Duration::MAX);
            if left.is_zero() {
                return Err(Failure::Killed);
            }
            if stop.is_raised() {
                return Err(Failure::Stopped);
            }
            let pause = Timespec::try_from(left.min(WAKE_UP)).expect("a short time should fit");
            match poll(&mut descriptors[..count], Some(&pause)) {
                Ok(0) | Err(Errno::INTR | Errno::AGAIN) => {}
                Ok(_) => {
                    let is_ready = |descriptor: &PollFd<'_>| !descriptor.revents().is_empty();
                    let writable = to_write && is_ready(&descriptors[1]);
                    return Ok(Ready { readable: is_ready(&descriptors[0]), writable });
                }
                Err(error) => return Err(Failure::Io(error.into())),
            }
        }
    }

    /// What to say of a process that closed its output.
    fn death(&mut self, last_words: &[u8]) -> Failure {
        let last_words = String::from_utf8_lossy(last_words);
        if last_words.contains(allocations::LAST_WORDS) {
            return Failure::Allocations;
        }
        if last_words.contains("out of memory") || last_words.contains("bad_alloc") {
            return Failure::Memory;
        }
        // It closed its output, so that it is about to end if it has not yet.
        self.kill();
        let status = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        Failure::Died(format!("{status} {}", quoted(&last_words)).trim().to_owned())
    }

    fn kill(&mut self) {
        if self.is_alive() {
            // The child is not yet waited for, so that the group is its own.
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        // Waiting leaves no zombie; it is short, for nothing survives that signal.
        let _ = self.child.wait();
    }
}

struct Ready {
    readable: bool,
    writable: bool,
}

fn is_transient(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// The replies, if the marker has come: as the last line, with or without quotes.
fn without_marker(received: &[u8], marker: &str) -> Option<String> {
    let text = received.strip_suffix(b"\n")?;
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let text = text.strip_suffix(b"\"").unwrap_or(text);
    let text = text.strip_suffix(marker.as_bytes())?;
    let text = text.strip_suffix(b"\"").unwrap_or(text);
    (text.is_empty() || text.ends_with(b"\n")).then(|| String::from_utf8_lossy(text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marker_ends_the_replies_only_on_a_line_of_its_own() {
        assert_eq!(without_marker(b"sat\nselfsame-1\n", "selfsame-1").as_deref(), Some("sat\n"));
        assert_eq!(without_marker(b"\"selfsame-1\"\n", "selfsame-1").as_deref(), Some(""));
        assert_eq!(without_marker(b"sat selfsame-1\n", "selfsame-1"), None);
        assert_eq!(without_marker(b"sat\nselfsame-1", "selfsame-1"), None);
        assert_eq!(without_marker(b"sat\nselfsame-12\n", "selfsame-1"), None);
    }
}
