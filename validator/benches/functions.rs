//! What the library's functions cost, one event at a time, beside what merely parsing it with `serde_json` costs.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on has failed")]

use arc_validator::stream::{Facts, Stream};
use arc_validator::{explain, json, lint, parse};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;
use std::hint::black_box;

/// A permission with three choices, one event a line as producers send it.
const VALID: &str = r#"{"arc_version":"0.2","event_id":"evt-4711","event_type":"request.created","occurred_at":"2026-08-26T01:15:00.250Z","sender":{"id":"codex","name":"Codex","version":"1.4.2"},"context":{"session_id":"s-1","project":"shop","cwd":"/home/ada/shop"},"request":{"key":"deploy","kind":"permission","title":"Deploy?","message":"All 214 tests are green – deploy build 4711 to the staging system?","priority":"high","response":{"kind":"permission","choices":[{"id":"allow","label":"Allow"},{"id":"always","label":"Always","detail":"For this session"},{"id":"deny","label":"Deny"}],"expires_at":"2026-08-26T01:25:00Z"}}}"#;

fn functions(criterion: &mut Criterion) {
    let broken = VALID.replace(r#""message""#, r#""mesage""#).replace(r#""high""#, r#""urgent""#);
    let (valid, broken) = (VALID.as_bytes(), broken.as_bytes());
    let event = parse(valid).unwrap();

    let mut group = criterion.benchmark_group("one event");
    group.throughput(Throughput::Bytes(valid.len() as u64));
    group.bench_function("serde_json to Value", |b| b.iter(|| serde_json::from_slice::<Value>(black_box(valid))));
    group.bench_function("parse", |b| b.iter(|| parse(black_box(valid))));
    group.bench_function("json::parse (tree with spans)", |b| b.iter(|| json::parse(black_box(valid))));
    group.bench_function("lint", |b| b.iter(|| lint(black_box(&event), valid)));
    group.bench_function("explain, two faults", |b| b.iter(|| explain(black_box(broken))));
    group.bench_function("Facts::of", |b| b.iter(|| Facts::of(black_box(&event))));
    group.finish();

    let facts: Vec<_> = (0..10_000)
        .map(|n| {
            Facts::of(
                &parse(VALID.replace("4711", &n.to_string()).replace("deploy\"", &format!("k{n}\"")).as_bytes())
                    .unwrap(),
            )
        })
        .collect();
    let mut group = criterion.benchmark_group("a stream");
    group.throughput(Throughput::Elements(facts.len() as u64));
    group.bench_function("step, 10,000 conditions", |b| {
        let all =
            |mut stream: Stream| (1..).zip(&facts).map(|(line, facts)| stream.step(facts, line).len()).sum::<usize>();
        b.iter_batched(Stream::default, all, BatchSize::LargeInput);
    });
    group.finish();
}

criterion_group!(benches, functions);
criterion_main!(benches);
