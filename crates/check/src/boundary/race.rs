//! Works off a queue until something succeeds: on one thread or on several, with the same result.
//!
//! What counts is the order of the queue, not who is fastest. The first attempt in that order which succeeds wins; those
//! before it have failed, and those after it are stopped and leave no trace. A panic is what comes out of the race if it
//! would have come out of one attempt after the other.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::{StopFlag, Threads};

/// What came of a queue: the attempts up to the first that succeeded, in the order of the queue.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Raced<W, L> {
    pub(super) lost: Vec<L>,
    pub(super) winner: Option<W>,
}

/// Makes attempts until one succeeds. Each is told by its flag when it is not wanted any more.
pub(super) fn race<J, W: Send, L: Send>(
    threads: Threads,
    stop: &StopFlag,
    queue: impl Iterator<Item = J> + Send,
    attempt: impl Fn(J, &StopFlag) -> Result<W, L> + Sync,
) -> Raced<W, L> {
    let board = Board { queue, given_out: 0, running: Vec::new(), ended: BTreeMap::new(), is_closed: false };
    let race = Race { attempt, stop, board: Mutex::new(board), closing: Condvar::new() };
    thread::scope(|scope| {
        for _ in 1..threads.count.get() {
            let helper = thread::Builder::new().stack_size(threads.stack_bytes);
            // Where no thread is to be had, those that there are do the work.
            if helper.spawn_scoped(scope, || race.help(threads.head_start)).is_err() {
                break;
            }
        }
        race.work();
        race.close();
    });
    race.result()
}

struct Race<'r, Q, A, W, L> {
    attempt: A,
    stop: &'r StopFlag,
    board: Mutex<Board<Q, W, L>>,
    /// Wakes up those who wait for the head start to end.
    closing: Condvar,
}

/// What all threads know.
struct Board<Q, W, L> {
    queue: Q,
    given_out: usize,
    running: Vec<(usize, StopFlag)>,
    ended: BTreeMap<usize, Ended<W, L>>,
    /// Whether there is nothing left to give out.
    is_closed: bool,
}

/// A panic is kept until it is known whether it counts.
type Ended<W, L> = thread::Result<Result<W, L>>;

impl<Q, A, J, W, L> Race<'_, Q, A, W, L>
where
    Q: Iterator<Item = J>,
    A: Fn(J, &StopFlag) -> Result<W, L>,
{
    /// Works too, if there is something left to do after the head start.
    fn help(&self, head_start: Duration) {
        let board = self.board();
        let waited = self.closing.wait_timeout_while(board, head_start, |board| !board.is_closed);
        let (board, _) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(board);
        // Its work may turn out not to be wanted.
        smt::let_others_go_first();
        self.work();
    }

    fn work(&self) {
        while let Some((number, job, stop)) = self.take() {
            // Whatever the attempt leaves half done is dropped with the race if the panic counts, and else was its own.
            let ended = catch_unwind(AssertUnwindSafe(|| (self.attempt)(job, &stop)));
            self.board().end(number, ended);
        }
    }

    /// The next piece of work, with its place in the queue.
    fn take(&self) -> Option<(usize, J, StopFlag)> {
        let mut board = self.board();
        if board.is_closed || self.stop.is_raised() {
            return None;
        }
        let number = board.given_out;
        board.given_out += 1;
        let job = match catch_unwind(AssertUnwindSafe(|| board.queue.next())) {
            Ok(job) => job,
            Err(panic) => {
                board.end(number, Err(panic));
                None
            }
        };
        board.is_closed |= job.is_none();
        let stop = self.stop.below();
        board.running.extend(job.is_some().then(|| (number, stop.clone())));
        Some((number, job?, stop))
    }

    fn close(&self) {
        self.board().is_closed = true;
        self.closing.notify_all();
    }

    /// Panics of attempts are caught before they could poison this.
    fn board(&self) -> MutexGuard<'_, Board<Q, W, L>> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn result(self) -> Raced<W, L> {
        let board = self.board.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut lost = Vec::new();
        for ended in board.ended.into_values() {
            match ended {
                Ok(Ok(winner)) => return Raced { lost, winner: Some(winner) },
                Ok(Err(loser)) => lost.push(loser),
                Err(panic) => resume_unwind(panic),
            }
        }
        Raced { lost, winner: None }
    }
}

impl<Q, W, L> Board<Q, W, L> {
    fn end(&mut self, number: usize, ended: Ended<W, L>) {
        self.running.retain(|(other, _)| *other != number);
        if !matches!(ended, Ok(Err(_))) {
            self.is_closed = true;
            let later = self.running.iter().filter(|(other, _)| *other > number);
            later.for_each(|(_, stop)| stop.raise());
        }
        self.ended.insert(number, ended);
    }
}

#[cfg(test)]
mod tests;
