//! The answer specification: what a valid answer looks like.

use super::{Example, Level, Rule};

/// The rules of this family.
pub(crate) const ANSWER_SPECS: &[&Rule] = &[&ANSWER_SPEC, &CHOICES, &TEXT_MAX_LENGTH, &CHOICE, &DUPLICATE_CHOICE];

pub(crate) static ANSWER_SPEC: Rule = Rule {
    code: "answer-spec",
    level: Level::Error,
    requirements: &["ASK-01"],
    section: "Answer specification",
    summary: "`request.response` has a `kind` and an RFC 3339 `expires_at`.",
    explanation: "kind is permission, single_choice or text; expires_at is the absolute deadline.",
    bad: Example::Event(r#"{"request": {"response": {"expires_at": null}}}"#),
    good: Example::Event(r#"{"request": {"response": {"expires_at": "2026-08-26T01:45:00Z"}}}"#),
};

pub(crate) static CHOICES: Rule = Rule {
    code: "choices",
    level: Level::Error,
    requirements: &["ASK-02"],
    section: "Answer specification",
    summary: "permission and single_choice offer 2 to 12 choices; text offers none.",
    explanation: "One choice is no question, and more than twelve do not fit a small screen.",
    bad: Example::Event(r#"{"request": {"response": {"choices": [{"id": "main", "label": "Main"}]}}}"#),
    good: Example::Event(
        r#"{"request": {"response": {"choices": [{"id": "main", "label": "Main"}, {"id": "next", "label": "Next"}]}}}"#,
    ),
};

pub(crate) static TEXT_MAX_LENGTH: Rule = Rule {
    code: "text-max-length",
    level: Level::Error,
    requirements: &["ASK-03"],
    section: "Answer specification",
    summary: "`text_max_length` stands only with kind text and is an integer of 1 to 2000.",
    explanation: "Without it a text answer is bounded by 500 characters.",
    bad: Example::Event(r#"{"request": {"response": {"kind": "text", "text_max_length": 4000}}}"#),
    good: Example::Event(r#"{"request": {"response": {"kind": "text", "text_max_length": 80}}}"#),
};

pub(crate) static CHOICE: Rule = Rule {
    code: "choice",
    level: Level::Error,
    requirements: &["ASK-04", "ENV-18"],
    section: "Answer specification",
    summary: "A choice has an `id` of 1 to 64 letters, digits, underscores or hyphens, a `label` of 1 to 200 characters and perhaps a `detail` of 1 to 500.",
    explanation: "The id is echoed back verbatim and never interpreted; the label is what the person reads.",
    bad: Example::Event(
        r#"{"request": {"response": {"choices": [{"id": "the main one", "label": "Main"}, {"id": "next", "label": "Next"}]}}}"#,
    ),
    good: Example::Event(
        r#"{"request": {"response": {"choices": [{"id": "the-main-one", "label": "Main"}, {"id": "next", "label": "Next"}]}}}"#,
    ),
};

pub(crate) static DUPLICATE_CHOICE: Rule = Rule {
    code: "duplicate-choice-id",
    level: Level::Error,
    requirements: &["ASK-05"],
    section: "Answer specification",
    summary: "Choice ids are unique within a request.",
    explanation: "Two choices with one id cannot be told apart in the answer, even where their labels differ. The finding points at the second one.",
    bad: Example::Event(
        r#"{"request": {"response": {"choices": [{"id": "main", "label": "Main"}, {"id": "main", "label": "Next"}]}}}"#,
    ),
    good: Example::Event(
        r#"{"request": {"response": {"choices": [{"id": "main", "label": "Main"}, {"id": "Main", "label": "Next"}]}}}"#,
    ),
};
