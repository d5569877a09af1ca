//! Lints: valid events that are probably not what was meant, or that say more than they should.
//!
//! One family a file, one entry a lint. A lint sees the typed event; what is found is placed in the bytes afterwards, so
//! an event without findings pays only for the looking.

mod clarity;
mod privacy;
pub(crate) mod suspicion;
mod texts;
mod times;

pub(crate) use clarity::CLARITY;
pub(crate) use privacy::{PRIVACY, secrets};
pub(crate) use times::TIMES;

use crate::event::Event;
use crate::finding::{Finding, push_pointer, sort};
use crate::json;
use crate::rules::{INEXACT_INTEGER, Rule};
use std::ops::Range;

/// Something that a lint noticed, by where it stands.
#[derive(Debug, Clone, PartialEq)]
struct Note {
    rule: &'static Rule,
    steps: Vec<String>,
    /// The part of the text to underline, in bytes; all of it where there is none.
    part: Option<Range<usize>>,
    message: String,
    hint: Option<&'static str>,
}

impl Note {
    #[cold]
    fn new(rule: &'static Rule, place: &str, message: String) -> Self {
        let steps = place.split('.').map(str::to_owned).collect();
        Self { rule, steps, part: None, message, hint: None }
    }

    fn part(mut self, part: Range<usize>) -> Self {
        self.part = Some(part);
        self
    }

    fn hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }
}

/// What is worth saying of a valid event, sorted by place. `bytes` are those that the event was read from.
///
/// ```
/// let bytes = br#"{"arc_version":"0.2","event_id":"e1","event_type":"request.created","occurred_at":"2026-08-26T01:15:00Z",
///     "sender":{"id":"codex"},"request":{"kind":"permission","message":"May I deploy?"}}"#;
/// let findings = arc_validator::lint(&arc_validator::parse(bytes).unwrap(), bytes);
/// assert_eq!(findings[0].rule.code, "nobody-waits");
/// ```
pub fn lint(event: &Event<'_>, bytes: &[u8]) -> Vec<Finding> {
    lint_suspect(event, bytes, suspicion::may_hold_secret(bytes))
}

/// The same where it is known whether the sign of a secret stands in the bytes.
pub(crate) fn lint_suspect(event: &Event<'_>, bytes: &[u8], may_leak: bool) -> Vec<Finding> {
    let mut notes = Vec::new();
    clarity::notice(event, &mut notes);
    times::notice(event, &mut notes);
    let hides = event.spelling.is_odd && suspicion::hides_something(bytes);
    if may_leak || hides || event.spelling.is_veiled {
        for text in texts::texts(event) {
            // Escapes may spell anything, so what they spell is looked at once more.
            let is_decoded = !bytes.as_ptr_range().contains(&text.content.as_ptr());
            if may_leak || (is_decoded && suspicion::may_hold_secret(text.content.as_bytes())) {
                privacy::notice(&text, &mut notes);
            }
            if text.is_read && (hides || is_decoded) && suspicion::may_hold_hidden(text.content) {
                clarity::notice_characters(&text, &mut notes);
            }
        }
    }
    if notes.is_empty() && !event.spelling.is_inexact {
        return Vec::new();
    }
    locate(notes, bytes)
}

fn locate(notes: Vec<Note>, bytes: &[u8]) -> Vec<Finding> {
    let (node, found) = json::read(bytes);
    let mut findings: Vec<_> = found.into_iter().filter(|finding| finding.rule == &INEXACT_INTEGER).collect();
    for note in notes {
        let steps: Vec<_> = note.steps.iter().map(String::as_str).collect();
        let whole = node.as_ref().and_then(|node| node.at(&steps)).map_or(0..bytes.len(), |node| node.span.clone());
        // A text with escapes is spelled otherwise than it reads, so all of it is underlined.
        let is_plain = !bytes[whole.clone()].contains(&b'\\');
        let span = match note.part {
            Some(part) if is_plain => whole.start + 1 + part.start..whole.start + 1 + part.end,
            _ => whole,
        };
        let mut pointer = String::new();
        for step in steps {
            push_pointer(&mut pointer, step);
        }
        let finding = Finding::new(note.rule, pointer, span, note.message);
        findings.push(Finding { hint: note.hint.map(str::to_owned), ..finding });
    }
    sort(&mut findings);
    findings
}
