//! The HTTP side: an event endpoint and the routes by which a producer waits, on a free loopback port.

use super::Script;
use super::desk::{Answered, Desk, Item, refusal};
use super::person;
use super::question::{Answer, Chosen, State};
use crate::clock;
use crate::exchange::{Auth, Exchange, Reply, Request};
use crate::fresh;
use crate::secret::{Redactor, Token};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};

/// The binding's bound of a body.
const BODY: usize = 64 * 1024;
/// How long a wait lasts that names no timeout, and at most, in seconds.
const WAIT: u64 = 60;
const LONGEST_WAIT: u64 = 300;

/// One run's endpoint.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) script: Script,
    pub(super) base: String,
    pub(super) token: String,
    pub(super) redactor: Redactor,
    pub(super) changed: watch::Sender<u64>,
    desk: Mutex<Desk>,
    exchanges: Mutex<Vec<Exchange>>,
    _stop: oneshot::Sender<()>,
}

impl Endpoint {
    /// Begins to listen. It ends when it is dropped.
    pub(super) async fn open(script: Script) -> Result<Arc<Self>, String> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(|e| format!("no loopback port: {e}"))?;
        let address = listener.local_addr().map_err(|e| format!("no loopback address: {e}"))?;
        let token = fresh::hex(24);
        let (stop, stopped) = oneshot::channel::<()>();
        let endpoint = Arc::new(Self {
            script,
            base: format!("http://{address}"),
            redactor: Redactor::new(&Token::new(token.clone())),
            token,
            changed: watch::Sender::new(0),
            desk: Mutex::default(),
            exchanges: Mutex::default(),
            _stop: stop,
        });
        let weak = Arc::downgrade(&endpoint);
        let handler = move |request: axum::extract::Request| async move {
            match weak.upgrade() {
                Some(endpoint) => endpoint.handle(request).await,
                None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
            }
        };
        let served = axum::serve(listener, Router::new().fallback(handler));
        tokio::spawn(async move {
            tokio::select! {
                _ = async { served.await } => {}
                _ = stopped => {}
            }
        });
        Ok(endpoint)
    }

    pub(super) fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything that was said so far.
    pub(super) fn exchanges(&self) -> Vec<Exchange> {
        self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Answers as a person does, and lets whoever waits know.
    pub(super) fn answer(&self, question: &str, answer: &Answer, event: impl FnOnce() -> Vec<u8>) {
        let mut desk = self.desk();
        if desk.answer(question, answer, clock::now_millis()).is_ok() {
            desk.items.push(Item::Accepted { bytes: event() });
        }
        drop(desk);
        self.notify();
    }

    fn notify(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    async fn handle(self: Arc<Self>, request: axum::extract::Request) -> Response {
        let began = clock::now_millis();
        let (parts, body) = request.into_parts();
        let is_post = parts.method == axum::http::Method::POST;
        let target = parts.uri.path_and_query().map_or_else(String::new, ToString::to_string);
        let auth = if self.is_authorized(&parts.headers) { Auth::Token } else { Auth::Wrong };
        let bytes = to_bytes(body, BODY).await;
        let kept = bytes.as_ref().map(|bytes| bytes.to_vec()).unwrap_or_default();
        let method = if is_post { "POST" } else { "GET" };
        let kept = Request {
            method,
            url: format!("{}{target}", self.base),
            auth,
            body: is_post.then(|| masked(kept, &self.redactor)),
            chunked: false,
        };
        let place = self.begin(kept, began);
        let (status, body) = match bytes {
            _ if auth != Auth::Token => refusal((401, "the bearer token is missing or wrong")),
            Err(_) => refusal((413, "the body is over 64 KiB")),
            Ok(bytes) if is_post => Arc::clone(&self).post(parts.uri.path(), &bytes, place),
            Ok(_) => self.get(parts.uri.path(), parts.uri.query().unwrap_or_default()).await,
        };
        self.end(place, status, &body);
        reply(status, &body)
    }

    fn is_authorized(&self, headers: &HeaderMap) -> bool {
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        given
            .split_once(' ')
            .is_some_and(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && token == self.token)
    }

    /// Keeps a request; its reply is not known yet.
    fn begin(&self, request: Request, began: i64) -> usize {
        let mut exchanges = self.exchanges.lock().unwrap_or_else(PoisonError::into_inner);
        exchanges.push(Exchange { request, reply: Reply::TimedOut, began, ended: began, resent: false });
        exchanges.len() - 1
    }

    fn end(&self, place: usize, status: u16, body: &Value) {
        let shown = body.get("interaction").unwrap_or(body);
        for (member, word) in [("request_digest", "<digest>"), ("nonce", "<nonce>")] {
            if let Some(secret) = shown[member].as_str() {
                self.redactor.learn(secret, word);
            }
        }
        let mut exchanges = self.exchanges.lock().unwrap_or_else(PoisonError::into_inner);
        exchanges[place].reply = Reply::Http { status, body: body.to_string().into_bytes() };
        exchanges[place].ended = clock::now_millis();
    }

    fn post(self: Arc<Self>, path: &str, bytes: &[u8], exchange: usize) -> Answered {
        let reply = match path.trim_matches('/').split('/').collect::<Vec<_>>()[..] {
            ["v1", "events"] => Arc::clone(&self).event(bytes, exchange),
            ["v1", "interactions", id, "cancel"] => self.desk().cancel(id, clock::now_millis()),
            ["v1", "interactions", id, "respond"] => self.respond(id, bytes, exchange),
            _ => refusal((404, "events go to /v1/events; questions are asked with request.created")),
        };
        self.notify();
        reply
    }

    /// In the retry script the first reply to each type of event is lost.
    fn event(self: Arc<Self>, bytes: &[u8], exchange: usize) -> Answered {
        let mut desk = self.desk();
        let knew_of_the_end = desk.knows_of_the_end(bytes);
        let (reply, opened) = desk.take(bytes, clock::now_millis());
        let was_lost = self.script == Script::Retry && reply.0 < 300 && desk.loses(bytes);
        desk.items.push(Item::Event { bytes: bytes.to_vec(), exchange, knew_of_the_end, was_lost });
        let question = opened.and_then(|id| desk.questions.get(&id).cloned());
        drop(desk);
        if let Some(question) = question {
            tokio::spawn(person::attend(Arc::downgrade(&self), self.script, question));
        }
        if was_lost { refusal((503, "try again: the reply was lost, as the script wants it")) } else { reply }
    }

    /// The producer answers through the interactions route; nobody but a person may.
    fn respond(&self, id: &str, bytes: &[u8], exchange: usize) -> Answered {
        let body: Value = serde_json::from_slice(bytes).unwrap_or_default();
        let text = |member: &str| body[member].as_str().unwrap_or_default().to_owned();
        let value =
            if body["text"].is_string() { Chosen::Text(text("text")) } else { Chosen::Choice(text("choice_id")) };
        let (response_id, digest, nonce) = (text("response_id"), text("request_digest"), text("nonce"));
        let mut desk = self.desk();
        desk.items.push(Item::OwnAnswer { exchange });
        match desk.answer(id, &Answer { response_id, digest, nonce, value }, clock::now_millis()) {
            Ok(()) => (200, desk.look(id, clock::now_millis()).map_or(Value::Null, |question| question.view())),
            Err(refused) => refusal(refused),
        }
    }

    async fn get(&self, path: &str, query: &str) -> Answered {
        match path.trim_matches('/').split('/').collect::<Vec<_>>()[..] {
            ["v1", "interactions"] => self.list(query),
            ["v1", "interactions", id] => self.look(id).1,
            ["v1", "interactions", id, "wait"] => self.wait(id, seconds(query)).await,
            _ => refusal((404, "nothing is here; a question's state is at /v1/interactions/{id}")),
        }
    }

    fn list(&self, query: &str) -> Answered {
        let mut desk = self.desk();
        desk.sweep(clock::now_millis());
        desk.has_looked = true;
        let is_asked = |state: State| !query.contains("pending=true") || state == State::Pending;
        let shown = desk.questions.values_mut().filter(|question| is_asked(question.state)).map(|question| {
            question.is_known_over |= question.state != State::Pending;
            question.view()
        });
        (200, shown.collect())
    }

    /// A question as it is now: its state and deadline, and what the producer is shown of it.
    fn look(&self, id: &str) -> (Option<(State, i64)>, Answered) {
        let mut desk = self.desk();
        let Some(question) = desk.look(id, clock::now_millis()) else {
            return (None, refusal((404, "no such question")));
        };
        question.is_known_over |= question.state != State::Pending;
        (Some((question.state, question.expires_at)), (200, question.view()))
    }

    /// Replies when the question is over, or when the time is.
    async fn wait(&self, id: &str, timeout: Duration) -> Answered {
        let until = tokio::time::Instant::now() + timeout;
        let mut changed = self.changed.subscribe();
        loop {
            let (stand, reply) = self.look(id);
            let Some((State::Pending, expires_at)) = stand else { return reply };
            if tokio::time::Instant::now() >= until {
                return reply;
            }
            tokio::select! {
                _ = changed.changed() => {}
                () = tokio::time::sleep_until(until) => {}
                () = clock::sleep_until(expires_at) => {}
            }
        }
    }
}

/// The body without what looks like a secret, for people to see. The redactor takes it out of replies.
fn masked(bytes: Vec<u8>, redactor: &Redactor) -> Vec<u8> {
    let Ok(event) = arc_validator::parse(&bytes) else { return bytes };
    let findings = arc_validator::lint(&event, &bytes);
    let is_secret = |finding: &&arc_validator::Finding| finding.rule.requirements.contains(&"PRO-08");
    let secret: Vec<&str> = findings.iter().filter(is_secret).map(|finding| finding.pointer.as_str()).collect();
    if secret.is_empty() {
        return bytes;
    }
    let mut shown: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    for member in secret {
        let Some(member) = shown.pointer_mut(member) else { continue };
        redactor.learn(member.as_str().unwrap_or_default(), "<secret>");
        // As a reply spells it.
        redactor.learn(member.to_string().trim_matches('"'), "<secret>");
        *member = json!("<secret>");
    }
    shown.to_string().into_bytes()
}

fn seconds(query: &str) -> Duration {
    let timeout = query.split('&').find_map(|pair| pair.strip_prefix("timeout=")?.parse().ok());
    Duration::from_secs(timeout.unwrap_or(WAIT).clamp(1, LONGEST_WAIT))
}

fn reply(status: u16, body: &Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    if status == 503 {
        headers.insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
    }
    response
}
