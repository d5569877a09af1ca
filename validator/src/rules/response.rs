//! The answer.

use super::{Level, Rule};

/// The rules of this family.
pub(crate) const RESPONSES: &[&Rule] = &[&RESPONSE, &DIGEST, &ONE_ANSWER, &ANSWER_VALUE];

pub(crate) static RESPONSE: Rule = Rule {
    code: "response",
    level: Level::Error,
    requirements: &["ANS-09", "ENV-18"],
    section: "Responses",
    summary: "The answer's members keep their bounds.",
    explanation: "response_id and device_id 1 to 128 characters, nonce 1 to 128, source 1 to 64 letters, digits, underscores or hyphens.",
};

pub(crate) static DIGEST: Rule = Rule {
    code: "digest",
    level: Level::Error,
    requirements: &["ANS-09"],
    section: "Responses",
    summary: "`digest` is the 64 lower-case hexadecimal digits that the consumer issued.",
    explanation: "It binds the answer to the exact question that the person saw.",
};

pub(crate) static ONE_ANSWER: Rule = Rule {
    code: "one-answer",
    level: Level::Error,
    requirements: &["ANS-09"],
    section: "Responses",
    summary: "An answer carries exactly one of `choice_id` and `text`.",
    explanation: "Both or neither cannot be an answer to any question.",
};

pub(crate) static ANSWER_VALUE: Rule = Rule {
    code: "answer-value",
    level: Level::Error,
    requirements: &["ANS-09", "ENV-18"],
    section: "Responses",
    summary: "`choice_id` is 1 to 64 letters, digits, underscores or hyphens; `text` has 1 to 2000 characters.",
    explanation: "The question may set a narrower bound; without one, a text answer has at most 500 characters.",
};
