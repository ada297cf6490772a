//! How the time of a proof grows with the number of loops, after each other and in each other.
//! It should grow no faster than quadratically. Run with `cargo bench -p benches`; `cargo xtask growth` writes the
//! table and the plot of `docs/growth.md`.

#[path = "growth/pairs.rs"]
mod pairs;

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use check::Strategy;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ir::Numbers;
use pairs::Layout;

fn growth(criterion: &mut Criterion) {
    for layout in [Layout::Sequential, Layout::Nested] {
        for strategy in [Strategy::Auto, Strategy::Coupling] {
            let mut group = criterion.benchmark_group(format!("{} {}", layout.name(), strategy.name()));
            group.sample_size(10).measurement_time(Duration::from_secs(5));
            for loops in layout.sizes() {
                let programs = pairs::pair(layout, *loops);
                group.bench_with_input(BenchmarkId::from_parameter(loops), &programs, |bencher, programs| {
                    let limit = Duration::from_secs(60);
                    bencher.iter(|| {
                        let config = pairs::config(strategy, Numbers::Machine, limit, solver());
                        black_box(pairs::check(programs, &config))
                    });
                });
            }
            group.finish();
        }
    }
}

/// The solver that the environment names, or that `cargo xtask setup` has fetched.
fn solver() -> Option<PathBuf> {
    let named = std::env::var_os("SELFSAME_SOLVER").map(PathBuf::from);
    let fetched = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/solver/z3");
    named.or_else(|| Some(fetched.into())).filter(|path| path.is_file())
}

criterion_group!(benches, growth);
criterion_main!(benches);
