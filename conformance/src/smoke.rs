//! The first look at a consumer: a handful of requests that say whether the URL, the token, the body limit or the rate
//! limit is the trouble, and what the consumer offers of what the contract leaves optional.

use crate::clock;
use crate::exchange::{Auth, Exchange, Reply, Request};
use crate::fresh;
use crate::profile::Class;
use crate::scenario::expand::{Names, Scope};
use crate::scenario::{Need, base_events};
use crate::stage::Stage;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What the first look found.
#[derive(Debug, Clone, Default)]
pub struct Smoke {
    /// One line.
    pub line: String,
    /// What is offered.
    pub offers: BTreeSet<Need>,
    /// Why no further request makes sense.
    pub trouble: Option<String>,
    /// Whether requests are taken and no answer is.
    pub three_types_only: bool,
}

/// Looks at the consumer.
pub async fn look(stage: &Stage) -> Smoke {
    let mut smoke = Smoke { line: String::new(), offers: BTreeSet::new(), trouble: None, three_types_only: false };
    let note = post(stage, "note", "smoke-note").await;
    if let Reply::Unreachable(_) | Reply::TimedOut | Reply::RateLimited = note.reply {
        smoke.trouble = trouble(stage, &note, &note);
        smoke.line = line(stage, &smoke);
        return smoke;
    }
    let asked = post(stage, "ask", "smoke-ask").await;
    smoke.trouble = trouble(stage, &note, &asked);
    if smoke.trouble.is_none() {
        offers(stage, &mut smoke, &asked).await;
    }
    smoke.line = line(stage, &smoke);
    smoke
}

async fn offers(stage: &Stage, smoke: &mut Smoke, asked: &Exchange) {
    if is_success(stage, asked) {
        smoke.offers.insert(Need::Permission);
        if shows(stage, asked, "nonce") {
            smoke.offers.insert(Need::Nonce);
        }
    }
    for (event, need) in
        [("ask_choice", Need::SingleChoice), ("ask_text", Need::Text), ("ask_briefly", Need::ShortDeadline)]
    {
        if is_success(stage, &post(stage, event, &format!("smoke-{event}")).await) {
            smoke.offers.insert(need);
        }
    }
    if offers_key(stage).await {
        smoke.offers.insert(Need::UnkeyedKey);
    }
    if stage.profile.declares.iter().any(|feature| feature == "interactions") {
        smoke.offers.insert(Need::Interactions);
    }
    smoke.offers.extend(stage.spawned.as_ref().map(|_| Need::Restart));
    smoke.offers.extend(stage.log.as_ref().map(|_| Need::ConsumerLog));
    smoke.three_types_only = !takes_answers(stage, asked).await;
    for key in ["smoke-note", "smoke-ask", "smoke-ask_choice", "smoke-ask_text", "smoke-ask_briefly"] {
        post(stage, "resolve", key).await;
    }
}

/// Whether a condition that was opened without a key is shown with one.
async fn offers_key(stage: &Stage) -> bool {
    let asked = post(stage, "ask_unkeyed", "").await;
    let Some(key) = key_shown(stage, &asked) else { return false };
    let shown = serde_json::Map::from_iter([("key".to_owned(), Value::String(key))]);
    is_success(stage, &send(stage, "resolve_shown", "", BTreeMap::from([("q".to_owned(), shown)])).await)
}

fn key_shown(stage: &Stage, exchange: &Exchange) -> Option<String> {
    let body = exchange.reply.json()?;
    let key = stage.profile.member("record_key", &body).or_else(|| stage.profile.member("question_key", &body));
    key.and_then(Value::as_str).map(str::to_owned)
}

/// Whether the right answer to the question is taken, or could be: without a digest nobody can answer.
async fn takes_answers(stage: &Stage, asked: &Exchange) -> bool {
    let body = asked.reply.json().unwrap_or(Value::Null);
    let shown = ["digest", "nonce"].map(|name| {
        let value = stage.profile.member(name, &body).cloned().unwrap_or(Value::Null);
        (name.to_owned(), value)
    });
    let mut shown: serde_json::Map<String, Value> = shown.into_iter().collect();
    shown.insert("key".to_owned(), Value::String(names(stage).key("smoke-ask")));
    is_success(stage, &send(stage, "answer", "smoke-ask", BTreeMap::from([("q".to_owned(), shown)])).await)
}

fn shows(stage: &Stage, exchange: &Exchange, name: &str) -> bool {
    exchange.reply.json().is_some_and(|body| stage.profile.member(name, &body).is_some())
}

fn names(stage: &Stage) -> Names {
    Names { run: stage.run.clone(), play: "smoke".to_owned(), began: clock::now_millis(), steps: BTreeMap::new() }
}

async fn post(stage: &Stage, event: &str, key: &str) -> Exchange {
    send(stage, event, key, BTreeMap::new()).await
}

async fn send(
    stage: &Stage,
    event: &str,
    key: &str,
    steps: BTreeMap<String, serde_json::Map<String, Value>>,
) -> Exchange {
    let names = Names { steps, ..names(stage) };
    let scope = Scope { names: &names, key: names.key(key), to: "q", index: 0 };
    let body = scope.expand(&base_events()[event]).ok().flatten().map(|event| event.to_string().into_bytes());
    let body = body.or_else(|| Some(fresh::hex(1).into_bytes()));
    let request = Request { method: "POST", url: stage.events_url(), auth: Auth::Token, body, chunked: false };
    let exchange = stage.client.send(request).await;
    let shown = exchange.reply.json().unwrap_or(Value::Null);
    for (name, word) in [("digest", "<digest>"), ("nonce", "<nonce>")] {
        if let Some(secret) = stage.profile.member(name, &shown).and_then(Value::as_str) {
            stage.redactor.learn(secret, word);
        }
    }
    exchange
}

fn is_success(stage: &Stage, exchange: &Exchange) -> bool {
    exchange.reply.status().is_some_and(|status| stage.profile.class(status) == Class::Success)
}

/// Why this is no ARC 0.2 endpoint that could be judged, if it is none.
fn trouble(stage: &Stage, note: &Exchange, asked: &Exchange) -> Option<String> {
    let successes = [note, asked].into_iter().filter(|exchange| is_success(stage, exchange)).count();
    if successes > 0 {
        let is_json = [note, asked].into_iter().any(|exchange| exchange.reply.json().is_some_and(|v| v.is_object()));
        return (!is_json).then(|| {
            format!("URL: the reply is no JSON object, so this is no ARC endpoint: {}", note.got(&stage.redactor))
        });
    }
    let got = note.got(&stage.redactor);
    Some(match &note.reply {
        Reply::Unreachable(_) => format!("URL: the consumer cannot be reached: {got}"),
        Reply::Closed(_) => format!("URL: the connection was made, but no HTTP reply came: {got}"),
        Reply::TimedOut => "URL: the connection was made, but no reply came within the time limit".to_owned(),
        Reply::RateLimited => "rate limit: 429 until patience ran out".to_owned(),
        Reply::Http { status: 401 | 403, .. } => format!("token: the consumer refuses it: {got}"),
        Reply::Http { status: 404 | 405, .. } => format!("URL: there is no event endpoint here: {got}"),
        Reply::Http { status: 413, .. } => format!("body limit: an event of a few hundred bytes is too large: {got}"),
        Reply::Http { status: 300..=399, .. } => format!("URL: it redirects elsewhere, which is not followed: {got}"),
        Reply::Http { status: 500..=599, .. } => format!("server error on a plain valid event: {got}"),
        Reply::Http { .. } => {
            format!(
                "a plain valid ARC 0.2 event and a valid question are both refused, so this is no ARC 0.2 consumer: {got}"
            )
        }
    })
}

fn line(stage: &Stage, smoke: &Smoke) -> String {
    if let Some(trouble) = &smoke.trouble {
        return trouble.clone();
    }
    let word = |(need, word): (Need, &'static str)| smoke.offers.contains(&need).then_some(word);
    let kinds: Vec<&str> =
        [(Need::Permission, "permission"), (Need::SingleChoice, "single_choice"), (Need::Text, "text")]
            .into_iter()
            .filter_map(word)
            .collect();
    format!(
        "reachable, token accepted; questions: {}; nonce {}; short deadlines {}; interactions routes {}",
        if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") },
        if smoke.offers.contains(&Need::Nonce) { "issued" } else { "not issued" },
        if smoke.offers.contains(&Need::ShortDeadline) { "accepted" } else { "refused" },
        if stage.profile.declares.iter().any(|f| f == "interactions") { "declared" } else { "not declared" },
    )
}
