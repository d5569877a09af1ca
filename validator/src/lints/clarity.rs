//! What a person will read, and whether it can be understood.

use super::Note;
use super::texts::Text;
use crate::event::{AnswerShape, Ask, Body, Choice, Event, RequestKind};
use crate::finding::is_invisible;
use crate::rules::{Example, Level, Rule};

/// The lints of this family.
pub(crate) const CLARITY: &[&Rule] =
    &[&NOBODY_WAITS, &ODD_ANSWER_KIND, &ALIKE_CHOICES, &BLANK_TEXT, &LONG_MESSAGE, &INVISIBLE_CHARACTER];

pub(crate) static NOBODY_WAITS: Rule = Rule {
    code: "nobody-waits",
    level: Level::Info,
    requirements: &["ASK-07"],
    section: "Answer specification",
    summary: "A question or permission is created without an answer specification.",
    explanation: "That is valid: the person is told and nobody waits. If the agent does wait, add `request.response`.",
    bad: Example::Event(r#"{"request": {"kind": "permission"}}"#),
    good: Example::Event(r#"{"request": {"kind": "permission", "response": {"kind": "permission"}}}"#),
};

pub(crate) static ODD_ANSWER_KIND: Rule = Rule {
    code: "odd-answer-kind",
    level: Level::Warning,
    requirements: &["ASK-01"],
    section: "Answer specification",
    summary: "The request's kind and the kind of its answer do not go together.",
    explanation: "Any pair is valid, but a completion that waits for an answer, a question answered like a permission or a permission answered with a text is shown in a way that misleads.",
    bad: Example::Event(r#"{"request": {"kind": "completion", "response": {"kind": "single_choice"}}}"#),
    good: Example::Event(r#"{"request": {"kind": "blocked", "response": {"kind": "single_choice"}}}"#),
};

pub(crate) static ALIKE_CHOICES: Rule = Rule {
    code: "alike-choices",
    level: Level::Warning,
    requirements: &["ASK-04"],
    section: "Answer specification",
    summary: "Two choices look the same.",
    explanation: "They have the same label and the same detail, so the person cannot tell which is which.",
    bad: Example::Event(
        r#"{"request": {"response": {"choices": [{"id": "a", "label": "Yes"}, {"id": "b", "label": "Yes"}]}}}"#,
    ),
    good: Example::Event(
        r#"{"request": {"response": {"choices": [{"id": "a", "label": "Yes"}, {"id": "b", "label": "Yes", "detail": "Always"}]}}}"#,
    ),
};

pub(crate) static BLANK_TEXT: Rule = Rule {
    code: "blank-text",
    level: Level::Warning,
    requirements: &["ENV-08"],
    section: "Request",
    summary: "A text is nothing but white space.",
    explanation: "It is valid, since nothing is trimmed, but it shows or names nothing.",
    bad: Example::Event(r#"{"request": {"message": " \t"}}"#),
    good: Example::Event(r#"{"request": {"message": " . "}}"#),
};

pub(crate) static LONG_MESSAGE: Rule = Rule {
    code: "long-message",
    level: Level::Info,
    requirements: &["PRO-09"],
    section: "Security and privacy",
    summary: "The message is the smallest that lets a person decide.",
    explanation: "This one is longer than 1500 characters or 20 lines, or holds a fenced block: it looks like a prompt or the output of a tool. Say what is needed, and keep the rest where the agent runs.",
    bad: Example::Event(r#"{"request": {"message": "The build failed:\n```\nerror[E0308]\n```"}}"#),
    good: Example::Event(r#"{"request": {"message": "The build failed with error E0308 in `src/main.rs`."}}"#),
};

pub(crate) static INVISIBLE_CHARACTER: Rule = Rule {
    code: "invisible-character",
    level: Level::Warning,
    requirements: &["PRO-09"],
    section: "Security and privacy",
    summary: "A text that a person reads holds a control, invisible or bidirectional character.",
    explanation: "Such characters can make a text look like another one: what is read is then not what is agreed to. Line breaks and tabs are fine, and so are the joiners inside emoji and words.",
    bad: Example::Event(r#"{"request": {"message": "Delete \u202egpj.exe?"}}"#),
    good: Example::Event(r#"{"request": {"message": "Two lines,\n\tone with a tab 👩‍💻"}}"#),
};

/// Notices what the event as a whole shows.
pub(super) fn notice(event: &Event<'_>, notes: &mut Vec<Note>) {
    if is_blank(&event.event_id) {
        notes.push(blank("event_id"));
    }
    match &event.body {
        Body::Created { ask, .. } => {
            notice_waiting(ask, notes);
            notice_ask(ask, notes);
        }
        Body::Updated { ask, .. } => notice_ask(ask, notes),
        Body::Submitted { .. } | Body::Resolved { .. } => {}
    }
}

fn notice_waiting(ask: &Ask<'_>, notes: &mut Vec<Note>) {
    let asks = matches!(ask.kind, RequestKind::Question | RequestKind::Permission);
    if asks && ask.response.is_none() {
        let message = format!("nobody waits for an answer to this {}", ask.kind.as_str());
        notes.push(Note::new(&NOBODY_WAITS, "request", message).hint("if the agent waits, add `request.response`"));
    }
}

fn notice_ask(ask: &Ask<'_>, notes: &mut Vec<Note>) {
    if ask.title.as_ref().is_some_and(|title| is_blank(title.expose())) {
        notes.push(blank("request.title"));
    }
    let message = ask.message.expose();
    if is_blank(message) {
        notes.push(blank("request.message"));
    }
    if is_long(message) {
        let message = "the message is long for something that a person is to decide on".to_owned();
        notes.push(Note::new(&LONG_MESSAGE, "request.message", message));
    }
    if let Some(spec) = &ask.response {
        notice_pair(ask.kind, &spec.shape, notes);
        notice_alike(&spec.shape, notes);
    }
}

fn notice_pair(kind: RequestKind, shape: &AnswerShape<'_>, notes: &mut Vec<Note>) {
    let is_odd = match kind {
        RequestKind::Information | RequestKind::Failure | RequestKind::Completion => true,
        RequestKind::Question => matches!(shape, AnswerShape::Permission(_)),
        RequestKind::Permission => matches!(shape, AnswerShape::Text { .. }),
        RequestKind::Blocked => false,
    };
    if is_odd {
        let message = format!("a request of kind {} waits for an answer of kind {}", kind.as_str(), shape.kind());
        notes.push(Note::new(&ODD_ANSWER_KIND, "request.response.kind", message));
    }
}

fn notice_alike(shape: &AnswerShape<'_>, notes: &mut Vec<Note>) {
    let choices = shape.choices();
    for (i, choice) in choices.iter().enumerate() {
        let is_alike = |other: &Choice<'_>| other.label == choice.label && other.detail == choice.detail;
        if let Some(first) = choices[..i].iter().position(is_alike) {
            let message = format!("choice {} looks like choice {}", i + 1, first + 1);
            notes.push(Note::new(&ALIKE_CHOICES, &format!("request.response.choices.{i}.label"), message));
        }
    }
}

/// Notices characters that a person cannot see in a text that a person is to read.
pub(super) fn notice_characters(text: &Text<'_>, notes: &mut Vec<Note>) {
    for (at, c) in text.content.char_indices().filter(|(_, c)| is_hidden(*c)) {
        if !is_joiner(c, &text.content[..at]) {
            let message = format!("`{}` holds U+{:04X}, which cannot be seen", text.place, u32::from(c));
            notes.push(Note::new(&INVISIBLE_CHARACTER, &text.place.to_string(), message).part(at..at + c.len_utf8()));
        }
    }
}

fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || is_invisible(c)
}

/// Zero-width joiners shape emoji and the letters of several scripts.
fn is_joiner(c: char, before: &str) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}') && before.chars().next_back().is_some_and(|b| !b.is_ascii() && !is_hidden(b))
}

fn blank(place: &str) -> Note {
    Note::new(&BLANK_TEXT, place, format!("`{place}` is nothing but white space"))
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

fn is_long(message: &str) -> bool {
    let bytes = message.as_bytes();
    // One look spares most messages the other two.
    let has_structure = || memchr::memchr_iter(b'\n', bytes).count() > 20 || message.contains("```");
    message.len() > 1500 && message.chars().count() > 1500
        || memchr::memchr2(b'`', b'\n', bytes).is_some_and(|_| has_structure())
}
