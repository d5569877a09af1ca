//! Valid and invalid events: one member each.

use super::{Peer, probes};
use serde_json::{Value, json};

/// Which event a case changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    OneWay,
    Permission,
    Text,
    Updated,
    Answer,
    Resolved,
}

use Base::{Answer, OneWay, Permission, Resolved, Text, Updated};

/// Requirement, base, pointer, value (`null` removes the member), whether the event is valid.
type Case = (&'static str, Base, &'static str, Value, bool);

fn long(count: usize) -> Value {
    "x".repeat(count).into()
}

fn emoji(count: usize) -> Value {
    "💩".repeat(count).into()
}

fn choices(count: usize) -> Value {
    (0..count).map(|n| json!({ "id": format!("c{n}"), "label": "L" })).collect()
}

fn versions_and_ids() -> Vec<Case> {
    vec![
        ("ENV-01", OneWay, "/arc_version", json!("0.20"), false),
        ("ENV-01", OneWay, "/arc_version", json!("0.3"), false),
        ("ENV-01", OneWay, "/arc_version", json!(0.2), false),
        ("ENV-01", OneWay, "/arc_version", Value::Null, false),
        ("ENV-02", OneWay, "/arc_version", json!("0.1"), false),
        ("ENV-03", OneWay, "/event_id", long(512), true),
        ("ENV-03", OneWay, "/event_id", long(513), false),
        ("ENV-03", OneWay, "/event_id", json!(""), false),
        ("ENV-03", OneWay, "/event_id", json!(7), false),
        ("ENV-04", OneWay, "/event_type", json!("Request.Created"), false),
        ("ENV-04", OneWay, "/event_type", json!("request.deleted"), false),
        ("ENV-05", OneWay, "/occurred_at", json!("2026-08-26T01:15:00+02:00"), true),
        ("ENV-05", OneWay, "/occurred_at", json!("2026-08-26T01:15:00.123456Z"), true),
        ("ENV-05", OneWay, "/occurred_at", json!("1999-12-31T23:59:59Z"), true),
        ("ENV-05", OneWay, "/occurred_at", json!("2026-08-26T01:15:00"), false),
        ("ENV-05", OneWay, "/occurred_at", json!("2026-02-30T01:15:00Z"), false),
        ("ENV-05", OneWay, "/occurred_at", json!("2026-08-26T01:15:0٫5Z"), false),
        ("ENV-05", OneWay, "/occurred_at", json!("2026-08-26"), false),
        ("ENV-05", OneWay, "/occurred_at", json!("yesterday"), false),
        ("ENV-05", OneWay, "/occurred_at", json!("2026-08-26T01:15:00+24:00"), false),
    ]
}

fn sender_context_request() -> Vec<Case> {
    vec![
        ("ENV-06", OneWay, "/sender", Value::Null, false),
        ("ENV-06", OneWay, "/sender/id", long(101), false),
        ("ENV-06", OneWay, "/sender/name", long(161), false),
        ("ENV-06", OneWay, "/sender/version", long(100), true),
        ("ENV-07", OneWay, "/context", json!({ "session_id": "x".repeat(101) }), false),
        ("ENV-07", OneWay, "/context", json!({ "cwd": "x".repeat(1025) }), false),
        ("ENV-07", OneWay, "/context", json!({ "turn_id": "x".repeat(200) }), true),
        ("ENV-07", OneWay, "/context", json!({ "pid": -1 }), false),
        ("ENV-07", OneWay, "/context", json!({ "pid": "12" }), false),
        ("ENV-07", OneWay, "/context", json!({ "pid": 0 }), true),
        ("ENV-08", OneWay, "/request/key", long(101), false),
        ("ENV-08", OneWay, "/request/key", json!("   "), false),
        ("ENV-08", OneWay, "/request/title", long(201), false),
        ("ENV-08", OneWay, "/request/title", json!(""), false),
        ("ENV-08", OneWay, "/request/message", long(4000), true),
        ("ENV-08", Permission, "/request/message", long(2001), true),
        ("ENV-08", OneWay, "/request/kind", json!("riddle"), false),
        ("ENV-08", OneWay, "/request/kind", json!("Question"), false),
        ("ENV-08", OneWay, "/request/priority", json!("urgent"), false),
        ("ENV-09", OneWay, "/request/key", Value::Null, true),
        ("ENV-09", Updated, "/request/key", Value::Null, false),
        ("ENV-09", Resolved, "/request/key", Value::Null, false),
        ("ENV-09", Answer, "/request/key", Value::Null, false),
        ("ENV-10", OneWay, "/request/message", Value::Null, false),
        ("ENV-10", Updated, "/request/kind", Value::Null, false),
        ("ENV-11", Resolved, "/request/message", json!("m"), false),
        ("ENV-12", Answer, "/request/title", json!("t"), false),
        ("ENV-13", Answer, "/response", Value::Null, false),
        ("ENV-13", OneWay, "/response", json!({ "response_id": "r", "digest": "0".repeat(64), "text": "t" }), false),
        ("ENV-14", Resolved, "/request/outcome", json!("not_needed"), true),
        ("ENV-14", Resolved, "/request/outcome", json!("done"), false),
        ("ENV-14", Resolved, "/request/outcome", Value::Null, true),
        ("ENV-14", OneWay, "/request/outcome", json!("answered"), false),
    ]
}

fn unknown_and_extensions() -> Vec<Case> {
    let x = || json!("x");
    vec![
        ("ENV-15", OneWay, "/mesage", x(), false),
        ("ENV-15", OneWay, "/sender/nick", x(), false),
        ("ENV-15", OneWay, "/context", json!({ "user": "x" }), false),
        ("ENV-15", OneWay, "/request/mesage", x(), false),
        ("ENV-15", Permission, "/request/response/hint", x(), false),
        ("ENV-15", Permission, "/request/response/choices/0/color", x(), false),
        ("ENV-15", Answer, "/response/mood", x(), false),
        ("ENV-16", OneWay, "/extensions", json!({ "x-other": { "a": [1] } }), true),
        ("ENV-16", OneWay, "/extensions", json!({ "x-other.corp-2": 7 }), true),
        ("ENV-17", OneWay, "/extensions", json!({ "other": {} }), false),
        ("ENV-17", OneWay, "/extensions", json!({ "x-Other": {} }), false),
        ("ENV-17", OneWay, "/extensions", json!({ format!("x-{}", "a".repeat(65)): {} }), false),
        ("ENV-18", OneWay, "/request/title", emoji(200), true),
        ("ENV-18", OneWay, "/request/title", emoji(201), false),
        ("ENV-18", OneWay, "/request/title", "é".repeat(200).into(), true),
        ("HTP-09", OneWay, "/extensions", json!({ "x-agentnotify": { "notification_type": "a_b" } }), true),
        ("HTP-09", OneWay, "/extensions", json!({ "x-agentnotify": { "notification_type": "A b" } }), false),
        ("HTP-09", OneWay, "/extensions", json!({ "x-agentnotify": { "notification_type": "a-b" } }), false),
        ("HTP-09", OneWay, "/extensions", json!({ "x-agentnotify": { "color": "red" } }), false),
    ]
}

fn specifications() -> Vec<Case> {
    let spec = "/request/response";
    vec![
        ("ASK-01", Permission, "/request/response/kind", json!("riddle"), false),
        ("ASK-01", Permission, "/request/response/expires_at", Value::Null, false),
        ("ASK-01", Permission, "/request/response/expires_at", json!("soon"), false),
        ("ASK-02", Permission, "/request/response/choices", choices(1), false),
        ("ASK-02", Permission, "/request/response/choices", choices(12), true),
        ("ASK-02", Permission, "/request/response/choices", choices(13), false),
        ("ASK-02", Permission, "/request/response/choices", Value::Null, false),
        ("ASK-02", Text, "/request/response/choices", choices(2), false),
        ("ASK-03", Permission, "/request/response/text_max_length", json!(5), false),
        ("ASK-03", Text, "/request/response/text_max_length", json!(0), false),
        ("ASK-03", Text, "/request/response/text_max_length", json!(2000), true),
        ("ASK-03", Text, "/request/response/text_max_length", json!(2001), false),
        ("ASK-03", Text, "/request/response/text_max_length", json!("5"), false),
        ("ASK-04", Permission, "/request/response/choices/0/id", json!("a b"), false),
        ("ASK-04", Permission, "/request/response/choices/0/id", long(65), false),
        ("ASK-04", Permission, "/request/response/choices/0/id", long(64), true),
        ("ASK-04", Permission, "/request/response/choices/0/label", long(201), false),
        ("ASK-04", Permission, "/request/response/choices/0/label", Value::Null, false),
        ("ASK-04", Permission, "/request/response/choices/0/detail", long(501), false),
        ("ASK-05", Permission, "/request/response/choices/0/id", json!("deny"), false),
        (
            "ASK-05",
            Permission,
            spec,
            json!({ "kind": "permission", "expires_at": "2036-01-01T00:00:00Z",
            "choices": [{ "id": "a", "label": "L" }, { "id": "a", "label": "L" }] }),
            false,
        ),
        ("ASK-06", Permission, "/request/response/choices/0/id", json!("Deny"), true),
        ("ANS-09", Answer, "/response/text", json!("both"), false),
        ("ANS-09", Answer, "/response/source", json!("my desk"), false),
        ("ANS-09", Answer, "/response/choice_id", Value::Null, false),
        ("ANS-09", Answer, "/response/response_id", long(129), false),
        ("ANS-09", Answer, "/response/response_id", Value::Null, false),
    ]
}

/// The cases on which the consumer decides otherwise than the contract.
pub(super) async fn unmet_cases(peer: &Peer, wanted: &impl Fn(&str) -> bool) -> Vec<(&'static str, String)> {
    let mut unmet = Vec::new();
    let cases = [versions_and_ids(), sender_context_request(), unknown_and_extensions(), specifications()].concat();
    for (requirement, base, pointer, value, is_valid) in cases {
        if wanted(requirement) && !holds(peer, base, pointer, &value, is_valid).await {
            unmet.push((requirement, format!("{pointer} should be valid: {is_valid}")));
        }
    }
    unmet
}

/// Sends the base with its one change; an invalid one has the base itself as its control.
async fn holds(peer: &Peer, base: Base, pointer: &str, value: &Value, is_valid: bool) -> bool {
    let key = peer.id("key");
    let needs_condition = matches!(base, Updated | Answer | Resolved);
    let asked = if needs_condition { Some(peer.event(&peer.permission(&key)).await) } else { None };
    let event = match base {
        OneWay => peer.one_way(&key),
        Permission => peer.permission(&key),
        Text => peer.text(&key),
        Updated => peer.updated(&key),
        Answer => peer.answer(&key, asked.as_ref().expect("asked")),
        Resolved => peer.resolved(&key),
    };
    let mut changed = event.clone();
    set(&mut changed, pointer, value);
    let got = peer.event(&changed).await;
    if is_valid { got.is_ok() } else { got.is_refused() && peer.event(&event).await.is_ok() }
}

fn set(event: &mut Value, pointer: &str, value: &Value) {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    let parent = event.pointer_mut(parent).expect("the parent is there").as_object_mut().expect("an object");
    if value.is_null() {
        parent.remove(name);
    } else {
        parent.insert(name.to_owned(), value.clone());
    }
}

probes! {
    "ENV-19" "broken JSON" |peer| {
        let bodies: [&[u8]; 5] = [b"{", b"", b"[]", b"{\"a\":\"\\ud800\"}", b"nonsense"];
        let mut all = true;
        for body in bodies {
            all &= peer.raw(body).await.is_refused();
        }
        all & peer.raw("[".repeat(60_000).as_bytes()).await.is_refused()
    }
    "ENV-19" "invalid UTF-8" |peer| {
        let event = peer.one_way(&peer.id("key")).to_string().replace("Message", "Mess\u{1}age");
        let body: Vec<u8> = event.bytes().map(|b| if b == 1 { 0xff } else { b }).collect();
        peer.raw(&body).await.is_refused()
    }
    "ENV-19" "no number" |peer| {
        let event = peer.one_way(&peer.id("key")).to_string().replacen('{', "{\"extensions\":{\"x-a\":NaN},", 1);
        peer.raw(event.as_bytes()).await.is_refused()
    }
    "ENV-19" "trailing text" |peer| {
        let event = peer.one_way(&peer.id("key")).to_string() + " {}";
        peer.raw(event.as_bytes()).await.is_refused()
    }
    "ENV-20" "a member named twice" |peer| {
        let event = peer.one_way(&peer.id("key")).to_string().replacen('{', "{\"arc_version\":\"0.2\",", 1);
        peer.raw(event.as_bytes()).await.is_refused()
    }
}
