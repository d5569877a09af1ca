//! The answer.

use super::{Example, Level, Rule};

/// The rules of this family.
pub(crate) const RESPONSES: &[&Rule] = &[&RESPONSE, &DIGEST, &ONE_ANSWER, &ANSWER_VALUE];

pub(crate) static RESPONSE: Rule = Rule {
    code: "response",
    level: Level::Error,
    requirements: &["ANS-09", "ENV-18"],
    section: "Responses",
    summary: "The answer's members keep their bounds.",
    explanation: "response_id and device_id 1 to 128 characters, nonce 1 to 128, source 1 to 64 letters, digits, underscores or hyphens.",
    bad: Example::Event(r#"{"event_type": "response.submitted", "response": {"response_id": null}}"#),
    good: Example::Event(
        r#"{"event_type": "response.submitted", "response": {"source": "desktop", "device_id": "phone-7"}}"#,
    ),
};

pub(crate) static DIGEST: Rule = Rule {
    code: "digest",
    level: Level::Error,
    requirements: &["ANS-09"],
    section: "Responses",
    summary: "`digest` is the 64 lower-case hexadecimal digits that the consumer issued.",
    explanation: "It binds the answer to the exact question that the person saw.",
    bad: Example::Event(r#"{"event_type": "response.submitted", "response": {"digest": "0123ABCD"}}"#),
    good: Example::Event(
        r#"{"event_type": "response.submitted", "response": {"digest": "89abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567"}}"#,
    ),
};

pub(crate) static ONE_ANSWER: Rule = Rule {
    code: "one-answer",
    level: Level::Error,
    requirements: &["ANS-09"],
    section: "Responses",
    summary: "An answer carries exactly one of `choice_id` and `text`.",
    explanation: "Both or neither cannot be an answer to any question.",
    bad: Example::Event(r#"{"event_type": "response.submitted", "response": {"choice_id": "main", "text": "main"}}"#),
    good: Example::Event(r#"{"event_type": "response.submitted", "response": {"text": "main"}}"#),
};

pub(crate) static ANSWER_VALUE: Rule = Rule {
    code: "answer-value",
    level: Level::Error,
    requirements: &["ANS-09", "ENV-18"],
    section: "Responses",
    summary: "`choice_id` is 1 to 64 letters, digits, underscores or hyphens; `text` has 1 to 2000 characters.",
    explanation: "The question may set a narrower bound; without one, a text answer has at most 500 characters.",
    bad: Example::Event(r#"{"event_type": "response.submitted", "response": {"choice_id": "the main one"}}"#),
    good: Example::Event(r#"{"event_type": "response.submitted", "response": {"choice_id": "main"}}"#),
};
