//! Deadlines that cannot be met.

use super::Note;
use crate::event::{Body, Event};
use crate::rules::{Example, Level, Rule};

/// The lints of this family.
pub(crate) const DEADLINES: &[&Rule] = &[&DEADLINE_PASSED];

pub(crate) static DEADLINE_PASSED: Rule = Rule {
    code: "deadline-passed",
    level: Level::Warning,
    requirements: &["PRO-05"],
    section: "Answer specification",
    summary: "The deadline of a question lies after the moment it is asked.",
    explanation: "`expires_at` is not after `occurred_at`: the question is over before anybody can see it.",
    bad: Example::Event(r#"{"request": {"response": {"expires_at": "2026-08-26T01:15:00Z"}}}"#),
    good: Example::Event(r#"{"request": {"response": {"expires_at": "2026-08-26T01:15:00.001Z"}}}"#),
};

pub(super) fn notice(event: &Event<'_>, notes: &mut Vec<Note>) {
    let (Body::Created { ask, .. } | Body::Updated { ask, .. }) = &event.body else { return };
    let Some(spec) = &ask.response else { return };
    if spec.expires_at.millis() <= event.occurred_at.millis() {
        let message = "the question expires before or as it is asked".to_owned();
        notes.push(Note::new(&DEADLINE_PASSED, "request.response.expires_at", message));
    }
}
