//! How long files of 500 to 4,000 small procedures take of which one changed. The throughput should be the same for all
//! sizes, and the largest should stay below a second. Run with `cargo bench -p benches`.

use std::fmt::Write;

use check::Threads;
use cli::{Job, Options, Source, Sources, Unit};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ir::Language;

fn text(language: Language, count: usize, is_new: bool) -> String {
    let modifier = if language == Language::Java { "static " } else { "" };
    let mut text = String::new();
    for i in 0..count {
        let two = if is_new && i == count / 2 { "1 + 1" } else { "2" };
        let _ = writeln!(
            text,
            "{modifier}int m{i}(int x) {{ int y = x + {i}; if (y > 3) y = y - x; return y + {two}; }}"
        );
    }
    if language == Language::Java { format!("class Big {{\n{text}}}\n") } else { text }
}

fn job(language: Language, count: usize) -> Job {
    let version = |is_new| {
        let name = if language == Language::Java { "Big.java" } else { "big.c" };
        Sources { files: vec![Source::new(name, text(language, count, is_new))], tolerant: false }
    };
    let unit = Unit { language, old: version(false), new: version(true) };
    let solver = cli::find_solver(None).expect("the solver should be found");
    Job { units: vec![unit], options: Options { solver, seconds: 60.0, ..Options::usual() } }
}

fn size(criterion: &mut Criterion) {
    for (name, language) in [("java", Language::Java), ("c", Language::C)] {
        let mut group = criterion.benchmark_group(format!("one of many procedures changed, {name}"));
        group.sample_size(10);
        for count in [500, 1_000, 2_000, 4_000] {
            group.throughput(Throughput::Elements(count as u64));
            let job = job(language, count);
            group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
                bencher.iter(|| {
                    cli::check_in_process(job.clone(), Threads::ONE).expect("the files should be read")
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, size);
criterion_main!(benches);
