//! The interactions routes: the other door to the same record.

use super::answer::Submission;
use super::condition::{Refusal, State};
use super::envelope::{self, Checker};
use super::question::{Asked, Shown, Spec, Status};
use super::reply::Reply;
use super::server::Consumer;
use super::{Behaviour, Fault, Variation, chance, timestamp, wait};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State as Shared};
use axum::routing::{get, post};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

type Door = Shared<Arc<Consumer>>;
type Params = Query<HashMap<String, String>>;

pub(super) fn router() -> Router<Arc<Consumer>> {
    Router::new()
        .route("/v1/interactions/request", post(request))
        .route("/v1/interactions", get(list))
        .route("/v1/interactions/{id}", get(one))
        .route("/v1/interactions/{id}/wait", get(wait))
        .route("/v1/interactions/{id}/respond", post(respond))
        .route("/v1/interactions/{id}/cancel", post(cancel))
        .route("/v1/interactions/{id}/publish", post(publish))
}

impl State {
    fn find(&self, id: &str) -> Option<usize> {
        self.questions.iter().position(|question| question.id == id)
    }
}

async fn one(Shared(consumer): Door, Path(id): Path<String>) -> Reply {
    let state = consumer.state();
    match state.find(&id) {
        Some(at) => Reply::new(200, state.interaction(at)),
        None if consumer.behaviour.has(Fault::GetUnknownIsNull) => Reply::new(200, Value::Null),
        None => consumer.refuse(Refusal::NotFound),
    }
}

async fn list(Shared(consumer): Door, Query(params): Params) -> Reply {
    let behaviour = consumer.behaviour;
    let state = consumer.state();
    let limit = match params.get("limit").map(|limit| limit.parse::<usize>()) {
        None => 200,
        Some(Ok(limit)) if (1..=1_000).contains(&limit) => limit,
        Some(_) => return Reply::error(400, "limit is 1 to 1000"),
    };
    let limit = if behaviour.has(Fault::ListIgnoresLimit) { 200 } else { limit };
    let newest_first = (0..state.questions.len()).rev().map(|at| state.interaction(at));
    let listed: Vec<_> = newest_first.filter(|shown| is_listed(shown, &params, behaviour)).take(limit).collect();
    let bare = behaviour.varies(Variation::ListBare);
    Reply::new(200, if bare { listed.into() } else { json!({ "interactions": listed }) })
}

fn is_listed(shown: &Value, params: &HashMap<String, String>, behaviour: Behaviour) -> bool {
    let filters = [
        ("status", "status", Fault::ListIgnoresStatus),
        ("agent", "agent", Fault::ListIgnoresAgent),
        ("project", "project", Fault::ListIgnoresProject),
        ("session", "session_id", Fault::ListIgnoresSession),
    ];
    let asks_pending = params.get("pending").is_some_and(|pending| pending == "true");
    let lists_expired = behaviour.has(Fault::PendingListsExpired) && shown["status"] == "expired";
    let is_in =
        !asks_pending || shown["status"] == "pending" || lists_expired || behaviour.has(Fault::ListIgnoresPending);
    is_in
        && filters.iter().all(|(param, member, ignored)| {
            let asked = params.get(*param).filter(|asked| !asked.is_empty() && !behaviour.has(*ignored));
            asked.is_none_or(|asked| shown[*member] == **asked)
        })
}

async fn wait(Shared(consumer): Door, Path(id): Path<String>, Query(params): Params) -> Reply {
    let timeout = match wait::timeout(params.get("timeout").map(String::as_str), consumer.behaviour) {
        Ok(timeout) => timeout,
        Err(reply) => return reply,
    };
    let found = consumer.state().find(&id);
    match found {
        Some(at) => wait::wait(&consumer, at, timeout).await,
        None => consumer.refuse(Refusal::NotFound),
    }
}

async fn publish(Shared(consumer): Door, Path(id): Path<String>) -> Reply {
    let behaviour = consumer.behaviour;
    let is_known = consumer.state().find(&id).is_some();
    if !is_known && !behaviour.has(Fault::PublishUnknownRejected) {
        return consumer.refuse(Refusal::NotFound);
    }
    if behaviour.has(Fault::PublishWithoutNumber) {
        return Reply::new(200, json!({}));
    }
    if behaviour.varies(Variation::PublishesSome) {
        return Reply::new(200, json!({ "published": 1 }));
    }
    Reply::error(400, "there is no relay")
}

async fn cancel(Shared(consumer): Door, Path(id): Path<String>) -> Reply {
    let behaviour = consumer.behaviour;
    let races = behaviour.has(Fault::CancelRaces) && is_pending(&consumer.state(), &id);
    if races {
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    let mut state = consumer.state();
    let Some(at) = state.find(&id) else {
        let acknowledges = behaviour.has(Fault::CancelUnknownAccepted);
        return if acknowledges { Reply::new(200, json!({})) } else { consumer.refuse(Refusal::NotFound) };
    };
    let status = state.questions[at].status;
    let overwrites = races || (status == Status::Answered && behaviour.has(Fault::CancelOverwritesAnswer));
    if status != Status::Pending && behaviour.varies(Variation::CancelOverRefused) {
        return consumer.refuse(Refusal::NotOpen);
    }
    if (status == Status::Pending && !behaviour.has(Fault::CancelIgnored)) || overwrites {
        state.questions[at].end(Status::Cancelled, chance::now());
        let condition = state.questions[at].condition;
        if behaviour.varies(Variation::EndOfQuestionEnds) {
            state.close(condition, chance::now());
        }
    }
    let shown = state.interaction(at);
    drop(state);
    consumer.wake();
    Reply::new(200, shown)
}

fn is_pending(state: &State, id: &str) -> bool {
    state.find(id).is_some_and(|at| state.questions[at].status == Status::Pending)
}

// Respond.

async fn respond(Shared(consumer): Door, Path(id): Path<String>, body: Body) -> Reply {
    let body = match consumer.read(body).await {
        Ok(body) => envelope::parse(&body, consumer.behaviour),
        Err(reply) => return reply,
    };
    let given = body.ok().and_then(|body| answer_of(body, consumer.behaviour));
    let found = consumer.state().find(&id);
    let Some(at) = found.filter(|_| given.is_some()) else {
        let is_valid = given.is_some() && !consumer.behaviour.has(Fault::RespondUnknownIs400);
        return consumer.refuse(if is_valid { Refusal::NotFound } else { Refusal::Invalid });
    };
    let given = given.unwrap_or_default();
    match consumer.answer(at, Submission { body: &given, event: &Value::Null }).await {
        Ok(_) => Reply::new(200, consumer.state().interaction(at)),
        Err(Refusal::Conflict) if consumer.behaviour.has(Fault::RespondConflictIs400) => {
            consumer.refuse(Refusal::NotOpen)
        }
        Err(refusal) => consumer.refuse(refusal),
    }
}

/// The body of respond as the answer of an event; `None` where it is invalid.
fn answer_of(body: Value, behaviour: Behaviour) -> Option<Value> {
    const KNOWN: [&str; 6] = ["response_id", "nonce", "choice_id", "text", "source", "device_id"];
    let Value::Object(mut given) = body else { return None };
    let digest = given.remove("request_digest")?;
    let is_strict = behaviour.varies(Variation::RouteBodiesStrict);
    if is_strict && given.keys().any(|name| !KNOWN.contains(&&**name)) {
        return None;
    }
    given.retain(|name, member| KNOWN.contains(&&**name) && !member.is_null());
    given.insert("digest".to_owned(), digest);
    let answer = Value::Object(given);
    let checker = Checker { behaviour };
    checker.object("response", &answer).and_then(|()| checker.one_answer(&answer)).ok().map(|()| answer)
}

// Request.

async fn request(Shared(consumer): Door, body: Body) -> Reply {
    let body = match consumer.read(body).await {
        Ok(body) => envelope::parse(&body, consumer.behaviour),
        Err(reply) => return reply,
    };
    let now = chance::now();
    let event = body.ok().and_then(|body| event_of(&body, consumer.behaviour, now));
    let Some(event) = event else { return consumer.refuse(Refusal::Invalid) };
    let mut state = consumer.state();
    let (at, is_new) = open(&mut state, &event, now);
    let mut shown = state.interaction(at);
    drop(state);
    consumer.wake();
    if consumer.behaviour.has(Fault::OpenHidesDigest) {
        shown.as_object_mut().expect("an object").remove("request_digest");
    }
    Reply::new(if is_new && !consumer.behaviour.has(Fault::OpenIs200) { 201 } else { 200 }, shown)
}

/// The pending question where the same is asked again; a new one otherwise, which supersedes what was asked before.
fn open(state: &mut State, event: &Value, now: i64) -> (usize, bool) {
    let key = event["request"]["key"].as_str().unwrap_or_default().to_owned();
    let spec = Spec::of(&event["request"]["response"], state.behaviour, now);
    let shown = Shown::of(event, state.behaviour);
    let active = state.latest(&key, &event["sender"]).filter(|at| state.conditions[*at].is_active);
    let Some(condition) = active else {
        let done = state.open(key, event, Some(spec), now);
        return (state.current(done.condition).expect("a question was just put"), true);
    };
    if let Some(pending) = state.pending(condition) {
        let asked = Asked { shown: shown.clone(), spec: spec.clone() };
        let is_same = state.questions[pending].asked.is_like(&asked) && !state.has(Fault::AskAlwaysNew);
        if is_same || state.has(Fault::AskKeepsOld) {
            return (pending, false);
        }
    }
    let before = state.current(condition);
    state.conditions[condition].shown = shown;
    state.conditions[condition].updated_at = now;
    state.ask(condition, Some(spec), now);
    let at = state.current(condition).expect("a question was just put");
    (at, before != Some(at))
}

/// Faults of this door that are faults of the envelope, too.
const AS_EVENT: &[(Fault, Fault)] = &[
    (Fault::AskOneChoice, Fault::OneChoiceEnough),
    (Fault::AskIdsUnchecked, Fault::ChoiceIdAnyCharacters),
    (Fault::AskIdsMayRepeat, Fault::ChoiceIdsMayRepeat),
    (Fault::AskBoundUnchecked, Fault::BoundOneOver),
];

/// The question as the event that would ask it; `None` where it is invalid.
fn event_of(body: &Value, behaviour: Behaviour, now: i64) -> Option<Value> {
    const KNOWN: [&str; 12] = [
        "key",
        "agent",
        "agent_instance",
        "project",
        "session_id",
        "turn_id",
        "native_request_id",
        "kind",
        "prompt",
        "choices",
        "text_max_length",
        "ttl_seconds",
    ];
    let given = body.as_object()?;
    if behaviour.varies(Variation::RouteBodiesStrict) && given.keys().any(|name| !KNOWN.contains(&&**name)) {
        return None;
    }
    let ttl = match given.get("ttl_seconds").filter(|ttl| !ttl.is_null()) {
        None => 600,
        Some(ttl) => ttl.as_i64().filter(|ttl| (30..=3_600).contains(ttl))?,
    };
    let prompt = given.get("prompt")?.as_str()?;
    if prompt.chars().count() > 2_000 && !behaviour.has(Fault::PromptUnbounded) {
        return None;
    }
    let is_permission = body["kind"] == "permission";
    let mut asked = pick(given, &[("kind", "kind"), ("choices", "choices"), ("text_max_length", "text_max_length")]);
    asked["expires_at"] = timestamp::text(now + ttl * 1_000).into();
    let mut sender = pick(given, &[("agent", "id"), ("agent_instance", "instance_id")]);
    if sender.get("id").is_none() {
        sender["id"] = "local".into();
    }
    let context = ["project", "session_id", "turn_id", "native_request_id"].map(|name| (name, name));
    let mut event = json!({
        "arc_version": "0.2", "event_id": chance::hex::<16>(), "event_type": "request.created",
        "occurred_at": timestamp::text(now), "sender": sender, "context": pick(given, &context),
        "request": {
            "key": given.get("key").cloned().unwrap_or_else(|| format!("ask-{}", chance::hex::<8>()).into()),
            "kind": if is_permission { "permission" } else { "question" }, "message": prompt, "response": asked,
        },
    });
    if event["request"]["key"].is_null() {
        event["request"]["key"] = format!("ask-{}", chance::hex::<8>()).into();
    }
    let other = AS_EVENT.iter().find(|(fault, _)| behaviour.has(*fault)).map(|(_, other)| Behaviour::fault(*other));
    envelope::event(event.to_string().as_bytes(), other.unwrap_or(behaviour)).ok()
}

/// The named members under their other names; null is absent.
fn pick(given: &Map<String, Value>, names: &[(&str, &str)]) -> Value {
    let picked = names.iter().filter_map(|(name, other)| {
        let member = given.get(*name).filter(|member| !member.is_null())?;
        Some(((*other).to_owned(), member.clone()))
    });
    Value::Object(picked.collect())
}
