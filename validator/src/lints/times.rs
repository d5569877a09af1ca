//! Times that cannot be meant.

use super::Note;
use crate::event::{Body, Event};
use crate::rules::{Example, Level, Rule};

/// The lints of this family.
pub(crate) const TIMES: &[&Rule] = &[&DEADLINE_PASSED, &IMPLAUSIBLE_TIME];

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

pub(crate) static IMPLAUSIBLE_TIME: Rule = Rule {
    code: "implausible-time",
    level: Level::Warning,
    requirements: &["ENV-05"],
    section: "Envelope",
    summary: "`occurred_at` lies in the years 2020 to 2099.",
    explanation: "Any timestamp is valid and a consumer accepts it, but one before 2020 or after 2099 usually comes from a clock that was never set, or from seconds taken for milliseconds. There is no comparison with the clock of this machine, so that a recording always gives the same findings.",
    bad: Example::Event(r#"{"occurred_at": "1970-01-01T00:00:00Z"}"#),
    good: Example::Event(r#"{"occurred_at": "2020-01-01T00:00:00Z"}"#),
};

/// 2020-01-01T00:00:00Z and 2100-01-01T00:00:00Z in UTC milliseconds.
const PLAUSIBLE: std::ops::Range<i64> = 1_577_836_800_000..4_102_444_800_000;

/// Notices when it is said to have happened, and until when an answer is awaited.
pub(super) fn notice(event: &Event<'_>, notes: &mut Vec<Note>) {
    if !PLAUSIBLE.contains(&event.occurred_at.millis()) {
        let message = "the event is said to have occurred in a time without such events".to_owned();
        notes.push(Note::new(&IMPLAUSIBLE_TIME, "occurred_at", message).hint("is the producer's clock set?"));
    }
    let (Body::Created { ask, .. } | Body::Updated { ask, .. }) = &event.body else { return };
    let Some(spec) = &ask.response else { return };
    if spec.expires_at.millis() <= event.occurred_at.millis() {
        let message = "the question expires before or as it is asked".to_owned();
        notes.push(Note::new(&DEADLINE_PASSED, "request.response.expires_at", message));
    }
}
