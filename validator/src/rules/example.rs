//! What breaks a rule, and what keeps it.

use crate::event::EventType;
use serde_json::{Value, json};

/// An example of a rule. Each bad one breaks its own rule and no other; each good one breaks none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Example {
    /// One event, as a JSON merge patch (RFC 7396: null removes a member) over the smallest valid event of the patch's
    /// `event_type`: request.created where it names none, with a question where it touches `request.response`.
    Event(&'static str),
    /// One event as it is spelled, for rules about the spelling.
    Text(&'static str),
    /// The same, for what is no text.
    Bytes(&'static [u8]),
    /// Several events, each one like [`Example::Event`]; unless a patch says otherwise they have ids of their own and
    /// follow one another by a minute.
    Stream(&'static [&'static str]),
    /// None can be shown, and why.
    Unshown(&'static str),
}

impl Example {
    /// The events that it stands for, each as one JSON text; none for [`Example::Unshown`].
    ///
    /// ```
    /// let event = arc_validator::Example::Event(r#"{"event_type": "request.resolved", "sender": null}"#);
    /// assert_eq!(
    ///     String::from_utf8_lossy(&event.documents()[0]),
    ///     r#"{"arc_version":"0.2","event_id":"evt_1","event_type":"request.resolved","occurred_at":"2026-08-26T01:15:00Z","request":{"key":"build"}}"#
    /// );
    /// ```
    pub fn documents(&self) -> Vec<Vec<u8>> {
        self.events().into_iter().map(|event| event.to_string().into_bytes()).chain(self.spelled()).collect()
    }

    /// The events of a merge patch.
    pub(crate) fn events(&self) -> Vec<Value> {
        match self {
            Self::Event(patch) => vec![event(patch, 0)],
            Self::Stream(patches) => patches.iter().zip(0..).map(|(patch, nth)| event(patch, nth)).collect(),
            _ => Vec::new(),
        }
    }

    fn spelled(&self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.as_bytes().to_vec()),
            Self::Bytes(bytes) => Some(bytes.to_vec()),
            _ => None,
        }
    }
}

/// A valid event with these members besides the required ones, as a text.
macro_rules! spelled {
    ($members:literal) => {
        concat!(
            r#"{"arc_version": "0.2", "event_id": "evt_1", "event_type": "request.created", "occurred_at": "2026-08-26T01:15:00Z", "sender": {"id": "codex"}, "request": {"kind": "information", "message": "The build is done."}, "#,
            $members,
            "}"
        )
    };
}
pub(crate) use spelled;

/// The `nth` event of a stream, by its patch.
fn event(patch: &str, nth: u32) -> Value {
    let patch: Value = serde_json::from_str(patch).expect("a patch is JSON, as the tests show");
    let mut event = smallest(&patch);
    event["event_id"] = format!("evt_{}", nth + 1).into();
    event["occurred_at"] = format!("2026-08-26T01:{:02}:00Z", 15 + nth).into();
    merge(&mut event, &patch);
    event
}

/// The smallest valid event that the patch is about.
fn smallest(patch: &Value) -> Value {
    let event_type = patch["event_type"].as_str().and_then(EventType::parse).unwrap_or(EventType::Created);
    let (mut request, key) = (smallest_request(&patch["request"]), json!("build"));
    let mut event = json!({ "arc_version": "0.2", "event_type": event_type.as_str(), "sender": { "id": "codex" } });
    match event_type {
        EventType::Created => {}
        EventType::Updated => request["key"] = key,
        EventType::Resolved => request = json!({ "key": key }),
        EventType::Submitted => {
            request = json!({ "key": key });
            event["response"] = json!({ "response_id": "resp_1", "digest": "0123456789abcdef".repeat(4) });
            let is_text = patch["response"]["text"].is_string();
            event["response"][if is_text { "text" } else { "choice_id" }] = "main".into();
        }
    }
    event["request"] = request;
    event
}

fn smallest_request(patch: &Value) -> Value {
    if !patch["response"].is_object() {
        return json!({ "kind": "information", "message": "The build is done." });
    }
    let kind = patch["response"]["kind"].as_str().unwrap_or("single_choice");
    let mut response = json!({ "kind": kind, "expires_at": "2026-08-26T01:45:00Z" });
    if kind != "text" {
        response["choices"] = json!([{ "id": "main", "label": "Main" }, { "id": "next", "label": "Next" }]);
    }
    let request_kind = if kind == "permission" { kind } else { "question" };
    json!({ "kind": request_kind, "message": "Which branch shall I build?", "response": response })
}

/// RFC 7396.
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(members) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (name, value) in members {
        match value {
            Value::Null => drop(target.as_object_mut().and_then(|target| target.remove(name))),
            value => merge(&mut target[name], value),
        }
    }
}
