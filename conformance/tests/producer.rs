//! `arc-conform producer`: right producers hold the claim, and each wrong one fails for its own reason.

use serde_json::{Value, json};
use std::env;
use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::process::Command;

/// What the events of the wrong producer carry that must not stand in any report. Put together here, so that nobody who
/// searches this file for secrets finds one.
fn canary() -> String {
    format!("ghp_{}", "canary0123456789".repeat(3))
}

/// A producer, small as they are.
struct Agent {
    http: reqwest::Client,
    url: String,
    token: String,
    count: AtomicUsize,
}

impl Agent {
    fn new() -> Self {
        let url = env::var("ARC_URL").expect("the kit sets it");
        let token = env::var("ARC_TOKEN").expect("the kit sets it");
        // An error says that it is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().expect("a client");
        Self { http, url, token, count: AtomicUsize::new(0) }
    }

    fn id(&self) -> String {
        format!("evt-{}-{}", std::process::id(), self.count.fetch_add(1, Ordering::Relaxed))
    }

    fn event(&self, event_type: &str, request: &Value) -> Value {
        json!({
            "arc_version": "0.2", "event_id": self.id(), "event_type": event_type, "occurred_at": now(0),
            "sender": { "id": "test-agent" }, "request": request,
        })
    }

    async fn post(&self, event: &Value) -> (u16, Value) {
        let request = self.http.post(format!("{}/v1/events", self.url)).body(event.to_string());
        let request = request.header("authorization", format!("Bearer {}", self.token));
        let response = request.send().await.expect("the endpoint replies");
        let status = response.status().as_u16();
        let body = response.bytes().await.expect("a body");
        (status, serde_json::from_slice(&body).expect("JSON"))
    }

    /// Sends until it is taken: the same bytes, or what `again` makes of them.
    async fn send_again(&self, event: Value, again: impl Fn(&mut Value)) -> Value {
        let mut event = event;
        loop {
            match self.post(&event).await {
                (503, _) => again(&mut event),
                (_, body) => return body,
            }
        }
    }

    async fn send(&self, event: Value) -> Value {
        self.send_again(event, |_| {}).await
    }

    /// Waits until the question is over, and returns it.
    async fn wait(&self, reply: &Value) -> Value {
        let id = reply["interaction"]["id"].as_str().expect("a question").to_owned();
        loop {
            let request = self.http.get(format!("{}/v1/interactions/{id}/wait?timeout=1", self.url));
            let request = request.header("authorization", format!("Bearer {}", self.token));
            let body = request.send().await.expect("a reply").bytes().await.expect("a body");
            let question: Value = serde_json::from_slice(&body).expect("JSON");
            if question["status"] != "pending" {
                return question;
            }
        }
    }

    fn ask(&self, key: Option<&str>, seconds: i64) -> Value {
        let choices = json!([{ "id": "allow", "label": "Allow" }, { "id": "deny", "label": "Deny" }]);
        let response = json!({ "kind": "permission", "choices": choices, "expires_at": now(seconds * 1_000) });
        let mut request = json!({ "kind": "permission", "message": "May I?", "response": response });
        if let Some(key) = key {
            request["key"] = key.into();
        }
        self.event("request.created", &request)
    }

    fn note(&self, message: &str) -> Value {
        self.event("request.created", &json!({ "kind": "completion", "message": message }))
    }

    fn resolve(&self, outcome: &str) -> Value {
        self.event("request.resolved", &json!({ "key": "k", "outcome": outcome }))
    }
}

fn now(ahead: i64) -> String {
    arc_conformance::clock::rfc3339(arc_conformance::clock::now_millis() + ahead)
}

/// Not a test of its own: the producer of the others. The kit starts this program once more with this variable set.
#[tokio::test]
async fn the_producer_of_the_other_tests() {
    let Ok(kind) = env::var("ARC_TEST_PRODUCER") else { return };
    let agent = Agent::new();
    match kind.as_str() {
        "right" => right(&agent).await,
        "without-a-key" => without_a_key(&agent).await,
        "texts" => texts(&agent).await,
        "asks-again-and-again" => loop {
            let reply = agent.send(agent.ask(Some("k"), 1)).await;
            agent.wait(&reply).await;
        },
        "one-way" => drop(agent.send(agent.note("Done.")).await),
        "updates-while-answered" => updates(&agent).await,
        "says-nothing" => {}
        wrong => wrong_one(wrong, &agent).await,
    }
}

/// One fault each.
async fn wrong_one(kind: &str, agent: &Agent) {
    let mut note = agent.note("Done.");
    match kind {
        "takes-silence-for-consent" => {
            let reply = agent.send(agent.ask(Some("k"), 2)).await;
            agent.wait(&reply).await;
            agent.send(agent.resolve("answered")).await;
        }
        "answers-itself" => answers_itself(agent).await,
        "never-looks" => drop(agent.send(agent.ask(Some("k"), 2)).await),
        "misspells" => {
            note["request"]["mesage"] = "Done.".into();
            agent.post(&note).await;
        }
        "speaks-0-1" => {
            note["arc_version"] = "0.1".into();
            agent.post(&note).await;
        }
        "numbers-twice" => {
            agent.send(note.clone()).await;
            note["request"]["message"] = "Another.".into();
            agent.send(note).await;
        }
        "stamps-anew" => drop(agent.send_again(note, |event| event["occurred_at"] = now(1).into()).await),
        "numbers-anew" => drop(agent.send_again(note, |event| event["event_id"] = agent.id().into()).await),
        "updates-the-unknown" => {
            let request = json!({ "key": "never-opened", "kind": "blocked", "message": "Still." });
            agent.post(&agent.event("request.updated", &request)).await;
        }
        "asks-too-late" => drop(agent.send(agent.ask(Some("k"), -5)).await),
        "tells-secrets" => drop(agent.send(agent.note(&format!("Push with {}?", canary()))).await),
        "has-no-token" => drop(Agent { token: "wrong".to_owned(), ..Agent::new() }.post(&note).await),
        "hangs" => {
            let reply = agent.send(agent.ask(Some("k"), 600)).await;
            agent.wait(&reply).await;
        }
        other => panic!("no producer is called {other}"),
    }
}

async fn without_a_key(agent: &Agent) {
    let reply = agent.send(agent.ask(None, 2)).await;
    agent.wait(&reply).await;
    let key = reply["interaction"]["key"].as_str().expect("a key").to_owned();
    agent.send(agent.event("request.resolved", &json!({ "key": key }))).await;
}

/// Asks, waits, and says how it ended.
async fn right(agent: &Agent) {
    agent.send(agent.note("Working.")).await;
    let reply = agent.send(agent.ask(Some("k"), 2)).await;
    let question = agent.wait(&reply).await;
    let outcome = if question["status"] == "answered" { "answered" } else { "expired" };
    agent.send(agent.resolve(outcome)).await;
}

/// Text questions, one after the other, under one key.
async fn texts(agent: &Agent) {
    for _ in 0..2 {
        let response = json!({ "kind": "text", "text_max_length": 3, "expires_at": now(2_000) });
        let request = json!({ "key": "k", "kind": "question", "message": "Which?", "response": response });
        let reply = agent.send(agent.event("request.created", &request)).await;
        let question = agent.wait(&reply).await;
        if let Some(text) = question["response"]["text"].as_str() {
            assert!((1..=3).contains(&text.chars().count()));
        }
    }
}

/// Changes its question while somebody answers it: it cannot know.
async fn updates(agent: &Agent) {
    let reply = agent.send(agent.ask(Some("k"), 2)).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    let update = json!({ "key": "k", "kind": "permission", "message": "May I, please?" });
    agent.post(&agent.event("request.updated", &update)).await;
    agent.wait(&reply).await;
}

async fn answers_itself(agent: &Agent) {
    let reply = agent.send(agent.ask(Some("k"), 2)).await;
    let question = &reply["interaction"];
    let mut event = agent.event("response.submitted", &json!({ "key": "k" }));
    event["response"] = json!({
        "response_id": "r1", "digest": question["request_digest"], "nonce": question["nonce"], "choice_id": "allow",
    });
    agent.send(event).await;
}

/// Judges one of the producers.
async fn judged(kind: &str, options: &[&str]) -> Output {
    let program = env::current_exe().expect("this program");
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-conform"));
    command.env("ARC_TEST_PRODUCER", kind).arg("producer").args(options).arg("--").arg(program);
    command.args(["--exact", "the_producer_of_the_other_tests", "--nocapture"]);
    command.output().await.expect("the program starts")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[tokio::test]
async fn right_producers_hold_the_claim() {
    let kinds = ["right", "without-a-key", "texts"];
    let outputs = futures_util::future::join_all(kinds.map(|kind| judged(kind, &[]))).await;
    for (kind, output) in kinds.iter().zip(outputs) {
        let text = told(&output);
        assert_eq!(output.status.code(), Some(0), "{kind}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("Claim producer holds: This producer emits ARC 0.2 events."), "{text}");
    }
}

#[tokio::test]
async fn what_a_producer_does_not_do_is_not_held_against_it() {
    let output = judged("one-way", &[]).await;
    let text = told(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("not applicable"), "{text}");
    // It never ends by itself, but its questions do.
    let output = judged("asks-again-and-again", &["--script", "silence", "--limit", "3s"]).await;
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    // The answer and the update cross: only what a reply has shown can be known.
    let output = judged("updates-while-answered", &["--script", "allow", "--script", "silence"]).await;
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
}

#[tokio::test]
async fn each_wrong_producer_fails_for_its_own_reason() {
    for (kind, script, requirements) in [
        ("takes-silence-for-consent", "silence", &["PRO-10"][..]),
        ("takes-silence-for-consent", "late", &["PRO-10"]),
        ("answers-itself", "silence", &["PRO-10"]),
        ("misspells", "allow", &["PRO-01"]),
        ("speaks-0-1", "allow", &["PRO-01", "PRO-11"]),
        ("numbers-twice", "deny", &["PRO-02"]),
        ("stamps-anew", "retry", &["PRO-02"]),
        ("numbers-anew", "retry", &["PRO-02"]),
        ("updates-the-unknown", "allow", &["PRO-04"]),
        ("asks-too-late", "silence", &["PRO-05"]),
        ("tells-secrets", "text", &["PRO-08"]),
    ] {
        let output = judged(kind, &["--script", script]).await;
        let text = told(&output);
        assert_eq!(output.status.code(), Some(1), "{kind}: {text}");
        let failed: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("FAIL ")?.get(..6)).collect();
        assert_eq!(failed, requirements, "{kind}: {text}");
    }
}

#[tokio::test]
async fn what_was_not_seen_is_no_success() {
    for (kind, options, words) in [
        ("says-nothing", &[][..], "no event came to $ARC_URL/v1/events; it ended with exit status: 0"),
        ("has-no-token", &[], "1 requests came without"),
        ("never-looks", &[], "never looked for an answer"),
        ("right", &["--script", "allow"], "Claim producer is open"),
        ("hangs", &["--script", "silence", "--limit", "1s"], "still waiting when --limit was over"),
    ] {
        let output = judged(kind, options).await;
        let text = told(&output);
        assert_eq!(output.status.code(), Some(4), "{kind}: {text}");
        assert!(text.contains(words), "{kind}: {text}");
    }
}

#[tokio::test]
async fn every_report_tells_of_a_producer_and_none_its_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let file = |format: &str| format!("{format}={}", folder.path().join(format).display());
    let reports: Vec<String> = ["html", "json", "junit", "markdown", "claim"].map(file).to_vec();
    let mut options = vec!["--script", "allow"];
    for report in &reports {
        options.extend(["--report", report]);
    }
    let output = judged("tells-secrets", &options).await;
    assert_eq!(output.status.code(), Some(1));
    let mut texts = vec![told(&output)];
    for format in ["html", "json", "junit", "markdown", "claim"] {
        texts.push(std::fs::read_to_string(folder.path().join(format)).unwrap());
    }
    for text in &texts {
        assert!(text.contains("PRO-08"), "{text}");
        let leak = text.lines().find(|line| line.contains("canary"));
        assert_eq!(leak, None);
    }
    let report: Value = serde_json::from_str(&texts[2]).unwrap();
    let schema = include_str!("../../schemas/report.schema.json");
    assert_eq!(arc_conformance::schema::check(schema, &report), Ok(()));
    assert_eq!(report["scenarios"][0]["story"]["exchanges"][0]["title"], "POST /v1/events request.created");
}

#[tokio::test]
async fn a_command_that_cannot_be_started_is_usage() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-conform"));
    let output = command.args(["producer", "--", "/no/such/command"]).output().await.unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/no/such/command cannot be started"));
}
