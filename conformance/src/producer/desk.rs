//! What the endpoint knows: conditions, their questions, and all that was said, in order.
//!
//! It takes what a consumer has to take and refuses what it has to refuse, so that a producer meets nothing unusual. The
//! envelope's rules are the validator's.

use super::question::{Answer, Chosen, Question, Refusal, State};
use crate::clock::rfc3339;
use crate::fresh;
use arc_validator::event::{AnswerValue, Body, Event, Response};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A status and a JSON body.
pub(super) type Answered = (u16, Value);

/// Something that happened, in the order in which it did.
#[derive(Debug)]
pub(super) enum Item {
    /// The producer posted an event; `exchange` is its place in the recording.
    Event {
        bytes: Vec<u8>,
        exchange: usize,
        /// Whether a reply had shown the producer that the condition was over.
        knew_of_the_end: bool,
        /// Whether the reply was lost (503).
        was_lost: bool,
    },
    /// The kit answered, and was accepted. The event that says so.
    Accepted { bytes: Vec<u8> },
    /// The producer answered a question through the interactions route.
    OwnAnswer { exchange: usize },
}

/// Everything that one run has shown.
#[derive(Debug, Default)]
pub(super) struct Desk {
    pub(super) items: Vec<Item>,
    pub(super) questions: BTreeMap<String, Question>,
    /// Whether the producer ever asked how a question stands.
    pub(super) has_looked: bool,
    lost: BTreeSet<&'static str>,
    conditions: HashMap<String, Condition>,
    seen: HashMap<(String, String), (Value, String)>,
}

#[derive(Debug)]
struct Condition {
    record: Map<String, Value>,
    request: Value,
    is_active: bool,
    question: Option<String>,
}

impl Desk {
    /// Takes an event's bytes. Says what the reply is, and which question was opened.
    pub(super) fn take(&mut self, bytes: &[u8], now: i64) -> (Answered, Option<String>) {
        self.sweep(now);
        let event = match arc_validator::parse(bytes) {
            Ok(event) => event,
            Err(invalid) => return ((400, json!({ "error": invalid.to_string() })), None),
        };
        let raw: Value = serde_json::from_slice(bytes).unwrap_or_default();
        let pair = (event.sender.id.to_string(), event.event_id.to_string());
        if let Some((before, key)) = self.seen.get(&pair) {
            let is_retry = *before == raw;
            let reply = if is_retry {
                self.shown(200, &key.clone())
            } else {
                refusal((400, "this event_id stands for another event"))
            };
            return (reply, None);
        }
        let key = key_of(&event);
        let (reply, opened) = match &event.body {
            Body::Created { .. } => self.create(&key, &event, &raw, now),
            Body::Updated { .. } => self.update(&key, &raw, now),
            Body::Resolved { .. } => (self.resolve(&key, now), None),
            Body::Submitted { response, .. } => (self.submit(&key, &answer_of(response), now), None),
        };
        if reply.0 < 300 {
            self.seen.insert(pair, (raw, key));
        }
        (reply, opened)
    }

    /// Whether this is the first event of its type: whoever tries again is not put off for ever.
    pub(super) fn loses(&mut self, bytes: &[u8]) -> bool {
        arc_validator::parse(bytes).is_ok_and(|event| self.lost.insert(event.event_type().as_str()))
    }

    /// Whether the producer was shown that this event's condition is over.
    pub(super) fn knows_of_the_end(&self, bytes: &[u8]) -> bool {
        let key = arc_validator::parse(bytes).ok().map(|event| key_of(&event));
        let condition = key.and_then(|key| self.conditions.get(&key));
        let question = condition.and_then(|condition| self.questions.get(condition.question.as_ref()?));
        question.is_none_or(|question| question.is_known_over)
    }

    /// Answers a question, whoever does.
    pub(super) fn answer(&mut self, id: &str, answer: &Answer, now: i64) -> Result<(), Refusal> {
        let question = self.questions.get_mut(id).ok_or((404, "no such question"))?;
        question.answer(answer, now)?;
        let key = question.key.clone();
        self.close(&key, now);
        Ok(())
    }

    /// Withdraws a question.
    pub(super) fn cancel(&mut self, id: &str, now: i64) -> Answered {
        self.sweep(now);
        match self.questions.get_mut(id) {
            None => refusal((404, "no such question")),
            Some(question) => {
                question.end(State::Cancelled, now);
                (200, question.view())
            }
        }
    }

    /// A question as it is now.
    pub(super) fn look(&mut self, id: &str, now: i64) -> Option<&mut Question> {
        self.sweep(now);
        self.has_looked = true;
        self.questions.get_mut(id)
    }

    /// Lets deadlines pass.
    pub(super) fn sweep(&mut self, now: i64) {
        self.questions.values_mut().for_each(|question| question.sweep(now));
    }

    fn create(&mut self, key: &str, event: &Event<'_>, raw: &Value, now: i64) -> (Answered, Option<String>) {
        if self.conditions.get(key).is_some_and(|condition| condition.is_active) {
            return self.change(key, raw, true, now);
        }
        let record = json!({
            "id": format!("note_{}", fresh::hex(8)), "key": key, "agent": event.sender.id, "status": "active",
            "createdAt": rfc3339(now), "resolvedAt": null,
        });
        let record = record.as_object().cloned().unwrap_or_default();
        let condition = Condition { record, request: Value::Null, is_active: true, question: None };
        self.conditions.insert(key.to_owned(), condition);
        let ((_, shown), opened) = self.change(key, raw, true, now);
        ((201, shown), opened)
    }

    fn update(&mut self, key: &str, raw: &Value, now: i64) -> (Answered, Option<String>) {
        match self.conditions.get(key) {
            Some(condition) if condition.is_active => self.change(key, raw, false, now),
            _ => (refusal((404, "no such condition is active")), None),
        }
    }

    /// What is displayed changes. Where it asks anew, or asks something else, the open question is superseded; an update
    /// without an answer specification keeps the one of the open question (reading 1).
    fn change(&mut self, key: &str, raw: &Value, is_creation: bool, now: i64) -> (Answered, Option<String>) {
        let Some(condition) = self.conditions.get_mut(key) else { return (refusal((404, "no such condition")), None) };
        let mut request = raw["request"].clone();
        let spec = request.as_object_mut().and_then(|members| members.remove("response"));
        for member in ["title", "message", "kind", "priority"] {
            condition.record.insert(member.to_owned(), request[member].clone());
        }
        condition.record.insert("updatedAt".to_owned(), rfc3339(now).into());
        condition.request = request.clone();
        let open = condition.question.clone().and_then(|id| self.questions.get_mut(&id));
        let open = open.filter(|question| question.state == State::Pending);
        let kept = open.as_ref().filter(|_| !is_creation).map(|question| question.spec.clone());
        let Some(spec) = spec.or(kept) else {
            if let Some(question) = open {
                question.end(State::Superseded, now);
            }
            return (self.shown(200, key), None);
        };
        if let Some(question) = open {
            if question.digest == Question::digest_under(&request, &spec) {
                return (self.shown(200, key), None);
            }
            question.end(State::Superseded, now);
        }
        let question = Question::open(key, &request, spec, now);
        let id = question.id.clone();
        condition.question = Some(id.clone());
        self.questions.insert(id.clone(), question);
        (self.shown(200, key), Some(id))
    }

    fn resolve(&mut self, key: &str, now: i64) -> Answered {
        let Some(condition) = self.conditions.get(key) else { return refusal((404, "no such condition")) };
        if let Some(question) = condition.question.clone().and_then(|id| self.questions.get_mut(&id)) {
            question.end(State::Cancelled, now);
        }
        self.close(key, now);
        self.shown(200, key)
    }

    fn submit(&mut self, key: &str, answer: &Answer, now: i64) -> Answered {
        let Some(condition) = self.conditions.get(key) else { return refusal((404, "no such condition")) };
        let Some(id) = condition.question.clone() else { return refusal((400, "the condition asks nothing")) };
        match self.answer(&id, answer, now) {
            Ok(()) => self.shown(200, key),
            Err(refused) => refusal(refused),
        }
    }

    fn close(&mut self, key: &str, now: i64) {
        if let Some(condition) = self.conditions.get_mut(key).filter(|condition| condition.is_active) {
            condition.is_active = false;
            condition.record.insert("status".to_owned(), "resolved".into());
            condition.record.insert("resolvedAt".to_owned(), rfc3339(now).into());
        }
    }

    /// The reply's envelope. From now on the producer knows how the question stands.
    fn shown(&mut self, status: u16, key: &str) -> Answered {
        let Some(condition) = self.conditions.get(key) else { return refusal((404, "no such condition")) };
        let question = condition.question.clone().and_then(|id| self.questions.get_mut(&id));
        let interaction = question.map(|question| {
            question.is_known_over |= question.state != State::Pending;
            question.view()
        });
        (status, json!({ "notification": condition.record, "interaction": interaction }))
    }
}

/// The error body of every status.
pub(super) fn refusal((status, why): Refusal) -> Answered {
    (status, json!({ "error": why }))
}

/// `request.key`, or the identity that is derived from sender and event id.
pub(super) fn key_of(event: &Event<'_>) -> String {
    let derived = || format!("{}/{}", event.sender.id, event.event_id);
    event.key().map_or_else(derived, str::to_owned)
}

fn answer_of(response: &Response<'_>) -> Answer {
    let value = match &response.value {
        AnswerValue::Choice(id) => Chosen::Choice(id.expose().to_owned()),
        AnswerValue::Text(text) => Chosen::Text(text.expose().to_owned()),
    };
    Answer {
        response_id: response.response_id.to_string(),
        digest: response.digest.expose().to_owned(),
        nonce: response.nonce.as_ref().map(|nonce| nonce.expose().to_owned()).unwrap_or_default(),
        value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: &str, event_type: &str, request: &Value) -> Vec<u8> {
        let event = json!({
            "arc_version": "0.2", "event_id": id, "event_type": event_type, "occurred_at": "1970-01-01T00:00:00Z",
            "sender": { "id": "agent" }, "request": request,
        });
        event.to_string().into_bytes()
    }

    fn ask(message: &str) -> Value {
        let spec = json!({ "kind": "text", "expires_at": "1970-01-01T00:00:10Z" });
        json!({ "key": "k", "kind": "question", "message": message, "response": spec })
    }

    #[test]
    fn a_condition_lives_as_the_contract_says() {
        let mut desk = Desk::default();
        let note = json!({ "key": "k", "kind": "question", "message": "Another?" });
        let end = json!({ "key": "k" });
        for (bytes, status, state) in [
            (event("1", "request.updated", &note), 404, None),
            (event("2", "request.resolved", &end), 404, None),
            (event("3", "request.created", &ask("One?")), 201, Some("pending")),
            (event("3", "request.created", &ask("One?")), 200, Some("pending")),
            (event("3", "request.created", &ask("Two?")), 400, None),
            (event("4", "request.updated", &note), 200, Some("pending")),
            (event("5", "request.resolved", &end), 200, Some("cancelled")),
            (event("6", "request.resolved", &end), 200, Some("cancelled")),
            (event("7", "request.updated", &note), 404, None),
            (event("8", "request.created", &note), 201, None),
            (event("9", "request.created", &ask("Three?")), 200, Some("pending")),
            (b"{}".to_vec(), 400, None),
        ] {
            let ((got, body), _) = desk.take(&bytes, 1);
            assert_eq!(
                (got, body["interaction"]["status"].as_str()),
                (status, state),
                "{}",
                String::from_utf8_lossy(&bytes)
            );
        }
    }

    #[test]
    fn a_changed_question_has_a_digest_and_nonce_of_its_own() {
        let mut desk = Desk::default();
        let shown = |reply: (Answered, Option<String>)| reply.0.1["interaction"].clone();
        let first = shown(desk.take(&event("1", "request.created", &ask("One?")), 1));
        let same = shown(desk.take(&event("2", "request.created", &ask("One?")), 1));
        let other = shown(desk.take(&event("3", "request.updated", &ask("Two?")), 1));
        assert_eq!(first, same);
        for member in ["id", "request_digest", "nonce"] {
            assert_ne!(first[member], other[member], "{member}");
        }
        assert_eq!(desk.look(first["id"].as_str().unwrap(), 1).unwrap().view()["status"], "superseded");
    }

    #[test]
    fn what_a_reply_showed_is_known() {
        let mut desk = Desk::default();
        let (_, id) = desk.take(&event("1", "request.created", &ask("One?")), 1);
        let id = id.unwrap();
        let question = &desk.questions[&id];
        let (response_id, digest, nonce) = ("r".to_owned(), question.digest.clone(), question.nonce.clone());
        desk.answer(&id, &Answer { response_id, digest, nonce, value: Chosen::Text("yes".to_owned()) }, 2).unwrap();
        let update = event("2", "request.updated", &ask("Two?"));
        assert!(!desk.knows_of_the_end(&update));
        desk.take(&event("1", "request.created", &ask("One?")), 3);
        assert!(desk.knows_of_the_end(&update), "the retry's reply shows it");
    }
}
