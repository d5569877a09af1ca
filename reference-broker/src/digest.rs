//! The digest that binds an answer to what a person saw (contract: Responses; reading 24).

use crate::engine::{Millis, Shown};
use crate::instant;
use crate::secret::Digest;
use arc_validator::event::{AnswerShape, Private, Sender};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Everything that is displayed with a question.
pub(crate) struct Displayed<'a> {
    pub(crate) sender: &'a Sender<'static>,
    pub(crate) project: Option<&'a str>,
    pub(crate) shown: &'a Shown,
    pub(crate) shape: &'a AnswerShape<'static>,
    pub(crate) expires_at: Millis,
}

/// SHA-256 over the RFC 8785 form of one JSON object with a member for each thing displayed, absent things as null.
/// Members keep their borders, so that words moved from one to another make another digest.
pub(crate) fn digest(displayed: &Displayed<'_>) -> Digest {
    let canonical = serde_json_canonicalizer::to_vec(&object(displayed))
        .expect("strings and small integers always have a canonical form");
    Digest::from(hex(&Sha256::digest(canonical)))
}

fn object(displayed: &Displayed<'_>) -> Value {
    let Displayed { sender, project, shown, shape, expires_at } = displayed;
    let max_length = match shape {
        AnswerShape::Text { max_length } => Some(max_length),
        AnswerShape::Permission(_) | AnswerShape::SingleChoice(_) => None,
    };
    json!({
        "sender": { "id": sender.id, "name": sender.name },
        "project": project,
        "kind": shown.kind.as_str(),
        "title": shown.title.as_ref().map(Private::expose),
        "message": shown.message.expose(),
        "priority": shown.priority.as_str(),
        "response": {
            "kind": shape.kind(),
            "choices": choices(shape),
            "text_max_length": max_length,
            "expires_at": instant::format(*expires_at),
        },
    })
}

fn choices(shape: &AnswerShape<'_>) -> Vec<Value> {
    let choice = |choice: &arc_validator::event::Choice<'_>| {
        let detail = choice.detail.as_ref().map(Private::expose);
        json!({ "id": choice.id, "label": choice.label.expose(), "detail": detail })
    };
    shape.choices().iter().map(choice).collect()
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(2 * bytes.len());
    for nibble in bytes.iter().flat_map(|b| [b >> 4, b & 15]) {
        text.push(char::from(DIGITS[usize::from(nibble)]));
    }
    text
}
