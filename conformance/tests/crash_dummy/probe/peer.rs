//! A producer and a responder in one: builds events and sends them.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A status and a JSON body (null where there is none).
#[derive(Clone, Debug)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Got {
    /// The path below the question's own.
    pub(crate) fn path(&self, below: &str) -> String {
        let shown = if self.body["interaction"].is_object() { self.question() } else { &self.body };
        let id = shown["id"].as_str().map_or_else(|| shown["id"].to_string(), str::to_owned);
        format!("/v1/interactions/{}{below}", utf8_percent_encode(&id, NON_ALPHANUMERIC))
    }

    pub(crate) fn is_ok(&self) -> bool {
        (200..300).contains(&self.status)
    }

    pub(crate) fn is_refused(&self) -> bool {
        (400..500).contains(&self.status)
    }

    /// The interaction half of an envelope, or the whole of an interaction.
    pub(crate) fn question(&self) -> &Value {
        self.body.get("interaction").unwrap_or(&self.body)
    }

    pub(crate) fn at(&self, pointer: &str) -> Value {
        self.body.pointer(pointer).cloned().unwrap_or_default()
    }
}

/// Talks to one consumer.
#[derive(Clone)]
pub(crate) struct Peer {
    client: Client,
    url: String,
    pub(crate) token: String,
    ids: Arc<AtomicU64>,
}

impl Peer {
    pub(crate) fn new(url: &str, token: &str) -> Self {
        // An error says that it is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().timeout(Duration::from_secs(20)).build().expect("a client");
        Self { client, url: url.to_owned(), token: token.to_owned(), ids: Arc::default() }
    }

    /// A text that no other probe uses.
    pub(crate) fn id(&self, stem: &str) -> String {
        format!("{stem}-{}", self.ids.fetch_add(1, Ordering::Relaxed))
    }

    // Sending.

    /// Any request; `authorization` is the whole header.
    pub(crate) async fn send(&self, method: Method, path: &str, body: Vec<u8>, authorization: Option<&str>) -> Got {
        loop {
            let mut request = self.client.request(method.clone(), format!("{}{path}", self.url)).body(body.clone());
            if let Some(authorization) = authorization {
                request = request.header("authorization", authorization);
            }
            let Ok(response) = request.send().await else { return Got { status: 0, body: Value::Null } };
            let status = response.status().as_u16();
            if status == 429 {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
            let text = response.text().await.unwrap_or_default();
            return Got { status, body: serde_json::from_str(&text).unwrap_or_default() };
        }
    }

    /// One POST, whatever comes: the status, and whether the reply says when to try again.
    pub(crate) async fn post_once(&self, event: &Value) -> (u16, bool) {
        let request = self.client.post(format!("{}/v1/events", self.url)).bearer_auth(&self.token);
        let response = request.body(event.to_string()).send().await;
        response.map_or((0, false), |got| (got.status().as_u16(), got.headers().contains_key("retry-after")))
    }

    pub(crate) async fn raw(&self, body: &[u8]) -> Got {
        self.send(Method::POST, "/v1/events", body.to_vec(), Some(&format!("Bearer {}", self.token))).await
    }

    pub(crate) async fn event(&self, event: &Value) -> Got {
        self.raw(event.to_string().as_bytes()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Got {
        let bearer = format!("Bearer {}", self.token);
        self.send(Method::POST, path, body.to_string().into(), Some(&bearer)).await
    }

    pub(crate) async fn get(&self, path: &str) -> Got {
        self.send(Method::GET, path, vec![], Some(&format!("Bearer {}", self.token))).await
    }

    // Events.

    fn envelope(&self, event_type: &str) -> Value {
        json!({
            "arc_version": "0.2", "event_id": self.id("event"), "event_type": event_type,
            "occurred_at": soon(0), "sender": { "id": "producer", "name": "Producer" },
        })
    }

    /// A request that asks nothing.
    pub(crate) fn one_way(&self, key: &str) -> Value {
        let mut event = self.envelope("request.created");
        event["request"] = json!({ "key": key, "kind": "information", "title": "Title", "message": "Message" });
        event
    }

    /// A permission with two choices.
    pub(crate) fn permission(&self, key: &str) -> Value {
        let mut event = self.one_way(key);
        event["request"]["kind"] = "permission".into();
        event["request"]["response"] = json!({
            "kind": "permission", "expires_at": "2036-08-26T01:25:00Z",
            "choices": [{ "id": "allow", "label": "Allow", "detail": "Runs once" }, { "id": "deny", "label": "Deny" }],
        });
        event
    }

    /// A question for a text.
    pub(crate) fn text(&self, key: &str) -> Value {
        let mut event = self.one_way(key);
        event["request"]["response"] = json!({ "kind": "text", "expires_at": "2036-08-26T01:25:00Z" });
        event
    }

    /// An update that changes the message.
    pub(crate) fn updated(&self, key: &str) -> Value {
        let mut event = self.permission(key);
        event["event_type"] = "request.updated".into();
        event["request"]["message"] = "Another message".into();
        event
    }

    pub(crate) fn resolved(&self, key: &str) -> Value {
        let mut event = self.envelope("request.resolved");
        event["request"] = json!({ "key": key });
        event
    }

    /// The answer `allow` to the question that was asked.
    pub(crate) fn answer(&self, key: &str, asked: &Got) -> Value {
        let mut event = self.envelope("response.submitted");
        event["sender"] = json!({ "id": "responder" });
        event["request"] = json!({ "key": key });
        let question = asked.question();
        event["response"] = json!({
            "response_id": self.id("response"), "digest": question["request_digest"], "choice_id": "allow",
        });
        if question["nonce"].is_string() {
            event["response"]["nonce"] = question["nonce"].clone();
        }
        event
    }

    // Steps.

    /// Asks a permission under a fresh key.
    pub(crate) async fn asked(&self) -> (String, Got) {
        let key = self.id("key");
        let got = self.event(&self.permission(&key)).await;
        (key, got)
    }

    /// Asks and answers; the answer event comes with it.
    pub(crate) async fn answered(&self) -> (String, Got, Value) {
        let (key, asked) = self.asked().await;
        let answer = self.answer(&key, &asked);
        let got = self.event(&answer).await;
        (key, got, answer)
    }

    /// The same answer with one member replaced.
    pub(crate) fn but(&self, event: &Value, name: &str, value: impl Into<Value>) -> Value {
        let mut other = event.clone();
        other["event_id"] = self.id("event").into();
        other["response"][name] = value.into();
        if name != "response_id" {
            other["response"]["response_id"] = self.id("response").into();
        }
        other
    }
}

/// The time so many milliseconds from now, as RFC 3339 in UTC.
#[expect(clippy::disallowed_methods, reason = "a producer sets deadlines by the clock")]
pub(crate) fn soon(millis: i64) -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
    let now = i64::try_from(since.as_millis()).expect("milliseconds fit");
    crate::crash_dummy::time_text(now + millis)
}
