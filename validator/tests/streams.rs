//! The golden stream vectors, which any implementation may use, hold for the library and for the program alike.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use arc_validator::Example;
use arc_validator::stream::Stream;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};
use support::{read_json, root, vectors_in};

/// Line, code, pointer.
type Found = (u64, String, String);

/// Every vector by its file's name.
fn vectors() -> BTreeMap<String, Value> {
    vectors_in("streams")
}

/// The stream as NDJSON; a text among the events is one as it is spelled.
fn ndjson(vector: &Value) -> Vec<String> {
    let line = |event: &Value| event.as_str().map_or_else(|| event.to_string(), str::to_owned);
    vector["events"].as_array().unwrap().iter().map(line).collect()
}

fn found(entry: &Value) -> Found {
    let text = |name: &str| entry[name].as_str().unwrap().to_owned();
    (entry["line"].as_u64().unwrap(), text("code"), text("pointer"))
}

fn by_library(lines: &[String]) -> Vec<Found> {
    let mut stream = Stream::default();
    let check = |(line, bytes): (u64, &String)| {
        let bytes = bytes.as_bytes();
        let findings = match arc_validator::parse(bytes) {
            Ok(event) => [arc_validator::lint(&event, bytes), stream.check(&event, bytes, line)].concat(),
            Err(invalid) => invalid.findings,
        };
        findings.into_iter().map(move |finding| (line, finding.rule.code.to_owned(), finding.pointer))
    };
    (1..).zip(lines).flat_map(check).collect()
}

/// Runs the program on NDJSON and returns its exit code and report.
fn report(arguments: &[&str], input: &str) -> (i32, Value) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arc-validate"))
        .args(["--format", "json"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap())
}

fn findings(report: &Value) -> Vec<Found> {
    report["findings"].as_array().unwrap().iter().map(found).collect()
}

fn expected(vector: &Value) -> Vec<Found> {
    vector["expected"].as_array().unwrap().iter().map(found).collect()
}

#[test]
fn each_vector_gives_its_findings() {
    let vectors = vectors();
    assert!(vectors.len() >= 100, "only {} vectors", vectors.len());
    let differs = |(name, vector): (&String, &Value)| {
        let (found, expected) = (by_library(&ndjson(vector)), expected(vector));
        (found != expected).then(|| format!("{name}: expected {expected:?}, found {found:?}"))
    };
    let wrong: Vec<_> = vectors.iter().filter_map(differs).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_program_says_the_same() {
    for (name, vector) in vectors() {
        let lines = ndjson(&vector);
        let (code, report) = report(&[], &(lines.join("\n") + "\n"));
        assert_eq!(findings(&report), by_library(&lines), "{name}");
        let has_error = report["findings"].as_array().unwrap().iter().any(|finding| finding["level"] == "error");
        assert_eq!(code, i32::from(has_error), "{name}");
        assert_eq!(report["summary"]["events"], lines.len(), "{name}");
    }
}

#[test]
fn without_lifecycle_each_event_stands_for_itself() {
    for (name, vector) in vectors() {
        let lines = ndjson(&vector);
        let (_, report) = report(&["--no-lifecycle"], &lines.join("\n"));
        let alone: Vec<_> = by_library(&lines).into_iter().filter(|(_, code, _)| !is_of_streams(code)).collect();
        assert_eq!(findings(&report), alone, "{name}");
    }
}

#[test]
fn one_event_has_no_lifecycle() {
    let vectors = vectors();
    let lines = ndjson(&vectors["pro-04-update-opens-nothing"]);
    assert_eq!(report(&[], &lines[0]), report(&["--no-lifecycle"], &lines[0]));
    let (code, alone) = report(&[], &(lines[0].clone() + "\n\n"));
    assert_eq!((code, findings(&alone)), (0, vec![]));
    // The second one makes it a stream, even where it is none itself, and the first one's finding stands first.
    let (code, with_another) = report(&[], &format!("{}\n{{}}\n", lines[0]));
    assert_eq!(code, 1);
    let found = findings(&with_another);
    assert_eq!(found[0], (1, "unknown-condition".to_owned(), "/request/key".to_owned()));
    assert!(found.len() > 1 && found[1..].iter().all(|(line, ..)| *line == 2), "{found:?}");
}

fn is_of_streams(code: &str) -> bool {
    let of_code = arc_validator::rules().find(|rule| rule.code == code).unwrap();
    matches!(of_code.bad, Example::Stream(_))
}

#[test]
fn each_vector_is_well_formed_and_has_a_control() {
    let schema = jsonschema::validator_for(&read_json(&root().join("schemas/stream-vector.schema.json"))).unwrap();
    let catalogue = read_json(&root().join("vectors/requirements.json"));
    let known: BTreeSet<_> =
        catalogue["requirements"].as_array().unwrap().iter().map(|r| r["id"].as_str().unwrap()).collect();
    let vectors = vectors();
    for (name, vector) in &vectors {
        let errors: Vec<_> = schema.iter_errors(vector).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        assert_eq!(vector["id"], name.as_str());
        assert!(known.contains(vector["requirement"].as_str().unwrap()), "{name} names an unknown requirement");
        if let Some(control) = vector["control"].as_str() {
            let control = vectors.get(control).unwrap_or_else(|| panic!("{name} names an unknown control"));
            assert_eq!(control["expected"].as_array().unwrap().len(), 0, "the control of {name} is no valid stream");
            assert_eq!(control["requirement"], vector["requirement"], "{name}");
        }
    }
}

#[test]
fn each_rule_of_streams_has_a_vector_that_breaks_it() {
    let broken: BTreeSet<_> = vectors().values().flat_map(expected).map(|(_, code, _)| code).collect();
    let of_streams = arc_validator::rules().filter(|rule| matches!(rule.bad, Example::Stream(_)));
    let missing: Vec<_> = of_streams.map(|rule| rule.code).filter(|code| !broken.contains(*code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
