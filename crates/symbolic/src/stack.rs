//! Room for bodies inside of bodies: runs are recursive, and the stacks of most threads are small.
//!
//! A run goes where there is most room: on this stack if it is large, else on a thread of its own with a large one, else,
//! where memory is short, on a smaller one. Whoever recurses asks [`is_nearly_full`] and gives up in time.

use std::cell::Cell;
use std::thread;

/// The stack that a run may need at the most.
const LARGE: usize = 256 << 20;
/// What a thread must have left, so that no other one is started: that costs time, and address space.
const LARGE_ENOUGH: usize = LARGE / 4 * 3;
/// What is tried where the memory for a large one is not to be had.
const SMALLER: [usize; 3] = [64 << 20, 16 << 20, 4 << 20];
/// What must be left for what is done at one level of nesting.
const RESERVE: usize = 1 << 20;

/// Runs something where there is room for it. A thread that cannot be started is no reason to fail.
pub(crate) fn on_a_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    if room() >= LARGE_ENOUGH {
        return run();
    }
    let mut run = Some(run);
    for size in [LARGE].into_iter().chain(SMALLER) {
        if size <= room() {
            break;
        }
        let waiting = &mut run;
        let done = thread::scope(|scope| {
            let work = || waiting.take().map(|run| run());
            let thread = thread::Builder::new().name("summary".to_owned()).stack_size(size);
            let thread = thread.spawn_scoped(scope, work).ok()?;
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        if let Some(done) = done {
            return done;
        }
    }
    (run.take().expect("a run should wait until a thread takes it"))()
}

/// Whether a run has to stop going deeper.
pub(crate) fn is_nearly_full() -> bool {
    room() < RESERVE
}

/// How many bytes of this thread's stack are left. A stack of which nothing is known counts as large enough for one run.
fn room() -> usize {
    thread_local! {
        static LOWEST: Cell<Option<usize>> = const { Cell::new(None) };
    }
    let lowest = LOWEST.get().unwrap_or_else(|| {
        let lowest = lowest_address().unwrap_or(0);
        LOWEST.set(Some(lowest));
        lowest
    });
    let here = 0_u8;
    (&raw const here as usize).saturating_sub(lowest)
}

/// Where the stack of this thread ends; it grows downwards.
fn lowest_address() -> Option<usize> {
    // SAFETY: the attributes are initialised by the first call, read while they live, and destroyed once.
    unsafe {
        let mut attributes = std::mem::zeroed::<libc::pthread_attr_t>();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return None;
        }
        let (mut address, mut size) = (std::ptr::null_mut(), 0);
        let found = libc::pthread_attr_getstack(&raw const attributes, &raw mut address, &raw mut size) == 0;
        libc::pthread_attr_destroy(&raw mut attributes);
        found.then_some(address as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes as deep as there is room, and says how deep that was.
    fn depth() -> usize {
        fn deeper(level: usize) -> usize {
            let filling = std::hint::black_box([level; 1000]);
            if is_nearly_full() { filling[999] } else { deeper(level + 1).max(filling[0]) }
        }
        deeper(0)
    }

    fn on_a_stack_of<T: Send>(bytes: usize, run: impl FnOnce() -> T + Send) -> T {
        thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(bytes).spawn_scoped(scope, run);
            thread.expect("a test has memory for a thread").join().expect("the test should not panic")
        })
    }

    #[test]
    fn recursion_that_asks_stops_before_the_stack_overflows() {
        let small = on_a_stack_of(4 << 20, depth);
        let large = on_a_stack_of(64 << 20, depth);
        assert!(small > 10 && large > 10 * small, "{small} and {large} levels");
    }

    #[test]
    fn a_small_stack_gets_a_thread_and_a_large_one_does_not() {
        let here = || thread::current().id();
        let (caller, run) = on_a_stack_of(4 << 20, || (here(), on_a_large_stack(here)));
        assert_ne!(caller, run);
        let (caller, run) = on_a_stack_of(LARGE, || (here(), on_a_large_stack(here)));
        assert_eq!(caller, run);
    }
}
