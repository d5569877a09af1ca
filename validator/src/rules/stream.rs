//! The lifecycle: what one event alone cannot show.

use super::{Example, Level, Rule};

/// The rules of this family.
pub(crate) const STREAM: &[&Rule] = &[
    &EVENT_ID_REUSED,
    &RETRY,
    &OUT_OF_ORDER,
    &UNKNOWN_CONDITION,
    &FINISHED_CONDITION,
    &ANSWER_TO_NOTHING,
    &ANSWER_WRONG_KIND,
    &ANSWER_NOT_OFFERED,
    &ANSWER_TOO_LONG,
    &ANSWER_AFTER_DEADLINE,
    &SECOND_ANSWER,
    &RESPONSE_ID_REUSED,
    &OUTCOME_WITHOUT_ANSWER,
];

pub(crate) static EVENT_ID_REUSED: Rule = Rule {
    code: "event-id-reused",
    level: Level::Error,
    requirements: &["PRO-02"],
    section: "Idempotency and ordering",
    summary: "An event_id stands for one event of its sender, for ever.",
    explanation: "A consumer takes the second event for a retry of the first and refuses or ignores it. Member order, white space and the spelling of escapes make no difference; anything else does.",
    bad: Example::Stream(&[
        r#"{"request": {"key": "build"}}"#,
        r#"{"event_id": "evt_1", "request": {"key": "build", "message": "The build has failed."}}"#,
    ]),
    good: Example::Stream(&[
        r#"{"request": {"key": "build"}}"#,
        r#"{"event_id": "evt_1", "sender": {"id": "claude-code"}, "request": {"key": "lint"}}"#,
    ]),
};

pub(crate) static RETRY: Rule = Rule {
    code: "retry",
    level: Level::Info,
    requirements: &["PRO-02"],
    section: "Idempotency and ordering",
    summary: "The event is a retry of an earlier one.",
    explanation: "Nothing is wrong: the same sender repeats the same event under the same event_id, and a consumer returns the original result. It changes nothing else in the stream.",
    bad: Example::Stream(&[
        r#"{"request": {"key": "build"}}"#,
        r#"{"event_id": "evt_1", "occurred_at": "2026-08-26T01:15:00Z", "request": {"key": "build"}}"#,
    ]),
    good: Example::Stream(&[r#"{"request": {"key": "build"}}"#, r#"{"event_type": "request.updated"}"#]),
};

pub(crate) static OUT_OF_ORDER: Rule = Rule {
    code: "out-of-order",
    level: Level::Warning,
    requirements: &["PRO-03"],
    section: "Idempotency and ordering",
    summary: "Events of one condition are sent in the order in which they occurred.",
    explanation: "What the sender said last of this condition occurred later than this. Compared to the second, and only among events of one sender, because clocks differ.",
    bad: Example::Stream(&[
        r#"{"request": {"key": "build"}}"#,
        r#"{"event_type": "request.updated", "occurred_at": "2026-08-26T01:14:59Z"}"#,
    ]),
    good: Example::Stream(&[
        r#"{"request": {"key": "build"}}"#,
        r#"{"event_type": "request.updated", "occurred_at": "2026-08-26T01:15:00Z"}"#,
    ]),
};

pub(crate) static UNKNOWN_CONDITION: Rule = Rule {
    code: "unknown-condition",
    level: Level::Error,
    requirements: &["PRO-04"],
    section: "Event lifecycle",
    summary: "An update or a resolution names a condition that was opened before.",
    explanation: "A consumer answers not found: an update never creates a condition. Where the recording begins in the middle of a condition's life, allow this code.",
    bad: Example::Stream(&[r#"{"event_type": "request.updated"}"#]),
    good: Example::Stream(&[r#"{"request": {"key": "build"}}"#, r#"{"event_type": "request.updated"}"#]),
};

pub(crate) static FINISHED_CONDITION: Rule = Rule {
    code: "finished-condition",
    level: Level::Error,
    requirements: &["PRO-04"],
    section: "Event lifecycle",
    summary: "An update targets only an active condition.",
    explanation: "The condition was answered or resolved before, and an update neither revives nor replaces it. Send request.created to open a new one. To resolve it once more is no fault.",
    bad: Example::Stream(&[
        r#"{"request": {"key": "build"}}"#,
        r#"{"event_type": "request.resolved"}"#,
        r#"{"event_type": "request.updated"}"#,
    ]),
    good: Example::Stream(&[
        r#"{"request": {"key": "build"}}"#,
        r#"{"event_type": "request.resolved"}"#,
        r#"{"event_type": "request.resolved"}"#,
        r#"{"request": {"key": "build"}}"#,
        r#"{"event_type": "request.updated"}"#,
    ]),
};

pub(crate) static ANSWER_TO_NOTHING: Rule = Rule {
    code: "answer-to-nothing",
    level: Level::Error,
    requirements: &["PRO-06"],
    section: "Responses",
    summary: "An answer names a condition that waits for one.",
    explanation: "The condition is unknown, was resolved without an answer, or is one-way: its request has no answer specification, so nobody waits.",
    bad: Example::Stream(&[r#"{"request": {"key": "build"}}"#, r#"{"event_type": "response.submitted"}"#]),
    good: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "single_choice"}}}"#,
        r#"{"event_type": "response.submitted"}"#,
    ]),
};

pub(crate) static ANSWER_WRONG_KIND: Rule = Rule {
    code: "answer-wrong-kind",
    level: Level::Error,
    requirements: &["PRO-06"],
    section: "Responses",
    summary: "An answer has the shape that the question asks for.",
    explanation: "permission and single_choice are answered with `choice_id`, text is answered with `text`.",
    bad: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "single_choice"}}}"#,
        r#"{"event_type": "response.submitted", "response": {"choice_id": null, "text": "main"}}"#,
    ]),
    good: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "text", "text_max_length": 3}}}"#,
        r#"{"event_type": "response.submitted", "response": {"text": "yes"}}"#,
    ]),
};

pub(crate) static ANSWER_NOT_OFFERED: Rule = Rule {
    code: "answer-not-offered",
    level: Level::Error,
    requirements: &["PRO-06"],
    section: "Responses",
    summary: "An answer chooses one of the choices that are offered.",
    explanation: "Choice ids are compared exactly; case counts, and so does every other character.",
    bad: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "single_choice"}}}"#,
        r#"{"event_type": "response.submitted", "response": {"choice_id": "Main"}}"#,
    ]),
    good: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "single_choice"}}}"#,
        r#"{"event_type": "response.submitted", "response": {"choice_id": "next"}}"#,
    ]),
};

pub(crate) static ANSWER_TOO_LONG: Rule = Rule {
    code: "answer-too-long",
    level: Level::Error,
    requirements: &["PRO-06", "ASK-10"],
    section: "Responses",
    summary: "A text answer keeps the question's bound.",
    explanation: "`text_max_length` of the question, 500 characters where it names none; counted in Unicode code points.",
    bad: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "text", "text_max_length": 3}}}"#,
        r#"{"event_type": "response.submitted", "response": {"text": "long"}}"#,
    ]),
    good: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "text", "text_max_length": 3}}}"#,
        r#"{"event_type": "response.submitted", "response": {"text": "💩💩💩"}}"#,
    ]),
};

pub(crate) static ANSWER_AFTER_DEADLINE: Rule = Rule {
    code: "answer-after-deadline",
    level: Level::Error,
    requirements: &["PRO-06"],
    section: "Responses",
    summary: "An answer comes before the question's deadline.",
    explanation: "By the answer's own occurred_at it was given at or after expires_at, when control has returned to the producer.",
    bad: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "single_choice"}}}"#,
        r#"{"event_type": "response.submitted", "occurred_at": "2026-08-26T01:45:00Z"}"#,
    ]),
    good: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "single_choice"}}}"#,
        r#"{"event_type": "response.submitted", "occurred_at": "2026-08-26T01:44:59.999Z"}"#,
    ]),
};

pub(crate) static SECOND_ANSWER: Rule = Rule {
    code: "second-answer",
    level: Level::Error,
    requirements: &["PRO-06"],
    section: "Responses",
    summary: "The first valid answer wins.",
    explanation: "Another answer was accepted before. A consumer refuses this one as a conflict.",
    bad: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "single_choice"}}}"#,
        r#"{"event_type": "response.submitted"}"#,
        r#"{"event_type": "response.submitted", "response": {"response_id": "resp_2"}}"#,
    ]),
    good: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "single_choice"}}}"#,
        r#"{"event_type": "response.submitted"}"#,
        r#"{"event_type": "response.submitted"}"#,
    ]),
};

pub(crate) static RESPONSE_ID_REUSED: Rule = Rule {
    code: "response-id-reused",
    level: Level::Error,
    requirements: &["PRO-07"],
    section: "Idempotency and ordering",
    summary: "A response_id stands for one answer to its condition.",
    explanation: "It is the responder's idempotency key: a retry repeats the same answer. Another answer under it is no second vote.",
    bad: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "single_choice"}}}"#,
        r#"{"event_type": "response.submitted"}"#,
        r#"{"event_type": "response.submitted", "response": {"choice_id": "next"}}"#,
    ]),
    good: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "single_choice"}}}"#,
        r#"{"event_type": "response.submitted"}"#,
        r#"{"event_type": "response.submitted"}"#,
    ]),
};

pub(crate) static OUTCOME_WITHOUT_ANSWER: Rule = Rule {
    code: "outcome-without-answer",
    level: Level::Warning,
    requirements: &["PRO-10"],
    section: "Responses",
    summary: "Nothing is resolved as answered without an answer.",
    explanation: "Silence is never an answer: when nobody answers, the outcome is expired, cancelled, superseded or not_needed. Where answers are recorded elsewhere, allow this code.",
    bad: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "single_choice"}}}"#,
        r#"{"event_type": "request.resolved", "request": {"outcome": "answered"}}"#,
    ]),
    good: Example::Stream(&[
        r#"{"request": {"key": "build", "response": {"kind": "single_choice"}}}"#,
        r#"{"event_type": "response.submitted"}"#,
        r#"{"event_type": "request.resolved", "request": {"outcome": "answered"}}"#,
    ]),
};
