//! A broker on a free port with a clock that stands still, and the words to talk to it.

use crate::openapi;
use arc_reference_broker::{Broker, Clock, Config, ServeError, Token};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub(crate) const TOKEN: &str = "t0ken-canary";
/// 2026-08-26T01:15:00Z, where the clock stands at first.
pub(crate) const NOW: i64 = 1_787_706_900_000;
pub(crate) const MINUTE: i64 = 60_000;

/// One broker under test.
pub(crate) struct Server {
    pub(crate) client: Client,
    pub(crate) clock: Clock,
    set: fn(&mut Config),
    dir: TempDir,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<(), ServeError>>,
}

/// Whoever talks to it; many may at once.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) http: reqwest::Client,
    pub(crate) url: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| ()).await
    }

    /// Starts it with other settings than the usual ones.
    pub(crate) async fn start_with(set: fn(&mut Config)) -> Self {
        Self::open(TempDir::new().unwrap(), Clock::standing_at(NOW), set).await
    }

    async fn open(dir: TempDir, clock: Clock, set: fn(&mut Config)) -> Self {
        let mut config = Config::new(dir.path().join("broker.db"), Token::new(TOKEN.to_owned()));
        config.clock = clock.clone();
        set(&mut config);
        let broker = Broker::open(config).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = Client { http: http(), url: format!("http://{}", listener.local_addr().unwrap()) };
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(broker.serve(listener, async {
            let _ = stopped.await;
        }));
        Self { client, clock, set, dir, stop, task }
    }

    /// Another connection to its database.
    pub(crate) fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.dir.path().join("broker.db")).unwrap()
    }

    /// Stops it and returns how it ended.
    pub(crate) async fn stop(self) -> Result<(), ServeError> {
        self.stop.send(()).unwrap();
        self.task.await.unwrap()
    }

    /// Stops it and opens the same database again.
    pub(crate) async fn restart(self) -> Self {
        let Self { client, clock, set, dir, stop, task } = self;
        drop(client);
        stop.send(()).unwrap();
        task.await.unwrap().unwrap();
        Self::open(dir, clock, set).await
    }

    pub(crate) async fn event(&self, event: &Value) -> Reply {
        self.client.event(event).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        self.client.post(path, body).await
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.client.get(path).await
    }

    /// Asks a permission under `key`, open for ten minutes, and returns the interaction.
    pub(crate) async fn ask(&self, key: &str) -> Value {
        let reply = self.event(&created(key, permission("May I?", 10 * MINUTE))).await;
        assert_eq!(reply.status, 201, "{reply:?}");
        reply.body["interaction"].clone()
    }

    /// Returns when so many wait.
    pub(crate) async fn waiters(&self, count: u64) {
        while self.get("/v1/health").await.body["waiters"] != count {
            tokio::task::yield_now().await;
        }
    }

    /// The status word of an interaction.
    pub(crate) async fn status(&self, interaction: &Value) -> String {
        let reply = self.get(&path_of(interaction, "")).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.body["status"].as_str().unwrap().to_owned()
    }
}

impl Client {
    pub(crate) async fn event(&self, event: &Value) -> Reply {
        self.post("/v1/events", event).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        self.raw(path, body.to_string().into_bytes()).await
    }

    pub(crate) async fn raw(&self, path: &str, body: Vec<u8>) -> Reply {
        let request = self.http.post(self.url.clone() + path).bearer_auth(TOKEN);
        reply(request.header("Content-Type", "application/json").body(body)).await
    }

    /// The reply to an accepted event; none where the broker has gone.
    pub(crate) async fn try_event(&self, event: &Value) -> Option<Reply> {
        let request = self.http.post(self.url.clone() + "/v1/events").bearer_auth(TOKEN);
        let request = request.header("Content-Type", "application/json").body(event.to_string());
        let response = request.send().await.ok()?;
        let status = response.status().as_u16();
        let body = serde_json::from_slice(&response.bytes().await.ok()?).ok()?;
        assert!(matches!(status, 200 | 201), "{status} {body}");
        Some(Reply { status, body })
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        reply(self.http.get(self.url.clone() + path).bearer_auth(TOKEN)).await
    }
}

pub(crate) fn http() -> reqwest::Client {
    // An error says that it is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

/// The reply to one request; its body has to be JSON.
pub(crate) async fn reply(request: reqwest::RequestBuilder) -> Reply {
    let (client, request) = request.build_split();
    let request = request.unwrap();
    let (method, path) = (request.method().as_str().to_ascii_lowercase(), request.url().path().to_owned());
    let response = client.execute(request).await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/json", "{response:?}");
    let status = response.status().as_u16();
    let reply = Reply { status, body: serde_json::from_slice(&response.bytes().await.unwrap()).unwrap() };
    openapi::check(&method, &path, &reply);
    reply
}

pub(crate) fn path_of(interaction: &Value, action: &str) -> String {
    format!("/v1/interactions/{}{action}", interaction["id"].as_str().unwrap())
}

/// An event of this type with an `event_id` of its own.
#[expect(clippy::needless_pass_by_value, reason = "every caller has just made it")]
pub(crate) fn event(event_type: &str, request: Value) -> Value {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    json!({
        "arc_version": "0.2",
        "event_id": format!("evt_{}", NEXT.fetch_add(1, Ordering::Relaxed)),
        "event_type": event_type,
        "occurred_at": "2026-08-26T01:15:00Z",
        "sender": { "id": "codex", "name": "Codex" },
        "request": request,
    })
}

pub(crate) fn created(key: &str, mut request: Value) -> Value {
    request["key"] = key.into();
    event("request.created", request)
}

pub(crate) fn updated(key: &str, mut request: Value) -> Value {
    request["key"] = key.into();
    event("request.updated", request)
}

pub(crate) fn resolved(key: &str) -> Value {
    event("request.resolved", json!({ "key": key }))
}

pub(crate) fn one_way(message: &str) -> Value {
    json!({ "kind": "information", "message": message })
}

/// A permission with the choices `allow_once` and `deny`, open for so many milliseconds from [`NOW`].
pub(crate) fn permission(message: &str, open_for: i64) -> Value {
    let choices =
        json!([{ "id": "allow_once", "label": "Allow once", "detail": "Once" }, { "id": "deny", "label": "Deny" }]);
    let response = json!({ "kind": "permission", "choices": choices, "expires_at": instant(NOW + open_for) });
    json!({ "kind": "permission", "title": "Release", "message": message, "response": response })
}

pub(crate) fn text(message: &str, max_length: Option<u32>) -> Value {
    let mut response = json!({ "kind": "text", "expires_at": instant(NOW + 10 * MINUTE) });
    if let Some(length) = max_length {
        response["text_max_length"] = length.into();
    }
    json!({ "kind": "question", "message": message, "response": response })
}

/// A response.submitted event under the interaction's key, as a good answerer sends it.
pub(crate) fn answer(interaction: &Value, response_id: &str, choice: &str) -> Value {
    let mut answer = event("response.submitted", json!({ "key": interaction["key"] }));
    answer["sender"] = json!({ "id": "phone" });
    answer["response"] = json!({
        "response_id": response_id,
        "digest": interaction["request_digest"],
        "nonce": interaction["nonce"],
        "choice_id": choice,
    });
    answer
}

/// The same answer for the respond route.
pub(crate) fn respond(interaction: &Value, response_id: &str, choice: &str) -> Value {
    json!({
        "response_id": response_id,
        "request_digest": interaction["request_digest"],
        "nonce": interaction["nonce"],
        "choice_id": choice,
    })
}

/// RFC 3339 with milliseconds.
pub(crate) fn instant(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis).unwrap().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}
