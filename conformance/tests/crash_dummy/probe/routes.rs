//! The interactions routes.

use super::{Got, Peer, probes};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::Instant;

fn question(key: &str) -> Value {
    json!({
        "key": key, "kind": "permission", "prompt": "May I?", "agent": key, "project": format!("p-{key}"),
        "session_id": format!("s-{key}"),
        "choices": [{ "id": "allow", "label": "Allow" }, { "id": "deny", "label": "Deny" }],
    })
}

async fn open(peer: &Peer) -> (String, Got, String) {
    let key = peer.id("key");
    let got = peer.post("/v1/interactions/request", &question(&key)).await;
    let path = got.path("");
    (key, got, path)
}

fn response(peer: &Peer, asked: &Got) -> Value {
    let mut body = json!({ "response_id": peer.id("response"), "request_digest": asked.question()["request_digest"], "choice_id": "allow" });
    if asked.question()["nonce"].is_string() {
        body["nonce"] = asked.question()["nonce"].clone();
    }
    body
}

fn but(peer: &Peer, body: &Value, name: &str, value: impl Into<Value>) -> Value {
    let mut other = body.clone();
    other["response_id"] = peer.id("response").into();
    other[name] = value.into();
    other
}

async fn listed(peer: &Peer, query: &str) -> Vec<Value> {
    let got = peer.get(&format!("/v1/interactions?{query}")).await;
    got.body.get("interactions").unwrap_or(&got.body).as_array().cloned().unwrap_or_default()
}

/// Whether a wait ends by itself when `act` is done.
async fn released(peer: &Peer, path: &str, act: impl Future<Output = Got>) -> (bool, Value) {
    let path = format!("{path}/wait?timeout=3");
    let started = Instant::now();
    let later = async {
        tokio::time::sleep(std::time::Duration::from_millis(150)).await;
        act.await
    };
    let (waited, _) = tokio::join!(peer.get(&path), later);
    let took = started.elapsed().as_millis();
    ((120..2_000).contains(&took), waited.body["status"].clone())
}

probes! {
    "INT-01" "a question is opened" |peer| {
        let (_, got, _) = open(peer).await;
        let has = |name: &str| got.body[name].is_string();
        let has_id = has("id") || got.body["id"].is_number();
        got.status == 201 && got.body["status"] == "pending" && has_id && has("request_digest") && has("expires_at")
    }
    "INT-02" "the same again, and something else" |peer| {
        let (key, first, path) = open(peer).await;
        let again = peer.post("/v1/interactions/request", &question(&key)).await;
        let mut other = question(&key);
        other["prompt"] = "Another?".into();
        let second = peer.post("/v1/interactions/request", &other).await;
        again.status == 200 && again.body["id"] == first.body["id"] && second.status == 201
            && second.body["id"] != first.body["id"] && peer.get(&path).await.body["status"] == "superseded"
    }
    "INT-03" "get" |peer| {
        let (_, got, path) = open(peer).await;
        peer.get(&path).await.body["id"] == got.body["id"] && peer.get("/v1/interactions/none").await.status == 404
    }
    "INT-04" "every filter" |peer| {
        let (key, got, path) = open(peer).await;
        let (_, _, _) = open(peer).await;
        peer.post(&format!("{path}/cancel"), &json!({})).await;
        let mut all = true;
        for query in [format!("agent={key}"), format!("project=p-{key}"), format!("session=s-{key}")] {
            let found = listed(peer, &query).await;
            all &= found.len() == 1 && found[0]["id"] == got.body["id"];
        }
        let pending = listed(peer, "pending=true").await;
        let cancelled = listed(peer, "status=cancelled").await;
        all && !pending.is_empty() && pending.iter().all(|one| one["status"] == "pending")
            && !cancelled.is_empty() && cancelled.iter().all(|one| one["status"] == "cancelled")
            && listed(peer, "limit=1").await.len() == 1
    }
    "INT-05" timed "released by an answer" |peer| {
        let (_, got, path) = open(peer).await;
        let (body, to) = (response(peer, &got), format!("{path}/respond"));
        released(peer, &path, peer.post(&to, &body)).await == (true, "answered".into())
    }
    "INT-05" timed "released by an answer event" |peer| {
        let (key, asked) = peer.asked().await;
        let path = asked.path("");
        let answer = peer.answer(&key, &asked);
        released(peer, &path, peer.event(&answer)).await == (true, "answered".into())
    }
    "INT-04" timed "an expired question is not pending" |peer| {
        let mut event = peer.permission(&peer.id("key"));
        event["request"]["response"]["expires_at"] = super::peer::soon(400).into();
        let asked = peer.event(&event).await;
        tokio::time::sleep(std::time::Duration::from_millis(600)).await;
        listed(peer, "pending=true").await.iter().all(|one| one["id"] != asked.question()["id"])
    }
    "INT-05" timed "released by a cancellation" |peer| {
        let (_, _, path) = open(peer).await;
        let to = format!("{path}/cancel");
        released(peer, &path, peer.post(&to, &json!({}))).await == (true, "cancelled".into())
    }
    "INT-05" timed "released by another question" |peer| {
        let (key, _, path) = open(peer).await;
        let mut other = question(&key);
        other["prompt"] = "Another?".into();
        released(peer, &path, peer.post("/v1/interactions/request", &other)).await == (true, "superseded".into())
    }
    "INT-05" alone "released by the deadline, though nobody asks anything else" |peer| {
        let mut event = peer.permission(&peer.id("key"));
        event["request"]["response"]["expires_at"] = super::peer::soon(900).into();
        let asked = peer.event(&event).await;
        let path = asked.path("/wait?timeout=4");
        let started = Instant::now();
        let got = peer.get(&path).await;
        got.body["status"] == "expired" && started.elapsed().as_millis() < 2_500
    }
    "INT-05" timed "the timeout passes first" |peer| {
        let (_, _, path) = open(peer).await;
        let started = Instant::now();
        let path = format!("{path}/wait?timeout=1");
        let got = tokio::time::timeout(std::time::Duration::from_secs(3), peer.get(&path)).await;
        got.is_ok_and(|got| got.body["status"] == "pending") && started.elapsed().as_millis() >= 900
    }
    "INT-05" timed "what is over is returned at once" |peer| {
        let (_, _, path) = open(peer).await;
        peer.post(&format!("{path}/cancel"), &json!({})).await;
        let started = Instant::now();
        peer.get(&format!("{path}/wait?timeout=3")).await;
        started.elapsed().as_millis() < 1_500
    }
    "INT-05" "timeouts out of range" |peer| {
        let (_, _, path) = open(peer).await;
        let got = peer.get(&format!("{path}/wait?timeout=0")).await;
        got.is_ok() || got.status == 400
    }
    "INT-06" "the six rules" |peer| {
        let (_, got, path) = open(peer).await;
        let (good, to) = (response(peer, &got), format!("{path}/respond"));
        let unknown = peer.post("/v1/interactions/none/respond", &good).await;
        let digest = peer.post(&to, &but(peer, &good, "request_digest", "0".repeat(64))).await;
        let nonce = peer.post(&to, &but(peer, &good, "nonce", "other")).await;
        let nonce_fits = good.get("nonce").is_none() || nonce.status == 400;
        if good.get("nonce").is_none() { return true }
        let shape = peer.post(&to, &but(peer, &good, "choice_id", "other")).await;
        let accepted = peer.post(&to, &good).await;
        let replay = peer.post(&to, &good).await;
        let second = peer.post(&to, &but(peer, &good, "choice_id", "deny")).await;
        unknown.status == 404 && digest.status == 400 && nonce_fits && matches!(shape.status, 400)
            && accepted.is_ok() && replay.status == 200 && second.status == 409
    }
    "INT-07" "cancel" |peer| {
        let (_, got, path) = open(peer).await;
        let first = peer.post(&format!("{path}/cancel"), &json!({})).await;
        let second = peer.post(&format!("{path}/cancel"), &json!({})).await;
        let answer = peer.post(&format!("{path}/respond"), &response(peer, &got)).await;
        first.body["status"] == "cancelled" && second.status < 500 && answer.is_refused()
            && peer.get(&path).await.body["status"] == "cancelled"
            && peer.post("/v1/interactions/none/cancel", &json!({})).await.status == 404
    }
    "INT-08" timed "the end is final" |peer| {
        let (key, _, cancelled) = open(peer).await;
        peer.post(&format!("{cancelled}/cancel"), &json!({})).await;
        peer.post("/v1/interactions/request", &question(&key)).await;
        let mut event = peer.permission(&peer.id("key"));
        event["request"]["response"]["expires_at"] = super::peer::soon(1_500).into();
        let asked = peer.event(&event).await;
        let path = asked.path("");
        peer.post(&format!("{path}/respond"), &response(peer, &asked)).await;
        peer.post(&format!("{path}/cancel"), &json!({})).await;
        tokio::time::sleep(std::time::Duration::from_millis(1_600)).await;
        let kept = peer.get(&path).await;
        kept.body["status"] == "answered" && kept.body["response"]["choice_id"] == "allow"
            && peer.get(&cancelled).await.body["status"] == "cancelled"
    }
    "INT-08" "an answer that was taken outlives a cancellation" |peer| {
        let (_, asked, path) = open(peer).await;
        let (cancel, to, body) = (format!("{path}/cancel"), format!("{path}/respond"), response(peer, &asked));
        let later = async {
            tokio::time::sleep(std::time::Duration::from_millis(15)).await;
            peer.post(&to, &body).await
        };
        let nothing = json!({});
        let (_, answered) = tokio::join!(peer.post(&cancel, &nothing), later);
        answered.is_ok() == (peer.get(&path).await.body["status"] == "answered")
    }
    "INT-08" "superseded is final" |peer| {
        let (key, first, path) = open(peer).await;
        let mut other = question(&key);
        other["prompt"] = "Another?".into();
        peer.post("/v1/interactions/request", &other).await;
        peer.post(&format!("{path}/respond"), &response(peer, &first)).await.is_refused()
            && peer.get(&path).await.body["status"] == "superseded"
    }
    "INT-09" "two doors, one record" |peer| {
        let (key, asked) = peer.asked().await;
        let path = asked.path("/respond");
        let answered = peer.post(&path, &response(peer, &asked)).await;
        let second = peer.event(&peer.answer(&key, &asked)).await;
        answered.is_ok() && second.status == 409
    }
    "INT-10" "snake_case" |peer| {
        let (_, got, _) = open(peer).await;
        let names = got.body.as_object().into_iter().flat_map(serde_json::Map::keys);
        got.is_ok() && names.into_iter().all(|name| !name.contains(|c: char| c.is_ascii_uppercase()))
    }
    "INT-11" "invalid questions" |peer| {
        let mut all = true;
        let choices = |ids: &[&str]| -> Value { ids.iter().map(|id| json!({ "id": id, "label": "L" })).collect() };
        for (name, value) in [("prompt", json!("x".repeat(2_001))), ("prompt", json!("")), ("choices", choices(&["a"])),
            ("choices", choices(&["a", "a"])), ("choices", choices(&["a b", "c"])), ("kind", json!("riddle"))] {
            let mut body = question(&peer.id("key"));
            body[name] = value;
            all &= peer.post("/v1/interactions/request", &body).await.status == 400;
        }
        let text = json!({ "key": peer.id("key"), "kind": "text", "prompt": "Why?", "text_max_length": 2_001 });
        all & (peer.post("/v1/interactions/request", &text).await.status == 400)
    }
    "INT-12" "publish" |peer| {
        let (_, _, path) = open(peer).await;
        let got = peer.post(&format!("{path}/publish"), &json!({})).await;
        let counts = got.body["published"].is_u64() && got.status == 200;
        (got.status == 400 || counts) && peer.post("/v1/interactions/none/publish", &json!({})).await.status == 404
    }
    "INT-13" "every route needs the token" |peer| {
        let (_, _, path) = open(peer).await;
        let mut all = true;
        for (method, path) in [(Method::GET, "/v1/interactions".to_owned()), (Method::GET, path.clone()),
            (Method::GET, format!("{path}/wait?timeout=1")), (Method::POST, format!("{path}/cancel"))] {
            all &= peer.send(method, &path, vec![], None).await.status == 401;
        }
        all
    }
}
