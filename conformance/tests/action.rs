//! What CI systems run: the action's script, the gate, the pre-commit hook's name, and the problem matcher. In a plain shell.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod crash_dummy;

use crash_dummy::{Behaviour, Dummy, Fault};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use tempfile::TempDir;
use tokio::process::Command;

const ACTION: &str = include_str!("../../action.yml");
const PROGRAM: &str = env!("CARGO_BIN_EXE_arc-conform");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// A workflow's step: its folder, with the files that take outputs and the summary.
struct Step(TempDir);

impl Step {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Runs the action's script as action.yml does, with these inputs.
    async fn run(&self, inputs: &[(&str, &str)]) -> Output {
        let mut shell = Command::new("sh");
        shell.arg(root().join(".github/action/run.sh")).current_dir(self.0.path()).stdin(Stdio::null());
        shell.env("GITHUB_OUTPUT", self.path("outputs")).env("GITHUB_STEP_SUMMARY", self.path("summary"));
        shell.env("RUNNER_TEMP", self.0.path()).env("ARC_ACTION_PATH", root()).env_remove("ARC_TOKEN");
        shell.envs(inputs.iter().copied()).output().await.unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn outputs(&self) -> BTreeMap<String, String> {
        let text = fs::read_to_string(self.path("outputs")).unwrap_or_default();
        text.lines().map(|line| line.split_once('=').unwrap()).map(|(k, v)| (k.to_owned(), v.to_owned())).collect()
    }

    /// Everything that lies in the step's folder.
    fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test]
async fn the_embedded_broker_passes_and_its_reports_are_told() {
    let step = Step::new();
    let output =
        step.run(&[("ARC_ACTION_PROGRAM", PROGRAM), ("ARC_ACTION_OPTIONS", "--cases=2\n"), ("ARC_TOKEN", "")]).await;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let outputs = step.outputs();
    assert_eq!(
        (outputs["verdict"].as_str(), outputs["exit-code"].as_str(), outputs["failed"].as_str()),
        ("pass", "0", "0")
    );
    let report: serde_json::Value = serde_json::from_slice(&fs::read(&outputs["json"]).unwrap()).unwrap();
    let passed = report["requirements"].as_array().unwrap().iter().filter(|r| r["verdict"] == "pass").count();
    assert!(passed > 20, "{passed}");
    assert_eq!(outputs["passed"], passed.to_string());
    assert!(fs::read_to_string(&outputs["junit"]).unwrap().starts_with("<?xml"));
    assert!(fs::read_to_string(&outputs["html"]).unwrap().starts_with("<!doctype html>"));
    assert_eq!(fs::read(&outputs["markdown"]).unwrap(), fs::read(step.path("summary")).unwrap());
    assert_eq!(step.left(), ["arc-conform-reports", "outputs", "summary"]);
}

#[tokio::test]
async fn a_violation_and_silence_have_verdicts_of_their_own() {
    let dummy = Dummy::start(Behaviour::fault(Fault::DigestUnchecked)).await;
    let inputs = [
        ("ARC_ACTION_PROGRAM", PROGRAM),
        ("ARC_ACTION_URL", dummy.url()),
        ("ARC_ACTION_OPTIONS", "--only\nANS-06\n\n--cases\n0"),
        ("ARC_TOKEN", dummy.token()),
    ];
    let step = Step::new();
    let output = step.run(&inputs).await;
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let outputs = step.outputs();
    assert_eq!((outputs["verdict"].as_str(), outputs["failed"].as_str()), ("fail", "1"));
    assert!(fs::read_to_string(step.path("summary")).unwrap().contains("ANS-06"));

    let step = Step::new();
    let silent = [("ARC_ACTION_PROGRAM", PROGRAM), ("ARC_ACTION_URL", "http://127.0.0.1:1"), ("ARC_TOKEN", "tok")];
    assert_eq!(step.run(&silent).await.status.code(), Some(3));
    let outputs = step.outputs();
    assert_eq!((outputs["verdict"].as_str(), outputs["passed"].as_str()), ("unreachable", "0"));
}

/// Whatever an input holds, it is an argument and never a command, and it writes no further output.
#[tokio::test]
async fn hostile_inputs_are_words() {
    let hostile = [
        "$(touch pwned)",
        "`touch pwned`",
        "\"; touch pwned; \"",
        "'; touch pwned #",
        "x\nverdict=pass",
        "--help",
        "%0Averdict=pass",
    ];
    for word in hostile {
        for input in
            ["ARC_ACTION_URL", "ARC_ACTION_OPTIONS", "ARC_ACTION_REPORTS", "ARC_ACTION_PROGRAM", "ARC_ACTION_REF"]
        {
            let mut inputs = BTreeMap::from([
                ("ARC_ACTION_PROGRAM", PROGRAM),
                ("ARC_ACTION_URL", "http://127.0.0.1:1"),
                ("ARC_TOKEN", "tok"),
            ]);
            inputs.insert(input, word);
            let step = Step::new();
            let output = step.run(&inputs.into_iter().collect::<Vec<_>>()).await;
            let told = fs::read_to_string(step.path("outputs")).unwrap_or_default();
            assert!(!told.lines().any(|line| line == "verdict=pass" && word.contains('\n')), "{input}={word}: {told}");
            assert!(!step.left().contains(&"pwned".to_owned()), "{input}={word}: {}", stderr(&output));
        }
    }
}

/// A release as release.yml makes it, whose program is a stand-in for the real one.
fn release(folder: &Path, machine: &str) -> String {
    let name = format!("arc-0.2.0-{machine}-unknown-linux-musl");
    let to = folder.join("v0.2.0");
    fs::create_dir_all(to.join(&name)).unwrap();
    let program = to.join(&name).join("arc-conform");
    fs::write(&program, format!("#!/bin/sh\nexec '{PROGRAM}' \"$@\"\n")).unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let archive = format!("{name}.tar.gz");
    let tar = std::process::Command::new("tar").args(["-czf", &archive, &name]).current_dir(&to).status().unwrap();
    assert!(tar.success());
    let hash = arc_validator::hex::of(&Sha256::digest(fs::read(to.join(&archive)).unwrap()));
    fs::write(to.join("SHA256SUMS"), format!("{hash}  {archive}\n")).unwrap();
    archive
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_release_is_run_only_when_its_checksum_is_right() {
    let releases = tempfile::tempdir().unwrap();
    let machine = std::process::Command::new("uname").arg("-m").output().unwrap();
    let archive = release(releases.path(), std::str::from_utf8(&machine.stdout).unwrap().trim());
    let from = format!("file://{}", releases.path().display());
    let inputs = [
        ("ARC_ACTION_RELEASES", from.as_str()),
        ("ARC_ACTION_REF", "v0.2.0"),
        ("ARC_ACTION_URL", "http://127.0.0.1:1"),
        ("ARC_TOKEN", "tok"),
    ];
    let step = Step::new();
    let output = step.run(&inputs).await;
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(step.outputs()["verdict"], "unreachable");

    let path = releases.path().join("v0.2.0").join(archive);
    let mut bytes = fs::read(&path).unwrap();
    bytes.push(0);
    fs::write(&path, bytes).unwrap();
    let step = Step::new();
    let output = step.run(&inputs).await;
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("is not what SHA256SUMS says"), "{}", stderr(&output));
    assert_eq!(step.outputs()["verdict"], "usage");
}

/// Nothing of a workflow's context stands in a command, and every input of the action reaches the script.
#[test]
fn no_input_is_spliced_into_a_command() {
    for (file, text) in [
        ("action.yml", ACTION),
        ("ci.yml", include_str!("../../.github/workflows/ci.yml")),
        ("release.yml", include_str!("../../.github/workflows/release.yml")),
    ] {
        for line in text.lines().filter(|line| line.trim_start_matches([' ', '-']).starts_with("run:")) {
            assert!(!line.contains("${{") && !line.contains("eval "), "{file}: {line}");
        }
        for line in text.lines().filter(|line| line.contains("uses:")) {
            assert!(line.ends_with("uses: actions/checkout@v4"), "{file}: {line}");
        }
    }
    let script = include_str!("../../.github/action/run.sh");
    for name in [
        "ARC_ACTION_URL",
        "ARC_ACTION_OPTIONS",
        "ARC_ACTION_REPORTS",
        "ARC_ACTION_PROGRAM",
        "ARC_ACTION_REF",
        "ARC_ACTION_PATH",
    ] {
        assert!(ACTION.contains(&format!("{name}: ${{{{ ")) && script.contains(name), "{name}");
    }
    assert!(!script.contains("eval "));
}

#[tokio::test]
async fn the_gate_opens_and_shuts() {
    let dummy = Dummy::start(Behaviour::fault(Fault::DigestUnchecked)).await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("token"), dummy.token()).unwrap();
    let path = format!("{}:{}", Path::new(PROGRAM).parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut gate = Command::new("sh");
    gate.arg(root().join("docs/ci/gate.sh")).args([dummy.url(), "token", "out of the way"]).current_dir(folder.path());
    let output = gate.env("PATH", path).output().await.unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("gate: shut, a requirement is violated"));
    for name in ["arc.xml", "arc.html", "claim.json"] {
        assert!(folder.path().join("out of the way").join(name).metadata().unwrap().len() > 0, "{name}");
    }
}

#[test]
fn every_script_is_read_by_its_shell() {
    let scripts =
        [".github/action/run.sh", "docs/ci/gate.sh", "validator/scripts/pre-commit.sh", ".ci/dist", ".ci/run"];
    for script in scripts {
        let path = root().join(script);
        let shell = if fs::read_to_string(&path).unwrap().starts_with("#!/bin/sh\n") { "sh" } else { "bash" };
        let output = std::process::Command::new(shell).arg("-n").arg(&path).output().unwrap();
        assert!(output.status.success(), "{script}: {}", stderr(&output));
        let mode = std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions());
        assert!(mode & 0o111 != 0, "{script} cannot be run");
    }
}
