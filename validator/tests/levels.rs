//! Levels: flags over environment over file, and what they do to the exit code.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A valid event with a lint of level info, and one that is invalid.
const NOBODY_WAITS: &str = r#"{"arc_version":"0.2","event_id":"e1","event_type":"request.created","occurred_at":"2026-08-26T01:15:00Z","sender":{"id":"codex"},"request":{"kind":"permission","message":"May I deploy?"}}"#;
const MISSPELLED: &str = r#"{"arc_version":"0.2","event_id":"e1","event_type":"request.created","occurred_at":"2026-08-26T01:15:00Z","sender":{"id":"codex"},"request":{"kind":"information","mesage":"Done."}}"#;

struct Run {
    directory: tempfile::TempDir,
    environment: Vec<(&'static str, &'static str)>,
}

impl Run {
    fn new() -> Self {
        let run = Self { directory: tempfile::tempdir().unwrap(), environment: Vec::new() };
        run.write("deep/er/lint.json", NOBODY_WAITS);
        run.write("deep/er/fault.json", MISSPELLED);
        run
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.directory.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Runs in deep/er with all three ways to set levels.
    fn output(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arc-validate"));
        command
            .args(["--format", "concise"])
            .args(arguments)
            .current_dir(self.directory.path().join(Path::new("deep/er")));
        command.envs(self.environment.iter().copied()).output().unwrap()
    }

    /// The exit code, and the level of the first finding.
    fn level(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.output(arguments);
        let shown = String::from_utf8(output.stdout).unwrap();
        let level = shown.lines().next().and_then(|line| line.split(": ").nth(1)).unwrap_or_default();
        (output.status.code().unwrap(), level.split('[').next().unwrap().to_owned())
    }
}

fn found(code: i32, level: &str) -> (i32, String) {
    (code, level.to_owned())
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_nearest_file() {
    let mut run = Run::new();
    assert_eq!(run.level(&["lint.json"]), found(0, "info"));
    run.write("arc.toml", "[validate]\nallow = [\"all\"]\n");
    let nothing = b"1 event in 1 file: 1 valid, 0 errors, 0 warnings, 0 info\n";
    assert_eq!(run.output(&["lint.json"]).stdout, nothing);
    run.write("deep/arc.toml", "[validate]\nwarn = [\"nobody-waits\"]\n");
    assert_eq!(run.level(&["lint.json"]), found(0, "warning"));
    assert_eq!(run.level(&["--isolated", "lint.json"]), found(0, "info"));
    assert_eq!(run.output(&["--config", "../../arc.toml", "lint.json"]).stdout, nothing);
    run.environment = vec![("ARC_VALIDATE_DENY", "clarity, retry")];
    assert_eq!(run.level(&["lint.json"]), found(1, "error"));
    assert_eq!(run.level(&["--warn", "all", "lint.json"]), found(0, "warning"));
    assert_eq!(run.level(&["--warn", "all", "--deny", "nobody-waits,retry", "lint.json"]), found(1, "error"));
}

#[test]
fn a_demoted_fault_leaves_the_event_invalid() {
    let run = Run::new();
    assert_eq!(run.level(&["fault.json"]), found(1, "error"));
    let output = run.output(&["--warn", "unknown-member", "fault.json"]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(shown.ends_with("1 event in 1 file: 0 valid, 0 errors, 1 warning, 0 info\n"), "{shown}");
    let gated = run.output(&["--gate", "--warn", "unknown-member", "fault.json"]);
    assert!(gated.stdout.is_empty(), "an invalid event passed the gate");
}

#[test]
fn a_denied_lint_keeps_an_event_out_of_the_gate() {
    let run = Run::new();
    assert_eq!(run.output(&["--gate", "lint.json"]).stdout, format!("{NOBODY_WAITS}\n").into_bytes());
    assert!(run.output(&["--gate", "--deny", "nobody-waits", "lint.json"]).stdout.is_empty());
}

#[test]
fn what_cannot_be_meant_is_a_usage_error() {
    let mut run = Run::new();
    let said = |run: &Run, arguments: &[&str]| {
        let output = run.output(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(said(&run, &["--deny", "nobody-wait"]).contains("did you mean `nobody-waits`?"));
    assert!(said(&run, &["--deny", "json", "--allow", "json"]).contains("selected twice"));
    assert!(said(&run, &["--config", "nowhere.toml"]).contains("cannot read the configuration file nowhere.toml"));
    run.write("arc.toml", "[validate]\ndeni = [\"all\"]\n");
    assert!(said(&run, &["lint.json"]).contains("unknown field `deni`"));
    run.write("arc.toml", "[validate]\ndeny = [\"al\"]\n");
    assert!(said(&run, &["lint.json"]).contains("arc.toml: there is no rule `al`; did you mean `all`?"));
    run.write("arc.toml", "");
    run.environment = vec![("ARC_VALIDATE_ALLOW", "coment")];
    assert!(said(&run, &["lint.json"]).contains("ARC_VALIDATE_DENY, _WARN, _ALLOW: there is no rule `coment`"));
}

/// `schemas/arc-toml.schema.json` and the program take the same files: what the one refuses the other refuses.
#[test]
fn the_schema_of_arc_toml_and_the_program_agree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas/arc-toml.schema.json");
    let schema: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("arc.toml");
    let agree = |text: &str, right: bool| {
        std::fs::write(&file, text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_arc-validate"));
        let code = command.args(["--allow-empty", "--config"]).arg(&file).stdin(Stdio::null()).output().unwrap().status;
        assert_eq!(code.code(), Some(if right { 0 } else { 2 }), "{text}");
        let value: serde_json::Value = toml::from_str(text).unwrap();
        assert_eq!(validator.is_valid(&value), right, "{text}");
    };
    let known = schema["properties"]["validate"]["properties"].as_object().unwrap();
    for key in known.keys() {
        agree(&format!("[validate]\n{key} = [\"retry\"]"), true);
        agree(&format!("[validate]\n{key} = \"retry\""), false);
        agree(&format!("[validate]\n{key} = [1]"), false);
    }
    assert_eq!(known.keys().map(String::as_str).collect::<Vec<_>>(), ["allow", "deny", "warn"]);
    agree("", true);
    agree("[validate]", true);
    agree("validate = 1", false);
    agree("[validate]\nignore = [\"retry\"]", false);
    agree("[format]\nname = \"json\"", false);
}
