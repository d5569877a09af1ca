//! The program: its start, its end, and its sudden end.

use crate::support::*;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// A broker in a process of its own, killed when dropped.
struct Program {
    child: Child,
    client: Client,
}

fn command(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-broker"));
    command.args(["--rate-limit", "0", "--log", "error"]);
    command.args(["--listen", "127.0.0.1:0", "--db"]).arg(dir.join("b.db")).arg("--token-file").arg(dir.join("token"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Program {
    /// Starts it on the database in `dir`, with the token that the tests use, and reads the line it prints.
    fn start(dir: &Path) -> Self {
        Self::spawn(dir, &mut command(dir))
    }

    fn spawn(dir: &Path, command: &mut Command) -> Self {
        let token = dir.join("token");
        std::fs::write(&token, TOKEN).unwrap();
        std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o600)).unwrap();
        let mut child = command.spawn().unwrap();
        let line = first_line(&mut child);
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap();
        let url = url.trim_end_matches(';').to_owned();
        assert!(line.contains("token") && !line.contains(TOKEN), "{line}");
        Self { child, client: Client { http: http(), url } }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM, and the exit code.
    fn terminate(mut self) -> Option<i32> {
        signal(&self.child, "TERM");
        self.child.wait().unwrap().code()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn first_line(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    if line.is_empty() {
        child.stderr.as_mut().unwrap().read_to_string(&mut line).unwrap();
    }
    line
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap().success());
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[tokio::test]
async fn a_kill_right_after_an_acknowledgement_loses_nothing() {
    let dir = TempDir::new().unwrap();
    let program = Program::start(dir.path());
    let create = created("k", permission("May I?", 1_000_000 * MINUTE));
    let asked = program.client.event(&create).await.body["interaction"].clone();
    let accepted = answer(&asked, "r1", "deny");
    let first = program.client.event(&accepted).await;
    assert_eq!(first.status, 200);
    program.kill();
    let program = Program::start(dir.path());
    assert_eq!(program.client.event(&accepted).await, first);
    assert_eq!(program.client.event(&answer(&asked, "r2", "deny")).await.status, 409);
    let replay = program.client.event(&create).await;
    assert_eq!((replay.status, &replay.body["interaction"]), (200, &first.body["interaction"]));
    assert_eq!(program.terminate(), Some(0));
}

#[test]
fn a_second_broker_on_the_same_database_is_refused() {
    let dir = TempDir::new().unwrap();
    let program = Program::start(dir.path());
    // By whatever name.
    std::os::unix::fs::symlink(dir.path().join("b.db"), dir.path().join("link.db")).unwrap();
    for name in ["b.db", "link.db"] {
        let output = Command::new(env!("CARGO_BIN_EXE_arc-broker"))
            .args(["--listen", "127.0.0.1:0", "--db"])
            .arg(dir.path().join(name))
            .arg("--token-file")
            .arg(dir.path().join("token"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let database = dir.path().join("b.db").canonicalize().unwrap();
        let expected = format!("another broker is using the database {}", database.display());
        assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
    }
    // The first one has not noticed, and the file is free when it has gone.
    assert_eq!(program.terminate(), Some(0));
    assert_eq!(Program::start(dir.path()).terminate(), Some(0));
}

#[test]
fn a_token_is_made_for_its_owner_alone_and_kept() {
    let dir = TempDir::new().unwrap();
    let token = |dir: &Path| std::fs::read_to_string(dir.join("token")).unwrap();
    let mut child = command(dir.path()).spawn().unwrap();
    let line = first_line(&mut child);
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let first = token(dir.path());
    assert_eq!(first.trim_end().len(), 43);
    assert!(line.contains(&dir.path().join("token").display().to_string()) && !line.contains(first.trim_end()));
    for file in ["token", "b.db"] {
        let mode = std::fs::metadata(dir.path().join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    let mut child = command(dir.path()).spawn().unwrap();
    first_line(&mut child);
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(token(dir.path()), first);
}

#[test]
fn what_cannot_be_used_is_said_and_ends_with_2() {
    type Spoil = fn(&Path);
    let cases: [(&str, Spoil, &[&str], &str); 8] = [
        ("database is a directory", |dir| std::fs::create_dir(dir.join("b.db")).unwrap(), &[], "b.db"),
        (
            "database is no database",
            |dir| std::fs::write(dir.join("b.db"), "x".repeat(8_192)).unwrap(),
            &[],
            "not a database",
        ),
        ("token readable by others", |dir| std::fs::write(dir.join("token"), "t").unwrap(), &[], "chmod 600"),
        ("empty token", |dir| private(dir, ""), &[], "does not hold a token"),
        ("two words", |dir| private(dir, "a b"), &[], "does not hold a token"),
        ("not an address", |_| (), &["--listen", "nowhere"], "nowhere"),
        ("reachable from elsewhere", |_| (), &["--listen", "0.0.0.0:0"], "--allow-remote"),
        ("unknown option", |_| (), &["--frobnicate"], "--frobnicate"),
    ];
    for (name, spoil, args, words) in cases {
        let dir = TempDir::new().unwrap();
        spoil(dir.path());
        let mut command = Command::new(env!("CARGO_BIN_EXE_arc-broker"));
        command.arg("--db").arg(dir.path().join("b.db")).arg("--token-file").arg(dir.path().join("token")).args(args);
        if !args.contains(&"--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{name}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{name}");
    }
}

fn private(dir: &Path, token: &str) {
    let path = dir.join("token");
    std::fs::write(&path, token).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn a_newer_database_is_refused_and_left_alone() {
    let dir = TempDir::new().unwrap();
    assert_eq!(Program::start(dir.path()).terminate(), Some(0));
    let connection = rusqlite::Connection::open(dir.path().join("b.db")).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    let output = command(dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("schema version 99"), "{}", stderr(&output));
}

#[test]
fn a_closed_stdout_is_no_failure() {
    let dir = TempDir::new().unwrap();
    let mut child = command(dir.path()).spawn().unwrap();
    drop(child.stdout.take());
    // It serves: the token is there before the line would have been printed.
    let token = dir.path().join("token");
    let begin = std::time::Instant::now();
    while !token.exists() && begin.elapsed() < std::time::Duration::from_secs(30) {
        std::thread::yield_now();
    }
    assert!(child.try_wait().unwrap().is_none());
    signal(&child, "TERM");
    let code = child.wait().unwrap().code();
    // The signal may have come before the broker listened for it; a panic would be 101.
    assert!(matches!(code, Some(0) | None), "{code:?}");
}

#[tokio::test]
async fn a_second_signal_does_not_wait() {
    let dir = TempDir::new().unwrap();
    let mut program = Program::start(dir.path());
    let mut stuck = std::net::TcpStream::connect(program.client.url.trim_start_matches("http://")).unwrap();
    let head = format!("POST /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n");
    std::io::Write::write_all(
        &mut stuck,
        format!("{head}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{{").as_bytes(),
    )
    .unwrap();
    program.client.get("/v1/health").await;
    signal(&program.child, "TERM");
    // It listens no more: the first signal has been taken.
    while std::net::TcpStream::connect(program.client.url.trim_start_matches("http://")).is_ok() {}
    signal(&program.child, "TERM");
    let code = program.child.wait().unwrap().code();
    let mut words = String::new();
    program.child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    assert_eq!(code, Some(1), "{words}");
    assert!(words.contains("second signal"), "{words}");
}

/// Everything secret that goes in or comes out, at the most talkative level, in both formats.
#[tokio::test]
async fn logs_hold_ids_and_outcomes_and_nothing_else() {
    for format in ["human", "json"] {
        let dir = TempDir::new().unwrap();
        let log = dir.path().join("log");
        let file = std::fs::File::create(&log).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_arc-broker"));
        command.args([
            "--log",
            "trace",
            "--log-format",
            format,
            "--rate-limit",
            "0",
            "--listen",
            "127.0.0.1:0",
            "--db",
        ]);
        command.arg(dir.path().join("b.db")).arg("--token-file").arg(dir.path().join("token"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(file);
        let program = Program::spawn(dir.path(), &mut command);
        let mut canaries = vec![TOKEN.to_owned()];
        let id = traffic(&program.client, &mut canaries).await;
        assert_eq!(program.terminate(), Some(0));
        let log = std::fs::read_to_string(&log).unwrap();
        assert!(log.contains(&id) && log.contains("answered") && log.contains("Digest"), "{log}");
        for canary in canaries {
            assert!(!log.contains(&canary), "{canary} in {log}");
        }
    }
}

/// Each route with good and bad requests that carry canaries; returns an id that the log should hold.
async fn traffic(client: &Client, canaries: &mut Vec<String>) -> String {
    let mut request = permission("canary-message", 1_000_000 * MINUTE);
    request["title"] = "canary-title".into();
    request["response"]["choices"][0] =
        json!({ "id": "canary-choice", "label": "canary-label", "detail": "canary-detail" });
    canaries.extend(["canary-".to_owned()]);
    let asked = client.event(&created("k", request)).await.body["interaction"].clone();
    for member in ["request_digest", "nonce"] {
        canaries.push(asked[member].as_str().unwrap().to_owned());
    }
    let mut wrong = answer(&asked, "r1", "canary-choice");
    for (member, value) in
        [("digest", "ab".repeat(32)), ("nonce", "canary-nonce".to_owned()), ("choice_id", "canary-x".to_owned())]
    {
        let before = std::mem::replace(&mut wrong["response"][member], value.into());
        assert_eq!(client.event(&wrong).await.status, 400);
        wrong["response"][member] = before;
    }
    canaries.push("ab".repeat(32));
    for body in ["canary-not-json", r#"{"arc_version":"canary-version","canary-member":1}"#] {
        assert_eq!(client.raw("/v1/events", body.into()).await.status, 400);
        assert_eq!(client.raw("/v1/interactions/request", body.into()).await.status, 400);
        assert_eq!(client.raw(&path_of(&asked, "/respond"), body.into()).await.status, 400);
    }
    client.get("/v1/interactions/canary-id").await;
    client.get("/v1/interactions?agent=canary-agent&canary-query=1").await;
    client.get("/canary-path?token=canary-token").await;
    let mut question = text("canary-question", None);
    question["response"]["expires_at"] = instant(NOW + 1_000_000 * MINUTE).into();
    let text = client.event(&created("t", question)).await.body["interaction"].clone();
    let mut body = respond(&text, "r1", "x");
    body.as_object_mut().unwrap().remove("choice_id");
    body["text"] = "canary-answer".into();
    assert_eq!(client.post(&path_of(&text, "/respond"), &body).await.status, 200);
    assert_eq!(client.event(&answer(&asked, "r1", "canary-choice")).await.status, 200);
    assert_eq!(client.get(&path_of(&asked, "/wait")).await.body["status"], "answered");
    asked["id"].as_str().unwrap().to_owned()
}

/// Kills under load, again and again: what was acknowledged is there, once.
#[tokio::test(flavor = "multi_thread")]
async fn kills_under_load_lose_nothing_that_was_acknowledged() {
    // The nightly script asks for 100 rounds.
    let rounds = std::env::var("ARC_KILL_ROUNDS").map_or(5, |rounds| rounds.parse().unwrap());
    let dir = TempDir::new().unwrap();
    let mut acknowledged = Vec::new();
    for round in 0..rounds {
        let program = Program::start(dir.path());
        let writers: Vec<_> = (0..32)
            .map(|writer| {
                let client = program.client.clone();
                tokio::spawn(async move { write_until_it_dies(&client, round, writer).await })
            })
            .collect();
        // Dies in the middle of it: as soon as enough is known to have been committed.
        while commands(&program.client).await < 200 {}
        program.kill();
        for writer in writers {
            acknowledged.extend(writer.await.unwrap());
        }
        let program = Program::start(dir.path());
        for event in &acknowledged {
            let replay = program.client.event(event).await;
            assert_eq!(replay.status, 200, "round {round}: {event} {replay:?}");
        }
        assert_eq!(program.terminate(), Some(0));
        check_database(&dir.path().join("b.db"));
        acknowledged.clear();
    }
}

/// Questions and their answers, one after the other; returns the events that were acknowledged.
async fn write_until_it_dies(client: &Client, round: usize, writer: usize) -> Vec<Value> {
    let mut acknowledged = Vec::new();
    for i in 0.. {
        let event = created(&format!("k {round} {writer} {i}"), permission("May I?", 1_000_000 * MINUTE));
        let Some(reply) = client.try_event(&event).await else { break };
        acknowledged.push(event);
        let event = answer(&reply.body["interaction"], "r1", "deny");
        if client.try_event(&event).await.is_none() {
            break;
        }
        acknowledged.push(event);
    }
    acknowledged
}

async fn commands(client: &Client) -> u64 {
    let request = client.http.get(client.url.clone() + "/metrics").bearer_auth(TOKEN);
    let text = request.send().await.unwrap().text().await.unwrap();
    let count = text.lines().find_map(|line| line.strip_prefix("arc_broker_batch_size_sum "));
    count.unwrap().parse().unwrap()
}

fn check_database(path: &Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    let text = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(text("PRAGMA integrity_check"), "ok");
    assert_eq!(
        count(
            "SELECT count(*) FROM conditions WHERE (SELECT count(*) FROM questions q WHERE q.condition_id = conditions.id AND status = 'answered') > 1"
        ),
        0
    );
    assert_eq!(count("SELECT count(*) FROM conditions"), count("SELECT count(DISTINCT key) FROM conditions"));
}
