//! A process between us and a program that we run, so that all that the program starts ends when we do.
//!
//! ```text
//! selfsame ── guardian ── cc ── cc1
//! ```
//!
//! The kernel can send a signal to a child whose parent dies, even by SIGKILL, but not to grandchildren.
//! So the child stays behind as a guardian, in a session of its own, and its child becomes the program.
//! When we die the guardian gets that signal and kills its group. When the program ends the guardian ends the same way.
//!
//! This is the one place that calls libc by hand: no library offers a second `fork` between fork and exec, and what the
//! copy may do there (no locks, no memory, a handler for one signal) is ours to keep.

use std::io;

use rustix::process::{Pid, Signal, kill_process_group};

/// Called in the child between fork and exec: returns in a grandchild, which becomes the program.
///
/// Everything here is a plain system call: nothing is allocated and no lock is taken.
pub(super) fn stand_between(parent: u32) -> io::Result<()> {
    // SAFETY: system calls on values that live here. The copy that the raw `clone` makes shares nothing with us, as
    // after a `fork`, but runs no handlers of the C library, which may wait for locks of threads that are not here.
    unsafe {
        // A session of its own: a group to kill, and no terminal to read from.
        if libc::setsid() < 0 {
            return Err(io::Error::last_os_error());
        }
        let guardian = libc::getpid();
        match libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) {
            0 => {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                if libc::getppid() != guardian {
                    libc::_exit(1);
                }
                Ok(())
            }
            program if program > 0 => guard(program as libc::pid_t, parent),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Kills whatever is left of the group of a guardian.
pub(super) fn end_all(guardian: u32) {
    let group = guardian.try_into().ok().and_then(Pid::from_raw).expect("a child should have a process id");
    // Nothing may be left of it.
    let _ = kill_process_group(group, Signal::KILL);
}

/// Waits for the end of the program or of the parent, and never returns.
unsafe fn guard(program: libc::pid_t, parent: u32) -> ! {
    // SAFETY: as above; the handler makes one system call.
    unsafe {
        // Also the pipe on which the standard library waits to hear whether the program was started.
        libc::syscall(libc::SYS_close_range, 0, libc::c_uint::MAX, 0);
        libc::signal(libc::SIGTERM, kill_group as extern "C" fn(libc::c_int) as libc::sighandler_t);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
        // It may have died before the signal was asked for.
        if libc::getppid().cast_unsigned() != parent {
            kill_group(libc::SIGTERM);
        }
        let mut status = 0;
        while libc::waitpid(program, &raw mut status, 0) < 0 {
            if *libc::__errno_location() != libc::EINTR {
                kill_group(libc::SIGTERM);
            }
        }
        if libc::WIFSIGNALED(status) {
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
            libc::signal(libc::WTERMSIG(status), libc::SIG_DFL);
            libc::kill(libc::getpid(), libc::WTERMSIG(status));
        }
        libc::_exit(if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { 128 })
    }
}

/// Ends the group, the guardian included.
extern "C" fn kill_group(_: libc::c_int) {
    // SAFETY: a plain system call, which may be made in a handler.
    unsafe { libc::kill(0, libc::SIGKILL) };
}
