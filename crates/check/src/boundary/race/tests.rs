//! Races between attempts that only sleep.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::*;

/// An attempt that takes a while, and succeeds or not.
#[derive(Clone, Copy)]
struct Sleeper {
    milliseconds: u64,
    succeeds: bool,
}

const fn fails(milliseconds: u64) -> Sleeper {
    Sleeper { milliseconds, succeeds: false }
}

const fn succeeds(milliseconds: u64) -> Sleeper {
    Sleeper { milliseconds, succeeds: true }
}

fn threads(count: usize) -> Threads {
    let count = NonZero::new(count).expect("a race needs a thread");
    Threads { count, stack_bytes: 1 << 20, head_start: Duration::from_millis(20) }
}

/// Sleeps in small pieces; a sleeper that is stopped says that it failed.
fn sleep(sleeper: Sleeper, stop: &StopFlag) -> bool {
    let until = Instant::now() + Duration::from_millis(sleeper.milliseconds);
    while Instant::now() < until {
        if stop.is_raised() {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
    sleeper.succeeds
}

fn outcome(count: usize, sleepers: &[Sleeper]) -> Raced<usize, usize> {
    let queue = sleepers.iter().copied().enumerate();
    race(threads(count), &StopFlag::default(), queue, |(number, sleeper), stop| {
        if sleep(sleeper, stop) { Ok(number) } else { Err(number) }
    })
}

#[test]
fn the_order_decides_and_not_the_speed() {
    let sleepers = [fails(200), succeeds(100), succeeds(1)];
    for count in 1..=4 {
        assert_eq!(outcome(count, &sleepers), Raced { lost: vec![0], winner: Some(1) }, "{count} threads");
    }
}

#[test]
fn without_a_winner_all_have_lost_in_their_order() {
    let sleepers = [fails(250), fails(1), fails(100), fails(1)];
    for count in 1..=3 {
        let expected = Raced { lost: vec![0, 1, 2, 3], winner: None };
        assert_eq!(outcome(count, &sleepers), expected, "{count} threads");
    }
}

#[test]
fn those_after_the_winner_are_stopped_at_once() {
    let started = Instant::now();
    let won = outcome(3, &[succeeds(300), fails(60_000), succeeds(60_000)]);
    assert_eq!(won, Raced { lost: vec![], winner: Some(0) });
    assert!(started.elapsed() < Duration::from_secs(20), "it took {:?}", started.elapsed());
}

#[test]
fn those_before_a_quick_winner_are_waited_for() {
    let won = outcome(2, &[succeeds(400), succeeds(1)]);
    assert_eq!(won, Raced { lost: vec![], winner: Some(0) });
}

#[test]
fn quick_work_is_done_by_the_caller_alone() {
    let caller = thread::current().id();
    let patient = Threads { head_start: Duration::from_secs(600), ..threads(4) };
    let raced = race(patient, &StopFlag::default(), 0..20, |_, _| Err::<(), _>(thread::current().id()));
    assert_eq!(raced.lost, vec![caller; 20]);
}

#[test]
fn a_stopped_race_gives_out_nothing_more() {
    let stop = StopFlag::default();
    let made = AtomicUsize::new(0);
    let raced = race(threads(1), &stop, 0..10, |number, flag| {
        made.fetch_add(1, Ordering::Relaxed);
        stop.raise();
        assert!(flag.is_raised(), "the flag of an attempt should be below that of the race");
        Err::<(), _>(number)
    });
    assert_eq!((raced.lost, made.into_inner()), (vec![0], 1));
}

/// A race in which two attempts panic, and one before or after them succeeds.
fn panicking(count: usize, winner: usize) -> thread::Result<Raced<usize, usize>> {
    catch_unwind(|| {
        race(threads(count), &StopFlag::default(), 0..4, |number, stop| {
            let slow = if number == 0 { fails(200) } else { fails(1) };
            sleep(slow, stop);
            match number {
                number if number == winner => Ok(number),
                1 | 2 => panic!("attempt {number}"),
                other => Err(other),
            }
        })
    })
}

#[test]
fn a_panic_comes_out_unless_somebody_before_it_wins() {
    for count in 1..=3 {
        let panic = panicking(count, 3).expect_err("the panic should come out");
        assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("attempt 1"), "{count} threads");
        let won = panicking(count, 0).expect("a panic after the winner should not count");
        assert_eq!(won, Raced { lost: vec![], winner: Some(0) }, "{count} threads");
    }
}
