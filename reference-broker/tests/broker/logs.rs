//! What the program's log holds, and what it never holds.

use crate::process::Program;
use crate::support::*;
use serde_json::json;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Everything secret that goes in or comes out, at the most talkative level, in both formats.
#[tokio::test]
async fn logs_hold_ids_and_outcomes_and_nothing_else() {
    for format in ["human", "json"] {
        let dir = TempDir::new().unwrap();
        let log = dir.path().join("log");
        let file = std::fs::File::create(&log).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_arc-broker"));
        command.args([
            "--log",
            "trace",
            "--log-format",
            format,
            "--rate-limit",
            "0",
            "--listen",
            "127.0.0.1:0",
            "--db",
        ]);
        command.arg(dir.path().join("b.db")).arg("--token-file").arg(dir.path().join("token"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(file);
        let program = Program::spawn(dir.path(), &mut command);
        let mut canaries = vec![TOKEN.to_owned()];
        let id = traffic(&program.client, &mut canaries).await;
        assert_eq!(program.terminate(), Some(0));
        let log = std::fs::read_to_string(&log).unwrap();
        assert!(log.contains(&id) && log.contains("answered") && log.contains("Digest"), "{log}");
        for canary in canaries {
            assert!(!log.contains(&canary), "{canary} in {log}");
        }
    }
}

/// Each route with good and bad requests that carry canaries; returns an id that the log should hold.
async fn traffic(client: &Client, canaries: &mut Vec<String>) -> String {
    let mut request = permission("canary-message", 1_000_000 * MINUTE);
    request["title"] = "canary-title".into();
    request["response"]["choices"][0] =
        json!({ "id": "canary-choice", "label": "canary-label", "detail": "canary-detail" });
    canaries.extend(["canary-".to_owned()]);
    let asked = client.event(&created("k", request)).await.body["interaction"].clone();
    for member in ["request_digest", "nonce"] {
        canaries.push(asked[member].as_str().unwrap().to_owned());
    }
    let mut wrong = answer(&asked, "r1", "canary-choice");
    for (member, value) in
        [("digest", "ab".repeat(32)), ("nonce", "canary-nonce".to_owned()), ("choice_id", "canary-x".to_owned())]
    {
        let before = std::mem::replace(&mut wrong["response"][member], value.into());
        assert_eq!(client.event(&wrong).await.status, 400);
        wrong["response"][member] = before;
    }
    canaries.push("ab".repeat(32));
    for body in ["canary-not-json", r#"{"arc_version":"canary-version","canary-member":1}"#] {
        assert_eq!(client.raw("/v1/events", body.into()).await.status, 400);
        assert_eq!(client.raw("/v1/interactions/request", body.into()).await.status, 400);
        assert_eq!(client.raw(&path_of(&asked, "/respond"), body.into()).await.status, 400);
    }
    client.get("/v1/interactions/canary-id").await;
    client.get("/v1/interactions?agent=canary-agent&canary-query=1").await;
    client.get("/canary-path?token=canary-token").await;
    let mut question = text("canary-question", None);
    question["response"]["expires_at"] = instant(NOW + 1_000_000 * MINUTE).into();
    let text = client.event(&created("t", question)).await.body["interaction"].clone();
    let mut body = respond(&text, "r1", "x");
    body.as_object_mut().unwrap().remove("choice_id");
    body["text"] = "canary-answer".into();
    assert_eq!(client.post(&path_of(&text, "/respond"), &body).await.status, 200);
    assert_eq!(client.event(&answer(&asked, "r1", "canary-choice")).await.status, 200);
    assert_eq!(client.get(&path_of(&asked, "/wait")).await.body["status"], "answered");
    asked["id"].as_str().unwrap().to_owned()
}
