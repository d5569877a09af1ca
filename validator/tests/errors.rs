//! Every way in which the program is kept from its job, and what it says then: what happened, where, and what to do next.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const VALID: &str = include_str!("../../vectors/examples/create.json");

/// Each line is a command; what it reads from the standard input is a valid event, but for `< empty`.
const CASES: &[&str] = &[
    "nowhere.json",
    "nowhere/event.json",
    "event.json/event.json",
    "< empty",
    "empty.json",
    "hollow",
    "--config nowhere.toml",
    "--config hollow",
    "--config binary.toml",
    "--config broken.toml",
    "--config misspelt.toml",
    "--config wrong-code.toml",
    "--deny unknown-membre",
    "--deny something-else-entirely",
    "--deny json --allow json",
    "--max-event many",
    "--max-event 0",
    "--threads none",
    "--format humane",
    "--fromat json",
    "--output-file nowhere/out.json",
    "--output-file /dev/full",
    "explain unknown-membre",
    "explain",
    "rules --format yaml",
    "completions tcsh",
    "event.json schema",
    "migrate nowhere.json",
    "migrate < empty",
    "migrate --max-event few",
    "migrate --output-file nowhere/out.json",
    "migrate --output-file /dev/full",
];

fn lay_out(folder: &Path) {
    fs::create_dir(folder.join("hollow")).unwrap();
    for (name, text) in [
        ("event.json", VALID.as_bytes()),
        ("empty.json", b"\n"),
        ("binary.toml", b"\xff\xfe"),
        ("broken.toml", b"[validate]\ndeny = [\"json\"\n"),
        ("misspelt.toml", b"[validat]\ndeny = []\n"),
        ("wrong-code.toml", b"[validate]\ndeny = [\"jsom\"]\n"),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
}

fn arc_validate(folder: &Path, case: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-validate"));
    command.args(case.trim_end_matches("< empty").split_whitespace()).current_dir(folder);
    for variable in ["CONFIG", "DENY", "WARN", "ALLOW", "FORMAT"] {
        command.env_remove(format!("ARC_VALIDATE_{variable}"));
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What a command says on the standard error, and its exit code.
fn said(command: &mut Command, input: &str) -> String {
    let mut child = command.spawn().unwrap();
    // A program that has seen enough may stop reading.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let code = output.status.code().unwrap();
    assert!(code == 2 || code == 4, "{command:?} ended with {code}");
    format!("{}exit code {code}\n", String::from_utf8(output.stderr).unwrap())
}

#[test]
fn every_error_says_what_happened_where_and_what_to_do_next() {
    let folder = tempfile::tempdir().unwrap();
    lay_out(folder.path());
    let mut table = String::new();
    for case in CASES {
        let input = if case.ends_with("< empty") { "" } else { VALID };
        let said = said(&mut arc_validate(folder.path(), case), input);
        writeln!(table, "$ arc-validate {case}\n{said}").unwrap();
    }
    let full = || File::options().write(true).open("/dev/full").unwrap();
    for case in ["--format json", "schema", "--gate", "migrate"] {
        let said = said(arc_validate(folder.path(), case).stdout(full()), VALID);
        writeln!(table, "$ arc-validate {case} > /dev/full\n{said}").unwrap();
    }
    let said = said(arc_validate(folder.path(), "").env("ARC_VALIDATE_WARN", "retyr"), VALID);
    writeln!(table, "$ ARC_VALIDATE_WARN=retyr arc-validate\n{said}").unwrap();
    insta::assert_snapshot!(table);
}
