//! The program as its users meet it: what it prints, and how it exits.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn arc_validate(arguments: &[&str], input: &[u8]) -> Output {
    run(Command::new(env!("CARGO_BIN_EXE_arc-validate")).args(arguments), |stdin| stdin.write_all(input))
}

fn run(command: &mut Command, feed: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that has seen enough may stop reading.
    let _ = feed(&mut child.stdin.take().unwrap());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

const VALID: &str = include_str!("../../vectors/examples/create.json");

fn line() -> String {
    serde_json::from_str::<serde_json::Value>(VALID).unwrap().to_string()
}

#[test]
fn a_stream_with_faults_is_explained() {
    let broken = line().replace(r#""message":"#, r#""mesage":"#);
    let old = line().replace(r#""0.2""#, r#""0.1""#);
    let secret = r#"{"arc_version":"0.2","event_id":"e","event_type":"response.submitted","occurred_at":"2026-08-26T01:15:00Z","sender":{"id":"s"},"request":{"key":"k"},"response":{"response_id":"r","digest":"canary-digest","nonce":"canary-nonce","text":""}}"#;
    let stream = [line(), broken, String::new(), old, "{\"a\": \u{1b}[31m}".to_owned(), secret.to_owned()].join("\n");
    let output = arc_validate(&["--stdin-filename", "events.ndjson"], stream.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stdout);
    assert!(!shown.contains('\u{1b}') && !shown.contains("canary"), "{shown}");
    insta::assert_snapshot!(shown);
}

#[test]
fn json_is_one_object_with_places() {
    let broken = line().replace(r#""Deny""#, "7");
    let output = arc_validate(&["--format", "json"], broken.as_bytes());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    insta::assert_json_snapshot!(report);
}

#[test]
fn every_layout_gives_the_same_verdict() {
    let pretty = VALID.to_owned();
    let array = format!("[\n{},\n{pretty}]", line());
    let ndjson = format!("{}\r\n\r\n{}", line(), line());
    for (layout, events) in [(pretty, 1), (array, 2), (ndjson, 2)] {
        let output = arc_validate(&["--format", "json"], layout.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["summary"]["valid"], events);
    }
}

#[test]
fn directories_are_searched_for_events() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    };
    write("a.json", VALID);
    write("deep/er/b.ndjson", &format!("{}\n{{}}\n", line()));
    write("notes.txt", "not an event");
    let output = arc_validate(&["--format", "json", directory.path().to_str().unwrap()], b"");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["summary"]["files"], &report["summary"]["events"]), (&2.into(), &3.into()));
    assert!(report["findings"][0]["file"].as_str().unwrap().ends_with("b.ndjson"));
}

#[test]
fn what_cannot_be_checked_has_its_exit_code() {
    let empty_directory = tempfile::tempdir().unwrap();
    let empty = empty_directory.path().to_str().unwrap();
    for (arguments, input, code, says) in [
        (vec![], &b""[..], 4, "there was no event to check"),
        (vec![], b" \n\n", 4, "there was no event to check"),
        (vec!["--allow-empty"], b"", 0, ""),
        (vec![empty], b"", 4, "there was no event to check"),
        (vec!["/nowhere/at/all.json"], b"", 2, "cannot read /nowhere/at/all.json"),
        (vec!["--format", "yaml"], b"", 2, "invalid value 'yaml'"),
    ] {
        let output = arc_validate(&arguments, input);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(text(&output.stderr).contains(says), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn what_is_no_event_is_one_finding() {
    let binary: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    for (input, code) in [
        (&b"hello, this is\nnot an event\n"[..], "json-syntax"),
        (b"\xff\xfe{\0}\0", "not-utf8"),
        (&binary, "not-utf8"),
        (b"\"text\"", "not-an-event"),
        (b"null", "not-an-event"),
        (b"{", "json-syntax"),
        (&b"[".repeat(60 << 10), "too-deep"),
    ] {
        let output = arc_validate(&["--format", "json"], input);
        assert_eq!(output.status.code(), Some(1));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let found: Vec<_> =
            report["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect();
        assert!(found.contains(&code), "{found:?} lacks {code}");
        assert!(found.len() <= 2, "{found:?}");
    }
}

/// 100 MB on one line, in 100 MB of address space less than that.
#[cfg(target_os = "linux")]
#[test]
fn a_line_of_any_length_takes_bounded_memory() {
    let limited = format!("ulimit -v 90000; exec '{}' --format json", env!("CARGO_BIN_EXE_arc-validate"));
    let output = run(Command::new("sh").args(["-c", &limited]), |stdin| {
        stdin.write_all(format!("{}\n{{\"a\":\"", line().replace("evt_", "other_")).as_bytes())?;
        std::io::copy(&mut std::io::repeat(b'x').take(100 << 20), stdin)?;
        stdin.write_all(format!("\"}}\n{}\n", line()).as_bytes())
    });
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
    assert_eq!((&report["findings"][0]["code"], &report["findings"][0]["line"]), (&"too-large".into(), &2.into()));
    assert_eq!(report["summary"]["valid"], 2);
}

#[test]
fn a_closed_output_is_success() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arc-validate"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let _ = child.stdin.take().unwrap().write_all("{}\n".repeat(5000).as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}

#[test]
fn help_names_every_exit_code() {
    let output = arc_validate(&["--help"], b"");
    for code in ["  0  ", "  1  ", "  2  ", "  4  "] {
        assert!(text(&output.stdout).contains(code));
    }
    assert!(Path::new(env!("CARGO_BIN_EXE_arc-validate")).exists());
}
