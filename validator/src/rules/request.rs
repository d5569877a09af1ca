//! The request: what is needed of a person, and which members go with which event type.

use super::{Example, Level, Rule};

/// The rules of this family.
pub(crate) const REQUESTS: &[&Rule] = &[
    &REQUEST,
    &MISSING_KEY,
    &MISSING_KIND,
    &MISSING_MESSAGE,
    &RESOLVED_MEMBER,
    &SUBMITTED_MEMBER,
    &MISSING_RESPONSE,
    &MISPLACED_RESPONSE,
    &OUTCOME,
];

pub(crate) static REQUEST: Rule = Rule {
    code: "request",
    level: Level::Error,
    requirements: &["ENV-08", "ENV-18"],
    section: "Request",
    summary: "`request` is an object whose members keep their bounds and lists.",
    explanation: "key 1 to 100 characters and not only white space, title 1 to 200, message 1 to 4000, kind and priority from their lists.",
    bad: Example::Event(r#"{"request": {"priority": "urgent"}}"#),
    good: Example::Event(r#"{"request": {"key": "build", "title": "Build", "priority": "low"}}"#),
};

pub(crate) static MISSING_KEY: Rule = Rule {
    code: "missing-key",
    level: Level::Error,
    requirements: &["ENV-09"],
    section: "Event lifecycle",
    summary: "Updates, answers and resolutions name their condition with `request.key`.",
    explanation: "Only request.created may omit the key; the others could not be tied to any condition.",
    bad: Example::Event(r#"{"event_type": "request.updated", "request": {"key": null}}"#),
    good: Example::Event(r#"{"event_type": "request.updated", "request": {"key": "build"}}"#),
};

pub(crate) static MISSING_KIND: Rule = Rule {
    code: "missing-kind",
    level: Level::Error,
    requirements: &["ENV-10"],
    section: "Request",
    summary: "A created or updated request has a `kind`.",
    explanation: "It says why the agent stopped: information, question, permission, blocked, failure or completion.",
    bad: Example::Event(r#"{"request": {"kind": null}}"#),
    good: Example::Event(r#"{"request": {"kind": "completion"}}"#),
};

pub(crate) static MISSING_MESSAGE: Rule = Rule {
    code: "missing-message",
    level: Level::Error,
    requirements: &["ENV-10"],
    section: "Request",
    summary: "A created or updated request has a `message`.",
    explanation: "It is what the person reads.",
    bad: Example::Event(r#"{"request": {"message": null}}"#),
    good: Example::Event(r#"{"request": {"message": "The build is done."}}"#),
};

pub(crate) static RESOLVED_MEMBER: Rule = Rule {
    code: "resolved-member",
    level: Level::Error,
    requirements: &["ENV-11"],
    section: "Request",
    summary: "request.resolved carries only `key` and `outcome` in its request.",
    explanation: "A resolution says that a condition is over, not what it was.",
    bad: Example::Event(r#"{"event_type": "request.resolved", "request": {"message": "The build is done."}}"#),
    good: Example::Event(r#"{"event_type": "request.resolved", "request": {"outcome": "not_needed"}}"#),
};

pub(crate) static SUBMITTED_MEMBER: Rule = Rule {
    code: "submitted-member",
    level: Level::Error,
    requirements: &["ENV-12"],
    section: "Responses",
    summary: "response.submitted carries only `key` in its request.",
    explanation: "The answer itself is the top-level `response`.",
    bad: Example::Event(r#"{"event_type": "response.submitted", "request": {"kind": "question"}}"#),
    good: Example::Event(r#"{"event_type": "response.submitted"}"#),
};

pub(crate) static MISSING_RESPONSE: Rule = Rule {
    code: "missing-response",
    level: Level::Error,
    requirements: &["ENV-13"],
    section: "Envelope",
    summary: "response.submitted carries the answer as top-level `response`.",
    explanation: "Without it there is no answer to apply.",
    bad: Example::Event(r#"{"event_type": "response.submitted", "response": null}"#),
    good: Example::Event(r#"{"event_type": "response.submitted"}"#),
};

pub(crate) static MISPLACED_RESPONSE: Rule = Rule {
    code: "misplaced-response",
    level: Level::Error,
    requirements: &["ENV-13"],
    section: "Envelope",
    summary: "Only response.submitted carries a top-level `response`.",
    explanation: "To ask for an answer, put the answer specification into `request.response`.",
    bad: Example::Event(
        r#"{"response": {"response_id": "resp_1", "digest": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "text": "main"}}"#,
    ),
    good: Example::Event(r#"{"request": {"response": {"kind": "text"}}}"#),
};

pub(crate) static OUTCOME: Rule = Rule {
    code: "outcome",
    level: Level::Error,
    requirements: &["ENV-14"],
    section: "Outcome",
    summary: "`request.outcome` stands only on request.resolved and is one of the five outcomes.",
    explanation: "answered, expired, cancelled, superseded or not_needed. It is advisory.",
    bad: Example::Event(r#"{"event_type": "request.resolved", "request": {"outcome": "done"}}"#),
    good: Example::Event(r#"{"event_type": "request.resolved", "request": {"outcome": "answered"}}"#),
};
