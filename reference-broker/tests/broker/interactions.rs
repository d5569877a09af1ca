//! The interactions routes.

use crate::support::*;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Starts a wait and returns once the broker has it.
async fn waiting(server: &Server, interaction: &Value) -> tokio::task::JoinHandle<Reply> {
    let before = server.get("/v1/health").await.body["waiters"].as_u64().unwrap();
    let (client, path) = (server.client.clone(), path_of(interaction, "/wait?timeout=60"));
    let wait = tokio::spawn(async move { client.get(&path).await });
    server.waiters(before + 1).await;
    wait
}

#[tokio::test]
async fn a_question_is_shown_by_its_id() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    assert_eq!(server.get(&path_of(&asked, "")).await, Reply { status: 200, body: asked });
    for path in ["/v1/interactions/int_0", "/v1/interactions/%00", "/v1/interactions/%ff", "/v1/interactions/k/wait"] {
        let reply = server.get(path).await;
        assert!(matches!(reply.status, 404 | 400), "{path} {reply:?}");
        assert!(reply.body["error"].is_string());
    }
}

#[tokio::test]
async fn each_ending_releases_the_waiters() {
    let server = Server::start().await;
    let [answered, cancelled, withdrawn, superseded, expired] = [
        server.ask("a").await,
        server.ask("c").await,
        server.ask("w").await,
        server.ask("s").await,
        server.ask("e").await,
    ];
    let mut waits = Vec::new();
    for asked in [&answered, &cancelled, &withdrawn, &superseded, &expired] {
        waits.push(waiting(&server, asked).await);
    }
    let begin = Instant::now();
    server.event(&answer(&answered, "r1", "deny")).await;
    server.post(&path_of(&cancelled, "/cancel"), &json!({})).await;
    server.event(&resolved("w")).await;
    server.event(&updated("s", one_way("Never mind."))).await;
    server.clock.set(NOW + 10 * MINUTE);
    for (wait, status) in waits.into_iter().zip(["answered", "cancelled", "cancelled", "superseded", "expired"]) {
        let reply = wait.await.unwrap();
        assert_eq!((reply.status, &reply.body["status"]), (200, &json!(status)));
        assert_eq!(reply.body["response"].is_null(), status != "answered");
    }
    assert!(begin.elapsed() < Duration::from_secs(30), "a waiter was not released");
    // Whoever comes later is told at once.
    for asked in [&answered, &cancelled, &withdrawn, &superseded, &expired] {
        let reply = server.get(&path_of(asked, "/wait?timeout=300")).await;
        assert_ne!(reply.body["status"], "pending");
    }
}

#[tokio::test]
async fn a_wait_that_outlasts_its_patience_returns_the_pending_question() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    let begin = Instant::now();
    let reply = server.get(&path_of(&asked, "/wait?timeout=1")).await;
    assert_eq!(reply, Reply { status: 200, body: asked.clone() });
    assert!(begin.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.event(&answer(&asked, "r1", "deny")).await.status, 200);
}

#[tokio::test]
async fn patience_has_bounds() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    for query in ["0", "301", "-1", "1.5", "", "soon", "18446744073709551616", "1&timeout=2"] {
        let reply = server.get(&path_of(&asked, &format!("/wait?timeout={query}"))).await;
        assert_eq!(reply.status, 400, "{query}");
    }
    assert_eq!(server.get("/v1/interactions/int_0/wait").await.status, 404);
}

#[tokio::test]
async fn an_open_wait_ends_when_the_broker_stops() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    let wait = waiting(&server, &asked).await;
    let server = server.restart().await;
    assert_eq!(wait.await.unwrap(), Reply { status: 200, body: asked.clone() });
    assert_eq!(server.status(&asked).await, "pending");
}

#[tokio::test]
async fn cancelling_ends_the_question_and_nothing_else() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    server.clock.set(NOW + 1);
    let cancelled = server.post(&path_of(&asked, "/cancel"), &json!({})).await;
    assert_eq!((cancelled.status, &cancelled.body["status"]), (200, &json!("cancelled")));
    assert_eq!(cancelled.body["updated_at"], instant(NOW + 1));
    server.clock.set(NOW + 2);
    assert_eq!(server.client.raw(&path_of(&asked, "/cancel"), Vec::new()).await, cancelled);
    let http = &server.client.http;
    let bare = http.post(server.client.url.clone() + &path_of(&asked, "/cancel")).bearer_auth(TOKEN);
    assert_eq!(reply(bare).await, cancelled);
    // The condition goes on, and may ask again.
    let again = server.event(&created("k", permission("May I?", 10 * MINUTE))).await;
    assert_eq!(again.status, 200);
    assert_ne!(again.body["interaction"]["nonce"], asked["nonce"]);
    assert_eq!(server.event(&answer(&again.body["interaction"], "r1", "deny")).await.status, 200);
    // What was answered stays answered.
    let after = server.post(&path_of(&again.body["interaction"], "/cancel"), &json!({})).await;
    assert_eq!((after.status, &after.body["status"]), (200, &json!("answered")));
    assert_eq!(server.post("/v1/interactions/int_0/cancel", &json!({})).await.status, 404);
}

fn question() -> Value {
    json!({
        "agent": "codex", "project": "shop", "session_id": "s-1", "kind": "permission", "prompt": "Deploy?",
        "choices": [{ "id": "deny", "label": "Deny" }, { "id": "allow", "label": "Allow", "detail": "Now" }],
    })
}

#[tokio::test]
async fn a_question_may_be_opened_without_an_event() {
    let server = Server::start().await;
    let mut body = question();
    body["key"] = "k".into();
    let opened = server.post("/v1/interactions/request", &body).await;
    assert_eq!((opened.status, &opened.body["status"]), (201, &json!("pending")));
    assert_eq!(opened.body["expires_at"], instant(NOW + 10 * MINUTE));
    assert_eq!(opened.body["choices"], body["choices"]);
    // The same question later is the same interaction with the deadline that it has; a changed one supersedes it.
    server.clock.set(NOW + MINUTE);
    assert_eq!(server.post("/v1/interactions/request", &body).await, Reply { status: 200, body: opened.body.clone() });
    body["prompt"] = "Deploy now?".into();
    let changed = server.post("/v1/interactions/request", &body).await;
    assert_eq!((changed.status, &changed.body["expires_at"]), (200, &json!(instant(NOW + 11 * MINUTE))));
    assert_ne!(changed.body["id"], opened.body["id"]);
    assert_eq!(server.status(&opened.body).await, "superseded");
    // One record, both doors.
    let answered = server.event(&answer(&changed.body, "r1", "allow")).await;
    assert_eq!((answered.status, &answered.body["interaction"]["id"]), (200, &changed.body["id"]));
    assert_eq!(server.post("/v1/interactions/request", &body).await.status, 201);
}

#[tokio::test]
async fn questions_without_a_key_are_conditions_of_their_own() {
    let server = Server::start().await;
    let first = server.post("/v1/interactions/request", &question()).await;
    let second = server.post("/v1/interactions/request", &question()).await;
    assert_eq!((first.status, second.status), (201, 201));
    assert_ne!(first.body["key"], second.body["key"]);
}

#[tokio::test]
async fn a_question_opened_without_an_event_keeps_its_bounds() {
    let server = Server::start().await;
    let choice = |id: &str| json!({ "id": id, "label": "L" });
    let choices = |n: usize| Value::Array((0..n).map(|i| choice(&format!("c{i}"))).collect());
    let long = |n: usize| json!("💩".repeat(n));
    for (member, value, status) in [
        ("prompt", long(2_000), 201),
        ("prompt", long(2_001), 400),
        ("prompt", json!(""), 400),
        ("prompt", Value::Null, 400),
        ("agent", long(101), 400),
        ("key", json!(" \n"), 400),
        ("key", long(101), 400),
        ("project", long(200), 201),
        ("project", long(201), 400),
        ("kind", json!("single_choice"), 201),
        ("kind", json!("Permission"), 400),
        ("kind", json!("text"), 400),
        ("choices", choices(1), 400),
        ("choices", choices(2), 201),
        ("choices", choices(12), 201),
        ("choices", choices(13), 400),
        ("choices", json!([choice("a"), choice("a")]), 400),
        ("choices", json!([choice("a"), choice("b c")]), 400),
        ("choices", json!([choice("a"), { "id": "b", "label": "L", "hint": "?" }]), 400),
        ("choices", json!([choice("a"), { "id": "b", "label": long(201) }]), 400),
        ("choices", json!([choice("a"), { "id": "b", "label": "L", "detail": long(501) }]), 400),
        ("choices", json!([choice("a"), "b"]), 400),
        ("text_max_length", json!(10), 400),
        ("ttl_seconds", json!(29), 400),
        ("ttl_seconds", json!(30), 201),
        ("ttl_seconds", json!(3_600), 201),
        ("ttl_seconds", json!(3_601), 400),
        ("ttl_seconds", json!("60"), 400),
        ("ttl", json!(60), 400),
    ] {
        let mut body = question();
        body[member] = value;
        let reply = server.post("/v1/interactions/request", &body).await;
        assert_eq!(reply.status, status, "{member} {reply:?}");
    }
    for member in ["agent", "kind", "prompt", "choices"] {
        let mut body = question();
        body.as_object_mut().unwrap().remove(member);
        let reply = server.post("/v1/interactions/request", &body).await;
        assert_eq!(reply.status, 400, "{member}");
        assert!(reply.body["error"].as_str().unwrap().contains(member));
    }
    let text = json!({ "agent": "codex", "kind": "text", "prompt": "Why?" });
    assert_eq!(server.post("/v1/interactions/request", &text).await.body["text_max_length"], 500);
}
