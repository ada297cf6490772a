//! What `clever` alone must not claim: paths beyond the bound stay open, whatever other strategies know.

use std::path::{Path, PathBuf};

use budget::{Budget, Kill, Steps};

use check::{CheckConfig, Reason, Strategy, Subject, Verdict, check_pair};
use ir::Numbers;
use ir::{Pair, ProcId};

const COUNTS: &str = "program java
proc client(x: i32) -> i32 { var r: i32 if lt.i32(x, 1000) { r = call lib(x) } return r }
proc lib(a: i32) -> i32 {
  var i: i32
  loop L0 { if le.i32(a, i) { break L0 } i = add.i32(i, 1) }
  return i
}";

const KNOWS: &str = "program java
proc client(x: i32) -> i32 { var r: i32 if lt.i32(x, 1000) { r = call lib(x) } return r }
proc lib(a: i32) -> i32 { if le.i32(a, 0) { return 0 } return a }";

#[test]
fn a_loop_that_some_input_runs_longer_than_followed_proves_nothing() {
    let programs = Pair::new(COUNTS, KNOWS).map(|text| ir::read_program(text).expect("a valid program"));
    let config = CheckConfig {
        numbers: Numbers::Machine,
        strategy: Strategy::Clever,
        any_inputs: false,
        total: false,
        open_world: false,
        exceptions: check::Exceptions::Type,
        undefined: check::Undefined::Compared,
        bound: 3,
        deeper_bound: Some(10),
        budget: Budget::new(Steps::of_seconds(60), Kill::never()),
        stop: check::StopFlag::default(),
        threads: check::Threads::ONE,
        solver: Some(solver()),
        solver_memory_mb: 1024,
        keep_obligations: false,
        seed: 1,
    };
    let pair = programs.as_ref().map(|program| Subject::new(program, ProcId(0)));
    match check_pair(pair, &config, &mut |_| {}).verdict {
        Verdict::Unknown(unknown) => {
            assert_eq!(unknown.no_difference_up_to(), Some(10));
            assert!(unknown.reasons().all(|reason| matches!(reason, Reason::Bound { bound: 10, .. })));
        }
        verdict => panic!("{verdict:?}"),
    }
}

/// The solver that `cargo xtask setup` installs, or one named for the tests.
fn solver() -> PathBuf {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/solver/z3");
    std::env::var_os("SELFSAME_SOLVER").map_or(installed, PathBuf::from)
}
