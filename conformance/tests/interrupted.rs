//! A run that is told to end leaves nothing behind but its reports.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use arc_reference_broker::{Broker, Config, Token};
use serde_json::Value;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};

const TOKEN: &str = "token-of-the-interrupted-runs";

/// Longer than any end takes, and shorter than what the programs under test would wait for.
const SOON: Duration = Duration::from_secs(25);

fn start(folder: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-conform"));
    command.args(args).env("ARC_TOKEN", TOKEN).current_dir(folder).kill_on_drop(true);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

async fn signal(child: &Child, name: &str) {
    let pid = child.id().expect("it still runs").to_string();
    assert!(Command::new("kill").args([name, &pid]).status().await.unwrap().success());
}

/// How it ended. Whoever holds its standard error has ended, too: what it started does.
async fn end(child: Child) -> Output {
    tokio::time::timeout(SOON, child.wait_with_output()).await.expect("it ends soon").unwrap()
}

async fn line(from: &mut (impl tokio::io::AsyncBufRead + Unpin), start: &str) {
    let mut lines = from.lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        if line.starts_with(start) {
            return;
        }
    }
    panic!("it ended without a line that starts with {start:?}");
}

struct Consumer {
    url: String,
    _folder: tempfile::TempDir,
}

impl Consumer {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = Config::new(folder.path().join("arc.sqlite"), Token::new(TOKEN.to_owned()));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let broker = Broker::open(config).unwrap();
        tokio::spawn(async move { broker.serve(listener, std::future::pending()).await.unwrap() });
        Self { url, _folder: folder }
    }

    async fn pending_questions(&self) -> u64 {
        let mut stream = TcpStream::connect(self.url.trim_start_matches("http://")).await.unwrap();
        let head = format!("Host: localhost\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n");
        stream.write_all(format!("GET /metrics HTTP/1.1\r\n{head}\r\n").as_bytes()).await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        let gauge = text.lines().find_map(|line| line.strip_prefix("arc_broker_pending_questions ")).expect(&text);
        gauge.parse().unwrap()
    }
}

#[tokio::test]
async fn the_first_signal_lets_what_is_under_way_end_and_reports_the_rest_as_open() {
    let (consumer, folder) = (Consumer::start().await, tempfile::tempdir().unwrap());
    let args = ["run", &consumer.url, "--only", "LIF", "--cases", "0", "--rate", "40/s", "--report", "json=run.json"];
    let child = start(folder.path(), &args);
    while consumer.pending_questions().await == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    signal(&child, "-INT").await;
    let output = end(child).await;
    let (told, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{told}{said}");
    assert!(said.contains("Interrupted: what is under way is brought to its end."), "{said}");
    assert_eq!(consumer.pending_questions().await, 0, "{told}");
    let open = told.lines().filter(|line| line.starts_with("OPEN ") && line.ends_with(": the run was interrupted"));
    assert_eq!(open.count(), 1, "{told}");
    let report: Value = serde_json::from_slice(&std::fs::read(folder.path().join("run.json")).unwrap()).unwrap();
    assert_eq!(report["claims"][0]["standing"], "open");
}

#[tokio::test]
async fn the_second_signal_ends_it_at_once_and_leaves_no_empty_report() {
    let (consumer, folder) = (Consumer::start().await, tempfile::tempdir().unwrap());
    let mut child = start(folder.path(), &["run", &consumer.url, "--rate", "12/s", "--report", "json=run.json"]);
    line(&mut BufReader::new(child.stdout.take().unwrap()), "First look: ").await;
    signal(&child, "-TERM").await;
    line(&mut BufReader::new(child.stderr.take().unwrap()), "Interrupted: ").await;
    signal(&child, "-INT").await;
    assert_eq!(end(child).await.status.code(), Some(130));
    assert!(!folder.path().join("run.json").exists());
}

#[tokio::test]
async fn what_it_waits_for_or_started_does_not_keep_it() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for args in [
        &["run", &url, "--wait-for-ready", "60s", "--report", "json=it.json"][..],
        // Neither of these two commands ever ends by itself or listens; both would hold standard error.
        &["run", &url, "--report", "json=it.json", "--spawn", "sh -c 'echo started >&2; exec sleep 60'"],
        &["producer", "--report", "json=it.json", "--", "sh", "-c", "echo started >&2; sleep 60; true"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = start(folder.path(), args);
        let mut said = BufReader::new(child.stderr.take().unwrap());
        if args.contains(&"--wait-for-ready") {
            while !folder.path().join("it.json").exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        } else {
            line(&mut said, "started").await;
        }
        signal(&child, "-TERM").await;
        let mut rest = String::new();
        let all = said.read_to_string(&mut rest);
        tokio::time::timeout(SOON, all).await.expect("nothing of it is left").unwrap();
        assert_eq!(end(child).await.status.code(), Some(143), "{args:?}: {rest}");
        assert!(rest.contains("interrupted"), "{args:?}: {rest}");
        assert!(!folder.path().join("it.json").exists(), "{args:?}");
    }
}
