//! Runs other programs under limits of time, output and memory, and leaves none of them behind.

mod guardian;
mod resident;

use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What a program may use up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) time: Duration,
    /// Bytes kept of each stream; more are read and thrown away.
    pub(crate) output: usize,
    /// The size of the largest file that it may write.
    pub(crate) file_bytes: u64,
    pub(crate) memory: Memory,
}

/// What a program may use of the memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Memory {
    /// Bytes of address space of each process: the kernel refuses more.
    AddressSpace(u64),
    /// Bytes in use by all processes together, looked at from time to time: for programs that reserve far more than they
    /// use, such as `java` and what has sanitisers.
    Resident(u64),
}

impl Memory {
    pub(crate) fn megabytes(self) -> u64 {
        let (Memory::AddressSpace(bytes) | Memory::Resident(bytes)) = self;
        bytes >> 20
    }
}

/// A program that came to its end, or was ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    /// Which limit ended it.
    pub(crate) ended_by: Option<Limit>,
    /// Whether there was more output than was kept.
    pub(crate) is_cut_off: bool,
}

/// A limit that a program ran into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Limit {
    Time,
    Memory,
}

impl Finished {
    pub(crate) fn is_success(&self) -> bool {
        self.status.success() && self.ended_by.is_none()
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
    let parent = std::process::id();
    let prepare = move || {
        guardian::stand_between(parent)?;
        restrict(limits)
    };
    // SAFETY: between fork and exec only system calls are made, and nothing is allocated.
    unsafe { command.pre_exec(prepare) };
    let mut child = command.spawn()?;
    feed(&mut child, input);
    let stdout = collect(child.stdout.take(), limits.output);
    let stderr = collect(child.stderr.take(), limits.output);
    let waited = wait(&mut child, deadline, limits.memory);
    // Whatever the program left running goes too, or the streams would stay open.
    guardian::end_all(child.id());
    let (status, ended_by) = waited?;
    let (stdout, stderr) = (received(&stdout), received(&stderr));
    let is_cut_off = stdout.is_cut_off || stderr.is_cut_off;
    Ok(Finished { status, stdout: stdout.bytes, stderr: stderr.bytes, ended_by, is_cut_off })
}

/// Called in the child before the program starts.
fn restrict(limits: Limits) -> io::Result<()> {
    set(Resource::Core, 0)?;
    set(Resource::Cpu, limits.time.as_secs() + 2)?;
    set(Resource::Fsize, limits.file_bytes)?;
    match limits.memory {
        Memory::AddressSpace(bytes) => set(Resource::As, bytes),
        Memory::Resident(_) => Ok(()),
    }
}

/// Sets a limit of this process, never above what it may have.
pub(crate) fn set(resource: Resource, value: u64) -> io::Result<()> {
    let maximum = getrlimit(resource).maximum;
    let current = Some(maximum.map_or(value, |maximum| value.min(maximum)));
    Ok(setrlimit(resource, Rlimit { current, maximum })?)
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

/// What came out of a stream.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    is_cut_off: bool,
}

fn collect(stream: Option<impl Read + Send + 'static>, most: usize) -> mpsc::Receiver<Kept> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut kept = Kept::default();
        if let Some(mut stream) = stream {
            let _ = stream.by_ref().take(most as u64).read_to_end(&mut kept.bytes);
            kept.is_cut_off = io::copy(&mut stream, &mut io::sink()).is_ok_and(|rest| rest > 0);
        }
        let _ = sender.send(kept);
    });
    receiver
}

fn received(receiver: &mpsc::Receiver<Kept>) -> Kept {
    // Should somebody hold the stream open who left the group, what came is lost, but nothing hangs.
    receiver.recv_timeout(Duration::from_secs(1)).unwrap_or(Kept { bytes: Vec::new(), is_cut_off: true })
}

/// How often the memory in use is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(30);

fn wait(child: &mut Child, deadline: Instant, memory: Memory) -> io::Result<(ExitStatus, Option<Limit>)> {
    let mut pause = Duration::from_micros(200);
    let mut next_look = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status, None));
        }
        let now = Instant::now();
        let mut limit = (now >= deadline).then_some(Limit::Time);
        if let Memory::Resident(most) = memory
            && now >= next_look
        {
            next_look = now + BETWEEN_LOOKS;
            if resident::of_session(child.id()) > most {
                limit = Some(Limit::Memory);
            }
        }
        if let Some(limit) = limit {
            guardian::end_all(child.id());
            return Ok((child.wait()?, Some(limit)));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// What another program said, as far as it fits into a message: one line, not too long, nothing but text.
pub(crate) fn quoted(line: &str) -> String {
    const MOST: usize = 200;
    let dots = if line.chars().nth(MOST).is_some() { " ..." } else { "" };
    let shown = line.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c });
    shown.chain(dots.chars()).collect()
}

/// The usual name of a signal.
pub(crate) fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGHUP => "SIGHUP",
        libc::SIGILL => "SIGILL",
        libc::SIGINT => "SIGINT",
        libc::SIGKILL => "SIGKILL",
        libc::SIGQUIT => "SIGQUIT",
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
        let memory = Memory::AddressSpace(1 << 30);
        Limits { time: Duration::from_secs(seconds), output: 1000, file_bytes: 1000, memory }
    }

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_program_gets_its_input_and_gives_its_output() {
        let finished = run(&mut Command::new("cat"), b"hello".to_vec(), limits(60)).unwrap();
        assert!(finished.is_success());
        assert_eq!(finished.stdout, b"hello");
        assert!(!finished.is_cut_off);
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let error = run(&mut Command::new("/no/such/program"), Vec::new(), limits(60)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn exit_codes_and_signals_come_through() {
        let ended = |script: &str| run(&mut shell(script), Vec::new(), limits(60)).unwrap();
        assert_eq!(ended("exit 7").status.code(), Some(7));
        assert_eq!(ended("kill -SEGV $$").signal(), Some("SIGSEGV"));
        assert_eq!(ended("kill -KILL $$").signal(), Some("SIGKILL"));
        assert_eq!(ended("kill -TERM $$").signal(), Some("SIGTERM"));
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_all_that_it_started() {
        let finished = run(&mut shell("sleep 600 & sleep 600"), Vec::new(), limits(1)).unwrap();
        assert_eq!(finished.ended_by, Some(Limit::Time));
        assert!(!finished.is_success());
    }

    #[test]
    fn what_a_program_leaves_running_does_not_hold_us_up() {
        let finished = run(&mut shell("sleep 600 & echo done"), Vec::new(), limits(300)).unwrap();
        assert!(finished.is_success());
        assert_eq!(finished.stdout, b"done\n");
    }

    #[test]
    fn endless_output_is_cut_off() {
        let finished = run(&mut shell("head -c 100000 /dev/zero"), Vec::new(), limits(60)).unwrap();
        assert_eq!(finished.stdout.len(), 1000);
        assert!(finished.is_success() && finished.is_cut_off);
    }

    #[test]
    fn a_program_that_uses_too_much_memory_is_ended() {
        let limits = Limits { memory: Memory::Resident(64 << 20), ..limits(300) };
        // `tail` keeps its input, for that has no lines.
        let finished = run(&mut shell("tail /dev/zero; true"), Vec::new(), limits).unwrap();
        assert_eq!(finished.ended_by, Some(Limit::Memory));
    }

    #[test]
    fn a_program_has_no_terminal() {
        let finished = run(&mut shell("exec < /dev/tty"), Vec::new(), limits(60)).unwrap();
        assert!(!finished.is_success() && finished.ended_by.is_none());
    }

    #[test]
    fn what_is_quoted_is_not_too_long_and_nothing_but_text() {
        assert_eq!(quoted("fatal error"), "fatal error");
        assert_eq!(quoted("\u{1b}[2J"), "\u{fffd}[2J");
        assert_eq!(quoted(&"x".repeat(5000)).len(), 204);
    }
}
