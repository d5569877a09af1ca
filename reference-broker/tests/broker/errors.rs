//! Every way in which the program does not start, and what it says then: what happened, where, and what to do next.

use crate::process::{Program, stderr};
use std::fmt::Write as _;
use std::fs::{File, create_dir, write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What is wrong, how it comes to be so in a folder, and the options that run into it. The last `--listen` counts.
type Case = (&'static str, fn(&Path), &'static [&'static str]);

const CASES: &[Case] = &[
    ("the database is a directory", |dir| create_dir(dir.join("b.db")).unwrap(), &[]),
    ("the database is none", |dir| write(dir.join("b.db"), "x".repeat(8_192)).unwrap(), &[]),
    ("the database is damaged", damage, &[]),
    ("the database is another program's", other_tables, &[]),
    ("the database is of a later version", |dir| change(dir, "PRAGMA user_version = 99"), &[]),
    ("the database's folder is missing", |_| (), &["--db", "nowhere/b.db"]),
    ("the lock beside the database is a directory", |dir| create_dir(dir.join("b.db.lock")).unwrap(), &[]),
    ("the token's folder is missing", |_| (), &["--token-file", "nowhere/token"]),
    ("the token is a directory", |dir| token(dir, create_dir), &[]),
    ("the token is readable by others", |dir| write(dir.join("token"), "canary").unwrap(), &[]),
    ("the token is empty", |dir| token(dir, |path| write(path, "")), &[]),
    ("the token is two words", |dir| token(dir, |path| write(path, "canary canary")), &[]),
    ("the token is no text", |dir| token(dir, |path| write(path, [0xFF])), &[]),
    ("the address is none", |_| (), &["--listen", "nowhere"]),
    ("the address has no port", |_| (), &["--listen", "127.0.0.1"]),
    ("the address is not this machine's", |_| (), &["--listen", "192.0.2.1:0", "--allow-remote"]),
    ("other machines would reach it", |_| (), &["--listen", "0.0.0.0:0"]),
    ("the rate is no number", |_| (), &["--rate-limit", "fast"]),
    ("the days are no number", |_| (), &["--retain-days", "soon"]),
    ("the level is none", |_| (), &["--log", "loud"]),
    ("the log's format is none", |_| (), &["--log-format", "jason"]),
    ("the option is unknown", |_| (), &["--tokn-file", "token"]),
    ("the command is unknown", |_| (), &["serve"]),
];

fn token(dir: &Path, make: fn(std::path::PathBuf) -> std::io::Result<()>) {
    let path = dir.join("token");
    make(path.clone()).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).unwrap();
}

/// A database that a broker has made, and that was changed since.
fn change(dir: &Path, sql: &str) {
    assert_eq!(Program::start(dir).terminate(), Some(0));
    rusqlite::Connection::open(dir.join("b.db")).unwrap().execute_batch(sql).unwrap();
}

fn damage(dir: &Path) {
    assert_eq!(Program::start(dir).terminate(), Some(0));
    let mut bytes = std::fs::read(dir.join("b.db")).unwrap();
    // Behind the header, which says that it is a database.
    bytes[100..].fill(0xAA);
    write(dir.join("b.db"), bytes).unwrap();
}

fn other_tables(dir: &Path) {
    let connection = rusqlite::Connection::open(dir.join("b.db")).unwrap();
    connection.execute_batch("CREATE TABLE events (name TEXT)").unwrap();
}

/// The program in `dir`; options that come later win.
fn arc_broker(dir: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-broker"));
    for (name, value) in [("--db", "b.db"), ("--token-file", "token"), ("--listen", "127.0.0.1:0")] {
        let is_command = options.first().is_some_and(|first| !first.starts_with("--"));
        if !is_command && !options.contains(&name) {
            command.args([name, value]);
        }
    }
    command.args(options).env_clear().current_dir(dir).stdin(Stdio::null());
    command
}

/// What it says, with the exit code, and without what differs from run to run.
fn said(dir: &Path, command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = stderr(&output).replace(&dir.canonicalize().unwrap().display().to_string(), "[folder]");
    let said = said.replace(&dir.display().to_string(), "[folder]");
    assert!(!said.contains("canary") && output.stdout.is_empty(), "{said}");
    format!("{said}exit code {}\n\n", output.status.code().unwrap())
}

#[test]
fn every_error_says_what_happened_where_and_what_to_do_next() {
    let mut table = String::new();
    for (what, spoil, options) in CASES {
        let dir = TempDir::new().unwrap();
        spoil(dir.path());
        let said = said(dir.path(), &mut arc_broker(dir.path(), options));
        write!(table, "# {what}\n$ arc-broker {}\n{said}", options.join(" ")).unwrap();
    }
    let dir = TempDir::new().unwrap();
    let program = Program::start(dir.path());
    let in_use = said(dir.path(), &mut arc_broker(dir.path(), &[]));
    assert_eq!(program.terminate(), Some(0));
    write!(table, "# another broker has the database\n{in_use}").unwrap();

    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let listening = said(dir.path(), &mut arc_broker(dir.path(), &["--listen", &address]));
    write!(table, "# the port is taken\n{}", listening.replace(&address, "[address]")).unwrap();

    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut manual = Command::new(env!("CARGO_BIN_EXE_arc-broker"));
    let unwritten = said(dir.path(), manual.arg("man").stdout(full));
    write!(table, "# the disk is full\n$ arc-broker man > /dev/full\n{unwritten}").unwrap();
    insta::assert_snapshot!(table.trim_end());
}
