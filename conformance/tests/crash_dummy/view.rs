//! What the consumer shows: notifications in camelCase, interactions in `snake_case`.

use super::condition::State;
use super::timestamp::text as time;
use super::{Fault, Variation};
use serde_json::{Map, Value, json};

impl State {
    /// The envelope of every accepted event.
    pub(super) fn envelope(&self, condition: usize) -> Value {
        let interaction = match self.current(condition) {
            Some(question) => self.interaction(question),
            None if self.has(Fault::InteractionOnOneWay) => json!({}),
            None => Value::Null,
        };
        json!({ "notification": self.notification(condition), "interaction": interaction })
    }

    /// The local record that a person sees.
    pub(super) fn notification(&self, at: usize) -> Value {
        let condition = &self.conditions[at];
        let (sender, context) = (&condition.origin["sender"], &condition.origin["context"]);
        let status = if condition.is_listed_active { "active" } else { "resolved" };
        json!({
            "id": condition.id,
            "key": self.shown_key(at),
            "agent": sender["id"],
            "agentInstance": sender["instance_id"],
            "project": context["project"],
            "cwd": context["cwd"],
            "pid": context["pid"],
            "type": notification_type(&condition.shown.kind),
            "kind": condition.shown.kind,
            "priority": condition.shown.priority,
            "title": condition.shown.title,
            "message": condition.shown.message,
            "status": status,
            "createdAt": time(condition.created_at),
            "updatedAt": time(condition.updated_at),
            "resolvedAt": condition.resolved_at.map(time),
        })
    }

    fn shown_key(&self, at: usize) -> Option<&str> {
        let condition = &self.conditions[at];
        let hides = self.varies(Variation::UnkeyedHidesKey) && !condition.is_keyed;
        (!hides).then_some(&*condition.key)
    }

    /// The durable question.
    pub(super) fn interaction(&self, at: usize) -> Value {
        let question = &self.questions[at];
        let condition = &self.conditions[question.condition];
        let (sender, context) = (&condition.origin["sender"], &condition.origin["context"]);
        let mut shown = json!({
            "id": question.id,
            "key": self.shown_key(question.condition),
            "agent": sender["id"],
            "agent_instance": sender["instance_id"],
            "project": context["project"],
            "session_id": context["session_id"],
            "turn_id": context["turn_id"],
            "native_request_id": context["native_request_id"],
            "kind": question.asked.spec.kind,
            "prompt": question.asked.shown.message,
            "choices": question.asked.spec.choices,
            "text_max_length": self.shown_bound(at),
            "status": question.status.name(),
            "request_digest": question.digest,
            "nonce": question.nonce,
            "created_at": time(question.created_at),
            "updated_at": time(question.updated_at),
            "expires_at": time(question.asked.spec.expires_at),
            "answered_at": question.answer.as_ref().map(|answer| time(answer.at)),
            "response": self.response(at),
        });
        if self.varies(Variation::IdsNumbers) {
            shown["id"] = question.id.parse::<u64>().expect("a number").into();
        }
        if self.varies(Variation::NonceAbsent) {
            shown.as_object_mut().expect("an object").remove("nonce");
        }
        if self.has(Fault::CamelCase) { camel_case(shown) } else { shown }
    }

    fn shown_bound(&self, at: usize) -> Option<usize> {
        let spec = &self.questions[at].asked.spec;
        (spec.kind == "text").then(|| spec.text_bound(self.behaviour))
    }

    fn response(&self, at: usize) -> Option<Value> {
        let answer = self.questions[at].answer.as_ref()?;
        let member = |name: &str| answer.body[name].clone();
        Some(json!({
            "response_id": member("response_id"),
            "choice_id": member("choice_id"),
            "text": member("text"),
            "source": member("source"),
            "device_id": member("device_id"),
            "created_at": time(answer.at),
        }))
    }
}

fn notification_type(kind: &str) -> &'static str {
    match kind {
        "question" => "input_required",
        "permission" => "permission_required",
        "blocked" => "blocked",
        "failure" => "error",
        "completion" => "completed",
        _ => "info",
    }
}

fn camel_case(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let renamed = members.into_iter().map(|(name, member)| (camel(&name), camel_case(member)));
            Value::Object(renamed.collect::<Map<_, _>>())
        }
        other => other,
    }
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
}
