//! A law on generated methods: directed execution covers every impacted path that full execution finds.
//!
//! A path that goes through a changed statement goes through a set of impacted statements. Full execution follows all paths;
//! for each of these sets directed execution follows one. `SELFSAME_SERIES=1000` asks for more methods.

mod generated;

use std::collections::BTreeSet;

use budget::{Budget, Kill, Steps};
use generated::{Method, Random, program};
use ir::{Numbers, Pair, Program, SourceFile, Span};
use properties::{Direction, ExploreConfig, Explored, Impact, Others, VIOLATED};

const METHODS: usize = 20;
const BOUND: u32 = 6;

#[test]
fn directed_execution_covers_every_impacted_path() {
    let wanted = std::env::var("SELFSAME_SERIES").ok().and_then(|it| it.parse().ok()).unwrap_or(60_usize);
    let seed = std::env::var("SELFSAME_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1_u64);
    let (mut compared, mut fewer) = (0, 0);
    for file in 0..wanted.div_ceil(METHODS) {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(file as u64));
        let mut methods: Vec<Method> = (0..METHODS).map(|_| Method::new(&mut random)).collect();
        let old = lowered(&program(&methods));
        methods.iter_mut().for_each(|method| method.edit(&mut random));
        let text = program(&methods);
        let new = lowered(&text);
        for number in 0..METHODS {
            let name = format!("f{number}");
            let id = |program: &Program| {
                let mut found = (0..program.procedures.len())
                    .map(ir::ProcId::from_index)
                    .filter(|id| program.procedure(*id).short_name == name);
                found.next().expect("the method should be there")
            };
            let versions = Pair::new((&old, id(&old)), (&new, id(&new)));
            let sites = versions.map(|(program, id)| properties::sites(program, id, false));
            for (before, site) in sites.old.iter().zip(&sites.new) {
                let Some(impact) = properties::impact(versions, Pair::new(before, site)) else { continue };
                if !impact.on_site {
                    continue;
                }
                let asked = properties::ending_there(&new, site, Others::Off);
                let follow =
                    |direction| properties::explore(&asked, versions.new.1, VIOLATED, direction, &config());
                let full = follow(Direction::Full);
                let directed = follow(Direction::Directed(&impact));
                if !full.gaps.is_empty() || !directed.gaps.is_empty() {
                    continue;
                }
                let (expected, found) = (impacted_ways(&full, &impact), impacted_ways(&directed, &impact));
                let missing: Vec<&BTreeSet<Span>> = expected.difference(&found).collect();
                assert!(missing.is_empty(), "{name}: {missing:?} of {impact:?}\n{text}");
                compared += 1;
                fewer += usize::from(directed.states < full.states);
            }
        }
    }
    assert!(compared >= 5 && fewer > 0, "{compared} compared, {fewer} with less work");
}

/// The sets of impacted statements on the paths that go through a changed one.
fn impacted_ways(explored: &Explored, impact: &Impact) -> BTreeSet<BTreeSet<Span>> {
    let changed = explored.ways.iter().filter(|way| !way.is_disjoint(&impact.changed));
    changed.map(|way| way.intersection(&impact.spans).copied().collect()).collect()
}

fn lowered(text: &str) -> Program {
    let spelled = properties::spell_out(ir::Language::Java, text, false);
    let file = SourceFile { name: "Case.java".to_owned(), text: spelled.text };
    frontend_java::lower(&[file]).expect("generated methods should be Java")
}

fn config() -> ExploreConfig {
    let budget = Budget::new(Steps::of_seconds(20), Kill::never());
    ExploreConfig::new(
        casekit::workspace::find_solver(&casekit::workspace::root()),
        1024,
        budget,
        Numbers::Machine,
        BOUND,
    )
}
