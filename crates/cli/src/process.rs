//! Runs other programs under limits of time, output and memory, and leaves none of them behind.

use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// What a program may use up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) time: Duration,
    /// Bytes kept of each stream; more are read and thrown away.
    pub(crate) output: usize,
    /// The size of the largest file that it may write.
    pub(crate) file_bytes: u64,
    /// Address space; unlimited for programs that reserve more than they use, such as `java`.
    pub(crate) memory_bytes: Option<u64>,
}

/// A program that came to its end, or was ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) timed_out: bool,
}

impl Finished {
    pub(crate) fn is_success(&self) -> bool {
        self.status.success() && !self.timed_out
    }

    /// The name of the signal that ended the program.
    pub(crate) fn signal(&self) -> Option<&'static str> {
        self.status.signal().map(signal_name)
    }
}

/// Runs a program to its end or to its limits.
pub(crate) fn run(command: &mut Command, input: Vec<u8>, limits: Limits) -> io::Result<Finished> {
    let deadline = Instant::now() + limits.time;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own, so that the helpers it starts can be ended with it.
    command.process_group(0);
    let set_limits = move || restrict(limits);
    // SAFETY: between fork and exec only system calls are made, and nothing is allocated.
    unsafe { command.pre_exec(set_limits) };
    let mut child = command.spawn()?;
    feed(&mut child, input);
    let stdout = collect(child.stdout.take(), limits.output);
    let stderr = collect(child.stderr.take(), limits.output);
    let (status, timed_out) = wait(&mut child, deadline)?;
    // Whatever the program left running in its group goes too, or the streams would stay open.
    end_group(&child);
    Ok(Finished { status, stdout: received(&stdout), stderr: received(&stderr), timed_out })
}

/// Called in the child before the program starts.
fn restrict(limits: Limits) -> io::Result<()> {
    set(libc::RLIMIT_CORE, 0)?;
    set(libc::RLIMIT_CPU, limits.time.as_secs() + 2)?;
    set(libc::RLIMIT_FSIZE, limits.file_bytes)?;
    if let Some(bytes) = limits.memory_bytes {
        set(libc::RLIMIT_AS, bytes)?;
    }
    // SAFETY: a plain system call.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    Ok(())
}

/// Sets a limit of this process, never above what it may have.
pub(crate) fn set(resource: libc::__rlimit_resource_t, value: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointers are to a live local of the right type.
    unsafe {
        if libc::getrlimit(resource, &raw mut limit) != 0 {
            return Err(io::Error::last_os_error());
        }
        limit.rlim_cur = value.min(limit.rlim_max);
        if libc::setrlimit(resource, &raw const limit) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Writes the input from a thread of its own: the program may answer before it has read everything.
fn feed(child: &mut Child, input: Vec<u8>) {
    if let Some(mut stdin) = child.stdin.take() {
        thread::spawn(move || {
            // A program that does not want its input closes the pipe; that is its own affair.
            let _ = stdin.write_all(&input);
        });
    }
}

fn collect(stream: Option<impl Read + Send + 'static>, most: usize) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut kept = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.by_ref().take(most as u64).read_to_end(&mut kept);
            let _ = io::copy(&mut stream, &mut io::sink());
        }
        let _ = sender.send(kept);
    });
    receiver
}

fn received(receiver: &mpsc::Receiver<Vec<u8>>) -> Vec<u8> {
    // Should somebody outside the group hold the stream open, what came is lost, but nothing hangs.
    receiver.recv_timeout(Duration::from_secs(1)).unwrap_or_default()
}

fn wait(child: &mut Child, deadline: Instant) -> io::Result<(ExitStatus, bool)> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status, false));
        }
        if Instant::now() >= deadline {
            end_group(child);
            return Ok((child.wait()?, true));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

fn end_group(child: &Child) {
    let group = libc::pid_t::try_from(child.id()).expect("process ids should fit their own type");
    // SAFETY: a plain system call; the group is that of our own child.
    unsafe { libc::kill(-group, libc::SIGKILL) };
}

/// The usual name of a signal.
pub(crate) fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGINT => "SIGINT",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGTERM => "SIGTERM",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        _ => "a signal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(seconds: u64) -> Limits {
        Limits { time: Duration::from_secs(seconds), output: 1000, file_bytes: 1000, memory_bytes: None }
    }

    #[test]
    fn a_program_gets_its_input_and_gives_its_output() {
        let finished = run(&mut Command::new("cat"), b"hello".to_vec(), limits(10)).unwrap();
        assert!(finished.is_success());
        assert_eq!(finished.stdout, b"hello");
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_all_that_it_started() {
        let start = Instant::now();
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 60 & sleep 60"]);
        let finished = run(&mut command, Vec::new(), limits(1)).unwrap();
        assert!(finished.timed_out && !finished.is_success());
        assert!(start.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn endless_output_is_cut_off() {
        let mut command = Command::new("sh");
        command.args(["-c", "head -c 100000 /dev/zero"]);
        let finished = run(&mut command, Vec::new(), limits(10)).unwrap();
        assert_eq!(finished.stdout.len(), 1000);
        assert!(finished.is_success());
    }
}
