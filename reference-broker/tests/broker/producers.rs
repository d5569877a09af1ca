//! The example producers, each against a broker of its own: whatever is not a person's answer is undecided.

use crate::process::{Program, signal};
use crate::support::*;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// What asks: its interpreter with arguments, and its file in `examples/producers`.
type Producer = (Vec<String>, PathBuf);

fn example(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/producers").join(file)
}

/// The three examples, less those whose interpreter this machine lacks.
fn producers() -> Vec<Producer> {
    let all = [("sh", "ask_permission.sh"), ("python3", "ask_permission.py"), ("node", "ask_permission.mts")];
    let here = all.into_iter().filter_map(|(program, file)| Some((interpreter(program)?, example(file))));
    let here: Vec<_> = here.collect();
    assert!(!here.is_empty(), "a machine of Unix has a shell");
    here
}

/// How to call an interpreter; none, and why, where it is absent or too old.
fn interpreter(program: &str) -> Option<Vec<String>> {
    let has =
        |program: &str| Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    let reason = match program {
        "sh" if has("curl") => return Some(vec!["sh".to_owned()]),
        "sh" => "there is no curl",
        "node" => match node_version() {
            Some((23.., _) | (22, 18..)) => return Some(vec!["node".to_owned()]),
            Some((22, 6..)) => {
                return Some(["node", "--experimental-strip-types", "--no-warnings"].map(str::to_owned).to_vec());
            }
            Some(_) => "this Node is older than 22.6 and cannot run TypeScript",
            None => "there is no Node",
        },
        other if has(other) => return Some(vec![other.to_owned()]),
        _ => "it is not installed",
    };
    skipped(program, reason);
    None
}

#[expect(clippy::print_stderr, reason = "a skipped test says why")]
fn skipped(program: &str, reason: &str) {
    eprintln!("the producer for {program} was not tested: {reason}");
}

fn node_version() -> Option<(u32, u32)> {
    let output = Command::new("node").arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    let mut numbers = version.trim().strip_prefix('v')?.split('.').map_while(|part| part.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

/// Starts a producer that asks `message`, towards a broker at `url`.
fn ask(producer: &Producer, dir: &Path, url: &str, message: &str, seconds: u32) -> Child {
    let (call, file) = producer;
    let mut command = Command::new(&call[0]);
    command.args(&call[1..]).arg(file).arg(message).arg(seconds.to_string());
    command.env("ARC_BROKER_URL", url).env("ARC_BROKER_TOKEN_FILE", dir.join("token")).env("ARC_PATIENCE", "1");
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("http_proxy", "http://127.0.0.1:9").current_dir(dir);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The one question that is open.
async fn open_question(client: &Client) -> Value {
    loop {
        let list = client.get("/v1/interactions?pending=true").await.body["interactions"].clone();
        if let [question] = list.as_array().unwrap().as_slice() {
            return question.clone();
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

/// The producer's one word and its exit code, and nothing secret in what it says.
fn check(output: &Output, word: &str, code: i32, secrets: &[&Value]) {
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        (output.stdout.as_slice(), output.status.code()),
        (format!("{word}\n").as_bytes(), Some(code)),
        "{said}"
    );
    for secret in secrets.iter().filter_map(|secret| secret.as_str()).chain([TOKEN]) {
        assert!(!said.contains(secret), "{said}");
    }
}

async fn ended(child: Child) -> Output {
    tokio::task::spawn_blocking(move || child.wait_with_output().unwrap()).await.unwrap()
}

#[tokio::test]
async fn a_person_allows_or_denies() {
    const MESSAGE: &str = "May \"I\" run `rm *`?\n\\ \t'$HOME' 💩 é \u{1} ";
    for producer in producers() {
        let dir = TempDir::new().unwrap();
        let program = Program::start(dir.path());
        for (choice, code) in [("allow", 0), ("deny", 3)] {
            let child = ask(&producer, dir.path(), &program.client.url, MESSAGE, 600);
            let question = open_question(&program.client).await;
            assert_eq!(question["prompt"], MESSAGE);
            let offered = json!([{ "id": "allow", "label": "Allow" }, { "id": "deny", "label": "Deny" }]);
            assert_eq!((&question["kind"], &question["choices"]), (&json!("permission"), &offered));
            assert_eq!(program.client.event(&answer(&question, "r1", choice)).await.status, 200);
            let secrets = [&question["nonce"], &question["request_digest"]];
            check(&ended(child).await, choice, code, &secrets);
        }
        let over = program.client.get("/v1/notifications?status=resolved").await.body["notifications"].clone();
        assert_eq!(over.as_array().unwrap().len(), 2);
        assert_eq!(program.terminate(), Some(0));
    }
}

#[tokio::test]
async fn silence_is_neither() {
    for producer in producers() {
        let dir = TempDir::new().unwrap();
        let program = Program::start(dir.path());
        let output = ended(ask(&producer, dir.path(), &program.client.url, "May I?", 2)).await;
        check(&output, "undecided", 2, &[]);
        assert!(String::from_utf8_lossy(&output.stderr).contains("in time"), "{output:?}");
        // The condition is over, and nothing claims that somebody answered.
        let over = program.client.get("/v1/notifications").await.body["notifications"][0].clone();
        assert_eq!((&over["status"], &over["metadata"]["outcome"]), (&json!("resolved"), &json!("expired")));
        let question = program.client.get("/v1/interactions").await.body["interactions"][0].clone();
        assert_eq!((&question["status"], &question["response"]), (&json!("expired"), &Value::Null));
    }
}

#[tokio::test]
async fn a_withdrawn_question_is_undecided() {
    for producer in producers() {
        let dir = TempDir::new().unwrap();
        let program = Program::start(dir.path());
        let child = ask(&producer, dir.path(), &program.client.url, "May I?", 600);
        let question = open_question(&program.client).await;
        program.client.post(&path_of(&question, "/cancel"), &json!({})).await;
        check(&ended(child).await, "undecided", 2, &[]);
    }
}

#[tokio::test]
async fn a_lost_broker_decides_nothing() {
    for producer in producers() {
        let dir = TempDir::new().unwrap();
        let program = Program::start(dir.path());
        let url = program.client.url.clone();
        let child = ask(&producer, dir.path(), &url, "May I?", 600);
        open_question(&program.client).await;
        program.kill();
        check(&ended(child).await, "undecided", 2, &[]);
        // It was never there.
        check(&ended(ask(&producer, dir.path(), &url, "May I?", 600)).await, "undecided", 2, &[]);
    }
}

#[tokio::test]
async fn a_broker_that_comes_back_is_waited_for() {
    for producer in producers() {
        let dir = TempDir::new().unwrap();
        let program = Program::start(dir.path());
        let address = program.client.url.trim_start_matches("http://").to_owned();
        let child = ask(&producer, dir.path(), &program.client.url, "May I?", 600);
        let question = open_question(&program.client).await;
        program.kill();
        let mut command = Command::new(env!("CARGO_BIN_EXE_arc-broker"));
        command
            .args(["--rate-limit", "0", "--log", "error", "--listen", &address, "--db"])
            .arg(dir.path().join("b.db"));
        command.arg("--token-file").arg(dir.path().join("token"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let program = Program::spawn(dir.path(), &mut command);
        program.client.event(&answer(&question, "r1", "deny")).await;
        let output = ended(child).await;
        // Where the machine was slower than its patience, the producer has given up, which decides nothing.
        assert!(matches!(output.status.code(), Some(2 | 3)), "{output:?}");
        assert_ne!(output.stdout, b"allow\n");
    }
}

#[tokio::test]
async fn a_broker_that_refuses_decides_nothing() {
    for producer in producers() {
        let dir = TempDir::new().unwrap();
        let program = Program::start(dir.path());
        std::fs::write(dir.path().join("token"), "another").unwrap();
        check(&ended(ask(&producer, dir.path(), &program.client.url, "May I?", 600)).await, "undecided", 2, &[]);
        std::fs::remove_file(dir.path().join("token")).unwrap();
        check(&ended(ask(&producer, dir.path(), &program.client.url, "May I?", 600)).await, "undecided", 2, &[]);
        let list = program.client.get("/v1/notifications").await.body["notifications"].clone();
        assert_eq!(list, json!([]));
    }
}

#[tokio::test]
async fn a_producer_that_is_stopped_leaves_no_live_prompt() {
    for producer in producers() {
        let dir = TempDir::new().unwrap();
        let program = Program::start(dir.path());
        let child = ask(&producer, dir.path(), &program.client.url, "May I?", 600);
        let question = open_question(&program.client).await;
        signal(&child, "TERM");
        check(&ended(child).await, "undecided", 2, &[]);
        let after = program.client.get(&path_of(&question, "")).await.body;
        assert_eq!((&after["status"], &after["response"]), (&json!("cancelled"), &Value::Null));
    }
}

#[tokio::test]
async fn wrong_usage_is_no_refusal() {
    for (call, file) in producers() {
        let output = Command::new(&call[0]).args(&call[1..]).arg(file).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{output:?}");
    }
}
