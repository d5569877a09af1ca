//! The envelope: what every event carries.

use super::{Example, Level, Rule};

/// The rules of this family.
pub(crate) const ENVELOPE: &[&Rule] = &[
    &ARC_VERSION,
    &SUPERSEDED_VERSION,
    &NOT_AN_EVENT,
    &EVENT_ID,
    &EVENT_TYPE,
    &OCCURRED_AT,
    &SENDER,
    &CONTEXT,
    &UNKNOWN_MEMBER,
    &EXTENSIONS,
    &AGENTNOTIFY_EXTENSION,
];

pub(crate) static ARC_VERSION: Rule = Rule {
    code: "arc-version",
    level: Level::Error,
    requirements: &["ENV-01"],
    section: "Versioning and conformance",
    summary: "`arc_version` is exactly the string \"0.2\".",
    explanation: "A consumer rejects any other version instead of guessing at its meaning.",
    bad: Example::Event(r#"{"arc_version": "1.0"}"#),
    good: Example::Event(r#"{"arc_version": "0.2"}"#),
};

pub(crate) static SUPERSEDED_VERSION: Rule = Rule {
    code: "superseded-version",
    level: Level::Error,
    requirements: &["ENV-02", "PRO-11"],
    section: "Versioning and conformance",
    summary: "The event is an ARC 0.1 event.",
    explanation: "0.2 replaces 0.1 and consumers of 0.2 reject it. Set `arc_version` to \"0.2\"; a request that waits for an answer also needs `request.response`, and `response.submitted` carries the answer. The rest of the event is not judged, for it was written for another contract.",
    bad: Example::Event(r#"{"arc_version": "0.1"}"#),
    good: Example::Event(r#"{"arc_version": "0.2"}"#),
};

pub(crate) static NOT_AN_EVENT: Rule = Rule {
    code: "not-an-event",
    level: Level::Error,
    requirements: &["ENV-19"],
    section: "Envelope",
    summary: "An event is one JSON object.",
    explanation: "A string, a number or an array is not an event.",
    bad: Example::Text(r#"["request.created"]"#),
    good: Example::Event("{}"),
};

pub(crate) static EVENT_ID: Rule = Rule {
    code: "event-id",
    level: Level::Error,
    requirements: &["ENV-03", "ENV-18"],
    section: "Envelope",
    summary: "`event_id` is a string of 1 to 512 characters.",
    explanation: "It names this immutable event; a retry carries the same one.",
    bad: Example::Event(r#"{"event_id": ""}"#),
    good: Example::Event(r#"{"event_id": "evt_018f"}"#),
};

pub(crate) static EVENT_TYPE: Rule = Rule {
    code: "event-type",
    level: Level::Error,
    requirements: &["ENV-04"],
    section: "Envelope",
    summary: "`event_type` is one of the four lifecycle types.",
    explanation: "request.created, request.updated, response.submitted or request.resolved, spelled exactly so.",
    bad: Example::Event(r#"{"event_type": "request.closed"}"#),
    good: Example::Event(r#"{"event_type": "request.resolved"}"#),
};

pub(crate) static OCCURRED_AT: Rule = Rule {
    code: "occurred-at",
    level: Level::Error,
    requirements: &["ENV-05"],
    section: "Envelope",
    summary: "`occurred_at` is an RFC 3339 timestamp.",
    explanation: "With date, time and offset: 2026-08-26T01:15:00Z or 2026-08-26T03:15:00.250+02:00.",
    bad: Example::Event(r#"{"occurred_at": "2026-08-26 01:15:00"}"#),
    good: Example::Event(r#"{"occurred_at": "2026-08-26T03:15:00.250+02:00"}"#),
};

pub(crate) static SENDER: Rule = Rule {
    code: "sender",
    level: Level::Error,
    requirements: &["ENV-06", "ENV-18"],
    section: "Sender",
    summary: "`sender` is an object whose `id` has 1 to 100 characters; name 1 to 160, version and instance_id up to 100.",
    explanation: "A producer is its id alone; the other members are for people.",
    bad: Example::Event(r#"{"sender": {"id": null, "name": "Codex"}}"#),
    good: Example::Event(r#"{"sender": {"id": "codex", "name": "Codex"}}"#),
};

pub(crate) static CONTEXT: Rule = Rule {
    code: "context",
    level: Level::Error,
    requirements: &["ENV-07", "ENV-18"],
    section: "Context",
    summary: "`context` members keep their bounds and `pid` is a non-negative integer.",
    explanation: "session_id up to 100 characters, correlation_id, project, turn_id and native_request_id up to 200, cwd up to 1024.",
    bad: Example::Event(r#"{"context": {"pid": -1}}"#),
    good: Example::Event(r#"{"context": {"pid": 4711, "project": "shop"}}"#),
};

pub(crate) static UNKNOWN_MEMBER: Rule = Rule {
    code: "unknown-member",
    level: Level::Error,
    requirements: &["ENV-15"],
    section: "Envelope",
    summary: "The contract has no such member here.",
    explanation: "Unknown core members are rejected, so that a misspelled one cannot silently change what an event means. Own data belongs under `extensions` in an `x-<vendor>` member.",
    bad: Example::Event(r#"{"request": {"urgency": "high"}}"#),
    good: Example::Event(r#"{"request": {"priority": "high"}}"#),
};

pub(crate) static EXTENSIONS: Rule = Rule {
    code: "extensions",
    level: Level::Error,
    requirements: &["ENV-16", "ENV-17"],
    section: "Envelope",
    summary: "`extensions` is an object of members named `x-<vendor>`.",
    explanation: "A name is x- and 1 to 64 lower-case letters, digits, dots and hyphens, of which the first is a letter or digit. What such a member holds is the vendor's own affair.",
    bad: Example::Event(r#"{"extensions": {"shop": {"order": 17}}}"#),
    good: Example::Event(r#"{"extensions": {"x-shop": {"order": 17}}}"#),
};

pub(crate) static AGENTNOTIFY_EXTENSION: Rule = Rule {
    code: "agentnotify-extension",
    level: Level::Error,
    requirements: &["HTP-09"],
    section: "AgentNotify extension",
    summary: "`x-agentnotify` holds only `notification_type`.",
    explanation: "A lower-case letter and up to 63 lower-case letters, digits and underscores.",
    bad: Example::Event(r#"{"extensions": {"x-agentnotify": {"sound": "bell"}}}"#),
    good: Example::Event(r#"{"extensions": {"x-agentnotify": {"notification_type": "build_done"}}}"#),
};
