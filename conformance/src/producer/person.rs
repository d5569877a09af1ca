//! Whoever answers: by a script.

use super::Script;
use super::endpoint::Endpoint;
use super::question::{Answer, Chosen, Question};
use crate::clock;
use crate::fresh;
use serde_json::{Map, Value, json};
use std::sync::Weak;
use std::time::Duration;

/// How long a person takes to read. The reply that shows the question goes first.
const READS: Duration = Duration::from_millis(100);
/// So long after the deadline the late one comes.
const LATE_MILLIS: i64 = 200;

/// Attends to one question.
pub(super) async fn attend(endpoint: Weak<Endpoint>, script: Script, question: Question) {
    match script {
        Script::Silence => return,
        Script::Late => clock::sleep_until(question.expires_at + LATE_MILLIS).await,
        _ => tokio::time::sleep(READS).await,
    }
    let Some(endpoint) = endpoint.upgrade() else { return };
    for value in values(script, &question) {
        let answer = Answer {
            response_id: fresh::hex(8),
            digest: question.digest.clone(),
            nonce: question.nonce.clone(),
            value,
        };
        endpoint.answer(&question.id, &answer, || event(&question, &answer));
    }
}

/// What is answered; for a conflict two answers, of which the second is refused.
fn values(script: Script, question: &Question) -> Vec<Chosen> {
    let choices = question.choices();
    let (Some(first), Some(last)) = (choices.first(), choices.last()) else {
        let bound = question.text_bound();
        let text = |text: &str| Chosen::Text(text.chars().take(bound).collect());
        return match script {
            Script::Deny => vec![text("no")],
            Script::Text => vec![Chosen::Text("\u{1f4a9}".repeat(bound))],
            Script::Conflict => vec![text("yes"), text("no")],
            _ => vec![text("yes")],
        };
    };
    let choice = |id: &str| Chosen::Choice(id.to_owned());
    match script {
        Script::Deny => vec![choice(last)],
        Script::Conflict => vec![choice(first), choice(last)],
        _ => vec![choice(first)],
    }
}

/// The answer as the event that it amounts to.
fn event(question: &Question, answer: &Answer) -> Vec<u8> {
    let mut response = Map::from_iter([
        ("response_id".to_owned(), answer.response_id.clone().into()),
        ("digest".to_owned(), answer.digest.clone().into()),
        ("nonce".to_owned(), answer.nonce.clone().into()),
    ]);
    let (member, value) = match &answer.value {
        Chosen::Choice(id) => ("choice_id", id),
        Chosen::Text(text) => ("text", text),
    };
    response.insert(member.to_owned(), Value::String(value.clone()));
    let event = json!({
        "arc_version": "0.2", "event_id": fresh::hex(8), "event_type": "response.submitted",
        "occurred_at": clock::rfc3339(clock::now_millis()), "sender": { "id": "arc-conform-responder" },
        "request": { "key": question.key }, "response": response,
    });
    event.to_string().into_bytes()
}
