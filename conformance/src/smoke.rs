//! The first look at a consumer: a handful of requests that say whether the URL, the token, the body limit or the rate
//! limit is the trouble, and what the consumer offers of what the contract leaves optional.

use crate::clock;
use crate::exchange::{Auth, Exchange, Reply, Request};
use crate::fresh;
use crate::profile::Class;
use crate::scenario::expand::{Names, Scope};
use crate::scenario::{Need, base_events};
use crate::stage::Stage;
use crate::verdict::Evidence;
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
    /// How the first question was refused, where none of any kind is taken.
    pub no_question: Option<Evidence>,
}

impl Smoke {
    /// A look that did not come to its end in its time.
    pub fn cut_short() -> Self {
        let line = "budget: the first look, a dozen requests, was not over within the time that --budget gives; see whether the \
                    consumer hangs or limits requests, or give it more";
        Self { line: line.to_owned(), trouble: Some(line.to_owned()), ..Self::default() }
    }
}

/// The three kinds of questions: the event that asks, and the one that answers.
const KINDS: [(Need, &str, &str); 3] = [
    (Need::Permission, "ask", "answer"),
    (Need::SingleChoice, "ask_choice", "answer_choice"),
    (Need::Text, "ask_text", "answer_text"),
];

/// Looks at the consumer.
pub async fn look(stage: &Stage) -> Smoke {
    let mut smoke = Smoke::default();
    let note = post(stage, "note", &key("note")).await;
    if let Reply::Unreachable(_) | Reply::TimedOut | Reply::RateLimited = note.reply {
        smoke.trouble = trouble(stage, &note, &note);
        smoke.line = line(stage, &smoke);
        return smoke;
    }
    let asked = post(stage, "ask", &key("ask")).await;
    smoke.trouble = trouble(stage, &note, &asked);
    if smoke.trouble.is_none() {
        offers(stage, &mut smoke, &asked).await;
    }
    smoke.line = line(stage, &smoke);
    smoke
}

async fn offers(stage: &Stage, smoke: &mut Smoke, asked: &Exchange) {
    let mut taken = None;
    for (need, ask, answer) in KINDS {
        let another = if need == Need::Permission { None } else { Some(post(stage, ask, &key(ask)).await) };
        let exchange = another.as_ref().unwrap_or(asked);
        if !is_refusal(stage, exchange) {
            smoke.offers.insert(need);
        }
        if is_success(stage, exchange) {
            smoke.offers.extend(shows(stage, exchange, "nonce").then_some(Need::Nonce));
            taken = taken.or(Some((exchange.clone(), ask, answer)));
        }
    }
    if !is_refusal(stage, &post(stage, "ask_briefly", &key("ask_briefly")).await) {
        smoke.offers.insert(Need::ShortDeadline);
    }
    if offers_key(stage).await {
        smoke.offers.insert(Need::UnkeyedKey);
    }
    if stage.profile.declares.iter().any(|feature| feature == "interactions") {
        smoke.offers.insert(Need::Interactions);
    }
    smoke.offers.extend(stage.spawned.as_ref().map(|_| Need::Restart));
    smoke.offers.extend(stage.log.as_ref().map(|_| Need::ConsumerLog));
    smoke.three_types_only = match taken {
        Some((asked, ask, answer)) => !takes_answers(stage, &asked, &key(ask), answer).await,
        None => true,
    };
    if !KINDS.iter().any(|(need, ..)| smoke.offers.contains(need)) {
        smoke.no_question = Some(no_question(stage, asked));
    }
    post(stage, "resolve", &key("note")).await;
    for event in KINDS.iter().map(|(_, ask, _)| *ask).chain(["ask_briefly"]) {
        post(stage, "resolve", &key(event)).await;
    }
}

/// The key of a first question.
fn key(event: &str) -> String {
    format!("smoke-{event}")
}

/// Notes are taken and no question is: then there is nothing to answer, and the fourth event type is not implemented.
fn no_question(stage: &Stage, asked: &Exchange) -> Evidence {
    Evidence {
        scenario: "first-look".to_owned(),
        step: "a question of each kind".to_owned(),
        sent: asked.sent(&stage.redactor),
        permitted: "created, for at least one kind of question: without a question there is no answer to take"
            .to_owned(),
        got: asked.got(&stage.redactor),
        curl: asked.curl(&stage.redactor),
        ..Evidence::default()
    }
}

/// Whether a condition that was opened without a key is shown with one.
async fn offers_key(stage: &Stage) -> bool {
    let asked = post(stage, "ask_unkeyed", "").await;
    let Some(key) = key_shown(stage, &asked) else { return false };
    let shown = serde_json::Map::from_iter([("key".to_owned(), Value::String(key))]);
    !is_refusal(stage, &send(stage, "resolve_shown", "", BTreeMap::from([("q".to_owned(), shown)])).await)
}

fn key_shown(stage: &Stage, exchange: &Exchange) -> Option<String> {
    let body = exchange.reply.json()?;
    let key = stage.profile.member("record_key", &body).or_else(|| stage.profile.member("question_key", &body));
    key.and_then(Value::as_str).map(str::to_owned)
}

/// Whether the right answer to the question is taken, or could be: without a digest nobody can answer.
async fn takes_answers(stage: &Stage, asked: &Exchange, key: &str, answer: &str) -> bool {
    let body = asked.reply.json().unwrap_or(Value::Null);
    let shown = ["digest", "nonce"].map(|name| {
        let value = stage.profile.member(name, &body).cloned().unwrap_or(Value::Null);
        (name.to_owned(), value)
    });
    let mut shown: serde_json::Map<String, Value> = shown.into_iter().collect();
    shown.insert("key".to_owned(), Value::String(names(stage).key(key)));
    is_success(stage, &send(stage, answer, key, BTreeMap::from([("q".to_owned(), shown)])).await)
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

/// A refusal on principle: the consumer says no, and neither breaks down nor stays silent.
fn is_refusal(stage: &Stage, exchange: &Exchange) -> bool {
    let class = exchange.reply.status().filter(|status| *status != 429).map(|status| stage.profile.class(status));
    matches!(class, Some(Class::Refused | Class::NotFound | Class::Conflict))
}

/// Why this is no ARC 0.2 endpoint that could be judged, if it is none.
fn trouble(stage: &Stage, note: &Exchange, asked: &Exchange) -> Option<String> {
    let successes = [note, asked].into_iter().filter(|exchange| is_success(stage, exchange)).count();
    if successes > 0 {
        let is_json = [note, asked].into_iter().any(|exchange| exchange.reply.json().is_some_and(|v| v.is_object()));
        return (!is_json).then(|| {
            format!(
                "URL: the reply is no JSON object, so this is no ARC endpoint: {}; check host, port and path",
                note.got(&stage.redactor)
            )
        });
    }
    let got = note.got(&stage.redactor);
    Some(match &note.reply {
        Reply::Unreachable(why) if why.contains("certificate") => {
            format!(
                "URL: the consumer cannot be reached: {got}; let SSL_CERT_FILE name a PEM file of the authority that \
                 signed its certificate, and call it by a name that stands in it"
            )
        }
        Reply::Unreachable(_) => {
            format!("URL: the consumer cannot be reached: {got}; start it, or check host and port (--wait-for-ready waits for it)")
        }
        Reply::Closed(_) => format!("URL: the connection was made, but no HTTP reply came: {got}; check the port, and whether it is https://"),
        Reply::TimedOut => "URL: the connection was made, but no reply came within the time limit; see whether it hangs, or give --timeout more".to_owned(),
        Reply::RateLimited => "rate limit: 429 until patience ran out; permit more requests for the run, or ask for fewer with --rate".to_owned(),
        Reply::Http { status: 401 | 403, .. } => format!("token: the consumer refuses it: {got}; give the one that it was started with"),
        Reply::Http { status: 404 | 405, .. } => format!("URL: there is no event endpoint here: {got}; check the path, or give a --profile with another one"),
        Reply::Http { status: 413, .. } => format!("body limit: an event of a few hundred bytes is too large: {got}; it has to take bodies up to 64 KiB"),
        Reply::Http { status: 300..=399, .. } => format!("URL: it redirects elsewhere, which is not followed: {got}; give the URL that it leads to"),
        Reply::Http { status: 500..=599, .. } => format!("server error on a plain valid event: {got}; its log should say why"),
        Reply::Http { .. } => {
            format!(
                "a plain valid ARC 0.2 event and a valid question are both refused, so this is no ARC 0.2 consumer: {got}; \
                 `arc-conform vectors export DIR` writes such events to try by hand"
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
