//! How fast the broker is, each figure beside its yardstick in the same run. `cargo bench -p arc-reference-broker
//! --features bench` prints them; `ulimit -n 32768` first, for the ten thousand waits.
//!
//! The broker runs as a program of its own, in a directory of the file system under test (`ARC_BENCH_DIR`, else the
//! temporary one: a disk in memory would flatter every commit). The clients share its two cores.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints, and stops where it cannot go on")]

mod client;

use client::{Connection, Shot, request};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const CONNECTIONS: usize = 64;
/// Each figure is the median of so many short rounds.
const ROUNDS: usize = 9;
const SECONDS: u64 = 2;

struct Broker {
    child: Child,
    address: String,
    token: String,
}

impl Broker {
    fn start(dir: &Path) -> Self {
        let mut child = Command::new(
            std::env::var_os("ARC_BENCH_BROKER").unwrap_or_else(|| env!("CARGO_BIN_EXE_arc-broker").into()),
        )
        .args(["--rate-limit", "0", "--log", "error", "--listen", "127.0.0.1:0", "--db"])
        .arg(dir.join("b.db"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap().split(';').next().unwrap().to_owned();
        let token = std::fs::read_to_string(dir.join("b.db.token")).unwrap().trim().to_owned();
        Self { child, address, token }
    }

    fn resident_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }

    /// The processor time that the process has used. The kernel counts it in hundredths of a second.
    fn processor_micros(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields = stat.rsplit(')').next().unwrap().split_whitespace();
        fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap() * 10_000).sum()
    }

    async fn connect(&self) -> Connection {
        Connection::open(&self.address, &self.token).await
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn directory() -> TempDir {
    std::env::var_os("ARC_BENCH_DIR").map_or_else(TempDir::new, TempDir::new_in).unwrap()
}

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A created event without a key.
fn event() -> String {
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    format!(
        r#"{{"arc_version":"0.2","event_id":"evt_{id}","event_type":"request.created","occurred_at":"2026-08-26T01:15:00Z","sender":{{"id":"codex","name":"Codex"}},"context":{{"session_id":"session-42","project":"agent-notify","cwd":"/work/agent-notify"}},"request":{{"kind":"completion","title":"The build passed","message":"All 412 tests passed in 31 seconds."}}}}"#
    )
}

fn question(key: &str) -> String {
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    format!(
        r#"{{"arc_version":"0.2","event_id":"ask_{id}","event_type":"request.created","occurred_at":"2026-08-26T01:15:00Z","sender":{{"id":"codex"}},"request":{{"key":"{key}","kind":"permission","message":"May I?","response":{{"kind":"permission","choices":[{{"id":"allow","label":"Allow"}},{{"id":"deny","label":"Deny"}}],"expires_at":"2099-01-01T00:00:00Z"}}}}}}"#
    )
}

/// Posts as fast as replies come, or evenly at a rate; returns all latencies, sorted.
async fn post(broker: &Broker, path: &'static str, seconds: u64, rate: Option<f64>) -> Vec<Duration> {
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut tasks = Vec::new();
    for i in 0..CONNECTIONS {
        let mut connection = broker.connect().await;
        #[expect(clippy::cast_precision_loss, reason = "64 connections")]
        let pace = rate.map(|rate| (CONNECTIONS as f64 / rate, i as f64 / rate));
        tasks.push(tokio::spawn(async move {
            let (mut latencies, begin) = (Vec::new(), Instant::now());
            for n in 0u32.. {
                // An open loop: what is late is counted from when it should have been sent.
                let due = pace.map(|(gap, first)| begin + Duration::from_secs_f64(first + gap * f64::from(n)));
                if let Some(due) = due {
                    tokio::time::sleep_until(due.into()).await;
                }
                let sent = due.unwrap_or_else(Instant::now);
                if Instant::now() >= end {
                    break;
                }
                let Shot { status, .. } = connection.send("POST", path, &event()).await;
                assert!(matches!(status, 200 | 201), "{status}");
                latencies.push(sent.elapsed());
            }
            latencies
        }));
    }
    let mut all = Vec::new();
    for task in tasks {
        all.extend(task.await.unwrap());
    }
    all.sort_unstable();
    all
}

fn percentile(sorted: &[Duration], of_hundred: usize) -> Duration {
    sorted[(sorted.len() * of_hundred / 100).min(sorted.len() - 1)]
}

/// Durable posts beside a no-op echo, and their latency at half of that load. Many short rounds in turn, so that what else
/// the machine does meets both alike.
async fn throughput() {
    let dir = directory();
    let broker = Broker::start(dir.path());
    let (mut ratios, mut rates) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let [(echo, echo_cpu), (durable, durable_cpu)] =
            [rate(&broker, "/v1/echo").await, rate(&broker, "/v1/events").await];
        println!(
            "round {round}: echo {echo:.0}/s, {echo_cpu:.1} µs of the broker's time each; durable post {durable:.0}/s, \
             {durable_cpu:.1} µs; ratio {:.2}",
            durable / echo
        );
        ratios.push(durable / echo);
        rates.push(durable);
    }
    println!("durable post / no-op echo: {:.2} (goal 0.50)", median(&mut ratios));
    let half = median(&mut rates) / 2.0;
    let mut of_hundred = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        let latencies = post(&broker, "/v1/events", SECONDS, Some(half)).await;
        of_hundred[0].push(percentile(&latencies, 50).as_secs_f64() * 1_000.0);
        of_hundred[1].push(percentile(&latencies, 99).as_secs_f64() * 1_000.0);
    }
    let [p50, p99] = of_hundred.each_mut().map(|values| median(values));
    println!("at {half:.0}/s: p50 {p50:.1} ms, p99 {p99:.1} ms (goal 10 ms)");
}

/// Posts a second in one short round, and the microseconds of the broker's processor time that each cost.
#[expect(clippy::cast_precision_loss, reason = "counts of a few seconds")]
async fn rate(broker: &Broker, path: &'static str) -> (f64, f64) {
    let before = broker.processor_micros();
    let posts = post(broker, path, SECONDS, None).await.len() as f64;
    (posts / SECONDS as f64, (broker.processor_micros() - before) as f64 / posts)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// From the answer's reply to the waiter's reply, with a thousand waiters.
async fn wake_up() {
    const WAITERS: usize = 1_000;
    let dir = directory();
    let broker = Broker::start(dir.path());
    let mut control = broker.connect().await;
    let mut waits = Vec::new();
    for i in 0..WAITERS {
        let asked = control.send("POST", "/v1/events", &question(&format!("w{i}"))).await.json()["interaction"].clone();
        let mut connection = broker.connect().await;
        let path = format!("/v1/interactions/{}/wait?timeout=300", asked["id"].as_str().unwrap());
        let wait = tokio::spawn(async move {
            connection.send("GET", &path, "").await;
            Instant::now()
        });
        waits.push((asked, wait));
    }
    let mut delays = Vec::new();
    waiting(&mut control, WAITERS as u64).await;
    for (asked, wait) in waits {
        answer(&mut control, &asked).await;
        let answered = Instant::now();
        delays.push(wait.await.unwrap().saturating_duration_since(answered));
    }
    delays.sort_unstable();
    let [p50, p99] = [50, 99].map(|of_hundred| percentile(&delays, of_hundred));
    println!("wake-up with {WAITERS} waiters: p50 {p50:.1?}, p99 {p99:.1?} (goal 5 ms)");
}

async fn answer(control: &mut Connection, asked: &serde_json::Value) {
    let body = serde_json::json!({
        "response_id": "r1", "request_digest": asked["request_digest"], "nonce": asked["nonce"], "choice_id": "allow",
    });
    let path = format!("/v1/interactions/{}/respond", asked["id"].as_str().unwrap());
    assert_eq!(control.send("POST", &path, &body.to_string()).await.status, 200);
}

async fn waiting(control: &mut Connection, count: u64) {
    while control.send("GET", "/v1/health", "").await.json()["waiters"] != count {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Ten thousand waits on one process: what each costs, and how soon all are released.
async fn crowd() {
    const WAITS: usize = 10_000;
    let dir = directory();
    let broker = Broker::start(dir.path());
    let mut control = broker.connect().await;
    let asked = control.send("POST", "/v1/events", &question("crowd")).await.json()["interaction"].clone();
    let before = broker.resident_kib();
    let path: Arc<str> = format!("/v1/interactions/{}/wait?timeout=300", asked["id"].as_str().unwrap()).into();
    let mut waits = Vec::new();
    for _ in 0..WAITS {
        let (mut connection, path) = (broker.connect().await, Arc::clone(&path));
        waits.push(tokio::spawn(async move { connection.send("GET", &path, "").await.status }));
    }
    waiting(&mut control, WAITS as u64).await;
    let each = (broker.resident_kib() - before) * 1_024 / WAITS as u64;
    let begin = Instant::now();
    assert_eq!(control.send("POST", "/v1/events", &event()).await.status, 201);
    let post = begin.elapsed();
    let begin = Instant::now();
    answer(&mut control, &asked).await;
    for wait in waits {
        assert_eq!(wait.await.unwrap(), 200);
    }
    println!(
        "{WAITS} waits: {each} bytes each (goal 16384), a post meanwhile {post:.1?}, all released in {:.0?} (goal 2 s)",
        begin.elapsed()
    );
}

async fn start_up() {
    let dir = directory();
    drop(Broker::start(dir.path()));
    let mut times = Vec::new();
    for _ in 0..5 {
        let begin = Instant::now();
        let broker = Broker::start(dir.path());
        let status = request(&broker.address, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
        assert_eq!(status, 200);
        times.push(begin.elapsed());
    }
    times.sort_unstable();
    println!("start to first reply: {:.1?} (goal 100 ms)", times[2]);
}

/// A million finished conditions beside none.
async fn history() {
    let (small, large) = (directory(), directory());
    drop((Broker::start(small.path()), Broker::start(large.path())));
    fill(&large.path().join("b.db"));
    let (small, large) = (Broker::start(small.path()), Broker::start(large.path()));
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let (empty, _) = rate(&small, "/v1/events").await;
        let (full, _) = rate(&large, "/v1/events").await;
        println!("empty {empty:.0}/s, with 1,000,000 finished conditions {full:.0}/s");
        ratios.push(full / empty);
    }
    println!("with 1,000,000 finished conditions: {:.2} of an empty database's rate (goal 0.90)", median(&mut ratios));
}

fn fill(database: &Path) {
    const NUMBERS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)";
    let connection = rusqlite::Connection::open(database).unwrap();
    let text = "'auto_' || lower(hex(randomblob(32)))";
    connection
        .execute_batch(&format!(
            "PRAGMA synchronous = OFF; BEGIN;
             {NUMBERS} INSERT INTO conditions (seq, id, key, sender_id, kind, message, priority, created_at, updated_at, resolved_at)
               SELECT i, printf('ntf_%016x%016x', i, i), {text}, 'codex', 'completion', 'All tests passed.', 'normal', i, i, i FROM n;
             {NUMBERS} INSERT INTO events SELECT 'codex', lower(hex(randomblob(12))), randomblob(32), i, NULL, i FROM n;
             COMMIT; PRAGMA wal_checkpoint(TRUNCATE);"
        ))
        .unwrap();
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let only = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let wanted = |name: &str| only.as_deref().is_none_or(|only| name.contains(only));
    runtime.block_on(async {
        if wanted("start") {
            start_up().await;
        }
        if wanted("throughput") {
            throughput().await;
        }
        if wanted("wake") {
            wake_up().await;
        }
        if wanted("crowd") {
            crowd().await;
        }
        if wanted("history") {
            history().await;
        }
    });
}
