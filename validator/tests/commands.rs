//! The subcommands, as their users meet them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn arc_validate(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-validate"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that has seen enough may stop reading.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// What a subcommand prints when all is well.
fn printed(arguments: &[&str]) -> String {
    let output = arc_validate(arguments, "");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{arguments:?}");
    text(&output.stdout).to_owned()
}

#[test]
fn explain_says_what_a_finding_means() {
    insta::assert_snapshot!(printed(&["explain", "unknown-member"]));
    assert!(printed(&["explain", "ENV-13"]).contains("misplaced-response"));
    for rule in arc_validator::rules() {
        assert!(printed(&["explain", rule.code]).contains(rule.explanation));
    }
    let unknown = arc_validate(&["explain", "unknown-membre"], "");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("there is no rule `unknown-membre`; did you mean `unknown-member`?"));
}

#[test]
fn rules_lists_all_of_them() {
    assert_eq!(printed(&["rules"]).lines().count(), arc_validator::rules().count());
    let json: Value = serde_json::from_str(&printed(&["rules", "--format", "json"])).unwrap();
    let codes: Vec<_> = json["rules"].as_array().unwrap().iter().map(|rule| rule["code"].clone()).collect();
    assert_eq!(codes, arc_validator::rules().map(|rule| rule.code).collect::<Vec<_>>());
}

/// Regenerate with `arc-validate rules --format markdown > docs/LINTS.md`.
#[test]
fn the_page_of_rules_is_fresh() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/LINTS.md");
    let written = std::fs::read_to_string(page).unwrap_or_default();
    let fresh = printed(&["rules", "--format", "markdown"]);
    assert!(written == fresh, "docs/LINTS.md is stale: arc-validate rules --format markdown > docs/LINTS.md");
}

#[test]
fn completions_and_manual_know_every_subcommand() {
    let manual = printed(&["man"]);
    assert!(manual.contains(".TH arc-validate 1"), "{manual}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        for word in ["explain", "rules", "schema", "migrate", "completions", "man", "no-lifecycle"] {
            assert!(script.contains(word), "{shell}: {word}");
            assert!(manual.replace("\\-", "-").contains(word), "{word}");
        }
    }
}

#[test]
fn the_version_names_the_contract_and_its_schema() {
    let version = printed(&["--version"]);
    let schema = version.lines().find_map(|line| line.strip_prefix("schema ")).unwrap();
    assert!(version.contains("contract ARC 0.2") && schema.len() == 64, "{version}");
    assert_eq!(printed(&["-V"]).lines().count(), 1);
}

#[test]
fn schema_is_the_contract() {
    assert_eq!(printed(&["schema"]), arc_validator::schema::SOURCE);
}

#[test]
fn a_file_that_is_called_like_a_subcommand_is_checked_by_its_path() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("rules"), include_str!("../../vectors/examples/create.json")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-validate"));
    let output = command.arg("./rules").current_dir(&directory).output().unwrap();
    assert_eq!(text(&output.stdout), "1 event in 1 file: 1 valid, 0 errors, 0 warnings, 0 info\n");
}

const QUESTION: &str = r#"{"arc_version":"0.1","event_id":"e1","event_type":"request.created","occurred_at":"2026-08-26T01:15:00Z","sender":{"id":"codex"},"request":{"key":"k","kind":"permission","message":"May I\u0020deploy?"}}"#;
const RESOLVED: &str = r#"{"arc_version":"0.1","event_id":"e2","event_type":"request.resolved","occurred_at":"2026-08-26T01:16:00Z","sender":{"id":"codex"},"request":{"key":"k"}}"#;

#[test]
fn migrate_changes_the_version_and_says_what_it_cannot_know() {
    let current = QUESTION.replace("0.1", "0.2");
    let broken = QUESTION.replace("message", "mesage");
    let input = [QUESTION, RESOLVED, &current, &broken, "{"].join("\n");
    let output = arc_validate(&["migrate", "--stdin-filename", "old.ndjson"], &input);
    assert_eq!(output.status.code(), Some(1));
    let expected = [current.as_str(), &RESOLVED.replace("0.1", "0.2"), &current, ""].join("\n");
    assert_eq!(text(&output.stdout), expected);
    insta::assert_snapshot!(text(&output.stderr));
}

#[test]
fn what_migrate_writes_passes_the_check() {
    let pretty = format!("[\n{:#},\n{RESOLVED}]", serde_json::from_str::<Value>(QUESTION).unwrap());
    let output = arc_validate(&["migrate"], &pretty);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout).lines().count(), 2);
    let checked = arc_validate(&["--format", "json"], text(&output.stdout));
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
    assert_eq!(arc_validate(&["migrate"], "").status.code(), Some(4));
    assert_eq!(arc_validate(&["migrate", "/nowhere.json"], "").status.code(), Some(2));
}

#[test]
fn migrate_takes_a_limit_and_a_file_as_a_check_does() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("new.ndjson");
    let path = file.to_str().unwrap();
    let long = QUESTION.replace("deploy", &"x".repeat(200));
    let limit = QUESTION.len().to_string();
    let input = format!("{QUESTION}\n{long}\n");
    let output = arc_validate(&["migrate", "--max-event", &limit, "--output-file", path], &input);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), ""));
    assert!(text(&output.stderr).contains("error[too-large]"), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), format!("{}\n", QUESTION.replace("0.1", "0.2")));
    // A device is written to, and stays what it is.
    assert_eq!(arc_validate(&["migrate", "--output-file", "/dev/null"], QUESTION).status.code(), Some(0));
}
