//! The HTTP binding: token, limits, events.

use super::answer::{Submission, Target, Verdict};
use super::condition::{Done, Refusal, State};
use super::reply::{self, Reply};
use super::{Behaviour, Fault, Variation, chance, envelope, routes};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State as Shared};
use axum::http::{HeaderValue, Method, header, request::Parts};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::watch;

/// The largest body, in bytes.
const BODY_LIMIT: usize = 64 * 1024;

/// What a door calls when it opens again after a crash. No part of ARC.
pub(super) const RESTART: &str = "/crash-dummy/restart";

/// One consumer: its state, and who waits for it to change.
pub(super) struct Consumer {
    pub(super) behaviour: Behaviour,
    pub(super) token: String,
    pub(super) log: Option<PathBuf>,
    state: Mutex<State>,
    pub(super) changed: watch::Sender<u64>,
    pub(super) stopped: watch::Receiver<bool>,
    served: AtomicU64,
    /// Whether a wait was late already.
    pub(super) overslept: AtomicBool,
    /// The running second, and the posts in it.
    posts: Mutex<(i64, u32)>,
}

/// Every route of the consumer.
pub(super) fn router(
    behaviour: Behaviour,
    token: String,
    log: Option<PathBuf>,
    stopped: watch::Receiver<bool>,
) -> Router {
    let state = Mutex::new(State::new(behaviour));
    let (changed, _) = watch::channel(0);
    let posts = Mutex::new((0, 0));
    let (served, overslept) = (0.into(), false.into());
    let consumer = Arc::new(Consumer { behaviour, token, log, state, changed, stopped, served, overslept, posts });
    let mut router = Router::new().route("/v1/events", post(events)).route("/v1/notifications/{id}", get(notification));
    if !behaviour.varies(Variation::InteractionsAbsent) {
        router = router.merge(routes::router());
    }
    router
        .route(RESTART, post(restart))
        .fallback(|| async { Reply::error(404, "there is nothing here") })
        .layer(middleware::from_fn_with_state(consumer.clone(), gate))
        .with_state(consumer)
}

/// What every request passes: latency, rate limit, token; and how its reply is written.
async fn gate(Shared(consumer): Shared<Arc<Consumer>>, request: Request, next: Next) -> Response {
    let behaviour = consumer.behaviour;
    if behaviour.varies(Variation::Slow) {
        let step = consumer.served.fetch_add(17, Ordering::Relaxed) % 51;
        tokio::time::sleep(Duration::from_millis(30 + step)).await;
    }
    let (parts, body) = request.into_parts();
    if parts.method == Method::POST && consumer.is_over_rate() {
        drain(body).await;
        return reply::finish(too_many(behaviour), behaviour);
    }
    let mut response = if consumer.is_authorized(&parts) {
        next.run(Request::from_parts(parts, body)).await
    } else {
        consumer.unauthorized(&parts, body).await.into_response()
    };
    if let Some(reply) = response.extensions_mut().remove::<Reply>() {
        response = reply.write(behaviour);
    }
    reply::finish(response, behaviour)
}

/// Reads a body that nobody wants: a connection closed while its client still writes looks like a crash.
async fn drain(body: Body) {
    let drained = axum::body::to_bytes(body, 16 * BODY_LIMIT).await;
    drop(drained);
}

/// Unwinding is how a handler drops its connection without a reply; this way it happens silently.
fn drop_connection() -> ! {
    std::panic::resume_unwind(Box::new("the connection is closed"))
}

fn too_many(behaviour: Behaviour) -> Response {
    let mut response = Reply::error(429, "too many requests").write(behaviour);
    if !behaviour.has(Fault::RateLimitSilent) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// POST /v1/events
async fn events(Shared(consumer): Shared<Arc<Consumer>>, body: Body) -> Reply {
    match consumer.read(body).await {
        Ok(body) => {
            let reply = consumer.event(&body).await;
            consumer.log(&body, &reply);
            reply
        }
        Err(reply) => reply,
    }
}

async fn restart(Shared(consumer): Shared<Arc<Consumer>>) -> Reply {
    consumer.state().restart();
    Reply::new(200, Value::Null)
}

/// GET /v1/notifications/{id}
async fn notification(Shared(consumer): Shared<Arc<Consumer>>, Path(id): Path<String>) -> Reply {
    let state = consumer.state();
    let found = state.conditions.iter().position(|condition| condition.id == id);
    found.map_or_else(|| consumer.refuse(Refusal::NotFound), |at| Reply::new(200, state.notification(at)))
}

impl Consumer {
    /// The state as it is now: deadlines that have passed are applied.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().expect("no panic under the lock");
        state.sweep(chance::now());
        state
    }

    pub(super) fn refuse(&self, refusal: Refusal) -> Reply {
        Reply::refusal(refusal, self.behaviour)
    }

    /// Wakes whoever waits.
    pub(super) fn wake(&self) {
        self.changed.send_modify(|changes| *changes += 1);
    }

    /// The whole body, within the limit.
    pub(super) async fn read(&self, body: Body) -> Result<Vec<u8>, Reply> {
        let has = |fault| self.behaviour.has(fault);
        let body = axum::body::to_bytes(body, 16 * BODY_LIMIT).await;
        let body = body.map_err(|_| Reply::error(413, "the body is over 64 KiB"))?;
        let limit = if has(Fault::BodyLimitLow) { BODY_LIMIT / 2 } else { BODY_LIMIT };
        let counts_characters = has(Fault::BodyLimitInCharacters);
        let length = if counts_characters { String::from_utf8_lossy(&body).chars().count() } else { body.len() };
        if length <= limit || has(Fault::BodyUnbounded) {
            return Ok(body.into());
        }
        if has(Fault::OversizeStored) {
            self.event(&body).await;
        }
        if self.behaviour.varies(Variation::OversizeCloses) {
            drop_connection();
        }
        Err(Reply::error(if has(Fault::OversizeIs400) { 400 } else { 413 }, "the body is over 64 KiB"))
    }

    // Who may.

    fn is_authorized(&self, parts: &Parts) -> bool {
        let has = |fault| self.behaviour.has(fault);
        let path = parts.uri.path();
        let is_open = (has(Fault::RoutesOpen) && path.starts_with("/v1/interactions"))
            || (has(Fault::WaitOpen) && path.ends_with("/wait"));
        let in_query = |query: &str| query.split('&').any(|pair| pair.ends_with(&format!("={}", self.token)));
        if is_open || (has(Fault::AuthInQuery) && parts.uri.query().is_some_and(in_query)) {
            return true;
        }
        let header = parts.headers.get(header::AUTHORIZATION).and_then(|header| header.to_str().ok());
        let (scheme, given) = header.map_or(("", ""), |header| header.split_once(' ').unwrap_or((header, "")));
        if !scheme.eq_ignore_ascii_case("bearer") {
            return has(Fault::AuthOptional);
        }
        given == self.token
            || (has(Fault::AuthFolded) && given.eq_ignore_ascii_case(&self.token))
            || (has(Fault::AuthByPrefix) && given.len() >= 8 && self.token.starts_with(given))
            || (has(Fault::AuthByStart) && given.starts_with(&self.token))
            || (has(Fault::AuthEmptyAccepted) && given.is_empty())
    }

    async fn unauthorized(&self, parts: &Parts, body: Body) -> Reply {
        let is_stored = self.behaviour.has(Fault::AuthStoresFirst) && parts.uri.path() == "/v1/events";
        if let (Ok(body), true) = (self.read(body).await, is_stored) {
            self.event(&body).await;
        }
        Reply::error(if self.behaviour.has(Fault::AuthIs403) { 403 } else { 401 }, "a bearer token is needed")
    }

    fn is_over_rate(&self) -> bool {
        let most = if self.behaviour.varies(Variation::RateLimited) {
            10
        } else if self.behaviour.has(Fault::RateLimitSilent) {
            30
        } else {
            return false;
        };
        let second = chance::now() / 1_000;
        let mut posts = self.posts.lock().expect("no panic under the lock");
        if posts.0 != second {
            *posts = (second, 0);
        }
        posts.1 += 1;
        posts.1 > most
    }

    // Events.

    /// What an event does, and the envelope that says so.
    async fn event(&self, body: &[u8]) -> Reply {
        let Ok(event) = envelope::event(body, self.behaviour) else { return self.invalid(body) };
        let result = match event["event_type"].as_str().unwrap_or_default() {
            "request.created" => self.decide(&event, |state, now| state.created(&event, now)),
            "request.updated" => self.decide(&event, |state, now| state.updated(&event, now)),
            "request.resolved" => self.decide(&event, |state, now| state.resolved(&event, now)),
            "response.submitted" => self.submitted(&event).await,
            _ => Ok(Reply::new(200, json!({ "notification": {}, "interaction": null }))),
        };
        self.wake();
        result.unwrap_or_else(|refusal| self.refuse(refusal))
    }

    /// A replay or a new decision, under one lock.
    fn decide(
        &self,
        event: &Value,
        act: impl FnOnce(&mut State, i64) -> Result<Done, Refusal>,
    ) -> Result<Reply, Refusal> {
        let mut state = self.state();
        if let Some(replay) = self.replay(&state, event) {
            return replay;
        }
        let done = act(&mut state, chance::now())?;
        Ok(self.accepted(&mut state, event, done))
    }

    fn replay(&self, state: &State, event: &Value) -> Option<Result<Reply, Refusal>> {
        let status = if self.behaviour.has(Fault::ReplayIs201) { 201 } else { 200 };
        let shows_first = self.behaviour.varies(Variation::ReplayShowsFirst);
        let replay = state.replay(event)?;
        Some(replay.map(|(done, seen)| {
            let envelope = if shows_first { seen.reply.clone() } else { state.envelope(done.condition) };
            Reply::new(status, envelope)
        }))
    }

    fn accepted(&self, state: &mut State, event: &Value, done: Done) -> Reply {
        let mut envelope = state.envelope(done.condition);
        let is_answer = event["event_type"] == "response.submitted";
        let is_update = event["event_type"] == "request.updated";
        if self.behaviour.has(Fault::InteractionMissing) {
            envelope.as_object_mut().expect("an object").remove("interaction");
        }
        if is_answer && self.behaviour.has(Fault::InteractionNullOnAnswer) {
            envelope["interaction"] = Value::Null;
        }
        state.remember(event, done, &envelope);
        let is_201 = (done.is_new && !self.behaviour.has(Fault::CreatedIs200))
            || (is_update && self.behaviour.has(Fault::UpdateIs201));
        Reply::new(if is_201 { 201 } else { 200 }, envelope)
    }

    /// What is no valid event is refused, and nothing is kept of it.
    fn invalid(&self, body: &[u8]) -> Reply {
        let has = |fault| self.behaviour.has(fault);
        let value = envelope::parse(body, self.behaviour);
        if (body.is_empty() && has(Fault::EmptyBodyAccepted)) || value.is_err() && has(Fault::MalformedIsServerError) {
            return Reply::error(if body.is_empty() && has(Fault::EmptyBodyAccepted) { 200 } else { 500 }, "");
        }
        if value.is_err() && has(Fault::MalformedCloses) {
            drop_connection();
        }
        let mut event = value.unwrap_or_default();
        if has(Fault::StoresBeforeRefusing) && event["request"]["response"].is_object() {
            event["request"].as_object_mut().expect("it has a response").remove("response");
            if let Ok(one_way) = envelope::event(event.to_string().as_bytes(), self.behaviour) {
                let _kept = self.state().created(&one_way, chance::now());
            }
        }
        if self.behaviour.varies(Variation::AnswersJudgedLate) && event["event_type"] == "response.submitted" {
            return self.refuse(self.judged_late(&event));
        }
        self.refuse(Refusal::Invalid)
    }

    fn judged_late(&self, event: &Value) -> Refusal {
        let Some(key) = event["request"]["key"].as_str() else { return Refusal::Invalid };
        let state = self.state();
        let Some(condition) = state.latest(key, &event["sender"]) else { return Refusal::NotFound };
        let is_over = !state.conditions[condition].is_active;
        let is_answered = state.current(condition).is_some_and(|at| state.questions[at].answer.is_some());
        if is_over && is_answered { Refusal::Conflict } else { Refusal::Invalid }
    }

    // Answers.

    async fn submitted(&self, event: &Value) -> Result<Reply, Refusal> {
        if self.behaviour.has(Fault::AnswersUnknown) {
            return Err(Refusal::Invalid);
        }
        let answer = Submission { body: &event["response"], event };
        let target = {
            let state = self.state();
            if let Some(replay) = self.replay(&state, event) {
                return replay;
            }
            state.asked_under(answer)?
        };
        let condition = match target {
            Target::Question(at) => {
                if event.get("response").is_some() {
                    self.answer(at, answer).await?;
                }
                self.state().questions[at].condition
            }
            Target::OneWay(condition) => {
                self.state().close(condition, chance::now());
                condition
            }
        };
        Ok(self.accepted(&mut self.state(), event, Done { condition, is_new: false }))
    }

    /// Judges and accepts under one lock, whichever door the answer came through.
    pub(super) async fn answer(&self, at: usize, answer: Submission<'_>) -> Result<Verdict, Refusal> {
        let verdict = self.judge(at, answer);
        let leaves_window = self.behaviour.has(Fault::SecondAnswerWinsRaces) || self.behaviour.has(Fault::RetriesRace);
        if leaves_window && verdict == Ok(Verdict::Accept) {
            tokio::time::sleep(Duration::from_millis(8)).await;
            self.state().accept(at, answer, chance::now());
        }
        self.wake();
        verdict
    }

    fn judge(&self, at: usize, answer: Submission<'_>) -> Result<Verdict, Refusal> {
        let now = chance::now();
        let mut state = self.state();
        let verdict = state.judge(at, answer, now);
        let is_raced = self.behaviour.has(Fault::SecondAnswerWinsRaces) || self.behaviour.has(Fault::RetriesRace);
        match verdict {
            Ok(Verdict::Accept) if is_raced => state.questions[at].is_deciding = true,
            Ok(Verdict::Accept) => state.accept(at, answer, now),
            _ => state.aftermath(at, verdict, now),
        }
        verdict
    }
}
