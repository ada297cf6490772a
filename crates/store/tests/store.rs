//! What a store promises: it keeps what was written, for several at once, and survives being killed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use store::{Record, Store};

fn record(key: &str, outcome: &str) -> Record {
    Record {
        key: key.to_owned(),
        outcome: outcome.to_owned(),
        function: "f".to_owned(),
        file: "A.java".to_owned(),
        line: 3,
        clause: "x > 0".to_owned(),
        code: "proc f".to_owned(),
        // Long enough that a write takes a while.
        answer: format!("{key} {outcome} ").repeat(400),
        solver_calls: 1,
        steps: 2,
        seconds: 0.5,
        made: 10,
        used: 10,
    }
}

#[test]
fn what_was_written_is_found_and_an_outcome_is_never_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let mut store = Store::open(&path).unwrap();
    store.put(&[record("a", "holds"), record("b", "unknown")]).unwrap();
    store.put(&[record("a", "fails"), record("b", "holds")]).unwrap();
    let other = Store::open(&path).unwrap();
    assert_eq!(other.get("a").unwrap().unwrap().outcome, "holds");
    assert_eq!(other.get("b").unwrap().unwrap().outcome, "holds");
    assert_eq!(other.get("c").unwrap(), None);
}

#[test]
fn an_exported_store_can_be_imported() {
    let folder = tempfile::tempdir().unwrap();
    let mut one = Store::open(&folder.path().join("one")).unwrap();
    one.put(&[record("a", "holds"), record("b", "fails")]).unwrap();
    let mut two = Store::open(&folder.path().join("two")).unwrap();
    assert_eq!(two.import(&one.export().unwrap()).unwrap(), 2);
    assert_eq!(two.list().unwrap(), one.list().unwrap());
    assert!(two.import("nothing of ours\n").is_err());
    assert!(two.import("selfsame store 1\n{\"key\": 1}\n").unwrap_err().to_string().starts_with("line 2"));
}

#[test]
fn what_nobody_uses_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("store")).unwrap();
    store.put(&[record("a", "holds"), Record { used: store::now(), ..record("b", "holds") }]).unwrap();
    assert_eq!(store.drop_unused(30).unwrap(), 1);
    assert_eq!(store.list().unwrap().len(), 1);
}

/// The outcome that a writer gives a key: readers can tell whether a record is whole.
fn outcome_of(number: u64) -> &'static str {
    ["holds", "fails", "unknown"][(number % 3) as usize]
}

/// What the child does: write until it is killed.
fn write_forever(path: &Path, from: u64) -> ! {
    let mut number = from;
    loop {
        let mut store = Store::open(path).unwrap();
        for _ in 0..8 {
            let pair = [0, 1].map(|at| record(&format!("{number}-{at}"), outcome_of(number)));
            store.put(&pair).unwrap();
            number += 1;
        }
    }
}

/// Kills writers at any moment, two at a time: the database can always be read, and every record in it is whole.
#[test]
fn a_store_survives_being_killed() {
    const CHILD: &str = "SELFSAME_STORE_CHILD";
    if let Ok(said) = std::env::var(CHILD) {
        let (from, path) = said.split_once(' ').unwrap();
        write_forever(Path::new(path), from.parse().unwrap());
    }
    let times = std::env::var("SELFSAME_STORE_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(40_u64);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let mut random = 12345_u64;
    let mut seen = 0;
    for time in 0..times {
        let start = |from: u64| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "a_store_survives_being_killed", "--nocapture"])
                .env(CHILD, format!("{from} {}", path.display()))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        };
        let mut children = [start(time * 2_000_000), start(time * 2_000_000 + 1_000_000)];
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        std::thread::sleep(Duration::from_millis(8 + (random >> 33) % 40));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let store = Store::open(&path).unwrap();
        let all = store.list().unwrap();
        assert!(all.len() >= seen, "records that were committed are gone");
        seen = all.len();
        assert_eq!(all.len() % 2, 0, "half of a transaction was kept");
        for found in &all {
            let number: u64 = found.key.split('-').next().unwrap().parse().unwrap();
            assert_eq!(found, &record(&found.key, outcome_of(number)), "a record is not whole");
        }
        if seen > 3000 {
            drop(store);
            for file in ["store", "store-wal", "store-shm"] {
                let _ = std::fs::remove_file(folder.path().join(file));
            }
            seen = 0;
        }
    }
}
