//! The program's start and its end.

use crate::process::{Program, command, first_line, signal, stderr};
use crate::support::*;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

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

#[tokio::test]
async fn more_clients_than_descriptors_are_waited_out() {
    let dir = TempDir::new().unwrap();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg("ulimit -n 256; exec \"$0\" \"$@\"").arg(env!("CARGO_BIN_EXE_arc-broker"));
    shell.args(["--log", "error", "--listen", "127.0.0.1:0", "--db"]).arg(dir.path().join("b.db"));
    shell.arg("--token-file").arg(dir.path().join("token"));
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = Program::spawn(dir.path(), &mut shell);
    let address = program.client.url.trim_start_matches("http://").to_owned();
    let crowd: Vec<_> = (0..300).map(|_| std::net::TcpStream::connect(&address).unwrap()).collect();
    // The broker has run out when it says so.
    let mut complaints = BufReader::new(program.child.stderr.take().unwrap());
    let mut line = String::new();
    complaints.read_line(&mut line).unwrap();
    assert!(line.contains("cannot accept connections"), "{line}");
    drop(crowd);
    assert_eq!(program.client.event(&created("k", one_way("Done."))).await.status, 201);
    assert_eq!(program.terminate(), Some(0));
    let mut rest = String::new();
    complaints.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "", "one line in ten seconds");
}

#[test]
fn a_bare_environment_is_enough() {
    let dir = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-broker"));
    command.args(["--listen", "127.0.0.1:0"]).env_clear().current_dir(dir.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let line = first_line(&mut child);
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    // Where things are is said so that it can be read anywhere.
    let token = dir.path().canonicalize().unwrap().join("arc-broker.db.token");
    assert!(line.contains(&token.display().to_string()), "{line}");
}

/// What the program prints, without a broker.
fn printed(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_arc-broker")).args(args).env_clear().output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_version_names_the_contract_and_the_data_that_it_is_held_to() {
    let version = printed(&["--version"]);
    let lines: Vec<_> = version.lines().collect();
    assert_eq!(lines[..2], [concat!("arc-broker ", env!("CARGO_PKG_VERSION")), "contract ARC 0.2"]);
    for (line, (what, file)) in lines[2..]
        .iter()
        .zip([("schema", "schemas/arc-0.2.schema.json"), ("digest vectors", "vectors/digests/reference-broker.json")])
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        let hash = <sha2::Sha256 as sha2::Digest>::digest(std::fs::read(path).unwrap());
        let hex = hash.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        assert_eq!(*line, format!("{what} {hex}"));
    }
    assert_eq!(lines.len(), 4);
    assert_eq!(printed(&["-V"]), version);
}

#[test]
fn the_help_teaches_each_option_by_example() {
    insta::assert_snapshot!(printed(&["--help"]).trim_end());
}

#[test]
fn completions_and_the_manual_come_from_the_command_line_s_definition() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        for word in ["token-file", "retain-days", "completions"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let manual = printed(&["man"]);
    assert!(
        manual.contains(".TH arc-broker 1  \"arc-broker 0.2.0\" \n") && manual.contains("retain\\-days"),
        "{manual}"
    );
    // A shell that there is takes its script.
    let dir = TempDir::new().unwrap();
    let script = dir.path().join("completions");
    std::fs::write(&script, printed(&["completions", "bash"])).unwrap();
    if let Ok(checked) = Command::new("bash").arg("-n").arg(&script).output() {
        assert_eq!((checked.status.code(), stderr(&checked)), (Some(0), String::new()));
    }
}

#[test]
fn a_command_takes_no_options_of_the_broker() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_arc-broker")).args(["--db", "x.db", "man"]).env_clear().output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}
