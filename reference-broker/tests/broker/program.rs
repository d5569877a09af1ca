//! The program: its start, its end, and its sudden end.

use crate::support::*;
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
    command.args(["--listen", "127.0.0.1:0", "--db"]).arg(dir.join("b.db")).arg("--token-file").arg(dir.join("token"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Program {
    /// Starts it on the database in `dir`, with the token that the tests use, and reads the line it prints.
    fn start(dir: &Path) -> Self {
        let token = dir.join("token");
        std::fs::write(&token, TOKEN).unwrap();
        std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o600)).unwrap();
        let mut child = command(dir).spawn().unwrap();
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
